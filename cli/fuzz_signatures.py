"""Failures of a fuzzer told apart, and where each began.

Two failures are one if they have one signature: their kind, what is said without numbers and names of values, and for a crash the
functions of this package that it went through last. Of each signature one failure is shown, the shortest, and the others are counted.
`first_bad` finds the revision of this package that brought a failure, by halving, running the program and pipeline of the failure
itself, so that it does not matter that another revision would generate other programs.
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
