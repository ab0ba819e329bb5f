"""Canonicalization of `func`: indirect calls of known functions."""

from __future__ import annotations

from typing import Final

from ...dialects import func
from ..rewriting.rewriter import Rewriter


def _known_callee(op: func.CallIndirectOp, rewriter: Rewriter) -> bool:
    """A call of a constant is a direct call."""
    callee = op.callee.defining_op
    if not isinstance(callee, func.ConstantOp):
        return False
    properties = {**op.properties, "callee": callee.value}
    return rewriter.replace_with(op, func.CallOp(op.callee_operands, op.result_types, None, properties))


PATTERNS: Final = {func.CallIndirectOp: (_known_callee,)}
