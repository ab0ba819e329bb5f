"""Whatever the input: a diagnostic with a place and exit code 1, or a result; never a traceback, never half an output."""

import random
import re
import signal

import pytest
from bufferize.cli.main import main

PROGRAMS = (
    """\
#map = affine_map<(d0) -> (d0)>
func.func @loop(%t: tensor<8xf32> {bufferization.writable = true}, %n: index, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    %y = arith.addf %x, %f : f32
    %w = tensor.insert %y into %a[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %e = tensor.empty() : tensor<8xf32>
  %g = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %f : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %s = tensor.extract_slice %g[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %z = tensor.insert_slice %s into %r[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %v = tensor.extract %r[%c0] : tensor<8xf32>
  return %z, %v : tensor<8xf32>, f32
}
""",
    """\
memref.global "private" constant @table : memref<2xi32> = dense<[1, -2]>
func.func private @callee(memref<?xf32, strided<[1], offset: ?>>) attributes {note = "a \\"b\\""}
func.func @branches(%c: i1, %n: index, %m: memref<?xf32>) -> memref<?xf32> {
  cf.cond_br %c, ^one, ^two(%m : memref<?xf32>)
^one:
  %a = memref.alloc(%n) : memref<?xf32>
  %s = memref.subview %a[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  func.call @callee(%s) : (memref<?xf32, strided<[1], offset: ?>>) -> ()
  cf.br ^two(%a : memref<?xf32>)
^two(%x: memref<?xf32>):
  %r = scf.if %c -> (memref<?xf32>) {
    scf.yield %x : memref<?xf32>
  } else {
    %b = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  "mystery.op"(%n) ({
  ^bb0(%i: index):
    "mystery.end"() {list = [1, 2.5 : f32, unit]} : () -> ()
  }) : (index) -> ()
  return %r : memref<?xf32>
}
""",
)
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@^#!]?[\w.$-]+|->|\s+|.', re.S)
RUNS = (
    ("opt", "-one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops", "-canonicalize"),
    ("opt", "-buffer-deallocation-pipeline"),
    ("opt", "-mlir-print-op-generic"),
    ("explain",),
    ("graph", "--kind", "cfg"),
    ("graph", "--kind", "regions"),
    ("lint",),
)
CASES = 300


def mutated(rng, text):
    """`text` with up to three bytes or tokens dropped, swapped or doubled."""
    for _ in range(rng.randint(1, 3)):
        pieces = TOKEN.findall(text) if rng.random() < 0.7 else list(text)
        places = [i for i, piece in enumerate(pieces) if not piece.isspace()]
        one, other = rng.choice(places), rng.choice(places)
        kind = rng.randrange(3)
        if kind == 0:
            pieces[one] = ""
        elif kind == 1:
            pieces[one] += " " + pieces[one]
        else:
            pieces[one], pieces[other] = pieces[other], pieces[one]
        text = "".join(pieces)
    return text


def attempt(capsys, file, words, target):
    """Exit code and standard error of a run that writes to `target`."""
    flags = ["-allow-unregistered-dialect"] if words[0] == "opt" else []
    code = main([words[0], str(file), *words[1:], *flags, "-o", str(target)])
    return code, capsys.readouterr().err


def check(code, err, file, target, mutant):
    """Nothing but clean diagnostics, and an output exactly if all went well or findings were written."""
    assert "internal error" not in err, (err, mutant)
    assert "Traceback" not in err, (err, mutant)
    if code == 0 or target.exists():
        return
    assert code in (1, 2), mutant
    assert not target.exists(), mutant
    first = err.split("\n")[0]
    assert re.match(rf"({re.escape(str(file))}:\d+:\d+|<unknown>:0): (error|warning|remark): .", first), (
        err,
        mutant,
    )


@pytest.mark.parametrize("part", range(6))
def test_mutated_programs_give_clean_diagnostics(part, capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("BUFFERIZE_DEBUG", raising=False)
    file, target = tmp_path / "mutant.mlir", tmp_path / "out.dot"
    for seed in range(part, CASES, 6):
        rng = random.Random(seed)
        mutant = mutated(rng, rng.choice(PROGRAMS))
        file.write_text(mutant)
        target.unlink(missing_ok=True)
        code, err = attempt(capsys, file, RUNS[seed % len(RUNS)], target)
        check(code, err, file, target, mutant)


def write(tmp_path, content):
    file = tmp_path / "input.mlir"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


DEEP = 1200
LONG = 200_000
INPUTS = {
    "not text": (b"\xff\xfe\x00func\x80", "error: "),
    "NUL bytes": (b"func.func @f() {\n\x00\x00  return\n}\n", ":1:17: error: "),
    "NUL byte in a string": (b'func.func @f() attributes {a = "x\x00"} {\n  return\n}\n', None),
    "only a NUL byte": (b"\x00", ":1:1: error: "),
    "a long line of one name": (b"%" + b"a" * LONG, f":1:{LONG + 2}: error: "),
    "a long line of brackets": (b"module attributes {a = " + b"[" * LONG, "error: "),
    "a long line of numbers": (b"#a = [" + b"1, " * (LONG // 12) + b"]", "error: "),
    "a long line of a broken operation": (b'"x.y"() {a = "' + b"b" * LONG + b"\n", "error: "),
    "brackets in types": (
        b'"x.y"() : () -> ' + b"tuple<" * 5000 + b"i32" + b">" * 5000,
        "error: ",
    ),
    "brackets in types, unclosed": (b'"x.y"() : () -> ' + b"!a.b<" * 5000, "error: "),
    "functions of functions": (b'"x.y"() : () -> ' + b"(() -> " * 5000 + b"i32" + b")" * 5000, "error: "),
    "affine expressions": (
        b"#m = affine_map<(d0) -> (" + b"(" * 5000 + b"d0" + b")" * 5000 + b")>\nmodule {}\n",
        None,
    ),
    "regions unclosed": (b'"x.y"() ({\n' * DEEP, "error: "),
    "locations": (b"module {} " + b"loc(callsite(" * 3000 + b"unknown", "error: "),
}
"""Content, and what standard error must contain; None if it need not fail."""


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("words", [("opt",), ("explain",)], ids=lambda words: words[0])
def test_odd_input(name, words, capsys, tmp_path):
    content, said = INPUTS[name]
    file, target = write(tmp_path, content), tmp_path / "out"
    code, err = attempt(capsys, file, words, target)
    assert "internal error" not in err, err[:2000]
    assert "Traceback" not in err
    assert len(err) < 40_000
    if said is not None:
        assert code == (1 if words == ("opt",) else 2)
        assert said in err, err[:2000]
        assert not target.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("opt",),
        ("opt", "-canonicalize", "-cse"),
        ("opt", "-one-shot-bufferize"),
        ("explain",),
        ("lint",),
        ("graph",),
    ],
    ids=" ".join,
)
def test_deep_nesting_is_no_problem(words, capsys, tmp_path):
    text = "func.func @f() {\n" + "scf.execute_region {\n" * DEEP + "scf.yield\n}\n" * DEEP + "return\n}\n"
    file, target = write(tmp_path, text), tmp_path / "out.dot"
    code, err = attempt(capsys, file, words, target)
    assert "internal error" not in err, err[:2000]
    assert code == 0 or ": error: " in err


NOT_DONE = {("opt",): 1, ("explain",): 2, ("graph",): 2, ("lint",): 2, ("compare",): 2}
"""The exit code where nothing could be done: that of mlir-opt, and that of everything else."""


@pytest.mark.parametrize(
    "words", [("opt",), ("explain",), ("graph",), ("lint",), ("compare",)], ids=lambda words: words[0]
)
class TestFiles:
    def test_missing(self, words, capsys, tmp_path):
        code = main([words[0], str(tmp_path / "none.mlir")])
        out, err = capsys.readouterr()
        assert (code, out) == (NOT_DONE[words], "")
        assert "No such file or directory" in err
        assert err.count("\n") == 1

    def test_directory(self, words, capsys, tmp_path):
        code = main([words[0], str(tmp_path)])
        out, err = capsys.readouterr()
        assert (code, out) == (NOT_DONE[words], "")
        assert "irectory" in err or "no program in the folder" in err

    def test_name_with_a_nul(self, words, capsys):
        assert main([words[0], "a\0b"]) == NOT_DONE[words]
        assert "internal error" not in capsys.readouterr().err

    def test_empty(self, words, capsys, tmp_path):
        file = write(tmp_path, b"")
        code = main([words[0], str(file)])
        out, err = capsys.readouterr()
        if words == ("opt",):  # as mlir-opt: an empty module
            assert (code, out.strip()) == (0, "module {\n}")
        else:
            assert (code, out) == (2, "")
            assert "is empty" in err


@pytest.mark.parametrize("words", [("opt",), ("explain",), ("graph",), ("lint",)], ids=lambda words: words[0])
def test_output_into_a_folder_that_is_missing(words, capsys, tmp_path):
    file = write(tmp_path, PROGRAMS[0])
    target = tmp_path / "none" / "out.dot"
    code, err = attempt(capsys, file, words, target)
    assert code == NOT_DONE[words]
    assert "cannot write output file" in err
    assert not target.parent.exists()


def test_broken_input_leaves_an_old_output_alone(capsys, tmp_path):
    file, target = write(tmp_path, "func.func @f( {"), tmp_path / "out"
    target.write_text("old")
    assert attempt(capsys, file, ("opt",), target)[0] == 1
    assert target.read_text() == "old"


@pytest.fixture(autouse=True)
def _no_hang():
    """A run that does not end fails its test instead of all tests."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_):
        raise AssertionError("the run did not end")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)
