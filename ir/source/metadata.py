"""The metadata section `{-# ... #-}`, preserved and reprinted in MLIR's layout.

It holds resources (blobs of data that attributes refer to by name). A blob remains uninterpreted text, delimited by its
quotes; `blob_bytes` decodes its elements. Resources that no attribute refers to are not printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, TypeAlias, Union

from .diagnostics import ParseError, error
from .locations import Source, Span
from .text import keyword_or_string

_TOKEN = re.compile(
    r'\s*(?://[^\n]*\s*)*(\{-#|#-\}|[{}:,]|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[^\s{}:,"]+|"|\Z)'
).match
_WORD = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII).fullmatch
_HEX = re.compile(r'"0x[0-9a-fA-F]*"').fullmatch
_INDENT = "  "
RESOURCES = "dialect_resources"
SECTIONS = (RESOURCES, "external_resources")
OWNERS = frozenset(("builtin", "test"))
"""The dialects of MLIR that have resources."""

Section: TypeAlias = dict[str, Union[str, "Section"]]
"""Entries by key as written: texts, and groups of entries."""


def read_metadata(
    source: Source, start: int, knows_dialect: Callable[[str], bool] = OWNERS.__contains__
) -> tuple[Section, int]:
    """The entries of the section that starts at `start`, and its end.

    Linear time; copies the text once.

    Raises:
        ParseError: `mlir-opt` does not accept the section either.
    """
    tokens = _Tokens(source, start)
    tokens.take()
    root: Section = {}
    for key, at in tokens.keys("#-}", "expected identifier key in file metadata dictionary"):
        if key not in SECTIONS:
            tokens.fail(f"unknown key '{key}' in file metadata dictionary", at)
        groups = _group(root, key)
        tokens.expect("{")
        for name, place in tokens.keys("}", ENTRY_KEY):
            if key == RESOURCES and not knows_dialect(name):
                tokens.fail(f"dialect '{name}' is unknown", place)
            tokens.expect("{")
            if key == RESOURCES and name not in OWNERS:
                tokens.fail(f"unexpected 'resource' section for dialect '{name}'", tokens.begin)
            entries = _group(groups, name)
            for entry, _ in tokens.keys("}", ENTRY_KEY, strings=True):
                wrong = (
                    _blob_error(entry, tokens.token) if key == RESOURCES else _text_error(entry, tokens.token)
                )
                if wrong:
                    tokens.fail(wrong, tokens.begin)
                entries[entry] = tokens.take()
    return root, tokens.before


ENTRY_KEY = "expected identifier key for 'resource' entry"


def _group(section: Section, key: str) -> Section:
    """The group of entries of that name; sections of one name are one."""
    found = section.setdefault(key, {})
    assert isinstance(found, dict)
    return found


class _Tokens:
    """The tokens of a section: the current one, where it begins, and where the one before it ends."""

    def __init__(self, source: Source, start: int) -> None:
        self._source = source
        self.before = self._end = start
        self.token = ""
        self.begin = start
        self.take()

    def take(self) -> str:
        """The current token; moves on to the next one, which is empty at the end of the text."""
        token, self.before = self.token, self._end
        match = _TOKEN(self._source.text, self._end)
        assert match is not None
        self.token, self.begin, self._end = match[1], match.start(1), match.end()
        return token

    def expect(self, wanted: str, message: str = "") -> None:
        if self.token != wanted:
            self.fail(message or f"expected '{wanted}'", self.before)
        self.take()

    def keys(self, close: str, message: str, *, strings: bool = False) -> Iterator[tuple[str, int]]:
        """The keys of comma-separated entries up to `close`, each with its place; the caller takes what is behind the colon."""
        if self.token == close:
            self.take()
            return
        while True:
            place = self.begin
            if not (_WORD(self.token) or (strings and len(self.token) > 1 and self.token[0] == '"')):
                self.fail(message, place)
            key = self.take()
            self.expect(":")
            yield key, place
            if self.token != ",":
                break
            self.take()
        self.expect(close, f"expected ',' or '{close}'")

    def fail(self, message: str, at: int) -> NoReturn:
        at = min(at, max(len(self._source.text) - 1, 0))
        raise ParseError(error(message, Span(self._source, at, at + 1)))


def _blob_error(key: str, token: str) -> str | None:
    """What is wrong with the blob of `key`, in MLIR's words: hexadecimal digits, the first eight of which are an alignment."""
    expected = f"expected hex string blob for key '{key}'"
    if _HEX(token) is None or len(token) % 2:
        return expected
    if len(token) < len('"0x01000000"'):
        return None if token == '"0x"' else f"{expected} to encode alignment in first 4 bytes"
    alignment = int.from_bytes(bytes.fromhex(token[3:11]), "little")
    if alignment & (alignment - 1):
        return f"{expected} to encode alignment in first 4 bytes, but got non-power-of-2 value: {alignment}"
    return None


def _text_error(key: str, token: str) -> str | None:
    """What is wrong with an entry of an external resource."""
    if token in ("true", "false") or (len(token) > 1 and token[0] == '"'):
        return None
    return f"expected string value for key '{key}'"


def builtin_blobs(section: Section) -> Section:
    """The blobs that `dense_resource` refers to, by key as written."""
    dialects = section.get("dialect_resources")
    blobs = dialects.get("builtin") if isinstance(dialects, dict) else None
    return blobs if isinstance(blobs, dict) else {}


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
