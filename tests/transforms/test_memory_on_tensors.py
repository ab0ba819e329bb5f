"""-schedule-for-memory and -rematerialize: lower peaks, no more copies, the same results, and claims that hold."""

import pytest
from bufferize.analysis.models.facts import registry_with
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import DiagnosticEngine, PassFailed, Severity
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify
from bufferize.transforms.memory_arena.tensors import TrialSettings, held
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import make_pass

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)


def settings():
    return TrialSettings(OPTIONS, registry_with([], []), 64)


def run(text, name, options=""):
    module, engine = read(text, "test"), DiagnosticEngine()
    make_pass(name, options).run(module, Context(engine))
    verify(module)
    return module, [diagnostic.message for diagnostic in engine.diagnostics]


def computes_the_same(text, module):
    findings = verify_module(read(text, "test"), module, Options(inputs=2))
    return all(not finding.failed for finding in findings)


PAIRS = """
func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (f32, f32) {
  %i = arith.constant 3 : index
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.exp ins(%y : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %u = tensor.extract %a[%i] : tensor<64xf32>
  %v = tensor.extract %b[%i] : tensor<64xf32>
  return %u, %v : f32, f32
}
"""

KEPT = """
func.func @f(%x: tensor<64xf32>) -> f32 {
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.log ins(%a : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %c = linalg.abs ins(%b : tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %e3 = tensor.empty() : tensor<64xf32>
  %d = linalg.floor ins(%c : tensor<64xf32>) outs(%e3 : tensor<64xf32>) -> tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%zero : f32) outs(%e4 : tensor<f32>) -> tensor<f32>
  %u = linalg.dot ins(%a, %d : tensor<64xf32>, tensor<64xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  %w = tensor.extract %u[] : tensor<f32>
  return %w : f32
}
"""


def test_two_buffers_are_alive_one_after_the_other():
    module, said = run(PAIRS, "schedule-for-memory", "destinations=false")
    assert held(module, settings())["f"].peak == 256
    assert said == ["@f holds 256 bytes at once, 512 bytes before, by order: the least of any order"]
    assert computes_the_same(PAIRS, module)


def test_a_read_stays_before_the_write_that_is_in_place():
    text = PAIRS.replace("ins(%y : tensor<64xf32>) outs(%e1", "ins(%y : tensor<64xf32>) outs(%a")
    module, _ = run(text, "schedule-for-memory")
    assert held(module, settings())["f"].copies == held(read(text, "t"), settings())["f"].copies
    assert computes_the_same(text, module)


def test_a_value_that_lives_through_the_peak_is_computed_again():
    assert held(read(KEPT, "t"), settings())["f"].peak == 768
    module, said = run(KEPT, "rematerialize", "budget=520 destinations=false")
    assert held(module, settings())["f"].peak == 516
    assert said == [
        "@f holds 516 bytes at once, 768 bytes before: 1 operation is computed again, 256 bytes, 25 % of what it computes"
    ]
    assert print_module(module).count("linalg.exp") == 2
    assert computes_the_same(KEPT, module)


def test_what_cannot_fit_says_how_near_it_came():
    module = read(KEPT, "test")
    engine = DiagnosticEngine()
    make_pass("rematerialize", "budget=64 destinations=false").run(module, Context(engine))
    warned = engine.diagnostics[-1]
    assert (warned.code, warned.message) == ("peak-over-budget", "@f holds 516 bytes, more than 64 bytes")
    assert "no order with any recomputation holds less than 516 bytes" in str(warned.notes[0])


def test_a_plan_that_does_not_fit_has_the_same_code():
    module, engine = read(KEPT, "test"), DiagnosticEngine()
    make_pass("plan-memory", "budget=64").run(module, Context(engine))
    assert [d.code for d in engine.diagnostics if d.severity is Severity.WARNING] == ["peak-over-budget"]


def test_what_fits_is_left_alone():
    module, said = run(KEPT, "rematerialize", "budget=1KiB")
    assert not said and print_module(module) == print_module(read(KEPT, "test"))


def test_a_budget_is_a_size():
    with pytest.raises(PassFailed, match="needs a budget such as"):
        run(KEPT, "rematerialize", "budget=lots")


def test_effects_keep_their_order():
    text = PAIRS.replace(
        "%u = tensor",
        "call @g(%a) : (tensor<64xf32>) -> ()\n  call @g(%b) : (tensor<64xf32>) -> ()\n  %u = tensor",
    )
    text += "func.func private @g(tensor<64xf32>)\n"
    module = read(text, "test")
    transform(module, ("-schedule-for-memory",), "")
    assert [
        op.operands[0].defining_op.operands[0].index for op in module.walk() if op.name == "func.call"
    ] == [0, 1]


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("passed", ["-schedule-for-memory", "-rematerialize=budget=16"])
def test_random_programs_compute_the_same_and_hold_no_more(seed, passed):
    text = tensor_program(seed)
    module = read(text, "generated")
    before = held(module, settings())
    transform(module, (passed,), "")
    if before is None:
        return
    after = held(module, settings())
    assert after is not None
    for name, each in before.items():
        assert after[name].peak <= each.peak
    assert computes_the_same(text, module)
