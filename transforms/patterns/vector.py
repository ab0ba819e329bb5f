"""Canonicalization of `vector`."""

from __future__ import annotations

from typing import Final

from ...dialects.folds.constants import integer_of
from ...dialects.folds.vector import write_before
from ...dialects.vector.elements import ExtractOp
from ...dialects.vector.masks import ConstantMaskOp, CreateMaskOp
from ...dialects.vector.shapes import BroadcastOp
from ...dialects.vector.transfer import TransferOp, TransferWriteOp
from ...ir.program.core import Operation
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter


def _constant_mask(op: Operation, rewriter: Rewriter) -> bool:
    """A mask whose sizes are constants, clamped to the dimensions; all are 0 if one is."""
    assert isinstance(op, CreateMaskOp)
    type = op.mask.type
    assert isinstance(type, t.VectorType)
    if any(type.scalable_dims):
        return False
    sizes: list[int] = []
    for value, extent in zip(op.sizes, type.shape or (1,), strict=True):
        number = integer_of(value)
        if number is None or extent is None:
            return False
        sizes.append(min(max(number, 0), extent))
    if 0 in sizes:
        sizes = [0] * len(sizes)
    made = ConstantMaskOp.build(mask_dim_sizes=a.DenseArrayAttr(t.I64, tuple(sizes)), mask=type)
    rewriter.replace_with(op, made)
    return True


def _extract_of_broadcast(op: Operation, rewriter: Rewriter) -> bool:
    """A part of something repeated is that thing, repeated less often."""
    assert isinstance(op, ExtractOp)
    broadcast, type = op.source.defining_op, op.output.type
    if not isinstance(broadcast, BroadcastOp) or not isinstance(type, t.VectorType):
        return False
    source = broadcast.source
    made = BroadcastOp.build(source=source, vector=type)
    if made.verify() is not None:
        made.erase()
        return False
    rewriter.replace_with(op, made)
    return True


def _overwritten(op: Operation, rewriter: Rewriter) -> bool:
    """What is written to the same place of a tensor before, and seen by nobody, need not be written."""
    assert isinstance(op, TransferWriteOp)
    if not isinstance(op.base.type, t.RankedTensorType):
        return False
    before, behind = write_before(op)
    if before is None:
        return False
    between: TransferOp = op
    while between is not behind:
        between = between.base.defining_op
        if not between.results[0].has_one_use:
            return False
    base = next(use for use in behind.op_operands if use.value is before.results[0])
    rewriter.set_operand(base, before.base)
    return True


PATTERNS: Final = {
    "vector.create_mask": (_constant_mask,),
    "vector.extract": (_extract_of_broadcast,),
    "vector.transfer_write": (_overwritten,),
}
