"""Kinds of findings. Each class holds a finding's cause, id, page, wording, rule and remedy.

Each file is a family of findings. `KINDS`, the mapping from causes to kinds, the pages and SARIF's rules are derived
from the classes.
"""

from __future__ import annotations

from ...analysis.causes import CauseKind
from ...analysis.one_shot.result import ReasonKind
from ...ir.source.pages import Documented, kinds_in
from ..finding import Finding, Settled
from . import boundaries, conflicts, operations, remarks

KINDS: tuple[type[Documented], ...] = kinds_in(conflicts, operations, boundaries, remarks)
"""All kinds, in the order of the handbook."""
FINDINGS = tuple(kind for kind in KINDS if issubclass(kind, Finding))
"""The kinds that report records."""

BY_REASON: dict[ReasonKind, type[conflicts.Conflict]] = {
    kind.told: kind for kind in FINDINGS if issubclass(kind, conflicts.Conflict) and kind.told is not None
}
BY_CAUSE: dict[CauseKind, type[Finding]] = {
    cause: kind for kind in FINDINGS if not issubclass(kind, conflicts.Conflict) for cause, _ in kind.tells_of
}
"""The kinds for causes that need no reason; for others the first reason decides."""
SETTLED: dict[CauseKind, Settled] = {cause: by for kind in FINDINGS for cause, by in kind.tells_of}
"""The decision that determines whether the copies of a cause are made."""


def causes_settled_by(*ways: Settled) -> frozenset[CauseKind]:
    """The causes whose copies are decided in one of these ways."""
    return frozenset(cause for cause, by in SETTLED.items() if by in ways)
