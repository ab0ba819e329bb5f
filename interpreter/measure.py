"""Measures a run by operation, and detects unreachable allocations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..dialects import memref, scf
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value
from ..ir.program.interfaces import LoopLikeOp, SelectLikeOp
from ..ir.types import types as t
from .boundary import prepare
from .heap import HeapBuffer, MemRef
from .machine import MAX_STEPS, Machine

if TYPE_CHECKING:
    from .heap import Traffic
    from .machine import Environment


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of one run.

    Attributes:
        operations: the number of executed operations.
        allocations: the number of allocations.
        peak: the most bytes alive at once, without arguments.
        copied: the bytes copied.
        traffic: the allocations and copies of each operation.
    """

    operations: int
    allocations: int
    peak: int
    copied: int
    traffic: Mapping[Operation, Traffic]


def measure(
    module: Operation,
    name: str,
    values: Sequence[Any],
    max_steps: int = MAX_STEPS,
    random_resources: bool = False,
) -> Measurement:
    """Run the function called `name` on `values`, arrays for memref arguments, and measure it.

    Reads of uninitialized elements are allowed: the values computed from them do not affect the cost.

    Raises:
        Fault: the run has undefined behaviour on these values.
        Unsupported: there is no such function, or an operation or type is not supported.
        LimitExceeded: too many steps, too much memory.
    """
    machine = Machine(module, max_steps=max_steps, random_resources=random_resources)
    machine.heap.record_traffic()
    function = machine.function(name)
    arguments = prepare(values, function.function_type.inputs, machine.heap)
    machine.call(function, arguments.values)
    heap = machine.heap
    return Measurement(machine.steps, heap.allocations, heap.peak, heap.copied, heap.traffic or {})


# Watching a run for garbage: memory that is alive although the program can no longer access it.
#
# A buffer is *reachable* after an operation if a live memref refers to it, or to a table that stores it or did so
# before the slot was overwritten, since the slot accessed is not known statically. Liveness is computed per operation
# for the program without the deallocations that a pass inserted: uses by deallocations count only if the attribute
# `KEPT` says that the program had them before.
#
# After each operation with an effect, all unreachable memory must be freed before the next such operation ends. Memory
# held by callees is ignored: only the outermost function is watched.

KEPT = "written_by_hand"
"""The attribute of a deallocation in the original program."""

Live = frozenset[Value]


def is_bookkeeping(op: Operation) -> bool:
    """Whether an operation only frees, or computes whether to free."""
    if isinstance(op, memref.DeallocOp):
        return op.get_attr(KEPT) is None
    if isinstance(op, memref.ExtractStridedMetadataOp):
        return all(is_bookkeeping(user) for user in op.results[0].users)
    if op.regions:
        if not isinstance(op, scf.IfOp) or any(result.type is not t.I1 for result in op.results):
            return False
        return all(is_bookkeeping(inner) for region in op.regions for inner in region.ops())
    return (
        (op.name.startswith("arith.") and not isinstance(op, SelectLikeOp))
        or op.has_trait(tr.TERMINATOR)
        or _is_flag(op)
    )


def _is_flag(op: Operation) -> bool:
    return isinstance(op, memref.ExtractAlignedPointerAsIndexOp) or (
        len(op.results) == 1 and op.results[0].type is t.I1
    )


class NeededAfter:
    """The memrefs live after each operation of a function. Simple, and quadratic in the worst case."""

    def __init__(self, function: Operation) -> None:
        self.after: dict[Operation, Live] = {}
        self._region(function.regions[0], frozenset())

    def _region(self, region: Region, at_exit: Live) -> Live:
        """The memrefs live at the start of a region, if `at_exit` are live at its exits."""
        if region.is_empty:
            return at_exit
        start: dict[Block, Live] = {block: frozenset() for block in region}
        changed = True
        while changed:
            changed = False
            for block in reversed(list(region)):
                live = at_exit if not block.successors else frozenset()
                for successor in block.successors:
                    live |= start[successor]
                found = self._block(block, live)
                if found != start[block]:
                    start[block] = found
                    changed = True
        return start[region.entry]

    def _block(self, block: Block, live: Live) -> Live:
        for op in reversed(block):
            self.after[op] = live
            live = self._before(op, live)
        return live - set(block.args)

    def _before(self, op: Operation, after: Live) -> Live:
        live = after - set(op.results)
        if op.regions and not is_bookkeeping(op):
            if isinstance(op, LoopLikeOp):
                around = live
                while True:
                    found = around
                    for region in reversed(op.regions):
                        found |= self._region(region, found)
                    if found == around:
                        break
                    around = found
                live = around
            else:
                inside = [self._region(region, live) for region in op.regions]
                live = live.union(*inside)
        if not is_bookkeeping(op) or op.has_trait(tr.TERMINATOR):
            live |= {value for value in op.operands if _is_memref(value)}
        return live


def _is_memref(value: Value) -> bool:
    return isinstance(value.type, (t.MemRefType, t.UnrankedMemRefType))


class GarbageWatch:
    """A trace callback. Raises Fault at an operation before which garbage should have been freed."""

    def __init__(self, needed: NeededAfter) -> None:
        self._needed = needed.after
        self._due: list[HeapBuffer] = []
        self._stored: dict[HeapBuffer, set[HeapBuffer]] = {}
        self.machine: Machine | None = None

    def __call__(self, op: Operation, env: Environment) -> None:
        live = self._needed.get(op)
        if live is None or is_bookkeeping(op):
            return
        assert self.machine is not None
        if isinstance(op, memref.StoreOp) and _is_memref(op.operands[0]):
            stored, table = env[op.operands[0]], env[op.operands[1]]
            self._stored.setdefault(table.buffer, set()).add(stored.buffer)
        alive = self.machine.heap.alive
        for buffer in self._due:
            if buffer in alive:
                raise buffer.fault("memory that nothing can use any more is still held here", "garbage")
        self._due = []
        if alive:
            seen: set[HeapBuffer] = set()
            for value in live:
                held = env.get(value)
                if isinstance(held, MemRef):
                    self._reach(held, seen)
            self._due = [buffer for buffer in alive if buffer not in seen]

    def _reach(self, held: MemRef, seen: set[HeapBuffer]) -> None:
        waiting = [held.buffer]
        while waiting:
            buffer = waiting.pop()
            if buffer not in seen:
                seen.add(buffer)
                waiting += self._stored.get(buffer, ())
