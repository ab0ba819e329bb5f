"""Live ranges of a function's heap buffers, which of them an arena can hold, and which determine the peak.

Operations are numbered in textual order. A buffer is *live* from its first use in the block that allocates it to its last use
through any alias, in a range of numbers that includes

  L1  every operation that uses it or a value that may view it (`ViewFlow`), with all nested operations;
  L2  the whole of each loop (or operation with unknown region control flow) that uses it and does not contain the allocation;
  L3  the start of each block that it is live into, and the end of each that it is live out of (`Liveness`).

So if the ranges of two buffers are disjoint, neither is needed while the other is used. Mutually exclusive branches have
different numbers, so their allocations may share memory. Frees are not uses, except for a buffer that was passed to a function
without a body: that may have kept the address, and may use the buffer until it is freed.

A buffer *cannot be planned* if

  N1  its size or layout is not supported;
  N2  its instances may overlap: it is allocated in a parallel loop or in an operation with unknown region control flow;
  N3  it or its address escapes the function: it is returned, stored, converted to an integer or a tensor, reallocated, or passed
      to an unknown operation;
  N4  an earlier instance may still be live when the allocation runs again;
  N5  an operation that frees it may free another buffer that is not planned;
  N6  a function without a body may keep it, and no free of it is on every path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...dialects import bufferization, memref
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import (
    FREE,
    WRITE,
    CallOpInterface,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ...ir.source.diagnostics import expect
from ..allocations import EXPOSING, is_loop
from ..freeing.calls import CallsOfProgram
from ..liveness import Liveness
from ..origins import ViewFlow, is_buffer
from .buffers import Buffer
from .layout import Amount, amount_of


@dataclass(slots=True)
class Life:
    """A heap buffer of a function.

    Attributes:
        value: the result of its `memref.alloc`.
        amount: its size; None if it is not supported.
        begin, end: its live range, a half-open interval of operation numbers; empty if it is never used.
        first: the operation, in the block of the allocation, before which the live range begins.
        deallocs: the operations that free it.
        obstacle: why it cannot be planned, as the end of a sentence about it; empty if it can.
    """

    value: Value
    amount: Amount | None
    begin: int = 0
    end: int = 0
    first: Operation | None = None
    deallocs: list[Operation] = field(default_factory=list)
    obstacle: str = ""

    @property
    def alloc(self) -> memref.AllocOp:
        return expect(memref.AllocOp, self.value.defining_op)


class Lives:
    """The live ranges of all `memref.alloc` of a function. O(operations + uses * depth + live values of each block).

    Attributes:
        order: the operations, by number.
        number: the number of each operation.
        buffers: the live ranges, in textual order.
    """

    def __init__(self, function: FunctionOp, calls: CallsOfProgram) -> None:
        self.function = function
        self.order = [op for op in function.walk() if op is not function]
        self.number = {op: i for i, op in enumerate(self.order)}
        self._last = self._last_numbers()
        self._repeating = self._repeating_ops()
        self._flow = ViewFlow(function, conservative=True)
        self._live = Liveness(function, is_buffer)
        self._given_away = set(calls.freed(function))
        self._lent = set(calls.kept(function))
        self.buffers = [
            Life(op.results[0], amount_of(op.memref_type, op.mixed_sizes()))
            for op in self.order
            if isinstance(op, memref.AllocOp)
        ]
        self._names = {life.value: self._flow.resolve(life.value) for life in self.buffers}
        self._owners: dict[Value, list[Life]] = {}
        for life in self.buffers:
            for name in self._names[life.value]:
                self._owners.setdefault(name, []).append(life)
        for life in self.buffers:
            life.obstacle = self._obstacle(life)
            self._measure(life)
        self._across_blocks()
        for life in self.buffers:
            if life.begin > life.end:  # never read or written
                life.begin = life.end = self.number[life.first or life.alloc]
            elif life.first is not None:
                life.begin = min(life.begin, self.number[life.first])
        self._freed_by: dict[Operation, list[Life]] = {}
        for life in self.buffers:
            for op in life.deallocs:
                self._freed_by.setdefault(op, []).append(life)
        self._keep_shared_frees(
            op
            for op, lives in self._freed_by.items()
            if any(life.obstacle for life in lives) or not self._frees_only(op, lives)
        )

    def last(self, op: Operation) -> int:
        """The number of the last operation in `op`, itself included."""
        return self._last[op]

    def _last_numbers(self) -> dict[Operation, int]:
        last = dict(self.number)
        for op in reversed(self.order):
            around = op.parent_op
            if around in last:
                last[around] = max(last[around], last[op])
        return last

    def _repeating_ops(self) -> dict[Operation, Operation]:
        """The innermost operation around each one that may run it repeatedly, or whose control flow is unknown, if any."""
        found: dict[Operation, Operation] = {}
        repeats: dict[Operation, bool] = {}
        for op in self.order:
            around = op.parent_op
            if around is None or around is self.function:
                continue
            if around not in repeats:
                repeats[around] = is_loop(around) or not isinstance(around, RegionBranchOp)
            outer = around if repeats[around] else found.get(around)
            if outer is not None:
                found[op] = outer
        return found

    # -- whether it can be planned

    def _obstacle(self, life: Life) -> str:
        if life.amount is None:
            return "has an unsupported size or layout"
        for around in _around(life.alloc, self.function):
            if around.has_trait(tr.PARALLEL_LOOP):
                return f"is allocated in the parallel iterations of '{around.name}'"
            if not isinstance(around, (RegionBranchOp, LoopLikeOp)):
                return f"is allocated in '{around.name}', whose control flow is unknown"
        names = self._names[life.value]
        for name in names:
            for use in name.uses:
                if found := self._obstacle_of_use(use, life):
                    return found
        if self._may_be_kept(life) and all(free.block is not life.alloc.block for free in life.deallocs):
            return "may be retained by an external function, and nothing in its block frees it"
        if self._comes_back(life, names):
            return "may still be live when its allocation runs again"
        return ""

    def _obstacle_of_use(self, use: OpOperand, life: Life) -> str:
        """N3. Also records frees."""
        op = use.owner
        if isinstance(op, memref.DeallocOp):
            life.deallocs.append(op)
            return ""
        if isinstance(op, EXPOSING):
            return f"is accessed through the result of '{op.name}', which is not a buffer"
        if isinstance(op, CallOpInterface) and (op, use.value) in self._given_away:
            return "is freed by a called function"
        if op.definition is None or isinstance(op, bufferization.DeallocOp):
            return f"is passed to '{op.name}', which may retain or free it"
        if op.has_trait(tr.RETURN_LIKE) and op.parent_op is self.function:
            return "is returned"
        if isinstance(op, MemoryEffectOp) and not isinstance(op, (ViewLikeOp, CallOpInterface)):
            effects = op.memory_effects()
            own = [effect.kind for effect in effects if effect.value is use.value]
            if FREE in own:
                return f"is freed by '{op.name}'"
            if not own and any(effect.kind == WRITE for effect in effects):
                return f"is stored by '{op.name}'"
        return ""

    def _may_be_kept(self, life: Life) -> bool:
        return bool(self._lent) and any(
            (use.owner, use.value) in self._lent for name in self._names[life.value] for use in name.uses
        )

    def _comes_back(self, life: Life, names: list[Value]) -> bool:
        """N4: whether an alias of it is live at the start of a block around the allocation."""
        block = life.value.parent_block
        others = [name for name in names if name is not life.value]
        while others and block is not None and block.parent_op is not self.function.parent_op:
            for name in others:
                if self._live.is_live_in(name, block) or (
                    isinstance(name, BlockArgument) and name.owner is block
                ):
                    return True
            around = block.parent_op
            if around is None or around is self.function:
                break
            block = around.block
        return False

    def exclude(self, lives: Sequence[Life], obstacle: str) -> None:
        """Exclude buffers that a plan cannot hold, and those that share an operation that frees with them (N5).

        Args:
            obstacle: why, as in `Life`.
        """
        for life in lives:
            life.obstacle = obstacle
        self._keep_shared_frees(op for life in lives for op in life.deallocs)

    def _keep_shared_frees(self, kept: Iterable[Operation]) -> None:
        """N5: a free can only be removed if every buffer that it may free is planned.

        Args:
            kept: the frees that cannot be removed.
        """
        waiting = list(kept)
        seen = set(waiting)
        while waiting:
            for life in self._freed_by[waiting.pop()]:
                if not life.obstacle:
                    life.obstacle = "is freed by an operation that may also free another buffer"
                    further = [op for op in life.deallocs if op not in seen]
                    seen.update(further)
                    waiting += further

    def _frees_only(self, op: Operation, lives: list[Life]) -> bool:
        """Whether every buffer that `op` may free is among `lives`."""
        known = {life.value for life in lives}
        return all(
            origin in known
            for origin in self._flow.resolve_back(op.operands)
            if origin in self._flow.terminals
        )

    # -- live ranges

    def _measure(self, life: Life) -> None:
        """L1 and L2, and where the live range begins."""
        life.begin, life.end = len(self.order), 0
        alloc = life.alloc
        home = alloc.block
        inside = True
        firsts: list[Operation] = []
        climbed = set(_around(alloc, self.function))
        frees_count = life.obstacle or self._may_be_kept(life)
        for name in self._names[life.value]:
            if isinstance(name, BlockArgument) and name.owner.first_op is not None:
                self._extend(life, name.owner.first_op, climbed, whole=False)
            for use in name.uses:
                op = use.owner
                if isinstance(op, memref.DeallocOp) and not frees_count:
                    continue
                if name is life.value:
                    user = op.ancestor_in_block(home)
                    inside = inside and user is not None
                    if user is not None:
                        firsts.append(user)
                if isinstance(op, ViewLikeOp) and use.index == 0 and not isinstance(op, MemoryEffectOp):
                    continue
                self._extend(life, op, climbed)
        if firsts and inside:
            life.first = min(firsts, key=self.number.__getitem__)
        else:
            life.first = alloc.next_op
        if life.obstacle and life.begin <= life.end:  # a fixed address is live from the allocation on
            life.begin = min(life.begin, self.number[alloc])

    def _extend(self, life: Life, op: Operation, climbed: set[Operation], whole: bool = True) -> None:
        """Include an operation and what repeats it, up to what is in `climbed`, like all that is around the allocation."""
        begin = self.number[op]
        end = self._last[op] if whole else begin
        around = self._repeating.get(op)
        while around is not None and around not in climbed:
            climbed.add(around)
            begin = self.number[around]
            end = max(end, self._last[around])
            around = self._repeating.get(around)
        if begin < life.begin:
            life.begin = begin
        if end >= life.end:
            life.end = end + 1

    def _across_blocks(self) -> None:
        """L3, for regions of several blocks."""
        for region in _regions_of_several_blocks([self.function, *self.order]):
            for block in region:
                first, last = block.first_op, block.last_op
                if first is None or last is None:
                    continue
                for life in self._living(self._live.live_in(block)):
                    self._extend(life, first, set(_around(life.alloc, self.function)), whole=False)
                for life in self._living(self._live.live_out(block)):
                    self._extend(life, last, set(_around(life.alloc, self.function)))

    def _living(self, values: Iterable[Value]) -> Iterator[Life]:
        for value in values:
            yield from self._owners.get(value, ())


def _around(op: Operation, function: Operation) -> Iterator[Operation]:
    """The ancestors of `op`, innermost first, up to the function."""
    around = op.parent_op
    while around is not None and around is not function:
        yield around
        around = around.parent_op


def _regions_of_several_blocks(ops: Iterable[Operation]) -> Iterator[Region]:
    for op in ops:
        for region in op.regions:
            if not region.is_empty and not region.has_one_block:
                yield region


# Which buffers determine the peak: how much lower it would be without one of them, or without the best few.
#
# Padding for alignment is ignored. Removing a buffer lowers the live bytes only during its live range, so the peak without it is
# the maximum of the peak outside of that range and the peak inside minus its size. With prefix, suffix and range maxima this
# takes O(n log n) for all buffers.


class Relief(NamedTuple):
    """Buffers, and the peak without them.

    Attributes:
        buffers: indices of buffers.
        peak: the peak of live bytes without them.
    """

    buffers: tuple[int, ...]
    peak: int


def relief(buffers: Sequence[Buffer], most: int = 3) -> list[Relief]:
    """Greedily, up to `most` buffers whose removal lowers the peak the most, as growing sets."""
    without: list[int] = []
    found: list[Relief] = []
    peak = most_alive(buffers)
    for _ in range(most):
        left = [b if i not in without else b._replace(size=0) for i, b in enumerate(buffers)]
        peaks = peaks_without(left)
        best = min(range(len(left)), key=lambda i: (peaks[i], i), default=None)
        if best is None or peaks[best] >= peak or best in without:
            break
        without.append(best)
        peak = peaks[best]
        found.append(Relief(tuple(without), peak))
    return found


def most_alive(buffers: Sequence[Buffer]) -> int:
    """The peak of live bytes, without alignment."""
    return max(_heights(buffers)[1], default=0)


def peaks_without(buffers: Sequence[Buffer]) -> list[int]:
    """For each buffer, the peak of live bytes without it."""
    times, heights = _heights(buffers)
    if not heights:
        return [0] * len(buffers)
    number = {time: i for i, time in enumerate(times)}
    before, after = [0], [0]
    for height in heights:
        before.append(max(before[-1], height))
    for height in reversed(heights):
        after.append(max(after[-1], height))
    after.reverse()
    ranges = [heights]  # ranges[k][i] is the maximum of 2^k heights from i on
    while 2 << len(ranges) - 1 <= len(heights):
        half, below = 1 << len(ranges) - 1, ranges[-1]
        ranges.append([max(below[i], below[i + half]) for i in range(len(below) - half)])
    found: list[int] = []
    for buffer in buffers:
        if buffer.is_empty:
            found.append(before[-1])
            continue
        first, last = number[buffer.begin], number[buffer.end]
        k = (last - first).bit_length() - 1
        inside = max(ranges[k][first], ranges[k][last - (1 << k)])
        found.append(max(before[first], after[last], inside - buffer.size))
    return found


def _heights(buffers: Sequence[Buffer]) -> tuple[list[int], list[int]]:
    """The times of events, and the live bytes from each to the next."""
    changes: dict[int, int] = {}
    for buffer in buffers:
        if not buffer.is_empty:
            changes[buffer.begin] = changes.get(buffer.begin, 0) + buffer.size
            changes[buffer.end] = changes.get(buffer.end, 0) - buffer.size
    # buffers of size 0 that are not empty in time matter to who asks for them
    for buffer in buffers:
        changes.setdefault(buffer.begin, 0)
        changes.setdefault(buffer.end, 0)
    times = sorted(changes)
    heights: list[int] = []
    total = 0
    for time in times[:-1]:
        total += changes[time]
        heights.append(total)
    return times, heights
