"""Symbolic semantics of branches, structured control flow, and affine operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import CountedLoopOp, LoopLikeOp
from ..ir.types import types as t
from ..ir.types.affine import AffineBinary, AffineExpr
from ..ir.types.affine_map import AffineMap, IntegerSet
from ..semantics.control import EQUATIONS
from .blocks import absorb, merge, results, run_blocks
from .machine import Executor, Steps, semantics
from .promises import claim_initialized, claim_positive
from .semantics_scalars import compared, uninterpreted
from .state import MemoryState
from .terms import FALSE, TRUE, Term, add, both, extreme, make, mul, number

if TYPE_CHECKING:
    from ..dialects import affine, cf, scf, shape


class _Control:
    """Equations of control flow on terms and symbolic states."""

    def __init__(self, m: Executor, state: MemoryState) -> None:
        self.m = m
        self.state = state
        self.number = m.scalar
        self.truth = m.get

    def extreme(self, kind: str, map: AffineMap, operands: Sequence[Value]) -> Term:
        return extreme(kind, apply(self.m, map, self.m.scalars(operands), self.state))

    def holds(self, set: IntegerSet, operands: Sequence[Value]) -> Term:
        terms = self.m.scalars(operands)
        dims, symbols = terms[: set.num_dims], terms[set.num_dims :]
        holds = TRUE
        values = _applied(self.m, set.constraints, dims, symbols, self.state)
        for value, is_equality in zip(values, set.equalities, strict=True):
            holds = both(holds, compared("eq" if is_equality else "sge", value, number(0)))
        return holds

    def once(self, op: Operation) -> Steps:
        values = yield run_blocks(self.m, op.regions[0], (), self.state)
        for result, value in zip(op.results, values, strict=True):
            self.m.set(result, value)

    def either(self, op: Operation, condition: Term) -> Steps:
        return run_if(self.m, op, condition, self.state)

    def switch(self, op: Operation, selector: Value, cases: Sequence[int]) -> Steps:
        term = self.m.get(selector)
        claim_initialized(self.m, term, self.state)
        return _cases(self.m, op, term, cases, self.state)

    def counted(self, op: CountedLoopOp, lower: Term, upper: Term, step: Term) -> Steps:
        from .loops import Bounds, run_loop

        m = self.m
        if lower.type is t.I1:  # 1 is -1 there
            m.give_up("a loop that counts by the sign bit", op, "loop")
        if op.unsigned_cmp and not (step.op == "const" and step.attr > 0):
            m.give_up("a step that may be large, in an unsigned loop", op, "loop")
        counts_up = all(x.op == "const" and x.attr >= 0 for x in (lower, upper))
        kind = "unsigned" if op.unsigned_cmp and not counts_up else "for"
        return run_loop(m, op, Bounds(lower, upper, step, kind), op.init_operands, self.state)

    def repeated(self, op: scf.WhileOp) -> Steps:
        from .loops import run_while

        return run_while(self.m, op, self.state)

    def grid(self, op: LoopLikeOp, bounds: Sequence[tuple[Term, Term, Term]]) -> Steps:
        from .parallel import run_parallel

        if op.results and len(op.init_operands) != len(op.results):
            self.m.give_up("a parallel loop with reductions")
        shared = op.init_operands if op.region_iter_args else []
        neutral = [] if shared else [self.m.get(use.value) for use in op.init_operands]
        return run_parallel(self.m, op, bounds, shared, self.state, neutral)


@semantics(*EQUATIONS)
def by_equation(m: Executor, op: Operation, state: MemoryState) -> Steps:
    return EQUATIONS[op.name](op, _Control(m, state))


@semantics("shape.assuming")
def assuming(m: Executor, op: shape.AssumingOp, state: MemoryState) -> Steps:
    return _Control(m, state).once(op)


def run_if(m: Executor, op: Operation, condition: Term, state: MemoryState) -> Steps:
    """One of two regions. A known condition selects one; a missing region does nothing."""
    then, otherwise = op.regions
    claim_initialized(m, condition, state)
    if condition.op == "const":
        taken = then if condition is TRUE else otherwise
        values: list[Any] = []
        if not taken.is_empty:
            last = yield m.region(taken, (), state)
            values = [m.get(value) for value in last.operands]
        for result, value in zip(op.results, values, strict=True):
            m.set(result, value)
        return
    ended: list[MemoryState] = []
    yielded: list[list[Any]] = []
    for body, holds in ((then, True), (otherwise, False)):
        inner = MemoryState(state, [(condition, holds)])
        values = []
        if not body.is_empty:
            last = yield m.region(body, (), inner)
            values = [m.get(value) for value in last.operands]
        ended.append(inner)
        yielded.append(values)
    merge(m, state, condition, *ended)
    for result, value in zip(op.results, results(condition, *yielded), strict=True):
        m.set(result, value, op)


def _cases(m: Executor, op: Operation, selector: Term, cases: Sequence[int], state: MemoryState) -> Steps:
    def body(i: int, inner: MemoryState) -> Steps:
        last = yield m.region(op.regions[(i + 1) % len(op.regions)], (), inner)
        return [m.get(value) for value in last.operands]

    values = yield run_cases(m, selector, cases, body, state)
    for result, value in zip(op.results, values, strict=True):
        m.set(result, value, op)


def run_cases(
    m: Executor,
    selector: Term,
    cases: Sequence[int],
    body: Callable[[int, MemoryState], Steps],
    state: MemoryState,
) -> Steps:
    """The case that equals the selector, or else the default, which is the last one. Returns the values that it yields.

    Args:
        body: executes the case of that position in the given state, and returns its values.
    """
    ended: list[tuple[Term, MemoryState, list[Any]]] = []
    path: list[tuple[Term, bool]] = []
    for i, case in enumerate(cases):
        condition = compared("eq", selector, number(case))
        if condition is FALSE:
            continue
        inner = MemoryState(state, [*path, (condition, True)])
        values = yield body(i, inner)
        ended.append((condition, inner, values))
        path.append((condition, False))
        if condition is TRUE:
            break
    else:
        inner = MemoryState(state, path)
        values = yield body(len(cases), inner)
        ended.append((TRUE, inner, values))
    _, after, values = ended.pop()
    while ended:
        condition, taken, given = ended.pop()
        joined = MemoryState(state)
        merge(m, joined, condition, taken, after)
        values = results(condition, given, values)
        after = joined
    absorb(state, after)
    return values


@semantics("scf.forall.in_parallel", "scf.reduce", "scf.yield")
def ends(m: Executor, op: scf.InParallelOp | scf.ReduceOp | scf.YieldOp, state: MemoryState) -> None:
    """Handled by the enclosing operation."""
    return


@semantics("cf.assert")
def check(m: Executor, op: cf.AssertOp, state: MemoryState) -> None:
    from .machine import attributes_of
    from .terms import make

    state.trace = make("event", (op.name, attributes_of(op)), (state.trace, m.get(op.operands[0])))
    state.go_on(op.name)


@semantics("shape.const_witness")
def witness(m: Executor, op: shape.ConstWitnessOp, state: MemoryState) -> None:
    from .machine import attributes_of
    from .terms import make

    m.set(op.results[0], make("op", (op.name, attributes_of(op), 0), (), type=op.results[0].type))


# -- affine operations


def evaluate(expr: AffineExpr, dims: Sequence[Term], symbols: Sequence[Term]) -> Term:
    """An affine expression over terms. O(its size)."""
    return expr.over(dims, symbols, number, combined)


def combined(kind: str, left: Term, right: Term) -> Term:
    """One affine operation on two terms."""
    if kind in ("+", "add"):
        return add(left, right)
    if kind in ("*", "mul"):
        return mul(left, right)
    if left.op == right.op == "const" and right.attr > 0:
        x, y = left.attr, right.attr
        return number({"mod": x % y, "%": x % y, "floordiv": x // y, "ceildiv": -(-x // y)}[kind])
    if right.op == "const" and right.attr == 1:
        return number(0) if kind == "mod" else left
    return make(kind, None, (left, right), type=t.INDEX)


def apply(m: Executor, map: AffineMap, operands: Sequence[Term], state: MemoryState) -> list[Term]:
    """The results of a map."""
    return _applied(m, map.results, operands[: map.num_dims], operands[map.num_dims :], state)


def _applied(
    m: Executor,
    exprs: Sequence[AffineExpr],
    dims: Sequence[Term],
    symbols: Sequence[Term],
    state: MemoryState,
) -> list[Term]:
    """Expressions over terms. Divisors must be positive; otherwise the results are undefined."""
    for expr in exprs:
        for part in expr.walk():
            if isinstance(part, AffineBinary) and part.kind in ("mod", "floordiv", "ceildiv", "%"):
                claim_positive(m, [evaluate(part.rhs, dims, symbols)], state)
    return [evaluate(expr, dims, symbols) for expr in exprs]


@semantics("affine.apply")
def apply_op(m: Executor, op: affine.ApplyOp, state: MemoryState) -> None:
    m.set(op.results[0], apply(m, op.map.map, m.scalars(op.operands), state)[0], op)


@semantics("affine.delinearize_index")
def delinearize(m: Executor, op: affine.DelinearizeIndexOp, state: MemoryState) -> None:
    """Its basis is what it divides by."""
    claim_positive(m, m.scalars(op.operands[1:]), state)
    uninterpreted(m, op, state)


@semantics("affine.min", "affine.max")
def bound_op(m: Executor, op: affine.MinOp | affine.MaxOp, state: MemoryState) -> None:
    m.set(
        op.results[0], extreme(op.name.split(".")[1], apply(m, op.map.map, m.scalars(op.operands), state)), op
    )


@semantics("affine.load")
def load(m: Executor, op: affine.LoadOp, state: MemoryState) -> None:
    from .semantics_memory import load_from

    place = apply(m, op.map.map, m.scalars(op.indices), state)
    m.set(op.results[0], load_from(m, m.get(op.memref), place, op.results[0].type, state), op)


@semantics("affine.store")
def store(m: Executor, op: affine.StoreOp, state: MemoryState) -> None:
    from .semantics_memory import store_to

    place = apply(m, op.map.map, m.scalars(op.indices), state)
    store_to(m, m.get(op.memref), place, m.get(op.moved), state)


@semantics("affine.vector_load", "affine.vector_store")
def vector_access(m: Executor, op: affine.VectorLoadOp | affine.VectorStoreOp, state: MemoryState) -> None:
    from .semantics_vectors import vector_load, vector_store

    place = apply(m, op.map.map, m.scalars(op.indices), state)
    if op.results:
        vector_load(m, op, m.get(op.memref), place, state)
    else:
        vector_store(m, op, m.get(op.memref), place, m.get(op.moved), state)
