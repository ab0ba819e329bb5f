"""`-buffer-deallocation`: frees each buffer at one place, decided at compile time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from ...analysis.allocations import Allocation, allocations, deallocations
from ...analysis.causes import Cause, CauseKind
from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.graphs import BlockTree, forwarded, has_unstructured_loop, region_exits
from ...analysis.liveness import Liveness
from ...analysis.origins import ViewFlow, closure, is_buffer
from ...dialects import arith, linalg, memref
from ...ir.defects import (
    ENDS_OF_BLOCKS,
    FREED_VIEWS,
    REALLOCATIONS,
    SOUND,
    UNKNOWN_RESULTS,
    USES_ELSEWHERE,
    Defect,
)
from ...ir.program.builder import Builder
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import (
    ALLOCATE,
    AllocationOp,
    BranchOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ...ir.source.diagnostics import PassFailed, error, present, warning
from ...ir.types import types as t
from .. import makers
from ..pass_base import Context, Pass, choice

# A critical alias gets its own buffer, by copies at every edge into it.
#
#     cf.br ^join(%a : memref<4xf32>)  =>  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
#                                          cf.br ^join(%0 : memref<4xf32>)
#
# For a block argument these are the branches to its block and, in an entry block, the edges into the region; for a result,
# the exits of its operation's regions. A copy inserted here is never copied again: one serves the next iteration of a loop
# as well as its exit.

MakeCopy = Callable[[Value, Builder, Cause, AllocationOp | None], Value]


def clone(value: Value, at: Builder, cause: Cause, maker: AllocationOp | None) -> Value:
    """A clone by the operation that allocates such buffers; by default `bufferization.clone`, as in MLIR since 2021."""
    return at.insert(makers.clone(value, cause, maker)).the_result


def allocate_and_copy(value: Value, at: Builder, cause: Cause, maker: AllocationOp | None) -> Value:
    """An allocation of the same size and a `linalg.copy` into it, as in MLIR in 2020.

    Raises:
        PassFailed: the rank is unknown, so the size cannot be computed.
    """
    type = value.type
    if not isinstance(type, t.MemRefType):
        raise PassFailed("buffers of unknown rank can be cloned, but not allocated and copied")
    sizes: list[Value] = []
    for i, size in enumerate(type.shape):
        if size is None:
            sizes.append(at.insert(makers.dim(value, makers.index(at, i))).the_result)
    new = at.insert(makers.alloc(type, sizes, 0, cause)).the_result
    at.insert(makers.linalg_copy(value, new, cause))
    return new


class Copies:
    """Inserts the copies; `made` contains them."""

    def __init__(self, make_copy: MakeCopy, makers: Mapping[Value, AllocationOp]) -> None:
        """
        Args:
            makers: for each alias, the operation that allocates its buffers.
        """
        self.made: set[Value] = set()
        self._make_copy = make_copy
        self._makers = makers
        self._branches: dict[Region, dict[Block, list[tuple[BranchOp, int]]]] = {}

    def feed(self, alias: Value) -> None:
        """Copy every operand that is forwarded to `alias`. O(edges into it), after one walk over its region's blocks."""
        if isinstance(alias, OpResult):
            op = alias.owner
            if isinstance(op, RegionBranchOp):
                self._copy_at_exits(op, None, alias)
            return
        assert isinstance(alias, BlockArgument)
        block = alias.owner
        region = present(block.region)
        for branch, edge in self._branches_to(region, block):
            position = alias.index - branch.produced_operand_count(edge)
            operands = branch.successor_operands(edge)
            if position < 0 or position >= len(operands):
                raise PassFailed("produced operands are not supported", branch.name_span, branch)
            self._copy(operands[position], branch, alias)
        op = region.parent_op
        if not block.is_entry or not isinstance(op, RegionBranchOp):
            return
        self._copy_at_exits(op, region, alias)
        for successor in op.region_successors(None):
            if successor.region is region:
                position = list(successor.inputs).index(alias)
                self._copy(op.entry_successor_operands(successor)[position], op, alias)
                return

    def _copy_at_exits(self, op: RegionBranchOp, target: Region | None, alias: Value) -> None:
        """Copy the operands that the regions of `op` forward to `alias` on edges to `target`."""
        for region in op.regions:
            for successor in op.region_successors(region):
                if successor.region is target:
                    position = list(successor.inputs).index(alias)
                    for terminator in region_exits(region):
                        self._copy(forwarded(terminator, successor)[position], terminator, alias)
                    break

    def _copy(self, use: OpOperand, before: Operation, alias: Value) -> None:
        if use.value not in self.made:
            cause = Cause(CauseKind.CRITICAL_ALIAS, before, use.index, use.value)
            new = self._make_copy(use.value, Builder.before(before), cause, self._makers.get(alias))
            self.made.add(new)
            use.value = new

    def _branches_to(self, region: Region, block: Block) -> list[tuple[BranchOp, int]]:
        known = self._branches.get(region)
        if known is None:
            known = self._branches[region] = {}
            for source in region:
                last = source.last_op
                if isinstance(last, BranchOp):
                    for edge in reversed(range(len(last.successors))):
                        known.setdefault(last.successors[edge], []).append((last, edge))
        return known.get(block, [])


# Critical aliases: values that may be one of several buffers, so that no single deallocation is right.
#
# A view of an allocation (in the sense of `analysis.origins`) is *critical* if the block of the allocation does not dominate
# it, or if it is an argument of that very block: on another path, or in another iteration, it may be another buffer. A
# critical alias gets its own buffer, by copies, and then counts as an allocation; its views are examined to a fixed point.
#
# The order of discovery determines the order of the copies. A view is visited again only from a block below those from which it
# was visited before, as only these can find more.


def critical_aliases(allocated: Iterable[Value], flow: ViewFlow, dominance: BlockTree) -> dict[Value, None]:
    """The critical aliases of allocations, in order of discovery.

    O(edges of the flow * nested blocks from which one view is reached).
    """
    found: dict[Value, None] = {}
    entered: dict[Value, Block] = {}
    sources: list[tuple[Value, Block]] = []

    def explore(value: Value, home: Block) -> None:
        stack = [iter(flow.targets.get(value, ()))]
        while stack:
            view = next(stack[-1], None)
            if view is None:
                stack.pop()
                continue
            if view in found:
                continue
            block = present(view.parent_block)
            if not dominance.is_above(home, block) or (home is block and isinstance(view, BlockArgument)):
                found[view] = None
                sources.append((view, block))
                continue
            before = entered.get(view)
            if before is not None and dominance.is_above(home, before):
                continue
            entered[view] = home
            stack.append(iter(flow.targets.get(view, ())))

    for value in allocated:
        block = present(value.parent_block)
        explore(value, block)
    while sources:
        explore(*sources.pop())
    return found


# The flow of views, without edges that cannot keep a buffer live.
#
# A clone, or any other operation that allocates its result, returns a new buffer. The result of an unknown operation or a call may
# be any of the operands. MLIR 16 considered neither as a view, nor the results of `memref.extract_strided_metadata`, and so
# freed buffers that were still in use.


def buffer_flow(root: Operation, mirrored: frozenset[Defect]) -> ViewFlow:
    """The flow of views inside `root`. O(operations + operands)."""
    flow = ViewFlow(root, UNKNOWN_RESULTS not in mirrored, mirrored)
    fresh: set[Value] = set()
    for op in root.walk():
        if _keeps_operands(op, mirrored):
            continue
        fresh.update(op.results)
    for targets in flow.targets.values():
        targets[:] = [value for value in targets if value not in fresh]
    return flow


def _keeps_operands(op: Operation, mirrored: frozenset[Defect]) -> bool:
    """Whether a result of `op` may be the buffer of an operand."""
    if UNKNOWN_RESULTS in mirrored:
        if isinstance(op, memref.ExtractStridedMetadataOp | memref.TransposeOp):
            return False
        return isinstance(op, (arith.SelectOp, ViewLikeOp, BranchOp, RegionBranchOp))
    if isinstance(op, MemoryEffectOp) and not isinstance(op, RegionBranchOp):
        return not any(effect.kind == ALLOCATE for effect in op.memory_effects())
    return True


# Where to free a buffer: after the last use in the lowest common post-dominator of all definitions and uses of the buffer and its
# views. If the last use is the block's terminator, the buffer is forwarded and not freed here. If the block does not use the
# buffer at all, it is freed after the block's first operation, as in MLIR.


def common_post_dominator(views: Iterable[Value], tree: BlockTree) -> Block | None:
    """The lowest common post-dominator of the definitions and uses of `views`; None if there is none."""
    blocks: dict[Block, None] = {}
    for view in views:
        home = view.parent_block
        if home is not None:
            blocks[home] = None
        for use in view.uses:
            if use.owner.block is not None:
                blocks[use.owner.block] = None
    return tree.lowest_above_all(blocks)


def last_use(
    views: Iterable[Value], place: Block, liveness: Liveness, mirrored: frozenset[Defect] = SOUND
) -> tuple[Operation, bool]:
    """The operation of `place` with the last use of `views`, and whether the block defines or uses any of them.

    If it does not, the operation is the block's first. O(uses of the views * depth).
    """
    first, last = place.first_op, place.last_op
    assert first is not None
    assert last is not None
    end = first
    used = False
    for view in views:
        start = end
        if view.defining_op is not None:
            home = view.defining_op.ancestor_in_block(place)
            if home is None and USES_ELSEWHERE in mirrored:
                continue
            if home is not None:
                start, used = home, True
        if liveness.is_live_out(view, place):
            return last, True
        for use in view.uses:
            user = use.owner.ancestor_in_block(place)
            if user is not None:
                used = True
                if start.is_before_in_block(user):
                    start = user
        if end.is_before_in_block(start):
            end = start
    return end, used


CLONE, ALLOCATE_AND_COPY = "clone", "alloc-and-copy"


class BufferDeallocation(Pass):
    """Free all buffers after their last use, and copy those whose owner is not known there.

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

    This is the pass of MLIR up to version 19, before ownership was tracked at run time. It requires
    structured loops. Existing deallocations are moved after the last use. A buffer is not freed if it is used
    on paths with different ends, if its address escapes, or if a view of it is freed. `copies=alloc-and-copy`
    creates copies as MLIR did in 2020.
    """

    name = "buffer-deallocation"
    summary = "free all buffers at points known at compile time"
    on = "func.func"

    copies = choice("copies", (CLONE, ALLOCATE_AND_COPY), CLONE, "the operations used for a copy")

    @cached_property
    def _calls(self) -> CallsOfProgram:
        return CallsOfProgram()

    def run(self, op: Operation, context: Context) -> None:
        if op.regions[0].is_empty:
            return
        _check_control_flow(op)
        mirrored = context.mirrored
        found = allocations(op)
        if REALLOCATIONS in mirrored:
            found = _without_reallocations(found)
        _check_interfaces(found)
        escaping = self._calls.escaping(op, mirrored)
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
            following = end.next_op
            if following is None and not used and ENDS_OF_BLOCKS not in mirrored:
                following = end
            if dealloc is None and following is not None:
                cause = Cause(CauseKind.FREED, end, None, value)
                free = makers.free(value, cause, makers_of.get(value))
                free.where = end.where
                place.insert_before(free, following)
                context.count(self.name, "deallocations")


def _without_reallocations(found: list[Allocation]) -> list[Allocation]:
    """The allocations as MLIR 16 sees them, where `memref.realloc` neither allocates nor frees."""
    return [
        Allocation(value, None if isinstance(dealloc, memref.ReallocOp) else dealloc)
        for value, dealloc in found
        if not isinstance(value.defining_op, memref.ReallocOp)
    ]


def _makers_of(found: list[Allocation], flow: ViewFlow) -> dict[Value, AllocationOp]:
    """For each alias of allocations, the allocating operation. O(edges of the flow).

    Raises:
        PassFailed: a value may alias allocations that are freed by different operations.
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
                problem = error("this may hold buffers that different operations free", maker.name_span)
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
        # A structured operation runs its region once per element and yields numbers: no buffer crosses it.
        if op is function or isinstance(op, RegionBranchOp | linalg.LinalgOp):
            continue
        if regions > 1 or (regions == 1 and op.results):
            raise PassFailed(
                "All operations with attached regions need to implement the RegionBranchOpInterface.",
                op.name_span,
                op,
            )


def _check_interfaces(found: list[Allocation]) -> None:
    for value, dealloc in found:
        op = present(value.defining_op)
        if dealloc is None and not isinstance(op, AllocationOp):
            raise PassFailed(
                "Allocation is not deallocated explicitly nor does the operation implement the AllocationOpInterface.",
                op.name_span,
                op,
            )
