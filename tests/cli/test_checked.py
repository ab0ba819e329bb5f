"""`--checked`: what a pass makes is proved, bufferized again with copies, or refused with the question."""

import pytest
from bufferize.cli.opt import main

BOUNDARIES = "-one-shot-bufferize=bufferize-function-boundaries"
SWITCH = """
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 { scf.yield %t : tensor<4xf32> }
  default { scf.yield %t : tensor<4xf32> }
  %w = tensor.insert %v into %r[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
"""
DIAGONAL = """
func.func @f(%t: tensor<4x4xi32>, %x: tensor<4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4xi32>) outs(%t : tensor<4x4xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  } -> tensor<4x4xi32>
  return %r, %t : tensor<4x4xi32>, tensor<4x4xi32>
}
"""


@pytest.mark.parametrize(
    ("program", "flags", "code", "said"),
    [
        (SWITCH, [BOUNDARIES, "-canonicalize", "-cse"], 0, "of 3 steps is proved"),
        (SWITCH, [BOUNDARIES, "--compat=mlir-22"], 0, "@f with a copy before each write"),
        (
            DIAGONAL,
            [BOUNDARIES, "--compat=mlir-22"],
            1,
            "could not prove that -one-shot-bufferize",
        ),
        (
            DIAGONAL,
            [
                "--pass-pipeline=builtin.module(one-shot-bufferize{bufferize-function-boundaries},func.func(cse))"
            ],
            0,
            "is proved",
        ),
    ],
)
def test_each_pass_is_proved_or_refused(program, flags, code, said, tmp_path, capsys):
    file = tmp_path / "case.mlir"
    file.write_text(program)
    assert main([str(file), "--checked", *flags]) == code
    out, err = capsys.readouterr()
    assert said in err
    assert bool(out) == (code == 0)


def test_without_it_nothing_is_proved(tmp_path, capsys):
    file = tmp_path / "case.mlir"
    file.write_text(DIAGONAL)
    assert main([str(file), BOUNDARIES, "--compat=mlir-22"]) == 0
    assert "proved" not in capsys.readouterr().err
