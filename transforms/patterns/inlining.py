"""Putting the contents of a region where its operation stands."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.core import Operation, Region, Value
from ..rewriting.rewriter import Rewriter


def replace_by_region(
    op: Operation, region: Region, rewriter: Rewriter, arguments: Sequence[Value] = ()
) -> None:
    """Move the one block of `region` before `op`; what it yields replaces the results of `op`, which is erased."""
    block = region.entry
    terminator = block.last_op
    assert terminator is not None
    rewriter.inline_block(block, op, arguments)
    rewriter.replace(op, terminator.operands)
    rewriter.erase(terminator)


def has_only_terminator(region: Region) -> bool:
    """Whether the region is one block with one operation."""
    return (
        region.has_one_block and region.entry.first_op is region.entry.last_op and not region.entry.is_empty
    )
