func.func @folds(%a: tensor<4xf32>, %m: memref<4xf32>) -> (tensor<4xf32>, memref<4xf32>) {
  %0 = tensor.concat dim(0) %a : (tensor<4xf32>) -> tensor<4xf32>
  %1 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
  return %0, %2 : tensor<4xf32>, memref<4xf32>
}
// =>
module {
  func.func @folds(%arg0: tensor<4xf32>, %arg1: memref<4xf32>) -> (tensor<4xf32>, memref<4xf32>) {
    %0 = bufferization.to_tensor %arg1 : memref<4xf32> to tensor<4xf32>
    return %arg0, %arg1 : tensor<4xf32>, memref<4xf32>
  }
}
