"""Rewrites of operations that make new tensors: an allocation, and what fills it.

The allocation is an `alloc_tensor`, rewritten in its turn after everything else. Bodies that compute elements become a
`linalg.map` without inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ...analysis.causes import Cause, CauseKind
from ...dialects import linalg, memref, tensor
from ...dialects.common import Mixed, constant_index, split_mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Block, Operation, Value
from ...ir.source.expect import expect
from ...ir.types import types as t
from ...ir.types.affine import symbol
from ...ir.types.attributes import IntegerAttr
from . import make
from .buffer_types import TypeRequest, identity_type, ranked
from .bufferizer import Bufferizer, Rewrite
from .failures import failed
from .indices import add, apply_unfolded, as_value
from .inference import TypeInference
from .shapes import dim, folded_buffer_dim, mixed_sizes


def bufferize_empty(op: Operation, b: Bufferizer) -> None:
    """A tensor with undefined contents is an allocation; nothing, if nobody wants it."""
    result = op.results[0]
    if not result.has_uses:
        op.erase()
        return
    fresh = b.allocated_tensor(result, _new(op, b), copied=False)
    b.replace_by_tensor(op, fresh)


def bufferize_from_elements(op: Operation, b: Bufferizer) -> None:
    """One store for each element; a constant for each index up to the largest size."""
    type = expect(t.RankedTensorType, op.results[0].type)
    elements = op.operands
    target = _allocated_buffer(op, b, _new(op, b))
    if elements and not type.shape:
        b.insert(make.store(elements[0], target, ()))
    elif elements:
        sizes = [size or 0 for size in type.shape]
        constants = [b.constant_index(i) for i in range(max(sizes))]
        for element, indices in zip(elements, product(*map(range, sizes)), strict=True):
            b.insert(make.store(element, target, [constants[i] for i in indices]))
    b.replace(op, (target,))


def _new(op: Operation, b: Bufferizer, kind: CauseKind = CauseKind.NO_DESTINATION) -> Cause:
    """Why the result of `op` needs memory."""
    return b.cause(op, kind, None, op.results[0])


def _allocated_buffer(op: Operation, b: Bufferizer, cause: Cause) -> Value:
    """The buffer of a new tensor like the result of `op`."""
    fresh = b.allocated_tensor(op.results[0], cause, copied=False)
    return b.insert(make.to_buffer(fresh, b.buffer_type(fresh))).results[0]


def _require_default_space(op: Operation, b: Bufferizer) -> None:
    if b.options.default_memory_space(op.results[0].type) is not None:
        raise failed(op, "memory space not implemented yet")


def _mapped(b: Bufferizer, destination: Value, fill_body: Callable[[Block], None]) -> Value:
    """`linalg.map` into `destination`, with a body that `fill_body` makes."""
    type = expect(t.RankedTensorType, destination.type)
    op = linalg.MapOp((destination,), (type,), None, None, 1)
    body = op.regions[0].append(Block((type.element,)))
    fill_body(body)
    return b.insert(op).results[0]


def _mapped_indices(b: Bufferizer, op: Operation, destination: Value) -> Value:
    """The body of `op`, a function of indices, over all elements of `destination`."""
    old = op.regions[0].entry

    def fill(body: Block) -> None:
        for position, arg in enumerate(old.args):
            index = linalg.IndexOp((), (t.INDEX,), None, {"dim": IntegerAttr(position, t.I64)})
            index.where = op.where
            body.append(index)
            arg.replace_all_uses_with(index.results[0])
        for inner in old:
            inner.detach()
            if inner.name == "tensor.yield":
                last = linalg.YieldOp(inner.operands)
                last.where = inner.where
                inner.drop_operands()
                body.append(last)
            else:
                body.append(inner)

    return _mapped(b, destination, fill)


def bufferize_generate(op: Operation, b: Bufferizer) -> None:
    _require_default_space(op, b)
    fresh = b.allocated_tensor(op.results[0], _new(op, b), copied=False)
    b.replace_by_tensor(op, _mapped_indices(b, op, fresh))


def bufferize_splat(op: Operation, b: Bufferizer) -> None:
    _require_default_space(op, b)
    fresh = b.allocated_tensor(op.results[0], _new(op, b), copied=False)
    scalar = op.op_operands[0].value

    def fill(body: Block) -> None:
        body.append(linalg.YieldOp((scalar,))).where = op.where

    b.replace_by_tensor(op, _mapped(b, fresh, fill))


def bufferize_pad(op: tensor.PadOp, b: Bufferizer) -> None:
    pad_by(op, _as_numbers(op.mixed_low()), _as_numbers(op.mixed_high()), b)


def pad_by(op: tensor.PadOp, low: list[Mixed], high: list[Mixed], b: Bufferizer) -> None:
    """The padding is computed for all elements; then the source is inserted.

    The sizes are computed twice, as in mlir-opt: the first computation is dead.
    """
    result = op.results[0]
    assert isinstance(result.type, t.RankedTensorType)
    source = op.op_operands[0].value
    for i, size in enumerate(result.type.shape):
        if size is None:
            parts = [dim(b, source, i), as_value(b, low[i]), as_value(b, high[i])]
            apply_unfolded(b, symbol(0) + symbol(1) + symbol(2), parts)
    fresh = b.allocated_tensor(result, _new(op, b, CauseKind.PADDING), copied=False)
    filled = _mapped_indices(b, op, fresh)
    sizes = mixed_sizes(b, source)
    groups = [split_mixed(low), split_mixed(sizes), split_mixed([1] * len(sizes))]
    values = [value for group, _ in groups for value in group]
    properties = {
        "static_offsets": groups[0][1],
        "static_sizes": groups[1][1],
        "static_strides": groups[2][1],
        OPERAND_SEGMENTS: make.segments(1, 1, *(len(group) for group, _ in groups)),
    }
    insert = tensor.InsertSliceOp((source, filled, *values), (result.type,), None, properties)
    insert.cause = b.cause(op, CauseKind.PADDING, 0, source)
    b.insert(insert)
    b.replace_by_tensor(op, insert.results[0])


def _as_numbers(entries: list[Mixed]) -> list[Mixed]:
    """The entries, constants among the values as numbers."""
    return [entry if (number := constant_index(entry)) is None else number for entry in entries]


def pad_type(value: Value, types: TypeInference) -> TypeRequest:
    """Dense, in the memory space of the source."""
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    return identity_type(value.type, source.memory_space)


def bufferize_concat(op: tensor.ConcatOp, b: Bufferizer) -> None:
    """Each input is copied to its part of one allocation, behind the inputs before it."""
    _require_default_space(op, b)
    along = op.dim.value
    target = _allocated_buffer(op, b, _new(op, b, CauseKind.CONCATENATION))
    type = ranked(target)
    rank = len(type.shape)
    sizes: list[Mixed] = [b.dim(target, i) if size is None else size for i, size in enumerate(type.shape)]
    offset: Mixed = 0
    for number, value in enumerate(op.operands):
        source = b.buffer(value)
        size = ranked(source).shape[along]
        sizes[along] = folded_buffer_dim(b, source, along) if size is None else size
        offsets: list[Mixed] = [0] * rank
        offsets[along] = offset
        part = _part(b, target, offsets, sizes)
        b.copy(source, part, b.cause(op, CauseKind.CONCATENATION, number, value))
        offset = add(b, (offset, sizes[along]))
    b.replace(op, (target,))


def _part(b: Bufferizer, target: Value, offsets: list[Mixed], sizes: list[Mixed]) -> Value:
    strides: list[Mixed] = [1] * len(sizes)
    groups = [split_mixed(offsets), split_mixed(sizes), split_mixed(strides)]
    type = memref.SubViewOp.infer_result_type(ranked(target), offsets, sizes, strides)
    properties = {
        "static_offsets": groups[0][1],
        "static_sizes": groups[1][1],
        "static_strides": groups[2][1],
        OPERAND_SEGMENTS: make.segments(1, *(len(group) for group, _ in groups)),
    }
    values = [value for group, _ in groups for value in group]
    return b.insert(memref.SubViewOp((target, *values), (type,), None, properties)).results[0]


CREATION_REWRITES = {
    tensor.ConcatOp: Rewrite(bufferize_concat),
    tensor.EmptyOp: Rewrite(bufferize_empty),
    tensor.FromElementsOp: Rewrite(bufferize_from_elements),
    tensor.GenerateOp: Rewrite(bufferize_generate),
    tensor.PadOp: Rewrite(bufferize_pad, pad_type),
    tensor.SplatOp: Rewrite(bufferize_splat),
}
