"""The worklist solver that all dataflow analyses share.

It visits *items*: segments for a dense analysis, operations and segment entries for a sparse one. An item depends on every
state read while it is visited, of its own analysis or of another one, and is visited again when such a state changes.
Analyses that read each other are thus solved together, as by MLIR's DataFlowSolver [1]_. The worklist is ordered by reverse
postorder (of the reversed graph for a backward analysis), so an acyclic graph takes one visit per item.

States only ascend: a new state is joined to the old one. The solver terminates if the lattice has no infinite ascending
chain; otherwise `widen` jumps up once a state has changed `patience` times, and `narrow` descends again after the fixed
point. An item that is visited too often raises `NoConvergenceError`, which names the analysis.

.. [1] https://mlir.llvm.org/docs/Tutorials/DataFlowAnalysis/
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from ...ir.program.core import Operation
from ...ir.source.reading import collection_paused
from ..fixpoint import RankedWorklist
from .dense import DenseSolution
from .framework import (
    AnyAnalysis,
    AnySolution,
    DenseAnalysis,
    EdgeAnalysis,
    EdgeSolution,
    Item,
    SparseAnalysis,
    State,
)
from .graph import flow_graph
from .sparse import SparseSolution

MOST_VISITS = 2_000
"""Visits of one item before the solver raises NoConvergenceError. The lattices of the analyses here have a height of a few
dozen for each value in a segment; with widening, of a handful."""
NARROWINGS = 2
"""Descending sweeps after the fixed point, for analyses that narrow."""


class Solver:
    """Analyses of one program, solved together.

    Attributes:
        graph: the program points.
        solutions: by analysis class, in the order of solving.
        is_done: whether the fixed point is reached, so that reads no longer create dependencies.
    """

    def __init__(
        self, root: Operation, analyses: Iterable[AnyAnalysis], most_visits: int = MOST_VISITS
    ) -> None:
        self.graph = flow_graph(root)
        self.solutions: dict[type[AnyAnalysis], AnySolution] = {}
        self._most_visits = most_visits
        self._work: RankedWorklist[Item] = RankedWorklist(self._visit)
        self._visit_counts: dict[Item, int] = {}
        self._dependents: dict[Item, dict[Item, None]] = {}
        self._current: Item | None = None
        self.is_done = False
        self._all: list[AnySolution] = []
        for analysis in analyses:
            self._load(analysis)
        for solution in self._all:
            solution.begin()
        self._work.run()
        self.is_done = True
        self._narrow()

    @property
    def visits(self) -> int:
        """The number of item visits so far."""
        return self._work.visits

    def _load(self, analysis: AnyAnalysis) -> None:
        kind = type(analysis)
        if kind in self.solutions:
            return
        for needed in analysis.reads:
            if needed not in self.solutions and needed is not kind:
                self._load_once(needed, kind, analysis)
        if kind not in self.solutions:
            self._add(analysis)

    def _load_once(self, needed: type[AnyAnalysis], kind: type[AnyAnalysis], analysis: AnyAnalysis) -> None:
        if kind in needed.reads:  # they read each other
            self._add(analysis)
        self._load(needed())

    def _add(self, analysis: AnyAnalysis) -> None:
        if type(analysis) in self.solutions:
            return
        made = _KINDS[_kind(analysis)](self, analysis, len(self._all))
        self.solutions[type(analysis)] = made
        self._all.append(made)
        analysis.solution = made

    # -- called by solutions

    def read(self, analysis: type[AnyAnalysis], where: Hashable) -> State:
        """The state of `where` in another analysis. The item being visited is enqueued again when that state changes."""
        try:
            solution = self.solutions[analysis]
        except KeyError:
            raise LookupError(f"{analysis.__name__} is not solved: add it to `reads`") from None
        self.wait_for(solution.index, where)
        return solution.known(where)

    def wait_for(self, index: int, where: Hashable) -> None:
        """Make the item being visited depend on the state of `where` in analysis number `index`."""
        if self._current is not None and not self.is_done:
            self._dependents.setdefault((index, where), {})[self._current] = None

    def changed(self, index: int, where: Hashable) -> None:
        """Enqueue all items that depend on the state of `where`."""
        for item in self._dependents.get((index, where), ()):
            self.enqueue(item)

    def enqueue(self, item: Item) -> None:
        """Add an item to the worklist, unless it is in it already."""
        self._work.add(item, self._all[item[0]].rank(item[1]))

    def _visit(self, item: Item) -> None:
        index, where = item
        visits = self._visit_counts[item] = self._visit_counts.get(item, 0) + 1
        if visits > self._most_visits:
            self._all[index].raise_no_convergence(where, self._most_visits)
        self._current = item
        self._all[index].visit(where)
        self._current = None

    def _narrow(self) -> None:
        for solution in self._all:
            if solution.analysis.narrows:
                for _ in range(NARROWINGS):
                    solution.narrow()


_KINDS: dict[type[AnyAnalysis], Callable[[Solver, Any, int], AnySolution]] = {
    DenseAnalysis: DenseSolution,
    SparseAnalysis: SparseSolution,
    EdgeAnalysis: EdgeSolution,
}


def _kind(analysis: AnyAnalysis) -> type[AnyAnalysis]:
    for kind in _KINDS:
        if isinstance(analysis, kind):
            return kind
    raise TypeError(f"{analysis.name} is neither a DenseAnalysis nor a SparseAnalysis")


@collection_paused()
def solve(root: Operation, analysis: AnyAnalysis, most_visits: int = MOST_VISITS) -> Any:
    """Solve an analysis for everything inside `root`. Returns a `DenseSolution`, `SparseSolution` or `EdgeSolution`.

    A dense analysis takes at most O(edges * height of the lattice) joins and O(operations * height) transfers.

    Raises:
        NoConvergenceError: an item was visited more than `most_visits` times.
    """
    return Solver(root, [analysis], most_visits).solutions[type(analysis)]
