"""What may be compared: results, folders, revisions, and the outputs of two compilers."""

import subprocess
from pathlib import Path

import pytest
from bufferize.cli.main import main

COPY = """func.func @f(%f: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %n = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %t = tensor.insert %f into %n[%i] : tensor<8xf32>
  %o = tensor.extract %n[%i] : tensor<8xf32>
  %p = tensor.extract %t[%i] : tensor<8xf32>
  %s = arith.addf %o, %p : f32
  return %s : f32
}
"""
NO_COPY = COPY.replace("%o = tensor.extract %n[%i]", "%o = tensor.extract %t[%i]")
OUTPUT = """func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  memref.copy %m, %b : memref<8xf32> to memref<8xf32>
  return
}
"""


def folder(root: Path, **programs: str) -> str:
    for name, text in programs.items():
        path = root / "deep" / f"{name}.mlir"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(root)


def compare(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["corpus", "diff", *words, "--jobs", "1"])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_two_folders(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    old = folder(tmp_path / "old", f=NO_COPY, g=COPY)
    new = folder(tmp_path / "new", f=COPY, g=COPY)
    code, said = compare(capfd, old, new)
    assert code == 1 and said.splitlines() == [
        "worse  deep/f.mlir @f: copies 0 -> 1, bytes 0 -> 32, peak 32 -> 64, allocations 1 -> 2"
    ]
    assert compare(capfd, new, old)[0] == 0 and compare(capfd, old, old) == (0, "no difference\n")


def test_outputs_are_counted_as_they_stand(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    lines = OUTPUT.splitlines(keepends=True)
    old = folder(tmp_path / "old", f="".join(lines[:2] + lines[4:]))
    new = folder(tmp_path / "new", f=OUTPUT)
    code, said = compare(capfd, old, new)
    assert code == 1 and said == "worse  deep/f.mlir @f: copies 0 -> 2, bytes 0 -> 64, peak 0 -> 32\n"


def test_what_is_found_out_can_be_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    old = folder(tmp_path / "old", f=COPY)
    assert compare(capfd, old, old, "-o", str(tmp_path / "kept.db"))[0] == 0
    assert main(["corpus", old, "-o", str(tmp_path / "kept.db"), "--jobs", "1"]) == 0
    assert "0 analysed now, 1 known before" in capfd.readouterr().out


def test_two_revisions_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)

    def git(*words: str) -> None:
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        try:
            subprocess.run(["git", *author, *words], check=True, capture_output=True)
        except OSError:
            pytest.skip("git is not installed")

    git("init", "-q", "-b", "trunk")
    for text in (NO_COPY, COPY):
        folder(tmp_path, f=text)
        git("add", ".")
        git("commit", "-q", "-m", "a program")
    code, said = compare(capfd, "HEAD~1", "HEAD")
    assert code == 1 and said.startswith("worse  deep/f.mlir @f: copies 0 -> 1")
    folder(tmp_path, f=NO_COPY)
    assert compare(capfd, "HEAD", ".")[0] == 0  # what is not committed yet is a folder
    code, said = compare(capfd, "HEAD~1", "nowhere")
    assert code == 2 and "'nowhere' is neither a file of results, nor a folder, nor a revision" in said
    assert compare(capfd, "--", "HEAD", "--output=x")[0] == 2
