"""A baseline accepts what it lists, as often as it lists it, wherever the command is typed; and ids are explained."""

import json
import threading
from pathlib import Path

import pytest
from bufferize.cli.explain_command import _ticks, watch
from bufferize.cli.explain_text import all_kinds
from bufferize.cli.main import main
from bufferize.ir.source.diagnostics import InputError

COPY = """func.func @NAME(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  return %n, %o : tensor<8xf32>, f32
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "programs" / "f.mlir"
    path.parent.mkdir()
    path.write_text(COPY.replace("NAME", "f"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path


def run(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    shown = capsysbinary.readouterr()
    return code, shown.out.decode(), shown.err.decode()


@pytest.mark.parametrize("command", ["explain", "lint"])
def test_only_what_is_new_fails(
    command: str, program: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
):
    if command == "lint":
        leak = "func.func @NAME() {\n  %m = memref.alloc() : memref<8xf32>\n  return\n}\n"
    else:
        leak = COPY
    program.write_text(leak.replace("NAME", "f"), encoding="utf-8")
    words = (command, "programs/f.mlir", "--baseline", "b.json")
    assert run(capsysbinary, *words)[0] != 0  # there is none yet
    code, _, err = run(capsysbinary, *words, "--write-baseline")
    assert code == 0 and "written to 'b.json'" in err
    code, out, err = run(capsysbinary, *words)
    assert code == 0 and "[" not in out and "in 'b.json' not shown" in err
    program.write_text("\n\n// moved\n" + leak.replace("NAME", "f"), encoding="utf-8")
    monkeypatch.chdir(program.parent)
    assert run(capsysbinary, command, "f.mlir", "--baseline", "../b.json")[0] == 0
    program.write_text(leak.replace("NAME", "f") + leak.replace("NAME", "g"), encoding="utf-8")
    code, out, err = run(capsysbinary, command, "f.mlir", "--baseline", "../b.json")
    assert code == 1 and "f.mlir:" in out
    program.write_text("func.func @f() {\n  return\n}\n", encoding="utf-8")
    code, _, err = run(capsysbinary, command, "f.mlir", "--baseline", "../b.json")
    assert code == 0 and "did not occur" in err


@pytest.mark.parametrize(
    "text", ["", "[]", '{"version": 2}', '{"version": 1, "findings": [3]}', "[" * 100_000]
)
def test_what_is_no_baseline_is_refused(text: str, program: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    Path("b.json").write_text(text)
    code, _, err = run(capsysbinary, "explain", "programs/f.mlir", "--baseline", "b.json")
    assert code != 0 and "'b.json' is not a baseline" in err
    assert Path("b.json").read_text() == text


def test_a_baseline_needs_a_name(program: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    code, _, err = run(capsysbinary, "explain", "programs/f.mlir", "--write-baseline")
    assert code != 0 and "--baseline FILE" in err


def test_names_in_a_baseline_are_data(program: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    assert run(capsysbinary, "explain", "programs/f.mlir", "--baseline", "b.json", "--write-baseline")[0] == 0
    (entry,) = json.loads(Path("b.json").read_bytes())["findings"]
    assert entry["file"] == "programs/f.mlir" and entry["id"] == "read-after-write" and entry["times"] == 1


def test_every_id_is_explained(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for name, kind in all_kinds().items():
        code, out, _ = run(capsysbinary, "explain", name)
        assert code == 0 and out.startswith(f"{name}: {kind.page().title}\n")
    code, _, err = run(capsysbinary, "explain", "read-after-wite")
    assert code != 0 and "did you mean 'read-after-write'?" in err


def test_a_change_is_seen_and_an_error_ends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "f"
    file.write_text("a")
    seen: list[str] = []

    def look() -> None:
        seen.append(file.read_text())
        if seen[-1] == "bad":
            raise InputError("that is bad")

    def days():
        yield
        yield  # nothing changed
        file.write_text("bad")
        yield
        file.write_text("good again")
        yield
        raise KeyboardInterrupt

    assert watch([str(file)], look, pause=days) == 0
    assert seen == ["a", "bad", "good again"]
    assert "error: that is bad" in capsys.readouterr().err


def test_the_system_tells_of_a_change_where_watchfiles_is_installed(tmp_path):
    pytest.importorskip("watchfiles")
    file = tmp_path / "a.mlir"
    file.write_text("")
    ticks = _ticks([str(file)])
    next(ticks)
    writing = threading.Timer(0.5, file.write_text, ("func.func private @f()",))
    writing.start()
    next(ticks)
    assert file.read_text()
    writing.join()
    ticks.close()
