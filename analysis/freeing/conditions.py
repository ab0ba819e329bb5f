"""The conditions under which operations run: those that decide nothing else, flags that may encode who owns a buffer, and those
that contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ...dialects import arith
from ...ir.program import traits as tr
from ...ir.program.core import Block, BlockArgument, Operation, Value
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


def condition_of(op: Operation, index: int) -> Condition | None:
    """The condition under which control goes from `op` to its `index`-th successor; None if unknown."""
    if isinstance(op, BranchOp):
        return op.successor_condition(index)
    if isinstance(op, RegionBranchOp):
        return op.entry_condition(index)
    return None


class UnreachableCode:
    """The operations of a function whose conditions contradict each other, or a constant."""

    def __init__(self, function: FunctionOp) -> None:
        self._function = function

    def holds(self, op: Operation) -> bool:
        """Whether the conditions around `op`, and of branches that are the only way to its block, say that it never runs.
        O(depth + branches).
        """
        wanted: dict[Value, str] = {}
        return any(_contradicts(condition, wanted) for condition in self._conditions(op))

    def _conditions(self, op: Operation) -> Iterator[Condition]:
        """The conditions under which an operation runs, from the inside out."""
        block = op.block
        for _ in range(MAX_CONDITIONS):
            if block is None or block.parent_op is None or block.parent_op is self._function.parent_op:
                return
            ways = self._ways.get(block, [])
            if len(ways) == 1:
                branch, number = ways[0]
                condition = condition_of(branch, number)
                block = branch.block
            elif ways:
                return
            else:
                around, region = block.parent_op, block.region
                condition = (
                    condition_of(around, list(around.regions).index(region)) if region is not None else None
                )
                block = around.block
            if condition is not None and condition.wanted != DEFAULT:
                yield condition

    @cached_property
    def _ways(self) -> dict[Block, list[tuple[Operation, int]]]:
        """The branches to each block, each with the number of the successor. O(operations)."""
        found: dict[Block, list[tuple[Operation, int]]] = {}
        for op in self._function.walk():
            for number, block in enumerate(op.successors):
                found.setdefault(block, []).append((op, number))
        return found


MAX_CONDITIONS = 100
"""Conditions around an allocation that are looked at; further ones may contradict it unnoticed."""


def _contradicts(condition: Condition, wanted: dict[Value, str]) -> bool:
    """Whether a condition does not hold where `wanted` does, which is completed."""
    made_by = condition.value.defining_op
    if isinstance(made_by, arith.ConstantOp) and isinstance(made_by.value, a.IntegerAttr):
        number = made_by.value.value
        known = str(bool(number)).lower() if condition.value.type == t.I1 else str(number)
    else:
        known = wanted.setdefault(condition.value, condition.wanted)
    return known != condition.wanted


class FlagConditions:
    """The conditions in a function that may encode who owns a buffer: those that are loaded, or are not independent (L4 of `leaks`)."""

    def __init__(self, function: FunctionOp) -> None:
        self._function = function

    def decide(self, op: Operation) -> bool:
        """Whether such a condition, around the operation or of a branch to its block, decides if it runs. O(depth)."""
        conditions: list[Condition | None] = []
        inside = op
        while inside is not self._function and inside.block is not None and inside.parent_op is not None:
            conditions += (condition_of(branch, 0) for branch in self._branches.get(inside.block, ()))
            inside = inside.parent_op
            conditions.append(condition_of(inside, 0))
        values = {condition.value for condition in conditions if condition is not None}
        return any(self._is_flag(root) for value in values for root in _roots(value))

    def _is_flag(self, root: Value) -> bool:
        is_loaded = root.type is t.I1 and isinstance(root.defining_op, MemoryEffectOp)
        return is_loaded or not _is_independent(root, self._function)

    @cached_property
    def _branches(self) -> dict[Block, list[Operation]]:
        """The branches to each block that have several successors. O(operations)."""
        found: dict[Block, list[Operation]] = {}
        for op in self._function.walk():
            for block in op.successors if len(op.successors) > 1 else ():
                found.setdefault(block, []).append(op)
        return found


DEFAULT = "default"
"""What is wanted of a number by a case that stands for all others."""


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
