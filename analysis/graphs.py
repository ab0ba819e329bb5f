"""Control-flow graphs of regions, nesting of regions, and loops in them; every analysis of control flow starts here.

    block_graph(region)   nodes: blocks        edges: from terminators to their successors
    region_graph(op)      nodes: regions, op   edges: where control may go from one to the other

Each edge knows its *edges*: the ways along it, with the values that go along. `digraph` is the same as a networkx
digraph, nodes in the order of the text and edges in that of successors, so that what is printed from it is reproducible.
In a region graph the operation itself stands for "outside": control enters from it and leaves by it.

A region keeps the graph of its blocks as long as blocks and branches stay what they are: whoever asks meanwhile, pass or
picture, gets the same object, and with it the dominator trees already made. Asking compares all blocks with those the
graph was made of, so ask once and hold on to the answer. One block is a graph without edges, for which networkx is not
even imported.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ..ir.program.core import Block, Operation, OpOperand, Region, Value
from ..ir.program.dominance import DominatorTree, VirtualExit, post_dominator_tree
from ..ir.program.interfaces import (
    BranchOp,
    Condition,
    RegionBranchOp,
    RegionSuccessor,
    forwarded,
    leaves_region,
    region_exits,
)
from ..ir.source.reading import collection_paused

if TYPE_CHECKING:
    import networkx as nx


N = TypeVar("N", bound=Hashable)


class BranchSuccessor:
    """The way from the end of a block to one of the terminator's successors.

    Attributes:
        op: the terminator.
        index: which of its successors.
    """

    __slots__ = ("index", "op")

    def __init__(self, op: Operation, index: int) -> None:
        self.op = op
        self.index = index

    @property
    def target(self) -> Block:
        """Where it leads."""
        return self.op.successors[self.index]

    def pairs(self) -> list[tuple[OpOperand, Value]]:
        """What is passed: each operand with the block argument that receives it. Nothing if the operation does not say."""
        if not isinstance(self.op, BranchOp):
            return []
        arguments = self.target.args[self.op.produced_operand_count(self.index) :]
        return list(zip(self.op.successor_operands(self.index), arguments, strict=False))

    @property
    def condition(self) -> Condition | None:
        """What decides that control goes here; None if nothing does, or the operation does not say."""
        return self.op.successor_condition(self.index) if isinstance(self.op, BranchOp) else None


class RegionEdge:
    """A way into a region, from one to another, or out.

    Attributes:
        op: the operation at whose start control enters (the one with the regions), or a terminator of a region.
        source: the region that control leaves; None at the start.
        successor: where it goes, with the values that receive what is passed.
        index: which of the successors from there.
    """

    __slots__ = ("index", "op", "source", "successor")

    def __init__(self, op: Operation, source: Region | None, successor: RegionSuccessor, index: int) -> None:
        self.op = op
        self.source = source
        self.successor = successor
        self.index = index

    @property
    def target(self) -> Region | None:
        """The region entered, None for the end of the operation."""
        return self.successor.region

    def pairs(self) -> list[tuple[OpOperand, Value]]:
        """What is passed: each operand with the argument or result that receives it."""
        if self.source is None:
            assert isinstance(self.op, RegionBranchOp)
            passed = self.op.entry_successor_operands(self.successor)
        else:
            passed = forwarded(self.op, self.successor)
        return list(zip(passed, self.successor.inputs, strict=False))

    @property
    def condition(self) -> Condition | None:
        """What decides that control goes here from the start; None if nothing does, or the operation does not say."""
        if self.source is None and isinstance(self.op, RegionBranchOp):
            return self.op.entry_condition(self.index)
        return None


class BlockGraph:
    """The blocks of one region, the edges between them, and what follows from these alone; see the module.

    Iterating gives the blocks in the order of the text. The digraph takes O(blocks + edges), once; dominator trees and
    the rest are made when first asked for.

    Attributes:
        region: whose blocks.
    """

    def __init__(self, region: Region) -> None:
        self.region = region
        self._made_of = [(block, block.last_op, block.successors) for block in region]
        self.flow: object = None
        """The graph of program points below, as long as it holds; kept and checked by `dataflow.graph`."""

    def is_current(self) -> bool:
        """Whether the region still has the blocks and the branches that the graph was made of. O(blocks)."""
        block: Block | None = self.region.first_block
        for known, last, successors in self._made_of:
            if block is not known or known.last_op is not last or known.successors is not successors:
                return False
            block = known.next_block
        return block is None

    @cached_property
    @collection_paused()
    def digraph(self) -> nx.DiGraph[Block]:
        """As a networkx digraph, `graph["entry"]` its first block; an edge has `edges`, a tuple of `BranchSuccessor`."""
        import networkx as nx

        graph: nx.DiGraph[Block] = nx.DiGraph(entry=self.region.first_block)
        graph.add_nodes_from(self)
        graph.add_edges_from(self._edges())
        return graph

    @cached_property
    def _targets(self) -> dict[Block, tuple[Block, ...]]:
        """Where control goes from each block: what analyses ask for, without networkx, which takes longer to import than they run."""
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
        """Whether there is no edge: one block, or none."""
        return len(self._made_of) <= 1 and not any(successors for _, _, successors in self._made_of)

    @property
    def entry(self) -> Block:
        """The first block."""
        return self.region.entry

    def __iter__(self) -> Iterator[Block]:
        return (block for block, _, _ in self._made_of)

    def __len__(self) -> int:
        return len(self._made_of)

    def successors(self, block: Block) -> Iterable[Block]:
        """Where control may go from the end of `block`, each once, in order."""
        return self._targets[block]

    def predecessors(self, block: Block) -> Iterable[Block]:
        """From where control may come to `block`, each once, in order of the text."""
        return self._sources.get(block, ())

    def edges(self) -> Iterator[tuple[Block, BranchSuccessor]]:
        """Every way from one block to another, with the block where it begins; in order of the text."""
        for block, _, ways in self._edges():
            for edge in ways["edges"]:
                yield block, edge

    @cached_property
    def reachable(self) -> list[Block]:
        """The blocks that the entry reaches, in preorder of a depth-first walk: dominators before what they dominate."""
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
        """The dominator tree of the blocks that the entry reaches."""
        return DominatorTree(self.entry, self.successors)

    @cached_property
    def post_dominators(self) -> DominatorTree[Block | VirtualExit]:
        """The tree of post-dominators: of the blocks from which control can leave."""
        return post_dominator_tree(self, self.successors)

    @cached_property
    def retreating(self) -> set[tuple[Block, Block]]:
        """The edges that lead to a block on the current path of a depth-first walk, what is unreachable walked last.

        They close cycles: without them there is none.
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
        """Whether some block that the entry reaches can reach itself through branches."""
        return any(self.dominators.is_reachable(source) for source, _ in self.retreating)


def block_graph(region: Region) -> BlockGraph:
    """The graph of the blocks of `region`; the same object until a block or a branch changes. O(blocks)."""
    known = region.graph
    if isinstance(known, BlockGraph) and known.is_current():
        return known
    made = region.graph = BlockGraph(region)
    return made


class RegionGraph:
    """The regions of one operation and the ways between them.

    Attributes:
        op: the operation; in the digraph it stands for outside.
    """

    def __init__(self, op: Operation) -> None:
        self.op = op

    def edges(self) -> Iterator[RegionEdge]:
        """Every way in, then from each region on, by its terminators. None of an operation that does not say."""
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
        """As a networkx digraph, `graph["entry"]` the operation; an edge has `edges`, a tuple of `RegionEdge`.

        Of an operation that does not say, any region may run, again or after any other: O(regions^2) for such, else
        O(regions + edges). A region that control cannot leave has the edges that its operation promises, without edges.
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
    """The ways between `op` and its regions. O(1): what is asked of it is looked up in the program."""
    return RegionGraph(op)


def passed_pairs(op: Operation) -> Sequence[tuple[OpOperand, Value]]:
    """Whatever `op` forwards by control flow: operands with the block arguments, region arguments or results that receive
    them. For an operation with regions, what their terminators pass too. O(operands)."""
    if isinstance(op, BranchOp):
        return [pair for i in range(len(op.successors)) for pair in BranchSuccessor(op, i).pairs()]
    return [pair for edge in RegionGraph(op).edges() for pair in edge.pairs()]


def reverse_postorder(starts: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[N]:
    """The nodes that `starts` reach, in reverse postorder of a depth-first walk from each start in turn.

    A node comes before its successors unless the edge closes a cycle, and what the first start reaches comes
    before what only later ones add, so far as edges allow. O(nodes + edges), iterative.
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
    """What `starts` reach in reverse postorder, then the other nodes, likewise. O(nodes + edges)."""
    order = reverse_postorder(starts, successors)
    known = set(order)
    rest = [node for node in nodes if node not in known]
    return order + [node for node in reverse_postorder(rest, successors) if node not in known]


# How control runs through nested blocks: walks inside out, loops made of branches.
#
# Blocks are followed in the graphs of their regions. Everything keeps stacks of its own and visits a block once; the depth
# of nesting and the number of branches that follow one another do not matter.

__all__ = [
    "blocks_inside_out",
    "entry_successor",
    "forwarded",
    "has_unstructured_loop",
    "leaves_region",
    "region_exits",
]


def blocks_inside_out(root: Operation) -> Iterator[Block]:
    """The reachable blocks of all regions inside `root`; those of nested operations before the block around them.

    Within a region dominators come first. The operations of the block just given may be changed; control flow may not.
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
    """Whether branches form a loop in any region that can be reached inside `root`. O(operations + edges)."""
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
    """Where control goes first; one of several places if that depends on run time."""
    return op.region_successors(None)[0]
