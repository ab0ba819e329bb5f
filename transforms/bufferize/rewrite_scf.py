"""Rewrites of scf: loops, branches, and the terminators of their regions."""

from __future__ import annotations

from ...dialects import scf
from ...ir.program.core import Operation, OpOperand, Value
from .buffer_types import is_tensor
from .bufferizer import Bufferizer, Rewrite
from .failures import failed
from .scf_branches import BRANCH_REWRITES
from .scf_loops import LOOP_REWRITES


def bufferize_yield(op: Operation, b: Bufferizer) -> None:
    """Yield buffers, cast to the type that the enclosing operation passes on."""
    parent = op.parent_op
    if not isinstance(parent, scf.ExecuteRegionOp | scf.IfOp | scf.IndexSwitchOp | scf.ForOp | scf.WhileOp):
        raise failed(op, "unsupported scf::YieldOp parent")
    replacements: list[tuple[OpOperand, Value]] = []
    for operand in op.op_operands:
        if not is_tensor(operand._value.type):
            continue
        buffer = b.buffer(operand.value)
        if isinstance(parent, scf.WhileOp):
            buffer = b.cast(buffer, b.buffer_type(parent.regions[0].entry.args[operand.index]))
        elif not isinstance(parent, scf.ExecuteRegionOp):
            buffer = b.cast(buffer, b.buffer_type(parent.results[operand.index]))
        replacements.append((operand, buffer))
    for operand, buffer in replacements:
        operand.value = buffer
    op.attributes.clear()


def bufferize_in_parallel(op: Operation, b: Bufferizer) -> None:
    """Has no tensors of its own."""


REWRITES = {
    **BRANCH_REWRITES,
    **LOOP_REWRITES,
    scf.InParallelOp: Rewrite(bufferize_in_parallel),
    scf.YieldOp: Rewrite(bufferize_yield),
}
