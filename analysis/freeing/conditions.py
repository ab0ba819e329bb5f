"""The conditions under which operations run: those that decide nothing else, flags that may encode who owns a buffer, and those
that contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from ...dialects import arith
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import (
    BranchOp,
    CallOpInterface,
    Condition,
    FunctionOp,
    MemoryEffectOp,
    RegionBranchOp,
)
from ...ir.source.diagnostics import present
from ...ir.types import attributes as a, types as t
from ..allocations import EXPOSING
from ..graphs import block_graph


def condition_of(op: Operation, index: int) -> Condition | None:
    """The condition under which control goes from `op` to its `index`-th successor; None if unknown."""
    if isinstance(op, BranchOp):
        return op.successor_condition(index)
    if isinstance(op, RegionBranchOp):
        return op.entry_condition(index)
    return None


class RunConditions:
    """The conditions that decide whether operations of a function run."""

    def __init__(self, function: FunctionOp) -> None:
        self._function = function
        self._graph = cache(block_graph)

    def contradict(self, op: Operation) -> bool:
        """Whether the conditions of `op` contradict each other, or a constant: it never runs. O(depth + branches)."""
        wanted: dict[Value, str] = {}
        return any(_contradicts(each, wanted) for each in self._of(op) if each.wanted != DEFAULT)

    def include_flag(self, op: Operation) -> bool:
        """Whether a condition of `op` may encode who owns a buffer: it is loaded, or not independent (L4 of `leaks`)."""
        return any(self._may_be_flag(root) for each in self._of(op) for root in _roots(each.value))

    def _may_be_flag(self, root: Value) -> bool:
        is_loaded = root.type is t.I1 and isinstance(root.defining_op, MemoryEffectOp)
        return is_loaded or not _is_independent(root, self._function)

    def _of(self, op: Operation) -> Iterator[Condition]:
        """The conditions under which an operation runs, from the inside out: of branches that are the only way to its block, and
        of the regions around it. At most MAX_CONDITIONS.
        """
        block = present(op.block)
        for _ in range(MAX_CONDITIONS):
            region = present(block.region)
            ways = [
                (present(before.last_op), number)
                for before in self._graph(region).predecessors(block)
                for number, successor in enumerate(before.successors)
                if successor is block
            ]
            if len(ways) == 1:
                [(decides, number)] = ways
            else:  # where branches meet, only what is around all of them still holds
                decides = present(region.parent_op)
                if decides is self._function:
                    return
                number = list(decides.regions).index(region)
            condition = condition_of(decides, number)
            if condition is not None:
                yield condition
            block = present(decides.block)


MAX_CONDITIONS = 100
"""Conditions of an operation that are looked at; further ones may contradict them unnoticed."""
DEFAULT = "default"
"""What is wanted of a number by a case that stands for all others."""


def _contradicts(condition: Condition, wanted: dict[Value, str]) -> bool:
    """Whether a condition does not hold where `wanted` does, which is completed."""
    made_by = condition.value.defining_op
    if isinstance(made_by, arith.ConstantOp) and isinstance(made_by.value, a.IntegerAttr):
        number = made_by.value.value
        known = str(bool(number)).lower() if condition.value.type == t.I1 else str(number)
    else:
        known = wanted.setdefault(condition.value, condition.wanted)
    return known != condition.wanted


class IndependentConditions:
    """The independent conditions of a function (L4 of `leaks`). O(operations), on first use."""

    def __init__(self, function: FunctionOp) -> None:
        self._function = function

    def independent(self, op: Operation, index: int) -> Condition | None:
        """The condition of a successor of `op` if it is independent, else None."""
        condition = condition_of(op, index)
        if condition is None:
            return None
        roots = _roots(condition.value)
        alone = bool(roots) and all(
            self._uses.get(root) == 1 and _is_independent(root, self._function) for root in roots
        )
        return condition if alone else None

    @cached_property
    def _uses(self) -> dict[Value, int]:
        """For each root of a condition, how many operations it decides."""
        counts: dict[Value, int] = {}
        for op in self._function.walk():
            condition = condition_of(op, 0) if isinstance(op, (BranchOp, RegionBranchOp)) else None
            if condition is not None:
                for root in _roots(condition.value):
                    counts[root] = counts.get(root, 0) + 1
        return counts


def _roots(condition: Value) -> list[Value]:
    """The values that a flag is computed from by logical operations, such as negation and conjunction."""
    roots: list[Value] = []
    seen = {condition}
    waiting = [condition]
    while waiting:
        value = waiting.pop()
        op = value.defining_op
        flags = [operand for operand in op.operands if operand.type is t.I1] if op is not None else []
        if op is None or not flags or not op.has_trait(tr.PURE):
            roots.append(value)
        for flag in flags:
            if flag not in seen:
                seen.add(flag)
                waiting.append(flag)
    return [root for root in roots if not _is_constant(root)]


def _is_constant(value: Value) -> bool:
    op = value.defining_op
    return op is not None and op.has_trait(tr.CONSTANT_LIKE)


def _is_independent(root: Value, function: FunctionOp) -> bool:
    if isinstance(root, BlockArgument):
        return root.owner.parent_op is function and root.owner.is_entry
    op = present(root.defining_op)
    if op.regions or isinstance(op, CallOpInterface):
        return False
    return not any(isinstance(operand.defining_op, EXPOSING) for operand in op.operands)
