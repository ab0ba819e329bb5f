"""Folds of `arith` that convert or compare constant floats, and extrema of them.

Conversions are folded only where they lose nothing that the result's type could hold: floats that become integers must
fit, narrower floats must be exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from ...dialects import arith
from ...dialects._family import FASTMATH_CASES
from ...dialects.arith import FLOAT_PREDICATES
from ...ir.program.core import Operation
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..scalars import as_signed, as_unsigned, floats_compare
from . import IN_PLACE, Constants, Fold, Folded
from .elementwise import MAX_ELEMENTS, SHAPED, compute_float, width_of

EXACT_INTEGERS: Final = 1 << 53
"""Integers up to here are exact in double precision, through which they are rounded."""

Conversion = Callable[[Any, t.Type, t.Type], int | float | None]
"""A number, its type and the new type to the new number, None if it has none."""


def _converted(convert: Conversion) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        known, type = constants[0], op.results[0].type
        source = getattr(op.operands[0].type, "element", op.operands[0].type)
        target = type.element if isinstance(type, SHAPED) else type
        if any(isinstance(one, t.FloatType) and one.width > 64 for one in (source, target)):
            return None
        if isinstance(known, a.IntegerAttr | a.FloatAttr):
            number = convert(known.value, source, target)
            if number is None:
                return None
            if isinstance(target, t.FloatType):
                return [a.FloatAttr(number, target)]
            return [a.IntegerAttr(int(number), target)] if isinstance(target, t.IntegerType) else None
        if not isinstance(known, a.DenseElementsAttr) or not isinstance(type, SHAPED):
            return None
        if not type.has_static_shape or (not known.is_splat and known.num_elements > MAX_ELEMENTS):
            return None
        numbers = [
            convert(value, source, target)
            for value in ([known.splat_value] if known.is_splat else known.values())
        ]
        return None if None in numbers else [a.DenseElementsAttr.from_values(type, numbers)]

    return fold


def _from_integer(signed: bool) -> Conversion:
    def convert(number: int, source: t.Type, target: t.Type) -> float | None:
        number = (as_signed if signed else as_unsigned)(number, width_of(source) or 64)
        return float(number) if abs(number) <= EXACT_INTEGERS else None

    return convert


def _to_integer(signed: bool) -> Conversion:
    def convert(number: float, source: t.Type, target: t.Type) -> int | None:
        width = width_of(target)
        if width is None or not math.isfinite(number):
            return None
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
        return int(number) if low <= int(number) < high else None

    return convert


def _wider(number: float, source: t.Type, target: t.Type) -> float | None:
    return number if math.isfinite(number) else None


def _narrower(number: float, source: t.Type, target: t.Type) -> float | None:
    if not isinstance(target, t.FloatType) or math.isinf(number):
        return None
    if math.isnan(number):
        return math.nan
    return number if a.FloatAttr(number, target).value == number else None


def _extf(op: Operation, constants: Constants) -> Folded:
    """A number cut and widened again, where both steps may be contracted, was never cut."""
    inner = op.op_operands[0].value.defining_op
    if inner is not None and inner.name == "arith.truncf":
        source = inner.op_operands[0].value
        both = "contract" in fastmath_flags(op) and "contract" in fastmath_flags(inner)
        if both and source.type is op.results[0].type:
            return [source]
    return _converted(_wider)(op, constants)


def _truncf(op: Operation, constants: Constants) -> Folded:
    """A number widened and cut again: nothing was lost, or it is cut from what it was before."""
    inner = op.op_operands[0].value.defining_op
    if inner is not None and inner.name == "arith.extf":
        source, type = inner.op_operands[0].value, op.results[0].type
        if source.type is type:
            return [source]
        before, after = (getattr(x, "element", x) for x in (source.type, type))
        if isinstance(before, t.FloatType) and isinstance(after, t.FloatType) and before.width > after.width:
            op.op_operands[0].value = source
            return IN_PLACE
    return _converted(_narrower)(op, constants)


def _cmpf(op: Operation, constants: Constants) -> Folded:
    predicate = FLOAT_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value]
    left, right = constants
    if _is_nan(left):  # the other one does not matter
        right = left
    elif _is_nan(right):
        left = right
    if not isinstance(left, a.FloatAttr) or not isinstance(right, a.FloatAttr) or left.type.width > 64:
        return None
    return [a.bool_attr(floats_compare(predicate, left.value, right.value))]


def _is_nan(attribute: a.Attribute | None) -> bool:
    return isinstance(attribute, a.FloatAttr) and math.isnan(attribute.value)


def fastmath_flags(op: Operation) -> frozenset[str]:
    """What `fastmath` allows: `fast` is all of it."""
    flags = op.properties.get("fastmath")
    if not isinstance(flags, a.DialectAttr):
        return frozenset()
    words = frozenset(word.strip() for word in flags.parameters.split(","))
    return frozenset(FASTMATH_CASES) if "fast" in words else words


def extremum(least: bool, spreads_nan: bool) -> Callable[[float, float], float]:
    """The smaller or larger of two floats, -0 below 0; of one that is no number either that, or the other."""

    def choose(x: float, y: float) -> float:
        if math.isnan(x) or math.isnan(y):
            return x if math.isnan(x) == spreads_nan else y
        return (min if least else max)(x, y, key=lambda v: (v, math.copysign(1, v)))

    return choose


def divide(x: float, y: float) -> float:
    """The quotient, where Python raises an error too."""
    if y:
        return x / y
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)


def remainder(x: float, y: float) -> float:
    """What division to an integer, rounded towards zero, leaves."""
    return math.fmod(x, y) if y and math.isfinite(x) and not math.isnan(y) else math.nan


# -- floats: only what holds for every value, and what can be computed exactly


def _is_float(attribute: a.Attribute | None, value: float) -> bool:
    if (
        isinstance(attribute, a.DenseElementsAttr)
        and attribute.is_splat
        and isinstance(attribute.type.element, t.FloatType)
    ):
        known: float = attribute.values()[0]
    elif isinstance(attribute, a.FloatAttr):
        known = attribute.value
    else:
        return False
    if math.isnan(value):
        return math.isnan(known)
    return known == value and math.copysign(1, known) == math.copysign(1, value)


def _float(function: Callable[[float, float], float | None], neutral: float | None) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        if neutral is not None and _is_float(constants[1], neutral):
            return [op.operands[0]]
        found = compute_float(function, op.results[0].type, constants)
        return None if found is None else [found]

    return fold


def _product(op: Operation, constants: Constants) -> Folded:
    if _is_float(constants[1], 1.0):
        return [op.operands[0]]
    flags = fastmath_flags(op)
    if {"nnan", "nsz"} <= flags and (_is_float(constants[1], 0.0) or _is_float(constants[1], -0.0)):
        return [op.operands[1]]
    found = compute_float(lambda x, y: x * y, op.results[0].type, constants)
    return None if found is None else [found]


def _float_extremum(function: Callable[[float, float], float | None], neutral: float) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = op.operands
        if left is right:
            return [right]
        if _is_float(constants[1], neutral):
            return [left]
        found = compute_float(function, op.results[0].type, constants)
        return None if found is None else [found]

    return fold


def _negf(op: Operation, constants: Constants) -> Folded:
    known = constants[0]
    if isinstance(known, a.FloatAttr):
        return [a.FloatAttr.from_bits(known.bits ^ (1 << (known.type.width - 1)), known.type)]
    found = compute_float(lambda x, y: -x, op.results[0].type, [known, known])
    return None if found is None else [found]


FLOAT_FOLDS: Final[dict[type[Operation], Fold]] = {
    arith.AddFOp: _float(lambda x, y: x + y, -0.0),
    arith.SubFOp: _float(lambda x, y: x - y, 0.0),
    arith.MulFOp: _product,
    arith.DivFOp: _float(divide, 1.0),
    arith.RemFOp: _float(remainder, None),
    arith.NegFOp: _negf,
    arith.MaximumFOp: _float_extremum(extremum(False, True), -math.inf),
    arith.MinimumFOp: _float_extremum(extremum(True, True), math.inf),
    arith.MaxNumFOp: _float_extremum(extremum(False, False), math.nan),
    arith.MinNumFOp: _float_extremum(extremum(True, False), math.nan),
    arith.CmpFOp: _cmpf,
    arith.ExtFOp: _extf,
    arith.FPToSIOp: _converted(_to_integer(True)),
    arith.FPToUIOp: _converted(_to_integer(False)),
    arith.SIToFPOp: _converted(_from_integer(True)),
    arith.TruncFOp: _truncf,
    arith.UIToFPOp: _converted(_from_integer(False)),
}
