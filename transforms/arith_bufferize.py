"""`-arith-bufferize`: constant tensors become globals, `select` and `index_cast` work on buffers."""

from __future__ import annotations

from ..ir.program.core import Operation
from .partial.driver import bufferize_partially
from .partial.options import partial_options
from .pass_base import Context, Pass, number


class ArithBufferize(Pass):
    """Constants, `arith.select` and `arith.index_cast` of tensors.

        %a = arith.constant dense<1.0> : tensor<2xf32>
     => memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<1.0>
        %m = memref.get_global @__constant_2xf32 : memref<2xf32>
        %a = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>

    Runs on the module, to which the globals are added.
    """

    name = "arith-bufferize"
    summary = "Bufferize Arith dialect ops"
    alignment = number("alignment", 0, "alignment of the globals in bytes; 0 for none")

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options("arith", alignment=self.alignment), context.mirrored)
