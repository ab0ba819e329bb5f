"""Weights that stand at the end of a file: read when a constant is run, compared through a whole pipeline."""

from __future__ import annotations

import numpy as np
import pytest
from bufferize.cli.main import main
from bufferize.cli.opt import main as opt

FLAGS = ["-one-shot-bufferize=bufferize-function-boundaries", "-buffer-deallocation-pipeline"]


def program(key: str, type: str, blob: str | None) -> str:
    section = f'{{-#\n  dialect_resources: {{\n    builtin: {{\n      {key}: "{blob}"\n    }}\n  }}\n#-}}\n'
    return (
        f"func.func @f() -> {type} {{\n  %w = arith.constant dense_resource<{key}> : {type}\n"
        f"  return %w : {type}\n}}\n{section if blob else ''}"
    )


def blob(data: bytes) -> str:
    return "0x04000000" + data.hex().upper()


@pytest.mark.parametrize(
    ("element", "data", "shown"),
    [
        ("f32", np.array([1.5, -2], "<f4").tobytes(), "[1.5, -2.0]"),
        ("i8", b"\x01\xff", "[1, -1]"),
        ("i1", b"\x01\x00", "[True, False]"),
        ("bf16", b"\x80\x3f\x00\xc0", "[1.0, -2.0]"),
        ("i4", b"\x01\x0f", "[1, -1]"),
    ],
)
def test_resources_are_read(tmp_path, capsys, element, data, shown):
    path = tmp_path / "w.mlir"
    path.write_text(program("w", f"tensor<2x{element}>", blob(data)))
    assert main(["run", str(path)]) == 0
    assert capsys.readouterr().out.lower().startswith(shown.lower())


WITH_WEIGHTS = """
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense_resource<weights> : tensor<2x2xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
"""
SECTION = '{{-#\n  dialect_resources: {{\n    builtin: {{\n      weights: "{}"\n    }}\n  }}\n#-}}\n'


def test_a_model_with_its_weights_is_compared_through_the_pipeline(tmp_path, capsys):
    path, after = tmp_path / "model.mlir", tmp_path / "after.mlir"
    path.write_text(WITH_WEIGHTS + SECTION.format(blob(np.arange(4, dtype="<f4").tobytes())))
    assert main(["verify", str(path), *FLAGS]) == 0
    assert capsys.readouterr().out == "main: same, tested on 4 inputs\n"
    assert opt([str(path), *FLAGS, "-o", str(after)]) == 0
    assert main(["verify", str(path), "--against", str(after)]) == 0
    after.write_text(after.read_text().replace("0000803F", "00008040"))
    assert main(["verify", str(path), "--against", str(after)]) == 1


def test_what_a_file_lacks_is_said_or_made_up(tmp_path, capsys):
    path = tmp_path / "model.mlir"
    path.write_text(WITH_WEIGHTS)
    assert main(["verify", str(path)]) == 2
    assert f"'{path}' lacks the contents of resource 'weights'" in capsys.readouterr().out
    assert main(["verify", str(path), "--random-resources", *FLAGS]) == 0
    assert main(["run", str(path), "--args", "random"]) == 2
    assert "--random-resources" in capsys.readouterr().err
    assert main(["run", str(path), "--args", "random", "--random-resources"]) == 0
    assert main(["explain", str(path), "--measure", "--random-resources"]) == 0
    assert "lacks the contents" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "named"),
    [("0x0400000000", "resource 'w'"), ("0x04000000zz", "blob for key 'w'"), ("0x04", "blob for key 'w'")],
)
def test_a_broken_blob_is_an_error_with_its_name(tmp_path, capsys, text, named):
    path = tmp_path / "w.mlir"
    path.write_text(program("w", "tensor<2xf32>", text))
    assert main(["run", str(path)]) == 2
    assert named in capsys.readouterr().err
