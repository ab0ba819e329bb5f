"""Numbers for operations by which "inside" and "before" are comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..ir.program.core import Block, Operation, Region


class Positions(NamedTuple):
    """When a walk enters and leaves each operation."""

    enter: dict[Operation, int]
    leave: dict[Operation, int]


def _regions_of(op: Operation) -> Iterable[Region]:
    return op.regions


def number(
    root: Operation,
    blocks_of: Callable[[Region], Iterable[Block]] = iter,
    regions_of: Callable[[Operation], Iterable[Region]] = _regions_of,
) -> Positions:
    """Number the operations inside `root` in a walk. O(operations).

    Args:
        root: is numbered too, with 0.
        blocks_of: the order in which the blocks of a region are taken, by default that of the text.
        regions_of: the order in which the regions of an operation are taken, by default that of the text.
    """

    def nested(op: Operation) -> list[Operation]:
        if len(op.regions) == 1 and op.regions[0].has_one_block:
            return op.regions[0].entry.ops
        return [
            inner
            for region in regions_of(op)
            if not region.is_empty
            for block in (region if region.has_one_block else blocks_of(region))
            for inner in block
        ]

    found = Positions({}, {})
    enter, leave = found
    clock = 0
    enter[root] = 0
    stack: list[tuple[Operation, list[Operation], int]] = [(root, nested(root), 0)]
    while stack:
        parent, children, at = stack.pop()
        descended = False
        for i in range(at, len(children)):
            op = children[i]
            clock += 1
            enter[op] = clock
            if op.regions:
                stack.append((parent, children, i + 1))
                stack.append((op, nested(op), 0))
                descended = True
                break
            leave[op] = clock
        if not descended:
            clock += 1
            leave[parent] = clock
    return found
