"""Which part of an argument a function reads, and which it writes: a box that holds all of it, as far as constants tell.

    func.func @head(%t: tensor<8xf32>, %i: index) -> f32 {
      %s = tensor.extract_slice %t[0] [4] [1]              // all that is read lies in [0, 4)
      %x = tensor.extract %s[%i]

What may be the buffer of the argument is followed by what operations say of aliases, whatever is decided: a use that is copied in the
end reads no more than is counted here, or what nobody reads, and writes elsewhere. Loops are taken to touch all that they are given.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...ir.program.core import BlockArgument, Value
from ...ir.types import types as t
from ...semantics.boxes import BoxPart, Range
from ...semantics.integers import lower_bound

if TYPE_CHECKING:
    from .answers import Answers
    from .regions_of_memory import PartPlaces, Place

MAX_VALUES = 200
"""Values that are followed from one argument."""

Interval = tuple[int | None, int | None]
"""The first and the last place that is touched in one dimension, where they are known."""


def touched_parts(
    state: Answers, places: PartPlaces, argument: BlockArgument
) -> tuple[BoxPart | None, BoxPart | None]:
    """The box that holds all that is read, and all that is written; None for the whole, or if nothing is. O(MAX_VALUES * uses)."""
    read: list[Place] = []
    written: list[Place] = []
    seen: dict[Value, None] = {argument: None}
    pending: list[Value] = [argument]
    while pending:
        for use in pending.pop().uses:
            if state.reads(use):
                read.append(places.read_by(use))
            if state.writes(use):
                written.append(places.written_by(use))
            for alias in state.aliasing_values(use):
                if alias.value not in seen:
                    seen[alias.value] = None
                    pending.append(alias.value)
        if len(seen) > MAX_VALUES:
            return None, None
    return _hull(read, argument), _hull(written, argument)


def _hull(places: list[Place], argument: BlockArgument) -> BoxPart | None:
    """The smallest box of constants that holds all places; None if it is the whole."""
    type = argument.type
    if not places or not isinstance(type, t.RankedTensorType):
        return None
    boxes = [_box(place, argument, len(type.shape)) for place in places]
    ranges: list[Range] = []
    is_less = False
    for extent, *intervals in zip(type.shape, *boxes, strict=True):
        first, last = _least(low for low, _ in intervals), _greatest(high for _, high in intervals)
        first = max(0, first or 0)
        if last is None or (extent is not None and last >= extent):
            if extent is None:
                return None
            last = extent - 1
        is_less |= extent is None or first > 0 or last < extent - 1
        ranges.append(Range({None: first} if first else {}, {None: max(0, last - first + 1)}))
    return BoxPart(tuple(ranges), tuple(range(len(ranges)))) if is_less else None


def _box(place: Place, argument: BlockArgument, rank: int) -> list[Interval]:
    """What is known of a place in each dimension of the argument: all parts around it hold it."""
    found: list[Interval] = [(None, None)] * rank
    for steps in (place.steps, *place.around):
        if place.root is not argument or not steps or not isinstance(steps[0], BoxPart):
            continue
        for i, each in enumerate(steps[0].ranges):
            if each.stride < 1:
                continue
            low = lower_bound(each.offset)
            below = lower_bound({atom: -factor for atom, factor in each.last().items()})
            high = None if below is None else -below
            known_low, known_high = found[i]
            found[i] = _greatest_known(known_low, low), _least_known(known_high, high)
    return found


def _least(numbers: Iterable[int | None]) -> int | None:
    """The least of all; None if one is not known."""
    known = list(numbers)
    return None if None in known else min(number for number in known if number is not None)


def _greatest(numbers: Iterable[int | None]) -> int | None:
    known = list(numbers)
    return None if None in known else max(number for number in known if number is not None)


def _least_known(one: int | None, other: int | None) -> int | None:
    return min((number for number in (one, other) if number is not None), default=None)


def _greatest_known(one: int | None, other: int | None) -> int | None:
    return max((number for number in (one, other) if number is not None), default=None)
