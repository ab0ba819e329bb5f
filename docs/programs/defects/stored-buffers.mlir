// `-buffer-loop-hoisting` moves a buffer out of a loop that stores it in a table, so that all elements of the table are
// one buffer.
//
// Each iteration stores its number in a buffer, and the buffer in the table. The function returns the number in buffer
// 1 of the table, which is 1. After the pass, all elements of the table are one buffer with the number of the last
// iteration, 3. A buffer whose address is stored in memory that outlives the iteration must stay in the loop.
// `-promote-buffers-to-stack` has the same problem, and crashes on tables of memrefs.
//
// mlir-opt -buffer-loop-hoisting
//   %alloc_0 = memref.alloc() : memref<1xindex>
//   scf.for %arg0 = %c0 to %c4 step %c1 {
//   memref.store %alloc_0, %alloc[%arg0] : memref<4xmemref<1xindex>>
func.func @f() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %table = memref.alloc() : memref<4xmemref<1xindex>>
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc() : memref<1xindex>
    memref.store %i, %m[%c0] : memref<1xindex>
    memref.store %m, %table[%i] : memref<4xmemref<1xindex>>
  }
  %e = memref.load %table[%c1] : memref<4xmemref<1xindex>>
  %r = memref.load %e[%c0] : memref<1xindex>
  return %r : index
}
