"""Which buffers a loop seems to write: what is behind views, inner loops and what loops carry."""

from bufferize import parse
from bufferize.ir.types import types as t
from bufferize.proof.loops import _root, _writes

LOOP = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %n: index, %f: f32, %t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cast = memref.cast %b : memref<4xf32> to memref<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %cast) -> (memref<4xf32>, memref<?xf32>) {
    %of_argument = memref.subview %x[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    %of_view = memref.cast %of_argument : memref<2xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
    %of_outside = memref.cast %a : memref<4xf32> to memref<?xf32>
    %new = memref.alloc() : memref<4xf32>
    %chosen = arith.select %c, %a, %b : memref<4xf32>
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%u = %x, %v = %new) -> (memref<4xf32>, memref<4xf32>) {
      memref.store %f, %u[%j] : memref<4xf32>
      memref.store %f, %v[%j] : memref<4xf32>
      scf.yield %u, %v : memref<4xf32>, memref<4xf32>
    }
    %w = scf.while (%p = %y) : (memref<?xf32>) -> memref<?xf32> {
      "t.before"(%p) : (memref<?xf32>) -> ()
      scf.condition(%c) %p : memref<?xf32>
    } do {
    ^bb0(%q: memref<?xf32>):
      "t.after"(%q) : (memref<?xf32>) -> ()
      scf.yield %q : memref<?xf32>
    }
    %z = scf.if %c -> (memref<4xf32>) { scf.yield %a : memref<4xf32> } else { scf.yield %b : memref<4xf32> }
    "t.use"(%x, %y, %of_argument, %of_view, %of_outside, %new, %chosen, %s#0, %s#1, %w, %z, %a, %cast)
      : (memref<4xf32>, memref<?xf32>, memref<2xf32, strided<[1]>>, memref<?xf32, strided<[1]>>, memref<?xf32>, memref<4xf32>,
         memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<?xf32>, memref<4xf32>, memref<4xf32>, memref<?xf32>) -> ()
    scf.yield %x, %y : memref<4xf32>, memref<?xf32>
  }
  return
}
"""


def name(value):
    return None if value is None else value.name_hint


def test_the_buffer_behind_what_a_loop_uses():
    module = parse(LOOP, allow_unregistered=True)
    ops = list(module.walk())
    loop = next(op for op in ops if op.name == "scf.for")
    found = {
        name(value): name(_root(value, loop)) for op in ops if op.name == "t.use" for value in op.operands
    }
    assert found == {
        "x": "a", "y": "cast", "of_argument": "a", "of_view": "a", "of_outside": "a", "new": None, "chosen": None,
        "s": None, "w": "cast", "z": None, "a": "a", "cast": "cast",
    }  # fmt: skip
    use = next(op for op in ops if op.name == "t.use")
    inner = [name(_root(use.operands[k], loop)) for k in (7, 8)]
    assert inner == ["a", None]
    for op in ops:
        if op.name == "t.before":
            assert name(_root(op.operands[0], loop)) == "cast"
        if op.name == "t.after":
            assert name(_root(op.operands[0], loop)) in (None, "cast")


ACCESSES = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32, %i: index, %v: vector<4xf32>) {
  %0 = memref.load %a[%i] : memref<4xf32>
  %1 = affine.load %a[0] : memref<4xf32>
  %2 = memref.dim %a, %i : memref<4xf32>
  %3 = memref.cast %a : memref<4xf32> to memref<?xf32>
  %4 = vector.transfer_read %a[%i], %f : memref<4xf32>, vector<4xf32>
  %5 = vector.load %a[%i] : memref<4xf32>, vector<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.copy ins(%b : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.map { math.absf } ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.map { math.absf } ins(%b : memref<4xf32>) outs(%a : memref<4xf32>)
  vector.transfer_write %v, %a[%i] : vector<4xf32>, memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  "t.use"(%a) : (memref<4xf32>) -> ()
  return
}
"""


def test_which_operations_write_an_operand():
    module = parse(ACCESSES, allow_unregistered=True)
    first = next(module.regions[0].ops()).body.entry.args[0]
    found = [
        (op.name, _writes(op, first))
        for op in module.walk()
        if any(value is first and t.is_memref(value.type) for value in op.operands)
    ]
    assert [writes for _, writes in found] == [False] * 6 + [
        True, False, True, True, False, True, False, True, True, True, True
    ]  # fmt: skip
