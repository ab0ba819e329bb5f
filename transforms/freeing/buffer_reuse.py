"""`-buffer-reuse`: a buffer that was just freed serves as the one that is allocated next."""

from __future__ import annotations

from ...analysis.allocations import only_allocates
from ...dialects import memref
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import ALLOCATE, MemoryEffectOp
from ...ir.types import types as t
from ..pass_base import Context, Pass


class BufferReuse(Pass):
    """Use a freed buffer for the next allocation of the same size.

        memref.dealloc %a : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>      =>   (nothing: %b is %a)
        "use"(%b)                                     "use"(%a)

    Both are in one block, have one type and, if sizes are known only at run time, the same sizes; nothing allocates in
    between, so never more memory is held than before. Runs behind a pass that frees at the last use. O(operations).
    """

    name = "buffer-reuse"
    summary = "let an allocation take the buffer that was freed before it"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        for inner in list(op.walk()):
            for region in inner.regions:
                for block in region:
                    context.count(self.name, "reused", _reuse_in(block))


def _reuse_in(block: Block) -> int:
    """Reuse within one block; how often."""
    reused = 0
    free: dict[t.Type, list[memref.DeallocOp]] = {}
    for op in block:
        if isinstance(op, memref.DeallocOp):
            free.setdefault(op.operands[0].type, []).append(op)
        elif isinstance(op, memref.AllocOp):
            dealloc = _fitting(op, free.get(op.results[0].type, []))
            if dealloc is None:
                free.clear()
                continue
            buffer = dealloc.operands[0]
            free[op.results[0].type].remove(dealloc)
            dealloc.erase()
            op.replace_with([buffer])
            reused += 1
        elif _may_allocate(op):
            free.clear()
    return reused


def _fitting(alloc: memref.AllocOp, deallocs: list[memref.DeallocOp]) -> memref.DeallocOp | None:
    """The last of the deallocations whose buffer is as the allocation wants it."""
    return next((op for op in reversed(deallocs) if _fits(alloc, op.operands[0])), None)


def _fits(alloc: memref.AllocOp, buffer: Value) -> bool:
    made = buffer.defining_op
    if isinstance(made, memref.AllocOp):
        return made.operands == alloc.operands and made.alignment is alloc.alignment
    type = alloc.memref_type
    return alloc.alignment is None and type.has_static_shape and type.is_identity_layout and made is None


def _may_allocate(op: Operation) -> bool:
    """Whether an operation, or something it runs, may allocate."""
    if op.has_trait(tr.PURE):
        return False
    if op.regions or not isinstance(op, MemoryEffectOp) or only_allocates(op):
        return True
    return any(effect.kind == ALLOCATE for effect in op.memory_effects())
