"""Reorders operations of a block, where dependences allow, to lower the peak.

An operation stays behind another one if it uses its results, or if one of them writes what the other reads or writes: a buffer
allocated in the function is a thing of its own, all other memory is one. What does not say what it does to memory stays
where it is with respect to all that touches memory. Only blocks that use planned buffers of their own are looked at, and
an order is kept only if it lowers the peak of the function.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.memory_plan.buffers import Buffer, bound_of
from ...analysis.memory_plan.layout import Amount
from ...analysis.memory_plan.lives import Life, Lives
from ...analysis.memory_plan.order import Tasks, best_order
from ...analysis.origins import ViewFlow, is_allocation, is_buffer
from ...dialects import memref
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import ALLOCATE, FREE, READ, FunctionOp, ViewLikeOp, memory_effects


def reorder(function: FunctionOp, extent: int) -> int:
    """Reorder the blocks of a function; how many were changed. O(operations) for each block that could gain."""
    lives = Lives(function)
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
        lower = _peak(Lives(function), extent)
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
    end = block.last_op
    assert end is not None
    for op in order:
        if op is not end:
            op.move_before(end)


def _new_order(block: Block, found: list[Life], lives: Lives, extent: int) -> list[Operation] | None:
    """The operations of a block in an order with a lower peak, the last one last."""
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
    # of each operation, the tasks that it needs; those of its tasks are in the sets of what they need
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
    """All operations: each that is no task right before the first that needs it, frees as soon as may be."""
    done: set[int] = set()
    result: list[int] = []
    frees = [i for i, op in enumerate(ops) if isinstance(op, memref.DeallocOp)]

    def emit(wanted: int) -> None:
        waiting = [wanted]
        while waiting:
            i = waiting[-1]
            missing = [other for other in before[i] if other not in done]
            if missing:
                waiting += missing[::-1]
                continue
            waiting.pop()
            if i not in done:
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
    """For each operation the earlier ones that it must stay behind."""
    writer: dict[object, int] = {}
    readers: dict[object, list[int]] = {}
    barrier: int | None = None
    touching: list[int] = []
    found: list[list[int]] = []
    for i, op in enumerate(ops):
        behind: set[int] = set()
        for nested in op.walk():
            for operand in nested.operands:
                source = operand.defining_op
                user = source.ancestor_in_block(op.block) if source is not None else None
                if user is not None and user is not op and number[user] < i:
                    behind.add(number[user])
        known = _places(op, flow)
        if known is None:
            behind.update(touching)
            if barrier is not None:
                behind.add(barrier)
            barrier, touching = i, []
            writer.clear()
            readers.clear()
        elif known[0] or known[1]:
            reads, writes = known
            if barrier is not None:
                behind.add(barrier)
            for place in reads:
                if place in writer:
                    behind.add(writer[place])
                readers.setdefault(place, []).append(i)
            for place in writes:
                if place in writer:
                    behind.add(writer[place])
                behind.update(reader for reader in readers.pop(place, ()) if reader != i)
                writer[place] = i
            touching.append(i)
        found.append(sorted(behind))
    return found


def _places(op: Operation, flow: ViewFlow) -> tuple[set[object], set[object]] | None:
    """What an operation reads and what it writes or frees; None if it does not say."""
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
