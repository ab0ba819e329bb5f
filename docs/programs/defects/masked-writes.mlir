// One-Shot Bufferize assumes that a masked `vector.transfer_write` overwrites its whole destination.
//
// The vector is as long as the destination, but the mask may leave elements out, which keep the values of `%t`. The
// pass decides that the old contents are not read, and allocates a buffer without copying `%t` into it, so these
// elements are undefined. A write with a mask reads its destination. The same holds for a `vector<8xf32>` that is
// written to one row of a `tensor<4x8xf32>`: it is compared with the size of the wrong dimension.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
//   vector.transfer_write %arg1, %alloc[%c0], %arg2 {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %v: vector<4xf32>, %m: vector<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %u = vector.transfer_write %v, %t[%c0], %m {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %u : tensor<4xf32>
}
