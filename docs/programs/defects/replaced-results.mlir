// Ownership-based buffer deallocation frees the result of `scf.if` at the end of its block, although later blocks use
// it.
//
// The pass replaces `scf.if` by one that also returns who owns the result, and loses track of where the new result is
// used. If `%c` is true, the buffer that the branch yields is freed before the branch to `^use`, which then copies
// freed memory. The result must live until the last block that uses it. Loops, switches and calls with dynamic
// ownership have the same problem.
//
// mlir-opt -ownership-based-buffer-deallocation
//   %3 = arith.andi %0#1, %arg1 : i1
//   %4 = bufferization.dealloc (%base_buffer, %base_buffer_2, %base_buffer_6 : memref<f32>, memref<f32>, memref<f32>) if (%1, %2, %3) retain (%arg2 : memref<4xf32>)
//   memref.copy %0#0, %arg2 : memref<4xf32> to memref<4xf32>
func.func @f(%a: memref<4xf32>, %c: i1, %o: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %a, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  cf.cond_br %c, ^use, ^end
^use:
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  cf.br ^end
^end:
  return
}
