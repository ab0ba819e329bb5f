"""A block on tensors as scheduling tasks: values, their buffers under the One-Shot decisions, and dependences.

A *step* is one execution of an operation of the block. It *needs* values, *touches* those whose buffers must exist while it runs,
*writes* some in place, and *makes* its results. A value tied to another one shares its buffer: a view, or the result of an
operation in place. Any other value begins a buffer. If an operand is out of place, the result begins a buffer, and the
operand is touched only if its contents are copied.

A step that touches no buffer (an empty tensor, a view, an index) is not scheduled; it precedes the first step that needs it.

A buffer is *outside* if it exists independently of the block: arguments, constants, returned or yielded values, values used in
other blocks. Its size counts as 0, like buffers that escape in `lives.Lives`. Nested operations count with the peak of
their regions (`transient`).

Reordering preserves the results and the One-Shot decisions by these rules:

  S1  a step stays after the definitions of the values it needs;
  S2  a step that writes a buffer stays after all earlier steps that touch it, and before all later ones;
  S3  steps with side effects keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...dialects import arith, func, tensor
from ...dialects.bufferization import ToBufferOp, ToTensorOp
from ...ir.program.core import Block, Operation, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.records import field, record
from ..cost_model import CostModel
from ..fixpoint import needed_first
from ..models.base import is_tensor
from ..moving import is_movable
from ..one_shot.result import AnalysisResult
from ..one_shot.state import tensor_operands
from .order import Tasks, peak_of

NOTHING = -1
"""The tie of a value that begins a buffer."""


class BlockStep(NamedTuple):
    """One execution of an operation.

    Attributes:
        op: the index of the operation in its block.
        needs: all values of the block that it depends on.
        touches: the values whose buffers must exist while it runs, including tied ones.
        writes: the subset of `touches` that it writes in place.
        makes: its results.
    """

    op: int
    needs: tuple[int, ...]
    touches: tuple[int, ...]
    writes: tuple[int, ...]
    makes: tuple[int, ...]


@record()
class Steps:
    """A block, and the buffers of its values.

    Attributes:
        block: the block.
        ops: its operations except the terminator.
        steps: one for each operation, in order.
        values: the tensors and scalars that the block defines or uses, by number.
        tie: for each value, the value whose buffer it shares, or NOTHING.
        size: for each value, the size in bytes of the buffer that it begins.
        outside: the values whose buffers exist independently of the block.
        is_fixed: for each operation, whether it has side effects.
        transient: for each operation, the bytes that it allocates only while it runs.
        written: for each operation, the size in bytes of its results other than views.
        kept: the values that the terminator or another block uses; these users keep the original when it is rematerialized.
    """

    block: Block
    ops: list[Operation]
    steps: list[BlockStep]
    values: list[Value]
    tie: list[int]
    size: list[int]
    outside: set[int]
    is_fixed: list[bool]
    transient: list[int]
    written: list[int] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)

    def new_value(self, like: int) -> int:
        """A new value with the size of `like`, untied and inside."""
        self.values.append(self.values[like])
        self.tie.append(NOTHING)
        self.size.append(self.size[like])
        return len(self.values) - 1

    def root(self, value: int) -> int:
        """The value that begins the buffer of `value`. Amortised near-constant."""
        tie = self.tie
        while tie[value] != NOTHING:
            above = tie[value]
            if tie[above] != NOTHING:
                tie[value] = tie[above]
            value = above
        return value

    def is_task(self, step: BlockStep) -> bool:
        return bool(step.touches) or self.is_fixed[step.op] or self.transient[step.op] > 0


Numbered = Callable[..., int]
"""The number of a value; with False, of one that the block defines."""


class Decided(NamedTuple):
    """The decisions about an operation.

    Attributes:
        tied: the operand whose buffer each result shares.
        touches, writes: as of `BlockStep`.
    """

    tied: dict[Value, int]
    touches: dict[int, None]
    writes: list[int]


class StepGraph(NamedTuple):
    """Steps as tasks to order.

    Attributes:
        tasks: the steps that touch buffers or have side effects.
        at: for each task, the number of its step.
        needs: for each step, the numbers of its predecessors.
        buffers: for each buffer of the tasks, the value that begins it; NOTHING for transient bytes of a step.
    """

    tasks: Tasks
    at: list[int]
    needs: list[list[int]]
    buffers: list[int]


def graph_of(block: Steps, steps: Sequence[BlockStep]) -> StepGraph:
    """The tasks of steps in some order. O(needs + touches)."""
    maker: dict[int, int] = {}
    writer: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    effect = NOTHING
    needs: list[list[int]] = []
    task_of: dict[int, int] = {}
    after: list[frozenset[int]] = []
    at: list[int] = []
    before: list[list[int]] = []
    uses: list[list[int]] = []
    sizes: list[int] = []
    buffers: list[int] = []
    number: dict[int, int] = {}
    nothing: frozenset[int] = frozenset()
    for i, step in enumerate(steps):
        needed = {maker[value]: None for value in step.needs if value in maker}
        if block.is_fixed[step.op]:
            if effect != NOTHING:
                needed[effect] = None
            effect = i
        written = {block.root(value) for value in step.writes}
        roots = {block.root(value): None for value in step.touches}
        for root in roots:
            if root in writer:
                needed[writer[root]] = None
            if root in written:
                needed.update(dict.fromkeys(readers.pop(root, ())))
                writer[root] = i
            else:
                readers.setdefault(root, []).append(i)
        for value in step.makes:
            maker[value] = i
        needed.pop(i, None)
        needs.append(list(needed))
        found = set().union(*(after[other] for other in needed)) if needed else nothing
        if not block.is_task(step):
            after.append(frozenset(found) if found else nothing)
            continue
        task = task_of[i] = len(at)
        at.append(i)
        before.append(sorted(found))
        after.append(frozenset((task,)))
        own: list[int] = []
        for root in roots:
            if root in block.outside or not block.size[root]:
                continue
            if root not in number:
                number[root] = len(sizes)
                sizes.append(block.size[root])
                buffers.append(root)
            own.append(number[root])
        if block.transient[step.op]:
            own.append(len(sizes))
            sizes.append(block.transient[step.op])
            buffers.append(NOTHING)
        uses.append(own)
    return StepGraph(Tasks(before, uses, sizes), at, needs, buffers)


def arranged(graph: StepGraph, order: Iterable[int]) -> list[int]:
    """The steps for an order of tasks: other steps right before the first that needs them, unneeded ones last. O(needs)."""
    done: dict[int, None] = {}
    for wanted in (*(graph.at[task] for task in order), *range(len(graph.needs))):
        for i in needed_first(wanted, done, lambda i: reversed(graph.needs[i])):
            done[i] = None
    return list(done)


# -- from a program


class Tensors:
    """The One-Shot decisions for a program, block by block. The program must not change."""

    def __init__(
        self, result: AnalysisResult, assumed: int, functions: Mapping[str, int] | None = None
    ) -> None:
        """`functions`: the bytes that calls allocate while they run, by callee name."""
        self._functions = functions or {}
        self._result = result
        self._answers = result.unsettled
        self._weights = CostModel(assumed)
        self._copied = {
            copy.operand for copy in result.plan() if copy.with_contents and copy.operand is not None
        }
        self._peaks: dict[Block, int] = {}

    def steps(self, block: Block) -> Steps | None:
        """The steps of a block; None if it accesses memory as tensors (`to_tensor`), whose order matters. O(operations)."""
        ops = [op for op in block if op is not block.last_op]
        last = block.last_op
        number: dict[Value, int] = {}
        found = Steps(block, ops, [], [], [], [], set(), [], [])

        def numbered(value: Value, is_outside: bool = True) -> int:
            known = number.get(value)
            if known is None:
                known = number[value] = len(found.values)
                found.values.append(value)
                found.tie.append(NOTHING)
                found.size.append(0)
                if is_outside:
                    found.outside.add(known)
            return known

        for op in ops:
            if any(
                isinstance(inner, ToTensorOp | ToBufferOp) for inner in (op.walk() if op.regions else (op,))
            ):
                return None
            step = self._step(op, found, numbered)
            found.steps.append(step)
            found.is_fixed.append(not is_movable(op))
            found.transient.append(self._transient(op))
        leaving = set(last.operands) if last is not None else set()
        if last is not None:
            leaving |= {value for inner in last.walk() for value in inner.operands}
        for value, name in list(number.items()):
            if value in leaving or any(use.owner.ancestor_in_block(block) is None for use in value.uses):
                found.kept.add(name)
        for name in list(found.outside | found.kept):
            found.outside.add(found.root(name))
        return found

    def peak(self, block: Block) -> int:
        """The peak of live bytes of a block, nested blocks included, in textual order."""
        known = self._peaks.get(block)
        if known is None:
            known = 0
            if any(is_tensor(result) for op in block for result in op.results):
                steps = self.steps(block)
                if steps is not None:
                    graph = graph_of(steps, steps.steps)
                    known = peak_of(graph.tasks, range(len(graph.at)))
            self._peaks[block] = known
        return known

    def note_peak(self, block: Block, peak: int) -> None:
        """Record the peak of a block in another order."""
        self._peaks[block] = peak

    def _transient(self, op: Operation) -> int:
        if isinstance(op, func.CallOp):
            return self._functions.get(op.callee_symbol().root, 0)
        return max((self.peak(inner) for region in op.regions for inner in region), default=0)

    def _step(self, op: Operation, block: Steps, numbered: Numbered) -> BlockStep:
        needs: dict[int, None] = {}
        tied, touches, writes = self._decided(op, numbered)
        for inner in op.walk() if op.regions else (op,):
            for value in inner.operands:
                if inner is op or self._is_from_outside(value, op):
                    name = numbered(value)
                    needs[name] = None
                    if inner is not op and is_tensor(value):
                        touches[name] = None
        makes: list[int] = []
        total = 0
        for result in op.results:
            name = numbered(result, False)
            makes.append(name)
            if not is_tensor(result):
                continue
            if result not in tied or writes:
                total += self._weights.bytes_of(result)
            if result in tied:
                block.tie[name] = tied[result]
            elif isinstance(op, arith.ConstantOp):
                block.outside.add(name)
            else:
                block.size[name] = self._weights.bytes_of(result)
                if not isinstance(op, tensor.EmptyOp):
                    touches[name] = None
        is_computed = not isinstance(op, tensor.EmptyOp | arith.ConstantOp)
        block.written.append(total if is_computed else 0)
        return BlockStep(len(block.steps), tuple(needs), tuple(touches), tuple(writes), tuple(makes))

    def _decided(self, op: Operation, numbered: Numbered) -> Decided:
        found = Decided({}, {}, [])
        for use in tensor_operands(op):
            name = numbered(use.value)
            if self._result.is_in_place(use):
                for alias in self._answers.aliasing_values(use):
                    if isinstance(alias.value, OpResult) and alias.value.owner is op:
                        found.tied.setdefault(alias.value, name)
                if self._answers.writes(use):
                    found.writes.append(name)
                    found.touches[name] = None
                elif self._answers.reads(use):
                    found.touches[name] = None
            elif use in self._copied:
                found.touches[name] = None
        return found

    @staticmethod
    def _is_from_outside(value: Value, op: Operation) -> bool:
        owner = value.defining_op
        if owner is None:
            around = value.parent_block.parent_op if value.parent_block is not None else None
            return around is None or not op.is_ancestor_of(around)
        return not op.is_ancestor_of(owner)


def blocks_of(function: FunctionOp) -> list[Block]:
    """The blocks of a function that define tensors, inner ones first."""
    found: list[Block] = []
    for op in [*function.walk_post_order()]:
        for region in op.regions:
            found += [
                block for block in region if any(is_tensor(r) for inner in block for r in inner.results)
            ]
    return found
