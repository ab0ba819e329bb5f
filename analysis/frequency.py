"""How often an operation runs each time its function is called.

    times = product of the iterations of the loops around it

Iterations are a number where bounds are constants, else a formula over the values of the bounds, else a symbol of their own
(`trips@7` for the loop on line 7). An operation in a branch that need not be taken runs *at most* so often.
"""

from __future__ import annotations

from math import prod

from ..dialects import scf
from ..dialects.common import Mixed, constant_index
from ..ir.program.core import Block, Operation, Region
from ..ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp
from ..ir.source.records import record
from ..ir.source.text import LineNumber, Text, say
from .fixpoint import strongly_connected_components
from .naming import line_of
from .sizes import ONE, Formula, Sizes, Symbol


@record(frozen=True)
class Times:
    """How often something runs: exactly `count`, or `at_most` so often."""

    count: Formula
    at_most: bool = False

    @property
    def is_once(self) -> bool:
        return self.count == ONE

    @property
    def text(self) -> str:
        """`16 times`, `at most once`, `%n times`."""
        often = "once" if self.is_once else say("{count} times", count=self.count.text)
        return say("at most {often}", often=often) if self.at_most else often

    def __str__(self) -> str:
        return str(self.text)


ONCE = Times(ONE)


def loop_of(symbol: Symbol) -> LineNumber | None:
    """The line of the loop whose iterations a symbol stands for; None for other symbols."""
    line = symbol.name.arguments.get("line") if isinstance(symbol.name, Text) else None
    return line if isinstance(line, LineNumber) else None


class Frequencies:
    """How often the regions of one program run; each is looked up once. The program must not change."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._blocks: dict[Block, Times] = {}
        self._cycles: dict[Region, dict[Block, tuple[bool, bool]]] = {}

    def of(self, op: Operation) -> Times:
        """How often `op` runs for each call of its function. Amortised O(1)."""
        return self.of_block(op.block) if op.block is not None else ONCE

    def of_block(self, block: Block) -> Times:
        """How often a block runs."""
        waiting: list[Block] = []
        times = ONCE
        current: Block | None = block
        while current is not None:
            known = self._blocks.get(current)
            if known is not None:
                times = known
                break
            waiting.append(current)
            parent = current.parent_op
            if parent is None or isinstance(parent, FunctionOp):
                break
            current = parent.block
        for inner in reversed(waiting):
            times = self._inside(inner, times)
            self._blocks[inner] = times
        return times

    def _inside(self, block: Block, around: Times) -> Times:
        """From how often the operation around runs, how often `block` does."""
        region, op = block.region, block.parent_op
        if region is None or op is None:
            return around
        times = around if isinstance(op, FunctionOp) else self._in_region(region, op, around)
        if region.has_one_block:
            return times
        on_cycle, certain = self._among_blocks(region)[block]
        if on_cycle:
            line = line_of(block.last_op) if block.last_op is not None else None
            name = say("trips@{line}", line=line) if line is not None else "trips"
            return Times(times.count * Formula.of(Symbol(name, block)), times.at_most)
        return times if certain else Times(times.count, True)

    def _in_region(self, region: Region, op: Operation, around: Times) -> Times:
        if isinstance(op, LoopLikeOp):
            if region not in op.loop_regions:
                return around
            return Times(around.count * self.trips(op), around.at_most)
        if isinstance(op, RegionBranchOp):
            if op.is_repetitive(region):
                return Times(around.count * _unknown_trips(op), around.at_most)
            if len(op.regions) > 1 or any(s.region is None for s in op.region_successors(None)):
                return Times(around.count, True)
        return around

    def trips(self, loop: LoopLikeOp) -> Formula:
        """The iterations of a loop each time it is reached."""
        known = loop.static_trip_count()
        if known is not None:
            return Formula.of(known)
        counts = [axis.count for axis in loop.axes()]
        if counts and None not in counts:
            return Formula.of(prod(count for count in counts if count is not None))
        bounds = _bounds(loop)
        if not bounds:
            return _unknown_trips(loop)
        total = ONE
        for lower, upper, step in bounds:
            if not _is_one(step):
                return _unknown_trips(loop)
            total = total * (self._bound(upper) - self._bound(lower))
        return total

    def _bound(self, bound: Mixed) -> Formula:
        return Formula.of(bound) if isinstance(bound, int) else self._sizes.index(bound)

    def _among_blocks(self, region: Region) -> dict[Block, tuple[bool, bool]]:
        """For each block whether it is on a cycle, and whether every way through the region passes it. O(blocks + edges)."""
        found = self._cycles.get(region)
        if found is not None:
            return found
        blocks = list(region)
        components = strongly_connected_components(blocks, lambda block: block.successors)
        found = {}
        place: dict[Block, int] = {}
        order = list(reversed(components))
        for number, component in enumerate(order):
            looping = len(component) > 1 or component[0] in component[0].successors
            for block in component:
                place[block] = number
                found[block] = (looping, False)
        # Between components edges only go forward: where none passes over one, every way goes through it.
        farthest = 0
        for number, component in enumerate(order):
            certain = farthest <= number
            for block in component:
                looping = found[block][0]
                found[block] = (looping, certain and len(component) == 1)
                targets = [place[s] for s in block.successors] or [len(order)]
                farthest = max(farthest, *targets)
        self._cycles[region] = found
        return found


def _bounds(loop: LoopLikeOp) -> list[tuple[Mixed, Mixed, Mixed]]:
    """Lower bound, upper bound and step of each induction variable; none for loops that do not count."""
    if isinstance(loop, scf.ForOp):
        lower, upper, step = loop.operands[:3]
        return [(lower, upper, step)]
    if isinstance(loop, scf.ForallOp):
        return list(zip(loop.mixed_lower_bound, loop.mixed_upper_bound, loop.mixed_step, strict=True))
    if isinstance(loop, scf.ParallelOp):
        return list(zip(loop.lower_bound, loop.upper_bound, loop.step, strict=True))
    return []


def _is_one(step: Mixed) -> bool:
    return step == 1 if isinstance(step, int) else constant_index(step) == 1


def _unknown_trips(loop: Operation) -> Formula:
    line = line_of(loop)
    name = say("trips@{line}", line=line) if line is not None else f"trips({loop.name})"
    return Formula.of(Symbol(name, loop))
