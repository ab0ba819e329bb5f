"""Plans of memory are proved, for sizes of all kinds; plans in which live buffers overlap are not."""

import re

import bufferize
import pytest
from bufferize.ir.text.printer import print_module

BUFFER = """
  %{0} = memref.alloc() : memref<16xf32>
  linalg.fill ins({1} : f32) outs(%{0} : memref<16xf32>)
"""
SUM = """
func.func @f(%x: memref<16xf32>, %f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %b = memref.alloc() : memref<4x4xf64>
  %g = arith.extf %f : f32 to f64
  linalg.fill ins(%g : f64) outs(%b : memref<4x4xf64>)
  %r = memref.load %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %x, %c : memref<16xf32> to memref<16xf32>
  %s = memref.load %b[%i, %i] : memref<4x4xf64>
  memref.dealloc %b : memref<4x4xf64>
  %t = memref.load %c[%i] : memref<16xf32>
  memref.dealloc %c : memref<16xf32>
  %h = arith.truncf %s : f64 to f32
  %u = arith.addf %r, %h : f32
  %v = arith.addf %u, %t : f32
  return %v : f32
}
"""
DYNAMIC = """
func.func @f(%n: index, %m: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %b = memref.alloc(%m, %n) : memref<?x?xf64>
  %w = arith.extf %x : f32 to f64
  memref.store %w, %b[%c0, %c0] : memref<?x?xf64>
  %c = memref.alloc(%m) : memref<?xf32>
  memref.store %x, %c[%c0] : memref<?xf32>
  %r = memref.load %a[%c0] : memref<?xf32>
  %s = memref.load %b[%c0, %c0] : memref<?x?xf64>
  %q = memref.load %c[%c0] : memref<?xf32>
  %t = arith.truncf %s : f64 to f32
  %u = arith.addf %r, %t : f32
  %v = arith.addf %u, %q : f32
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?x?xf64>
  memref.dealloc %c : memref<?xf32>
  return %v : f32
}
"""
LOOP = """
func.func @f(%x: memref<16xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f) -> (f32) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    memref.store %t, %b[%c1] : memref<16xf32>
    %e = memref.load %b[%c0] : memref<16xf32>
    %d = memref.load %a[%c0] : memref<16xf32>
    memref.dealloc %b : memref<16xf32>
    %u = arith.addf %e, %d : f32
    scf.yield %u : f32
  }
  memref.dealloc %a : memref<16xf32>
  return %s : f32
}
"""
BRANCHES = """
func.func @f(%p: i1, %n: index, %m: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> (f32) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %f, %a[%c0] : memref<?xf32>
    %x = memref.load %a[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    scf.yield %x : f32
  } else {
    %b = memref.alloc(%m) : memref<?xf32>
    %d = memref.alloc(%m) : memref<?xf32>
    memref.store %f, %b[%c0] : memref<?xf32>
    memref.store %f, %d[%c0] : memref<?xf32>
    %y = memref.load %b[%c0] : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    memref.dealloc %d : memref<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
"""
CALLS = """
func.func private @g(%x: memref<16xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.store %f, %a[%c0] : memref<16xf32>
  %r = memref.load %a[%c0] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %r : f32
}
func.func private @h(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %a[%c0] : memref<?xf32>
  %r = memref.load %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %r : f32
}
func.func @f(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (f32) {
    %r = func.call @g(%b, %f) : (memref<16xf32>, f32) -> f32
    %t = func.call @h(%n, %r) : (index, f32) -> f32
    %e = memref.load %b[%c0] : memref<16xf32>
    %u = arith.addf %e, %t : f32
    scf.yield %u : f32
  }
  memref.dealloc %b : memref<16xf32>
  return %s : f32
}
"""
STRIDED = """
func.func @f(%f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4x3xf32, strided<[4, 1]>>
  memref.store %f, %a[%i, %i] : memref<4x3xf32, strided<[4, 1]>>
  %b = memref.alloc() : memref<8xf32>
  memref.store %f, %b[%i] : memref<8xf32>
  %r = memref.load %a[%i, %i] : memref<4x3xf32, strided<[4, 1]>>
  memref.dealloc %a : memref<4x3xf32, strided<[4, 1]>>
  %s = memref.load %b[%i] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  %t = arith.addf %r, %s : f32
  return %t : f32
}
"""
ITERATIONS = """
func.func @f(%x: memref<128xf32>, %out: memref<128xf32>, %f: f32) {
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  memref.copy %x, %a : memref<128xf32> to memref<128xf32>
  scf.forall (%i) in (128) {
    %e = memref.load %a[%i] : memref<128xf32>
    %g = arith.addf %e, %f : f32
    memref.store %g, %b[%i] : memref<128xf32>
  }
  memref.copy %b, %out : memref<128xf32> to memref<128xf32>
  memref.dealloc %a : memref<128xf32>
  memref.dealloc %b : memref<128xf32>
  return
}
"""
PROGRAMS = {
    "sum": SUM, "dynamic": DYNAMIC, "loop": LOOP, "branches": BRANCHES, "calls": CALLS, "strided": STRIDED,
    "iterations": ITERATIONS,
}  # fmt: skip


def planned(text: str, options: str = ""):
    before = bufferize.parse(text)
    after = before.clone()
    bufferize.run_passes(after, ["plan-memory" + options])
    assert any(op.name == "memref.view" for op in after.walk())
    return before, after


@pytest.mark.parametrize("options", ["", "=arena=argument", "=reorder"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_plan_is_proved(name, options):
    before, after = planned(PROGRAMS[name], options)
    proof = bufferize.prove(before, after)
    assert proof.proved, [question.text for question in proof.questions]


@pytest.mark.parametrize("name", ["sum", "dynamic", "loop", "branches", "strided", "iterations"])
def test_buffers_that_are_alive_together_must_not_overlap(name):
    """Every view of an arena is moved down by a few bytes, one at a time: onto the buffer below, or out of the arena."""
    before, after = planned(PROGRAMS[name])
    text = print_module(after)
    views = list(re.finditer(r"memref\.view %\w+\[(%\w+)\]", text))
    assert views
    for view in views:
        at = view.start(1)
        line = text.rfind("\n", 0, at) + 1
        moved = (
            text[:line]
            + "    %four = arith.constant 4 : index\n"
            + f"    %lower = arith.subi {view[1]}, %four : index\n"
            + text[line:at]
            + "%lower"
            + text[view.end(1) :]
        )
        assert not bufferize.prove(before, bufferize.parse(moved)).proved, view[0]


def test_a_run_refutes_a_plan_of_live_buffers_in_one_place():
    before, after = planned(SUM)
    text = print_module(after)
    (first, *_, last) = re.findall(r"memref\.view %\w+\[(%\w+)\]", text)
    proof = bufferize.prove(before, bufferize.parse(text), run=True)
    assert proof.proved
    wrong = re.sub(r"memref\.view (%\w+)\[%\w+\]", rf"memref.view \1[{first}]", text)
    assert first != last or wrong != text
    assert bufferize.prove(before, bufferize.parse(wrong), run=True).verdict == "refuted"


def test_an_arena_that_is_too_small_is_not_proved():
    for name in ("sum", "loop", "strided"):
        before, after = planned(PROGRAMS[name])
        text = print_module(after)
        size = int(re.findall(r"memref<(\d+)xi8>", text)[0])
        smaller = text.replace(f"memref<{size}xi8>", f"memref<{size - 4}xi8>")
        questions = bufferize.prove(before, bufferize.parse(smaller)).questions
        assert "a view stays inside its buffer" in [question.text for question in questions]


def test_a_callee_is_given_as_much_memory_as_it_asks_for():
    before, after = planned(CALLS, "=arena=argument")
    text = print_module(after)
    (size,) = re.findall(r"(%\w+) = func\.call @h_arena_size", text)
    less = text.replace(f"memref.alloc({size})", "memref.alloc(%c1)")
    assert less != text
    assert not bufferize.prove(before, bufferize.parse(less)).proved


def test_memory_to_work_in_is_apart_from_what_is_passed():
    """The arena of @g is laid over the buffer that it reads."""
    before, after = planned(CALLS)
    text = print_module(after)
    wrong = re.sub(r"%c64 = arith.constant 64 : index", "%c64 = arith.constant 0 : index", text)
    assert wrong != text
    assert not bufferize.prove(before, bufferize.parse(wrong)).proved


def test_a_place_that_changes_between_iterations_is_not_one_buffer():
    """What the next iteration reads is not what this one wrote: the view has moved on."""
    text = """
    func.func @f(%f: f32, %n: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %arena = memref.alloc() : memref<4096xi8>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> (f32) {
        %at = arith.muli %i, %c4 : index
        %v = memref.view %arena[PLACE][] : memref<4096xi8> to memref<1xf32>
        %old = memref.load %v[%c0] : memref<1xf32>
        memref.store %s, %v[%c0] : memref<1xf32>
        scf.yield %old : f32
      }
      memref.dealloc %arena : memref<4096xi8>
      return %r : f32
    }"""
    still, moving = (bufferize.parse(text.replace("PLACE", place)) for place in ("%c0", "%at"))
    assert not bufferize.prove(still, moving).proved
    assert not bufferize.prove(moving, still).proved
    assert bufferize.prove(still, still.clone()).proved
