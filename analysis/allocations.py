"""The allocations that placement passes move and free, and the operations they move them past.

An allocation is an operation that allocates exactly one of its results, not on the stack. What frees that very result
(not a view of it) is its deallocation; an allocation that several operations free is left out.
"""

from __future__ import annotations

from typing import NamedTuple

from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    STACK_RESOURCE,
    AllocationOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
)
from .fixpoint import strongly_connected_components
from .nested_dominance import BlockTree
from .view_flow import ViewFlow


class Allocation(NamedTuple):
    """A buffer, and what frees it, if anything does."""

    value: Value
    dealloc: Operation | None


def allocations(root: Operation) -> list[Allocation]:
    """The allocations inside `root`; those of nested operations before what follows. O(operations + uses)."""
    found: list[Allocation] = []
    for op in root.walk_post_order():
        if not isinstance(op, MemoryEffectOp):
            continue
        made = [
            effect.value
            for effect in op.memory_effects()
            if effect.kind == ALLOCATE
            and effect.value is not None
            and effect.value.defining_op is not None
            and effect.resource != STACK_RESOURCE
        ]
        if len(made) != 1 or made[0] is None:
            continue
        deallocs = deallocations(made[0])
        if len(deallocs) <= 1:
            found.append(Allocation(made[0], deallocs[0] if deallocs else None))
    return found


def only_allocates(op: Operation | None) -> bool:
    """Whether all that `op` does to memory is to allocate what it gives, on the heap: it may be done earlier as well."""
    if not isinstance(op, AllocationOp) or not isinstance(op, MemoryEffectOp) or op.is_stack_allocation():
        return False
    return all(effect.kind == ALLOCATE for effect in op.memory_effects())


def deallocations(value: Value) -> list[Operation]:
    """The users of `value` that free it."""
    return [
        user
        for user in value.users
        if isinstance(user, MemoryEffectOp)
        and any(effect.kind == FREE and effect.value is value for effect in user.memory_effects())
    ]


def freed_by_any_name(root: Operation, flow: ViewFlow) -> set[Value]:
    """The memrefs inside `root` that something frees, also under the name of a view. O(operations + edges)."""
    freed = [
        effect.value
        for op in root.walk()
        if isinstance(op, MemoryEffectOp)
        for effect in op.memory_effects()
        if effect.kind == FREE and effect.value is not None
    ]
    return set(flow.resolve_back(freed))


def is_known_control_flow(op: Operation) -> bool:
    """Whether it is known how control flows through the regions of `op`."""
    return isinstance(op, (LoopLikeOp, RegionBranchOp))


def is_loop(op: Operation) -> bool:
    """Whether one execution of `op` may run a region of it several times."""
    if isinstance(op, LoopLikeOp):
        return True
    if not isinstance(op, RegionBranchOp):
        return False
    return any(op.is_repetitive(region) for region in op.regions)


class ReachOfViews:
    """For every buffer, the blocks where it or a view of it is defined or used, as a range of numbers in a tree.

    The least and the greatest number of a set are all it takes to find the lowest block above the set, and they are found
    for all buffers at once, by one pass over the components of the flow of views: O(edges + uses), however long the
    chains of views are that buffers share.
    """

    def __init__(self, flow: ViewFlow, tree: BlockTree) -> None:
        self._tree = tree
        self._ranges: dict[Value, tuple[int, int] | None] = {}
        nodes = dict.fromkeys([*flow.terminals, *flow.targets, *flow.sources])
        for component in strongly_connected_components(nodes, lambda value: flow.targets.get(value, ())):
            numbers: list[int | None] = []
            for value in component:
                numbers.extend(tree.number(block) for block in _places(value))
                for target in flow.targets.get(value, ()):
                    if target in self._ranges:
                        numbers.extend(self._ranges[target] or (None,))
            known = [n for n in numbers if n is not None]
            joined = (min(known), max(known)) if len(known) == len(numbers) else None
            for value in component:
                self._ranges[value] = joined

    def common_block(self, value: Value) -> Block | None:
        """The lowest block of the tree above everything that concerns `value`; None if there is none."""
        if value in self._ranges:
            found = self._ranges[value]
            return None if found is None else self._tree.lowest_above(*found)
        return self._tree.lowest_above_all(_places(value))


def _places(value: Value) -> list[Block]:
    """The blocks in which `value` is defined and used."""
    blocks = dict.fromkeys(use.owner.block for use in value.uses)
    blocks[value.parent_block] = None
    return [block for block in blocks if block is not None]
