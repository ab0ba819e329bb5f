// `-fold-memref-alias-ops` reads past the end of an expanded row as if the next row followed.
//
// The vector begins at column `%i` of a row of 8 elements, and elements past the end of the row are the padding `%p`.
// The pass replaces the read by one of the memref before `expand_shape`, where the elements of the next row follow: for
// `%i = 6`, the last two elements are those of row 7 instead of `%p`. The read may be replaced only if it stays within
// the innermost dimension of each group, whose bounds the source does not have.
//
// mlir-opt -fold-memref-alias-ops
//   %0 = affine.linearize_index [%arg1, %arg1] by (8, 8) : index
//   %1 = vector.transfer_read %arg0[%0], %arg2 : memref<64xf32>, vector<4xf32>
func.func @f(%m: memref<64xf32>, %i: index, %p: f32) -> vector<4xf32> {
  %e = memref.expand_shape %m [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %v = vector.transfer_read %e[%i, %i], %p : memref<8x8xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
