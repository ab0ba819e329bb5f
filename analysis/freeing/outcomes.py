"""Ownership outcome of each buffer: its owner, its frees, the flags decided at run time; and the resulting plan of frees.

Asked of a function after ownership-based deallocation, when every free is a `bufferization.dealloc`. The *outcome* of an
allocation (or of a buffer that a call returns) is read off the deallocations that list it, under its own name or that of
something that may view it:

* it is freed where a deallocation lists it; *always*, if the condition is constantly true and nothing retained
  may be the same buffer; else a check remains at run time, of a flag, of addresses, or of both;
* it is *returned* if what a function returns may view it: then the caller owns it;
* it *escapes* if its address is kept where ownership is not followed (`escapes`): then nobody frees it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeAlias

from ...dialects import arith, bufferization
from ...dialects.bufferization import MANUAL_DEALLOCATION
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import AllocationOp, CallOpInterface, FunctionOp
from ...ir.source.records import field, record
from ...ir.types import attributes as a
from ..allocations import is_owned_by_origin
from ..fixpoint import strongly_connected_components
from ..graphs import region_exits
from ..origins import Origins, ViewFlow, closure, is_buffer, members, strip_views
from .contracts import Contracts
from .flow import CfgEdge, ExtendedBlock
from .owners import BufferOwner

MAX_ORIGINS = 64
"""A memref that may be one of more buffers than this says little about any of them; it is left out of their outcomes."""
MAX_PATH = 10_000
"""Values looked at for the way from an allocation to the name under which it is freed."""


@record()
class Free:
    """A place where a buffer may be freed.

    Attributes:
        dealloc: the operation.
        name: the memref it lists, views stripped: the buffer itself, or what may view it.
        condition: the flag that decides, or None if it is constantly true.
        compared: retained memrefs that may be the same buffer: their addresses are compared at run time.
    """

    dealloc: Operation
    name: Value
    condition: Value | None
    compared: list[Value]

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to decide at run time."""
        return self.condition is None and not self.compared


@record()
class OwnershipOutcome:
    """What becomes of one buffer.

    Attributes:
        value: the result that allocates it, or that a call returns.
        frees: where it may be freed, in program order.
        returned: the operands of returns that may view it.
        copied: the clones made because a function may return only what it owns, and this may not be owned.
        escape: the use by which its address gets away, if it does.
        manual: whether the program frees it by hand.
    """

    value: Value
    frees: list[Free] = field(default_factory=list)
    returned: list[OpOperand] = field(default_factory=list)
    copied: list[Operation] = field(default_factory=list)
    escape: OpOperand | None = None
    manual: bool = False


class OwnershipOutcomes:
    """The outcomes of the buffers of one function. Near-linear in the function and in what its deallocations list."""

    def __init__(self, function: Operation, escapes: Mapping[Value, OpOperand] | None = None) -> None:
        """
        Args:
            function: after ownership-based deallocation.
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
        """The outcomes, in textual order of what allocates."""
        return list(self._fates.values())

    def path(self, outcome: OwnershipOutcome, name: Value) -> list[Value]:
        """The memrefs through which the buffer of `outcome` gets to `name`, both included; shortest, empty if too far."""
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
    op = value.defining_op
    if isinstance(op, arith.ConstantOp):
        attribute = op.properties["value"]
        return bool(attribute.value) if isinstance(attribute, a.IntegerAttr) else None
    return None


# What is to be done so that every buffer is freed once: the outcome of the analysis, before anything is rewritten.
#
# Formulas are diagrams of `flags`. What a transform adds to the program is: a free for each `FreePoint` whose condition is not
# false, a guard for each `Guard` whose condition is not true, a copy for each `Returned` that is not owned, and a truth value
# that travels for each `CarriedFlag` variable that a formula left to be decided at run time depends on.


@record()
class FreePoint:
    """A buffer is needed no more.

    Attributes:
        owner: under which name it is freed.
        condition: whether it is owned there.
        behind: the number of the operation in `ebb` behind which it is freed, -1 for the start; or None,
        edge: on the way from one extended block to another.
        given: what is known to hold there.
    """

    owner: BufferOwner
    condition: int
    ebb: ExtendedBlock
    behind: int | None = None
    edge: CfgEdge | None = None
    given: int = 1


@record()
class Handed:
    """Ownership goes from one name to another.

    Attributes:
        source, target: the owners.
        condition: in which cases.
        moved: whether the source is needed no more; else it is borrowed, and keeps what it owns.
    """

    source: BufferOwner
    target: BufferOwner
    condition: int
    moved: bool
    ebb: ExtendedBlock
    behind: int | None = None
    edge: CfgEdge | None = None


@record()
class Guard:
    """An operation of the program that frees `owner`: `condition` says whether there still is something to free, where
    `given` holds, without which it does not run."""

    op: Operation
    owner: BufferOwner
    condition: int
    ebb: ExtendedBlock
    at: int
    given: int = 1


@record()
class Returned:
    """A buffer is returned: `condition` says whether it is ours to give away, or that the caller is told that it is not.

    Attributes:
        told: what the caller is to be told, if a flag does that does not exist yet.
    """

    use: OpOperand
    owner: BufferOwner | None
    condition: int
    ebb: ExtendedBlock
    told: int | None = None


@record(eq=False, repr=False)
class CarriedFlag:
    """A truth value that depends on the way by which an extended block was entered.

    Attributes:
        name: the variable of the diagrams that stands for it.
        extended block: where it is chosen.
        owner, other: it says whether `owner` is owned, or, if there is another, whether both are one buffer. For an `i1`
            of the program there is none.
        ways: for each edge into the extended block the formula there, and what is known to hold.
    """

    name: Hashable
    ebb: ExtendedBlock
    owner: BufferOwner | None
    other: BufferOwner | None = None
    ways: list[tuple[CfgEdge, int, int]] = field(default_factory=list)


@record()
class FreeingPlan:
    """Everything, in the order of the program."""

    frees: list[FreePoint] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    carried_flags: dict[Hashable, CarriedFlag] = field(default_factory=dict)


# Which operations may have allocated what a call gives: they say how it is freed, wherever that is.
#
# A result is followed back through views, branches, regions and further calls (`ViewFlow`) to the allocations that it may be. What
# comes from a declaration, out of a table, or from an operation that is not known is taken to be allocated as usual.

FunctionResult: TypeAlias = tuple[FunctionLikeOp, int]


class Makers:
    """The makers of what the functions of a program return. O(operations), and for each result what flows into it."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts
        self._flows: dict[FunctionLikeOp, ViewFlow] = {}
        self._ends: dict[FunctionResult, tuple[list[AllocationOp], list[FunctionResult]]] = {}
        self._found: dict[FunctionResult, list[AllocationOp]] = {}

    def of_call(self, call: CallOpInterface, index: int) -> list[AllocationOp]:
        """One allocation of each kind that may have made result `index` of a call."""
        callee = self._contracts.callee(call)
        return [] if callee is None or callee.is_declaration else self.of_function(callee, index)

    def of_function(self, function: FunctionLikeOp, index: int) -> list[AllocationOp]:
        """One allocation of each kind that may have made what a function returns as result `index`."""
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
        """The results of other functions that one may be; none where that is settled."""
        return () if result in self._found else self._within(result)[1]

    def _within(self, result: FunctionResult) -> tuple[list[AllocationOp], list[FunctionResult]]:
        """What a function allocates that may be one of its results, and the results of calls that it may be."""
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
