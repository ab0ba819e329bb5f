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
from .corpus.run import Start, run
from .fuzz_command import Job, run_seed

TOGETHER = 4
"""Seeds that are handed over at once: about half a second."""


def outcomes(jobs: Sequence[Job], start: Start) -> Iterator[list[Outcome]]:
    """What came of each seed, in any order."""
    texts = [(str(i), str(job.seed), json.dumps(job).encode()) for i, job in enumerate(jobs)]
    room = TOGETHER * max((len(text) for _, _, text in texts), default=1)
    for batch in run(texts, outcomes_of, start, room):
        for result in batch:
            job = jobs[int(result.key)]
            if "error" in result.found:
                died = Failure(Case(job.seed, f"// seed {job.seed}\n", ()), CRASH, str(result.found["error"]))
                yield [Outcome(died, "failed")]
            else:
                yield [_outcome(entry) for entry in result.found["outcomes"]]


def outcomes_of(name: str, text: str) -> dict[str, Any]:
    """The outcomes of one seed as plain data, which every executor can hand back."""
    return {"outcomes": [asdict(outcome) for outcome in run_seed(Job(*json.loads(text)))]}


def _outcome(entry: dict[str, Any]) -> Outcome:
    failure = entry["failure"]
    if failure is None:
        return Outcome(None, entry["status"])
    case = failure["case"]
    made = Case(case["seed"], case["text"], tuple(case["flags"]))
    return Outcome(Failure(made, failure["kind"], failure["message"]), entry["status"])
