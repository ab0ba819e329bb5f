"""Folds of `math`: functions of constants.

Rounding to integers and bit manipulation are exact in every format. Other functions are computed in double
precision and rounded once; as in mlir-opt, which calls the C library, they are folded for `f32` and `f64` only.
Where a function is undefined (a logarithm of a negative number), it is not folded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ...dialects import math as ops
from ...ir.program.core import Operation
from ...ir.types import attributes as a, types as t
from ..scalars import INTEGERS
from . import Constants, Fold, Folded
from .rules import MAX_ELEMENTS, SHAPED, compute_integer, fold_by, passing_poison, rules_of

Function = Callable[..., Any]
LIBRARY_WIDTHS: Final = (32, 64)
RULES: Final = rules_of(
    "math",
    """
    round(whole=round(x)) => whole
    roundeven(whole=roundeven(x)) => whole
    trunc(whole=trunc(x)) => whole
    ipowi(x, 0) => 1
    ipowi(x, 1) => x
    """,
)


def _elementwise(function: Function, type: t.Type, constants: Constants) -> Folded:
    """`function` applied to each element, as a constant of `type`; None if it is None for some element."""
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
    """The fold of a function with exact results in every format."""

    def fold(op: Operation, constants: Constants) -> Folded:
        return _elementwise(function, op.results[0].type, constants)

    return fold


def _library(function: Function) -> Fold:
    """The fold of a function that the C library has for `float` and `double`."""

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
    """Rounding that preserves the sign of zero and non-finite numbers."""

    def rounded(x: float) -> float:
        return math.copysign(function(x), x) if math.isfinite(x) else x

    return rounded


def _away_from_zero(x: float) -> float:
    whole = math.floor(abs(x))
    return whole + 1 if abs(x) - whole >= 0.5 else whole


def _absf(op: Operation, constants: Constants) -> Folded:
    """The absolute value of a constant."""
    return _elementwise(abs, op.results[0].type, constants)


def _integer(kind: type[Operation]) -> Fold:
    def computed(op: Operation, constants: Constants) -> Folded:
        found = compute_integer(INTEGERS[kind.name], op.results[0].type, constants)
        return None if found is None else [found]

    return fold_by(RULES.get(kind.name, ()), computed)


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
    ops.AbsIOp: _integer(ops.AbsIOp),
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
    ops.CountLeadingZerosOp: _integer(ops.CountLeadingZerosOp),
    ops.CtPopOp: _integer(ops.CtPopOp),
    ops.CountTrailingZerosOp: _integer(ops.CountTrailingZerosOp),
    ops.ErfOp: _library(math.erf),
    ops.ErfcOp: _library(math.erfc),
    ops.ExpOp: _library(math.exp),
    ops.Exp2Op: _library(math.exp2),
    ops.ExpM1Op: _library(math.expm1),
    ops.FloorOp: _exact(_whole(math.floor)),
    ops.IPowIOp: _integer(ops.IPowIOp),
    ops.IsFiniteOp: _exact(lambda x: int(math.isfinite(x))),
    ops.IsInfOp: _exact(lambda x: int(math.isinf(x))),
    ops.IsNaNOp: _exact(lambda x: int(math.isnan(x))),
    ops.IsNormalOp: _normal,
    ops.LogOp: _library(_logarithm(math.log)),
    ops.Log10Op: _library(_logarithm(math.log10)),
    ops.Log1pOp: _library(math.log1p),
    ops.Log2Op: _library(_logarithm(math.log2)),
    ops.PowFOp: _library(_power),
    ops.RoundOp: fold_by(RULES[ops.RoundOp.name], _exact(_whole(_away_from_zero))),
    ops.RoundEvenOp: fold_by(RULES[ops.RoundEvenOp.name], _exact(_whole(round))),
    ops.SinOp: _library(math.sin),
    ops.SinhOp: _library(math.sinh),
    ops.SqrtOp: _library(math.sqrt),
    ops.TanOp: _library(math.tan),
    ops.TanhOp: _library(math.tanh),
    ops.TruncOp: fold_by(RULES[ops.TruncOp.name], _exact(_whole(math.trunc))),
}

FOLDS: Final[dict[type[Operation], Fold]] = {kind: passing_poison(fold) for kind, fold in _FOLDS.items()}
