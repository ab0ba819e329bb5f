"""A program on trial: its current form, the decisions for it, and its cost as bufferized."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress

from ...analysis.cost_model import EstimatedCost, traffic
from ...analysis.graphs import region_exits
from ...analysis.one_shot.result import AnalysisResult
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, Region, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import PassFailed
from ...ir.source.records import record
from ...ir.types import types as t
from ..memory_report import IRMapping
from .arguments import written_arguments
from .destinations import ChosenDestination

Decide = Callable[[Operation, bool], AnalysisResult]
"""Analyses a module without changing it; the flag says whether it was prepared."""
BufferizeCopy = Callable[[AnalysisResult], IRMapping]
"""Bufferizes a copy of the analysed program. Raises PassFailed."""


@record(frozen=True)
class PlainCost:
    """The cost of the unprepared program, and the function arguments that it writes."""

    cost: EstimatedCost
    written: set[tuple[str, int]]

    @classmethod
    def of(cls, buffers: Operation, assumed_size: int) -> PlainCost:
        return cls(traffic(buffers, assumed_size), written_arguments(buffers))


@record(frozen=True)
class Form:
    """A tried form of the program: its regions, detached from the root, and its decisions, if made."""

    regions: list[Region]
    result: AnalysisResult | None
    last: tuple[AnalysisResult, EstimatedCost | None, IRMapping | None] | None = None


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
        self._last: tuple[AnalysisResult, EstimatedCost | None, IRMapping | None] | None = None

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

    def _cost(self, result: AnalysisResult) -> EstimatedCost | None:
        """The cost of the bufferized program; None if it cannot be bufferized. Caches the last result."""
        if self._last is not None and self._last[0] is result:
            return self._last[1]
        cost = buffers = None
        if not result.errors:
            with suppress(PassFailed):
                buffers = self.bufferize(result)
                cost = traffic(buffers.copy, result.options.assumed_size)
                if self._written is None:
                    self._written = written_arguments(buffers.copy)
        self._last = result, cost, buffers
        return cost

    def _cost_now(self) -> EstimatedCost | None:
        """The cost of the current form, which is decided and bufferized only the first time."""
        if self._last is not None and self._last[0] is self._result:
            return self._last[1]
        if self.tried is None:
            return self._cost(self._decided())
        form = fingerprint(self.root)
        if form not in self.tried:
            self.tried[form] = self._cost(self._decided())
        return self.tried[form]

    def buffers_of(self, result: AnalysisResult) -> IRMapping | None:
        """The bufferized program of the last `_cost`, if it was for these decisions, else None."""
        return self._last[2] if self._last is not None and self._last[0] is result else None

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

    def _is_small(self, cost: EstimatedCost) -> bool:
        """Whether the peak is within the limit; records the savings that are lost otherwise."""
        limit = self.peak_percent
        if not limit or cost.peak * 100 <= self.base.peak * limit:
            return True
        if self._too_large is None or rank(cost) < rank(self._too_large):
            self._too_large = cost
        return False

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
