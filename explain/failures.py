"""Bufferization failures: the cause, its place, and verified remedies with their cost.

The message of mlir-opt is kept, since users search for it. Notes show the cause in the program: the values in two
memory spaces, the swapped buffers, the read and the write that cannot both be in place, the blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..analysis.causes import shown, stated
from ..analysis.models.base import is_elementwise_on_tensors, is_tensor
from ..analysis.naming import operand_span, value_name, value_span
from ..analysis.one_shot.decided import ReadAfterWrite, ReadOnly
from ..analysis.one_shot.options import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, TOP_DOWN
from ..dialects.bufferization import ToTensorOp
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import LoopLikeOp
from ..ir.source.diagnostics import Applicability, Diagnostic, Edit, Severity, Suggestion
from ..ir.source.locations import Span
from ..ir.source.records import replace
from ..transforms.changes.search import rotation, together, traded
from .buffer_names import mark_spaces
from .conflict_labels import add_label
from .kinds.remarks import DeallocationRefused, NotBufferizable

if TYPE_CHECKING:
    from ..analysis.one_shot.options import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult
    from .suggest import Trials

MAX_CHAIN = 32
"""Operations followed back from a yielded value to the copy that breaks equivalence."""
MAX_BLOCKS = 6
"""Blocks labelled where only one is supported."""


def explain_failures(result: AnalysisResult, trials: Trials | None, with_options: bool = True) -> None:
    """Add to each error of the analysis its cause and the changes, including options, that make the program bufferize."""
    outcomes = ways_out(trials) if trials is not None and with_options else []
    for problem in result.errors:
        problem.code = problem.code or NotBufferizable.id
        operation = _operation_at(result, problem)
        if problem.derivation is None:
            problem.derivation = stated(("refused", "bufferization", operation or result.state.root))
        if operation is not None:
            _explain(result, problem, operation)
            if trials is not None and isinstance(operation.parent_op, LoopLikeOp):
                swapped = next((use for use in operation.op_operands if traded(result, use)), None)
                problem.suggestions += trials.suggestions(swapped, []) if swapped is not None else []
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
    """Explain several blocks where bufferization supports one."""
    region = next(region for region in op.regions if not region.is_empty and not region.has_one_block)
    blocks = list(region)
    for block in blocks[1 : 1 + MAX_BLOCKS]:
        first = block.first_op
        if first is not None:
            add_label(problem, first.name_span, "another block of the region starts here")
    problem.note(
        f"the region has {len(blocks)} blocks; '{op.name}' can be bufferized only with a single block whose terminator yields the results"
    )
    problem.help("use structured control flow (scf.if, scf.while) inside the region, or a function instead")


def _assert_restrict(result: AnalysisResult, problem: Diagnostic, op: ToTensorOp) -> None:
    """Explain a `to_tensor` whose buffer may have other tensor aliases."""
    buffer = op.operands[0]
    name = value_name(buffer)
    others = [use.owner for use in buffer.uses if isinstance(use.owner, ToTensorOp) and use.owner is not op]
    add_label(
        problem, operand_span(op.op_operands[0]), f"another tensor of {name} could be in the same memory"
    )
    problem.note("the analysis tracks tensors, and would miss that two of them share memory")
    if others:
        add_label(problem, others[0].name_span, f"and this is another tensor of {name}")
        problem.help(f"make one tensor of {name}, with restrict, and use that one in both places")
        return
    problem.help(f"add 'restrict', which promises that no other to_tensor reads {name}; here none does")
    span = operand_span(op.op_operands[0])
    if span is not None and span.source.text[span.start : span.end] == name:
        after = Span(span.source, span.end, span.end)
        problem.suggestions.append(
            Suggestion(
                f"promise that {name} has no other tensor",
                [Edit(after, " restrict")],
                applicability=Applicability.CALLERS,
            )
        )


def _assert_conflict(problem: Diagnostic, conflict: ReadAfterWrite | ReadOnly) -> None:
    """Explain operands that must be in place but cannot be."""
    if isinstance(conflict, ReadOnly):
        for value in conflict.values[:MAX_BLOCKS]:
            add_label(problem, value_span(value), f"{value_name(value)} must not be written")
        problem.help("copy it with bufferization.alloc_tensor copy(...), and use the copy")
        return
    read, write, victim = conflict.read, conflict.write, value_name(conflict.definition)
    add_label(problem, operand_span(write), f"'{write.owner.name}' writes here, and must do so in place")
    if read is not write:
        add_label(
            problem,
            operand_span(read),
            f"whose old value is read here, and cannot be a copy of {victim} either",
        )
    add_label(problem, value_span(conflict.definition), f"{victim} gets its contents here")
    problem.help(
        f"copy {victim} with bufferization.alloc_tensor copy({victim}), and let one of the two use the copy"
    )


def _assert_loop(result: AnalysisResult, problem: Diagnostic, handed: OpOperand) -> None:
    """Explain a loop that yields a buffer other than its own."""
    if not is_tensor(handed.value):
        return
    here, name = operand_span(handed), value_name(handed.value)
    trade = traded(result, handed)
    if trade is not None:
        one, other = value_name(trade[0]), value_name(trade[1])
        add_label(problem, here, f"forwards the buffer of {one} as {other}")
        cycle = rotation(result, handed)
        does = "swap buffers, so neither" if len(cycle) == 2 else "rotate their buffers, so none"
        names = together([value_name(argument) for argument in cycle]) if cycle else ""
        said = f"{names} {does} ends in the buffer in which the iteration began"
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
                f"{name} is not known to be in the buffer of {began}, in which the iteration began",
            )
        return
    add_label(problem, here, f"{name} does not end in the buffer in which the iteration began")
    if spoiler is not None:
        add_label(
            problem,
            operand_span(spoiler),
            f"because '{spoiler.owner.name}' works on a copy of {value_name(spoiler.value)} (explained below)",
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
                f"its size is computed from that of {carried}: each iteration has a tensor of a different size, which does not fit into the buffer of {carried}, and copies all previous contents"
            )
            problem.help("allocate the tensor once before the loop, with its final size, and insert into it")


def _its_argument(handed: OpOperand) -> Value | None:
    """The loop argument that corresponds to a forwarded operand of a terminator."""
    region = handed.owner.parent_region
    loop = handed.owner.parent_op
    if region is None or not isinstance(loop, LoopLikeOp):
        return None
    arguments = region.entry.args
    first = len(arguments) - len(handed.owner.op_operands)
    return arguments[first + handed.index] if first >= 0 else None


def _is_sized_by(origin: OpResult, argument: Value) -> bool:
    """Whether a size of a new tensor is computed from a size of `argument`."""
    waiting, seen = list(origin.owner.operands), set[Value]()
    while waiting and len(seen) < MAX_CHAIN:
        value = waiting.pop()
        op = value.defining_op
        if value in seen or op is None:
            continue
        seen.add(value)
        if op.name == "tensor.dim" and op.operands[0] is argument:
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
                (totals.copies, totals.allocations, f"{flag} bufferizes it, with {totals.describe()}")
            )
    return [line for _, _, line in sorted(found)]


VAGUE = "failed to bufferize op"
"""The message that mlir-opt appends to every other error of a rewrite."""


def has_missing_conversion(result: AnalysisResult, problems: Iterable[Diagnostic]) -> bool:
    """Whether all unbufferized operations are elementwise on tensors, which a pass can convert."""
    left = [
        _operation_at(result, problem) for problem in problems if problem.message == "op was not bufferized"
    ]
    return bool(left) and all(op is not None and is_elementwise_on_tensors(op) for op in left)


def explain_refusals(result: AnalysisResult, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The errors of the rewrite, with causes and remedies."""
    found: list[Diagnostic] = []
    for problem in problems:
        if problem.message == VAGUE and found:
            continue  # adds nothing to the other errors
        problem.severity = Severity.ERROR
        problem.code = problem.code or NotBufferizable.id
        operation = _operation_at(result, problem)
        if problem.derivation is None:
            problem.derivation = stated(("refused", "bufferization", operation or result.state.root))
        if operation is not None:
            if "memory space" in problem.message:
                mark_spaces(result, operation, problem)
            if f"'{operation.name}'" not in problem.message:
                problem.message = f"'{operation.name}' cannot be bufferized: {problem.message}"
            if "unstructured control flow" in problem.message and _has_blocks(operation):
                _assert_blocks(problem, operation)
        if problem.message.endswith("op was not bufferized"):
            if operation is not None and is_elementwise_on_tensors(operation):
                problem.help(
                    f"-convert-elementwise-to-linalg before it: '{operation.name}' is then a linalg.generic"
                )
                found.append(problem)
                continue
            problem.help(
                "the operation has no bufferization: convert it first, add a model and a rewrite in Python, or keep its tensors with the option allow-unknown-ops of one-shot-bufferize"
            )
        found.append(problem)
    return found


def explain_not_freed(result: AnalysisResult, problem: Diagnostic) -> Diagnostic:
    """A remark that deallocation rejects the bufferized program; no error, as bufferization itself succeeds."""
    said = Diagnostic(
        Severity.REMARK,
        f"the deallocation pipeline rejects this program: {problem.message}",
        problem.span,
        DeallocationRefused.id,
    )
    operation = _operation_at(result, problem)
    said.derivation = stated(("refused", "deallocation", operation or result.state.root))
    if operation is not None and said.span is not None:
        freeing = "free" in problem.message
        said.label(said.span, "the program frees memory itself here" if freeing else "here", True)
    if "free" in problem.message:
        said.note("a buffer must be freed either by the program or by the pass")
        said.help("remove the deallocations, or run -buffer-deallocation-static, which supports them")
    elif "loops" in problem.message:
        said.note(
            "branches back to earlier blocks form a loop, and the pipeline supports structured loops only"
        )
        said.help("use -buffer-deallocation-static, which supports any control flow")
    said.note("therefore, the clones made by deallocation are not counted")
    return said
