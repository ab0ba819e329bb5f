"""Why is there a copy? For each one: the write that must not happen in place, and the reads it would harm.

One frame for each finding that copies, the costliest first. A definition gives contents to a buffer; the reads below it
still need them; the write would destroy them if it came to the same buffer. The copy stands between, where it is
inserted. All reasons against an operand are found, and so many that do not fit are counted. Copies that no write forces
(a slice put into its place, another layout) say in words what does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.one_shot.result import Reason, ReasonKind
from ...explain.finding import Finding
from ...explain.groups import by_cost, grouped
from ...ir.program.core import Operation
from ...ir.program.values import OpOperand, OpResult, Value
from ...transforms.memory_report import Kind
from . import Request, canvas as p
from .alias import description
from .blocks import Wording, counted
from .canvas import Canvas, Cluster, Html, Node, Row, Stroke, box, edge_text, styled

NEEDS_EXPLANATION = True

MOST_COPIES = 12
"""Copies drawn, each with its conflicts; the rest is omitted."""
LONGEST_LINE = 60
"""Characters of an operation where several are side by side."""
MOST_REASONS = 4
"""Reasons drawn per copy: if the clearest is resolved, the next ones remain."""

CONTENTS = Stroke(p.INK, "solid", 1.2)
COPY = Stroke(p.VERMILLION, "bold", 2.5)
HARM = Stroke(p.VERMILLION, "dashed", 1.8, "tee")


def draw_conflicts(request: Request, wording: Wording) -> Canvas:
    """The picture. Near-linear in the program, and in the reasons found."""
    explanation = request.explained()
    asked = [finding for finding in explanation.findings if _is_wanted(finding, request)]
    copying = [finding for group in by_cost(grouped(asked)) for finding in group.findings]
    number, buffers = sum(map(_copies, copying)), sum(map(_only_allocates, copying))
    functions = request.functions
    where = f" in {wording.function(functions[0])}" if len(functions) == 1 else ""
    canvas = Canvas(f"Why {_said_of(number, buffers)} needed{where}")
    for problem in explanation.errors:
        canvas.remark(f"cannot be bufferized: {problem.message}")
    if not copying:
        canvas.title = f"No copy is {'known' if explanation.errors else 'needed'}{where}"
        said = "no operand is decided to be copied" if explanation.errors else "nothing has to be copied"
        canvas.node(styled(said), shape="box", style="rounded")
        return canvas
    shown: list[tuple[Finding, int]] = []
    first = 1
    for finding in copying[:MOST_COPIES]:
        shown.append((finding, first))
        first += _copies(finding)
    if len(shown) < len(copying):
        canvas.remark(
            f"{first - 1:,} of {number:,} copies drawn, the costliest; --function and --focus %value choose others"
        )
    for finding, at in shown:
        _Drawing(canvas, wording, finding, at).draw()
    return canvas


def _copies(finding: Finding) -> int:
    """The number of copies of a finding; a planned one counts as one."""
    if not finding.records:
        return int(finding.inserted and finding.copies)
    return sum(
        m.kind is Kind.COPY and not m.was_written and m.op.name == "memref.copy" for m in finding.records
    )


def _only_allocates(finding: Finding) -> bool:
    """Whether it is a conflict that allocates a new buffer whose old contents are dead, so nothing is copied."""
    return bool(finding.reasons) and finding.inserted and not _copies(finding)


def _said_of(copies: int, buffers: int) -> str:
    """The counts in a title: `a copy is`, `2 copies are`, `a copy and 2 new buffers are`."""
    parts = [
        f"a {name}" if count == 1 else f"{count:,} {plural}"
        for count, name, plural in ((copies, "copy", "copies"), (buffers, "new buffer", "new buffers"))
        if count
    ]
    return f"{' and '.join(parts)} {'is' if copies + buffers == 1 else 'are'}"


def _is_wanted(finding: Finding, request: Request) -> bool:
    """Whether it copies or allocates in a requested function and, if a value is in focus, involves that value."""
    if not (_copies(finding) or _only_allocates(finding)) or not any(
        f.is_ancestor_of(finding.op) for f in request.functions
    ):
        return False
    focus = request.focus
    return not isinstance(focus, Value) or finding.value is focus or focus in finding.op.results


class _Drawing:
    """One copy of the picture."""

    def __init__(self, canvas: Canvas, wording: Wording, finding: Finding, number: int) -> None:
        self.canvas = canvas
        self.wording = wording
        self.finding = finding
        self.op, self.value = finding.op, finding.value
        self.number = number
        self.noun = "new buffer" if _only_allocates(finding) else "copy"
        self.frame: Cluster | None = None
        self.longest = 0
        self.definitions: dict[Value, Node] = {}
        self.readers: dict[tuple[Operation, Value], Node] = {}
        self.writers: dict[Operation, Node] = {}
        self.drawn: set[tuple[Node, Node]] = set()

    def draw(self) -> None:
        finding = self.finding
        reasons: list[Reason] = []
        if finding.reasons and finding.operand is not None:
            reasons = sorted(finding.result.reasons(finding.operand), key=self._distance)
        self.longest = LONGEST_LINE if reasons else 0
        held = self.wording.value(self.value)
        last = self.number + _copies(finding) - 1
        numbers = f"copy {self.number}" if last == self.number else f"copies {self.number} to {last}"
        if self.noun != "copy":
            numbers = f"a {self.noun}"
        title = f"{numbers}: {held} for {self.op.name}{self._line_number(self.op)}"
        self.frame = self.canvas.cluster(styled(title, bold=True), color=p.LINE)
        write = self._write(reasons)
        copy = self._copy(reasons)
        self.canvas.edge(copy, write, edge_text([styled(f"works on the {self.noun}", size=p.SMALL)]), COPY)
        for reason in reasons[:MOST_REASONS]:
            self._reason(reason, write, copy)
        if self.value not in self.definitions:
            self.canvas.edge(self._definition(self.value, source_only=True), copy, stroke=COPY)
        left = len(reasons) - MOST_REASONS
        if left > 0:
            rest = self.canvas.node(
                styled(f"⋯ {counted(left, 'more reason')} for this {self.noun}", italic=True, color=p.FAINT),
                inside=self.frame,
            )
            above = list(self.readers.values())[-1] if self.readers else write
            self.canvas.edge(above, rest, stroke=Stroke(p.FAINT, "dotted", 1.0, "none"))

    def _distance(self, reason: Reason) -> int:
        """The distance of a reason from the operand: reasons about its own value and its own write are the easiest to
        understand.
        """
        return (reason.value is not self.value) + (reason.write is not self.finding.operand)

    # -- nodes

    def _write(self, reasons: Sequence[Reason]) -> Node:
        use, held = self.finding.operand, self.wording.value(self.value)
        if not reasons:
            return self._operation(self.op, "gets", f"gets {held} as a copy", p.VERMILLION, width=2)
        writes = use is not None and (
            any(reason.write is use for reason in reasons) or self.finding.result.state.writes(use)
        )
        says = f"writes to the buffer of {held}" if writes else "would pass the buffer on"
        return self._operation(self.op, "writes" if writes else "forwards", says, p.VERMILLION, width=2)

    def _copy(self, reasons: Sequence[Reason]) -> Node:
        value = self.wording.value(self.value)
        kinds = {reason.kind for reason in reasons}
        keeps = "leaves the old contents alone"
        if not reasons:
            meaning = self.finding.page().title
            keeps = meaning[0].lower() + meaning[1:]
        elif kinds == {ReasonKind.NOT_WRITABLE}:
            keeps = "is a buffer that may be written"
        elif kinds == {ReasonKind.PARALLEL_REGION}:
            keeps = "gives each iteration a buffer of its own"
        rows = [
            Row(
                styled(
                    f"{'copy of' if self.noun == 'copy' else f'{self.noun} for'} {value}",
                    bold=True,
                    color=p.INK,
                ),
                p.TINTS[p.VERMILLION],
            ),
            Row(styled(keeps, size=p.SMALL)),
        ]
        return self.canvas.node(box(rows, border=p.VERMILLION, width=2), inside=self.frame)

    def _definition(self, value: Value, *, source_only: bool = False) -> Node:
        node = self.definitions.get(value)
        if node is None:
            name = self.wording.value(value)
            if isinstance(value, OpResult):
                text = self.wording.line(value.owner, self.longest, head_only=True)
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
            Row(styled(self.wording.line(op, self.longest, head_only=True), mono=True)),
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
        """The downstream operation that writes to the buffer that the operand would forward."""
        node = self.writers.get(write.owner)
        if node is None:
            says = f"writes to what shares memory with {self.wording.value(self.value)}"
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
        if reason.value is self.value:
            self._arrow(definition, copy, Html(""), COPY)
        if reason.write.owner is not self.op:
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
