"""Plans of recorded programs run: the benchmark, what it says of programs that differ, and all of what was recorded."""

import os
from pathlib import Path

import pytest
from bufferize.benchmarks import memory_plans
from bufferize.benchmarks.memory_plans import NOT_FREED, UNPLANNED, run_planned, run_plans
from bufferize.transforms.memory_arena import functions

RECORDED = os.environ.get("BUFFERIZE_RECORDED")

TENSORS = """
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> f32 {
  %u = tensor.insert %x into %t[%i] : tensor<8xf32>
  %y = arith.negf %x : f32
  %v = tensor.insert %y into %t[%i] : tensor<8xf32>
  %w = linalg.add ins(%u, %v : tensor<8xf32>, tensor<8xf32>) outs(%v : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.extract %w[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  %s = arith.addf %r, %old : f32
  return %s : f32
}
"""


def test_a_program_is_bufferized_freed_planned_and_run():
    found = run_planned("f", TENSORS)
    assert found.planned == 2 and not found.wrong and found.statuses["same"] == 1
    assert run_planned("idle", "func.func @g() { return }").reason == UNPLANNED
    assert run_planned("wrong", "no program").reason == NOT_FREED


def test_buffers_that_overlap_are_noticed(tmp_path, capsys, monkeypatch):
    """With every offset 0."""
    (tmp_path / "f.mlir").write_text(TENSORS)
    assert run_plans([str(tmp_path)]) == 0
    right = functions.offsets
    monkeypatch.setattr(
        "bufferize.transforms.memory_arena.functions.offsets",
        lambda layout, arithmetic: [arithmetic.constant(0) for _ in right(layout, arithmetic)],
    )
    assert run_plans([str(tmp_path)]) == 1
    assert "1 do not" in capsys.readouterr().out
    assert run_plans([]) == run_plans([str(tmp_path / "nothing")]) == 2


@pytest.mark.long
@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of recorded inputs")
def test_recorded_programs_do_the_same_with_a_plan():
    found = [
        run_planned(*program)
        for program in memory_plans.programs_in(str(Path(RECORDED or "") / "conformance" / "inputs"))
    ]
    assert not [message for program in found for message in program.wrong]
    assert any(program.statuses["same"] for program in found)
