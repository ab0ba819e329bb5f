"""`-vector-bufferize`: operations of the vector dialect work on buffers."""

from __future__ import annotations

from ..ir.core import Operation
from .partial.driver import bufferize_partially
from .partial.options import partial_options
from .pass_base import Context, Pass


class VectorBufferize(Pass):
    name = "vector-bufferize"
    summary = "Bufferize the `vector` dialect"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options("vector"))
