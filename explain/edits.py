"""Changing a source text, for suggestions: what is suggested is text, so that what is tried is exactly what is shown."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.places import whole_lines
from ..ir.program.core import Operation
from ..ir.source.diagnostics import Edit
from ..ir.source.places import Source, Span
from ..ir.source.records import record


@record(frozen=True)
class Candidate:
    """A change that may save copies.

    Attributes:
        title: what to do, in the imperative.
        edits: the change.
        permission: whether it promises something about memory that only the author knows.
    """

    title: str
    edits: tuple[Edit, ...]
    permission: bool = False


def apply_edits(source: Source, edits: Sequence[Edit], within: Span | None = None) -> str | None:
    """The text, or the piece `within`, with all edits made; None if they overlap or belong to another source."""
    ordered = sorted(edits, key=lambda edit: (edit.span.start, edit.span.end))
    pieces: list[str] = []
    position, end = (0, len(source.text)) if within is None else (within.start, within.end)
    for edit in ordered:
        if edit.span.source is not source or edit.span.start < position:
            return None
        pieces += [source.text[position : edit.span.start], edit.replacement]
        position = edit.span.end
    pieces.append(source.text[position:end])
    return "".join(pieces)


def move_before(ops: Sequence[Operation], anchor: Operation) -> list[Edit] | None:
    """Edits that move the lines of `ops` to stand before `anchor`; None if they share lines with other things."""
    target = whole_lines(anchor) or _line_start(anchor)
    edits = _move(ops, target.start if target is not None else None)
    if edits and target is not None and ops[0].block is not anchor.block:
        edits[0].replacement = _indented_like(edits[0].replacement, target)
    return edits


def move_after(ops: Sequence[Operation], anchor: Operation) -> list[Edit] | None:
    """Edits that move the lines of `ops` to stand right behind `anchor`."""
    target = whole_lines(anchor)
    return _move(ops, target.end if target is not None else None)


def _indented_like(text: str, target: Span) -> str:
    """Lines moved out of a region, with the indentation that the line at `target` has."""
    line = target.source.text[target.start :].partition("\n")[0]
    before, own = text[: len(text) - len(text.lstrip())], line[: len(line) - len(line.lstrip())]
    return "".join(own + part.removeprefix(before) for part in text.splitlines(keepends=True))


def _move(ops: Sequence[Operation], position: int | None) -> list[Edit] | None:
    if position is None:
        return None
    lines = [whole_lines(op) for op in ops]
    if not lines or any(line is None for line in lines):
        return None
    spans = [line for line in lines if line is not None]
    source = spans[0].source
    text = "".join(span.text if span.text.endswith("\n") else span.text + "\n" for span in spans)
    return [Edit(Span(source, position, position), text)] + [Edit(span, "") for span in spans]


def _line_start(op: Operation) -> Span | None:
    """The start of the line on which an operation begins, if nothing else stands before it there."""
    if op.where is None:
        return None
    source, start, _, _ = op.where
    line_start = source.text.rfind("\n", 0, start) + 1
    return None if source.text[line_start:start].strip() else Span(source, line_start, line_start)
