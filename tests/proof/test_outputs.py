"""Outputs of `fewest-copies` are followed: parts of larger buffers, loops that go down, reductions in parts; wrong counterparts are not proved."""

import bufferize
import pytest
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import certificate_of, check_certificate

PADDED = """
func.func @f(%x: tensor<8xi32>) -> tensor<8xi32> {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<8xi32>) {
    %p = tensor.pad %a low[1] high[1] {
    ^bb0(%k: index):
      tensor.yield %z : i32
    } : tensor<8xi32> to tensor<10xi32>
    %e = tensor.empty() : tensor<8xi32>
    %f = linalg.fill ins(%z : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
    %w = tensor.empty() : tensor<3xi32>
    %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p, %w : tensor<10xi32>, tensor<3xi32>) outs(%f : tensor<8xi32>) {
    ^bb0(%u: i32, %v: i32, %o: i32):
      %s = arith.addi %u, %o : i32
      linalg.yield %s : i32
    } -> tensor<8xi32>
    scf.yield %y : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}
"""
GROWN = """
#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
func.func @f(%x: tensor<2x4xf32>, %w: tensor<4x2xf32>) -> tensor<2x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %b = linalg.fill ins(%z : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %b0 = tensor.insert_slice %x into %b[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x8xf32>
  %e0 = tensor.empty() : tensor<2x2xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y0 = linalg.matmul ins(%x, %w : tensor<2x4xf32>, tensor<4x2xf32>) outs(%f0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %b1 = tensor.insert_slice %y0 into %b0[0, 4] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x8xf32>
  %x1 = tensor.extract_slice %b1[0, 2] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
  %y1 = linalg.matmul ins(%x1, %w : tensor<2x4xf32>, tensor<4x2xf32>) outs(%f0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %b2 = tensor.insert_slice %y1 into %b1[0, 6] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x8xf32>
  return %b2 : tensor<2x8xf32>
}
"""
ONE_ELEMENT = """
#m = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tensor.extract_slice %x[0] [1] [2] : tensor<4xf32> to tensor<1xf32>
  %b = tensor.extract_slice %x[1] [1] [2] : tensor<4xf32> to tensor<1xf32>
  %e = tensor.empty() : tensor<1xf32>
  %d = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<1xf32>, tensor<1xf32>) outs(%e : tensor<1xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %y = tensor.insert_slice %d into %x[1] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
GATHERED = """
#m = affine_map<(i, j) -> (i, j)>
#l = affine_map<(i) -> (i)>
func.func @f(%x: tensor<8xf32>, %n: tensor<8xi32>) -> tensor<8xf32> {
  %k = tensor.expand_shape %n [[0, 1]] output_shape [8, 1] : tensor<8xi32> into tensor<8x1xi32>
  %e = tensor.empty() : tensor<8x1xf32>
  %g = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<8x1xi32>) outs(%e : tensor<8x1xf32>) {
  ^bb0(%p: i32, %o: f32):
    %i = arith.index_cast %p : i32 to index
    %v = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8x1xf32>
  %c = tensor.collapse_shape %g [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#l, #l, #l], iterator_types = ["parallel"]} ins(%c, %x : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
WITH_UNIT_DIMENSION = """
#m = affine_map<(i, j) -> (j)>
#n = affine_map<(i, j) -> (i, j)>
func.func @f(%h: tensor<6xf32>, %t: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t, %x = %h) -> (tensor<4x6xf32>, tensor<6xf32>) {
    %e = tensor.empty() : tensor<1x6xf32>
    %b = linalg.generic {indexing_maps = [#m, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6xf32>) outs(%e : tensor<1x6xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<1x6xf32>
    %w = tensor.insert_slice %b into %a[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
    %f = tensor.empty() : tensor<6xf32>
    %y = linalg.exp ins(%x : tensor<6xf32>) outs(%f : tensor<6xf32>) -> tensor<6xf32>
    scf.yield %w, %y : tensor<4x6xf32>, tensor<6xf32>
  }
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<6xf32>
}
"""
SCATTERED = """
func.func @f(%x: tensor<8xf32>, %n: index, %u: tensor<1xf32>, %k: tensor<1x1xi32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %n, %a = %x) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %i, %a : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %a: tensor<8xf32>):
    %w = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %k : tensor<1xf32>, tensor<1x1xi32>) outs(%a : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32):
      iree_linalg_ext.yield %p : f32
    } -> tensor<8xf32>
    %j = arith.subi %i, %c1 : index
    scf.yield %j, %w : index, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}
"""
CHOSEN = """
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %p: tensor<8xi1>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %r:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %y, %o = %z) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
    %c = tensor.extract %p[%i] : tensor<8xi1>
    %s = arith.select %c, %a, %b : tensor<4xf32>
    %t = arith.select %c, %b, %a : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %u = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v = linalg.log ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %q = tensor.extract_slice %s[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %w = tensor.insert_slice %q into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    scf.yield %u, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
  }
  return %r#2 : tensor<8xf32>
}
"""
SHUFFLED = """
func.func @f(%x: tensor<1x6x2x2xf32>, %w: tensor<5x6x1x1xf32>) -> tensor<1x5x2x2xf32> {
  %z = arith.constant 0.0 : f32
  %s = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, 2, 2] : tensor<1x6x2x2xf32> into tensor<1x2x3x2x2xf32>
  %e = tensor.empty() : tensor<1x3x2x2x2xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x3x2x2xf32>) outs(%e : tensor<1x3x2x2x2xf32>) permutation = [0, 2, 1, 3, 4]
  %y = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x3x2x2x2xf32> into tensor<1x6x2x2xf32>
  %d = tensor.empty() : tensor<1x5x2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<1x5x2x2xf32>) -> tensor<1x5x2x2xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<1x6x2x2xf32>, tensor<5x6x1x1xf32>) outs(%f : tensor<1x5x2x2xf32>) -> tensor<1x5x2x2xf32>
  return %r : tensor<1x5x2x2xf32>
}
"""
DERIVED = """
func.func private @g(tensor<3xf64>, tensor<2xf64>) -> tensor<4xf64>
func.func private @k(tensor<3xf64>) -> !quantum.reg
func.func @f(%x: tensor<3xf64>, %y: tensor<2xf64>, %c: tensor<4xf64>, %n: index) -> (tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<?xf64>, tensor<4xf64>) {
  %v, %d:2 = gradient.backprop @g(%x, %y) cotangents(%c : tensor<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = true, resultSegmentSizes = array<i32: 1, 2>} : (tensor<3xf64>, tensor<2xf64>) -> (tensor<4xf64>, tensor<3xf64>, tensor<2xf64>)
  %a = gradient.adjoint @k(%x) size(%n) : (tensor<3xf64>) -> tensor<?xf64>
  return %v, %d#0, %d#1, %a, %c : tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<?xf64>, tensor<4xf64>
}
"""


FEWEST_COPIES = (
    "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies "
    "function-boundary-type-conversion=identity-layout-map"
)


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        pytest.param(
            PADDED,
            "linalg.fill ins(%c0_i32 : i32) outs(%subview : memref<1xi32, strided<[1]>>)",
            "",
            id="a padded loop-carried tensor",
        ),
        pytest.param(
            PADDED,
            "linalg.fill ins(%c0_i32 : i32) outs(%subview_1 : memref<1xi32, strided<[1], offset: 9>>)",
            "",
            id="the other end of the padding",
        ),
        pytest.param(
            GROWN,
            "linalg.fill ins(%cst : f32) outs(%subview_2 : memref<2x2xf32, strided<[8, 1], offset: 4>>)",
            "",
            id="a slice of slices that were inserted",
        ),
        pytest.param(GROWN, "offset: 2", "offset: 3", id="another slice"),
        pytest.param(ONE_ELEMENT, "[1] [1] [1]", "[2] [1] [1]", id="strides of one element"),
        pytest.param(GATHERED, "index_cast %in", "index_castui %in", id="a trailing unit dimension"),
        pytest.param(WITH_UNIT_DIMENSION, "%arg3[%arg2, 0]", "%arg3[%c0, 0]", id="a leading unit dimension"),
        pytest.param(SCATTERED, "indices(true)", "indices(false)", id="static sizes in a loop"),
        pytest.param(
            CHOSEN, "%1, %cast, %cast_2", "%1, %cast_2, %cast", id="slices of a choice between buffers"
        ),
        pytest.param(SHUFFLED, "d2 + d6, d3 + d7", "d3 + d6, d2 + d7", id="sums with loops that run once"),
        pytest.param(DERIVED, "cotangents(%alloc", "cotangents(%arg2", id="derivatives into buffers"),
    ],
)
def test_outputs_with_the_fewest_copies(before, old, new):
    program = bufferize.parse(before)
    after = bufferize.parse(before)
    bufferize.run_passes(after, [FEWEST_COPIES])
    proof = prove_modules(program, after)
    assert proof.proved, [question.text for question in proof.questions]
    check_certificate(program, after, certificate_of(program, after, proof, leaks=False))
    text = str(after)
    assert old in text
    wrong = text.replace(old, new)
    if before is ONE_ELEMENT:
        wrong = wrong.replace("strided<[1], offset: 1>", "strided<[1], offset: 2>")
    elif new == "offset: 3":
        wrong = wrong.replace("%alloc[0, 2]", "%alloc[0, 3]")
    assert not prove_modules(program, bufferize.parse(wrong)).proved


def reversed_scan(init, upper="%c4", first="%c3"):
    return f"""
func.func @f(%f: f32) -> tensor<4xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %i = %c0 to {upper} step %c1 iter_args(%a = {init}, %x = %f) -> (tensor<4xf32>, f32) {{
    %k = arith.subi {first}, %i : index
    %w = tensor.insert %x into %a[%k] : tensor<4xf32>
    %y = math.exp %x : f32
    scf.yield %w, %y : tensor<4xf32>, f32
  }}
  return %r#0 : tensor<4xf32>
}}
"""


@pytest.mark.parametrize(("upper", "is_right"), [("%c4", True), ("%c3", False)])
def test_a_loop_that_goes_down_overwrites_what_it_passes(upper, is_right):
    before, after = (bufferize.parse(reversed_scan(init, upper)) for init in ("%z", "%n"))
    bufferize.one_shot(after, bufferize_function_boundaries=True)
    assert prove_modules(before, after).proved == is_right


INSERTED_LATER = """
func.func @f(%f: f32) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %n, %x = %f) -> (tensor<4xf32>, f32) {
    %w = tensor.insert %x into %a[%i] : tensor<4xf32>
    %y = math.exp %x : f32
    scf.yield %w, %y : tensor<4xf32>, f32
  }
  %e = tensor.empty() : tensor<5xf32>
  %g = tensor.insert %f into %e[%c0] : tensor<5xf32>
  %h = tensor.insert_slice %r#0 into %g[1] [4] [1] : tensor<4xf32> into tensor<5xf32>
  return %h : tensor<5xf32>
}
"""


@pytest.mark.parametrize(("place", "is_right"), [("%j", True), ("%i", False)])
def test_a_loop_may_write_a_part_of_a_larger_buffer(place, is_right):
    after = f"""
func.func @f(%f: f32) -> memref<5xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.alloc() : memref<5xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %f) -> (f32) {{
    %j = arith.addi %i, %c1 : index
    memref.store %x, %n[{place}] : memref<5xf32>
    %y = math.exp %x : f32
    scf.yield %y : f32
  }}
  memref.store %f, %n[%c0] : memref<5xf32>
  return %n : memref<5xf32>
}}
"""
    assert prove_modules(bufferize.parse(INSERTED_LATER), bufferize.parse(after)).proved == is_right


def summed(parts):
    """The sum of products of a row with what lies one to its left, around the end; computed at once or in two parts."""
    return f"""
#m = affine_map<(i) -> (i)>
#o = affine_map<(i) -> ()>
func.func @f(%x: tensor<4xf32>) -> tensor<f32> {{
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  %a = tensor.extract_slice %x[3] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %b = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  {parts}
  %r = linalg.generic {{indexing_maps = [#m, #o], iterator_types = ["reduction"]}} ins(%p : tensor<4xf32>) outs(%z : tensor<f32>) {{
  ^bb0(%u: f32, %v: f32):
    %t = arith.addf %v, %u : f32
    linalg.yield %t : f32
  }} -> tensor<f32>
  return %r : tensor<f32>
}}
"""


AT_ONCE = """
  %r0 = tensor.insert_slice %a into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %r1 = tensor.insert_slice %b into %r0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  %p = linalg.mul ins(%x, %r1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>"""
IN_TWO_PARTS = """
  %x0 = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %x1 = tensor.extract_slice %x[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %e0 = tensor.empty() : tensor<1xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %m0 = linalg.mul ins(%x0, %a : tensor<1xf32>, tensor<1xf32>) outs(%e0 : tensor<1xf32>) -> tensor<1xf32>
  %m1 = linalg.mul ins(%x1, %b : tensor<3xf32>, tensor<3xf32>) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %p0 = tensor.insert_slice %m0 into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %p = tensor.insert_slice %m1 into %p0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>"""


@pytest.mark.parametrize(
    ("old", "new"),
    [("", ""), ("%x[1] [3]", "%x[0] [3]"), ("(%x0, %a :", "(%x0, %x0 :"), ("(%x1, %b :", "(%b, %b :")],
)
def test_a_reduction_of_what_is_computed_in_parts(old, new):
    before = bufferize.parse(summed(AT_ONCE))
    after = bufferize.parse(summed(IN_TWO_PARTS.replace(old, new) if old else IN_TWO_PARTS))
    bufferize.one_shot(after, bufferize_function_boundaries=True)
    proof = prove_modules(before, after)
    assert proof.proved == (not old), [question.text for question in proof.questions]
    if not old:
        check_certificate(before, after, certificate_of(before, after, proof, leaks=False))
