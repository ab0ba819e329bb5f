"""Loops of any number of iterations, by induction.

What may differ between iterations is a *slot*: a carried value, the contents of a buffer that the body writes, the trace. The
body runs once, on symbols for its slots; then each slot has a first value and a value after one more iteration, over those
symbols. That is a system of equations, and what a slot is after the loop is the system as seen from it: the slots it depends
on, numbered in the order in which they are met. Two loops that compute the same have the same systems, whatever order and
whatever else they carry; so nothing needs to be paired.

A memref that is carried is taken to stay the same buffer (hypothesis 1). If what is yielded is another one, it is some buffer,
which may be any of those that it is known to come from (hypothesis 2: it is no other carried one).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.program.core import Operation, OpOperand, Value
from ..ir.types import types as t
from .contents import rebuild
from .machine import Executor, Steps
from .slots import System
from .state import ALLOC, APPEARING, CARRIED, GIVEN, Base, Moment, Pointer, bases_of
from .terms import FALSE, Term, add, make, mul, number, substitute
from .written import guess_written

MAX_TRIES = 12
"""How often a body is run with fewer hypotheses before giving up."""

MAX_UNROLLED = 32
"""Iterations run one by one, in functions that only the transformed program has."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The counter of a loop."""

    lower: Term
    upper: Term
    step: Term
    kind: str = "for"

    def trips(self) -> int | None:
        """How many iterations there are, if all is constant."""
        if not (self.lower.op == self.upper.op == self.step.op == "const") or self.step.attr <= 0:
            return None
        return max(0, -(-(self.upper.attr - self.lower.attr) // self.step.attr))


# -- one attempt at a loop


class Attempt:
    """The state at the head of a loop's body, under hypotheses."""

    def __init__(self, m: Executor, op: Operation, state: Moment, plan: Hypotheses):
        self.m, self.op, self.outer, self.plan = m, op, state, plan
        self.state = Moment(state)
        self.level = state.level + 1
        self.state.level = self.level
        self.system = System(self.level)
        self.head: list[Any] = []
        self.carried: dict[int, Base] = {}
        for base in plan.written:
            content = state.content(base)
            self.state.contents[base] = self.system.add(m, ("memory", base), content, base.shape)
        for base in plan.lives:
            self.state.alive[base] = self.system.add(m, ("life", base), state.life(base))
        self.state.trace = self.system.add(m, "trace", state.trace)

    def enter(self, i: int, first: Any) -> Any:
        """The value that carried value `i` has at the head."""
        if isinstance(first, Term):
            shape = first.shape
            if shape is not None and i in self.plan.shapes:
                shape = tuple(self.system.add(self.m, ("size", i, d), size) for d, size in enumerate(shape))
            value: Any = self.system.add(self.m, ("value", i), first, shape)
        elif i in self.plan.others:
            value = self.carry(i, first)
        else:
            value = first
        self.head.append(value)
        return value

    def carry(self, i: int, first: Any) -> Pointer:
        """A memref that is some buffer: the first one, or one that an iteration yielded."""
        m = self.m
        shape = first.shape
        if shape is not None and i in self.plan.shapes:
            shape = tuple(self.system.add(m, ("size", i, d), size) for d, size in enumerate(shape))
        content = m.read(first, self.outer)
        symbol = self.system.add(m, ("carried", i), content, shape)
        base = Base(CARRIED, symbol, self.op, None, level=self.level)
        base.overlaps = set(self.plan.origins.get(i, set()))
        base.owned = False
        self.carried[i] = base
        for other in base.overlaps:
            other.overlaps.add(base)
        for j, other in self.carried.items():
            if j != i and (i in self.plan.together or j in self.plan.together):
                base.overlaps.add(other)
                other.overlaps.add(base)
        return layout_by_type(base, self.plan.types[i])

    def leave(self, yielded: Sequence[Any]) -> bool:
        """Compare what the body ends with to what was assumed; False if a hypothesis fell, and the plan says so."""
        m, plan, state = self.m, self.plan, self.state
        good = True
        for base in state.contents:
            if base not in plan.written and _outside(base, self):
                plan.written[base] = None
                good = False
        for base in state.alive:
            if base not in plan.lives and _outside(base, self):
                plan.lives[base] = None
                good = False
        for i, (head, value) in enumerate(zip(self.head, yielded, strict=True)):
            shape = head.shape
            differs = shape is not None and i not in plan.shapes and value.shape != shape
            if differs and not m.facts.same_shape(shape, value.shape, state.path):
                plan.shapes.add(i)
                good = False
            if isinstance(head, Term):
                continue
            if i not in plan.others:
                if value != head:
                    plan.others.add(i)
                    plan.origins[i] = set(bases_of(self.head[i]))
                    good = False
                continue
            new = {base for base in bases_of(value) if base is not self.carried[i]}
            for base in list(new):
                if base.kind == CARRIED and base in self.carried.values():
                    j = next(k for k, b in self.carried.items() if b is base)
                    new |= plan.origins.get(j, set())
                    new.discard(base)
                elif not _outside(base, self):
                    new.discard(base)
                    new |= {b for b in base.overlaps if _outside(b, self)}
            if not new <= plan.origins.setdefault(i, set()):
                plan.origins[i] |= new
                good = False
        return self._apart(yielded) and good

    def _apart(self, yielded: Sequence[Any]) -> bool:
        """Hypothesis 2: no two carried memrefs share memory, first and after each iteration."""
        plan = self.plan
        good = True
        for i in self.carried:
            for j in self.carried:
                if j <= i or (i in plan.together or j in plan.together):
                    continue
                for left, right in ((plan.first[i], plan.first[j]), (yielded[i], yielded[j])):
                    a, b = bases_of(left), bases_of(right)
                    if a & b or any(x in y.overlaps for x in a for y in b):
                        plan.together |= {i, j}
                        good = False
        return good

    def finish(self, yielded: Sequence[Any]) -> None:
        """Note what each slot is after one iteration."""
        m, state = self.m, self.state
        for slot in self.system.slots.values():
            if slot.key == "trace":
                slot.next = state.trace
                continue
            kind, what = slot.key[0], slot.key[1]
            if kind == "memory":
                slot.next = state.content(what)
            elif kind == "life":
                slot.next = state.life(what)
            elif kind == "value":
                slot.next = yielded[what]
            elif kind == "carried":
                slot.next = m.read(yielded[what], state)
            elif kind == "size":
                slot.next = yielded[what].shape[slot.key[2]]
        check_leaks(m, self, yielded)
        self.abandon()

    def abandon(self) -> None:
        """Forget the buffers that stood for carried ones."""
        for base in self.carried.values():
            for other in base.overlaps:
                other.overlaps.discard(base)


def _outside(base: Base, attempt: Attempt) -> bool:
    """Whether a base was there before the loop."""
    if base in attempt.carried.values() or base.level >= attempt.level:
        return False
    return base.kind not in APPEARING or attempt.state.known(base)


def check_leaks(m: Executor, attempt: Attempt, yielded: Sequence[Any]) -> None:
    """What an iteration allocates it frees, or yields."""
    kept = {base for value in yielded if not isinstance(value, Term) for base in bases_of(value)}
    check_leaks_of(m, attempt.state, attempt.level, kept)


def check_leaks_of(m: Executor, state: Moment, level: int, kept: Collection[Base]) -> None:
    """What is allocated at a level or deeper is freed at the end of a state."""
    if not m.transformed:
        return
    for base, life in state.alive.items():
        if base.kind in (ALLOC, GIVEN) and base.level >= level and life is not FALSE and base.owned:
            what = "passes on is freed" if base in kept else "does not pass on is freed in it"
            m.ask(False, f"what an iteration allocates and {what}", "leak", base.op)


def layout_by_type(base: Base, type: Any) -> Pointer:
    known = type.strides_and_offset() if isinstance(type, t.MemRefType) else None
    if known is None:
        return Pointer(base, (), base.shape)
    if type.layout is None and base.shape is not None:
        from .state import row_major

        return Pointer(base, (), base.shape, row_major(base.shape), number(0))
    strides = tuple(number(s) if s is not None else None for s in known[0])
    return Pointer(base, (), base.shape, strides, number(known[1]) if known[1] is not None else None)


class Hypotheses:
    """The hypotheses that are left."""

    def __init__(self, first: Sequence[Any], types: Sequence[Any], written: set[Base]):
        self.first = list(first)
        self.types = list(types)
        self.written: dict[Base, None] = dict.fromkeys(sorted(written, key=lambda base: base.id))
        self.lives: dict[Base, None] = {}
        self.shapes: set[int] = set()
        self.others: set[int] = set()
        self.origins: dict[int, set[Base]] = {}
        self.together: set[int] = set()


def run_loop(
    m: Executor, op: Any, bounds: Bounds, init_operands: Sequence[OpOperand], state: Moment
) -> Steps:
    """A counted loop with one block."""
    first = [m.get(use.value) for use in init_operands]
    body = op.regions[0]
    counter = body.entry.args[0]
    trips = bounds.trips()
    if trips is not None and trips <= (MAX_UNROLLED if m.unrolling else 1):
        for i in range(trips):
            at = add(bounds.lower, mul(number(i, counter.type), bounds.step))
            last = yield m.region(body, [at, *first], state)
            first = [m.get(value) for value in last.operands]
        for result, value in zip(op.results, first, strict=True):
            m.set(result, value)
        return
    plan = Hypotheses(first, [use.value.type for use in init_operands], guess_written(m, op))
    for _ in range(MAX_TRIES):
        mark = m.mark()
        attempt = Attempt(m, op, state, plan)
        name = make(
            "iv" if bounds.kind == "for" else "counter",
            attempt.level,
            (bounds.lower, bounds.upper, bounds.step),
            type=counter.type,
            level=attempt.level,
        )
        attempt.state.path = (*attempt.state.path, (name, True))
        args = [name, *(attempt.enter(i, value) for i, value in enumerate(first))]
        last = yield m.region(body, args, attempt.state)
        yielded = [m.get(value) for value in last.operands]
        if attempt.leave(yielded):
            break
        attempt.abandon()
        m.rollback(mark)
    else:
        m.give_up("no hypothesis on this loop holds", op, "loop")
        return
    attempt.finish(yielded)
    conclude(
        m,
        attempt,
        (bounds.kind,),
        [bounds.lower, bounds.upper, bounds.step],
        attempt.head,
        attempt.state,
        op.results,
    )


def conclude(
    m: Executor,
    attempt: Attempt,
    kind: Any,
    heads: list[Term],
    values: Sequence[Any],
    at_exit: Moment,
    into: Sequence[Value],
) -> None:
    """Say what is after the loop: `values` and the contents of `at_exit`, terms over the slots."""
    system, state = attempt.system, attempt.outer
    known = system.settle()

    def after(term: Term) -> Term:
        if term.level < attempt.level:
            return term
        settled = substitute([term], known, attempt.level, rebuild)[0] if known else term
        return system.closed(kind, settled_heads, settled)

    settled_heads = substitute(heads, known, attempt.level, rebuild) if known else heads
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
    state.trace = after(at_exit.trace if at_exit is not attempt.state else system.slots["trace"].symbol)
    for i, (result, value) in enumerate(zip(into, values, strict=True)):
        if isinstance(value, Term):
            m.set(result, after(value), attempt.op)
        elif any(base.level >= attempt.level for base in bases_of(value)):
            if at_exit is attempt.state:
                assert isinstance(value, Pointer)
                content = after(value.base.initial)
            else:
                content = after(m.read(value, at_exit))
            base = Base(CARRIED, content, attempt.op, None, level=state.level)
            base.overlaps = {b for held in bases_of(value) for b in held.overlaps if b.level < attempt.level}
            for origins in attempt.plan.origins.values():
                base.overlaps |= {b for b in origins if b.level < attempt.level}
            for other in base.overlaps:
                other.overlaps.add(base)
            _keep_together(m, attempt, base, i, into)
            m.set(result, layout_by_type(base, result.type))
        else:
            m.set(result, value)


def _keep_together(m: Executor, attempt: Attempt, base: Base, i: int, into: Sequence[Value]) -> None:
    """Results of a loop that may share memory say so."""
    if i not in attempt.plan.together and i in attempt.plan.others:
        return
    for j in range(i):
        held = m.env.get(into[j])
        if isinstance(held, Pointer) and held.base.kind == CARRIED:
            base.overlaps.add(held.base)
            held.base.overlaps.add(base)


def run_while(m: Executor, op: Any, state: Moment) -> Steps:
    """`scf.while`: a region that computes a condition and values, and one that goes on from these."""
    first = [m.get(value) for value in op.operands]
    before, after = op.regions
    plan = Hypotheses(first, [value.type for value in op.operands], guess_written(m, op))
    for _ in range(MAX_TRIES):
        mark = m.mark()
        attempt = Attempt(m, op, state, plan)
        attempt.state.path = (*attempt.state.path, (m.junk(None, t.I1), True))
        args = [attempt.enter(i, value) for i, value in enumerate(first)]
        last = yield m.region(before, args, attempt.state)
        condition, *passed = [m.get(value) for value in last.operands]
        inner = Moment(attempt.state, [(condition, True)])
        ended = yield m.region(after, passed, inner)
        yielded = [m.get(value) for value in ended.operands]
        leaving = attempt.state
        attempt.state = _joined(attempt.state, inner)
        if attempt.leave(yielded):
            break
        attempt.abandon()
        m.rollback(mark)
    else:
        m.give_up("no hypothesis on this loop holds", op, "loop")
        return
    attempt.finish(yielded)
    conclude(m, attempt, ("while",), [condition], passed, leaving, op.results)
    state.trace = make("event", "while", (state.trace, attempt.system.closed("while", [], condition)))


def _joined(below: Moment, above: Moment) -> Moment:
    """What is after `above`, as one layer where `below` was."""
    state = Moment(below.below)
    state.level = below.level
    state.contents = {**below.contents, **above.contents}
    state.alive = {**below.alive, **above.alive}
    state.trace = above.trace
    state.path = below.path
    return state
