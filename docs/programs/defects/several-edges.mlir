// One-Shot Bufferize rejects a `cf.cond_br` whose two edges lead to one block with different tensors.
//
// Both edges of the branch lead to `^x`, one with `%a` and the other with `%b`. The pass converts the operands of the
// first edge only and fails, because the second one still passes a tensor. The analysis, too, considers the first edge
// only: it does not know that `%b` may become `%r`. All edges of a branch to a block must be considered and converted.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   error: type mismatch for bb argument #0 of successor #1
func.func @f(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^x(%a : tensor<4xf32>), ^x(%b : tensor<4xf32>)
^x(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
