// One-Shot Bufferize does not copy the value of `ml_program.global_load` if the global is stored to before the value is
// read.
//
// The program loads the global, stores `%v` into it, and returns an element of the value that was loaded. After the
// pass, the loaded value is the buffer of the global itself, so the function returns an element of `%v`. The store is a
// write to the buffer of every loaded value that is read later; the load needs a copy.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %0 = memref.get_global @g : memref<4xf32>
//   %1 = memref.get_global @g : memref<4xf32>
//   memref.copy %arg0, %1 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
//   %2 = memref.load %0[%arg1] : memref<4xf32>
ml_program.global private mutable @g(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f(%v: tensor<4xf32>, %i: index) -> f32 {
  %old = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %v : tensor<4xf32>
  %r = tensor.extract %old[%i] : tensor<4xf32>
  return %r : f32
}
