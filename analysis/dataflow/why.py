"""Explains a state of a dataflow analysis by the transfers and joins that produced it.

    why(solution, op)                        derivation of the state before `op`, back to the boundary
    why(solution, op, lambda s: w in s)      the shortest path along which a property of that state was established
    why(solution, value)                     the states that the state of a value was computed from

Nothing is recorded while the solver runs: the solution is a fixed point, so each state follows from its neighbours' states.
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
from .solver import AnySparse, SparseSolution

MOST_STEPS = 200
"""Steps in one derivation; a last line says that the rest is omitted."""
Holds = Callable[[State], bool]


@record(frozen=True)
class Step:
    """One line of a derivation.

    Attributes:
        depth: the indentation; a step explains the nearest one above with a lower depth.
        text: the state and the transfer, join or edge that produced it.
        op: the operation responsible; None at the boundary.
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
    """The derivation of a state, latest step first; deeper steps explain the one above."""

    steps: tuple[Step, ...]

    def render(self) -> str:
        """One line per step."""
        return "\n".join(map(str, self.steps))

    def diagnostic(self) -> Diagnostic:
        """The derivation as a remark with one numbered event for each step that has a source location."""
        first = next((step for step in self.steps if step.op is not None), self.steps[0])
        found = remark(self.steps[0].text, first.op.name_span if first.op is not None else None)
        for step in self.steps[1:]:
            span = step.op.name_span if step.op is not None else None
            if span is not None:
                found.step(span, step.text)
        return found


def why(solution: AnySolution, where: Operation | Value, holds: Holds | None = None) -> StateReason:
    """Derive the state before an operation (backward: after it), or of a value. O(steps * operations of a segment).

    Raises:
        LookupError: the state is unreachable, or `holds` is false for it.
    """
    if isinstance(solution, SparseSolution):
        assert isinstance(where, Value)
        return StateReason(tuple(_value_steps(solution, where)))
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
    raise LookupError("it is not reachable" if holds is None else "it does not hold there")


Place: TypeAlias = tuple[Key, int]
"""A program point: a segment, and how many of its operations come before the point in the direction of the analysis."""
CameFrom: TypeAlias = "dict[Place, tuple[Place, Step] | None]"


class _Trace:
    """Walks a dense solution against the direction of its analysis."""

    def __init__(self, solution: AnyDense) -> None:
        self.solution = solution
        self.analysis = solution.analysis
        self.forward = solution.is_forward
        self._states: dict[Key, list[State]] = {}

    def ops(self, key: Key) -> list[Operation]:
        """The operations of a segment in the direction of the analysis."""
        return key[0].ops if self.forward else key[0].ops[::-1]

    def states(self, key: Key) -> list[State]:
        """The states at the points of a segment: its entry state, then the state after each operation."""
        known = self._states.get(key)
        if known is None:
            known = [self.solution.entering(key)]
            for _, before, after in self.solution.points(*key)[:: 1 if self.forward else -1]:
                known.append(after if self.forward else before)
            self._states[key] = known
        return known

    def incoming(self, key: Key) -> Iterator[tuple[str, Operation | None, Key | None, State]]:
        """The operands of the join at a segment: a description, the operation, the source segment and the state."""
        segment, context = key
        boundary = self.solution.boundary_of(key)
        if boundary is not None:
            yield "at the boundary", None, None, boundary
        for edge in segment.arriving if self.forward else segment.leaving:
            source = (edge.source if self.forward else edge.target, context)
            out = self.solution.leaving(source)
            passed = self.analysis.edge(edge, out) if out is not None and self.solution.may_go(edge) else None
            if passed is not None:
                yield f"along {_edge_text(edge)}", edge.op, source, passed
        for call, source, passed in self.solution.callers(key):
            yield f"from the call of @{_callee_name(call)}", call, source, passed

    def _line(self, what: str, state: object) -> str:
        return f"{self.analysis.show(state)}  {what}"

    def shortest(self, key: Key, at: int, holds: Holds) -> Iterator[Step]:
        """The shortest path back to an operation that establishes `holds`, breadth first over segments."""
        start = key, at
        came_from: CameFrom = {start: None}
        waiting = [start]
        for place in waiting:
            where, index = place
            states, ops = self.states(where), self.ops(where)
            while index:
                op = ops[index - 1]
                inside = [k for k in self.solution.inside(op, where[1]) if self._holds_at_end(k, holds)]
                for inner in inside:
                    self._enqueue(
                        came_from,
                        waiting,
                        place,
                        (inner, len(self.ops(inner))),
                        "out of the called function",
                        op,
                    )
                if not inside and (not holds(states[index - 1]) or self._establishes(op, holds)):
                    yield from self._path(came_from, place)
                    yield Step(0, self._line(f"computed by '{op.name}'", states[index]), op)
                    return
                if not holds(states[index - 1]):
                    break
                index -= 1
            if index:
                continue
            for words, op, source, state in self.incoming(where):
                if not holds(state):
                    continue
                if source is None:
                    yield from self._path(came_from, place)
                    yield Step(0, self._line(words, state), op)
                    return
                self._enqueue(came_from, waiting, place, (source, len(self.ops(source))), words, op)
        yield from self._path(came_from, start)

    def _establishes(self, op: Operation, holds: Holds) -> bool:
        """Whether an operation establishes `holds` by itself, even from the boundary state."""
        graph = self.solution.graph
        nothing = self.analysis.boundary((graph.entries if self.forward else graph.exits)[0])
        after = None if holds(nothing) else self.analysis.transfer(op, nothing)
        return after is not None and holds(after)

    def _holds_at_end(self, key: Key, holds: Holds) -> bool:
        out = self.solution.leaving(key)
        return out is not None and holds(out)

    def _enqueue(
        self,
        came_from: CameFrom,
        waiting: list[Place],
        here: Place,
        there: Place,
        words: str,
        op: Operation | None,
    ) -> None:
        if there not in came_from:
            came_from[there] = here, Step(0, f"propagated {words}", op)
            waiting.append(there)

    def _path(self, came_from: CameFrom, place: Place) -> list[Step]:
        steps: list[Step] = []
        while (known := came_from[place]) is not None:
            place, step = known
            steps.append(step)
        return steps[::-1]

    def tree(self, key: Key, at: int) -> Iterator[Step]:
        """All transfers that changed the state, and the operands of each join, depth first."""
        seen: set[tuple[Key, int]] = set()
        waiting: list[tuple[int, Key, int]] = [(0, key, at)]
        count = 0
        while waiting:
            depth, where, index = waiting.pop()
            states, ops = self.states(where), self.ops(where)
            while index and states[index - 1] == states[index]:
                index -= 1
            if (where, index) in seen:
                continue
            seen.add((where, index))
            count += 1
            if count > MOST_STEPS:
                yield Step(depth, f"(and so on; {MOST_STEPS} steps are shown)", None)
                return
            if index:
                op = ops[index - 1]
                yield Step(depth, self._line(f"after '{op.name}'", states[index]), op)
                waiting.append((depth, where, index - 1))
                continue
            found = list(self.incoming(where))
            if len(found) == 1 and found[0][2] is not None:
                waiting.append((depth, found[0][2], len(self.ops(found[0][2]))))
                continue
            if len(found) > 1:
                place = ops[0] if ops else where[0].after
                yield Step(depth, self._line("joined of", states[0]), place)
            for words, op, _, state in found:
                yield Step(depth + 1, self._line(words, state), op)
            for _, _, source, _ in reversed(found):
                if source is not None:
                    waiting.append((depth + 1, source, len(self.ops(source))))


def _edge_text(edge: FlowEdge) -> str:
    condition = edge.condition
    text = f"'{edge.op.name}'" if edge.op is not None else "the end of the block"
    if condition is not None:
        text += f" where {shown(condition.value)} is {condition.wanted}"
    return f"{text}, back" if edge.goes_back else text


def _callee_name(call: Operation) -> str:
    return str(getattr(call, "callee_symbol", lambda: "")() or "").lstrip("@")


def _value_steps(solution: AnySparse, value: Value) -> Iterator[Step]:
    if solution.of(value) is None:
        raise LookupError(f"nothing is known about {shown(value)}: it is not reachable")
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
