"""What IREE's compiler cannot lower becomes a call of an external function; what has no value is left out."""

from __future__ import annotations

import re
from pathlib import Path

import bufferize
import pytest
from bufferize.bridges import lowering, models
from bufferize.cli.main import main

CUSTOM = """\
func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0:2 = stablehlo.custom_call @factor(%x) {api_version = 4 : i32, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  %1:2 = stablehlo.custom_call @factor(%x) {api_version = 4 : i32, mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  %2:2 = stablehlo.custom_call @factor(%x) {api_version = 4 : i32, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  %3 = stablehlo.add %0#0, %1#0 : tensor<4x4xf32>
  return %3, %2#0 : tensor<4x4xf32>, tensor<4x4xf32>
}
"""


@pytest.fixture
def iree() -> None:
    pytest.importorskip("iree.compiler.ir", reason="IREE's compiler is not installed")


def written(folder: Path, text: str) -> str:
    file = folder / "model.py"
    file.write_text(text)
    return str(file)


@pytest.mark.usefixtures("iree")
def test_custom_calls_that_differ_in_attributes_call_different_functions():
    text = str(bufferize.read(CUSTOM))
    assert re.findall(r"call @(\w+)\(%arg0\)", text) == ["factor", "factor_2", "factor"]
    assert 'func.func private @factor(tensor<4x4xf32> {bufferization.access = "read"})' in text
    assert "linalg.generic" in text, "other operations are lowered"


@pytest.mark.usefixtures("iree")
def test_a_file_with_custom_calls_keeps_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.mlir"
    path.write_text(CUSTOM)
    assert main(["explain", str(path)]) == 0
    assert f"{path}:5:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("stderr", "operation", "words"),
    [
        (
            "m.py:7:0: error: failed to legalize operation 'torch.operator' that was explicitly marked illegal: "
            '%1 = "torch.operator"(%arg0) <{name = "torch.aten.median"}> : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[],f32>\n',
            "torch.aten.median",
            r"cannot lower 'torch.aten.median' to linalg \(m.py:7\): compute it with other operations, or",
        ),
        (
            "m.mlir:3:8: error: failed to legalize operation 'stablehlo.custom_call' that was explicitly marked illegal\n",
            "stablehlo.custom_call",
            r"cannot lower 'stablehlo.custom_call' to linalg \(m.mlir:3\)",
        ),
        ("error: out of luck\nmore\n", "", "cannot lower model: out of luck: compute it"),
        ("Stack dump:\n0. Program", "", "cannot lower model: Stack dump:: compute it"),
    ],
)
def test_the_errors_of_iree_name_the_operation_its_line_and_the_way_out(
    stderr: str, operation: str, words: str
):
    found = lowering._rejection(stderr, "model")
    assert found.operation == operation
    assert re.search(words, str(found))


JAX = """\
import jax
import jax.numpy as jnp


def factor(a):
    return jnp.linalg.cholesky(a)


factor_example = jax.ShapeDtypeStruct((4, 4), "float32")


def rematerialized(w, x):
    f = jax.checkpoint(lambda w, x: jnp.tanh(x @ w))
    return jax.grad(lambda w: f(w, f(w, x)).sum())(w)


rematerialized_example = jax.ShapeDtypeStruct((8, 8), "float32"), jax.ShapeDtypeStruct((4, 8), "float32")


def nothing():
    return jnp.arange(8) * 2


def called_back(x):
    return jax.pure_callback(lambda y: y, x, x) + 1


called_back_example = jax.ShapeDtypeStruct((4,), "float32")


def choice(x):
    return x if x.sum() > 0 else x * 2


choice_example = called_back_example


def step(x):
    y = x * 2

    return y, x


renamed = jax.jit(step)
renamed_example = jax.ShapeDtypeStruct((4,), "float32")
"""


@pytest.fixture
def jax_model(tmp_path: Path, iree: None) -> str:
    pytest.importorskip("jax", reason="JAX is not installed")
    return written(tmp_path, JAX)


@pytest.mark.parametrize("name", ["factor", "rematerialized", "nothing", "called_back"])
def test_jax_functions_are_explained(jax_model: str, name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["explain", f"{jax_model}:{name}"]) == 0
    assert re.search(rf"{jax_model}:\d+:\d+", capsys.readouterr().out)


def test_the_errors_of_jax_are_one_line(jax_model: str):
    with pytest.raises(bufferize.BufferizeError, match=r"JAX cannot trace .*boolean conversion") as failure:
        models.model_source(f"{jax_model}:choice")
    assert "\n" not in failure.value.diagnostic.message


def test_text_that_cannot_be_lowered_is_refused(iree: None):
    with pytest.raises(
        bufferize.BufferizeError, match="or pass a file in linalg that another compiler lowered"
    ):
        bufferize.read("func.func @f() {\n  stablehlo.no_such_operation()\n  return\n}\n")


def test_the_barriers_of_rematerialization_are_not_part_of_the_program(jax_model: str):
    assert "barrier" not in models.model_source(f"{jax_model}:rematerialized").text


def test_the_return_of_a_function_is_found_under_other_names(jax_model: str):
    source = models.model_source(f"{jax_model}:renamed")
    line = next(index for index, line in enumerate(JAX.splitlines(), 1) if line == "    return y, x")
    assert any(
        str(place).startswith(f"{jax_model}:{line}:") for place in map(_place, source.locations.values())
    )


def _place(location: object) -> str:
    return getattr(location, "place", None) or ""


TORCH = """\
import torch
from torch import zeros


def middle(x, y):
    return torch.median(x), torch.median(y, 0)[0], torch.median(y, 1)[0]


middle_example = zeros(4, 8), zeros(4, 4)


def solved(a, b):
    return torch.linalg.solve(a, b)


solved_example = zeros(4, 4), zeros(4, 2)


def size(z):
    return z.abs()


size_example = zeros(4, dtype=torch.complex64)


def halves(a):
    return a // 3


halves_example = zeros(4, dtype=torch.int8)


def changed(x):
    x.add_(1)


changed_example = zeros(4)


def constants(x, scale=2.0, *, shift=None):
    return x * scale, 3, None


constants_example = zeros(4)


class Step(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("fixed", torch.ones(4))
        self.register_buffer("w", zeros(8, 4))
        self.last = torch.nn.Linear(4, 4)

    def forward(self, batch):
        w = self.w.detach().requires_grad_(True)
        loss = torch.nn.functional.cross_entropy(self.last(batch["x"] @ w) + self.fixed, batch["y"])
        (g,) = torch.autograd.grad(loss, w)
        self.w.sub_(g)
        return {"loss": loss}


step = Step()
step_example = ({"x": zeros(2, 8), "y": zeros(2, dtype=torch.int64)},)


def choice(x):
    return x if x.sum() > 0 else x * 2


choice_example = zeros(3)
"""


@pytest.fixture
def torch_model(tmp_path: Path, iree: None) -> str:
    pytest.importorskip("torch", reason="torch is not installed")
    return written(tmp_path, TORCH)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "middle",
            ["call @aten.median(%arg0)", "call @aten.median.dim(%arg1)", "call @aten.median.dim_2(%arg1)"],
        ),
        ("solved", ["call @aten._linalg_solve_ex(%arg0, %arg1)", "call @aten._linalg_check_errors("]),
        ("size", ["(%arg0: tensor<4xcomplex<f32>>) -> tensor<4xf32>", "call @aten.abs(%arg0)"]),
        ("halves", ["arith.extsi %in : i8 to i32", "-> tensor<4xi8> {"]),
        ("changed", ["(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32>"]),
        ("constants", ["(%arg0: tensor<4xf32>) -> tensor<4xf32>"]),
    ],
)
def test_torch_functions_are_lowered(torch_model: str, name: str, words: list[str]):
    text = models.model_source(f"{torch_model}:{name}").text
    assert not [word for word in words if word not in text], text


def test_a_training_step_is_traced_with_its_lines_and_overwrites_its_buffer(torch_model: str):
    source = models.model_source(f"{torch_model}:step")
    assert (
        "@main(%arg0: tensor<8x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x8xf32>, "
        "%arg2: tensor<2xi64>) -> (tensor<8x4xf32>, tensor<f32>)"
    ) in source.text
    assert "torch.aten" not in source.text
    lines = {
        _place(location).rpartition("model.py")[2].split(":")[1] for location in source.locations.values()
    }
    gradient = next(index for index, line in enumerate(TORCH.splitlines(), 1) if "autograd.grad" in line)
    assert str(gradient) in lines, "operations of the gradient have the line of `grad`"


def test_a_branch_on_values_is_refused_with_what_torch_exports(torch_model: str):
    with pytest.raises(
        bufferize.BufferizeError, match=r"torch cannot export .*; torch\.cond and torch\.where"
    ):
        models.model_source(f"{torch_model}:choice")
