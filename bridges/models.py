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
import inspect
import os
import re
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Final

from ..analysis.naming import operand_span
from ..dialects import func
from ..ir.program.core import Operation
from ..ir.source.diagnostics import present
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from ..ir.text.printer import print_module
from ..ir.types.locations import CallSiteLoc, FileLineColLoc, FusedLoc, Location, NameLoc
from ..ir.verifier import verify
from .from_torch import from_torch, is_exported
from .lowering import JAX, TORCH, Foreign, asm, from_stablehlo, package, refused

_MODEL: Final = re.compile(r"(.+\.py)(?::([A-Za-z_]\w*))?")
_ARGUMENTS: Final = re.compile(r"(?:[^,\[]|\[[^\]]*\])+")
_SHAPE: Final = re.compile(r"(?:((?:\d+x)*\d+)x)?([a-z]+\d*)|([a-z]+\d*)\[([\d, ]*)\]")
_TYPES: Final = {
    "f": "float", "bf": "bfloat", "i": "int", "si": "int", "s": "int", "ui": "uint", "u": "uint", "c": "complex",
    **{name: name for name in ("float", "bfloat", "int", "uint", "complex", "bool")},
}  # fmt: skip
"""The types of NumPy by their names in MLIR, XLA and NumPy, without the number of bits."""
_HERE: Final = os.path.dirname(__file__) + os.sep
_STABLEHLO: Final = re.compile(r"""[ "]stablehlo\.\w+"?[( ]""")


def is_stablehlo(text: str) -> bool:
    """Whether a text contains StableHLO operations."""
    return "stablehlo." in text and _STABLEHLO.search(text) is not None


def stablehlo_source(source: Source) -> Source:
    """Lower a StableHLO file to linalg; operations keep their lines in that file, or their explicit locations.

    Raises:
        InputError: IREE's compiler is missing or rejects it.
    """
    is_file = os.path.isfile(source.name)
    found = _as_source(from_stablehlo(source.text, source.name, is_file), f"{source.name}:linalg")
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
    names = [n for n, value in members.items() if _is_model_value(value, members)]
    if name is None:
        raise refused(f"'{file}' is a Python file: name the model in it, {file}:NAME{_one_of(names)}")
    if name not in members:
        raise refused(f"'{file}' has no '{name}'{_one_of(names)}")
    value = members[name]
    if not (callable(value) or _is_lowered(value) or _is_torch(value)):
        raise refused(f"{path} is a {type(value).__name__}, not a function or a module{_one_of(names)}")
    module = _lowered(value, _arguments(value, name, members, example, file), path)
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    _locate_return(module, file, value, text)
    source = _as_source(module, path)
    source.originals[file] = source.originals[os.path.abspath(file)] = Source(file, text)
    return source


def linalg_of_torch(program: Foreign, name: str) -> Operation:
    """Lower the result of `torch.export.export` to linalg.

    Raises:
        InputError: a package is missing, or the program cannot be lowered.
    """
    return _parsed(_as_source(from_torch(program, (), name), name))


def linalg_of_stablehlo(module: Foreign, name: str) -> Operation:
    """Lower a StableHLO module of any MLIR bindings to linalg.

    Raises:
        InputError: IREE's compiler is missing or rejects it.
    """
    return _parsed(_as_source(from_stablehlo(asm(module), name), name))


# -- the file


def _one_of(names: Sequence[str]) -> str:
    return f"; it has {', '.join(names)}" if names else ""


def _run_file(file: str) -> dict[str, object]:
    """Run a Python file and return its namespace."""
    if not os.path.isfile(file):
        raise refused(f"cannot open input file '{file}': No such file or directory")
    spec = importlib.util.spec_from_file_location(os.path.basename(file).removesuffix(".py"), file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as failure:
        wanted = {"jax": JAX, "torch": TORCH}.get((failure.name or "").partition(".")[0])
        raise refused(
            f"'{file}' needs {failure.name}, which is not installed"
            + (f": {wanted}" if wanted else f": pip install {failure.name}")
        ) from None
    except (Exception, SystemExit) as failure:
        raise refused(f"'{file}' cannot be run: {type(failure).__name__}: {failure}") from failure
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
    wanted = _parameters(value)
    if wanted == []:
        return ()
    listed = f" ({', '.join(wanted)})" if wanted else ""
    raise refused(
        f"{file}:{name} needs argument types{listed}: --example with one per argument (16x8xf32,f32), or '{name}_example' in the file"
    )


def _parameters(value: Foreign) -> list[str] | None:
    """The parameters that a call of a model must have; None if it does not say."""
    called = getattr(value, "forward", value)
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):
        return None
    if isinstance(value, type):
        parameters = parameters[1:]  # `forward` of a class has `self`
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in optional]


def shaped(text: str) -> tuple[tuple[int, ...], str]:
    """Sizes and NumPy type of `16x8xf32`, `f32[16,8]` or `float32[16,8]`.

    Raises:
        InputError: it is none of these.
    """
    match = _SHAPE.fullmatch(text)
    name = (match.group(2) or match.group(3)) if match is not None else ""
    letters = name.rstrip("0123456789")
    if match is None or letters not in _TYPES or (letters == name) is not (letters == "bool"):
        raise refused(f"'{text}' is not a shaped type such as 16x8xf32, float32[16,8] or f32")
    shape = tuple(map(int, re.findall(r"\d+", match.group(1) or match.group(4) or "")))
    kind = _TYPES[letters] + name[len(letters) :]
    return shape, "bool" if kind == "int1" else kind


def _argument(text: str, for_torch: bool) -> object:
    shape, kind = shaped(text)
    if for_torch:
        torch = package("torch", "a torch module needs torch", TORCH)
        return torch.zeros(shape, dtype=getattr(torch, kind))
    return _jax().ShapeDtypeStruct(shape, kind)


def _jax() -> ModuleType:
    return package("jax", "a JAX function needs JAX", JAX)


# -- lowering


def _lowered(value: Foreign, arguments: Sequence[object], path: str) -> Operation:
    if _is_torch(value):
        return from_torch(value, arguments, path)
    if not _is_lowered(value):
        jax = _jax()
        try:
            value = (value if hasattr(value, "lower") else jax.jit(value)).lower(*arguments)
        except Exception as failure:
            raise refused(f"JAX cannot trace {path}: {' '.join(str(failure).split())}") from failure
    return from_stablehlo(asm(value.compiler_ir("stablehlo")), path)


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
        if place and not place.startswith(_HERE) and after.where is not None:
            source.locations[after.where[1]] = source.locations[after.where[2]] = location
            for use in after.op_operands:
                span = operand_span(use)
                if span is not None:
                    source.locations[span.start] = location
    return source


def _locate_return(module: Operation, file: str, value: object, text: str) -> None:
    """Give the program's last return, to which JAX gives no location, that of the last `return` of the function in Python."""
    code = getattr(inspect.unwrap(value), "__code__", None) if callable(value) else None
    if code is None or os.path.abspath(code.co_filename) != os.path.abspath(file):
        return
    lines = [
        inner.lineno
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef) and _starting_line(function) == code.co_firstlineno
        for inner in function.body
        if isinstance(inner, ast.Return)
    ]
    for op in module.walk():
        if lines and isinstance(op, func.ReturnOp) and _own_line(op.location, os.path.abspath(file)) is None:
            op.location = FileLineColLoc(file, lines[-1], 1)


def _starting_line(function: ast.FunctionDef) -> int:
    """The line of its first decorator, or of `def`."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


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
