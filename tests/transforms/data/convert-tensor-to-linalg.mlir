func.func @f(%t: tensor<?x4xf32>, %n: index, %f: f32) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = tensor.pad %t low[1, %n] high[%n, 2] { ^bb0(%i: index, %j: index): tensor.yield %f : f32 } : tensor<?x4xf32> to tensor<?x8xf32>
  %1 = tensor.pad %t low[1, 2] high[3, 2] { ^bb0(%i: index, %j: index):
    %g = "test.x"(%i) : (index) -> f32
    tensor.yield %g : f32 } : tensor<?x4xf32> to tensor<?x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    %c1 = arith.constant 1 : index
    %0 = arith.addi %dim, %c1 : index
    %1 = arith.addi %0, %arg1 : index
    %2 = tensor.empty(%1) : tensor<?x8xf32>
    %3 = linalg.fill ins(%arg2 : f32) outs(%2 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %c0_0 = arith.constant 0 : index
    %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x4xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %3[1, %arg1] [%dim_1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
    %c0_2 = arith.constant 0 : index
    %dim_3 = tensor.dim %arg0, %c0_2 : tensor<?x4xf32>
    %c1_4 = arith.constant 1 : index
    %4 = arith.addi %dim_3, %c1_4 : index
    %c3 = arith.constant 3 : index
    %5 = arith.addi %4, %c3 : index
    %6 = tensor.empty(%5) : tensor<?x8xf32>
    %generated = tensor.generate %5 {
    ^bb0(%arg3: index, %arg4: index):
      %7 = "test.x"(%arg3) : (index) -> f32
      tensor.yield %7 : f32
    } : tensor<?x8xf32>
    %c0_5 = arith.constant 0 : index
    %dim_6 = tensor.dim %arg0, %c0_5 : tensor<?x4xf32>
    %inserted_slice_7 = tensor.insert_slice %arg0 into %generated[1, 2] [%dim_6, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
    return %inserted_slice, %inserted_slice_7 : tensor<?x8xf32>, tensor<?x8xf32>
  }
}

