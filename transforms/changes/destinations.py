"""Changes of destinations, and moves of operations without side effects.

A change of a destination replaces an out-of-place use, or the destination of the operation that defines its value. Only contents
that are never read are replaced, so the program computes the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.causes import Cause, CauseKind
from ...analysis.graphs import block_graph, is_defined_at, reverse_postorder
from ...analysis.moving import MAX_MOVED, dependents_until, is_bound_to_reach, is_movable
from ...analysis.naming import value_name
from ...analysis.one_shot.definitions import same_slice
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.one_shot.regions_of_memory import MemoryRegions
from ...analysis.one_shot.result import Reason
from ...analysis.sizes import Sizes
from ...dialects import tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import (
    CallOpInterface,
    DestinationStyleOp,
    FunctionOp,
    LoopLikeOp,
    SubsetExtractionOp,
    SubsetInsertionOp,
)
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...ir.types.attributes import SymbolRefAttr
from ..fewest_copies.destination_passing import build_in_place, sites
from ..fewest_copies.overwritten import empty_overwritten, is_overwritten
from ..fewest_copies.rematerialize import erase_dead, recipe, rematerialize_copied
from . import Applicability, Change, Target

if TYPE_CHECKING:
    from ...analysis.one_shot.result import AnalysisResult


MAX_SLICES = 4
"""Other uses of the copied tensor that may be slices inserted elsewhere."""
MAX_CHAIN = 8
"""Operations followed from extracting a slice to inserting it again."""


class ChangeOfUse(Change):
    """A change at one operand."""

    def __init__(self, use: OpOperand, title: str) -> None:
        super().__init__(use.owner, title)
        self.use = use

    def apply(self, program: Target) -> bool:
        use = program.operand(self.use)
        return use is not None and self.change(use, program)

    def change(self, use: OpOperand, program: Target) -> bool:
        """Rewrite the counterpart of the use. Returns False if that is not possible."""
        raise NotImplementedError


def _copied(use: OpOperand) -> PlannedBuffer:
    """The use as a planned copy with contents."""
    cause = Cause(CauseKind.OUT_OF_PLACE, use.owner, use.index, use.value)
    return PlannedBuffer(cause, use.owner, use, use.value, False, True)


class Rematerialize(ChangeOfUse):
    """Rematerialize a cheap tensor for the consumer that overwrites it, instead of copying it."""

    name = "rematerialize"

    def change(self, use: OpOperand, program: Target) -> bool:
        before = use.value
        if not rematerialize_copied([_copied(use)]):
            return False
        use.value.name_hint = before.name_hint
        erase_dead([before])
        return True


class EmptyDestination(ChangeOfUse):
    """Replace a destination that is overwritten as a whole before it is read by a `tensor.empty`."""

    name = "choose destination"

    def change(self, use: OpOperand, program: Target) -> bool:
        before = use.value
        if not is_overwritten(use) or not empty_overwritten([_copied(use)]):
            return False
        use.value.name_hint = before.name_hint
        erase_dead([before])
        return True


class ComputeInPlace(ChangeOfUse):
    """Compute an inserted value in place: a slice of the destination replaces its `tensor.empty`."""

    name = "choose destination"

    def change(self, use: OpOperand, program: Target) -> bool:
        insertion = use.owner
        if not isinstance(insertion, SubsetInsertionOp):
            return False
        before = [(site.use, site.use.value) for site in sites(use)]
        if not build_in_place(insertion):
            return False
        for site, value in before:
            if site.value is not value:
                site.value.name_hint = value.name_hint
        erase_dead([value for _, value in before])
        return True


class TakeDestination(ChangeOfUse):
    """Use another operand of the operation as its destination."""

    name = "choose destination"

    def __init__(self, use: OpOperand, other: Value, title: str) -> None:
        super().__init__(use, title)
        self.other = other

    def change(self, use: OpOperand, program: Target) -> bool:
        other = program.value(self.other)
        if other is None or other is use.value or not is_defined_at(other, use.owner):
            return False
        before, use.value = use.value, other
        erase_dead([before])
        return True


class ForwardSlice(ChangeOfUse):
    """Extract a slice from the tensor that it is inserted into later."""

    name = "forward slice"

    def __init__(self, use: OpOperand, target: Value) -> None:
        super().__init__(use, f"take the slice from {value_name(target)}, into which it is inserted")
        self.target = target

    def change(self, use: OpOperand, program: Target) -> bool:
        target, extract = program.value(self.target), use.owner
        if target is None or target.type is not use.value.type:
            return False
        if not is_defined_at(target, extract):
            owner = target.defining_op
            moved = dependents_until(extract, owner) if owner is not None else None
            if not moved or owner is None:
                return False
            for op in reversed(moved):
                op.move_after(owner)
            program.moved.update(moved)
        use.value = target
        return True


def rematerialized(operand: OpOperand) -> Iterator[Change]:
    """A rematerialization of the tensor that would be copied for `operand`."""
    found = recipe(operand.value)
    if found is not None:
        what = "fill" if found.op is None else "compute"
        name = value_name(operand.value)
        yield Rematerialize(
            operand,
            f"{what} a separate tensor for '{operand.owner.name}': {name} is cheap to rematerialize",
        )


def emptied(operand: OpOperand) -> Iterator[Change]:
    """A `tensor.empty` for a destination that is overwritten."""
    if is_overwritten(operand):
        name = value_name(operand.value)
        yield EmptyDestination(
            operand, f"start from a tensor.empty instead of {name}: all of it is overwritten"
        )


def computed_in_place(operand: OpOperand) -> Iterator[Change]:
    """An inserted value, computed in place."""
    insertion = operand.owner
    if not isinstance(insertion, SubsetInsertionOp) or operand is not insertion.subset_source():
        return
    found = sites(operand)
    if not found:
        return
    value, target = value_name(operand.value), value_name(insertion.subset_destination().value)
    made = found[0].use.value
    if len(found) == 1 and isinstance(made.defining_op, tensor.EmptyOp):
        yield ComputeInPlace(operand, f"compute {value} in its place: take {value_name(made)} from {target}")
    else:
        yield ComputeInPlace(operand, f"compute {value} in its place in {target}")


def other_destinations(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """An input of the operation as its destination, if the destination's contents are not read."""
    op = operand.owner
    if not isinstance(op, DestinationStyleOp) or operand not in op.dps_inits() or result.state.reads(operand):
        return
    dims = Sizes()
    for use in {use.value: use for use in op.dps_inputs()}.values():
        other = use.value
        if (
            other is not operand.value
            and other.type is operand.value.type
            and isinstance(other, OpResult | BlockArgument)
            and (_are_indexed_alike(use, operand) or dims.same_shape(other, operand.value))
        ):
            yield TakeDestination(
                operand, other, f"use {value_name(other)} as the destination of '{op.name}'"
            )


def _are_indexed_alike(one: OpOperand, other: OpOperand) -> bool:
    """Whether a structured operation requires two operands to have the same sizes: each dimension is a loop's extent."""
    op = one.owner
    if not isinstance(op, LinalgOp):
        return False
    maps = op.indexing_maps()
    return maps[one.index] == maps[other.index] and maps[one.index].is_projected_permutation


def destination_of_inserted(result: AnalysisResult, operand: OpOperand) -> Iterator[Change]:
    """An inserted value, computed in an input of its defining operation."""
    insertion, op = operand.owner, operand.value.defining_op
    if not isinstance(insertion, SubsetInsertionOp) or operand is not insertion.subset_source():
        return
    if isinstance(op, DestinationStyleOp) and isinstance(operand.value, OpResult):
        inits = op.dps_inits()
        if operand.value.index < len(inits):
            yield from other_destinations(result, inits[operand.value.index])


def forwarded_slices(
    result: AnalysisResult, operand: OpOperand, places: MemoryRegions | None = None
) -> Iterator[Change]:
    """Slices of the copied tensor, extracted from the tensor that they are inserted into, if that has the same contents there.

    `places` caches memory regions and may be shared by all operands of a program.
    """
    places = places or MemoryRegions(result.state)
    others = [use for use in operand.value.first_uses(MAX_SLICES + 1) if use is not operand]
    for use in [operand, *others[:MAX_SLICES]]:
        yield from _forwarded_slice(result, use, places)


def _forwarded_slice(result: AnalysisResult, use: OpOperand, places: MemoryRegions) -> Iterator[Change]:
    extract = use.owner
    if not isinstance(extract, SubsetExtractionOp) or use is not extract.subset_extraction_source():
        return
    state = result.state
    is_read = any(state.reads(reader) or state.is_alias_only(reader) for reader in extract.results[0].uses)
    for insertion in _inserted_by(extract):
        target = insertion.subset_destination().value
        if target is use.value or target.type is not use.value.type:
            continue
        if not is_read or _has_same_part(places, target, use):
            yield ForwardSlice(use, target)


def _has_same_part(places: MemoryRegions, target: Value, taken: OpOperand) -> bool:
    """Whether the extracted slice is unchanged in `target`: only disjoint slices were written in between."""
    for _ in range(MAX_CHAIN):
        if target is taken.value:
            return True
        insertion = target.defining_op
        if isinstance(insertion, tensor.InsertOp):
            destination = insertion.op_operands[1]
        elif isinstance(insertion, SubsetInsertionOp):
            destination = insertion.subset_destination()
        else:
            return False
        if not places.different_parts(taken, destination):
            return False
        target = destination.value
    return False


def _inserted_by(extract: Operation) -> Iterator[SubsetInsertionOp]:
    """The insertions of a slice, or of results computed from it in destination-passing style."""
    value: Value = extract.results[0]
    for _ in range(MAX_CHAIN):
        following: Value | None = None
        for use in value.uses:
            user = use.owner
            if isinstance(user, SubsetInsertionOp) and use is user.subset_source():
                yield user
            elif isinstance(user, DestinationStyleOp) and use in user.dps_inits():
                following = user.tied_result(use)
        if following is None:
            return
        value = following


# Moves of operations without side effects: reads before a clobbering write, writes after the last reader.
#
# An operation without effects computes the same wherever its operands are available, so moving it with its operands preserves the
# semantics. If it may then run speculatively (hoisted out of a loop or a branch), it must be valid for any operands; otherwise
# the change is only `MAYBE` applicable.


def needed_at(ops: Iterable[Operation], place: Operation, at_most: int = MAX_MOVED) -> list[Operation] | None:
    """The operations to move so that `ops` are before `place`: `ops` and their operands, in topological order.

    None if one cannot move because it has effects or depends on `place` or on an argument that does not dominate it, or if there
    are more than `at_most`. O(operations moved * depth).
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
    """Move reads of an old value before the write that clobbers it."""

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
            if op.block is anchor.block or not _shares_name(op):
                op.move_before(anchor)
                program.moved.add(op)
            else:  # its name may be taken there: a new operation gets a new one
                anchor.block.insert_before(new := op.clone(), anchor)
                op.replace_with(new.results)
        return bool(moved)


def _shares_name(op: Operation) -> bool:
    """Whether other values of the function have the name of a result, as in separate regions they may. O(function)."""
    names = {result.name_hint for result in op.results if result.name_hint is not None}
    function = op.closest(FunctionOp) or op.root
    others = (other for other in function.walk() if other is not op)
    return any(value.name_hint in names for other in others for value in other.defined_values())


class MoveAfter(Change):
    """Move a write, and the users of its result, after the last read of the old value."""

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
    """Move all reads of the old value before the clobbering write, in one block. O(reads)."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        reads = _readers(conflicts, write)
        anchor = write.ancestor_in_block(reads[0].block)
        if anchor is None or not all(_is_after(read, anchor) for read in reads):
            continue
        if needed_at(reads, anchor):
            yield MoveBefore(reads, anchor, f"move {_listed(reads)} up, before {_named(anchor)} writes")


def reads_hoisted(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """Hoist loop-invariant reads before the loop."""
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
        yield _speculated(
            moved, reads, loop, f"before '{loop.name}': it reads the same value in each iteration"
        )


def reads_before_branches(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """Move reads after a branch, one side of which clobbers the old value, to the end of a block before the branch."""
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


def reads_moved_out(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """Move reads out of branches and loops that follow the clobbering write, before it, with its other reads."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        reads = _readers(conflicts, write)
        around = [read.ancestor_in_block(write.block) for read in reads]
        if around == reads or not all(op is not None and _is_after(op, write) for op in around):
            continue
        moved = needed_at(reads, write)
        if moved and not any(op.regions for op in moved):
            yield _speculated(moved, reads, write, f"up, before {_named(write)} writes")


def _last_before_both(read: Operation, write: Operation) -> Operation | None:
    """The write, if its block dominates that of the read; otherwise the terminator of the nearest common dominator of
    both blocks. If blocks form a loop around the write, of a block before the loop. None if both are in one block. O(blocks)."""
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
    graph = block_graph(region)
    tree = graph.dominators
    after = set(reverse_postorder(graph.successors(other.block), graph.successors)) if graph.has_cycle else ()
    if tree.dominates(other.block, read.block) and other.block not in after:
        return other
    block: Block | None = read.block
    while block is not None and (
        block is read.block
        or block is other.block
        or block in after
        or not tree.dominates(block, other.block)
    ):
        block = tree.immediate_dominator(block)
    return block.last_op if block is not None else None


def _speculated(
    moved: Sequence[Operation], reads: Iterable[Operation], anchor: Operation, where: str
) -> MoveBefore:
    """A move to a point where the operations may run speculatively."""
    is_certain = all(_may_run_before(op, anchor) for op in moved) or all(
        is_bound_to_reach(anchor, read) for read in reads
    )
    title = f"move {_listed(list(reads))} {where}"
    if is_certain:
        return MoveBefore(list(reads), anchor, title)
    return MoveBefore(
        list(reads),
        anchor,
        f"if it is valid even where control does not reach it, {title}",
        Applicability.MAYBE,
    )


def _may_run_before(op: Operation, anchor: Operation) -> bool:
    """Whether an operation without effects may run speculatively before `anchor`: it is defined for any operands, or what it
    accesses is in bounds, statically or since `anchor` inserts there.
    """
    from ...analysis.speculation import (  # loads operations that few programs have
        is_speculatable,
        stays_in_bounds,
    )

    if not isinstance(op, tensor.ExtractOp | SubsetExtractionOp):
        return is_speculatable(op)
    return _is_written_by(anchor, op) or stays_in_bounds(op)


def _is_written_by(anchor: Operation, read: Operation) -> bool:
    """Whether `anchor` inserts at the position that is read, in a tensor of the same sizes."""
    if isinstance(anchor, tensor.InsertOp) and isinstance(read, tensor.ExtractOp):
        written, is_there = anchor.operands[1], anchor.operands[2:] == read.operands[1:]
    elif isinstance(anchor, tensor.InsertSliceOp) and isinstance(read, tensor.ExtractSliceOp):
        written, is_there = anchor.dest, same_slice(anchor.accessed_slice(), read.accessed_slice())
    else:
        return False
    source = read.operands[0]
    is_static = None not in expect(t.RankedTensorType, source.type).shape
    return is_there and (source is written or (is_static and source.type is written.type))


def write_moved_down(conflicts: Sequence[Reason]) -> Iterator[Change]:
    """Move the write after the last read, if its result is not used in between."""
    for write in dict.fromkeys(conflict.write.owner for conflict in conflicts):
        readers = _readers(conflicts, write)
        around = [reader.ancestor_in_block(write.block) for reader in readers]
        if any(op is None or op is write for op in around):
            continue
        last = max((op for op in around if op is not None), key=lambda op: op.position)
        if last.may_be_terminator or not write.is_before_in_block(last) or not dependents_until(write, last):
            continue
        yield MoveAfter(write, last, f"move '{write.name}' down, after the last read of the old value")


def _readers(conflicts: Iterable[Reason], write: Operation) -> list[Operation]:
    """The operations whose reads `write` clobbers, each once."""
    return list(
        dict.fromkeys(c.read.owner for c in conflicts if c.write.owner is write and c.read is not None)
    )


def _is_after(op: Operation, anchor: Operation) -> bool:
    return op.block is anchor.block and op is not anchor and anchor.is_before_in_block(op)


def _is_before(op: Operation, anchor: Operation) -> bool:
    return op.block is anchor.block and op.is_before_in_block(anchor)


def _listed(ops: Sequence[Operation]) -> str:
    return _named(ops[0]) if len(ops) == 1 else f"the {len(ops)} operations that read the old value"


def _named(op: Operation) -> str:
    callee = op.properties.get("callee") if isinstance(op, CallOpInterface) else None
    return f"'{op.name}' of {callee}" if isinstance(callee, SymbolRefAttr) else f"'{op.name}'"
