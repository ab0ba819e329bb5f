"""The language server: open documents, synchronization, requests.

An edit is parsed and decided at once; the memory report and deallocation, which cost more, wait until there are no
further edits for a moment, so that typing stays fluent: the next edit cancels what has not begun. Requests are answered
from the latest text; when a later stage is complete, the client is asked to refresh.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from ..ir.source.diagnostics import BufferizeError
from ..ir.source.locations import Source
from ..ir.source.parts import TOGETHER, TextPart, cut
from ..ir.source.text import LineNumber, Text
from ..ir.text.parser import UNKNOWN_DIALECT
from . import answers
from .answers import completions, formatted
from .document import Document, EditorSettings, Stage, offset

QUIET = {Stage.DECISIONS: 0.02, Stage.COSTS: 0.1, Stage.FREED: 0.3}
"""Idle seconds before each stage is computed."""

SHOW_BUFFERIZED = "bufferize/bufferized"
"""A custom request: `{uri}` to the text of the bufferized program, or null."""

SettingsFor = Callable[[str], EditorSettings]
"""Returns the settings for the program in a file. Raises BufferizeError if the project's settings are invalid."""


def default_settings(path: str) -> EditorSettings:
    """The settings of a file outside any project."""
    return EditorSettings()


def _by_range(item: lsp.CodeLens | lsp.DocumentSymbol) -> tuple[int, int]:
    return item.range.start.line, item.range.start.character


def _by_lines(item: lsp.FoldingRange) -> tuple[int, int]:
    return item.start_line, item.end_line


MOST: Final = 2**31 - 1
"""The largest line or column number in the protocol."""


class Protocol(LanguageServerProtocol):
    """Clamps positions outside the text to its end, and replies to malformed messages instead of dropping them."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        if data.keys() == {"line", "character"}:
            return {key: min(max(at, 0), MOST) if isinstance(at, int) else at for key, at in data.items()}
        try:
            return super().structure_message(data)
        except JsonRpcException as failure:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=failure.to_response_error())
            raise


class Brief(logging.Handler):
    """Logs pygls' messages in one line each on standard error, since editors show them to users."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            about = record.exc_info[1] if record.exc_info else None
            said = record.getMessage().partition("\n")[0]
            print(f"error: {said}" + (f": {about}" if about is not None else ""), file=sys.stderr)


class Server(LanguageServer):
    """Open documents by their URI."""

    def __init__(self, version: str, settings_for: SettingsFor) -> None:
        super().__init__(
            "bufferize",
            version,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.settings_for = settings_for
        self.sessions: dict[str, Session] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def refresh(self, uri: str) -> None:
        """Take over the current text of a document, and explain it once it is idle."""
        text = self.workspace.get_text_document(uri)
        session = self.sessions.get(uri)
        if session is None:
            path = unquote(urlsplit(uri).path) or uri
            settings = self._settings(path)
            self.sessions[uri] = Session(path, text.source, text.version or 0, settings=settings)
        else:
            session.update(text.source, text.version or 0)
        self._forget_waiting(uri)
        self._waiting[uri] = asyncio.ensure_future(self._publish_when_quiet(uri))

    def _settings(self, path: str) -> EditorSettings:
        try:
            return self.settings_for(path)
        except BufferizeError as failure:
            said = "; ".join(found.message for found in failure.diagnostics)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, answers.plain(said)))
            return EditorSettings()

    def close(self, uri: str) -> None:
        """Drop a document and its diagnostics."""
        self.sessions.pop(uri, None)
        self._forget_waiting(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _forget_waiting(self, uri: str) -> None:
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    async def _publish_when_quiet(self, uri: str) -> None:
        """Publish cheap diagnostics first, then, if there are no edits, the others."""
        session = self.sessions[uri]
        before: list[lsp.Diagnostic] | None = None
        for stage, seconds in QUIET.items():
            await asyncio.sleep(seconds)
            for _ in session.explain_parts(stage):
                await asyncio.sleep(0)  # lets a pending edit cancel this task
            found = session.diagnostics(uri, stage)
            if found != before:
                self.text_document_publish_diagnostics(
                    lsp.PublishDiagnosticsParams(uri, found, version=session.version)
                )
            before = found
        self._ask_again()

    def _ask_again(self) -> None:
        """Ask a client that supports it to refresh lenses and hints."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if workspace is not None and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)


def make_server(version: str, settings_for: SettingsFor = default_settings) -> Server:
    """A server with all features; `start_io` runs it."""
    server = Server(version, settings_for)
    pygls = logging.getLogger("pygls")
    if not pygls.handlers:
        pygls.addHandler(Brief())
        pygls.propagate = False

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    def answers_with(feature: str, otherwise: object, answer: Answer, options: object = None) -> None:
        """Let the session of the document answer a request; `otherwise` is the answer for a document that is not open."""

        @server.feature(feature, options)
        def handle(ls: Server, params: object) -> object:
            document = getattr(params, "text_document", None) or getattr(params, "item", params)
            uri = getattr(document, "uri", "")
            session = ls.sessions.get(uri)
            return otherwise if session is None else answer(session, params, uri)

    answers_with(lsp.TEXT_DOCUMENT_HOVER, None, lambda s, p, _: s.at(p.position, answers.hover))
    answers_with(
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, [], lambda s, p, _: s.at(p.position, answers.highlights)
    )
    for feature, otherwise, find in (
        (lsp.TEXT_DOCUMENT_DEFINITION, None, answers.definition),
        (lsp.TEXT_DOCUMENT_REFERENCES, [], answers.references),
        (lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, [], answers.call_item),
    ):
        answers_with(
            feature,
            otherwise,
            lambda s, p, uri, find=find: s.at(p.position, lambda d, at: find(d, uri, at)),
        )
    for feature, calls in (
        (lsp.CALL_HIERARCHY_INCOMING_CALLS, answers.callers),
        (lsp.CALL_HIERARCHY_OUTGOING_CALLS, answers.callees),
    ):
        answers_with(
            feature,
            [],
            lambda s, p, uri, calls=calls: s.at(p.item.range.start, lambda d, _: calls(d, uri, p.item.name)),
        )
    answers_with(
        lsp.TEXT_DOCUMENT_CODE_LENS, [], lambda s, p, _: s.everywhere(answers.code_lenses, _by_range)
    )
    answers_with(
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
        [],
        lambda s, p, _: s.everywhere(answers.document_symbols, _by_range),
    )
    answers_with(
        lsp.TEXT_DOCUMENT_FOLDING_RANGE, [], lambda s, p, _: s.everywhere(answers.folding_ranges, _by_lines)
    )
    answers_with(
        lsp.TEXT_DOCUMENT_COMPLETION,
        [],
        lambda s, p, _: s.completions(p.position),
        lsp.CompletionOptions(trigger_characters=["%", "@", "."]),
    )
    answers_with(lsp.TEXT_DOCUMENT_FORMATTING, [], lambda s, p, _: s.format())
    answers_with(lsp.TEXT_DOCUMENT_INLAY_HINT, [], lambda s, p, _: s.inlay_hints(p.range))
    answers_with(lsp.TEXT_DOCUMENT_CODE_ACTION, [], lambda s, p, uri: s.code_actions(uri, p.range))
    answers_with(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokens([]),
        lambda s, p, _: lsp.SemanticTokens(s.semantic_tokens()),
        lsp.SemanticTokensLegend(answers.TOKEN_TYPES, answers.TOKEN_MODIFIERS),
    )
    answers_with(SHOW_BUFFERIZED, None, lambda s, p, _: s.bufferized())

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        uri = params.text_document.uri
        session = ls.sessions.get(uri)
        if session is None:
            return None
        try:
            edit = session.rename(uri, params.position, params.new_name)
            refusal = "" if edit is not None else session.why_not_renamed(params.position)
        except ValueError as failure:
            edit, refusal = None, str(failure)
        if edit is None:
            ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"not renamed: {refusal}"))
        return edit

    return server


# -- A text under edit: its unchanged parts stay cached, and answers about a part are mapped to the whole text.
#
# The playground runs this in the browser, where `lsprotocol` is available and `pygls` is not.

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
            if old != new
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


Answer = Callable[[Session, Any, str], object]
"""The answer of a document's session to the parameters of a request, and the document's URI."""


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
