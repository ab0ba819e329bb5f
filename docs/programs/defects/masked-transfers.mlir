// `-canonicalize` replaces a masked read of what was just written by all that was written.
//
// `%v` is written over the whole of `%t`, and read again, but only where `%mask` is set. The other elements of the result
// are the padding. `-canonicalize` replaces the read by `%v`: it checks that the read has no mask of its own, but does not
// look for an enclosing `vector.mask`. In the same way, it drops a write if a later one overwrites the same elements,
// although a `vector.mask` encloses the later one. Both must require that the transfer is not inside of `vector.mask`.
//
// mlir-opt -canonicalize
//   return %arg1 : vector<4xf32>
func.func @f(%t: tensor<4xf32>, %v: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %padding = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %r = vector.mask %mask { vector.transfer_read %w[%c0], %padding {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
