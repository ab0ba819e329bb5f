"""Printing options, and the aliases and resources that belong to the printed program."""

from __future__ import annotations

from typing import Any

from ..program.core import Operation
from ..source.records import record
from ..types import attributes as a
from ..types.locations import Location


@record(frozen=True)
class PrintStyle:
    """How programs are printed, beside generic or not.

    Attributes:
        local_scope: everything is spelled out where it stands; there are no aliases.
        debug_info: where each operation and block argument comes from is printed, as `loc(...)`.
        skip_regions: the regions of operations are printed as `{...}`.
        elide_larger: dense elements of more than so many numbers are left out; None leaves out nothing.
    """

    local_scope: bool = False
    debug_info: bool = False
    skip_regions: bool = False
    elide_larger: int | None = None

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
    """Aliases by attribute, numbered for each prefix in the order in which they are assigned."""

    def __init__(self, style: PrintStyle = PLAIN) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.late: set[Any] = set()
        """Those that only locations of operations refer to: they are defined behind the program."""
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
        """Give aliases to what is printed by alias in `item`, in order of appearance, and note resources. O(its parts)."""
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
            stack.extend(reversed(current.children))

    def in_order(self) -> list[Any]:
        """What has an alias: definitions after those they use, otherwise grouped by prefix as MLIR does."""
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
        """Number locations as they are defined, those within others first, not as they appear."""
        located = [attribute for attribute in self.in_order() if isinstance(attribute, Location)]
        for number, location in enumerate(located):
            self[location] = f"#loc{number or ''}"


def resources_of(op: Operation) -> dict[str, None]:
    """The keys of all resources that attributes of `op`, and of all below it, refer to, in whatever form they print.

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
