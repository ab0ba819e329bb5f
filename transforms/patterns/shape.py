"""Canonicalization of `shape`: redundant shapes, implied constraints, conversions that undo each other."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, shape, tensor
from ...dialects.shape import WITNESS
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...semantics.folds import constant_of
from ...semantics.folds.rules import rules_of
from ...semantics.folds.shape import broadcast_extents, extents_of
from ..rewriting.rewriter import Rewriter
from .by_rules import by_rules
from .region_branch import drop_unused, replace_by_region
from .tensor_casts import cast_to


def _with_operands(op: Operation, operands: list[Value], rewriter: Rewriter) -> None:
    rewriter.replace_with(op, type(op)(operands, op.result_types, op.attributes, op.properties))


# -- redundant shapes


def _of_equal_operands(op: Operation, rewriter: Rewriter) -> bool:
    """A constraint on copies of one value holds."""
    first = op.op_operands[0].value
    if any(use.value is not first for use in op.op_operands):
        return False
    return rewriter.replace_with(op, shape.ConstWitnessOp.build(passing=a.TRUE, result=WITNESS))


def _without_repetition(op: Operation, rewriter: Rewriter) -> bool:
    unique = list(dict.fromkeys(op.operands))
    if len(unique) == len(op.op_operands):
        return False
    _with_operands(op, unique, rewriter)
    return True


def _without_empty_shapes(op: Operation, rewriter: Rewriter) -> bool:
    """Drop scalar shapes: they broadcast with everything."""
    kept = [value for value in op.operands if not _is_empty(value)]
    if len(kept) == len(op.op_operands):
        return False
    _with_operands(op, kept, rewriter)
    return True


def _is_empty(value: Value) -> bool:
    """Whether a shape is certainly that of a scalar."""
    if isinstance(value.type, t.RankedTensorType) and value.type.shape == (0,):
        return True
    return extents_of(constant_of(value)) == []


def _look_through_casts(op: Operation, rewriter: Rewriter) -> bool:
    """Bypass casts that forget the number of extents."""
    changed = False
    for use in op.op_operands:
        cast = use.value.defining_op
        if isinstance(cast, tensor.CastOp) and expect(t.ShapedType, cast.dest.type).shape == (None,):
            rewriter.set_operand(use, cast.source)
            changed = True
    return changed


# -- shape.broadcast


def _known_rank(op: Operation, rewriter: Rewriter) -> bool:
    """The result has as many extents as the longest operand."""
    result = op.results[0].type
    if not isinstance(result, t.RankedTensorType) or None not in result.shape:
        return False
    ranks: list[int] = []
    for operand_type in op.operand_types:
        if not isinstance(operand_type, t.RankedTensorType) or operand_type.shape[0] is None:
            return False
        ranks.append(operand_type.shape[0])
    if not ranks:
        return False
    known = t.RankedTensorType((max(ranks),), result.element)
    at = rewriter.before(op)
    new = at.insert(type(op)(op.operands, (known,), op.attributes, op.properties))
    return rewriter.replace(op, [cast_to(new.results[0], result, at)])


def _join_constants(op: Operation, rewriter: Rewriter) -> bool:
    """Fold constant operands into one."""
    joined: list[int] = []
    kept: list[Value] = []
    for value in op.operands:
        made = value.defining_op
        known = extents_of(constant_of(value)) if isinstance(made, shape.ConstShapeOp) else None
        together = None if known is None else broadcast_extents(joined, known)
        if together is None:
            kept.append(value)
        else:
            joined = together
    if len(op.op_operands) - len(kept) < 2:
        return False
    type = t.RankedTensorType((len(joined),), t.INDEX)
    constant = shape.ConstShapeOp.build(shape=a.DenseElementsAttr.from_values(type, joined), result=type)
    kept.append(rewriter.before(op).insert(constant).results[0])
    _with_operands(op, kept, rewriter)
    return True


def _single_operand(op: Operation, rewriter: Rewriter) -> bool:
    """A single shape broadcasts to itself, possibly in another representation."""
    if len(op.op_operands) != 1:
        return False
    value, type = op.op_operands[0].value, op.results[0].type
    at = rewriter.before(op)
    if value.type is type:
        rewriter.replace(op, [value])
    elif type is shape.SHAPE:
        rewriter.replace_with(op, shape.FromExtentTensorOp.build(input=value, result=type))
    elif value.type is shape.SHAPE:
        rewriter.replace_with(op, shape.ToExtentTensorOp.build(input=value, result=type))
    else:
        rewriter.replace(op, [cast_to(value, type, at)])
    return True


# -- constraints


def _merge_nested(op: Operation, rewriter: Rewriter) -> bool:
    """Flatten a conjunction of conjunctions."""
    operands: list[Value] = []
    for value in op.operands:
        made = value.defining_op
        operands += made.operands if isinstance(made, shape.AssumingAllOp) else [value]
    if len(operands) == len(op.op_operands):
        return False
    _with_operands(op, operands, rewriter)
    return True


def _single_constraint(op: Operation, rewriter: Rewriter) -> bool:
    if len(op.op_operands) != 1:
        return False
    return rewriter.replace(op, op.operands)


MAX_CONSTRAINTS: Final = 64
"""The number of constraints compared pairwise."""


def _redundant_broadcasts(op: Operation, rewriter: Rewriter) -> bool:
    """Drop a broadcast constraint whose shapes are a subset of another's."""
    found: dict[Operation, frozenset[Value]] = {}
    for value in op.operands:
        made = value.defining_op
        if not isinstance(made, shape.CstrBroadcastableOp):
            return False
        found[made] = frozenset(made.operands)
    if not 2 <= len(found) <= MAX_CONSTRAINTS:
        return False
    kept: list[Operation] = []
    for constraint in sorted(found, key=lambda each: -len(each.op_operands)):
        if not any(found[constraint] <= found[larger] for larger in kept):
            kept.append(constraint)
    if len(kept) == len(found):
        return False
    _with_operands(op, [constraint.results[0] for constraint in kept], rewriter)
    for constraint in found:
        if constraint not in kept and not constraint.results[0].has_uses:
            rewriter.erase(constraint)
    return True


def _all_equal(op: Operation, rewriter: Rewriter) -> bool:
    """Merge equality constraints that share shapes."""
    shapes: dict[Value, None] = {}
    every: list[Value] = []
    for value in op.operands:
        made = value.defining_op
        if made is None or made.name != "shape.cstr_eq":
            return False
        if every and made.op_operands and not any(operand in shapes for operand in made.operands):
            return False
        every += made.operands
        shapes.update(dict.fromkeys(made.operands))
    if not every:
        return False
    return rewriter.replace_with(op, shape.CstrEqOp(every, (WITNESS,)))


def _holds(op: shape.AssumingOp, rewriter: Rewriter) -> bool:
    """Inline a region that is guarded by a constraint that holds."""
    if constant_of(op.operands[0]) is not a.TRUE:
        return False
    replace_by_region(op, op.regions[0], rewriter)
    return True


# -- sizes


def _rank_of_tensor(op: shape.RankOp, rewriter: Rewriter) -> bool:
    """The rank of the shape of a ranked value is a constant."""
    made = op.operands[0].defining_op
    extents = (
        getattr(made.op_operands[0].value.type, "shape", None) if isinstance(made, shape.ShapeOfOp) else None
    )
    if extents is None:
        return False
    type, value = op.results[0].type, a.index_attr(len(extents))
    if type is t.INDEX:
        constant: Operation = arith.ConstantOp.build(value=value, result=type)
    else:
        constant = shape.ConstSizeOp.build(value=value, result=type)
    return rewriter.replace_with(op, constant)


def _known_shape(op: shape.ShapeOfOp, rewriter: Rewriter) -> bool:
    """The shape of a statically shaped value is a constant."""
    extents = getattr(op.operands[0].type, "shape", None)
    if extents is None or None in extents:
        return False
    value = a.DenseElementsAttr.from_values(t.RankedTensorType((len(extents),), t.INDEX), list(extents))
    result = op.results[0]
    known = result.type if result.type is shape.SHAPE else value.type
    constant = rewriter.before(op).insert(shape.ConstShapeOp.build(shape=value, result=known)).the_result
    return rewriter.replace(op, [cast_to(constant, result.type, rewriter.before(op))])


def _shape_of_reshape(op: shape.ShapeOfOp, rewriter: Rewriter) -> bool:
    """The shape of a reshaped tensor is the shape operand of the reshape."""
    reshape, type = op.operands[0].defining_op, op.results[0].type
    if not isinstance(reshape, tensor.ReshapeOp) or not isinstance(type, t.RankedTensorType):
        return False
    extents, at = reshape.shape, rewriter.before(op)
    if getattr(extents.type, "element", None) is type.element:
        extents = cast_to(extents, type, at)
    else:
        extents = at.insert(arith.IndexCastOp((extents,), (type,))).the_result
    return rewriter.replace(op, [extents])


_BROADCAST_CHECKS: Final = (
    _look_through_casts,
    _of_equal_operands,
    _without_repetition,
    _without_empty_shapes,
)

RULES: Final = rules_of(
    "shape",
    """
    index_to_size(size_to_index(x)) => x
    size_to_index(index_to_size(x)) => x
    """,
)

PATTERNS: Final = {
    shape.AssumingOp: (_holds, drop_unused),
    shape.AssumingAllOp: (
        _merge_nested,
        _single_constraint,
        _redundant_broadcasts,
        _all_equal,
        _without_repetition,
    ),
    shape.BroadcastOp: (
        _known_rank,
        _join_constants,
        _single_operand,
        _look_through_casts,
        _without_repetition,
        _without_empty_shapes,
    ),
    shape.CstrBroadcastableOp: _BROADCAST_CHECKS,
    shape.CstrEqOp: (_of_equal_operands,),
    shape.IndexToSizeOp: (by_rules(RULES["shape.index_to_size"]),),
    shape.IsBroadcastableOp: (_without_repetition,),
    shape.RankOp: (_rank_of_tensor,),
    shape.ShapeOfOp: (_known_shape, _shape_of_reshape),
    shape.SizeToIndexOp: (by_rules(RULES["shape.size_to_index"]),),
}
