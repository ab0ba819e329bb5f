"""Which values are needed where: live at the start and at the end of each block.

A value is *live in* at a block if the block, or anything nested in it, uses the value or leads to a block that does,
and the value is not defined there. As in MLIR,

* every block of every nested region has an answer of its own, and a value that is only used inside an operation's
  region is live in at the blocks of that region, not live out at the block that holds the operation;
* nothing is live out where control leaves a region, not even what the enclosing operation uses later.

Computed backwards from the uses of each value, so the cost is the size of the answer, not of a bit matrix.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.core import Block, Operation, Region, Value


class BlockLiveness:
    """Live values of all blocks inside `root`, for the values that `wanted` accepts.

    Building takes O(operations + uses + size of the answer). The answers are lists in textual order of definition.
    The program may be changed afterwards; the answers are about the program as it was.
    """

    def __init__(self, root: Operation, wanted: Callable[[Value], bool] = lambda value: True) -> None:
        self._live_in: dict[Block, dict[Value, None]] = {}
        self._predecessors: dict[Region, dict[Block, list[Block]]] = {}
        self._successors: dict[Block, list[Block]] = {}
        for op in root.walk():
            for region in op.regions:
                for block in region:
                    self._successors[block] = list(block.successors)
                    for arg in block.args:
                        if wanted(arg):
                            self._add(arg)
            for result in op.results:
                if wanted(result):
                    self._add(result)

    def live_in(self, block: Block) -> list[Value]:
        """The values defined outside `block` that it needs."""
        return list(self._live_in.get(block, ()))

    def live_out(self, block: Block) -> list[Value]:
        """The values that a successor of `block` needs from before it. O(their number over all successors)."""
        found: dict[Value, None] = {}
        for successor in self._successors.get(block, ()):
            found.update(self._live_in.get(successor, {}))
        return list(found)

    def is_live_in(self, value: Value, block: Block) -> bool:
        """Whether `block` needs `value` from outside. O(1)."""
        return value in self._live_in.get(block, ())

    def is_live_out(self, value: Value, block: Block) -> bool:
        """Whether a successor of `block` needs `value` from before it. O(successors)."""
        return any(value in self._live_in.get(s, ()) for s in self._successors.get(block, ()))

    def _add(self, value: Value) -> None:
        home = value.parent_block
        use = value._first_use
        while use is not None:
            block = use.owner.block
            while block is not None and block is not home:
                live = self._live_in.setdefault(block, {})
                if value in live:
                    break  # and so in all that is around and before it
                live[value] = None
                region = block.region
                assert region is not None
                if not region.has_one_block:
                    self._flow_back(value, block, home, region)
                if home is not None and home.region is region:
                    break
                block = region.parent_op.block if region.parent_op is not None else None
            use = use._next

    def _flow_back(self, value: Value, block: Block, home: Block | None, region: Region) -> None:
        """Make `value` live in at all blocks from which control gets to `block` without passing `home`."""
        predecessors = self._predecessors_in(region)
        waiting = [block]
        while waiting:
            for before in predecessors[waiting.pop()]:
                if before is not home:
                    live = self._live_in.setdefault(before, {})
                    if value not in live:
                        live[value] = None
                        waiting.append(before)

    def _predecessors_in(self, region: Region) -> dict[Block, list[Block]]:
        found = self._predecessors.get(region)
        if found is None:
            found = {block: [] for block in region}
            for block in region:
                for successor in block.successors:
                    found[successor].append(block)
            self._predecessors[region] = found
        return found
