"""The metadata section at the end of a file, `{-# ... #-}`: kept, and printed again in MLIR's layout.

It holds resources (blobs of data that attributes refer to by name). No pass here looks into them, so entries are strings
from reading to printing; only their nesting is understood.
"""

from __future__ import annotations

import re

from .diagnostics import ParseError, error
from .source import Source, Span

_TOKEN = re.compile(r'\s*(?://[^\n]*\s*)*(\{-#|#-\}|[{}:,]|"(?:[^"\\\n]|\\.)*"|[^\s{}:,"]+)')
_INDENT = "  "


def metadata_end(source: Source, start: int) -> int:
    """Where the section that starts at `start` ends.

    Raises:
        ParseError: it does not end, or its braces do not match.
    """
    depth = 0
    position = start
    while True:
        match = _TOKEN.match(source.text, position)
        if match is None:
            at = min(position, max(len(source.text) - 1, 0))
            raise ParseError(error("expected '#-}' to end the file metadata", Span(source, at, at + 1)))
        token = match.group(1)
        position = match.end()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth < 0:
                raise ParseError(
                    error("unbalanced '}' in file metadata", Span(source, match.start(1), match.end(1)))
                )
        elif token == "#-}":
            if depth:
                raise ParseError(
                    error("expected '}' in file metadata", Span(source, match.start(1), match.end(1)))
                )
            return position


def format_metadata(text: str) -> str:
    """A section in MLIR's layout, each entry on a line of its own. Linear."""
    out: list[str] = []
    depth = 0
    at_line_start = False
    for match in _TOKEN.finditer(text):
        token = match.group(1)
        if token == "{-#":
            out.append("{-#\n")
            depth, at_line_start = 1, True
        elif token == "#-}":
            if not at_line_start:
                out.append("\n")
            out.append("#-}\n")
        elif token == "{":
            out.append("{\n")
            depth, at_line_start = depth + 1, True
        elif token == "}":
            depth -= 1
            if not at_line_start:
                out.append("\n")
            out.append(_INDENT * depth + "}")
            at_line_start = False
        elif token == ",":
            out.append(",\n")
            at_line_start = True
        elif token == ":":
            out.append(": ")
        else:
            out.append(_INDENT * depth + token if at_line_start else token)
            at_line_start = False
    return "".join(out)
