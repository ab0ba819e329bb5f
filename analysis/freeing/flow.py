"""Control flow of a function as extended basic blocks and edges between them.

The graph of program points of `dataflow.graph`, of one function, whose blocks are cut only after operations whose regions
contain buffers. An edge says which values it forwards: operands to block and region arguments, or to results of an operation
with regions. Branches, unstructured loops, structured loops and conditionals thus have one representation.

  P1  A branch has an edge to each successor.
  P2  An operation with known region control flow (`RegionBranchOp`) has the edges of its `region_successors`.
  P3  The regions of any other operation that contain buffers may run repeatedly and in any order. So may the body of a
      parallel loop, and of an operation that runs concurrently (`async.execute`).

An operation of P2 or P3 is *closed* if its regions repeat without loop-carried values (`scf.parallel`, `scf.forall`, those of
P3). Buffers owned inside were allocated inside, in the same iteration: all outer buffers are live in the next iteration.

The graph contains only what the entry reaches. Endless loops and dead ends need no special treatment: nothing is live after
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from ...dialects.memref import ExtractAlignedPointerAsIndexOp
from ...dialects.scf import IfOp
from ...ir.declaration.constraints import ANY_TYPE
from ...ir.declaration.declare import VariadicField
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import (
    FREE,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ...ir.source.diagnostics import expect
from ..dataflow.graph import (
    EdgeKind,
    FlowEdge,
    FlowGraph,
    Segment,
    has_known_region_flow as all_edges_known,
    reached,
)
from ..graphs import BranchSuccessor, RegionEdge
from ..origins import is_buffer

MAX_CONDITIONS = 8
"""Nested `scf.if` that are recognized as one conditional free; this pass generates at most two levels."""


class ExtendedBlock(Segment):
    """A segment of the graph, with its operations and edges as they were when the graph was built.

    Attributes:
        ops: the operations; only the last may let control go elsewhere.
    """

    __slots__ = ("_ops",)
    leaving: list[CfgEdge]
    arriving: list[CfgEdge]

    def read_operations(self) -> None:
        self._ops = super().ops

    @property
    def ops(self) -> list[Operation]:
        return self._ops

    @property
    def last(self) -> Operation | None:
        return self.ops[-1] if self.ops else None

    @property
    def inputs(self) -> list[Value]:
        """The values defined on entry: block arguments, or results of `after` that its edges forward."""
        return super().inputs if self.after is None or has_known_region_flow(self.after) else []


class CfgEdge(FlowEdge):
    """An edge between extended blocks.

    Attributes:
        passed: pairs of an input of the target and the value forwarded to it.
        successor: for a branch, the index of the successor.
    """

    __slots__ = ("passed", "successor")
    source: ExtendedBlock
    target: ExtendedBlock

    def __init__(
        self,
        source: Segment,
        target: Segment,
        kind: EdgeKind,
        op: Operation | None,
        way: BranchSuccessor | RegionEdge | None = None,
    ) -> None:
        super().__init__(source, target, kind, op, way)
        self.passed = [(argument, use.value) for use, argument in self.pairs()]
        self.successor = way.index if isinstance(way, BranchSuccessor) else None

    @property
    def is_critical(self) -> bool:
        """Whether its source has several outgoing and its target several incoming edges."""
        return len(self.source.leaving) > 1 and len(self.target.arriving) > 1

    @property
    def can_be_split(self) -> bool:
        """Whether operations can be inserted on it: in a new block for a branch, in a missing `else` for `scf.if`.

        Not on one of several edges out of a region: values from inside are not visible after it.
        """
        if len(self.source.leaving) > 1 and self.source.block.region is not self.target.block.region:
            after = self.target.after
            if after is not None and after is not self.source.last:
                return False
        if not self.is_critical or self.successor is not None:
            return True
        last = self.source.last
        return (
            last is not None
            and last.name in ("scf.if", "affine.if")
            and self.target.after is last
            and self.target.block is self.source.block
            and not last.results
        )


class ExtendedBlockGraph(FlowGraph):
    """The graph of a function, cut only at operations whose regions contain buffers.

    Attributes:
        ebbs: the extended blocks that the entry reaches, in reverse postorder; `number` is -1 for all others.
        entry: the first.
    """

    segment_class = ExtendedBlock
    edge_class = CfgEdge

    @property
    def any_closed(self) -> bool:
        return bool(self._closed)

    def closed_around(self, block: Block, seen_from: Block) -> Operation | None:
        """The outermost closed operation around `block` that does not enclose `seen_from`. O(depth), cached."""
        key = (block, seen_from)
        if key not in self._closed_around:
            found = None
            around = block.parent_op
            while around is not None and around is not self.function:
                if around in self._closed:
                    if around.is_ancestor_of(seen_from.parent_op):
                        break
                    found = around
                around = around.parent_op
            self._closed_around[key] = found
        return self._closed_around[key]

    def __init__(self, function: FunctionOp) -> None:
        """O(operations + edges)."""
        self.function = function
        self._concerned = _with_buffers_inside(function)
        self._closed = {op for op in self._concerned if _is_closed(op)}
        self._closed_around: dict[tuple[Block, Block], Operation | None] = {}
        super().__init__(function)
        self.entry = expect(ExtendedBlock, self.first(function.body.entry))
        inside = reached([self.entry])
        self.ebbs: list[ExtendedBlock] = []
        for segment in self.order:
            ebb = expect(ExtendedBlock, segment)
            ebb.read_operations()
            ebb.arriving = [edge for edge in ebb.arriving if edge.source in inside]
            if ebb in inside:
                self.ebbs.append(ebb)
            else:
                ebb.number = -1

    def segment_after(self, op: Operation) -> ExtendedBlock | None:
        after = super().segment_after(op)
        return after if isinstance(after, ExtendedBlock) else None

    def _may_cut(self, op: Operation) -> bool:
        return op in self._concerned

    def _is_root(self, op: Operation) -> bool:
        return False

    def _has_known_flow(self, op: Operation) -> TypeGuard[RegionBranchOp]:
        return has_known_region_flow(op)


def has_known_region_flow(op: Operation) -> TypeGuard[RegionBranchOp]:
    """Whether P2 applies: the operation and the exits of its regions implement the region branch interface."""
    return not op.has_trait(tr.PARALLEL_LOOP) and all_edges_known(op)


def takes_more_values(op: Operation) -> bool:
    """Whether an operation can get one more result, and the terminators of its regions one more operand.

    It can if its definition has a variadic result of any type.
    """
    last = op.definition.results[-1:] if has_known_region_flow(op) and op.definition is not None else ()
    return any(isinstance(field, VariadicField) and field.constraint is ANY_TYPE for field in last)


def carries_more_values(op: Operation) -> bool:
    """Whether an operation is a loop that can get one more iter_arg."""
    return isinstance(op, LoopLikeOp) and takes_more_values(op)


def _is_closed(op: Operation) -> bool:
    if not has_known_region_flow(op):
        return True
    repeats = any(
        successor.region is region for region in op.regions for successor in op.region_successors(region)
    )
    return repeats and not carries_more_values(op)


def guarded_frees(op: Operation) -> list[tuple[Operation, tuple[Value, ...]]]:
    """For an `scf.if` that only frees: the frees in it, each with the conditions under which it runs.

    Empty for any other operation, and if a buffer may die before the last of these frees: it views a buffer that it does not
    free, or continues after another condition. O(operations inside).
    """
    found: list[tuple[Operation, tuple[Value, ...]]] = []
    waiting: list[tuple[Operation, tuple[Value, ...]]] = [(op, ())]
    while waiting:
        around, conditions = waiting.pop()
        is_plain = isinstance(around, IfOp) and not around.results and around.regions[1].is_empty
        if not is_plain or len(conditions) == MAX_CONDITIONS:
            return []
        conditions = (*conditions, around.operands[0])
        for inner in around.regions[0].ops():
            if inner.regions:
                if inner.next_op is not around.regions[0].entry.last_op:
                    return []
                waiting.append((inner, conditions))
            elif isinstance(inner, ViewLikeOp):
                if not inner.results[0].has_uses:
                    return []
            elif isinstance(inner, MemoryEffectOp):
                effects = inner.memory_effects()
                if inner.results or any(effect.kind != FREE for effect in effects):
                    return []
                if effects:
                    found.append((inner, conditions))
            elif not _only_computes(inner):
                return []
    return found


def _only_computes(op: Operation) -> bool:
    """Whether an operation has no effects and uses at most the address of a buffer."""
    return op.has_trait(tr.TERMINATOR) or (
        op.has_trait(tr.PURE)
        and (isinstance(op, ExtractAlignedPointerAsIndexOp) or not any(map(is_buffer, op.operands)))
    )


def uses_inside(op: Operation, is_cut: bool) -> Iterator[Value]:
    """The operands of `op`, and those of nested operations unless its regions are cut into extended blocks."""
    if is_cut or not op.regions:
        yield from op.operands
        return
    for inner in op.walk():
        yield from inner.operands


def _with_buffers_inside(function: FunctionOp) -> set[Operation]:
    """The operations in `function` whose regions use or define memrefs other than to free them conditionally."""
    found: set[Operation] = set()
    one_step: set[Operation] = set()
    for op in function.walk():
        around = op.parent_op
        if around in one_step or (isinstance(op, IfOp) and guarded_frees(op)):
            one_step.add(op)
        elif not any(is_buffer(use.value) for use in op.op_operands) and not any(map(is_buffer, op.results)):
            continue
        if around in one_step:
            continue
        while around is not None and around is not function and around not in found:
            found.add(around)
            around = around.parent_op
    return found
