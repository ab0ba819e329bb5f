"""The server as a client meets it: a process that speaks the protocol over its standard streams."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra bufferize[lsp] is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

MAIN = "from bufferize.cli.main import main; raise SystemExit(main())"
CELL = Path(__file__).parents[2] / "examples" / "cell.mlir"


async def _session() -> tuple[
    lsp.InitializeResult, list[lsp.PublishDiagnosticsParams], lsp.Hover | None, str | None
]:
    client = LanguageClient("test", "1")
    published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _publish(_: LanguageClient, params: lsp.PublishDiagnosticsParams) -> None:
        published.put_nowait(params)

    await client.start_io(sys.executable, "-c", MAIN, "lsp")
    started = await client.initialize_async(
        lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=None)
    )
    client.initialized(lsp.InitializedParams())
    uri = CELL.as_uri()
    text = CELL.read_text(encoding="utf-8")
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, lsp.LanguageKind.Python, 1, text))
    )
    said = [await asyncio.wait_for(published.get(), 60)]
    line = text.splitlines().index(next(line for line in text.splitlines() if "tensor.insert" in line))
    hover = await client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, 3))
    )
    shown = await client.protocol.send_request_async("bufferize/bufferized", {"uri": uri})
    broken = lsp.TextDocumentContentChangePartial(
        lsp.Range(lsp.Position(line, 2), lsp.Position(line, 3)), "!"
    )
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, uri), [broken])
    )
    said.append(await asyncio.wait_for(published.get(), 60))
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    said.append(await asyncio.wait_for(published.get(), 60))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return started, said, hover, shown


def test_a_session_from_opening_to_closing():
    started, said, hover, shown = asyncio.run(_session())
    can = started.capabilities
    assert can.hover_provider and can.rename_provider and can.inlay_hint_provider and can.code_action_provider
    opened, edited, closed = said
    assert "read-after-write" in [found.code for found in opened.diagnostics] and opened.version == 1
    assert [found.severity for found in edited.diagnostics] == [lsp.DiagnosticSeverity.Error]
    assert edited.version == 2 and not closed.diagnostics
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
    assert "tensor<1024xf32>" in hover.contents.value
    assert shown is not None and "memref.copy" in shown


def test_positions_outside_of_the_text_and_broken_messages_are_answered_without_a_traceback():
    about = {"textDocument": {"uri": CELL.as_uri()}}
    asked = [
        ("initialize", {"capabilities": {}, "processId": None, "rootUri": None}),
        *(
            ("textDocument/hover", {**about, "position": {"line": line, "character": character}})
            for line, character in ((2**40, 2**70), (-1, -7), ("a", None))
        ),
        ("shutdown", None),
    ]
    said = [{"id": i, "method": method, "params": params} for i, (method, params) in enumerate(asked)]
    text = CELL.read_text(encoding="utf-8")
    document = {"uri": CELL.as_uri(), "languageId": "mlir", "version": 1, "text": text}
    said.insert(1, {"method": "textDocument/didOpen", "params": {"textDocument": document}})
    raw = b""
    for message in [*said, {"method": "exit"}]:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        raw += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    done = subprocess.run([sys.executable, "-c", MAIN, "lsp"], input=raw, capture_output=True, check=False)
    heard = [
        json.loads(part.partition(b"\r\n\r\n")[2]) for part in done.stdout.split(b"Content-Length: ")[1:]
    ]
    answers = {message["id"]: message for message in heard if "method" not in message}
    assert [answers[i].get("result", "none") for i in (1, 2)] == [None, None]
    assert answers[3]["error"]["code"] == -32602
    assert b"Invalid Params" in done.stderr and b"Traceback" not in done.stderr
    assert done.returncode == 0 and b"internal error" not in done.stderr
