// One-Shot Bufferize ignores accesses through the memref of `bufferization.to_buffer` after the tensor is overwritten.
//
// The memref `%m` is `read_only` and has the contents of `%t`. Before the pass, the load returns an element of `%t`.
// After the pass, `%m` is the buffer of `%t`, into which the insertion is done in place before the load, so that it
// returns `%v`. The analysis treats the memref as read where `to_buffer` is. It must treat every access through the
// memref as an access to the tensor, and copy for the insertion.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   memref.store %arg2, %arg0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
//   %0 = memref.load %arg0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %r = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %w, %r : tensor<4xf32>, f32
}
