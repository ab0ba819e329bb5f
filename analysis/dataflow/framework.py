"""Base classes of dataflow analyses.

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
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError
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
