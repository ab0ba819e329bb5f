"""Tensors made from nothing that bufferization will give a buffer of their own, although it could do without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..analysis.causes import FactBase
from ..analysis.naming import symbol, value_name, value_span
from ..analysis.one_shot.analyze import analyze
from ..dialects import tensor
from ..explain.suggest import Totals
from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import Diagnostic, Severity
from ..transforms.bufferize.on_copy import bufferize_copy
from .findings import EmptyTensorNotEliminated
from .trial import PipelineTrials

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions

ELIMINATION = "eliminate-empty-tensors"
MAX_LABELS = 4


def find_empty_tensors(
    module: Operation, trials: PipelineTrials, options: AnalysisOptions, registry: ModelRegistry | None
) -> Iterator[Diagnostic]:
    """One warning if eliminating empty tensors saves buffers. A trial and two analyses, if there are empty tensors."""
    empties = [op.results[0] for op in module.walk() if isinstance(op, tensor.EmptyOp)]
    if not empties:
        return
    trial = trials.run(ELIMINATION)
    if trial.module is None:
        return
    gone = [value for value in empties if _is_unused(trial.copies[value])]
    before, after = analyze(module, options, registry), analyze(trial.module, options, registry)
    if not gone or before.errors or after.errors:
        return
    needed, left = (
        Totals.of(bufferize_copy(result, registry=registry).account) for result in (before, after)
    )
    grounds = FactBase("pipelines")
    for value in empties:
        grounds.tell("made_empty", value)
    for value in gone:
        grounds.tell("gone", value, ELIMINATION)
    if left.improves_on(needed):
        grounds.tell("saves", ELIMINATION)
    avoidable = [value for value, _ in grounds.found("avoidable_empty") if isinstance(value, Value)]
    if not avoidable:
        return
    first = avoidable[0]
    several = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
    diagnostic = Diagnostic(
        Severity.WARNING,
        f"{value_name(first)}{several} gets a buffer of its own, although its destination is known",
        value_span(first),
        EmptyTensorNotEliminated.id,
    )
    for i, value in enumerate(gone[:MAX_LABELS]):
        span = value_span(value)
        if span is not None:
            diagnostic.label(
                span, "could be the part of the destination it ends up in" if i == 0 else "this too", i == 0
            )
    diagnostic.note(f"as it is, the program needs {needed.describe()}")
    diagnostic.help(f"run -{ELIMINATION} before -one-shot-bufferize: it then needs {left.describe()} (tried)")
    diagnostic.data = {
        "buffers": [value_name(value) for value in gone],
        "function": _function_name(first),
        "remedy": ELIMINATION,
        "verified": True,
    }
    diagnostic.derivation = grounds.derivation("avoidable_empty", first, ELIMINATION)
    yield diagnostic


def _is_unused(copy: Value) -> bool:
    return copy.parent_block is None or not copy.has_uses


def _function_name(value: Value) -> str | None:
    op = value.defining_op
    while op is not None and symbol(op) is None:
        op = op.parent_op
    return symbol(op) if op is not None else None
