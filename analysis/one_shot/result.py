"""Result of the analysis: decisions, alias classes, reasons, and the copies that follow.

This is the interface that whoever explains or rewrites a program uses:

* `is_in_place(operand)`; `out_of_place()`; `alias_set(value)`; `are_equivalent(a, b)`; `equivalence_class(value)`.
* `conflict(operand)`: what was found first, when deciding; `reasons(operand)`: everything that speaks against keeping
  the operand in place, given all other decisions (`conflicts` computes it).
* `sharing_path(a, b)`: the chain of in-place operands through which two values came to share a buffer.
* `has_undefined_contents(operand)`, `plan()`: what a rewrite has to insert (`plan.py`).
* `errors`: why the program cannot be bufferized. (`differences` tells where mlir-opt 22 would have decided otherwise.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, OpOperand, Value
from ...ir.source.diagnostics import Diagnostic
from ...ir.source.records import record
from ..causes import FactBase
from ..datalog.evaluation import Derivation
from ..models.base import CalleeSummary
from .by_position import ByPosition, settle
from .decided import InPlaceConflict
from .functions import CallGraph, FunctionClasses
from .loop_copies import LoopCopy, loop_copies, told_of_loops
from .plan import PlannedBuffer, analyzed_operations, everywhere, plan_buffers
from .state import AnalysisState, tensor_operands

if TYPE_CHECKING:
    from ..conflicts import Reason
    from ..datalog.provenance import Proof
    from ..fewest_copies.search import SearchResult
    from .options import AnalysisOptions


@record(frozen=True)
class SharingStep:
    """One step of the way two values came to share memory.

    Attributes:
        left, right: the values joined.
        operand: the in-place operand that joined them; None if a call did, or a declared fact.
        rule: the rule of `rules/aliasing.dl` that says so.
    """

    left: Value
    right: Value
    operand: OpOperand | None
    rule: str


class AnalysisResult:
    """Decisions and reasons. Stays valid as long as the program is not changed.

    Attributes:
        unsettled: `state`, without the facts and classes of functions that were decided by position.
        call_graph: functions and calls; empty if functions are not bufferized.
        first_conflicts: for each operand that was not kept in place what was found first, in the order of decisions.
            Operands that had to be in place all the same are among them.
        undefined_uses: the uses of tensors that nobody gave contents.
        errors: why the program cannot be bufferized, with the texts of mlir-opt.
        outcomes: for each function what the search for fewest copies found, if it was made.
        analyzed: the functions (or the program) for which all decisions were made, in order.
    """

    def __init__(self, state: AnalysisState, call_graph: CallGraph) -> None:
        self.unsettled = state
        self._by_position: dict[Operation, ByPosition] = {}
        self.call_graph = call_graph
        self.first_conflicts = state.decided.against
        self.undefined_uses: set[OpOperand] = set()
        self.errors: list[Diagnostic] = []
        self.analyzed: list[Operation] = []
        self._loop_copies: dict[OpOperand, LoopCopy] | None = None
        self.outcomes: dict[Operation, SearchResult] = {}

    def __repr__(self) -> str:
        operands = list(self.operands())
        here = sum(self.is_in_place(operand) for operand in operands)
        errors = f", {len(self.errors)} errors" if self.errors else ""
        return f"<AnalysisResult: {len(operands)} tensor operands, {here} in place{errors}>"

    @property
    def state(self) -> AnalysisState:
        """Facts, rules and classes after all decisions. What was decided by position is told to the rules when this is first asked."""
        pending, self._by_position = self._by_position, {}
        for decided in pending.values():
            settle(self.unsettled, decided)
        return self.unsettled

    def classes_of(self, function: Operation) -> FunctionClasses:
        """What is known of a function that was analysed, by whoever decided it."""
        return self._by_position.get(function, self.unsettled)

    def add_decided(self, decided: ByPosition) -> None:
        """Take over what was decided of a function by position."""
        self._by_position[decided.function] = decided
        self.unsettled.decided.in_place |= decided.in_place
        self.first_conflicts |= decided.conflicts
        self.undefined_uses |= decided.undefined_uses
        self.analyzed.append(decided.function)

    @property
    def options(self) -> AnalysisOptions:
        return self.unsettled.options

    # -- decisions --------------------------------------------------------------------------------------

    def is_in_place(self, operand: OpOperand) -> bool:
        """Whether the operation works on the operand's own buffer."""
        return operand in self.unsettled.in_place

    def operands(self) -> Iterator[OpOperand]:
        """All tensor operands of what was analysed, nested operations first."""
        for root in self.analyzed:
            for op in root.walk_post_order():
                yield from tensor_operands(op)

    def out_of_place(self) -> list[OpOperand]:
        """The operands that are not kept in place, in the order of `operands`."""
        return [operand for operand in self.operands() if operand not in self.unsettled.in_place]

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """What spoke against the operand when it was decided; None if nothing did."""
        return self.unsettled.decided.conflict(operand)

    def reasons(self, operand: OpOperand, limit: int | None = None) -> list[Reason]:
        """Everything that speaks against keeping the operand in place, given all other decisions.

        Of each kind only the first ones found, up to `limit`, if that is given.
        """
        from ..conflicts import reasons_against

        return reasons_against(self.state, operand, limit)

    def conflicts(self) -> list[Reason]:
        """Everything that speaks against the operands out of place, operand by operand."""
        return [reason for operand in self.out_of_place() for reason in self.reasons(operand)]

    def prove(self, operand: OpOperand, reason: Reason) -> Proof:
        """The proof of a reason against `operand`."""
        from ..conflicts import prove

        return prove(self.state, operand, reason)

    @cached_property
    def loop_fact_base(self) -> FactBase:
        """What the rules of `rules/loops.dl` are told. To be asked before the program is changed."""
        return told_of_loops(self.unsettled)

    @property
    def loop_copies(self) -> dict[OpOperand, LoopCopy]:
        """The operands of terminators of loops that are copied, and why. To be asked before the program is changed."""
        if self._loop_copies is None:
            self._loop_copies = loop_copies(self.loop_fact_base)
        return self._loop_copies

    # -- memory shared ------------------------------------------------------------------------------------

    def alias_set(self, value: Value) -> list[Value]:
        """The values that may share memory with `value`, itself included, in the order of mlir-opt."""
        return self.state.alias.members(value)

    def may_alias(self, a: Value, b: Value) -> bool:
        return a is b or self.state.alias.same(a, b)

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the very same buffer."""
        return self.state.are_equivalent(a, b)

    def equivalence_class(self, value: Value) -> list[Value]:
        return self.state.equivalence.members(value)

    def definitions(self, value: Value) -> tuple[Value, ...]:
        """The values that gave `value` its contents; none if they are undefined."""
        return self.unsettled.definitions.of(value)

    def sharing_path(self, a: Value, b: Value) -> list[SharingStep]:
        """How `a` and `b` came to share memory, step by step from `a` to `b`; empty if they are one value.

        Raises:
            KeyError: they do not share memory.
        """
        if a is b:
            return []
        steps: list[SharingStep] = []
        for step in self.state.alias.explain_path(a, b):
            joined = self._joined_by(step.left, step.right)
            if joined is not None and isinstance(step.reason, Derivation):
                steps.append(SharingStep(step.left, step.right, joined, step.reason.rule.id))
                continue
            proof = self.state.database.explain("may_alias", (step.left, step.right))
            while proof.rule is None and proof.premises:
                proof = proof.premises[0]
            operand = proof.bindings.get("use")
            rule = proof.rule.id if proof.rule is not None else ""
            steps.append(SharingStep(step.left, step.right, operand, rule))
        return steps

    def _joined_by(self, one: Value, other: Value) -> OpOperand | None:
        """The only operand in place through which two values share memory; None if there are several, or none: then a proof tells.

        A proof goes through all operands in place. O(operands of the two makers).
        """
        state = self.state
        found = [
            alias.operand
            for value, source in ((one, other), (other, one))
            for alias in state.aliasing_operands(value)
            if alias.operand.value is source and alias.operand in state.in_place
        ]
        return found[0] if len(found) == 1 else None

    # -- what follows -------------------------------------------------------------------------------------

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return operand in self.undefined_uses

    def plan(self, is_rewritten: Callable[[Operation], bool] = everywhere) -> list[PlannedBuffer]:
        """The buffers that have to be inserted for these decisions, nested operations first. O(operations)."""
        operations = analyzed_operations(self.unsettled.root, self.options)
        return plan_buffers(self.unsettled, self, operations, is_rewritten)

    def summary(self, function: Operation) -> CalleeSummary | None:
        """What callers know of a function; None for one on a cycle of calls."""
        return self.unsettled.callees.get(function)
