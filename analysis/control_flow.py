"""How control runs through the blocks of a program: walks, cycles, and what leaves a region.

Everything keeps stacks of its own and visits a block once; the depth of nesting and the number of branches that follow
one another do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, OpOperand, Region
from ..ir.program.interfaces import RegionBranchOp, RegionBranchTerminatorOp, RegionSuccessor


def leaves_region(op: Operation) -> bool:
    """Whether `op` ends its region and passes values to where the enclosing operation says."""
    return isinstance(op, RegionBranchTerminatorOp) or op.has_trait(tr.RETURN_LIKE)


def forwarded(terminator: Operation, successor: RegionSuccessor) -> Sequence[OpOperand]:
    """The operands that a terminator for which `leaves_region` holds passes to `successor`."""
    if isinstance(terminator, RegionBranchTerminatorOp):
        return terminator.forwarded_operands(successor)
    return terminator.op_operands


def region_exits(region: Region) -> list[Operation]:
    """The last operations of the region's blocks through which control leaves it. O(blocks)."""
    exits = [block.last_op for block in region]
    return [op for op in exits if op is not None and leaves_region(op)]


def reachable_blocks(region: Region) -> list[Block]:
    """The blocks that the entry reaches, in preorder of a depth-first walk: dominators before what they dominate."""
    if region.is_empty:
        return []
    order: list[Block] = []
    seen: set[Block] = set()
    waiting = [region.entry]
    while waiting:
        block = waiting.pop()
        if block not in seen:
            seen.add(block)
            order.append(block)
            waiting.extend(reversed(block.successors))
    return order


def blocks_inside_out(root: Operation) -> Iterator[Block]:
    """The reachable blocks of all regions inside `root`; those of nested operations before the block around them.

    Within a region dominators come first. The operations of the block just given may be changed; control flow may not.
    """
    stack: list[tuple[Block | None, Iterator[Block]]] = [(None, _nested(root))]
    while stack:
        around, inner = stack[-1]
        block = next(inner, None)
        if block is not None:
            stack.append((block, _nested_in_block(block)))
            continue
        stack.pop()
        if around is not None:
            yield around


def _nested(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        yield from reachable_blocks(region)


def _nested_in_block(block: Block) -> Iterator[Block]:
    for op in block:
        if op.regions:
            yield from _nested(op)


def has_cycle(region: Region) -> bool:
    """Whether some block that the entry reaches can reach itself through branches. O(blocks + edges)."""
    if region.is_empty or (region.has_one_block and not region.entry.successors):
        return False
    entered: set[Block] = {region.entry}
    finished: set[Block] = set()
    walk = [(region.entry, iter(region.entry.successors))]
    while walk:
        block, rest = walk[-1]
        for following in rest:
            if following not in entered:
                entered.add(following)
                walk.append((following, iter(following.successors)))
                break
            if following not in finished:
                return True
        else:
            finished.add(block)
            walk.pop()
    return False


def has_unstructured_loop(root: Operation) -> bool:
    """Whether branches form a loop in any region that can be reached inside `root`. O(operations + edges)."""
    regions = list(root.regions)
    while regions:
        region = regions.pop()
        if has_cycle(region):
            return True
        for block in reachable_blocks(region):
            for op in block:
                regions.extend(op.regions)
    return False


def entry_successor(op: RegionBranchOp) -> RegionSuccessor:
    """Where control goes first; one of several places if that depends on run time."""
    return op.region_successors(None)[0]
