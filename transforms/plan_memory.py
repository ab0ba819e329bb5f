"""`-plan-memory`: the heap buffers of a function become views of one arena.

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

When buffers are alive, and which of them can be planned, says `analysis.memory_plan.lives`; where they lie, `layout`. Frees of what
was planned go. There is one arena for each memory space. Functions are done callees first: what a callee needs is a place in its
caller's arena, alive during the call, where the size is known and calls do not recurse; it gets it as one more argument.

With `budget=256KiB` each function is made to fit: operations are ordered anew, and of a program that is still on tensors, which is then
bufferized and freed on the way, results go into operands that die and values are computed again (`rematerialize.py`). What does not fit is
a warning that says how near it came and what no plan, no order and no recomputation can do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..analysis.models.facts import registry_with
from ..analysis.one_shot.options import AnalysisOptions
from ..analysis.sizes import format_bytes
from ..dialects import func
from ..ir.program.core import Operation
from ..ir.source.diagnostics import PassFailed, remark, warning
from ..ir.types import types as t
from .memory_arena.functions import ArenaOptions, Arenas
from .memory_arena.reorder import reorder
from .pass_base import Context, Pass, choice, flag, number, text
from .rematerialize import PEAK_OVER_BUDGET, REMADE, bytes_of, remade

if TYPE_CHECKING:
    from ..analysis.memory_plan.buffers import Plan
    from .memory_arena.tensors import MemoryOutcome, TrialSettings


class PlanMemory(Pass):
    """Run it behind deallocation: what is not planned keeps its frees, and the arena is freed where the function returns.

    With `arena=argument` every function takes its arenas as its last arguments, as bytes, aligned as `alignment` of the
    buffers asks; where their size is not known before the run, `@f_arena_size` computes it from the arguments of `@f`.
    Private functions take theirs as arguments in any case, if all their calls are known.
    O(operations), and what planning takes (`planner.plan`).
    """

    name: ClassVar[str] = "plan-memory"
    summary: ClassVar[str] = "give all buffers of a function a place in one arena"

    arena = choice("arena", ("allocate", "argument"), "allocate", "where arenas come from")
    alignment = number("alignment", 16, "of buffers that do not ask for one")
    assume = number("assume", 64, "what unknown extents are taken to be in choosing the order of buffers")
    reorder = flag("reorder", "move operations first, where dataflow allows and the peak gets lower")
    budget = text("budget", "the bytes that the arenas of a function should fit into: 65536, 64KiB, 1MiB")
    mark = choice("mark", ("none", "lives"), "none", "mark where lives begin, for the interpreter to check")

    def run(self, op: Operation, context: Context) -> None:
        budget = bytes_of(self.budget) if self.budget else None
        if self.budget and budget is None:
            raise PassFailed(f"-{self.name}: '{self.budget}' is no size such as 65536, 64KiB or 1MiB")
        outcomes = self._fit(op, budget, context) if budget is not None and is_on_tensors(op) else {}
        arenas = Arenas(
            op, ArenaOptions(self.arena == "argument", self.alignment, self.assume, self.mark == "lives")
        )
        for function in arenas.callees_first():
            assert isinstance(function, func.FuncOp)
            if self.reorder or (budget is not None and not outcomes):
                context.count(self.name, "reordered", reorder(function, self.assume))
            planned = arenas.plan(function)
            context.count(self.name, "planned", planned)
            if budget is not None:
                self._check(function, arenas.plans.get(function, []), budget, outcomes, context)

    def _fit(self, op: Operation, budget: int, context: Context) -> dict[str, MemoryOutcome]:
        """Make what is still on tensors fit, bufferize and free it; what became of each function."""
        from .memory_arena.tensors import Wanted, improve
        from .pass_manager import PassManager, parse_pipeline

        outcomes = improve(op, self._trial(context), Wanted(budget, destinations=True))
        PassManager([parse_pipeline(TO_BUFFERS)], context, verify_each=False).run(op)
        return outcomes

    def tried(self, op: Operation) -> dict[str, list[tuple[str, MemoryOutcome]]]:
        """What would lower the peaks of a program on tensors, each tried (`memory_arena.tensors.tried`)."""
        from .memory_arena.tensors import tried

        return tried(op, self._trial(Context()))

    def _trial(self, context: Context) -> TrialSettings:
        from .memory_arena.tensors import TrialSettings

        options = AnalysisOptions(
            bufferize_function_boundaries=True,
            allow_return_allocs_from_loops=True,
            compat=context.compat or None,
        )
        registry = registry_with(context.models, context.rules)
        return TrialSettings(options, registry, self.assume, self.alignment)

    def _check(
        self,
        function: func.FuncOp,
        plans: list[Plan],
        budget: int,
        outcomes: dict[str, MemoryOutcome],
        context: Context,
    ) -> None:
        """Say what became of the budget of a function."""
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
            diagnostic.note("a plan of these buffers that fits is not ruled out, but none was found")
        else:
            diagnostic.note(f"of this order and these buffers: no plan is lower than {format_bytes(lower)}")
        if outcome is not None and outcome.claim.any_order:
            diagnostic.note(f"of any order: none holds less than {format_bytes(outcome.claim.any_order)}")
        if outcome is not None and outcome.claim.any_recomputation:
            least = format_bytes(outcome.claim.any_recomputation)
            diagnostic.note(f"of any order with recomputation: none holds less than {least}")
        if outcome is None:
            diagnostic.note(
                "values are computed again only in programs on tensors: give the pass the program as it was"
            )
        context.diagnostics.emit(diagnostic)


TO_BUFFERS = (
    "builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline)"
)
"""What a program on tensors goes through before its buffers are planned, as in `bufferize memory`."""


def is_on_tensors(op: Operation) -> bool:
    return any(t.is_tensor(result.type) for inner in op.walk() for result in inner.results)
