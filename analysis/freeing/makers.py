"""Which operations may have allocated what a call gives: they say how it is freed, wherever that is.

A result is followed back through views, branches, regions and further calls (`ViewFlow`) to the allocations that it may be. What
comes from a declaration, out of a table, or from an operation that is not known is taken to be allocated as usual.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import AllocationOp, CallOpInterface
from ..view_flow import ViewFlow, closure
from .contracts import Contracts


class Makers:
    """The makers of what the functions of a program return. O(operations), once for each function asked about and what it calls."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts
        self._flows: dict[FunctionLikeOp, ViewFlow] = {}
        self._found: dict[tuple[FunctionLikeOp, int], list[AllocationOp]] = {}

    def of_call(self, call: CallOpInterface, index: int) -> list[AllocationOp]:
        """One allocation of each kind that may have made result `index` of a call."""
        callee = self._contracts.callee(call)
        return [] if callee is None or callee.is_declaration else self.of_function(callee, index)

    def of_function(self, function: FunctionLikeOp, index: int) -> list[AllocationOp]:
        """One allocation of each kind that may have made what a function returns as result `index`."""
        known = self._found.get((function, index))
        if known is None:
            kinds: dict[str, AllocationOp] = {}
            for value in closure(_returned(function, index), self._sources):
                op = value.defining_op
                if isinstance(op, AllocationOp):
                    kinds.setdefault(op.name, op)
            known = self._found[function, index] = list(kinds.values())
        return known

    def _sources(self, value: Value) -> Iterable[Value]:
        op = value.defining_op
        if isinstance(op, CallOpInterface):
            callee = self._contracts.callee(op)
            position = next(i for i, result in enumerate(op.results) if result is value)
            return () if callee is None or callee.is_declaration else _returned(callee, position)
        function = _function_around(value)
        if function is None:
            return ()
        flow = self._flows.get(function)
        if flow is None:
            flow = self._flows[function] = ViewFlow(function)
        return flow.sources.get(value, ())


def _returned(function: FunctionLikeOp, index: int) -> list[Value]:
    return [
        end.operands[index]
        for block in function.body
        if (end := block.last_op) is not None and not end.successors and index < len(end.operands)
    ]


def _function_around(value: Value) -> FunctionLikeOp | None:
    block = value.parent_block
    op: Operation | None = block.parent_op if block is not None else None
    while op is not None and not isinstance(op, FunctionLikeOp):
        op = op.parent_op
    return op
