"""Rewrites of operations that look at a tensor under another type or shape: they become views of its buffer.

Where a buffer's layout does not allow the view, it is copied to a dense one first.
"""

from __future__ import annotations

from ...analysis.causes import CauseKind, Types
from ...dialects import memref, tensor
from ...dialects._reshapes import infer_collapsed_type, infer_expanded_type, is_guaranteed_collapsible
from ...ir.program.core import Operation, Value
from ...ir.source.expect import expect
from ...ir.types import types as t
from ...ir.types.layouts import StridedLayoutAttr
from . import make
from .buffer_types import BufferType, TypeRequest, fully_dynamic_type, identity_type, ranked
from .bufferizer import Bufferizer, Rewrite
from .failures import RewriteFailed
from .inference import TypeInference


def bufferize_cast(op: Operation, b: Bufferizer) -> None:
    """A cast of the buffer, if its type changes at all."""
    source = b.buffer(op.op_operands[0].value)
    b.replace(op, (b.cast(source, b.buffer_type(op.results[0])),))


def cast_type(value: Value, types: TypeInference) -> TypeRequest:
    """The layout of the source; to or from unranked, one of which nothing is promised."""
    source_tensor = expect(Operation, value.defining_op).op_operands[0].value
    source = yield source_tensor
    if not isinstance(source, t.MemRefType) or isinstance(value.type, t.UnrankedTensorType):
        return fully_dynamic_type(value.type, source.memory_space)
    assert isinstance(value.type, t.RankedTensorType)
    return source.with_shape(value.type.shape)


def bufferize_collapse_shape(op: tensor.CollapseShapeOp, b: Bufferizer) -> None:
    source, result = op.op_operands[0].value, op.results[0].type
    assert isinstance(result, t.RankedTensorType)
    buffer = b.buffer(source)
    type = ranked(buffer)
    groups = op.reassociation_indices()
    if not result.shape:
        view_type = _scalar_type(type)
    else:
        if not is_guaranteed_collapsible(type, groups):
            buffer = _dense_copy(b, op, source, type)
        view_type = infer_collapsed_type(ranked(buffer), groups)
        if view_type is None:
            raise RewriteFailed
    view = memref.CollapseShapeOp(
        (buffer,), (view_type,), None, {"reassociation": op.properties["reassociation"]}
    )
    b.replace(op, b.insert(view).results)


def collapse_shape_type(value: Value, types: TypeInference) -> TypeRequest:
    op = expect(tensor.CollapseShapeOp, value.defining_op)
    source = expect(t.MemRefType, (yield op.op_operands[0].value))
    groups = op.reassociation_indices()
    if not is_guaranteed_collapsible(source, groups):
        return identity_type(value.type, source.memory_space)
    type = infer_collapsed_type(source, groups)
    assert type is not None
    return type


def _scalar_type(source: t.MemRefType) -> t.MemRefType:
    """The type of a buffer of rank 0 made of one whose sizes are all 1."""
    if source.is_identity_layout:
        return t.MemRefType((), source.element, None, source.memory_space)
    layout = source.strides_and_offset()
    if layout is None:
        raise RewriteFailed
    return t.MemRefType((), source.element, StridedLayoutAttr((), layout[1]), source.memory_space)


def _dense_copy(b: Bufferizer, op: Operation, source: Value, type: t.MemRefType) -> Value:
    """A dense buffer with the contents of `source`, whose buffer has another layout, for `op`."""
    dense = t.MemRefType(type.shape, type.element, None, type.memory_space)
    cause = b.cause(op, CauseKind.NOT_CONTIGUOUS, 0, source, Types(type, dense))
    copy = b.allocated_tensor(source, cause, copied=True)
    return b.insert(make.to_buffer(copy, dense)).results[0]


def bufferize_expand_shape(op: tensor.ExpandShapeOp, b: Bufferizer) -> None:
    buffer = b.buffer(op.op_operands[0].value)
    type = expect(t.RankedTensorType, op.results[0].type)
    view_type = infer_expanded_type(ranked(buffer), type.shape, op.reassociation_indices())
    if view_type is None:
        raise RewriteFailed
    view = memref.ExpandShapeOp((buffer, *op.output_shape), (view_type,), None, op.properties)
    b.replace(op, b.insert(view).results)


def expand_shape_type(value: Value, types: TypeInference) -> TypeRequest:
    op = expect(tensor.ExpandShapeOp, value.defining_op)
    source = expect(t.MemRefType, (yield op.op_operands[0].value))
    assert isinstance(value.type, t.RankedTensorType)
    type = infer_expanded_type(source, value.type.shape, op.reassociation_indices())
    if type is None:
        raise RewriteFailed
    return type


def bufferize_reshape(op: Operation, b: Bufferizer) -> None:
    source, shape = op.operands
    buffer, shape_buffer = b.buffer(source), b.buffer(shape)
    type: BufferType = b.buffer_type(op.results[0])
    if isinstance(buffer.type, t.MemRefType) and not buffer.type.is_identity_layout:
        buffer = _dense_copy(b, op, source, buffer.type)
    b.replace(op, b.insert(memref.ReshapeOp((buffer, shape_buffer), (type,))).results)


def reshape_type(value: Value, types: TypeInference) -> TypeRequest:
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    return identity_type(value.type, source.memory_space)


VIEW_REWRITES = {
    tensor.CastOp: Rewrite(bufferize_cast, cast_type),
    tensor.CollapseShapeOp: Rewrite(bufferize_collapse_shape, collapse_shape_type),
    tensor.ExpandShapeOp: Rewrite(bufferize_expand_shape, expand_shape_type),
    tensor.ReshapeOp: Rewrite(bufferize_reshape, reshape_type),
}
