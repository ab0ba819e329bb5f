// One-Shot Bufferize takes the argument that a call returns for another argument that it may alias.
//
// `@g` returns `%b` and reads `%a` or `%b`, so its result may alias either argument as far as the analysis knows.
// Because the result is equivalent to one argument, the pass takes it to be equivalent to both. In `@f`, `%r` is then
// the same buffer as `%s`, so that `linalg.negf` seems to read and write each element at one place. In fact `%r` begins
// one element before `%s`: the function returns the negated elements 0 to 3 of `%t` before the pass, and element 0 with
// changing signs after it. An operand is equivalent to a result only if the callee returns that argument.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %subview = memref.subview %arg0[1] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
//   %subview_0 = memref.subview %arg0[0] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
//   linalg.negf ins(%0#0 : memref<4xf32, strided<[?], offset: ?>>) outs(%subview : memref<4xf32, strided<[?], offset: ?>>)
func.func private @g(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1, %i: index) -> (tensor<4xf32>, f32) {
  %s = arith.select %c, %a, %b : tensor<4xf32>
  %x = tensor.extract %s[%i] : tensor<4xf32>
  return %b, %x : tensor<4xf32>, f32
}
func.func @f(%t: tensor<8xf32>, %c: i1, %i: index) -> (tensor<4xf32>, f32) {
  %s = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r, %x = call @g(%s, %b, %c, %i) : (tensor<4xf32>, tensor<4xf32>, i1, index) -> (tensor<4xf32>, f32)
  %w = linalg.negf ins(%r : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
