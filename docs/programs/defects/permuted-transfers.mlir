// `-canonicalize` overlooks that a transposed write overwrites a part of an earlier one.
//
// All three vectors are transposed: they lie in four rows and two columns of the tensor. `%v` is written to the rows 0 to
// 3, then `%u` to the rows 2 to 5. The read of the rows 0 to 3 therefore has elements of both. `-canonicalize` replaces
// it by `%v`. It takes the write of `%u` as disjoint because it begins two rows further down: it compares this distance
// with the first size of the vector, 2, although the map assigns the rows to the second one. The extent of a vector along
// a dimension of the tensor must be looked up in the map.
//
// mlir-opt -canonicalize
//   return %arg1 : vector<2x4xf32>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%t: tensor<8x8xf32>, %v: vector<2x4xf32>, %u: vector<2x4xf32>) -> vector<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true], permutation_map = #t} : vector<2x4xf32>, tensor<8x8xf32>
  %1 = vector.transfer_write %u, %0[%c2, %c0] {in_bounds = [true, true], permutation_map = #t} : vector<2x4xf32>, tensor<8x8xf32>
  %r = vector.transfer_read %1[%c0, %c0], %p {in_bounds = [true, true], permutation_map = #t} : tensor<8x8xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
