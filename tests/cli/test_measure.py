"""`--measure` of `bufferize explain` and `bufferize report`: what is run, what is said of it, and what cannot be run."""

from __future__ import annotations

import json
import re

import pytest
from bufferize.cli.main import main

TABLE = """
func.func @changed(%table: tensor<1024xf32>, %sums: tensor<1024xf32>, %f: f32) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 1024 : index
  %result = scf.for %i = %c0 to %size step %c1 iter_args(%out = %sums) -> (tensor<1024xf32>) {
    %new = tensor.insert %f into %table[%i] : tensor<1024xf32>
    %first = tensor.extract %new[%c0] : tensor<1024xf32>
    %next = tensor.insert %first into %out[%i] : tensor<1024xf32>
    scf.yield %next : tensor<1024xf32>
  }
  return %result : tensor<1024xf32>
}
"""
SIZES = """
func.func @f(%t: tensor<?xf32>, %i: index, %f: f32, %go: i1) -> (tensor<?xf32>, tensor<?xf32>) {
  %u = scf.if %go -> (tensor<?xf32>) {
    %v = tensor.insert %f into %t[%i] : tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %u, %t : tensor<?xf32>, tensor<?xf32>
}
"""
SEVERAL = """
func.func private @helper(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %c1 = arith.constant 1 : index
  %u = tensor.insert %f into %t[%c1] : tensor<4xf32>
  %x = tensor.extract %t[%c1] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
func.func @one(%t: tensor<4xf32>, %f: f32) -> f32 {
  %u, %x = call @helper(%t, %f) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  return %x : f32
}
func.func @two(%t: tensor<4xf32>, %f: f32) -> f32 {
  %u, %x = call @helper(%t, %f) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  %v, %y = call @helper(%t, %x) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  return %y : f32
}
"""
OUTSIDE = """
func.func @f(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c9 = arith.constant 9 : index
  %u = tensor.insert %f into %t[%c9] : tensor<4xf32>
  return %u, %t : tensor<4xf32>, tensor<4xf32>
}
"""
UNKNOWN = OUTSIDE.replace("  %u =", '  "foo.bar"() : () -> ()\n  %u =')
ENDLESS = """
func.func @f() {
  %true = arith.constant true
  cf.br ^a
^a:
  cf.cond_br %true, ^a, ^b
^b:
  return
}
"""
LARGE = """
func.func @f(%t: tensor<100000x100000xf32>) -> tensor<100000x100000xf32> {
  return %t : tensor<100000x100000xf32>
}
"""
TWO_AT_ONE_PLACE = """
func.func private @set(%a: tensor<4xf32>, %b: tensor<8xf32>, %f: f32) -> (tensor<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %f into %a[%c0] : tensor<4xf32>
  %v = tensor.insert %f into %b[%c0] : tensor<8xf32>
  return %u, %v : tensor<4xf32>, tensor<8xf32>
}
func.func @f(%t: tensor<16xf32>, %s: tensor<8xf32>, %f: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %part = tensor.extract_slice %t[0] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %u, %v = call @set(%part, %s, %f) : (tensor<4xf32>, tensor<8xf32>, f32) -> (tensor<4xf32>, tensor<8xf32>)
  %x = tensor.extract %u[%c0] : tensor<4xf32>
  %y = tensor.extract %v[%c0] : tensor<8xf32>
  %z = tensor.extract %s[%c0] : tensor<8xf32>
  return %x, %y, %z : f32, f32, f32
}
"""
ONLY_PRIVATE = SEVERAL[: SEVERAL.index("func.func @one")]


@pytest.fixture
def explain(tmp_path, capsys):
    def run(text, *flags, code=0):
        path = tmp_path / "test.mlir"
        path.write_text(text)
        assert main(["explain", str(path), "--no-help", *flags]) == code
        printed = capsys.readouterr()
        return printed.out if not code else printed.out + printed.err

    return run


@pytest.fixture
def measured(explain):
    """The document, its findings, and the first run in it."""

    def run(text, *flags):
        data = json.loads(explain(text, "--measure", "--format", "json", *flags))
        runs = data["summary"][0]["measured"]
        inserted = [d for d in data["diagnostics"] if d["data"].get("inserted")]
        return data, [d for d in inserted if d["code"] != "not-owned"], runs

    return run


def test_how_often_a_copy_ran_and_what_it_moved(explain):
    said = explain(TABLE, "--measure")
    assert "measured: ran 1,024 times: 4.0 MiB allocated and copied" in said
    assert "measured: @changed(random, random, random): " in said
    assert "\n  copied: 4.0 MiB by findings, 4096 bytes by clones made by deallocation\n" in said
    assert re.search(r"^  without analysis: .* 8.0 MiB copied$", said, re.M)


def test_runs_and_shares_for_machines(measured):
    _, (finding,), (run,) = measured(TABLE)
    assert finding["data"]["measured"] == [
        {"entry": "changed", "times": 1024, "bytesAllocated": 1 << 22, "bytesCopied": 1 << 22}
    ]
    assert run["entry"] == "changed" and run["seed"] == 0 and run["freed"] is True
    assert run["bytesCopiedByFindings"] == 1 << 22
    assert run["bytesCopied"] == run["bytesCopiedByFindings"] + run["bytesCopiedByClones"]
    assert run["peakBytes"] == 4096
    assert run["withoutAnalysis"]["bytesCopied"] > run["bytesCopied"]


def test_a_planned_copy_and_one_that_types_force_at_the_same_call_are_told_apart(measured):
    layouts = ["--function-boundary-type-conversion", "identity-layout-map"]
    _, findings, (run,) = measured(TWO_AT_ONE_PLACE, *layouts)
    shares = {d["code"]: [m["bytesCopied"] for m in d["data"]["measured"]] for d in findings}
    assert shares == {"read-after-write": [32], "layout-mismatch": [16]}
    assert run["bytesCopiedByFindings"] == 48


def test_nothing_is_measured_unless_asked_for(explain):
    data = json.loads(explain(TABLE, "--format", "json"))
    assert data["summary"][0]["measured"] == []
    assert not any("measured" in d["data"] for d in data["diagnostics"])


def test_arguments_that_are_given(measured):
    _, (finding,), (run,) = measured(SIZES, "--args", "random:100", "99", "1.5", "true", "--seed", "3")
    assert (run["arguments"], run["seed"]) == (["random:100", "99", "1.5", "true"], 3)
    assert finding["data"]["measured"][0]["bytesCopied"] == 400
    _, (finding,), _ = measured(SIZES, "--args", "random:100", "99", "1.5", "false")
    assert finding["data"]["measured"] == [{"entry": "f", "times": 0, "bytesAllocated": 0, "bytesCopied": 0}]


def test_what_was_made_up_can_be_given_again(measured):
    _, _, (made_up,) = measured(SIZES)
    _, _, (given,) = measured(SIZES, "--args", *made_up["arguments"], "--seed", str(made_up["seed"]))
    assert given == made_up


def test_each_public_function_is_run_by_itself(measured):
    _, (finding,), runs = measured(SEVERAL)
    assert [run["entry"] for run in runs] == ["one", "two"]
    assert [(m["entry"], m["times"]) for m in finding["data"]["measured"]] == [("one", 1), ("two", 2)]


@pytest.mark.parametrize(
    ("flags", "entries"),
    [
        (["--entry", "two"], ["two"]),
        (["--entry", "@helper"], ["helper"]),
        (["--function", "one"], ["one"]),
        (["--function", "one", "--args", "random", "2"], ["one"]),
    ],
)
def test_which_functions_are_run(measured, flags, entries):
    assert [run["entry"] for run in measured(SEVERAL, *flags)[2]] == entries


@pytest.mark.parametrize(
    ("text", "flags", "message"),
    [
        (OUTSIDE, [], "'f' was not measured: writes index 9 of dimension 0, whose size is 4"),
        (OUTSIDE, ["--args", "random", "1"], "'f' was not measured: writes index 9"),
        (UNKNOWN, [], "'f' was not measured: operation 'foo.bar' is not supported"),
        (ENDLESS, [], "'f' was not measured: the run takes more than"),
        (LARGE, [], "'f' was not measured: its arguments are too large to be generated"),
        (SEVERAL, ["--entry", "on"], "there is no function 'on' with a body (did you mean 'one'?)"),
        (ONLY_PRIVATE, [], "there is no public function"),
    ],
)
def test_what_cannot_be_run_is_a_remark(measured, explain, text, flags, message):
    data, _, runs = measured(text, *flags)
    assert runs == []
    said = [d for d in data["diagnostics"] if d["code"] == "not-measured"]
    assert [d["severity"] for d in said] == ["remark"]
    assert message in said[0]["message"]
    plain = json.loads(explain(text, "--format", "json"))
    assert [d for d in data["diagnostics"] if d["code"] != "not-measured"] == plain["diagnostics"]


def test_runs_that_are_asked_for_may_take_longer(measured, monkeypatch):
    monkeypatch.setattr("bufferize.cli.run_command.RANDOM_STEPS", 5_000)
    data, _, runs = measured(TABLE)
    assert runs == []
    assert "--entry and --args" in data["diagnostics"][-1]["notes"][-1]["text"]
    _, _, (run,) = measured(TABLE, "--args", "random", "random", "1")
    assert run["operations"] > 5_000 and run["withoutAnalysis"] is not None


def test_a_program_that_cannot_be_bufferized_is_explained_all_the_same(explain):
    text = """
    func.func @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %n to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
        %e = tensor.empty() : tensor<4xf32>
        scf.yield %e : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }
    """
    said = explain(text, "--measure", code=1)
    assert "loop-yields-other-buffer" in said
    assert "nothing was measured: the program cannot be bufferized" in said


def test_where_memory_cannot_be_freed_the_run_says_so(explain, measured):
    text = SIZES.replace(
        "func.func @f", 'func.func @g() {\n  "foo.bar"() : () -> ()\n  return\n}\nfunc.func @f'
    )
    data, _, (run,) = measured(text, "--entry", "f")
    assert run["freed"] is False
    (said,) = [d for d in data["diagnostics"] if d["code"] == "not-measured"]
    assert said["message"].startswith("the measured program does not free its memory: ")
    assert "; nothing is freed" in explain(text, "--measure", "--entry", "f")


@pytest.mark.parametrize(
    ("text", "flags", "message"),
    [
        (TABLE, ["--args", "random"], "--entry and --args need --measure"),
        (TABLE, ["--measure", "--args", "random"], "'changed' takes 3 arguments, 1 are given"),
        (TABLE, ["--measure", "--args", "random", "x", "1"], "'x' is not a number"),
        (SEVERAL, ["--measure", "--args", "random", "1"], "name the function to run with --entry; there are: one, two"),
        (LARGE, ["--measure", "--args", "random"], "takes more than 1024 MiB"),
        (TABLE, ["--measure", "--ownership"], "--ownership"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_command_line(explain, text, flags, message):
    assert message in explain(text, *flags, code=2)


def test_functions_may_be_left_as_they_are(measured):
    _, _, (run,) = measured(TABLE, "--no-function-boundaries")
    assert run["bytesCopiedByFindings"] >= 1 << 22


@pytest.mark.parametrize("format", ["github", "sarif"])
def test_other_formats_say_it_too(explain, format):
    assert "measured: ran 1,024 times" in explain(TABLE, "--measure", "--format", format)


def report(tmp_path, text, *flags):
    path, page = tmp_path / "test.mlir", tmp_path / "report.html"
    path.write_text(text)
    code = main(["report", str(path), "-o", str(page), "--no-pictures", "--no-help", *flags])
    return code, page.read_text() if page.exists() else ""


def test_the_report_shows_runs_and_shares(tmp_path):
    code, html = report(tmp_path, TABLE, "--measure")
    assert code == 0
    rows = re.findall(r"<tr><td>(.*?)</td>(.*?)</tr>", html[html.index("<th>measured in a run</th>") :])
    assert rows[0][0] == (
        "<code>@changed(random, random, random)</code>"
        "<br>copied: 4.0 MiB by findings, 4096 bytes by clones made by deallocation"
    )
    assert "4.0 MiB" in rows[0][1] and "1,025" in rows[0][1]
    assert rows[1][0] == "without analysis" and "8.0 MiB" in rows[1][1]
    assert "measured: </b>ran 1,024 times: 4.0 MiB allocated and copied" in html


def test_a_report_of_what_cannot_be_run(tmp_path, capsys):
    code, html = report(tmp_path, OUTSIDE, "--measure")
    assert code == 0 and "not-measured" in html and "measured in a run" not in html
    assert report(tmp_path, TABLE, "--measure", "--after", "cse")[0] == 2
    assert "--after" in capsys.readouterr().err
    assert "measured in a run" not in report(tmp_path, TABLE)[1]
