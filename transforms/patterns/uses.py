"""Where a value is used: in a block, or inside a region, also for values that are used in thousands of places.

Asked for each of n branches on one condition, a look at all uses of the condition would be quadratic. Of values with
many uses, the places are therefore recorded once in each round of rewriting; uses that appear during the round are
found in the next.
"""

from __future__ import annotations

from typing import Final

from ...ir.core import Block, OpOperand, Region, Value
from ..rewriting.rewriter import Rewriter

MANY: Final = 64
"""Uses from which on they are recorded rather than looked at again."""


def uses_in_block(value: Value, block: Block, rewriter: Rewriter) -> list[OpOperand]:
    """The uses of `value` by operations directly in `block`, the most recent first."""
    few = _few(value)
    if few is not None:
        return [use for use in few if use.owner.block is block]
    recorded: dict[Block | None, list[OpOperand]] | None = rewriter.memo.get(("in block", value))
    if recorded is None:
        recorded = rewriter.memo["in block", value] = {}
        for use in value.uses:
            recorded.setdefault(use.owner.block, []).append(use)
    return [use for use in recorded.get(block, ()) if use.value is value and use.owner.block is block]


def uses_inside(value: Value, region: Region, rewriter: Rewriter) -> list[OpOperand]:
    """The uses of `value` inside `region`, at any depth, the most recent first. O(depth) for each use, once."""
    few = _few(value)
    if few is not None:
        return [use for use in few if region.is_ancestor_of(use.owner.parent_region)]
    recorded: dict[Region, list[OpOperand]] | None = rewriter.memo.get(("inside", value))
    if recorded is None:
        recorded = rewriter.memo["inside", value] = {}
        home = value.parent_region
        for use in value.uses:
            around = use.owner.parent_region
            while around is not None and around is not home:
                recorded.setdefault(around, []).append(use)
                around = around.parent_region
    return [u for u in recorded.get(region, ()) if u.value is value and u.owner.block is not None]


def _few(value: Value) -> list[OpOperand] | None:
    uses: list[OpOperand] = []
    use = value._first_use
    while use is not None:
        uses.append(use)
        if len(uses) > MANY:
            return None
        use = use._next
    return uses
