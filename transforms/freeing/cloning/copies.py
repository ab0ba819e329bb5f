"""Giving a critical alias a buffer of its own: copies wherever a value flows into it.

    cf.br ^join(%a : memref<4xf32>)  =>  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
                                         cf.br ^join(%0 : memref<4xf32>)

For a block argument these are the branches to its block and, in the entry of a region, what enters the region; for a
result, what leaves the regions of its operation. A copy made here is never copied again: one serves the next
iteration of a loop as well as its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....analysis.causes import Cause, CauseKind
from ....analysis.control_flow import forwarded, region_exits
from ....dialects import arith, memref
from ....ir.program.builder import Builder
from ....ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ....ir.program.interfaces import AllocationOp, BranchOp, RegionBranchOp
from ....ir.source.diagnostics import PassFailed
from ....ir.types import attributes as a
from ....ir.types import types as t
from ...account import makers

MakeCopy = Callable[[Value, Builder, Cause, AllocationOp | None], Value]


def clone(value: Value, at: Builder, cause: Cause, maker: AllocationOp | None) -> Value:
    """A clone as the operation makes it that allocates such buffers: `bufferization.clone`, in MLIR since 2021."""
    return at.insert(makers.clone(value, cause, maker)).the_result


def allocate_and_copy(value: Value, at: Builder, cause: Cause, maker: AllocationOp | None) -> Value:
    """An allocation of the same size and a `linalg.copy` into it, as MLIR made copies in 2020.

    Raises:
        PassFailed: the rank is not known, so there is no way to allocate.
    """
    type = value.type
    if not isinstance(type, t.MemRefType):
        raise PassFailed("buffers of unknown rank can be cloned, but not allocated and copied")
    sizes: list[Value] = []
    for i, size in enumerate(type.shape):
        if size is None:
            index = at.insert(arith.ConstantOp((), (t.INDEX,), None, {"value": a.index_attr(i)})).the_result
            sizes.append(at.insert(memref.DimOp((value, index), (t.INDEX,))).the_result)
    new = at.insert(makers.alloc(type, sizes, 0, cause)).the_result
    at.insert(makers.linalg_copy(value, new, cause))
    return new


class Copies:
    """Inserts the copies; `made` holds those it made."""

    def __init__(self, make_copy: MakeCopy, makers: Mapping[Value, AllocationOp]) -> None:
        """
        Args:
            makers: what allocates the buffers that an alias is one of.
        """
        self.made: set[Value] = set()
        self._make_copy = make_copy
        self._makers = makers
        self._branches: dict[Region, dict[Block, list[tuple[BranchOp, int]]]] = {}

    def feed(self, alias: Value) -> None:
        """Copy everything that flows into `alias`. O(edges into it), after one walk over its region's blocks."""
        if isinstance(alias, OpResult):
            op = alias.owner
            if isinstance(op, RegionBranchOp):
                self._copy_at_exits(op, None, alias)
            return
        assert isinstance(alias, BlockArgument)
        block = alias.owner
        region = block.region
        assert region is not None
        for branch, edge in self._branches_to(region, block):
            position = alias.index - branch.produced_operand_count(edge)
            operands = branch.successor_operands(edge)
            if position < 0 or position >= len(operands):
                raise PassFailed("produced operands are not supported", branch.name_span, branch)
            self._copy(operands[position], branch, alias)
        op = region.parent_op
        if not block.is_entry or not isinstance(op, RegionBranchOp):
            return
        self._copy_at_exits(op, region, alias)
        for successor in op.region_successors(None):
            if successor.region is region:
                position = list(successor.inputs).index(alias)
                self._copy(op.entry_successor_operands(successor)[position], op, alias)
                return

    def _copy_at_exits(self, op: RegionBranchOp, target: Region | None, alias: Value) -> None:
        """Copy what the regions of `op` pass to `alias` when they go to `target`."""
        for region in op.regions:
            for successor in op.region_successors(region):
                if successor.region is target:
                    position = list(successor.inputs).index(alias)
                    for terminator in region_exits(region):
                        self._copy(forwarded(terminator, successor)[position], terminator, alias)
                    break

    def _copy(self, use: OpOperand, before: Operation, alias: Value) -> None:
        if use.value not in self.made:
            cause = Cause(CauseKind.CRITICAL_ALIAS, before, use.index, use.value)
            new = self._make_copy(use.value, Builder.before(before), cause, self._makers.get(alias))
            self.made.add(new)
            use.value = new

    def _branches_to(self, region: Region, block: Block) -> list[tuple[BranchOp, int]]:
        known = self._branches.get(region)
        if known is None:
            known = self._branches[region] = {}
            for source in region:
                last = source.last_op
                if isinstance(last, BranchOp):
                    for edge in reversed(range(len(last.successors))):
                        known.setdefault(last.successors[edge], []).append((last, edge))
        return known.get(block, [])
