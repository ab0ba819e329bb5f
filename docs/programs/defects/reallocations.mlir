// `-buffer-deallocation` frees a buffer that `memref.realloc` has already freed.
//
// `memref.realloc` frees `%a`, or returns it as `%b`. The pass does not know this, and frees `%a` after its last use: a
// second time, or while `%b` is still used. It has to free the result of `memref.realloc` instead of its operand.
//
// mlir-opt-16 -buffer-deallocation
//   %0 = memref.realloc %alloc : memref<4xf32> to memref<8xf32>
//   memref.dealloc %alloc : memref<4xf32>
//   %1 = memref.load %0[%arg1] : memref<8xf32>
func.func @f(%v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  %r = memref.load %b[%i] : memref<8xf32>
  return %r : f32
}
