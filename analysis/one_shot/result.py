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

from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from ...dialects.bufferization import ToBufferOp
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.source.records import record
from ..models.base import owner_of
from . import Forbidden, ParallelWrite
from .facts import FORBIDDEN
from .search import conflicts, touched_classes

if TYPE_CHECKING:
    from ..datalog.provenance import Proof

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import Diagnostic
from ..causes import FactBase
from ..datalog.evaluation import Derivation
from ..models.base import CalleeSummary
from . import InPlaceConflict
from .by_position import PositionalDecisions, assert_decisions
from .functions import CallGraph, FunctionClasses
from .plan import (
    LoopCopy,
    PlannedBuffer,
    analyzed_operations,
    everywhere,
    loop_copies,
    plan_buffers,
    told_of_loops,
)
from .state import AnalysisState, tensor_operands

if TYPE_CHECKING:
    from ..datalog.provenance import Proof
    from ..datalog.union_find import UnionReason
    from ..fewest_copies.search import SearchResult
    from . import AnalysisOptions


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
        self._sharing_steps: dict[tuple[Value, Value], SharingStep] = {}
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

        return reasons_against(self.state, operand, limit)

    def conflicts(self) -> list[Reason]:
        """The `reasons` of all operands out of place, operand by operand."""
        return [reason for operand in self.out_of_place() for reason in self.reasons(operand)]

    def prove(self, operand: OpOperand, reason: Reason) -> Proof:
        """The proof of a reason against `operand`."""

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

    def sharing_path(self, a: Value, b: Value, most: int | None = None) -> list[SharingStep]:
        """The chain of merges from `a` to `b`, or `most` of its first ones; empty if they are the same value.

        Raises:
            KeyError: they do not alias.
        """
        if a is b:
            return []
        return [self._shared_by(step) for step in self.state.alias.explain_path(a, b, most)]

    def _shared_by(self, step: UnionReason[Value]) -> SharingStep:
        """How two values alias directly. Cached, as the paths of a chain of operations consist of the same steps."""
        ends = step.left, step.right
        known = self._sharing_steps.get(ends)
        if known is None:
            joined = self._joined_by(*ends)
            rule = step.reason.rule.id if isinstance(step.reason, Derivation) else ""
            if joined is None or not rule:
                proof = self.state.database.explain("may_alias", ends)
                while proof.rule is None and proof.premises:
                    proof = proof.premises[0]
                joined = proof.bindings.get("use")
                rule = proof.rule.id if proof.rule is not None else ""
            known = self._sharing_steps[ends] = SharingStep(*ends, joined, rule)
        return known

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


# -- Conflicts as evidence: every read-after-write conflict that forbids an in-place operand, with its proof.
#
# The analysis stops at the first conflict it finds. Here all of them are listed, under every other decision, because
# removing a copy requires removing each conflict.


class ReasonKind(StrEnum):
    """The kind of a reason; also the id of the diagnostic that reports it."""

    READ_AFTER_WRITE = "read-after-write"
    CARRIED_AROUND_LOOP = "carried-around-loop"
    NOT_WRITABLE = "not-writable"
    PARALLEL_REGION = "parallel-region"
    FORBIDDEN = "forbidden-by-rule"


@record(frozen=True)
class Reason:
    """One reason why an operand cannot be bufferized in place.

    Attributes:
        kind: the kind.
        write: the write that must not happen in place: the operand's own, or one that would reach its buffer.
        read: the read that would observe the write (the first two kinds), else None.
        value: the definition whose contents the read needs; or the read-only value; or the origin of a buffer that
            parallel iterations share.
        rule: the rule of `rules/conflict.dl` that derives it.
        loop: for CARRIED_AROUND_LOOP, the loop, or the operation whose blocks form it, that brings the write before the
            next read.
        why_not_writable: for NOT_WRITABLE, the end of a sentence that begins with the value.
        unknown: an unmodelled operation that takes part, under worst-case assumptions; else None.
    """

    kind: ReasonKind
    write: OpOperand
    read: OpOperand | None
    value: Value
    rule: str
    loop: Operation | None = None
    why_not_writable: str = ""
    unknown: Operation | None = None


RAW_CONFLICT, PARALLEL_CONFLICT, READ_ONLY_CONFLICT = (
    "raw_conflict",
    "parallel_conflict",
    "read_only_conflict",
)


def reasons_against(state: AnalysisState, operand: OpOperand, limit: int | None = None) -> list[Reason]:
    """Every reason against `operand`, in program order; none if it is in place.

    Conflicts beyond the first `limit` are omitted if a limit is set. Near-linear in the smaller of the two alias
    classes that would merge, plus the reasons found.
    """
    if operand in state.in_place or state.class_index is None:
        return []
    classes = touched_classes(state, operand)
    found: list[Reason] = []
    first_write = next((use for facts in classes for _, _, use in facts.writes), None)
    write = operand if state.writes(operand) else first_write
    if write is not None:
        read_only = dict.fromkeys(islice((v for facts in classes for v in facts.not_writable), limit))
        found += [_not_writable(state, write, value) for value in read_only]
    listed: dict[object, None] = {}
    with state.looking_back():
        every = list(islice(conflicts(state, operand, classes), limit))
    for conflict in every:
        if conflict in listed:
            continue
        listed[conflict] = None
        if isinstance(conflict, ParallelWrite):
            reason = Reason(ReasonKind.PARALLEL_REGION, conflict.write, None, conflict.origin, "conflict.P1")
        elif isinstance(conflict, Forbidden):
            proof = state.database.explain(FORBIDDEN, (conflict.use, conflict.value))
            rule = proof.rule.id if proof.rule is not None else FORBIDDEN
            reason = Reason(ReasonKind.FORBIDDEN, conflict.use, None, conflict.value, rule)
        else:
            reason = _read_after_write(state, conflict.read, conflict.write, conflict.definition)
        found.append(reason)
    enter = state.order.enter
    found.sort(key=lambda r: (r.kind != ReasonKind.NOT_WRITABLE, enter[r.read.owner] if r.read else -1))
    return found


def _not_writable(state: AnalysisState, write: OpOperand, value: Value) -> Reason:
    owner = owner_of(value)
    model = state.model_of(owner)
    why = model.not_writable_reason(value) if model is not None else _why_unknown(state, value, owner)
    unknown = owner if model is None else None
    return Reason(ReasonKind.NOT_WRITABLE, write, None, value, "conflict.W1", None, why, unknown)


def _why_unknown(state: AnalysisState, value: Value, owner: Operation) -> str:
    if state.registry.model_of(owner) is not None:
        if owner.dialect == "func" and not state.options.bufferize_function_boundaries:
            return "comes from outside the function, and function boundaries are not bufferized"
        return "belongs to an operation that the options exclude"
    made = "is a result of" if isinstance(value, OpResult) else "is an argument of a block in"
    is_known = owner.definition is not None
    return f"{made} '{owner.name}', which {'has no bufferization' if is_known else 'is unknown'}"


def _read_after_write(state: AnalysisState, read: OpOperand, write: OpOperand, definition: Value) -> Reason:
    loop = None
    if state.order.happens_before(read.owner, write.owner) or read is write:
        loop = state.order.repeated_since(read.owner, definition)
        if loop is None and not isinstance(read.owner, ToBufferOp):  # the memref that it yields is read later
            loop = read.owner.parent_op
    kind = ReasonKind.READ_AFTER_WRITE if loop is None else ReasonKind.CARRIED_AROUND_LOOP
    unknown = next((use.owner for use in (write, read) if not state.is_known(use.owner)), None)
    return Reason(kind, write, read, definition, "conflict.C1", loop, "", unknown)


def prove(state: AnalysisState, operand: OpOperand, reason: Reason) -> Proof:
    """The proof of a reason against `operand`: derived by the rules, assuming the operand in place.

    Linear in the smaller of the two merging classes, plus the proof.
    """
    name, row = _fact(reason)
    with state.looking_back(), state.database.transaction():
        state.database.assert_fact("in_place", operand)
        return state.database.explain(name, row)


def _fact(reason: Reason) -> tuple[str, tuple[object, ...]]:
    if reason.kind == ReasonKind.NOT_WRITABLE:
        return READ_ONLY_CONFLICT, (reason.write, reason.value)
    if reason.kind == ReasonKind.FORBIDDEN:
        return FORBIDDEN, (reason.write, reason.value)
    if reason.kind == ReasonKind.PARALLEL_REGION:
        return PARALLEL_CONFLICT, (reason.write, reason.value)
    return RAW_CONFLICT, (reason.read, reason.write, reason.value)
