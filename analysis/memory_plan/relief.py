"""Which buffers make the peak: how much lower it would be without one of them, or without the best few.

The bytes alive are taken as they are, without what alignment adds. Leaving out a buffer lowers the bytes alive while it lives and nowhere
else; so the peak without it is the higher of the peak outside of its life and the peak inside less its size. With prefix, suffix and
range maxima this takes O(n log n) for all buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .buffers import Buffer


class Relief(NamedTuple):
    """Buffers, and the peak without them.

    Attributes:
        buffers: numbers of buffers.
        peak: the bytes alive at once if they took none.
    """

    buffers: tuple[int, ...]
    peak: int


def relief(buffers: Sequence[Buffer], most: int = 3) -> list[Relief]:
    """The buffer without which the peak is lowest, that one and the next best, and so on; none that does not help."""
    without: list[int] = []
    found: list[Relief] = []
    peak = max(_heights(buffers)[1], default=0)
    for _ in range(most):
        left = [b if i not in without else b._replace(size=0) for i, b in enumerate(buffers)]
        peaks = peaks_without(left)
        best = min(range(len(left)), key=lambda i: (peaks[i], i), default=None)
        if best is None or peaks[best] >= peak or best in without:
            break
        without.append(best)
        peak = peaks[best]
        found.append(Relief(tuple(without), peak))
    return found


def peaks_without(buffers: Sequence[Buffer]) -> list[int]:
    """For each buffer, the most bytes alive at once if it took none."""
    times, heights = _heights(buffers)
    if not heights:
        return [0] * len(buffers)
    number = {time: i for i, time in enumerate(times)}
    before, after = [0], [0]
    for height in heights:
        before.append(max(before[-1], height))
    for height in reversed(heights):
        after.append(max(after[-1], height))
    after.reverse()
    ranges = [heights]  # ranges[k][i] is the maximum of 2^k heights from i on
    while 2 << len(ranges) - 1 <= len(heights):
        half, below = 1 << len(ranges) - 1, ranges[-1]
        ranges.append([max(below[i], below[i + half]) for i in range(len(below) - half)])
    found: list[int] = []
    for buffer in buffers:
        if buffer.is_empty:
            found.append(before[-1])
            continue
        first, last = number[buffer.begin], number[buffer.end]
        k = (last - first).bit_length() - 1
        inside = max(ranges[k][first], ranges[k][last - (1 << k)])
        found.append(max(before[first], after[last], inside - buffer.size))
    return found


def _heights(buffers: Sequence[Buffer]) -> tuple[list[int], list[int]]:
    """The times at which something changes, and the bytes alive from each to the next."""
    changes: dict[int, int] = {}
    for buffer in buffers:
        if not buffer.is_empty:
            changes[buffer.begin] = changes.get(buffer.begin, 0) + buffer.size
            changes[buffer.end] = changes.get(buffer.end, 0) - buffer.size
    # buffers of size 0 that are not empty in time matter to who asks for them
    for buffer in buffers:
        changes.setdefault(buffer.begin, 0)
        changes.setdefault(buffer.end, 0)
    times = sorted(changes)
    heights: list[int] = []
    total = 0
    for time in times[:-1]:
        total += changes[time]
        heights.append(total)
    return times, heights
