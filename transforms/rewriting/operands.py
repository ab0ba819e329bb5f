"""Adding and removing operands of operations whose operands come in segments."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...dialects.cf import SwitchOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import BranchOp
from ...ir.types.attributes import DenseArrayAttr
from ...ir.types.types import I32


def erase_operands(op: Operation, gone: Collection[int]) -> None:
    """Remove the operands at the positions `gone`, keeping segment sizes right. O(operands)."""
    if not gone:
        return
    kept = [use.value for use in op.op_operands if use.index not in gone]
    sizes = op.properties.get(OPERAND_SEGMENTS)
    if isinstance(sizes, DenseArrayAttr):
        op.properties[OPERAND_SEGMENTS] = _shrunk(sizes, 0, gone)
        if isinstance(op, SwitchOp):
            cases = op.case_operand_segments
            op.properties["case_operand_segments"] = _shrunk(cases, sum(sizes.values[:2]), gone)
    op.operands = kept


def _shrunk(sizes: DenseArrayAttr, start: int, gone: Collection[int]) -> DenseArrayAttr:
    left: list[int] = []
    for size in sizes.values:
        left.append(sum(i not in gone for i in range(start, start + size)))
        start += size
    return DenseArrayAttr(I32, tuple(left))


def forwarded_positions(op: BranchOp) -> set[int]:
    """The positions of the operands that a branch passes to blocks."""
    return {use.index for i in range(len(op.successors)) for use in op.successor_operands(i)}


def append_successor_operands(op: BranchOp, successor: int, values: Sequence[Value]) -> None:
    """Pass `values` to successor number `successor` too, after what is passed to it. O(operands)."""
    sizes = op.properties.get(OPERAND_SEGMENTS)
    if not isinstance(sizes, DenseArrayAttr):
        op.operands = [*op.operands, *values]
        return
    updated = list(sizes.values)
    if isinstance(op, SwitchOp) and successor:
        cases = list(op.case_operand_segments.values)
        at = sum(updated[:2]) + sum(cases[:successor])
        cases[successor - 1] += len(values)
        updated[2] += len(values)
        op.properties["case_operand_segments"] = DenseArrayAttr(I32, tuple(cases))
    else:
        segment = 1 if isinstance(op, SwitchOp) else len(updated) - len(op.successors) + successor
        at = sum(updated[: segment + 1])
        updated[segment] += len(values)
    op.insert_operands(at, values)
    op.properties[OPERAND_SEGMENTS] = DenseArrayAttr(I32, tuple(updated))


def passed_to(op: Operation, successor: int, arg: BlockArgument) -> OpOperand | None:
    """What a branch passes to `arg`; None if it produces that itself."""
    assert isinstance(op, BranchOp)
    position = arg.index - op.produced_operand_count(successor)
    operands = op.successor_operands(successor)
    return operands[position] if 0 <= position < len(operands) else None
