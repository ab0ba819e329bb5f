"""Base classes of dataflow analyses, and the solution that answers queries.

An analysis is a class. A *dense* one has a state at each program point (before and after each operation), a *sparse* one a
state for each SSA value. `join` defines the lattice, `transfer` the transfer functions; `edge` refines a state along a
control-flow edge, `enter_call` and `leave_call` translate it at calls. None is the bottom of every lattice: not reached so
far. It is never passed to a method; a method that returns it says that control (or a value) does not get any further.

    class Reaching(DenseAnalysis[frozenset[Operation]]):
        def boundary(self, segment): return frozenset()
        def join(self, a, b): return a | b
        def transfer(self, op, state): return state | {op} if op.name == "memref.store" else state

    solution = solve(program, Reaching())
    solution.before(op)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, cast

from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError, InputError, error
from ..causes import shown as shown_in_proofs
from ..fixpoint import FORWARD, Direction
from .graph import FlowEdge, FlowGraph, Segment

S = TypeVar("S")
State: TypeAlias = Any
"""A state of an analysis that is not known statically; each analysis has its own state type."""
AnyAnalysis: TypeAlias = "Analysis[State]"


class NoConvergenceError(BufferizeError):
    """An analysis has no fixed point within the limit of visits: a state keeps changing."""


class Analysis(Generic[S]):
    """Common base of dense, sparse and edge analyses.

    Attributes:
        direction: FORWARD or BACKWARD.
        reads: analyses that are solved together with this one, for `read`. With `Reachability` among them, states only
            flow along edges that control may take.
        patience: how many times a state may change before `widen` is applied.
        solution: the states so far; set by the solver.
    """

    direction: Direction = FORWARD
    reads: ClassVar[tuple[type[AnyAnalysis], ...]] = ()
    patience: ClassVar[int] = 3
    narrows: ClassVar[bool] = False
    """Whether `narrow` is defined."""
    solution: Any

    @property
    def name(self) -> str:
        """The name in messages and listings."""
        return type(self).__name__

    def _lacks(self, method: str, meaning: str) -> InputError:
        return InputError(error(f"the analysis {self.name} does not define `{method}`: {meaning}"))

    def join(self, a: S, b: S) -> S:
        """The least upper bound of two states."""
        raise self._lacks("join(self, a, b)", "the least upper bound of two states")

    def widen(self, old: S, new: S) -> S:
        """An upper bound of both, where `new` is above `old`. Every chain of widenings must be finite. By default `new`."""
        return new

    def narrow(self, old: S, new: S) -> S:
        """A state between `new` and `old`, where `old` is above `new`."""
        return new

    def read(self, analysis: type[AnyAnalysis], where: Hashable) -> State:
        """The state of a segment, edge or value in another analysis, one of `reads`; a change revisits the current item."""
        return self.solution.solver.read(analysis, where)

    def show(self, state: S) -> str:
        """A state as a listing shows it."""
        if isinstance(state, dict):
            entries = cast("dict[object, object]", state)
            return ", ".join(f"{shown(key)}: {shown(value)}" for key, value in entries.items())
        return shown(state)


class DenseAnalysis(Analysis[S]):
    """An analysis with a state at each program point.

    Attributes:
        contexts: None for an intraprocedural analysis, whose `transfer` handles calls. Otherwise states flow into the
            functions called, and a function is solved once per string of this many innermost call sites (k-CFA style call
            strings); 0 solves it once for all callers.
    """

    contexts: ClassVar[int | None] = None

    def initial(self, segment: Segment) -> S | None:
        """The initial state of a segment. With None, only segments that the boundary state reaches are visited."""
        return None

    def boundary(self, segment: Segment) -> S:
        """The boundary state: at function entries or, for a backward analysis, at function exits."""
        raise self._lacks("boundary(self, segment)", "the state at function entries, or backward at exits")

    def transfer(self, op: Operation, state: S) -> S | None:
        """The transfer function of an operation: the state after it (backward: before it)."""
        raise self._lacks("transfer(self, op, state)", "the state after an operation, or backward before it")

    def edge(self, edge: FlowEdge, state: S) -> S | None:
        """The state at the far end of an edge; None if control cannot take it in this state."""
        return state

    def enter_call(self, call: Operation, callee: FunctionOp, state: S) -> S | None:
        """The entry state of a callee (backward: the state at its exits), given the state at the call."""
        return state

    def leave_call(self, call: Operation, callee: FunctionOp, before: S, state: S) -> S | None:
        """The state after a call (backward: before it), given the state at the call and the callee's joined exit state."""
        return state


class SparseAnalysis(Analysis[S]):
    """An analysis with a state for each SSA value, which flows from definitions to uses (backward: from uses to definitions)."""

    def concerns(self, value: Value) -> bool:
        """Whether listings show the state of this value."""
        return True

    def unknown(self, value: Value) -> S:
        """The state of a value of unknown origin (backward: with unknown uses)."""
        raise self._lacks("unknown(self, value)", "the state of a value of unknown origin")

    def transfer(self, op: Operation, states: Sequence[S]) -> Sequence[S | None] | S | None:
        """The states of the results, given those of the operands. A state that is not in a list applies to every result.

        Backward: the states of the operands, given those of the results that have one.
        """
        raise self._lacks(
            "transfer(self, op, states)", "the states of its results, or backward of its operands"
        )

    def edge(self, edge: FlowEdge, use: OpOperand, state: S) -> S | None:
        """The state that a block argument or result receives from an operand that an edge forwards."""
        return state

    def input(self, value: Value) -> S | None:
        """The state of a block argument that no edge forwards a value to, such as a loop's induction variable."""
        return self.unknown(value)


class EdgeAnalysis(Analysis[bool]):
    """An analysis of which edges and segments are reached; `visit` is called for each reached segment."""

    def starts(self, graph: FlowGraph) -> Iterable[Segment]:
        """The segments reached from outside."""
        return graph.entries

    def visit(self, segment: Segment) -> Iterable[FlowEdge]:
        """The outgoing edges that control may take from a reached segment."""
        raise NotImplementedError


def shown(item: object) -> str:
    """The text of a value, operation or state in a listing."""
    if isinstance(item, (BlockArgument, OpResult, Operation)):
        return shown_in_proofs(item)
    if isinstance(item, (tuple, set, frozenset)):
        texts = list(map(shown, cast("Iterable[object]", item)))
        return (
            "(" + ", ".join(texts) + ")" if isinstance(item, tuple) else "{" + ", ".join(sorted(texts)) + "}"
        )
    return str(item)


# Solutions: the states of each analysis while the solver runs, and the queries on them afterwards.

Context = tuple[Operation, ...]
Key = tuple[Segment, Context]
Where: TypeAlias = Any
"""The anchor of a state: a segment in a context, an operation, an edge or a value."""
Item = tuple[int, Where]
"""A worklist entry: the number of an analysis in its solver, and what to visit of it."""


class Solving(Protocol):
    """The part of `Solver` that solutions use."""

    graph: FlowGraph
    is_done: bool

    def read(self, analysis: type[AnyAnalysis], where: Hashable, /) -> State: ...
    def wait_for(self, index: int, where: Hashable, /) -> None: ...
    def changed(self, index: int, where: Hashable, /) -> None: ...
    def enqueue(self, item: Item, /) -> None: ...


class Solution(Generic[S]):
    """The states that an analysis computed."""

    def __init__(self, solver: Solving, analysis: Analysis[S], index: int) -> None:
        self.solver = solver
        self.analysis: Any = analysis
        self.index = index
        self.graph = solver.graph
        self._changes: dict[Where, int] = {}

    def begin(self) -> None:
        """Enqueue the initial items."""
        raise NotImplementedError

    def visit(self, where: Where) -> None:
        """Apply the transfer functions of an item and propagate the result."""
        raise NotImplementedError

    def narrow(self) -> None:
        """Apply all equations once more, descending."""

    def rank(self, where: Where) -> int:
        """The priority of an item in the worklist; the lowest is visited first."""
        raise NotImplementedError

    def known(self, where: Where) -> State:
        """The state that other analyses read."""
        raise NotImplementedError

    def place(self, where: Where) -> Operation | None:
        """The operation that a diagnostic about this item points at."""
        raise NotImplementedError

    def raise_no_convergence(self, where: Where, visits: int) -> None:
        """Raise NoConvergenceError for an item that was visited too often."""
        op = self.place(where)
        span = op.name_span if op is not None else None
        message = error(
            f"the analysis {self.analysis.name} does not converge: this point was visited {visits} times",
            span,
        )
        message.help("define a `widen` that ends each ascending chain, or raise `most_visits` of `solve`")
        raise NoConvergenceError(message)

    def _raised(self, where: Where, old: S | None, new: S) -> S | None:
        """The join of `old` and `new`, widened once it has changed more than `patience` times; None if it equals `old`."""
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
        """Whether control may take an edge, according to the reachability analysis among `reads`, if there is one."""
        for kind in self.analysis.reads:
            if issubclass(kind, EdgeAnalysis):
                return bool(self.solver.read(kind, edge))
        return True


class EdgeSolution(Solution[bool]):
    """The segments that are reached, and the edges that may be taken."""

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
    """Whether code outside of the program may call the function that contains a segment."""
    op = segment.block.parent_op
    visibility = op.get_attr("sym_visibility") if op is not None else None
    return getattr(visibility, "value", "public") == "public"


AnySolution: TypeAlias = Solution[State]
