"""What a call gives: buffers that the caller owns, buffers that stay another's, or either, told by a flag.

C1  A function that others may call from outside gives away what it returns.
C2  A declaration may say otherwise: a result with `bufferization.owned = false` belongs to somebody else, and may be
    part of any memref that the function is given.
C3  Of a callee that is not known, C1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ...dialects.function_like import FunctionLikeOp
from ...ir.program.interfaces import CallOpInterface
from ...ir.program.symbols import SymbolTables
from ...ir.types import attributes as a
from ..view_flow import is_buffer

OWNED = "bufferization.owned"
"""The attribute of a result that says whether the caller comes to own it."""


class Gives(Enum):
    """What becomes of a result."""

    OWNED = "owned"
    BORROWED = "borrowed"


@dataclass(frozen=True, slots=True)
class Gift:
    """One result of a call.

    Attributes:
        kind: see `Gives`.
        arguments: the positions of the arguments that a result may be part of.
    """

    kind: Gives
    arguments: tuple[int, ...] = ()


AWAY = Gift(Gives.OWNED)


class Contracts:
    """What the functions of a program give their callers."""

    def __init__(self, symbols: SymbolTables) -> None:
        self._symbols = symbols
        self.known: dict[tuple[FunctionLikeOp, int], Gift] = {}
        """What is known of private functions with bodies."""

    def callee(self, call: CallOpInterface) -> FunctionLikeOp | None:
        """The function that a call runs, if it names one."""
        symbol = call.callee_symbol()
        found = self._symbols.resolve(call, symbol) if symbol is not None else None
        return found if isinstance(found, FunctionLikeOp) else None

    def of_result(self, call: CallOpInterface, index: int) -> Gift:
        """What the caller gets as result `index`."""
        callee = self.callee(call)
        if callee is None:
            return AWAY
        known = self.known.get((callee, index))
        if known is not None:
            return known
        if declared_owned(callee, index) is False:
            return Gift(Gives.BORROWED, tuple(_buffers(call.argument_operands())))
        return AWAY


def _buffers(operands: Iterable[object]) -> Iterable[int]:
    return (i for i, use in enumerate(operands) if is_buffer(use.value))  # pyright: ignore[reportAttributeAccessIssue]


def declared_owned(function: FunctionLikeOp, index: int) -> bool | None:
    """What a function's own words say of a result; None if nothing."""
    said = function.result_attr(index, OWNED)
    return bool(said.value) if isinstance(said, a.IntegerAttr) else None
