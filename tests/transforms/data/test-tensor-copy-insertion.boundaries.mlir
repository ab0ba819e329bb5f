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
// -----
func.func private @reads(tensor<4xf32> {bufferization.access = "read"})
func.func @loop(%t: tensor<4xf32>, %f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> tensor<4xf32> {
    %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
    func.call @reads(%x) : (tensor<4xf32>) -> ()
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// =>
module {
  func.func private @reads(tensor<4xf32> {bufferization.access = "read"})
  func.func @loop(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<4xf32>) {
      %1 = bufferization.alloc_tensor() copy(%arg4) : tensor<4xf32>
      %inserted = tensor.insert %arg1 into %1[%arg3] : tensor<4xf32>
      func.call @reads(%arg4) : (tensor<4xf32>) -> ()
      scf.yield %inserted : tensor<4xf32>
    }
    return %0 : tensor<4xf32>
  }
}
