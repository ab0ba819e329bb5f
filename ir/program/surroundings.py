"""What is around each operation of a walk: asked again and again along the way, and never climbed twice.

Climbing from every operation to where a value is defined costs the depth of nesting for each use: its square in all,
where conditionals or loops stand in one another. But a walk enters and leaves every region once. So the regions around
the operation that was last asked about are kept, with what stands in each, and the next one climbs only to the first of
them that is around it too; those inside of that one have been left for good.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import traits as tr
from .core import Operation, Region


class Surroundings:
    """The regions around operations that come in the order of `Operation.walk` or of `Operation.walk_post_order`.

    `move_to` is amortised O(1) over the walk, the rest O(1).
    """

    def __init__(self) -> None:
        self._regions: list[Region] = []
        """The regions around, outermost first."""
        self._depth: dict[Region, int] = {}
        self._standing: list[Operation] = []
        """What stands in each region: the operation moved to, or what it is nested in."""
        self._isolated: list[int] = []
        """For each region the depth of the innermost at or around it whose operation isolates it; -1 if there is none."""

    def move_to(self, op: Operation) -> None:
        """Ask about `op` from now on."""
        entered: list[tuple[Region, Operation]] = []
        depth, regions = self._depth, self._regions
        standing, region = op, op.parent_region
        while region is not None and region not in depth:
            entered.append((region, standing))
            parent = region.parent_op
            if parent is None:
                region = None
                break
            standing, region = parent, parent.parent_region
        keep = 0 if region is None else depth[region] + 1
        for left in regions[keep:]:
            del depth[left]
        del regions[keep:], self._standing[keep:], self._isolated[keep:]
        if region is not None:
            self._standing[-1] = standing
        for region, standing in reversed(entered):
            depth[region] = at = len(regions)
            regions.append(region)
            self._standing.append(standing)
            parent = region.parent_op
            isolates = parent is not None and parent.has_trait(tr.ISOLATED_FROM_ABOVE)
            self._isolated.append(at if isolates else self._isolated[-1] if at else -1)

    def ancestor_in(self, region: Region) -> Operation | None:
        """What is directly in `region`: the operation or something around it; None if it is not in `region`."""
        depth = self._depth.get(region)
        return None if depth is None else self._standing[depth]

    def isolated_from(self, region: Region) -> Operation | None:
        """The innermost operation around that lets its regions use nothing of `region`; None if there is none."""
        border = self._isolated[-1] if self._isolated else -1
        return self._regions[border].parent_op if border > self._depth.get(region, -1) else None


def suspects(touched: set[Operation], operations: list[Operation]) -> tuple[list[Operation], list[Operation]]:
    """Of all operations those that a change of `touched` concerns, and those with what is around them.

    Who uses a result sees its type and must be dominated by it; whoever is around sees what is in its regions; and what ends
    a region looks at the operation around it.
    """
    own = touched | {use.owner for op in touched for result in op.results for use in result.uses}
    for op in list(own):
        for region in op.regions:
            own.update(block.last_op for block in region if block.last_op is not None)
    around = set(own)
    for op in own:
        parent = op.parent_op
        while parent is not None and parent not in around:
            around.add(parent)
            parent = parent.parent_op
    return [op for op in operations if op in own], [op for op in operations if op in around]


def inner_first(operations: list[Operation]) -> Iterator[Operation]:
    """Operations that come as `Operation.walk` yields them, each after those inside it. With each comes what is around it."""
    open: list[Operation] = []
    for op in operations:
        parent = op.parent_op
        while open and open[-1] is not parent:
            yield open.pop()
        open.append(op)
    yield from reversed(open)
