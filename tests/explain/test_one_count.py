"""One count: whoever shows how much a program copies reads one report, so all that is shown adds up.

Held for the programs of the pages of findings, for the examples, and with `-m long` for every recorded program.
"""

import html
import json
import os
import re
from pathlib import Path

import bufferize
import pytest
from bufferize.analysis.cost_model import traffic
from bufferize.analysis.sizes import format_bytes
from bufferize.benchmarks.families import FAMILIES
from bufferize.cli.compare_command import CONFIGURATIONS, compare, to_table
from bufferize.cli.main import main
from bufferize.explain.explanation import Explanation
from bufferize.explain.fix import fix
from bufferize.explain.kinds import FINDINGS
from bufferize.explain.report import explain
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.source.locations import Source
from bufferize.ir.source.reading import split_source
from bufferize.lsp import answers
from bufferize.lsp.document import Document, Stage
from bufferize.transforms.memory_report import MemoryReport, total
from bufferize.viz.html.page import IndexEntry
from bufferize.viz.html.totals import figures
from bufferize.viz.notebook import explanation_html

from .test_account import PROGRAMS, read

ROOT = Path(__file__).parents[2]
RECORDED = os.environ.get("BUFFERIZE_RECORDED")
SAMPLE = {
    **{f"page of {kind.id}": kind.page().example.text for kind in FINDINGS if not kind.page().example.flags},
    **{path.stem: path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*.mlir"))},
    **PROGRAMS,
}


@pytest.mark.parametrize("family", ["conflicts", "loops", "calls"])
def test_what_configurations_share_changes_no_count(family):
    module = bufferize.parse(FAMILIES[family](40))
    alone = [found.data() for name in CONFIGURATIONS for found in compare(module, (name,))]
    assert [found.data() for found in compare(module)] == alone


def test_a_comparison_tells_of_copies_that_the_program_has_already():
    copied = "memref.copy %a, %b : memref<4xf32> to memref<4xf32>"
    program = "func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {{ {} return }}"
    assert to_table(compare(bufferize.parse(program.format(copied)), ["default"])).endswith(
        "not counted, but in the traffic: 1 copy that the program has already\n"
    )
    assert "not counted" not in to_table(compare(bufferize.parse(program.format("")), ["default"]))


def counts(memory_report: MemoryReport) -> dict[str, int]:
    return {what: len(getattr(memory_report, what)) for what in ("copies", "clones", "allocations")}


def of_lists(found: Explanation) -> None:
    """Findings, groups, functions, pages and pictures of one explanation."""
    memory_report = found.memory_report
    whole = counts(memory_report)
    made = [memory_record for memory_record in memory_report if not memory_record.was_written]
    told = [id(memory_record) for finding in found.findings for memory_record in finding.records]
    assert len(told) == len(set(told))
    assert set(told) <= set(map(id, made))
    left = [m for m in made if id(m) not in set(told)]
    assert not any(m.made in ("memref.copy", "bufferization.clone", "memref.alloc") for m in left)
    data = found.data()
    assert {what: data[what] for what in whole} == whole
    assert {what: sum(group[what] for group in data["groups"]) for what in whole} == whole
    by_function = memory_report.by_function().values()
    assert {what: sum(counts(part)[what] for part in by_function) for what in whole} == whole
    assert sum(map(len, found.copies_by_function(only_added=True).values())) == whole["copies"]
    moves = sum(map(len, found.copies_by_function().values()))
    assert moves == data["moves"] == len(memory_report.moves)
    for group in found.groups():
        note = next(
            (n.text for n in group.diagnostic().notes if n.text.startswith("the same cause forces")), ""
        )
        for word, what in (("cop(?:y|ies)", "copies"), ("clones?", "clones")):
            said = re.search(rf"([\d,]+) more {word}", note)
            others = MemoryReport([m for f in group.findings[1:] for m in f.records])
            assert int(said[1].replace(",", "") if said else 0) == counts(others)[what]
    cost = traffic(found.bufferized.module)
    assert memory_report.cost == cost
    sizes = [
        m.traffic.constant for m in memory_report.moves if m.made == "memref.copy" and not m.times.at_most
    ]
    if cost.is_exact and len(sizes) == len(memory_report.moves):  # findings and the first line multiply alike
        assert sum(size for size in sizes if size is not None) == cost.copied
    assert data["totals"] == data["memoryReport"]["totals"] == cost.data()
    assert (
        cost.words(total(memory_report.copies).constant, total(memory_report.allocations).constant)
        in found.summary()
    )
    numbers = re.findall(r"\b([\d,]+|no) cop(?:y|ies)\b", found.summary())
    assert numbers and int(numbers[0].replace("no", "0").replace(",", "")) == whole["copies"]
    page = figures([found])
    assert not cost.traffic or cost.words() in page
    assert f">{whole['copies']:,}<" in page
    assert f">{whole['allocations']:,}<" in page
    assert IndexEntry.of("p", "", [found]).cells[::2] == (f"{whole['copies']:,}", f"{whole['allocations']:,}")
    assert found.summary() in html.unescape(explanation_html(found))


def of_others(text: str, found: Explanation, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command in each format, `compare`, budgets, `fix`, pictures and the editor."""
    whole = counts(found.memory_report)

    def output(*flags: str) -> str:
        main(["explain", str(path), "--no-help", *flags])
        return capsys.readouterr().out

    lines = output().splitlines()
    assert lines[0] == found.summary()
    document = json.loads(output("--format", "json"))
    (summary,) = document["summary"]
    assert {what: summary[what] for what in whole} == whole
    (run,) = json.loads(output("--format", "sarif"))["runs"]
    assert {what: run["properties"]["summary"][0][what] for what in whole} == whole
    records = [m for r in run["results"] for m in r.get("properties", {}).get("records", ())]
    assert sum(m["made"] == "memref.copy" for m in records) == whole["copies"]
    annotations = [line for line in output("--format", "github").splitlines() if line.startswith("::")]
    assert len(annotations) == len(document["diagnostics"])
    most = max(map(len, found.copies_by_function(only_added=True).values()), default=0)
    for allowed in {most, max(0, most - 1)}:
        assert main(["explain", str(path), "--no-help", f"--budget={allowed}"]) == (most > allowed)
    capsys.readouterr()
    module = found.result.state.root
    (outcome,) = compare(module, ["default"])
    assert not outcome.failed
    plain = {what: whole[what] for what in ("copies", "allocations")}
    assert {what: counts(outcome.memory_report)[what] for what in plain} == plain
    assert outcome.data()["bytesCopied"] == summary["bytesCopied"]
    assert outcome.data()["totals"] == summary["totals"]
    row = to_table([outcome]).splitlines()[1]
    assert row.split("  ")[-1].strip() == format_bytes(found.memory_report.cost.peak)
    # fix leaves out copies of a part onto itself, which -cse -canonicalize removes
    moved = [copy for copy in found.memory_report.copies if not copy.is_onto_itself]
    fixed = fix(Source("p.mlir", text), found.result.options, explain=explain)
    before, size = fixed.before
    assert fixed.totals[0].data() == summary["totals"] or fixed.was_refused
    assert (before, size) == (len(moved), total(moved).by_name())
    title = bufferize.picture(module, "conflicts", explanation=found).dot.partition("</B>")[0]
    wanted = {0: "", 1: "a copy"}.get(whole["copies"], f"{whole['copies']} copies")
    assert wanted in title
    shown = Document("p.mlir", text)
    shown.explained(Stage.FREED)
    lenses = " ".join(lens.command.title for lens in answers.code_lenses(shown) if lens.command is not None)
    for part in found.memory_report.by_function().values():
        assert part.summary() in lenses or not part.records[0].function
    hints = [
        hint.label for hint in answers.inlay_hints(shown, 0, len(text)) if str(hint.label).startswith("copy")
    ]
    copying = {f.operand for f in found.findings if f.inserted and f.copies}
    assert len(hints) == len(copying.intersection(found.result.operands()))


@pytest.mark.parametrize("name", SAMPLE)
def test_everything_that_is_shown_adds_up(name, tmp_path, capsys):
    text = SAMPLE[name]
    found = bufferize.explain(read(text), with_help=False)
    if found.is_complete:
        of_lists(found)
    if found.is_bufferized:
        path = tmp_path / "p.mlir"
        path.write_text(text)
        of_others(text, found, path, capsys)


@pytest.mark.long
@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of recorded inputs")
def test_everything_that_is_shown_of_recorded_programs_adds_up():
    wrong, looked_at = [], 0
    for path in sorted(Path(RECORDED or "").rglob("inputs/*.mlir")):
        for i, part in enumerate(split_source(Source(path.name, path.read_text()))):
            try:
                found = bufferize.explain(read(part.text), with_help=False)
            except BufferizeError:
                continue
            if not found.is_complete:
                continue
            looked_at += 1
            try:
                of_lists(found)
            except AssertionError as failure:
                wrong.append(f"{path}, part {i}: {failure}")
    assert not wrong, "\n".join(wrong)
    assert looked_at, f"{RECORDED} holds no program that bufferizes"
