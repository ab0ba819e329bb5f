"""Trials: a change applied to a copy of the functions it touches, analysed, bufferized and compared.

A trial copies the functions that a change rewrites and their callees, and also their callers if their summary or type changes. The
memory report of all other functions is reused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...analysis.cost_model import EstimatedCost
from ...analysis.naming import symbol
from ...analysis.one_shot.analyze import analyze
from ...analysis.one_shot.functions import CallGraph, call_graph
from ...analysis.sizes import Formula, in_bytes
from ...dialects import func
from ...ir.program.core import Block, Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.source.records import field, record
from ...ir.source.text import say
from ...ir.types.attributes import SymbolRefAttr
from ..bufferize.on_copy import Bufferized, bufferize_copy
from ..memory_report import MemoryRecord, MemoryReport, counted, total
from . import Change, ProgramCopy

if TYPE_CHECKING:
    from ...analysis.models import ModelRegistry
    from ...analysis.one_shot.result import AnalysisResult


LEVELS = 4
"""Levels of nesting that double the cost of an operation."""


@record(frozen=True)
class Totals:
    """The number of copies and allocations of a program, and their symbolic sizes in bytes.

    Copies of a buffer onto itself do not count, as later passes remove them.

    Attributes:
        memory_reports: the reports that it sums up, for the cost model: that of the changed functions, and of the others.
    """

    copies: int
    allocations: int
    bytes: Formula
    memory_reports: tuple[MemoryReport, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, memory_report: MemoryReport) -> Totals:
        moved = [copy for copy in memory_report.copies if not copy.is_onto_itself]
        return cls(len(moved), len(memory_report.allocations), total(moved).by_name(), (memory_report,))

    @property
    def cost(self) -> EstimatedCost:
        """Bytes copied, filled, allocated, and live at the peak. Cached; O(program)."""
        costs: dict[str, EstimatedCost] = {}
        for memory_report in self.memory_reports:
            costs |= memory_report.costs
        return EstimatedCost.sum(costs.values())

    def describe(self) -> str:
        """`2 copies (32 bytes) and 1 allocation`, and the passes that remove others, of a buffer onto itself."""
        copies = counted(self.copies, "copy", "copies")
        if self.copies:
            copies += f" ({in_bytes(self.bytes)})"
        said = f"{copies} and {counted(self.allocations, 'allocation')}"
        idle = any(copy.is_onto_itself for report in self.memory_reports for copy in report.copies)
        return said + say(" after -cse -canonicalize") if idle else said

    def instead_of(self, part: Totals, whole: Totals) -> Totals:
        """`whole` with `part` replaced by these."""
        return Totals(
            whole.copies - part.copies + self.copies,
            whole.allocations - part.allocations + self.allocations,
            whole.bytes - part.bytes + self.bytes,
            (*whole.memory_reports, *self.memory_reports),
        )

    def improves_on(self, other: Totals | None) -> bool:
        """Whether nothing is worse and something is better; anything improves on a program that fails (None)."""
        if other is None:
            return True
        mine = (self.copies, self.allocations, self.bytes.estimate())
        theirs = (other.copies, other.allocations, other.bytes.estimate())
        return all(a <= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs

    @property
    def weight(self) -> tuple[int, int]:
        """Sort key: bytes, then copies; all unknown sizes count the same."""
        return self.bytes.estimate(), self.copies


@record(eq=False)
class TrialOutcome:
    """The result of a trial.

    Attributes:
        program: the changed copy.
        applied: the changes that were possible.
        totals: the totals of the whole program.
        left: the operations of the original that still require a copy.
        bufferized: the bufferized copy.
        result: the analysis of the copy.
    """

    program: ProgramCopy
    applied: list[Change]
    totals: Totals
    left: set[Operation]
    bufferized: Bufferized
    result: AnalysisResult


class FunctionParts:
    """The functions of a program that can be analysed separately, with their sizes and calls."""

    def __init__(self, root: Operation, functions: Sequence[Operation]) -> None:
        graph = call_graph(root)
        self._callees = {op: list(dict.fromkeys(_called(graph, op))) for op in functions}
        self._callers: dict[Operation, list[Operation]] = {}
        for function, called in self._callees.items():
            for callee in called:
                self._callers.setdefault(callee, []).append(function)
        self.functions = list(functions)
        self.sizes = {op: work_of(op) for op in functions}

    @classmethod
    def of(cls, root: Operation) -> FunctionParts | None:
        """None if functions cannot be separated: there is only one, or some are referenced other than by calls. O(program)."""
        functions = [op for region in root.regions for op in region.ops() if isinstance(op, FunctionOp)]
        if len(functions) < 2 or _has_inner_symbols(root, functions[0].block):
            return None
        return None if _is_named_elsewhere(root, functions) else cls(root, functions)

    def touched(self, changes: Iterable[Change]) -> set[Operation]:
        """The functions that the changes rewrite."""
        found: set[Operation] = set()
        for change in changes:
            for op in change.touches:
                around = next((outer for outer in op.ancestors() if outer in self.sizes), None)
                if around is not None:
                    found.add(around)
        return found

    def with_callees(self, functions: Iterable[Operation]) -> set[Operation]:
        """The functions and their transitive callees."""
        return _closure(functions, self._callees)

    def with_callers(self, functions: Iterable[Operation]) -> set[Operation]:
        """The functions, their transitive callers, and the callees of those."""
        return self.with_callees(_closure(functions, self._callers))


class ChangeTrials:
    """Applies changes to copies of one program, bufferizes these and compares memory reports.

    Attributes:
        before: the totals of the program; None if it cannot be bufferized.
        size: the number of operations.
        work: the cost of a trial of the whole program: operations weighted by nesting depth.
        spent: the cost of all trials so far.
    """

    def __init__(
        self,
        result: AnalysisResult,
        registry: ModelRegistry | None,
        memory_report: MemoryReport,
        bufferized: Bufferized | None,
        layout: str,
    ) -> None:
        self.result = result
        self.registry = registry
        self.layout = layout
        self.memory_report = memory_report
        self.bufferized = bufferized
        self.size = sum(1 for _ in result.state.root.walk())
        self.work = work_of(result.state.root)
        self.before: Totals | None = None if result.errors else Totals.of(memory_report)
        self.spent = 0
        self._unchanged: tuple[set[Operation] | None, ProgramCopy] | None = None
        """A copy to which no change could be applied, for the next trial of the same functions."""
        self._made: dict[str, list[MemoryRecord]] = {}
        if bufferized is not None and not result.errors:
            for memory_record in memory_report:
                self._made.setdefault(memory_record.function, []).append(memory_record)

    @cached_property
    def parts(self) -> FunctionParts | None:
        """The functions of the program, if they can be tried separately."""
        if self.bufferized is None or self.result.errors:
            return None
        return FunctionParts.of(self.result.unsettled.root)

    @cached_property
    def _known(self) -> dict[str, tuple[object, str]]:
        """The summary and type of each function, as seen by callers."""
        return {} if self.bufferized is None else _known_to_callers(self.result, self.bufferized)

    def cost(self, changes: Sequence[Change]) -> int:
        """A lower bound on the cost of a trial."""
        touched = self.parts.touched(changes) if self.parts is not None else None
        if self.parts is None or not touched:
            return self.work
        return sum(self.parts.sizes[op] for op in self.parts.with_callees(touched))

    def attempt(self, changes: Sequence[Change]) -> TrialOutcome | None:
        """Try changes together; None if none is possible, or the changed program cannot be bufferized.

        Changes that earlier ones make impossible are skipped.
        """
        parts = self.parts
        touched = parts.touched(changes) if parts is not None else None
        if parts is None or not touched or self.before is None:
            return self._outcome(changes, None)
        part, wide = parts.with_callees(touched), parts.with_callers(touched)
        if not all(isinstance(op, FunctionOp) and not op.is_declaration for op in touched):
            part = wide
        found = self._outcome(changes, part)
        if found is not None and part != wide and self._differ_to_callers(touched, found):
            found = self._outcome(changes, wide)
        return found

    def _differ_to_callers(self, functions: set[Operation], outcome: TrialOutcome) -> bool:
        changed = _known_to_callers(outcome.result, outcome.bufferized)
        names = [symbol(op) or "" for op in functions]
        return any(changed.get(name) != self._known.get(name) for name in names)

    def _outcome(self, changes: Sequence[Change], part: set[Operation] | None) -> TrialOutcome | None:
        unchanged, self._unchanged = self._unchanged, None
        if unchanged is None or unchanged[0] != part:
            program = ProgramCopy(self.result.state.root, None if part is None else part.__contains__)
            unchanged = part, program
        program = unchanged[1]
        applied = [change for change in changes if change.apply(program)]
        if not applied:
            self._unchanged = unchanged
            return None
        self.spent += (
            self.work if part is None or self.parts is None else sum(self.parts.sizes[op] for op in part)
        )
        result = analyze(program.copy, self.result.options, self.registry)
        if result.errors:
            return None
        found = bufferize_copy(result, function_boundary_layout=self.layout, registry=self.registry)
        if not found.is_complete:
            return None
        totals = Totals.of(found.memory_report)
        if part is not None and self.before is not None:
            made = [m for op in part for m in self._made.get(symbol(op) or "", ())]
            totals = totals.instead_of(Totals.of(MemoryReport(made)), self.before)
        copies = (copy.cause.op for copy in found.memory_report.copies if not copy.is_onto_itself)
        left = {original for op in copies if (original := program.original_of(op)) is not None}
        return TrialOutcome(program, applied, totals, left, found, result)


def work_of(root: Operation) -> int:
    """The number of operations, weighted by nesting depth, as their cost grows with it. O(operations)."""
    depths: dict[Operation | None, int] = {root.parent_op: -1}
    total = 0
    for op in root.walk():
        depth = depths[op.parent_op] + 1
        total += 1 + depth // LEVELS
        if op.regions:
            depths[op] = depth
    return total


def _known_to_callers(result: AnalysisResult, bufferized: Bufferized) -> dict[str, tuple[object, str]]:
    """The summary of each function, and its bufferized type. O(functions)."""
    types = {
        symbol(op): str(op.function_type)
        for region in bufferized.module.regions
        for op in region.ops()
        if isinstance(op, FunctionOp)
    }
    found: dict[str, tuple[object, str]] = {}
    for region in result.state.root.regions:
        for op in region.ops():
            name = symbol(op) if isinstance(op, FunctionOp) else None
            if name is not None:
                found[name] = result.unsettled.callees.get(op), types.get(name, "")
    return found


def _called(graph: CallGraph, function: Operation) -> Iterable[Operation]:
    return (graph.targets[call] for call in graph.calls.get(function, ()) if call in graph.targets)


def _closure(start: Iterable[Operation], following: dict[Operation, list[Operation]]) -> set[Operation]:
    found = set(start)
    waiting = list(found)
    while waiting:
        for other in following.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _has_inner_symbols(root: Operation, block: Block | None) -> bool:
    """Whether there are nested modules with functions, or two functions with one name."""
    names: set[str | None] = set()
    for op in root.walk():
        if isinstance(op, FunctionOp):
            if op.block is not block or symbol(op) in names:
                return True
            names.add(symbol(op))
    return False


def _is_named_elsewhere(root: Operation, functions: Sequence[Operation]) -> bool:
    """Whether a function is referenced other than by a call."""
    names = {symbol(op) for op in functions}
    for op in root.walk():
        if not isinstance(op, func.CallOp):
            for attribute in (*op.properties.values(), *op.attributes.values()):
                if isinstance(attribute, SymbolRefAttr) and attribute.root in names:
                    return True
    return False
