"""Loops that read a buffer next to what they write in it trade two buffers, whose common border is copied once."""

import pytest
from bufferize import parse, prove, run_passes
from bufferize.dialects.scf import WhileOp
from bufferize.transforms.changes.rewrites import CARRY_BORDER, CARRY_OLDER, apply_all

from .test_remainders import check_same, cost_of

FEWEST = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies peak-percent=0"

STENCIL = """
func.func @f(%a: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<16xf32>) {
    %l = tensor.extract_slice %t[0] [14] [1] : tensor<16xf32> to tensor<14xf32>
    %m = tensor.extract_slice %t[2] [14] [1] : tensor<16xf32> to tensor<14xf32>
    %e = tensor.empty() : tensor<14xf32>
    %s = linalg.add ins(%l, %m : tensor<14xf32>, tensor<14xf32>) outs(%e : tensor<14xf32>) -> tensor<14xf32>
    %w = tensor.insert_slice %s into %t[1] [14] [1] : tensor<14xf32> into tensor<16xf32>
    scf.yield %w : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}"""
ANY_TIMES = STENCIL.replace("%a: tensor<16xf32>", "%a: tensor<16xf32>, %n: index").replace(
    "  %n = arith.constant 5 : index\n", ""
)
ANY_PLACE = STENCIL.replace("%a: tensor<16xf32>", "%a: tensor<16xf32>, %o: index").replace(
    "into %t[1] [14]", "into %t[%o] [14]"
)
RANKED = """
func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %i = arith.subi %d, %c2 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %l = tensor.extract_slice %t[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %m = tensor.extract_slice %t[2] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %e = tensor.empty(%i) : tensor<?xf32>
    %s = linalg.add ins(%l, %m : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %w = tensor.insert_slice %s into %t[1] [%i] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}"""
ELEMENTS = """
func.func @f(%a: tensor<8x100xf32>, %c: i1) -> tensor<8x100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c99 = arith.constant 99 : index
  %n = arith.constant 4 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<8x100xf32>) {
    %q = scf.for %i = %c1 to %c7 step %c1 iter_args(%u = %t) -> (tensor<8x100xf32>) {
      %p = scf.for %j = %c1 to %c99 step %c1 iter_args(%v = %u) -> (tensor<8x100xf32>) {
        %im = arith.subi %i, %c1 : index
        %jp = arith.addi %j, %c1 : index
        %x = tensor.extract %t[%im, %j] : tensor<8x100xf32>
        %y = tensor.extract %t[%i, %jp] : tensor<8x100xf32>
        %s = arith.addf %x, %y : f32
        %w = tensor.insert %s into %v[%i, %j] : tensor<8x100xf32>
        LAST
      }
      scf.yield %p : tensor<8x100xf32>
    }
    scf.yield %q : tensor<8x100xf32>
  }
  return %r : tensor<8x100xf32>
}"""
LAST = "scf.yield %w : tensor<8x100xf32>"
SOMETIMES = """
        %z = scf.if %c -> tensor<8x100xf32> {
          scf.yield %w : tensor<8x100xf32>
        } else {
          scf.yield %v : tensor<8x100xf32>
        }
        scf.yield %z : tensor<8x100xf32>
"""
BY_ELEMENT = ELEMENTS.replace("LAST", LAST)
TWO_PARTS = """
func.func @f(%a: tensor<16xf32>) -> (tensor<16xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 6 : index
  %z = arith.constant 0.0 : f32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%t = %a, %g = %z) -> (tensor<16xf32>, f32) {
    %l = tensor.extract_slice %t[7] [6] [1] : tensor<16xf32> to tensor<6xf32>
    %m = tensor.extract_slice %t[1] [6] [1] : tensor<16xf32> to tensor<6xf32>
    %e = tensor.empty() : tensor<6xf32>
    %s = linalg.exp ins(%l : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %q = linalg.exp ins(%m : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %w = tensor.insert_slice %s into %t[2] [6] [1] : tensor<6xf32> into tensor<16xf32>
    %v = tensor.insert_slice %q into %w[9] [6] [1] : tensor<6xf32> into tensor<16xf32>
    %x = tensor.extract %v[%c3] : tensor<16xf32>
    %h = arith.addf %g, %x : f32
    scf.yield %v, %h : tensor<16xf32>, f32
  }
  return %r#0, %r#1 : tensor<16xf32>, f32
}"""

CONVERGING = """
func.func @f(%a: tensor<16xf32>, %eps: f32, %b: tensor<16xf32>) -> (tensor<16xf32>, f32) {
  %half = arith.constant 0.25 : f32
  %r:2 = scf.while (%t = %a, %d = %eps) : (tensor<16xf32>, f32) -> (tensor<16xf32>, f32) {
    %c = arith.cmpf ogt, %d, %half : f32
    scf.condition(%c) %t, %d : tensor<16xf32>, f32
  } do {
  ^bb0(%t: tensor<16xf32>, %d: f32):
    %l = tensor.extract_slice %t[0] [14] [1] : tensor<16xf32> to tensor<14xf32>
    %m = tensor.extract_slice %t[2] [14] [1] : tensor<16xf32> to tensor<14xf32>
    %e = tensor.empty() : tensor<14xf32>
    %s = linalg.sub ins(%l, %m : tensor<14xf32>, tensor<14xf32>) outs(%e : tensor<14xf32>) -> tensor<14xf32>
    %w = tensor.insert_slice %s into %t[1] [14] [1] : tensor<14xf32> into tensor<16xf32>
    %x = arith.mulf %d, %half : f32
    scf.yield %w, %x : tensor<16xf32>, f32
  }
  return %r#0, %r#1 : tensor<16xf32>, f32
}"""

WAVE = """
func.func @f(%u0: tensor<16xf32>, %v0: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %n = arith.constant 6 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<16xf32>, tensor<16xf32>) {
    %q = scf.for %i = %c1 to %c15 step %c1 iter_args(%w = %u) -> (tensor<16xf32>) {
      %im = arith.subi %i, %c1 : index
      %ip = arith.addi %i, %c1 : index
      %x = tensor.extract %u[%im] : tensor<16xf32>
      %y = tensor.extract %u[%ip] : tensor<16xf32>
      %o = tensor.extract %v[%i] : tensor<16xf32>
      %s = arith.addf %x, %y : f32
      %d = arith.subf %s, %o : f32
      %w1 = tensor.insert %d into %w[%i] : tensor<16xf32>
      scf.yield %w1 : tensor<16xf32>
    }
    scf.yield %q, %u : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0 : tensor<16xf32>
}"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(STENCIL, id="a slice"),
        pytest.param(ANY_TIMES, id="any number of times"),
        pytest.param(ANY_PLACE, id="a slice anywhere"),
        pytest.param(RANKED, id="any size"),
        pytest.param(BY_ELEMENT, id="element by element"),
        pytest.param(TWO_PARTS, id="two parts, and a read of the new value"),
        pytest.param(CONVERGING, id="until it converges"),
    ],
)
def test_a_second_buffer_with_the_same_border_is_written(text):
    module = parse(text)
    assert apply_all(module, CARRY_OLDER) == 1
    check_same(text, module)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        pytest.param(STENCIL, "constant 5", "constant 1", id="a loop that runs once"),
        pytest.param(STENCIL, "into %t[1]", "into %t[%k]", id="another part each time"),
        pytest.param(STENCIL, "insert_slice %s", "insert_slice %given", id="what the loop does not compute"),
        pytest.param(ELEMENTS, "LAST", SOMETIMES, id="elements that may not be written"),
        pytest.param(BY_ELEMENT, "%v[%i, %j]", "%v[%k, %j]", id="another row each time"),
        pytest.param(TWO_PARTS, "extract %v", "extract %w", id="a read before all is written"),
        pytest.param(CONVERGING, "(%c) %t, %d", "(%c) %b, %d", id="another tensor than the body yielded"),
    ],
)
def test_otherwise_loops_stay_as_they_are(text, old, new):
    text = text.replace(old, new)
    if "%given" in text:
        text = text.replace("(%a: tensor<16xf32>)", "(%a: tensor<16xf32>, %given: tensor<14xf32>)")
    module = parse(text)
    assert apply_all(module, CARRY_OLDER) == 0


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        pytest.param(STENCIL, 2 * 4, id="a slice"),
        pytest.param(BY_ELEMENT, (2 * 100 + 2 * 6) * 4, id="element by element"),
        pytest.param(TWO_PARTS, (2 + 1 + 1) * 4, id="two parts"),
    ],
)
def test_only_the_border_is_copied_once(text, copied):
    assert cost_of(text, FEWEST).copied == copied
    module = parse(text)
    run_passes(module, [FEWEST])
    check_same(text, module)


def test_a_border_is_carried_where_elements_are_written():
    module = parse(WAVE)
    assert apply_all(module, CARRY_BORDER) == 1
    check_same(WAVE, module)
    assert cost_of(WAVE, FEWEST).copied == 2 * 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("%v[%i]", "%v[%ip]", id="an element that may be in the border"),
        pytest.param("%w[%i]", "%w[%k]", id="another element each time"),
    ],
)
def test_a_border_is_not_carried_otherwise(old, new):
    module = parse(WAVE.replace(old, new))
    assert apply_all(module, CARRY_BORDER) == 0
    check_same(WAVE.replace(old, new), module)


def test_a_loop_of_unknown_length_copies_nothing_in_its_iterations():
    module = parse(CONVERGING)
    run_passes(module, [FEWEST])
    assert not any(op.parent_of_type(WhileOp) for op in module.walk() if op.name == "memref.copy")
    check_same(CONVERGING, module)


def test_the_trade_is_proved():
    module = parse(STENCIL)
    run_passes(module, [FEWEST])
    assert prove(parse(STENCIL), module, leaks=False).proved
