"""The vector dialect.

The expected texts and messages are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable

TRANSFERS = """\
#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d0)>
#map2 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @f(%arg0: memref<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index, %arg3: f32, %arg4: vector<4xf32>, %arg5: vector<4x8xf32>, %arg6: vector<4xi1>, %arg7: vector<4x8xi1>, %arg8: memref<?x?xvector<4x3xf32>>, %arg9: vector<4xi32>, %arg10: vector<f32>, %arg11: vector<[4]xf32>) {
    %0 = vector.transfer_read %arg0[%arg2, %arg2], %arg3 : memref<?x?xf32>, vector<4xf32>
    %1 = vector.transfer_read %arg0[%arg2, %arg2], %arg3 {permutation_map = #map} : memref<?x?xf32>, vector<4xf32>
    %2 = vector.transfer_read %arg0[%arg2, %arg2], %arg3, %arg6 {foo = 1 : i64, in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
    %3 = vector.transfer_read %arg1[%arg2, %arg2], %arg3 {in_bounds = [true, false], permutation_map = #map1} : tensor<?x?xf32>, vector<4x8xf32>
    vector.transfer_write %arg4, %arg0[%arg2, %arg2] : vector<4xf32>, memref<?x?xf32>
    vector.transfer_write %arg4, %arg0[%arg2, %arg2], %arg6 {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
    %4 = vector.transfer_write %arg5, %arg1[%arg2, %arg2] {permutation_map = #map2} : vector<4x8xf32>, tensor<?x?xf32>
    return
  }
}
"""

PROGRAM = """\
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @g(%arg0: memref<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index, %arg3: f32, %arg4: vector<4xf32>, %arg5: vector<4x8xf32>, %arg6: vector<4xi1>, %arg7: vector<4x8xi1>, %arg8: vector<4xi32>, %arg9: vector<f32>, %arg10: vector<[4]xf32>, %arg11: vector<4x5xf32>, %arg12: vector<5x8xf32>, %arg13: memref<?xf32>) {
    %0 = vector.mask %arg6 { vector.transfer_read %arg0[%arg2, %arg2], %arg3 : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    %1 = vector.mask %arg6, %arg4 { vector.transfer_read %arg0[%arg2, %arg2], %arg3 : memref<?x?xf32>, vector<4xf32> } {foo = 1 : i64} : vector<4xi1> -> vector<4xf32>
    vector.mask %arg6 { vector.transfer_write %arg4, %arg0[%arg2, %arg2] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
    vector.mask %arg6 { vector.yield } : vector<4xi1>
    %2 = vector.mask %arg6 { vector.yield %arg4 : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    %3 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg11, %arg12, %arg5 : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>
    %4 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %arg11, %arg12, %arg5 {foo = 1 : i64} : vector<4x5xf32>, vector<5x8xf32> into vector<4x8xf32>
    %5 = vector.outerproduct %arg4, %arg4 : vector<4xf32>, vector<4xf32>
    %6 = vector.outerproduct %arg4, %arg3 : vector<4xf32>, f32
    %7 = vector.broadcast %arg3 : f32 to vector<4x4xf32>
    %8 = vector.outerproduct %arg4, %arg4, %7 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %9 = vector.outerproduct %arg4, %arg4, %7 {kind = #vector.kind<mul>, x} : vector<4xf32>, vector<4xf32>
    %10 = vector.reduction <add>, %arg4 : vector<4xf32> into f32
    %11 = vector.reduction <add>, %arg4, %arg3 fastmath<fast> : vector<4xf32> into f32
    %12 = vector.multi_reduction <mul>, %arg5, %arg4 [1] : vector<4x8xf32> to vector<4xf32>
    %13 = vector.multi_reduction <mul>, %arg5, %arg3 {a} [0, 1] : vector<4x8xf32> to f32
    %14 = vector.extract %arg5[1] : vector<8xf32> from vector<4x8xf32>
    %15 = vector.extract %arg5[%arg2, 3] {a} : f32 from vector<4x8xf32>
    %16 = vector.extract %arg9[] : f32 from vector<f32>
    %17 = vector.insert %arg3, %arg5 [1, %arg2] : f32 into vector<4x8xf32>
    %18 = vector.extract_strided_slice %arg5 {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
    %19 = vector.insert_strided_slice %arg4, %arg5 {offsets = [0, 0], strides = [1]} : vector<4xf32> into vector<4x8xf32>
    %20 = vector.fma %arg4, %arg4, %arg4 : vector<4xf32>
    %21 = vector.from_elements %arg3, %arg3 : vector<2xf32>
    %22:4 = vector.to_elements %arg4 : vector<4xf32>
    %23 = vector.shuffle %arg4, %arg4 [0, 1, 4] : vector<4xf32>, vector<4xf32>
    %24 = vector.interleave %arg4, %arg4 : vector<4xf32> -> vector<8xf32>
    %res1, %res2 = vector.deinterleave %arg4 : vector<4xf32> -> vector<2xf32>
    %25 = vector.load %arg0[%arg2, %arg2] : memref<?x?xf32>, vector<4xf32>
    %26 = vector.load %arg0[%arg2, %arg2] {alignment = 8 : i64, nontemporal = true} : memref<?x?xf32>, vector<4xf32>
    vector.store %arg4, %arg0[%arg2, %arg2] : memref<?x?xf32>, vector<4xf32>
    %27 = vector.maskedload %arg0[%arg2, %arg2], %arg6, %arg4 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %arg0[%arg2, %arg2], %arg6, %arg4 : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
    vector.compressstore %arg0[%arg2, %arg2], %arg6, %arg4 : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
    %28 = vector.expandload %arg0[%arg2, %arg2], %arg6, %arg4 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %29 = vector.gather %arg0[%arg2, %arg2] [%arg8], %arg6, %arg4 : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.scatter %arg0[%arg2, %arg2] [%arg8], %arg6, %arg4 {alignment = 8 : i64} : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %30 = vector.scatter %arg1[%arg2, %arg2] [%arg8], %arg6, %arg4 : tensor<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<?x?xf32>
    %dest, %accumulated_value = vector.scan <add>, %arg5, %arg4 {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
    %31 = vector.step : vector<4xindex>
    %32 = vector.scalable.extract %arg10[0] : vector<4xf32> from vector<[4]xf32>
    %33 = vector.scalable.insert %arg4, %arg10[4] : vector<4xf32> into vector<[4]xf32>
    %34 = vector.shape_cast %arg5 : vector<4x8xf32> to vector<32xf32>
    %35 = vector.bitcast %arg4 : vector<4xf32> to vector<8xf16>
    %36 = vector.transpose %arg5, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %37 = vector.constant_mask [4, 2] : vector<4x8xi1>
    %38 = vector.create_mask %arg2, %arg2 : vector<4x8xi1>
    %vscale = vector.vscale
    %vscale_0 = vector.vscale {a}
    vector.print %arg4 : vector<4xf32>
    vector.print %arg4 : vector<4xf32> punctuation <comma>
    vector.print
    vector.print str "hello\\0A"
    vector.print %arg4 : vector<4xf32> punctuation <no_punctuation> {a}
    %alloc = memref.alloc() : memref<3x4xf32>
    %39 = vector.type_cast %alloc : memref<3x4xf32> to memref<vector<3x4xf32>>
    return
  }
}
"""


def test_prints_as_written(round_trip: Callable[[str], str]):
    assert round_trip(PROGRAM) == PROGRAM


def test_transfers_print_as_written(round_trip: Callable[[str], str]):
    assert round_trip(TRANSFERS) == TRANSFERS


def test_first_error(first_error: Callable[[str], str], rejected_program: str, message: str):
    assert first_error(rejected_program) == message
