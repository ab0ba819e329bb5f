"""Passes that move operations out of loops and branches: `-buffer-hoisting`, `-buffer-loop-hoisting` and
`-promote-buffers-to-stack` for allocations, `-loop-invariant-code-motion` for any operation."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from functools import cached_property
from typing import Final

from ..analysis.allocations import (
    ReachOfViews,
    allocations,
    deallocations,
    escaping_allocations,
    freed_by_any_name,
    is_known_control_flow,
    is_loop,
    only_allocates,
)
from ..analysis.freeing.calls import CallsOfProgram
from ..analysis.graphs import BlockTree, leaves_region
from ..analysis.naming import value_name
from ..analysis.origins import ViewFlow
from ..analysis.speculation import is_speculatable, may_be_undefined, surely_runs
from ..analysis.stores import makes_stored_buffer
from ..dialects import memref
from ..ir.defects import (
    AFFINE_PARALLEL,
    FREED_ALREADY,
    KEPT_BY_CALLEES,
    MERGED_BUFFERS,
    SOUND,
    SPECULATED_OPERATIONS,
    STORED_BUFFERS,
    Defect,
)
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value
from ..ir.program.interfaces import (
    AllocationOp,
    CallOpInterface,
    FunctionOp,
    LoopLikeOp,
    is_memory_effect_free,
)
from ..ir.source.diagnostics import present, remark
from ..ir.source.records import record
from ..ir.types import types as t
from . import makers
from .pass_base import Context, Pass, Stayed, number

# `-buffer-hoisting`, `-buffer-loop-hoisting`: hoisting allocations out of branches and loops.
#
# Both passes share one upward walk from the block of the allocation: to dominators in the same region, then out of the
# enclosing operation, but never above the definitions of the allocation's operands. They differ in what else stops the
# walk and in which blocks are candidates; see `Strategy`.


@record(frozen=True)
class Strategy:
    """The kind of hoisting.

    Attributes:
        out_of_loops: hoist out of loops only, and only if no view of the buffer leaves with it; blocks within one
            region make no difference. Otherwise hoist out of branches only, to the nearest common dominator of all
            uses of the buffer and its views. A buffer freed inside a loop stays in it.
        stack_too: hoist `memref.alloca` as well.
    """

    out_of_loops: bool
    stack_too: bool


OUT_OF_BRANCHES: Final = Strategy(out_of_loops=False, stack_too=False)
OUT_OF_LOOPS: Final = Strategy(out_of_loops=True, stack_too=True)


def hoist(
    function: Operation,
    strategy: Strategy,
    mirrored: frozenset[Defect] = SOUND,
    kept: Callable[[Operation], object] = lambda freeing: None,
    calls: CallsOfProgram | None = None,
    stayed: Stayed = lambda value, why, at: None,
) -> int:
    """Hoist the allocations of a function; returns the number of allocations moved.

    Args:
        kept: called with the deallocation that keeps an otherwise hoistable allocation in its loop.
        calls: the buffers that callees free.
        stayed: called with each allocation that is not moved, and the reason.

    O(operations + uses + edges of the view flow), and O(nesting depth + log blocks) for each allocation.
    """
    calls = calls or CallsOfProgram()
    tree = BlockTree(function)
    flow = ViewFlow(function, mirrored=mirrored, through_scalars=True)
    reach = ReachOfViews(flow, tree)
    stays: set[Value] = set()
    given: list[tuple[CallOpInterface, Value]] = []
    if strategy.out_of_loops and FREED_ALREADY not in mirrored:
        given = calls.freed(function)
        stays = freed_by_any_name(function, flow) | set(flow.resolve_back([value for _, value in given]))
    keeping: list[tuple[CallOpInterface, Value]] = []
    if strategy.out_of_loops and KEPT_BY_CALLEES not in mirrored:
        keeping = calls.kept(function)
    if strategy.out_of_loops and STORED_BUFFERS not in mirrored:
        escaping = escaping_allocations(function)
    else:
        escaping = {}
    may_be_kept = set(flow.resolve_back([value for _, value in keeping]))
    candidates: list[Value] = []
    for value, freed in allocations(function):
        if isinstance(freed, memref.ReallocOp):
            stayed(value, "it is reallocated", freed)
        elif only_allocates(value.defining_op):
            candidates.append(value)
    if strategy.stack_too:
        candidates += [op.results[0] for op in function.walk() if isinstance(op, memref.AllocaOp)]
    moved = 0
    for value in candidates:
        op = present(value.defining_op)
        place = _place(op, value, strategy, tree, reach, mirrored)
        if place is None or place is op.block:
            stayed(value, *_why_it_stays(op, strategy, tree, reach.common_block(value), mirrored))
            continue
        left = op.ancestor_in_block(place) or _last(place)
        freeing: list[Operation] = []
        if value in stays:
            views = set(flow.resolve(value))
            freeing = [op for view in views for op in deallocations(view)]
            freeing += [call for call, passed in given if passed in views]
        inside = next((free for free in freeing if left.is_ancestor_of(free)), None)
        if inside is not None:
            kept(inside)  # the next iteration would use the buffer freed by this one
            stayed(value, "each iteration frees it", inside)
            continue
        if value in may_be_kept and not isinstance(op, memref.AllocaOp):
            views = set(flow.resolve(value))
            keeper = next((c for c, passed in keeping if passed in views and left.is_ancestor_of(c)), None)
            if keeper is not None:
                stayed(value, KEPT, keeper)
                continue
        if (use := escaping.get(value)) is not None and left.is_ancestor_of(use.owner):
            stayed(value, STORED, use.owner)
            continue
        op.move_before(left)
        moved += 1
    return moved


STORED: Final = "it is stored in memory that may outlive it"
KEPT: Final = "it is passed to an external function, which may retain it"


def _last(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _place(
    op: Operation,
    value: Value,
    strategy: Strategy,
    tree: BlockTree,
    reach: ReachOfViews,
    mirrored: frozenset[Defect],
) -> Block | None:
    """The target block of an allocation; its own block if it stays."""
    uses = reach.common_block(value)
    needs: Block | None = None
    for operand in op.operands:
        block = operand.parent_block
        if block is not None and (needs is None or tree.is_above(needs, block)):
            needs = block
    bound = needs
    if not strategy.out_of_loops:
        bound = (
            needs if needs is not None and uses is not None and tree.is_properly_above(uses, needs) else uses
        )
    current = place = op.block
    while current is not None and (bound is None or tree.is_properly_above(bound, current)):
        region = current.region
        around = current.parent_op
        if region is None or around is None or around.block is None or current not in tree:
            break
        # first dominators within the region, up to the bound or the entry
        if bound is not None and bound.region is region:
            current = bound
        else:
            current = region.entry
        if not strategy.out_of_loops:
            place = current
        if current is bound:
            break
        if not is_known_control_flow(around) or not _may_leave(around, uses, strategy, tree, mirrored):
            break
        current = place = around.block
    return place


def _why_it_stays(
    op: Operation, strategy: Strategy, tree: BlockTree, uses: Block | None, mirrored: frozenset[Defect]
) -> tuple[str, Operation | None]:
    """The first condition of `_place` that keeps an allocation in its block."""
    around = op.parent_op
    needed = next((v for v in op.operands if v.parent_block is op.block and v.parent_block is not None), None)
    is_outermost = around is None or around.block is None or isinstance(around, FunctionOp)
    if is_outermost and (strategy.out_of_loops or op.block is None or op.block.is_entry):
        return f"it is in no {'loop' if strategy.out_of_loops else 'branch'}", None
    if needed is not None:
        return f"its size {value_name(needed)} is computed there", needed.defining_op or around
    if around is None or is_outermost:
        return "it is used only there", None
    if not is_known_control_flow(around):
        return f"the control flow of '{around.name}' is unknown", around
    if strategy.out_of_loops and not is_loop(around):
        return f"the enclosing '{around.name}' is not a loop", around
    if not strategy.out_of_loops and is_loop(around):
        return f"the enclosing '{around.name}' is a loop", around
    if not _may_leave(around, uses, strategy, tree, mirrored):
        if around.has_trait(tr.PARALLEL_LOOP):
            return "the iterations run in parallel, and each needs its own", around
        return "it, or a view of it, is carried to the next iteration or out of the loop", around
    return "it is used only there", None


def _may_leave(
    around: Operation,
    uses: Block | None,
    strategy: Strategy,
    tree: BlockTree,
    mirrored: frozenset[Defect],
) -> bool:
    if not strategy.out_of_loops:
        return not is_loop(around)
    block = present(around.block)
    carried = uses is None or tree.is_above(uses, block)
    shared = AFFINE_PARALLEL in mirrored and around.name == "affine.parallel"
    parallel = around.has_trait(tr.PARALLEL_LOOP) and not shared
    return is_loop(around) and not carried and not parallel


class BufferHoisting(Pass):
    """Move each `memref.alloc` up to the nearest common dominator of all uses of the buffer and its views.

        cf.cond_br %c, ^left, ^right                 %n = memref.alloc() : memref<4xf32>
      ^right:                                     => cf.cond_br %c, ^left, ^right
        %n = memref.alloc() : memref<4xf32>        ^right:
        cf.br ^join(%n : memref<4xf32>)              cf.br ^join(%n : memref<4xf32>)

    Allocations stay below the definitions of their sizes, and inside loops. Deallocations do not move, so run
    this pass before they are inserted.
    """

    name = "buffer-hoisting"
    summary = "move allocations out of branches"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        context.count(self.name, "moved", hoist(op, OUT_OF_BRANCHES))


class BufferLoopHoisting(Pass):
    """Move each `memref.alloc` and `memref.alloca` out of the enclosing loops.

        scf.for ... {                              %n = memref.alloc() : memref<4xf32>
          %n = memref.alloc() : memref<4xf32>   => scf.for ... {
          ...                                        ...

    An allocation stays where it is if a view of the buffer is carried to the next iteration or out of the
    loop, if iterations run in parallel, if the loop frees the buffer, or if an external function may retain
    it. It also stays below the definitions of its sizes.
    """

    name = "buffer-loop-hoisting"
    summary = "move allocations out of loops"
    on = "func.func"

    @cached_property
    def _calls(self) -> CallsOfProgram:
        return CallsOfProgram()

    def run(self, op: Operation, context: Context) -> None:
        def kept(freeing: Operation) -> None:
            context.diagnostics.emit(remark(FREED, freeing.name_span, "mlir-22-uses-freed-memory"))

        context.count(self.name, "moved", hoist(op, OUT_OF_LOOPS, context.mirrored, kept, self._calls))


FREED = "each iteration frees this, so it is not hoisted out of the loop, unlike in mlir-opt 22"


# -- `-promote-buffers-to-stack`

INDEX_BITS: Final = 64


class PromoteBuffersToStack(Pass):
    """Turn `memref.alloc` into `memref.alloca` if the buffer is small, is not freed, is not retained by a
    callee, and does not leave its scope.

        %n = memref.alloc() : memref<4xf32>  =>  %n = memref.alloca() : memref<4xf32>

    *Small* means a static size of at most `max-alloc-size-in-bytes`, or a rank of at most
    `max-rank-of-allocated-memref` if all sizes come from `memref.rank`. An external function may retain its
    arguments until the calling function ends. A *scope* is an operation at whose end stack allocations are
    freed; there may be branches but no loops between the scope and the allocation. O(operations + uses), plus
    the views that leave each scope.
    """

    name = "promote-buffers-to-stack"
    summary = "allocate small buffers on the stack"
    on = "func.func"

    max_bytes = number("max-alloc-size-in-bytes", 1024, "maximal static size in bytes")
    max_rank = number("max-rank-of-allocated-memref", 1, "maximal rank of buffers of dynamic size")

    @cached_property
    def _calls(self) -> CallsOfProgram:
        return CallsOfProgram()

    def run(self, op: Operation, context: Context, stayed: Stayed = lambda value, why, at: None) -> None:
        """Promote the allocations of a function; `stayed` is called with the reason for each one left on the heap."""
        flow = ViewFlow(op, mirrored=context.mirrored, through_scalars=True)
        leaving = _Leaving(flow)
        stays: set[Value] = set()
        if FREED_ALREADY not in context.mirrored:
            stays = freed_by_any_name(op, flow)
            stays.update(flow.resolve_back([value for _, value in self._calls.freed(op)]))
        keepers: dict[Value, CallOpInterface] = {}
        if KEPT_BY_CALLEES not in context.mirrored:
            for call, value in self._calls.kept(op):
                keepers.update((name, call) for name in flow.resolve_back([value]))
        escaping = {} if STORED_BUFFERS in context.mirrored else escaping_allocations(op)
        for value, dealloc in allocations(op):
            alloc = value.defining_op
            if not only_allocates(alloc) or not isinstance(alloc, AllocationOp):
                continue
            if dealloc is not None or value in stays:
                stayed(value, "it is freed explicitly, which is not allowed for stack memory", dealloc)
            elif not self._is_small(alloc):
                stayed(value, self._why_not_small(alloc), None)
            elif (scope := _scope(value, leaving)) is None:
                stayed(value, "it, or a view of it, leaves the scope in which it would be on the stack", None)
            elif value in escaping:
                stayed(value, STORED, escaping[value].owner)
            elif value in keepers and not isinstance(scope, FunctionOp):
                stayed(value, KEPT, keepers[value])
            else:
                new = makers.on_stack(alloc)
                if new is None:
                    continue
                assert alloc.block is not None
                alloc.block.insert_before(new, alloc)
                alloc.replace_with(new.results)
                context.count(self.name, "promoted")

    def _why_not_small(self, alloc: AllocationOp) -> str:
        type = alloc.results[0].type
        if (
            isinstance(type, t.MemRefType)
            and type.has_static_shape
            and element_bits(type.element) is not None
        ):
            return f"it takes more than max-alloc-size-in-bytes ({self.max_bytes})"
        return "its size is not constant, or not known to be small"

    def _is_small(self, alloc: AllocationOp) -> bool:
        type = alloc.results[0].type
        if not isinstance(type, t.MemRefType):
            return False
        if type.has_static_shape:
            bits = element_bits(type.element)
            if bits is None:
                return False
            count = 1
            for size in type.shape:
                count *= size or 0
            return count * bits <= self.max_bytes * 8
        return type.rank <= self.max_rank and all(
            isinstance(operand.defining_op, memref.RankOp) for operand in alloc.operands
        )


def element_bits(type: t.Type) -> int | None:
    """The size of one element under MLIR's default data layout; None for other types."""
    if isinstance(type, (t.IntegerType, t.FloatType)):
        return type.width
    if isinstance(type, t.IndexType):
        return INDEX_BITS
    if isinstance(type, t.ComplexType):
        element = element_bits(type.element)
        return None if element is None else 2 * element
    if isinstance(type, t.VectorType):
        element = element_bits(type.element)
        if element is None:
            return None
        for size in type.shape:
            element *= size or 0
        return element
    return None


class _Leaving:
    """The buffers that leave a region through its terminators."""

    def __init__(self, flow: ViewFlow) -> None:
        self._flow = flow
        self._by_region: dict[Region, set[Value]] = {}

    def leaves(self, value: Value, region: Region) -> bool:
        """Whether `value` or a view of it is an operand of a terminator of `region`."""
        found = self._by_region.get(region)
        if found is None:
            passed = [
                operand
                for block in region
                if block.last_op is not None
                and (block.last_op.has_trait(tr.RETURN_LIKE) or leaves_region(block.last_op))
                for operand in block.last_op.operands
            ]
            found = self._by_region[region] = set(self._flow.resolve_back(passed))
        return value in found


def _scope(value: Value, leaving: _Leaving) -> Operation | None:
    """The scope around the allocation, if the buffer does not leave it; else None."""
    region = value.parent_region
    while region is not None:
        around = region.parent_op
        if around is None:
            return None
        if around.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE) and not leaving.leaves(value, region):
            return around
        if is_loop(around) or not is_known_control_flow(around):
            return None
        region = around.parent_region
    return None


# -- `-loop-invariant-code-motion`: hoists loop-invariant operations out of loops.
#
#     scf.for %i = %a to %b step %c {
#       %0 = arith.muli %x, %y : index       =>  %0 = arith.muli %x, %y : index
#       ...                                      scf.for %i = %a to %b step %c { ...
#
# An operation is hoisted if its operands, and those of its nested operations, are defined outside the loop, it has no
# memory effects, and it is *speculatable*, that is, may run even if the loop body does not. A division is
# speculatable if the divisor is a constant other than 0 (and, if signed, other than -1); `dim` if the dimension is a
# constant in bounds; an operation with regions if all nested operations are. What may divide by 0, or access elements
# of a tensor that do not exist, is hoisted only out of loops that surely run. Inner loops come first, so an operation
# may leave several loops.


class LoopInvariantCodeMotion(Pass):
    """Move invariant operations out of loops. O(operations * loop depth)."""

    name = "loop-invariant-code-motion"
    summary = "move loop-invariant operations out of loops"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        touched: set[Operation] = set()
        for loop in list(op.walk_post_order()):
            for region in loop.loop_regions if isinstance(loop, LoopLikeOp) else ():
                moved = _empty_of_invariants(loop, region, context.mirrored)
                touched.update(moved)
                if moved:
                    touched.add(loop)
                context.count(self.name, "num-hoisted", len(moved))
        for moved_op in list(touched):
            touched.update(moved_op.walk() if moved_op.regions else ())
        context.note_touched(touched)


def _empty_of_invariants(loop: Operation, region: Region, mirrored: frozenset[Defect]) -> list[Operation]:
    """Hoist invariant operations from `region`, a body of `loop`; returns them in order."""
    moved: list[Operation] = []
    waiting = deque(region.ops())
    while waiting:
        op = waiting.popleft()
        if op.parent_region is not region or not is_invariant(op, region, mirrored=mirrored):
            continue
        op.move_before(loop)
        moved.append(op)
        waiting.extend(user for result in op.results for user in result.users if user.parent_region is region)
    return moved


def is_invariant(
    op: Operation,
    loop_body: Region,
    others: Container[Operation | None] = (),
    mirrored: frozenset[Defect] = SOUND,
) -> bool:
    """Whether `op` may be hoisted, given the invariant operations `others`. O(operations inside)."""
    if op.may_be_terminator or not is_memory_effect_free(op) or not is_speculatable(op):
        return False
    if MERGED_BUFFERS not in mirrored and makes_stored_buffer(op):
        return False  # each iteration has its own
    if SPECULATED_OPERATIONS not in mirrored and may_be_undefined(op) and not surely_runs(op):
        return False
    for inner in op.walk():
        for use in inner.op_operands:
            value = use.value
            region = value.parent_region
            if not loop_body.is_ancestor_of(region) or value.defining_op in others:
                continue  # defined outside the loop
            if not any(around.is_ancestor_of(region) for around in op.regions):
                return False
    return True
