"""Result of the analysis: decisions, alias classes, reasons, and the copies that follow.

The interface for explaining and rewriting a program:

* `is_in_place(operand)`; `out_of_place()`; `alias_set(value)`; `are_equivalent(a, b)`; `equivalence_class(value)`.
* `conflict(operand)`: the first conflict found when deciding; `reasons(operand)`: every conflict if the operand were in place
  and all other decisions stayed.
* `sharing_path(a, b)`: the chain of in-place operands through which two values share a buffer.
* `has_undefined_contents(operand)`, `plan()`: the buffers that a rewrite has to insert (`plan.py`).
* `errors`: why the program cannot be bufferized. (`differences` lists where mlir-opt 22 decides otherwise.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import Diagnostic
from ...ir.source.records import record
from ..causes import FactBase
from ..datalog.evaluation import Derivation
from ..models.base import CalleeSummary, owner_of
from .by_position import PositionalDecisions, assert_decisions
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
    """One step of the chain through which two values share memory.

    Attributes:
        left, right: the values merged.
        operand: the in-place operand that merged them; None if a call or a declared fact did.
        rule: the rule of `rules/aliasing.dl` that derived it.
    """

    left: Value
    right: Value
    operand: OpOperand | None
    rule: str


class AnalysisResult:
    """Decisions and reasons; valid until the program is changed.

    Attributes:
        unsettled: `state`, without the facts and classes of functions that were decided by position.
        call_graph: functions and calls; empty if functions are not bufferized.
        first_conflicts: the first conflict found for an operand, in the order of decisions. Includes operands that must be in
            place despite a conflict.
        undefined_uses: the uses of tensors with undefined contents.
        errors: why the program cannot be bufferized, with mlir-opt's messages.
        outcomes: by function, the result of the search for fewest copies.
        analyzed: the functions (or the program) that were fully decided, in order.
    """

    def __init__(self, state: AnalysisState, call_graph: CallGraph) -> None:
        self.unsettled = state
        self._by_position: dict[Operation, PositionalDecisions] = {}
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
        """Facts, rules and classes after all decisions. The first access asserts the decisions made by position as facts."""
        pending, self._by_position = self._by_position, {}
        for decided in pending.values():
            assert_decisions(self.unsettled, decided)
        return self.unsettled

    def classes_of(self, function: Operation) -> FunctionClasses:
        """The alias classes of an analysed function, without settling decisions made by position."""
        return self._by_position.get(function, self.unsettled)

    def add_decided(self, decided: PositionalDecisions) -> None:
        """Add the decisions made by position for one function."""
        self._by_position[decided.function] = decided
        self.unsettled.decided.in_place |= decided.in_place
        self.first_conflicts |= decided.conflicts
        self.undefined_uses |= decided.undefined_uses
        self.analyzed.append(decided.function)
        if decided.outcome is not None:
            self.outcomes[decided.function] = decided.outcome

    @property
    def options(self) -> AnalysisOptions:
        return self.unsettled.options

    # -- decisions --------------------------------------------------------------------------------------

    def is_in_place(self, operand: OpOperand) -> bool:
        """Whether the operand was decided in place."""
        return operand in self.unsettled.in_place

    def operands(self) -> Iterator[OpOperand]:
        """All analysed tensor operands, nested operations first."""
        for root in self.analyzed:
            for op in root.walk_post_order():
                yield from tensor_operands(op)

    def out_of_place(self) -> list[OpOperand]:
        """The operands decided out of place, in the order of `operands`."""
        return [operand for operand in self.operands() if operand not in self.unsettled.in_place]

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """The conflict found when the operand was decided, or None."""
        return self.unsettled.decided.conflict(operand)

    def reasons(self, operand: OpOperand, limit: int | None = None) -> list[Reason]:
        """Every conflict if the operand were in place, given all other decisions; at most `limit` of each kind."""
        from ..conflicts import reasons_against

        return reasons_against(self.state, operand, limit)

    def conflicts(self) -> list[Reason]:
        """The `reasons` of all operands out of place, operand by operand."""
        return [reason for operand in self.out_of_place() for reason in self.reasons(operand)]

    def prove(self, operand: OpOperand, reason: Reason) -> Proof:
        """The proof of a reason against `operand`."""
        from ..conflicts import prove

        return prove(self.state, operand, reason)

    @cached_property
    def loop_fact_base(self) -> FactBase:
        """The facts for the rules of `rules/loops.dl`. Compute it before the program is changed."""
        return told_of_loops(self.unsettled)

    @property
    def loop_copies(self) -> dict[OpOperand, LoopCopy]:
        """The terminator operands that loops copy, and why. Compute it before the program is changed."""
        if self._loop_copies is None:
            self._loop_copies = loop_copies(self.loop_fact_base)
        return self._loop_copies

    # -- aliasing -----------------------------------------------------------------------------------------

    def alias_set(self, value: Value) -> list[Value]:
        """The values that may alias `value`, itself included, in mlir-opt's order."""
        return self.state.alias.members(value)

    def may_alias(self, a: Value, b: Value) -> bool:
        return a is b or self._classes_around(a, b).alias.same(a, b)

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer."""
        return a is b or self._classes_around(a, b).are_equivalent(a, b)

    def _classes_around(self, a: Value, b: Value) -> FunctionClasses:
        """The classes of both values, without settling decisions made by position if they are in the same function."""
        functions = [
            f for f in map(_function_of, (a, b) if self._by_position else ()) if f in self._by_position
        ]
        alike = len(functions) == 2 and functions[0] is functions[1]
        if alike:
            return self._by_position[functions[0]]
        return self.state if functions else self.unsettled

    def equivalence_class(self, value: Value) -> list[Value]:
        return self.state.equivalence.members(value)

    def definitions(self, value: Value) -> tuple[Value, ...]:
        """The values that define the contents of `value`; empty if they are undefined."""
        return self.unsettled.definitions.of(value)

    def sharing_path(self, a: Value, b: Value) -> list[SharingStep]:
        """The chain of merges from `a` to `b`; empty if they are the same value.

        Raises:
            KeyError: they do not alias.
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
        """The in-place operand through which two values alias directly; None if there is not exactly one.

        Cheaper than a proof, which goes through all operands in place. O(operands of the two defining operations).
        """
        state = self.state
        found = [
            alias.operand
            for value, source in ((one, other), (other, one))
            for alias in state.aliasing_operands(value)
            if alias.operand.value is source and alias.operand in state.in_place
        ]
        return found[0] if len(found) == 1 else None

    # -- consequences -------------------------------------------------------------------------------------

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return operand in self.undefined_uses

    def plan(self, is_rewritten: Callable[[Operation], bool] = everywhere) -> list[PlannedBuffer]:
        """The buffers that these decisions require, nested operations first. O(operations)."""
        operations = analyzed_operations(self.unsettled.root, self.options)
        return plan_buffers(self.unsettled, self, operations, is_rewritten)

    def summary(self, function: Operation) -> CalleeSummary | None:
        """The summary of a function for its callers; None if the function is recursive."""
        return self.unsettled.callees.get(function)


def _function_of(value: Value) -> Operation | None:
    return owner_of(value).closest(FunctionOp)
