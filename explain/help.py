"""Help with findings: changes that save something, each tried, and a verdict on every copy."""

from __future__ import annotations

from collections.abc import Sequence

from .finding import Finding
from .groups import by_cost, grouped
from .plan import CopyPlan
from .suggest import Trials
from .verdicts import judge


def add_help(findings: Sequence[Finding], trials: Trials, plan: CopyPlan | None) -> list[str]:
    """Add to each finding what saves something there, the costliest first, and its verdict; what helps the program as a whole."""
    trials.help([f for group in by_cost(grouped(findings)) for f in group.findings if f.inserted])
    if trials.result.errors:
        return []
    trials.advise(findings)
    judge(findings, trials, plan)
    return _advice(trials, plan) if trials.account.copies else []


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
