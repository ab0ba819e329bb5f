"""Places in the protocol's terms: 0-based lines, columns in UTF-16 code units."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..ir.source.locations import Source, Span


def position(source: Source, offset: int) -> lsp.Position:
    """The position of the character at `offset`. O(log lines + the line)."""
    line, column = source.line_column(offset)
    before = source.line(line)[: column - 1]
    return lsp.Position(line - source.first_line, len(before) + _astral(before))


def offset(source: Source, at: lsp.Position) -> int:
    """The offset of a position; one past the end of its line is the line's end, one past the text the text's end."""
    number = at.line + source.first_line
    if number > source.last_line:
        return len(source.text)
    units = 0
    column = 0
    for character in source.line(number):
        if units >= at.character:
            break
        units += 2 if ord(character) > 0xFFFF else 1
        column += 1
    return source.line_start(number) + column


def range_of(span: Span) -> lsp.Range:
    return lsp.Range(position(span.source, span.start), position(span.source, span.end))


def _astral(text: str) -> int:
    """How many characters take two code units."""
    return 0 if text.isascii() else sum(ord(character) > 0xFFFF for character in text)
