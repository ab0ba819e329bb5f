"""Explanations stay short where thousands of reads and writes of one tensor get in each other's way."""

from __future__ import annotations

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.benchmarks.families import fan_out
from bufferize.explain.kinds import conflicts
from bufferize.explain.report import explain
from bufferize.ir.text.parser import parse_text

MANY, MOST, FEWER = 40, 20, 6
"""Smaller limits than those that users have."""


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MANY", MANY), ("MAX_REASONS", MOST), ("FEWER_REASONS", FEWER)):
        monkeypatch.setattr(conflicts, name, limit)


@pytest.mark.parametrize(("size", "most"), [(2 * MANY, MOST), (8 * MANY, FEWER)])
def test_of_many_reasons_some_are_listed_and_the_rest_hinted_at(size: int, most: int) -> None:
    explanation = explain(
        parse_text(fan_out(size)), AnalysisOptions(bufferize_function_boundaries=True), with_help=False
    )
    counts = [len(finding.reasons) for finding in explanation.findings]
    assert len(counts) > min(most, MOST - 1)
    assert max(counts) == most
    for finding in explanation.findings:
        [*notes] = (note.text for note in finding.diagnostic.notes if "other conflict" in note.text)
        assert all(note.startswith("at least ") == (len(finding.reasons) == most) for note in notes)


def test_all_are_all() -> None:
    program = parse_text(fan_out(88))
    explanation = explain(
        program, AnalysisOptions(bufferize_function_boundaries=True), with_help=False, show_all=True
    )
    notes = [note.text for d in explanation.diagnostics for note in d.notes]
    assert max(len(finding.reasons) for finding in explanation.findings) > MOST
    assert not any("at least" in note for note in notes)
