"""The control flow of regions: blocks nobody reaches, blocks that are alike, block arguments that are always the same."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ...ir.program.core import Block, BlockArgument, Operation, Region
from ...ir.program.interfaces import BranchOp
from .operands import erase_operands, passed_to
from .rewriter import Rewriter
from .unneeded import Unneeded

DISABLED: Final = "disabled"
NORMAL: Final = "normal"
AGGRESSIVE: Final = "aggressive"


class RegionSimplifier:
    """Simplifies one region and all regions inside it, as often as it is asked to.

    AGGRESSIVE also merges blocks that are alike, and drops block arguments for which every branch passes the same value.
    """

    def __init__(self, region: Region, rewriter: Rewriter, level: str = NORMAL) -> None:
        self._region = region
        self._rewriter = rewriter
        self._level = level
        self._unneeded = Unneeded(region, rewriter)
        self.changed_blocks = False
        """Whether blocks, or arguments of blocks, were ever removed: not only operations, of which the rewriter heard."""

    def run(self, changed: Collection[Operation]) -> bool:
        """Simplify; whether something was removed.

        Args:
            changed: what was inserted, moved, changed or erased since the last call, and what is around that.
        """
        blocks = erase_unreachable_blocks(self._region, self._rewriter)
        operations = self._unneeded.erase(changed)
        if self._level == AGGRESSIVE:
            from .merge_blocks import merge_identical_blocks

            blocks |= merge_identical_blocks(self._region, self._rewriter)
            blocks |= drop_redundant_arguments(self._region, self._rewriter)
        self.changed_blocks |= blocks or self._unneeded.erased_arguments
        return blocks or operations


def drop_redundant_arguments(region: Region, rewriter: Rewriter) -> bool:
    """Replace block arguments for which every branch passes one value by that value, in `region` and inside.

    O(operations + what branches pass).
    """
    changed = False
    pending = [region]
    while pending:
        current = pending.pop()
        edges: dict[Block, list[tuple[Operation, int]]] = {}
        for block in current:
            for op in block:
                pending.extend(op.regions)
            last = block.last_op
            for i, target in enumerate(block.successors):
                assert last is not None
                edges.setdefault(target, []).append((last, i))
        for block in current:
            changed |= _drop_redundant(block, edges.get(block, []), rewriter)
    return changed


def _drop_redundant(block: Block, edges: list[tuple[Operation, int]], rewriter: Rewriter) -> bool:
    if not edges or not all(isinstance(op, BranchOp) for op, _ in edges):
        return False
    redundant: list[BlockArgument] = []
    gone: dict[Operation, set[int]] = {}
    for arg in block.args:
        passed = [passed_to(op, i, arg) for op, i in edges]
        values = {None if use is None else use._value for use in passed}
        common = next(iter(values))
        if len(values) != 1 or common is None or common is arg:
            continue
        rewriter.replace_uses(arg, common)
        redundant.append(arg)
        for (op, _), use in zip(edges, passed, strict=True):
            assert use is not None
            gone.setdefault(op, set()).add(use.index)
    for op, positions in gone.items():
        assert isinstance(op, BranchOp)
        erase_operands(op, positions)
        rewriter.modified(op)
    for arg in reversed(redundant):
        block.erase_argument(arg.index)
    return bool(redundant)


def erase_unreachable_blocks(region: Region, rewriter: Rewriter) -> bool:
    """Erase the blocks that no path from their region's entry reaches, in `region` and inside."""
    changed = False
    pending = [region]
    while pending:
        current = pending.pop()
        if current.is_empty:
            continue
        if not current.has_one_block:
            changed |= _erase_unreachable(current, rewriter)
        for block in current:
            for op in block:
                pending.extend(op.regions)
    return changed


def _erase_unreachable(region: Region, rewriter: Rewriter) -> bool:
    reached = {region.entry}
    stack = [region.entry]
    while stack:
        for target in stack.pop().successors:
            if target not in reached:
                reached.add(target)
                stack.append(target)
    gone = [block for block in region if block not in reached]
    for block in gone:
        for op in block:
            for nested in op.walk():
                nested.drop_operands()
    for block in gone:
        rewriter.erase_block(block)
    return bool(gone)
