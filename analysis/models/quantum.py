"""Models of Catalyst's dialects: `quantum`, `gradient` and `catalyst`."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.catalyst import CallbackOp
from ...dialects.gradient import ReverseModeOp
from ...dialects.quantum import OutOperandsOp, ReturnsBuffersOp
from ...ir.program.core import Operation, OpOperand, OpResult
from ...ir.source.diagnostics import expect, present
from .base import TENSOR_TYPES, AliasingValue, Model, ModelContext


class ReadsAndAllocatesModel(Model):
    """Reads its operands; its results are new buffers."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return ()

    def allocates(self, result: OpResult) -> bool:
        return True


class ReverseModeModel(ReadsAndAllocatesModel):
    """Overwrites the cotangents, its last operands."""

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        last = present(operand.owner.definition).operands[-1]
        start, end = last.range_in(operand.owner)
        return start <= operand.index < end


class CallbackModel(ReadsAndAllocatesModel):
    def has_tensor_semantics(self, op: Operation) -> bool:
        kind = expect(CallbackOp, op).function_type
        return any(isinstance(type, TENSOR_TYPES) for type in (*kind.inputs, *kind.results))


MODELS = {
    OutOperandsOp: ReadsAndAllocatesModel(),
    ReturnsBuffersOp: ReadsAndAllocatesModel(),
    ReverseModeOp: ReverseModeModel(),
    CallbackOp: CallbackModel(),
}
