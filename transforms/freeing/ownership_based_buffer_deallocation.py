"""`-ownership-based-buffer-deallocation`: free every buffer once, following who owns it."""

from __future__ import annotations

from ...analysis.escapes import escaping_allocations
from ...dialects import func
from ...ir.defects import ESCAPING_BUFFERS, WAYS_OF_FREEING
from ...ir.program.core import Operation
from ...ir.program.symbols import SymbolTables
from ..pass_base import Context, Pass, flag
from .ownership.blocks import Deallocation
from .ownership.checks import check_ways
from .ownership.state import State


class OwnershipBasedBufferDeallocation(Pass):
    """Free every buffer that a function allocates and does not return.

        %n = memref.alloc() : memref<4xf32>
        ...
        return
     => %true = arith.constant true
        %n = memref.alloc() : memref<4xf32>
        ...
        %base, ... = memref.extract_strided_metadata %n
        bufferization.dealloc (%base : memref<f32>) if (%true)
        return

    A function owns what it returns and nothing it is given; blocks and regions are told at run time, by an `i1` for
    each memref, whether they own it. Expects no deallocations (but `bufferization.manual_deallocation`) and no loops
    made of branches. Leaves `bufferization.dealloc` and `bufferization.clone`, which other passes lower.

    A buffer whose address may be kept somewhere that outlives the block that owns it is not freed. The reference frees
    it; `--compat=mlir-22` does too. All that is freed in the end is freed by `memref.dealloc`: what has to be freed otherwise
    (`gpu.alloc`, allocations that a user described) is refused. The reference frees it in the wrong way; with the flag so does this.
    """

    name = "ownership-based-buffer-deallocation"
    summary = "free all buffers, following who owns them"
    dynamic = flag(
        "private-function-dynamic-ownership",
        "let private functions tell their callers at run time who owns the buffers they return",
    )

    def run(self, op: Operation, context: Context) -> None:
        deallocation = Deallocation(SymbolTables(), self.dynamic)
        functions = [
            found for found in op.walk() if isinstance(found, func.FuncOp) and not found.is_declaration
        ]
        for function in () if WAYS_OF_FREEING in context.mirrored else functions:
            check_ways(function)
        for function in functions:
            unmanaged = () if ESCAPING_BUFFERS in context.mirrored else escaping_allocations(function)
            deallocation.run(function, State(function, unmanaged, context.mirrored))
            context.ownership_agrees.add(function)
