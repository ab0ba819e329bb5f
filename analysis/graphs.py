"""Control-flow graphs of blocks and of regions, with the values that their edges forward.

    block_graph(region)   nodes: blocks        edges: from terminators to their successors
    region_graph(op)      nodes: regions, op   edges: where control may go from one to the other

All control-flow analyses start from these graphs. Between two nodes there may be several parallel edges, each with
its forwarded operands. `digraph` is the same as a networkx digraph, with nodes in textual order and edges in
successor order, so that printed graphs are reproducible. In a region graph the operation itself stands for
"outside": control enters from it and leaves to it.

A region caches its block graph, and with it the dominator trees, until a block or a branch changes. `block_graph`
checks that by comparing all blocks, so ask once and keep the answer. A single block is a graph without edges and
needs no networkx import.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ..ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ..ir.program.dominance import VIRTUAL_EXIT, DominatorTree, VirtualExit, post_dominator_tree
from ..ir.program.interfaces import (
    BranchOp,
    Condition,
    RegionBranchOp,
    RegionSuccessor,
    forwarded as forwarded,
    leaves_region as leaves_region,
    region_exits as region_exits,
)
from ..ir.source import far_ancestor
from ..ir.source.diagnostics import expect
from ..ir.source.reading import collection_paused
from ..ir.source.records import record

if TYPE_CHECKING:
    import networkx as nx


N = TypeVar("N", bound=Hashable)


@record(eq=False, repr=False)
class BranchSuccessor:
    """The CFG edge from a terminator to one of its successors.

    Attributes:
        op: the terminator.
        index: the number of the successor.
    """

    op: Operation
    index: int

    @property
    def target(self) -> Block:
        """The block that the edge leads to."""
        return self.op.successors[self.index]

    def pairs(self) -> list[tuple[OpOperand, Value]]:
        """Each forwarded operand with its block argument; empty if the terminator does not implement `BranchOp`."""
        if not isinstance(self.op, BranchOp):
            return []
        arguments = self.target.args[self.op.produced_operand_count(self.index) :]
        return list(zip(self.op.successor_operands(self.index), arguments, strict=False))

    @property
    def condition(self) -> Condition | None:
        """The condition under which control takes the edge; None if it is unconditional or unknown."""
        return self.op.successor_condition(self.index) if isinstance(self.op, BranchOp) else None


@record(eq=False, repr=False)
class RegionEdge:
    """An edge into a region, between regions, or out.

    Attributes:
        op: the operation with the regions, for an entry edge; else a terminator of the source region.
        source: the region that control leaves; None for an entry edge.
        successor: the target, with the values that receive the forwarded operands.
        index: the number of the successor.
    """

    op: Operation
    source: Region | None
    successor: RegionSuccessor
    index: int

    @property
    def target(self) -> Region | None:
        """The region entered; None for the end of the operation."""
        return self.successor.region

    def pairs(self) -> list[tuple[OpOperand, Value]]:
        """Each forwarded operand with the argument or result that receives it."""
        if self.source is None:
            assert isinstance(self.op, RegionBranchOp)
            passed = self.op.entry_successor_operands(self.successor)
        else:
            passed = forwarded(self.op, self.successor)
        return list(zip(passed, self.successor.inputs, strict=False))

    @property
    def condition(self) -> Condition | None:
        """The condition under which control takes this entry edge; None for other edges, or if it is unconditional
        or unknown."""
        if self.source is None and isinstance(self.op, RegionBranchOp):
            return self.op.entry_condition(self.index)
        return None


class BlockGraph:
    """The control-flow graph of one region, with its derived trees and orders.

    Iteration yields the blocks in textual order. Building takes O(blocks + edges); dominator trees and the like are
    built when first asked for.

    Attributes:
        region: the region of the blocks.
    """

    def __init__(self, region: Region) -> None:
        self.region = region
        self._made_of = [(block, block.last_op, block.successors) for block in region]
        self.flow: object = None
        """The cached graph of program points; `dataflow.graph` fills and validates it."""

    def is_current(self) -> bool:
        """Whether blocks and branches are unchanged since the graph was built. O(blocks)."""
        block: Block | None = self.region.first_block
        for known, last, successors in self._made_of:
            if block is not known or known.last_op is not last or known.successors is not successors:
                return False
            block = known.next_block
        return block is None

    @cached_property
    @collection_paused()
    def digraph(self) -> nx.DiGraph[Block]:
        """As a networkx digraph; `graph["entry"]` is the entry block, and each edge has `edges`, a tuple of
        `BranchSuccessor`."""
        import networkx as nx

        graph: nx.DiGraph[Block] = nx.DiGraph(entry=self.region.first_block)
        graph.add_nodes_from(self)
        graph.add_edges_from(self._edges())
        return graph

    @cached_property
    def _targets(self) -> dict[Block, tuple[Block, ...]]:
        """The successors of each block, without networkx, whose import takes longer than most analyses."""
        return {block: tuple(dict.fromkeys(successors)) for block, _, successors in self._made_of}

    @cached_property
    def _sources(self) -> dict[Block, list[Block]]:
        found: dict[Block, list[Block]] = {}
        for block, targets in self._targets.items():
            for target in targets:
                found.setdefault(target, []).append(block)
        return found

    def _edges(self) -> Iterator[tuple[Block, Block, dict[str, tuple[BranchSuccessor, ...]]]]:
        for block, terminator, successors in self._made_of:
            if terminator is None or not successors:
                continue
            edges: dict[Block, tuple[BranchSuccessor, ...]] = {}
            for index, successor in enumerate(successors):
                edges[successor] = (*edges.get(successor, ()), BranchSuccessor(terminator, index))
            for successor, ways in edges.items():
                yield block, successor, {"edges": ways}

    @property
    def is_trivial(self) -> bool:
        """Whether there are no edges: at most one block, without successors."""
        return len(self._made_of) <= 1 and not any(successors for _, _, successors in self._made_of)

    @property
    def entry(self) -> Block:
        """The entry block."""
        return self.region.entry

    def __iter__(self) -> Iterator[Block]:
        return (block for block, _, _ in self._made_of)

    def __len__(self) -> int:
        return len(self._made_of)

    def successors(self, block: Block) -> Iterable[Block]:
        """The successors of `block`, each once, in order."""
        return self._targets[block]

    def predecessors(self, block: Block) -> Iterable[Block]:
        """The predecessors of `block`, each once, in textual order."""
        return self._sources.get(block, ())

    def edges(self) -> Iterator[tuple[Block, BranchSuccessor]]:
        """Every CFG edge with its source block, in textual order."""
        for block, _, ways in self._edges():
            for edge in ways["edges"]:
                yield block, edge

    @cached_property
    def reachable(self) -> list[Block]:
        """The blocks reachable from the entry, in depth-first preorder: dominators before the blocks they
        dominate."""
        if self.is_trivial:
            return list(self)
        order: dict[Block, None] = {}
        waiting = [self.entry]
        while waiting:
            block = waiting.pop()
            if block not in order:
                order[block] = None
                waiting.extend(reversed(self._targets[block]))
        return list(order)

    @cached_property
    def dominators(self) -> DominatorTree[Block]:
        """The dominator tree of the blocks reachable from the entry."""
        return DominatorTree(self.entry, self.successors)

    @cached_property
    def post_dominators(self) -> DominatorTree[Block | VirtualExit]:
        """The post-dominator tree of the blocks that can reach an exit."""
        return post_dominator_tree(self, self.successors)

    @cached_property
    def retreating(self) -> set[tuple[Block, Block]]:
        """The edges to a block on the current path of a depth-first walk; unreachable blocks are walked last.

        Every cycle has at least one of them.
        """
        found: set[tuple[Block, Block]] = set()
        if self.is_trivial:
            return found
        seen: set[Block] = set()
        for start in self:
            if start in seen:
                continue
            seen.add(start)
            active = {start}
            walk = [(start, iter(self.successors(start)))]
            while walk:
                block, rest = walk[-1]
                following = next(rest, None)
                if following is None:
                    active.discard(block)
                    walk.pop()
                elif following in active:
                    found.add((block, following))
                elif following not in seen:
                    seen.add(following)
                    active.add(following)
                    walk.append((following, iter(self.successors(following))))
        return found

    @property
    def has_cycle(self) -> bool:
        """Whether some reachable block lies on a cycle of branches."""
        return any(self.dominators.is_reachable(source) for source, _ in self.retreating)


def block_graph(region: Region) -> BlockGraph:
    """The CFG of `region`, cached until a block or a branch changes. O(blocks)."""
    known = region.graph
    if isinstance(known, BlockGraph) and known.is_current():
        return known
    made = region.graph = BlockGraph(region)
    return made


class RegionGraph:
    """The regions of one operation and the edges between them.

    Attributes:
        op: the operation; in the digraph it stands for outside.
    """

    def __init__(self, op: Operation) -> None:
        self.op = op

    def edges(self) -> Iterator[RegionEdge]:
        """Every entry edge, then the edges out of each region by its terminators. Empty without `RegionBranchOp`."""
        if not isinstance(self.op, RegionBranchOp):
            return
        for index, successor in enumerate(self.op.region_successors(None)):
            yield RegionEdge(self.op, None, successor, index)
        for region in self.op.regions:
            successors = self.op.region_successors(region)
            for terminator in region_exits(region):
                for index, successor in enumerate(successors):
                    yield RegionEdge(terminator, region, successor, index)

    @cached_property
    def digraph(self) -> nx.DiGraph[Region | Operation]:
        """As a networkx digraph; `graph["entry"]` is the operation, and each edge has `edges`, a tuple of
        `RegionEdge`.

        Without `RegionBranchOp`, any region may run first or after any other, including itself: O(regions^2) edges;
        otherwise O(regions + edges). A region without a terminator that leaves it has the successors that its
        operation declares, with empty `edges`.
        """
        import networkx as nx

        op = self.op
        graph: nx.DiGraph[Region | Operation] = nx.DiGraph(entry=op)
        graph.add_node(op)
        graph.add_nodes_from(op.regions)
        if not isinstance(op, RegionBranchOp):
            everywhere = [op, *op.regions]
            graph.add_edges_from(((a, b) for a in everywhere for b in everywhere), edges=())
            return graph
        for source in (None, *op.regions):
            for successor in op.region_successors(source):
                graph.add_edge(source or op, successor.region or op, edges=())
        for edge in self.edges():
            graph.edges[edge.source or op, edge.target or op]["edges"] += (edge,)
        return graph


def region_graph(op: Operation) -> RegionGraph:
    """The edges between `op` and its regions. O(1): queries read the program."""
    return RegionGraph(op)


def passed_pairs(op: Operation) -> Sequence[tuple[OpOperand, Value]]:
    """The operands that `op` forwards by control flow, each with the block argument, region argument or result
    that receives it, including the operands of its regions' terminators. O(operands)."""
    if isinstance(op, BranchOp):
        return [pair for i in range(len(op.successors)) for pair in BranchSuccessor(op, i).pairs()]
    return [pair for edge in RegionGraph(op).edges() for pair in edge.pairs()]


def reverse_postorder(starts: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[N]:
    """The nodes reachable from `starts`, in reverse postorder of a depth-first walk from each start in turn.

    A node comes before its successors unless the edge closes a cycle. Nodes reachable from an earlier start come
    before those that only a later one reaches, as far as the edges allow. O(nodes + edges), iterative.
    """
    seen: set[N] = set()
    postorder: list[N] = []
    for start in reversed(list(dict.fromkeys(starts))):
        if start in seen:
            continue
        seen.add(start)
        walk = [(start, iter(successors(start)))]
        while walk:
            node, rest = walk[-1]
            for following in rest:
                if following not in seen:
                    seen.add(following)
                    walk.append((following, iter(successors(following))))
                    break
            else:
                postorder.append(node)
                walk.pop()
    postorder.reverse()
    return postorder


def order_from(starts: Iterable[N], nodes: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[N]:
    """The nodes reachable from `starts` in reverse postorder, then the remaining nodes likewise. O(nodes + edges)."""
    order = reverse_postorder(starts, successors)
    known = set(order)
    rest = [node for node in nodes if node not in known]
    return order + [node for node in reverse_postorder(rest, successors) if node not in known]


# Control flow through nested blocks: inside-out walks, and loops formed by branches. All walks use explicit stacks and
# visit a block once, so neither nesting depth nor the length of branch chains is limited by recursion.


def blocks_inside_out(root: Operation) -> Iterator[Block]:
    """The reachable blocks of all regions inside `root`; nested blocks before the block that contains them.

    Within a region dominators come first. The operations of the block last yielded may be changed; control flow may
    not.
    """
    stack: list[tuple[Block | None, Iterator[Block]]] = [(None, _nested(root))]
    while stack:
        around, inner = stack[-1]
        block = next(inner, None)
        if block is not None:
            stack.append((block, _nested_in_block(block)))
            continue
        stack.pop()
        if around is not None:
            yield around


def _nested(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        yield from block_graph(region).reachable


def _nested_in_block(block: Block) -> Iterator[Block]:
    for op in block:
        if op.regions:
            yield from _nested(op)


def has_unstructured_loop(root: Operation) -> bool:
    """Whether branches form a loop in any reachable region inside `root`. O(operations + edges)."""
    regions = list(root.regions)
    while regions:
        region = regions.pop()
        graph = block_graph(region)
        if graph.has_cycle:
            return True
        for block in graph.reachable:
            for op in block:
                regions.extend(op.regions)
    return False


def entry_successor(op: RegionBranchOp) -> RegionSuccessor:
    """The first of the regions, or the end, where control may go from the start of `op`."""
    return op.region_successors(None)[0]


# -- Dominance and post-dominance across regions: one tree over all blocks inside an operation.
#
# The parent of a block is its immediate (post-)dominator in its region or, without one there, the block that holds
# the operation around the region. So `a` is above `b` if `a` (post-)dominates `b` or the ancestor of `b` in `a`'s
# region, which is MLIR's definition for blocks of different regions. The lowest node above two blocks is where a
# value needed in both can be computed (or freed).
#
# A region with several exits, none of which post-dominates the others, has a node without a block above them.


class BlockTree:
    """The (post-)dominator tree of all blocks inside `root`.

    Building costs the dominator trees plus O(blocks). `is_above` is O(1), `lowest_above` O(log depth). The tree
    omits unreachable blocks and, for post-dominance, blocks from which no exit is reachable.
    """

    def __init__(self, root: Operation, post: bool = False) -> None:
        self._number: dict[Block, int] = {}
        self._blocks: list[Block | None] = []
        self._parents: list[int] = []
        self._jumps: list[int] = []
        """For each node an ancestor to jump to; see `far_ancestor`."""
        self._depths: list[int] = []
        self._last: list[int] = []
        """For each node the greatest number among its descendants."""
        self._build(root, post)

    def __contains__(self, block: object) -> bool:
        return block in self._number

    def is_above(self, a: Block, b: Block) -> bool:
        """Whether `a` is `b` or an ancestor of it. False if one of them is not in the tree."""
        i, j = self._number.get(a), self._number.get(b)
        return i is not None and j is not None and i <= j <= self._last[i]

    def is_properly_above(self, a: Block, b: Block) -> bool:
        return a is not b and self.is_above(a, b)

    def number(self, block: Block) -> int | None:
        """The preorder number of `block`; None if it is not in the tree."""
        return self._number.get(block)

    def lowest_above(self, least: int, greatest: int) -> Block | None:
        """The lowest block at or above all blocks of a set, from the least and the greatest number in the set.

        None if that node has no block, or if there is none.
        """
        node = least
        while not node <= greatest <= self._last[node]:
            jump = self._jumps[node]
            # jump while that does not overshoot the answer
            if jump != node and not jump <= greatest <= self._last[jump]:
                node = jump
            elif self._parents[node] == node:
                return None
            else:
                node = self._parents[node]
        return self._blocks[node]

    def lowest_above_all(self, blocks: Iterable[Block]) -> Block | None:
        """The lowest block at or above all of `blocks`; None if there is none."""
        numbers = [self._number.get(block) for block in blocks]
        known = [n for n in numbers if n is not None]
        if not known or len(known) != len(numbers):
            return None
        return self.lowest_above(min(known), max(known))

    def _build(self, root: Operation, post: bool) -> None:
        stack: list[tuple[int, Iterator[_Node]]] = []
        for region in root.regions:
            if region.is_empty:
                continue
            for top in _roots(region, post):
                node = self._add(top.block, None)
                stack.append((node, top.children()))
                while stack:
                    above, below = stack[-1]
                    following = next(below, None)
                    if following is None:
                        self._last[above] = len(self._blocks) - 1
                        stack.pop()
                    else:
                        stack.append((self._add(following.block, above), following.children()))

    def _add(self, block: Block | None, parent: int | None) -> int:
        node = len(self._blocks)
        self._blocks.append(block)
        if block is not None:
            self._number[block] = node
        self._last.append(node)
        if parent is None:
            self._parents.append(node)
            self._jumps.append(node)
            self._depths.append(0)
            return node
        self._parents.append(parent)
        self._depths.append(self._depths[parent] + 1)
        self._jumps.append(far_ancestor(parent, self._depths, self._jumps))
        return node


@record(eq=False, repr=False)
class _Node:
    """A block, or the common exit of a region, with its children."""

    block: Block | None
    tree: DominatorTree[Block] | DominatorTree[Block | VirtualExit] | None
    post: bool

    def children(self) -> Iterator[_Node]:
        if self.tree is not None:
            for child in self.tree.children(VIRTUAL_EXIT if self.block is None else self.block):  # pyright: ignore[reportArgumentType]
                assert isinstance(child, Block)
                yield _Node(child, self.tree, self.post)
        for op in self.block or ():
            for region in op.regions:
                if not region.is_empty:
                    yield from _roots(region, self.post)


def _roots(region: Region, post: bool) -> list[_Node]:
    """The roots of the tree of one region."""
    entry = region.entry
    if region.has_one_block:
        return [_Node(entry, None, post)]
    if not post:
        return [_Node(entry, block_graph(region).dominators, post)]
    tree = block_graph(region).post_dominators
    exits = tree.children(VIRTUAL_EXIT)
    if len(exits) == 1:
        only = expect(Block, exits[0])
        return [_Node(only, tree, post)]
    return [_Node(None, tree, post)]


def comes_before(op: Operation, other: Operation) -> bool:
    """Whether `op` dominates `other`, possibly across regions. O(depth)."""
    region = op.parent_region
    inside = other.ancestor_in_region(region)
    if inside is None or inside is op or op.block is None or inside.block is None or region is None:
        return False
    if inside.block is op.block:
        return op.is_before_in_block(inside)
    return block_graph(region).dominators.dominates(op.block, inside.block)


def is_defined_at(value: Value, place: Operation) -> bool:
    """Whether an operation at `place` may use `value`. O(depth)."""
    if isinstance(value, OpResult):
        return comes_before(value.owner, place)
    block = expect(BlockArgument, value).owner
    inside = place.ancestor_in_region(block.region)
    if inside is None or inside.block is None or block.region is None:
        return False
    return inside.block is block or block_graph(block.region).dominators.dominates(block, inside.block)
