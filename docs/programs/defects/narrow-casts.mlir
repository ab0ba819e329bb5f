// `-canonicalize` folds two `arith.index_cast`, of which the first one truncates.
//
// The first cast keeps the lower 8 bits of `%j`, and the second one extends them with their sign. For `%i = 0`, the
// function returns 44 before the pass and 300 after it. Two casts may be folded only if the type between them is wide
// enough for every index.
//
// mlir-opt -canonicalize
//   %0 = arith.addi %arg0, %c300 : index
//   return %0 : index
func.func @f(%i: index) -> index {
  %c300 = arith.constant 300 : index
  %j = arith.addi %i, %c300 : index
  %n = arith.index_cast %j : index to i8
  %r = arith.index_cast %n : i8 to index
  return %r : index
}
