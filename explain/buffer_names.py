"""What buffers are called, and where they are, in the words of the source: a buffer that a pass made is named after what it is for."""

from __future__ import annotations

from ..analysis.causes import Cause
from ..analysis.naming import operand_span, value_span
from ..analysis.naming import value_name as written_name
from ..dialects import bufferization, memref, scf
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import ViewLikeOp
from ..ir.source.locations import Span


def buffer_name(value: Value) -> str:
    """The buffer as the source writes it, or after the value that it was made for."""
    value = without_unwritten_views(value)
    op = value.defining_op
    if value.name_hint is not None or op is None:
        return written_name(value)
    cause = _stated(op)
    if isinstance(op, memref.AllocOp) and cause is not None:
        if cause.value is None:
            return f"the buffer for '{cause.op.name}'"
        name = written_name(cause.value)
        if cause.use is None or cause.in_result:
            return f"the buffer of {name}"
        return f"the copy of {name}" if _is_copied_to(value, cause) else f"the new buffer for {name}"
    if is_inserted(op):
        if isinstance(op, scf.IfOp) and not op.regions[0].is_empty:
            last = op.regions[0].entry.last_op
            if last is not None and last.op_operands:
                return f"the returned {buffer_name(last.operands[0])}"
        if isinstance(op, bufferization.CloneOp):
            return f"the copy of {buffer_name(op.operands[0])}"
    return written_name(value)


def buffer_span(value: Value) -> Span | None:
    """Where a buffer is made: where the source names it, or else where what it was made for stands."""
    op = value.defining_op
    cause = _stated(op) if value.name_hint is None and op is not None else None
    if cause is None:
        return value_span(value)
    if cause.use is not None and not cause.in_result:
        return operand_span(cause.use)
    span = value_span(cause.value) if cause.value is not None else None
    return span or cause.op.name_span


def is_mentioned(value: Value) -> bool:
    """Whether a buffer is worth a word of its own: the source names it, or a value that it was made for."""
    op = value.defining_op
    return value.name_hint is not None or (isinstance(op, memref.AllocOp) and _stated(op) is not None)


def without_unwritten_views(value: Value) -> Value:
    """What a view is of, if the source does not write it. O(views)."""
    while value.name_hint is None:
        op = value.defining_op
        if not isinstance(op, ViewLikeOp) or not is_inserted(op):
            break
        value = op.operands[0]
    return value


def is_inserted(op: Operation) -> bool:
    """Whether a pass made the operation: its place is that of another one."""
    span = op.name_span
    return span is not None and not span.source.text.startswith(op.name, span.start)


def _stated(op: Operation) -> Cause | None:
    cause = op.cause
    return cause if isinstance(cause, Cause) and not cause.is_asked else None


def _is_copied_to(buffer: Value, cause: Cause) -> bool:
    return any(use.owner.name == "memref.copy" and use.owner.cause is cause for use in buffer.uses)
