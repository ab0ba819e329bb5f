// `-buffer-loop-hoisting` moves an allocation out of `affine.parallel`, so that iterations that may run at once share
// one buffer.
//
// Each iteration stores an element of `%v` into a buffer of its own and copies it from there to `%o`. After the pass,
// all iterations use one buffer, so an iteration may copy what another one stored. The pass leaves allocations in
// `scf.parallel` where they are, and must do the same for `affine.parallel`.
//
// mlir-opt -buffer-loop-hoisting
//   %alloc = memref.alloc() : memref<1xf32>
//   affine.parallel (%arg2) = (0) to (4) {
func.func @f(%v: memref<4xf32>, %o: memref<4xf32>) {
  affine.parallel (%i) = (0) to (4) {
    %m = memref.alloc() : memref<1xf32>
    %x = affine.load %v[%i] : memref<4xf32>
    affine.store %x, %m[0] : memref<1xf32>
    %y = affine.load %m[0] : memref<1xf32>
    affine.store %y, %o[%i] : memref<4xf32>
  }
  return
}
