"""What a function gives its caller: memory that the caller owns, or that stays another's, or either, told by a flag."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Value
from ...ir.program.interfaces import CallOpInterface
from ...ir.types import attributes as a
from ...ir.types import types as t

OWNED = "bufferization.owned"
"""The attribute of a result that says whether the caller comes to own it: true, false, or the number of the result that tells."""


class Gives(Enum):
    """What becomes of a result."""

    OWNED = "owned"
    BORROWED = "borrowed"
    PASSED = "passed"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class OwnershipTransfer:
    """One result of a call.

    Attributes:
        kind: see `Gives`.
        arguments: the positions of the arguments that a result may be part of.
        results: the positions of earlier results that it may share its buffer with.
        flag: the number of the result that tells whether this one is owned; -1 if there is none yet.
        exact: whether a result that is not owned certainly is one of these, or part of it.
    """

    kind: Gives
    arguments: tuple[int, ...] = ()
    flag: int = -1
    exact: bool = False
    results: tuple[int, ...] = ()

    def lent(self, call: CallOpInterface) -> list[Value]:
        """What a result of `call` may be, or be part of, that it is lent."""
        passed = [use.value for use in call.argument_operands()]
        return [
            *(passed[i] for i in self.arguments if i < len(passed)),
            *(call.results[i] for i in self.results),
        ]


AWAY = OwnershipTransfer(Gives.OWNED)


def declared(function: FunctionLikeOp, index: int) -> bool | int | None:
    """What a function's own words say of a result: owned or not, or the number of the result that tells; None if nothing."""
    said = function.result_attr(index, OWNED)
    if not isinstance(said, a.IntegerAttr):
        return None
    return bool(said.value) if said.type is t.I1 else said.value
