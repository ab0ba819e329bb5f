"""Checks that a build can trust: budgets, exit codes, places, and that nothing passes because nothing was looked at."""

import json
from pathlib import Path

import pytest
from bufferize.cli.main import main

COPIES = """
func.func @twice(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %v = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %v, %x : tensor<4xf32>, tensor<4xf32>, f32
}
func.func @never(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
"""
REFUSED = """
func.func @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
UNKNOWN = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = "my.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}
"""
NESTED = f"module {{\nmodule @inner {{{COPIES}}}\n}}"


@pytest.fixture
def explain(tmp_path, capsys):
    def run(text: str, *flags: str) -> tuple[int, str, str]:
        path = tmp_path / "p.mlir"
        path.write_text(text)
        code = main(["explain", str(path), "--no-help", *flags])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        (COPIES, [], 0),
        (COPIES, ["--budget", "2"], 0),
        (COPIES, ["--budget", "1"], 1),
        (COPIES, ["--budget", "0", "--budget", "@twice=2"], 0),
        (COPIES, ["--budget", "never=0"], 0),
        (COPIES, ["--fail-on-copy"], 1),
        (COPIES, ["--fail-on-copy", "--function", "never"], 1),
        (COPIES, ["--fail-on-copy=added", "--function", "never"], 0),
        (COPIES, ["--fail-on-copy=added"], 1),
        (COPIES, ["--budget", "twice=2", "--function", "never"], 2),
        (NESTED, ["--budget", "1"], 1),
        (NESTED, ["--budget", "twice=2"], 0),
        (REFUSED, [], 1),
        (REFUSED, ["--budget", "9"], 1),
        (UNKNOWN, ["--fail-on-copy"], 1),
        ("func.func @f(", [], 2),
    ],
)
def test_exit_codes(explain, text, flags, code):
    assert explain(text, *flags)[0] == code


def test_a_budget_for_a_function_that_is_nowhere_is_refused_with_a_suggestion(explain):
    code, out, err = explain(COPIES, "--budget", "twise=1")
    assert (code, out) == (2, "")
    assert "there is no function '@twise' in the program, which --budget names (did you mean 'twice'?)" in err


def test_what_breaks_a_budget_is_an_error_at_its_function_in_every_format(explain):
    flags = ("--budget", "1", "--format")
    _, out, err = explain(COPIES, *flags, "sarif")
    run = json.loads(out)["runs"][0]
    (broken,) = [result for result in run["results"] if result["level"] == "error"]
    assert broken["ruleId"] == "over-budget"
    assert broken["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert [r["physicalLocation"]["region"]["startLine"] for r in broken["relatedLocations"]] == [3, 4]
    assert "over-budget" in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert err == "bufferize: @twice makes 2 copies, 1 allowed\n"
    _, out, _ = explain(COPIES, *flags, "github")
    (line,) = [line for line in out.splitlines() if line.startswith("::error ")]
    assert "line=2," in line and "@twice makes 2 copies, 1 allowed" in line
    _, out, _ = explain(COPIES, *flags, "json")
    (broken,) = [d for d in json.loads(out)["diagnostics"] if d["severity"] == "error"]
    assert (broken["code"], broken["span"]["line"]) == ("over-budget", 2)
    _, out, err = explain(COPIES, *flags, "text")
    assert "error[over-budget]: @twice makes 2 copies, 1 allowed" in out


def test_a_program_that_cannot_be_bufferized_keeps_to_no_budget(explain):
    for text in (REFUSED, UNKNOWN):
        _, out, _ = explain(text, "--budget", "9")
        assert "error[over-budget]: the program cannot be bufferized, so it fails every budget" in out


def test_functions_in_nested_modules_are_explained(explain):
    _, out, _ = explain(NESTED, "--format", "json")
    data = json.loads(out)
    assert data["summary"][0]["memoryReport"]["copies"] == 2
    assert "nested-module" in {d["code"] for d in data["diagnostics"]}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "a.mlir").write_text(COPIES)
    (tmp_path / "below" / "b.mlir").write_text(COPIES.replace("4xf32", "8xf32"))
    (tmp_path / "readme.txt").write_text("no program")
    return tmp_path


def test_a_folder_is_every_program_below_it(folder, capsys):
    assert main(["explain", str(folder), "--no-help", "--format", "json"]) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert [Path(entry["file"]).name for entry in summary] == ["a.mlir", "b.mlir"]
    assert main(["explain", str(folder / "a.mlir"), "--no-help", str(folder), "--limit", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("all: 12 tensor operands, 8 in place, 4 copies (96 bytes)")
    assert "b.mlir:3:30" in "\n".join(lines[:8]), "the costliest first, whatever file it is in"
    assert main(["lint", str(folder)]) == 0


@pytest.mark.parametrize("command", ["explain", "lint"])
def test_one_bad_file_of_several_is_said_and_the_others_are_shown(command, folder, capsys):
    (folder / "bad.mlir").write_text("func.func @f(")
    assert main([command, str(folder)]) == 2
    out, err = capsys.readouterr()
    assert "bad.mlir:1:14: error: " in err
    assert out


def test_a_folder_without_programs_is_refused(folder, capsys):
    (folder / "none").mkdir()
    assert main(["explain", str(folder / "none")]) == 2
    assert "there is no program in the folder" in capsys.readouterr().err


def test_reports_of_several_programs_are_pages_and_a_list(folder, capsys):
    pages = folder / "pages"
    (folder / "bad.mlir").write_text("func.func @f(")
    flags = ["--no-pictures", "--no-help"]
    assert main(["report", str(folder), *flags]) == 2
    assert "name a folder with -o" in capsys.readouterr().err
    assert main(["report", str(folder), *flags, "-o", str(pages)]) == 2
    assert sorted(path.name for path in pages.iterdir()) == ["1-a.html", "3-b.html", "index.html"]
    html = (pages / "index.html").read_text()
    assert html.index('href="3-b.html"') < html.index('href="1-a.html"'), "those that copy most first"
    assert "expected non-function type" in html
