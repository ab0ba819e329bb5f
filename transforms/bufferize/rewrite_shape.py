"""Rewrites of shape: `shape.assuming` yields the buffers that its region yields."""

from __future__ import annotations

from ...dialects import shape
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.diagnostics import present
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, is_tensor


def _yielded(op: Operation) -> list[Value]:
    last = present(op.regions[0].entry.last_op)
    return last.operands


def bufferize_assuming(op: Operation, b: Bufferizer) -> None:
    b.retype_results(op, [value.type for value in _yielded(op)], in_order=True)
    op.attributes.clear()


def assuming_type(value: Value, types: TypeInference) -> TypeRequest:
    assert isinstance(value, OpResult)
    return (yield _yielded(value.owner)[value.index])


def bufferize_assuming_yield(op: Operation, b: Bufferizer) -> None:
    for operand in op.op_operands:
        if is_tensor(operand.value.type):
            operand.value = b.buffer(operand.value)
    op.attributes.clear()


REWRITES = {
    shape.AssumingOp: Rewrite(bufferize_assuming, assuming_type),
    shape.AssumingYieldOp: Rewrite(bufferize_assuming_yield),
}
