"""Allocations that placement passes move and free, the operations they must not cross, and buffers whose address escapes.

An allocation is an operation that allocates exactly one of its results, not on the stack. Its deallocation is the operation that
frees that very result (not a view of it); allocations with several deallocations are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ..dialects import bufferization, builtin, memref
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, OpOperand, Value
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    STACK_RESOURCE,
    WRITE,
    AllocationOp,
    CallOpInterface,
    DestinationStyleOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
    is_allocation,
    is_memory_effect_free,
)
from ..ir.types import types as t
from ..semantics.frees import freed_by
from .fixpoint import strongly_connected_components
from .graphs import BlockTree
from .origins import ViewFlow, is_buffer


class Allocation(NamedTuple):
    """A buffer, and its deallocation, if there is one."""

    value: Value
    dealloc: Operation | None


def allocations(root: Operation) -> list[Allocation]:
    """The allocations inside `root`, in textual order. O(operations + uses)."""
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
    """Whether the only effect of `op` is to allocate its results on the heap, so that it can be hoisted."""
    if not isinstance(op, AllocationOp) or not isinstance(op, MemoryEffectOp) or op.is_stack_allocation():
        return False
    return all(effect.kind == ALLOCATE for effect in op.memory_effects())


def deallocations(value: Value) -> list[Operation]:
    """The users of `value` that free it."""
    return [
        user
        for user in value.users
        if isinstance(user, MemoryEffectOp)
        and not isinstance(user, DestinationStyleOp)  # frees nothing, and may have many operands
        and any(effect.kind == FREE and effect.value is value for effect in user.memory_effects())
    ]


def freed_by_any_name(root: Operation, flow: ViewFlow) -> set[Value]:
    """The memrefs inside `root` that are freed, directly or through a view. O(operations + edges)."""
    return set(flow.resolve_back(value for op in root.walk() for value in freed_by(op)))


def is_known_control_flow(op: Operation) -> bool:
    """Whether the control flow through the regions of `op` is known."""
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

    The least and the greatest number of a set of blocks determine their lowest common ancestor. One pass over the strongly
    connected components of `ViewFlow` finds them for all buffers: O(edges + uses).
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
        """The lowest common ancestor of the blocks that define or use `value` or its views; None if there is none."""
        if value in self._ranges:
            found = self._ranges[value]
            return None if found is None else self._tree.lowest_above(*found)
        return self._tree.lowest_above_all(_places(value))


def _places(value: Value) -> list[Block]:
    """The blocks in which `value` is defined and used."""
    blocks = dict.fromkeys(use.owner.block for use in value.uses)
    blocks[value.parent_block] = None
    return [block for block in blocks if block is not None]


# Escape analysis: buffers whose address is accessible outside of the analysed memrefs, and which must not be freed.
#
# An address escapes in two ways:
#
#   S1  *stored*: a memref is an element of another memref (`memref.store %buffer, %table[%i]`), which may be read from
#       anywhere. Harmless if the table is allocated here, is only loaded from and stored to, and only within its block,
#       and the buffer is defined in that block or around it: then all loads come before the buffer is freed.
#   S2  *exposed*: its address becomes a number, or its contents a tensor, that is forwarded, stored, given to a
#       call or used beyond the block that defines the buffer.
#
# Every buffer that such a memref may view (`ViewFlow`) escapes. Being returned, forwarded to a block or passed to a call as a
# memref is not an escape: the ownership conventions cover it, unless the callee lets the address escape or frees the buffer.

EXPOSING = (
    memref.ExtractAlignedPointerAsIndexOp,
    builtin.UnrealizedConversionCastOp,
    bufferization.ToTensorOp,
)
"""Operations whose non-memref results carry their memref operands."""


def escaping_allocations(function: Operation, taken: Iterable[OpOperand] = ()) -> dict[Value, OpOperand]:
    """The results of allocations and calls in `function` that escape, each with a use through which it does.

    Args:
        taken: the operands that calls keep or free.

    O(operations + uses), plus the buffers that each escaping memref may view.
    """
    leaks = leaked(function)
    leaks.update((use.value, use) for use in taken)
    if not leaks:
        return {}
    flow = ViewFlow(function, conservative=True)
    found: dict[Value, OpOperand] = {}
    for leak, use in leaks.items():
        for origin in flow.resolve_back([leak]):
            if is_owned_by_origin(origin):
                found.setdefault(origin, use)
    return found


def leaked(function: Operation) -> dict[Value, OpOperand]:
    """The memrefs that are stored or exposed, each with the first such use. O(operations + uses)."""
    leaks: dict[Value, OpOperand] = {}
    for op in function.walk():
        uses = [use for use in op.op_operands if is_buffer(use.value)]
        stores = Stores(op)
        for use in uses:
            if use.value not in leaks and (stores.keeps(use) or _exposed(use)):
                leaks[use.value] = use
    return leaks


def is_owned_by_origin(value: Value) -> bool:
    """Whether the block that defines `value` owns it: it is allocated there, or returned by a call."""
    return isinstance(value.defining_op, CallOpInterface) or is_allocation(value)


class Stores:
    """S1: which memrefs an operation writes, rather than their elements, to memory that may outlive them."""

    def __init__(self, op: Operation) -> None:
        self._op = op

    @cached_property
    def _effects(self) -> tuple[list[Value | None], set[Value | None]]:
        """The written values, and all accessed ones; none if the operation returns a view."""
        op = self._op
        is_view = isinstance(op, ViewLikeOp)
        effects = op.memory_effects() if isinstance(op, MemoryEffectOp) and not is_view else []
        written = [effect.value for effect in effects if effect.kind == WRITE]
        return written, {effect.value for effect in effects}

    def keeps(self, use: OpOperand) -> bool:
        """Whether the operation stores the memref in memory other than a local table."""
        written, accessed = self._effects
        if not written or use.value in accessed:
            return False
        return not all(table is not None and is_local_table(table, use.value) for table in written)


def is_local_table(table: Value, stored: Value) -> bool:
    op = table.defining_op
    if not isinstance(op, (memref.AllocOp, memref.AllocaOp)):
        return False
    outer, inner = stored.parent_region, table.parent_region
    return (
        outer is not None
        and outer.is_ancestor_of(inner)
        and all(
            isinstance(use.owner, (memref.LoadOp, memref.StoreOp, memref.DeallocOp))
            and use.owner.operands[0 if not isinstance(use.owner, memref.StoreOp) else 1] is table
            and use.owner.operands.count(table) == 1
            and use.owner.ancestor_in_block(op.block) is not None
            for use in table.uses
        )
    )


def _exposed(use: OpOperand) -> bool:
    """S2: whether an address or tensor of the memref may be used after the block that defines it.

    Comparing two addresses is harmless, as an `i1` carries no buffer.
    """
    if not isinstance(use.owner, EXPOSING):
        return False
    home = use.value.parent_block
    waiting: list[Value] = [result for result in use.owner.results if not is_buffer(result)]
    seen = set(waiting)
    while waiting:
        carrier = waiting.pop()
        for further in carrier.uses:
            op = further.owner
            carriers = [result for result in op.results if carries(carrier, result)]
            if lets_out(op) or (carriers and op.ancestor_in_block(home) is None):
                return True
            for result in carriers:
                if result not in seen:
                    seen.add(result)
                    waiting.append(result)
    return False


def lets_out(op: Operation) -> bool:
    """Whether an operand of `op` may escape: unless `op` has no effects and does not forward it."""
    if op.definition is None or op.definition.is_terminator or isinstance(op, CallOpInterface):
        return True
    return bool(op.regions) or not (op.has_trait(tr.PURE) or is_memory_effect_free(op))


def carries(source: Value, result: Value) -> bool:
    """Whether a result carries the buffer of an operand; not if it is an `i1` or a tensor's element."""
    if result.type is t.I1:
        return False
    return not t.is_tensor(source.type) or t.is_tensor(result.type) or is_buffer(result)
