"""Which operations may have allocated what a call gives: they say how it is freed, wherever that is.

A result is followed back through views, branches, regions and further calls (`ViewFlow`) to the allocations that it may be. What
comes from a declaration, out of a table, or from an operation that is not known is taken to be allocated as usual.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import OpResult, Value
from ...ir.program.interfaces import AllocationOp, CallOpInterface
from ..fixpoint import strongly_connected_components
from ..origins import ViewFlow, closure
from .contracts import Contracts

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
