"""`bufferize fuzz --campaign DIR`: hours of fuzzing that may be interrupted and go on where they were.

Each seed is one of four kinds of work: a random program through a pipeline, run on the checked heap; the same with the prover
beside it, which must not contradict the run; a graph of blocks through the passes that free; a program of which decisions are
overruled at random (a mutant), which must not be proved if running shows a difference. The folder has

    state.json     the next seed, and the figures so far
    log.txt        a line for each stretch of work: when, which seeds, what came of them
    failures/      reduced failures, one file each
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .output import write_file, write_stdout

if TYPE_CHECKING:
    from ..interpreter.fuzz import Failure, Outcome

KINDS = ("run", "run", "run and proof", "run and proof", "freeing", "mutant")
"""What a seed is, by its number."""
STRETCH = 60.0
"""Seconds between two lines of the log; as much is done again after the power failed."""
BATCH = 64
"""Seeds that are handed out at once."""


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
        """Add a stretch of work, whose seeds begin with `first` and end before `next`."""
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
