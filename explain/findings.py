"""What there is to explain: every buffer that bufferization inserts, and why.

Three kinds: an operand that cannot stay in place gets a buffer of its own, which starts as a *copy* or (where nobody reads
what was there) as a plain *allocation*; an operation without a destination allocates its result; and a loop hands on a
copy of what is not its own. Operands of unknown operations that are out of place get nothing, but are listed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.models.base import is_tensor
from ..analysis.one_shot.copies import Copy, CopyCause
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import LoopLikeOp
from .cost import Size, size_of

if TYPE_CHECKING:
    from ..analysis.one_shot.result import AnalysisResult


class Code(StrEnum):
    """The ids of what is explained: each names the problem and has a page in the handbook."""

    READ_AFTER_WRITE = "read-after-write"
    CARRIED_AROUND_LOOP = "carried-around-loop"
    NOT_WRITABLE = "not-writable"
    PARALLEL_REGION = "parallel-region"
    UNKNOWN_OPERATION = "unknown-operation"
    NO_DESTINATION = "no-destination"
    LOOP_YIELD = "loop-yield"
    GLOBAL_OVERWRITTEN = "global-overwritten"


@dataclass(slots=True)
class Buffer:
    """A buffer that is inserted, or (`inserted` False) an out-of-place operand that gets none.

    Attributes:
        code: what kind of reason it has.
        op: the operation it is inserted at.
        operand: the operand that is out of place, if it is one.
        value: what is copied, or the result that gets the buffer.
        copies: whether contents are copied into it.
        size: its size.
        plan: how it is inserted, for operands and loops.
        reasons: why the operand is out of place, clearest first; may be empty for operands decided by a greedy order.
    """

    code: Code
    op: Operation
    operand: OpOperand | None
    value: Value
    copies: bool
    size: Size
    inserted: bool = True
    plan: Copy | None = None
    reasons: list[Reason] = field(default_factory=list)


def buffers_of(result: AnalysisResult) -> list[Buffer]:
    """All buffers inserted for the decisions, in program order, without their reasons. Near-linear."""
    found: list[Buffer] = []
    for plan in result.copies():
        code = {
            CopyCause.LOOP_YIELD: Code.LOOP_YIELD,
            CopyCause.LOOP_CONDITION: Code.LOOP_YIELD,
            CopyCause.LOOP_UNSEEN: Code.LOOP_YIELD,
            CopyCause.GLOBAL_OVERWRITTEN: Code.GLOBAL_OVERWRITTEN,
        }.get(plan.cause, Code.READ_AFTER_WRITE)
        found.append(
            Buffer(
                code,
                plan.op,
                plan.operand,
                plan.value,
                plan.with_contents,
                size_of(plan.value.type),
                plan=plan,
            )
        )
    state = result.state
    for root in result.analyzed:
        for op in root.walk_post_order():
            model = state.model_of(op)
            if model is None:
                continue
            for value in op.results:
                if not is_tensor(value) or not model.allocates(value):
                    continue
                if value.has_uses or not model.is_dropped_if_unused(op):
                    size = size_of(value.type)
                    found.append(Buffer(Code.NO_DESTINATION, op, None, value, model.copies(op), size))
    position = {op: i for i, op in enumerate(result.state.root.walk())}
    found.sort(key=lambda buffer: position[buffer.op])
    return found


def untouched_operands(result: AnalysisResult, buffers: list[Buffer]) -> list[Buffer]:
    """The out-of-place operands that get no buffer: those of unknown operations, and of parallel insertions."""
    covered = {buffer.operand for buffer in buffers if buffer.operand is not None}
    return [
        Buffer(
            Code.UNKNOWN_OPERATION,
            operand.owner,
            operand,
            operand.value,
            False,
            size_of(operand.value.type),
            inserted=False,
        )
        for operand in result.out_of_place()
        if operand not in covered
    ]


MAX_REASONS: Final = 100
"""Reasons of one kind that are looked for unless all are wanted. Where one tensor is read by thousands and written by
thousands, all would be millions."""


def add_reasons(result: AnalysisResult, buffer: Buffer, limit: int | None = MAX_REASONS) -> None:
    """Find why the operand is out of place, sort the reasons clearest first, and settle the kind by the first.

    More than `limit` conflicts are not looked for.
    """
    if buffer.operand is None or result.is_in_place(buffer.operand):
        return
    found = result.reasons(buffer.operand, limit)
    buffer.reasons = sorted(found, key=lambda reason: _obscurity(buffer, reason))
    if buffer.reasons and buffer.code in (Code.READ_AFTER_WRITE, Code.UNKNOWN_OPERATION):
        first = buffer.reasons[0]
        buffer.code = Code(first.kind.value)
        if first.unknown is not None:
            buffer.code = Code.UNKNOWN_OPERATION
        elif loop_over(first) is not None:
            buffer.code = Code.CARRIED_AROUND_LOOP


def loop_over(reason: Reason) -> Operation | None:
    """The loop that makes a reason: the one that brings the write before the next read, or that itself writes what its
    body reads."""
    if reason.loop is not None:
        return reason.loop
    writer = reason.write.owner
    if (
        reason.read is not None
        and isinstance(writer, LoopLikeOp)
        and writer.is_proper_ancestor_of(reason.read.owner)
    ):
        return writer
    return None


def _obscurity(buffer: Buffer, reason: Reason) -> tuple[object, ...]:
    """Smaller is clearer: few places, close together, in one block, known operations."""
    if reason.kind is ReasonKind.NOT_WRITABLE:
        return (0, 0, 0, 0, 0)
    read, write = reason.read, reason.write
    unknown = reason.unknown is not None
    if read is None:
        return (1, unknown, 0, 0, 0)
    own = write is not buffer.operand
    same_op = read.owner is write.owner
    blocks = (read.owner.block is not write.owner.block) + (reason.value.parent_block is not read.owner.block)
    distance = _distance(read.owner, write.owner)
    return (1, unknown, own + same_op, blocks, distance)


def _distance(a: Operation, b: Operation) -> int:
    left, right = a.name_span, b.name_span
    return abs(left.line - right.line) if left is not None and right is not None else 1 << 30
