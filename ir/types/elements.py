"""Elements attributes: dense tensors, dense arrays and their relatives.

A dense tensor's elements are stored as in MLIR: little-endian, each integer in whole bytes, `i1`
eight to a byte with the lowest bit first, `index` in eight bytes, complex numbers as pairs. A splat
stores a single element. Python values are created on demand; large tensors are only moved as bytes.

A type whose elements are not numbers (of another dialect) holds strings instead.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, Final

from ..source.text import keyword_or_string, quoted
from . import floats
from .types import (
    I1,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    MemRefType,
    RankedTensorType,
    Type,
    VectorType,
)
from .uniquing import FULL, UNTYPED, Attribute, Nested

HEX_THRESHOLD: Final = 100
"""A dense tensor with more elements that is not a splat is printed as the hexadecimal digits of its bytes."""

Number = int | float | complex
DenseShapedType = RankedTensorType | VectorType | MemRefType

_STRUCT_CODE: Final = {
    (1, True): "b",
    (1, False): "B",
    (2, True): "h",
    (2, False): "H",
    (4, True): "i",
    (4, False): "I",
    (8, True): "q",
    (8, False): "Q",
}
_FLOAT_CODE: Final = {"f32": "f", "f64": "d", "f16": "e"}


def element_width(element: Type) -> int | None:
    """Bits of one stored element (1 for `i1`), or None if such elements are strings."""
    if isinstance(element, IntegerType | FloatType):
        return 1 if element.width == 1 else max(-(-element.width // 8), 1) * 8
    if isinstance(element, IndexType):
        return 64
    if isinstance(element, ComplexType):
        part = element_width(element.element)
        return None if part is None else 2 * (-(-part // 8) * 8)
    return None


def stored_bytes(element: Type) -> int | None:
    """The stride in bytes between elements of a buffer, as in LLVM's 64-bit data layouts; None if unknown."""
    if isinstance(element, IndexType):
        return 8
    if isinstance(element, (IntegerType, FloatType)):
        return _power_of_two((element.width + 7) // 8)
    if isinstance(element, ComplexType):
        part = stored_bytes(element.element)
        return None if part is None else 2 * part
    if isinstance(element, VectorType) and not any(element.scalable_dims):
        part = stored_bytes(element.element)
        return None if part is None else _power_of_two(part * prod(element.static_shape))
    return None


def _power_of_two(bytes: int) -> int:
    return 1 << max(bytes - 1, 0).bit_length()


def _is_signed(element: Type) -> bool:
    return not (isinstance(element, IntegerType) and (element.signedness == "unsigned" or element.width == 1))


def _encode_one(value: Any, element: Type, size: int) -> bytes:
    if isinstance(element, ComplexType):
        if isinstance(value, tuple):
            real, imaginary = value
        else:
            real, imaginary = complex(value).real, complex(value).imag
            if isinstance(element.element, IntegerType):
                real, imaginary = int(real), int(imaginary)
        part = size // 2
        return _encode_one(real, element.element, part) + _encode_one(imaginary, element.element, part)
    if isinstance(element, FloatType):
        return element.format.from_double(float(value)).to_bytes(size, "little")
    width = element.width if isinstance(element, IntegerType) else 64
    return (int(value) & ((1 << width) - 1)).to_bytes(size, "little")


def _little_endian(values: array[Any]) -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def encode_values(values: Sequence[Any], element: Type) -> bytes:
    """The bytes of `values` as a dense tensor of `element` stores them. O(values).

    Integers wrap to the width of their type, floats are rounded; complex values are pairs or `complex`.
    Raises TypeError if elements of this type are strings.
    """
    width = element_width(element)
    if width is None:
        raise TypeError(f"elements of type {element} are not numbers")
    if width == 1 and isinstance(element, IntegerType):
        bits = "".join("1" if value & 1 else "0" for value in reversed(values))
        return int(bits or "0", 2).to_bytes(-(-len(values) // 8), "little")
    size = width // 8
    if isinstance(element, FloatType):
        code = _FLOAT_CODE.get(element.name)
        try:
            if code == "e":  # the array module has no half precision
                return struct.pack(f"<{len(values)}e", *values)
            if code is not None:
                return _little_endian(array(code, values))
        except OverflowError:  # rounds to infinity, which `struct` and `array` reject
            pass
    elif not isinstance(element, ComplexType):
        code = _STRUCT_CODE.get((size, _is_signed(element)))
        if code is not None and (isinstance(element, IndexType) or getattr(element, "width", 0) == width):
            try:
                return _little_endian(array(code, values))
            except OverflowError:  # some value needs wrapping
                pass
    return b"".join(_encode_one(value, element, size) for value in values)


def _decode_one(data: bytes, element: Type) -> Any:
    if isinstance(element, ComplexType):
        half = len(data) // 2
        return complex(_decode_one(data[:half], element.element), _decode_one(data[half:], element.element))
    bits = int.from_bytes(data, "little")
    if isinstance(element, FloatType):
        return element.format.to_double(bits)
    assert isinstance(element, IntegerType | IndexType)
    return element.wrap(bits)


def decode_values(data: bytes, element: Type, count: int) -> list[Any]:
    """Inverse of `encode_values`: `count` Python numbers. O(count)."""
    width = element_width(element)
    if width is None:
        raise TypeError(f"elements of type {element} are not numbers")
    if width == 1 and isinstance(element, IntegerType):
        bits = int.from_bytes(data, "little")
        digits = f"{bits:b}"[::-1][:count].ljust(count, "0")
        one = element.wrap(1)  # -1 if the type is signed
        return [one if digit == "1" else 0 for digit in digits]
    size = width // 8
    if isinstance(element, FloatType):
        code = _FLOAT_CODE.get(element.name)
    elif isinstance(element, IndexType) or (isinstance(element, IntegerType) and element.width == width):
        code = _STRUCT_CODE.get((size, _is_signed(element)))
    else:
        code = None
    if code is not None:
        return list(struct.unpack(f"<{count}{code}", data))
    return [_decode_one(data[i : i + size], element) for i in range(0, count * size, size)]


def element_texts(data: bytes, element: Type, count: int) -> list[str]:
    """The text of each of `count` elements."""
    if isinstance(element, ComplexType):
        parts = element_texts_aligned(data, element.element, 2 * count)
        return [f"({parts[i]},{parts[i + 1]})" for i in range(0, 2 * count, 2)]
    if element is I1 or (isinstance(element, IntegerType) and element.width == 1):
        return ["true" if value else "false" for value in decode_values(data, element, count)]
    return element_texts_aligned(data, element, count)


def element_texts_aligned(data: bytes, element: Type, count: int) -> list[str]:
    """Like `element_texts`, but `i1` takes a whole byte, as in dense arrays and complex numbers."""
    if isinstance(element, FloatType):
        size = -(-element.width // 8)
        form = element.format
        return [
            floats.text(form, int.from_bytes(data[i : i + size], "little"))
            for i in range(0, count * size, size)
        ]
    if isinstance(element, IntegerType) and element.width == 1:
        return ["true" if byte & 1 else "false" for byte in data]
    return list(map(str, decode_values(data, element, count)))


def _bracketed(texts: list[str], shape: Sequence[int]) -> str:
    """`texts` in nested brackets, one level per size in `shape`. O(texts * rank)."""
    for size in reversed(shape):
        texts = [f"[{', '.join(texts[i : i + size])}]" for i in range(0, len(texts), size)]
    return texts[0]


class DenseElementsAttr(Attribute):
    """`dense<...> : type`: a value for each element of a tensor, vector or memref of static shape.

    `data` holds the elements, or a single one if `is_splat`, in the format of the module docstring; for
    elements that are not numbers it is empty and `strings` holds them. The constructor takes bytes;
    `from_values` takes Python numbers.
    """

    __slots__ = ("data", "is_splat", "strings", "type")
    type: DenseShapedType
    data: bytes
    strings: tuple[str, ...]
    is_splat: bool

    def __new__(
        cls, type: DenseShapedType, data: bytes, is_splat: bool, strings: tuple[str, ...] = ()
    ) -> DenseElementsAttr:
        key = (type, data, is_splat, strings)
        if (found := cls._table.get(key)) is not None:
            return found
        return cls._create(key, (type,), type=type, data=data, is_splat=is_splat, strings=strings)

    @classmethod
    def from_values(cls, type: DenseShapedType, values: Sequence[Any]) -> DenseElementsAttr:
        """From as many Python numbers (or strings) as `type` has elements, or a single one for all.

        Raises ValueError for any other count.
        """
        count = _static_count(type)
        if len(values) != count and len(values) != 1:
            raise ValueError(f"{len(values)} values for {count} elements of {type}")
        if element_width(type.element) is None:
            strings = tuple(values)
            if strings and strings.count(strings[0]) == len(strings):
                return cls(type, b"", True, strings[:1])
            return cls(type, b"", False, strings)
        data = encode_values(values, type.element)
        return cls.from_data(type, data, len(values))

    @classmethod
    def from_data(cls, type: DenseShapedType, data: bytes, given: int) -> DenseElementsAttr:
        """From the bytes of `given` elements: one per element, or one for all, even if there are none. Detects splats."""
        element = type.element
        width = element_width(element)
        assert width is not None
        if given == 0:
            return cls(type, b"", False)
        if width == 1 and isinstance(element, IntegerType):
            bits = int.from_bytes(data, "little") & ((1 << given) - 1)
            if bits == 0:
                return cls(type, b"\0", True)
            if bits == (1 << given) - 1:
                return cls(type, b"\1", True)
            return cls(type, bits.to_bytes(-(-given // 8), "little"), False)
        size = width // 8
        one = data[:size]
        # All elements are equal iff the bytes equal themselves shifted by one element.
        if len(data) == size or (data[-size:] == one and data[size:] == data[:-size]):
            return cls(type, one, True)
        return cls(type, data, False)

    @property
    def element(self) -> Type:
        return self.type.element

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.static_shape  # static, or the attribute could not exist

    @property
    def num_elements(self) -> int:
        return _static_count(self.type)

    def __len__(self) -> int:
        return self.num_elements

    def __bool__(self) -> bool:
        return True

    def _stored(self) -> int:
        return 1 if self.is_splat else self.num_elements

    @property
    def splat_value(self) -> Any:
        """The value of a splat. Raises ValueError if the elements differ."""
        if not self.is_splat:
            raise ValueError("the elements are not all equal")
        if self.strings:
            return self.strings[0]
        return decode_values(self.data, self.type.element, 1)[0]

    def values(self) -> list[Any]:
        """All elements in row-major order as Python numbers (or strings). O(elements)."""
        stored = list(self.strings) or decode_values(self.data, self.type.element, self._stored())
        return stored * self.num_elements if self.is_splat else stored

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values())

    def with_type(self, type: DenseShapedType) -> DenseElementsAttr:
        """The same elements in another shape. Raises ValueError if the count or the element type differs."""
        if _static_count(type) != self.num_elements or type.element is not self.type.element:
            raise ValueError(f"elements of {self.type} do not fit {type}")
        return DenseElementsAttr(type, self.data, self.is_splat, self.strings)

    def body(self, allow_hex: bool = True, larger: int = HEX_THRESHOLD) -> str:
        """The text between `dense<` and `>`; hexadecimal with more elements than `larger`, unless that is -1."""
        count = self.num_elements
        if count == 0 and not self.is_splat:
            return ""
        if self.strings:
            texts = list(map(quoted, self.strings))
        elif not self.is_splat and allow_hex and 0 <= larger < count:
            return f'"0x{self.data.hex().upper()}"'
        else:
            texts = element_texts(self.data, self.type.element, self._stored())
        return texts[0] if self.is_splat else _bracketed(texts, self.shape)

    def _write(self, nested: Nested, elision: int) -> str:
        text = f"dense<{self.body()}>"
        return text if elision == UNTYPED else f"{text} : {nested(self.type, FULL)}"


def _static_count(type: DenseShapedType) -> int:
    count = type.num_elements
    if count is None:
        raise ValueError("elements literal type must have static shape")
    return count


class DenseArrayAttr(Attribute):
    """`array<i64: 1, 2>`: a list of integers or floats of one type.

    `values` are Python numbers, 0 and 1 for `i1`.
    """

    __slots__ = ("data", "element", "values")
    element: IntegerType | FloatType
    values: tuple[Any, ...]
    data: bytes

    def __new__(cls, element: IntegerType | FloatType, values: Iterable[Any]) -> DenseArrayAttr:
        values = tuple(values)
        if isinstance(element, FloatType):
            size = -(-element.width // 8)
            data = b"".join(_encode_one(value, element, size) for value in values)
            return cls.from_data(element, data)
        key = (element, values)
        if (found := cls._table.get(key)) is not None:
            return found
        size = max(-(-element.width // 8), 1)
        found = cls.from_data(element, b"".join(_encode_one(value, element, size) for value in values))
        if found.values == values:
            cls._table[element, found.values] = found
        return found

    @classmethod
    def from_data(cls, element: IntegerType | FloatType, data: bytes) -> DenseArrayAttr:
        """From bytes, little-endian, each element in whole bytes."""
        key = (element, data)
        if (found := cls._table.get(key)) is not None:
            return found
        size = max(-(-element.width // 8), 1)
        values = tuple(_decode_one(data[i : i + size], element) for i in range(0, len(data), size))
        return cls._create(key, (element,), element=element, values=values, data=data)

    def __len__(self) -> int:
        return len(self.values)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, position: int) -> Any:
        return self.values[position]

    def _write(self, nested: Nested, elision: int) -> str:
        values = ", ".join(element_texts_aligned(self.data, self.element, len(self.values)))
        if elision == UNTYPED:
            return f"array<{values}>"
        separator = ": " if values else ""
        return f"array<{nested(self.element, FULL)}{separator}{values}>"


class DenseResourceAttr(Attribute):
    """`dense_resource<key> : type`: elements stored in the resource section of the file."""

    __slots__ = ("key", "type")
    key: str
    type: Type

    def __new__(cls, key: str, type: Type) -> DenseResourceAttr:
        entry = (key, type)
        return cls._table.get(entry) or cls._create(entry, (type,), key=key, type=type)

    def _write(self, nested: Nested, elision: int) -> str:
        text = f"dense_resource<{keyword_or_string(self.key)}>"
        return text if elision == UNTYPED else f"{text} : {nested(self.type, FULL)}"


class SparseElementsAttr(Attribute):
    """`sparse<indices, values> : type`: a tensor that is zero except at `indices`, one row per value."""

    __slots__ = ("indices", "type", "values")
    type: DenseShapedType
    indices: DenseElementsAttr
    values: DenseElementsAttr

    def __new__(
        cls, type: DenseShapedType, indices: DenseElementsAttr, values: DenseElementsAttr
    ) -> SparseElementsAttr:
        key = (type, indices, values)
        return cls._table.get(key) or cls._create(key, (type,), type=type, indices=indices, values=values)

    def _write(self, nested: Nested, elision: int) -> str:
        body = ""
        if self.indices.num_elements:
            body = f"{self.indices.body(allow_hex=False)}, {self.values.body()}"
        text = f"sparse<{body}>"
        return text if elision == UNTYPED else f"{text} : {nested(self.type, FULL)}"
