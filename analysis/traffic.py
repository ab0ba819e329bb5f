"""What a program on buffers costs, from its text: bytes copied, and bytes held at once.

Sizes that are not known count as their greatest number, or `ASSUMED_SIZE` (`weights.py`), loops of unknown length as `ASSUMED_RUNS` iterations. A buffer is held from
its allocation to the last use of it or of a view of it; a use inside a loop that does not hold the allocation counts as
one at the end of the loop. What a function returns is held to its end. So it is an estimate of what freeing after the
last use leaves, whether or not the program frees anything yet.
"""

from __future__ import annotations

from typing import Final

from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import CopyOpInterface, FunctionOp, LoopLikeOp, RegionBranchOp
from ..ir.source.records import record
from .allocations import allocations
from .formulas import ASSUMED_SIZE
from .positions import number
from .view_flow import ViewFlow
from .weights import Weights

ASSUMED_RUNS: Final = 10
"""How many iterations a loop of unknown length is taken to make."""


@record(frozen=True)
class EstimatedCost:
    """`copied`: bytes that copies move; `copies`: how many copy operations there are; `peak`: bytes held at once."""

    copied: int
    copies: int
    peak: int


def traffic(root: Operation, assumed: int = ASSUMED_SIZE) -> EstimatedCost:
    """What the program below `root` costs. O(operations * log) beyond the views of each allocation.

    Args:
        assumed: what sizes are taken for of which nothing is known.
    """
    weights = Weights(assumed)
    copies = [op for op in root.walk() if isinstance(op, CopyOpInterface)]
    copied = sum(weights.bytes_of(op.copy_source()) * runs(op) for op in copies)
    return EstimatedCost(copied, len(copies), peak(root, weights))


def runs(op: Operation) -> int:
    """How often an operation runs each time its function does. O(depth)."""
    total = 1
    region = op.parent_region
    while region is not None and region.parent_op is not None:
        parent = region.parent_op
        if isinstance(parent, FunctionOp):
            break
        if isinstance(parent, LoopLikeOp):
            if region in parent.loop_regions:
                trips = parent.static_trip_count()
                total *= ASSUMED_RUNS if trips is None else trips
        elif isinstance(parent, RegionBranchOp) and parent.is_repetitive(region):
            total *= ASSUMED_RUNS
        region = parent.parent_region
    return total


def peak(root: Operation, weights: Weights) -> int:
    """The most bytes held at once by one function's allocations. O(operations + views of allocations)."""
    enter, leave = number(root)
    flow = ViewFlow(root)
    changes: list[tuple[int, int]] = []
    for allocation in allocations(root):
        value = allocation.value
        end = _last_use(value, flow, enter, leave)
        size = weights.bytes_of(value)
        made = value.defining_op
        assert made is not None
        changes += [(enter[made], size), (end + 1, -size)]
    held = most = 0
    for _, change in sorted(changes):
        held += change
        most = max(most, held)
    return most


def _last_use(value: Value, flow: ViewFlow, enter: dict[Operation, int], leave: dict[Operation, int]) -> int:
    """The position after which nobody uses the buffer or a view of it."""
    made = value.defining_op
    assert made is not None
    region = made.parent_region
    last = enter[made]
    for view in flow.resolve(value):
        for user in view.users:
            outer = user.ancestor_in_region(region)
            if outer is None:  # handed out of the region in which it was made
                outer = region.parent_op if region is not None else None
            if outer is not None and outer in leave:
                last = max(last, leave[outer])
    return last
