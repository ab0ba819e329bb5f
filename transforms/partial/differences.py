"""Where the partial passes of version 16 do something else with an operation than One-Shot Bufferize does now."""

from __future__ import annotations

from ...analysis.models.base import ModelContext
from ...analysis.models.registry import ModelRegistry
from ...analysis.models.vector import TransferWriteModel
from ...dialects import tensor
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.source.expect import expect
from ...ir.types import types as t
from ..bufferize import make
from ..bufferize.buffer_types import TypeRequest, identity_type
from ..bufferize.bufferizer import Bufferizer, Rewrite
from ..bufferize.failures import failed
from ..bufferize.inference import TypeInference
from ..bufferize.rewrite import RewriteRegistry
from ..bufferize.tensor_creation import pad_by, pad_type


class PartialWriteModel(TransferWriteModel):
    """`vector.transfer_write` counts as reading its destination, also if it overwrites all of it."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


def partial_models() -> ModelRegistry:
    """What is known of operations, as far as it was known then."""
    registry = ModelRegistry()
    registry.add("vector.transfer_write", PartialWriteModel())
    return registry


def cast_type(value: Value, types: TypeInference) -> TypeRequest:
    """The layout of the source; dense, to or from unranked."""
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    if not isinstance(source, t.MemRefType) or isinstance(value.type, t.UnrankedTensorType):
        return identity_type(value.type, source.memory_space)
    assert isinstance(value.type, t.RankedTensorType)
    return source.with_shape(value.type.shape)


def bufferize_cast(op: Operation, b: Bufferizer) -> None:
    """A cast of the buffer, also to the type that it has."""
    source = b.buffer(op.op_operands[0].value)
    type = b.buffer_type(op.results[0])
    same = source.type is type and isinstance(type, t.UnrankedMemRefType)
    b.replace(op, (source if same else b.insert(make.cast(source, type)).results[0],))


def bufferize_empty(op: Operation, b: Bufferizer) -> None:
    """Whether a tensor without contents may share a buffer is for the user to say first, even of one that nobody uses."""
    message = "cannot be bufferized, but can be converted to bufferization.alloc_tensor"
    raise failed(op, message, prefixed=True)


def bufferize_pad(op: tensor.PadOp, b: Bufferizer) -> None:
    """Paddings that are constants among the operands stay operands."""
    pad_by(op, op.mixed_low(), op.mixed_high(), b)


class PartialRewrites(RewriteRegistry):
    """Without `tensor.splat`, which these passes never knew, and what belongs to its `scf.forall`, which they leave alone.

    The buffer that `tensor.parallel_insert_slice` would write is not that of the loop's result while the loop is of tensors.
    """

    def find(self, op: Operation) -> Rewrite | None:
        if isinstance(op, tensor.SplatOp | tensor.ParallelInsertSliceOp):
            return None
        return super().find(op)


def partial_rewrites() -> RewriteRegistry:
    """The rewrites of One-Shot Bufferize, but for what the partial passes do differently."""
    registry = PartialRewrites()
    registry.add("tensor.cast", Rewrite(bufferize_cast, cast_type))
    registry.add("tensor.empty", Rewrite(bufferize_empty))
    registry.add("tensor.pad", Rewrite(bufferize_pad, pad_type))
    return registry
