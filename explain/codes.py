"""What each id of an explanation means: for SARIF viewers, and as the source of the handbook's pages."""

from __future__ import annotations

from ..ir.source.diagnostics import Meaning
from .kinds import KINDS

MEANINGS: dict[str, tuple[str, str]] = {kind.id: kind.meaning() for kind in KINDS}
"""Title and text by id."""


def sarif_rules() -> list[Meaning]:
    """The ids as SARIF rules."""
    return [Meaning(code, title, help) for code, (title, help) in MEANINGS.items()]
