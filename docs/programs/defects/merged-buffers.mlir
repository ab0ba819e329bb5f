// `-cse` merges two `bufferization.to_buffer` of one tensor, although one of the memrefs is stored to.
//
// A tensor does not change, so `%n` has the contents of `%t`, and the function returns an element of `%t`. The pass
// replaces `%n` by `%m`, so that the function returns `%v`. Two `to_buffer` may be merged only if neither of the
// memrefs is written, for example because both are `read_only`. `-loop-invariant-code-motion` has the same problem: it
// moves a `to_buffer` out of a loop that stores to the memref.
//
// mlir-opt -cse
//   %0 = bufferization.to_buffer %arg0 : tensor<6xf32> to memref<6xf32>
//   memref.store %arg1, %0[%arg2] : memref<6xf32>
//   %1 = memref.load %0[%arg2] : memref<6xf32>
func.func @f(%t: tensor<6xf32>, %v: f32, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<6xf32> to memref<6xf32>
  %n = bufferization.to_buffer %t : tensor<6xf32> to memref<6xf32>
  memref.store %v, %m[%i] : memref<6xf32>
  %r = memref.load %n[%i] : memref<6xf32>
  return %r : f32
}
