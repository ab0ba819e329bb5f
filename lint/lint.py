"""All findings about one program, in the order of their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic
from .against import find_differences
from .leftovers import find_empty_tensors, find_leftovers
from .lifetimes import find_lifetimes
from .placement import find_placements
from .promises import find_broken_promises, find_collisions
from .stack import find_growing_stacks
from .trial import PipelineTrials, Runner

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions


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
        *find_collisions(module),
        *find_broken_promises(module),
    ]

    def place(diagnostic: Diagnostic) -> int:
        span = diagnostic.primary_span
        return span.start if span is not None else -1

    return sorted(found, key=place)
