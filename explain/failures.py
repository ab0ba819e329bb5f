"""When bufferization fails: what spoils it, and the ways out with their price, each tried before it is printed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..analysis.one_shot.options import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, TOP_DOWN
from ..analysis.places import operand_span, value_name
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.source.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from ..analysis.one_shot.options import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult
    from .suggest import Trials

MAX_CHAIN = 32
"""Operations followed back from a yielded value to the copy that spoils it."""


def explain_failures(result: AnalysisResult, trials: Trials) -> None:
    """Add to each error of the analysis what spoils bufferization there, and what would let it pass."""
    outcomes = ways_out(trials)
    for problem in result.errors:
        operation = _operation_at(result, problem)
        if operation is not None:
            for operand in operation.op_operands:
                spoiler = _spoiler(result, operand.value)
                if spoiler is not None:
                    _tell(problem, operand, spoiler)
        for line in outcomes:
            problem.help(line)


def _operation_at(result: AnalysisResult, problem: Diagnostic) -> Operation | None:
    """The operation an error points at."""
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


def _spoiler(result: AnalysisResult, value: Value) -> OpOperand | None:
    """The operand out of place through which `value` stops being the buffer it started from."""
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


def _tell(problem: Diagnostic, yielded: OpOperand, spoiler: OpOperand) -> None:
    here, there = operand_span(yielded), operand_span(spoiler)
    if here is not None and here != problem.span:
        problem.label(
            here, f"{value_name(yielded.value)} does not end in the buffer in which the iteration began"
        )
    if there is not None:
        problem.label(
            there,
            f"because '{spoiler.owner.name}' works on a copy of {value_name(spoiler.value)} (explained below)",
        )


def ways_out(trials: Trials) -> list[str]:
    """Options under which the program is bufferized, with what that costs, cheapest first."""
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


def explain_refusal(problem: Diagnostic) -> Diagnostic:
    """An error of the rewrite beside the explanations, with what can be done about it."""
    problem.severity = Severity.ERROR
    problem.code = problem.code or "not-bufferizable"
    if problem.message.endswith("op was not bufferized"):
        problem.help(
            "the operation has no bufferization: convert it first, describe and rewrite it from Python, or keep its "
            "tensors with allow-unknown-ops of one-shot-bufferize"
        )
    return problem
