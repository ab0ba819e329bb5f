"""Control flow, and depth that Python's stack would not bear."""

from __future__ import annotations

import pytest
from bufferize.interpreter import Fault, LimitExceeded, Unsupported


def test_recursion_has_its_own_stack(run):
    text = """
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> index {
    scf.yield %c0 : index
  } else {
    %m = arith.subi %n, %c1 : index
    %s = func.call @f(%m) : (index) -> index
    %t = arith.addi %s, %n : index
    scf.yield %t : index
  }
  return %r : index
}
"""
    assert run(text, 5000) == [5000 * 5001 // 2]


def test_deeply_nested_regions(run):
    depth = 700
    text = "func.func @f(%c: i1, %m: memref<i32>) {\n  %v = arith.constant 7 : i32\n"
    text += "scf.if %c {\n" * depth + "memref.store %v, %m[] : memref<i32>\n" + "}\n" * depth + "return\n}\n"
    assert run(text, 1, 0) == [7]


def test_blocks_swap_their_arguments(run):
    text = """
func.func @f(%a: i32, %b: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%a, %b, %c0 : i32, i32, index)
^head(%x: i32, %y: i32, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%y, %x, %j : i32, i32, index)
^exit:
  return %x, %y : i32, i32
}
"""
    assert run(text, 1, 2, 3) == [2, 1]
    assert run(text, 1, 2, 4) == [1, 2]


def test_loops_switches_and_reductions(run):
    text = """
func.func @f(%n: index) -> (index, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %w = scf.while (%i = %c1) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %d = arith.addi %i, %i : index
    scf.yield %d : index
  }
  %s = scf.index_switch %n -> index
  case 10 { scf.yield %c1 : index }
  default { scf.yield %c0 : index }
  %p = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%zero) -> i32 {
    scf.reduce(%one : i32) {
    ^bb0(%l: i32, %r: i32):
      %t = arith.addi %l, %r : i32
      scf.reduce.return %t : i32
    }
  }
  return %w, %s, %p : index, index, i32
}
"""
    assert run(text, 10) == [16, 1, 100]


@pytest.mark.parametrize("flag, expected", [(5, 20), (-1, 30), (6, 10)])
def test_a_switch_goes_to_the_block_of_its_value_or_to_the_default(run, flag, expected):
    text = """
func.func @f(%x: i32, %a: i32, %b: i32, %c: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^end(%a : i32),
    5: ^end(%b : i32),
    -1: ^end(%c : i32)
  ]
^end(%r: i32):
  return %r : i32
}
"""
    assert run(text, flag, 10, 20, 30) == [expected]


def test_a_switch_without_cases_goes_to_the_default(run):
    text = """
func.func @f(%x: i32, %a: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^end(%a : i32)
  ]
^end(%r: i32):
  return %r : i32
}
"""
    assert run(text, 1, 7) == [7]


def test_parallel_insertions_see_the_tensor_before_the_loop(run):
    text = """
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %c3 = arith.constant 3 : index
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xi32>) {
    %m = arith.subi %c3, %i : index
    %x = tensor.extract_slice %o[%m] [1] [1] : tensor<4xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}
"""
    assert run(text, [1, 2, 3, 4]) == [[4, 3, 2, 1]]


def test_an_undefined_value_may_be_moved_but_not_decide(run):
    text = """
func.func @f(%c: i1) -> i32 {
  %e = tensor.empty() : tensor<2xi32>
  %c0 = arith.constant 0 : index
  %x = tensor.extract %e[%c0] : tensor<2xi32>
  %k = arith.constant 1 : i32
  %y = arith.addi %x, %k : i32
  %r = arith.select %c, %y, %k : i32
  %b = arith.cmpi eq, %r, %k : i32
  cf.cond_br %b, ^a, ^a
^a:
  return %r : i32
}
"""
    assert run(text, 0) == [1]
    with pytest.raises(Fault, match="a branch depends on an undefined value"):
        run(text, 1)


@pytest.mark.parametrize("n", [0, 3])
def test_a_step_that_is_not_positive_is_a_fault_even_if_the_loop_has_no_iterations(run, n):
    text = """
    func.func @f(%n: index, %s: index) {
      %c0 = arith.constant 0 : index
      scf.for %i = %c0 to %n step %s { }
      return
    }"""
    with pytest.raises(Fault, match="the step of the loop is 0"):
        run(text, n, 0)


def test_the_step_of_a_loop_that_counts_in_one_bit_is_its_sign(run):
    text = """
    func.func @f() {
      %a = arith.constant false
      %b = arith.constant true
      scf.for %i = %a to %b step %b : i1 { }
      return
    }"""
    with pytest.raises(Fault, match="the step of the loop is -1"):
        run(text)


def test_endless_loops_are_stopped(run):
    with pytest.raises(LimitExceeded):
        run("func.func @f() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n", max_steps=50_000)


def test_what_is_unknown_is_told_when_it_is_reached(run):
    text = """
func.func private @g()
func.func @f(%c: i1) {
  scf.if %c {
    func.call @g() : () -> ()
  }
  return
}
"""
    assert run(text, 0) == []
    with pytest.raises(Unsupported, match="function 'g' has no body"):
        run(text, 1)
