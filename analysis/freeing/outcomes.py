"""What becomes of each buffer: who owns it, where it is freed, what is decided only at run time.

Asked of a function after ownership-based deallocation, when every free is a `bufferization.dealloc`. The *fate* of an
allocation (or of a buffer that a call returns) is read off the deallocations that list it, under its own name or that of
something that may view it:

* it is freed where a deallocation lists it; *always*, if the condition is constantly true and nothing retained
  may be the same buffer; else a check remains at run time, of a flag, of addresses, or of both;
* it is *returned* if what a function returns may view it: then the caller owns it;
* it *escapes* if its address is kept where ownership is not followed (`escapes`): then nobody frees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...dialects import arith, bufferization
from ...dialects.bufferization import MANUAL_DEALLOCATION
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.types import attributes as a
from ..allocations import is_owned_by_origin
from ..graphs import region_exits
from ..origins import Origins, ViewFlow, is_buffer, members, strip_views

MAX_ORIGINS = 64
"""A memref that may be one of more buffers than this says little about any of them; it is left out of their fates."""
MAX_PATH = 10_000
"""Values looked at for the way from an allocation to the name under which it is freed."""


@dataclass(slots=True)
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


@dataclass(slots=True)
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
    """The fates of the buffers of one function. Near-linear in the function and in what its deallocations list."""

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
                fate = self._fates[number] = OwnershipOutcome(terminal)
                op = terminal.defining_op
                fate.manual = op is not None and op.get_attr(MANUAL_DEALLOCATION) is not None
                fate.escape = (escapes or {}).get(terminal)
        for op in function.walk():
            if isinstance(op, bufferization.DeallocOp):
                self._dealloc(op)
            elif isinstance(op, bufferization.CloneOp):
                for fate in self._of(op.operands[0]):
                    fate.copied.append(op)
        if isinstance(function, FunctionOp):
            for end in region_exits(function.body):
                for use in end.op_operands:
                    if is_buffer(use.value):
                        for fate in self._of(use.value):
                            fate.returned.append(use)

    def all(self) -> list[OwnershipOutcome]:
        """The fates, in textual order of what allocates."""
        return list(self._fates.values())

    def path(self, fate: OwnershipOutcome, name: Value) -> list[Value]:
        """The memrefs through which the buffer of `fate` gets to `name`, both included; shortest, empty if too far."""
        previous: dict[Value, Value | None] = {fate.value: None}
        order = [fate.value]
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
        """The fates of the buffers that `value` may view."""
        found: list[OwnershipOutcome] = []
        for number in members(self._origins.of(value)):
            if len(found) == MAX_ORIGINS:
                return []
            fate = self._fates.get(number)
            if fate is not None:
                found.append(fate)
        return found

    def _dealloc(self, op: bufferization.DeallocOp) -> None:
        retained = op.retained
        for listed, condition in zip(op.memrefs, op.conditions, strict=True):
            fates = self._of(listed)
            if not fates:
                continue
            known = _constant(condition)
            if known is False:
                continue
            compared = [value for value in retained if self._origins.may_meet(value, listed)]
            free = Free(op, strip_views(listed), None if known else condition, compared)
            for fate in fates:
                fate.frees.append(free)


def _constant(value: Value) -> bool | None:
    op = value.defining_op
    if isinstance(op, arith.ConstantOp):
        attribute = op.properties["value"]
        return bool(attribute.value) if isinstance(attribute, a.IntegerAttr) else None
    return None
