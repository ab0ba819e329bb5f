"""Fusion, parts and unrolling are followed; each has wrong counterparts, which are not proved."""

import pytest
from bufferize import parse
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import Refused, certificate_of, check_certificate

CHAIN = """
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#r = affine_map<(i, j) -> (j)>
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.generic {indexing_maps = [#t, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %f : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
"""
FUSED = """
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#r = affine_map<(i, j) -> (j)>
#c = affine_map<(i, j) -> (i)>
func.func @f(%a: memref<4x4xf32>, %b: memref<4xf32>) -> memref<4x4xf32> {
  %c = arith.constant 2.0 : f32
  %e = memref.alloc() : memref<4x4xf32>
  linalg.generic {indexing_maps = [#t, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4xf32>) outs(%e : memref<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %d = arith.divf %s, %c : f32
    linalg.yield %d : f32
  }
  return %e : memref<4x4xf32>
}
"""
IN_PARTS = """
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#r = affine_map<(i, j) -> (j)>
func.func @f(%a: memref<4x4xf32>, %b: memref<4xf32>) -> memref<4x4xf32> {
  %c = arith.constant 2.0 : f32
  %e = memref.alloc() : memref<4x4xf32>
  %e1 = memref.subview %e[0, 0] [4, 1] [1, 1] : memref<4x4xf32> to memref<4x1xf32, strided<[4, 1]>>
  %e2 = memref.subview %e[0, 1] [4, 3] [1, 1] : memref<4x4xf32> to memref<4x3xf32, strided<[4, 1], offset: 1>>
  %a1 = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %a2 = memref.subview %a[1, 0] [3, 4] [1, 1] : memref<4x4xf32> to memref<3x4xf32, strided<[4, 1], offset: 4>>
  %b1 = memref.subview %b[0] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1]>>
  %b2 = memref.subview %b[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  linalg.generic {indexing_maps = [#t, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%a1, %b1 : memref<1x4xf32, strided<[4, 1]>>, memref<1xf32, strided<[1]>>) outs(%e1 : memref<4x1xf32, strided<[4, 1]>>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %d = arith.divf %s, %c : f32
    linalg.yield %d : f32
  }
  linalg.generic {indexing_maps = [#t, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%a2, %b2 : memref<3x4xf32, strided<[4, 1], offset: 4>>, memref<3xf32, strided<[1], offset: 1>>) outs(%e2 : memref<4x3xf32, strided<[4, 1], offset: 1>>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %d = arith.divf %s, %c : f32
    linalg.yield %d : f32
  }
  return %e : memref<4x4xf32>
}
"""
FOLDED = """
#m = affine_map<(i, k) -> (i, k)>
#o = affine_map<(i, k) -> (i)>
func.func @f(%z: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#m, #o], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x5xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
FOLDED_IN_MEMORY = """
#m = affine_map<(i, k) -> (i, k)>
#o = affine_map<(i, k) -> (i)>
func.func @f(%z: memref<4xf32>) -> memref<4xf32> {
  %one = arith.constant 1.0 : f32
  %f = memref.alloc() : memref<4x5xf32>
  linalg.fill ins(%one : f32) outs(%f : memref<4x5xf32>)
  %r = memref.alloc() : memref<4xf32>
  memref.copy %z, %r : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps = [#m, #o], iterator_types = ["parallel", "reduction"]} ins(%f : memref<4x5xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return %r : memref<4xf32>
}
"""
TWO_FOLDS = """
#m = affine_map<(k) -> (k)>
#o = affine_map<(k) -> ()>
func.func @f(%a: tensor<5xf32>, %x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = linalg.generic {indexing_maps = [#m, #o, #o], iterator_types = ["reduction"]} ins(%a : tensor<5xf32>) outs(%x, %y : tensor<f32>, tensor<f32>) {
  ^bb0(%p: f32, %u: f32, %v: f32):
    %s = arith.addf %u, %p : f32
    %t = arith.mulf %v, %u : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
"""
FOLDS_APART = """
#m = affine_map<(k) -> (k)>
#o = affine_map<(k) -> ()>
func.func @f(%a: memref<5xf32>, %x: memref<f32>, %y: memref<f32>) -> (memref<f32>, memref<f32>) {
  %r = memref.alloc() : memref<f32>
  memref.copy %x, %r : memref<f32> to memref<f32>
  %q = memref.alloc() : memref<f32>
  memref.copy %y, %q : memref<f32> to memref<f32>
  linalg.generic {indexing_maps = [#m, #o], iterator_types = ["reduction"]} ins(%a : memref<5xf32>) outs(%r : memref<f32>) {
  ^bb0(%p: f32, %u: f32):
    %s = arith.addf %u, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#m, #o, #o], iterator_types = ["reduction"]} ins(%a, %x : memref<5xf32>, memref<f32>) outs(%q : memref<f32>) {
  ^bb0(%p: f32, %u: f32, %v: f32):
    %t = arith.mulf %v, %u : f32
    linalg.yield %t : f32
  }
  return %r, %q : memref<f32>, memref<f32>
}
"""
SWAPPED = """
func.func @f(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%u = %a, %v = %b) -> (tensor<6xf32>, tensor<6xf32>) {
    %e = tensor.empty() : tensor<6xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%u : tensor<6xf32>) outs(%e : tensor<6xf32>) {
    ^bb0(%p: f32, %o: f32):
      %n = arith.index_cast %i : index to i32
      %k = arith.sitofp %n : i32 to f32
      %s = arith.mulf %p, %k : f32
      linalg.yield %s : f32
    } -> tensor<6xf32>
    scf.yield %v, %w : tensor<6xf32>, tensor<6xf32>
  }
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}
"""
STEP = """
    linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}} ins({0} : memref<6xf32>) outs({0} : memref<6xf32>) {{
    ^bb0(%p: f32, %o: f32):
      %n = arith.index_cast {1} : index to i32
      %k = arith.sitofp %n : i32 to f32
      %s = arith.mulf %p, %k : f32
      linalg.yield %s : f32
    }}
"""
UNROLLED = f"""
func.func @f(%a: memref<6xf32>, %b: memref<6xf32>) -> (memref<6xf32>, memref<6xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %u = memref.alloc() : memref<6xf32>
  memref.copy %a, %u : memref<6xf32> to memref<6xf32>
  %v = memref.alloc() : memref<6xf32>
  memref.copy %b, %v : memref<6xf32> to memref<6xf32>
  scf.for %i = %c0 to %c6 step %c2 {{
    %j = arith.addi %i, %c1 : index
    {STEP.format("%u", "%i")}
    {STEP.format("%v", "%j")}
  }}
  {STEP.format("%u", "%c6")}
  return %v, %u : memref<6xf32>, memref<6xf32>
}}
"""

COLUMN = """
#m = affine_map<(i, j) -> (i, j)>
#o = affine_map<(i, j) -> (i)>
func.func @f(%a: tensor<4x2xf32>, %b: tensor<4x1xf32>) -> tensor<4x2xf32> {
  %c = tensor.collapse_shape %b [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %x = linalg.generic {indexing_maps = [#m, #o, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %c : tensor<4x2xf32>, tensor<4xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %x : tensor<4x2xf32>
}
"""
COLUMN_AT_ZERO = """
#m = affine_map<(i, j) -> (i, j)>
#z = affine_map<(i, j) -> (i, 0)>
func.func @f(%a: memref<4x2xf32>, %b: memref<4x1xf32>) -> memref<4x2xf32> {
  %e = memref.alloc() : memref<4x2xf32>
  linalg.generic {indexing_maps = [#m, #z, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x2xf32>, memref<4x1xf32>) outs(%e : memref<4x2xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  }
  return %e : memref<4x2xf32>
}
"""
AT_ZERO_OF_ANOTHER = COLUMN_AT_ZERO.replace(
    "ins(%a, %b : memref<4x2xf32>, memref<4x1xf32>)", "ins(%a, %a : memref<4x2xf32>, memref<4x2xf32>)"
)

RIGHT = {
    "at a number": (COLUMN, COLUMN_AT_ZERO),
    "fused": (CHAIN, FUSED),
    "in parts": (CHAIN, IN_PARTS),
    "a sum of what is filled": (FOLDED, FOLDED_IN_MEMORY),
    "unrolled by two": (SWAPPED, UNROLLED),
}
WRONG = {
    "at a number of another operand": (COLUMN, AT_ZERO_OF_ANOTHER),
    "another constant": (CHAIN, FUSED.replace("2.0", "3.0")),
    "not transposed": (CHAIN, FUSED.replace("[#t, #r", "[#m, #r")),
    "another broadcast": (CHAIN, FUSED.replace("[#t, #r", "[#t, #c")),
    "operands exchanged": (CHAIN, FUSED.replace("arith.subf %p, %q", "arith.subf %q, %p")),
    "another part of the row": (
        CHAIN,
        IN_PARTS.replace("%b[1] [3]", "%b[0] [3]")
        .replace("offset: 1>>) outs", "offset: 1>>) outs")
        .replace("strided<[1], offset: 1>>", "strided<[1]>>"),
    ),
    "another part of the matrix": (
        CHAIN,
        IN_PARTS.replace("%a[1, 0] [3, 4]", "%a[0, 0] [3, 4]").replace(
            "memref<3x4xf32, strided<[4, 1], offset: 4>>", "memref<3x4xf32, strided<[4, 1]>>"
        ),
    ),
    "a part left out": (
        CHAIN,
        IN_PARTS.replace("%e[0, 1] [4, 3]", "%e[0, 1] [3, 3]")
        .replace("memref<4x3xf32", "memref<3x3xf32")
        .replace("%a[1, 0] [3, 4]", "%a[1, 0] [3, 3]")
        .replace("memref<3x4xf32", "memref<3x3xf32"),
    ),
    "fewer ones": (FOLDED, FOLDED_IN_MEMORY.replace("4x5", "4x3")),
    "a fold that reads another as it was": (TWO_FOLDS, FOLDS_APART),
    "the same counter twice": (SWAPPED, UNROLLED.replace("addi %i, %c1", "addi %i, %c0")),
    "the wrong rest": (SWAPPED, UNROLLED.replace("index_cast %c6", "index_cast %c2")),
    "the rest left out": (SWAPPED, UNROLLED.replace(STEP.format("%u", "%c6"), "")),
    "one iteration less": (SWAPPED, UNROLLED.replace("%c0 to %c6", "%c2 to %c6")),
    "results exchanged": (SWAPPED, UNROLLED.replace("return %v, %u", "return %u, %v")),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_computed_in_another_way_is_proved(name):
    before, after = map(parse, RIGHT[name])
    proof = prove_modules(before, after)
    assert proof.proved, [question.text for question in proof.questions]
    check_certificate(before, after, certificate_of(before, after, proof, leaks=False))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_twins_stay_open(name):
    assert not prove_modules(*map(parse, WRONG[name])).proved


def test_a_certificate_that_unrolls_otherwise_is_refused():
    before, after = map(parse, RIGHT["unrolled by two"])
    certificate = certificate_of(before, after, prove_modules(before, after), leaks=False)
    (function,) = certificate["functions"]
    assert function["at once"] == [[0, 2]]
    function["at once"] = [[0, 3]]
    with pytest.raises(Refused):
        check_certificate(before, after, certificate)
