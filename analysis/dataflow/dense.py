"""Dense analyses: a state at each program point, and queries of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import present
from ..fixpoint import FORWARD
from ..graphs import order_from
from .framework import (
    Context,
    DenseAnalysis,
    Key,
    Solution,
    Solving,
    State,
    Where,
    is_public,
    joined,
    joined_all,
)
from .graph import Segment

S = TypeVar("S")


class DenseSolution(Solution[S]):
    """The states of a dense analysis.

    Only the entry state of each segment (backward: the state at its end) is stored, for each context; the states at its
    other points are recomputed by each query in O(operations of the segment).
    """

    def __init__(self, solver: Solving, analysis: DenseAnalysis[S], index: int) -> None:
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

    # -- queries

    def at_start(self, segment: Segment, context: Context | None = None) -> S | None:
        """The state at the start of a segment, in one context or joined over all; None if it is unreachable."""
        if self.is_forward:
            return self._joined(self._in, segment, context)
        return self._joined(self._out, segment, context)

    def at_end(self, segment: Segment, context: Context | None = None) -> S | None:
        """The state at the end of a segment."""
        if self.is_forward:
            return self._joined(self._out, segment, context)
        return self._joined(self._in, segment, context)

    def before(self, op: Operation, context: Context | None = None) -> S | None:
        """The state before an operation."""
        return self._at(op, context)[0]

    def after(self, op: Operation, context: Context | None = None) -> S | None:
        """The state after an operation; if it has regions, before control enters them."""
        return self._at(op, context)[1]

    def points(
        self, segment: Segment, context: Context | None = None
    ) -> list[tuple[Operation, S | None, S | None]]:
        """Each operation of a segment with the states before and after it, in one context or joined over all."""
        if context is None and self.analysis.contexts:
            found = [self._points(segment, one) for one in self.contexts_of(segment)]
            if len(found) > 1:
                join = self.analysis
                return [
                    (
                        row[0][0],
                        joined_all(join, [b for _, b, _ in row]),
                        joined_all(join, [a for _, _, a in row]),
                    )
                    for row in zip(*found, strict=True)
                ]
            return found[0] if found else [(op, None, None) for op in segment.ops]
        return self._points(segment, context or ())

    def _points(self, segment: Segment, context: Context) -> list[tuple[Operation, S | None, S | None]]:
        ops = segment.ops
        state: S | None = self._in.get((segment, context))
        found: list[tuple[Operation, S | None, S | None]] = []
        for op in ops if self.is_forward else reversed(ops):
            following = None if state is None else self._after_op(op, state, context)
            found.append((op, state, following) if self.is_forward else (op, following, state))
            state = following
        return found if self.is_forward else found[::-1]

    def contexts_of(self, segment: Segment) -> list[Context]:
        """The contexts in which a segment was reached, in the order of visits."""
        return [context for one, context in self._in if one is segment]

    def known(self, where: Where) -> S | None:
        return self.at_start(where) if isinstance(where, Segment) else self.before(where)

    def _joined(self, states: dict[Key, S], segment: Segment, context: Context | None) -> S | None:
        if context is not None or not self.analysis.contexts:
            return states.get((segment, context or ()))
        return joined_all(self.analysis, [state for (one, _), state in states.items() if one is segment])

    def _at(self, op: Operation, context: Context | None) -> tuple[S | None, S | None]:
        segment = self.graph.of(op)
        for one, before, after in self.points(segment, context):
            if one is op:
                return before, after
        raise KeyError(op)

    # -- for `why`

    def entering(self, key: Key) -> S | None:
        """The state on entry to a segment, in the direction of the analysis."""
        return self._in.get(key)

    def leaving(self, key: Key) -> S | None:
        """The state that a segment propagates along its edges."""
        return self._out.get(key)

    def boundary_of(self, key: Key) -> S | None:
        """The boundary state of a segment; None if it is not at the boundary."""
        if key[1] or key[0] not in self._boundary():
            return None
        return self.analysis.boundary(key[0])

    def callers(self, key: Key) -> list[tuple[Operation, Key, S]]:
        """The calls that enter a function, each with its key and entry state; none for an intraprocedural analysis."""
        segment, context = key
        found: list[tuple[Operation, Key, S]] = []
        edges = segment.called_by if self.is_forward else segment.returns
        for call in edges if self.analysis.contexts is not None else ():
            after = present(call.source.end if self.is_forward else call.target.after)
            source = self.graph.of(after)
            op = source.end
            callee = self.graph.callee(op) if op is not None else None
            if op is None or callee is None:
                continue
            for outer in self.contexts_of(source):
                states = [(b, a) for one, b, a in self.points(source, outer) if one is op]
                state = states[0][0 if self.is_forward else 1]
                entered = self.analysis.enter_call(op, callee, state) if state is not None else None
                if entered is not None and self._callee_context(op, outer) == context:
                    found.append((op, (source, outer), entered))
        return found

    def inside(self, op: Operation, context: Context) -> list[Key]:
        """The exit segments of an operation's callee; none for an intraprocedural analysis."""
        callee = self.graph.callee(op) if self.analysis.contexts is not None else None
        if callee is None:
            return []
        return [(segment, self._callee_context(op, context)) for segment in self._callee_exits(callee)]

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
            self._propagate((segment, ()), analysis.boundary(segment))

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
        return ops[0] if ops else where[0].after

    def _widens_at(self, where: Key) -> bool:
        segment = where[0]
        if self.analysis.contexts is not None and (
            segment.called_by or segment.returns or segment.returned_from
        ):
            return True  # recursion closes cycles as well
        if self.is_forward:
            return any(edge.goes_back for edge in segment.arriving)
        rank = self._rank
        return any(rank[edge.target] >= rank[segment] for edge in segment.leaving)

    def _propagate(self, key: Key, state: S) -> None:
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
                self._propagate((edge.target if self.is_forward else edge.source, context), passed)

    def _through(self, segment: Segment, context: Context, state: S | None) -> S | None:
        """The state at the end of a segment with entry state `state`."""
        ops: Iterable[Operation] = segment.ops if self.is_forward else reversed(segment.ops)
        for op in ops:
            if state is None:
                return None
            state = self._after_op(op, state, context)
        return state

    def _after_op(self, op: Operation, state: S, context: Context = ()) -> S | None:
        """The state on the far side of an operation. Through a call of a known function it flows via the callee."""
        if self.analysis.contexts is None:
            return self.analysis.transfer(op, state)
        callee = self.graph.callee(op)
        if callee is None:
            return self.analysis.transfer(op, state)
        inside = self._callee_context(op, context)
        entered = self.analysis.enter_call(op, callee, state)
        if entered is not None and not self.solver.is_done:
            for segment in self._callee_entries(callee):
                self._propagate((segment, inside), entered)
        keys = [(segment, inside) for segment in self._callee_exits(callee)]
        for key in keys:
            self.solver.wait_for(self.index, ("out", key))
        found = joined_all(self.analysis, map(self._out.get, keys))
        return None if found is None else self.analysis.leave_call(op, callee, state, found)

    def _callee_entries(self, callee: FunctionOp) -> list[Segment]:
        return [self.graph.first(callee.body.entry)] if self.is_forward else self.graph.returns(callee)

    def _callee_exits(self, callee: FunctionOp) -> list[Segment]:
        return self.graph.returns(callee) if self.is_forward else [self.graph.first(callee.body.entry)]

    def _callee_context(self, call: Operation, context: Context) -> Context:
        length = present(self.analysis.contexts)
        return (call, *context)[:length]

    def narrow(self) -> None:
        """One descending sweep in worklist order: the equations replace each state, `narrow` limits that at loops."""
        analysis = self.analysis
        boundary = set(self._boundary())
        arriving: dict[Key, S] = {}
        for key in sorted(self._in, key=self.rank):
            segment, context = key
            new: S | None = analysis.initial(segment) if not context else None
            if segment in boundary and not context:
                new = joined(analysis, new, analysis.boundary(segment))
            for edge in segment.arriving if self.is_forward else segment.leaving:
                source = (edge.source if self.is_forward else edge.target, context)
                out = self._out.get(source)
                if out is not None and self.may_go(edge):
                    new = joined(analysis, new, analysis.edge(edge, out))
            if self.analysis.contexts is not None and (
                segment.called_by if self.is_forward else segment.returns
            ):
                continue  # entry states from callers are not narrowed
            if new is None:
                continue
            arriving[key] = self._in[key] = (
                analysis.narrow(self._in[key], new) if self._widens_at(key) else new
            )
            out = self._through(segment, context, self._in[key])
            if out is not None:
                self._out[key] = out


AnyDense: TypeAlias = DenseSolution[State]
