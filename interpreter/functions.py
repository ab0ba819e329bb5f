"""What operations on numbers compute: for each, a function of Python scalars and one of numpy arrays.

The two are one function wherever Python's operators mean the same for both. Integers come as signed numbers of their
width; results are wrapped. Floats are computed in the type that holds them and rounded. `evaluator(op)` gives both
functions for one operation; who calls them does not care whether it stands alone, works on vectors, or is a step of
the payload of a structured operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ..dialects.arith import FLOAT_PREDICATES, INTEGER_PREDICATES
from ..ir import types as t
from ..ir.core import Operation
from .faults import Fault, Unsupported
from .numbers import COMPLEX, FLOAT, INTEGER, Storage, storage

Function = Callable[..., Any]
Pair = tuple[Function, Function]

ELEMENTWISE_DIALECTS = ("arith", "math", "index", "complex")


def element_type(type: t.Type) -> t.Type:
    """The type of the numbers in a scalar, vector or tensor."""
    while isinstance(type, (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)):
        type = type.element
    return type


# -- integers: x and y are signed numbers, in arrays of the container


def _nonzero(divisor: Any) -> None:
    if not np.all(divisor != 0) if isinstance(divisor, (np.ndarray, np.generic)) else divisor == 0:
        raise Fault("divides by zero", "division-by-zero")


def _quotient(x: Any, y: Any) -> Any:
    """Rounded towards zero."""
    _nonzero(y)
    floor = x // y
    return floor + (((x - floor * y) != 0) & ((x < 0) != (y < 0)))


def _remainder(x: Any, y: Any) -> Any:
    return x - _quotient(x, y) * y


def _floor_quotient(x: Any, y: Any) -> Any:
    _nonzero(y)
    return x // y


def _ceil_quotient(x: Any, y: Any) -> Any:
    _nonzero(y)
    floor = x // y
    return floor + ((x - floor * y) != 0)


def _unsigned_remainder(x: Any, y: Any) -> Any:
    _nonzero(y)
    return x % y


def _least(x: Any, y: Any) -> Any:
    return min(x, y) if isinstance(x, int) and isinstance(y, int) else np.minimum(x, y)


def _greatest(x: Any, y: Any) -> Any:
    return max(x, y) if isinstance(x, int) and isinstance(y, int) else np.maximum(x, y)


_SIGNED: dict[str, Function] = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "divsi": _quotient,
    "remsi": _remainder,
    "floordivsi": _floor_quotient,
    "ceildivsi": _ceil_quotient,
    "andi": lambda x, y: x & y,
    "ori": lambda x, y: x | y,
    "xori": lambda x, y: x ^ y,
    "maxsi": _greatest,
    "minsi": _least,
}
_UNSIGNED: dict[str, Function] = {
    "divui": _floor_quotient,
    "remui": _unsigned_remainder,
    "ceildivui": _ceil_quotient,
    "maxui": _greatest,
    "minui": _least,
}
_SHIFTS = ("shli", "shrui", "shrsi")

_INDEX_NAMES = {
    "add": "addi",
    "sub": "subi",
    "mul": "muli",
    "divs": "divsi",
    "divu": "divui",
    "rems": "remsi",
    "remu": "remui",
    "ceildivs": "ceildivsi",
    "ceildivu": "ceildivui",
    "floordivs": "floordivsi",
    "and": "andi",
    "or": "ori",
    "xor": "xori",
    "maxs": "maxsi",
    "maxu": "maxui",
    "mins": "minsi",
    "minu": "minui",
    "shl": "shli",
    "shrs": "shrsi",
    "shru": "shrui",
}


def _integer_pair(function: Function, held: Storage, unsigned: bool) -> Pair:
    view = held.unsigned_of if unsigned else held.signed
    wrap, wrap_array = held.wrap, held.wrap_array
    plain = held.width == held.bits and not unsigned

    def scalar(x: int, y: int) -> int:
        return wrap(function(view(x), view(y)))

    def array(x: Any, y: Any) -> Any:
        made = function(view(x), view(y))
        if unsigned and made.dtype.kind == "u":
            made = made.view(f"i{made.dtype.itemsize}")
        return wrap_array(made)

    def plain_array(x: Any, y: Any) -> Any:
        made = function(x, y)
        return made if made.dtype == held.dtype else wrap_array(made)

    return scalar, plain_array if plain else array


def _shift_pair(name: str, held: Storage) -> Pair:
    """Shifting by the width or more is poison; here it gives 0."""
    width = held.width

    def shifted(value: Any, by: Any) -> Any:
        return value << by if name == "shli" else value >> by

    view = held.unsigned_of if name == "shrui" else held.signed

    def scalar(x: int, y: int) -> int:
        by = held.unsigned_of(y)
        return held.wrap(shifted(view(x), by)) if by < width else 0

    def array(x: Any, y: Any) -> Any:
        by = held.unsigned_of(y)
        inside = by < width
        value = view(x)
        made = shifted(value, np.where(inside, by, 0).astype(value.dtype))
        if made.dtype.kind == "u":
            made = made.view(f"i{made.dtype.itemsize}")
        return held.wrap_array(np.where(inside, made, np.zeros((), made.dtype)))

    return scalar, array


_COMPARISONS: dict[str, Function] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def _compare_integers(predicate: str, held: Storage) -> Pair:
    unsigned = predicate.startswith("u")
    compare = _COMPARISONS[predicate[-2:]]
    view = held.unsigned_of if unsigned else held.signed

    def scalar(x: int, y: int) -> int:
        return int(compare(view(x), view(y)))

    def array(x: Any, y: Any) -> Any:
        return np.asarray(compare(view(x), view(y)), np.bool_)

    return scalar, array


def _compare_floats(predicate: str) -> Pair:
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
    compare = _COMPARISONS[predicate[1:]]
    unordered = predicate[0] == "u"

    def array(x: Any, y: Any) -> Any:
        nan = np.isnan(x) | np.isnan(y)
        return (compare(x, y) | nan) if unordered else (compare(x, y) & ~nan)

    return (lambda x, y: int(array(x, y))), array


# -- floats


_FLOATS: dict[str, Function] = {
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


_MATH: dict[str, Function] = {
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
_TESTS: dict[str, Function] = {"isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan}


def _fused(x: Any, y: Any, z: Any, held: Storage) -> Any:
    """x * y + z with one rounding, as far as a wider type shows it."""
    if held.dtype == np.float64:
        wide = np.longdouble
    else:
        wide = np.float64
    return held.round((np.asarray(x, wide) * np.asarray(y, wide) + np.asarray(z, wide))[()])


def _float_pair(function: Function, held: Storage) -> Pair:
    if held.rounder is None:

        def plain(*args: Any) -> Any:
            made = function(*args)
            return made if made.dtype == held.dtype else made.astype(held.dtype)

        return plain, plain

    def rounded(*args: Any) -> Any:
        return held.round(np.asarray(function(*args), np.float32)[()])

    return rounded, rounded


def _clamped(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


# -- conversions


def _to_integer(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """What does not fit is poison; here it is the nearest number that fits, and 0 for NaN."""
    top = (1 << target.width) - 1 if unsigned else (1 << (target.width - 1)) - 1
    bottom = 0 if unsigned else -(1 << (target.width - 1))

    def scalar(x: Any) -> int:
        if np.isnan(x):
            return 0
        if np.isinf(x):
            return target.wrap(top if x > 0 else bottom)
        return target.wrap(min(max(int(x), bottom), top))

    def array(x: Any) -> Any:
        made = np.frompyfunc(scalar, 1, 1)(x) if target.dtype == object or target.width > 32 else None
        if made is not None:
            return np.asarray(made, target.dtype)
        wide = np.nan_to_num(np.asarray(x, np.float64), nan=0.0, posinf=top, neginf=bottom)
        return target.wrap_array(np.clip(np.trunc(wide), bottom, top).astype(np.int64))

    return scalar, array


def _to_float(source: Storage, target: Storage, unsigned: bool) -> Pair:
    view = source.unsigned_of if unsigned else source.signed

    def array(x: Any) -> Any:
        whole = view(x)
        if target.rounder is not None or np.asarray(whole).dtype == np.dtype(object):
            return target.round(np.asarray(whole, np.float64))
        return np.asarray(whole).astype(target.dtype)

    def scalar(x: int) -> Any:
        whole = view(x)
        if target.rounder is None and -(1 << 63) <= whole < (1 << 63):
            return np.int64(whole).astype(target.dtype)
        return target.round(np.float64(whole))

    return scalar, array


def _resize(source: Storage, target: Storage, unsigned: bool) -> Pair:
    view = source.unsigned_of if unsigned else source.signed

    def array(x: Any) -> Any:
        whole = view(np.asarray(x))
        if target.dtype == object or whole.dtype == object:
            made = np.frompyfunc(lambda value: target.wrap(int(value)), 1, 1)(whole)
            return np.asarray(made, target.dtype)
        if target.width == 1:
            return (whole & whole.dtype.type(1)).astype(np.bool_)
        return target.wrap_array(whole.astype(target.dtype))

    return (lambda x: target.wrap(view(x))), array


def _bits_of(held: Storage, x: Any) -> Any:
    """Numbers as unsigned integers with the same bits."""
    if held.kind == FLOAT and not held.exact:
        form = held.type.format  # pyright: ignore[reportAttributeAccessIssue]
        return np.frompyfunc(lambda value: form.from_double(float(value)), 1, 1)(x)
    if held.kind == FLOAT:
        return np.asarray(x).view(f"u{held.dtype.itemsize}")
    return held.unsigned_of(x)


def _from_bits(held: Storage, bits: Any) -> Any:
    whole = np.asarray(bits)
    if held.kind == FLOAT and not held.exact:
        form = held.type.format  # pyright: ignore[reportAttributeAccessIssue]
        return np.frompyfunc(lambda value: form.to_double(int(value)), 1, 1)(whole).astype(held.dtype)
    if held.kind == FLOAT:
        return whole.astype(f"u{held.dtype.itemsize}").view(held.dtype)
    if held.dtype == object or whole.dtype == object:
        return np.asarray(np.frompyfunc(lambda value: held.wrap(int(value)), 1, 1)(whole), held.dtype)
    if held.width == 1:
        return whole.astype(np.bool_)
    return held.wrap_array(whole.astype(held.dtype))


def _bitcast(source: Storage, target: Storage) -> Pair:
    def array(x: Any) -> Any:
        return _from_bits(target, _bits_of(source, x))

    return (lambda x: target.scalar(array(source.array(x))[()])), array


# -- several


def _select(held: Storage) -> Pair:
    return (lambda c, x, y: x if c else y), (lambda c, x, y: np.where(c, x, y))


def _complex_functions(op: Operation) -> Pair | None:
    name = op.name.partition(".")[2]
    held = storage(element_type(op.operands[0].type)) if op.operands else None
    plain: dict[str, Function] = {
        "abs": np.abs,
        "add": lambda x, y: x + y,
        "angle": np.angle,
        "atan2": None,
        "conj": np.conj,
        "cos": np.cos,
        "create": None,
        "div": lambda x, y: x / y,
        "exp": np.exp,
        "expm1": np.expm1,
        "im": np.imag,
        "log": np.log,
        "log1p": np.log1p,
        "mul": lambda x, y: x * y,
        "neg": np.negative,
        "pow": np.power,
        "re": np.real,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "sign": lambda x: np.where(x == 0, x, x / np.abs(x)),
        "sin": np.sin,
        "sqrt": np.sqrt,
        "sub": lambda x, y: x - y,
        "tan": np.tan,
        "tanh": np.tanh,
    }  # pyright: ignore[reportAssignmentType]
    if name in ("eq", "neq"):
        compare = _COMPARISONS["eq" if name == "eq" else "ne"]
        return (lambda x, y: int(compare(x, y))), compare
    target = storage(element_type(op.results[0].type))
    if name == "create":

        def create(real: Any, imaginary: Any) -> Any:
            made = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), target.dtype)
            made.real, made.imag = real, imaginary
            return made[()]

        return create, create
    function = plain.get(name)
    if function is None or held is None:
        return None

    def apply(*args: Any) -> Any:
        return np.asarray(function(*args)).astype(target.dtype)[()]

    return apply, apply


def evaluator(op: Operation) -> Pair | None:
    """The functions of scalars and of arrays that compute the result of `op`; None if it is not one on numbers.

    Raises:
        Unsupported: an element type that is not.
    """
    dialect, _, name = op.name.partition(".")
    if dialect not in ELEMENTWISE_DIALECTS or len(op.results) != 1 or not op.op_operands:
        return None
    if dialect == "complex":
        return _complex_functions(op)
    held = storage(element_type(op.operands[0].type))
    target = storage(element_type(op.results[0].type))
    if dialect == "math":
        return _math(op, name, held, target)
    if dialect == "index":
        if name == "cmp":
            return _compare_integers(op.properties["pred"].parameters.strip(), held)  # pyright: ignore[reportAttributeAccessIssue]
        if name in ("casts", "castu"):
            return _resize(held, target, name == "castu")
        name = _INDEX_NAMES.get(name, name)
    if name in _SIGNED:
        return _integer_pair(_SIGNED[name], held, False)
    if name in _UNSIGNED:
        return _integer_pair(_UNSIGNED[name], held, True)
    if name in _SHIFTS:
        return _shift_pair(name, held)
    if name in _FLOATS:
        return _float_pair(_FLOATS[name], held)
    if name == "cmpi":
        return _compare_integers(INTEGER_PREDICATES[op.properties["predicate"].value], held)  # pyright: ignore[reportAttributeAccessIssue]
    if name == "cmpf":
        return _compare_floats(FLOAT_PREDICATES[op.properties["predicate"].value])  # pyright: ignore[reportAttributeAccessIssue]
    if name == "select":
        return _select(target)
    if name in ("extsi", "trunci", "index_cast"):
        return _resize(held, target, False)
    if name in ("extui", "index_castui"):
        return _resize(held, target, True)
    if name in ("extf", "truncf"):
        return target.round, target.round
    if name in ("sitofp", "uitofp"):
        return _to_float(held, target, name == "uitofp")
    if name in ("fptosi", "fptoui"):
        return _to_integer(held, target, name == "fptoui")
    if name == "bitcast":
        return _bitcast(held, target)
    return None


def _math(op: Operation, name: str, held: Storage, target: Storage) -> Pair | None:
    if name in _MATH:
        return _float_pair(_MATH[name], held)
    if name == "clampf":
        return _float_pair(_clamped, held)
    if name == "fma":

        def fused(x: Any, y: Any, z: Any) -> Any:
            return _fused(x, y, z, held)

        return fused, fused
    if name in _TESTS:
        test = _TESTS[name]
        return (lambda x: int(test(x))), test
    if name == "isnormal":
        form = held.type.format  # pyright: ignore[reportAttributeAccessIssue]
        tiny = math.ldexp(1.0, form.min_exponent)

        def normal(x: Any) -> Any:
            return np.isfinite(x) & (np.abs(x) >= tiny)

        return (lambda x: int(normal(x))), normal
    bit_functions: dict[str, Callable[[int], int]] = {
        "ctpop": lambda x: (x & ((1 << held.width) - 1)).bit_count(),
        "ctlz": lambda x: held.width - (x & ((1 << held.width) - 1)).bit_length(),
        "cttz": lambda x: ((x & -x).bit_length() - 1) if x else held.width,
        "absi": lambda x: abs(held.signed(x)),
    }
    if name in bit_functions:
        one = bit_functions[name]

        def wrapped(x: Any) -> int:
            return held.wrap(one(int(x)))

        every = np.frompyfunc(wrapped, 1, 1)
        return wrapped, (lambda x: np.asarray(every(x), held.dtype))
    if name == "ipowi":
        every = np.frompyfunc(lambda x, y: _power(int(x), int(y), held), 2, 1)
        return (lambda x, y: _power(x, y, held)), (lambda x, y: np.asarray(every(x, y), held.dtype))
    if name == "fpowi":

        def raised(x: Any, y: Any) -> Any:
            return held.round(np.asarray(np.power(np.asarray(x, np.float64), np.asarray(y, np.float64)))[()])

        return raised, raised
    return None


def _power(base: int, exponent: int, held: Storage) -> int:
    base, exponent = held.signed(base), held.signed(exponent)
    if exponent >= 0:
        return held.wrap(pow(base, exponent, 1 << held.width))
    if base == 0:
        raise Fault("raises zero to a negative power", "division-by-zero")
    if base in (1, -1):
        return held.wrap(base if exponent % 2 else 1)
    return 0


# -- combining elements, as vectors, reductions and atomic updates do

_COMBINING = {
    "add": ("addi", "addf"),
    "addi": ("addi", None),
    "addf": (None, "addf"),
    "mul": ("muli", "mulf"),
    "muli": ("muli", None),
    "mulf": (None, "mulf"),
    "minui": ("minui", None),
    "minsi": ("minsi", None),
    "minu": ("minui", None),
    "mins": ("minsi", None),
    "maxui": ("maxui", None),
    "maxsi": ("maxsi", None),
    "maxu": ("maxui", None),
    "maxs": ("maxsi", None),
    "minnumf": (None, "minnumf"),
    "maxnumf": (None, "maxnumf"),
    "minimumf": (None, "minimumf"),
    "maximumf": (None, "maximumf"),
    "and": ("andi", None),
    "or": ("ori", None),
    "xor": ("xori", None),
    "andi": ("andi", None),
    "ori": ("ori", None),
    "xori": ("xori", None),
}


def combiner(kind: str, type: t.Type) -> Pair:
    """The functions that combine two numbers of `type`, for the names vectors and atomic updates use."""
    held = storage(element_type(type))
    if kind == "assign":
        return (lambda x, y: y), (lambda x, y: y)
    names = _COMBINING.get(kind)
    name = names[0 if held.kind == INTEGER else 1] if names is not None else None
    if name is None or held.kind == COMPLEX:
        raise Unsupported(f"combining numbers of type '{type}' by '{kind}' is not supported")
    if name in _FLOATS:
        return _float_pair(_FLOATS[name], held)
    if name in _UNSIGNED:
        return _integer_pair(_UNSIGNED[name], held, True)
    return _integer_pair(_SIGNED[name], held, False)


def fused(x: Any, y: Any, z: Any, held: Storage) -> Any:
    """x * y + z: with one rounding for floats, modulo 2**width for integers."""
    if held.kind == INTEGER:
        return held.wrap_array(x * y + z)
    return _fused(x, y, z, held)


def fold(kind: str, type: t.Type, parts: list[Any], start: Any) -> Any:
    """`start` combined with each array of `parts`, in order."""
    return reduce(combiner(kind, type)[1], parts, start)
