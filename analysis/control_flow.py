"""How control runs through nested blocks: walks inside out, loops made of branches.

Blocks are followed in the graphs of their regions. Everything keeps stacks of its own and visits a block once; the depth
of nesting and the number of branches that follow one another do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.program.core import Block, Operation
from ..ir.program.interfaces import RegionBranchOp, RegionSuccessor, forwarded, leaves_region, region_exits
from .graphs import block_graph

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
