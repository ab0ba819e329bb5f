"""Ownership state during ownership-based deallocation, and mlir-opt's operand order in deallocations.

The ownership of a buffer in a block is one of

    uninitialized  <  an `i1` value (the ownership indicator)  <  UNKNOWN

a lattice in which two different `i1` values join to UNKNOWN unless both are the same constant. Each block also has an ordered
list of the buffers that it must free. Before control leaves a block, one `bufferization.dealloc` frees the listed buffers that
are owned and that the successors do not retain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from typing import Final

from ...analysis.causes import Cause
from ...analysis.graphs import block_graph, reverse_postorder
from ...analysis.liveness import Liveness
from ...dialects import arith, bufferization, memref
from ...dialects.common import i64_array
from ...ir.defects import REPLACED_RESULTS, SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Block, BlockArgument, Operation, OpResult, Region, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import PassFailed, present
from ...ir.source.locations import Where, name_span
from ...ir.types import attributes as a, types as t
from .. import makers

# The order of values in the operand lists of deallocations is that of mlir-opt, so that outputs agree.
#
# Block arguments come before results. Arguments are ordered by number, results of one operation by number, results of
# operations in one region by the index of the operation *in its own block*, whichever block that is. Across regions, the
# chains of enclosing regions are compared from the inside out: first their numbers, then, below a common parent region, the
# indices of the operations that contain them; a shorter chain comes first.
#
# Indices in different blocks are not comparable, and mlir-opt numbers the operations of a block lazily. So the order depends on
# which block was queried before, and a value in a block without numbers comes last. `PlaceNumbers` reproduces this: a block is
# numbered when a comparison starts from it, or before that if it uses a value of its own (then the verifier has numbered it).

STRIDE = 5
"""The distance of neighbours' numbers, which leaves room for insertions."""
NOT_NUMBERED = 1 << 62
FEW = 16
"""Up to this many values are sorted by insertion sort, which keeps the order of incomparable ones."""


class PlaceNumbers:
    """Lazily assigned numbers of operations in their blocks. Amortised O(1) per query."""

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
        """Drop the number of `op`, which was recreated in place."""
        self._place.pop(op, None)

    def is_before(self, op: Operation, other: Operation) -> bool:
        """Whether the number of `op` in its block is less than that of `other` in its own."""
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
        block = present(op.block)
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
    """The order of live-in buffers of blocks. O(operations) to build."""

    def __init__(self, function: Operation, liveness: Liveness) -> None:
        self._lost: set[Value] = set()
        self.places = PlaceNumbers(function)
        self._liveness = liveness
        self._live_in: dict[Block, list[Value]] = {}
        self._live_out: dict[Block, list[Value]] = {}

    def replaced(self, op: Operation, results: Iterable[Value], lost: bool) -> None:
        """Record that `op` got additional results, the ownership of `results`.

        MLIR recreates the operation, which gets a new number, and does not find its results in the old liveness; so it frees
        them where another block still uses them. If they are `lost`, this is reproduced.
        """
        self.places.forget(op)
        if lost:
            self._lost.update(results)

    def live_in(self, block: Block) -> list[Value]:
        """The live-in values of `block`, in the order of its deallocation."""
        return self._sort([value for value in self._met_in(block) if value not in self._lost])

    def passed_on(self, block: Block, successor: Block) -> list[Value]:
        """The live-in values of `successor`, in the order in which the deallocation at the end of `block` retains them."""
        needed = [value for value in self._liveness.live_in(successor) if value not in self._lost]
        if len(needed) < 2 or _of_one_kind(needed):
            return self._sort(needed)
        wanted = set(needed)
        return self._sort([value for value in self._met_out(block) if value in wanted])

    def _sort(self, values: list[Value]) -> list[Value]:
        """The sorted values: by insertion sort if there are few or the order is total, else by a sort that terminates."""
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

    # -- the order of values before sorting

    def _met_in(self, block: Block) -> list[Value]:
        """The live-in values of `block`: first those that it uses, in order, then those live-through."""
        live = self._liveness.live_in(block)
        if len(live) < 2 or _of_one_kind(live):
            return live
        self._solve(block.region)
        return self._live_in.get(block, live)

    def _met_out(self, block: Block) -> list[Value]:
        self._solve(block.region)
        return self._live_out.get(block, [])

    def _solve(self, region: Region | None) -> None:
        """Order the live-in values of a region's blocks, from the last block to the first. Cached; O(result)."""
        if region is None or region.entry in self._live_in:
            return
        graph = block_graph(region)

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
    """Whether any two values are comparable without comparing indices in different blocks."""
    blocks = {value.parent_block for value in values if isinstance(value, OpResult)}
    arguments = {value.parent_block for value in values if isinstance(value, BlockArgument)}
    return len(blocks) <= 1 and len(arguments) <= 1


def _mentioned_and_defined(block: Block) -> tuple[list[Value], dict[Value, None]]:
    """The values used and defined in `block`, nested operations included, in post-order."""
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
    """`values` without `gone`; the last value replaces each removed one, as in MLIR's pointer sets. O(both)."""
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


class Unknown:
    """The ownership of a value that may alias several buffers, without an indicator at run time."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
Ownership = Value | Unknown | None


def is_buffer(value: Value) -> bool:
    """Whether `value` is a memref, of known rank or not."""
    return isinstance(value.type, (t.MemRefType, t.UnrankedMemRefType))


def buffers(values: Iterable[Value]) -> list[Value]:
    """Those of `values` that are memrefs."""
    return [value for value in values if is_buffer(value)]


def known_bool(value: Value) -> bool | None:
    """The constant that an `i1` is, if it is one."""
    op = value.defining_op
    if isinstance(op, arith.ConstantOp):
        attribute = op.properties["value"]
        if isinstance(attribute, a.IntegerAttr) and attribute.type is t.I1:
            return bool(attribute.value)
    return None


def join(one: Ownership, other: Ownership) -> Ownership:
    """The least upper bound of two ownerships."""
    if other is None or one is other:
        return one
    if one is None:
        return other
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return UNKNOWN
    known = known_bool(one)
    return one if known is not None and known is known_bool(other) else UNKNOWN


class State:
    """The ownership state of one function: ownership by value and block, and the buffers that each block must free.

    Attributes:
        liveness: the liveness of the original function.
        order: the order of buffers in deallocations.
        unmanaged: results that are never freed, because their buffers escape.
        mirrored: the defects of mlir-opt 22 that are mirrored.
    """

    def __init__(
        self,
        function: FunctionOp,
        unmanaged: Iterable[Value] = (),
        mirrored: frozenset[Defect] = SOUND,
    ) -> None:
        self.liveness = Liveness(function, is_buffer)
        self.unmanaged = frozenset(unmanaged)
        self.mirrored = mirrored
        self.order = ValueOrder(function, self.liveness)
        self._owned: dict[Block, dict[Value, Value | Unknown]] = {}
        self._to_free: dict[Block, list[Value]] = {}

    # -- ownership

    def ownership(self, value: Value, block: Block | None = None) -> Ownership:
        """The ownership of `value` in `block` (default: where it is defined); None if uninitialized."""
        return self._owned.get(block or _home(value), {}).get(value)

    def indicator(self, value: Value, block: Block) -> Value | None:
        """The `i1` of whether `block` owns `value`; None if there is none."""
        found = self.ownership(value, block)
        return found if isinstance(found, Value) else None

    def own(self, value: Value, ownership: Ownership, block: Block | None = None) -> None:
        """Join the ownership of `value` in `block` (default: where it is defined) with `ownership`."""
        owned = self._owned.setdefault(block or _home(value), {})
        joined = join(owned.get(value), ownership)
        if joined is not None:
            owned[value] = joined

    def forget(self, values: Iterable[Value], block: Block) -> None:
        """Reset the ownership of `values` in `block`."""
        owned = self._owned.get(block, {})
        for value in values:
            owned.pop(value, None)

    # -- what is to be freed

    def must_free(self, value: Value, block: Block | None = None) -> None:
        """Add `value` to the buffers that `block` (default: where it is defined) frees at its end."""
        self._to_free.setdefault(block or _home(value), []).append(value)

    def retained(self, block: Block, target: Block | None, passed: Iterable[Value]) -> list[Value]:
        """The buffers that stay live on an edge from `block` to `target`: forwarded ones, then other live-in ones."""
        return buffers(passed) + (self.order.passed_on(block, target) if target is not None else [])

    def candidates(self, builder: Builder, block: Block) -> tuple[list[Value], list[Value]]:
        """The operands of a dealloc at the end of `block`: the base of each buffer to free, and its condition.

        Raises:
            PassFailed: the ownership of a buffer is UNKNOWN.
        """
        bases: list[Value] = []
        conditions: list[Value] = []
        for value in self._to_free.get(block, ()):
            indicator = self.indicator(value, block)
            if indicator is None:
                where = defined_at(value)
                message = "MemRef value does not have valid ownership"
                raise PassFailed(message, where and name_span(where), value.defining_op)
            bases.append(base_buffer(builder, value))
            conditions.append(indicator)
        return bases, conditions

    # -- what a function may return

    def with_known_owner(
        self, builder: Builder, value: Value, block: Block, cause: Cause
    ) -> tuple[Value, Value]:
        """`value`, or a copy of it (for `cause`) if its ownership is UNKNOWN, and its ownership indicator."""
        if value.parent_block is block:
            op = value.defining_op
            if isinstance(op, arith.SelectOp):
                left, right = (self.indicator(v, block) for v in op.operands[1:])
                if left is not None and right is not None:
                    selected = arith.SelectOp.build(
                        condition=op.operands[0], true_value=left, false_value=right, result=t.I1
                    )
                    return value, builder.insert(selected).the_result
        indicator = self.indicator(value, block)
        if indicator is not None:
            return value, indicator
        builder = Builder(builder.block, builder.anchor, defined_at(value))
        copy = builder.insert(makers.clone(value, cause)).the_result
        owned = makers.boolean(builder, True)
        self.own(copy, owned)
        self.must_free(copy)
        return copy, owned


def _home(value: Value) -> Block:
    return present(value.parent_block)


def base_buffer(builder: Builder, value: Value) -> Value:
    """The base of a memref, as a memref of rank 0, which is a valid operand of a dealloc."""
    type = value.type
    if isinstance(type, t.UnrankedMemRefType):
        flat = t.MemRefType((), type.element, a.StridedLayoutAttr((), 0), type.memory_space)
        value = builder.insert(
            memref.ReinterpretCastOp.build(
                source=value,
                static_offsets=i64_array([0]),
                static_sizes=i64_array([]),
                static_strides=i64_array([]),
                result=flat,
            )
        ).the_result
        type = flat
    assert isinstance(type, t.MemRefType)
    base = t.MemRefType((), type.element, None, type.memory_space)
    metadata = memref.ExtractStridedMetadataOp([value], [base, *[t.INDEX] * (1 + 2 * type.rank)])
    return builder.insert(metadata).results[0]


def dealloc(
    builder: Builder, bases: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value]
) -> bufferization.DeallocOp:
    """A `bufferization.dealloc` at the insertion point."""
    return builder.insert(
        bufferization.DeallocOp.build(
            memrefs=bases,
            conditions=conditions,
            retained=retained,
            updated_conditions=[t.I1] * len(retained),
        )
    )


def defined_at(value: Value) -> Where | None:
    """The source position of the operation or block argument that defines a value."""
    if isinstance(value, BlockArgument):
        return (*value.where[:2], *value.where[1:]) if value.where is not None else None
    return present(value.defining_op).where


def append_owners(op: Operation, state: State) -> list[tuple[Value, Value]]:
    """Append an `i1` ownership result for each memref result of `op`. Returns the pairs."""
    results = buffers(op.results)
    state.order.replaced(op, results, lost=REPLACED_RESULTS in state.mirrored)
    start = len(op.results)
    owners = [OpResult(op, start + i, t.I1) for i in range(len(results))]
    op.results.extend(owners)
    return list(zip(results, owners, strict=True))
