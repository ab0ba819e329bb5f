"""States of an analysis beside the program, a line for each operation, and on the control-flow graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis.dataflow.dense import DenseSolution
from ..analysis.dataflow.framework import AnySolution, EdgeSolution
from ..analysis.dataflow.graph import EdgeKind, FlowEdge, Segment
from ..analysis.dataflow.solver import SparseSolution
from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.records import Plain, record
from .graph import canvas as p
from .graph.blocks import Wording
from .graph.canvas import BACK, PLAIN, QUIET, Canvas, Html, Node, Row, box, edge_text, styled
from .graph.layered import arrange

NOT_REACHED = "(not reached)"
SAME = "="
"""Marks a state equal to that of the line above."""
LONGEST_OPERATION = 60
"""Characters of an operation; the rest is cut off."""


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

    def after(self, op: Operation) -> str | None:
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
                yield Point(depth, text, self.states.after(item), item, "operation")
                after = self.states.solution.graph.segment_after(item)
                if blocks:
                    end = self.states.at_start(after) if after is not None else None
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


# -- the picture: the CFG with the state before and after each segment


MOST_SEGMENTS = 150
"""Beyond this, the rest of the program is omitted."""
MOST_OPERATIONS = 24
"""Operations of a segment that are written out."""
LONGEST_STATE = 100
"""Characters of a state; the rest is cut off."""


def picture_of_states(solution: AnySolution, functions: list[Operation]) -> Canvas:
    """The picture. O(operations)."""
    return _Drawing(solution, functions).draw()


class _Drawing:
    def __init__(self, solution: AnySolution, functions: list[Operation]) -> None:
        self.solution = solution
        self.functions = functions
        self.wording = Wording(solution.graph.root)
        self.nodes: dict[Segment, Node] = {}
        self.canvas = Canvas(f"{solution.analysis.name}")

    def draw(self) -> Canvas:
        canvas = self.canvas
        left = 0
        for function in self.functions:
            inside = [
                s for s in self.solution.graph if s.function is function and s.block.parent_op is not None
            ]
            room = MOST_SEGMENTS - len(self.nodes)
            left += max(0, len(inside) - room)
            if not inside[:room]:
                continue
            frame = canvas.cluster(styled(self.wording.function(function), bold=True, mono=True))
            for segment in inside[:room]:
                self.nodes[segment] = canvas.node(self._label(segment), inside=frame)
        if left:
            canvas.remark(f"{left} segments not drawn; --function NAME draws one function")
        for edge in self.solution.graph.edges():
            if edge.source in self.nodes and edge.target in self.nodes:
                self._edge(edge)
        arrange(canvas)
        return canvas

    def _label(self, segment: Segment) -> Html:
        solution = self.solution
        rows: list[Row] = []
        reached = True
        if isinstance(solution, DenseSolution):
            start, end = solution.at_start(segment), solution.at_end(segment)
            reached = start is not None or end is not None
            rows.append(self._state(start))
            rows += self._operations(segment)
            if segment.ops:
                rows.append(self._state(end))
        else:
            if isinstance(solution, EdgeSolution):
                reached = segment in solution.segments
            rows += self._operations(segment)
        return box(rows or [Row(" ")], border=p.LINE if reached else p.FAINT, dashed=not reached)

    def _state(self, state: object) -> Row:
        text = "not reached" if state is None else self.solution.analysis.show(state)
        return Row(
            styled(self._cut(text), size=p.SMALL, italic=state is None), fill=p.TINTS[p.SKY], rule=True
        )

    def _operations(self, segment: Segment) -> list[Row]:
        ops = segment.ops
        rows = [
            Row(styled(self.wording.line(op, head_only=bool(op.regions)), mono=True), rule=number == 0)
            for number, op in enumerate(ops[:MOST_OPERATIONS])
        ]
        if isinstance(self.solution, SparseSolution):
            with_states: list[Row] = [
                self._values([*segment.block.args] if segment.after is None else [*segment.after.results])
            ]
            for op, row in zip(ops, rows, strict=False):
                with_states += [row] if segment.end is op else [row, self._values(op.results)]
            rows = [row for row in with_states if row.content]
        if len(ops) > MOST_OPERATIONS:
            rows.append(Row(styled(f"⋯ {len(ops) - MOST_OPERATIONS} more", italic=True, color=p.FAINT)))
        return rows

    def _values(self, values: Sequence[Value]) -> Row:
        assert isinstance(self.solution, SparseSolution)
        analysis = self.solution.analysis
        found = [(value, self.solution.of(value)) for value in values if analysis.concerns(value)]
        text = ", ".join(
            f"{self.wording.value(v)}: {'not reached' if state is None else analysis.show(state)}"
            for v, state in found
        )
        return Row(styled(self._cut(text), size=p.SMALL) if text else "", fill=p.TINTS[p.SKY])

    def _cut(self, text: str) -> str:
        return text if len(text) <= LONGEST_STATE else text[: LONGEST_STATE - 1] + "…"

    def _edge(self, edge: FlowEdge) -> None:
        texts: list[Html] = []
        if edge.condition is not None:
            texts.append(
                styled(f"{self.wording.value(edge.condition.value)} = {edge.condition.wanted}", mono=True)
            )
        if edge.kind in (EdgeKind.CALL, EdgeKind.RETURN, EdgeKind.AROUND):
            texts.append(styled(edge.kind.value, italic=True, color=p.FAINT))
        dead = isinstance(self.solution, EdgeSolution) and edge not in self.solution.edges
        if dead:
            texts.append(styled("never taken", bold=True))
        between = edge.kind in (EdgeKind.CALL, EdgeKind.RETURN)
        stroke = QUIET if dead or between else BACK if edge.goes_back else PLAIN
        self.canvas.edge(
            self.nodes[edge.source],
            self.nodes[edge.target],
            edge_text(texts),
            stroke,
            upwards=edge.goes_back and not between,
            **({"constraint": "false"} if between else {}),
        )
