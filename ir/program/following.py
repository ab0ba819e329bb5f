"""Which operations may run after another one, by their places alone."""

from __future__ import annotations

from collections.abc import Iterator

from .core import Operation
from .interfaces import FunctionOp, LoopLikeOp


def may_follow(op: Operation) -> Iterator[Operation]:
    """Operations of the function that may run after `op`. O(function)."""
    while op.block is not None and not isinstance(op, FunctionOp):
        around = op.block.parent_op
        following = op.next_op
        while following is not None:
            yield from following.walk()
            following = following.next_op
        again = isinstance(around, LoopLikeOp) or bool(op.block.successors)
        if around is None:
            return
        if again:
            yield from around.walk()
        op = around
