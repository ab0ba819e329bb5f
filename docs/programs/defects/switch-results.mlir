// One-Shot Bufferize assumes that the results of `scf.index_switch` are new buffers.
//
// Both regions yield `%t`, so the result of `scf.index_switch` is the buffer of `%t`. The insertion into the result
// overwrites `%t`, and the function returns `%v` as the old element of `%t`. `scf.if` is handled correctly: its results
// may alias what its regions yield. The same must hold for `scf.index_switch`, so that the insertion gets a copy.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   memref.store %arg2, %0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
//   %1 = memref.load %arg0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (f32, tensor<4xf32>) {
  %s = scf.index_switch %i -> tensor<4xf32>
  case 0 { scf.yield %t : tensor<4xf32> }
  default { scf.yield %t : tensor<4xf32> }
  %w = tensor.insert %v into %s[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %w : f32, tensor<4xf32>
}
