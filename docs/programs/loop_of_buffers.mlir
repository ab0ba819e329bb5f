// Each iteration makes a buffer from the one that it is given, and gives it to the next.
func.func @power(%init: memref<4xf32>, %n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<4xf32>
  memref.copy %init, %first : memref<4xf32> to memref<4xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    linalg.exp ins(%old : memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  }
  memref.copy %last, %out : memref<4xf32> to memref<4xf32>
  return
}
