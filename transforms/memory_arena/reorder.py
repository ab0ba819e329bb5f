"""Reorders operations under their dependences to lower the peak: buffers within a block, tensors into branches and
out of loops.

An operation stays after another one if it uses its results, or if one writes what the other reads or writes. Each
buffer allocated in the function is a memory location of its own; all other memory is one location. An operation
with unknown effects keeps its position relative to all memory accesses. Only blocks that use planned buffers of
their own are considered, and an order is kept only if it lowers the peak of the function.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.cost_model import CostModel
from ...analysis.fixpoint import needed_first
from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.memory_plan.buffers import Buffer, bound_of
from ...analysis.memory_plan.layout import Amount
from ...analysis.memory_plan.lives import Life, Lives
from ...analysis.memory_plan.order import Tasks, best_order
from ...analysis.moving import BORDERS, is_movable, values_used
from ...analysis.origins import ViewFlow, is_buffer
from ...dialects import arith, memref
from ...ir.program.core import Block, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    FunctionOp,
    LoopLikeOp,
    RegionBranchOp,
    ViewLikeOp,
    is_allocation,
    memory_effects,
)
from ...ir.source.diagnostics import present
from ...ir.types import types as t
from ..buffer_optimizations import is_invariant


def reorder(function: FunctionOp, extent: int, calls: CallsOfProgram) -> int:
    """Reorder the blocks of a function; how many were changed. O(operations) for each block that could gain."""
    lives = Lives(function, calls)
    peak = _peak(lives, extent)
    homes: dict[Block, list[Life]] = {}
    for life in lives.buffers:
        block = life.value.parent_block
        if block is not None and not life.obstacle and life.end > life.begin:
            homes.setdefault(block, []).append(life)
    changed = 0
    for block, found in homes.items():
        if len(found) < 2:
            continue
        before = list(block)
        after = _new_order(block, found, lives, extent)
        if after is None:
            continue
        _arrange(block, after)
        lower = _peak(Lives(function, calls), extent)
        if lower < peak:
            peak = lower
            changed += 1
        else:
            _arrange(block, before)
    return changed


def _peak(lives: Lives, extent: int) -> int:
    return bound_of(
        [
            Buffer(life.begin, life.end, _bytes(life.amount, extent))
            for life in lives.buffers
            if not life.obstacle and life.amount is not None
        ]
    )


def _bytes(amount: Amount | None, extent: int) -> int:
    return amount.with_extents(lambda value: extent) if amount is not None else 0


def _arrange(block: Block, order: list[Operation]) -> None:
    end = present(block.last_op)
    for op in order:
        if op is not end:
            op.move_before(end)


def _new_order(block: Block, found: list[Life], lives: Lives, extent: int) -> list[Operation] | None:
    """The operations of a block in an order with a lower peak; the terminator stays last."""
    ops = list(block)
    flow = ViewFlow(lives.function, conservative=True)
    number = {op: i for i, op in enumerate(ops)}
    uses: list[set[int]] = [set() for _ in ops]
    for i, life in enumerate(found):
        for name in flow.resolve(life.value):
            for use in name.uses:
                user = use.owner.ancestor_in_block(block)
                if user is None:
                    return None
                looks = isinstance(use.owner, ViewLikeOp) and use.owner is user and use.index == 0
                if not looks and not isinstance(use.owner, memref.DeallocOp):
                    uses[number[user]].add(i)
    before = _dependences(ops, number, flow)
    tasks = [i for i in range(len(ops) - 1) if uses[i]]
    place = {i: task for task, i in enumerate(tasks)}
    # the tasks each operation needs, directly; transitive needs are in the sets of those tasks
    needs: list[set[int]] = []
    for i in range(len(ops)):
        needed: set[int] = set()
        for other in before[i]:
            if other in place:
                needed.add(place[other])
            else:
                needed |= needs[other]
        needs.append(needed)
    sizes = [_bytes(life.amount, extent) for life in found]
    order = best_order(
        Tasks([sorted(needs[i]) for i in tasks], [sorted(uses[i]) for i in tasks], sizes)
    ).order
    if order is None:
        return None
    return [ops[i] for i in _with_the_others([tasks[task] for task in order], before, ops)]


def _with_the_others(order: Iterable[int], before: list[list[int]], ops: list[Operation]) -> list[int]:
    """The order extended to all operations: non-tasks right before their first user, deallocations as early as
    possible."""
    done: set[int] = set()
    result: list[int] = []
    frees = [i for i, op in enumerate(ops) if isinstance(op, memref.DeallocOp)]

    def emit(wanted: int) -> None:
        for i in needed_first(wanted, done, lambda i: reversed(before[i])):
            done.add(i)
            result.append(i)

    for i in order:
        emit(i)
        for free in frees:
            if free not in done and all(other in done for other in before[free]):
                emit(free)
    for i in range(len(ops)):
        emit(i)
    return result


OUTSIDE = "outside"
"""All memory that is not a buffer allocated in the function."""


def _dependences(ops: list[Operation], number: dict[Operation, int], flow: ViewFlow) -> list[list[int]]:
    """For each operation the earlier ones that must precede it."""
    writer: dict[object, int] = {}
    readers: dict[object, list[int]] = {}
    barrier: int | None = None
    touching: list[int] = []
    found: list[list[int]] = []
    for i, op in enumerate(ops):
        after: set[int] = set()
        for nested in op.walk():
            for operand in nested.operands:
                source = operand.defining_op
                user = source.ancestor_in_block(op.block) if source is not None else None
                if user is not None and user is not op and number[user] < i:
                    after.add(number[user])
        known = _places(op, flow)
        if known is None:
            after.update(touching)
            if barrier is not None:
                after.add(barrier)
            barrier, touching = i, []
            writer.clear()
            readers.clear()
        elif known[0] or known[1]:
            reads, writes = known
            if barrier is not None:
                after.add(barrier)
            for place in reads:
                if place in writer:
                    after.add(writer[place])
                readers.setdefault(place, []).append(i)
            for place in writes:
                if place in writer:
                    after.add(writer[place])
                after.update(reader for reader in readers.pop(place, ()) if reader != i)
                writer[place] = i
            touching.append(i)
        found.append(sorted(after))
    return found


def _places(op: Operation, flow: ViewFlow) -> tuple[set[object], set[object]] | None:
    """The locations that an operation reads, and those it writes or frees; None if unknown."""
    effects = memory_effects(op)
    if effects is None:
        return None
    reads: set[object] = set()
    writes: set[object] = set()
    for effect in effects:
        if effect.kind == ALLOCATE:
            continue
        if effect.value is None:
            return None
        places = _origins(effect.value, flow)
        (reads if effect.kind == READ else writes).update(places)
        if effect.kind == FREE:
            writes.update(places)
    return reads, writes


def _origins(value: Value, flow: ViewFlow) -> list[object]:
    if not is_buffer(value):
        return [OUTSIDE]
    roots = [v for v in flow.resolve_back([value]) if v in flow.terminals]
    return [root if is_allocation(root) else OUTSIDE for root in roots] or [OUTSIDE]


# -- across regions, on tensors


def move_across_regions(function: FunctionOp, weights: CostModel) -> bool:
    """Move operations to where less memory is live; returns whether any moved. O(operations * depth).

    An operation used in only one branch is sunk into it. A loop-invariant operation whose source tensors have no
    other use in or after the loop is hoisted, if the sources take more bytes than the result that the loop reads
    instead. A function with casts between tensors and buffers is left alone, since moves could reorder effects.
    """
    moved = False
    if any(op.name in BORDERS for op in function.walk()):
        return False
    for op in reversed([*function.walk()]):
        is_on_tensors = any(t.is_tensor(value.type) for value in (*op.operands, *op.results))
        if is_on_tensors and not isinstance(op, arith.ConstantOp) and is_movable(op):
            first = _first_in_branch(op)
            if first is not None:
                op.move_before(first)
                moved = True
    for loop in [*function.walk_post_order()]:
        for region in loop.loop_regions if isinstance(loop, LoopLikeOp) else ():
            for op in _worth_hoisting(loop, region, weights):
                op.move_before(loop)
                moved = True
    return moved


def _first_in_branch(op: Operation) -> Operation | None:
    """The first user of the results of `op` if all users are in one branch that runs at most once, as deeply
    nested as possible."""
    users = [use.owner for result in op.results for use in result.uses]
    block, found = op.block, None
    while users and block is not None:
        inside = {holder: None for user in users if (holder := user.ancestor_in_block(block)) is not None}
        if block is not op.block:
            found = min(inside, key=lambda each: each.position)
        around = next(iter(inside), None)
        if len(inside) != 1 or not isinstance(around, RegionBranchOp) or isinstance(around, LoopLikeOp):
            break
        regions = [
            each for each in around.regions for user in users if each.is_ancestor_of(user.parent_region)
        ]
        region = regions[0] if len(regions) == len(users) and len(set(regions)) == 1 else None
        block = region.entry if region and region.has_one_block and not around.is_repetitive(region) else None
    return found


def _worth_hoisting(loop: Operation, region: Region, weights: CostModel) -> list[Operation]:
    """The loop-invariant operations that read tensors dying in the loop, with the invariant operations connected to
    them by def-use chains, if hoisting saves bytes."""
    invariant: dict[Operation, None] = {}
    for op in region.ops():
        if is_movable(op) and is_invariant(op, region, invariant):
            invariant[op] = None
    read_by = {op: dict.fromkeys(values_used(op)) for op in invariant}

    def user(use: OpOperand) -> Operation:
        return use.owner.ancestor_in_region(region) or use.owner

    def is_last_read(value: Value) -> bool:
        maker = value.defining_op
        if maker is None or isinstance(maker, arith.ConstantOp) or region.is_ancestor_of(maker.parent_region):
            return False
        users = [user(use) for use in value.uses]
        around = [None if op in invariant else op.ancestor_in_block(loop.block) for op in users]
        return all(op is None or (op is not loop and op.is_before_in_block(loop)) for op in around)

    freed = dict.fromkeys(
        v for read in read_by.values() for v in read if t.is_tensor(v.type) and is_last_read(v)
    )
    hoisted: set[Operation] = set()
    waiting = [op for op in invariant if any(value in freed for value in read_by[op])]
    while waiting:
        op = waiting.pop()
        if op in invariant and op not in hoisted:
            hoisted.add(op)
            waiting += [user(use) for result in op.results for use in result.uses]
            waiting += [value.defining_op for value in read_by[op] if value.defining_op is not None]
    kept = [
        result
        for op in hoisted
        for result in op.results
        if t.is_tensor(result.type) and any(user(use) not in hoisted for use in result.uses)
    ]
    saved = sum(weights.bytes_of(value) for value in freed) - sum(weights.bytes_of(value) for value in kept)
    return [op for op in invariant if op in hoisted] if saved > 0 else []
