"""Where to free a buffer whose views are all known: behind the last use in the block that follows them all.

That block is the lowest common post-dominator of the definitions and uses of the buffer and its views. If the last use
is what ends the block, the buffer leaves with it and is not freed here. If the block does not use the buffer at all, it
is freed behind the block's first operation, as in MLIR.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....analysis.liveness import Liveness
from ....analysis.nested_dominance import BlockTree
from ....ir.defects import SOUND, USES_ELSEWHERE, Defect
from ....ir.program.core import Block, Operation, Value


def common_post_dominator(views: Iterable[Value], tree: BlockTree) -> Block | None:
    """The lowest block through which control passes after all of `views` are defined and used; None if there is none."""
    blocks: dict[Block, None] = {}
    for view in views:
        home = view.parent_block
        if home is not None:
            blocks[home] = None
        for use in view.uses:
            if use.owner.block is not None:
                blocks[use.owner.block] = None
    return tree.lowest_above_all(blocks)


def last_use(
    views: Iterable[Value], place: Block, liveness: Liveness, mirrored: frozenset[Defect] = SOUND
) -> tuple[Operation, bool]:
    """The operation of `place` behind which none of `views` is used; whether one is defined or used there at all.

    If none is, the operation is the first. O(uses of the views * depth).
    """
    first, last = place.first_op, place.last_op
    assert first is not None
    assert last is not None
    end = first
    used = False
    for view in views:
        start = end
        if view.defining_op is not None:
            home = view.defining_op.ancestor_in_block(place)
            if home is None and USES_ELSEWHERE in mirrored:
                continue
            if home is not None:
                start, used = home, True
        if liveness.is_live_out(view, place):
            return last, True
        for use in view.uses:
            user = use.owner.ancestor_in_block(place)
            if user is not None:
                used = True
                if start.is_before_in_block(user):
                    start = user
        if end.is_before_in_block(start):
            end = start
    return end, used
