"""A picture of Graphviz as a part of the page.

Only known drawing elements and attributes are kept, all others are dropped with what they contain: no scripts, styles,
links or references to anything outside. Identifiers are dropped too, since those of several pictures would clash.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from . import markup

ELEMENTS = frozenset(
    {"svg", "g", "a", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text", "tspan"}
)
ATTRIBUTES = frozenset(
    [
        "viewBox",
        "transform",
        "d",
        "points",
        "x",
        "y",
        "cx",
        "cy",
        "rx",
        "ry",
        "r",
        "x1",
        "y1",
        "x2",
        "y2",
        "width",
        "height",
        "fill",
        "stroke",
        "stroke-width",
        "stroke-dasharray",
        "fill-opacity",
        "stroke-opacity",
        "text-anchor",
        "font-size",
        "font-weight",
        "font-style",
        "text-decoration",
    ]
)
_SVG = "{http://www.w3.org/2000/svg}"
_TITLE = "{http://www.w3.org/1999/xlink}title"


def embed(document: bytes, label: str) -> str:
    """The picture as inline SVG, named `label` for those who cannot see it.

    Raises:
        ValueError: the document is not XML.
    """
    text = document.decode("utf-8", "replace")
    start = text.find("<svg")
    if start < 0:
        raise ValueError("there is no picture in it")
    try:
        root = ET.fromstring(
            text[start:]
        )  # without the document type, so nothing is declared and nothing expands
    except ET.ParseError as failure:
        raise ValueError(str(failure)) from None
    pieces: list[str] = []
    pending: list[ET.Element | str] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        name = item.tag.removeprefix(_SVG) if isinstance(item.tag, str) else ""
        if name not in ELEMENTS:
            continue
        pieces.append(_opening(item, "g" if name == "a" else name, label if item is root else ""))
        tooltip = (item.get(_TITLE) or "").strip()
        if tooltip:
            pieces.append(f"<title>{markup.text(tooltip)}</title>")
        if name in ("text", "tspan"):
            pieces.append(markup.text(item.text or ""))
        pending.append(f"</{'g' if name == 'a' else name}>")
        for child in reversed(item):
            if name in ("text", "tspan") and child.tail:
                pending.append(markup.text(child.tail))
            pending.append(child)
    return "".join(pieces)


def _opening(element: ET.Element, name: str, label: str) -> str:
    kept = [f'{key}="{markup.text(value)}"' for key, value in element.attrib.items() if key in ATTRIBUTES]
    if "mono" in element.get("font-family", "").lower():
        kept.append('class="mono"')  # the style sheet of the page knows the fonts
    if label:
        kept += ['role="img"', f'aria-label="{markup.text(label)}"']
    return f"<{' '.join([name, *kept])}>"
