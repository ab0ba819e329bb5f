"""Arithmetic on floats: `arith` and `math`. Computed in the type that holds them, and rounded."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.source.expect import expect
from ..ir.types import types as t
from .numbers import COMPARISONS, Function, Pair, Storage

FLOATS: dict[str, Function] = {
    "addf": lambda x, y: x + y,
    "subf": lambda x, y: x - y,
    "mulf": lambda x, y: x * y,
    "divf": lambda x, y: x / y,
    "remf": np.fmod,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
    "negf": np.negative,
}


def _each(function: Callable[..., float], count: int = 1) -> Function:
    """A function of Python floats as one of arrays; where it is not defined the result is NaN or infinite."""

    def guarded(*args: float) -> float:
        try:
            return function(*args)
        except (ValueError, ZeroDivisionError):
            return math.nan
        except OverflowError:
            return math.inf

    made = np.frompyfunc(guarded, count, 1)

    def apply(*args: Any) -> Any:
        found = made(*args)
        return np.asarray(found, np.float64)[()]

    return apply


def _round_half_away(x: Any) -> Any:
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole), x).astype(whole.dtype)[
        ()
    ]


MATH: dict[str, Function] = {
    "absf": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "powf": np.power,
    "round": _round_half_away,
    "roundeven": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}
TESTS: dict[str, Function] = {"isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan}


def fused_floats(x: Any, y: Any, z: Any, held: Storage) -> Any:
    """x * y + z with one rounding, as far as a wider type shows it."""
    if held.dtype == np.float64:
        wide = np.longdouble
    else:
        wide = np.float64
    return held.round((np.asarray(x, wide) * np.asarray(y, wide) + np.asarray(z, wide))[()])


def float_pair(function: Function, held: Storage) -> Pair:
    """`function` with its results in the type of `held`, rounded if that is held in a wider one."""
    if held.rounder is None:

        def plain(*args: Any) -> Any:
            made = function(*args)
            return made if made.dtype == held.dtype else made.astype(held.dtype)

        return plain, plain

    def rounded(*args: Any) -> Any:
        return held.round(np.asarray(function(*args), np.float32)[()])

    return rounded, rounded


def clamped(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


def is_normal(held: Storage) -> Function:
    """Whether a float is finite, and no smaller than the smallest with a full significand."""
    form = expect(t.FloatType, held.type).format
    tiny = math.ldexp(1.0, form.min_exponent)

    def normal(x: Any) -> Any:
        return np.isfinite(x) & (np.abs(x) >= tiny)

    return normal


def raised(held: Storage) -> Function:
    """A float to the power of an integer."""

    def power(x: Any, y: Any) -> Any:
        return held.round(np.asarray(np.power(np.asarray(x, np.float64), np.asarray(y, np.float64)))[()])

    return power


def compare_floats(predicate: str) -> Pair:
    """A comparison by a predicate of `arith.cmpf`: o... is false and u... true where an operand is NaN."""
    if predicate in ("true", "false"):
        constant = predicate == "true"
        return (lambda x, y: int(constant)), (
            lambda x, y: np.full(np.broadcast_shapes(x.shape, y.shape), constant)
        )
    if predicate in ("ord", "uno"):
        wanted = predicate == "uno"

        def either(x: Any, y: Any) -> Any:
            return (np.isnan(x) | np.isnan(y)) == wanted

        return (lambda x, y: int(either(x, y))), either
    compare = COMPARISONS[predicate[1:]]
    unordered = predicate[0] == "u"

    def array(x: Any, y: Any) -> Any:
        nan = np.isnan(x) | np.isnan(y)
        return (compare(x, y) | nan) if unordered else (compare(x, y) & ~nan)

    return (lambda x, y: int(array(x, y))), array
