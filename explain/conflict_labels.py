"""What findings of conflicts have in common: the labels of write, read and definition, and the chain that joins them.

Nothing is said that is not proved. A write is called one to the same memory only if the two values are known to be one
buffer; a loop is said to update what it carries only if something in it does.
"""

from __future__ import annotations

from ..analysis.conflicts import Reason, ReasonKind
from ..analysis.control_flow import leaves_region
from ..analysis.one_shot.result import AnalysisResult, SharingStep
from ..analysis.places import operand_span, value_name, value_span
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp, LoopLikeOp
from ..ir.source.diagnostics import Diagnostic
from ..ir.source.places import Span
from .called import writer_in_callee

MAX_STEPS_SHOWN = 4
"""Steps of a chain of shared buffers that are drawn; the rest is counted."""


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


def carried_by(operand: OpOperand) -> BlockArgument | None:
    """The loop's argument that starts with an init operand."""
    op = operand.owner
    if isinstance(op, LoopLikeOp) and operand in op.init_operands:
        position = op.init_operands.index(operand)
        if position < len(op.region_iter_args):
            return op.region_iter_args[position]
    return None


def is_updated(result: AnalysisResult, arg: BlockArgument) -> bool:
    """Whether something inside the loop writes in place what may be the buffer of its argument. O(alias class)."""
    loop = arg.owner.parent_op
    assert loop is not None
    return any(
        loop.is_proper_ancestor_of(write.owner) and carried_by(write) is None
        for alias in result.alias_set(arg)
        for write in result.state.in_place_writes(alias)
    )


def mark_conflict(
    result: AnalysisResult, operand: OpOperand, reason: Reason, place: Span | None, diagnostic: Diagnostic
) -> None:
    """Label what a reason against `operand` is about."""
    victim = value_name(reason.value)
    if place is not None:
        diagnostic.label(place, _own_label(result, operand, reason), True)
    if reason.write is not operand:
        writer = reason.write
        same = result.are_equivalent(writer.value, operand.value)
        where = "to the same memory" if same else f"to memory that {value_name(operand.value)} would share"
        if isinstance(writer.owner, LoopLikeOp):
            add_label(diagnostic, operand_span(writer), f"{_loop_writes(result, writer)}, {where}")
        else:
            add_label(diagnostic, operand_span(writer), f"'{writer.owner.name}' writes here, {where}")
    if reason.kind is ReasonKind.NOT_WRITABLE:
        add_label(diagnostic, value_span(reason.value), f"{victim} {reason.why_not_writable}")
    elif reason.kind is ReasonKind.PARALLEL_REGION:
        add_label(
            diagnostic, value_span(reason.value), f"{victim} is made once, outside of the parallel loop"
        )
    else:
        assert reason.read is not None
        if reason.read is not operand and reason.read is not reason.write:
            add_label(diagnostic, operand_span(reason.read), _read_label(reason))
        add_label(diagnostic, value_span(reason.value), _definition_label(reason.value))
        if reason.loop is not None:
            add_label(
                diagnostic,
                reason.loop.name_span,
                "this repeats: a later iteration reads after an earlier one wrote",
            )
    for called, text in writer_in_callee(result, reason.write):
        add_label(diagnostic, called, text)
    _sharing(result, operand, reason, diagnostic)


def _own_label(result: AnalysisResult, operand: OpOperand, reason: Reason) -> str:
    victim = value_name(reason.value)
    if operand is reason.write:
        if reason.read is operand:
            return f"reads {victim} and would overwrite it for the next iteration"
        if carried_by(operand) is not None:
            return f"{_loop_writes(result, operand)}, which would share the buffer of {victim}"
        return f"writing here would overwrite {victim}"
    if operand is reason.read:
        return f"reads {victim}, so it cannot share that buffer"
    return f"sharing the buffer of {value_name(operand.value)} here would let {victim} be overwritten"


def _loop_writes(result: AnalysisResult, init: OpOperand) -> str:
    arg = carried_by(init)
    if arg is None:
        return f"'{init.owner.name}' is taken to write this"
    name = value_name(arg)
    return f"the loop updates {name}" if is_updated(result, arg) else f"the loop is taken to update {name}"


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


def add_label(diagnostic: Diagnostic, span: Span | None, text: str) -> None:
    """Add a label unless the place already has one that says as much."""
    if span is None:
        return
    for label in diagnostic.labels:
        if label.span == span:
            if text not in label.text:
                label.text += f"; {text}"
            return
    diagnostic.label(span, text)


def _sharing(result: AnalysisResult, operand: OpOperand, reason: Reason, diagnostic: Diagnostic) -> None:
    """If written and read values differ, the chain of in-place operations through which they share a buffer."""
    steps = sharing_steps(result, operand, reason)
    for step in steps[:MAX_STEPS_SHOWN]:
        span = operand_span(step.operand) if step.operand is not None else value_span(step.left)
        if span is not None:
            diagnostic.step(span, _step_text(step))
    if len(steps) > MAX_STEPS_SHOWN:
        diagnostic.note(f"{len(steps) - MAX_STEPS_SHOWN} more operations in place lie between the two values")


def _step_text(step: SharingStep) -> str:
    if step.operand is None:
        return f"{value_name(step.left)} and {value_name(step.right)} are one buffer in the function called"
    op = step.operand.owner
    source = step.operand.value
    target = step.left if step.right is source else step.right
    return f"{value_name(target)} shares the buffer of {value_name(source)}: '{op.name}' is in place"


def sharing_steps(result: AnalysisResult, operand: OpOperand, reason: Reason) -> list[SharingStep]:
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
            steps += _side(result, operand, a) + _side(result, operand, b)
        else:
            steps += result.sharing_path(a, b)
    return steps


def _side(result: AnalysisResult, operand: OpOperand, value: Value) -> list[SharingStep]:
    anchors = [operand.value, *[alias.value for alias in result.state.aliasing_values(operand)]]
    for anchor in anchors:
        if value is anchor:
            return []
    for anchor in anchors:
        if result.may_alias(value, anchor):
            return result.sharing_path(anchor, value)
    return []


__all__ = ["add_label", "carried_by", "is_updated", "loop_over", "mark_conflict", "sharing_steps"]
