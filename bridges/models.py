"""From Python models to linalg on tensors: JAX functions and torch modules, through IREE's compiler.

    bufferize explain model.py:attention --example 16x8xf32,16x8xf32,16x8xf32

The file is executed, like a Python import. The name may denote a function that JAX can trace, one under `jax.jit`, the
result of `jax.jit(f).lower(...)`, a `torch.nn.Module`, a class of modules that needs no arguments, a function on torch
tensors, or the result of `torch.export.export`. Arguments are given as shapes, or in the file as `NAME_example` or
`example`: a tuple of arrays, or of objects with a shape and a dtype.

StableHLO is lowered by IREE's input pipeline; torch by the pipelines of torch-mlir, which IREE's compiler contains, or
by torch-mlir itself where it is installed.

The program is represented as MLIR text; each operation keeps its line of Python (`Source.locations`), and the
text of that file is kept (`Source.originals`), so that findings can show both.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import operator
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from ..analysis.naming import operand_span
from ..dialects import func, iree_linalg_ext as iree
from ..dialects.function_like import DONATED
from ..ir.program.core import Operation
from ..ir.source.diagnostics import InputError, error, present
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from ..ir.text.printer import print_module
from ..ir.types import attributes as a, types as t
from ..ir.types.locations import CallSiteLoc, FileLineColLoc, FusedLoc, Location, NameLoc
from ..ir.verifier import verify

_MODEL: Final = re.compile(r"(.+\.py)(?::([A-Za-z_]\w*))?")
_ARGUMENTS: Final = re.compile(r"(?:[^,\[]|\[[^\]]*\])+")
_SHAPE: Final = re.compile(r"(?:((?:\d+x)*\d+)x)?([a-z]+\d*)|([a-z]+\d*)\[([\d, ]*)\]")
_TYPES: Final = {
    "f": "float", "bf": "bfloat", "i": "int", "si": "int", "s": "int", "ui": "uint", "u": "uint", "c": "complex",
    **{name: name for name in ("float", "bfloat", "int", "uint", "complex", "bool")},
}  # fmt: skip
"""The types of NumPy by their names in MLIR, XLA and NumPy, without the number of bits."""
_STABLEHLO: Final = re.compile(r"""[ "]stablehlo\.\w+"?[( ]""")
JAX: Final = "pip install 'bufferize[jax]'"
TORCH: Final = "pip install 'bufferize[torch]'"

Foreign: TypeAlias = Any
"""An object of JAX or torch, whose classes are not imported."""


def is_stablehlo(text: str) -> bool:
    """Whether a text contains StableHLO operations."""
    return "stablehlo." in text and _STABLEHLO.search(text) is not None


def stablehlo_source(source: Source) -> Source:
    """Lower a StableHLO file to linalg; operations keep their lines in that file, or their explicit locations.

    Raises:
        InputError: IREE's compiler is missing or rejects it.
    """
    is_file = os.path.isfile(source.name)
    found = _as_source(_from_stablehlo(source.text, source.name, is_file), f"{source.name}:linalg")
    if is_file:
        found.originals[source.name] = found.originals[os.path.abspath(source.name)] = source
    return found


def is_model(path: str) -> bool:
    """Whether `path` denotes a Python file, optionally with a name: `model.py:function`."""
    return _MODEL.fullmatch(path) is not None


def model_source(path: str, example: str = "") -> Source:
    """The program of a model, as text; locations of its operations refer to the Python file.

    Args:
        path: `FILE.py:NAME`.
        example: shapes of the arguments, `16x8xf32,f32`; by default taken from the file.

    Raises:
        InputError: there is no such model, a package is missing, or the model cannot be lowered.
    """
    match = present(_MODEL.fullmatch(path))
    file, name = match.groups()
    members = _run_file(file)
    if name is None:
        names = [n for n, value in members.items() if _is_model_value(value, members)]
        raise _refused(f"'{file}' is a Python file: name the model in it, {file}:NAME{_one_of(names)}")
    if name not in members:
        names = [n for n, value in members.items() if _is_model_value(value, members)]
        raise _refused(f"'{file}' has no '{name}'{_one_of(names)}")
    value = members[name]
    module = _lowered(value, _arguments(value, name, members, example, file), path)
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    _locate_return(module, file, name, text)
    source = _as_source(module, path)
    source.originals[file] = source.originals[os.path.abspath(file)] = Source(file, text)
    return source


def linalg_of_torch(program: Foreign, name: str) -> Operation:
    """Lower the result of `torch.export.export` to linalg.

    Raises:
        InputError: a package is missing, or the program cannot be lowered.
    """
    return _parsed(_as_source(_from_torch(program, (), name), name))


def linalg_of_stablehlo(module: Foreign, name: str) -> Operation:
    """Lower a StableHLO module of any MLIR bindings to linalg.

    Raises:
        InputError: IREE's compiler is missing or rejects it.
    """
    return _parsed(_as_source(_from_stablehlo(_text(module), name), name))


# -- the file


def _refused(message: str) -> InputError:
    return InputError(error(message, code="model"))


def _one_of(names: Sequence[str]) -> str:
    return f"; it has {', '.join(names)}" if names else ""


def _run_file(file: str) -> dict[str, object]:
    """Run a Python file and return its namespace."""
    if not os.path.isfile(file):
        raise _refused(f"cannot open input file '{file}': No such file or directory")
    spec = importlib.util.spec_from_file_location(os.path.basename(file).removesuffix(".py"), file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as failure:
        wanted = {"jax": JAX, "torch": TORCH}.get((failure.name or "").partition(".")[0])
        raise _refused(
            f"'{file}' needs {failure.name}, which is not installed"
            + (f": {wanted}" if wanted else f": pip install {failure.name}")
        ) from None
    except (Exception, SystemExit) as failure:
        raise _refused(f"'{file}' cannot be run: {type(failure).__name__}: {failure}") from failure
    finally:
        sys.path.pop(0)
    return vars(module)


def _is_model_value(value: object, members: dict[str, object]) -> bool:
    if _is_lowered(value) or _is_torch(value):
        return True
    return callable(value) and getattr(value, "__module__", None) == members["__name__"]


def _is_lowered(value: object) -> bool:
    return hasattr(value, "compiler_ir") and hasattr(value, "as_text")


def _is_torch(value: object) -> bool:
    """Whether it is a torch module, a class of modules, an exported program, or a function of a file on torch tensors."""
    classes = value.__mro__ if isinstance(value, type) else type(value).__mro__
    if any(cls.__module__.startswith("torch.nn") for cls in classes) or is_exported(value):
        return True
    names = getattr(value, "__globals__", {})
    return any(_is_module_of("torch", of) for of in names.values()) and not any(
        _is_module_of("jax", of) for of in names.values()
    )


def is_exported(value: object) -> bool:
    """Whether it is the result of `torch.export.export`."""
    return hasattr(value, "graph_signature") and hasattr(value, "run_decompositions")


def _is_module_of(package: str, value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] == package


def _arguments(
    value: object, name: str, members: dict[str, object], example: str, file: str
) -> Sequence[object]:
    if _is_lowered(value) or is_exported(value):
        return ()
    if example:
        return [_argument(part.strip(), _is_torch(value)) for part in _ARGUMENTS.findall(example)]
    for known in (f"{name}_example", "example"):
        if known in members:
            given = members[known]
            return given if isinstance(given, (tuple, list)) else (given,)
    raise _refused(
        f"{file}:{name} needs argument types: --example with one per argument (16x8xf32,f32), or '{name}_example' in the file"
    )


def shaped(text: str) -> tuple[tuple[int, ...], str]:
    """Sizes and NumPy type of `16x8xf32`, `f32[16,8]` or `float32[16,8]`.

    Raises:
        InputError: it is none of these.
    """
    match = _SHAPE.fullmatch(text)
    name = (match.group(2) or match.group(3)) if match is not None else ""
    letters = name.rstrip("0123456789")
    if match is None or letters not in _TYPES or (letters == name) is not (letters == "bool"):
        raise _refused(f"'{text}' is not a shaped type such as 16x8xf32, float32[16,8] or f32")
    shape = tuple(map(int, re.findall(r"\d+", match.group(1) or match.group(4) or "")))
    kind = _TYPES[letters] + name[len(letters) :]
    return shape, "bool" if kind == "int1" else kind


def _argument(text: str, for_torch: bool) -> object:
    shape, kind = shaped(text)
    if for_torch:
        torch = _package("torch", "a torch module needs torch", TORCH)
        return torch.zeros(shape, dtype=getattr(torch, kind))
    return _jax().ShapeDtypeStruct(shape, kind)


def _package(name: str, why: str, how: str) -> ModuleType:
    """Import a module of another project.

    Raises:
        InputError: it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise _refused(f"{why}, which is not installed: {how}") from None


def _jax() -> ModuleType:
    return _package("jax", "a JAX function needs JAX", JAX)


# -- lowering


def _lowered(value: Foreign, arguments: Sequence[object], path: str) -> Operation:
    if _is_torch(value):
        return _from_torch(value, arguments, path)
    if not _is_lowered(value):
        jax = _jax()
        try:
            value = (value if hasattr(value, "lower") else jax.jit(value)).lower(*arguments)
        except Exception as failure:
            raise _refused(f"JAX cannot trace {path}: {failure}") from failure
    return _from_stablehlo(_text(value.compiler_ir("stablehlo")), path)


def _text(module: Foreign) -> str:
    return module.operation.get_asm(enable_debug_info=True)


def _from_stablehlo(text: str, path: str, is_file: bool = False) -> Operation:
    """Lower StableHLO to linalg on tensors, by IREE's input pipeline.

    Args:
        is_file: whether the text is the contents of the file `path`, which locations then name.
    """
    _package(
        "iree.compiler.tools.binaries",
        f"'{path}' is in StableHLO, which is lowered to linalg by IREE's compiler",
        JAX,
    )
    flags = ["--compile-to=input", "--iree-input-type=stablehlo", path if is_file else "-"]
    return _plain_functions(_read_lowered(_run_tool("iree-compile", flags, text, path), path))


def _from_torch(value: Foreign, arguments: Sequence[object], path: str) -> Operation:
    """Export a torch module, and lower it to linalg on tensors.

    Parameters are constants. Buffers that the module changes are arguments, and their new contents results.
    """
    torch = _package("torch", "a torch module needs torch", TORCH)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # torch's, about itself
            if not is_exported(value):
                value = torch.export.export(_torch_module(value, path), tuple(arguments))
            program = value.run_decompositions(_decompositions(torch))
    except InputError:
        raise
    except Exception as failure:
        raise _refused(f"torch cannot export {path}: {_first_line(failure)}") from failure
    overwritten = _overwritten_arguments(torch, program.graph_signature)
    try:
        if importlib.util.find_spec("torch_mlir") is not None:
            fx = importlib.import_module("torch_mlir.fx")
            module = fx.export_and_import(program, output_type="linalg-on-tensors", decomposition_table={})
            return _donating(_read_lowered(_text(module), path), overwritten)
        why = f"'{path}' is a torch module, which is lowered to linalg by IREE's compiler"
        ir = _package("iree.compiler.ir", why, TORCH)
        fx_importer = _package("iree.compiler.extras.fx_importer", why, TORCH)
        importer = fx_importer.FxImporter(
            context=ir.Context(), graph_node_importer_cls=_importing_branches(fx_importer, ir)
        )
        importer.import_frozen_program(program)
    except InputError:
        raise
    except Exception as failure:
        raise _refused(f"{path} cannot be lowered to linalg: {_first_line(failure)}") from failure
    text = _run_tool("iree-opt", [_TORCH_TO_LINALG], _text(importer.module), path)
    return _donating(_read_lowered(text, path), overwritten)


def _importing_branches(fx_importer: Foreign, ir: Foreign) -> type:
    """An importer of graphs that also imports `torch.cond`, as a `torch.prim.If` that calls the branches."""

    def import_cond(self: Foreign, loc: Foreign, node: Foreign, hop: Foreign) -> None:
        wanted, *branches, given = node.args
        types = [self._cc.value_info_to_type(value) for value in node.meta["val"]]
        operands = [self._import_argument(loc, value) for value in given]
        is_true = ir.Operation.create(
            "torch.aten.Bool.Tensor",
            [self._cc.torch_bool_type],
            [self._import_argument(loc, wanted)],
            loc=loc,
        )
        made = ir.Operation.create("torch.prim.If", types, [is_true.result], regions=2, loc=loc)
        for region, branch in zip(made.regions, branches, strict=True):
            module = getattr(node.graph.owning_module, branch.target)
            callee = ir.FlatSymbolRefAttr.get(self.fx_importer._graph_module_to_func_name[id(module)])
            with loc, ir.InsertionPoint(ir.Block.create_at_start(region, [])):
                call = ir.Operation.create("func.call", types, operands, {"callee": callee}, loc=loc)
                ir.Operation.create("torch.prim.If.yield", [], list(call.results), loc=loc)
        self._multi_result_nodes.add(node)
        for index, value in enumerate(made.results):
            self.bind_node_value(node, value, index)

    return type("ImporterWithBranches", (fx_importer.GraphNodeImporter,), {"_import_hop_cond": import_cond})


def _overwritten_arguments(torch: Foreign, signature: Foreign) -> dict[int, int]:
    """The arguments that a program overwrites, each with the result that is its new contents; its buffers become arguments."""
    kinds = torch.export.graph_signature
    results: dict[str, int] = {}
    for index, made in enumerate(signature.output_specs):
        if made.kind in (kinds.OutputKind.BUFFER_MUTATION, kinds.OutputKind.USER_INPUT_MUTATION):
            results[made.target] = index
    found: dict[int, int] = {}
    position = 0
    for taken in signature.input_specs:
        name = taken.target if taken.kind is kinds.InputKind.BUFFER else taken.arg.name
        if taken.kind is kinds.InputKind.USER_INPUT or name in results:
            if name in results:
                found[position] = results[name]
            taken.kind, taken.target = kinds.InputKind.USER_INPUT, None
            position += 1
    return found


def _donating(module: Operation, overwritten: dict[int, int]) -> Operation:
    """Mark arguments of the only function of a lowered torch module as donated for results."""
    for function in module.walk():
        if isinstance(function, func.FuncOp):
            for argument, result in overwritten.items():
                function.set_arg_attr(argument, DONATED, a.IntegerAttr(result, t.I32))
    return module


_TORCH_TO_LINALG: Final = (
    "--pass-pipeline=builtin.module(func.func(torch-match-quantized-custom-ops),"
    "torchdynamo-export-to-torch-backend-pipeline,torch-backend-to-linalg-on-tensors-backend-pipeline)"
)


def _torch_module(value: Foreign, path: str) -> Foreign:
    """A module that `torch.export` accepts: a class is instantiated for inference, a function is wrapped."""
    torch = importlib.import_module("torch")
    if isinstance(value, torch.nn.Module):
        return value
    if isinstance(value, type):
        try:
            return value().eval()
        except TypeError as failure:
            raise _refused(
                f"{path} is a class that needs arguments; name an instance of it: {failure}"
            ) from None

    # torch records the lines of functions called `forward` only
    code = value.__code__.replace(co_name="forward")
    forward = FunctionType(code, value.__globals__, "forward", value.__defaults__, value.__closure__)
    return type("Function", (torch.nn.Module,), {"forward": staticmethod(forward)})()


_LOWERED_WHOLE: Final = (
    "stft", "istft", "fft_fft", "fft_fft2", "fft_fftn", "fft_ifft", "fft_ifft2", "fft_ifftn", "fft_rfft", "fft_rfft2",
    "fft_rfftn", "fft_irfft", "fft_irfft2", "fft_irfftn", "fft_hfft", "fft_hfft2", "fft_hfftn", "fft_ihfft",
    "fft_ihfft2", "fft_ihfftn", "fft_fftshift", "fft_ifftshift", "norm", "linalg_norm", "linalg_vector_norm",
    "linalg_slogdet", "roll", "one_hot", "empty_like", "rms_norm", "all", "isfinite", "logaddexp", "logaddexp2", "eye",
    "isclose",
)  # fmt: skip
_DECOMPOSED: Final = (
    "native_group_norm", "upsample_bilinear2d.vec", "native_layer_norm", "addmm", "_native_batch_norm_legit_functional",
    "_native_batch_norm_legit_no_training", "_native_batch_norm_legit", "_native_batch_norm_legit.no_stats",
    "squeeze.dims", "_euclidean_dist", "grid_sampler_2d", "_adaptive_avg_pool2d", "full", "logsumexp", "_log_softmax",
    "_to_copy", "diag", "_scaled_dot_product_flash_attention_for_cpu", "scaled_dot_product_attention",
)  # fmt: skip
"""Operations of torch that torch-mlir lowers as they are, and those beyond torch's core that it needs decomposed."""


def _decompositions(torch: Foreign) -> dict[object, object]:
    """The core operations of torch, except for those that torch-mlir lowers whole.

    Follows `torch_mlir.extras.fx_decomp_util`, which IREE's compiler does not contain.
    """
    decompose, aten = importlib.import_module("torch._decomp"), torch.ops.aten
    kept = {getattr(aten, name) for name in _LOWERED_WHOLE if hasattr(aten, name)}
    table = {
        op: made
        for op, made in decompose.core_aten_decompositions().items()
        if op._overloadpacket not in kept
    }
    extra = [operator.attrgetter(name)(aten) for name in _DECOMPOSED if hasattr(aten, name.partition(".")[0])]
    return {**table, **decompose.get_decompositions(extra)}


def _first_line(failure: Exception) -> str:
    lines = [line.strip() for line in str(failure).splitlines() if line.strip()] or [type(failure).__name__]
    return " ".join(lines[: 2 if lines[0].endswith(":") else 1])


def _run_tool(tool: str, flags: Sequence[str], text: str, path: str) -> str:
    """The output of one of the tools of IREE's compiler; `text` is its standard input.

    Raises:
        InputError: it fails.
    """
    binaries = importlib.import_module("iree.compiler.tools.binaries")
    command = [binaries.find_tool(tool), *flags, "--mlir-print-debuginfo", "-o", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if run.returncode:
        first = next((line for line in run.stderr.splitlines() if "error:" in line), run.stderr.strip())
        raise _refused(f"IREE's compiler cannot lower {path}: {first}")
    return run.stdout


def _read_lowered(text: str, path: str) -> Operation:
    return parse_source(Source(path, text), allow_unregistered=True)


def _plain_functions(module: Operation) -> Operation:
    """Replace IREE's functions, calls and returns by those of `func`."""
    kinds: dict[type[Operation], type[Operation]] = {
        iree.FuncOp: func.FuncOp,
        iree.CallOp: func.CallOp,
        iree.ReturnOp: func.ReturnOp,
    }
    for op in list(module.walk_post_order()):
        kind = kinds.get(type(op))
        if kind is None:
            continue
        made = kind(op.operands, op.result_types, op.attributes, op.properties, op.regions, (), op.where)
        made.location = op.location
        op.regions = []
        assert op.block is not None
        op.block.insert_before(made, op)
        op.replace_with(made.results)
    return module


# -- text with locations


def _parsed(source: Source) -> Operation:
    module = parse_source(source, allow_unregistered=True)
    verify(module)
    return module


def _as_source(module: Operation, name: str) -> Source:
    """The text of a program, with locations stored in the source instead of the text."""
    source = Source(name, print_module(module))
    file = os.path.abspath(name.partition(":")[0])
    again = parse_source(Source(name, source.text), allow_unregistered=True)
    for before, after in zip(module.walk(), again.walk(), strict=True):
        location = _own_line(before.location, file) or before.location
        place = location.place if isinstance(location, Location) else None
        if place and not place.startswith(f"{__file__}:") and after.where is not None:
            source.locations[after.where[1]] = source.locations[after.where[2]] = location
            for use in after.op_operands:
                span = operand_span(use)
                if span is not None:
                    source.locations[span.start] = location
    return source


def _locate_return(module: Operation, file: str, name: str, text: str) -> None:
    """Give the program's last return, to which JAX gives no location, that of the last `return` of the function in Python."""
    lines = [
        inner.lineno
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef) and function.name == name
        for inner in function.body
        if isinstance(inner, ast.Return)
    ]
    for op in module.walk():
        if lines and isinstance(op, func.ReturnOp) and _own_line(op.location, os.path.abspath(file)) is None:
            op.location = FileLineColLoc(file, lines[-1], 1)


def _own_line(location: object, file: str) -> Location | None:
    """The innermost call site of a location that is in `file`; libraries are called from there."""
    pending: list[object] = [location]
    while pending:
        match pending.pop():
            case FileLineColLoc() as place if os.path.abspath(place.file) == file:
                return place
            case CallSiteLoc() as call:
                pending += (call.caller, call.callee)
            case NameLoc() as named:
                pending.append(named.child)
            case FusedLoc() as fused:
                pending += reversed(fused.locations)
            case _:
                pass
    return None
