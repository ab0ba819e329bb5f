"""Diagnostics as text for people.

    remark[read-after-write]: this operand is bufferized out of place
     --> cell.mlir:2:30
      |
    2 |   %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
      |                              ^^ writing here would overwrite %t
    3 |   %1 = tensor.extract %t[%i] : tensor<4xf32>
      |                       -- whose old value is read here
      = note: raw_conflict, rule R3; --explain prints the derivation
      = help: an allocation and a copy are inserted before this operation

Rendering is a function of the diagnostic and of width, colour and character set; it prints nothing and
asks nothing of the environment (`render_style` has functions that do). The order is: title, the snippet
of the main source, those of other sources, notes, attached findings, suggestions. The work is linear in
what is drawn, however long the text or its lines.

A suggestion shows lines before and after, and the saving. Where text is only inserted within a line, the new line is shown with
plus signs under what is new:

    help: read the element before it is overwritten
      |
    2 -   %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    2 +   %1 = tensor.extract %t[%i] : tensor<4xf32>
      |
      = saves: a copy of 16 bytes
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..ir.source.diagnostics import Diagnostic, Edit, Label, Severity, Suggestion
from ..ir.source.locations import Source, Span
from ..ir.source.records import record
from .render_snippet import Annotation, LineWindow, Snippet, marks_that_fit
from .render_style import (
    ASCII,
    DEFAULT_WIDTH,
    MINIMUM_WIDTH,
    UNICODE,
    Glyphs,
    PrintedLine,
    display_width,
    wrap,
)

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


def render_diagnostic(
    diagnostic: Diagnostic, *, width: int = DEFAULT_WIDTH, color: bool = False, unicode: bool = False
) -> str:
    """The diagnostic as text of at most `width` columns, without a line feed at the end.

    A single word that is wider stays whole; a `width` below 40 counts as 40.
    """
    glyphs = UNICODE if unicode else ASCII
    return "\n".join(row.render(color) for row in _rows(diagnostic, max(width, MINIMUM_WIDTH), glyphs))


def render_diagnostics(
    diagnostics: Iterable[Diagnostic],
    *,
    width: int = DEFAULT_WIDTH,
    color: bool = False,
    unicode: bool = False,
) -> str:
    """Several diagnostics, an empty line between them."""
    return "\n\n".join(
        render_diagnostic(diagnostic, width=width, color=color, unicode=unicode) for diagnostic in diagnostics
    )


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """``2 errors, 1 warning``; empty if there is nothing to count."""
    counts = dict.fromkeys(Severity, 0)
    for diagnostic in diagnostics:
        counts[diagnostic.severity] += 1
    return ", ".join(f"{n} {severity}{'s' if n > 1 else ''}" for severity, n in counts.items() if n)


def all_labels(diagnostic: Diagnostic) -> list[Label]:
    """The labels as drawn: steps are numbered and added, and the span is marked.

    The span's mark is a primary label that touches it; otherwise a label at the same place becomes primary;
    otherwise a primary label without text is added.
    """
    labels = [Label(label.span, label.text, label.primary) for label in diagnostic.labels]
    span = diagnostic.primary_span
    if span is not None and not any(label.primary and _touch(label.span, span) for label in labels):
        same = next((label for label in labels if label.span == span), None)
        if same is None:
            labels.insert(0, Label(span, "", True))
        else:
            same.primary = True
    labels += [Label(step.span, f"({n}) {step.text}") for n, step in enumerate(diagnostic.steps, 1)]
    return labels


def _touch(one: Span, other: Span) -> bool:
    return one.source is other.source and one.start <= other.end and other.start <= one.end


def _snippets(diagnostic: Diagnostic) -> list[tuple[Snippet, Span]]:
    """A snippet per source, the main one first, with the place in its header."""
    style = str(diagnostic.severity)
    span = diagnostic.primary_span
    by_source: dict[int, tuple[Source, list[Label]]] = {}
    if span is not None:
        by_source[id(span.source)] = (span.source, [])
    for label in all_labels(diagnostic):
        by_source.setdefault(id(label.span.source), (label.span.source, []))[1].append(label)
    result: list[tuple[Snippet, Span]] = []
    for source, labels in by_source.values():
        annotations = (
            Annotation(label.span, label.text, style if label.primary else "secondary", label.primary)
            for label in labels
        )
        place = span if span is not None and span.source is source else labels[0].span
        result.append((Snippet(source, annotations), place))
    return result


def _flattened(diagnostic: Diagnostic) -> tuple[list[Diagnostic], list[tuple[str, str]]]:
    """The diagnostic and its attached ones with a place, in order; and notes from the others."""
    placed: list[Diagnostic] = []
    notes: list[tuple[str, str]] = []
    pending = [diagnostic]
    while pending:
        current = pending.pop()
        if current is diagnostic or current.primary_span is not None or current.suggestions:
            placed.append(current)
        else:
            notes.append((str(current.severity), current.message))
            notes.extend((note.kind, note.text) for note in current.notes)
        pending.extend(reversed(current.children))
    return placed, notes


def _rows(diagnostic: Diagnostic, width: int, glyphs: Glyphs) -> list[PrintedLine]:
    placed, further_notes = _flattened(diagnostic)
    snippets = [_snippets(current) for current in placed]
    originals = [span for span in map(_original, placed) if span is not None]
    suggestions = [suggestion for current in placed for suggestion in current.suggestions]
    gutter = max(
        1,
        *(len(str(snippet.lines[-1])) for several in snippets for snippet, _ in several),
        *map(gutter_width, suggestions),
        *(len(str(span.source.line_column(span.start)[0])) for span in originals),
        *(1, 1),
    )
    rows: list[PrintedLine] = []
    for current, several in zip(placed, snippets, strict=True):
        rows += _title(current, width, glyphs)
        if not several and current.origin:
            row = PrintedLine()
            row.put(
                gutter + 3 - len(glyphs.place), f"{glyphs.place} {_name(current.origin, glyphs)}", "border"
            )
            rows.append(row)
        original = _original(current)
        if original is not None and several:
            rows += _header(original, False, gutter, glyphs, None)
            rows += Snippet(original.source, [Annotation(original, "", str(current.severity), True)]).render(
                gutter, width, glyphs
            )
        for index, (snippet, place) in enumerate(several):
            stated = None if index or original is not None else current.origin
            rows += _header(place, index > 0 or original is not None, gutter, glyphs, stated)
            rows += snippet.render(gutter, width, glyphs)
        notes = [(note.kind, note.text) for note in current.notes]
        if current is diagnostic:
            notes += further_notes
        rows += note_rows(notes, gutter, width, glyphs)
    shown = diagnostic.primary_span
    for suggestion in suggestions:
        rows += _wrapped("help", "help", suggestion.title, width, glyphs)
        rows += render_patch(suggestion, shown.source if shown else None, gutter, width, glyphs)
    return rows


def _original(diagnostic: Diagnostic) -> Span | None:
    """The finding's position in the file that the program was generated from, if that file may be shown."""
    span = diagnostic.primary_span
    if span is None or not span.source.originals or diagnostic.origin is None:
        return None
    name, _, place = diagnostic.origin.rpartition(":")
    name, _, line = name.rpartition(":")
    source = span.source.originals.get(name)
    if source is None or not (line.isdigit() and place.isdigit()) or not 1 <= int(line) <= source.last_line:
        return None
    start = source.line_start(int(line)) + max(int(place) - 1, 0)
    end = source.text.find("\n", start)
    end = len(source.text) if end == -1 else end
    return source.span(end - len(source.text[start:end].lstrip()), end)


def _title(diagnostic: Diagnostic, width: int, glyphs: Glyphs) -> Sequence[PrintedLine]:
    code = f"[{_name(diagnostic.code, glyphs)}]" if diagnostic.code else ""
    severity = str(diagnostic.severity)
    return _wrapped(severity + code, severity, diagnostic.message, width, glyphs)


def _wrapped(label: str, style: str, text: str, width: int, glyphs: Glyphs) -> list[PrintedLine]:
    """``label: text``, wrapped below the first word of the text if there is room."""
    indent = display_width(label) + 2
    first_indent = indent
    if indent > width // 2:
        indent = 4
    lines = wrap(text, width - first_indent, glyphs.unknown)
    if first_indent != indent:
        # Beside a long label few words fit: wrap again with the label as a word of the first line.
        lines = wrap(f"{label}: {text}", width - indent, glyphs.unknown)
        lines[0] = lines[0][len(label) + 2 :]
    rows: list[PrintedLine] = []
    for number, line in enumerate(lines):
        row = PrintedLine()
        if number == 0:
            column = row.put(0, label, style)
            row.put(column, ":", "title")
            if line:
                row.put(column + 2, line, "title")
        else:
            row.put(indent, line, "title")
        rows.append(row)
    return rows


def _header(place: Span, another: bool, gutter: int, glyphs: Glyphs, origin: str | None) -> list[PrintedLine]:
    """`--> cell.mlir:2:3`, with the program's explicit location."""
    rows: list[PrintedLine] = []
    if another:
        rows.append(PrintedLine())
        rows[-1].put(gutter + 1, glyphs.border, "border")
    arrow = glyphs.other_place if another else glyphs.place
    line, column = place.source.line_column(place.start)
    rows.append(PrintedLine())
    after = rows[-1].put(gutter + 3 - len(arrow), arrow, "border")
    comes_from = f" (from {_name(origin, glyphs)})" if origin else ""
    rows[-1].put(after + 1, f"{_name(place.source.name, glyphs)}:{line}:{column}{comes_from}")
    rows.append(PrintedLine())
    rows[-1].put(gutter + 1, glyphs.border, "border")
    return rows


def _name(text: str, glyphs: Glyphs) -> str:
    return " ".join(wrap(text, 1_000_000, glyphs.unknown))
