"""Each defect of mlir-opt has a program that shows it, with a report that could be filed (docs/programs/defects)."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import bufferize
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.cli.opt import main
from bufferize.explain.static_ownership import owners_of_buffers
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir import defects
from bufferize.ir.defects import DEFECTS, MLIR_22
from bufferize.ir.source.diagnostics import PassFailed

DOCS = Path(__file__).resolve().parents[1] / "docs"
SPEC = importlib.util.spec_from_file_location("handbook_reports", DOCS / "reports.py")
assert SPEC is not None and SPEC.loader is not None
reports = sys.modules.setdefault("handbook_reports", importlib.util.module_from_spec(SPEC))
SPEC.loader.exec_module(reports)
REPORTS = reports.reports()

INSTALLED = {"mlir-opt": shutil.which("mlir-opt-22"), "mlir-opt-16": shutil.which("mlir-opt-16")}
REFUSED = "refused-programs"
"""Rejected by this pass in any case; what is mirrored is that `explain` says no more than that."""
LEAKS = {"ends-of-blocks", "later-names", "dead-reallocations"}
"""The mirrored output differs only in memory that it does not free."""
NOT_RUN = {"kept-by-callees", "unknown-results", "ways-of-freeing", "scalable-transfers"}
"""Programs with a function, an operation or a size that the interpreter does not know."""


def names(without: str = "") -> list[str]:
    return [name for name in REPORTS if name != without]


def opt(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str, str]:
    """Exit code, output and messages of `bufferize-opt` on the program of a report."""
    file = tmp_path / "program.mlir"
    file.write_text(REPORTS[name].program, encoding="utf-8")
    code = main([str(file), *REPORTS[name].words, *flags])
    return code, *capsys.readouterr()


def judged(name: str, output: str) -> tuple[bool, bool, bool]:
    """Whether an output is proved, whether it was run and computes the same, and whether an input refutes it."""
    before, after = bufferize.parse(REPORTS[name].program), bufferize.parse(output)
    leaks = name in LEAKS
    proof = bufferize.prove(before, after, leaks=leaks, run=True)
    runs = list(verify_module(before, after, Options(leaks=leaks)))
    failed = any(found.failed for found in runs)
    ran = any(found.runs for found in runs)
    return proof.proved, ran and not failed, failed or proof.verdict == "refuted"


def test_each_defect_has_a_report_and_each_report_a_defect():
    assert set(REPORTS) == {defect.name for defect in DEFECTS}


@pytest.mark.parametrize("name", names())
def test_reports_are_short_and_whole(name: str):
    report = REPORTS[name]
    assert report.title.endswith(".") and report.lines
    assert 2 <= len(re.findall(r"[.)](?: |$)", report.text)) <= 9
    assert report.program.count("\n") <= 22


@pytest.mark.parametrize("name", names(without=REFUSED))
def test_the_outputs_differ(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, output, _ = opt(name, tmp_path, capsys)
    assert (code, output) != opt(name, tmp_path, capsys, f"--compat={MLIR_22}")[:2]


@pytest.mark.parametrize("defect", [found for found in DEFECTS if found.name != REFUSED], ids=repr)
def test_the_defect_is_enough_and_is_needed(
    defect: defects.Defect,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    """No other defect that is mirrored makes the difference."""
    name, compat = defect.name, f"--compat={MLIR_22}"
    right, wrong = opt(name, tmp_path, capsys), opt(name, tmp_path, capsys, compat)
    monkeypatch.setattr(defects, "_ALL", frozenset({defect}))
    assert opt(name, tmp_path, capsys, compat)[:2] != right[:2]
    monkeypatch.setattr(defects, "_ALL", frozenset(DEFECTS) - {defect})
    assert opt(name, tmp_path, capsys, compat)[:2] != wrong[:2]


@pytest.mark.parametrize("name", names())
def test_the_quoted_lines_are_printed(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, output, messages = opt(name, tmp_path, capsys, f"--compat={MLIR_22}")
    printed = [line.strip() for line in output.splitlines()]
    for line in REPORTS[name].lines:
        assert line in (messages if code else printed)


@pytest.mark.parametrize("name", names(without=REFUSED))
def test_what_is_printed_by_default_is_right(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, output, _ = opt(name, tmp_path, capsys)
    if name == "ways-of-freeing":
        assert code == 1  # no output of this pass would be right
        return
    assert code == 0
    proved, computes_the_same, _ = judged(name, output)
    assert proved or computes_the_same or name == "unknown-results"


@pytest.mark.parametrize("name", names())
def test_what_is_mirrored_is_wrong(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, output, _ = opt(name, tmp_path, capsys, f"--compat={MLIR_22}")
    if code == 0:
        proved, _, refuted = judged(name, output)
        assert not proved
        assert refuted == (name not in NOT_RUN)
    else:
        assert "error: " in REPORTS[name].lines[0]


def test_rejected_programs_are_explained_and_freed_by_another_pass():
    before = bufferize.parse(REPORTS[REFUSED].program)
    assert [found.code for found in owners_of_buffers(before.clone())] == ["freed", "freed"]
    with pytest.raises(PassFailed):
        owners_of_buffers(before.clone(), compat=MLIR_22)
    after = before.clone()
    transform(after, ("-buffer-deallocation-static",), "")
    assert bufferize.prove(before, after, leaks=True).proved


def renamed(text: str) -> str:
    """A program with its values and blocks numbered in order of appearance."""
    seen: dict[str, str] = {}
    return re.sub(r"[%^][\w.$-]+", lambda found: seen.setdefault(found[0], f"{found[0][0]}{len(seen)}"), text)


@pytest.mark.mlir
@pytest.mark.parametrize("name", names())
def test_mlir_opt_prints_what_is_mirrored(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = REPORTS[name]
    tool = INSTALLED[report.tool]
    if tool is None:
        pytest.skip(f"{report.tool} is not installed")
    code, output, _ = opt(name, tmp_path, capsys, f"--compat={MLIR_22}")
    command = [tool, *report.words, "-"]
    done = subprocess.run(command, input=report.program, capture_output=True, text=True, timeout=600)
    assert (done.returncode != 0) == (code != 0)
    assert renamed(done.stdout.strip()) == renamed(output.strip())
    if code:
        assert report.lines[0] in done.stderr


def test_a_head_without_a_command_is_an_error(tmp_path: Path):
    file = tmp_path / "defect.mlir"
    file.write_text("// Title.\n//\n// Text.\nfunc.func @f() {\n  return\n}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not a title, a text and a command"):
        reports.read(file)
