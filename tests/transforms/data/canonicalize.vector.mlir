func.func @broadcast_dims(%t: tensor<f32>, %u: tensor<4x5xf32>, %i: index, %m: memref<?x8xf32>) -> (vector<1xf32>, vector<4x4xf32>, vector<3x4xf32>, vector<2x8xf32>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %t[], %p {permutation_map = affine_map<()->(0)>} : tensor<f32>, vector<1xf32>
  %1 = vector.transfer_read %u[%c0, %c0], %p {permutation_map = affine_map<(d0, d1)->(0, d0)>} : tensor<4x5xf32>, vector<4x4xf32>
  %2 = vector.transfer_read %u[%i, %c0], %p {permutation_map = affine_map<(d0, d1)->(0, d0)>} : tensor<4x5xf32>, vector<3x4xf32>
  %3 = vector.transfer_read %m[%i, %c0], %p {permutation_map = affine_map<(d0, d1)->(0, d1)>} : memref<?x8xf32>, vector<2x8xf32>
  %4 = vector.transfer_read %m[%i, %c0], %p : memref<?x8xf32>, vector<4x8xf32>
  return %0, %1, %2, %3, %4 : vector<1xf32>, vector<4x4xf32>, vector<3x4xf32>, vector<2x8xf32>, vector<4x8xf32>
}
// =>
#map = affine_map<() -> (0)>
#map1 = affine_map<(d0, d1) -> (0, d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @broadcast_dims(%arg0: tensor<f32>, %arg1: tensor<4x5xf32>, %arg2: index, %arg3: memref<?x8xf32>) -> (vector<1xf32>, vector<4x4xf32>, vector<3x4xf32>, vector<2x8xf32>, vector<4x8xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.transfer_read %arg0[], %cst {in_bounds = [true], permutation_map = #map} : tensor<f32>, vector<1xf32>
    %1 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, true], permutation_map = #map1} : tensor<4x5xf32>, vector<4x4xf32>
    %2 = vector.transfer_read %arg1[%arg2, %c0], %cst {permutation_map = #map1} : tensor<4x5xf32>, vector<3x4xf32>
    %3 = vector.transfer_read %arg3[%arg2, %c0], %cst {in_bounds = [true, true], permutation_map = #map2} : memref<?x8xf32>, vector<2x8xf32>
    %4 = vector.transfer_read %arg3[%arg2, %c0], %cst {in_bounds = [false, true]} : memref<?x8xf32>, vector<4x8xf32>
    return %0, %1, %2, %3, %4 : vector<1xf32>, vector<4x4xf32>, vector<3x4xf32>, vector<2x8xf32>, vector<4x8xf32>
  }
}
// -----
func.func @dead_write(%t: tensor<4x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>, %i: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.transfer_write %v, %t[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %v, %0[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_write %w, %1[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
// =>
module {
  func.func @dead_write(%arg0: tensor<4x4xf32>, %arg1: vector<1x4xf32>, %arg2: vector<1x4xf32>, %arg3: index) -> tensor<4x4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = vector.transfer_write %arg1, %arg0[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %1 = vector.transfer_write %arg2, %0[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}
// -----
func.func @live_write(%t: tensor<4x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>, %i: index, %r: vector<4x1xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.transfer_write %v, %t[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %v, %0[%i, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_write %w, %1[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %3 = vector.transfer_write %r, %0[%c0, %c2] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<4x4xf32>
  %4 = vector.transfer_write %w, %3[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %5 = vector.transfer_write %v, %t[%i, %i] : vector<1x4xf32>, tensor<4x4xf32>
  %6 = vector.transfer_write %w, %5[%i, %i] : vector<1x4xf32>, tensor<4x4xf32>
  return %2, %4, %6 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// =>
module {
  func.func @live_write(%arg0: tensor<4x4xf32>, %arg1: vector<1x4xf32>, %arg2: vector<1x4xf32>, %arg3: index, %arg4: vector<4x1xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = vector.transfer_write %arg1, %arg0[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %1 = vector.transfer_write %arg1, %0[%arg3, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %2 = vector.transfer_write %arg2, %1[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %3 = vector.transfer_write %arg4, %0[%c0, %c2] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<4x4xf32>
    %4 = vector.transfer_write %arg2, %3[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %5 = vector.transfer_write %arg2, %arg0[%arg3, %arg3] : vector<1x4xf32>, tensor<4x4xf32>
    return %2, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}
// -----
func.func @read_after_writes(%t: tensor<4x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>, %i: index, %p: f32) -> (vector<1x4xf32>, vector<1x4xf32>, vector<1x4xf32>, vector<4x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.transfer_write %v, %t[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %w, %0[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_read %1[%c1, %c0], %p {in_bounds = [true, true]} : tensor<4x4xf32>, vector<1x4xf32>
  %3 = vector.transfer_read %1[%i, %c0], %p {in_bounds = [true, true]} : tensor<4x4xf32>, vector<1x4xf32>
  %4 = vector.transfer_read %1[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x4xf32>, vector<1x4xf32>
  %5 = vector.transfer_read %1[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x1xf32>
  return %2, %3, %4, %5 : vector<1x4xf32>, vector<1x4xf32>, vector<1x4xf32>, vector<4x1xf32>
}
// =>
module {
  func.func @read_after_writes(%arg0: tensor<4x4xf32>, %arg1: vector<1x4xf32>, %arg2: vector<1x4xf32>, %arg3: index, %arg4: f32) -> (vector<1x4xf32>, vector<1x4xf32>, vector<1x4xf32>, vector<4x1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = vector.transfer_write %arg1, %arg0[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %1 = vector.transfer_write %arg2, %0[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %2 = vector.transfer_read %1[%arg3, %c0], %arg4 {in_bounds = [true, true]} : tensor<4x4xf32>, vector<1x4xf32>
    %3 = vector.transfer_read %1[%c0, %c0], %arg4 {in_bounds = [true, true]} : tensor<4x4xf32>, vector<1x4xf32>
    %4 = vector.transfer_read %1[%c0, %c0], %arg4 {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x1xf32>
    return %arg1, %2, %3, %4 : vector<1x4xf32>, vector<1x4xf32>, vector<1x4xf32>, vector<4x1xf32>
  }
}
