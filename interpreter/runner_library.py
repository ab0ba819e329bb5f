"""The functions of MLIR's runner libraries that print.

A program that is meant to be run declares them and calls them: `printMemrefF32` and its like print a buffer of any rank,
others a number or a piece of punctuation. What they would print is kept as the output of the run, in their format. An
address is that of the interpreter's heap; a tensor has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from .heap import MemRef, dense_strides
from .numbers import NDArray
from .values import POISON, Array

if TYPE_CHECKING:
    from .machine import Machine

PUNCTUATION = {"printNewline": "\n", "printOpen": "( ", "printClose": " )", "printComma": ", "}
NUMBERS = re.compile(r"print[FIU](16|32|64)|printBF16")
BUFFERS = re.compile(r"printMemref\w+|print_memref_\w+")


def library_function(function: Operation | None) -> Callable[[list[Any], Machine], list[Any]] | None:
    """What a function without a body does if it is one of these; None for all others."""
    if not isinstance(function, FunctionOp) or not function.is_declaration:
        return None
    name, arguments = function.symbol_name, len(function.function_type.inputs)
    if function.function_type.results:
        return None
    if name in PUNCTUATION and not arguments:
        return lambda args, machine: _print(machine, PUNCTUATION[name])
    if arguments == 1 and NUMBERS.fullmatch(name):
        return lambda args, machine: _print(machine, _number(args[0], args[0] is not POISON), args[0])
    if arguments == 1 and BUFFERS.fullmatch(name):
        return lambda args, machine: _print_memref(machine, args[0])
    return None


def _print(machine: Machine, text: str, value: object = None) -> list[Any]:
    machine.show(text, value)
    return []


def _print_memref(machine: Machine, value: MemRef | Array) -> list[Any]:
    if isinstance(value, MemRef):
        contents, address = value.read("prints"), value.buffer.address
        offset, sizes, strides, held = value.offset, value.sizes, value.strides, value.held
        valid = contents.mask(held)
    else:
        contents, address, offset, sizes = value, 0, 0, value.data.shape
        strides = dense_strides(sizes)
        valid = np.ones(sizes, bool) if value.valid is None else value.valid
    head = (
        f"Unranked Memref base@ = {address:#x} rank = {len(sizes)} offset = {offset} "
        f"sizes = [{_listed(sizes)}] strides = [{_listed(strides)}] data = \n"
    )
    data = _nested(contents.data, valid, 1) if sizes else f"[{_number(contents.data[()], bool(valid))}]"
    return _print(machine, f"{head}{data}\n", contents)


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _nested(data: NDArray, valid: NDArray, depth: int) -> str:
    """An array as nested lists, a line for each row. As deep as its rank."""
    if data.ndim == 1:
        return f"[{',    '.join(_number(x, bool(ok)) for x, ok in zip(data, valid, strict=True))}]"
    rows = (_nested(inner, ok, depth + 1) for inner, ok in zip(data, valid, strict=True))
    return f"[{(', ' + chr(10) + ' ' * depth).join(rows)}]"


def _number(value: Any, defined: bool) -> str:
    """A number as C++ streams write it; `?` for what is undefined."""
    if not defined:
        return "?"
    if isinstance(value, np.complexfloating):
        return f"({value.real:g},{value.imag:g})"
    return f"{float(value):g}" if isinstance(value, (float, np.floating)) else str(int(value))
