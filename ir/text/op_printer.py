"""What a form sees of the printer: the texts of values, types, attributes, dictionaries and blocks.

Aliases of attributes (`#map`) are assigned as they are met, which is MLIR's order. Regions are not printed here: a form
yields a request, `p.region(...)`, and `bufferize.ir.text.printer` runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..declaration.declare import OPERAND_SEGMENTS
from ..declaration.format_syntax import RegionPrint
from ..program.core import Block, BlockArgument, Operation, Region, Value, argument_location, location_of
from ..source.text import keyword_or_string, quoted, symbol
from ..types import attributes as a
from ..types import types as t
from ..types.attributes import (
    format_attribute,
    format_attribute_without_type,
    format_definition,
    format_named,
)
from .naming import Names
from .print_style import ELIDED, AliasTable, PrintStyle

_WITH_TYPES = (
    a.IntegerAttr,
    a.FloatAttr,
    a.DenseElementsAttr,
    a.DenseResourceAttr,
    a.SparseElementsAttr,
    a.StringAttr,
)
"""Attributes that write their type behind them, unless the reader knows it."""


class OpPrinter:
    """Writes the parts of operations. Forms get it as `p`."""

    __slots__ = (
        "aliases",
        "generic",
        "indent",
        "names",
        "resources",
        "style",
        "texts",
        "value_names",
    )

    def __init__(self, root: Operation, *, generic: bool, style: PrintStyle):
        self.generic = generic
        self.style = style
        self.names = Names(root, generic)
        self.value_names = self.names.values
        self.aliases = AliasTable(style)
        self.texts: dict[Any, str] = {}
        self.resources: dict[str, None] = {}
        """Keys of the resources that attributes refer to, in the order in which they were met."""
        self.indent = ""
        """White space in front of the operation being printed, for forms that break lines (taken before any region)."""

    # -- values

    def value(self, value: Value) -> str:
        name = self.value_names.get(value)
        return name if name is not None else self.names.value(value)

    def values(self, values: Iterable[Value]) -> str:
        return ", ".join([self.value(v) for v in values])

    # -- types and attributes

    def type(self, type: t.Type) -> str:
        text = self.texts.get(type)
        return text if text is not None else self._text(type)

    def types(self, types: Iterable[t.Type]) -> str:
        return ", ".join([self.type(x) for x in types])

    def attribute(self, attribute: a.Attribute) -> str:
        text = self.texts.get(attribute)
        return text if text is not None else self._text(attribute)

    def _text(self, item: Any) -> str:
        self.aliases.collect(item, self.style, self.resources)
        text = self.texts[item] = format_attribute(item, self.aliases)
        return text

    def attribute_without_type(self, attribute: a.Attribute) -> str:
        if isinstance(attribute, _WITH_TYPES):
            if isinstance(attribute, a.DenseResourceAttr):
                self.resources[attribute.key] = None
            elif self.style.elides(attribute):
                return ELIDED
            return format_attribute_without_type(attribute, self.aliases)
        return self.attribute(attribute)

    def symbol_name(self, name: a.Attribute | str) -> str:
        return symbol(name if isinstance(name, str) else name.value)  # pyright: ignore[reportAttributeAccessIssue]

    def string(self, text: str) -> str:
        return quoted(text)

    def dense_array(self, attribute: a.Attribute) -> str:
        """`array<i64: 1, 2>` as `[1, 2]`."""
        assert isinstance(attribute, a.DenseArrayAttr)
        if attribute.element is t.I1:
            return "[" + ", ".join("true" if v else "false" for v in attribute.values) + "]"
        return "[" + ", ".join(str(v) for v in attribute.values) + "]"

    def functional_type(self, inputs: Sequence[t.Type], results: Sequence[t.Type]) -> str:
        return f"({self.types(inputs)}) -> {self.result_list(results)}"

    def result_list(self, results: Sequence[t.Type]) -> str:
        """What follows an arrow: parentheses unless there is one result that is not a function type."""
        if len(results) == 1 and not isinstance(results[0], t.FunctionType):
            return self.type(results[0])
        return f"({self.types(results)})"

    def arrow_types(self, types: Sequence[t.Type]) -> str:
        """` -> t`, ` -> (t, u)`, or nothing."""
        return f" -> {self.result_list(types)}" if types else ""

    # -- attribute dictionaries

    def entries(self, entries: Iterable[tuple[str, a.Attribute]]) -> str:
        shown = []
        for name, value in entries:
            key = keyword_or_string(name)
            shown.append(key if isinstance(value, a.UnitAttr) else f"{key} = {self.attribute(value)}")
        return ", ".join(shown)

    def attr_dict(self, op: Operation, elide: Iterable[str] = ()) -> str:
        """` {a = 1}` with the attributes that the form does not print elsewhere, or nothing."""
        attributes, properties = op.attributes, op.properties
        if not attributes and not properties:
            return ""
        shown = self.visible(op, elide)
        return f" {{{self.entries(shown)}}}" if shown else ""

    def visible(self, op: Operation, elide: Iterable[str] = ()) -> list[tuple[str, a.Attribute]]:
        """Attributes to print in a dictionary, sorted by name: not elided, not equal to their default."""
        properties = op.properties
        shown = list(op.attributes.items())
        if properties:
            definition = op.definition
            defaults = definition.defaults if definition is not None else {}
            shown += [
                (name, value)
                for name, value in properties.items()
                if name not in elide and defaults.get(name) is not value and name != OPERAND_SEGMENTS
            ]
        if elide and op.attributes:
            shown = [entry for entry in shown if entry[0] not in elide]
        if len(shown) > 1:
            shown.sort(key=name_bytes)
        return shown

    def attr_dict_with_keyword(self, op: Operation, elide: Iterable[str] = ()) -> str:
        shown = self.attr_dict(op, elide)
        return f" attributes{shown}" if shown else ""

    def prop_dict(self, op: Operation, elide: Iterable[str] = ()) -> str:
        """` <{a = 1}>` with the inherent attributes that the form does not print elsewhere, or nothing."""
        shown = [entry for entry in self.visible(op, elide) if entry[0] in op.properties]
        return f" <{{{self.entries(shown)}}}>" if shown else ""

    def dictionary(self, entries: Mapping[str, a.Attribute]) -> str:
        """`{a = 1}`, or nothing if there are no entries."""
        return f"{{{self.entries(sorted(entries.items(), key=name_bytes))}}}" if entries else ""

    def late_dictionary(self, entries: Mapping[str, a.Attribute]) -> LateDictionary:
        """The request to yield to print `{a = 1}` without giving aliases to anything in it.

        MLIR prints the attributes of a function's arguments so: by aliases if others gave them, before or after.
        """
        return LateDictionary(entries)

    # -- blocks and regions

    def successor(self, block: Block) -> str:
        return self.names.blocks.get(block, "^<<UNKNOWN>>")

    def successor_with_operands(self, block: Block, values: Sequence[Value]) -> str:
        """`^bb1(%a, %b : t, u)`."""
        if not values:
            return self.successor(block)
        return f"{self.successor(block)}({self.values(values)} : {self.types(v.type for v in values)})"

    def argument(self, arg: BlockArgument) -> str:
        return f"{self.value(arg)}: {self.type(arg.type)}{self.argument_location(arg)}"

    def argument_location(self, arg: BlockArgument) -> str:
        """` loc(...)`, if that is asked for, in full."""
        if not self.style.debug_info:
            return ""
        location = argument_location(arg)
        self.aliases.collect(location, self.style, self.resources)
        return " " + format_definition(location, self.aliases)

    def location(self, op: Operation) -> str:
        """` loc(#loc)` of an operation."""
        location = location_of(op)
        self.aliases.collect(location, self.style, self.resources, late=True)
        name = self.aliases.get(location)
        return f" loc({name})" if name is not None else f" {format_attribute(location)}"

    def region(
        self,
        region: Region,
        entry_args: bool = True,
        terminators: bool = True,
        empty_block: bool = False,
        deeper: bool = False,
    ) -> RegionPrint:
        """The request to yield to print `{ ... }`.

        `entry_args` prints the label of the first block if it has arguments; without `terminators` the last operation of
        each block is left out; `empty_block` prints a label for an entry block without operations;
        `deeper` is for regions on a line of their own, indented once more than the operation (`p.indent`).
        """
        return RegionPrint(region, entry_args, terminators, empty_block, deeper)

    def shows_terminator(self, op: Operation, region: Region) -> bool:
        """Whether an implicit terminator says anything that must be printed."""
        implied = op.definition.implicit_terminator if op.definition is not None else None
        if implied is None or region.is_empty:
            return True
        last = region.entry.last_op
        if last is None:
            return True
        return bool(last.op_operands or last.results or last.attributes or last.properties)


class LateDictionary:
    """Attributes whose text waits until all aliases are known; see `Printer.late_dictionary`."""

    __slots__ = ("entries",)

    def __init__(self, entries: Mapping[str, a.Attribute]):
        self.entries = entries

    def text(self, aliases: Mapping[Any, str]) -> str:
        entries = sorted(self.entries.items(), key=name_bytes)
        return f"{{{', '.join(format_named(name, value, aliases) for name, value in entries)}}}"


def name_bytes(entry: tuple[str, Any]) -> str:
    """The key by which dictionaries are sorted."""
    return entry[0]
