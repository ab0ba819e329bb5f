func.func @f(%t: tensor<?x?xf32>, %m: memref<?x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %g = linalg.add ins(%t, %t : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = tensor.dim %g, %c0 : tensor<?x?xf32>
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, %n] : memref<?x?xf32> into memref<?x4x?xf32>
  %1 = memref.dim %e, %c0 : memref<?x4x?xf32>
  return %0, %1 : index, index
}
// =>
module {
  func.func @f(%arg0: tensor<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    return %dim, %arg2 : index, index
  }
}
// -----
/// What is packed or unpacked has the sizes of its destination.
func.func @f(%x: tensor<?xf32>, %p: tensor<?x4xf32>, %e: tensor<?x4xf32>) -> (index, index) {
 %c0 = arith.constant 0 : index
 %u = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [4] into %x : tensor<?x4xf32> -> tensor<?xf32>
 %a = tensor.dim %u, %c0 : tensor<?xf32>
 %k = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<?xf32> -> tensor<?x4xf32>
 %b = tensor.dim %k, %c0 : tensor<?x4xf32>
 return %a, %b : index, index
}
// =>
module {
  func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<?x4xf32>, %arg2: tensor<?x4xf32>) -> (index, index) {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %dim_0 = tensor.dim %arg2, %c0 : tensor<?x4xf32>
    return %dim, %dim_0 : index, index
  }
}
