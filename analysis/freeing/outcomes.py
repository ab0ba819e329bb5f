"""Ownership outcome of each buffer: where it is freed, returned or escapes; and the plan of frees to insert.

The input is a function after ownership-based deallocation, in which every free is a `bufferization.dealloc`. The *outcome* of
an allocation (or of a buffer that a call returns) follows from the deallocations that list it or a value that may view it:

* it is freed where a deallocation lists it: *always* if the condition is constantly true and no retained memref may alias
  it; otherwise a run-time check of a flag, of addresses, or of both remains;
* it is *returned* if a return operand may view it: then the caller owns it;
* it *escapes* if its address does (`escapes`): then it is never freed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeAlias

from ...dialects import bufferization
from ...dialects.bufferization import MANUAL_DEALLOCATION
from ...dialects.common import constant_index
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import AllocationOp, CallOpInterface, FunctionOp
from ...ir.source.records import field, record
from ..allocations import is_owned_by_origin
from ..fixpoint import strongly_connected_components
from ..graphs import region_exits
from ..origins import Origins, ViewFlow, closure, is_buffer, members, strip_views
from .contracts import Contracts
from .flow import CfgEdge, ExtendedBlock
from .owners import BufferOwner

MAX_ORIGINS = 64
"""Buffers that a memref may view; a memref with more of them is ignored, as it says little about each."""
MAX_PATH = 10_000
"""Values visited for the path from an allocation to the value through which it is freed; longer paths are not shown."""


@record()
class Free:
    """An operation that may free a buffer.

    Attributes:
        dealloc: the operation.
        name: the memref that it lists, with views stripped: the buffer itself, or a value that may view it.
        condition: the ownership flag, or None if it is constantly true.
        compared: retained memrefs that may alias it, whose addresses are compared at run time.
    """

    dealloc: Operation
    name: Value
    condition: Value | None
    compared: list[Value]

    @property
    def is_certain(self) -> bool:
        """Whether it frees without a run-time check."""
        return self.condition is None and not self.compared


@record()
class OwnershipOutcome:
    """The ownership outcome of one buffer.

    Attributes:
        value: the result that allocates it, or the result of a call.
        frees: the operations that may free it, in program order.
        returned: the return operands that may view it.
        copied: the clones inserted because a function must own what it returns, and may not own this buffer.
        escape: the use through which its address escapes, or None.
        manual: whether it is marked for manual deallocation.
    """

    value: Value
    frees: list[Free] = field(default_factory=list)
    returned: list[OpOperand] = field(default_factory=list)
    copied: list[Operation] = field(default_factory=list)
    escape: OpOperand | None = None
    manual: bool = False


class OwnershipOutcomes:
    """The outcomes of the buffers of one function. Near-linear in the function and the operands of its deallocations."""

    def __init__(self, function: Operation, escapes: Mapping[Value, OpOperand] | None = None) -> None:
        """
        Args:
            function: a function after ownership-based deallocation.
            escapes: from `escaping_allocations`, for this function.
        """
        self.flow = ViewFlow(function)
        self._origins = Origins(function)
        self._fates: dict[int, OwnershipOutcome] = {}
        numbers = {terminal: i for i, terminal in enumerate(self.flow.terminals)}
        for terminal, number in numbers.items():
            if is_owned_by_origin(terminal):
                outcome = self._fates[number] = OwnershipOutcome(terminal)
                op = terminal.defining_op
                outcome.manual = op is not None and op.get_attr(MANUAL_DEALLOCATION) is not None
                outcome.escape = (escapes or {}).get(terminal)
        for op in function.walk():
            if isinstance(op, bufferization.DeallocOp):
                self._dealloc(op)
            elif isinstance(op, bufferization.CloneOp):
                for outcome in self._of(op.operands[0]):
                    outcome.copied.append(op)
        if isinstance(function, FunctionOp):
            for end in region_exits(function.body):
                for use in end.op_operands:
                    if is_buffer(use.value):
                        for outcome in self._of(use.value):
                            outcome.returned.append(use)

    def all(self) -> list[OwnershipOutcome]:
        """The outcomes, in textual order of the allocations."""
        return list(self._fates.values())

    def path(self, outcome: OwnershipOutcome, name: Value) -> list[Value]:
        """The shortest chain of memrefs from the buffer of `outcome` to `name`, inclusive; empty beyond MAX_PATH."""
        previous: dict[Value, Value | None] = {outcome.value: None}
        order = [outcome.value]
        for value in order:  # grows while it is walked
            if value is name or len(order) > MAX_PATH:
                break
            for target in self.flow.targets.get(value, ()):
                if target not in previous:
                    previous[target] = value
                    order.append(target)
        if name not in previous:
            return []
        steps: list[Value] = []
        at: Value | None = name
        while at is not None:
            steps.append(at)
            at = previous[at]
        return steps[::-1]

    def _of(self, value: Value) -> Iterable[OwnershipOutcome]:
        """The outcomes of the buffers that `value` may view."""
        found: list[OwnershipOutcome] = []
        for number in members(self._origins.of(value)):
            if len(found) == MAX_ORIGINS:
                return []
            outcome = self._fates.get(number)
            if outcome is not None:
                found.append(outcome)
        return found

    def _dealloc(self, op: bufferization.DeallocOp) -> None:
        retained = op.retained
        for listed, condition in zip(op.memrefs, op.conditions, strict=True):
            outcomes = self._of(listed)
            if not outcomes:
                continue
            known = _constant(condition)
            if known is False:
                continue
            compared = [value for value in retained if self._origins.may_meet(value, listed)]
            free = Free(op, strip_views(listed), None if known else condition, compared)
            for outcome in outcomes:
                outcome.frees.append(free)


def _constant(value: Value) -> bool | None:
    known = constant_index(value)
    return None if known is None else bool(known)


# The plan of frees: the result of the analysis, before the program is rewritten.
#
# Formulas are diagrams of `flags`. A transform inserts a free for each `FreePoint` whose condition is not false, a guard for each
# `Guard` whose condition is not true, a copy for each `Returned` that is not owned, and a block argument for each `CarriedFlag`
# variable of a remaining formula.


@record()
class FreePoint:
    """The end of an owner's live range, where its buffer is freed.

    Attributes:
        owner: the owner through which it is freed.
        condition: the formula of its ownership.
        after: the index of the operation in `ebb` after which it is freed, -1 for the start; None if on an edge.
        edge: the edge on which it is freed, or None.
        path_condition: a formula known to hold there.
    """

    owner: BufferOwner
    condition: int
    ebb: ExtendedBlock
    after: int | None = None
    edge: CfgEdge | None = None
    path_condition: int = 1


@record()
class Handed:
    """Ownership transfers from one owner to another.

    Attributes:
        source, target: the owners.
        condition: the formula under which it transfers.
        moved: whether the source is dead; else the target borrows the buffer, and the source keeps its ownership.
    """

    source: BufferOwner
    target: BufferOwner
    condition: int
    moved: bool
    ebb: ExtendedBlock
    after: int | None = None
    edge: CfgEdge | None = None


@record()
class Guard:
    """An operation of the program that frees `owner`. It must only free under `condition`; it runs only under `path_condition`."""

    op: Operation
    owner: BufferOwner
    condition: int
    ebb: ExtendedBlock
    at: int
    path_condition: int = 1


@record()
class Returned:
    """A buffer is returned: `condition` is the formula of its ownership, or true if a flag tells the caller.

    Attributes:
        flag: the formula of the ownership flag, if the flag result is yet to be added.
    """

    use: OpOperand
    owner: BufferOwner | None
    condition: int
    ebb: ExtendedBlock
    flag: int | None = None


@record(eq=False, repr=False)
class CarriedFlag:
    """An `i1` block argument (a phi): its value depends on the edge through which an extended block was entered.

    Attributes:
        name: its variable in the diagrams.
        extended block: the block that it is an argument of.
        owner, other: it means that `owner` is owned or, with `other`, that both are one buffer. None for an `i1` of the
            program.
        ways: by incoming edge, the forwarded formula, and a formula known to hold on the edge.
    """

    name: Hashable
    ebb: ExtendedBlock
    owner: BufferOwner | None
    other: BufferOwner | None = None
    ways: list[tuple[CfgEdge, int, int]] = field(default_factory=list)


@record()
class FreeingPlan:
    """The whole plan, in program order."""

    frees: list[FreePoint] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    carried_flags: dict[Hashable, CarriedFlag] = field(default_factory=dict)


# The operations that may have allocated the result of a call, which determine how it is freed.
#
# A result is followed back through views, branches, regions and calls (`ViewFlow`) to its allocations. A buffer from a
# declaration, a table or an unknown operation is assumed to be an ordinary heap allocation.

FunctionResult: TypeAlias = tuple[FunctionLikeOp, int]


class Makers:
    """The allocations that the functions of a program may return. O(operations + values that flow into results)."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts
        self._flows: dict[FunctionLikeOp, ViewFlow] = {}
        self._ends: dict[FunctionResult, tuple[list[AllocationOp], list[FunctionResult]]] = {}
        self._found: dict[FunctionResult, list[AllocationOp]] = {}

    def of_call(self, call: CallOpInterface, index: int) -> list[AllocationOp]:
        """One allocation of each kind that result `index` of a call may be."""
        callee = self._contracts.callee(call)
        return [] if callee is None or callee.is_declaration else self.of_function(callee, index)

    def of_function(self, function: FunctionLikeOp, index: int) -> list[AllocationOp]:
        """One allocation of each kind that result `index` of a function may be."""
        start = function, index
        if start not in self._found:
            for component in strongly_connected_components([start], self._called):
                if component[0] in self._found:
                    continue
                kinds: dict[str, AllocationOp] = {}
                for result in component:
                    own, called = self._within(result)
                    for maker in (*own, *(maker for one in called for maker in self._found.get(one, ()))):
                        kinds.setdefault(maker.name, maker)
                self._found |= {result: list(kinds.values()) for result in component}
        return self._found[start]

    def _called(self, result: FunctionResult) -> Iterable[FunctionResult]:
        """The results of other functions that a result may be."""
        return () if result in self._found else self._within(result)[1]

    def _within(self, result: FunctionResult) -> tuple[list[AllocationOp], list[FunctionResult]]:
        """The allocations inside a function that a result may be, and the results of calls that it may be."""
        known = self._ends.get(result)
        if known is None:
            function, index = result
            known = self._ends[result] = [], []
            flow = self._flows.get(function) or self._flows.setdefault(function, ViewFlow(function))

            def sources(value: Value) -> Iterable[Value]:
                return () if isinstance(value.defining_op, CallOpInterface) else flow.sources.get(value, ())

            for value in closure(_returned(function, index), sources):
                op = value.defining_op
                if isinstance(op, AllocationOp):
                    known[0].append(op)
                elif isinstance(op, CallOpInterface) and isinstance(value, OpResult):
                    callee = self._contracts.callee(op)
                    if callee is not None and not callee.is_declaration:
                        known[1].append((callee, value.index))
        return known


def _returned(function: FunctionLikeOp, index: int) -> list[Value]:
    return [
        end.operands[index]
        for block in function.body
        if (end := block.last_op) is not None and not end.successors and index < len(end.operands)
    ]
