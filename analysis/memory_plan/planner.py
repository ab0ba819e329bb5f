"""The memory planner: fast heuristics first, then exact packing, component by component.

(1) Independent segments of time are planned separately, the one with the highest bound first: the others need not be lower
    than the highest so far.
(2) Each segment tries best fit in order of time, first fit by size, area and length, then the skyline, and stops at the bound.
(3) Above the bound, it retries the skyline with random perturbations: fewer times for more buffers.
(4) Still above the bound, exact packing decides whether it fits *into* the bound and, if not or unknown, bisects the
    capacities in between. "No" raises the lower bound, "unknown" only the next capacity tried.

Before, buffers that fill a rectangle of time and memory become one *block*. As in the reduction of series-parallel graphs, two
buffers with one live range become one with the sum of their sizes. Two buffers of one size, of which the second begins when the first
ends, become one with both live ranges, if no others begin or end at that time. Among the remaining buffers, small groups are sought
whose sizes have a constant sum over a span of time in which no other begins or ends; a group becomes one buffer if it can be placed
without a gap. A tiling by repeated cuts is reduced to one buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import gcd
from typing import Any

from . import heuristics
from .buffers import Answer, Buffer, Plan, bound_of, height_of, parts, round_up
from .heuristics import area, length, size, skyline

BLOCK_LIMIT = 12
"""The most buffers of a block that is neither in series nor in parallel."""

BLOCK_TRIALS = 200
"""Placements tried for such a block."""


class _Blocks:
    """Buffers and blocks of them, by number: a block has parts with offsets in it, a buffer has none."""

    def __init__(self, buffers: Sequence[Buffer], alignment: int) -> None:
        self.sides: list[Buffer] = []
        self.parts: list[Sequence[tuple[int, int]]] = []
        self.at: dict[int, tuple[dict[int, None], dict[int, None]]] = {}
        """By time, the blocks that end and those that begin."""
        self._by_range: dict[tuple[int, int], int] = {}
        self._changed: dict[int, None] = {}
        """Times to look at."""
        for buffer in buffers:
            self._number(buffer._replace(size=round_up(buffer.size, alignment), alignment=alignment), ())
        for number in range(len(buffers)):
            self._enter(number)

    def left(self) -> list[int]:
        return list(self._by_range.values())

    def reduce(self) -> None:
        """Make blocks until there are no more: the certain ones first."""
        waiting: dict[int, None] = {}
        others: dict[int, None] = {}
        while self._changed or waiting or others:
            if self._changed:
                time, _ = self._changed.popitem()
                if not self._in_series(time, True):
                    waiting[time] = None
            elif waiting:
                time, _ = waiting.popitem()
                if not self._in_series(time, False):
                    others[time] = None
            else:
                self._fill_rectangle(others.popitem()[0])

    def place(self, number: int, offset: int, offsets: list[int]) -> None:
        """Give the buffers of a block their offsets."""
        stack = [(number, offset)]
        while stack:
            number, offset = stack.pop()
            if number < len(offsets):
                offsets[number] = offset
            stack += [(part, offset + above) for part, above in self.parts[number]]

    def _number(self, side: Buffer, parts: Sequence[tuple[int, int]]) -> int:
        self.sides.append(side)
        self.parts.append(parts)
        return len(self.sides) - 1

    def _enter(self, number: int) -> None:
        begin, end, size, _, _ = self.sides[number]
        other = self._by_range.get((begin, end))
        if other is not None:
            self._leave(other)
            below = self.sides[other].size
            number = self._number(
                self.sides[other]._replace(size=below + size), ((other, 0), (number, below))
            )
        self._by_range[begin, end] = number
        for time, side in ((begin, 1), (end, 0)):
            self.at.setdefault(time, ({}, {}))[side][number] = None
            self._changed[time] = None

    def _leave(self, number: int) -> None:
        begin, end, _, _, _ = self.sides[number]
        del self._by_range[begin, end], self.at[begin][1][number], self.at[end][0][number]

    def _join(self, parts: Sequence[tuple[int, int]], side: Buffer) -> None:
        for part, _ in parts:
            self._leave(part)
        self._enter(self._number(side, parts))

    def _in_series(self, time: int, alone: bool) -> bool:
        """Join the only pair of one size that meets at a time: of all there, if `alone`, or of that size."""
        ending, starting = self.at[time]
        if alone and not len(ending) == len(starting) == 1:
            return False
        before, after = dict[int, list[int]](), dict[int, list[int]]()
        for found, those in ((before, ending), (after, starting)):
            for number in those:
                found.setdefault(self.sides[number].size, []).append(number)
        for extent, first in before.items():
            second = after.get(extent)
            if second is not None and len(first) == len(second) == 1:
                side = self.sides[first[0]]._replace(end=self.sides[second[0]].end)
                self._join(((first[0], 0), (second[0], 0)), side)
                self._changed[time] = None
                return True
        return False

    def _fill_rectangle(self, time: int) -> bool:
        """Join the few buffers that meet at a time and those that they need, if they fill a rectangle."""
        members: dict[int, None] = {}
        begin = end = time
        looked: set[int] = set()
        inside = {time}
        while inside:
            looked |= inside
            for at in inside:
                members.update(self.at[at][0] | self.at[at][1])
            if len(members) > BLOCK_LIMIT:
                return False
            sides = [self.sides[number] for number in members]
            begin = min((side.begin for side in sides), default=time)
            end = max((side.end for side in sides), default=time)
            inside = {at for side in sides for at in side[:2] if begin < at < end} - looked
        if len(members) < 2:
            return False
        sides = [self.sides[number] for number in members]
        times = sorted({at for side in sides for at in side[:2]})
        height, *others = {sum(s.size for s in sides if s.begin <= at < s.end) for at in times[:-1]}
        offsets = None if others else _without_gaps(sides, begin, end, height)
        if offsets is None:
            return False
        side = sides[0]._replace(begin=begin, end=end, size=height)
        self._join(tuple(zip(members, offsets, strict=True)), side)
        return True


def _without_gaps(buffers: Sequence[Buffer], begin: int, end: int, height: int) -> list[int] | None:
    """Offsets at which buffers fill a rectangle, or None: each in turn at the begin of the lowest segment."""
    offsets = [-1] * len(buffers)
    left = BLOCK_TRIALS

    def fill(skyline: list[tuple[int, int, int]]) -> bool:
        nonlocal left
        level = min(segment[2] for segment in skyline)
        if level == height:
            return True
        at = next(i for i, segment in enumerate(skyline) if segment[2] == level)
        low, high, _ = skyline[at]
        while at + 1 < len(skyline) and skyline[at + 1][2] == level:
            high = skyline.pop(at + 1)[1]
        for i, buffer in enumerate(buffers):
            if offsets[i] >= 0 or buffer.begin != low or buffer.end > high or level + buffer.size > height:
                continue
            left -= 1
            if left < 0:
                return False
            rest = [(buffer.end, high, level)] if buffer.end < high else []
            offsets[i] = level
            if fill([*skyline[:at], (low, buffer.end, level + buffer.size), *rest, *skyline[at + 1 :]]):
                return True
            offsets[i] = -1
        return False

    return offsets if fill([(begin, end, 0)]) else None


def as_blocks(buffers: Sequence[Buffer]) -> tuple[list[Buffer], Callable[[Sequence[int]], list[int]]] | None:
    """Buffers that fill rectangles as one each, and a function from their offsets to those of the buffers; None if there are none.

    None of the buffers may be empty or fixed. O(n log n).
    """
    alignment = max(buffer.alignment for buffer in buffers)
    blocks = _Blocks(buffers, alignment)
    blocks.reduce()
    left = blocks.left()
    if len(left) == len(buffers):
        return None

    def offsets_of(found: Sequence[int]) -> list[int]:
        offsets = [0] * len(buffers)
        for number, offset in zip(left, found, strict=True):
            blocks.place(number, offset, offsets)
        return offsets

    return [blocks.sides[number] for number in left], offsets_of


def has_cp_sat() -> bool:
    """Whether the extra `plan` is installed."""
    return find_spec("ortools") is not None


def cp_sat_fits(
    buffers: Sequence[Buffer], capacity: int, seconds: float, seed: int = 0
) -> list[int] | Answer:
    """Exact packing with CP-SAT: offsets below `capacity`, or why there are none. None of the buffers may be empty.

    Only the decision problem is posed, as the solver is poor at minimizing the height. Its time is counted in its own
    deterministic steps, so that results do not depend on the machine's load.
    """
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    starts: list[Any] = []
    times: list[Any] = []
    rooms: list[Any] = []
    for i, (begin, end, extent, alignment, fixed) in enumerate(buffers):
        if extent > capacity or (fixed is not None and fixed + extent > capacity):
            return Answer.IMPOSSIBLE
        if fixed is not None:
            start = model.new_constant(fixed)
        elif alignment > 1:
            start = alignment * model.new_int_var(0, (capacity - extent) // alignment, f"slot{i}")
        else:
            start = model.new_int_var(0, capacity - extent, f"start{i}")
        starts.append(start)
        times.append(model.new_fixed_size_interval_var(begin, end - begin, f"time{i}"))
        rooms.append(model.new_fixed_size_interval_var(start, extent, f"room{i}"))
    model.add_no_overlap_2d(times, rooms)
    model.add_cumulative(times, [b.size for b in buffers], capacity)
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = max(seconds, 0.01)
    solver.parameters.random_seed = seed
    solver.parameters.use_energetic_reasoning_in_no_overlap_2d = True
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return [int(solver.value(start)) for start in starts]
    return Answer.IMPOSSIBLE if status == cp_model.INFEASIBLE else Answer.GAVE_UP


# Exact packing: the project's own search first, then CP-SAT if it is installed.
#
# The search answers most queries within a second. After half of the effort, CP-SAT gets the other half; without it the search
# continues with another seed. Fixed buffers need CP-SAT. Effort is counted in steps, not time, so that results are deterministic.

A_SECOND = 1_000_000
"""Units of work (`canonical.Search.work`) that take about a second on current hardware."""

FOR_CP_SAT = 4.0
"""Effort in seconds from which CP-SAT is used, as importing it takes one."""

LARGEST = 1200
"""Buffers in one independent segment beyond which exact packing is not tried."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The budget of exact packing.

    Attributes:
        seconds: steps of work, in units of about a second on current hardware; 0 disables exact packing.
        failures: failures after which the search stops.
    """

    seconds: float = 10.0
    failures: int | None = None


QUICK = Effort(seconds=60.0, failures=4000)
"""The budget of a pass."""


def fits(
    buffers: Sequence[Buffer], capacity: int, effort: Effort, seconds: float
) -> tuple[list[int] | Answer, float]:
    """Offsets below `capacity`, or why there are none; and the effort spent, in seconds. No buffer may be empty."""
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
    """A common divisor of all sizes, alignments and offsets of canonical placements."""
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
        return (cp_sat_fits(buffers, capacity, seconds) if has_cp_sat() else Answer.GAVE_UP), seconds
    from .canonical import Search

    is_shared = seconds >= FOR_CP_SAT and effort.failures is None
    spent = 0.0
    for seed in (0, 1) if is_shared else (0,):
        if seed and has_cp_sat():
            return cp_sat_fits(buffers, capacity, seconds / 2), seconds
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
"""Buffers beyond which first fit, which is quadratic, is skipped, as it takes more than a few seconds."""

MANY, CLOSE = 4_000, 0.02
"""From MANY buffers on, a plan within 2 % of the bound ends the quick methods."""

SKYLINE_LIMIT = 200_000
"""Buffers beyond which only best fit is tried; the skyline takes about 50 microseconds per buffer."""

CHANCES = (0.1, 0.3, 1.0)
"""The random share of the buffers' weights when the skyline is retried."""

AGAIN = 40_000
"""Buffers placed in total by skyline retries: about two seconds."""

Method = tuple[str, Callable[[Sequence[Buffer]], list[int]]]

PLAIN: Method = ("best fit in order of time", lambda b: heuristics.best_fit(b, lambda buffer: 0))
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
        effort: the budget of exact packing.
        capacity: a sufficient height: the search stops there.
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
    """A plan for the non-empty buffers of one segment of time; and the remaining effort, in seconds."""
    best: list[int] = []
    height, name = 0, ""
    for method, place in quick_methods(buffers):
        offsets = place(buffers)
        reached = height_of(buffers, offsets)
        if not name or reached < height:
            best, height, name = offsets, reached, method
        if height <= target or (len(buffers) > MANY and height <= target * (1 + CLOSE)):
            return Plan(tuple(best), height, bound, bound, name), left
    is_free = all(b.fixed is None for b in buffers)
    blocks = as_blocks(buffers) if is_free and len(buffers) <= SKYLINE_LIMIT else None
    if blocks is not None:
        planned, left = _plan_part(blocks[0], bound, target, effort, left)
        offsets = blocks[1](planned.offsets)
        reached = height_of(buffers, offsets)
        if reached < height:
            best, height, name = offsets, reached, f"blocks, {planned.method}"
        if height <= target:
            return Plan(tuple(best), height, bound, bound, name), left
    if effort.seconds > 0 and is_free:
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
    """The heuristics to try for this many buffers."""
    if any(b.fixed is not None for b in buffers):
        return BY_CHOICE
    if len(buffers) > SKYLINE_LIMIT:
        return (PLAIN, BY_TIME[0])
    return BY_TIME + (BY_CHOICE if len(buffers) <= FIRST_FIT_LIMIT else ()) + BY_SURFACE


def _lowered(
    buffers: Sequence[Buffer], known: Plan, target: int, effort: Effort, left: float
) -> tuple[Plan, float]:
    """`known`, or a lower plan of the same buffers, found by bisection of the capacity; and the remaining effort."""
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
