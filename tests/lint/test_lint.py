"""What lint finds: a program for each finding, marked where it is found, and its like without."""

import json
import re

import pytest
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.cli.main import main
from bufferize.ir.source.places import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.verifier import verify
from bufferize.lint.codes import MEANINGS, Code
from bufferize.lint.lint import lint
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, parse_pipeline


def run(pipeline, module):
    PassManager([parse_pipeline(pipeline)], Context(), allow_unregistered=True).run(module)


def found(text, runner=run):
    """(line, severity, code) of each finding."""
    module = parse_source(Source("test.mlir", text), allow_unregistered=True)
    verify(module, allow_unregistered=True)
    options = AnalysisOptions(bufferize_function_boundaries=True)
    return [(d.span.line, str(d.severity), d.code) for d in lint(module, options, run=runner)]


def expected(text):
    """What comments `// SEVERITY[CODE]` say."""
    marks = re.compile(r"(error|warning|remark)\[([\w-]+)\]")
    return [(n, *mark) for n, line in enumerate(text.split("\n"), 1) for mark in marks.findall(line)]


PROGRAMS = {
    "nothing is missing": """\
func.func @f(%f: f32, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %r : memref<?xf32>
}
""",
    "the stack grows with each turn of a cycle of blocks": """\
func.func @f(%f: f32, %i: index, %c: i1) {
  cf.br ^again
^again:
  %a = memref.alloca() : memref<4xf32> // warning[stack-grows]
  memref.store %f, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^again, ^done
^done:
  return
}
""",
    "the stack grows in a loop that is no scope": """\
func.func @f(%f: f32, %i: index, %c: i1) {
  scf.while : () -> () {
    %a = memref.alloca() : memref<4xf32> // warning[stack-grows]
    memref.store %f, %a[%i] : memref<4xf32>
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
""",
    "a loop that is a scope gives its stack back": """\
func.func @f(%f: f32, %i: index, %n: index) {
  scf.for %k = %i to %n step %n {
    %a = memref.alloca() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
  }
  return
}
""",
    "a small buffer that is made on a cycle does not belong on the stack": """\
func.func @f(%f: f32, %i: index, %c: i1, %o: memref<4xf32>) {
  cf.br ^again
^again:
  %a = memref.alloc() : memref<4xf32> // warning[never-freed]
  memref.store %f, %a[%i] : memref<4xf32>
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^again, ^done
^done:
  return
}
""",
    "a small buffer whose address is kept does not belong on the stack": """\
func.func @f(%f: f32, %i: index, %table: memref<2xmemref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.store %a, %table[%i] : memref<2xmemref<4xf32>>
  return
}
""",
    "an empty tensor is computed apart from where it goes": """\
func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32> // warning[empty-tensor-not-eliminated]
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
""",
    "an empty tensor that is needed": """\
func.func @f(%f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}
""",
    "boundaries are left": """\
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> // warning[tensor-boundary-left]
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
""",
    "an unknown operation keeps its tensors": """\
func.func @f(%m: memref<4xf32>) {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> // warning[tensor-boundary-left]
  "mystery.op"(%t) : (tensor<4xf32>) -> ()
  return
}
""",
    "a program that takes its input from a buffer is not finished, and need not be": """\
func.func @f(%m: memref<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
""",
    "abstract frees and clones": """\
func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %k = bufferization.clone %m : memref<4xf32> to memref<4xf32> // warning[clone-left]
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%c) // warning[dealloc-not-lowered]
  return %k : memref<4xf32>
}
""",
    "a reallocation before buffers are freed": """\
func.func @f(%n: index) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32> // warning[realloc-not-expanded]
  return %r : memref<?xf32>
}
""",
    "leaks, and what is no leak": """\
func.func private @keep(memref<?xf32>)
func.func @f(%n: index, %table: memref<1xmemref<?xf32>>, %i: index) {
  %lost = memref.alloc(%n) : memref<?xf32> // warning[never-freed]
  %view = memref.cast %lost : memref<?xf32> to memref<4xf32>
  %lent = memref.alloc(%n) : memref<?xf32> // warning[never-freed]
  call @keep(%lent) : (memref<?xf32>) -> ()
  %kept = memref.alloc(%n) : memref<?xf32>
  memref.store %kept, %table[%i] : memref<1xmemref<?xf32>>
  %unknown = memref.alloc(%n) : memref<?xf32>
  "mystery.consume"(%unknown) : (memref<?xf32>) -> ()
  %stack = memref.alloca(%n) : memref<?xf32>
  %manual = memref.alloc(%n) {bufferization.manual_deallocation} : memref<?xf32>
  return
}
""",
    "freed through another name": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^end(%a, %b : memref<?xf32>, memref<?xf32>), ^end(%b, %a : memref<?xf32>, memref<?xf32>)
^end(%x: memref<?xf32>, %y: memref<?xf32>):
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return
}
""",
    "some are freed by hand": """\
func.func @f(%n: index, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32> // warning[never-freed]
  linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32> // warning[freed-before-deallocation]
  return
}
""",
    "freed in a loop that it was moved out of": """\
func.func @f(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.dealloc %a : memref<?xf32> // error[freed-in-loop]
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.dealloc %b : memref<?xf32> // warning[freed-in-loop]
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.dealloc %c : memref<?xf32>
  }
  return
}
""",
    "used and freed after it was freed": """\
func.func @f(%n: index, %i: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %s = memref.cast %a : memref<?xf32> to memref<4xf32>
  memref.dealloc %a : memref<?xf32>
  scf.if %c {
    %x = memref.load %s[%i] : memref<4xf32> // error[used-after-free]
  }
  memref.dealloc %a : memref<?xf32> // error[freed-twice]
  return
}
""",
    "freed in one branch and in the other": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %a : memref<?xf32>
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  return
}
""",
    "freed on one path, and what frees on all": """\
func.func private @keep(memref<?xf32>)
func.func @f(%n: index, %i: index, %c: i1, %d: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c { // warning[freed-on-some-paths]
    memref.dealloc %a : memref<?xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  scf.index_switch %i // warning[freed-on-some-paths]
  case 3 {
    memref.dealloc %b : memref<?xf32>
    scf.yield
  }
  default {
    func.call @keep(%b) : (memref<?xf32>) -> ()
  }
  %returned = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %d, ^early, ^late(%returned : memref<?xf32>) // warning[freed-on-some-paths]
^early:
  %other = memref.alloc(%n) : memref<?xf32>
  return %other : memref<?xf32>
^late(%x: memref<?xf32>):
  return %x : memref<?xf32>
}
func.func @one_condition_twice(%n: index, %c: i1, %own: memref<?xf32>) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %not {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %c {
    %again = memref.cast %a : memref<?xf32> to memref<4xf32>
    memref.dealloc %again : memref<4xf32>
  }
  %either, %owned = scf.if %c -> (memref<?xf32>, i1) {
    %made = memref.alloc(%n) : memref<?xf32>
    scf.yield %made, %true : memref<?xf32>, i1
  } else {
    %false = arith.constant false
    scf.yield %own, %false : memref<?xf32>, i1
  }
  scf.if %owned {
    memref.dealloc %either : memref<?xf32>
  }
  return
}
""",
    "loops allocate": """\
func.func @f(%n: index, %m: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%m) : memref<?xf32> // warning[never-freed] remark[could-be-hoisted]
    linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
    %b = memref.alloc(%m) : memref<?xf32> // remark[hoisting-after-deallocation]
    linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
    memref.dealloc %b : memref<?xf32> // warning[freed-before-deallocation]
    %own = memref.alloc(%i) : memref<?xf32>
    memref.dealloc %own : memref<?xf32>
  }
  return
}
""",
    "small enough for the stack": """\
func.func @f(%f: f32) {
  %a = memref.alloc() : memref<4xf32> // warning[never-freed] remark[could-be-on-stack]
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %big = memref.alloc() : memref<4096xf32> // warning[never-freed]
  return
}
""",
    "parallel iterations": """\
func.func @f(%b: memref<64xf32>, %m: memref<8x8xf32>, %f: f32, %n: index, %c: i1, %from: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %b[%c0] : memref<64xf32> // warning[parallel-write-collision]
    memref.store %f, %b[%i] : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>) // warning[parallel-write-collision]
    %row = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%row : memref<8xf32, strided<[1], offset: ?>>)
    scf.if %c {
      memref.store %f, %b[%c0] : memref<64xf32> // remark[parallel-write-may-collide]
    }
    %where = memref.load %from[%i] : memref<64xindex>
    memref.store %f, %b[%where] : memref<64xf32> // remark[parallel-write-may-collide]
    %sum = memref.atomic_rmw addf %f, %b[%c0] : (f32, memref<64xf32>) -> f32
    %own = memref.alloca() : memref<8xf32>
    memref.store %f, %own[%c0] : memref<8xf32>
    scf.for %k = %c0 to %c8 step %c1 {
      memref.store %f, %b[%k] : memref<64xf32> // warning[parallel-write-collision]
      memref.store %f, %m[%i, %k] : memref<8x8xf32>
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %k)
      memref.store %f, %b[%at] : memref<64xf32>
    }
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    memref.store %f, %b[%i] : memref<64xf32> // warning[parallel-write-collision]
    memref.store %f, %m[%j, %i] : memref<8x8xf32>
    %flat = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %j)
    memref.store %f, %b[%flat] : memref<64xf32>
    %tight = affine.apply affine_map<(d0, d1) -> (d0 * 7 + d1)>(%i, %j)
    memref.store %f, %b[%tight] : memref<64xf32> // remark[parallel-write-may-collide]
  }
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %f, %b[%c0] : memref<64xf32>
  }
  scf.forall (%i) = (0) to (64) step (4) {
    %size = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %tile = memref.subview %b[%i] [%size] [1] : memref<64xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%tile : memref<?xf32, strided<[1], offset: ?>>)
    %wide = memref.subview %b[%i] [5] [1] : memref<64xf32> to memref<5xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%wide : memref<5xf32, strided<[1], offset: ?>>) // remark[parallel-write-may-collide]
  }
  affine.parallel (%i) = (0) to (8) {
    affine.store %f, %b[%i * 2 + 1] : memref<64xf32>
    affine.store %f, %b[%i floordiv 2] : memref<64xf32> // remark[parallel-write-may-collide]
    affine.store %f, %b[3] : memref<64xf32> // warning[parallel-write-collision]
  }
  return
}
""",
    "threads insert at one place": """\
func.func @f(%t: tensor<8xf32>, %u: tensor<1xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[0] [1] [1] : tensor<1xf32> into tensor<8xf32> // warning[parallel-write-collision]
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_findings_are_where_they_are_marked(name):
    assert sorted(found(PROGRAMS[name])) == sorted(expected(PROGRAMS[name]))


def test_advice_that_changes_what_a_program_computes_is_not_given():
    def forgetful(pipeline, module):
        run(pipeline, module)
        for op in list(module.walk()):
            if op.name == "memref.store":
                op.erase()

    text = PROGRAMS["a small buffer that is made on a cycle does not belong on the stack"].replace(
        "%c, ^again", "%c, ^done"
    )
    assert {code for _, _, code in found(text)} == {"never-freed", "could-be-on-stack"}
    assert {code for _, _, code in found(text, forgetful)} == {"never-freed"}


def test_every_code_has_a_meaning_and_a_program():
    assert set(MEANINGS) == set(Code)
    alone = set(Code) - {Code.DIFFERS, Code.NOT_PROVED}  # those two need the program before as well
    assert {code for text in PROGRAMS.values() for _, _, code in expected(text)} == alone


def test_without_passes_nothing_is_advised_and_nothing_fails():
    for text in PROGRAMS.values():
        assert set(found(text, None)) <= set(expected(text))


def test_lint_changes_nothing():
    for text in PROGRAMS.values():
        module = parse_source(Source("test.mlir", text), allow_unregistered=True)
        before = str(module)
        lint(module, AnalysisOptions(bufferize_function_boundaries=True), run=run)
        assert str(module) == before


# -- the command


def command(capsys, tmp_path, name, *flags):
    file = tmp_path / "test.mlir"
    file.write_text(PROGRAMS[name])
    code = main(["lint", str(file), *flags])
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "fail_on", "code"),
    [
        ("nothing is missing", "remark", 0),
        ("small enough for the stack", "warning", 1),
        ("small enough for the stack", "error", 0),
        ("used and freed after it was freed", "error", 1),
        ("used and freed after it was freed", "never", 0),
    ],
)
def test_exit_code_follows_fail_on(capsys, tmp_path, name, fail_on, code):
    assert command(capsys, tmp_path, name, "--fail-on", fail_on)[0] == code


def test_text_says_that_help_was_tried(capsys, tmp_path):
    out = command(capsys, tmp_path, "boundaries are left")[1]
    assert out.startswith("warning[tensor-boundary-left]: bufferization is not finished in @f")
    assert "run -canonicalize: none is left then (tried)" in out
    assert out.endswith("\n1 warning\n")
    assert command(capsys, tmp_path, "nothing is missing")[1] == "nothing is missing\n"


def test_formats_for_machines_agree(capsys, tmp_path):
    name = "abstract frees and clones"
    data = json.loads(command(capsys, tmp_path, name, "--format", "json")[1])
    codes = [d["code"] for d in data["diagnostics"]]
    assert codes == ["clone-left", "dealloc-not-lowered"]
    assert data["summary"] == {"error": 0, "warning": 2, "remark": 0}
    github = command(capsys, tmp_path, name, "--format", "github")[1].splitlines()
    assert [line.partition("title=")[2].partition("::")[0] for line in github] == codes
    sarif = json.loads(command(capsys, tmp_path, name, "--format", "sarif")[1])["runs"][0]
    assert [result["ruleId"] for result in sarif["results"]] == codes
    assert {rule["id"] for rule in sarif["tool"]["driver"]["rules"]} >= set(MEANINGS)
