"""Deduplicates fuzzer failures, and bisects where each began.

Two failures are the same if they have the same signature: their kind, the message without numbers and value names, and
for a crash the innermost functions of this package on the stack. Per signature the shortest failure is shown and the
others are counted. `first_bad` bisects for the revision of this package that introduced a failure, running the stored
program and pipeline itself, since other revisions may generate other programs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..interpreter.fuzz import Failure

_FRAME = re.compile(
    r'^  File "[^"]*[/\\](?:bufferize|\w[\w-]*)[/\\]([\w/\\]+\.py)", line \d+, in (\S+)', re.M
)
_VARYING = re.compile(r"%[\w$.#-]+|@[\w$.]+|\^[\w$.]+|0x[0-9a-f]+|\b\d[\d.e+-]*\b|'[^'\n]{40,}'")
MAX_SEEDS = 8
"""Seeds listed per signature."""
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

    def __init__(self, failures: Iterable[Failure] = ()) -> None:
        self.by_signature: dict[str, Sort] = {}
        for failure in failures:
            self.add(failure)

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
