"""Interpreter: allocation, deallocation, loads and stores of memrefs, and globals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..dialects._memref_views import BEGINS_LIFE
from ..dialects._reshapes import INTEGERS, ExpandingOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from . import Fault, Unsupported
from .control import handed_on
from .heap import MemRef, dense_strides
from .machine import computes, simple
from .numbers import storage
from .tensors import Slice, check_sizes, entries, sizes_of_result
from .values import number

if TYPE_CHECKING:
    from ..dialects import memref
    from ..ir.program.core import Operation
    from .machine import Environment, Machine

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from ..dialects._memref_buffers import RMW_KINDS
from ..dialects._memref_views import memref_type_of
from ..ir.types import attributes as a
from .arithmetic import constant_value
from .functions import combiner
from .heap import GLOBAL, HEAP, STACK, dense, memref_of
from .machine import Enter, executes, structured
from .numbers import storage_in
from .tensors import held_by
from .values import POISON, Array, extent

if TYPE_CHECKING:
    from ..dialects import memref, ml_program
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


@executes("memref.realloc")
def realloc(op: memref.ReallocOp, machine: Machine, old: MemRef, size: object = None) -> MemRef:
    old.check("reallocates")
    length = memref_type_of(op.result).static_shape[0] if size is None else number(size, "a size")
    made = memref_of(op.result.type, (length,), machine.heap, HEAP, op)
    kept = min(length, old.sizes[0])
    if kept > 0:
        made.data()[:kept] = old.data()[:kept]
        made.flags()[:kept] = old.flags()[:kept]
        machine.heap.moved(kept * old.held.size, op)
    machine.heap.free(old, op)
    return made


# -- single elements


@simple("memref.load")
def load(op: Operation, machine: Machine) -> Run:
    memref, *indices = op.operands
    result = op.results[0]

    def run(env: Environment) -> None:
        place = [env[i] for i in indices]
        element = env[memref].load(place)
        machine.heap.touch(env[memref], place, writes=False)
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
        place = [env[i] for i in indices]
        env[memref].store(place, env[value])
        machine.heap.touch(env[memref], place, writes=True)

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
        if not source.begins_with(target) and np.shares_memory(source.data(), target.data()):
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


# -- Interpreter: views of a buffer with other offsets, sizes, strides or types.


def check_layout(type: t.Type, memref: MemRef) -> None:
    """Check strides and offset against the static ones of the type; strides of unit dimensions are ignored.

    Raises:
        Fault: they differ, so later accesses would address wrong elements.
    """
    layout = type.strides_and_offset() if isinstance(type, t.MemRefType) else None
    if layout is None:
        return
    strides, offset = layout
    wrong = offset is not None and offset != memref.offset and memref.count != 0
    if isinstance(type, t.MemRefType) and type.layout is None and memref.count:
        strides = dense_strides(memref.sizes)
    for wanted, actual, size in zip(strides, memref.strides, memref.sizes, strict=True):
        wrong = wrong or (wanted is not None and wanted != actual and size > 1 and memref.count != 0)
    if wrong:
        raise Fault(
            f"a buffer with strides {list(memref.strides)} and offset {memref.offset} is not of type '{type}'",
            "layout-mismatch",
        )


@simple("memref.subview")
def subview(op: memref.SubViewOp, machine: Machine) -> Run:
    source, result = op.source, op.results[0]
    part = Slice.of(op, result)

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        _, sizes = part.place(env, memref.sizes, "takes a view of")
        starts, steps = entries(env, part.offsets), entries(env, part.strides)
        offset, strides = INTEGERS.part(memref.offset, memref.strides, starts, steps)
        check_sizes(result.type, sizes, "a view")
        kept = tuple(stride for i, stride in enumerate(strides) if i not in part.dropped)
        env[result] = memref.with_layout(offset, tuple(sizes), kept, view=True)

    return run


@simple("memref.cast", "memref.memory_space_cast")
def cast(op: Operation, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        check_sizes(result.type, memref.sizes, "a buffer")
        if isinstance(result.type, t.MemRefType):
            check_layout(result.type, memref)
        env[result] = memref

    return run


@simple("memref.assume_alignment", "memref.distinct_objects")
def unchanged(op: Operation, machine: Machine) -> Run:
    return handed_on(op)


@simple("memref.reinterpret_cast")
def reinterpret_cast(op: memref.ReinterpretCastOp, machine: Machine) -> Run:
    source, result = op.source, op.results[0]
    offsets, sizes, strides = op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        offset = entries(env, offsets, "an offset")[0]
        sized, stepped = tuple(entries(env, sizes)), tuple(entries(env, strides))
        whole = offset == 0 and memref.offset == 0 and not memref.view
        env[result] = memref.with_layout(offset, sized, stepped, view=not whole)

    return run


@simple("memref.expand_shape", "memref.collapse_shape")
def reassociate(op: memref.ExpandShapeOp | memref.CollapseShapeOp, machine: Machine) -> Run:
    source, result, groups = op.operands[0], op.results[0], op.reassociation_indices()
    expands = isinstance(op, ExpandingOp)

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        sizes = sizes_of_result(op, env, lambda value: env[value].sizes)
        if expands:
            strides = INTEGERS.expanded(memref.strides, sizes, groups)
        else:
            strides = INTEGERS.collapsed(memref.strides, [size == 1 for size in memref.sizes], groups)
            again = zip(
                INTEGERS.expanded(strides, memref.sizes, groups), memref.strides, memref.sizes, strict=True
            )
            if memref.count and any(a != b and size != 1 for a, b, size in again):
                raise Fault("joins dimensions that are not contiguous in memory", "layout-mismatch")
        env[result] = memref.with_layout(memref.offset, sizes, tuple(strides))

    return run


@simple("memref.reshape")
def reshape(op: Operation, machine: Machine) -> Run:
    source, shape = op.operands
    result = op.results[0]

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        wanted: MemRef = env[shape]
        sizes = tuple(int(number(wanted.load([i]), "a size")) for i in range(wanted.sizes[0]))
        made = memref.with_layout(memref.offset, sizes, dense_strides(sizes))
        if made.count != memref.count:
            raise Fault("reshapes to another number of elements", "shape-mismatch")
        check_sizes(result.type, sizes, "a buffer")
        env[result] = made

    return run


@simple("memref.transpose")
def transpose(op: memref.TransposeOp, machine: Machine) -> Run:
    source, result = op.operands[0], op.results[0]
    order = op.permutation.map.positions

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        sizes = tuple(memref.sizes[i] for i in order)
        strides = tuple(memref.strides[i] for i in order)
        env[result] = memref.with_layout(memref.offset, sizes, strides, view=True)

    return run


@simple("memref.view")
def view(op: memref.ViewOp, machine: Machine) -> Run:
    source, shift, result, mixed = op.source, op.byte_shift, op.results[0], op.mixed_sizes()
    type = expect(t.MemRefType, result.type)
    held = storage(type.element)
    begins_life = op.get_attr(BEGINS_LIFE) is not None

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        sizes = tuple(entries(env, mixed, "a size"))
        if not held.exact:
            raise Unsupported(f"views of bytes as '{type.element}' are not supported")
        start = memref.start + memref.offset + number(env[shift], "an offset")
        made = MemRef(memref.buffer, 0, sizes, dense_strides(sizes), True, held, start)
        if start < 0 or start + made.count * held.size > len(memref.buffer):
            raise memref.buffer.fault(
                f"takes a view of bytes {start} to {start + made.count * held.size} of a buffer of "
                f"{len(memref.buffer)} bytes",
                "out-of-bounds",
            )
        if begins_life:
            memref.buffer.valid[start : start + made.count * held.size] = False
        env[result] = made

    return run


@computes("memref.extract_aligned_pointer_as_index")
def aligned_pointer(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    return lambda env: env[source].buffer.address + env[source].start


@simple("memref.extract_strided_metadata")
def strided_metadata(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    base, *others = op.results

    def run(env: Environment) -> None:
        memref: MemRef = env[source]
        env[base] = memref.with_layout(0, (), (), view=False)
        for result, value in zip(others, (memref.offset, *memref.sizes, *memref.strides), strict=True):
            env[result] = value

    return run


@simple("vector.type_cast")
def type_cast(op: Operation, machine: Machine) -> Run:
    raise Unsupported("operation 'vector.type_cast' is not supported")
