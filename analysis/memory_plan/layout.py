"""One arena for the buffers of a function: where each of them lies, in numbers, or above which others.

Where all sizes are known a layout is a plan (`planner`). Where some are not, the plan is made for assumed sizes, and of it is
kept only *who lies above whom*: an item's offset is the highest end of the items below it that are alive with it, rounded up to its
alignment. That is right for all sizes, and for the assumed ones the plan. Items that have their place are
below all others that are alive with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir.program.core import Value
from .buffers import Buffer, Plan
from .exact import QUICK, Effort
from .planner import plan
from .sizes import Amount

ASSUMED_EXTENT = 64
"""What an extent is taken to be that is not known and nobody has said anything of."""


@dataclass(slots=True)
class Item:
    """Something that needs a place in the arena.

    Attributes:
        what: the buffer or call it is for.
        amount: its bytes.
        alignment: of its first byte.
        begin, end: when it is alive.
        fixed: where it must lie, if that is decided (`placements`).
        offset: where it lies, if that is known before the run.
        below: the items it lies above, by number, if it is not.
    """

    what: Any
    amount: Amount
    alignment: int
    begin: int
    end: int
    fixed: int | None = None
    offset: int | None = None
    below: list[int] = field(default_factory=list)

    def as_buffer(self, number: Callable[[Value], int]) -> Buffer:
        """What is to be placed, if extents are what `number` says."""
        return Buffer(self.begin, self.end, self.amount.with_extents(number), self.alignment, self.fixed)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the items of one memory space.

    Attributes:
        items: with their places.
        order: their numbers, each after those it lies above.
        plan: the plan for the assumed sizes.
        size: the bytes of the arena, if they are known before the run.
        tops: else the items of which the highest end is the size.
        alignment: of the arena.
    """

    items: list[Item]
    order: list[int]
    plan: Plan
    size: int | None
    tops: list[int]
    alignment: int


def assumed(extent: Value) -> int:
    return ASSUMED_EXTENT


def lay_out(
    items: Sequence[Item], number: Callable[[Value], int] = assumed, effort: Effort = QUICK
) -> Layout:
    """Give each item its place; `number` says what an extent is assumed to be."""
    buffers = [item.as_buffer(number) for item in items]
    found = plan(buffers, effort)
    order = sorted(range(len(items)), key=lambda i: (items[i].fixed is None, found.offsets[i], i))
    alignment = max((item.alignment for item in items), default=1)
    if all(item.amount.static is not None for item in items):
        for item, offset in zip(items, found.offsets, strict=True):
            item.offset = offset
        return Layout(list(items), order, found, found.height, [], alignment)
    above: set[int] = set()
    for i, others in _below(items, order).items():
        item = items[i]
        item.below = others
        above.update(others)
        if item.fixed is not None:
            item.offset = item.fixed
        elif all(items[k].offset is not None and items[k].amount.static is not None for k in others):
            item.offset = _top(items, others, item.alignment) if others else 0
    tops = [i for i in order if i not in above]
    return Layout(list(items), order, found, None, tops, alignment)


def _top(items: Sequence[Item], below: Sequence[int], alignment: int) -> int:
    """The least aligned offset above items whose places and sizes are known."""
    highest = max((items[k].offset or 0) + (items[k].amount.static or 0) for k in below)
    return -(-highest // alignment) * alignment


def _below(items: Sequence[Item], order: Sequence[int]) -> dict[int, list[int]]:
    """For each item, in order, the items alive with it that come before it, without those that are below others of them."""
    found: dict[int, list[int]] = {}
    everything: dict[int, set[int]] = {}
    by_time = sorted(range(len(items)), key=lambda i: items[i].begin)
    neighbours: dict[int, list[int]] = {i: [] for i in order}
    alive: list[int] = []
    for i in by_time:
        alive = [k for k in alive if items[k].end > items[i].begin]
        if items[i].end > items[i].begin:
            for k in alive:
                neighbours[i].append(k)
                neighbours[k].append(i)
            alive.append(i)
    rank = {i: at for at, i in enumerate(order)}
    for i in order:
        below = sorted((k for k in neighbours[i] if rank[k] < rank[i]), key=rank.__getitem__, reverse=True)
        kept: list[int] = []
        covered: set[int] = set()
        for k in below:
            if k not in covered:
                kept.append(k)
                covered |= everything[k]
        found[i] = kept
        everything[i] = set(below)
    return found
