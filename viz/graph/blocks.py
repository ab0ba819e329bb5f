"""Block nodes: name, arguments and operations, and edges between blocks in words.

Long blocks are folded: operations that allocate, free or copy, those with regions, those in focus, and the
first and last lines remain; runs of others become one line with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...analysis.graphs import BranchSuccessor, block_graph
from ...ir.declaration.building import VARIADIC
from ...ir.program.blocks import Block, Region
from ...ir.program.core import Operation
from ...ir.program.dominance import DominatorTree
from ...ir.program.values import OpOperand, Value
from ...ir.types.elements import DenseArrayAttr
from . import canvas as p
from .canvas import Html, Row, box, joined, styled
from .wording import ALLOCATES, COPIES, FREES, Wording, role

MOST_LINES = 30
"""A box with more lines is folded."""
INDENT = "    "

FILLS = {
    ALLOCATES: p.TINTS[p.SKY],
    FREES: p.TINTS[p.ORANGE],
    COPIES: p.TINTS[p.PURPLE],
}

Important = Callable[[Operation], bool]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block; `op` is None for other lines."""

    text: Html
    op: Operation | None
    fill: str = ""


def compact_box(wording: Wording, block: Block, *, title: str = "", border: str = p.LINE) -> Html:
    """The block as its name and size."""
    count = sum(1 for op in block for _ in op.walk())
    text = joined(
        [styled(title or wording.block(block), bold=True, mono=True), f"  {counted(count, 'operation')}"]
    )
    return box([Row(text, p.SHADE)], border=border)


def header(wording: Wording, block: Block, title: str = "") -> Html:
    """The name of the block and its arguments, broken into lines if there are many."""
    name = styled(title or wording.block(block), bold=True)
    if not block.args:
        return styled(name, mono=True)
    lines: list[str] = []
    current = ""
    for number, arg in enumerate(block.args):
        text = wording.argument(arg) + (", " if number + 1 < len(block.args) else ")")
        if current and len(current) + len(text) > 60:
            lines.append(current)
            current = ""
        current += text
    lines.append(current)
    if len(lines) > 12:
        lines = [*lines[:6], f"… {len(lines) - 12} more lines of arguments", *lines[-6:]]
    pieces: list[str | Html] = [name, "("]
    for number, text in enumerate(lines):
        if number:
            pieces += [Html('<BR ALIGN="LEFT"/>'), INDENT]
        pieces.append(text)
    return styled(joined(pieces), mono=True)


def operation_lines(wording: Wording, ops: Iterable[Operation], *, nested: bool) -> Iterable[Line]:
    """Operations in order; with `nested`, those in regions indented below their parent."""
    stack = [(iter(ops), 0)]
    captions: list[list[tuple[str, Block]]] = []
    while stack:
        ops, depth = stack[-1]
        op = next(ops, None)
        if op is None:
            stack.pop()
            if stack:  # the next block of the parent operation
                waiting = captions[-1]
                if waiting:
                    caption, following = waiting.pop()
                    if caption:
                        yield _caption(caption, depth - 1)
                    stack.append((iter(following), depth))
                else:
                    captions.pop()
            continue
        inner = _inner_blocks(wording, op) if op.regions and nested and not op.implies_regions else []
        yield operation_line(wording, op, depth, head_only=bool(inner))
        if inner:
            caption, first = inner[0]
            if caption:
                yield _caption(caption, depth)
            captions.append(inner[:0:-1])
            stack.append((iter(first), depth + 1))


def operation_line(wording: Wording, op: Operation, depth: int = 0, *, head_only: bool = False) -> Line:
    text = wording.line(op, head_only=head_only)
    if op.regions and wording.short:
        inside = sum(1 for _ in op.walk()) - 1
        text += f"  [{counted(inside, 'operation')} inside]"
    kind = role(op)
    return Line(
        styled(INDENT * min(depth, 12) + text, mono=True, bold=kind in (ALLOCATES, FREES)),
        op,
        FILLS.get(kind, ""),
    )


def _caption(text: str, depth: int) -> Line:
    return Line(styled(INDENT * min(depth, 12) + text, mono=True, italic=True, color=p.FAINT), None)


def _inner_blocks(wording: Wording, op: Operation) -> list[tuple[str, Block]]:
    """The blocks in an operation's regions, with captions where they are ambiguous."""
    found: list[tuple[str, Block]] = []
    several = sum(not region.is_empty for region in op.regions) > 1
    for index, region in enumerate(op.regions):
        for block in region:
            caption = region_name(op, index) if several and block.is_entry else ""
            if not region.has_one_block:
                caption = f"{caption} {wording.block(block)}".strip()
                if block.args:
                    caption += f"({', '.join(wording.argument(arg) for arg in block.args)})"
            found.append((caption + ":" if caption else "", block))
    return found


def region_name(op: Operation, index: int) -> str:
    """The declared name of a region: `then`, `else`, `before`, `case 2`; `region 1` if there is none."""
    if op.definition is not None:
        for position, field in enumerate(op.definition.regions):
            name = field.name.removesuffix("s").removesuffix("_region").replace("_", " ")
            if name == "region":
                name = "body" if len(op.regions) == 1 else f"region {index}"
            if field.arity == VARIADIC:
                cases = op.get_attr("cases")
                number = index - position
                return f"{name} {cases.values[number] if isinstance(cases, DenseArrayAttr) else number}"
            if position == index:
                return name
    return f"region {index}"


def folded(lines: list[Line], important: Important | None = None, most: int = MOST_LINES) -> list[Line]:
    """The lines, or only the important ones if there are more than `most`. O(lines)."""
    if len(lines) <= most:
        return lines
    ends = most // 5
    keep = set(range(ends)) | set(range(len(lines) - ends, len(lines)))
    for wanted in (important, lambda op: bool(role(op)), lambda op: bool(op.regions)):
        if wanted is None:
            continue
        found = [
            i for i, line in enumerate(lines) if line.op is not None and i not in keep and wanted(line.op)
        ]
        room = most - len(keep)
        keep.update(found if len(found) <= room else found[:: -(-len(found) // max(1, room))])
    shown: list[Line] = []
    skipped = 0
    for index, line in enumerate(lines):
        if index in keep:
            if skipped:
                shown.append(_fold_line(skipped))
                skipped = 0
            shown.append(line)
        else:
            skipped += 1
    return shown


def _fold_line(count: int) -> Line:
    return Line(styled(f"⋯ {counted(count, 'line')} folded", italic=True, color=p.FAINT), None)


def counted(count: int, what: str) -> str:
    """`1 operation`, `12 operations`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def uses_any(values: set[Value]) -> Important:
    """A predicate: whether an operation defines or uses one of `values`."""

    def test(op: Operation) -> bool:
        return any(result in values for result in op.results) or any(value in values for value in op.operands)

    return test


# Control flow between the blocks of a region: labelled edges, and natural loops.
#
# A natural loop has a header that dominates the sources of its back edges; its body is what reaches them without
# passing through the header. An irreducible cycle has no such header and is not a loop, but its
# retreating edges are marked too.


@dataclass(frozen=True, slots=True)
class BlockEdge:
    """A CFG edge.

    Attributes:
        condition: the deciding operand and the value it must have, as text; None and "" for an unconditional edge.
        passed: pairs of a block argument and the operand it receives (None if the branch produces the value).
        goes_back: whether it is a retreating edge of a depth-first walk.
    """

    source: Block
    target: Block
    decides: Value | None
    condition: str
    passed: tuple[tuple[Value, OpOperand | None], ...]
    goes_back: bool


@dataclass(slots=True)
class Loop:
    """A natural loop: its header, its blocks (including inner loops), and its parent loop."""

    header: Block
    blocks: set[Block]
    parent: Loop | None = None


@dataclass(slots=True)
class Flow:
    """The blocks of a region in textual order, the edges between them, and its loops, outer ones first."""

    region: Region
    blocks: list[Block]
    edges: list[BlockEdge]
    dominators: DominatorTree[Block]
    loops: list[Loop] = field(default_factory=list)

    def innermost_loops(self) -> dict[Block, Loop]:
        """The innermost loop of each block that is in one."""
        return {block: loop for loop in self.loops for block in loop.blocks}


def control_flow(region: Region) -> Flow:
    """The control flow of a non-empty region. O(blocks + edges), plus the sizes of loops times their depth."""
    graph = block_graph(region)
    dominators = graph.dominators
    edges: list[BlockEdge] = []
    latches: dict[Block, list[Block]] = {}
    for block, edge in graph.edges():
        target = edge.target
        if dominators.dominates(target, block):
            latches.setdefault(target, []).append(block)
        edges.append(_edge(block, edge, (block, target) in graph.retreating))
    flow = Flow(region, list(graph), edges, dominators)
    flow.loops = _loops(flow, latches)
    return flow


def _edge(block: Block, edge: BranchSuccessor, back: bool) -> BlockEdge:
    received = {value: use for use, value in edge.pairs()}
    passed = tuple((arg, received.get(arg)) for arg in edge.target.args)
    decides, words = None, ""
    if len(edge.op.successors) > 1:
        condition = edge.condition
        words = f"successor {edge.index}" if condition is None else condition.wanted
        decides = None if condition is None else condition.value
    return BlockEdge(block, edge.target, decides, words, passed, back)


def _loops(flow: Flow, latches: dict[Block, list[Block]]) -> list[Loop]:
    predecessors: dict[Block, list[Block]] = {}
    for edge in flow.edges:
        predecessors.setdefault(edge.target, []).append(edge.source)
    loops: list[Loop] = []
    for header, sources in latches.items():
        body = {header}
        pending = list(sources)
        while pending:
            block = pending.pop()
            if block not in body and flow.dominators.is_reachable(block):
                body.add(block)
                pending.extend(predecessors.get(block, ()))
        loops.append(Loop(header, body))
    loops.sort(key=lambda loop: -len(loop.blocks))
    around: dict[Block, Loop] = {}
    for loop in loops:  # inner loops come after outer ones and take over their headers
        loop.parent = around.get(loop.header)
        for block in loop.blocks:
            around[block] = loop
    return loops
