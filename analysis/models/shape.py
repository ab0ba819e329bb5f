"""Models of shape: `shape.assuming` runs its region once and hands out what it yields."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Operation, OpOperand, OpResult, Region, Value
from .base import AliasingOperand, AliasingValue, Context, Model


class AssumingModel(Model):
    def aliasing_operands(self, value: Value, context: Context) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        last = value.owner.regions[0].entry.last_op
        assert last is not None
        return (AliasingOperand(last.op_operands[value.index]),)

    def is_repetitive(self, region: Region, context: Context) -> bool:
        return False


class AssumingYieldModel(Model):
    def aliasing_values(self, operand: OpOperand, context: Context) -> Sequence[AliasingValue]:
        parent = operand.owner.parent_op
        assert parent is not None
        return (AliasingValue(parent.results[operand.index]),)

    def must_be_in_place(self, operand: OpOperand, context: Context) -> bool:
        return True


MODELS = {"shape.assuming": AssumingModel(), "shape.assuming_yield": AssumingYieldModel()}


def model_of(op: Operation) -> Model | None:
    return MODELS.get(op.name)
