"""Folds of `index`, whose width is known only on the machine: what holds both for 32 and for 64 bits.

Constants are kept as numbers of 64 bits. An operation whose lower half depends on lower halves alone is computed; any
other one is if 64 bits, cut, and 32 bits agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...dialects import index
from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from . import Constants, Fold, Folded
from .arith import REFLEXIVE, holds
from .integer_division import ceildivui, divsi, divui, floordivsi, remsi, remui, rounded_up

WIDE: Final = 64
NARROW: Final = 32

Compute = Callable[[int, int, int], int | None]
"""Two signed numbers and their width to the result, None where there is none."""


def _cut(value: int, width: int) -> int:
    """The signed number that the lowest bits are."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def _on_both_widths(function: Compute, left: int, right: int) -> int | None:
    wide = function(left, right, WIDE)
    narrow = function(_cut(left, NARROW), _cut(right, NARROW), NARROW)
    if wide is None or narrow is None or _cut(wide, NARROW) != _cut(narrow, NARROW):
        return None
    return _cut(wide, WIDE)


def compute(kind: type[Operation], left: int, right: int) -> int | None:
    """What an operation on two constants gives, if it does not depend on the width."""
    return _on_both_widths(FUNCTIONS[kind], left, right)


def _binary(kind: type[Operation]) -> Fold:
    identity = IDENTITIES.get(kind)
    absorbing = ABSORBING.get(kind)

    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = constants
        if isinstance(left, a.IntegerAttr) and isinstance(right, a.IntegerAttr):
            found = compute(kind, left.value, right.value)
            if found is not None:
                return [a.index_attr(found)]
        if isinstance(right, a.IntegerAttr):
            if right.value == identity:
                return [op.op_operands[0].value]
            if right.value == absorbing:
                return [right]
        return None

    return fold


def _unsigned(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def _shift(function: Compute) -> Compute:
    return lambda x, y, width: function(x, y, width) if 0 <= y < width else None


FUNCTIONS: Final[dict[type[Operation], Compute]] = {
    index.AddOp: lambda x, y, w: x + y,
    index.SubOp: lambda x, y, w: x - y,
    index.MulOp: lambda x, y, w: x * y,
    index.AndOp: lambda x, y, w: x & y,
    index.OrOp: lambda x, y, w: x | y,
    index.XOrOp: lambda x, y, w: x ^ y,
    index.MaxSOp: lambda x, y, w: max(x, y),
    index.MinSOp: lambda x, y, w: min(x, y),
    index.MaxUOp: lambda x, y, w: max(_unsigned(x, w), _unsigned(y, w)),
    index.MinUOp: lambda x, y, w: min(_unsigned(x, w), _unsigned(y, w)),
    index.ShlOp: _shift(lambda x, y, w: x << y),
    index.ShrSOp: _shift(lambda x, y, w: x >> y),
    index.ShrUOp: _shift(lambda x, y, w: _unsigned(x, w) >> y),
    index.DivSOp: divsi,
    index.DivUOp: divui,
    index.CeilDivSOp: rounded_up,
    index.CeilDivUOp: ceildivui,
    index.FloorDivSOp: floordivsi,
    index.RemSOp: remsi,
    index.RemUOp: remui,
}
IDENTITIES: Final[dict[type[Operation], int]] = {index.AddOp: 0, index.SubOp: 0, index.MulOp: 1}
ABSORBING: Final[dict[type[Operation], int]] = {index.MulOp: 0}


def _cmp(op: index.CmpOp, constants: Constants) -> Folded:
    left, right = constants
    predicate = op.predicate
    if isinstance(left, a.IntegerAttr) and isinstance(right, a.IntegerAttr):
        wide = holds(predicate, left.value, right.value, WIDE)
        narrow = holds(predicate, _cut(left.value, NARROW), _cut(right.value, NARROW), NARROW)
        return [a.bool_attr(wide)] if wide == narrow else None
    bound = op.lhs.defining_op
    if bound is not None and isinstance(right, a.IntegerAttr):
        decided = _decided_by_bound(predicate, bound, right.value)
        if decided is not None:
            return [a.bool_attr(decided)]
    if op.lhs is op.rhs:
        return [a.bool_attr(predicate in REFLEXIVE)]
    return None


_BOUNDS: Final[dict[type[Operation], tuple[bool, bool]]] = {
    index.MaxSOp: (True, False),
    index.MinSOp: (True, True),
    index.MaxUOp: (False, False),
    index.MinUOp: (False, True),
}
"""Whether it compares as signed; whether the result is at most each operand, not at least."""


def _decided_by_bound(predicate: str, bound: Operation, right: int) -> bool | None:
    """A comparison with a constant of something that lies on one side of another constant, on both widths."""
    signed, above = _BOUNDS.get(type(bound), (None, None))
    if signed is None:
        return None
    limit = bound.op_operands[1].value.defining_op
    if not isinstance(limit, index.ConstantOp):
        return None
    known = limit.properties["value"]
    assert isinstance(known, a.IntegerAttr)
    if predicate in ("eq", "ne"):
        if signed == above:  # as in mlir-opt: by signed lower bounds and unsigned upper ones only
            return None
    elif (predicate[0] == "s") != signed:
        return None
    answers = {
        _decided(predicate, _cut(known.value, width), _cut(right, width), width, signed, bool(above))
        for width in (WIDE, NARROW)
    }
    return answers.pop() if len(answers) == 1 else None


def _decided(predicate: str, limit: int, right: int, width: int, signed: bool, above: bool) -> bool | None:
    """Whether all numbers up to `limit` (if `above`), or all from it, compare alike with `right`."""
    if not signed:
        limit, right = _unsigned(limit, width), _unsigned(right, width)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    first, last = (low, limit) if above else (limit, high)
    kind = predicate[-2:]
    if kind in ("eq", "ne"):
        return kind == "ne" if not first <= right <= last else None
    all_hold = {"lt": last < right, "le": last <= right, "gt": first > right, "ge": first >= right}[kind]
    none_hold = {"lt": first >= right, "le": first > right, "gt": last <= right, "ge": last < right}[kind]
    return True if all_hold else (False if none_hold else None)


def _cast(signed: bool) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        known, type = constants[0], op.results[0].type
        source = op.op_operands[0].value.type
        if not isinstance(known, a.IntegerAttr):
            return None
        if isinstance(source, t.IntegerType):
            bits = source.width
            value = _cut(known.value, bits) if signed else _unsigned(known.value, bits)
            return [a.index_attr(_cut(value, WIDE))] if bits <= WIDE else None
        if not isinstance(type, t.IntegerType):
            return None
        wide, narrow = known.value, _cut(known.value, NARROW)
        if not signed:
            wide, narrow = _unsigned(wide, WIDE), _unsigned(narrow, NARROW)
        if _unsigned(wide, type.width) != _unsigned(narrow, type.width):
            return None
        return [a.IntegerAttr(_cut(wide, type.width), type)]

    return fold


FOLDS: Final[dict[type[Operation], Fold]] = {
    **{kind: _binary(kind) for kind in FUNCTIONS},
    index.CmpOp: _cmp,
    index.CastSOp: _cast(True),
    index.CastUOp: _cast(False),
}
