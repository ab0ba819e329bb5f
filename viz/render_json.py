"""Diagnostics for programs: one JSON document, schema version 1.

    {"version": 1, "diagnostics": [DIAGNOSTIC...]}

    DIAGNOSTIC  {"severity": "error" | "warning" | "remark" | "note", "code": string | null,
                 "message": string, "text": TEXT | null, "span": SPAN | null, "place": string | null,
                 "labels": [{"span": SPAN, "text": string, "primary": boolean}...],
                 "steps": [{"span": SPAN, "text": string}...],
                 "notes": [{"kind": string, "text": string}...],
                 "children": [DIAGNOSTIC...],
                 "suggestions": [{"title": string, "edits": [{"span": SPAN, "replacement": string}...],
                                  "saving": string | null, "verified": boolean,
                                  "applicability": "safe" | "maybe" | "changes what callers see" | null}...],
                 "data": object}
    TEXT        {"template": string, "arguments": {NAME: ARGUMENT...}}
    ARGUMENT    {"type": "value" | "operation" | "text", "text": string} | {"type": "bytes", "text": string, ...TEXT}
                | {"type": "line" | "number", "value": int}
    SPAN        {"file": string, "line": int, "column": int, "endLine": int, "endColumn": int,
                 "start": int, "end": int}

`text` is what a message was made from, where that is known: its template with names in braces, and what they stand for. `place` is what the
program says it comes from, such as `model.py:12:4`. Lines and columns are 1-based, columns count Unicode code points, `endColumn` is exclusive. `start` and `end` are 0-based offsets in code points into the text that was read; for one piece of a split input,
into that piece. Every key is always present. A key may be added without a new version number; one is
never renamed or given another meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..ir.source.diagnostics import Diagnostic, Label
from ..ir.source.locations import Span
from ..ir.source.text import for_machines

SCHEMA_VERSION = 1


def to_json(diagnostics: Iterable[Diagnostic], indent: int | None = None) -> str:
    """The document described above. `data` must hold plain values; others are written as their text."""
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
