"""What functions take from their callers: arguments that they free, or keep where nobody follows them.

  T1  A function *frees* an argument if on every path to a return one of its own operations frees it, or a view of it, or gives
      it to a call that does: nothing is left for the caller to free.
  T2  It *keeps* an argument if it may do so on some paths, by another name, in a nested region, or if the address gets out of
      sight (`escapes`): the caller cannot know, so freeing it is left to the program.
      A free behind a condition, of what is an argument on some paths only, is taken to be for what is the function's own.
  T3  A declaration takes nothing.

Functions that call one another are followed until nothing changes. What is found is kept at first, and freed where that is sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum

from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Block, BlockArgument, Operation, Value
from ...ir.program.interfaces import FREE, CallOpInterface, MemoryEffectOp
from ..escapes import leaked
from ..view_flow import ViewFlow, closure, is_buffer, strip_views
from .flow import guarded_frees
from .gifts import Gift
from .lent import Callees


class Takes(Enum):
    """What becomes of an argument."""

    FREES = "frees"
    KEEPS = "keeps"


Taken = dict[tuple[FunctionLikeOp, int], Takes]


def taken_by(
    functions: Sequence[FunctionLikeOp], callee: Callees, given: Callable[[CallOpInterface, int], Gift]
) -> Taken:
    """What `functions` take, by number of argument. O(operations + rounds * what is followed).

    Args:
        given: what a call gives, to follow what is taken back through calls.
    """
    found: Taken = {}
    calls: dict[FunctionLikeOp, list[tuple[FunctionLikeOp, CallOpInterface]]] = {}
    ended: dict[FunctionLikeOp, list[Value]] = {}
    for function in functions:
        if function.is_declaration:
            continue
        ended[function] = [*leaked(function)]
        for op in function.walk():
            ended[function] += (value for value in _freed(op) if _may_be_lent(op, value, function))
            if isinstance(op, CallOpInterface):
                target = callee(op)
                if target is not None and any(map(is_buffer, op.operands)):
                    calls.setdefault(target, []).append((function, op))
    flows: dict[FunctionLikeOp, ViewFlow] = {}
    waiting = {function: None for function in functions if ended.get(function)}
    while waiting:
        function, _ = waiting.popitem()
        if function not in flows:
            flows[function] = ViewFlow(function, conservative=True)
        for index in _arguments_behind(function, ended[function], flows[function], given):
            if (function, index) in found:
                continue
            found[function, index] = Takes.KEEPS
            for caller, call in calls.get(function, ()):
                arguments = [use.value for use in call.argument_operands()]
                if index < len(arguments):
                    ended[caller].append(arguments[index])
                    waiting[caller] = None
    _make_sure(found, callee)
    return found


def _freed(op: Operation) -> Iterator[Value]:
    """The memrefs that an operation frees."""
    for effect in op.memory_effects() if isinstance(op, MemoryEffectOp) else ():
        if effect.kind == FREE and effect.value is not None and is_buffer(effect.value):
            yield effect.value


def _may_be_lent(op: Operation, value: Value, function: FunctionLikeOp) -> bool:
    """Whether what `op` frees may be the caller's. See T2."""
    bottom = strip_views(value)
    if isinstance(bottom, BlockArgument) and bottom.owner is function.body.entry:
        return True
    around = op.parent_op
    return around is None or around.name != "scf.if" or not guarded_frees(around)


def _arguments_behind(
    function: FunctionLikeOp,
    values: Iterable[Value],
    flow: ViewFlow,
    given: Callable[[CallOpInterface, int], Gift],
) -> list[int]:
    """The arguments of a function that `values` may be, or parts of them."""

    def sources(value: Value) -> Iterable[Value]:
        op = value.defining_op
        if not isinstance(op, CallOpInterface):
            return flow.sources.get(value, ())
        return given(op, op.results.index(value)).lent(op)  # pyright: ignore[reportArgumentType]

    return [
        value.index
        for value in closure(values, sources)
        if isinstance(value, BlockArgument) and value.owner is function.body.entry
    ]


class _Ended:
    """Where one function frees its arguments by operations of its own blocks, or may by calls. O(operations)."""

    def __init__(self, function: FunctionLikeOp, callee: Callees) -> None:
        self._body = function.body
        self._freeing: dict[Value, set[Block]] = {}
        self._passed: dict[Value, list[tuple[Block, FunctionLikeOp, int]]] = {}
        self._exposed = {strip_views(value) for value in leaked(function)}
        for block in function.body:
            for op in block:
                for value in _freed(op):
                    self._freeing.setdefault(strip_views(value), set()).add(block)
                target = callee(op) if isinstance(op, CallOpInterface) else None
                if target is not None and isinstance(op, CallOpInterface):
                    for i, use in enumerate(op.argument_operands()):
                        passed = self._passed.setdefault(strip_views(use.value), [])
                        passed.append((block, target, i))

    def is_freed_everywhere(self, index: int, found: Taken) -> bool:
        """T1. O(blocks)."""
        argument = self._body.entry.args[index]
        freeing = set(self._freeing.get(argument, ()))
        for block, target, i in self._passed.get(argument, ()):
            if found.get((target, i)) is Takes.FREES:
                freeing.add(block)
        if not freeing or argument in self._exposed:
            return False
        reached: set[Block] = set()
        waiting = [self._body.entry]
        while waiting:
            block = waiting.pop()
            if block not in reached and block not in freeing:
                reached.add(block)
                waiting += block.successors
        return all(block.successors for block in reached)


def _make_sure(found: Taken, callee: Callees) -> None:
    """T1, for what is kept so far: until no more are found, since it may depend on what callees do."""
    ended = {function: _Ended(function, callee) for function in dict.fromkeys(f for f, _ in found)}
    changed = True
    while changed:
        changed = False
        for (function, index), takes in found.items():  # callees come first
            if takes is Takes.KEEPS and ended[function].is_freed_everywhere(index, found):
                found[function, index] = Takes.FREES
                changed = True
