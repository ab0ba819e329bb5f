"""Conversions between this package's programs and those of other Python compilers: JAX, torch and xDSL.

Begin with `read`; each library is imported only when it is used.
"""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, ParseError
from ..ir.source.locations import Source

# -- Reads programs from text, files, and objects of other frameworks.
#
#     bufferize.read("cell.mlir")                  a file
#     bufferize.read(mlir_module)                  an `mlir.ir.Module` of any bindings: MLIR's, IREE's, JAX's
#     bufferize.read(jax.jit(f).lower(x))          a JAX function lowered, traced or exported; StableHLO goes through IREE's compiler
#     bufferize.read(torch.export.export(m, (x,))) an exported torch program, in the same way
#     bufferize.read(xdsl_module)                  a module of xDSL
#
# Objects are recognised by their attributes, so their packages are not imported. Programs are transferred as text, in
# generic form where the custom form contains operations unknown here.

Program: TypeAlias = Any
"""The argument of `read`; its classes belong to packages that are not imported here."""

EXPECTED = "text, a path, an operation, an mlir.ir.Module, a jax.stages.Lowered, a torch.export.ExportedProgram or a module of xDSL"


def read(program: Program, name: str = "", *, allow_unregistered: bool = True) -> Operation:
    """The verified program. An operation of this package is returned unchanged.

    Args:
        program: see the module docstring. A one-line string that names a file, or ends in `.mlir`, is a path.
        name: the file name in diagnostics.
        allow_unregistered: accept operations of unknown dialects.

    Raises:
        BufferizeError: it cannot be parsed or is invalid.
        TypeError: it is none of these.
    """
    from ..ir.verifier import verify
    from .from_torch import is_exported
    from .models import is_stablehlo, linalg_of_stablehlo, linalg_of_torch, stablehlo_source

    if isinstance(program, Operation):
        return program
    if _is_of(program, "jax"):
        program = _of_jax(program)
    if _is_of(program, "xdsl"):
        from .xdsl import from_xdsl

        return from_xdsl(program, name or "<xdsl>")
    if isinstance(program, str) or hasattr(program, "__fspath__"):
        source = _source_of_text(program, name)
        source = stablehlo_source(source) if is_stablehlo(source.text) else source
        module = _parsed(source, allow_unregistered)
    elif hasattr(program, "compiler_ir") and hasattr(program, "as_text"):
        return linalg_of_stablehlo(program.compiler_ir("stablehlo"), name or "<jax>")
    elif is_exported(program):
        return linalg_of_torch(program, name or "<torch>")
    elif is_mlir_module(program) and is_stablehlo(program.operation.get_asm()):
        return linalg_of_stablehlo(program, name or "<mlir>")
    elif is_mlir_module(program):
        module = _of_mlir(program, name or "<mlir>", allow_unregistered)
    else:
        kind = f"{type(program).__module__}.{type(program).__qualname__}"
        how = "; pass 'jax.jit(f).lower(...)' or 'torch.export.export(f, ...)'" if callable(program) else ""
        raise TypeError(f"bufferize reads {EXPECTED}, not {kind}{how}")
    verify(module, allow_unregistered=allow_unregistered)
    return module


def given_back(program: Program, result: Operation) -> Program:
    """Convert `result` back to the framework of `program`; operations of this package are returned unchanged.

    Args:
        program: the argument of `read`.
    """
    if _is_of(program, "xdsl"):
        from .xdsl import to_xdsl

        module = to_xdsl(result)
        return module if isinstance(program, type(module)) else module.body.block.first_op
    if not is_mlir_module(program):
        return result
    from ..ir.text.printer import print_module

    if getattr(program.operation, "name", result.name) != result.name:
        (result,) = result.regions[0].blocks[0]  # the operation was read into a module of its own
    text = print_module(result, generic=True)
    context = program.context
    cls = type(program)
    if not hasattr(cls, "parse"):
        raise TypeError(f"a {cls.__module__}.{cls.__qualname__} cannot be made of text")
    try:
        return cls.parse(text, context=context)
    except Exception as failure:
        raise BufferizeError(
            f"these bindings cannot parse the result: set 'context.allow_unregistered_dialects', or pass 'bufferize.read(...)' "
            f"of the program. {failure}"
        ) from failure


def _of_jax(program: Program) -> Program:
    """A lowered function, or text in StableHLO, of what `jax.jit(f).trace` or `jax.export.export` returns."""
    if hasattr(program, "mlir_module"):
        return program.mlir_module()
    return program.lower() if hasattr(program, "jaxpr") and hasattr(program, "lower") else program


def is_mlir_module(program: object) -> bool:
    """Whether it is a module or an operation of Python bindings of MLIR."""
    operation = getattr(program, "operation", None)
    return hasattr(operation, "get_asm") and hasattr(program, "context")


def _is_of(program: object, package: str) -> bool:
    return type(program).__module__.partition(".")[0] == package


def _source_of_text(program: Program, name: str) -> Source:
    from ..ir.source.reading import read_source

    if not isinstance(program, str):
        return read_source(os.fspath(program))
    one_line = "\n" not in program
    if one_line and (program.endswith(".mlir") or os.path.isfile(program)):
        return read_source(program)
    return Source(name or "<text>", program)


def _parsed(source: Source, allow_unregistered: bool) -> Operation:
    from ..ir.text.parser import parse_source

    return parse_source(source, allow_unregistered=allow_unregistered)


def _of_mlir(program: Program, name: str, allow_unregistered: bool) -> Operation:
    operation = program.operation
    try:
        return _parsed(Source(name, operation.get_asm()), allow_unregistered)
    except ParseError:
        text = operation.get_asm(print_generic_op_form=True)
        return _parsed(Source(name, text), allow_unregistered)
