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

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar, cast

from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.source.reading import collection_paused
from ..fixpoint import FORWARD, RankedWorklist
from .dense import DenseSolution
from .framework import (
    AnyAnalysis,
    AnySolution,
    DenseAnalysis,
    EdgeAnalysis,
    EdgeSolution,
    Item,
    Solution,
    Solving,
    SparseAnalysis,
    State,
    Where,
    is_public,
    joined,
)
from .graph import EdgeKind, Segment, flow_graph

# Sparse analyses: a state for each SSA value, and queries of it.

S = TypeVar("S")


class SparseSolution(Solution[S]):
    """The states of a sparse analysis, by value."""

    def __init__(self, solver: Solving, analysis: SparseAnalysis[S], index: int) -> None:
        super().__init__(solver, analysis, index)
        self.analysis: SparseAnalysis[S] = analysis
        self.is_forward = analysis.direction is FORWARD
        self.states: dict[Value, S] = {}
        self._position: dict[Operation | Segment, int] = {}
        self._segment: dict[Operation | Segment, Segment] = {}

    def of(self, value: Value) -> S | None:
        """The state of a value; None if its definition is unreachable (backward: if no use constrains it)."""
        return self.states.get(value)

    def known(self, where: Where) -> S | None:
        return self.states.get(where)

    def rank(self, where: Operation | Segment) -> int:
        return self._position[where]

    def place(self, where: Operation | Segment) -> Operation | None:
        return where.last_op or where.after if isinstance(where, Segment) else where

    def begin(self) -> None:
        order = self.graph.order if self.is_forward else list(reversed(self.graph.order))
        position = self._position
        for segment in order:
            ops = segment.ops
            items: list[Operation | Segment] = (
                [segment, *ops] if self.is_forward else [*reversed(ops), segment]
            )
            for item in items:
                self._segment[item] = segment
                position[item] = len(position)
                self.solver.enqueue((self.index, item))

    def _read(self, value: Value) -> S | None:
        self.solver.wait_for(self.index, value)
        return self.states.get(value)

    def _update(self, value: Value, state: S | None) -> None:
        if state is None:
            return
        new = self._raised(value, self.states.get(value), state)
        if new is not None:
            self.states[value] = new
            self.solver.changed(self.index, value)

    def _widens_at(self, where: Value) -> bool:
        # Every def-use cycle leads through a block argument.
        return isinstance(where, BlockArgument)

    def visit(self, where: Operation | Segment) -> None:
        for value, state in self._equations(where):
            self._update(value, state)

    def _equations(self, where: Operation | Segment) -> list[tuple[Value, S | None]]:
        if isinstance(where, Segment):
            return self._input_states(where) if self.is_forward else self._backward_edge_states(where)
        return self._result_states(where) if self.is_forward else self._operand_states(where)

    def sources(self, value: Value) -> tuple[list[Value], Operation | None, str]:
        """The values that the state of a value was computed from, the operation at which, and a description."""
        op = value.defining_op
        after = self.graph.segment_after(op) if op is not None else None
        if isinstance(value, BlockArgument):
            segment = self.graph.first(value.owner)
        elif after is not None and self._receives_results(after):
            segment = after
        else:
            assert op is not None
            return list(dict.fromkeys(op.operands)), op, f"by '{op.name}'"
        edges = (*segment.arriving, *segment.called_by, *segment.returned_from)
        found = [use.value for edge in edges if self.may_go(edge) for use, to in edge.pairs() if to is value]
        place = segment.after or segment.block.parent_op
        return (
            list(dict.fromkeys(found)),
            place,
            "joined from the forwarded values" if found else "from outside",
        )

    # -- forward

    def _is_alive(self, segment: Segment) -> bool:
        for kind in self.analysis.reads:
            if issubclass(kind, EdgeAnalysis):
                return bool(self.solver.read(kind, segment))
        return True

    def _input_states(self, segment: Segment) -> list[tuple[Value, S | None]]:
        """The states of a segment's inputs: the join of the states that its incoming edges forward."""
        inputs = segment.inputs
        if not inputs or not self._is_alive(segment):
            return []
        if segment.after is not None and not self._receives_results(segment):
            return []  # `_result_states` handles the operation
        found: dict[Value, S | None] = {}
        received: set[Value] = set()
        edges = [edge for edge in (*segment.arriving, *segment.called_by, *segment.returned_from)
                 if edge.kind is not EdgeKind.AROUND]  # fmt: skip
        for edge in edges:
            pairs = edge.pairs()
            received.update(value for _, value in pairs)
            if not self.may_go(edge):
                continue
            for use, value in pairs:
                state = self._read(use.value)
                if state is not None:
                    state = self.analysis.edge(edge, use, state)
                if state is not None:
                    found[value] = joined(self.analysis, found.get(value), state)
        for value in inputs:
            if value not in received:
                if isinstance(value, BlockArgument):
                    found[value] = self.analysis.input(value)
            elif segment in self.graph.entries and is_public(segment):
                found[value] = self.analysis.unknown(value)
        return list(found.items())

    def _receives_results(self, segment: Segment) -> bool:
        """Whether edges define the results of the operation before a segment: from its regions, or from the callee."""
        assert segment.after is not None
        return self.graph.callee(segment.after) is not None or any(
            edge.kind is EdgeKind.REGION for edge in segment.arriving
        )

    def _result_states(self, op: Operation) -> list[tuple[Value, S | None]]:
        if not op.results:
            return []
        after = self.graph.segment_after(op)
        if after is not None and self._receives_results(after):
            return []
        if not self._is_alive(self._segment[op]):
            return []
        states: list[S] = []
        for use in op.op_operands:
            state = self._read(use.value)
            if state is None:
                return []
            states.append(state)
        return list(
            zip(
                op.results,
                self._one_per_value(self.analysis.transfer(op, states), len(op.results)),
                strict=True,
            )
        )

    def _one_per_value(self, found: State, count: int) -> Sequence[S | None]:
        if isinstance(found, list):
            assert len(found) == count, f"{self.analysis.name} must return {count} states"
            return cast("list[S | None]", found)
        return [found] * count

    # -- backward

    def _operand_states(self, op: Operation) -> list[tuple[Value, S | None]]:
        """The states that an operation requires of its operands by itself; forwarded ones are `_backward_edge_states`."""
        uses = list(op.op_operands)
        if not uses:
            return []
        states = [state for state in map(self._read, op.results) if state is not None]
        required = self._one_per_value(self.analysis.transfer(op, states), len(uses))
        return [(use.value, state) for use, state in zip(uses, required, strict=True)]

    def _backward_edge_states(self, segment: Segment) -> list[tuple[Value, S | None]]:
        """The states that a segment's inputs require of the operands that incoming edges forward to them."""
        found: list[tuple[Value, S | None]] = []
        for edge in (*segment.arriving, *segment.called_by, *segment.returned_from):
            if self.may_go(edge):
                for use, value in edge.pairs():
                    state = self._read(value)
                    if state is not None:
                        found.append((use.value, self.analysis.edge(edge, use, state)))
        return found

    def narrow(self) -> None:
        for item in sorted(self._position, key=self._position.__getitem__):
            for value, state in self._equations(item) if self.is_forward else ():
                if state is not None and value in self.states:
                    self.states[value] = self.analysis.narrow(self.states[value], state)


AnySparse: TypeAlias = SparseSolution[State]


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
