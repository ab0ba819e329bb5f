"""Findings of one cause together, the costliest first: forty products that copy one fill are one group of forty places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..analysis.datalog.union_find import EquivalenceRelation
from ..analysis.sizes import Formula, in_bytes
from ..ir.source.diagnostics import Diagnostic, Note, Suggestion
from ..ir.source.records import record, replace
from ..transforms.account.report import MemoryReport, counted
from .finding import Finding

MAX_PLACES = 12
"""Lines that are named; the rest is counted."""
MAX_SUGGESTIONS = 2
"""Changes that are shown for one group; the rest is counted."""


@record()
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

    @property
    def size(self) -> Formula:
        """Bytes copied, or else allocated, by all of them together, each once."""
        return Formula.sum(finding.size for finding in self.findings)

    def diagnostic(self, whole: bool = False) -> Diagnostic:
        """What is said of all of them: the costliest in full, the others by their places; all of these if `whole`."""
        first, *others = self.findings
        said = first.diagnostic
        if not others:
            return said
        lines = [line for finding in others if (line := finding.line) is not None]
        shown = sorted(set(lines))
        limit = len(shown) if whole else MAX_PLACES
        where = ", ".join(str(line) for line in shown[:limit])
        if len(shown) > limit:
            where += f" and {len(shown) - limit} more"
        counts = _counts(others)
        # an allocation that a copy fills goes without saying
        counts["allocations"] = sum(not finding.copies for finding in others)
        parts = [counted(counts[many], f"more {one}", f"more {many}") for many, one in NOUNS if counts[many]]
        word = " and ".join(parts)
        place = f", on line{'s' if len(shown) > 1 else ''} {where}" if shown else ""
        notes = [*said.notes, Note(f"the same forces {word}{place}: {in_bytes(self.size)} together")]
        suggestions = self._suggestions()
        limit = len(suggestions) if whole else MAX_SUGGESTIONS
        if len(suggestions) > limit:
            left = len(suggestions) - limit
            said_of_rest = "1 more change saves" if left == 1 else f"{left:,} more changes save"
            notes.append(Note(f"{said_of_rest} something", "help"))
        return replace(said, notes=notes, suggestions=suggestions[:limit])

    def data(self, numbers: Mapping[Finding, int]) -> dict[str, Any]:
        """For machines; `numbers` are the places of findings in the list of diagnostics."""
        copied, allocated = self.cost
        return {
            "code": self.findings[0].id,
            "function": self.findings[0].function,
            **_counts(self.findings),
            "size": str(self.size),
            "cost": {"copied": copied, "allocated": allocated},
            "findings": [numbers[finding] for finding in self.findings],
        }

    def _suggestions(self) -> list[Suggestion]:
        """Those of all findings, each once."""
        found: list[Suggestion] = []
        for finding in self.findings:
            found += [s for s in finding.diagnostic.suggestions if s not in found]
        return found


NOUNS = (("copies", "copy"), ("clones", "clone"), ("allocations", "allocation"))
"""What is counted, many and one."""


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    """How many copies, clones and allocations findings make, as their account counts; a copy is that of a program not bufferized, too."""
    account = MemoryReport([movement for finding in findings for movement in finding.movements])
    foreseen = sum(finding.copies and not finding.movements for finding in findings)
    return {
        "copies": len(account.copies) + foreseen,
        "clones": len(account.clones),
        "allocations": len(account.allocations),
    }


def grouped(findings: Sequence[Finding]) -> list[CauseGroup]:
    """The findings by cause, in the order of the text. Near-linear in findings."""
    same: EquivalenceRelation[object] = EquivalenceRelation()
    keys: list[object] = []
    for finding in findings:
        kind = finding.function, finding.id, finding.inserted
        first, *others = ((kind, cause) for cause in finding.causes)
        same.add(first)
        for other in others:
            same.add(other)
            same.union(first, other)
        keys.append(first)
    groups: dict[object, CauseGroup] = {}
    for position, (finding, key) in enumerate(zip(findings, keys, strict=True)):
        representative = same.find(key)
        group = groups.get(representative)
        if group is None:
            groups[representative] = CauseGroup([finding], position)
        else:
            group.findings.append(finding)
    for group in groups.values():
        group.findings.sort(key=lambda finding: finding.cost, reverse=True)
    return list(groups.values())


def by_cost(groups: Sequence[CauseGroup]) -> list[CauseGroup]:
    """The costliest first."""
    return sorted(groups, key=lambda group: group.cost, reverse=True)
