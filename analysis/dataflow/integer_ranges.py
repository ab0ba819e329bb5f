"""Integer range analysis, and the operations that control can reach.

A range is a pair of a least and a greatest number, both inclusive, taken as signed numbers of the type's width (64 bits for
`index`; an `i1` is 0 or 1). A result that may wrap around has the full range. Loop-carried ranges are widened to the next of
a few thresholds, then narrowed: `%i` in `scf.for %i = %c0 to %c8 step %c2` is in [0, 7].

Ranges and reachability are solved together, as in sparse conditional constant propagation [1]_: an edge is taken only if the
range of its condition allows it, and a join ignores edges that are never taken. Along an edge guarded by a comparison, the
ranges of the compared values are refined. An analysis with `Reachability` in its `reads` ignores edges that are never taken.

.. [1] M. N. Wegman and F. K. Zadeck, "Constant propagation with conditional branches", ACM TOPLAS 13(2), 1991.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeAlias

from ...dialects import affine, arith
from ...dialects.arith import INTEGER_PREDICATES
from ...dialects.common import ShapedDimOp
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CountedLoopOp, LoopBound, LoopLikeOp
from ...ir.program.traits import CONSTANT_LIKE
from ...ir.types import types as t
from ...ir.types.affine import AffineExpr
from ...ir.types.affine_map import AffineMap
from ...ir.types.attributes import IntegerAttr
from ...semantics.intervals import AFFINE, OPERATIONS, UNKNOWN, Interval
from .framework import AnyAnalysis, EdgeAnalysis, SparseAnalysis, is_public
from .graph import FlowEdge, FlowGraph, Segment

Range: TypeAlias = tuple[int, int]
RangeOf: TypeAlias = Callable[[Value], "Range | None"]

THRESHOLDS = (-(1 << 63), -(1 << 31), -1, 0, 1, (1 << 31) - 1, (1 << 63) - 1)
"""The bounds that widening jumps to."""
NEGATED = {"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
           "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"}  # fmt: skip
SWAPPED = {"eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
          "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule"}  # fmt: skip


def full_range(type: object) -> Range:
    """The range of all numbers of a type."""
    width = type.width if isinstance(type, t.IntegerType) else 64
    if width == 1:
        return 0, 1
    if isinstance(type, t.IntegerType) and type.signedness == "unsigned":
        return 0, (1 << width) - 1
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def _is_integer(type: object) -> bool:
    return isinstance(type, (t.IntegerType, t.IndexType))


class IntegerRanges(SparseAnalysis[Range]):
    """The range of each value of an integer type; values of other types have the full range of 64 bits."""

    narrows: ClassVar[bool] = True

    def join(self, a: Range, b: Range) -> Range:
        return min(a[0], b[0]), max(a[1], b[1])

    def widen(self, old: Range, new: Range) -> Range:
        low = new[0] if new[0] == old[0] else max((n for n in THRESHOLDS if n <= new[0]), default=new[0])
        high = new[1] if new[1] == old[1] else min((n for n in THRESHOLDS if n >= new[1]), default=new[1])
        return low, high

    def concerns(self, value: Value) -> bool:
        return _is_integer(value.type)

    def unknown(self, value: Value) -> Range:
        return full_range(value.type)

    def show(self, state: Range) -> str:
        low, high = state
        if low == high:
            return str(low)
        names = {n: text for width in (32, 64)
                 for n, text in ((-(1 << width - 1), f"-2^{width - 1}"), ((1 << width - 1) - 1, f"2^{width - 1}-1"))}  # fmt: skip
        return f"[{names.get(low, low)}, {names.get(high, high)}]"

    def input(self, value: Value) -> Range | None:
        """An induction variable ranges from the lower bound to below the upper bound of its loop."""
        assert isinstance(value, BlockArgument)
        loop = value.owner.parent_op
        bounds = loop_bounds(loop, value, self._known) if loop is not None else None
        if bounds is None:
            return self.unknown(value)
        (low, _), (_, high) = bounds
        return low, max(low, high - 1)

    def transfer(self, op: Operation, states: Sequence[Range]) -> Sequence[Range | None] | Range | None:
        if len(op.results) != 1 or not _is_integer(op.results[0].type):
            return [self.unknown(result) for result in op.results]
        found = range_of_result(op, states)
        least, most = full_range(op.results[0].type)
        return found if found is not None and least <= found[0] <= found[1] <= most else (least, most)

    def edge(self, edge: FlowEdge, use: OpOperand, state: Range) -> Range | None:
        """Refine the range of a compared value along the edge that its comparison guards."""
        condition = edge.condition
        compared = condition.value.defining_op if condition is not None else None
        if (
            condition is None
            or not isinstance(compared, arith.CmpIOp)
            or condition.wanted not in ("true", "false")
        ):
            return state
        predicate = INTEGER_PREDICATES[compared.predicate.value]
        if condition.wanted == "false":
            predicate = NEGATED[predicate]
        left, right = compared.operands
        if use.value is right:
            left, right, predicate = right, left, SWAPPED[predicate]
        other = self._known(right) if use.value is left else None
        return state if other is None else _refined(predicate, state, other)

    def _known(self, value: Value) -> Range | None:
        return self.read(IntegerRanges, value)


def _refined(predicate: str, it: Range, other: Range) -> Range | None:
    """The subrange of `it` in which a comparison with some number of `other` can hold; None if it is empty."""
    low, high = it
    if predicate[0] == "u":
        if low < 0 or other[0] < 0:
            return it
        predicate = f"s{predicate[1:]}"
    if predicate == "eq":
        low, high = max(low, other[0]), min(high, other[1])
    elif predicate == "ne" and other[0] == other[1]:
        low, high = low + (low == other[0]), high - (high == other[0])
    elif predicate in ("slt", "sle"):
        high = min(high, other[1] - (predicate == "slt"))
    elif predicate in ("sgt", "sge"):
        low = max(low, other[0] + (predicate == "sgt"))
    return (low, high) if low <= high else None


class Reachability(EdgeAnalysis):
    """The reachable segments and edges. A function is reachable if it is public, or a reachable operation calls it."""

    reads: ClassVar[tuple[type[AnyAnalysis], ...]] = (IntegerRanges,)

    def starts(self, graph: FlowGraph) -> Iterable[Segment]:
        return [segment for segment in graph.entries if not segment.called_by or is_public(segment)]

    def visit(self, segment: Segment) -> Iterable[FlowEdge]:
        leaving = segment.leaving
        decided = [edge.condition for edge in leaving]
        for edge, condition in zip(leaving, decided, strict=True):
            if condition is not None:
                others = [one.wanted for one in decided if one is not None]
                if not self._may_be(condition.value, condition.wanted, others):
                    continue
            elif edge.way is not None and edge.op is segment.end and not self._enters(edge):
                continue
            yield edge
        yield from segment.calls
        yield from segment.returns

    def _may_be(self, value: Value, wanted: str, cases: list[str]) -> bool:
        """Whether a condition may have the value `wanted`, which leads to an edge."""
        found: Range | None = self.read(IntegerRanges, value)
        if found is None:
            return False  # not reached so far
        low, high = found
        if wanted in ("true", "false"):
            return low <= int(wanted == "true") <= high
        if wanted == "default":
            known = {int(case) for case in cases if case.lstrip("-").isdecimal()}
            return high - low >= len(known) or any(n not in known for n in range(low, high + 1))
        return not wanted.lstrip("-").isdecimal() or low <= int(wanted) <= high

    def _enters(self, edge: FlowEdge) -> bool:
        """Whether control may take the edge into a loop's body, or the edge past it."""
        assert edge.op is not None
        trips = trip_range(edge.op, lambda value: self.read(IntegerRanges, value))
        if trips is None:
            return False
        return trips[0] == 0 if edge.target.after is edge.op else trips[1] > 0


IntegerRanges.reads = (Reachability,)


# -- loops


def loop_bounds(loop: Operation, counter: BlockArgument, known: RangeOf) -> tuple[Range, Range] | None:
    """The ranges of the lower and the (exclusive) upper bound of an induction variable; None if unknown."""
    if not isinstance(loop, LoopLikeOp) or loop.unsigned_cmp or counter not in loop.induction_variables:
        return None
    lower, upper, _ = loop.bounds()[counter.index]
    low, high = _bound(lower, known, max), _bound(upper, known, min)
    return None if low is None or high is None else (low, high)


def _bound(bound: LoopBound, known: RangeOf, pick: Callable[[Sequence[int]], int]) -> Range | None:
    if not isinstance(bound, tuple):
        return known(bound) if isinstance(bound, Value) else (bound, bound)
    map, operands = bound
    ranges = [known(value) for value in operands]
    found = [_range_of_expression(result, map.num_dims, ranges) for result in map.results]
    known_ranges = [one for one in found if one is not None]
    if len(known_ranges) < len(found) or not found:
        return None
    return pick([low for low, _ in known_ranges]), pick([high for _, high in known_ranges])


def trip_range(op: Operation, known: RangeOf) -> tuple[int, int] | None:
    """The least and the greatest trip count of a loop, where 1 stands for one or more; (0, 1) for other operations.

    None while a bound has no range yet.
    """
    if not isinstance(op, LoopLikeOp):
        return 0, 1
    count = op.static_trip_count()
    if count is not None:
        return min(count, 1), min(count, 1)
    if not isinstance(op, CountedLoopOp) or op.regions[0].is_empty:
        return 0, 1
    [axis] = op.axes()
    if any(isinstance(bound, Value) and known(bound) is None for bound in (axis.lower, axis.upper)):
        return None
    bounds = loop_bounds(op, axis.variable, known)
    if bounds is None:
        return 0, 1
    (low, low_most), (high_least, high) = bounds
    return int(low_most < high_least), int(low < high)


# -- operations


def range_of_result(op: Operation, states: Sequence[Range]) -> Range | None:
    """The range of an operation's single result; None if unknown. It may exceed the type's range: see `transfer`."""
    if op.has_trait(CONSTANT_LIKE):
        value = op.properties.get("value")
        if not isinstance(value, IntegerAttr):
            return None
        return value.value, value.value
    if isinstance(op, ShapedDimOp):
        return _dim(op, states[1])
    if isinstance(op, (affine.ApplyOp, affine.MinOp, affine.MaxOp)):
        map: AffineMap = op.map.map
        found = [_range_of_expression(result, map.num_dims, states) for result in map.results]
        known_ranges = [one for one in found if one is not None]
        if len(known_ranges) < len(found):
            return None
        pick = max if isinstance(op, affine.MaxOp) else min
        return pick(low for low, _ in known_ranges), pick(high for _, high in known_ranges)
    dialect, _, short = op.name.partition(".")
    if dialect not in ("arith", "index"):
        return None
    if short == "select":
        _, yes, no = states
        if states[0][0] == states[0][1]:
            return yes if states[0][0] else no
        return min(yes[0], no[0]), max(yes[1], no[1])
    if isinstance(op, arith.CmpIOp):
        return _compared(INTEGER_PREDICATES[op.predicate.value], states)
    if short in ("index_cast", "extsi", "extui", "trunci", "index_castui", "casts", "castu"):
        (low, high) = states[0]
        if short in ("extui", "index_castui", "castu") and low < 0:
            return None
        return low, high
    rule = OPERATIONS.get(op.name)
    return _bounded(rule(states[0], states[1])) if rule is not None and len(states) == 2 else None


def _dim(op: Operation, index: Range) -> Range | None:
    shape = getattr(op.operands[0].type, "shape", None)
    if shape is None:
        return 0, (1 << 63) - 1
    sizes = [shape[i] for i in range(max(index[0], 0), min(index[1] + 1, len(shape)))]
    if sizes and all(isinstance(size, int) and size >= 0 for size in sizes):
        return min(sizes), max(sizes)
    return 0, (1 << 63) - 1


def _compared(predicate: str, states: Sequence[Range]) -> Range:
    left, right = states
    holds, fails = (
        _refined(predicate, left, right) is not None,
        _refined(NEGATED[predicate], left, right) is not None,
    )
    return int(not fails), int(holds)


def _bounded(found: Interval) -> Range | None:
    low, high = found
    return None if low is None or high is None else (low, high)


def _range_of_expression(expr: AffineExpr, dims: int, ranges: Sequence[Range | None]) -> Range | None:
    """The range of an affine expression, given those of its operands. O(size)."""
    known: list[Interval] = [UNKNOWN if one is None else one for one in ranges]
    return _bounded(
        expr.over(known[:dims], known[dims:], lambda x: (x, x), lambda kind, a, b: AFFINE[kind](a, b))
    )
