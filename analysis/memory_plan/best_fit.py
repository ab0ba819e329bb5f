"""Best fit in order of time: what an allocator would do that knew the future only as far as who dies when.

Buffers are placed as they begin to live, each into the smallest hole that takes it, else on top. Holes that touch are one.
O(n log n) and a shift in a sorted list per event; needs nothing but Python.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any

from .buffers import Buffer, round_up


class Holes:
    """The free stretches below `top`, by size; what is above is free."""

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
        """Free a stretch, and join it with those it touches."""
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
    """Of buffers that begin together, the largest first."""
    return -buffer.size


def by_end(buffer: Buffer) -> int:
    """Of buffers that begin together, the one that lives longest first."""
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
