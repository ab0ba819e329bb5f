"""Representation of numbers in numpy arrays by element type, with rounding and wrapping.

A scalar is a Python int for integers and `index` (signed, but 0 or 1 for `i1`), a numpy scalar for floats and complex
numbers. An array holds integers in the smallest signed container that is wide enough (`i1` as bool, more than 64 bits
as Python ints), floats of 16, 32, 64 and 80 bits as themselves, and narrower or unusual formats in the smallest of
these that contains them: `bf16` and the 8-bit formats as float32, where one operation and a rounding give the same as
the operation rounded once (float32 has more than twice their precision and two bits).

Results are brought back to their type by `Storage.wrap` (integers, modulo 2**width) and `Storage.round` (floats).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, SupportsInt, TypeVar

import numpy as np

from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.attributes import Attribute
from ..ir.types.elements import DenseElementsAttr, SparseElementsAttr, decode_values
from . import Unsupported

INTEGER, FLOAT, COMPLEX, OTHER = "integer", "float", "complex", "other"

NDArray = np.ndarray[Any, np.dtype[Any]]
"""An array of any shape and element type."""
Integers = int | NDArray
"""Operands and results of integer functions: a number, or an array of numbers."""
N = TypeVar("N", int, NDArray)
Floats = float | NDArray
"""Operands and results of float functions."""

Function = Callable[..., Any]
Pair = tuple[Function, Function]
"""The implementations of an operation on numbers: for Python scalars, and for numpy arrays."""


_NATIVE_FLOATS: Final = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "f80": np.longdouble}
_CONTAINERS: Final = ((8, np.int8), (16, np.int16), (32, np.int32), (64, np.int64))


class Storage:
    """The representation of the elements of one type.

    Attributes:
        kind: INTEGER, FLOAT, COMPLEX or OTHER (anything else, as Python objects).
        dtype: of arrays.
        suffix: the shape of one element: that of a vector, () for numbers.
        width: bits of an integer.
        size: bytes of one element in memory.
        exact: whether `dtype` has the layout of the type in memory, so that bytes may be reinterpreted.
    """

    __slots__ = ("bits", "dtype", "exact", "kind", "rounder", "size", "suffix", "type", "unsigned", "width")

    def __init__(self, type: t.Type) -> None:
        self.type = type
        self.suffix: tuple[int, ...] = ()
        self.width = self.bits = 0
        self.exact = True
        self.rounder: Callable[[Any], Any] | None = None
        self.unsigned = False
        element = type
        if isinstance(element, t.VectorType):
            self.suffix = vector_shape(element)
            element = element.element
        self.kind, self.dtype = self._number(element)
        self.size = int(np.prod(self.suffix, dtype=int)) * self.dtype.itemsize

    def _number(self, element: t.Type) -> tuple[str, np.dtype[Any]]:
        if isinstance(element, (t.IntegerType, t.IndexType)):
            width = element.width if isinstance(element, t.IntegerType) else 64
            self.width = width
            if isinstance(element, t.IntegerType):
                self.unsigned = element.signedness == "unsigned"
            if width == 1:
                self.bits = 8
                return INTEGER, np.dtype(np.bool_)
            for bits, container in _CONTAINERS:
                if width <= bits and not (self.unsigned and width == bits):
                    self.bits = bits
                    self.exact = width == bits
                    return INTEGER, np.dtype(container)
            self.exact = False
            return INTEGER, np.dtype(object)
        if isinstance(element, t.FloatType):
            native = _NATIVE_FLOATS.get(element.name)
            if native is not None:
                return FLOAT, np.dtype(native)
            if element.width > 64:
                raise Unsupported(f"numbers of type '{element}' are not supported")
            self.exact = False
            self.rounder = _round_bf16 if element.name == "bf16" else _rounder(element)
            return FLOAT, np.dtype(np.float32)
        if isinstance(element, t.ComplexType):
            inner = storage(element.element)
            if inner.dtype == np.float32 and inner.exact:
                return COMPLEX, np.dtype(np.complex64)
            if inner.dtype == np.float64:
                return COMPLEX, np.dtype(np.complex128)
            raise Unsupported(f"numbers of type '{element}' are not supported")
        self.exact = False
        return OTHER, np.dtype(object)

    # -- results

    def wrap(self, value: SupportsInt) -> int:
        """A Python int modulo 2**width, as a scalar of this type."""
        width = self.width
        kept = int(value) & ((1 << width) - 1)
        if width > 1 and not self.unsigned and kept >> (width - 1):
            kept -= 1 << width
        return kept

    def wrap_array(self, values: NDArray) -> NDArray:
        """An array of integers in a container at least as wide, modulo 2**width."""
        width = self.width
        if self.dtype == object:
            return _each(self.wrap, values)
        if width == 1:
            return (values & 1).astype(np.bool_)
        if values.dtype != self.dtype:
            values = values.astype(self.dtype)
        if width != self.bits and not self.unsigned:
            shift = self.dtype.type(self.bits - width)
            values = (values << shift) >> shift
        elif width != self.bits:
            values = values & self.dtype.type((1 << width) - 1)
        return values

    def round(self, values: Floats) -> Any:
        """Floats of any precision, in an array or a scalar, rounded to the type."""
        if self.rounder is not None:
            return self.rounder(values)
        if isinstance(values, (np.ndarray, np.generic)):
            return values if values.dtype == self.dtype else values.astype(self.dtype)
        return self.dtype.type(values)

    # -- between scalars and arrays

    def scalar(self, element: Any) -> Any:
        """The scalar for an array element."""
        return int(element) if self.kind == INTEGER else element

    def array(self, scalar: object) -> NDArray:
        """A scalar as an array of rank 0."""
        if self.dtype == object:
            made = np.empty((), object)
            made[()] = scalar
            return made
        return np.asarray(scalar, self.dtype)

    def signed(self, values: N) -> N:
        """Integers of an array (or scalar) as signed numbers; only `i1` differs, whose 1 is -1."""
        if self.width == 1:
            return -values if isinstance(values, int) else -(values.astype(np.int8))
        return values

    def unsigned_of(self, values: N) -> N:
        """Integers of an array (or scalar) as unsigned numbers, in an unsigned container."""
        if isinstance(values, int):
            return values & ((1 << self.width) - 1)
        if self.width == 1:
            return values.astype(np.uint8)
        if self.dtype == object:
            mask = (1 << self.width) - 1
            return _each(lambda value: value & mask, values)
        cut = (
            values
            if self.width == self.bits
            else np.bitwise_and(values, self.dtype.type((1 << self.width) - 1))
        )
        return cut.view(np.dtype(f"u{self.dtype.name}"))

    def from_numbers(self, values: object) -> NDArray:
        """An array of this type from an array of numbers of any kind: wrapped or rounded. Raises TypeError."""
        array = np.asarray(values)
        if self.kind == INTEGER:
            if array.dtype.kind not in "biuO":
                if array.dtype.kind != "f" or not np.all(np.isfinite(array) & (array == np.trunc(array))):
                    raise TypeError(f"{array.dtype} does not fit '{self.type}'")
                array = array.astype(np.int64)
            if self.dtype == object or array.dtype == object:
                wrapped = _each(self.wrap, array.astype(object))
                return wrapped if self.dtype == object else wrapped.astype(self.dtype)
            if array.dtype.kind == "b":
                array = array.astype(np.int8)
            elif array.dtype.kind == "u":
                array = array.astype(np.int64)
            return self.wrap_array(array)
        if self.kind == FLOAT:
            if array.dtype.kind not in "biuf":
                raise TypeError(f"{array.dtype} does not fit '{self.type}'")
            if self.rounder is not None:
                return np.asarray(self.rounder(array.astype(np.float64)), self.dtype)
            return array.astype(self.dtype)
        if self.kind == COMPLEX:
            return array.astype(self.dtype)
        return array.astype(object)


def element_type(type: t.Type) -> t.Type:
    """The type of the numbers in a scalar, vector or tensor."""
    while isinstance(type, (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)):
        type = type.element
    return type


def vector_shape(type: t.Type) -> tuple[int, ...]:
    """The shape of a vector, with `vscale` 1 for scalable dimensions."""
    return tuple(size or 0 for size in expect(t.VectorType, type).shape)


@cache
def storage(type: t.Type) -> Storage:
    """The storage of an element type. Raises Unsupported."""
    return Storage(type)


def storage_in(type: t.Type) -> Storage:
    """The storage of the elements of a vector, tensor or buffer. Raises Unsupported."""
    return storage(expect(t.ShapedType, type).element)


def _each(function: Callable[[Any], object], values: NDArray) -> NDArray:
    made = np.empty(np.shape(values), object)
    flat = made.reshape(-1)
    for i, value in enumerate(np.asarray(values, object).reshape(-1)):
        flat[i] = function(value)
    return made


def _round_bf16(values: Floats) -> Floats:
    """Rounds the upper half of the bits to nearest, ties to even."""
    wide = np.asarray(values)
    if wide.dtype != np.float32:
        return _rounder(t.FloatType("bf16"))(values)
    bits = wide.view(np.uint32)
    rounded = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) & np.uint32(0xFFFF0000)
    rounded = np.where(np.isnan(wide), np.uint32(0x7FC00000) | (bits & np.uint32(0x80000000)), rounded)
    return rounded.astype(np.uint32).view(np.float32)[()]


@cache
def _rounder(type: t.FloatType) -> Callable[[Any], Any]:
    """Rounds each number by the exact arithmetic of `bufferize.ir.types.floats`."""
    form = type.format

    def one(value: float) -> float:
        return form.to_double(form.from_double(float(value)))

    function = np.frompyfunc(one, 1, 1)

    def rounded(values: Floats) -> Floats:
        made = function(values)
        return np.asarray(made, np.float32)[()]

    return rounded


def elements_array(attribute: Attribute, shape: tuple[int, ...]) -> NDArray:
    """The contents of a dense or sparse elements attribute as an array of `shape`. Raises Unsupported."""
    if isinstance(attribute, SparseElementsAttr):
        held = storage(attribute.type.element)
        made = np.zeros(shape, held.dtype)
        values = elements_array(attribute.values, (attribute.values.num_elements,))
        indices = elements_array(attribute.indices, tuple(attribute.indices.shape))
        rows = indices.reshape(values.size, len(shape)) if values.size else indices.reshape(0, len(shape))
        for row, value in zip(rows, values, strict=True):
            made[tuple(row)] = value
        return made
    if not isinstance(attribute, DenseElementsAttr) or attribute.strings:
        raise Unsupported(f"constants such as '{attribute}' are not supported")
    count = 1 if attribute.is_splat else attribute.num_elements
    values = from_bytes(attribute.data, attribute.type.element, count)
    return np.full(shape, values[0], values.dtype) if attribute.is_splat else values.reshape(shape)


def from_bytes(data: bytes, element: t.Type, count: int) -> NDArray:
    """A 1-d array from the bytes of a dense tensor. Raises Unsupported."""
    held = storage(element)
    if held.exact and held.width != 1 and held.dtype != object and element != t.FloatType("f80"):
        return np.frombuffer(data, held.dtype.newbyteorder("<"), count).astype(held.dtype)
    if element == t.FloatType("bf16"):  # the upper half of an f32
        return (np.frombuffer(data, "<u2", count).astype(np.uint32) << 16).view(np.float32)
    numbers = decode_values(data, element, count)
    return (
        np.array(numbers, held.dtype)
        if held.dtype != object
        else _each(lambda x: x, np.asarray(numbers, object))
    )


# -- from one type of numbers to another: by value, or by the same bits


def to_integer(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """Conversion of floats to integers. Out of range it is poison: here the nearest integer, and 0 for NaN."""
    top = (1 << target.width) - 1 if unsigned else (1 << (target.width - 1)) - 1
    bottom = 0 if unsigned else -(1 << (target.width - 1))

    def scalar(x: Any) -> int:
        if np.isnan(x):
            return 0
        if np.isinf(x):
            return target.wrap(top if x > 0 else bottom)
        return target.wrap(min(max(int(x), bottom), top))

    def array(x: NDArray) -> NDArray:
        made = np.frompyfunc(scalar, 1, 1)(x) if target.dtype == object or target.width > 32 else None
        if made is not None:
            return np.asarray(made, target.dtype)
        wide = np.nan_to_num(np.asarray(x, np.float64), nan=0.0, posinf=top, neginf=bottom)
        return target.wrap_array(np.clip(np.trunc(wide), bottom, top).astype(np.int64))

    return scalar, array


def to_float(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """Conversion of integers to the nearest float."""
    view = source.unsigned_of if unsigned else source.signed

    def array(x: NDArray) -> NDArray:
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


def resize(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """Conversion of integers to another width: zero extension, sign extension or truncation."""
    view = source.unsigned_of if unsigned else source.signed

    def array(x: NDArray) -> NDArray:
        whole = view(np.asarray(x))
        if target.dtype == object or whole.dtype == object:
            made = np.frompyfunc(lambda value: target.wrap(int(value)), 1, 1)(whole)
            return np.asarray(made, target.dtype)
        if target.width == 1:
            return (whole & whole.dtype.type(1)).astype(np.bool_)
        return target.wrap_array(whole.astype(target.dtype))

    return (lambda x: target.wrap(view(x))), array


def bits_of(held: Storage, x: Any) -> Any:
    """Numbers as unsigned integers with the same bits."""
    if held.kind == FLOAT and not held.exact:
        form = expect(t.FloatType, held.type).format
        return np.frompyfunc(lambda value: form.from_double(float(value)), 1, 1)(x)
    if held.kind == FLOAT:
        return np.asarray(x).view(f"u{held.dtype.itemsize}")
    return held.unsigned_of(x)


def from_bits(held: Storage, bits: Integers) -> NDArray:
    """Numbers of the type of `held` from unsigned integers with the same bits."""
    whole = np.asarray(bits)
    if held.kind == FLOAT and not held.exact:
        form = expect(t.FloatType, held.type).format
        return np.asarray(np.frompyfunc(lambda value: form.to_double(int(value)), 1, 1)(whole), held.dtype)
    if held.kind == FLOAT:
        return whole.astype(f"u{held.dtype.itemsize}").view(held.dtype)
    if held.dtype == object or whole.dtype == object:
        return np.asarray(np.frompyfunc(lambda value: held.wrap(int(value)), 1, 1)(whole), held.dtype)
    if held.width == 1:
        return whole.astype(np.bool_)
    return held.wrap_array(whole.astype(held.dtype))


def same_bits(source: Storage, target: Storage) -> Pair:
    def array(x: NDArray) -> NDArray:
        return from_bits(target, bits_of(source, x))

    return (lambda x: target.scalar(array(source.array(x))[()])), array
