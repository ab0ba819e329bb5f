func.func @f(%a: memref<4x?xf32>, %b: memref<?x5xf32>, %c: memref<4x5xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%c : memref<4x5xf32>)
  linalg.matmul ins(%a, %b : memref<4x?xf32>, memref<?x5xf32>) outs(%c : memref<4x5xf32>)
  return
}
// =>
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @f(%arg0: memref<4x?xf32>, %arg1: memref<?x5xf32>, %arg2: memref<4x5xf32>, %arg3: f32) {
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : f32) outs(%arg2 : memref<4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<4x?xf32>, memref<?x5xf32>) outs(%arg2 : memref<4x5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}

