// A slice that does not match: it is extracted from %t but inserted into %bumped, so it cannot be filled in place.
func.func @clear_tile(%t: tensor<64x64xf32>, %f: f32, %i: index) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %tile = tensor.extract_slice %t[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%tile : tensor<8x64xf32>) -> tensor<8x64xf32>
  %bumped = tensor.insert %f into %t[%i, %i] : tensor<64x64xf32>
  %result = tensor.insert_slice %cleared into %bumped[%i, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<64x64xf32>
  return %result : tensor<64x64xf32>
}
