"""Which values are needed where: live at the start and at the end of each block.

    needed_after(b)  = union of live_in(s) over the successors s of b
    live_in(b)       = (needed_after(b) - defined_in(b)) | exposed(b)

where `exposed(b)` are the values from outside `b` that its operations, or anything nested in them, use. As in MLIR,

* every block of every nested region has an answer of its own, and a value that is only used inside an operation's region
  is live in at the blocks of that region, not live out at the block that holds the operation;
* nothing is live out where control leaves a region, not even what the enclosing operation uses later.

The equations are solved region by region by the one solver of `fixpoint`; regions of one block need no solving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..ir.program.core import Block, Operation, Region, Value
from ..ir.source.collection import collection_paused
from .graphs import block_graph

Values = frozenset[Value]
NOTHING: Values = frozenset()


class Liveness:
    """Live values of all blocks inside `root`, for the values that `wanted` accepts.

    Building takes O(operations + uses * depth) and, for regions of several blocks, unions of the answers along the edges.
    The answers are lists in textual order of definition. The program may be changed afterwards; the answers are about the
    program as it was.
    """

    @collection_paused()
    def __init__(self, root: Operation, wanted: Callable[[Value], bool] = lambda value: True) -> None:
        self._wanted = wanted
        self._live_in: dict[Block, Values] = {}
        self._live_out: dict[Block, Values] = {}
        self._order: dict[Value, int] = {}
        exposed: dict[Block, set[Value]] = {}
        defined: dict[Block, set[Value]] = {}
        regions: list[Region] = []
        for op in root.walk():
            self._number(op.results)
            for region in op.regions:
                regions.append(region)
                for block in region:
                    self._number(block.args)
                    exposed[block] = set()
                    defined[block] = set()
        # Inner regions come after outer ones, so backwards everything nested is known before what holds it.
        for region in reversed(regions):
            for block in region:
                self._collect(block, exposed, defined)
            self._solve(region, exposed, defined)

    def live_in(self, block: Block) -> list[Value]:
        """The values defined outside `block` that it needs."""
        return self._sorted(self._live_in.get(block, NOTHING))

    def live_out(self, block: Block) -> list[Value]:
        """The values that a successor of `block` needs from before it."""
        return self._sorted(self._live_out.get(block, NOTHING))

    def is_live_in(self, value: Value, block: Block) -> bool:
        """Whether `block` needs `value` from outside. O(1)."""
        return value in self._live_in.get(block, NOTHING)

    def is_live_out(self, value: Value, block: Block) -> bool:
        """Whether a successor of `block` needs `value` from before it. O(1)."""
        return value in self._live_out.get(block, NOTHING)

    def _sorted(self, values: Values) -> list[Value]:
        return sorted(values, key=self._order.__getitem__)

    def _number(self, values: Iterable[Value]) -> None:
        for value in values:
            if self._wanted(value):
                self._order[value] = len(self._order)

    def _collect(
        self, block: Block, exposed: dict[Block, set[Value]], defined: dict[Block, set[Value]]
    ) -> None:
        """What `block` defines, and what it and everything nested in it use from outside."""
        known = self._order
        mine, used = defined[block], exposed[block]
        mine.update(arg for arg in block.args if arg in known)
        for op in block:
            mine.update(result for result in op.results if result in known)
            for use in op.op_operands:
                if use._value in known:
                    used.add(use._value)
            for region in op.regions:
                for nested in region:
                    used |= exposed[nested]
                # what one block of a region defines, another may use: that is not from outside
                for nested in region:
                    if region.has_one_block:
                        break
                    used -= defined[nested]
        used -= mine

    def _solve(
        self, region: Region, exposed: dict[Block, set[Value]], defined: dict[Block, set[Value]]
    ) -> None:
        if region.has_one_block:
            self._live_in[region.entry] = frozenset(exposed[region.entry])
            return
        from .fixpoint import BACKWARD, Dataflow, solve

        def live_before(block: Block, live_after: Values) -> Values:
            return (live_after - defined[block]) | exposed[block]

        flow: Dataflow[Block, Values] = Dataflow(BACKWARD, NOTHING, frozenset.union, live_before)
        graph = block_graph(region)
        solution = solve(flow, graph, graph.successors)
        self._live_in.update(solution.after)
        self._live_out.update(solution.before)
