"""Lines of MLIR as HTML: what the words are, and which places an explanation speaks of.

The colouring looks at one line at a time and never fails: it is a reading aid, not a parser. Marks may overlap; where they
do, one piece of text carries the names of all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from . import markup

LONGEST_LINE = 20_000
"""Characters of a line that are shown; constants written out can be megabytes long."""

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
    """Start, end and kind of the pieces of a line; kind is "" for what has no colour."""
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
    return f'<i class="{kind}">{markup.text(raw)}</i>' if kind else markup.text(raw)


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
            html.append(f'<mark class="m{primary}" data-f="{markup.text(names)}">{"".join(inner)}</mark>')
        else:
            html += inner
    return "".join(html)
