"""Whether a read could come before the write that would destroy what it reads."""

from __future__ import annotations

from ..ir.program.core import Operation, OpOperand

MAX_DEPENDENTS = 2000
"""Operations that are followed from a write to see whether a read depends on it."""


def could_come_first(read: OpOperand, write: OpOperand, most: int = MAX_DEPENDENTS) -> bool:
    """Whether the read might run before the write: behind it in one block, and without depending on it.

    Effects are not looked at: "yes" means that dataflow allows it. O(most).
    """
    if read.owner is write.owner or read.owner.block is not write.owner.block:
        return False
    if read.owner.is_before_in_block(write.owner) or read.owner.may_be_terminator:
        return False
    return not depends_on(read.owner, write.owner, most)


def depends_on(op: Operation, other: Operation, most: int = MAX_DEPENDENTS) -> bool:
    """Whether `op` uses what `other` computes, by way of operations of their block. True if there are too many."""
    block = other.block
    pending, seen = [other], {other}
    while pending:
        current = pending.pop()
        for result in current.results:
            for user in result.users:
                inside = user.ancestor_in_block(block)
                if inside is op:
                    return True
                if inside is not None and inside not in seen:
                    if len(seen) > most:
                        return True
                    seen.add(inside)
                    pending.append(inside)
    return False


__all__ = ["could_come_first", "depends_on"]
