"""What the playground asks of Python, asked here: each request has its answer, whatever the program."""

import json
from pathlib import Path

import pytest
from bufferize.cli.playground import ANSWERS, answer

PROGRAM = (Path(__file__).parents[2] / "examples" / "cell.mlir").read_text(encoding="utf-8")
ASKED = {
    "program": PROGRAM,
    "flags": [],
    "pipeline": "one-shot-bufferize{bufferize-function-boundaries},canonicalize",
    "kind": "cfg",
    "line": 1,
    "character": 4,
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def asked(do, **more):
    return json.loads(answer(json.dumps({"do": do, **ASKED, **more})))


def test_a_pipeline_is_shown_pass_by_pass():
    stages = asked("passes")["stages"]
    assert [stage["name"] for stage in stages] == ["the program", "one-shot-bufferize", "canonicalize"]
    assert "tensor" in stages[0]["text"] and "memref" in stages[1]["text"]


def test_a_pass_that_fails_leaves_what_was_before_it():
    found = asked(
        "passes", program='func.func @f(%t: tensor<4xf32>) { "a.b"(%t) : (tensor<4xf32>) -> () return }'
    )
    assert found["code"] != 0
    assert "error" in found["text"]
    assert found["stages"][0]["name"] == "the program"


def test_a_fix_is_the_program_with_it():
    found = asked("fix")
    assert found["program"] and found["program"] != PROGRAM
    assert asked("fix", program=found["program"])["program"] == "", "nothing is left to change"


def test_memory_has_a_picture_where_buffers_are_planned():
    several = (Path(__file__).parents[2] / "examples" / "slice.mlir").read_text(encoding="utf-8")
    assert "<svg" in asked("memory", program=several)["svg"]
    found = asked(
        "memory", program="func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { return %t : tensor<4xf32> }"
    )
    assert found["svg"] == ""
    assert "@f" in found["text"]


def test_options_reach_the_analysis():
    with_option = asked("explain", flags=["--analysis-heuristic=no-such-order"])
    assert "no-such-order" in with_option["text"]


def test_assistance_has_findings_with_edits_and_hints():
    pytest.importorskip("lsprotocol")
    found = asked("assist")
    assert any(one["actions"] for one in found["diagnostics"])
    assert found["hints"]
    assert asked("complete")["items"]


@pytest.mark.parametrize("do", ANSWERS)
@pytest.mark.parametrize("program", ["", "func.func @f( <img src=x>", "\udc80", "func.func @f() { return }"])
def test_no_program_breaks_an_answer(do, program):
    assert isinstance(asked(do, program=program), dict)
