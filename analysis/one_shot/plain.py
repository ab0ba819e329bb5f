"""The reference conflict search: every read against every write that may alias it.

    for each operand: |reads| * |writes| queries to the rules

Cubic or worse along a chain of updates, but a direct transcription of `rules/conflict.dl`. Tests check that the faster
search in `search.py` finds a conflict exactly when this one does.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.program.core import OpOperand, Value
from .decided import Forbidden, InPlaceConflict, PairConflict, ParallelWrite, ReadAfterWrite, ReadOnly
from .facts import forbidden
from .state import AnalysisState


def find_conflict(
    state: AnalysisState, operand: OpOperand, as_decided: bool = False
) -> InPlaceConflict | None:
    """The first conflict if `operand` were in place, or None.

    With `as_decided`, the operand's own write is not assumed: the query is whether the decisions so far are consistent.
    """
    classes = classes_of(state, operand)
    assumed = [] if as_decided or not state.writes(operand) else [operand]
    writes = dict.fromkeys(w for members in classes for v in members for w in state.in_place_writes(v))
    if assumed or writes:
        read_only = tuple(v for members in classes for v in members if not state.is_writable(v))
        if read_only:
            return ReadOnly(read_only)
    return next(all_conflicts(state, operand, as_decided), None)


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
