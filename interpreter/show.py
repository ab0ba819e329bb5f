"""Values as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.types import types as t
from .numbers import storage_in
from .values import POISON, Array

MAX_SHOWN = 2000
"""Arrays of more elements are told by their shape and first elements."""


def value_text(value: object, type: t.Type) -> str:
    """A value: numbers as in MLIR, arrays as nested lists, `?` for what is undefined."""
    if value is POISON:
        return "?"
    if isinstance(value, Array):
        held = storage_in(type)
        if value.data.size > MAX_SHOWN:
            shape = "x".join(map(str, value.data.shape))
            first = ", ".join(_number(x) for x in value.data.reshape(-1)[:8])
            return f"[{first}, ...] ({shape} elements)"
        valid = value.mask(held)
        valid = np.broadcast_to(valid.reshape(valid.shape + (1,) * len(held.suffix)), value.data.shape)
        texts = [
            _number(x) if ok else "?" for x, ok in zip(value.data.reshape(-1), valid.reshape(-1), strict=True)
        ]
        return _nested(texts, value.data.shape)
    return _number(value)


def _nested(texts: list[str], shape: tuple[int, ...]) -> str:
    if 0 in shape:
        return "[]"
    for size in reversed(shape):
        texts = [f"[{', '.join(texts[i : i + size])}]" for i in range(0, len(texts), size)]
    return texts[0]


def _number(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, np.complexfloating):
        return f"({value.real:g},{value.imag:g})"
    if isinstance(value, np.floating):
        return (
            np.format_float_positional(value, unique=True, trim="0")
            if 1e-4 <= abs(value) < 1e15 or value == 0
            else str(value)
        )
    return str(value)


def input_text(values: Sequence[Any], types: Sequence[t.Type], aliased: bool) -> str:
    """The arguments of a call, with their types."""
    shown = [f"{value_text(value, type)} : {type}" for value, type in zip(values, types, strict=False)]
    same = "; equal arguments that nobody may write are the same memory" if aliased else ""
    return (f"({', '.join(shown)})" if shown else "no arguments") + same
