"""What has to move along if an operation moves: what it needs, or what needs it, as far as all of that may move.

An operation may move if it computes the same wherever its operands are available: it has no effect, and is no terminator. So a
move that these functions allow keeps what the program computes.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..dialects.linalg.generic import IndexOp
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import is_memory_effect_free

MAX_MOVED = 8
"""A suggestion that moves more operations than this is no longer a simple change."""


def is_movable(op: Operation) -> bool:
    """Whether an operation computes the same wherever its operands are available: the index of an element is another elsewhere."""
    if op.may_be_terminator or not op.is_registered or op.successors or isinstance(op, IndexOp):
        return False
    return is_memory_effect_free(op)


def needed_before(ops: Iterable[Operation], anchor: Operation) -> list[Operation] | None:
    """`ops` and what they need, of what stands behind `anchor` in its block; in program order.

    None if that cannot be moved before `anchor`: it depends on `anchor`, has effects, or is too much.
    """
    block = anchor.block
    found: dict[Operation, None] = {}
    pending = list(ops)
    while pending:
        op = pending.pop()
        if op in found:
            continue
        if op is anchor or op.block is not block or not is_movable(op) or len(found) >= MAX_MOVED:
            return None
        if not anchor.is_before_in_block(op):
            continue
        found[op] = None
        for value in _values_used(op):
            owner = value.defining_op
            if owner is None:
                continue
            holder = owner.ancestor_in_block(block)
            if holder is None or holder is op:
                continue
            if holder is anchor:
                return None
            if anchor.is_before_in_block(holder):
                pending.append(holder)
    return _in_order(found)


def dependents_until(op: Operation, last: Operation) -> list[Operation] | None:
    """`op` and what depends on it up to `last` in its block; None if `last` does, or something cannot be moved."""
    block = op.block
    if last.block is not block:
        return None
    found: dict[Operation, None] = {}
    pending = [op]
    while pending:
        current = pending.pop()
        if current in found:
            continue
        if current is last or not is_movable(current) or len(found) >= MAX_MOVED:
            return None
        found[current] = None
        for result in current.results:
            for user in result.users:
                holder = user.ancestor_in_block(block)
                if holder is None:
                    return None
                if holder is last:
                    return None
                if holder.is_before_in_block(last):
                    pending.append(holder)
    return _in_order(found)


def _values_used(op: Operation) -> Iterable[Value]:
    for nested in op.walk() if op.regions else (op,):
        yield from nested.operands


def _in_order(ops: Iterable[Operation]) -> list[Operation]:
    return sorted(ops, key=lambda op: op.position)
