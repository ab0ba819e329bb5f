"""Parses types and attributes, each distinct text once.

A program repeats few types very often. Parsed texts are cached per process, so the second
`tensor<4x?xf32>` costs a slice and a lookup. Texts with aliases depend on their document
and are cached in its `SyntaxScope`. Long texts, mostly dense literals, are not cached.

The common texts (scalars, tensors and memrefs of them, numbers, strings, symbols, permutation maps, and arrays and
dictionaries of these) are recognised by regular expressions here; others need the grammar, whose parser is then
loaded (syntax_builder.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

from ..source.diagnostics import ParseError
from ..source.locations import Source, Span
from ..source.text import lazy_pattern
from ..types import attributes as a, types as t
from ..types.affine import constant, dim
from ..types.affine_map import AffineMap
from ..types.uniquing import NestingError
from .literals import Mistake, dense_elements, float_bits, integer_value, number_attribute

MAX_KEPT_TEXT: Final = 2000
"""Longer texts are not cached."""

_kept_types: dict[str, t.Type] = {}
_kept_attributes: dict[str, a.Attribute] = {"true": a.TRUE, "false": a.FALSE, "unit": a.UNIT}

_SHAPED = lazy_pattern(r"(tensor|memref|vector)<((?:(?:\?|[0-9]{1,18})x)*)([a-z][A-Za-z0-9]*)>", re.ASCII)
_STRIDED_MEMREF = lazy_pattern(
    r"memref<((?:(?:\?|[0-9]{1,18})x)*)([a-z][A-Za-z0-9]*), ?"
    r"strided<\[((?:(?:\?|[0-9]{1,18})(?:, ?|(?=\])))*)\](?:, ?offset: ?(\?|[0-9]{1,18}))?>>",
    re.ASCII,
)
_DIALECT_TYPE = lazy_pattern(r"!([A-Za-z_]\w*)\.([A-Za-z][\w.]*)", re.ASCII)
_NUMBER = lazy_pattern(
    r"(-?)(?:([0-9]{1,18})|([0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)|(0x[0-9a-fA-F]{1,16}))(?: ?: ?([a-z]\w*))?",
    re.ASCII,
)
_LITERAL = lazy_pattern(r"(-?)\s*(0x[0-9a-fA-F]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+)", re.ASCII)
_DENSE = lazy_pattern(
    r"dense<([-0-9.eE+, \[\]]*|true|false)> ?: ?((?:tensor|vector)<[0-9x]*[a-z]\w*>)", re.ASCII
)
_DENSE_RESOURCE = lazy_pattern(
    r"dense_resource<([A-Za-z_][\w$.]*)> ?: ?((?:tensor|vector)<[0-9x]*[a-z]\w*>)", re.ASCII
)
_STRING = lazy_pattern(r'"([^"\\\n]*)"')
_SYMBOL = lazy_pattern(r"@([A-Za-z_][\w$.]*)(?:::@([A-Za-z_][\w$.]*))?", re.ASCII)
_DIALECT_ATTRIBUTE = lazy_pattern(r"#([A-Za-z_]\w*)\.([A-Za-z][\w.]*(?:<[\w, ]*>)?)", re.ASCII)
_SIMPLE_MAP = lazy_pattern(r"affine_map<\(([a-z0-9, ]*)\) ?-> ?\(([a-z0-9, ]*)\)>", re.ASCII)
_NAME = lazy_pattern(r"[a-z][a-z0-9]*", re.ASCII)
_ITEM = lazy_pattern(
    r'\s*("[^"\\\n]*"|\[[^\[\]{}]*\]|affine_map<\([^()<>]*\) ?-> ?\([^()<>]*\)>|#[\w.]+|[^"\\,\[\](){}<>#=]+)\s*(,|$)',
    re.ASCII,
)
_KEY = lazy_pattern(r"\s*([A-Za-z_][\w$.]*)\s*=", re.ASCII)


class SyntaxScope:
    """The aliases defined in one document, and parsing with them.

    An alias must be defined before a text that uses it is parsed. `mlir-opt` allows forward references in locations;
    callers handle those by parsing locations at the end of the document.
    """

    __slots__ = ("_kept_attributes", "_kept_types", "attributes", "types")

    def __init__(self) -> None:
        self.types: dict[str, t.Type] = {}
        """Type aliases by name without `!`."""
        self.attributes: dict[str, a.Attribute] = {}
        """Attribute aliases by name without `#`."""
        self._kept_types: dict[str, t.Type] = {}
        self._kept_attributes: dict[str, a.Attribute] = {}

    def define_type(self, name: str, type: t.Type) -> None:
        """Define `!name` as `type`. Raises ValueError if it is already defined."""
        _define(self.types, name, type, "type")

    def define_attribute(self, name: str, attribute: a.Attribute) -> None:
        """Define `#name` as `attribute`. Raises ValueError if it is already defined."""
        _define(self.attributes, name, attribute, "attribute")

    def parse_type(self, source: Source | str, start: int = 0, end: int | None = None) -> t.Type:
        """Parse `source` from `start` to `end` as a type. Raises ParseError at the error."""
        text = source if isinstance(source, str) else source.text
        if end is None:
            end = len(text)
        piece = text[start:end]
        if (found := _kept_types.get(piece) or self._kept_types.get(piece)) is not None:
            return found
        found = _simple_type(piece)
        if found is not None:
            _kept_types[piece] = found
            return found
        return self._parse("type_text", source, text, start, end, piece, _kept_types, self._kept_types)

    def parse_attribute(
        self, source: Source | str, start: int = 0, end: int | None = None, type: t.Type | None = None
    ) -> a.Attribute:
        """Parse `source` from `start` to `end` as an attribute.

        `type` is the type of a number without one, by default `i64` or `f64`. Raises ParseError at the error.
        """
        text = source if isinstance(source, str) else source.text
        if end is None:
            end = len(text)
        piece = text[start:end]
        if type is not None and (typed := self._typed(piece, type, source, text, start)) is not None:
            return typed
        found = _kept_attributes.get(piece)
        if found is None:
            found = self._kept_attributes.get(piece)
        if found is not None:
            return found
        found = _simple_attribute(piece)
        if found is not None:
            if len(piece) <= MAX_KEPT_TEXT:
                _kept_attributes[piece] = found
            return found
        found = self._composed(piece)
        if found is not None:
            self._kept_attributes[piece] = found
            return found
        return self._parse(
            "attribute_text", source, text, start, end, piece, _kept_attributes, self._kept_attributes
        )

    def parse_location(self, source: Source | str, start: int = 0, end: int | None = None) -> a.Attribute:
        """Like `parse_attribute`, for `loc(...)`; raises ParseError for other attributes."""
        found = self.parse_attribute(source, start, end)
        if not isinstance(found, a.Location):
            _fail(Mistake(f"expected location attribute, but got {found}", start), source)
        return found

    def _composed(self, text: str) -> a.Attribute | None:
        """An alias, or an array or dictionary of common texts and aliases; None defers to the grammar.

        Covers the attributes of typical networks: without it most programs would load the grammar's tables, a tenth of
        the time for a small program.
        """
        if len(text) > MAX_KEPT_TEXT:
            return None
        if text.startswith("#"):
            return self.attributes.get(text[1:])
        keyed = text.startswith("{") and text.endswith("}")
        if not keyed and not (text.startswith("[") and text.endswith("]")):
            return None
        at, last = 1, len(text) - 1
        names: list[str] = []
        elements: list[a.Attribute] = []
        more = True
        while more:
            key = _KEY.match(text, at, last) if keyed else None
            if keyed and (key is None or key[1] in names):
                return None
            item = _ITEM.match(text, key.end() if key is not None else at, last)
            if item is None:
                return None
            piece = item[1].strip()
            element = _kept_attributes.get(piece)
            if element is None:
                element = _simple_attribute(piece)
            if element is None:
                element = self._composed(piece)
            if element is None:
                return None
            elements.append(element)
            if key is not None:
                names.append(key[1])
            at, more = item.end(), item[2] == ","
        try:
            return a.DictionaryAttr(zip(names, elements, strict=True)) if keyed else a.ArrayAttr(elements)
        except NestingError:
            return None  # the grammar finds the error again and locates it

    def _typed(
        self, piece: str, type: t.Type, source: Source | str, text: str, start: int
    ) -> a.Attribute | None:
        """A number or string without a type of its own, or None."""
        match = _LITERAL.fullmatch(piece)
        if match is None:
            plain = _STRING.fullmatch(piece)
            return None if plain is None else a.StringAttr(plain[1], type)
        negative = match[1] == "-"
        at = start + match.start(2)
        try:
            return number_attribute(match[2], negative, type, at)
        except Mistake as mistake:
            _fail(mistake, source)

    def _parse(
        self,
        rule: str,
        source: Source | str,
        text: str,
        start: int,
        end: int,
        piece: str,
        kept: dict[str, Any],
        kept_here: dict[str, Any],
    ) -> Any:
        from .syntax_builder import parse

        try:
            value, used_alias = parse(rule, text, start, end, self)  # pyright: ignore[reportArgumentType]
        except Mistake as mistake:
            _fail(mistake, source)
        if len(piece) <= MAX_KEPT_TEXT:
            (kept_here if used_alias else kept)[piece] = value
        return value


def _define(table: dict[str, Any], name: str, value: object, what: str) -> None:
    if name in table:
        raise ValueError(f"redefinition of {what} alias id '{name}'")
    table[name] = value


def _fail(mistake: Mistake, source: Source | str) -> NoReturn:
    where = source if isinstance(source, Source) else Source("<string>", source)
    raise ParseError(mistake.message, Span(where, mistake.start, mistake.end)) from None


# -- the common texts


def _scalar(name: str) -> t.Type | None:
    try:
        return t.named_type(name)
    except ValueError:
        return None


def _sizes(text: str) -> tuple[int | None, ...]:
    return tuple(None if size == "?" else int(size) for size in text.split("x")[:-1])


def _simple_type(text: str) -> t.Type | None:
    match = _SHAPED.fullmatch(text)
    if match is not None:
        kind, sizes, name = match.groups()
        element = _scalar(name)
        if element is None or element is t.NONE:
            return None
        shape = _sizes(sizes)
        if kind == "tensor":
            return t.RankedTensorType(shape, element)
        if kind == "memref":
            return t.MemRefType(shape, element)
        return None if None in shape or 0 in shape else t.VectorType(shape, element)
    match = _STRIDED_MEMREF.fullmatch(text)
    if match is not None:
        sizes, name, strides, offset = match.groups()
        element = _scalar(name)
        shape = _sizes(sizes)
        written = [stride.strip() for stride in strides.split(",")] if strides else []
        if element is None or element is t.NONE or len(written) != len(shape) or "" in written:
            return None
        numbers = [None if stride == "?" else int(stride) for stride in written]
        layout = a.StridedLayoutAttr(numbers, None if offset == "?" else int(offset or 0))
        return t.MemRefType(shape, element, layout)
    match = _DIALECT_TYPE.fullmatch(text)
    if match is not None:
        from .dialect_text import type_error

        return None if type_error(match[1], match[2]) else t.DialectType(match[1], match[2])
    return _scalar(text)


def _simple_number(match: re.Match[str]) -> a.Attribute | None:
    negative = match[1] == "-"
    digits, decimal, bits, name = match[2], match[3], match[4], match[5]
    type = _scalar(name) if name else (t.F64 if decimal else t.I64)
    if bits:
        return None if type is None or not name else _number_of_bits(bits, negative, type)
    if decimal:
        if not isinstance(type, t.FloatType):
            return None
        return a.FloatAttr.from_bits(float_bits(decimal, negative, type, 0), type)
    if not isinstance(type, t.IntegerType | t.IndexType):
        return None
    if negative and isinstance(type, t.IntegerType) and type.signedness == "unsigned":
        return None
    value = integer_value(digits, negative, type)
    return None if value is None else a.IntegerAttr(value, type)


def _number_of_bits(bits: str, negative: bool, type: t.Type) -> a.Attribute | None:
    try:
        return number_attribute(bits, negative, type, 0)
    except Mistake:
        return None  # the grammar finds the error again, with its position in the source


def _simple_map(match: re.Match[str]) -> a.Attribute | None:
    """A map whose results are dimensions and numbers."""
    dims = [name.strip() for name in match[1].split(",")] if match[1].strip() else []
    results = [name.strip() for name in match[2].split(",")] if match[2].strip() else []
    positions = {name: position for position, name in enumerate(dims)}
    if len(positions) != len(dims) or not all(map(_NAME.fullmatch, dims)):
        return None
    try:
        expressions = [
            constant(int(r)) if r.isdecimal() and len(r) < 19 else dim(positions[r]) for r in results
        ]
        return a.AffineMapAttr(AffineMap(len(dims), 0, expressions))
    except KeyError:
        return None


def _simple_dense(match: re.Match[str]) -> a.Attribute | None:
    type = _simple_type(match[2])
    if type is None:
        return None
    try:
        return dense_elements(match.string, *match.span(1), type, 0)
    except Mistake:
        return None  # the grammar finds the error again, with its position in the source


def _simple_resource(match: re.Match[str]) -> a.Attribute | None:
    type = _simple_type(match[2])
    return None if type is None else a.DenseResourceAttr(match[1], type)


def _simple_symbol(match: re.Match[str]) -> a.Attribute:
    return a.SymbolRefAttr(match[1], (match[2],) if match[2] else ())


def _simple_dialect_attribute(match: re.Match[str]) -> a.Attribute | None:
    from .dialect_text import attribute_error, canonical_body

    dialect, body = match.groups()
    return (
        a.DialectAttr(dialect, canonical_body(dialect, body))
        if attribute_error(dialect, body) is None
        else None
    )


_SIMPLE: Final[dict[str, tuple[tuple[re.Pattern[str], Callable[[Any], a.Attribute | None]], ...]]] = {
    '"': ((_STRING, lambda match: a.StringAttr(match[1])),),
    "@": ((_SYMBOL, _simple_symbol),),
    "#": ((_DIALECT_ATTRIBUTE, _simple_dialect_attribute),),
    "a": ((_SIMPLE_MAP, _simple_map),),
    "d": ((_DENSE, _simple_dense), (_DENSE_RESOURCE, _simple_resource)),
    **dict.fromkeys("-0123456789", ((_NUMBER, _simple_number),)),
}


def _simple_attribute(text: str) -> a.Attribute | None:
    for pattern, build in _SIMPLE.get(text[:1], ()):
        found = pattern.fullmatch(text)
        if found is not None:
            return build(found)
    if text.startswith("["):
        return _simple_array(text)
    type = _simple_type(text)
    return None if type is None else a.TypeAttr(type)


_ARRAY_ITEM = lazy_pattern(r'\s*("[^"\\\n,]*"|[^"\\,\[\](){}<>]+|#[\w.]+(?:<[\w]*>)?)\s*', re.ASCII)


def _simple_array(text: str) -> a.Attribute | None:
    """An array of simple attributes without commas inside."""
    if not text.endswith("]") or len(text) > MAX_KEPT_TEXT:
        return None
    body = text[1:-1]
    if not body.strip():
        return a.ArrayAttr()
    elements: list[a.Attribute] = []
    for item in body.split(","):
        match = _ARRAY_ITEM.fullmatch(item)
        piece = match[1].strip() if match else ""
        found = _kept_attributes.get(piece) or (_simple_attribute(piece) if piece else None)
        if found is None:
            return None
        elements.append(found)
    return a.ArrayAttr(elements)
