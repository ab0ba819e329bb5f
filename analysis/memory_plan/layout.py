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

from ...dialects import arith, memref, tensor
from ...dialects.common import constant_index
from ...dialects.linalg.named import CopyOp
from ...ir.program.core import Block, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import CallOpInterface, RegionBranchOp, Size, SizedResultOp, SubsetInsertionOp
from ...ir.source import UnionFind, find
from ...ir.source.diagnostics import BufferizeError, error
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...ir.types.elements import stored_bytes
from ..models.base import is_tensor
from ..one_shot.state import tensor_operands
from .buffers import Buffer, Plan, first_overlap
from .order import best_order
from .planner import QUICK, Effort, plan
from .recompute import least_with_recomputation
from .steps import NOTHING, Decided, Numbered, Steps, Tensors, graph_of

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
    known = [constant_of(through_views(size)) for size in sizes]
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


def through_views(size: int | Value) -> int | Value:
    """What a view was given as its size, if `size` is the `memref.dim` of one; else `size`.

    Sizes are computed where an arena is allocated, and a view need not be valid there.
    """
    while isinstance(size, Value) and isinstance(size.defining_op, memref.DimOp):
        source, dimension = size.defining_op.operands
        number = constant_index(dimension)
        found: Size = None if number is None else (source, number)
        while isinstance(found, tuple) and isinstance(view := found[0], OpResult):
            found = view.owner.size_of(view, found[1]) if isinstance(view.owner, SizedResultOp) else None
        if not isinstance(found, int | Value):
            break
        size = found
    return size


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


# -- A block as tasks for bounds on all orders: none holds less, whatever One-Shot decides in it.
#
# In another order, other operands are in place. So no decision is taken here: each buffer counts as far as it exists under all
# decisions, and only the needs of the steps and the order of effects remain.
#
#   B1  A result that may overwrite what the step reads shares that buffer: if it does not, both exist while the step runs, and
#       each lives on by itself.
#   B2  If the step reads nothing of the buffer that it may overwrite, the result begins one: the other is dead by then.
#   B3  A view of a whole buffer is tied to it, and so is a view of a part if all writes to the buffer precede it. Any other view
#       counts nothing: if it is copied, its source may die. Nor does a result that may overwrite a part.
#   B4  A value counts nothing if it may be in the buffer of one from outside, if it is inserted into another tensor, where
#       -eliminate-empty-tensors may compute it, if it is a `tensor.empty`, or the result of a call or of control flow.
#   B5  Of the results with one `tensor.empty` as their destination, if some are outside, the others may use its buffer in turn:
#       the bounds are lower by its size.


class AnyDecisions(Tensors):
    """The blocks of a program before -eliminate-empty-tensors, under all decisions."""

    def bounds(self, block: Block) -> tuple[int, int]:
        """Lower bounds on the peak: of all orders, and of all in which operations may run repeatedly."""
        self._shared = UnionFind[int]()
        """Values that may be in one buffer, other than by a common `tensor.empty`."""
        self._reused = UnionFind[int]()
        """Values that may be in one buffer."""
        self._whole: dict[int, int] = {}
        """The bytes of the buffer that a value is a part of."""
        self._parts: list[tuple[int, Operation]] = []
        """Views of parts."""
        self._writes: list[tuple[int, Operation]] = []
        self._uncounted: list[int] = []
        self._for_empty: dict[int, list[int]] = {}
        """For each `tensor.empty`, the results with it as their destination."""
        steps = self.steps(block)
        if steps is None:
            return 0, 0
        less = self._settle(steps)
        lower = best_order(graph_of(steps, steps.steps).tasks).lower
        return max(0, lower - less), max(0, least_with_recomputation(steps, steps.steps) - less)

    def _decided(self, op: Operation, numbered: Numbered) -> Decided:
        uses = tensor_operands(op)
        found = Decided({}, {numbered(use.value): None for use in uses if self._answers.reads(use)}, [])
        if isinstance(op, CallOpInterface | RegionBranchOp) or op.definition is None:
            outer = (v for each in op.walk() for v in each.operands if self._is_from_outside(v, op))
            names = [
                *(numbered(result, False) for result in op.results if is_tensor(result)),
                *(numbered(value) for value in outer if is_tensor(value)),
            ]
            self._uncounted += names[: len(op.results)]
            for name in names:
                self._unite(names[0], name, True)
            return found
        if isinstance(op, tensor.EmptyOp):
            self._uncounted.append(numbered(op.results[0], False))
        if isinstance(op, SubsetInsertionOp):
            self._uncounted.append(numbered(op.subset_source().value))
        elif isinstance(op, CopyOp) and op.results:
            self._uncounted.append(numbered(op.operands[0]))
        for use in uses:
            for alias in self._answers.aliasing_values(use):
                if isinstance(alias.value, OpResult) and alias.value.owner is op:
                    self._share(use, alias.value, found, numbered)
        return found

    def _share(self, use: OpOperand, result: OpResult, found: Decided, numbered: Numbered) -> None:
        """Tie a result to what it may share a buffer with."""
        value, name, made = use.value, numbered(use.value), numbered(result, False)
        size, whole = self._weights.bytes_of(result), self._whole_of(use.value, numbered)
        if self._answers.writes(use):
            if isinstance(value.defining_op, arith.ConstantOp):
                return
            self._writes.append((name, use.owner))
            buffer = find(self._reused, name)
            read = [other for other in found.touches if find(self._reused, other) == buffer]
            tie = next((other for other in read if self._whole.get(other, size) == size), None)
            if tie is not None:
                found.tied.setdefault(result, tie)
            elif read or whole != size:
                self._uncounted.append(made)
        else:
            found.tied.setdefault(result, name)
            self._whole[made] = whole
            if whole != size:
                self._parts.append((made, use.owner))
        is_empty = isinstance(value.defining_op, tensor.EmptyOp)
        if is_empty:
            self._for_empty.setdefault(name, []).append(made)
        self._unite(name, made, not is_empty)

    def _whole_of(self, value: Value, numbered: Numbered) -> int:
        return self._whole.get(numbered(value), self._weights.bytes_of(value))

    def _unite(self, one: int, other: int, is_shared: bool) -> None:
        for classes in (self._shared, self._reused) if is_shared else (self._reused,):
            classes[find(classes, other)] = find(classes, one)

    def _settle(self, steps: Steps) -> int:
        """Remove what counts nothing; returns the bytes of B5."""
        if self._parts:
            before = _predecessors(steps)
            number = {op: i for i, op in enumerate(steps.ops)}
            writes: dict[int, int] = {}
            for name, op in self._writes:
                buffer = find(self._reused, name)
                writes[buffer] = writes.get(buffer, 0) | 1 << number[op]
            for made, op in self._parts:
                if writes.get(find(self._reused, made), 0) & ~before[number[op]]:
                    steps.tie[made] = NOTHING
        uncounted = {find(self._shared, name) for name in (*self._uncounted, *steps.outside, *steps.kept)}
        less = 0
        for empty, results in self._for_empty.items():
            free = [find(self._shared, made) in uncounted for made in results]
            less += self._weights.bytes_of(steps.values[empty]) if any(free) and not all(free) else 0
        for name in range(len(steps.values)):
            if find(self._shared, name) in uncounted:
                steps.size[name] = 0
        return less


def _predecessors(steps: Steps) -> list[int]:
    """For each step, those that it needs, directly or not, as bits."""
    maker: dict[int, int] = {}
    found: list[int] = []
    for i, step in enumerate(steps.steps):
        bits = 0
        for value in step.needs:
            if value in maker:
                bits |= found[maker[value]] | 1 << maker[value]
        found.append(bits)
        maker.update(dict.fromkeys(step.makes, i))
    return found
