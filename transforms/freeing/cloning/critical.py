"""Critical aliases: values that may be one of several buffers, so that no single place can free them all.

A view of an allocation (in the sense of `analysis.view_flow`) is *critical* if the block of the allocation does not
dominate it, or if it is an argument of that very block: elsewhere, or in another iteration, it may be another buffer. A
critical alias gets a buffer of its own, by copies; so it counts as an allocation, and what views it is examined in the
same way until nothing new is found.

The search keeps the order of its discoveries, which decides the order of the copies. A view is entered again only
from a block below those from which it was entered before: only such can find more.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....analysis.nested_dominance import BlockTree
from ....analysis.view_flow import ViewFlow
from ....ir.program.core import Block, BlockArgument, Value


def critical_aliases(allocated: Iterable[Value], flow: ViewFlow, dominance: BlockTree) -> dict[Value, None]:
    """The critical aliases of allocations, in order of discovery.

    O(edges of the flow), times the blocks, one below the other, from which one view is reached.
    """
    found: dict[Value, None] = {}
    entered: dict[Value, Block] = {}
    sources: list[tuple[Value, Block]] = []

    def explore(value: Value, home: Block) -> None:
        stack = [iter(flow.targets.get(value, ()))]
        while stack:
            view = next(stack[-1], None)
            if view is None:
                stack.pop()
                continue
            if view in found:
                continue
            block = view.parent_block
            assert block is not None
            if not dominance.is_above(home, block) or (home is block and isinstance(view, BlockArgument)):
                found[view] = None
                sources.append((view, block))
                continue
            before = entered.get(view)
            if before is not None and dominance.is_above(home, before):
                continue
            entered[view] = home
            stack.append(iter(flow.targets.get(view, ())))

    for value in allocated:
        block = value.parent_block
        assert block is not None
        explore(value, block)
    while sources:
        explore(*sources.pop())
    return found
