"""Source-level names of buffers, and labels of conflict findings: the write, the read, the definition, the alias chain.

Labels claim only what is proved. A write is said to hit the same memory only if the two values are known to be one
buffer; a loop is said to update a carried value only if an operation in it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from ..analysis.causes import Cause
from ..analysis.function_summaries import FunctionSummaries
from ..analysis.graphs import leaves_region
from ..analysis.naming import (
    line_of,
    operand_span,
    symbol,
    value_name,
    value_name as written_name,
    value_span,
)
from ..analysis.one_shot.functions import declared_access
from ..analysis.one_shot.result import AnalysisResult, Reason, ReasonKind, SharingStep
from ..dialects import bufferization, memref, scf
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import (
    BranchOp,
    CallOpInterface,
    DestinationStyleOp,
    FunctionOp,
    LoopLikeOp,
    SelectLikeOp,
    ViewLikeOp,
)
from ..ir.source.diagnostics import Diagnostic, present
from ..ir.source.locations import Span
from ..ir.source.text import say
from ..ir.types.affine import AffineDim
from ..ir.types.affine_map import AffineMap


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
    return any(isinstance(use.owner, memref.CopyOp) and use.owner.cause is cause for use in buffer.uses)


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


LOOP_NAMES = "ijklmnop"
"""Names of the loops of a structured operation, outermost first."""

MAX_STEPS_SHOWN = 4
"""Steps of an alias chain that are labelled; the rest is counted."""


def loop_over(reason: Reason) -> Operation | None:
    """The loop behind a reason: the one whose back edge leads from the write to the read, or that itself writes what
    its body reads.
    """
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
    """The loop's region argument that an init operand initializes."""
    op = operand.owner
    if isinstance(op, LoopLikeOp) and operand in op.init_operands:
        position = op.init_operands.index(operand)
        if position < len(op.region_iter_args):
            return op.region_iter_args[position]
    return None


def name_of(op: Operation, *others: Operation | None) -> str:
    """`'linalg.map'`, or `'linalg.map' (%a)` if another operation in the message has the same name."""
    alike = any(other is not None and other is not op and other.name == op.name for other in others)
    return (
        say("'{operation}' ({value})", operation=op, value=value_name(op.results[0]))
        if alike and op.results
        else say("'{operation}'", operation=op)
    )


def mark_conflict(
    proved: FunctionSummaries, operand: OpOperand, reason: Reason, place: Span | None, diagnostic: Diagnostic
) -> None:
    """Label the places of a reason against `operand`."""
    result = proved.result
    victim = value_name(reason.value)
    diagnostic.label(place, _own_label(proved, operand, reason), True)
    if reason.write is not operand:
        add_label(diagnostic, operand_span(reason.write), _write_label(proved, operand, reason))
    if reason.kind is ReasonKind.NOT_WRITABLE:
        add_label(
            diagnostic,
            value_span(reason.value),
            "{victim} {why_not_writable}",
            victim=victim,
            why_not_writable=reason.why_not_writable,
        )
    elif reason.kind is ReasonKind.PARALLEL_REGION:
        add_label(diagnostic, value_span(reason.value), _outside_label(reason))
    elif reason.kind is ReasonKind.FORBIDDEN:
        add_label(
            diagnostic,
            value_span(reason.value),
            "rule {rule} refers to {victim}",
            victim=victim,
            rule=reason.rule,
        )
    else:
        assert reason.read is not None
        if reason.read is not operand and reason.read is not reason.write:
            add_label(diagnostic, operand_span(reason.read), _read_label(proved, reason))
        add_label(diagnostic, value_span(reason.value), _definition_label(reason.value))
        if reason.loop is not None:
            add_label(
                diagnostic,
                reason.loop.name_span,
                "this repeats: a later iteration reads after an earlier one has written",
            )
    mark_call_path(proved, reason.write, diagnostic)
    _sharing(result, operand, reason, diagnostic)


def _own_label(proved: FunctionSummaries, operand: OpOperand, reason: Reason) -> str:
    victim = value_name(reason.value)
    if operand is reason.write:
        if reason.read is operand:
            return say("reads {victim} and would overwrite it for the next iteration", victim=victim)
        if carried_by(operand) is not None:
            return say(
                "{loop_writes}, which would share the buffer of {victim}",
                loop_writes=_loop_writes(proved, operand),
                victim=victim,
            )
        if are_disjoint(proved, reason):
            return say(
                "{written_part} of the buffer of {victim} would be written here",
                written_part=_written_part(proved, operand),
                victim=victim,
            )
        if not overwrites(proved, operand, reason):
            return say("{victim} is assumed to be overwritten here", victim=victim)
        return say("writing here would overwrite {victim}", victim=victim)
    if operand is reason.read:
        return say("reads {victim}, so it cannot share that buffer", victim=victim)
    name = value_name(operand.value)
    if are_disjoint(proved, reason):
        return say(
            "if this shared the buffer of {value}, one part would be written while another is still needed",
            value=name,
        )
    if not overwrites(proved, operand, reason):
        return say(
            "sharing the buffer of {value} here is assumed to let {victim} be overwritten",
            value=name,
            victim=victim,
        )
    return say(
        "sharing the buffer of {value} here would let {victim} be overwritten", value=name, victim=victim
    )


def _write_label(proved: FunctionSummaries, operand: OpOperand, reason: Reason) -> str:
    """The label of a write through an operand other than the copied one."""
    writer = reason.write
    named = name_of(writer.owner, operand.owner, reason.read.owner if reason.read is not None else None)
    shared = say("memory that {value} would share", value=value_name(operand.value))
    if isinstance(writer.owner, LoopLikeOp):
        return say("{loop_writes}, to {shared}", loop_writes=_loop_writes(proved, writer), shared=shared)
    if not proved.is_write(writer):
        return say("{named} is assumed to write here, to {shared}", named=named, shared=shared)
    if proved.result.are_equivalent(writer.value, operand.value):
        part = proved.elements(writer, is_write=True)
        shared = say("{part} of the same buffer", part=part) if part else "to the same buffer"
    return (
        say("{named} writes here, {shared}", named=named, shared=shared)
        if not shared.startswith("[")
        else say("{named} writes {shared} here", named=named, shared=shared)
    )


def are_disjoint(proved: FunctionSummaries, reason: Reason) -> bool:
    """Whether the read and the write of a conflict access disjoint subsets of one buffer."""
    return (
        reason.kind is ReasonKind.READ_AFTER_WRITE
        and reason.read is not None
        and proved.are_disjoint(reason.read, reason.write)
    )


def overwrites(proved: FunctionSummaries, operand: OpOperand, reason: Reason) -> bool:
    """Whether the write provably clobbers the conflicting value if `operand` bufferizes in place."""
    if operand in proved.relaid or not proved.is_write(reason.write):
        return False
    if operand is reason.write and isinstance(operand.owner, DestinationStyleOp):
        # the contents may have been copied to where they are read, by a branch or a choice between buffers
        written = (operand.value, operand.owner.tied_result(operand))
        if not any(_is_alias(proved.result, value, reason.value) for value in written):
            return False
    return proved.reaches(reason.write.value, reason.value)


def _is_alias(result: AnalysisResult, one: Value | None, other: Value) -> bool:
    return one is not None and (one is other or result.may_alias(one, other))


def _written_part(proved: FunctionSummaries, write: OpOperand) -> str:
    part = proved.elements(write, is_write=True)
    return say("only {part}", part=part) if part else "only a part"


def _loop_writes(proved: FunctionSummaries, init: OpOperand) -> str:
    arg = carried_by(init)
    if arg is None:
        return say("'{operation}' is assumed to write this", operation=init.owner)
    name = value_name(arg)
    if proved.is_updated(arg):
        return say("the loop updates {value}", value=name)
    if not proved.may_be_updated(init):
        return say(
            "no operation in the loop writes its buffer, but a loop is assumed to update {value}", value=name
        )
    return say("the loop is assumed to update {value}", value=name)


def _outside_label(reason: Reason) -> str:
    name = value_name(reason.value)
    around = reason.write.owner.parent_op
    if around is not None and not isinstance(around, LoopLikeOp):
        return say(
            "{value} is one buffer for all elements that '{operation}' computes",
            value=name,
            operation=around,
        )
    return say("{value} is allocated once, outside the parallel loop", value=name)


def _read_label(proved: FunctionSummaries, reason: Reason) -> str:
    assert reason.read is not None
    loop = loop_over(reason)
    if loop is reason.write.owner:
        return "read here in every iteration"
    if loop is None and reason.read.owner is reason.write.owner:
        elements = _elements_of_body(reason.read, reason.write)
        if elements is not None:
            return say(
                "element {read} is still read here when {written} is written",
                read=elements[0],
                written=elements[1],
            )
    part = proved.elements(reason.read, is_write=False) if loop is None else ""
    if part and are_disjoint(proved, reason):
        return say("{part} is read here, which does not overlap", part=part)
    if part:
        return say("whose old value is read here, {part} of it", part=part)
    later = "read again here in the next iteration" if loop is not None else "read here"
    if isinstance(reason.read.owner, CallOpInterface):
        return say("whose old value is {later}, by the called function", later=later)
    if isinstance(reason.read.owner.parent_op, FunctionOp) and leaves_region(reason.read.owner):
        return "whose old value is returned here"
    return say("whose old value is {later}", later=later)


def _elements_of_body(read: OpOperand, write: OpOperand) -> tuple[str, str] | None:
    """The elements that a structured operation reads and writes in one iteration: `(i, k)` and `(i, j)`; None if equal."""
    op = read.owner
    if not isinstance(op, LinalgOp):
        return None
    maps = op.indexing_maps()
    one, other = _element(maps[read.index]), _element(maps[write.index])
    return None if one is None or other is None or one == other else (one, other)


def _element(map: AffineMap) -> str | None:
    """`(i, k)` for a projected permutation; None for other maps."""
    picked = [e.position for e in map.results if isinstance(e, AffineDim)]
    if len(picked) < len(map.results) or any(position >= len(LOOP_NAMES) for position in picked):
        return None
    return "(" + ", ".join(LOOP_NAMES[position] for position in picked) + ")"


def _definition_label(value: Value) -> str:
    name = value_name(value)
    if isinstance(value, BlockArgument):
        parent = value.owner.parent_op
        if isinstance(parent, FunctionOp) and value.owner.is_entry:
            return say("{value} gets its contents from the caller", value=name)
        return say("{value} gets its contents here, on entry to the block", value=name)
    assert isinstance(value, OpResult)
    if value.owner.has_trait(tr.CONSTANT_LIKE):
        return say("{value} is a constant", value=name)
    return say("{value} gets its contents here", value=name)


def add_label(diagnostic: Diagnostic, span: Span | None, text: str, /, **arguments: object) -> None:
    """Add a label, a text or a template with arguments, unless the place already has an equivalent one."""
    if span is None:
        return
    text = say(text, **arguments) if arguments else text
    for label in diagnostic.labels:
        if label.span == span:
            if text not in label.text:
                label.text = say("{first}; {second}", first=label.text, second=text)
            return
    diagnostic.label(span, text)


def _sharing(result: AnalysisResult, operand: OpOperand, reason: Reason, diagnostic: Diagnostic) -> None:
    """If the written and the read value differ, label the chain of in-place operations through which they share a
    buffer.
    """
    ends = sharing_ends(result, operand, reason)
    count = sum(result.state.alias.path_length(a, b) for a, b in ends)
    steps = islice(
        chain.from_iterable(result.sharing_path(a, b, MAX_STEPS_SHOWN) for a, b in ends), MAX_STEPS_SHOWN
    )
    for step in steps:
        span = operand_span(step.operand) if step.operand is not None else value_span(step.left)
        if span is not None:
            diagnostic.step(span, _step_text(step))
    if count > MAX_STEPS_SHOWN:
        diagnostic.note(
            "{count} more in-place operations connect the two values", count=count - MAX_STEPS_SHOWN
        )


def _step_text(step: SharingStep) -> str:
    if step.operand is None:
        return say(
            "{left} and {right} are one buffer in the called function",
            left=value_name(step.left),
            right=value_name(step.right),
        )
    op = step.operand.owner
    source = step.operand.value
    target = step.left if step.right is source else step.right
    return say(
        "{target} shares the buffer of {source}: '{operation}' is in place",
        target=value_name(target),
        source=value_name(source),
        operation=op,
    )


def sharing_ends(result: AnalysisResult, operand: OpOperand, reason: Reason) -> list[tuple[Value, Value]]:
    """Pairs of aliases between which in-place operations explain how the values of a reason came to share memory,
    without the operand in question.
    """
    if reason.kind is ReasonKind.NOT_WRITABLE:
        a, b = reason.write.value, reason.value
    elif reason.read is not None:
        a, b = reason.write.value, reason.read.value
    else:
        return []
    if a is not b and result.may_alias(a, b):
        return [(a, b)]
    # they alias only through the operand being decided: show each side up to it
    return _side(result, operand, a) + _side(result, operand, b)


def _side(result: AnalysisResult, operand: OpOperand, value: Value) -> list[tuple[Value, Value]]:
    anchors = [operand.value, *[alias.value for alias in result.state.aliasing_values(operand)]]
    if any(value is anchor for anchor in anchors):
        return []
    return [(anchor, value) for anchor in anchors if result.may_alias(value, anchor)][:1]


# -- following a write into called functions


def mark_call_path(proved: FunctionSummaries, write: OpOperand, diagnostic: Diagnostic) -> None:
    """Label the path from a call that writes its operand to the operation that performs the write; nothing if `write`
    is not a call.
    """
    call = write
    for callee, inner in proved.call_path(write):
        name = symbol(callee)
        if inner is not None:
            span = operand_span(inner)
            passed_on = isinstance(inner.owner, CallOpInterface)
            text = (
                say("@{value} forwards it here", value=name)
                if passed_on
                else say(
                    "in @{value}, '{operation}' writes it",
                    value=name,
                    operation=inner.owner,
                )
            )
        elif callee.is_declaration:
            span = callee.name_span
            is_declared = declared_access(callee, call.index) is not None
            text = (
                say("@{value} is declared to write its argument", value=name)
                if is_declared
                else say("@{value} has no body here, so it is assumed to write its argument", value=name)
            )
        else:
            copied = proved.copied_write(callee, call.index)
            span = callee.name_span if copied is None else operand_span(copied)
            text = say(
                "@{value} is assumed to write its argument, though no operation is known to", value=name
            )
            if copied is not None:
                text = say(
                    "in @{value}, '{operation}' writes only a copy of it",
                    value=name,
                    operation=copied.owner,
                )
        if span is not None and all(label.span != span for label in diagnostic.labels):
            diagnostic.label(span, text)
        call = inner if inner is not None else call


def call_path_in_words(proved: FunctionSummaries, write: OpOperand) -> str:
    """`@wrap calls @normalise, whose 'linalg.generic' on line 2 writes`; empty if the path has no nested call."""
    path = list(proved.call_path(write))
    if len(path) < 2:
        return ""
    first, *others = (f"@{symbol(callee)}" for callee, _ in path)
    chain = f"{first} calls {', which calls '.join(others)}"
    last, inner = path[-1]
    if inner is None:
        writes = "has no body here" if last.is_declaration else "is assumed to write it"
        return say("{chain}, which {writes}", chain=chain, writes=writes)
    line = line_of(inner.owner)
    return say(
        "{chain}, whose '{operation}'{place} writes",
        chain=chain,
        operation=inner.owner,
        place=say(" on line {line}", line=line) if line is not None else "",
    )
