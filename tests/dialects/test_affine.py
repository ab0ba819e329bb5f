"""The affine dialect.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

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


def test_first_error(first_error: Callable[[str], str], rejected_program: str, message: str):
    assert first_error(rejected_program) == message
