// One-Shot Bufferize misses a conflict if the write is not in the block of the argument that it overwrites.
//
// The function returns the element of `%t` before the insertion. After the pass, it returns `%v`: the insertion
// overwrites the buffer of `%t`, from which the element is then loaded. The definition is an argument of the entry
// block and the write is in `^a`, which must not be a reason to ignore the write. The insertion needs a copy, as it has
// if everything is in one block.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   memref.store %arg2, %arg0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
//   %0 = memref.load %arg0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
//   return %arg0, %0 : memref<4xf32, strided<[?], offset: ?>>, f32
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  cf.br ^a
^a:
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}
