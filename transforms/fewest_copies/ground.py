"""Hoisting pure operations to an insertion point, and building sizes and slices.

An operation may be hoisted to a point if it is pure, is in the point's block or an enclosing one, and its operands dominate the
point or can be hoisted as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.nested_dominance import is_defined_at
from ...dialects import arith, linalg, tensor
from ...dialects.common import Mixed, as_number, constant_index as constant, slice_fields
from ...dialects.linalg.base import LinalgOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import SizedResultOp, Slice, Sum, is_memory_effect_free
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from .. import makers

MAX_MOVED = 64
"""Operations hoisted for one value."""


def needed_moves(values: list[Value], place: Operation) -> list[Operation] | None:
    """The operations to hoist before `place`, in order, so that `values` dominate it.

    None if one cannot be hoisted. O(operations moved * depth).
    """
    moved: dict[Operation, None] = {}
    pending: list[tuple[Value, bool]] = [(value, False) for value in reversed(values)]
    while pending:
        value, ready = pending.pop()
        op = value.defining_op
        if op in moved or is_defined_at(value, place):
            continue
        if op is None or len(moved) > MAX_MOVED or not _may_move(op, place):
            return None
        if ready:
            moved[op] = None
            continue
        pending.append((value, True))
        pending += [(operand, False) for operand in op.operands]
    return list(moved)


def _may_move(op: Operation, place: Operation) -> bool:
    if op.regions and not isinstance(op, linalg.FillOp) and not _is_scalar(op):
        return False
    if not is_memory_effect_free(op) or op.may_be_terminator:
        return False
    inside = place.ancestor_in_block(op.block)
    return inside is not None and inside is not op


def _is_scalar(op: Operation) -> bool:
    """Whether an operation computes a tensor of one element, as frontends do for offsets."""
    return isinstance(op, LinalgOp) and all(getattr(v.type, "shape", ()) == () for v in op.operands)


def move(operations: list[Operation], place: Operation) -> None:
    """Hoist operations before `place`, or before its ancestor in their own block."""
    for op in operations:
        anchor = present(place.ancestor_in_block(op.block))
        if anchor is not op:
            op.move_before(anchor)


def add(b: Builder, one: Mixed, other: Mixed) -> Mixed:
    """The sum of two sizes."""
    left, right = constant(one), constant(other)
    if left is not None and right is not None:
        return left + right
    if left == 0:
        return other
    if right == 0:
        return one
    return makers.binary(b, arith.AddIOp, makers.as_value(b, one), makers.as_value(b, other))


def sizes_of(b: Builder, value: Value) -> list[Value]:
    """A value for each dynamic size of a tensor, from its definition where possible."""
    type = expect(t.RankedTensorType, value.type)
    return [size_of(b, value, i) for i, size in enumerate(type.shape) if size is None]


def size_of(b: Builder, value: Value, position: int, sums: bool = True) -> Value:
    """The size of a tensor in one dimension, as a value. O(updates between the tensor and its definition).

    With `sums`, one sum of sizes is computed; nested sums may be as long as the program is deep.
    """
    while True:
        op = value.defining_op
        type = expect(t.RankedTensorType, value.type)
        known = type.shape[position]
        if known is not None:
            return makers.index(b, known)
        size = op.size_of(expect(OpResult, value), position) if isinstance(op, SizedResultOp) else None
        if isinstance(size, tuple) and isinstance(size[0].type, t.RankedTensorType):
            value, position = size
            continue
        if isinstance(size, Value | int):
            return makers.as_value(b, size)
        if isinstance(size, Sum) and sums:
            total: Mixed = 0
            for part in size.parts:
                total = add(b, total, size_of(b, *part, sums=False) if isinstance(part, tuple) else part)
            return makers.as_value(b, total)
        return b.insert(tensor.DimOp((value, makers.index(b, position)), (t.INDEX,))).results[0]


def empty(b: Builder, type: t.RankedTensorType, sizes: list[Value]) -> Value:
    """A new `tensor.empty`."""
    return b.insert(tensor.EmptyOp(sizes, (type,))).results[0]


# Slices of tensors: the subset that an insertion writes, parts of concatenations and paddings.


def extract(
    b: Builder,
    source: Value,
    type: t.RankedTensorType,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> Value:
    """A new extraction of a slice."""
    fields = slice_fields(_lists(offsets, sizes, strides))
    return b.insert(tensor.ExtractSliceOp.build(source=source, result=type, **fields)).the_result


def insert(
    b: Builder,
    source: Value,
    dest: Value,
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
    strides: Sequence[Mixed],
) -> tensor.SliceInsertionOp:
    """A new insertion of a slice."""
    return b.insert(tensor.SliceInsertionOp.of(source, dest, _lists(offsets, sizes, strides)))


def _lists(offsets: Sequence[Mixed], sizes: Sequence[Mixed], strides: Sequence[Mixed]) -> Slice:
    """The lists with constants as static entries; for sizes, the type of the slice determines which are static."""
    return list(map(as_number, offsets)), list(sizes), list(map(as_number, strides))


def sizes(b: Builder, value: Value) -> list[Mixed]:
    """The shape of a tensor: numbers for static sizes, values for dynamic ones."""
    type = expect(t.RankedTensorType, value.type)
    return [size_of(b, value, i) if size is None else size for i, size in enumerate(type.shape)]


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape
