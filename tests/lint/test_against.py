"""A program and the one it was made from: what is refuted, and what is left open."""

import pytest
from bufferize.cli.main import main

TENSORS = """\
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}
"""
COPIED = """\
func.func @f(%t: memref<4xf32>, %i: index, %v: f32) -> (memref<4xf32>, f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %t, %a : memref<4xf32> to memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = memref.load %t[%i] : memref<4xf32>
  return %a, %r : memref<4xf32>, f32
}
"""


@pytest.mark.parametrize(
    ("after", "code", "said"),
    [
        (COPIED, 0, "no findings"),
        (COPIED.replace("%v, %a", "%v, %t"), 1, "error[not-as-before]: in 'f', "),
        (COPIED.replace("func.func @f", "func.func @g"), 0, "remark[not-proved]: "),
    ],
)
def test_what_a_program_does_otherwise_than_the_one_it_was_made_from(capsys, tmp_path, after, code, said):
    before, file = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(TENSORS)
    file.write_text(after)
    assert main(["lint", str(file), "--before", str(before)]) == code
    assert capsys.readouterr().out.startswith(said)
    before.write_text(f"{TENSORS}// -----\n{TENSORS}")
    assert main(["lint", str(file), "--before", str(before), "--split-input-file"]) == 2
    assert "has 2 parts, but the number of programs is 1" in capsys.readouterr().err
