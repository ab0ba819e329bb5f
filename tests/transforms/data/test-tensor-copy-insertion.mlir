func.func @read_after_write(%t: tensor<4xf32> {bufferization.writable = true}, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
// =>
module {
  func.func @read_after_write(%arg0: tensor<4xf32> {bufferization.writable = true}, %arg1: f32, %arg2: index) -> (tensor<4xf32>, f32) {
    %0 = bufferization.alloc_tensor() copy(%arg0) : tensor<4xf32>
    %inserted = tensor.insert %arg1 into %0[%arg2] : tensor<4xf32>
    %extracted = tensor.extract %arg0[%arg2] : tensor<4xf32>
    return %inserted, %extracted : tensor<4xf32>, f32
  }
}
// -----
/// Contents that nobody reads are not copied; sizes that are not known are asked for.
func.func @overwritten(%t: tensor<?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %0, %t : tensor<?xf32>, tensor<?xf32>
}
// =>
module {
  func.func @overwritten(%arg0: tensor<?xf32>, %arg1: f32) -> (tensor<?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %0 = bufferization.alloc_tensor(%dim) : tensor<?xf32>
    %1 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    return %1, %arg0 : tensor<?xf32>, tensor<?xf32>
  }
}
