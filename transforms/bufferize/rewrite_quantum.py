"""Rewrites of Catalyst's dialects: `quantum`, `gradient` and `catalyst`.

%1 = quantum.probs %0 : tensor<8xf64>      =>    %alloc = memref.alloc() : memref<8xf64>
                                                 quantum.probs %0 in(%alloc : memref<8xf64>)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...analysis.causes import CauseKind
from ...dialects import index
from ...dialects.quantum import CallbackOp, OutOperandsOp, ReturnsBuffersOp, ReverseModeOp
from ...ir.declaration.declare import OPERAND_SEGMENTS, RESULT_SEGMENTS
from ...ir.program.core import Operation, OpResult, Value
from ...ir.source.diagnostics import present
from ...ir.types import attributes as a, types as t
from .. import makers
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, failed, identity_type, is_tensor, ranked

SIZES = ("dynamic_shape", "gradient_size")
"""Groups of operands with the sizes of results."""


def bufferize_out_operands(op: OutOperandsOp, b: Bufferizer) -> None:
    """Append the buffers of each group of results to an operand group."""
    definition = present(op.definition)
    sizes = [value for field in definition.operands if field.name in SIZES for value in field.members(op)]
    groups = _buffers_of_operands(op, b)
    values: list[Value | None] = []
    for field, outs in zip(definition.results, [*groups.values()][-len(definition.results) :], strict=False):
        made = [_allocated(op, result, sizes, b) for result in field.members(op)]
        outs += [buffer for buffer in made if buffer is not None]
        values += made
    groups.pop("dynamic_shape", None)
    if op.name == "catalyst.custom_call":
        op.properties["number_original_arg"] = a.IntegerAttr(len(op.op_operands), t.I32)
    _replace(op, groups, values, b)


def bufferize_reverse_mode(op: ReverseModeOp, b: Bufferizer) -> None:
    """Allocate the gradients of tensors and the results of the function; gradients of scalars stay results."""
    groups = _buffers_of_operands(op, b)
    values, gradients = (field.members(op) for field in present(op.definition).results)
    buffers = [_allocated(op, result, (), b) for result in gradients]
    groups["diff_arg_shadows"] = [buffer for buffer in buffers if buffer is not None]
    groups["callee_results"] = [_like(op, cotangent, b) for cotangent in groups["cotangents"]]
    _replace(op, groups, [*groups["callee_results"][: len(values)], *buffers], b)


def _buffers_of_operands(op: Operation, b: Bufferizer) -> dict[str, list[Value]]:
    return {
        field.name: [b.buffer(value) if is_tensor(value.type) else value for value in field.members(op)]
        for field in present(op.definition).operands
    }


def _replace(
    op: Operation, groups: dict[str, list[Value]], values: Sequence[Value | None], b: Bufferizer
) -> None:
    """Replace `op` by one on buffers with these operands, and each result by its value; it stays where there is none."""
    definition = present(op.definition)
    properties = dict(op.properties)
    operands = [groups.get(field.name, ()) for field in definition.operands]
    if OPERAND_SEGMENTS in properties:
        properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, tuple(map(len, operands)))
    if RESULT_SEGMENTS in properties:
        counts = [sum(values[i] is None for i in range(*f.range_in(op))) for f in definition.results]
        properties[RESULT_SEGMENTS] = a.DenseArrayAttr(t.I32, tuple(counts))
    kept = [result.type for result, value in zip(op.results, values, strict=True) if value is None]
    kind: Any = type(op)
    new = b.insert(kind([v for group in operands for v in group], kept, dict(op.attributes), properties))
    left = iter(new.results)
    b.replace(op, [next(left) if value is None else value for value in values])


def _allocated(op: Operation, result: OpResult, sizes: Sequence[Value], b: Bufferizer) -> Value | None:
    if not is_tensor(result.type):
        return None
    type = b.buffer_type(result)
    assert isinstance(type, t.MemRefType)
    dynamic = type.shape.count(None)
    if dynamic > len(sizes):
        raise failed(op, "op has results of unknown sizes", prefixed=True)
    given = [
        size if size.type is t.INDEX else b.insert(index.CastSOp((size,), (t.INDEX,))).results[0]
        for size in sizes[:dynamic]
    ]
    return _alloc(op, type, given, result, b)


def _like(op: Operation, buffer: Value, b: Bufferizer) -> Value:
    like = ranked(buffer)
    return _alloc(op, t.MemRefType(like.shape, like.element), b.dynamic_dims(buffer), None, b)


def _alloc(op: Operation, type: t.Type, sizes: Sequence[Value], result: Value | None, b: Bufferizer) -> Value:
    assert isinstance(type, t.MemRefType)
    alignment = b.options.buffer_alignment if op.dialect == "catalyst" else 0
    cause = b.cause(op, CauseKind.NO_DESTINATION, None, result)
    return b.insert(makers.alloc(type, sizes, alignment, cause)).results[0]


def bufferize_call(op: ReturnsBuffersOp, b: Bufferizer) -> None:
    for use in op.op_operands:
        if is_tensor(use.value.type):
            use.value = b.buffer(use.value)
    b.retype_results(op, [b.buffer_type(r) if is_tensor(r.type) else r.type for r in op.results])


def allocated_type(value: Value, types: TypeInference) -> TypeRequest:
    return identity_type(value.type, types.default_space(value))
    yield value


def bufferize_callback(op: CallbackOp, b: Bufferizer) -> None:
    kind = op.function_type
    types = [identity_type(type) if t.is_tensor(type) else type for type in (*kind.inputs, *kind.results)]
    op.properties["function_type"] = a.TypeAttr(t.FunctionType(tuple(types), ()))


REWRITES = {
    OutOperandsOp: Rewrite(bufferize_out_operands, allocated_type),
    ReturnsBuffersOp: Rewrite(bufferize_call, allocated_type),
    ReverseModeOp: Rewrite(bufferize_reverse_mode, allocated_type),
    CallbackOp: Rewrite(bufferize_callback),
}
