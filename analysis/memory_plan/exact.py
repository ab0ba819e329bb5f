"""The exact question, asked of several at once: our own search and CP-SAT, side by side, until one answers.

The search in this process starts alone: most questions take it less than a second. Then a second process joins with CP-SAT, or, where
that is not installed, with the same search on another seed. Whoever answers first ends the other. Fixed buffers
are for CP-SAT alone.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import gcd
from typing import Any

from . import cp_sat
from .buffers import Answer, Buffer

ALONE = 2.0
"""Seconds before a second process is started: starting one takes about one."""

LARGEST = 1200
"""The exact question is not asked of more buffers that live in one connected stretch of time."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long an exact answer may take.

    Attributes:
        seconds: in all; 0 asks no exact question.
        processes: 1 or 2.
        failures: the search gives up after so many; a limit in time makes results differ from run to run, this does not.
    """

    seconds: float = 10.0
    processes: int = 2
    failures: int | None = None


QUICK = Effort(seconds=60.0, processes=1, failures=4000)
"""What a pass may spend: the same plan on every machine."""


def fits(buffers: Sequence[Buffer], capacity: int, effort: Effort, seconds: float) -> list[int] | Answer:
    """Offsets below `capacity`, or why there are none. None of the buffers may be empty."""
    if any(b.size > capacity for b in buffers):
        return Answer.IMPOSSIBLE
    grain = grain_of(buffers)
    small = [
        b._replace(
            size=b.size // grain,
            alignment=max(1, b.alignment // grain),
            fixed=None if b.fixed is None else b.fixed // grain,
        )
        for b in buffers
    ]
    answer = _ask(small, capacity // grain, effort, seconds)
    return answer if isinstance(answer, Answer) else [offset * grain for offset in answer]


def grain_of(buffers: Sequence[Buffer]) -> int:
    """A number that all offsets of a canonical placement are multiples of, and all sizes and alignments in play too."""
    grain = 0
    for buffer in buffers:
        grain = gcd(grain, buffer.size, buffer.fixed or 0)
    changed = grain > 0
    while changed:
        changed = False
        for buffer in buffers:
            if buffer.alignment % grain and grain % buffer.alignment:
                grain, changed = gcd(grain, buffer.alignment), True
    return max(grain, 1)


def _ask(buffers: list[Buffer], capacity: int, effort: Effort, seconds: float) -> list[int] | Answer:
    is_free = all(b.fixed is None for b in buffers) and find_spec("numpy") is not None
    began = time.monotonic()
    if not is_free:
        return cp_sat.fits(buffers, capacity, seconds) if cp_sat.is_available() else Answer.GAVE_UP
    from .canonical import Search

    search = Search(buffers, capacity)
    helper: _Helper | None = None

    def go_on() -> bool:
        nonlocal helper
        spent = time.monotonic() - began
        if spent > seconds or (effort.failures is not None and search.failures > effort.failures):
            return False
        if effort.processes > 1 and helper is None and spent > ALONE:
            helper = _Helper(buffers, capacity, seconds - spent)
        return helper is None or helper.answer() is None

    try:
        found = search.solve(go_on)
        if found is Answer.GAVE_UP and helper is not None:
            return helper.answer() or found
        return found
    finally:
        if helper is not None:
            helper.stop()


class _Helper:
    """A second process that asks the same question."""

    def __init__(self, buffers: list[Buffer], capacity: int, seconds: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._receiver, sender = context.Pipe(False)
        self._process = context.Process(target=_help, args=(sender, buffers, capacity, seconds), daemon=True)
        self._process.start()
        sender.close()
        self._answer: list[int] | Answer | None = None
        self._is_over = False

    def answer(self) -> list[int] | Answer | None:
        """What it found, if it has found something."""
        if not self._is_over and self._receiver.poll():
            self._is_over = True
            try:
                answer = self._receiver.recv()
            except EOFError:  # it was killed, for want of memory perhaps
                answer = Answer.GAVE_UP
            self._answer = None if answer is Answer.GAVE_UP else answer
        return self._answer

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._receiver.close()


def _help(sender: Any, buffers: list[Buffer], capacity: int, seconds: float) -> None:
    """The life of the second process."""
    if cp_sat.is_available():
        sender.send(cp_sat.fits(buffers, capacity, seconds))
        return
    from .canonical import Search

    end = time.monotonic() + seconds
    sender.send(Search(buffers, capacity, seed=1).solve(lambda: time.monotonic() < end))
