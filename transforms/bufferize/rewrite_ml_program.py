"""Rewrites of ml_program: globals, loads and stores on memory."""

from __future__ import annotations

from ...analysis.causes import CauseKind
from ...dialects import memref, ml_program
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...ir.types.attributes import UNIT, Attribute, SymbolRefAttr
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, failed, identity_type


def bufferize_global(op: ml_program.GlobalOp, b: Bufferizer) -> None:
    value = op.value
    if value is None:
        raise failed(op, "global op must have a value")
    properties: dict[str, Attribute] = {"sym_name": op.sym_name}
    if op.sym_visibility is not None:
        properties["sym_visibility"] = op.sym_visibility
    properties["type"] = type(op.type)(identity_type(op.type.type))
    properties["initial_value"] = value
    if not op.is_mutable:
        properties["constant"] = UNIT
    b.insert(memref.GlobalOp((), (), None, properties))
    op.erase()


def _get_global(op: Operation, b: Bufferizer, type: t.Type) -> Value:
    """The buffer of the global that `op` refers to."""
    name = expect(SymbolRefAttr, op.properties["global"])
    leaf = SymbolRefAttr(name.nested[-1] if name.nested else name.root)
    return b.insert(memref.GetGlobalOp((), (identity_type(type),), None, {"name": leaf})).results[0]


def bufferize_load(op: Operation, b: Bufferizer) -> None:
    b.replace(op, (_get_global(op, b, op.results[0].type),))


def load_type(value: Value, types: TypeInference) -> TypeRequest:
    return identity_type(value.type)
    yield value


def bufferize_store(op: Operation, b: Bufferizer) -> None:
    value = op.op_operands[0].value
    target = _get_global(op, b, value.type)
    b.copy(b.buffer(value), target, b.cause(op, CauseKind.GLOBAL_STORE, 0, value))
    op.erase()


REWRITES = {
    ml_program.GlobalOp: Rewrite(bufferize_global),
    ml_program.GlobalLoadOp: Rewrite(bufferize_load, load_type),
    ml_program.GlobalStoreOp: Rewrite(bufferize_store),
}
