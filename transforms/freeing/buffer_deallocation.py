"""`-buffer-deallocation`: every buffer is freed in one place, known when the program is compiled."""

from __future__ import annotations

from ...analysis.allocations import Allocation, allocations, deallocations
from ...analysis.causes import Cause, CauseKind
from ...analysis.control_flow import has_unstructured_loop
from ...analysis.escapes import escaping_allocations
from ...analysis.liveness import Liveness
from ...analysis.nested_dominance import BlockTree
from ...analysis.view_flow import ViewFlow, closure, is_buffer
from ...dialects import memref
from ...ir.defects import ENDS_OF_BLOCKS, ESCAPING_BUFFERS, FREED_VIEWS, REALLOCATIONS
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import AllocationOp, RegionBranchOp
from ...ir.source.diagnostics import PassFailed, error, warning
from ..account import makers
from ..pass_base import Context, Pass, choice
from .cloning.copies import Copies, allocate_and_copy, clone
from .cloning.critical import critical_aliases
from .cloning.flow import buffer_flow
from .cloning.frees import common_post_dominator, last_use

CLONE, ALLOCATE_AND_COPY = "clone", "alloc-and-copy"


class BufferDeallocation(Pass):
    """Free all buffers behind their last use; copy those that cannot be told apart there.

        ^left:                                          ^left:
          cf.br ^join(%a : memref<4xf32>)                 %0 = bufferization.clone %a
        ^right:                                           cf.br ^join(%0 : memref<4xf32>)
          %n = memref.alloc() : memref<4xf32>           ^right:
          cf.br ^join(%n : memref<4xf32>)            =>   %n = memref.alloc() : memref<4xf32>
        ^join(%m: memref<4xf32>):                         %1 = bufferization.clone %n
          "use"(%m)                                       memref.dealloc %n
          return                                          cf.br ^join(%1 : memref<4xf32>)
                                                        ^join(%m: memref<4xf32>):
                                                          "use"(%m)
                                                          memref.dealloc %m
                                                          return

    The pass that MLIR had until version 19, before ownership was tracked at run time. Expects loops to be structured.
    Deallocations that are there are kept, behind the last use. A buffer that is used on paths with different ends,
    whose address escapes, or of which a view is freed, is not freed. `copies=alloc-and-copy` writes copies as MLIR
    did in 2020.
    """

    name = "buffer-deallocation"
    summary = "free all buffers in places known at compile time"
    on = "func.func"

    copies = choice("copies", (CLONE, ALLOCATE_AND_COPY), CLONE, "what a copy is written as")

    def run(self, op: Operation, context: Context) -> None:
        if op.regions[0].is_empty:
            return
        _check_control_flow(op)
        mirrored = context.mirrored
        found = [
            entry
            for entry in allocations(op)
            if not (REALLOCATIONS in mirrored and isinstance(entry.value.defining_op, memref.ReallocOp))
        ]
        _check_interfaces(found)
        escaping = () if ESCAPING_BUFFERS in mirrored else escaping_allocations(op)
        flow = buffer_flow(op, mirrored)
        liveness = Liveness(op, is_buffer)
        critical = critical_aliases([entry.value for entry in found], flow, BlockTree(op))
        makers_of = _makers_of(found, flow)
        copies = Copies(clone if self.copies == CLONE else allocate_and_copy, makers_of)
        for alias in critical:
            copies.feed(alias)
        context.count(self.name, "copies", len(copies.made))

        def views_of(value: Value) -> list[Value]:
            return closure([value], lambda v: (t for t in flow.targets.get(v, ()) if t not in critical))

        after = BlockTree(op, post=True)
        for value, dealloc in [*found, *(Allocation(alias, None) for alias in critical)]:
            views = views_of(value)
            by_hand = FREED_VIEWS not in mirrored and any(deallocations(view) for view in views)
            if value in escaping or (dealloc is None and by_hand):
                continue
            place = common_post_dominator(views, after)
            if place is None:
                _warn(value, context)
                continue
            end, used = last_use(views, place, liveness, mirrored)
            if isinstance(dealloc, memref.DeallocOp):
                if dealloc is not end:
                    dealloc.move_after(end)
                continue
            behind = end.next_op
            if behind is None and not used and ENDS_OF_BLOCKS not in mirrored:
                behind = end
            if dealloc is None and behind is not None:
                cause = Cause(CauseKind.FREED, end, None, value)
                free = makers.free(value, cause, makers_of.get(value))
                free.where = end.where
                place.insert_before(free, behind)
                context.count(self.name, "deallocations")


def _makers_of(found: list[Allocation], flow: ViewFlow) -> dict[Value, AllocationOp]:
    """For each alias of an allocation what makes it. O(edges of the flow).

    Raises:
        PassFailed: a value may be of allocations that are freed differently.
    """
    makers_of: dict[Value, AllocationOp] = {}
    for entry in found:
        maker = entry.value.defining_op
        waiting = [entry.value] if isinstance(maker, AllocationOp) else []
        while waiting and isinstance(maker, AllocationOp):
            value = waiting.pop()
            other = makers_of.setdefault(value, maker)
            if other is maker:
                waiting += (v for v in flow.targets.get(value, ()) if makers_of.get(v) is not maker)
            elif makers.freed_by(other, value) != makers.freed_by(maker, value):
                problem = error(
                    "what this holds was allocated in ways that are freed differently", maker.name_span
                )
                problem.attach("it may be this", other.name_span)
                raise PassFailed(problem, operation=maker)
    return makers_of


def _warn(value: Value, context: Context) -> None:
    maker = value.defining_op
    at = maker.name_span if maker is not None else None
    context.diagnostics.emit(
        warning("this buffer is not freed: paths that use it end in different places", at)
    )


def _check_control_flow(function: Operation) -> None:
    if has_unstructured_loop(function):
        raise PassFailed("Only structured control-flow loops are supported.", function.name_span, function)
    for op in function.walk_post_order():
        regions = len(op.regions)
        if op is function or isinstance(op, RegionBranchOp):
            continue
        if regions > 1 or (regions == 1 and op.results):
            raise PassFailed(
                "All operations with attached regions need to implement the RegionBranchOpInterface.",
                op.name_span,
                op,
            )


def _check_interfaces(found: list[Allocation]) -> None:
    for value, dealloc in found:
        op = value.defining_op
        assert op is not None
        if dealloc is None and not isinstance(op, AllocationOp):
            raise PassFailed(
                "Allocation is not deallocated explicitly nor does the operation implement the AllocationOpInterface.",
                op.name_span,
                op,
            )
