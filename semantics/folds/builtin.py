"""Folds of `builtin`: inverse pairs of unrealized casts."""

from __future__ import annotations

from typing import Final

from ...dialects.builtin import UnrealizedConversionCastOp
from ...ir.program.core import Operation
from . import Constants, Fold, Folded


def _there_and_back(op: Operation, constants: Constants) -> Folded:
    """A cast back to the original types is the original; so is a cast to the same types."""
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
