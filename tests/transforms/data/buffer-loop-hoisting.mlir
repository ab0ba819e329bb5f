func.func @loops(%n: index, %o: memref<4xf32>, %p: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %d = memref.alloc(%i) : memref<?xf32>
      %a = memref.alloc() : memref<4xf32>
      %s = memref.alloca() : memref<4xf32>
      memref.copy %a, %s : memref<4xf32> to memref<4xf32>
      memref.copy %d, %p : memref<?xf32> to memref<?xf32>
    }
  }
  return
}
// =>
module {
  func.func @loops(%arg0: index, %arg1: memref<4xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() : memref<4xf32>
    %alloca = memref.alloca() : memref<4xf32>
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %alloc_0 = memref.alloc(%arg3) : memref<?xf32>
      scf.for %arg4 = %c0 to %arg0 step %c1 {
        memref.copy %alloc, %alloca : memref<4xf32> to memref<4xf32>
        memref.copy %alloc_0, %arg2 : memref<?xf32> to memref<?xf32>
      }
    }
    return
  }
}
// -----
/// A buffer that is carried on stays, and so does one of parallel iterations.
func.func @stays(%n: index, %a: memref<4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %u = memref.alloc() : memref<4xf32>
      memref.copy %u, %o : memref<4xf32> to memref<4xf32>
    }
    scf.yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// =>
module {
  func.func @stays(%arg0: index, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1) -> (memref<4xf32>) {
      %alloc = memref.alloc() : memref<4xf32>
      scf.parallel (%arg5) = (%c0) to (%arg0) step (%c1) {
        %alloc_0 = memref.alloc() : memref<4xf32>
        memref.copy %alloc_0, %arg2 : memref<4xf32> to memref<4xf32>
        scf.reduce 
      }
      scf.yield %alloc : memref<4xf32>
    }
    return %0 : memref<4xf32>
  }
}
