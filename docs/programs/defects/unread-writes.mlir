// `-one-shot-bufferize` lets parallel iterations write the same elements of one buffer if nothing reads them.
//
// Each iteration of `scf.forall` fills a tensor from outside the loop with another number. The results are not used, so
// One-Shot Bufferize finds no read, and does not give each iteration a buffer of its own. All iterations then write all
// elements of `%alloc` concurrently, which is a data race. That an element is never read does not make a race legal:
// each iteration must write to memory of its own.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries -convert-linalg-to-loops
//   %0 = memref.load %arg0[%arg2] : memref<8xf32>
//   memref.store %0, %alloc[%arg3] : memref<4xf32>
func.func @f(%t: memref<8xf32>, %x: f32) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  scf.forall (%i) in (8) {
    %v = memref.load %t[%i] : memref<8xf32>
    %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  }
  return
}
