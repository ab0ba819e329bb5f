"""A finding as a card: title, places, suggested change, notes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...analysis.naming import generated_from
from ...analysis.sizes import Formula, in_bytes
from ...ir.source.diagnostics import Diagnostic, Label, Note, Severity, Suggestion
from ...ir.source.locations import Source, Span
from ..render_patch import MAX_PATCH_LINES, hunks, trust
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
