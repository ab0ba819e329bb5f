// One-Shot Bufferize treats the insertions at the end of one `scf.forall` as unordered.
//
// In each iteration, the first insertion overwrites an element of `%y` with `%k`, and the second one inserts the old
// element, `%m`, into `%x`. The insertions run one after the other. The first result is `%a` before the pass, and
// consists of `%k` after it: `%m` is a view of the buffer of `%y`, so the second insertion copies what the first one
// wrote. `%m` must be copied before the insertions, or the program be rejected.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   memref.copy %alloc_2, %subview_3 : memref<1xi32> to memref<1xi32, strided<[1], offset: ?>>
//   memref.copy %subview, %subview_4 : memref<1xi32, strided<[1], offset: ?>> to memref<1xi32, strided<[1], offset: ?>>
func.func @f(%a: tensor<4xi32>, %k: i32) -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.forall (%i) in (4) shared_outs(%x = %a, %y = %a) -> (tensor<4xi32>, tensor<4xi32>) {
    %m = tensor.extract_slice %y[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %w = tensor.insert %k into %m[%c0] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %y[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      tensor.parallel_insert_slice %m into %x[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}
