"""From which buffers a memref may come: edges from every memref to those that may look at the same memory.

Each operation adds edges by the first of these that applies.

  V1  `arith.select`: from both choices to the result; `memref.realloc`: from the source to the result.
  V2  a view: from its source to its result.
  V3  a branch: from what is passed to the arguments of the block it goes to.
  V4  an operation with control flow among its regions: along each way in, between and out.
  V5  a call: from every operand to every result.
  V6  any other operation: none, as in MLIR 22; or, if `conservative`, from every operand to every result.

A *terminal* is where a buffer may come into being: the result of an operation under V5 or V6 (an allocation, say), an
argument of a region that is not entered by V4 (those of a function), the result of a `memref.realloc`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from ..dialects import arith, memref
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import BranchOp, CallOpInterface, RegionBranchOp, ViewLikeOp
from ..ir.types import types as t
from .control_flow import leaves_region
from .graphs import passed_pairs

T = TypeVar("T", bound=Hashable)


def is_buffer(value: Value) -> bool:
    """Whether `value` is a memref, of known rank or not."""
    return isinstance(value.type, (t.MemRefType, t.UnrankedMemRefType))


class ViewFlow:
    """The edges inside `root`, and the terminals. O(operations + operands) to build.

    Attributes:
        targets: for each memref, those that may view it directly, in order of discovery.
        sources: the same edges, turned round.
        terminals: where buffers may come into being, in textual order of the operations that hold or make them.
    """

    def __init__(self, root: Operation, conservative: bool = False) -> None:
        self.targets: dict[Value, list[Value]] = {}
        self.sources: dict[Value, list[Value]] = {}
        self.terminals: dict[Value, None] = {}
        self._conservative = conservative
        for op in root.walk():
            self._operation(op)

    def resolve(self, value: Value) -> list[Value]:
        """`value` and all that may view it, directly or not, in breadth-first order. O(what is found)."""
        return closure([value], lambda v: self.targets.get(v, ()))

    def resolve_back(self, values: Iterable[Value]) -> list[Value]:
        """`values` and all that they may view, directly or not."""
        return closure(values, lambda v: self.sources.get(v, ()))

    def _edge(self, source: Value, target: Value) -> None:
        if is_buffer(source) and is_buffer(target):
            self.targets.setdefault(source, []).append(target)
            self.sources.setdefault(target, []).append(source)

    def _terminals(self, values: Iterable[Value]) -> None:
        self.terminals.update((value, None) for value in values if is_buffer(value))

    def _operation(self, op: Operation) -> None:
        if isinstance(op, arith.SelectOp):
            for choice in op.operands[1:]:
                self._edge(choice, op.results[0])
        elif isinstance(op, memref.ReallocOp):
            self._edge(op.operands[0], op.results[0])
            self._terminals(op.results)
        elif isinstance(op, ViewLikeOp):
            self._edge(op.view_source(), op.results[0])
        elif isinstance(op, (BranchOp, RegionBranchOp)):
            for use, target in passed_pairs(op):
                self._edge(use.value, target)
        elif leaves_region(op):
            pass
        elif isinstance(op, CallOpInterface):
            self._all_to_all(op.operands, op.results)
            self._terminals(op.results)
        else:
            if self._conservative:
                self._all_to_all(op.operands, op.results)
            self._terminals(op.results)
            for region in op.regions:
                if not region.is_empty:
                    self._terminals(region.entry.args)

    def _all_to_all(self, sources: Sequence[Value], targets: Sequence[Value]) -> None:
        """Edges from every buffer to every buffer: results of one operation, which nothing else feeds, share the list of theirs."""
        feeding = [source for source in sources if is_buffer(source)]
        fed = [target for target in targets if is_buffer(target)]
        for source in feeding:
            self.targets.setdefault(source, []).extend(fed)
        for target in fed if feeding else ():
            self.sources[target] = feeding


def closure(values: Iterable[T], following: Callable[[T], Iterable[T]]) -> list[T]:
    """`values` and all that is reached from them, breadth first."""
    found = dict.fromkeys(values)
    order = list(found)
    for value in order:  # grows while it is walked
        for reached in following(value):
            if reached not in found:
                found[reached] = None
                order.append(reached)
    return order


def strip_views(value: Value) -> Value:
    """The memref at the bottom of a chain of views. O(length)."""
    op = value.defining_op
    while isinstance(op, ViewLikeOp) and value is op.results[0]:
        value = op.view_source()
        op = value.defining_op
    return value
