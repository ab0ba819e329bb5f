"""Printing options, and the aliases and resources that belong to the printed program."""

from __future__ import annotations

from typing import Any

from ..program.core import Operation
from ..source.records import record
from ..types import attributes as a
from ..types.elements import HEX_THRESHOLD
from ..types.locations import Location


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

    def number_locations(self) -> None:
        """Number location aliases in order of definition, nested ones first."""
        located = [attribute for attribute in self.in_order() if isinstance(attribute, Location)]
        for number, location in enumerate(located):
            self[location] = f"#loc{number or ''}"


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
