func.func @copies(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %m: memref<4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %1 = linalg.copy ins(%x : tensor<?x4xf32>) outs(%y : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = linalg.copy ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  linalg.copy ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  return %1, %2 : tensor<?x4xf32>, tensor<?x4xf32>
}
// =>
module {
  func.func @copies(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>, %arg2: memref<4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %0 = linalg.copy ins(%arg0 : tensor<?x4xf32>) outs(%arg1 : tensor<?x4xf32>) -> tensor<?x4xf32>
    return %0, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>
  }
}
// -----
func.func @transposed(%x: tensor<3x4xf32>, %y: tensor<4x3xf32>, %z: tensor<3x4xf32>, %b: tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<3x4xf32>) {
  %1 = linalg.transpose ins(%x : tensor<3x4xf32>) outs(%z : tensor<3x4xf32>) permutation = [0, 1]
  %2 = linalg.transpose ins(%x : tensor<3x4xf32>) outs(%y : tensor<4x3xf32>) permutation = [1, 0]
  %3 = linalg.transpose ins(%2 : tensor<4x3xf32>) outs(%z : tensor<3x4xf32>) permutation = [1, 0]
  %4 = linalg.broadcast ins(%b : tensor<3xf32>) outs(%z : tensor<3x4xf32>) dimensions = [1]
  %5 = linalg.transpose ins(%4 : tensor<3x4xf32>) outs(%y : tensor<4x3xf32>) permutation = [1, 0]
  %6 = linalg.broadcast ins(%x : tensor<3x4xf32>) outs(%z : tensor<3x4xf32>) dimensions = []
  return %1, %3, %5, %6 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<3x4xf32>
}
// =>
module {
  func.func @transposed(%arg0: tensor<3x4xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<3x4xf32>) {
    %broadcasted = linalg.broadcast ins(%arg3 : tensor<3xf32>) outs(%arg1 : tensor<4x3xf32>) dimensions = [0] 
    return %arg0, %arg0, %broadcasted, %arg0 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<3x4xf32>
  }
}
// -----
func.func @moved_twice(%x: tensor<2x3x4xf32>, %y: tensor<3x4x2xf32>, %z: tensor<4x3x2xf32>, %bb: tensor<2x3x4x5xf32>, %b5: tensor<2x3xf32>, %b6: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x3x4x5xf32>) {
  %2 = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%y : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  %3 = linalg.transpose ins(%2 : tensor<3x4x2xf32>) outs(%z : tensor<4x3x2xf32>) permutation = [1, 0, 2]
  %4 = linalg.broadcast ins(%b5 : tensor<2x3xf32>) outs(%b6 : tensor<2x3x4xf32>) dimensions = [2]
  %5 = linalg.broadcast ins(%4 : tensor<2x3x4xf32>) outs(%bb : tensor<2x3x4x5xf32>) dimensions = [3]
  return %3, %5 : tensor<4x3x2xf32>, tensor<2x3x4x5xf32>
}
// =>
module {
  func.func @moved_twice(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3x4x2xf32>, %arg2: tensor<4x3x2xf32>, %arg3: tensor<2x3x4x5xf32>, %arg4: tensor<2x3xf32>, %arg5: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x3x4x5xf32>) {
    %transposed = linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%arg2 : tensor<4x3x2xf32>) permutation = [2, 1, 0] 
    %broadcasted = linalg.broadcast ins(%arg4 : tensor<2x3xf32>) outs(%arg3 : tensor<2x3x4x5xf32>) dimensions = [2, 3] 
    return %transposed, %broadcasted : tensor<4x3x2xf32>, tensor<2x3x4x5xf32>
  }
}
// -----
func.func @identities(%x: tensor<2x3xf32>, %y: tensor<2x?xf32>, %z: tensor<3x2xf32>, %m: memref<2x3xf32>, %n: memref<2x3xf32>) -> (tensor<2x?xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf64>) {
  %1 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%x : tensor<2x3xf32>) outs(%y : tensor<2x?xf32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 } -> tensor<2x?xf32>
  %2 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j,i)>], iterator_types=["parallel","parallel"]} ins(%x : tensor<2x3xf32>) outs(%z : tensor<3x2xf32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 } -> tensor<3x2xf32>
  %3 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%x : tensor<2x3xf32>) outs(%x : tensor<2x3xf32>) { ^bb0(%a: f32, %b: f32): linalg.yield %b : f32 } -> tensor<2x3xf32>
  linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%m : memref<2x3xf32>) outs(%n : memref<2x3xf32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }
  linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%m : memref<2x3xf32>) outs(%m : memref<2x3xf32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }
  %e = tensor.empty() : tensor<2x3xf64>
  %4 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf64>) { ^bb0(%a: f32, %b: f64): %c = arith.extf %a : f32 to f64
 linalg.yield %c : f64 } -> tensor<2x3xf64>
  return %1, %2, %3, %4 : tensor<2x?xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf64>
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @identities(%arg0: tensor<2x3xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<3x2xf32>, %arg3: memref<2x3xf32>, %arg4: memref<2x3xf32>) -> (tensor<2x?xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf64>) {
    %cast = tensor.cast %arg0 : tensor<2x3xf32> to tensor<2x?xf32>
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x3xf32>) outs(%arg2 : tensor<3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : memref<2x3xf32>) outs(%arg4 : memref<2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %1 = tensor.empty() : tensor<2x3xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x3xf32>) outs(%1 : tensor<2x3xf64>) {
    ^bb0(%in: f32, %out: f64):
      %3 = arith.extf %in : f32 to f64
      linalg.yield %3 : f64
    } -> tensor<2x3xf64>
    return %cast, %0, %arg0, %2 : tensor<2x?xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf64>
  }
}
// -----
func.func @cast_into_map_and_reduce(%x: tensor<2x?xf32>, %k: tensor<2x3xf32>, %r: tensor<2xf32>, %s: tensor<?x3xf32>) -> (tensor<2x?xf32>, tensor<2xf32>, tensor<?xf32>) {
  %c = tensor.cast %k : tensor<2x3xf32> to tensor<2x?xf32>
  %1 = linalg.map { arith.addf } ins(%c, %c : tensor<2x?xf32>, tensor<2x?xf32>) outs(%x : tensor<2x?xf32>)
  %2 = linalg.reduce { arith.addf } ins(%c : tensor<2x?xf32>) outs(%r : tensor<2xf32>) dimensions = [1]
  %c2 = tensor.cast %r : tensor<2xf32> to tensor<?xf32>
  %3 = linalg.reduce { arith.addf } ins(%s : tensor<?x3xf32>) outs(%c2 : tensor<?xf32>) dimensions = [1]
  return %1, %2, %3 : tensor<2x?xf32>, tensor<2xf32>, tensor<?xf32>
}
// =>
module {
  func.func @cast_into_map_and_reduce(%arg0: tensor<2x?xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2xf32>, %arg3: tensor<?x3xf32>) -> (tensor<2x?xf32>, tensor<2xf32>, tensor<?xf32>) {
    %cast = tensor.cast %arg0 : tensor<2x?xf32> to tensor<2x3xf32>
    %mapped = linalg.map { arith.addf } ins(%arg1, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%cast : tensor<2x3xf32>)
    %cast_0 = tensor.cast %mapped : tensor<2x3xf32> to tensor<2x?xf32>
    %reduced = linalg.reduce { arith.addf } ins(%arg1 : tensor<2x3xf32>) outs(%arg2 : tensor<2xf32>) dimensions = [1] 
    %cast_1 = tensor.cast %arg3 : tensor<?x3xf32> to tensor<2x3xf32>
    %reduced_2 = linalg.reduce { arith.addf } ins(%cast_1 : tensor<2x3xf32>) outs(%arg2 : tensor<2xf32>) dimensions = [1] 
    %cast_3 = tensor.cast %reduced_2 : tensor<2xf32> to tensor<?xf32>
    return %cast_0, %reduced, %cast_3 : tensor<2x?xf32>, tensor<2xf32>, tensor<?xf32>
  }
}
// -----
func.func @cast_results(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x8xf32>, tensor<?x4xf32>) {
  %0:2 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%x : tensor<?x?xf32>) outs(%y, %z : tensor<?x?xf32>, tensor<?x?xf32>) { ^bb0(%a: f32, %b: f32, %c: f32): %d = arith.addf %a, %b : f32
  linalg.yield %a, %d : f32, f32 } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %1 = tensor.cast %0#0 : tensor<?x?xf32> to tensor<?x8xf32>
  %2 = tensor.cast %0#1 : tensor<?x?xf32> to tensor<?x4xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<?x4xf32>
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @cast_results(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> (tensor<?x8xf32>, tensor<?x4xf32>) {
    %cast = tensor.cast %arg1 : tensor<?x?xf32> to tensor<?x8xf32>
    %cast_0 = tensor.cast %arg0 : tensor<?x?xf32> to tensor<?x8xf32>
    %cast_1 = tensor.cast %arg2 : tensor<?x?xf32> to tensor<?x8xf32>
    %0:2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cast_0 : tensor<?x8xf32>) outs(%cast, %cast_1 : tensor<?x8xf32>, tensor<?x8xf32>) {
    ^bb0(%in: f32, %out: f32, %out_4: f32):
      %1 = arith.addf %in, %out : f32
      linalg.yield %in, %1 : f32, f32
    } -> (tensor<?x8xf32>, tensor<?x8xf32>)
    %cast_2 = tensor.cast %0#1 : tensor<?x8xf32> to tensor<?x?xf32>
    %cast_3 = tensor.cast %cast_2 : tensor<?x?xf32> to tensor<?x4xf32>
    return %0#0, %cast_3 : tensor<?x8xf32>, tensor<?x4xf32>
  }
}
// -----
/// What was packed just before is unpacked as it is, unless the two cancel.
func.func @pad(%x: tensor<2x8xf32>, %d: tensor<16xf32>, %e: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> {
 %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<2x8xf32> -> tensor<16xf32>
 %k = linalg.pack %u padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<16xf32> -> tensor<4x4xf32>
 return %k : tensor<4x4xf32>
}
func.func @infer(%x: tensor<2x?x8xf32>, %d: tensor<16x?xf32>, %e: tensor<?x7x4xf32>) -> tensor<?x7x4xf32> {
 %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<2x?x8xf32> -> tensor<16x?xf32>
 %k = linalg.pack %u inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<16x?xf32> -> tensor<?x7x4xf32>
 return %k : tensor<?x7x4xf32>
}
func.func @uninfer(%x: tensor<16x?xf32>, %d: tensor<2x7x8xf32>, %e: tensor<?x7xf32>) -> tensor<?x7xf32> {
 %u = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<16x?xf32> -> tensor<2x7x8xf32>
 %k = linalg.unpack %u inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<2x7x8xf32> -> tensor<?x7xf32>
 return %k : tensor<?x7xf32>
}
func.func @uninfer2(%x: tensor<?x?xf32>, %d: tensor<2x?x8xf32>, %e: tensor<?x7xf32>) -> tensor<?x7xf32> {
 %u = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<?x?xf32> -> tensor<2x?x8xf32>
 %k = linalg.unpack %u inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<2x?x8xf32> -> tensor<?x7xf32>
 return %k : tensor<?x7xf32>
}
func.func @sliced(%x: tensor<20x7xf32>, %d: tensor<3x7x8xf32>, %e: tensor<24x7xf32>) -> tensor<20x7xf32> {
 %v = arith.constant 0.0 : f32
 %u = linalg.pack %x padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<20x7xf32> -> tensor<3x7x8xf32>
 %k = linalg.unpack %u inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<3x7x8xf32> -> tensor<24x7xf32>
 %s = tensor.extract_slice %k[0, 0] [20, 7] [1, 1] : tensor<24x7xf32> to tensor<20x7xf32>
 return %s : tensor<20x7xf32>
}
func.func @dest(%x: tensor<4xf32>, %y: tensor<?xf32>, %n: index, %e: tensor<?xf32>) -> tensor<?xf32> {
 %e1 = tensor.empty(%n) : tensor<?x4xf32>
 %f = linalg.exp ins(%e : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
 %u = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %e1 : tensor<4xf32> -> tensor<?x4xf32>
 %k = linalg.unpack %u inner_dims_pos = [0] inner_tiles = [4] into %f : tensor<?x4xf32> -> tensor<?xf32>
 return %k : tensor<?xf32>
}
func.func @fill(%x: tensor<2x8xf32>, %d: tensor<16xf32>, %e: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> {
 %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<2x8xf32> -> tensor<16xf32>
 %c = tensor.cast %u : tensor<16xf32> to tensor<?xf32>
 %k = linalg.pack %c inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<?xf32> -> tensor<4x4xf32>
 return %k : tensor<4x4xf32>
}
// =>
module {
  func.func @pad(%arg0: tensor<2x8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<4x4xf32>, %arg3: f32) -> tensor<4x4xf32> {
    %unpack = linalg.unpack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<2x8xf32> -> tensor<16xf32>
    %pack = linalg.pack %unpack inner_dims_pos = [0] inner_tiles = [4] into %arg2 : tensor<16xf32> -> tensor<4x4xf32>
    return %pack : tensor<4x4xf32>
  }
  func.func @infer(%arg0: tensor<2x?x8xf32>, %arg1: tensor<16x?xf32>, %arg2: tensor<?x7x4xf32>) -> tensor<?x7x4xf32> {
    %unpack = linalg.unpack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<2x?x8xf32> -> tensor<16x?xf32>
    %cast = tensor.cast %unpack : tensor<16x?xf32> to tensor<16x7xf32>
    %pack = linalg.pack %cast inner_dims_pos = [0] inner_tiles = [4] into %arg2 : tensor<16x7xf32> -> tensor<?x7x4xf32>
    return %pack : tensor<?x7x4xf32>
  }
  func.func @uninfer(%arg0: tensor<16x?xf32>, %arg1: tensor<2x7x8xf32>, %arg2: tensor<?x7xf32>) -> tensor<?x7xf32> {
    %cast = tensor.cast %arg0 : tensor<16x?xf32> to tensor<16x7xf32>
    %pack = linalg.pack %cast inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<16x7xf32> -> tensor<2x7x8xf32>
    %unpack = linalg.unpack %pack inner_dims_pos = [0] inner_tiles = [8] into %arg2 : tensor<2x7x8xf32> -> tensor<?x7xf32>
    return %unpack : tensor<?x7xf32>
  }
  func.func @uninfer2(%arg0: tensor<?x?xf32>, %arg1: tensor<2x?x8xf32>, %arg2: tensor<?x7xf32>) -> tensor<?x7xf32> {
    %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<?x?xf32> -> tensor<2x?x8xf32>
    %unpack = linalg.unpack %pack inner_dims_pos = [0] inner_tiles = [8] into %arg2 : tensor<2x?x8xf32> -> tensor<?x7xf32>
    return %unpack : tensor<?x7xf32>
  }
  func.func @sliced(%arg0: tensor<20x7xf32>, %arg1: tensor<3x7x8xf32>, %arg2: tensor<24x7xf32>) -> tensor<20x7xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %pack = linalg.pack %arg0 padding_value(%cst : f32) inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<20x7xf32> -> tensor<3x7x8xf32>
    %unpack = linalg.unpack %pack inner_dims_pos = [0] inner_tiles = [8] into %arg2 : tensor<3x7x8xf32> -> tensor<24x7xf32>
    %extracted_slice = tensor.extract_slice %unpack[0, 0] [20, 7] [1, 1] : tensor<24x7xf32> to tensor<20x7xf32>
    return %extracted_slice : tensor<20x7xf32>
  }
  func.func @dest(%arg0: tensor<4xf32>, %arg1: tensor<?xf32>, %arg2: index, %arg3: tensor<?xf32>) -> tensor<?xf32> {
    %0 = tensor.empty(%arg2) : tensor<?x4xf32>
    %1 = linalg.exp ins(%arg3 : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) -> tensor<?xf32>
    %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [4] into %0 : tensor<4xf32> -> tensor<?x4xf32>
    %unpack = linalg.unpack %pack inner_dims_pos = [0] inner_tiles = [4] into %1 : tensor<?x4xf32> -> tensor<?xf32>
    return %unpack : tensor<?xf32>
  }
  func.func @fill(%arg0: tensor<2x8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<4x4xf32>, %arg3: f32) -> tensor<4x4xf32> {
    %unpack = linalg.unpack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<2x8xf32> -> tensor<16xf32>
    %pack = linalg.pack %unpack inner_dims_pos = [0] inner_tiles = [4] into %arg2 : tensor<16xf32> -> tensor<4x4xf32>
    return %pack : tensor<4x4xf32>
  }
}
