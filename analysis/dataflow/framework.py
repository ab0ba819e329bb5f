"""Base classes of dataflow analyses, and the solution that answers queries.

An analysis is a class. A *dense* one has a state at each program point (before and after each operation), a *sparse* one a
state for each SSA value. Its lattice is given by `join`, the equations by `transfer`; what a branch teaches by `edge`; what
happens at calls by `enter_call` and `leave_call`. None is the state below all others: nothing has got there yet. It is never
given to a method, and a method that returns it says that control (or a value) does not get any further.

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
from ...ir.source.diagnostics import BufferizeError, error
from ..causes import shown as shown_in_proofs
from ..fixpoint import FORWARD, Direction
from .graph import FlowEdge, FlowGraph, Segment

S = TypeVar("S")
State: TypeAlias = Any
"""A state of some analysis where it is not known of which; each has its own type."""
AnyAnalysis: TypeAlias = "Analysis[State]"


class NoConvergenceError(BufferizeError):
    """An analysis does not come to an end: a state keeps changing."""


class Analysis(Generic[S]):
    """What dense and sparse analyses have in common.

    Attributes:
        direction: FORWARD or BACKWARD.
        reads: analyses that are solved along with this one, for `read`. With `Reachability` among them, states only
            flow along edges that control may take.
        patience: how often a state may change before `widen` is asked.
        solution: what is known so far; set by the solver.
    """

    direction: Direction = FORWARD
    reads: ClassVar[tuple[type[AnyAnalysis], ...]] = ()
    patience: ClassVar[int] = 3
    narrows: ClassVar[bool] = False
    """Whether `narrow` is defined."""
    solution: Any

    @property
    def name(self) -> str:
        """What to call it."""
        return type(self).__name__

    def join(self, a: S, b: S) -> S:
        """The least upper bound of two states."""
        raise NotImplementedError(f"{self.name} has no join")

    def widen(self, old: S, new: S) -> S:
        """A state above both; a chain of widenings must end. `new` is above `old`. By default `new`."""
        return new

    def narrow(self, old: S, new: S) -> S:
        """A state between `new` and `old`, which is above it."""
        return new

    def read(self, analysis: type[AnyAnalysis], where: Hashable) -> State:
        """What another analysis, one of `reads`, knows of a segment, edge or value; asked again when it changes."""
        return self.solution.solver.read(analysis, where)

    def show(self, state: S) -> str:
        """A state as a listing shows it."""
        if isinstance(state, dict):
            entries = cast("dict[object, object]", state)
            return ", ".join(f"{shown(key)}: {shown(value)}" for key, value in entries.items())
        return shown(state)


class DenseAnalysis(Analysis[S]):
    """A state at each program point.

    Attributes:
        contexts: None if a call is an operation like others. Else calls are followed into the functions of the program, and
            a function is solved for each string of this many innermost calls; 0 solves it once for all of them.
    """

    contexts: ClassVar[int | None] = None

    def initial(self, segment: Segment) -> S | None:
        """The state of a segment that nothing has got to yet. With None only what the boundary reaches is visited."""
        return None

    def boundary(self, segment: Segment) -> S:
        """What comes in from outside: at the entries of functions or, backwards, at their exits."""
        raise NotImplementedError(f"{self.name} does not say what holds at its boundary")

    def transfer(self, op: Operation, state: S) -> S | None:
        """The state on the other side of an operation."""
        raise NotImplementedError(f"{self.name} has no transfer function")

    def edge(self, edge: FlowEdge, state: S) -> S | None:
        """What gets to the other end of an edge; None if control does not take it in this state."""
        return state

    def enter_call(self, call: Operation, callee: FunctionOp, state: S) -> S | None:
        """What gets into a function (backwards: to its exits), given the state at the call."""
        return state

    def leave_call(self, call: Operation, callee: FunctionOp, before: S, state: S) -> S | None:
        """What gets past a call, given the state at it and the one in which the function is left."""
        return state


class SparseAnalysis(Analysis[S]):
    """A state for each SSA value, along the edges from definitions to uses (backwards: from uses to definitions)."""

    def concerns(self, value: Value) -> bool:
        """Whether the state of a value is worth showing."""
        return True

    def unknown(self, value: Value) -> S:
        """The state of a value of which nobody says where it comes from (backwards: where it goes)."""
        raise NotImplementedError(f"{self.name} does not say what unknown values are")

    def transfer(self, op: Operation, states: Sequence[S]) -> Sequence[S | None] | S | None:
        """The states of the results, given those of the operands; one that is no list is that of each result.

        Backwards: those of the operands, given those of the results that have one.
        """
        raise NotImplementedError(f"{self.name} has no transfer function")

    def edge(self, edge: FlowEdge, use: OpOperand, state: S) -> S | None:
        """What becomes of the state of an operand that is passed along an edge."""
        return state

    def input(self, value: Value) -> S | None:
        """The state of an argument that nobody passes anything to: the counter of a loop, say."""
        return self.unknown(value)


class EdgeAnalysis(Analysis[bool]):
    """What is known of edges and segments; `visit` is asked for each segment that is known to be reached."""

    def starts(self, graph: FlowGraph) -> Iterable[Segment]:
        """Where to begin."""
        return graph.entries

    def visit(self, segment: Segment) -> Iterable[FlowEdge]:
        """The edges that may be taken out of a segment that is reached."""
        raise NotImplementedError


def shown(item: object) -> str:
    """A value, operation or state as listings write it."""
    if isinstance(item, (BlockArgument, OpResult, Operation)):
        return shown_in_proofs(item)
    if isinstance(item, (tuple, set, frozenset)):
        texts = list(map(shown, cast("Iterable[object]", item)))
        return (
            "(" + ", ".join(texts) + ")" if isinstance(item, tuple) else "{" + ", ".join(sorted(texts)) + "}"
        )
    return str(item)


# Solver state of each analysis while it runs, and the queries its solution answers.

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
