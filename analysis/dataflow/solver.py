"""The one solver, and what an analysis is.

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

The solver visits *items*: segments for a dense analysis, operations and segment entries for a sparse one. Whatever an
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

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.collection import collection_paused
from ...ir.source.diagnostics import BufferizeError, error
from ..fixpoint import BACKWARD, FORWARD, Direction, Worklist
from ..graphs import order_from
from .graph import EdgeKind, FlowEdge, FlowGraph, Segment, flow_graph

S = TypeVar("S")

MOST_VISITS = 2_000
"""How often one item may be visited before the solver gives up. Lattices of the analyses here have heights of a few dozen
for each value that a segment concerns; with widening, of a handful."""
NARROWINGS = 2
"""How often the equations are applied once more, downwards, where an analysis narrows."""


class NoConvergenceError(BufferizeError):
    """An analysis does not come to an end: a state keeps changing."""


class Analysis(Generic[S]):
    """What dense and sparse analyses have in common.

    Attributes:
        direction: FORWARD or BACKWARD.
        reads: analyses that are solved along with this one, for `read`. With `DeadCode` among them, states only
            flow along edges that control may take.
        patience: how often a state may change before `widen` is asked.
        solution: what is known so far; set by the solver.
    """

    direction: Direction = FORWARD
    reads: ClassVar[tuple[type[Analysis[Any]], ...]] = ()
    patience: ClassVar[int] = 3
    narrows: ClassVar[bool] = False
    """Whether `narrow` is defined."""
    solution: Solution[Any]

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

    def read(self, analysis: type[Analysis[Any]], where: Hashable) -> Any:
        """What another analysis, one of `reads`, knows of a segment, edge or value; asked again when it changes."""
        return self.solution.solver.read(analysis, where)

    def show(self, state: S) -> str:
        """A state as a listing shows it."""
        if isinstance(state, (set, frozenset)):
            return "{" + ", ".join(sorted(map(shown, state))) + "}"  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(state, dict):
            return ", ".join(f"{shown(key)}: {shown(value)}" for key, value in state.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
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


# -- solving


Context = tuple[Operation, ...]
Key = tuple[Segment, Context]
Item = tuple[int, Any]
"""The number of an analysis in its solver, and what of it is to be visited."""


class Solver:
    """Analyses of one program, solved together.

    Attributes:
        graph: the program points.
        solutions: by analysis, in the order of solving.
        is_done: whether the states are final.
    """

    def __init__(
        self, root: Operation, analyses: Iterable[Analysis[Any]], most_visits: int = MOST_VISITS
    ) -> None:
        self.graph = flow_graph(root)
        self.solutions: dict[type[Analysis[Any]], Solution[Any]] = {}
        self._most_visits = most_visits
        self._work: Worklist[Item] = Worklist(self._visit)
        self._count: dict[Item, int] = {}
        self._waiting: dict[tuple[int, Any], dict[Item, None]] = {}
        self._current: Item | None = None
        self.is_done = False
        self._all: list[Solution[Any]] = []
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

    def _load(self, analysis: Analysis[Any]) -> None:
        kind = type(analysis)
        if kind in self.solutions:
            return
        for needed in analysis.reads:
            if needed not in self.solutions and needed is not kind:
                self._load_once(needed, kind, analysis)
        if kind not in self.solutions:
            self._add(analysis)

    def _load_once(self, needed: type[Analysis[Any]], kind: type[Analysis[Any]], analysis: Analysis[Any]) -> None:
        if kind in needed.reads:  # they read each other
            self._add(analysis)
        self._load(needed())

    def _add(self, analysis: Analysis[Any]) -> None:
        if type(analysis) in self.solutions:
            return
        made = _KINDS[_kind(analysis)](self, analysis, len(self._all))
        self.solutions[type(analysis)] = made
        self._all.append(made)
        analysis.solution = made

    # -- what solutions ask

    def read(self, analysis: type[Analysis[Any]], where: Hashable) -> Any:
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


class Solution(Generic[S]):
    """What an analysis found.

    Attributes:
        analysis: the analysis.
        solver: what solved it.
    """

    def __init__(self, solver: Solver, analysis: Analysis[S], index: int) -> None:
        self.solver = solver
        self.analysis: Any = analysis
        self.index = index
        self.graph = solver.graph
        self._changes: dict[Any, int] = {}

    def begin(self) -> None:
        """Enqueue what is to be visited first."""
        raise NotImplementedError

    def visit(self, where: Any) -> None:
        """Apply the equations of an item."""
        raise NotImplementedError

    def narrow(self) -> None:
        """Apply all equations once more, downwards."""

    def rank(self, where: Any) -> int:
        """When to visit an item: low ones first."""
        raise NotImplementedError

    def known(self, where: Any) -> Any:
        """What to answer other analyses."""
        raise NotImplementedError

    def place(self, where: Any) -> Operation | None:
        """An operation to point at."""
        raise NotImplementedError

    def gives_up(self, where: Any, visits: int) -> None:
        """Raise NoConvergenceError."""
        op = self.place(where)
        span = op.name_span if op is not None else None
        message = error(f"the analysis {self.analysis.name} does not converge: visited {visits} times here", span)
        message.help("give it a `widen` that ends each ascending chain, or raise `most_visits` of `solve`")
        raise NoConvergenceError(message)

    def _raised(self, where: Any, old: S | None, new: S) -> S | None:
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

    def _widens_at(self, where: Any) -> bool:
        return True

    def may_go(self, edge: FlowEdge) -> bool:
        """Whether control may take an edge, as far as dead code is known to this analysis."""
        for kind in self.analysis.reads:
            if issubclass(kind, EdgeAnalysis):
                return bool(self.solver.read(kind, edge))
        return True


class DenseSolution(Solution[S]):
    """The states of a dense analysis.

    The state at the start of each segment (backwards: at the end) is kept, for each context; the others are computed from it
    when asked for: O(operations of the segment).
    """

    def __init__(self, solver: Solver, analysis: DenseAnalysis[S], index: int) -> None:
        super().__init__(solver, analysis, index)
        self.analysis: DenseAnalysis[S] = analysis
        self.is_forward = analysis.direction is FORWARD
        self._in: dict[Key, S] = {}
        self._out: dict[Key, S] = {}
        if self.is_forward:
            self._rank = {segment: segment.number for segment in self.graph.order}
        else:
            back = reversed(self.graph.segments)
            order = order_from(self.graph.exits, back, lambda s: [edge.source for edge in s.arriving])
            self._rank = {segment: number for number, segment in enumerate(order)}

    # -- asking

    def at_start(self, segment: Segment, context: Context | None = None) -> S | None:
        """The state at the start of a segment, in one context or, joined, in all; None if control never gets there."""
        if self.is_forward:
            return self._joined(self._in, segment, context)
        return self._joined(self._out, segment, context)

    def at_end(self, segment: Segment, context: Context | None = None) -> S | None:
        """The state at its end."""
        if self.is_forward:
            return self._joined(self._out, segment, context)
        return self._joined(self._in, segment, context)

    def before(self, op: Operation, context: Context | None = None) -> S | None:
        """The state before an operation."""
        return self._at(op, context)[0]

    def after(self, op: Operation, context: Context | None = None) -> S | None:
        """The state after it; of one with regions, before control goes into these."""
        return self._at(op, context)[1]

    def points(
        self, segment: Segment, context: Context | None = None
    ) -> list[tuple[Operation, S | None, S | None]]:
        """Each operation of a segment with the states before and after it, in one context or, joined, in all."""
        if context is None and self.analysis.contexts:
            found = [self._points(segment, one) for one in self.contexts_of(segment)]
            if len(found) > 1:
                join = self.analysis
                return [
                    (row[0][0], _joined(join, [b for _, b, _ in row]), _joined(join, [a for _, _, a in row]))
                    for row in zip(*found, strict=True)
                ]
            return found[0] if found else [(op, None, None) for op in segment.ops]
        return self._points(segment, context or ())

    def _points(self, segment: Segment, context: Context) -> list[tuple[Operation, S | None, S | None]]:
        ops = segment.ops
        state: S | None = self._in.get((segment, context))
        found: list[tuple[Operation, S | None, S | None]] = []
        for op in ops if self.is_forward else reversed(ops):
            following = None if state is None else self._past(op, state, context)
            found.append((op, state, following) if self.is_forward else (op, following, state))
            state = following
        return found if self.is_forward else found[::-1]

    def contexts_of(self, segment: Segment) -> list[Context]:
        """The contexts in which a segment was reached, in the order of visits."""
        return [context for one, context in self._in if one is segment]

    def known(self, where: Any) -> Any:
        if isinstance(where, Segment):
            return self.at_start(where)
        return self.before(where)

    def _joined(self, states: dict[Key, S], segment: Segment, context: Context | None) -> S | None:
        if context is not None or not self.analysis.contexts:
            return states.get((segment, context or ()))
        return _joined(self.analysis, [state for (one, _), state in states.items() if one is segment])

    def _at(self, op: Operation, context: Context | None) -> tuple[S | None, S | None]:
        segment = self.graph.of(op)
        for one, before, after in self.points(segment, context):
            if one is op:
                return before, after
        raise KeyError(op)

    # -- what a reason needs

    def entering(self, key: Key) -> S | None:
        """The state that the equations of a segment begin with."""
        return self._in.get(key)

    def leaving(self, key: Key) -> S | None:
        """The state that a segment passes on."""
        return self._out.get(key)

    def boundary_of(self, key: Key) -> S | None:
        """What comes into a segment from outside of the program."""
        if key[1] or key[0] not in self._boundary():
            return None
        return self.analysis.boundary(key[0])

    def callers(self, key: Key) -> list[tuple[Operation, Key, S]]:
        """The calls that control comes from into a function, with what they bring; only where calls are followed."""
        segment, context = key
        found: list[tuple[Operation, Key, S]] = []
        edges = segment.called_by if self.is_forward else segment.returns
        for call in edges if self.analysis.contexts is not None else ():
            source = call.source if self.is_forward else self.graph.of(call.target.behind)  # pyright: ignore[reportArgumentType]
            op = source.end
            callee = self.graph.callee(op) if op is not None else None
            for outer in self.contexts_of(source) if op is not None and callee is not None else ():
                if op is not None and callee is not None and self._inside(op, outer) == context:
                    points = dict((one, (b, a)) for one, b, a in self.points(source, outer))
                    state = points[op][0 if self.is_forward else 1]
                    entered = self.analysis.enter_call(op, callee, state) if state is not None else None
                    if entered is not None:
                        found.append((op, (source, outer), entered))
        return found

    def inside(self, op: Operation, context: Context) -> list[Key]:
        """Where the function that an operation calls is left; nowhere where calls are not followed."""
        callee = self.graph.callee(op) if self.analysis.contexts is not None else None
        if callee is None:
            return []
        return [(segment, self._inside(op, context)) for segment in self._left(callee)]

    # -- solving

    def begin(self) -> None:
        analysis = self.analysis
        boundary = self._boundary()
        for segment in self.graph.order:
            initial = analysis.initial(segment)
            if initial is not None:
                self._in[segment, ()] = initial
                self.solver.enqueue((self.index, (segment, ())))
        for segment in boundary:
            self._push((segment, ()), analysis.boundary(segment))

    def _boundary(self) -> list[Segment]:
        graph = self.graph
        if self.analysis.contexts is None:
            return graph.entries if self.is_forward else graph.exits
        if self.is_forward:
            return [segment for segment in graph.entries if not segment.called_by or is_public(segment)]
        return [segment for segment in graph.exits if not segment.returns or is_public(segment)]

    def rank(self, where: Key) -> int:
        return self._rank[where[0]]

    def place(self, where: Key) -> Operation | None:
        ops = where[0].ops
        return ops[0] if ops else where[0].behind

    def _widens_at(self, where: Key) -> bool:
        segment = where[0]
        if self.analysis.contexts is not None and (segment.called_by or segment.returns or segment.returned_from):
            return True  # recursion closes cycles, too
        if self.is_forward:
            return any(edge.goes_back for edge in segment.arriving)
        rank = self._rank
        return any(rank[edge.target] >= rank[segment] for edge in segment.leaving)

    def _push(self, key: Key, state: S) -> None:
        new = self._raised(key, self._in.get(key), state)
        if new is not None:
            self._in[key] = new
            self.solver.enqueue((self.index, key))
            if self.is_forward:
                self.solver.changed(self.index, key[0])

    def visit(self, where: Key) -> None:
        segment, context = where
        state: S | None = self._in[where]
        out = self._through(segment, context, state)
        if out is None:
            return
        if where not in self._out or self._out[where] != out:
            self._out[where] = out
            self.solver.changed(self.index, ("out", where))
            if not self.is_forward:
                self.solver.changed(self.index, segment)
        for edge in segment.leaving if self.is_forward else segment.arriving:
            passed = self.analysis.edge(edge, out) if self.may_go(edge) else None
            if passed is not None:
                self._push((edge.target if self.is_forward else edge.source, context), passed)

    def _through(self, segment: Segment, context: Context, state: S | None) -> S | None:
        """What leaves a segment that `state` enters. """
        ops: Iterable[Operation] = segment.ops if self.is_forward else reversed(segment.ops)
        for op in ops:
            if state is None:
                return None
            state = self._past(op, state, context)
        return state

    def _past(self, op: Operation, state: S, context: Context = ()) -> S | None:
        """What leaves an operation. In a call of a known function the state goes through the function."""
        if self.analysis.contexts is None:
            return self.analysis.transfer(op, state)
        callee = self.graph.callee(op)
        if callee is None:
            return self.analysis.transfer(op, state)
        inside = self._inside(op, context)
        entered = self.analysis.enter_call(op, callee, state)
        for segment in self._entered(callee) if entered is not None and not self.solver.is_done else ():
            self._push((segment, inside), entered)
        keys = [(segment, inside) for segment in self._left(callee)]
        for key in keys:
            self.solver.wait_for(self.index, ("out", key))
        found = _joined(self.analysis, map(self._out.get, keys))
        return None if found is None else self.analysis.leave_call(op, callee, state, found)

    def _entered(self, callee: FunctionOp) -> list[Segment]:
        return [self.graph.first(callee.body.entry)] if self.is_forward else self.graph.returns(callee)

    def _left(self, callee: FunctionOp) -> list[Segment]:
        return self.graph.returns(callee) if self.is_forward else [self.graph.first(callee.body.entry)]

    def _inside(self, call: Operation, context: Context) -> Context:
        length = self.analysis.contexts
        assert length is not None
        return (call, *context)[:length]

    def narrow(self) -> None:
        """One sweep in the order of solving: each state becomes what the equations say, but for `narrow` at loops."""
        analysis = self.analysis
        boundary = set(self._boundary())
        arriving: dict[Key, S] = {}
        for key in sorted(self._in, key=self.rank):
            segment, context = key
            new: S | None = analysis.initial(segment) if not context else None
            if segment in boundary and not context:
                new = _join(analysis, new, analysis.boundary(segment))
            for edge in segment.arriving if self.is_forward else segment.leaving:
                source = (edge.source if self.is_forward else edge.target, context)
                out = self._out.get(source)
                if out is not None and self.may_go(edge):
                    new = _join(analysis, new, analysis.edge(edge, out))
            if self.analysis.contexts is not None and (segment.called_by if self.is_forward else segment.returns):
                continue  # what callers bring is not taken back
            if new is None:
                continue
            arriving[key] = self._in[key] = (
                analysis.narrow(self._in[key], new) if self._widens_at(key) else new
            )
            out = self._through(segment, context, self._in[key])
            if out is not None:
                self._out[key] = out


class SparseSolution(Solution[S]):
    """The states of a sparse analysis, by value."""

    def __init__(self, solver: Solver, analysis: SparseAnalysis[S], index: int) -> None:
        super().__init__(solver, analysis, index)
        self.analysis: SparseAnalysis[S] = analysis
        self.is_forward = analysis.direction is FORWARD
        self.states: dict[Value, S] = {}
        self._position: dict[Operation | Segment, int] = {}
        self._segment: dict[Operation | Segment, Segment] = {}

    def of(self, value: Value) -> S | None:
        """The state of a value; None if it never comes to be (backwards: if nothing is known to want it)."""
        return self.states.get(value)

    def known(self, where: Any) -> Any:
        return self.states.get(where)

    def rank(self, where: Operation | Segment) -> int:
        return self._position[where]

    def place(self, where: Operation | Segment) -> Operation | None:
        return where.last_op or where.behind if isinstance(where, Segment) else where

    def begin(self) -> None:
        order = self.graph.order if self.is_forward else list(reversed(self.graph.order))
        position = self._position
        for segment in order:
            ops = segment.ops
            items: list[Operation | Segment] = [segment, *ops] if self.is_forward else [*reversed(ops), segment]
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

    def visit(self, where: Operation | Segment) -> None:
        for value, state in self._computed(where):
            self._update(value, state)

    def _computed(self, where: Operation | Segment) -> list[tuple[Value, S | None]]:
        if isinstance(where, Segment):
            return self._passed(where) if self.is_forward else self._wanted(where)
        return self._results(where) if self.is_forward else self._operands(where)

    def sources(self, value: Value) -> tuple[list[Value], Operation | None, str]:
        """The values that the state of a value was computed from, where, and in words."""
        op = value.defining_op
        behind = self.graph.behind(op) if op is not None else None
        if isinstance(value, BlockArgument):
            segment = self.graph.first(value.owner)
        elif behind is not None and self._receives_results(behind):
            segment = behind
        else:
            assert op is not None
            return list(dict.fromkeys(op.operands)), op, f"by '{op.name}'"
        edges = (*segment.arriving, *segment.called_by, *segment.returned_from)
        found = [use.value for edge in edges if self.may_go(edge) for use, to in edge.pairs() if to is value]
        place = segment.behind or segment.block.parent_op
        return list(dict.fromkeys(found)), place, "joined of what is passed" if found else "from outside"

    # -- forward

    def _is_alive(self, segment: Segment) -> bool:
        for kind in self.analysis.reads:
            if issubclass(kind, EdgeAnalysis):
                return bool(self.solver.read(kind, segment))
        return True

    def _passed(self, segment: Segment) -> list[tuple[Value, S | None]]:
        """The inputs of a segment: what is passed along its edges, joined."""
        inputs = segment.inputs
        if not inputs or not self._is_alive(segment):
            return []
        if segment.behind is not None and not self._receives_results(segment):
            return []  # the operation is one like others
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
                    found[value] = _join(self.analysis, found.get(value), state)
        for value in inputs:
            if value not in received:
                found[value] = self.analysis.input(value)
            elif segment in self.graph.entries and is_public(segment):
                found[value] = self.analysis.unknown(value)
        return list(found.items())

    def _receives_results(self, segment: Segment) -> bool:
        return bool(segment.returned_from) or any(edge.kind is EdgeKind.REGION for edge in segment.arriving)

    def _results(self, op: Operation) -> list[tuple[Value, S | None]]:
        if not op.results:
            return []
        behind = self.graph.behind(op)
        if behind is not None and self._receives_results(behind):
            return []
        if not self._is_alive(self._segment[op]):
            return []
        states: list[S] = []
        for use in op.op_operands:
            state = self._read(use.value)
            if state is None:
                return []
            states.append(state)
        return list(zip(op.results, self._spread(self.analysis.transfer(op, states), len(op.results))))

    def _spread(self, found: Any, count: int) -> Sequence[S | None]:
        if isinstance(found, list):
            assert len(found) == count, f"{self.analysis.name} must give {count} states"
            return found  # pyright: ignore[reportUnknownVariableType]
        return [found] * count

    # -- backward

    def _operands(self, op: Operation) -> list[tuple[Value, S | None]]:
        """What an operation wants of its operands, those that it only passes on apart."""
        uses = list(op.op_operands)
        if not uses:
            return []
        states = [state for state in map(self._read, op.results) if state is not None]
        wanted = self._spread(self.analysis.transfer(op, states), len(uses))
        return [(use.value, state) for use, state in zip(uses, wanted, strict=True)]

    def _wanted(self, segment: Segment) -> list[tuple[Value, S | None]]:
        """What is wanted of the values passed to a segment: what is wanted of its inputs."""
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
            for value, state in self._computed(item) if self.is_forward else ():
                if state is not None and value in self.states:
                    self.states[value] = self.analysis.narrow(self.states[value], state)


class EdgeSolution(Solution[bool]):
    """Which segments are reached, by which edges."""

    def __init__(self, solver: Solver, analysis: EdgeAnalysis, index: int) -> None:
        super().__init__(solver, analysis, index)
        self.segments: dict[Segment, None] = {}
        self.edges: dict[FlowEdge, None] = {}

    def known(self, where: Any) -> bool:
        return where in (self.edges if isinstance(where, FlowEdge) else self.segments)

    def is_reached(self, op: Operation) -> bool:
        """Whether control may get to an operation. O(operations of its block before it)."""
        return self.graph.of(op) in self.segments

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


_KINDS: dict[type[Analysis[Any]], Callable[[Solver, Any, int], Solution[Any]]] = {
    DenseAnalysis: DenseSolution,
    SparseAnalysis: SparseSolution,
    EdgeAnalysis: EdgeSolution,
}


def _kind(analysis: Analysis[Any]) -> type[Analysis[Any]]:
    for kind in _KINDS:
        if isinstance(analysis, kind):
            return kind
    raise TypeError(f"{analysis.name} is neither a DenseAnalysis nor a SparseAnalysis")


def _join(analysis: Analysis[S], a: S | None, b: S | None) -> S | None:
    if a is None or b is None:
        return b if a is None else a
    return analysis.join(a, b)


def _joined(analysis: Analysis[S], states: Iterable[S | None]) -> S | None:
    found: S | None = None
    for state in states:
        found = _join(analysis, found, state)
    return found


def is_public(segment: Segment) -> bool:
    """Whether others than the program may call the function that a segment is in."""
    op = segment.block.parent_op
    visibility = op.get_attr("sym_visibility") if op is not None else None
    return getattr(visibility, "value", "public") == "public"


@collection_paused()
def solve(root: Operation, analysis: Analysis[Any], most_visits: int = MOST_VISITS) -> Any:
    """The solution of an analysis on everything inside `root`: a `DenseSolution` or a `SparseSolution`.

    A dense analysis takes at most O(edges * height of the lattice) joins, and O(operations * height) transfers.

    Raises:
        NoConvergenceError: an item was visited more than `most_visits` times.
    """
    return Solver(root, [analysis], most_visits).solutions[type(analysis)]


def shown(item: object) -> str:
    """A value, operation or state as listings write it."""
    from ..grounds import shown as shown_in_proofs

    if isinstance(item, (BlockArgument, OpResult, Operation)):
        return shown_in_proofs(item)
    if isinstance(item, tuple):
        return "(" + ", ".join(map(shown, item)) + ")"  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(item, (set, frozenset)):
        return "{" + ", ".join(sorted(map(shown, item))) + "}"  # pyright: ignore[reportUnknownArgumentType]
    return str(item)
