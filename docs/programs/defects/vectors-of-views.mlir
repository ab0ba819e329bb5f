// `-fold-memref-alias-ops` replaces a load of a vector in a view by one in the source, where the elements are not
// adjacent.
//
// The view consists of every second row, and the 2x2 vector of two of its rows. After the pass, the vector is loaded
// from the source, and consists of two rows that follow each other there, which are different ones. The view may be
// dropped only if the dimensions along which the vector lies are neighbouring dimensions with step 1 in the source.
//
// mlir-opt -fold-memref-alias-ops
//   %0 = affine.apply #map()[%arg1]
//   %1 = vector.load %arg0[%0, %arg1] : memref<8x4xf32>, vector<2x2xf32>
func.func @f(%m: memref<8x4xf32>, %i: index) -> vector<2x2xf32> {
  %s = memref.subview %m[0, 0] [4, 4] [2, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  %v = vector.load %s[%i, %i] : memref<4x4xf32, strided<[8, 1]>>, vector<2x2xf32>
  return %v : vector<2x2xf32>
}
