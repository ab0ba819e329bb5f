"""Source with findings beside it, and the program before and after, by function.

Lines are cut into segments, one beginning at each line with findings. A segment is a grid with its lines in the left
column and the cards of its first line in the right one; on a narrow screen the cards appear right below that line. So
the same page works on desktops, phones and paper without a script. Segments are grouped into chunks that a browser lays
out only when they become visible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...ir.program.core import Operation
from ...ir.source.diagnostics import Diagnostic, format_plain
from ...ir.source.locations import Source
from ...ir.text.printer import print_operation
from . import markup
from .findings import GLYPHS, NAMES, PlacedFinding, card, marks_by_line
from .markup import Mark, highlight

CHUNK_LINES = 60
MAX_LINES = 12_000
"""Lines shown. In a longer program, lines far from all findings are omitted, and the page says how many."""
NEARBY = 25
"""Lines kept around each line with a finding when others are omitted."""
OPEN_AT_MOST = 3
"""If there are more findings, all are folded, so as not to tear the text apart."""


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
    """The number of the last line with text, or of the first line."""
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
    """Cut a range before each line with findings, and where it exceeds a chunk."""
    first = begin
    for number in range(begin + 1, end + 1):
        if number in by_line or number - first >= CHUNK_LINES:
            yield first, number - 1
            first = number
    yield first, end


def _left_out(count: int) -> str:
    return markup.tag("p", f"⋯ {markup.counted(count, 'line')} that no finding speaks of", _class="fold")


def code_line(number: int, raw: str, marks: Sequence[Mark], findings: Sequence[PlacedFinding]) -> str:
    """One line: its number, its findings, and its text."""
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


# The program before and after, side by side, function by function.
#
# This module does not run passes; it receives their result. Lines of the result that allocate, copy or free are marked
# in the margin, as they are what readers look for.

SIGNS = {
    "memref.alloc": ("◇", "alloc", "allocates"),
    "memref.alloca": ("◇", "alloc", "allocates on the stack"),
    "memref.realloc": ("◇", "alloc", "allocates anew"),
    "memref.copy": ("◆", "copy", "copies"),
    "linalg.copy": ("◆", "copy", "copies"),
    "bufferization.clone": ("◆", "copy", "copies"),
    "memref.dealloc": ("✕", "free", "frees"),
    "bufferization.dealloc": ("✕", "free", "frees what is owned"),
}
MAX_COMPARED_LINES = 6_000
"""Bound on the lines of each side, over all functions."""
OPEN_COMPARISONS = 2


@dataclass
class After:
    """The result of the passes on a program.

    Attributes:
        module: the resulting program, if they succeeded.
        buffers: the program after bufferization, before deallocation; None if other passes were requested.
        pipeline: the passes as a user would write them.
        diagnostics: their diagnostics.
    """

    module: Operation | None = None
    buffers: Operation | None = None
    pipeline: str = ""
    diagnostics: list[Diagnostic] = field(default_factory=list)


def _name(op: Operation) -> str:
    return getattr(op.properties.get("sym_name"), "value", "") or ""


def side_by_side(before: Operation, source: Source, after: After, said: Mapping[str, str]) -> str:
    """Both programs as HTML.

    Args:
        said: for functions that copy, a description; others are described by the lines of the result.
    """
    parts: list[str] = []
    if after.pipeline:
        parts.append(
            markup.tag("p", "After " + markup.tag("code", markup.text(after.pipeline)), _class="say")
        )
    if after.diagnostics:
        errors = "\n".join(format_plain(diagnostic) for diagnostic in after.diagnostics)
        parts.append(markup.tag("pre", markup.text(errors), _class="said"))
    if after.module is None:
        return "".join(parts)
    olds, news = _texts(before, source), _texts(after.module, None)
    names = list(dict.fromkeys([*olds, *news]))
    shown = 0
    for index, name in enumerate(names):
        left, right = olds.get(name, []), news.get(name, [])
        shown += max(len(left), len(right))
        if shown > MAX_COMPARED_LINES and index:
            parts.append(
                markup.tag(
                    "p", f"⋯ {markup.counted(len(names) - index, 'more part')} left out", _class="fold"
                )
            )
            break
        parts.append(_pair(name, left, right, said.get(name.removeprefix("@"), ""), index < OPEN_COMPARISONS))
    return "".join(parts)


def _texts(module: Operation, source: Source | None) -> dict[str, list[str]]:
    """The lines of each function and other top-level operation, by the name that pairs them."""
    found: dict[str, list[str]] = {}
    count = 0
    for op in module.regions[0].blocks[0] if module.regions and module.regions[0].blocks else ():
        if source is not None and op.where is not None:
            raw = source.text[op.where[1] : op.where[3]]
            column = source.line_column(op.where[1])[1]
            raw = " " * (column - 1) + raw
        else:
            raw = print_operation(op)
        name = f"@{_name(op)}" if _name(op) else f"{op.name} {(count := count + 1)}"
        found[name] = _unindented(raw.rstrip("\n").split("\n"))
    return found


def _unindented(lines: list[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return [line[margin:].rstrip("\r") for line in lines]


def _pair(name: str, left: list[str], right: list[str], said: str, opened: bool) -> str:
    counts: dict[str, int] = {}
    rows = "".join(_line(line, counts) for line in right[:MAX_COMPARED_LINES])
    tally = said or ", ".join(
        f"{what} {count} times" if count > 1 else f"{what} once" for what, count in counts.items()
    )
    summary = markup.tag(
        "summary",
        markup.tag("code", markup.text(name))
        + markup.tag("span", tally or "no memory operations", _class="tally"),
    )
    old = markup.tag(
        "div",
        markup.tag("h4", "before") + "".join(_line(line, {}) for line in left[:MAX_COMPARED_LINES]),
        _class="side",
    )
    new = markup.tag("div", markup.tag("h4", "after") + (rows or markup.tag("p", "gone")), _class="side")
    if not left:
        old = markup.tag(
            "div", markup.tag("h4", "before") + markup.tag("p", "not there: a pass added it"), _class="side"
        )
    return markup.tag(
        "details",
        summary + markup.tag("div", old + new, _class="pair"),
        open="" if opened else None,
        _class="both",
    )


def _line(raw: str, counts: dict[str, int]) -> str:
    sign, kind = "", ""
    for word in raw.replace("(", " ").split()[:6]:
        if word in SIGNS:
            glyph, kind, what = SIGNS[word]
            counts[what] = counts.get(what, 0) + 1
            sign = markup.tag("span", glyph, _class=f"k {kind}", title=what)
            break
    margin = markup.tag("span", sign, _class="g")
    return markup.tag(
        "div", margin + markup.tag("code", highlight(raw) or "&#8203;"), _class=f"l {kind}".strip()
    )
