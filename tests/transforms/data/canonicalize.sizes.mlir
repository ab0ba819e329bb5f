func.func @together_again(%m: memref<4x?xf32>) -> (memref<4x?xf32>, memref<4x?xf32, strided<[?, ?], offset: ?>>) {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %0 = memref.reinterpret_cast %base to offset: [0], sizes: [4, %sizes#1], strides: [%strides#0, 1] : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: 0>>
  %1 = memref.cast %0 : memref<4x?xf32, strided<[?, 1], offset: 0>> to memref<4x?xf32>
  %2 = memref.reinterpret_cast %base to offset: [%offset], sizes: [4, %sizes#1], strides: [%strides#0, %strides#1] : memref<f32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  return %1, %2 : memref<4x?xf32>, memref<4x?xf32, strided<[?, ?], offset: ?>>
}
func.func @parts(%m: memref<4x8xf32, strided<[?, 1], offset: ?>>) -> (index, index, index, index, index) {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x8xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %offset, %sizes#0, %sizes#1, %strides#0, %strides#1 : index, index, index, index, index
}
func.func @dims(%n: index, %f: f32, %e: tensor<?x4xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty(%n) : tensor<?x8xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x8xf32>
  %2 = tensor.dim %0, %c1 : tensor<?x8xf32>
  %3 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %4 = tensor.dim %3, %c0 : tensor<?x8xf32>
  %5 = tensor.dim %e, %c1 : tensor<?x4xf32>
  return %1, %2, %4, %5 : index, index, index, index
}
func.func @cast_of_empty(%n: index) -> (tensor<4xf32>, tensor<?x4xf32>) {
  %c4 = arith.constant 4 : index
  %0 = tensor.empty(%c4) : tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.empty(%n, %n) : tensor<?x?xf32>
  %3 = tensor.cast %2 : tensor<?x?xf32> to tensor<?x4xf32>
  return %1, %3 : tensor<4xf32>, tensor<?x4xf32>
}
func.func @alloc_tensor(%n: index, %t: tensor<?xf32>) -> (tensor<?x?x3xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%c4, %n) : tensor<?x?x3xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %2 = bufferization.alloc_tensor(%c0) : tensor<?xf32>
  return %0, %1, %2 : tensor<?x?x3xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func @expand_of_collapse(%a: tensor<2x3x4xf32>, %b: tensor<?x3x4x5xf32>, %c: tensor<?x?x4xf32>, %n: index) -> (tensor<2x12xf32>, tensor<?x12x5xf32>, tensor<?x?x4xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  %2 = tensor.collapse_shape %b [[0], [1, 2, 3]] : tensor<?x3x4x5xf32> into tensor<?x60xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %2, %c0 : tensor<?x60xf32>
  %3 = tensor.expand_shape %2 [[0], [1, 2]] output_shape [%d, 12, 5] : tensor<?x60xf32> into tensor<?x12x5xf32>
  %4 = tensor.collapse_shape %c [[0, 1, 2]] : tensor<?x?x4xf32> into tensor<?xf32>
  %5 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [%n, %n, 4] : tensor<?xf32> into tensor<?x?x4xf32>
  return %1, %3, %5 : tensor<2x12xf32>, tensor<?x12x5xf32>, tensor<?x?x4xf32>
}
func.func @collapse_of_expand(%a: tensor<24xf32>, %b: tensor<?x6xf32>, %n: index) -> (tensor<6x4xf32>, tensor<?x6xf32>, tensor<?xf32>) {
  %0 = tensor.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xf32> into tensor<2x3x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %2 = tensor.expand_shape %b [[0, 1], [2, 3]] output_shape [%n, 4, 2, 3] : tensor<?x6xf32> into tensor<?x4x2x3xf32>
  %3 = tensor.collapse_shape %2 [[0, 1], [2, 3]] : tensor<?x4x2x3xf32> into tensor<?x6xf32>
  %4 = tensor.collapse_shape %2 [[0, 1, 2, 3]] : tensor<?x4x2x3xf32> into tensor<?xf32>
  return %1, %3, %4 : tensor<6x4xf32>, tensor<?x6xf32>, tensor<?xf32>
}
func.func @ones(%a: tensor<?x1x5xf32>, %n: index) -> (tensor<?x5x1xf32>, tensor<?x1x1x5xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<?x1x5xf32> into tensor<?x5xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%n, 5, 1] : tensor<?x5xf32> into tensor<?x5x1xf32>
  %2 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [%n, 1, 1, 5] : tensor<?x5xf32> into tensor<?x1x1x5xf32>
  return %1, %2 : tensor<?x5x1xf32>, tensor<?x1x1x5xf32>
}
func.func @collapse_of_unknown(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, %n] : tensor<?xf32> into tensor<?x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @unknown_beside(%a: tensor<?x?x3x4xf32>, %b: tensor<?x5x3x4xf32>, %n: index) -> (tensor<?x?x12xf32>, tensor<?x5x12xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<?x?x3x4xf32> into tensor<?x12xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%n, %n, 12] : tensor<?x12xf32> into tensor<?x?x12xf32>
  %2 = tensor.collapse_shape %b [[0, 1], [2, 3]] : tensor<?x5x3x4xf32> into tensor<?x12xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [%n, 5, 12] : tensor<?x12xf32> into tensor<?x5x12xf32>
  return %1, %3 : tensor<?x?x12xf32>, tensor<?x5x12xf32>
}
func.func @sizes_of_parts(%a: tensor<?x?x4xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x3x?x2xf32>) {
  %0 = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [%n, %m, 2, 2] : tensor<?x?x4xf32> into tensor<?x?x2x2xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2], [3]] : tensor<?x?x2x2xf32> into tensor<?x2xf32>
  %2 = tensor.cast %1 : tensor<?x2xf32> to tensor<?x?xf32>
  %e = tensor.expand_shape %a [[0, 1], [2], [3, 4]] output_shape [%n, 3, %m, 2, 2] : tensor<?x?x4xf32> into tensor<?x3x?x2x2xf32>
  %c = tensor.collapse_shape %e [[0], [1], [2, 3], [4]] : tensor<?x3x?x2x2xf32> into tensor<?x3x?x2xf32>
  return %2, %c : tensor<?x?xf32>, tensor<?x3x?x2xf32>
}
// =>
module {
  func.func @together_again(%arg0: memref<4x?xf32>) -> (memref<4x?xf32>, memref<4x?xf32, strided<[?, ?], offset: ?>>) {
    %cast = memref.cast %arg0 : memref<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
    return %arg0, %cast : memref<4x?xf32>, memref<4x?xf32, strided<[?, ?], offset: ?>>
  }
  func.func @parts(%arg0: memref<4x8xf32, strided<[?, 1], offset: ?>>) -> (index, index, index, index, index) {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x8xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    return %offset, %c4, %c8, %strides#0, %c1 : index, index, index, index, index
  }
  func.func @dims(%arg0: index, %arg1: f32, %arg2: tensor<?x4xf32>) -> (index, index, index, index) {
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    return %arg0, %c8, %arg0, %c4 : index, index, index, index
  }
  func.func @cast_of_empty(%arg0: index) -> (tensor<4xf32>, tensor<?x4xf32>) {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = tensor.empty(%arg0) : tensor<?x4xf32>
    return %0, %1 : tensor<4xf32>, tensor<?x4xf32>
  }
  func.func @alloc_tensor(%arg0: index, %arg1: tensor<?xf32>) -> (tensor<?x?x3xf32>, tensor<?xf32>, tensor<?xf32>) {
    %0 = bufferization.alloc_tensor(%arg0) : tensor<4x?x3xf32>
    %cast = tensor.cast %0 : tensor<4x?x3xf32> to tensor<?x?x3xf32>
    %1 = bufferization.alloc_tensor() copy(%arg1) : tensor<?xf32>
    %2 = bufferization.alloc_tensor() : tensor<0xf32>
    %cast_0 = tensor.cast %2 : tensor<0xf32> to tensor<?xf32>
    return %cast, %1, %cast_0 : tensor<?x?x3xf32>, tensor<?xf32>, tensor<?xf32>
  }
  func.func @expand_of_collapse(%arg0: tensor<2x3x4xf32>, %arg1: tensor<?x3x4x5xf32>, %arg2: tensor<?x?x4xf32>, %arg3: index) -> (tensor<2x12xf32>, tensor<?x12x5xf32>, tensor<?x?x4xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0], [1, 2], [3]] : tensor<?x3x4x5xf32> into tensor<?x12x5xf32>
    %collapsed_1 = tensor.collapse_shape %arg2 [[0, 1, 2]] : tensor<?x?x4xf32> into tensor<?xf32>
    %expanded = tensor.expand_shape %collapsed_1 [[0, 1, 2]] output_shape [%arg3, %arg3, 4] : tensor<?xf32> into tensor<?x?x4xf32>
    return %collapsed, %collapsed_0, %expanded : tensor<2x12xf32>, tensor<?x12x5xf32>, tensor<?x?x4xf32>
  }
  func.func @collapse_of_expand(%arg0: tensor<24xf32>, %arg1: tensor<?x6xf32>, %arg2: index) -> (tensor<6x4xf32>, tensor<?x6xf32>, tensor<?xf32>) {
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
    %collapsed = tensor.collapse_shape %arg1 [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
    return %expanded, %arg1, %collapsed : tensor<6x4xf32>, tensor<?x6xf32>, tensor<?xf32>
  }
  func.func @ones(%arg0: tensor<?x1x5xf32>, %arg1: index) -> (tensor<?x5x1xf32>, tensor<?x1x1x5xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x1x5xf32> into tensor<?x5xf32>
    %expanded = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [%arg1, 5, 1] : tensor<?x5xf32> into tensor<?x5x1xf32>
    %expanded_0 = tensor.expand_shape %arg0 [[0], [1, 2], [3]] output_shape [%arg1, 1, 1, 5] : tensor<?x1x5xf32> into tensor<?x1x1x5xf32>
    return %expanded, %expanded_0 : tensor<?x5x1xf32>, tensor<?x1x1x5xf32>
  }
  func.func @collapse_of_unknown(%arg0: tensor<?xf32>, %arg1: index) -> tensor<?xf32> {
    return %arg0 : tensor<?xf32>
  }
  func.func @unknown_beside(%arg0: tensor<?x?x3x4xf32>, %arg1: tensor<?x5x3x4xf32>, %arg2: index) -> (tensor<?x?x12xf32>, tensor<?x5x12xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2, 3]] : tensor<?x?x3x4xf32> into tensor<?x12xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [%arg2, %arg2, 12] : tensor<?x12xf32> into tensor<?x?x12xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0], [1], [2, 3]] : tensor<?x5x3x4xf32> into tensor<?x5x12xf32>
    return %expanded, %collapsed_0 : tensor<?x?x12xf32>, tensor<?x5x12xf32>
  }
  func.func @sizes_of_parts(%arg0: tensor<?x?x4xf32>, %arg1: index, %arg2: index) -> (tensor<?x?xf32>, tensor<?x3x?x2xf32>) {
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [%arg1, %arg2, 2, 2] : tensor<?x?x4xf32> into tensor<?x?x2x2xf32>
    %collapsed = tensor.collapse_shape %expanded [[0, 1, 2], [3]] : tensor<?x?x2x2xf32> into tensor<?x2xf32>
    %cast = tensor.cast %collapsed : tensor<?x2xf32> to tensor<?x?xf32>
    %expanded_0 = tensor.expand_shape %arg0 [[0, 1], [2], [3, 4]] output_shape [%arg1, 3, %arg2, 2, 2] : tensor<?x?x4xf32> into tensor<?x3x?x2x2xf32>
    %collapsed_1 = tensor.collapse_shape %expanded_0 [[0], [1], [2, 3], [4]] : tensor<?x3x?x2x2xf32> into tensor<?x3x?x2xf32>
    return %cast, %collapsed_1 : tensor<?x?xf32>, tensor<?x3x?x2xf32>
  }
}
// -----
func.func @same_type(%t: tensor<?xf32>, %s: tensor<1xindex>, %m: memref<?x4xi8>, %b: memref<2048xi8>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, memref<?x4xi8>, memref<2048xi8>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = tensor.expand_shape %t [[0]] output_shape [5] : tensor<?xf32> into tensor<?xf32>
  %2 = memref.expand_shape %m [[0], [1]] output_shape [5, 4] : memref<?x4xi8> into memref<?x4xi8>
  %3 = memref.view %b[%c0][] : memref<2048xi8> to memref<2048xi8>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, memref<?x4xi8>, memref<2048xi8>
}
func.func @not_same(%b: memref<2048xi8>, %d: memref<?xi8>, %n: index) -> (memref<2048xi8>, memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %0 = memref.view %b[%n][] : memref<2048xi8> to memref<2048xi8>
  %1 = memref.view %d[%c0][%n] : memref<?xi8> to memref<?xi8>
  return %0, %1 : memref<2048xi8>, memref<?xi8>
}
func.func @strides_of_zero(%a: tensor<?x?xf32>, %i: index, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert_slice %a into %b[%c0, %i, %c1] [%c1, 1, %i] [%c1, %c0, %c1] : tensor<?x?xf32> into tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @concatenated(%a: tensor<5x?xi32>, %b: tensor<?x1xi32>) -> tensor<9x?xi32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<5x?xi32>, tensor<?x1xi32>) -> tensor<9x?xi32>
  return %0 : tensor<9x?xi32>
}
func.func @by_a_symbol(%n: index, %m: index, %k: index) -> (index, index, index, index, index) {
  %1 = affine.apply affine_map<(d0)[s0] -> ((d0 * s0) floordiv s0)>(%n)[%m]
  %2 = affine.apply affine_map<(d0)[s0] -> ((d0 * s0) ceildiv s0)>(%n)[%m]
  %3 = affine.apply affine_map<(d0)[s0] -> ((d0 * s0) mod s0)>(%n)[%m]
  %4 = affine.apply affine_map<(d0)[s0, s1] -> ((d0 * s0 * s1) floordiv s0)>(%n)[%m, %k]
  %5 = affine.apply affine_map<(d0)[s0, s1] -> ((d0 * s0 + s0) floordiv s0)>(%n)[%m, %k]
  return %1, %2, %3, %4, %5 : index, index, index, index, index
}
func.func @casts_of_dma(%m: memref<100xf32>, %l: memref<100xf32, 2>, %t: memref<1xi32>, %i: index, %n: index) {
  %c = memref.cast %m : memref<100xf32> to memref<?xf32>
  %d = memref.cast %l : memref<100xf32, 2> to memref<?xf32, 2>
  %e = memref.cast %t : memref<1xi32> to memref<?xi32>
  affine.dma_start %c[%i], %d[%i], %e[%i], %n : memref<?xf32>, memref<?xf32, 2>, memref<?xi32>
  affine.dma_wait %e[%i], %n : memref<?xi32>
  memref.dma_start %c[%i], %d[%i], %n, %e[%i] : memref<?xf32>, memref<?xf32, 2>, memref<?xi32>
  memref.dma_wait %e[%i], %n : memref<?xi32>
  return
}
func.func @no_order(%a: tensor<8x3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = linalg.pack %a outer_dims_perm = [] inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<8x3xf32> -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
// =>
#map = affine_map<()[s0, s1] -> (s0 * s1)>
#map1 = affine_map<()[s0] -> (s0 + 1)>
module {
  func.func @same_type(%arg0: tensor<?xf32>, %arg1: tensor<1xindex>, %arg2: memref<?x4xi8>, %arg3: memref<2048xi8>, %arg4: index) -> (tensor<?xf32>, tensor<?xf32>, memref<?x4xi8>, memref<2048xi8>) {
    return %arg0, %arg0, %arg2, %arg3 : tensor<?xf32>, tensor<?xf32>, memref<?x4xi8>, memref<2048xi8>
  }
  func.func @not_same(%arg0: memref<2048xi8>, %arg1: memref<?xi8>, %arg2: index) -> (memref<2048xi8>, memref<?xi8>) {
    %c0 = arith.constant 0 : index
    %view = memref.view %arg0[%arg2][] : memref<2048xi8> to memref<2048xi8>
    %view_0 = memref.view %arg1[%c0][%arg2] : memref<?xi8> to memref<?xi8>
    return %view, %view_0 : memref<2048xi8>, memref<?xi8>
  }
  func.func @strides_of_zero(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
    %c0 = arith.constant 0 : index
    %cast = tensor.cast %arg0 : tensor<?x?xf32> to tensor<1x?xf32>
    %inserted_slice = tensor.insert_slice %cast into %arg2[0, %arg1, 1] [1, 1, %arg1] [1, %c0, 1] : tensor<1x?xf32> into tensor<?x?x?xf32>
    return %inserted_slice : tensor<?x?x?xf32>
  }
  func.func @concatenated(%arg0: tensor<5x?xi32>, %arg1: tensor<?x1xi32>) -> tensor<9x?xi32> {
    %cast = tensor.cast %arg0 : tensor<5x?xi32> to tensor<5x1xi32>
    %concat = tensor.concat dim(0) %cast, %arg1 : (tensor<5x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi32>
    %cast_0 = tensor.cast %concat : tensor<?x1xi32> to tensor<9x?xi32>
    return %cast_0 : tensor<9x?xi32>
  }
  func.func @by_a_symbol(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index, index) {
    %c0 = arith.constant 0 : index
    %0 = affine.apply #map()[%arg2, %arg0]
    %1 = affine.apply #map1()[%arg0]
    return %arg0, %arg0, %c0, %0, %1 : index, index, index, index, index
  }
  func.func @casts_of_dma(%arg0: memref<100xf32>, %arg1: memref<100xf32, 2>, %arg2: memref<1xi32>, %arg3: index, %arg4: index) {
    affine.dma_start %arg0[%arg3], %arg1[%arg3], %arg2[%arg3], %arg4 : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
    affine.dma_wait %arg2[%arg3], %arg4 : memref<1xi32>
    memref.dma_start %arg0[%arg3], %arg1[%arg3], %arg4, %arg2[%arg3] : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
    memref.dma_wait %arg2[%arg3], %arg4 : memref<1xi32>
    return
  }
  func.func @no_order(%arg0: tensor<8x3xf32>, %arg1: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [4] into %arg1 : tensor<8x3xf32> -> tensor<2x3x4xf32>
    return %pack : tensor<2x3x4xf32>
  }
}
// -----
func.func @nothing_inserted(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index, %z: tensor<0x4xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %a into %b[%n, 0] [%c0, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  %1 = tensor.insert_slice %z into %b[%n, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
func.func @collapsed_as_expanded(%m: memref<?x?xf32>, %a: index, %b: index, %c: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%a, %b, %c] : memref<?x?xf32> into memref<?x?x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<?x?x?xf32> into memref<?x?xf32>
  return %1 : memref<?x?xf32>
}
func.func @expanded_otherwise(%m: memref<?x?x?xf32>, %a: index, %b: index, %c: index) -> memref<?x?x?xf32> {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<?x?x?xf32> into memref<?x?xf32>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%a, %b, %c] : memref<?x?xf32> into memref<?x?x?xf32>
  return %1 : memref<?x?x?xf32>
}
func.func @kept_as_it_is(%m: memref<4xf32>, %n: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %out : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%n : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %out : f32
  }
  return
}
func.func @destination_first(%a: tensor<?x3xf32>, %b: tensor<?x?xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.dim %a, %c0 : tensor<?x3xf32>
  %1 = tensor.empty(%0, %c4) : tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x3xf32>, tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %3 = arith.addf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<?x?xf32>
  %4 = tensor.cast %2 : tensor<?x?xf32> to tensor<?x3xf32>
  return %4 : tensor<?x3xf32>
}
// =>
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @nothing_inserted(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index, %arg3: tensor<0x4xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    return %arg1, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  func.func @collapsed_as_expanded(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index) -> memref<?x?xf32> {
    return %arg0 : memref<?x?xf32>
  }
  func.func @expanded_otherwise(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index) -> memref<?x?x?xf32> {
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1], [2]] : memref<?x?x?xf32> into memref<?x?xf32>
    %expand_shape = memref.expand_shape %collapse_shape [[0, 1], [2]] output_shape [%arg1, %arg2, %arg3] : memref<?x?xf32> into memref<?x?x?xf32>
    return %expand_shape : memref<?x?x?xf32>
  }
  func.func @kept_as_it_is(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %out : f32
    }
    return
  }
  func.func @destination_first(%arg0: tensor<?x3xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x3xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x3xf32>
    %0 = tensor.empty(%dim) : tensor<?x4xf32>
    %cast = tensor.cast %arg1 : tensor<?x?xf32> to tensor<?x3xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %cast : tensor<?x3xf32>, tensor<?x3xf32>) outs(%0 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %2 = arith.addf %in, %in_2 : f32
      linalg.yield %2 : f32
    } -> tensor<?x4xf32>
    %cast_0 = tensor.cast %1 : tensor<?x4xf32> to tensor<?x?xf32>
    %cast_1 = tensor.cast %cast_0 : tensor<?x?xf32> to tensor<?x3xf32>
    return %cast_1 : tensor<?x3xf32>
  }
}
// -----
func.func @copied(%t: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<?x?xi64>
  return %0 : tensor<?x?xi64>
}
// =>
module {
  func.func @copied(%arg0: tensor<?x?xi64>) -> tensor<?x?xi64> {
    %0 = bufferization.alloc_tensor() copy(%arg0) : tensor<?x?xi64>
    return %0 : tensor<?x?xi64>
  }
}
// -----
/// A pad of a pad in a loop: the sums are of dimensions.
func.func @ss(%t: tensor<?x?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
    %j = arith.addi %i, %n : index
    %s = tensor.extract_slice %t[%i, %n] [%j, %i] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %u = tensor.extract_slice %s[%j, 2] [%i, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %p = tensor.pad %u low[%i] high[3] {
    ^bb0(%k: index):
      tensor.yield %v : f32
    } : tensor<?xf32> to tensor<?xf32>
    %q = tensor.pad %p low[%j] high[%n] {
    ^bb0(%k: index):
      tensor.yield %v : f32
    } : tensor<?xf32> to tensor<?xf32>
    %x = tensor.extract %q[%i] : tensor<?xf32>
    %d = tensor.dim %q, %c0 : tensor<?xf32>
    %e = tensor.extract %t[%d, %i] : tensor<?x?xf32>
    %f = arith.addf %x, %e : f32
    scf.yield %f : f32
  }
  return %r : f32
}
// =>
#map = affine_map<()[s0] -> (s0 + 3)>
#map1 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @ss(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg2) -> (f32) {
      %1 = arith.addi %arg3, %arg1 : index
      %extracted_slice = tensor.extract_slice %arg0[%arg3, %arg1] [%1, %arg3] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %extracted_slice_0 = tensor.extract_slice %extracted_slice[%1, 2] [%arg3, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      %2 = affine.apply #map()[%arg1]
      %3 = affine.apply #map1(%1, %arg3)
      %padded = tensor.pad %extracted_slice_0 low[%3] high[%2] {
      ^bb0(%arg5: index):
        tensor.yield %arg2 : f32
      } : tensor<?xf32> to tensor<?xf32>
      %extracted = tensor.extract %padded[%arg3] : tensor<?xf32>
      %dim = tensor.dim %padded, %c0 : tensor<?xf32>
      %extracted_1 = tensor.extract %arg0[%dim, %arg3] : tensor<?x?xf32>
      %4 = arith.addf %extracted, %extracted_1 : f32
      scf.yield %4 : f32
    }
    return %0 : f32
  }
}
// -----
/// A pad inserted in what is filled, in a loop: the sums are of symbols.
func.func @g(%a : tensor<7x5xf32>, %n: index) -> tensor<128x128xf32> {
  %f0 = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.empty() : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<128x128xf32> {
  %j = arith.muli %i, %n : index
  %pad0 = tensor.pad %a low[%j, %i] high[%n, %j] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %f0 : f32
  } : tensor<7x5xf32> to tensor<8x9xf32>
  %dest = tensor.empty() : tensor<128x128xf32>
  %fill = linalg.fill ins(%f0 : f32) outs(%dest : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = tensor.insert_slice %pad0 into %fill[%i, 2] [8, 9] [1, 1] : tensor<8x9xf32> into tensor<128x128xf32>
  scf.yield %0 : tensor<128x128xf32>
  }
  return %r : tensor<128x128xf32>
}
// =>
#map = affine_map<()[s0, s1] -> (s0 + s1)>
#map1 = affine_map<()[s0] -> (s0 + 2)>
module {
  func.func @g(%arg0: tensor<7x5xf32>, %arg1: index) -> tensor<128x128xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.empty() : tensor<128x128xf32>
    %1 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %0) -> (tensor<128x128xf32>) {
      %2 = arith.muli %arg2, %arg1 : index
      %3 = tensor.empty() : tensor<128x128xf32>
      %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<128x128xf32>) -> tensor<128x128xf32>
      %5 = affine.apply #map()[%2, %arg2]
      %6 = affine.apply #map1()[%arg2]
      %inserted_slice = tensor.insert_slice %arg0 into %4[%5, %6] [7, 5] [1, 1] : tensor<7x5xf32> into tensor<128x128xf32>
      scf.yield %inserted_slice : tensor<128x128xf32>
    }
    return %1 : tensor<128x128xf32>
  }
}
