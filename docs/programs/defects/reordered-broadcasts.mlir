// `-canonicalize` broadcasts a vector in another order.
//
// `%a` has two elements, x and y. The broadcast repeats each four times, x x x x y y y y, and the cast keeps this order.
// `-canonicalize` replaces both by a broadcast of `%a` to the type of the cast, which repeats the pair: x y x y x y x y. It
// only checks that `%a` can be broadcast to that type. The new broadcast must also repeat the elements in the same order.
//
// mlir-opt -canonicalize
//   %0 = vector.broadcast %arg0 : vector<2x1xf32> to vector<4x2x1xf32>
func.func @f(%a: vector<2x1xf32>) -> vector<4x2x1xf32> {
  %b = vector.broadcast %a : vector<2x1xf32> to vector<2x4xf32>
  %c = vector.shape_cast %b : vector<2x4xf32> to vector<4x2x1xf32>
  return %c : vector<4x2x1xf32>
}
