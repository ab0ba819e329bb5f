// `-promote-buffers-to-stack` moves a buffer to the stack although a transposed view of it is returned.
//
// `memref.transpose` returns a view of its operand. The pass does not follow it, and takes the buffer for one that does
// not leave `@transposed`. `@f` returns `%v` before the pass, and reads from the stack of a function that has returned
// after it. The result of `memref.transpose` has to be treated like that of `memref.subview`.
// `-optimize-allocation-liveness` has the same problem: it frees a buffer before the last use of its transposed view.
//
// mlir-opt -promote-buffers-to-stack
//   %alloca = memref.alloca() : memref<2x4xf32>
func.func private @transposed(%v: f32, %i: index) -> memref<4x2xf32, strided<[1, 4]>> {
  %m = memref.alloc() : memref<2x4xf32>
  memref.store %v, %m[%i, %i] : memref<2x4xf32>
  %t = memref.transpose %m (d0, d1) -> (d1, d0) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  return %t : memref<4x2xf32, strided<[1, 4]>>
}
func.func @f(%v: f32, %i: index) -> f32 {
  %t = call @transposed(%v, %i) : (f32, index) -> memref<4x2xf32, strided<[1, 4]>>
  %r = memref.load %t[%i, %i] : memref<4x2xf32, strided<[1, 4]>>
  return %r : f32
}
