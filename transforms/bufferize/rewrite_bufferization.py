"""Rewrites of bufferization: allocations and conversions between tensors and memrefs."""

from __future__ import annotations

from ...analysis.causes import CauseKind
from ...dialects import bufferization
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from .. import makers
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, identity_type, is_tensor


def bufferize_alloc_tensor(op: bufferization.AllocTensorOp, b: Bufferizer) -> None:
    """An allocation, and a copy if the operation has a `copy` operand."""
    if not op.results[0].has_uses:
        op.erase()
        return
    copied = op.copy
    source = None if copied is None else b.buffer(copied)
    type = b.buffer_type(op.results[0])
    sizes = op.dynamic_sizes if source is None else b.dynamic_dims(source)
    cause = b.cause(op, CauseKind.ASKED, None, op.results[0])
    fresh = b.allocate(type, sizes, cause)
    if source is not None:
        b.copy(source, fresh, cause)
    b.replace(op, (fresh,))


def alloc_tensor_type(value: Value, types: TypeInference) -> TypeRequest:
    """An identity layout, in the given memory space, else that of the `copy` operand, else the default one."""
    op = expect(bufferization.AllocTensorOp, value.defining_op)
    named = op.memory_space
    if named is not None:
        return identity_type(value.type, named)
    copied = op.copy
    if copied is not None:
        return identity_type(value.type, (yield copied).memory_space)
    return identity_type(value.type, types.default_space(value))


def bufferize_dealloc_tensor(op: Operation, b: Bufferizer) -> None:
    tensor = op.op_operands[0].value
    b.insert(makers.free(b.buffer(tensor), b.cause(op, CauseKind.ASKED, 0, tensor)))
    op.erase()


def bufferize_materialize(op: Operation, b: Bufferizer) -> None:
    source, dest = op.operands
    target = b.buffer(dest) if is_tensor(dest.type) else dest
    b.copy(b.buffer(source), target, b.cause(op, CauseKind.ASKED, 0, source))
    b.replace(op, (target,) if op.results else ())


def bufferize_to_tensor(op: Operation, b: Bufferizer) -> None:
    """Stays until its users have been rewritten."""


def to_tensor_type(value: Value, types: TypeInference) -> TypeRequest:
    type = expect(Operation, value.defining_op).op_operands[0].value.type
    assert isinstance(type, t.MemRefType | t.UnrankedMemRefType)
    return type
    yield value


def bufferize_to_buffer(op: bufferization.ToBufferOp, b: Bufferizer) -> None:
    b.fold(op)


REWRITES = {
    bufferization.AllocTensorOp: Rewrite(bufferize_alloc_tensor, alloc_tensor_type),
    bufferization.DeallocTensorOp: Rewrite(bufferize_dealloc_tensor),
    bufferization.MaterializeInDestinationOp: Rewrite(bufferize_materialize),
    bufferization.ToTensorOp: Rewrite(bufferize_to_tensor, to_tensor_type),
    bufferization.ToBufferOp: Rewrite(bufferize_to_buffer),
}
