"""What is around something, however deep it stands, without passing everything in between.

Every node of a tree keeps one far ancestor beside its parent (`far_ancestor`), so that any is O(log depth) steps away.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from ..ir.program.core import Region
from ..ir.source.forest import far_ancestor

N = TypeVar("N", bound=Hashable)


class Ancestry(Generic[N]):
    """The nodes of a tree, known by their parents. Nodes are looked at when they are asked about, each once."""

    def __init__(self, parent: Callable[[N], N | None]) -> None:
        """`parent` gives the node above, None for a root; what it says must not change."""
        self._parent = parent
        self._depth: dict[N, int] = {}
        self._far: dict[N, N] = {}

    def depth(self, node: N) -> int:
        """How many nodes are above. Amortised O(1)."""
        depth = self._depth
        if node not in depth:
            self._add(node)
        return depth[node]

    def outermost(self, node: N, holds: Callable[[N], bool]) -> N | None:
        """The highest of `node` and those above it of which `holds` is true; None if it is not true of `node`.

        If it is false of a node it must be false of all above it. O(log depth) questions.
        """
        if not holds(node):
            return None
        self.depth(node)
        far_of, parent_of = self._far, self._parent
        while True:
            far = far_of[node]
            if far is not node and holds(far):
                node = far
                continue
            above = parent_of(node)
            if above is None or not holds(above):
                return node
            node = above

    def _add(self, node: N) -> None:
        depth, far_of = self._depth, self._far
        passed: list[N] = []
        current: N | None = node
        while current is not None and current not in depth:
            passed.append(current)
            current = self._parent(current)
        above = current
        for node in reversed(passed):
            if above is None:
                depth[node], far_of[node] = 0, node
            else:
                depth[node] = depth[above] + 1
                far_of[node] = far_ancestor(above, depth, far_of)
            above = node


def closest(
    region: Region | None, known: dict[Region | None, Region | None], test: Callable[[Region], bool]
) -> Region | None:
    """The closest region at or around `region` that passes the test; None if there is none.

    `known` holds answers already given, at first None for None. Amortised O(1).
    """
    passed: list[Region] = []
    while region not in known:
        assert region is not None
        if test(region):
            known[region] = region
            break
        passed.append(region)
        region = region.parent_region
    found = known[region]
    for inner in passed:
        known[inner] = found
    return found
