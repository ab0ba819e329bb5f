"""All findings about one program, in the order of their places; and what it does otherwise than the program it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic, Severity
from ..proof.check import PROVED, REFUTED, ProofOfProgram, diagnostics, frees_memory, prove_modules, refute
from .findings import NotAsBefore, NotProved
from .leftovers import find_empty_tensors, find_leftovers
from .lifetimes import find_lifetimes
from .placement import PipelineTrials, Runner, find_placements
from .promises import find_broken_promises, find_collisions
from .stack import find_growing_stacks, find_misowned

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions


# What a program on buffers does otherwise than the program it was made from: what a proof refutes, or leaves open.
#
# That needs the program before, `bufferize lint AFTER --before BEFORE`. Where the proof fails an input is looked for that shows the
# difference (with the extra `run`).


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


def lint(
    module: Operation,
    options: AnalysisOptions,
    registry: ModelRegistry | None = None,
    run: Runner | None = None,
    before: Operation | None = None,
) -> list[Diagnostic]:
    """What a pipeline that led to `module`, or that starts from it, lacks.

    Args:
        options: how the program is or was bufferized.
        registry: models of custom operations.
        before: the program that `module` was made from, if it is to be shown that both do the same.
        run: runs passes, so that advice can be tried; without it none is given, and what only passes find is not found.

    Near-linear in the program, apart from the passes tried: at most a dozen, each once, however much is found.
    """
    trials = PipelineTrials(module, run)
    found = [
        *(find_differences(before, module) if before is not None else ()),
        *find_empty_tensors(module, trials, options, registry),
        *find_leftovers(module, trials),
        *find_lifetimes(module, trials),
        *find_placements(module, trials),
        *find_growing_stacks(module),
        *find_misowned(module),
        *find_collisions(module),
        *find_broken_promises(module),
    ]

    def place(diagnostic: Diagnostic) -> int:
        span = diagnostic.primary_span
        return span.start if span is not None else -1

    return sorted(found, key=place)
