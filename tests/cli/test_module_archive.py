"""The archive of compiled modules: what it holds is used until its source changes."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bufferize.cli.module_archive import ModuleArchive

ROOT = Path(__file__).parents[2]


class Process:
    """Imports of one package as in a process of its own, from the archive in its folder."""

    def __init__(self, folder: Path) -> None:
        self.archive = ModuleArchive("archived", str(folder / "archive"))

    def value(self, module: str) -> object:
        sys.meta_path.insert(0, self.archive)
        try:
            return importlib.import_module(module).VALUE
        finally:
            sys.meta_path.remove(self.archive)

    def exit(self) -> None:
        self.archive.save()
        for name in [name for name in sys.modules if name.partition(".")[0] == "archived"]:
            del sys.modules[name]
        importlib.invalidate_caches()


def uses_archive(module: str) -> bool:
    return type(sys.modules[module].__spec__.loader).__module__ == ModuleArchive.__module__


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "archived"
    package.mkdir()
    (package / "__init__.py").write_text("VALUE = 0\n")
    (package / "inner.py").write_text("VALUE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "compiled"))
    return tmp_path


def test_the_second_process_imports_from_the_archive(folder: Path) -> None:
    first = Process(folder)
    assert first.value("archived.inner") == 1
    assert not uses_archive("archived.inner")
    first.exit()
    second = Process(folder)
    assert second.value("archived.inner") == 1
    assert uses_archive("archived") and uses_archive("archived.inner")
    assert sys.modules["archived.inner"].__file__ == str(folder / "archived" / "inner.py")
    second.exit()


def test_a_module_whose_source_changed_is_imported_from_its_source(folder: Path) -> None:
    for expected, text in ((1, "VALUE = 22\n"), (22, "VALUE = 333\n"), (333, "VALUE = 333\n")):
        process = Process(folder)
        assert process.value("archived.inner") == expected
        process.exit()
        (folder / "archived" / "inner.py").write_text(text)


def test_modules_of_later_processes_are_added(folder: Path) -> None:
    first = Process(folder)
    assert first.value("archived") == 0
    first.exit()
    second = Process(folder)
    assert second.value("archived.inner") == 1
    assert uses_archive("archived") and not uses_archive("archived.inner")
    second.exit()
    third = Process(folder)
    assert third.value("archived.inner") == 1
    assert uses_archive("archived") and uses_archive("archived.inner")
    third.exit()


@pytest.mark.parametrize("damage", [b"", b"bufferize modules of another version", None])
def test_a_damaged_archive_is_ignored(folder: Path, damage: bytes | None) -> None:
    first = Process(folder)
    first.value("archived.inner")
    first.exit()
    archive = folder / "archive"
    archive.write_bytes(archive.read_bytes()[:-40] if damage is None else damage)
    second = Process(folder)
    assert second.value("archived.inner") == 1
    second.exit()


def test_nothing_is_written_without_permission_to_write_compiled_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    process = Process(folder)
    process.value("archived.inner")
    process.exit()
    assert not (folder / "archive").exists()


def test_commands_use_the_archive(tmp_path: Path) -> None:
    program = tmp_path / "empty.mlir"
    program.write_text("module {\n}\n")
    code = (
        "import atexit, sys; from bufferize.cli.daemon import opt_main; sys.argv[0] = 'bufferize-opt';"
        "atexit.register(lambda: print(sys.modules['bufferize.ir.text.parser'].__spec__.loader, file=sys.stderr));"
        "sys.exit(opt_main())"
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"), "PYTHONPATH": str(ROOT.parent)}
    for expected in ("SourceFileLoader", "module_archive"):
        run = subprocess.run(
            [sys.executable, "-c", code, str(program)], capture_output=True, text=True, env=environment
        )
        assert run.returncode == 0
        assert expected in run.stderr
