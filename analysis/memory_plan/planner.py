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

from . import exact, heuristics
from .buffers import Answer, Buffer, Plan, bound_of, height_of, parts
from .exact import Effort
from .heuristics import area, length, size, skyline

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


def plan(buffers: Sequence[Buffer], effort: Effort = exact.QUICK, capacity: int | None = None) -> Plan:
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
    if left <= 0 or len(buffers) > exact.LARGEST or height <= target:
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
    grain = exact.grain_of(buffers)
    lower, least, best = known.lower, max(known.lower, target), known
    is_first = True
    while least < best.height:
        if left <= 0:
            break
        capacity = least if is_first else (least + best.height) // 2 // grain * grain
        capacity = min(max(capacity, least), best.height - 1)
        answer, spent = exact.fits(buffers, capacity, effort, left / 2)
        left -= max(spent, left / 64)
        is_first = False
        if isinstance(answer, list):
            best = Plan(tuple(answer), height_of(buffers, answer), known.bound, lower, "exact search")
            continue
        least = (capacity // grain + 1) * grain
        if answer is Answer.IMPOSSIBLE and capacity >= lower:
            lower = min(least, best.height)
    return Plan(best.offsets, best.height, known.bound, min(lower, best.height), best.method), left
