"""Source-level names of buffers, and the memory space of a tensor with the reason for it."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.causes import Cause
from ..analysis.naming import operand_span, value_name, value_name as written_name, value_span
from ..analysis.one_shot.result import AnalysisResult
from ..dialects import bufferization, memref, scf
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import BranchOp, FunctionOp, LoopLikeOp, SelectLikeOp, ViewLikeOp
from ..ir.source.diagnostics import Diagnostic, present
from ..ir.source.locations import Span
from .conflict_labels import add_label


def buffer_name(value: Value) -> str:
    """The buffer's name in the source, or else that of the value it was allocated for."""
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
        if isinstance(op, scf.IfOp):  # of deallocation: the buffer, or else a clone
            return f"the returned {buffer_name(present(op.regions[0].entry.last_op).operands[0])}"
        if isinstance(op, bufferization.CloneOp):
            return f"the copy of {buffer_name(op.operands[0])}"
    return written_name(value)


def buffer_span(value: Value) -> Span | None:
    """The buffer's position in the source, or else that of the value it was allocated for."""
    op = value.defining_op
    cause = _stated(op) if value.name_hint is None and op is not None else None
    if cause is None:
        return value_span(value)
    if cause.use is not None and not cause.in_result:
        return operand_span(cause.use)
    span = value_span(cause.value) if cause.value is not None else None
    return span or cause.op.name_span


def is_mentioned(value: Value) -> bool:
    """Whether a buffer deserves an explanation of its own: the source names it, or the value it was allocated for."""
    op = value.defining_op
    return value.name_hint is not None or (isinstance(op, memref.AllocOp) and _stated(op) is not None)


def without_unwritten_views(value: Value) -> Value:
    """Looks through views that are not in the source. O(views)."""
    while value.name_hint is None:
        op = value.defining_op
        if not isinstance(op, ViewLikeOp) or not is_inserted(op):
            break
        value = op.operands[0]
    return value


def is_inserted(op: Operation) -> bool:
    """Whether a pass created the operation: its source position is that of another operation."""
    span = op.name_span
    return span is not None and not span.source.text.startswith(op.name, span.start)


def _stated(op: Operation) -> Cause | None:
    cause = op.cause
    return cause if isinstance(cause, Cause) and not cause.is_asked else None


def _is_copied_to(buffer: Value, cause: Cause) -> bool:
    return any(use.owner.name == "memref.copy" and use.owner.cause is cause for use in buffer.uses)


# The memory space of a tensor and its origin, for programs in which values of two spaces meet.

MAX_CHAIN = 64
"""Operations followed back to the one that names a memory space."""


def mark_spaces(result: AnalysisResult, op: Operation, diagnostic: Diagnostic) -> None:
    """Label the values of different memory spaces that meet at `op`, and the operations that determine their spaces."""
    for uses in _meeting(op):
        spaces = [space_of(result, use.value) for use in uses]
        if len({space for space, _ in spaces}) < 2:
            continue
        for use, (space, origin) in zip(uses, spaces, strict=True):
            where = f"in memory space {space}" if space else "in the default memory space"
            add_label(diagnostic, operand_span(use), f"{value_name(use.value)} is {where}")
            if origin is not use.value and space:
                add_label(diagnostic, value_span(origin), f"{value_name(origin)} is placed {where} here")
        diagnostic.note(
            "values that are joined in one result must be in the same memory space, because a buffer cannot change its memory space"
        )
        diagnostic.help(
            "copy one of them to the memory space of the other, with bufferization.alloc_tensor copy(...) {memory_space = ...}"
        )
        return


def _meeting(op: Operation) -> Iterator[list[OpOperand]]:
    """Groups of operands that merge into one value at `op`: of `arith.select`, branches, loops, blocks."""
    if isinstance(op, SelectLikeOp):
        yield list(op.op_operands[1:3])
    elif isinstance(op, LoopLikeOp):
        for init, handed in zip(op.init_operands, op.yielded_operands, strict=False):
            yield [init, handed]
    elif isinstance(op, FunctionOp):
        yield from _passed_to_blocks(op)
    else:
        ends = [block.last_op for region in op.regions for block in region if block.last_op is not None]
        for i in range(len(op.results)):
            yield [end.op_operands[i] for end in ends if i < len(end.op_operands)]


def _passed_to_blocks(function: FunctionOp) -> Iterator[list[OpOperand]]:
    """For each block argument, the operands that branches forward to it. O(operands of branches)."""
    passed: dict[Value, list[OpOperand]] = {}
    for block in function.body:
        branch = block.last_op
        if isinstance(branch, BranchOp):
            for number, successor in enumerate(branch.successors):
                for arg, use in zip(successor.args, branch.successor_operands(number), strict=False):
                    passed.setdefault(arg, []).append(use)
    yield from passed.values()


def space_of(result: AnalysisResult, value: Value) -> tuple[str, Value]:
    """The memory space of a tensor as spelled in the source, empty for the default; and the value that determines it."""
    for _ in range(MAX_CHAIN):
        if not isinstance(value, OpResult):
            break
        op = value.owner
        if isinstance(op, bufferization.AllocTensorOp):
            space = op.properties.get("memory_space") or op.attributes.get("memory_space")
            if space is not None:
                number = getattr(space, "value", None)
                text = str(number) if number is not None else str(space)
                return ("" if text == "0" else text), value
            if op.copy is None:
                break
            value = op.copy
            continue
        aliases = result.state.aliasing_operands(value)
        if not aliases:
            break
        value = aliases[0].operand.value
    return "", value
