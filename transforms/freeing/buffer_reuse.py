"""`-buffer-reuse`: a buffer that was just freed serves as the one that is allocated next."""

from __future__ import annotations

from ...analysis.allocations import only_allocates
from ...analysis.graphs import reverse_postorder
from ...dialects import memref
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.program.interfaces import ALLOCATE, MemoryEffectOp
from ...ir.types import types as t
from ..pass_base import Context, Pass, flag
from .reuse_in_loops import allocate_before, loops_inside_out, take_turns

Freed = dict[t.Type, list[memref.DeallocOp]]
"""What was freed since something was allocated, by type, in order."""


class BufferReuse(Pass):
    """Use a freed buffer for the next allocation of the same size.

        memref.dealloc %a : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>      =>   (nothing: %b is %a)
        "use"(%b)                                     "use"(%a)

    Both have one type and, if sizes are known only at run time, the same sizes; nothing allocates in between, so never more
    memory is held than before. What a block frees at its end serves the blocks behind it, if they are entered from there only;
    where one of them has no use for it, it is freed there. Runs behind a pass that frees at the last use. O(operations).

    With `loops`, a buffer that each iteration makes and frees is made once, before the loop, and one that each iteration
    makes in exchange for that of the one before takes turns with it. A loop that does not run then holds that buffer too.
    """

    name = "buffer-reuse"
    summary = "let an allocation take the buffer that was freed before it"
    on = "func.func"

    loops = flag("loops", "let iterations use the buffers of those before")

    def run(self, op: Operation, context: Context) -> None:
        self._reuse(op, context)
        while self.loops and self._leave_loops(op, context):
            self._reuse(op, context)

    def _reuse(self, op: Operation, context: Context) -> None:
        for inner in list(op.walk()):
            for region in inner.regions:
                if not region.is_empty:
                    context.count(self.name, "reused", _reuse_in_region(region))

    def _leave_loops(self, op: Operation, context: Context) -> bool:
        """Whether something left a loop: then more may meet behind it. As often as loops are nested."""
        found = 0
        for loop in loops_inside_out(op):
            moved, turns = allocate_before(loop, may_allocate), take_turns(loop, may_allocate)
            context.count(self.name, "before loops", moved)
            context.count(self.name, "taking turns", turns)
            found += moved + turns
        return found > 0


def _reuse_in_region(region: Region) -> int:
    """Reuse within blocks, and from each to those that only it leads to; how often. O(operations)."""
    reused = 0
    blocks = reverse_postorder([region.entry], lambda block: block.successors)
    before: dict[Block, set[Block]] = {}
    for block in blocks:
        for successor in block.successors:
            before.setdefault(successor, set()).add(block)
    for block in blocks:
        freed: Freed = {}
        for dealloc, alloc in _matches(block, freed):
            _take(dealloc, [alloc])
            reused += 1
        following = list(dict.fromkeys(block.successors))
        if any(freed.values()) and all(len(before[b]) == 1 and b is not region.entry for b in following):
            reused += _reuse_behind(following, freed)
    return reused


def _matches(block: Block, freed: Freed) -> list[tuple[memref.DeallocOp, memref.AllocOp]]:
    """Which allocation of a block takes what; `freed` is what was freed before, and then what is left over at the end."""
    found: list[tuple[memref.DeallocOp, memref.AllocOp]] = []
    for op in block:
        if isinstance(op, memref.DeallocOp):
            freed.setdefault(op.operands[0].type, []).append(op)
        elif isinstance(op, memref.AllocOp):
            dealloc = _fitting(op, freed.get(op.results[0].type, []))
            if dealloc is None:
                freed.clear()
                continue
            freed[op.results[0].type].remove(dealloc)
            found.append((dealloc, op))
        elif may_allocate(op):
            freed.clear()
    return found


def _reuse_behind(following: list[Block], freed: Freed) -> int:
    """Let blocks take what was freed at the end of the one before; how often."""
    ours = {dealloc for found in freed.values() for dealloc in found}
    taken: dict[memref.DeallocOp, dict[Block, memref.AllocOp]] = {}
    for block in following:
        for dealloc, alloc in _matches(block, {kind: list(found) for kind, found in freed.items()}):
            if dealloc in ours:
                taken.setdefault(dealloc, {})[block] = alloc
    for dealloc, allocs in taken.items():
        for block in following:
            if block not in allocs:
                again = dealloc.clone()
                again.where = dealloc.where
                block.insert_before(again, block.first_op)
        _take(dealloc, list(allocs.values()))
    return sum(len(allocs) for allocs in taken.values())


def _take(dealloc: memref.DeallocOp, allocs: list[memref.AllocOp]) -> None:
    """Do not free a buffer, but use it for what allocations make."""
    buffer = dealloc.operands[0]
    dealloc.erase()
    for alloc in allocs:
        alloc.replace_with([buffer])


def _fitting(alloc: memref.AllocOp, deallocs: list[memref.DeallocOp]) -> memref.DeallocOp | None:
    """The last of the deallocations whose buffer is as the allocation wants it."""
    return next((op for op in reversed(deallocs) if _fits(alloc, op.operands[0])), None)


def _fits(alloc: memref.AllocOp, buffer: Value) -> bool:
    made = buffer.defining_op
    if isinstance(made, memref.AllocOp):
        return made.operands == alloc.operands and made.alignment is alloc.alignment
    type = alloc.memref_type
    return alloc.alignment is None and type.has_static_shape and type.is_identity_layout and made is None


def may_allocate(op: Operation) -> bool:
    """Whether an operation, or something it runs, may allocate."""
    if op.has_trait(tr.PURE):
        return False
    if op.regions or not isinstance(op, MemoryEffectOp) or only_allocates(op):
        return True
    return any(effect.kind == ALLOCATE for effect in op.memory_effects())
