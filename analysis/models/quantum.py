"""Models of Catalyst's dialects: `quantum`, `gradient` and `catalyst`."""

from __future__ import annotations

from ...dialects.quantum import CallbackOp, OutOperandsOp, ReturnsBuffersOp, ReverseModeOp
from ...ir.program.core import Operation, OpOperand
from ...ir.source.diagnostics import expect, present
from .base import TENSOR_TYPES, ModelContext, OutOfPlaceModel


class ReverseModeModel(OutOfPlaceModel):
    """Overwrites the cotangents, its last operands."""

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        last = present(operand.owner.definition).operands[-1]
        start, end = last.range_in(operand.owner)
        return start <= operand.index < end


class CallbackModel(OutOfPlaceModel):
    def has_tensor_semantics(self, op: Operation) -> bool:
        kind = expect(CallbackOp, op).function_type
        return any(isinstance(type, TENSOR_TYPES) for type in (*kind.inputs, *kind.results))


MODELS = {
    OutOperandsOp: OutOfPlaceModel(),
    ReturnsBuffersOp: OutOfPlaceModel(),
    ReverseModeOp: ReverseModeModel(),
    CallbackOp: CallbackModel(),
}
