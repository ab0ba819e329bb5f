"""Pre-order numbers of operations: nesting and order become comparisons, overlapping ranges a query."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, NamedTuple, TypeVar

from ..ir.program.core import Block, Operation, Region


class Positions(NamedTuple):
    """The times at which a walk enters and leaves each operation."""

    enter: dict[Operation, int]
    leave: dict[Operation, int]


def _regions_of(op: Operation) -> Iterable[Region]:
    return op.regions


def number(
    root: Operation,
    blocks_of: Callable[[Region], Iterable[Block]] = iter,
    regions_of: Callable[[Operation], Iterable[Region]] = _regions_of,
) -> Positions:
    """Number the operations inside `root` in preorder. O(operations).

    Args:
        root: gets the number 0.
        blocks_of: the order of a region's blocks, by default textual.
        regions_of: the order of an operation's regions, by default textual.
    """

    def nested(op: Operation) -> list[Operation]:
        if len(op.regions) == 1 and op.regions[0].has_one_block:
            return op.regions[0].entry.ops
        return [
            inner
            for region in regions_of(op)
            if not region.is_empty
            for block in (region if region.has_one_block else blocks_of(region))
            for inner in block
        ]

    found = Positions({}, {})
    enter, leave = found
    clock = 0
    enter[root] = 0
    stack: list[tuple[Operation, list[Operation], int]] = [(root, nested(root), 0)]
    while stack:
        parent, children, at = stack.pop()
        descended = False
        for i in range(at, len(children)):
            op = children[i]
            clock += 1
            enter[op] = clock
            if op.regions:
                stack.append((parent, children, i + 1))
                stack.append((op, nested(op), 0))
                descended = True
                break
            leave[op] = clock
        if not descended:
            clock += 1
            leave[parent] = clock
    return found


# An index of position ranges that reports those overlapping a query. Ranges are sorted by their ends, in chunks of
# bounded size; each chunk knows its least start, and the least start from there on. The ranges that overlap [low, high] are
# in the suffix that ends at or after `low`, and chunks whose least start is beyond `high` are skipped. An insertion and an
# empty query cost one chunk. All are list operations: microseconds at a hundred thousand ranges.

T = TypeVar("T")

BLOCK_SIZE: Final = 256
"""Ranges in a chunk before it is split: near the square root of the largest expected program."""


class RangeIndex(Generic[T]):
    """Inclusive integer ranges [start, end], each with an item; ranges and items may repeat."""

    __slots__ = ("_ends", "_items", "_last", "_least", "_least_from", "_starts", "count")

    def __init__(self) -> None:
        self.count = 0
        self._ends: list[list[int]] = []
        self._starts: list[list[int]] = []
        self._items: list[list[T]] = []
        self._last: list[int] = []  # the greatest end in each chunk
        self._least: list[int] = []  # the least start in each chunk
        self._least_from: list[int] = []  # the least start in each chunk and those after it: ascending

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[tuple[int, int, T]]:
        """Start, end and item of every range, ordered by end."""
        for starts, ends, items in zip(self._starts, self._ends, self._items, strict=True):
            yield from zip(starts, ends, items, strict=True)

    def add(self, start: int, end: int, item: T) -> None:
        """Add a range. O(BLOCK_SIZE + blocks), as list operations."""
        self.count += 1
        last = self._last
        if not last:
            self._ends.append([end])
            self._starts.append([start])
            self._items.append([item])
            last.append(end)
            self._least.append(start)
            self._least_from.append(start)
            return
        block = bisect_left(last, end)
        if block == len(last):
            block -= 1
        ends = self._ends[block]
        at = bisect_right(ends, end)
        ends.insert(at, end)
        self._starts[block].insert(at, start)
        self._items[block].insert(at, item)
        if end > last[block]:
            last[block] = end
        if start < self._least[block]:
            self._least[block] = start
            least_from, i = self._least_from, block
            while i >= 0 and least_from[i] > start:
                least_from[i] = start
                i -= 1
        if len(ends) > BLOCK_SIZE:
            self._split(block)

    def _split(self, block: int) -> None:
        half = BLOCK_SIZE // 2
        for column in (self._ends, self._starts, self._items):
            values = column[block]
            column[block : block + 1] = [values[:half], values[half:]]  # type: ignore[assignment]
        self._last[block : block + 1] = [self._ends[block][-1], self._ends[block + 1][-1]]
        self._least[block : block + 1] = [min(self._starts[block]), min(self._starts[block + 1])]
        self._least_from.insert(block, 0)
        self._summarize(block, block + 1)

    def _summarize(self, first: int, last: int) -> None:
        """Compute `_least_from` again from `last` down to `first`."""
        least, least_from = self._least, self._least_from
        known = least_from[last + 1] if last + 1 < len(least) else least[last]
        for i in range(last, first - 1, -1):
            known = least_from[i] = min(least[i], known)

    def remove(self, start: int, end: int, item: T) -> None:
        """Remove a range. O(BLOCK_SIZE + blocks) unless many ranges share its end.

        Raises:
            KeyError: there is no such range.
        """
        block = bisect_left(self._last, end)
        while block < len(self._last) and self._ends[block][0] <= end:
            ends, starts, items = self._ends[block], self._starts[block], self._items[block]
            for at in range(bisect_left(ends, end), bisect_right(ends, end)):
                if starts[at] == start and items[at] is item:
                    del ends[at], starts[at], items[at]
                    self.count -= 1
                    self._repair(block)
                    return
            block += 1
        raise KeyError(item)

    def _repair(self, block: int) -> None:
        if self._ends[block]:
            self._last[block] = self._ends[block][-1]
            self._least[block] = min(self._starts[block])
        else:
            for column in (self._ends, self._starts, self._items, self._last, self._least, self._least_from):
                del column[block]
            block -= 1
        if block >= 0:
            self._summarize(0, block)

    def overlapping(self, low: int, high: int) -> Iterator[T]:
        """The items whose ranges intersect [low, high], ordered by end. The index must not change during
        iteration."""
        least, least_from = self._least, self._least_from
        block = bisect_left(self._last, low)
        while block < len(least):
            if least_from[block] > high:
                return
            while least[block] > high:
                block += 1
            starts = self._starts[block]
            at = bisect_left(self._ends[block], low)
            if at < len(starts) and min(starts[at:]) <= high:
                items = self._items[block]
                for i in range(at, len(starts)):
                    if starts[i] <= high:
                        yield items[i]
            block += 1
