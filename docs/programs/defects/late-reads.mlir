// `-canonicalize` loads an element of `tensor.generate` where it is extracted, although the memory has changed since.
//
// The tensor has the contents of `%m` before the store, so the function returns the old element. The pass replaces the
// extraction by a copy of the body, whose load comes after the store: the function returns `%v`. The body may be copied
// only if it has no memory effects, or if nothing writes to the memory in between.
//
// mlir-opt -canonicalize
//   memref.store %arg1, %arg0[%arg2] : memref<6xf32>
//   %0 = memref.load %arg0[%arg2] : memref<6xf32>
func.func @f(%m: memref<6xf32>, %v: f32, %i: index) -> f32 {
  %t = tensor.generate {
  ^bb0(%k: index):
    %x = memref.load %m[%k] : memref<6xf32>
    tensor.yield %x : f32
  } : tensor<6xf32>
  memref.store %v, %m[%i] : memref<6xf32>
  %r = tensor.extract %t[%i] : tensor<6xf32>
  return %r : f32
}
