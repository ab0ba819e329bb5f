"""Folds of `vector`: constant vectors, and extracted elements traced to their insertion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...dialects.builtin import POISON
from ...dialects.common import DYNAMIC
from ...dialects.vector.shapes import BroadcastOp, ShuffleOp, TransposeOp
from ...dialects.vector.slices import (
    ConstantMaskOp,
    ExtractOp,
    ExtractStridedSliceOp,
    InsertOp,
    InsertStridedSliceOp,
    numbers_of,
)
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from . import IN_PLACE, Constants, Fold, Folded, constant_of

# -- constant vectors


MAX_SHARED: Final = 256
"""The size up to which a constant is created even if its operand has several users."""


def elements_of(attribute: a.Attribute | None) -> list[Any] | None:
    """The elements of a constant: a single one for a scalar or splat, else all. None if it is not numeric."""
    if isinstance(attribute, (a.IntegerAttr, a.FloatAttr)):
        return [attribute.value]
    if not isinstance(attribute, a.DenseElementsAttr):
        return None
    if not isinstance(attribute.type.element, (t.IntegerType, t.IndexType, t.FloatType)):
        return None
    return list(attribute.values()[: 1 if attribute.is_splat else attribute.num_elements])


def constant_with(type: t.Type, elements: Sequence[Any]) -> a.Attribute | None:
    """A constant of scalar or vector type with these elements, or a splat of a single one."""
    if isinstance(type, t.VectorType):
        return a.DenseElementsAttr.from_values(type, elements)
    if isinstance(type, (t.IntegerType, t.IndexType)):
        return a.IntegerAttr(int(elements[0]), type)
    return a.FloatAttr(elements[0], type) if isinstance(type, t.FloatType) else None


def splat_of(attribute: a.Attribute | None, type: t.Type) -> Folded:
    """A constant of `type` with the splat value of `attribute`."""
    elements = elements_of(attribute)
    if (
        elements is None
        or len(elements) != 1
        or (isinstance(attribute, a.DenseElementsAttr) and not attribute.is_splat)
    ):
        return None
    constant = constant_with(type, elements)
    return None if constant is None else [constant]


POISON_INDEX: Final = -1
"""The out-of-bounds position: an element extracted there is poison."""

MAX_CHAIN: Final = 1000
"""The number of insertions searched per extraction; without a limit, long chains would be quadratic."""


def _constant_mask(op: ConstantMaskOp, constants: Constants) -> Folded:
    """A constant mask that is all set or all clear."""
    type, sizes = op.mask.type, op.mask_dim_sizes.values
    assert isinstance(type, t.VectorType)
    if tuple(sizes) == (type.shape or (1,)):
        return [a.DenseElementsAttr.from_values(type, [1])]
    return None if any(sizes) else [a.DenseElementsAttr.from_values(type, [0])]


# -- positions


def _make_static(op: ExtractOp | InsertOp, shape: Sequence[int | None]) -> bool:
    """Move constant positions that are in bounds into the attribute; returns whether there were any."""
    static, dynamic = list(op.static_position.values), list(op.dynamic_position)
    if not dynamic:
        return False
    kept: list[Value] = []
    remaining = iter(dynamic)
    for i, number in enumerate(static):
        if number != DYNAMIC:
            continue
        value = next(remaining)
        known, extent = constant_of(value), shape[i]
        if isinstance(known, a.IntegerAttr) and extent is not None and POISON_INDEX <= known.value < extent:
            static[i] = known.value
        else:
            kept.append(value)
    if len(kept) == len(dynamic):
        return False
    op.operands = [*op.operands[: len(op.op_operands) - len(dynamic)], *kept]
    op.properties["static_position"] = a.DenseArrayAttr(t.I64, tuple(static))
    return True


def _is_static(op: ExtractOp | InsertOp) -> bool:
    return not op.dynamic_position and all(number >= 0 for number in op.static_position.values)


def chunk(type: t.VectorType, position: Sequence[int]) -> tuple[int, int]:
    """The row-major start and the number of elements of the sub-vector at a position in the leading dimensions."""
    start, size = 0, 1
    for number, extent in zip(position, type.shape, strict=False):
        start = start * (extent or 0) + number
    for extent in type.shape[len(position) :]:
        size *= extent or 0
    return start * size, size


def count_of(type: t.VectorType) -> int:
    return chunk(type, ())[1]


# -- insert


def _insert(op: InsertOp, constants: Constants) -> Folded:
    type = expect(t.VectorType, op.output.type)
    if not op.static_position.values and op.value_to_store.type is type:
        return [op.value_to_store]
    if POISON_INDEX in op.static_position.values:
        return [POISON]
    changed = _make_static(op, type.shape)
    before = op.dest.defining_op
    if isinstance(before, InsertOp) and before.dest is not op.dest and _same_position(before, op):
        # The earlier insertion at this position is dead.
        op.op_operands[1].value = before.dest
        return IN_PLACE
    return _inserted(op, type, constants) or (IN_PLACE if changed else None)


def _same_position(left: InsertOp, right: InsertOp) -> bool:
    return (
        left.static_position.values == right.static_position.values
        and left.dynamic_position == right.dynamic_position
    )


def _inserted(op: InsertOp, type: t.VectorType, constants: Constants) -> Folded:
    """A constant inserted into a constant."""
    part, whole = elements_of(constants[0]), elements_of(constants[1])
    if part is None or whole is None or not _is_static(op) or any(type.scalable_dims):
        return None
    count = count_of(type)
    if count > MAX_SHARED and not op.output.has_one_use:
        return None
    start, size = chunk(type, op.static_position.values)
    whole = whole * count if len(whole) == 1 else whole
    whole[start : start + size] = part * size if len(part) == 1 else part
    return [a.DenseElementsAttr.from_values(type, whole)]


# -- extract


def _extract(op: ExtractOp, constants: Constants) -> Folded:
    type = expect(t.VectorType, op.source.type)
    if not op.static_position.values and op.output.type is type:
        return [op.source]
    if constants[0] is POISON:
        return [POISON]
    changed = _make_static(op, type.shape)
    if POISON_INDEX in op.static_position.values:
        return [POISON]
    if (found := _extracted(op, type, constants[0])) is not None:
        return found
    source = op.source.defining_op
    if (
        isinstance(source, ExtractOp)
        and source.source is not op.source
        and _is_static(source)
        and _is_static(op)
    ):
        position = (*source.static_position.values, *op.static_position.values)
        return _move(op, source.source, position)
    found = None
    if isinstance(source, BroadcastOp):
        found = _from_broadcast(op, source)
    elif _is_static(op):
        look = _PARTS.get(source.name) if source is not None else None
        found = look(op, source) if look is not None else None  # pyright: ignore[reportArgumentType]
    return IN_PLACE if found is None and changed else found


def _move(op: ExtractOp, source: Value, position: Sequence[int]) -> Folded:
    """Extract from `source` at `position` instead."""
    op.op_operands[0].value = source
    op.properties["static_position"] = a.DenseArrayAttr(t.I64, tuple(position))
    return IN_PLACE


def _rank(type: t.Type) -> int:
    return len(type.shape) if isinstance(type, t.VectorType) else 0


def _extracted(op: ExtractOp, type: t.VectorType, constant: a.Attribute | None) -> Folded:
    """A sub-vector of a constant."""
    if (found := splat_of(constant, op.output.type)) is not None:
        return found
    elements = elements_of(constant)
    if elements is None or not _is_static(op) or any(type.scalable_dims):
        return None
    start, size = chunk(type, op.static_position.values)
    part = constant_with(op.output.type, elements[start : start + size])
    return None if part is None else [part]


def _from_broadcast(op: ExtractOp, broadcast: BroadcastOp) -> Folded:
    """The source of the broadcast, or a part of it, if the part's own dimensions are not broadcast."""
    source, wanted = broadcast.source, op.output.type
    if source.type is wanted:
        return [source]
    repeated = expect(t.VectorType, broadcast.vector.type)
    if not isinstance(source.type, t.VectorType):
        return None
    rank = _rank(wanted)
    if len(source.type.shape) - rank < isinstance(wanted, t.VectorType):
        return None
    lead = len(repeated.shape) - len(source.type.shape)
    if source.type.shape[len(source.type.shape) - rank :] != repeated.shape[len(repeated.shape) - rank :]:
        return None
    static: list[int] = []
    dynamic: list[Value] = []
    remaining = iter(op.dynamic_position)
    for i, number in enumerate(op.static_position.values):
        value = next(remaining) if number == DYNAMIC else None
        if i < lead:
            continue
        stretched = source.type.shape[i - lead] != repeated.shape[i]
        static.append(0 if stretched else number)
        if value is not None and not stretched:
            dynamic.append(value)
    op.operands = [source, *dynamic]
    op.properties["static_position"] = a.DenseArrayAttr(t.I64, tuple(static))
    return IN_PLACE


def _from_insertions(op: ExtractOp, first: Operation) -> Folded:
    """The value inserted at the extracted position, past disjoint insertions and transposes.

    The position has a number for each dimension indexed by the extraction; -2, -3, ... stand for the kept
    dimensions in order.
    """
    type = expect(t.VectorType, op.source.type)
    value: Value = op.source
    taken = tuple(op.static_position.values)
    kept = tuple(range(-2, -2 - (len(type.shape) - len(taken)), -1))
    position = (*taken, *kept)
    seen: set[Value] = set()
    while len(seen) < MAX_CHAIN:
        if value in seen:
            return None
        seen.add(value)
        made_by = value.defining_op
        if isinstance(made_by, TransposeOp):
            moved = [0] * len(position)
            for i, source in enumerate(made_by.permutation.values):
                moved[source] = position[i]
            value, position = made_by.vector, tuple(moved)
            continue
        if not isinstance(made_by, InsertOp):
            break
        place = tuple(made_by.static_position.values)
        if position == (*place, *kept):
            return [made_by.value_to_store] if made_by.value_to_store.type is op.output.type else None
        if position[: len(place)] == place:
            value, position = made_by.value_to_store, position[len(place) :]
            break
        if all(one == other for one, other in zip(position, place, strict=False) if one >= 0 and other >= 0):
            return None  # the insertion may overlap partially
        value = made_by.dest
    extracted = len(position) - len(kept)
    if value is op.source or position[extracted:] != kept or min(position[:extracted], default=0) < 0:
        return None
    return _move(op, value, position[:extracted])


def _from_shuffle(op: ExtractOp, shuffle: ShuffleOp) -> Folded:
    """The source element of a shuffle of 1-d vectors."""
    type = shuffle.v1.type
    if not isinstance(type, t.VectorType) or len(type.shape) != 1 or len(op.static_position.values) != 1:
        return None
    index = shuffle.mask.values[op.static_position.values[0]]
    if index < 0:
        return [POISON]
    size = type.shape[0] or 0
    return _move(op, shuffle.v1, (index,)) if index < size else _move(op, shuffle.v2, (index - size,))


def _from_shape_cast(op: ExtractOp, cast: Operation) -> Folded:
    """The same elements of the source, if the part's own dimensions are trailing ones there, too."""
    source, type, wanted = cast.op_operands[0].value, op.source.type, op.output.type
    assert isinstance(source.type, t.VectorType) and isinstance(type, t.VectorType)
    rank = _rank(wanted)
    inner = wanted.shape if isinstance(wanted, t.VectorType) else ()
    shape = source.type.shape
    if any(type.scalable_dims) or rank > len(shape) or shape[len(shape) - rank :] != inner:
        return None
    start, size = chunk(type, op.static_position.values)
    number = start // size if size else 0
    position: list[int] = []
    for extent in reversed(shape[: len(shape) - rank]):
        position.insert(0, number % (extent or 1))
        number //= extent or 1
    return _move(op, source, position)


def _from_slice(op: ExtractOp, slice: ExtractStridedSliceOp) -> Folded:
    """The same sub-vector of the source, if the slice keeps the sub-vector's own dimensions whole."""
    whole, cut = slice.source.type, slice.output.type
    assert isinstance(whole, t.VectorType) and isinstance(cut, t.VectorType)
    offsets = numbers_of(slice.offsets)
    while offsets and offsets[-1] == 0 and cut.shape[len(offsets) - 1] == whole.shape[len(offsets) - 1]:
        offsets.pop()
    position = op.static_position.values
    if _rank(op.output.type) > len(whole.shape) - len(offsets) or len(position) < len(offsets):
        return None
    shifted = [p + offsets[i] if i < len(offsets) else p for i, p in enumerate(position)]
    return _move(op, slice.source, shifted)


def _from_inserted_slices(op: ExtractOp, first: Operation) -> Folded:
    """The sub-vector of an inserted strided slice that contains it, past disjoint insertions."""
    insertion: Operation | None = first
    position, rank = op.static_position.values, _rank(op.output.type)
    for _ in range(MAX_CHAIN):
        if not isinstance(insertion, InsertStridedSliceOp):
            return None
        part, whole = insertion.value_to_store.type, insertion.dest.type
        assert isinstance(part, t.VectorType) and isinstance(whole, t.VectorType)
        lead = len(whole.shape) - len(part.shape)
        if rank > len(part.shape):
            return None
        offsets = numbers_of(insertion.offsets)
        sizes = (1,) * lead + part.shape
        inside = all(
            start <= at < start + (size or 0)
            for at, start, size in zip(position, offsets, sizes, strict=False)
        )
        if inside:
            inner = len(part.shape) - rank
            if any(part.shape[i] != whole.shape[i + lead] for i in range(inner, len(part.shape))):
                return None
            return _move(
                op, insertion.value_to_store, [at - offsets[i] for i, at in enumerate(position) if i >= lead]
            )
        insertion = insertion.dest.defining_op
    return None


def _from_elements(op: ExtractOp, made_by: Operation) -> Folded:
    """The operand of `from_elements` at the extracted position."""
    type = expect(t.VectorType, op.source.type)
    if isinstance(op.output.type, t.VectorType):
        return None
    return [made_by.op_operands[chunk(type, op.static_position.values)[0]].value]


_PARTS: Final[dict[str, Callable[[ExtractOp, Any], Folded]]] = {
    "vector.extract_strided_slice": _from_slice,
    "vector.from_elements": _from_elements,
    "vector.insert": _from_insertions,
    "vector.insert_strided_slice": _from_inserted_slices,
    "vector.shape_cast": _from_shape_cast,
    "vector.shuffle": _from_shuffle,
    "vector.transpose": _from_insertions,
}
"""The folds of an extraction, by the operation that defines its source."""

FOLDS: Final[dict[type[Operation], Fold]] = {
    ConstantMaskOp: _constant_mask,
    ExtractOp: _extract,
    InsertOp: _insert,
}
