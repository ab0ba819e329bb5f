"""Sparse analyses: a state for each SSA value, and queries of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar, cast

from ...ir.program.core import BlockArgument, Operation, Value
from ..fixpoint import FORWARD
from .framework import EdgeAnalysis, Solution, Solving, SparseAnalysis, State, Where, is_public, joined
from .graph import EdgeKind, Segment

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
        return where.last_op or where.behind if isinstance(where, Segment) else where

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
        if segment.behind is not None and not self._receives_results(segment):
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
        assert segment.behind is not None
        return self.graph.callee(segment.behind) is not None or any(
            edge.kind is EdgeKind.REGION for edge in segment.arriving
        )

    def _result_states(self, op: Operation) -> list[tuple[Value, S | None]]:
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
