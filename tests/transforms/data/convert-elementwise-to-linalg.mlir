/// Sizes that are known need no tensor.dim.
func.func @f(%n: index, %k: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %cst = arith.constant 1.0 : f32
  %g = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32>
  %0 = arith.cmpf olt, %g, %t : tensor<?xf32>
  %s = tensor.extract_slice %t[0] [%k] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = arith.cmpf olt, %s, %t : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %2 = arith.cmpf olt, %e, %t : tensor<?xf32>
  %c = tensor.cast %u : tensor<4xf32> to tensor<?xf32>
  %3 = arith.cmpf olt, %c, %t : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}
// =>
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: tensor<?xf32>, %arg3: tensor<4xf32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
    %cst = arith.constant 1.000000e+00 : f32
    %generated = tensor.generate %arg0 {
    ^bb0(%arg4: index):
      tensor.yield %cst : f32
    } : tensor<?xf32>
    %c0 = arith.constant 0 : index
    %0 = tensor.empty(%arg0) : tensor<?xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%generated, %arg2 : tensor<?xf32>, tensor<?xf32>) outs(%0 : tensor<?xi1>) {
    ^bb0(%in: f32, %in_3: f32, %out: i1):
      %9 = arith.cmpf olt, %in, %in_3 : f32
      linalg.yield %9 : i1
    } -> tensor<?xi1>
    %extracted_slice = tensor.extract_slice %arg2[0] [%arg1] [1] : tensor<?xf32> to tensor<?xf32>
    %c0_0 = arith.constant 0 : index
    %2 = tensor.empty(%arg1) : tensor<?xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%extracted_slice, %arg2 : tensor<?xf32>, tensor<?xf32>) outs(%2 : tensor<?xi1>) {
    ^bb0(%in: f32, %in_3: f32, %out: i1):
      %9 = arith.cmpf olt, %in, %in_3 : f32
      linalg.yield %9 : i1
    } -> tensor<?xi1>
    %4 = tensor.empty(%arg0) : tensor<?xf32>
    %c0_1 = arith.constant 0 : index
    %dim = tensor.dim %4, %c0_1 : tensor<?xf32>
    %5 = tensor.empty(%dim) : tensor<?xi1>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%4, %arg2 : tensor<?xf32>, tensor<?xf32>) outs(%5 : tensor<?xi1>) {
    ^bb0(%in: f32, %in_3: f32, %out: i1):
      %9 = arith.cmpf olt, %in, %in_3 : f32
      linalg.yield %9 : i1
    } -> tensor<?xi1>
    %cast = tensor.cast %arg3 : tensor<4xf32> to tensor<?xf32>
    %c0_2 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %7 = tensor.empty(%c4) : tensor<?xi1>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%cast, %arg2 : tensor<?xf32>, tensor<?xf32>) outs(%7 : tensor<?xi1>) {
    ^bb0(%in: f32, %in_3: f32, %out: i1):
      %9 = arith.cmpf olt, %in, %in_3 : f32
      linalg.yield %9 : i1
    } -> tensor<?xi1>
    return %1, %3, %6, %8 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
  }
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = arith.minimumf %c, %a : tensor<4xf32>
  %1 = arith.cmpi slt, %b, %b : tensor<4xi32>
  %k = arith.constant dense<[1,2,3,4]> : tensor<4xi32>
  %2 = arith.addi %k, %b : tensor<4xi32>
  %3 = arith.subi %b, %b : tensor<4xi32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>
}
// =>
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) {
    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %cst : tensor<4xf32>, tensor<4xf32>) outs(%arg0 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %2 = arith.minimumf %in, %in_3 : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    %cst_0 = arith.constant dense<false> : tensor<4xi1>
    %cst_1 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg1, %cst_1 : tensor<4xi32>, tensor<4xi32>) outs(%arg1 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %2 = arith.addi %in, %in_3 : i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    %cst_2 = arith.constant dense<0> : tensor<4xi32>
    return %0, %cst_0, %1, %cst_2 : tensor<4xf32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>
  }
}
