"""Measures a run by operation, and detects unreachable allocations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..dialects import memref
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value
from ..ir.program.interfaces import LoopLikeOp, SelectLikeOp
from ..ir.types import types as t
from .boundary import prepare
from .heap import HeapBuffer, MemRef
from .machine import MAX_STEPS, Machine

if TYPE_CHECKING:
    from .heap import Traffic
    from .registry import Environment


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of one run.

    Attributes:
        operations: how many were run.
        allocations: how many buffers were allocated.
        peak: bytes held at once at most, without those of arguments.
        copied: bytes that copies moved.
        traffic: what each operation that allocated or copied has done.
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
    """Run the function called `name` on `values`, arrays where it takes memrefs, and measure it.

    Elements that were never written may be read: what is computed from them says nothing of the cost.

    Raises:
        Fault: it does what it must not, on these values.
        Unsupported: there is no such function, or an operation or type is not known.
        LimitExceeded: too many steps, too much memory.
    """
    machine = Machine(module, max_steps=max_steps, random_resources=random_resources)
    machine.heap.record_traffic()
    function = machine.function(name)
    arguments = prepare(values, function.function_type.inputs, machine.heap)
    machine.call(function, arguments.values)
    heap = machine.heap
    return Measurement(machine.steps, heap.allocations, heap.peak, heap.copied, heap.traffic or {})


# Watching a run for garbage: memory that is held although the program can no longer get at it.
#
# A buffer *can be used* after an operation if a memref that is needed there looks at it, or is stored in a table that one
# looks at, or was before another took its place there: which places of a table are meant nobody knows beforehand. Needed is
# what plain liveness says, operation by operation, of the program without the frees that a pass has put in: uses by
# deallocations count only where the attribute `KEPT` says that the program had them before.
#
# After each operation that does something, all that cannot be used must be free before the next such operation is done.
# What calls hold is not looked at: only the function that is run first is watched.

KEPT = "written_by_hand"
"""The attribute of a deallocation that was in the program from the start."""

Live = frozenset[Value]


def is_bookkeeping(op: Operation) -> bool:
    """Whether an operation only frees, or computes whether to."""
    if op.name == "memref.dealloc":
        return op.get_attr(KEPT) is None
    if op.name == "memref.extract_strided_metadata":
        return all(is_bookkeeping(user) for user in op.results[0].users)
    if op.regions:
        if op.name != "scf.if" or any(result.type is not t.I1 for result in op.results):
            return False
        return all(is_bookkeeping(inner) for region in op.regions for inner in region.ops())
    return (
        (op.name.startswith("arith.") and not isinstance(op, SelectLikeOp))
        or op.has_trait(tr.TERMINATOR)
        or _is_flag(op)
    )


def _is_flag(op: Operation) -> bool:
    return op.name == "memref.extract_aligned_pointer_as_index" or (
        len(op.results) == 1 and op.results[0].type is t.I1
    )


class NeededAfter:
    """For each operation of a function the memrefs needed behind it. Plain, and quadratic if it comes to that."""

    def __init__(self, function: Operation) -> None:
        self.after: dict[Operation, Live] = {}
        self._region(function.regions[0], frozenset())

    def _region(self, region: Region, at_exit: Live) -> Live:
        """What is needed at the start of a region, if `at_exit` is needed where it is left."""
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
    """The trace of a machine that runs a function. Raises Fault at an operation before which garbage should have gone."""

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
