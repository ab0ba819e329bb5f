// Across a call: @clear overwrites its argument, which the caller still reads.
func.func private @clear(%t: tensor<256xf32>) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %cleared = linalg.fill ins(%zero : f32) outs(%t : tensor<256xf32>) -> tensor<256xf32>
  return %cleared : tensor<256xf32>
}

func.func @keep(%t: tensor<256xf32>, %i: index) -> (tensor<256xf32>, f32) {
  %cleared = call @clear(%t) : (tensor<256xf32>) -> tensor<256xf32>
  %kept = tensor.extract %t[%i] : tensor<256xf32>
  return %cleared, %kept : tensor<256xf32>, f32
}
