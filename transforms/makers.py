"""Builders of operations that passes create. Allocations, copies and frees are created here only, each with its
cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.causes import Cause, Types
from ..dialects import arith, bufferization, memref
from ..dialects._memref_views import cast_always_succeeds
from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.defects import SOUND, Defect
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import AllocationOp
from ..ir.source.diagnostics import expect
from ..ir.source.locations import Where
from ..ir.types import types as t
from ..ir.types.attributes import FALSE, TRUE, Attribute, DenseArrayAttr, FloatAttr, IntegerAttr
from ..semantics.folds import fold

if TYPE_CHECKING:
    from ..dialects.linalg.named import CopyOp


# Operations that allocate, copy or free. No other module in `transforms/` creates them, so none lacks a cause. Every
# function returns a detached operation for the caller to insert. An operation that replaces another one inherits its
# cause (`like`).


def alloc(type: t.MemRefType, sizes: Sequence[Value], alignment: int, cause: Cause) -> memref.AllocOp:
    """An allocation with a value of `sizes` for each dynamic dimension; alignment 0 means none."""
    properties: dict[str, DenseArrayAttr | IntegerAttr] = {}
    if alignment:
        properties["alignment"] = IntegerAttr(alignment, t.I64)
    properties[OPERAND_SEGMENTS] = DenseArrayAttr(t.I32, (len(sizes), 0))
    op = memref.AllocOp(sizes, (type,), None, properties)
    op.cause = cause
    return op


def alloca(type: t.MemRefType, sizes: Sequence[Value], cause: Cause) -> memref.AllocaOp:
    """An allocation on the stack."""
    properties = {OPERAND_SEGMENTS: DenseArrayAttr(t.I32, (len(sizes), 0))}
    op = memref.AllocaOp(sizes, (type,), None, properties)
    op.cause = cause
    return op


def on_stack(alloc: AllocationOp) -> Operation | None:
    """The stack allocation equivalent to `alloc`; None if there is none."""
    op = alloc.build_promoted()
    if op is not None:
        op.cause = alloc.cause
    return op


def like(op: Operation, **fields: Any) -> Operation:
    """An operation of the same kind with other fields, and with the cause of `op`."""
    new = op.__class__.build(**fields)
    new.cause = op.cause
    return new


def copy(source: Value, target: Value, cause: Cause) -> memref.CopyOp:
    """A `memref.copy`."""
    op = memref.CopyOp((source, target))
    op.cause = cause
    return op


def linalg_copy(source: Value, target: Value, cause: Cause) -> CopyOp:
    """A `linalg.copy` between buffers."""
    from ..dialects.linalg.named import CopyOp  # imported lazily: many modules

    elements = tuple(expect(t.ShapedType, value.type).element for value in (source, target))
    properties = {OPERAND_SEGMENTS: DenseArrayAttr(t.I32, (1, 1))}
    body = CopyOp.body_region(elements, {})
    op = CopyOp((source, target), (), None, properties, (body,))
    op.cause = cause
    return op


def clone(value: Value, cause: Cause, maker: AllocationOp | None = None) -> Operation:
    """A copy of `value` in a new buffer: as its allocation declares it, else a `bufferization.clone`."""
    op = bufferization.CloneOp((value,), (value.type,)) if maker is None else maker.build_clone(value)
    op.cause = cause
    return op


def free(buffer: Value, cause: Cause, maker: AllocationOp | None = None) -> Operation:
    """The deallocation of a buffer: as its allocation declares it, else a `memref.dealloc`."""
    op = memref.DeallocOp((buffer,)) if maker is None else maker.build_free(buffer)
    assert op is not None, "this buffer needs no deallocation"
    op.cause = cause
    return op


def freed_by(maker: Operation | None, value: Value) -> str | None:
    """The name of the operation that frees `value`, allocated by `maker`; None if it is not freed explicitly."""
    return maker.way_to_free(value) if isinstance(maker, AllocationOp) else memref.DeallocOp.name


def alloc_tensor(
    type: t.Type,
    cause: Cause,
    sizes: Sequence[Value] = (),
    copied: Value | None = None,
    space: Attribute | None = None,
) -> bufferization.AllocTensorOp:
    """A tensor with a new buffer, with these sizes or as a copy. It becomes an allocation with the same
    cause."""
    properties: dict[str, Attribute] = {
        OPERAND_SEGMENTS: DenseArrayAttr(t.I32, (len(sizes), int(copied is not None), 0))
    }
    if space is not None:
        properties["memory_space"] = space
    operands = sizes if copied is None else (*sizes, copied)
    op = bufferization.AllocTensorOp(operands, (type,), None, properties)
    op.cause = cause
    return op


def cast_or_copy(
    b: Builder,
    buffer: Value,
    type: t.MemRefType,
    cause: Cause,
    alignment: int = 0,
    mirrored: frozenset[Defect] = SOUND,
) -> Value | None:
    """The contents of a buffer in one of another type: a cast if that cannot fail, else a copy in a new buffer.

    None if element types or ranks differ. As in mlir-opt, new operations are inserted where the buffer is defined.
    """
    source = buffer.type
    if not isinstance(source, t.MemRefType):
        return None
    if source.element is not type.element or len(source.shape) != len(type.shape):
        return None
    around, b.where = b.where, place_of(buffer) or b.where
    if cast_always_succeeds(source, type, mirrored):
        found = b.insert(cast(buffer, type)).results[0]
    else:
        unknown = [i for i, size in enumerate(type.shape) if size is None]
        sizes = [b.insert(dim(buffer, index(b, i))).results[0] for i in unknown]
        cause = cause.because_of(Types(source, type))
        found = b.insert(alloc(type, sizes, alignment, cause)).results[0]
        b.insert(copy(buffer, found, cause))
    b.where = around
    return found


def place_of(value: Value) -> Where | None:
    """The place of the operation or argument that defines a value."""
    if not isinstance(value, BlockArgument):
        return expect(OpResult, value).owner.where
    return (*value.where[:2], *value.where[1:]) if value.where is not None else None


# Operations that need no cause.


def index(b: Builder, value: int) -> Value:
    """`arith.constant value : index`."""
    return b.insert(index_constant(value)).results[0]


def constant(b: Builder, value: Attribute | float, type: t.Type) -> Value:
    """`arith.constant value : type`."""
    if not isinstance(value, Attribute):
        integer = isinstance(type, t.IntegerType | t.IndexType)
        value = IntegerAttr(int(value), type) if integer else FloatAttr(value, expect(t.FloatType, type))
    return b.insert(arith.ConstantOp((), (type,), None, {"value": value})).results[0]


def index_constant(value: int) -> arith.ConstantOp:
    """`arith.constant value : index`, detached."""
    return arith.ConstantOp((), (t.INDEX,), None, {"value": IntegerAttr(value, t.INDEX)})


def as_value(b: Builder, entry: Value | int) -> Value:
    """The entry as a value; a number is materialized as a constant."""
    return index(b, entry) if isinstance(entry, int) else entry


def boolean(b: Builder, value: bool) -> Value:
    """`arith.constant true`, or false."""
    return constant(b, TRUE if value else FALSE, t.I1)


def or_fold(b: Builder, op: Operation, *, once: bool = False) -> Value:
    """Insert `op`, and return its result or the value that it folds to. A fold that changes `op` in place is tried again unless
    `once`."""
    b.insert(op)
    found = fold(op)
    while found is not None and not found and not once:
        found = fold(op)
    if not found:
        return op.results[0]
    known, type = found[0], op.results[0].type
    op.erase()
    return known if isinstance(known, Value) else constant(b, known, type)


def segments(*sizes: int) -> DenseArrayAttr:
    return DenseArrayAttr(t.I32, sizes)


def binary(b: Builder, kind: type[Operation], left: Value, right: Value) -> Value:
    """The result of a binary `arith` operation on operands of one type, without overflow flags."""
    assert kind.definition is not None
    properties = dict(kind.definition.materialized_defaults)
    return b.insert(kind((left, right), (left.type,), None, properties)).results[0]


def access_defaults() -> dict[str, Attribute]:
    """Properties of a load or store that a pass creates: the builders of `mlir-opt` spell out this default."""
    return {"nontemporal": FALSE}


def load(buffer: Value, indices: Sequence[Value]) -> memref.LoadOp:
    return memref.LoadOp(
        (buffer, *indices), (expect(t.ShapedType, buffer.type).element,), None, access_defaults()
    )


def store(value: Value, buffer: Value, indices: Sequence[Value]) -> memref.StoreOp:
    return memref.StoreOp((value, buffer, *indices), (), None, access_defaults())


def cast(buffer: Value, type: t.Type) -> memref.CastOp:
    return memref.CastOp((buffer,), (type,))


def dim(buffer: Value, index: Value) -> memref.DimOp:
    return memref.DimOp((buffer, index), (t.INDEX,))


def to_tensor(buffer: Value, type: t.Type) -> bufferization.ToTensorOp:
    return bufferization.ToTensorOp((buffer,), (type,))


def to_buffer(tensor: Value, type: t.Type) -> bufferization.ToBufferOp:
    return bufferization.ToBufferOp((tensor,), (type,))


MOVING = frozenset(
    """
    memref.alloc memref.alloca memref.copy memref.dealloc memref.realloc linalg.copy bufferization.clone
    """.split()
)
"""The operations that the memory report records."""
