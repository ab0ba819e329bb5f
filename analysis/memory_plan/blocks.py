"""Blocks: buffers that fill a rectangle of time and memory are placed as one.

As in the reduction of series-parallel graphs, two buffers with one live range become one of their sizes together, and two
of one size, of which the second begins when the first ends, become one of their live ranges together, if no others begin or
end then. What is left is searched for a few buffers whose sizes add up to the same at all times, while no other begins or
ends at a time inside; they become one if they can be placed without a gap. A tiling by repeated cuts is reduced to one
buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .buffers import Buffer, round_up

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
        for size, first in before.items():
            second = after.get(size)
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
