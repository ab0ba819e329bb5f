// One-Shot Bufferize assumes that the body of a structured operation runs once.
//
// The body of `linalg.generic` runs once for each element. Each run reads `%t`, which is defined outside, and then
// writes to it, so the second run reads what the first one wrote. Before the pass, all elements of the result are twice
// the element of `%t`; after the pass, each is twice the one before. The body is a repetitive region like that of a
// loop, so the insertion needs a copy.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %0 = memref.load %arg0[%c0] : memref<1xf32, strided<[?], offset: ?>>
//   %1 = arith.addf %0, %0 : f32
//   memref.store %1, %arg0[%c0] : memref<1xf32, strided<[?], offset: ?>>
func.func @f(%t: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%o : tensor<4xf32>) {
  ^bb0(%out: f32):
    %x = tensor.extract %t[%c0] : tensor<1xf32>
    %y = arith.addf %x, %x : f32
    %w = tensor.insert %y into %t[%c0] : tensor<1xf32>
    %z = tensor.extract %w[%c0] : tensor<1xf32>
    linalg.yield %z : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
