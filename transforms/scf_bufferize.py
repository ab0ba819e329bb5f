"""`-scf-bufferize`: branches and loops of the scf dialect pass buffers instead of tensors."""

from __future__ import annotations

from ..ir.program.core import Operation
from .conversion import ConversionPattern, ConversionTarget, apply_partial_conversion
from .conversion.scf import populate_scf_bufferize_patterns
from .partial.type_converter import BufferTypeConverter, make_border_legal
from .pass_base import Context, Pass


class ScfBufferize(Pass):
    """What `scf.if`, `scf.for` and `scf.while` pass on is buffers.

        %r = scf.if %c -> (tensor<4xf32>) {...}
     => %m = scf.if %c -> (memref<4xf32>) {...}
        %r = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    Operations that fold are folded, as a partial conversion does.
    """

    name = "scf-bufferize"
    summary = "Bufferize the scf dialect."
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        target, patterns = ConversionTarget(), list[ConversionPattern]()
        populate_scf_bufferize_patterns(BufferTypeConverter(context.mirrored), patterns, target)
        make_border_legal(target)
        apply_partial_conversion(op, target, patterns)
