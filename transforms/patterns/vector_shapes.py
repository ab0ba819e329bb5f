"""Canonicalization of vector shape changes: casts, transposes, broadcasts, shuffles, extractions and insertions."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Final

from ...dialects import arith
from ...dialects.vector.shapes import BroadcastOp, InterleaveOp, ShapeCastOp, ShuffleOp, TransposeOp
from ...dialects.vector.slices import (
    ConstantMaskOp,
    CreateMaskOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertOp,
    InsertStridedSliceOp,
    ToElementsOp,
    numbers_of,
)
from ...ir.defects import REORDERED_BROADCASTS
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...semantics.folds import integer_of
from ...semantics.folds.vector import keeps_order, repeats, shape_of
from ...semantics.folds.vector_elements import MAX_CHAIN, chunk
from .. import makers
from ..rewriting.rewriter import Rewriter


def splat_source(value: Value) -> Value | None:
    """The scalar that a vector broadcasts, else None."""
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
    """Cast a mask by dropping or adding trailing unit dimensions that are set."""
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
        return False  # all such dimensions are dropped, or none
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
    before, after = (_repetition(broadcast.source.type, each) for each in (op.source.type, type))
    if before != after and REORDERED_BROADCASTS not in rewriter.mirrored:
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=broadcast.source, vector=type))


_Size = tuple[int, int]
"""A number, and how often it is multiplied by the scale of scalable vectors."""


def _repetition(source: t.Type, target: t.Type) -> list[tuple[_Size, _Size]]:
    """The extents of a broadcast vector and the distances of its elements in the source, from the innermost one outwards.

    Dimensions that a cast may merge are merged, so that two vectors repeat a source alike if these are equal.
    """
    assert isinstance(target, t.VectorType)
    inner = _sizes(source) if isinstance(source, t.VectorType) else []
    stride, found = (1, 0), list[tuple[_Size, _Size]]()
    for i, extent in enumerate(reversed(_sizes(target))):
        size = inner[-1 - i] if i < len(inner) else (1, 0)
        step = stride if size != (1, 0) else (0, 0)
        stride = (stride[0] * size[0], stride[1] + size[1])
        if extent == (1, 0):
            continue
        last, distance = found[-1] if found else ((0, 0), (-1, 0))
        after = (last[0] * distance[0], last[1] + distance[1]) if distance[0] else distance
        if found and step == after:
            found[-1] = (last[0] * extent[0], last[1] + extent[1]), distance
        else:
            found.append((extent, step))
    return found


def _sizes(type: t.VectorType) -> list[_Size]:
    return [(size or 0, int(scalable)) for size, scalable in zip(type.shape, type.scalable_dims, strict=True)]


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
    """An order-preserving transpose is a shape cast and merges with one."""
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
    """A transpose that only permutes runs of broadcast dimensions is a broadcast of the same source."""
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
    """A shuffle of 0-d vectors that picks one element is a broadcast of that operand."""
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
    if len(shape) > 1 or op.v2.type is not op.v1.type or len(mask) != 2 * prod(size or 0 for size in shape):
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
    """Consecutive elements of a vector are a slice of it."""
    elements, source, start = op.operands, None, 0
    for i, element in enumerate(elements):
        extract = element.defining_op
        if not isinstance(extract, ExtractOp) or extract.dynamic_position:
            return False
        type = extract.source.type
        position = extract.static_position.values
        if not isinstance(type, t.VectorType) or any(type.scalable_dims) or min(position, default=0) < 0:
            return False
        place = chunk(type, position)[0]
        if source is None:
            source, start = extract.source, place
        elif extract.source is not source or place != start + i:
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
    """The elements of a broadcast are the elements of its source, repeated."""
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


SHAPE_PATTERNS: Final = {
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


# -- extractions and insertions: elements, sub-vectors, strided slices


MAX_ELEMENTS: Final = 1 << 12
"""The size of a vector that is assembled from its elements: each becomes an operand."""


def _extract_of_broadcast(op: ExtractOp, rewriter: Rewriter) -> bool:
    """A sub-vector of a broadcast is a smaller broadcast."""
    broadcast, type = op.source.defining_op, op.output.type
    if not isinstance(broadcast, BroadcastOp) or not isinstance(type, t.VectorType):
        return False
    source = broadcast.source
    made = BroadcastOp.build(source=source, vector=type)
    if made.verify() is not None:
        made.erase()
        return False
    return rewriter.replace_with(op, made)


def _extract_of_mask(op: ExtractOp, rewriter: Rewriter) -> bool:
    """A row of `create_mask` is set or clear if its position is known relative to the mask's size."""
    mask, type = op.source.defining_op, op.output.type
    if not isinstance(mask, CreateMaskOp) or not isinstance(type, t.VectorType):
        return False
    if op.dynamic_position or min(op.static_position.values, default=0) < 0:
        return False
    position = op.static_position.values
    known = [size for value in mask.sizes[: len(position)] if (size := integer_of(value)) is not None]
    if len(known) < len(position):
        return False
    if any(at >= size for at, size in zip(position, known, strict=True)):
        none = a.DenseElementsAttr.from_values(type, [0])
        return rewriter.replace_with(op, arith.ConstantOp((), (type,), None, {"value": none}))
    return rewriter.replace_with(op, CreateMaskOp.build(sizes=list(mask.sizes[len(position) :]), mask=type))


def _extract_of_cast(op: ExtractOp, rewriter: Rewriter) -> bool:
    """Extracting everything from a shape cast is a shape cast."""
    cast, type = op.source.defining_op, op.output.type
    if not isinstance(cast, ShapeCastOp) or not isinstance(type, t.VectorType):
        return False
    source = expect(t.VectorType, cast.source.type)
    if type.num_elements != source.num_elements or any(source.scalable_dims):
        return False
    return rewriter.replace_with(op, ShapeCastOp.build(source=cast.source, output=type))


def _extract_of_elements(op: ExtractOp, rewriter: Rewriter) -> bool:
    """A sub-vector of `from_elements` is `from_elements`."""
    made_by, type = op.source.defining_op, op.output.type
    if not isinstance(made_by, FromElementsOp) or not isinstance(type, t.VectorType) or op.dynamic_position:
        return False
    if min(op.static_position.values, default=0) < 0:
        return False
    whole = expect(t.VectorType, op.source.type)
    start, size = chunk(whole, op.static_position.values)
    elements = made_by.operands[start : start + size]
    return rewriter.replace_with(op, FromElementsOp.build(elements=elements, dest=type))


def _insert_everything(op: InsertOp, rewriter: Rewriter) -> bool:
    """An insertion that covers the whole destination ignores the destination."""
    type, part = op.output.type, op.value_to_store.type
    assert isinstance(type, t.VectorType)
    count = part.num_elements if isinstance(part, t.VectorType) else 1
    if type.num_elements != count or any(type.scalable_dims):
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=op.value_to_store, vector=type))


def _same_splat(op: InsertOp | InsertStridedSliceOp, rewriter: Rewriter) -> bool:
    """Inserting a splat into a splat of the same scalar changes nothing."""
    scalar = splat_source(op.dest)
    if scalar is None or splat_source(op.value_to_store) is not scalar:
        return False
    return rewriter.replace(op, [op.dest])


def _all_inserted(op: InsertOp, rewriter: Rewriter) -> bool:
    """A chain of insertions, without other users, that sets every element is `from_elements`."""
    type = expect(t.VectorType, op.output.type)
    count = type.num_elements or 0
    if any(type.scalable_dims) or count > MAX_ELEMENTS:
        return False
    if any(isinstance(use.owner, InsertOp) and use.owner.dest is op.output for use in op.output.uses):
        return False  # only the last insertion of a chain starts the match
    insertions: list[tuple[int, Value]] = []
    filled: set[int] = set()
    current: Operation | None = op
    while isinstance(current, InsertOp) and len(insertions) < MAX_CHAIN:
        if (current is not op and not current.output.has_one_use) or current.dynamic_position:
            return False
        position = current.static_position.values
        if min(position, default=0) < 0:
            return False
        if len(filled) < count:
            start, size = chunk(type, position)
            part = current.value_to_store.type
            if size != (part.num_elements if isinstance(part, t.VectorType) else 1):
                return False
            insertions.append((start, current.value_to_store))
            filled.update(range(start, start + size))
        current = current.dest.defining_op
    if len(filled) < count:
        return False
    elements: list[Value | None] = [None] * count
    at = rewriter.before(op)
    for start, value in reversed(insertions):
        part = value.type
        if not isinstance(part, t.VectorType):
            elements[start] = value
            continue
        parts = at.insert(ToElementsOp((value,), [part.element] * (part.num_elements or 0)))
        elements[start : start + len(parts.results)] = parts.results
    return rewriter.replace_with(op, FromElementsOp.build(elements=elements, dest=type))


# -- strided slices


def _slice_of_mask(op: ExtractStridedSliceOp, rewriter: Rewriter) -> bool:
    """A strided slice of a mask is a mask, its sizes reduced by the offsets."""
    mask, type = op.source.defining_op, op.output.type
    assert isinstance(type, t.VectorType)
    offsets = numbers_of(op.offsets)
    if isinstance(mask, ConstantMaskOp):
        sizes = list(mask.mask_dim_sizes.values)
        for i, (offset, size) in enumerate(zip(offsets, numbers_of(op.sizes), strict=True)):
            sizes[i] = max(0, min(sizes[i] - offset, size))
        if 0 in sizes:
            sizes = [0] * len(sizes)
        numbers = a.DenseArrayAttr(t.I64, tuple(sizes))
        return rewriter.replace_with(op, ConstantMaskOp.build(mask_dim_sizes=numbers, mask=type))
    if not isinstance(mask, CreateMaskOp):
        return False
    at = rewriter.before(op)
    left: list[Value] = list(mask.sizes)
    for i, offset in enumerate(offsets):
        left[i] = makers.binary(at, arith.SubIOp, left[i], makers.index(at, offset))
    return rewriter.replace_with(op, CreateMaskOp.build(sizes=left, mask=type))


def _slice_of_broadcast(op: ExtractStridedSliceOp, rewriter: Rewriter) -> bool:
    """A slice of a broadcast is a broadcast of a slice."""
    broadcast, type = op.source.defining_op, op.output.type
    if not isinstance(broadcast, BroadcastOp):
        return False
    source: Value = broadcast.source
    inner = source.type
    if isinstance(inner, t.VectorType) and inner.shape:
        whole = shape_of(op.source.type)
        lead = len(whole) - len(inner.shape)
        offsets, sizes = numbers_of(op.offsets)[lead:], numbers_of(op.sizes)[lead:]
        for i, size in enumerate(inner.shape[: len(sizes)]):
            if size != whole[lead + i]:  # broadcast along this dimension
                offsets[i], sizes[i] = 0, size or 0
        if any(offsets) or sizes != list(inner.shape[: len(sizes)]):
            part = t.VectorType((*sizes, *inner.shape[len(sizes) :]), inner.element, inner.scalable_dims)
            made = ExtractStridedSliceOp.build(
                source=source,
                offsets=_array(offsets),
                sizes=_array(sizes),
                strides=_array([1] * len(sizes)),
                output=part,
            )
            source = rewriter.before(op).insert(made).output
    return rewriter.replace_with(op, BroadcastOp.build(source=source, vector=type))


def _array(numbers: list[int]) -> a.ArrayAttr:
    return a.ArrayAttr([a.IntegerAttr(number, t.I64) for number in numbers])


def _contiguous(op: ExtractStridedSliceOp, rewriter: Rewriter) -> bool:
    """A contiguous strided slice is an extraction."""
    whole = expect(t.VectorType, op.source.type)
    sizes, rank = numbers_of(op.sizes), len(whole.shape)
    count = len(sizes)
    while count and sizes[count - 1] == whole.shape[count - 1]:
        count -= 1
    if not count or any(size != 1 for size in sizes[:count]) or any(whole.scalable_dims):
        return False
    offsets = numbers_of(op.offsets)
    while count < rank - 1 and whole.shape[count] == 1:
        count += 1
        offsets += [0] * (count - len(offsets))
    if count >= rank:
        return False
    inner = t.VectorType(whole.shape[count:], whole.element, whole.scalable_dims[count:])
    made = ExtractOp.build(
        source=op.source,
        dynamic_position=[],
        static_position=a.DenseArrayAttr(t.I64, tuple(offsets[:count])),
        output=inner,
    )
    part = rewriter.before(op).insert(made).output
    return rewriter.replace_with(op, ShapeCastOp.build(source=part, output=op.output.type))


def _put_back(op: InsertStridedSliceOp, rewriter: Rewriter) -> bool:
    """Inserting a slice at the position it was extracted from changes nothing."""
    extract = op.value_to_store.defining_op
    if not isinstance(extract, ExtractStridedSliceOp) or extract.source is not op.dest:
        return False
    offsets = numbers_of(extract.offsets)
    places = numbers_of(op.offsets)
    if [*offsets, *[0] * (len(places) - len(offsets))] != places:
        return False
    return rewriter.replace(op, [op.dest])


PART_PATTERNS: Final = {
    ExtractOp: (_extract_of_broadcast, _extract_of_mask, _extract_of_cast, _extract_of_elements),
    ExtractStridedSliceOp: (_slice_of_mask, _slice_of_broadcast, _contiguous),
    InsertOp: (_insert_everything, _same_splat, _all_inserted),
    InsertStridedSliceOp: (_same_splat, _put_back),
}
