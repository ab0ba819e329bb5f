// Ownership-based buffer deallocation frees a buffer of `gpu.alloc` with `memref.dealloc`.
//
// `gpu.alloc` allocates memory of a device, which `gpu.dealloc` frees. The pass frees every buffer with
// `memref.dealloc`, which passes the address to the allocator of the host. It has to free the buffer with
// `gpu.dealloc`, or reject the program.
//
// mlir-opt -buffer-deallocation-pipeline
//   %memref = gpu.alloc  () : memref<4xf32>
//   memref.dealloc %memref : memref<4xf32>
func.func @f(%s: memref<4xf32>, %o: memref<4xf32>) {
  %m = gpu.alloc () : memref<4xf32>
  gpu.memcpy %m, %s : memref<4xf32>, memref<4xf32>
  gpu.memcpy %o, %m : memref<4xf32>, memref<4xf32>
  return
}
