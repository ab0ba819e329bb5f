"""Loops of unknown trip count by induction: attempts with fewer and fewer hypotheses, until those that are left hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..dialects.common import constant_index
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import (
    CopyOpInterface,
    CountedLoopOp,
    DestinationStyleOp,
    LoopLikeOp,
    ViewLikeOp,
)
from ..ir.types import types as t
from .induction import Attempt, conclude, flattened
from .machine import Executor, Steps
from .ownership import Hypotheses
from .promises import claim_initialized, claim_positive
from .recurrences import SEQUENCE
from .state import Base, Choice, MemoryState, Pointer, bases_of
from .terms import (
    FALSE,
    TRUE,
    Term,
    add,
    make,
    mul,
    number,
    sub,
)

MAX_TRIES = 12
"""Executions of a body with fewer and fewer hypotheses; beyond them the loop is open."""

MAX_AT_ONCE = 8
"""The maximal unroll factor, where the other program has unrolled a loop."""

MAX_UNROLLED = 32
"""Iterations executed one by one, in functions that only the transformed program has."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds and step of a counted loop."""

    lower: Term
    upper: Term
    step: Term
    kind: str = "for"

    def trips(self) -> int | None:
        """The trip count, if all bounds are constant and signed, else None."""
        if (
            self.kind == "unsigned"
            or not (self.lower.op == self.upper.op == self.step.op == "const")
            or self.step.attr <= 0
        ):
            return None
        return max(0, -(-(self.upper.attr - self.lower.attr) // self.step.attr))


def run_loop(
    m: Executor, op: Operation, bounds: Bounds, init_operands: Sequence[OpOperand], state: MemoryState
) -> Steps:
    """A counted loop with one block."""
    first = [m.get(use.value) for use in init_operands]
    claim_positive(m, [bounds.step], state)
    for bound in (bounds.lower, bounds.upper, bounds.step):
        claim_initialized(m, bound, state)
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
    times, rest = m.at_once.get(op, 1), 0
    if times > 1 and trips is not None and trips >= times:
        rest = trips % times
        each, upper = bounds.step, add(bounds.lower, mul(number(trips - rest, counter.type), bounds.step))
        bounds = Bounds(bounds.lower, upper, mul(number(times, counter.type), each), bounds.kind)
    else:
        times, each = 1, bounds.step
    plan = Hypotheses(first, [use.value.type for use in init_operands], may_write_set(m, op))
    for _ in range(MAX_TRIES):
        mark = m.mark()
        level = state.level + 1
        limits = bounds.lower, bounds.upper, bounds.step
        name = make(
            "iv" if bounds.kind == "for" else "counter", level, limits, type=counter.type, level=level
        )
        by_one = bounds.step.op == "const" and bounds.step.attr == 1
        attempt = Attempt(m, op, state, plan, sub(name, bounds.lower) if by_one else None)
        attempt.state.path = (*attempt.state.path, (name, True))
        yielded = attempt.enter(first)
        for i in range(times):
            at = add(name, mul(number(i, counter.type), each)) if i else name
            last = yield m.region(body, [at, *yielded], attempt.state)
            yielded = [m.get(value) for value in last.operands]
        if attempt.leave(yielded):
            break
        attempt.abandon()
        m.rollback(mark)
    else:
        m.give_up("no hypothesis on this loop holds", op, "loop")
        return
    attempt.finish(yielded)
    m.compare_iterations(mark, attempt.level, attempt.closing(SEQUENCE, []), TRUE)
    conclude(
        m,
        attempt,
        (bounds.kind,),
        [bounds.lower, bounds.upper, bounds.step],
        attempt.symbols(),
        attempt.state,
        op.results,
    )
    for i in range(rest):
        at = add(bounds.upper, mul(number(i, counter.type), each))
        last = yield m.region(body, [at, *map(m.get, op.results)], state)
        for result, value in zip(op.results, [m.get(value) for value in last.operands], strict=True):
            m.set(result, value)


def unrolled_loops(original: Operation, other: Operation | None) -> dict[int, int]:
    """Loops that another program seems to have unrolled, by number, with the factor, judging by steps and trip counts.

    A heuristic: unrolling a loop preserves its semantics in any case.
    """
    if other is None:
        return {}
    known = [_numbers_of(op) for op in _loops_of(other)]
    found: dict[int, int] = {}
    for number_of_loop, op in enumerate(_loops_of(original)):
        mine = _numbers_of(op)
        if mine is None or mine in known:
            continue
        lower, step, trips = mine
        times = [n for n in range(2, MAX_AT_ONCE + 1) if (lower, n * step, trips // n) in known]
        if times:
            found[number_of_loop] = times[0]
    return found


def numbered(original: Operation, at_once: dict[int, int]) -> dict[Operation, int]:
    """The loops with these numbers."""
    return {op: at_once[i] for i, op in enumerate(_loops_of(original)) if i in at_once}


def _loops_of(function: Operation) -> list[CountedLoopOp]:
    return [op for op in function.walk() if isinstance(op, CountedLoopOp)]


def _numbers_of(loop: CountedLoopOp) -> tuple[int, int, int] | None:
    [axis] = loop.axes()
    lower, step, trips = constant_index(axis.lower), axis.step, axis.count
    return None if lower is None or not isinstance(step, int) or trips is None else (lower, step, trips)


def run_while(m: Executor, op: Operation, state: MemoryState) -> Steps:
    """`scf.while`: a region that computes a condition and values, and one that goes on from these."""
    first = [m.get(value) for value in op.operands]
    before, after = op.regions
    if all(inner.has_trait(tr.PURE) for inner in before.ops() if inner.next_op is not None):
        mark = m.mark()
        last = yield m.region(before, first, MemoryState(state))
        if m.get(last.operands[0]) is FALSE:  # it does not run
            for result, value in zip(op.results, last.operands[1:], strict=True):
                m.set(result, m.get(value))
            return
        m.rollback(mark)
    plan = Hypotheses(first, [value.type for value in op.operands], may_write_set(m, op))
    plan.may_enter = True
    for _ in range(MAX_TRIES):
        mark = m.mark()
        attempt = Attempt(m, op, state, plan)
        attempt.state.path = (*attempt.state.path, (m.junk(None, t.I1), True))
        args = attempt.enter(first)
        last = yield m.region(before, args, attempt.state)
        condition, *passed = [m.get(value) for value in last.operands]
        inner = MemoryState(attempt.state, [(condition, True)])
        ended = yield m.region(after, passed, inner)
        yielded = [m.get(value) for value in ended.operands]
        leaving = attempt.state
        attempt.state = flattened(attempt.state, inner)
        if attempt.leave(yielded):
            break
        attempt.abandon()
        m.rollback(mark)
    else:
        m.give_up("no hypothesis on this loop holds", op, "loop")
        return
    attempt.finish(yielded)
    m.compare_iterations(mark, attempt.level, attempt.closing(SEQUENCE, []), condition)
    conclude(m, attempt, ("while",), [condition], passed, leaving, op.results)
    if condition.op == "const":  # a loop that never ends has nothing after it
        state.path = (*state.path, (condition, False))
    if not attempt.system.terminates(condition):
        state.trace = make("event", "while", (state.trace, attempt.closing("while", [])(condition)))
        state.go_on("while")


# The may-write set of a loop body: a heuristic that saves executing the body twice.


def may_write_set(m: Executor, op: Operation) -> set[Base]:
    """The outside buffers that a loop body seems to write. A heuristic; the execution corrects it."""
    found: set[Base] = set()
    for inner in op.walk():
        if inner is op:
            continue
        for value in inner.operands:
            if t.is_memref(value.type) and _writes(inner, value):
                root = _root(value, op)
                held = m.env.get(root) if root is not None else None
                if isinstance(held, (Pointer, Choice)):
                    for base in bases_of(held):
                        found.add(base)
                        found |= base.overlaps
    return found


_READS = frozenset(
    ["memref.load", "affine.load", "memref.dim", "vector.transfer_read", "vector.load", "memref.rank"]
)


def _writes(op: Operation, value: Value) -> bool:
    if op.name in _READS or isinstance(op, ViewLikeOp):
        return False
    if isinstance(op, CopyOpInterface):
        return op.copy_target() is value
    if isinstance(op, DestinationStyleOp):
        return any(use.value is value for use in op.dps_inits())
    return True


MAX_VIEWS = 64
"""Views and loops that are followed to the memref behind them."""


def _root(value: Value, loop: Operation) -> Value | None:
    """The memref outside of a loop that a value in it is a view of, through views and inner loops, or None."""
    for _ in range(MAX_VIEWS):
        if isinstance(value, OpResult):
            owner = value.owner
            if not loop.is_ancestor_of(owner):
                return value
            if isinstance(owner, ViewLikeOp):
                value = owner.view_source()
                continue
            if isinstance(owner, LoopLikeOp) and value.index < len(owner.init_operands):
                value = owner.init_operands[value.index].value
                continue
            return None
        assert isinstance(value, BlockArgument)
        around = value.owner.parent_op
        if around is None or not loop.is_ancestor_of(around):
            return value
        if isinstance(around, LoopLikeOp) and value in around.region_iter_args:
            value = around.init_operands[around.region_iter_args.index(value)].value
            continue
        return None
    return None
