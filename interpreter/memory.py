"""Interpreter: memrefs and the boundary to tensors: allocation, deallocation, loads, stores, globals, `bufferization`.

Before bufferization, `to_tensor` copies the contents of a buffer, and `to_buffer` allocates a new buffer; both
operations disappear with it. A `writable` tensor may be updated in the buffer itself; the buffer's contents are
then unspecified until the program writes it (`HeapBuffer.lend`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects._described import DescribedAllocationOp
from ..dialects._memref_buffers import RMW_KINDS
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import ALLOCATE, FREE, MemoryEffectOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .arithmetic import constant_value
from .faults import Fault, Unsupported
from .functions import combiner
from .heap import ARGUMENT, GLOBAL, HEAP, STACK, MemRef, dense, memref_of
from .machine import ANY_OTHER, Enter, computes, simple, structured
from .numbers import storage_in
from .tensors import check_sizes, entries, held_by
from .values import POISON, Array, decide, extent, number

if TYPE_CHECKING:
    from ..dialects import bufferization, memref, ml_program
    from ..ir.program.core import Operation
    from .machine import Environment, Machine


Run = Callable[["Environment"], Any]


@simple("memref.alloc", "memref.alloca")
def alloc(op: memref.AllocOp | memref.AllocaOp, machine: Machine) -> Run:
    result, sizes = op.results[0], op.mixed_sizes()
    kind = STACK if op.is_stack_allocation() else HEAP
    held_by(result)
    heap = machine.heap

    def run(env: Environment) -> None:
        made = memref_of(result.type, tuple(entries(env, sizes)), heap, kind, op)
        env[result] = machine.stack_buffer(made) if kind == STACK else made

    return run


@simple("memref.dealloc")
def dealloc(op: Operation, machine: Machine) -> Run:
    memref = op.operands[0]

    def run(env: Environment) -> None:
        machine.heap.free(env[memref], op)

    return run


@simple("memref.realloc")
def realloc(op: memref.ReallocOp, machine: Machine) -> Run:
    source, size, result = op.source, op.dynamic_result_size, op.results[0]

    def run(env: Environment) -> None:
        old: MemRef = env[source]
        old.check("reallocates")
        length = (
            number(env[size], "a size")
            if size is not None
            else expect(t.MemRefType, result.type).static_shape[0]
        )
        made = memref_of(result.type, (length,), machine.heap, HEAP, op)
        kept = min(length, old.sizes[0])
        if kept:
            made.data()[:kept] = old.data()[:kept]
            made.flags()[:kept] = old.flags()[:kept]
            machine.heap.moved(kept * old.held.size, op)
        machine.heap.free(old, op)
        env[result] = made

    return run


# -- single elements


@simple("memref.load")
def load(op: Operation, machine: Machine) -> Run:
    memref, *indices = op.operands
    result = op.results[0]

    def run(env: Environment) -> None:
        element = env[memref].load([env[i] for i in indices])
        if element is POISON:
            _undefined(env[memref], machine)
        env[result] = element

    return run


def _undefined(memref: MemRef, machine: Machine) -> None:
    """Record the read of an uninitialized element."""
    machine.undefined_reads += 1
    if machine.strict:
        raise memref.buffer.fault("reads an element that was never written", "uninitialised-read")


@simple("memref.store")
def store(op: Operation, machine: Machine) -> Run:
    value, memref, *indices = op.operands

    def run(env: Environment) -> None:
        env[memref].store([env[i] for i in indices], env[value])

    return run


@simple("memref.atomic_rmw")
def atomic_rmw(op: memref.AtomicRMWOp, machine: Machine) -> Run:
    value, memref, *indices = op.operands
    result = op.results[0]
    combine = combiner(RMW_KINDS[op.kind.value], value.type)[0]

    def run(env: Environment) -> None:
        place = [env[i] for i in indices]
        old = env[memref].load(place)
        given = env[value]
        env[memref].store(place, POISON if old is POISON or given is POISON else combine(old, given))
        env[result] = old

    return run


@structured("memref.generic_atomic_rmw")
def generic_atomic_rmw(
    op: memref.GenericAtomicRMWOp, machine: Machine
) -> Callable[[Environment], Generator[Any, Any, Any]]:
    memref, *indices = op.operands
    body = op.regions[0].entry

    def run(env: Environment) -> Generator[Any, Any, Any]:
        place = [env[i] for i in indices]
        leave = yield Enter(body, [env[memref].load(place)])
        env[memref].store(place, leave.values[0])
        return leave.values

    return run


@simple("memref.prefetch", "affine.prefetch")
def prefetch(op: Operation, machine: Machine) -> Run:
    return lambda env: None


# -- whole buffers


@simple("memref.copy", "test.copy")  # MLIR's buffer test suites copy with the latter
def copy(op: Operation, machine: Machine) -> Run:
    source, target = op.operands

    def run(env: Environment) -> None:
        copy_contents(env[source], env[target], machine, op)

    return run


def copy_contents(source: MemRef, target: MemRef, machine: Machine, op: Operation) -> None:
    """Copy all elements. Raises Fault if shapes differ, or if the two overlap without being identical."""
    if source.sizes != target.sizes:
        raise Fault(
            f"copies a buffer of shape {list(source.sizes)} to one of shape {list(target.sizes)}",
            "shape-mismatch",
        )
    contents = source.peek("copies from")
    target.check("copies to", write=True)
    if not source.count:
        return
    if source.buffer is target.buffer:
        same = source.offset == target.offset and source.strides == target.strides
        if not same and np.shares_memory(source.data(), target.data()):
            raise source.buffer.fault("copies between parts of a buffer that overlap", "overlapping-copy")
        contents = Array(contents.data.copy(), None if contents.valid is None else contents.valid.copy())
    target.write(contents, "copies to")
    machine.heap.moved(source.count * source.held.size, op)


@simple("memref.dim")
def dim(op: Operation, machine: Machine) -> Run:
    source, index = op.operands
    result = op.results[0]

    def run(env: Environment) -> None:
        env[result] = extent(env[source].sizes, number(env[index]), "memref")

    return run


@computes("memref.rank")
def rank(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    return lambda env: len(env[source].sizes)


# -- globals


@simple("memref.get_global")
def get_global(op: memref.GetGlobalOp, machine: Machine) -> Run:
    result = op.results[0]
    definition: Any = machine.symbols.resolve(op, op.global_name)

    def run(env: Environment) -> None:
        env[result] = global_buffer(definition, machine)

    return run


def global_buffer(definition: Any, machine: Machine) -> MemRef:
    """The buffer of a global, created on first access."""
    found = machine.globals.get(definition)
    if found is None:
        found = machine.globals[definition] = _make_global(definition, machine)
    return found


def _make_global(definition: Any, machine: Machine) -> MemRef:
    type, value = definition.memref_type, definition.initial_value
    if value is None:
        raise Unsupported(f"global '{definition.sym_name.value}' is defined elsewhere")
    made = memref_of(type, type.shape, machine.heap, GLOBAL, definition)
    made.buffer.history = [("the global is here", definition)]
    if not isinstance(value, a.UnitAttr):
        made.write(Array(machine.resources.elements(value, type.shape)))
    if definition.constant:
        made.buffer.read_only = "a constant global"
    return made


def new_dense(type: t.Type, contents: Array, machine: Machine, op: Operation, kind: str = HEAP) -> MemRef:
    """A new buffer with these contents, in the layout of `type`."""
    held = storage_in(type)
    sizes = contents.shape(held)
    check_sizes(type, sizes, "a buffer")
    made = (
        memref_of(type, sizes, machine.heap, kind, op)
        if hasattr(type, "layout")
        else dense(machine.heap.new(held, int(np.prod(sizes, dtype=np.int64)), kind, op), sizes)
    )
    made.write(contents)
    return made


# -- globals of the ml_program dialect: tensors that keep their value between accesses


@simple("ml_program.global_load", "ml_program.global_load_const")
def load_global(op: ml_program.GlobalLoadOp | ml_program.GlobalLoadConstOp, machine: Machine) -> Run:
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
def store_global(op: ml_program.GlobalStoreOp, machine: Machine) -> Run:
    definition: Any = machine.symbols.resolve(op, op.global_)
    value = op.operands[0]

    def run(env: Environment) -> None:
        machine.variables[definition] = env[value]

    return run


@simple("bufferization.dealloc_tensor")
def dealloc_tensor(op: Operation, machine: Machine) -> Run:
    return lambda env: None


@simple("bufferization.to_tensor")
def to_tensor(op: Operation, machine: Machine) -> Run:
    buffer, result = op.operands[0], op.results[0]
    held_by(result)
    writable = "writable" in op.properties

    def run(env: Environment) -> None:
        memref: MemRef = env[buffer]
        env[result] = memref.read()
        if writable and not memref.is_typed_view:
            memref.buffer.lend(memref.positions(), True)

    return run


@simple("bufferization.to_buffer")
def to_buffer(op: Operation, machine: Machine) -> Run:
    tensor, result = op.operands[0], op.results[0]

    def run(env: Environment) -> None:
        # the tensor owns it, so the program must not free it
        env[result] = new_dense(result.type, env[tensor], machine, op, ARGUMENT)

    return run


@simple("bufferization.materialize_in_destination")
def materialize_in_destination(op: bufferization.MaterializeInDestinationOp, machine: Machine) -> Run:
    source, dest = op.source, op.dest
    held = held_by(source)

    def run(env: Environment) -> None:
        value: Array = env[source]
        if t.is_memref(dest.type):
            target: MemRef = env[dest]
            if target.sizes != value.shape(held):
                raise Fault("materializes a tensor in a buffer of another shape", "shape-mismatch")
            target.write(value)
            if not target.is_typed_view:
                target.buffer.lend(target.positions(), False)
            return
        check_sizes(op.results[0].type, value.shape(held), "a tensor")
        env[op.results[0]] = value

    return run


@simple("bufferization.clone")
def clone(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        env[result] = new_dense(result.type, memref.read("clones"), machine, op)
        machine.heap.moved(memref.count * memref.held.size, op)

    return run


@simple("bufferization.dealloc")
def dealloc_owned(op: bufferization.DeallocOp, machine: Machine) -> Run:
    """Frees each buffer whose condition holds, once, unless it is that of a retained memref."""
    memrefs, conditions, retained, results = op.memrefs, op.conditions, op.retained, op.results

    def run(env: Environment) -> None:
        owned: dict[Any, tuple[MemRef, int]] = {}
        for memref, condition in zip(memrefs, conditions, strict=True):
            holds = decide(env[condition], "a free")
            found: MemRef = env[memref]
            before = owned.get(found.buffer)
            owned[found.buffer] = (found, holds or (before[1] if before else 0))
        kept = {env[value].buffer for value in retained}
        for buffer, (found, holds) in owned.items():
            if holds and buffer not in kept:
                machine.heap.free(found, op, base=True)
        for value, result in zip(retained, results, strict=True):
            entry = owned.get(env[value].buffer)
            env[result] = int(entry[1]) if entry else 0

    return run


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
