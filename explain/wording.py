"""From a buffer and its reasons to a diagnostic: the title, the labelled places, notes, and data for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.control_flow import leaves_region
from ..analysis.places import function_name, operand_span, value_name, value_span
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, OpOperand, OpResult, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp, LoopLikeOp
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.places import Span
from .cost import describe_frequency, frequency
from .findings import MAX_REASONS, Buffer, Code, loop_over

if TYPE_CHECKING:
    from ..analysis.one_shot.result import AnalysisResult, SharingStep

MAX_STEPS_SHOWN = 4
"""Steps of a chain of shared buffers that are drawn; the rest is counted."""


def explain_buffer(result: AnalysisResult, buffer: Buffer) -> Diagnostic:
    """The diagnostic for one buffer."""
    diagnostic = Diagnostic(Severity.REMARK, _title(buffer), _place(buffer), str(buffer.code))
    _labels(result, buffer, diagnostic)
    _notes(buffer, diagnostic)
    diagnostic.data = buffer_data(result, buffer)
    return diagnostic


# -- the title


def _title(buffer: Buffer) -> str:
    op = f"'{buffer.op.name}'"
    name = value_name(buffer.value)
    if not buffer.inserted:
        assert buffer.operand is not None
        return f"{name} cannot be updated in place by {op}"
    if buffer.operand is None or buffer.code is Code.NO_DESTINATION:
        if buffer.code is Code.GLOBAL_OVERWRITTEN:
            return f"{name} is copied ({buffer.size}): the global it was loaded from is stored to"
        what = "copies into" if buffer.copies else "allocates"
        return f"{op} {what} a new buffer ({buffer.size}): it has no destination to write to"
    if buffer.code is Code.LOOP_YIELD:
        return f"{name} is copied ({buffer.size}) before the loop goes on: it is not the loop's own buffer"
    reason = buffer.reasons[0] if buffer.reasons else None
    why = _why(buffer, reason)
    if buffer.copies:
        return f"{name} is copied ({buffer.size}){why}"
    return f"a new buffer ({buffer.size}) takes the place of {name}{why}"


def _why(buffer: Buffer, reason: Reason | None) -> str:
    if reason is None:
        return ": an operand decided earlier already uses its buffer"
    writer = f"'{reason.write.owner.name}'"
    victim = value_name(reason.value)
    if reason.kind is ReasonKind.NOT_WRITABLE:
        return f": {writer} would write to {victim}, which {reason.why_not_writable}"
    if reason.kind is ReasonKind.PARALLEL_REGION:
        return f": iterations that run at once would all write to {victim}"
    assert reason.read is not None
    reader = f"'{reason.read.owner.name}'"
    if reason.read is reason.write:
        return f": {writer} still reads the old value in the next iteration"
    if isinstance(reason.write.owner, LoopLikeOp) and loop_over(reason) is reason.write.owner:
        return f": the loop would overwrite {victim}, which {reader} reads in every iteration"
    if reason.read.owner is reason.write.owner:
        return f": {writer} would overwrite what it still reads"
    if reason.kind is ReasonKind.CARRIED_AROUND_LOOP:
        return f": the next iteration's {reader} still needs what {writer} would overwrite"
    return f": {reader} still needs what {writer} would overwrite"


def _place(buffer: Buffer) -> Span | None:
    if buffer.operand is not None:
        return operand_span(buffer.operand)
    return value_span(buffer.value) or buffer.op.name_span


# -- the labels


def _labels(result: AnalysisResult, buffer: Buffer, diagnostic: Diagnostic) -> None:
    place = _place(buffer)
    if buffer.code is Code.NO_DESTINATION:
        if buffer.op.name_span is not None:
            diagnostic.label(buffer.op.name_span, "its result needs memory, and no operand offers any", True)
            diagnostic.span = buffer.op.name_span
        return
    if buffer.code is Code.LOOP_YIELD and not buffer.reasons:
        if place is not None:
            diagnostic.label(place, "handed to the next iteration, but may be somebody else's buffer", True)
        source = value_span(buffer.value)
        if source is not None and source != place:
            diagnostic.label(source, f"{value_name(buffer.value)} comes from here")
        return
    if not buffer.reasons:
        if place is not None:
            diagnostic.label(place, "needs a buffer of its own", True)
        return
    _reason_labels(result, buffer, buffer.reasons[0], diagnostic)


def _reason_labels(result: AnalysisResult, buffer: Buffer, reason: Reason, diagnostic: Diagnostic) -> None:
    place = _place(buffer)
    operand = buffer.operand
    victim = value_name(reason.value)
    if place is not None:
        diagnostic.label(place, _own_label(buffer, reason), True)
    if reason.write is not operand:
        _add(
            diagnostic,
            operand_span(reason.write),
            f"'{reason.write.owner.name}' writes here, to the same memory",
        )
    if reason.kind is ReasonKind.NOT_WRITABLE:
        _add(diagnostic, value_span(reason.value), f"{victim} {reason.why_not_writable}")
    elif reason.kind is ReasonKind.PARALLEL_REGION:
        _add(diagnostic, value_span(reason.value), f"{victim} is made once, outside of the parallel loop")
    else:
        assert reason.read is not None
        if reason.read is not operand and reason.read is not reason.write:
            _add(diagnostic, operand_span(reason.read), _read_label(reason))
        _add(diagnostic, value_span(reason.value), _definition_label(reason.value))
        if reason.loop is not None:
            _add(
                diagnostic,
                reason.loop.name_span,
                "this repeats: a later iteration reads after an earlier one wrote",
            )
    _sharing(result, buffer, reason, diagnostic)


def _own_label(buffer: Buffer, reason: Reason) -> str:
    operand = buffer.operand
    victim = value_name(reason.value)
    if operand is reason.write:
        if reason.read is operand:
            return f"reads {victim} and would overwrite it for the next iteration"
        carried = _carried(reason.write)
        if carried is not None:
            return f"the loop updates {carried}, which would share the buffer of {victim}"
        return f"writing here would overwrite {victim}"
    if operand is reason.read:
        return f"reads {victim}, so it cannot share that buffer"
    return (
        f"sharing the buffer of {value_name(operand.value)} here would let {victim} be overwritten"
        if operand
        else ""
    )


def _carried(operand: OpOperand) -> str | None:
    """The name of the loop's argument that starts with an init operand."""
    op = operand.owner
    if isinstance(op, LoopLikeOp) and operand in op.init_operands:
        position = op.init_operands.index(operand)
        if position < len(op.region_iter_args):
            return value_name(op.region_iter_args[position])
    return None


def _read_label(reason: Reason) -> str:
    assert reason.read is not None
    loop = loop_over(reason)
    if loop is reason.write.owner:
        return "read here in every iteration"
    later = "read again here in the next iteration" if loop is not None else "read here"
    if isinstance(reason.read.owner, CallOpInterface):
        return f"whose old value is {later}, by the function called"
    if isinstance(reason.read.owner.parent_op, FunctionOp) and leaves_region(reason.read.owner):
        return "whose old value is returned here"
    return f"whose old value is {later}"


def _definition_label(value: Value) -> str:
    name = value_name(value)
    if isinstance(value, BlockArgument):
        parent = value.owner.parent_op
        if isinstance(parent, FunctionOp) and value.owner.is_entry:
            return f"{name} gets its contents from the caller"
        return f"{name} gets its contents here, on entry to the block"
    assert isinstance(value, OpResult)
    if value.owner.has_trait(tr.CONSTANT_LIKE):
        return f"{name} is a constant"
    return f"{name} gets its contents here"


def _add(diagnostic: Diagnostic, span: Span | None, text: str) -> None:
    """Add a label unless the place already has one that says as much."""
    if span is None:
        return
    for label in diagnostic.labels:
        if label.span == span:
            if (text not in label.text and not label.primary) or (label.primary and text not in label.text):
                label.text += f"; {text}"
            return
    diagnostic.label(span, text)


def _sharing(result: AnalysisResult, buffer: Buffer, reason: Reason, diagnostic: Diagnostic) -> None:
    """If written and read values differ, the chain of in-place operations through which they share a buffer."""
    steps = sharing_steps(result, buffer, reason)
    for step in steps[:MAX_STEPS_SHOWN]:
        span = operand_span(step.operand) if step.operand is not None else value_span(step.left)
        text = _step_text(step)
        if span is not None:
            diagnostic.step(span, text)
    if len(steps) > MAX_STEPS_SHOWN:
        diagnostic.note(f"{len(steps) - MAX_STEPS_SHOWN} more operations in place lie between the two values")


def _step_text(step: SharingStep) -> str:
    if step.operand is None:
        return f"{value_name(step.left)} and {value_name(step.right)} are one buffer in the function called"
    op = step.operand.owner
    source = step.operand.value
    target = step.left if step.right is source else step.right
    return f"{value_name(target)} shares the buffer of {value_name(source)}: '{op.name}' is in place"


def sharing_steps(result: AnalysisResult, buffer: Buffer, reason: Reason) -> list[SharingStep]:
    """How the values that meet in a reason came to share memory, without the operand in question."""
    if reason.kind is ReasonKind.NOT_WRITABLE:
        ends = [(reason.write.value, reason.value)]
    elif reason.read is not None:
        ends = [(reason.write.value, reason.read.value)]
    else:
        return []
    steps: list[SharingStep] = []
    for a, b in ends:
        if a is b or not result.may_alias(a, b):
            # they meet only through the operand that is being decided: show each side up to it
            steps += _side(result, buffer, a) + _side(result, buffer, b)
        else:
            steps += result.sharing_path(a, b)
    return steps


def _side(result: AnalysisResult, buffer: Buffer, value: Value) -> list[SharingStep]:
    if buffer.operand is None:
        return []
    anchors = [buffer.operand.value, *[alias.value for alias in result.state.aliasing_values(buffer.operand)]]
    for anchor in anchors:
        if value is anchor:
            return []
    for anchor in anchors:
        if result.may_alias(value, anchor):
            return result.sharing_path(anchor, value)
    return []


# -- notes


def _notes(buffer: Buffer, diagnostic: Diagnostic) -> None:
    others = len(buffer.reasons) - 1
    if others > 0:
        verb = "forces" if others == 1 else "force"
        noun = "conflict" if others == 1 else "conflicts"
        least = "at least " if len(buffer.reasons) >= MAX_REASONS else ""
        diagnostic.note(f"{least}{others} other {noun} {verb} this too; --all shows each")
    if not buffer.inserted:
        diagnostic.note(
            "no buffer is inserted here: the operation is not known to bufferization, so the worst is assumed"
        )
        return
    often = describe_frequency(buffer.op)
    if buffer.copies:
        diagnostic.note(f"{buffer.size} are allocated and copied" + (f", {often}" if often else ""))
    else:
        why = (
            ""
            if buffer.code is Code.NO_DESTINATION
            else "; nobody reads what was there, so nothing is copied"
        )
        diagnostic.note(f"{buffer.size} are allocated{why}" + (f", {often}" if often else ""))
    if buffer.code is Code.UNKNOWN_OPERATION and buffer.reasons and buffer.reasons[0].unknown is not None:
        name = buffer.reasons[0].unknown.name
        diagnostic.help(f"--models FILE can say what '{name}' reads, writes and aliases")


# -- data


def place_data(span: Span | None) -> dict[str, Any] | None:
    """Line, column and end of a place, from 1."""
    if span is None:
        return None
    end_line, end_column = span.end_line_column
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def operand_data(operand: OpOperand) -> dict[str, Any]:
    """An operand for machines: the operation, its place, the operand's number."""
    return {
        "operation": operand.owner.name,
        "operand": operand.index,
        "value": value_name(operand.value),
        "at": place_data(operand_span(operand)),
        "operationAt": place_data(operand.owner.name_span),
    }


def value_data(value: Value) -> dict[str, Any]:
    """A value for machines: its name, what owns it, and its number there."""
    if isinstance(value, OpResult):
        return {
            "value": value_name(value),
            "operation": value.owner.name,
            "result": value.index,
            "at": place_data(value_span(value)),
            "operationAt": place_data(value.owner.name_span),
        }
    assert isinstance(value, BlockArgument)
    parent = value.owner.parent_op
    return {
        "value": value_name(value),
        "operation": parent.name if parent is not None else "",
        "argument": value.index,
        "at": place_data(value_span(value)),
        "operationAt": place_data(parent.name_span if parent is not None else None),
    }


def reason_data(reason: Reason) -> dict[str, Any]:
    """A reason for machines."""
    found: dict[str, Any] = {
        "kind": str(reason.kind),
        "rule": reason.rule,
        "write": operand_data(reason.write),
        "value": value_data(reason.value),
    }
    if reason.read is not None:
        found["read"] = operand_data(reason.read)
    if reason.why_not_writable:
        found["why"] = reason.why_not_writable
    if reason.loop is not None:
        found["loop"] = {"operation": reason.loop.name, "at": place_data(reason.loop.name_span)}
    return found


def buffer_data(result: AnalysisResult, buffer: Buffer) -> dict[str, Any]:
    """Everything known of a buffer, for machines."""
    often = frequency(buffer.op)
    found: dict[str, Any] = {
        "code": str(buffer.code),
        "inserted": buffer.inserted,
        "copies": buffer.copies,
        "function": function_name(buffer.op),
        "operation": buffer.op.name,
        "value": value_data(buffer.value),
        "bytes": buffer.size.static,
        "size": buffer.size.formula,
        "times": often.times,
        "loopsOfUnknownLength": len(often.unknown_loops),
        "conflicts": [reason_data(reason) for reason in buffer.reasons],
    }
    if buffer.operand is not None:
        found["operand"] = operand_data(buffer.operand)
        found["inPlace"] = result.is_in_place(buffer.operand)
    return found


def reason_diagnostic(result: AnalysisResult, buffer: Buffer, reason: Reason) -> Diagnostic:
    """One more reason for the same buffer, shown by --all."""
    diagnostic = Diagnostic(Severity.NOTE, f"another reason{_why(buffer, reason)}", _place(buffer))
    _reason_labels(result, buffer, reason, diagnostic)
    return diagnostic


__all__: Sequence[str] = [
    "buffer_data",
    "explain_buffer",
    "operand_data",
    "place_data",
    "reason_data",
    "reason_diagnostic",
    "sharing_steps",
    "value_data",
]
