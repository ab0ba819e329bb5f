// One-Shot Bufferize assumes that two results of one call do not alias.
//
// `@two` returns its argument twice, so both results are the buffer of `%t`. Before the pass, the insertion into the
// first result does not change the second one. After the pass, the element that is loaded from the second result is
// `%v`. Results of a call that the callee may return as one buffer must alias each other in the caller.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   memref.store %arg2, %0#0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
//   %1 = memref.load %0#1[%arg1] : memref<4xf32, strided<[?], offset: ?>>
func.func private @two(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %t, %t : tensor<4xf32>, tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %a:2 = call @two(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %w = tensor.insert %v into %a#0[%i] : tensor<4xf32>
  %r = tensor.extract %a#1[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}
