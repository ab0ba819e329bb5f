"""Explanations stay short where thousands of reads and writes of one tensor get in each other's way."""

from __future__ import annotations

from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.benchmarks.families import fan_out
from bufferize.explain.conflict import MAX_REASONS
from bufferize.explain.report import explain
from bufferize.ir.text.parser import parse_text


def test_of_many_reasons_some_are_listed_and_the_rest_hinted_at() -> None:
    explanation = explain(
        parse_text(fan_out(8 * MAX_REASONS)),
        AnalysisOptions(bufferize_function_boundaries=True),
        with_help=False,
    )
    assert len(explanation.findings) > MAX_REASONS
    counts = [len(finding.reasons) for finding in explanation.findings]
    assert max(counts) == MAX_REASONS
    notes = [note.text for d in explanation.diagnostics for note in d.notes]
    assert any(note.startswith(f"at least {MAX_REASONS - 1} other conflicts") for note in notes)
