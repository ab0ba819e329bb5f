"""A picture being drawn: nodes, edges and nested boxes, on top of pydot.

What pictures have in common is here: fonts, line styles, the title, and that every text is escaped. A picture module
only says what there is. pydot is imported when the first picture is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import palette as p
from .markup import Html, quoted, styled

Node = str
"""The name of a node in the picture; `name:port` for one of its rows."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line looks. Each has a style that tells it apart without colour."""

    color: str = p.LINE
    style: str = "solid"
    width: float = 1.0
    head: str = "normal"


PLAIN = Stroke()
BACK = Stroke(p.BLUE, "dashed", 2.0)
"""Back edges of loops."""
QUIET = Stroke(p.FAINT, "dotted", 1.0, "vee")


class Canvas:
    """One picture. `title` says what it shows, `remarks` what was left out."""

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
        font = quoted(p.SANS)
        self.graph.set_graph_defaults(
            fontname=font,
            fontsize=str(p.SIZE + 1),
            fontcolor=quoted(p.INK),
            rankdir=direction,
            compound=str(compound).lower(),
            labelloc="t",
            labeljust="l",
            nodesep="0.35",
            ranksep="0.45",
            pad="0.25",
            bgcolor=quoted(p.PAPER),
        )
        self.graph.set_node_defaults(
            fontname=font, fontsize=str(p.SIZE), fontcolor=quoted(p.INK), color=quoted(p.LINE), shape="plain"
        )
        self.graph.set_edge_defaults(
            fontname=font,
            fontsize=str(p.SMALL),
            fontcolor=quoted(p.INK),
            color=quoted(p.LINE),
            arrowsize="0.7",
        )

    def _name(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    def node(
        self, label: Html | str, *, inside: Cluster | None = None, tooltip: str = "", **attributes: str
    ) -> Node:
        """Add a node; its look is its label unless a `shape` is given. Returns its name."""
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

        With `upwards` the target is laid out above the source, as suits an edge that goes back. The label is a node on the
        arrow, in the innermost frame around both ends: Graphviz keeps nodes inside their frames and off others, but not labels.
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
        """The innermost frame that all nodes are in."""
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
        """How many arrows are drawn so."""
        return self._strokes.get(stroke, 0)

    def cluster(
        self,
        label: Html | str = "",
        *,
        inside: Cluster | None = None,
        color: str = p.FAINT,
        fill: str = "",
        style: str = "rounded",
        width: float = 1.0,
        tooltip: str = "",
    ) -> Cluster:
        """Add a box around nodes that will be put inside it."""
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
        """A node that is not seen, for others to be above and below."""
        name = self._name("n")
        self.graph.add_node(self._pydot.Node(name, shape="point", style="invis", width="0"))
        return name

    def below(self, above: Node, below: Node, weight: int = 1) -> None:
        """Lay a node out below another, without an arrow; the nearer the greater the weight."""
        self.graph.add_edge(self._pydot.Edge(above, below, style="invis", weight=str(weight)))

    def remark(self, text: str) -> None:
        """Say something below the title, such as how much was folded."""
        self.remarks.append(text)

    def to_dot(self) -> str:
        """The picture in the dot language."""
        heading = [styled(self.title, bold=True, size=p.SIZE + 3).text]
        heading += [styled(remark, color=p.FAINT, size=p.SIZE).text for remark in self.remarks]
        label = '<BR ALIGN="LEFT"/>'.join(heading) + '<BR ALIGN="LEFT"/>'
        self.graph.set_label(f"<{label}>")
        return self.graph.to_string()


class Cluster:
    """A box of a picture, in which nodes and further boxes can be put."""

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
