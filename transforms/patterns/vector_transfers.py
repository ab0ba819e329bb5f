"""Canonicalization of transfers: what is overwritten, read back, or written to a tensor of which a part goes elsewhere."""

from __future__ import annotations

from ...dialects.common import constant_index
from ...dialects.tensor import ExtractSliceOp, InsertSliceOp
from ...dialects.vector.shapes import BroadcastOp, TransposeOp
from ...dialects.vector.transfer import TransferOp, TransferReadOp, TransferWriteOp
from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from ...semantics.folds.vector import write_before
from ..rewriting.rewriter import Rewriter
from .tensor_slices import slice_fields


def overwritten(op: TransferWriteOp, rewriter: Rewriter) -> bool:
    """What is written to the same place of a tensor before, and seen by nobody, need not be written."""
    if not isinstance(op.base.type, t.RankedTensorType):
        return False
    before, behind = write_before(op)
    if before is None:
        return False
    between: TransferOp = op
    while between is not behind:
        below = between.base.defining_op
        assert isinstance(below, TransferOp), "the way that was gone to what was written before"
        between = below
        if not between.results[0].has_one_use:
            return False
    base = next(use for use in behind.op_operands if use.value is before.results[0])
    return rewriter.set_operand(base, before.base)


def _places(op: TransferOp) -> dict[int, int | None]:
    """How many elements of each dimension of the base are transferred; one, of those not named."""
    return {
        expression.position: size
        for expression, size in zip(op.map.results, op.vector_type.shape, strict=True)
        if isinstance(expression, AffineDim)
    }


def read_back(op: TransferReadOp, rewriter: Rewriter) -> bool:
    """What was just written there, in another order, or repeated."""
    write = op.base.defining_op
    if not isinstance(op.base.type, t.RankedTensorType) or not isinstance(write, TransferWriteOp):
        return False
    if not all(op.in_bounds_flags) or not all(write.in_bounds_flags):
        return False
    if op.indices != write.indices or op.is_masked or write.is_masked or _places(op) != _places(write):
        return False
    written = [x.position for x in write.map.results if isinstance(x, AffineDim)]
    if len(written) != len(write.map.results) or not written:
        return False
    type = op.vector_type
    lead = len(type.shape) - len(written)
    order: list[int] = [-1] * len(type.shape)
    for i, expression in enumerate(op.map.results):
        if isinstance(expression, AffineDim):
            order[i] = lead + written.index(expression.position)
    free = iter([i for i in range(len(order)) if i not in order])
    order = [next(free) if i < 0 else i for i in order]
    shape: list[int | None] = [None] * len(order)
    scalable = [False] * len(order)
    for i, place in enumerate(order):
        shape[place], scalable[place] = type.shape[i], type.scalable_dims[i]
    wide = t.VectorType(shape, type.element, scalable)
    at = rewriter.before(op)
    value = at.insert(BroadcastOp.build(source=write.value_to_store, vector=wide)).vector
    permutation = a.DenseArrayAttr(t.I64, tuple(order))
    return rewriter.replace_with(op, TransposeOp.build(vector=value, permutation=permutation, output=type))


def written_into_slice(op: InsertSliceOp, rewriter: Rewriter) -> bool:
    """A part of what is written to a whole tensor, inserted elsewhere, can be written there at once."""
    part = op.source.defining_op
    write = part.source.defining_op if isinstance(part, ExtractSliceOp) else None
    if not isinstance(part, ExtractSliceOp) or not isinstance(write, TransferWriteOp) or write.is_masked:
        return False
    type, whole = op.source.type, write.base.type
    assert isinstance(type, t.RankedTensorType) and isinstance(whole, t.RankedTensorType)
    inserted = part.result.type
    rank = len(write.vector_type.shape)
    if not write.results[0].has_one_use or type.rank != rank or whole.rank != rank or inserted is not type:
        return False
    zero = all(constant_index(i) == 0 if isinstance(i, Value) else i == 0 for i in part.mixed_offsets())
    ones = all(constant_index(i) == 1 if isinstance(i, Value) else i == 1 for i in part.mixed_strides())
    if not zero or not ones or any(constant_index(i) != 0 for i in write.indices):
        return False
    if part.mixed_sizes() != op.mixed_sizes():
        return False
    if [_places(write).get(i) for i in range(rank)] != list(whole.shape):
        return False
    slice = (op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides())
    made = ExtractSliceOp.build(source=op.dest, result=type, **slice_fields(slice))
    rewriter.before(op).insert(made)
    properties = dict(write.properties)
    properties["in_bounds"] = a.ArrayAttr(a.bool_attr(False) for _ in range(rank))
    operands = [write.value_to_store, made.result, *write.indices]
    new = rewriter.before(op).insert(TransferWriteOp(operands, (type,), None, properties))
    return rewriter.set_operand(op.op_operands[0], new.results[0])
