"""Order, repetition and mutual exclusion of operations, from the region structure.

* `happens_before(a, b)`: every execution of `b` comes after one of `a`: `a`, or something around it, properly
  dominates `b`, and `b` is not inside it.
* A region is *repetitive* if it may run more than once per execution of its operation, *parallel* if these runs may be
  concurrent. The caller of `ProgramOrder` decides which regions are.
* Two operations are *mutually exclusive* if they are in different regions of one operation and no execution of it
  runs both.
* An operation has *exclusive regions* if one execution of it runs at most one of its regions.

Operations are numbered once, on entry and exit in textual order, so that "inside" and "textually before" are comparisons; other
queries use ancestors or a dominator tree. The program must not change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from ..ir.program import traits as tr
from ..ir.program.core import Block, BlockArgument, Operation, Region, Value
from ..ir.program.dominance import DominatorTree
from ..ir.program.interfaces import RegionBranchOp
from ..ir.source import far_ancestor
from .graphs import BlockGraph, block_graph
from .positions import Positions, number

if TYPE_CHECKING:
    from .block_order import BlockOrder


# Ancestors in O(log depth): every node of a tree stores one far ancestor besides its parent (`far_ancestor`).

N = TypeVar("N", bound=Hashable)


class Ancestry(Generic[N]):
    """The nodes of a tree, given by their parents; visited lazily, each once."""

    def __init__(self, parent: Callable[[N], N | None]) -> None:
        """`parent` returns the parent of a node, None for a root, and must be stable."""
        self._parent = parent
        self._depth: dict[N, int] = {}
        self._far: dict[N, N] = {}

    def depth(self, node: N) -> int:
        """The number of proper ancestors. Amortised O(1)."""
        depth = self._depth
        if node not in depth:
            self._add(node)
        return depth[node]

    def outermost(self, node: N, holds: Callable[[N], bool]) -> N | None:
        """The outermost of `node` and its ancestors that satisfies `holds`; None if `node` does not.

        If a node does not satisfy it, its ancestors must not either. O(log depth) calls.
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
    """The innermost region at or around `region` that passes the test; None if there is none.

    `known` caches answers; initially it maps None to None. Amortised O(1).
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


RegionTest = Callable[[Region], bool]


def _never(region: Region) -> bool:
    return False


class ProgramOrder:
    """The order of the operations inside `root`.

    Numbering takes time linear in the program. `encloses` is O(1), `happens_before`, `mutually_exclusive` and
    `repeated_since` are logarithmic in the depth of nesting.

    Attributes:
        root: the outermost operation, numbered as well.
        enter, leave: for each operation, its entry and exit number in a walk in textual order.
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
            unordered: the regions in which every operation is assumed to precede every other one, and itself (as mlir-opt
                assumes for graph regions, and those of unknown operations).
        """
        self.root = root
        self._is_repetitive = is_repetitive
        self._is_parallel = is_parallel
        self._unordered = unordered
        self._repetitive: dict[Region | None, Region | None] = {None: None}
        self._parallel: dict[Region | None, Region | None] = {None: None}
        self._graphs: dict[Region, BlockGraph] = {}
        self._reachable: dict[tuple[Region, Region], bool] = {}
        self._block_orders: dict[Region, BlockOrder] = {}
        self._with_exclusive_regions: dict[Operation, bool] = {}
        self._regions_in_order: dict[Operation, list[Region]] = {}
        self._around: Ancestry[Operation] = Ancestry(lambda op: None if op is root else op.parent_op)
        self._loops: Ancestry[Region] = Ancestry(lambda region: self.repetitive_region(region.parent_region))
        self.enter, self.leave = number(root)

    @cached_property
    def positions(self) -> Positions:
        """Positions close to the execution order, for range queries.

        Textual order, except that blocks are ordered as in `BlockOrder`, and the largest of exclusive regions comes first: at
        any nesting depth, only O(log n) of those around an operation have it in a later region.
        """
        for op in self.enter:
            for region in op.regions:
                if not region.is_empty and not region.has_one_block:
                    return number(self.root, self._blocks_in_order, self.regions_in_order)
            if len(op.regions) > 1 and self.regions_in_order(op) != list(op.regions):
                return number(self.root, self._blocks_in_order, self.regions_in_order)
        return Positions(self.enter, self.leave)

    @cached_property
    def follows_text(self) -> bool:
        """Whether definitions precede uses textually: no region has several blocks or is unordered."""
        regions = (region for op in self.enter for region in op.regions if not region.is_empty)
        return all(
            region.has_one_block
            and not (self._is_unordered(region) and any(op.results for op in region.ops()))
            for region in regions
        )

    def regions_in_order(self, op: Operation) -> list[Region]:
        """The non-empty regions of an operation, in the order of `positions`. Cached; O(regions log regions)."""
        known = self._regions_in_order.get(op)
        if known is None:
            known = [region for region in op.regions if not region.is_empty]
            if len(known) > 1 and self.has_exclusive_regions(op):
                known.sort(key=self._size, reverse=True)
            self._regions_in_order[op] = known
        return known

    def _size(self, region: Region) -> int:
        ends = [op for block in region for op in (block.first_op, block.last_op) if op is not None]
        return self.leave[ends[-1]] - self.enter[ends[0]] if ends else 0

    def _blocks_in_order(self, region: Region) -> list[Block]:
        order = self.block_order(region)
        return order.blocks + [block for block in region if block not in order.rank]

    # -- inside and before ----------------------------------------------------------------------------

    def encloses(self, outer: Operation, inner: Operation) -> bool:
        """Whether `inner` is `outer` or inside it."""
        enter, leave = self.enter, self.leave
        return enter[outer] <= enter[inner] and leave[inner] <= leave[outer]

    def happens_before(self, a: Operation, b: Operation) -> bool:
        """Whether `a`, or an ancestor of it that does not enclose `b`, properly dominates `b`."""
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
        """The ancestors of `a` and `b` directly inside their innermost common ancestor."""
        if a.parent_op is b.parent_op:
            return a, b
        x, y = self.outermost_without(a, b), self.outermost_without(b, a)
        assert x is not None
        assert y is not None
        return x, y

    def outermost_without(self, op: Operation, other: Operation) -> Operation | None:
        """The outermost of `op` and its ancestors that does not enclose `other`. O(log depth)."""
        return self._around.outermost(op, lambda around: not self.encloses(around, other))

    def ancestor_in_region(self, op: Operation, region: Region | None) -> Operation | None:
        """The ancestor of `op` (or `op`) directly in `region`; None if it is not in `region`. O(log depth)."""
        if op.parent_region is region:
            return op
        home = None if region is None else region.parent_op
        if home is None or op is home or not self.encloses(home, op):
            return None
        found = self._around.outermost(op, lambda inner: inner is not home and self.encloses(home, inner))
        return found if found is not None and found.parent_region is region else None

    def _is_unordered(self, region: Region | None) -> bool:
        return region is not None and self._unordered(region)

    def block_properly_dominates(self, a: Block, b: Block) -> bool:
        """Whether `a` properly dominates `b`, blocks of one region; an unreachable block is dominated by all, as in MLIR."""
        if a is b:
            return False
        assert a.region is not None
        tree = self.dominators(a.region)
        return not tree.is_reachable(b) or tree.dominates(a, b)

    def dominators(self, region: Region) -> DominatorTree[Block]:
        """The dominator tree of the blocks of a region. Cached; O(blocks + edges)."""
        return self.graph(region).dominators

    def graph(self, region: Region) -> BlockGraph:
        """The control-flow graph of a region."""
        graph = self._graphs.get(region)
        if graph is None:
            graph = self._graphs[region] = block_graph(region)
        return graph

    # -- blocks -----------------------------------------------------------------------------------------

    def block_order(self, region: Region) -> BlockOrder:
        """The order of the blocks of a region. Cached; near-linear."""
        order = self._block_orders.get(region)
        if order is None:
            from .block_order import BlockOrder  # imported lazily, as most regions have one block

            order = self._block_orders[region] = BlockOrder(self.graph(region))
        return order

    def on_path(self, start: Block, through: Block, end: Block) -> bool:
        """Whether control may enter `start`, then `through`, then `end`, without entering `start` again.

        `through` may be `start`, and `end` may be `through`.
        """
        assert start.region is not None
        order = self.block_order(start.region)
        rank = order.rank
        if start in rank and end in rank and order.dominates(start, end):
            if through not in rank or not order.on_path(start, through, end):
                return False
            if order.is_exact(start):
                return True
            return through is end or self.reaches(through, end, start, order)
        if through is not start and not self.reaches(start, through):
            return False
        return through is end or self.reaches(through, end, start)

    def on_common_cycle(self, a: Block, b: Block, avoiding: Block | None) -> bool:
        """Whether `a` and `b` are on a cycle that does not enter `avoiding`."""
        if a.region is None or a.region is not b.region or a.region.has_one_block:
            return False
        order = self.block_order(a.region)
        if avoiding is not None and avoiding.region is not a.region:
            avoiding = None
        known = a in order.rank and b in order.rank
        if known and (avoiding is None or (avoiding in order.rank and order.dominates(avoiding, a))):
            if not order.on_common_cycle(a, b, avoiding):
                return False
            if order.is_exact(avoiding):
                return True
            return self.reaches(a, b, avoiding, order) and self.reaches(b, a, avoiding, order)
        return self.reaches(a, b, avoiding) and self.reaches(b, a, avoiding)

    def reaches(
        self, source: Block, target: Block, avoiding: Block | None = None, order: BlockOrder | None = None
    ) -> bool:
        """Whether `target` is reachable from the end of `source` without entering `avoiding`.

        A block reaches itself only through a cycle. O(blocks + edges), for irreducible loops and tests. If `avoiding` dominates
        `target`, `order` limits the search to the blocks that it dominates.
        """
        if target is avoiding or source.region is None:
            return False
        successors = self.graph(source.region).successors
        seen = {avoiding}
        waiting = list(successors(source))
        while waiting:
            block = waiting.pop()
            if block is target:
                return True
            if block not in seen and (order is None or avoiding is None or order.dominates(avoiding, block)):
                seen.add(block)
                waiting.extend(successors(block))
        return False

    # -- repetition -------------------------------------------------------------------------------------

    def repetitive_region(self, region: Region | None) -> Region | None:
        """The innermost repetitive region at or around `region`. Amortised O(1)."""
        return closest(region, self._repetitive, self._is_repetitive)

    def parallel_region(self, region: Region | None) -> Region | None:
        """The innermost parallel region at or around `region`. Amortised O(1)."""
        return closest(region, self._parallel, self._is_parallel)

    def repeated_since(self, op: Operation, value: Value) -> Operation | None:
        """The outermost operation that repeats `op` without repeating the definition of `value`.

        None if both are in the same repetitive region. `value` must be defined where `op` can use it.
        """
        home = region_of(value)
        inner, outer = self.repetitive_region(op.parent_region), self.repetitive_region(home)
        if inner is None or inner is outer:
            return None
        limit = -1 if outer is None else self._loops.depth(outer)
        found = self._loops.outermost(inner, lambda region: self._loops.depth(region) > limit)
        if found is None or self.repetitive_region(found.parent_region) is not outer:
            return None
        return found.parent_op

    # -- exclusion --------------------------------------------------------------------------------------

    def mutually_exclusive(self, a: Operation, b: Operation) -> bool:
        """Whether no execution of the innermost region-branch operation around both runs both."""
        if self.encloses(a, b) or self.encloses(b, a):
            return False
        x, y = self._in_common_parent(a, b)
        left, right = x.parent_region, y.parent_region
        return (
            left is not None
            and right is not None
            and left is not right
            and isinstance(left.parent_op, RegionBranchOp)
            and not self.region_reaches(left, right)
            and not self.region_reaches(right, left)
        )

    def has_exclusive_regions(self, op: Operation) -> bool:
        """Whether each execution of `op` runs at most one of its regions, at most once. Cached; O(regions)."""
        known = self._with_exclusive_regions.get(op)
        if known is None:
            known = isinstance(op, RegionBranchOp) and not any(
                successor.region is not None
                for region in op.regions
                if not region.is_empty
                for successor in op.region_successors(region)
            )
            self._with_exclusive_regions[op] = known
        return known

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


def is_graph_region(region: Region) -> bool:
    """Whether a region is declared as a graph region, whose operations have no order."""
    return region.parent_op is not None and region.parent_op.has_trait(tr.GRAPH_REGION)


def arguments(region: Region) -> Iterable[BlockArgument]:
    """All block arguments of a region."""
    for block in region:
        yield from block.args
