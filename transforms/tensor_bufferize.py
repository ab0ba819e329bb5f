"""`-tensor-bufferize`: operations of the tensor dialect work on buffers."""

from __future__ import annotations

from ..ir.core import Operation
from .partial.driver import bufferize_partially
from .partial.options import partial_options
from .pass_base import Context, Pass


class TensorBufferize(Pass):
    name = "tensor-bufferize"
    summary = "Bufferize the `tensor` dialect"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options("tensor"))
