"""Folds of `builtin`: unrealized casts that undo each other."""

from __future__ import annotations

from typing import Final

from ...dialects.builtin import UnrealizedConversionCastOp
from ...ir.program.core import Operation
from . import Constants, Fold, Folded


def _there_and_back(op: Operation, constants: Constants) -> Folded:
    """What is converted to the types it had is what it was; so is a conversion to the types that stand there."""
    values = op.operands
    if not values:
        return None
    if [value.type for value in values] == op.result_types:
        return list(values)
    source = values[0].defining_op
    if (
        not isinstance(source, UnrealizedConversionCastOp)
        or source.results != values
        or source.operand_types != op.result_types
    ):
        return None
    return list(source.operands)


FOLDS: Final[dict[type[Operation], Fold]] = {UnrealizedConversionCastOp: _there_and_back}
