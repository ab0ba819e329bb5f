"""Refinement: whether the target's terms compute what the source's do.

Terms are hash-consed, so equal ones are identical. Other terms must be the same operation applied to corresponding operands,
with two exceptions: *undefined* values of the source may be any value in the target (each read sees a different one), and
integers may be equal by facts that the source's legality implies.

For `ins(b, v, box)` in the source, the target must have `v` in the box and `b` everywhere else; so the order of writes may
differ, and overwritten contents need not correspond.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from . import contents as c
from .commutation import paired
from .elementwise import Dims, map_, parts_of
from .facts import Facts, Path, atoms_of
from .promised_sums import about_promises
from .ranges import Box, Nonnegative, composed, cover, disjoint, grid, inside, nonnegative, whole
from .terms import ONE, ZERO, Shape, Term, may_vary, number, sub


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Two terms that do not correspond; `readers` are the enclosing terms, outermost first."""

    original: Term
    transformed: Term
    readers: tuple[Term, ...] = ()


SAME, AGAIN, UNDEFINED, EMPTY, SLOT = "same", "again", "undefined", "empty", "slot"
INSERTED, OUTSIDE, EQUAL, RESHAPED = "inserted", "outside", "equal", "reshaped"
CASES, CELLS, FOLD, SLICED, LOOP, CONGRUENCE = "cases", "cells", "fold", "sliced", "loop", "congruence"
PROMISE = "promise"
"""The rules by which two terms correspond; `checker` has the premises of each."""

MAX_PAIRS = 400_000
"""Pairs of terms compared in one query; beyond them the answer is a mismatch."""


class _Loops:
    """Two compared loops of one level, with the slots that are assumed to correspond.

    By induction: slots correspond if their initial values do, and if their next values do under the assumption.
    """

    __slots__ = ("around", "level", "original", "pairs", "transformed")

    def __init__(self, original: Term, transformed: Term, around: _Loops | None):
        self.original, self.transformed, self.around = original, transformed, around
        self.level: int = original.attr[1]
        self.pairs: set[tuple[Term, Term]] = set()

    def assume(self, s: Term, x: Term) -> list[tuple[Term, Term]]:
        """The new pairs that must correspond for two slots to do so."""
        if (s, x) in self.pairs:
            return []
        self.pairs.add((s, x))
        first = self.original.attr[2] + 1
        i, j = first + 2 * s.attr[1], first + 2 * x.attr[1]
        mine, other = self.original.args, self.transformed.args
        return [(mine[i], other[j]), (mine[i + 1], other[j + 1])]


class Refinement:
    """Compares terms, and caches pairs that correspond.

    Attributes:
        derivations: for each comparison, the rules of its pairs in order; None if it failed.
    """

    def __init__(self, facts: Facts):
        self.facts = facts
        self.known: dict[Path, set[tuple[Term, Term]]] = {}
        self.derivations: list[list[str] | None] = []

    def compare(self, original: Term, transformed: Term) -> Mismatch | None:
        """None if `transformed` refines `original`, else the mismatch. Records the derivation."""
        known = self.known.setdefault(self.facts.here, set())
        pending: list[tuple[Term, Term, _Loops | None, Any]] = [(original, transformed, None, None)]
        seen: set[tuple[Term, Term, _Loops | None]] = set()
        rules: list[str] = []
        at = len(self.derivations)
        self.derivations.append(None)
        while pending:
            s, x, loops, parents = pending.pop()
            while loops is not None and loops.level > max(s.level, x.level):
                loops = loops.around
            if (s is x and loops is None) or x.op == "hole":
                rules.append(SAME)
                continue
            if (s, x) in known or (s, x, loops) in seen:
                rules.append(AGAIN)
                continue
            seen.add((s, x, loops))
            if len(seen) > MAX_PAIRS:
                return Mismatch(s, x)
            found = self._pairs(s, x, loops)
            if found is None:
                return _mismatch(s, x, parents)
            rule, inner, parts = found
            rules.append(rule)
            pending.extend((a, b, inner, (x, parents)) for a, b in reversed(parts))
        known.update((s, x) for s, x, loops in seen if loops is None)
        self.derivations[at] = rules
        return None

    def _pairs(
        self, s: Term, x: Term, loops: _Loops | None
    ) -> tuple[str, _Loops | None, list[tuple[Term, Term]]] | None:
        """The rule for two terms, the loops of its premises, and the premises; None if no rule applies."""
        if s.op in ("undef", "blank") or (s.shape and any(size is ZERO for size in s.shape)):
            shapes = self._shapes(s.shape, x.shape, loops) if s.shape is not None else []
            rule = UNDEFINED if s.op in ("undef", "blank") else EMPTY
            return None if shapes is None else (rule, loops, shapes)
        if x.op in ("undef", "junk"):
            return None
        if s.op == x.op == "slot" and s.attr[0] == x.attr[0]:
            while loops is not None and loops.level != s.attr[0]:
                loops = loops.around
            if loops is None:
                return (SLOT, loops, []) if s is x else None
            return SLOT, loops, loops.assume(s, x)
        inner = loops
        rule, parts = CONGRUENCE, None
        if s.op == "ins":
            rule, parts = INSERTED, self._inserted(s, x)
        elif s.type is not None and self._equal(s, x, loops):
            rule, parts = EQUAL, []
        elif s.op == "reshape" and x.op != "reshape" and self._alike(s.args[0].shape, x.shape):
            rule, parts = RESHAPED, [(s.args[0], x)]
        elif x.op == "reshape" and s.op != "reshape" and self._alike(s.shape, x.args[0].shape):
            rule, parts = RESHAPED, [(s, x.args[0])]
        elif x.op == "ins" and s.shape is not None and not _boxed_by_slots(x):
            rule, parts = OUTSIDE, self._outside(s, x)
        elif (condition := deciding(s, x)) is not None:
            rule, parts = CASES, _by_cases(s, x, condition)
        elif (cells := cells_of(s, x)) is not None:
            rule, parts = CELLS, [(c.ext(s, cell), c.ext(x, cell)) for cell in cells]
        elif (steps := steps_of(s, x)) is not None:
            rule, parts = FOLD, steps
        elif (slices := slices_of(s, x, self.nonnegative)) is not None:
            rule, parts = SLICED, [slices]
        elif (parts := about_promises(s, x)) is not None:
            rule = PROMISE
        elif s.op != x.op or s.op == "slot":
            return None
        elif s.op == "loop" and s.attr == x.attr:
            count = s.attr[2] + 1
            rule, inner = LOOP, _Loops(s, x, loops)
            parts = list(zip(s.args[:count], x.args[:count], strict=True))
        else:
            parts = paired(s, x)
        shapes = self._shapes(s.shape, x.shape, loops)
        return None if parts is None or shapes is None else (rule, inner, shapes + parts)

    def nonnegative(self, term: Term) -> bool:
        """Whether an integer is at least 0 by facts. Slots of different loops may have the same name."""
        return nonnegative(term) if _has_slot(term) else self.facts.nonnegative(term, self.facts.here)

    def _equal(self, s: Term, x: Term, loops: _Loops | None) -> bool:
        """Whether two integers are equal by facts. Slots of different loops are never equal."""
        if loops is not None and (_has_slot(s) or _has_slot(x)):
            return False
        return self.facts.equal(s, x, self.facts.here)

    def _shapes(
        self, left: Shape | None, right: Shape | None, loops: _Loops | None
    ) -> list[tuple[Term, Term]] | None:
        """The sizes that must correspond for two shapes to do so; None if they cannot."""
        if left is None or right is None:
            return [] if left is right else None
        if len(left) != len(right):
            return None
        rest: list[tuple[Term, Term]] = []
        for a, b in zip(left, right, strict=True):
            if self._equal(a, b, loops):
                continue
            if a.op == "const" or b.op == "const":
                return None
            rest.append((a, b))
        return rest

    def _alike(self, left: Shape | None, right: Shape | None) -> bool:
        """Whether two shapes are equal by facts, so that a reshape between them is the identity."""
        return left is not None and right is not None and self.facts.same_shape(left, right, self.facts.here)

    def _inserted(self, s: Term, x: Term) -> list[tuple[Term, Term]] | None:
        if x.shape is None or s.shape is None or len(x.shape) != len(s.shape):
            return None
        base, value = s.args[0], s.args[1]
        box = c.box_of(s)
        varies = any(_has_slot(term) for part in box for term in part)
        replaces = x.op == "ins" and x.args[1].op != "hole"
        if varies or (replaces and (_moves(s) or _moves(x))):
            return list(zip(s.args, x.args, strict=True)) if s.op == x.op else None
        if replaces and (x.args[0] is base or base.op == "undef") and c.box_of(x) == box:
            return [(base, x.args[0]), (value, x.args[1])]
        there = c.ext(x, box)
        hole = c.hole(box[1])
        return [(value, there), (base, c.ins(x, hole, box))]

    def _outside(self, s: Term, x: Term) -> list[tuple[Term, Term]] | None:
        """For `x` with inserted parts: `s` must have these parts, and correspond elsewhere.

        Irrelevant parts are holes.
        """
        box, value = c.box_of(x), x.args[1]
        if s.shape is None or len(s.shape) != len(box[0]):
            return None
        if value.op != "hole":
            hole = c.hole(box[1])
            return [(c.ext(s, box), value), (s, c.ins(x.args[0], hole, box))]
        inner = x
        holes: list[Box] = []
        while inner.op == "ins":
            if _boxed_by_slots(inner):
                return None
            box = c.box_of(inner)
            if inner.args[1].op == "hole":
                holes.append(box)
            elif not any(box == hole or inside(box, hole, self.nonnegative) for hole in holes):
                break
            inner = inner.args[0]
        if cover(holes, x.shape or (), self.nonnegative):
            return []
        if inner.op == "sel":
            if may_vary(inner.args[0]):
                return None
            return [(a, _with_holes(b, holes)) for a, b in _by_cases(s, inner, inner.args[0])]
        if inner.op == "ins":
            box = c.box_of(inner)
            if any(not disjoint(box, hole, self.nonnegative) for hole in holes):
                return None
            rest = _with_holes(inner.args[0], [*holes, box])
            return [(c.ext(s, box), inner.args[1]), (s, rest)]
        cells = grid(holes, x.shape or (), self.nonnegative) if inner.op == "ext" else None
        if cells is not None:
            return [(c.ext(s, cell), c.ext(inner, cell)) for cell, holed in cells if not holed]
        return [(s, inner)]


def _with_holes(x: Term, holes: list[Box]) -> Term:
    """`x` with holes, whose contents are irrelevant."""
    for hole in holes:
        x = c.ins(x, c.hole(hole[1]), hole)
    return x


def deciding(s: Term, x: Term) -> Term | None:
    """The condition for a case split: that of the one choice, or one on which the conditions of both depend; else None.

    Slots of different loops may have the same name, so a condition on them decides no other one.
    """
    if s.op == x.op == "sel":
        left, right = s.args[0], x.args[0]
        if left is right or _has_slot(left) or _has_slot(right):
            return None
        others = atoms_of([right])
        for atom in atoms_of([left]):
            if (
                atom in others
                and not may_vary(atom)
                and all(c.assumed(t, atom, holds) is not t for t in (s, x) for holds in (True, False))
            ):
                return atom
        return None
    if s.op != "sel" and x.op != "sel":
        return None
    choice, other = (s, x) if s.op == "sel" else (x, s)
    condition = choice.args[0]
    if may_vary(condition) or (condition.poison and choice is x and s.shape is None):
        return condition if choice is s else None
    return None if c.assumed(other, condition, True) is not other and _has_slot(condition) else condition


def _by_cases(s: Term, x: Term, condition: Term) -> list[tuple[Term, Term]]:
    """The premises for a case split; the source may make any choice by uninitialized memory."""
    if may_vary(condition):
        return [(case, x) for case in s.args[1:]]
    return [(c.assumed(s, condition, holds), c.assumed(x, condition, holds)) for holds in (True, False)]


def cells_of(s: Term, x: Term) -> list[Box] | None:
    """A partition of the contents of two terms into boxes, cut at the borders of their parts; None if there is none."""
    if s.op != x.op and "literal" in (s.op, x.op) and s.shape == x.shape:
        return elements_of(s.shape or ())
    if s.shape is None or s.shape != x.shape or not ("map" in (s.op, x.op) or "reduce" in (s.op, x.op)):
        return None
    borders: dict[Box, None] = {}
    for term in (s, x):
        if not _borders_in(term, borders):
            return None
    cells = grid(list(borders), s.shape) if borders else None
    return [cell for cell, _ in cells] if cells is not None and len(cells) > 1 else None


def elements_of(shape: Shape) -> list[Box] | None:
    """The boxes of single elements of a shape; None if it has many."""
    counts = [size.attr if size.op == "const" else MAX_BORDERS for size in shape]
    if not 1 < prod(counts) < MAX_BORDERS:
        return None
    return [c.point(list(map(number, place))) for place in product(*map(range, counts))]


def steps_of(s: Term, x: Term) -> list[tuple[Term, Term]] | None:
    """The premises for two reductions over the same points whose bodies read contents in parts; else None.

    The initial values correspond, and so do the bodies at each point, whatever the accumulators are.
    """
    if not (s.op == x.op == "reduce") or s.attr != x.attr or s.shape != x.shape:
        return None
    (left, begins, ends), (right, others, its_ends) = parts_of(s), parts_of(x)
    if ends != its_ends or any(begin.op == "outline" for begin in begins):
        return None
    points = (*(s.shape or ()), *ends)
    bodies = [(map_(a, points), map_(b, points)) for a, b in zip(left, right, strict=True)]
    if not any(cells_of(a, b) for a, b in bodies):
        return None
    return [*bodies, *zip(begins, others, strict=True)]


def slices_of(s: Term, x: Term, nonnegative: Nonnegative) -> tuple[Term, Term] | None:
    """The premise for slices of which facts tell where they are, or that may have holes: then what was there before corresponds, too."""
    found = [
        c.ext(term.args[0], c.box_of(term), nonnegative=nonnegative) if term.op == "ext" else term
        for term in (s, x)
    ]
    after = found[1]
    if after.op == "ext" and (whole := after.args[0]).op == "ins" and whole.args[1].op == "hole":
        found[1] = c.ext(whole.args[0], c.box_of(after))
    return None if found == [s, x] else (found[0], found[1])


MAX_BORDERS = 64
"""Boxes whose borders cut the contents; beyond them there is no partition."""


def _borders_in(root: Term, found: dict[Box, None]) -> bool:
    """Add the boxes in which the elements of a map or reduction are computed differently; False if there are too many. O(bodies)."""
    shape = root.shape or ()
    if root.undefined:
        return True
    if root.op not in ("map", "reduce"):
        _add_borders(root, tuple(range(len(shape))), c.full_box(shape), shape, found)
        return len(found) <= MAX_BORDERS
    pending = [root.args[0]] if root.op == "map" else list(parts_of(root)[0])
    seen = set(pending)
    while pending:
        term = pending.pop()
        if term.op == "at":
            _add_borders(term.args[0], term.attr, c.full_box(term.args[0].shape or ()), shape, found)
            if len(found) > MAX_BORDERS:
                return False
        if term.shape is None:
            pending += [arg for arg in term.args if arg not in seen]
            seen.update(term.args)
    return True


def _add_borders(x: Term, dims: Dims, seen: Box, shape: Shape, found: dict[Box, None]) -> None:
    """Add the boxes that `x` is assembled from, in coordinates of the whole.

    Args:
        dims: the coordinate for each dimension.
        seen: the box of `x` that has these coordinates.
    """
    if x.op == "ext":
        seen, x = composed(c.box_of(x), seen), x.args[0]
    rank = len(shape)
    while rank and x.op == "ins" and len(found) <= MAX_BORDERS:
        box = c.box_of(x)
        places: list[tuple[Term, Term, Term]] = [(ZERO, size, ONE) for size in shape]
        for dim, o, s, d, begin, count, step in zip(dims, *box, *seen, strict=True):
            if dim is None or dim >= rank:
                continue
            cut = _as_places(o, s, d, begin, count, step)
            if cut is None:
                break
            places[dim] = cut
        else:
            offsets, sizes, strides = zip(*places, strict=True) if places else ((), (), ())
            if not whole((offsets, sizes, strides), shape):
                found[offsets, sizes, strides] = None
        x = x.args[0]


def _as_places(
    o: Term, s: Term, d: Term, begin: Term, count: Term, step: Term
) -> tuple[Term, Term, Term] | None:
    """The range of `i` below `count` for which `begin + i * step` is in a range; None if it is empty or unknown."""
    first = sub(o, begin)
    if step is not ONE and count is not ONE:
        if not (step.op == d.op == first.op == s.op == count.op == "const") or d is not ONE:
            return None
        # those between the ends of the range
        low = max(0, -(-first.attr // step.attr))
        high = min(count.attr, -(-(first.attr + s.attr) // step.attr))
        return (number(low), number(high - low), ONE) if low < high else None
    if first.op == "const" and s.op == "const" and d.op == "const" and count.op == "const":
        if d.attr <= 0:
            return None
        skipped = max(0, -(first.attr // d.attr))
        last = min(s.attr, -(-(count.attr - first.attr) // d.attr))
        low = first.attr + skipped * d.attr
        return (number(low), number(last - skipped), d) if skipped < last else None
    return first, s, d


def _moves(x: Term) -> bool:
    """Whether contents have an insertion at indices that depend on a loop, so that its order is not known."""
    while x.op == "ins":
        if _boxed_by_slots(x):
            return True
        x = x.args[0]
    return False


def _boxed_by_slots(x: Term) -> bool:
    return any(_has_slot(term) for part in c.box_of(x) for term in part)


MAX_SEARCHED = 200
"""Terms of an index that are searched for slots; in a larger one there may be some."""

MAX_READERS = 50
"""Terms around a mismatch that are listed."""


def _has_slot(root: Term) -> bool:
    """Whether a slot of a loop occurs free in an index term, as far as it is searched."""
    if root.level == 0:
        return False
    pending, seen = [root], 0
    while pending:
        term = pending.pop()
        seen += 1
        if term.op == "slot" or seen > MAX_SEARCHED:
            return True
        if term.level:
            pending.extend(term.args)
    return False


def _mismatch(s: Term, x: Term, parents: Any) -> Mismatch:
    readers: list[Term] = []
    while parents is not None and len(readers) < MAX_READERS:
        readers.append(parents[0])
        parents = parents[1]
    return Mismatch(s, x, tuple(reversed(readers)))
