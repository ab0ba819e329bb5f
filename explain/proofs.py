"""How a reason follows from the rules: the derivation as a tree, with values and operations by name and place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..analysis.places import value_name
from ..ir.program.core import Block, Operation, OpOperand, Value

if TYPE_CHECKING:
    from .explanation import Explanation


def add_proofs(explanation: Explanation) -> None:
    """Attach to each finding the derivation of its first reason."""
    for finding in explanation.findings:
        if finding.reasons and finding.operand is not None:
            proof = explanation.result.prove(finding.operand, finding.reasons[0])
            finding.diagnostic.note(proof.render(shown), "proof")
            finding.diagnostic.data["proof"] = proof.render(shown)


def shown(item: Any) -> str:
    """A value, operand, operation or block as proofs write it."""
    if isinstance(item, OpOperand):
        return f"{_operation(item.owner)}[{item.index}]"
    if isinstance(item, Value):
        return value_name(item)
    if isinstance(item, Operation):
        return _operation(item)
    if isinstance(item, Block):
        return f"^{item.name_hint or 'entry'}"
    return str(item)


def _operation(op: Operation) -> str:
    span = op.name_span
    return f"{op.name}:{span.line}" if span is not None else op.name
