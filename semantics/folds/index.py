"""Folds of `index`: results valid for both 32 and 64 bits.

Constants are stored as 64-bit numbers. An operation whose lower half depends on lower halves alone is computed; any
other one is folded if the 64-bit result, truncated, equals the 32-bit result.
"""

from __future__ import annotations

from typing import Final

from ...dialects import index
from ...ir.program.core import Operation
from ...ir.types import attributes as a, types as t
from ..scalars import INTEGERS, as_signed, as_unsigned, integers_compare, on_constants
from . import Constants, Fold, Folded
from .rules import fold_by, nothing, rules_of

WIDE: Final = 64
NARROW: Final = 32

RULES: Final = rules_of(
    "index",
    """
    add(x, 0) => x
    sub(x, 0) => x
    mul(x, 1) => x
    mul(x, 0) => 0
    """,
)


def compute(name: str, left: int, right: int) -> int | None:
    """The result of an operation on two constants, if it is independent of the width; else None."""
    wide, narrow = (on_constants(INTEGERS[name], (left, right), width) for width in (WIDE, NARROW))
    if wide is None or narrow is None or (wide - narrow) % (1 << NARROW):
        return None
    return as_signed(wide, WIDE)


def _binary(kind: type[Operation]) -> Fold:
    by_rules = fold_by(RULES.get(kind.name, ()), nothing)

    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = constants
        if isinstance(left, a.IntegerAttr) and isinstance(right, a.IntegerAttr):
            found = compute(kind.name, left.value, right.value)
            if found is not None:
                return [a.index_attr(found)]
        return by_rules(op, constants)

    return fold


KINDS: Final = (
    index.AddOp, index.SubOp, index.MulOp, index.AndOp, index.OrOp, index.XOrOp, index.MaxSOp, index.MinSOp, index.MaxUOp, index.MinUOp,
    index.ShlOp, index.ShrSOp, index.ShrUOp, index.DivSOp, index.DivUOp, index.CeilDivSOp, index.CeilDivUOp, index.FloorDivSOp,
    index.RemSOp, index.RemUOp,
)  # fmt: skip


def _cmp(op: index.CmpOp, constants: Constants) -> Folded:
    left, right = constants
    predicate = op.predicate
    if isinstance(left, a.IntegerAttr) and isinstance(right, a.IntegerAttr):
        wide, narrow = (
            integers_compare(predicate, left.value, right.value, width) for width in (WIDE, NARROW)
        )
        return [a.bool_attr(wide)] if wide == narrow else None
    bound = op.lhs.defining_op
    if bound is not None and isinstance(right, a.IntegerAttr):
        decided = _decided_by_bound(predicate, bound, right.value)
        if decided is not None:
            return [a.bool_attr(decided)]
    if op.lhs is op.rhs:
        return [a.bool_attr(integers_compare(predicate, 0, 0, WIDE))]
    return None


_BOUNDS: Final[dict[type[Operation], tuple[bool, bool]]] = {
    index.MaxSOp: (True, False),
    index.MinSOp: (True, True),
    index.MaxUOp: (False, False),
    index.MinUOp: (False, True),
}
"""For each extremum: whether it is signed, and whether the result is bounded above (not below) by each operand."""


def _decided_by_bound(predicate: str, bound: Operation, right: int) -> bool | None:
    """A comparison of an extremum with a constant, decided by the extremum's constant operand at both widths."""
    signed, above = _BOUNDS.get(type(bound), (None, None))
    if signed is None:
        return None
    limit = bound.op_operands[1].value.defining_op
    if not isinstance(limit, index.ConstantOp):
        return None
    known = limit.properties["value"]
    assert isinstance(known, a.IntegerAttr)
    answers = {
        _decided(predicate, known.value, right, width, signed, bool(above)) for width in (WIDE, NARROW)
    }
    return answers.pop() if len(answers) == 1 else None


def _decided(predicate: str, limit: int, right: int, width: int, signed: bool, above: bool) -> bool | None:
    """The result of comparing any number up to `limit` (if `above`), or from it on, with `right`; None if it varies.

    As in mlir-opt, a range that is not one in the other signedness counts as all numbers there, also for `eq` and `ne`.
    """
    middle = 1 << (width - 1)
    low, high = (-middle, middle - 1) if signed else (0, 2 * middle - 1)
    limit = as_signed(limit, width) if signed else as_unsigned(limit, width)
    first, last = (low, limit) if above else (limit, high)
    is_split = first < (0 if signed else middle) <= last
    kind = predicate[-2:]
    if kind in ("eq", "ne"):
        if is_split:
            return None
        differs = not first <= (as_signed(right, width) if signed else as_unsigned(right, width)) <= last
        return differs == (kind == "ne") if differs or first == last else None
    signed_now = predicate[0] == "s"
    convert = as_signed if signed_now else as_unsigned
    if signed_now != signed:
        everything = (-middle, middle - 1) if signed_now else (0, 2 * middle - 1)
        first, last = everything if is_split else (convert(first, width), convert(last, width))
    right = convert(right, width)
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
            value = as_signed(known.value, bits) if signed else as_unsigned(known.value, bits)
            return [a.index_attr(as_signed(value, WIDE))] if bits <= WIDE else None
        if not isinstance(type, t.IntegerType):
            return None
        wide, narrow = known.value, as_signed(known.value, NARROW)
        if not signed:
            wide, narrow = as_unsigned(wide, WIDE), as_unsigned(narrow, NARROW)
        if as_unsigned(wide, type.width) != as_unsigned(narrow, type.width):
            return None
        return [a.IntegerAttr(as_signed(wide, type.width), type)]

    return fold


FOLDS: Final[dict[type[Operation], Fold]] = {
    **{kind: _binary(kind) for kind in KINDS},
    index.CmpOp: _cmp,
    index.CastSOp: _cast(True),
    index.CastUOp: _cast(False),
}
