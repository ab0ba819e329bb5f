"""Which blocks of a region can be reached, and which dominate which.

Written for the verifier, which sits below the analyses: an iteration over the dominator tree in reverse postorder,
after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), with intervals on the finished tree for
constant-time queries. Unreachable blocks are dominated by everything and dominate only themselves.
"""

from __future__ import annotations

from .core import Block, Region


class BlockDominance:
    """Dominance among the blocks of one region. A region of one block costs nothing."""

    __slots__ = ("_enter", "_leave", "entry")

    def __init__(self, region: Region):
        self.entry = region.first_block
        self._enter: dict[Block, int] = {}
        self._leave: dict[Block, int] = {}
        if self.entry is not None and not region.has_one_block:
            self._compute(self.entry)

    def is_reachable(self, block: Block) -> bool:
        return block is self.entry or block in self._enter

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every path from the entry to `b` goes through `a`. O(1)."""
        if a is b or b not in self._enter:
            return True
        return a in self._enter and self._enter[a] <= self._enter[b] and self._leave[b] <= self._leave[a]

    def _compute(self, entry: Block) -> None:
        order = _postorder(entry)
        number = {block: i for i, block in enumerate(order)}
        predecessors: list[list[int]] = [[] for _ in order]
        for block in order:
            for target in block.successors:
                predecessors[number[target]].append(number[block])
        top = len(order) - 1
        idom: list[int | None] = [None] * len(order)
        idom[top] = top
        changed = True
        while changed:
            changed = False
            for i in range(top - 1, -1, -1):
                best: int | None = None
                for p in predecessors[i]:
                    if idom[p] is None:
                        continue
                    if best is None:
                        best = p
                        continue
                    left, right = p, best
                    while left != right:
                        while left < right:
                            left = idom[left]  # pyright: ignore[reportAssignmentType]
                        while right < left:
                            right = idom[right]  # pyright: ignore[reportAssignmentType]
                    best = left
                if best != idom[i]:
                    idom[i] = best
                    changed = True
        children: list[list[int]] = [[] for _ in order]
        for i in range(top):
            parent = idom[i]
            assert parent is not None
            children[parent].append(i)
        clock = 0
        stack = [(top, iter(children[top]))]
        self._enter[order[top]] = clock
        while stack:
            node, rest = stack[-1]
            child = next(rest, None)
            clock += 1
            if child is None:
                self._leave[order[node]] = clock
                stack.pop()
            else:
                self._enter[order[child]] = clock
                stack.append((child, iter(children[child])))


def _postorder(entry: Block) -> list[Block]:
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(entry.successors))]
    while stack:
        block, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(target.successors)))
                break
        else:
            stack.pop()
            order.append(block)
    return order
