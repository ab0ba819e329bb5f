"""Facts implied by the source program's legality, and implication between conditions.

A proof may assume that the original has no undefined behaviour: its slices are in bounds, sizes that must agree do. Each fact holds
on the path of its operation (its conditions and loops), and is only used on paths with the same conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import gcd
from typing import TYPE_CHECKING, Any

from ..ir.types import types as t
from . import ranges
from .ranges import Box
from .terms import (
    FALSE,
    TRUE,
    ZERO,
    Shape,
    Term,
    boolean,
    both,
    choose,
    linear,
    monomials,
    mul,
    negate,
    number,
    sub,
)

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from .state import Base

Path = tuple[tuple[Term, bool], ...]


@dataclass(slots=True)
class Touch:
    """A memory access in a parallel loop: a box of a base, on a path.

    Attributes:
        is_box: whether it is an access of the box; else it may touch less.
        numbers: the operands of the operation that are integers, or vectors of these.
    """

    base: Base
    box: Box | None
    writes: bool
    op: Operation | None
    path: Path = ()
    is_box: bool = False
    numbers: tuple[Term, ...] = ()

    @property
    def is_atomic(self) -> bool:
        """Whether it is atomic, and may overlap other atomic accesses in any order."""
        return self.op is not None and self.op.name == "memref.atomic_rmw"

    @property
    def is_certain(self) -> bool:
        """Whether it accesses every element of its box: then a legal program's iterations keep away from it."""
        return self.is_box and self.op is not None and self.op.name in _CERTAIN


def touching(op: Operation | None, env: Mapping[Any, Any]) -> tuple[Operation | None, tuple[Term, ...]]:
    """The operation that accesses memory where this one is executed, and its operands that are integers."""
    if op is not None and op.name == "linalg.yield":
        op = op.parent_op
    held = [env.get(value) for value in op.operands] if op is not None else []
    return op, tuple(x for x in held if isinstance(x, Term) and x.shape is None and _is_integer(x.type))


def _is_integer(type: t.Type | None) -> bool:
    element = type.element if isinstance(type, t.VectorType) else type
    return isinstance(element, (t.IntegerType, t.IndexType))


_CERTAIN = frozenset(
    ["memref.load", "memref.store", "memref.copy", "memref.atomic_rmw", "affine.load", "affine.store", "linalg.copy", "linalg.fill",
     "scf.forall.in_parallel"]
)  # fmt: skip
"""Operations that access all that they name. Calls, vectors and bodies may touch less."""

Place = tuple[Box, frozenset[tuple[Term, bool]], object]
"""A box that is accessed under conditions, and which elements of it: None if all, else how, which equal operations do in the same way."""


INSIDE = "inside"
Inside = tuple[str, Term, Term, Term, Term]
"""The key of a box that is in bounds in one dimension: INSIDE, offset, size, stride, and the size of the dimension."""

MAX_PATHS = 8
"""Paths that are kept for one fact."""

MAX_USABLE = 200
"""Sums known to be 0 that are tried."""

MAX_ROOMS = 8
"""Boxes that the original accesses, by whose bounds a number is shown to be at least 0."""

MAX_ADDED = 6
"""Sums known to be 0 that are added up to show that another one is."""


@dataclass(slots=True)
class Facts:
    """Facts of the original program, by kind.

    Attributes:
        zero: sums that are 0.
        legal: actions that are legal, by key.
        apart: pairs of boxes that are disjoint in different iterations of a parallel loop, where these access them under conditions.
        rooms: what is left of dimensions behind boxes that are in bounds, by their keys of `legal`; for each part of it, and whether
            that is added.
        extents: the dimensions that a box is in, by its offset, size and stride there; see `legal` for the paths.
        sizes: terms that are sizes, and so non-negative.
        argument_alignment: the alignment of call operands on a path, by callee, index, and what was passed.
        exact: by promise, sums that do not overflow, where that is legal.
        plain: operations with operands that the original computes without promises against overflow.
        flagged: results of operations with such promises, which may be poison.
        decided: conditions, bounds and sizes on which branches, loops and allocations depend.
        operand_counts: the numbers of operands of operations that choose a region, by name and attributes.
        here: the path of the current comparison.
    """

    zero: dict[Term, list[Path]] = field(default_factory=dict)
    legal: dict[Any, list[Path]] = field(default_factory=dict)
    apart: dict[tuple[Term, ...], dict[tuple[Place, Place], list[Path]]] = field(default_factory=dict)
    rooms: dict[tuple[Term, bool], dict[Inside, Term]] = field(default_factory=dict)
    extents: dict[tuple[Term, Term, Term], dict[Term, None]] = field(default_factory=dict)
    sizes: dict[Term, list[Path]] = field(default_factory=dict)
    exact: dict[tuple[str, Term], Any] = field(default_factory=dict)
    argument_alignment: dict[tuple[str, int, Term], list[tuple[Path, int]]] = field(default_factory=dict)
    plain: set[tuple[Any, ...]] = field(default_factory=set)
    flagged: set[Term] = field(default_factory=set)
    decided: set[Term] = field(default_factory=set)
    operand_counts: dict[tuple[object, ...], set[int]] = field(default_factory=dict)

    here: Path = ()
    log: list[tuple[Any, Path]] = field(default_factory=list)
    """The keys of `legal`, in order."""
    said: list[list[Path]] = field(default_factory=list)
    changes: int = 0
    """How often facts were added or undone."""
    _sizes: dict[Path, tuple[int, frozenset[Term]]] = field(default_factory=dict)
    _solutions: dict[Path, tuple[int, list[tuple[Term, Term]], list[Term]]] = field(default_factory=dict)

    def mark(self) -> int:
        return len(self.said)

    def rollback(self, mark: int) -> None:
        """Undo facts added since a mark, under refuted hypotheses."""
        self.changes += 1
        while len(self.said) > mark:
            self.said.pop().pop()

    def _say(self, paths: list[Path], path: Path) -> None:
        if len(paths) < MAX_PATHS and path not in paths:
            paths.append(path)
            self.said.append(paths)
            self.changes += 1

    def terms(self) -> Iterator[Term]:
        """The terms that occur in facts and their paths. O(facts)."""
        pending: list[Any] = [(key, paths) for key, paths in self.legal.items() if paths]
        pending += [(term, paths) for term, paths in self.zero.items() if paths]
        while pending:
            part = pending.pop()
            if isinstance(part, Term):
                yield part
            elif isinstance(part, (tuple, list)):
                pending.extend(part)

    def say_equal(self, left: Term, right: Term, path: Path) -> None:
        """Two integers are equal. A common factor of indices cancels, as they do not overflow."""
        if left is not right:
            difference = sub(left, right)
            constant, parts = monomials(difference)
            factor = gcd(constant, *parts.values())
            if parts and factor > 1 and difference.type is t.INDEX and 0 not in parts.values():
                smaller = {part: times // factor for part, times in parts.items()}
                difference = linear(constant // factor, smaller, t.INDEX)
            self._say(self.zero.setdefault(difference, []), path)

    def say_legal(self, key: object, path: Path) -> None:
        """Something is legal."""
        if isinstance(key, tuple) and key and key[0] == INSIDE:
            self._say_room(key)
        self._say(self.legal.setdefault(key, []), path)
        self.log.append((key, path))

    def _say_room(self, key: Inside) -> None:
        """What is left of a dimension behind a box that is in bounds is not negative; and the dimension that the box is in.

        An empty box may begin anywhere, but one that begins at 0 ends in the dimension.
        """
        _, o, s, d, n = key
        self.extents.setdefault((o, s, d), {})[n] = None
        if (s.op == "const" and s.attr > 0) or (o is ZERO and d.op == "const" and d.attr > 0):
            room = sub(n, ranges.end_of(o, s, d))
            for part, times in monomials(room)[1].items():
                self.rooms.setdefault((part, times > 0), {})[key] = room

    def say_sizes(self, shape: Shape | None, path: Path) -> None:
        """A tensor or buffer of that shape exists, so its sizes are non-negative, or the path is impossible."""
        for size in shape or ():
            if size.op != "const":
                self._say(self.sizes.setdefault(size, []), path)
            if size.op != "const" or size.attr < 0:
                self.say_legal(("size", size), path)

    def sizes_on(self, path: Path) -> frozenset[Term]:
        """The terms that are non-negative on a path, as sizes. O(sizes), once for each path."""
        known = self._sizes.get(path)
        if known is None or known[0] != self.changes:
            here = frozenset(term for term, paths in self.sizes.items() if _on_path(paths, path))
            known = self._sizes[path] = self.changes, here
        return known[1]

    def is_legal(self, key: object, path: Path) -> bool:
        return _on_path(self.legal.get(key), path)

    def is_legal_sooner_or_later(self, key: object, path: Path) -> bool:
        """Whether something is legal under the conditions of a path, whatever else was passed before."""
        here = set(path)
        return any(
            here.issuperset(each for each in known if each[0].op != "passed")
            for known in self.legal.get(key, ())
        )

    def is_legal_in_any_case(self, key: object, path: Path) -> bool:
        """Whether something is legal on a path, or in each of the cases that it divides into."""
        if self.is_legal(key, path):
            return True
        cases = FALSE
        for known in self.legal.get(key, ()):
            case = TRUE
            for term, holds in known:
                case = both(case, term if holds else negate(term))
            cases = negate(both(negate(cases), negate(case)))
        return implied(path, cases)

    def behind(self, key: object, path: Path) -> object:
        """The event after which the original does a legal action, if only that event is missing on a path; else None."""
        here = set(path)
        for each in self.legal.get(key, ()):
            missing = [term for term, holds in each if (term, holds) not in here]
            if missing and all(term.op == "passed" for term in missing):
                return missing[-1].attr
        return None

    def alignment_needed(self, key: tuple[str, int, Term], path: Path) -> int:
        """The alignment of a call's operand in the source on this path; on any, if none is known to be this."""
        known = self.argument_alignment.get(key, [])
        here = [alignment for each, alignment in known if set(each) <= set(path)]
        return max(here or [alignment for _, alignment in known], default=1)

    def assume_disjoint(self, counters: tuple[Term, ...], left: Place, right: Place, path: Path) -> None:
        """Two boxes are disjoint in different iterations of a parallel loop that meet their conditions."""
        pairs = self.apart.setdefault(counters, {})
        self._say(pairs.setdefault((left, right), []), path)

    def disjoint_boxes(
        self, counters: tuple[Term, ...], left: Place, right: Place, path: Path
    ) -> list[tuple[Box, Box]]:
        """The boxes that are disjoint in different iterations that meet the conditions of these two."""

        def covers(known: Place, place: Place) -> bool:
            return (
                known[1] <= place[1]
                and known[2] in (None, place[2])
                and (not known[2] or known[0] == place[0])
            )

        return [
            (one[0], other[0])
            for (one, other), paths in self.apart.get(counters, {}).items()
            if covers(one, left) and covers(other, right) and _on_path(paths, path)
        ]

    def say_inside(self, box: Box, shape: Shape, path: Path) -> None:
        """The original accesses a box of a tensor or buffer of that shape, so it is in bounds."""
        for o, s, d, n in zip(*box, shape, strict=True):
            self.say_legal((INSIDE, o, s, d, n), path)

    def equal(self, left: Term, right: Term, path: Path) -> bool:
        """Whether two integers are equal, on a path."""
        if left is right:
            return True
        if left.type is not right.type or not isinstance(left.type, (t.IntegerType, t.IndexType)):
            return False
        difference = sub(left, right)
        if difference is ZERO:
            return True
        if _on_path(self.zero.get(difference), path) or _on_path(self.zero.get(sub(right, left)), path):
            return True
        return self._follows(difference, path)

    def _follows(self, difference: Term, path: Path) -> bool:
        """Whether adding and subtracting known zeros reduces the difference to 0, within a few steps."""
        current, parts = difference, monomials(difference)[1]
        solved, usable = self._solved(path)
        for pivot, row in solved:
            if parts.get(pivot):
                current = sub(current, mul(number(parts[pivot], pivot.type or t.INDEX), row))
                parts = monomials(current)[1]
        usable = list(usable)
        for _ in range(MAX_ADDED):
            constant, parts = monomials(current)
            if not parts:
                return constant == 0
            for term in usable:
                _, others = monomials(term)
                shared = next(
                    (p for p, n in others.items() if n and p in parts), None
                )  # 0 times uninitialized memory stays
                if shared is None:
                    continue
                times, rest = divmod(parts[shared], others[shared])
                if rest:
                    continue
                current = sub(current, mul(number(times, term.type or t.INDEX), term))
                usable.remove(term)
                break
            else:
                return False
        return current is ZERO

    def _solved(self, path: Path) -> tuple[list[tuple[Term, Term]], list[Term]]:
        """The sums known to be 0 on a path, solved for a part with the factor 1 where they have one; and the others.

        No row contains a part for which an earlier one is solved. O(sums ** 2), once for each path.
        """
        known = self._solutions.get(path)
        if known is not None and known[0] == self.changes:
            return known[1:]
        solved: list[tuple[Term, Term]] = []
        others: list[Term] = []
        usable = (term for term, paths in self.zero.items() if _on_path(paths, path))
        for term in islice(usable, MAX_USABLE):
            row, parts = term, monomials(term)[1]
            for pivot, other in solved:
                if parts.get(pivot):
                    row = sub(row, mul(number(parts[pivot], pivot.type or t.INDEX), other))
                    parts = monomials(row)[1]
            pivot = next((part for part, n in parts.items() if n in (1, -1)), None)
            if pivot is None or 0 in parts.values():
                others.append(term)
            else:
                solved.append((pivot, mul(number(parts[pivot], pivot.type or t.INDEX), row)))
        self._solutions[path] = self.changes, solved, others
        return solved, others

    def same_shape(self, left: Shape | None, right: Shape | None, path: Path) -> bool:
        if left is None or right is None:
            return left is right
        return len(left) == len(right) and all(
            self.equal(a, b, path) for a, b in zip(left, right, strict=True)
        )

    def outside(self, box: Box, shape: Sequence[Term], path: Path) -> list[Any]:
        """The keys that must be legal for a box to be in bounds of a shape; empty if it is."""
        found: list[Any] = []
        for o, s, d, n in zip(*box, shape, strict=True):
            if self.is_legal((INSIDE, o, s, d, n), path):
                continue
            if all(self.nonnegative(term, path) for term in (o, sub(n, ranges.end_of(o, s, d)), s)):
                continue
            if o is ZERO and d.op == "const" and d.attr == 1 and self.equal(s, n, path):
                continue
            if self._is_in_less(o, s, d, n, path):
                continue
            found.append((INSIDE, o, s, d, n))
        return found

    def _is_in_less(self, o: Term, s: Term, d: Term, n: Term, path: Path) -> bool:
        """Whether the original accesses such a box of a smaller dimension, such as that of a slice."""
        smaller = islice(self.extents.get((o, s, d), ()), MAX_ROOMS)
        return any(
            self.is_legal((INSIDE, o, s, d, extent), path) and self.nonnegative(sub(n, extent), path)
            for extent in smaller
        )

    def nonnegative(self, term: Term, path: Path) -> bool:
        """Whether an integer is at least 0, by its bounds, the sizes on a path, and what the original accesses there."""
        if ranges.nonnegative(term):
            return True
        known = self.sizes_on(path)
        if known and ranges.nonnegative(term, known):
            return True
        if self.equal(term, number(0, term.type or t.INDEX), path):
            return True
        rooms = {
            key: room
            for part, times in monomials(term)[1].items()
            for key, room in self.rooms.get((part, times > 0), {}).items()
        }
        legal = (room for key, room in rooms.items() if self.is_legal(key, path))
        return any(ranges.nonnegative(sub(term, room), known) for room in islice(legal, MAX_ROOMS))


def _on_path(paths: list[Path] | None, path: Path) -> bool:
    """Whether some path is a subset of the conditions of `path`."""
    if not paths:
        return False
    if () in paths:
        return True
    here = set(path)
    return any(here.issuperset(each) for each in paths)


# Implication between conditions, by case analysis over their atoms.

MAX_ATOMS = 10
"""Atoms in a case analysis; with more, the implication is unknown."""


def is_connective(term: Term) -> bool:
    return term.op in ("not", "and") or (term.op == "sel" and term.type is TRUE.type)


def atoms_of(terms: Sequence[Term]) -> list[Term]:
    """The atoms of boolean terms, each once."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    pending = list(terms)
    while pending:
        term = pending.pop()
        if term in seen or term is TRUE or term is FALSE:
            continue
        seen.add(term)
        if is_connective(term):
            pending.extend(term.args)
        else:
            found[term] = None
    return list(found)


def assign(root: Term, known: dict[Term, bool]) -> Term:
    """A condition under known atoms. O(connectives)."""
    done: dict[Term, Term] = {term: boolean(value) for term, value in known.items()}
    stack = [(root, False)]
    while stack:
        term, ready = stack.pop()
        if term in done:
            continue
        if not is_connective(term):
            done[term] = term
        elif not ready:
            stack.append((term, True))
            stack.extend((arg, False) for arg in term.args)
        else:
            args = [done[arg] for arg in term.args]
            if term.op == "not":
                done[term] = negate(args[0])
            elif term.op == "and":
                done[term] = both(*args)
            else:
                done[term] = choose(*args)
    return done[root]


def implied(path: Sequence[tuple[Term, bool]], goal: Term) -> bool:
    """Whether all conditions of `path` imply `goal`. O(path + 2^atoms of the rest)."""
    if goal is TRUE:
        return True
    known: dict[Term, bool] = {}
    open_claims: list[tuple[Term, bool]] = []
    pending = list(path)
    while pending:
        condition, holds = pending.pop()
        if condition.op == "const":
            if bool(condition.attr) != holds:
                return True
        elif condition.op == "not":
            pending.append((condition.args[0], not holds))
        elif condition.op == "and" and holds:
            pending.extend((arg, True) for arg in condition.args)
        elif is_connective(condition):
            open_claims.append((condition, holds))
        elif known.setdefault(condition, holds) != holds:
            return True
    claims = [negate(assign(goal, known))]
    for condition, holds in open_claims:
        rest = assign(condition, known)
        claims.append(rest if holds else negate(rest))
    return _impossible(claims)


def _impossible(claims: list[Term]) -> bool:
    """Whether conditions are contradictory."""
    pending = [claims]
    budget = 1 << MAX_ATOMS
    while pending:
        budget -= 1
        if not budget:
            return False
        current = [claim for claim in pending.pop() if claim is not TRUE]
        if any(claim is FALSE for claim in current):
            continue
        if not current:
            return False
        atom = atoms_of(current)[-1]
        for value in (True, False):
            pending.append([assign(claim, {atom: value}) for claim in current])
    return True
