"""What a program on buffers does otherwise than the program it was made from: what a proof refutes, or leaves open.

That needs the program before, `bufferize lint AFTER --before BEFORE`. Where the proof fails an input is looked for that shows the
difference (with the extra `run`).
"""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic, Severity
from ..proof.check import PROVED, REFUTED, ProofOfProgram, diagnostics, frees_memory, prove_modules, refute
from .findings import NotAsBefore, NotProved


def find_differences(before: Operation, after: Operation) -> list[Diagnostic]:
    """Findings about each function that is refuted (errors) or not proved (remarks)."""
    proof = prove_modules(before, after)
    if proof.verdict != PROVED:
        _run(before, after, proof)
    found: list[Diagnostic] = []
    for outcome in proof.outcomes:
        for diagnostic in diagnostics(outcome) if outcome.verdict != PROVED else ():
            refuted = outcome.verdict == REFUTED
            diagnostic.severity = Severity.ERROR if refuted else Severity.REMARK
            diagnostic.code = NotAsBefore.id if refuted else NotProved.id
            found.append(diagnostic)
    return found


def _run(before: Operation, after: Operation, proof: ProofOfProgram) -> None:
    """Look for inputs that refute what is not proved."""
    try:
        from ..interpreter.verify import refuting_runs
    except ImportError:  # without the extra `run`
        return
    refute(proof, refuting_runs(before, after, leaks=frees_memory(after), excused=frees_memory(before)))
