"""Source text and positions in it.

A `Source` is one input text with the name a person knows it by; a `Span` is a half-open range of
characters in it. A parser creates a span for every operation, so a span is three words and computes
line and column on request: a report needs a handful, a parse creates hundreds of
thousands.

Conventions, the same everywhere in this package:

* Offsets are 0-based and count characters (Unicode code points) of `Source.text`; `end` is exclusive.
* Lines and columns are 1-based. A column counts characters; `mlir-opt` counts bytes, so the two differ
  on a line with non-ASCII text before the place.
* Only a line feed ends a line. `str.splitlines` would also split at form feeds and U+2028, which an
  editor does not count as lines. A carriage return before the line feed belongs to the line end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from .text import LineNumber

_LINE_FEED = re.compile("\n")


class Source:
    """An input text and its name, a file name or ``<stdin>``.

    A part of a bigger file (one piece of ``--split-input-file``) sets `first_line`, the number of its
    first line in the whole file, so that printed positions match the file, and `first_column`, its start on that line.

    `metadata` is the parsed section `{-# ... #-}` at the end (see `metadata.py`). `locations` are
    the explicit locations, `loc(...)`, by the offset of what they belong to: the name of an operation
    or of a block argument. An operation that a pass creates inherits the offset of the one it replaces, hence its
    location. `originals` are the texts of the files that these locations refer to, by name, as far as they may be
    shown.
    """

    __slots__ = (
        "_line_starts",
        "first_column",
        "first_line",
        "locations",
        "metadata",
        "name",
        "originals",
        "text",
    )

    def __init__(self, name: str, text: str, first_line: int = 1, first_column: int = 0) -> None:
        self.name = name
        self.text = text
        self.first_line = first_line
        self.first_column = first_column
        self._line_starts: list[int] | None = None
        self.metadata: dict[str, Any] = {}
        self.locations: dict[int, Any] = {}
        self.originals: dict[str, Source] = {}

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} characters)"

    def _starts(self) -> list[int]:
        """Offsets at which lines begin. O(text) on the first call."""
        starts = self._line_starts
        if starts is None:
            starts = [0]
            starts.extend(match.end() for match in _LINE_FEED.finditer(self.text))
            self._line_starts = starts
        return starts

    @property
    def last_line(self) -> int:
        """Number of the last line. A text that ends in a line feed has an empty line after it."""
        return self.first_line + len(self._starts()) - 1

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`, which is clamped to the text.

        O(log lines) after the first call.
        """
        offset = max(0, min(offset, len(self.text)))
        starts = self._starts()
        index = bisect_right(starts, offset) - 1
        return self.first_line + index, offset - starts[index] + 1

    def line_start(self, number: int) -> int:
        """Offset of the first character of line `number`. Raises IndexError if there is no such line."""
        index = number - self.first_line
        starts = self._starts()
        if not 0 <= index < len(starts):
            raise IndexError(f"{self.name} has no line {number}")
        return starts[index]

    def line_end(self, number: int) -> int:
        """Offset just after the last character of line `number`, its line end not counted."""
        start = self.line_start(number)
        starts = self._starts()
        index = number - self.first_line + 1
        if index == len(starts):
            return len(self.text)
        end = starts[index] - 1
        return end - 1 if end > start and self.text[end - 1] == "\r" else end

    def line(self, number: int) -> str:
        """Text of line `number` without its line end. Raises IndexError if there is no such line."""
        return self.text[self.line_start(number) : self.line_end(number)]

    def offset(self, line: int, column: int) -> int:
        """Inverse of `line_column`; a column past the end of the line is clamped to its end."""
        return min(self.line_start(line) + max(column, 1) - 1, self.line_end(line))

    def span(self, start: int, end: int | None = None) -> Span:
        """The range from `start` to `end`, or the empty range at `start`."""
        return Span(self, start, start if end is None else end)

    def part(self, start: int, end: int) -> Source:
        """The text from `start` to `end` as a source of its own that keeps its line numbers.

        `start` should begin a line; otherwise columns on the first line count from `start`.
        """
        return Source(self.name, self.text[start:end], self.line_column(start)[0])


class Span:
    """The characters `start` to `end` (exclusive) of `source`. Immutable.

    An empty span is a place between two characters. Spans are equal if they are the same range of
    the same source object.
    """

    __slots__ = ("end", "source", "start")

    source: Source
    start: int
    end: int

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return self.source is other.source and self.start == other.start and self.end == other.end

    def __hash__(self) -> int:
        return hash((id(self.source), self.start, self.end))

    def __repr__(self) -> str:
        return f"Span({self}, {self.end - self.start} characters)"

    def __str__(self) -> str:
        line, column = self.source.line_column(self.start)
        return f"{self.source.name}:{line}:{column}"

    @property
    def line(self) -> LineNumber:
        return LineNumber(self.source.line_column(self.start)[0])

    @property
    def column(self) -> int:
        return self.source.line_column(self.start)[1]

    @property
    def end_line_column(self) -> tuple[LineNumber, int]:
        """Line and column of the place just after the last character."""
        line, column = self.source.line_column(self.end)
        return LineNumber(line), column

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The smallest span that contains both. Both must be of one source."""
        assert self.source is other.source
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


Where = tuple[Source, int, int, int]
"""Source, start of an operation (its results), start of its name, end (exclusive); character offsets."""


def name_span(where: Where) -> Span:
    """The name of the operation at `where`, quotes included. O(name)."""
    source, _, start, end = where
    text = source.text
    stop = start + 1 if start < end and text[start] == '"' else start
    while stop < end and (text[stop].isalnum() or text[stop] in "._$"):
        stop += 1
    return Span(source, start, min(end, stop + 1) if text[start : start + 1] == '"' else stop)
