"""What notebooks show of programs and results."""

from __future__ import annotations

import shutil

import bufferize
import pytest
from bufferize.viz import notebook
from bufferize.viz.graph import layered

CELL = """
func.func @swap_cell(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %new = tensor.insert %f into %t[%i] : tensor<4xf32>
  %old = tensor.extract %t[%i] : tensor<4xf32>
  return %new, %old : tensor<4xf32>, f32
}
"""


@pytest.fixture(autouse=True)
def installed() -> None:
    notebook.install()


def html_of(thing: object) -> str:
    return thing._repr_html_()  # type: ignore[attr-defined]


def test_a_module_shows_its_text() -> None:
    html = html_of(bufferize.parse(CELL))
    assert '<i class="o">tensor.insert</i>' in html
    assert "<script" not in html


def test_a_result_shows_its_decisions_out_of_place_first() -> None:
    html = html_of(bufferize.analyze(bufferize.parse(CELL)))
    assert html.index("out of place") < html.index("in place</td>")


def test_an_explanation_shows_findings_without_anchors() -> None:
    html = html_of(bufferize.explain(bufferize.parse(CELL)))
    assert "1 copy (16 bytes)" in html
    assert "still needs what" in html
    assert ' id="' not in html and 'href="' not in html


def test_an_explanation_shows_findings_of_one_cause_as_one() -> None:
    inserts = "\n".join(f"  %n{i} = tensor.insert %f into %t[%i] : tensor<4xf32>" for i in range(5))
    values, types = ", ".join(f"%n{i}" for i in range(5)), ", ".join(["tensor<4xf32>"] * 5)
    text = f"func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> ({types}) {{\n{inserts}\n  return {values} : {types}\n}}"
    found = bufferize.explain(bufferize.parse(text), with_help=False)
    assert len(found.groups()) < len(found.findings)
    html = html_of(found)
    assert html.count('<details class="card') == len(found.groups())
    assert "the same cause forces" in html and '"card copy"' in html


def test_long_programs_are_cut() -> None:
    body = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(600))
    html = html_of(bufferize.parse(f"func.func @f() {{\n{body}\n  return\n}}\n"))
    assert "more lines" in html


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_a_picture_shows_itself() -> None:
    drawn = notebook.picture(bufferize.parse(CELL), "conflicts")
    svg = drawn._repr_svg_()
    assert svg is not None and svg.startswith("<svg")
    assert drawn._repr_html_() is None


def test_without_graphviz_the_picture_is_laid_out_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    drawn = notebook.picture(bufferize.parse(CELL), "conflicts")
    assert (drawn._repr_svg_() or "").startswith("<svg")
    assert drawn._repr_html_() is None


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_what_graphviz_makes_too_wide_is_laid_out_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layered, "WIDEST", 100.0)
    drawn = notebook.picture(bufferize.parse(CELL), "conflicts")
    assert drawn.svg() == layered.to_svg(drawn.canvas)[layered.to_svg(drawn.canvas).index("<svg") :]
