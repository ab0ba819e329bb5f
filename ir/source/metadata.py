"""The metadata section `{-# ... #-}`, preserved and reprinted in MLIR's layout.

It holds resources (blobs of data that attributes refer to by name). A blob remains uninterpreted text, delimited by its
quotes; `blob_bytes` decodes its elements. Resources that no attribute refers to are not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias, Union

from .diagnostics import ParseError, error
from .locations import Source, Span
from .text import keyword_or_string

_TOKEN = re.compile(r'\s*(?://[^\n]*\s*)*(\{-#|#-\}|[{}:,"]|[^\s{}:,"]+)').match
_INDENT = "  "

Section: TypeAlias = dict[str, Union[str, "Section"]]
"""Entries by key as written: texts, and groups of entries."""


def read_metadata(source: Source, start: int) -> tuple[Section, int]:
    """The entries of the section that starts at `start`, and its end.

    Linear time; copies the text once.

    Raises:
        ParseError: the section is not closed, or its braces do not match.
    """
    root: Section = {}
    groups = [root]
    key: str | None = None
    position = start
    text = source.text
    while True:
        match = _TOKEN(text, position)
        token = None if match is None else match.group(1)
        begin = position if match is None else match.start(1)
        position = begin if match is None else match.end()
        if token == '"':
            position = _string_end(text, begin)
            token = text[begin:position] if position else None
        if token is None:
            at = min(begin, max(len(text) - 1, 0))
            raise ParseError(error("expected '#-}' to end the file metadata", Span(source, at, at + 1)))
        if token == "{":
            inner: Section = {}
            if key is not None:
                groups[-1][key] = inner
            groups.append(inner)
            key = None
        elif token == "}":
            groups.pop()
            key = None
            if not groups:
                raise ParseError(error("unbalanced '}' in file metadata", Span(source, begin, position)))
        elif token == "#-}":
            if len(groups) > 1:
                raise ParseError(error("expected '}' in file metadata", Span(source, begin, position)))
            return root, position
        elif token in ("{-#", ","):
            key = None
        elif token == ":":
            continue
        elif key is None:
            key = token
        else:
            groups[-1][key] = token


def _string_end(text: str, start: int) -> int:
    """The end of the string that starts at `start`; 0 if it is not closed on its line."""
    line_end = text.find("\n", start)
    at = text.find('"', start + 1, line_end if line_end >= 0 else len(text))
    while at >= 0:
        before = at
        while text[before - 1] == "\\":
            before -= 1
        if (at - before) % 2 == 0:
            return at + 1
        at = text.find('"', at + 1, line_end if line_end >= 0 else len(text))
    return 0


def builtin_blobs(section: Section) -> Section:
    """The blobs that `dense_resource` refers to, by key as written."""
    dialects = section.get("dialect_resources")
    blobs = dialects.get("builtin") if isinstance(dialects, dict) else None
    return blobs if isinstance(blobs, dict) else {}


def alignment_error(key: str, text: str) -> str | None:
    """The message, in MLIR's words, for an invalid alignment at the start of a blob's text; None if it is valid."""
    try:
        alignment = int.from_bytes(bytes.fromhex(text[3:11]), "little") if text.startswith('"0x') else 0
    except ValueError:
        return None
    if alignment & (alignment - 1):
        return (
            f"expected hex string blob for key '{key}' to encode alignment in first 4 bytes, but got non-power-of-2 value: "
            f"{alignment}"
        )
    return None


def blob_bytes(section: Section, key: str) -> bytes | None:
    """The bytes of the blob that `dense_resource<key>` refers to, without the alignment header; None if there is no
    such blob.

    Raises:
        ValueError: the text is not hexadecimal.
    """
    text = builtin_blobs(section).get(keyword_or_string(key))
    if not isinstance(text, str):
        return None
    if not text.startswith('"0x') or len(text) < 12:
        raise ValueError("it is not a string of hexadecimal digits that begins with an alignment")
    return bytes.fromhex(text[11:-1])


def without_long_blobs(section: Section, limit: int) -> Section:
    """The section without the blobs of more than `limit` characters."""
    blobs = builtin_blobs(section)
    if not blobs:
        return section
    kept: Section = {k: text for k, text in blobs.items() if isinstance(text, dict) or len(text) - 2 <= limit}
    dialects = section["dialect_resources"]
    assert isinstance(dialects, dict)
    return {**section, "dialect_resources": {**dialects, "builtin": kept}}


def format_metadata(section: Section, resources: Iterable[str]) -> str:
    """The section in MLIR's layout, one entry per line; empty if no entry is left.

    `resources` are the keys of the builtin resources that the program refers to, in that order; others are
    not printed.
    """
    shown = dict(section)
    dialects = shown.pop("dialect_resources", None)
    if isinstance(dialects, dict):
        blobs = builtin_blobs(section)
        used = {key: blobs[key] for key in map(keyword_or_string, resources) if key in blobs}
        kept: Section = {**dialects, "builtin": used}
        kept = {name: group for name, group in kept.items() if group}
        if kept:
            shown = {"dialect_resources": kept, **shown}
    if not shown:
        return ""
    pieces: list[str] = ["{-#"]
    first = True
    pending = [(_INDENT, iter(shown.items()))]
    while pending:
        indent, entries = pending[-1]
        entry = next(entries, None)
        if entry is None:
            pending.pop()
            if pending:
                pieces.append(f"\n{pending[-1][0]}}}")
            first = False
            continue
        key, value = entry
        pieces.append(f"{'' if first else ','}\n{indent}{key}: ")
        first = isinstance(value, dict)
        if isinstance(value, dict):
            pieces.append("{")
            pending.append((indent + _INDENT, iter(value.items())))
        else:
            pieces.append(value)
    pieces.append("\n#-}\n\n")
    return "".join(pieces)
