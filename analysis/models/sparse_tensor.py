"""Models of sparse_tensor, whose operations the sparsifier lowers; bufferization rejects them, as mlir-opt does."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.core import OpOperand, OpResult
from ...ir.text.registry import default_registry
from .base import AliasingValue, Model, ModelContext, is_tensor

READING = ("convert", "number_of_entries", "coordinates", "coordinates_buffer", "positions", "values")
WHOLE = ("load", "new", "assemble", "disassemble")


class SparseModel(Model):
    """Reads its operands; its results are newly allocated. `load` forwards the tensor after insertions."""

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
    kind: SparseModel()
    for name in (*READING, *WHOLE)
    if (kind := default_registry().find(f"sparse_tensor.{name}")) is not None
}
