// `-eliminate-empty-tensors` moves writes to a memref across loads and stores of it.
//
// The load returns the old element of `%m` before the passes, and `%v` after them: the fill writes to `%m` before the
// load. The `restrict` of `bufferization.materialize_in_destination` says that the memref is the only way for tensors
// to access the buffer. `-eliminate-empty-tensors` assumes that nothing else accesses the buffer at all. The tensor may
// be computed in the buffer only if nothing accesses the buffer before the copy and the tensor is not used after it. (A
// store to `%m` after the copy, followed by a read of `%1`, and a write in place to `%1` after the copy are treated
// wrongly, too.)
//
// mlir-opt -eliminate-empty-tensors -one-shot-bufferize=bufferize-function-boundaries
//   linalg.fill ins(%arg0 : f32) outs(%arg1 : memref<4xf32>)
//   %0 = memref.load %arg1[%arg2] : memref<4xf32>
func.func @f(%v: f32, %m: memref<4xf32>, %i: index) -> f32 {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %r = memref.load %m[%i] : memref<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %r : f32
}
