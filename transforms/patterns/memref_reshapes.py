"""Canonicalization of `memref.expand_shape` and `memref.collapse_shape`: two in a row are one, casts move behind."""

from __future__ import annotations

from typing import Final

from ...dialects import memref
from ...dialects._reshapes import infer_collapsed_type
from ...dialects.common import reassociation_attr
from ...dialects.folds.memref import can_fold_into_consumer
from ...ir.program.core import Operation
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter

Groups = tuple[tuple[int, ...], ...]


def joined_groups(inner: Groups, outer: Groups) -> list[list[int]]:
    """The reassociation of two steps at once: each group of `outer`, with every member spelled out by `inner`."""
    return [[dimension for member in group for dimension in inner[member]] for group in outer]


def _collapse_twice(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, memref.CollapseShapeOp)
    before = op.src.defining_op
    if not isinstance(before, memref.CollapseShapeOp) or not op.reassociation_indices():
        return False
    groups = joined_groups(before.reassociation_indices(), op.reassociation_indices())
    new = memref.CollapseShapeOp.build(
        src=before.src, reassociation=reassociation_attr(groups), result=op.results[0].type
    )
    rewriter.replace_with(op, new)
    return True


def _expand_twice(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, memref.ExpandShapeOp)
    before = op.src.defining_op
    if not isinstance(before, memref.ExpandShapeOp):
        return False
    groups = joined_groups(op.reassociation_indices(), before.reassociation_indices())
    new = memref.ExpandShapeOp.build(
        src=before.src,
        reassociation=reassociation_attr(groups),
        output_shape=op.output_shape,
        static_output_shape=op.static_output_shape,
        result=op.results[0].type,
    )
    rewriter.replace_with(op, new)
    return True


def _collapse_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    """A collapsed cast is a cast of the collapsed source."""
    assert isinstance(op, memref.CollapseShapeOp)
    cast = op.src.defining_op
    if not isinstance(cast, memref.CastOp) or not can_fold_into_consumer(cast):
        return False
    source = cast.source.type
    assert isinstance(source, t.MemRefType)
    type = infer_collapsed_type(source, op.reassociation_indices())
    if type is None:
        return False
    if type is op.results[0].type:
        rewriter.set_operand(op.op_operands[0], cast.source)
        return True
    new = memref.CollapseShapeOp.build(src=cast.source, reassociation=op.reassociation, result=type)
    rewriter.before(op).insert(new)
    rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))
    return True


EXPAND_PATTERNS: Final = (_expand_twice,)
COLLAPSE_PATTERNS: Final = (_collapse_twice, _collapse_of_cast)
