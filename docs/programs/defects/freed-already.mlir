// `-buffer-loop-hoisting` moves a buffer out of a loop that frees it, so that the second iteration uses freed memory.
//
// Each iteration allocates a buffer and frees it. The pass moves the allocation in front of the loop and leaves the
// deallocation in it, so the second iteration stores into freed memory and frees it again. A buffer that is freed
// inside of the loop must stay there. `-promote-buffers-to-stack` has a similar problem with buffers that are freed
// through a view.
//
// mlir-opt -buffer-loop-hoisting
//   %alloc = memref.alloc() : memref<4xf32>
//   scf.for %arg3 = %c0 to %arg2 step %c1 {
//   memref.dealloc %alloc : memref<4xf32>
func.func @f(%v: memref<4xf32>, %o: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<4xf32>
    memref.copy %v, %m : memref<4xf32> to memref<4xf32>
    memref.copy %m, %o : memref<4xf32> to memref<4xf32>
    memref.dealloc %m : memref<4xf32>
  }
  return
}
