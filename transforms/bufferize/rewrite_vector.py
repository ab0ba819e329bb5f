"""Rewrites of vector: transfers on buffers, and masks around them."""

from __future__ import annotations

from ...dialects import vector
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.source.diagnostics import present
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, failed, is_tensor


def bufferize_read(op: Operation, b: Bufferizer) -> None:
    operand = next(use for use in op.op_operands if is_tensor(use.value.type))
    operand.value = b.buffer(operand.value)
    op.attributes.clear()


def bufferize_write(op: DestinationStyleOp, b: Bufferizer) -> None:
    base = op.dps_inits()[0]
    buffer = b.buffer(base.value)
    base.value = buffer
    b.drop_results(op, (buffer,) if op.results else ())
    op.attributes.clear()


def bufferize_mask(op: Operation, b: Bufferizer) -> None:
    """Yielded buffers are visible outside of the region, so the corresponding results of the mask are removed."""
    leave = present(op.regions[0].entry.last_op)
    values = leave.operands
    kept = [i for i, result in enumerate(op.results) if not is_tensor(result.type)]
    leave.operands = [values[i] for i in kept]
    for result, value in zip(op.results, values, strict=True):
        if is_tensor(result.type):
            b.replace_results((result,), (value,), op)
    op.results = [op.results[i] for i in kept]
    for i, result in enumerate(op.results):
        result.index = i
    op.attributes.clear()


def mask_type(value: Value, types: TypeInference) -> TypeRequest:
    assert isinstance(value, OpResult)
    leave = present(value.owner.regions[0].entry.last_op)
    return (yield leave.op_operands[value.index].value)


def bufferize_yield(op: Operation, b: Bufferizer) -> None:
    if not isinstance(op.parent_op, vector.MaskOp):
        raise failed(op, "unsupported vector::YieldOp parent")
    for operand in op.op_operands:
        if is_tensor(operand.value.type):
            operand.value = b.buffer(operand.value)
    op.attributes.clear()


REWRITES = {
    vector.GatherOp: Rewrite(bufferize_read),
    vector.MaskOp: Rewrite(bufferize_mask, mask_type, may_allocate_inside=False),
    vector.ScatterOp: Rewrite(bufferize_write),
    vector.TransferReadOp: Rewrite(bufferize_read),
    vector.TransferWriteOp: Rewrite(bufferize_write),
    vector.YieldOp: Rewrite(bufferize_yield),
}
