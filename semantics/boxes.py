"""Boxes: the elements that a chain of slices and reshapes selects, and whether two boxes overlap.

A *part* is a box in the dimensions of its source: for each dimension an offset, a size and a stride.
Offsets and sizes are linear forms over index values (`integers.py`), strides are constants. Two parts of one
buffer are disjoint if in some dimension

(1) one ends before the other begins, or
(2) the difference of the offsets is not a sum of multiples of the strides (even and odd columns).

A property is claimed only if it holds for all values of the atoms: a difference is positive if its constant is, and its other
terms cannot be negative by the bounds of their atoms (sizes are non-negative, an induction variable stays between its bounds).
False always means "unknown".

Parts of parts are composed into one box where strides are constants. Reshapes begin a new *frame*: parts in different frames
are compared only as far as the steps to them are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import Any, Protocol, TypeVar

from ..dialects.common import Mixed, OffsetSizeAndStrideOp, constant_index
from ..ir.source.records import record, replace
from .integers import Form, linear_form, lower_bound, plus

N = TypeVar("N")
Stride = Any
"""A Python integer, or a number of the same kind as offsets."""


@record(frozen=True)
class Range:
    """The indices `offset + i * stride` for `0 <= i < size` in one dimension."""

    offset: Form
    size: Form
    stride: int = 1

    def last(self) -> Form:
        """The last index."""
        return plus(self.offset, self.size, self.stride, -self.stride)


@record(frozen=True)
class BoxPart:
    """A box: one range for each dimension of the frame; `kept` are the dimensions that are not reduced, in order."""

    ranges: tuple[Range, ...]
    kept: tuple[int, ...]

    def triples(self) -> Iterator[tuple[Form, Form, int]]:
        return ((r.offset, r.size, r.stride) for r in self.ranges)


@record(frozen=True)
class PartReshape:
    """A reshape to a new frame; equal steps from one part lead to the same frame.

    Attributes:
        groups: for each dimension of the lower-rank shape, its dimensions in the higher-rank one.
        expands: whether the new frame has the higher rank.
    """

    groups: tuple[tuple[int, ...], ...]
    expands: bool


Step = BoxPart | PartReshape
Steps = tuple[Step, ...]
"""A view of a buffer as a sequence of steps; no steps for the whole buffer."""


# -- comparing


class BoxIntegers(Protocol[N]):
    """Arithmetic on the kind of numbers that offsets and sizes are; strides are Python integers, or of this kind."""

    def ends(self, offset: N, size: N, stride: Stride) -> tuple[N, N] | None:
        """The least and the greatest index of a non-empty range; None if the sign of the stride is unknown."""
        ...

    def minus(self, one: N, other: N) -> N: ...

    def at_least(self, term: N, least: int) -> bool:
        """Whether a number is provably at least `least`."""
        ...

    def leaves_rest(self, term: N, one: Stride, other: Stride) -> bool:
        """Whether a number is provably no sum of multiples of two strides."""
        ...


def disjoint_ranges(
    one: Iterable[tuple[N, N, Stride]], other: Iterable[tuple[N, N, Stride]], numbers: BoxIntegers[N]
) -> bool:
    """Whether two boxes, given by offset, size and stride in each dimension, share no element. O(dimensions) queries.

    See (1) and (2) of the module. Empty boxes end before they begin, which is sound as they have no element.
    """
    for a, b in zip(one, other, strict=True):
        ends, others = numbers.ends(*a), numbers.ends(*b)
        if ends is None or others is None:
            continue
        if numbers.at_least(numbers.minus(others[0], ends[1]), 1) or numbers.at_least(
            numbers.minus(ends[0], others[1]), 1
        ):
            return True
        if numbers.leaves_rest(numbers.minus(a[0], b[0]), a[2], b[2]):
            return True
    return False


def ranges_inside(
    inner: Iterable[tuple[N, N, Stride]],
    outer: Iterable[tuple[N, N, Stride]],
    numbers: BoxIntegers[N],
    one: Stride = 1,
) -> bool:
    """Whether `inner` is a subset of `outer`, which has strides of `one` or the same offsets and strides."""
    for a, b in zip(inner, outer, strict=True):
        if a == b:
            continue
        if b[2] != one:
            if a[0] != b[0] or a[2] != b[2] or not numbers.at_least(numbers.minus(b[1], a[1]), 0):
                return False
            continue
        ends, others = numbers.ends(*a), numbers.ends(*b)
        if ends is None or others is None:
            return False
        before, after = numbers.minus(ends[0], others[0]), numbers.minus(others[1], ends[1])
        if not (numbers.at_least(before, 0) and numbers.at_least(after, 0)):
            return False
    return True


class _Forms:
    """Linear forms as the numbers of boxes."""

    def ends(self, offset: Form, size: Form, stride: int) -> tuple[Form, Form]:
        last = plus(offset, size, stride, -stride)
        return (offset, last) if stride > 0 else (last, offset)

    def minus(self, one: Form, other: Form) -> Form:
        return plus(one, other, -1)

    def at_least(self, term: Form, least: int) -> bool:
        bound = lower_bound(term)
        return bound is not None and bound >= least

    def leaves_rest(self, term: Form, one: int, other: int) -> bool:
        common = gcd(one, other)
        return (
            common > 1
            and all(factor % common == 0 for atom, factor in term.items() if atom is not None)
            and term.get(None, 0) % common != 0
        )


_FORMS = _Forms()


def disjoint(one: BoxPart, other: BoxPart) -> bool:
    """Whether two boxes of one frame share no element. O(dimensions * terms)."""
    return disjoint_ranges(one.triples(), other.triples(), _FORMS)


def inside(inner: BoxPart, outer: BoxPart) -> bool:
    """Whether `inner` is a subset of `outer`, a box of the same frame."""
    return ranges_inside(inner.triples(), outer.triples(), _FORMS)


def covers(op: OffsetSizeAndStrideOp, shape: Sequence[int | None]) -> bool:
    """Whether a slice statically covers a tensor of that shape."""
    return (
        all(constant_index(offset) == 0 for offset in op.mixed_offsets())
        and all(constant_index(stride) == 1 for stride in op.mixed_strides())
        and all(
            size is not None and constant_index(written) == size
            for written, size in zip(op.mixed_sizes(), shape, strict=True)
        )
    )


def steps_disjoint(one: Steps, other: Steps) -> bool:
    """Whether two views of one buffer share no element."""
    for a, b in zip(one, other, strict=False):
        if (
            isinstance(a, BoxPart)
            and isinstance(b, BoxPart)
            and len(a.ranges) == len(b.ranges)
            and disjoint(a, b)
        ):
            return True
        if a != b:
            return False
    return False


def steps_same_or_disjoint(one: Steps, other: Steps) -> bool:
    """Whether two views have the same elements in the same order or none in common, for all values of the atoms. O(steps).

    Ranges of one element always do.
    """
    return len(one) == len(other) and all(
        a == b
        or (
            isinstance(a, BoxPart)
            and isinstance(b, BoxPart)
            and a.kept == b.kept
            and all(
                r == s or _constant(r.size) == 1 == _constant(s.size)
                for r, s in zip(a.ranges, b.ranges, strict=True)
            )
        )
        for a, b in zip(one, other, strict=True)
    )


def steps_inside(inner: Steps, outer: Steps) -> bool:
    """Whether the elements of the view `inner` are a subset of those of `outer`."""
    if len(outer) > len(inner):
        return False
    for position, (a, b) in enumerate(zip(inner, outer, strict=False)):
        if a == b:
            continue
        last = position == len(outer) - 1
        return last and isinstance(a, BoxPart) and isinstance(b, BoxPart) and inside(a, b)
    return True


def is_open(one: Steps, other: Steps) -> bool:
    """Whether an overlap of two views may depend on unknown values. Check `steps_disjoint` first.

    It may if neither contains the other, and some bound is not constant.
    """
    if steps_inside(one, other) or steps_inside(other, one):
        return False
    boxes = (step for step in (*one, *other) if isinstance(step, BoxPart))
    return any({*part.offset, *part.size} - {None} for box in boxes for part in box.ranges)


# -- making


def part_of(
    offsets: Sequence[Mixed], sizes: Sequence[Mixed], strides: Sequence[Mixed], kept: Sequence[int]
) -> BoxPart | None:
    """The box of a slice; None if a stride is dynamic or 0."""
    ranges: list[Range] = []
    for offset, size, stride in zip(offsets, sizes, strides, strict=True):
        by = stride if isinstance(stride, int) else constant_index(stride)
        if not by:
            return None
        ranges.append(Range(linear_form(offset), linear_form(size), by))
    return BoxPart(tuple(ranges), tuple(kept))


def element(indices: Sequence[Mixed]) -> BoxPart:
    """The box of one element."""
    return BoxPart(tuple(Range(linear_form(i), {None: 1}) for i in indices), ())


def is_whole(part: BoxPart, sizes: Sequence[Form]) -> bool:
    """Whether the box provably covers its source, whose sizes are given."""
    return len(part.kept) == len(part.ranges) and all(
        not r.offset and r.stride == 1 and r.size == size for r, size in zip(part.ranges, sizes, strict=True)
    )


def then(steps: Steps, step: Step) -> Steps:
    """The composition of `steps` and `step`: parts of parts are one part, and a reshape cancels its inverse."""
    if not steps:
        return (step,)
    last = steps[-1]
    if isinstance(step, PartReshape):
        undone = isinstance(last, PartReshape) and last.groups == step.groups and last.expands != step.expands
        return steps[:-1] if undone else (*steps, step)
    if not isinstance(last, BoxPart):
        return (*steps, step)
    if len(step.ranges) != len(last.kept):
        return (*steps, step)
    ranges = list(last.ranges)
    for position, inner in zip(last.kept, step.ranges, strict=True):
        outer = ranges[position]
        offset = plus(outer.offset, inner.offset, outer.stride)
        ranges[position] = Range(offset, inner.size, outer.stride * inner.stride)
    return (*steps[:-1], replace(last, ranges=tuple(ranges), kept=tuple(last.kept[i] for i in step.kept)))


# -- covering


def cover(parts: Sequence[BoxPart], whole: Sequence[Form]) -> bool:
    """Whether the union of the parts provably is a whole buffer of these sizes.

    Boxes with constant bounds may be arbitrary. Boxes with symbolic bounds must cover all dimensions except one, in which they
    are adjacent. O(parts^2 * dimensions) for the latter; the former splits boxes, and returns False beyond MAX_BOXES.
    """
    if any(part.ranges and len(part.ranges) != len(whole) for part in parts):
        return False
    return _cover_in_one_dimension(parts, whole) or _cover_by_constants(parts, whole)


def _cover_in_one_dimension(parts: Sequence[BoxPart], whole: Sequence[Form]) -> bool:
    for dimension, size in enumerate(whole):
        full = [
            part.ranges[dimension]
            for part in parts
            if all(
                i == dimension or (not r.offset and r.stride == 1 and r.size == whole[i])
                for i, r in enumerate(part.ranges)
            )
        ]
        end: Form = {}
        pending = [r for r in full if r.stride == 1]
        while end != size:
            following = next((r for r in pending if _reaches_on(r, end)), None)
            if following is None:
                break
            pending.remove(following)
            end = plus(following.offset, following.size)
        if end == size and whole:
            return True
    return False


def _reaches_on(r: Range, end: Form) -> bool:
    """Whether the range provably begins at or before `end` and extends beyond it."""
    if r.offset == end:
        return True
    gap, gain = lower_bound(plus(end, r.offset, -1)), lower_bound(plus(plus(r.offset, r.size), end, -1))
    return gap is not None and gain is not None and gap >= 0 and gain > 0


MAX_BOXES = 4000
"""Boxes that the remainder may be split into when covering by constant boxes."""

_Corners = tuple[tuple[int, int], ...]


def _cover_by_constants(parts: Sequence[BoxPart], whole: Sequence[Form]) -> bool:
    sizes = [_constant(form) for form in whole]
    left: list[_Corners] = [tuple((0, size) for size in sizes if size is not None)]
    if len(left[0]) != len(sizes):
        return False
    for part in parts:
        covered = _constant_box(part)
        if covered is None:
            continue
        left = [piece for box in left for piece in _without(box, covered)]
        if not left:
            return True
        if len(left) > MAX_BOXES:
            return False
    return not [box for box in left if all(low < high for low, high in box)]


def _constant(form: Form) -> int | None:
    return form.get(None, 0) if all(atom is None for atom in form) else None


def _constant_box(part: BoxPart) -> _Corners | None:
    box: list[tuple[int, int]] = []
    for r in part.ranges:
        offset, size = _constant(r.offset), _constant(r.size)
        if offset is None or size is None or (r.stride != 1 and size > 1):
            return None
        box.append((offset, offset + size))
    return tuple(box)


def _without(box: _Corners, covered: _Corners) -> list[_Corners]:
    """The remainder of a box: pieces before and after `covered`, dimension by dimension."""
    if any(low >= end or high <= start for (low, high), (start, end) in zip(box, covered, strict=True)):
        return [box]
    pieces: list[_Corners] = []
    rest = list(box)
    for i, (start, end) in enumerate(covered):
        low, high = rest[i]
        if low < start:
            pieces.append((*rest[:i], (low, start), *rest[i + 1 :]))
        if end < high:
            pieces.append((*rest[:i], (end, high), *rest[i + 1 :]))
        rest[i] = max(low, start), min(high, end)
    return pieces
