"""Where the parts of a program come from: what `loc(...)` says of them, or else their place in the text.

A location is stated by the text, set by who builds a program (`Operation.location`), or implied by where the operation was
read. What a pass makes stands where that stood which it is made for (`Operation.where`), and so comes from there too; nobody
has to hand locations on. What was made from nothing has no place: `loc(unknown)`.
"""

from __future__ import annotations

from ..source.locations import Source
from ..types.attributes import Attribute
from ..types.locations import FileLineColLoc, Location, UnknownLoc
from .core import BlockArgument, Operation


def location_of(op: Operation) -> Attribute:
    """The location of an operation. O(log lines)."""
    if op.location is not None:
        return op.location
    return UnknownLoc() if op.where is None else _stated_or_read(op.where[0], op.where[2])


def argument_location(arg: BlockArgument) -> Attribute:
    """The location of a block argument. O(log lines)."""
    if arg.location is not None:
        return arg.location
    return UnknownLoc() if arg.where is None else _stated_or_read(arg.where[0], arg.where[1])


def origin_of(op: Operation) -> str | None:
    """The place that the program states for an operation, `model.py:12:4`; None if it states none."""
    location = op.location
    if location is None and op.where is not None:
        location = op.where[0].locations.get(op.where[2])
    return location.place if isinstance(location, Location) else None


def _stated_or_read(source: Source, offset: int) -> Attribute:
    stated = source.locations.get(offset)
    return stated if stated is not None else FileLineColLoc(source.name, *source.line_column(offset))
