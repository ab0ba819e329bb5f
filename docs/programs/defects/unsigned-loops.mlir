// One-Shot Bufferize compares the bounds of `scf.for unsigned` as signed numbers.
//
// As an unsigned number, -4 is larger than 4, so the loop does not run and its result is `%x`. The pass decides that
// the loop runs at least once and that the fill overwrites everything, so it copies nothing into the buffer of the
// loop: the result has undefined contents instead of those of `%x`. The bounds of an unsigned loop must be compared as
// unsigned numbers.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
//   %0 = scf.for unsigned %arg2 = %c-4 to %c4 step %c1 iter_args(%arg3 = %alloc) -> (memref<4xf32>) {
func.func @f(%x: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %low = arith.constant -4 : index
  %high = arith.constant 4 : index
  %step = arith.constant 1 : index
  %r = scf.for unsigned %i = %low to %high step %step iter_args(%a = %x) -> tensor<4xf32> {
    %b = linalg.fill ins(%v : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r, %x : tensor<4xf32>, tensor<4xf32>
}
