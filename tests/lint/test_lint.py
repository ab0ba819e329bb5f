"""What lint finds: a program for each finding, marked where it is found, and its like without."""

import json
import re

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.cli.main import main
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.verifier import verify
from bufferize.lint.findings import KINDS
from bufferize.lint.lint import lint
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, parse_pipeline

from .programs import PROGRAMS


def run(pipeline, module):
    PassManager([parse_pipeline(pipeline)], Context(), allow_unregistered=True).run(module)


def found(text, runner=run):
    """(line, severity, code) of each finding."""
    module = parse_source(Source("test.mlir", text), allow_unregistered=True)
    verify(module, allow_unregistered=True)
    options = AnalysisOptions(bufferize_function_boundaries=True)
    return [(d.span.line, str(d.severity), d.code) for d in lint(module, options, run=runner)]


def expected(text):
    """What comments `// SEVERITY[CODE]` say."""
    marks = re.compile(r"(error|warning|remark)\[([\w-]+)\]")
    return [(n, *mark) for n, line in enumerate(text.split("\n"), 1) for mark in marks.findall(line)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_findings_are_where_they_are_marked(name):
    assert sorted(found(PROGRAMS[name])) == sorted(expected(PROGRAMS[name]))


def test_advice_that_changes_what_a_program_computes_is_not_given():
    def forgetful(pipeline, module):
        run(pipeline, module)
        for op in list(module.walk()):
            if op.name == "memref.store":
                op.erase()

    text = PROGRAMS["a small buffer that is made on a cycle does not belong on the stack"].replace(
        "%c, ^again", "%c, ^done"
    )
    assert {code for _, _, code in found(text)} == {"never-freed", "could-be-on-stack"}
    assert {code for _, _, code in found(text, forgetful)} == {"never-freed"}


def test_every_kind_has_a_program():
    alone = {kind.id for kind in KINDS} - {
        "not-as-before",
        "not-proved",
    }  # those two need the program before as well
    assert {code for text in PROGRAMS.values() for _, _, code in expected(text)} == alone


def test_without_passes_nothing_is_advised_and_nothing_fails():
    for text in PROGRAMS.values():
        assert set(found(text, None)) <= set(expected(text))


def test_lint_changes_nothing():
    for text in PROGRAMS.values():
        module = parse_source(Source("test.mlir", text), allow_unregistered=True)
        before = str(module)
        lint(module, AnalysisOptions(bufferize_function_boundaries=True), run=run)
        assert str(module) == before


# -- the command


def command(capsys, tmp_path, name, *flags):
    file = tmp_path / "test.mlir"
    file.write_text(PROGRAMS[name])
    code = main(["lint", str(file), *flags])
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "fail_on", "code"),
    [
        ("nothing is missing", "remark", 0),
        ("small enough for the stack", "warning", 1),
        ("small enough for the stack", "error", 0),
        ("used and freed after it was freed", "error", 1),
        ("used and freed after it was freed", "never", 0),
    ],
)
def test_exit_code_follows_fail_on(capsys, tmp_path, name, fail_on, code):
    assert command(capsys, tmp_path, name, "--fail-on", fail_on)[0] == code


def test_text_says_that_help_was_tried(capsys, tmp_path):
    out = command(capsys, tmp_path, "boundaries are left")[1]
    assert out.startswith("warning[tensor-boundary-left]: bufferization is not finished in @f")
    assert "run -canonicalize: none remains then (tried)" in out
    assert out.endswith("\n1 warning\n")
    assert command(capsys, tmp_path, "nothing is missing")[1] == "no findings\n"


def test_formats_for_machines_agree(capsys, tmp_path):
    name = "abstract frees and clones"
    data = json.loads(command(capsys, tmp_path, name, "--format", "json")[1])
    codes = [d["code"] for d in data["diagnostics"]]
    assert codes == ["clone-left", "dealloc-not-lowered"]
    assert data["summary"] == {"error": 0, "warning": 2, "remark": 0}
    github = command(capsys, tmp_path, name, "--format", "github")[1].splitlines()
    assert [line.partition("title=")[2].partition("::")[0] for line in github] == codes
    sarif = json.loads(command(capsys, tmp_path, name, "--format", "sarif")[1])["runs"][0]
    assert [result["ruleId"] for result in sarif["results"]] == codes
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} >= {kind.id for kind in KINDS}
