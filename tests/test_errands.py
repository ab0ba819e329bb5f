"""The errands of docs/architecture.md, each walked as the page says: what is to be written, where, and that it then works.

Files are written into folders of their own which are made part of the packages for the time of a test. What would be missing
if a step were left out is an error that names the place.
"""

from __future__ import annotations

import importlib
import re
import shutil
import sys
from pathlib import Path

import bufferize
import bufferize.transforms
import bufferize.viz.graph
import pytest
from bufferize.analysis.causes import CauseKind
from bufferize.analysis.one_shot import state
from bufferize.cli.graph_command import DEFAULT_KIND
from bufferize.cli.opt import main
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.transforms import pass_base
from bufferize.viz import graph as pictures

ROOT = Path(__file__).parents[1]

# -- an operation with its bufferization: one folder, three files

OPERATIONS = '''
"""Operations on sparse updates."""

from bufferize.ir.declaration.constraints import ANY_TYPE
from bufferize.ir.declaration.declare import operand, optional_result
from bufferize.ir.program.core import Operation


class StampOp(Operation):
    """Writes a number into every element of `target`."""

    name = "errand.stamp"
    target = operand(ANY_TYPE)
    value = operand(ANY_TYPE)
    stamped = optional_result(ANY_TYPE)
'''
MODELS = '''
"""What bufferization knows of them."""

from bufferize import AliasingValue, Model
from . import StampOp


class StampModel(Model):
    def reads(self, operand, context):
        return False

    def writes(self, operand, context):
        return operand.index == 0

    def aliasing_values(self, operand, context):
        return [AliasingValue(operand.owner.results[0])] if operand.index == 0 else []


MODELS = {StampOp: StampModel()}
'''
REWRITES = '''
"""What becomes of them."""

from bufferize import Rewrite
from . import StampOp


def stamp(op, b):
    buffer = b.buffer(op.target)
    b.insert(StampOp.build(target=buffer, value=op.value))
    b.replace(op, [buffer])


REWRITES = {StampOp: Rewrite(stamp)}
'''
STAMP = """
func.func @f(%t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %u = "errand.stamp"(%t, %f) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %u : tensor<4xf32>
}"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A dialect folder on Python's path."""
    place = tmp_path / "errand_dialect"
    place.mkdir()
    (place / "__init__.py").write_text(OPERATIONS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield place
    from bufferize.ir.declaration.declare import REGISTRY

    REGISTRY.pop("errand.stamp", None)
    for name in [name for name in sys.modules if name.startswith("errand_dialect")]:
        del sys.modules[name]


def stamped() -> str:
    __import__("errand_dialect")
    module = bufferize.parse(STAMP)
    bufferize.one_shot(module)
    return str(module)


def test_an_operation_is_a_folder_of_three_files(folder):
    (folder / "models.py").write_text(MODELS)
    (folder / "rewrites.py").write_text(REWRITES)
    text = stamped()
    assert '"errand.stamp"(%arg0, %arg1) : (memref<4xf32' in text
    assert "memref.copy" not in text


FOLDS = """
from . import StampOp

FOLDS = {StampOp: lambda op, constants: [op.target]}
"""


def test_its_folds_and_patterns_may_stand_there_too(folder):
    (folder / "folds.py").write_text(FOLDS)
    __import__("errand_dialect")
    module = bufferize.parse(STAMP)
    bufferize.run_passes(module, ["canonicalize"])
    assert "errand.stamp" not in str(module)


def test_an_operation_without_its_rewrite_is_an_error_that_names_the_file(folder):
    (folder / "models.py").write_text(MODELS)
    with pytest.raises(
        PassFailed, match=r"has a model, but no rewrite in REWRITES of errand_dialect\.rewrites"
    ):
        stamped()


def test_a_file_without_its_table_is_an_error_that_names_it(folder):
    (folder / "models.py").write_text(MODELS.replace("MODELS =", "TABLE ="))
    with pytest.raises(PassFailed, match=r"errand_dialect/models\.py has no MODELS"):
        stamped()


# -- a rule: one file


def test_a_rule_is_written_into_one_file(tmp_path, monkeypatch):
    for path in Path(state.RULES).glob("*.dl"):
        shutil.copy(path, tmp_path)
    with (tmp_path / "conflict.dl").open("a") as file:
        file.write(
            "\n// K9001: What is inserted is a whim.\nunaffected(read, write) :- owner(read, a), owner(write, b), a != b.\n"
        )
    text = """
    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
      %u = tensor.insert %f into %t[%i] : tensor<4xf32>
      %x = tensor.extract %t[%i] : tensor<4xf32>
      return %u, %x : tensor<4xf32>, f32
    }"""
    assert len(bufferize.analyze(bufferize.parse(text)).out_of_place()) == 1
    monkeypatch.setattr(state, "RULES", tmp_path)
    state.conflict_program.cache_clear()
    try:
        assert bufferize.analyze(bufferize.parse(text)).out_of_place() == []
    finally:
        monkeypatch.undo()
        state.conflict_program.cache_clear()


# -- a pass: one file and a line


PASS = '''
"""`-errand-strip`: discardable attributes go."""

from bufferize.transforms.pass_base import Pass


class ErrandStrip(Pass):
    """No attributes of nobody's."""

    name = "errand-strip"
    summary = "strip attributes"

    def run(self, op, context):
        for inner in op.walk():
            inner.attributes.clear()
'''


def test_a_pass_is_a_file_and_a_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "errand_strip.py").write_text(PASS)
    monkeypatch.setattr(bufferize.transforms, "__path__", [*bufferize.transforms.__path__, str(tmp_path)])
    monkeypatch.setitem(pass_base.PASSES, "errand-strip", ("errand_strip", "ErrandStrip"))
    program = tmp_path / "p.mlir"
    program.write_text("module attributes {mine.x = 1 : i32} {}")
    try:
        assert main([str(program), "-errand-strip"]) == 0
    finally:
        sys.modules.pop("bufferize.transforms.errand_strip", None)
    assert capsys.readouterr().out == "module {\n}\n\n"


def test_every_pass_has_its_line():
    listed = {module for module, _ in pass_base.PASSES.values()}
    for path in (ROOT / "transforms").glob("*.py"):
        names = re.findall(r'^    name(?:: ClassVar\[str\])? = "([\w-]+)"', path.read_text("utf-8"), re.M)
        assert not names or path.stem in listed, (
            f"transforms/pass_base.py has no line for {names} of {path.name}"
        )


def test_a_line_without_its_class_is_an_error_that_names_the_place(monkeypatch):
    monkeypatch.setitem(pass_base.PASSES, "errand", ("cse", "Missing"))
    with pytest.raises(
        LookupError, match=r"transforms/pass_base\.py: 'errand' is to be 'Missing' of transforms/cse\.py"
    ):
        pass_base.find_pass("errand")


# -- a picture: one file


PICTURE = '''"""Where is the treasure? Under the X.
"""

from bufferize.viz.graph.canvas import Canvas


def draw_errand(request, wording):
    return Canvas("treasure")
'''


def test_a_picture_is_a_file(tmp_path, monkeypatch):
    (tmp_path / "errand.py").write_text(PICTURE)
    monkeypatch.setattr(bufferize.viz.graph, "__path__", [*bufferize.viz.graph.__path__, str(tmp_path)])
    try:
        kinds = {kind.name: kind for kind in pictures.kinds()}
        assert kinds["errand"].question == "where is the treasure"
        module = bufferize.parse("func.func @f() { return }")
        assert pictures.draw(module, "errand").title == "treasure"
    finally:
        sys.modules.pop("bufferize.viz.graph.errand", None)


def test_all_pictures_are_found():
    assert set(pictures.KINDS) >= {
        "alias",
        "cfg",
        "conflicts",
        "liveness",
        "ownership",
        "regions",
        DEFAULT_KIND,
    }
    assert {kind.name for kind in pictures.KINDS.values() if kind.needs_explanation} == {"alias", "conflicts"}


# -- a wording: one file


def test_a_wording_is_changed_in_one_file(monkeypatch):
    from bufferize.explain.kinds.conflicts import ReadAfterWriteCopy

    monkeypatch.setattr(ReadAfterWriteCopy, "title", lambda self: "whim")
    text = """
    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
      %u = tensor.insert %f into %t[%i] : tensor<4xf32>
      %x = tensor.extract %t[%i] : tensor<4xf32>
      return %u, %x : tensor<4xf32>, f32
    }"""
    explanation = bufferize.explain(bufferize.parse(text))
    assert [finding.diagnostic.message for finding in explanation.findings] == ["whim"]


# -- a finding: one class; and a line where a new cause is stated


ERRAND_FINDING = '''
from bufferize.analysis.causes import CauseKind
from bufferize.explain.finding import Finding, Settled


class Splat(Finding):
    """A tensor of equal elements is made.

    tensor.splat allocates.

    Why: It has no destination.

    Fix (by hand): Use linalg.fill.

    Example:
        func.func @f(%f: f32) -> tensor<4xf32> {
          %s = tensor.splat %f : tensor<4xf32>
          return %s : tensor<4xf32>
        }

    Instead:
        func.func @f() {
          return
        }
    """

    id = "errand-splat"
    tells_of = ((CauseKind.NO_DESTINATION, Settled.OTHERWISE),)

    def title(self):
        return f"{self.name} is a splat"
'''


def test_a_finding_is_one_class(monkeypatch):
    """`KINDS`, the causes, the pages, SARIF's rules and `--select` follow from the classes of the families."""
    from bufferize.explain import kinds
    from bufferize.explain.kinds import operations

    family: dict[str, object] = {"__name__": operations.__name__}
    exec(ERRAND_FINDING, family)
    monkeypatch.setattr(operations, "Splat", family["Splat"], raising=False)
    try:
        importlib.reload(kinds)
        assert kinds.BY_CAUSE[CauseKind.NO_DESTINATION].id == "errand-splat"
        assert [kind.meaning().title for kind in kinds.KINDS if kind.id == "errand-splat"] == [
            "A tensor of equal elements is made"
        ]
    finally:
        monkeypatch.undo()
        importlib.reload(kinds)
