"""Models of small dialects: ml_program, shape, sparse_tensor, and MLIR's test dialect.

The table is keyed by name, so that a program of one of them does not import the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.types import types as t
from ...ir.types.attributes import TypeAttr
from .base import (
    TENSOR_TYPES,
    AliasingValue,
    Model,
    ModelContext,
    OutOfPlaceModel,
    SingleRegionModel,
    SingleYieldModel,
    is_tensor,
)


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


MODELS = {
    "ml_program.global": GlobalModel(),
    "ml_program.global_load": GlobalLoadModel(),
    "ml_program.global_store": GlobalStoreModel(),
    "shape.assuming": SingleRegionModel(),
    "shape.assuming_yield": SingleYieldModel(),
    "test.dummy_tensor_op": OutOfPlaceModel(),
    "test.create_tensor_op": OutOfPlaceModel(),
    **{f"sparse_tensor.{name}": SparseModel() for name in SPARSE_OPERATIONS},
}
