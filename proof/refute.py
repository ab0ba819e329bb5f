"""Refuting by running: inputs on which the transformed program does something else, or misuses memory.

A proof that fails says what is open, not that the program is wrong. Whether it is, a run on the checked heap shows; needs the
extra `run`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from .check import OPEN, REFUTED, ProofOfProgram

HOPELESS = frozenset(["signature", "unknown"])
"""Kinds of questions that no run answers."""


class SeenRun(Protocol):
    """What was seen when a function was run before and after."""

    @property
    def failed(self) -> bool: ...


class RunFunction(Protocol):
    """Runs the function of that name on inputs, in both forms; `interpreter.refuting.refuting_runs` makes one."""

    def __call__(self, function: str, /) -> Iterable[SeenRun]: ...


def refute(proof: ProofOfProgram, run: RunFunction) -> None:
    """Run the functions that are not proved; those that a run shows wrong become refuted.

    Where it is the module that is open (a global, a resource), its functions are run until one shows a difference.
    """
    names = [outcome.function for outcome in proof.outcomes if not outcome.is_about_module]
    for outcome in proof.outcomes:
        if outcome.verdict == OPEN and not all(question.kind in HOPELESS for question in outcome.questions):
            tried = names if outcome.is_about_module else [outcome.function]
            failed = next((seen for name in tried for seen in run(name) if seen.failed), None)
            if failed is not None:
                outcome.verdict, outcome.evidence = REFUTED, failed
