"""The fit of growth, the programs that grow, and the reports."""

from __future__ import annotations

import gc
import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from bufferize.analysis.cost_model import CostModel, peak
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.benchmarks.families import FAMILIES
from bufferize.benchmarks.measure import PHASES, PhaseMeasurement, exponent, run_phases, sizes
from bufferize.benchmarks.peers import PeerComparison
from bufferize.benchmarks.report import Results, to_json, to_markdown, to_svg
from bufferize.explain import suggest
from bufferize.explain.report import explain
from bufferize.ir.program.core import Operation
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_manager import PassManager, make_pass


def test_sizes_double_and_end_with_the_last() -> None:
    assert sizes(1000, 5000) == [1000, 2000, 4000, 5000]
    assert sizes(1000, 1000) == [1000]


@pytest.mark.parametrize("power", [1.0, 1.15, 2.0, 3.0])
def test_exponent_of_an_exact_power_law_is_its_power(power: float) -> None:
    points = [(n, 1e-4 * n**power) for n in (1000, 2000, 4000, 8000)]
    assert exponent(points) == pytest.approx(power)


def test_constant_costs_of_small_programs_are_left_out() -> None:
    points = [(100, 5.0), (1000, 0.1), (2000, 0.2), (4000, 0.4), (8000, 1e-5)]
    assert exponent(points) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "points", [[], [(1000, 1.0)], [(1000, 1.0), (2000, 2.0)], [(1000, 0.001)] * 5, [(1000, 1.0)] * 3]
)
def test_too_few_points_have_no_exponent(points: list[tuple[int, float]]) -> None:
    assert exponent(points) is None


@pytest.mark.parametrize("family", FAMILIES)
def test_families_are_valid_programs_of_about_the_size_asked_for(family: str) -> None:
    text = FAMILIES[family](600)
    assert text == FAMILIES[family](600)
    module = parse_text(text)
    verify(module)
    assert 300 <= sum(1 for _ in module.walk()) <= 1500


ONE_SHOT = ("one-shot-bufferize", "bufferize-function-boundaries")
FREE = ("buffer-deallocation-pipeline", "")
LINEAR: list[tuple[str, int, tuple[tuple[str, str], ...], tuple[str, str]]] = [
    ("versions", 150, (ONE_SHOT,), ("copy-removal", "")),
    ("small_conflicts", 200, (ONE_SHOT,), ("inline", "")),
    ("call_chain", 150, (ONE_SHOT,), ("plan-memory", "")),
    ("call_chain", 150, (ONE_SHOT, FREE), ("plan-memory", "reorder")),
    ("carried", 100, (ONE_SHOT,), ("buffer-deallocation-static", "")),
    ("results", 200, (ONE_SHOT,), ("ownership-based-buffer-deallocation", "")),
    ("results", 150, (ONE_SHOT,), FREE),
    ("deep_loops", 100, (ONE_SHOT,), ("plan-memory", "")),
    ("kept_branches", 150, (), ONE_SHOT),
    ("results", 150, (), ("one-shot-bufferize", "bufferize-function-boundaries fewest-copies")),
]


def _calls(work: Callable[[], object]) -> int:
    """The number of Python calls, which unlike time is the same on every run."""
    count = 0

    def note(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    gc.disable()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def _run(module: Operation, *steps: tuple[str, str]) -> None:
    PassManager([make_pass(*step) for step in steps], verify_each=False).run(module)


@pytest.mark.parametrize(
    ("family", "size", "before", "step"),
    LINEAR,
    ids=[f"{number}-{step[0]}-{family}" for number, (family, *_, step) in enumerate(LINEAR)],
)
def test_passes_are_linear(
    family: str, size: int, before: tuple[tuple[str, str], ...], step: tuple[str, str]
) -> None:
    counts = []
    for operations in (size, size, 4 * size):  # the first run imports and fills caches
        module = parse_text(FAMILIES[family](operations))
        _run(module, *before)
        counts.append(_calls(lambda module=module: _run(module, step)))
    assert counts[2] <= 4**1.15 * counts[1]


@pytest.mark.parametrize("is_freed", [True, False])
def test_peak_of_values_with_many_buffers_is_found_in_linear_time(is_freed: bool) -> None:
    counts = []
    for operations in (150, 150, 600):
        module = parse_text(FAMILIES["kept_branches"](operations))
        _run(module, ONE_SHOT)
        counts.append(_calls(lambda module=module: peak(module, CostModel(64), None, is_freed)))
    assert counts[2] <= 4**1.15 * counts[1]


def test_joint_changes_of_a_large_function_are_rendered_within_a_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered = []
    monkeypatch.setattr(suggest, "edits_of", lambda *given: rendered.append(given) or [])
    monkeypatch.setattr(suggest, "SMALL", 100)
    text = FAMILIES["conflicts"](290)
    module = parse_text(text)
    explained = explain(module, AnalysisOptions(bufferize_function_boundaries=True), source=Source("f", text))
    assert explained.findings
    assert len(rendered) == 2, "one change is tried alone, and one of those tried together is rendered"


def test_every_phase_runs() -> None:
    measured = run_phases("branches", 20)
    assert not measured.failed
    assert set(measured.seconds) == set(PHASES)
    assert measured.megabytes > 0


def results() -> Results:
    rows = [
        PhaseMeasurement("chain", n, {"parse": n * 1e-4, "analysis": n * 2e-4}, megabytes=n / 100)
        for n in (1000, 2000, 4000)
    ]
    rows.append(PhaseMeasurement("<odd & name>", 1000, {"parse": 0.5}, 10.0, failed="no result within 60 s"))
    return Results(
        rows,
        [
            PeerComparison("analysis", "mlir-opt", 0.5, 100.0),
            PeerComparison("parse", "xdsl", 1.0, None, "not installed"),
        ],
    )


def test_json_report_holds_measurements_exponents_and_ratios() -> None:
    report = json.loads(to_json(results()))
    assert len(report["measurements"]) == 4
    assert report["exponents"]["chain"]["analysis"] == pytest.approx(1.0)
    assert report["exponents"]["chain"]["print"] is None
    assert [c["ratio"] for c in report["comparisons"]] == [200.0, None]


def test_markdown_report_has_a_row_for_each_family_and_peer() -> None:
    text = to_markdown(results())
    assert "| chain | 4,000 | 0.40 (1.00) |" in text
    assert "no result within 60 s" in text
    assert "| analysis | 0.500 s | mlir-opt | 100.000 s | 200.00 |" in text
    assert "| parse | 1.000 s | xdsl | not installed | - |" in text


def test_plot_is_well_formed_and_escapes_names() -> None:
    ET.fromstring(to_svg(results()))
    ET.fromstring(to_svg(results(), "parse"))
    assert "&lt;odd &amp; name&gt;" in to_svg(results(), "parse")
    assert "nothing measured" in to_svg(Results())
