"""What mlir-opt 22 is known to compile wrongly is refuted, with an input; what is made here of the same programs is proved.

`docs/differences.md` lists these situations. The compiler's output is had by `compat="mlir-22"`, which other tests compare with it.
"""

import bufferize
import pytest
from bufferize.cli.fuzz_command import transform

BUFFERIZE = "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"
SEQUENTIAL = BUFFERIZE + " check-parallel-regions=0"
WRITABLE = "{bufferization.writable = true}"

PROGRAMS = {
    "a write in another block than the argument it destroys": """
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32, %c: i1) -> (tensor<4xf32>, f32) {
  cf.br ^a
^a:
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}""",
    "results of scf.index_switch": """
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (f32, tensor<4xf32>) {
  %s = scf.index_switch %i -> tensor<4xf32>
  case 0 { scf.yield %t : tensor<4xf32> }
  default { scf.yield %t : tensor<4xf32> }
  %w = tensor.insert %v into %s[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %w : f32, tensor<4xf32>
}""",
    "two results of one call share a buffer": """
func.func private @two(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %t, %t : tensor<4xf32>, tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %a:2 = call @two(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %w = tensor.insert %v into %a#0[%i] : tensor<4xf32>
  %r = tensor.extract %a#1[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}""",
    "a caller writes to a constant that a function returns": """
func.func private @table() -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @f(%v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %t = call @table() : () -> tensor<4xf32>
  %u = tensor.insert %v into %t[%i] : tensor<4xf32>
  %s = call @table() : () -> tensor<4xf32>
  %e = tensor.extract %s[%i] : tensor<4xf32>
  return %u, %e : tensor<4xf32>, f32
}""",
    "a loop forwards a constant that is written": """
func.func @f(%v: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 7.0 : f32
  %i0 = tensor.splat %v : tensor<4xf32>
  %i1 = tensor.splat %v : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %i1) -> (tensor<4xf32>, tensor<4xf32>) {
    %k = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %k, %b : tensor<4xf32>, tensor<4xf32>
  }
  %w = tensor.insert %z into %r#0[%c0] : tensor<4xf32>
  return %w, %r#1 : tensor<4xf32>, tensor<4xf32>
}""",
    "a loop forwards one buffer as two results": """
func.func @f(%v: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 7.0 : f32
  %i0 = tensor.splat %v : tensor<4xf32>
  %i1 = tensor.splat %v : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %i1) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = tensor.splat %v : tensor<4xf32>
    scf.yield %s, %s : tensor<4xf32>, tensor<4xf32>
  }
  %w = tensor.insert %z into %r#0[%c0] : tensor<4xf32>
  return %w, %r#1 : tensor<4xf32>, tensor<4xf32>
}""",
    "a slice of an outer tensor that a loop changes and puts back": """
func.func @f(%f: f32, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %t = tensor.splat %zero : tensor<8xf32>
  %last = tensor.splat %f : tensor<8xf32>
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%a = %last) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %t[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %u = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %v = tensor.insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}""",
    "iterations of scf.parallel follow one another": """
func.func @f(%t: tensor<4xf32>, %n: index, %v: f32, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %r = tensor.extract %t[%c0] : tensor<4xf32>
    memref.store %r, %m[%i] : memref<4xf32>
    %w = tensor.insert %v into %t[%c0] : tensor<4xf32>
    %q = tensor.extract %w[%c1] : tensor<4xf32>
    %j = arith.addi %i, %c2 : index
    memref.store %q, %m[%j] : memref<4xf32>
  }
  return
}""",
    "a global is stored to while what was loaded is read": """
ml_program.global private mutable @g(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f(%v: tensor<4xf32>, %i: index) -> f32 {
  %old = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %v : tensor<4xf32>
  %r = tensor.extract %old[%i] : tensor<4xf32>
  return %r : f32
}""",
    "a cycle of blocks around a nested write": """
func.func @f(%t: tensor<4xf32>, %n: index, %v: f32, %p: i1) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  cf.br ^head(%c0, %zero, %t : index, f32, tensor<4xf32>)
^head(%i: index, %sum: f32, %last: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %r = tensor.extract %t[%c0] : tensor<4xf32>
  %s = arith.addf %sum, %r : f32
  %w = scf.if %p -> (tensor<4xf32>) {
    %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %s, %w : index, f32, tensor<4xf32>)
^end:
  return %last, %sum : tensor<4xf32>, f32
}""",
    "an unsigned loop that starts at a large number may not run": """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %low = arith.constant -4 : index
  %high = arith.constant 4 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for unsigned %i = %low to %high step %step iter_args(%a = %x) -> (tensor<4xf32>) {
    %b = linalg.fill ins(%one : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r, %x : tensor<4xf32>, tensor<4xf32>
}""",
    "the second region of scf.while forwards a buffer from outside": """
func.func @main(%x: tensor<4xf32>, %v: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = tensor.splat %v : tensor<4xf32>
  %i0 = tensor.splat %v : tensor<4xf32>
  %r:2 = scf.while (%i = %c0, %a = %i0) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %z = arith.addf %v, %v : f32
    %w = tensor.insert %z into %a[%c0] : tensor<4xf32>
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %w : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %b: tensor<4xf32>):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %o : index, tensor<4xf32>
  }
  %p = tensor.extract %r#1[%c0] : tensor<4xf32>
  %q = tensor.extract %o[%c0] : tensor<4xf32>
  return %p, %q : f32, f32
}""",
}

REJECTED = """
func.func @f(%c: i1, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %u = tensor.splat %v : tensor<4xf32>
  %s = tensor.splat %v : tensor<4xf32>
  cf.cond_br %c, ^a(%s : tensor<4xf32>), ^a(%u : tensor<4xf32>)
^a(%y: tensor<4xf32>):
  %z = arith.addf %v, %v : f32
  %w = tensor.insert %z into %y[%i] : tensor<4xf32>
  %r = tensor.extract %u[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}"""
"""Two edges from one block to another: mlir-opt 22 says "type mismatch for bb argument #0 of successor #1"."""

FLAGS = {"iterations of scf.parallel follow one another": SEQUENTIAL}


def outputs(name: str, compat: str):
    before = bufferize.parse(PROGRAMS[name])
    after = before.clone()
    transform(after, (FLAGS.get(name, BUFFERIZE),), compat)
    return before, after


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_made_here_is_proved(name):
    proof = bufferize.prove(*outputs(name, ""))
    assert proof.proved, [question.text for question in proof.questions]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_mlir_opt_makes_is_refuted(name):
    assert bufferize.prove(*outputs(name, "mlir-22"), run=True).verdict == "refuted"


def test_what_mlir_opt_rejects_is_proved_here():
    before = bufferize.parse(REJECTED)
    after = before.clone()
    transform(after, (BUFFERIZE,), "")
    assert bufferize.prove(before, after).proved


MADE_ALIKE = {
    "an allocation of one branch, above it": (
        "-buffer-hoisting",
        """
func.func @f(%c: i1, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^a, ^b(%m : memref<4xf32>)
^a:
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  cf.br ^b(%a : memref<4xf32>)
^b(%k: memref<4xf32>):
  %r = memref.load %k[%c0] : memref<4xf32>
  cf.cond_br %c, ^d, ^e
^d:
  memref.dealloc %k : memref<4xf32>
  cf.br ^e
^e:
  return %r : f32
}""",
    ),
    "a clone of an argument that a function returns": (
        "-buffer-deallocation-pipeline",
        """
func.func private @keep(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k = call @keep(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.store %v, %k[%c0] : memref<4xf32>
  %r = memref.load %m[%c0] : memref<4xf32>
  return %r : f32
}""",
    ),
    "a clone of what a branch yields": (
        "-buffer-deallocation",
        """
func.func @f(%c: i1, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  memref.store %v, %m[%c0] : memref<4xf32>
  %r = memref.load %k[%c0] : memref<4xf32>
  return %r : f32
}""",
    ),
}


@pytest.mark.parametrize("name", MADE_ALIKE)
def test_what_both_make_wrong_is_refuted(name):
    flag, text = MADE_ALIKE[name]
    before = bufferize.parse(text)
    after = before.clone()
    transform(after, (flag,), "")
    assert bufferize.prove(before, after, run=True).verdict == "refuted"
