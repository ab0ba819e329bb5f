"""`-schedule-for-memory`: operations on tensors in an order in which less is alive at once.

    %a = linalg.exp ins(%x) outs(%e0)                     %a = linalg.exp ins(%x) outs(%e0)
    %b = linalg.exp ins(%y) outs(%e1)                     %r = linalg.reduce ins(%a) ...
    %r = linalg.reduce ins(%a) ...                  =>    %b = linalg.exp ins(%y) outs(%e1)
    %s = linalg.reduce ins(%b) ...                        %s = linalg.reduce ins(%b) ...
    // %a and %b at once                                  // one buffer at a time

Operations without effects move in their block (`analysis/memory_plan/steps.py` says what they stay behind). A function keeps its order
if, once it is bufferized, it would hold more or copy more.

With `destinations`, on by default, results go into operands that die where that lowers the peak further. The remark of each function names
what it claims: *of any order* where it is proved that no order of its operations does with less of these buffers; else what no
order is below, as far as that is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..analysis.models.facts import registry_with
from ..analysis.one_shot.options import HEURISTICS, AnalysisOptions
from ..analysis.sizes import ASSUMED_SIZE, format_bytes
from ..ir.program.core import Operation
from ..ir.source.diagnostics import remark
from .pass_base import Context, Pass, choice, flag, number

if TYPE_CHECKING:
    from .memory_arena.tensors import MemoryOutcome, TrialSettings

GAINED = "memory-order"


class OnTensors(Pass):
    """What passes have in common that try how a program on tensors will be bufferized."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    bufferize_function_boundaries = flag(
        "bufferize-function-boundaries", "as one-shot-bufferize will be asked to", True
    )
    allow_return_allocs_from_loops = flag(
        "allow-return-allocs-from-loops", "as one-shot-bufferize will be asked to", True
    )
    analysis_heuristic = choice(
        "analysis-heuristic", HEURISTICS, HEURISTICS[0], "as one-shot-bufferize will be asked to"
    )
    destinations = flag(
        "destinations", "let results go into operands that die, where that lowers the peak", True
    )
    assume = number("assume", ASSUMED_SIZE, "what unknown extents are taken to be")

    def settings(self, context: Context) -> TrialSettings:
        """How programs are bufferized on trial."""
        from .memory_arena.tensors import TrialSettings

        options = AnalysisOptions(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            analysis_heuristic=self.analysis_heuristic,
            compat=context.compat or None,
        )
        return TrialSettings(options, registry_with(context.models, context.rules), self.assume)


class ScheduleForMemory(OnTensors):
    """Run it on tensors, right before one-shot-bufferize. A handful of analyses; the orders themselves are near-linear for large blocks."""

    name: ClassVar[str] = "schedule-for-memory"
    summary: ClassVar[str] = "order operations on tensors such that less memory is alive at once"

    def run(self, op: Operation, context: Context) -> None:
        from .memory_arena.tensors import Wanted, functions_with_bodies, improve, name_of

        wanted = Wanted(destinations=self.destinations)
        outcomes = improve(op, self.settings(context), wanted)
        for function in functions_with_bodies(op):
            outcome = outcomes.get(name_of(function))
            if outcome is None or outcome.after.peak >= outcome.before.peak:
                continue
            context.count(self.name, "bytes less at the peak", outcome.before.peak - outcome.after.peak)
            context.diagnostics.emit(remark(gained(name_of(function), outcome), function.name_span, GAINED))


def gained(name: str, outcome: MemoryOutcome) -> str:
    """`@f holds 64 KiB at once, not 96 KiB: the least of any order`."""
    before, after = format_bytes(outcome.before.peak), format_bytes(outcome.after.peak)
    how = " and ".join(outcome.levers)
    return f"@{name} holds {after} at once, {before} before, by {how}: {of_any_order(outcome)}"


def of_any_order(outcome: MemoryOutcome) -> str:
    """What is known of other orders."""
    lower = outcome.claim.any_order
    if not lower:
        return "of this order and these buffers"
    if outcome.after.peak <= lower:
        return "the least of any order"
    return f"no order holds less than {format_bytes(lower)}"
