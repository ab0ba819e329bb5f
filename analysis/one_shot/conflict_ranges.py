"""Program ranges in which a write may clobber a read's definition.

Reads and writes have ranges of program positions such that they cannot conflict unless their ranges overlap:

* The range of a write is its operation, from entry to exit (that of a `to_buffer` lasts longer, see `program_answers.py`).
* The range of a read goes from its definition's operation (or block) to its own operation. It starts at the exit of the
  former, or at its entry if elements are defined one by one. Where textual order is not execution order, the range is wider:
  it includes all of a loop around the read that does not contain the definition, and all of an operation whose regions are
  not mutually exclusive. Earlier regions that exclude the read's own are left out, unless an enclosing operation is included.

*Several blocks.* Dominance then orders operations. Blocks are numbered as in `block_order.py`, so that the blocks that a block
dominates are a range. If the definition is

* a block argument, only writes on a path from its block to the read matter: these are in the range from the one to the other,
  extended to the end of loops between them;
* a result, every write matters that neither happens before it nor after the read. Beyond the range above, these are the writes
  after the blocks that the read dominates, a second range; and the writes before the definition that do not dominate it. For
  the latter, a write has the range that it does *not* dominate (`not_dominated`), and a read the positions of its
  `definitions`.

A region with unreachable blocks is included whole. Of nested regions with several blocks, only the outermost is treated
precisely; inner ones are included whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.source.records import record
from ..models.base import is_tensor
from ..regions import Ancestry, closest, region_of
from .answers import Answers

if TYPE_CHECKING:
    from ..block_order import BlockOrder

KindRange = tuple[str, int, int]
"""Kind, first and last position; for the kinds see `class_facts.ClassFacts`."""


@record(eq=False, repr=False)
class OrderLimits:
    """The enclosing constructs of a region in which textual order is not execution order.

    Attributes:
        whole: the outermost enclosing operation that ranges include whole, if any.
        blocks: the enclosing region with several blocks that is treated precisely, if any.
    """

    whole: Operation | None
    blocks: Region | None


class ConflictRanges:
    """The ranges of reads and writes of one program."""

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._order = state.order
        self._enter, self._leave = state.order.positions
        self._all = self._enter[state.order.root], self._leave[state.order.root]
        self._unlimited = OrderLimits(None, None)
        self._known_limits: dict[Region | None, OrderLimits] = {None: self._unlimited}
        self._wide: dict[Region, bool] = {}
        self._closest: dict[Region | None, Region | None] = {None: None}
        self._undecided: Ancestry[Region] = Ancestry(lambda r: self._closest_undecided(r.parent_region))
        self._later_exclusive_regions: dict[Region | None, Region | None] = {None: None}
        self.in_text_order: set[OpOperand] = set()
        """The reads whose ranges were not widened: for them, textual order is execution order."""

    def of_write(self, use: OpOperand) -> list[KindRange]:
        """The ranges of a write."""
        op = use.owner
        last = self._state.last_accesses.get(op, op)
        if last is None:
            return [("writes", *self._all)]
        ranges = [("writes", self._enter[op], self._leave[last])]
        region = self._limits_of(op.parent_region).blocks
        if region is not None:
            block = self._block_in(op, region)
            if block in self._order.block_order(region).rank:
                ranges += self._not_dominated("not_dominated", region, block)
        return ranges

    def of_read(self, use: OpOperand) -> list[KindRange]:
        """The ranges of a read; empty if it has no definition."""
        definitions = self._state.definitions_of(use.value)
        if not definitions:
            return []
        reader = use.owner
        last = self._state.last_accesses.get(reader, reader)
        if last is None:
            return [("reads", *self._all)]
        own = self._leave[last]
        home = reader.parent_region
        if (
            len(definitions) == 1
            and region_of(definitions[0]) is home
            and self._limits_of(home) is self._unlimited
            and self._later_exclusive(home) is None
        ):  # both in one block that runs in textual order, as most
            self.in_text_order.add(use)
            return [("reads", min(self._start(definitions[0]), own), own)]
        ranges: list[KindRange] = []
        whole: list[tuple[int, int]] = []
        first = own
        for definition in definitions:
            start = self._start(definition)
            home = region_of(definition)
            around = self._limits_of(home)
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
        ranges += [("reads", low, high) for low, high in _union(parts)]
        return ranges

    def _order_undecided(self, reader: Operation, home: Region | None) -> list[Operation | None]:
        """Operations that a range includes whole, for a definition in region `home`.

        These are the outermost operation inside `home` that may run later positions before the reader, and the operation
        around the definition if the reader is not in its region.
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
        """The positions from `low` to `high`, where the reader is, without regions that exclude the reader's."""
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
        """Add the ranges of a read whose definition is in a region of several blocks.

        Returns:
            the start of the range that ends at the read, and the last position from which control may come back to the read,
            -1 if there is none; None if a block is unreachable, so that the region has to be included whole.
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
        """The range of the region's positions after those that the block dominates, if there are any."""
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
        """The first position at which a write is not certainly before the definition."""
        if isinstance(definition, BlockArgument):
            first = definition.owner.first_op
            return 0 if first is None else self._enter[first]
        assert isinstance(definition, OpResult)
        if self._state.defines_by_element(definition.owner):
            return self._enter[definition.owner]
        start = self._leave[definition.owner]
        return start + 1 if self._is_only_outcome(definition) else start

    def _is_only_outcome(self, definition: OpResult) -> bool:
        """Whether the definition is the only aliasing value of each operand that its operation writes (rule D3)."""
        state = self._state
        for operand in definition.owner.op_operands:
            if is_tensor(operand.value) and state.writes(operand):
                aliases = state.aliasing_values(operand)
                if len(aliases) != 1 or aliases[0].value is not definition:
                    return False
        return True

    def _block_in(self, op: Operation, region: Region) -> Block:
        """The block of the region that contains `op`, possibly nested."""
        inner = self._order.ancestor_in_region(op, region)
        assert inner is not None
        assert inner.block is not None
        return inner.block

    # -- regions ----------------------------------------------------------------------------------------

    def _limits_of(self, region: Region | None) -> OrderLimits:
        """The limits of `region` and its ancestors. Amortised O(1)."""
        known = self._known_limits
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
        """The innermost region at or around `region` in which a later position may run first. Amortised O(1)."""
        return closest(region, self._closest, self._is_undecided)

    def _is_undecided(self, region: Region) -> bool:
        return self._is_wide(region) or self._order.repetitive_region(region) is region

    def _later_exclusive(self, region: Region | None) -> Region | None:
        """The innermost region at or around `region` with a mutually exclusive sibling before it. Amortised O(1)."""
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


def _union(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of `parts`, as disjoint ranges in order."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(parts):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return joined
