"""Explains a state of a dataflow analysis by the transfers and joins that produced it.

    why(solution, op)                        how the state before `op` came to be, back to where control begins
    why(solution, op, lambda s: w in s)      the shortest way by which something that holds of the state got there
    why(solution, value)                     what the state of a value was computed from

A reason is read off the solution: the equations hold of it, so each state is what they make of its neighbours' states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import Diagnostic, remark
from ...ir.source.records import record
from .dense import AnyDense, DenseSolution
from .framework import AnySolution, Key, State, shown
from .graph import FlowEdge
from .sparse import AnySparse, SparseSolution

MOST_STEPS = 200
"""Steps that are followed; what is behind them is left out, and said."""
Holds = Callable[[State], bool]


@record(frozen=True)
class Step:
    """One line of a reason.

    Attributes:
        depth: how far below the step that it explains.
        text: what happened.
        op: where; None at the boundary.
    """

    depth: int
    text: str
    op: Operation | None

    def __str__(self) -> str:
        span = self.op.name_span if self.op is not None else None
        place = f"  {span.source.name}:{span.line}:{span.column}" if span is not None else ""
        return f"{'  ' * self.depth}{self.text}{place}"


@record(frozen=True)
class StateReason:
    """Steps back from a state, each explained by those below it."""

    steps: tuple[Step, ...]

    def render(self) -> str:
        """A line for each step."""
        return "\n".join(map(str, self.steps))

    def diagnostic(self) -> Diagnostic:
        """The same as a remark with a numbered event for each step that has a place."""
        first = next((step for step in self.steps if step.op is not None), self.steps[0])
        found = remark(self.steps[0].text, first.op.name_span if first.op is not None else None)
        for step in self.steps[1:]:
            span = step.op.name_span if step.op is not None else None
            if span is not None:
                found.step(span, step.text)
        return found


def why(solution: AnySolution, where: Operation | Value, holds: Holds | None = None) -> StateReason:
    """Why the state before an operation (backwards: after it), or that of a value, is what it is. O(steps * segment).

    Raises:
        LookupError: there is no such state, or `holds` does not hold of it.
    """
    if isinstance(solution, SparseSolution):
        assert isinstance(where, Value)
        return StateReason(tuple(_of_value(solution, where)))
    assert isinstance(solution, DenseSolution) and isinstance(where, Operation)
    trace = _Trace(solution)
    segment = solution.graph.of(where)
    for context in solution.contexts_of(segment):
        ops = trace.ops((segment, context))
        at = ops.index(where)
        state = trace.states((segment, context))[at]
        if state is None or (holds is not None and not holds(state)):
            continue
        if holds is not None:
            return StateReason(tuple(trace.shortest((segment, context), at, holds)))
        return StateReason(tuple(trace.tree((segment, context), at)))
    raise LookupError("control does not get there" if holds is None else "that does not hold there")


Place: TypeAlias = tuple[Key, int]
"""A point of a segment: how many of its operations are behind."""
CameFrom: TypeAlias = "dict[Place, tuple[Place, Step] | None]"


class _Trace:
    """Walks against the direction of a dense analysis."""

    def __init__(self, solution: AnyDense) -> None:
        self.solution = solution
        self.analysis = solution.analysis
        self.forward = solution.is_forward
        self._states: dict[Key, list[State]] = {}

    def ops(self, key: Key) -> list[Operation]:
        """The operations of a segment in the direction of the analysis."""
        return key[0].ops if self.forward else key[0].ops[::-1]

    def states(self, key: Key) -> list[State]:
        """The states at the points of a segment: that before its first operation, then those behind each."""
        known = self._states.get(key)
        if known is None:
            known = [self.solution.entering(key)]
            for _, before, after in self.solution.points(*key)[:: 1 if self.forward else -1]:
                known.append(after if self.forward else before)
            self._states[key] = known
        return known

    def incoming(self, key: Key) -> Iterator[tuple[str, Operation | None, Key | None, State]]:
        """What the state of a segment is joined of: in words, where, whence, and the state."""
        segment, context = key
        boundary = self.solution.boundary_of(key)
        if boundary is not None:
            yield "at the boundary", None, None, boundary
        for edge in segment.arriving if self.forward else segment.leaving:
            source = (edge.source if self.forward else edge.target, context)
            out = self.solution.leaving(source)
            passed = self.analysis.edge(edge, out) if out is not None and self.solution.may_go(edge) else None
            if passed is not None:
                yield f"along {_words(edge)}", edge.op, source, passed
        for call, source, passed in self.solution.callers(key):
            yield f"from the call of @{_symbol(call)}", call, source, passed

    def _line(self, what: str, state: object) -> str:
        return f"{self.analysis.show(state)}  {what}"

    def shortest(self, key: Key, at: int, holds: Holds) -> Iterator[Step]:
        """Back to the nearest operation that makes `holds` true, breadth first over segments."""
        start = key, at
        came_from: CameFrom = {start: None}
        waiting = [start]
        for place in waiting:
            where, upto = place
            states, ops = self.states(where), self.ops(where)
            while upto:
                op = ops[upto - 1]
                inside = [k for k in self.solution.inside(op, where[1]) if self._holds_behind(k, holds)]
                for inner in inside:
                    self._go(
                        came_from,
                        waiting,
                        place,
                        (inner, len(self.ops(inner))),
                        "out of the function called",
                        op,
                    )
                if not inside and (not holds(states[upto - 1]) or self._makes(op, holds)):
                    yield from self._path(came_from, place)
                    yield Step(0, self._line(f"made so by '{op.name}'", states[upto]), op)
                    return
                if not holds(states[upto - 1]):
                    break
                upto -= 1
            if upto:
                continue
            for words, op, source, state in self.incoming(where):
                if not holds(state):
                    continue
                if source is None:
                    yield from self._path(came_from, place)
                    yield Step(0, self._line(words, state), op)
                    return
                self._go(came_from, waiting, place, (source, len(self.ops(source))), words, op)
        yield from self._path(came_from, start)

    def _makes(self, op: Operation, holds: Holds) -> bool:
        """Whether an operation makes it hold by itself: also where nothing was known before."""
        graph = self.solution.graph
        nothing = self.analysis.boundary((graph.entries if self.forward else graph.exits)[0])
        after = None if holds(nothing) else self.analysis.transfer(op, nothing)
        return after is not None and holds(after)

    def _holds_behind(self, key: Key, holds: Holds) -> bool:
        out = self.solution.leaving(key)
        return out is not None and holds(out)

    def _go(
        self,
        came_from: CameFrom,
        waiting: list[Place],
        here: Place,
        there: Place,
        words: str,
        op: Operation | None,
    ) -> None:
        if there not in came_from:
            came_from[there] = here, Step(0, f"it comes {words}", op)
            waiting.append(there)

    def _path(self, came_from: CameFrom, place: Place) -> list[Step]:
        steps: list[Step] = []
        while (known := came_from[place]) is not None:
            place, step = known
            steps.append(step)
        return steps[::-1]

    def tree(self, key: Key, at: int) -> Iterator[Step]:
        """All transfers that changed the state, and at joins what was joined, depth first."""
        seen: set[tuple[Key, int]] = set()
        waiting: list[tuple[int, Key, int]] = [(0, key, at)]
        count = 0
        while waiting:
            depth, where, upto = waiting.pop()
            states, ops = self.states(where), self.ops(where)
            while upto and states[upto - 1] == states[upto]:
                upto -= 1
            if (where, upto) in seen:
                continue
            seen.add((where, upto))
            count += 1
            if count > MOST_STEPS:
                yield Step(depth, f"(and so on; {MOST_STEPS} steps are shown)", None)
                return
            if upto:
                op = ops[upto - 1]
                yield Step(depth, self._line(f"behind '{op.name}'", states[upto]), op)
                waiting.append((depth, where, upto - 1))
                continue
            found = list(self.incoming(where))
            if len(found) == 1 and found[0][2] is not None:
                waiting.append((depth, found[0][2], len(self.ops(found[0][2]))))
                continue
            if len(found) > 1:
                place = ops[0] if ops else where[0].behind
                yield Step(depth, self._line("joined of", states[0]), place)
            for words, op, _, state in found:
                yield Step(depth + 1, self._line(words, state), op)
            for _, _, source, _ in reversed(found):
                if source is not None:
                    waiting.append((depth + 1, source, len(self.ops(source))))


def _words(edge: FlowEdge) -> str:
    condition = edge.condition
    text = f"'{edge.op.name}'" if edge.op is not None else "the end of the block"
    if condition is not None:
        text += f" where {shown(condition.value)} is {condition.wanted}"
    return f"{text}, back" if edge.goes_back else text


def _symbol(call: Operation) -> str:
    return str(getattr(call, "callee_symbol", lambda: "")() or "").lstrip("@")


def _of_value(solution: AnySparse, value: Value) -> Iterator[Step]:
    if solution.of(value) is None:
        raise LookupError(f"nothing is known of {shown(value)}: it never comes to be")
    seen: set[Value] = set()
    waiting = [(0, value)]
    while waiting:
        depth, at = waiting.pop()
        state = solution.of(at)
        text = f"{shown(at)}: {solution.analysis.show(state) if state is not None else 'nothing'}"
        sources, op, words = solution.sources(at)
        if at in seen:
            if sources:
                yield Step(depth, f"{text}  see above", op)
            continue
        seen.add(at)
        if len(seen) > MOST_STEPS:
            yield Step(depth, f"(and so on; {MOST_STEPS} steps are shown)", None)
            return
        yield Step(depth, f"{text}  {words}", op)
        waiting += [(depth + 1, source) for source in reversed(sources)]
