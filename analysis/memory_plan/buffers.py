"""Buffers to place, plans, and lower bounds on the height of a plan; buffers in CSV files.

A buffer is alive from `begin` to just before `end`, in any unit of time, and takes `size` bytes from an offset that is a
multiple of its alignment. A plan gives each its offset; two that are alive at once must not share a byte. The *height*
of a plan is where its highest buffer ends. The *bound* is the most bytes alive at once: with `g` the least alignment of those
alive, each starts at a multiple of `g`, so all but the topmost take their size rounded up to `g`.
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
        begin, end: when it is alive, the end excluded.
        size: bytes.
        alignment: its offset is a multiple of this.
        fixed: the offset it must have, if that is decided.
    """

    begin: int
    end: int
    size: int
    alignment: int = 1
    fixed: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it takes no room at any time."""
        return self.size <= 0 or self.end <= self.begin


@dataclass(frozen=True, slots=True)
class Plan:
    """Offsets for a list of buffers.

    Attributes:
        offsets: one for each buffer, in the order given; 0 for those that take no room.
        height: where the highest buffer ends.
        bound: the most bytes alive at once; no plan is lower.
        lower: no plan is lower than this, as far as was found out; at least the bound.
        method: what found the plan.
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
        """Whether it is known that no plan is lower."""
        return self.height <= self.lower


class Answer(Enum):
    """Why an exact question has no placement for an answer."""

    IMPOSSIBLE = "impossible"
    GAVE_UP = "gave up"


def round_up(offset: int, alignment: int) -> int:
    """The least multiple of `alignment` that is not below `offset`."""
    return -(-offset // alignment) * alignment


class Load(NamedTuple):
    """What is alive in a section of time.

    Attributes:
        begin, end: the section, the end excluded.
        bytes: what any plan needs in it.
    """

    begin: int
    end: int
    bytes: int


def loads(buffers: Sequence[Buffer]) -> Iterator[Load]:
    """The bytes alive in each section between two events, in order of time. O(n log n)."""
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
    ] = {}  # of these, the ones whose size is no multiple of the grain: they alone can end below it
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
    """The height no plan can beat: the most bytes alive at once, or where the highest fixed buffer ends."""
    most = max((load.bytes for load in loads(buffers)), default=0)
    return max(most, max((b.fixed + b.size for b in buffers if b.fixed is not None), default=0))


def height_of(buffers: Sequence[Buffer], offsets: Sequence[int]) -> int:
    """Where the highest buffer ends."""
    return max((at + b.size for b, at in zip(buffers, offsets, strict=True) if not b.is_empty), default=0)


def first_overlap(buffers: Sequence[Buffer], offsets: Sequence[int]) -> tuple[int, int] | None:
    """Two buffers that are alive at once and share a byte, if there are any; also (i, i) for one that is misplaced.

    A sweep over time with the buffers alive in order of their offsets: two that overlap are neighbours when the later one
    comes. O(n log n) comparisons.
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
    """The buffers by segments of time that no buffer crosses: each may be planned by itself. O(n log n)."""
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
        InputError: a column is missing, or a cell is no number.
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
            raise InputError(f"{name}:{rows.line_num}: a cell is missing or no whole number") from None
        if end < begin or size < 0 or alignment < 1:
            raise InputError(
                f"{name}:{rows.line_num}: a buffer must not end before it begins or have a negative size"
            )
    return found
