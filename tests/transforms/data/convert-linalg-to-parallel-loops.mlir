#even = affine_map<(d0, d1) -> (d0 * 2 + d1)>
func.func @window(%a: memref<?xf32>, %k: memref<?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [#even, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]} ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%o : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
// =>
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @window(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg2, %c0 : memref<?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim_0) step (%c1) {
      scf.for %arg4 = %c0 to %dim step %c1 {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = memref.load %arg0[%0] : memref<?xf32>
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        %3 = memref.load %arg2[%arg3] : memref<?xf32>
        %4 = arith.mulf %1, %2 : f32
        %5 = arith.addf %3, %4 : f32
        memref.store %5, %arg2[%arg3] : memref<?xf32>
      }
      scf.reduce 
    }
    return
  }
}
// -----
/// An element that is not needed is not loaded; the counters take the place of indices.
func.func @index(%f: f32, %m: memref<4x?xindex>, %s: memref<f32>) {
  linalg.fill ins(%f : f32) outs(%s : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<4x?xindex>) {
  ^bb0(%z: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi slt, %i, %j : index
    %k = scf.if %c -> index {
      scf.yield %i : index
    } else {
      %t = arith.addi %j, %i : index
      scf.yield %t : index
    }
    linalg.yield %k : index
  }
  return
}
// =>
module {
  func.func @index(%arg0: f32, %arg1: memref<4x?xindex>, %arg2: memref<f32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    memref.store %arg0, %arg2[] : memref<f32>
    %dim = memref.dim %arg1, %c1 : memref<4x?xindex>
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%dim, %c4) step (%c1, %c1) {
      %0 = arith.cmpi slt, %arg3, %arg4 : index
      %1 = scf.if %0 -> (index) {
        scf.yield %arg3 : index
      } else {
        %2 = arith.addi %arg4, %arg3 : index
        scf.yield %2 : index
      }
      memref.store %1, %arg1[%arg4, %arg3] : memref<4x?xindex>
      scf.reduce 
    }
    return
  }
}
// -----
func.func @named(%a: memref<2x4x8xf32>, %b: memref<2x8x3xf32>, %c: memref<2x4x3xf32>, %t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  linalg.batch_matmul ins(%a, %b : memref<2x4x8xf32>, memref<2x8x3xf32>) outs(%c : memref<2x4x3xf32>)
  %r = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
module {
  func.func @named(%arg0: memref<2x4x8xf32>, %arg1: memref<2x8x3xf32>, %arg2: memref<2x4x3xf32>, %arg3: tensor<4xf32>, %arg4: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%arg5, %arg6, %arg7) = (%c0, %c0, %c0) to (%c2, %c4, %c3) step (%c1, %c1, %c1) {
      scf.for %arg8 = %c0 to %c8 step %c1 {
        %1 = memref.load %arg0[%arg5, %arg6, %arg8] : memref<2x4x8xf32>
        %2 = memref.load %arg1[%arg5, %arg8, %arg7] : memref<2x8x3xf32>
        %3 = memref.load %arg2[%arg5, %arg6, %arg7] : memref<2x4x3xf32>
        %4 = arith.mulf %1, %2 : f32
        %5 = arith.addf %3, %4 : f32
        memref.store %5, %arg2[%arg5, %arg6, %arg7] : memref<2x4x3xf32>
      }
      scf.reduce 
    }
    %0 = linalg.fill ins(%arg4 : f32) outs(%arg3 : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
