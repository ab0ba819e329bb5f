// `-bufferization-lower-deallocations` leaks a buffer that only the second of two aliases owns.
//
// `%a` and `%b` are one buffer, and the condition of `%b` says that it is owned: the buffer must be freed. The lowered
// code checks for each memref whether an earlier one is the same buffer, and then does not free it, even if the
// condition of the earlier one is false, as here for `%a`. So nobody frees the buffer. An earlier alias counts only if
// its own condition holds.
//
// mlir-opt -bufferization-lower-deallocations
//   %3 = scf.for %arg6 = %c0 to %arg5 step %c1 iter_args(%arg7 = %2) -> (i1) {
//   %5 = memref.load %arg0[%arg6] : memref<?xindex>
//   %6 = arith.cmpi ne, %5, %0 : index
//   %7 = arith.andi %arg7, %6 : i1
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %f = arith.constant false
  %t = arith.constant true
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  bufferization.dealloc (%a, %b : memref<4xf32>, memref<?xf32>) if (%f, %t)
  return
}
