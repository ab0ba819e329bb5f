func.func @soften(%picture: tensor<64x64xf32>, %out: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<256xi32>) {
  %0 = image.blur %picture into %out radius 3 : tensor<64x64xf32> into tensor<64x64xf32> -> tensor<64x64xf32>
  %unused = image.histogram %picture : tensor<64x64xf32> -> tensor<256xi32>
  %1 = image.histogram %0 {bins = 256 : i64} : tensor<64x64xf32> -> tensor<256xi32>
  return %0, %1 : tensor<64x64xf32>, tensor<256xi32>
}
func.func @brush(%palette: !image.palette<f32, 16>, %number: index, %dark: i1) -> f32 {
  %0 = image.colour %palette[%number] : <f32, 16>
  image.when %dark {
  }
  return %0 : f32
}
