// A branch in a loop: the buffer that the loop carries is written on one path only.
func.func @clamp(%t: tensor<64xf32>, %limit: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %t) -> (tensor<64xf32>) {
    %x = tensor.extract %acc[%i] : tensor<64xf32>
    %over = arith.cmpf ogt, %x, %limit : f32
    %next = scf.if %over -> (tensor<64xf32>) {
      %low = tensor.insert %limit into %acc[%i] : tensor<64xf32>
      scf.yield %low : tensor<64xf32>
    } else {
      scf.yield %acc : tensor<64xf32>
    }
    scf.yield %next : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
