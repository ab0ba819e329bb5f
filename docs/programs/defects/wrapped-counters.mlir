// `-convert-scf-to-cf` makes a loop that never ends.
//
// The loop runs 64 times: for 0, 2, ..., 126. The lowered loop adds 2 to 126 before it compares with the bound 127. The sum
// 128 does not fit `i8` and becomes -128, which is below the bound, so the loop starts again. The counter of a loop may
// overflow in its last iteration whenever the bound is less than a step away from the end of its type.
//
// mlir-opt -convert-scf-to-cf
//   %4 = arith.addi %0, %c2_i8 : i8
func.func @f() -> i32 {
  %lower = arith.constant 0 : i8
  %upper = arith.constant 127 : i8
  %step = arith.constant 2 : i8
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> i32 : i8 {
    %next = arith.addi %sum, %one : i32
    scf.yield %next : i32
  }
  return %n : i32
}
