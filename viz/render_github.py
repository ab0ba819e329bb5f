"""Diagnostics as GitHub workflow commands, which show them beside the lines of a pull request.

    ::warning file=cell.mlir,line=2,endLine=2,col=30,endColumn=32,title=read-after-write::MESSAGE

Commands are lines; what would end a line, a value or a list of values is percent-encoded.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.source.diagnostics import Diagnostic
from .render_style import clean

_COMMANDS = {"error": "error", "warning": "warning", "remark": "notice", "note": "notice"}


def to_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One command per diagnostic, one per line; labels, notes and steps are part of the message."""
    return "\n".join(_command(diagnostic) for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, object] = {}
    span = diagnostic.primary_span
    if span is not None:
        line, column = span.source.line_column(span.start)
        end_line, end_column = span.source.line_column(span.end)
        properties |= {"file": span.source.name, "line": line, "endLine": end_line}
        if line == end_line:  # columns are refused if there are several lines
            properties |= {"col": column, "endColumn": max(end_column, column + 1)}
    if diagnostic.code:
        properties["title"] = diagnostic.code
    listed = ",".join(f"{name}={_escape_property(str(value))}" for name, value in properties.items())
    level = _COMMANDS[diagnostic.severity]
    return f"::{level} {listed}::{_escape(_message(diagnostic))}"


def _message(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message]
    if diagnostic.origin is not None:
        lines.append(f"from {diagnostic.origin}")
    for label in diagnostic.labels:
        if label.text:
            lines.append(f"line {label.span.line}: {label.text}")
    for number, step in enumerate(diagnostic.steps, 1):
        lines.append(f"({number}) line {step.span.line}: {step.text}")
    lines += [f"{note.kind}: {note.text}" for note in diagnostic.notes]
    pending = list(reversed(diagnostic.children))
    while pending:
        child = pending.pop()
        lines.append(str(child) if child.span is not None else f"{child.severity}: {child.message}")
        pending.extend(reversed(child.children))
    for suggestion in diagnostic.suggestions:
        facts = [fact for fact in (suggestion.saving, suggestion.applicability) if fact]
        lines.append(f"help: {suggestion.title}" + (f" ({', '.join(facts)})" if facts else ""))
    return "\n".join(clean(part) for line in lines for part in line.split("\n"))


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(clean(text)).replace(":", "%3A").replace(",", "%2C")
