"""Folds of `bufferization`: clones, and inverse pairs of `to_tensor` and `to_buffer`."""

from __future__ import annotations

from typing import Final

from ...dialects import bufferization
from ...dialects.bufferization import ToBufferOp, ToTensorOp
from ...ir.program.core import Operation
from . import IN_PLACE, Constants, Fold, Folded
from .memref import cast_source


def _clone(op: Operation, constants: Constants) -> Folded:
    source = cast_source(op.op_operands[0].value)
    if source is None:
        return None
    op.op_operands[0].value = source
    return IN_PLACE


def _to_tensor(op: Operation, constants: Constants) -> Folded:
    """`to_tensor(to_buffer(t))` is `t` if the two are adjacent: nothing can have written the buffer in between."""
    inner = op.op_operands[0].value.defining_op
    if isinstance(inner, ToBufferOp) and inner.block is op.block and inner.next_op is op:
        return [inner.tensor] if inner.tensor.type is op.results[0].type else None
    return None


def _to_buffer(op: Operation, constants: Constants) -> Folded:
    """`to_buffer(to_tensor(m))` is `m` if the types agree."""
    inner = op.op_operands[0].value.defining_op
    if isinstance(inner, ToTensorOp) and inner.buffer.type is op.results[0].type:
        return [inner.buffer]
    return None


FOLDS: Final[dict[type[Operation], Fold]] = {
    bufferization.CloneOp: _clone,
    ToBufferOp: _to_buffer,
    ToTensorOp: _to_tensor,
}
