"""Folds of `scf`: negated conditions swap branches."""

from __future__ import annotations

from typing import Final

from ...dialects import scf
from ...ir.program.core import Operation
from . import IN_PLACE, Constants, Fold, Folded
from .constants import integer_of


def _if(op: Operation, constants: Constants) -> Folded:
    """A negated condition swaps the branches."""
    then, otherwise = op.regions
    negation = op.op_operands[0].value.defining_op
    if otherwise.is_empty or negation is None or negation.name != "arith.xori":
        return None
    if integer_of(negation.op_operands[1].value) != 1:
        return None
    op.op_operands[0].value = negation.op_operands[0].value
    op.regions = [otherwise, then]
    return IN_PLACE


FOLDS: Final[dict[type[Operation], Fold]] = {scf.IfOp: _if}
