"""Certificates are accepted by a checker that shares nothing with the search; wrong ones are not."""

from dataclasses import replace

import pytest
from bufferize import parse
from bufferize.analysis.certificates import faults
from bufferize.analysis.fewest_copies.choose import Certificate, CertifiedCore, certificate
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.interpreter.generate_programs import tensor_program

OPTIONS = AnalysisOptions(
    bufferize_function_boundaries=True,
    allow_return_allocs_from_loops=True,
    analysis_heuristic="fewest-copies",
)

TWICE = """\
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
"""


def certified(text: str, **options):
    result = analyze(parse(text), replace(OPTIONS, **options))
    return result, [certificate(outcome) for outcome in result.outcomes.values()]


def test_one_copy_and_what_proves_it():
    result, (found,) = certified(TWICE)
    (core,) = found.cores
    assert [use.owner.name for use in core.operands] == ["tensor.insert"]
    assert found.bound == 16_001
    assert faults(result, found) == []


@pytest.mark.parametrize("seed", range(500, 530))
def test_certificates_of_random_programs(seed):
    result, found = certified(tensor_program(seed), compare_parts=bool(seed % 2))
    if not result.errors:
        for one, outcome in zip(found, result.outcomes.values(), strict=True):
            assert faults(result, one) == []
            assert one.bound <= outcome.bound


def test_wrong_certificates_are_refused():
    result, (found,) = certified(TWICE)
    (core,) = found.cores
    dear = replace(core, price=core.price * 2)
    assert any("cost more" in fault for fault in faults(result, Certificate((dear,), dear.price)))
    assert any("add up" in fault for fault in faults(result, Certificate((core,), core.price + 1)))
    read, write, definition = core.evidence
    turned = replace(core, evidence=(write, read, definition))
    assert faults(result, Certificate((turned,), core.price))
    without = replace(core, operands=())
    assert any(
        "need not be in place" in fault for fault in faults(result, Certificate((without,), core.price))
    )


CONSTANT = """\
func.func @f(%f: f32, %i: index) -> tensor<4xf32> {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %w = tensor.insert %f into %k[%i] : tensor<4xf32>
  return %w : tensor<4xf32>
}
"""

HANDED = """\
func.func @f(%a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  }
  return %r, %a : tensor<4xf32>, tensor<4xf32>
}
"""


def test_evidence_that_does_not_hold_is_refused():
    result, (found,) = certified(TWICE)
    (core,) = found.cores
    read, write, _ = core.evidence
    wrong = {
        "the value may be written": (write, write.owner.results[0]),
        "iterations do not run in parallel": (write, read),
    }
    for said, evidence in wrong.items():
        (fault,) = faults(result, Certificate((replace(core, evidence=evidence),), core.price))
        assert said in fault
    cheap = replace(core, price=-1)
    assert faults(result, Certificate((cheap,), -1)) == ["core 0: its price is negative"]


def test_a_value_that_nobody_may_write_has_to_be_written():
    result, (found,) = certified(CONSTANT)
    (core,) = found.cores
    write, constant = core.evidence
    assert faults(result, found) == []
    scalar = write.owner.op_operands[0]
    other = replace(core, evidence=(scalar, constant), operands=(write,))
    assert any("does not write" in fault for fault in faults(result, Certificate((other,), core.price)))
    apart = replace(core, evidence=(write, constant), operands=(write,))
    assert faults(result, Certificate((apart,), core.price)) == []


def test_what_a_loop_hands_on_has_to_be_elsewhere():
    result, found = certified(HANDED)
    cores = [core for one in found for core in one.cores if core.hands_over is not None]
    for core in cores:
        handed, *others = core.evidence
        silent = replace(core, evidence=(others[0], *others))
        inside = replace(core, evidence=(handed, handed.owner.parent_region.entry.args[1]))
        assert faults(result, Certificate((core,), core.price)) == []
        assert any("does not state" in f for f in faults(result, Certificate((silent,), core.price)))
        assert any("has no alias elsewhere" in f for f in faults(result, Certificate((inside,), core.price)))
    assert cores


UPDATED = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %u = tensor.insert %f into %x[%i] : tensor<4xf32>
    scf.yield %u, %y : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
"""


def test_the_loops_own_argument_is_not_elsewhere():
    result = analyze(parse(UPDATED), OPTIONS)
    ops = {op.name: op for op in result.state.root.walk()}
    insert, leave = ops["tensor.insert"].op_operands[1], ops["scf.yield"].op_operands[0]
    own = insert.value
    core = CertifiedCore((insert,), (leave, own), leave, 0)
    assert any("has no alias elsewhere" in fault for fault in faults(result, Certificate((core,), 0)))
    other = CertifiedCore((), (ops["scf.yield"].op_operands[1], own), ops["scf.yield"].op_operands[1], 0)
    assert faults(result, Certificate((other,), 0))
