// With `check-parallel-regions=0`, One-Shot Bufferize assumes that the body of `scf.parallel` runs once.
//
// The iterations run in some order, possibly one after the other. The program stores the element 0 of `%t` into `%m` in
// each iteration. After the pass, each iteration overwrites that element, and later iterations store the value that was
// inserted. The option disables the check for races; conflicts between iterations remain, so the insertion needs a
// copy. Regions of unknown operations have the same problem.
//
// mlir-opt -one-shot-bufferize="bufferize-function-boundaries check-parallel-regions=0"
//   %0 = memref.load %arg0[%c0] : memref<4xf32, strided<[?], offset: ?>>
//   memref.store %0, %arg2[%arg4] : memref<2xf32>
//   memref.store %arg1, %arg0[%c0] : memref<4xf32, strided<[?], offset: ?>>
func.func @f(%t: tensor<4xf32>, %v: f32, %m: memref<2xf32>, %q: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %r = tensor.extract %t[%c0] : tensor<4xf32>
    memref.store %r, %m[%i] : memref<2xf32>
    %w = tensor.insert %v into %t[%c0] : tensor<4xf32>
    %x = tensor.extract %w[%c0] : tensor<4xf32>
    memref.store %x, %q[%i] : memref<2xf32>
  }
  return
}
