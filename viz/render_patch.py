"""Suggestions as text: lines before and after, and the saving.

    help: read the element before it is overwritten
      |
    2 -   %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    2 +   %1 = tensor.extract %t[%i] : tensor<4xf32>
      |
      = saves: a copy of 16 bytes

Where text is only inserted within a line, the new line is shown with plus signs under what is new.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.source.diagnostics import Edit, Suggestion
from ..ir.source.locations import Source
from ..ir.source.records import record
from .render_snippet import LineWindow, marks_that_fit
from .render_style import Glyphs, PrintedLine, wrap

MAX_PATCH_LINES = 40
"""Lines printed per side of a patch; longer ones are truncated."""

Piece = tuple[int, int]


@record()
class Hunk:
    """Lines `first` and following of a source, before and after, with the changed ranges of each line."""

    source: Source
    first: int
    before: list[str]
    after: list[str]
    removed: list[list[Piece]]
    added: list[list[Piece]]
    inserts_only: bool


def hunks(suggestion: Suggestion) -> list[Hunk]:
    """The changed lines in textual order; edits on the same or adjacent lines are merged.

    An edit that overlaps its predecessor is dropped: the suggestion is malformed, but the rest is still
    worth showing.
    """
    by_source: dict[int, list[Edit]] = {}
    for edit in suggestion.edits:
        by_source.setdefault(id(edit.span.source), []).append(edit)
    result: list[Hunk] = []
    for edits in by_source.values():
        edits.sort(key=lambda edit: (edit.span.start, edit.span.end))
        source = edits[0].span.source
        group: list[Edit] = []
        last_line = position = 0
        for edit in edits:
            if edit.span.start < position:
                continue
            position = edit.span.end
            line = source.line_column(edit.span.start)[0]
            if group and line > last_line + 1:
                result.append(_hunk(source, group))
                group = []
            group.append(edit)
            last_line = source.line_column(edit.span.end)[0]
        result.append(_hunk(source, group))
    return result


def _hunk(source: Source, edits: list[Edit]) -> Hunk:
    first = source.line_column(edits[0].span.start)[0]
    last = source.line_column(edits[-1].span.end)[0]
    start, end = source.line_start(first), source.line_end(last)
    after = _Lines()
    before = _Lines()
    position = start
    for edit in edits:
        between = source.text[position : max(position, edit.span.start)]
        before.add(between, False)
        after.add(between, False)
        before.add(edit.span.text, True)
        after.add(edit.replacement, True)
        position = max(position, edit.span.end)
    rest = source.text[position : max(position, end)]
    before.add(rest, False)
    after.add(rest, False)
    inserts = all(edit.span.start == edit.span.end and "\n" not in edit.replacement for edit in edits)
    hunk = Hunk(source, first, before.lines, after.lines, before.changed, after.changed, inserts)
    _trim(hunk)
    return hunk


class _Lines:
    """Accumulates text line by line, with the changed ranges of each line."""

    def __init__(self) -> None:
        self.lines = [""]
        self.changed: list[list[Piece]] = [[]]

    def add(self, text: str, changed: bool) -> None:
        for index, part in enumerate(text.replace("\r\n", "\n").split("\n")):
            if index:
                self.lines.append("")
                self.changed.append([])
            start = len(self.lines[-1])
            self.lines[-1] += part
            if changed and part:
                self.changed[-1].append((start, start + len(part)))


def _trim(hunk: Hunk) -> None:
    """Drop equal lines at both ends, but keep one as context if nothing is removed."""
    while len(hunk.before) > 1 and len(hunk.after) > 1 and hunk.before[-1] == hunk.after[-1]:
        for lines in (hunk.before, hunk.after, hunk.removed, hunk.added):
            lines.pop()
    same = 0
    shorter = min(len(hunk.before), len(hunk.after)) - 1
    while same < shorter and hunk.before[same] == hunk.after[same]:
        same += 1
    for lines in (hunk.before, hunk.after, hunk.removed, hunk.added):
        del lines[:same]
    hunk.first += same


def gutter_width(suggestion: Suggestion) -> int:
    """Digits of the greatest line number the patch shows."""
    widths = [1]
    for hunk in hunks(suggestion):
        lines = min(MAX_PATCH_LINES, max(len(hunk.before), len(hunk.after)))
        widths.append(len(str(hunk.first + lines - 1)))
    return max(widths)


def render_patch(
    suggestion: Suggestion, shown: Source | None, gutter: int, width: int, glyphs: Glyphs
) -> list[PrintedLine]:
    """The patch below its title. `shown` is the source whose name the reader has already seen."""
    rows: list[PrintedLine] = []
    for hunk in hunks(suggestion):
        if hunk.source is not shown:
            row = _new(rows)
            column = gutter + 3 - len(glyphs.place)
            row.put(column, f"{glyphs.place} {hunk.source.name}:{hunk.first}", "border")
            shown = hunk.source
        _border(rows, gutter, glyphs)
        if hunk.inserts_only:
            _draw_inserted(rows, hunk, gutter, width, glyphs)
        else:
            _draw_replaced(rows, hunk, gutter, width, glyphs)
    facts: list[tuple[str, str]] = []
    if suggestion.saving:
        facts.append(("saves", suggestion.saving))
    facts += trust(suggestion)
    if facts and rows:
        _border(rows, gutter, glyphs)
    rows.extend(note_rows(facts, gutter, width, glyphs))
    return rows


def trust(suggestion: Suggestion) -> list[tuple[str, str]]:
    """How safe a suggestion is: its applicability, and that it was tried."""
    tried = "the changed program was analysed again"
    if suggestion.applicability is None:
        return [("verified", tried)] if suggestion.verified else []
    said = suggestion.applicability.meaning
    return [(str(suggestion.applicability), f"{said}; {tried}" if suggestion.verified else said)]


def note_rows(notes: Iterable[tuple[str, str]], gutter: int, width: int, glyphs: Glyphs) -> list[PrintedLine]:
    """``= kind: text`` below a snippet, the text aligned with itself where it is broken."""
    notes = list(notes)
    rows: list[PrintedLine] = []
    for index, (kind, text) in enumerate(notes):
        last = index == len(notes) - 1
        bullet = glyphs.last_note if last else glyphs.note
        label = " ".join(wrap(kind, width, glyphs.unknown)) + ":"
        column = gutter + 3 + len(label) + 1
        if column > width // 2:
            column = gutter + 5
        for number, line in enumerate(wrap(text, width - column, glyphs.unknown)):
            row = _new(rows)
            if number == 0:
                row.put(gutter + 1, bullet, "border")
                after = row.put(gutter + 3, label, "title") + 1
                if after > column and line:
                    row = _new(rows)
            elif not last and glyphs.note != glyphs.last_note:
                row.put(gutter + 1, glyphs.border, "border")
            row.put(column, line)
    return rows


def _new(rows: list[PrintedLine]) -> PrintedLine:
    rows.append(PrintedLine())
    return rows[-1]


def _border(rows: list[PrintedLine], gutter: int, glyphs: Glyphs) -> None:
    _new(rows).put(gutter + 1, glyphs.border, "border")


def _draw_inserted(rows: list[PrintedLine], hunk: Hunk, gutter: int, width: int, glyphs: Glyphs) -> None:
    left = gutter + 3
    for number, (line, added) in enumerate(zip(hunk.after, hunk.added, strict=True), hunk.first):
        for group in marks_that_fit(line, added, width - left, glyphs):
            pieces = [added[index] for index in group]
            window = LineWindow(line, pieces, width - left, glyphs)
            row = _new(rows)
            row.put(0, str(number).rjust(gutter), "border")
            row.put(gutter + 1, glyphs.border, "border")
            window.draw(row, left)
            if pieces:
                row = _new(rows)
                row.put(gutter + 1, glyphs.border, "border")
                for columns in window.marks:
                    start, stop = window.display(columns)
                    row.put(left + start, "+" * (stop - start), "changed-added")


def _draw_replaced(rows: list[PrintedLine], hunk: Hunk, gutter: int, width: int, glyphs: Glyphs) -> None:
    left = gutter + 3
    context = set(hunk.before) if len(hunk.before) == 1 and not hunk.removed[0] else set()
    sides = ((hunk.before, hunk.removed, "-", "removed"), (hunk.after, hunk.added, "+", "added"))
    for lines, changed, sign, style in sides:
        if sign == "-" and context & set(hunk.after):
            continue  # only whole lines are inserted; the old line follows as context
        for number, (line, pieces) in enumerate(zip(lines, changed, strict=True), hunk.first):
            if number - hunk.first == MAX_PATCH_LINES:
                _new(rows).put(0, glyphs.skipped, "border")
                break
            if sign == "-" or line not in context:
                mark, mark_style = sign, style
            else:
                mark, mark_style = glyphs.border, "border"
            for group in marks_that_fit(line, pieces, width - left, glyphs):
                window = LineWindow(line, [pieces[index] for index in group], width - left, glyphs)
                row = _new(rows)
                row.put(0, str(number).rjust(gutter), "border")
                row.put(gutter + 1, mark, mark_style)
                window.draw(row, left, "" if mark_style == "border" else style)
