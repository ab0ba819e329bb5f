"""Proofs judged by running: no proof of a program that a run shows wrong."""

import bufferize
from bufferize.cli import fuzz_campaign
from bufferize.cli.fuzz_command import transform
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
