"""Conflict search that does not visit every pair of a read and a write.

An alias class has no conflict inside. If deciding an operand in place would merge classes, only pairs across them can
conflict, and pairs with the operand's own write. The search iterates over the smaller class and queries the range index of
the larger one (`class_facts.py`) for reads or writes with overlapping ranges; the rules decide each such pair. Small-to-large
merging bounds this by O(log n) visits of each read and write, plus those for operands that are decided out of place.

It finds the same conflicts as `all_conflicts`, in another order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ...ir.defects import PARALLEL_INSERTIONS, UNREAD_WRITES
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, OpResult
from ...ir.program.interfaces import RegionBranchTerminatorOp
from ..models.base import is_tensor
from . import BOTTOM_UP_FROM_TERMINATORS, FUZZER, TOP_DOWN, InPlaceConflict
from .state import AnalysisState, tensor_operands

if TYPE_CHECKING:
    import random

from collections.abc import Iterator

from ...ir.program.core import Value
from . import Forbidden, PairConflict, ParallelWrite, ReadAfterWrite, ReadOnly
from .class_facts import MEETING, ClassFacts, ClassIndex
from .facts import forbidden

# -- All conflicts: every read against every write that may alias it, |reads| * |writes| queries to the rules. A direct
# transcription of `rules/conflict.dl`, and cubic or worse along a chain of updates. Tests check that the search below finds
# a conflict exactly when there is one here.


def all_conflicts(
    state: AnalysisState, operand: OpOperand, as_decided: bool = False
) -> Iterator[PairConflict]:
    """Every conflict if `operand` were in place, parallel writes first."""
    classes = classes_of(state, operand)
    assumed = [] if as_decided or not state.writes(operand) else [operand]
    members = dict.fromkeys(v for group in classes for v in group)
    writes = dict.fromkeys([w for v in members for w in state.in_place_writes(v)] + assumed)
    for use, value in forbidden(state, operand):
        yield Forbidden(use, value)
    reads = dict.fromkeys(use for v in members for use in v.uses if state.is_reading_use(use))
    if state.options.check_parallel_regions and (reads or UNREAD_WRITES not in state.mirrored):
        for write in writes:
            for _, origin in state.database.solve("parallel_conflict", (write, None)):
                yield ParallelWrite(write, origin)
    overwrites = state.overwrites
    for read in reads:
        if not state.definitions_of(read.value):
            continue
        for write in writes:
            for _, _, definition in overwrites.all(read, write):
                yield ReadAfterWrite(read, write, definition)


def classes_of(state: AnalysisState, operand: OpOperand) -> list[list[Value]]:
    """The alias classes that deciding `operand` in place would merge: its own first, then those of its aliasing values."""
    classes = [state.alias.members(operand.value)]
    classes += [state.alias.members(alias.value) for alias in state.aliasing_values(operand)]
    return classes


MAX_LISTED = 100
"""Read-only values listed in one conflict; further ones are omitted, as one suffices."""


def prepare(state: AnalysisState, root: Operation) -> None:
    """Index the alias classes of `root` before anything inside it is decided. O(values + uses)."""
    if state.class_index is None:
        state.class_index = ClassIndex(state)
    state.class_index.add_values(root)


def find_conflict(state: AnalysisState, operand: OpOperand) -> InPlaceConflict | None:
    """A conflict if `operand` were in place, or None."""
    classes = touched_classes(state, operand)
    writes = state.writes(operand)
    clobbers = writes or any(facts.writes.count for facts in classes)
    if clobbers and (read_only := _read_only(state, operand, classes)) is not None:
        return read_only
    return next(conflicts(state, operand, classes), None)


def touched_classes(state: AnalysisState, operand: OpOperand) -> list[ClassFacts]:
    """The facts of the classes that deciding `operand` in place would merge, each once."""
    found: dict[int, ClassFacts] = {}
    for value in (operand.value, *(alias.value for alias in state.aliasing_values(operand))):
        facts = state.alias.data(value)
        if facts is not None:
            found.setdefault(id(facts), facts)
    return list(found.values())


def conflicts(
    state: AnalysisState, operand: OpOperand, classes: list[ClassFacts], as_decided: bool = False
) -> Iterator[PairConflict]:
    """The conflicts across `classes` if they were merged, parallel writes first.

    Unless `as_decided`, the operand's own write is included.
    """
    index = state.class_index
    assert index is not None
    for use, value in forbidden(state, operand):
        yield Forbidden(use, value)
    assumed = not as_decided and state.writes(operand) and operand not in state.in_place
    is_unread = UNREAD_WRITES in state.mirrored and not any(facts.is_read for facts in classes)
    if state.options.check_parallel_regions and not is_unread:
        crossing = [write for facts in classes for write in facts.crossing]
        if assumed and state.crosses_parallel_region(operand):
            crossing.append(operand)
        for write in crossing:
            for _, origin in state.database.solve("parallel_conflict", (write, None)):
                yield ParallelWrite(write, origin)
    if assumed:
        of_reads = {write: read for read, write in MEETING}
        for kind, start, end in index.ranges.of_write(operand):
            for facts in classes:
                for read in getattr(facts, of_reads[kind]).overlapping(start, end):
                    yield from overwrites(state, index, read, operand)
    for i, one in enumerate(classes):
        for other in classes[i + 1 :]:
            yield from _across(state, index, one, other)


def _across(
    state: AnalysisState, index: ClassIndex, one: ClassFacts, other: ClassFacts
) -> Iterator[ReadAfterWrite]:
    """The conflicts between a read of one class and a write of the other."""
    small, large = (one, other) if one.size <= other.size else (other, one)
    for reads, writes in ((small.reads, large.writes), (small.definitions, large.not_dominated)):
        if writes.count:
            for start, end, read in reads:
                for write in writes.overlapping(start, end):
                    yield from overwrites(state, index, read, write)
    for reads, writes in ((large.reads, small.writes), (large.definitions, small.not_dominated)):
        if reads.count:
            for start, end, write in writes:
                for read in reads.overlapping(start, end):
                    yield from overwrites(state, index, read, write)


def overwrites(
    state: AnalysisState, index: ClassIndex, read: OpOperand, write: OpOperand
) -> Iterator[ReadAfterWrite]:
    """The conflicts that the rules derive for one pair with overlapping ranges."""
    if read is write and read in index.ranges.in_text_order:
        return  # rule K2
    for _, _, definition in state.overwrites.all(read, write):
        yield ReadAfterWrite(read, write, definition)


def inside_conflict(state: AnalysisState, facts: ClassFacts) -> ReadAfterWrite | None:
    """A conflict inside one class, which operands that must be in place may cause. O(reads + overlapping pairs)."""
    index = state.class_index
    assert index is not None
    for reads, writes in ((facts.reads, facts.writes), (facts.definitions, facts.not_dominated)):
        if writes.count:
            for start, end, read in reads:
                for write in writes.overlapping(start, end):
                    for found in overwrites(state, index, read, write):
                        return found
    return None


def _read_only(state: AnalysisState, operand: OpOperand, classes: list[ClassFacts]) -> ReadOnly | None:
    count = sum(len(facts.not_writable) for facts in classes)
    if not count:
        return None
    values: list[Value] = []
    if sum(state.alias.class_size(v) for v in _values(state, operand)) <= MAX_LISTED:
        values = [v for members in classes_of(state, operand) for v in members if not state.is_writable(v)]
    else:
        for facts in classes:
            values += facts.not_writable[: MAX_LISTED - len(values)]
    return ReadOnly(tuple(values))


def _values(state: AnalysisState, operand: OpOperand) -> Iterator[Value]:
    yield operand.value
    for alias in state.aliasing_values(operand):
        yield alias.value


def find_first_conflict(state: AnalysisState, operand: OpOperand) -> InPlaceConflict | None:
    """Like `find_conflict`, but returns the conflict that the reference search finds first, for comparison with mlir-opt.

    For operands with a conflict the cost is that of all read-write pairs.
    """
    found = find_conflict(state, operand)
    return next(all_conflicts(state, operand), None) if isinstance(found, ReadAfterWrite) else found


# -- Greedy in-place decisions, operand by operand in a chosen order, without backtracking.
#
# An operand is kept in place unless there is a conflict (`rules/conflict.dl` defines it, `search.py` finds it). Operands that
# must be in place are decided before all others; should a conflict show up later they stay where they are, as in mlir-opt.

# Decisions are greedy, so the order of operations is the heuristic. Every heuristic starts from the post-order of all
# operations with tensor semantics.

# The fuzzing heuristic shuffles that list with the 32-bit Mersenne Twister, seeded with one integer. Python's generator is
# the same but expands the seed differently, so the initial state is computed here.
#
# .. [1] M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998 (with the initialisation of 2002).

T = TypeVar("T")

STATE_SIZE = 624
WORD = 0xFFFFFFFF


def mt19937(seed: int) -> random.Random:
    """A generator whose `getrandbits(32)` gives the outputs of `std::mt19937` with this seed."""
    state = [seed & WORD]
    for i in range(1, STATE_SIZE):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & WORD)
    import random  # only `analysis-heuristic=fuzzer` needs it

    generator = random.Random()
    generator.setstate((3, (*state, STATE_SIZE), None))
    return generator


def shuffled(items: list[T], seed: int) -> list[T]:
    """The items in the order of `llvm::shuffle` with `std::mt19937(seed)`. O(items)."""
    generator = mt19937(seed)
    order = list(items)
    size = len(order)
    for position in range(size - 1):
        offset = generator.getrandbits(32) % (size - position)
        other = position + offset
        order[position], order[other] = order[other], order[position]
    return order


def decision_order(state: AnalysisState, root: Operation, heuristic: str | None = None) -> list[Operation]:
    """The operations inside `root`, itself included, in the order of decisions. O(operations).

    `heuristic` defaults to that of the options.
    """
    post_order = state.tensor_operations(root)
    heuristic = heuristic or state.options.analysis_heuristic
    if heuristic == TOP_DOWN:
        return post_order
    if heuristic == FUZZER:
        return shuffled(post_order, state.options.analysis_fuzzer_seed)
    if heuristic == BOTTOM_UP_FROM_TERMINATORS:
        first = feeding_terminators(state, root)
        others = set(post_order).difference(first)
        return [*first, *reversed([op for op in root.walk() if op in others])]
    return post_order[::-1]


def feeding_terminators(state: AnalysisState, root: Operation) -> dict[Operation, None]:
    """Terminators of regions, each followed by the operations of its region that its operands are reverse-reachable from.

    The walk includes an operation outside of the region but does not continue to its operands.
    """
    found: dict[Operation, None] = {}
    for terminator in state.post_order(root):
        if not _forwards_operands(terminator):
            continue
        if terminator in found:
            continue
        found[terminator] = None
        region = terminator.parent_region
        pending = [v for v in terminator.operands if isinstance(v, OpResult) and is_tensor(v)]
        while pending:
            result = pending.pop()
            op = result.owner
            if op in found:
                continue
            found[op] = None
            if op.ancestor_in_region(region) is None:
                continue
            for alias in state.aliasing_operands(result):
                source = alias.operand.value
                if isinstance(source, OpResult) and is_tensor(source):
                    pending.append(source)
    return found


def _forwards_operands(op: Operation) -> bool:
    return isinstance(op, RegionBranchTerminatorOp) or op.has_trait(tr.RETURN_LIKE)


Search = Callable[[AnalysisState, OpOperand], InPlaceConflict | None]


def decide_required(state: AnalysisState, root: Operation) -> None:
    """Decide the operands in place that must be. O(operations)."""
    for op in state.post_order(root):
        if not state.is_known(op):
            continue
        for operand in tensor_operands(op):
            if state.must_be_in_place(operand):
                state.keep_in_place(operand)


def decide_where_told(
    state: AnalysisState, root: Operation, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> Operation | None:
    """Decide operands in place first that operations write but cannot copy, such as parallel insertions. O(operations).

    mlir-opt 22 decides them in heuristic order, and writes in place even if it decided otherwise.

    Returns:
        the first operation with a conflict, which is added to `found`; None if there is none.
    """
    if PARALLEL_INSERTIONS in state.mirrored:
        return None
    for op in state.post_order(root):
        model = state.model_of(op)
        if model is None or model.makes_copies:
            continue
        for operand in tensor_operands(op):
            if state.writes(operand):
                conflict = search(state, operand)
                if conflict is not None:
                    found[operand] = conflict
                    return op
                state.keep_in_place(operand)
    return None


def decide(
    state: AnalysisState, root: Operation, search: Search, found: dict[OpOperand, InPlaceConflict]
) -> None:
    """Decide every tensor operand inside `root`; conflicts are added to `found`."""
    for op in decision_order(state, root):
        for operand in tensor_operands(op):
            conflict = search(state, operand)
            if conflict is None:
                state.keep_in_place(operand)
            else:
                found[operand] = conflict
