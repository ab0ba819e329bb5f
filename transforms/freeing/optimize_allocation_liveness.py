"""`-optimize-allocation-liveness`: moves frees behind the last use."""

from __future__ import annotations

from ...analysis.allocations import escaping_allocations
from ...analysis.origins import ViewFlow
from ...ir.defects import ESCAPING_BUFFERS, UNKNOWN_RESULTS
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import ALLOCATE, FREE, MemoryEffectOp
from ...ir.source.diagnostics import PassFailed, error
from ..pass_base import Context, Pass


class OptimizeAllocationLiveness(Pass):
    """Move each deallocation up, to right behind the last use of the buffer or of a view of it.

        %n = memref.alloc() ; "use"(%n) ; "much.more"() ; memref.dealloc %n
     => %n = memref.alloc() ; "use"(%n) ; memref.dealloc %n ; "much.more"()

    Only where one operation, in the block of the allocation, frees the buffer. If that is a `memref.realloc` whose result
    is used, the program is rejected: expand reallocations before. What an unknown operation makes of a
    buffer is taken to view it, and a buffer whose address escapes stays as it is; the reference is less careful, and
    `--compat=mlir-22` with it. Linear in operations, uses, and views of each buffer.
    """

    name = "optimize-allocation-liveness"
    summary = "free buffers right behind their last use"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        flow = ViewFlow(op, conservative=UNKNOWN_RESULTS not in context.mirrored)
        escaping = {} if ESCAPING_BUFFERS in context.mirrored else escaping_allocations(op)
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
    block = dealloc.block
    assert block is not None
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
    """Raises PassFailed if an operation that frees, and gives a buffer besides, would come to stand behind its users."""
    block = freeing.block
    uses = [use for result in freeing.results for use in result.uses]
    early = [use for use in uses if not _is_behind(use.owner.ancestor_in_block(block), last)]
    if early:
        # as a verifier meets them: what stands in the block itself comes before what is nested
        direct = [use for use in early if use.owner.block is block] or early
        first = direct[0]
        for use in direct:
            if (use.owner.position, use.index) < (first.owner.position, first.index):
                first = use
        problem = error(f"operand #{first.index} does not dominate this use", first.owner.name_span)
        problem.attach(
            "this operation frees its operand and would be moved behind uses of its result", freeing.name_span
        )
        problem.help("run -expand-realloc first")
        raise PassFailed(problem, operation=freeing)


def _is_behind(user: Operation | None, last: Operation) -> bool:
    return user is None or last.is_before_in_block(user)
