"""Integer ranges of terms: induction variables stay in their loops, sizes are not negative.

The first and cheapest answer to questions on indices. A sum is shown not to be negative by replacing each part by a bound of
it until only parts are left that cannot be negative themselves. Index arithmetic is taken not to overflow, as MLIR's is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import gcd, lcm
from typing import Protocol

from ..ir.source.diagnostics import present
from ..semantics import intervals
from ..semantics.boxes import disjoint_ranges, ranges_inside
from ..semantics.intervals import UNKNOWN, Interval
from .terms import ONE, ZERO, Term, add, linear, monomials, mul, number, sub

MAX_STEPS = 24
"""Replacements tried before the answer is "not known": sums in programs have few parts."""

Box = tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...]]
"""Offsets, sizes and strides, one of each for every dimension."""

Nonnegative = Callable[[Term], bool]


class Further(Protocol):
    """Somebody to ask where bounds give no answer (`solvers.Solvers`)."""

    def nonnegative(self, term: Term, known: Collection[Term]) -> bool: ...

    def are_disjoint(self, left: Box, right: Box) -> bool: ...


_further: Further | None = None


@contextmanager
def asking(further: Further | None) -> Iterator[None]:
    """Ask `further` where bounds give no answer."""
    global _further
    before, _further = _further, further
    try:
        yield
    finally:
        _further = before


def is_never_negative(atom: Term, known: Collection[Term] = ()) -> bool:
    """Whether a part of a sum cannot be negative, by its operation; those in `known` are not negative."""
    if atom.op == "size" or atom in known:
        return True
    if atom.op == "iv":
        return nonnegative(atom.args[0]) and counts_up(atom)
    if atom.op == "prod":
        return all(is_never_negative(factor, known) for factor in atom.args)
    if atom.op == "op":
        if atom.attr[0] in _UNSIGNED_MAX:
            return all(nonnegative(top, known) for top in _leaves(atom))
        return _quotient(atom) is not None or _remainder(atom) is not None
    if atom.op in ("min", "max"):
        good = [nonnegative(arg, known) for arg in atom.args]
        return all(good) if atom.op == "min" else any(good)
    if atom.op in ("floordiv", "ceildiv"):
        return atom.args[1].op == "const" and atom.args[1].attr > 0 and nonnegative(atom.args[0], known)
    if atom.op == "mod":
        return atom.args[1].op == "const" and atom.args[1].attr > 0
    if atom.op == "sel":
        return all(nonnegative(arg, known) for arg in atom.args[1:])
    return False


MAX_DEPTH = 16
"""Depth of a term that `interval` visits."""


def interval(term: Term, depth: int = MAX_DEPTH) -> Interval:
    """The least and the largest number that a term may be, where constants bound it."""
    if term.op == "const":
        return term.attr, term.attr
    remainder = _remainder(term)
    if remainder is not None:
        return 0, remainder - 1
    if depth and term.op in ("lin", "mod", "floordiv", "ceildiv", "iv", "min", "max"):
        return _interval_of(term, [interval(arg, depth - 1) for arg in term.args])
    return (0 if term.op == "size" else None), None


def _interval_of(term: Term, args: list[Interval]) -> Interval:
    op = term.op
    if op == "lin":
        total: Interval = (term.attr[0], term.attr[0])
        for n, arg in zip(term.attr[1:], args, strict=True):
            total = intervals.plus(total, intervals.times((n, n), arg))
        return total
    if op == "iv":
        (first, last_first), (first_end, end), (step, same) = args
        if step is None or step <= 0:
            return UNKNOWN
        if first is not None and end is not None and (first, first_end, step) == (last_first, end, same):
            return first, first + max(-(-(end - first) // step) - 1, 0) * step
        return first, None if end is None else end - 1
    if op in ("min", "max"):
        return (intervals.least if op == "min" else intervals.greatest)(*args)
    return intervals.AFFINE[op](*args)


_UNSIGNED_MAX = frozenset(["arith.maxui", "index.maxu"])


def _leaves(atom: Term) -> list[Term]:
    """The terms that an unsigned maximum is the largest of."""
    found: dict[Term, None] = {}
    pending = [atom]
    while pending:
        term = pending.pop()
        if term.op == "op" and term.attr[0] in _UNSIGNED_MAX:
            pending.extend(term.args)
        else:
            found[term] = None
    return list(found)


def tops(term: Term, known: Collection[Term] = ()) -> list[Term]:
    """Lower bounds of a term: the operands if it is a maximum, else itself."""
    if term.op == "op" and term.attr[0] in _UNSIGNED_MAX and is_never_negative(term, known):
        return _leaves(term)
    return [term]


def _quotient(atom: Term) -> tuple[Term, int] | None:
    """Dividend and divisor, a constant of at least 2, if a part is a quotient that cannot be negative, or rounds down."""
    if atom.op == "floordiv" or (atom.op == "op" and atom.attr[0] in ("arith.divui", "index.divu")):
        divisor = atom.args[1]
        if divisor.op == "const" and divisor.attr > 1 and atom.type is ONE.type:
            return atom.args[0], divisor.attr
    return None


def _remainder(atom: Term) -> int | None:
    """By which constant a part is a remainder that is not negative."""
    if atom.op == "op" and atom.attr[0] in ("arith.remui", "index.remu") and atom.type is ONE.type:
        divisor = atom.args[1]
        return divisor.attr if divisor.op == "const" and divisor.attr > 0 else None
    return None


def counts_up(counter: Term) -> bool:
    """Whether the step of a counter is positive."""
    step = counter.args[2]
    return step.op != "const" or step.attr > 0


def _bounds(atom: Term, upper: bool) -> Iterator[Term]:
    """Terms that a part never exceeds (`upper`), or that never exceed it."""
    if atom.op == "iv" and counts_up(atom):
        first, end, step = atom.args
        if not upper:
            yield first
        else:
            if first.op == end.op == step.op == "const" and step.attr > 1:
                trips = max(0, -(-(end.attr - first.attr) // step.attr))
                yield number(first.attr + (trips - 1) * step.attr)
            yield sub(end, ONE)
    elif (atom.op == "min" and upper) or (atom.op == "max" and not upper):
        yield from atom.args
    elif atom.op in ("mod", "floordiv", "ceildiv", "op"):
        found = interval(atom)[upper]
        if found is not None:
            yield number(found)
        if atom.op == "floordiv" and atom.args[1] is ONE:
            yield atom.args[0]


def _bounds_of(part: Term, coefficient: int, known: Collection[Term]) -> Iterator[Term]:
    """Terms that `coefficient` times a part is never below."""
    is_falling = coefficient < 0
    for bound in _bounds(part, is_falling):
        yield mul(number(coefficient), bound)
    quotient = _quotient(part)
    if quotient is not None and coefficient % quotient[1] == 0:
        whole, divisor = quotient
        if part.op == "floordiv" or nonnegative(whole, known):
            lowest = whole if is_falling else sub(whole, number(divisor - 1))
            yield mul(number(coefficient // divisor), lowest)
    if not is_falling and part.op == "op":
        for top in tops(part, known):
            if top is not part:
                yield mul(number(coefficient), top)


def nonnegative(term: Term, known: Collection[Term] = (), steps: int = MAX_STEPS) -> bool:
    """Whether bounds of the parts of a sum show that it is at least 0, with at most so many replacements.

    The terms of `known` are not negative.
    """
    return _by_bounds(term, known, steps) or (_further is not None and _further.nonnegative(term, known))


def _by_bounds(term: Term, known: Collection[Term], steps: int) -> bool:
    pending = [term]
    for _ in range(steps):
        if not pending:
            return False
        sum_ = pending.pop()
        constant, parts = monomials(sum_)
        if constant >= 0 and all(n > 0 and is_never_negative(part, known) for part, n in parts.items()):
            return True
        # what was made last may be made of the others, and its bound then cancels them
        open_parts = [part for part, n in parts.items() if any(True for _ in _bounds_of(part, n, known))]
        if not open_parts:
            continue
        open_part = max(open_parts, key=lambda part: part.id)
        coefficient = parts.pop(open_part)
        rest = linear(constant, parts, present(sum_.type))
        for bound in _bounds_of(open_part, coefficient, known):
            pending.append(add(rest, bound))
    return False


# -- boxes


def end_of(offset: Term, size: Term, stride: Term) -> Term:
    """One more than the last index of a dimension of a box that is not empty."""
    return add(add(offset, mul(sub(size, ONE), stride)), ONE)


def _is_forward(size: Term, stride: Term) -> bool:
    """Whether a dimension of a box goes from its offset upwards."""
    return size is ONE or (stride.op == "const" and stride.attr > 0)


class _Terms:
    """Terms as the numbers of boxes."""

    def __init__(self, nonnegative: Nonnegative) -> None:
        self._nonnegative = nonnegative

    def ends(self, offset: Term, size: Term, stride: Term) -> tuple[Term, Term] | None:
        return (offset, sub(end_of(offset, size, stride), ONE)) if _is_forward(size, stride) else None

    def minus(self, one: Term, other: Term) -> Term:
        return sub(one, other)

    def at_least(self, term: Term, least: int) -> bool:
        if term.op == "const":
            return term.attr >= least
        return self._nonnegative(sub(term, number(least)) if least else term)

    def leaves_rest(self, term: Term, one: Term, other: Term) -> bool:
        if not (term.op == one.op == other.op == "const"):
            return False
        common = gcd(one.attr, other.attr)
        return common > 1 and term.attr % common != 0


def disjoint(left: Box, right: Box, nonnegative: Nonnegative = nonnegative) -> bool:
    """Whether two boxes share no index for certain."""
    if disjoint_ranges(zip(*left, strict=True), zip(*right, strict=True), _Terms(nonnegative)):
        return True
    return _further is not None and _further.are_disjoint(left, right)


def inside(inner: Box, outer: Box, nonnegative: Nonnegative = nonnegative) -> bool:
    """Whether every index of `inner` is one of `outer`, which has strides of 1 or the same strides and offsets."""
    return ranges_inside(zip(*inner, strict=True), zip(*outer, strict=True), _Terms(nonnegative), ONE)


def whole(box: Box, shape: Sequence[Term]) -> bool:
    """Whether a box is all of a shape."""
    return all(
        o is ZERO and s is n and (d is ONE or n is ONE) for o, s, d, n in zip(*box, shape, strict=True)
    )


def composed(outer: Box, inner: Box) -> Box:
    """The composition of two boxes: `inner` selects from the contents of `outer`; the result selects from its source."""
    offsets, strides = [], []
    for o, d, p, e in zip(outer[0], outer[2], inner[0], inner[2], strict=True):
        offsets.append(o if p is ZERO else add(o, p if d is ONE else mul(p, d)))
        strides.append(e if d is ONE else d if e is ONE else mul(d, e))
    return tuple(offsets), inner[1], tuple(strides)


def canonical(box: Box) -> Box:
    """A box with stride 1 wherever there is a single index."""
    offsets, sizes, strides = box
    return offsets, sizes, tuple(ONE if s is ONE else d for s, d in zip(sizes, strides, strict=True))


def common(left: Box, right: Box) -> Box | None:
    """The box of the indices in both boxes; None if that is not known, or empty. Strides are 1, dimensions constant or equal."""
    offsets: list[Term] = []
    sizes: list[Term] = []
    for o, s, d, p, n, e in zip(*left, *right, strict=True):
        if d is not ONE or e is not ONE:
            return None
        if o is not p or s is not n:
            if not (o.op == s.op == p.op == n.op == "const"):
                return None
            low, high = max(o.attr, p.attr), min(o.attr + s.attr, p.attr + n.attr)
            if low >= high:
                return None
            o, s = number(low), number(high - low)
        offsets.append(o)
        sizes.append(s)
    return tuple(offsets), tuple(sizes), left[2]


def relative(inner: Box, outer: Box) -> Box | None:
    """`inner` as a box of the contents of `outer`; None unless the strides of `outer` are 1."""
    if any(stride is not ONE for stride in outer[2]):
        return None
    return tuple(sub(o, p) for o, p in zip(inner[0], outer[0], strict=True)), inner[1], inner[2]


# -- cutting a shape into cells


MAX_CELLS = 256
"""Cells that a shape is cut into."""

Cell = tuple[Box, frozenset[int]]
"""A box, and which of some boxes it is inside of; it shares no index with the others."""

_Piece = tuple[Term, Term, Term, frozenset[int]]


def grid(
    boxes: Sequence[Box], shape: Sequence[Term], nonnegative: Nonnegative = nonnegative
) -> list[Cell] | None:
    """A shape cut at the borders of boxes: the cells share no index, and are all of it. None if the order of the borders is not known.

    O(cells * boxes).
    """
    cells: list[tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...], frozenset[int]]]
    cells = [((), (), (), frozenset(range(len(boxes))))]
    for d, extent in enumerate(shape):
        pieces = _pieces([(box[0][d], box[1][d], box[2][d]) for box in boxes], extent, nonnegative)
        if pieces is None or len(cells) * len(pieces) > MAX_CELLS:
            return None
        cells = [
            ((*offsets, o), (*sizes, s), (*strides, e), inside & there)
            for offsets, sizes, strides, inside in cells
            for o, s, e, there in pieces
        ]
    return [((offsets, sizes, strides), inside) for offsets, sizes, strides, inside in cells]


def _pieces(
    ranges: Sequence[tuple[Term, Term, Term]], extent: Term, nonnegative: Nonnegative
) -> list[_Piece] | None:
    """One dimension cut where ranges begin and end; where some have strides, into the residues of their multiple, too."""
    multiple = 1
    for _, size, stride in ranges:
        if size is not ONE and stride is not ONE:
            if stride.op != "const" or stride.attr < 1:
                return None
            multiple = lcm(multiple, stride.attr)
    cuts: list[Term] = [ZERO, extent]
    for offset, size, stride in ranges:
        for cut in (offset, end_of(offset, size, stride)):
            at = _place_among(cuts, cut, nonnegative)
            if at is None:
                return None
            if at >= 0:
                cuts.insert(at, cut)
    found: list[_Piece] = []
    for k, (first, end) in enumerate(pairwise(cuts)):
        length = sub(end, first)
        if length is ZERO:
            continue
        around = [n for n, (o, s, d) in enumerate(ranges) if cuts.index(o) <= k < cuts.index(end_of(o, s, d))]
        if multiple == 1:
            found.append((first, length, ONE, frozenset(around)))
            continue
        if first.op != "const" or length.op != "const" or any(ranges[n][0].op != "const" for n in around):
            return None
        for rest in range(min(multiple, length.attr)):
            count = number(-(-(length.attr - rest) // multiple))
            there = frozenset(
                n for n in around
                if ranges[n][1] is ONE or (first.attr + rest - ranges[n][0].attr) % ranges[n][2].attr == 0
            )  # fmt: skip
            step = ONE if count is ONE else number(multiple)
            found.append((number(first.attr + rest), count, step, there))
    return found


def _place_among(cuts: Sequence[Term], cut: Term, nonnegative: Nonnegative) -> int | None:
    """The position of a number among sorted ones; -1 if it is one of them, None if unknown."""
    if cut in cuts:
        return -1
    for i, other in enumerate(cuts):
        if nonnegative(sub(other, cut)):
            return i if i else None  # before the first, nothing is
        if not nonnegative(sub(cut, other)):
            return None
    return None


def cover(boxes: Sequence[Box], shape: Sequence[Term], nonnegative: Nonnegative = nonnegative) -> bool:
    """Whether every index of a shape is in one of some boxes for certain."""
    count = _volume(shape)
    if count is not None:
        volumes = [_volume(box[1]) for box in boxes]
        if None not in volumes and sum(v or 0 for v in volumes) < count:
            return False
    elif len(boxes) > MAX_SYMBOLIC:
        return False
    cells = grid(boxes, shape, nonnegative)
    return cells is not None and all(there for _, there in cells)


MAX_SYMBOLIC = 12
"""Boxes, beyond which it is not checked whether they cover a shape of unknown size."""


def _volume(sizes: Sequence[Term]) -> int | None:
    count = 1
    for size in sizes:
        if size.op != "const":
            return None
        count *= size.attr
    return count
