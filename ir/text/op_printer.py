"""Printer interface for operation forms: names, types, attributes, blocks.

Attribute aliases (`#map`) are assigned in order of first use, as in MLIR. Regions are not printed here: a form
yields a request, `p.region(...)`, and `bufferize.ir.text.printer` runs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..declaration.declare import OPERAND_SEGMENTS
from ..declaration.format_syntax import RegionPrint
from ..program.core import (
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    Value,
    argument_location,
    location_of,
)
from ..source.records import record
from ..source.text import keyword_or_string, lazy_pattern, quoted, symbol
from ..types import attributes as a, types as t
from ..types.elements import HEX_THRESHOLD
from ..types.locations import Location, NameLoc
from ..types.uniquing import PRETTY

# Printing options, and the aliases and resources that belong to the printed program.


@record(frozen=True)
class PrintStyle:
    """Printing options other than the generic form.

    Attributes:
        local_scope: print everything inline, without aliases.
        debug_info: print the location of each operation and block argument, as `loc(...)`.
        skip_regions: print regions as `{...}`.
        elide_larger: elide dense elements attributes with more elements than this; None elides none.
        hex_larger: print dense elements attributes with more elements than this in hexadecimal; -1 prints none so.
        pretty_locations: print locations without `loc( )`, quotes and keywords.
        named_by_location: name values by the names in their locations.
        unique_numbers: number values across all regions.
        users: show the users of each value in a comment.
    """

    local_scope: bool = False
    debug_info: bool = False
    skip_regions: bool = False
    elide_larger: int | None = None
    hex_larger: int = HEX_THRESHOLD
    pretty_locations: bool = False
    named_by_location: bool = False
    unique_numbers: bool = False
    users: bool = False

    def elides(self, attribute: object) -> bool:
        return (
            self.elide_larger is not None
            and isinstance(attribute, a.DenseElementsAttr)
            and not attribute.is_splat
            and attribute.num_elements > self.elide_larger
        )


PLAIN = PrintStyle()
ELIDED = "dense_resource<__elided__>"


class AliasTable(dict[Any, str]):
    """Aliases by attribute, numbered per prefix in order of assignment."""

    def __init__(self, style: PrintStyle = PLAIN) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.late: set[Any] = set()
        """Aliases that only locations of operations refer to; they are defined after the program."""
        self.local = style.local_scope

    def assign(self, attribute: a.Attribute, prefix: str, late: bool = False) -> None:
        if attribute not in self and not self.local:
            count = self.counts.get(prefix, 0)
            self.counts[prefix] = count + 1
            self[attribute] = f"#{prefix}{count or ''}"
            if late:
                self.late.add(attribute)
        elif not late:
            self.late.discard(attribute)

    def collect(self, item: Any, style: PrintStyle, resources: dict[str, None], late: bool = False) -> None:
        """Assign aliases in `item` in order of appearance, and record resources. O(nested attributes)."""
        stack = [item]
        seen: set[Any] = set()
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            if isinstance(current, a.AffineMapAttr):
                self.assign(current, "map", late)
            elif isinstance(current, a.IntegerSetAttr):
                self.assign(current, "set", late)
            elif isinstance(current, Location):
                self.assign(current, "loc", late)
            elif isinstance(current, a.DialectAttr) and current.alias_prefix is not None:
                self.assign(current, current.alias_prefix, late)
            elif isinstance(current, a.DenseResourceAttr):
                resources[current.key] = None
            elif style.elides(current):
                self[current] = f"{ELIDED} : {current.type}"
            elif style.hex_larger != HEX_THRESHOLD and isinstance(current, a.DenseElementsAttr):
                self[current] = f"dense<{current.body(larger=style.hex_larger)}> : {current.type}"
            stack.extend(reversed(current.children))

    def in_order(self) -> list[Any]:
        """The aliased attributes in order of definition: after those they use, otherwise grouped by prefix as in MLIR."""
        depth: dict[Any, int] = {}
        for attribute in self:
            stack = [attribute]
            while stack:
                current = stack[-1]
                waiting = [c for c in current.children if c not in depth]
                if waiting:
                    stack.extend(waiting)
                    continue
                stack.pop()
                below = max((depth[c] for c in current.children), default=-1)
                depth[current] = below + 1 if current in self else max(below, 0) if current.children else -1
        prefix = {name: name.rstrip("0123456789") for name in self.values()}
        return sorted(self, key=lambda attribute: (depth[attribute], prefix[self[attribute]]))

    def number_locations(self) -> bool:
        """Number location aliases in order of definition, nested ones first; returns whether a number changed."""
        if "loc" not in self.counts:
            return False
        located = [attribute for attribute in self.in_order() if isinstance(attribute, Location)]
        numbered = {location: f"#loc{number or ''}" for number, location in enumerate(located)}
        changed = any(self[location] != name for location, name in numbered.items())
        self.update(numbered)
        return changed


def resources_of(op: Operation) -> dict[str, None]:
    """The keys of all resources that attributes in `op` and below refer to, in any printed form.

    O(operations + attributes).
    """
    found: dict[str, None] = {}
    seen: set[Any] = set()
    for inner in op.walk():
        stack: list[Any] = [*inner.properties.values(), *inner.attributes.values()]
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            if isinstance(current, a.DenseResourceAttr):
                found[current.key] = None
            stack.extend(current.children)
    return found


# Names of values and blocks in printed text.
#
# The scheme is MLIR's. Entry arguments are `%arg0`, `%arg1`, ...; results take the name that their operation suggests
# (`%alloc`, `%c0`), made unique by a suffix, or else a number; blocks are `^bb0`, `^bb1`, ... in order. A whole region
# is numbered before the regions nested in it, which continue its numbering; sibling regions therefore share numbers.

_ODD_CHARACTER = lazy_pattern(r"[^\w$.-]", re.ASCII)


class Names:
    """Names of the values and blocks below one operation, or none yet. O(values) to build."""

    __slots__ = ("blocks", "generic", "groups", "style", "users", "values")

    def __init__(self, root: Operation | None, generic: bool = False, style: PrintStyle = PLAIN):
        self.generic = generic
        self.style = style
        self.users: dict[Operation, str] = {}
        """The numbers of operations without results, if users are shown."""
        self.values: dict[Value, str] = {}
        """With the leading `%`, and with `#n` for members of result groups."""
        self.blocks: dict[Block, str] = {}
        self.groups: dict[Operation, str] = {}
        """The text left of the equals sign, if it differs from the name of a single result."""
        if root is not None:
            self._number(root)

    def _number(self, root: Operation) -> None:
        used: set[str] = set()
        outer = _Scope(used, 0, 0, 0)
        self._name_results(root, outer)
        is_unique = self.generic or self.style.unique_numbers
        if not root.results and not is_unique:
            outer.next_value = 0
        around = [outer]
        last = outer
        pending: list[tuple[Region, _Scope]] = [(region, outer) for region in root.regions]
        while pending:
            region, parent = pending.pop()
            while around[-1] is not parent:  # regions that were left: their names are free again
                used.difference_update(around.pop().names)
            start = last if is_unique else parent
            scope = last = _Scope(used, start.next_value, start.next_argument, start.next_conflict)
            around.append(scope)
            for op in self._number_region(region, scope):
                for nested in op.regions:
                    pending.append((nested, scope))

    def _number_region(self, region: Region, scope: _Scope) -> list[Operation]:
        """Name the values of a region, without those nested deeper; returns the operations whose regions are printed."""
        holders: list[Operation] = []
        values = self.values
        parent = region.parent_op
        first = region.first_block
        if not self.generic and parent is not None and parent.definition is not None and first is not None:
            for arg, name in zip(first.args, parent.block_argument_names(region), strict=False):
                if name:
                    values[arg] = scope.unique(self._by_location(arg) or name)
        entry = True
        generic, style = self.generic, self.style
        all_regions, named_by_location = generic or style.unique_numbers, style.named_by_location
        for number, block in enumerate(region):
            self.blocks[block] = f"^bb{number}"
            for arg in block.args:
                if arg in values:
                    continue
                located = self._by_location(arg)
                if entry:
                    values[arg] = scope.unique(located or f"arg{scope.next_argument}")
                    scope.next_argument += 1
                elif located:
                    values[arg] = scope.unique(located)
                else:
                    values[arg] = f"%{scope.next_value}"
                    scope.next_value += 1
            entry = False
            op = block.first_op
            while op is not None:
                if op.regions and (all_regions or not op.implies_regions):
                    holders.append(op)
                results = op.results
                if results:
                    if len(results) == 1 and (generic or not op.suggests_names) and not named_by_location:
                        values[results[0]] = f"%{scope.next_value}"
                        scope.next_value += 1
                    else:
                        self._name_results(op, scope)
                elif self.style.users:
                    self._number_operation(op, scope)
                op = op._next
        return holders

    def _number_operation(self, op: Operation, scope: _Scope) -> None:
        self.users[op] = f"%{scope.next_value}"
        scope.next_value += 1

    def _by_location(self, value: OpResult | BlockArgument) -> str:
        """The name in the location of a value, if such names are used."""
        if not self.style.named_by_location:
            return ""
        is_argument = isinstance(value, BlockArgument)
        pending: list[Any] = [argument_location(value) if is_argument else location_of(value.owner)]
        while pending:
            location = pending.pop()
            if isinstance(location, NameLoc):
                return location.name
            pending.extend(reversed(location.children))
        return ""

    def _name_results(self, op: Operation, scope: _Scope) -> None:
        results = op.results
        if not results:
            if self.style.users:
                self._number_operation(op, scope)
            return
        suggested = [] if self.generic or not op.suggests_names else op.result_names()
        starts = [0]
        names: dict[int, str] = {}
        for i, name in enumerate(suggested):
            if name:
                names[i] = scope.unique(self._by_location(results[i]) or name)
                if i:
                    starts.append(i)
        if 0 not in names and (located := self._by_location(results[0])):
            names[0] = scope.unique(located)
        if 0 not in names:
            names[0] = f"%{scope.next_value}"
            scope.next_value += 1
        values = self.values
        if len(results) == 1:
            values[results[0]] = names[0]
            return
        groups: list[str] = []
        starts.append(len(results))
        for start, end in pairwise(starts):
            name = names[start]
            if end - start == 1:
                values[results[start]] = name
                groups.append(name)
            else:
                for i in range(start, end):
                    values[results[i]] = f"{name}#{i - start}"
                groups.append(f"{name}:{end - start}")
        self.groups[op] = ", ".join(groups)

    def value(self, value: Value) -> str:
        """The name of a value; a placeholder if it is not below the root."""
        if (name := self.values.get(value)) is not None:
            return name
        return "<<UNKNOWN SSA VALUE>>" if isinstance(value, OpResult) else "<<UNKNOWN SSA ARGUMENT>>"


class _Scope:
    """The names assigned in a region. `used` includes the names of enclosing regions and is shared by all scopes."""

    __slots__ = ("names", "next_argument", "next_conflict", "next_value", "used")

    def __init__(self, used: set[str], next_value: int, next_argument: int, next_conflict: int):
        self.used = used
        self.next_value = next_value
        self.next_argument = next_argument
        self.next_conflict = next_conflict
        self.names: list[str] = []

    def unique(self, name: str) -> str:
        """`%name`, or `%name_N` with the next number that makes it unique."""
        if not (name.isalpha() and name.isascii()):
            name = _ODD_CHARACTER.sub("_", name)
            if name[:1].isdigit():
                name = "_" + name
        if name in self.used:
            base = name
            while name in self.used:
                name = f"{base}_{self.next_conflict}"
                self.next_conflict += 1
        self.used.add(name)
        self.names.append(name)
        return "%" + name


_WITH_TYPES = (
    a.IntegerAttr,
    a.FloatAttr,
    a.DenseElementsAttr,
    a.DenseResourceAttr,
    a.SparseElementsAttr,
    a.StringAttr,
)
"""Attributes that print their type as a suffix, unless the context implies it."""


class OpPrinter:
    """Prints the parts of operations. Forms receive it as `p`."""

    __slots__ = ("aliases", "generic", "indent", "names", "resources", "style", "texts", "value_names")

    def __init__(self, root: Operation, *, generic: bool, style: PrintStyle):
        self.generic = generic
        self.style = style
        self.names = Names(root, generic, style)
        self.value_names = self.names.values
        self.aliases = AliasTable(style)
        self.texts: dict[Any, str] = {}
        self.resources: dict[str, None] = {}
        """Keys of the resources that attributes refer to, in order of first use."""
        self.indent = ""
        """Indentation of the operation being printed, for forms that break lines (read it before any region)."""

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
        text = self.texts[item] = a.format_attribute(item, self.aliases)
        return text

    def attribute_without_type(self, attribute: a.Attribute) -> str:
        if isinstance(attribute, _WITH_TYPES):
            if isinstance(attribute, a.DenseResourceAttr):
                self.resources[attribute.key] = None
            elif self.style.elides(attribute):
                return ELIDED
            elif isinstance(attribute, a.DenseElementsAttr):
                return f"dense<{attribute.body(larger=self.style.hex_larger)}>"
            return a.format_attribute_without_type(attribute, self.aliases)
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
        """The types after an arrow: in parentheses unless there is one result that is not a function type."""
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
        """` {a = 1}` with the attributes that the form does not print elsewhere, or empty."""
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
        """` <{a = 1}>` with the inherent attributes that the form does not print elsewhere, or empty."""
        shown = [entry for entry in self.visible(op, elide) if entry[0] in op.properties]
        return f" <{{{self.entries(shown)}}}>" if shown else ""

    def dictionary(self, entries: Mapping[str, a.Attribute]) -> str:
        """`{a = 1}`, or empty if there are no entries."""
        return f"{{{self.entries(sorted(entries.items(), key=name_bytes))}}}" if entries else ""

    def late_dictionary(self, entries: Mapping[str, a.Attribute]) -> LateDictionary:
        """The request to yield to print `{a = 1}` without creating aliases for its contents.

        MLIR prints the attributes of function arguments so: aliases are used only if they exist for another reason.
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
        """` loc(...)` in full, if debug info is printed."""
        if not self.style.debug_info:
            return ""
        location = argument_location(arg)
        self.aliases.collect(location, self.style, self.resources)
        if self.style.pretty_locations:
            return " " + a.format_definition(location, self.aliases, PRETTY)
        return " " + a.format_definition(location, self.aliases)

    def location(self, op: Operation) -> str:
        """` loc(#loc)` of an operation."""
        location = location_of(op)
        self.aliases.collect(location, self.style, self.resources, late=True)
        if self.style.pretty_locations:
            return " " + a.format_definition(location, self.aliases, PRETTY)
        name = self.aliases.get(location)
        return f" loc({name})" if name is not None else f" {a.format_attribute(location)}"

    def region(
        self,
        region: Region,
        entry_args: bool = True,
        terminators: bool = True,
        empty_block: bool = False,
        deeper: bool = False,
    ) -> RegionPrint:
        """The request to yield to print `{ ... }`.

        `entry_args` prints the label of the first block if it has arguments; without `terminators` the last operation
        of each block is omitted; `empty_block` prints a label for an entry block without operations; `deeper` is for
        regions on a line of their own, indented one level more than the operation (`p.indent`).
        """
        return RegionPrint(region, entry_args, terminators, empty_block, deeper)

    def shows_terminator(self, op: Operation, region: Region) -> bool:
        """Whether an implicit terminator has content that must be printed."""
        implied = op.definition.implicit_terminator if op.definition is not None else None
        if implied is None or region.is_empty:
            return True
        last = region.entry.last_op
        if last is None:
            return True
        return bool(last.op_operands or last.results or last.attributes or last.properties)


class LateDictionary:
    """Attributes printed after all aliases are known; see `OpPrinter.late_dictionary`."""

    __slots__ = ("entries",)

    def __init__(self, entries: Mapping[str, a.Attribute]):
        self.entries = entries

    def text(self, aliases: Mapping[Any, str]) -> str:
        entries = sorted(self.entries.items(), key=name_bytes)
        return f"{{{', '.join(a.format_named(name, value, aliases) for name, value in entries)}}}"


def name_bytes(entry: tuple[str, Any]) -> str:
    """The sort key of dictionary entries."""
    return entry[0]
