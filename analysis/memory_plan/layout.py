"""The arena of one function: buffer sizes, fixed offsets, and the offset chosen for each buffer.

Where all sizes are known a layout is a plan (`planner`). Where some are not, the plan is made for assumed sizes, and of it is
kept only *who lies above whom*: an item's offset is the highest end of the items below it that are alive with it, rounded up to its
alignment. That is right for all sizes, and for the assumed ones the plan. Items that have their place are
below all others that are alive with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...dialects import arith, memref
from ...ir.program.core import Value
from ...ir.source.diagnostics import BufferizeError, error
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...ir.types.elements import stored_bytes
from .buffers import Buffer, Plan, first_overlap
from .planner import QUICK, Effort, plan

# How many bytes a buffer takes, and how it must be aligned: numbers, or products with values of the program.
#
# Elements take the next power of two of bytes, as in LLVM's data layouts: 16 for an 80-bit float, 4 for 24 bits, at least one. A
# strided layout takes what lies between its first and its last element, and what its offset skips.

DEFAULT_ALIGNMENT = 16
"""What allocations may expect that do not say: the promise of malloc."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes: `factor` times the product of `extents`, values of type `index`."""

    factor: int
    extents: tuple[Value, ...] = ()

    @property
    def static(self) -> int | None:
        """The number, if it is known."""
        return None if self.extents and self.factor else self.factor

    def with_extents(self, number: Callable[[Value], int]) -> int:
        """The number for given extents."""
        bytes = self.factor
        for extent in self.extents:
            bytes *= number(extent)
        return bytes


def amount_of(type: t.Type, sizes: Sequence[int | Value]) -> Amount | None:
    """The bytes of a memref of that type with these extents; None if its element or its layout is not understood."""
    if not isinstance(type, t.MemRefType):
        return None
    element = stored_bytes(type.element)
    if element is None:
        return None
    known = [constant_of(size) for size in sizes]
    if not type.is_identity_layout:
        return _strided(type, known, element)
    factor = element
    for size in known:
        if isinstance(size, int):
            factor *= size
    return Amount(factor, tuple(size for size in known if not isinstance(size, int)) if factor else ())


def _strided(type: t.MemRefType, sizes: Sequence[int | Value], element: int) -> Amount | None:
    layout = type.strides_and_offset()
    if layout is None or layout[1] is None:
        return None
    reach = layout[1] + 1
    for size, stride in zip(sizes, layout[0], strict=True):
        if not isinstance(size, int) or stride is None or stride < 0:
            return None
        if not size:
            return Amount(0)
        reach += (size - 1) * stride
    return Amount(reach * element)


def constant_of(size: int | Value) -> int | Value:
    """The number a value is known to be, or the value."""
    if isinstance(size, Value) and isinstance(size.defining_op, arith.ConstantOp):
        number = size.defining_op.properties.get("value")
        if isinstance(number, IntegerAttr):
            return number.value
    return size


def alignment_of(alloc: memref.AllocOp, default: int = DEFAULT_ALIGNMENT) -> int:
    """What an allocation asks for, else `default`, but never less than its elements need."""
    asked = alloc.properties.get("alignment")
    element = stored_bytes(alloc.memref_type.element) or 1
    least = min(element, 1 << 12)
    return max(asked.value, 1) if isinstance(asked, IntegerAttr) else max(default, least)


ASSUMED_EXTENT = 64
"""What an extent is taken to be that is not known and nobody has said anything of."""


@dataclass(slots=True)
class Item:
    """Something that needs a place in the arena.

    Attributes:
        what: the buffer or call it is for.
        amount: its bytes.
        alignment: of its first byte.
        begin, end: when it is alive.
        fixed: where it must lie, if that is decided (`placements`).
        offset: where it lies, if that is known before the run.
        below: the items it lies above, by number, if it is not.
    """

    what: Any
    amount: Amount
    alignment: int
    begin: int
    end: int
    fixed: int | None = None
    offset: int | None = None
    below: list[int] = field(default_factory=list)

    def as_buffer(self, number: Callable[[Value], int]) -> Buffer:
        """What is to be placed, if extents are what `number` says."""
        return Buffer(self.begin, self.end, self.amount.with_extents(number), self.alignment, self.fixed)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the items of one memory space.

    Attributes:
        items: with their places.
        order: their numbers, each after those it lies above.
        plan: the plan for the assumed sizes.
        size: the bytes of the arena, if they are known before the run.
        tops: else the items of which the highest end is the size.
        alignment: of the arena.
    """

    items: list[Item]
    order: list[int]
    plan: Plan
    size: int | None
    tops: list[int]
    alignment: int


def assumed(extent: Value) -> int:
    return ASSUMED_EXTENT


def lay_out(
    items: Sequence[Item], number: Callable[[Value], int] = assumed, effort: Effort = QUICK
) -> Layout:
    """Give each item its place; `number` says what an extent is assumed to be."""
    buffers = [item.as_buffer(number) for item in items]
    found = plan(buffers, effort)
    order = sorted(range(len(items)), key=lambda i: (items[i].fixed is None, found.offsets[i], i))
    alignment = max((item.alignment for item in items), default=1)
    if all(item.amount.static is not None for item in items):
        for item, offset in zip(items, found.offsets, strict=True):
            item.offset = offset
        return Layout(list(items), order, found, found.height, [], alignment)
    above: set[int] = set()
    for i, others in _below(items, order).items():
        item = items[i]
        item.below = others
        above.update(others)
        if item.fixed is not None:
            item.offset = item.fixed
        elif all(items[k].offset is not None and items[k].amount.static is not None for k in others):
            item.offset = _top(items, others, item.alignment) if others else 0
    tops = [i for i in order if i not in above]
    return Layout(list(items), order, found, None, tops, alignment)


def _top(items: Sequence[Item], below: Sequence[int], alignment: int) -> int:
    """The least aligned offset above items whose places and sizes are known."""
    highest = max((items[k].offset or 0) + (items[k].amount.static or 0) for k in below)
    return -(-highest // alignment) * alignment


def _below(items: Sequence[Item], order: Sequence[int]) -> dict[int, list[int]]:
    """For each item, in order, the items alive with it that come before it, without those that are below others of them."""
    found: dict[int, list[int]] = {}
    everything: dict[int, set[int]] = {}
    by_time = sorted(range(len(items)), key=lambda i: items[i].begin)
    neighbours: dict[int, list[int]] = {i: [] for i in order}
    alive: list[int] = []
    for i in by_time:
        alive = [k for k in alive if items[k].end > items[i].begin]
        if items[i].end > items[i].begin:
            for k in alive:
                neighbours[i].append(k)
                neighbours[k].append(i)
            alive.append(i)
    rank = {i: at for at, i in enumerate(order)}
    for i in order:
        below = sorted((k for k in neighbours[i] if rank[k] < rank[i]), key=rank.__getitem__, reverse=True)
        kept: list[int] = []
        covered: set[int] = set()
        for k in below:
            if k not in covered:
                kept.append(k)
                covered |= everything[k]
        found[i] = kept
        everything[i] = set(below)
    return found


# Buffers whose place is decided: `memref.alloc() {bufferize.offset = 4096 : i64}` lies 4,096 bytes into its arena.
#
# The arena is that of the function and memory space of the allocation. Hardware that reads from a given slot, or a bank that begins at a
# given address, asks for such places; a memory with addresses of its own is a memory space instead. What is placed this way is a
# constraint of the plan and never moved; what cannot be honoured is an error.

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
