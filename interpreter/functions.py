"""Scalar and numpy implementations of number operations, and MLIR's runtime printing functions.

Integers are signed numbers of their width, alone or in arrays of their container type; their equations are those of
`semantics.scalars`, with results wrapped. Floats and complex numbers are computed in the type that holds them and
rounded. `evaluator(op)` returns both functions for an operation, for use on scalars, on vectors, and in payloads of
structured operations alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.arith import FLOAT_PREDICATES, INTEGER_PREDICATES
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..semantics.scalars import COMPARISONS, INTEGERS, PREDICATES, Integer, floats_compare
from . import Fault, Unsupported
from .heap import MemRef, dense_strides
from .numbers import (
    COMPLEX,
    INTEGER,
    Floats,
    Function,
    NDArray,
    Pair,
    Storage,
    element_type,
    resize,
    same_bits,
    storage,
    to_float,
    to_integer,
)
from .values import POISON, Array

if TYPE_CHECKING:
    from .machine import Machine


ELEMENTWISE_DIALECTS = ("arith", "math", "index", "complex")
RESIZING = frozenset(
    """
    arith.extsi arith.extui arith.trunci arith.index_cast arith.index_castui index.casts index.castu
    """.split()
)
"""The operations that change an integer's width, by their names in `INTEGERS`."""
FLOAT_CASTS: dict[str, tuple[Callable[[Storage, Storage, bool], Pair], bool]] = {
    "arith.sitofp": (to_float, False),
    "arith.uitofp": (to_float, True),
    "arith.fptosi": (to_integer, False),
    "arith.fptoui": (to_integer, True),
}
"""Conversions between integers and floats, and whether the integers are unsigned."""


def evaluator(op: Operation) -> Pair | None:
    """The scalar and array functions that compute the result of `op`; None if it is not an operation on numbers.

    Raises:
        Unsupported: the element type is not supported.
    """
    if op.dialect not in ELEMENTWISE_DIALECTS or len(op.results) != 1 or not op.op_operands:
        return None
    if op.dialect == "complex":
        return _complex(op)
    held = storage(element_type(op.operands[0].type))
    target = storage(element_type(op.results[0].type))
    return _arithmetic(op.name, held, target) or _changed(op.name, held, target) or _compared(op, held)


def _arithmetic(name: str, held: Storage, target: Storage) -> Pair | None:
    equation = INTEGERS.get(name)
    if equation is not None:
        if name in RESIZING:
            return resize(held, target, equation.view(0) == "u")
        return _each_integer(equation, held) if equation.each else _integers(equation, held)
    if name in FLOATS or name in MATH:
        return _floats(FLOATS.get(name) or MATH[name], held)
    if name == "math.clampf":
        return _floats(_clamped, held)
    if name in TESTS or name == "math.isnormal":
        test = TESTS[name] if name in TESTS else _is_normal(held)
        return (lambda x: int(test(x))), test
    if name in ("math.fpowi", "math.fma"):
        function = _raised(held) if name == "math.fpowi" else (lambda x, y, z: fused_floats(x, y, z, held))
        return function, function
    return None


def _changed(name: str, held: Storage, target: Storage) -> Pair | None:
    """The functions of casts and of `arith.select`; None for other operations."""
    if name in FLOAT_CASTS:
        cast, unsigned = FLOAT_CASTS[name]
        return cast(held, target, unsigned)
    if name in ("arith.extf", "arith.truncf"):
        return target.round, target.round
    if name == "arith.bitcast":
        return same_bits(held, target)
    if name == "arith.select":
        return (lambda c, x, y: x if c else y), (lambda c, x, y: np.where(c, x, y))
    return None


def _compared(op: Operation, held: Storage) -> Pair | None:
    if op.name == "index.cmp":
        predicate = str(op.properties["pred"]).strip("<>").rpartition(" ")[2]
        return _integers(PREDICATES[predicate], held, truth=True)
    number = op.properties.get("predicate")
    if op.name == "arith.cmpi":
        predicate = INTEGER_PREDICATES[expect(a.IntegerAttr, number).value]
        return _integers(PREDICATES[predicate], held, truth=True)
    if op.name != "arith.cmpf":
        return None
    predicate = FLOAT_PREDICATES[expect(a.IntegerAttr, number).value]
    return (lambda x, y: int(floats_compare(predicate, x, y))), (lambda x, y: floats_compare(predicate, x, y))


# -- integers


def _execute(legal: bool) -> None:
    if not legal:
        raise Fault("divides by zero", "division-by-zero")


def _integers(equation: Integer, held: Storage, truth: bool = False) -> Pair:
    """An equation of integers of one width, with results wrapped to it, or boolean results. Poison is 0."""
    value, legal, poison, width = equation.value, equation.legal, equation.poison, held.width
    left, right = (held.signed if equation.view(i) == "s" else held.unsigned_of for i in (0, 1))

    def scalar(x: int, y: int) -> int:
        x, y = left(x), right(y)
        if legal is not None:
            _execute(legal(x, y, width))
        if poison is not None and poison(x, y, width):
            return 0
        return int(value(x, y)) if truth else held.wrap(value(x, y))

    def array(x: NDArray, y: NDArray) -> NDArray:
        x, y = left(x), right(y)
        if legal is not None:
            _execute(bool(np.all(legal(x, y, width))))
        where = None if poison is None else poison(x, y, width)
        if where is not None:
            y = np.where(where, 0, y).astype(x.dtype)
        made = value(x, y)
        if truth:
            return np.asarray(made, np.bool_)
        if made.dtype.kind == "u":
            made = made.view(f"i{made.dtype.itemsize}")
        return held.wrap_array(made if where is None else np.where(where, np.zeros((), made.dtype), made))

    def plain(x: NDArray, y: NDArray) -> NDArray:
        made = value(x, y)
        return made if made.dtype == held.dtype else held.wrap_array(made)

    is_plain = width == held.bits and equation.views == "s" and legal is None and not truth
    return scalar, plain if is_plain else array


def _each_integer(equation: Integer, held: Storage) -> Pair:
    """An equation that needs Python integers, applied to each element."""

    def scalar(*operands: int) -> int:
        seen = [
            (held.signed if equation.view(i) == "s" else held.unsigned_of)(int(x))
            for i, x in enumerate(operands)
        ]
        if equation.legal is not None:
            _execute(equation.legal(*seen, held.width))
        return held.wrap(equation.value(*seen, held.width))

    def array(*operands: NDArray) -> NDArray:
        return np.asarray(np.frompyfunc(scalar, len(operands), 1)(*operands), held.dtype)

    return scalar, array


# -- floats


FLOATS: dict[str, Function] = {
    "arith.addf": lambda x, y: x + y,
    "arith.subf": lambda x, y: x - y,
    "arith.mulf": lambda x, y: x * y,
    "arith.divf": lambda x, y: x / y,
    "arith.remf": np.fmod,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax,
    "arith.minnumf": np.fmin,
    "arith.negf": np.negative,
}


def _each(function: Callable[..., float], count: int = 1) -> Function:
    """A function of Python floats, applied to arrays; NaN or infinity where it is undefined."""

    def guarded(*args: float) -> float:
        try:
            return function(*args)
        except (ValueError, ZeroDivisionError):
            return math.nan
        except OverflowError:
            return math.inf

    made = np.frompyfunc(guarded, count, 1)

    def apply(*args: Floats) -> Floats:
        found = made(*args)
        return np.asarray(found, np.float64)[()]

    return apply


def _round_half_away(x: Floats) -> Floats:
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole), x).astype(whole.dtype)[
        ()
    ]


MATH: dict[str, Function] = {
    "math.absf": np.abs,
    "math.acos": np.arccos,
    "math.acosh": np.arccosh,
    "math.asin": np.arcsin,
    "math.asinh": np.arcsinh,
    "math.atan": np.arctan,
    "math.atan2": np.arctan2,
    "math.atanh": np.arctanh,
    "math.cbrt": np.cbrt,
    "math.ceil": np.ceil,
    "math.copysign": np.copysign,
    "math.cos": np.cos,
    "math.cosh": np.cosh,
    "math.erf": _each(math.erf),
    "math.erfc": _each(math.erfc),
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.floor": np.floor,
    "math.log": np.log,
    "math.log10": np.log10,
    "math.log1p": np.log1p,
    "math.log2": np.log2,
    "math.powf": np.power,
    "math.round": _round_half_away,
    "math.roundeven": np.rint,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
    "math.sin": np.sin,
    "math.sinh": np.sinh,
    "math.sqrt": np.sqrt,
    "math.tan": np.tan,
    "math.tanh": np.tanh,
    "math.trunc": np.trunc,
}
TESTS: dict[str, Function] = {"math.isfinite": np.isfinite, "math.isinf": np.isinf, "math.isnan": np.isnan}


def fused_floats(x: Floats, y: Floats, z: Floats, held: Storage) -> Floats:
    """x * y + z with a single rounding, as far as a wider type allows."""
    if held.dtype == np.float64:
        wide = np.longdouble
    else:
        wide = np.float64
    return held.round((np.asarray(x, wide) * np.asarray(y, wide) + np.asarray(z, wide))[()])


def _floats(function: Function, held: Storage) -> Pair:
    """`function` with results in the type of `held`, rounded if that is emulated in a wider one."""
    if held.rounder is None:

        def plain(*args: Floats) -> Floats:
            made = function(*args)
            return made if made.dtype == held.dtype else made.astype(held.dtype)

        return plain, plain

    def rounded(*args: Floats) -> Floats:
        return held.round(np.asarray(function(*args), np.float32)[()])

    return rounded, rounded


def _clamped(x: Floats, low: Floats, high: Floats) -> Floats:
    return np.minimum(np.maximum(x, low), high)


def _is_normal(held: Storage) -> Function:
    """Whether a float is finite and not subnormal."""
    form = expect(t.FloatType, held.type).format
    tiny = math.ldexp(1.0, form.min_exponent)

    def normal(x: Floats) -> Floats:
        return np.isfinite(x) & (np.abs(x) >= tiny)

    return normal


def _raised(held: Storage) -> Function:
    """A float raised to an integer power."""

    def power(x: Floats, y: Floats) -> Floats:
        return held.round(np.asarray(np.power(np.asarray(x, np.float64), np.asarray(y, np.float64)))[()])

    return power


# -- complex numbers


COMPLEX_FUNCTIONS: dict[str, Function] = {
    "abs": np.abs,
    "add": lambda x, y: x + y,
    "angle": np.angle,
    "conj": np.conj,
    "cos": np.cos,
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
}


def _complex(op: Operation) -> Pair | None:
    """The functions of an operation of `complex`; None if it is not supported."""
    name = op.name.partition(".")[2]
    if name in ("eq", "neq"):
        compare = COMPARISONS["eq" if name == "eq" else "ne"]
        return (lambda x, y: int(compare(x, y))), compare
    target = storage(element_type(op.results[0].type))
    if name == "create":

        def create(real: Any, imaginary: Any) -> Any:
            made = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), target.dtype)
            made.real, made.imag = real, imaginary
            return made[()]

        return create, create
    function = COMPLEX_FUNCTIONS.get(name)
    if function is None:
        return None

    def apply(*args: Any) -> Any:
        return np.asarray(function(*args)).astype(target.dtype)[()]

    return apply, apply


# -- combining elements, for vectors, reductions and atomic updates


def combiner(kind: str, type: t.Type) -> Pair:
    """The functions that combine two numbers of `type`, by kind as vectors and atomic updates name it: `add`,
    `addi`, `minsi`, `mins`.

    Raises:
        Unsupported: the type has no such combination.
    """
    if kind == "assign":
        return (lambda x, y: y), (lambda x, y: y)
    held = storage(element_type(type))
    known, letter = (INTEGERS, "i") if held.kind == INTEGER else (FLOATS, "f")
    name = next((name for name in (f"arith.{kind}", f"arith.{kind}{letter}") if name in known), None)
    pair = None if name is None or held.kind == COMPLEX else _arithmetic(name, held, held)
    if pair is None:
        raise Unsupported(f"combining numbers of type '{type}' by '{kind}' is not supported")
    return pair


def fused(x: Any, y: Any, z: Any, held: Storage) -> Any:
    """x * y + z: with one rounding for floats, modulo 2**width for integers."""
    return held.wrap_array(x * y + z) if held.kind == INTEGER else fused_floats(x, y, z, held)


# The printing functions of MLIR's runner libraries. A program meant to be executed declares and calls them:
# `printMemrefF32` and the like print a buffer of any rank, others a number or punctuation. Their output is recorded in
# their format. Addresses are those of the interpreter's heap; a tensor has none.

PUNCTUATION = {"printNewline": "\n", "printOpen": "( ", "printClose": " )", "printComma": ", "}
NUMBERS = re.compile(r"print[FIU](16|32|64)|printBF16")
BUFFERS = re.compile(r"printMemref\w+|print_memref_\w+")


def library_function(function: Operation | None) -> Callable[[list[Any], Machine], list[Any]] | None:
    """The implementation of a declared runtime function; None for all others."""
    if not isinstance(function, FunctionOp) or not function.is_declaration:
        return None
    name, arguments = function.symbol_name, len(function.function_type.inputs)
    if function.function_type.results:
        return None
    if name in PUNCTUATION and not arguments:
        return lambda args, machine: _print(machine, PUNCTUATION[name])
    if arguments == 1 and NUMBERS.fullmatch(name):
        return lambda args, machine: _print(machine, _number(args[0], args[0] is not POISON), args[0])
    if arguments == 1 and BUFFERS.fullmatch(name):
        return lambda args, machine: _print_memref(machine, args[0])
    return None


def _print(machine: Machine, text: str, value: object = None) -> list[Any]:
    machine.show(text, value)
    return []


def _print_memref(machine: Machine, value: MemRef | Array) -> list[Any]:
    if isinstance(value, MemRef):
        contents, address = value.read("prints"), value.buffer.address
        offset, sizes, strides, held = value.offset, value.sizes, value.strides, value.held
        valid = contents.mask(held)
    else:
        contents, address, offset, sizes = value, 0, 0, value.data.shape
        strides = dense_strides(sizes)
        valid = np.ones(sizes, bool) if value.valid is None else value.valid
    head = (
        f"Unranked Memref base@ = {address:#x} rank = {len(sizes)} offset = {offset} "
        f"sizes = [{_listed(sizes)}] strides = [{_listed(strides)}] data = \n"
    )
    data = _nested(contents.data, valid, 1) if sizes else f"[{_number(contents.data[()], bool(valid))}]"
    return _print(machine, f"{head}{data}\n", contents)


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _nested(data: NDArray, valid: NDArray, depth: int) -> str:
    """An array as nested lists, one line per row."""
    if data.ndim == 1:
        return f"[{',    '.join(_number(x, bool(ok)) for x, ok in zip(data, valid, strict=True))}]"
    rows = (_nested(inner, ok, depth + 1) for inner, ok in zip(data, valid, strict=True))
    return f"[{(', ' + chr(10) + ' ' * depth).join(rows)}]"


def _number(value: Any, defined: bool) -> str:
    """A number in the format of C++ streams; `?` if undefined."""
    if not defined:
        return "?"
    if isinstance(value, np.complexfloating):
        return f"({value.real:g},{value.imag:g})"
    return f"{float(value):g}" if isinstance(value, (float, np.floating)) else str(int(value))
