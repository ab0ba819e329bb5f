"""Canonicalization of arithmetic on what `vector` operations give: sums with a product, comparisons of 0, 1, 2, ..."""

from __future__ import annotations

from typing import Final

from ...dialects import arith
from ...dialects.vector.compute import ContractionOp
from ...dialects.vector.kinds import ADD
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.constants import constant_of
from ...semantics.folds.vector_constants import elements_of
from ..rewriting.rewriter import Rewriter


def _product_of_nothing(value: Value) -> ContractionOp | None:
    """A contraction that sums products up from zero."""
    made_by = value.defining_op
    if not isinstance(made_by, ContractionOp) or made_by.kind is not ADD:
        return None
    elements = elements_of(constant_of(made_by.acc))
    return made_by if elements is not None and not any(elements) else None


def sum_of_product(op: Operation, rewriter: Rewriter) -> bool:
    """What is added to products summed up from zero can be what they are summed up from."""
    for value, other in (op.operands, reversed(op.operands)):
        contraction = _product_of_nothing(value)
        if contraction is None:
            continue
        operands = [contraction.lhs, contraction.rhs, other]
        made = ContractionOp(operands, op.result_types, contraction.attributes, contraction.properties)
        return rewriter.replace_with(op, made)
    return False


_DECIDED: Final = {
    "ult": lambda number, count: True if number >= count else None,
    "ule": lambda number, count: True if number >= count - 1 else None,
    "ugt": lambda number, count: False if number >= count - 1 else None,
    "uge": lambda number, count: False if number >= count else None,
    "eq": lambda number, count: False if number >= count else None,
    "ne": lambda number, count: True if number >= count else None,
}
"""What comparing 0, 1, ..., count - 1 with a number gives, if it gives the same for all."""


def comparison_of_step(op: arith.CmpIOp, rewriter: Rewriter) -> bool:
    step, type = op.lhs.defining_op, op.lhs.type
    if step is None or step.name != "vector.step" or not isinstance(type, t.VectorType):
        return False
    elements = elements_of(constant_of(op.rhs))
    rule = _DECIDED.get(arith.INTEGER_PREDICATES[op.predicate.value])
    if (
        any(type.scalable_dims)
        or rule is None
        or elements is None
        or len(elements) != 1
        or not type.num_elements
    ):
        return False
    decided = rule(elements[0] % (1 << 64), type.num_elements)
    if decided is None:
        return False
    result = op.result.type
    assert isinstance(result, t.VectorType)
    value = a.DenseElementsAttr.from_values(result, [decided])
    return rewriter.replace_with(op, arith.ConstantOp((), (result,), None, {"value": value}))
