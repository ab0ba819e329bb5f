"""`-shape-bufferize`: operations of the shape dialect work on buffers."""

from __future__ import annotations

from ..ir.core import Operation
from .partial.driver import bufferize_partially
from .partial.options import partial_options
from .pass_base import Context, Pass


class ShapeBufferize(Pass):
    name = "shape-bufferize"
    summary = "Bufferize the `shape` dialect"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options("shape"))
