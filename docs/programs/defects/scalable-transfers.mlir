// `-canonicalize` declares the transfer of a scalable vector to be in bounds.
//
// A `vector<[4]xf32>` has 4 elements or a multiple of that, depending on the machine, and the buffer has 4. If there are
// more, the other elements of the read are the padding. `-canonicalize` sets `in_bounds`, because 0 + 4 is not greater
// than 4. Afterwards, the read may load from memory past the end of the buffer. In the same way, it takes transfers as
// disjoint if they are 4 elements apart. A scalable dimension must be neither in bounds nor disjoint by its least size.
//
// mlir-opt -canonicalize
//   %0 = vector.transfer_read %arg0[%c0], %cst {in_bounds = [true]} : memref<4xf32>, vector<[4]xf32>
func.func @f(%m: memref<4xf32>) -> vector<[4]xf32> {
  %c0 = arith.constant 0 : index
  %padding = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %padding : memref<4xf32>, vector<[4]xf32>
  return %v : vector<[4]xf32>
}
