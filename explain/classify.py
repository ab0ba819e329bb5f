"""From causes to kinds of findings, and from reasons to the clearest one.

Of several reasons the clearest comes first: what cannot be written at all, then what cannot be moved away, then what is told
with few places that are close together.
"""

from __future__ import annotations

from ..analysis.block_dependences import could_come_first
from ..analysis.causes import Cause, CauseKind
from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import Operation, OpOperand
from .conflict import MAX_REASONS, Conflict
from .conflict_labels import loop_over
from .finding import Finding
from .kinds.asked_for import AskedFor
from .kinds.carried_around_loop import CarriedAroundLoop
from .kinds.concatenation import Concatenation
from .kinds.forbidden_by_rule import ForbiddenByRule
from .kinds.global_overwritten import GlobalOverwritten
from .kinds.global_store import GlobalStore
from .kinds.insertion import Insertion
from .kinds.layout_mismatch import LayoutMismatch
from .kinds.loop_yield import LoopYield
from .kinds.no_destination import NoDestination
from .kinds.not_contiguous import NotContiguous
from .kinds.not_owned import NotOwned
from .kinds.not_writable import NotWritable
from .kinds.padding import Padding
from .kinds.parallel_region import ParallelRegion
from .kinds.read_after_write import ReadAfterWriteCopy
from .kinds.rewrite_buffer import RewriteBuffer
from .kinds.unknown_operation import UnknownOperation

BY_CAUSE: dict[CauseKind, type[Finding]] = {
    CauseKind.ASKED: AskedFor,
    CauseKind.CONCATENATION: Concatenation,
    CauseKind.GLOBAL_OVERWRITTEN: GlobalOverwritten,
    CauseKind.GLOBAL_STORE: GlobalStore,
    CauseKind.INSERTION: Insertion,
    CauseKind.LAYOUT_MISMATCH: LayoutMismatch,
    CauseKind.LOOP_CONDITION: LoopYield,
    CauseKind.LOOP_UNSEEN: LoopYield,
    CauseKind.LOOP_YIELD: LoopYield,
    CauseKind.NOT_CONTIGUOUS: NotContiguous,
    CauseKind.NOT_OWNED: NotOwned,
    CauseKind.NO_DESTINATION: NoDestination,
    CauseKind.PADDING: Padding,
}
"""The kinds of findings of causes that need no reason; others are settled by the first reason."""

BY_REASON: dict[ReasonKind, type[Conflict]] = {
    ReasonKind.CARRIED_AROUND_LOOP: CarriedAroundLoop,
    ReasonKind.FORBIDDEN: ForbiddenByRule,
    ReasonKind.NOT_WRITABLE: NotWritable,
    ReasonKind.PARALLEL_REGION: ParallelRegion,
    ReasonKind.READ_AFTER_WRITE: ReadAfterWriteCopy,
}


MAX_FOLLOWED = 8
"""Reasons of one operand of which it is found out whether another order would do."""
MAX_STEPS = 200
"""Operations that are followed to find out."""


def kind_of(cause: Cause, reasons: list[Reason], inserted: bool) -> type[Finding]:
    """The kind of finding that tells of a cause with these reasons, clearest first."""
    if cause.kind is not CauseKind.OUT_OF_PLACE:
        return BY_CAUSE.get(cause.kind, RewriteBuffer)
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
