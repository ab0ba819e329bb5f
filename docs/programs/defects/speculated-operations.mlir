// `-loop-invariant-code-motion` moves a division by zero, or an access out of bounds, out of a loop that does not run.
//
// The loop divides by `%n` and reads the element of `%t` at the remainder. If `%n` is 0, it does not run, and the function returns `%c0`.
// `-loop-invariant-code-motion` moves both out of the loop, so that the function divides by 0. `arith.divsi` stays in the
// loop: it is speculatable only if its divisor is a constant. So should `arith.remsi`, `arith.remui` and
// `arith.floordivsi` be, and `tensor.extract` and `tensor.extract_slice` only if their indices are constants in bounds.
//
// mlir-opt -loop-invariant-code-motion
//   %0 = arith.remsi %arg1, %arg0 : index
func.func @f(%n: index, %m: index, %t: tensor<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %d = arith.remsi %m, %n : index
    %e = tensor.extract %t[%d] : tensor<?xindex>
    %u = arith.addi %s, %e : index
    scf.yield %u : index
  }
  return %r : index
}
