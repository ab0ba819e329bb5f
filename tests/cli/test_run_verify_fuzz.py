"""The commands that run programs: what they print, and their exit codes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from bufferize.cli import fuzz_command
from bufferize.cli.main import main
from bufferize.cli.opt import main as opt
from bufferize.interpreter.fuzz import Outcome

DOT = """
func.func @dot(%a: tensor<?xf32>, %b: tensor<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %d = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %r = tensor.extract %d[] : tensor<f32>
  return %r : f32
}
"""
FREED_TOO_EARLY = """
func.func @dot(%a: memref<?xf32>, %b: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<f32>
  linalg.fill ins(%z : f32) outs(%e : memref<f32>)
  linalg.dot ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%e : memref<f32>)
  memref.dealloc %e : memref<f32>
  %r = memref.load %e[] : memref<f32>
  return %r : f32
}
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "dot.mlir"
    path.write_text(DOT)
    return str(path)


def test_run_prints_results(program, capsys):
    assert main(["run", program, "--args", "[1, 2, 3]", "[4, 5, 6]"]) == 0
    assert capsys.readouterr().out == "32.0 : f32\n"


def test_run_reads_arrays_from_files(program, tmp_path, capsys):
    path = tmp_path / "a.npy"
    np.save(path, np.array([1.0, 2.0], np.float32))
    assert main(["run", program, "--entry", "dot", "--args", str(path), str(path)]) == 0
    assert capsys.readouterr().out == "5.0 : f32\n"


def test_run_is_repeatable_on_random_arguments(program, capsys):
    shown = []
    for _ in range(2):
        assert main(["run", program, "--args", "random:9", "random:9", "--seed", "3", "--stats"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "6 operations" in shown[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "'dot' takes 2 arguments, 0 are given"),
        (["--args", "x", "[1]"], "'x' is not a number, a list, a .npy file or 'random'"),
        (["--args", "[[1]]", "[1]"], "an array of shape 1x1 is not a value of type 'tensor<?xf32>'"),
        (["--args", "random:2x2", "[1]"], "'random:2x2' does not fit type"),
        (["--args", "no.npy", "[1]"], "cannot read 'no.npy'"),
        (["--entry", "no"], "there is no function 'no'"),
    ],
)
def test_run_says_what_is_wrong(program, capsys, words, message):
    assert main(["run", program, *words]) == 2
    error = capsys.readouterr().err
    assert "error: " in error
    assert message in error


def test_what_the_program_does_wrong_is_a_finding(program, capsys):
    assert main(["run", program, "--args", "[1]", "[1, 2]"]) == 1
    error = capsys.readouterr().err
    assert any(part in error for part in ("out-of-bounds", "is indexed", "has size"))


def test_run_finds_misuse_of_memory(tmp_path, capsys):
    path = tmp_path / "bad.mlir"
    path.write_text(FREED_TOO_EARLY)
    assert main(["run", str(path), "--args", "[1]", "[2]"]) == 1
    error = capsys.readouterr().err
    assert "8:8: error: reads memory that was freed before" in error
    assert "4:8: note: allocated here" in error


def test_verify_says_that_all_is_well(program, capsys):
    assert main(["verify", program]) == 0
    assert capsys.readouterr().out == "dot: same, tested on 6 inputs\n"
    flags = ["-one-shot-bufferize=bufferize-function-boundaries", "-buffer-deallocation-pipeline"]
    assert main(["verify", program, *flags]) == 0
    assert main(["verify", program, "--passes", "one-shot-bufferize{bufferize-function-boundaries}"]) == 0


def test_verify_against_another_program(program, tmp_path, capsys):
    path = tmp_path / "bad.mlir"
    path.write_text(FREED_TOO_EARLY)
    assert main(["verify", program, "--against", str(path)]) == 1
    error = capsys.readouterr().err
    assert "reads memory that was freed before" in error
    assert "'dot' shows this on ([] : tensor<?xf32>, [] : tensor<?xf32>)" in error


TWO_NAMES = """
func.func @two() {
  %a = memref.alloc() : memref<4xf32>
  %f = arith.constant false
  %t = arith.constant true
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  bufferization.dealloc (%a, %b : memref<4xf32>, memref<?xf32>) if (%f, %t)
  return
}
"""


def test_a_buffer_is_freed_by_whichever_of_its_names_owns_it(tmp_path, capsys):
    """mlir-opt 22 leaks it; mirrored, `verify` notices the leak although the original frees memory too."""
    path, lowered = tmp_path / "two.mlir", tmp_path / "lowered.mlir"
    path.write_text(TWO_NAMES)
    assert main(["verify", str(path), "-bufferization-lower-deallocations"]) == 0
    assert opt([str(path), "-bufferization-lower-deallocations", "-o", str(lowered)]) == 0
    assert "mlir-opt 22 would leak it" in capsys.readouterr().err
    assert main(["verify", str(path), "--against", str(lowered)]) == 0
    flags = ["-bufferization-lower-deallocations", "--compat=mlir-22"]
    assert opt([str(path), *flags, "-o", str(lowered)]) == 0
    assert main(["verify", str(path), "--against", str(lowered)]) == 1
    assert "it leaks" in capsys.readouterr().err


RESTRICT_WRITABLE = """
func.func @w(%m: memref<4xf32>, %f: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %u = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %r = bufferization.to_buffer %u : tensor<4xf32> to memref<4xf32>
  return %r : memref<4xf32>
}
"""


def test_a_buffer_that_a_tensor_may_overwrite_is_not_compared(tmp_path):
    path = tmp_path / "w.mlir"
    path.write_text(RESTRICT_WRITABLE)
    assert main(["verify", str(path)]) == 0
    stored = tmp_path / "stored.mlir"
    stored.write_text(
        RESTRICT_WRITABLE.replace(
            "  %r = bufferization.to_buffer %u : tensor<4xf32> to memref<4xf32>\n",
            "  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()\n",
        ).replace("return %r", "return %m")
    )
    assert main(["verify", str(stored)]) == 0
    unwritten = tmp_path / "unwritten.mlir"
    unwritten.write_text(
        "func.func @w(%m: memref<4xf32>, %f: f32) -> memref<4xf32> {\n  return %m : memref<4xf32>\n}\n"
    )
    assert main(["verify", str(stored), "--against", str(unwritten)]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "func.func private @f(%t: tensor<2xf32>)",
        "func.func @f(%i: index) -> f32 {\n  %c = arith.constant dense<1.0> : tensor<2xf32>\n"
        "  %j = arith.constant 9 : index\n  %x = tensor.extract %c[%j] : tensor<2xf32>\n  return %x : f32\n}",
        "func.func @f(%t: !llvm.ptr) {\n  return\n}",
    ],
)
def test_what_was_not_run_is_not_verified(tmp_path, capsys, text):
    path = tmp_path / "f.mlir"
    path.write_text(text)
    assert main(["verify", str(path), "-cse"]) == 2
    assert "not verified: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-no-such-pass"], "unknown flag"),
        (["--function", "dott"], "there is no function 'dott' in both programs (did you mean 'dot'?)"),
        (["--passes", "cse", "-cse"], "use one of them"),
        (["--passes", "nonsense"], "'nonsense' does not refer to a registered pass"),
    ],
)
def test_verify_says_what_is_wrong(program, capsys, words, message):
    assert main(["verify", program, *words]) == 2
    assert message in capsys.readouterr().err


def test_fuzz_counts_and_prints(capsys):
    assert main(["fuzz", "--count", "3", "--seed", "5"]) == 0
    assert capsys.readouterr().out.startswith("3 programs: ")
    assert main(["fuzz", "--seed", "5", "--print"]) == 0
    assert capsys.readouterr().out.startswith("// seed 5: ")
    assert main(["fuzz", "--count", "0"]) == 2


def test_fuzz_says_what_it_did_when_it_is_interrupted(monkeypatch, capsys):
    def interrupted(job):
        if job.seed == 2:
            raise KeyboardInterrupt
        return [Outcome(None, "same")] if job.seed == 0 else []

    monkeypatch.setattr(fuzz_command, "run_seed", interrupted)
    assert main(["fuzz", "--count", "5"]) == 130
    assert capsys.readouterr().out == "interrupted: 2 programs: 1 same, 1 without such a pipeline\n"


PARTS = """func.func @good(%a: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %a[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @unreadable( {
// -----
func.func @refused(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "unknown.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @last(%a: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %a[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize(("command", "verdict"), [("verify", "same"), ("prove", "proved")])
def test_parts_behind_one_that_is_refused_are_looked_at_too(tmp_path, capsys, command, verdict):
    path, other = tmp_path / "parts.mlir", tmp_path / "other.mlir"
    path.write_text(PARTS)
    assert main([command, str(path), "--split-input-file"]) == 2
    said = capsys.readouterr()
    assert f"good: {verdict}" in said.out and f"last: {verdict}" in said.out
    assert said.err.count("error:") == 2 and "op was not bufferized" in said.err
    # what is wrong is worse than what is refused
    other.write_text(
        PARTS.replace("@unreadable( {", "@unreadable() { return }").replace("into %a[%i]", "into %a[%j]")
    )
    other.write_text(
        other.read_text().replace(
            "  %r = tensor.insert", "  %j = arith.constant 1 : index\n  %r = tensor.insert"
        )
    )
    assert main([command, str(path), "--split-input-file", "--against", str(other)]) == 1


def test_a_part_that_is_refused_is_told_in_json(tmp_path, capsys):
    path = tmp_path / "parts.mlir"
    path.write_text(PARTS)
    assert main(["prove", str(path), "--split-input-file", "--format", "json"]) == 2
    verdicts = [part["verdict"] for part in json.loads(capsys.readouterr().out)]
    assert verdicts == ["proved", "refused", "refused", "proved"]


@pytest.mark.parametrize("command", ["prove", "verify"])
def test_operations_of_unknown_dialects_are_kept_unless_refused(command, tmp_path, capsys):
    file = tmp_path / "unknown.mlir"
    file.write_text('func.func @f() {\n  "unknown.op"() : () -> ()\n  return\n}\n')
    for flag in ([], ["--allow-unregistered-dialect"], ["--split-input-file"]):
        main([command, str(file), *flag])
        assert "unregistered dialect" not in capsys.readouterr().err
    for flag in ([], ["--split-input-file"]):
        assert main([command, str(file), "--no-unregistered-dialect", *flag]) == 2
        assert (
            "unknown.mlir:2:3: error: operation being parsed with an unregistered" in capsys.readouterr().err
        )
