"""Arithmetic on constants, and casts there and back: what every compiler folds.

Only what has one right answer: sums, products and quotients of f32 and f64 as IEEE 754 rounds them, integers modulo their width.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from ..ir.types import attributes as a
from ..ir.types import types as t
from .terms import Term, make, number

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
    values = [_value(arg.attr, formats) for arg in args]
    if any(value is None or not math.isfinite(value) for value in values):
        return None
    x, y = values
    try:
        result = {
            "arith.addf": x + y,
            "arith.subf": x - y,
            "arith.mulf": x * y,
            "arith.divf": x / y if y else None,
        }[name]  # pyright: ignore
        if result is None or not math.isfinite(result):
            return None
        # a double is precise enough for what is rounded to a single to be rounded once
        bits = struct.unpack(formats[1], struct.pack(formats[0], result))[0]
    except (KeyError, OverflowError):
        return None
    return make("const", a.FloatAttr.from_bits(bits, type), type=type)


def _value(attr: Any, formats: tuple[str, str]) -> float | None:
    bits = getattr(attr, "bits", None)
    if not isinstance(bits, int):
        return None
    return struct.unpack(formats[0], struct.pack(formats[1], bits))[0]


def _of_integers(name: str, args: list[Term], type: t.Type) -> Term | None:
    x = args[0].attr
    width = getattr(args[0].type, "width", 64)
    if name in ("arith.extsi", "arith.trunci"):
        signed = x - (1 << width) if width and x >> (width - 1) else x
        return number(signed, type)
    if name == "arith.extui":
        return number(x & ((1 << width) - 1), type)
    return None
