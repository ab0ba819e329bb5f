// `-canonicalize` replaces a masked copy of a tensor by the tensor.
//
// The whole of `%t` is read into a vector, and written over the whole of `%u`, but only where `%mask` is set. The other
// elements of the result are those of `%u`. The fold of `vector.transfer_write` compares the types, the indices and
// `in_bounds`, but does not look at the masks, and returns `%t`. The same happens if the read has a mask. The fold must
// require that neither has one.
//
// mlir-opt -canonicalize
//   return %arg0 : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %mask: vector<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %padding = arith.constant 0.0 : f32
  %v = vector.transfer_read %t[%c0], %padding {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %u[%c0], %mask {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}
