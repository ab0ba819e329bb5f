"""Models of tensor, arith and bufferization.

`tensor`: views, insertions, reads, and operations that build a tensor from other values. `arith`: constants are read-only data,
`select` and `index_cast` are views, all else is unknown. `bufferization`: allocation, casts between tensors and buffers, and
explicit destinations.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import arith, bufferization, tensor
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.source.diagnostics import expect
from ...semantics.tensors import leaves_something
from .base import (
    AliasingValue,
    DestinationStyleModel,
    Model,
    ModelContext,
    OutOfPlaceModel,
    PerElementModel,
    is_tensor,
)


class UnreadModel(Model):
    """`dim`, `rank`, `dealloc_tensor`: the contents are not read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False


class ViewModel(UnreadModel):
    """The result is the same buffer under another type (`equivalent`) or a part of it; not always if not `definite`."""

    def __init__(self, *, equivalent: bool = True, definite: bool = True) -> None:
        self._how = equivalent, definite

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], *self._how),)


class CollapseShapeModel(ViewModel):
    """A buffer whose strides cannot be collapsed has to be copied, which counts as a read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


class ReshapeModel(ViewModel):
    """Reads the shape operand; the source is only viewed, and the result aliases it alone."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return super().aliasing_values(operand, context) if operand.index == 0 else ()


class BodyForEachElementModel(PerElementModel, OutOfPlaceModel):
    """`generate`, `pad`: a body computes each element and may read any tensor."""


class EmptyModel(OutOfPlaceModel):
    """A buffer with undefined contents; it is not a definition."""

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        return False


class InsertionModel(DestinationStyleModel):
    """Writes a slice of the destination. If the slice covers all of it, the old contents are not read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index != 1 or leaves_something(expect(tensor.SliceInsertionOp, operand.owner))


class SharedInsertionModel(Model):
    """An insertion into a shared output of `scf.forall`; it has no result. Only other iterations write the rest.

    It is nested in the loop's terminator, where no copy can be inserted, so it must write in place.
    """

    makes_copies = False

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 0

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1


class ConstantModel(Model):
    """A tensor constant becomes a constant global, which is read-only."""

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return False

    def not_writable_reason(self, value: Value) -> str:
        return "is a constant, kept in read-only memory"


class AllocTensorModel(Model):
    """A fresh buffer, with undefined contents unless it is allocated as a copy."""

    def allocates(self, result: OpResult) -> bool:
        return True

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        return self.copies(result.owner)

    def copies(self, op: Operation) -> bool:
        return any(is_tensor(operand.value) for operand in op.op_operands)


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
    tensor.CastOp: ViewModel(),
    tensor.ExpandShapeOp: ViewModel(),
    tensor.CollapseShapeOp: CollapseShapeModel(),
    tensor.ReshapeOp: ReshapeModel(),
    tensor.ExtractSliceOp: ViewModel(equivalent=False),
    tensor.DimOp: UnreadModel(),
    tensor.RankOp: UnreadModel(),
    tensor.ExtractOp: Model(),
    tensor.EmptyOp: EmptyModel(),
    tensor.FromElementsOp: OutOfPlaceModel(),
    tensor.GenerateOp: BodyForEachElementModel(),
    tensor.SplatOp: OutOfPlaceModel(),
    tensor.PadOp: BodyForEachElementModel(),
    tensor.ConcatOp: OutOfPlaceModel(),
    tensor.InsertOp: DestinationStyleModel(),
    tensor.InsertSliceOp: InsertionModel(),
    tensor.SliceInsertionOp: SharedInsertionModel(),
    arith.ConstantOp: ConstantModel(),
    arith.IndexCastOp: ViewModel(),
    arith.SelectOp: ViewModel(definite=False),
    bufferization.AllocTensorOp: AllocTensorModel(),
    bufferization.DeallocTensorOp: UnreadModel(),
    bufferization.MaterializeInDestinationOp: MaterializeInDestinationModel(),
    bufferization.ToTensorOp: ToTensorModel(),
    bufferization.ToBufferOp: ToBufferModel(),
}
