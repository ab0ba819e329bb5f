"""Models of vector: transfers between tensors and vectors, and masks around them."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import vector
from ...dialects.common import constant_index
from ...dialects.vector.slices import MaskOp
from ...dialects.vector.transfer import TransferOp
from ...ir.defects import MASKED_WRITES, Defect
from ...ir.program.core import Operation, OpOperand
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from .base import (
    AliasingValue,
    DestinationStyleModel,
    Model,
    ModelContext,
    SingleRegionModel,
    SingleYieldModel,
)


class TransferWriteModel(DestinationStyleModel):
    """Writes a slice of the destination, which is also read unless it is certainly overwritten."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index != 1 or not overwrites_all(operand.owner, context.mirrored)


def overwrites_all(op: Operation, mirrored: frozenset[Defect]) -> bool:
    """Whether a `vector.transfer_write` certainly writes every element of its destination.

    mlir-opt 22 assumes that a mask leaves no element out, and that the vector covers the leading dimensions.
    """
    vector, dest = op.op_operands[0].value.type, op.op_operands[1].value.type
    if not isinstance(vector, t.VectorType) or not isinstance(dest, t.RankedTensorType):
        return False
    assert isinstance(op, TransferOp)
    if not dest.has_static_shape or (op.is_masked and MASKED_WRITES not in mirrored):
        return False
    indices = op.op_operands[2 : 2 + len(dest.shape)]
    if any(constant_index(index.value) != 0 for index in indices):
        return False
    return _covers(vector.shape, dest.shape) and (
        MASKED_WRITES in mirrored or _covers(_sizes_along(op, vector, dest.rank), dest.shape)
    )


def _covers(sizes: Sequence[int | None], needed: Sequence[int | None]) -> bool:
    """Whether `sizes`, as far as there are any, are known to be as large."""
    return all(
        have is not None and need is not None and have >= need
        for have, need in zip(sizes, needed, strict=False)
    )


def _sizes_along(op: TransferOp, vector: t.VectorType, rank: int) -> list[int | None]:
    """The number of elements that a transfer accesses along each dimension of its memory."""
    sizes: list[int | None] = [1] * rank
    for expr, size in zip(op.map.results, vector.shape, strict=True):
        if isinstance(expr, AffineDim):
            sizes[expr.position] = size
    return sizes


class MaskYieldModel(SingleYieldModel):
    """Terminates the region of `vector.mask`, which holds its one masked operation, or of another vector
    operation."""

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        parent = operand.owner.parent_op
        if not isinstance(parent, MaskOp) or operand.index >= len(parent.results):
            return ()
        return super().aliasing_values(operand, context)


MODELS = {
    vector.TransferReadOp: Model(),
    vector.GatherOp: Model(),
    vector.ScatterOp: DestinationStyleModel(),
    vector.TransferWriteOp: TransferWriteModel(),
    vector.MaskOp: SingleRegionModel(),
    vector.YieldOp: MaskYieldModel(),
}
