"""Certificates are accepted by a checker that shares nothing with the search; wrong ones are not."""

from dataclasses import replace

import pytest
from bufferize import parse
from bufferize.analysis.certificates import faults
from bufferize.analysis.fewest_copies.certificate import Certificate, certificate
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.options import AnalysisOptions
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
