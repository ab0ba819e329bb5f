"""Models of tensor: views, insertions, reads, and operations that build a tensor from other values."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import tensor
from ...ir.program.core import OpOperand, OpResult
from ...ir.source.diagnostics import expect
from ...semantics.tensors import leaves_something
from .base import AliasingValue, DestinationStyleModel, Model, ModelContext, PerElementModel


class CastModel(Model):
    """`cast`, `expand_shape`: the same buffer under another type."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0]),)


class CollapseShapeModel(CastModel):
    """A buffer whose strides cannot be collapsed has to be copied, which counts as a read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


class ReshapeModel(CastModel):
    """Reads the shape operand; the source is only viewed, and the result aliases it alone."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return super().aliasing_values(operand, context) if operand.index == 0 else ()


class ExtractSliceModel(Model):
    """A view of a slice."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], equivalent=False),)


class MetadataModel(Model):
    """`dim`, `rank`: reads the shape, not the contents."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False


class ReadModel(Model):
    """Reads its operands; the result aliases none of them."""


class AllocatingModel(Model):
    """Reads its tensor operands, if any, into a buffer of its own."""

    def allocates(self, result: OpResult) -> bool:
        return True


class BodyForEachElementModel(PerElementModel, AllocatingModel):
    """`generate`, `pad`: a body computes each element and may read any tensor."""


class EmptyModel(AllocatingModel):
    """A buffer with undefined contents; it is not a definition."""

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        return False


class InsertionModel(Model):
    """Writes a slice of the destination. If the slice covers all of it, the old contents are not read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index != 1 or leaves_something(expect(tensor.SliceInsertionOp, operand.owner))

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0]),) if operand.index == 1 else ()


class SharedInsertionModel(InsertionModel):
    """An insertion into a shared output of `scf.forall`; it has no result. Only other iterations write the rest.

    It is nested in the loop's terminator, where no copy can be inserted, so it must write in place.
    """

    makes_copies = False

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 0

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return ()


class InsertModel(DestinationStyleModel):
    """Writes one element and keeps the others, which counts as a read."""


MODELS = {
    tensor.CastOp: CastModel(),
    tensor.ExpandShapeOp: CastModel(),
    tensor.CollapseShapeOp: CollapseShapeModel(),
    tensor.ReshapeOp: ReshapeModel(),
    tensor.ExtractSliceOp: ExtractSliceModel(),
    tensor.DimOp: MetadataModel(),
    tensor.RankOp: MetadataModel(),
    tensor.ExtractOp: ReadModel(),
    tensor.EmptyOp: EmptyModel(),
    tensor.FromElementsOp: AllocatingModel(),
    tensor.GenerateOp: BodyForEachElementModel(),
    tensor.SplatOp: AllocatingModel(),
    tensor.PadOp: BodyForEachElementModel(),
    tensor.ConcatOp: AllocatingModel(),
    tensor.InsertOp: InsertModel(),
    tensor.InsertSliceOp: InsertionModel(),
    tensor.SliceInsertionOp: SharedInsertionModel(),
}
