"""Interpreter: views of a buffer with other offsets, sizes, strides or types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..dialects._memref_views import BEGINS_LIFE
from ..dialects._reshapes import INTEGERS, ExpandingOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from .control import handed_on
from .faults import Fault, Unsupported
from .heap import MemRef, dense_strides
from .machine import computes, simple
from .numbers import storage
from .tensors import Slice, check_sizes, entries, sizes_of_result
from .values import number

if TYPE_CHECKING:
    from ..dialects import memref
    from ..ir.program.core import Operation
    from .machine import Environment, Machine

Run = Callable[["Environment"], Any]


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
        if held is memref.buffer.held:
            made = MemRef(memref.buffer, start, sizes, dense_strides(sizes), True)
        env[result] = made

    return run


@computes("memref.extract_aligned_pointer_as_index")
def aligned_pointer(op: Operation, machine: Machine) -> Run:
    source = op.operands[0]
    return lambda env: env[source].buffer.address


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
