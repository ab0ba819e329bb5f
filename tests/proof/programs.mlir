// an affine loop
func.func @f(%t: tensor<64xf32>, %n: index, %m: index, %f: f32) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %w = tensor.insert %f into %t[%c0] : tensor<64xf32>
  %r = affine.for %i = max affine_map<(d0)[s0] -> (0, d0 - s0)>(%n)[%m] to min affine_map<(d0)[s0] -> (d0, s0, 64)>(%n)[%m] step 2 iter_args(%x = %f) -> (f32) {
    %e = tensor.extract %w[%i] : tensor<64xf32>
    %a = arith.addf %e, %x : f32
    affine.yield %a : f32
  }
  return %w, %r : tensor<64xf32>, f32
}
// -----
// a switch
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index, %f: f32) -> (tensor<4xf32>, f32) {
  %c1 = arith.constant 1 : index
  %r = scf.index_switch %n -> tensor<4xf32>
  case 2 {
    %w = tensor.insert %f into %t[%c1] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  case 5 {
    scf.yield %u : tensor<4xf32>
  }
  default {
    scf.yield %t : tensor<4xf32>
  }
  %e = tensor.extract %t[%c1] : tensor<4xf32>
  return %r, %e : tensor<4xf32>, f32
}
// -----
// reshapes
func.func @f(%t: tensor<2x3x4xf32>, %f: f32, %i: index) -> (tensor<6x4xf32>, tensor<2x3x2x2xf32>, f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %w = tensor.insert %f into %k[%c2, %c1] : tensor<6x4xf32>
  %x = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
  %e = tensor.extract %x[%c1, %c2, %c1, %c1] : tensor<2x3x2x2xf32>
  return %w, %x, %e : tensor<6x4xf32>, tensor<2x3x2x2xf32>, f32
}
// -----
// slices in parallel
func.func @f(%t: tensor<8x4xf32>, %f: f32) -> tensor<8x4xf32> {
  %r = scf.forall (%i, %j) in (4, 2) shared_outs(%o = %t) -> (tensor<8x4xf32>) {
    %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
    %s = tensor.extract_slice %o[%a, %b] [2, 2] [1, 1] : tensor<8x4xf32> to tensor<2x2xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%a, %b] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}
// -----
// a loop that steps
func.func @f(%t: tensor<?x4xf32>, %u: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%x = %t, %s = %z) -> (tensor<?x4xf32>, f32) {
    %q:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%y = %x, %v = %s) -> (tensor<?x4xf32>, f32) {
      %e = tensor.extract %u[%i, %j] : tensor<?x4xf32>
      %o = tensor.extract %y[%i, %j] : tensor<?x4xf32>
      %p = arith.addf %e, %o : f32
      %w = tensor.insert %p into %y[%i, %j] : tensor<?x4xf32>
      %a = arith.addf %v, %p : f32
      scf.yield %w, %a : tensor<?x4xf32>, f32
    }
    scf.yield %q#0, %q#1 : tensor<?x4xf32>, f32
  }
  return %r#0, %r#1 : tensor<?x4xf32>, f32
}
// -----
// reads of whole sizes
func.func @f(%t: tensor<?x?xf32>, %d: index, %f: f32) -> (index, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x?xf32>
  %m = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %g = linalg.transpose ins(%t : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %s = arith.addi %n, %m : index
  return %s, %g : index, tensor<?x?xf32>
}
