"""Order, repetition and exclusion: what the structure of a program says about when operations run.

* `happens_before(a, b)`: every execution of `b` comes after one of `a`: `a`, or something around it, properly
  dominates `b`, and `b` is not inside it.
* A region is *repetitive* if it may run more than once each time its operation runs, *parallel* if several of these
  runs may be under way at once. Which regions are, is asked of whoever makes a `ProgramOrder`.
* Two operations are *mutually exclusive* if they are in different regions of one operation and no execution of it
  runs both.

Operations are numbered once, entering and leaving each in textual order, so that "inside" and "textually before" are
comparisons; only what the numbers leave open climbs the nesting or asks a dominator tree. The program must not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from ..ir import traits as tr
from ..ir.core import Block, BlockArgument, Operation, Region, Value
from ..ir.dominance import DominatorTree
from ..ir.interfaces import RegionBranchOp
from .block_order import BlockOrder

RegionTest = Callable[[Region], bool]


def _never(region: Region) -> bool:
    return False


class ProgramOrder:
    """The order of the operations inside `root`.

    Numbering takes time linear in the program. `encloses` is O(1), `happens_before` and `mutually_exclusive` are
    linear in the nesting below the innermost operation around both.

    Attributes:
        root: the operation in question, numbered too.
        enter, leave: for each operation, when a walk in textual order enters and leaves it.
    """

    def __init__(
        self,
        root: Operation,
        is_repetitive: RegionTest = _never,
        is_parallel: RegionTest = _never,
        unordered: RegionTest = _never,
    ) -> None:
        """Number the operations.

        Args:
            is_repetitive, is_parallel: see the module.
            unordered: the regions in which every operation is taken to come before every other one, and before
                itself (how mlir-opt sees graph regions, and those of operations it does not know).
        """
        self.root = root
        self._is_repetitive = is_repetitive
        self._is_parallel = is_parallel
        self._unordered = unordered
        self._repetitive: dict[Region | None, Region | None] = {None: None}
        self._parallel: dict[Region | None, Region | None] = {None: None}
        self._dominators: dict[Region, DominatorTree[Block]] = {}
        self._reachable: dict[tuple[Region, Region], bool] = {}
        self._block_orders: dict[Region, BlockOrder] = {}
        self.enter, self.leave = number(root, iter)

    @cached_property
    def positions(self) -> Positions:
        """Positions in an order near that of execution: those of the text, but blocks come as in `BlockOrder`."""
        for op in self.enter:
            for region in op.regions:
                if not region.is_empty and not region.has_one_block:
                    return number(self.root, self._blocks_in_order)
        return Positions(self.enter, self.leave)

    def _blocks_in_order(self, region: Region) -> list[Block]:
        order = self.block_order(region)
        if not order.is_reducible:
            return list(region)
        return order.blocks + [block for block in region if block not in order.rank]

    # -- inside and before ----------------------------------------------------------------------------

    def encloses(self, outer: Operation, inner: Operation) -> bool:
        """Whether `inner` is `outer` or inside it."""
        enter, leave = self.enter, self.leave
        return enter[outer] <= enter[inner] and leave[inner] <= leave[outer]

    def happens_before(self, a: Operation, b: Operation) -> bool:
        """Whether `a`, or something around it that does not enclose `b`, properly dominates `b`."""
        enter, leave = self.enter, self.leave
        if a.block is b.block and a.block is not None:
            return enter[a] < enter[b] or self._is_unordered(a.block.region)
        if self.encloses(a, b):
            return False
        if self.encloses(b, a):
            return self._is_unordered(b.parent_region)
        if leave[a] < enter[b]:
            x, y = self._in_common_parent(a, b)
            if x.block is y.block:
                return True
        else:
            x, y = self._in_common_parent(a, b)
        if x.parent_region is not y.parent_region or x.parent_region is None:
            return False
        if x.block is y.block:
            return self._is_unordered(x.parent_region)
        return self.block_properly_dominates(x.block, y.block)  # pyright: ignore[reportArgumentType]

    def _in_common_parent(self, a: Operation, b: Operation) -> tuple[Operation, Operation]:
        """What is around `a` and around `b`, directly inside the innermost operation around both."""
        enter, leave = self.enter, self.leave
        start = enter[b]
        parent = a.parent_op
        while parent is not None and not (enter[parent] <= start and leave[b] <= leave[parent]):
            a = parent
            parent = a.parent_op
        while b.parent_op is not parent:
            above = b.parent_op
            assert above is not None, "operations of different programs"
            b = above
        return a, b

    def _is_unordered(self, region: Region | None) -> bool:
        return region is not None and self._unordered(region)

    def block_properly_dominates(self, a: Block, b: Block) -> bool:
        """Whether every path to `b` passes `a`, blocks of one region; all dominate an unreachable block, as in MLIR."""
        if a is b:
            return False
        assert a.region is not None
        tree = self.dominators(a.region)
        return not tree.is_reachable(b) or tree.dominates(a, b)

    def dominators(self, region: Region) -> DominatorTree[Block]:
        """The dominator tree of the blocks of a region; made on first use, O(blocks + edges)."""
        tree = self._dominators.get(region)
        if tree is None:
            tree = self._dominators[region] = DominatorTree(region.entry, lambda block: block.successors)
        return tree

    # -- blocks -----------------------------------------------------------------------------------------

    def block_order(self, region: Region) -> BlockOrder:
        """The order of the blocks of a region; made on first use, near-linear."""
        order = self._block_orders.get(region)
        if order is None:
            order = self._block_orders[region] = BlockOrder(region, self.dominators(region))
        return order

    def on_path(self, start: Block, through: Block, end: Block) -> bool:
        """Whether control may enter `start`, then `through`, then `end`, without entering `start` again.

        `through` may be `start`, and `end` may be `through`.
        """
        assert start.region is not None
        order = self.block_order(start.region)
        rank = order.rank
        if order.is_reducible and start in rank and end in rank and order.dominates(start, end):
            return through in rank and order.on_path(start, through, end)
        if through is not start and not self.reaches(start, through):
            return False
        return through is end or self.reaches(through, end, start)

    def on_common_cycle(self, a: Block, b: Block, avoiding: Block | None) -> bool:
        """Whether control may get from `a` to `b` and back to `a` without entering `avoiding`."""
        if a.region is None or a.region is not b.region or a.region.has_one_block:
            return False
        order = self.block_order(a.region)
        if avoiding is not None and avoiding.region is not a.region:
            avoiding = None
        known = order.is_reducible and a in order.rank and b in order.rank
        if known and (avoiding is None or (avoiding in order.rank and order.dominates(avoiding, a))):
            return order.on_common_cycle(a, b, avoiding)
        return self.reaches(a, b, avoiding) and self.reaches(b, a, avoiding)

    @staticmethod
    def reaches(source: Block, target: Block, avoiding: Block | None = None) -> bool:
        """Whether control may get from the end of `source` to the start of `target` without entering `avoiding`.

        A block reaches itself only through a cycle. O(blocks + edges); plainly, for irreducible regions and tests.
        """
        if target is avoiding:
            return False
        seen = {avoiding}
        waiting = list(source.successors)
        while waiting:
            block = waiting.pop()
            if block is target:
                return True
            if block not in seen:
                seen.add(block)
                waiting.extend(block.successors)
        return False

    # -- repetition -------------------------------------------------------------------------------------

    def repetitive_region(self, region: Region | None) -> Region | None:
        """The closest repetitive region at or around `region`. Amortised O(1)."""
        return self._closest(region, self._repetitive, self._is_repetitive)

    def parallel_region(self, region: Region | None) -> Region | None:
        """The closest parallel region at or around `region`. Amortised O(1)."""
        return self._closest(region, self._parallel, self._is_parallel)

    @staticmethod
    def _closest(
        region: Region | None, known: dict[Region | None, Region | None], test: RegionTest
    ) -> Region | None:
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

    def repeated_since(self, op: Operation, value: Value) -> Operation | None:
        """The outermost operation that repeats `op` without repeating the definition of `value`.

        None if both are in the same repetitive region. `value` must be defined where `op` can use it.
        """
        inner = self.repetitive_region(op.parent_region)
        outer = self.repetitive_region(region_of(value))
        if inner is outer:
            return None
        while inner is not None:
            further = self.repetitive_region(inner.parent_region)
            if further is outer:
                return inner.parent_op
            inner = further
        return None

    # -- exclusion --------------------------------------------------------------------------------------

    def mutually_exclusive(self, a: Operation, b: Operation) -> bool:
        """Whether no execution of the innermost region-branch operation around both runs both."""
        around = a.parent_op
        while around is not None:
            if isinstance(around, RegionBranchOp) and around is not b and self.encloses(around, b):
                break
            around = around.parent_op
        if around is None or not isinstance(around, RegionBranchOp):
            return False
        left, right = self._region_in(around, a), self._region_in(around, b)
        return (
            left is not right
            and not self.region_reaches(left, right)
            and not self.region_reaches(right, left)
        )

    @staticmethod
    def _region_in(around: Operation, op: Operation) -> Region:
        while op.parent_op is not around:
            above = op.parent_op
            assert above is not None
            op = above
        region = op.parent_region
        assert region is not None
        return region

    def region_reaches(self, source: Region, target: Region) -> bool:
        """Whether one execution of their operation may run `target` after `source`."""
        known = self._reachable.get((source, target))
        if known is None:
            op = source.parent_op
            known = not isinstance(op, RegionBranchOp) or op.can_reach(source, target)
            self._reachable[source, target] = known
        return known


def region_of(value: Value) -> Region | None:
    """The region in which a value is defined: for a block argument, that of its block."""
    block = value.parent_block
    return block.region if block is not None else None


class Positions(NamedTuple):
    """When a walk enters and leaves each operation."""

    enter: dict[Operation, int]
    leave: dict[Operation, int]


def number(root: Operation, blocks_of: Callable[[Region], Iterable[Block]]) -> Positions:
    """Number the operations inside `root` in a walk that takes the blocks of a region as given. O(operations)."""
    found = Positions({}, {})
    enter, leave = found
    clock = 0
    enter[root] = 0
    stack: list[tuple[Operation, list[Operation], int]] = [(root, _nested(root, blocks_of), 0)]
    while stack:
        parent, children, at = stack.pop()
        descended = False
        for i in range(at, len(children)):
            op = children[i]
            clock += 1
            enter[op] = clock
            if op.regions:
                stack.append((parent, children, i + 1))
                stack.append((op, _nested(op, blocks_of), 0))
                descended = True
                break
            leave[op] = clock
        if not descended:
            clock += 1
            leave[parent] = clock
    return found


def _nested(op: Operation, blocks_of: Callable[[Region], Iterable[Block]]) -> list[Operation]:
    if len(op.regions) == 1 and op.regions[0].has_one_block:
        return op.regions[0].entry.ops
    return [
        inner
        for region in op.regions
        if not region.is_empty
        for block in (region if region.has_one_block else blocks_of(region))
        for inner in block
    ]


def is_graph_region(region: Region) -> bool:
    """Whether operations of the region have no order (a declared graph region)."""
    return region.parent_op is not None and region.parent_op.has_trait(tr.GRAPH_REGION)


def arguments(region: Region) -> Iterable[BlockArgument]:
    """All block arguments of a region."""
    for block in region:
        yield from block.args
