// One-Shot Bufferize assumes that a slice of a tensor outside of a loop is the same slice in each iteration.
//
// Each iteration takes a slice of `%t`, fills it, and inserts it into `%t` again; the next iteration starts from the
// initial `%t`. Before the pass, only the slice of the last iteration is filled in the result. After the pass, all of
// them are: the slices are filled in the buffer of `%t`. The exception for matching `extract_slice` and `insert_slice`
// only holds within one iteration; the fill or the insertion needs a copy of `%t`.
//
// mlir-opt -one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops"
//   linalg.fill ins(%arg2 : f32) outs(%subview : memref<2xf32, strided<[?], offset: ?>>)
//   %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
//   memref.copy %arg0, %alloc : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
func.func @f(%t: tensor<8xf32>, %last: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%a = %last) -> tensor<8xf32> {
    %s = tensor.extract_slice %t[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %u = linalg.fill ins(%v : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %w = tensor.insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
