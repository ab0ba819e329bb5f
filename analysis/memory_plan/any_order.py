"""A block as tasks for bounds on all orders: none holds less, whatever One-Shot decides in it.

In another order, other operands are in place. So no decision is taken here: each buffer counts as far as it exists under all
decisions, and only the needs of the steps and the order of effects remain.

  B1  A result that may overwrite what the step reads shares that buffer: if it does not, both exist while the step runs, and
      each lives on by itself.
  B2  If the step reads nothing of the buffer that it may overwrite, the result begins one: the other is dead by then.
  B3  A view of a whole buffer is tied to it, and so is a view of a part if all writes to the buffer precede it. Any other view
      counts nothing: if it is copied, its source may die. Nor does a result that may overwrite a part.
  B4  A value counts nothing if it may be in the buffer of one from outside, if it is inserted into another tensor, where
      -eliminate-empty-tensors may compute it, if it is a `tensor.empty`, or the result of a call or of control flow.
  B5  Of the results with one `tensor.empty` as their destination, if some are outside, the others may use its buffer in turn:
      the bounds are lower by its size.
"""

from __future__ import annotations

from ...dialects import arith, tensor
from ...dialects.linalg.named import CopyOp
from ...ir.program.core import Block, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import CallOpInterface, RegionBranchOp, SubsetInsertionOp
from ...ir.source.union_find import UnionFind, find
from ..models.base import is_tensor
from ..one_shot.state import tensor_operands
from .order import best_order
from .recompute import least_with_recomputation
from .steps import NOTHING, Decided, Numbered, Steps, Tensors, graph_of


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
