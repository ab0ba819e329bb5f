"""Folds of `builtin`, `bufferization` and `scf`: casts there and back, clones, negated conditions."""

from __future__ import annotations

from typing import Final

from ...dialects import bufferization, scf
from ...dialects.bufferization import ToBufferOp, ToTensorOp
from ...dialects.builtin import UnrealizedConversionCastOp
from ...ir.program.core import Operation
from . import IN_PLACE, Constants, Fold, Folded, integer_of
from .memref import cast_source


def _there_and_back(op: Operation, constants: Constants) -> Folded:
    """A cast back to the original types is the original; so is a cast to the same types."""
    values = op.operands
    if not values:
        return None
    if [value.type for value in values] == op.result_types:
        return list(values)
    source = values[0].defining_op
    if (
        not isinstance(source, UnrealizedConversionCastOp)
        or source.results != values
        or source.operand_types != op.result_types
    ):
        return None
    return list(source.operands)


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


def _if(op: Operation, constants: Constants) -> Folded:
    """A negated condition swaps the branches."""
    then, otherwise = op.regions
    negation = op.op_operands[0].value.defining_op
    if otherwise.is_empty or negation is None or negation.name != "arith.xori":
        return None
    if integer_of(negation.op_operands[1].value) != 1:
        return None
    op.op_operands[0].value = negation.op_operands[0].value
    op.regions = [otherwise, then]
    return IN_PLACE


FOLDS: Final[dict[type[Operation], Fold]] = {
    UnrealizedConversionCastOp: _there_and_back,
    bufferization.CloneOp: _clone,
    ToBufferOp: _to_buffer,
    ToTensorOp: _to_tensor,
    scf.IfOp: _if,
}
