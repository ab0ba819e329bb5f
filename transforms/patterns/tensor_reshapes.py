"""Canonicalization of `tensor.expand_shape` and `tensor.collapse_shape`: two in a row are one, sizes become known.

A reassociation has a group of dimensions of the larger shape for each dimension of the smaller one. Two steps in one
direction are joined by spelling out the groups; of two opposite steps only the difference is left, where the shapes tell
which dimensions belong together.
"""

from __future__ import annotations

from typing import Final

from ...dialects import tensor
from ...dialects._reshapes import infer_collapsed_shape
from ...dialects.common import Reassociation, constant_index, reassociation_attr, split_mixed
from ...ir.program.core import Operation
from ...ir.types import types as t
from ...semantics.folds.tensor import forgetting_cast
from ..rewriting.rewriter import Pattern, Rewriter
from .linalg import reshape_of_fill
from .memref import joined_groups
from .reshape_pairs import collapse_of_expand, expand_of_collapse
from .tensor_casts import cast_to, retyped
from .tensor_slices import ranked

Groups = list[list[int]]


# -- two in one direction


def _twice(kind: type[tensor.ExpandShapeOp | tensor.CollapseShapeOp]) -> Pattern:
    """Two expansions, or two collapses, are one."""

    def pattern(op: tensor.ExpandShapeOp | tensor.CollapseShapeOp, rewriter: Rewriter) -> bool:
        before = op.op_operands[0].value.defining_op
        if not isinstance(before, kind):
            return False
        groups = _joined(before.reassociation_indices(), op.reassociation_indices())
        if groups is None:
            return False
        operands = [before.op_operands[0].value, *op.operands[1:]]
        properties = {**op.properties, "reassociation": reassociation_attr(groups)}
        return rewriter.replace_with(op, type(op)(operands, op.result_types, None, properties))

    return pattern


def _joined(inner: Reassociation, outer: Reassociation) -> Groups | None:
    """Both steps as one; None if one of them changes no rank."""
    if len(inner) == len(outer):
        return None
    larger, smaller = (inner, outer) if len(inner) > len(outer) else (outer, inner)
    if smaller and len(larger) != sum(map(len, smaller)):
        return None
    return joined_groups(larger, smaller)


# -- there and back


# -- casts and elements


def _collapse_of_cast(op: tensor.CollapseShapeOp, rewriter: Rewriter) -> bool:
    """A collapsed cast is a cast of the collapsed source."""
    source = forgetting_cast(op.src)
    if source is None:
        return False
    old = ranked(op.results[0])
    type = t.RankedTensorType(
        infer_collapsed_shape(ranked(source).shape, op.reassociation_indices()), old.element
    )
    retyped(op, [source], [type], rewriter)
    return True


def _constant_sizes(op: tensor.ExpandShapeOp, rewriter: Rewriter) -> bool:
    """Sizes that are constants become part of an expanded cast whose source knows what is expanded."""
    known = forgetting_cast(op.src)
    if known is None:
        return False
    sizes = op.mixed_output_shape()
    shape: list[int | None] = []
    for group, whole in zip(op.reassociation_indices(), ranked(known).shape, strict=True):
        for i in group:
            number = constant_index(sizes[i])
            if number is not None and whole is not None:
                sizes[i] = number
    if sizes == op.mixed_output_shape():
        return False
    shape = [size if isinstance(size, int) else None for size in sizes]
    old = ranked(op.results[0])
    inner = t.RankedTensorType(infer_collapsed_shape(shape, op.reassociation_indices()), old.element)
    at = rewriter.before(op)
    source = cast_to(op.src, inner, at)
    values, static = split_mixed(sizes)
    properties = {**op.properties, "static_output_shape": static}
    type = t.RankedTensorType(shape, old.element, old.encoding)
    retyped(op, [source, *values], [type], rewriter, properties)
    return True


def _of_elements(op: Operation, rewriter: Rewriter) -> bool:
    """Elements in row-major order are the same in every shape, and so are elements that are all equal."""
    made, type = op.op_operands[0].value.defining_op, op.results[0].type
    if not isinstance(made, (tensor.FromElementsOp, tensor.SplatOp)) or made.op_operands == []:
        return False
    if not ranked(op.results[0]).has_static_shape:
        return False
    return rewriter.replace_with(op, made.__class__(made.operands, (type,)))


COLLAPSE_PATTERNS: Final = (
    reshape_of_fill,
    _twice(tensor.CollapseShapeOp),
    collapse_of_expand(tensor.ExpandShapeOp, tensor.CollapseShapeOp, cast_to),
    _of_elements,
    _collapse_of_cast,
)
EXPAND_PATTERNS: Final = (
    reshape_of_fill,
    _twice(tensor.ExpandShapeOp),
    expand_of_collapse(tensor.ExpandShapeOp, tensor.CollapseShapeOp),
    _constant_sizes,
    _of_elements,
)
