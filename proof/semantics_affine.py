"""Symbolic semantics of affine operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.types import types as t
from ..ir.types.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol
from ..ir.types.affine_map import AffineMap
from .machine import Executor, Steps, semantics
from .promises import claim_positive
from .semantics_scalars import compared, uninterpreted
from .state import MemoryState
from .terms import TRUE, Term, add, both, extreme, make, mul, number

if TYPE_CHECKING:
    from ..dialects import affine


def evaluate(expr: AffineExpr, dims: Sequence[Term], symbols: Sequence[Term]) -> Term:
    """An affine expression over terms. O(its size)."""
    done: dict[int, Term] = {}
    for part in _post_order(expr):
        if isinstance(part, AffineConstant):
            value = number(part.value)
        elif isinstance(part, AffineDim):
            value = dims[part.position]
        elif isinstance(part, AffineSymbol):
            value = symbols[part.position]
        else:
            assert isinstance(part, AffineBinary)
            value = combined(part.kind, done[id(part.lhs)], done[id(part.rhs)])
        done[id(part)] = value
    return done[id(expr)]


def _post_order(expr: AffineExpr) -> list[AffineExpr]:
    order: list[AffineExpr] = []
    pending = [expr]
    while pending:
        part = pending.pop()
        order.append(part)
        if isinstance(part, AffineBinary):
            pending += (part.lhs, part.rhs)
    return order[::-1]


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
        for part in _post_order(expr):
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
    from .semantics_structured import vector_load, vector_store

    place = apply(m, op.map.map, m.scalars(op.indices), state)
    if op.name == "affine.vector_load":
        vector_load(m, op, m.get(op.memref), place, state)
    else:
        vector_store(m, op, m.get(op.memref), place, m.get(op.moved), state)


@semantics("affine.if")
def if_op(m: Executor, op: affine.IfOp, state: MemoryState) -> Steps:
    from .semantics_control import run_if

    integer_set = op.condition.set
    operands = m.scalars(op.operands)
    dims, symbols = operands[: integer_set.num_dims], operands[integer_set.num_dims :]
    holds = TRUE
    values = _applied(m, integer_set.constraints, dims, symbols, state)
    for value, is_equality in zip(values, integer_set.equalities, strict=True):
        holds = both(holds, compared("eq" if is_equality else "sge", value, number(0)))
    return run_if(m, op, holds, op.regions[0], op.regions[1], state)


@semantics("affine.for")
def for_op(m: Executor, op: affine.ForOp, state: MemoryState) -> Steps:
    from .loops import Bounds, run_loop

    lower, upper = op.lower_bound_map.map, op.upper_bound_map.map
    count = lower.num_dims + lower.num_symbols
    operands = m.scalars(op.operands[: count + upper.num_dims + upper.num_symbols])
    bounds = Bounds(
        extreme("max", apply(m, lower, operands[:count], state)),
        extreme("min", apply(m, upper, operands[count:], state)),
        number(op.step.value),
    )
    return run_loop(m, op, bounds, op.init_operands, state)


@semantics("affine.parallel")
def parallel_op(m: Executor, op: affine.ParallelOp, state: MemoryState) -> Steps:
    from .parallel import run_parallel

    def groups(map: AffineMap, sizes: Sequence[int], operands: Sequence[Term], kind: str) -> list[Term]:
        values, at, result = apply(m, map, operands, state), 0, []
        for size in sizes:
            result.append(extreme(kind, values[at : at + size]))
            at += size
        return result

    low, high = op.lower_bounds_map.map, op.upper_bounds_map.map
    lower = groups(low, op.lower_bounds_groups.values(), m.scalars(op.lower_bounds_operands), "max")
    upper = groups(high, op.upper_bounds_groups.values(), m.scalars(op.upper_bounds_operands), "min")
    steps = [number(step.value) for step in op.steps]
    if op.results:
        m.give_up("a parallel loop with reductions")
    return run_parallel(m, op, list(zip(lower, upper, steps, strict=True)), [], state)
