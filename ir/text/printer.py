"""From program to text, as `mlir-opt` prints it.

Names are assigned first (`bufferize.ir.text.naming`). Aliases of attributes (`#map`) are assigned as they are met, which is
MLIR's order, and their definitions are put in front at the end. Forms with regions are generators, run by the loop in
`_print`, so nesting depth is not limited by Python's stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from ..declaration.declare import OPERAND_SEGMENTS
from ..declaration.directives import RegionPrint
from ..program import traits as tr
from ..program.core import Block, BlockArgument, Operation, Region, Value
from ..program.origin import argument_location, location_of
from ..source.collection import collection_paused
from ..source.metadata import Section, format_metadata
from ..source.spelling import keyword_or_string, quoted, symbol
from ..types import attributes as a
from ..types import types as t
from ..types.attributes import (
    format_attribute,
    format_attribute_without_type,
    format_definition,
    format_named,
)
from .format_printer import print_form
from .naming import Names
from .print_style import ELIDED, PLAIN, AliasTable, PrintStyle, resources_of

INDENT = "  "

_WITH_TYPES = (
    a.IntegerAttr,
    a.FloatAttr,
    a.DenseElementsAttr,
    a.DenseResourceAttr,
    a.SparseElementsAttr,
    a.StringAttr,
)
"""Attributes that write their type behind them, unless the reader knows it."""

_FORMS: dict[type[Operation], Any] = {}


class Printer:
    """Prints one operation with all below it. Forms get it as `p`."""

    __slots__ = (
        "aliases",
        "generic",
        "indent",
        "late",
        "names",
        "pieces",
        "resources",
        "style",
        "texts",
        "value_names",
    )

    def __init__(self, root: Operation, *, generic: bool = False, style: PrintStyle = PLAIN):
        self.generic = generic
        self.style = style
        self.names = Names(root, generic)
        self.value_names = self.names.values
        self.aliases = AliasTable(style)
        self.texts: dict[Any, str] = {}
        self.resources: dict[str, None] = {}
        """Keys of the resources that attributes refer to, in the order in which they were met."""
        self.pieces: list[str] = []
        self.late: list[tuple[int, LateDictionary]] = []
        """Pieces that are written when all aliases are known, and where."""
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
            shown.sort(key=_name_bytes)
        return shown

    def attr_dict_with_keyword(self, op: Operation, elide: Iterable[str] = ()) -> str:
        shown = self.attr_dict(op, elide)
        return f" attributes{shown}" if shown else ""

    def dictionary(self, entries: Mapping[str, a.Attribute]) -> str:
        """`{a = 1}`, or nothing if there are no entries."""
        return f"{{{self.entries(sorted(entries.items(), key=_name_bytes))}}}" if entries else ""

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

    # -- operations

    def print(self, root: Operation, end: str = "") -> str:
        """The text of `root`, and `end`. Joined once: the text of deep nests is mostly indentation, and large."""
        aliases = self.aliases
        if self.generic:
            self._assign_generic_aliases(root)
        elif self.style.debug_info:
            self._print(root)  # to meet all locations: their numbers depend on what they are made of
            self.pieces, self.late = [], []
        if self.generic or self.style.debug_info:
            aliases.number_locations()
            self.texts = {}
        self._print(root)
        for position, dictionary in self.late:
            self.pieces[position] = dictionary.text(aliases)
        early: list[str] = []
        late: list[str] = []
        for attribute in aliases.in_order():
            if not isinstance(attribute, a.DenseElementsAttr):
                line = f"{aliases[attribute]} = {format_definition(attribute, aliases)}\n"
                (late if attribute in aliases.late else early).append(line)
        if late and end:
            return "".join([*early, *self.pieces, "\n", *late, "\n"])
        return "".join([*early, *self.pieces, end])

    def _assign_generic_aliases(self, root: Operation) -> None:
        """Give aliases in MLIR's order for the generic form: regions, then types, then attributes by name.

        That is not the order of the text, where attributes stand before the regions.
        """
        pending: list[Any] = [root]
        while pending:
            item = pending.pop()
            if isinstance(item, Operation):
                if self.style.debug_info:
                    self.location(item)
                if item.regions:
                    pending.append(_Finished(item))
                    for region in reversed(item.regions):
                        pending.extend(reversed(region.blocks))
                    continue
                op = item
            elif isinstance(item, Block):
                for arg in item.args:
                    self.type(arg.type)
                    self.argument_location(arg)
                pending.extend(reversed(item))
                continue
            else:
                op = item.op
            for type in (*op.operand_types, *op.result_types):
                self.type(type)
            for _, value in sorted((*op.properties.items(), *op.attributes.items()), key=_name_bytes):
                self.attribute(value)

    def _print(self, root: Operation) -> None:
        emit = self.pieces.append
        stack: list[Any] = []
        self._operation(root, "", "builtin", stack)
        while stack:
            top = stack[-1]
            if top.__class__ is _BlockCursor:
                op = top.op
                if op is None:
                    if not self._next_block(top):
                        stack.pop()
                        emit(top.outer_indent + "}")
                    continue
                top.op = op._next
                if (
                    op._next is None
                    and not top.terminators
                    and op.may_be_terminator
                    and op.definition is not None
                ):
                    continue
                emit(top.indent)
                self._operation(op, top.indent, top.default_dialect, stack)
                if stack[-1] is top:
                    emit("\n")
                continue
            form, indent = top
            piece = next(form, None)
            if piece is None:
                stack.pop()
                if stack:
                    emit("\n")
            elif piece.__class__ is str:
                emit(piece)
            elif piece.__class__ is LateDictionary:
                self.late.append((len(self.pieces), piece))
                emit("")
            else:
                self._enter_region(piece, indent + INDENT if piece.deeper else indent, stack)

    def _operation(self, op: Operation, indent: str, default_dialect: str, stack: list[Any]) -> None:
        """Print results and form of `op`; a form with regions is pushed on `stack`."""
        results = op.results
        self.indent = indent
        emit = self.pieces.append
        location = self.location(op) if self.style.debug_info else ""
        if results:
            if len(results) == 1:
                emit(self.value_names[results[0]] + " = ")
            else:
                emit(self.names.groups[op] + " = ")
        if self.generic or op.definition is None:
            form = self._generic(op)
        else:
            cls = op.__class__
            try:
                show = _FORMS[cls]
            except KeyError:
                show = _FORMS[cls] = print_form(cls)
            if show is None:
                form = self._generic(op)
            else:
                definition = op.definition
                emit(definition.short_name if definition.dialect == default_dialect else cls.name)
                form = show(op, self)
                if form.__class__ is str:
                    emit(form + location)
                    return
        stack.append((chain(form, (location,)) if location else form, indent))

    def _generic(self, op: Operation):
        yield f"{quoted(op.name)}({self.values(op.operands)})"
        if op.successors:
            yield "[" + ", ".join(self.successor(b) for b in op.successors) + "]"
        if op.properties:
            yield f" <{{{self.entries(sorted(op.properties.items(), key=_name_bytes))}}}>"
        if op.regions:
            yield " ("
            for i, region in enumerate(op.regions):
                if i:
                    yield ", "
                yield RegionPrint(region, True, True, True)
            yield ")"
        if op.attributes:
            yield f" {{{self.entries(sorted(op.attributes.items(), key=_name_bytes))}}}"
        yield f" : {self.functional_type(op.operand_types, op.result_types)}"

    def _enter_region(self, request: RegionPrint, indent: str, stack: list[Any]) -> None:
        self.pieces.append("{\n")
        cursor = _BlockCursor(request, indent)
        block = request.region.first_block
        if block is not None:
            cursor.block = block
            cursor.op = block.first_op
            if (block.args and request.entry_args) or (block.is_empty and request.empty_block):
                self._label(block, cursor)
        stack.append(cursor)

    def _next_block(self, cursor: _BlockCursor) -> bool:
        following = cursor.block._next if cursor.block is not None else None
        if following is None:
            return False
        cursor.block = following
        cursor.op = following.first_op
        cursor.terminators = True
        self._label(following, cursor)
        return True

    def _label(self, block: Block, cursor: _BlockCursor) -> None:
        args = f"({', '.join([self.argument(arg) for arg in block.args])})" if block.args else ""
        text = f"{cursor.outer_indent}{self.successor(block)}{args}:"
        predecessors = cursor.predecessors_of(block)
        if not predecessors:
            if not block.is_entry:
                text += "  // no predecessors"
        else:
            shown = ", ".join([self.successor(b) for b in predecessors])
            text += (
                f"  // {len(predecessors)} preds: {shown}" if len(predecessors) > 1 else f"  // pred: {shown}"
            )
        self.pieces.append(text + "\n")


class _Finished:
    """An operation whose regions have been looked at."""

    __slots__ = ("op",)

    def __init__(self, op: Operation):
        self.op = op


class LateDictionary:
    """Attributes whose text waits until all aliases are known; see `Printer.late_dictionary`."""

    __slots__ = ("entries",)

    def __init__(self, entries: Mapping[str, a.Attribute]):
        self.entries = entries

    def text(self, aliases: Mapping[Any, str]) -> str:
        entries = sorted(self.entries.items(), key=_name_bytes)
        return f"{{{', '.join(format_named(name, value, aliases) for name, value in entries)}}}"


class _BlockCursor:
    """Where printing stands in a region."""

    __slots__ = (
        "_predecessors",
        "block",
        "default_dialect",
        "indent",
        "op",
        "outer_indent",
        "region",
        "terminators",
    )

    def __init__(self, request: RegionPrint, indent: str):
        self.region = request.region
        self.terminators = request.terminators
        self.outer_indent = indent
        self.indent = indent + INDENT
        self.block: Block | None = None
        self.op: Operation | None = None
        self.default_dialect: str = getattr(request.region.parent_op, "default_dialect", "")
        self._predecessors: dict[Block, list[Block]] | None = None

    def predecessors_of(self, block: Block) -> list[Block]:
        """Blocks that branch to `block` in the order of the region, once for each edge. O(region) on first use."""
        if self._predecessors is None:
            self._predecessors = {}
            if not self.region.has_one_block:
                for source in self.region:
                    for target in source.successors:
                        self._predecessors.setdefault(target, []).append(source)
        return self._predecessors.get(block, [])


def _name_bytes(entry: tuple[str, Any]) -> str:
    return entry[0]


def print_operation(op: Operation, *, generic: bool = False, style: PrintStyle = PLAIN) -> str:
    """The text of `op` and all below it, without a line break at the end. Linear in the size of the text."""
    with collection_paused():
        return Printer(op, generic=generic, style=style).print(op)


def print_in_place(op: Operation) -> str:
    """The text of `op` in generic form, its values called what they are called in the program around it. O(program)."""
    around = op
    while around.parent_op is not None and not (
        around is not op and around.has_trait(tr.ISOLATED_FROM_ABOVE)
    ):
        around = around.parent_op
    with collection_paused():
        return Printer(around, generic=True).print(op)


def print_module(
    op: Operation, *, generic: bool = False, metadata: Section | None = None, style: PrintStyle = PLAIN
) -> str:
    """The text of a whole document, as `mlir-opt` writes it, with an empty line at the end.

    Of the resources in `metadata`, those are printed that attributes in `op` refer to.
    """
    with collection_paused():
        printer = Printer(op, generic=generic, style=style)
        text = printer.print(op, "\n" if style.local_scope else "\n\n")
        if not metadata:
            return text
        return text + format_metadata(metadata, [*printer.resources, *resources_of(op)])


Operation.to_text = print_operation
