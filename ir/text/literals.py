"""Number literals, alone and in `dense<...>`, `array<...>` and `sparse<...>`.

A dense literal may hold millions of numbers. The common ones, plain decimal integers or floats in brackets
that match the shape, are recognised as a whole: strip the brackets, split, convert, and compare the remaining
text with the bracket skeleton of the shape; every step is one call of a built-in over the whole text. All other
literals, including malformed ones, are parsed number by number, which locates errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from ..source.text import lazy_pattern, unquoted
from ..types.attributes import Attribute, FloatAttr, IntegerAttr
from ..types.elements import (
    DenseArrayAttr,
    DenseElementsAttr,
    DenseShapedType,
    SparseElementsAttr,
    element_width,
    encode_values,
)
from ..types.types import F64, I1, I64, ComplexType, FloatType, IndexType, IntegerType, RankedTensorType, Type

MAX_DIGITS: Final = 4000
"""Longest decimal integer that is converted; Python refuses more than 4300 digits, and no type holds as many."""


_BAD_ESCAPE = lazy_pattern(r'\\(?![nt"\\]|[0-9a-fA-F]{2})')


class Mistake(Exception):
    """The text from `start` to `end` is malformed, as `message` says."""

    def __init__(self, message: str, start: int, end: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = start + 1 if end is None else end


def _width(type: IntegerType | IndexType) -> int:
    return type.width if isinstance(type, IntegerType) else 64


def integer_value(digits: str, negative: bool, type: IntegerType | IndexType) -> int | None:
    """The value of an integer literal in `type`, or None if it is out of range.

    A signless type accepts the signed and the unsigned range; a minus sign requires a nonzero number.
    """
    if len(digits) > MAX_DIGITS:
        return None
    magnitude = int(digits, 16) if digits.startswith("0x") else int(digits)
    width = _width(type)
    half = 1 << (width - 1) if width else 0
    if negative:
        return -magnitude if 1 <= magnitude <= half else None
    signed = isinstance(type, IndexType) or type.signedness == "signed"
    return magnitude if magnitude < (half if signed and width else 1 << width) else None


def float_bits(literal: str, negative: bool, type: FloatType, start: int) -> int:
    """The bits of a float literal, or of a hexadecimal integer that spells the bits."""
    if literal.startswith("0x"):
        if negative:
            raise Mistake("hexadecimal float literal should not have a leading minus", start)
        bits = int(literal, 16) if len(literal) <= MAX_DIGITS else -1
        if bits < 0 or bits >> type.width:
            raise Mistake("hexadecimal float constant out of range for type", start)
        return bits
    if "." not in literal:
        raise Mistake("unexpected decimal integer literal for a floating point value", start)
    return type.format.from_double(-float(literal) if negative else float(literal))


def string_value(literal: str, start: int) -> str:
    """The string of a quoted literal. Raises Mistake at an unknown escape."""
    if "\\" in literal:
        bad = _BAD_ESCAPE.search(literal.replace("\\\\", "\\n"))
        if bad is not None:
            raise Mistake("unknown escape in string literal", start + bad.start())
    return unquoted(literal)


def number_attribute(literal: str, negative: bool, type: Type | None, start: int) -> Attribute:
    """The attribute of a number with or without a type. Raises Mistake."""
    is_float = "." in literal
    if type is None:
        type = F64 if is_float else I64
    if isinstance(type, FloatType):
        return FloatAttr.from_bits(float_bits(literal, negative, type, start), type)
    if is_float:
        raise Mistake("floating point value not valid for specified type", start)
    if not isinstance(type, IntegerType | IndexType):
        raise Mistake("integer literal not valid for specified type", start)
    if negative and isinstance(type, IntegerType) and type.signedness == "unsigned":
        raise Mistake("negative integer literal not valid for unsigned integer type", start)
    value = integer_value(literal, negative, type)
    if value is None:
        raise Mistake("integer constant out of range for attribute", start, start + len(literal))
    return IntegerAttr(value, type)


# -- lists

_BLANKS: Final = str.maketrans("", "", " \t\r\n")
_WITHOUT_COMMA = lazy_pattern(r"[\w.][ \t\r\n]++[\w.]")
_PLAIN_INTEGERS = lazy_pattern(r"[0-9,\[\]-]*+")
_PLAIN_FLOATS = lazy_pattern(r"[0-9,\[\].eE+-]*+")
_ATOMS = lazy_pattern(r"[^\[\],]++")
_BAD_FLOAT = lazy_pattern(r"[\[,-]\.|[\[,]\+")
_TOKEN = lazy_pattern(
    r"\s*+(?://[^\n]*\s*+)*+(?:(-?)\s*+([0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|[0-9]+|[A-Za-z_]\w*)"
    r'|("[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")|(.))',
    re.ASCII | re.DOTALL,
)


def _skeleton(shape: Sequence[int | None]) -> str:
    text = "0"
    for size in reversed(shape):
        text = f"[{','.join([text] * (size or 0))}]"
    return text


def _plain_numbers(body: str, type: DenseShapedType) -> list[Any] | None:
    """The numbers of a list in the common form, or None."""
    element = type.element
    if _WITHOUT_COMMA.search(body):
        return None
    text = body.translate(_BLANKS)
    if element is I1 and not _PLAIN_INTEGERS.fullmatch(text):
        text = text.replace("true", "1").replace("false", "0")
    if isinstance(element, IntegerType | IndexType):
        if not _PLAIN_INTEGERS.fullmatch(text) or "-0" in text:
            return None
        convert = int
    elif isinstance(element, FloatType):
        if not _PLAIN_FLOATS.fullmatch(text) or _BAD_FLOAT.search(text):
            return None
        convert = float
    else:
        return None
    literals = text.replace("[", "").replace("]", "").split(",")
    if convert is float and text.count(".") != len(literals):
        return None
    if type.num_elements != len(literals) or _ATOMS.sub("0", text) != _skeleton(type.shape):
        return None
    try:
        values = list(map(convert, literals))
    except ValueError:
        return None
    if convert is int:
        assert isinstance(element, IntegerType | IndexType)
        low, high = str(min(values)), str(max(values))
        for extreme in (low, high):
            if integer_value(extreme.lstrip("-"), extreme.startswith("-"), element) is None:
                return None
    return values


class _List:
    """The tokens of a nested list, parsed with an explicit stack."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.end = end
        self.at = start
        self.atoms: list[tuple[bool, str, int]] = []
        """Sign, literal and position of each number, word or string in order."""

    def next(self) -> tuple[bool, str, str, int]:
        """Sign, word or number or string, punctuation, position; the last two strings are empty at the end of the text."""
        match = _TOKEN.match(self.text, self.at, self.end)
        if match is None:
            self.at = self.end
            return False, "", "", self.end
        self.at = match.end()
        if match[2]:
            return bool(match[1]), match[2], "", match.start(2)
        if match[3]:
            return False, match[3], "", match.start(3)
        return False, "", match[4] or "", match.start(4)

    def read(self, complex_elements: bool, end: str = "") -> tuple[int, ...]:
        """Parse a list or a single element up to the punctuation `end`; returns its shape. Iterative."""
        open_lists: list[list[Any]] = []  # for each: number of items, shape of the items or None
        while True:
            negative, atom, mark, position = self.next()
            shape: tuple[int, ...] = ()
            if mark == "[":
                open_lists.append([0, None])
                continue
            if mark == "]" and open_lists and open_lists[-1][0] == 0:
                open_lists.pop()
                shape = (0,)
            elif complex_elements and mark == "(":
                self._complex()
            elif atom and (atom[0] in '"0123456789' or (atom in ("true", "false") and not negative)):
                self.atoms.append((negative, atom, position))
            else:
                raise Mistake("expected element literal of primitive type", position)
            while open_lists:  # the item is complete; close the lists that end with it
                top = open_lists[-1]
                if top[1] is not None and top[1] != shape:
                    message = "tensor literal is invalid; ranks are not consistent between elements"
                    raise Mistake(message, position)
                top[0] += 1
                top[1] = shape
                _, after, mark, position = self.next()
                if mark == "," and not after:
                    break
                if mark != "]":
                    raise Mistake("expected ']'", position)
                open_lists.pop()
                shape = (top[0], *shape)
            else:
                before = self.at
                _, after, mark, position = self.next()
                if after or mark != end:
                    raise Mistake(f"expected '{end or '>'}'", position)
                if not end:
                    self.at = before
                return shape

    def _complex(self) -> None:
        for closing, what in ((",", "expected ',' between complex elements"), (")", "expected ')'")):
            negative, atom, _, position = self.next()
            if not atom:
                raise Mistake("expected element literal of primitive type", position)
            self.atoms.append((negative, atom, position))
            _, after, mark, position = self.next()
            if after or mark != closing:
                raise Mistake(what, position)


def _atom_value(atom: tuple[bool, str, int], element: Type, dense: bool) -> Any:
    """The value of one number of a list; a float as its bits."""
    negative, literal, position = atom
    where = position
    if literal in ("true", "false"):
        if not (isinstance(element, IntegerType) and element.width == 1):
            raise Mistake("expected i1 type for 'true' or 'false' values", position)
        return int(literal == "true")
    if isinstance(element, FloatType):
        if literal.startswith('"') or not literal[0].isdigit():
            raise Mistake("expected floating point literal", position)
        return float_bits(literal, negative, element, where)
    assert isinstance(element, IntegerType | IndexType)
    if literal.startswith('"') or not literal[0].isdigit():
        raise Mistake("expected integer literal", position)
    if "." in literal:
        raise Mistake("expected integer elements, but parsed floating-point", position)
    if negative and isinstance(element, IntegerType) and element.signedness == "unsigned":
        raise Mistake("expected unsigned integer elements, but parsed negative value", position)
    value = integer_value(literal, negative, element)
    if value is None:
        suffix = " for type" if dense else ""
        raise Mistake(f"integer constant out of range{suffix}", position)
    return value


def _encode_atoms(atoms: list[tuple[bool, str, int]], element: Type) -> bytes:
    part = element.element if isinstance(element, ComplexType) else element
    values = [_atom_value(atom, part, True) for atom in atoms]
    if isinstance(part, FloatType):
        size = -(-part.width // 8)
        return b"".join(bits.to_bytes(size, "little") for bits in values)
    if isinstance(element, ComplexType):
        pairs = list(zip(values[::2], values[1::2], strict=True))
        return encode_values(pairs, element)
    return encode_values(values, element)


def _dense_body(text: str, start: int, end: int, type: DenseShapedType, whole: int) -> DenseElementsAttr:
    """Elements from the text between `dense<` and `>`; errors about the literal as a whole are reported at `whole`."""
    if type.num_elements is None:
        raise Mistake("elements literal type must have static shape", whole)
    element = type.element
    body = text[start:end].strip(" \t\r\n")
    strings = element_width(element) is None
    if not body:
        if type.num_elements:
            raise Mistake(
                f"inferred shape of elements literal ([0]) does not match type ({_shape(type)})", whole
            )
        return DenseElementsAttr(type, b"", False)
    if body.startswith('"') and not strings:
        return _hex_body(body, start, type, whole)
    values = None if strings else _plain_numbers(body, type)
    if values is not None:
        return DenseElementsAttr.from_values(type, values)
    reader = _List(text, start, end)
    is_complex = isinstance(element, ComplexType)
    shape = reader.read(is_complex)
    atoms = reader.atoms
    if shape and shape != type.shape:
        found = ", ".join(map(str, shape))
        message = f"inferred shape of elements literal ([{found}]) does not match type ({_shape(type)})"
        raise Mistake(message, whole)
    if strings:
        for _, literal, position in atoms:
            if not literal.startswith('"'):
                raise Mistake(f"expected string literal for elements of type '{element}'", position)
        return DenseElementsAttr.from_values(type, [unquoted(literal) for _, literal, _ in atoms])
    for _, literal, position in atoms:
        if literal.startswith('"'):
            raise Mistake("expected string containing hex digits starting with `0x`", position)
    if is_complex and len(atoms) != 2 * (1 if not shape else type.num_elements):
        raise Mistake(f"parsed {len(atoms)} elements, but type ('{element}') expected 2 elements", whole)
    given = len(atoms) // 2 if is_complex else len(atoms)
    return DenseElementsAttr.from_data(type, _encode_atoms(atoms, element), given)


def _shape(type: DenseShapedType) -> str:
    return f"[{', '.join(map(str, type.shape))}]"


def _hex_body(body: str, start: int, type: DenseShapedType, whole: int) -> DenseElementsAttr:
    try:
        data = bytes.fromhex(body[3:-1])
    except ValueError:
        data = b""
    written = body.startswith('"0x') and body.endswith('"') and len(body) > 3
    if not written or 2 * len(data) != len(body) - 4:  # spaces between digits are ignored
        raise Mistake("expected string containing hex digits starting with `0x`", start)
    count = type.num_elements or 0
    width = element_width(type.element) or 0
    if width == 1:
        if len(data) == 1 and data in (b"\0", b"\xff"):
            return DenseElementsAttr.from_data(type, data[:1], 1)
        expected = -(-count // 8)
    else:
        expected = count * width // 8
        if count and len(data) == width // 8:
            return DenseElementsAttr.from_data(type, data, 1)
    if len(data) != expected:
        raise Mistake(f"elements hex data size is invalid for provided type: '{type}'", whole)
    return DenseElementsAttr.from_data(type, data, count)


def dense_elements(text: str, start: int, end: int, type: Type, whole: int) -> DenseElementsAttr:
    """The attribute `dense<...> : type` whose body is `text[start:end]`. Raises Mistake."""
    if not hasattr(type, "shape"):
        raise Mistake("elements literal must be a shaped type", whole)
    return _dense_body(text, start, end, type, whole)  # pyright: ignore[reportArgumentType]


def array_element_error(element: Type) -> str | None:
    """The message for an element type that dense arrays do not allow, or None."""
    if not isinstance(element, IntegerType | FloatType):
        return f"expected integer or float type, got: '{element}'"
    if element.width != 1 and (element.width % 8 or not element.width):
        return "element type bitwidth must be a multiple of 8"
    return None


def dense_array(text: str, start: int, end: int, element: Type) -> DenseArrayAttr:
    """The attribute `array<element: ...>` whose numbers are `text[start:end]`. Raises Mistake."""
    assert isinstance(element, IntegerType | FloatType)  # see array_element_error
    values: list[Any] = []
    reader = _List(text, start, end)
    while True:
        negative, atom, _, position = reader.next()
        if element is I1 and atom not in ("true", "false"):
            raise Mistake("expected 'true' or 'false' values for i1 type", position)
        if not atom:
            what = "floating point" if isinstance(element, FloatType) else "integer"
            raise Mistake(f"expected {what} literal", position)
        values.append(_atom_value((negative, atom, position), element, False))
        _, atom, mark, position = reader.next()
        if not (atom or mark):
            break
        if atom or mark != ",":
            raise Mistake("expected '>' to close an array attribute", position)
    if isinstance(element, FloatType):
        size = -(-element.width // 8)
        return DenseArrayAttr.from_data(element, b"".join(bits.to_bytes(size, "little") for bits in values))
    return DenseArrayAttr(element, values)


def sparse_elements(text: str, start: int, end: int, type: Type, whole: int) -> SparseElementsAttr:
    """The attribute `sparse<indices, values> : type` whose body is `text[start:end]`. Raises Mistake."""
    if not hasattr(type, "shape"):
        raise Mistake("elements literal must be a shaped type", whole)
    shaped: Any = type
    if not shaped.has_static_shape:
        raise Mistake("elements literal type must have static shape", whole)
    rank = shaped.rank
    if not text[start:end].strip():
        indices_type = RankedTensorType((0, rank), I64)
        values_type = RankedTensorType((0,), shaped.element)
        return SparseElementsAttr(
            shaped, DenseElementsAttr(indices_type, b"", False), DenseElementsAttr(values_type, b"", False)
        )
    reader = _List(text, start, end)
    indices_shape = reader.read(False, ",")
    values_start = reader.at
    rows = indices_shape[0] if indices_shape else 1
    indices_type = RankedTensorType((rows, rank), I64)
    other = _List(text, values_start, end)
    values_shape = other.read(isinstance(shaped.element, ComplexType))
    if indices_shape:
        fits = list(indices_shape) in ([rows, rank], [rows] if rank == 1 else [])
        if not fits or (values_shape and list(values_shape) != [rows]):
            shapes = [", ".join(map(str, s)) for s in (shaped.shape, indices_shape, values_shape)]
            message = "expected shape ([{}]); inferred shape of indices literal ([{}])"
            message += "; inferred shape of values literal ([{}])" if values_shape else ""
            raise Mistake(message.format(*shapes), whole)
    indices_list = _encode_atoms(reader.atoms, I64)
    given = len(reader.atoms)
    indices = DenseElementsAttr.from_data(indices_type, indices_list, given)
    values = _dense_body(text, values_start, end, RankedTensorType((rows,), shaped.element), whole)
    rows_of_indices = indices.values()
    for row in range(rows):
        index = rows_of_indices[row * rank : (row + 1) * rank]
        if any(not 0 <= i < size for i, size in zip(index, shaped.shape, strict=False)):
            raise Mistake(
                f"sparse index #{row} is not contained within the value shape, with index={index}, "
                f"and type='{type}'",
                whole,
            )
    return SparseElementsAttr(shaped, indices, values)
