"""`bufferize fix`: what it changes, what it leaves alone, and what stays of the text."""

import pytest
from bufferize import parse
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.cli.main import main
from bufferize.explain.fix import fix
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.places import Source

CELL = """\
// A cell is read after it was changed.
func.func @cell(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  // the write
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>   // the read
  return %w, %x : tensor<4xf32>, f32
}
"""
NEEDED = """\
func.func @needed(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
"""
OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)


def test_a_read_moves_before_the_write_and_comments_stay():
    fixed = fix(Source("cell.mlir", CELL), OPTIONS)
    assert fixed.before == (1, 16)
    assert fixed.after == (0, 0)
    assert len(fixed.applied) == 1
    assert sorted(fixed.text.splitlines()) == sorted(CELL.splitlines())
    assert fixed.text.index("// the read") < fixed.text.index("tensor.insert")
    for finding in verify_module(parse(CELL), parse(fixed.text), Options(inputs=2)):
        assert not finding.failed


def test_what_is_needed_stays_as_it_is():
    fixed = fix(Source("needed.mlir", NEEDED), OPTIONS)
    assert fixed.text == NEEDED
    assert fixed.applied == []
    assert fixed.left == [
        "line 2: 'tensor.insert' copies 16 bytes: necessary, no choice of what stays in place, "
        "and no order, copies less here (one conflict, checked)"
    ]


def test_only_selected_findings():
    assert fix(Source("cell.mlir", CELL), OPTIONS, codes=["loop-yield"]).text == CELL
    assert fix(Source("cell.mlir", CELL), OPTIONS, codes=["read-after-write"]).text != CELL


UNKNOWN = """
  "mine.unknown"() ({
    "mine.go"()[^next] : () -> ()
  ^next:
    "mine.stop"() : () -> ()
  }) : () -> ()
"""
"""What can be neither run nor proved: nobody knows which way its blocks go."""


def test_what_cannot_be_run_is_left_alone_unless_unsafe_changes_are_wanted():
    text = CELL.replace("  // the write\n", UNKNOWN)
    assert fix(Source("cell.mlir", text), OPTIONS).text == text
    assert fix(Source("cell.mlir", text), OPTIONS).not_run
    assert fix(Source("cell.mlir", text), OPTIONS, unsafe=True).text != text


def test_the_command_prints_a_difference(tmp_path, capsys, monkeypatch):
    path = tmp_path / "cell.mlir"
    path.write_text(CELL)
    monkeypatch.setattr("sys.argv", ["bufferize", "fix", str(path), "--diff"])
    with pytest.raises(SystemExit) as exit:
        raise SystemExit(main())
    assert not exit.value.code
    out = capsys.readouterr()
    assert "-  %x = tensor.extract" in out.out
    assert "+  %x = tensor.extract" in out.out
    assert "1 copy of 16 bytes, now 0 of 0" in out.err
    assert path.read_text() == CELL
