"""Groups findings by cause and verdict: forty products that copy one fill are one group with forty places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..analysis.causes import Cause, CauseKind
from ..analysis.datalog.union_find import EquivalenceRelation
from ..analysis.moving import could_come_first
from ..analysis.naming import lines_text
from ..analysis.one_shot.result import AnalysisResult, Reason, ReasonKind
from ..analysis.sizes import Formula, in_bytes
from ..ir.program.core import Operation, OpOperand
from ..ir.source.diagnostics import Diagnostic, Note, Suggestion
from ..ir.source.records import record, replace
from ..transforms.memory_report import MemoryReport, counted
from .conflict_labels import loop_over
from .finding import Finding
from .kinds import BY_CAUSE, BY_REASON
from .kinds.conflicts import MAX_REASONS, CarriedAroundLoop, ReadAfterWriteCopy, UnknownOperation

MAX_PLACES = 12
"""Lines that are listed; the rest is counted."""
MAX_SUGGESTIONS = 2
"""Suggestions shown per group; the rest is counted."""


@record()
class CauseGroup:
    """Findings with a common cause and the same kind of verdict.

    Attributes:
        findings: by descending cost.
        position: index of the first of them in textual order.
    """

    findings: list[Finding]
    position: int

    @property
    def cost(self) -> tuple[int, int]:
        """Total bytes copied, then allocated."""
        copied, allocated = zip(*(finding.cost for finding in self.findings), strict=True)
        return sum(copied), sum(allocated)

    @property
    def size(self) -> Formula:
        """Bytes copied, or else allocated, summed over the findings, once each."""
        return Formula.sum(finding.size for finding in self.findings)

    def diagnostic(self, whole: bool = False) -> Diagnostic:
        """The group's diagnostic: the costliest finding in full, the others by their places (by all places if `whole`)."""
        first, *others = self.findings
        said = first.diagnostic
        if not others:
            return said
        places = [place for finding in others if (place := finding.op_span) is not None]
        counts = _counts(others)
        # an allocation that a copy initializes is implied
        counts["allocations"] = sum(not finding.copies and finding.inserted for finding in others)
        if not any(counts.values()):
            return said
        parts = [counted(counts[many], f"more {one}", f"more {many}") for many, one in NOUNS if counts[many]]
        word = " and ".join(parts)
        place = f", on {lines_text(places, len(places) if whole else MAX_PLACES)}" if places else ""
        notes = [*said.notes, Note(f"the same cause forces {word}{place}: {in_bytes(self.size)} in total")]
        suggestions = self._suggestions()
        limit = len(suggestions) if whole else MAX_SUGGESTIONS
        if len(suggestions) > limit:
            left = len(suggestions) - limit
            said_of_rest = "1 more change saves" if left == 1 else f"{left:,} more changes save"
            notes.append(Note(f"{said_of_rest} something", "help"))
        return replace(said, notes=notes, suggestions=suggestions[:limit])

    def data(self, numbers: Mapping[Finding, int]) -> dict[str, Any]:
        """As JSON; `numbers` are the indices of findings in the list of diagnostics."""
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
        """The suggestions of all findings, without duplicates."""
        found: list[Suggestion] = []
        for finding in self.findings:
            found += [s for s in finding.diagnostic.suggestions if s not in found]
        return found


NOUNS = (("copies", "copy"), ("clones", "clone"), ("allocations", "allocation"))
"""The counted quantities, plural and singular."""


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    """Copies, clones and allocations of the findings, as in the memory report, plus expected copies of unbufferized
    programs.
    """
    memory_report = MemoryReport([memory_record for finding in findings for memory_record in finding.records])
    foreseen = sum(finding.copies and not finding.records for finding in findings)
    return {
        "copies": len(memory_report.copies) + foreseen,
        "clones": len(memory_report.clones),
        "allocations": len(memory_report.allocations),
    }


def grouped(findings: Sequence[Finding]) -> list[CauseGroup]:
    """Group findings by cause and verdict, in textual order. Near-linear in the findings."""
    same: EquivalenceRelation[object] = EquivalenceRelation()
    keys: list[object] = []
    for finding in findings:
        word = str(finding.verdict.word) if finding.verdict is not None else ""
        kind = finding.function, finding.id, finding.inserted, word
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
    """Sort groups by descending cost."""
    return sorted(groups, key=lambda group: group.cost, reverse=True)


# Choosing the kind of a finding and its clearest reason.
#
# The clearest of several reasons comes first: what is not writable at all, then what cannot be reordered, then what
# involves few places close together.

MAX_FOLLOWED = 8
"""Reasons per operand that are checked for a conflict-free order."""
MAX_STEPS = 200
"""Operations followed in such a check."""


def kind_of(cause: Cause, reasons: list[Reason], inserted: bool) -> type[Finding]:
    """The kind of finding for a cause with these reasons, clearest first."""
    if cause.kind is not CauseKind.OUT_OF_PLACE:
        return BY_CAUSE[cause.kind]
    if not reasons:
        return ReadAfterWriteCopy if inserted else UnknownOperation
    first = reasons[0]
    if first.unknown is not None:
        return UnknownOperation
    return CarriedAroundLoop if loop_over(first) is not None else BY_REASON[first.kind]


def reasons_for(result: AnalysisResult, cause: Cause, limit: int | None = MAX_REASONS) -> list[Reason]:
    """Why the operand of a cause is out of place, clearest first. At most `limit` conflicts are searched."""
    operand = cause.use
    if cause.kind is not CauseKind.OUT_OF_PLACE or operand is None or result.is_in_place(operand):
        return []
    found = result.reasons(operand, limit)
    if len(found) < 2:
        return found
    is_few = len(found) <= MAX_FOLLOWED
    return sorted(found, key=lambda reason: _obscurity(operand, reason, is_few))


def _obscurity(operand: OpOperand, reason: Reason, is_few: bool) -> tuple[object, ...]:
    """Sort key, ascending obscurity: not movable, few places, close together, in one block, known operations."""
    if reason.kind is ReasonKind.NOT_WRITABLE:
        return ()
    read, write = reason.read, reason.write
    unknown = reason.unknown is not None
    if read is None:
        return (unknown,)
    own = write is not operand
    same_op = read.owner is write.owner
    # neither an operation that reads what it overwrites nor one that depends on the write can precede it
    movable = not same_op if same_op or not is_few else could_come_first(read, write, MAX_STEPS)
    if write.owner.is_ancestor_of(read.owner) or read.owner.block is not write.owner.block:
        movable = True  # assumed movable: too expensive to check for many reasons
    if same_op and own:
        movable = True
    blocks = (read.owner.block is not write.owner.block) + (reason.value.parent_block is not read.owner.block)
    return (unknown, movable, own + same_op, blocks, _distance(read.owner, write.owner))


def _distance(a: Operation, b: Operation) -> int:
    left, right = a.name_span, b.name_span
    return abs(left.line - right.line) if left is not None and right is not None else 1 << 30
