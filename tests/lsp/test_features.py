"""Each feature as a client meets it: one server process, spoken to as Neovim would (pytest-lsp)."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra bufferize[lsp] is not installed")
pytest.importorskip("pytest_lsp", reason="pytest-lsp is not installed")

import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

MAIN = "from bufferize.cli.main import main; raise SystemExit(main())"
TEXT = """func.func @swap(%t: tensor<1024xf32>, %f: f32, %i: index) -> (tensor<1024xf32>, f32) {
  %new = tensor.insert %f into %t[%i] : tensor<1024xf32>
  %old = tensor.extract %t[%i] : tensor<1024xf32>
  return %new, %old : tensor<1024xf32>, f32
}
func.func @sum(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<16xf32>) {
    %b = tensor.insert %f into %a[%k] : tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  %s = tensor.extract %r[%c0] : tensor<16xf32>
  return %s : f32
}
func.func @caller(%f: f32, %n: index) -> f32 {
  %s = call @sum(%f, %n) : (f32, index) -> f32
  return %s : f32
}
"""
pytestmark = pytest.mark.asyncio(loop_scope="module")
WAIT = 60
"""Seconds after which something that should come is taken not to come; nothing is measured."""
numbers = itertools.count()


@pytest_lsp.fixture(
    config=pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-c", MAIN, "lsp"]),
    scope="module",
    loop_scope="module",
)
async def client(lsp_client: LanguageClient):
    for request in (lsp.WORKSPACE_INLAY_HINT_REFRESH, lsp.WORKSPACE_CODE_LENS_REFRESH):
        lsp_client.feature(request)(lambda *_: None)
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=pytest_lsp.client_capabilities("neovim"), root_uri=None)
    )
    yield
    await lsp_client.shutdown_session()


class Opened:
    """A text that is open in the client."""

    def __init__(self, client: Any, text: str, path: Path | None = None) -> None:
        self.client, self.text, self.version = client, text, 1
        self.uri = path.as_uri() if path is not None else f"file:///nowhere/{next(numbers)}.mlir"
        self.name = lsp.TextDocumentIdentifier(self.uri)
        item = lsp.TextDocumentItem(self.uri, "mlir", 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    async def said(self, enough: Callable[[Any], bool]) -> list[lsp.Diagnostic]:
        """The diagnostics, once they are enough."""
        for _ in range(WAIT * 20):
            found = self.client.diagnostics.get(self.uri)
            if found is not None and enough(found):
                return list(found)
            await asyncio.sleep(0.05)
        raise AssertionError(self.client.diagnostics.get(self.uri))

    def at(self, mark: str, skip: int = 0) -> lsp.Position:
        """The place behind the first character of the `skip`-th occurrence of a text."""
        start = -1
        for _ in range(skip + 1):
            start = self.text.index(mark, start + 1)
        before = self.text[: start + 1]
        return lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)

    def everywhere(self) -> lsp.Range:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(self.text.count("\n"), 0))

    def edit(self, old: str, new: str) -> None:
        """Tell the server that the first occurrence of `old` is `new` now."""
        start = self.text.index(old)

        def place(offset: int) -> lsp.Position:
            before = self.text[:offset]
            return lsp.Position(before.count("\n"), offset - before.rfind("\n") - 1)

        range = lsp.Range(place(start), place(start + len(old)))
        self.text = self.text.replace(old, new, 1)
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangePartial(range, new)],
            )
        )


def has(code: str) -> Callable[[Any], bool]:
    return lambda found: any(diagnostic.code == code for diagnostic in found)


async def test_diagnostics_have_causes_and_related_places(client: Any):
    (found,) = [
        d for d in await Opened(client, TEXT).said(has("read-after-write")) if d.code == "read-after-write"
    ]
    assert found.range.start.line == 1 and "4096 bytes" in found.message and found.source == "bufferize"
    assert [(place.location.range.start.line) for place in found.related_information or ()].count(2) == 1


async def test_quick_fixes_are_help_that_was_tried(client: Any):
    opened = Opened(client, TEXT)
    (found,) = [d for d in await opened.said(has("read-after-write")) if d.code == "read-after-write"]
    context = lsp.CodeActionContext([found])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(opened.name, found.range, context)
    )
    fix = actions[0]
    assert fix.kind == lsp.CodeActionKind.QuickFix and "saves" in fix.title
    assert fix.edit is not None and fix.edit.changes is not None and list(fix.edit.changes) == [opened.uri]


@pytest.mark.parametrize(
    ("mark", "skip", "said"),
    [
        ("%new", 0, ["%new : tensor<1024xf32>", "Its buffer is allocated by 'tensor.insert'", "is copied"]),
        ("%t", 0, ["%t : tensor<1024xf32>", "Its buffer is the caller's"]),
        ("%b", 1, ["%b : tensor<16xf32>", "Its buffer is allocated by 'tensor.empty' for %e", "May share"]),
        ("%f", 1, ["%f : f32"]),
    ],
)
async def test_hover_tells_type_origin_sharing_and_copies(client: Any, mark: str, skip: int, said: list[str]):
    opened = Opened(client, TEXT)
    found = await client.text_document_hover_async(lsp.HoverParams(opened.name, opened.at(mark, skip)))
    assert all(part in found.contents.value for part in said), found.contents.value


async def test_hints_say_in_place_copied_and_freed(client: Any):
    opened = Opened(client, TEXT)
    for _ in range(WAIT * 20):
        hints = await client.text_document_inlay_hint_async(
            lsp.InlayHintParams(opened.name, opened.everywhere())
        )
        shown = [(hint.position.line, hint.label) for hint in hints]
        if any("frees" in str(label) for _, label in shown):
            break
        await asyncio.sleep(0.05)
    assert (1, "copy, 4096 bytes") in shown and (10, "in place") in shown
    assert (14, "frees %e") in shown, shown


async def test_lenses_tell_copies_bytes_peak_and_contract(client: Any):
    opened = Opened(client, TEXT)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(opened.name))
    titles = {lens.range.start.line: lens.command.title for lens in lenses}
    assert "1 copy (4096 bytes)" in titles[0] and "%t is read" in titles[0]
    assert "peak 64 bytes" in titles[5]


async def test_definition_and_references(client: Any):
    opened = Opened(client, TEXT)
    place = opened.at("%b", 1)
    found = await client.text_document_definition_async(lsp.DefinitionParams(opened.name, place))
    assert found.range.start == lsp.Position(10, 4)
    found = await client.text_document_definition_async(
        lsp.DefinitionParams(opened.name, opened.at("@sum", 1))
    )
    assert found.range.start.line == 5
    context = lsp.ReferenceContext(include_declaration=True)
    mentions = await client.text_document_references_async(
        lsp.ReferenceParams(context, opened.name, opened.at("%t"))
    )
    assert sorted(mention.range.start.line for mention in mentions) == [0, 1, 2]


async def test_symbols_and_folding(client: Any):
    opened = Opened(client, TEXT)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(opened.name))
    assert [symbol.name for symbol in symbols] == ["@swap", "@sum", "@caller"]
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(opened.name))
    assert {(fold.start_line, fold.end_line) for fold in folds} == {(0, 3), (5, 14), (9, 11), (16, 18)}


async def test_rename_changes_every_mention_and_refuses_what_is_taken(client: Any):
    opened = Opened(client, TEXT)
    edit = await client.text_document_rename_async(
        lsp.RenameParams(opened.name, opened.at("@sum", 1), "total")
    )
    assert [change.new_text for change in edit.changes[opened.uri]] == ["@total", "@total"]
    before = len(client.messages)
    assert (
        await client.text_document_rename_async(lsp.RenameParams(opened.name, opened.at("%b"), "%a")) is None
    )
    assert "already used" in client.messages[before].message


async def test_values_that_share_memory_have_one_colour(client: Any):
    opened = Opened(client, TEXT)
    found = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(opened.name))
    assert len(found.data) % 5 == 0 and len({found.data[i + 4] for i in range(0, len(found.data), 5)}) >= 2


async def test_the_bufferized_program_can_be_shown(client: Any):
    opened = Opened(client, TEXT)
    shown = await client.protocol.send_request_async("bufferize/bufferized", {"uri": opened.uri})
    assert "memref.copy" in shown and "tensor<" not in shown


async def test_edits_are_answered_and_undone(client: Any):
    opened = Opened(client, TEXT)
    await opened.said(has("read-after-write"))
    opened.edit("%old = tensor.extract %t[%i]", "%old = tensor.extract %new[%i]")
    await opened.said(lambda found: not has("read-after-write")(found))
    opened.edit("%old = tensor", "%old = = tensor")
    (broken,) = await opened.said(lambda found: [d.severity for d in found] == [lsp.DiagnosticSeverity.Error])
    assert broken.range.start.line == 2
    opened.edit("%old = = tensor.extract %new", "%old = tensor.extract %t")
    await opened.said(has("read-after-write"))


UNKNOWN = TEXT + "".join(
    f"func.func @{name}(%t: tensor<4xf32>) -> tensor<4xf32> {{\n"
    f"  %0 = nobody.knows %t by 3 : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}}\n"
    for name in ("first", "second")
)


async def test_functions_in_unknown_notation_are_left_out_with_one_hint(client: Any):
    said = await Opened(client, UNKNOWN).said(has("read-after-write"))
    hints = [d for d in said if d.code == "unknown-dialect"]
    assert [hint.severity for hint in hints] == [lsp.DiagnosticSeverity.Hint]
    assert "nobody" in hints[0].message and "--ods" in hints[0].message
    assert all(d.severity != lsp.DiagnosticSeverity.Error for d in said)


async def test_generic_form_of_unknown_dialects_is_read(client: Any):
    text = TEXT.replace(
        "tensor.extract %t[%i] : tensor<1024xf32>", '"nobody.knows"(%t) : (tensor<1024xf32>) -> f32'
    )
    said = await Opened(client, text).said(lambda found: found)
    assert not has("unknown-dialect")(said)


async def test_the_settings_of_the_project_count(client: Any, tmp_path: Path):
    (tmp_path / "bufferize.toml").write_text(
        '[ignore]\nread-after-write = "known"\n[options]\nno-function-boundaries = true\n'
    )
    program = tmp_path / "swap.mlir"
    program.write_text(TEXT)
    said = await Opened(client, TEXT, program).said(has("unknown-operation"))
    assert not has("read-after-write")(said)


async def test_settings_that_are_wrong_are_said_once(client: Any, tmp_path: Path):
    (tmp_path / "bufferize.toml").write_text("[ignore]\nnonsense = 1\n")
    program = tmp_path / "swap.mlir"
    program.write_text(TEXT)
    before = len(client.messages)
    await Opened(client, TEXT, program).said(has("read-after-write"))
    assert ["nonsense" in message.message for message in client.messages[before:]] == [True]
