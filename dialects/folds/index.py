"""Folds of `index`, whose width is known only on the machine: what holds both for 32 and for 64 bits.

Constants are kept as numbers of 64 bits. An operation whose lower half depends on lower halves alone is computed; any
other one is if 64 bits, cut, and 32 bits agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..index import CmpOp
from . import Constants, Fold, Folded
from .arith import REFLEXIVE, holds
from .integer_division import divisions

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


def compute(name: str, left: int, right: int) -> int | None:
    """What an operation on two constants gives, if it does not depend on the width."""
    return _on_both_widths(FUNCTIONS[name], left, right)


def _binary(name: str) -> Fold:
    identity = IDENTITIES.get(name)
    absorbing = ABSORBING.get(name)

    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = constants
        if isinstance(left, a.IntegerAttr) and isinstance(right, a.IntegerAttr):
            found = compute(name, left.value, right.value)
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


FUNCTIONS: Final[dict[str, Compute]] = {
    "index.add": lambda x, y, w: x + y,
    "index.sub": lambda x, y, w: x - y,
    "index.mul": lambda x, y, w: x * y,
    "index.and": lambda x, y, w: x & y,
    "index.or": lambda x, y, w: x | y,
    "index.xor": lambda x, y, w: x ^ y,
    "index.maxs": lambda x, y, w: max(x, y),
    "index.mins": lambda x, y, w: min(x, y),
    "index.maxu": lambda x, y, w: max(_unsigned(x, w), _unsigned(y, w)),
    "index.minu": lambda x, y, w: min(_unsigned(x, w), _unsigned(y, w)),
    "index.shl": _shift(lambda x, y, w: x << y),
    "index.shrs": _shift(lambda x, y, w: x >> y),
    "index.shru": _shift(lambda x, y, w: _unsigned(x, w) >> y),
    **{f"index.{name}": function for name, function in divisions().items()},
}
IDENTITIES: Final = {"index.add": 0, "index.sub": 0, "index.mul": 1}
ABSORBING: Final = {"index.mul": 0}


def _cmp(op: Operation, constants: Constants) -> Folded:
    assert isinstance(op, CmpOp)
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


_BOUNDS: Final = {"index.maxs": (True, False), "index.mins": (True, True)}
_UNSIGNED_BOUNDS: Final = {"index.maxu": (False, False), "index.minu": (False, True)}


def _decided_by_bound(predicate: str, bound: Operation, right: int) -> bool | None:
    """A comparison with a constant of something that lies on one side of another constant, on both widths."""
    signed, above = (_BOUNDS | _UNSIGNED_BOUNDS).get(bound.name, (None, None))
    if signed is None:
        return None
    limit = bound.op_operands[1].value.defining_op
    if limit is None or limit.name != "index.constant":
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


FOLDS: Final[dict[str, Fold]] = {
    **{name: _binary(name) for name in FUNCTIONS},
    "index.cmp": _cmp,
    "index.casts": _cast(True),
    "index.castu": _cast(False),
}
