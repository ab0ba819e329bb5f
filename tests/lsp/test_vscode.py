"""The extension for VS Code: it compiles, its own tests pass, and it speaks of what the server has."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra bufferize[lsp] is not installed")

from bufferize.lsp.answers import TOKEN_MODIFIERS
from bufferize.lsp.server import SHOW_BUFFERIZED

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))


def test_it_speaks_of_what_the_server_has():
    contributed = PACKAGE["contributes"]
    assert [modifier["id"] for modifier in contributed["semanticTokenModifiers"]] == TOKEN_MODIFIERS
    colours = contributed["configurationDefaults"]["editor.semanticTokenColorCustomizations"]["rules"]
    assert list(colours) == [f"*.{modifier}:mlir" for modifier in TOKEN_MODIFIERS]
    source = (EXTENSION / "src" / "extension.ts").read_text(encoding="utf-8")
    assert f'"{SHOW_BUFFERIZED}"' in source
    commands = {entry["command"] for entry in contributed["commands"]}
    assert commands == set(re.findall(r'registerCommand\("([^"]+)"', source))


def test_what_it_is_packed_with_is_there():
    packed = {name for name in PACKAGE["files"] if not name.startswith("dist/")}
    named = {PACKAGE["icon"], *(grammar["path"] for grammar in PACKAGE["contributes"]["grammars"])}
    named |= {language["configuration"] for language in PACKAGE["contributes"]["languages"]}
    for name in packed | named:
        path = (EXTENSION / name).resolve()
        assert path.exists(), name
        assert any(path.is_relative_to(EXTENSION / one) for one in packed), f"{name} is not packed"
    assert PACKAGE["main"].removeprefix("./") in PACKAGE["files"]
    locked = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))["packages"][""]
    assert all(locked[kind] == PACKAGE[kind] for kind in ("version", "dependencies", "devDependencies"))


@pytest.mark.long
def test_it_compiles_and_its_tests_pass(tmp_path: Path):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "out"))
    fetched = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True
    )
    if fetched.returncode != 0:
        pytest.skip(f"npm cannot fetch what the extension is compiled with: {fetched.stderr.strip()[-200:]}")
    done = subprocess.run(["npm", "test"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and re.search(r"^# fail 0$|ℹ fail 0", done.stdout, re.M), (
        done.stdout + done.stderr
    )
