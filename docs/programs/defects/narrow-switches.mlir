// `-convert-scf-to-cf` takes a case of `scf.index_switch` whose number is another one.
//
// The index is cast to `i32`, because `cf.switch` takes an integer. An index has 64 bits on most machines, so the cast
// drops half of them: for 4294967296, the lowered program takes case 0 instead of the default. Cases that do not fit `i32`
// collide in the same way. A cast to `i64` keeps all bits.
//
// mlir-opt -convert-scf-to-cf
//   %0 = arith.index_cast %c4294967296 : index to i32
func.func @f() -> i32 {
  %i = arith.constant 4294967296 : index
  %r = scf.index_switch %i -> i32
  case 0 {
    %one = arith.constant 1 : i32
    scf.yield %one : i32
  }
  default {
    %two = arith.constant 2 : i32
    scf.yield %two : i32
  }
  return %r : i32
}
