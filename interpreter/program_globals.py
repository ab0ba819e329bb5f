"""Globals of the ml_program dialect: tensors that keep their value from one use to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .arithmetic import constant_value
from .faults import Unsupported
from .registry import simple

if TYPE_CHECKING:
    from ..dialects import ml_program
    from .machine import Machine
    from .registry import Environment

Run = Callable[["Environment"], Any]


@simple("ml_program.global_load", "ml_program.global_load_const")
def load(op: ml_program.GlobalLoadOp | ml_program.GlobalLoadConstOp, machine: Machine) -> Run:
    definition: Any = machine.symbols.resolve(op, op.global_)
    result = op.results[0]

    def run(env: Environment) -> None:
        if definition not in machine.variables:
            if definition is None or definition.value is None:
                raise Unsupported("a global without a value is not supported")
            machine.variables[definition] = constant_value(
                definition.value, result.type, machine.resources.elements
            )
        env[result] = machine.variables[definition]

    return run


@simple("ml_program.global_store")
def store(op: ml_program.GlobalStoreOp, machine: Machine) -> Run:
    definition: Any = machine.symbols.resolve(op, op.global_)
    value = op.operands[0]

    def run(env: Environment) -> None:
        machine.variables[definition] = env[value]

    return run
