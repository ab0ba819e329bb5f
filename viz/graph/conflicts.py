"""Why is there a copy? For each one: the write that must not happen in place, and the reads it would harm.

One frame for each operand that gets a buffer of its own. A definition gives contents to a buffer; the reads below it
still need them; the write would destroy them if it came to the same buffer. The copy stands between, where it is
inserted. All reasons against an operand are found, and so many that do not fit are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.conflicts import Reason, ReasonKind
from ...analysis.one_shot.result import AnalysisResult
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.source.diagnostics import BufferizeError
from . import palette as p
from .blocks import counted
from .canvas import Canvas, Cluster, Node, Stroke
from .markup import Html, Row, box, edge_text, styled
from .request import Request
from .sharing import description
from .wording import Wording

NEEDS_ANALYSIS = True

MOST_COPIES = 12
MOST_REASONS = 4
"""Reasons drawn for one copy: with the clearest gone, the next come up."""

CONTENTS = Stroke(p.INK, "solid", 1.2)
COPY = Stroke(p.VERMILLION, "bold", 2.5)
HARM = Stroke(p.VERMILLION, "dashed", 1.8, "tee")


def draw_conflicts(request: Request, wording: Wording) -> Canvas:
    """The picture. Near-linear in the program, and in the reasons found."""
    analysis = request.analyzed()
    if analysis.errors:
        raise BufferizeError(analysis.errors)
    copies = [use for use in analysis.out_of_place() if _wanted(use, request)]
    functions = request.functions
    where = f" in {wording.function(functions[0])}" if len(functions) == 1 else ""
    shown = copies[:MOST_COPIES]
    canvas = Canvas(f"Why {'a copy is' if len(copies) == 1 else 'copies are'} needed{where}")
    if not copies:
        canvas.title = f"No copy is needed{where}"
        canvas.node(styled("every operand can be updated in place"), shape="box", style="rounded")
        return canvas
    if len(copies) > len(shown):
        canvas.remark(
            f"{len(shown)} of {len(copies):,} copies drawn; --function and --focus %value choose others"
        )
    corners = [_Drawing(canvas, wording, analysis, use, number).draw() for number, use in enumerate(shown, 1)]
    canvas.in_columns(corners, 1)
    return canvas


def _wanted(use: OpOperand, request: Request) -> bool:
    """Whether a copy is in a function that is asked for and, if a value is in focus, has to do with it."""
    if not any(function.is_ancestor_of(use.owner) for function in request.functions):
        return False
    focus = request.focus
    return not isinstance(focus, Value) or use.value is focus or focus in use.owner.results


class _Drawing:
    """One copy of the picture."""

    def __init__(
        self, canvas: Canvas, wording: Wording, analysis: AnalysisResult, use: OpOperand, number: int
    ) -> None:
        self.canvas = canvas
        self.wording = wording
        self.analysis = analysis
        self.use = use
        self.number = number
        self.frame: Cluster | None = None
        self.definitions: dict[Value, Node] = {}
        self.readers: dict[tuple[Operation, Value], Node] = {}
        self.writers: dict[Operation, Node] = {}
        self.drawn: set[tuple[Node, Node]] = set()

    def draw(self) -> tuple[Node, Node]:
        reasons = sorted(self.analysis.reasons(self.use), key=self._distance)
        held = self.wording.value(self.use.value)
        title = f"copy {self.number}: {held} for {self.use.owner.name}{self._line_number(self.use.owner)}"
        self.frame = self.canvas.cluster(styled(title, bold=True), color=p.LINE)
        write = self._write(reasons)
        copy = self._copy(reasons)
        self.canvas.edge(copy, write, edge_text([styled("works on the copy", size=p.SMALL)]), COPY)
        for reason in reasons[:MOST_REASONS]:
            self._reason(reason, write, copy)
        if self.use.value not in self.definitions:
            self.canvas.edge(self._definition(self.use.value, source_only=True), copy, stroke=COPY)
        left = len(reasons) - MOST_REASONS
        last = write
        if left > 0:
            last = self.canvas.node(
                styled(f"⋯ {counted(left, 'more reason')} for this copy", italic=True, color=p.FAINT),
                inside=self.frame,
            )
            above = list(self.readers.values())[-1] if self.readers else write
            self.canvas.edge(above, last, stroke=Stroke(p.FAINT, "dotted", 1.0, "none"))
        top = next(iter(self.definitions.values()))
        return top, list(self.readers.values())[-1] if self.readers and last == write else last

    def _distance(self, reason: Reason) -> int:
        """How far a reason is from the operand: its own value and its own write are the easiest to understand."""
        return (reason.value is not self.use.value) + (reason.write is not self.use)

    # -- nodes

    def _write(self, reasons: Sequence[Reason]) -> Node:
        op = self.use.owner
        writes = any(reason.write is self.use for reason in reasons) or self.analysis.state.writes(self.use)
        says = (
            f"writes to the buffer of {self.wording.value(self.use.value)}"
            if writes
            else "would hand the buffer on"
        )
        return self._operation(op, "writes" if writes else "hands on", says, p.VERMILLION, width=2)

    def _copy(self, reasons: Sequence[Reason]) -> Node:
        value = self.wording.value(self.use.value)
        kinds = {reason.kind for reason in reasons}
        keeps = "leaves the old contents alone"
        if kinds == {ReasonKind.NOT_WRITABLE}:
            keeps = "is a buffer that may be written"
        elif kinds == {ReasonKind.PARALLEL_REGION}:
            keeps = "gives each iteration a buffer of its own"
        rows = [
            Row(styled(f"copy of {value}", bold=True, color=p.INK), p.TINTS[p.VERMILLION]),
            Row(styled(keeps, size=p.SMALL)),
        ]
        return self.canvas.node(box(rows, border=p.VERMILLION, width=2), inside=self.frame)

    def _definition(self, value: Value, *, source_only: bool = False) -> Node:
        node = self.definitions.get(value)
        if node is None:
            name = self.wording.value(value)
            if isinstance(value, OpResult):
                text = self.wording.line(value.owner, head_only=True)
                place = self._line_number(value.owner)
            else:
                text, place = f"{self.wording.argument(value)}", f" ({description(value)})"
            says = f"{name} is here{place}" if source_only else f"gives {name} its contents{place}"
            node = self.canvas.node(
                box([Row(styled(text, mono=True)), Row(styled(says, size=p.SMALL), p.SHADE)]),
                inside=self.frame,
            )
            self.definitions[value] = node
        return node

    def _read(self, read: OpOperand, value: Value) -> Node:
        node = self.readers.get((read.owner, value))
        if node is None:
            says = f"still needs the contents of {self.wording.value(value)}"
            node = self.readers[read.owner, value] = self._operation(
                read.owner, "reads", says, p.BLUE, dashed=True
            )
        return node

    def _operation(
        self, op: Operation, verb: str, says: str, color: str, *, width: int = 1, dashed: bool = False
    ) -> Node:
        rows = [
            Row(styled(self.wording.line(op, head_only=True), mono=True)),
            Row(styled(f"{says}{self._line_number(op)}", size=p.SMALL), p.TINTS[color]),
        ]
        return self.canvas.node(
            box(rows, border=color, width=width, dashed=dashed),
            inside=self.frame,
            tooltip=f"{verb}: {self.wording.full_line(op)}",
        )

    @staticmethod
    def _line_number(op: Operation) -> str:
        span = op.name_span
        return f" (line {span.line})" if span is not None else ""

    def _writer(self, write: OpOperand, handed_on_by: Node) -> Node:
        """An operation that writes, further on, to the buffer that the operand would hand on."""
        node = self.writers.get(write.owner)
        if node is None:
            says = f"writes to what shares memory with {self.wording.value(self.use.value)}"
            node = self.writers[write.owner] = self._operation(write.owner, "writes", says, p.VERMILLION)
            self._arrow(handed_on_by, node, styled("its buffer reaches", size=p.SMALL), COPY)
        return node

    # -- arrows

    def _arrow(
        self, source: Node, target: Node, text: Html, stroke: Stroke, *, upwards: bool = False
    ) -> None:
        if (source, target) not in self.drawn:
            self.drawn.add((source, target))
            self.canvas.edge(source, target, edge_text([text]), stroke, upwards=upwards)

    def _reason(self, reason: Reason, write: Node, copy: Node) -> None:
        definition = self._definition(reason.value)
        if reason.value is self.use.value:
            self._arrow(definition, copy, Html(""), COPY)
        if reason.write.owner is not self.use.owner:
            write = self._writer(reason.write, write)
        if reason.kind is ReasonKind.NOT_WRITABLE:
            why = reason.why_not_writable or "may not be written"
            self._harm(write, definition, f"{self.wording.value(reason.value)} {why}")
            return
        if reason.kind is ReasonKind.PARALLEL_REGION:
            self._harm(write, definition, "iterations that run at once would write here")
            return
        if reason.kind is ReasonKind.FORBIDDEN:
            self._harm(write, definition, f"rule {reason.rule} forbids it")
            return
        assert reason.read is not None
        same = reason.read.owner is reason.write.owner
        read = write if same else self._read(reason.read, reason.value)
        self._arrow(
            definition,
            read,
            styled(f"contents of {self.wording.value(reason.value)}", size=p.SMALL),
            CONTENTS,
        )
        around = ""
        if reason.loop is not None:
            around = f", in the next round of {reason.loop.name}{self._line_number(reason.loop)}"
        words = f"would overwrite what it reads{around}"
        self._arrow(write, read, styled(words, color=p.VERMILLION, bold=True), HARM)

    def _harm(self, write: Node, definition: Node, text: str) -> None:
        self._arrow(write, definition, styled(text, color=p.VERMILLION, bold=True), HARM, upwards=True)
