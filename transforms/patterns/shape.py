"""Canonicalization of `shape`: constraints on a shape and itself hold, shapes given twice count once."""

from __future__ import annotations

from typing import Final

from ...dialects import shape
from ...ir import attributes as a
from ...ir.core import Operation
from ..rewriting.rewriter import Rewriter


def _of_equal_operands(op: Operation, rewriter: Rewriter) -> bool:
    """Two shapes that are one value are equal, and can be broadcast."""
    if len(op.op_operands) != 2 or op.op_operands[0].value is not op.op_operands[1].value:
        return False
    rewriter.replace_with(op, shape.ConstWitnessOp.build(passing=a.TRUE, result=shape.WITNESS))
    return True


def _without_repetition(op: Operation, rewriter: Rewriter) -> bool:
    unique = list(dict.fromkeys(op.operands))
    if len(unique) == len(op.op_operands):
        return False
    rewriter.replace_with(op, type(op)(unique, op.result_types, op.attributes, op.properties))
    return True


PATTERNS: Final = {
    "shape.assuming_all": (_without_repetition,),
    "shape.broadcast": (_without_repetition,),
    "shape.cstr_broadcastable": (_of_equal_operands, _without_repetition),
    "shape.cstr_eq": (_of_equal_operands,),
    "shape.is_broadcastable": (_without_repetition,),
}
