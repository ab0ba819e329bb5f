"""Which values are needed at each point of a program, whatever runs next.

    before = (after - results) | operands

along all edges, those out of regions too; `analysis/liveness.py` has what MLIR calls liveness, which ends where a region does.
A set is an integer, with a bit for each value.
"""

from __future__ import annotations

from ...ir.program.core import Operation, Value
from .graph import FlowEdge, Segment
from .solver import BACKWARD, DenseAnalysis, shown


class LiveValues(DenseAnalysis[int]):
    """The values that some path from a point uses before it makes them again."""

    direction = BACKWARD

    def __init__(self) -> None:
        self._bits: dict[Value, int] = {}
        self._values: list[Value] = []

    def values(self, state: int) -> list[Value]:
        """The values of a state, in the order in which they were met. O(bits)."""
        return [value for bit, value in enumerate(self._values) if state >> bit & 1]

    def show(self, state: int) -> str:
        return "{" + ", ".join(sorted(shown(value) for value in self.values(state))) + "}"

    def initial(self, segment: Segment) -> int:
        return 0

    def boundary(self, segment: Segment) -> int:
        return 0

    def join(self, a: int, b: int) -> int:
        return a | b

    def transfer(self, op: Operation, state: int) -> int:
        for result in op.results:
            state &= ~self._bit(result)
        for use in op.op_operands:
            state |= self._bit(use.value)
        return state

    def edge(self, edge: FlowEdge, state: int) -> int:
        for value in edge.target.inputs:
            state &= ~self._bit(value)
        return state

    def _bit(self, value: Value) -> int:
        number = self._bits.get(value)
        if number is None:
            number = self._bits[value] = len(self._values)
            self._values.append(value)
        return 1 << number
