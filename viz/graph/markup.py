r"""Text of the input inside Graphviz's languages, so that it stays text.

Two languages meet in a `.dot` file. Labels here are always HTML-like (between angle brackets, read by an XML parser):
`escape` turns what is special there into entities, and characters that XML forbids into a visible stand-in.
Every other value is a quoted string: `quoted` does the same there. In both, Graphviz replaces `\N`, `\G` and the like by
names, in tooltips even after unescaping once, so backslashes are doubled as often. Nothing reaches a picture except
through these two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from . import palette as p

_FORBIDDEN = re.compile(
    "[^\n\x20-\x7e\xa0-\u200a\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Controls, surrogates, and the invisible characters that reorder text, which make it read other than it is."""
STAND_IN = "\ufffd"


def printable(text: str) -> str:
    """`text` on one line, with stand-ins for characters that have no picture."""
    return _FORBIDDEN.sub(STAND_IN, text.replace("\t", " ").replace("\r", "").replace("\n", " "))


def escape(text: str) -> str:
    """`text` for an HTML-like label: shown as it is, runs of spaces included."""
    text = printable(text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    text = text.replace("\\", "\\\\")
    text = text.replace("  ", "&#160; ").replace("  ", " &#160;")
    return f"&#160;{text[1:]}" if text.startswith(" ") else text


def quoted(text: str) -> str:
    """`text` as the value of an attribute; lines are kept apart."""
    lines = [printable(line).replace("&", "&amp;").replace("\\", "\\" * 4) for line in text.split("\n")]
    return '"' + "\\n".join(line.replace('"', "&quot;") for line in lines) + '"'


@dataclass(frozen=True, slots=True)
class Html:
    """Markup whose pieces have been escaped."""

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
    font = f' FACE="{p.MONO}"' if mono else ""
    font += f' COLOR="{color}"' if color else ""
    font += f' POINT-SIZE="{size}"' if size else ""
    return Html(f"<FONT{font}>{inner}</FONT>" if font else inner)


def joined(pieces: Iterable[str | Html]) -> Html:
    """Pieces of text one after another."""
    return Html("".join(piece.text if isinstance(piece, Html) else escape(piece) for piece in pieces))


def lines(texts: Iterable[str | Html], align: str = "CENTER") -> Html:
    """Texts below each other."""
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
        fill: colour behind it.
        port: name by which edges can start or end here.
        align: LEFT, CENTER or RIGHT.
        rule: draw a line above it.
    """

    content: str | Html
    fill: str = ""
    port: str = ""
    align: str = "LEFT"
    rule: bool = False


def box(
    rows: Iterable[Row], *, border: str = p.LINE, width: int = 1, fill: str = p.PAPER, dashed: bool = False
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
    """Lines of an edge's label, with room on the left so that they do not touch the edge."""
    rows = "".join(
        f'<TR><TD WIDTH="6"></TD><TD ALIGN="LEFT">{text.text}</TD></TR>' for text in texts if text.text
    )
    if not rows:
        return Html("")
    return Html(f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{rows}</TABLE>')
