"""Folds of `math`: functions of constants.

Functions that round to a nearby whole number, and those that look at single bits, are exact in every format. The others
are computed in double precision and rounded once; they are folded for `f32` and `f64` alone, as in mlir-opt, which asks
the C library. A function without a value there (a logarithm of a negative number) is left for the machine to decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ...dialects import math as ops
from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from . import Constants, Fold, Folded
from .elementwise import MAX_ELEMENTS, SHAPED, compute_integer, is_one, is_zero, passing_poison

Function = Callable[..., Any]
LIBRARY_WIDTHS: Final = (32, 64)


def _elementwise(function: Function, type: t.Type, constants: Constants) -> Folded:
    """The constant of `type` that `function` makes of the elements of constants; None if it gives None for one."""
    element = type.element if isinstance(type, SHAPED) else type
    if not isinstance(element, (t.FloatType, t.IntegerType)):
        return None
    if isinstance(element, t.FloatType) and element.width > 64:
        return None
    try:
        if all(isinstance(c, (a.FloatAttr, a.IntegerAttr)) for c in constants):
            value = function(*(c.value for c in constants))  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
            if value is None:
                return None
            return [
                a.FloatAttr(value, element)
                if isinstance(element, t.FloatType)
                else a.IntegerAttr(int(value), element)
            ]
        dense = [c for c in constants if isinstance(c, a.DenseElementsAttr)]
        if len(dense) < len(constants) or not isinstance(type, SHAPED) or not type.has_static_shape:
            return None
        splat = all(c.is_splat for c in dense)
        if not splat and dense[0].num_elements > MAX_ELEMENTS:
            return None
        columns: Sequence[list[Any]] = [[c.splat_value] if splat else c.values() for c in dense]
        values = [function(*row) for row in zip(*columns, strict=True)]
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    return None if None in values else [a.DenseElementsAttr.from_values(type, values)]


def _exact(function: Function) -> Fold:
    """A function that has an exact value in every format."""

    def fold(op: Operation, constants: Constants) -> Folded:
        return _elementwise(function, op.results[0].type, constants)

    return fold


def _library(function: Function) -> Fold:
    """A function that the C library has for `float` and `double`."""

    def fold(op: Operation, constants: Constants) -> Folded:
        type = op.results[0].type
        element = type.element if isinstance(type, SHAPED) else type
        if not isinstance(element, t.FloatType) or element.width not in LIBRARY_WIDTHS:
            return None
        return _elementwise(lambda *values: _number(function(*values)), type, constants)

    return fold


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _whole(function: Callable[[float], float]) -> Function:
    """Rounding that keeps the sign of zero, and what is not finite."""

    def rounded(x: float) -> float:
        return math.copysign(function(x), x) if math.isfinite(x) else x

    return rounded


def _away_from_zero(x: float) -> float:
    whole = math.floor(abs(x))
    return whole + 1 if abs(x) - whole >= 0.5 else whole


def _absf(op: Operation, constants: Constants) -> Folded:
    """What is not negative already is its own absolute value."""
    return _elementwise(abs, op.results[0].type, constants)


def _repeated(fold: Fold) -> Fold:
    """Rounding twice is rounding once."""

    def again(op: Operation, constants: Constants) -> Folded:
        inner = op.op_operands[0].value.defining_op
        if inner is not None and inner.name == op.name:
            return [inner.results[0]]
        return fold(op, constants)

    return again


def _bits(count: Callable[[int, int], int]) -> Fold:
    """A function of the bits of an integer; it gets them as a number that is not negative, and how many there are."""

    def fold(op: Operation, constants: Constants) -> Folded:
        both = [constants[0], constants[0]]
        found = compute_integer(
            lambda x, _, width: count(x & ((1 << width) - 1), width), op.results[0].type, both
        )
        return None if found is None else [found]

    return fold


def _absolute(bits: int, width: int) -> int:
    return (1 << width) - bits if bits >> (width - 1) else bits


def _trailing_zeros(bits: int, width: int) -> int:
    return (bits & -bits).bit_length() - 1 if bits else width


def _ipowi(op: Operation, constants: Constants) -> Folded:
    """A power of integers; a negative exponent leaves something only of 1 and -1."""
    _, exponent = constants
    if is_zero(exponent):
        found = compute_integer(lambda x, y, width: 1, op.results[0].type, [], constant=1)
        return None if found is None else [found]
    if is_one(exponent):
        return [op.op_operands[0].value]

    def power(x: int, y: int, width: int) -> int | None:
        if y >= 0:
            return pow(x, y, 1 << width)
        if x == 0:
            return None
        return 1 if x == 1 or (x == -1 and y % 2 == 0) else (-1 if x == -1 else 0)

    found = compute_integer(power, op.results[0].type, constants)
    return None if found is None else [found]


def _power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except (ValueError, ZeroDivisionError):
        return math.nan


def _logarithm(function: Callable[[float], float]) -> Function:
    return lambda x: function(x) if x else -math.inf


def _normal(op: Operation, constants: Constants) -> Folded:
    type = op.op_operands[0].value.type
    element = type.element if isinstance(type, SHAPED) else type
    if not isinstance(element, t.FloatType) or element.width > 64:
        return None
    smallest = math.ldexp(1.0, element.format.min_exponent)
    return _elementwise(lambda x: int(math.isfinite(x) and abs(x) >= smallest), op.results[0].type, constants)


_FOLDS: Final[dict[type[Operation], Fold]] = {
    ops.AbsFOp: _absf,
    ops.AbsIOp: _bits(_absolute),
    ops.AcosOp: _library(math.acos),
    ops.AcoshOp: _library(math.acosh),
    ops.AsinOp: _library(math.asin),
    ops.AsinhOp: _library(math.asinh),
    ops.AtanOp: _library(math.atan),
    ops.Atan2Op: _library(math.atan2),
    ops.AtanhOp: _library(math.atanh),
    ops.CeilOp: _exact(_whole(math.ceil)),
    ops.CopySignOp: _exact(math.copysign),
    ops.CosOp: _library(math.cos),
    ops.CoshOp: _library(math.cosh),
    ops.CountLeadingZerosOp: _bits(lambda bits, width: width - bits.bit_length()),
    ops.CtPopOp: _bits(lambda bits, width: bits.bit_count()),
    ops.CountTrailingZerosOp: _bits(_trailing_zeros),
    ops.ErfOp: _library(math.erf),
    ops.ErfcOp: _library(math.erfc),
    ops.ExpOp: _library(math.exp),
    ops.Exp2Op: _library(math.exp2),
    ops.ExpM1Op: _library(math.expm1),
    ops.FloorOp: _exact(_whole(math.floor)),
    ops.IPowIOp: _ipowi,
    ops.IsFiniteOp: _exact(lambda x: int(math.isfinite(x))),
    ops.IsInfOp: _exact(lambda x: int(math.isinf(x))),
    ops.IsNaNOp: _exact(lambda x: int(math.isnan(x))),
    ops.IsNormalOp: _normal,
    ops.LogOp: _library(_logarithm(math.log)),
    ops.Log10Op: _library(_logarithm(math.log10)),
    ops.Log1pOp: _library(math.log1p),
    ops.Log2Op: _library(_logarithm(math.log2)),
    ops.PowFOp: _library(_power),
    ops.RoundOp: _repeated(_exact(_whole(_away_from_zero))),
    ops.RoundEvenOp: _repeated(_exact(_whole(round))),
    ops.SinOp: _library(math.sin),
    ops.SinhOp: _library(math.sinh),
    ops.SqrtOp: _library(math.sqrt),
    ops.TanOp: _library(math.tan),
    ops.TanhOp: _library(math.tanh),
    ops.TruncOp: _repeated(_exact(_whole(math.trunc))),
}

FOLDS: Final[dict[type[Operation], Fold]] = {kind: passing_poison(fold) for kind, fold in _FOLDS.items()}
