/// Sizes of a pad in a loop: what is neither a valid symbol nor a valid dimension stays what the expression says.
func.func @pad(%t: tensor<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
    %j = arith.addi %i, %n : index
    %p = tensor.pad %t low[%i] high[%j] {
    ^bb0(%k: index):
      tensor.yield %v : f32
    } : tensor<?xf32> to tensor<?xf32>
    %x = tensor.extract %p[%i] : tensor<?xf32>
    scf.yield %x : f32
  }
  return %r : f32
}
// =>
#map = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map1 = affine_map<(d0, d1)[s0] -> (d0 + d1 + s0)>
module {
  func.func @pad(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg2) -> (f32) {
      %1 = arith.addi %arg3, %arg1 : index
      %c0_0 = arith.constant 0 : index
      %dim = memref.dim %arg0, %c0_0 : memref<?xf32, strided<[?], offset: ?>>
      %2 = affine.apply #map()[%dim, %arg3, %1]
      %c0_1 = arith.constant 0 : index
      %dim_2 = memref.dim %arg0, %c0_1 : memref<?xf32, strided<[?], offset: ?>>
      %3 = affine.apply #map1(%arg3, %1)[%dim_2]
      %alloc = memref.alloc(%3) {alignment = 64 : i64} : memref<?xf32>
      linalg.map outs(%alloc : memref<?xf32>)
        (%init: f32) {
          %5 = linalg.index 0 : index
          linalg.yield %arg2 : f32
        }
      %c0_3 = arith.constant 0 : index
      %dim_4 = memref.dim %arg0, %c0_3 : memref<?xf32, strided<[?], offset: ?>>
      %subview = memref.subview %alloc[%arg3] [%dim_4] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %arg0, %subview : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %4 = memref.load %alloc[%arg3] : memref<?xf32>
      scf.yield %4 : f32
    }
    return %0 : f32
  }
}
// -----
/// Offsets in a concatenation are symbols, its size is a sum of dimensions.
func.func @cat(%t: tensor<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
    %j = arith.addi %i, %n : index
    %s = tensor.extract_slice %t[%i] [%j] [1] : tensor<?xf32> to tensor<?xf32>
    %u = tensor.extract_slice %t[%j] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %p = tensor.concat dim(0) %s, %u, %t, %s : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %x = tensor.extract %p[%i] : tensor<?xf32>
    scf.yield %x : f32
  }
  return %r : f32
}
// =>
#map = affine_map<(d0, d1, d2)[s0] -> (d0 + d1 + d2 + s0)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
#map2 = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map3 = affine_map<()[s0, s1, s2] -> (s0 * 2 + s1 + s2)>
module {
  func.func @cat(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg2) -> (f32) {
      %1 = arith.addi %arg3, %arg1 : index
      %subview = memref.subview %arg0[%arg3] [%1] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
      %subview_0 = memref.subview %arg0[%1] [%arg3] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
      %c0_1 = arith.constant 0 : index
      %dim = memref.dim %subview, %c0_1 : memref<?xf32, strided<[?], offset: ?>>
      %c0_2 = arith.constant 0 : index
      %dim_3 = memref.dim %subview_0, %c0_2 : memref<?xf32, strided<[?], offset: ?>>
      %c0_4 = arith.constant 0 : index
      %dim_5 = memref.dim %arg0, %c0_4 : memref<?xf32, strided<[?], offset: ?>>
      %c0_6 = arith.constant 0 : index
      %dim_7 = memref.dim %subview, %c0_6 : memref<?xf32, strided<[?], offset: ?>>
      %2 = affine.apply #map(%dim, %dim_3, %dim_7)[%dim_5]
      %alloc = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
      %c0_8 = arith.constant 0 : index
      %dim_9 = memref.dim %alloc, %c0_8 : memref<?xf32>
      %c0_10 = arith.constant 0 : index
      %subview_11 = memref.subview %alloc[0] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.copy %subview, %subview_11 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1]>>
      %c0_12 = arith.constant 0 : index
      %subview_13 = memref.subview %alloc[%1] [%arg3] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %subview_0, %subview_13 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %3 = affine.apply #map1()[%1, %arg3]
      %c0_14 = arith.constant 0 : index
      %dim_15 = memref.dim %arg0, %c0_14 : memref<?xf32, strided<[?], offset: ?>>
      %subview_16 = memref.subview %alloc[%3] [%dim_15] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %arg0, %subview_16 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %4 = affine.apply #map2()[%dim_15, %1, %arg3]
      %c0_17 = arith.constant 0 : index
      %subview_18 = memref.subview %alloc[%4] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %subview, %subview_18 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %5 = affine.apply #map3()[%1, %dim_15, %arg3]
      %6 = memref.load %alloc[%arg3] : memref<?xf32>
      scf.yield %6 : f32
    }
    return %0 : f32
  }
}
// -----
/// Sizes of tensors made in the loop, and of what it carries.
func.func @cat2(%t: tensor<?xf32>, %n: index, %v: f32, %init : tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v, %b = %init) -> (f32, tensor<?xf32>) {
    %g = tensor.generate %i { ^bb0(%k: index):
      tensor.yield %v : f32 } : tensor<?xf32>
    %e = bufferization.alloc_tensor(%i) : tensor<?xf32>
    %w = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %p = tensor.concat dim(0) %g, %w, %b, %t, %g : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %x = tensor.extract %p[%i] : tensor<?xf32>
    scf.yield %x, %g : f32, tensor<?xf32>
  }
  return %r#0 : f32
}
// =>
#map = affine_map<(d0, d1, d2, d3)[s0] -> (d0 + d1 + d2 + d3 + s0)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
#map2 = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map3 = affine_map<()[s0, s1, s2, s3] -> (s0 + s1 + s2 + s3)>
#map4 = affine_map<()[s0, s1, s2, s3, s4] -> (s0 + s1 + s2 + s3 + s4)>
module {
  func.func @cat2(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: f32, %arg3: memref<?xf32, strided<[?], offset: ?>>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.for %arg4 = %c0 to %arg1 step %c1 iter_args(%arg5 = %arg2, %arg6 = %arg3) -> (f32, memref<?xf32, strided<[?], offset: ?>>) {
      %alloc = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xf32>
      linalg.map outs(%alloc : memref<?xf32>)
        (%init: f32) {
          %7 = linalg.index 0 : index
          linalg.yield %arg2 : f32
        }
      %alloc_0 = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xf32>
      linalg.fill ins(%arg2 : f32) outs(%alloc_0 : memref<?xf32>)
      %c0_1 = arith.constant 0 : index
      %dim = memref.dim %alloc, %c0_1 : memref<?xf32>
      %c0_2 = arith.constant 0 : index
      %dim_3 = memref.dim %alloc_0, %c0_2 : memref<?xf32>
      %c0_4 = arith.constant 0 : index
      %dim_5 = memref.dim %arg6, %c0_4 : memref<?xf32, strided<[?], offset: ?>>
      %c0_6 = arith.constant 0 : index
      %dim_7 = memref.dim %arg0, %c0_6 : memref<?xf32, strided<[?], offset: ?>>
      %c0_8 = arith.constant 0 : index
      %dim_9 = memref.dim %alloc, %c0_8 : memref<?xf32>
      %1 = affine.apply #map(%dim, %dim_3, %dim_5, %dim_9)[%dim_7]
      %alloc_10 = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
      %c0_11 = arith.constant 0 : index
      %dim_12 = memref.dim %alloc_10, %c0_11 : memref<?xf32>
      %c0_13 = arith.constant 0 : index
      %dim_14 = memref.dim %alloc, %c0_13 : memref<?xf32>
      %subview = memref.subview %alloc_10[0] [%dim_14] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.copy %alloc, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>
      %c0_15 = arith.constant 0 : index
      %subview_16 = memref.subview %alloc_10[%dim_14] [%arg4] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %alloc_0, %subview_16 : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %2 = affine.apply #map1()[%dim_14, %arg4]
      %c0_17 = arith.constant 0 : index
      %dim_18 = memref.dim %arg6, %c0_17 : memref<?xf32, strided<[?], offset: ?>>
      %subview_19 = memref.subview %alloc_10[%2] [%dim_18] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %arg6, %subview_19 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %3 = affine.apply #map2()[%dim_18, %dim_14, %arg4]
      %c0_20 = arith.constant 0 : index
      %dim_21 = memref.dim %arg0, %c0_20 : memref<?xf32, strided<[?], offset: ?>>
      %subview_22 = memref.subview %alloc_10[%3] [%dim_21] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %arg0, %subview_22 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %4 = affine.apply #map3()[%dim_21, %dim_18, %dim_14, %arg4]
      %c0_23 = arith.constant 0 : index
      %dim_24 = memref.dim %alloc, %c0_23 : memref<?xf32>
      %subview_25 = memref.subview %alloc_10[%4] [%dim_24] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %alloc, %subview_25 : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %5 = affine.apply #map4()[%dim_24, %dim_21, %dim_18, %dim_14, %arg4]
      %6 = memref.load %alloc_10[%arg4] : memref<?xf32>
      %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
      scf.yield %6, %cast : f32, memref<?xf32, strided<[?], offset: ?>>
    }
    return %0#0 : f32
  }
}
// -----
/// In a block of a function, everything is a symbol.
func.func @cf(%t: tensor<?xf32>, %n: index, %v: f32, %init : tensor<?xf32>) -> f32 {
  cf.br ^bb1(%init : tensor<?xf32>)
^bb1(%b: tensor<?xf32>):
    %p = tensor.concat dim(0) %b, %t, %b : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %x = tensor.extract %p[%n] : tensor<?xf32>
  return %x : f32
}
// =>
#map = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
module {
  func.func @cf(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: f32, %arg3: memref<?xf32, strided<[?], offset: ?>>) -> f32 {
    cf.br ^bb1(%arg3 : memref<?xf32, strided<[?], offset: ?>>)
  ^bb1(%0: memref<?xf32, strided<[?], offset: ?>>):  // pred: ^bb0
    %c0 = arith.constant 0 : index
    %dim = memref.dim %0, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %c0_0 = arith.constant 0 : index
    %dim_1 = memref.dim %arg0, %c0_0 : memref<?xf32, strided<[?], offset: ?>>
    %c0_2 = arith.constant 0 : index
    %dim_3 = memref.dim %0, %c0_2 : memref<?xf32, strided<[?], offset: ?>>
    %1 = affine.apply #map()[%dim, %dim_1, %dim_3]
    %alloc = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
    %c0_4 = arith.constant 0 : index
    %dim_5 = memref.dim %alloc, %c0_4 : memref<?xf32>
    %c0_6 = arith.constant 0 : index
    %dim_7 = memref.dim %0, %c0_6 : memref<?xf32, strided<[?], offset: ?>>
    %subview = memref.subview %alloc[0] [%dim_7] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    memref.copy %0, %subview : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1]>>
    %c0_8 = arith.constant 0 : index
    %dim_9 = memref.dim %arg0, %c0_8 : memref<?xf32, strided<[?], offset: ?>>
    %subview_10 = memref.subview %alloc[%dim_7] [%dim_9] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %arg0, %subview_10 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %2 = affine.apply #map1()[%dim_7, %dim_9]
    %c0_11 = arith.constant 0 : index
    %dim_12 = memref.dim %0, %c0_11 : memref<?xf32, strided<[?], offset: ?>>
    %subview_13 = memref.subview %alloc[%2] [%dim_12] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %0, %subview_13 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %3 = affine.apply #map()[%dim_12, %dim_7, %dim_9]
    %4 = memref.load %alloc[%arg1] : memref<?xf32>
    return %4 : f32
  }
}
