"""Canonicalization of parts of vectors that are taken out or put in: elements, sub-vectors, rectangles."""

from __future__ import annotations

from typing import Final

from ...dialects import arith
from ...dialects.vector.elements import ExtractOp, FromElementsOp, InsertOp, ToElementsOp
from ...dialects.vector.masks import ConstantMaskOp, CreateMaskOp
from ...dialects.vector.shapes import BroadcastOp, ShapeCastOp
from ...dialects.vector.slices import ExtractStridedSliceOp, InsertStridedSliceOp, numbers_of
from ...ir.program.core import Operation, Value
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import integer_of
from ...semantics.folds.vector_elements import MAX_CHAIN, chunk
from ...semantics.folds.vector_shapes import shape_of
from ..rewriting.rewriter import Rewriter
from .vector_shapes import splat_source

MAX_ELEMENTS: Final = 1 << 12
"""Elements of a vector that is put together of its elements: each becomes an operand."""


def _extract_of_broadcast(op: ExtractOp, rewriter: Rewriter) -> bool:
    """A part of something repeated is that thing, repeated less often."""
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
    """A row of a mask whose number of rows is known is set as the others are, or not at all."""
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
    """The whole of a reshaped vector is that vector in another shape."""
    cast, type = op.source.defining_op, op.output.type
    if not isinstance(cast, ShapeCastOp) or not isinstance(type, t.VectorType):
        return False
    source = expect(t.VectorType, cast.source.type)
    if type.num_elements != source.num_elements or any(source.scalable_dims):
        return False
    return rewriter.replace_with(op, ShapeCastOp.build(source=cast.source, output=type))


def _extract_of_elements(op: ExtractOp, rewriter: Rewriter) -> bool:
    """A sub-vector of elements."""
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
    """Where one element or sub-vector is all there is, nothing of the destination is left."""
    type, part = op.output.type, op.value_to_store.type
    assert isinstance(type, t.VectorType)
    count = part.num_elements if isinstance(part, t.VectorType) else 1
    if type.num_elements != count or any(type.scalable_dims):
        return False
    return rewriter.replace_with(op, BroadcastOp.build(source=op.value_to_store, vector=type))


def _same_splat(op: InsertOp | InsertStridedSliceOp, rewriter: Rewriter) -> bool:
    """More of what is everywhere already."""
    scalar = splat_source(op.dest)
    if scalar is None or splat_source(op.value_to_store) is not scalar:
        return False
    return rewriter.replace(op, [op.dest])


def _all_inserted(op: InsertOp, rewriter: Rewriter) -> bool:
    """Insertions that together replace the whole vector, and that nobody else sees, are a vector of elements."""
    type = expect(t.VectorType, op.output.type)
    count = type.num_elements or 0
    if any(type.scalable_dims) or count > MAX_ELEMENTS:
        return False
    if any(isinstance(use.owner, InsertOp) and use.owner.dest is op.output for use in op.output.uses):
        return False  # the last one of a chain decides
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
        taken = at.insert(ToElementsOp((value,), [part.element] * (part.num_elements or 0)))
        elements[start : start + len(taken.results)] = taken.results
    return rewriter.replace_with(op, FromElementsOp.build(elements=elements, dest=type))


# -- rectangles


def _slice_of_mask(op: ExtractStridedSliceOp, rewriter: Rewriter) -> bool:
    """What is set of a rectangle of a mask: less by where it begins."""
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
        number = a.IntegerAttr(offset, t.INDEX)
        constant = at.insert(arith.ConstantOp((), (t.INDEX,), None, {"value": number})).results[0]
        left[i] = at.insert(arith.SubIOp((left[i], constant), (t.INDEX,))).results[0]
    return rewriter.replace_with(op, CreateMaskOp.build(sizes=left, mask=type))


def _slice_of_broadcast(op: ExtractStridedSliceOp, rewriter: Rewriter) -> bool:
    """The part of what is repeated, repeated."""
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
            if size != whole[lead + i]:  # repeated along this dimension
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
    """A rectangle that is one sub-vector is taken out as that."""
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
    """What was taken from the very place where it is put."""
    taken = op.value_to_store.defining_op
    if not isinstance(taken, ExtractStridedSliceOp) or taken.source is not op.dest:
        return False
    offsets = numbers_of(taken.offsets)
    places = numbers_of(op.offsets)
    if [*offsets, *[0] * (len(places) - len(offsets))] != places:
        return False
    return rewriter.replace(op, [op.dest])


PATTERNS: Final = {
    ExtractOp: (_extract_of_broadcast, _extract_of_mask, _extract_of_cast, _extract_of_elements),
    ExtractStridedSliceOp: (_slice_of_mask, _slice_of_broadcast, _contiguous),
    InsertOp: (_insert_everything, _same_splat, _all_inserted),
    InsertStridedSliceOp: (_same_splat, _put_back),
}
