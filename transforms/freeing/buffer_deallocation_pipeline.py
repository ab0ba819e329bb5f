"""`-buffer-deallocation-pipeline`: ownership-based deallocation with its preparation and lowering."""

from __future__ import annotations

from ...ir.program.core import Operation
from ..pass_base import Context, Pass, flag


class BufferDeallocationPipeline(Pass):
    """Free all buffers, decide as much as possible before run time, and lower the rest to plain operations.

    Expands reallocations, deallocates by ownership, simplifies and lowers the deallocations, with canonicalization in
    between and common subexpressions merged before the last. Clones are not lowered. The program is checked after each
    step.
    """

    name = "buffer-deallocation-pipeline"
    summary = (
        "free all buffers: expand-realloc, ownership, simplification, lowering, with clean-up in between"
    )
    dynamic = flag(
        "private-function-dynamic-ownership",
        "let private functions tell their callers at run time who owns the buffers they return",
    )

    def parts(self) -> list[Pass]:
        # imported when they run: see one_shot_bufferize
        from ..canonicalize import Canonicalize
        from ..convert_bufferization_to_memref import ExpandRealloc
        from ..cse import Cse
        from .buffer_deallocation_simplification import BufferDeallocationSimplification
        from .bufferization_lower_deallocations import BufferizationLowerDeallocations
        from .ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation

        return [
            ExpandRealloc(emit_deallocs=False),
            Canonicalize(),
            OwnershipBasedBufferDeallocation(dynamic=self.dynamic),
            Canonicalize(),
            BufferDeallocationSimplification(),
            BufferizationLowerDeallocations(),
            Cse(),
            Canonicalize(),
        ]

    def run(self, op: Operation, context: Context) -> None:
        from ..pass_manager import PassManager

        PassManager(self.parts(), context, allow_unregistered=True).run(op)
