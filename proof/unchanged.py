"""An unchanged function is equivalent to itself; its callees must be compared.

That is all that has to be said where it manages no memory: nothing is allocated, freed or given away in it, so nothing can be left
over. What it calls must be proved itself.
"""

from __future__ import annotations

from typing import Protocol

from ..ir.program.core import Operation
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    STACK_RESOURCE,
    CallOpInterface,
    FunctionOp,
    MemoryEffectOp,
)
from ..ir.text.printer import print_operation
from ..ir.types import types as t


class Pair(Protocol):
    """Two programs, and what was found out about functions that are in both."""

    before: Operation
    after: Operation
    originals: dict[str, FunctionOp]
    others: dict[str, FunctionOp]

    def is_proved(self, name: str) -> bool: ...


def is_unchanged(pair: Pair, name: str) -> bool:
    """Whether the function of that name is the same in both, and that proves it. O(both programs)."""
    original, other = pair.originals[name], pair.others.get(name)
    return (
        other is not None
        and not any(map(t.is_memref, original.function_type.results))
        and not any(_manages_memory(op, pair) for op in original.walk())
        and print_operation(original, generic=True) == print_operation(other, generic=True)
        and _rest(pair.before) == _rest(pair.after)
    )


def _manages_memory(op: Operation, pair: Pair) -> bool:
    if isinstance(op, CallOpInterface):
        symbol = op.callee_symbol()
        return (
            symbol is None
            or any(t.is_memref(result.type) for result in op.results)
            or not pair.is_proved(symbol.root)
        )
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == FREE or (effect.kind == ALLOCATE and effect.resource != STACK_RESOURCE)
        for effect in op.memory_effects()
    )


def _rest(module: Operation) -> list[str]:
    """What stands beside the functions: globals, and whatever else has a name."""
    return (
        [
            print_operation(op, generic=True)
            for op in module.regions[0].ops()
            if not isinstance(op, FunctionOp)
        ]
        if module.regions
        else []
    )
