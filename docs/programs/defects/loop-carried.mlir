// With `allow-return-allocs-from-loops`, One-Shot Bufferize misses that a loop may yield one buffer as two of its
// results.
//
// Each iteration yields `%s` twice, so both results of the loop are one buffer. Before the pass, the insertion into the
// first result does not change the second one, which is returned as well. After the pass, it does. If a loop may yield
// one buffer as two results, these results must alias. The same happens if the loop yields a constant, which is then
// written.
//
// mlir-opt -one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops"
//   %cast = memref.cast %alloc : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
//   %cast_0 = memref.cast %alloc : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
//   scf.yield %cast, %cast_0 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>
//   memref.store %arg1, %0#0[%c0] : memref<4xf32, strided<[?], offset: ?>>
func.func @f(%v: f32, %z: f32, %n: index, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = tensor.splat %v : tensor<4xf32>
    scf.yield %s, %s : tensor<4xf32>, tensor<4xf32>
  }
  %w = tensor.insert %z into %r#0[%c0] : tensor<4xf32>
  return %w, %r#1 : tensor<4xf32>, tensor<4xf32>
}
