"""Explains a whole program: memory report, a finding per cause, verified suggestions and verdicts, totals.

`explain` is the common entry point of everything that shows findings: the command, the report, notebooks, budgets. The
program is analysed once; a copy of it is bufferized according to the decisions, and yields the memory report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.causes import Cause, CauseKind, stated
from ..analysis.cost_model import ONCE, Frequencies
from ..analysis.fewest_copies.choose import remarks_on_gaps
from ..analysis.function_summaries import FunctionSummaries, contracts
from ..analysis.models.facts import doubts
from ..analysis.one_shot import AnalysisOptions
from ..analysis.one_shot.analyze import analyze, remarks_on_differences
from ..analysis.sizes import Sizes
from ..dialects.bufferization import AllocTensorOp
from ..ir.defects import mirrored
from ..ir.program.core import Operation, OpOperand
from ..ir.source.diagnostics import Diagnostic, Severity, remark
from ..ir.source.locations import Source
from ..ir.source.reading import collection_paused
from ..ir.source.records import record, replace
from ..transforms.bufferize import INFER_LAYOUT
from ..transforms.bufferize.on_copy import bufferize_copy, free_copy, free_otherwise
from ..transforms.bufferize.rewrite_scf import separate_iterations, shares_between_iterations
from ..transforms.memory_report import MOVES, Kind, MemoryRecord, MemoryReport
from .explanation import Explanation
from .failures import conversions, explain_failures, explain_not_freed, explain_refusals
from .finding import Finding, Settled, size_of_records
from .groups import CauseGroup, by_cost, grouped, kind_of, reasons_for
from .kinds import causes_settled_by
from .kinds.conflicts import Conflict, UnknownOperation, reasons_wanted
from .kinds.remarks import NestedModule
from .plan import LARGE_PROGRAM, CopyPlan, Planner
from .routes import SEARCH
from .suggest import Trials
from .verdicts import judge

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult
    from ..transforms.bufferize.on_copy import Bufferized, Freed
    from .fix import Explain


# Verified suggestions and verdicts for findings.


def add_help(
    findings: Sequence[Finding],
    trials: Trials,
    plan: CopyPlan | None,
    planner: Planner | None,
    explain: Explain,
) -> tuple[list[str], CopyPlan | None]:
    """Add verified suggestions to each finding, the costliest first, and its verdict.

    Returns:
        Advice for the program as a whole, and the plan, which may now include source edits.
    """
    inserted = [f for group in by_cost(grouped(findings)) for f in group.findings if f.inserted]
    trials.help(f for f in inserted if trials.size <= LARGE_PROGRAM or not _is_eliminated(f, plan))
    if trials.result.errors:
        return [], plan
    for group in grouped(inserted):
        _best_first(group)
    trials.advise(findings)
    if (
        plan is not None
        and planner is not None
        and trials.source is not None
        and trials.size <= LARGE_PROGRAM
    ):
        from .fix import with_edits

        plan = with_edits(plan, planner, findings, trials.source, explain)
    is_least = judge(findings, trials, plan)
    return _advice(trials, plan, is_least) if trials.memory_report.copies else [], plan


def _best_first(group: CauseGroup) -> None:
    """If one change eliminates all copies of a cause, make it the first suggestion of the group's first finding."""
    first = group.findings[0].diagnostic
    every = [s for finding in group.findings for s in finding.diagnostic.suggestions]
    best = max(every, key=lambda s: s.copies_saved, default=None)
    copies = sum(bool(finding.copies) for finding in group.findings)
    ahead = first.suggestions[0].copies_saved if first.suggestions else 0
    if best is not None and best.copies_saved > ahead and best.copies_saved >= copies:
        first.suggestions = [best, *(s for s in first.suggestions if s is not best)]


def _is_eliminated(finding: Finding, plan: CopyPlan | None) -> bool:
    """Whether the plan's command eliminates the copy; large programs then get no other suggestion for it."""
    copies = [memory_record for memory_record in finding.records if memory_record.made in MOVES]
    return plan is not None and plan.helps and bool(copies) and all(map(plan.best.lacks, copies))


def _advice(trials: Trials, plan: CopyPlan | None, is_least: bool) -> list[str]:
    """What may be tried beside the plan; other orders of decisions only if no search has shown that they copy no less."""
    found: list[str] = []
    if plan is not None and plan.helps:
        return found
    if not is_least and (plan is None or SEARCH in plan.untried):
        for heuristic, totals in trials.other_heuristics():
            found.append(f"--analysis-heuristic={heuristic} saves {trials.saving(totals)}")
    if trials.skipped:
        found.append(
            "not all suggestions were tried because the program is large; --function NAME analyses one function"
        )
    return found


@collection_paused()
def explain(
    module: Operation,
    options: AnalysisOptions,
    registry: ModelRegistry | None = None,
    *,
    source: Source | None = None,
    wanted: Callable[[Operation], bool] = lambda op: True,
    show_all: bool = False,
    with_help: bool = True,
    with_clones: bool = True,
    with_memory_report: bool = True,
    with_findings: bool = True,
    function_boundary_layout: str = INFER_LAYOUT,
    part_of: int = 0,
) -> Explanation:
    """Analyse a program, bufferize a copy of it, and explain all allocations and copies.

    Near-linear in the program and, with `show_all`, in the output, plus the re-analyses that `suggest.budget` allows.

    Args:
        source: the text the program was parsed from; without it nothing is suggested, since edits cannot be tried.
        wanted: which operations to explain; all are analysed.
        show_all: report every reason per buffer, not only the clearest.
        with_help: search changes that eliminate copies.
        with_clones: also run deallocation, to report its clones.
        with_memory_report: bufferize a copy of the program. Otherwise findings come from the decisions alone, in less than
            half of the time, for interactive use.
        with_findings: explain copies. Otherwise only count them.
        function_boundary_layout: layouts of buffers in signatures.
        part_of: the size of the program that the module is one of many parts of, which share the budgets; 0 for a whole program.
    """
    options = replace(options, nested_modules=options.bufferize_function_boundaries)
    request = _Request(
        options,
        registry,
        source,
        wanted,
        show_all,
        with_help,
        with_clones,
        with_memory_report,
        with_findings,
        function_boundary_layout,
        part_of,
    )
    return request.explained(module)


@record(frozen=True)
class _Request:
    """The arguments of `explain`, and the steps of the computation."""

    options: AnalysisOptions
    registry: ModelRegistry | None
    source: Source | None
    wanted: Callable[[Operation], bool]
    show_all: bool
    with_help: bool
    with_clones: bool
    with_memory_report: bool
    with_findings: bool
    layout: str
    part_of: int

    def explained(self, module: Operation) -> Explanation:
        """Analyse, bufferize, find, help, in this order."""
        lost = separate_iterations(module, mirrored(self.options.compat))
        result = analyze(module, self.options, self.registry)
        may_relax = self.with_help and result.errors and not self.options.allow_return_allocs_from_loops
        if may_relax and (relaxed := self._relaxed(module, result)) is not None:
            return relaxed
        made = self._bufferized(result)
        memory_report = made.memory_report.within(self.wanted)
        subjects = memory_report.by_cause() if made.is_complete else [*_planned(result, self.wanted)]
        trials = planner = plan = None
        way_out = ""
        if self.with_help:
            trials, planner = self._searches(result, made)
            if planner is not None and made.conversions:
                way_out = planner.way_out(made.conversions)
            elif planner is not None:
                plan = planner.plan(made.memory_report)
        if result.errors:
            explain_failures(result, trials)
        proved = FunctionSummaries(result, _relaid(memory_report))
        findings = self._findings(proved, module, subjects) if self.with_findings else []
        if made.conversions:  # the conversion leaves no unknown operation
            findings = [finding for finding in findings if not isinstance(finding, UnknownOperation)]
        if made.bufferized is not None and made.bufferized.problems:
            findings = [finding for finding in findings if not _is_refused_itself(finding)]
        advice: list[str] = []
        if trials is not None:
            advice, plan = add_help(findings, trials, plan, None if self.part_of else planner, explain)
        operands = list(result.operands())
        in_place = sum(result.is_in_place(use) for use in operands)
        explanation = Explanation(
            result,
            memory_report,
            findings,
            made.remarks,
            made.bufferized,
            made.freed,
            len(operands),
            in_place,
            advice,
            plan=plan,
            way_out=way_out,
        )
        if self.with_memory_report and self.with_findings and not result.errors:
            explanation.contracts = contracts(proved, self.wanted)
        explanation.remarks += [*lost, *remarks_on_differences(result), *remarks_on_gaps(result)]
        if self.registry is not None:
            explanation.remarks += doubts(self.registry, module)
        explanation.remarks += _nested_modules(result)
        return explanation

    def _relaxed(self, module: Operation, result: AnalysisResult) -> Explanation | None:
        """The explanation under `allow-return-allocs-from-loops`, if it goes further than default options."""
        options = replace(self.options, allow_return_allocs_from_loops=True)
        relaxed = replace(self, options=options).explained(module)
        if relaxed.is_complete or not (self.with_memory_report or relaxed.errors):
            relaxed.refused = _refused(result, self.source, self.registry, self.layout, relaxed.memory_report)
            return relaxed
        return None

    def _bufferized(self, result: AnalysisResult) -> _Made:
        """A copy of the program, bufferized and freed as far as possible."""
        made = _Made(MemoryReport([]), [])
        if not self.with_memory_report or result.errors:
            return made
        bufferized = made.bufferized = bufferize_copy(
            result, function_boundary_layout=self.layout, registry=self.registry
        )
        made.memory_report = bufferized.memory_report
        made.conversions = conversions(result, bufferized.problems)
        made.remarks += explain_refusals(result, bufferized.problems)
        if self.with_clones and bufferized.is_complete and not bufferized.problems:
            freed = made.freed = free_copy(bufferized, self.options.compat or "")
            made.memory_report = made.memory_report.with_clones_of(freed.memory_report)
            if freed.problems:
                from ..transforms.freeing.buffer_deallocation_static import on_trial

                is_freed = not free_otherwise(bufferized, on_trial(), self.options.compat or "").problems
                made.remarks += [explain_not_freed(result, p, is_freed) for p in freed.problems]
        return made

    def _searches(self, result: AnalysisResult, made: _Made) -> tuple[Trials, Planner | None]:
        """The engine that tries changes, and the planner that searches a better command."""
        from .suggest import Trials

        trials = Trials(
            result,
            self.source,
            self.registry,
            made.memory_report,
            made.bufferized,
            self.layout,
            is_part=bool(self.part_of),
        )
        if made.bufferized is None or not (made.is_complete or made.conversions):
            return trials, None
        from .plan import Planner

        name = self.source.name if self.source is not None else "FILE"
        return trials, Planner(result, self.layout, trials.known_models, name, made.bufferized, self.part_of)

    def _findings(
        self,
        proved: FunctionSummaries,
        module: Operation,
        subjects: Sequence[list[MemoryRecord] | tuple[Cause, bool]],
    ) -> list[Finding]:
        """One finding per cause, in program order; those of operands without a buffer come last."""
        limit = None if self.show_all else reasons_wanted(len(subjects))
        findings = [
            _finding(proved, records, limit)
            for records in subjects
            if not isinstance(records, list) or records[0].kind is not Kind.FREE
        ]
        covered = {finding.operand for finding in findings if finding.operand is not None}
        position = {op: i for i, op in enumerate(module.walk())}
        findings.sort(key=lambda finding: position.get(finding.op, len(position)))
        for operand in proved.result.out_of_place():
            if operand not in covered and self.wanted(operand.owner):
                findings.append(_untouched(proved, operand, limit))
        for finding in findings:
            finding.describe()
            if self.show_all and isinstance(finding, Conflict):
                finding.diagnostic.children += map(finding.other_reason, finding.reasons[1:])
        return findings


@record()
class _Made:
    """The results of bufferization and deallocation on a copy of the program; empty if the analysis refuses it."""

    memory_report: MemoryReport
    remarks: list[Diagnostic]
    bufferized: Bufferized | None = None
    freed: Freed | None = None
    conversions: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        return self.bufferized is not None and self.bufferized.is_complete


def _refused(
    result: AnalysisResult,
    source: Source | None,
    registry: ModelRegistry | None,
    layout: str,
    relaxed: MemoryReport,
) -> list[Diagnostic]:
    """Why default options refuse a program that bufferizes if loops may yield other buffers than their own."""
    from .suggest import Totals, Trials

    needed = Totals.of(relaxed)
    explain_failures(
        result, Trials(result, source, registry, MemoryReport([]), None, layout), with_options=False
    )
    for problem in result.errors:
        problem.severity = Severity.WARNING
        problem.help(
            f"--allow-return-allocs-from-loops bufferizes it, with {needed.describe()}; the findings below assume this option"
        )
    return result.errors


def _planned(result: AnalysisResult, wanted: Callable[[Operation], bool]) -> Iterator[tuple[Cause, bool]]:
    """The planned copies and allocations in the fully decided part of the program, with whether each is a copy."""
    roots = set(result.analyzed)
    for entry in result.plan():
        around = next((op for op in entry.op.ancestors() if op in roots), None)
        if around is not None and wanted(entry.op):
            yield entry.cause, entry.with_contents
    for op in result.state.root.walk():
        if isinstance(op, AllocTensorOp) and op.copy is not None and wanted(op):
            yield Cause(CauseKind.ASKED, op, None, op.results[0]), True


BY_LAYOUT = causes_settled_by(Settled.LAYOUT)


def _is_refused_itself(finding: Finding) -> bool:
    """Whether an operand is out of place only as it may share memory with the results of its own operation, which is refused."""
    return (
        isinstance(finding, UnknownOperation)
        and not finding.inserted
        and all(reason.value.defining_op is finding.op for reason in finding.reasons)
    )


def _relaid(memory_report: MemoryReport) -> Iterator[OpOperand]:
    """The operands copied only because of a layout mismatch."""
    for memory_record in memory_report.records:
        cause = memory_record.cause
        if cause.kind in BY_LAYOUT and cause.use is not None:
            yield cause.use


def _finding(
    proved: FunctionSummaries, subject: list[MemoryRecord] | tuple[Cause, bool], limit: int | None
) -> Finding:
    """The finding for the records of one cause, or for a planned cause with whether it copies."""
    result = proved.result
    records = subject if isinstance(subject, list) else []
    cause = subject[0].cause if isinstance(subject, list) else subject[0]
    reasons = reasons_for(result, cause, limit)
    kind = kind_of(cause, reasons, True)
    if records:
        copies, size = size_of_records(records)
        times = records[-1].times
    else:
        assert cause.value is not None
        sizes = Sizes()
        copies = not isinstance(subject, list) and subject[1]
        size = sizes.bytes_of(cause.value.type, cause.value)
        times = Frequencies(sizes).of(cause.op)
    has_more = limit is not None and len(reasons) >= limit
    return kind(proved, cause, records, copies, size, times, True, reasons, has_more=has_more)


def _untouched(proved: FunctionSummaries, operand: OpOperand, limit: int | None) -> Finding:
    """An out-of-place operand without a buffer: of an unknown operation, or of a parallel insertion."""
    result = proved.result
    cause = Cause(CauseKind.OUT_OF_PLACE, operand.owner, operand.index, operand.value)
    reasons = reasons_for(result, cause, limit)
    kind = kind_of(cause, reasons, False)
    size = Sizes().bytes_of(operand.value.type, operand.value)
    has_more = limit is not None and len(reasons) >= limit
    return kind(proved, cause, [], False, size, ONCE, False, reasons, has_more=has_more)


def _nested_modules(result: AnalysisResult) -> Iterator[Diagnostic]:
    """A remark, once, that the pass does not process functions in nested modules."""
    root = result.state.root
    for function in (*result.call_graph.order, *result.call_graph.cyclic):
        module = function.parent_op
        if module is not None and module is not root:
            said = remark(
                "functions in a module inside the module are explained here, but One-Shot Bufferize leaves them alone",
                module.name_span,
                NestedModule.id,
            )
            said.derivation = stated(("has_functions", module), ("root", root))
            said.help(
                "run builtin.module(builtin.module(one-shot-bufferize{...})), or here one-shot-bufferize with nested-modules"
            )
            yield said
            return


def explain_module(module: Operation, *, models: ModelRegistry | None = None, **options: Any) -> Explanation:
    """Implements `bufferize.explain`: takes the fields of `AnalysisOptions` and its own options as keywords.

    Functions are analysed too by default. The program is not changed: a copy is explained where iterations have to be separated.
    """
    from .explanation import ExplainKeywords, checked

    if shares_between_iterations(module):
        module = module.clone()

    options = checked("explain", ExplainKeywords, options)
    own = {name: options.pop(name) for name in OWN_OPTIONS & options.keys()}
    options.setdefault("bufferize_function_boundaries", True)
    source = next((op.where[0] for op in module.walk() if op.where is not None), None)
    return explain(module, AnalysisOptions(**options), models, source=source, **own)


OWN_OPTIONS = frozenset(
    ("function_boundary_layout", "show_all", "wanted", "with_memory_report", "with_clones", "with_help")
)
"""The options of `explain` that do not affect the analysis."""
