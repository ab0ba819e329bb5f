// `-canonicalize` reads a tensor where the program loads from a memref that was stored to.
//
// The pattern for a `memref.load` from a `bufferization.to_buffer` replaces it by a `tensor.extract`, whatever happened
// to the memref between the two. The function returns `%v` before the pass, and an element of `%t` after it. The
// pattern is right if the `to_buffer` is `read_only`, or if nothing can write through its memref before the load.
//
// mlir-opt -canonicalize
//   memref.store %arg1, %0[%arg2] : memref<4xf32>
//   %extracted = tensor.extract %arg0[%arg2] : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}
