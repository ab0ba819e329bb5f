"""How does control get from block to block, and what does it carry?

Each function is a box of blocks. Operations whose regions control enters (`scf.if`, `scf.for`) are frames with a frame for each
region inside, on the way through their block. An edge says under which condition it is taken, and which argument or result of
its target receives what. Loops are frames around their blocks; an edge that closes a cycle is dashed and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...analysis.graphs import RegionEdge, region_graph
from ...dialects import scf
from ...ir.program.blocks import Block, Region
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp
from ...ir.program.values import OpOperand, Value
from . import Request, canvas as p
from .blocks import (
    MOST_LINES,
    BlockEdge,
    Flow,
    Important,
    Line,
    Loop,
    Wording,
    compact_box,
    control_flow,
    counted,
    folded,
    header,
    operation_line,
    operation_lines,
    region_name,
    uses_any,
)
from .canvas import (
    BACK,
    PLAIN,
    QUIET,
    Canvas,
    Cluster,
    Html,
    Node,
    Row,
    box,
    edge_text,
    joined,
    lines,
    styled,
)

MOST_FUNCTIONS = 12
"""Functions drawn, those with several blocks first; the rest is omitted."""
MOST_FRAMES = 24
"""Operations with regions that are drawn as frames; the rest, the innermost ones, remain lines."""
MOST_DETAILED_BLOCKS = 40
"""Beyond this, blocks are drawn as name and size, except near the focus."""
MOST_BLOCKS = 150
"""Beyond this, blocks far from the entry (or the focus) are folded into one box."""
MOST_PASSED = 8
"""Arguments listed per edge; the rest is counted."""
LONGEST_RESULTS = 70
"""Characters of results per line."""
MOST_CONDITIONS = 6
"""Cases of a switch listed per edge."""
NEAR = 1
"""Radius of the focus's neighbourhood, in edges."""

Pairs = Sequence[tuple[Value, OpOperand | None]]
"""The values forwarded by an edge: the receiver, and the operand; None if the branch produces the value."""


def draw_cfg(request: Request, wording: Wording) -> Canvas:
    """The picture. O(operations)."""
    return draw_blocks(request, wording, "Control flow", BlockDrawing)


def draw_blocks(request: Request, wording: Wording, what: str, drawing_of: type[BlockDrawing]) -> Canvas:
    """A picture of the blocks of functions, each drawn by a `drawing_of`."""
    functions = _worth_drawing(request)
    single = len(functions) == 1
    canvas = Canvas(f"{what} of {wording.function(functions[0])}" if single else f"{what} of the functions")
    left = len(request.functions) - len(functions)
    if left:
        canvas.remark(f"{counted(left, 'function')} not drawn; --function NAME draws one")
    opened, closed = _opened(functions, request.focus)
    if closed:
        canvas.remark(
            f"{counted(closed, 'operation')} with regions left closed; --function and --focus show less of the rest"
        )
    for function in functions:
        frame = None if single else canvas.cluster(styled(wording.function(function), bold=True, mono=True))
        drawing_of(canvas, request, wording, function, frame, opened).draw()
    return canvas


def _worth_drawing(request: Request) -> list[Operation]:
    """If there are too many functions, those with several blocks, or at least the first ones."""
    functions = list(request.functions)
    if len(functions) <= MOST_FUNCTIONS:
        return functions
    branching = [f for f in functions if not f.regions[0].has_one_block]
    return (branching or functions)[:MOST_FUNCTIONS]


def _opened(functions: Sequence[Operation], focus: object) -> tuple[set[Operation], int]:
    """The operations to draw as frames, outer ones first, and how many others contain control flow.

    With a value in focus these are the ancestors of its definition and uses.
    """
    candidates: list[Operation] = list(functions)
    for op in candidates:  # breadth first: the list grows during iteration
        for region in op.regions:
            candidates.extend(inner for inner in region.ops() if _holds_control_flow(inner))
    inner = candidates[len(functions) :]
    if isinstance(focus, Value):
        around: set[Operation] = set()
        places = [focus.parent_block, *(user.block for user in focus.users)]
        for block in places:
            op = block.parent_op if block is not None else None
            while op is not None and op not in around:
                around.add(op)
                op = op.parent_op
        return around, sum(1 for op in inner if op not in around)
    return set(inner[:MOST_FRAMES]), max(0, len(inner) - MOST_FRAMES)


def _holds_control_flow(op: Operation) -> bool:
    """Whether an operation deserves a frame: control passes between its regions, or it is unknown and contains control
    flow.
    """
    if not op.regions or isinstance(op, FunctionOp):
        return False
    if isinstance(op, RegionBranchOp):
        return True
    return any(
        not region.is_empty and (not region.has_one_block or any(inner.regions for inner in region.ops()))
        for region in op.regions
    )


@dataclass(eq=False)
class BlockDrawing:
    """One function of the picture. Subclasses override the contents of boxes and edges."""

    canvas: Canvas
    request: Request
    wording: Wording
    function: Operation
    frame: Cluster | None
    opened: set[Operation]

    most_lines = MOST_LINES
    nested = True
    """Whether operations without a frame show the contents of their regions."""

    def __post_init__(self) -> None:
        self.ends: dict[Block, tuple[Node, Node]] = {}
        """The first and the last node of each drawn block."""
        self.heads: dict[Operation, Node] = {}
        """The node of each operation; for frames, the line above their regions."""
        self.results: dict[Operation, Node] = {}
        focus = self.request.focus
        self.important: Important | None = uses_any({focus}) if isinstance(focus, Value) else None

    def draw(self) -> None:
        pending: list[tuple[Region, Cluster | None]] = [(self.function.regions[0], self.frame)]
        while pending:
            region, frame = pending.pop()
            pending += reversed(self._region(region, frame))
        for op in self.heads:
            if self.opens(op) and isinstance(op, RegionBranchOp):
                self._region_edges(op)

    # -- overridden by other pictures

    def opens(self, op: Operation) -> bool:
        """Whether an operation is drawn as a frame."""
        return op in self.opened

    def head(self, block: Block) -> Html | None:
        """The header above the operations of a block, if any."""
        alone = block.region is not None and block.region.has_one_block
        nested = block.parent_op is not self.function
        if alone and nested:
            return header(self.wording, block, "arguments ") if block.args else None
        return header(self.wording, block)

    def lines(self, ops: Iterable[Operation], block: Block | None) -> Iterable[Line]:
        """The lines of consecutive operations; `block` is passed with its first ones."""
        return operation_lines(self.wording, ops, nested=self.nested and not self.wording.short)

    def lines_after(self, op: Operation) -> Iterable[Line]:
        """The lines after an operation drawn as a frame."""
        return ()

    def arguments(self, values: Sequence[Value]) -> list[str]:
        """The results of an operation, with their types."""
        return [self.wording.argument(value) for value in values]

    def passed(self, op: Operation, target: Block | Operation, pairs: Pairs) -> list[str]:
        """The values forwarded from `op` to a block, or to the results of an operation, one line each."""
        return [f"{self.wording.value(to)} ← {self.source(operand)}" for to, operand in pairs]

    def source(self, operand: OpOperand | None) -> str:
        return self.wording.value(operand.value) if operand is not None else "made by the branch"

    # -- regions and blocks

    def _region(self, region: Region, frame: Cluster | None) -> list[tuple[Region, Cluster | None]]:
        """Draw the blocks of a region; returns the nested regions still to be drawn."""
        flow = control_flow(region)
        near = self._near_focus(flow)
        shown = self._shown(flow, near)
        detailed = set(near) if near else set(flow.blocks[:MOST_DETAILED_BLOCKS])
        innermost = flow.innermost_loops()
        frames: dict[int, Cluster] = {}
        waiting: list[tuple[Region, Cluster | None]] = []
        for block in flow.blocks:
            if block not in shown:
                continue
            inside = self._loop_frame(innermost.get(block), frames, frame)
            if block in detailed:
                waiting += self._block(block, inside, self._tooltip(flow, block))
            else:
                node = self.canvas.node(compact_box(self.wording, block), inside=inside)
                self.ends[block] = node, node
        self._fold_rest(flow, shown, frame)
        for edges in parallel_edges(flow.edges):
            if edges[0].source in shown and edges[0].target in shown:
                self._edge(edges)
        if self.request.dominators and region is self.function.regions[0]:
            self._dominator_tree(flow, shown)
        return waiting

    def _block(
        self, block: Block, inside: Cluster | None, tooltip: str
    ) -> list[tuple[Region, Cluster | None]]:
        """Draw a block as boxes of lines, with frames in between; returns the regions still to be drawn."""
        waiting: list[tuple[Region, Cluster | None]] = []
        nodes: list[Node] = []
        head = self.head(block)
        before: list[Line] = []
        run: list[Operation] = []
        cut = False  # the following lines are reached through the regions above

        def add(node: Node) -> None:
            if nodes and not cut:
                self.canvas.edge(nodes[-1], node, weight="8")
            nodes.append(node)

        def finish() -> None:
            nonlocal cut
            first = not nodes
            shown = [*before, *self.lines(run, block if first else None)]
            if not shown and run and not (first and head):
                shown = [operation_line(self.wording, run[-1])]
            node = self._lines_box(head if first else None, shown, inside, tooltip)
            add(node)
            self.heads.update((op, node) for op in run)
            run.clear()
            before.clear()
            cut = False

        for op in block:
            if not self.opens(op):
                run.append(op)
                continue
            if run or before or (not nodes and head):
                finish()
            frame = self._operation_frame(op, inside)
            self.heads[op] = self._head(op, frame)
            add(self.heads[op])
            cut = False
            for index, region in enumerate(op.regions):
                if not region.is_empty:
                    waiting.append((region, self._region_frame(op, index, frame)))
            if isinstance(op, RegionBranchOp):
                cut = not op.results
                if op.results:
                    nodes.append(self._results(op, frame))
            before += self.lines_after(op)
        if run or before or not nodes:
            finish()
        self.ends[block] = nodes[0], nodes[-1]
        return waiting

    def _lines_box(self, head: Html | None, shown: list[Line], inside: Cluster | None, tooltip: str) -> Node:
        rows = [Row(head, p.SHADE)] if head is not None else []
        for line in folded(shown, self.important, self.most_lines):
            rows.append(Row(line.text, line.fill, rule=len(rows) == 1 and head is not None))
        focused = self.important is not None and any(
            line.op is not None and self.important(line.op) for line in shown
        )
        border, width = (p.VERMILLION, 2) if focused else (p.LINE, 1)
        label = box(rows or [Row(styled("nothing", italic=True, color=p.FAINT))], border=border, width=width)
        return self.canvas.node(label, inside=inside, tooltip=tooltip)

    # -- operations with regions

    def _operation_frame(self, op: Operation, inside: Cluster | None) -> Cluster:
        loop = _is_loop(op)
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
        texts = self.arguments(op.results)
        if len(texts) > MOST_PASSED:
            texts[MOST_PASSED:] = [f"… {len(texts) - MOST_PASSED} more"]
        if sum(map(len, texts)) <= LONGEST_RESULTS:
            texts = [", ".join(texts)]
        content = joined([styled("results ", bold=True), lines(texts, align="LEFT")])
        node = self.results[op] = self.canvas.node(
            box([Row(styled(content, mono=True), p.SHADE)]), inside=frame
        )
        return node

    # -- arrows

    def _region_edges(self, op: RegionBranchOp) -> None:
        """The arrows of control into, between and out of the regions of an operation."""
        left: set[Region] = set()
        for edge in region_graph(op).edges():
            self._region_edge(op, edge)
            if edge.source is not None:
                left.add(edge.source)
        for region in op.regions:  # those whose terminator forwards nothing, as in `scf.forall`
            if not region.is_empty and region not in left:
                start = self.ends[region.blocks[-1]][1]
                for successor in op.region_successors(region):
                    if successor.region is None:
                        self._arrow(start, self._goal(op, None), "exit" if _is_loop(op) else "", [])

    def _region_edge(self, op: RegionBranchOp, edge: RegionEdge) -> None:
        region, loop = edge.target, _is_loop(op)
        back = edge.source is not None and region is not None and region.index <= edge.source.index
        if edge.source is None:
            start: Node | None = self.heads[op]
            words = "" if not loop else "zero iterations" if region is None else "entry"
        else:
            block = edge.op.block
            start = self.ends[block][1] if block in self.ends else None
            words = "back edge" if back else "exit" if loop and region is None else ""
        texts: list[Html] = []
        condition = edge.condition
        if isinstance(edge.op, scf.ConditionOp):
            taken = "true" if region is not None else "false"
            texts.append(styled(f"{self.wording.value(edge.op.operands[0])} = {taken}", bold=True, mono=True))
        elif condition is not None and not loop:
            texts.append(
                styled(f"{self.wording.value(condition.value)} = {condition.wanted}", bold=True, mono=True)
            )
        pairs = [(value, operand) for operand, value in edge.pairs()]
        texts += self._passed_text(edge.op, region.entry if region is not None else op, pairs)
        self._arrow(start, self._goal(op, region), words, texts, back=back)

    def _goal(self, op: Operation, region: Region | None) -> Node | None:
        """The node where control enters a region, or continues after an operation."""
        if region is not None:
            return self.ends[region.entry][0] if region.entry in self.ends else None
        following = op.next_op
        return self.results.get(op) or (self.heads.get(following) if following is not None else None)

    def _arrow(
        self, start: Node | None, end: Node | None, words: str, texts: list[Html], *, back: bool = False
    ) -> None:
        if start is None or end is None:
            return
        said = [styled(words, bold=True, color=p.BLUE if back else p.INK)] if words else []
        self.canvas.edge(start, end, edge_text([*said, *texts]), BACK if back else PLAIN, upwards=back)

    def _passed_text(self, op: Operation, target: Block | Operation, pairs: Pairs) -> list[Html]:
        passed = self.passed(op, target, pairs)
        texts = [styled(text, mono=True) for text in passed[:MOST_PASSED]]
        if len(passed) > MOST_PASSED:
            texts.append(styled(f"⋯ {len(passed) - MOST_PASSED} more", italic=True, color=p.FAINT))
        return texts

    def _edge(self, edges: list[BlockEdge]) -> None:
        """One arrow for edges that differ only in their conditions."""
        edge = edges[0]
        self.canvas.edge(
            self.ends[edge.source][1],
            self.ends[edge.target][0],
            self._edge_label(edges),
            BACK if edge.goes_back else PLAIN,
            upwards=edge.goes_back,
            weight="1" if edge.goes_back else "4",
        )

    def _edge_label(self, edges: list[BlockEdge]) -> Html:
        edge = edges[0]
        texts: list[Html] = []
        if edge.goes_back:
            texts.append(styled("back edge", bold=True, color=p.BLUE))
        if edge.condition:
            conditions = [one.condition for one in edges[:MOST_CONDITIONS]]
            if len(edges) > MOST_CONDITIONS:
                conditions.append(f"… {len(edges) - MOST_CONDITIONS} more")
            decides = f"{self.wording.value(edge.decides)} = " if edge.decides is not None else ""
            texts.append(styled(decides + ", ".join(conditions), bold=True, mono=True))
        last = edge.source.terminator
        assert last is not None, "a block with a successor ends in a branch"
        return edge_text([*texts, *self._passed_text(last, edge.target, edge.passed)])

    # -- visibility

    def _near_focus(self, flow: Flow) -> set[Block]:
        """The blocks that define or use the value in focus, and their neighbours."""
        value = self.request.focus
        if not isinstance(value, Value):
            return set()
        near: set[Block] = set()
        for place in [value.parent_block, *(user.block for user in value.users)]:
            while place is not None and place.region is not flow.region:
                place = place.parent_op.block if place.parent_op is not None else None
            if place is not None:
                near.add(place)
        for _ in range(NEAR):
            near |= {edge.target for edge in flow.edges if edge.source in near} | {
                edge.source for edge in flow.edges if edge.target in near
            }
        return near

    def _shown(self, flow: Flow, near: set[Block]) -> set[Block]:
        """All blocks, or MOST_BLOCKS of them: those nearest to the focus or to the entry."""
        if near:
            return near
        if len(flow.blocks) <= MOST_BLOCKS:
            return set(flow.blocks)
        queue = [flow.region.entry]
        found = set(queue)
        for block in queue:  # breadth first: the list grows during iteration
            for following in block.successors:
                if following not in found and len(found) < MOST_BLOCKS:
                    found.add(following)
                    queue.append(following)
        return found

    def _fold_rest(self, flow: Flow, shown: set[Block], frame: Cluster | None) -> None:
        """One box for all folded blocks, with the edges into and out of it."""
        rest = [block for block in flow.blocks if block not in shown]
        if not rest:
            return
        count = sum(1 for block in rest for op in block for _ in op.walk())
        text = f"⋯ {counted(len(rest), 'more block')}, {counted(count, 'operation')}"
        node = self.canvas.node(styled(text, italic=True), inside=frame, shape="folder", color=p.FAINT)
        sources = {edge.source for edge in flow.edges if edge.source in shown and edge.target not in shown}
        targets = {edge.target for edge in flow.edges if edge.source not in shown and edge.target in shown}
        for block in flow.blocks:
            if block in sources:
                self.canvas.edge(self.ends[block][1], node, stroke=QUIET)
            if block in targets:
                self.canvas.edge(node, self.ends[block][0], stroke=QUIET)
        advice = "" if self.important else "; --focus %value draws the blocks around a value"
        self.canvas.remark(f"{counted(len(rest), 'block')} of {len(flow.blocks):,} folded{advice}")

    def _loop_frame(
        self, loop: Loop | None, frames: dict[int, Cluster], frame: Cluster | None
    ) -> Cluster | None:
        """The frame of a loop in the CFG, created on first use together with its parents."""
        if loop is None:
            return frame
        missing: list[Loop] = []
        current: Loop | None = loop
        while current is not None and id(current) not in frames:
            missing.append(current)
            current = current.parent
        for one in reversed(missing):
            outside = frames[id(one.parent)] if one.parent is not None else frame
            text = joined(
                [styled(f"loop of {self.wording.block(one.header)}", bold=True, color=p.BLUE, size=p.SIZE)]
            )
            frames[id(one)] = self.canvas.cluster(
                text, inside=outside, color=p.BLUE, style="rounded,dashed", width=1.5
            )
        return frames[id(loop)]

    def _tooltip(self, flow: Flow, block: Block) -> str:
        count = sum(1 for op in block for _ in op.walk())
        text = f"{self.wording.block(block)}: {counted(count, 'operation')}"
        return text if flow.dominators.is_reachable(block) else f"{text}; no path leads here"

    def _dominator_tree(self, flow: Flow, shown: set[Block]) -> None:
        """The dominator tree, beside the blocks."""
        tree = flow.dominators
        frame = self.canvas.cluster(
            lines(
                [
                    styled("Dominator tree", bold=True),
                    styled("each block is reached only through those above it", size=p.SMALL),
                ],
                align="LEFT",
            ),
            inside=self.frame,
            color=p.FAINT,
            fill=p.SHADE,
        )
        names: dict[Block, Node] = {}
        for block in flow.blocks:
            if block in shown and tree.is_reachable(block):
                names[block] = self.canvas.node(
                    styled(self.wording.block(block), mono=True),
                    inside=frame,
                    shape="ellipse",
                    style="filled",
                    fillcolor=p.PAPER,
                )
        for block, node in names.items():
            parent = tree.immediate_dominator(block)
            if parent in names:
                self.canvas.edge(names[parent], node)


def _is_loop(op: Operation) -> bool:
    return isinstance(op, LoopLikeOp) or (
        isinstance(op, RegionBranchOp) and any(op.is_repetitive(region) for region in op.regions)
    )


def parallel_edges(edges: list[BlockEdge]) -> list[list[BlockEdge]]:
    """Group the edges between the same blocks that forward the same values. O(edges)."""
    groups: dict[tuple[object, ...], list[BlockEdge]] = {}
    for edge in edges:
        values = tuple(operand.value if operand is not None else None for _, operand in edge.passed)
        groups.setdefault((edge.source, edge.target, edge.decides, values), []).append(edge)
    return list(groups.values())
