"""Values handed on without a choice or by branches: out of a region that runs once, and to arguments of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.defects import SEVERAL_EDGES
from ...ir.program.core import BlockArgument, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import BranchOp
from .base import AliasingOperand, AliasingValue, Model, ModelContext


class SingleRegionModel(Model):
    """Runs its only region, of one block, once: each result is what the region yields."""

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        last = value.owner.regions[0].entry.last_op
        assert last is not None
        return (AliasingOperand(last.op_operands[value.index]),)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return False


class SingleYieldModel(Model):
    """Ends the region of such an operation; what it yields stays where it is."""

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        parent = operand.owner.parent_op
        assert parent is not None
        return (AliasingValue(parent.results[operand.index]),)

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


def incoming_operands(arg: BlockArgument, context: ModelContext) -> list[AliasingOperand]:
    """The branch operands passed to `arg`; none for an entry block.

    mlir-opt 22 sees only the first of several edges from one branch to one block.
    """
    if arg.owner.region is None or arg.owner.is_entry:
        return []
    found: list[AliasingOperand] = []
    for branch in context.branches_to(arg.owner):
        operands = branch.argument_operand(arg)
        if SEVERAL_EDGES in context.mirrored:
            operands = operands[:1]
        found += [AliasingOperand(operand, True, False) for operand in operands]
    return found


def target_of(operand: OpOperand) -> BlockArgument | None:
    """The block argument that a branch passes `operand` to; None for an operand that is not passed on."""
    branch = operand.owner
    assert isinstance(branch, BranchOp)
    for i, block in enumerate(branch.successors):
        produced = branch.produced_operand_count(i)
        for position, passed in enumerate(branch.successor_operands(i)):
            if passed is operand:
                return block.args[produced + position]
    return None
