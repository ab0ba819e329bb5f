"""Affine memory accesses: load, store, vector forms, prefetch, DMA.

Indices are written as expressions over values, `%m[%i + 3, %j]`, and stored as a map with operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from .maps import affine_scope, inline_map, is_valid_dim, is_valid_symbol, operands_error, parse_inline_map

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
    """The error in the position in `memref` that `map` of `indices` gives, or None."""
    assert isinstance(memref.type, t.MemRefType)
    if len(map.results) != memref.type.rank:
        return "affine map num results must equal memref rank"
    if map.num_dims + map.num_symbols != len(indices):
        return "expects as many subscripts as affine map inputs"
    return operands_error(op, indices, map.num_dims)


class _AccessOp(ElementAccessOp):
    """Accesses an element, or a vector of contiguous elements, at an affine position."""

    if TYPE_CHECKING:
        memref: SingleField
        indices: VariadicField
        map: AttributeField

    @property
    def moved(self) -> Value:
        """The value loaded or stored."""
        raise NotImplementedError

    @classmethod
    def _moved_type(cls, p: OpParser, memref: t.MemRefType) -> t.Type:
        """The type of the value, which vector accesses spell after that of the memref."""
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
    """The error if the value does not have the memref's element type."""


class _VectorAccessOp(_AccessOp):
    """Accesses several contiguous elements."""

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
    """Loads an element at an affine position."""

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
    """Loads a vector of contiguous elements at an affine position."""

    name = "affine.vector_load"
    output = result(c.ANY_VECTOR)


class StoreOp(_AccessOp):
    """Stores an element at an affine position."""

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
    """Stores a vector to contiguous elements at an affine position."""

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
    """Prefetches the cache line of an element; `locality_hint` 3 means high reuse.

    As upstream, it has read and write effects on unknown memory, so it is not moved.
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


# -- asynchronous copies: dma_start and dma_wait
#
# Operands have no segment sizes: each memref is followed by as many indices as its map has inputs. The maps
# are discardable attributes, as upstream, where these operations are not declared in ODS.


class DmaStartOp(Operation):
    """Starts copying `num_elements` elements from one buffer to another; awaited by `dma_wait` on the tag.

    Optionally strided: after every `num_elements_per_stride` elements the source is advanced by `stride`.
    """

    name = "affine.dma_start"
    all_operands = variadic_operand(c.ANY_TYPE)

    def _map(self, key: str) -> AffineMap:
        found = expect(a.AffineMapAttr, self.attributes[key])
        return found.map

    def _parts(self) -> list[tuple[Any, AffineMap, list[Value]]]:
        """Source, destination and tag, each with its map and indices; None for a missing one."""
        values = self.operands
        parts = []
        at = 0
        for key in ("src_map", "dst_map", "tag_map"):
            map = self._map(key)
            end = at + 1 + map.num_dims + map.num_symbols
            parts.append((values[at] if at < len(values) else None, map, values[at + 1 : end]))
            at = end
        return parts

    @property
    def trailing(self) -> list[Value]:
        """The number of elements and, if strided, stride and elements per stride."""
        return self.operands[sum(1 + len(indices) for _, _, indices in self._parts()) :]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        start = p.position - len(cls.name)
        parts = []
        for key in ("src_map", "dst_map", "tag_map"):
            memref = p.operand()
            state.attributes[key], places = parse_inline_map(p)
            parts.append((memref, places))
            p.expect(",")
        trailing = [p.operand()]
        if p.accept(","):
            trailing += p.operand_list()
        p.attr_dict(state)
        types = p.colon_type_list()
        if len(types) != 3:
            p.error("expected three types", start)
        if len(trailing) not in (1, 3):
            p.error("expected two stride related operands", start)
        for (memref, places), type in zip(parts, types, strict=True):
            state.add_operands([p.resolve(memref, type), *places.resolve(p)])
        state.add_operands(p.resolve(use, t.INDEX) for use in trailing)

    def print_custom(self, p: Printer) -> str:
        parts = self._parts()
        places = ", ".join(
            f"{p.value(memref)}{inline_map(p, map, indices)}" for memref, map, indices in parts
        )
        types = p.types([memref.type for memref, _, _ in parts])
        attributes = p.attr_dict(self, elide=("src_map", "dst_map", "tag_map"))
        return f" {places}, {p.values(self.trailing)}{attributes} : {types}"

    verify_looks_around = True

    def verify(self) -> str | None:
        if (error := _dma_maps_error(self, ("src_map", "dst_map", "tag_map"))) is not None:
            return error
        parts = self._parts()
        for (memref, _, _), what in zip(parts, ("source", "destination", "tag"), strict=True):
            if memref is None or not isinstance(memref.type, t.MemRefType):
                return f"expected DMA {what} to be of memref type"
        if len(self.trailing) not in (1, 3):
            return "incorrect number of operands"
        return _dma_indices_error(self, parts, ("src", "dst", "tag"))


class DmaWaitOp(Operation):
    """Waits until the copy with this tag is complete."""

    name = "affine.dma_wait"
    all_operands = variadic_operand(c.ANY_TYPE)

    def _part(self) -> tuple[Value, AffineMap, list[Value]]:
        map = expect(a.AffineMapAttr, self.attributes["tag_map"])
        values = self.operands
        return values[0], map.map, values[1:-1]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        tag = p.operand()
        state.attributes["tag_map"], places = parse_inline_map(p)
        p.expect(",")
        count = p.operand()
        p.attr_dict(state)
        type = memref_type(p)
        state.add_operands([p.resolve(tag, type), *places.resolve(p), p.resolve(count, t.INDEX)])

    def print_custom(self, p: Printer) -> str:
        tag, map, indices = self._part()
        attributes = p.attr_dict(self, elide=("tag_map",))
        place = f"{p.value(tag)}{inline_map(p, map, indices)}"
        return f" {place}, {p.value(self.operands[-1])}{attributes} : {p.type(tag.type)}"

    verify_looks_around = True

    def verify(self) -> str | None:
        if (error := _dma_maps_error(self, ("tag_map",))) is not None:
            return error
        if len(self.op_operands) < 2:
            return "incorrect number of operands"
        part = self._part()
        if not isinstance(part[0].type, t.MemRefType):
            return "expected DMA tag to be of memref type"
        return _dma_indices_error(self, [part], ("",))


def _dma_maps_error(op: Operation, keys: Sequence[str]) -> str | None:
    for key in keys:
        if not isinstance(op.attributes.get(key), a.AffineMapAttr):
            return f"requires attribute '{key}'"
    return None


def _dma_indices_error(
    op: Operation, parts: Sequence[tuple[Any, AffineMap, list[Value]]], names: Sequence[str]
) -> str | None:
    scope = affine_scope(op)
    for (_, _, indices), name in zip(parts, names, strict=True):
        prefix = f"{name} " if name else ""
        for index in indices:
            if index.type is not t.INDEX:
                return f"{prefix}index to {op.name.removeprefix('affine.')} must have 'index' type"
            if not is_valid_dim(index, scope) and not is_valid_symbol(index, scope):
                return f"{prefix}index must be a valid dimension or symbol identifier"
    return None
