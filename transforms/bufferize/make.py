"""Operations that bufferization makes by the thousand, built without the detour over named fields.

Every function here gives a detached operation; who inserts it knows where.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import arith, bufferization, memref
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Value
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr, IntegerAttr
from .options import MemorySpace

I32 = t.I32
INDEX = t.INDEX


def segments(*sizes: int) -> DenseArrayAttr:
    return DenseArrayAttr(I32, sizes)


def constant_index(value: int) -> arith.ConstantOp:
    return arith.ConstantOp((), (INDEX,), None, {"value": IntegerAttr(value, INDEX)})


def load(buffer: Value, indices: Sequence[Value]) -> memref.LoadOp:
    return memref.LoadOp((buffer, *indices), (buffer.type.element,))  # pyright: ignore[reportAttributeAccessIssue]


def store(value: Value, buffer: Value, indices: Sequence[Value]) -> memref.StoreOp:
    return memref.StoreOp((value, buffer, *indices))


def copy(source: Value, target: Value) -> memref.CopyOp:
    return memref.CopyOp((source, target))


def cast(buffer: Value, type: t.Type) -> memref.CastOp:
    return memref.CastOp((buffer,), (type,))


def dim(buffer: Value, index: Value) -> memref.DimOp:
    return memref.DimOp((buffer, index), (INDEX,))


def alloc(type: t.MemRefType, sizes: Sequence[Value], alignment: int) -> memref.AllocOp:
    """An allocation with one of `sizes` for each unknown one of the type; alignment 0 is none."""
    properties: dict[str, DenseArrayAttr | IntegerAttr] = {}
    if alignment:
        properties["alignment"] = IntegerAttr(alignment, t.I64)
    properties[OPERAND_SEGMENTS] = segments(len(sizes), 0)
    return memref.AllocOp(sizes, (type,), None, properties)


def to_tensor(buffer: Value, type: t.Type) -> bufferization.ToTensorOp:
    return bufferization.ToTensorOp((buffer,), (type,))


def to_buffer(tensor: Value, type: t.Type) -> bufferization.ToBufferOp:
    return bufferization.ToBufferOp((tensor,), (type,))


def alloc_tensor(
    type: t.Type, sizes: Sequence[Value] = (), copied: Value | None = None, space: MemorySpace = None
) -> bufferization.AllocTensorOp:
    """A tensor with a buffer of its own: of the given sizes, or a copy."""
    properties = {OPERAND_SEGMENTS: segments(len(sizes), int(copied is not None), 0)}
    if space is not None:
        properties["memory_space"] = space  # pyright: ignore[reportArgumentType]
    operands = sizes if copied is None else (*sizes, copied)
    return bufferization.AllocTensorOp(operands, (type,), None, properties)


def subview(buffer: Value, type: t.MemRefType, slice_of: SliceParts) -> memref.SubViewOp:
    """The part of `buffer` that `slice_of` describes."""
    values, properties = slice_of
    return memref.SubViewOp((buffer, *values), (type,), None, properties)


SliceParts = tuple[Sequence[Value], dict[str, DenseArrayAttr]]
"""The operands (offsets, sizes, strides) and the properties of a slice, as `memref.subview` has them."""
