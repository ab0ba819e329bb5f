"""Symbolic semantics of affine operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.types import types as t
from ..ir.types.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol
from ..ir.types.affine_map import AffineMap
from .machine import Executor, Steps, semantics
from .promises import claim_positive
from .semantics_scalars import compared
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


def apply(map: AffineMap, operands: Sequence[Term]) -> list[Term]:
    """The results of a map."""
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    return [evaluate(expr, dims, symbols) for expr in map.results]


@semantics("affine.apply")
def apply_op(m: Executor, op: affine.ApplyOp, state: MemoryState) -> None:
    _claim_divisors(m, op.map.map, m.scalars(op.operands), state)
    m.set(op.results[0], apply(op.map.map, m.scalars(op.operands))[0], op)


def _claim_divisors(m: Executor, map: AffineMap, operands: Sequence[Term], state: MemoryState) -> None:
    """Divisors in a map are positive; otherwise its result is undefined."""
    for result in map.results:
        for part in _post_order(result):
            if isinstance(part, AffineBinary) and part.kind in ("mod", "floordiv", "ceildiv", "%"):
                divisor = evaluate(part.rhs, operands[: map.num_dims], operands[map.num_dims :])
                claim_positive(m, [divisor], state)


@semantics("affine.min", "affine.max")
def bound_op(m: Executor, op: affine.MinOp | affine.MaxOp, state: MemoryState) -> None:
    _claim_divisors(m, op.map.map, m.scalars(op.operands), state)
    m.set(op.results[0], extreme(op.name.split(".")[1], apply(op.map.map, m.scalars(op.operands))), op)


@semantics("affine.load")
def load(m: Executor, op: affine.LoadOp, state: MemoryState) -> None:
    from .semantics_memory import load_from

    place = apply(op.map.map, m.scalars(op.indices))
    m.set(op.results[0], load_from(m, m.get(op.memref), place, op.results[0].type, state), op)


@semantics("affine.store")
def store(m: Executor, op: affine.StoreOp, state: MemoryState) -> None:
    from .semantics_memory import store_to

    place = apply(op.map.map, m.scalars(op.indices))
    store_to(m, m.get(op.memref), place, m.get(op.moved), state)


@semantics("affine.vector_load", "affine.vector_store")
def vector_access(m: Executor, op: affine.VectorLoadOp | affine.VectorStoreOp, state: MemoryState) -> None:
    from .semantics_structured import vector_load, vector_store

    place = apply(op.map.map, m.scalars(op.indices))
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
    for constraint, is_equality in zip(integer_set.constraints, integer_set.equalities, strict=True):
        value = evaluate(constraint, dims, symbols)
        holds = both(holds, compared("eq" if is_equality else "sge", value, number(0)))
    return run_if(m, op, holds, op.regions[0], op.regions[1], state)


@semantics("affine.for")
def for_op(m: Executor, op: affine.ForOp, state: MemoryState) -> Steps:
    from .loops import Bounds, run_loop

    lower, upper = op.lower_bound_map.map, op.upper_bound_map.map
    count = lower.num_dims + lower.num_symbols
    operands = m.scalars(op.operands[: count + upper.num_dims + upper.num_symbols])
    bounds = Bounds(
        extreme("max", apply(lower, operands[:count])),
        extreme("min", apply(upper, operands[count:])),
        number(op.step.value),
    )
    return run_loop(m, op, bounds, op.init_operands, state)


@semantics("affine.parallel")
def parallel_op(m: Executor, op: affine.ParallelOp, state: MemoryState) -> Steps:
    from .parallel import run_parallel

    def groups(map: AffineMap, sizes: Sequence[int], operands: Sequence[Term], kind: str) -> list[Term]:
        values, at, result = apply(map, operands), 0, []
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
