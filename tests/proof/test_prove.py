"""What is proved, and what is not: pairs of programs, each with the reason beside it."""

import json

import bufferize
import pytest
from bufferize.cli.main import main
from bufferize.proof import check
from bufferize.proof.obligations import Question

CONFLICT = """
func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %x : tensor<4xf32>, f32
}
"""
CONFLICT_COPIED = """
func.func @f(%t: memref<4xf32>, %i: index, %f: f32) -> (memref<4xf32>, f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %t, %a : memref<4xf32> to memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  return %a, %x : memref<4xf32>, f32
}
"""
CONFLICT_LOST = """
func.func @f(%t: memref<4xf32>, %i: index, %f: f32) -> (memref<4xf32>, f32) {
  memref.store %f, %t[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  return %t, %x : memref<4xf32>, f32
}
"""
SLICES = """
func.func @f(%t: tensor<?xf32>, %s: tensor<4xf32>, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %1 = tensor.insert_slice %s into %0[4] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def slices(first: int, second: int) -> str:
    """The slices written in the other order, at these offsets."""
    return f"""
func.func @f(%t: memref<?xf32>, %s: memref<4xf32>, %f: f32) -> memref<?xf32> {{
  %b = memref.subview %t[{second}] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: {second}>>
  memref.copy %s, %b : memref<4xf32> to memref<4xf32, strided<[1], offset: {second}>>
  %a = memref.subview %t[{first}] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: {first}>>
  memref.copy %s, %a : memref<4xf32> to memref<4xf32, strided<[1], offset: {first}>>
  return %t : memref<?xf32>
}}
"""


SWAP = """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %x[%c0] : tensor<4xf32>
    scf.yield %y, %w : tensor<4xf32>, tensor<4xf32>
  }
  %e = tensor.extract %r#0[%c1] : tensor<4xf32>
  return %e : f32
}
"""


def swapped(yields: str, second: str = "%b") -> str:
    """Buffers that change places, without a copy."""
    return f"""
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = {second}) -> (memref<4xf32>, memref<4xf32>) {{
    memref.store %f, %x[%c0] : memref<4xf32>
    scf.yield {yields} : memref<4xf32>, memref<4xf32>
  }}
  %e = memref.load %r#0[%c1] : memref<4xf32>
  return %e : f32
}}
"""


FORALL = """
func.func @f(%t: tensor<100xf32>, %f: f32) -> tensor<100xf32> {
  %r = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<100xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 10)>(%i)
    %e = tensor.extract_slice %o[%at] [10] [1] : tensor<100xf32> to tensor<10xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%at] [10] [1] : tensor<10xf32> into tensor<100xf32>
    }
  }
  return %r : tensor<100xf32>
}
"""


def forall(before: str = "", after: str = "") -> str:
    return f"""
func.func @f(%t: memref<100xf32>, %f: f32) -> memref<100xf32> {{
  {before}
  scf.forall (%i) in (10) {{
    %at = affine.apply affine_map<(d0) -> (d0 * 10)>(%i)
    {after}
    %v = memref.subview %t[%at] [10] [1] : memref<100xf32> to memref<10xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%v : memref<10xf32, strided<[1], offset: ?>>)
  }}
  return %t : memref<100xf32>
}}
"""


RACY = """
func.func @f(%t: tensor<100xf32>, %f: f32) -> tensor<100xf32> {
  %r = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<100xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 10)>(%i)
    %to = affine.apply affine_map<(d0) -> (90 - d0 * 10)>(%i)
    %e = tensor.extract_slice %o[%to] [10] [1] : tensor<100xf32> to tensor<10xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%at] [10] [1] : tensor<10xf32> into tensor<100xf32>
    }
  }
  return %r : tensor<100xf32>
}
"""
RACY_IN_PLACE = """
func.func @f(%t: memref<100xf32>, %f: f32) -> memref<100xf32> {
  scf.forall (%i) in (10) {
    %at = affine.apply affine_map<(d0) -> (d0 * 10)>(%i)
    %to = affine.apply affine_map<(d0) -> (90 - d0 * 10)>(%i)
    %e = memref.subview %t[%to] [10] [1] : memref<100xf32> to memref<10xf32, strided<[1], offset: ?>>
    %v = memref.subview %t[%at] [10] [1] : memref<100xf32> to memref<10xf32, strided<[1], offset: ?>>
    memref.copy %e, %v : memref<10xf32, strided<[1], offset: ?>> to memref<10xf32, strided<[1], offset: ?>>
  }
  return %t : memref<100xf32>
}
"""
FRESH = """
func.func @f(%n: index, %f: f32, %i: index) -> f32 {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %x = tensor.extract %0[%i] : tensor<?xf32>
  return %x : f32
}
"""


def fresh(
    size: str = "%n", before: str = "", after: str = "", end: str = "memref.dealloc %e : memref<?xf32>"
) -> str:
    return f"""
func.func @f(%n: index, %f: f32, %i: index) -> f32 {{
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  %e = memref.alloc({size}) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%e : memref<?xf32>)
  {before}
  %x = memref.load %e[%i] : memref<?xf32>
  {after}
  {end}
  return %x : f32
}}
"""


GLOBAL = """
func.func @f(%i: index, %f: f32) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = tensor.insert %f into %c[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
GLOBAL_WRITTEN = """
memref.global "private" constant @c : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @f(%i: index, %f: f32) -> memref<4xf32> {
  %c = memref.get_global @c : memref<4xf32>
  memref.store %f, %c[%i] : memref<4xf32>
  return %c : memref<4xf32>
}
"""
IDENTITY = "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { return %t : tensor<4xf32> }"
NARROWED = """
func.func @f(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32> {
  %c = memref.cast %t : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  return %c : memref<4xf32>
}
"""
SHARED = """
memref.global "private" @g : memref<4xf32> = uninitialized
func.func private @set(%f: f32)
func.func @f(%f: f32, %i: index) -> f32 {
  %g = memref.get_global @g : memref<4xf32>
  func.call @set(%f) : (f32) -> ()
  %x = memref.load %g[%i] : memref<4xf32>
  return %x : f32
}
"""
SHARED_BEFORE = """
memref.global "private" @g : memref<4xf32> = uninitialized
func.func private @set(%f: f32)
func.func @f(%f: f32, %i: index) -> f32 {
  %g = memref.get_global @g : memref<4xf32>
  %x = memref.load %g[%i] : memref<4xf32>
  func.call @set(%f) : (f32) -> ()
  return %x : f32
}
"""
GIVEN = """
func.func private @make(%f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = func.call @make(%f) : (f32) -> tensor<4xf32>
    %x = tensor.extract %t[%c0] : tensor<4xf32>
    %v = vector.broadcast %x : f32 to vector<1xf32>
    vector.print %v : vector<1xf32>
  }
  return
}
"""


def given(free: str) -> str:
    return f"""
func.func private @make(%f: f32) -> memref<4xf32> {{
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
  return %e : memref<4xf32>
}}
func.func @f(%f: f32, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %t = func.call @make(%f) : (f32) -> memref<4xf32>
    %x = memref.load %t[%c0] : memref<4xf32>
    %v = vector.broadcast %x : f32 to vector<1xf32>
    vector.print %v : vector<1xf32>
    {free}
  }}
  return
}}
"""


SQUARE = """
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""
SQUARE_IN_PLACE = """
func.func @f(%a: memref<4x4xf32>) -> memref<4x4xf32> {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return %a : memref<4x4xf32>
}
"""
MATMUL = """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""


def matmul(target: str, before: str = "") -> str:
    return f"""
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) -> memref<4x4xf32> {{
  {before}
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs({target} : memref<4x4xf32>)
  return {target} : memref<4x4xf32>
}}
"""


RESHAPED = """
func.func @f(%a: tensor<2x8xf32>, %i: index) -> f32 {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %d = tensor.cast %1 : tensor<4x4xf32> to tensor<?x?xf32>
  %x = tensor.extract %d[%i, %i] : tensor<?x?xf32>
  return %x : f32
}
"""
NOT_RESHAPED = """
func.func @f(%a: memref<2x8xf32>, %i: index) -> f32 {
  %d = memref.cast %a : memref<2x8xf32> to memref<?x?xf32>
  %x = memref.load %d[%i, %i] : memref<?x?xf32>
  return %x : f32
}
"""
PROVED = {
    "a copy where one is needed": (CONFLICT, CONFLICT_COPIED, False),
    "disjoint slices in another order": (SLICES, slices(0, 4), False),
    "a swap without copies": (SWAP, swapped("%y, %x"), False),
    "iterations that write apart": (FORALL, forall(), False),
    "memory that is freed": (FRESH, fresh(), True),
    "a global that a call may change": (SHARED, SHARED, False),
    "memory that a call gives is freed": (GIVEN, given("memref.dealloc %t : memref<4xf32>"), True),
    "an operation in its destination": (MATMUL, matmul("%c"), False),
}

NOT_PROVED = {
    "a dropped copy": (CONFLICT, CONFLICT_LOST, False),
    "a wrong offset": (SLICES, slices(0, 5), False),
    "overlapping slices in another order": (SLICES, slices(0, 2), False),
    "buffers that should have been swapped": (SWAP, swapped("%x, %y"), False),
    "one buffer for two": (SWAP, swapped("%y, %x", "%a"), False),
    "iterations that read what others write": (RACY, RACY_IN_PLACE, False),
    "iterations that write one place": (
        FORALL,
        forall(after="memref.store %f, %t[%i] : memref<100xf32>"),
        False,
    ),
    "a wrong size": (FRESH, fresh("%m"), True),
    "a constant size": (FRESH, fresh("%c1"), True),
    "a free too early": (FRESH, fresh(before="memref.dealloc %e : memref<?xf32>", end=""), True),
    "a free too many": (FRESH, fresh(after="memref.dealloc %e : memref<?xf32>"), True),
    "a missing free": (FRESH, fresh(end=""), True),
    "a write to a constant": (GLOBAL, GLOBAL_WRITTEN, False),
    "a narrowing cast": (IDENTITY, NARROWED, False),
    "an input that is overwritten while it is read": (
        MATMUL,
        matmul("%a", "memref.copy %c, %a : memref<4x4xf32> to memref<4x4xf32>"),
        False,
    ),
    "an operation that overwrites its own inputs": (SQUARE, SQUARE_IN_PLACE, False),
    "a global read before a call that may change it": (SHARED, SHARED_BEFORE, False),
    "memory that a call gives is not freed": (GIVEN, given(""), True),
    "another shape of as many elements": (RESHAPED, NOT_RESHAPED, False),
    "contents nobody wrote": (MATMUL, matmul("%e", "%e = memref.alloc() : memref<4x4xf32>"), False),
}


@pytest.mark.parametrize("name", PROVED)
def test_is_proved(name):
    before, after, leaks = PROVED[name]
    proof = bufferize.prove(bufferize.parse(before), bufferize.parse(after), leaks=leaks)
    assert proof.proved, [question.text for question in proof.questions]


@pytest.mark.parametrize("name", NOT_PROVED)
def test_is_not_proved(name):
    before, after, leaks = NOT_PROVED[name]
    assert not bufferize.prove(bufferize.parse(before), bufferize.parse(after), leaks=leaks).proved


@pytest.mark.parametrize("name", ["a dropped copy", "a free too early", "a free too many", "a missing free"])
def test_a_run_refutes(name):
    before, after, leaks = NOT_PROVED[name]
    proof = bufferize.prove(bufferize.parse(before), bufferize.parse(after), leaks=leaks, run=True)
    assert proof.verdict == "refuted" or (name == "a missing free" and proof.verdict == "not proved")


@pytest.mark.parametrize(
    "program",
    [text for text, _, _ in PROVED.values()] + [GLOBAL, IDENTITY],
    ids=[*PROVED, "global", "identity"],
)
@pytest.mark.parametrize(
    "passes",
    [
        ["one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"],
        ["one-shot-bufferize=bufferize-function-boundaries copy-before-write"],
    ],
)
def test_our_own_output_is_proved(program, passes):
    before = bufferize.parse(program)
    after = before.clone()
    bufferize.run_passes(after, passes)
    assert bufferize.prove(before, after).proved


def test_the_command_says_proved_refuted_or_open_by_its_exit_code(tmp_path, capsys):
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(CONFLICT)
    after.write_text(CONFLICT_LOST)
    assert main(["prove", str(before)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("f: proved\n  compared: result 0, result 1, ")
    assert "assumed:" in out and "the interface of '@f'" in out
    assert main(["prove", str(before), "--against", str(after)]) == 1
    assert "this write clobbers what is read" in capsys.readouterr().out
    assert main(["prove", str(before), "--against", str(after), "--no-run"]) == 2
    assert "could not prove that" in capsys.readouterr().out
    assert main(["prove", str(before), "--against", str(after), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["functions"][0]["verdict"] == "refuted"
    assert main(["prove", str(before), "--against", str(after), "--ownership"]) == 0


@pytest.mark.parametrize(
    "text",
    ["module { }", "func.func private @f()", "module { module @a { } }"],
)
def test_where_nothing_is_compared_nothing_is_proved(tmp_path, capsys, text):
    file = tmp_path / "program.mlir"
    file.write_text(text)
    assert main(["prove", str(file), "--against", str(file)]) == 2
    assert "nothing was compared" in capsys.readouterr().out


def test_functions_of_nested_modules_are_named_by_their_modules():
    text = "module @a { func.func @f() { return } module { func.func @g() { return } } }"
    proof = bufferize.prove(bufferize.parse(text), bufferize.parse(text))
    assert proof.proved
    assert [outcome.function for outcome in proof.outcomes] == ["f", "module #0::g"]


class Run:
    """What running a function shows."""

    def __init__(self, failed):
        self.failed = failed


def test_which_functions_are_run_to_refute_a_proof():
    """Those that are open; all of them if their module is; and none where no run could answer what is asked."""

    def answer(name, kind, is_about_module=False):
        questions = [Question("", None, each) for each in kind.split()]
        verdict = check.OPEN if questions else check.PROVED
        return check.FunctionAnswer(name, verdict, questions, is_about_module=is_about_module)

    for outcomes, failing, run, refuted in [
        ([answer("f", ""), answer("g", "")], "fg", "", ""),
        ([answer("f", "content"), answer("g", "")], "fg", "f", "f"),
        ([answer("f", "content"), answer("g", "leak")], "g", "fg", "g"),
        ([answer("f", "signature"), answer("g", "unknown signature")], "fg", "", ""),
        ([answer("f", "signature content")], "f", "f", "f"),
        ([answer("m", "global", True), answer("f", ""), answer("g", "")], "", "fg", ""),
        ([answer("m", "global", True), answer("f", ""), answer("g", "")], "f", "f", "m"),
        ([answer("m", "global", True), answer("f", ""), answer("g", "")], "g", "fg", "m"),
        ([answer("m", "signature", True), answer("f", "content")], "f", "f", "f"),
    ]:
        seen = []

        def runs(name, failing=failing, seen=seen):
            seen.append(name)
            return [Run(False), Run(name in failing)]

        check.refute(check.ProofOfProgram(outcomes), runs)
        assert "".join(seen) == run
        assert "".join(each.function for each in outcomes if each.verdict == check.REFUTED) == refuted
        assert all((each.evidence is not None) == (each.verdict == check.REFUTED) for each in outcomes)
