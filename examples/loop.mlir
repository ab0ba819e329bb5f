// Carried around a loop: each iteration reads %t, which an earlier one would have overwritten.
func.func @running_max(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> (tensor<?xf32>) {
    %mirrored = arith.subi %n, %i : index
    %x = tensor.extract %t[%mirrored] : tensor<?xf32>
    %y = tensor.extract %acc[%i] : tensor<?xf32>
    %max = arith.maximumf %x, %y : f32
    %next = tensor.insert %max into %acc[%i] : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %result : tensor<?xf32>
}
