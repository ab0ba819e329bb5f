"""A text under edit: its unchanged parts stay cached, and answers about a part are mapped to the whole text.

The playground runs this in the browser, where `lsprotocol` is available and `pygls` is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import attrs
from lsprotocol import types as lsp

from ..ir.source.locations import Source
from ..ir.source.parts import TOGETHER, TextPart, cut
from ..ir.source.text import LineNumber, Text
from ..ir.text.parser import UNKNOWN_DIALECT
from . import answers
from .completion import completions, formatted
from .document import Document, EditorSettings, Stage, offset

T = TypeVar("T")


class Session:
    """One open text.

    Attributes:
        name: the file name in findings.
        text, version: as in the editor.
        together: see `cut`.
        settings: how programs are explained.
    """

    def __init__(
        self,
        name: str,
        text: str = "",
        version: int = 0,
        together: int = TOGETHER,
        settings: EditorSettings | None = None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.together = together
        self._documents: dict[str, Document] = {}
        self.update(text, version)

    def update(self, text: str, version: int) -> None:
        """Take over another text. O(text); the analyses of unchanged parts are kept."""
        self.text, self.version = text, version
        self.parts = cut(text, self.together)
        known = self._documents
        self._documents = {
            part.text: known.get(part.text) or Document(self.name, part.text, settings=self.settings)
            for part in self.parts
        }

    def __iter__(self) -> Iterator[tuple[TextPart, Document]]:
        for part in self.parts:
            yield part, self._documents[part.text]

    def _placed(self, part: TextPart, document: Document, uri: str, stage: Stage) -> list[lsp.Diagnostic]:
        """The findings of a part at the current positions of its lines."""

        def place(document: Document) -> list[lsp.Diagnostic]:
            key = ("diagnostics", uri, stage)
            return moved_to(document.kept(key, lambda d: answers.diagnostics(d, uri, stage)), part)

        return document.kept_for(("placed", uri, stage), part.lines, place)

    def explain_parts(self, stage: Stage) -> Iterator[None]:
        """Explain the parts one after the other up to a stage; the caller may stop iterating at any time."""
        for _, document in self:
            if not document.has_reached(stage):
                document.explained(stage)
                yield

    # -- whole text

    def diagnostics(self, uri: str, stage: Stage = Stage.FREED) -> list[lsp.Diagnostic]:
        """Findings of all parts in textual order, up to a stage."""
        found: dict[tuple[Any, ...], lsp.Diagnostic] = {}
        for part, document in self:
            for moved in self._placed(part, document, uri, stage):
                at = moved.range
                key: tuple[object, ...] = (at.start.line, at.start.character, at.end.line, at.end.character)
                found.setdefault((*key, moved.message), moved)  # code outside functions is in every part
        hinted: set[str] = set()  # report a dialect unknown in many parts once
        return [d for d in (found[key] for key in sorted(found)) if not _is_repeated(d, hinted)]

    def everywhere(self, answer: Callable[[Document], list[T]], key: Callable[[T], Any]) -> list[T]:
        """The combined answers of all parts in order, without duplicates."""
        found: dict[Any, T] = {}
        for part, document in self:
            for item in answer(document):
                moved = moved_to(item, part)
                found.setdefault(key(moved), moved)
        return [found[one] for one in sorted(found)]

    def inlay_hints(self, at: lsp.Range) -> list[lsp.InlayHint]:
        """The hints in a range of the whole text."""
        found: list[lsp.InlayHint] = []
        for part, document in self:
            for start, end in part.own:
                if start <= at.end.line and at.start.line < end:
                    last = lsp.Position(part.line(min(at.end.line, end - 1)), 1 << 20)
                    first = lsp.Position(part.line(max(at.start.line, start)), 0)
                    source = document.source
                    hints = answers.inlay_hints(document, offset(source, first), offset(source, last))
                    found += [moved_to(hint, part) for hint in hints]
        unique = {(h.position.line, h.position.character, str(h.label)): h for h in found}
        inside = [key for key in sorted(unique) if at.start.line <= key[0] <= at.end.line]
        return [unique[key] for key in inside]

    def semantic_tokens(self) -> list[int]:
        tokens = {
            (part.lines[line], column, length, number)
            for part, document in self
            for line, column, length, number in document.kept(("tokens",), answers.tokens)
        }
        return answers.encoded(tokens)

    def bufferized(self) -> str | None:
        """The whole program after One-Shot Bufferize."""
        return answers.bufferized(Document(self.name, self.text, settings=self.settings))

    # -- single position

    def part_at(self, line: int) -> tuple[TextPart, Document]:
        """The part that owns a line; the first for lines outside functions."""
        for part, document in self:
            if any(start <= line < end for start, end in part.own):
                return part, document
        return self.parts[0], self._documents[self.parts[0].text]

    def at(self, place: lsp.Position, answer: Callable[[Document, int], T]) -> T:
        """The answer for a position, from its part's document and offset."""
        part, document = self.part_at(place.line)
        there = lsp.Position(part.line(place.line), place.character)
        return moved_to(answer(document, offset(document.source, there)), part)

    def code_actions(self, uri: str, at: lsp.Range) -> list[lsp.CodeAction]:
        """Verified suggestions for a range."""
        part, document = self.part_at(at.start.line)
        there = lsp.Range(
            lsp.Position(part.line(at.start.line), at.start.character),
            lsp.Position(part.line(at.end.line), at.end.character),
        )
        return moved_to(answers.code_actions(document, uri, there), part)

    def completions(self, place: lsp.Position) -> list[lsp.CompletionItem]:
        """Completions at a position; only the enclosing function is considered."""
        return completions(self.text, offset(Source(self.name, self.text), place))

    def format(self) -> list[lsp.TextEdit]:
        """Edits of the lines with wrong indentation or trailing spaces."""
        return [
            lsp.TextEdit(lsp.Range(lsp.Position(at, 0), lsp.Position(at, 2 * len(old))), new)
            for at, (old, new) in enumerate(
                zip(self.text.split("\n"), formatted(self.text).split("\n"), strict=True)
            )
            if old.removesuffix("\r") != new
        ]

    def why_not_renamed(self, place: lsp.Position) -> str:
        """Why there is nothing to rename."""
        _, document = self.part_at(place.line)
        if document.errors:
            return "the text has errors; names are known once it parses"
        return "there is no value or function here"

    def rename(self, uri: str, place: lsp.Position, name: str) -> lsp.WorkspaceEdit | None:
        """Rename a value or function.

        Raises:
            ValueError: the name is invalid or taken.
        """
        bare = name.lstrip("%@")
        part, document = self.part_at(place.line)
        there = offset(document.source, lsp.Position(part.line(place.line), place.character))
        if document.value_at(there) is None and re.search(rf"@{re.escape(bare)}(?![\w$.-])", self.text):
            raise ValueError(f"@{bare} is already used")
        return self.at(place, lambda d, at: answers.rename(d, uri, at, name))


def _is_repeated(found: lsp.Diagnostic, hinted: set[str]) -> bool:
    """Whether it repeats an earlier hint."""
    if found.code != UNKNOWN_DIALECT or found.severity != lsp.DiagnosticSeverity.Hint:
        return False
    repeated = found.message in hinted
    hinted.add(found.message)
    return repeated


# -- mapping answers from a part to the whole text


def moved_to(item: T, part: TextPart) -> T:
    """An answer about a part, with lines mapped to the whole text."""
    if isinstance(part.lines, range):  # the part is the whole
        return item
    return _moved(item, part)


def _moved(item: object, part: TextPart) -> Any:
    """Recursive, as answers are trees of few levels."""
    if isinstance(item, lsp.Position):
        return lsp.Position(_whole(part, item.line), item.character)
    if isinstance(item, lsp.FoldingRange):
        return attrs.evolve(
            item, start_line=_whole(part, item.start_line), end_line=_whole(part, item.end_line)
        )
    if isinstance(item, list):
        return [_moved(one, part) for one in item]
    if isinstance(item, dict):
        return {key: _moved(value, part) for key, value in item.items()}
    if isinstance(item, Text):
        return item.mapped(
            lambda given: _whole(part, given - 1) + 1 if isinstance(given, LineNumber) else given
        )
    if attrs.has(type(item)):
        changed = {
            field.name: _moved(value, part)
            for field in attrs.fields(type(item))
            if not isinstance(value := getattr(item, field.name), (int, bool, type(None)))
        }
        return attrs.evolve(item, **changed) if changed else item
    return item


def _whole(part: TextPart, line: int) -> int:
    return part.lines[min(line, len(part.lines) - 1)]
