"""Folds of `shape`: constant shapes and sizes.

A constant shape is a tensor of extents, whether the value is a shape or an extent tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import prod
from typing import Final

from ...dialects import shape
from ...dialects.shape import ConstSizeOp, ShapeOfOp
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a, types as t
from . import IN_PLACE, Constants, Fold, Folded, constant_of, integer_of

Extents = Sequence[int | None]
"""The extents of a shape; None for an unknown extent."""


def extents_of(attribute: a.Attribute | None) -> list[int] | None:
    """The extents of a constant shape."""
    return (
        [int(value) for value in attribute.values()] if isinstance(attribute, a.DenseElementsAttr) else None
    )


def _shape(extents: Sequence[int]) -> a.DenseElementsAttr:
    return a.DenseElementsAttr.from_values(t.RankedTensorType((len(extents),), t.INDEX), list(extents))


# -- shapes


def _broadcast(op: Operation, constants: Constants) -> Folded:
    """A single shape broadcasts to itself; constants broadcast by the rules."""
    if len(constants) == 1 and op.op_operands[0].value.type is op.results[0].type:
        return [op.op_operands[0].value]
    if len(constants) < 2:
        return None
    together: list[int] | None = []
    for constant in constants:
        known = extents_of(constant)
        together = None if known is None else broadcast_extents(together, known)
        if together is None:
            return None
    return [_shape(together)]


def broadcast_extents(left: Sequence[int], right: Sequence[int]) -> list[int] | None:
    """The broadcast of two known shapes; None if they are incompatible."""
    together: list[int] = []
    for x, y in zip_longest(reversed(left), reversed(right), fillvalue=1):
        if x != y and x != 1 and y != 1:
            return None
        together.append(y if x == 1 else x)
    return together[::-1]


def _concat(op: Operation, constants: Constants) -> Folded:
    left, right = extents_of(constants[0]), extents_of(constants[1])
    return None if left is None or right is None else [_shape(left + right)]


def _split_at(op: Operation, constants: Constants) -> Folded:
    extents, at = extents_of(constants[0]), constants[1]
    if extents is None or not isinstance(at, a.IntegerAttr) or abs(at.value) > len(extents):
        return None
    position = at.value + len(extents) if at.value < 0 else at.value
    return [_shape(extents[:position]), _shape(extents[position:])]


def _from_extents(op: Operation, constants: Constants) -> Folded:
    extents = [c.value for c in constants if isinstance(c, a.IntegerAttr)]
    return [_shape(extents)] if len(extents) == len(constants) else None


def _to_extent_tensor(op: Operation, constants: Constants) -> Folded:
    if op.op_operands[0].value.type is op.results[0].type:
        return [op.op_operands[0].value]
    known = constants[0]
    return [known] if isinstance(known, a.DenseElementsAttr) and known.type is op.results[0].type else None


def _any(op: Operation, constants: Constants) -> Folded:
    """Any shape will do, so prefer a constant one; constants are the last operands."""
    return [constants[-1]] if constants and constants[-1] is not None else None


# -- sizes


def _rank(op: Operation, constants: Constants) -> Folded:
    extents = extents_of(constants[0])
    return None if extents is None else [a.index_attr(len(extents))]


def _num_elements(op: Operation, constants: Constants) -> Folded:
    extents = extents_of(constants[0])
    return None if extents is None else [a.index_attr(prod(extents))]


def _get_extent(op: Operation, constants: Constants) -> Folded:
    extents, at = extents_of(constants[0]), _position(op.op_operands[1].value)
    return (
        None if extents is None or at is None or not 0 <= at < len(extents) else [a.index_attr(extents[at])]
    )


def _dim(op: Operation, constants: Constants) -> Folded:
    type, at = op.op_operands[0].value.type, _position(op.op_operands[1].value)
    shape = getattr(type, "shape", None)
    if shape is None or at is None or not 0 <= at < len(shape) or shape[at] is None:
        return None
    return [a.index_attr(shape[at])]


def _position(value: Value) -> int | None:
    made = value.defining_op
    return integer_of(value) if isinstance(made, ConstSizeOp) or (made and made.dialect == "arith") else None


def _computed(function: Callable[[int, int], int], neutral: int | None = None) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = constants
        if not isinstance(right, a.IntegerAttr):
            return None
        if right.value == neutral and op.op_operands[1].value.type is t.INDEX:
            return [op.op_operands[0].value]
        if not isinstance(left, a.IntegerAttr):
            return None
        return [a.index_attr(function(left.value, right.value))]

    return fold


def _div(op: Operation, constants: Constants) -> Folded:
    right = constants[1]
    if isinstance(right, a.IntegerAttr) and right.value == 0:
        return None
    return _computed(lambda x, y: x // y)(op, constants)


def _same_number(op: Operation, constants: Constants) -> Folded:
    """A constant index or size is the same number after conversion."""
    return [constants[0]] if isinstance(constants[0], a.IntegerAttr) else None


def _size_to_index(op: Operation, constants: Constants) -> Folded:
    source = op.op_operands[0].value
    return [source] if source.type is op.results[0].type else _same_number(op, constants)


def _extremum(op: Operation, constants: Constants) -> Folded:
    left, right = op.op_operands[0].value, op.op_operands[1].value
    return [left] if left is right else None


# -- constraints: those that hold become constants, those that fail are left to fail at run time


def _shape_eq(op: Operation, constants: Constants) -> Folded:
    if None in constants:
        return None
    return [a.bool_attr(all(c is constants[0] for c in constants))]


def _cstr_eq(op: Operation, constants: Constants) -> Folded:
    if None in constants or any(c is not constants[0] for c in constants):
        return None
    return [a.TRUE]


def _cstr_broadcastable(op: Operation, constants: Constants) -> Folded:
    """At most one shape is not that of a scalar, or the known extents suffice."""
    if sum(extents_of(c) != [] for c in constants) <= 1:
        return [a.TRUE]
    shapes = [_known_extents(use.value) for use in op.op_operands]
    known = [shape for shape in shapes if shape is not None]
    return [a.TRUE] if len(known) == len(shapes) and broadcastable(known) else None


def _known_extents(value: Value) -> Extents | None:
    """The known extents of a shape; None if even its rank is unknown."""
    made = value.defining_op
    if isinstance(made, ShapeOfOp):
        return getattr(made.operands[0].type, "shape", None)
    return extents_of(constant_of(value))


def broadcastable(shapes: Sequence[Extents]) -> bool:
    """Whether shapes certainly broadcast: at each position, the extents other than 1 are known and equal, or there
    is one."""
    for place in zip_longest(*map(reversed, shapes), fillvalue=1):
        extents = [extent for extent in place if extent != 1]
        if len(extents) > 1 and (None in extents or len(set(extents)) > 1):
            return False
    return True


def _is_broadcastable(op: Operation, constants: Constants) -> Folded:
    return [a.TRUE] if len(constants) < 2 else None


def _cstr_require(op: Operation, constants: Constants) -> Folded:
    return [constants[0]] if constants[0] is not None else None


def _assuming_all(op: Operation, constants: Constants) -> Folded:
    """The conjunction is false if one constraint is, provided the later ones are constant; true if all are true.

    Trailing constraints that hold are dropped.
    """
    kept = len(constants)
    while kept and constants[kept - 1] is not None:
        kept -= 1
        if constants[kept] is a.FALSE:
            return [a.FALSE]
    if not kept:
        return [a.TRUE]
    if kept == len(constants):
        return None
    op.operands = op.operands[:kept]
    return IN_PLACE


FOLDS: Final[dict[type[Operation], Fold]] = {
    shape.AddOp: _computed(lambda x, y: x + y, 0),
    shape.AnyOp: _any,
    shape.AssumingAllOp: _assuming_all,
    shape.BroadcastOp: _broadcast,
    shape.ConcatOp: _concat,
    shape.CstrBroadcastableOp: _cstr_broadcastable,
    shape.CstrEqOp: _cstr_eq,
    shape.CstrRequireOp: _cstr_require,
    shape.DimOp: _dim,
    shape.DivOp: _div,
    shape.FromExtentsOp: _from_extents,
    shape.GetExtentOp: _get_extent,
    shape.IndexToSizeOp: _same_number,
    shape.IsBroadcastableOp: _is_broadcastable,
    shape.MaxOp: _extremum,
    shape.MinOp: _extremum,
    shape.MulOp: _computed(lambda x, y: x * y),
    shape.NumElementsOp: _num_elements,
    shape.RankOp: _rank,
    shape.ShapeEqOp: _shape_eq,
    shape.SizeToIndexOp: _size_to_index,
    shape.SplitAtOp: _split_at,
    shape.ToExtentTensorOp: _to_extent_tensor,
}
