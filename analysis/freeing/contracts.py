"""What a call gives: buffers that the caller owns, buffers that stay another's, or either, told by a flag.

C1  A function that others may call from outside gives away what it returns.
C2  A declaration may say otherwise: a result with `bufferization.owned = false` belongs to somebody else, and may be
    part of any memref that the function is given.
C3  Of a callee that is not known, C1.
C4  A private function that is only called, and returns the same one of its arguments wherever it returns, or a part of
    it, gives nothing: the result is a view of what the caller passed, and nobody copies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import CallOpInterface, ViewLikeOp
from ...ir.program.symbols import SymbolTables
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..view_flow import is_buffer

OWNED = "bufferization.owned"
"""The attribute of a result that says whether the caller comes to own it."""


class Gives(Enum):
    """What becomes of a result."""

    OWNED = "owned"
    BORROWED = "borrowed"
    ARGUMENT = "argument"


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

    def __init__(self, symbols: SymbolTables, root: Operation | None = None) -> None:
        """
        Args:
            root: what holds the functions and all their uses; without it nothing is known of private ones. O(operations).
        """
        self._symbols = symbols
        self.known: dict[tuple[FunctionLikeOp, int], Gift] = {}
        """What is known of private functions with bodies."""
        if root is not None:
            self._learn(root)

    def _learn(self, root: Operation) -> None:
        """C4."""
        private: list[FunctionLikeOp] = []
        used_otherwise: set[str] = set()
        for op in root.walk():
            if isinstance(op, FunctionLikeOp):
                if op.visibility == "private" and not op.is_declaration:
                    private.append(op)
                continue
            for attribute in (*op.properties.values(), *op.attributes.values()):
                if not isinstance(op, CallOpInterface):
                    used_otherwise.update(_symbols_in(attribute))
        for function in private:
            if function.symbol_name in used_otherwise:
                continue
            ends = [b.last_op for b in function.body if b.last_op is not None and not b.last_op.successors]
            for index, kind in enumerate(function.function_type.results):
                returned = {
                    _argument_of(end.operands[index], function) if index < len(end.operands) else None
                    for end in ends
                }
                position = returned.pop() if len(returned) == 1 else None
                if position is not None and t.is_memref(kind):
                    self.known[function, index] = Gift(Gives.ARGUMENT, (position,))

    def of_own_result(self, function: FunctionLikeOp, index: int) -> Gift:
        """What a function that is looked at gives its callers as result `index`."""
        return self.known.get((function, index), AWAY)

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


def _symbols_in(attribute: a.Attribute) -> Iterable[str]:
    """The names of symbols in an attribute, at any depth."""
    waiting: list[object] = [attribute]
    while waiting:
        at = waiting.pop()
        if isinstance(at, a.SymbolRefAttr):
            yield from (at.root, *at.nested)
        elif isinstance(at, a.ArrayAttr):
            waiting += at.elements
        elif isinstance(at, a.DictionaryAttr):
            waiting += [value for _, value in at.entries]


def _argument_of(value: Value, function: FunctionLikeOp) -> int | None:
    """The argument of a function that `value` is, or views."""
    op = value.defining_op
    while isinstance(op, ViewLikeOp) and is_buffer(op.view_source()):
        value = op.view_source()
        op = value.defining_op
    return value.index if isinstance(value, BlockArgument) and value.owner is function.body.entry else None


def _buffers(operands: Iterable[object]) -> Iterable[int]:
    return (i for i, use in enumerate(operands) if is_buffer(use.value))  # pyright: ignore[reportAttributeAccessIssue]


def declared_owned(function: FunctionLikeOp, index: int) -> bool | None:
    """What a function's own words say of a result; None if nothing."""
    said = function.result_attr(index, OWNED)
    return bool(said.value) if isinstance(said, a.IntegerAttr) else None
