"""States of an analysis beside the program, a line for each operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis.dataflow.dense import DenseSolution
from ..analysis.dataflow.framework import AnySolution, EdgeSolution
from ..analysis.dataflow.graph import Segment
from ..analysis.dataflow.solver import SparseSolution
from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.records import Plain, record
from .graph.wording import Wording

NOT_REACHED = "(not reached)"
SAME = "="
"""Marks a state equal to that of the line above."""
LONGEST_OPERATION = 60


@record(frozen=True)
class Point:
    """A line of the program with its analysis state.

    Attributes:
        depth: nesting depth.
        text: the operation or the block, on one line.
        state: after the operation; for a block at its start; None if there is none.
        op: the operation, None for a block.
        key: the kind for JSON: operation, block or end.
    """

    depth: int
    text: str
    state: str | None
    op: Operation | None
    key: str


class _States:
    """The states of a solution as text, computed once for all functions."""

    def __init__(self, solution: AnySolution, wording: Wording) -> None:
        self.solution = solution
        self.wording = wording
        self._segments = {op: segment for segment in solution.graph for op in segment.ops}
        self._behind: dict[Operation, str] = {}
        if isinstance(solution, DenseSolution):
            for segment in solution.graph:
                self._behind |= {op: self._shown(after) for op, _, after in solution.points(segment)}

    def at_start(self, segment: Segment) -> str | None:
        """The state at the start of a segment."""
        if isinstance(self.solution, DenseSolution):
            return self._shown(self.solution.at_start(segment))
        return self._of(segment, segment.inputs)

    def behind(self, op: Operation) -> str | None:
        """The state after an operation; for one with regions, where control enters them."""
        if (known := self._behind.get(op)) is not None:
            return known
        return self._of(self._segments[op], [] if op.regions else op.results)

    def _of(self, segment: Segment, values: Sequence[Value]) -> str | None:
        solution = self.solution
        if isinstance(solution, EdgeSolution):
            return None if segment in solution.segments else NOT_REACHED
        assert isinstance(solution, SparseSolution)
        shown = [value for value in values if solution.analysis.concerns(value)]
        texts = [f"{self.wording.value(value)}: {self._shown(solution.of(value))}" for value in shown]
        return ", ".join(texts) or None

    def _shown(self, state: object) -> str:
        return NOT_REACHED if state is None else self.solution.analysis.show(state)


class Listing:
    """The points of a function."""

    def __init__(self, function: Operation, states: _States) -> None:
        self.function = function
        self.states = states
        self.wording = states.wording

    @property
    def name(self) -> str:
        """The function's name."""
        return self.wording.function(self.function)

    def points(self) -> Iterator[Point]:
        """The points in textual order. O(operations * size of a state)."""
        waiting: list[tuple[int, Point | Block | Operation]] = [
            (0, block) for block in _blocks(self.function)
        ]
        while waiting:
            depth, item = waiting.pop()
            if isinstance(item, Point):
                yield item
            elif isinstance(item, Block):
                yield self._header(item, depth)
                waiting += [(depth + 1, op) for op in reversed(list(item))]
            else:
                blocks = [] if isinstance(item, FunctionOp) else _blocks(item)
                text = self.wording.line(item, LONGEST_OPERATION, head_only=bool(blocks))
                yield Point(depth, text, self.states.behind(item), item, "operation")
                behind = self.states.solution.graph.behind(item)
                if blocks:
                    end = self.states.at_start(behind) if behind is not None else None
                    waiting.append((depth, Point(depth, "}", end, item, "end")))
                    waiting += [(depth + 1, block) for block in blocks]

    def _header(self, block: Block, depth: int) -> Point:
        arguments = ", ".join(self.wording.argument(arg) for arg in block.args)
        text = f"{self.wording.block(block)}({arguments}):" if arguments else f"{self.wording.block(block)}:"
        return Point(
            depth, text, self.states.at_start(self.states.solution.graph.first(block)), None, "block"
        )


def _blocks(op: Operation) -> list[Block]:
    """The blocks of an operation in reverse order."""
    return [block for region in reversed(op.regions) for block in reversed(list(region))]


def listings(solution: AnySolution, names: list[str]) -> list[Listing]:
    """A listing per function with a body; restricted to `names` unless empty."""
    states = _States(solution, Wording(solution.graph.root))
    wanted = {name.removeprefix("@") for name in names}
    return [
        Listing(op, states)
        for op in solution.graph.root.walk()
        if isinstance(op, FunctionOp) and not op.is_declaration and (not wanted or op.symbol_name in wanted)
    ]


def to_text(found: list[Listing], title: str) -> str:
    """The functions in order: the program on the left, the state after each line on the right.

    A state equal to that of the line above is printed as `=`.
    """
    parts: list[str] = []
    for listing in found:
        points = list(listing.points())
        width = max((2 * p.depth + len(p.text) for p in points), default=0)
        lines = [f"{listing.name}: {title}"]
        above: str | None = None
        for point in points:
            left = f"  {'  ' * point.depth}{point.text}"
            state = SAME if point.state == above and point.state is not None else point.state
            above = point.state if point.state is not None else above
            lines.append(f"{left:<{width + 2}}  {state}" if state is not None else left)
        parts.append("\n".join(line.rstrip() for line in lines) + "\n")
    return "\n".join(parts)


def to_plain(found: list[Listing], program: str) -> Plain:
    """The same as JSON."""
    return {
        "program": program,
        "functions": [
            {
                "function": getattr(listing.function, "symbol_name", ""),
                "points": [_plain(point) for point in listing.points()],
            }
            for listing in found
        ],
    }


def _plain(point: Point) -> Plain:
    span = point.op.name_span if point.op is not None else None
    made: Plain = {"at": point.key, "text": point.text, "depth": point.depth, "state": point.state}
    if span is not None:
        made |= {"line": span.line, "column": span.column}
    return made
