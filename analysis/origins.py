"""Origins of memrefs: the allocations and arguments that they may view, and alias queries that follow.

The *origins* of a memref are the terminals (`ViewFlow`) that it may view. Two memrefs

  O1  must be of the same allocation if they are equal after stripping views, or have the same single origin;
  O2  may be, if they share one of several origins;
  O3  are not, if they share none, all origins of one are allocations, and those of the other are allocations or function
      arguments: an argument cannot be a buffer that is allocated later;
  O4  may be, otherwise.

In addition, an allocation never is the same buffer as an argument of its own or an enclosing block while both are visible, as
the argument was passed before the allocation ran (`allocated_after`).

Origins are sets that share structure (`integer_set`), computed once for all values, sources before targets.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from typing import TypeVar

from ..dialects import arith, memref
from ..ir.defects import SOUND, TRANSPOSED_VIEWS, Defect
from ..ir.program.core import BlockArgument, Operation, Value
from ..ir.program.interfaces import (
    BranchOp,
    CallOpInterface,
    FunctionOp,
    RegionBranchOp,
    ViewLikeOp,
    is_allocation,
)
from ..ir.types import types as t
from .fixpoint import strongly_connected_components
from .graphs import leaves_region, passed_pairs

# The flow of views: edges from every memref to the memrefs that may view it.
#
# Each operation adds edges by the first of these that applies.
#
#   V1  `arith.select`: from both choices to the result; `memref.realloc`: from the source to the result.
#   V2  a view: from its source to its result.
#   V3  a branch: from the forwarded operands to the block arguments.
#   V4  an operation with known region control flow: along each edge into, between and out of its regions.
#   V5  a call: from every operand to every result.
#   V6  any other operation: none, as in MLIR 22; or, if `conservative`, from every operand to every result.
#
# A *terminal* is a value where a buffer may originate: the result of an operation under V5 or V6 (such as an allocation), an
# argument of a region that V4 does not enter (such as a function's), the result of a `memref.realloc`.

T = TypeVar("T", bound=Hashable)


def is_buffer(value: Value) -> bool:
    """Whether `value` is a memref, of known rank or not."""
    return isinstance(value.type, (t.MemRefType, t.UnrankedMemRefType))


class ViewFlow:
    """The edges inside `root`, and the terminals. O(operations + operands) to build.

    With `through_scalars`, values of any type are nodes: whatever a call returns may view its arguments, as in mlir-opt's
    `BufferViewFlowAnalysis`, by which passes place buffers.

    Attributes:
        targets: for each memref, those that may view it directly, in order of discovery.
        sources: the reversed edges.
        terminals: the terminals, in textual order of their owners.
    """

    def __init__(
        self,
        root: Operation,
        conservative: bool = False,
        mirrored: frozenset[Defect] = SOUND,
        through_scalars: bool = False,
    ) -> None:
        self._follows: Callable[[Value], bool] = (lambda _: True) if through_scalars else is_buffer
        self.targets: dict[Value, list[Value]] = {}
        self.sources: dict[Value, list[Value]] = {}
        self.terminals: dict[Value, None] = {}
        self._conservative = conservative
        self._skipped = memref.TransposeOp if TRANSPOSED_VIEWS in mirrored else ()
        for op in root.walk():
            self._operation(op)

    def resolve(self, value: Value, through_calls: bool = True) -> list[Value]:
        """`value` and all memrefs that may view it, transitively, in breadth-first order. O(result).

        Args:
            through_calls: results of calls may view the arguments.
        """

        def step(source: Value) -> Iterable[Value]:
            targets = self.targets.get(source, ())
            if through_calls:
                return targets
            return (v for v in targets if not isinstance(v.defining_op, CallOpInterface))

        return closure([value], step)

    def resolve_back(self, values: Iterable[Value]) -> list[Value]:
        """`values` and all memrefs that they may view, transitively."""
        return closure(values, lambda v: self.sources.get(v, ()))

    def _edge(self, source: Value, target: Value) -> None:
        if self._follows(source) and self._follows(target):
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
        elif isinstance(op, ViewLikeOp) and not isinstance(op, self._skipped):
            self._edge(op.view_source(), op.results[0])
        elif isinstance(op, (BranchOp, RegionBranchOp)):
            for use, target in passed_pairs(op):
                self._edge(use.value, target)
        elif leaves_region(op):
            pass
        elif isinstance(op, CallOpInterface):
            self._all_to_all(op.operands, op.results, self._follows)
            self._terminals(op.results)
        else:
            if self._conservative:
                self._all_to_all(op.operands, op.results, is_buffer)
            self._terminals(op.results)
            for region in op.regions:
                if not region.is_empty:
                    self._terminals(region.entry.args)

    def _all_to_all(
        self, sources: Sequence[Value], targets: Sequence[Value], follows: Callable[[Value], bool]
    ) -> None:
        """Edges from every source to every target; the targets, which have no other sources, share one list."""
        feeding = list(filter(follows, sources))
        fed = list(filter(follows, targets))
        for source in feeding:
            self.targets.setdefault(source, []).extend(fed)
        for target in fed if feeding else ():
            self.sources[target] = feeding


def closure(values: Iterable[T], following: Callable[[T], Iterable[T]]) -> list[T]:
    """`values` and everything reachable from them, breadth first."""
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


# Persistent sets of small integers: unions of large, similar sets are cheap.
#
# Big-endian Patricia trees [1]_: a leaf is a number; a branch has the common prefix of its numbers, the bit in
# which they first differ, and two subtrees. Trees are immutable and share equal subtrees, where `union` and `overlap` stop.
#
# .. [1] C. Okasaki and A. Gill, "Fast mergeable integer maps", Workshop on ML, 1998.

Branch = tuple[int, int, "Tree", "Tree"]
Tree = int | Branch
IntegerSet = Tree | None
"""A set of non-negative integers; None is the empty one."""


def singleton(number: int) -> IntegerSet:
    """The set of one number."""
    return number


def union(one: IntegerSet, other: IntegerSet) -> IntegerSet:
    """All numbers of both. Depth is bounded by the bits of the numbers; at worst O(size of the smaller)."""
    if one is None:
        return other
    if other is None:
        return one
    return _merge(one, other)


def overlap(one: IntegerSet, other: IntegerSet) -> bool:
    """Whether some number is in both. At worst O(size of the smaller)."""
    if one is None or other is None:
        return False
    return _meet(one, other)


def members(numbers: IntegerSet) -> Iterator[int]:
    """The numbers, ascending."""
    stack = [] if numbers is None else [numbers]
    while stack:
        tree = stack.pop()
        if isinstance(tree, int):
            yield tree
        else:
            stack.append(tree[3])
            stack.append(tree[2])


def _join(prefix: int, one: Tree, other_prefix: int, other: Tree) -> Tree:
    """Two trees with different prefixes, under the first bit in which these differ."""
    bit = 1 << ((prefix ^ other_prefix).bit_length() - 1)
    common = prefix & ~((bit << 1) - 1)
    return (common, bit, other, one) if prefix & bit else (common, bit, one, other)


def _insert(number: int, tree: Tree) -> Tree:
    if isinstance(tree, int):
        return tree if number == tree else _join(number, number, tree, tree)
    prefix, bit, zeros, ones = tree
    if number & ~((bit << 1) - 1) != prefix:
        return _join(number, number, prefix, tree)
    if number & bit:
        inserted = _insert(number, ones)
        return tree if inserted is ones else (prefix, bit, zeros, inserted)
    inserted = _insert(number, zeros)
    return tree if inserted is zeros else (prefix, bit, inserted, ones)


def _merge(one: Tree, other: Tree) -> Tree:
    if one is other:
        return one
    if isinstance(one, int):
        return _insert(one, other)
    if isinstance(other, int):
        return _insert(other, one)
    prefix, bit, zeros, ones = one
    other_prefix, other_bit, other_zeros, other_ones = other
    if bit == other_bit and prefix == other_prefix:
        left, right = _merge(zeros, other_zeros), _merge(ones, other_ones)
        if left is zeros and right is ones:
            return one
        return other if left is other_zeros and right is other_ones else (prefix, bit, left, right)
    if bit < other_bit:
        one, other = other, one
        prefix, bit, zeros, ones = one
        other_prefix, other_bit = other[0], other[1]
    if other_prefix & ~((bit << 1) - 1) == prefix:  # never if the bits are equal, as then the prefixes differ
        if other_prefix & bit:
            right = _merge(ones, other)
            return one if right is ones else (prefix, bit, zeros, right)
        left = _merge(zeros, other)
        return one if left is zeros else (prefix, bit, left, ones)
    return _join(prefix, one, other_prefix, other)


def _contains(tree: Tree, number: int) -> bool:
    while not isinstance(tree, int):
        prefix, bit, zeros, ones = tree
        if number & ~((bit << 1) - 1) != prefix:
            return False
        tree = ones if number & bit else zeros
    return tree == number


def _meet(one: Tree, other: Tree) -> bool:
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            return True
        if isinstance(one, int):
            if _contains(other, one):
                return True
            continue
        if isinstance(other, int):
            if _contains(one, other):
                return True
            continue
        if one[1] < other[1]:
            one, other = other, one
        prefix, bit, zeros, ones = one
        other_prefix, other_bit, other_zeros, other_ones = other
        if bit == other_bit:
            if prefix == other_prefix:
                pairs.append((zeros, other_zeros))
                pairs.append((ones, other_ones))
        elif other_prefix & ~((bit << 1) - 1) == prefix:
            pairs.append((ones if other_prefix & bit else zeros, other))
    return False


class OriginKind(IntEnum):
    """The kinds of origins that a memref has, least precise first."""

    ALLOCATION = 0
    ARGUMENT = 1
    """Allocations or arguments of functions."""
    OTHER = 2


def allocated_after(allocation: Value, argument: Value) -> bool:
    """Whether `allocation` is allocated in the block of which `argument` is an argument, possibly nested."""
    if not isinstance(argument, BlockArgument) or not is_allocation(allocation):
        return False
    op = allocation.defining_op
    return op is not None and op.ancestor_in_block(argument.owner) is not None


def _kind(terminal: Value) -> OriginKind:
    if isinstance(terminal, BlockArgument):
        of_function = terminal.owner.is_entry and isinstance(terminal.owner.parent_op, FunctionOp)
        return OriginKind.ARGUMENT if of_function else OriginKind.OTHER
    return OriginKind.ALLOCATION if is_allocation(terminal) else OriginKind.OTHER


class Origins:
    """Alias queries O1 to O4 on the memrefs inside `root`.

    Building takes O(values + edges) and a union of sets per edge. Values added later have the origins of the memrefs that they
    view, or unknown origins.
    """

    def __init__(self, root: Operation) -> None:
        flow = ViewFlow(root)
        self._number = {terminal: i for i, terminal in enumerate(flow.terminals)}
        self._origins: dict[Value, IntegerSet] = {}
        self._kinds: dict[Value, OriginKind] = {}
        self._stripped: dict[Value, Value] = {}
        values = dict.fromkeys([*flow.terminals, *flow.targets, *flow.sources])
        of_results: dict[int, tuple[IntegerSet, OriginKind]] = {}
        """The union of the origins of each list of sources that the results of one operation share."""
        for component in strongly_connected_components(values, lambda value: flow.sources.get(value, ())):
            found: IntegerSet = None
            kind = OriginKind.ALLOCATION
            for value in component:
                sources = flow.sources.get(value, ())
                known = of_results.get(id(sources)) if len(component) == 1 else None
                if known is not None:
                    found, kind = known
                    sources = ()
                for source in sources:
                    if source in self._origins:
                        found = union(found, self._origins[source])
                        kind = max(kind, self._kinds[source])
                if sources and len(component) == 1:
                    of_results[id(sources)] = found, kind
                if value in self._number:
                    found = union(found, singleton(self._number[value]))
                    kind = max(kind, _kind(value))
            for value in component:
                self._origins[value] = found
                self._kinds[value] = kind

    def strip(self, value: Value) -> Value:
        """The memref under the views. Cached; amortised O(1) per view."""
        found = self._stripped.get(value)
        if found is None:
            found = self._stripped[value] = strip_views(value)
        return found

    def of(self, value: Value) -> IntegerSet:
        """The origins of a memref, as numbers of terminals in textual order."""
        return self._origins.get(self.strip(value))

    def single(self, value: Value) -> int | None:
        """The number of the origin if there is exactly one, else None."""
        found = self.of(value)
        return found if isinstance(found, int) else None

    def kind(self, value: Value) -> OriginKind:
        """The kind of the origins of a memref."""
        return self._kinds.get(self.strip(value), OriginKind.OTHER)

    def same_allocation(self, one: Value, other: Value) -> bool | None:
        """Whether two memrefs view one allocation: True (must), False (never), or None (may)."""
        if self.strip(one) is self.strip(other):
            return True
        left, right = self.of(one), self.of(other)
        if isinstance(left, int) and left == right:
            return True
        if overlap(left, right):
            return None
        kinds = self.kind(one), self.kind(other)
        return False if min(kinds) is OriginKind.ALLOCATION and max(kinds) is not OriginKind.OTHER else None

    def may_meet(self, one: Value, other: Value) -> bool:
        """Whether two memrefs that are visible at the same point may view one allocation there."""
        left, right = self.strip(one), self.strip(other)
        if allocated_after(left, right) or allocated_after(right, left):
            return False
        return self.same_allocation(one, other) is not False


MOST_HELD = 8
"""Origins for each memref of a group, on average, up to which they are listed."""


class OriginGroup:
    """An index over a list of memrefs for alias queries: by base, origin and kind, and a tree of the unions of their origins."""

    def __init__(self, origins: Origins, values: Sequence[Value]) -> None:
        self._origins = origins
        self.values = values
        self._by_base: dict[Value, list[int]] = {}
        self._by_origin: dict[int, list[int]] = {}
        self._by_kind: dict[OriginKind, list[int]] = {kind: [] for kind in OriginKind}
        for i, value in enumerate(values):
            self._by_base.setdefault(origins.strip(value), []).append(i)
            single = origins.single(value)
            if single is not None:
                self._by_origin.setdefault(single, []).append(i)
            self._by_kind[origins.kind(value)].append(i)

    def same(self, value: Value) -> list[int]:
        """The positions of the memrefs that must view the same allocation as `value`, ascending."""
        found = self._by_base.get(self._origins.strip(value), [])
        single = self._origins.single(value)
        more = self._by_origin.get(single, []) if single is not None else []
        return sorted({*found, *more}) if more and found else found or more

    def all_known(self, value: Value) -> bool:
        """Whether `same_allocation` with `value` is known for each memref."""
        kind = self._origins.kind(value)
        same = set(self.same(value))
        for other in OriginKind:
            if max(kind, other) is OriginKind.OTHER or min(kind, other) is not OriginKind.ALLOCATION:
                positions = self._by_kind[other]
                if len(positions) > len(same) or any(i not in same for i in positions):
                    return False
        return all(i in same for i in self._sharing(value))

    @cached_property
    def _unions(self) -> list[IntegerSet]:
        """The origins of each memref in the second half; at `i` the union of those at `2 * i` and `2 * i + 1`."""
        count = len(self.values)
        unions: list[IntegerSet] = [None] * count + [self._origins.of(value) for value in self.values]
        for i in range(count - 1, 0, -1):
            unions[i] = union(unions[2 * i], unions[2 * i + 1])
        return unions

    @cached_property
    def _holders(self) -> dict[int, list[int]] | None:
        """The positions of the memrefs with each origin; None if they have so many that the tree is faster."""
        found: dict[int, list[int]] = {}
        room = MOST_HELD * len(self.values)
        for i, value in enumerate(self.values):
            for origin in members(self._origins.of(value)):
                room -= 1
                if room < 0:
                    return None
                found.setdefault(origin, []).append(i)
        return found

    def _sharing(self, value: Value) -> Iterator[int]:
        """The positions of the memrefs that share an origin with `value`, some of them several times. O(origins), or where the
        memrefs have many, O(log) set operations for each; not counting the index."""
        if self._holders is not None:
            yield from (
                i for origin in members(self._origins.of(value)) for i in self._holders.get(origin, ())
            )
            return
        wanted, unions, count = self._origins.of(value), self._unions, len(self.values)
        pending = [1] if count else []
        while pending:
            node = pending.pop()
            if overlap(wanted, unions[node]):
                if node < count:
                    pending += (2 * node + 1, 2 * node)
                else:
                    yield node - count

    def may_meet(self, value: Value, besides: int = -1) -> bool:
        """Whether `value` may alias one of them, other than that at position `besides`."""
        origins = self._origins
        kind = origins.kind(value)
        for i in self.same(value):
            if i != besides and origins.may_meet(value, self.values[i]):
                return True
        for other in OriginKind:
            if max(kind, other) is OriginKind.OTHER or min(kind, other) is not OriginKind.ALLOCATION:
                for i in self._by_kind[other]:
                    if i != besides and origins.may_meet(value, self.values[i]):
                        return True
        return any(i != besides and origins.may_meet(value, self.values[i]) for i in self._sharing(value))
