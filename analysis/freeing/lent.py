"""Which arguments the results of private functions may be, or parts of them: what was lent to a function and comes back.

A result is followed back through views, branches and regions (`ViewFlow`) to where it may come from:

  L1  an argument of the function: it may be that one;
  L2  an allocation: it is new;
  L3  the result of a call: what the callee gives, with the arguments of the call for its own;
  L4  anything else (out of a table, from an operation that is not known): it may be part of any memref it is given.
  L5  the same place as an earlier result: the two may be one buffer, which can be given away only once.

Functions that call one another are followed until nothing changes: each round can only find more arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ...dialects import memref
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import ALLOCATE, CallOpInterface, MemoryEffectOp
from ...ir.types import types as t
from ..escapes import escaping_allocations
from ..view_flow import ViewFlow, closure, is_buffer
from .gifts import Gift, Gives

Callees = Callable[[CallOpInterface], FunctionLikeOp | None]


@dataclass(slots=True)
class Lent:
    """What is known of one result so far.

    Attributes:
        arguments: positions of arguments that it may be.
        results: positions of earlier results that it may share its buffer with.
        is_sure: whether it is one of these or new, and nothing new is kept elsewhere.
    """

    arguments: set[int] = field(default_factory=set)
    results: set[int] = field(default_factory=set)
    is_sure: bool = True

    def gift(self, flag: int = -1) -> Gift:
        """What a caller gets, told by result `flag` whether it owns it."""
        exact = self.is_sure and len(self.arguments) + len(self.results) == 1
        return Gift(Gives.TOLD, tuple(sorted(self.arguments)), flag, exact, tuple(sorted(self.results)))


def lent_back(
    functions: Sequence[FunctionLikeOp], callee: Callees, given: Callable[[CallOpInterface, int], Gift]
) -> dict[tuple[FunctionLikeOp, int], Lent]:
    """For each memref result of `functions` what it may be. O(operations + rounds * what is followed).

    Args:
        given: what a call to any other function gives.
    """
    found = {
        (function, index): Lent()
        for function in functions
        for index, kind in enumerate(function.function_type.results)
        if t.is_memref(kind)
    }
    flows = {function: ViewFlow(function, conservative=True) for function in functions}
    callers: dict[FunctionLikeOp, set[FunctionLikeOp]] = {}
    for function in functions:
        for op in function.walk():
            if isinstance(op, CallOpInterface):
                other = callee(op)
                if other is not None:
                    callers.setdefault(other, set()).add(function)
    keeping = {function for function in functions if escaping_allocations(function)}
    waiting = list(dict.fromkeys(functions))
    while waiting:
        function = waiting.pop()
        changed = False
        origins: dict[int, set[Value]] = {}
        for index in range(len(function.function_type.results)):
            if (function, index) in found:
                now, origins[index] = _follow(function, index, flows[function], callee, given, found)
                now.results.update(
                    other for other in origins if other != index and origins[other] & origins[index]
                )
                now.is_sure &= function not in keeping
                changed |= now != found[function, index]
                found[function, index] = now
        if changed:
            waiting += [other for other in callers.get(function, ()) if other not in waiting]
    return found


def _follow(
    function: FunctionLikeOp,
    index: int,
    flow: ViewFlow,
    callee: Callees,
    given: Callable[[CallOpInterface, int], Gift],
    found: dict[tuple[FunctionLikeOp, int], Lent],
) -> tuple[Lent, set[Value]]:
    """What a result may be, and where what is no argument may come into being."""
    answer = Lent()
    origins: set[Value] = set()

    def sources(value: Value) -> Iterable[Value]:
        op = value.defining_op
        if isinstance(op, memref.ReallocOp):
            return ()
        if not isinstance(op, CallOpInterface):
            return flow.sources.get(value, ())
        position = op.results.index(value)  # pyright: ignore[reportArgumentType]
        target = callee(op)
        known = found.get((target, position)) if target is not None else None
        if known is not None:
            answer.is_sure &= known.is_sure
            return known.gift().lent(op)
        gift = given(op, position)
        if gift.kind is not Gives.OWNED:
            answer.is_sure &= gift.exact
        return gift.lent(op)

    returned = [
        end.operands[index]
        for block in function.body
        if (end := block.last_op) is not None and not end.successors and index < len(end.operands)
    ]
    for value in closure(returned, sources):
        op = value.defining_op
        if isinstance(value, BlockArgument) and value.owner is function.body.entry:
            answer.arguments.add(value.index)
        elif value in flow.terminals:
            origins.add(value)
            answer.is_sure &= isinstance(op, CallOpInterface) or _is_new(op, value)
    if not answer.is_sure:
        answer.arguments.update(arg.index for arg in function.body.entry.args if is_buffer(arg))
    return answer, origins


def _is_new(op: Operation | None, value: Value) -> bool:
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == ALLOCATE and effect.value is value for effect in op.memory_effects()
    )
