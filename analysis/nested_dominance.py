"""Dominance and post-dominance across regions: one tree over all blocks inside an operation.

The parent of a block is its immediate (post-)dominator in its region or, without one there, the block that holds
the operation around the region. So `a` is above `b` if `a` (post-)dominates `b` or the ancestor of `b` in `a`'s
region, which is MLIR's definition for blocks of different regions. The lowest node above two blocks is where a
value needed in both can be computed (or freed).

A region with several exits, none of which post-dominates the others, has a node without a block above them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.program.core import Block, BlockArgument, Operation, OpResult, Region, Value
from ..ir.program.dominance import VIRTUAL_EXIT, DominatorTree, VirtualExit
from ..ir.source.diagnostics import expect
from ..ir.source.records import record
from ..ir.source.union_find import far_ancestor
from .graphs import block_graph


class BlockTree:
    """The (post-)dominator tree of all blocks inside `root`.

    Building costs the dominator trees plus O(blocks). `is_above` is O(1), `lowest_above` O(log depth). The tree
    omits unreachable blocks and, for post-dominance, blocks from which no exit is reachable.
    """

    def __init__(self, root: Operation, post: bool = False) -> None:
        self._number: dict[Block, int] = {}
        self._blocks: list[Block | None] = []
        self._parents: list[int] = []
        self._jumps: list[int] = []
        """For each node an ancestor to jump to; see `far_ancestor`."""
        self._depths: list[int] = []
        self._last: list[int] = []
        """For each node the greatest number among its descendants."""
        self._build(root, post)

    def __contains__(self, block: object) -> bool:
        return block in self._number

    def is_above(self, a: Block, b: Block) -> bool:
        """Whether `a` is `b` or an ancestor of it. False if one of them is not in the tree."""
        i, j = self._number.get(a), self._number.get(b)
        return i is not None and j is not None and i <= j <= self._last[i]

    def is_properly_above(self, a: Block, b: Block) -> bool:
        return a is not b and self.is_above(a, b)

    def number(self, block: Block) -> int | None:
        """The preorder number of `block`; None if it is not in the tree."""
        return self._number.get(block)

    def lowest_above(self, least: int, greatest: int) -> Block | None:
        """The lowest block at or above all blocks of a set, from the least and the greatest number in the set.

        None if that node has no block, or if there is none.
        """
        node = least
        while not node <= greatest <= self._last[node]:
            jump = self._jumps[node]
            # jump while that does not overshoot the answer
            if jump != node and not jump <= greatest <= self._last[jump]:
                node = jump
            elif self._parents[node] == node:
                return None
            else:
                node = self._parents[node]
        return self._blocks[node]

    def lowest_above_all(self, blocks: Iterable[Block]) -> Block | None:
        """The lowest block at or above all of `blocks`; None if there is none."""
        numbers = [self._number.get(block) for block in blocks]
        known = [n for n in numbers if n is not None]
        if not known or len(known) != len(numbers):
            return None
        return self.lowest_above(min(known), max(known))

    def _build(self, root: Operation, post: bool) -> None:
        stack: list[tuple[int, Iterator[_Node]]] = []
        for region in root.regions:
            if region.is_empty:
                continue
            for top in _roots(region, post):
                node = self._add(top.block, None)
                stack.append((node, top.children()))
                while stack:
                    above, below = stack[-1]
                    following = next(below, None)
                    if following is None:
                        self._last[above] = len(self._blocks) - 1
                        stack.pop()
                    else:
                        stack.append((self._add(following.block, above), following.children()))

    def _add(self, block: Block | None, parent: int | None) -> int:
        node = len(self._blocks)
        self._blocks.append(block)
        if block is not None:
            self._number[block] = node
        self._last.append(node)
        if parent is None:
            self._parents.append(node)
            self._jumps.append(node)
            self._depths.append(0)
            return node
        self._parents.append(parent)
        self._depths.append(self._depths[parent] + 1)
        self._jumps.append(far_ancestor(parent, self._depths, self._jumps))
        return node


@record(eq=False, repr=False)
class _Node:
    """A block, or the common exit of a region, with its children."""

    block: Block | None
    tree: DominatorTree[Block] | DominatorTree[Block | VirtualExit] | None
    post: bool

    def children(self) -> Iterator[_Node]:
        if self.tree is not None:
            for child in self.tree.children(VIRTUAL_EXIT if self.block is None else self.block):  # pyright: ignore[reportArgumentType]
                assert isinstance(child, Block)
                yield _Node(child, self.tree, self.post)
        for op in self.block or ():
            for region in op.regions:
                if not region.is_empty:
                    yield from _roots(region, self.post)


def _roots(region: Region, post: bool) -> list[_Node]:
    """The roots of the tree of one region."""
    entry = region.entry
    if region.has_one_block:
        return [_Node(entry, None, post)]
    if not post:
        return [_Node(entry, block_graph(region).dominators, post)]
    tree = block_graph(region).post_dominators
    exits = tree.children(VIRTUAL_EXIT)
    if len(exits) == 1:
        only = expect(Block, exits[0])
        return [_Node(only, tree, post)]
    return [_Node(None, tree, post)]


def comes_before(op: Operation, other: Operation) -> bool:
    """Whether `op` dominates `other`, possibly across regions. O(depth)."""
    region = op.parent_region
    inside = other.ancestor_in_region(region)
    if inside is None or inside is op or op.block is None or inside.block is None or region is None:
        return False
    if inside.block is op.block:
        return op.is_before_in_block(inside)
    return block_graph(region).dominators.dominates(op.block, inside.block)


def is_defined_at(value: Value, place: Operation) -> bool:
    """Whether an operation at `place` may use `value`. O(depth)."""
    if isinstance(value, OpResult):
        return comes_before(value.owner, place)
    block = expect(BlockArgument, value).owner
    inside = place.ancestor_in_region(block.region)
    if inside is None or inside.block is None or block.region is None:
        return False
    return inside.block is block or block_graph(block.region).dominators.dominates(block, inside.block)
