"""`bufferize analyze`: listings, reasons, pictures, one's own analyses, and what goes wrong."""

import json

import pytest
from bufferize.cli.main import main

PROGRAM = """func.func @f(%c: i1, %x: i32, %n: index, %m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c4 {
    memref.store %x, %m[%i] : memref<4xi32>
  }
  return
}
func.func @g() {
  return
}
"""
OWN = """from bufferize.analysis.dataflow import DenseAnalysis

class Steps(DenseAnalysis):
    def boundary(self, segment): return 0
    def join(self, a, b): return max(a, b)
    def transfer(self, op, state): return min(state + 1, 20)

class Endless(Steps):
    def transfer(self, op, state): return state + 1

class Broken(Steps):
    def transfer(self, op, state):
        return state + 'x'

class Unshown(Steps):
    def show(self, state):
        return str(1 // 0)

class Bare(DenseAnalysis):
    pass
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.mlir").write_text(PROGRAM)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "none_in.py").write_text("class A: pass\n")
    return tmp_path


def test_a_listing_has_the_state_behind_each_operation(folder, capfd):
    assert main(["analyze", "in.mlir", "--analysis", "integer-ranges", "--function", "f"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "@f: integer-ranges",
        "  ^bb0(%c: i1, %x: i32, %n: index, %m: memref<4xi32>):  %c: [0, 1], %x: [-2^31, 2^31-1], %n: [-2^63, 2^63-1]",
        "    %c0 = arith.constant 0 : index                      %c0: 0",
        "    %c4 = arith.constant 4 : index                      %c4: 4",
        "    scf.for %i = %c0 to %c4 step %c4",
        "      ^bb0(%i: index):                                  %i: [0, 3]",
        "        memref.store %x, %m[%i] : memref<4xi32>",
        "        scf.yield",
        "    }",
        "    return",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "liveness",
        "integer-ranges",
        "dead-code",
        "reaching-definitions",
        "may-view",
        "uninitialized-reads",
        "leaks",
    ],
)
def test_every_analysis_lists_prints_json_and_draws(folder, capfd, name):
    assert main(["analyze", "in.mlir", "--analysis", name]) == 0
    text = capfd.readouterr().out
    assert f"@f: {name}" in text and f"@g: {name}" in text
    assert main(["analyze", "in.mlir", "--analysis", name, "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["analysis"] == name
    first = found["programs"][0]["functions"][0]
    assert first["function"] == "f"
    assert next((p["line"], p["text"]) for p in first["points"] if p["at"] == "operation") == (
        2, "%c0 = arith.constant 0 : index")  # fmt: skip
    assert main(["analyze", "in.mlir", "--analysis", name, "-o", "x.dot"]) == 0
    assert (folder / "x.dot").read_text().startswith("digraph")


def test_an_analysis_of_ones_own(folder, capfd):
    assert main(["analyze", "in.mlir", "--analysis", "own.py:Steps", "--function", "g"]) == 0
    assert capfd.readouterr().out.splitlines()[2].split() == ["return", "1"]


def test_several_files_standard_input_and_a_folder(folder, capfd, monkeypatch):
    (folder / "more").mkdir()
    (folder / "more" / "bad.mlir").write_text("func.func @")
    (folder / "more" / "good.mlir").write_text(PROGRAM)
    assert main(["analyze", "more", "in.mlir", "--analysis", "liveness"]) == 2
    shown = capfd.readouterr()
    assert "more/good.mlir\n==============\n@f" in shown.out and "bad.mlir:1:" in shown.err
    assert (
        main(
            ["analyze", "more/good.mlir", "in.mlir", "--analysis", "liveness", "-o", "out", "--format", "dot"]
        )
        == 0
    )
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["1-good.dot", "2-in.dot"]


def test_why(folder, capfd):
    assert (
        main(
            ["analyze", "in.mlir", "--analysis", "reaching-definitions", "--why", "7=%m from memref.store:5"]
        )
        == 0
    )
    assert capfd.readouterr().out.splitlines() == [
        "propagated along 'scf.yield'  in.mlir:4:3",
        "{%m from memref.store:5}  computed by 'memref.store'  in.mlir:5:5",
    ]
    assert (
        main(["analyze", "in.mlir", "--analysis", "integer-ranges", "--why", "%i", "--format", "json"]) == 0
    )
    why = json.loads(capfd.readouterr().out)["programs"][0]["why"]
    assert why[0]["text"] == "%i: [0, 3]  from outside"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ([], "which analysis? Name one with --analysis: liveness (the values that are used later)"),
        (["--analysis", "livenes"], "there is no analysis 'livenes' (did you mean 'liveness'?)"),
        (["--analysis", "none.py:X"], "cannot open 'none.py': there is no such file"),
        (
            ["--analysis", "own.py:Stepz"],
            "'own.py' has no analysis 'Stepz'; it has Steps, Endless, Broken, Unshown, Bare",
        ),
        (["--analysis", "own.py:Bare"], "the analysis Bare does not define `boundary(self, segment)`"),
        (
            ["--analysis", "none_in.py"],
            "subclass DenseAnalysis or SparseAnalysis of bufferize.analysis.dataflow",
        ),
        (["--analysis", "own.py"], "choose an analysis of 'own.py'"),
        (["--analysis", "own.py:Endless"], "in.mlir:5:5: error: the analysis Endless does not converge"),
        (["--analysis", "liveness", "--why", "9" * 5000], "there is no operation at line 9999"),
        (["--analysis", "own.py:Broken"], "own.py:13:9: error: TypeError"),
        (["--analysis", "liveness", "--function", "h"], "there is no function 'h' with a body"),
        (["--analysis", "liveness", "--why", "99"], "there is no operation at line 99"),
        (["--analysis", "leaks", "--why", "7=%q"], "in.mlir:7:3: error: line 7: it does not hold there"),
        (["--analysis", "integer-ranges", "--why", "%q"], "IntegerRanges has no value '%q'"),
        (["--analysis", "integer-ranges", "--why", "5"], "a state for each value, not for each line"),
        (["--analysis", "own.py:Unshown"], "own.py:17: in show: ZeroDivisionError"),
        (["--analysis", "liveness", "--format", "pgn"], "there is no 'pgn' (did you mean 'png'?)"),
    ],
)
def test_what_goes_wrong_is_said(folder, capfd, flags, said):
    assert main(["analyze", "in.mlir", *flags]) == 2
    shown = capfd.readouterr()
    assert said in shown.err and "Traceback" not in shown.err and not shown.out


@pytest.mark.parametrize("text", ["", "func.func @f", "}{", "func.func private @f()", "builtin.module {}"])
def test_empty_and_malformed_programs(folder, capfd, text):
    (folder / "odd.mlir").write_text(text)
    assert main(["analyze", "odd.mlir", "--analysis", "liveness"]) in (0, 2)
    assert "Traceback" not in capfd.readouterr().err


def test_settings_name_no_analysis(folder, capfd):
    (folder / "bufferize.toml").write_text('[options]\nanalysis = "own.py:Steps"\n')
    assert main(["analyze", "in.mlir"]) == 2
    assert "bufferize.toml:2" in capfd.readouterr().err
