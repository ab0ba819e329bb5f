"""The control flow of a function through blocks and regions alike, as one graph of straight-line pieces.

A block is cut behind every operation whose regions are control flow (`RegionBranchOp`). Between two cuts operations run
one after the other; such a stretch is a *piece*. From a piece control goes

  F1  behind a cut: into the regions that the operation enters first, or past it, as `region_successors` says;
  F2  at a terminator with successors: to the first pieces of these blocks;
  F3  at the end of a region: to where the operation around says, another region or the piece behind it.

Regions of other operations are no control flow that is known: what is inside them belongs to the piece that holds the
operation. A piece without successors ends the function, or is where nothing is known of what follows.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.program.core import Block, Operation, Region
from ..ir.program.interfaces import RegionBranchOp
from ..ir.source.records import field, record
from .graphs import block_graph, region_graph


@record(eq=False)
class Piece:
    """Operations that run one after the other.

    Attributes:
        block: the block they are in.
        ops: the operations; the last one is where control may go several ways.
        successors: the pieces that may run next, in the order of `region_successors` or of the terminator's successors.
    """

    block: Block
    ops: list[Operation] = field(default_factory=list)
    successors: list[Piece] = field(default_factory=list)

    def all_ops(self) -> Iterator[Operation]:
        """The operations, and what is nested in those whose regions are no pieces of their own, in textual order."""
        for op in self.ops:
            if op.regions and not isinstance(op, RegionBranchOp):
                yield from op.walk()
            else:
                yield op


def straight_line_pieces(body: Region) -> list[Piece]:
    """The pieces of the blocks in `body`, its entry first, and, through control flow, below it. O(operations + edges)."""
    pieces: list[Piece] = []
    first: dict[Block, Piece] = {}
    last: dict[Block, Piece] = {}
    behind: dict[RegionBranchOp, Piece] = {}
    cuts: list[tuple[Piece, RegionBranchOp]] = []
    regions = [body]
    while regions:
        for block in regions.pop():
            piece = first[block] = Piece(block)
            pieces.append(piece)
            for op in block:
                piece.ops.append(op)
                if isinstance(op, RegionBranchOp):
                    cuts.append((piece, op))
                    regions.extend(op.regions)
                    piece = behind[op] = Piece(block)
                    pieces.append(piece)
            last[block] = piece

    def target(op: RegionBranchOp, region: Region | None) -> Piece:
        return behind[op] if region is None else first[region.entry]

    for region in dict.fromkeys(block.region for block in first):
        assert region is not None
        for block, passage in block_graph(region).passages():
            last[block].successors.append(first[passage.target])
    for piece, op in cuts:
        for passage in region_graph(op).passages():
            source = piece if passage.source is None else last[passage.op.block]  # pyright: ignore[reportArgumentType]
            source.successors.append(target(op, passage.target))
    return pieces
