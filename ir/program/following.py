"""Which operations may run after another one, by their places alone: later in a block, or in the next run of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from .core import Operation
from .interfaces import FunctionOp, LoopLikeOp


def may_follow(op: Operation) -> Iterator[Operation]:
    """Operations of the function that may run after `op`. O(function)."""
    for inner, repeats in _levels(op):
        following = inner.next_op
        while following is not None:
            yield from following.walk()
            following = following.next_op
        if repeats is not None:
            yield from repeats.walk()


def may_run_after(other: Operation, op: Operation) -> bool:
    """Whether `other` is one of those that `may_follow`. O(depth)."""
    for inner, repeats in _levels(op):
        place = other.ancestor_in_block(inner.block)
        if place is not None and inner.is_before_in_block(place):
            return True
        if repeats is not None and repeats.is_ancestor_of(other):
            return True
    return False


def _levels(op: Operation) -> Iterator[tuple[Operation, Operation | None]]:
    """The operation and those around it in the function, each with the operation that may run its block again."""
    while op.block is not None and not isinstance(op, FunctionOp):
        around = op.block.parent_op
        again = isinstance(around, LoopLikeOp) or bool(op.block.successors)
        yield op, around if again else None
        if around is None:
            return
        op = around
