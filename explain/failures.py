"""Bufferization failures: the cause, its place, and verified remedies with their cost.

The title is in the words of this tool; a note keeps the message of mlir-opt, since users search for it. Labels and notes
show the cause in the program: the values in two memory spaces, the swapped buffers, the read and the write that cannot
both be in place, the blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.causes import shown, stated
from ..analysis.graphs import block_graph
from ..analysis.models.base import is_elementwise_on_tensors, is_tensor
from ..analysis.naming import operand_span, value_name, value_span
from ..analysis.one_shot import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, TOP_DOWN, ReadAfterWrite, ReadOnly
from ..dialects.bufferization import ToTensorOp
from ..dialects.scf import ExecuteRegionOp, YieldOp
from ..dialects.tensor import DimOp
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp
from ..ir.source.diagnostics import Applicability, Diagnostic, Edit, Severity, Suggestion
from ..ir.source.locations import Span
from ..ir.source.records import replace
from ..ir.source.text import say
from ..transforms.changes.search import rotation, together, traded
from .conflict_labels import add_label, mark_spaces
from .kinds.remarks import DeallocationRefused, NotBufferizable

if TYPE_CHECKING:
    from ..analysis.one_shot import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult
    from .suggest import Trials

MAX_CHAIN = 32
"""Operations followed back from a yielded value to the copy that breaks equivalence."""
MAX_BLOCKS = 6
"""Blocks labelled where only one is supported."""


class Refusal(NamedTuple):
    """An error of One-Shot Bufferize in the words of this tool.

    Attributes:
        reported: identifies mlir-opt's message.
        title: replaces it.
        help: the way out; empty if it depends on the program.
        conversion: a pass that removes the cause.
    """

    reported: str
    title: str
    help: str = ""
    conversion: str = ""


REFUSALS = (
    Refusal(
        "func.func without func.return",
        "'{operation}' cannot be bufferized: no path through it returns",
        "return from one of its blocks; until then, bufferize-function-boundaries=false leaves its signature alone",
    ),
    Refusal("without `restrict`", "'{operation}' needs 'restrict'"),
    Refusal(
        "op without unique scf.yield",
        "'{operation}' cannot be bufferized: several blocks yield its results",
        "branch to one block that yields them, with the results as arguments; or use scf.if",
    ),
    Refusal("unstructured control flow", "'{operation}' cannot be bufferized: its region has several blocks"),
    Refusal("would write to read-only", "'{operation}' must be in place, and would write a read-only buffer"),
    Refusal(
        "cannot avoid RaW", "'{operation}' must be in place, and would overwrite contents that are read later"
    ),
    Refusal("Yield operand", "the loop yields another buffer than the one it received"),
    Refusal("Condition arg", "the loop's condition forwards another buffer than the one it received"),
    Refusal(
        "could not infer buffer type of block argument",
        "the function cannot be bufferized: no branch from the entry reaches one of its blocks",
        "remove unreachable blocks, as -canonicalize does",
        "canonicalize",
    ),
    Refusal(
        "only i1 condition values",
        "'{operation}' cannot be bufferized: it selects elementwise, by a tensor of conditions",
        "-convert-elementwise-to-linalg before it: '{operation}' is then a linalg.generic",
        "convert-elementwise-to-linalg",
    ),
    Refusal(
        "does not equal memref symbol count",
        "'{operation}' cannot be bufferized: it needs a copy in a buffer whose layout is known only at run time, which cannot be allocated",
        "function-boundary-type-conversion=identity-layout-map makes functions take contiguous buffers, which can be allocated",
    ),
    Refusal(
        "global op must have a value",
        "a global without an initial value cannot be bufferized",
        "give it a value, such as (dense<0.0> : tensor<4xf32>)",
    ),
    Refusal(
        "copying of unranked tensors",
        "a copy of an unranked tensor would be needed, which is not supported",
        "cast it to a ranked tensor (tensor.cast) before it is written",
    ),
    Refusal(
        "bufferized with the sparsifier",
        "'{operation}' cannot be bufferized: sparse tensors have no buffers before sparsification",
        "run mlir-opt's -sparsifier instead, which includes bufferization",
    ),
)
"""Messages that are not listed are clear as they are."""

NOT_BUFFERIZED = "op was not bufferized"
"""The message about an operation without a bufferization."""
NO_BUFFERIZATION = "'{operation}' cannot be bufferized: no bufferization is known for it"
BY_CONVERSION = {"convert-elementwise-to-linalg": "a linalg.generic", "lower-affine": "an operation of scf"}
"""Passes of `bufferize-opt` that convert an operation to one with a bufferization, and what it becomes."""
OUTSIDE = {
    "tosa": "lower it first with mlir-opt's -tosa-to-linalg-pipeline",
    "quant": "lower it first with mlir-opt's -lower-quant-ops",
    "shape": "lower it first with mlir-opt's -convert-shape-to-std",
    "linalg.pack": "lower it first with transform.structured.lower_pack",
    "linalg.unpack": "lower it first with transform.structured.lower_unpack",
    "scf.parallel": "use scf.forall, which takes tensors as shared_outs",
    "scf.reduce": "use scf.for with iter_args, since no parallel loop reduces tensors",
    "tensor.gather": "write it as a linalg.generic that extracts from the source",
    "tensor.scatter": "write it as a loop of tensor.insert_slice",
    "func.call_indirect": "call the function by its name, so that its body is known",
}
"""The way out for operations and dialects that no pass of `bufferize-opt` converts."""


def _refusal(operation: Operation | None, message: str) -> Refusal | None:
    """The error in our words; None if the message is clear as it is."""
    if NOT_BUFFERIZED not in message:
        return next((one for one in REFUSALS if one.reported in message), None)
    if operation is None:
        return None
    if is_elementwise_on_tensors(operation):
        conversion = "convert-elementwise-to-linalg"
    else:
        conversion = "lower-affine" if operation.name in ("affine.for", "affine.if") else ""
    if conversion:
        becomes = BY_CONVERSION[conversion]
        return Refusal(
            message,
            NO_BUFFERIZATION,
            say(
                "-{conversion} before it: '{operation}' is then {becomes}",
                conversion=conversion,
                operation=operation,
                becomes=becomes,
            ),
            conversion,
        )
    outside = OUTSIDE.get(operation.name) or OUTSIDE.get(operation.dialect)
    return Refusal(
        message,
        NO_BUFFERIZATION,
        outside
        or "convert it first; describe it in a facts file (with 'becomes') or in Python (a model and a rewrite); or keep its tensors with the option allow-unknown-ops of one-shot-bufferize",
    )


def _in_our_words(result: AnalysisResult, problem: Diagnostic) -> Operation | None:
    """Set title, code, note and derivation of an error; returns the rejected operation."""
    operation = _operation_at(result, problem)
    problem.code = problem.code or NotBufferizable.id
    if problem.derivation is None:
        problem.derivation = stated(("refused", "bufferization", operation or result.state.root))
    refusal = _refusal(operation, problem.message)
    if refusal is not None and operation is not None:
        name = operation
        reported, problem.message = problem.message, say(refusal.title, operation=name)
        if refusal.help:
            problem.help(refusal.help, operation=name)
        problem.note("mlir-opt reports: {reported}", reported=reported)
    elif operation is not None and f"'{operation.name}'" not in problem.message:
        problem.message = say(
            "'{operation}' cannot be bufferized: {reported}",
            operation=operation,
            reported=problem.message,
        )
    return operation


def explain_failures(result: AnalysisResult, trials: Trials | None, with_options: bool = True) -> None:
    """Add to each error of the analysis its cause and the changes, including options, that make the program bufferize."""
    outcomes = ways_out(trials) if trials is not None and with_options else []
    for problem in result.errors:
        operation = _in_our_words(result, problem)
        if operation is not None:
            _explain(result, problem, operation)
            if trials is not None and isinstance(operation.parent_op, LoopLikeOp):
                swapped = next((use for use in operation.op_operands if traded(result, use)), None)
                problem.suggestions += (
                    trials.suggestions(swapped, [], is_copied=False) if swapped is not None else []
                )
        for line in outcomes:
            problem.help(line)


def _explain(result: AnalysisResult, problem: Diagnostic, op: Operation) -> None:
    conflict = next((found for use in op.op_operands if (found := result.conflict(use)) is not None), None)
    if _has_blocks(op):
        _assert_blocks(problem, op)
    elif isinstance(op, ToTensorOp):
        _assert_restrict(result, problem, op)
    elif isinstance(conflict, ReadAfterWrite | ReadOnly):
        _assert_conflict(problem, conflict)
        if isinstance(conflict, ReadAfterWrite):
            row = (conflict.read, conflict.write, conflict.definition)
            if result.state.database.holds("raw_conflict", row):
                problem.derivation = lambda: result.state.database.explain("raw_conflict", row).render(shown)
    elif isinstance(op.parent_op, LoopLikeOp):
        for operand in op.op_operands:
            _assert_loop(result, problem, operand)


def _has_blocks(op: Operation) -> bool:
    return any(not region.is_empty and not region.has_one_block for region in op.regions)


def _assert_blocks(problem: Diagnostic, op: Operation) -> None:
    """Explain several blocks where bufferization supports one, several yields, or a block that is not reached."""
    region = next(region for region in op.regions if not region.is_empty and not region.has_one_block)
    blocks = list(region)
    if isinstance(op, FunctionOp):
        reachable = set(block_graph(region).reachable)
        for block in [block for block in blocks if block not in reachable][:MAX_BLOCKS]:
            first = value_span(block.args[0]) if block.args else None
            add_label(problem, first or (block.first_op or op).name_span, "this block is never reached")
        return
    if isinstance(op, ExecuteRegionOp):
        leaving = [block.last_op for block in blocks if isinstance(block.last_op, YieldOp)]
        for number, leave in enumerate(leaving[:MAX_BLOCKS]):
            add_label(
                problem,
                leave.name_span if leave else None,
                "yields results" if number == 0 else "so does this",
            )
        return
    for block in blocks[1 : 1 + MAX_BLOCKS]:
        first = block.first_op
        if first is not None:
            add_label(problem, first.name_span, "another block of the region starts here")
    problem.note(
        "the region has {count} blocks; '{operation}' can be bufferized only with a single block whose terminator yields the results",
        count=len(blocks),
        operation=op,
    )
    problem.help("use structured control flow (scf.if, scf.while) inside the region, or a function instead")


def _assert_restrict(result: AnalysisResult, problem: Diagnostic, op: ToTensorOp) -> None:
    """Explain a `to_tensor` whose buffer may have other tensor aliases."""
    buffer = op.operands[0]
    name = value_name(buffer)
    others = [use.owner for use in buffer.uses if isinstance(use.owner, ToTensorOp) and use.owner is not op]
    add_label(
        problem,
        operand_span(op.op_operands[0]),
        "another tensor of {name} could be in the same memory",
        name=name,
    )
    problem.note("the analysis tracks tensors, and would miss that two of them share memory")
    if others:
        add_label(problem, others[0].name_span, "and this is another tensor of {name}", name=name)
        problem.help("make one tensor of {name}, with restrict, and use that one in both places", name=name)
        return
    problem.help(
        "add 'restrict', which promises that no other to_tensor reads {name}; here none does", name=name
    )
    span = operand_span(op.op_operands[0])
    if span is not None and span.source.text[span.start : span.end] == name:
        after = Span(span.source, span.end, span.end)
        problem.suggestions.append(
            Suggestion(
                say("promise that {name} has no other tensor", name=name),
                [Edit(after, " restrict")],
                applicability=Applicability.CALLERS,
            )
        )


def _assert_conflict(problem: Diagnostic, conflict: ReadAfterWrite | ReadOnly) -> None:
    """Explain operands that must be in place but cannot be."""
    if isinstance(conflict, ReadOnly):
        for value in conflict.values[:MAX_BLOCKS]:
            add_label(problem, value_span(value), "{value} must not be written", value=value_name(value))
        problem.help("copy it with bufferization.alloc_tensor copy(...), and use the copy")
        return
    read, write, victim = conflict.read, conflict.write, value_name(conflict.definition)
    add_label(
        problem,
        operand_span(write),
        "'{operation}' writes here, and must do so in place",
        operation=write.owner,
    )
    if read is not write:
        add_label(
            problem,
            operand_span(read),
            "whose old value is read here, and cannot be a copy of {victim} either",
            victim=victim,
        )
    add_label(problem, value_span(conflict.definition), "{victim} gets its contents here", victim=victim)
    problem.help(
        "copy {victim} with bufferization.alloc_tensor copy({victim}), and let one of the two use the copy",
        victim=victim,
    )


def _assert_loop(result: AnalysisResult, problem: Diagnostic, handed: OpOperand) -> None:
    """Explain a loop that yields a buffer other than its own."""
    if not is_tensor(handed.value):
        return
    here, name = operand_span(handed), value_name(handed.value)
    trade = traded(result, handed)
    if trade is not None:
        one, other = value_name(trade[0]), value_name(trade[1])
        add_label(problem, here, "forwards the buffer of {one} as {other}", one=one, other=other)
        cycle = rotation(result, handed)
        does = "swap buffers, so neither" if len(cycle) == 2 else "rotate their buffers, so none"
        names = together([value_name(argument) for argument in cycle]) if cycle else ""
        said = say("{names} {does} ends in the buffer in which the iteration began", names=names, does=does)
        if cycle and all(said != note.text for note in problem.notes):
            problem.note(said)
        return
    spoiler = spoiler_of(result, handed.value)
    origin = None if spoiler is not None else _new_buffer(result, handed)
    if spoiler is None and origin is None:
        argument = _its_argument(handed)
        if argument is not None and not result.are_equivalent(handed.value, argument):
            began = value_name(argument)
            add_label(
                problem,
                here,
                "{name} is not known to be in the buffer of {began}, in which the iteration began",
                name=name,
                began=began,
            )
        return
    add_label(problem, here, "{name} does not end in the buffer in which the iteration began", name=name)
    if spoiler is not None:
        add_label(
            problem,
            operand_span(spoiler),
            "because '{operation}' writes to another buffer than that of {value} (explained below)",
            operation=spoiler.owner,
            value=value_name(spoiler.value),
        )
    if origin is not None:
        inside = handed.owner.parent_op is not None and handed.owner.parent_op.is_ancestor_of(origin.owner)
        what = (
            "each iteration allocates a new buffer here"
            if inside
            else "it is this buffer, allocated outside the loop"
        )
        add_label(problem, value_span(origin), what)
        argument = _its_argument(handed)
        if inside and argument is not None and _is_sized_by(origin, argument):
            carried = value_name(argument)
            problem.note(
                "its size is computed from that of {carried}: each iteration has a tensor of a different size, which does not fit into the buffer of {carried}, and copies all previous contents",
                carried=carried,
            )
            problem.help("allocate the tensor once before the loop, with its final size, and insert into it")


def _its_argument(handed: OpOperand) -> Value | None:
    """The loop argument that corresponds to a forwarded operand of a terminator."""
    region = handed.owner.parent_region
    loop = handed.owner.parent_op
    if region is None or not isinstance(loop, LoopLikeOp):
        return None
    arguments = region.entry.args
    position = len(arguments) - len(handed.owner.op_operands) + handed.index
    return arguments[position] if position >= 0 else None


def _is_sized_by(origin: OpResult, argument: Value) -> bool:
    """Whether a size of a new tensor is computed from a size of `argument`."""
    waiting, seen = list(origin.owner.operands), set[Value]()
    while waiting and len(seen) < MAX_CHAIN:
        value = waiting.pop()
        op = value.defining_op
        if value in seen or op is None:
            continue
        seen.add(value)
        if isinstance(op, DimOp) and op.operands[0] is argument:
            return True
        waiting += op.operands
    return False


def _operation_at(result: AnalysisResult, problem: Diagnostic) -> Operation | None:
    """The operation at an error's position."""
    if problem.span is None:
        return None
    for root in [*result.analyzed, result.state.root]:
        for op in root.walk():
            if (
                op.where is not None
                and op.where[0] is problem.span.source
                and op.where[2] == problem.span.start
            ):
                return op
    return None


def spoiler_of(result: AnalysisResult, value: Value) -> OpOperand | None:
    """The out-of-place operand at which `value` ceases to be equivalent to its origin."""
    state = result.state
    for _ in range(MAX_CHAIN):
        if not isinstance(value, OpResult):
            return None
        following: Value | None = None
        for alias in state.aliasing_operands(value):
            if not result.is_in_place(alias.operand):
                return alias.operand
            if following is None:
                following = alias.operand.value
        if following is None:
            return None
        value = following
    return None


def _new_buffer(result: AnalysisResult, handed: OpOperand) -> OpResult | None:
    """The result that allocates the buffer of a forwarded value, if it is not an argument."""
    value = handed.value
    for _ in range(MAX_CHAIN):
        if not isinstance(value, OpResult):
            return None
        aliases = result.state.aliasing_operands(value)
        if not aliases:
            return value
        value = aliases[0].operand.value
    return None


def ways_out(trials: Trials) -> list[str]:
    """Options under which the program bufferizes, with their cost, cheapest first."""
    current = trials.result.options
    attempts: list[tuple[str, AnalysisOptions]] = [
        (f"--analysis-heuristic={heuristic}", replace(current, analysis_heuristic=heuristic))
        for heuristic in (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS)
        if heuristic != current.analysis_heuristic
    ]
    if not current.allow_return_allocs_from_loops:
        attempts.append(
            ("--allow-return-allocs-from-loops", replace(current, allow_return_allocs_from_loops=True))
        )
    found = []
    for flag, options in attempts:
        totals = trials.with_options(options)
        if totals is not None:
            found.append(
                (
                    totals.copies,
                    totals.allocations,
                    say("{flag} bufferizes it, with {totals}", flag=flag, totals=totals.describe()),
                )
            )
    return [line for _, _, line in sorted(found)]


VAGUE = "failed to bufferize op"
"""The message that mlir-opt appends to every other error of a rewrite."""


def conversions(result: AnalysisResult, problems: Sequence[Diagnostic]) -> tuple[str, ...]:
    """The passes that together remove the causes of all errors of a rewrite; empty if one has no such pass."""
    refusals = [
        _refusal(_operation_at(result, problem), problem.message)
        for problem in problems
        if problem.message != VAGUE
    ]
    if not all(one is not None and one.conversion for one in refusals):
        return ()
    return tuple(dict.fromkeys(one.conversion for one in refusals if one is not None))


def explain_refusals(result: AnalysisResult, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The errors of the rewrite, with causes and remedies."""
    found: list[Diagnostic] = []
    for problem in problems:
        if problem.message == VAGUE and found:
            continue  # adds nothing to the other errors
        problem.severity = Severity.ERROR
        is_about_space, is_about_blocks = (
            any(one in problem.message for one in words)
            for words in (("memory space",), ("unstructured control flow", "type of block argument"))
        )
        operation = _in_our_words(result, problem)
        if operation is not None and is_about_space:
            mark_spaces(result, operation, problem)
        if operation is not None and is_about_blocks and _has_blocks(operation):
            _assert_blocks(problem, operation)
        found.append(problem)
    return found


class FreeingRefusal(NamedTuple):
    """An error of the deallocation pipeline in our words: what is rejected, the label of the place, and a note."""

    reported: str
    title: str
    label: str
    note: str


NOT_FREED = (
    FreeingRefusal(
        "free side-effect",
        "it frees memory itself",
        "the program frees memory itself here",
        "a buffer must be freed either by the program or by the pass",
    ),
    FreeingRefusal(
        "structured control-flow loops",
        "its branches form a loop",
        "branches of this function form a loop",
        "branches back to earlier blocks form a loop, and the pipeline supports structured loops only",
    ),
    FreeingRefusal(
        "more than one successor",
        "'{operation}' has several successors",
        "branches to one of several blocks",
        "of branches with several successors, the pipeline supports cf.cond_br only",
    ),
    FreeingRefusal(
        "unknown memory side effects",
        "the effects of '{operation}' on memory are unknown",
        "may allocate, free or retain any buffer",
        "an operation has effects if its definition declares them (--ods, --irdl or --dialect)",
    ),
)


def explain_not_freed(result: AnalysisResult, problem: Diagnostic, is_freed_statically: bool) -> Diagnostic:
    """A remark that deallocation rejects the bufferized program; no error, as bufferization itself succeeds.

    Args:
        is_freed_statically: whether -buffer-deallocation-static was tried and accepts the program.
    """
    operation = _operation_at(result, problem)
    known = next((one for one in NOT_FREED if one.reported in problem.message), None)
    name = operation if operation is not None else ""
    why = say(known.title, operation=name) if known is not None else problem.message
    title = say("the deallocation pipeline rejects this program: {why}", why=why)
    said = Diagnostic(Severity.REMARK, title, problem.span, DeallocationRefused.id)
    said.derivation = stated(("refused", "deallocation", operation or result.state.root))
    said.label(said.span, known.label if known is not None else "here", True)
    if known is not None:
        said.note(known.note)
        said.note("mlir-opt reports: {message}", message=problem.message)
    if is_freed_statically:
        said.help("-buffer-deallocation-static accepts this program (tried)")
    elif known is NOT_FREED[0]:
        said.help("remove the deallocations")
    said.note("therefore, the clones made by deallocation are not counted")
    return said
