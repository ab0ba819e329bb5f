"""Canvas over pydot: nodes, edges, clusters, colours, escaped text.

Fonts, line styles, titles and the escaping of all texts are handled here; picture modules
supply only the content. pydot is imported when the first picture is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# The colours of pictures: those of Okabe and Ito [1]_, distinguishable with any colour vision and in grey print.
#
# Colour never carries meaning alone: everything coloured also has a word, a shape or a line style of its own. Fills are
# tints of the same hues, light enough for black text (contrast at least 12:1).
#
# .. [1] M. Okabe and K. Ito, "Color Universal Design: how to make figures and presentations that are friendly to
#    colorblind people", 2008.

INK = "#1a1a1a"
FAINT = "#6b6b6b"
"""Secondary text and lines; contrast 5:1 against white."""
LINE = "#4d4d4d"
PAPER = "#ffffff"
SHADE = "#f2f2f2"
"""Headers of boxes."""

ORANGE = "#e69f00"
SKY = "#56b4e9"
GREEN = "#009e73"
YELLOW = "#f0e442"
BLUE = "#0072b2"
VERMILLION = "#d55e00"
PURPLE = "#cc79a7"

TINTS = {
    ORANGE: "#fdf1d7",
    SKY: "#e3f2fc",
    GREEN: "#dcf2eb",
    YELLOW: "#fdfbdc",
    BLUE: "#dbe9f3",
    VERMILLION: "#fae3d4",
    PURPLE: "#f8e9f1",
}

SANS = "Helvetica,Arial,sans-serif"
MONO = "Menlo,DejaVu Sans Mono,Liberation Mono,monospace"
SIZE = 11
"""Font size in boxes."""
SMALL = 9
"""Font size on edges and in remarks."""


# Escaping input text for Graphviz.
#
# A `.dot` file contains two languages. Labels here are always HTML-like (between angle brackets, parsed as XML):
# `escape` converts special characters to entities, and characters that XML forbids to a visible replacement.
# Every other value is a quoted string, escaped by `quoted`. In both, Graphviz replaces `\N`, `\G` and the like by
# names, in tooltips even after unescaping once, so backslashes are doubled as often. All text reaches a picture
# through these two functions.

_FORBIDDEN = re.compile(
    "[^\n\x20-\x7e\xa0-\u200a\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Controls, surrogates, and the invisible characters that reorder displayed text."""
STAND_IN = "\ufffd"


def printable(text: str) -> str:
    """`text` on one line, with replacements for characters that cannot be displayed."""
    return _FORBIDDEN.sub(STAND_IN, text.replace("\t", " ").replace("\r", "").replace("\n", " "))


def escape(text: str) -> str:
    """`text` for an HTML-like label, preserving runs of spaces."""
    text = printable(text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    text = text.replace("\\", "\\\\")
    if text.startswith("]"):
        text = f"&#93;{text[1:]}"  # Graphviz waits for the end of "]]>"
    text = text.replace("  ", "&#160; ").replace("  ", " &#160;")
    return f"&#160;{text[1:]}" if text.startswith(" ") else text


def quoted(text: str) -> str:
    """`text` as an attribute value, preserving lines."""
    lines = [printable(line).replace("&", "&amp;").replace("\\", "\\" * 4) for line in text.split("\n")]
    return '"' + "\\n".join(line.replace('"', "&quot;") for line in lines) + '"'


@dataclass(frozen=True, slots=True)
class Html:
    """Markup of escaped pieces."""

    text: str


def styled(
    text: str | Html,
    *,
    bold: bool = False,
    italic: bool = False,
    color: str = "",
    size: int = 0,
    mono: bool = False,
) -> Html:
    """`text` in a font."""
    inner = text.text if isinstance(text, Html) else escape(text)
    if not inner:
        return Html("")
    if bold:
        inner = f"<B>{inner}</B>"
    if italic:
        inner = f"<I>{inner}</I>"
    font = f' FACE="{MONO}"' if mono else ""
    font += f' COLOR="{color}"' if color else ""
    font += f' POINT-SIZE="{size}"' if size else ""
    return Html(f"<FONT{font}>{inner}</FONT>" if font else inner)


def joined(pieces: Iterable[str | Html]) -> Html:
    """Concatenate pieces of text."""
    return Html("".join(piece.text if isinstance(piece, Html) else escape(piece) for piece in pieces))


def lines(texts: Iterable[str | Html], align: str = "CENTER") -> Html:
    """Texts below one another."""
    inner = [text.text if isinstance(text, Html) else escape(text) for text in texts]
    return Html(
        f'<BR ALIGN="{align}"/>'.join(inner)
        + (f'<BR ALIGN="{align}"/>' if align != "CENTER" and inner else "")
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a box.

    Attributes:
        content: the text.
        fill: background colour.
        port: a name for edge endpoints.
        align: LEFT, CENTER or RIGHT.
        rule: draw a line above it.
    """

    content: str | Html
    fill: str = ""
    port: str = ""
    align: str = "LEFT"
    rule: bool = False


def box(
    rows: Iterable[Row], *, border: str = LINE, width: int = 1, fill: str = PAPER, dashed: bool = False
) -> Html:
    """A table of one column: the label of a node of shape `plain`."""
    style = ' STYLE="DASHED"' if dashed else ""
    head = f'<TABLE BORDER="{width}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3" COLOR="{border}" BGCOLOR="{fill}"{style}>'
    parts = [head]
    for number, row in enumerate(rows):
        if row.rule and number:
            parts.append("<HR/>")
        attributes = f' ALIGN="{row.align}"' + (' BALIGN="LEFT"' if row.align == "LEFT" else "")
        attributes += f' BGCOLOR="{row.fill}"' if row.fill else ""
        attributes += f' PORT="{row.port}"' if row.port else ""
        content = row.content.text if isinstance(row.content, Html) else escape(row.content)
        parts.append(f"<TR><TD{attributes}>{content or ' '}</TD></TR>")
    parts.append("</TABLE>")
    return Html("".join(parts))


def edge_text(texts: Iterable[Html]) -> Html:
    """Lines of an edge's label, with padding on the left to keep clear of the edge."""
    rows = "".join(
        f'<TR><TD WIDTH="6"></TD><TD ALIGN="LEFT">{text.text}</TD></TR>' for text in texts if text.text
    )
    if not rows:
        return Html("")
    return Html(f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{rows}</TABLE>')


Node = str
"""The name of a node in the picture; `name:port` for one of its rows."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line style. Each is distinguishable without colour."""

    color: str = LINE
    style: str = "solid"
    width: float = 1.0
    head: str = "normal"


PLAIN = Stroke()
BACK = Stroke(BLUE, "dashed", 2.0)
"""Back edges of loops."""
QUIET = Stroke(FAINT, "dotted", 1.0, "vee")


class Canvas:
    """One picture. `title` says what it shows, `remarks` what was omitted."""

    def __init__(self, title: str, *, direction: str = "TB", compound: bool = True) -> None:
        import pydot  # pyright: ignore[reportMissingImports]

        self._pydot = pydot
        self.graph: Any = pydot.Dot("picture", graph_type="digraph")
        self.title = title
        self.remarks: list[str] = []
        self._count = 0
        self._frames: dict[Node, Cluster | None] = {}
        self._strokes: dict[Stroke, int] = {}
        self._settings(direction, compound)

    def _settings(self, direction: str, compound: bool) -> None:
        font = quoted(SANS)
        self.graph.set_graph_defaults(
            fontname=font,
            fontsize=str(SIZE + 1),
            fontcolor=quoted(INK),
            rankdir=direction,
            compound=str(compound).lower(),
            labelloc="t",
            labeljust="l",
            nodesep="0.35",
            ranksep="0.45",
            pad="0.25",
            bgcolor=quoted(PAPER),
        )
        self.graph.set_node_defaults(
            fontname=font, fontsize=str(SIZE), fontcolor=quoted(INK), color=quoted(LINE), shape="plain"
        )
        self.graph.set_edge_defaults(
            fontname=font, fontsize=str(SMALL), fontcolor=quoted(INK), color=quoted(LINE), arrowsize="0.7"
        )

    def _name(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    def node(
        self, label: Html | str, *, inside: Cluster | None = None, tooltip: str = "", **attributes: str
    ) -> Node:
        """Add a node, drawn as its label unless a `shape` is given. Returns its name."""
        name = self._name("n")
        fields: dict[str, Any] = {key: quoted(value) for key, value in attributes.items()}
        fields["label"] = _html(label)
        fields["tooltip"] = quoted(tooltip or " ")
        (inside.graph if inside is not None else self.graph).add_node(self._pydot.Node(name, **fields))
        self._frames[name] = inside
        return name

    def edge(
        self,
        source: Node,
        target: Node,
        label: Html | str = "",
        stroke: Stroke = PLAIN,
        *,
        upwards: bool = False,
        tooltip: str = "",
        **attributes: str,
    ) -> None:
        """Add an arrow. Further attributes are Graphviz's own (`constraint`, `lhead`, `weight`, ...).

        With `upwards` the target is laid out above the source, for back edges. The label is a node on the
        arrow, in the innermost frame around both ends: Graphviz keeps nodes inside their frames and clear of others,
        but not labels.
        """
        self._strokes[stroke] = self._strokes.get(stroke, 0) + 1
        if isinstance(label, Html) and not label.text:
            label = ""
        if not label or source == target:
            self._line(source, target, label, stroke, upwards=upwards, tooltip=tooltip, **attributes)
            return
        middle = self.node(
            label, inside=self._frame_around(source, target), tooltip=tooltip, **{"class": "label"}
        )
        start = Stroke(stroke.color, stroke.style, stroke.width, "none")
        self._line(source, middle, "", start, upwards=upwards, tooltip=tooltip, **attributes)
        self._line(middle, target, "", stroke, upwards=upwards, tooltip=tooltip, **attributes)

    def _frame_around(self, *nodes: Node) -> Cluster | None:
        """The innermost frame that contains all nodes."""
        first, *others = (self._frames.get(node.partition(":")[0]) for node in nodes)
        while first is not None:
            if all(_encloses(first, other) for other in others):
                return first
            first = first.parent
        return None

    def _line(
        self,
        source: Node,
        target: Node,
        label: Html | str,
        stroke: Stroke,
        *,
        upwards: bool,
        tooltip: str,
        **attributes: str,
    ) -> None:
        fields: dict[str, Any] = {key: quoted(value) for key, value in attributes.items()}
        if label:
            fields["label"] = _html(label)
        fields["color"] = quoted(stroke.color)
        if stroke.style != "solid":
            fields["style"] = stroke.style
        if stroke.width != 1.0:
            fields["penwidth"] = str(stroke.width)
        if stroke.head != "normal":
            fields["arrowhead"] = stroke.head
        fields["edgetooltip"] = fields["labeltooltip"] = quoted(tooltip or " ")
        if upwards and source != target:
            fields["dir"] = "back"
            if "arrowhead" in fields:
                fields["arrowtail"] = fields.pop("arrowhead")
            source, target = target, source
        self.graph.add_edge(self._pydot.Edge(source, target, **fields))

    def count_of(self, stroke: Stroke) -> int:
        """The number of arrows in that style."""
        return self._strokes.get(stroke, 0)

    def cluster(
        self,
        label: Html | str = "",
        *,
        inside: Cluster | None = None,
        color: str = FAINT,
        fill: str = "",
        style: str = "rounded",
        width: float = 1.0,
        tooltip: str = "",
    ) -> Cluster:
        """Add a frame for nodes."""
        graph: Any = self._pydot.Cluster(self._name("c"))
        graph.set_label(_html(label))
        graph.set_style(quoted(f"{style},filled" if fill else style))
        graph.set_color(quoted(color))
        graph.set_penwidth(str(width))
        graph.set_margin("12")
        graph.set_tooltip(quoted(tooltip or " "))
        if fill:
            graph.set_fillcolor(quoted(fill))
        (inside.graph if inside is not None else self.graph).add_subgraph(graph)
        return Cluster(graph, inside)

    def divider(self) -> Node:
        """An invisible node, to separate others above and below it."""
        name = self._name("n")
        self.graph.add_node(self._pydot.Node(name, shape="point", style="invis", width="0"))
        return name

    def below(self, above: Node, below: Node, weight: int = 1) -> None:
        """Lay out a node below another, without an arrow; closer for greater weights."""
        self.graph.add_edge(self._pydot.Edge(above, below, style="invis", weight=str(weight)))

    def remark(self, text: str) -> None:
        """Add a remark below the title, such as how much was folded."""
        self.remarks.append(text)

    def to_dot(self) -> str:
        """The picture in the dot language."""
        heading = [styled(self.title, bold=True, size=SIZE + 3).text]
        heading += [styled(remark, color=FAINT, size=SIZE).text for remark in self.remarks]
        label = '<BR ALIGN="LEFT"/>'.join(heading) + '<BR ALIGN="LEFT"/>'
        self.graph.set_label(f"<{label}>")
        return self.graph.to_string()


class Cluster:
    """A frame of a picture, which contains nodes and further frames."""

    __slots__ = ("graph", "parent")

    def __init__(self, graph: Any, parent: Cluster | None = None) -> None:
        self.graph = graph
        self.parent = parent

    @property
    def name(self) -> str:
        return self.graph.get_name()


def _encloses(outer: Cluster, inner: Cluster | None) -> bool:
    while inner is not None and inner is not outer:
        inner = inner.parent
    return inner is outer


def _html(label: Html | str) -> str:
    html = label if isinstance(label, Html) else styled(label)
    return f"<{html.text}>" if html.text else '""'
