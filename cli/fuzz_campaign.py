"""`bufferize fuzz --campaign DIR`, which may be interrupted and goes on where it was; proofs judged by running; seeds on any executor.

Each seed is one of four kinds of work: a random program through a pipeline, run on the checked heap; the same with the prover
beside it, which must not contradict the run; a graph of blocks through the passes that free; a program of which decisions are
overruled at random (a mutant), which must not be proved if running shows a difference. The folder has

    state.json     the next seed, and the figures so far
    log.txt        a line for each extended block of work: when, which seeds, what came of them
    failures/      reduced failures, one file each
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ..interpreter.fuzz import CRASH, Case, Failure, Outcome
from .corpus.run import Measure, Start, run
from .output import UsageError, write_file, write_stdout

if TYPE_CHECKING:
    from ..ir.program.core import Operation


KINDS = ("run", "run", "run and proof", "run and proof", "freeing", "mutant")
"""What a seed is, by its number."""
STRETCH = 60.0
"""Seconds between two lines of the log; as much is done again after the power failed."""
BATCH = 64
"""Seeds that one worker takes at once."""


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
        """Add an extended block of work, whose seeds begin with `first` and end before `next`."""
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
        total = self.figures.total()
        return f"{total} programs in {self.seconds / 3600:.1f} hours, next seed {self.next}: {_shown(self.figures)}\n"


def _shown(figures: Counter[str]) -> str:
    return ", ".join(f"{count} {status}" for status, count in figures.most_common()) or "nothing"


def run_campaign(
    folder: str,
    hours: float,
    first: int,
    work: Callable[[range], Iterator[list[Outcome]]],
    report: Callable[[Failure], None],
) -> int:
    """Work for some hours, or until it is interrupted; 1 if something failed, in this run or before.

    Args:
        first: the first seed, unless the folder says where to go on.
        work: runs seeds, in order.
        report: writes a failure down.
    """
    if hours <= 0:
        raise UsageError("--hours is more than 0")
    campaign = Campaign(folder, first)
    until = time.monotonic() + 3600 * hours
    try:
        while time.monotonic() < until:
            began, start = campaign.next, time.monotonic()
            outcomes: list[Outcome] = []
            while time.monotonic() < min(start + STRETCH, until):
                for found in work(range(campaign.next, campaign.next + BATCH)):
                    outcomes += found
                campaign.next += BATCH
            campaign.keep(began, outcomes, time.monotonic() - start, report)
    except KeyboardInterrupt:
        write_stdout("interrupted: ")
    write_stdout(campaign.summary())
    return 1 if campaign.figures["failed"] else 0


# Proofs judged by running: random programs, of which decisions are overruled at random, are proved, and run if they are.
#
# Without overruling nearly everything is right, and a checker that always says "proved" would pass. With it a third of the programs
# lose data; then running shows a difference, and a proof would be wrong. What is not proved is not run: whether it is right or wrong,
# nothing was claimed.

FREE = "-buffer-deallocation-pipeline"
PLAN = "-plan-memory"
OVERRULED = 0.5
"""The share of programs of which decisions are overruled, and in these the share of out-of-place operands put in place."""


def judge_proof(seed: int, transform: Callable[[Operation, tuple[str, ...], str], None]) -> Outcome:
    """Bufferize the program of a seed and prove it: a failure if it is proved and running differs."""
    from ..interpreter.fuzz import REFUSED, Case, Outcome, read
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
    if proof.verdict != PROVED:
        return Outcome(None, f"{kind}, {proof.verdict}")
    options = Options(seed=seed, inputs=3, tries=9, leaks=bool(later))
    failed = next((f for f in verify_module(before, after, options) if f.failed), None)
    return Outcome(None, f"{kind}, proved") if failed is None else _wrong(case, after, failed)


def contradiction(case: Case, transform: Callable[[Operation, tuple[str, ...], str], None]) -> Outcome:
    """Prove a case that runs as it should: a failure if that is refuted."""
    from ..interpreter.fuzz import Failure, Outcome, read
    from ..proof.check import REFUTED, prove_modules

    before = read(case.text, f"seed-{case.seed}.mlir")
    after = before.clone()
    transform(after, case.flags, "")
    proof = prove_modules(before, after, leaks=case.frees)
    if proof.verdict != REFUTED:
        return Outcome(None, f"same, {proof.verdict}")
    message = "; ".join(str(question) for question in proof.questions) or "refuted"
    return Outcome(Failure(case, "refuted-but-runs", message), "failed")


def _wrong(case: Case, after: Operation, finding: Any) -> Outcome:
    from ..interpreter.fuzz import Failure, Outcome
    from ..ir.text.printer import print_module

    message = finding.diagnostic.message if finding.diagnostic is not None else finding.status
    return Outcome(Failure(case, "wrong-proof", f"{message}\n{print_module(after)}"), "failed")


def _bufferize(module: Operation, random: Random | None) -> None:
    """One-Shot, with some of its decisions overruled."""
    from .. import analyze, one_shot

    options: dict[str, Any] = {"allow_return_allocs_from_loops": True}
    if random is None:
        one_shot(module, **options)
        return
    result = analyze(module, **options)
    forced = {use for use in result.out_of_place() if random.random() < OVERRULED}
    one_shot(module, in_place=lambda use: use in forced or result.is_in_place(use), **options)


# Seeds of a fuzzer on any executor: processes here, or a Dask cluster; a worker that dies is a failure of one seed, not the end.
#
# What runs is `corpus.run`: batches, tried again one by one when a worker dies. Outcomes come as they are ready, in any order; which seeds
# fail does not depend on the number of workers.

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


# Failures of a fuzzer told apart, and where each began.
#
# Two failures are one if they have one signature: their kind, what is said without numbers and names of values, and for a crash the
# functions of this package that it went through last. Of each signature one failure is shown, the shortest, and the others are counted.
# `first_bad` finds the revision of this package that brought a failure, by halving, running the program and pipeline of the failure
# itself, so that it does not matter that another revision would generate other programs.

_FRAME = re.compile(
    r'^  File "[^"]*[/\\](?:bufferize|\w[\w-]*)[/\\]([\w/\\]+\.py)", line \d+, in (\S+)', re.M
)
_VARYING = re.compile(r"%[\w$.#-]+|@[\w$.]+|\^[\w$.]+|0x[0-9a-f]+|\b\d[\d.e+-]*\b|'[^'\n]{40,}'")
MAX_SEEDS = 8
"""Seeds of one signature that are named."""
FRAMES = 3
"""Functions at the end of a traceback that tell one crash from another."""


def signature(failure: Failure) -> str:
    """What two failures have in common if they are one. O(message)."""
    lines = failure.message.strip().splitlines()
    if not lines:
        return failure.kind
    frames = _FRAME.findall(failure.message)
    said = lines[-1] if frames else lines[0]
    through = "".join(f" < {Path(file).stem}.{name}" for file, name in reversed(frames[-FRAMES:]))
    return f"{failure.kind}: {_VARYING.sub('_', said).strip()}{through}"


@dataclass(slots=True)
class Sort:
    """Failures of one signature.

    Attributes:
        shown: the one with the shortest program.
        seeds: of all of them, in the order in which they were met.
    """

    shown: Failure
    seeds: list[int]

    def names(self) -> str:
        """The seeds, that of the one shown first; so many that each can be run again."""
        seeds = [self.shown.case.seed, *(seed for seed in self.seeds if seed != self.shown.case.seed)]
        said = ", ".join(map(str, seeds[:MAX_SEEDS])) + (", ..." if len(seeds) > MAX_SEEDS else "")
        return f"seed {said}" if len(seeds) == 1 else f"seeds {said}"


class Sorts:
    """Failures as they come, by signature."""

    def __init__(self, failures: Iterable[Failure] = ()) -> None:
        self.by_signature: dict[str, Sort] = {}
        for failure in failures:
            self.add(failure)

    def add(self, failure: Failure) -> bool:
        """Count a failure; whether it is the first of its signature."""
        key = signature(failure)
        known = self.by_signature.get(key)
        if known is None:
            self.by_signature[key] = Sort(failure, [failure.case.seed])
            return True
        known.seeds.append(failure.case.seed)
        if len(failure.case.text) < len(known.shown.case.text):
            known.shown = failure
        return False

    def summary(self) -> str:
        """One line for each signature, the most frequent first."""
        most_first = sorted(self.by_signature.items(), key=lambda entry: (-len(entry[1].seeds), entry[0]))
        return "".join(f"{len(sort.seeds)} times {key} ({sort.names()})\n" for key, sort in most_first)


# -- which revision brought it

GOOD, BAD, UNKNOWN = "good", "bad", "unknown"
SECONDS = 120
"""After which a program that runs in another revision is taken not to say anything."""
_TRY = """
import json, sys
text, flags, kind = json.load(sys.stdin)
try:
    from bufferize.cli.fuzz_command import transform
    from bufferize.interpreter.fuzz import Case, run_case
    outcome = run_case(Case(0, text, tuple(flags)), transform, None)
    answer = "good" if outcome.failure is None else "bad" if outcome.failure.kind == kind else "unknown"
except (ImportError, TypeError):  # of a time before
    answer = "unknown"
print(answer)
"""


def verdict_at(revision: str, failure: Failure) -> str:
    """Whether a revision of this package has a failure: GOOD, BAD, or UNKNOWN if it cannot say.

    Raises:
        InputError: this is no checkout, or it has no such revision.
    """
    from ..benchmarks.revisions import checked_out

    case = failure.case
    given = json.dumps((case.text, case.flags, failure.kind))
    with checked_out(revision) as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r})\n{_TRY}"],
                input=given,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                cwd=folder,
            )
        except subprocess.TimeoutExpired:
            return UNKNOWN
    said = done.stdout.strip().splitlines()
    return said[-1] if done.returncode == 0 and said and said[-1] in (GOOD, BAD) else UNKNOWN


def revisions_since(good: str) -> list[str]:
    """The revisions of the checkout after `good`, on the way of first parents, oldest first.

    Raises:
        InputError: this is no checkout, or it has no such revision.
    """
    from ..ir.source.diagnostics import InputError, error

    root = Path(__file__).parents[1]
    words = [
        "git",
        "-C",
        str(root),
        "rev-list",
        "--first-parent",
        "--reverse",
        "--end-of-options",
        f"{good}..HEAD",
    ]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise InputError(
            error(f"there is no revision '{good}' in a checkout of bufferize at {root}")
        ) from None
    return done.stdout.split()


def first_bad(failure: Failure, revisions: Sequence[str]) -> str | None:
    """The first of some revisions, oldest first, that has a failure; None if none is known to have it.

    Taken to be had by all later ones. Revisions that cannot say are passed over. O(log revisions) of them are run, more where some
    cannot say.
    """
    low, high, found = 0, len(revisions), None
    while low < high:
        middle = (low + high) // 2
        said, at = UNKNOWN, middle
        for at in range(middle, high):
            said = verdict_at(revisions[at], failure)
            if said != UNKNOWN:
                break
        if said == GOOD:
            low = at + 1
        else:
            found, high = (revisions[at] if said == BAD else found), middle
    return found
