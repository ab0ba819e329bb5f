"""The proof of a conflict that only a loop makes shows the loop."""

from pathlib import Path

import pytest
from bufferize.cli.main import main

PROGRAM = """func.func @f(%t: tensor<8xf32>, %n: index, %s: index) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %s iter_args(%acc = %z) -> (f32) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    %w = tensor.insert %x into %t[%c0] : tensor<8xf32>
    %y = tensor.extract %w[%i] : tensor<8xf32>
    %q = arith.addf %y, %acc : f32
    scf.yield %q : f32
  }
  return %r : f32
}
"""


def test_the_read_comes_first_but_for_the_loop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")  # no line is broken
    (tmp_path / "in.mlir").write_text(PROGRAM)
    assert main(["explain", str(tmp_path / "in.mlir"), "--no-help", "--proof"]) in (0, 1)
    shown = [" ".join(line.strip(" │├└─╰").split()) for line in capsys.readouterr().out.splitlines()]
    at = shown.index("no unaffected(tensor.extract:5[0], tensor.insert:6[1])")
    assert shown[at + 1 : at + 4] == [
        "why not conflict.K1: conflict.O1 holds",
        "loop_reorders(tensor.extract:5[0], tensor.insert:6[1]) conflict.O1",
        "definition(tensor.extract:5[0], %t) computed",
    ]
    assert "repeated_since(tensor.extract:5[0], %t, scf.for:4) computed" in shown[at:]
