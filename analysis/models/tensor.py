"""Models of tensor: views, insertions, reads, and operations that make a tensor out of something else."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import tensor
from ...ir.program.core import OpOperand, OpResult
from ...ir.source.diagnostics import expect
from ...semantics.tensors import leaves_something
from .base import AliasingValue, DestinationStyleModel, Model, ModelContext, PerElementModel


class CastModel(Model):
    """`cast`, `expand_shape`: the same buffer, seen as another type."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0]),)


class CollapseShapeModel(CastModel):
    """A buffer whose strides cannot be collapsed has to be copied: that counts as a read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


class ReshapeModel(CastModel):
    """Reads the shape, but only looks at the source, which alone is the buffer of the result."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return super().aliasing_values(operand, context) if operand.index == 0 else ()


class ExtractSliceModel(Model):
    """A view of a part."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0], equivalent=False),)


class MetadataModel(Model):
    """`dim`, `rank`: asks for the shape, not for contents."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False


class ReadModel(Model):
    """Reads its operands into something that is no view of them."""


class AllocatingModel(Model):
    """Reads its tensor operands, if any, into a buffer of its own."""

    def allocates(self, result: OpResult) -> bool:
        return True


class BodyForEachElementModel(PerElementModel, AllocatingModel):
    """`generate`, `pad`: a body computes each element, from whatever tensors it likes."""


class EmptyModel(AllocatingModel):
    """A buffer with undefined contents: what comes before the first write is nobody's definition."""

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        return False


class InsertionModel(Model):
    """Writes a part of the destination. If the part is the whole, what was there is not read."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index != 1 or leaves_something(expect(tensor.SliceInsertionOp, operand.owner))

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 1

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return (AliasingValue(operand.owner.results[0]),) if operand.index == 1 else ()


class SharedInsertionModel(InsertionModel):
    """An insertion into a `scf.forall`'s shared output; has no result. Nobody but other iterations wrote the rest.

    The loop's terminator holds it, where a copy could not be inserted: it writes where it is told to.
    """

    makes_copies = False

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index == 0

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        return ()


class InsertModel(DestinationStyleModel):
    """Writes one element; the others stay, which counts as a read."""


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
