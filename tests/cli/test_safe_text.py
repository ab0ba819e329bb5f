"""Names of a program are data: they never act on a terminal, begin a line of a log, or make an annotation; and streams that cannot be
written or read are said plainly."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bufferize.cli.main import main

NASTY = r"a\1B[31m\0A::error file=x::y"
PROGRAM = f"""func.func @"{NASTY}"(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {{
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  return %n, %o : tensor<8xf32>, f32
}}
"""
RUN = "from bufferize.cli.main import main; raise SystemExit(main())"

COMMANDS = [
    ["explain", "--fail-on-copy"],
    ["explain", "--measure"],
    ["explain", "--format", "github"],
    ["explain", "--format", "sarif"],
    ["explain", "--ownership"],
    ["explain", "--function", "zz"],
    ["compare"],
    ["lint"],
    ["memory"],
    ["prove"],
    ["verify"],
    ["run"],
    ["fix", "--select", "nothing"],
]


def harmless(text: str) -> bool:
    return not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text) and "\n::error file=x" not in text


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "p.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_names_do_nothing(words: list[str], program: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    main([words[0], "p.mlir", *words[1:]])
    shown = capsysbinary.readouterr()
    assert harmless(shown.out.decode()) and harmless(shown.err.decode())


@pytest.mark.parametrize("word", ["\x1b[31mexplain", "explain\n::error file=x::", "--\x1b[0m"])
def test_words_that_are_typed_do_nothing(word: str, capsysbinary: pytest.CaptureFixture[bytes]):
    assert main([word]) != 0
    assert main(["explain", word]) != 0
    shown = capsysbinary.readouterr().err.decode()
    assert harmless(shown) and shown


def test_errors_of_a_program_are_annotations_too(program: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    program.write_text("func.func @f() {\n  %x = \n}\n")
    assert main(["explain", "p.mlir", "--format", "github"]) != 0
    shown = capsysbinary.readouterr()
    assert re.match(r"::error file=p\.mlir,line=2,", shown.out.decode())
    assert shown.err.decode().startswith("p.mlir:2:")


def run(words: list[str], redirection: str, folder: Path) -> subprocess.CompletedProcess[str]:
    typed = " ".join(f"'{word}'" for word in [sys.executable, "-c", RUN, *words])
    return subprocess.run(["sh", "-c", f"{typed} {redirection}"], cwd=folder, capture_output=True, text=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("words", "redirection", "said"),
    [
        (["explain", "p.mlir"], "> /dev/full", "cannot write the output: No space left on device"),
        (["--help"], "> /dev/full", "cannot write the output: No space left on device"),
        (["explain", "p.mlir"], ">&-", "cannot write the output: standard output is closed"),
        (["explain", "-"], "<&-", "cannot read standard input: it is closed"),
        (["explain", "none.mlir"], "2>&-", ""),
    ],
)
def test_streams_that_do_not_work(words: list[str], redirection: str, said: str, program: Path):
    done = run(words, redirection, program.parent)
    assert done.returncode == 2 and said in done.stderr
    assert (
        "internal error" not in done.stderr
        and "Traceback" not in done.stderr
        and "Exception" not in done.stderr
    )


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_links_are_kept(program: Path):
    folder = program.parent
    (folder / "real.json").write_text("old")
    (folder / "link.json").symlink_to("real.json")
    (folder / "dangling.json").symlink_to("new.json")
    for name in ("link.json", "dangling.json"):
        assert main(["explain", "p.mlir", "--format", "json", "-o", name]) == 0
        assert (folder / name).is_symlink()
    assert json.loads((folder / "real.json").read_text()) and json.loads((folder / "new.json").read_text())


@pytest.mark.parametrize("name", ["bufferize.toml", "pyproject.toml"])
def test_settings_that_are_no_file_are_an_error(tmp_path, capsys, name):
    program = tmp_path / "p.mlir"
    program.write_text("func.func @f() { return }")
    settings = tmp_path / name
    for make in (
        settings.mkdir,
        lambda: settings.symlink_to(settings),
        lambda: settings.symlink_to("/dev/zero"),
    ):
        make()
        assert main(["explain", str(program)]) == 2
        assert "is not a file, but settings are read from it" in capsys.readouterr().err
        settings.rmdir() if settings.is_dir() else settings.unlink()
    assert main(["explain", "--config", "/dev/zero", str(program)]) == 2


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
def test_a_device_without_an_end_is_an_error(tmp_path, capsys):
    program = tmp_path / "p.mlir"
    program.write_text("func.func @f() { return }")
    assert main(["explain", str(program), "--models", "/dev/zero"]) == 2
    assert "it is a device, and has no end" in capsys.readouterr().err


def test_a_message_of_any_size_is_no_crash():
    said = subprocess.run(
        [sys.executable, "-c", "from bufferize.cli.main import main; raise SystemExit(main(['lsp']))"],
        input=b"Content-Length: 99999999999999\r\n\r\n{}",
        capture_output=True,
        timeout=600,
    )
    assert said.returncode == 2 and b"a message of 99999999999999 bytes exceeds" in said.stderr


def test_an_alignment_that_is_no_power_of_two_is_refused(tmp_path, capsys):
    program = tmp_path / "p.mlir"
    program.write_text(
        'func.func @f() { return }\n{-#\n  dialect_resources: { builtin: { b: "0x030000000000803F" } }\n#-}\n'
    )
    assert main(["explain", str(program)]) == 2
    assert "p.mlir:3:38: error: expected hex string blob for key 'b'" in capsys.readouterr().err


def test_escapes_in_the_text_of_a_program_are_not_repeated(tmp_path, capsys):
    from bufferize.cli.opt import main as opt

    file = tmp_path / "p.mlir"
    file.write_text("func.func @f() { \x1b[31mred return }")
    assert opt([str(file)]) == 1
    shown = capsys.readouterr().err
    assert "?[31mred" in shown and "\x1b" not in shown
