"""How does control get from block to block, and what does it carry?

Each function is a box of blocks. An edge says under which condition it is taken and which argument of its target
receives what. Loops are frames around their blocks; an edge that closes a cycle is dashed and says so.
"""

from __future__ import annotations

from ...ir.program.core import Block, Operation, OpOperand, Value
from . import canvas as p
from .blocks import BlockEdge, Important, Loop, block_box, compact_box, control_flow, counted, uses_any
from .canvas import BACK, PLAIN, QUIET, Canvas, Cluster, Html, Node, edge_text, joined, lines, styled
from .pictures import Request
from .wording import Wording

MOST_FUNCTIONS = 12
MOST_DETAILED_BLOCKS = 40
"""Beyond this, blocks are drawn as their name and size, except near the focus."""
MOST_BLOCKS = 150
"""Beyond this, blocks far from the entry (or the focus) become one box."""
MOST_PASSED = 8
"""Arguments that are listed on one edge."""
MOST_CONDITIONS = 6
"""Cases of a switch that are listed on one edge."""
NEAR = 1
"""How many edges away from the focus a block still counts as its neighbourhood."""


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
    corners: list[tuple[Node, Node]] = []
    for function in functions:
        frame = None if single else canvas.cluster(styled(wording.function(function), bold=True, mono=True))
        drawing = drawing_of(canvas, request, wording, function, frame)
        drawing.draw()
        nodes = list(drawing.nodes.values())
        corners.append((nodes[0], nodes[-1]))
    canvas.in_columns(corners)
    return canvas


def _worth_drawing(request: Request) -> list[Operation]:
    """If there are too many functions, those with several blocks, or at least the first ones."""
    functions = list(request.functions)
    if len(functions) <= MOST_FUNCTIONS:
        return functions
    branching = [f for f in functions if not f.regions[0].has_one_block]
    return (branching or functions)[:MOST_FUNCTIONS]


class BlockDrawing:
    """One function of the picture. Others that draw blocks override what a box shows and what an edge passes."""

    def __init__(
        self, canvas: Canvas, request: Request, wording: Wording, function: Operation, frame: Cluster | None
    ) -> None:
        self.canvas = canvas
        self.request = request
        self.wording = wording
        self.function = function
        self.frame = frame
        self.flow = control_flow(function.regions[0])
        self.nodes: dict[Block, Node] = {}
        self.frames: dict[int, Cluster] = {}
        self.focused = self._focused_values()

    def draw(self) -> None:
        near = self._near_focus()
        shown = self._shown(near)
        detailed = set(near) if near else set(self.flow.blocks[:MOST_DETAILED_BLOCKS])
        innermost = self.flow.innermost_loops()
        important: Important | None = uses_any(self.focused) if self.focused else None
        for block in self.flow.blocks:
            if block not in shown:
                continue
            frame = self._frame(innermost.get(block))
            if block in detailed:
                holds_focus = bool(important) and any(important(op) for op in block)
                border, width = (p.VERMILLION, 2) if holds_focus else (p.LINE, 1)
                label = self.block_label(block, important, border, width)
            else:
                label = compact_box(self.wording, block)
            self.nodes[block] = self.canvas.node(label, inside=frame, tooltip=self._tooltip(block))
        self._fold_rest(shown)
        for edges in parallel_edges(self.flow.edges):
            if edges[0].source in shown and edges[0].target in shown:
                self._edge(edges)
        if self.request.dominators:
            self._dominator_tree(shown)

    def block_label(self, block: Block, important: Important | None, border: str, width: int) -> Html:
        """What the box of a block shows."""
        return block_box(self.wording, block, important=important, border=border, width=width)

    def passed(self, edge: BlockEdge) -> list[str]:
        """What an edge passes, a line for each argument."""
        return [f"{self.wording.value(arg)} ← {self._source(operand)}" for arg, operand in edge.passed]

    # -- what is shown

    def _focused_values(self) -> set[Value]:
        focus = self.request.focus
        return {focus} if isinstance(focus, Value) else set()

    def _near_focus(self) -> set[Block]:
        """The blocks that make or use the value in focus, and those next to them."""
        if not self.focused:
            return set()
        region = self.flow.region
        near: set[Block] = set()
        for value in self.focused:
            places = [value.parent_block, *(user.block for user in value.users)]
            for place in places:
                while place is not None and place.region is not region:
                    place = place.parent_op.block if place.parent_op is not None else None
                if place is not None:
                    near.add(place)
        for _ in range(NEAR):
            near |= {edge.target for edge in self.flow.edges if edge.source in near} | {
                edge.source for edge in self.flow.edges if edge.target in near
            }
        return near

    def _shown(self, near: set[Block]) -> set[Block]:
        """All blocks, or MOST_BLOCKS of them: those nearest to the focus or to the entry."""
        if near:
            return near
        if len(self.flow.blocks) <= MOST_BLOCKS:
            return set(self.flow.blocks)
        queue = [self.flow.region.entry]
        found = set(queue)
        for block in queue:  # breadth first: it grows while it is walked
            for following in block.successors:
                if following not in found and len(found) < MOST_BLOCKS:
                    found.add(following)
                    queue.append(following)
        return found

    def _fold_rest(self, shown: set[Block]) -> None:
        """One box for all blocks that are not shown, and the edges into and out of it."""
        rest = [block for block in self.flow.blocks if block not in shown]
        if not rest:
            return
        count = sum(1 for block in rest for op in block for _ in op.walk())
        text = f"⋯ {counted(len(rest), 'more block')}, {counted(count, 'operation')}"
        node = self.canvas.node(styled(text, italic=True), inside=self.frame, shape="folder", color=p.FAINT)
        sources = {
            edge.source for edge in self.flow.edges if edge.source in shown and edge.target not in shown
        }
        targets = {
            edge.target for edge in self.flow.edges if edge.source not in shown and edge.target in shown
        }
        for block in self.flow.blocks:
            if block in sources:
                self.canvas.edge(self.nodes[block], node, stroke=QUIET)
            if block in targets:
                self.canvas.edge(node, self.nodes[block], stroke=QUIET)
        advice = "" if self.focused else "; --focus %value draws the blocks around a value"
        self.canvas.remark(f"{counted(len(rest), 'block')} of {len(self.flow.blocks):,} folded{advice}")

    # -- parts

    def _frame(self, loop: Loop | None) -> Cluster | None:
        """The frame of a loop, made with those around it when it is first needed."""
        if loop is None:
            return self.frame
        missing: list[Loop] = []
        current: Loop | None = loop
        while current is not None and id(current) not in self.frames:
            missing.append(current)
            current = current.parent
        for one in reversed(missing):
            outside = self.frames[id(one.parent)] if one.parent is not None else self.frame
            text = joined(
                [styled(f"loop of {self.wording.block(one.header)}", bold=True, color=p.BLUE, size=p.SIZE)]
            )
            self.frames[id(one)] = self.canvas.cluster(
                text, inside=outside, color=p.BLUE, style="rounded,dashed", width=1.5
            )
        return self.frames[id(loop)]

    def _edge(self, edges: list[BlockEdge]) -> None:
        """One arrow for ways that differ only in their conditions."""
        edge = edges[0]
        source, target = self.nodes[edge.source], self.nodes[edge.target]
        self.canvas.edge(
            source,
            target,
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
        passed = self.passed(edge)
        texts += [styled(text, mono=True) for text in passed[:MOST_PASSED]]
        if len(passed) > MOST_PASSED:
            texts.append(styled(f"⋯ {len(passed) - MOST_PASSED} more", italic=True, color=p.FAINT))
        return edge_text(texts)

    def _source(self, operand: OpOperand | None) -> str:
        return self.wording.value(operand.value) if operand is not None else "made by the branch"

    def _tooltip(self, block: Block) -> str:
        count = sum(1 for op in block for _ in op.walk())
        text = f"{self.wording.block(block)}: {counted(count, 'operation')}"
        return text if self.flow.dominators.is_reachable(block) else f"{text}; no path leads here"

    def _dominator_tree(self, shown: set[Block]) -> None:
        """The tree beside the blocks: each block is reached only through those above it."""
        tree = self.flow.dominators
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
        for block in self.flow.blocks:
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


def parallel_edges(edges: list[BlockEdge]) -> list[list[BlockEdge]]:
    """The edges, those from one block to one block that pass the same values together. O(edges)."""
    groups: dict[tuple[object, ...], list[BlockEdge]] = {}
    for edge in edges:
        values = tuple(operand.value if operand is not None else None for _, operand in edge.passed)
        groups.setdefault((edge.source, edge.target, edge.decides, values), []).append(edge)
    return list(groups.values())
