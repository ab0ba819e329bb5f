"""Findings for programs: JSON, SARIF, and GitHub annotations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from ..ir.source.diagnostics import Diagnostic, Label, Meaning, Suggestion
from ..ir.source.locations import Source, Span
from ..ir.source.text import for_machines
from .render_style import clean

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "remark": "note", "note": "note"}


def to_sarif(
    diagnostics: Iterable[Diagnostic],
    version: str,
    rules: Sequence[Meaning] = (),
    properties: Mapping[str, Any] | None = None,
) -> str:
    """A log with one run of this tool in the given `version`.

    Codes without an entry in `rules` get a rule that consists of the code. `properties` are the totals of the run.
    """
    run = _Run(rules)
    results = [run.result(diagnostic) for diagnostic in diagnostics]
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "bufferize", "version": version, "rules": run.rules}},
                "columnKind": "unicodeCodePoints",
                "results": results,
                **({"properties": dict(properties)} if properties else {}),
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, default=str)


class _Run:
    """The rules used so far, the given ones first."""

    def __init__(self, rules: Sequence[Meaning]) -> None:
        self.rules: list[dict[str, Any]] = []
        self._index: dict[str, int] = {}
        for rule in rules:
            self._add(rule)

    def _add(self, rule: Meaning) -> int:
        entry: dict[str, Any] = {"id": rule.id, "shortDescription": {"text": rule.title}}
        if rule.help:
            entry["help"] = {"text": rule.help, "markdown": rule.help}
        if rule.help_uri:
            entry["helpUri"] = rule.help_uri
        self._index[rule.id] = len(self.rules)
        self.rules.append(entry)
        return self._index[rule.id]

    def result(self, diagnostic: Diagnostic) -> dict[str, Any]:
        text = [diagnostic.message, *(f"{note.kind}: {note.text}" for note in diagnostic.notes)]
        result: dict[str, Any] = {"level": _LEVELS[diagnostic.severity], "message": {"text": "\n".join(text)}}
        if diagnostic.code:
            index = self._index.get(diagnostic.code)
            if index is None:
                index = self._add(Meaning(diagnostic.code, diagnostic.code))
            result |= {"ruleId": diagnostic.code, "ruleIndex": index}
        span = diagnostic.primary_span
        if span is not None:
            result["locations"] = [_location(span)]
            result["partialFingerprints"] = {"bufferize/v1": _fingerprint(diagnostic, span)}
        related = [_location(label.span, label.text) for label in _related(diagnostic)]
        if diagnostic.origin is not None:
            related.append(_origin(diagnostic.origin))
        if related:
            result["relatedLocations"] = [{"id": number, **entry} for number, entry in enumerate(related)]
        if diagnostic.steps:
            steps = [{"location": _location(step.span, step.text)} for step in diagnostic.steps]
            result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
        fixes = [_fix(suggestion) for suggestion in diagnostic.suggestions if suggestion.edits]
        if fixes:
            result["fixes"] = fixes
        if diagnostic.data:
            result["properties"] = diagnostic.data
        return result


def _related(diagnostic: Diagnostic) -> list[Label]:
    labels = [label for label in diagnostic.labels if label.text]
    pending = list(reversed(diagnostic.children))
    while pending:
        child = pending.pop()
        span = child.primary_span
        if span is not None:
            labels.append(Label(span, child.message))
        pending.extend(reversed(child.children))
    return labels


def _location(span: Span, message: str | None = None) -> dict[str, Any]:
    physical = {"artifactLocation": _artifact(span.source.name), "region": _region(span)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if message:
        location["message"] = {"text": message}
    return location


def _origin(place: str) -> dict[str, Any]:
    """`model.py:12:4` as a location. SARIF counts from 1; a line that is not known is left out."""
    name, line, column = place.rsplit(":", 2)
    physical: dict[str, Any] = {"artifactLocation": _artifact(name)}
    if int(line) > 0:
        physical["region"] = {"startLine": int(line), **({"startColumn": int(column)} if int(column) else {})}
    return {"physicalLocation": physical, "message": {"text": f"from {place}"}}


def _artifact(name: str) -> dict[str, str]:
    return {"uri": quote(name.replace("\\", "/"), safe="/._-~")}


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(suggestion: Suggestion) -> dict[str, Any]:
    by_source: dict[int, tuple[Source, list[dict[str, Any]]]] = {}
    for edit in suggestion.edits:
        source = edit.span.source
        replacement: dict[str, Any] = {"deletedRegion": _region(edit.span)}
        if edit.replacement:
            replacement["insertedContent"] = {"text": edit.replacement}
        by_source.setdefault(id(source), (source, []))[1].append(replacement)
    saving = f" ({suggestion.saving})" if suggestion.saving else ""
    trust = suggestion.applicability
    return {
        "description": {"text": suggestion.title + saving + (f" [{trust}]" if trust is not None else "")},
        **({"properties": {"applicability": str(trust)}} if trust is not None else {}),
        "artifactChanges": [
            {"artifactLocation": _artifact(source.name), "replacements": replacements}
            for source, replacements in by_source.values()
        ],
    }


def _fingerprint(diagnostic: Diagnostic, span: Span) -> str:
    """A fingerprint that is stable when lines above change: code, message and marked line."""
    parts = (diagnostic.code or "", diagnostic.message, span.source.line(span.line).strip())
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]


# Diagnostics as GitHub workflow commands, which show them beside the lines of a pull request.
#
#     ::warning file=cell.mlir,line=2,endLine=2,col=30,endColumn=32,title=read-after-write::MESSAGE
#
# Commands are lines; what would end a line, a value or a list of values is percent-encoded.

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
        if line == end_line:  # columns are rejected if there are several lines
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


# Diagnostics for programs: one JSON document, schema version 1.
#
#     {"version": 1, "diagnostics": [DIAGNOSTIC...]}
#
#     DIAGNOSTIC  {"severity": "error" | "warning" | "remark" | "note", "code": string | null,
#                  "message": string, "text": TEXT | null, "span": SPAN | null, "place": string | null,
#                  "labels": [{"span": SPAN, "text": string, "primary": boolean}...],
#                  "steps": [{"span": SPAN, "text": string}...],
#                  "notes": [{"kind": string, "text": string}...],
#                  "children": [DIAGNOSTIC...],
#                  "suggestions": [{"title": string, "edits": [{"span": SPAN, "replacement": string}...],
#                                   "saving": string | null, "verified": boolean,
#                                   "applicability": "safe" | "maybe" | "changes what callers see" | null}...],
#                  "data": object}
#     TEXT        {"template": string, "arguments": {NAME: ARGUMENT...}}
#     ARGUMENT    {"type": "value" | "operation" | "text", "text": string} | {"type": "bytes", "text": string, ...TEXT}
#                 | {"type": "line" | "number", "value": int}
#     SPAN        {"file": string, "line": int, "column": int, "endLine": int, "endColumn": int,
#                  "start": int, "end": int}
#
# `text` is what a message was made from, where that is known: its template with names in braces, and what they stand for. `place` is what the
# program says it comes from, such as `model.py:12:4`. Lines and columns are 1-based, columns count Unicode code points, `endColumn` is exclusive. `start` and `end` are 0-based offsets in code points into the text that was read; for one piece of a split input,
# into that piece. Every key is always present. A key may be added without a new version number; one is
# never renamed or given another meaning.

SCHEMA_VERSION = 1


def to_json(diagnostics: Iterable[Diagnostic], indent: int | None = None) -> str:
    """The document described above. `data` must hold plain values; others are converted to text."""
    return json.dumps(to_plain(diagnostics), indent=indent, ensure_ascii=False, default=str)


def to_plain(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The same document as dicts and lists."""
    return {"version": SCHEMA_VERSION, "diagnostics": _plain_list(diagnostics)}


def _plain_list(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    pending = [(diagnostic, result) for diagnostic in diagnostics]
    pending.reverse()
    while pending:
        diagnostic, siblings = pending.pop()
        children: list[dict[str, Any]] = []
        siblings.append(_plain(diagnostic, children))
        pending.extend((child, children) for child in reversed(diagnostic.children))
    return result


def _plain(diagnostic: Diagnostic, children: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "severity": str(diagnostic.severity),
        "code": diagnostic.code,
        "message": diagnostic.message,
        "text": for_machines(diagnostic.message),
        "span": _span(diagnostic.span) if diagnostic.span is not None else None,
        "place": diagnostic.origin,
        "labels": [{**_label(label), "primary": label.primary} for label in diagnostic.labels],
        "steps": [_label(step) for step in diagnostic.steps],
        "notes": [{"kind": note.kind, "text": note.text} for note in diagnostic.notes],
        "children": children,
        "suggestions": [
            {
                "title": suggestion.title,
                "edits": [
                    {"span": _span(edit.span), "replacement": edit.replacement} for edit in suggestion.edits
                ],
                "saving": suggestion.saving,
                "verified": suggestion.verified,
                "applicability": suggestion.applicability,
            }
            for suggestion in diagnostic.suggestions
        ],
        "data": diagnostic.data,
    }


def _label(label: Label) -> dict[str, Any]:
    return {"span": _span(label.span), "text": label.text}


def _span(span: Span) -> dict[str, Any]:
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
        "start": span.start,
        "end": span.end,
    }
