"""Advice is applied to a copy, linted again and run: what leaks, or trades one problem for another, is not given."""

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.lint import advice
from bufferize.lint.lint import lint
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, parse_pipeline

PROGRAMS = {
    "a memref without rank is printed": (
        """func.func private @printMemrefF32(memref<*xf32>)
func.func @f(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %u = memref.cast %a : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}""",
        ["%a is freed twice"],
        ["remove the deallocation on line 7 (tried)"],
    ),
    "a switch frees, and so does the end": (
        """func.func @f(%n: index, %k: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.index_switch %k
  case 2 {
    memref.dealloc %a : memref<?xf32>
    scf.yield
  }
  default {
  }
  memref.dealloc %a : memref<?xf32>
  return
}""",
        ["%a is freed twice where %k is 2"],
        ["remove the deallocation on line 5 (tried)"],
    ),
    "without one free or the other, it would leak": (
        """func.func private @maybe(%m: memref<?xi32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<?xi32>
  }
  return
}
func.func @g(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi32>
  call @maybe(%a, %c) : (memref<?xi32>, i1) -> ()
  memref.dealloc %a : memref<?xi32>
  return
}""",
        ["%a is freed twice where %c is true, in @maybe and by its caller"],
        [],
    ),
    "one of three frees is too many": (
        """func.func @v(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  memref.dealloc %s : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}""",
        ["%a is freed twice where %c is true", "%b is freed twice where %c is false"],
        ["remove the deallocation on line 5 (tried)"] * 2,
    ),
    "freed in a branch, and where the paths join": (
        """func.func @v(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^x, ^y(%a : memref<?xf32>)
^x:
  memref.dealloc %a : memref<?xf32>
  cf.br ^y(%a : memref<?xf32>)
^y(%m: memref<?xf32>):
  memref.dealloc %m : memref<?xf32>
  return
}""",
        ["%a is freed twice where %c is true"],
        ["remove the deallocation on line 5 (tried)"],
    ),
    "a branch yields stack memory, which is returned": (
        """func.func @v(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  } else {
    %a = memref.alloca() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}""",
        ["%a is returned from the function that allocates it on the stack"],
        ["allocate it with memref.alloc (tried)"],
    ),
    "a scope yields its stack memory: on the heap it would leak": (
        """func.func @v(%i: index) -> f32 {
  %r = memref.alloca_scope -> (memref<4xf32>) {
    %a = memref.alloca() : memref<4xf32>
    memref.alloca_scope.return %a : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}""",
        ["%a is yielded from the scope that allocates it on the stack"],
        ["allocate it before 'memref.alloca_scope' (tried)"],
    ),
    "a loop drops what it received": (
        """func.func @f(%n: index, %i: index) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %k = %i to %n step %n iter_args(%m = %a) -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  %v = memref.load %r[%i] : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return %v : f32
}""",
        ["%b is allocated again before it is freed: all but the last of its buffers leak"],
        ["free %m at the end of each iteration (tried)"],
    ),
    "returned after it was freed": (
        """func.func @v(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %a : memref<?xf32>
}""",
        ["%a is used after it was freed"],
        ["remove the deallocation on line 3 (tried)"],
    ),
}


def run(pipeline, module):
    PassManager([parse_pipeline(pipeline)], Context()).run(module)


@pytest.mark.parametrize("name", PROGRAMS)
def test_advice_that_holds_is_given_and_no_other(name):
    text, titles, helps = PROGRAMS[name]
    module = parse_source(Source("a.mlir", text))
    found = lint(module, AnalysisOptions(bufferize_function_boundaries=True), run=run)
    found = [d for d in found if str(d.severity) != "remark"]
    assert [d.message for d in found] == titles
    assert [note.text for d in found for note in d.notes if note.kind == "help"] == helps


def test_trials_of_advice_are_bounded(monkeypatch):
    """What is copied for advice is limited, so that a program with many findings is not linted once for each."""
    monkeypatch.setattr(advice, "MAX_COPIED", 0)
    text, titles, _ = PROGRAMS["returned after it was freed"]
    found = lint(parse_source(Source("a.mlir", text)), AnalysisOptions(), run=run)
    assert [d.message for d in found] == titles
    assert not any(note.kind == "help" for d in found for note in d.notes)
