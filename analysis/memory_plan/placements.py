"""Buffers whose place is decided: `memref.alloc() {bufferize.offset = 4096 : i64}` lies 4,096 bytes into its arena.

The arena is that of the function and memory space of the allocation. Hardware that reads from a given slot, or a bank that begins at a
given address, asks for such places; a memory with addresses of its own is a memory space instead. What is placed this way is a
constraint of the plan and never moved; what cannot be honoured is an error.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...dialects import memref
from ...ir.source.diagnostics import BufferizeError, error
from ...ir.types.attributes import IntegerAttr
from .buffers import Buffer, first_overlap

OFFSET = "bufferize.offset"


def fixed_offset(alloc: memref.AllocOp) -> int | None:
    """The offset in bytes that an allocation asks for; None if it does not. Raises BufferizeError if that is no offset."""
    asked = alloc.attributes.get(OFFSET)
    if asked is None:
        return None
    if not isinstance(asked, IntegerAttr) or asked.value < 0:
        raise BufferizeError(error(f"'{OFFSET}' is a number of bytes, at least 0", alloc.name_span))
    if not alloc.memref_type.has_static_shape:
        raise BufferizeError(
            error("a buffer that asks for a place has a size that is known", alloc.name_span)
        )
    return asked.value


def refuse(alloc: memref.AllocOp, obstacle: str) -> None:
    """Raise BufferizeError if an allocation that cannot be planned, for the reason given, asks for a place."""
    if fixed_offset(alloc) is not None:
        raise BufferizeError(error(f"this buffer asks for a place, but {obstacle}", alloc.name_span))


def check_fixed(buffers: Iterable[tuple[memref.AllocOp, Buffer]]) -> None:
    """Raise BufferizeError if two places that are asked for overlap while both are alive, or one is not aligned."""
    asking = [(alloc, buffer) for alloc, buffer in buffers if buffer.fixed is not None]
    clash = first_overlap([b for _, b in asking], [b.fixed or 0 for _, b in asking])
    if clash is None:
        return
    (alloc, buffer), (other, _) = asking[clash[0]], asking[clash[1]]
    if alloc is other:
        message = f"offset {buffer.fixed} is no multiple of the alignment of this buffer, {buffer.alignment}"
        raise BufferizeError(error(message, alloc.name_span))
    found = error("two buffers that are alive at once ask for the same bytes", alloc.name_span)
    found.attach("the other one", other.name_span)
    raise BufferizeError(found)
