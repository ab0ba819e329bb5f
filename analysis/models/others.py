"""Models of small dialects: ml_program, shape, sparse_tensor, MLIR's test dialect; and vector's transfers and masks.

The table is keyed by name, so that a program of one of them does not import the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ...dialects.common import constant_index
from ...ir.defects import MASKED_WRITES, Defect
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from ...ir.types.attributes import TypeAttr
from .base import (
    TENSOR_TYPES,
    AliasingValue,
    DestinationStyleModel,
    Model,
    ModelContext,
    OutOfPlaceModel,
    SingleRegionModel,
    SingleYieldModel,
    is_tensor,
)

if TYPE_CHECKING:
    from ...dialects.vector.transfer import TransferOp


class GlobalModel(Model):
    """A global is a buffer of the whole program."""

    def has_tensor_semantics(self, op: Operation) -> bool:
        type = op.get_attr("type")
        held: t.Type | None = type.type if isinstance(type, TypeAttr) else None  # pyright: ignore
        return isinstance(held, TENSOR_TYPES)


class GlobalLoadModel(Model):
    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return False

    def not_writable_reason(self, value: Value) -> str:
        return "is loaded from a global, which others also read"

    def global_loaded(self, op: Operation) -> object | None:
        return op.properties.get("global")


class GlobalStoreModel(Model):
    """Copies its operand into the global's buffer."""

    def global_stored(self, op: Operation) -> object | None:
        return op.properties.get("global")


SPARSE_OPERATIONS = (
    "convert",
    "number_of_entries",
    "coordinates",
    "coordinates_buffer",
    "positions",
    "values",
    "load",
    "new",
    "assemble",
    "disassemble",
)


class SparseModel(Model):
    """Reads its operands; its results are newly allocated. `load` forwards the tensor after insertions.

    The sparsifier lowers these operations; bufferization rejects them, as mlir-opt does.
    """

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.owner.name != "sparse_tensor.load"

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        op = operand.owner
        return op.name == "sparse_tensor.disassemble" and operand.index > 0

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        op = operand.owner
        if op.name == "sparse_tensor.load":
            return (AliasingValue(op.results[0]),)
        if self.writes(operand, context) and is_tensor(op.results[operand.index - 1]):
            return (AliasingValue(op.results[operand.index - 1]),)
        return ()

    def allocates(self, result: OpResult) -> bool:
        return result.owner.name in ("sparse_tensor.convert", "sparse_tensor.new", "sparse_tensor.assemble")


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
    op = cast("TransferOp", op)
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
        if not (parent is not None and parent.name == "vector.mask") or operand.index >= len(parent.results):
            return ()
        return super().aliasing_values(operand, context)


MODELS = {
    "ml_program.global": GlobalModel(),
    "ml_program.global_load": GlobalLoadModel(),
    "ml_program.global_store": GlobalStoreModel(),
    "shape.assuming": SingleRegionModel(),
    "shape.assuming_yield": SingleYieldModel(),
    "test.dummy_tensor_op": OutOfPlaceModel(),
    "test.create_tensor_op": OutOfPlaceModel(),
    "vector.gather": Model(),
    "vector.mask": SingleRegionModel(),
    "vector.scatter": DestinationStyleModel(),
    "vector.transfer_read": Model(),
    "vector.transfer_write": TransferWriteModel(),
    "vector.yield": MaskYieldModel(),
    **{f"sparse_tensor.{name}": SparseModel() for name in SPARSE_OPERATIONS},
}
