"""Cost model of a program on buffers: trip counts, bytes copied and filled, and peak memory, from its text.

Three kinds of operations compute nothing new: a *copy* reads and writes its bytes, unless source and destination are the same memory; a *fill* writes them; a *relayout* (a broadcast,
transposition or reshape written as an operation of linalg) reads its source and writes its result. Their sum is the traffic.

Unknown sizes count as their upper bound, or as `ASSUMED_SIZE`, and loops of unknown length as `ASSUMED_RUNS` iterations. A buffer is live from
its allocation to the last use of it or of a view of it; a use inside a loop that does not contain the allocation counts as
one at the end of the loop. A buffer that a function returns is live to its end. Thus the peak is an estimate for deallocation after the
last use, whether or not the program frees anything yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..dialects import affine, bufferization, memref
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, constant_index
from ..dialects.linalg.base import LinalgOp
from ..ir.program.core import Block, BlockArgument, Operation, OpResult, Region, Value
from ..ir.program.interfaces import (
    CopyOpInterface,
    FunctionOp,
    LoopLikeOp,
    RegionBranchOp,
    SelectLikeOp,
    SubsetInsertionOp,
    axis_of,
    is_memory_effect_free,
)
from ..ir.source.diagnostics import present
from ..ir.source.records import record
from ..ir.source.text import LineNumber, Text, say
from ..ir.types import types as t
from ..ir.types.affine import AffineExpr
from ..semantics.intervals import AFFINE, OPERATIONS, Interval, Rule, greatest, least
from .allocations import allocations
from .fixpoint import strongly_connected_components
from .freeing.contracts import cloned_results
from .naming import line_of
from .origins import ViewFlow
from .positions import number
from .sizes import ASSUMED_SIZE, ONE, Formula, Sizes, Symbol, element_bytes, format_bytes
from .strided_places import are_one_place

# What copies weigh where sizes are not known: by the greatest number that a size can be, if that follows from where it comes from.
#
#     %n = affine.min affine_map<(d0) -> (32, 100 - d0)>(%i)      a tensor of %n elements weighs as one of 32
#     %s = tensor.extract_slice %t[%a] [%m] [1]                   %m is at most the size of %t
#     %r = arith.subi %c100, %a : index                           at most 100: sizes and offsets are not negative
#
# Other sizes weigh `ASSUMED_SIZE`, or what is assumed instead. Only choices are compared by it: that nothing is negative and no
# sum overflows is taken for granted, and no rule rests on it.

MAX_DEPTH: Final = 12
"""Nested index operations that a bound is followed through; beyond them it is unknown."""
MAX_USES: Final = 32
"""Uses of an index that are searched for slices of that size; further ones are ignored, and the size is estimated without them."""

Bounds = tuple[int, int | None]
"""The lower and upper bound of a number; None if the upper bound is unknown."""
ANY: Final[Bounds] = (0, None)


class CostModel:
    """The sizes in bytes of the values of one program, cached. The program must not change.

    Attributes:
        is_exact: whether every size queried so far was constant.
    """

    def __init__(self, assumed: int = ASSUMED_SIZE) -> None:
        self.assumed = assumed
        self.is_exact = True
        self._sizes = Sizes()
        self._known: dict[Value, Bounds] = {}
        self._depth = 0

    def bytes_of(self, value: Value) -> int:
        """The assumed size of a tensor or buffer in bytes; of one element if it is unranked. Amortised O(rank)."""
        total = element_bytes(getattr(value.type, "element", value.type))
        for position, size in enumerate(getattr(value.type, "shape", None) or ()):
            total *= self.extent(value, position) if size is None else size
        return total

    def extent(self, value: Value, position: int) -> int:
        """The assumed size of a dynamic dimension."""
        formula = self._sizes.dim(value, position)
        self.is_exact &= formula.constant is not None
        most = self._most(formula)
        return self.assumed if most is None else most

    def _most(self, formula: Formula) -> int | None:
        total = 0
        for monomial, factor in formula.terms.items():
            for symbol in monomial:
                bounds = self.of_index(symbol.key) if isinstance(symbol.key, Value) else ANY
                if factor < 0:
                    factor *= bounds[0]
                elif bounds[1] is None:
                    return None
                else:
                    factor *= bounds[1]
            total += factor
        return max(total, 0)

    def of_index(self, value: Mixed) -> Bounds:
        """The bounds of a size, an offset or an induction variable."""
        number = constant_index(value)
        if number is not None:
            return number, number
        assert isinstance(value, Value)
        if value not in self._known:
            if self._depth >= MAX_DEPTH:
                return ANY
            self._depth += 1
            self._known[value] = ANY  # while it is being computed
            low, high = self._computed(value)
            self._depth -= 1
            as_size = self._as_size(value)
            if as_size is not None and (high is None or as_size < high):
                high = as_size
            self._known[value] = max(low or 0, 0), high
        return self._known[value]

    def _computed(self, value: Value) -> Interval:
        """The bounds by the defining operation."""
        if isinstance(value, BlockArgument):
            axis = axis_of(value)
            if axis is None or axis.lower is None or axis.upper is None:
                return ANY
            low, high = self.of_index(axis.lower), self.of_index(axis.upper)
            return low[0], None if high[1] is None else high[1] - 1
        op = value.defining_op
        if isinstance(op, affine.ApplyOp | affine.MinOp | affine.MaxOp):
            found = [self._of_expr(expr, op.operands, op.map.map.num_dims) for expr in op.map.map.results]
            return least(*found) if isinstance(op, affine.MinOp) else greatest(*found)
        if op is None:
            return ANY
        operands = [self.of_index(operand) for operand in op.operands if isinstance(operand.type, INTEGERS)]
        rule = OPERATIONS.get(op.name)
        if rule is not None and len(operands) == 2:
            return _combined(rule, *operands)
        if op.name in ("arith.index_cast", "arith.index_castui"):
            return operands[0]
        return greatest(*operands[1:]) if isinstance(op, SelectLikeOp) else ANY

    def _of_expr(self, expr: AffineExpr, operands: list[Value], dims: int) -> Interval:
        """The bounds of an affine expression over `operands`, dimensions before symbols."""
        known: list[Interval] = [self.of_index(value) for value in operands]
        return expr.over(
            known[:dims], known[dims:], lambda x: (x, x), lambda kind, a, b: _combined(AFFINE[kind], a, b)
        )

    def _as_size(self, value: Value) -> int | None:
        """The size of the smallest tensor or buffer from which a slice of this size is extracted."""
        least: int | None = None
        for seen, use in enumerate(value.uses):
            if seen >= MAX_USES:
                break
            op = use.owner
            if not isinstance(op, OffsetSizeAndStrideOp):
                continue
            source = op.op_operands[1 if isinstance(op, SubsetInsertionOp) else 0].value
            shape = getattr(source.type, "shape", None) or ()
            for size, extent in zip(op.mixed_sizes(), shape, strict=False):
                if size is value and extent is not None and (least is None or extent < least):
                    least = extent
        return least


INTEGERS: Final = (t.IndexType, t.IntegerType)
DIVISIONS: Final = (
    *(AFFINE[kind] for kind in ("mod", "floordiv", "ceildiv")),
    *(rule for name, rule in OPERATIONS.items() if "div" in name or "rem" in name),
)


def _combined(rule: Rule, one: Interval, other: Interval) -> Interval:
    """The bounds of an operation on two numbers; a divisor is positive."""
    return rule(one, (max(1, other[0] or 1), other[1]) if rule in DIVISIONS else other)


ASSUMED_RUNS: Final = 10
"""The assumed trip count of a loop with dynamic bounds."""


@record(frozen=True)
class EstimatedCost:
    """The cost of a bufferized program, weighted by trip counts. All reports and comparisons use it.

    Attributes:
        copied: bytes copied; each is read and written.
        copies: the number of copy operations.
        peak: the peak of live bytes.
        filled: bytes set to one value.
        relayout_read, relayout_written: bytes that broadcasts, transpositions and reshapes read and write.
        allocated: bytes of all allocations.
        cloned: bytes that deallocation has to clone, as a function returns memory that it does not own.
        is_exact: whether all sizes and trip counts are constant; otherwise some are assumed.
    """

    copied: int = 0
    copies: int = 0
    peak: int = 0
    filled: int = 0
    relayout_read: int = 0
    relayout_written: int = 0
    allocated: int = 0
    cloned: int = 0
    is_exact: bool = True

    @property
    def traffic(self) -> int:
        """Bytes read and written by operations that compute nothing."""
        return 2 * self.copied + self.filled + self.relayout_read + self.relayout_written

    @property
    def traffic_with_clones(self) -> int:
        """The traffic after deallocation: the objective to minimize."""
        return self.traffic + 2 * self.cloned

    @classmethod
    def sum(cls, costs: Iterable[EstimatedCost]) -> EstimatedCost:
        """The cost of several functions that run one after the other: peaks do not add up."""
        parts = [cls(), *costs]
        sums = {name: sum(getattr(part, name) for part in parts) for name in SUMMED}
        return cls(**sums, peak=max(p.peak for p in parts), is_exact=all(p.is_exact for p in parts))

    def words(self, copied: int | None = None, allocated: int | None = None) -> str:
        """`in all runs 8192 bytes copied, 12.0 KiB allocated, 4096 bytes filled, peak 8192 bytes`, without figures equal to given ones."""
        relaid = self.relayout_read + self.relayout_written
        said = [f"{format_bytes(self.copied)} copied"] * (self.copied not in (0, copied))
        said += [f"{format_bytes(self.allocated)} allocated"] * (self.allocated not in (0, allocated))
        often = "in all runs " if said else ""
        said += [f"{format_bytes(self.filled)} filled"] * (self.filled > 0)
        said += [f"{format_bytes(relaid)} moved by broadcasts and transpositions"] * (relaid > 0)
        said += [f"peak {format_bytes(self.peak)}"] * (self.peak not in (0, allocated))
        about = "" if self.is_exact or not said else " (unknown sizes are assumed)"
        return f"{often}{', '.join(said)}{about}"

    def data(self) -> dict[str, int | bool]:
        """For machines."""
        return {
            "bytesCopied": self.copied,
            "bytesFilled": self.filled,
            "bytesRelaidOut": self.relayout_read + self.relayout_written,
            "bytesAllocated": self.allocated,
            "peakBytes": self.peak,
            "traffic": self.traffic,
            "exact": self.is_exact,
        }


SUMMED: Final = ("copied", "copies", "filled", "relayout_read", "relayout_written", "allocated", "cloned")


def costs_of_functions(root: Operation, assumed: int = ASSUMED_SIZE) -> dict[str, EstimatedCost]:
    """The cost of each function below `root`, by name; "" for operations outside of functions. See `traffic`."""
    found: dict[str, EstimatedCost] = {}
    for op in root.walk():
        if isinstance(op, FunctionOp) and not op.is_declaration:
            other = found.get(op.symbol_name, EstimatedCost())
            found[op.symbol_name] = EstimatedCost.sum([traffic(op, assumed), other])
    return found or {"": traffic(root, assumed)}


def traffic(root: Operation, assumed: int = ASSUMED_SIZE) -> EstimatedCost:
    """The cost of the program below `root`. O(operations * log), plus the views of each allocation.

    Args:
        assumed: the assumed size of dimensions without a known bound.
    """
    weights = CostModel(assumed)
    copied = copies = filled = relayout_read = relayout_written = 0
    are_runs_known = True
    for op in root.walk():
        if isinstance(op, CopyOpInterface):
            if are_one_place(op.copy_source(), op.copy_target()):
                continue
            copies += 1
            times, known = _runs(op)
            copied += weights.bytes_of(op.copy_source()) * times
        elif isinstance(op, LinalgOp) and len(inits := op.dps_inits()) == 1:
            sources = moved_by(op)
            if sources is None:
                continue
            times, known = _runs(op)
            written = weights.bytes_of(inits[0].value)
            if sources:
                relayout_read += weights.bytes_of(sources[0]) * times
                relayout_written += written * times
            else:
                filled += written * times
        else:
            continue
        are_runs_known &= known
    allocated = 0
    for made in allocations(root):
        if isinstance(made.value, OpResult):
            times, known = _runs(made.value.owner)
            allocated += weights.bytes_of(made.value) * times
            are_runs_known &= known
    flow = ViewFlow(root)
    held, cloned = peak(root, weights, flow), sum(map(weights.bytes_of, cloned_results(root, flow)))
    is_exact = are_runs_known and weights.is_exact
    return EstimatedCost(
        copied, copies, held, filled, relayout_read, relayout_written, allocated, cloned, is_exact
    )


def moved_by(op: LinalgOp) -> list[Value] | None:
    """The inputs of an operation that only moves data: one tensor or buffer for a relayout, none for a fill; None if it computes."""
    if not op.regions or not op.regions[0].blocks:
        return None
    body = op.regions[0].entry
    last = body.last_op
    if last is None or len(last.operands) != 1 or not all(map(is_memory_effect_free, body)):
        return None
    yielded = last.operands[0]
    if yielded.parent_block is not body:
        return []
    if not isinstance(yielded, BlockArgument) or yielded.index >= op.input_count:
        return None
    source = op.op_operands[yielded.index].value
    return [source] if isinstance(source.type, t.ShapedType) else []


def runs(op: Operation) -> int:
    """The assumed number of executions of an operation per call of its function. O(depth)."""
    return _runs(op)[0]


def _runs(op: Operation) -> tuple[int, bool]:
    """Like `runs`, and whether the number is exact."""
    total, is_known = 1, True
    region = op.parent_region
    while region is not None and region.parent_op is not None:
        parent = region.parent_op
        trips: int | None = 1
        if isinstance(parent, FunctionOp):
            break
        if isinstance(parent, LoopLikeOp):
            if region in parent.loop_regions:
                trips = parent.static_trip_count()
        elif isinstance(parent, RegionBranchOp) and parent.is_repetitive(region):
            trips = None
        total *= ASSUMED_RUNS if trips is None else trips
        is_known &= trips is not None
        region = parent.parent_region
    return total, is_known


def peak(root: Operation, weights: CostModel, flow: ViewFlow | None = None, is_freed: bool = True) -> int:
    """The peak of live bytes of a function's allocations. O(operations + views in each region of what is allocated there).

    Buffers live until they are freed, or, unless `is_freed`, until their last use before that.
    """
    enter, leave = number(root)
    flow = flow or ViewFlow(root)
    made: dict[Region | None, list[Value]] = {}
    for allocation in allocations(root):
        made.setdefault(present(allocation.value.defining_op).parent_region, []).append(allocation.value)
    changes: list[tuple[int, int]] = []
    for region, values in made.items():
        last = _last_uses(region, values, flow, leave, is_freed)
        for value in values:
            size = weights.bytes_of(value)
            begin = enter[present(value.defining_op)]
            changes += [(begin, size), (max(begin, last[value]) + 1, -size)]
    held = most = 0
    for _, change in sorted(changes):
        held += change
        most = max(most, held)
    return most


def _last_uses(
    region: Region | None, made: list[Value], flow: ViewFlow, leave: dict[Operation, int], is_freed: bool
) -> dict[Value, int]:
    """The position of the last use of each buffer made in a region, or of a view of it; -1 if it is not used.

    What is yielded out of the region lives to its end, and its further views need not be looked at.
    """
    around = region.parent_op if region is not None else None
    latest = leave.get(around, -1) if around is not None else -1
    found: dict[Value, int] = {}

    def of_itself(value: Value) -> int:
        last = -1
        for user in value.users:
            if not is_freed and isinstance(user, (memref.DeallocOp, bufferization.DeallocOp)):
                continue
            outer = user.ancestor_in_region(region)
            if outer is None:
                return latest
            last = max(last, leave.get(outer, -1))
        return last

    def views(value: Value) -> Iterable[Value]:
        if value not in found:
            found[value] = of_itself(value)
        return flow.targets.get(value, ()) if found[value] < latest or latest < 0 else ()

    for component in strongly_connected_components(made, views):
        last = max(found[other] for value in component for other in (value, *views(value)))
        found.update(dict.fromkeys(component, last))
    return found


# The number of executions of an operation per call of its function.
#
#     times = product of the trip counts of the enclosing loops
#
# Trip counts are constants if the bounds are, else formulas over the bounds, else symbols (`trips@7` for the loop on line 7). For an
# operation in a branch that need not be taken it is an upper bound.


@record(frozen=True)
class Times:
    """A number of executions: exactly `count`, or an upper bound if `at_most`."""

    count: Formula
    at_most: bool = False

    @property
    def is_once(self) -> bool:
        return self.count == ONE

    @property
    def text(self) -> str:
        """`16 times`, `at most once`, `%n times`."""
        often = "once" if self.is_once else say("{count} times", count=self.count.text)
        return say("at most {often}", often=often) if self.at_most else often

    def __str__(self) -> str:
        return str(self.text)


ONCE = Times(ONE)


def loop_of(symbol: Symbol) -> LineNumber | None:
    """The line of the loop whose trip count a symbol is; None for other symbols."""
    line = symbol.name.arguments.get("line") if isinstance(symbol.name, Text) else None
    return line if isinstance(line, LineNumber) else None


class Frequencies:
    """Execution counts of the operations of one program, cached. The program must not change."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._blocks: dict[Block, Times] = {}
        self._cycles: dict[Region, dict[Block, tuple[bool, bool]]] = {}

    def of(self, op: Operation) -> Times:
        """The number of executions of `op` per call of its function. Amortised O(1)."""
        return self.of_block(op.block) if op.block is not None else ONCE

    def of_block(self, block: Block) -> Times:
        """The number of executions of a block."""
        waiting: list[Block] = []
        times = ONCE
        current: Block | None = block
        while current is not None:
            known = self._blocks.get(current)
            if known is not None:
                times = known
                break
            waiting.append(current)
            parent = current.parent_op
            if parent is None or isinstance(parent, FunctionOp):
                break
            current = parent.block
        for inner in reversed(waiting):
            times = self._inside(inner, times)
            self._blocks[inner] = times
        return times

    def _inside(self, block: Block, around: Times) -> Times:
        """The number of executions of `block`, given that of the parent operation."""
        region, op = block.region, block.parent_op
        if region is None or op is None:
            return around
        times = around if isinstance(op, FunctionOp) else self._in_region(region, op, around)
        if region.has_one_block:
            return times
        on_cycle, certain = self._among_blocks(region)[block]
        if on_cycle:
            line = line_of(block.last_op) if block.last_op is not None else None
            name = say("trips@{line}", line=line) if line is not None else "trips"
            return Times(times.count * Formula.of(Symbol(name, block)), times.at_most)
        return times if certain else Times(times.count, True)

    def _in_region(self, region: Region, op: Operation, around: Times) -> Times:
        if isinstance(op, LoopLikeOp):
            if region not in op.loop_regions:
                return around
            return Times(around.count * self.trips(op), around.at_most)
        if isinstance(op, RegionBranchOp):
            if op.is_repetitive(region):
                return Times(around.count * _unknown_trips(op), around.at_most)
            if len(op.regions) > 1 or any(s.region is None for s in op.region_successors(None)):
                return Times(around.count, True)
        return around

    def trips(self, loop: LoopLikeOp) -> Formula:
        """The trip count of a loop per execution."""
        known = loop.static_trip_count()
        if known is not None:
            return Formula.of(known)
        total, axes = ONE, loop.axes()
        for axis in axes:
            if axis.step != 1 or axis.lower is None or axis.upper is None:
                return _unknown_trips(loop)
            total = total * (self._bound(axis.upper) - self._bound(axis.lower))
        if not axes or any(map(_counts_iterations, total.symbols())):
            return _unknown_trips(loop)  # each iteration around it has another number
        return total

    def _bound(self, bound: Mixed) -> Formula:
        return Formula.of(bound) if isinstance(bound, int) else self._sizes.index(bound)

    def _among_blocks(self, region: Region) -> dict[Block, tuple[bool, bool]]:
        """For each block, whether it is on a cycle, and whether it is on every path through the region. O(blocks + edges)."""
        if (found := self._cycles.get(region)) is not None:
            return found
        blocks = list(region)
        components = strongly_connected_components(blocks, lambda block: block.successors)
        found = {}
        place: dict[Block, int] = {}
        order = list(reversed(components))
        for at, component in enumerate(order):
            looping = len(component) > 1 or component[0] in component[0].successors
            for block in component:
                place[block] = at
                found[block] = (looping, False)
        # Edges between components only go forward: if none skips a component, every path goes through it.
        farthest = 0
        for at, component in enumerate(order):
            certain = farthest <= at
            for block in component:
                looping = found[block][0]
                found[block] = (looping, certain and len(component) == 1)
                targets = [place[s] for s in block.successors] or [len(order)]
                farthest = max(farthest, *targets)
        self._cycles[region] = found
        return found


def _counts_iterations(symbol: Symbol) -> bool:
    """Whether it is the induction variable of a loop."""
    value = symbol.key
    loop = value.owner.parent_op if isinstance(value, BlockArgument) else None
    return isinstance(loop, LoopLikeOp) and value in loop.induction_variables


def _unknown_trips(loop: Operation) -> Formula:
    line = line_of(loop)
    name = say("trips@{line}", line=line) if line is not None else f"trips({loop.name})"
    return Formula.of(Symbol(name, loop))
