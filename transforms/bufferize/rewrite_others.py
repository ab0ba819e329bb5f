"""Rewrites of small dialects: ml_program, shape, sparse_tensor, MLIR's test dialect; and vector's transfers and masks.

The table is keyed by name, so that a program of one of them does not import the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...analysis.causes import CauseKind
from ...analysis.models.others import SPARSE_OPERATIONS
from ...dialects import memref
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.source.diagnostics import expect, present
from ...ir.text.registry import default_registry
from ...ir.types import types as t
from ...ir.types.attributes import UNIT, Attribute, SymbolRefAttr
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, failed, identity_type, is_tensor

if TYPE_CHECKING:
    from ...dialects.ml_program import GlobalOp


def bufferize_global(op: GlobalOp, b: Bufferizer) -> None:
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


def _yielded(op: Operation) -> list[Value]:
    last = present(op.regions[0].entry.last_op)
    return last.operands


def bufferize_assuming(op: Operation, b: Bufferizer) -> None:
    b.retype_results(op, [value.type for value in _yielded(op)], in_order=True)
    op.attributes.clear()


def assuming_type(value: Value, types: TypeInference) -> TypeRequest:
    assert isinstance(value, OpResult)
    return (yield _yielded(value.owner)[value.index])


def bufferize_assuming_yield(op: Operation, b: Bufferizer) -> None:
    for operand in op.op_operands:
        if is_tensor(operand.value.type):
            operand.value = b.buffer(operand.value)
    op.attributes.clear()


def refuse(op: Operation, b: Bufferizer) -> None:
    """A dense buffer would lose the encoding."""
    raise failed(op, "sparse_tensor ops must be bufferized with the sparsifier")


def bufferize_on_memrefs(op: Operation, b: Bufferizer) -> None:
    """The operation of the test dialect, called like this one, that works on memrefs."""
    kind = present(default_registry().find(op.name.replace("tensor", "memref")))
    operands = [b.buffer(operand) for operand in op.operands]
    b.replace(op, b.insert(kind(operands, [b.buffer_type(op.results[0])])).results)


def dense(value: Value, types: TypeInference) -> TypeRequest:
    return identity_type(value.type, types.default_space(value))
    yield value


def bufferize_read(op: Operation, b: Bufferizer) -> None:
    operand = next(use for use in op.op_operands if is_tensor(use.value.type))
    operand.value = b.buffer(operand.value)
    op.attributes.clear()


def bufferize_write(op: DestinationStyleOp, b: Bufferizer) -> None:
    base = op.dps_inits()[0]
    buffer = b.buffer(base.value)
    base.value = buffer
    b.drop_results(op, (buffer,) if op.results else ())
    op.attributes.clear()


def bufferize_mask(op: Operation, b: Bufferizer) -> None:
    """Yielded buffers are visible outside of the region, so the corresponding results of the mask are removed."""
    leave = present(op.regions[0].entry.last_op)
    values = leave.operands
    kept = [i for i, result in enumerate(op.results) if not is_tensor(result.type)]
    leave.operands = [values[i] for i in kept]
    for result, value in zip(op.results, values, strict=True):
        if is_tensor(result.type):
            b.replace_results((result,), (value,), op)
    op.results = [op.results[i] for i in kept]
    for i, result in enumerate(op.results):
        result.index = i
    op.attributes.clear()


def mask_type(value: Value, types: TypeInference) -> TypeRequest:
    assert isinstance(value, OpResult)
    leave = present(value.owner.regions[0].entry.last_op)
    return (yield leave.op_operands[value.index].value)


def bufferize_yield(op: Operation, b: Bufferizer) -> None:
    if op.parent_op is None or op.parent_op.name != "vector.mask":
        raise failed(op, "unsupported vector::YieldOp parent")
    for operand in op.op_operands:
        if is_tensor(operand.value.type):
            operand.value = b.buffer(operand.value)
    op.attributes.clear()


REWRITES = {
    "ml_program.global": Rewrite(bufferize_global),
    "ml_program.global_load": Rewrite(bufferize_load, load_type),
    "ml_program.global_store": Rewrite(bufferize_store),
    "shape.assuming": Rewrite(bufferize_assuming, assuming_type),
    "shape.assuming_yield": Rewrite(bufferize_assuming_yield),
    "test.dummy_tensor_op": Rewrite(bufferize_on_memrefs, dense),
    "test.create_tensor_op": Rewrite(bufferize_on_memrefs, dense),
    "vector.gather": Rewrite(bufferize_read),
    "vector.mask": Rewrite(bufferize_mask, mask_type, may_allocate_inside=False),
    "vector.scatter": Rewrite(bufferize_write),
    "vector.transfer_read": Rewrite(bufferize_read),
    "vector.transfer_write": Rewrite(bufferize_write),
    "vector.yield": Rewrite(bufferize_yield),
    **{f"sparse_tensor.{name}": Rewrite(refuse) for name in SPARSE_OPERATIONS},
}
