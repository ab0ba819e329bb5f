"""Plans that change the source first, and failures and questions that have an answer of their own."""

from __future__ import annotations

import pytest
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.benchmarks.pasted import counted_by_running
from bufferize.cli.main import main
from bufferize.explain.report import explain
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source

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
