"""When each buffer of a function is alive, line by line.

A buffer is what an operation allocates. It is alive from there until it is freed or, if nothing frees it, until the last
use of it or of a view of it; through a loop that uses it and does not contain it, in every line. Lines are operations
in textual order. Between blocks liveness follows control flow, see `bufferize.analysis.liveness`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...analysis.liveness import Liveness
from ...analysis.origins import ViewFlow, is_buffer
from ...analysis.sizes import Formula, Sizes
from ...ir.program.core import Block, Operation, OpResult, Value
from ...ir.program.interfaces import ALLOCATE, FREE, LoopLikeOp, MemoryEffectOp, RegionBranchOp

MADE, USED, FREED, ALIVE = "made", "used", "freed", ""


@dataclass(slots=True)
class Lifetime:
    """An allocation.

    Attributes:
        value: the result of the allocating operation.
        size: its bytes.
        lines: what happens to it in each line in which it is alive.
        freed: whether some line frees it.
    """

    value: OpResult
    size: Formula
    lines: dict[int, str] = field(default_factory=dict)
    freed: bool = False


@dataclass(slots=True)
class Lifetimes:
    """The lines of a function, with their depth, and its buffers."""

    lines: list[tuple[Operation, int]]
    buffers: list[Lifetime]

    def bytes_at(self) -> list[tuple[int, int]]:
        """For each line the static bytes alive, and how many buffers of dynamic size are alive besides."""
        static = [0] * len(self.lines)
        dynamic = [0] * len(self.lines)
        for buffer in self.buffers:
            size = buffer.size.constant
            for line in buffer.lines:
                if size is None:
                    dynamic[line] += 1
                else:
                    static[line] += size
        return list(zip(static, dynamic, strict=True))


def lifetimes(function: Operation) -> Lifetimes:
    """The lifetimes of all buffers allocated in `function`. Linear in the program and in the lines drawn."""
    lines = _numbered(function)
    number = {op: index for index, (op, _) in enumerate(lines)}
    sizes = Sizes()
    buffers = [Lifetime(value, sizes.bytes_of(value.type, value)) for value in _allocated(lines)]
    flow = ViewFlow(function)
    live = Liveness(function, is_buffer)
    for buffer in buffers:
        _Tracer(function, lines, number, live, flow.resolve(buffer.value), buffer).trace()
    return Lifetimes(lines, buffers)


def _numbered(function: Operation) -> list[tuple[Operation, int]]:
    """All operations inside a function in textual order, with how deeply each is nested."""
    depth: dict[Operation, int] = {function: -1}
    lines: list[tuple[Operation, int]] = []
    for op in function.walk():
        if op is not function:
            assert op.parent_op is not None
            depth[op] = depth[op.parent_op] + 1
            lines.append((op, depth[op]))
    return lines


def _allocated(lines: list[tuple[Operation, int]]) -> list[OpResult]:
    found: list[OpResult] = []
    for op, _ in lines:
        if isinstance(op, MemoryEffectOp):
            made = {effect.value for effect in op.memory_effects() if effect.kind == ALLOCATE}
            found += [result for result in op.results if result in made and is_buffer(result)]
    return found


def _frees(op: Operation, values: set[Value]) -> bool:
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == FREE and effect.value in values for effect in op.memory_effects()
    )


class _Tracer:
    """Follows one buffer, under all its names, through the blocks it reaches."""

    def __init__(
        self,
        function: Operation,
        lines: list[tuple[Operation, int]],
        number: dict[Operation, int],
        live: Liveness,
        names: list[Value],
        buffer: Lifetime,
    ) -> None:
        self.function = function
        self.lines = lines
        self.number = number
        self.live = live
        self.names = set(names)
        self.buffer = buffer
        self.users = {use.owner for name in names for use in name.uses}
        self.needed: dict[Block, list[Operation]] = {}
        """For each block the operations in it that use the buffer, or hold others that do."""

    def trace(self) -> None:
        self._climb()
        for block in self._blocks():
            self._in_block(block)
        marks = self.buffer.lines
        for user in self.users:
            line = self.number.get(user)
            if line is not None:
                freed = _frees(user, self.names)
                self.buffer.freed = self.buffer.freed or freed
                marks[line] = FREED if freed else USED
        marks[self.number[self.buffer.value.owner]] = MADE

    def _climb(self) -> None:
        """Note each user in its block, and what is around it in the blocks around."""
        seen: set[Operation] = set()
        for user in self.users:
            op: Operation | None = user
            while op is not None and op is not self.function and op not in seen and op.block is not None:
                seen.add(op)
                self.needed.setdefault(op.block, []).append(op)
                op = op.parent_op

    def _blocks(self) -> list[Block]:
        """The blocks in which some name is defined, used, or carried through to another block."""
        found = dict.fromkeys(self.needed)
        home = self.buffer.value.owner.block
        if home is not None:
            found[home] = None
        regions = {block.region: None for block in found if block.region is not None}
        for region in regions:
            if not region.has_one_block:
                for block in region:
                    if any(self.live.is_live_in(name, block) for name in self.names):
                        found[block] = None
        return list(found)

    def _in_block(self, block: Block) -> None:
        """Mark the lines of a block from where the buffer comes in or is made to where it is last needed."""
        if block.is_empty:
            return
        maker = self.buffer.value.owner
        home = maker.ancestor_in_block(block)
        arrives = any(self.live.is_live_in(name, block) for name in self.names) or any(
            arg in self.names for arg in block.args
        )
        leaves = any(self.live.is_live_out(name, block) for name in self.names) or self._loops(block)
        needed = self.needed.get(block, [])
        if home is not maker and home is not None and not arrives and not leaves:
            needed = [op for op in needed if op is not home]
            if not needed:
                return  # made and last used inside of an operation of this block
        assert block.first_op is not None and block.last_op is not None
        first = self.number[block.first_op] if arrives or home is None else self.number[maker]
        if leaves:
            last = self._end_of(block.last_op)
        else:
            inside = max([first, *(self.number[op] for op in needed)])
            last = self._end_of(self.lines[inside][0])
        marks = self.buffer.lines
        for line in range(first, last + 1):
            marks.setdefault(line, ALIVE)

    def _loops(self, block: Block) -> bool:
        """Whether the block repeats and the buffer is made outside of it: then the next round needs it too."""
        op = block.parent_op
        if op is None or op is self.function or op.is_ancestor_of(self.buffer.value.owner):
            return False
        repeats = isinstance(op, LoopLikeOp) or (
            isinstance(op, RegionBranchOp) and block.region is not None and op.is_repetitive(block.region)
        )
        return repeats and any(name in self.names for name in self.live.live_in(block))

    def _end_of(self, op: Operation) -> int:
        """The last line of an operation: its own if it only uses the buffer itself, else that of what is inside it."""
        last = op
        if op in self.users and not any(block in self.needed for region in op.regions for block in region):
            return self.number[op]
        while last.regions:
            inner = next(
                (r.last_block.last_op for r in reversed(last.regions) if r.last_block is not None), None
            )
            if inner is None:
                break
            last = inner
        return self.number[last]
