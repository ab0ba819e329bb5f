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
from .document import Document
from .positions import offset

QUIET = 0.1
"""Seconds without an edit after which a program is explained."""

SHOW_BUFFERIZED = "bufferize/bufferized"
"""A request of our own: `{uri}` to the text of the bufferized program, or null."""


class Server(LanguageServer):
    """Open documents by their URI."""

    def __init__(self, version: str) -> None:
        super().__init__("bufferize", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.documents: dict[str, Document] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def refresh(self, uri: str) -> None:
        """Read the text of a document anew, and explain it once it is quiet."""
        text = self.workspace.get_text_document(uri)
        name = unquote(urlsplit(uri).path) or uri
        self.documents[uri] = Document(name, text.source, text.version or 0)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._waiting[uri] = asyncio.ensure_future(self._publish_when_quiet(uri))

    def close(self, uri: str) -> None:
        """Forget a document, and what was said of it."""
        self.documents.pop(uri, None)
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    async def _publish_when_quiet(self, uri: str) -> None:
        await asyncio.sleep(QUIET)
        document = self.documents[uri]
        found = answers.diagnostics(document, uri)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, found, version=document.version)
        )


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
        document = ls.documents.get(params.text_document.uri)
        return None if document is None else answers.hover(document, offset(document.source, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
        uri = params.text_document.uri
        document = ls.documents.get(uri)
        if document is None:
            return None
        found = document.definition(offset(document.source, params.position))
        return None if found is None else lsp.Location(uri, answers.range_of(found))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        document = ls.documents.get(uri)
        if document is None:
            return []
        found = document.references(offset(document.source, params.position))
        return [lsp.Location(uri, answers.range_of(span)) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        uri = params.text_document.uri
        document = ls.documents.get(uri)
        if document is None:
            return None
        try:
            return answers.rename(document, uri, offset(document.source, params.position), params.new_name)
        except ValueError as refusal:
            ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(refusal)))
            return None

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = ls.documents.get(params.text_document.uri)
        if document is None:
            return []
        source = document.source
        return answers.inlay_hints(
            document, offset(source, params.range.start), offset(source, params.range.end)
        )

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = ls.documents.get(params.text_document.uri)
        return [] if document is None else answers.code_lenses(document)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        document = ls.documents.get(uri)
        return [] if document is None else answers.code_actions(document, uri, params.range)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = ls.documents.get(params.text_document.uri)
        return [] if document is None else answers.document_symbols(document)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = ls.documents.get(params.text_document.uri)
        return [] if document is None else answers.folding_ranges(document)

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensLegend(answers.TOKEN_TYPES, answers.TOKEN_MODIFIERS),
    )
    def tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        document = ls.documents.get(params.text_document.uri)
        return lsp.SemanticTokens([] if document is None else answers.semantic_tokens(document))

    @server.feature(SHOW_BUFFERIZED)
    def show(ls: Server, params: object) -> str | None:
        document = ls.documents.get(getattr(params, "uri", ""))
        return None if document is None else answers.bufferized(document)

    return server
