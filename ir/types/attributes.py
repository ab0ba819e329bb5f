"""Builtin attributes, and attributes of other dialects as text.

All are immutable and uniqued (see uniquing.py). The small ones are defined here; layouts, dense elements and
locations have modules of their own and are re-exported, so users need only this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ..source.text import keyword_or_string, quoted, symbol
from . import floats
from .affine_map import (
    AffineMapAttr as AffineMapAttr,
    IntegerSetAttr as IntegerSetAttr,
    StridedLayoutAttr as StridedLayoutAttr,
)
from .elements import (
    DenseArrayAttr as DenseArrayAttr,
    DenseElementsAttr as DenseElementsAttr,
    DenseResourceAttr as DenseResourceAttr,
    SparseElementsAttr as SparseElementsAttr,
)
from .locations import (
    CallSiteLoc as CallSiteLoc,
    FileLineColLoc as FileLineColLoc,
    FusedLoc as FusedLoc,
    Location as Location,
    NameLoc as NameLoc,
    OpaqueLoc as OpaqueLoc,
    UnknownLoc as UnknownLoc,
    fused as fused,
)
from .types import F64, I1, I64, INDEX, NONE, FloatType, IndexType, IntegerType, Type, dialect_symbol
from .uniquing import (
    FULL,
    SHORT,
    UNTYPED,
    Attribute as Attribute,
    Nested,
    NestingError as NestingError,
    format_attribute as format_attribute,
    format_attribute_without_type as format_attribute_without_type,
    format_definition as format_definition,
)


class UnitAttr(Attribute):
    """`unit`: carries information by its presence."""

    __slots__ = ()

    def __new__(cls) -> UnitAttr:
        return cls._table.get(None) or cls._create(None, ())

    def _write(self, nested: Nested, elision: int) -> str:
        return "unit"


class IntegerAttr(Attribute):
    """`1 : i32`, an integer of integer or index type; of `i1`, `true` and `false`.

    `value` wraps to the width of the type. It is signed, except for unsigned types and for `i1`,
    where it is 0 or 1.
    """

    __slots__ = ("type", "value")
    type: IntegerType | IndexType
    value: int

    def __new__(cls, value: int, type: IntegerType | IndexType) -> IntegerAttr:
        key = (value, type)
        return cls._table.get(key) or cls._make(key, value, type)

    @classmethod
    def _make(cls, key: object, value: int, type: IntegerType | IndexType) -> IntegerAttr:
        wrapped = type.wrap(int(value))
        normal = (wrapped, type)
        self = cls._table.get(normal) or cls._create(normal, (type,), value=wrapped, type=type)
        cls._table[key] = self
        return self

    @property
    def is_default_memory_space(self) -> bool:
        return self.value == 0

    def _write(self, nested: Nested, elision: int) -> str:
        if self.type is I1:
            return "true" if self.value else "false"
        if elision == UNTYPED or (elision == SHORT and self.type is I64):
            return str(self.value)
        return f"{self.value} : {nested(self.type, FULL)}"


def bool_attr(value: bool) -> IntegerAttr:
    """`true` or `false`, the integers 1 and 0 of type `i1`."""
    return TRUE if value else FALSE


def index_attr(value: int) -> IntegerAttr:
    """`value : index`."""
    return IntegerAttr(value, INDEX)


class FloatAttr(Attribute):
    """`1.000000e+00 : f32`. The value is rounded to the type and held as `bits`."""

    __slots__ = ("bits", "type")
    type: FloatType
    bits: int

    def __new__(cls, value: float, type: FloatType) -> FloatAttr:
        return cls.from_bits(type.format.from_double(value), type)

    @classmethod
    def from_bits(cls, bits: int, type: FloatType) -> FloatAttr:
        """The attribute with these bits."""
        key = (bits, type)
        return cls._table.get(key) or cls._create(key, (type,), bits=bits, type=type)

    @property
    def value(self) -> float:
        """The value as a Python float; rounded for `f80` and `f128`."""
        return self.type.format.to_double(self.bits)

    def _write(self, nested: Nested, elision: int) -> str:
        number = floats.text(self.type.format, self.bits)
        # a hexadecimal number needs its type, or it would be parsed as an integer
        if elision == UNTYPED or (elision == SHORT and self.type is F64 and not number.startswith("0x")):
            return number
        return f"{number} : {nested(self.type, FULL)}"


class StringAttr(Attribute):
    """`"text"`: a byte string held as text (see ir/source/text.py), optionally typed."""

    __slots__ = ("type", "value")
    value: str
    type: Type

    def __new__(cls, value: str, type: Type | None = None) -> StringAttr:
        key = (value, type)
        return cls._table.get(key) or cls._make(key, value, type or NONE)

    @classmethod
    def _make(cls, key: object, value: str, type: Type) -> StringAttr:
        normal = (value, type)
        children = () if type is NONE else (type,)
        self = cls._table.get(normal) or cls._create(normal, children, value=value, type=type)
        cls._table[key] = self
        return self

    def _write(self, nested: Nested, elision: int) -> str:
        if elision == UNTYPED or self.type is NONE:
            return quoted(self.value)
        return f"{quoted(self.value)} : {nested(self.type, FULL)}"


class SymbolRefAttr(Attribute):
    """`@root::@nested`, the name of a symbol."""

    __slots__ = ("nested", "root")
    root: str
    nested: tuple[str, ...]

    def __new__(cls, root: str, nested: Iterable[str] = ()) -> SymbolRefAttr:
        key = (root, tuple(nested))
        return cls._table.get(key) or cls._create(key, (), root=root, nested=key[1])

    @property
    def leaf(self) -> str:
        """The last name."""
        return self.nested[-1] if self.nested else self.root

    def _write(self, nested: Nested, elision: int) -> str:
        return "::".join(map(symbol, (self.root, *self.nested)))


class TypeAttr(Attribute):
    """A type as an attribute."""

    __slots__ = ("type",)
    type: Type

    def __new__(cls, type: Type) -> TypeAttr:
        return cls._table.get(type) or cls._create(type, (type,), type=type)

    def _write(self, nested: Nested, elision: int) -> str:
        return nested(self.type, FULL)


class ArrayAttr(Attribute):
    """`[a, b]`: a sequence of attributes. Truthy even if empty."""

    __slots__ = ("elements",)
    elements: tuple[Attribute, ...]

    def __new__(cls, elements: Iterable[Attribute] = ()) -> ArrayAttr:
        elements = tuple(elements)
        found = cls._table.get(elements)
        return cls._create(elements, elements, elements=elements) if found is None else found

    def __len__(self) -> int:
        return len(self.elements)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.elements)

    def __getitem__(self, position: int) -> Attribute:
        return self.elements[position]

    def _write(self, nested: Nested, elision: int) -> str:
        return f"[{', '.join(nested(element, SHORT) for element in self.elements)}]"


class DictionaryAttr(Attribute):
    """`{a = 1 : i64, b}`: attributes by name, sorted. Truthy even if empty.

    Constructed from a mapping or pairs; the last of several pairs with the same name wins.
    """

    __slots__ = ("_by_name", "entries")
    entries: tuple[tuple[str, Attribute], ...]
    _by_name: dict[str, Attribute]

    def __new__(
        cls, entries: Mapping[str, Attribute] | Iterable[tuple[str, Attribute]] = ()
    ) -> DictionaryAttr:
        by_name = dict(entries)
        ordered = tuple(sorted(by_name.items(), key=_entry_name))
        if (found := cls._table.get(ordered)) is not None:
            return found
        children = [attribute for _, attribute in ordered]
        return cls._create(ordered, children, entries=ordered, _by_name=dict(ordered))

    def __len__(self) -> int:
        return len(self.entries)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Attribute:
        return self._by_name[name]

    def get(self, name: str) -> Attribute | None:
        """The attribute called `name`, or None."""
        return self._by_name.get(name)

    def items(self) -> tuple[tuple[str, Attribute], ...]:
        """Names and attributes, sorted by name."""
        return self.entries

    def _write(self, nested: Nested, elision: int) -> str:
        return f"{{{', '.join(_named(name, attribute, nested) for name, attribute in self.entries)}}}"


def _entry_name(entry: tuple[str, Any]) -> str:
    return entry[0]


def _named(name: str, attribute: Attribute, nested: Nested) -> str:
    if attribute is UNIT:
        return keyword_or_string(name)
    return f"{keyword_or_string(name)} = {nested(attribute, FULL)}"


def format_named(name: str, attribute: Attribute, aliases: Mapping[Any, str] | None = None) -> str:
    """`name = attribute`, or only `name` for a unit attribute; the name is quoted if necessary."""
    if attribute is UNIT:
        return keyword_or_string(name)
    return f"{keyword_or_string(name)} = {format_attribute(attribute, aliases)}"


class DialectAttr(Attribute):
    """An attribute of another dialect, held as the text after `#dialect.` or inside `#dialect<>`.

    `DialectAttr("arith", "fastmath<fast>")` is `#arith.fastmath<fast>`. `type` is an optional type
    after a colon. `parts` splits the text around nested attributes, which may be printed by their aliases.
    """

    __slots__ = ("body", "dialect", "parts", "type")
    dialect: str
    body: str
    type: Type
    parts: tuple[str | Attribute, ...]

    def __new__(
        cls, dialect: str, body: str, type: Type | None = None, parts: tuple[str | Attribute, ...] = ()
    ) -> DialectAttr:
        type = type or NONE
        key = (dialect, body, type)
        inside = [part for part in parts if isinstance(part, Attribute)]
        children = inside if type is NONE else [*inside, type]
        return cls._table.get(key) or cls._create(
            key, children, dialect=dialect, body=body, type=type, parts=parts
        )

    @property
    def mnemonic(self) -> str:
        """`fastmath` of `#arith.fastmath<fast>`."""
        return self.body.partition("<")[0]

    @property
    def parameters(self) -> str:
        """`fast` of `#arith.fastmath<fast>`; empty if there are no `<>`."""
        _, opened, rest = self.body.partition("<")
        return rest[:-1] if opened else ""

    @property
    def alias_prefix(self) -> str | None:
        """The alias prefix that the dialect defines for this attribute, such as `#sparse`, or None."""
        if self.dialect == "llvm":
            return self.mnemonic if self.mnemonic in _LLVM_ALIASES else None
        return _ALIASED.get((self.dialect, self.mnemonic))

    def _write(self, nested: Nested, elision: int) -> str:
        body = self.body
        if self.parts:
            body = "".join(part if isinstance(part, str) else nested(part, FULL) for part in self.parts)
        text = dialect_symbol("#", self.dialect, body)
        return text if elision == UNTYPED or self.type is NONE else f"{text} : {nested(self.type, FULL)}"


_ALIASED: Final = {("sparse_tensor", "encoding"): "sparse", ("ml_program", "extern"): "extern"}

_LLVM_ALIASES: Final = frozenset(
    """
    access_group alias_scope alias_scope_domain di_basic_type di_common_block di_compile_unit
    di_composite_type di_derived_type di_file di_generic_subrange di_global_variable
    di_global_variable_expression di_imported_entity di_label di_lexical_block di_lexical_block_file
    di_local_variable di_module di_namespace di_null_type di_string_type di_subprogram
    di_subroutine_type loop_annotation loop_distribute loop_interleave loop_licm loop_peeled
    loop_pipeline loop_unroll loop_unroll_and_jam loop_unswitch loop_vectorize tbaa_root tbaa_tag
    tbaa_type_desc
    """.split()
)
"""Attributes of the LLVM dialect that are printed as aliases; the prefix is the mnemonic."""


class DistinctAttr(Attribute):
    """`distinct[0]<referenced>`: an attribute distinguished only by its number."""

    __slots__ = ("number", "referenced")
    number: int
    referenced: Attribute

    def __new__(cls, number: int, referenced: Attribute) -> DistinctAttr:
        key = (number, referenced)
        return cls._table.get(key) or cls._create(key, (referenced,), number=number, referenced=referenced)

    def _write(self, nested: Nested, elision: int) -> str:
        referenced = "" if self.referenced is UNIT else nested(self.referenced, FULL)
        return f"distinct[{self.number}]<{referenced}>"


UNIT: Final = UnitAttr()
TRUE: Final = IntegerAttr(1, I1)
FALSE: Final = IntegerAttr(0, I1)
