"""Findings of one cause together, the costliest first: forty products that copy one fill are one group of forty places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..analysis.formulas import Formula, in_bytes
from ..analysis.places import function_name, line_of
from ..ir.source.diagnostics import Diagnostic, Note, Suggestion
from .finding import Finding

MAX_PLACES = 12
"""Lines that are named; the rest is counted."""


@dataclass(slots=True)
class CauseGroup:
    """Findings with one cause.

    Attributes:
        findings: the costliest first.
        position: the number of the first of them in the text.
    """

    findings: list[Finding]
    position: int

    @property
    def cost(self) -> tuple[int, int]:
        """Bytes copied, then allocated, in all runs."""
        copied, allocated = zip(*(finding.cost for finding in self.findings), strict=True)
        return sum(copied), sum(allocated)

    def diagnostic(self) -> Diagnostic:
        """What is said of all of them: the costliest in full, the others by their places."""
        first, *others = self.findings
        said = first.diagnostic
        if not others:
            return said
        whole = Formula.sum(finding.size for finding in self.findings)
        lines = [line for finding in others if (line := line_of(finding.op)) is not None]
        shown = sorted(set(lines))
        where = ", ".join(str(line) for line in shown[:MAX_PLACES])
        if len(shown) > MAX_PLACES:
            where += f" and {len(shown) - MAX_PLACES} more"
        noun = "copy" if first.copies else "allocation"
        plural = "copies" if first.copies else "allocations"
        word = f"{len(others):,} more {noun if len(others) == 1 else plural}"
        place = f", on line{'s' if len(shown) > 1 else ''} {where}" if shown else ""
        notes = [*said.notes, Note(f"the same forces {word}{place}: {in_bytes(whole)} together")]
        return replace(said, notes=notes, suggestions=self._suggestions())

    def _suggestions(self) -> list[Suggestion]:
        """Those of all findings, each once."""
        found = {s.title: s for finding in self.findings for s in finding.diagnostic.suggestions}
        return list(found.values())


def grouped(findings: Sequence[Finding]) -> list[CauseGroup]:
    """The findings by cause, in the order of the text. O(findings)."""
    groups: dict[object, CauseGroup] = {}
    for position, finding in enumerate(findings):
        key = function_name(finding.op), type(finding), finding.inserted, finding.group
        group = groups.get(key)
        if group is None:
            groups[key] = CauseGroup([finding], position)
        else:
            group.findings.append(finding)
    for group in groups.values():
        group.findings.sort(key=lambda finding: finding.cost, reverse=True)
    return list(groups.values())


def by_cost(groups: Sequence[CauseGroup]) -> list[CauseGroup]:
    """The costliest first."""
    return sorted(groups, key=lambda group: group.cost, reverse=True)


__all__ = ["CauseGroup", "by_cost", "grouped"]
