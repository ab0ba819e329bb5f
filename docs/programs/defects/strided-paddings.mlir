// `-canonicalize` inserts a padded slice with a stride in the wrong place.
//
// `%x` has two elements and is padded in front. The three elements are inserted into `%f` at the positions 0, 2 and 4, so
// that those of `%x` are at 2 and 4. Since `%f` is filled with the same value, `-canonicalize` omits the padding and
// inserts `%x` alone, but adds the width of the padding, 1, to the offset, so that `%x` is at 1 and 3. The width must be
// multiplied by the stride, or the stride be 1.
//
// mlir-opt -canonicalize
//   %inserted_slice = tensor.insert_slice %arg0 into %1[1] [2] [2] : tensor<2xf32> into tensor<8xf32>
func.func @f(%x: tensor<2xf32>, %v: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<2xf32> to tensor<3xf32>
  %r = tensor.insert_slice %p into %f[0] [3] [2] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
