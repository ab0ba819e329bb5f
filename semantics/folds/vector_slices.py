"""Folds of rectangles of vectors: whole ones, of constants, and of rectangles that were inserted."""

from __future__ import annotations

from itertools import product
from typing import Final

from ...dialects.vector.slices import ExtractStridedSliceOp, InsertStridedSliceOp, numbers_of
from ...ir.program.core import Operation
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from . import IN_PLACE, Constants, Fold, Folded
from .vector_constants import MAX_SHARED, constant_with, elements_of, splat_of
from .vector_elements import MAX_CHAIN, count_of


def _extract(op: ExtractStridedSliceOp, constants: Constants) -> Folded:
    type = expect(t.VectorType, op.output.type)
    if op.source.type is type:
        return [op.source]
    found = _from_insertions(op)
    if found is not None:
        return found
    found = splat_of(constants[0], type)
    if found is not None:
        return found
    elements = elements_of(constants[0])
    if elements is None:
        return None
    chosen = [elements[i] for i in _places(op.source.type, numbers_of(op.offsets), type.shape)]
    constant = constant_with(type, chosen)
    return None if constant is None else [constant]


def _places(whole: t.Type, offsets: list[int], shape: tuple[int | None, ...]) -> list[int]:
    """The places, in row-major order, of a rectangle aligned with the last dimensions of a vector."""
    assert isinstance(whole, t.VectorType)
    rank = len(whole.shape)
    starts = [*offsets, *[0] * (rank - len(offsets))]
    sizes = [*[1] * (rank - len(shape)), *[size or 0 for size in shape]]
    strides = [1] * rank
    for i in range(rank - 2, -1, -1):
        strides[i] = strides[i + 1] * (whole.shape[i + 1] or 0)
    ranges = [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    return [sum(i * stride for i, stride in zip(point, strides, strict=True)) for point in product(*ranges)]


def _from_insertions(op: ExtractStridedSliceOp) -> Folded:
    """The rectangle that was inserted there, or a part of it, past rectangles elsewhere."""
    offsets, sizes = numbers_of(op.offsets), numbers_of(op.sizes)
    insertion = op.source.defining_op
    for _ in range(MAX_CHAIN):
        if not isinstance(insertion, InsertStridedSliceOp):
            return None
        part, whole = insertion.value_to_store.type, insertion.dest.type
        assert isinstance(part, t.VectorType) and isinstance(whole, t.VectorType)
        if len(part.shape) != len(whole.shape) or len(offsets) > len(part.shape):
            return None
        places = numbers_of(insertion.offsets)
        if (
            part is op.output.type
            and tuple(places[: len(offsets)]) == tuple(offsets)
            and not any(places[len(offsets) :])
        ):
            return [insertion.value_to_store]
        rows = list(zip(offsets, sizes, places, part.shape, strict=False))
        apart = any(start + size <= at or at + (extent or 0) <= start for start, size, at, extent in rows)
        if not apart:
            within = all(
                at <= start and start + size <= at + (extent or 0) for start, size, at, extent in rows
            )
            if not within or part.shape[len(offsets) :] != whole.shape[len(offsets) :]:
                return None
            op.op_operands[0].value = insertion.value_to_store
            moved = [a.IntegerAttr(start - at, t.I64) for start, _, at, _ in rows]
            op.properties["offsets"] = a.ArrayAttr(moved)
            return IN_PLACE
        insertion = insertion.dest.defining_op
    return None


def _insert(op: InsertStridedSliceOp, constants: Constants) -> Folded:
    type = expect(t.VectorType, op.output.type)
    if op.value_to_store.type is type:
        return [op.value_to_store]
    part, whole = elements_of(constants[0]), elements_of(constants[1])
    if part is None or whole is None:
        return None
    if len(part) == len(whole) == 1 and part == whole:
        return [op.dest]
    count = count_of(type)
    if count > MAX_SHARED and not op.output.has_one_use:
        return None
    inner = expect(t.VectorType, op.value_to_store.type)
    elements = whole * count if len(whole) == 1 else list(whole)
    places = _places(type, numbers_of(op.offsets), inner.shape)
    for i, place in enumerate(places):
        elements[place] = part[0 if len(part) == 1 else i]
    constant = constant_with(type, elements)
    return None if constant is None else [constant]


FOLDS: Final[dict[type[Operation], Fold]] = {
    ExtractStridedSliceOp: _extract,
    InsertStridedSliceOp: _insert,
}
