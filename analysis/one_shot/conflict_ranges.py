"""Program ranges in which a write would clobber a read's definition.

Reads and writes get ranges of program positions such that the rules keep a read and a write apart unless theirs overlap:

* that of a write is its operation, from entering to leaving it (that of a `to_buffer` lasts, see `program_answers.py`);
* that of a read goes from its definition's operation (or block) to its own; from entering the former where elements are
  defined one after the other, from leaving it otherwise. Where order of positions is not order of
  execution the range is wider: a loop around the read that does not hold the definition counts whole, and so does an
  operation with regions that do not exclude each other. Of exclusive regions around the read the others do not count:
  those before its own are left out, unless what is around them counts whole.

*Several blocks.* Operations are ordered by dominance then, not by the text. Blocks are taken in the order of
`block_order.py`, in which what a block dominates is a range. For a definition that is

* a block argument, the write has to be on a path from the block to the read: it is in the range of positions from the
  one to the other, extended to the end of loops between them;
* a result, every write is in its way that neither happens before it nor after the read. Beside those in the range just
  said, these are the writes after the range that the read dominates: a second range; and the writes before the
  definition whose range ended before it. For the latter, a write has the range in which it has *not* happened
  (`not_dominated`), and a read the positions of its `definitions`.

Regions with blocks that are not reached are taken whole for these; of several regions with blocks around each other the
outermost is looked at, an inner one is taken whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ..models.base import is_tensor
from ..regions import Ancestry, closest, region_of
from .answers import Answers

if TYPE_CHECKING:
    from ..block_order import BlockOrder

KindRange = tuple[str, int, int]
"""Kind, first and last position; for the kinds see `class_facts.ClassFacts`."""


class OrderLimits:
    """What is around a region in which the text does not tell the order.

    Attributes:
        whole: the outermost operation around it that has to be taken whole, if any.
        blocks: the region with several blocks around all that, if there is one that can be told apart.
    """

    __slots__ = ("blocks", "whole")

    def __init__(self, whole: Operation | None, blocks: Region | None) -> None:
        self.whole = whole
        self.blocks = blocks


class ConflictRanges:
    """The ranges of reads and writes of one program."""

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._order = state.order
        self._enter, self._leave = state.order.positions
        self._all = self._enter[state.order.root], self._leave[state.order.root]
        self._surroundings: dict[Region | None, OrderLimits] = {None: OrderLimits(None, None)}
        self._wide: dict[Region, bool] = {}
        self._closest: dict[Region | None, Region | None] = {None: None}
        self._undecided: Ancestry[Region] = Ancestry(lambda r: self._closest_undecided(r.parent_region))
        self._later_exclusive_regions: dict[Region | None, Region | None] = {None: None}
        self.in_text_order: set[OpOperand] = set()
        """The reads whose ranges were not widened: for them the order of positions is the order of execution."""

    def of_write(self, use: OpOperand) -> list[KindRange]:
        """The ranges of a write."""
        op = use.owner
        last = self._state.last_accesses.get(op, op)
        if last is None:
            return [("writes", *self._all)]
        ranges = [("writes", self._enter[op], self._leave[last])]
        region = self._around(op.parent_region).blocks
        if region is not None:
            block = self._block_in(op, region)
            if block in self._order.block_order(region).rank:
                ranges += self._not_dominated("not_dominated", region, block)
        return ranges

    def of_read(self, use: OpOperand) -> list[KindRange]:
        """The ranges of a read: none if it has no definition."""
        definitions = self._state.definitions_of(use.value)
        if not definitions:
            return []
        reader = use.owner
        last = self._state.last_accesses.get(reader, reader)
        if last is None:
            return [("reads", *self._all)]
        own = self._leave[last]
        ranges: list[KindRange] = []
        whole: list[tuple[int, int]] = []
        first = own
        for definition in definitions:
            start = self._start(definition)
            home = region_of(definition)
            around = self._around(home)
            wide = [around.whole]
            if around.blocks is not None:
                found = self._in_blocks(reader, definition, around.blocks, ranges)
                if found is None:
                    wide = [around.blocks.parent_op]
                else:
                    start = found[0]
                    if found[1] >= 0:
                        whole.append((start, found[1]))
            first = min(first, start)
            wide += self._order_undecided(reader, home)
            whole += [(self._enter[op], self._leave[op]) for op in wide if op is not None]
        if not whole:
            self.in_text_order.add(use)
        parts = [*self._without_exclusive_regions(reader, first, own), *whole]
        ranges += [("reads", low, high) for low, high in _joined(parts)]
        return ranges

    def _order_undecided(self, reader: Operation, home: Region | None) -> list[Operation | None]:
        """Operations in which the order of positions need not be that of a definition in `home` and the reader.

        These are the outermost one inside `home` that may run before the reader what comes after it, and what is around
        the definition if the reader is not in its region.
        """
        apart = None
        closest = self._closest_undecided(reader.parent_region)
        home_op = None if home is None else home.parent_op
        if home is not None and home_op is not None and self._order.ancestor_in_region(reader, home) is None:
            apart, home_op = self._order.outermost_without(home_op, reader), None
        outermost = None
        if closest is not None:
            outermost = self._undecided.outermost(closest, lambda region: self._is_below(region, home_op))
        return [apart, None if outermost is None else outermost.parent_op]

    def _is_below(self, region: Region, home_op: Operation | None) -> bool:
        op = region.parent_op
        return op is not None and (
            home_op is None or (op is not home_op and self._order.encloses(home_op, op))
        )

    def _without_exclusive_regions(self, reader: Operation, low: int, high: int) -> list[tuple[int, int]]:
        """The positions from `low` to `high`, at the reader, but for regions that only run if the reader's does not."""
        parts: list[tuple[int, int]] = []
        later = self._later_exclusive(reader.parent_region)
        while later is not None and high >= low:
            around = later.parent_op
            assert around is not None
            assert later.entry.first_op is not None
            start = self._enter[later.entry.first_op]
            parts.append((max(low, start), high))
            high = self._enter[around]
            later = self._later_exclusive(around.parent_region)
        if high >= low:
            parts.append((low, high))
        return parts

    def _in_blocks(
        self, reader: Operation, definition: Value, region: Region, ranges: list[KindRange]
    ) -> tuple[int, int] | None:
        """Add the ranges that a read has because its definition is in a region of several blocks.

        Returns:
            where the range that ends at the read begins, and the position up to which control may come back to the read,
            -1 if it cannot; None if a block is not reached, so that the region has to be taken whole.
        """
        order = self._order.block_order(region)
        read_in, defined_in = self._block_in(reader, region), definition.parent_block
        assert defined_in is not None
        directly = defined_in.region is region
        if not directly:
            around = defined_in.parent_op
            assert around is not None
            defined_in = self._block_in(around, region)
        if read_in not in order.rank or defined_in not in order.rank:
            return None
        if not order.dominates(defined_in, read_in):
            return None
        start = self._start(definition)
        if isinstance(definition, OpResult):
            ranges.append(("definitions", start, start))
            ranges += self._not_dominated("reads", region, read_in)
        elif directly and (gate := order.gate(read_in, defined_in)) is not None:
            ranges.append(("reads", start, self._end(gate[0])))
            assert gate[1].first_op is not None
            start = self._enter[gate[1].first_op]
        last = order.last_before(read_in, defined_in) if directly else None
        return start, -1 if last is None else self._end(last)

    def _not_dominated(self, kind: str, region: Region, block: Block) -> list[KindRange]:
        """The positions of the region after those that the block dominates, if there are any."""
        order: BlockOrder = self._order.block_order(region)
        start = self._end(order.last_dominated(block)) + 1
        around = region.parent_op
        assert around is not None
        end = self._leave[around]
        return [(kind, start, end)] if start < end else []

    def _end(self, block: Block) -> int:
        assert block.last_op is not None
        return self._leave[block.last_op]

    def _start(self, definition: Value) -> int:
        """The first position at which a write does not come before the definition, for sure."""
        if isinstance(definition, BlockArgument):
            first = definition.owner.first_op
            return 0 if first is None else self._enter[first]
        assert isinstance(definition, OpResult)
        if self._state.defines_by_element(definition.owner):
            return self._enter[definition.owner]
        start = self._leave[definition.owner]
        return start + 1 if self._is_only_outcome(definition) else start

    def _is_only_outcome(self, definition: OpResult) -> bool:
        """Whether every write of the defining operation is the definition itself (rule D3)."""
        state = self._state
        for operand in definition.owner.op_operands:
            if is_tensor(operand.value) and state.writes(operand):
                aliases = state.aliasing_values(operand)
                if len(aliases) != 1 or aliases[0].value is not definition:
                    return False
        return True

    def _block_in(self, op: Operation, region: Region) -> Block:
        """The block of the region that `op` is in or nested in."""
        inner = self._order.ancestor_in_region(op, region)
        assert inner is not None
        assert inner.block is not None
        return inner.block

    # -- regions ----------------------------------------------------------------------------------------

    def _around(self, region: Region | None) -> OrderLimits:
        """What is around `region`, itself included, outside which the text tells the order. Amortised O(1)."""
        known = self._surroundings
        passed: list[Region] = []
        while region not in known:
            assert region is not None
            passed.append(region)
            region = region.parent_region
        found = known[region]
        for inner in reversed(passed):
            if found.whole is None and self._is_wide(inner):
                if found.blocks is None and self._has_ordered_blocks(inner):
                    found = OrderLimits(None, inner)
                else:
                    found = OrderLimits(inner.parent_op, found.blocks)
            known[inner] = found
        return found

    def _closest_undecided(self, region: Region | None) -> Region | None:
        """The closest region at or around `region` in which what comes later may run first. Amortised O(1)."""
        return closest(region, self._closest, self._is_undecided)

    def _is_undecided(self, region: Region) -> bool:
        return self._is_wide(region) or self._order.repetitive_region(region) is region

    def _later_exclusive(self, region: Region | None) -> Region | None:
        """The closest region at or around `region` with others of one choice before it. Amortised O(1)."""
        return closest(region, self._later_exclusive_regions, self._is_later_exclusive)

    def _is_later_exclusive(self, region: Region) -> bool:
        op = region.parent_op
        if (
            op is None
            or region.is_empty
            or region.entry.first_op is None
            or not self._order.has_exclusive_regions(op)
        ):
            return False
        return self._order.regions_in_order(op)[0] is not region

    def _is_wide(self, region: Region) -> bool:
        """Whether the region has several blocks, or a sibling that may run before or after it."""
        known = self._wide.get(region)
        if known is None:
            known = _has_blocks(region) or self._has_reaching_sibling(region)
            self._wide[region] = known
        return known

    def _has_reaching_sibling(self, region: Region) -> bool:
        op = region.parent_op
        if op is None or len(op.regions) == 1 or self._order.has_exclusive_regions(op):
            return False
        reaches = self._order.region_reaches
        return any(
            reaches(region, sibling) or reaches(sibling, region)
            for sibling in op.regions
            if sibling is not region and not sibling.is_empty
        )

    def _has_ordered_blocks(self, region: Region) -> bool:
        return (
            _has_blocks(region)
            and not self._has_reaching_sibling(region)
            and all(block.last_op is not None for block in region)
        )


def _has_blocks(region: Region) -> bool:
    return not (region.is_empty or region.has_one_block)


def _joined(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that share no position, of all positions in `parts`."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(parts):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return joined
