"""How far a suggestion can be trusted: said alike in text, JSON, SARIF, on GitHub and in the editor, and obeyed by `fix`."""

import json

import pytest
from bufferize.cli.main import main
from bufferize.ir.source.diagnostics import Applicability
from bufferize.lsp import answers
from bufferize.lsp.document import Document
from lsprotocol import types as lsp

T = "tensor<8xf32>"
PROGRAMS = {
    Applicability.SAFE: f"""func.func @f(%t: {T}, %f: f32, %i: index) -> ({T}, f32) {{
  %u = tensor.insert %f into %t[%i] : {T}
  %x = tensor.extract %t[%i] : {T}
  return %u, %x : {T}, f32
}}
""",
    Applicability.CALLERS: f"""func.func @f(%t: {T} {{bufferization.writable = false}}, %f: f32, %i: index) -> {T} {{
  %u = tensor.insert %f into %t[%i] : {T}
  return %u : {T}
}}
""",
}


@pytest.mark.parametrize("trust", PROGRAMS)
def test_every_surface_says_it_and_fix_obeys(trust, tmp_path, capsys):
    file = tmp_path / "p.mlir"
    file.write_text(PROGRAMS[trust])

    def out(*words: str) -> str:
        main([words[0], str(file), *words[1:]])
        return capsys.readouterr().out

    found = json.loads(out("explain", "--format", "json"))["diagnostics"]
    told = {s["applicability"] for d in found for s in d["suggestions"]}
    assert told == {trust}
    assert f"{trust}: {trust.meaning}" in " ".join(out("explain").replace("│", " ").split())
    (run,) = json.loads(out("explain", "--format", "sarif"))["runs"]
    fixes = [fix for result in run["results"] for fix in result.get("fixes", ())]
    assert {fix["properties"]["applicability"] for fix in fixes} == {trust}
    assert f", {trust})" in out("explain", "--format", "github")
    document = Document(str(file), file.read_text())
    everywhere = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    actions = answers.code_actions(document, "file:///p.mlir", everywhere)
    assert actions
    for action in actions:
        assert (f"[{trust}]" in action.title) == (trust is not Applicability.SAFE)
        assert trust is Applicability.SAFE or not action.is_preferred
    changed = out("fix") != PROGRAMS[trust]
    assert changed == (trust is Applicability.SAFE)
    assert out("fix", "--unsafe-fixes") != PROGRAMS[trust]
