func.func @a(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %4 = linalg.copy ins(%0 : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
// =>
module {
  func.func @a(%arg0: tensor<8xf32>, %arg1: f32) -> tensor<8xf32> {
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%arg1 : f32) outs(%arg0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = linalg.copy ins(%1 : tensor<8xf32>) outs(%arg0 : tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
// -----
func.func @c(%f: f32, %m: memref<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %t = "test.t"() : () -> tensor<8xf32>
  %u = arith.addf %t, %t : tensor<8xf32>
  %4 = linalg.copy ins(%0 : tensor<8xf32>) outs(%u : tensor<8xf32>) -> tensor<8xf32>
  linalg.copy ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)
  return %4 : tensor<8xf32>
}
// =>
module {
  func.func @c(%arg0: f32, %arg1: memref<8xf32>) -> tensor<8xf32> {
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%arg0 : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = "test.t"() : () -> tensor<8xf32>
    %3 = arith.addf %2, %2 : tensor<8xf32>
    %4 = linalg.copy ins(%1 : tensor<8xf32>) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
    linalg.copy ins(%arg1 : memref<8xf32>) outs(%arg1 : memref<8xf32>)
    return %4 : tensor<8xf32>
  }
}
