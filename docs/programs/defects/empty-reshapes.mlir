// `-canonicalize` changes the size of a tensor without elements.
//
// `%x` has no elements, whatever its first size is. It is collapsed, and expanded again so that the first size is `%n`,
// which the function returns. `-canonicalize` replaces both reshapes by `%x`, because the types are equal, and the
// function returns the first size of `%x`. An unknown size follows from the number of elements only if no other size of
// its group is 0.
//
// mlir-opt -canonicalize
//   %dim = tensor.dim %arg0, %c0 : tensor<?x0xf32>
func.func @f(%x: tensor<?x0xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x0xf32> into tensor<?xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%n, 0] : tensor<?xf32> into tensor<?x0xf32>
  %d = tensor.dim %e, %c0 : tensor<?x0xf32>
  return %d : index
}
