// `-optimize-allocation-liveness` assumes that the result of an unknown operation is not a view of its operands.
//
// The result of the cast is the buffer of `%m`. The pass does not follow it, because the operation is no view, branch
// or call, and moves the deallocation to the last direct use of `%m`, in front of the load, which reads freed memory.
// The same happens with operations of other dialects. If nothing is known about the results of an operation, they have
// to be treated as views of its operands.
//
// mlir-opt -optimize-allocation-liveness
//   memref.dealloc %alloc : memref<4xf32>
//   %1 = memref.load %0[%arg1] : memref<?xf32>
func.func @f(%v: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %s = builtin.unrealized_conversion_cast %m : memref<4xf32> to memref<?xf32>
  %r = memref.load %s[%i] : memref<?xf32>
  memref.dealloc %m : memref<4xf32>
  return %r : f32
}
