"""How do operations nest, and how do control and values pass between their regions?

An operation with regions is a frame with a frame for each region inside; what stands between such operations is a
box of lines. Arrows follow control: into a region, from region to region, out again; they say what is passed to which
argument or result. Operations whose regions are no control flow (the payload of `linalg.generic`) stay lines.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.graphs import RegionPassage, region_graph
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp
from . import canvas as p
from .blocks import Line, control_flow, counted, folded, header, operation_line, region_name, uses_any
from .canvas import (
    BACK,
    PLAIN,
    QUIET,
    Canvas,
    Cluster,
    Html,
    Node,
    Row,
    Stroke,
    box,
    edge_text,
    joined,
    styled,
)
from .pictures import Request
from .wording import Wording

MOST_FRAMES = 24
"""Operations with regions that are opened; the rest, the innermost ones, stay closed."""
MOST_LINES = 12
"""Lines of a box between two such operations; here they matter less than these."""
MOST_PASSED = 6
MOST_BLOCKS_OF_REGION = 60


def draw_regions(request: Request, wording: Wording) -> Canvas:
    """The picture. O(operations)."""
    functions = request.functions
    single = len(functions) == 1
    canvas = Canvas(f"Regions of {wording.function(functions[0])}" if single else "Regions of the functions")
    opened, closed = _opened(request)
    if closed:
        canvas.remark(
            f"{counted(closed, 'operation')} with regions left closed; --function and --focus show less of the rest"
        )
    corners: list[tuple[Node, Node]] = []
    for function in functions:
        if function not in opened:
            continue
        frame = None if single else canvas.cluster(styled(wording.function(function), bold=True, mono=True))
        drawing = _Drawing(canvas, wording, opened, _important(request))
        first, last = drawing.region(function.regions[0], frame)
        corners.append((first, last))
    canvas.in_columns(corners)
    return canvas


def _important(request: Request) -> Callable[[Operation], bool] | None:
    return uses_any({request.focus}) if isinstance(request.focus, Value) else None


def _opened(request: Request) -> tuple[set[Operation], int]:
    """The operations to draw as frames, outer ones first, and how many of the others have control flow inside.

    With a value in focus these are the operations around its definition and uses.
    """
    candidates: list[Operation] = list(request.functions)
    for op in candidates:  # breadth first: it grows while it is walked
        for region in op.regions:
            candidates.extend(inner for inner in region.ops() if _holds_control_flow(inner))
    if isinstance(request.focus, Value):
        around: set[Operation] = set()
        places = [request.focus.parent_block, *(user.block for user in request.focus.users)]
        for block in places:
            op = block.parent_op if block is not None else None
            while op is not None and op not in around:
                around.add(op)
                op = op.parent_op
        return around, sum(1 for op in candidates if op not in around)
    return set(candidates[:MOST_FRAMES]), max(0, len(candidates) - MOST_FRAMES)


def _holds_control_flow(op: Operation) -> bool:
    """Whether an operation is worth a frame: control passes between its regions, or an unknown one has some inside."""
    if not op.regions or isinstance(op, FunctionOp):
        return False
    if isinstance(op, RegionBranchOp):
        return True
    return any(
        not region.is_empty and (not region.has_one_block or any(inner.regions for inner in region.ops()))
        for region in op.regions
    )


class _Drawing:
    """One function of the picture. Nesting is followed with a stack of generators: `_run`."""

    def __init__(
        self,
        canvas: Canvas,
        wording: Wording,
        opened: set[Operation],
        important: Callable[[Operation], bool] | None,
    ) -> None:
        self.canvas = canvas
        self.wording = wording
        self.opened = opened
        self.important = important
        self.blocks: dict[Block, tuple[Node, Node]] = {}
        """The first and the last node of each block drawn."""

    def region(self, region: Region, frame: Cluster | None) -> tuple[Node, Node]:
        """Draw a region with all inside it; its first and last node."""
        pending: list[tuple[Region, Cluster | None]] = [(region, frame)]
        flows: list[RegionBranchOp] = []
        ends: dict[Operation, Node] = {}
        heads: dict[Operation, Node] = {}
        while pending:
            current, inside = pending.pop()
            shown = current.blocks[:MOST_BLOCKS_OF_REGION]
            for block in shown:
                pending.extend(self._block(block, inside, heads, ends, flows))
            self._branches(current)
        for op in flows:
            self._region_flow(op, heads[op], ends.get(op) or self._after(op, heads))
        first = self.blocks[region.entry][0]
        return first, [last for _, last in self.blocks.values()][-1]

    # -- blocks

    def _block(
        self,
        block: Block,
        inside: Cluster | None,
        heads: dict[Operation, Node],
        ends: dict[Operation, Node],
        flows: list[RegionBranchOp],
    ) -> list[tuple[Region, Cluster | None]]:
        """Draw a block as boxes of lines and frames in between; the regions that are still to be drawn."""
        waiting: list[tuple[Region, Cluster | None]] = []
        lines: list[Line] = []
        first: Node | None = None
        last: Node | None = None

        def connect(node: Node) -> None:
            nonlocal first
            if first is None:
                first = node
            elif last is not None:
                self.canvas.edge(last, node, weight="8")

        def finish() -> None:
            nonlocal last
            if lines or first is None:
                node = self._lines_box(block, lines, inside, with_header=first is None)
                connect(node)
                last = node
                for line in lines:
                    if line.op is not None:
                        heads[line.op] = node
                lines.clear()

        for op in block:
            if op not in self.opened:
                lines.append(operation_line(self.wording, op))
                continue
            if lines or (first is None and self._needs_header(block)):
                finish()
            frame = self._frame(op, inside)
            head = heads[op] = self._head(op, frame)
            connect(head)
            for index, region in enumerate(op.regions):
                if not region.is_empty:
                    waiting.append((region, self._region_frame(op, index, frame)))
            last = head
            if isinstance(op, RegionBranchOp):
                flows.append(op)
                last = None
                if op.results:
                    last = ends[op] = self._results(op, frame)
        if lines or first is None:
            finish()
        assert first is not None
        self.blocks[block] = first, last or first
        return waiting

    def _needs_header(self, block: Block) -> bool:
        return bool(block.args) or block.region is None or not block.region.has_one_block

    def _lines_box(
        self, block: Block, lines: list[Line], inside: Cluster | None, *, with_header: bool
    ) -> Node:
        rows: list[Row] = []
        if with_header and self._needs_header(block):
            one = block.region is not None and block.region.has_one_block
            rows.append(Row(header(self.wording, block, "arguments " if one else ""), p.SHADE))
        for line in folded(lines, self.important, MOST_LINES):
            rows.append(
                Row(line.text, line.fill, rule=len(rows) == 1 and with_header and rows[0].fill == p.SHADE)
            )
        return self.canvas.node(
            box(rows or [Row(styled("nothing", italic=True, color=p.FAINT))]), inside=inside
        )

    # -- operations with regions

    def _frame(self, op: Operation, inside: Cluster | None) -> Cluster:
        loop = isinstance(op, LoopLikeOp) or (
            isinstance(op, RegionBranchOp) and any(op.is_repetitive(region) for region in op.regions)
        )
        label = joined(
            [styled(op.name, bold=True, color=p.BLUE if loop else p.INK), "  loop" if loop else ""]
        )
        return self.canvas.cluster(
            label,
            inside=inside,
            color=p.BLUE if loop else p.LINE,
            style="rounded,dashed" if loop else "rounded",
            width=1.5,
        )

    def _region_frame(self, op: Operation, index: int, frame: Cluster) -> Cluster:
        return self.canvas.cluster(
            styled(region_name(op, index), italic=True, color=p.FAINT),
            inside=frame,
            color=p.FAINT,
            fill=p.SHADE,
        )

    def _head(self, op: Operation, frame: Cluster) -> Node:
        line = operation_line(self.wording, op, head_only=True)
        return self.canvas.node(box([Row(line.text, line.fill)], width=2), inside=frame)

    def _results(self, op: Operation, frame: Cluster) -> Node:
        text = ", ".join(self.wording.argument(result) for result in op.results[:MOST_PASSED])
        if len(op.results) > MOST_PASSED:
            text += f", … {len(op.results) - MOST_PASSED} more"
        content = joined([styled("results ", bold=True), text])
        return self.canvas.node(box([Row(styled(content, mono=True), p.SHADE)]), inside=frame)

    def _after(self, op: Operation, heads: dict[Operation, Node]) -> Node | None:
        """Where control goes on behind an operation without results."""
        following = op.next_op
        return heads.get(following) if following is not None else None

    # -- arrows

    def _region_flow(self, op: RegionBranchOp, head: Node, end: Node | None) -> None:
        drawn = {region: self.blocks[region.entry] for region in op.regions if not region.is_empty}
        for passage in region_graph(op).passages():
            region = passage.target
            target = end if region is None else drawn[region][0]
            if target is None:
                continue
            if passage.source is None:
                words = "if not entered" if region is None and drawn else ""
                self._pass(head, target, words, passage, PLAIN)
            elif passage.op.block in self.blocks:
                back = region is not None and region.index <= passage.source.index
                source = self.blocks[passage.op.block][1]
                self._pass(source, target, "again" if back else "", passage, BACK if back else PLAIN)

    def _pass(
        self,
        source: Node,
        target: Node,
        words: str,
        passage: RegionPassage,
        stroke: Stroke,
    ) -> None:
        texts: list[Html] = [styled(words, bold=True, color=stroke.color)] if words else []
        pairs = passage.pairs()
        for operand, value in pairs[:MOST_PASSED]:
            texts.append(
                styled(f"{self.wording.value(value)} ← {self.wording.value(operand.value)}", mono=True)
            )
        if len(pairs) > MOST_PASSED:
            texts.append(styled(f"⋯ {len(pairs) - MOST_PASSED} more", italic=True, color=p.FAINT))
        self.canvas.edge(source, target, edge_text(texts), stroke, upwards=stroke is BACK)

    def _branches(self, region: Region) -> None:
        """The branches between the blocks of a region that has several."""
        if region.has_one_block:
            return
        for edge in control_flow(region).edges:
            if edge.source not in self.blocks or edge.target not in self.blocks:
                continue
            texts: list[Html] = []
            if edge.condition:
                decides = f"{self.wording.value(edge.decides)} = " if edge.decides is not None else ""
                texts.append(styled(decides + edge.condition, bold=True, mono=True))
            for arg, operand in edge.passed[:MOST_PASSED]:
                if operand is not None:
                    texts.append(
                        styled(f"{self.wording.value(arg)} ← {self.wording.value(operand.value)}", mono=True)
                    )
            stroke = BACK if edge.goes_back else PLAIN
            self.canvas.edge(
                self.blocks[edge.source][1],
                self.blocks[edge.target][0],
                edge_text(texts),
                stroke,
                upwards=edge.goes_back,
            )
        left = len(region.blocks) - MOST_BLOCKS_OF_REGION
        if left > 0:
            self.canvas.edge(
                self.blocks[region.entry][0], self.canvas.node(styled(f"⋯ {left} more blocks")), stroke=QUIET
            )
