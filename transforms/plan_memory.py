"""`-plan-memory`, `-schedule-for-memory`, `-rematerialize`: programs that hold less memory, or fit into a budget.

    func.func @f() {                              func.func @f() {
      %a = memref.alloc() : memref<16xf32>          %c0 = arith.constant 0 : index
      use(%a)                                       %arena = memref.alloc() {alignment = 16} : memref<64xi8>
      memref.dealloc %a : memref<16xf32>            %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
      %b = memref.alloc() : memref<16xf32>    =>    use(%a)
      use(%b)                                       %b = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
      memref.dealloc %b : memref<16xf32>            use(%b)
      return                                        memref.dealloc %arena : memref<64xi8>
    }                                               return
                                                  }

`analysis.memory_plan.lives` computes lifetimes and selects the buffers that can be planned; `layout` assigns offsets.
Deallocations of planned buffers are erased. There is one arena for each memory space. Functions are processed callees
first: a callee's arena is a slice of its caller's, alive during the call and passed as an extra argument, if its size
is known and the calls are not recursive.

With `budget=256KiB` each function is made to fit: operations are reordered, and a program still on tensors, which is
then bufferized and deallocated on the way, reuses dying operands as destinations and rematerializes values
(`analysis/memory_plan/recompute.py`). If a function does not fit, a warning states how close it came and the lower
bounds for any plan, any order and any rematerialization.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..analysis.models.facts import registry_with
from ..analysis.one_shot import HEURISTICS, AnalysisOptions
from ..analysis.sizes import ASSUMED_SIZE, format_bytes
from ..dialects import func
from ..ir.program.core import Operation
from ..ir.source.diagnostics import PassFailed, remark, warning
from ..ir.types import types as t
from .memory_arena.functions import ArenaOptions, Arenas
from .memory_arena.reorder import reorder
from .pass_base import Context, Pass, choice, flag, number, text

if TYPE_CHECKING:
    from ..analysis.memory_plan.buffers import Plan
    from ..analysis.models import ModelRegistry
    from .memory_arena.tensors import MemoryOutcome, TriedChange
    from .memory_arena.trials import TrialSettings


# `-schedule-for-memory`: reorders operations on tensors to lower the peak.
#
#     %a = linalg.exp ins(%x) outs(%e0)                     %a = linalg.exp ins(%x) outs(%e0)
#     %b = linalg.exp ins(%y) outs(%e1)                     %r = linalg.reduce ins(%a) ...
#     %r = linalg.reduce ins(%a) ...                  =>    %b = linalg.exp ins(%y) outs(%e1)
#     %s = linalg.reduce ins(%b) ...                        %s = linalg.reduce ins(%b) ...
#     // %a and %b at once                                  // one buffer at a time
#
# Operations without effects move within their block (`analysis/memory_plan/steps.py` has the dependences). A function
# keeps its order if bufferizing the new one would hold or copy more bytes.
#
# With `destinations` (the default), results overwrite operands that die where that lowers the peak further. The remark
# for each function states its claim: *of any order* if it is proved that no order of its operations has a lower peak;
# otherwise the best known lower bound.

GAINED = "memory-order"


class OnTensors(Pass):
    """The base of passes that try how a tensor program will be bufferized."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    bufferize_function_boundaries = flag(
        "bufferize-function-boundaries", "must match the option of one-shot-bufferize", True
    )
    allow_return_allocs_from_loops = flag(
        "allow-return-allocs-from-loops", "must match the option of one-shot-bufferize", True
    )
    analysis_heuristic = choice(
        "analysis-heuristic", HEURISTICS, HEURISTICS[0], "must match the option of one-shot-bufferize"
    )
    destinations = flag("destinations", "compute results in operands that die if that lowers the peak", True)
    assume = number("assume", ASSUMED_SIZE, "the value assumed for unknown extents")

    def settings(self, context: Context) -> TrialSettings:
        """How trial programs are bufferized."""
        from .memory_arena.trials import TrialSettings

        options = AnalysisOptions(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            analysis_heuristic=self.analysis_heuristic,
            compat=context.compat or None,
        )
        registry = registry_with(context.models, context.rules)
        return TrialSettings(options, registry, self.assume, any_pipeline=True)


class ScheduleForMemory(OnTensors):
    """Run it on tensors, directly before one-shot-bufferize. Takes a few analyses; scheduling is nearly
    linear for large blocks."""

    name: ClassVar[str] = "schedule-for-memory"
    summary: ClassVar[str] = "reorder operations on tensors to lower the peak of memory"

    def run(self, op: Operation, context: Context) -> None:
        from .memory_arena.tensors import Wanted, improve
        from .memory_arena.trials import functions_with_bodies, name_of

        wanted = Wanted(destinations=self.destinations, claims=False)
        outcomes = improve(op, self.settings(context), wanted)
        for function in functions_with_bodies(op):
            outcome = outcomes.get(name_of(function))
            if outcome is None or outcome.after.peak >= outcome.before.peak:
                continue
            context.count(self.name, "bytes less at the peak", outcome.before.peak - outcome.after.peak)
            context.diagnostics.emit(remark(gained(name_of(function), outcome), function.name_span, GAINED))


def gained(name: str, outcome: MemoryOutcome) -> str:
    """`@f holds 64 KiB at once, 96 KiB before, by order: the least of any order`."""
    before, after = format_bytes(outcome.before.peak), format_bytes(outcome.after.peak)
    how = " and ".join(outcome.transformations)
    return f"@{name} holds {after} at once, {before} before, by {how}: {outcome.claim.of_orders(outcome.after.peak)}"


# `-rematerialize="budget=256KiB"`: rematerializes values until the peak is within the budget.
#
#     %a = linalg.exp ins(%x) outs(%e0)                     %a = linalg.exp ins(%x) outs(%e0)
#     ... the peak, which %a lives through ...        =>    ... the peak, without %a ...
#     %r = linalg.mul ins(%a, %b) ...                       %a1 = linalg.exp ins(%x) outs(%e1)
#                                                           %r = linalg.mul ins(%a1, %b) ...
#
# Values that free the most bytes at the peak per byte recomputed go first (`analysis/memory_plan/recompute.py`);
# operations are ordered as by `-schedule-for-memory`, before and in between. Only operations without effects are
# rematerialized. A function that fits already is left alone; one that cannot fit gets as close as possible, and a
# warning reports the gap.

REMADE = "rematerialized"
PEAK_OVER_BUDGET = "peak-over-budget"

UNITS = {"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30,
         "kb": 1000, "mb": 1000**2, "gb": 1000**3}  # fmt: skip


def bytes_of(size: str) -> int | None:
    """`256KiB` as a number of bytes; None if the text is not a size."""
    digits = size.strip().rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = UNITS.get(size.strip()[len(digits) :].strip().lower())
    try:
        number = int(float(digits) * unit) if unit is not None else 0
    except (ValueError, OverflowError):
        return None
    return number if number > 0 else None


class RematerializeUnderBudget(OnTensors):
    """Run it on tensors, directly before one-shot-bufferize. The search effort is counted in steps, so
    results do not depend on the machine."""

    name: ClassVar[str] = "rematerialize"
    summary: ClassVar[str] = "rematerialize tensor values to keep memory within a budget"

    budget = text("budget", "the peak that a function may reach: 65536, 64KiB, 1MiB")
    percent = number(
        "percent", 0, "how many bytes may be recomputed, in percent of the bytes computed; 0 for no limit"
    )

    def run(self, op: Operation, context: Context) -> None:
        from .memory_arena.tensors import Wanted, improve
        from .memory_arena.trials import functions_with_bodies, name_of

        budget = bytes_of(self.budget)
        if budget is None:
            raise PassFailed(f"-{self.name} needs a budget such as budget=256KiB, not '{self.budget}'")
        wanted = Wanted(budget, self.percent, self.destinations)
        outcomes = improve(op, self.settings(context), wanted)
        for function in functions_with_bodies(op):
            outcome = outcomes.get(name_of(function))
            if outcome is None:
                continue
            if outcome.operations:
                context.count(self.name, "operations computed again", outcome.operations)
            if outcome.after.peak < outcome.before.peak:
                context.diagnostics.emit(
                    remark(remade(name_of(function), outcome), function.name_span, REMADE)
                )
            if outcome.after.peak > budget:
                message = f"@{name_of(function)} holds {format_bytes(outcome.after.peak)}, more than {format_bytes(budget)}"
                diagnostic = warning(message, function.name_span, PEAK_OVER_BUDGET)
                diagnostic.note(at_least(outcome))
                context.diagnostics.emit(diagnostic)


def remade(name: str, outcome: MemoryOutcome) -> str:
    """`@f holds 64 KiB at once, 96 KiB before: 3 operations are computed again, 48 KiB, 12 % of what it computes`."""
    before, after = format_bytes(outcome.before.peak), format_bytes(outcome.after.peak)
    start = f"@{name} holds {after} at once, {before} before"
    if not outcome.operations and not outcome.bytes:
        return f"{start}, by {' and '.join(outcome.transformations)}"
    some = "1 operation is" if outcome.operations == 1 else f"{outcome.operations} operations are"
    percent = 100 * outcome.bytes / max(1, outcome.computed)
    return (
        f"{start}: {some} computed again, {format_bytes(outcome.bytes)}, {percent:.0f} % of what it computes"
    )


def at_least(outcome: MemoryOutcome) -> str:
    """The lower bound on any budget."""
    if outcome.claim.any_recomputation:
        least = format_bytes(outcome.claim.any_recomputation)
        return f"no order with any recomputation holds less than {least}"
    return "no lower bound over all orders is known: the buffers differ from those that were expected"


class PlanMemory(Pass):
    """Run it after deallocation: buffers that are not planned keep their deallocations, and the arena is
    freed where the function returns.

    With `arena=argument`, every function takes its arenas as additional arguments at the end, as aligned
    arrays of bytes; if the size is not a compile-time constant, `@f_arena_size` computes it from the
    arguments of `@f`. Private functions always take their arenas as arguments if all their calls are known.
    O(operations), plus the cost of planning (`planner.plan`).
    """

    name: ClassVar[str] = "plan-memory"
    summary: ClassVar[str] = "place all buffers of a function in one arena"

    arena = choice("arena", ("allocate", "argument"), "allocate", "where arenas come from")
    alignment = number("alignment", 16, "alignment of buffers that do not state one")
    assume = number("assume", 64, "the value assumed for unknown extents when buffers are ordered")
    reorder = flag("reorder", "first reorder operations where that lowers the peak")
    budget = text("budget", "the size that the arenas of a function should not exceed: 65536, 64KiB, 1MiB")
    mark = choice(
        "mark", ("none", "lives"), "none", "mark where lifetimes begin, for checks in the interpreter"
    )

    def run(self, op: Operation, context: Context) -> None:
        budget = bytes_of(self.budget) if self.budget else None
        if self.budget and budget is None:
            raise PassFailed(f"-{self.name}: '{self.budget}' is not a size such as 65536, 64KiB or 1MiB")
        outcomes = self._fit(op, budget, context) if budget is not None and is_on_tensors(op) else {}
        arenas = Arenas(
            op, ArenaOptions(self.arena == "argument", self.alignment, self.assume, self.mark == "lives")
        )
        for function in arenas.callees_first():
            assert isinstance(function, func.FuncOp)
            if self.reorder or (budget is not None and not outcomes):
                context.count(self.name, "reordered", reorder(function, self.assume, arenas.calls))
            planned = arenas.plan(function)
            context.count(self.name, "planned", planned)
            if budget is not None:
                self._check(function, arenas.plans.get(function, []), budget, outcomes, context)

    def _fit(self, op: Operation, budget: int, context: Context) -> dict[str, MemoryOutcome]:
        """Make tensor functions fit, then bufferize and deallocate; returns the outcome of each function."""
        from .memory_arena.tensors import Wanted, improve
        from .pass_manager import PassManager, parse_pipeline

        trial = self._trial(context.compat, registry_with(context.models, context.rules))
        outcomes = improve(op, trial, Wanted(budget, destinations=True))
        PassManager([parse_pipeline(TO_BUFFERS)], context, verify_each=False).run(op)
        return outcomes

    def tried(self, op: Operation, registry: ModelRegistry) -> dict[str, list[TriedChange]]:
        """The rewrites that would lower the peaks of a tensor program, each tried (`memory_arena.tensors.tried`)."""
        from .memory_arena.tensors import tried

        return tried(op, self._trial("", registry))

    def _trial(self, compat: str, registry: ModelRegistry) -> TrialSettings:
        from .memory_arena.trials import TrialSettings

        options = AnalysisOptions(
            bufferize_function_boundaries=True,
            allow_return_allocs_from_loops=True,
            compat=compat or None,
        )
        return TrialSettings(options, registry, self.assume, self.alignment)

    def _check(
        self,
        function: func.FuncOp,
        plans: list[Plan],
        budget: int,
        outcomes: dict[str, MemoryOutcome],
        context: Context,
    ) -> None:
        """Report how a function relates to the budget."""
        height, name = sum(plan.height for plan in plans), function.symbol_name or ""
        outcome = outcomes.get(name)
        if outcome is not None and outcome.after.peak < outcome.before.peak:
            context.diagnostics.emit(remark(remade(name, outcome), function.name_span, REMADE))
        if height <= budget:
            return
        message = (
            f"@{name} needs {format_bytes(height)}, {format_bytes(height - budget)} more than the budget"
        )
        diagnostic = warning(message, function.name_span, PEAK_OVER_BUDGET)
        lower = sum(plan.lower for plan in plans)
        if lower <= budget:
            diagnostic.note("no plan of these buffers that fits was found, but one may exist")
        else:
            diagnostic.note(f"of this order and these buffers: no plan is lower than {format_bytes(lower)}")
        if outcome is not None and outcome.claim.any_order:
            diagnostic.note(f"of any order: none holds less than {format_bytes(outcome.claim.any_order)}")
        if outcome is not None and outcome.claim.any_recomputation:
            least = format_bytes(outcome.claim.any_recomputation)
            diagnostic.note(f"of any order with recomputation: none holds less than {least}")
        if outcome is None:
            diagnostic.note(
                "values are rematerialized only in programs on tensors: run the pass before bufferization"
            )
        context.diagnostics.emit(diagnostic)


TO_BUFFERS = (
    "builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline)"
)
"""The passes that a tensor program runs through before its buffers are planned, as in `bufferize memory`."""


def is_on_tensors(op: Operation) -> bool:
    return any(t.is_tensor(result.type) for inner in op.walk() for result in inner.results)
