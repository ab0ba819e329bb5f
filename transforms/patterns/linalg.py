"""Canonicalization of `linalg`: operations over nothing, and copies of a buffer into itself."""

from __future__ import annotations

from typing import Final

from ...dialects.linalg.base import LinalgOp
from ...ir import types as t
from ...ir.core import BlockArgument, Operation
from ..rewriting.rewriter import Rewriter
from .tensor_casts import destination_of_cast


def _over_nothing(op: Operation, rewriter: Rewriter) -> bool:
    """A buffer without elements: nothing is done."""
    if not isinstance(op, LinalgOp) or op.results:
        return False
    if not any(isinstance(type, t.MemRefType) and 0 in type.shape for type in op.operand_types):
        return False
    rewriter.erase(op)
    return True


def _identity(op: Operation, rewriter: Rewriter) -> bool:
    """Every point yields what was there, or an operand of the same shape: the operand is the result."""
    if not isinstance(op, LinalgOp) or op.regions[0].is_empty:
        return False
    maps = op.indexing_maps()
    body = op.regions[0].entry
    last = body.last_op
    if last is None or last is not body.first_op or any(map is not maps[0] for map in maps):
        return False
    if not op.results:
        if (
            len(op.op_operands) != 2
            or op.operands[0] is not op.operands[1]
            or last.operands != [body.args[0]]
        ):
            return False
        rewriter.erase(op)
        return True
    values = []
    for value, result in zip(last.operands, op.results, strict=True):
        if not isinstance(value, BlockArgument) or value.owner is not body:
            return False
        operand = op.operands[value.index]
        if operand.type is not result.type:
            return False
        values.append(operand)
    rewriter.replace(op, values)
    return True


PATTERNS: Final = {
    "*": (destination_of_cast, _over_nothing),
    "linalg.broadcast": (_identity,),
    "linalg.copy": (_identity,),
    "linalg.generic": (_identity,),
}
