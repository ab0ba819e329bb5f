"""Folds of `vector` that compute with constant vectors, and follow elements to where they were inserted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..common import DYNAMIC
from ..vector.elements import ExtractOp, InsertOp
from ..vector.masks import ConstantMaskOp
from ..vector.shapes import BroadcastOp
from . import IN_PLACE, Constants, Fold, Folded
from .constants import constant_of

MAX_SHARED: Final = 256
"""Elements of a constant that is made even if it has several users, or none."""

MAX_CHAIN: Final = 1000
"""Insertions looked through from one extraction, so that long chains do not cost quadratic time."""


def _elements(attribute: a.Attribute | None) -> list[Any] | None:
    """The elements of a constant: one of a scalar or a splat, else all. None if it is not made of numbers."""
    if isinstance(attribute, (a.IntegerAttr, a.FloatAttr)):
        return [attribute.value]
    if not isinstance(attribute, a.DenseElementsAttr):
        return None
    if not isinstance(attribute.type.element, (t.IntegerType, t.IndexType, t.FloatType)):
        return None
    return list(attribute.values()[: 1 if attribute.is_splat else attribute.num_elements])


def _constant(type: t.Type, elements: Sequence[Any]) -> a.Attribute | None:
    """A constant of scalar or vector type with these elements, or one for all."""
    if isinstance(type, t.VectorType):
        return a.DenseElementsAttr.from_values(type, elements)
    if isinstance(type, (t.IntegerType, t.IndexType)):
        return a.IntegerAttr(int(elements[0]), type)
    return a.FloatAttr(elements[0], type) if isinstance(type, t.FloatType) else None


def _splat(attribute: a.Attribute | None, type: t.Type) -> Folded:
    """A constant of `type` with the one value that `attribute` has everywhere."""
    elements = _elements(attribute)
    if (
        elements is None
        or len(elements) != 1
        or (isinstance(attribute, a.DenseElementsAttr) and not attribute.is_splat)
    ):
        return None
    constant = _constant(type, elements)
    return None if constant is None else [constant]


def _broadcast(op: Operation, constants: Constants) -> Folded:
    source, type = op.op_operands[0].value, op.results[0].type
    return [source] if source.type is type else _splat(constants[0], type)


def _shape_cast(op: Operation, constants: Constants) -> Folded:
    source, type = op.op_operands[0].value, op.results[0].type
    if source.type is type:
        return [source]
    before = source.defining_op
    if before is not None and before.name == "vector.shape_cast":
        original = before.op_operands[0].value
        if original is not source:  # in a graph region, operations may use themselves
            op.op_operands[0].value = original
            return IN_PLACE
    elements = _elements(constants[0])
    constant = None if elements is None else _constant(type, elements)
    return None if constant is None else [constant]


def _transpose(op: Operation, constants: Constants) -> Folded:
    permutation = op.properties["permutation"].values  # pyright: ignore[reportAttributeAccessIssue]
    if tuple(permutation) == tuple(range(len(permutation))):
        return [op.op_operands[0].value]
    return _splat(constants[0], op.results[0].type)


def _constant_mask(op: Operation, constants: Constants) -> Folded:
    """All is set, or nothing."""
    assert isinstance(op, ConstantMaskOp)
    type, sizes = op.mask.type, op.mask_dim_sizes.values
    assert isinstance(type, t.VectorType)
    if tuple(sizes) == (type.shape or (1,)):
        return [a.DenseElementsAttr.from_values(type, [1])]
    return None if any(sizes) else [a.DenseElementsAttr.from_values(type, [0])]


# -- positions


def _make_static(op: ExtractOp | InsertOp, shape: Sequence[int | None]) -> bool:
    """Take constant positions into the attribute, as far as they are inside. Whether there were any."""
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
        if isinstance(known, a.IntegerAttr) and extent is not None and 0 <= known.value < extent:
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


def _chunk(type: t.VectorType, position: Sequence[int]) -> tuple[int, int]:
    """Where in row-major order the part at a position in the leading dimensions begins, and its number of elements."""
    start, size = 0, 1
    for number, extent in zip(position, type.shape, strict=False):
        start = start * (extent or 0) + number
    for extent in type.shape[len(position) :]:
        size *= extent or 0
    return start * size, size


def _count(type: t.VectorType) -> int:
    return _chunk(type, ())[1]


# -- insert


def _insert(op: Operation, constants: Constants) -> Folded:
    assert isinstance(op, InsertOp)
    type = op.output.type
    assert isinstance(type, t.VectorType)
    if not op.static_position.values and op.value_to_store.type is type:
        return [op.value_to_store]
    changed = _make_static(op, type.shape)
    before = op.dest.defining_op
    if isinstance(before, InsertOp) and before.dest is not op.dest and _same_position(before, op):
        # What was inserted there is replaced.
        op.op_operands[1].value = before.dest
        return IN_PLACE
    return _inserted(op, type, constants) or (IN_PLACE if changed else None)


def _same_position(left: InsertOp, right: InsertOp) -> bool:
    return (
        left.static_position.values == right.static_position.values
        and left.dynamic_position == right.dynamic_position
    )


def _inserted(op: InsertOp, type: t.VectorType, constants: Constants) -> Folded:
    """A constant in a constant."""
    part, whole = _elements(constants[0]), _elements(constants[1])
    if part is None or whole is None or not _is_static(op) or any(type.scalable_dims):
        return None
    count = _count(type)
    if count > MAX_SHARED and not op.output.has_one_use:
        return None
    start, size = _chunk(type, op.static_position.values)
    whole = whole * count if len(whole) == 1 else whole
    whole[start : start + size] = part * size if len(part) == 1 else part
    return [a.DenseElementsAttr.from_values(type, whole)]


# -- extract


def _extract(op: Operation, constants: Constants) -> Folded:
    assert isinstance(op, ExtractOp)
    type = op.source.type
    assert isinstance(type, t.VectorType)
    if not op.static_position.values and op.output.type is type:
        return [op.source]
    changed = _make_static(op, type.shape)
    found = _extracted(op, type, constants[0])
    if found is not None:
        return found
    source = op.source.defining_op
    if (
        isinstance(source, ExtractOp)
        and source.source is not op.source
        and _is_static(source)
        and _is_static(op)
    ):
        position = (*source.static_position.values, *op.static_position.values)
        op.properties["static_position"] = a.DenseArrayAttr(t.I64, position)
        op.op_operands[0].value = source.source
        return IN_PLACE
    if isinstance(source, BroadcastOp):
        found = _from_broadcast(op, source)
    else:
        found = _from_insertions(op)
    return IN_PLACE if found is None and changed else found


def _extracted(op: ExtractOp, type: t.VectorType, constant: a.Attribute | None) -> Folded:
    """A part of a constant."""
    found = _splat(constant, op.output.type)
    if found is not None:
        return found
    elements = _elements(constant)
    if elements is None or not _is_static(op) or any(type.scalable_dims):
        return None
    start, size = _chunk(type, op.static_position.values)
    part = _constant(op.output.type, elements[start : start + size])
    return None if part is None else [part]


def _from_broadcast(op: ExtractOp, broadcast: BroadcastOp) -> Folded:
    """What was repeated, or a part of it, if the part was not repeated along its own dimensions."""
    source, wanted = broadcast.source, op.output.type
    if source.type is wanted:
        return [source]
    repeated = broadcast.vector.type
    assert isinstance(repeated, t.VectorType)
    if not isinstance(source.type, t.VectorType):
        return None
    rank = len(wanted.shape) if isinstance(wanted, t.VectorType) else 0
    if len(source.type.shape) <= rank:
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


def _from_insertions(op: ExtractOp) -> Folded:
    """What was inserted where this extracts, past insertions elsewhere."""
    if not _is_static(op):
        return None
    value: Value = op.source
    position = tuple(op.static_position.values)
    seen: set[Value] = set()
    while len(seen) < MAX_CHAIN:
        insertion = value.defining_op
        if not isinstance(insertion, InsertOp) or not _is_static(insertion):
            break
        if value in seen:
            return None
        seen.add(value)
        place = tuple(insertion.static_position.values)
        common = min(len(place), len(position))
        if place[:common] != position[:common]:
            value = insertion.dest
        elif len(place) > len(position):
            return None  # only a part was inserted
        else:
            value, position = insertion.value_to_store, position[len(place) :]
            if not position:
                return [value] if value.type is op.output.type else None
    if value is op.source:
        return None
    op.op_operands[0].value = value
    op.properties["static_position"] = a.DenseArrayAttr(t.I64, position)
    return IN_PLACE


FOLDS: Final[dict[str, Fold]] = {
    "vector.broadcast": _broadcast,
    "vector.constant_mask": _constant_mask,
    "vector.extract": _extract,
    "vector.insert": _insert,
    "vector.shape_cast": _shape_cast,
    "vector.transpose": _transpose,
}
