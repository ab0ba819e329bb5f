"""Models of arith: constants are read-only data, `select` and `index_cast` are views, all else is unknown."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import arith
from ...ir.program.core import OpOperand, Value
from .base import AliasingValue, Model, ModelContext


class ConstantModel(Model):
    """A tensor constant becomes a constant global, which is read-only."""

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return False

    def not_writable_reason(self, value: Value) -> str:
        return "is a constant, kept in read-only memory"


class ViewModel(Model):
    """The result is the operand's buffer under another type; no memory is read or written."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0]),)


class SelectModel(Model):
    """The result may alias either of the two selected operands."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], equivalent=True, definite=False),)


MODELS = {
    arith.ConstantOp: ConstantModel(),
    arith.IndexCastOp: ViewModel(),
    arith.SelectOp: SelectModel(),
}
