// `-buffer-deallocation` misses uses of a buffer in the block where it is freed, if the buffer is allocated in another
// block.
//
// The deallocation belongs in `^join`, which both paths reach. There the pass only looks at views that are defined in
// that block, misses the load, and frees the buffer at the beginning of the block, before it is read. Before the pass,
// the function returns `%v`. The deallocation has to follow all uses in the block, wherever the buffer is defined.
//
// mlir-opt-16 -buffer-deallocation
//   memref.dealloc %alloc : memref<4xf32>
//   %1 = memref.load %alloc[%arg3] : memref<4xf32>
func.func @f(%v: f32, %c: i1, %o: memref<4xf32>, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^left, ^join
^left:
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  cf.br ^join
^join:
  %w = arith.addf %v, %v : f32
  %r = memref.load %a[%i] : memref<4xf32>
  return %r : f32
}
