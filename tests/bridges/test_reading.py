"""Programs come from text, files and the objects of other frameworks, and go back to what they were."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import bufferize
import pytest
from bufferize.analysis.naming import line_shown, lines_text
from bufferize.bridges import models
from bufferize.cli.main import main
from bufferize.cli.opt import main as opt_main
from bufferize.ir.source.locations import Source
from bufferize.ir.types.locations import FileLineColLoc
from bufferize.viz.html import findings

TEXT = """\
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
"""


class Bindings:
    """As much of the Python bindings of MLIR as anybody promises: `get_asm`, `context`, `parse`."""

    def __init__(self, text: str, context: object, custom: str | None = None):
        self.text, self.context, self.custom = text, context, custom
        self.operation = self

    def get_asm(self, print_generic_op_form: bool = False) -> str:
        return self.custom if self.custom is not None and not print_generic_op_form else self.text

    @classmethod
    def parse(cls, text: str, context: object) -> Bindings:
        return cls(text, context)


def test_text_and_paths_are_read(tmp_path: Path):
    path = tmp_path / "f.mlir"
    path.write_text(TEXT)
    wanted = str(bufferize.parse(TEXT))
    for program in (TEXT, path, str(path)):
        assert str(bufferize.read(program)) == wanted
    module = bufferize.read(TEXT)
    assert bufferize.read(module) is module
    with pytest.raises(bufferize.BufferizeError, match="cannot open input file"):
        bufferize.read(str(tmp_path / "g.mlir"))


def test_what_is_given_is_what_comes_back():
    context = object()
    result = bufferize.opt(Bindings(TEXT, context), ["one-shot-bufferize=bufferize-function-boundaries"])
    assert isinstance(result, Bindings) and result.context is context
    assert '"memref.copy"' in result.text
    module = bufferize.read(TEXT)
    assert "memref.copy" in str(bufferize.opt(module, ["one-shot-bufferize=bufferize-function-boundaries"]))
    assert "memref.copy" not in str(module), "what is given is not changed"


def test_a_form_that_is_not_known_is_read_in_generic_form():
    program = Bindings('"their.op"() : () -> ()', None, custom="their.op < odd >")
    assert '"their.op"()' in str(bufferize.read(program))


def test_everything_takes_everything():
    program = Bindings(TEXT, None)
    assert len(bufferize.explain(program).diagnostics) == len(bufferize.explain(TEXT).diagnostics) > 0
    assert len(list(bufferize.analyze(program).conflicts())) == len(list(bufferize.analyze(TEXT).conflicts()))


@pytest.mark.parametrize("program", [3, None, b"bytes", object(), [TEXT]])
def test_anything_else_is_a_type_error_that_says_what_is_read(program: Any):
    with pytest.raises(TypeError, match=r"bufferize reads text, a path, .* not builtins\."):
        bufferize.explain(program)


def test_a_function_is_a_type_error_that_says_how_to_lower_it():
    with pytest.raises(TypeError, match=r"pass 'jax\.jit\(f\)\.lower\(\.\.\.\)' or 'torch\.export"):
        bufferize.read(lambda x: x)


# -- models


def test_what_is_a_model():
    assert models.is_model("m.py") and models.is_model("a/b.py:f")
    assert not models.is_model("m.mlir") and not models.is_model("m.py:f:g")


@pytest.mark.parametrize(
    ("text", "path", "example", "words"),
    [
        ("def f(x): return x\n", "{}:g", "", "has no 'g'; it has f"),
        ("def f(x): return x\n", "{}", "", r"name the model in it, .*:NAME; it has f"),
        ("def f(x, y, z=1, *a): return x\n", "{}:f", "", r"needs argument types \(x, y\): --example"),
        ("def f(x): return x\ng = (1,)\n", "{}:g", "", "g is a tuple, not a function or a module; it has f"),
        ("def f(x): return x\n", "{}:f", "4xq7", "'4xq7' is not a shaped type"),
        ("import jax_of_the_future\n", "{}:f", "", "pip install jax_of_the_future"),
        ("1 / 0\n", "{}:f", "", "cannot be run: ZeroDivisionError"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, text: str, path: str, example: str, words: str):
    file = tmp_path / "m.py"
    file.write_text(text)
    with pytest.raises(bufferize.BufferizeError, match=words):
        models.model_source(path.format(file), example)


@pytest.mark.parametrize(
    ("text", "shape", "kind"),
    [
        ("16x8xf32", (16, 8), "float32"),
        ("float32[16,8]", (16, 8), "float32"),
        ("bf16[4]", (4,), "bfloat16"),
        ("f32", (), "float32"),
        ("i1", (), "bool"),
        ("bool[2, 3]", (2, 3), "bool"),
        ("ui8", (), "uint8"),
        ("c64[2]", (2,), "complex64"),
    ],
)
def test_shapes_are_written_as_in_mlir_xla_and_numpy(text: str, shape: tuple[int, ...], kind: str):
    assert models.shaped(text) == (shape, kind)


@pytest.mark.parametrize("text", ["", "f", "bool1", "16x", "q7", "f32[x]", "2xf32[2]"])
def test_other_text_is_no_shape(text: str):
    with pytest.raises(bufferize.BufferizeError, match="is not a shaped type"):
        models.shaped(text)


MODEL = """\
import jax.numpy as jnp


def step(cache, x, i):
    new = cache.at[i].set(x)
    return new, cache.sum()
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    pytest.importorskip("jax", reason="JAX is not installed")
    pytest.importorskip("iree.compiler", reason="IREE's compiler is not installed")
    file = tmp_path / "model.py"
    file.write_text(MODEL)
    return file


def test_the_command_of_a_plan_reads_the_model_again(model: Path, capsys: pytest.CaptureFixture[str]):
    main(["explain", f"{model}:step", "--example", "16x8xf32,8xf32,i32"])
    line = next(found for found in capsys.readouterr().out.splitlines() if "-> " in found)
    program, *words = shlex.split(line.partition(": ")[2])
    assert program == "bufferize-opt"
    assert opt_main(words) == 0
    copies, left = re.findall(r"(\d+) cop", line)[0], re.findall(r"-> (\d+)", line)[0]
    assert capsys.readouterr().out.count("memref.copy") == int(left) < int(copies)


@pytest.mark.parametrize(
    "types", [["--example", "16x8xf32,8xf32,i32"], ["--args", "float32[16,8]", "8xf32", "i32"]]
)
def test_findings_about_a_jax_function_point_at_its_lines(
    model: Path, types: list[str], capsys: pytest.CaptureFixture[str]
):
    main(["explain", f"{model}:step", *types])
    shown = capsys.readouterr().out
    assert f"{model}:5:" in shown and "new = cache.at[i].set(x)" in shown
    assert "iree_linalg_ext.scatter" in shown


def test_what_jax_lowers_is_read(model: Path):
    import jax  # pyright: ignore[reportMissingImports]
    import jax.numpy as jnp  # pyright: ignore[reportMissingImports]

    lowered = jax.jit(lambda x: jnp.exp(x) + 1).lower(jax.ShapeDtypeStruct((4,), "float32"))
    assert "math.exp" in str(bufferize.read(lowered))
    assert "math.exp" in str(bufferize.read(lowered.compiler_ir("stablehlo")))


STABLEHLO = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_stablehlo_without_the_compiler_names_the_command_that_installs_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "iree.compiler.tools.binaries", None)
    path = tmp_path / "model.mlir"
    path.write_text(STABLEHLO)
    assert main(["explain", str(path)]) == 2
    assert (
        "is lowered to linalg by IREE's compiler, which is not installed: pip install 'bufferize[jax]'"
        in (capsys.readouterr().err)
    )


def test_a_file_in_stablehlo_is_explained_with_its_lines(tmp_path, capsys):
    pytest.importorskip("iree.compiler", reason="IREE's compiler is not installed")
    path = tmp_path / "model.mlir"
    path.write_text(STABLEHLO)
    assert "math.exp" in str(bufferize.read(STABLEHLO))
    assert main(["explain", str(path)]) == 0
    assert "stablehlo.exponential %x" in capsys.readouterr().out


TORCH = """\
import torch
from torch import nn


class Cache(nn.Module):
    def __init__(self, rows=16):
        super().__init__()
        self.register_buffer("rows", torch.zeros(rows, 8))
        self.project = nn.Linear(8, 8)

    def forward(self, x, i):
        before = self.rows.sum(0)
        self.rows.index_copy_(0, i, self.project(x))
        return before


class Sized(nn.Module):
    def __init__(self, size):
        super().__init__()


def double(x):
    return x.mul_(2).sum()


example = torch.zeros(1, 8), torch.tensor([3])
double_example = torch.zeros(4)
cache = Cache().eval()
exported = torch.export.export(Cache(4).eval(), example)
"""


@pytest.fixture
def torch_model(tmp_path: Path) -> Path:
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("iree.compiler", reason="IREE's compiler is not installed")
    file = tmp_path / "model.py"
    file.write_text(TORCH)
    return file


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("cache", "%arg0: tensor<16x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1x8xf32>"),
        ("Cache", "%arg0: tensor<16x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1x8xf32>"),
        ("exported", "%arg0: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1x8xf32>"),
        ("double", "%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32>, tensor<f32>)"),
    ],
)
def test_what_a_torch_module_overwrites_is_a_donated_argument(torch_model: Path, name: str, signature: str):
    assert signature in models.model_source(f"{torch_model}:{name}").text


def test_a_torch_model_is_explained_at_its_lines(torch_model: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["explain", f"{torch_model}:cache"]) == 0
    shown = capsys.readouterr().out
    assert f"{torch_model}:13:9" in shown or f"{torch_model}:14:" in shown
    assert "of model.py" in shown
    page = torch_model.with_suffix(".html")
    for command in (["report", "-o", str(page)], ["compare"], ["memory"]):
        assert main([command[0], f"{torch_model}:cache", *command[1:]]) == 0
    assert "of model.py: <code>" in page.read_text()
    assert "of model.py, where these are live" in capsys.readouterr().out
    assert main(["fix", "--diff", f"{torch_model}:cache"]) == 1, "nothing to change"


def test_lines_are_those_of_the_file_that_a_text_was_generated_from():
    source = Source("model.py:step", "func.func @f()\n")
    source.originals["model.py"] = Source("model.py", "def step():\n    pass\n")
    source.locations[10] = FileLineColLoc("model.py", 2, 5)
    known, unknown = source.span(10, 12), source.span(0, 4)
    assert str(lines_text([known, unknown], 3)) == "line 2 of model.py and line 1"
    assert (line_shown(known), line_shown(unknown)) == (2, 1)
    assert findings._original(known) == '<p class="lead">line 2 of model.py: <code>pass</code></p>'


def test_a_class_that_needs_arguments_is_refused(torch_model: Path):
    with pytest.raises(
        bufferize.BufferizeError, match="Sized is a class that needs arguments; name an instance"
    ):
        models.model_source(f"{torch_model}:Sized", "4xf32")


def test_torch_without_the_compiler_names_the_command_that_installs_it(torch_model: Path, monkeypatch):
    monkeypatch.setitem(sys.modules, "iree.compiler.ir", None)
    monkeypatch.setitem(sys.modules, "torch_mlir", None)
    with pytest.raises(bufferize.BufferizeError, match=r"not installed: pip install 'bufferize\[torch\]'"):
        models.model_source(f"{torch_model}:cache")


def test_exported_programs_are_read(torch_model: Path):
    import torch  # pyright: ignore[reportMissingImports]

    exported = torch.export.export(torch.nn.Linear(3, 2), (torch.zeros(4, 3),))
    assert "linalg.matmul" in str(bufferize.read(exported))


def test_operations_of_the_bindings_come_back_as_such():
    ir = pytest.importorskip("iree.compiler.ir", reason="IREE's compiler is not installed")
    with ir.Context():
        module = ir.Module.parse(TEXT)
    for program in (module, module.body.operations[0]):
        result = bufferize.opt(program, "-one-shot-bufferize=bufferize-function-boundaries -canonicalize")
        assert type(result) is type(program) and "memref.copy" in str(result)


def test_what_jax_traces_and_exports_is_read():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    pytest.importorskip("iree.compiler", reason="IREE's compiler is not installed")
    function = jax.jit(lambda x: jax.numpy.exp(x))
    kind = jax.ShapeDtypeStruct((4,), "float32")
    for program in (function.trace(kind), jax.export.export(function)(kind)):
        assert "math.exp" in str(bufferize.read(program))
    module = function.lower(kind).compiler_ir()
    with pytest.raises(bufferize.BufferizeError, match=r"set 'context\.allow_unregistered_dialects'"):
        bufferize.opt(module, "-one-shot-bufferize")
    module.context.allow_unregistered_dialects = True
    assert type(bufferize.opt(module, "-one-shot-bufferize")) is type(module)
