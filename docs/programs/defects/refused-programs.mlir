// Ownership-based buffer deallocation rejects loops that are made of branches.
//
// The program is valid: each execution of `^again` makes a buffer from the last one. Its owner depends on the path, but
// can be forwarded along the branches like the buffer itself, as the pass does for branches that form no loop. The last
// buffer has to be freed after it was copied, and the others when the next one was computed.
//
// mlir-opt -ownership-based-buffer-deallocation
//   error: Only structured control-flow loops are supported.
func.func @f(%a: memref<4xf32>, %c: i1, %o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  cf.br ^again(%m : memref<4xf32>)
^again(%old: memref<4xf32>):
  %new = memref.alloc() : memref<4xf32>
  linalg.exp ins(%old : memref<4xf32>) outs(%new : memref<4xf32>)
  cf.cond_br %c, ^again(%new : memref<4xf32>), ^end
^end:
  memref.copy %new, %o : memref<4xf32> to memref<4xf32>
  return
}
