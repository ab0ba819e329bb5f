"""The server: documents that are open, kept up to date, and answered about.

An edit is read at once; what costs more than reading, the explanation, waits until no further edit has come for a moment,
so that typing stays fluent. Requests are answered from the last text, whatever state it is in.
"""

from __future__ import annotations

import asyncio
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from . import answers
from .session import Session

QUIET = 0.1
"""Seconds without an edit after which a program is explained."""

SHOW_BUFFERIZED = "bufferize/bufferized"
"""A request of our own: `{uri}` to the text of the bufferized program, or null."""


def _by_range(item: lsp.CodeLens | lsp.DocumentSymbol) -> tuple[int, int]:
    return item.range.start.line, item.range.start.character


class Server(LanguageServer):
    """Open documents by their URI."""

    def __init__(self, version: str) -> None:
        super().__init__("bufferize", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.sessions: dict[str, Session] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def refresh(self, uri: str) -> None:
        """Take the text of a document as it is now, and explain it once it is quiet."""
        text = self.workspace.get_text_document(uri)
        session = self.sessions.get(uri)
        if session is None:
            self.sessions[uri] = Session(unquote(urlsplit(uri).path) or uri, text.source, text.version or 0)
        else:
            session.update(text.source, text.version or 0)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._waiting[uri] = asyncio.ensure_future(self._publish_when_quiet(uri))

    def close(self, uri: str) -> None:
        """Forget a document, and what was said of it."""
        self.sessions.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    async def _publish_when_quiet(self, uri: str) -> None:
        """Say first what takes little time, and then, if nobody types, all of it."""
        await asyncio.sleep(QUIET)
        session = self.sessions[uri]
        first = session.diagnostics(uri, quick=True)
        self._publish(uri, first, session.version)
        await asyncio.sleep(QUIET)
        whole = session.diagnostics(uri)
        if whole != first:
            self._publish(uri, whole, session.version)

    def _publish(self, uri: str, found: list[lsp.Diagnostic], version: int) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version=version))


def make_server(version: str) -> Server:
    """A server with all features; `start_io` makes it listen."""
    server = Server(version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        session = ls.sessions.get(params.text_document.uri)
        return None if session is None else session.at(params.position, answers.hover)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
        uri = params.text_document.uri
        session = ls.sessions.get(uri)
        return (
            None
            if session is None
            else session.at(params.position, lambda d, at: answers.definition(d, uri, at))
        )

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        session = ls.sessions.get(uri)
        return (
            []
            if session is None
            else session.at(params.position, lambda d, at: answers.references(d, uri, at))
        )

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        uri = params.text_document.uri
        session = ls.sessions.get(uri)
        if session is None:
            return None
        try:
            return session.rename(uri, params.position, params.new_name)
        except ValueError as refusal:
            ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(refusal)))
            return None

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        session = ls.sessions.get(params.text_document.uri)
        return [] if session is None else session.inlay_hints(params.range)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        session = ls.sessions.get(params.text_document.uri)
        return [] if session is None else session.everywhere(answers.code_lenses, _by_range)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        session = ls.sessions.get(uri)
        return [] if session is None else session.code_actions(uri, params.range)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        session = ls.sessions.get(params.text_document.uri)
        return [] if session is None else session.everywhere(answers.document_symbols, _by_range)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        session = ls.sessions.get(params.text_document.uri)
        if session is None:
            return []
        return session.everywhere(answers.folding_ranges, lambda found: (found.start_line, found.end_line))

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensLegend(answers.TOKEN_TYPES, answers.TOKEN_MODIFIERS),
    )
    def tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        session = ls.sessions.get(params.text_document.uri)
        return lsp.SemanticTokens([] if session is None else session.semantic_tokens())

    @server.feature(SHOW_BUFFERIZED)
    def show(ls: Server, params: object) -> str | None:
        session = ls.sessions.get(getattr(params, "uri", ""))
        return None if session is None else session.bufferized()

    return server
