"""Rewrites of arith: constants become globals; `select` and `index_cast` work on buffers."""

from __future__ import annotations

from ...dialects import arith, memref
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.attributes import SymbolRefAttr
from .bufferizer import Bufferizer, Rewrite
from .inference import RewriteFailed, TypeInference, TypeRequest, failed, fully_dynamic_type
from .options import UnknownMemorySpace


def bufferize_constant(op: Operation, b: Bufferizer) -> None:
    """A constant tensor becomes a read-only global.

       %0 = arith.constant dense<1> : tensor<2xi32>
    => %0 = memref.get_global @__constant_2xi32 : memref<2xi32>
    """
    result = op.results[0]
    if not isinstance(result.type, t.RankedTensorType):
        raise RewriteFailed
    space = b.options.default_memory_space(result.type)
    if isinstance(space, UnknownMemorySpace):
        raise failed(op, "could not infer memory space")
    module = op.parent_op
    while module is not None and module.name != "builtin.module":
        module = module.parent_op
    if module is None:
        raise RewriteFailed
    held = b.globals.get(module, result, op.properties["value"], b.options.buffer_alignment, space)
    name = SymbolRefAttr(expect(a.StringAttr, held.properties["sym_name"]).value)
    type = expect(a.TypeAttr, held.properties["type"]).type
    get = b.insert(memref.GetGlobalOp((), (type,), None, {"name": name}))
    b.replace(op, get.results)


def bufferize_index_cast(op: Operation, b: Bufferizer) -> None:
    source = b.buffer(op.op_operands[0].value)
    assert isinstance(source.type, t.MemRefType | t.UnrankedMemRefType)
    element = expect(t.ShapedType, op.results[0].type).element
    type = source.type.with_element(element)
    cast = b.insert(arith.IndexCastOp((source,), (type,)))
    b.replace(op, cast.results)


def index_cast_type(value: Value, types: TypeInference) -> TypeRequest:
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    return source.with_element(expect(t.ShapedType, value.type).element)


def bufferize_select(op: Operation, b: Bufferizer) -> None:
    """Both buffers get one type: if theirs differ, casts to one with a fully dynamic layout."""
    condition, *values = op.operands
    if condition.type is not t.I1:
        raise failed(op, "only i1 condition values are supported", prefixed=True)
    true, false = (b.buffer(value) for value in values)
    if true.type is not false.type:
        target = b.buffer_type(op.results[0])
        true, false = b.cast(true, target), b.cast(false, target)
    select = b.insert(arith.SelectOp((condition, true, false), (true.type,)))
    b.replace(op, select.results)


def select_type(value: Value, types: TypeInference) -> TypeRequest:
    op = present(value.defining_op)
    true = yield op.op_operands[1].value
    false = yield op.op_operands[2].value
    if true is false:
        return true
    if true.memory_space is not false.memory_space:
        raise failed(op, "inconsistent memory space on true/false operands")
    return fully_dynamic_type(value.type, true.memory_space)


REWRITES = {
    arith.ConstantOp: Rewrite(bufferize_constant),
    arith.IndexCastOp: Rewrite(bufferize_index_cast, index_cast_type),
    arith.SelectOp: Rewrite(bufferize_select, select_type),
}
