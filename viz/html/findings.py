"""Source with findings beside it: each finding as a card, and the program before and after, by function.

A card has a title, places, a suggested change and notes. Lines are cut into segments, one beginning at each line with findings.
A segment is a grid with its lines in the left column and the cards of its first line in the right one; on a narrow screen the
cards appear right below that line. So the same page works on desktops, phones and paper without a script. Segments are grouped
into chunks that a browser lays out only when they become visible.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...analysis.naming import generated_from
from ...analysis.sizes import Formula, in_bytes
from ...ir.program.core import Operation
from ...ir.source.diagnostics import Diagnostic, Label, Note, Severity, Suggestion, format_plain
from ...ir.source.locations import Source, Span
from ...ir.text.printer import print_operation
from ..render_diagnostic import MAX_PATCH_LINES, hunks, trust
from . import markup
from .markup import Mark, highlight

if TYPE_CHECKING:
    from ...explain.explanation import Explanation


COPY, ALLOCATION, PROBLEM, REMARK = "copy", "alloc", "problem", "remark"
GLYPHS = {COPY: "◆", ALLOCATION: "◇", PROBLEM: "✖", REMARK: "●"}
"""Each kind of finding has a shape, so that colour is never required to distinguish them."""
NAMES = {COPY: "copy", ALLOCATION: "allocation", PROBLEM: "error", REMARK: "remark"}


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A diagnostic and its place in the page.

    Attributes:
        id: the anchor, `f1` for the first.
        kind: COPY, ALLOCATION, PROBLEM or REMARK.
        line: the line it appears beside; 0 if it has none.
        others: findings with the same cause elsewhere.
        size: the bytes moved, in words; empty if nothing is moved.
        verdict: the verdict word; empty if there is none.
        cost: total bytes copied, then allocated.
    """

    id: str
    kind: str
    line: int
    diagnostic: Diagnostic
    others: tuple[Diagnostic, ...] = ()
    size: str = ""
    verdict: str = ""
    cost: tuple[int, int] = (0, 0)

    @property
    def other_lines(self) -> list[int]:
        """The lines of `others`, without duplicates."""
        return sorted({d.span.line for d in self.others if d.span is not None} - {self.line})


def placed(explanation: Explanation, first: int = 1, *, by_place: bool = False) -> list[PlacedFinding]:
    """The diagnostics of one program, numbered: errors, one entry per cause, remarks.

    Causes are ordered by cost, or by place.
    """
    found: list[PlacedFinding] = []

    def add(
        diagnostic: Diagnostic,
        others: tuple[Diagnostic, ...] = (),
        size: str = "",
        verdict: str = "",
        cost: tuple[int, int] = (0, 0),
    ) -> None:
        line = diagnostic.span.line if diagnostic.span is not None else 0
        id = f"f{first + len(found)}"
        found.append(PlacedFinding(id, _kind(diagnostic), line, diagnostic, others, size, verdict, cost))

    for problem in explanation.errors:
        add(problem)
    for group in explanation.groups(by_place=by_place):
        group.findings[0].with_data()  # computes the data that the card shows
        others = tuple(finding.diagnostic for finding in group.findings[1:])
        copying = [finding for finding in group.findings if finding.copies]
        moved = Formula.sum(finding.size for finding in copying or group.findings)
        size = f"{in_bytes(moved)} {'copied' if copying else 'allocated'}" if any(group.cost) else ""
        verdict = group.findings[0].verdict
        add(group.diagnostic(), others, size, str(verdict.word) if verdict is not None else "", group.cost)
    for remark in explanation.remarks:
        add(remark)
    return found


def _kind(diagnostic: Diagnostic) -> str:
    if diagnostic.severity is Severity.ERROR:
        return PROBLEM
    if diagnostic.data.get("copies") is True:
        return COPY
    if diagnostic.data.get("inserted") is True:
        return ALLOCATION
    return REMARK


def marks_by_line(findings: Iterable[PlacedFinding]) -> dict[int, list[Mark]]:
    """The marked columns of each line. Linear in the labels and the lines they cover."""
    found: dict[int, list[Mark]] = {}
    for finding in findings:
        for diagnostic in (finding.diagnostic, *finding.others):
            labels = [*diagnostic.labels, *diagnostic.steps]
            if diagnostic.span is not None and not any(label.span == diagnostic.span for label in labels):
                labels.insert(0, Label(diagnostic.span, "", True))
            for label in labels:
                _mark(label, finding.id, found)
    return found


def _mark(label: Label, finding: str, found: dict[int, list[Mark]]) -> None:
    """Mark a span within one line; of a longer one, its first line."""
    span = label.span
    line, column = span.source.line_column(span.start)
    last, end = span.source.line_column(span.end)
    if last != line:
        end = span.source.line_end(line) - span.source.line_start(line) + 1
    if end > column:
        found.setdefault(line, []).append(Mark(column - 1, end - 1, finding, label.primary))


def card(finding: PlacedFinding, opened: bool) -> str:
    """The finding as HTML."""
    diagnostic = finding.diagnostic
    glyph = markup.tag("span", GLYPHS[finding.kind], _class="glyph", aria_hidden="true")
    kind = markup.tag("span", NAMES[finding.kind] + ": ", _class="unseen")
    code = markup.tag("span", markup.text(diagnostic.code), _class="code") if diagnostic.code else ""
    title = markup.tag("span", quoting(diagnostic.message), _class="title")
    summary = markup.tag("summary", glyph + kind + title + code)
    body = markup.tag("div", _body(diagnostic) + _elsewhere(finding.others), _class="body")
    return markup.tag(
        "details", summary + body, _class=f"card {finding.kind}", id=finding.id, open="" if opened else None
    )


MAX_ELSEWHERE = 200
"""Further places of one cause that a card lists."""


def _elsewhere(others: tuple[Diagnostic, ...]) -> str:
    """The other places of a cause, folded."""
    labels = [Label(d.span, d.message, True) for d in others[:MAX_ELSEWHERE] if d.span is not None]
    if not labels:
        return ""
    summary = markup.tag("summary", f"the same in {markup.counted(len(others), 'more place')}")
    return markup.tag("details", summary + _places(labels, None), _class="proof")


def _body(diagnostic: Diagnostic) -> str:
    parts = [_original(diagnostic.span), _places(diagnostic.labels, diagnostic.span)]
    if diagnostic.origin is not None:
        parts.append(markup.tag("p", "from " + markup.text(diagnostic.origin), _class="lead"))
    if diagnostic.steps:
        parts.append(markup.tag("p", "How they come to share a buffer:", _class="lead"))
        parts.append(_places(diagnostic.steps, None, ordered=True))
    parts += [_note(note) for note in diagnostic.notes]
    parts += [_suggestion(suggestion) for suggestion in diagnostic.suggestions]
    pending = list(reversed(diagnostic.children))
    while pending:
        child = pending.pop()
        parts.append(markup.tag("p", quoting(child.message), _class="child"))
        parts.append(_places(child.labels, child.span))
        parts += [_note(note) for note in child.notes]
        pending += reversed(child.children)
    return "".join(parts)


def _original(span: Span | None) -> str:
    """The line of the model that the program was generated from, if it may be shown."""
    found = generated_from(span) if span is not None else None
    if found is None:
        return ""
    source, line = found
    place = markup.text(f"line {line} of {os.path.basename(source.name)}: ")
    return markup.tag("p", place + markup.tag("code", markup.text(source.line(line).strip())), _class="lead")


def _places(labels: list[Label], span: Span | None, ordered: bool = False) -> str:
    """The places with their labels: in textual order, or as given."""
    labels = list(labels)
    if span is not None and not any(label.span == span for label in labels):
        labels.append(Label(span, "here", True))
    if not ordered:
        labels.sort(key=lambda label: label.span.start)
    if not labels:
        return ""
    rows = []
    for label in labels:
        line, column = label.span.source.line_column(label.span.start)
        link = markup.tag(
            "a", f"{line}", href=f"#L{line}", title=f"line {line}, column {column}", _class="go"
        )
        code = markup.tag("code", _excerpt(label.span, label.primary), _class="x")
        rows.append(
            markup.tag(
                "li",
                link + code + markup.tag("span", quoting(label.text), _class="say"),
                _class="p" if label.primary else None,
            )
        )
    return markup.tag("ol" if ordered else "ul", "".join(rows), _class="places")


EXCERPT = 60


def _excerpt(span: Span, primary: bool) -> str:
    """The line of a span, cut around it."""
    source = span.source
    line, column = source.line_column(span.start)
    raw = source.line(line)
    start = len(raw) - len(raw.lstrip())
    length = max(1, min(span.end - span.start, len(raw) - column + 1))
    left, right = column - 1, column - 1 + length
    if right - left > EXCERPT:
        right = left + EXCERPT
    room = max(0, EXCERPT - (right - left))
    begin = max(start, left - room // 2)
    end = min(len(raw), right + (room - (left - begin)))
    html = highlight(raw[begin:end], [Mark(left - begin, right - begin, "", primary)])
    return ("…" if begin > start else "") + html + ("…" if end < len(raw.rstrip()) else "")


def _note(note: Note) -> str:
    if note.kind == "proof":
        inner = markup.tag("summary", "how this follows from the rules") + markup.tag(
            "pre", markup.text(note.text)
        )
        return markup.tag("details", inner, _class="proof")
    kind = "" if note.kind == "note" else markup.tag("b", markup.text(note.kind) + ": ")
    return markup.tag("p", kind + quoting(note.text), _class="note")


def _suggestion(suggestion: Suggestion) -> str:
    parts = [markup.tag("p", markup.tag("b", "help: ") + quoting(suggestion.title), _class="lead")]
    shown: Source | None = None
    for hunk in hunks(suggestion):
        rows = []
        for lines, sign, kind in ((hunk.before, "−", "del"), (hunk.after, "+", "ins")):
            for index, line in enumerate(lines[:MAX_PATCH_LINES]):
                number = markup.tag("span", f"{hunk.first + index} {sign}", _class="n")
                rows.append(markup.tag("div", number + markup.tag("code", highlight(line)), _class=kind))
            if len(lines) > MAX_PATCH_LINES:
                rows.append(
                    markup.tag("div", "… and " + markup.counted(len(lines) - MAX_PATCH_LINES, "more line"))
                )
        if shown is not None and hunk.source is not shown:
            parts.append(markup.tag("p", markup.text(hunk.source.name)))
        shown = hunk.source
        parts.append(markup.tag("div", "".join(rows), _class="patch"))
    facts = []
    if suggestion.saving:
        facts.append(f"saves {markup.text(suggestion.saving)}")
    facts += [f"{kind}: {markup.text(said)}" for kind, said in trust(suggestion)]
    if facts:
        parts.append(markup.tag("p", " · ".join(facts), _class="fact"))
    return markup.tag("div", "".join(parts), _class="help")


def quoting(message: str) -> str:
    """A message with `%values` and 'quoted names' set as code."""
    pieces = []
    for index, part in enumerate(_split_quotes(message)):
        pieces.append(markup.tag("code", markup.text(part)) if index % 2 else markup.text(part))
    return "".join(pieces)


_CODE = re.compile(
    r"""(?:(?<=\s)|(?<=^)|(?<=\())'?((?:(?<=')[^'\s][^'\n]{0,120}(?='))|%[\w$.\-]*[\w$\-](?:\#\d+)?)'?"""
)


def _split_quotes(message: str) -> list[str]:
    """Alternating plain text and code."""
    return _CODE.split(message)


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
    return markup.tag("p", f"⋯ {markup.counted(count, 'line')} without findings", _class="fold")


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
