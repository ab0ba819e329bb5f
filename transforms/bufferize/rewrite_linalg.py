"""Rewrites of linalg: the same operation on buffers, without results."""

from __future__ import annotations

from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.relayout import AlgorithmOp, SoftmaxOp
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.types import types as t
from .bufferizer import Bufferizer, Rewrite
from .inference import failed, is_tensor

MEMREFS = (t.MemRefType, t.UnrankedMemRefType)


def bufferize_destination_style(op: DestinationStyleOp, b: Bufferizer) -> None:
    """Replace tensor operands by their buffers, inputs first, and results by the buffers of the destinations."""
    types = op.operand_types
    if any(isinstance(type, MEMREFS) for type in types):
        if any(is_tensor(type) for type in types):
            raise failed(op, "op does not have pure tensor semantics")
        return
    inits = op.dps_inits()
    found = set(inits)
    for use in op.op_operands:
        if use not in found and is_tensor(use._value.type):
            use.value = b.buffer(use._value)
    buffers = [b.buffer(use._value) for use in inits]
    for use, buffer in zip(inits, buffers, strict=True):
        use.value = buffer
    b.drop_results(op, buffers)


DESTINATION_STYLE = Rewrite(bufferize_destination_style)


REWRITES = dict.fromkeys((LinalgOp, SoftmaxOp, AlgorithmOp), DESTINATION_STYLE)
