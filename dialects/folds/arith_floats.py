"""Folds of `arith` that convert or compare constant floats, and extrema of them.

Conversions are folded only where they lose nothing that the result's type could hold: floats that become integers must
fit, narrower floats must be exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..arith import FLOAT_PREDICATES
from . import Constants, Fold, Folded
from .elementwise import MAX_ELEMENTS, SHAPED, width_of

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
        width = width_of(source) or 64
        if not signed:
            number &= (1 << width) - 1
        elif width == 1:
            number = -abs(number)
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
    if not isinstance(target, t.FloatType) or not math.isfinite(number):
        return None
    return number if a.FloatAttr(number, target).value == number else None


def _cmpf(op: Operation, constants: Constants) -> Folded:
    predicate = FLOAT_PREDICATES[op.properties["predicate"].value]  # pyright: ignore[reportAttributeAccessIssue]
    left, right = constants
    if not isinstance(left, a.FloatAttr) or not isinstance(right, a.FloatAttr) or left.type.width > 64:
        return None
    return [a.bool_attr(float_holds(predicate, left.value, right.value))]


def float_holds(predicate: str, x: float, y: float) -> bool:
    """Whether a comparison of floats holds."""
    if predicate in ("false", "true"):
        return predicate == "true"
    unordered = math.isnan(x) or math.isnan(y)
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    if unordered:
        return predicate[0] == "u"
    comparison = predicate[1:]
    if comparison in ("eq", "ne"):
        return (x == y) == (comparison == "eq")
    return {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[comparison]


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


def remainder(x: float, y: float) -> float | None:
    """What division to an integer, rounded towards zero, leaves; None where that is no number."""
    return math.fmod(x, y) if y and math.isfinite(x) and not math.isnan(y) else None


FLOAT_FOLDS: Final[dict[str, Fold]] = {
    "arith.cmpf": _cmpf,
    "arith.extf": _converted(_wider),
    "arith.fptosi": _converted(_to_integer(True)),
    "arith.fptoui": _converted(_to_integer(False)),
    "arith.sitofp": _converted(_from_integer(True)),
    "arith.truncf": _converted(_narrower),
    "arith.uitofp": _converted(_from_integer(False)),
}
