// `-buffer-results-to-out-params` splits two results that are one buffer into two buffers.
//
// `@two` returns one buffer twice, so the store to the first result is visible in the second: `@f` returns `%v`. After
// the pass, the caller allocates a buffer for each result, and the store to one is no longer visible in the other: `@f`
// returns the element of `%a`. The same happens if a result is an argument of the function. Such results must stay
// results, or share one out param.
//
// mlir-opt -buffer-results-to-out-params
//   call @two(%arg0, %alloc, %alloc_0) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
//   memref.store %arg1, %alloc[%arg2] : memref<4xf32>
//   %0 = memref.load %alloc_0[%arg2] : memref<4xf32>
func.func private @two(%a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return %m, %m : memref<4xf32>, memref<4xf32>
}
func.func @f(%a: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %m:2 = call @two(%a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.store %v, %m#0[%i] : memref<4xf32>
  %r = memref.load %m#1[%i] : memref<4xf32>
  return %r : f32
}
