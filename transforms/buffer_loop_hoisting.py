"""`-buffer-loop-hoisting`: allocations leave the loops in which they stand."""

from __future__ import annotations

from functools import cached_property

from ..analysis.freeing.contracts import CallsThatFree
from ..ir.program.core import Operation
from ..ir.source.diagnostics import remark
from .pass_base import Context, Pass
from .placement.hoisting import OUT_OF_LOOPS, hoist


class BufferLoopHoisting(Pass):
    """Move each `memref.alloc` and `memref.alloca` in front of the loops around it.

        scf.for ... {                              %n = memref.alloc() : memref<4xf32>
          %n = memref.alloc() : memref<4xf32>   => scf.for ... {
          ...                                        ...

    Not above the definitions of its sizes, not if a view of the buffer is carried to the next iteration or out of the loop,
    not out of loops whose iterations run in parallel, and not if the loop frees it.
    """

    name = "buffer-loop-hoisting"
    summary = "move allocations out of loops"
    on = "func.func"

    @cached_property
    def _calls(self) -> CallsThatFree:
        return CallsThatFree()

    def run(self, op: Operation, context: Context) -> None:
        def kept(freeing: Operation) -> None:
            context.diagnostics.emit(remark(FREED, freeing.name_span, "mlir-22-uses-freed-memory"))

        context.count(self.name, "moved", hoist(op, OUT_OF_LOOPS, context.mirrored, kept, self._calls))


FREED = "each iteration frees this, so it is not made before the loop, as mlir-opt 22 would have it"
