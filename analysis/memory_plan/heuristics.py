"""Placement heuristics: best fit in time order, first fit in a chosen order, lowest segment of the skyline."""

from __future__ import annotations

import random
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

from .buffers import Buffer, round_up

# Best fit in order of time, like an online allocator.
#
# Buffers are placed as their live ranges begin, each in the smallest hole that fits, else on top. Adjacent holes are merged.
# O(n log n), plus a shift in a sorted list per event.


class Holes:
    """The free segments below `top`, by size; everything above is free."""

    def __init__(self) -> None:
        self.top = 0
        self._by_size: list[tuple[int, int]] = []
        self._end: dict[int, int] = {}
        self._start: dict[int, int] = {}

    def take(self, size: int, alignment: int) -> int:
        """The offset of a new buffer."""
        at = bisect_left(self._by_size, (size, -1))
        while at < len(self._by_size):
            free, start = self._by_size[at]
            offset = round_up(start, alignment)
            if offset + size <= start + free:
                del self._by_size[at]
                del self._end[start], self._start[start + free]
                self._add(start, offset)
                self._add(offset + size, start + free)
                return offset
            at += 1
        offset = round_up(self.top, alignment)
        below, self.top = self.top, offset + size
        self._add(below, offset)
        return offset

    def give(self, start: int, end: int) -> None:
        """Free a segment, and merge it with adjacent ones."""
        if end in self._end:
            end = self._remove(end, self._end[end])[1]
        if start in self._start:
            start = self._remove(self._start[start], start)[0]
        if end == self.top:
            self.top = start
        else:
            self._add(start, end)

    def _add(self, start: int, end: int) -> None:
        if start < end:
            self._end[start], self._start[end] = end, start
            insort(self._by_size, (end - start, start))

    def _remove(self, start: int, end: int) -> tuple[int, int]:
        del self._end[start], self._start[end]
        del self._by_size[bisect_left(self._by_size, (end - start, start))]
        return start, end


def largest_first(buffer: Buffer) -> int:
    """Sort key for buffers that begin together: the largest first."""
    return -buffer.size


def by_end(buffer: Buffer) -> int:
    """Sort key for buffers that begin together: the longest live range first."""
    return -buffer.end


def best_fit(
    buffers: Sequence[Buffer], first: Callable[[Buffer], Any] = largest_first, backwards: bool = False
) -> list[int]:
    """Offsets by best fit in order of time, or `backwards`, from the last to die to the first.

    None of the buffers may be empty or fixed.
    """
    if backwards:
        buffers = [b._replace(begin=-b.end, end=-b.begin) for b in buffers]
    offsets = [0] * len(buffers)
    dying: list[tuple[int, int]] = []
    holes = Holes()
    for i in sorted(range(len(buffers)), key=lambda i: (buffers[i].begin, first(buffers[i]))):
        buffer = buffers[i]
        while dying and dying[0][0] <= buffer.begin:
            gone = heappop(dying)[1]
            holes.give(offsets[gone], offsets[gone] + buffers[gone].size)
        offsets[i] = holes.take(buffer.size, buffer.alignment)
        heappush(dying, (buffer.end, i))
    return offsets


# First fit in a chosen order: each buffer at the lowest possible offset, or in the tightest hole.
#
# Ordered by size, TVM (lowest) and TFLite (tightest) do this; ordered by area, long-lived buffers go to the bottom. Fixed
# buffers are placed first. Every optimal plan is first fit in *some* order.

NUMPY_FROM = 400
"""Number of buffers from which NumPy finds overlaps faster."""

FAR = 1 << 62


def by_size(buffer: Buffer) -> tuple[int, int]:
    """Sort key: the largest first; equal sizes in order of time, which fills rows from one side."""
    return -buffer.size, buffer.begin


def by_area(buffer: Buffer) -> tuple[int, int]:
    return -buffer.size * (buffer.end - buffer.begin), -buffer.size


def by_length(buffer: Buffer) -> tuple[int, int]:
    return buffer.begin - buffer.end, -buffer.size


def first_fit(
    buffers: Sequence[Buffer], first: Callable[[Buffer], Any] = by_size, snug: bool = False
) -> list[int]:
    """Offsets by first fit in the order of the key `first`, fixed buffers before all others.

    With `snug`, a buffer goes into the smallest hole that fits rather than the lowest.
    O(n * k log k), where k is the number of buffers live together with one, plus n vector comparisons; without NumPy
    O(n^2) comparisons.
    """
    order = sorted(range(len(buffers)), key=lambda i: (buffers[i].fixed is None, first(buffers[i])))
    if len(buffers) >= NUMPY_FROM:
        try:
            return _with_numpy(buffers, order, snug)
        except ImportError:
            pass
    offsets = [0] * len(buffers)
    placed: list[tuple[int, int, int, int]] = []
    choose = snuggest if snug else lowest
    for i in order:
        begin, end, size, alignment, fixed = buffers[i]
        if fixed is None:
            occupied = sorted((at, top) for at, top, b, e in placed if b < end and begin < e)
            offsets[i] = choose(occupied, size, alignment)
        else:
            offsets[i] = fixed
        placed.append((offsets[i], offsets[i] + size, begin, end))
    return offsets


def lowest(occupied: Iterable[tuple[int, int]], size: int, alignment: int) -> int:
    """The lowest offset at which a buffer overlaps no segment of `occupied` (sorted by start)."""
    offset = 0
    for start, end in occupied:
        if offset + size <= start:
            break
        if end > offset:
            offset = round_up(end, alignment)
    return offset


def snuggest(occupied: Iterable[tuple[int, int]], size: int, alignment: int) -> int:
    """The offset in the tightest hole, the lowest of these; above all segments if there is no hole."""
    offset = 0
    best: tuple[int, int] | None = None
    for start, end in occupied:
        if offset + size <= start and (best is None or start - offset < best[0]):
            best = start - offset, offset
        if end > offset:
            offset = round_up(end, alignment)
    return offset if best is None else best[1]


def _with_numpy(buffers: Sequence[Buffer], order: Sequence[int], snug: bool = False) -> list[int]:
    import numpy as np

    offsets = [0] * len(buffers)
    begins, ends, starts, tops = (np.empty(len(buffers), np.int64) for _ in range(4))
    for k, i in enumerate(order):
        begin, end, size, alignment, fixed = buffers[i]
        at = fixed
        if at is None:
            others = np.nonzero((begins[:k] < end) & (ends[:k] > begin))[0]
            at = 0
            if len(others):
                found = starts[others]
                sorting = np.argsort(found, kind="stable")
                top = np.maximum.accumulate(tops[others[sorting]])
                free = np.empty(len(others) + 1, np.int64)  # where the hole below each one begins
                free[0], free[1:] = 0, top
                if alignment > 1:
                    free = -(-free // alignment) * alignment
                room = found[sorting] - free[:-1]
                fits = room >= size
                hole = int(np.where(fits, room, FAR).argmin() if snug else fits.argmax())
                at = int(free[hole] if fits[hole] else free[-1])
        begins[k], ends[k], starts[k], tops[k] = begin, end, at, at + size
        offsets[i] = at
    return offsets


# Skyline: fill the lowest segment of the surface first.
#
# The surface of the placed buffers is a sequence of segments of time with heights. The lowest segment receives a buffer that is
# live inside it, preferably one that begins or ends with it and whose top is level with a neighbour; if none fits, the segment
# is raised to its lower neighbour. So no hole remains that an unplaced buffer could fill. The best heuristic for tight plans.
#
# O(n log n), plus `LOOKED_AT` comparisons per edge.

LOOKED_AT = 24
"""Candidate buffers compared at one edge of a segment."""


def area(buffer: Buffer) -> int:
    return buffer.size * (buffer.end - buffer.begin)


def length(buffer: Buffer) -> int:
    return buffer.end - buffer.begin


def size(buffer: Buffer) -> int:
    return buffer.size


class _Segment:
    """A segment of the surface: everything below `height` from `begin` to `end` is occupied or wasted."""

    __slots__ = ("after", "before", "begin", "end", "height", "is_gone")

    def __init__(self, begin: int, end: int, height: int) -> None:
        self.begin, self.end, self.height = begin, end, height
        self.before: _Segment | None = None
        self.after: _Segment | None = None
        self.is_gone = False


class _Earliest:
    """Unplaced buffers sorted by begin; finds the first from a position that ends in time. O(log n)."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._leaves = leaves = 1 << max(0, (len(ends) - 1).bit_length())
        self._never = max(ends, default=0) + 1
        self._least = least = [self._never] * (2 * leaves)
        least[leaves : leaves + len(ends)] = ends
        for node in range(leaves - 1, 0, -1):
            least[node] = min(least[2 * node], least[2 * node + 1])

    def remove(self, at: int) -> None:
        least, node = self._least, at + self._leaves
        least[node] = self._never
        node //= 2
        while node:
            lower = min(least[2 * node], least[2 * node + 1])
            if least[node] == lower:
                break
            least[node] = lower
            node //= 2

    def find(self, start: int, end: int) -> int | None:
        """The first from `start` on that ends by `end`."""
        if start >= self._leaves:
            return None
        least, node = self._least, start + self._leaves
        while least[node] > end:
            while node & 1:
                node //= 2
            if not node:
                return None
            node += 1
        while node < self._leaves:
            node *= 2
            if least[node] > end:
                node += 1
        return node - self._leaves


def skyline(
    buffers: Sequence[Buffer], weigh: Callable[[Buffer], int] = area, chance: float = 0.0, seed: int = 0
) -> list[int]:
    """Offsets by the skyline heuristic; `weigh` breaks ties between buffers that fit equally, perturbed by `chance`.

    None of the buffers may be empty or fixed.
    """
    return _Skyline(buffers, weigh, chance, seed).offsets()


class _Skyline:
    def __init__(
        self, buffers: Sequence[Buffer], weigh: Callable[[Buffer], int], chance: float, seed: int
    ) -> None:
        draw = random.Random(seed)
        self._buffers = buffers
        weight = [weigh(b) * (1 + chance * draw.gauss(0, 1)) if chance else weigh(b) for b in buffers]
        self._weight = weight
        order = sorted(range(len(buffers)), key=lambda i: (buffers[i].begin, -weight[i]))
        self._order = order
        self._begins = [buffers[i].begin for i in order]
        self._rank = [0] * len(buffers)
        for k, i in enumerate(order):
            self._rank[i] = k
        self._waiting = _Earliest([buffers[i].end for i in order])
        self._at_begin: dict[int, list[int]] = {}
        self._at_end: dict[int, list[int]] = {}
        for i in sorted(range(len(buffers)), key=weight.__getitem__):  # the heaviest comes last
            self._at_begin.setdefault(buffers[i].begin, []).append(i)
            self._at_end.setdefault(buffers[i].end, []).append(i)
        self._is_placed = [False] * len(buffers)
        self._heap: list[tuple[int, int, int, _Segment]] = []
        self._number = 0

    def offsets(self) -> list[int]:
        buffers = self._buffers
        offsets = [0] * len(buffers)
        if not buffers:
            return offsets
        self._push(_Segment(min(b.begin for b in buffers), max(b.end for b in buffers), 0))
        left = len(buffers)
        while left:
            segment = heappop(self._heap)[3]
            if segment.is_gone:
                continue
            i = self._choice(segment)
            if i is None:
                self._raise(segment)
                continue
            left -= 1
            self._is_placed[i] = True
            self._waiting.remove(self._rank[i])
            offsets[i] = round_up(segment.height, buffers[i].alignment)
            self._place(segment, buffers[i], offsets[i] + buffers[i].size)
        return offsets

    def _push(self, segment: _Segment) -> None:
        self._number += 1
        heappush(self._heap, (segment.height, segment.begin, self._number, segment))

    def _choice(self, at: _Segment) -> int | None:
        """The buffer to place on a segment; None if no unplaced one is live only inside it."""
        below = at.before.height if at.before is not None else None
        above = at.after.height if at.after is not None else None
        best: tuple[int, float, int] | None = None
        for those in (self._at_begin.get(at.begin), self._at_end.get(at.end)):
            if not those:
                continue
            while those and self._is_placed[those[-1]]:
                those.pop()
            looked = 0
            for i in reversed(those):
                if self._is_placed[i]:
                    continue
                looked += 1
                if looked > LOOKED_AT:
                    break
                begin, end, size, alignment, _ = self._buffers[i]
                if begin < at.begin or end > at.end:
                    continue
                top = round_up(at.height, alignment) + size
                fit = 0
                if begin == at.begin:
                    fit += 3 if top == below else 1
                if end == at.end:
                    fit += 3 if top == above else 1
                if best is None or (fit, self._weight[i]) > best[:2]:
                    best = fit, self._weight[i], i
        if best is not None:
            return best[2]
        k = self._waiting.find(bisect_left(self._begins, at.begin), at.end)
        return None if k is None else self._order[k]

    def _raise(self, segment: _Segment) -> None:
        """Raise a segment to its lower neighbour and merge the two."""
        segment.height = min(each.height for each in (segment.before, segment.after) if each is not None)
        self._put([segment], segment)

    def _place(self, segment: _Segment, buffer: Buffer, top: int) -> None:
        parts = [
            _Segment(begin, end, height)
            for begin, end, height in (
                (segment.begin, buffer.begin, segment.height),
                (buffer.begin, buffer.end, top),
                (buffer.end, segment.end, segment.height),
            )
            if begin < end
        ]
        segment.is_gone = True
        self._put(parts, segment)

    def _put(self, parts: list[_Segment], old: _Segment) -> None:
        """Replace a segment by `parts`, and merge level neighbours."""
        before, after = old.before, old.after
        if before is not None and before.height == parts[0].height:
            before.is_gone = True
            parts[0].begin, before = before.begin, before.before
        if after is not None and after.height == parts[-1].height:
            after.is_gone = True
            parts[-1].end, after = after.end, after.after
        for part in parts:
            part.before = before
            if before is not None:
                before.after = part
            before = part
            self._push(part)
        parts[-1].after = after
        if after is not None:
            after.before = parts[-1]
