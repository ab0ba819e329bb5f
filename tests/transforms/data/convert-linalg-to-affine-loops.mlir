memref.global "private" constant @k : memref<f32> = dense<2.0>
func.func @f(%a: memref<4x?xf32>, %c: memref<4x?xf32>) {
  %k = memref.get_global @k : memref<f32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} ins(%a, %k : memref<4x?xf32>, memref<f32>) outs(%c : memref<4x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.mulf %x, %y : f32  linalg.yield %s : f32 }
  return
}
// =>
module {
  memref.global "private" constant @k : memref<f32> = dense<2.000000e+00>
  func.func @f(%arg0: memref<4x?xf32>, %arg1: memref<4x?xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<4x?xf32>
    affine.for %arg2 = 0 to 4 {
      affine.for %arg3 = 0 to %dim {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<4x?xf32>
        %1 = arith.mulf %0, %cst : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<4x?xf32>
      }
    }
    return
  }
}

