"""`-buffer-hoisting`: allocations leave the branches in which they stand."""

from __future__ import annotations

from ..ir.program.core import Operation
from .pass_base import Context, Pass
from .placement.hoisting import OUT_OF_BRANCHES, hoist


class BufferHoisting(Pass):
    """Move each `memref.alloc` up to the lowest block above all uses of the buffer and its views.

        cf.cond_br %c, ^left, ^right                 %n = memref.alloc() : memref<4xf32>
      ^right:                                     => cf.cond_br %c, ^left, ^right
        %n = memref.alloc() : memref<4xf32>        ^right:
        cf.br ^join(%n : memref<4xf32>)              cf.br ^join(%n : memref<4xf32>)

    Not above the definitions of its sizes, and not out of loops. Deallocations stay: hoist before freeing.
    """

    name = "buffer-hoisting"
    summary = "move allocations out of branches"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        context.count(self.name, "moved", hoist(op, OUT_OF_BRANCHES))
