"""Commands take several files and folders: each good one is shown, each bad one is said, and the exit code is 2 then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bufferize.cli.main import main

PROGRAM = """func.func @NAME(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %new = tensor.insert %f into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %new, %old : tensor<8xf32>, f32
}
func.func @keeps_NAME(%f: f32, %i: index) {
  %kept = memref.alloc() : memref<8xf32>
  memref.store %f, %kept[%i] : memref<8xf32>
  return
}
"""
COMMANDS = {
    "explain": ["--no-help"],
    "lint": [],
    "memory": [],
    "compare": [],
    "fix": ["--diff"],
    "graph": ["-o", "out"],
    "report": ["-o", "out", "--no-pictures", "--no-help"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "programs" / "deep").mkdir(parents=True)
    for path in ("programs/first.mlir", "programs/deep/second.mlir"):
        (tmp_path / path).write_text(PROGRAM.replace("NAME", Path(path).stem))
    return tmp_path / "programs"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_is_all_programs_below_it(command: str, folder: Path, capfd: pytest.CaptureFixture[str]):
    assert main([command, "programs", *COMMANDS[command]]) in (0, 1)
    good = capfd.readouterr()
    shown = good.out + "".join(path.read_text() for path in Path().glob("out/*"))
    for name in ("first", "second"):
        assert name in shown
    (folder / "broken.mlir").write_text("func.func @")
    assert main([command, "programs", *COMMANDS[command]]) == 2
    bad = capfd.readouterr()
    assert bad.out == good.out
    assert "broken.mlir:1:12: error:" in bad.err


def test_all_programs_together_have_a_table(folder: Path, capfd: pytest.CaptureFixture[str]):
    assert main(["compare", "programs"]) == 0
    *_, together = capfd.readouterr().out.split("\n\n")
    heading, _, default, *_ = together.splitlines()
    assert heading == "all 2 programs" and default.split() == [
        "default",
        "2",
        "64",
        "bytes",
        "0",
        "0",
        "bytes",
        "2",
        "64",
        "bytes",
        "0",
        "bytes",
        "128",
        "bytes",
        "32",
        "bytes",
    ]
    assert main(["compare", "programs", "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert [outcomes[0]["file"] for outcomes in data] == ["programs/deep/second.mlir", "programs/first.mlir"]


def test_files_are_changed_where_they_stand_if_that_is_asked_for(
    folder: Path, capfd: pytest.CaptureFixture[str]
):
    files = sorted(folder.rglob("*.mlir"))
    before = [file.read_text() for file in files]
    assert main(["fix", "programs"]) == 2
    assert main(["fix", "programs", "--in-place", "--diff"]) == 2
    assert "--in-place" in capfd.readouterr().err
    assert [file.read_text() for file in files] == before
    assert main(["fix", "programs", "--in-place"]) == 0
    for file, text in zip(files, before, strict=True):
        now = file.read_text()
        assert now.index("extract") < now.index("insert") and sorted(now.splitlines()) == sorted(
            text.splitlines()
        )


def test_pictures_of_several_programs_go_to_a_folder(folder: Path, capfd: pytest.CaptureFixture[str]):
    assert main(["graph", "programs"]) == 2
    assert "name a folder with -o" in capfd.readouterr().err
    assert main(["graph", "programs", "-o", "programs/first.mlir"]) == 2
    assert main(["graph", "programs", "-o", "pictures"]) == 0
    assert sorted(path.name for path in Path("pictures").iterdir()) == ["1-second.dot", "2-first.dot"]
