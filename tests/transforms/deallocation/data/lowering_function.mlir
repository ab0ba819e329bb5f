// passes: --pass-pipeline=builtin.module(func.func(bufferization-lower-deallocations))
// =====
// a function has nowhere to put the function that several buffers need
func.func @many(%m: memref<4xf32>, %n: memref<8xf32>, %c: i1) {
  bufferization.dealloc (%m, %n : memref<4xf32>, memref<8xf32>) if (%c, %c)
  return
}
// ==>
error: library function required for generic lowering, but cannot be automatically inserted when operating on functions
// =====
func.func @one(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}
// ==>
module {
  func.func @one(%arg0: memref<4xf32>, %arg1: i1) {
    scf.if %arg1 {
      memref.dealloc %arg0 : memref<4xf32>
    }
    return
  }
}
