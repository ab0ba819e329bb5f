"""Buffers to place, plans, and lower bounds on the height of a plan; buffers in CSV files.

A buffer is live from `begin` to before `end`, in any unit of time, and occupies `size` bytes from an offset that is a multiple
of its alignment. A plan assigns offsets such that no two live buffers overlap. The *height* of a plan is the end of its highest
buffer. The *bound* is the peak of live bytes: with `g` the least alignment of the live buffers, all but the topmost occupy
their size rounded up to `g`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ...ir.source.diagnostics import InputError


class Buffer(NamedTuple):
    """A rectangle of time and memory to be placed.

    Attributes:
        begin, end: its live range, a half-open interval.
        size: bytes.
        alignment: its offset is a multiple of this.
        fixed: the offset that it must have, or None.
    """

    begin: int
    end: int
    size: int
    alignment: int = 1
    fixed: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether its size or its live range is empty."""
        return self.size <= 0 or self.end <= self.begin


@dataclass(frozen=True, slots=True)
class Plan:
    """Offsets for a list of buffers.

    Attributes:
        offsets: one for each buffer, in input order; 0 for empty buffers.
        height: the end of the highest buffer.
        bound: the peak of live bytes, a lower bound on the height.
        lower: the best lower bound found; at least `bound`.
        method: the name of the method that found the plan.
    """

    offsets: tuple[int, ...]
    height: int
    bound: int
    lower: int
    method: str

    @property
    def gap(self) -> int:
        """Bytes above the bound."""
        return self.height - self.bound

    @property
    def is_optimal(self) -> bool:
        """Whether the plan is proven optimal."""
        return self.height <= self.lower


class Answer(Enum):
    """Why an exact query returned no placement."""

    IMPOSSIBLE = "impossible"
    GAVE_UP = "gave up"


def round_up(offset: int, alignment: int) -> int:
    """The least multiple of `alignment` that is at least `offset`."""
    return -(-offset // alignment) * alignment


class Load(NamedTuple):
    """The live bytes in a section of time.

    Attributes:
        begin, end: the section, a half-open interval.
        bytes: a lower bound on the height of any plan there.
    """

    begin: int
    end: int
    bytes: int


def loads(buffers: Sequence[Buffer]) -> Iterator[Load]:
    """The live bytes in each section between two events, in order of time. O(n log n)."""
    events: dict[int, list[tuple[Buffer, int]]] = {}
    for buffer in buffers:
        if not buffer.is_empty:
            events.setdefault(buffer.begin, []).append((buffer, 1))
            events.setdefault(buffer.end, []).append((buffer, -1))
    times = sorted(events)
    alignments: dict[int, int] = {}
    grain = 1
    alive: dict[Buffer, int] = {}
    ragged: dict[
        Buffer, int
    ] = {}  # of these, the ones whose size is not a multiple of the grain: they alone can end below it
    total = 0
    for now, later in zip(times, [*times[1:], *times[:1]], strict=True):
        for buffer, change in events[now]:
            count = alignments[buffer.alignment] = alignments.get(buffer.alignment, 0) + change
            if not count:
                del alignments[buffer.alignment]
            for those in (alive, ragged) if buffer.size % grain else (alive,):
                those[buffer] = those.get(buffer, 0) + change
                if not those[buffer]:
                    del those[buffer]
            total += change * round_up(buffer.size, grain)
        least = min(alignments, default=1)
        if least != grain:
            grain = least
            ragged = {b: count for b, count in alive.items() if b.size % grain}
            total = sum(round_up(buffer.size, grain) * count for buffer, count in alive.items())
        if alive:
            spare = 0
            if ragged:
                spare = max(round_up(b.size, grain) - b.size for b in ragged)
            yield Load(now, later, total - spare)


def bound_of(buffers: Sequence[Buffer]) -> int:
    """A lower bound on the height: the peak of live bytes, or the end of the highest fixed buffer."""
    most = max((load.bytes for load in loads(buffers)), default=0)
    return max(most, max((b.fixed + b.size for b in buffers if b.fixed is not None), default=0))


def height_of(buffers: Sequence[Buffer], offsets: Sequence[int]) -> int:
    """The end of the highest buffer."""
    return max((at + b.size for b, at in zip(buffers, offsets, strict=True) if not b.is_empty), default=0)


def first_overlap(buffers: Sequence[Buffer], offsets: Sequence[int]) -> tuple[int, int] | None:
    """A pair of live buffers that overlap, (i, i) for a misaligned or misplaced buffer, or None.

    A sweep over time with the live buffers sorted by offset: two that overlap are neighbours when the later one begins.
    O(n log n) comparisons.
    """
    from bisect import bisect_left

    events: list[tuple[int, int, int]] = []
    for i, buffer in enumerate(buffers):
        if offsets[i] < 0 or offsets[i] % buffer.alignment or buffer.fixed not in (None, offsets[i]):
            return i, i
        if not buffer.is_empty:
            events += ((buffer.begin, 1, i), (buffer.end, 0, i))
    alive: list[tuple[int, int]] = []
    for _, begins, i in sorted(events):
        at = bisect_left(alive, (offsets[i], i))
        if not begins:
            del alive[at]
            continue
        if at < len(alive) and alive[at][0] < offsets[i] + buffers[i].size:
            return i, alive[at][1]
        if at and alive[at - 1][0] + buffers[alive[at - 1][1]].size > offsets[i]:
            return alive[at - 1][1], i
        alive.insert(at, (offsets[i], i))
    return None


def parts(buffers: Sequence[Buffer]) -> list[list[int]]:
    """The buffers grouped into independent segments of time, whose boundaries no live range crosses. O(n log n)."""
    order = sorted((i for i, b in enumerate(buffers) if not b.is_empty), key=lambda i: buffers[i].begin)
    found: list[list[int]] = []
    until = None
    for i in order:
        if until is None or buffers[i].begin >= until:
            found.append([])
            until = buffers[i].end
        found[-1].append(i)
        until = max(until, buffers[i].end)
    return found


# Buffers in CSV files, as MiniMalloc and others exchange them: id, lower, upper, size, and perhaps alignment and offset.


def read_csv(text: str, name: str) -> list[Buffer]:
    """The buffers of a file whose first line names its columns; `lower` and `upper` are half-open.

    Raises:
        InputError: a column is missing, or a cell is not a number.
    """
    rows = csv.DictReader(io.StringIO(text))
    columns = {(column or "").strip(): column for column in rows.fieldnames or ()}
    for column in ("lower", "upper", "size"):
        if column not in columns:
            raise InputError(f"'{name}' has no column '{column}'; buffers are rows of id,lower,upper,size")
    found: list[Buffer] = []
    for row in rows:
        try:
            begin, end, size = (int(row[columns[column]]) for column in ("lower", "upper", "size"))
            alignment = int(row[columns["alignment"]] or 1) if "alignment" in columns else 1
            fixed = row[columns["offset"]] if "offset" in columns else None
            found.append(Buffer(begin, end, size, alignment, int(fixed) if fixed else None))
        except (TypeError, ValueError):
            raise InputError(f"{name}:{rows.line_num}: a cell is missing or not an integer") from None
        if end < begin or size < 0 or alignment < 1:
            raise InputError(
                f"{name}:{rows.line_num}: a buffer must not end before it begins or have a negative size"
            )
    return found
