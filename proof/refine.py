"""Refinement: whether the target's terms compute what the source's do.

Terms are equal if they are one object. Otherwise the same operation must have been applied to parts that correspond, with two
liberties. What the original leaves *undefined* may be anything in the other: each read of it sees a value of its own. And
integers may be equal by facts on which the original depends.

Of `ins(b, v, box)` in the original it is asked what the other has in the box, which must be `v`, and whether it has `b`
everywhere else; so writes may come in another order, and what is overwritten need not match.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from . import contents as c
from .facts import Facts, Path
from .ranges import Box, disjoint, inside
from .terms import FALSE, TRUE, ZERO, Shape, Term, make, under


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Two terms that should correspond and do not; `readers` led there, outermost first."""

    original: Term
    transformed: Term
    readers: tuple[Term, ...] = ()


SAME, AGAIN, UNDEFINED, EMPTY, SLOT = "same", "again", "undefined", "empty", "slot"
INSERTED, OUTSIDE, EQUAL, RESHAPED = "inserted", "outside", "equal", "reshaped"
RAN_ONCE, CASES, LOOP, CONGRUENCE = "ran once", "cases", "loop", "congruence"
"""The rules by which two terms correspond (`checker` says what each demands)."""

MAX_PAIRS = 400_000
"""Pairs of terms compared in one question."""


class _Loops:
    """Two loops of one level that are compared: which of their slots are assumed to correspond.

    That is induction: slots correspond if they do before the first iteration, and after each one if they did before it.
    """

    __slots__ = ("around", "level", "original", "pairs", "transformed")

    def __init__(self, original: Term, transformed: Term, around: _Loops | None):
        self.original, self.transformed, self.around = original, transformed, around
        self.level: int = original.attr[1]
        self.pairs: set[tuple[Term, Term]] = set()

    def assume(self, s: Term, x: Term) -> list[tuple[Term, Term]]:
        """What must correspond for two slots to do so, beside what was asked before."""
        if (s, x) in self.pairs:
            return []
        self.pairs.add((s, x))
        first = self.original.attr[2] + 1
        i, j = first + 2 * s.attr[1], first + 2 * x.attr[1]
        mine, other = self.original.args, self.transformed.args
        return [(mine[i], other[j]), (mine[i + 1], other[j + 1])]


class Refinement:
    """Compares terms; what was found to correspond is remembered.

    Attributes:
        derivations: for each comparison, the rules that show it, in the order in which its pairs are met; None where none do.
    """

    def __init__(self, facts: Facts):
        self.facts = facts
        self.known: dict[Path, set[tuple[Term, Term]]] = {}
        self.derivations: list[list[str] | None] = []

    def compare(self, original: Term, transformed: Term) -> Mismatch | None:
        """None if `transformed` is what `original` is, or what `original` leaves undefined. The rules that show it are recorded."""
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
        """The rule by which two terms correspond, the loops its pairs stand in, and the pairs that must correspond; None if there is none."""
        if s.op == "undef" or (s.shape and any(size is ZERO for size in s.shape)):
            shapes = self._shapes(s.shape, x.shape, loops) if s.shape is not None else []
            return None if shapes is None else (UNDEFINED if s.op == "undef" else EMPTY, loops, shapes)
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
        elif s.op == "sel" and x.op == "loop":
            rule, parts = RAN_ONCE, _once_run(s, x)
        elif (s.op == "sel") != (x.op == "sel"):
            rule, parts = CASES, _by_cases(s, x)
        elif s.op != x.op or s.attr != x.attr or s.type is not x.type or s.op == "slot":
            return None
        elif s.op == "loop":
            count = s.attr[2] + 1
            rule, inner = LOOP, _Loops(s, x, loops)
            parts = list(zip(s.args[:count], x.args[:count], strict=True))
        elif len(s.args) == len(x.args):
            parts = list(zip(s.args, x.args, strict=True))
        shapes = self._shapes(s.shape, x.shape, loops)
        return None if parts is None or shapes is None else (rule, inner, shapes + parts)

    def _equal(self, s: Term, x: Term, loops: _Loops | None) -> bool:
        """Whether two integers are equal by facts. In loops, slots of one are not those of the other."""
        if loops is not None and (_has_slot(s) or _has_slot(x)):
            return False
        return self.facts.equal(s, x, self.facts.here)

    def _shapes(
        self, left: Shape | None, right: Shape | None, loops: _Loops | None
    ) -> list[tuple[Term, Term]] | None:
        """The sizes that must still correspond for two shapes to do so; None if they cannot."""
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
        """Whether two shapes are the same by facts: then a reshape from one to the other does nothing."""
        return left is not None and right is not None and self.facts.same_shape(left, right, self.facts.here)

    def _inserted(self, s: Term, x: Term) -> list[tuple[Term, Term]] | None:
        if x.shape is None or s.shape is None or len(x.shape) != len(s.shape):
            return None
        base, value = s.args[0], s.args[1]
        box = c.box_of(s)
        if (
            x.op == "ins"
            and x.args[1].op != "hole"
            and (x.args[0] is base or base.op == "undef" or _has_slot(s))
        ):
            if c.box_of(x) == box and not any(_has_slot(term) for part in box for term in part):
                return [(base, x.args[0]), (value, x.args[1])]
            if _has_slot(s):
                return list(zip(s.args, x.args, strict=True))
        if any(_has_slot(term) for part in box for term in part):
            return list(zip(s.args, x.args, strict=True)) if s.op == x.op else None
        there = c.ext(x, box)
        hole = make("hole", None, (), shape=box[1])
        return [(value, there), (base, c.ins(x, hole, box))]

    def _outside(self, s: Term, x: Term) -> list[tuple[Term, Term]] | None:
        """`x` is something with other parts put in: `s` must have these parts, and be that something elsewhere.

        Parts that do not matter are holes.
        """
        box, value = c.box_of(x), x.args[1]
        if s.shape is None or len(s.shape) != len(box[0]):
            return None
        if value.op != "hole":
            hole = make("hole", None, (), shape=box[1])
            return [(c.ext(s, box), value), (s, c.ins(x.args[0], hole, box))]
        inner = x
        holes: list[Box] = []
        while inner.op == "ins":
            if _boxed_by_slots(inner):
                return None
            box = c.box_of(inner)
            if inner.args[1].op == "hole":
                holes.append(box)
            elif not any(box == hole or inside(box, hole) for hole in holes):
                break
            inner = inner.args[0]
        if covered(holes, x.shape):
            return []
        if inner.op == "sel":
            return [(a, _with_holes(b, holes)) for a, b in _by_cases(s, inner)]
        if inner.op == "ins":
            box = c.box_of(inner)
            if any(not disjoint(box, hole) for hole in holes):
                return None
            rest = _with_holes(inner.args[0], [*holes, box])
            return [(c.ext(s, box), inner.args[1]), (s, rest)]
        return [(s, inner)]


def _with_holes(x: Term, holes: list[Box]) -> Term:
    """`x` with parts that do not matter."""
    for hole in holes:
        x = c.ins(x, make("hole", None, (), shape=hole[1]), hole)
    return x


def _by_cases(s: Term, x: Term) -> list[tuple[Term, Term]]:
    """Two terms correspond if they do where the condition of one holds, and where it does not."""
    condition = (x if x.op == "sel" else s).args[0]
    return [(under(s, condition, holds), under(x, condition, holds)) for holds in (True, False)]


def _once_run(s: Term, x: Term) -> list[tuple[Term, Term]] | None:
    """`s` is one thing if an iteration has run, and another if none has (`slots`): so must be the first slot of the loop `x`."""
    ran, same, first = s.args
    count = x.attr[2]
    if ran.op != "loop" or ran.attr != x.attr or x.args[count].op != "slot" or x.args[count].attr[1] != 0:
        return None
    if ran.args[count:] != (ran.args[count], FALSE, TRUE) or ran.args[count].op != "slot":
        return None
    heads = zip(ran.args[:count], x.args[:count], strict=True)
    return [*heads, (first, x.args[count + 1]), (same, x.args[count + 2])]


MAX_COVERED = 4096
"""Elements counted to see whether parts cover a whole."""


def covered(holes: list[Box], shape: Shape | None) -> bool:
    """Whether boxes of constant numbers cover a shape."""
    if shape is None or any(size.op != "const" for size in shape):
        return False
    count = 1
    for size in shape:
        count *= size.attr
    if count > MAX_COVERED:
        return False
    left = set(product(*(range(size.attr) for size in shape)))
    for box in holes:
        if any(term.op != "const" for part in box for term in part):
            continue
        left.difference_update(
            product(
                *(range(o.attr, o.attr + s.attr * d.attr, d.attr or 1) for o, s, d in zip(*box, strict=True))
            )
        )
    return not left


def _boxed_by_slots(x: Term) -> bool:
    return any(_has_slot(term) for part in c.box_of(x) for term in part)


def _has_slot(root: Term) -> bool:
    """Whether a slot of a loop is free in an index term, as far as it is looked into."""
    if root.level == 0:
        return False
    pending, seen = [root], 0
    while pending:
        term = pending.pop()
        seen += 1
        if term.op == "slot" or seen > 200:
            return True
        if term.level:
            pending.extend(term.args)
    return False


def _mismatch(s: Term, x: Term, parents: Any) -> Mismatch:
    readers: list[Term] = []
    while parents is not None and len(readers) < 50:
        readers.append(parents[0])
        parents = parents[1]
    return Mismatch(s, x, tuple(reversed(readers)))
