"""Canonicalization of `scf.for`: loops that run never or once, and tensors carried with the sizes they start with."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, scf
from ...dialects.common import Mixed
from ...semantics.folds.constants import integer_of
from ...semantics.folds.tensor import forgetting_cast
from ..rewriting.rewriter import Rewriter
from .inlining import has_only_terminator, replace_by_region
from .tensor_casts import cast_to, know_more, retyped


def _number(entry: Mixed) -> int | None:
    return entry if isinstance(entry, int) else integer_of(entry)


def trip_count(lower: Mixed, upper: Mixed, step_entry: Mixed, *, unsigned: bool = False) -> int | None:
    """How often a loop runs, if its bounds tell: constants, equal bounds, or an upper bound a constant above the lower.

    A sum that may overflow says nothing: the upper bound may be below the lower one.
    """
    if lower is upper:
        return 0
    step = _number(step_entry)
    if step is None or step <= 0:
        return None
    low, high = _number(lower), _number(upper)
    if low is not None and high is not None:
        distance = high - low
    else:
        total = None if isinstance(upper, int) else upper.defining_op
        if not isinstance(total, arith.AddIOp) or total.op_operands[0].value is not lower:
            return None
        known = integer_of(total.op_operands[1].value)
        if known is None or ("nuw" if unsigned else "nsw") not in str(total.overflow_flags):
            return None
        distance = known
    return -(-distance // step) if distance > 0 else 0


def _looks_negative(loop: scf.ForOp) -> bool:
    """Whether a bound or the step of an unsigned loop is so large that it is negative as a signed number."""
    known = [integer_of(value) for value in (loop.lower_bound, loop.upper_bound, loop.step)]
    return any(number is not None and number < 0 for number in known)


def _trivial_loop(op: scf.ForOp, rewriter: Rewriter) -> bool:
    """A loop that never runs gives its initial values, one that runs once is its body, an empty one what it yields."""
    step = integer_of(op.step)
    if op.unsigned_cmp and _looks_negative(op):
        return False  # mlir-opt compares as signed numbers, and may drop a loop that runs
    if step is not None and step <= 0 and not op.unsigned_cmp:
        count = 0  # steps are positive: what would happen else is undefined, and nothing does
    else:
        count = trip_count(op.lower_bound, op.upper_bound, op.step, unsigned=op.unsigned_cmp)
    if count is None:
        return False
    body = op.regions[0]
    if count == 0:
        return rewriter.replace(op, [use.value for use in op.init_operands])
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
    return rewriter.replace(op, values)


def _carry_what_is_cast(op: scf.ForOp, rewriter: Rewriter) -> bool:
    """A carried tensor that starts as a cast that forgets sizes keeps them; casts inside and behind forget them."""
    for position, (use, result) in enumerate(zip(op.init_operands, op.results, strict=True)):
        source = forgetting_cast(use.value)
        if source is None or source.type is use.value.type or not result.has_one_use:
            continue
        body = op.regions[0].entry
        last, arg = body.last_op, op.region_iter_args[position]
        assert last is not None
        know_more(arg, source.type, rewriter)
        yielded = last.op_operands[position]
        rewriter.set_operand(yielded, cast_to(yielded.value, source.type, rewriter.before(last)))
        operands, types = op.operands, op.result_types
        operands[use.index], types[position] = source, source.type
        retyped(op, operands, types, rewriter)
        return True
    return False


FOR_PATTERNS: Final = (_trivial_loop, _carry_what_is_cast)
