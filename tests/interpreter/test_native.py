"""Programs run natively: what the interpreter computes is what MLIR's runner computes, and what is wrong is noticed."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.cli.main import main
from bufferize.interpreter import native
from bufferize.interpreter.fuzz import FREE, ONE_SHOT, Case, NativeBatch, native_failure, read
from bufferize.interpreter.native import NativeProgram, find_tools, native_calls, run_calls
from bufferize.interpreter.verify import Options
from bufferize.ir.source.diagnostics import InputError

try:
    TOOLS = find_tools()
except InputError:
    TOOLS = None
pytestmark = [
    pytest.mark.mlir,
    pytest.mark.skipif(TOOLS is None, reason="mlir-opt and mlir-runner are not installed"),
]

RIGHT = """
func.func @main(%a: memref<?x2xf32, strided<[?, ?], offset: ?>>, %n: i32, %c: i1) -> (memref<3xi8>, memref<?xf64>, i32, index, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = memref.dim %a, %c0 : memref<?x2xf32, strided<[?, ?], offset: ?>>
  %k = arith.constant -7 : i8
  %f = arith.constant 2.5 : f64
  %x = arith.constant 0.5 : f32
  %m = memref.alloc() : memref<3xi8>
  %o = memref.alloc(%d) : memref<?xf64>
  linalg.fill ins(%k : i8) outs(%m : memref<3xi8>)
  linalg.fill ins(%f : f64) outs(%o : memref<?xf64>)
  scf.for %i = %c0 to %d step %c1 {
    memref.store %x, %a[%i, %c1] : memref<?x2xf32, strided<[?, ?], offset: ?>>
  }
  return %m, %o, %n, %d, %c : memref<3xi8>, memref<?xf64>, i32, index, i1
}
"""


def wrong(before: str, after: str, **options) -> str | None:
    """The code of what is wrong natively with one program that stands for another."""
    modules = read(before, "before"), read(after, "after")
    program = NativeProgram(modules[1], native_calls(*modules, Options(**options), 4))
    good = NativeProgram(modules[0], native_calls(modules[0], modules[0], Options(), 4))
    run_calls([good, program, good], TOOLS)
    assert program.lowered, program.refusal
    assert good.wrong is None
    return None if program.wrong is None else program.wrong.code


def test_what_is_right_is_the_same():
    assert wrong(RIGHT, RIGHT, leaks=True) is None


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("constant -7", "constant -6", "different-result"),
        ("constant 2.5", "constant 2.25", "different-result"),
        ("constant 0.5", "constant 0.25", "different-result"),
        ("memref.store %x, %a[%i, %c1]", "memref.store %x, %a[%i, %c0]", "different-result"),
        ("memref.store %x, %a[%i, %c1]", "memref.store %x, %a[%i, %c3]", "different-result"),
        ("linalg.fill ins(%k : i8) outs(%m : memref<3xi8>)", "", "different-result"),
        ("return %m, %o, %n, %d, %c", "return %m, %o, %n, %c1, %c", "different-result"),
        ("  return", "  memref.dealloc %o : memref<?xf64>\n  return", "different-result"),
        (
            "  %m =",
            "  %e = memref.alloc() : memref<2xf32>\n  memref.dealloc %e : memref<2xf32>\n"
            "  memref.dealloc %e : memref<2xf32>\n  %m =",
            "free",
        ),
        (
            "  %m =",
            "  %e = memref.alloc() : memref<2xf32>\n  memref.store %x, %e[%c1] : memref<2xf32>\n  %m =",
            "leak",
        ),
        (
            "  %m =",
            "  %e = memref.alloc() : memref<3xi8>\n  %no = arith.constant false\n"
            '  cf.assert %no, "ends here"\n  %m =',
            "crash",
        ),
    ],
)
def test_what_is_wrong_is_noticed(old, new, code):
    assert old in RIGHT
    assert wrong(RIGHT, RIGHT.replace(old, new, 1), leaks=True) == code


TWICE = """
func.func @main(%t: tensor<8xf32>, %f: f32) -> (tensor<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %f into %t[%c0] : tensor<8xf32>
  %s = tensor.extract_slice %u[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %s, %u : tensor<4xf32>, tensor<8xf32>
}
"""


def test_memory_of_two_results_does_not_leak():
    flags = (f"{ONE_SHOT}bufferize-function-boundaries", FREE)
    assert native_failure(Case(0, TWICE, flags), transform, TOOLS) is None


def test_a_program_that_is_not_lowered_does_not_keep_others_from_being_run():
    batch = NativeBatch(TOOLS)
    for text in (RIGHT, "func.func @main(%t: tensor<2xf32>) { return }", RIGHT):
        module = read(text, "program")
        batch.add(Case(0, text, ()), module, module, Options())
    unknown = RIGHT.replace("  return", "  %e = bufferization.alloc_tensor() : tensor<2xf32>\n  return")
    calls = native_calls(read(RIGHT, "right"), read(RIGHT, "right"), Options())
    program = NativeProgram(read(unknown, "unknown"), calls)
    batch.programs.insert(1, (Case(0, unknown, ()), program))
    assert [outcome.status for outcome in batch.run()] == [
        "same natively",
        "refused by mlir-opt-22",
        "same natively",
        "not run natively",
    ]
    assert "bufferization.alloc_tensor" in program.refusal


def test_random_programs_run_natively(capsys):
    assert main(["fuzz", "--runner", "--count", "12", "--seed", "3"]) == 0
    assert "12 programs: 12 same, 1" in capsys.readouterr().out


def test_native_runs_are_of_programs_that_run(capsys):
    assert main(["fuzz", "--runner", "--freeing"]) == 2
    assert "--runner cannot be combined with" in capsys.readouterr().err


def test_a_program_on_which_mlir_opt_dies_is_refused_alone(monkeypatch):
    run = native._run

    def dying(command, text, timeout):
        ended = run(command, text, timeout)
        if "dies" in text:
            ended.returncode = -11
        return ended

    monkeypatch.setattr(native, "_run", dying)
    texts = [f"func.func @{name}() {{ return }}" for name in ("a", "dies", "b")]
    lowered, refusals = native._lower_all(texts, TOOLS)
    assert [bool(text) for text in lowered] == [True, False, True]
    assert "mlir-opt ended with -11" in refusals[1]
