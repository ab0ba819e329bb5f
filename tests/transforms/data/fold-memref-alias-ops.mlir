func.func @subview(%m: memref<16x?x8xf32, strided<[?, 8, 1]>>, %i: index, %j: index, %s: index, %f: f32) -> f32 {
  %v = memref.subview %m[%i, %j, 3] [4, %s, 1] [2, %s, 1] : memref<16x?x8xf32, strided<[?, 8, 1]>> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  %x = memref.load %v[%i, %j] : memref<4x?xf32, strided<[?, ?], offset: ?>>
  memref.store %f, %v[%j, %i] : memref<4x?xf32, strided<[?, ?], offset: ?>>
  return %x : f32
}
// =>
#map = affine_map<()[s0] -> (s0 * 3)>
#map1 = affine_map<()[s0, s1] -> (s0 + s0 * s1)>
#map2 = affine_map<()[s0, s1] -> (s0 + s1 * 2)>
#map3 = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>
module {
  func.func @subview(%arg0: memref<16x?x8xf32, strided<[?, 8, 1]>>, %arg1: index, %arg2: index, %arg3: index, %arg4: f32) -> f32 {
    %c3 = arith.constant 3 : index
    %0 = affine.apply #map()[%arg1]
    %1 = affine.apply #map1()[%arg2, %arg3]
    %2 = memref.load %arg0[%0, %1, %c3] : memref<16x?x8xf32, strided<[?, 8, 1]>>
    %3 = affine.apply #map2()[%arg1, %arg2]
    %4 = affine.apply #map3()[%arg2, %arg1, %arg3]
    memref.store %arg4, %arg0[%3, %4, %c3] : memref<16x?x8xf32, strided<[?, 8, 1]>>
    return %2 : f32
  }
}
// -----
/// A chain of views disappears; counters of loops stay symbols.
func.func @chain(%m: memref<64x64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.subview %m[%i, 0] [8, 64] [1, 1] : memref<64x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
    %w = memref.subview %v[1, %i] [4, 4] [2, 1] : memref<8x64xf32, strided<[64, 1], offset: ?>> to memref<4x4xf32, strided<[128, 1], offset: ?>>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %f, %w[%j, %c1] : memref<4x4xf32, strided<[128, 1], offset: ?>>
    }
    linalg.fill ins(%f : f32) outs(%w : memref<4x4xf32, strided<[128, 1], offset: ?>>)
  }
  return
}
// =>
#map = affine_map<()[s0, s1] -> (s0 + s1 * 2 + 1)>
#map1 = affine_map<()[s0] -> (s0 + 1)>
module {
  func.func @chain(%arg0: memref<64x64xf32>, %arg1: index, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      %subview = memref.subview %arg0[%arg3, 0] [8, 64] [1, 1] : memref<64x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
      %subview_0 = memref.subview %subview[1, %arg3] [4, 4] [2, 1] : memref<8x64xf32, strided<[64, 1], offset: ?>> to memref<4x4xf32, strided<[128, 1], offset: ?>>
      scf.for %arg4 = %c0 to %arg1 step %c1 {
        %0 = affine.apply #map()[%arg3, %arg4]
        %1 = affine.apply #map1()[%arg3]
        memref.store %arg2, %arg0[%0, %1] : memref<64x64xf32>
      }
      linalg.fill ins(%arg2 : f32) outs(%subview_0 : memref<4x4xf32, strided<[128, 1], offset: ?>>)
    }
    return
  }
}
// -----
/// A chain of views disappears; counters of loops stay symbols.
func.func @chain_of_neighbours(%m: memref<64x64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.subview %m[%i, 0] [8, 64] [1, 1] : memref<64x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
    %w = memref.subview %v[1, %i] [4, 4] [1, 1] : memref<8x64xf32, strided<[64, 1], offset: ?>> to memref<4x4xf32, strided<[64, 1], offset: ?>>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %f, %w[%j, %c1] : memref<4x4xf32, strided<[64, 1], offset: ?>>
    }
    linalg.fill ins(%f : f32) outs(%w : memref<4x4xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
// =>
#map = affine_map<()[s0] -> (s0 + 1)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1 + 1)>
module {
  func.func @chain_of_neighbours(%arg0: memref<64x64xf32>, %arg1: index, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      %0 = affine.apply #map()[%arg3]
      %subview = memref.subview %arg0[%0, %arg3] [4, 4] [1, 1] : memref<64x64xf32> to memref<4x4xf32, strided<[64, 1], offset: ?>>
      scf.for %arg4 = %c0 to %arg1 step %c1 {
        %1 = affine.apply #map1()[%arg3, %arg4]
        %2 = affine.apply #map()[%arg3]
        memref.store %arg2, %arg0[%1, %2] : memref<64x64xf32>
      }
      linalg.fill ins(%arg2 : f32) outs(%subview : memref<4x4xf32, strided<[64, 1], offset: ?>>)
    }
    return
  }
}
// -----
func.func @reshapes(%a: memref<32x?xf32>, %b: memref<4x8x?xf32>, %i: index, %j: index, %k: index, %n: index, %v: vector<1xf32>) -> (f32, f32, vector<1xf32>) {
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [4, 8, %n] : memref<32x?xf32> into memref<4x8x?xf32>
  %0 = memref.load %e[%i, %j, %k] : memref<4x8x?xf32>
  %c = memref.collapse_shape %b [[0], [1, 2]] : memref<4x8x?xf32> into memref<4x?xf32>
  %1 = memref.load %c[%i, %j] : memref<4x?xf32>
  %2 = vector.load %e[%i, %j, %k] : memref<4x8x?xf32>, vector<1xf32>
  vector.store %v, %c[%i, %j] : memref<4x?xf32>, vector<1xf32>
  return %0, %1, %2 : f32, f32, vector<1xf32>
}
// =>
module {
  func.func @reshapes(%arg0: memref<32x?xf32>, %arg1: memref<4x8x?xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: vector<1xf32>) -> (f32, f32, vector<1xf32>) {
    %0 = affine.linearize_index disjoint [%arg2, %arg3] by (4, 8) : index
    %1 = memref.load %arg0[%0, %arg4] : memref<32x?xf32>
    %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg1 : memref<4x8x?xf32> -> memref<f32>, index, index, index, index, index, index, index
    %2:2 = affine.delinearize_index %arg3 into (8, %sizes#2) : index, index
    %3 = memref.load %arg1[%arg2, %2#0, %2#1] : memref<4x8x?xf32>
    %4 = affine.linearize_index [%arg2, %arg3] by (4, 8) : index
    %5 = vector.load %arg0[%4, %arg4] : memref<32x?xf32>, vector<1xf32>
    %base_buffer_0, %offset_1, %sizes_2:3, %strides_3:3 = memref.extract_strided_metadata %arg1 : memref<4x8x?xf32> -> memref<f32>, index, index, index, index, index, index, index
    %6:2 = affine.delinearize_index %arg3 into (8, %sizes_2#2) : index, index
    vector.store %arg6, %arg1[%arg2, %6#0, %6#1] : memref<4x8x?xf32>, vector<1xf32>
    return %1, %3, %5 : f32, f32, vector<1xf32>
  }
}
// -----
func.func @transfers(%m: memref<8x16x32xf32>, %i: index, %f: f32, %mask: vector<4xi1>, %z: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %v = memref.subview %m[%i, 2, 0] [1, 8, 16] [1, 1, 1] : memref<8x16x32xf32> to memref<8x16xf32, strided<[32, 1], offset: ?>>
  %0 = vector.transfer_read %v[%i, %i], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x16xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
  vector.transfer_write %0, %v[%i, %i], %mask {in_bounds = [true]} : vector<4xf32>, memref<8x16xf32, strided<[32, 1], offset: ?>>
  %1 = vector.maskedload %v[%i, %i], %mask, %z : memref<8x16xf32, strided<[32, 1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.transfer_read %v[%i, %i], %f : memref<8x16xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
  return %1, %2 : vector<4xf32>, vector<4xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 2)>
#map1 = affine_map<(d0, d1, d2) -> (d1)>
module {
  func.func @transfers(%arg0: memref<8x16x32xf32>, %arg1: index, %arg2: f32, %arg3: vector<4xi1>, %arg4: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
    %subview = memref.subview %arg0[%arg1, 2, 0] [1, 8, 16] [1, 1, 1] : memref<8x16x32xf32> to memref<8x16xf32, strided<[32, 1], offset: ?>>
    %0 = affine.apply #map()[%arg1]
    %1 = vector.transfer_read %arg0[%arg1, %0, %arg1], %arg2 {in_bounds = [true], permutation_map = #map1} : memref<8x16x32xf32>, vector<4xf32>
    %2 = affine.apply #map()[%arg1]
    vector.transfer_write %1, %arg0[%arg1, %2, %arg1], %arg3 {in_bounds = [true]} : vector<4xf32>, memref<8x16x32xf32>
    %3 = affine.apply #map()[%arg1]
    %4 = vector.maskedload %arg0[%arg1, %3, %arg1], %arg3, %arg4 : memref<8x16x32xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %5 = vector.transfer_read %subview[%arg1, %arg1], %arg2 : memref<8x16xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
    return %4, %5 : vector<4xf32>, vector<4xf32>
  }
}
// -----
func.func @affine(%m: memref<16x16xf32>, %e: memref<32xf32>, %i: index) {
  %v = memref.subview %m[1, %i] [8, 8] [2, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
  %x = memref.expand_shape %e [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  affine.for %j = 0 to 4 {
    %0 = affine.load %v[%j + 1, 2] : memref<8x8xf32, strided<[32, 1], offset: ?>>
    affine.store %0, %x[%j, 0] : memref<4x8xf32>
  }
  return
}
// =>
module {
  func.func @affine(%arg0: memref<16x16xf32>, %arg1: memref<32xf32>, %arg2: index) {
    %subview = memref.subview %arg0[1, %arg2] [8, 8] [2, 1] : memref<16x16xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
    %expand_shape = memref.expand_shape %arg1 [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
    affine.for %arg3 = 0 to 4 {
      %0 = affine.load %subview[%arg3 + 1, 2] : memref<8x8xf32, strided<[32, 1], offset: ?>>
      affine.store %0, %expand_shape[%arg3, 0] : memref<4x8xf32>
    }
    return
  }
}
// -----
/// Vectors along innermost dimensions of expanded memory; other maps and writes stay.
func.func @f(%m: memref<64x64xf32>, %i: index, %j: index, %p: f32, %k: vector<4xi1>, %n: memref<?x64xf32>, %s: index) -> (vector<4xf32>, vector<4xf32>, vector<4x4xf32>, vector<8xf32>, vector<f32>, vector<4xf32>) {
  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [64, 8, 8] : memref<64x64xf32> into memref<64x8x8xf32>
  %0 = vector.transfer_read %e[%i, %j, %i], %p {in_bounds = [true]} : memref<64x8x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %e[%i, %j, %i], %p, %k {in_bounds = [true]} : memref<64x8x8xf32>, vector<4xf32>
  vector.transfer_write %0, %e[%i, %j, %j] {in_bounds = [true]} : vector<4xf32>, memref<64x8x8xf32>
  %g = memref.expand_shape %m [[0, 1], [2]] output_shape [8, 8, 64] : memref<64x64xf32> into memref<8x8x64xf32>
  %2 = vector.transfer_read %g[%i, %j, %i], %p {in_bounds = [true, false]} : memref<8x8x64xf32>, vector<4x4xf32>
  %3 = vector.transfer_read %g[%i, %j, %i], %p {in_bounds = [true], permutation_map = affine_map<(d0, d1, d2) -> (d1)>} : memref<8x8x64xf32>, vector<8xf32>
  %4 = vector.transfer_read %g[%i, %j, %i], %p : memref<8x8x64xf32>, vector<f32>
  %h = memref.expand_shape %n [[0, 1], [2]] output_shape [%s, 2, 64] : memref<?x64xf32> into memref<?x2x64xf32>
  %5 = vector.transfer_read %h[%i, %j, %i], %p : memref<?x2x64xf32>, vector<4xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
  %6 = vector.transfer_read %c[%i], %p {in_bounds = [true]} : memref<4096xf32>, vector<4xf32>
  vector.transfer_write %6, %c[%j] {in_bounds = [true]} : vector<4xf32>, memref<4096xf32>
  return %0, %1, %2, %3, %4, %5 : vector<4xf32>, vector<4xf32>, vector<4x4xf32>, vector<8xf32>, vector<f32>, vector<4xf32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d1)>
module {
  func.func @f(%arg0: memref<64x64xf32>, %arg1: index, %arg2: index, %arg3: f32, %arg4: vector<4xi1>, %arg5: memref<?x64xf32>, %arg6: index) -> (vector<4xf32>, vector<4xf32>, vector<4x4xf32>, vector<8xf32>, vector<f32>, vector<4xf32>) {
    %expand_shape = memref.expand_shape %arg0 [[0], [1, 2]] output_shape [64, 8, 8] : memref<64x64xf32> into memref<64x8x8xf32>
    %0 = affine.linearize_index [%arg2, %arg1] by (8, 8) : index
    %1 = vector.transfer_read %arg0[%arg1, %0], %arg3 {in_bounds = [true]} : memref<64x64xf32>, vector<4xf32>
    %2 = affine.linearize_index [%arg2, %arg1] by (8, 8) : index
    %3 = vector.transfer_read %arg0[%arg1, %2], %arg3, %arg4 {in_bounds = [true]} : memref<64x64xf32>, vector<4xf32>
    vector.transfer_write %1, %expand_shape[%arg1, %arg2, %arg2] {in_bounds = [true]} : vector<4xf32>, memref<64x8x8xf32>
    %expand_shape_0 = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [8, 8, 64] : memref<64x64xf32> into memref<8x8x64xf32>
    %4 = affine.linearize_index [%arg1, %arg2] by (8, 8) : index
    %5 = vector.transfer_read %arg0[%4, %arg1], %arg3 {in_bounds = [true, false]} : memref<64x64xf32>, vector<4x4xf32>
    %6 = vector.transfer_read %expand_shape_0[%arg1, %arg2, %arg1], %arg3 {in_bounds = [true], permutation_map = #map} : memref<8x8x64xf32>, vector<8xf32>
    %7 = affine.linearize_index [%arg1, %arg2] by (8, 8) : index
    %8 = vector.transfer_read %arg0[%7, %arg1], %arg3 : memref<64x64xf32>, vector<f32>
    %9 = affine.linearize_index [%arg1, %arg2] by (%arg6, 2) : index
    %10 = vector.transfer_read %arg5[%9, %arg1], %arg3 : memref<?x64xf32>, vector<4xf32>
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
    %11 = vector.transfer_read %collapse_shape[%arg1], %arg3 {in_bounds = [true]} : memref<4096xf32>, vector<4xf32>
    vector.transfer_write %11, %collapse_shape[%arg2] {in_bounds = [true]} : vector<4xf32>, memref<4096xf32>
    return %1, %3, %5, %6, %8, %10 : vector<4xf32>, vector<4xf32>, vector<4x4xf32>, vector<8xf32>, vector<f32>, vector<4xf32>
  }
}

// -----
func.func @f(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index) -> vector<4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %subview = memref.subview %arg0[0, %arg1, %arg2] [1, %arg3, %arg4] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %0 = vector.transfer_read %subview[%arg5, %arg6], %cst {in_bounds = [true]} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
    return %0 : vector<4xf32>
}
func.func @g(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %subview = memref.subview %arg0[0, %arg1, %arg2] [1, %arg3, %arg4] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %0 = memref.load %subview[%arg5, %arg6] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    %1 = arith.addf %0, %cst : f32
    return %1 : f32
}
// =>
#map = affine_map<()[s0, s1] -> (s0 + s1)>
module {
  func.func @f(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index) -> vector<4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = affine.apply #map()[%arg1, %arg5]
    %1 = affine.apply #map()[%arg2, %arg6]
    %2 = vector.transfer_read %arg0[%c0, %0, %1], %cst {in_bounds = [true]} : memref<?x?x?xf32>, vector<4xf32>
    return %2 : vector<4xf32>
  }
  func.func @g(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = affine.apply #map()[%arg1, %arg5]
    %1 = affine.apply #map()[%arg2, %arg6]
    %2 = memref.load %arg0[%c0, %0, %1] : memref<?x?x?xf32>
    %3 = arith.addf %2, %cst : f32
    return %3 : f32
  }
}
// -----
memref.global "private" constant @g : memref<3xi8> = dense<[1, 2, 3]>
memref.global "private" constant @s : memref<3xi8> = dense<7>
func.func @f(%i: index) -> (i8, i8, i8, i8, index, index, index) {
  %g = memref.get_global @g : memref<3xi8>
  %s = memref.get_global @s : memref<3xi8>
  %c1 = arith.constant 1 : index
  %a = affine.load %g[1] : memref<3xi8>
  %b = affine.load %g[%c1] : memref<3xi8>
  %c = affine.load %s[%i] : memref<3xi8>
  %d = memref.load %g[%c1] : memref<3xi8>
  %e = affine.apply affine_map<(d0) -> (d0)>(%i)
  %x = affine.apply affine_map<(d0) -> (d0 + 3)>(%c1)
  %h = affine.min affine_map<(d0) -> (d0, 5)>(%c1)
  return %a, %b, %c, %d, %e, %x, %h : i8, i8, i8, i8, index, index, index
}
// =>
module {
  memref.global "private" constant @g : memref<3xi8> = dense<[1, 2, 3]>
  memref.global "private" constant @s : memref<3xi8> = dense<7>
  func.func @f(%arg0: index) -> (i8, i8, i8, i8, index, index, index) {
    %c4 = arith.constant 4 : index
    %c7_i8 = arith.constant 7 : i8
    %c2_i8 = arith.constant 2 : i8
    %c1 = arith.constant 1 : index
    %0 = memref.get_global @g : memref<3xi8>
    %1 = affine.load %0[%c1] : memref<3xi8>
    %2 = memref.load %0[%c1] : memref<3xi8>
    return %c2_i8, %1, %c7_i8, %2, %arg0, %c4, %c1 : i8, i8, i8, i8, index, index, index
  }
}
