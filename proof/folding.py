"""Arithmetic on constants, and casts there and back: what every compiler folds.

Only what has one right answer: sums, products and quotients of f32 and f64 as IEEE 754 rounds them, integers modulo their width.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable

from ..ir.types import attributes as a
from ..ir.types import types as t
from ..semantics.scalars import INTEGERS, on_constants
from .terms import Term, make, number

_FLOATS: dict[str, Callable[[float, float], float]] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.divf": operator.truediv,
}
_FORMATS = {32: ("<f", "<I"), 64: ("<d", "<Q")}


def folded(name: str, args: list[Term], type: t.Type) -> Term | None:
    """What an operation on scalars gives, if that is known without running it."""
    if name == "arith.trunci" and args[0].op == "op" and args[0].attr[0] in ("arith.extsi", "arith.extui"):
        return args[0].args[0] if args[0].args[0].type is type else None
    if not args or any(arg.op != "const" for arg in args):
        return None
    if isinstance(type, t.FloatType):
        return _of_floats(name, args, type)
    if isinstance(type, (t.IntegerType, t.IndexType)) and all(isinstance(arg.attr, int) for arg in args):
        return _of_integers(name, args, type)
    return None


def _of_floats(name: str, args: list[Term], type: t.FloatType) -> Term | None:
    formats = _FORMATS.get(type.width)
    if formats is None or len(args) != 2 or any(arg.type is not type for arg in args):
        return None
    if type.name not in ("f32", "f64"):
        return None
    x, y = (_value(arg.attr, formats) for arg in args)
    if x is None or y is None or (name == "arith.divf" and not y):
        return None
    operation = _FLOATS.get(name)
    result = operation(x, y) if operation is not None else math.nan
    if not math.isfinite(result):
        return None
    try:  # a double is precise enough for what is rounded to a single to be rounded once
        bits = struct.unpack(formats[1], struct.pack(formats[0], result))[0]
    except OverflowError:
        return None
    return make("const", a.FloatAttr.from_bits(bits, type), type=type)


def _value(attr: object, formats: tuple[str, str]) -> float | None:
    bits = getattr(attr, "bits", None)
    if not isinstance(bits, int):
        return None
    value = struct.unpack(formats[0], struct.pack(formats[1], bits))[0]
    return value if math.isfinite(value) else None


def _of_integers(name: str, args: list[Term], type: t.Type) -> Term | None:
    equation = INTEGERS.get(name)
    if equation is None:
        return None
    found = on_constants(equation, [arg.attr for arg in args], getattr(args[0].type, "width", 64))
    return None if found is None else number(found, type)
