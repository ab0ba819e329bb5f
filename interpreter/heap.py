"""The checked heap: reports every misuse of memory at the operation that commits it.

A `HeapBuffer` is one allocation, with an initialized flag for each element, and a history. A `MemRef` is a value of the program: a
buffer with an offset, sizes and strides. Checked are

* every access: bounds, use after free, writes to read-only memory, and (in strict runs) uninitialized reads;
* every free: double frees, frees of memory not allocated by `memref.alloc`, and of views;
* the end of the run: allocations must be freed or reachable from the results.

A misuse raises a `Fault` with the history of the allocation: where it was allocated and freed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..ir.program.core import Operation
from ..ir.program.interfaces import AllocationOp
from ..ir.types import types as t
from ..ir.types.affine_map import row_major_strides
from . import Fault, LimitExceeded
from .numbers import NDArray, Storage, storage_in
from .values import POISON, Array, settled

if TYPE_CHECKING:
    from ..ir.types.types import Type


# The allocating operation determines how a buffer is freed.

_WAYS: dict[type[Operation], str | None] = {}


def freed_wrongly(maker: Operation | None, operation: Operation) -> str | None:
    """The name of the operation that should free allocations of `maker`, if `operation` is another kind; else None."""
    if not isinstance(maker, AllocationOp) or not maker.results or isinstance(operation, AllocationOp):
        return None  # what frees and allocates hands a buffer on
    kind = type(maker)
    if kind not in _WAYS:
        _WAYS[kind] = maker.way_to_free(maker.results[0])
    way = _WAYS[kind]
    usual = operation.dialect in ("memref", "bufferization", "test")
    wrong = way is not None and way != operation.name and not (usual and way == "memref.dealloc")
    return way if wrong else None


HEAP, STACK, GLOBAL, ARGUMENT = "heap", "stack", "global", "argument"

MAX_BYTES = 1 << 30
"""Live bytes beyond which a run is stopped with LimitExceeded."""

_ADDRESS_STEP = 64


class HeapBuffer:
    """One allocation.

    Attributes:
        held: the storage of its elements.
        data: the elements, in one dimension (plus those of vectors).
        valid: which elements are initialized.
        kind: HEAP, STACK, GLOBAL or ARGUMENT; only heap memory may be freed.
        read_only: why it must not be written, or "".
        freed: what ended its lifetime, or "".
        address: a unique number, like an address.
        borrowed: the elements that a tensor may overwrite (`to_tensor writable`); None if there are none.
        history: the events in its lifetime, with their operations.
    """

    __slots__ = ("address", "borrowed", "data", "freed", "held", "history", "kind", "read_only", "valid")

    def __init__(self, held: Storage, data: NDArray, valid: NDArray, kind: str, address: int) -> None:
        self.held = held
        self.data = data
        self.valid = valid
        self.kind = kind
        self.read_only = ""
        self.freed = ""
        self.address = address
        self.borrowed: NDArray | None = None
        self.history: list[tuple[str, Operation | None]] = []

    def __len__(self) -> int:
        return self.valid.shape[0]

    def lend(self, positions: NDArray, borrowed: bool) -> None:
        """Mark elements as borrowed by a tensor that may overwrite them, or as returned."""
        if self.borrowed is None:
            if not borrowed:
                return
            self.borrowed = np.zeros(len(self), np.bool_)
        self.borrowed[positions] = borrowed

    def fault(self, message: str, code: str) -> Fault:
        """A fault with the history of this buffer."""
        found = Fault(message, code)
        for event, operation in self.history:
            if operation is None:
                found.diagnostic.note(event)
            elif operation.name_span is not None:
                found.diagnostic.attach(event, operation.name_span)
            else:
                found.diagnostic.note(f"{event} by '{operation.name}'")
        return found


class MemRef:
    """A buffer with an offset, sizes and strides, all in elements.

    `view` marks the result of a view operation, which must not be freed. `cells` is the element type if it is not the
    buffer's (`memref.view` of bytes); offset and strides then still count elements, after `start` bytes.
    """

    __slots__ = ("_data", "_valid", "buffer", "held", "offset", "sizes", "start", "strides", "view")

    def __init__(
        self,
        buffer: HeapBuffer,
        offset: int,
        sizes: tuple[int, ...],
        strides: tuple[int, ...],
        view: bool = False,
        held: Storage | None = None,
        start: int = 0,
    ) -> None:
        self.buffer = buffer
        self.offset = offset
        self.sizes = sizes
        self.strides = strides
        self.view = view
        self.held = buffer.held if held is None else held
        self.start = start
        self._data: Any = None
        self._valid: Any = None

    def with_layout(
        self, offset: int, sizes: tuple[int, ...], strides: tuple[int, ...], view: bool | None = None
    ) -> MemRef:
        """The same buffer with another layout."""
        return MemRef(
            self.buffer, offset, sizes, strides, self.view if view is None else view, self.held, self.start
        )

    @property
    def is_typed_view(self) -> bool:
        """Whether elements are addressed by bytes, not by their number in the buffer."""
        return self.held is not self.buffer.held or self.start != 0

    def begins_with(self, other: MemRef) -> bool:
        """Whether equal indices address the same memory as in another view of the same buffer."""
        return (self.start, self.offset, self.strides) == (other.start, other.offset, other.strides)

    @property
    def count(self) -> int:
        """The number of elements."""
        count = 1
        for size in self.sizes:
            count *= max(size, 0)
        return count

    # -- checks

    def check(self, doing: str, write: bool = False) -> None:
        """Check that the buffer is live and, for a write, writable."""
        buffer = self.buffer
        if buffer.freed:
            code = "use-after-scope" if buffer.kind == STACK else "use-after-free"
            raise buffer.fault(f"{doing} memory that {buffer.freed}", code)
        if write and buffer.read_only:
            raise buffer.fault(f"{doing} {buffer.read_only}", "write-to-read-only")

    def _extent(self) -> tuple[int, int]:
        """The first and the last element, counted from the buffer's first; the count must not be 0."""
        low = high = self.offset
        for size, stride in zip(self.sizes, self.strides, strict=True):
            reach = (size - 1) * stride
            if reach < 0:
                low += reach
            else:
                high += reach
        return low, high

    def positions(self) -> Any:
        """The position in the buffer of every element."""
        at = np.full((1,) * len(self.sizes), self.offset)
        for i, (size, stride) in enumerate(zip(self.sizes, self.strides, strict=True)):
            shape = [1] * len(self.sizes)
            shape[i] = size
            at = at + (np.arange(size) * stride).reshape(shape)
        return at

    def _capacity(self) -> int:
        if not self.is_typed_view:
            return len(self.buffer)
        return (self.buffer.data.nbytes - self.start) // self.held.size if self.held.size else 0

    def data(self) -> Any:
        """The elements as a numpy array that shares the buffer's memory. Raises Fault if some are out of bounds."""
        if self._data is None:
            self._make()
        return self._data

    def flags(self) -> Any:
        """The initialized flags of the elements, sharing memory with the buffer; a byte view adds a dimension."""
        if self._data is None:
            self._make()
        return self._valid

    def _make(self) -> None:
        sizes, buffer, held = self.sizes, self.buffer, self.held
        base, flags = buffer.data, buffer.valid
        if self.count == 0:
            sizes = tuple(max(size, 0) for size in sizes)
            self._data = np.zeros(sizes + held.suffix, held.dtype)
            self._valid = np.zeros(sizes, np.bool_)
            return
        low, high = self._extent()
        if low < 0 or high >= self._capacity():
            raise buffer.fault(
                f"accesses elements {low} to {high} of a buffer of {self._capacity()} elements",
                "out-of-bounds",
            )
        item = held.dtype.itemsize
        inner = row_major_strides(held.suffix)
        scale = held.size
        strides = tuple(s * scale for s in self.strides) + tuple((s or 0) * item for s in inner)
        shape = sizes + held.suffix
        if self.is_typed_view:
            raw = base.view(np.int8)
            self._data = np.ndarray(shape, held.dtype, raw, self.start + self.offset * scale, strides)
            flag_shape, flag_strides = (*sizes, scale), (*(s * scale for s in self.strides), 1)
            self._valid = np.ndarray(
                flag_shape, np.bool_, flags, self.start + self.offset * scale, flag_strides
            )
            return
        if held.dtype == object:
            self._data = np.lib.stride_tricks.as_strided(base[self.offset :], shape, strides)
        else:
            self._data = np.ndarray(shape, held.dtype, base, self.offset * scale, strides)
        self._valid = np.ndarray(sizes, np.bool_, flags, self.offset, self.strides)

    # -- whole contents

    def read(self, doing: str = "reads") -> Array:
        """A copy of the contents; uninitialized elements are undefined."""
        self.check(doing)
        flags = self.flags()
        if self.is_typed_view and self.count:
            flags = flags.all(axis=-1)
        return settled(self.data().copy(), flags.copy())

    def peek(self, doing: str = "reads") -> Array:
        """Like `read`, but shares memory: use it before the next write."""
        self.check(doing)
        flags = self.flags()
        if self.is_typed_view and self.count:
            flags = flags.all(axis=-1)
        return Array(self.data(), None if flags.all() else flags)

    def write(self, contents: Array, doing: str = "writes") -> None:
        """Replace the contents."""
        self.check(doing, write=True)
        if self.count == 0:
            return
        self.data()[...] = contents.data
        self._mark(..., contents.valid)

    def _mark(self, where: Any, valid: Any) -> None:
        flags = self.flags()
        if self.is_typed_view and not isinstance(valid, (bool, type(None))):
            valid = valid[..., None]
        flags[where] = True if valid is None else valid

    # -- single elements

    def place(self, index: list[int], doing: str) -> int:
        """The position of an element in the buffer. Raises Fault if the index or the position is out of bounds."""
        position = self.offset
        for i, (at, size, stride) in enumerate(zip(index, self.sizes, self.strides, strict=True)):
            if at is POISON:
                raise Fault("an index is an undefined value", "undefined-value")
            if not 0 <= at < size:
                raise self.buffer.fault(
                    f"{doing} index {at} of dimension {i}, whose size is {size}", "out-of-bounds"
                )
            position += at * stride
        if not 0 <= position < self._capacity():
            raise self.buffer.fault(
                f"{doing} element {position} of a buffer of {self._capacity()} elements", "out-of-bounds"
            )
        return position

    def load(self, index: list[int], doing: str = "reads") -> Any:
        """One element; POISON if it is uninitialized."""
        position = self.place(index, doing)
        self.check(doing)
        if self.is_typed_view:
            at = tuple(index)
            if not self.flags()[at].all():
                return POISON
            found = self.data()[at]
            return Array(found.copy(), None) if self.held.suffix else self.held.scalar(found)
        buffer, held = self.buffer, self.held
        defined = buffer.valid[position]
        if held.suffix:
            contents = buffer.data[position].copy()
            return Array(contents, None if defined else np.zeros(held.suffix, np.bool_))
        return held.scalar(buffer.data[position]) if defined else POISON

    def store(self, index: list[int], value: object, doing: str = "writes") -> None:
        """Replace one element; storing POISON leaves it undefined."""
        position = self.place(index, doing)
        self.check(doing, write=True)
        defined = value is not POISON
        if self.is_typed_view:
            at = tuple(index)
            if isinstance(value, Array):
                self.data()[at] = value.data
                defined = value.valid is None or bool(value.valid.all())
            elif defined:
                self.data()[at] = value
            self.flags()[at] = defined
            return
        buffer = self.buffer
        if isinstance(value, Array):
            buffer.data[position] = value.data
            defined = value.valid is None or bool(value.valid.all())
        elif defined:
            buffer.data[position] = value
        buffer.valid[position] = defined


class Iterations:
    """Which iterations of a parallel loop read and write each element of memory, as far as elements are accessed one by one.

    Attributes:
        current: the number of the iteration that runs.
    """

    __slots__ = ("current", "readers", "writers")

    def __init__(self) -> None:
        self.current = 0
        self.readers: dict[tuple[int, int], int] = {}
        self.writers: dict[tuple[int, int], int] = {}

    def touch(self, buffer: HeapBuffer, position: int, *, writes: bool) -> None:
        """Record an access. Raises Fault if one iteration writes what another one accesses."""
        place, mine = (buffer.address, position), self.current
        reader = self.readers.get(place, mine)
        if self.writers.get(place, mine) != mine or (writes and reader != mine):
            text = f"two iterations of a parallel loop access element {position}, and one writes it"
            raise buffer.fault(text, "race")
        if writes:
            self.writers[place] = mine
        else:
            self.readers[place] = mine if reader == mine else SEVERAL


SEVERAL: Final = -1
"""Stands for more than one iteration."""


@dataclass(slots=True)
class Traffic:
    """The allocations and copies of one operation in a run, with their total bytes."""

    allocations: int = 0
    allocated: int = 0
    copies: int = 0
    copied: int = 0


class Heap:
    """All memory of a run.

    Attributes:
        alive: the live heap allocations, in order.
        bytes, peak: live bytes now and at the peak, without arguments.
        copied: the bytes copied.
        allocations: the number of allocations.
        has_negative: whether one of them has a negative size.
        finds_races: whether accesses of parallel iterations are checked for races.
        loops: the parallel loops that run, if they are.
        traffic: the traffic of each operation; None unless `record_traffic` was called.
    """

    def __init__(self) -> None:
        self.alive: dict[HeapBuffer, None] = {}
        self.bytes = self.peak = self.copied = self.allocations = 0
        self.has_negative = False
        self.finds_races = False
        self.loops: list[Iterations] = []
        self.traffic: defaultdict[Operation, Traffic] | None = None
        self._next_address = 4096

    def record_traffic(self) -> None:
        """Record the traffic of each operation from now on."""
        self.traffic = defaultdict(Traffic)

    def touch(self, memref: MemRef, index: list[int], *, writes: bool) -> None:
        """Record the access to an element in each parallel loop that runs. Raises Fault for a race."""
        if self.loops and not memref.is_typed_view:
            position = memref.place(index, "accesses")
            for loop in self.loops:
                loop.touch(memref.buffer, position, writes=writes)

    def moved(self, count: int, operation: Operation) -> None:
        """Record that `operation` copied `count` bytes."""
        self.copied += count
        if self.traffic is not None:
            traffic = self.traffic[operation]
            traffic.copies += 1
            traffic.copied += count

    def new(self, held: Storage, count: int, kind: str, operation: Operation | None = None) -> HeapBuffer:
        """A new, uninitialized buffer of `count` elements. Raises Fault for a negative count, LimitExceeded."""
        if count < 0:
            raise Fault(f"allocates {count} elements")
        size = count * max(held.size, 1)
        if self.bytes + size > MAX_BYTES:
            raise LimitExceeded(f"the run needs more than {MAX_BYTES >> 20} MiB of memory")
        data = np.zeros((count, *held.suffix), held.dtype)
        buffer = HeapBuffer(held, data, np.zeros(count, np.bool_), kind, self._next_address)
        self._next_address += (size // _ADDRESS_STEP + 1) * _ADDRESS_STEP
        if operation is not None:
            buffer.history.append(("allocated here", operation))
        if kind in (HEAP, STACK):
            self.allocations += 1
            self.bytes += size
            self.peak = max(self.peak, self.bytes)
            if self.traffic is not None and operation is not None:
                traffic = self.traffic[operation]
                traffic.allocations += 1
                traffic.allocated += size
        if kind == HEAP:
            self.alive[buffer] = None
        return buffer

    def free(self, memref: MemRef, operation: Operation, *, base: bool = False) -> None:
        """Free the buffer of `memref`; with `base`, a view is accepted."""
        buffer = memref.buffer
        if buffer.freed:
            raise buffer.fault(f"frees memory that {buffer.freed}", "double-free")
        if buffer.kind != HEAP:
            what = {STACK: "stack memory", GLOBAL: "a global", ARGUMENT: "memory that the caller owns"}
            raise buffer.fault(f"frees {what[buffer.kind]}, which no allocation made", "invalid-free")
        if memref.view and not base:
            raise buffer.fault("frees a view of an allocation instead of the allocation", "invalid-free")
        way = freed_wrongly(buffer.history[0][1], operation) if buffer.history else None
        if way is not None:
            raise buffer.fault(f"frees by '{operation.name}' what has to be freed by '{way}'", "invalid-free")
        self.release(buffer, "was freed before", "freed here", operation)

    def release(self, buffer: HeapBuffer, freed: str, event: str, operation: Operation | None) -> None:
        """End the lifetime of a buffer."""
        buffer.freed = freed
        buffer.history.append((event, operation))
        self.bytes -= len(buffer) * max(buffer.held.size, 1)
        self.alive.pop(buffer, None)


def dense(buffer: HeapBuffer, sizes: tuple[int, ...]) -> MemRef:
    """A whole buffer in row-major order."""
    return MemRef(buffer, 0, sizes, dense_strides(sizes))


def dense_strides(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major strides of known sizes."""
    return tuple(stride or 0 for stride in row_major_strides(sizes))


def memref_of(
    type: Type, sizes: tuple[int, ...], heap: Heap, kind: str, operation: Operation | None
) -> MemRef:
    """A new buffer for a memref of that type and sizes, with the layout of the type.

    Layouts that are dynamic or not strided are not observable, and become row-major. A buffer with a negative size may be
    allocated on the heap, and has no elements: passes hoist allocations out of loops that do not run.
    """
    held = storage_in(type)
    layout = type.strides_and_offset() if isinstance(type, t.MemRefType) and type.layout is not None else None
    count = 1
    for size in sizes:
        if size < 0 and kind != HEAP:
            raise Fault(f"allocates a dimension of size {size}")
        heap.has_negative |= size < 0
        count *= max(size, 0)
    if layout is None or None in layout[0] or layout[1] is None:
        return dense(heap.new(held, count, kind, operation), sizes)
    strides, offset = tuple(s or 0 for s in layout[0]), layout[1]
    reach = (
        offset
        + 1
        + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True) if stride > 0)
    )
    return MemRef(heap.new(held, reach if count else offset, kind, operation), offset, sizes, strides)
