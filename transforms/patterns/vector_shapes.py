"""Canonicalization of vectors in another shape or order: casts, transposes, repetition, shuffles, elements put together."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Final

from ...dialects.vector.elements import ExtractOp, FromElementsOp, ToElementsOp
from ...dialects.vector.masks import ConstantMaskOp, CreateMaskOp
from ...dialects.vector.shapes import BroadcastOp, InterleaveOp, ShapeCastOp, ShuffleOp, TransposeOp
from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import integer_of
from ...semantics.folds.vector_elements import chunk
from ...semantics.folds.vector_shapes import keeps_order, repeats, shape_of
from ..rewriting.rewriter import Rewriter


def splat_source(value: Value) -> Value | None:
    """The scalar that a vector repeats."""
    made_by = value.defining_op
    if isinstance(made_by, BroadcastOp) and not isinstance(made_by.source.type, t.VectorType):
        return made_by.source
    return None


def _broadcast_of_broadcast(op: BroadcastOp, rewriter: Rewriter) -> bool:
    inner = op.source.defining_op
    if not isinstance(inner, BroadcastOp):
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=inner.source, vector=op.vector.type))


def _cast_of_mask(op: ShapeCastOp, rewriter: Rewriter) -> bool:
    """A mask without its last dimensions of size 1, which are set, is a mask."""
    mask, type = op.source.defining_op, op.output.type
    rank = len(shape_of(type))
    if not isinstance(mask, (CreateMaskOp, ConstantMaskOp)):
        return False
    whole = mask.mask.type
    assert isinstance(whole, t.VectorType) and isinstance(type, t.VectorType)
    dropped = whole.shape[rank:]
    same = whole.shape[:rank] == type.shape and whole.scalable_dims[:rank] == type.scalable_dims
    if not rank or not same or set(dropped) != {1} or any(whole.scalable_dims[rank:]):
        return False
    if rank > 1 and type.shape[-1] == 1 and not type.scalable_dims[-1]:
        return False  # all such dimensions go, or none
    if isinstance(mask, ConstantMaskOp):
        sizes = mask.mask_dim_sizes.values
        if set(sizes[rank:]) != {1}:
            return False
        kept = a.DenseArrayAttr(t.I64, sizes[:rank])
        return rewriter.replace_with(op, ConstantMaskOp.build(mask_dim_sizes=kept, mask=type))
    if any(integer_of(size) != 1 for size in mask.sizes[rank:]):
        return False
    return rewriter.replace_with(op, CreateMaskOp.build(sizes=list(mask.sizes[:rank]), mask=type))


def _cast_of_broadcast(op: ShapeCastOp, rewriter: Rewriter) -> bool:
    broadcast, type = op.source.defining_op, op.output.type
    if not isinstance(broadcast, BroadcastOp) or not repeats(broadcast.source.type, type):
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=broadcast.source, vector=type))


def _permuted(values: tuple[int, ...], permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(values[i] for i in permutation)


def _transpose_of_mask(op: TransposeOp, rewriter: Rewriter) -> bool:
    mask, order = op.vector.defining_op, op.permutation.values
    if isinstance(mask, CreateMaskOp):
        sizes = [mask.sizes[i] for i in order]
        return rewriter.replace_with(op, CreateMaskOp.build(sizes=sizes, mask=op.output.type))
    if not isinstance(mask, ConstantMaskOp):
        return False
    numbers = a.DenseArrayAttr(t.I64, _permuted(mask.mask_dim_sizes.values, order))
    return rewriter.replace_with(op, ConstantMaskOp.build(mask_dim_sizes=numbers, mask=op.output.type))


def _transpose_of_cast(op: TransposeOp, rewriter: Rewriter) -> bool:
    """A transpose that leaves elements in their order is a cast, and goes together with another one."""
    cast = op.vector.defining_op
    if not isinstance(cast, ShapeCastOp) or not keeps_order(op):
        return False
    return rewriter.replace_with(op, ShapeCastOp.build(source=cast.source, output=op.output.type))


def _transpose_of_transpose(op: TransposeOp, rewriter: Rewriter) -> bool:
    inner = op.vector.defining_op
    if not isinstance(inner, TransposeOp) or inner is op:
        return False
    order = a.DenseArrayAttr(t.I64, _permuted(inner.permutation.values, op.permutation.values))
    return rewriter.replace_with(
        op, TransposeOp.build(vector=inner.vector, permutation=order, output=op.output.type)
    )


def _transpose_of_elements(op: TransposeOp, rewriter: Rewriter) -> bool:
    made_by, type = op.vector.defining_op, op.output.type
    if not isinstance(made_by, FromElementsOp):
        return False
    assert isinstance(type, t.VectorType)
    elements = made_by.operands
    rank, order = len(type.shape), op.permutation.values
    source = shape_of(op.vector.type)
    strides = [prod(size or 0 for size in source[i + 1 :]) for i in range(rank)]
    places = [0]
    for i in range(rank):
        places = [place + k * strides[order[i]] for place in places for k in range(type.shape[i] or 0)]
    return rewriter.replace_with(op, FromElementsOp.build(elements=[elements[i] for i in places], dest=type))


def _transpose_of_broadcast(op: TransposeOp, rewriter: Rewriter) -> bool:
    """Dimensions that only repeat may change places, between those that do not."""
    broadcast = op.vector.defining_op
    if not isinstance(broadcast, BroadcastOp):
        return False
    shape, order = shape_of(broadcast.source.type), op.permutation.values
    lead = len(order) - len(shape)
    bounds = [0]
    for i, size in enumerate(shape):
        if size != 1 or (i and shape[i - 1] != 1):
            bounds.append(i + lead)
    bounds.append(len(order))
    for low, high in pairwise(bounds):
        if any(not low <= order[i] < high for i in range(low, high)):
            return False
    return rewriter.replace_with(op, BroadcastOp.build(source=broadcast.source, vector=op.output.type))


def _shuffle_of_scalars(op: ShuffleOp, rewriter: Rewriter) -> bool:
    """One of two vectors without dimensions, as a vector with one."""
    if shape_of(op.v1.type) or len(op.mask.values) != 1:
        return False
    index = op.mask.values[0]
    if index < 0:
        return False
    source = op.v2 if index else op.v1
    return rewriter.replace_with(op, BroadcastOp.build(source=source, vector=op.vector.type))


def _shuffle_of_splats(op: ShuffleOp, rewriter: Rewriter) -> bool:
    scalar = splat_source(op.v1)
    if scalar is None or splat_source(op.v2) is not scalar:
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=scalar, vector=op.vector.type))


def _interleaving(op: ShuffleOp, rewriter: Rewriter) -> bool:
    shape, mask = shape_of(op.v1.type), op.mask.values
    if len(shape) != 1 or op.v2.type is not op.v1.type or len(mask) != 2 * (shape[0] or 0):
        return False
    half = len(mask) // 2
    if any(index != i // 2 + half * (i % 2) for i, index in enumerate(mask)):
        return False
    return rewriter.replace_with(op, InterleaveOp.build(lhs=op.v1, rhs=op.v2, output=op.vector.type))


def _equal_elements(op: FromElementsOp, rewriter: Rewriter) -> bool:
    elements = op.operands
    if not elements or any(element is not elements[0] for element in elements):
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=elements[0], vector=op.dest.type))


def _elements_in_a_row(op: FromElementsOp, rewriter: Rewriter) -> bool:
    """All elements of a part of a vector, in order, are that part."""
    elements, source, start = op.operands, None, 0
    for i, element in enumerate(elements):
        taken = element.defining_op
        if not isinstance(taken, ExtractOp) or taken.dynamic_position:
            return False
        type = taken.source.type
        position = taken.static_position.values
        if not isinstance(type, t.VectorType) or any(type.scalable_dims) or min(position, default=0) < 0:
            return False
        place = chunk(type, position)[0]
        if source is None:
            source, start = taken.source, place
        elif taken.source is not source or place != start + i:
            return False
    if source is None:
        return False
    shape = shape_of(source.type)
    lead = len(shape)
    size = 1
    while lead and size < len(elements):
        lead -= 1
        size *= shape[lead] or 0
    while lead and shape[lead - 1] == 1:
        lead -= 1
    if size != len(elements) or start % size:
        return False
    number, position = start // size, list[int]()
    for extent in reversed(shape[:lead]):
        position.insert(0, number % (extent or 1))
        number //= extent or 1
    at = rewriter.before(op)
    if lead:
        assert isinstance(source.type, t.VectorType)
        inner = t.VectorType(shape[lead:], source.type.element, source.type.scalable_dims[lead:])
        static = a.DenseArrayAttr(t.I64, tuple(position))
        made = ExtractOp.build(source=source, dynamic_position=[], static_position=static, output=inner)
        source = at.insert(made).output
    if source.type is not op.dest.type:
        source = at.insert(ShapeCastOp.build(source=source, output=op.dest.type)).output
    return rewriter.replace(op, [source])


def _elements_of_broadcast(op: ToElementsOp, rewriter: Rewriter) -> bool:
    """The elements of what is repeated, repeated."""
    broadcast = op.source.defining_op
    if not isinstance(broadcast, BroadcastOp) or not isinstance(broadcast.source.type, t.VectorType):
        return False
    inner, outer = broadcast.source.type, broadcast.vector.type
    assert isinstance(outer, t.VectorType)
    if any(inner.scalable_dims):
        return False
    shape = (1,) * (len(outer.shape) - len(inner.shape)) + inner.shape
    places, stride = [0], 1
    for size, extent in zip(reversed(shape), reversed(outer.shape), strict=True):
        step = stride if size != 1 else 0
        places = [k * step + place for k in range(extent or 0) for place in places]
        stride *= size or 0
    made = ToElementsOp((broadcast.source,), [inner.element] * stride)
    rewriter.before(op).insert(made)
    return rewriter.replace(op, [made.results[place] for place in places])


PATTERNS: Final = {
    BroadcastOp: (_broadcast_of_broadcast,),
    FromElementsOp: (_equal_elements, _elements_in_a_row),
    ShapeCastOp: (_cast_of_mask, _cast_of_broadcast),
    ShuffleOp: (_shuffle_of_scalars, _shuffle_of_splats, _interleaving),
    ToElementsOp: (_elements_of_broadcast,),
    TransposeOp: (
        _transpose_of_mask,
        _transpose_of_cast,
        _transpose_of_transpose,
        _transpose_of_elements,
        _transpose_of_broadcast,
    ),
}
