"""`-finalizing-bufferize`: the borders that partial passes left disappear, and with them the last tensors."""

from __future__ import annotations

from ..ir.program.core import Operation
from .conversion import ConversionPattern, ConversionTarget, apply_full_conversion
from .partial.type_converter import BufferTypeConverter, populate_eliminate_materializations_patterns
from .pass_base import Context, Pass


class FinalizingBufferize(Pass):
    """No tensor is left.

        %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
        %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        use of %n
     => use of %m

    Where layouts differ, the buffer is cast; or copied, if the cast could fail. An operation that still works on tensors
    is an error: no pass has bufferized it. The function is then left as it was.
    """

    name = "finalizing-bufferize"
    summary = "Finalize a partial bufferization"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        converter, target = BufferTypeConverter(context.mirrored), ConversionTarget()
        target.mark_unknown_dynamically_legal(converter.is_legal_op)
        patterns: list[ConversionPattern] = []
        populate_eliminate_materializations_patterns(converter, patterns)
        apply_full_conversion(op, target, patterns)
