"""The control flow of regions: blocks nobody reaches, operations and block arguments nobody needs.

*Liveness here is optimistic*: nothing is needed until something says so. An operation is needed if it does more than could
be undone (see `dead_code`), or if a needed operation uses one of its results; a block argument is needed if a needed
operation uses it; what branches pass is needed for needed arguments only. So values that only feed themselves around
a loop go too. One pass over uses, no iteration: O(operations + uses).
"""

from __future__ import annotations

from typing import Final

from ...ir.program import traits as tr
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import BranchOp
from .dead_code import DeadCode, alive_for_effects
from .merge_blocks import merge_identical_blocks
from .operands import erase_operands, forwarded_positions
from .rewriter import Rewriter

DISABLED: Final = "disabled"
NORMAL: Final = "normal"
AGGRESSIVE: Final = "aggressive"


def simplify_regions(region: Region, rewriter: Rewriter, level: str = NORMAL) -> bool:
    """Simplify `region` and all regions inside it; whether something was removed.

    AGGRESSIVE also merges blocks that are alike, and drops block arguments for which every branch passes the same value.
    """
    changed = erase_unreachable_blocks(region, rewriter)
    if _passes_nothing(region):
        changed |= sweep_backwards(region, rewriter)
    else:
        changed |= erase_unneeded(region, rewriter)
    if level == AGGRESSIVE:
        changed |= merge_identical_blocks(region, rewriter)
        changed |= drop_redundant_arguments(region, rewriter)
    return changed


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
        passed = [_passed_to(op, i, arg) for op, i in edges]
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
    for arg in reversed(redundant):
        block.erase_argument(arg.index)
    return bool(redundant)


def _passed_to(op: Operation, successor: int, arg: BlockArgument) -> OpOperand | None:
    """What a branch passes to `arg`; None if it produces that itself."""
    assert isinstance(op, BranchOp)
    position = arg.index - op.produced_operand_count(successor)
    operands = op.successor_operands(successor)
    return operands[position] if 0 <= position < len(operands) else None


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


def _passes_nothing(region: Region) -> bool:
    """Whether no value can feed itself in `region`: every region inside is one block, in which uses follow definitions."""
    pending = [region]
    while pending:
        current = pending.pop()
        if current.first_block is None:
            continue
        if not current.has_one_block:
            return False
        op = current.first_block.first_op
        while op is not None:
            if op.regions:
                if op.definition is None or op.has_trait(tr.GRAPH_REGION):
                    return False
                pending.extend(op.regions)
            op = op._next
    return True


def sweep_backwards(region: Region, rewriter: Rewriter) -> bool:
    """`erase_unneeded` for regions of one block each: last operations first, what is dead goes. One walk."""
    changed = False
    dead = DeadCode().is_trivially_dead
    walks = [reversed(block) for block in region]
    while walks:
        op = next(walks[-1], None)
        if op is None:
            walks.pop()
        elif dead(op):
            rewriter.erase(op)
            changed = True
        elif op.regions:
            walks.extend(reversed(block) for inner in op.regions for block in inner)
    return changed


def erase_unneeded(region: Region, rewriter: Rewriter) -> bool:
    """Erase operations and block arguments that are not needed; whether operations went."""
    if region.is_empty:
        return False
    needed_ops, needed_args = _needed(region)
    changed = False
    blocks: list[Block] = []
    pending = [region]
    while pending:  # first of all, for an inner branch may pass what is erased around it
        current = pending.pop()
        if current.is_empty:
            continue
        for block in current:
            last = block.last_op
            if isinstance(last, BranchOp) and not current.has_one_block:
                _erase_passed(last, needed_args)
            for op in block:
                if op in needed_ops:
                    pending.extend(op.regions)
    pending = [region]
    while pending:
        current = pending.pop()
        if current.is_empty:
            continue
        for block in reversed(current):
            for op in reversed(block):
                if op in needed_ops:
                    pending.extend(op.regions)
                    continue
                for result in op.results:
                    for use in result.uses:
                        use.owner.drop_operands()
                rewriter.erase(op)
                changed = True
        blocks.extend(block for block in current if not block.is_entry)
    for block in blocks:  # last, when what used their arguments is gone from inner regions too
        for arg in reversed(block.args):
            if arg not in needed_args:
                block.erase_argument(arg.index)
    return changed


def _needed(region: Region) -> tuple[set[Operation], set[BlockArgument]]:
    """The operations and block arguments that are needed, by marking from those that have to stay."""
    ops: set[Operation] = set()
    args: set[BlockArgument] = set()
    incoming: dict[BlockArgument, list[Value]] = {}
    waiting: list[Value] = []

    def need(op: Operation) -> None:
        if op not in ops:
            ops.add(op)
            passed = forwarded_positions(op) if isinstance(op, BranchOp) and op.successors else ()
            waiting.extend(use._value for use in op.op_operands if use.index not in passed)

    staying = alive_for_effects(region)
    for op in [op for top in region.ops() for op in top.walk()]:
        if op.successors:
            waiting.extend(_passed(op, incoming))
        if op in staying:
            need(op)
    while waiting:
        value = waiting.pop()
        if isinstance(value, OpResult):
            need(value.owner)
        elif isinstance(value, BlockArgument) and value not in args:
            args.add(value)
            waiting.extend(incoming.get(value, ()))
    return ops, args


def _passed(op: Operation, incoming: dict[BlockArgument, list[Value]]) -> list[Value]:
    """Record what `op` passes to block arguments; the arguments for which that cannot be said."""
    if not isinstance(op, BranchOp):
        return [arg for block in op.successors for arg in block.args]
    produced: list[Value] = []
    for i, block in enumerate(op.successors):
        count = op.produced_operand_count(i)
        produced.extend(block.args[:count])
        for arg, use in zip(block.args[count:], op.successor_operands(i), strict=True):
            incoming.setdefault(arg, []).append(use._value)
    return produced


def _erase_passed(op: BranchOp, needed: set[BlockArgument]) -> None:
    """Pass only what is needed."""
    gone: set[int] = set()
    for i, block in enumerate(op.successors):
        args = block.args[op.produced_operand_count(i) :]
        gone.update(
            use.index for arg, use in zip(args, op.successor_operands(i), strict=True) if arg not in needed
        )
    erase_operands(op, gone)
