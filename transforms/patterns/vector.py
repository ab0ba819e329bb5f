"""Canonicalization of `vector`."""

from __future__ import annotations

from typing import Final

from ...dialects import vector
from ...dialects.vector.masks import ConstantMaskOp, CreateMaskOp
from ...dialects.vector.shapes import VectorScaleOp
from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import integer_of
from ..rewriting.rewriter import Rewriter
from .tensor_casts import destination_of_cast
from .vector_masked import PATTERNS as MASKED_PATTERNS
from .vector_parts import PATTERNS as PART_PATTERNS
from .vector_shapes import PATTERNS as SHAPE_PATTERNS
from .vector_transfers import overwritten, read_back


def _constant_mask(op: CreateMaskOp, rewriter: Rewriter) -> bool:
    """A mask whose sizes are constants, clamped to the dimensions; all are 0 if one is."""
    type = op.mask.type
    assert isinstance(type, t.VectorType)
    sizes: list[int] = []
    scalable = type.scalable_dims or (False,)
    for value, extent, scales in zip(op.sizes, type.shape or (1,), scalable, strict=True):
        number = _multiple_of_vscale(value) if scales else integer_of(value)
        if number is None or extent is None or (scales and number < extent):
            return False
        sizes.append(min(max(number, 0), extent))
    if 0 in sizes:
        sizes = [0] * len(sizes)
    made = ConstantMaskOp.build(mask_dim_sizes=a.DenseArrayAttr(t.I64, tuple(sizes)), mask=type)
    return rewriter.replace_with(op, made)


def _multiple_of_vscale(value: Value) -> int | None:
    """How many times as large as `vector.vscale` a value is, if that is known."""
    made_by = value.defining_op
    if isinstance(made_by, VectorScaleOp):
        return 1
    if made_by is None or made_by.name != "arith.muli":
        return None
    left, right = made_by.operands
    for scale, number in ((left, right), (right, left)):
        if isinstance(scale.defining_op, VectorScaleOp):
            return integer_of(number)
    return None


PATTERNS: Final = {
    **MASKED_PATTERNS,
    **PART_PATTERNS,
    **SHAPE_PATTERNS,
    CreateMaskOp: (_constant_mask,),
    vector.TransferReadOp: (*MASKED_PATTERNS[vector.TransferReadOp], read_back),
    vector.TransferWriteOp: (
        *MASKED_PATTERNS[vector.TransferWriteOp],
        overwritten,
        destination_of_cast,
    ),
}
