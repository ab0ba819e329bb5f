// `-canonicalize` loads a size from the shape operand of `memref.reshape` where the program does not ask for it.
//
// The function asks for the size of dimension `%k` only if that dimension exists, and returns 0 otherwise. The pattern
// for a `memref.dim` of a `memref.reshape` loads the size from the shape operand right behind the reshape, in front of
// the branch. If `%k` is 2 or more, this load is out of bounds. The load must stay at the `memref.dim`, unless the
// dimension is known to exist.
//
// mlir-opt -canonicalize
//   %0 = memref.load %arg1[%arg2] : memref<2xindex>
//   %1 = arith.cmpi ult, %arg2, %c2 : index
func.func @f(%m: memref<6xf32>, %sizes: memref<2xindex>, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = memref.reshape %m(%sizes) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
  %exists = arith.cmpi ult, %k, %c2 : index
  %size = scf.if %exists -> index {
    %d = memref.dim %r, %k : memref<?x?xf32>
    scf.yield %d : index
  } else {
    scf.yield %c0 : index
  }
  return %size : index
}
