"""Fuzzing: programs are valid and repeatable, pipelines keep them, and failures become small."""

from __future__ import annotations

import re
import shutil

import pytest
from bufferize.cli.fuzz_command import known_pass, transform
from bufferize.interpreter import InterpreterError, fuzz
from bufferize.interpreter.fuzz import Case, all_cases, read, run_case, unfit
from bufferize.interpreter.fuzz_reduction import reduce_case
from bufferize.interpreter.generate import memref_program
from bufferize.interpreter.generate_corners import memref_program_with_names, tensor_program_with_names
from bufferize.interpreter.generate_graphs import graph_program
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.generate_sizes import sized_program
from bufferize.interpreter.verify import SAME, Options, verify_module

BUFFERIZE = "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"


@pytest.mark.parametrize(
    "program",
    [tensor_program, memref_program, tensor_program_with_names, memref_program_with_names, sized_program],
)
def test_generated_programs_are_valid_defined_and_repeatable(program):
    for seed in range(10):
        text = program(seed)
        assert program(seed) == text
        module = read(text, "generated")
        for finding in verify_module(module, module.clone(), Options(inputs=2, tries=2)):
            assert (finding.status, finding.runs) == (SAME, 2)


@pytest.mark.parametrize("seed", range(25))
def test_pipelines_keep_what_programs_do(seed):
    outcome = run_case(next(all_cases(seed, known_pass)), transform)
    assert outcome.failure is None, outcome.failure


def test_a_dropped_copy_is_reduced_to_a_small_program():
    def faulty(module, flags, compat):
        transform(module, flags, compat)
        copies = [op for op in module.walk() if op.name == "memref.copy"]
        if copies:
            copies[0].erase()

    for seed in range(9, 49):
        case = Case(seed, tensor_program(seed), (BUFFERIZE,))
        failure = run_case(case, faulty).failure
        if failure is not None:
            break
    else:
        raise AssertionError("no program shows the fault")
    small = reduce_case(failure, lambda case: run_case(case, faulty).failure, attempts=400)
    assert small.kind == failure.kind
    assert len(small.case.text.splitlines()) <= 20
    assert len(small.case.text) < len(case.text) / 2


def test_crashes_are_failures():
    def crashing(module, flags, compat):
        raise IndexError("a defect")

    failure = run_case(next(all_cases(1, known_pass)), crashing).failure
    assert failure is not None
    assert failure.kind == "crash"
    assert "a defect" in failure.message


@pytest.mark.mlir
@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("seed", range(6))
def test_decisions_are_those_of_mlir_opt(seed):
    case = Case(seed, tensor_program(seed), (BUFFERIZE,))
    failure = run_case(case, transform, "mlir-opt-22").failure
    assert failure is None, failure


def test_a_program_goes_through_every_pipeline_of_its_kind():
    cases = list(all_cases(3, known_pass))
    assert next(all_cases(3, known_pass)) == cases[0]
    assert len({case.flags for case in cases}) == len(cases) > 10


def test_kinds_of_statements_are_all_written():
    """What is meant to be tried is tried: a misspelt weight would leave it out."""
    text = "".join(tensor_program(seed) for seed in range(120))
    for name in (
        "scf.while",
        "scf.index_switch",
        "scf.forall",
        "tensor.pad",
        "tensor.concat",
        "tensor.generate",
    ):
        assert name in text
    for name in (
        "linalg.reduce",
        "linalg.broadcast",
        "linalg.map",
        "func.call",
        "cf.cond_br",
        "arith.select",
    ):
        assert name in text


def test_buffers_have_several_names():
    """One buffer is given twice to a function, views of it are, and so are two buffers of one tensor."""
    tensors = "".join(tensor_program_with_names(seed) for seed in range(40))
    memory = "".join(memref_program_with_names(seed) for seed in range(40))
    for text in (tensors, memory):
        assert re.search(r"call @poke\((%\w+), \1,", text)
        assert re.search(r"call @\w+\((%[\w#]+), (?!\1)", text)
    assert re.search(
        r"(%\w+) = bufferization.to_buffer (%\w+).*\n +%\w+ = bufferization.to_buffer \2 ", tensors
    )
    for name in ("to_tensor %v", "restrict writable", "restrict :", "materialize_in_destination"):
        assert name in tensors
    for name in ("memref.reinterpret_cast", "memref.subview", "memref.cast", "arith.select", "scf.for"):
        assert name in memory


def test_one_type_has_several_sizes():
    """Sizes are constants, computed, or asked for; zero occurs, and no mark is printed."""
    text = "".join(sized_program(seed) for seed in range(60))
    assert "@%" not in text
    for size in ("constant 0", "addi", "minui", "dim"):
        assert re.search(
            rf"(%\w+) = (arith|tensor).{size}.*\n(.*\n){{0,3}}.*tensor.empty\(\1\) : tensor<\?x", text
        )
    for pattern in (
        r"in \(%\w+\) shared_outs\(.* -> \(tensor<\?x4xf32>",
        r"scf.for .* -> \(tensor<\?x4?x?f32>, tensor<\?xf32>\)",
        r"scf.if .* -> \(tensor<\?xf32>\)",
        r"call @\w+\(.*\) : \(.*tensor<\?xf32>.*tensor<\?xf32>.*\) -> ",
        r"concat dim\(0\) .* : \(tensor<\?xf32>, tensor<\?xf32>\)",
        r"collapse_shape .* : tensor<\?x4xf32>",
    ):
        assert re.search(pattern, text), pattern


def test_a_pipeline_gets_programs_without_what_it_refuses():
    without = unfit(("-linalg-bufferize", "-buffer-deallocation"))
    for seed in range(40):
        text = tensor_program_with_names(seed, without)
        assert "scf.forall" not in text
        assert "tensor.splat" not in text
        assert "^head" not in text


NESTED = """func.func @main(%a: tensor<4xf32>, %x: f32, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %q = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %a) -> (tensor<4xf32>) {
      %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %q : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""


def test_bodies_are_unpacked():
    def crashing(module, flags, compat):
        if any(op.name == "tensor.insert" for op in module.walk()):
            raise IndexError("a defect")

    failure = run_case(Case(1, NESTED, (BUFFERIZE,)), crashing).failure
    assert failure is not None
    small = reduce_case(failure, lambda case: run_case(case, crashing).failure).case.text
    assert "tensor.insert" in small
    assert "scf." not in small


def test_failures_of_frees_are_reduced_to_a_few_blocks():
    def forgetful(module, flags, compat):
        """Frees nothing behind a copy."""
        transform(module, flags, compat)
        for op in list(module.walk()):
            if (
                op.name == "memref.dealloc"
                and op.previous_op is not None
                and op.previous_op.name == "memref.copy"
            ):
                op.erase()

    def failure_of(case):
        try:
            return fuzz.judge_case(case, forgetful).failure
        except InterpreterError:
            return None  # the program itself misuses memory

    for seed in range(1, 60):
        case = Case(seed, graph_program(seed), (fuzz.PASS,))
        failure = failure_of(case)
        if failure is not None and 2 < case.text.count("^") < 12 and len(case.text) < 5000:
            break
    else:
        raise AssertionError("no program shows the fault")
    small = reduce_case(failure, failure_of, attempts=60)
    assert small.kind == failure.kind
    assert small.case.text.count("^") <= 3 and len(small.case.text) < len(case.text) / 2
