"""One buffer after the other in an order of choice, each as low as those placed before it allow, or into the snuggest hole.

By size this is what TVM (lowest) and TFLite (snuggest) do, by area what packs long-lived buffers to the bottom. It knows no
order of time, so that fixed buffers are merely placed first. Every optimal plan is first fit in *some* order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .buffers import Buffer, round_up

NUMPY_FROM = 400
"""From so many buffers on, NumPy finds faster who overlaps."""

FAR = 1 << 62


def by_size(buffer: Buffer) -> tuple[int, int]:
    """Of equal ones the first to live: that fills rows from one side."""
    return -buffer.size, buffer.begin


def by_area(buffer: Buffer) -> tuple[int, int]:
    return -buffer.size * (buffer.end - buffer.begin), -buffer.size


def by_length(buffer: Buffer) -> tuple[int, int]:
    return buffer.begin - buffer.end, -buffer.size


def first_fit(
    buffers: Sequence[Buffer], first: Callable[[Buffer], Any] = by_size, snug: bool = False
) -> list[int]:
    """Offsets by first fit in the order of the key `first`, fixed buffers before all others.

    With `snug`, a buffer goes into the smallest hole that takes it rather than into the lowest.
    O(n * k log k), where k is how many live at the same time as a buffer, and n comparisons of vectors; without NumPy
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
            taken = sorted((at, top) for at, top, b, e in placed if b < end and begin < e)
            offsets[i] = choose(taken, size, alignment)
        else:
            offsets[i] = fixed
        placed.append((offsets[i], offsets[i] + size, begin, end))
    return offsets


def lowest(taken: Iterable[tuple[int, int]], size: int, alignment: int) -> int:
    """The lowest offset that leaves all stretches of `taken` (in order of where they start) alone."""
    offset = 0
    for start, end in taken:
        if offset + size <= start:
            break
        if end > offset:
            offset = round_up(end, alignment)
    return offset


def snuggest(taken: Iterable[tuple[int, int]], size: int, alignment: int) -> int:
    """The offset in the hole that leaves least room, the lowest of those; above all if there is no hole."""
    offset = 0
    best: tuple[int, int] | None = None
    for start, end in taken:
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
