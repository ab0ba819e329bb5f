"""How a reason follows from the rules: the derivation as a tree, with values and operations by name and place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.grounds import shown

if TYPE_CHECKING:
    from .report import Explanation


def add_proofs(explanation: Explanation) -> None:
    """Attach to each finding the derivation of its first reason."""
    for finding in explanation.findings:
        if finding.reasons and finding.operand is not None:
            proof = explanation.result.prove(finding.operand, finding.reasons[0])
            finding.diagnostic.note(proof.render(shown), "proof")
            finding.diagnostic.data["proof"] = proof.render(shown)
