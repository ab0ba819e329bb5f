"""The arena of one function: buffer sizes, fixed offsets, and the offset chosen for each buffer.

If all sizes are static, a layout is a plan (`planner`). Otherwise a plan for assumed sizes determines only *which item is above
which*: an item's offset is the highest end of the items below it that are live with it, rounded up to its alignment. That is
correct for all sizes, and equals the plan for the assumed ones. Items with fixed offsets are below all others that are live
with them.
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

# Sizes and alignments of buffers: numbers, or products with values of the program.
#
# The size of an element is rounded up to a power of two, as in LLVM's data layouts: 16 for an 80-bit float, 4 for 24 bits. A
# strided layout occupies its offset, and all bytes from its first to its last element.

DEFAULT_ALIGNMENT = 16
"""The alignment of allocations that specify none: that of malloc."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes: `factor` times the product of `extents`, values of type `index`."""

    factor: int
    extents: tuple[Value, ...] = ()

    @property
    def static(self) -> int | None:
        """The number of bytes if it is static, else None."""
        return None if self.extents and self.factor else self.factor

    def with_extents(self, number: Callable[[Value], int]) -> int:
        """The number of bytes for given extents."""
        bytes = self.factor
        for extent in self.extents:
            bytes *= number(extent)
        return bytes


def amount_of(type: t.Type, sizes: Sequence[int | Value]) -> Amount | None:
    """The size of a memref of this type with these extents; None if its element type or layout is not supported."""
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
    """The constant that a value is, or the value."""
    if isinstance(size, Value) and isinstance(size.defining_op, arith.ConstantOp):
        number = size.defining_op.properties.get("value")
        if isinstance(number, IntegerAttr):
            return number.value
    return size


def alignment_of(alloc: memref.AllocOp, default: int = DEFAULT_ALIGNMENT) -> int:
    """The alignment of an allocation, or `default` if it specifies none, but at least that of its elements."""
    asked = alloc.properties.get("alignment")
    element = stored_bytes(alloc.memref_type.element) or 1
    least = min(element, 1 << 12)
    return max(asked.value, 1) if isinstance(asked, IntegerAttr) else max(default, least)


ASSUMED_EXTENT = 64
"""The assumed value of an extent that is neither known nor bounded."""


@dataclass(slots=True)
class Item:
    """Something to place in the arena.

    Attributes:
        what: the buffer, or the call for the callee's arena.
        amount: its size.
        alignment: the alignment of its offset.
        begin, end: its live range.
        fixed: the offset that it must have (`fixed_offset`), or None.
        offset: its offset, if static.
        below: the items directly below it, by number, if its offset is dynamic.
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
        """The buffer to place, with extents given by `number`."""
        return Buffer(self.begin, self.end, self.amount.with_extents(number), self.alignment, self.fixed)


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the items of one memory space.

    Attributes:
        items: with their offsets.
        order: their numbers, each after the items below it.
        plan: the plan for the assumed sizes.
        size: the size of the arena in bytes, if static.
        tops: otherwise, the items whose highest end is the size.
        alignment: the alignment of the arena.
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
    """Assign offsets to the items; `number` is the assumed value of an extent."""
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
    """The least aligned offset above items with static offsets and sizes."""
    highest = max((items[k].offset or 0) + (items[k].amount.static or 0) for k in below)
    return -(-highest // alignment) * alignment


def _below(items: Sequence[Item], order: Sequence[int]) -> dict[int, list[int]]:
    """For each item, the earlier items live with it, without those that are below others of them."""
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


# Fixed offsets: `memref.alloc() {bufferize.offset = 4096 : i64}` is 4,096 bytes into the arena of its function and memory space.
#
# For hardware that reads from a given slot, or a bank at a given address. The offset is a constraint of the plan; it is an error
# if it cannot be satisfied.

OFFSET = "bufferize.offset"


def fixed_offset(alloc: memref.AllocOp) -> int | None:
    """The fixed offset of an allocation in bytes, or None. Raises BufferizeError if the attribute is not a valid offset."""
    asked = alloc.attributes.get(OFFSET)
    if asked is None:
        return None
    if not isinstance(asked, IntegerAttr) or asked.value < 0:
        raise BufferizeError(error(f"'{OFFSET}' must be a number of bytes, at least 0", alloc.name_span))
    if not alloc.memref_type.has_static_shape:
        raise BufferizeError(error("a buffer with a fixed offset must have a known size", alloc.name_span))
    return asked.value


def refuse(alloc: memref.AllocOp, obstacle: str) -> None:
    """Raise BufferizeError if an allocation has a fixed offset but cannot be planned, because of `obstacle`."""
    if fixed_offset(alloc) is not None:
        raise BufferizeError(error(f"this buffer has a fixed offset, but {obstacle}", alloc.name_span))


def check_fixed(buffers: Iterable[tuple[memref.AllocOp, Buffer]]) -> None:
    """Raise BufferizeError if two live buffers with fixed offsets overlap, or one is misaligned."""
    asking = [(alloc, buffer) for alloc, buffer in buffers if buffer.fixed is not None]
    clash = first_overlap([b for _, b in asking], [b.fixed or 0 for _, b in asking])
    if clash is None:
        return
    (alloc, buffer), (other, _) = asking[clash[0]], asking[clash[1]]
    if alloc is other:
        message = (
            f"offset {buffer.fixed} is not a multiple of the alignment of this buffer, {buffer.alignment}"
        )
        raise BufferizeError(error(message, alloc.name_span))
    found = error(
        "two buffers that are live at the same time have overlapping fixed offsets", alloc.name_span
    )
    found.attach("the other one", other.name_span)
    raise BufferizeError(found)
