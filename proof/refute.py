"""Refuting by running: inputs on which the transformed program does something else, or misuses memory.

A proof that fails says what is open, not that the program is wrong. Whether it is, a run on the checked heap shows; needs the
extra `run`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from .check import OPEN, REFUTED, FunctionAnswer, ProofOfProgram, frees_memory

if TYPE_CHECKING:
    from ..interpreter.verify import FunctionReport

INPUTS = 12
"""Inputs tried for each function that is not proved."""

HOPELESS = frozenset(["signature", "unknown"])
"""Kinds of questions that no run answers."""


def refute(before: Operation, after: Operation, proof: ProofOfProgram, *, leaks: bool, seed: int = 0) -> None:
    """Run the functions that are not proved; those that a run shows wrong become refuted."""
    for outcome in proof.outcomes:
        if outcome.verdict == OPEN and not all(question.kind in HOPELESS for question in outcome.questions):
            finding = _run(before, after, outcome, leaks, seed)
            if finding is not None:
                outcome.verdict, outcome.evidence = REFUTED, finding


def _run(
    before: Operation, after: Operation, outcome: FunctionAnswer, leaks: bool, seed: int
) -> FunctionReport | None:
    try:
        from ..interpreter.verify import Options, verify_module
    except ImportError:
        return None
    options = Options(seed=seed, inputs=INPUTS, tries=6 * INPUTS, leaks=leaks, excused=frees_memory(before))
    for finding in verify_module(before, after, options, [outcome.function]):
        if finding.failed:
            return finding
    return None
