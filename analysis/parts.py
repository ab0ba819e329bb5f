"""Parts of a buffer: which elements a chain of slices and reshapes leaves, and whether two of them overlap.

A *part* is a box on the dimensions of what it is taken from: for each dimension an offset, a size and a stride.
Offsets and sizes are linear forms over index values (`index_equality.py`), strides are constants. Two parts of one
buffer are disjoint if in some dimension

(1) one ends before the other begins, or
(2) offsets differ by a number that no multiple of the strides makes up (even and odd columns).

All is claimed only if it holds for every value that the atoms of the forms can have: a difference counts as positive if its
constant is, and its other terms cannot be negative by what is known of their atoms (sizes are not negative, a
loop's counter stays between its bounds). "No" always means "not known".

Parts of parts are composed into one box where strides are constants. Reshapes begin a new *frame*: parts in different
frames are compared only as far as the way to them is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ..dialects import scf
from ..dialects.common import Mixed, constant_index
from ..ir.program.core import BlockArgument, Value
from ..ir.program.interfaces import ValueBoundsOp
from ..ir.source.records import record, replace
from .index_equality import Form, linear_form


@record(frozen=True)
class Range:
    """The places `offset + i * stride` for `0 <= i < size` in one dimension."""

    offset: Form
    size: Form
    stride: int = 1

    def last(self) -> Form:
        """The place for the greatest `i`."""
        return plus(self.offset, self.size, self.stride, -self.stride)


@record(frozen=True)
class BoxPart:
    """A box: one range for each dimension of the frame; `kept` are the dimensions that are still seen, in order."""

    ranges: tuple[Range, ...]
    kept: tuple[int, ...]


@record(frozen=True)
class PartReshape:
    """A step to a frame of other dimensions; equal steps from one part lead to one frame.

    Attributes:
        groups: for each dimension of the smaller shape, those of the larger that it stands for.
        expands: whether the new frame is the larger one.
    """

    groups: tuple[tuple[int, ...], ...]
    expands: bool


Step = BoxPart | PartReshape
Steps = tuple[Step, ...]
"""How a buffer is looked at: what is taken of it, step by step. No step is all of it."""


def plus(one: Form, other: Form, factor: int = 1, constant: int = 0) -> Form:
    """`one + factor * other + constant`. O(terms)."""
    total = dict(one)
    for atom, count in ((None, constant), *((a, c * factor) for a, c in other.items())):
        value = total.get(atom, 0) + count
        if value:
            total[atom] = value
        else:
            total.pop(atom, None)
    return total


# -- what is known of a form


def lower_bound(form: Form) -> int | None:
    """A number that the form is never less than; None if none is known. O(terms)."""
    total = 0
    for atom, factor in form.items():
        if atom is None:
            total += factor
            continue
        low, high = bounds(atom)
        bound = low if factor > 0 else high
        if bound is None:
            return None
        total += bound * factor
    return total


def bounds(atom: object) -> tuple[int | None, int | None]:
    """The least and the greatest number that an atom can be, as far as constants tell."""
    if isinstance(atom, tuple) and atom and atom[0] == "dim":
        return 0, None
    if isinstance(atom, BlockArgument):
        return _counter_bounds(atom)
    if isinstance(atom, Value) and isinstance(atom.defining_op, ValueBoundsOp):
        return None, atom.defining_op.constant_upper_bound()
    return None, None


def _counter_bounds(argument: BlockArgument) -> tuple[int | None, int | None]:
    """Between the bounds of the loop whose counter it is, if the loop counts up by a constant."""
    loop = argument.owner.parent_op
    if isinstance(loop, scf.ForOp) and argument.index == 0 and not loop.unsigned_cmp:
        lower, upper, step = (constant_index(use.value) for use in loop.op_operands[:3])
    elif isinstance(loop, scf.ForallOp) and argument.index < loop.rank:
        lower, upper, step = (
            constant_index(limits[argument.index])
            for limits in (loop.mixed_lower_bound, loop.mixed_upper_bound, loop.mixed_step)
        )
    else:
        return None, None
    if step is None or step <= 0:
        return None, None
    return lower, None if upper is None else upper - 1


# -- comparing


def disjoint(one: BoxPart, other: BoxPart) -> bool:
    """Whether the boxes, of one frame, share no element. O(dimensions * terms)."""
    return any(_apart(a, b) for a, b in zip(one.ranges, other.ranges, strict=True))


def _apart(a: Range, b: Range) -> bool:
    first_a, last_a = (a.offset, a.last()) if a.stride > 0 else (a.last(), a.offset)
    first_b, last_b = (b.offset, b.last()) if b.stride > 0 else (b.last(), b.offset)
    for low, high in ((last_a, first_b), (last_b, first_a)):
        room = lower_bound(plus(high, low, -1))
        if room is not None and room > 0:
            return True
    between = plus(a.offset, b.offset, -1)
    common = gcd(a.stride, b.stride)
    if common > 1 and all(factor % common == 0 for atom, factor in between.items() if atom is not None):
        return between.get(None, 0) % common != 0
    return False


def inside(inner: BoxPart, outer: BoxPart) -> bool:
    """Whether every element of `inner` is one of `outer`, a box of the same frame."""
    return all(_within(a, b) for a, b in zip(inner.ranges, outer.ranges, strict=True))


def _within(a: Range, b: Range) -> bool:
    if a == b:
        return True
    if b.stride != 1 or a.stride < 1:
        return False
    before = lower_bound(plus(a.offset, b.offset, -1))
    behind = lower_bound(plus(b.last(), a.last(), -1))
    return before is not None and behind is not None and before >= 0 and behind >= 0


def steps_disjoint(one: Steps, other: Steps) -> bool:
    """Whether two ways from one buffer lead to no common element."""
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


def steps_inside(inner: Steps, outer: Steps) -> bool:
    """Whether every element that `inner` leads to is one that `outer` leads to."""
    if len(outer) > len(inner):
        return False
    for position, (a, b) in enumerate(zip(inner, outer, strict=False)):
        if a == b:
            continue
        last = position == len(outer) - 1
        return last and isinstance(a, BoxPart) and isinstance(b, BoxPart) and inside(a, b)
    return True


def is_open(one: Steps, other: Steps) -> bool:
    """Whether it may hang on numbers that are not known if two parts of one buffer share an element.

    Neither is inside the other, and something of either is not a number. Ask `steps_disjoint` first.
    """
    if steps_inside(one, other) or steps_inside(other, one):
        return False
    boxes = (step for step in (*one, *other) if isinstance(step, BoxPart))
    return any({*part.offset, *part.size} - {None} for box in boxes for part in box.ranges)


# -- making


def part_of(
    offsets: Sequence[Mixed], sizes: Sequence[Mixed], strides: Sequence[Mixed], kept: Sequence[int]
) -> BoxPart | None:
    """The box that a slice is; None if a stride is not known, or is 0."""
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
    """Whether the box is, provably, all of what it is taken from, whose sizes are given."""
    return len(part.kept) == len(part.ranges) and all(
        not r.offset and r.stride == 1 and r.size == size for r, size in zip(part.ranges, sizes, strict=True)
    )


def then(steps: Steps, step: Step) -> Steps:
    """The way `steps`, then `step`: parts of parts are one part, and a reshape undoes its inverse."""
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
    """Whether the parts together are, provably, all of a buffer of these sizes.

    Boxes of constants may lie as they like. Boxes of symbolic places must be all of the buffer but in one dimension, in which
    they follow each other without a gap. O(parts^2 * dimensions) for the latter; the former splits boxes, and gives up
    after a number of them.
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
    """Whether the range begins at or before `end` and goes beyond, provably."""
    if r.offset == end:
        return True
    gap, gain = lower_bound(plus(end, r.offset, -1)), lower_bound(plus(plus(r.offset, r.size), end, -1))
    return gap is not None and gain is not None and gap >= 0 and gain > 0


MAX_BOXES = 4000
"""Boxes that covering by constants may split what is left into."""

_Corners = tuple[tuple[int, int], ...]


def _cover_by_constants(parts: Sequence[BoxPart], whole: Sequence[Form]) -> bool:
    sizes = [_constant(form) for form in whole]
    left: list[_Corners] = [tuple((0, size) for size in sizes if size is not None)]
    if len(left[0]) != len(sizes):
        return False
    for part in parts:
        taken = _constant_box(part)
        if taken is None:
            continue
        left = [piece for box in left for piece in _without(box, taken)]
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


def _without(box: _Corners, taken: _Corners) -> list[_Corners]:
    """What is left of a box: pieces before and behind what is taken, dimension by dimension."""
    if any(low >= end or high <= start for (low, high), (start, end) in zip(box, taken, strict=True)):
        return [box]
    pieces: list[_Corners] = []
    rest = list(box)
    for i, (start, end) in enumerate(taken):
        low, high = rest[i]
        if low < start:
            pieces.append((*rest[:i], (low, start), *rest[i + 1 :]))
        if end < high:
            pieces.append((*rest[:i], (end, high), *rest[i + 1 :]))
        rest[i] = max(low, start), min(high, end)
    return pieces
