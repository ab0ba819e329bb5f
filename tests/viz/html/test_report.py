"""What is in the page, without a browser."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bufferize.cli.main import main
from conftest import CELL

Page = Callable[..., str]


def test_the_copy_is_marked_on_its_line_and_explained_beside_it(page: Page) -> None:
    html = page(CELL)
    line = re.search(r'<div class="first"><div class="l" id="L2">.*?</aside>', html, re.S)
    assert line is not None
    assert 'href="#f1" class="k copy"' in line.group()
    assert "still needs what" in line.group()
    assert "safe: the program computes the same; the changed program was analysed again" in line.group()


def test_totals_are_those_of_explain(page: Page) -> None:
    html = page(CELL)
    tiles = re.findall(r'<dt>([^<]*)</dt><dd class="big">([^<]*)', html)
    assert tiles == [
        ("copies", "1"),
        ("allocations", "1"),
        ("operands in place", "2"),
        ("traffic", "8.0"),
        ("peak", "4096"),
    ]
    assert "1 copy (4096 bytes), 1 allocation (4096 bytes)" in html, "before and after counts as explain does"


def test_the_plan_comes_first_and_names_command_and_changes_with_their_lines(page: Page) -> None:
    html = page(CELL, "--no-pictures")
    plan = html[html.index('<section id="plan">') : html.index('<section id="totals">')]
    assert "1 copy -&gt; 0: <pre" in plan and "bufferize-opt" in plan
    assert '<a href="#L2">line 2</a> <a href="#f1">move <code>tensor.extract</code> up' in plan
    assert '<td><a href="#L2">2</a></td>' in html and "<td>avoidable</td>" in html


def test_there_is_one_peak(page: Page) -> None:
    text = (Path(__file__).parents[3] / "docs" / "programs" / "pairs.mlir").read_text(encoding="utf-8")
    html = page(text)
    assert '<dt>peak</dt><dd class="big">48.0<small> KiB' in html
    assert "an arena needs 48.0 KiB in @f" in html
    assert "at the peak of @f, 48.0 KiB are live" in html
    assert "48.0 KiB, bound 48.0 KiB" in html, "the picture of memory shows the same"


def test_what_one_cause_forces_is_one_card_with_signs_at_all_places(page: Page) -> None:
    inserts = "\n".join(f"  %u{i} = tensor.insert %f into %t[%i] : tensor<4xf32>" for i in range(5))
    inserts += "\n  %x = tensor.extract %t[%i] : tensor<4xf32>"
    returned = ", ".join(["%x", *(f"%u{i}" for i in range(5))])
    types = ", ".join(["f32", *["tensor<4xf32>"] * 5])
    html = page(
        f"func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> ({types}) {{\n{inserts}\n  return {returned} : {types}\n}}\n",
        "--no-pictures",
        "--no-help",
    )
    assert len(re.findall(r'<details class="card copy" id="(\w+)"', html)) == 1
    assert len(re.findall(r'href="#f1" class="k copy"', html)) == 5
    assert "the same in 4 more places" in html


def test_a_program_without_copies_says_so(page: Page) -> None:
    html = page("func.func @f(%a: index) -> index {\n  return %a : index\n}\n")
    assert "Nothing is copied and nothing is allocated" in html


def test_links_lead_somewhere(page: Page) -> None:
    html = page(CELL)
    targets = set(re.findall(r' id="([^"]*)"', html))
    assert set(re.findall(r'href="#([^"]*)"', html)) <= targets
    assert len(re.findall(r' id="([^"]*)"', html)) == len(targets), "an id is used twice"


def test_the_policy_allows_exactly_what_is_there(page: Page) -> None:
    html = page(CELL)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy.group(1).startswith("default-src 'none';")
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        blocks = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.S)
        assert len(blocks) == 1
        digest = base64.b64encode(hashlib.sha256(blocks[0].encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy.group(1)
    assert not re.search(r"<[^>]* (?:style|on\w+)=", re.sub(r"<script>.*?</script>", "", html, flags=re.S))
    assert not re.search(r"""(?:src|href)=["'](?!#)""", html)


def test_names_of_the_input_stay_text(page: Page) -> None:
    html = page(
        'func.func @"<script>alert(1)</script>"(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {\n'
        '  %0 = tensor.insert %f into %t[%i] {note = "</script><img src=x onerror=alert(1)>"} : tensor<4xf32>\n'
        "  return %0, %t : tensor<4xf32>, tensor<4xf32>\n}\n",
        name="<b>.mlir",
    )
    assert "<img" not in html
    assert "<b>.mlir" not in html
    assert html.count("<script>") == 1 and html.count("</script>") == 1


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_pictures_are_inline(page: Page) -> None:
    html = page(CELL)
    assert '<section id="pictures">' in html
    assert "<svg viewBox" in html or "<svg width" in html


def test_without_graphviz_pictures_are_laid_out_simply(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    html = page(CELL)
    assert "laid out simply" in html and "install Graphviz" in html
    assert '<details class="kind"' in html and "<svg viewBox" in html


def test_pictures_can_be_left_out(page: Page) -> None:
    assert '<section id="pictures">' not in page(CELL, "--no-pictures")


def test_when_the_passes_fail_their_diagnostics_are_shown(page: Page) -> None:
    html = page(CELL, "--after", "no-such-pass")
    assert "no-such-pass" in html
    assert "still needs what" in html


def test_the_program_after_has_the_option_that_the_explanation_needs(page: Page) -> None:
    html = page(
        """func.func @f(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
    )
    after = html[html.index('<section id="after"') :]
    assert "allow-return-allocs-from-loops" in after
    assert "is not equivalent" not in after and "memref.alloc" in after


def test_before_and_after_are_side_by_side(page: Page) -> None:
    html = page(CELL)
    after = html[html.index('<section id="after">') :]
    assert "<h4>before</h4>" in after and "<h4>after</h4>" in after
    assert "memref.copy" in after


def test_parts_of_a_split_input_are_all_shown(page: Page) -> None:
    html = page(
        CELL + "// -----\n" + CELL.replace("swap_cell", "other"), "--split-input-file", "--no-pictures"
    )
    assert re.findall(r'<details class="card copy" id="(\w+)"', html) == ["f1", "f2"]
    assert ' id="L8"' in html


def test_long_programs_are_folded_around_findings(page: Page) -> None:
    constants = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(13_000))
    html = page(
        CELL.replace("  %new", constants + "\n  %new"), "--no-pictures", "--no-help", "--after", "cse"
    )
    assert "lines without findings" in html
    assert 'id="L13002"' in html
    assert len(html) < 3_000_000


def test_it_is_refused_like_by_other_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.mlir"
    broken.write_text("func.func @f( {")
    report = tmp_path / "report.html"
    assert main(["report", str(broken), "-o", str(report)]) == 2
    assert not report.exists()
    assert "broken.mlir:1:14: error: expected non-function type" in capsys.readouterr().err
