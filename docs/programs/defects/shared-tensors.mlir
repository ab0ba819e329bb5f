// In a bufferized `scf.forall`, an iteration reads what other iterations inserted into a shared tensor.
//
// Within an iteration, `%o` has the contents of `%t`: insertions of other iterations become visible in the result of
// `scf.forall` only. Iteration i reads element i and inserts it at i + 1. Before the pass, the result is `%t` shifted
// by one element. After the pass, iterations read the buffer into which the others insert, so element 0 may be
// propagated to the end, and the iterations race. The reads must use a copy of the initial tensor.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %subview = memref.subview %arg0[%arg1] [1] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
//   %subview_0 = memref.subview %arg0[%0] [1] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
//   memref.copy %subview, %subview_0 : memref<1xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (7) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %x = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %j = arith.addi %i, %c1 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%j] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
