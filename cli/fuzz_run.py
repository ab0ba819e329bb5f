"""Seeds of a fuzzer on any executor: processes here, or a Dask cluster; a worker that dies is a failure of one seed, not the end.

What runs is `corpus.run`: batches, tried again one by one when a worker dies. Outcomes come as they are ready, in any order; which seeds
fail does not depend on the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ..interpreter.fuzz import CRASH, Case, Failure, Outcome
from .corpus.run import Measure, Start, run

SeedJob = tuple[Any, ...]
"""A seed, and in plain data how it is run."""

TOGETHER = 4
"""Seeds that are handed over at once: about half a second."""


def outcomes(jobs: Sequence[SeedJob], judge: Measure, start: Start) -> Iterator[list[Outcome]]:
    """What came of each seed, in any order.

    Args:
        judge: runs a job, which it is given as JSON, and answers with `as_data` of its outcomes.
    """
    texts = [(str(i), str(job[0]), json.dumps(job).encode()) for i, job in enumerate(jobs)]
    room = TOGETHER * max((len(text) for _, _, text in texts), default=1)
    for batch in run(texts, judge, start, room):
        for result in batch:
            job = jobs[int(result.key)]
            if "error" in result.found:
                died = Failure(Case(job[0], f"// seed {job[0]}\n", ()), CRASH, str(result.found["error"]))
                yield [Outcome(died, "failed")]
            else:
                yield [_outcome(entry) for entry in result.found["outcomes"]]


def as_data(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The outcomes of one seed as plain data, which every executor can hand back."""
    return {"outcomes": [asdict(outcome) for outcome in outcomes]}


def _outcome(entry: dict[str, Any]) -> Outcome:
    failure = entry["failure"]
    if failure is None:
        return Outcome(None, entry["status"])
    case = failure["case"]
    made = Case(case["seed"], case["text"], tuple(case["flags"]))
    return Outcome(Failure(made, failure["kind"], failure["message"]), entry["status"])
