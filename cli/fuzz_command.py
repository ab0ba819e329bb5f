"""`bufferize fuzz`: random programs through pipelines, verified by running, failures reduced and saved.

Two failures are the same if they have the same signature: their kind, the message without numbers and value names, and
for a crash the innermost functions of this package on the stack. Per signature the shortest failure is shown and the
others are counted. `first_bad` bisects for the revision of this package that introduced a failure, running the stored
program and pipeline itself, since other revisions may generate other programs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from .arguments import Parser, UsageError
from .output import write_file, write_stdout

if TYPE_CHECKING:
    from ..interpreter.fuzz import Case, Failure, NativeBatch, Outcome
    from ..ir.program.core import Operation


_FRAME = re.compile(
    r'^  File "[^"]*[/\\](?:bufferize|\w[\w-]*)[/\\]([\w/\\]+\.py)", line \d+, in (\S+)', re.M
)
_VARYING = re.compile(r"%[\w$.#-]+|@[\w$.]+|\^[\w$.]+|0x[0-9a-f]+|\b\d[\d.e+-]*\b|'[^'\n]{40,}'")
MAX_SEEDS = 8
"""Seeds listed per signature; the rest is left out."""
FRAMES = 3
"""Innermost stack frames that identify a crash."""


def signature(failure: Failure) -> str:
    """The key under which equal failures coincide. O(message)."""
    lines = failure.message.strip().splitlines()
    if not lines:
        return failure.kind
    frames = _FRAME.findall(failure.message)
    said = lines[-1] if frames else lines[0]
    through = "".join(f" < {Path(file).stem}.{name}" for file, name in reversed(frames[-FRAMES:]))
    return f"{failure.kind}: {_VARYING.sub('_', said).strip()}{through}"


@dataclass(slots=True)
class Sort:
    """Failures with one signature.

    Attributes:
        shown: the one with the shortest program.
        seeds: all seeds, in order of discovery.
    """

    shown: Failure
    seeds: list[int]

    def names(self) -> str:
        """The seeds to list, that of the shown failure first."""
        seeds = [self.shown.case.seed, *(seed for seed in self.seeds if seed != self.shown.case.seed)]
        said = ", ".join(map(str, seeds[:MAX_SEEDS])) + (", ..." if len(seeds) > MAX_SEEDS else "")
        return f"seed {said}" if len(seeds) == 1 else f"seeds {said}"


class Sorts:
    """Failures by signature."""

    def __init__(self) -> None:
        self.by_signature: dict[str, Sort] = {}

    def add(self, failure: Failure) -> bool:
        """Record a failure; returns whether its signature is new."""
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
        """One line per signature, the most frequent first."""
        most_first = sorted(self.by_signature.items(), key=lambda entry: (-len(entry[1].seeds), entry[0]))
        return "".join(f"{len(sort.seeds)} times {key} ({sort.names()})\n" for key, sort in most_first)


# -- bisection

GOOD, BAD, UNKNOWN = "good", "bad", "unknown"
SECONDS = 120
"""Timeout for a program at another revision, whose verdict is then unknown."""
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
    """Whether a failure occurs at a revision: GOOD, BAD, or UNKNOWN.

    Raises:
        InputError: this is not a checkout, or it has no such revision.
    """
    from ..benchmarks.measure import checked_out

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
    """The first-parent revisions of the checkout after `good`, oldest first.

    Raises:
        InputError: this is not a checkout, or it has no such revision.
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
    """The first of some revisions, oldest first, with a failure; None if none is known to have it.

    Assumes that all later revisions have it. Unknown revisions are skipped. Runs O(log revisions) of them, more if some
    are unknown.
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


SUMMARY = "Send random programs through pipelines, and check for crashes, different results and heap errors."

ENDLESS = 10_000_000
"""The number of programs if only seconds are limited."""
NATIVE_BLOCK = 200
"""Programs that run natively in one process, whose startup takes as long as ten of them."""
NATIVE_ATTEMPTS = 400
"""Smaller programs tried after a native failure; each takes two processes."""

EXAMPLES = (
    ("bufferize fuzz --count 1000 --seed 1", "programs 1 to 1000, each through one pipeline"),
    ("bufferize fuzz --count 100 --every-pipeline", "each through all pipelines for its kind of program"),
    (
        "bufferize fuzz --count 1000 --jobs 0 --save failures",
        "on all cores; reduced failures go to a directory",
    ),
    ("bufferize fuzz --seed 4711", "this one program again"),
    ("bufferize fuzz --seed 4711 --bisect HEAD~50", "which revision introduced the failure?"),
    (
        "bufferize fuzz --proofs --count 100",
        "prove and run; in half of them, decisions are changed to provoke errors",
    ),
    ("bufferize fuzz --only plan-memory --count 100", "only pipelines with this in their flags"),
    ("bufferize fuzz --campaign nightly --hours 8 --jobs 0", "all night; run it again to continue"),
    ("bufferize fuzz --runner --count 400", "also run natively with mlir-runner"),
    ("bufferize fuzz --freeing --count 100", "random control-flow graphs, checked for leaks at each step"),
)


def configure(parser: Parser) -> None:
    parser.flags("""
        --count N=1                how many programs (default: 1)
        --seed S=0                 seed of the first program; the next has S + 1
        --jobs N=1                 processes at once; 0 for one on each core
        --every-pipeline -> every  send each program through all pipelines instead of one
        --freeing                  send random control-flow graphs through -buffer-deallocation-static, and
                                   check for leaks at each step
        --proofs                   prove random programs and also run them; in half of them, decisions are
                                   changed to provoke errors
        --runner                   also run each program natively, lowered by mlir-opt and executed by
                                   mlir-runner
        --only TEXT                only pipelines with this in their flags
        --seconds S:float          stop after S seconds and print the number of programs
        --cluster ADDRESS          run on a Dask cluster: 'local' or tcp://..., extra bufferize[cluster]
        --bisect REVISION          find the revision of a bufferize checkout that introduced each failure,
                                   starting after this good one
        --campaign DIRECTORY       run all kinds of programs and checks, or with --only these pipelines, for
                                   --hours and keep failures and a log in this folder; the next run continues
        --hours H=1.0              how long a campaign works (default: 1)
        --save DIRECTORY           write reduced failures to this directory
        --mlir-opt PROGRAM         compare errors and output with this mlir-opt (version 22)
        --no-reduce -> not reduce  do not reduce failures
        --print                    print the programs instead of running them
    """)


def transform(module: Operation, flags: Sequence[str], compat: str) -> None:
    """Run passes given as flags. Raises BufferizeError if one fails."""
    from ..ir.source.diagnostics import DiagnosticEngine
    from ..transforms.pass_base import Context
    from ..transforms.pass_manager import make_pass, run_checked

    steps = []
    for flag in flags:
        name, _, options = flag.lstrip("-").partition("=")
        steps.append(make_pass(name, options))
    run_checked(steps, module, Context(DiagnosticEngine(), compat, []), allow_unregistered=False)


def known_pass(name: str) -> bool:
    from ..transforms.pass_base import PASSES

    return name in PASSES


class Job(NamedTuple):
    """A seed and its configuration."""

    seed: int
    reference: str | None
    reduce: bool
    every: bool
    freeing: bool = False
    proofs: bool = False
    only: str | None = None
    campaign: bool = False
    native: int = 0
    """How many seeds, from this one, share one process of MLIR's runner; 0 for no native run."""


def cases_of(seed: int, every: bool, only: str | None = None) -> list[Case]:
    """The program of a seed with the pipeline that the seed selects, or with all of them; restricted to the text
    `only`.
    """
    from itertools import islice

    from ..interpreter.fuzz import all_cases

    return list(islice(all_cases(seed, known_pass, only or ""), None if every else 1))


def run_seed(job: Job) -> list[Outcome]:
    """Run the cases of one seed, or of a native block of seeds, and reduce their failures."""
    if not job.native:
        return _run_seed(job, None)
    from ..interpreter.fuzz import NativeBatch, Outcome, native_failure
    from ..interpreter.fuzz_reduction import reduce_case
    from ..interpreter.native import find_tools

    tools = find_tools()
    batch = NativeBatch(tools)
    outcomes: list[Outcome] = []
    for seed in range(job.seed, job.seed + job.native):
        outcomes += _run_seed(job._replace(seed=seed), batch)
    for outcome in batch.run():
        if outcome.failure is not None and job.reduce:
            small = reduce_case(
                outcome.failure, lambda case: native_failure(case, transform, tools), NATIVE_ATTEMPTS
            )
            outcomes.append(Outcome(small, outcome.status))
        else:
            outcomes.append(outcome)
    return outcomes


def _run_seed(job: Job, batch: NativeBatch | None) -> list[Outcome]:
    from ..interpreter.fuzz import Outcome, run_case
    from ..interpreter.fuzz_reduction import reduce_case

    proof = False
    if job.campaign:
        from .fuzz_campaign import KINDS

        kind = KINDS[job.seed % len(KINDS)]
        job = job._replace(freeing=kind == "freeing", proofs=kind == "mutant")
        proof = kind == "run and proof"
    if job.freeing or job.proofs:
        return [_judged(job)]
    outcomes: list[Outcome] = []
    for case in cases_of(job.seed, job.every, job.only):
        outcome = run_case(case, transform, job.reference, batch=batch)
        if outcome.failure is not None and job.reduce:
            small = reduce_case(
                outcome.failure, lambda case: run_case(case, transform, job.reference).failure
            )
            outcome = Outcome(small, "failed")
        elif proof and outcome.status == "same":
            from .fuzz_campaign import contradiction

            outcome = _without_crash(case, lambda case: contradiction(case, transform))
        outcomes.append(outcome)
    return outcomes


def _judged(job: Job) -> Outcome:
    """The program of a seed, judged by `fuzz_freeing` or `fuzz_proofs`; a crash is a failure of this seed only."""
    from ..interpreter import InterpreterError
    from ..interpreter.fuzz import PASS, Case, Outcome, judge_case
    from ..interpreter.fuzz_reduction import reduce_case
    from ..interpreter.generate_graphs import graph_program
    from ..interpreter.generate_programs import tensor_program
    from ..ir.source.diagnostics import InputError
    from .fuzz_campaign import judge_proof

    if not job.freeing:
        case = Case(job.seed, tensor_program(job.seed), ())
        return _without_crash(case, lambda case: judge_proof(case.seed, transform))
    case = Case(job.seed, graph_program(job.seed), (PASS,))
    outcome = _without_crash(case, lambda case: judge_case(case, transform))
    if outcome.failure is None or not job.reduce:
        return outcome

    def failure_of(smaller: Case) -> Failure | None:
        # a smaller program that itself misbehaves proves nothing: such errors end its trial
        judged = _without_crash(
            smaller, lambda case: judge_case(case, transform), InterpreterError, InputError
        )
        return judged.failure

    return Outcome(reduce_case(outcome.failure, failure_of), "failed")


def _without_crash(
    case: Case, judge: Callable[[Case], Outcome], *let_through: type[BaseException]
) -> Outcome:
    """The result of `judge`; a crash is a failure, except for errors that are let through."""
    import traceback

    from ..interpreter.fuzz import CRASH, Failure, Outcome

    try:
        return judge(case)
    except let_through:
        raise
    except Exception:
        return Outcome(Failure(case, CRASH, traceback.format_exc(limit=-6)), "failed")


def run(flags: argparse.Namespace) -> int:
    if flags.seconds is not None and flags.count == 1:
        flags.count = ENDLESS
    _check(flags)
    if flags.campaign:
        return _campaign(flags)
    seeds = range(flags.seed, flags.seed + flags.count)
    if flags.print:
        for text in _programs(seeds, flags):
            write_stdout(text)
        return 0
    statuses: Counter[str] = Counter()
    sorts = Sorts()
    failures = done = without = 0
    interrupted = False
    until = None if flags.seconds is None else time.monotonic() + flags.seconds
    together = NATIVE_BLOCK if flags.runner else 1
    try:
        for outcomes in _outcomes(_jobs(seeds, together, flags), flags):
            done = min(done + together, len(seeds))
            without += not outcomes
            for outcome in outcomes:
                statuses[outcome.status] += 1
                if outcome.failure is not None:
                    failures += 1
                    if sorts.add(outcome.failure):
                        _report(outcome.failure, flags.save)
            if until is not None and time.monotonic() > until:
                break
    except KeyboardInterrupt:  # report the results so far instead of losing hours of work
        interrupted = True
    shown = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
    if without:
        shown += f", {without} without such a pipeline"
    through = f" through {statuses.total()} pipelines" if flags.every else ""
    count = f"{'interrupted: ' if interrupted else ''}{done} programs{through}"
    write_stdout(f"{count}: {shown}\n{sorts.summary() if failures > 1 else ''}")
    if flags.bisect is not None and not interrupted:
        revisions = revisions_since(flags.bisect)
        for signature, sort in sorts.by_signature.items():
            began = first_bad(sort.shown, revisions)
            write_stdout(f"{signature}: {'not known' if began is None else f'since {began}'}\n")
    return 1 if failures else 130 if interrupted else 0


def _check(flags: argparse.Namespace) -> None:
    """Raise UsageError for flags that make no sense, alone or together."""
    if flags.count < 1 or flags.jobs < 0:
        raise UsageError("--count must be at least 1 and --jobs at least 0")
    if flags.mlir_opt and shutil.which(flags.mlir_opt) is None:
        raise UsageError(f"there is no program '{flags.mlir_opt}'")
    if flags.runner and (flags.freeing or flags.proofs):
        raise UsageError("--runner cannot be combined with --freeing or --proofs")


def _programs(seeds: range, flags: argparse.Namespace) -> Iterator[str]:
    """The programs of some seeds as text, each after a comment with its seed and pipeline."""
    if flags.freeing:
        from ..interpreter.generate_graphs import graph_program

        for seed in seeds:
            yield f"// seed {seed}\n{graph_program(seed)}\n"
        return
    for seed in seeds:
        for case in cases_of(seed, flags.every, flags.only):
            yield f"// seed {case.seed}: {' '.join(case.flags)}\n{case.text}\n"


def _jobs(seeds: range, together: int, flags: argparse.Namespace) -> Iterator[Job]:
    """One job for each seed, or for `together` of them that run natively in one process."""
    for seed in seeds[::together]:
        yield Job(
            seed,
            flags.mlir_opt,
            flags.reduce,
            flags.every,
            flags.freeing,
            flags.proofs,
            flags.only,
            native=min(together, seeds.stop - seed) if flags.runner else 0,
        )


def _campaign(flags: argparse.Namespace) -> int:
    from . import fuzz_campaign
    from .fuzz_campaign import run_campaign

    together = fuzz_campaign.BATCH if _runner_is_installed() else 0
    processes = _processes(flags)
    seeds_of_round = fuzz_campaign.BATCH * (fuzz_campaign.ROUND * processes if processes > 1 else 1)

    def work(seeds: range) -> Iterator[list[Outcome]]:
        jobs = [
            Job(s, None, flags.reduce, False, only=flags.only, campaign=not flags.only, native=together)
            for s in seeds[:: together or 1]
        ]
        yield from _outcomes(jobs, flags)

    folder = os.path.join(flags.campaign, "failures")
    return run_campaign(
        flags.campaign,
        flags.hours,
        flags.seed,
        work,
        lambda failure: _report(failure, folder),
        seeds_of_round,
    )


def _runner_is_installed() -> bool:
    from ..interpreter.native import find_tools
    from ..ir.source.diagnostics import InputError

    try:
        find_tools()
    except InputError:
        return False
    return True


def _processes(flags: argparse.Namespace) -> int:
    return flags.jobs or os.cpu_count() or 1


def _outcomes(jobs: Iterable[Job], flags: argparse.Namespace) -> Iterator[list[Outcome]]:
    """The outcomes of each job: sequentially, or as executors finish."""
    processes = _processes(flags)
    if flags.cluster is None and processes == 1:
        yield from map(run_seed, jobs)
        return
    jobs = list(jobs)
    from . import fuzz_campaign
    from .corpus import run as runner

    start = runner.cluster(flags.cluster) if flags.cluster else runner.processes(processes)
    together = 1 if any(job.native for job in jobs) else fuzz_campaign.TOGETHER
    yield from fuzz_campaign.outcomes(jobs, judge_text, start, together)


def judge_text(name: str, text: str) -> dict[str, Any]:
    """The outcomes of a job in JSON; see `fuzz_run`."""
    from .fuzz_campaign import as_data

    return as_data(run_seed(Job(*json.loads(text))))


def _report(failure: Failure, directory: str | None) -> None:
    case = failure.case
    flags = " ".join(f"'{flag}'" if " " in flag else flag for flag in case.flags)
    comment = "".join(f"// {line}\n" for line in failure.message.splitlines())
    text = f"// seed {case.seed}, {failure.kind}: bufferize-opt {flags}\n{comment}{case.text}"
    sys.stderr.write(f"{text}\n")
    if directory:
        os.makedirs(directory, exist_ok=True)
        write_file(os.path.join(directory, f"{failure.kind}-{case.seed}-{_file_name(case.flags)}.mlir"), text)


def _file_name(flags: Sequence[str]) -> str:
    """A hash of a pipeline for file names, which distinguishes the pipelines of one program."""
    return f"{crc32(' '.join(flags).encode()):08x}"
