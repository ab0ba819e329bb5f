"""The language server: open documents, synchronization, requests.

An edit is parsed and decided at once; the memory report and deallocation, which cost more, wait until there are no
further edits for a moment, so that typing stays fluent: the next edit cancels what has not begun. Requests are answered
from the latest text; when a later stage is complete, the client is asked to refresh.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from ..ir.source.diagnostics import BufferizeError
from . import answers
from .document import EditorSettings, Stage
from .session import Session

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


Answer = Callable[[Session, Any, str], object]
"""The answer of a document's session to the parameters of a request, and the document's URI."""


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
            feature, otherwise, lambda s, p, uri, find=find: s.at(p.position, lambda d, at: find(d, uri, at))
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
        lsp.CompletionOptions(trigger_characters=["%", "@", "!", "#", "."]),
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
