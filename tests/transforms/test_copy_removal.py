"""Copies removed behind the deallocation of 2020, clones among them; buffers that may be one are not reordered around."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import SAME, Options, verify_module
from bufferize.ir.program.core import Operation
from bufferize.ir.text.parser import parse_text

PASSES = ["-buffer-deallocation", "-copy-removal"]
LOOP = """
func.func @f(%lb: index, %ub: index, %step: index, %buf: memref<2xf32>, %res: memref<2xf32>, %f: f32) {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%it = %buf) -> memref<2xf32> {
    %1 = arith.cmpi eq, %i, %ub : index
    %2 = scf.if %1 -> (memref<2xf32>) {
      %3 = memref.alloc() : memref<2xf32>
      linalg.fill ins(%f : f32) outs(%3 : memref<2xf32>)
      scf.yield %3 : memref<2xf32>
    } else {
      scf.yield %it : memref<2xf32>
    }
    scf.yield %2 : memref<2xf32>
  }
  memref.copy %0, %res : memref<2xf32> to memref<2xf32>
  return
}
"""
SWAP = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32>
  memref.copy %a, %t : memref<4xf32> to memref<4xf32>
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %t[%c1] : memref<4xf32>
  %y = memref.load %a[%c1] : memref<4xf32>
  memref.store %y, %t[%c0] : memref<4xf32>
  memref.copy %t, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}
"""
TRANSPOSED = """
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  %t = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%t : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %t, %b : memref<4x4xf32> to memref<4x4xf32>
  memref.dealloc %t : memref<4x4xf32>
  return
}
"""
BY_ELEMENT = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%t : memref<4xf32>)
  memref.copy %t, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}
"""
WRITTEN_AFTER = """
func.func @f(%s: memref<4xf32>, %b: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  memref.store %x, %t[%c0] : memref<4xf32>
  %y = memref.load %b[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %t, %y : memref<4xf32>, f32
}
"""


def count(module: Operation, *names: str) -> int:
    return sum(op.name in names for op in module.walk())


@pytest.mark.parametrize(
    ("text", "left"),
    [(LOOP, 3), (SWAP, 2), (TRANSPOSED, 1), (BY_ELEMENT, 0), (WRITTEN_AFTER, 1)],
    ids=["clones", "element by element", "transposed", "the same element", "source reused"],
)
def test_what_is_removed_changes_nothing(text, left):
    """Inputs in which both arguments are one buffer are tried too."""
    before = parse_text(text)
    after = before.clone()
    transform(after, PASSES, "")
    assert count(after, "memref.copy", "linalg.copy", "bufferization.clone") == left
    findings = verify_module(before, after, Options(inputs=12))
    assert [finding.status for finding in findings] == [SAME]


def test_clones_go():
    module = parse_text(LOOP)
    transform(module, PASSES[:1], "")
    clones = count(module, "bufferization.clone")
    transform(module, PASSES[1:], "")
    assert count(module, "bufferization.clone") < clones


READ_BEFORE_THE_COPY = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%t : memref<4xf32>)
  %x = memref.load %b[%i] : memref<4xf32>
  memref.copy %t, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %x : f32
}
"""


def test_a_target_that_is_read_before_the_copy_is_not_filled_early():
    module = parse_text(READ_BEFORE_THE_COPY)
    before = str(module)
    transform(module, ["-copy-removal"], "")
    assert str(module) == before


def test_a_copy_of_what_is_freed_already_is_left_alone():
    module = parse_text(
        """func.func @f(%b: memref<4xf32>) {
          %t = memref.alloc() : memref<4xf32>
          memref.dealloc %t : memref<4xf32>
          memref.copy %t, %b : memref<4xf32> to memref<4xf32>
          return
        }"""
    )
    before = str(module)
    transform(module, ["-copy-removal"], "")
    assert str(module) == before


LATER_COPY = """
func.func @f(%a: memref<4xf32>) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xf32>
  memref.copy %a, %t : memref<4xf32> to memref<4xf32>
  %r = bufferization.clone %t : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  %v = memref.alloc() : memref<4xf32>
  memref.copy %r, %v : memref<4xf32> to memref<4xf32>
  memref.copy %v, %u : memref<4xf32> to memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  %x = memref.load %v[%c0] : memref<4xf32>
  memref.dealloc %v : memref<4xf32>
  return %r, %x : memref<4xf32>, f32
}
"""


def test_what_was_erased_with_a_copy_has_no_effects_on_later_ones():
    before = parse_text(LATER_COPY)
    after = before.clone()
    transform(after, ["-copy-removal"], "")
    assert count(after, "bufferization.clone") == 0
    assert [finding.status for finding in verify_module(before, after, Options(inputs=3))] == [SAME]
