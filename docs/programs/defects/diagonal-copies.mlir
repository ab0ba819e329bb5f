// `-canonicalize` replaces a copy of a diagonal by the whole tensor.
//
// The loop writes the elements of `%x` on the diagonal to the diagonal of `%y`. The other elements of the result are those
// of `%y`. `-canonicalize` replaces the operation by `%x`, because its body yields the element of `%x` unchanged and all
// maps are equal. They must also be permutations, so that the loops reach every element.
//
// mlir-opt -canonicalize
//   return %arg0 : tensor<4x4xf32>
#diagonal = affine_map<(d0) -> (d0, d0)>
func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [#diagonal, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
