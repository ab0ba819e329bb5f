"""How findings follow from the rules: the derivation of each as a note, and as data for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .report import Explanation


def add_proofs(explanation: Explanation) -> None:
    """Attach to everything that is said of a program how it follows."""
    for diagnostic in (
        *explanation.errors,
        *(f.diagnostic for f in explanation.findings),
        *explanation.remarks,
    ):
        diagnostic.prove()
