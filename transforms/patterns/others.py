"""Canonicalization of small dialects: `complex`, `func`, `index`.

The table is keyed by name, so that a program of one of them does not import the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...dialects import func
from ...ir.program.core import Operation
from ...ir.source.diagnostics import present
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a, types as t
from ...semantics.folds.constants import integer_of
from ..rewriting.rewriter import Pattern, Rewriter

if TYPE_CHECKING:
    from ...dialects.index import CmpOp

# `func`: indirect calls of known functions.


def _known_callee(op: func.CallIndirectOp, rewriter: Rewriter) -> bool:
    """A call of a constant is a direct call."""
    callee = op.callee.defining_op
    if not isinstance(callee, func.ConstantOp):
        return False
    properties = {**op.properties, "callee": callee.value}
    return rewriter.replace_with(op, func.CallOp(op.callee_operands, op.result_types, None, properties))


# `complex`: chains of bitcasts.

_BITCASTS = ("complex.bitcast", "arith.bitcast")


def _merge_bitcasts(op: Operation, rewriter: Rewriter) -> bool:
    """Two bitcasts in a row are one, whichever dialects they belong to."""
    source = op.op_operands[0].value.defining_op
    if source is None or source.name not in _BITCASTS:
        return False
    value, type = source.op_operands[0].value, op.results[0].type
    if value.type is type:
        return rewriter.replace(op, [value])
    return rewriter.replace_with(op, _cast_class(value.type, type)((value,), (type,)))


def _real_types(op: Operation, rewriter: Rewriter) -> bool:
    """A bitcast without a complex type is `arith.bitcast`."""
    value, type = op.op_operands[0].value, op.results[0].type
    kind = _cast_class(value.type, type)
    return kind.name != "complex.bitcast" and rewriter.replace_with(op, kind((value,), (type,)))


def _cast_class(source: t.Type, target: t.Type) -> type[Operation]:
    both = (source, target)
    name = _BITCASTS[not any(isinstance(type, t.ComplexType) for type in both)]
    return present(default_registry().find(name))


# `index`: constants of a chain combined, differences compared with zero.


def _gather(op: Operation, rewriter: Rewriter) -> bool:
    """`(x + c) + d` is `x + (c + d)`; likewise for every associative and commutative operation."""
    left, right = op.operands
    inner = left.defining_op
    if inner is None or type(inner) is not type(op):
        return False
    outer_constant, inner_constant = integer_of(right), integer_of(inner.op_operands[1].value)
    if outer_constant is None or inner_constant is None:
        return False
    from ...semantics.folds.index import compute  # imports the dialect, which few programs use

    known = compute(type(op), outer_constant, inner_constant)
    if known is None:
        return False
    at = rewriter.before(op)
    constant = at.insert(
        present(default_registry().find("index.constant")).build(value=a.index_attr(known), result=t.INDEX)
    )
    return rewriter.replace_with(op, type(op)((inner.op_operands[0].value, constant.results[0]), (t.INDEX,)))


def _difference_with_zero(op: CmpOp, rewriter: Rewriter) -> bool:
    """`x - y` is 0 iff `x` is `y`. (mlir-opt does this for orderings too, which is wrong if the difference wraps.)"""
    if op.predicate not in ("eq", "ne"):
        return False
    difference = op.lhs.defining_op
    if difference is not None and difference.name == "index.sub" and integer_of(op.rhs) == 0:
        operands = difference.operands
    else:
        difference = op.rhs.defining_op
        if difference is None or difference.name != "index.sub" or integer_of(op.lhs) != 0:
            return False
        operands = difference.operands[::-1]
    new = type(op)(operands, (t.I1,), None, op.properties)
    return rewriter.replace_with(op, new)


PATTERNS: Final[dict[str, tuple[Pattern, ...]]] = {
    "func.call_indirect": (_known_callee,),
    "complex.bitcast": (_merge_bitcasts, _real_types),
    **{
        f"index.{name}": (_gather,)
        for name in ("add", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor")
    },
    "index.cmp": (_difference_with_zero,),
}
