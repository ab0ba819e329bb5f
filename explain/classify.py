"""From causes to kinds of findings, and from reasons to the clearest one.

Of several reasons the clearest comes first: what cannot be written at all, then what cannot be moved away, then what is told
with few places that are close together.
"""

from __future__ import annotations

from ..analysis.causes import Cause, CauseKind
from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.moving import could_come_first
from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import Operation, OpOperand
from .conflict_labels import loop_over
from .finding import Finding
from .kinds import BY_CAUSE, BY_REASON
from .kinds.conflicts import MAX_REASONS, CarriedAroundLoop, ReadAfterWriteCopy, UnknownOperation

MAX_FOLLOWED = 8
"""Reasons of one operand of which it is found out whether another order would do."""
MAX_STEPS = 200
"""Operations that are followed to find out."""


def kind_of(cause: Cause, reasons: list[Reason], inserted: bool) -> type[Finding]:
    """The kind of finding that tells of a cause with these reasons, clearest first."""
    if cause.kind is not CauseKind.OUT_OF_PLACE:
        return BY_CAUSE[cause.kind]
    if not reasons:
        return ReadAfterWriteCopy if inserted else UnknownOperation
    first = reasons[0]
    if first.unknown is not None:
        return UnknownOperation
    return CarriedAroundLoop if loop_over(first) is not None else BY_REASON[first.kind]


def reasons_for(result: AnalysisResult, cause: Cause, limit: int | None = MAX_REASONS) -> list[Reason]:
    """Why the operand of a cause is out of place, clearest first. More than `limit` conflicts are not looked for."""
    operand = cause.use
    if cause.kind is not CauseKind.OUT_OF_PLACE or operand is None or result.is_in_place(operand):
        return []
    found = result.reasons(operand, limit)
    if len(found) < 2:
        return found
    is_few = len(found) <= MAX_FOLLOWED
    return sorted(found, key=lambda reason: _obscurity(operand, reason, is_few))


def _obscurity(operand: OpOperand, reason: Reason, is_few: bool) -> tuple[object, ...]:
    """Smaller is clearer: what cannot be moved away, few places, close together, in one block, known operations."""
    if reason.kind is ReasonKind.NOT_WRITABLE:
        return (0, 0, 0, 0, 0, 0)
    read, write = reason.read, reason.write
    unknown = reason.unknown is not None
    if read is None:
        return (1, unknown, 0, 0, 0, 0)
    own = write is not operand
    same_op = read.owner is write.owner
    # neither an operation that reads what it overwrites nor one that needs what is written can come before the write
    movable = not same_op if same_op or not is_few else could_come_first(read, write, MAX_STEPS)
    if write.owner.is_ancestor_of(read.owner) or read.owner.block is not write.owner.block:
        movable = True  # perhaps: that takes more than changing an order
    if same_op and own:
        movable = True
    blocks = (read.owner.block is not write.owner.block) + (reason.value.parent_block is not read.owner.block)
    return (1, unknown, movable, own + same_op, blocks, _distance(read.owner, write.owner))


def _distance(a: Operation, b: Operation) -> int:
    left, right = a.name_span, b.name_span
    return abs(left.line - right.line) if left is not None and right is not None else 1 << 30
