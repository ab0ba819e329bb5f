"""Exact packing: the project's own search first, then CP-SAT where it is installed.

Most questions take the search less than a second. What it gives up with half of the effort is asked of CP-SAT with the other half;
without it the search goes on with another seed. Fixed buffers are for CP-SAT alone. Effort is counted in steps of work, never in
time, so that the same question has the same answer on every machine and under any load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import gcd

from . import cp_sat
from .buffers import Answer, Buffer

A_SECOND = 1_000_000
"""Units of work (`canonical.Search.work`) that take about a second on a machine of today."""

FOR_CP_SAT = 4.0
"""Seconds' worth of effort from which on CP-SAT is asked: to import it takes one."""

LARGEST = 1200
"""The exact question is not asked of more buffers that live in one connected segment of time."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What an exact answer may take.

    Attributes:
        seconds: steps of work that take about so long on a machine of today, in all; 0 asks no exact question.
        failures: the search gives up after so many.
    """

    seconds: float = 10.0
    failures: int | None = None


QUICK = Effort(seconds=60.0, failures=4000)
"""What a pass may spend."""


def fits(
    buffers: Sequence[Buffer], capacity: int, effort: Effort, seconds: float
) -> tuple[list[int] | Answer, float]:
    """Offsets below `capacity`, or why there are none, and the seconds' worth of work that it took. None of the buffers may be empty."""
    if any(b.size > capacity for b in buffers):
        return Answer.IMPOSSIBLE, 0.0
    grain = grain_of(buffers)
    small = [
        b._replace(
            size=b.size // grain,
            alignment=max(1, b.alignment // grain),
            fixed=None if b.fixed is None else b.fixed // grain,
        )
        for b in buffers
    ]
    answer, spent = _ask(small, capacity // grain, effort, seconds)
    return (answer if isinstance(answer, Answer) else [offset * grain for offset in answer]), spent


def grain_of(buffers: Sequence[Buffer]) -> int:
    """A number that all offsets of a canonical placement are multiples of, and all sizes and alignments in play too."""
    grain = 0
    for buffer in buffers:
        grain = gcd(grain, buffer.size, buffer.fixed or 0)
    changed = grain > 0
    while changed:
        changed = False
        for buffer in buffers:
            if buffer.alignment % grain and grain % buffer.alignment:
                grain, changed = gcd(grain, buffer.alignment), True
    return max(grain, 1)


def _ask(
    buffers: list[Buffer], capacity: int, effort: Effort, seconds: float
) -> tuple[list[int] | Answer, float]:
    is_free = all(b.fixed is None for b in buffers) and find_spec("numpy") is not None
    if not is_free:
        return (
            cp_sat.cp_sat_fits(buffers, capacity, seconds) if cp_sat.has_cp_sat() else Answer.GAVE_UP
        ), seconds
    from .canonical import Search

    is_shared = seconds >= FOR_CP_SAT and effort.failures is None
    spent = 0.0
    for seed in (0, 1) if is_shared else (0,):
        if seed and cp_sat.has_cp_sat():
            return cp_sat.cp_sat_fits(buffers, capacity, seconds / 2), seconds
        search = Search(buffers, capacity, seed=seed)
        most = (seconds / 2 if is_shared else seconds) * A_SECOND
        found = search.solve(
            lambda search=search, most=most: (
                search.work <= most and (effort.failures is None or search.failures <= effort.failures)
            )
        )
        spent += search.work / A_SECOND
        if found is not Answer.GAVE_UP:
            return found, spent
    return Answer.GAVE_UP, spent
