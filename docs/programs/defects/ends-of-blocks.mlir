// `-buffer-deallocation` leaks a buffer that has to be freed in a block with nothing but a terminator.
//
// The block that both paths reach, `^join`, consists of a return only. The pass treats it as the last use of the
// buffer, looks for an operation behind it, finds none, and does not free the buffer. The deallocation belongs before
// the return.
//
// mlir-opt-16 -buffer-deallocation
//   ^bb2:  // 2 preds: ^bb0, ^bb1
//   return
func.func @f(%v: f32, %c: i1, %o: memref<4xf32>, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^left, ^join
^left:
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  cf.br ^join
^join:
  return
}
