// One-Shot Bufferize loses the static size of a result that a `tensor.cast` gave it, and rejects the program.
//
// `@g` returns a `tensor<4xf32>` that was cast from a tensor of unknown size. The pass removes the cast and lets `@g`
// return a buffer of unknown size. The caller copies this buffer because of the insertion, and creates a `memref.alloc`
// of type `memref<4xf32>` with a dynamic size, which the verifier rejects. The caller has to cast the buffer back to
// the static size.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   error: 'memref.alloc' op incorrect number of dynamic sizes, has 1, expected 0
func.func private @g(%t: tensor<?xf32>) -> tensor<4xf32> {
  %c = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @f(%t: tensor<?xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %g = call @g(%t) : (tensor<?xf32>) -> tensor<4xf32>
  %w = tensor.insert %v into %g[%i] : tensor<4xf32>
  %r = tensor.extract %g[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}
