"""Control flow as graphs: the blocks of a region, the regions of an operation.

    control_flow_graph(region)   nodes: blocks        edges: successors of terminators
    region_graph(op)             nodes: regions, op   edges: where control may go from one to the other

Both are networkx digraphs, with nodes in the order of the text and edges in the order of successors, so that whatever
is printed from them is reproducible. The operation itself stands for "outside": control enters the region graph from it
and leaves by it. `Graphs` keeps each graph once it was made; it is to be dropped when the program changes.

Analyses that only follow successors need no graph object: `Block.successors` is enough, and importing networkx is not free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.program.core import Block, Operation, Region
from ..ir.program.interfaces import RegionBranchOp

if TYPE_CHECKING:
    import networkx as nx


def control_flow_graph(region: Region) -> nx.MultiDiGraph[Block]:
    """The blocks of `region` and the edges between them; the graph's `entry` is the first block.

    An edge knows which successor of its terminator it is (`index`). Two edges may lead from one block to
    another. O(blocks + edges).
    """
    import networkx as nx

    graph: nx.MultiDiGraph[Block] = nx.MultiDiGraph(entry=region.first_block)
    graph.add_nodes_from(region)
    for block in region:
        for index, successor in enumerate(block.successors):
            graph.add_edge(block, successor, index=index)
    return graph


def region_graph(op: Operation) -> nx.DiGraph[Region | Operation]:
    """Where control may go among the regions of `op`; `op` itself stands for outside.

    Of an operation that does not say, any region may run, again or after any other. O(regions^2) for such, else
    O(regions + edges).
    """
    import networkx as nx

    graph: nx.DiGraph[Region | Operation] = nx.DiGraph(entry=op)
    graph.add_node(op)
    graph.add_nodes_from(op.regions)
    if isinstance(op, RegionBranchOp):
        for source in (None, *op.regions):
            for successor in op.region_successors(source):
                graph.add_edge(
                    op if source is None else source, op if successor.region is None else successor.region
                )
        return graph
    everywhere = [op, *op.regions]
    graph.add_edges_from((source, target) for source in everywhere for target in everywhere)
    return graph


class Graphs:
    """Graphs of one program, each made once."""

    def __init__(self) -> None:
        self._blocks: dict[Region, nx.MultiDiGraph[Block]] = {}
        self._regions: dict[Operation, nx.DiGraph[Region | Operation]] = {}

    def control_flow(self, region: Region) -> nx.MultiDiGraph[Block]:
        """The control-flow graph of a region."""
        graph = self._blocks.get(region)
        if graph is None:
            graph = self._blocks[region] = control_flow_graph(region)
        return graph

    def regions(self, op: Operation) -> nx.DiGraph[Region | Operation]:
        """The region graph of an operation."""
        graph = self._regions.get(op)
        if graph is None:
            graph = self._regions[op] = region_graph(op)
        return graph
