"""Reading and writing memory at affine places: load, store, their vector forms and prefetch.

Indices are written as expressions of values, `%m[%i + 3, %j]`, and held as a map with its operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    AttributeField,
    SingleField,
    VariadicField,
    attribute,
    operand,
    result,
    variadic_operand,
)
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import READ, WRITE, Access, ElementAccessOp
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from .maps import inline_map, parse_inline_map
from .values import affine_scope, is_valid_dim, is_valid_symbol, operands_error

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer
    from ...ir.types.affine_map import AffineMap


def memref_type(p: OpParser) -> t.MemRefType:
    """`: memref<...>`."""
    at = p.position
    found = p.colon_type()
    if not isinstance(found, t.MemRefType):
        p.error(f"invalid kind of type specified: expected builtin.memref, but found '{found}'", at)
    return found


def _indexing_error(op: Operation, memref: Value, indices: Sequence[Value], map: AffineMap) -> str | None:
    """What is wrong with the place in `memref` that `map` of `indices` gives."""
    assert isinstance(memref.type, t.MemRefType)
    if len(map.results) != memref.type.rank:
        return "affine map num results must equal memref rank"
    if map.num_dims + map.num_symbols != len(indices):
        return "expects as many subscripts as affine map inputs"
    return operands_error(op, indices, map.num_dims)


class _AccessOp(ElementAccessOp):
    """A move between a value and memory: an element, or the vector of elements that start at the place."""

    if TYPE_CHECKING:
        memref: SingleField
        indices: VariadicField
        map: AttributeField

    @property
    def moved(self) -> Value:
        """The value read or written."""
        raise NotImplementedError

    @classmethod
    def _moved_type(cls, p: OpParser, memref: t.MemRefType) -> t.Type:
        """The type of what is moved, read from behind that of the memref if it is not the element's."""
        return memref.element

    def access(self) -> Access | None:
        return Access(self.memref, self.map.map, self.indices)

    def _types(self, p: Printer) -> str:
        return p.type(self.memref.type)

    def _print(self, p: Printer, *before: Value) -> str:
        place = inline_map(p, self.map.map, self.indices)
        operands = p.values([*before, self.memref])
        return f" {operands}{place}{p.attr_dict(self, elide=('map',))} : {self._types(p)}"

    verify_looks_around = True

    def verify(self) -> str | None:
        if self.moved.type is not expect(t.ShapedType, self.memref.type).element:
            return self._wrong_element
        return _indexing_error(self, self.memref, self.indices, self.map.map)

    _wrong_element = ""
    """What is said if the value is no element of the memref."""


class _VectorAccessOp(_AccessOp):
    """Moves several elements at once."""

    @classmethod
    def _moved_type(cls, p: OpParser, memref: t.MemRefType) -> t.Type:
        p.expect(",")
        return p.type()

    def access(self) -> Access | None:
        return Access.of_vector(self.memref, self.map.map, self.indices, self.moved.type)

    def _types(self, p: Printer) -> str:
        return p.types([self.memref.type, self.moved.type])

    verify_looks_around = True

    def verify(self) -> str | None:
        return _indexing_error(self, self.memref, self.indices, self.map.map) or _vector_error(
            self.memref, self.moved
        )


class LoadOp(_AccessOp):
    """The element at an affine place."""

    name = "affine.load"
    memref = operand(c.ANY_MEMREF, effects=READ)
    indices = variadic_operand(c.INDEX)
    map = attribute(c.AFFINE_MAP_ATTR)
    output = result(c.ANY_TYPE)

    _wrong_element = "result type must match element type of memref"

    @property
    def moved(self) -> Value:
        return self.output

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        memref = p.operand()
        state.properties["map"], places = parse_inline_map(p)
        p.attr_dict(state)
        type = memref_type(p)
        state.result_types = [cls._moved_type(p, type)]
        state.add_operands([p.resolve(memref, type), *places.resolve(p)])

    def print_custom(self, p: Printer) -> str:
        return self._print(p)


class VectorLoadOp(_VectorAccessOp, LoadOp):
    """A vector of the elements that start at an affine place."""

    name = "affine.vector_load"
    output = result(c.ANY_VECTOR)


class StoreOp(_AccessOp):
    """Writes one element at an affine place."""

    name = "affine.store"
    value = operand(c.ANY_TYPE)
    memref = operand(c.ANY_MEMREF, effects=WRITE)
    indices = variadic_operand(c.INDEX)
    map = attribute(c.AFFINE_MAP_ATTR)

    _wrong_element = "value to store must have the same type as memref element type"

    @property
    def moved(self) -> Value:
        return self.value

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        value = p.operand()
        p.expect(",")
        memref = p.operand()
        state.properties["map"], places = parse_inline_map(p)
        p.attr_dict(state)
        type = memref_type(p)
        stored = cls._moved_type(p, type)
        state.add_operands([p.resolve(value, stored), p.resolve(memref, type), *places.resolve(p)])

    def print_custom(self, p: Printer) -> str:
        return self._print(p, self.value)


class VectorStoreOp(_VectorAccessOp, StoreOp):
    """Writes a vector to the elements that start at an affine place."""

    name = "affine.vector_store"
    value = operand(c.ANY_VECTOR)


def _vector_error(memref: Value, vector: Value) -> str | None:
    if expect(t.ShapedType, memref.type).element is not expect(t.ShapedType, vector.type).element:
        return "requires memref and vector types of the same elemental type"
    return None


_LOCALITY = c.AttributeConstraint(
    "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    lambda attr: isinstance(attr, a.IntegerAttr) and attr.type is t.I32 and 0 <= attr.value <= 3,
)


class PrefetchOp(Operation):
    """Asks for the cache line of an element; `locality_hint` 3 means that it will be used often.

    As upstream, it counts as reading and writing memory of unknown place, so that it is kept where it stands.
    """

    name = "affine.prefetch"
    memref = operand(c.ANY_MEMREF)
    indices = variadic_operand(c.INDEX)
    is_write = attribute(c.BOOL_ATTR, key="isWrite")
    locality_hint = attribute(_LOCALITY, key="localityHint")
    is_data_cache = attribute(c.BOOL_ATTR, key="isDataCache")
    map = attribute(c.AFFINE_MAP_ATTR)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        start = p.position - len(cls.name)
        memref = p.operand()
        state.properties["map"], places = parse_inline_map(p)
        p.expect(",")
        access = p.keyword()
        p.expect(",")
        p.expect("locality")
        p.expect("<")
        state.properties["localityHint"] = p.attribute(t.I32)
        p.expect(">")
        p.expect(",")
        cache = p.keyword()
        p.attr_dict(state)
        type = memref_type(p)
        state.add_operands([p.resolve(memref, type), *places.resolve(p)])
        if access not in ("read", "write"):
            p.error("rw specifier has to be 'read' or 'write'", start)
        if cache not in ("data", "instr"):
            p.error("cache type has to be 'data' or 'instr'", start)
        state.properties["isWrite"] = a.bool_attr(access == "write")
        state.properties["isDataCache"] = a.bool_attr(cache == "data")

    def print_custom(self, p: Printer) -> str:
        place = inline_map(p, self.map.map, self.indices)
        access = "write" if self.is_write.value else "read"
        cache = "data" if self.is_data_cache.value else "instr"
        attributes = p.attr_dict(self, elide=("map", "localityHint", "isDataCache", "isWrite"))
        return (
            f" {p.value(self.memref)}{place}, {access}, locality<{self.locality_hint.value}>, {cache}"
            f"{attributes} : {p.type(self.memref.type)}"
        )

    verify_looks_around = True

    def verify(self) -> str | None:
        map = self.map.map
        rank = expect(t.MemRefType, self.memref.type).rank
        if len(map.results) != rank:
            return "affine.prefetch affine map num results must equal memref rank"
        if map.num_dims + map.num_symbols != len(self.indices):
            return "too few operands"
        scope = affine_scope(self)
        if not all(is_valid_dim(v, scope) or is_valid_symbol(v, scope) for v in self.indices):
            return "index must be a valid dimension or symbol identifier"
        return None
