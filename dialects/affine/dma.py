"""Copies that run beside the program: dma_start and dma_wait.

Operands follow each other without segment sizes: a memref, then as many indices as its map has inputs. The maps
are discardable attributes, as upstream, where these operations are not declared in ODS.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import variadic_operand
from ...ir.program.core import Operation, Value
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from .maps import inline_map, parse_inline_map
from .memory import memref_type
from .values import affine_scope, is_valid_dim, is_valid_symbol

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer
    from ...ir.types.affine_map import AffineMap


class DmaStartOp(Operation):
    """Starts copying `num_elements` elements from one buffer to another; `dma_wait` on the tag waits for
    the end.

    Optionally strided: after every `num_elements_per_stride` elements the source is advanced by `stride`.
    """

    name = "affine.dma_start"
    all_operands = variadic_operand(c.ANY_TYPE)

    def _map(self, key: str) -> AffineMap:
        found = expect(a.AffineMapAttr, self.attributes[key])
        return found.map

    def _parts(self) -> list[tuple[Any, AffineMap, list[Value]]]:
        """Source, destination and tag, each with its map and indices; None for one that is missing."""
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
        error = _dma_maps_error(self, ("src_map", "dst_map", "tag_map"))
        if error is not None:
            return error
        parts = self._parts()
        for (memref, _, _), what in zip(parts, ("source", "destination", "tag"), strict=True):
            if memref is None or not isinstance(memref.type, t.MemRefType):
                return f"expected DMA {what} to be of memref type"
        if len(self.trailing) not in (1, 3):
            return "incorrect number of operands"
        return _dma_indices_error(self, parts, ("src", "dst", "tag"))


class DmaWaitOp(Operation):
    """Waits until the copy that was started with this tag is complete."""

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
        error = _dma_maps_error(self, ("tag_map",))
        if error is not None:
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
