"""Conflict search that does not visit every pair of a read and a write.

An alias class has no conflict inside. If deciding an operand in place would merge classes, only pairs across them can
conflict, and pairs with the operand's own write. The search iterates over the smaller class and queries the range index of
the larger one (`class_facts.py`) for reads or writes with overlapping ranges; the rules decide each such pair. Small-to-large
merging bounds this by O(log n) visits of each read and write, plus those for operands that are decided out of place.

It finds the same conflicts as `all_conflicts`, in another order.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.program.core import Operation, OpOperand, Value
from .class_facts import MEETING, ClassFacts, ClassIndex
from .decided import Forbidden, InPlaceConflict, PairConflict, ParallelWrite, ReadAfterWrite, ReadOnly
from .facts import forbidden
from .state import AnalysisState

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
    if state.options.check_parallel_regions and reads:
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
    if state.options.check_parallel_regions and any(facts.is_read for facts in classes):
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
