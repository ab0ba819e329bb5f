"""Order, repetition and mutual exclusion of operations, from the region structure.

* `happens_before(a, b)`: every execution of `b` comes after one of `a`: `a`, or something around it, properly
  dominates `b`, and `b` is not inside it.
* A region is *repetitive* if it may run more than once each time its operation runs, *parallel* if several of these
  runs may be under way at once. Which regions are, is asked of whoever makes a `ProgramOrder`.
* Two operations are *mutually exclusive* if they are in different regions of one operation and no execution of it
  runs both.
* An operation has *exclusive regions* if one execution of it runs at most one of its regions.

Operations are numbered once, entering and leaving each in textual order, so that "inside" and "textually before" are
comparisons; what the numbers leave open is asked of what is around (ancestors, below) or of a dominator tree. The program
must not change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from ..ir.program import traits as tr
from ..ir.program.core import Block, BlockArgument, Operation, Region, Value
from ..ir.program.dominance import DominatorTree
from ..ir.program.interfaces import RegionBranchOp
from ..ir.source.union_find import far_ancestor
from .graphs import BlockGraph, block_graph
from .positions import Positions, number

if TYPE_CHECKING:
    from .block_order import BlockOrder


# What is around something, however deep it stands, without passing everything in between.
#
# Every node of a tree keeps one far ancestor beside its parent (`far_ancestor`), so that any is O(log depth) steps away.

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


RegionTest = Callable[[Region], bool]


def _never(region: Region) -> bool:
    return False


class ProgramOrder:
    """The order of the operations inside `root`.

    Numbering takes time linear in the program. `encloses` is O(1), `happens_before`, `mutually_exclusive` and
    `repeated_since` are logarithmic in the depth of nesting.

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
        """Positions in an order near that of execution, chosen such that what cannot come between is not between.

        It is that of the text, but blocks come as in `BlockOrder`, and of exclusive regions the largest comes first:
        however deep these are nested, of those around an operation only O(log n) have it in another region.
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
        """Whether what a value is made of always comes before it in the text: no region of values has several blocks, or has no order."""
        regions = (region for op in self.enter for region in op.regions if not region.is_empty)
        return all(
            region.has_one_block
            and not (self._is_unordered(region) and any(op.results for op in region.ops()))
            for region in regions
        )

    def regions_in_order(self, op: Operation) -> list[Region]:
        """The regions of an operation that are not empty, in the order of `positions`. O(regions log regions), once."""
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
        if a.parent_op is b.parent_op:
            return a, b
        x, y = self.outermost_without(a, b), self.outermost_without(b, a)
        assert x is not None
        assert y is not None
        return x, y

    def outermost_without(self, op: Operation, other: Operation) -> Operation | None:
        """The outermost of `op` and the operations around it that do not enclose `other`. O(log depth)."""
        return self._around.outermost(op, lambda around: not self.encloses(around, other))

    def ancestor_in_region(self, op: Operation, region: Region | None) -> Operation | None:
        """What is directly in `region`: `op` or an operation around it; None if it is not in `region`. O(log depth)."""
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
        """Whether every path to `b` passes `a`, blocks of one region; all dominate an unreachable block, as in MLIR."""
        if a is b:
            return False
        assert a.region is not None
        tree = self.dominators(a.region)
        return not tree.is_reachable(b) or tree.dominates(a, b)

    def dominators(self, region: Region) -> DominatorTree[Block]:
        """The dominator tree of the blocks of a region; made on first use, O(blocks + edges)."""
        return self.graph(region).dominators

    def graph(self, region: Region) -> BlockGraph:
        """The graph of the blocks of a region."""
        graph = self._graphs.get(region)
        if graph is None:
            graph = self._graphs[region] = block_graph(region)
        return graph

    # -- blocks -----------------------------------------------------------------------------------------

    def block_order(self, region: Region) -> BlockOrder:
        """The order of the blocks of a region; made on first use, near-linear."""
        order = self._block_orders.get(region)
        if order is None:
            from .block_order import BlockOrder  # most programs have regions of one block only

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
        """Whether control may get from `a` to `b` and back to `a` without entering `avoiding`."""
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
        """Whether control may get from the end of `source` to the start of `target` without entering `avoiding`.

        A block reaches itself only through a cycle. O(blocks + edges); plainly, for irreducible loops and tests. Where
        `avoiding` dominates `target`, only what it dominates needs to be looked at: `order` tells that.
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
        """The closest repetitive region at or around `region`. Amortised O(1)."""
        return closest(region, self._repetitive, self._is_repetitive)

    def parallel_region(self, region: Region | None) -> Region | None:
        """The closest parallel region at or around `region`. Amortised O(1)."""
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
        """Whether each execution of `op` runs at most one of its regions, and that at most once. O(regions), once."""
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
    """Whether operations of the region have no order (a declared graph region)."""
    return region.parent_op is not None and region.parent_op.has_trait(tr.GRAPH_REGION)


def arguments(region: Region) -> Iterable[BlockArgument]:
    """All block arguments of a region."""
    for block in region:
        yield from block.args
