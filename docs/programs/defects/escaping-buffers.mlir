// Ownership-based buffer deallocation frees a buffer that is stored in memory that outlives it.
//
// `@keep` allocates a buffer and stores it in a table of its caller. The pass frees the buffer at the end of `@keep`,
// because it is not returned. The caller then loads it from the table and reads freed memory; before the pass it reads
// `%v`. A buffer whose address is stored in memory that outlives it must not be freed there.
//
// mlir-opt -ownership-based-buffer-deallocation
//   memref.store %alloc, %arg0[%c0] : memref<1xmemref<4xf32>>
//   bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<memref<4xf32>>, memref<f32>) if (%false, %true)
func.func private @keep(%table: memref<1xmemref<4xf32>>, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %a, %table[%c0] : memref<1xmemref<4xf32>>
  return
}
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %table = memref.alloc() : memref<1xmemref<4xf32>>
  call @keep(%table, %v) : (memref<1xmemref<4xf32>>, f32) -> ()
  %m = memref.load %table[%c0] : memref<1xmemref<4xf32>>
  %r = memref.load %m[%c0] : memref<4xf32>
  return %r : f32
}
