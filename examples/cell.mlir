// Read after write: %old is read from %t after %new was computed from it, so %t must not be overwritten.
func.func @swap_cell(%t: tensor<1024xf32>, %f: f32, %i: index) -> (tensor<1024xf32>, f32) {
  %new = tensor.insert %f into %t[%i] : tensor<1024xf32>
  %old = tensor.extract %t[%i] : tensor<1024xf32>
  return %new, %old : tensor<1024xf32>, f32
}
