"""Operations on casts of tensors: they work on what the cast is of, and their results are cast instead."""

from __future__ import annotations

from ...dialects import tensor
from ...dialects.folds.tensor import forgetting_cast
from ...ir import types as t
from ...ir.core import Operation, Region
from ...ir.interfaces import DestinationStyleOp, LoopLikeOp, SubsetInsertionOp
from ..rewriting.rewriter import Rewriter


def destination_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    """A destination-style operation on casts that only forget sizes uses their sources; results have the new types."""
    if not isinstance(op, DestinationStyleOp) or isinstance(op, LoopLikeOp):
        return False
    if isinstance(op, SubsetInsertionOp) and op.name != "tensor.insert" and not op.name.startswith("vector."):
        return False
    sources = [forgetting_cast(value) for value in op.operands]
    if not any(sources):
        return False
    operands = [
        value if source is None else source for value, source in zip(op.operands, sources, strict=True)
    ]
    types = op.result_types
    for init in op.dps_inits():
        tied = op.tied_result(init)
        if tied is not None:
            types[tied.index] = operands[init.index].type
    new = op.__class__.__new__(op.__class__)
    Operation.__init__(new, operands, types, op.attributes, op.properties, 0, (), op.where, op.location)
    rewriter.before(op).insert(new)
    new.regions = op.regions
    for region in new.regions:
        region.parent_op = new
    op.regions = [Region(op) for _ in new.regions]
    at = rewriter.before(op)
    values = [
        result if result.type is old.type else at.insert(tensor.CastOp((result,), (old.type,))).the_result
        for result, old in zip(new.results, op.results, strict=True)
    ]
    rewriter.replace(op, values)
    return True


def chained(op: Operation, rewriter: Rewriter) -> bool:
    """Two casts in a row are one, if the one between refuses nothing that the two ends allow."""
    assert isinstance(op, tensor.CastOp)
    inner = op.source.defining_op
    if not isinstance(inner, tensor.CastOp):
        return False
    types = [inner.source.type, op.source.type, op.dest.type]
    shapes = [type.shape if isinstance(type, t.RankedTensorType) else None for type in types]
    first = _join(shapes[0], shapes[1])
    if first is CONFLICT or _join(first, shapes[2]) is CONFLICT:
        return False
    if _join(first, shapes[2]) != _join(shapes[0], shapes[2]):
        return False
    rewriter.replace_with(op, tensor.CastOp((inner.source,), (op.dest.type,)))
    return True


Shape = tuple[int | None, ...] | None

CONFLICT: Shape = (-1,)
"""Two shapes that no tensor has both."""


def _join(one: Shape, other: Shape) -> Shape:
    """What is known of a shape that is both, or CONFLICT."""
    if one is None or other is None:
        return other if one is None else one
    pairs = list(zip(one, other, strict=False))
    if len(one) != len(other) or any(x is not None and y is not None and x != y for x, y in pairs):
        return CONFLICT
    return tuple(y if x is None else x for x, y in pairs)
