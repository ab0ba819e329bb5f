"""Analysis picture: the CFG with the state before and after each segment."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.dataflow.dense import DenseSolution
from ...analysis.dataflow.framework import AnySolution, EdgeSolution
from ...analysis.dataflow.graph import EdgeKind, FlowEdge, Segment
from ...analysis.dataflow.solver import SparseSolution
from ...ir.program.core import Operation
from ...ir.program.values import Value
from . import canvas as p
from .canvas import BACK, PLAIN, QUIET, Canvas, Html, Node, Row, box, edge_text, styled
from .layered import arrange
from .wording import Wording

MOST_SEGMENTS = 150
"""Beyond this, the rest of the program is omitted."""
MOST_OPERATIONS = 24
"""Operations of a segment that are written out."""
LONGEST_STATE = 100


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
                self._values([*segment.block.args] if segment.behind is None else [*segment.behind.results])
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
