"""What a run costs: memory held at most, bytes copied, and which operation allocated and copied how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .boundary import prepare
from .machine import MAX_STEPS, Machine

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from .heap import Traffic


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of one run.

    Attributes:
        operations: how many were run.
        allocations: how many buffers were allocated.
        peak: bytes held at once at most, without those of arguments.
        copied: bytes that copies moved.
        traffic: what each operation that allocated or copied has done.
    """

    operations: int
    allocations: int
    peak: int
    copied: int
    traffic: Mapping[Operation, Traffic]


def measure(
    module: Operation,
    name: str,
    values: Sequence[Any],
    max_steps: int = MAX_STEPS,
    random_resources: bool = False,
) -> Measurement:
    """Run the function called `name` on `values`, arrays where it takes memrefs, and measure it.

    Elements that were never written may be read: what is computed from them says nothing of the cost.

    Raises:
        Fault: it does what it must not, on these values.
        Unsupported: there is no such function, or an operation or type is not known.
        LimitExceeded: too many steps, too much memory.
    """
    machine = Machine(module, max_steps=max_steps, random_resources=random_resources)
    machine.heap.record_traffic()
    function = machine.function(name)
    arguments = prepare(values, function.function_type.inputs, machine.heap)
    machine.call(function, arguments.values)
    heap = machine.heap
    return Measurement(machine.steps, heap.allocations, heap.peak, heap.copied, heap.traffic or {})
