"""Canonicalization of small dialects: `complex`, `func`.

The table is keyed by name, so that a program of one of them does not import the others.
"""

from __future__ import annotations

from typing import Final

from ...dialects import func
from ...ir.program.core import Operation
from ...ir.source.diagnostics import present
from ...ir.text.registry import default_registry
from ...ir.types import types as t
from ..rewriting.rewriter import Pattern, Rewriter

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


PATTERNS: Final[dict[str, tuple[Pattern, ...]]] = {
    "func.call_indirect": (_known_callee,),
    "complex.bitcast": (_merge_bitcasts, _real_types),
}
