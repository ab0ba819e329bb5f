"""What stands against a proof, as findings."""

from __future__ import annotations

from ..ir.source.diagnostics import Diagnostic, Severity
from .check import FunctionAnswer


def diagnostics(outcome: FunctionAnswer) -> list[Diagnostic]:
    """What stands against a proof, as findings: the run that refutes it, or each open question, once."""
    if outcome.evidence is not None and outcome.evidence.diagnostic is not None:
        finding = outcome.evidence.diagnostic
        for question in outcome.questions[:1]:
            if question.op is not None and question.op.span is not None:
                finding.label(question.op.span, "the proof fails here: could not prove that " + question.text)
            if question.other is not None and question.other.span is not None:
                finding.label(question.other.span, "this write destroys what is read")
        return [finding]
    found: list[Diagnostic] = []
    seen: set[tuple[str, object]] = set()
    for question in outcome.questions:
        key = question.text, question.op
        if key in seen or len(found) >= 5:
            continue
        seen.add(key)
        diagnostic = Diagnostic(
            Severity.WARNING, _sentence(question.kind, question.text), question.span, "open-question"
        )
        diagnostic.data["kind"] = question.kind
        if question.other is not None and question.other.span is not None:
            diagnostic.label(question.other.span, "written here")
        found.append(diagnostic)
    return found


def _sentence(kind: str, text: str) -> str:
    """An open question in words: what would have to hold, or what the checker does not follow."""
    if kind in ("unsupported", "unknown", "cycle", "helper", "loop", "size", "recursion", "signature"):
        return f"not proved, because the checker does not follow this: {text}"
    return f"could not prove that {text}"
