"""Canonicalization of region branches: forwarded values of `scf.if`, `scf.for` and `scf.while`.

Control enters a region, or returns to the operation, with values: *inputs* (entry block arguments of the region,
results of the operation), each fed by *operands* of the operation or of region terminators. That map alone implies

* an input whose only possible value is defined outside is that value;
* two inputs of one region, or two results, that are always fed the same are one;
* inputs that are tied (fed by one operand, as a loop's argument and result are) can be removed together once
  unused.

Each pattern is linear in the operands and inputs of the operation; equal traces are shared at logarithmic cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from ...analysis.graphs import passed_pairs
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import RegionBranchOp
from ...ir.source import find
from ...ir.source.diagnostics import present
from ..rewriting.rewriter import Rewriter, erase_operands


class Edges:
    """The forwarding relation around the regions of one operation.

    Attributes:
        fed_by: for each input, the operands that may feed it.
        feeds: for each operand, the inputs it may feed.
    """

    def __init__(self, op: RegionBranchOp) -> None:
        self.fed_by: dict[Value, list[OpOperand]] = {}
        self.feeds: dict[OpOperand, list[Value]] = {}
        for use, value in passed_pairs(op):
            self.fed_by.setdefault(value, []).append(use)
            self.feeds.setdefault(use, []).append(value)

    def origin(self, value: Value) -> Value | None:
        """The only value other than an input that reaches `value`; None if there are several.

        O(inputs and operands that reach `value`).
        """
        found: Value | None = None
        seen: set[Value] = set()
        waiting = [value]
        while waiting:
            current = waiting.pop()
            feeding = self.fed_by.get(current)
            if feeding is None:
                if found is not None and found is not current:
                    return None
                found = current
                continue
            for use in feeding:
                if use.value not in seen:
                    seen.add(use.value)
                    waiting.append(use.value)
        return found


def _may_stand_for(op: Operation, origin: Value, value: Value) -> bool:
    """Whether `origin` dominates every use of the input `value`."""
    region = origin.parent_region
    if region is None or region.parent_op is not op:
        return True
    return (
        isinstance(value, BlockArgument) and isinstance(origin, BlockArgument) and origin.owner is value.owner
    )


def use_origins(op: RegionBranchOp, edges: Edges, rewriter: Rewriter) -> bool:
    """Replace an input by the only value it can have."""
    changed = False
    for value in edges.fed_by:
        if not value.has_uses:
            continue
        origin = edges.origin(value)
        if origin is not None and _may_stand_for(op, origin, value):
            rewriter.replace_uses(value, origin)
            changed = True
    return changed


def merge_duplicates(edges: Edges, rewriter: Rewriter) -> bool:
    """Merge inputs of one region, or results, that are fed the same along every edge."""
    first: dict[object, Value] = {}
    changed = False
    for value in sorted(edges.fed_by, key=_position):
        key = (_owner(value), frozenset((use.owner, use.value) for use in edges.fed_by[value]))
        known = first.setdefault(key, value)
        if known is not value and value.has_uses:
            rewriter.replace_uses(value, known)
            changed = True
    return changed


def _owner(value: Value) -> Operation | Block:
    assert isinstance(value, (OpResult, BlockArgument))
    return value.owner


def _position(value: Value) -> int:
    assert isinstance(value, (OpResult, BlockArgument))
    return value.index


def drop_unused(op: RegionBranchOp, rewriter: Rewriter, edges: Edges | None = None) -> bool:
    """Remove unused inputs, the inputs tied to them, and the operands that feed them."""
    edges = edges or Edges(op)
    representative: dict[Value, Value] = {value: value for value in edges.fed_by}

    for values in edges.feeds.values():
        for other in values[1:]:
            representative[find(representative, other)] = find(representative, values[0])
    used = {find(representative, value) for value in representative if value.has_uses}
    gone = [value for value in representative if find(representative, value) not in used]
    if not gone:
        return False
    operands: dict[Operation, set[int]] = {}
    for value in gone:
        for use in edges.fed_by[value]:
            operands.setdefault(use.owner, set()).add(use.index)
    for owner, positions in operands.items():
        erase_operands(owner, positions)
        rewriter.modified(owner)
    for value in sorted(gone, key=_position, reverse=True):
        if isinstance(value, BlockArgument):
            value.owner.erase_argument(value.index)
            rewriter.modified(op)
    results = {value.index for value in gone if isinstance(value, OpResult)}
    if results:
        rewriter.rebuild(op, kept_results=[r.index for r in op.results if r.index not in results])
    return True


def simplify_inputs(op: RegionBranchOp, rewriter: Rewriter) -> bool:
    """The first of these three that applies; the edges are followed once for all."""
    if not op.results and not any(not region.is_empty and region.entry.args for region in op.regions):
        return False
    state = _state_of(op)
    if rewriter.memo.get(("simple", op)) == state:
        return False
    edges = Edges(op)
    if (
        use_origins(op, edges, rewriter)
        or merge_duplicates(edges, rewriter)
        or drop_unused(op, rewriter, edges)
    ):
        return True
    rewriter.memo["simple", op] = state
    return False


def _state_of(op: Operation) -> list[object]:
    """The inputs of the three patterns: the operands of `op` and of terminators, the inputs, and which of them are used.

    Every edit in a nest returns all loops around it to the worklist, where most have not changed.
    """
    state: list[object] = [use._value for use in op.op_operands]
    state += [result._first_use is None for result in op.results]
    for region in op.regions:
        for block in region:
            if block.last_op is not None:
                state.append(block.last_op)
                state += [use._value for use in block.last_op.op_operands]
            for arg in block.args:
                state += (arg, arg._first_use is None)
    return state


REGION_BRANCH_PATTERNS: Final = (simplify_inputs,)


# -- inlining a region


def replace_by_region(
    op: Operation, region: Region, rewriter: Rewriter, arguments: Sequence[Value] = ()
) -> None:
    """Inline the single block of `region` before `op`; its yielded values replace the results of `op`, which is
    erased."""
    block = region.entry
    terminator = present(block.last_op)
    rewriter.inline_block(block, op, arguments)
    rewriter.replace(op, terminator.operands)
    rewriter.erase(terminator)


def has_only_terminator(region: Region) -> bool:
    """Whether the region has a single block that holds a single operation."""
    return (
        region.has_one_block and region.entry.first_op is region.entry.last_op and not region.entry.is_empty
    )


# -- uses of a value by block or region, for values with thousands of uses. Each of n branches on one condition would
# scan all uses of the condition, which is quadratic. For values with many uses, the locations are therefore recorded
# once per rewriting round; uses created during a round are found in the next.


MANY: Final = 64
"""The number of uses from which on they are recorded instead of scanned."""


def uses_in_block(value: Value, block: Block, rewriter: Rewriter) -> list[OpOperand]:
    """The uses of `value` by operations directly in `block`, the most recent first."""
    recorded: dict[Block | None, list[OpOperand]] | None = rewriter.memo.get(("in block", value))
    if recorded is None:
        few = _few(value)
        if few is not None:
            return [use for use in few if use.owner.block is block]
        recorded = rewriter.memo["in block", value] = {}
        for use in value.uses:
            recorded.setdefault(use.owner.block, []).append(use)
    return [use for use in recorded.get(block, ()) if use.value is value and use.owner.block is block]


def uses_inside(value: Value, region: Region, rewriter: Rewriter) -> list[OpOperand]:
    """The uses of `value` nested in `region`, most recent first.

    O(records below `region`); records are dropped once no use is left there.
    """
    recorded: _UsesByRegion | None = rewriter.memo.get(("inside", value))
    if recorded is None:
        few = _few(value)
        if few is not None:
            return [use for use in few if region.is_ancestor_of(use.owner.parent_region)]
        recorded = rewriter.memo["inside", value] = _UsesByRegion(value)
    return recorded.below(region)


class _UsesByRegion:
    """The uses of a value by immediate region, and the tree of these regions."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._direct: dict[Region, list[tuple[int, OpOperand]]] = {}
        self._inside: dict[Region, list[Region]] = {}
        known: set[Region | None] = {None, value.parent_region}
        for rank, use in enumerate(value.uses):
            region = use.owner.parent_region
            if region is None:
                continue
            self._direct.setdefault(region, []).append((rank, use))
            while region is not None and region not in known:
                known.add(region)
                around = region.parent_region
                if around is not None:
                    self._inside.setdefault(around, []).append(region)
                region = around

    def below(self, region: Region) -> list[OpOperand]:
        found: list[tuple[int, OpOperand]] = []
        pending = [region]
        passed: list[Region] = []
        while pending:
            current = pending.pop()
            passed.append(current)
            found += [
                (rank, use)
                for rank, use in self._direct.get(current, ())
                if use.value is self._value and use.owner.block is not None
            ]
            pending += self._inside.get(current, ())
        if not found:
            for current in passed:
                self._direct.pop(current, None)
                self._inside.pop(current, None)
        return [use for _, use in sorted(found, key=itemgetter(0))]


def _few(value: Value) -> list[OpOperand] | None:
    uses: list[OpOperand] = []
    use = value._first_use
    while use is not None:
        uses.append(use)
        if len(uses) > MANY:
            return None
        use = use._next
    return uses
