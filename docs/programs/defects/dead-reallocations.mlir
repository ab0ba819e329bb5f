// `-canonicalize` erases a `memref.realloc` together with the deallocation of its result, and leaks the operand.
//
// `memref.realloc` frees `%m`, or returns it, so the deallocation of `%r` is that of `%m`, too. The result of
// `memref.realloc` is only freed, so the pass erases both operations. Nothing frees `%m` then. The deallocation must
// remain, with `%m` as its operand.
//
// mlir-opt -canonicalize
//   %0 = memref.load %alloc[%arg1] : memref<4xf32>
//   return %0 : f32
func.func @f(%v: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  return %x : f32
}
