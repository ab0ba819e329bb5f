"""Legality of moving operations: what must move along, and whether a read can move before the write that clobbers it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile

from ..dialects import linalg
from ..ir.program import traits as tr
from ..ir.program.core import Block, BlockArgument, Operation, OpOperand, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp, is_memory_effect_free
from ..ir.program.symbols import SymbolTable
from ..ir.types.attributes import SymbolRefAttr
from .graphs import block_graph
from .models.base import owner_of

MAX_MOVED = 8
"""Operations that one suggestion may move; more would not be a simple change."""


def _is_index(op: Operation) -> bool:
    return op.dialect == "linalg" and isinstance(op, linalg.IndexOp)


def is_movable(op: Operation) -> bool:
    """Whether an operation computes the same wherever its operands are available; not so `linalg.index`, for example."""
    if op.may_be_terminator or not op.is_registered or op.successors or _is_index(op):
        return False
    return is_memory_effect_free(op) or (isinstance(op, CallOpInterface) and _calls_only_pure(op))


MAX_CALLED = 100
"""Operations of callees that are examined; beyond them a call counts as having effects."""


def _calls_only_pure(call: Operation) -> bool:
    """Whether a call is pure and on tensors and scalars, including its transitive callees. O(MAX_CALLED)."""
    waiting, seen, left = [call], set[Operation](), MAX_CALLED
    while waiting:
        callee = _callee(waiting.pop())
        if callee is None or callee in seen or callee.is_declaration or not callee.body.has_one_block:
            return False  # recursion may not terminate
        seen.add(callee)
        for op in callee.body.entry:
            left -= 1
            nested = [inner for inner in op.walk() if isinstance(inner, CallOpInterface)]
            if left < 0 or (nested and nested != [op]) or op.name in BORDERS:
                return False
            if nested:
                waiting.append(op)
            elif op is not callee.body.entry.last_op and not is_movable(op):
                return False
    return True


BORDERS = frozenset(("bufferization.to_tensor", "bufferization.to_buffer"))
"""Operations without effects whose results nevertheless depend on memory."""


def _callee(call: Operation) -> FunctionOp | None:
    root = call
    while root.parent_op is not None and not root.has_trait(tr.SYMBOL_TABLE):
        root = root.parent_op
    name = call.properties.get("callee")
    found = SymbolTable(root).lookup(name.root) if isinstance(name, SymbolRefAttr) else None
    return found if isinstance(found, FunctionOp) else None


def needed_before(ops: Iterable[Operation], anchor: Operation) -> list[Operation] | None:
    """`ops` and their transitive operands after `anchor` in its block, in program order.

    None if they cannot be moved before `anchor`: they depend on it, have effects, or are too many.
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
        for value in values_used(op):
            owner = value.defining_op
            if owner is None:
                continue
            ancestor = owner.ancestor_in_block(block)
            if ancestor is None or ancestor is op:
                continue
            if ancestor is anchor:
                return None
            if anchor.is_before_in_block(ancestor):
                pending.append(ancestor)
    return _in_order(found)


def movable_before(op: Operation, anchors: Iterable[Operation]) -> list[Operation]:
    """The `anchors`, operations of the same block, for which `needed_before([op], anchor)` is not None. O(MAX_MOVED + anchors).

    What `op` depends on is followed upwards in the block, to the first operation that has to stay.
    """
    moved: set[Operation] = set()
    pending = [op]
    while pending:
        latest = max(pending, key=_position)
        pending = [other for other in pending if other is not latest]
        if not is_movable(latest) or len(moved) >= MAX_MOVED:
            return [anchor for anchor in anchors if anchor not in moved and latest.is_before_in_block(anchor)]
        moved.add(latest)
        for value in values_used(latest):
            owner = value.defining_op
            ancestor = None if owner is None else owner.ancestor_in_block(op.block)
            if ancestor is not None and ancestor not in moved:
                pending.append(ancestor)
    return [anchor for anchor in anchors if anchor not in moved]


def dependents_until(op: Operation, last: Operation) -> list[Operation] | None:
    """`op` and its transitive users up to `last` in its block; None if `last` is one, or some operation cannot be moved."""
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
                ancestor = user.ancestor_in_block(block)
                if ancestor is None:
                    return None
                if ancestor is last:
                    return None
                if ancestor.is_before_in_block(last):
                    pending.append(ancestor)
    return _in_order(found)


def values_used(op: Operation) -> Iterable[Value]:
    """The operands of an operation and of those in its regions."""
    for nested in op.walk() if op.regions else (op,):
        yield from nested.operands


def _in_order(ops: Iterable[Operation]) -> list[Operation]:
    return sorted(ops, key=_position)


def _position(op: Operation) -> int:
    return op.position


# Whether a read could be moved before the write that clobbers its value.

MAX_DEPENDENTS = 2000
"""Operations followed from a write to decide whether a read depends on it; beyond them it counts as dependent."""


def could_come_first(read: OpOperand, write: OpOperand, most: int = MAX_DEPENDENTS) -> bool:
    """Whether dataflow allows the read to run before the write: it follows in the same block without depending on it.

    Effects are not checked. O(most).
    """
    if read.owner is write.owner or read.owner.block is not write.owner.block:
        return False
    if read.owner.is_before_in_block(write.owner) or read.owner.may_be_terminator:
        return False
    return not depends_on(read.owner, write.owner, most)


def depends_on(op: Operation, other: Operation, most: int = MAX_DEPENDENTS) -> bool:
    """Whether `op` depends on `other` through operations of their block. True if there are more than `most`."""
    block = other.block
    pending, seen = [other], {other}
    while pending:
        current = pending.pop()
        for result in current.results:
            for user in result.users:
                inside = user.ancestor_in_block(block)
                if inside is op:
                    return True
                if inside is not None and inside not in seen:
                    if len(seen) > most:
                        return True
                    seen.add(inside)
                    pending.append(inside)
    return False


def dependent_sets(block: Block, wanted: Sequence[Operation]) -> dict[Operation, int]:
    """By operation of the block, which of the `wanted` ones are it or depend on it, as a bit set of their positions.

    Operations with an empty set are left out. O(uses * wanted / word size): one pass from the end of the block.
    """
    found: dict[Operation, int] = {}
    for i, op in enumerate(wanted):
        found[op] = found.get(op, 0) | 1 << i
    for op in reversed(block):
        reached = found.get(op, 0)
        for result in op.results:
            for use in result.uses:
                inside = use.owner.ancestor_in_block(block)
                if inside is not None:
                    reached |= found.get(inside, 0)
        if reached:
            found[op] = reached
    return found


def is_bound_to_follow(read: OpOperand, write: OpOperand, most: int = MAX_DEPENDENTS) -> bool:
    """Whether no code motion can place the read before the write, neither hoisting it nor moving its parents.

    If it already comes first in a loop, that means before the loop. True is a proof; effects are not checked. O(depth^2 * most).
    """
    moved: Operation | None = read.owner
    if moved is write.owner:
        return True
    while moved is not None and not isinstance(moved, FunctionOp) and not moved.is_ancestor_of(write.owner):
        block = None if moved.may_be_terminator else moved.block
        while block is not None:
            own, other = moved.ancestor_in_block(block), write.owner.ancestor_in_block(block)
            assert own is not None
            if other is None and block.region is not None and not block.region.has_one_block:
                return False  # between blocks, nothing is followed
            if (
                other is not None
                and (own is other or other.is_before_in_block(own))
                and not _needs(moved, other, most)
            ):
                return False
            around = block.parent_op
            block = None if around is None or isinstance(around, FunctionOp) else around.block
        moved = moved.parent_op
    return True


MAX_BETWEEN = 100
"""Operations between two points that are examined; beyond them the second might not be reached."""


def is_bound_to_reach(anchor: Operation, later: Operation) -> bool:
    """Whether control that reaches `anchor` reaches `later`, in another block of its region, too. O(MAX_BETWEEN).

    No path ends before, none repeats, and nothing in between might stop the program or run forever.
    """
    region, block = anchor.parent_region, anchor.block
    if region is None or block is None or region is not later.parent_region or block is later.block:
        return False
    if block_graph(region).has_cycle:
        return False
    between = list(dropwhile(lambda op: op is not anchor, block))[1:]
    pending, seen = list(block.successors), {block}
    while pending and len(between) <= MAX_BETWEEN:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if current is later.block:
            between += takewhile(lambda op: op is not later, current)
        elif not current.successors:
            return False
        else:
            pending += current.successors
            between += current
    return len(between) <= MAX_BETWEEN and all(map(_is_bound_to_end, between))


def _is_bound_to_end(op: Operation) -> bool:
    """Whether an operation has no effects and ends, or is one that branches."""
    if op.regions and not isinstance(op, linalg.LinalgOp):
        return False
    return bool(op.successors) or is_memory_effect_free(op)


def _needs(moved: Operation, other: Operation, most: int) -> bool:
    """Whether `moved` and its operands cannot be moved before `other`, an operation of an enclosing block."""
    block = other.block
    pending, seen = [moved], {moved}
    while pending:
        current = pending.pop()
        for value in _used_from_outside(current):
            source = owner_of(value)
            inside = source.ancestor_in_block(block)
            if inside is None or (inside is not other and inside.is_before_in_block(other)):
                continue  # it is there already
            if isinstance(value, BlockArgument) or source is other:
                return True
            if source not in seen:
                seen.add(source)
                pending.append(source)
        if len(seen) > most:
            return False  # nothing is proved
    return False


def _used_from_outside(op: Operation) -> list[Value]:
    return [
        use.value
        for inner in op.walk()
        for use in inner.op_operands
        if inner is op or not op.is_ancestor_of(owner_of(use.value))
    ]
