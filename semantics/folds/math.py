"""Folds of `math`, functions of constants; and of `complex`: parts of assembled numbers, inverse functions, neutral constants.

The tables are keyed by name, so that a program of one dialect does not import the other.

Rounding to even, up and down, and bit manipulation are exact in every format. Other functions are computed in double
precision and rounded once; as in mlir-opt, which calls the C library, they are folded for `f32` and `f64` only.
Where a function is undefined (a logarithm of a negative number), it is not folded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ...ir.program.core import Operation, Value
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


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


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


def _integer(name: str) -> Fold:
    def computed(op: Operation, constants: Constants) -> Folded:
        found = compute_integer(INTEGERS[name], op.results[0].type, constants)
        return None if found is None else [found]

    return fold_by(RULES.get(name, ()), computed)


def _power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except (ValueError, ZeroDivisionError):
        return math.nan


def _logarithm(function: Callable[[float], float]) -> Function:
    """Like mlir-opt, not of negative numbers, one of which is -0."""

    def logarithm(x: float) -> float | None:
        if math.copysign(1, x) < 0:
            return None
        return function(x) if x else -math.inf

    return logarithm


def _square_root(x: float) -> float | None:
    return math.sqrt(x) if math.copysign(1, x) > 0 else None


def _normal(op: Operation, constants: Constants) -> Folded:
    type = op.op_operands[0].value.type
    element = type.element if isinstance(type, SHAPED) else type
    if not isinstance(element, t.FloatType) or element.width > 64:
        return None
    smallest = math.ldexp(1.0, element.format.min_exponent)
    return _elementwise(lambda x: int(math.isfinite(x) and abs(x) >= smallest), op.results[0].type, constants)


_MATH: Final[dict[str, Fold]] = {
    "math.absf": _absf,
    "math.absi": _integer("math.absi"),
    "math.acos": _library(math.acos),
    "math.acosh": _library(math.acosh),
    "math.asin": _library(math.asin),
    "math.asinh": _library(math.asinh),
    "math.atan": _library(math.atan),
    "math.atan2": _library(math.atan2),
    "math.atanh": _library(math.atanh),
    "math.ceil": _exact(_whole(math.ceil)),
    "math.copysign": _exact(math.copysign),
    "math.cos": _library(math.cos),
    "math.cosh": _library(math.cosh),
    "math.ctlz": _integer("math.ctlz"),
    "math.ctpop": _integer("math.ctpop"),
    "math.cttz": _integer("math.cttz"),
    "math.erf": _library(math.erf),
    "math.erfc": _library(math.erfc),
    "math.exp": _library(math.exp),
    "math.exp2": _library(math.exp2),
    "math.expm1": _library(math.expm1),
    "math.floor": _exact(_whole(math.floor)),
    "math.ipowi": _integer("math.ipowi"),
    "math.isfinite": _exact(lambda x: int(math.isfinite(x))),
    "math.isinf": _exact(lambda x: int(math.isinf(x))),
    "math.isnan": _exact(lambda x: int(math.isnan(x))),
    "math.isnormal": _normal,
    "math.log": _library(_logarithm(math.log)),
    "math.log10": _library(_logarithm(math.log10)),
    "math.log1p": _library(math.log1p),
    "math.log2": _library(_logarithm(math.log2)),
    "math.powf": _library(_power),
    "math.round": fold_by(RULES["math.round"], _library(_whole(_away_from_zero))),
    "math.roundeven": fold_by(RULES["math.roundeven"], _exact(_whole(round))),
    "math.sin": _library(math.sin),
    "math.sinh": _library(math.sinh),
    "math.sqrt": _library(_square_root),
    "math.tan": _library(math.tan),
    "math.tanh": _library(math.tanh),
    "math.trunc": fold_by(RULES["math.trunc"], _library(_whole(math.trunc))),
}


def _bitcast(op: Operation, constants: Constants) -> Folded:
    value = op.op_operands[0].value
    return [value] if value.type is op.results[0].type else None


def _create(op: Operation, constants: Constants) -> Folded:
    """The real and imaginary part of one number assemble to that number."""
    real, imaginary = (use.value.defining_op for use in op.op_operands)
    if (
        real is not None
        and real.name == "complex.re"
        and imaginary is not None
        and imaginary.name == "complex.im"
    ):
        whole = real.op_operands[0].value
        if whole is imaginary.op_operands[0].value:
            return [whole]
    return None


def _part(position: int) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        known = constants[0]
        if isinstance(known, a.ArrayAttr):
            part = known.elements[position]
            assert isinstance(part, a.Attribute)
            return [part]
        made = op.op_operands[0].value.defining_op
        return (
            [made.op_operands[position].value] if made is not None and made.name == "complex.create" else None
        )

    return fold


def _undoes(other: str) -> Fold:
    """A fold of the inverse of an `other` operation to its operand."""

    def fold(op: Operation, constants: Constants) -> Folded:
        source = op.op_operands[0].value.defining_op
        return [source.op_operands[0].value] if source is not None and source.name == other else None

    return fold


def _neutral(constant: a.Attribute | None, real: float) -> bool:
    """Whether `constant` is a complex number with that real part and no imaginary part."""
    if not isinstance(constant, a.ArrayAttr):
        return False
    parts = [part.value for part in constant.elements if isinstance(part, a.FloatAttr)]
    return parts == [real, 0.0]


def _add(op: Operation, constants: Constants) -> Folded:
    left, right = op.operands
    for one, other in ((left, right), (right, left)):
        taken = _subtracted(one, other, "complex.sub")
        if taken is not None:
            return [taken]
    return [left] if _neutral(constants[1], 0.0) else None


def _sub(op: Operation, constants: Constants) -> Folded:
    left, right = op.operands
    taken = _subtracted(left, right, "complex.add")
    if taken is not None:
        return [taken]
    return [left] if _neutral(constants[1], 0.0) else None


def _subtracted(one: Value, other: Value, kind: str) -> Value | None:
    """`a`, if `one` is `a - other` or, with the other kind of operation, `a + other`."""
    made = one.defining_op
    if made is not None and made.name == kind and made.op_operands[1].value is other:
        return made.op_operands[0].value
    return None


def _times_one(op: Operation, constants: Constants) -> Folded:
    return [op.op_operands[0].value] if _neutral(constants[1], 1.0) else None


_COMPLEX: Final[dict[str, Fold]] = {
    "complex.add": _add,
    "complex.bitcast": _bitcast,
    "complex.conj": _undoes("complex.conj"),
    "complex.create": _create,
    "complex.div": _times_one,
    "complex.exp": _undoes("complex.log"),
    "complex.im": _part(1),
    "complex.log": _undoes("complex.exp"),
    "complex.mul": _times_one,
    "complex.neg": _undoes("complex.neg"),
    "complex.re": _part(0),
    "complex.sub": _sub,
}

FOLDS: Final[dict[str, Fold]] = {**{name: passing_poison(fold) for name, fold in _MATH.items()}, **_COMPLEX}
