"""`-buffer-reuse` and `-optimize-allocation-liveness`: frees move after the last use, and freed buffers are reused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ...analysis.allocations import only_allocates
from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.graphs import reverse_postorder
from ...analysis.origins import ViewFlow
from ...dialects import memref
from ...ir.defects import UNKNOWN_RESULTS
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpResult, Region, Value
from ...ir.program.interfaces import ALLOCATE, FREE, CountedLoopOp, LoopLikeOp, MemoryEffectOp
from ...ir.source.diagnostics import PassFailed, error, present
from ...ir.types import types as t
from ..pass_base import Context, Pass, flag

# Reuse across iterations: hoisting allocations that are freed in the loop.
#
# Two cases, in sequential loops:
#
#   I1  A buffer is allocated and freed in the body, and all other allocations of the body are between the two: it is allocated
#       before the loop and freed after it.
#   I2  Each iteration allocates a buffer to yield and frees its iter_arg. One more buffer is allocated before the loop, and the
#       two alternate (double buffering):
#
#         %r = scf.for ... iter_args(%x = %a) {       %s = memref.alloc()
#           %n = memref.alloc()                       %r:2 = scf.for ... iter_args(%x = %a, %n = %s) {
#           "step"(%x, %n)                     =>       "step"(%x, %n)
#           memref.dealloc %x                           scf.yield %n, %x
#           scf.yield %n                              }
#         }                                           memref.dealloc %r#1


def loops_inside_out(function: Operation) -> list[Operation]:
    """The loops of I1, inner ones first."""
    return [
        op
        for op in function.walk_post_order()
        if isinstance(op, LoopLikeOp) and not op.has_trait(tr.PARALLEL_LOOP)
    ]


def allocate_before(loop: Operation, may_allocate: Callable[[Operation], bool]) -> int:
    """Apply I1. Returns the number of hoisted buffers. O(operations of the body) for each."""
    moved = 0
    for region in loop.regions:
        if not region.has_one_block:
            continue
        body = region.entry
        for alloc in [op for op in body if isinstance(op, memref.AllocOp)]:
            dealloc = _freed_in(alloc.results[0], body)
            if dealloc is None or any(loop.is_ancestor_of(_home(value)) for value in alloc.operands):
                continue
            if _spans(alloc, dealloc, may_allocate):
                alloc.move_before(loop)
                dealloc.move_after(loop)
                moved += 1
    return moved


def take_turns(loop: Operation, may_allocate: Callable[[Operation], bool]) -> int:
    """Apply I2. Returns the number of loop-carried buffers. O(operations of the body) for each."""
    if not isinstance(loop, CountedLoopOp) or not loop.regions[0].has_one_block:
        return 0
    body = loop.regions[0].entry
    last = present(body.last_op)
    count = 0
    for position, use in enumerate(list(last.op_operands)):
        alloc = use.value.defining_op
        carried = body.args[position + 1]
        freed = _freed_in(carried, body)
        if (
            not isinstance(alloc, memref.AllocOp)
            or alloc.block is not body
            or freed is None
            or carried.type is not alloc.results[0].type
            or not _is_plain(alloc)
            or sum(value is use.value for value in last.operands) != 1
            or any(value is carried for value in last.operands)
            or not _spans(alloc, freed, may_allocate)
        ):
            continue
        alloc.move_before(loop)
        spare = body.add_argument(carried.type)
        alloc.results[0].replace_all_uses_with(spare)
        loop.insert_operands(len(loop.op_operands), [alloc.results[0]])
        last.insert_operands(len(last.op_operands), [carried])
        left = OpResult(loop, len(loop.results), carried.type)
        loop.results.append(left)  # pyright: ignore[reportArgumentType]
        freed.move_after(loop)
        freed.op_operands[0].value = left
        count += 1
    return count


def _spans(alloc: Operation, dealloc: Operation, may_allocate: Callable[[Operation], bool]) -> bool:
    """Whether all other allocations of a body are between the two, so that extending the live range does not raise the peak."""
    assert alloc.block is not None
    return alloc.is_before_in_block(dealloc) and all(
        alloc.is_before_in_block(op) and op.is_before_in_block(dealloc)
        for op in alloc.block
        if op is not alloc and may_allocate(op)
    )


def _freed_in(value: Value, body: Block) -> memref.DeallocOp | None:
    """The one deallocation of a value, if it is in `body`."""
    found = [op for op in value.users if isinstance(op, memref.DeallocOp)]
    return found[0] if len(found) == 1 and found[0].block is body else None


def _is_plain(alloc: memref.AllocOp) -> bool:
    """Whether the allocation has a static shape, an identity layout and no alignment."""
    kind = alloc.memref_type
    return alloc.alignment is None and kind.has_static_shape and kind.is_identity_layout


def _home(value: Value) -> Operation | None:
    return value.defining_op or (value.parent_block.parent_op if value.parent_block is not None else None)


Freed = dict[t.Type, list[memref.DeallocOp]]
"""The deallocations since the last allocation, by type, in order."""


class BufferReuse(Pass):
    """Reuse a freed buffer for the next allocation of the same size.

        memref.dealloc %a : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>      =>   (nothing: %b is %a)
        "use"(%b)                                     "use"(%a)

    Both buffers have the same type and, if dynamic, the same sizes. Nothing is allocated in between, so the
    peak of memory never rises. A buffer freed at the end of a block can be reused in successors that have no
    other predecessor; successors that do not reuse it free it. Run this after a pass that frees at the last
    use. O(operations).

    With `loops`, a buffer that each iteration allocates and frees is allocated once before the loop, and a
    buffer that replaces that of the previous iteration alternates with it. The buffer is allocated even if
    the loop does not run.
    """

    name = "buffer-reuse"
    summary = "let an allocation reuse a buffer that was just freed"
    on = "func.func"

    loops = flag("loops", "reuse buffers across iterations of loops")

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
        """Whether an allocation was hoisted, which may enable more reuse. Repeated once per nesting level."""
        found = 0
        for loop in loops_inside_out(op):
            moved, turns = allocate_before(loop, may_allocate), take_turns(loop, may_allocate)
            context.count(self.name, "before loops", moved)
            context.count(self.name, "taking turns", turns)
            found += moved + turns
        return found > 0


def _reuse_in_region(region: Region) -> int:
    """Reuse within blocks, and from each block to those of which it is the only predecessor. Returns the count. O(operations)."""
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
            reused += _reuse_after(following, freed)
    return reused


def _matches(block: Block, freed: Freed) -> list[tuple[memref.DeallocOp, memref.AllocOp]]:
    """The pairs of deallocation and reusing allocation in a block; updates `freed` to the unused ones at its end."""
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


def _reuse_after(following: list[Block], freed: Freed) -> int:
    """Let successor blocks reuse buffers freed at the end of their predecessor. Returns the count."""
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


# `-optimize-allocation-liveness`: moves frees after the last use.


class OptimizeAllocationLiveness(Pass):
    """Move each deallocation up, directly after the last use of the buffer or of a view of it.

        %n = memref.alloc() ; "use"(%n) ; "much.more"() ; memref.dealloc %n
     => %n = memref.alloc() ; "use"(%n) ; memref.dealloc %n ; "much.more"()

    Applies to buffers that a single operation frees, in the block of the allocation. If that is a
    `memref.realloc` whose result is used, the program is rejected; expand reallocations first. Results of
    unknown operations on a buffer are treated as views of it, and buffers whose address escapes are left
    unchanged. mlir-opt does neither, and `--compat=mlir-22` reproduces this. Linear in operations, uses, and
    views of each buffer.
    """

    name = "optimize-allocation-liveness"
    summary = "move deallocations directly after the last use"
    on = "func.func"

    @cached_property
    def _calls(self) -> CallsOfProgram:
        return CallsOfProgram()

    def run(self, op: Operation, context: Context) -> None:
        flow = ViewFlow(op, UNKNOWN_RESULTS not in context.mirrored, context.mirrored, True)
        escaping = self._calls.escaping(op, context.mirrored)
        for allocation in [inner for inner in op.walk_post_order() if isinstance(inner, MemoryEffectOp)]:
            buffer = _only_allocated(allocation)
            if buffer is None or buffer in escaping:
                continue
            dealloc = _only_dealloc(buffer)
            if dealloc is None or dealloc.block is not allocation.block:
                continue
            last = _last_use(buffer, dealloc, flow)
            if last is not None and last is not dealloc and last.next_op is not dealloc:
                _check_results(dealloc, last)
                dealloc.move_after(last)


def _only_allocated(op: MemoryEffectOp) -> Value | None:
    """The result that `op` allocates, if it allocates one thing, a result."""
    allocated = [effect.value for effect in op.memory_effects() if effect.kind == ALLOCATE]
    if len(allocated) != 1 or allocated[0] is None or allocated[0].defining_op is not op:
        return None
    return allocated[0]


def _only_dealloc(buffer: Value) -> Operation | None:
    """The one user that frees the buffer, if there is just one."""
    freeing = [
        user
        for user in buffer.users
        if isinstance(user, MemoryEffectOp)
        and any(effect.kind == FREE and effect.value is buffer for effect in user.memory_effects())
    ]
    return freeing[0] if len(freeing) == 1 else None


def _last_use(buffer: Value, dealloc: Operation, flow: ViewFlow) -> Operation | None:
    """The last operation of the block that uses the buffer or a view of it, besides the one that frees it.

    None if there is none, if a use is not inside the block, for then it is not known when it happens, or if what ends the
    block uses it.
    """
    block = present(dealloc.block)
    last: Operation | None = None
    for view in flow.resolve(buffer):
        for use in view.uses:
            if use.owner is dealloc:
                continue
            user = use.owner.ancestor_in_block(block)
            if user is None or user is block.last_op:
                return None
            if last is None or last.is_before_in_block(user):
                last = user
    return last


def _check_results(freeing: Operation, last: Operation) -> None:
    """Raises PassFailed if an operation that frees, and gives a buffer besides, would come to stand after its users."""
    block = freeing.block
    uses = [use for result in freeing.results for use in result.uses]
    early = [use for use in uses if not _is_after(use.owner.ancestor_in_block(block), last)]
    if early:
        # as a verifier meets them: what stands in the block itself comes before what is nested
        direct = [use for use in early if use.owner.block is block] or early
        first = direct[0]
        for use in direct:
            if (use.owner.position, use.index) < (first.owner.position, first.index):
                first = use
        problem = error(f"operand #{first.index} does not dominate this use", first.owner.name_span)
        problem.attach(
            "this operation frees its operand and would be moved after uses of its result", freeing.name_span
        )
        problem.help("run -expand-realloc first")
        raise PassFailed(problem, operation=freeing)


def _is_after(user: Operation | None, last: Operation) -> bool:
    return user is None or last.is_before_in_block(user)
