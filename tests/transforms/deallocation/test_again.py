"""`-buffer-deallocation-static`: a second run finds nothing to do, and buffers are held no longer for what may not happen."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import PASS, Case, judge_case
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

ADDRESSES_ELSEWHERE = """
func.func private @helper(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  %table = memref.alloc() : memref<2xmemref<4xf32>>
  %i = arith.constant 1 : index
  memref.store %n, %table[%i] : memref<2xmemref<4xf32>>
  %found = memref.load %table[%i] : memref<2xmemref<4xf32>>
  %m = memref.alloc() : memref<4xf32>
  cf.br ^first(%m : memref<4xf32>)
^second(%x: memref<4xf32>):
  cf.br ^last(%a : memref<4xf32>)
^first(%y: memref<4xf32>):
  cf.br ^second(%found : memref<4xf32>)
^last(%z: memref<4xf32>):
  return %z : memref<4xf32>
}
func.func @main(%a: memref<4xf32>) -> memref<4xf32> {
  %r = func.call @helper(%a, %a) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  cf.br ^next(%r : memref<4xf32>)
^next(%x: memref<4xf32>):
  %s = func.call @helper(%x, %x) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return %s : memref<4xf32>
}
"""
"""What comes out of a table is told by address, in a block that the one who looks whether `helper` lets it out is not in."""

HELD_BY_A_VIEW = """
func.func @f(%state: memref<1xi64>, %a: memref<4xf32>, %b: f32, %c: index) {
  %n = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  %i = arith.constant 0 : index
  %no = arith.constant false
  %taken = arith.constant TAKEN
  scf.if %taken {
    FIRST
    memref.dealloc %m {written_by_hand} : memref<4xf32>
  }
  return
}
"""


def times_freed(text: str) -> int:
    module = parse_text(text)
    transform(module, (PASS,), "")
    return print_module(module).count("memref.dealloc")


def test_addresses_that_are_only_compared_let_nothing_out():
    assert judge_case(Case(0, ADDRESSES_ELSEWHERE, (PASS,)), transform).failure is None


@pytest.mark.parametrize(
    "first",
    [
        "%v = memref.cast %n : memref<4xf32> to memref<?xf32>",
        "%v = memref.dim %n, %i : memref<4xf32>",
        "scf.if %no { memref.dealloc %n {written_by_hand} : memref<4xf32> }",
    ],
    ids=["view", "size", "condition"],
)
@pytest.mark.parametrize("taken", ["false", "true"])
def test_what_frees_under_a_condition_holds_nothing_else_until_it_is_done(first, taken):
    text = HELD_BY_A_VIEW.replace("FIRST", first).replace("TAKEN", taken)
    outcome = judge_case(Case(0, text, (PASS,)), transform)
    assert outcome.failure is None, outcome.failure.message


def test_what_frees_under_a_condition_and_nothing_else_is_one_step():
    text = HELD_BY_A_VIEW.replace("FIRST", "memref.dealloc %n : memref<4xf32>")
    text = text.replace("arith.constant TAKEN", "arith.cmpi eq, %c, %i : index")
    assert times_freed(text) == 4  # each freed there, or else behind
