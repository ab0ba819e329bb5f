"""A program on trial: its current form, the decisions for it, and its cost as bufferized."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress

from ...analysis.cost_model import EstimatedCost, costs_of_functions, traffic
from ...analysis.graphs import region_exits
from ...analysis.one_shot.result import AnalysisResult
from ...analysis.sizes import format_bytes
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, Region, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import PassFailed
from ...ir.source.records import field, record
from ...ir.types import types as t
from ..memory_report import IRMapping
from .arguments import written_arguments
from .destinations import ChosenDestination

Decide = Callable[[Operation, bool], AnalysisResult]
"""Analyses a module without changing it; the flag says whether it was prepared."""
BufferizeCopy = Callable[[AnalysisResult], IRMapping]
"""Bufferizes a copy of the analysed program. Raises PassFailed."""


@record(frozen=True)
class Transformations:
    """The transformations to try.

    Attributes:
        peak_percent: the allowed peak, in percent of that without preparation; 0 for no limit.
    """

    rematerialize: bool = False
    eliminate_dead_inits: bool = False
    destination_passing: bool = False
    forward_slices: bool = False
    unroll_and_rename: bool = False
    choose_destinations: bool = False
    forward_relayouts: bool = False
    peak_percent: int = 100


@record(frozen=True)
class PlainCost:
    """What is known of the unprepared program.

    Attributes:
        by_function: the costs of its functions, by name.
        written: the function arguments that it writes.
        buffers: its bufferized copy, if that is what preparations that change nothing lead to.
    """

    by_function: dict[str, EstimatedCost]
    written: set[tuple[str, int]]
    buffers: IRMapping | None = field(default=None, compare=False)

    @classmethod
    def of(cls, buffers: Operation, assumed_size: int) -> PlainCost:
        return cls(costs_of_functions(buffers, assumed_size), written_arguments(buffers))

    @property
    def cost(self) -> EstimatedCost:
        return EstimatedCost.sum(self.by_function.values())

    def part(self, functions: Iterable[FunctionOp]) -> PlainCost:
        """The costs of some of the functions."""
        names = {function.symbol_name for function in functions}
        return PlainCost(
            {name: cost for name, cost in self.by_function.items() if name in names}, self.written
        )


@record()
class BufferizedForm:
    """The decisions for a form of the program, its bufferized copy, and the cost of that, once it was asked for."""

    result: AnalysisResult
    buffers: IRMapping | None
    known: EstimatedCost | None = None

    @property
    def cost(self) -> EstimatedCost | None:
        """None if the form cannot be bufferized."""
        if self.known is None and self.buffers is not None:
            self.known = traffic(self.buffers.copy, self.result.options.assumed_size)
        return self.known


@record(frozen=True)
class Form:
    """A tried form of the program: its regions, detached from the root, and its decisions, if made."""

    regions: list[Region]
    result: AnalysisResult | None
    last: BufferizedForm | None = None


class TriedProgram:
    """A program that is rewritten in place; each form is analysed and bufferized at most once.

    Attributes:
        root: the program.
        decide, bufferize: analyse and bufferize a form on trial.
        peak_percent: the allowed peak, in percent of that of the unprepared program; 0 for no limit.
        base: the cost of the unprepared program.
        plain: the costs of mlir-opt's forms, of which none may be exceeded: `base`, and others that are better than what was found.
        tried: the costs of forms under these decisions, by `fingerprint`; None if one cannot be bufferized. Without it, they are
            not remembered.
    """

    base: EstimatedCost
    plain: list[EstimatedCost]

    def __init__(
        self,
        root: Operation,
        decide: Decide,
        bufferize: BufferizeCopy,
        peak_percent: int,
        tried: dict[Hashable, EstimatedCost | None] | None = None,
    ) -> None:
        self.root = root
        self.tried = tried
        self.decide = decide
        self.bufferize = bufferize
        self.peak_percent = peak_percent
        self._written: set[tuple[str, int]] | None = None
        """The arguments that the unprepared program writes; set when that is bufferized, which comes first."""
        self._too_large: EstimatedCost | None = None
        """The cheapest form that exceeds the allowed peak."""
        self._result: AnalysisResult | None = None
        self._last: BufferizedForm | None = None

    def _decided(self) -> AnalysisResult:
        """The decisions for the current program."""
        if self._result is None:
            self._result = self.decide(self.root, True)
        return self._result

    def _become(self, other: Operation) -> None:
        """Adopt the form of a discarded copy, without decisions."""
        replace(self.root, other)
        self._result = None

    def _take_out(self) -> Form:
        """Detach the current form; the root is left empty."""
        regions = [Region() for _ in self.root.regions]
        for kept, region in zip(regions, self.root.regions, strict=True):
            kept.take_blocks(region)
        return Form(regions, self._result, self._last)

    def _put_back(self, form: Form) -> None:
        for kept, region in zip(form.regions, self.root.regions, strict=True):
            for block in list(region):
                block.erase()
            region.take_blocks(kept)
        self._result, self._last = form.result, form.last

    def _bufferized(self, result: AnalysisResult) -> BufferizedForm:
        """The program bufferized by these decisions. Caches the last result."""
        if self._last is None or self._last.result is not result:
            buffers = None
            if not result.errors:
                with suppress(PassFailed):
                    buffers = self.bufferize(result)
                    if self._written is None:
                        self._written = written_arguments(buffers.copy)
            self._last = BufferizedForm(result, buffers)
        return self._last

    def _cost_now(self) -> EstimatedCost | None:
        """The cost of the current form, which is decided and bufferized only the first time."""
        if self._last is not None and self._last.result is self._result:
            return self._last.cost
        if self.tried is None:
            return self._bufferized(self._decided()).cost
        form = fingerprint(self.root)
        if form not in self.tried:
            self.tried[form] = self._bufferized(self._decided()).cost
        return self.tried[form]

    def buffers_of(self, result: AnalysisResult) -> IRMapping | None:
        """The program last bufferized, if it was by these decisions, else None."""
        return self._last.buffers if self._last is not None and self._last.result is result else None

    def _is_protected(self, argument: BlockArgument) -> bool:
        """Whether an argument belongs to unknown callers, and the unprepared program does not write it."""
        function = argument.owner.parent_op
        if isinstance(function, FunctionLikeOp) and not is_callers(argument):
            return False
        return isinstance(function, FunctionOp) and (function.symbol_name, argument.index) not in (
            self._written or ()
        )

    def _is_kept(self, choice: ChosenDestination) -> bool:
        """Whether a destination is in place, and is not an argument donated for one result but returned as another."""
        result = self._decided()
        function = choice.use.owner.parent_of_type(FunctionLikeOp)
        if not isinstance(function, FunctionLikeOp):
            return result.is_in_place(choice.use)
        return result.is_in_place(choice.use) and not any(
            number != wanted and t.is_tensor(value.type) and result.are_equivalent(argument, value)
            for index, wanted in function.donated().items()
            if wanted is not None
            and result.are_equivalent(argument := function.body.entry.args[index], choice.use.value)
            for end in region_exits(function.body)
            for number, value in enumerate(end.operands)
        )

    def _is_acceptable(self) -> bool:
        """Whether the current program copies and moves no more than the plain ones, and its peak is within the limit."""
        return self._fits(self._cost_now())

    def _fits(self, found: EstimatedCost | None) -> bool:
        return (
            found is not None
            and all(
                found.copied <= plain.copied
                and found.traffic <= plain.traffic
                and found.traffic_with_clones <= plain.traffic_with_clones
                for plain in self.plain
            )
            and self._is_small(found)
        )

    def _is_beaten(self, least: EstimatedCost) -> bool:
        """Whether the current form, which a pass of mlir-opt makes, copies or moves less than the best one.

        Then it is the one to improve, and a bound of what is accepted.
        """
        plain = self._cost_now()
        if plain is None or not self._is_acceptable():
            return False
        if least.copied <= plain.copied and least.traffic <= plain.traffic:
            return False
        self.plain.append(plain)
        return True

    def _is_small(self, cost: EstimatedCost) -> bool:
        """Whether the peak is within the limit; records the savings that are lost otherwise."""
        limit = self.peak_percent
        if not limit or cost.peak * 100 <= self.base.peak * limit:
            return True
        if self._too_large is None or rank(cost) < rank(self._too_large):
            self._too_large = cost
        return False

    def _given_up(self, taken: EstimatedCost) -> str | None:
        """The savings that a higher peak would allow, with the option for it."""
        lost = self._too_large
        if lost is None or lost.traffic >= taken.traffic:
            return None
        percent = -(-lost.peak * 100 // max(1, self.base.peak))
        return (
            f"{format_bytes(taken.traffic - lost.traffic)} less would be moved if {format_bytes(lost.peak)} could be held at once "
            f"(peak-percent={percent}), instead of {format_bytes(taken.peak)}"
        )

    @property
    def is_peak_binding(self) -> bool:
        """Whether the limit ruled out a form, so that another limit may have another result."""
        return self._too_large is not None

    def _holds(self, after: EstimatedCost, before: EstimatedCost) -> bool:
        """Whether the peak is within the limit, or not above that before."""
        return after.peak <= before.peak or self._is_small(after)


def is_callers(value: Value) -> bool:
    """Whether a tensor is an argument in memory of unknown callers, who have not donated it."""
    if not isinstance(value, BlockArgument):
        return False
    function = value.owner.parent_op
    return (
        isinstance(function, FunctionLikeOp)
        and function.visibility != "private"
        and value.index not in function.donated()
    )


def rank(cost: EstimatedCost) -> tuple[int, int, int, int]:
    """The objective: traffic with clones of deallocation, then copies, then the peak, then allocated bytes."""
    return cost.traffic_with_clones, cost.copied, cost.peak, cost.allocated


def operations_in(root: Operation) -> set[type[Operation]]:
    """The classes of the operations in a program."""
    return {op.__class__ for op in root.walk()}


def fingerprint(root: Operation) -> Hashable:
    """The structure of a program: equal for programs that differ only in names and locations. O(operations)."""
    numbers: dict[object, int] = {}
    found: list[Hashable] = []
    for op in root.walk():
        found.append(
            (
                op.name,
                numbers.get(op.block),
                *[(numbers.setdefault(result, len(numbers)), result.type) for result in op.results],
                *[numbers.setdefault(use.value, len(numbers)) for use in op.op_operands],
                *op.properties.items(),
                *op.attributes.items(),
                *[numbers[block] for block in op.successors],
            )
        )
        for number, region in enumerate(op.regions):
            for block in region:
                of_args = [(numbers.setdefault(arg, len(numbers)), arg.type) for arg in block.args]
                found.append((number, numbers.setdefault(block, len(numbers)), *of_args))
    return tuple(found)


def replace(root: Operation, other: Operation) -> None:
    """Move the regions of `other`, which is discarded, to `root`."""
    for region, new in zip(root.regions, other.regions, strict=True):
        for block in list(region):
            block.erase()
        region.take_blocks(new)
