"""Canonicalization of `index`: constants of a chain combined, differences compared with zero."""

from __future__ import annotations

from typing import Final

from ...dialects import index
from ...ir.program.core import Operation
from ...ir.types import attributes as a, types as t
from ...semantics.folds.constants import integer_of
from ...semantics.folds.index import compute
from ..rewriting.rewriter import Rewriter


def _gather(op: Operation, rewriter: Rewriter) -> bool:
    """`(x + c) + d` is `x + (c + d)`; likewise for every associative and commutative operation."""
    left, right = op.operands
    inner = left.defining_op
    if inner is None or type(inner) is not type(op):
        return False
    outer_constant, inner_constant = integer_of(right), integer_of(inner.op_operands[1].value)
    if outer_constant is None or inner_constant is None:
        return False
    known = compute(type(op), outer_constant, inner_constant)
    if known is None:
        return False
    at = rewriter.before(op)
    constant = at.insert(index.ConstantOp.build(value=a.index_attr(known), result=t.INDEX))
    return rewriter.replace_with(op, type(op)((inner.op_operands[0].value, constant.results[0]), (t.INDEX,)))


def _difference_with_zero(op: index.CmpOp, rewriter: Rewriter) -> bool:
    """`x - y` is 0 iff `x` is `y`. (mlir-opt does this for orderings too, which is wrong if the difference wraps.)"""
    if op.predicate not in ("eq", "ne"):
        return False
    difference = op.lhs.defining_op
    if isinstance(difference, index.SubOp) and integer_of(op.rhs) == 0:
        operands = difference.operands
    else:
        difference = op.rhs.defining_op
        if not isinstance(difference, index.SubOp) or integer_of(op.lhs) != 0:
            return False
        operands = difference.operands[::-1]
    new = index.CmpOp(operands, (t.I1,), None, op.properties)
    return rewriter.replace_with(op, new)


PATTERNS: Final = {
    index.AddOp: (_gather,),
    index.MulOp: (_gather,),
    index.MaxSOp: (_gather,),
    index.MaxUOp: (_gather,),
    index.MinSOp: (_gather,),
    index.MinUOp: (_gather,),
    index.AndOp: (_gather,),
    index.OrOp: (_gather,),
    index.XOrOp: (_gather,),
    index.CmpOp: (_difference_with_zero,),
}
