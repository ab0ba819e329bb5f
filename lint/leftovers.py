"""Operations that a finished pipeline should not leave behind, and tensors that need no buffer.

There is one diagnostic per function and kind, located at the first operation, with labels on some of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..analysis.allocations import only_allocates
from ..analysis.causes import FactBase
from ..analysis.naming import function_name_of, symbol, value_name, value_span
from ..analysis.one_shot.analyze import analyze
from ..dialects import bufferization, memref, tensor
from ..explain.suggest import Totals
from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.text import joined, say
from ..ir.types import types as t
from ..transforms.bufferize.on_copy import bufferize_copy
from .advice import PipelineTrials, flags_of
from .findings import (
    CloneLeft,
    DeallocNotLowered,
    EmptyTensorNotEliminated,
    ReallocNotExpanded,
    TensorBoundaryLeft,
)
from .frees import function_of

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot import AnalysisOptions


MAX_LABELS = 4
"""Operations of one kind labelled per function; the rest is counted."""
BOUNDARIES = (bufferization.ToTensorOp, bufferization.ToBufferOp)


@dataclass(frozen=True, slots=True)
class Leftover:
    """A kind of operation that should have been eliminated.

    Attributes:
        code: its id.
        kinds: the classes.
        what: the title's description of the problem.
        label: the label of each operation.
        remedies: pipelines, tried in order until one leaves none.
    """

    code: str
    kinds: tuple[type[Operation], ...]
    what: str
    label: str
    remedies: tuple[str, ...]


LEFTOVERS = (
    Leftover(
        TensorBoundaryLeft.id,
        BOUNDARIES,
        "bufferization is not finished",
        "converts between buffers and tensors",
        (
            "canonicalize",
            "finalizing-bufferize",
            "one-shot-bufferize{bufferize-function-boundaries}",
            "one-shot-bufferize{bufferize-function-boundaries},canonicalize",
        ),
    ),
    Leftover(
        CloneLeft.id,
        (bufferization.CloneOp,),
        "clones are not lowered",
        "a copy that no later pass can lower",
        ("canonicalize", "convert-bufferization-to-memref", "canonicalize,convert-bufferization-to-memref"),
    ),
    Leftover(
        DeallocNotLowered.id,
        (bufferization.DeallocOp,),
        "deallocations are not lowered",
        "frees buffers conditionally, but is not lowered yet",
        (
            "bufferization-lower-deallocations",
            "buffer-deallocation-simplification,bufferization-lower-deallocations",
        ),
    ),
    Leftover(
        ReallocNotExpanded.id,
        (memref.ReallocOp,),
        "reallocations are not expanded",
        "frees one buffer and returns another",
        ("expand-realloc",),
    ),
)


def find_leftovers(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """The diagnostics for `LEFTOVERS`. Linear, plus the trials of remedies."""
    fact_base = FactBase("pipelines")
    for what, holds in PROGRAM.items():
        if any(holds(op) for op in module.walk()):
            fact_base.assert_fact("program", what)
    for op in module.walk():
        for kind in LEFTOVERS:
            if isinstance(op, kind.kinds):
                fact_base.assert_fact("left", op, kind.code)
    found: dict[object, dict[Operation, list[Operation]]] = {}
    for op, code in fact_base.query("left_over"):
        assert isinstance(op, Operation)
        found.setdefault(code, {}).setdefault(function_of(op), []).append(op)
    for kind in LEFTOVERS:
        by_function = found.get(kind.code)
        if by_function:
            remedy = trials.first_that_removes(kind.remedies, _any_of(kind.kinds))
            for function, ops in by_function.items():
                diagnostic = _finding(kind, function, ops, remedy)
                diagnostic.derivation = fact_base.derivation("left_over", ops[0], kind.code)
                yield diagnostic


def _finding(kind: Leftover, function: Operation, ops: list[Operation], remedy: str | None) -> Diagnostic:
    names = joined(" or ", (say("'{name}'", name=name) for name in dict.fromkeys(op.spoken for op in ops)))
    where = say(" in @{function}", function=symbol(function)) if symbol(function) else ""
    count = (
        say("{count} {names} remain", count=len(ops), names=names)
        if len(ops) > 1
        else say("one {names} remains", names=names)
    )
    diagnostic = Diagnostic(
        Severity.WARNING,
        say("{what}{where}: {count}", what=kind.what, where=where, count=count),
        ops[0].name_span,
        kind.code,
    )
    for i, op in enumerate(ops[:MAX_LABELS]):
        span = op.name_span
        diagnostic.label(span, kind.label if i == 0 else "this too", i == 0)
    if len(ops) > MAX_LABELS:
        diagnostic.note("and {count} more", count=len(ops) - MAX_LABELS)
    if kind.code == TensorBoundaryLeft.id and remedy is None:
        users = [
            user for op in ops for result in op.results for user in result.users if user.definition is None
        ]
        if users and users[0].name_span is not None:
            diagnostic.label(users[0].name_span, "this operation is unknown and keeps its tensors")
    if remedy is not None:
        diagnostic.help("run {flags}: none remains then (tried)", flags=flags_of(remedy))
    diagnostic.data = {"count": len(ops), "remedy": remedy, "verified": remedy is not None}
    return diagnostic


def _any_of(kinds: tuple[type[Operation], ...]) -> Callable[[Operation], bool]:
    return lambda module: any(isinstance(op, kinds) for op in module.walk())


def _is_tensor_work(op: Operation) -> bool:
    """Whether `op` is a registered tensor operation that bufferization would rewrite."""
    if isinstance(op, BOUNDARIES) or op.definition is None or op.definition.is_terminator:
        return False
    return any(
        isinstance(value.type, (t.RankedTensorType, t.UnrankedTensorType))
        for value in (*op.operands, *op.results)
    )


PROGRAM: dict[str, Callable[[Operation], bool]] = {
    "works on tensors": _is_tensor_work,
    "allocates": only_allocates,
    "frees": lambda op: isinstance(op, (memref.DeallocOp, bufferization.DeallocOp)),
}
"""Facts about the program as a whole, for the rules."""


# Empty tensors that bufferization would allocate although it could avoid that.

ELIMINATION = "eliminate-empty-tensors"


def find_empty_tensors(
    module: Operation, trials: PipelineTrials, options: AnalysisOptions, registry: ModelRegistry | None
) -> Iterator[Diagnostic]:
    """One warning if eliminating empty tensors saves buffers.

    Costs a trial and two analyses if there are empty tensors.
    """
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
        Totals.of(bufferize_copy(result, registry=registry).memory_report) for result in (before, after)
    )
    fact_base = FactBase("pipelines")
    for value in empties:
        fact_base.assert_fact("made_empty", value)
    for value in gone:
        fact_base.assert_fact("gone", value, ELIMINATION)
    if left.improves_on(needed):
        fact_base.assert_fact("saves", ELIMINATION)
    avoidable = [value for value, _ in fact_base.query("avoidable_empty") if isinstance(value, Value)]
    if not avoidable:
        return
    first = avoidable[0]
    several = say(" and {count} more", count=len(gone) - 1) if len(gone) > 1 else ""
    diagnostic = Diagnostic(
        Severity.WARNING,
        say(
            "{first}{several} gets a separate buffer, although its destination is known",
            first=value_name(first),
            several=several,
        ),
        value_span(first),
        EmptyTensorNotEliminated.id,
    )
    for i, value in enumerate(gone[:MAX_LABELS]):
        span = value_span(value)
        diagnostic.label(
            span,
            "could be the part of the destination that it is inserted into" if i == 0 else "this too",
            i == 0,
        )
    diagnostic.note("currently, the program needs {totals}", totals=needed.describe())
    diagnostic.help(
        "run -{pipeline} before -one-shot-bufferize: it then needs {totals} (tried)",
        pipeline=ELIMINATION,
        totals=left.describe(),
    )
    diagnostic.data = {
        "buffers": [value_name(value) for value in gone],
        "function": function_name_of(first),
        "remedy": ELIMINATION,
        "verified": True,
    }
    diagnostic.derivation = fact_base.derivation("avoidable_empty", first, ELIMINATION)
    yield diagnostic


def _is_unused(copy: Value) -> bool:
    return copy.parent_block is None or not copy.has_uses
