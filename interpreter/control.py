"""Interpreter: functions, calls, branches, structured control flow, assertions, undefined values."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import product
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .faults import Fault, Unsupported
from .functions import library_function
from .machine import Call, Enter, Jump, Leave, computes, simple, structured, terminator
from .numbers import storage, vector_shape
from .tensors import entries
from .values import POISON, decide, number, undefined

if TYPE_CHECKING:
    from ..dialects import cf, scf
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]
Steps = Generator[Any, Any, Any]


@terminator(
    "func.return",
    "scf.yield",
    "scf.condition",
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


@structured("scf.for")
def for_loop(op: scf.ForOp, machine: Machine) -> Callable[[Environment], Steps]:
    lower, upper, step = op.operands[:3]
    inits = op.operands[3:]
    body = op.regions[0].entry
    unsigned = op.unsigned_cmp
    held = storage(lower.type)

    def run(env: Environment) -> Steps:
        start, end, by = (number(env[value], "a loop bound") for value in (lower, upper, step))
        carried = [env[value] for value in inits]
        if unsigned:
            start, end, by = held.unsigned_of(start), held.unsigned_of(end), held.unsigned_of(by)
        if by <= 0 and start < end:
            raise Fault(f"the step of the loop is {by}")
        while start < end:
            leave: Leave = yield Enter(body, [held.wrap(start), *carried])
            carried = leave.values
            start += by
        return carried

    return run


@structured("scf.while")
def while_loop(op: scf.WhileOp, machine: Machine) -> Callable[[Environment], Steps]:
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


@structured("scf.if")
def conditional(op: scf.IfOp, machine: Machine) -> Callable[[Environment], Steps]:
    condition = op.operands[0]
    return either(op, lambda env: decide(env[condition]))


def either(op: Operation, holds: Callable[[Environment], int]) -> Callable[[Environment], Steps]:
    """Runs the first region of `op` if a condition holds, else the second, which may be empty."""
    then, otherwise = op.regions

    def run(env: Environment) -> Steps:
        region = then if holds(env) else otherwise
        if region.is_empty:
            return []
        leave: Leave = yield Enter(region.entry, [])
        return leave.values

    return run


@structured("scf.execute_region", "memref.alloca_scope")
def execute_region(op: Operation, machine: Machine) -> Callable[[Environment], Steps]:
    entry = op.regions[0].entry

    def run(env: Environment) -> Steps:
        leave: Leave = yield Enter(entry, [])
        return leave.values

    return run


@structured("scf.index_switch")
def index_switch(op: scf.IndexSwitchOp, machine: Machine) -> Callable[[Environment], Steps]:
    arg = op.operands[0]
    cases = {value: i + 1 for i, value in reversed(list(enumerate(op.cases.values)))}
    regions = op.regions

    def run(env: Environment) -> Steps:
        which = cases.get(decide(env[arg], "a switch"), 0)
        leave: Leave = yield Enter(regions[which].entry, [])
        return leave.values

    return run


# Parallel loops: iterations are executed sequentially in the order of their indices.


def grid(lower: list[int], upper: list[int], step: list[int]) -> Any:
    """The points of a grid, last dimension fastest. Raises Fault for a nonpositive step."""
    for by in step:
        if by <= 0:
            raise Fault(f"the step of the loop is {by}")
    return product(*(range(start, end, by) for start, end, by in zip(lower, upper, step, strict=True)))


@structured("scf.forall")
def forall(op: scf.ForallOp, machine: Machine) -> Callable[[Environment], Steps]:
    lower, upper, step = op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step
    outputs, shared = op.outputs, op.region_iter_args
    body = op.regions[0].entry

    def run(env: Environment) -> Steps:
        bounds = [entries(env, x, "a loop bound") for x in (lower, upper, step)]
        initial = [env[value] for value in outputs]
        updated = list(initial)
        for point in grid(*bounds):
            # iterations see the tensors as before the loop; insertions accumulate in `updated`
            machine.variables[op] = dict(zip(shared, updated, strict=True))
            yield Enter(body, [*point, *initial])
            updated = [machine.variables[op][arg] for arg in shared]
        return updated

    return run


@terminator("scf.forall.in_parallel")
def in_parallel(op: Operation, machine: Machine) -> Callable[[Environment], list[Any]]:
    """Executes the insertions of one iteration into the shared outputs."""
    steps = (
        [(nested, machine._instruction(nested)) for nested in op.regions[0].entry]
        if not op.regions[0].is_empty
        else []
    )
    loop = expect(Operation, op.parent_op)

    def run(env: Environment) -> list[Any]:
        gathered = machine.variables.get(loop, {})
        for nested, (_, insert, _) in steps:
            dest = getattr(nested, "dest", None)
            if dest is None:
                insert(env)
                continue
            before = env[dest]
            env[dest] = gathered[dest]
            insert(env)
            gathered[dest] = env[dest]
            env[dest] = before
        return []

    return run


@structured("scf.parallel")
def parallel(op: scf.ParallelOp, machine: Machine) -> Callable[[Environment], Steps]:
    lower, upper, step, inits = op.lower_bound, op.upper_bound, op.step, op.init_vals
    body = op.regions[0].entry
    reduce = expect(Operation, body.last_op)

    def run(env: Environment) -> Steps:
        bounds = [[number(env[value], "a loop bound") for value in x] for x in (lower, upper, step)]
        carried = [env[value] for value in inits]
        for point in grid(*bounds):
            leave: Leave = yield Enter(body, list(point))
            for i, (region, value) in enumerate(zip(reduce.regions, leave.values, strict=True)):
                ended: Leave = yield Enter(region.entry, [carried[i], value])
                carried[i] = ended.values[0]
        return carried

    return run


@terminator("scf.reduce")
def reduces(op: Operation, machine: Machine) -> Callable[[Environment], list[Any]]:
    operands = op.operands
    return lambda env: [env[value] for value in operands]
