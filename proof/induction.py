"""The induction step of a loop: one execution of its body, under hypotheses on what it carries, yields recurrences.

A loop-carried memref is assumed to be the same buffer in all iterations (hypothesis 1). If another one is yielded, it is assumed
to be one of its known origins, and to alias no other loop-carried memref (hypothesis 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import (
    CallOpInterface,
)
from ..ir.types import types as t
from .contents import rebuild
from .machine import Executor
from .ownership import Hypotheses, LoopResults, Owners, check_leaks, identity_of, is_outside, layout_by_type
from .recurrences import Slot, System, counted, increment
from .semantics_scalars import compared
from .state import CARRIED, Base, MemoryState, Reference, bases_of, connect, may_alias, pick
from .terms import (
    FALSE,
    TRUE,
    Shape,
    Term,
    add,
    choose,
    make,
    number,
    substitute,
)


class Attempt:
    """One execution of a loop body: the state at its head, under hypotheses."""

    def __init__(
        self,
        m: Executor,
        op: Operation,
        state: MemoryState,
        plan: Hypotheses,
        elapsed: Term | None = None,
    ):
        self.m, self.op, self.outer, self.plan, self.elapsed = m, op, state, plan, elapsed
        self.state = MemoryState(state)
        self.level = state.level + 1
        self.state.level = self.level
        self.system = System(self.level)
        self.head: list[Any] = []
        self.owners = Owners(m, op, state, self.level, plan)
        self.carried = self.owners.carried
        plan.passes = plan.passes or _may_stop(m, op)
        self.others = set(plan.others)
        self.escaped = set(m.escaped)
        for base in plan.written:
            content = state.content(base)
            self.state.contents[base] = self._add(("memory", base), content, base.shape)
        for base in plan.lives:
            self.state.alive[base] = self.system.add(m, ("life", base), state.life(base))
        self.state.trace = self.system.add(m, "trace", state.trace)
        if plan.passes:
            self.state.go_on("an earlier iteration")
        self.passed = self.state.passed

    def _add(self, key: object, first: Term, shape: Shape | None = None) -> Term:
        """A new slot; its value at the head, which is known if iterations count it."""
        symbol = self.system.add(self.m, key, first, shape)
        if key not in self.plan.counted or self.elapsed is None:
            return symbol
        by, type = self.plan.counted[key]
        return counted(first, by, self.elapsed, type) or symbol

    def _count(self) -> bool:
        """Check which slots each iteration adds a constant to. Returns False if the plan has changed."""
        plan, good = self.plan, True
        for key, slot in self.system.slots.items():
            if (
                self.elapsed is None
                or key in plan.uncounted
                or not (slot.symbol.type or slot.symbol.shape == ())
            ):
                continue
            following = self._next(slot)
            if key in plan.counted:
                by, type = plan.counted[key]
                if following is not counted(
                    slot.first, by, add(self.elapsed, number(1, self.elapsed.type or t.INDEX)), type
                ):
                    del plan.counted[key]
                    plan.uncounted.add(key)
                    good = False
                continue
            by_type = increment(slot.symbol, following)
            if by_type is not None and counted(slot.first, by_type[0], self.elapsed, by_type[1]) is not None:
                plan.counted[key] = by_type
                good = False
        return good

    def enter(self, first: Sequence[Any]) -> list[Any]:
        """The symbolic iter_args at the head; flags first, as the ownership of memrefs depends on them."""
        self.head = list(first)
        for i, value in enumerate(first):
            if isinstance(value, Term) and not self.plan.is_fixed(i):
                shape = self._shape(i, value.shape)
                self.head[i] = self._add(("value", i), value, shape)
        for i, value in enumerate(first):
            if isinstance(value, Term):
                continue
            if i in self.plan.others:
                self.head[i] = self.carry(i, value)
            elif i in self.plan.settled:
                flag, buffer = self.plan.settled[i]
                self.head[i] = pick(self.head[flag], buffer, value)
        self.owners.link()
        return self.head

    def _shape(self, i: int, shape: Shape | None) -> Shape | None:
        if shape is None or i not in self.plan.shapes:
            return shape
        return tuple(self.system.add(self.m, ("size", i, d), size) for d, size in enumerate(shape))

    def carry(self, i: int, first: Any) -> Reference:
        """A memref that is the init or a buffer that an iteration yielded."""
        m = self.m
        content = self._add(("carried", i), m.read(first, self.outer), self._shape(i, first.shape))
        symbol = self.system.slots["carried", i].symbol
        base = Base(CARRIED, symbol, self.op, None, level=self.level)
        self.carried[i] = base
        base.which = make("tmp", (symbol.attr, "which"), level=self.level)
        self.system.slots["which", i] = Slot(("which", i), base.which, identity_of(first))
        for other in may_alias(self.plan.origins.get(i, ())):
            if other.level < self.level:
                connect(base, other)
        self.state.contents[base] = content
        for j, other in self.carried.items():
            if j != i and (i in self.plan.together or j in self.plan.together):
                base.overlaps.add(other)
                other.overlaps.add(base)
        held = layout_by_type(base, self.plan.types[i])
        flag = self.plan.flag_of(i, self.head)
        if flag is None:
            return held
        own = self.owners.take(i, symbol, flag, self.state)
        own.which = base.which
        self.state.contents[own] = content
        before = held if self.plan.entered is None else first
        return pick(flag, layout_by_type(own, self.plan.types[i]), before)

    def leave(self, yielded: Sequence[Any]) -> bool:
        """Check the hypotheses at the end of the body. Returns False after removing a refuted one from the plan."""
        plan = self.plan
        if not plan.stays_fixed(yielded):
            return False
        good = plan.passes or self.state.passed is self.passed
        plan.passes = plan.passes or not good
        good = self._memory_is_known() and good
        for i in range(len(self.head)):
            good = self._stays(i, yielded) and good
        self.yielded = yielded
        good = self._count() and good
        flags = sum(map(len, plan.owners.values()))
        good = self._apart(yielded) and good and self.owners.kept(yielded, self.state)
        if plan.others != self.others or sum(map(len, plan.owners.values())) != flags:
            plan.lives.clear()  # the freed buffer was another one
        return good

    def _memory_is_known(self) -> bool:
        """Whether the plan lists all outside buffers that the body wrote, freed or gave away; adds those that it lacks."""
        m, plan, state, good = self.m, self.plan, self.state, True
        for base in state.contents:
            if base not in plan.written and is_outside(base, self.level, state):
                plan.written[base] = None
                good = False
        for base, life in state.alive.items():
            if (
                base not in plan.lives
                and is_outside(base, self.level, state)
                and life is not self.owners.moved.get(base)
                and base not in self.owners.entered
            ):
                plan.lives[base] = None
                good = False
        for base in [base for base in m.escaped if base not in self.escaped]:
            if is_outside(base, self.level, state):  # who was given it has it from the second iteration on
                k, passed = ("loop", m.given_away.get(base)), self.outer.passed
                m.escaped[base] = make("begin"), k, passed
                m.kept[base] = {(k, passed, self.outer.path): None}
                good = False
        return good

    def _stays(self, i: int, yielded: Sequence[Any]) -> bool:
        """Whether the plan for a loop-carried value also holds in the next iteration; changes the plan if not."""
        plan, head, value = self.plan, self.head[i], yielded[i]
        if i in plan.settled:
            if plan.stays_settled(i, yielded):
                return True
            del plan.settled[i]
            plan.unsettled.add(i)
            return False
        shape, good = head.shape, True
        differs = shape is not None and i not in plan.shapes and value.shape != shape
        if differs and not self.m.facts.same_shape(shape, value.shape, self.state.path):
            plan.shapes.add(i)
            good = False
        if isinstance(head, Term):
            return good
        if i in plan.others:
            return self._origins_are_known(i, yielded) and good
        if value == head:
            return good
        if not plan.settle(i, yielded, self.level):
            plan.others.add(i)
            plan.origins[i] = set(bases_of(head))
            if self.m.transformed and self.m.frees:
                plan.choose_owners(i, yielded, self.level)
        return False

    def _origins_are_known(self, i: int, yielded: Sequence[Any]) -> bool:
        """Whether the plan lists all origins of a yielded memref; adds those that it lacks."""
        plan, state = self.plan, self.state
        new = {base for base in bases_of(yielded[i]) if base is not self.carried[i]}
        if i in self.owners.owned:
            new = self.owners.borrowed(i, yielded, state)
        for base in list(new):
            if base.kind == CARRIED and base in self.carried.values():
                j = next(k for k, b in self.carried.items() if b is base)
                new |= plan.origins.get(j, set())
                new.discard(base)
            elif not is_outside(base, self.level, state):
                new.discard(base)
                new |= {b for b in base.overlaps if is_outside(b, self.level, state)}
        if new <= plan.origins.setdefault(i, set()):
            return True
        plan.origins[i] |= new
        return False

    def _apart(self, yielded: Sequence[Any]) -> bool:
        """Hypothesis 2: no two loop-carried memrefs alias, initially and after each iteration."""
        plan = self.plan
        owned = set(self.owners.owned.values())
        good = True
        for i in self.carried:
            for j in self.carried:
                if j <= i or (i in plan.together or j in plan.together):
                    continue
                for left, right in ((plan.first[i], plan.first[j]), (yielded[i], yielded[j])):
                    a, b = bases_of(left) - owned, bases_of(right) - owned
                    if a & b or any(x in y.overlaps for x in a for y in b):
                        plan.together |= {i, j}
                        good = False
        return good

    def finish(self, yielded: Sequence[Any]) -> None:
        """Record the recurrence of each variable."""
        m, state = self.m, self.state
        self.yielded = yielded
        for slot in self.system.slots.values():
            if slot.key in self.plan.counted:
                by, type = self.plan.counted[slot.key]
                slot.next = counted(slot.symbol, by, number(1, type), type)
            else:
                slot.next = self._next(slot)
        passed = {b for value in yielded if not isinstance(value, Term) for b in bases_of(value)}
        check_leaks(m, state, self.level, self.owners.keeps(yielded), passed)
        self.outer.alive.update(self.owners.moved)
        self.abandon()

    def symbols(self) -> list[Any]:
        """The loop-carried values at the head, as symbols."""
        slots = self.system.slots
        return [
            slots["value", i].symbol if ("value", i) in slots else held for i, held in enumerate(self.head)
        ]

    def _next(self, slot: Slot) -> Term:
        """The value of a slot after the body."""
        key = slot.key
        if key == "trace":
            return self.state.trace
        kind, what = key[0], key[1]
        if kind == "memory":
            return self.state.content(what)
        if kind == "life":
            return self.state.life(what)
        if kind == "carried":
            return self.m.read(self.yielded[what], self.state)
        if kind == "which":
            return identity_of(self.yielded[what])
        return self.yielded[what] if kind == "value" else self.yielded[what].shape[key[2]]

    def closing(self, kind: object, heads: list[Term], ended: bool = False) -> Callable[[Term], Term]:
        """A function that maps a term over loop variables to the sequence of its values, or to its value after the loop."""
        system, level = self.system, self.level
        known = system.settle()
        if ended:
            system.forget(compared("slt", heads[0], heads[1]) is TRUE)
        settled_heads = substitute(heads, known, level, rebuild) if known else heads

        def after(term: Term) -> Term:
            if term.level < level:
                return term
            settled = substitute([term], known, level, rebuild)[0] if known else term
            return system.closed(kind, settled_heads, settled)

        return after

    def abandon(self) -> None:
        """Discard the symbolic buffers of this attempt."""
        self.owners.unlink()


def conclude(
    m: Executor,
    attempt: Attempt,
    kind: object,
    heads: list[Term],
    values: Sequence[Any],
    at_exit: MemoryState,
    into: Sequence[Value],
) -> None:
    """Set the results and the memory state after the loop from `values` and `at_exit`, terms over loop variables."""
    system, state = attempt.system, attempt.outer
    after = attempt.closing(kind, heads, ended=kind == ("for",))
    for key, slot in list(system.slots.items()):
        if key[0] == "memory":
            base = key[1]
            content = after(at_exit.content(base) if at_exit is not attempt.state else slot.symbol)
            if content is not state.content(base):
                state.contents[base] = content
                m.written.setdefault(base, attempt.op)
                m.origin.setdefault(content, attempt.op)
        elif key[0] == "life":
            state.alive[key[1]] = after(at_exit.life(key[1]) if at_exit is not attempt.state else slot.symbol)
    for base, life in attempt.owners.entered.items():
        known = at_exit is attempt.state or at_exit.life(base) is life
        ran = after(attempt.head[attempt.plan.entered or 0])
        state.alive[base] = choose(ran, FALSE, state.life(base)) if known else after(at_exit.life(base))
    state.trace = after(at_exit.trace if at_exit is not attempt.state else system.slots["trace"].symbol)
    if at_exit.passed is not state.passed:
        state.go_on("loop", at_exit.passed)
    results = LoopResults(attempt.owners, values, None if at_exit is attempt.state else at_exit, after)
    for i, (result, value) in enumerate(zip(into, values, strict=True)):
        if isinstance(value, Term):
            m.set(result, after(value), attempt.op)
        else:
            m.set(result, results.give(i, value))


def flattened(below: MemoryState, above: MemoryState) -> MemoryState:
    """The state `above`, as a single layer in place of `below`."""
    state = MemoryState(below.below)
    state.level = below.level
    state.contents = {**below.contents, **above.contents}
    state.alive = {**below.alive, **above.alive}
    state.trace, state.passed = above.trace, above.passed
    state.path = below.path
    return state


def _may_stop(m: Executor, loop: Operation) -> bool:
    """Whether an iteration seems to contain what may not come to its end. A heuristic, as above."""
    for op in loop.walk():
        if op is loop:
            continue
        if op.definition is None or op.name == "cf.assert":
            return True
        if isinstance(op, CallOpInterface):
            symbol = op.callee_symbol()
            known = m.signatures.get(symbol.root) if symbol is not None else None
            if symbol is None or (
                m.symbols.returning.get(symbol.root) is False and not (known and known.is_pure)
            ):
                return True
    return False
