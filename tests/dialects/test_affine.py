"""The affine dialect.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """\
#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<()[s0] -> (s0 * 2)>
#map2 = affine_map<(d0)[s0] -> (d0 + s0, d0, 3)>
#map3 = affine_map<(d0) -> (d0, 4)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>
#set1 = affine_set<() : (1 == 0)>
module {
  func.func @f(%arg0: memref<?x?xf32>, %arg1: index, %arg2: memref<10xi32>, %arg3: vector<4xf32>) -> index {
    %0 = affine.apply #map(%arg1)[%arg1] {foo = 1 : i64}
    %1 = affine.apply #map1()[%arg1]
    %2 = affine.min #map2(%arg1)[%arg1]
    %3 = affine.max #map3(%arg1)
    affine.for %arg4 = 0 to %arg1 step 2 {
      affine.for %arg5 = max #map2(%arg4)[%arg1] to min #map2(%arg4)[%arg1] {
        %14 = affine.load %arg0[%arg4 + 3, %arg5] : memref<?x?xf32>
        %15 = affine.load %arg0[%arg4 + symbol(%arg1) * 3 - 2, %arg5 floordiv 2 + %arg4 mod 3] {hi = 1 : i64} : memref<?x?xf32>
        affine.store %14, %arg0[(%arg4 + 1) * 2, 0] : memref<?x?xf32>
        affine.prefetch %arg0[%arg4, %arg5 + 2], write, locality<2>, data : memref<?x?xf32>
        affine.prefetch %arg0[%arg4, %arg5 + 2], read, locality<3>, instr : memref<?x?xf32>
        %16 = affine.vector_load %arg0[%arg4, %arg5] : memref<?x?xf32>, vector<4xf32>
        affine.vector_store %16, %arg0[%arg4, %arg5] : memref<?x?xf32>, vector<4xf32>
      } {attr = 3 : i64}
    }
    %4 = affine.for %arg4 = #map(%arg1)[%arg1] to #map(%arg1)[%arg1] step 3 iter_args(%arg5 = %arg1) -> (index) {
      %14 = arith.addi %arg5, %arg4 : index
      affine.yield %14 : index
    }
    %5:2 = affine.for %arg4 = -3 to 7 iter_args(%arg5 = %arg1, %arg6 = %4) -> (index, index) {
      affine.yield %arg6, %arg5 : index, index
    }
    affine.if #set(%arg1)[%arg1] {
      "foo.x"() : () -> ()
    } else {
      "foo.y"() : () -> ()
    } {at = 1 : i64}
    affine.if #set(%arg1)[%arg1] {
    }
    %6 = affine.if #set(%arg1)[%arg1] -> index {
      affine.yield %arg1 : index
    } else {
      affine.yield %4 : index
    }
    %7:2 = affine.if #set(%arg1)[%arg1] -> (index, index) {
      affine.yield %arg1, %arg1 : index, index
    } else {
      affine.yield %4, %4 : index, index
    }
    affine.parallel (%arg4, %arg5) = (0, 1) to (%arg1, 10) step (1, 2) {
    }
    affine.parallel (%arg4, %arg5) = (0, max(%arg1, 1)) to (min(%arg1 + 2, %arg1), 10) {
    } {a = 1 : i64}
    %8:2 = affine.parallel (%arg4) = (0) to (10) reduce ("addf", "addi") -> (f32, i32) {
      %cst = arith.constant 0.000000e+00 : f32
      %c1_i32 = arith.constant 1 : i32
      affine.yield %cst, %c1_i32 : f32, i32
    }
    affine.parallel () = () to () {
    }
    %9:3 = affine.delinearize_index %arg1 into (3, %arg1, 4) : index, index, index
    %10:3 = affine.delinearize_index %arg1 into (%arg1, 4) {x} : index, index, index
    %11 = affine.linearize_index [%arg1, %arg1, %arg1] by (3, %arg1, 4) : index
    %12 = affine.linearize_index disjoint [%arg1, %arg1, %arg1] by (%arg1, 4) : index
    %13 = affine.linearize_index disjoint [] by () : index
    return %0 : index
  }
  func.func @d(%arg0: index, %arg1: memref<40x128xf32>, %arg2: memref<2x1024xf32, 1>, %arg3: memref<1xi32>) {
    %c256 = arith.constant 256 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    affine.for %arg4 = 0 to 10 {
      affine.dma_start %arg1[%arg4 + 3, symbol(%arg0)], %arg2[%arg4 mod 2, %arg0 + 1], %arg3[%c0], %c256 : memref<40x128xf32>, memref<2x1024xf32, 1>, memref<1xi32>
      affine.dma_start %arg1[%arg4 + 3, %arg0], %arg2[%arg4 mod 2, %arg0 + 1], %arg3[%c0], %c256, %c64, %c256 : memref<40x128xf32>, memref<2x1024xf32, 1>, memref<1xi32>
      affine.dma_wait %arg3[%c0], %c256 : memref<1xi32>
    }
    affine.if #set1() {
    }
    return
  }
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


REJECTED = [
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  scf.for %i = %n to %n step %n {
    %x = affine.load %m[%i] : memref<?xf32>
  }
  return
}
""",
        "'affine.load' op operand cannot be used as a dimension id",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.apply affine_map<()[s0] -> (s0)>(%n)[]
  return
}
""",
        "custom op 'affine.apply' dimension or symbol index mismatch",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.apply affine_map<()[s0] -> (s0, s0)>()[%n]
  return
}
""",
        "operation defines 2 results but was provided 1 to bind",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.min affine_map<()[s0] -> ()>()[%n]
  return
}
""",
        "'affine.min' op affine map expect at least one result",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.min affine_map<()[s0] -> (s0)>(%n)[%n]
  return
}
""",
        "'affine.min' op operand count and affine map dimension and symbol count must match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.for %i = affine_map<()[s0] -> (s0)>()[%n, %n] to 10 {}
  return
}
""",
        "custom op 'affine.for' symbol operand count and affine map symbol count must match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.for %i = affine_map<()[s0] -> (s0)>(%n)[%n] to 10 {}
  return
}
""",
        "custom op 'affine.for' dim operand count and affine map dim count must match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.for %i = affine_map<()[s0] -> (s0, 3)>()[%n] to 10 {}
  return
}
""",
        "custom op 'affine.for' lower loop bound affine map with multiple results requires 'max' prefix",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.for %i = 0 to affine_map<()[s0] -> (s0, 3)>()[%n] {}
  return
}
""",
        "custom op 'affine.for' upper loop bound affine map with multiple results requires 'min' prefix",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.for %i = "x" to affine_map<()[s0] -> (s0, 3)>()[%n] {}
  return
}
""",
        "custom op 'affine.for' expected valid affine map representation for loop bounds",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.for %i = 0 to 10 step -1 {}
  return
}
""",
        "custom op 'affine.for' expected step to be representable as a positive signed integer",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  scf.for %i = %n to %n step %n {
    affine.for %j = 0 to %i {}
  }
  return
}
""",
        "'affine.for' op operand cannot be used as a symbol",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index) { affine.yield %c : i1 }
  return
}
""",
        "'affine.yield' op types mismatch between yield op and its parent",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (i1) { affine.yield %c : i1 }
  return
}
""",
        "use of value '%n' expects different type than prior uses: 'i1' vs 'index'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index) { affine.yield }
  return
}
""",
        "'affine.yield' op parent of yield must have same number of results as the yield operands",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index) { }
  return
}
""",
        "'affine.yield' op parent of yield must have same number of results as the yield operands",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.for %j = 0 to 10 iter_args(%a = %n) -> (index, index) { affine.yield %a : index }
  return
}
""",
        "custom op 'affine.for' mismatch between the number of loop-carried values and results",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.if affine_set<(d0) : (d0 >= 0)>()[%n] {}
  return
}
""",
        "custom op 'affine.if' dim operand count and integer set dim count must match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> index { affine.yield %n : index}
  return
}
""",
        "'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region successor needs 1 inputs",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> index { affine.yield %c : i1} else {affine.yield %n : index}
  return
}
""",
        "'affine.yield' op types mismatch between yield op and its parent",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    affine.if affine_map<(d0) -> (d0 )>(%n) { }
  return
}
""",
        "custom op 'affine.if' invalid kind of attribute specified",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[%n, %n] : memref<?xf32>
  return
}
""",
        "'affine.load' op affine map num results must equal memref rank",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[%n * %n] : memref<?xf32>
  return
}
""",
        "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[3 floordiv %n] : memref<?xf32>
  return
}
""",
        "non-affine expression: right operand of floordiv has to be either a constant or symbolic",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[3 ceildiv %n] : memref<?xf32>
  return
}
""",
        "non-affine expression: right operand of ceildiv has to be either a constant or symbolic",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[3 mod %n] : memref<?xf32>
  return
}
""",
        "non-affine expression: right operand of mod has to be either a constant or symbolic",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[3 + * 2] : memref<?xf32>
  return
}
""",
        "missing right operand of binary operator",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[foo] : memref<?xf32>
  return
}
""",
        "use of undeclared identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[(%n + 1] : memref<?xf32>
  return
}
""",
        "expected ')'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[()] : memref<?xf32>
  return
}
""",
        "no expression inside parentheses",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[- ] : memref<?xf32>
  return
}
""",
        "expected affine expression",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[symbol(3)] : memref<?xf32>
  return
}
""",
        "expected ssa identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[-%n * 2 - -3 - -%n, ] : memref<?xf32>
  return
}
""",
        "expected affine expression",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[%c] : memref<?xf32>
  return
}
""",
        "use of value '%c' expects different type than prior uses: 'index' vs 'i1'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
    %x = affine.load %m[%n] : tensor<?xf32>
  return
}
""",
        "custom op 'affine.load' invalid kind of type specified: expected builtin.memref, but found 'tensor<?xf32>'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  %b:3 = affine.delinearize_index %n into (3) : index, index, index
  return
}
""",
        "'affine.delinearize_index' op should return an index for each basis element and up to one extra index",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  %b:3 = affine.delinearize_index %n into (3, 0) : index, index, index
  return
}
""",
        "'affine.delinearize_index' op no basis element may be statically non-positive",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  %b = affine.linearize_index [%n, %n] by (3, 4, 5) : index
  return
}
""",
        "'affine.linearize_index' op should be passed a basis element for each index except possibly the first",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  "affine.linearize_index"(%n, %n) <{operandSegmentSizes=array<i32: 1,1>, static_basis=array<i64: 1>}> : (index, index) -> index
  return
}
""",
        "'affine.linearize_index' op mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  "affine.delinearize_index"(%n) <{static_basis=array<i64: 1>}> : (index) -> ()
  return
}
""",
        "'affine.delinearize_index' op should return an index for each basis element and up to one extra index",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.parallel (%i) = (0) to (10, 3) { }
  return
}
""",
        "'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (2), and the number of steps (1) must all match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.parallel (%i) = (0) to (10) step (1, 2) { }
  return
}
""",
        "'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.parallel (%i) = (0, 1) to (10) step (1) { }
  return
}
""",
        "'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  %r = affine.parallel (%i) = (0) to (10) reduce ("foo") -> f32 { }
  return
}
""",
        "custom op 'affine.parallel' invalid reduction value: \"foo\"",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> f32 { }
  return
}
""",
        "'affine.yield' op parent of yield must have same number of results as the yield operands",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> (f32, f32) { }
  return
}
""",
        "operation defines 2 results but was provided 1 to bind",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.parallel (%i) = (max()) to (10) { }
  return
}
""",
        "'affine.parallel' op expected lower bound map to have at least one result",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  scf.for %k = %n to %n step %n {
  affine.parallel (%i) = (%k) to (10) { }
  }
  return
}
""",
        "'affine.parallel' op operand cannot be used as a dimension id",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.yield
}
""",
        "'affine.yield' op only terminates affine.if/for/parallel regions",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.prefetch %m[%n], foo, locality<3>, data : memref<?xf32>
  return
}
""",
        "custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.prefetch %m[%n], read, locality<5>, data : memref<?xf32>
  return
}
""",
        "'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: i1) {
  affine.prefetch %m[%n], read, locality<2>, foo : memref<?xf32>
  return
}
""",
        "custom op 'affine.prefetch' cache type has to be 'data' or 'instr'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  affine.store %n, %m[%n] : memref<?xf32>
  return
}
""",
        "use of value '%n' expects different type than prior uses: 'f32' vs 'index'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.store"(%n, %m, %n) {map = affine_map<(d0)->(d0)>} : (index, memref<?xf32>, index)->()
  return
}
""",
        "'affine.store' op value to store must have the same type as memref element type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.load"(%m, %n) {map = affine_map<(d0)->(d0)>} : (memref<?xf32>, index)->(i32)
  return
}
""",
        "'affine.load' op result type must match element type of memref",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.load"(%m, %n) {map = affine_map<(d0, d1)->(d0)>} : (memref<?xf32>, index)->(f32)
  return
}
""",
        "'affine.load' op expects as many subscripts as affine map inputs",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.load"(%m, %c) {map = affine_map<(d0)->(d0)>} : (memref<?xf32>, f32)->(f32)
  return
}
""",
        "'affine.load' op operand #1 must be variadic of index, but got 'f32'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.load"(%m, %n) : (memref<?xf32>, index)->(f32)
  return
}
""",
        "'affine.load' op requires attribute 'map'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.vector_load"(%m, %n) {map = affine_map<(d0)->(d0)>} : (memref<?xf32>, index)->(vector<4xi32>)
  return
}
""",
        "'affine.vector_load' op requires memref and vector types of the same elemental type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.prefetch"(%m, %n) {isDataCache = true, isWrite = true, localityHint = 3 : i32} : (memref<?xf32>, index)->()
  return
}
""",
        "'affine.prefetch' op requires attribute 'map'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32) {
  "affine.prefetch"(%m, %n) {isDataCache = true, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)->(d0,d0)>} : (memref<?xf32>, index)->()
  return
}
""",
        "'affine.prefetch' op affine.prefetch affine map num results must equal memref rank",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32, %t: memref<1xi32>) {
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<?xf32>, memref<?xf32>, memref<1xi32>
  affine.dma_start %m[%n], %m[%n], %t[%n], %n, %n: memref<?xf32>, memref<?xf32>, memref<1xi32>
  return
}
""",
        "custom op 'affine.dma_start' expected two stride related operands",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32>, %c: f32, %t: memref<1xi32>) {
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<?xf32>, memref<?xf32>
  return
}
""",
        "custom op 'affine.dma_start' expected three types",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  scf.for %i = %n to %n step %n {
  affine.dma_wait %t[%i], %n : memref<1xi32>
  affine.prefetch %m[%i], read, locality<3>, data : memref<?xf32, 1>
  }
  return
}
""",
        "'affine.dma_wait' op index must be a valid dimension or symbol identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  scf.for %i = %n to %n step %n {
  affine.prefetch %m[%i], read, locality<3>, data : memref<?xf32, 1>
  }
  return
}
""",
        "'affine.prefetch' op index must be a valid dimension or symbol identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.prefetch"(%m, %n, %n) {isDataCache = true, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)->(d0)>} : (memref<?xf32,1>, index, index)->()
  return
}
""",
        "'affine.prefetch' op too few operands",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.prefetch"(%m, %c) {isDataCache = true, isWrite = true, localityHint = 3 : i32, map = affine_map<(d0)->(d0)>} : (memref<?xf32,1>, f32)->()
  return
}
""",
        "'affine.prefetch' op operand #1 must be variadic of index, but got 'f32'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.dma_wait"(%t, %c, %n) {tag_map = affine_map<(d0) -> (0)>} : (memref<1xi32>, f32, index) -> ()
  return
}
""",
        "'affine.dma_wait' op index to dma_wait must have 'index' type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.dma_wait"(%c, %n, %n) {tag_map = affine_map<(d0) -> (0)>} : (f32, index, index) -> ()
  return
}
""",
        "'affine.dma_wait' op expected DMA tag to be of memref type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  affine.dma_start %m[%n], %m[%n], %t[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>, f32
  return
}
""",
        "use of value '%t' expects different type than prior uses: 'f32' vs 'memref<1xi32>'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  affine.dma_start %c[%n], %m[%n], %t[%n], %n : f32, memref<?xf32, 1>, memref<1xi32>
  return
}
""",
        "'affine.dma_start' op expected DMA source to be of memref type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  affine.dma_start %m[%n], %c[%n], %t[%n], %n : memref<?xf32, 1>, f32,memref<1xi32>
  return
}
""",
        "'affine.dma_start' op expected DMA destination to be of memref type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  affine.dma_start %m[%n], %m[%n], %c[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>,f32
  return
}
""",
        "'affine.dma_start' op expected DMA tag to be of memref type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  scf.for %i = %n to %n step %n {
  affine.dma_start %m[%i], %m[%n], %t[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>,memref<1xi32>
  }
  return
}
""",
        "'affine.dma_start' op src index must be a valid dimension or symbol identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  scf.for %i = %n to %n step %n {
  affine.dma_start %m[%n], %m[%i], %t[%n], %n : memref<?xf32, 1>, memref<?xf32, 1>,memref<1xi32>
  }
  return
}
""",
        "'affine.dma_start' op dst index must be a valid dimension or symbol identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  scf.for %i = %n to %n step %n {
  affine.dma_start %m[%n], %m[%n], %t[%i], %n : memref<?xf32, 1>, memref<?xf32, 1>,memref<1xi32>
  }
  return
}
""",
        "'affine.dma_start' op tag index must be a valid dimension or symbol identifier",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.dma_start"(%m, %n, %m, %n, %t, %n, %n) {src_map = affine_map<() -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, index, memref<?xf32, 1>, index,memref<1xi32>, index, index) -> ()
  return
}
""",
        "'affine.dma_start' op expected DMA destination to be of memref type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.dma_start"(%m, %c, %m, %n, %t, %n, %n) {src_map = affine_map<(d0) -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, f32, memref<?xf32, 1>, index,memref<1xi32>, index, index) -> ()
  return
}
""",
        "'affine.dma_start' op src index to dma_start must have 'index' type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.dma_start"(%m, %n, %m, %c, %t, %n, %n) {src_map = affine_map<(d0) -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, index, memref<?xf32, 1>, f32,memref<1xi32>, index, index) -> ()
  return
}
""",
        "'affine.dma_start' op dst index to dma_start must have 'index' type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.dma_start"(%m, %n, %m, %n, %t, %c, %n) {src_map = affine_map<(d0) -> (0)>, dst_map=affine_map<(d0)->(d0)>, tag_map=affine_map<(d0)->(d0)>} : (memref<?xf32, 1>, index, memref<?xf32, 1>, index,memref<1xi32>, f32, index) -> ()
  return
}
""",
        "'affine.dma_start' op tag index to dma_start must have 'index' type",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"(%n, %n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index):
    affine.yield
   }) : (index, index) -> ()
  return
}
""",
        "'affine.for' op different number of inits and region iter_args: 1 != 0",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: i32):
    affine.yield
   }) : (index) -> ()
  return
}
""",
        "'affine.for' op expected body to have a single index argument for the induction variable",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"(%n, %n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index):
    affine.yield %n : index
   }) : (index, index) -> (index)
  return
}
""",
        "'affine.for' op different number of inits and region iter_args: 1 != 0",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"(%n, %n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index, %1:i1):
    affine.yield %n : index
   }) : (index, index) -> (index)
  return
}
""",
        "'affine.for' op 0-th init and 0-th region iter_arg have different type: 'index' != 'i1'",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index, %1:index):
    affine.yield %n : index
   }) : (index) -> (index)
  return
}
""",
        "'affine.for' op different number of inits and region iter_args: 0 != 1",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> ()>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<(d0) -> (d0)>}> ({
    ^bb0(%arg19: index):
    affine.yield
   }) : (index) -> ()
  return
}
""",
        "'affine.for' op expected lower bound map to have at least one result",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 2 : index, upperBoundMap = affine_map<() -> (0)>}> ({
   }) : () -> ()
  return
}
""",
        "'affine.for' op region #0 ('region') failed to verify constraint: region with 1 blocks",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.if"(%n, %n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({affine.yield}, {}) : (index, index) -> ()
  return
}
""",
        "'affine.if' op operand count and condition integer set dimension and symbol count must match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.if"(%n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
  ^bb0(%x: index):
  affine.yield}, {}) : (index) -> ()
  return
}
""",
        "'affine.if' op region #0 should have no arguments",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"() : () -> ()
    }) : (index) -> ()
  return
}
""",
        "'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"() : () -> ()
    }) : (index) -> ()
  return
}
""",
        "'affine.parallel' op expected lower bounds map to have 2 results",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [22], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"() : () -> ()
    }) : (index) -> ()
  return
}
""",
        "'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops",
    ),
    (
        """\
func.func @a(%n: index, %m: memref<?xf32, 1>, %c: f32, %t: memref<1xi32>) {
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<(d0)->(d0)>, reductions = [22], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (0)>}> ({
    ^bb0(%arg12: index):
      "affine.yield"(%c) : (f32) -> ()
    }) : (index) -> (f32)
  return
}
""",
        "'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops",
    ),
]


@pytest.mark.parametrize(("program", "message"), REJECTED)
def test_first_error(first_error: Callable[[str], str], program: str, message: str):
    assert first_error(program) == message
