"""Interpreter: the `bufferization` dialect, and operations declared only to allocate or free.

Before bufferization, `to_tensor` copies the contents of a buffer, and `to_buffer` allocates a new buffer; both
operations disappear with it. A `writable` tensor may be updated in the buffer itself; the buffer's contents are
then unspecified until the program writes it (`HeapBuffer.lend`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..dialects._described import DescribedAllocationOp
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import ALLOCATE, FREE, MemoryEffectOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..semantics.frees import freed_by
from . import Fault, Unsupported
from .heap import ARGUMENT, HEAP, MemRef, memref_of
from .machine import ANY_OTHER, evaluates, executes, simple
from .memory import new_dense
from .tensors import check_sizes, held_by
from .values import Array, decide, number

if TYPE_CHECKING:
    from ..dialects import bufferization
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]


@evaluates("bufferization.dealloc_tensor")
def dealloc_tensor(op: Operation, value: Array) -> None:
    """Tensors are not in memory."""


@evaluates("bufferization.to_tensor")
def to_tensor(op: Operation, memref: MemRef) -> Array:
    held_by(op.results[0])
    value = memref.read()
    if "writable" in op.properties and not memref.is_typed_view:
        memref.buffer.lend(memref.positions(), True)
    return value


@executes("bufferization.to_buffer")
def to_buffer(op: Operation, machine: Machine, value: Array) -> MemRef:
    # the tensor owns it, so the program must not free it
    return new_dense(op.results[0].type, value, machine, op, ARGUMENT)


@evaluates("bufferization.materialize_in_destination")
def materialize_in_destination(
    op: bufferization.MaterializeInDestinationOp, value: Array, target: Array | MemRef
) -> Array | None:
    shape = value.shape(held_by(op.source))
    if not isinstance(target, MemRef):
        check_sizes(op.results[0].type, shape, "a tensor")
        return value
    if target.sizes != shape:
        raise Fault("materializes a tensor in a buffer of another shape", "shape-mismatch")
    target.write(value)
    if not target.is_typed_view:
        target.buffer.lend(target.positions(), False)
    return None


@simple("bufferization.clone")
def clone(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        env[result] = new_dense(result.type, memref.read("clones"), machine, op)
        machine.heap.moved(memref.count * memref.held.size, op)

    return run


@executes("bufferization.dealloc")
def dealloc(op: bufferization.DeallocOp, machine: Machine, *values: Any) -> list[int] | int:
    """Frees each buffer whose condition holds, once, unless it is that of a retained memref."""
    count = len(op.memrefs)
    retained = values[2 * count :]
    owned: dict[Any, tuple[MemRef, int]] = {}
    for found, condition in zip(values[:count], values[count : 2 * count], strict=True):
        holds = decide(condition, "a free")
        before = owned.get(found.buffer)
        owned[found.buffer] = (found, holds or (before[1] if before else 0))
    kept = {memref.buffer for memref in retained}
    for buffer, (found, holds) in owned.items():
        if holds and buffer not in kept:
            machine.heap.free(found, op, base=True)
    entries = [owned.get(memref.buffer) for memref in retained]
    flags = [int(entry[1]) if entry else 0 for entry in entries]
    return flags[0] if len(flags) == 1 else flags


# Operations of other dialects, or described by users, that are only declared to allocate or free. Their allocations
# are new and undefined, or take over the contents of a buffer freed in exchange. They must be freed as the allocating
# operation declares (`AllocationOp.build_free`).


def manages_memory(op: Operation) -> bool:
    """Whether the only effects of `op` are to free operands, to allocate its results, or both."""
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
    """Executes the effects that `manages_memory` recognizes, and operations described as clones. Raises
    Unsupported for others."""
    if isinstance(op, DescribedAllocationOp) and op.is_clone and len(op.operands) == 1 == len(op.results):
        return clone(op, machine)
    if not isinstance(op, MemoryEffectOp) or not manages_memory(op):
        raise Unsupported(f"operation '{op.name}' is not supported")
    freed = freed_by(op)
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
