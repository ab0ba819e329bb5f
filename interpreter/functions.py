"""What operations on numbers compute: for each, a function of Python scalars and one of numpy arrays.

The two are one function wherever Python's operators mean the same for both. Integers come as signed numbers of their
width; results are wrapped. Floats are computed in the type that holds them and rounded. `evaluator(op)` gives both
functions for one operation; who calls them does not care whether it stands alone, works on vectors, or is a step of
the payload of a structured operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dialects.arith import FLOAT_PREDICATES, INTEGER_PREDICATES
from ..ir.program.core import Operation
from ..ir.source.expect import expect
from ..ir.types import attributes as a
from ..ir.types import types as t
from .complex_numbers import complex_functions
from .faults import Unsupported
from .floats import FLOATS, MATH, TESTS, clamped, compare_floats, float_pair, fused_floats, is_normal, raised
from .integers import (
    SHIFTS,
    SIGNED,
    UNSIGNED,
    bit_function,
    compare_integers,
    integer_pair,
    power_pair,
    shift_pair,
)
from .number_casts import resize, same_bits, to_float, to_integer
from .numbers import COMPLEX, INTEGER, Pair, Storage, element_type, storage

ELEMENTWISE_DIALECTS = ("arith", "math", "index", "complex")

INDEX_NAMES = {
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
"""The operations of `index` by the names that their like have in `arith`."""

Cast = Callable[[Storage, Storage, bool], Pair]

CASTS: dict[str, tuple[Cast, bool]] = {
    "extsi": (resize, False),
    "trunci": (resize, False),
    "index_cast": (resize, False),
    "casts": (resize, False),
    "extui": (resize, True),
    "index_castui": (resize, True),
    "castu": (resize, True),
    "sitofp": (to_float, False),
    "uitofp": (to_float, True),
    "fptosi": (to_integer, False),
    "fptoui": (to_integer, True),
}
"""What changes the type of a number, and whether integers count as unsigned."""


def evaluator(op: Operation) -> Pair | None:
    """The functions of scalars and of arrays that compute the result of `op`; None if it is not one on numbers.

    Raises:
        Unsupported: an element type that is not.
    """
    dialect, _, name = op.name.partition(".")
    if dialect not in ELEMENTWISE_DIALECTS or len(op.results) != 1 or not op.op_operands:
        return None
    if dialect == "complex":
        return complex_functions(op)
    held = storage(element_type(op.operands[0].type))
    target = storage(element_type(op.results[0].type))
    if dialect == "math":
        return _math(name, held)
    if dialect == "index":
        name = INDEX_NAMES.get(name, name)
    return _arithmetic(name, held) or _changed(name, held, target) or _compared(op, name, held)


def _arithmetic(name: str, held: Storage) -> Pair | None:
    if name in SIGNED:
        return integer_pair(SIGNED[name], held, False)
    if name in UNSIGNED:
        return integer_pair(UNSIGNED[name], held, True)
    if name in SHIFTS:
        return shift_pair(name, held)
    return float_pair(FLOATS[name], held) if name in FLOATS else None


def _changed(name: str, held: Storage, target: Storage) -> Pair | None:
    """What gives a number it is given, as it is or in another type."""
    if name in CASTS:
        cast, unsigned = CASTS[name]
        return cast(held, target, unsigned)
    if name in ("extf", "truncf"):
        return target.round, target.round
    if name == "bitcast":
        return same_bits(held, target)
    if name == "select":
        return (lambda c, x, y: x if c else y), (lambda c, x, y: np.where(c, x, y))
    return None


def _compared(op: Operation, name: str, held: Storage) -> Pair | None:
    if name == "cmp":
        return compare_integers(expect(a.DialectAttr, op.properties["pred"]).parameters.strip(), held)
    if name == "cmpi":
        return compare_integers(
            INTEGER_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value], held
        )
    if name == "cmpf":
        return compare_floats(FLOAT_PREDICATES[expect(a.IntegerAttr, op.properties["predicate"]).value])
    return None


def _math(name: str, held: Storage) -> Pair | None:
    if name in MATH:
        return float_pair(MATH[name], held)
    if name == "clampf":
        return float_pair(clamped, held)
    if name in TESTS or name == "isnormal":
        test = TESTS[name] if name in TESTS else is_normal(held)
        return (lambda x: int(test(x))), test
    if name == "ipowi":
        return power_pair(held)
    if name == "fpowi":
        power = raised(held)
        return power, power
    if name == "fma":

        def multiply_add(x: Any, y: Any, z: Any) -> Any:
            return fused_floats(x, y, z, held)

        return multiply_add, multiply_add
    return bit_function(name, held)


# -- combining elements, as vectors, reductions and atomic updates do

COMBINING = {
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
"""For each name of a combination, what it does to integers and to floats; None where it is none."""


def combiner(kind: str, type: t.Type) -> Pair:
    """The functions that combine two numbers of `type`, for the names vectors and atomic updates use.

    Raises:
        Unsupported: numbers of that type are not combined in that way.
    """
    held = storage(element_type(type))
    if kind == "assign":
        return (lambda x, y: y), (lambda x, y: y)
    names = COMBINING.get(kind, (None, None))
    name = names[0 if held.kind == INTEGER else 1]
    pair = None if name is None or held.kind == COMPLEX else _arithmetic(name, held)
    if pair is None:
        raise Unsupported(f"combining numbers of type '{type}' by '{kind}' is not supported")
    return pair


def fused(x: Any, y: Any, z: Any, held: Storage) -> Any:
    """x * y + z: with one rounding for floats, modulo 2**width for integers."""
    if held.kind == INTEGER:
        return held.wrap_array(x * y + z)
    return fused_floats(x, y, z, held)
