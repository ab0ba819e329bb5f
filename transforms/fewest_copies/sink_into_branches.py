"""Sinking updates into the branch that uses them: the other branch then still has the old value, without a copy.

    %u = tensor.insert %f into %t[%i]              %r = scf.if %c {
    %r = scf.if %c {                                 %u = tensor.insert %f into %t[%i]
      scf.yield %u                             =>    scf.yield %u
    } else {                                       } else {
      scf.yield %t       // %t must survive          scf.yield %t
    }                                              }

A choice of a tensor by `arith.select` becomes an `scf.if` if an update sinks into it. A successor of `cf.cond_br` that no other
branch reaches is a branch, too.

An operation sinks if

(1) it computes the same wherever its operands are available, and has no side effects;
(2) all its results are used in one branch, by operations of the branch or by others that sink into it; uses in later blocks
    are elsewhere;
(3) it is an update, or depends on one that sinks: sinking other reads might only extend live ranges;
(4) no memory behind a tensor is written in between: with `to_tensor` or `to_buffer` in the function, every operation that
    it passes is free of side effects.

It then runs at most as often as before, on the same operands, so the program computes the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from ...analysis.graphs import block_graph
from ...analysis.moving import BORDERS, is_movable, values_used
from ...dialects import arith, cf, scf, tensor
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, Region, Value
from ...ir.program.interfaces import (
    DestinationStyleOp,
    FunctionOp,
    SubsetInsertionOp,
    is_memory_effect_free,
)
from ...ir.source.diagnostics import present
from ...ir.types import types as t

BRANCHES = (scf.IfOp, scf.IndexSwitchOp)
"""Operations that run at most one of their regions, once."""
MAX_SUNK = 64
"""Operations that sink into one branch; further ones stay."""
MAX_PASSED = 1_000
"""Operations that an update passes on its way into a branch; with more, it stays."""


def sink_into_branches(op: Operation) -> int:
    """Sink updates into the branches of `op`, or into those that replace a select, as deep as possible.

    Returns the number of operations sunk. O(operations in the branches + operations sunk * their uses), for each level.
    """
    if isinstance(op, arith.SelectOp):
        return _sink_into_select(op)
    if isinstance(op, cf.CondBranchOp):
        return _sink_into_successors(op)
    if not isinstance(op, BRANCHES):
        return 0
    sunk = _sink_into_regions(op)
    if sunk:
        for nested in [inner for inner in op.walk() if inner is not op and isinstance(inner, BRANCHES)]:
            _sink_into_regions(nested)
    return sunk


def _sink_into_regions(op: Operation) -> int:
    moved = 0
    for region in op.regions:
        if not region.is_empty:
            used = [value for inner in region.ops() for value in values_used(inner)]
            moved += _move(_sinking(op, used, lambda use, region=region: _is_in(use, region)), region.entry)
    return moved


def _sink_into_successors(op: cf.CondBranchOp) -> int:
    moved = 0
    for block in op.successors:
        used = [value for inner in block for value in values_used(inner)]
        sinking = _sinking(op, used, lambda use, block=block: use.owner.ancestor_in_block(block) is not None)
        if sinking and _enters_alone(op, block):
            moved += _move(sinking, block)
    return moved


def _enters_alone(branch: cf.CondBranchOp, block: Block) -> bool:
    """Whether `branch` is the only way into `block`, which then runs at most once for each time that the branch does."""
    entries = list(block_graph(present(block.region)).predecessors(block))
    return (
        entries == [branch.block] and list(branch.successors).count(block) == 1 and block is not branch.block
    )


def _sink_into_select(op: arith.SelectOp) -> int:
    if op.operands[0].type is not t.I1 or not t.is_tensor(op.results[0].type):
        return 0
    sides = [_sinking(op, [use.value], lambda use, side=use: use is side) for use in op.op_operands[1:]]
    if not any(sides):
        return 0
    made = scf.IfOp((op.operands[0],), [op.results[0].type], {}, None, 2, (), op.where)
    Builder.before(op).insert(made)
    for region, value in zip(made.regions, op.operands[1:], strict=True):
        Builder.at_end(region.append(Block(()))).insert(scf.YieldOp((value,)))
    made.results[0].name_hint = op.results[0].name_hint
    op.replace_with(made.results)
    return sum(_move(side, region.entry) for side, region in zip(sides, made.regions, strict=True))


def _move(ops: Sequence[Operation], block: Block) -> int:
    first = block.first_op
    assert first is not None
    for op in ops:
        op.move_before(first)
    return len(ops)


def _is_in(use: OpOperand, region: Region) -> bool:
    return region.is_ancestor_of(use.owner.parent_region)


def _sinking(
    branch: Operation, values: Sequence[Value], is_inside: Callable[[OpOperand], bool]
) -> list[Operation]:
    """The operations to sink into one side of `branch`, in order.

    Args:
        values: those that the side uses.
        is_inside: whether a use belongs to the side.
    """
    found: set[Operation] = set()
    pending: list[tuple[int, Operation]] = []
    seen: set[Operation] = set()

    def add(value: Value) -> None:
        op = value.defining_op
        if op is not None and op.block is branch.block and op not in seen:
            seen.add(op)
            heappush(pending, (-op.position, op))

    for value in values:
        add(value)
    while pending and len(found) < MAX_SUNK:
        op = heappop(pending)[1]  # the last one: its users have been decided
        if not _may_sink(op) or not all(
            is_inside(use) or use.owner in found for result in op.results for use in result.uses
        ):
            continue
        found.add(op)
        for value in values_used(op):
            add(value)
    sinking: dict[Operation, None] = {}
    for op in sorted(found, key=lambda op: op.position):
        if _updates(op) or any(value.defining_op in sinking for value in values_used(op)):
            sinking[op] = None
    return [] if not sinking or _may_pass_writes(next(iter(sinking)), branch) else list(sinking)


def _may_sink(op: Operation) -> bool:
    is_on_tensors = any(t.is_tensor(value.type) for value in (*op.operands, *op.results))
    return is_on_tensors and is_movable(op) and not any(inner.name in BORDERS for inner in op.walk())


def _updates(op: Operation) -> bool:
    """Whether the operation writes to a tensor with contents."""
    if isinstance(op, tensor.InsertOp):
        written = [op.operands[1]]
    elif isinstance(op, SubsetInsertionOp):
        written = [op.subset_destination().value]
    elif isinstance(op, DestinationStyleOp):
        written = [use.value for use in op.dps_inits()]
    else:
        return False
    return any(not isinstance(value.defining_op, tensor.EmptyOp) for value in written)


def _may_pass_writes(first: Operation, branch: Operation) -> bool:
    """Whether memory behind a tensor may be accessed between the first operation to sink and the branch."""
    passed, following = 0, first.next_op
    while following is not None and following is not branch and is_memory_effect_free(following):
        passed, following = passed + 1, following.next_op
        if passed > MAX_PASSED:
            return True
    if following is branch:
        return False
    function = first.closest(FunctionOp) or first.root
    return any(op.name in BORDERS for op in function.walk())
