"""`bufferize fuzz --campaign DIR`: a resumable campaign, with proofs checked by execution, on any executor.

Each seed is one of four kinds of work: a random program through a pipeline, run on the checked heap; the same with the
prover, which must not contradict the run; a control-flow graph through the deallocation passes; a program with randomly
overruled decisions (a mutant), which must not be proved if a run shows a difference. Where MLIR's runner is installed,
programs that pass here also run natively. The folder contains

    state.json     the next seed, and the statistics so far
    log.txt        a line per batch of work: when, which seeds, with which outcome
    failures/      reduced failures, one file each
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from random import Random
from typing import TYPE_CHECKING, Any

from ..interpreter.fuzz import CRASH, REFUSED, Case, Failure, Outcome, read
from .corpus.run import Measure, Start, run
from .output import UsageError, write_file, write_stdout

if TYPE_CHECKING:
    from ..interpreter.verify import Options
    from ..ir.program.core import Operation


KINDS = ("run", "run", "run and proof", "run and proof", "freeing", "mutant")
"""The kind of work of each seed, by its number."""
STRETCH = 60.0
"""Seconds between log lines; at most as much is repeated after a power failure."""
BATCH = 64
"""Seeds that a process takes at once: as many programs share one start of MLIR's runner."""
ROUND = 8
"""Batches per process before the outcomes are recorded: all wait for the slowest, and new processes start."""


class Campaign:
    """The folder of a campaign."""

    def __init__(self, folder: str, first: int) -> None:
        self.folder = folder
        self._state = os.path.join(folder, "state.json")
        self.next = first
        self.figures: Counter[str] = Counter()
        self.seconds = 0.0
        os.makedirs(os.path.join(folder, "failures"), exist_ok=True)
        if os.path.exists(self._state):
            with open(self._state, encoding="utf-8") as file:
                state = json.load(file)
            self.next, self.seconds = state["next"], state["seconds"]
            self.figures.update(state["figures"])

    def keep(
        self, first: int, outcomes: list[Outcome], seconds: float, report: Callable[[Failure], None]
    ) -> None:
        """Record a batch of work, whose seeds begin with `first` and end before `next`."""
        found = Counter(outcome.status for outcome in outcomes)
        self.figures.update(found)
        self.seconds += seconds
        for outcome in outcomes:
            if outcome.failure is not None:
                report(outcome.failure)
        when = time.strftime("%Y-%m-%d %H:%M:%S")
        with open(os.path.join(self.folder, "log.txt"), "a", encoding="utf-8") as log:
            log.write(f"{when}  seeds {first} to {self.next - 1}  {seconds:.0f} s  {_shown(found)}\n")
        state: dict[str, Any] = {"next": self.next, "seconds": self.seconds, "figures": dict(self.figures)}
        write_file(self._state + ".new", json.dumps(state, indent=1) + "\n")
        os.replace(self._state + ".new", self._state)

    def summary(self) -> str:
        total = sum(count for status, count in self.figures.items() if not _is_second(status))
        return f"{total} programs in {self.seconds / 3600:.1f} hours, next seed {self.next}: {_shown(self.figures)}\n"


def _is_second(status: str) -> bool:
    """Whether it is the outcome of the native run of a program that has an outcome of its own."""
    return status.endswith("natively") or status.startswith("refused by ")


def _shown(figures: Counter[str]) -> str:
    return ", ".join(f"{count} {status}" for status, count in figures.most_common()) or "nothing"


def run_campaign(
    folder: str,
    hours: float,
    first: int,
    work: Callable[[range], Iterator[list[Outcome]]],
    report: Callable[[Failure], None],
    together: int = BATCH,
) -> int:
    """Work for some hours, or until interrupted; returns 1 if anything has failed, in this run or before.

    Args:
        first: the first seed, unless the folder has a state to resume.
        work: runs seeds, in order.
        report: records a failure.
        together: how many seeds `work` gets at once.
    """
    if hours <= 0:
        raise UsageError("--hours must be greater than 0")
    campaign = Campaign(folder, first)
    until = time.monotonic() + 3600 * hours
    try:
        while time.monotonic() < until:
            began, start = campaign.next, time.monotonic()
            outcomes: list[Outcome] = []
            while time.monotonic() < min(start + STRETCH, until):
                for found in work(range(campaign.next, campaign.next + together)):
                    outcomes += found
                campaign.next += together
            campaign.keep(began, outcomes, time.monotonic() - start, report)
    except KeyboardInterrupt:
        write_stdout("interrupted: ")
    write_stdout(campaign.summary())
    return 1 if campaign.figures["failed"] else 0


# Proofs checked by execution: random programs with randomly overruled decisions are proved, and proved ones are run.
#
# Without overruling nearly everything is correct, and a prover that always says "proved" would pass. With it a third of
# the programs lose data; a run then shows a difference, and a proof would be wrong. Programs that are not proved run, too: it
# tells those that are wrong from those that the prover does not understand.

FREE = "-buffer-deallocation-pipeline"
PLAN = "-plan-memory"
OVERRULED = 0.5
"""The fraction of programs with overruled decisions, and in these of out-of-place operands forced in place."""


def judge_proof(seed: int, transform: Callable[[Operation, tuple[str, ...], str], None]) -> Outcome:
    """Bufferize the program of a seed, prove it and run it.

    It fails if a run differs although the program is proved, or no decision was overruled.
    """
    from ..interpreter.generate_programs import tensor_program
    from ..interpreter.verify import Options, verify_module
    from ..ir.source.diagnostics import BufferizeError
    from ..proof.check import PROVED, prove_modules

    random = Random(seed)
    text = tensor_program(seed)
    before = read(text, f"seed-{seed}.mlir")
    after = before.clone()
    later = random.choice([(), (), (FREE,), (FREE, PLAN)])
    overruled = random.random() < OVERRULED
    case = Case(seed, text, ("-one-shot-bufferize", *later))
    try:
        _bufferize(after, random if overruled else None)
        transform(after, later, "")
    except BufferizeError:
        return Outcome(None, REFUSED)
    proof = prove_modules(before, after, leaks=bool(later))
    kind = "overruled" if overruled else "ours"
    options = Options(seed=seed, inputs=3, tries=9, leaks=bool(later))
    failed = next((f for f in verify_module(before, after, options) if f.failed), None)
    if overruled and proof.verdict != PROVED:
        is_wrong = failed is not None or _differs_within(before, after, options)
        return Outcome(None, "overruled, wrong when run" if is_wrong else f"overruled, {proof.verdict}")
    if failed is None:
        return Outcome(None, f"{kind}, {proof.verdict}")
    return _wrong(case, after, failed, "wrong-proof" if proof.verdict == PROVED else "wrong-decision")


def _differs_within(before: Operation, after: Operation, options: Options) -> bool:
    """Whether a private function computes something else: the prover compares these, too, even if nothing calls them."""
    from ..interpreter.verify import functions_of, verify_function

    changed = {function.symbol_name: function for function in functions_of(after)}
    return any(
        verify_function(before, after, function.symbol_name, options).failed
        for function in functions_of(before)
        if (there := changed.get(function.symbol_name)) is not None
        and len(there.function_type.inputs) == len(function.function_type.inputs)
        and len(there.function_type.results) == len(function.function_type.results)
    )


def contradiction(case: Case, transform: Callable[[Operation, tuple[str, ...], str], None]) -> Outcome:
    """Prove a case that runs correctly: a failure if it is refuted."""
    from ..proof.check import REFUTED, prove_modules

    before = read(case.text, f"seed-{case.seed}.mlir")
    after = before.clone()
    transform(after, case.flags, "")
    proof = prove_modules(before, after, leaks=case.frees)
    if proof.verdict != REFUTED:
        return Outcome(None, f"same, {proof.verdict}")
    message = "; ".join(str(question) for question in proof.questions) or "refuted"
    return Outcome(Failure(case, "refuted-but-runs", message), "failed")


def _wrong(case: Case, after: Operation, finding: Any, kind: str) -> Outcome:
    from ..ir.text.printer import print_module

    message = finding.diagnostic.message if finding.diagnostic is not None else finding.status
    return Outcome(Failure(case, kind, f"{message}\n{print_module(after)}"), "failed")


def _bufferize(module: Operation, random: Random | None) -> None:
    """One-Shot Bufferize with some decisions overruled."""
    from .. import analyze, one_shot

    options: dict[str, Any] = {"allow_return_allocs_from_loops": True}
    if random is None:
        one_shot(module, **options)
        return
    result = analyze(module, **options)
    forced = {use for use in result.out_of_place() if random.random() < OVERRULED}
    one_shot(module, in_place=lambda use: use in forced or result.is_in_place(use), **options)


# Running seeds on any executor: local processes or a Dask cluster; a dying worker fails one seed, not the campaign.
#
# `corpus.run` runs the batches and retries their jobs one by one when a worker dies. Outcomes arrive in any order;
# which seeds fail does not depend on the number of workers.

SeedJob = tuple[Any, ...]
"""A seed with its configuration as plain data."""

TOGETHER = 4
"""Jobs of one seed submitted at once: about half a second of work."""


def outcomes(
    jobs: Sequence[SeedJob], judge: Measure, start: Start, together: int = TOGETHER
) -> Iterator[list[Outcome]]:
    """The outcomes of each job, in any order.

    Args:
        together: jobs submitted at once.
        judge: runs a job, passed as JSON, and returns `as_data` of its outcomes.
    """
    texts = [(str(i), str(job[0]), json.dumps(job).encode()) for i, job in enumerate(jobs)]
    room = together * max((len(text) for _, _, text in texts), default=1)
    for batch in run(texts, judge, start, room):
        for result in batch:
            job = jobs[int(result.key)]
            if "error" in result.found:
                died = Failure(Case(job[0], f"// seed {job[0]}\n", ()), CRASH, str(result.found["error"]))
                yield [Outcome(died, "failed")]
            else:
                yield [_outcome(entry) for entry in result.found["outcomes"]]


def as_data(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The outcomes of one seed as plain data, which any executor can return."""
    return {"outcomes": [asdict(outcome) for outcome in outcomes]}


def _outcome(entry: dict[str, Any]) -> Outcome:
    failure = entry["failure"]
    if failure is None:
        return Outcome(None, entry["status"])
    case = failure["case"]
    made = Case(case["seed"], case["text"], tuple(case["flags"]))
    return Outcome(Failure(made, failure["kind"], failure["message"]), entry["status"])
