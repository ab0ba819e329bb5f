"""Canonicalization of `index`: constants of a chain combined, differences compared with zero."""

from __future__ import annotations

from typing import Final

from ...dialects import index
from ...ir.source.diagnostics import present
from ...ir.text.registry import default_registry
from ...ir.types import types as t
from ...semantics.folds import integer_of
from ...semantics.folds.rules import rules_of
from ..rewriting.rewriter import Rewriter
from .by_rules import by_rules


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


_GATHERED: Final = ("add", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor")
RULES: Final = rules_of(
    "index", "\n".join(f"{name}({name}(x, C), D) => {name}(x, {name}(D, C))" for name in _GATHERED)
)

PATTERNS: Final = {
    index.CmpOp: (_difference_with_zero,),
    **{present(default_registry().find(name)): (by_rules(rules),) for name, rules in RULES.items()},
}
