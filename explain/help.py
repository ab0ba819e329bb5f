"""Suggestions and verdicts for findings, each tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..transforms.memory_report import MOVES
from .finding import Finding
from .groups import CauseGroup, by_cost, grouped
from .plan import LARGE_PROGRAM, CopyPlan, Planner
from .suggest import Trials
from .verdicts import judge

if TYPE_CHECKING:
    from .fix import Explain


def add_help(
    findings: Sequence[Finding],
    trials: Trials,
    plan: CopyPlan | None,
    planner: Planner | None,
    explain: Explain,
) -> tuple[list[str], CopyPlan | None]:
    """Add to each finding what saves something there, the costliest first, and its verdict.

    Returns:
        What helps the program as a whole, and the plan, which may change the source now.
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
    judge(findings, trials, plan)
    return _advice(trials, plan) if trials.memory_report.copies else [], plan


def _best_first(group: CauseGroup) -> None:
    """Where one change does away with all copies of one cause, the first finding of them suggests it before others."""
    first = group.findings[0].diagnostic
    every = [s for finding in group.findings for s in finding.diagnostic.suggestions]
    best = max(every, key=lambda s: s.copies_saved, default=None)
    copies = sum(bool(finding.copies) for finding in group.findings)
    ahead = first.suggestions[0].copies_saved if first.suggestions else 0
    if best is not None and best.copies_saved > ahead and best.copies_saved >= copies:
        first.suggestions = [best, *(s for s in first.suggestions if s is not best)]


def _is_eliminated(finding: Finding, plan: CopyPlan | None) -> bool:
    """Whether the command of the plan makes no copy there: in large programs nothing else is then looked for."""
    copies = [memory_record for memory_record in finding.records if memory_record.made in MOVES]
    return plan is not None and plan.helps and bool(copies) and all(map(plan.best.lacks, copies))


def _advice(trials: Trials, plan: CopyPlan | None) -> list[str]:
    found = []
    if plan is not None and plan.helps:
        return found
    for heuristic, totals in trials.other_heuristics():
        found.append(f"--analysis-heuristic={heuristic} saves {trials.saving(totals)}")
    if trials.skipped:
        found.append(
            "not every suggestion was tried: the program is large; --function NAME looks at one function"
        )
    return found
