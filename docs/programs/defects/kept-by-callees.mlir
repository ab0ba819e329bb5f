// `-buffer-loop-hoisting` moves a buffer out of a loop although the function that receives it may retain it.
//
// The body of `@keep` is unknown: it may store the address of the buffer or free it. Each iteration passes a buffer of
// its own. After the pass, all iterations pass one buffer, so an iteration overwrites what `@keep` retained in the one
// before. A buffer that is passed to a function whose body is unknown must stay in the loop.
//
// mlir-opt -buffer-loop-hoisting
//   %alloc = memref.alloc() : memref<1xf32>
//   scf.for %arg1 = %c0 to %c4 step %c1 {
//   func.call @keep(%alloc) : (memref<1xf32>) -> ()
func.func private @keep(memref<1xf32>)
func.func @f(%v: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc() : memref<1xf32>
    %x = memref.load %v[%i] : memref<4xf32>
    memref.store %x, %m[%c0] : memref<1xf32>
    func.call @keep(%m) : (memref<1xf32>) -> ()
  }
  return
}
