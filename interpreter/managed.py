"""Operations of which only that is said that they allocate or free: of other dialects, or described by a user.

What they allocate is new and undefined, or holds what a buffer held that they free in exchange. It has to be freed as the operation
that allocates it says (`AllocationOp.build_free`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..dialects._described import DescribedAllocationOp
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import ALLOCATE, FREE, MemoryEffectOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from .bufferization import clone
from .faults import Unsupported
from .heap import HEAP, MemRef, memref_of
from .memory import copy_contents
from .registry import ANY_OTHER, simple
from .values import number

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from .machine import Machine
    from .registry import Environment


def manages_memory(op: Operation) -> bool:
    """Whether `op` frees some of its operands, allocates its results, or both, and does nothing else."""
    if not isinstance(op, MemoryEffectOp) or op.definition is None or op.regions:
        return False
    effects = op.memory_effects()
    made = [effect.value for effect in effects if effect.kind == ALLOCATE]
    return (
        bool(effects)
        and all(effect.kind in (ALLOCATE, FREE) and effect.value is not None for effect in effects)
        and made == list(op.results)
        and all(isinstance(result.type, t.MemRefType) for result in op.results)
        and (not op.results or len(_sizes(op)) == _unknown_sizes(op))
    )


@simple(ANY_OTHER)
def manage(op: Operation, machine: Machine) -> Callable[[Environment], None]:
    """Runs what `manages_memory` says, and what is described as a clone. Raises Unsupported for everything else."""
    if isinstance(op, DescribedAllocationOp) and op.is_clone and len(op.operands) == 1 == len(op.results):
        return clone(op, machine)
    if not isinstance(op, MemoryEffectOp) or not manages_memory(op):
        raise Unsupported(f"operation '{op.name}' is not supported")
    freed = [
        effect.value for effect in op.memory_effects() if effect.kind == FREE and effect.value is not None
    ]
    sizes = _sizes(op)

    def run(env: Environment) -> None:
        old: list[MemRef] = [env[value] for value in freed]
        given = iter([number(env[size], "a size") for size in sizes])
        for result in op.results:
            known = expect(t.MemRefType, result.type).shape
            shape = tuple(next(given) if size is None else size for size in known)
            made = memref_of(result.type, shape, machine.heap, HEAP, op)
            if len(old) == 1 and old[0].sizes == made.sizes:
                made.data()[...] = old[0].data()
                made.flags()[...] = old[0].flags()
            env[result] = made
        for memref in old:
            machine.heap.free(memref, op, base=True)

    return run


def _sizes(op: Operation) -> list[Value]:
    return [value for value in op.operands if value.type is t.INDEX]


def _unknown_sizes(op: Operation) -> int:
    types = [result.type for result in op.results]
    return sum(size is None for type in types if isinstance(type, t.MemRefType) for size in type.shape)


# -- the operations of the test dialect that have a meaning: MLIR's suites for buffer passes copy with them


@simple("test.copy")
def copy(op: Operation, machine: Machine) -> Callable[[Environment], Any]:
    source, target = op.operands

    def run(env: Environment) -> None:
        copy_contents(env[source], env[target], machine, op)

    return run
