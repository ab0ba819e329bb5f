"""Fast construction of the operations that bufferization creates most.

Operations that allocate, copy or free are created in `transforms/makers.py`, which requires a cause. Every function here returns a
detached operation.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import arith, bufferization, memref
from ...ir.program.core import Value
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr, IntegerAttr

I32 = t.I32
INDEX = t.INDEX


def segments(*sizes: int) -> DenseArrayAttr:
    return DenseArrayAttr(I32, sizes)


def constant_index(value: int) -> arith.ConstantOp:
    return arith.ConstantOp((), (INDEX,), None, {"value": IntegerAttr(value, INDEX)})


def load(buffer: Value, indices: Sequence[Value]) -> memref.LoadOp:
    return memref.LoadOp((buffer, *indices), (expect(t.ShapedType, buffer.type).element,))


def store(value: Value, buffer: Value, indices: Sequence[Value]) -> memref.StoreOp:
    return memref.StoreOp((value, buffer, *indices))


def cast(buffer: Value, type: t.Type) -> memref.CastOp:
    return memref.CastOp((buffer,), (type,))


def dim(buffer: Value, index: Value) -> memref.DimOp:
    return memref.DimOp((buffer, index), (INDEX,))


def to_tensor(buffer: Value, type: t.Type) -> bufferization.ToTensorOp:
    return bufferization.ToTensorOp((buffer,), (type,))


def to_buffer(tensor: Value, type: t.Type) -> bufferization.ToBufferOp:
    return bufferization.ToBufferOp((tensor,), (type,))
