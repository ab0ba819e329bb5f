"""Where a value is used: in a block, or inside a region, also for values that are used in thousands of places.

Asked for each of n branches on one condition, a look at all uses of the condition would be quadratic. Of values with
many uses, the places are therefore recorded once in each round of rewriting; uses that appear during the round are
found in the next.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from ...ir.program.core import Block, OpOperand, Region, Value
from ..rewriting.rewriter import Rewriter

MANY: Final = 64
"""Uses from which on they are recorded rather than looked at again."""


def uses_in_block(value: Value, block: Block, rewriter: Rewriter) -> list[OpOperand]:
    """The uses of `value` by operations directly in `block`, the most recent first."""
    recorded: dict[Block | None, list[OpOperand]] | None = rewriter.memo.get(("in block", value))
    if recorded is None:
        few = _few(value)
        if few is not None:
            return [use for use in few if use.owner.block is block]
        recorded = rewriter.memo["in block", value] = {}
        for use in value.uses:
            recorded.setdefault(use.owner.block, []).append(use)
    return [use for use in recorded.get(block, ()) if use.value is value and use.owner.block is block]


def uses_inside(value: Value, region: Region, rewriter: Rewriter) -> list[OpOperand]:
    """The uses of `value` inside `region`, at any depth, the most recent first.

    O(what is recorded below `region`), which is nothing any more once it was found that no use is left there.
    """
    recorded: _UsesByRegion | None = rewriter.memo.get(("inside", value))
    if recorded is None:
        few = _few(value)
        if few is not None:
            return [use for use in few if region.is_ancestor_of(use.owner.parent_region)]
        recorded = rewriter.memo["inside", value] = _UsesByRegion(value)
    return recorded.below(region)


class _UsesByRegion:
    """The uses of a value, by the regions that they are directly in, and these regions as a tree."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._direct: dict[Region, list[tuple[int, OpOperand]]] = {}
        self._inside: dict[Region, list[Region]] = {}
        known: set[Region | None] = {None, value.parent_region}
        for rank, use in enumerate(value.uses):
            region = use.owner.parent_region
            if region is None:
                continue
            self._direct.setdefault(region, []).append((rank, use))
            while region is not None and region not in known:
                known.add(region)
                around = region.parent_region
                if around is not None:
                    self._inside.setdefault(around, []).append(region)
                region = around

    def below(self, region: Region) -> list[OpOperand]:
        found: list[tuple[int, OpOperand]] = []
        pending = [region]
        passed: list[Region] = []
        while pending:
            current = pending.pop()
            passed.append(current)
            found += [
                (rank, use)
                for rank, use in self._direct.get(current, ())
                if use.value is self._value and use.owner.block is not None
            ]
            pending += self._inside.get(current, ())
        if not found:
            for current in passed:
                self._direct.pop(current, None)
                self._inside.pop(current, None)
        return [use for _, use in sorted(found, key=itemgetter(0))]


def _few(value: Value) -> list[OpOperand] | None:
    uses: list[OpOperand] = []
    use = value._first_use
    while use is not None:
        uses.append(use)
        if len(uses) > MANY:
            return None
        use = use._next
    return uses
