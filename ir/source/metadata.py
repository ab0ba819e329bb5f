"""The metadata section at the end of a file, `{-# ... #-}`: kept, and printed again in MLIR's layout.

It holds resources (blobs of data that attributes refer to by name). No pass here looks into them, so entries are strings
from reading to printing; only their nesting is understood. What no attribute refers to is not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias, Union

from .diagnostics import ParseError, error
from .places import Source, Span
from .spelling import keyword_or_string

_TOKEN = re.compile(r'\s*(?://[^\n]*\s*)*(\{-#|#-\}|[{}:,]|"(?:[^"\\\n]|\\.)*"|[^\s{}:,"]+)')
_INDENT = "  "

Section: TypeAlias = dict[str, Union[str, "Section"]]
"""Entries by key as written: texts, and groups of entries."""


def metadata_end(source: Source, start: int) -> int:
    """Where the section that starts at `start` ends.

    Raises:
        ParseError: it does not end, or its braces do not match.
    """
    depth = 0
    position = start
    while True:
        match = _TOKEN.match(source.text, position)
        if match is None:
            at = min(position, max(len(source.text) - 1, 0))
            raise ParseError(error("expected '#-}' to end the file metadata", Span(source, at, at + 1)))
        token = match.group(1)
        position = match.end()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth < 0:
                raise ParseError(
                    error("unbalanced '}' in file metadata", Span(source, match.start(1), match.end(1)))
                )
        elif token == "#-}":
            if depth:
                raise ParseError(
                    error("expected '}' in file metadata", Span(source, match.start(1), match.end(1)))
                )
            return position


def parse_metadata(text: str) -> Section:
    """The entries of a section, whose end `metadata_end` has found: texts, and groups of entries. Linear."""
    root: Section = {}
    groups = [root]
    key: str | None = None
    for match in _TOKEN.finditer(text):
        token = match.group(1)
        if token == "{":
            inner: Section = {}
            if key is not None:
                groups[-1][key] = inner
            groups.append(inner)
            key = None
        elif token == "}":
            groups.pop()
            key = None
        elif token in ("{-#", "#-}", ","):
            key = None
        elif token == ":":
            continue
        elif key is None:
            key = token
        else:
            groups[-1][key] = token
    return root


def format_metadata(section: Section, resources: Iterable[str]) -> str:
    """The section in MLIR's layout, each entry on a line of its own; nothing if nothing is left of it.

    `resources` are the keys of the builtin resources that the program refers to, in the order in which it does: they are
    printed, others are not.
    """
    shown = dict(section)
    dialects = shown.pop("dialect_resources", None)
    if isinstance(dialects, dict):
        blobs = dialects.get("builtin", {})
        assert isinstance(blobs, dict)
        used = {key: blobs[key] for key in map(keyword_or_string, resources) if key in blobs}
        kept: Section = {**dialects, "builtin": used}
        kept = {name: group for name, group in kept.items() if group}
        if kept:
            shown = {"dialect_resources": kept, **shown}
    if not shown:
        return ""
    lines: list[str] = []
    pending = [(_INDENT, iter(shown.items()))]
    while pending:
        indent, entries = pending[-1]
        entry = next(entries, None)
        if entry is None:
            pending.pop()
            if pending:
                lines.append(f"\n{pending[-1][0]}}}")
            continue
        key, value = entry
        first = not lines or lines[-1].endswith("{")
        lines.append(f"{'' if first else ','}\n{indent}{key}: ")
        if isinstance(value, dict):
            lines[-1] += "{"
            pending.append((indent + _INDENT, iter(value.items())))
        else:
            lines[-1] += value
    return f"{{-#{''.join(lines)}\n#-}}\n\n"
