// `-canonicalize` declares a vector transfer at a negative index to be in bounds.
//
// The read begins one element before the buffer, so its first element is the padding, 0, and the others are the first
// three of the buffer. `-canonicalize` sets `in_bounds`, because -1 + 4 is not greater than 4: it compares the end of
// the vector with the end of the buffer, but not its beginning with 0. Afterwards, the read loads from memory in front
// of the buffer. The index must also be at least 0.
//
// mlir-opt -canonicalize
//   %0 = vector.transfer_read %arg0[%c-1], %cst {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
func.func @f(%m: memref<4xf32>) -> vector<4xf32> {
  %before = arith.constant -1 : index
  %padding = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%before], %padding : memref<4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
