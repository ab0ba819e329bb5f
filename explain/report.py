"""Explaining a whole program: diagnostics for its buffers, verified help, a summary, and totals by function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.differences import remarks_on_differences
from ..analysis.one_shot.options import AnalysisOptions
from ..analysis.places import function_name, value_name
from ..analysis.undisturbed import why_undisturbed
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.places import Source
from .contracts import contracts
from .cost import total
from .failures import explain_failures
from .findings import MAX_REASONS, Buffer, add_reasons, buffers_of, untouched_operands
from .suggest import Trials
from .wording import explain_buffer, operand_data, reason_diagnostic

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult
    from .measured import Measured


@dataclass
class Explanation:
    """What is to be said of one program.

    Attributes:
        result: the analysis.
        buffers: what is inserted, in program order, with reasons.
        hidden: what is inserted where nobody asked.
        untouched: out-of-place operands that get no buffer.
        diagnostics: one for each buffer (and untouched operand), in the same order.
        operands: how many tensor operands there are, and how many stay in place.
        advice: what would help the program as a whole, verified.
    """

    result: AnalysisResult
    buffers: list[Buffer]
    hidden: list[Buffer]
    untouched: list[Buffer]
    diagnostics: list[Diagnostic]
    operands: int
    in_place: int
    advice: list[str] = field(default_factory=list)
    contracts: list[dict[str, Any]] = field(default_factory=list)
    """What callers must know of each function; see `contracts`."""
    measured: list[Measured] = field(default_factory=list)
    """What was measured when the bufferized program was run."""

    @property
    def errors(self) -> list[Diagnostic]:
        """Why the program cannot be bufferized at all."""
        return self.result.errors

    def copies_by_function(self) -> dict[str, int]:
        """How many copies each function makes."""
        found: dict[str, int] = {}
        for buffer in self.buffers:
            if buffer.copies:
                name = function_name(buffer.op) or ""
                found[name] = found.get(name, 0) + 1
        return found

    def summary(self) -> str:
        """One line: operands, in place, copies, allocations, bytes."""
        copies = [b for b in self.buffers if b.copies]
        fresh = len(self.buffers) - len(copies)
        parts = [
            f"{self.operands} tensor operand{'' if self.operands == 1 else 's'}",
            f"{self.in_place} in place",
            f"{len(copies)} cop{'y' if len(copies) == 1 else 'ies'}"
            + (f" ({total(b.size for b in copies)})" if copies else ""),
            f"{fresh} other allocation{'' if fresh == 1 else 's'}"
            + (f" ({total(b.size for b in self.buffers if not b.copies)})" if fresh else ""),
        ]
        return ", ".join(parts)

    def data(self) -> dict[str, Any]:
        """Totals for machines."""
        copies = [b for b in self.buffers if b.copies]
        return {
            "operands": self.operands,
            "inPlace": self.in_place,
            "copies": len(copies),
            "allocations": len(self.buffers) - len(copies),
            "bytesCopied": sum(b.size.static or 0 for b in copies),
            "symbolicSizes": sorted(b.size.formula or "?" for b in copies if b.size.static is None),
            "outOfPlace": [operand_data(operand) for operand in self.result.out_of_place()],
            "advice": self.advice,
            "contracts": self.contracts,
            "measured": [run.data() for run in self.measured],
        }


def explain(
    module: Operation,
    options: AnalysisOptions,
    registry: ModelRegistry | None = None,
    *,
    source: Source | None = None,
    wanted: Callable[[Operation], bool] = lambda op: True,
    show_all: bool = False,
    with_help: bool = True,
) -> Explanation:
    """Analyse a program and explain every buffer that bufferization inserts.

    Args:
        source: the text the program was read from; without it nothing can be tried, and so nothing is suggested.
        wanted: which operations to explain; all are analysed.
        show_all: every reason for each buffer, not only the clearest.
        with_help: look for changes that save copies.

    Near-linear in the program and, with `show_all`, in what is shown, plus at most `suggest.TRIAL_BUDGET` operations analysed again.
    """
    result = analyze(module, options, registry)
    buffers = buffers_of(result)
    untouched = untouched_operands(result, buffers)
    trials = Trials(result, source, registry) if with_help else None
    if trials is not None and result.errors:
        explain_failures(result, trials)
    diagnostics = []
    shown = []
    unknown = []
    for group, target in ((buffers, shown), (untouched, unknown)):
        for buffer in group:
            if not wanted(buffer.op):
                continue
            add_reasons(result, buffer, None if show_all else MAX_REASONS)
            diagnostic = explain_buffer(result, buffer)
            if show_all:
                diagnostic.children += [
                    reason_diagnostic(result, buffer, reason) for reason in buffer.reasons[1:]
                ]
            if trials is not None and buffer.operand is not None and buffer.inserted:
                diagnostic.suggestions += trials.suggestions(buffer.operand, buffer.reasons)
            target.append(buffer)
            diagnostics.append(diagnostic)
    operands = list(result.operands())
    explanation = Explanation(
        result,
        shown,
        [buffer for buffer in buffers if not wanted(buffer.op)],
        unknown,
        diagnostics,
        len(operands),
        sum(result.is_in_place(use) for use in operands),
    )
    if trials is not None and not result.errors and any(buffer.copies for buffer in shown):
        explanation.advice = _advice(trials)
    if not result.errors:
        explanation.contracts = contracts(result, wanted)
    for remark in remarks_on_differences(result):
        explanation.diagnostics.append(remark)
    return explanation


def _advice(trials: Trials) -> list[str]:
    found = []
    for heuristic, totals in trials.other_heuristics():
        found.append(f"--analysis-heuristic={heuristic} saves {trials.saving(totals)}")
    if trials.skipped:
        found.append(
            "not every suggestion was tried: the program is large; --function NAME looks at one function"
        )
    return found


MAX_READS = 4
"""Reads of a buffer written in place of which `--why` says what keeps them from harm."""


def why(explanation: Explanation, name: str) -> list[Diagnostic]:
    """For each operand that holds the value called `name` (`%t`): in place or not, and what decided it."""
    result = explanation.result
    wanted = name if name.startswith("%") else f"%{name}"
    known = {b.operand: d for b, d in _paired(explanation) if b.operand is not None}
    found: list[Diagnostic] = []
    for operand in result.operands():
        if value_name(operand.value) != wanted:
            continue
        diagnostic = known.get(operand)
        found.append(diagnostic if diagnostic is not None else _in_place(result, operand))
    for buffer, diagnostic in _paired(explanation):
        if buffer.operand is None and value_name(buffer.value) == wanted:
            found.append(diagnostic)
    return found


def _paired(explanation: Explanation) -> list[tuple[Buffer, Diagnostic]]:
    return list(zip([*explanation.buffers, *explanation.untouched], explanation.diagnostics, strict=False))


def _in_place(result: AnalysisResult, operand: OpOperand) -> Diagnostic:
    from ..analysis.places import operand_span

    state = result.state
    name, op = value_name(operand.value), operand.owner
    writes, reads = state.writes(operand), state.reads(operand)
    what = (
        "is read and written"
        if reads and writes
        else "is written"
        if writes
        else "is read"
        if reads
        else "is passed on"
    )
    span = operand_span(operand)
    diagnostic = Diagnostic(
        Severity.REMARK, f"{name} is used in place by '{op.name}': no copy", span, "in-place"
    )
    if span is not None:
        diagnostic.label(span, f"{what} here, in its own buffer", True)
    others = [value for value in result.alias_set(operand.value) if value is not operand.value]
    if others:
        shown = ", ".join(value_name(value) for value in others[:8]) + (", ..." if len(others) > 8 else "")
        diagnostic.note(f"shares its buffer with {shown}")
    if writes:
        diagnostic.note(
            "nothing that runs later reads what this overwrites"
            if reads
            else "what was there is not needed any more"
        )
    for kept in why_undisturbed(state, operand, MAX_READS):
        rule = kept.proof.rule
        if kept.read is not operand and rule is not None:
            said = rule.doc.partition(". ")[0].removesuffix(".")
            diagnostic.note(
                f"'{kept.read.owner.name}' is not disturbed ({rule.id}): {said[0].lower()}{said[1:]}"
            )
    if state.must_be_in_place(operand):
        diagnostic.note(f"'{op.name}' requires its operand in place")
    diagnostic.data = {"operand": operand_data(operand), "inPlace": True}
    return diagnostic


def value_named(module: Operation, name: str) -> bool:
    """Whether the program has a value of that name in its source."""
    wanted = name if name.startswith("%") else f"%{name}"

    def matches(values: list[Value]) -> bool:
        return any(value_name(value) == wanted for value in values)

    return any(
        matches(list(op.results))
        or any(matches(list(block.args)) for region in op.regions for block in region)
        for op in module.walk()
    )


def explain_module(module: Operation, *, models: ModelRegistry | None = None, **options: Any) -> Explanation:
    """`bufferize.explain`: `explain` with the fields of `AnalysisOptions` as keywords, functions analysed too by default."""
    options.setdefault("bufferize_function_boundaries", True)
    source = next((op.where[0] for op in module.walk() if op.where is not None), None)
    return explain(module, AnalysisOptions(**options), models, source=source)
