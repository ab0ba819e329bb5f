"""The plan of a program: its command, run as it stands, makes the copies that were said; and no rewriting copies less than is called necessary."""

import pytest
from bufferize.benchmarks import adversary, pasted
from bufferize.cli.main import main

from .test_situations import SAID
from .test_verdicts import ROWS, program

PROGRAMS = {name: program(body) for name, (body, *_) in ROWS.items()} | {
    name: text for name, (text, *_) in SAID.items()
}
BOTH = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
"""
FUSED = """
func.func @f(%t: tensor<8x8xf32>, %u: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%t, %u : tensor<8x8xf32>, tensor<8x8xf32>) outs(%t : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "a program.mlir"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_command_that_is_pasted_does_what_it_says(name, file, capsys):
    assert pasted.main([file(PROGRAMS[name])]) == 0, capsys.readouterr().out


def test_a_command_that_does_something_else_is_noticed(file, monkeypatch, capsys):
    monkeypatch.setattr(pasted, "counted_by_running", lambda command: 7)
    assert pasted.main([file(BOTH)]) == 1
    assert "7 made" in capsys.readouterr().out


@pytest.mark.parametrize("text", [BOTH, FUSED])
def test_no_rewriting_copies_less_than_is_necessary(text, file, capsys):
    assert adversary.main([file(text), "--rewrites", "6"]) == 0
    assert "1 programs with necessary copies" in capsys.readouterr().out


def test_a_claim_that_falls_is_noticed(file, monkeypatch):
    claimed = adversary.claimed
    monkeypatch.setattr(adversary, "claimed", lambda path: (claimed(path)[0], 1 << 30))
    assert adversary.main([file(BOTH), "--rewrites", "6"]) == 1


def test_the_plan_comes_first_and_last(file, capsys):
    path = file(
        """
func.func @f(%x: tensor<8xf32>) -> tensor<10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.pad %y low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}
"""
    )
    assert main(["explain", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == lines[-1]
    assert lines[1].startswith(f"1 copy -> 0: bufferize-opt '{path}' -one-shot-bufferize=")
