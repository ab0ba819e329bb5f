"""The one solver.

It visits *items*: segments for a dense analysis, operations and segment entries for a sparse one. Whatever an
analysis reads while an item is visited, a state of its own or of another analysis, makes the item wait for it: when
the state changes, the item is visited again. So analyses that read each other are solved together, as in MLIR's
DataFlowSolver [1]_. Items come off a queue in reverse postorder (of the reversed graph for a backward analysis), so an acyclic
graph takes one visit each.

States only ever go up: what is computed is joined to what was there. If the lattice has no infinite ascending chains the
solver ends; where it has, `widen` jumps up after a state has changed `patience` times, and `narrow` comes down again
afterwards. An item that is visited too often raises `NoConvergenceError`, which names the analysis.

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
"""How often one item may be visited before the solver gives up. Lattices of the analyses here have heights of a few dozen
for each value that a segment concerns; with widening, of a handful."""
NARROWINGS = 2
"""How often the equations are applied once more, downwards, where an analysis narrows."""


class Solver:
    """Analyses of one program, solved together.

    Attributes:
        graph: the program points.
        solutions: by analysis, in the order of solving.
        is_done: whether the states are final.
    """

    def __init__(
        self, root: Operation, analyses: Iterable[AnyAnalysis], most_visits: int = MOST_VISITS
    ) -> None:
        self.graph = flow_graph(root)
        self.solutions: dict[type[AnyAnalysis], AnySolution] = {}
        self._most_visits = most_visits
        self._work: RankedWorklist[Item] = RankedWorklist(self._visit)
        self._count: dict[Item, int] = {}
        self._waiting: dict[Item, dict[Item, None]] = {}
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
        """How many items were visited."""
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

    # -- what solutions ask

    def read(self, analysis: type[AnyAnalysis], where: Hashable) -> State:
        """What an analysis knows of something; who is being visited waits for it to change."""
        try:
            solution = self.solutions[analysis]
        except KeyError:
            raise LookupError(f"{analysis.__name__} is not solved: name it in `reads`") from None
        self.wait_for(solution.index, where)
        return solution.known(where)

    def wait_for(self, index: int, where: Hashable) -> None:
        """Visit what is being visited again when this changes."""
        if self._current is not None and not self.is_done:
            self._waiting.setdefault((index, where), {})[self._current] = None

    def changed(self, index: int, where: Hashable) -> None:
        """Something that others may wait for has changed."""
        for item in self._waiting.get((index, where), ()):
            self.enqueue(item)

    def enqueue(self, item: Item) -> None:
        """Visit an item, once, when its turn comes."""
        self._work.add(item, self._all[item[0]].rank(item[1]))

    def _visit(self, item: Item) -> None:
        index, where = item
        often = self._count[item] = self._count.get(item, 0) + 1
        if often > self._most_visits:
            self._all[index].gives_up(where, self._most_visits)
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
    """The solution of an analysis on everything inside `root`: a `DenseSolution` or a `SparseSolution`.

    A dense analysis takes at most O(edges * height of the lattice) joins, and O(operations * height) transfers.

    Raises:
        NoConvergenceError: an item was visited more than `most_visits` times.
    """
    return Solver(root, [analysis], most_visits).solutions[type(analysis)]
