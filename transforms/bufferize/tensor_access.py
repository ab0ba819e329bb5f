"""Rewrites of operations on elements and parts: loads, stores, views of a part, copies into a part."""

from __future__ import annotations

from ...analysis.causes import CauseKind
from ...dialects import memref, tensor
from ...dialects.common import OffsetSizeAndStrideOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import FREE, MemoryEffectOp
from ...ir.source.expect import expect
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr
from . import make
from .buffer_types import TypeRequest, ranked
from .bufferizer import Bufferizer, Rewrite
from .failures import failed
from .inference import TypeInference

SLICE_PROPERTIES = ("static_offsets", "static_sizes", "static_strides")


def bufferize_extract(op: Operation, b: Bufferizer) -> None:
    source, *indices = op.operands
    load = b.insert(make.load(b.buffer(source), indices))
    op.results[0].replace_all_uses_with(load.results[0])
    op.erase()


def bufferize_insert(op: Operation, b: Bufferizer) -> None:
    scalar, dest, *indices = op.operands
    target = b.buffer(dest)
    b.insert(make.store(scalar, target, indices))
    b.replace(op, (target,))


def bufferize_dim(op: Operation, b: Bufferizer) -> None:
    source, index = op.operands
    b.replace(op, b.insert(make.dim(b.buffer(source), index)).results)


def bufferize_rank(op: Operation, b: Bufferizer) -> None:
    source = b.buffer(op.op_operands[0].value)
    b.replace(op, b.insert(memref.RankOp((source,), (t.INDEX,))).results)


def view_of_slice(
    b: Bufferizer, buffer: Value, op: OffsetSizeAndStrideOp, shape: t.Shape, first: int
) -> Value:
    """The part of `buffer` that `op` addresses, as `memref.subview` of rank-reduced `shape`.

    `first` is the position of the first offset among the operands of `op`.
    """
    type = slice_type(op, ranked(buffer), shape)
    values = [use._value for use in op.op_operands[first:]]
    counts = expect(DenseArrayAttr, op.properties[OPERAND_SEGMENTS])
    properties = {name: op.properties[name] for name in SLICE_PROPERTIES}
    properties[OPERAND_SEGMENTS] = make.segments(1, *counts.values[-3:])
    return b.insert(memref.SubViewOp((buffer, *values), (type,), None, properties)).results[0]


def slice_type(op: OffsetSizeAndStrideOp, source: t.MemRefType, shape: t.Shape) -> t.MemRefType:
    """The type of that view.

    Raises:
        RewriteFailed: the source is not strided.
    """
    try:
        return memref.SubViewOp.infer_rank_reduced_type(
            shape, source, op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()
        )
    except ValueError:
        raise failed(op, f"base type '{source}' is not strided") from None


def bufferize_extract_slice(op: tensor.ExtractSliceOp, b: Bufferizer) -> None:
    type = expect(t.RankedTensorType, op.results[0].type)
    b.replace(op, (view_of_slice(b, b.buffer(op.op_operands[0].value), op, type.shape, 1),))


def extract_slice_type(value: Value, types: TypeInference) -> TypeRequest:
    op = expect(tensor.ExtractSliceOp, value.defining_op)
    source = expect(t.MemRefType, (yield op.op_operands[0].value))
    assert isinstance(value.type, t.RankedTensorType)
    return slice_type(op, source, value.type.shape)


def bufferize_insert_slice(op: tensor.InsertSliceOp, b: Bufferizer) -> None:
    source, dest = op.op_operands[0].value, op.op_operands[1].value
    target = b.buffer(dest)
    part = view_of_slice(b, target, op, _shape(source), 2)
    b.copy(b.buffer(source), part, b.cause(op, CauseKind.INSERTION, 0, source))
    b.replace(op, (target,))


def bufferize_parallel_insert_slice(op: tensor.ParallelInsertSliceOp, b: Bufferizer) -> None:
    """The copy goes before the terminator that holds the operation; a free of the source goes behind the copy."""
    combining = op.parent_op
    assert combining is not None
    b.move_before(combining)
    source, dest = op.op_operands[0].value, op.op_operands[1].value
    target = b.buffer(dest)
    buffer = b.buffer(source)
    part = view_of_slice(b, target, op, _shape(source), 2)
    b.copy(buffer, part, b.cause(op, CauseKind.INSERTION, 0, source))
    for user in buffer.users:
        if isinstance(user, MemoryEffectOp) and any(e.kind == FREE for e in user.memory_effects()):
            if user.block is combining.block:
                user.move_before(combining)
            break
    op.erase()


def _shape(tensor_value: Value) -> t.Shape:
    type = expect(t.RankedTensorType, tensor_value.type)
    return type.shape


ACCESS_REWRITES = {
    tensor.DimOp: Rewrite(bufferize_dim),
    tensor.ExtractOp: Rewrite(bufferize_extract),
    tensor.ExtractSliceOp: Rewrite(bufferize_extract_slice, extract_slice_type),
    tensor.InsertOp: Rewrite(bufferize_insert),
    tensor.InsertSliceOp: Rewrite(bufferize_insert_slice),
    tensor.ParallelInsertSliceOp: Rewrite(bufferize_parallel_insert_slice),
    tensor.RankOp: Rewrite(bufferize_rank),
}
