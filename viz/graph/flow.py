"""Control flow between the blocks of a region, as a picture of it needs it: edges in words, and loops.

A loop is natural if its back edges lead to a block that dominates their sources; its body is what reaches them without
passing that block. A cycle that can be entered in several places has no such block and is not called a loop: its
retreating edges are marked all the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...analysis.graphs import BranchPassage, block_graph
from ...ir.program.core import Block, OpOperand, Region, Value
from ...ir.program.dominance import DominatorTree


@dataclass(frozen=True, slots=True)
class BlockEdge:
    """One way from a block to another.

    Attributes:
        condition: the operand that decides and, in words, what it must be; None and "" if there is no choice.
        passed: pairs of a block argument and the operand it receives (None if the branch produces the value).
        goes_back: whether it closes a cycle, in the order of a depth-first walk.
    """

    source: Block
    target: Block
    decides: Value | None
    condition: str
    passed: tuple[tuple[Value, OpOperand | None], ...]
    goes_back: bool


@dataclass(slots=True)
class Loop:
    """A natural loop: its header, its blocks (those of inner loops too), and the loop around it."""

    header: Block
    blocks: set[Block]
    parent: Loop | None = None


@dataclass(slots=True)
class Flow:
    """The blocks of a region in textual order, the edges between them, and its loops, outer ones first."""

    region: Region
    blocks: list[Block]
    edges: list[BlockEdge]
    dominators: DominatorTree[Block]
    loops: list[Loop] = field(default_factory=list)

    def innermost_loops(self) -> dict[Block, Loop]:
        """The innermost loop around each block that is in one."""
        return {block: loop for loop in self.loops for block in loop.blocks}


def control_flow(region: Region) -> Flow:
    """The control flow of a region that is not empty. O(blocks + edges), and for loops their size times their depth."""
    graph = block_graph(region)
    dominators = graph.dominators
    edges: list[BlockEdge] = []
    latches: dict[Block, list[Block]] = {}
    for block, passage in graph.passages():
        target = passage.target
        if dominators.dominates(target, block):
            latches.setdefault(target, []).append(block)
        edges.append(_edge(block, passage, (block, target) in graph.retreating))
    flow = Flow(region, list(graph), edges, dominators)
    flow.loops = _loops(flow, latches)
    return flow


def _edge(block: Block, passage: BranchPassage, back: bool) -> BlockEdge:
    received = {value: use for use, value in passage.pairs()}
    passed = tuple((arg, received.get(arg)) for arg in passage.target.args)
    decides, words = None, ""
    if len(passage.op.successors) > 1:
        condition = passage.condition
        words = f"successor {passage.index}" if condition is None else condition.wanted
        decides = None if condition is None else condition.value
    return BlockEdge(block, passage.target, decides, words, passed, back)


def _loops(flow: Flow, latches: dict[Block, list[Block]]) -> list[Loop]:
    predecessors: dict[Block, list[Block]] = {}
    for edge in flow.edges:
        predecessors.setdefault(edge.target, []).append(edge.source)
    loops: list[Loop] = []
    for header, sources in latches.items():
        body = {header}
        pending = list(sources)
        while pending:
            block = pending.pop()
            if block not in body and flow.dominators.is_reachable(block):
                body.add(block)
                pending.extend(predecessors.get(block, ()))
        loops.append(Loop(header, body))
    loops.sort(key=lambda loop: -len(loop.blocks))
    around: dict[Block, Loop] = {}
    for loop in loops:  # an inner loop comes after those around it and takes its header over
        loop.parent = around.get(loop.header)
        for block in loop.blocks:
            around[block] = loop
    return loops
