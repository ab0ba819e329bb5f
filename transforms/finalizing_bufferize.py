"""`-finalizing-bufferize`: the borders that partial passes left disappear, and with them the last tensors.

    %t = bufferization.to_tensor %m
    %n = bufferization.to_buffer %t
    use of %n
 => use of %m

An operation that still works on tensors is an error: no pass has bufferized it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects.bufferization import ToBufferOp, ToTensorOp
from ..ir.core import Operation, Value
from .conversion import ConversionRewriter, ConversionTarget, apply_full_conversion, pattern
from .partial.type_converter import BufferTypeConverter
from .pass_base import Context, Pass


def _take_operand(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    rewriter.replace(op, operands)
    return True


class FinalizingBufferize(Pass):
    name = "finalizing-bufferize"
    summary = "Finalize a partial bufferization"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        converter, target = BufferTypeConverter(), ConversionTarget()
        target.mark_unknown_dynamically_legal(converter.is_legal_op)
        patterns = [
            pattern(ToTensorOp, converter=converter)(_take_operand),
            pattern(ToBufferOp, converter=converter)(_take_operand),
        ]
        apply_full_conversion(op, target, patterns)
