"""`bufferize graph`: what it writes, and what it says when it cannot."""

import io
import shutil
import sys
from pathlib import Path

import pytest
from bufferize.cli.main import main
from bufferize.viz.graph import KINDS

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")

PROGRAM = """
func.func @one(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
func.func @two() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
"""

BUFFERIZED = "one-shot-bufferize{bufferize-function-boundaries}"


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cell.mlir").write_text(PROGRAM)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["graph", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_as_dot(capsys, kind):
    if kind == "ownership":  # which is decided for programs that free nothing yet
        Path("cell.mlir").write_text(PROGRAM.replace("memref.dealloc %m : memref<4xf32>", ""))
    code, out, err = run(capsys, "cell.mlir", "--kind", kind)
    assert (code, err) == (0, "")
    assert out.startswith("digraph picture {")
    assert out.rstrip().endswith("}")


def test_standard_input_is_read(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
    code, out, _ = run(capsys, "-", "--function", "two")
    assert code == 0
    assert "@two" in out
    assert "@one" not in out


@needs_graphviz
@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")])
def test_the_format_is_that_of_the_name(capsys, name, start):
    assert run(capsys, "cell.mlir", "-o", name) == (0, "", "")
    assert Path(name).read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["a.dot", "a.gv"])
def test_dot_needs_no_graphviz(capsys, monkeypatch, name):
    monkeypatch.setenv("PATH", "")
    assert run(capsys, "cell.mlir", "-o", name) == (0, "", "")
    assert Path(name).read_text().startswith("digraph")


def test_without_graphviz_it_says_how_to_install_it(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "")
    code, out, err = run(capsys, "cell.mlir", "-o", "a.png")
    assert (code, out) == (2, "")
    assert err.startswith("bufferize: error: png pictures need Graphviz, whose program 'dot' was not found\n")
    assert "apt install graphviz" in err
    assert "--format dot" in err
    assert not Path("a.png").exists()
    assert run(capsys, "cell.mlir", "-o", "a.svg") == (0, "", ""), "a simpler layout needs no Graphviz"
    assert "<svg" in Path("a.svg").read_text(encoding="utf-8")


def test_a_program_after_passes_can_be_drawn(capsys):
    code, out, err = run(capsys, "cell.mlir", "--after", BUFFERIZED)
    assert (code, err) == (0, "")
    assert "memref.store" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.mlir"], "cannot open input file 'none.mlir': No such file or directory"),
        (["."], "several programs make several pictures"),
        (["empty.mlir"], "'empty.mlir' is empty: there is no program in it"),
        (["nothing.mlir"], "there is no function with a body in the program: nothing to draw"),
        (["cell.mlir", "-o", "x.sgv"], "cannot tell the format from the name 'x.sgv' (did you mean 'svg'?)"),
        (
            ["cell.mlir", "-o", "x"],
            "cannot tell the format from the name 'x': it should end in .dot, .svg, .png, .pdf",
        ),
        (
            ["cell.mlir", "--function", "tow"],
            "there is no function '@tow' with a body (did you mean '@two'?)",
        ),
        (["cell.mlir", "--focus", "@tow"], "there is no function '@tow' with a body (did you mean '@two'?)"),
        (["cell.mlir", "--focus", "%mm"], "there is no value '%mm' (did you mean '%m'?)"),
        (
            ["cell.mlir", "--kind", "liveness", "--function", "one"],
            "there are no allocations in these functions",
        ),
        (["cell.mlir", "--after", "no-such-pass"], "'no-such-pass' does not refer to a registered pass"),
        (["cell.mlir", "-o", "no/such/folder/x.dot"], "cannot write output file 'no/such/folder/x.dot'"),
        (
            ["parts.mlir", "--split-input-file"],
            "'parts.mlir' has 2 parts: choose one with --function",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said_and_nothing_is_written(capsys, arguments, message):
    Path("empty.mlir").write_text(" \n")
    Path("nothing.mlir").write_text("// nothing\nfunc.func private @f()\n")
    Path("parts.mlir").write_text(f"{PROGRAM}// -----\n{PROGRAM}")
    before = sorted(Path().iterdir())
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b"func.func @f() {\n  %a = arith.constant 1 : i32\n  %a = arith.constant 1 : i32\n  return\n}",
            "bad.mlir:3:3: error: ",
        ),
        (b"func.func @f(", "bad.mlir:1:14: error: "),
        (b"func.func @f() {\n  return\n}\n\xff\xfe", "bad.mlir:4:1: error: byte 0xff"),
        (b"\x00\x01\x02", "bad.mlir:1:"),
        (b'"a.b"() ({' * 5000, "error: "),
    ],
)
def test_bad_programs_are_pointed_at(capsys, text, message):
    Path("bad.mlir").write_bytes(text)
    code, out, err = run(capsys, "bad.mlir", "-o", "bad.dot")
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert "internal error" not in err
    assert not Path("bad.dot").exists()


def test_parts_that_belong_together_are_suggested_to_be_split(capsys):
    Path("parts.mlir").write_text(f"{PROGRAM}// -----\n{PROGRAM}")
    code, _, err = run(capsys, "parts.mlir")
    assert code == 2
    assert "the file has 2 parts, separated by '// -----'; --split-input-file reads them one by one" in err
    code, out, _ = run(capsys, "parts.mlir", "--split-input-file", "--function=one")
    assert code == 0
    assert "@one" in out


def test_an_existing_file_stays_if_drawing_fails(capsys):
    Path("a.dot").write_text("old")
    assert run(capsys, "cell.mlir", "-o", "a.dot", "--focus", "%none")[0] == 2
    assert Path("a.dot").read_text() == "old"


def test_colour_is_for_terminals(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    Path("bad.mlir").write_text("func.func @f(")
    assert "\x1b" not in run(capsys, "bad.mlir")[2]
    assert "\x1b[1;38;5;160merror:\x1b[0m" in run(capsys, "bad.mlir", "--color=always")[2]


def test_control_characters_of_the_input_do_not_reach_the_terminal(capsys):
    Path("bad.mlir").write_text("func.func @f() { \x1b]0;title\x07 }")
    assert "\x1b" not in run(capsys, "bad.mlir")[2]
