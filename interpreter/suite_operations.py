"""The operations of the test dialect that have a meaning: MLIR's suites for buffer passes copy with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .memory import copy_contents
from .registry import simple

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from .machine import Machine
    from .registry import Environment


@simple("test.copy")
def copy(op: Operation, machine: Machine) -> Callable[[Environment], Any]:
    source, target = op.operands

    def run(env: Environment) -> None:
        copy_contents(env[source], env[target], machine, op)

    return run
