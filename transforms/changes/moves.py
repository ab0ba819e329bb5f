"""Moves of side-effect-free operations: reads before a clobbering write, writes behind their last reader.

An operation without effects computes the same wherever its operands are defined, so moving it with what it needs keeps
what the program computes. Where it would then run although it did not before (out of a loop or a branch), it must be valid for any
operands: else the change is only `MAYBE` applicable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...analysis.conflicts import Reason
from ...analysis.graphs import block_graph
from ...analysis.moving import MAX_MOVED, dependents_until, is_movable
from ...analysis.nested_dominance import is_defined_at
from ...dialects import tensor
from ...dialects.common import constant_index
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import CallOpInterface, LoopLikeOp, SubsetExtractionOp
from ...ir.types.attributes import SymbolRefAttr
from .change import Applicability, Change, Target


def needed_at(ops: Iterable[Operation], place: Operation, at_most: int = MAX_MOVED) -> list[Operation] | None:
    """`ops` and what they need that has to move so that they can stand before `place`, each after what it needs.

    None if something may not move: it has effects, depends on `place` or on an argument that is not defined there, or is more than
    `at_most` operations. O(operations moved * depth).
    """
    found: dict[Operation, None] = {}
    pending: list[tuple[Operation, bool]] = [(op, False) for op in reversed(list(ops))]
    while pending:
        op, is_ready = pending.pop()
        if is_ready:
            found[op] = None
            continue
        if op in found:
            continue
        if op.is_ancestor_of(place) or not is_movable(op) or len(found) >= at_most:
            return None
        pending.append((op, True))
        for value in _values_from_outside(op):
            if is_defined_at(value, place):
                continue
            owner = value.defining_op
            if owner is None:
                return None
            pending.append((owner, False))
    moved = list(found)
    if len({op.block for op in moved}) == 1:
        moved.sort(key=lambda op: op.position)
    return moved


def _values_from_outside(op: Operation) -> Iterator[Value]:
    if not op.regions:
        yield from op.operands
        return
    for nested in op.walk():
        for value in nested.operands:
            region = value.parent_region
            if region is None or not op.is_ancestor_of(region.parent_op):
                yield value


class MoveBefore(Change):
    """Operations that read an old value, before the write that destroys it."""

    name = "move"

    def __init__(
        self,
        reads: Sequence[Operation],
        anchor: Operation,
        title: str,
        applicability: Applicability = Applicability.SAFE,
    ) -> None:
        super().__init__(anchor, title)
        self.reads = list(reads)
        self.applicability = applicability

    def apply(self, program: Target) -> bool:
        reads, anchor = program.ops(self.reads), program.op(self.place)
        if reads is None or anchor is None or anchor.block is None:
            return False
        moved = needed_at([op for op in reads if not _is_before(op, anchor)], anchor)
        for op in moved or ():
            op.move_before(anchor)
        program.moved.update(moved or ())
        return bool(moved)


class MoveAfter(Change):
    """A write, and what needs its result, behind the last operation that reads the old value."""

    name = "move"

    def __init__(self, write: Operation, last: Operation, title: str) -> None:
        super().__init__(write, title)
        self.last = last

    def apply(self, program: Target) -> bool:
        write, last = program.op(self.place), program.op(self.last)
        if (
            write is None
            or last is None
            or write.block is not last.block
            or not write.is_before_in_block(last)
        ):
            return False
        moved = dependents_until(write, last)
        for op in reversed(moved or ()):
            op.move_after(last)
        program.moved.update(moved or ())
        return bool(moved)


def reads_moved_up(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """All reads of the old value before the write that destroys it, in one block. O(reads)."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        reads = _readers(conflicts, write)
        anchor = write.ancestor_in_block(reads[0].block)
        if anchor is None or not all(_is_behind(read, anchor) for read in reads):
            continue
        if needed_at(reads, anchor):
            yield MoveBefore(reads, anchor, f"move {_listed(reads)} up, before {_named(anchor)} writes")


def reads_hoisted(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """Reads in a loop of what does not change from iteration to iteration, before the loop."""
    by_loop: dict[Operation, dict[Operation, None]] = {}
    for conflict in conflicts:
        loop = conflict.write.owner if isinstance(conflict.write.owner, LoopLikeOp) else conflict.loop
        if loop is None or conflict.read is None or not loop.is_proper_ancestor_of(conflict.read.owner):
            return
        by_loop.setdefault(loop, {})[conflict.read.owner] = None
    for loop, reads in by_loop.items():
        moved = needed_at(reads, loop)
        if not moved or any(op.regions for op in moved):
            continue
        yield _speculated(moved, reads, loop, f"before '{loop.name}': it reads the same each time")


def reads_before_branches(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """Reads behind a branch on one side of which the old value is destroyed, to the end of a block before the branch."""
    by_anchor: dict[Operation, dict[Operation, None]] = {}
    for conflict in conflicts:
        if conflict.read is None or not is_movable(conflict.read.owner):
            continue
        anchor = _last_before_both(conflict.read.owner, conflict.write.owner)
        if anchor is None:
            return
        by_anchor.setdefault(anchor, {})[conflict.read.owner] = None
    for anchor, reads in by_anchor.items():
        moved = needed_at(reads, anchor)
        if moved and not any(op.regions for op in moved):
            yield _speculated(
                moved, reads, anchor, f"before '{anchor.name}', where nothing is overwritten yet"
            )


def _last_before_both(read: Operation, write: Operation) -> Operation | None:
    """The end of the closest block that comes before the blocks of both, if these are not one. O(depth of dominators)."""
    region = read.parent_region
    other = write.ancestor_in_region(region)
    if (
        region is None
        or other is None
        or other.block is None
        or other.block is read.block
        or read.block is None
    ):
        return None
    tree = block_graph(region).dominators
    block: Block | None = read.block
    while block is not None and (
        block is read.block or block is other.block or not tree.dominates(block, other.block)
    ):
        block = tree.immediate_dominator(block)
    return block.last_op if block is not None else None


def _speculated(
    moved: Sequence[Operation], reads: Iterable[Operation], anchor: Operation, where: str
) -> MoveBefore:
    """A move to where an operation may run although it did not before."""
    is_certain = all(is_speculatable(op) for op in moved)
    title = f"move {_listed(list(reads))} {where}"
    if is_certain:
        return MoveBefore(list(reads), anchor, title)
    return MoveBefore(
        list(reads),
        anchor,
        f"if it is valid even where control does not reach it, {title}",
        Applicability.MAYBE,
    )


def is_speculatable(op: Operation) -> bool:
    """Whether an operation without effects may run where it did not: it accesses static sizes by constants, or nothing."""
    if not isinstance(op, tensor.ExtractOp):
        return not isinstance(op, SubsetExtractionOp)
    shape = getattr(op.operands[0].type, "shape", None)
    indices = [constant_index(index) for index in op.operands[1:]]
    return shape is not None and all(
        index is not None and extent is not None and 0 <= index < extent
        for index, extent in zip(indices, shape, strict=True)
    )


def write_moved_down(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """The write behind the last read, if nothing between needs its result."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        readers = _readers(conflicts, write)
        around = [reader.ancestor_in_block(write.block) for reader in readers]
        if any(op is None or op is write for op in around):
            continue
        last = max((op for op in around if op is not None), key=lambda op: op.position)
        if last.may_be_terminator or not write.is_before_in_block(last) or not dependents_until(write, last):
            continue
        yield MoveAfter(write, last, f"move '{write.name}' down, behind the last read of the old value")


def _readers(conflicts: Iterable[Reason], write: Operation) -> list[Operation]:
    """The operations that read what `write` destroys, each once."""
    return list(
        dict.fromkeys(c.read.owner for c in conflicts if c.write.owner is write and c.read is not None)
    )


def _is_behind(op: Operation, anchor: Operation) -> bool:
    return op.block is anchor.block and op is not anchor and anchor.is_before_in_block(op)


def _is_before(op: Operation, anchor: Operation) -> bool:
    return op.block is anchor.block and op.is_before_in_block(anchor)


def _listed(ops: Sequence[Operation]) -> str:
    return _named(ops[0]) if len(ops) == 1 else f"the {len(ops)} operations that read the old value"


def _named(op: Operation) -> str:
    callee = op.properties.get("callee") if isinstance(op, CallOpInterface) else None
    return f"'{op.name}' of {callee}" if isinstance(callee, SymbolRefAttr) else f"'{op.name}'"
