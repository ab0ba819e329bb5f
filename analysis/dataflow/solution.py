"""Solver state of each analysis while it runs, and the queries its solution answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ...ir.program.core import Operation
from ...ir.source.diagnostics import error
from .framework import Analysis, AnyAnalysis, EdgeAnalysis, NoConvergenceError, State
from .graph import FlowEdge, FlowGraph, Segment

S = TypeVar("S")

Context = tuple[Operation, ...]
Key = tuple[Segment, Context]
Where: TypeAlias = Any
"""What an analysis visits: a segment in a context, an operation, an edge or a value."""
Item = tuple[int, Where]
"""The number of an analysis in its solver, and what of it is to be visited."""


class Solving(Protocol):
    """What a solution asks of its solver; see `Solver`."""

    graph: FlowGraph
    is_done: bool

    def read(self, analysis: type[AnyAnalysis], where: Hashable, /) -> State: ...
    def wait_for(self, index: int, where: Hashable, /) -> None: ...
    def changed(self, index: int, where: Hashable, /) -> None: ...
    def enqueue(self, item: Item, /) -> None: ...


class Solution(Generic[S]):
    """What an analysis found.

    Attributes:
        analysis: the analysis.
        solver: what solved it.
    """

    def __init__(self, solver: Solving, analysis: Analysis[S], index: int) -> None:
        self.solver = solver
        self.analysis: Any = analysis
        self.index = index
        self.graph = solver.graph
        self._changes: dict[Where, int] = {}

    def begin(self) -> None:
        """Enqueue what is to be visited first."""
        raise NotImplementedError

    def visit(self, where: Where) -> None:
        """Apply the equations of an item."""
        raise NotImplementedError

    def narrow(self) -> None:
        """Apply all equations once more, downwards."""

    def rank(self, where: Where) -> int:
        """When to visit an item: low ones first."""
        raise NotImplementedError

    def known(self, where: Where) -> State:
        """What to answer other analyses."""
        raise NotImplementedError

    def place(self, where: Where) -> Operation | None:
        """An operation to point at."""
        raise NotImplementedError

    def gives_up(self, where: Where, visits: int) -> None:
        """Raise NoConvergenceError."""
        op = self.place(where)
        span = op.name_span if op is not None else None
        message = error(
            f"the analysis {self.analysis.name} does not converge: visited {visits} times here", span
        )
        message.help("give it a `widen` that ends each ascending chain, or raise `most_visits` of `solve`")
        raise NoConvergenceError(message)

    def _raised(self, where: Where, old: S | None, new: S) -> S | None:
        """The state of an item that has got `new`; None if nothing changes. Widens when it has changed often."""
        if old is not None:
            new = self.analysis.join(old, new)
            if new == old:
                return None
            changes = self._changes[where] = self._changes.get(where, 0) + 1
            if changes > self.analysis.patience and self._widens_at(where):
                new = self.analysis.widen(old, new)
                if new == old:
                    return None
        return new

    def _widens_at(self, where: Where) -> bool:
        return True

    def may_go(self, edge: FlowEdge) -> bool:
        """Whether control may take an edge, as far as dead code is known to this analysis."""
        for kind in self.analysis.reads:
            if issubclass(kind, EdgeAnalysis):
                return bool(self.solver.read(kind, edge))
        return True


class EdgeSolution(Solution[bool]):
    """Which segments are reached, by which edges."""

    def __init__(self, solver: Solving, analysis: EdgeAnalysis, index: int) -> None:
        super().__init__(solver, analysis, index)
        self.segments: dict[Segment, None] = {}
        self.edges: dict[FlowEdge, None] = {}

    def known(self, where: Where) -> bool:
        return where in (self.edges if isinstance(where, FlowEdge) else self.segments)

    def rank(self, where: Segment) -> int:
        return where.number

    def place(self, where: Segment) -> Operation | None:
        return where.last_op

    def begin(self) -> None:
        for segment in self.analysis.starts(self.graph):
            self._reach(segment)

    def _reach(self, segment: Segment) -> None:
        if segment not in self.segments:
            self.segments[segment] = None
            self.solver.enqueue((self.index, segment))
            self.solver.changed(self.index, segment)

    def visit(self, where: Segment) -> None:
        for edge in self.analysis.visit(where):
            if edge not in self.edges:
                self.edges[edge] = None
                self.solver.changed(self.index, edge)
                self._reach(edge.target)


def joined(analysis: Analysis[S], a: S | None, b: S | None) -> S | None:
    if a is None or b is None:
        return b if a is None else a
    return analysis.join(a, b)


def joined_all(analysis: Analysis[S], states: Iterable[S | None]) -> S | None:
    found: S | None = None
    for state in states:
        found = joined(analysis, found, state)
    return found


def is_public(segment: Segment) -> bool:
    """Whether others than the program may call the function that a segment is in."""
    op = segment.block.parent_op
    visibility = op.get_attr("sym_visibility") if op is not None else None
    return getattr(visibility, "value", "public") == "public"


AnySolution: TypeAlias = Solution[State]
