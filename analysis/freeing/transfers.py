"""Transfers that run beside the program (`dma_start`): what they move has to stay until somebody waits for them.

A transfer and what waits for it (`dma_wait`) name the same tag, a buffer. A wait is *sure* for a transfer if it comes behind it in the
same block, or behind an operation around it: then no path leads from the transfer past the wait. What a transfer moves is needed at
each wait that is sure, up to the first that stands in its own block and names the same element of the tag.

Where there is none, or what is moved cannot be named there (each iteration has another one, say), nobody can tell when the transfer
has ended: it keeps what it moves and its tag, and nothing here frees that.
"""

from __future__ import annotations

from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ..view_flow import is_buffer, strip_views

STARTS = frozenset(("memref.dma_start", "affine.dma_start"))
WAITS = frozenset(("memref.dma_wait", "affine.dma_wait"))


class Transfers:
    """The transfers of a function. O(operations + transfers * waits for the same tag).

    Attributes:
        awaited: for each operation that waits the memrefs that it waits for.
        endless: for each operation that starts a transfer the memrefs of which nobody can tell when they are not needed any more.
    """

    def __init__(self, function: Operation) -> None:
        self.awaited: dict[Operation, list[Value]] = {}
        self.endless: dict[Operation, list[Value]] = {}
        starts: list[Operation] = []
        waits: dict[Value, list[Operation]] = {}
        for op in function.walk():
            if op.name in STARTS:
                starts.append(op)
            elif op.name in WAITS:
                waits.setdefault(strip_views(op.operands[0]), []).append(op)
        for start in starts:
            *moved, tag = [value for value in start.operands if is_buffer(value)]
            sure = _sure(start, tag, waits.get(strip_views(tag), ()))
            for value in (*moved, tag):
                there = [wait for wait in sure if _can_name(wait, value)]
                for wait in there:
                    self.awaited.setdefault(wait, []).append(value)
                if not there or there[-1] is not sure[-1]:
                    self.endless.setdefault(start, []).append(value)


def _sure(start: Operation, tag: Value, waits: list[Operation] | tuple[()]) -> list[Operation]:
    """The waits that end a transfer for sure, in order, up to the first that is for this very one."""
    element = _indices(start, tag)
    found: list[Operation] = []
    for wait in waits:
        around = start.ancestor_in_block(wait.block) if wait.block is not None else None
        if around is None or around is wait or not around.is_before_in_block(wait):
            continue
        found.append(wait)
        if wait.block is start.block and wait.operands[0] is tag and _indices(wait, tag) == element:
            break
    return found


def _indices(op: Operation, tag: Value) -> tuple[object, ...]:
    """Which element of a tag an operation names: its operands behind the tag, and the map they go through."""
    operands = op.operands
    at = max(i for i, value in enumerate(operands) if value is tag)
    places = op.get_attr("tag_map")
    rank = (
        places.map.num_dims + places.map.num_symbols
        if isinstance(places, a.AffineMapAttr)
        else getattr(tag.type, "rank", 0)
    )
    return (*operands[at + 1 : at + 1 + rank], places)


def _can_name(op: Operation, value: Value) -> bool:
    home = value.parent_block
    return home is not None and op.ancestor_in_block(home) is not None
