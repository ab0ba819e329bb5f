"""What printing depends on beside the program: what is left out, what stands for something else, what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..program.core import Operation
from ..types import attributes as a


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """How programs are printed, beside generic or not.

    Attributes:
        local_scope: everything is spelled out where it stands; there are no aliases.
        elide_larger: dense elements of more than so many numbers are left out; None leaves out nothing.
    """

    local_scope: bool = False
    elide_larger: int | None = None

    def elides(self, attribute: Any) -> bool:
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
        self.local = style.local_scope

    def assign(self, attribute: a.Attribute, prefix: str) -> None:
        if attribute not in self and not self.local:
            count = self.counts.get(prefix, 0)
            self.counts[prefix] = count + 1
            self[attribute] = f"#{prefix}{count or ''}"


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
