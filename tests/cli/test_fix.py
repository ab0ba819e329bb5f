"""`bufferize fix`: what it changes, what it leaves alone, and what stays of the text."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.sizes import ZERO, Formula
from bufferize.cli.main import main
from bufferize.explain import fix as fixing
from bufferize.explain.report import explain
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.locations import Source
from bufferize.proof.check import OPEN

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


def fix(source, options, **chosen):
    return fixing.fix(source, options, explain=explain, **chosen)


def test_a_read_moves_before_the_write_and_comments_stay():
    fixed = fix(Source("cell.mlir", CELL), OPTIONS)
    assert fixed.before == (1, Formula.of(16))
    assert fixed.after == (0, ZERO)
    assert len(fixed.applied) == 1
    assert sorted(fixed.text.splitlines()) == sorted(CELL.splitlines())
    assert fixed.text.index("// the read") < fixed.text.index("tensor.insert")
    for finding in verify_module(parse(CELL), parse(fixed.text), Options(inputs=2)):
        assert not finding.failed


def test_what_is_needed_stays_as_it_is():
    fixed = fix(Source("needed.mlir", NEEDED), OPTIONS)
    assert fixed.text == NEEDED
    assert fixed.applied == []
    copied, cloned = fixed.left
    assert copied == (
        "line 2: 'tensor.insert' copies 16 bytes: necessary, %t is returned, and so is its update by 'tensor.insert' (checked)"
    )
    assert cloned.startswith("line 3: deallocation clones 16 bytes for 'func.return': needed as written")


def test_only_selected_findings():
    assert fix(Source("cell.mlir", CELL), OPTIONS, codes=["loop-yield"]).text == CELL
    assert fix(Source("cell.mlir", CELL), OPTIONS, codes=["read-after-write"]).text != CELL


def test_what_cannot_be_run_is_left_alone_unless_unsafe_changes_are_wanted(monkeypatch):
    monkeypatch.setattr("bufferize.proof.check.prove_modules", lambda *modules: SimpleNamespace(verdict=OPEN))
    text = CELL.replace("  // the write\n", '  "mine.unknown"() : () -> ()\n')
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
    assert "1 copy (16 bytes), now 1 clone (16 bytes)" in out.err
    assert path.read_text() == CELL


def test_an_id_that_no_finding_has_is_refused(tmp_path, capsys):
    path = tmp_path / "cell.mlir"
    path.write_text(CELL)
    assert main(["fix", str(path), "--select", "read-after-writ"]) == 2
    assert "there is no finding 'read-after-writ'" in capsys.readouterr().err


def test_sizes_that_are_not_known_count_by_name():
    text = CELL.replace("4xf32", "?xf32")
    fixed = fix(Source("cell.mlir", text), OPTIONS)
    assert str(fixed.before[1]) == "4*%t.0"
    assert fixed.after == (0, ZERO)


def test_a_proof_stands_in_for_a_run():
    """The function that is called has no body, so nothing can be run."""
    text = "func.func private @log(f32)\n" + CELL.replace(
        "  return", "  call @log(%x) : (f32) -> ()\n  return"
    )
    fixed = fix(Source("cell.mlir", text), OPTIONS)
    assert fixed.after == (0, ZERO)
    assert not fixed.not_run


def test_a_copy_onto_itself_is_none():
    text = """\
func.func @f(%t: tensor<16xf32>, %f: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %new = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %ins = tensor.insert_slice %new into %t[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %ins : tensor<16xf32>
}
"""
    fixed = fix(Source("slice.mlir", text), OPTIONS)
    assert "%e = tensor.extract_slice %t[8] [8] [1]" in fixed.text
    assert fixed.after == (0, ZERO)


T = "tensor<8xf32>"
HALF = "tensor<4xf32>"
KINDS = {
    "a fill is rematerialized": (
        f"""  %e = tensor.empty() : {T}
  %z = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}
  %w = tensor.insert %f into %z[%i] : {T}
  return %w, %z : {T}, {T}""",
        "fill a separate tensor",
    ),
    "a constant of one element becomes a fill": (
        f"""  %z = arith.constant dense<2.0> : {T}
  %w = tensor.insert %f into %z[%i] : {T}
  return %w, %z : {T}, {T}""",
        "fill a separate tensor",
    ),
    "what counts is computed again": (
        f"""  %e = tensor.empty() : {T}
  %z = linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}} outs(%e : {T}) {{
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %k = arith.index_cast %n : index to i32
    %x = arith.sitofp %k : i32 to f32
    linalg.yield %x : f32
  }} -> {T}
  %w = tensor.insert %f into %z[%i] : {T}
  return %w, %z : {T}, {T}""",
        "compute a separate tensor",
    ),
    "a destination that is overwritten is empty": (
        f"""  %a = tensor.extract_slice %u[0] [4] [1] : {T} to {HALF}
  %b = tensor.extract_slice %u[4] [4] [1] : {T} to {HALF}
  %0 = tensor.insert_slice %a into %t[4] [4] [1] : {HALF} into {T}
  %1 = tensor.insert_slice %b into %0[0] [4] [1] : {HALF} into {T}
  return %1, %t : {T}, {T}""",
        "start from a tensor.empty",
    ),
    "a slice is taken from what it is put into": (
        f"""  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %w = tensor.insert %f into %t[%c5] : {T}
  %s = tensor.extract_slice %t[0] [4] [1] : {T} to {HALF}
  %z = tensor.insert %f into %s[%c1] : {HALF}
  %r = tensor.insert_slice %z into %w[0] [4] [1] : {HALF} into {T}
  return %r, %r : {T}, {T}""",
        "take the slice from %w",
    ),
    "what is put somewhere is computed there": (
        f"""  %e = tensor.empty() : {HALF}
  %s = tensor.extract_slice %u[0] [4] [1] : {T} to {HALF}
  %x = linalg.exp ins(%s : {HALF}) outs(%e : {HALF}) -> {HALF}
  %r = tensor.insert_slice %x into %t[0] [4] [1] : {HALF} into {T}
  return %r, %r : {T}, {T}""",
        "compute %x in its place",
    ),
    "a read that is the same each time comes before the loop": (
        f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%x = %t) -> ({T}) {{
    %z = tensor.extract %t[%c1] : {T}
    %m = tensor.insert %z into %x[%j] : {T}
    scf.yield %m : {T}
  }}
  return %r, %r : {T}, {T}""",
        "before 'scf.for': it reads the same value in each iteration",
    ),
    "two buffers that trade places": (
        f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %j = %c0 to %c8 step %c1 iter_args(%x = %t, %y = %u) -> ({T}, {T}) {{
    %0 = linalg.exp ins(%x : {T}) outs(%y : {T}) -> {T}  // the next
    scf.yield %0, %x : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}""",
        "unroll 'scf.for' by two: %x and %y",
    ),
}


@pytest.mark.parametrize("loops", [True, False], ids=["loops may forward new buffers", "or not"])
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_help(kind, loops):
    body, title = KINDS[kind]
    text = f"func.func @f(%t: {T}, %u: {T}, %f: f32, %i: index) -> ({T}, {T}) {{\n{body}\n}}\n"
    options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=loops)
    fixed = fix(Source("f.mlir", text), options)
    assert any(title in applied for applied in fixed.applied)
    assert fixed.after[1].estimate() < fixed.before[1].estimate() or (
        not loops and kind == "two buffers that trade places"
    )
    for finding in verify_module(parse(text), parse(fixed.text), Options(inputs=2, tries=6)):
        assert not finding.failed


def test_a_declaration_says_what_it_reads_if_that_is_wanted():
    text = f"""\
func.func private @look({T})
func.func @f(%t: {T}, %f: f32, %i: index) -> ({T}, {T}) {{
  call @look(%t) : ({T}) -> ()
  return %t, %t : {T}, {T}
}}
func.func @g(%t: {T}, %f: f32, %i: index) -> {T} {{
  call @look(%t) : ({T}) -> ()
  return %t : {T}
}}
"""
    assert fix(Source("f.mlir", text), OPTIONS).text == text
    fixed = fix(Source("f.mlir", text), OPTIONS, unsafe=True)
    assert 'bufferization.access = "read"' in fixed.text


PLACED = f"""\
func.func @f(%d: tensor<16xf32>, %a: {T}) -> tensor<16xf32> {{
  %e = tensor.empty() : {T}
  %x = linalg.exp ins(%a : {T}) outs(%e : {T}) -> {T}
  %r = tensor.insert_slice %x into %d[0] [8] [1] : {T} into tensor<16xf32>
  return %r : tensor<16xf32>
}}
"""
LOST = f"""\
func.func @f(%t: {T}, %n: index) -> {T} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> ({T}) {{
    %e = "mine.new"() : () -> {T}
    scf.yield %e : {T}
  }}
  return %r : {T}
}}
"""

SWAP = f"""\
func.func @f(%n: index, %f: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : {T}
  %z = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z, %y = %e) -> ({T}, {T}) {{
    %s = linalg.exp ins(%x : {T}) outs(%y : {T}) -> {T}
    scf.yield %s, %x : {T}, {T}
  }}
  %v = tensor.extract %r#0[%c0] : {T}
  return %v : f32
}}
"""


@pytest.mark.parametrize(
    ("text", "flags", "code", "said"),
    [
        (CELL, [], 0, "1 copy (16 bytes), now 1 clone (16 bytes)"),
        (CELL, [], 0, "16 bytes allocated, peak 16 bytes, now only clones\n"),
        (SWAP, [], 0, "now it is bufferized, with 0 copies (0 bytes)\nin all runs 96 bytes allocated"),
        (CELL, ["--check"], 1, "applied: move 'tensor.extract' up"),
        (NEEDED, [], 0, "1 copy and 1 clone (32 bytes), now 1 copy and 1 clone (32 bytes)"),
        (NEEDED, ["--check"], 0, "necessary"),
        (PLACED, [], 1, "now 1 copy and 1 clone (96 bytes), 1 of which -cse -canonicalize removes"),
        (PLACED, [], 1, "copies 32 bytes onto itself: -cse -canonicalize removes it"),
        (LOST, [], 1, "the loop yields another buffer than the one it received"),
        (CELL.replace("%f: f32", "%t: f32"), [], 2, "already in use"),
    ],
)
def test_exit_codes_are_those_of_ruff(text, flags, code, said, tmp_path, capsys):
    path = tmp_path / "f.mlir"
    path.write_text(text)
    assert main(["fix", str(path), *flags]) == code
    out = capsys.readouterr()
    assert said in out.err
    assert "now 0" not in out.err or "cannot be" not in out.err
    assert not out.out if "--check" in flags else True
    assert path.read_text() == text
