"""Layout of dot graphs: Graphviz's `dot` where installed, else a layered layout.

Each frame is laid out separately, innermost first, and is then a single node of the frame around it. Nodes are assigned
to rows so that arrows lead down (longest path, ignoring edges that close a cycle), and rows are ordered by the
positions of predecessors (barycentres, a few sweeps). Arrows pass rows through gaps (routing.py). After K. Sugiyama, S.
Tagawa, M. Toda, "Methods for visual understanding of hierarchical system structures", 1981. Unlike this layout,
Graphviz knows fonts; this one takes O(sweeps * (nodes + edges) * log) instead of seconds.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ...ir.source import find
from ...ir.source.diagnostics import BufferizeError, error
from . import canvas as p
from .canvas import Canvas
from .routing import Router, arrow_head, path_text

LINE_HEIGHT = 15.0
CHARACTER = 6.7
"""Width of a monospaced character of that size; other fonts are narrower, so text always fits."""
PAD = 6.0
GAP = 26.0
"""Distance between neighbours of a row."""
ROW_GAP = 46.0
FRAME = 12.0
SIDE = 44.0
"""Distance between arrows and the boxes that they pass."""
SWEEPS = 4
PAGE = 840.0
"""Width in points up to which unconnected parts are placed side by side."""
WIDEST = 1000.0
"""Maximum width in points that fits a page."""
POINTS_A_PIXEL = 0.75
_WIDTH = re.compile(rb'<svg width="([\d.]+)pt"')


@dataclass
class _Line:
    """A line of text of a label."""

    text: str
    bold: bool = False
    color: str = p.INK
    fill: str = ""


@dataclass(eq=False)
class _Box:
    """A node, or a frame with boxes in it. `x` and `y` are relative to the enclosing box until all are placed."""

    name: str
    lines: list[_Line]
    border: str = p.LINE
    fill: str = ""
    dashed: bool = False
    width_of_border: float = 1.0
    is_frame: bool = False
    parent: _Box | None = None
    inside: list[_Box] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    beside: float = 0.0
    """Space on the right for an arrow that returns to the box."""


@dataclass
class _Arrow:
    source: str
    target: str
    lines: list[_Line]
    color: str
    dashed: bool
    width: float
    backwards: bool
    pointed: bool


def to_svg(canvas: Canvas) -> str:
    """The picture as SVG. Near-linear in its elements."""
    root, boxes, arrows, by_name = _measured(canvas)
    for box in boxes[1:]:
        assert box.parent is not None
        box.x += box.parent.x
        box.y += box.parent.y
    title = [canvas.title, *canvas.remarks]
    return _draw(root, boxes, arrows, by_name, title)


def arrange(canvas: Canvas) -> None:
    """Arrange unconnected parts of each frame in rows that fit a page. Near-linear in the elements.

    Graphviz would place all of them side by side, in a picture many times wider than high.
    """
    _, boxes, arrows, by_name = _measured(canvas)
    for frame in boxes:
        if not frame.is_frame:
            continue
        shelves, stacked = _shelves(frame, _between(frame, arrows, by_name))
        for upper, lower in stacked:
            for end in _ends([[upper]], arrows, last=True):
                for start in _ends([[lower]], arrows, last=False):
                    canvas.below(end, start)
        if len(shelves) == 1:
            continue
        spine = ""  # straight, so that rows do not drift sideways
        for shelf, above in zip(shelves, [[], *shelves], strict=False):
            divider = canvas.divider()
            if spine:
                canvas.below(spine, divider)
            spine = divider
            for end in _ends(above, arrows, last=True):
                canvas.below(end, divider, 8)
            for start in _ends(shelf, arrows, last=False):
                canvas.below(divider, start, 8)


def width_of(canvas: Canvas) -> float:
    """The approximate width of a picture."""
    return _measured(canvas)[0].width


def _ends(shelf: list[list[_Box]], arrows: list[_Arrow], *, last: bool) -> list[str]:
    """The sinks (`last`) or sources among nodes in boxes, considering only arrows that lead down."""
    nodes = [box.name for part in shelf for top in part for box in _preorder(top) if not box.is_frame]
    inside = set(nodes)
    passed = {
        arrow.source if last else arrow.target
        for arrow in arrows
        if arrow.source != arrow.target and arrow.source in inside and arrow.target in inside
    }
    return [name for name in nodes if name not in passed] or nodes[-1:]


def _measured(canvas: Canvas) -> tuple[_Box, list[_Box], list[_Arrow], dict[str, _Box]]:
    """The picture, with the contents of each frame placed."""
    root, arrows = _read(canvas)
    boxes = _preorder(root)
    by_name = {box.name: box for box in boxes if not box.is_frame}
    for box in by_name.values():
        box.width, box.height = _size(box.lines)
    for arrow in arrows:
        if arrow.source == arrow.target:
            box = by_name[arrow.source]
            box.beside = max(box.beside, SIDE + _size(arrow.lines)[0])
    for box in reversed(boxes):  # innermost first
        if box.is_frame:
            _lay_out(box, _between(box, arrows, by_name))
    return root, boxes, arrows, by_name


# -- parsing the picture


def _read(canvas: Canvas) -> tuple[_Box, list[_Arrow]]:
    root = _Box("", [], is_frame=True)
    arrows: list[_Arrow] = []
    pending: list[tuple[Any, _Box]] = [(canvas.graph, root)]
    while pending:
        graph, box = pending.pop()
        for node in graph.get_nodes():
            attributes = node.get_attributes()
            if node.get_name() in ("node", "edge", "graph") or "label" not in attributes:
                continue
            lines, table = _label(attributes["label"])
            border = table.get("COLOR") or _plain(attributes.get("color", "")) or p.LINE
            child = _Box(node.get_name(), lines, border, table.get("BGCOLOR", p.PAPER))
            child.dashed = table.get("STYLE") == "DASHED"
            child.width_of_border = float(table.get("BORDER", "1"))
            child.parent = box
            box.inside.append(child)
        arrows += [
            _arrow(edge) for edge in graph.get_edges() if edge.get_attributes().get("style") != "invis"
        ]
        for sub in graph.get_subgraphs():
            if not sub.get_name().startswith("cluster"):
                continue
            attributes = sub.get_attributes()
            style = _plain(attributes.get("style", ""))
            lines, _ = _label(attributes.get("label", ""))
            child = _Box(sub.get_name(), lines, _plain(attributes.get("color", "")) or p.FAINT, is_frame=True)
            child.fill = _plain(attributes.get("fillcolor", "")) if "filled" in style else ""
            child.dashed = "dashed" in style
            child.parent = box
            box.inside.append(child)
            pending.append((sub, child))
    return root, arrows


def _arrow(edge: Any) -> _Arrow:
    attributes = edge.get_attributes()
    source, target = (str(end).partition(":")[0] for end in (edge.get_source(), edge.get_destination()))
    lines, _ = _label(attributes.get("label", ""))
    style = _plain(attributes.get("style", ""))
    return _Arrow(
        source,
        target,
        lines,
        _plain(attributes.get("color", "")) or p.LINE,
        style in ("dashed", "dotted"),
        float(_plain(attributes.get("penwidth", "1"))),
        _plain(attributes.get("dir", "")) == "back",
        "none" not in (attributes.get("arrowhead"), attributes.get("arrowtail")),
    )


def _plain(text: str) -> str:
    return text.strip('"')


_TABLE = re.compile(r"<TABLE([^>]*)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def _label(label: str) -> tuple[list[_Line], dict[str, str]]:
    """The lines of an HTML-like label, and the attributes of its table if it has one."""
    if not label.startswith("<"):
        return [_Line(text) for text in _plain(label).split("\\n") if text], {}
    inner = label[1:-1]
    table = _TABLE.search(inner)
    attributes = dict(_ATTRIBUTE.findall(table[1])) if table is not None else {}
    try:
        root = ET.fromstring(f"<L>{inner}</L>")
    except ET.ParseError:  # not a label of this project; plain text is better than no picture
        return [_Line(re.sub(r"<[^>]*>", "", inner))], attributes
    lines: list[_Line] = [_Line("")]
    pending: list[tuple[ET.Element | str, bool, str, str]] = [(root, False, p.INK, "")]
    while pending:
        item, bold, color, fill = pending.pop()
        line = lines[-1]
        if isinstance(item, str):
            line.text += item.replace("\\\\", "\\")
            line.bold, line.color = line.bold or bold, color
            continue
        if item.tag in ("TR", "BR"):
            lines.append(_Line(""))
        fill = item.get("BGCOLOR", fill) if item.tag == "TD" else fill
        lines[-1].fill = fill or lines[-1].fill
        here = (bold or item.tag == "B", item.get("COLOR", color) if item.tag == "FONT" else color, fill)
        pieces: list[tuple[ET.Element | str, bool, str, str]] = []
        if item.text:
            pieces.append((item.text, *here))
        for child in item:
            pieces.append((child, *here))
            if child.tail:
                pieces.append((child.tail, *here))
        pending += reversed(pieces)
    return [line for line in lines if line.text.strip()], attributes


# -- placement


def _preorder(root: _Box) -> list[_Box]:
    found: list[_Box] = []
    pending = [root]
    while pending:
        box = pending.pop()
        found.append(box)
        pending += reversed(box.inside)
    return found


def _size(lines: list[_Line]) -> tuple[float, float]:
    longest = max((len(line.text) for line in lines), default=0)
    return longest * CHARACTER + 2 * PAD, max(len(lines), 1) * LINE_HEIGHT + 2 * PAD


def _lay_out(frame: _Box, pairs: list[tuple[_Box, _Box]]) -> None:
    """Place the contents of a frame, and compute its size."""
    label_width, label_height = _size(frame.lines) if frame.lines else (0.0, FRAME)
    shelves, _ = _shelves(frame, pairs)
    width, y = label_width, label_height
    for shelf in shelves:
        x = FRAME
        lowest = y
        for part in shelf:
            right, bottom = _extent(part)
            for box in part:
                box.x, box.y = box.x + x, box.y + y
            x += right + GAP
            lowest = max(lowest, y + bottom)
        width = max(width, x - GAP - FRAME)
        y = lowest + ROW_GAP
    frame.width = width + 2 * FRAME
    frame.height = (y - ROW_GAP if shelves else y) + FRAME


def _shelves(
    frame: _Box, pairs: list[tuple[_Box, _Box]]
) -> tuple[list[list[list[_Box]]], list[tuple[_Box, _Box]]]:
    """Unconnected components, each placed separately, in rows that fit a page; and the pairs stacked within them."""
    representative: dict[int, int] = {id(box): id(box) for box in frame.inside}
    for source, target in pairs:
        representative[find(representative, id(source))] = find(representative, id(target))
    parts: dict[int, list[_Box]] = {}
    for box in frame.inside:
        parts.setdefault(find(representative, id(box)), []).append(box)
    edges: dict[int, list[tuple[_Box, _Box]]] = {}
    for pair in pairs:
        edges.setdefault(find(representative, id(pair[0])), []).append(pair)
    shelves: list[list[list[_Box]]] = []
    stacked: list[tuple[_Box, _Box]] = []
    used = 0.0
    for name, part in parts.items():
        stacked += _place(part, edges.get(name, []))
        width = _extent(part)[0] + GAP
        if not shelves or used + width > PAGE:
            shelves.append([])
            used = 0.0
        shelves[-1].append(part)
        used += width
    return shelves, stacked


def _extent(part: list[_Box]) -> tuple[float, float]:
    return max(box.x + box.width + box.beside for box in part), max(box.y + box.height for box in part)


def _place(part: list[_Box], pairs: list[tuple[_Box, _Box]]) -> list[tuple[_Box, _Box]]:
    """Place connected boxes, from 0, 0. A row wider than a page is stacked: returns pairs of upper and lower boxes."""
    rows: list[list[_Box]] = []
    stacked: list[tuple[_Box, _Box]] = []
    for row in _ordered(_rows(part, pairs)):
        pieces: list[list[_Box]] = [[]]
        used = 0.0
        for box in row:
            if pieces[-1] and used + box.width + box.beside > PAGE:
                pieces.append([])
                used = 0.0
            pieces[-1].append(box)
            used += box.width + box.beside + GAP
        rows += pieces
        for upper, lower in pairwise(pieces):
            stacked += [(upper[min(i, len(upper) - 1)], box) for i, box in enumerate(lower)]
    widths = [sum(box.width + box.beside for box in row) + GAP * (len(row) - 1) for row in rows]
    width = max(widths)
    y = 0.0
    for row, used in zip(rows, widths, strict=True):
        x = (width - used) / 2
        height = max(box.height for box in row)
        for box in row:
            box.x, box.y = x, y + (height - box.height) / 2
            x += box.width + box.beside + GAP
        y += height + ROW_GAP
    return stacked


def _between(frame: _Box, arrows: list[_Arrow], by_name: dict[str, _Box]) -> list[tuple[_Box, _Box]]:
    """The arrows, lifted to boxes directly in `frame`."""
    mine = {id(box): box for box in frame.inside}

    def lifted(name: str) -> _Box | None:
        box = by_name.get(name)
        while box is not None and id(box) not in mine:
            box = box.parent
        return box

    found: list[tuple[_Box, _Box]] = []
    for arrow in arrows:
        source, target = lifted(arrow.source), lifted(arrow.target)
        if source is not None and target is not None and source is not target:
            found.append((source, target))
    return found


def _rows(
    boxes: list[_Box], edges: list[tuple[_Box, _Box]]
) -> list[tuple[list[_Box], list[tuple[_Box, _Box]]]]:
    """The boxes by row, each row with the edges that enter it from above."""
    after: dict[int, list[_Box]] = {id(box): [] for box in boxes}
    for source, target in edges:
        after[id(source)].append(target)
    forward: list[tuple[_Box, _Box]] = []
    state: dict[int, int] = {}  # 1 on the path, 2 done
    finished: list[_Box] = []
    for root in boxes:
        if id(root) in state:
            continue
        state[id(root)] = 1
        path = [(root, iter(after[id(root)]))]
        while path:
            box, rest = path[-1]
            target = next(rest, None)
            if target is None:
                state[id(box)] = 2
                finished.append(box)
                path.pop()
            elif state.get(id(target)) != 1:  # otherwise the edge closes a cycle
                forward.append((box, target))
                if id(target) not in state:
                    state[id(target)] = 1
                    path.append((target, iter(after[id(target)])))
    level = {id(box): 0 for box in boxes}
    into: dict[int, list[_Box]] = {}
    for source, target in forward:
        into.setdefault(id(source), []).append(target)
    for box in reversed(finished):
        for target in into.get(id(box), ()):
            level[id(target)] = max(level[id(target)], level[id(box)] + 1)
    rows: list[tuple[list[_Box], list[tuple[_Box, _Box]]]] = [
        ([], []) for _ in range(max(level.values(), default=-1) + 1)
    ]
    for box in boxes:
        rows[level[id(box)]][0].append(box)
    for source, target in forward:
        rows[level[id(target)]][1].append((source, target))
    return rows


def _ordered(rows: list[tuple[list[_Box], list[tuple[_Box, _Box]]]]) -> list[list[_Box]]:
    """Order each row by the mean position of predecessors. O(sweeps * (boxes + edges) * log)."""
    place = {id(box): float(i) for row, _ in rows for i, box in enumerate(row)}
    for _ in range(SWEEPS):
        for row, edges in rows:
            above: dict[int, list[float]] = {}
            for source, target in edges:
                above.setdefault(id(target), []).append(place[id(source)])
            row.sort(key=lambda box: fmean(above.get(id(box)) or (place[id(box)],)))
            place.update((id(box), float(i)) for i, box in enumerate(row))
    return [row for row, _ in rows]


# -- rendering


def _draw(
    root: _Box, boxes: list[_Box], arrows: list[_Arrow], by_name: dict[str, _Box], title: list[str]
) -> str:
    top = len(title) * LINE_HEIGHT + FRAME
    margin = SIDE
    said = max((len(line.text) for arrow in arrows for line in arrow.lines), default=0) * CHARACTER
    width = max(root.width + 2 * margin + said, *(len(line) * CHARACTER * 1.2 + 2 * FRAME for line in title))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {root.height + top:.0f}" '
        f'width="{width:.0f}" height="{root.height + top:.0f}" font-family="monospace" font-size="11">',
        f'<rect x="0" y="0" width="{width:.0f}" height="{root.height + top:.0f}" fill="{p.PAPER}"/>',
    ]
    for i, line in enumerate(title):
        parts.append(
            _text(_Line(line, bold=i == 0, color=p.FAINT if i else p.INK), FRAME, (i + 1) * LINE_HEIGHT)
        )
    parts.append(f'<g transform="translate({margin:.0f},{top:.0f})">')
    parts += [_draw_box(box) for box in boxes[1:] if box.is_frame]
    ends = [(arrow, by_name.get(arrow.source), by_name.get(arrow.target)) for arrow in arrows]
    router = Router()
    drawn = "".join(
        _draw_arrow(arrow, a, b, router) for arrow, a, b in ends if a is not None and b is not None
    )
    parts += [drawn, *(_draw_box(box) for box in boxes[1:] if not box.is_frame)]
    parts.append(
        f'<g stroke-opacity="0.25" fill-opacity="0.25">{drawn}</g>'
    )  # text below them remains readable
    parts.append("</g></svg>")
    return "".join(parts)


def _draw_box(box: _Box) -> str:
    dash = ' stroke-dasharray="5 3"' if box.dashed else ""
    shape = (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="{6 if box.is_frame else 0}" fill={quoteattr(box.fill or "none")} stroke={quoteattr(box.border)} '
        f'stroke-width="{box.width_of_border:g}"{dash}/>'
    )
    parts = [shape]
    for i, line in enumerate(box.lines):
        y = box.y + PAD + i * LINE_HEIGHT
        if line.fill:
            parts.append(
                f'<rect x="{box.x + 1:.1f}" y="{y:.1f}" width="{box.width - 2:.1f}" height="{LINE_HEIGHT:g}" '
                f"fill={quoteattr(line.fill)}/>"
            )
        parts.append(_text(line, box.x + PAD, y + LINE_HEIGHT - 4))
    return "".join(parts)


def _draw_arrow(arrow: _Arrow, source: _Box, target: _Box, router: Router) -> str:
    start, end = (source, target) if not arrow.backwards else (target, source)
    x1, x2 = start.x + start.width / 2, end.x + end.width / 2
    if start is end:
        x1, x2 = start.x + start.width, start.x + start.width
        y1, y2 = start.y + start.height * 0.7, start.y + start.height * 0.3
        control = (x1 + SIDE, y1, x2 + SIDE, y2)
    elif start.y + start.height <= end.y:
        points = router.down(start, end)
        (x1, y1), (x2, y2) = points[(len(points) - 1) // 2 : (len(points) - 1) // 2 + 2]
        return _styled_arrow(
            arrow,
            path_text(points),
            ((x1 + x2) / 2, (y1 + y2) / 2),
            (*points[-1], points[-1][0], points[-1][1] - 1),
        )
    elif end.y + end.height <= start.y:  # up, along the right
        x1, x2 = start.x + start.width, end.x + end.width
        y1, y2 = start.y + start.height / 2, end.y + end.height / 2
        if points := router.up(start, end):
            x, y = points[len(points) // 2]
            return _styled_arrow(arrow, path_text(points, (x1, y1), (x2, y2)), (x, y), (x2, y2, x2 + 1, y2))
        side = max(x1, x2) + SIDE
        control = (side, y1, side, y2)
    else:  # side by side
        x1, x2 = (start.x + start.width, end.x) if start.x < end.x else (start.x, end.x + end.width)
        y1, y2 = start.y + start.height / 2, end.y + end.height / 2
        control = ((x1 + x2) / 2, y1, (x1 + x2) / 2, y2)
    middle = (x1 + 3 * control[0] + 3 * control[2] + x2) / 8, (y1 + 3 * control[1] + 3 * control[3] + y2) / 8
    path = f"M{x1:.1f},{y1:.1f} C{control[0]:.1f},{control[1]:.1f} {control[2]:.1f},{control[3]:.1f} {x2:.1f},{y2:.1f}"
    return _styled_arrow(arrow, path, middle, (x2, y2, control[2], control[3]))


def _styled_arrow(
    arrow: _Arrow, path: str, middle: tuple[float, float], end: tuple[float, float, float, float]
) -> str:
    """A path with its head, which comes to the first point of `end` from the second, and its text at `middle`."""
    dash = ' stroke-dasharray="5 3"' if arrow.dashed else ""
    color = quoteattr(arrow.color)
    parts = [
        f'<path d="{path}" fill="none" stroke={color} stroke-width="{arrow.width:g}"{dash}/>',
        arrow_head(end[2], end[3], end[0], end[1], color) if arrow.pointed else "",
    ]
    for i, line in enumerate(arrow.lines):
        parts.append(_text(line, middle[0] + 4, middle[1] + (i - len(arrow.lines) / 2 + 0.75) * LINE_HEIGHT))
    return "".join(parts)


def _text(line: _Line, x: float, y: float) -> str:
    weight = ' font-weight="bold"' if line.bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-family="monospace" font-size="11" fill={quoteattr(line.color)}{weight}>{escape(line.text)}</text>'


# Rendering the dot language by Graphviz's `dot`.

FORMATS = ("dot", "svg", "png", "pdf")
TIME_LIMIT = 120
"""Layout time limit in seconds. Readable pictures take seconds."""

INSTALL = (
    "install Graphviz: 'apt install graphviz', 'dnf install graphviz', 'brew install graphviz' or "
    "'conda install graphviz'; see https://graphviz.org/download"
)


def drawn(canvas: Canvas, format: str = "svg") -> bytes:
    """The picture in one of FORMATS; errors as for `render`. SVG has the built-in layout if Graphviz's is too wide."""
    if format != "svg":
        return render(canvas.to_dot(), format)
    if shutil.which("dot") is None:
        return to_svg(canvas).encode("utf-8", "replace")
    found = render(canvas.to_dot(), "svg")
    width = float(said[1]) if (said := _WIDTH.search(found)) is not None else 0.0
    is_less = width > WIDEST and width_of(canvas) * POINTS_A_PIXEL < width
    return to_svg(canvas).encode("utf-8", "replace") if is_less else found


def render(dot: str, format: str) -> bytes:
    """The picture in one of FORMATS.

    Raises:
        BufferizeError: Graphviz is not installed, fails, or takes longer than TIME_LIMIT.
    """
    if format == "dot":
        return dot.encode("utf-8", "replace")
    program = shutil.which("dot")
    if program is None:
        problem = error(
            f"{format} pictures need Graphviz, whose program 'dot' was not found", code="no-graphviz"
        )
        raise BufferizeError(
            problem.help(INSTALL).help("'--format dot' writes the picture as text for another tool")
        )
    try:
        done = subprocess.run(
            [program, f"-T{format}"],
            input=dot.encode("utf-8", "replace"),
            capture_output=True,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        problem = error(
            f"Graphviz did not finish the picture in {TIME_LIMIT} seconds", code="layout-too-long"
        )
        raise BufferizeError(problem.help("--function, --focus and --short make it smaller")) from None
    except OSError as failure:
        raise BufferizeError(f"cannot run '{program}': {failure.strerror or failure}") from None
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise BufferizeError(f"Graphviz failed: {said[0] if said else f'exit code {done.returncode}'}")
    return done.stdout
