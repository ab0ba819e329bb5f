"""Interpreter: functions, calls, branches, structured control flow, assertions, undefined values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dialects.affine.control_flow import REDUCTIONS
from ..dialects.tensor import SliceInsertionOp
from ..ir.program.core import Operation, Region, Value
from ..ir.program.interfaces import CountedLoopOp, LoopLikeOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import EVALUATE, AffineBinary, AffineConstant, AffineExpr
from ..ir.types.affine_map import AffineMap, IntegerSet
from ..semantics.control import EQUATIONS
from . import Fault, Unsupported
from .functions import combiner, library_function
from .heap import Iterations
from .machine import Call, Enter, Jump, Leave, computes, simple, structured, terminator
from .numbers import NDArray, storage, vector_shape
from .tensors import Slice
from .values import POISON, decide, number, numbers, undefined

if TYPE_CHECKING:
    from ..dialects import affine, cf, scf
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]
Steps = Generator[Any, Any, Any]


@terminator(
    "func.return",
    "scf.yield",
    "scf.condition",
    "scf.reduce",
    "scf.reduce.return",
    "affine.yield",
    "linalg.yield",
    "tensor.yield",
    "memref.alloca_scope.return",
    "memref.atomic_yield",
    "vector.yield",
    "ml_program.return",
    "ml_program.output",
    "shape.yield",
    "shape.assuming_yield",
)
def passes_on(op: Operation, machine: Machine) -> Run:
    """Terminates a region and forwards the operands."""
    operands = op.operands
    if len(operands) == 1:
        only = operands[0]
        return lambda env: [env[only]]
    return lambda env: [env[value] for value in operands]


# -- calls


@structured("func.call")
def call(op: Operation, machine: Machine) -> Callable[[Environment], Steps]:
    callee = machine.symbols.resolve(op, expect(a.SymbolRefAttr, op.properties["callee"]))
    operands = op.operands
    library = library_function(callee)

    def run(env: Environment) -> Steps:
        if callee is None:
            raise Unsupported("the callee is not known")
        if library is not None:
            return library([env[value] for value in operands], machine)
        results = yield Call(callee, [env[value] for value in operands])
        return results

    return run


@computes("func.constant")
def function_constant(op: Operation, machine: Machine) -> Run:
    callee = machine.symbols.resolve(op, expect(a.SymbolRefAttr, op.properties["value"]))
    return lambda env: callee


@structured("func.call_indirect")
def call_indirect(op: Operation, machine: Machine) -> Callable[[Environment], Steps]:
    callee, *operands = op.operands

    def run(env: Environment) -> Steps:
        function = env[callee]
        if not isinstance(function, Operation):
            raise Fault("calls an undefined function", "undefined-value")
        results = yield Call(function, [env[value] for value in operands])
        return results

    return run


# -- branches


@terminator("cf.br")
def branch(op: Operation, machine: Machine) -> Run:
    target, operands = op.successors[0], op.operands
    return lambda env: Jump(target, [env[value] for value in operands])


@terminator("cf.cond_br")
def cond_branch(op: cf.CondBranchOp, machine: Machine) -> Run:
    condition = op.condition
    targets = op.successors
    passed = (op.true_dest_operands, op.false_dest_operands)

    def run(env: Environment) -> Jump:
        which = 0 if decide(env[condition]) else 1
        return Jump(targets[which], [env[value] for value in passed[which]])

    return run


@terminator("cf.switch")
def switch(op: cf.SwitchOp, machine: Machine) -> Run:
    flag = op.operands[0]
    held = storage(flag.type)
    cases = {held.wrap(value): i + 1 for i, value in reversed(list(enumerate(op.values())))}
    passed = [[use.value for use in op.successor_operands(i)] for i in range(len(op.successors))]
    targets = op.successors

    def run(env: Environment) -> Jump:
        which = cases.get(decide(env[flag], "a switch"), 0)
        return Jump(targets[which], [env[value] for value in passed[which]])

    return run


@simple("cf.assert")
def asserts(op: cf.AssertOp, machine: Machine) -> Run:
    condition, message = op.operands[0], op.msg.value

    def run(env: Environment) -> None:
        if not decide(env[condition], "an assertion"):
            raise Fault(f"assertion failed: {message}", "assertion")

    return run


@terminator("ub.unreachable")
def unreachable(op: Operation, machine: Machine) -> Run:
    def run(env: Environment) -> Jump:
        raise Fault("reaches what is declared unreachable")

    return run


@computes("ub.poison")
def poison(op: Operation, machine: Machine) -> Run:
    result = op.results[0]
    value = undefined_value(result.type)
    return lambda env: value


def undefined_value(type: t.Type) -> Any:
    """An undefined value of a statically shaped type. Raises Unsupported."""
    if isinstance(type, t.VectorType):
        return undefined(vector_shape(type), storage(type.element))
    if isinstance(type, t.RankedTensorType) and type.has_static_shape:
        return undefined(type.static_shape, storage(type.element))
    if isinstance(type, t.ShapedType):
        raise Unsupported(f"undefined values of type '{type}' are not supported")
    return POISON


@simple("builtin.unrealized_conversion_cast")
def conversion_cast(op: Operation, machine: Machine) -> Run:
    if op.operand_types != op.result_types:
        raise Unsupported("conversions between types that are not known are not supported")
    return handed_on(op)


def handed_on(op: Operation) -> Run:
    """Forwards the operands to the results."""
    pairs = list(zip(op.operands, op.results, strict=True))

    def run(env: Environment) -> None:
        for operand, result in pairs:
            env[result] = env[operand]

    return run


# -- structured control flow


class IndexOverflow(Fault):
    """A step of an affine map has a result that is not an index."""

    def __init__(self) -> None:
        super().__init__("overflows in an affine map", "overflow")


SMALL: Final = 1 << 31
"""A map of operands and results below this is not checked step by step for an overflow."""
HIGHEST: Final = (1 << 63) - 1


def apply(map: AffineMap, values: list[Any]) -> list[int]:
    """The results of a map for defined operands. Raises Fault for a divisor that is not positive, and IndexOverflow."""
    operands = numbers(values)
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    check_divisors(map.results, dims, symbols)
    results = list(map.evaluate(dims, symbols))
    if not all(-SMALL < x < SMALL for x in (*operands, *results)):
        for expr in map.results:
            expr.over(dims, symbols, int, _step)
    return results


def check_divisors(exprs: Sequence[AffineExpr], dims: list[int], symbols: list[int]) -> None:
    """Divisors in affine expressions are positive: what division by others means is undefined."""
    for expr in exprs:
        for divisor in divisors(expr):
            value = divisor.evaluate(dims, symbols)
            if value <= 0:
                what = "zero" if value == 0 else f"{value}, which is not positive,"
                raise Fault(f"divides by {what} in an affine expression", "division-by-zero")


@lru_cache(4096)
def divisors(expr: AffineExpr) -> tuple[AffineExpr, ...]:
    """The divisors in an expression that are not positive constants, those within others first."""
    found = [
        part.rhs
        for part in expr.walk()
        if isinstance(part, AffineBinary) and part.kind in ("mod", "floordiv", "ceildiv")
    ]
    return tuple(each for each in found if not (isinstance(each, AffineConstant) and each.value > 0))


def _step(kind: str, left: int, right: int) -> int:
    """One step of an affine expression. `ceildiv` negates its operand. Raises IndexOverflow."""
    made = EVALUATE[kind](left, right)
    if not ~HIGHEST <= made <= HIGHEST or (kind == "ceildiv" and left == ~HIGHEST):
        raise IndexOverflow
    return made


Number = Callable[["Environment"], int]
Body = Callable[["Environment"], Steps]
Bounds = Sequence[tuple[Number, Number, Number]]


class _Control:
    """Equations of control flow, prepared once: numbers and conditions are functions of the environment."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def number(self, value: Value | int) -> Number:
        if isinstance(value, int):
            return lambda env: value
        return lambda env: number(env[value], "a loop bound")

    def extreme(self, kind: str, map: AffineMap, operands: Sequence[Value]) -> Number:
        choose = max if kind == "max" else min
        return lambda env: choose(apply(map, [env[value] for value in operands]))

    def truth(self, value: Value) -> Number:
        return lambda env: decide(env[value])

    def holds(self, set: IntegerSet, operands: Sequence[Value]) -> Number:
        def holds(env: Environment) -> bool:
            values = numbers([env[value] for value in operands], "a condition")
            dims, symbols = values[: set.num_dims], values[set.num_dims :]
            check_divisors(set.constraints, dims, symbols)
            return set.contains(dims, symbols)

        return holds

    def once(self, op: Operation) -> Body:
        return _one_of(lambda env: op.regions[0])

    def either(self, op: Operation, condition: Number) -> Body:
        then, otherwise = op.regions
        return _one_of(lambda env: then if condition(env) else otherwise)

    def switch(self, op: Operation, selector: Value, cases: Sequence[int]) -> Body:
        regions = op.regions
        number_of = {value: i + 1 for i, value in reversed(list(enumerate(cases)))}
        return _one_of(lambda env: regions[number_of.get(decide(env[selector], "a switch"), 0)])

    def counted(self, op: CountedLoopOp, lower: Number, upper: Number, step: Number) -> Body:
        inits = [use.value for use in op.init_operands]
        body, held, unsigned = op.regions[0].entry, storage(op.induction_variable.type), op.unsigned_cmp

        def run(env: Environment) -> Steps:
            read = held.unsigned_of if unsigned else held.signed
            start, end, by = (read(int(bound(env))) for bound in (lower, upper, step))
            carried = [env[value] for value in inits]
            if by <= 0:
                raise Fault(f"the step of the loop is {by}")
            while start < end:
                leave: Leave = yield Enter(body, [held.wrap(start), *carried])
                carried = leave.values
                start += by
            return carried

        return run

    def repeated(self, op: scf.WhileOp) -> Body:
        inits = op.operands
        before, after = (region.entry for region in op.regions)

        def run(env: Environment) -> Steps:
            carried = [env[value] for value in inits]
            while True:
                leave: Leave = yield Enter(before, carried)
                condition, *carried = leave.values
                if not decide(condition, "a loop"):
                    return carried
                leave = yield Enter(after, carried)
                carried = leave.values

        return run

    def grid(self, op: LoopLikeOp, bounds: Bounds) -> Body:
        """Iterations are executed sequentially in the order of their indices."""
        return _GRIDS[op.name](op, bounds, self.machine)


def _one_of(region_of: Callable[[Environment], Region]) -> Body:
    """Runs a region, which may be empty."""

    def run(env: Environment) -> Steps:
        region = region_of(env)
        if region.is_empty:
            return []
        leave: Leave = yield Enter(region.entry, [])
        return leave.values

    return run


@structured(*EQUATIONS)
def _by_equation(op: Operation, machine: Machine) -> Body:
    return EQUATIONS[op.name](op, _Control(machine))


# -- parallel loops


def _points(bounds: Bounds, env: Environment) -> Iterator[tuple[int, ...]]:
    """The points of a grid, last dimension fastest. Raises Fault for a nonpositive step."""
    ranges = [(low(env), high(env), step(env)) for low, high, step in bounds]
    for _, _, by in ranges:
        if by <= 0:
            raise Fault(f"the step of the loop is {by}")
    return product(*(range(*each) for each in ranges))


def _iterations(bounds: Bounds, env: Environment, machine: Machine) -> Iterator[tuple[int, ...]]:
    """The points of a grid, at which accesses to memory are checked for races if these are to be found."""
    if not machine.heap.finds_races:
        yield from _points(bounds, env)
        return
    loop = Iterations()
    machine.heap.loops.append(loop)
    try:
        for at, point in enumerate(_points(bounds, env)):
            loop.current = at
            yield point
    finally:
        machine.heap.loops.remove(loop)


def _forall(op: scf.ForallOp, bounds: Bounds, machine: Machine) -> Body:
    outputs, shared, body = op.outputs, op.region_iter_args, op.regions[0].entry
    ending = expect(Operation, body.last_op)

    def run(env: Environment) -> Steps:
        initial = [env[value] for value in outputs]
        updated = list(initial)
        writers: dict[Value, NDArray] = {}
        for iteration, point in enumerate(_iterations(bounds, env, machine)):
            # iterations see the tensors as before the loop; insertions accumulate in `updated`
            machine.variables[op] = dict(zip(shared, updated, strict=True))
            machine.variables[ending] = iteration, writers
            yield Enter(body, [*point, *initial])
            updated = [machine.variables[op][arg] for arg in shared]
        return updated

    return run


def _parallel(op: scf.ParallelOp, bounds: Bounds, machine: Machine) -> Body:
    inits, body = op.init_vals, op.regions[0].entry
    reduce = expect(Operation, body.last_op)

    def run(env: Environment) -> Steps:
        carried = [env[value] for value in inits]
        for point in _iterations(bounds, env, machine):
            leave: Leave = yield Enter(body, list(point))
            for i, (region, value) in enumerate(zip(reduce.regions, leave.values, strict=True)):
                ended: Leave = yield Enter(region.entry, [carried[i], value])
                carried[i] = ended.values[0]
        return carried

    return run


def _affine_parallel(op: affine.ParallelOp, bounds: Bounds, machine: Machine) -> Body:
    body, kinds = op.regions[0].entry, [REDUCTIONS[kind.value] for kind in op.reductions]
    combine = [combiner(kind, result.type)[0] for kind, result in zip(kinds, op.results, strict=True)]
    start = [_neutral(kind, result.type) for kind, result in zip(kinds, op.results, strict=True)]

    def run(env: Environment) -> Steps:
        carried = list(start)
        for point in _iterations(bounds, env, machine):
            leave: Leave = yield Enter(body, list(point))
            carried = [
                y if kind == "assign" else POISON if x is POISON or y is POISON else function(x, y)
                for kind, function, x, y in zip(kinds, combine, carried, leave.values, strict=True)
            ]
        return carried

    return run


def _neutral(kind: str, type: t.Type) -> Any:
    """The initial value of a reduction."""
    held = storage(type)
    if kind in ("addf", "addi", "ori", "xori", "maxu"):
        value: float = 0
    elif kind in ("mulf", "muli"):
        value = 1
    elif kind in ("andi", "minu"):
        value = -1
    elif kind in ("maximumf", "maxnumf"):
        value = float("-inf")
    elif kind in ("minimumf", "minnumf"):
        value = float("inf")
    elif kind in ("maxs", "mins"):
        value = -(1 << (held.width - 1)) if kind == "maxs" else (1 << (held.width - 1)) - 1
    else:
        return POISON
    return held.round(value) if held.kind == "float" else held.wrap(int(value))


_GRIDS: dict[str, Callable[..., Body]] = {
    "scf.forall": _forall,
    "scf.parallel": _parallel,
    "affine.parallel": _affine_parallel,
}


@terminator("scf.forall.in_parallel")
def in_parallel(op: Operation, machine: Machine) -> Callable[[Environment], list[Any]]:
    """Executes the insertions of one iteration into the shared outputs. Two iterations may not insert into one place."""
    nested = [] if op.regions[0].is_empty else list(op.regions[0].entry)
    steps = [(inner, machine._instruction(inner)) for inner in nested]
    slices = {inner: Slice.of(inner, inner.source) for inner in nested if isinstance(inner, SliceInsertionOp)}
    loop = expect(Operation, op.parent_op)

    def run(env: Environment) -> list[Any]:
        gathered = machine.variables.get(loop, {})
        iteration, writers = machine.variables.get(op, (0, {}))
        for inner, (_, insert, _) in steps:
            if not isinstance(inner, SliceInsertionOp):
                insert(env)
                continue
            dest = inner.dest
            before = env[dest]
            env[dest] = gathered[dest]
            insert(env)
            gathered[dest] = env[dest]
            env[dest] = before
            shape = before.data.shape[: expect(t.ShapedType, dest.type).rank]
            last = writers.setdefault(dest, np.full(shape, -1))
            where, _ = slices[inner].place(env, shape, "writes")
            if ((last[where] >= 0) & (last[where] != iteration)).any():
                raise Fault("two iterations insert into the same elements", "race")
            last[where] = iteration
        return []

    return run
