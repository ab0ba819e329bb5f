"""Loops whose iterations may run in any order: here, one after the other in order of their indices."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import product
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation
from ..ir.source.diagnostics import expect
from .faults import Fault
from .registry import Enter, Leave, structured, terminator
from .tensors import entries
from .values import number

if TYPE_CHECKING:
    from ..dialects import scf
    from .machine import Machine
    from .registry import Environment

Steps = Generator[Any, Any, Any]


def grid(lower: list[int], upper: list[int], step: list[int]) -> Any:
    """The points of a rectangle, last dimension fastest. Raises Fault for a step that is not positive."""
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
            # iterations see the tensors as they were before the loop; insertions gather in `updated`
            machine.variables[op] = dict(zip(shared, updated, strict=True))
            yield Enter(body, [*point, *initial])
            updated = [machine.variables[op][arg] for arg in shared]
        return updated

    return run


@terminator("scf.forall.in_parallel")
def in_parallel(op: Operation, machine: Machine) -> Callable[[Environment], list[Any]]:
    """Runs the insertions of one iteration: each updates what its destination stands for."""
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
