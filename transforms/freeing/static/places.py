"""Where a free of a plan goes in the text of the program: behind an operation, or on the way from one block to another."""

from __future__ import annotations

from ....analysis.freeing.flow import Passage, Stretch
from ....analysis.freeing.plan import FreePoint
from ....dialects import affine, cf, scf
from ....dialects._described import DescribedBranchOp
from ....ir.program.builder import Builder
from ....ir.program.core import Block, Operation, Value
from ....ir.program.interfaces import BranchOp
from ...rewriting.operands import append_successor_operands, erase_operands


class Places:
    """Insertion points for frees; those of one place come in the order they are asked for.

    With `at_block_ends`, a free inside a block goes before what ends the block.
    """

    def __init__(self, at_block_ends: bool) -> None:
        self._at_block_ends = at_block_ends
        self._known: dict[tuple[Stretch | Passage, int | None], Builder] = {}

    def builder(self, free: FreePoint) -> Builder:
        """Where to free."""
        if free.passage is not None:
            return self._on(free.passage)
        assert free.behind is not None
        return self._behind(free.stretch, free.behind)

    def _behind(self, stretch: Stretch, at: int) -> Builder:
        key = (stretch, at)
        found = self._known.get(key)
        if found is None:
            ops = stretch.ops
            last = len(ops) - 1
            if at == last and last >= 0 and stretch.block.last_op is ops[-1] and ops[-1].may_be_terminator:
                at -= 1
            anchor = (
                ops[at + 1] if at < last else (ops[at].next_op if ops and at >= 0 else stretch.block.first_op)
            )
            where = ops[at].where if 0 <= at < len(ops) else anchor.where if anchor is not None else None
            if self._at_block_ends and stretch.block.last_op is not None:
                anchor = stretch.block.last_op
            found = self._known[key] = Builder(stretch.block, anchor, where)
        return found

    def _on(self, passage: Passage) -> Builder:
        found = self._known.get((passage, None))
        if found is not None:
            return found
        source, target = passage.source, passage.target
        last = source.last
        if len(source.leaving) == 1 and last is not None and not last.regions:
            found = Builder.before(last)
        elif len(target.arriving) == 1:
            found = self._behind(target, -1)
        elif passage.successor is not None:
            found = Builder.before(_split(passage))
        else:
            assert last is not None
            found = Builder.before(add_otherwise(last))
        self._known[passage, None] = found
        return found


def split_described(passage: Passage) -> BranchOp:
    """What ends a new block on a way that an operation takes of which only facts are known: it keeps its form. O(operands)."""
    op, index = passage.source.last, passage.successor
    assert isinstance(op, BranchOp) and index is not None and op.block is not None
    target = op.successors[index]
    block = Block([arg.type for arg in target.args[: len(op.successor_operands(index))]])
    assert target.region is not None
    target.region.insert_after(block, op.block)
    branch = cf.BranchToOp.build(dest_operands=list(block.args), dest=target, where=op.where)
    block.append(branch)
    op.successors = tuple(block if i == index else s for i, s in enumerate(op.successors))
    return branch


def _split(passage: Passage) -> Operation:
    """A block of its own on a way from one block to another; what ends it. O(operands)."""
    op = passage.source.last
    index = passage.successor
    if isinstance(op, DescribedBranchOp):
        return split_described(passage)
    assert isinstance(op, BranchOp) and index is not None
    target = op.successors[index]
    uses = op.successor_operands(index)
    passed: list[Value] = [use.value for use in uses]
    produced = op.produced_operand_count(index)
    block = Block([arg.type for arg in target.args[:produced]])
    assert target.region is not None and op.block is not None
    target.region.insert_after(block, op.block)
    branch = cf.BranchToOp.build(dest_operands=[*block.args, *passed], dest=target, where=op.where)
    block.append(branch)
    from_here = {use.index for use in uses}
    op.successors = tuple(block if i == index else s for i, s in enumerate(op.successors))
    if isinstance(op, cf.CondBranchOp | cf.SwitchOp | cf.BranchToOp):
        erase_operands(op, from_here)
    else:
        append_successor_operands(branch, 0, [])
    return branch


def add_otherwise(op: Operation) -> Operation:
    """Give a conditional the `else` that it lacks; what ends it."""
    if not op.regions[1].is_empty:
        end = op.regions[1].entry.last_op
        assert end is not None
        return end
    block = op.regions[1].append(Block())
    end = scf.YieldOp(where=op.where) if op.name == "scf.if" else affine.YieldOp(where=op.where)
    return block.append(end)
