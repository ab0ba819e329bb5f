"""Which branches lead to a block, and what they pass to its arguments.

The blocks of a region are looked through once; branches are rewritten in place, so the answer stays right. O(edges).
"""

from __future__ import annotations

from typing import NamedTuple

from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, Region
from ...ir.program.interfaces import BranchOp


class BranchEdge(NamedTuple):
    """One edge to a block: its branch, and which of the branch's successors it is."""

    branch: Operation
    successor: int


class BranchesInto:
    """The edges to each block of the regions asked about.

    With `first_only`, of several edges from one branch to one block only the first is seen: a defect of mlir-opt 22.
    """

    def __init__(self, first_only: bool = False) -> None:
        self._edges: dict[Block, list[BranchEdge]] = {}
        self._regions: set[Region] = set()
        self._first_only = first_only

    def edges(self, block: Block) -> list[BranchEdge]:
        """The edges to `block`, those of the last branch first."""
        region = block.region
        if region is None:
            return []
        if region not in self._regions:
            self._regions.add(region)
            for source in reversed(region):
                self._add(source)
        return self._edges.get(block, [])

    def _add(self, source: Block) -> None:
        branch = source.last_op
        if branch is None:
            return
        met: set[Block] = set()
        for i, target in enumerate(branch.successors):
            if self._first_only and target in met:
                continue
            met.add(target)
            self._edges.setdefault(target, []).append(BranchEdge(branch, i))

    def incoming(self, arg: BlockArgument) -> list[OpOperand]:
        """What flows into a block argument. Edges of operations that are no branches are left out."""
        found: list[OpOperand] = []
        for branch, successor in self.edges(arg.owner):
            if isinstance(branch, BranchOp):
                position = arg.index - branch.produced_operand_count(successor)
                operands = branch.successor_operands(successor)
                if 0 <= position < len(operands):
                    found.append(operands[position])
        return found
