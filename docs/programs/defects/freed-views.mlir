// `-buffer-deallocation` frees a buffer that the program frees through a view.
//
// The program frees the buffer `%a` through its cast `%c`. The pass looks for deallocations of `%a` only, finds none,
// and inserts one, so that the buffer is freed twice. It has to look for deallocations of all views of a buffer.
//
// mlir-opt-16 -buffer-deallocation
//   memref.dealloc %cast : memref<?xf32>
//   memref.dealloc %alloc : memref<4xf32>
func.func @f(%v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %r = memref.load %c[%i] : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return %r : f32
}
