"""Destination-style operations: every tensor result takes the buffer of an init, which is what is written."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.core import OpOperand
from ...ir.program.interfaces import DestinationStyleOp
from .base import AliasingValue, Model, ModelContext


class DestinationStyleModel(Model):
    """Inits are written and equivalent to their results; inputs alias nothing; everything is read."""

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return is_init(operand)

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        op = operand.owner
        if not op.results or not is_init(operand):
            return ()
        assert isinstance(op, DestinationStyleOp)
        result = op.tied_result(operand)
        return () if result is None else (AliasingValue(result),)


def is_init(operand: OpOperand) -> bool:
    op = operand.owner
    assert isinstance(op, DestinationStyleOp), f"{op.name} is no destination-style operation"
    return any(init is operand for init in op.dps_inits())
