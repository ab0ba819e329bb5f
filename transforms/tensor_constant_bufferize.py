"""`-tensor-constant-bufferize`: constant tensors become globals. The older, smaller sister of `-arith-bufferize`."""

from __future__ import annotations

from ..ir.program.core import Operation
from .partial.driver import bufferize_partially
from .partial.options import partial_options
from .pass_base import Context, Pass, number


class TensorConstantBufferize(Pass):
    """Constant tensors become globals, and nothing else: see `arith-bufferize`.

    Runs on the module, to which the globals are added.
    """

    name = "tensor-constant-bufferize"
    summary = "Bufferize tensor constants"
    alignment = number("alignment", 0, "alignment of the globals in bytes; 0 for none")

    def run(self, op: Operation, context: Context) -> None:
        options = partial_options(operations=("arith.constant",), alignment=self.alignment)
        bufferize_partially(op, options, context.mirrored)
