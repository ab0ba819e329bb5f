"""Canonicalization of region branches: forwarded values of `scf.if`, `scf.for` and `scf.while`.

Control enters a region, or comes back to the operation, with values: *inputs* (arguments of the region's entry, results
of the operation), each fed by *operands* of the operation or of a region's last operation. From that map alone follow

* an input that can only ever be one value defined outside is that value;
* two inputs of one place that are always fed the same are one;
* inputs that are tied (fed by one operand, as argument and result of a loop are) go together once none is used.

Each costs time linear in the operands and inputs of the operation, with logarithmic sharing of equal traces.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from ...analysis.graphs import passed_pairs
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import RegionBranchOp
from ...ir.source.union_find import find
from ..rewriting.rewriter import Rewriter, erase_operands


class Edges:
    """What feeds what around the regions of one operation.

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
        """The only value other than inputs that `value` can be; None if there are several.

        O(inputs and operands behind `value`).
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
    """Whether `origin` can be used wherever the input `value` can."""
    region = origin.parent_region
    if region is None or region.parent_op is not op:
        return True
    return (
        isinstance(value, BlockArgument) and isinstance(origin, BlockArgument) and origin.owner is value.owner
    )


def use_origins(op: RegionBranchOp, rewriter: Rewriter) -> bool:
    """Use the value that an input always is."""
    if not _passes_values(op):
        return False
    edges = Edges(op)
    changed = False
    for value in edges.fed_by:
        if not value.has_uses:
            continue
        origin = edges.origin(value)
        if origin is not None and _may_stand_for(op, origin, value):
            rewriter.replace_uses(value, origin)
            changed = True
    return changed


def merge_duplicates(op: RegionBranchOp, rewriter: Rewriter) -> bool:
    """Of inputs of one place that are fed the same from everywhere, use the first."""
    if not _passes_values(op):
        return False
    edges = Edges(op)
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


def drop_unused(op: RegionBranchOp, rewriter: Rewriter) -> bool:
    """Remove inputs nobody uses, with what is tied to them and what feeds them."""
    if not _passes_values(op):
        return False
    edges = Edges(op)
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


def _passes_values(op: Operation) -> bool:
    return bool(op.results) or any(not region.is_empty and region.entry.args for region in op.regions)


REGION_BRANCH_PATTERNS: Final = (use_origins, merge_duplicates, drop_unused)


# -- putting the contents of a region where its operation stands


def replace_by_region(
    op: Operation, region: Region, rewriter: Rewriter, arguments: Sequence[Value] = ()
) -> None:
    """Move the one block of `region` before `op`; what it yields replaces the results of `op`, which is erased."""
    block = region.entry
    terminator = block.last_op
    assert terminator is not None
    rewriter.inline_block(block, op, arguments)
    rewriter.replace(op, terminator.operands)
    rewriter.erase(terminator)


def has_only_terminator(region: Region) -> bool:
    """Whether the region is one block with one operation."""
    return (
        region.has_one_block and region.entry.first_op is region.entry.last_op and not region.entry.is_empty
    )


# -- where a value is used: in a block, or inside a region, also for values that are used in thousands of places
#
# Asked for each of n branches on one condition, a look at all uses of the condition would be quadratic. Of values with
# many uses, the places are therefore recorded once in each round of rewriting; uses that appear during the round are
# found in the next.


MANY: Final = 64
"""Uses from which on they are recorded rather than looked at again."""


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
    """The uses of `value` inside `region`, at any depth, the most recent first.

    O(what is recorded below `region`), which is nothing any more once it was found that no use is left there.
    """
    recorded: _UsesByRegion | None = rewriter.memo.get(("inside", value))
    if recorded is None:
        few = _few(value)
        if few is not None:
            return [use for use in few if region.is_ancestor_of(use.owner.parent_region)]
        recorded = rewriter.memo["inside", value] = _UsesByRegion(value)
    return recorded.below(region)


class _UsesByRegion:
    """The uses of a value, by the regions that they are directly in, and these regions as a tree."""

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
