"""Canonicalization of `complex`: chains of bitcasts."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, complex
from ...ir.program.core import Operation
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter


def _merge_bitcasts(op: Operation, rewriter: Rewriter) -> bool:
    """Two bitcasts in a row are one, whichever dialects they belong to."""
    source = op.op_operands[0].value.defining_op
    if not isinstance(source, (complex.BitcastOp, arith.BitcastOp)):
        return False
    value, type = source.op_operands[0].value, op.results[0].type
    if value.type is type:
        return rewriter.replace(op, [value])
    return rewriter.replace_with(op, _cast_class(value.type, type)((value,), (type,)))


def _real_types(op: Operation, rewriter: Rewriter) -> bool:
    """A bitcast without a complex type is `arith.bitcast`."""
    value, type = op.op_operands[0].value, op.results[0].type
    if _cast_class(value.type, type) is complex.BitcastOp:
        return False
    return rewriter.replace_with(op, arith.BitcastOp((value,), (type,)))


def _cast_class(source: t.Type, target: t.Type) -> type[Operation]:
    both = (source, target)
    return complex.BitcastOp if any(isinstance(type, t.ComplexType) for type in both) else arith.BitcastOp


PATTERNS: Final = {complex.BitcastOp: (_merge_bitcasts, _real_types)}
