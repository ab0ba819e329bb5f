"""The source with its explanations beside it.

Lines are cut into segments: one begins at each line that has findings. A segment is a grid whose left column has the lines
and whose right column has the cards of its first line; on a narrow screen the cards come right below that line. So the
same page serves desks, phones and paper without a script. Segments are put into chunks that a browser lays out only when
they come into view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.source.locations import Source
from . import markup
from .findings import GLYPHS, NAMES, PlacedFinding, card, marks_by_line
from .markup import Mark, highlight

CHUNK_LINES = 60
MAX_LINES = 12_000
"""Lines shown. Of a longer program, those far from all findings are left out, and the page says how many."""
NEARBY = 25
"""Lines kept around each line a finding speaks of when others are left out."""
OPEN_AT_MOST = 3
"""If there are more findings, all are folded: one unfolded among many would tear the text apart."""


def source_view(source: Source, findings: Sequence[PlacedFinding]) -> str:
    """The source as HTML. Linear in its text and in the findings."""
    by_line: dict[int, list[PlacedFinding]] = {}
    for finding in findings:
        if finding.line:
            by_line.setdefault(finding.line, []).append(finding)
    elsewhere: dict[int, list[PlacedFinding]] = {}
    for finding in findings:
        for line in finding.other_lines:
            elsewhere.setdefault(line, []).append(finding)
    marks = marks_by_line(findings)
    opened = {finding.id for finding in (findings if len(findings) <= OPEN_AT_MOST else ())}
    last = last_line(source)
    chunks: list[str] = []
    expected = source.first_line
    for begin, end in _shown(source.first_line, last, {*marks, *by_line, *elsewhere}):
        if begin > expected:
            chunks.append(_left_out(begin - expected))
        expected = end + 1
        segments: list[str] = []
        size = 0
        for first, stop in _segments(begin, end, by_line):
            lines = [
                code_line(n, source.line(n), marks.get(n, ()), [*by_line.get(n, ()), *elsewhere.get(n, ())])
                for n in range(first, stop + 1)
            ]
            segments.append(_segment(lines, by_line.get(first, []), opened))
            size += len(lines)
            if size >= CHUNK_LINES:
                chunks.append(markup.tag("div", "".join(segments), _class="chunk"))
                segments, size = [], 0
        chunks.append(markup.tag("div", "".join(segments), _class="chunk"))
    if expected <= last:
        chunks.append(_left_out(last + 1 - expected))
    return "".join(chunks)


def last_line(source: Source) -> int:
    """The number of the last line that has text, or of the first."""
    last = source.last_line
    return last - 1 if last > source.first_line and not source.line(last) else last


def _shown(first: int, last: int, spoken_of: set[int]) -> list[tuple[int, int]]:
    """The ranges of lines to show: all, or in a long program those near findings, up to MAX_LINES together."""
    if last - first < MAX_LINES:
        return [(first, last)]
    ranges: list[tuple[int, int]] = []
    total = 0
    for line in sorted({first, *spoken_of}):
        begin, end = max(first, line - NEARBY), min(last, line + NEARBY)
        if ranges and begin <= ranges[-1][1] + 1:
            total += end - ranges[-1][1]
            ranges[-1] = (ranges[-1][0], end)
        else:
            total += end - begin + 1
            ranges.append((begin, end))
        if total >= MAX_LINES:
            break
    return ranges


def _segments(begin: int, end: int, by_line: dict[int, list[PlacedFinding]]) -> Iterator[tuple[int, int]]:
    """Cut a range before each line with findings, and where it gets longer than a chunk."""
    first = begin
    for number in range(begin + 1, end + 1):
        if number in by_line or number - first >= CHUNK_LINES:
            yield first, number - 1
            first = number
    yield first, end


def _left_out(count: int) -> str:
    return markup.tag("p", f"⋯ {markup.counted(count, 'line')} that no finding speaks of", _class="fold")


def code_line(number: int, raw: str, marks: Sequence[Mark], findings: Sequence[PlacedFinding]) -> str:
    """One line: its number, what is found in it, and the text."""
    link = markup.tag("a", str(number), href=f"#L{number}", _class="n", tabindex="-1")
    signs = "".join(
        markup.tag(
            "a",
            GLYPHS[finding.kind],
            href=f"#{finding.id}",
            _class=f"k {finding.kind}",
            title=f"{NAMES[finding.kind]}: {finding.diagnostic.message}",
            aria_label=f"{NAMES[finding.kind]} on line {number}: {finding.diagnostic.message}",
        )
        for finding in findings[:3]
    )
    margin = markup.tag("span", signs, _class="g")
    code = markup.tag("code", highlight(raw, marks) or "&#8203;")
    return markup.tag("div", link + margin + code, _class="l", id=f"L{number}")


def _segment(lines: list[str], beside: list[PlacedFinding], opened: set[str]) -> str:
    if not beside:
        return markup.tag("div", markup.tag("div", "".join(lines), _class="rest"), _class="seg")
    cards = "".join(card(finding, finding.id in opened) for finding in beside)
    inner = (
        markup.tag("div", lines[0], _class="first")
        + markup.tag("aside", cards)
        + markup.tag("div", "".join(lines[1:]), _class="rest")
    )
    return markup.tag("div", inner, _class="seg")
