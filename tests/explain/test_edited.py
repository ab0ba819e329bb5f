"""Plans that change the source first, and failures and questions that have an answer of their own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.sizes import Formula
from bufferize.benchmarks.claims import counted_by_running
from bufferize.cli.main import main
from bufferize.explain.fix import Fixed, _Fixing, _indent, _places_before, _results, _said
from bufferize.explain.report import explain
from bufferize.ir.source.locations import Source, Span
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.memory_report import Kind

BRANCH = """
func.func @cfg(%c: i1, %t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^bb1, ^bb2(%t : tensor<8xf32>)
^bb1:
  %w = tensor.insert %f into %t[%c0] : tensor<8xf32>
  cf.br ^bb2(%w : tensor<8xf32>)
^bb2(%m: tensor<8xf32>):
  %old = tensor.extract %t[%c0] : tensor<8xf32>
  return %m, %old : tensor<8xf32>, f32
}
"""
GROWING = """
func.func @grow(%n: index, %x: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c0) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?xf32>) {
    %d = tensor.dim %t, %c0 : tensor<?xf32>
    %d4 = arith.addi %d, %c4 : index
    %big = tensor.empty(%d4) : tensor<?xf32>
    %a = tensor.insert_slice %t into %big[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
    %b = tensor.insert_slice %x into %a[%d] [4] [1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""
NO_RESTRICT = """
func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %v : f32
}
"""


def explained(text: str, name: str = "cell.mlir"):
    source = Source(name, text)
    options = AnalysisOptions(bufferize_function_boundaries=True)
    return explain(parse_source(source), options, source=source)


def test_what_only_a_change_of_the_source_saves_is_in_the_command(tmp_path):
    file = tmp_path / "cell.mlir"
    file.write_text(BRANCH)
    plan = explained(BRANCH, str(file)).plan
    assert plan is not None
    assert plan.command.startswith("bufferize fix ")
    assert plan.best.cost.copies == 0
    assert counted_by_running(plan.command) == plan.best.cost.moves


def test_a_tensor_that_grows_is_said_to():
    found = explained(GROWING)
    (refused,) = found.refused
    assert any("computed from that of %t" in note.text for note in refused.notes)
    assert all(f.verdict is None or f.verdict.word != "open" for f in found.findings)


def test_a_missing_restrict_is_shown_where_it_goes():
    (problem,) = explained(NO_RESTRICT).errors
    (suggestion,) = problem.suggestions
    assert [edit.replacement for edit in suggestion.edits] == [" restrict"]
    assert suggestion.applicability == "changes what callers see"


@pytest.mark.parametrize(("name", "said"), [("%f", "not a tensor (f32)"), ("%c0", "not a tensor (index)")])
def test_a_value_that_is_no_tensor_is_answered_for(name, said, tmp_path, capsys):
    file = tmp_path / "cell.mlir"
    file.write_text(BRANCH)
    assert main(["explain", str(file), "--why", name]) == 0
    assert said in capsys.readouterr().out


BEFORE = """func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
  // first
  %x = tensor.extract %t[%i] : tensor<8xf32>
  %y = arith.addf %x, %x : f32
  return %y : f32
}
"""
AFTER = """func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
  %new = arith.constant 1.0 : f32
    %x = tensor.extract %t[%i] : tensor<8xf32>
  // first
      %y = arith.mulf %x, %new : f32
  return %y : f32
}
"""


@pytest.mark.parametrize("first_line", [1, 31])
def test_an_operation_of_the_edited_text_has_its_place_in_the_original(first_line):
    before, after = Source("a", BEFORE, first_line), Source("a", AFTER, first_line)
    place = _places_before(before, after)
    starts = {op.name: op.where[2] for op in parse_source(before).walk() if op.where is not None}
    for op in parse_source(after).walk():
        if op.name == "arith.constant":
            assert place(op) == (id(after), op.where[2])
        elif op.name == "arith.mulf":
            assert place(op) == (id(before), starts["arith.addf"])
        elif op.where is not None:
            assert place(op) == (id(before), starts[op.name]), op.name


def test_lines_that_define_the_same_results():
    assert [_results(line) for line in ("  %a, %b = f", "return %a = b", "  // x", "%r:2 = g")] == [
        "%a, %b",
        "",
        "",
        "%r:2",
    ]
    assert [_indent(line) for line in ("x", "   x", "\tx", "")] == [0, 3, 1, 0]


def moved(kind=Kind.COPY, line=3, bytes=16, verdict=None, was_written=False):
    op = SimpleNamespace(name="tensor.insert")
    return SimpleNamespace(
        kind=kind,
        place=None if line is None else Span(Source("x.mlir", "\n" * line), line - 1, line - 1),
        bytes=None if bytes is None else Formula.of(bytes),
        cause=SimpleNamespace(op=op),
        verdict=verdict,
        was_written=was_written,
    )


NEEDED = SimpleNamespace(word="needed as written", why="so")


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (moved(), "line 3: 'tensor.insert' copies 16 bytes"),
        (moved(line=None), "'tensor.insert' copies 16 bytes"),
        (moved(was_written=True), "line 3: 'tensor.insert' copies 16 bytes: the program already contains it"),
        (moved(verdict=NEEDED), "line 3: 'tensor.insert' copies 16 bytes: needed as written, so"),
        (moved(Kind.CLONE), "line 3: deallocation clones 16 bytes for 'tensor.insert'"),
        (
            moved(Kind.CLONE, verdict=NEEDED),
            "line 3: deallocation clones 16 bytes for 'tensor.insert': needed as written, so",
        ),
    ],
)
def test_a_copy_that_is_left_in_words(move, line):
    assert _said(move) == line


class Halving(_Fixing):
    """A fix in which only some sets of changes can be written as text, and only some compute the same."""

    def __init__(self, writable, same, monkeypatch, unsafe=False):
        self.unsafe, self.original, self.fixed, self.tried = unsafe, None, Fixed(""), []
        self.writable = writable
        monkeypatch.setattr("bufferize.explain.fix._computes_the_same", lambda _, after: after in same)

    def _written(self, trials, changes, source):
        names = "".join(change.title for change in changes)
        self.tried.append(names)
        return ("text", names) if names in self.writable else None


@pytest.mark.parametrize(
    ("writable", "same", "attempts", "applied", "not_run", "tried"),
    [
        (["abcd"], ["abcd"], 16, "abcd", "", ["abcd"]),
        (["ab", "cd"], ["ab", "cd"], 16, "ab", "", ["abcd", "ab"]),
        (["cd"], ["cd"], 16, "cd", "", ["abcd", "ab", "a", "b", "cd"]),
        (["abcd", "b"], ["b"], 16, "b", "", ["abcd", "ab", "a", "b"]),
        (["abcd", "ab", "a"], [], 16, "", "a", ["abcd", "ab", "a", "b", "cd", "c", "d"]),
        (["a", "cd"], ["cd"], 16, "cd", "a", ["abcd", "ab", "a", "b", "cd"]),
        (["ab"], [], 2, "", "ab", ["abcd", "ab", "cd"]),
        (["ab"], [], 1, "", "", ["abcd"]),
    ],
)
def test_changes_that_cannot_be_made_together_are_halved(
    writable, same, attempts, applied, not_run, tried, monkeypatch
):
    fixing = Halving(writable, same, monkeypatch)
    changes = [SimpleNamespace(title=title) for title in "abcd"]
    found = fixing._taken(None, changes, None, [attempts])
    assert fixing.tried == tried
    assert "".join(fixing.fixed.applied) == applied
    assert "".join(fixing.fixed.not_run) == not_run
    assert (found is None) == (not applied)


def test_unsafe_changes_are_not_compared(monkeypatch):
    fixing = Halving(["ab"], [], monkeypatch, unsafe=True)
    fixing._taken(None, [SimpleNamespace(title=title) for title in "ab"], None, [16])
    assert fixing.fixed.applied == ["a", "b"]
