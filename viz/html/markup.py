"""Escaped text and HTML tags, highlighted MLIR, embedded pictures.

All input text passes through `text` (or `attribute`, which is the same here): the five special characters
of HTML become entities, and invisible characters are shown instead of being interpreted: control
characters, and direction overrides that make a line display differently from what it contains [1]_. Nothing else in
this folder writes text of the input.

.. [1] N. Boucher and R. Anderson, "Trojan Source: Invisible Vulnerabilities", 2021.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def visible(raw: str) -> str:
    """The text with invisible characters written as `‹U+202E›`."""
    return _UNSEEN.sub(lambda match: f"‹U+{ord(match.group()):04X}›", raw)


def text(raw: object) -> str:
    """The text as HTML, also inside quoted attributes."""
    return html.escape(visible(str(raw)), quote=True)


attribute = text


def tag(name: str, content: str = "", **attributes: str | None) -> str:
    """`<name ...>content</name>`; `content` is HTML, attribute values are raw text.

    Attributes that are None are left out, "" makes one without a value. A leading underscore is dropped and others
    become hyphens, so that `_class` and `aria_label` can be written.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            key = key.removeprefix("_").replace("_", "-")
            parts.append(f'{key}="{attribute(value)}"' if value else key)
    return f"<{' '.join(parts)}>{content}</{name}>"


def join(parts: Iterable[str]) -> str:
    return "".join(parts)


def counted(count: int, one: str, several: str = "") -> str:
    """`1 copy`, `2,000 copies`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


# Lines of MLIR as HTML, with highlighting and marks of findings.
#
# Highlighting is per line and never fails: it is a reading aid, not a parser. Where marks
# overlap, one piece of text carries the ids of all.

LONGEST_LINE = 20_000
"""Bound on the shown characters of a line; literal constants can be megabytes long."""

_WORDS = re.compile(
    r"""
    (?P<c>//.*)
  | (?P<s>"(?:[^"\\]|\\.)*"?)
  | %[\w$.\-]+(?:\#\d+)?
  | (?P<b>\^[\w$.\-]+)
  | (?P<y>@(?:"(?:[^"\\]|\\.)*"?|[\w$.\-]+))
  | (?P<a>[\#!][A-Za-z_][\w$.\-]*)
  | (?P<t>(?:tensor|memref|vector|tuple|complex)(?=<)|\b(?:index|none|[su]?i\d+|b?f\d+\w*|tf32)\b)
  | (?P<o>\b[a-z_]\w*(?:\.[a-z_]\w*)+\b|(?<![\w.])(?:module|func|return|call|br|cond_br|alloc|dealloc|constant)(?![\w.]))
  | (?P<d>(?<![\w.%])-?\d[\d.]*(?:e[+\-]?\d+)?\b)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Columns `start` to `end` (0-based, exclusive) of a line belong to the finding with this id."""

    start: int
    end: int
    finding: str
    primary: bool = False


def highlight(line: str, marks: Sequence[Mark] = ()) -> str:
    """One line, without its line end, as HTML. O(line), plus marks times words."""
    cut = len(line) > LONGEST_LINE
    if cut:
        line = line[:LONGEST_LINE]
    pieces = _pieces(line)
    if not marks:
        html = "".join(_piece(line[start:end], kind) for start, end, kind in pieces)
    else:
        html = _with_marks(line, pieces, [m for m in marks if m.start < len(line)])
    return html + ('<i class="cut">… the rest of this line is left out</i>' if cut else "")


def _pieces(line: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of the pieces of a line; kind is "" for uncoloured text."""
    found: list[tuple[int, int, str]] = []
    at = 0
    for match in _WORDS.finditer(line):
        if match.lastgroup is None:  # a value: most words are, so it is plain text
            continue
        if match.start() > at:
            found.append((at, match.start(), ""))
        found.append((match.start(), match.end(), match.lastgroup))
        at = match.end()
    if at < len(line):
        found.append((at, len(line), ""))
    return found


def _piece(raw: str, kind: str) -> str:
    return f'<i class="{kind}">{text(raw)}</i>' if kind else text(raw)


def _with_marks(line: str, pieces: list[tuple[int, int, str]], marks: list[Mark]) -> str:
    edges = sorted({0, len(line)} | {min(e, len(line)) for mark in marks for e in (mark.start, mark.end)})
    html: list[str] = []
    at = 0
    for left, right in pairwise(edges):
        covering = [mark for mark in marks if mark.start <= left and mark.end >= right]
        inner: list[str] = []
        while at < len(pieces) and pieces[at][0] < right:
            start, end, kind = pieces[at]
            inner.append(_piece(line[max(start, left) : min(end, right)], kind))
            if end > right:
                break
            at += 1
        if covering:
            names = " ".join(dict.fromkeys(mark.finding for mark in covering))
            primary = " p" if any(mark.primary for mark in covering) else ""
            html.append(f'<mark class="m{primary}" data-f="{text(names)}">{"".join(inner)}</mark>')
        else:
            html += inner
    return "".join(html)


# Embedding a Graphviz picture in the page.
#
# Only known drawing elements and attributes are kept, all others are dropped with their contents: no scripts, styles,
# links or external references. Identifiers are dropped too, since those of several pictures would clash.

ELEMENTS = frozenset(
    {"svg", "g", "a", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text", "tspan"}
)
ATTRIBUTES = frozenset(
    """
    viewBox transform d points x y cx cy rx ry r x1 y1 x2 y2 width height fill stroke stroke-width
    stroke-dasharray fill-opacity stroke-opacity text-anchor font-size font-weight font-style
    text-decoration
    """.split()
)
_SVG = "{http://www.w3.org/2000/svg}"
_TITLE = "{http://www.w3.org/1999/xlink}title"


def embed(document: bytes, label: str, *, titles: bool = False) -> str:
    """The picture as inline SVG with the accessible name `label`; `titles` keeps its titles, by default Graphviz's
    own names.

    Raises:
        ValueError: the document is not XML.
    """
    picture = document.decode("utf-8", "replace")
    start = picture.find("<svg")
    if start < 0:
        raise ValueError("there is no picture in it")
    try:
        root = ET.fromstring(
            picture[start:]
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
        if titles and name == "title":
            pieces.append(f"<title>{text(item.text or '')}</title>")
        if name not in ELEMENTS:
            continue
        pieces.append(_opening(item, "g" if name == "a" else name, label if item is root else ""))
        tooltip = (item.get(_TITLE) or "").strip()
        if tooltip:
            pieces.append(f"<title>{text(tooltip)}</title>")
        if name in ("text", "tspan"):
            pieces.append(text(item.text or ""))
        pending.append(f"</{'g' if name == 'a' else name}>")
        for child in reversed(item):
            if name in ("text", "tspan") and child.tail:
                pending.append(text(child.tail))
            pending.append(child)
    return "".join(pieces)


def _opening(element: ET.Element, name: str, label: str) -> str:
    kept = [f'{key}="{text(value)}"' for key, value in element.attrib.items() if key in ATTRIBUTES]
    if "mono" in element.get("font-family", "").lower():
        kept.append('class="mono"')  # the page's style sheet sets the font
    if label:
        kept += ['role="img"', f'aria-label="{text(label)}"']
    return f"<{' '.join([name, *kept])}>"
