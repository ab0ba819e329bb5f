"""Canonicalization of `scf.for` and `scf.while`: loops that run never or once, and conditions known inside."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, scf
from ...dialects.folds.constants import integer_of
from ...ir.core import Operation, Value
from ..rewriting.rewriter import Rewriter
from .cf import constant_bit
from .inlining import has_only_terminator, replace_by_region


def trip_count(op: scf.ForOp) -> int | None:
    """How often a loop runs, if its bounds tell: constants, equal bounds, or an upper bound a constant above the lower."""
    lower, upper = op.lower_bound, op.upper_bound
    if lower is upper:
        return 0
    step = integer_of(op.step)
    if step is None or step <= 0:
        return None
    low, high = integer_of(lower), integer_of(upper)
    if low is not None and high is not None:
        distance = high - low
    else:
        total = upper.defining_op
        if not isinstance(total, arith.AddIOp) or total.op_operands[0].value is not lower:
            return None
        known = integer_of(total.op_operands[1].value)
        if known is None:
            return None
        distance = known
    return -(-distance // step) if distance > 0 else 0


def _trivial_loop(op: Operation, rewriter: Rewriter) -> bool:
    """A loop that never runs gives its initial values, one that runs once is its body, an empty one what it yields."""
    assert isinstance(op, scf.ForOp)
    count = trip_count(op)
    if count is None:
        return False
    body = op.regions[0]
    if count == 0:
        rewriter.replace(op, [use.value for use in op.init_operands])
        return True
    if count == 1:
        replace_by_region(op, body, rewriter, [op.lower_bound, *(use.value for use in op.init_operands)])
        return True
    if not has_only_terminator(body):
        return False
    last = body.entry.last_op
    assert last is not None
    values = last.operands
    if any(value.parent_region is body for value in values):
        return False
    rewriter.replace(op, values)
    return True


def _condition_holds_in_body(op: Operation, rewriter: Rewriter) -> bool:
    """In the body of `scf.while`, the condition, if it is passed on, is true."""
    assert isinstance(op, scf.WhileOp)
    last = op.condition_op
    true: Value | None = None
    for passed, arg in zip(last.operands[1:], op.regions[1].entry.args, strict=True):
        if passed is last.operands[0] and arg.has_uses:
            true = true or constant_bit(rewriter, op, True)
            rewriter.replace_uses(arg, true)
    return true is not None


FOR_PATTERNS: Final = (_trivial_loop,)
WHILE_PATTERNS: Final = (_condition_holds_in_body,)
