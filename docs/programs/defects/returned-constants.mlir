// One-Shot Bufferize lets a caller write to a constant that the callee returns.
//
// `@table` returns a constant, which becomes a `memref.global` marked constant. The caller inserts into the result in
// place, that is, into the global. Every later call of `@table` returns the changed contents: `%e` is `%v` instead of
// an element of the constant. The result of such a call must not be writable, so that the insertion gets a copy.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %0 = call @table() : () -> memref<4xf32>
//   memref.store %arg0, %0[%arg1] : memref<4xf32>
func.func private @table() -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @f(%v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %t = call @table() : () -> tensor<4xf32>
  %u = tensor.insert %v into %t[%i] : tensor<4xf32>
  %s = call @table() : () -> tensor<4xf32>
  %e = tensor.extract %s[%i] : tensor<4xf32>
  return %u, %e : tensor<4xf32>, f32
}
