"""Run-time values and their text: arrays that track undefined elements, and the undefined scalar.

`tensor.empty`, fresh memory and `ub.poison` have undefined elements. Undefinedness propagates: a value computed
from an undefined element is undefined. It becomes a fault only when a branch, an index or a size depends on it. So
a partially filled tensor can be compared with its bufferized form on the defined elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..ir.types import types as t
from . import Fault
from .numbers import NDArray, Storage, storage_in


class _Poison:
    """The undefined scalar."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"


POISON: Final = _Poison()


class Array:
    """A tensor or vector. Immutable.

    Attributes:
        data: the elements; elements that are vectors add trailing dimensions.
        valid: which elements are defined, without the dimensions of vector elements; None if all are.
    """

    __slots__ = ("data", "valid")

    def __init__(self, data: NDArray, valid: NDArray | None = None) -> None:
        self.data = data
        self.valid = valid

    def shape(self, held: Storage) -> tuple[int, ...]:
        """The shape without the dimensions of elements that are vectors."""
        rank = self.data.ndim - len(held.suffix)
        return self.data.shape[:rank]

    def mask(self, held: Storage) -> NDArray:
        """`valid` as an array, even if all elements are defined; must not be written."""
        return np.ones(self.shape(held), np.bool_) if self.valid is None else self.valid

    def moved(self, function: Callable[[NDArray], NDArray]) -> Array:
        """A function that only moves elements, applied to elements and flags alike."""
        return Array(function(self.data), None if self.valid is None else function(self.valid))

    def element(self, index: tuple[int, ...], held: Storage) -> Any:
        """One element as a scalar, or as a vector."""
        defined = self.valid is None or bool(self.valid[index])
        if held.suffix:
            return Array(self.data[index], None if defined else np.zeros(held.suffix, np.bool_))
        return held.scalar(self.data[index]) if defined else POISON


def extent(sizes: Sequence[int], dimension: int, whole: str) -> int:
    """The size of a dimension of a tensor, memref or shape, which a message calls `whole`.

    Raises:
        Fault: there is no such dimension.
    """
    if not 0 <= dimension < len(sizes):
        raise Fault(f"asks for dimension {dimension} of a {whole} of rank {len(sizes)}", "out-of-bounds")
    return sizes[dimension]


def settled(data: NDArray, valid: NDArray | None) -> Array:
    """An array; `valid` is dropped if all elements are defined."""
    if valid is not None and valid.all():
        valid = None
    return Array(data, valid)


def undefined(shape: tuple[int, ...], held: Storage) -> Array:
    """An array with all elements undefined."""
    return Array(np.zeros(shape + held.suffix, held.dtype), np.zeros(shape, np.bool_))


def decide(value: Any, what: str = "a branch") -> int:
    """A condition or selector, checked to be defined."""
    if value is POISON:
        raise Fault(f"{what} depends on an undefined value", "undefined-value")
    return value


def number(value: Any, what: str = "an index") -> int:
    """An index or size, checked to be defined."""
    if value is POISON:
        raise Fault(f"{what} is an undefined value", "undefined-value")
    return value


def numbers(values: list[Any], what: str = "an index") -> list[int]:
    """Several indices or sizes, checked to be defined."""
    for value in values:
        if value is POISON:
            raise Fault(f"{what} is an undefined value", "undefined-value")
    return values


def pack(scalar: object, held: Storage) -> tuple[Any, bool]:
    """The array element for a scalar (or vector element), and whether it is defined."""
    if scalar is POISON:
        return (
            np.zeros(held.suffix, held.dtype)
            if held.suffix
            else held.dtype.type(0)
            if held.dtype != object
            else 0
        ), False
    if isinstance(scalar, Array):
        return scalar.data, scalar.valid is None or bool(scalar.valid.all())
    return scalar, True


# Printing values.

MAX_SHOWN = 2000
"""Larger arrays are printed as their shape and first elements."""


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
    same = "; equal read-only arguments are the same memory" if aliased else ""
    return (f"({', '.join(shown)})" if shown else "no arguments") + same
