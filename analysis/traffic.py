"""What a program on buffers costs, from its text: bytes that are only moved or set, by kind, and bytes held at once.

Three kinds of operations compute nothing new: a *copy* reads and writes its bytes; a *fill* writes them; a *relayout* (a broadcast,
transposition or reshape written as an operation of linalg) reads its source and writes its result. Their sum is the traffic.

Sizes that are not known count as their greatest number, or `ASSUMED_SIZE` (`weights.py`), loops of unknown length as `ASSUMED_RUNS` iterations. A buffer is held from
its allocation to the last use of it or of a view of it; a use inside a loop that does not hold the allocation counts as
one at the end of the loop. What a function returns is held to its end. So it is an estimate of what freeing after the
last use leaves, whether or not the program frees anything yet.
"""

from __future__ import annotations

from typing import Final

from ..dialects.linalg.base import LinalgOp
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import CopyOpInterface, FunctionOp, LoopLikeOp, RegionBranchOp
from ..ir.source.records import record
from ..ir.types import types as t
from .allocations import allocations
from .formulas import ASSUMED_SIZE
from .positions import number
from .view_flow import ViewFlow
from .weights import Weights

ASSUMED_RUNS: Final = 10
"""How many iterations a loop of unknown length is taken to make."""


@record(frozen=True)
class EstimatedCost:
    """Bytes, times how often they are moved.

    Attributes:
        copied: bytes that copies move: each is read and written.
        copies: how many copy operations there are.
        peak: bytes held at once.
        filled: bytes that are set to one value.
        relayout_read, relayout_written: bytes that broadcasts, transpositions and reshapes read and write.
        allocated: bytes of all allocations.
    """

    copied: int
    copies: int
    peak: int
    filled: int = 0
    relayout_read: int = 0
    relayout_written: int = 0
    allocated: int = 0

    @property
    def traffic(self) -> int:
        """Bytes read and written by what computes nothing: what is minimised."""
        return 2 * self.copied + self.filled + self.relayout_read + self.relayout_written


def traffic(root: Operation, assumed: int = ASSUMED_SIZE) -> EstimatedCost:
    """What the program below `root` costs. O(operations * log) beyond the views of each allocation.

    Args:
        assumed: what sizes are taken for of which nothing is known.
    """
    weights = Weights(assumed)
    copied = copies = filled = relayout_read = relayout_written = 0
    for op in root.walk():
        if isinstance(op, CopyOpInterface):
            copies += 1
            copied += weights.bytes_of(op.copy_source()) * runs(op)
        elif isinstance(op, LinalgOp) and len(inits := op.dps_inits()) == 1:
            sources = moved_by(op)
            if sources is None:
                continue
            times, written = runs(op), weights.bytes_of(inits[0].value)
            if sources:
                relayout_read += weights.bytes_of(sources[0]) * times
                relayout_written += written * times
            else:
                filled += written * times
    made = allocations(root)
    allocated = sum(
        weights.bytes_of(each.value) * runs(each.value.owner)
        for each in made
        if isinstance(each.value, OpResult)
    )
    held = peak(root, weights)
    return EstimatedCost(copied, copies, held, filled, relayout_read, relayout_written, allocated)


def moved_by(op: LinalgOp) -> list[Value] | None:
    """What an operation writes as it is: one tensor or buffer in another layout, nothing but a scalar; None if it computes."""
    if not op.regions or not op.regions[0].blocks:
        return None
    body = op.regions[0].entry
    last = body.last_op
    if last is None or len(last.operands) != 1:
        return None
    yielded = last.operands[0]
    if yielded.parent_block is not body:
        return []
    if not isinstance(yielded, BlockArgument) or yielded.index >= op.input_count:
        return None
    source = op.op_operands[yielded.index].value
    return [source] if isinstance(source.type, t.ShapedType) else []


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
