"""What a run is measured to take, and which operations it is put down to."""

from __future__ import annotations

import numpy as np
import pytest
from bufferize.interpreter import Fault, LimitExceeded, Unsupported
from bufferize.interpreter.heap import Heap, Traffic
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.measure import measure
from bufferize.interpreter.values import Array

LOOP = """
memref.global "private" @g : memref<8xf32> = dense<0.0>
func.func @f(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %held = memref.alloc() : memref<2xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    %m = memref.alloc() : memref<8xf32>
    memref.copy %a, %m : memref<8xf32> to memref<8xf32>
    memref.dealloc %m : memref<8xf32>
  }
  memref.dealloc %held : memref<2xf32>
  return
}
func.func @each(%a: memref<8xf32>) {
  %g = memref.get_global @g : memref<8xf32>
  %s = memref.alloca() : memref<8xf32>
  linalg.copy ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  %c = bufferization.clone %a : memref<8xf32> to memref<8xf32>
  %c3 = arith.constant 3 : index
  %r = memref.realloc %c(%c3) : memref<8xf32> to memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}
func.func @late(%a: memref<8xf32>) {
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<8xf32>
  %x = memref.load %a[%c8] : memref<8xf32>
  return
}
func.func @unread(%a: memref<8xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xf32>
  %x = memref.load %m[%c1] : memref<8xf32>
  return %x : f32
}
"""
EIGHT = [Array(np.zeros(8, np.float32))]


def traffic_by_name(found):
    return {op.name: traffic for op, traffic in found.traffic.items()}


def test_a_run_adds_up_and_is_shared_out(read):
    found = measure(read(LOOP), "f", EIGHT)
    assert (found.allocations, found.peak, found.copied) == (6, 8 + 32, 5 * 32)
    assert found.operations == 3 + 1 + 1 + 5 * 4 + 2
    assert list(found.traffic.values()) == [
        Traffic(allocations=1, allocated=8),
        Traffic(allocations=5, allocated=160),
        Traffic(copies=5, copied=160),
    ]


def test_every_operation_that_copies_is_accounted_for(read):
    found = measure(read(LOOP), "each", EIGHT)
    assert traffic_by_name(found) == {
        "memref.alloca": Traffic(1, 32),
        "linalg.copy": Traffic(copies=1, copied=32),
        "bufferization.clone": Traffic(1, 32, 1, 32),
        "memref.realloc": Traffic(1, 12, 1, 12),
    }
    assert found.copied == sum(traffic.copied for traffic in found.traffic.values())


def test_undefined_elements_do_not_end_a_run(read):
    assert measure(read(LOOP), "unread", EIGHT).peak == 32


@pytest.mark.parametrize(
    ("name", "limit", "failure"),
    [("late", 100, Fault), ("none", 100, Unsupported), ("f", 3, LimitExceeded)],
)
def test_what_cannot_be_measured(read, name, limit, failure):
    with pytest.raises(failure):
        measure(read(LOOP), name, EIGHT, limit)


def test_nothing_is_kept_for_each_operation_unless_asked_for(read):
    assert Machine(read(LOOP)).heap.traffic is None
    heap = Heap()
    heap.record_traffic()
    assert heap.traffic == {}


def test_a_buffer_taken_from_a_tensor_belongs_to_nobody(read):
    text = """
    func.func @f(%t: tensor<8xf32>) -> f32 {
      %c1 = arith.constant 1 : index
      %m = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
      %x = memref.load %m[%c1] : memref<8xf32>
      return %x : f32
    }
    """
    found = measure(read(text), "f", EIGHT)
    assert (found.allocations, found.peak) == (0, 0)
