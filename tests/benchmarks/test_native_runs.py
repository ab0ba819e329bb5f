"""`bufferize bench --run`: programs are lowered and run, and what does not run is listed with the reason."""

import shutil
from pathlib import Path

import pytest
from bufferize import parse
from bufferize.analysis.cost_model import EstimatedCost
from bufferize.benchmarks.native_runs import (
    OURS,
    REFERENCE,
    REFERENCE_EMPTY,
    NotRunError,
    ProgramRun,
    WayRun,
    to_markdown,
    with_entry,
)
from bufferize.cli.main import main
from bufferize.ir.verifier import verify

CHAIN = """
func.func @chain(%x: tensor<8xf32>, %n: i32, %b: tensor<2x3xi8>) -> (tensor<8xf32>, tensor<2x3xi8>, i32) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b, %n : tensor<8xf32>, tensor<2x3xi8>, i32
}
"""
BUFFERS = """
func.func @on_buffers(%x: memref<8xf32>, %i: memref<index>, %c: i1) -> (memref<8xf32>, memref<4xi1>, f64) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<4xi1>
  %f = arith.constant 1.0 : f64
  return %a, %b, %f : memref<8xf32>, memref<4xi1>, f64
}
"""


def test_the_function_that_runs_a_program_is_valid():
    module = parse(with_entry(parse(BUFFERS), 3))
    verify(module)
    assert "constant 3 : index" in str(module)


@pytest.mark.parametrize("type", ["memref<?xf32>", "memref<*xf32>", "complex<f32>", "vector<4xf32>"])
def test_arguments_that_are_not_made_are_said(type):
    with pytest.raises(NotRunError, match="are not made"):
        with_entry(parse(f"func.func @f(%x: {type}) {{ return }}"), 1)


def test_the_table_says_what_is_slower_and_what_differs():
    def ran(name, seconds, sums=("1",)):
        ways = dict(zip((REFERENCE, REFERENCE_EMPTY, OURS, "and plan-memory"), seconds, strict=True))
        return ProgramRun(
            name,
            {way: WayRun(s, EstimatedCost(400, filled=1000, peak=1000), sums) for way, s in ways.items()},
        )

    other = ran("other", (1, 1, 2, 1))
    other.runs[OURS] = WayRun(2, EstimatedCost(), ("2",))
    said = to_markdown([ran("half", (4, 2, 1, 1)), other, ProgramRun("none", reason="no function")])
    assert (
        "| half | 4000.000 | 2000.000 | 1000.000 | 1000.000 | 2 -> 2 | 0 -> 0 | 1 -> 1 | 0 -> 0 | 1 -> 1 |"
        in said
    )
    assert "fewest-copies: 1.00 times as fast" in said
    assert "slower in 1: other" in said
    assert "Results differ in 1 of 2: other." in said
    assert "Not run: none, no function" in said


@pytest.mark.mlir
@pytest.mark.skipif(not shutil.which("mlir-runner-22"), reason="mlir-runner-22 is not installed")
def test_programs_are_run(tmp_path: Path, capsys):
    (tmp_path / "chain.mlir").write_text(CHAIN)
    (tmp_path / "open.mlir").write_text(CHAIN.replace("8xf32", "?xf32").replace("empty()", "empty(%d)"))
    assert main(["bench", "--run", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "| chain |" in said
    assert "Results differ in 0 of 1." in said
    assert "Not run: open" in said
