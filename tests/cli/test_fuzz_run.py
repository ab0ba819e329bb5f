"""Seeds on executors: the same outcomes however they are run, and a worker that dies is a failure of its seed."""

import os
import signal
from typing import Any

import pytest
from bufferize.cli import fuzz_campaign
from bufferize.cli.corpus.run import processes
from bufferize.cli.fuzz_command import Job, judge_text, run_seed
from bufferize.interpreter.fuzz import CRASH, Outcome

JOBS = [Job(seed, None, False, False) for seed in range(6)]


def told(outcomes: list[Outcome]) -> tuple[str, ...]:
    return tuple(outcome.status for outcome in outcomes)


def test_outcomes_are_those_of_running_one_by_one():
    found = sorted(told(outcomes) for outcomes in fuzz_campaign.outcomes(JOBS, judge_text, processes(2)))
    assert found == sorted(told(run_seed(job)) for job in JOBS)


def _dies(name: str, text: str) -> dict[str, Any]:
    if name == "3":
        os.kill(os.getpid(), signal.SIGKILL)
    return fuzz_campaign.as_data([Outcome(None, "same")])


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by POSIX signals here")
def test_a_worker_that_dies_is_a_failure_of_its_seed():
    found = [
        outcome for outcomes in fuzz_campaign.outcomes(JOBS, _dies, processes(2)) for outcome in outcomes
    ]
    (failure,) = [outcome.failure for outcome in found if outcome.failure is not None]
    assert len(found) == 6 and failure.case.seed == 3 and failure.kind == CRASH and "died" in failure.message


def test_a_campaign_counts_each_program_once(tmp_path):
    campaign = fuzz_campaign.Campaign(str(tmp_path / "log"), 1)
    campaign.figures.update({"same": 3, "refused": 1, "same natively": 2, "refused by mlir-opt-22": 1})
    assert campaign.summary().startswith("4 programs in ")
