"""Canonicalization of `memref.expand_shape` and `memref.collapse_shape`: two in a row are one, casts move behind."""

from __future__ import annotations

from typing import Final

from ...dialects import memref
from ...dialects._reshapes import infer_collapsed_type, infer_expanded_type
from ...dialects.common import as_number, reassociation_attr, split_mixed
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.source.expect import expect
from ...ir.types import types as t
from ...semantics.folds.memref import can_fold_into_consumer
from ..rewriting.rewriter import Rewriter
from .reshape_pairs import collapse_of_expand, expand_of_collapse

Groups = tuple[tuple[int, ...], ...]


def joined_groups(inner: Groups, outer: Groups) -> list[list[int]]:
    """The reassociation of two steps at once: each group of `outer`, with every member spelled out by `inner`."""
    return [[dimension for member in group for dimension in inner[member]] for group in outer]


def _collapse_twice(op: memref.CollapseShapeOp, rewriter: Rewriter) -> bool:
    before = op.src.defining_op
    if not isinstance(before, memref.CollapseShapeOp) or not op.reassociation_indices():
        return False
    groups = joined_groups(before.reassociation_indices(), op.reassociation_indices())
    new = memref.CollapseShapeOp.build(
        src=before.src, reassociation=reassociation_attr(groups), result=op.results[0].type
    )
    return rewriter.replace_with(op, new)


def _expand_twice(op: memref.ExpandShapeOp, rewriter: Rewriter) -> bool:
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
    return rewriter.replace_with(op, new)


def _collapse_of_cast(op: memref.CollapseShapeOp, rewriter: Rewriter) -> bool:
    """A collapsed cast is a cast of the collapsed source."""
    cast = op.src.defining_op
    if not isinstance(cast, memref.CastOp) or not can_fold_into_consumer(cast):
        return False
    source = expect(t.MemRefType, cast.source.type)
    type = infer_collapsed_type(source, op.reassociation_indices())
    if type is None:
        return False
    if type is op.results[0].type:
        return rewriter.set_operand(op.op_operands[0], cast.source)
    new = memref.CollapseShapeOp.build(src=cast.source, reassociation=op.reassociation, result=type)
    rewriter.before(op).insert(new)
    return rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))


def _expand_of_cast(op: memref.ExpandShapeOp, rewriter: Rewriter) -> bool:
    """An expanded cast is a cast of the expanded source, if each group is as known, or unknown, as its source."""
    cast = op.src.defining_op
    if not isinstance(cast, memref.CastOp) or not can_fold_into_consumer(cast):
        return False
    source = expect(t.MemRefType, cast.source.type)
    sizes = [as_number(size) for size in op.mixed_output_shape()]
    shape = [size if isinstance(size, int) else None for size in sizes]
    groups = op.reassociation_indices()
    for group, whole in zip(groups, source.shape, strict=True):
        if (whole is None) != any(shape[i] is None for i in group):
            return False
    type = infer_expanded_type(source, shape, groups)
    if type is None:
        return False
    if type is op.results[0].type:
        return rewriter.set_operand(op.op_operands[0], cast.source)
    values, static = split_mixed(sizes)
    new = memref.ExpandShapeOp.build(
        src=cast.source,
        reassociation=op.reassociation,
        output_shape=values,
        static_output_shape=static,
        result=type,
    )
    rewriter.before(op).insert(new)
    return rewriter.replace_with(op, memref.CastOp((new.results[0],), (op.results[0].type,)))


def _cast_to(value: Value, type: t.Type, at: Builder) -> Value:
    return value if value.type is type else at.insert(memref.CastOp((value,), (type,))).the_result


EXPAND_PATTERNS: Final = (
    _expand_twice,
    expand_of_collapse(memref.ExpandShapeOp, memref.CollapseShapeOp),
    _expand_of_cast,
)
COLLAPSE_PATTERNS: Final = (
    _collapse_twice,
    collapse_of_expand(memref.ExpandShapeOp, memref.CollapseShapeOp, _cast_to),
    _collapse_of_cast,
)
