"""The commands that count copies count what they are given."""

import pytest
from bufferize.benchmarks import claims, fewest_copies

CELL = """
func.func @cell(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
"""
TWO = """
func.func @two(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %v = tensor.insert %f into %t[%i] : tensor<8xf32>
  %b = tensor.extract_slice %v[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  return %a, %b, %x : tensor<4xf32>, tensor<4xf32>, f32
}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cell.mlir").write_text(CELL)
    (tmp_path / "two.mlir").write_text(TWO)
    (tmp_path / "wrong.mlir").write_text("no program")
    return str(tmp_path)


def test_verdicts_are_counted(folder, capsys):
    assert fewest_copies.verdicts([folder, "--list"]) == 0
    said = capsys.readouterr().out
    assert "| read-after-write | 0 | 0 | 1 | 1 |" in said
    assert "1 read-after-write: whether the read and the written parts overlap depends" in said
    assert "programs: 2 bufferized, 1 not read" in said


def test_what_is_saved_is_measured(folder, capsys):
    assert fewest_copies.main([folder]) == 0
    said = capsys.readouterr().out
    assert "| cell | 1 | 16 | 0 | 0 | 0 |" in said
    assert "32 bytes, now 16" in said


def test_no_order_is_better(folder, capsys, monkeypatch):
    assert claims.never_worse([folder, "--seeds", "3"]) == 0
    assert "2 programs, 1 of which every order decides alike" in capsys.readouterr().out
    monkeypatch.setattr(claims, "planned_weight", lambda result: -len(result.options.analysis_heuristic))
    assert claims.never_worse([folder, "--seeds", "3"]) == 1
