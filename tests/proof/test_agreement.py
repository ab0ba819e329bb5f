"""`prove` and `verify` never contradict each other: what is proved does the same on every input that is run."""

import os
import sys
from pathlib import Path

import bufferize
import pytest
from bufferize.cli.main import main
from bufferize.interpreter.verify import SAME, Options, verify_module
from bufferize.ir.program.interfaces import FunctionOp
from bufferize.proof.contracts import called_by
from bufferize.semantics.frees import frees_memory, leaks_matter

OPTIONS = Options(inputs=4, tries=24, max_steps=20_000)
RECORDS = Path(__file__).parents[1] / "transforms"
TRAPS = {}
for part in (Path(__file__).parent / "traps.mlir").read_text("utf-8").split("// -----\n// ")[1:]:
    title, _, programs = part.partition("\n")
    TRAPS[title] = programs.split("// =>\n")


def pairs(file: Path):
    for text in file.read_text("utf-8").split("// -----\n"):
        before, _, after = text.partition("// =>\n")
        yield (
            bufferize.parse(before, allow_unregistered=True),
            bufferize.parse(after, allow_unregistered=True),
        )


def simple_name(function: str) -> str:
    return function.rpartition("::")[2]


def disagreements(before, after) -> list[str]:
    """Functions that are proved with all that they call, and the module around them, and that a run shows wrong."""
    proof = bufferize.prove(before, after)
    proved = {outcome.function for outcome in proof.outcomes if outcome.verdict == "proved"}
    calls = {
        op.symbol_name: called_by(op)
        for op in before.walk()
        if isinstance(op, FunctionOp) and not op.is_declaration
    }
    for _ in calls:  # functions of nested modules are named `module::function`
        doubtful = {
            simple_name(outcome.function) for outcome in proof.outcomes if outcome.function not in proved
        }
        proved = {name for name in proved if not calls.get(simple_name(name), set()) & doubtful}
    if any(outcome.is_about_module for outcome in proof.outcomes):
        proved = set()
    leaks = Options(
        inputs=4, tries=24, max_steps=20_000, leaks=leaks_matter(before, after), excused=frees_memory(before)
    )
    return [
        f"{report.function}: {report.diagnostic}"
        for report in verify_module(before, after, leaks)
        if report.failed and report.function in proved
    ]


@pytest.mark.parametrize("name", ["bufferize/programs", "data/buffer-deallocation", "data/canonicalize.scf"])
def test_what_is_proved_runs_the_same(name):
    for before, after in pairs(RECORDS / f"{name}.mlir"):
        assert not disagreements(before, after)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(file.stem for file in (RECORDS / "data").glob("*.mlir")))
def test_what_is_proved_of_recorded_pairs_runs_the_same(name):
    for before, after in pairs(RECORDS / "data" / f"{name}.mlir"):
        assert not disagreements(before, after)


@pytest.mark.long
@pytest.mark.parametrize("name", TRAPS)
def test_what_a_run_shows_wrong_is_not_proved(name):
    assert not disagreements(*(bufferize.parse(text, allow_unregistered=True) for text in TRAPS[name]))


PIPELINES = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries})",
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline)",
)
FOLDERS = [
    Path(__file__).parents[2] / "examples",
    *map(Path, os.environ.get("BUFFERIZE_PROGRAMS", "").split()),
]
"""The examples, and folders with more programs."""


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize(
    "file", [f for folder in FOLDERS for f in sorted(folder.glob("*.mlir"))], ids=lambda f: f.stem
)
def test_what_is_proved_of_a_pipeline_runs_the_same(file, pipeline):
    try:
        before, after = (bufferize.parse(file.read_text("utf-8"), allow_unregistered=True) for _ in range(2))
        bufferize.run_passes(after, pipeline)
    except bufferize.BufferizeError:
        pytest.skip("it is refused")
    assert not disagreements(before, after)


@pytest.mark.parametrize(
    "name", ["cmp-signed", "addi-wrap-ext", "trunc-ext", "zero-trip-result", "empty-reduction"]
)
def test_extremes_and_empty_extents_refute(name):
    before, after = (bufferize.parse(text) for text in TRAPS[name])
    assert bufferize.prove(before, after, run=True).verdict == "refuted"


def test_functions_of_nested_modules_are_run():
    before, after = (bufferize.parse(text) for text in TRAPS["nested-beside-good"])
    assert [report.status for report in verify_module(before, before, OPTIONS)] == [SAME, SAME]
    assert [report.failed for report in verify_module(before, after, OPTIONS)] == [False, True]
    assert bufferize.prove(before, after, run=True).outcomes[-1].verdict == "refuted"


def test_without_numpy_the_extra_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "bufferize.interpreter.verify", None)
    one, other = tmp_path / "one.mlir", tmp_path / "other.mlir"
    for file, text in zip((one, other), TRAPS["cmp-signed"], strict=True):
        file.write_text(text)
    assert main(["prove", str(one), "--against", str(other)]) == 2
    assert "extra 'run'" in capsys.readouterr().out
