"""Proofs judged by running: no proof of a program that a run shows wrong."""

import bufferize
from bufferize.cli import fuzz_campaign
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import Options
from bufferize.proof import check

SEEDS = (1, 2, 4, 6, 8, 10)


def test_programs_of_which_decisions_are_overruled_are_not_proved_where_they_differ():
    outcomes = [fuzz_campaign.judge_proof(seed, transform) for seed in SEEDS]
    assert not any(outcome.failure for outcome in outcomes)
    assert any("overruled, not proved" in outcome.status for outcome in outcomes)
    assert any("ours, proved" in outcome.status for outcome in outcomes)


def test_a_checker_that_believes_everything_is_found_out(monkeypatch):
    monkeypatch.setattr(
        check,
        "prove_modules",
        lambda *_, **__: check.ProofOfProgram([check.FunctionAnswer("f", check.PROVED)]),
    )
    outcomes = [fuzz_campaign.judge_proof(seed, transform) for seed in SEEDS]
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    assert failures and all(failure.kind == "wrong-proof" for failure in failures)
    assert bufferize.parse(failures[0].case.text)


def test_a_private_function_that_nothing_calls_may_be_wrong_too():
    text = """
    func.func private @f(%m: memref<4xf32>, %x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      memref.store %x, %m[%c0] : memref<4xf32>
      return %x : f32
    }
    func.func @main() { return }"""
    before = bufferize.parse(text)
    wrong, other = (
        bufferize.parse(text.replace("memref.store", "// ")),
        bufferize.parse(text.replace("-> f32", "").replace("return %x : f32", "return")),
    )
    assert fuzz_campaign._differs_within(before, wrong, Options())
    assert not fuzz_campaign._differs_within(before, before.clone(), Options())
    assert not fuzz_campaign._differs_within(before, other, Options())  # called otherwise: not compared
