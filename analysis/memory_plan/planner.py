"""The memory planner: fast heuristics first, then exact packing, component by component.

(1) Stretches of time that no buffer crosses are planned apart, the one that needs most first: the others need not be
    lower than the highest so far.
(2) Each tries best fit in order of time, by size, area and length, then the skyline, and stops when the bound is reached.
(3) What is still above the bound tries the skyline again, with some chance in what it takes first: fewer times for more buffers.
(4) What is above the bound even then asks whether it fits *into* the bound, and if not or not in time, into capacities in
    between, by bisection. "No" raises what is known to be the least height, "don't know" only where we look next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import gcd

from . import cp_sat, heuristics
from .buffers import Answer, Buffer, Plan, bound_of, height_of, parts
from .heuristics import area, length, size, skyline

# Exact packing: the project's own search first, then CP-SAT where it is installed.
#
# Most questions take the search less than a second. What it gives up with half of the effort is asked of CP-SAT with the other half;
# without it the search goes on with another seed. Fixed buffers are for CP-SAT alone. Effort is counted in steps of work, never in
# time, so that the same question has the same answer on every machine and under any load.

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


FIRST_FIT_LIMIT = 40_000
"""First fit compares each buffer with all before it; with more of them it takes longer than a few seconds."""

MANY, CLOSE = 4_000, 0.02
"""With so many buffers, a plan within 2 % of the bound is not worth seconds of further quick methods."""

SKYLINE_LIMIT = 200_000
"""The skyline takes about 50 microseconds for each buffer: with more of them, only best fit is asked, once."""

CHANCES = (0.1, 0.3, 1.0)
"""How much of the weight of buffers is left to chance when the skyline is tried again."""

AGAIN = 40_000
"""Buffers that may be placed in all when the skyline is tried again: about two seconds."""

Method = tuple[str, Callable[[Sequence[Buffer]], list[int]]]

BY_TIME: tuple[Method, ...] = (
    ("best fit", lambda b: heuristics.best_fit(b, heuristics.by_size)),
    ("best fit, longest first", lambda b: heuristics.best_fit(b, heuristics.by_end)),
    ("best fit backwards", lambda b: heuristics.best_fit(b, heuristics.by_size, True)),
    ("best fit backwards, longest first", lambda b: heuristics.best_fit(b, heuristics.by_end, True)),
)
BY_SURFACE: tuple[Method, ...] = (
    ("skyline", lambda b: skyline(b, area)),
    ("skyline, longest first", lambda b: skyline(b, length)),
    ("skyline, largest first", lambda b: skyline(b, size)),
)
BY_CHOICE: tuple[Method, ...] = (
    ("snuggest hole by size", lambda b: heuristics.first_fit(b, heuristics.by_size, snug=True)),
    ("first fit by size", lambda b: heuristics.first_fit(b, heuristics.by_size)),
    ("first fit by area", lambda b: heuristics.first_fit(b, heuristics.by_area)),
    ("first fit by length", lambda b: heuristics.first_fit(b, heuristics.by_length)),
)


def plan(buffers: Sequence[Buffer], effort: Effort = QUICK, capacity: int | None = None) -> Plan:
    """A plan for buffers.

    Args:
        effort: what the exact search may spend.
        capacity: a height that is low enough: nothing is done to get below it.
    """
    bound = bound_of(buffers)
    offsets = [0] * len(buffers)
    for i, buffer in enumerate(buffers):
        if buffer.fixed is not None:
            offsets[i] = buffer.fixed
    target = max(bound, capacity or 0)
    left = effort.seconds
    height, lower, methods = 0, bound, {}
    by_part = [(part, [buffers[i] for i in part]) for part in parts(buffers)]
    bounds = [bound] if len(by_part) == 1 else [bound_of(members) for _, members in by_part]
    for k in sorted(range(len(by_part)), key=lambda k: -bounds[k]):
        part, members = by_part[k]
        planned, left = _plan_part(members, bounds[k], max(target, height), effort, left)
        for i, offset in zip(part, planned.offsets, strict=True):
            offsets[i] = offset
        if planned.height > height:
            height = planned.height
            methods = {planned.method: None}
        lower = max(lower, planned.lower)
    return Plan(
        tuple(offsets), height, bound, min(lower, max(height, bound)), next(iter(methods), "nothing to place")
    )


def _plan_part(
    buffers: Sequence[Buffer], bound: int, target: int, effort: Effort, left: float
) -> tuple[Plan, float]:
    """A plan for buffers of one segment of time, none of them empty; and the effort that is left, in seconds' worth of work."""
    best: list[int] = []
    height, name = 0, ""
    for method, place in quick_methods(buffers):
        offsets = place(buffers)
        reached = height_of(buffers, offsets)
        if not name or reached < height:
            best, height, name = offsets, reached, method
        if height <= target or (len(buffers) > MANY and height <= target * (1 + CLOSE)):
            return Plan(tuple(best), height, bound, bound, name), left
    if effort.seconds > 0 and all(b.fixed is None for b in buffers):
        for seed in range(min(12, AGAIN // len(buffers))):
            offsets = skyline(buffers, (area, length, size)[seed % 3], CHANCES[seed // 3 % 3], seed)
            reached = height_of(buffers, offsets)
            if reached < height:
                best, height, name = offsets, reached, "skyline with chance"
            if height <= target:
                break
    found = Plan(tuple(best), height, bound, bound, name)
    if left <= 0 or len(buffers) > LARGEST or height <= target:
        return found, left
    return _lowered(buffers, found, target, effort, left)


def quick_methods(buffers: Sequence[Buffer]) -> Sequence[Method]:
    """What may be tried without asking for exactness."""
    if any(b.fixed is not None for b in buffers):
        return BY_CHOICE
    if len(buffers) > SKYLINE_LIMIT:
        return BY_TIME[:1]
    return BY_TIME + (BY_CHOICE if len(buffers) <= FIRST_FIT_LIMIT else ()) + BY_SURFACE


def _lowered(
    buffers: Sequence[Buffer], known: Plan, target: int, effort: Effort, left: float
) -> tuple[Plan, float]:
    """`known`, or a lower plan of the same buffers, found by bisection of the capacity; and the effort that is left."""
    grain = grain_of(buffers)
    lower, least, best = known.lower, max(known.lower, target), known
    is_first = True
    while least < best.height:
        if left <= 0:
            break
        capacity = least if is_first else (least + best.height) // 2 // grain * grain
        capacity = min(max(capacity, least), best.height - 1)
        answer, spent = fits(buffers, capacity, effort, left / 2)
        left -= max(spent, left / 64)
        is_first = False
        if isinstance(answer, list):
            best = Plan(tuple(answer), height_of(buffers, answer), known.bound, lower, "exact search")
            continue
        least = (capacity // grain + 1) * grain
        if answer is Answer.IMPOSSIBLE and capacity >= lower:
            lower = min(least, best.height)
    return Plan(best.offsets, best.height, known.bound, min(lower, best.height), best.method), left
