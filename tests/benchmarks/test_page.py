"""Every figure of docs/benchmarks.md that is marked as measured is that of the recorded results."""

import json
import re
from pathlib import Path

from bufferize.benchmarks import report
from bufferize.benchmarks.measure import PhaseMeasurement
from bufferize.benchmarks.peers import PeerComparison
from bufferize.benchmarks.report import ProgramCost, filled, sections

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def results(monkeypatch, slow: float = 1.0):
    def grow(family, first, last, limit, phases):
        return [
            PhaseMeasurement(family, n, dict.fromkeys(phases, 0.001 * n**slow), 64.0)
            for n in (first, 2 * first, 4 * first)
        ]

    monkeypatch.setattr(report, "grow", grow)
    monkeypatch.setattr(
        report,
        "measure",
        lambda family, n, phases, _: PhaseMeasurement(family, n, dict.fromkeys(phases, 2.5), 2048),
    )
    monkeypatch.setattr(
        report, "compare_command", lambda task, timeout: PeerComparison(task, "mlir-opt", 2.0, 1.0)
    )
    monkeypatch.setattr(
        report, "compare_parsing", lambda: [PeerComparison("parse", "xdsl", note="not installed")]
    )
    monkeypatch.setattr(report, "compare_datalog", list)
    monkeypatch.setattr(report, "starting_up", lambda: {"version": 0.051, "explain": 0.199})
    costs = [ProgramCost("a.mlir", 0.3, 0.1, 0.5), ProgramCost("b.mlir", None, 0.1, 1.25)]
    monkeypatch.setattr(report, "measure_programs", lambda folder: costs)
    said: list[str] = []
    data = report.measure_everything(["mixed", "loops"], 1000, 100_000, 60, "models", said.append)
    assert "growing: loops" in said
    return json.loads(json.dumps(data))


def test_sentences_say_what_was_measured(monkeypatch):
    made = sections(results(monkeypatch))
    assert "| mixed | 4,000 | 4.00 (1.00) |" in made["growth"]
    assert "| family | operations | explain | report | lint | graph | memory |" in made["commands"]
    assert made["steep"].startswith("No exponent is above 1.1; the largest is 1.00")
    assert (
        "the ratio is from 0.50" in made["peers"]
        and "| parse | - | xdsl | not installed | - |" in made["peers"]
    )
    assert (
        "* `mixed`, 400,000 operations: parse 2.5 s, verify 2.5 s, analysis 2.5 s, print 2.5 s, together 10 s; at most 2.0 GB."
        in made["large"]
    )
    assert "takes 0.05 s, `bufferize explain` of ten lines 0.20 s" in made["starting"]
    assert (
        made["programs"].startswith("2 programs")
        and "| all 1 that both can do | 0.30 s | 0.10 s | 3.0 | 1.25 s at most |" in made["programs"]
    )


def test_growth_that_is_not_linear_is_said(monkeypatch):
    steep = sections(results(monkeypatch, 1.5))["steep"]
    assert "are above 1.1: " in steep and "explain of `mixed` (1.50)" in steep


def test_the_page_has_a_place_for_each_section(monkeypatch):
    page = PAGE.read_text(encoding="utf-8")
    data = results(monkeypatch)
    assert set(re.findall(r"<!-- measured: (\w+) -->", page)) == set(sections(data))
    whole = filled(page, data)
    assert whole != page and filled(whole, data) == whole
    assert all(text in whole for text in sections(data).values())
