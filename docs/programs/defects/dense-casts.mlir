// One-Shot Bufferize casts a part of a buffer, whose rows lie apart, to a layout without gaps.
//
// The rows of the slice lie 4 elements apart; those of `memref<4x?xf32>` lie `%n` apart. `memref.cast` is taken to be
// safe because no stride would become static, but the strides of an identity layout are not arbitrary: they follow from
// its sizes. In `@g`, `memref.collapse_shape` relies on them: unless `%n` is 4, element `%n` of the collapsed memref is
// the element `[0, %n]` of `%t` instead of `[1, 0]`. A buffer has to be allocated and the part copied, unless the
// layouts are the same for every size. `-canonicalize` has the same problem where it folds `to_buffer` of `to_tensor`.
//
// mlir-opt -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"
//   %subview = memref.subview %arg0[0, 0] [4, %arg1] [1, 1] : memref<4x4xf32> to memref<4x?xf32, strided<[4, 1]>>
//   %cast = memref.cast %subview : memref<4x?xf32, strided<[4, 1]>> to memref<4x?xf32>
func.func private @g(%t: tensor<4x?xf32>, %i: index) -> f32 {
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>
  %r = tensor.extract %c[%i] : tensor<?xf32>
  return %r : f32
}
func.func @f(%t: tensor<4x4xf32>, %n: index, %i: index) -> f32 {
  %s = tensor.extract_slice %t[0, 0] [4, %n] [1, 1] : tensor<4x4xf32> to tensor<4x?xf32>
  %r = func.call @g(%s, %i) : (tensor<4x?xf32>, index) -> f32
  return %r : f32
}
