"""The order of values in the lists of deallocations: that of mlir-opt, so that printed programs agree.

Block arguments come before results. Arguments are ordered by number, results of one operation by number, results of
operations in one region by the place of the operation *in its own block*, whichever block that is. Across regions, the
chains of enclosing regions are compared from the inside out: first their numbers, then, below a common parent region, the
places of the operations that hold them; a shorter chain comes first.

Places in different blocks mean nothing to each other, and mlir-opt numbers the operations of a block only when somebody
asks. Which of two comes first then depends on which block was asked about before, and a value in a block that was not
comes last. `PlaceNumbers` does the same: a block is numbered when a comparison starts from it, or beforehand if it uses a
value of its own (the verifier has compared places in it then).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from ...analysis.graphs import block_graph
from ...analysis.liveness import Liveness
from ...ir.program.core import Block, BlockArgument, Operation, OpResult, Region, Value

STRIDE = 5
"""Between the numbers of neighbours, room for operations that come between them."""
NOT_NUMBERED = 1 << 62
FEW = 16
"""Up to this many values are sorted by insertion, so that what cannot be told apart stays in the order it came in."""


class PlaceNumbers:
    """Numbers of operations in their blocks, given when they are asked for. Amortised O(1) per question."""

    def __init__(self, function: Operation) -> None:
        self._place: dict[Operation, int] = {}
        self._numbered: set[Block] = set()
        for op in function.walk():
            for use in op.op_operands:
                definer = use.value.defining_op
                block = definer.block if definer is not None else None
                if (
                    block is not None
                    and block not in self._numbered
                    and op.ancestor_in_block(block) is not None
                ):
                    self._number(block)

    def forget(self, op: Operation) -> None:
        """`op` was made anew where it stands."""
        self._place.pop(op, None)

    def is_before(self, op: Operation, other: Operation) -> bool:
        """Whether the place of `op` in its block comes before that of `other` in its own."""
        assert op.block is not None
        if op.block not in self._numbered:
            self._number(op.block)
        else:
            self._update(op)
            self._update(other)
        return self._place.get(op, NOT_NUMBERED) < self._place.get(other, NOT_NUMBERED)

    def _number(self, block: Block) -> None:
        self._numbered.add(block)
        self._place.update((op, (i + 1) * STRIDE) for i, op in enumerate(block))

    def _update(self, op: Operation) -> None:
        """Number one operation between its neighbours, or its block if they have no numbers."""
        if op in self._place:
            return
        block = op.block
        assert block is not None
        before, after = op.previous_op, op.next_op
        low = self._place.get(before) if before is not None else 0
        high = self._place.get(after) if after is not None else None
        if low is not None and after is None and before is not None:
            self._place[op] = low + STRIDE
        elif low is None or high is None or high - low < 2:
            self._number(block)
        elif before is None:
            self._place[op] = STRIDE if high > STRIDE else high // 2
        else:
            self._place[op] = low + (high - low) // 2


class ValueOrder:
    """Sorts the buffers that blocks need. O(operations) to make."""

    def __init__(self, function: Operation, liveness: Liveness) -> None:
        self._lost: set[Value] = set()
        self.places = PlaceNumbers(function)
        self._liveness = liveness
        self._live_in: dict[Block, list[Value]] = {}
        self._live_out: dict[Block, list[Value]] = {}

    def replaced(self, op: Operation, results: Iterable[Value], lost: bool) -> None:
        """Note that `op` is given results that tell who owns `results`.

        MLIR makes a new operation for that, which gets a new place, and does not find its results in the liveness of the
        old; so it frees them where another block still uses them. If they are `lost`, they are left out here too.
        """
        self.places.forget(op)
        if lost:
            self._lost.update(results)

    def live_in(self, block: Block) -> list[Value]:
        """What `block` needs from outside, in the order in which its deallocation lists it."""
        return self._sort([value for value in self._met_in(block) if value not in self._lost])

    def passed_on(self, block: Block, successor: Block) -> list[Value]:
        """What `successor` needs from before it, in the order in which the deallocation at the end of `block` retains it."""
        needed = [value for value in self._liveness.live_in(successor) if value not in self._lost]
        if len(needed) < 2 or _of_one_kind(needed):
            return self._sort(needed)
        wanted = set(needed)
        return self._sort([value for value in self._met_out(block) if value in wanted])

    def _sort(self, values: list[Value]) -> list[Value]:
        """The values in order: by insertion if there are few or they can be told apart, else so that it terminates."""
        if len(values) < 2:
            return values
        if len(values) > FEW or _of_one_kind(values):
            return sorted(values, key=cmp_to_key(lambda one, other: -1 if self._less(one, other) else 1))
        ordered: list[Value] = []
        for value in values:
            if ordered and self._less(value, ordered[0]):
                ordered.insert(0, value)
                continue
            at = len(ordered)
            while at and self._less(value, ordered[at - 1]):
                at -= 1
            ordered.insert(at, value)
        return ordered

    # -- the order in which values come before they are sorted

    def _met_in(self, block: Block) -> list[Value]:
        """What `block` needs: first what it mentions, in order, then what it passes on."""
        live = self._liveness.live_in(block)
        if len(live) < 2 or _of_one_kind(live):
            return live
        self._solve(block.region)
        return self._live_in.get(block, live)

    def _met_out(self, block: Block) -> list[Value]:
        self._solve(block.region)
        return self._live_out.get(block, [])

    def _solve(self, region: Region | None) -> None:
        """Order what the blocks of a region need, from the last to the first; once. O(size of the answers)."""
        if region is None or region.entry in self._live_in:
            return
        graph = block_graph(region)
        from ...analysis.graphs import reverse_postorder

        order = reverse_postorder([graph.entry, *graph], graph.successors)
        for block in reversed(order):
            mentioned, defined = _mentioned_and_defined(block)
            out: dict[Value, None] = {}
            for value in [*block.args, *(result for op in block for result in op.results)]:
                if any(self._liveness.is_live_in(value, successor) for successor in graph.successors(block)):
                    out[value] = None
            for successor in graph.successors(block):
                out.update(dict.fromkeys(self._live_in.get(successor) or self._liveness.live_in(successor)))
            needed = dict.fromkeys(_without(mentioned, defined))
            needed.update(out)
            live = set(self._liveness.live_in(block))
            self._live_in[block] = [value for value in _without(list(needed), defined) if value in live]
            self._live_out[block] = list(out)

    # -- comparing

    def _less(self, one: Value, other: Value) -> bool:
        if isinstance(one, BlockArgument) or isinstance(other, BlockArgument):
            if not (isinstance(one, BlockArgument) and isinstance(other, BlockArgument)):
                return isinstance(one, BlockArgument)
            if one.index != other.index:
                return one.index < other.index
            return self._regions_less(one.parent_region, other.parent_region)
        assert isinstance(one, OpResult)
        assert isinstance(other, OpResult)
        if one.owner is other.owner:
            return one.index < other.index
        if one.parent_region is other.parent_region:
            return self.places.is_before(one.owner, other.owner)
        return self._regions_less(one.parent_region, other.parent_region)

    def _regions_less(self, one: Region | None, other: Region | None) -> bool:
        while one is not None and other is not None:
            if one is other:
                return False
            if _number(one) != _number(other):
                return _number(one) < _number(other)
            if one.parent_region is other.parent_region:
                assert one.parent_op is not None
                assert other.parent_op is not None
                return self.places.is_before(one.parent_op, other.parent_op)
            one, other = one.parent_region, other.parent_region
        return other is not None


def _of_one_kind(values: list[Value]) -> bool:
    """Whether any two can be told apart without comparing places in different blocks."""
    blocks = {value.parent_block for value in values if isinstance(value, OpResult)}
    arguments = {value.parent_block for value in values if isinstance(value, BlockArgument)}
    return len(blocks) <= 1 and len(arguments) <= 1


def _mentioned_and_defined(block: Block) -> tuple[list[Value], dict[Value, None]]:
    """What operations in and inside `block` use, and what is defined there, each as met going through inner ones first."""
    mentioned: dict[Value, None] = {}
    defined: dict[Value, None] = dict.fromkeys(block.args)
    for op in block:
        for inner in op.walk_post_order() if op.regions else (op,):
            defined.update(dict.fromkeys(inner.results))
            mentioned.update((use.value, None) for use in inner.op_operands)
            for region in inner.regions:
                for nested in region:
                    defined.update(dict.fromkeys(nested.args))
    return list(mentioned), defined


def _without(values: list[Value], gone: dict[Value, None]) -> list[Value]:
    """`values` without some; the last takes the place of each that goes, as in MLIR's sets of pointers. O(both)."""
    kept = list(values)
    if len(values) < len(gone):
        at = 0
        while at < len(kept):
            if kept[at] in gone:
                last = kept.pop()
                if at < len(kept):
                    kept[at] = last
            else:
                at += 1
        return kept
    position = {value: i for i, value in enumerate(kept)}
    for value in gone:
        at = position.pop(value, -1)
        if at >= 0:
            last = kept.pop()
            if at < len(kept):
                kept[at] = last
                position[last] = at
    return kept


def _number(region: Region) -> int:
    return region.index if region.parent_op is not None else 0
