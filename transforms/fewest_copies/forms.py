"""The forms of a program that a search for fewer copies tries: their decisions and costs, each computed once.

The program has one form at a time. Another is a clone that takes its place; a form that may come back is detached, with its
decisions, which stay valid as long as nobody changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress

from ...analysis.cost_model import EstimatedCost, traffic
from ...analysis.one_shot.result import AnalysisResult
from ...ir.program.core import Operation, Region
from ...ir.source.diagnostics import PassFailed
from ...ir.source.records import record
from ..memory_report import IRMapping
from .destinations import written_arguments

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


def rank(cost: EstimatedCost) -> tuple[int, int, int, int]:
    """The objective: traffic, then copies, then the peak, then allocated bytes."""
    return cost.traffic, cost.copied, cost.peak, cost.allocated


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


class ProgramForms:
    """A program, its current form, and what is known of it.

    Attributes:
        root: the program.
        decide, bufferize: analyse and bufferize a form on trial.
        tried: the costs of forms under these decisions, by `fingerprint`; None if one cannot be bufferized.
    """

    def __init__(
        self,
        root: Operation,
        decide: Decide,
        bufferize: BufferizeCopy,
        tried: dict[Hashable, EstimatedCost | None] | None = None,
    ) -> None:
        self.root = root
        self.decide = decide
        self.bufferize = bufferize
        self.tried = {} if tried is None else tried
        self._written: set[tuple[str, int]] | None = None
        """The arguments that the unprepared program writes; set when that is bufferized, which comes first."""
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
        form = fingerprint(self.root)
        if form not in self.tried:
            self.tried[form] = self._cost(self._decided())
        return self.tried[form]

    def buffers_of(self, result: AnalysisResult) -> IRMapping | None:
        """The bufferized program of the last `_cost`, if it was for these decisions, else None."""
        return self._last[2] if self._last is not None and self._last[0] is result else None
