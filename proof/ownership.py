"""Ownership of loop-carried buffers: an iteration yields its own allocation or a borrowed buffer.

Deallocation passes carry an ownership flag with such a memref. The hypothesis is that an `i1` iter_arg is this flag. Then at the
head the memref is one of two: under the flag, a live allocation that the loop owns; otherwise a buffer borrowed from its origin.
At the back edge that must hold again: a buffer yielded under the flag is owned, live and yielded once; one yielded without is
live and borrowed. A memref without a flag may be owned in every iteration, or in none.

The loop takes ownership of inits under their flags. After the loop its results are owned under the last flags.

If that fails, and a flag is set by every iteration: until an iteration has run, the memrefs are their inits, whichever of these are one buffer.
The first iteration frees such a buffer or forwards it as owned; from then on each memref is owned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir.program.core import Operation
from ..ir.types import types as t
from .facts import implied
from .machine import Executor
from .state import (
    ALLOC,
    APPEARING,
    CARRIED,
    GIVEN,
    STACK,
    Base,
    Held,
    MemoryState,
    Pointer,
    Reference,
    alternatives,
    conjunction,
    connect,
    folds,
    mapped_step,
    may_alias,
    pick,
    row_major,
)
from .terms import FALSE, TRUE, Term, both, choose, either, make, negate, number

ALWAYS = -1
"""Instead of the number of a flag: owned in every iteration."""


class Hypotheses:
    """The remaining hypotheses on a loop.

    Attributes:
        written, lives: outside buffers whose contents, or lifetime, differ between iterations.
        shapes: loop-carried values whose sizes differ between iterations.
        others: loop-carried memrefs that are not always the init; `origins` are the buffers that they may be.
        together: loop-carried memrefs that may alias one another.
        owners: for a loop-carried memref, the flags that may be its ownership flag, the current hypothesis first.
        borrowed: pairs of memrefs of which the first may borrow the buffer that the second owns.
        passes: whether an iteration may not terminate, so that the actions of a later one are not legal before.
        counted: by the key of a slot, by how much each iteration of a counted loop adds to its number of this type; `uncounted`
            are those for which that was refuted.
        varying: the truth values that are constant on entry, but not in all iterations.
        settled: for a loop-carried memref that every iteration sets to the same outside buffer, that buffer and the number of
            the flag that is set once an iteration has run; `unsettled` are those for which that was refuted.
        entered: the flag until which the memrefs of `others` are their inits, and after which they are owned; None if not assumed.
        may_enter: whether that may still be assumed.
    """

    def __init__(self, first: Sequence[Any], types: Sequence[Any], written: set[Base]):
        self.first = list(first)
        self.types = list(types)
        self.written: dict[Base, None] = dict.fromkeys(sorted(written, key=lambda base: base.id))
        self.lives: dict[Base, None] = {}
        self.shapes: set[int] = set()
        self.others: set[int] = set()
        self.origins: dict[int, set[Base]] = {}
        self.together: set[int] = set()
        self.owners: dict[int, list[int]] = {}
        self.borrowed: set[tuple[int, int]] = set()
        self.settled: dict[int, tuple[int, Reference]] = {}
        self.unsettled: set[int] = set()
        self.varying: set[int] = set()
        self.entered: int | None = None
        self.may_enter = False
        self.owners_without: dict[int, list[int]] = {}
        self.passes = False
        self.counted: dict[object, tuple[int, t.Type]] = {}
        self.uncounted: set[object] = set()

    def flag_of(self, i: int, head: Sequence[Any]) -> Term | None:
        """The condition under which loop-carried memref `i` is owned; None if it never is."""
        owners = self.owners.get(i)
        if not owners:
            return None
        return TRUE if owners[0] == ALWAYS else head[owners[0]]

    def is_fixed(self, i: int) -> bool:
        """Whether a truth value is assumed to be the constant that it is on entry: which buffers are freed may depend on it."""
        return self.first[i] in (FALSE, TRUE) and i not in self.varying

    def stays_fixed(self, yielded: Sequence[Any]) -> bool:
        """Whether these truth values have their initial values at the back edge."""
        new = {i for i, value in enumerate(yielded) if self.is_fixed(i) and value is not self.first[i]}
        self.varying |= new
        return not new

    def settle(self, i: int, yielded: Sequence[Any], level: int) -> bool:
        """Assume that memref `i` keeps its next value after the first iteration, if a flag says whether one has run."""
        value = yielded[i]
        flags = [
            j
            for j, type in enumerate(self.types)
            if type is t.I1 and self.first[j] is FALSE and yielded[j] is TRUE
        ]
        if i in self.unsettled or not flags or not isinstance(value, Pointer) or not _is_fixed(value, level):
            return False
        self.settled[i] = (flags[0], value)
        return True

    def stays_settled(self, i: int, yielded: Sequence[Any]) -> bool:
        """Whether memref `i` and its flag satisfy the hypothesis at the back edge."""
        flag, buffer = self.settled[i]
        return yielded[flag] is TRUE and yielded[i] == buffer

    def assume_entered(self, yielded: Sequence[Held]) -> None:
        """Assume that memrefs are their inits until an iteration has run, if a flag says whether one has."""
        flags = [j for j in sorted(self.varying) if self.first[j] is FALSE and yielded[j] is TRUE]
        if self.may_enter and flags and set(self.owners) == self.others:
            self.may_enter, self.entered, self.owners_without = False, flags[0], self.owners
            self.owners = {i: [flags[0]] for i in self.others}
            self.lives.clear()

    def drop_entered(self) -> None:
        """Drop that assumption again."""
        self.entered = None
        self.owners |= self.owners_without
        self.lives.clear()

    def choose_owners(self, i: int, yielded: Sequence[Any], level: int) -> None:
        """The candidate ownership flags of memref `i`, by its initial and next values."""
        flags = [j for j, type in enumerate(self.types) if type is t.I1]
        mine = sum(1 for j, type in enumerate(self.types) if j < i and t.is_memref(type))
        moving = {  # what the loop may take over, under whichever name: it is not outside any more
            ref.base.home
            for value in self.first
            if not isinstance(value, Term)
            for _, ref in alternatives(value)
            if ref.base.home.owned
        }
        self.owners[i] = [
            j
            for j in (*flags[mine:], *flags[:mine], ALWAYS)
            if _may_say(TRUE if j == ALWAYS else self.first[j], self.first[i], -1, set())
            and _may_say(TRUE if j == ALWAYS else yielded[j], yielded[i], level, moving)
        ]


def _is_fixed(ref: Pointer, level: int) -> bool:
    """Whether a reference is invariant in the loop of this level."""
    terms = [*(ref.shape or ()), *(ref.strides or ()), ref.offset]
    return (
        ref.base.level < level and not ref.steps and all(term is None or term.level < level for term in terms)
    )


def _may_say(flag: Term, reference: Reference, level: int, moving: Collection[Base]) -> bool:
    """Whether a flag may be the ownership flag of a memref: not if set for a buffer that the loop cannot own, or vice versa."""
    for path, ref in alternatives(reference):
        base = ref.base.home
        if base.kind == CARRIED or base in moving:
            continue
        inner = base.owned and base.level >= level
        if implied(path, negate(flag) if inner and level >= 0 else flag) and not (inner and level < 0):
            return False
    return True


@dataclass(slots=True)
class Owners:
    """The owned buffers at the head of a loop, and the conditions on them at the back edge.

    Attributes:
        outer: the state before the loop.
        carried, owned: the borrowed and the owned buffer that a loop-carried memref may be.
        taken: the buffers that the loop took ownership of, which each of them may be.
        moved: buffers that the loop took ownership of, and whether they are still live for others.
        entered: inits that the first iteration frees or forwards as owned, and whether they are live at the head.
        lives: whether the owned ones are there at the head.
        refused, changed: hypotheses that fell at the head, or on the way; see `kept`.
    """

    m: Executor
    op: Operation
    outer: MemoryState
    level: int
    plan: Hypotheses
    carried: dict[int, Base] = field(default_factory=dict)
    owned: dict[int, Base] = field(default_factory=dict)
    taken: dict[int, set[Base]] = field(default_factory=dict)
    moved: dict[Base, Term] = field(default_factory=dict)
    entered: dict[Base, Term] = field(default_factory=dict)
    lives: dict[Base, Term] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    changed: bool = False

    def take(self, i: int, symbol: Term, flag: Term, state: MemoryState) -> Base:
        """The buffer that carried memref `i` is where it is owned."""
        owner = self.plan.owners[i][0]
        first, first_flag = self.plan.first[i], TRUE if owner == ALWAYS else self.plan.first[owner]
        own = Base(GIVEN, symbol, self.op, None, owned=True, level=self.level)
        state.contents[own] = symbol
        state.alive[own] = self.lives[own] = flag
        self.owned[i] = own
        self.taken[i] = set()
        if self.plan.entered is not None:
            self._enter(i, flag, state)
            return own
        for path, ref in alternatives(first):
            base = ref.base.home
            mine = both(conjunction(path), first_flag)
            if implied(((mine, True), *self.outer.path), FALSE):
                continue
            life = self.moved.get(base, self.outer.life(base))
            if not base.owned or not implied((*self.outer.path, (mine, True)), life):
                self.refused.add(i)
                continue
            self.moved[base] = state.alive[base] = choose(mine, FALSE, life)
            self.taken[i].add(base)
        return own

    def _enter(self, i: int, flag: Term, state: MemoryState) -> None:
        """Note the buffers that memref `i` is before the first iteration: they are live until an iteration has run."""
        for path, ref in alternatives(self.plan.first[i]):
            base, life = ref.base.home, self.outer.life(ref.base)
            outside = any(near.level < self.level for near in base.overlaps)
            if (
                not base.owned
                or (outside or base.copies or base in self.m.escaped)
                or not implied((*self.outer.path, *path), life)
                or self.plan.owners[i] != [self.plan.entered]
            ):
                self.refused.add(i)
                return
            self.entered[base] = state.alive[base] = choose(flag, FALSE, life)
            self.taken[i].add(base)

    def _was_entered(self, yielded: Sequence[Held], state: MemoryState) -> bool:
        """Whether an iteration has set the flag, and has freed the inits or forwarded them as owned."""
        flag = self.plan.entered
        keeps = self.keeps(yielded)
        return flag is None or (
            yielded[flag] is TRUE
            and all(implied((*state.path, (state.life(base), True)), keeps(base)) for base in self.entered)
        )

    def link(self) -> None:
        """An owned buffer may be one that the loop took over, and so what others borrow from there."""
        for i, own in self.owned.items():
            for j, borrowed in self.carried.items():
                if j != i and ((j, i) in self.plan.borrowed or borrowed.overlaps & self.taken[i]):
                    connect(own, borrowed)
            for base in (*self.taken[i], *self.entered):
                connect(own, base)

    def unlink(self) -> None:
        """Forget the buffers that stood for carried ones."""
        for base in (*self.carried.values(), *self.owned.values()):
            for other in base.overlaps:
                other.overlaps.discard(base)

    def flag_at_end(self, i: int, yielded: Sequence[Any]) -> Term:
        owner = self.plan.owners[i][0]
        return TRUE if owner == ALWAYS else yielded[owner]

    def _passed_on(self, yielded: Sequence[Any]) -> dict[Base, list[tuple[int, Term]]]:
        """The buffers that are forwarded as owned, and the conditions."""
        kept: dict[Base, list[tuple[int, Term]]] = {}
        for i in self.owned:
            for path, ref in alternatives(yielded[i]):
                mine = both(conjunction(path), self.flag_at_end(i, yielded))
                if mine is not FALSE:
                    kept.setdefault(ref.base.home, []).append((i, mine))
        return kept

    def borrowed(self, i: int, yielded: Sequence[Any], state: MemoryState) -> set[Base]:
        """The buffers that memref `i` may be next time where it is not owned; notes whose owned buffer it may be."""
        found: set[Base] = set()
        kept = self._passed_on(yielded)
        flag = negate(self.flag_at_end(i, yielded))
        for path, ref in alternatives(yielded[i]):
            base, mine = ref.base.home, both(conjunction(path), flag)
            if implied((*state.path, (mine, True)), FALSE):
                continue
            if base.level < self.level:
                found.add(base)
                continue
            for j, own in kept.get(base, ()):
                if j != i and not implied((*state.path, (both(mine, own), True)), FALSE):
                    self._lend(i, j)
            for k, borrowed in self.carried.items():
                if borrowed is base:
                    found |= self.plan.origins.get(k, set())
                    for j in [
                        own for borrower, own in self.plan.borrowed if borrower == k and own in self.owned
                    ]:
                        for n, _ in kept.get(self.owned[j], ()):
                            self._lend(i, n)
        return found

    def _lend(self, i: int, j: int) -> None:
        if i != j and (i, j) not in self.plan.borrowed:
            self.plan.borrowed.add((i, j))
            self.changed = True

    def kept(self, yielded: Sequence[Any], state: MemoryState) -> bool:
        """Whether ownership at the back edge is what was assumed at the head; if not, the plan says what to try next."""
        kept = self._passed_on(yielded)
        wrong = set(self.refused)
        for base, claims in kept.items():
            for n, (i, mine) in enumerate(claims):
                here = (*state.path, (mine, True))
                if implied(here, FALSE):
                    continue
                once = all(implied((*here, (other, True)), FALSE) for _, other in claims[:n])
                inner = base in self.entered or (base.level >= self.level and base.owned)
                if not (inner and once and implied(here, state.life(base))):
                    wrong.add(i)
        for i in self.owned:
            flag = negate(self.flag_at_end(i, yielded))
            for path, ref in alternatives(yielded[i]):
                base, mine = ref.base.home, both(conjunction(path), flag)
                here = (*state.path, (mine, True))
                if base.level < self.level or not base.owned or implied(here, FALSE):
                    continue
                others = FALSE
                for j, own in kept.get(base, ()):
                    others = either(others, own) if j != i else others
                if not implied(here, others):
                    wrong.add(i)
        if self.plan.entered is not None and (wrong or not self._was_entered(yielded, state)):
            self.plan.drop_entered()
            return False
        for i in wrong:
            self.plan.owners[i].pop(0)
        if wrong:
            self.plan.assume_entered(yielded)
        return not wrong and not self.changed

    def keeps(self, yielded: Sequence[Any]) -> Callable[[Base], Term]:
        """Under which condition a buffer is forwarded as owned."""
        kept = self._passed_on(yielded)

        def condition(base: Base) -> Term:
            result = FALSE
            for _, mine in kept.get(base, ()):
                result = either(result, mine)
            return result

        return condition


class LoopResults:
    """The results of a loop: buffers from before it, and those of its last iteration, which are distinct buffers from then on.

    Attributes:
        at_exit: the state in which the loop ends; None if that is the head.
        into: the state after the loop.
        after: closes a term over what the loop's symbols are when it ends.
    """

    def __init__(
        self,
        owners: Owners,
        values: Sequence[Any],
        at_exit: MemoryState | None,
        after: Callable[[Term], Term],
        into: MemoryState | None = None,
    ):
        self.owners, self.at_exit, self.after, self.into = owners, at_exit, after, into or owners.outer
        self.found: dict[Base, Base] = {}
        m, plan = owners.m, owners.plan
        by_result: list[list[Base]] = []
        for i, value in enumerate(values):
            mine: list[Base] = []
            if not isinstance(value, Term):
                if at_exit is not None:
                    m.read(value, at_exit)
                mine = [
                    self._base(ref.base.home) for _, ref in alternatives(value) if self._is_inner(ref.base)
                ]
            by_result.append([base for base in mine if not base.owned])
            apart = i in plan.others and i not in plan.together
            for base in by_result[i] if not apart else ():
                for other in (other for others in by_result[:i] for other in others):
                    connect(base, other)
        near = may_alias(set().union(*plan.origins.values()))
        near = {base for base in near if base.level < owners.level}
        for old, new in self.found.items():
            others = set(old.overlaps)
            if not old.owned:
                others |= near
            for other in others:
                if other.level < owners.level:
                    connect(new, other)
                elif other in self.found:
                    connect(new, self.found[other])
        if at_exit is not None:
            check_leaks(m, at_exit, owners.level, lambda base: TRUE if base in self.found else FALSE)

    def _is_inner(self, base: Base) -> bool:
        return base.level >= self.owners.level

    def _base(self, old: Base) -> Base:
        """The buffer that one of the last iteration is afterwards."""
        found = self.found.get(old)
        if found is None:
            outer = self.into
            content = self.after(old.initial if self.at_exit is None else self.at_exit.content(old))
            kind = GIVEN if old.owned else CARRIED
            found = Base(kind, content, self.owners.op, None, owned=old.owned, level=outer.level)
            found.which = old.which and self.after(old.which)
            outer.contents[found] = content
            if old.owned:
                life = self.owners.lives.get(old, TRUE) if self.at_exit is None else self.at_exit.life(old)
                outer.alive[found] = self.after(life)
            self.found[old] = found
        return found

    def give(self, i: int, value: Reference) -> Reference:
        """Result `i`."""
        result: Reference | None = None
        for path, ref in reversed(alternatives(value)):
            here = self._pointer(ref)
            result = here if result is None else pick(self.after(conjunction(path)), here, result)
        assert result is not None
        return result

    def _pointer(self, ref: Pointer) -> Pointer:
        after = self.after
        base = ref.base
        if self._is_inner(base):
            if base is not base.home:
                self.owners.m.give_up("a view of bytes that a loop yields")
            base = self._base(base)
        return Pointer(
            base,
            tuple(mapped_step(step, after) for step in ref.steps),
            None if ref.shape is None else tuple(map(after, ref.shape)),
            None if ref.strides is None else tuple(None if s is None else after(s) for s in ref.strides),
            None if ref.offset is None else after(ref.offset),
        )


def identity(base: Base) -> Term:
    """Which buffer a base is, as a term that has the same meaning in both programs: a new one, or the one with a name. Otherwise a
    term that only this program has."""
    if base.kind in (ALLOC, STACK):
        return make("buffer")
    if base.which is not None:
        return base.which
    return make("buffer", (base.kind, base.name or base.id, base.level), level=base.level)


def identity_of(reference: Reference) -> Term:
    """Which buffer a loop-carried reference is all of."""
    found: Term | None = None
    for path, ref in reversed(alternatives(reference)):
        one = make("buffer", ("part", ref.base.id)) if ref.steps else identity(ref.base)
        found = one if found is None else choose(conjunction(path), one, found)
    assert found is not None
    return found


def is_outside(base: Base, level: int, state: MemoryState) -> bool:
    """Whether a base was there before the loop of this level."""
    return base.level < level and (base.kind not in APPEARING or state.known(base))


def check_leaks(
    m: Executor, state: MemoryState, level: int, kept: Callable[[Base], Term], passed: Collection[Base] = ()
) -> None:
    """Buffers that are allocated at a level or deeper are freed at the end of a state, or retained."""
    if not m.transformed:
        return
    for base, life in state.alive.items():
        mine = base.kind in (ALLOC, GIVEN) and base.level >= level and base.owned and life is not FALSE
        if mine and not implied((*state.path, (life, True)), kept(base)):
            what = "forwards is freed" if base in passed else "does not yield is freed in it"
            m.ask(False, f"what an iteration allocates and {what}", "leak", base.op)


def layout_by_type(base: Base, type: t.MemRefType) -> Pointer:
    """A reference to all of a base, whose layout is what a type says."""
    known = type.strides_and_offset() if isinstance(type, t.MemRefType) else None
    base.folds = base.folds or folds(type)
    if known is None:
        return Pointer(base, (), base.shape)
    if type.layout is None and base.shape is not None:
        return Pointer(base, (), base.shape, row_major(base.shape), number(0))
    strides = tuple(number(s) if s is not None else None for s in known[0])
    return Pointer(base, (), base.shape, strides, number(known[1]) if known[1] is not None else None)
