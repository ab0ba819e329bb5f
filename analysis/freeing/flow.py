"""Control flow of a function as extended basic blocks and edges between them.

An *extended block* is a run of operations of one block without control flow in between: a block is cut after each operation
whose regions contain buffers. An *edge* leads from the end of an extended block to the start of another, and says which values
it forwards: operands to block and region arguments, or to results of an operation with regions. Branches, unstructured loops,
structured loops and conditionals thus have one representation.

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
from ...ir.declaration.constraints import ANY_TYPE
from ...ir.declaration.declare import VariadicField
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.program.interfaces import (
    FREE,
    BranchOp,
    Condition,
    FunctionOp,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ...ir.source.records import field, record
from ..graphs import forwarded, region_exits, reverse_postorder
from ..origins import is_buffer

MAX_CONDITIONS = 8
"""Nested `scf.if` that are recognized as one conditional free; this pass generates at most two levels."""


@record(eq=False, repr=False)
class ExtendedBlock:
    """Operations that run one after the other.

    Attributes:
        block: the block they are in.
        behind: the operation with regions that it continues, None at the start of a block.
        ops: the operations; only the last may let control go elsewhere.
        inputs: the values defined on entry: block arguments, or results of `behind`.
        arriving, leaving: the incoming and outgoing edges.
        rank: its number in reverse postorder; its dominators have smaller ones.
    """

    block: Block
    behind: Operation | None
    inputs: list[Value]
    ops: list[Operation] = field(default_factory=list)
    arriving: list[CfgEdge] = field(default_factory=list)
    leaving: list[CfgEdge] = field(default_factory=list)
    rank: int = -1

    @property
    def last(self) -> Operation | None:
        return self.ops[-1] if self.ops else None


@record(eq=False, repr=False)
class CfgEdge:
    """A control-flow edge between extended blocks.

    Attributes:
        passed: pairs of an input of the target and the value forwarded to it.
        condition: the condition under which control takes the edge, if known.
        successor: for a branch, the index of the successor.
    """

    source: ExtendedBlock
    target: ExtendedBlock
    passed: list[tuple[Value, Value]]
    condition: Condition | None = None
    successor: int | None = None

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
            behind = self.target.behind
            if behind is not None and behind is not self.source.last:
                return False
        if not self.is_critical or self.successor is not None:
            return True
        last = self.source.last
        return (
            last is not None
            and last.name in ("scf.if", "affine.if")
            and self.target.behind is last
            and self.target.block is self.source.block
            and not last.results
        )


class ExtendedBlockGraph:
    """The graph of a function.

    Attributes:
        extended blocks: those that the entry reaches, in reverse postorder.
        entry: the first.
        behind: for each operation with extended blocks in its regions, the extended block that continues after it.
    """

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
        self._first: dict[Block, ExtendedBlock] = {}
        self.behind: dict[Operation, ExtendedBlock] = {}
        self._ends: list[tuple[ExtendedBlock, Operation | None]] = []
        self._closed: set[Operation] = set()
        self._closed_around: dict[tuple[Block, Block], Operation | None] = {}
        concerned = _with_buffers_inside(function)
        waiting: list[Region] = [function.body]
        while waiting:
            for block in waiting.pop():
                self._cut(block, concerned, waiting)
        last_of: dict[Block, ExtendedBlock] = {ebb.block: ebb for ebb, _ in self._ends}
        for ebb, cut in self._ends:
            if cut is None:
                self._branches(ebb)
            else:
                self._regions(ebb, cut, last_of)
        self.entry = self._first[function.body.entry]
        order = reverse_postorder([self.entry], lambda s: [p.target for p in s.leaving])
        self.ebbs: list[ExtendedBlock] = order
        for rank, ebb in enumerate(order):
            ebb.rank = rank
        for ebb in order:
            ebb.arriving = [p for p in ebb.arriving if p.source.rank >= 0]

    def _cut(self, block: Block, concerned: set[Operation], regions: list[Region]) -> None:
        ebb = self._first[block] = ExtendedBlock(block, None, list(block.args))
        for op in block:
            ebb.ops.append(op)
            if op in concerned:
                self._ends.append((ebb, op))
                if _is_closed(op):
                    self._closed.add(op)
                regions.extend(region for region in op.regions if not region.is_empty)
                ebb = self.behind[op] = ExtendedBlock(
                    block, op, list(op.results) if has_known_region_flow(op) else []
                )
        self._ends.append((ebb, None))

    def _pass(self, edge: CfgEdge) -> None:
        edge.source.leaving.append(edge)
        edge.target.arriving.append(edge)

    def _branches(self, ebb: ExtendedBlock) -> None:
        last = ebb.block.last_op
        if last is None:
            return
        for i, block in enumerate(last.successors):
            passed: list[tuple[Value, Value]] = []
            condition = None
            if isinstance(last, BranchOp):
                arguments = block.args[last.produced_operand_count(i) :]
                passed = [
                    (arg, use.value) for arg, use in zip(arguments, last.successor_operands(i), strict=False)
                ]
                condition = last.successor_condition(i)
            self._pass(CfgEdge(ebb, self._first[block], passed, condition, i))

    def _regions(self, ebb: ExtendedBlock, op: Operation, last_of: dict[Block, ExtendedBlock]) -> None:
        behind = self.behind[op]
        if not has_known_region_flow(op):
            regions = [region for region in op.regions if not region.is_empty]
            entries = [self._first[region.entry] for region in regions]
            for target in (*entries, behind):
                self._pass(CfgEdge(ebb, target, []))
                for region in regions:
                    for block in region:
                        if block in last_of and not block.successors:
                            self._pass(CfgEdge(last_of[block], target, []))
            return
        for i, successor in enumerate(op.region_successors(None)):
            target = self._first[successor.region.entry] if successor.region is not None else behind
            uses = op.entry_successor_operands(successor)
            passed = [(given, use.value) for given, use in zip(successor.inputs, uses, strict=False)]
            self._pass(CfgEdge(ebb, target, passed, op.entry_condition(i)))
        for region in op.regions:
            exits = region_exits(region) if not region.is_empty else []
            for successor in op.region_successors(region) if exits else ():
                target = self._first[successor.region.entry] if successor.region is not None else behind
                for end in exits:
                    assert end.block is not None
                    uses = forwarded(end, successor)
                    passed = [(given, use.value) for given, use in zip(successor.inputs, uses, strict=False)]
                    self._pass(CfgEdge(last_of[end.block], target, passed))


def has_known_region_flow(op: Operation) -> TypeGuard[RegionBranchOp]:
    """Whether P2 applies: the operation and the exits of its regions implement the region branch interface."""
    return (
        isinstance(op, RegionBranchOp)
        and not op.has_trait(tr.PARALLEL_LOOP)
        and all(
            region.is_empty or not op.region_successors(region) or region_exits(region)
            for region in op.regions
        )
    )


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
        is_plain = around.name == "scf.if" and not around.results and around.regions[1].is_empty
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
        if around in one_step or (op.name == "scf.if" and guarded_frees(op)):
            one_step.add(op)
        elif not any(is_buffer(use.value) for use in op.op_operands) and not any(map(is_buffer, op.results)):
            continue
        if around in one_step:
            continue
        while around is not None and around is not function and around not in found:
            found.add(around)
            around = around.parent_op
    return found
