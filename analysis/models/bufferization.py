"""Models of bufferization: allocation, casts between tensors and buffers, and explicit destinations."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import bufferization
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from .base import AliasingValue, Model, ModelContext, is_tensor


class AllocTensorModel(Model):
    """A fresh buffer, with undefined contents unless it is allocated as a copy."""

    def allocates(self, result: OpResult) -> bool:
        return True

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        return self.copies(result.owner)

    def copies(self, op: Operation) -> bool:
        return any(is_tensor(operand.value) for operand in op.op_operands)


class DeallocTensorModel(Model):
    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False


class MaterializeInDestinationModel(Model):
    """Copies `source` into `dest`. Neither operand can be replaced by a copy."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 0

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0]),) if operand.index == 1 else ()

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return True

    def is_elementwise(self, op: Operation, operands: Sequence[OpOperand], context: ModelContext) -> bool:
        return True


class ToTensorModel(Model):
    """A buffer used as a tensor: writable only if the operation says so."""

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        assert isinstance(value, OpResult)
        return "writable" in value.owner.properties

    def not_writable_reason(self, value: Value) -> str:
        return "stands for a buffer that is not marked `writable`"

    def refusal(self, op: Operation) -> str | None:
        if "restrict" in op.properties or not op.results[0].has_uses:
            return None
        return "to_tensor ops without `restrict` are not supported by One-Shot Analysis"


class ToBufferModel(Model):
    """Exposes the buffer as a memref, through which it may be written unless `read_only` is set."""

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return "read_only" not in operand.owner.properties


MODELS = {
    bufferization.AllocTensorOp: AllocTensorModel(),
    bufferization.DeallocTensorOp: DeallocTensorModel(),
    bufferization.MaterializeInDestinationOp: MaterializeInDestinationModel(),
    bufferization.ToTensorOp: ToTensorModel(),
    bufferization.ToBufferOp: ToBufferModel(),
}
