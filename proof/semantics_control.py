"""Symbolic semantics of branches and structured control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.program.core import Region
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.elements import DenseArrayAttr
from .blocks import absorb, merge, results
from .machine import Executor, Steps, semantics
from .promises import claim_initialized
from .semantics_scalars import compared
from .state import MemoryState
from .terms import FALSE, TRUE, Term, number

if TYPE_CHECKING:
    from ..dialects import cf, memref, scf, shape
    from ..ir.program.core import Operation


@semantics("scf.if")
def if_op(m: Executor, op: scf.IfOp, state: MemoryState) -> Steps:
    return run_if(m, op, m.get(op.operands[0]), op.regions[0], op.regions[1], state)


def run_if(
    m: Executor, op: Operation, condition: Term, then: Region, otherwise: Region, state: MemoryState
) -> Steps:
    """One of two regions. A known condition selects one; a missing region does nothing."""
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


@semantics("scf.index_switch")
def switch(m: Executor, op: scf.IndexSwitchOp, state: MemoryState) -> Steps:
    """The case whose number equals the operand; the first region is the default."""
    selector = m.get(op.operands[0])
    claim_initialized(m, selector, state)
    cases = list(expect(DenseArrayAttr, op.properties["cases"]).values)
    yield _cases(m, op, selector, cases, state)


def _cases(m: Executor, op: Operation, selector: Term, cases: list[int], state: MemoryState) -> Steps:
    ended: list[tuple[Term, MemoryState, list[Any]]] = []
    path: list[tuple[Term, bool]] = []
    for i, case in enumerate(cases):
        condition = compared("eq", selector, number(case))
        if condition is FALSE:
            continue
        inner = MemoryState(state, [*path, (condition, True)])
        last = yield m.region(op.regions[i + 1], (), inner)
        ended.append((condition, inner, [m.get(value) for value in last.operands]))
        path.append((condition, False))
        if condition is TRUE:
            break
    else:
        inner = MemoryState(state, path)
        last = yield m.region(op.regions[0], (), inner)
        ended.append((TRUE, inner, [m.get(value) for value in last.operands]))
    _, after, values = ended.pop()
    while ended:
        condition, taken, given = ended.pop()
        joined = MemoryState(state)
        merge(m, joined, condition, taken, after)
        values = results(condition, given, values)
        after = joined
    absorb(state, after)
    for result, value in zip(op.results, values, strict=True):
        m.set(result, value, op)


@semantics("scf.execute_region", "memref.alloca_scope", "shape.assuming")
def once(
    m: Executor, op: scf.ExecuteRegionOp | memref.AllocaScopeOp | shape.AssumingOp, state: MemoryState
) -> Steps:
    """A region that runs exactly once."""
    body = op.regions[0]
    if body.has_one_block:
        last = yield m.region(body, (), state)
        values = [m.get(value) for value in last.operands]
    else:
        from .blocks import run_blocks

        values = yield run_blocks(m, body, (), state)
    for result, value in zip(op.results, values, strict=True):
        m.set(result, value)


@semantics("scf.for")
def for_op(m: Executor, op: scf.ForOp, state: MemoryState) -> Steps:
    from .loops import Bounds, run_loop

    lower, upper, step = m.scalars(op.operands[:3])
    is_unsigned = op.properties.get("unsignedCmp") is not None
    if lower.type is t.I1:  # 1 is -1 there
        m.give_up("a loop that counts by the sign bit", op, "loop")
    if is_unsigned and not (step.op == "const" and step.attr > 0):
        m.give_up("a step that may be large, in an unsigned loop", op, "loop")
    counts_up = all(x.op == "const" and x.attr >= 0 for x in (lower, upper))
    kind = "unsigned" if is_unsigned and not counts_up else "for"
    return run_loop(m, op, Bounds(lower, upper, step, kind), op.init_operands, state)


@semantics("scf.while")
def while_op(m: Executor, op: scf.WhileOp, state: MemoryState) -> Steps:
    from .loops import run_while

    return run_while(m, op, state)


@semantics("scf.forall")
def forall(m: Executor, op: scf.ForallOp, state: MemoryState) -> Steps:
    from .parallel import run_parallel

    bounds = [
        (m.scalar(a), m.scalar(b), m.scalar(c))
        for a, b, c in zip(op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step, strict=True)
    ]
    return run_parallel(m, op, bounds, list(op.init_operands), state)


@semantics("scf.parallel")
def parallel(m: Executor, op: scf.ParallelOp, state: MemoryState) -> Steps:
    from .parallel import run_parallel

    count = len(op.regions[0].entry.args)
    numbers = m.scalars(op.operands[: 3 * count])
    bounds = list(zip(numbers[:count], numbers[count : 2 * count], numbers[2 * count :], strict=True))
    return run_parallel(m, op, bounds, [], state, [m.get(value) for value in op.operands[3 * count :]])


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
