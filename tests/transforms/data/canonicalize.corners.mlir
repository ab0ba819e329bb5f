func.func @f(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
  %0 = bufferization.to_tensor %m : memref<?xf32, strided<[?], offset: ?>> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}
// =>
module {
  func.func @f(%arg0: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %alloc = memref.alloc(%dim) : memref<?xf32>
    memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
    return %alloc : memref<?xf32>
  }
}
// -----
func.func @f(%m: memref<?xf32>, %shape: memref<2xindex>, %i: index, %c: i1) -> (index, index, index) {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  %j = arith.addi %i, %i : index
  %1 = memref.dim %0, %j : memref<?x?xf32>
  %2 = memref.dim %0, %i : memref<?x?xf32>
  %3 = scf.if %c -> index {
    %k = arith.muli %i, %i : index
    %4 = memref.dim %0, %k : memref<?x?xf32>
    scf.yield %4 : index
  } else {
    %5 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
    %6 = memref.dim %5, %j : memref<?x?xf32>
    scf.yield %6 : index
  }
  return %1, %2, %3 : index, index, index
}
// =>
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<2xindex>, %arg2: index, %arg3: i1) -> (index, index, index) {
    %reshape = memref.reshape %arg0(%arg1) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
    %0 = memref.load %arg1[%arg2] : memref<2xindex>
    %1 = arith.addi %arg2, %arg2 : index
    %dim = memref.dim %reshape, %1 : memref<?x?xf32>
    %2 = scf.if %arg3 -> (index) {
      %3 = arith.muli %arg2, %arg2 : index
      %dim_0 = memref.dim %reshape, %3 : memref<?x?xf32>
      scf.yield %dim_0 : index
    } else {
      %3 = memref.load %arg1[%1] : memref<2xindex>
      scf.yield %3 : index
    }
    return %dim, %0, %2 : index, index, index
  }
}
// -----
func.func @f(%m: memref<64xi8>, %s: index, %n: index) -> memref<?xf32> {
  %0 = memref.cast %m : memref<64xi8> to memref<?xi8>
  %1 = memref.view %0[%s][%n] : memref<?xi8> to memref<?xf32>
  return %1 : memref<?xf32>
}
// =>
module {
  func.func @f(%arg0: memref<64xi8>, %arg1: index, %arg2: index) -> memref<?xf32> {
    %view = memref.view %arg0[%arg1][%arg2] : memref<64xi8> to memref<?xf32>
    return %view : memref<?xf32>
  }
}
// -----
func.func @f(%m: memref<8x?xf32>, %n: index) -> memref<?x2x?xf32> {
  %c4 = arith.constant 4 : index
  %0 = memref.cast %m : memref<8x?xf32> to memref<?x?xf32>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%c4, 2, %n] : memref<?x?xf32> into memref<?x2x?xf32>
  return %1 : memref<?x2x?xf32>
}
// =>
module {
  func.func @f(%arg0: memref<8x?xf32>, %arg1: index) -> memref<?x2x?xf32> {
    %expand_shape = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [4, 2, %arg1] : memref<8x?xf32> into memref<4x2x?xf32>
    %cast = memref.cast %expand_shape : memref<4x2x?xf32> to memref<?x2x?xf32>
    return %cast : memref<?x2x?xf32>
  }
}
// -----
func.func @f(%m: memref<?x?xf32, strided<[?, 1]>>, %n: index, %k: index) -> memref<?x2x?xf32, strided<[?, ?, 1], offset: ?>> {
  %0 = memref.cast %m : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%k, 2, %n] : memref<?x?xf32, strided<[?, 1], offset: ?>> into memref<?x2x?xf32, strided<[?, ?, 1], offset: ?>>
  return %1 : memref<?x2x?xf32, strided<[?, ?, 1], offset: ?>>
}
// =>
module {
  func.func @f(%arg0: memref<?x?xf32, strided<[?, 1]>>, %arg1: index, %arg2: index) -> memref<?x2x?xf32, strided<[?, ?, 1], offset: ?>> {
    %expand_shape = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [%arg2, 2, %arg1] : memref<?x?xf32, strided<[?, 1]>> into memref<?x2x?xf32, strided<[?, ?, 1]>>
    %cast = memref.cast %expand_shape : memref<?x2x?xf32, strided<[?, ?, 1]>> to memref<?x2x?xf32, strided<[?, ?, 1], offset: ?>>
    return %cast : memref<?x2x?xf32, strided<[?, ?, 1], offset: ?>>
  }
}
// -----
func.func @f(%a: i32, %b: i1, %u: i1) {
  scf.while (%x = %a) : (i32) -> i32 {
    %c = "test.go"(%x) : (i32) -> i1
    scf.if %c {
      "test.done"(%x) : (i32) -> ()
    } else {
      "test.otherwise"(%x) : (i32) -> ()
    }
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return
}
// =>
module {
  func.func @f(%arg0: i32, %arg1: i1, %arg2: i1) {
    scf.while : () -> () {
      %0 = "test.go"(%arg0) : (i32) -> i1
      scf.if %0 {
        "test.done"(%arg0) : (i32) -> ()
      } else {
        "test.otherwise"(%arg0) : (i32) -> ()
      }
      scf.condition(%0)
    } do {
      scf.yield
    }
    return
  }
}
// -----
func.func @f(%a: vector<2x2xf32>) -> vector<4xf32> {
  %0 = vector.shape_cast %a : vector<2x2xf32> to vector<1x4xf32>
  %1 = vector.extract %0[0] : vector<4xf32> from vector<1x4xf32>
  return %1 : vector<4xf32>
}
// =>
module {
  func.func @f(%arg0: vector<2x2xf32>) -> vector<4xf32> {
    %0 = vector.shape_cast %arg0 : vector<2x2xf32> to vector<4xf32>
    return %0 : vector<4xf32>
  }
}
// -----
func.func @f(%a: vector<2x2xf32>, %b: vector<1x4xf32>, %i: index) -> (f32, vector<4xf32>) {
  %0 = vector.shape_cast %a : vector<2x2xf32> to vector<1x4xf32>
  %1 = vector.extract %0[0, %i] : f32 from vector<1x4xf32>
  %2 = arith.addf %b, %b : vector<1x4xf32>
  %3 = vector.extract %2[0] : vector<4xf32> from vector<1x4xf32>
  return %1, %3 : f32, vector<4xf32>
}
// =>
module {
  func.func @f(%arg0: vector<2x2xf32>, %arg1: vector<1x4xf32>, %arg2: index) -> (f32, vector<4xf32>) {
    %0 = vector.shape_cast %arg0 : vector<2x2xf32> to vector<1x4xf32>
    %1 = vector.extract %0[0, %arg2] : f32 from vector<1x4xf32>
    %2 = arith.addf %arg1, %arg1 : vector<1x4xf32>
    %3 = vector.extract %2[0] : vector<4xf32> from vector<1x4xf32>
    return %1, %3 : f32, vector<4xf32>
  }
}
// -----
func.func @f(%a: index, %b: index, %c: index) -> (index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (3, 2, 32) : index
  %1:3 = affine.delinearize_index %0 into (2, 3, 32) : index, index, index
  return %1#0, %1#1, %1#2 : index, index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1] by (3, 2) : index
    %1:2 = affine.delinearize_index %0 into (2, 3) : index, index
    return %1#0, %1#1, %arg2 : index, index, index
  }
}
// -----
func.func @f(%a: index, %b: index) -> (index, index) {
  %0:2 = affine.delinearize_index %a into (2, 3) : index, index
  %1:2 = affine.delinearize_index %b into (5, 7) : index, index
  %2 = affine.linearize_index disjoint [%0#0, %0#1, %1#0, %1#1] by (2, 3, 5, 7) : index
  %3 = affine.linearize_index disjoint [%a, %0#0, %0#1, %1#0, %1#1] by (2, 2, 3, 5, 7) : index
  return %2, %3 : index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> (index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1] by (6, 35) : index
    %1 = affine.linearize_index disjoint [%arg0, %arg0, %arg1] by (2, 6, 35) : index
    return %0, %1 : index, index
  }
}
// -----
func.func @f(%a: tensor<128x?x256xf32>, %b: tensor<16x?x?x16xf32>) -> tensor<16x?x?x16xf32> {
  %0 = linalg.pack %a outer_dims_perm = [2, 0, 1] inner_dims_pos = [2] inner_tiles = [16] into %b : tensor<128x?x256xf32> -> tensor<16x?x?x16xf32>
  return %0 : tensor<16x?x?x16xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<128x?x256xf32>, %arg1: tensor<16x?x?x16xf32>) -> tensor<16x?x?x16xf32> {
    %cast = tensor.cast %arg1 : tensor<16x?x?x16xf32> to tensor<16x128x?x16xf32>
    %pack = linalg.pack %arg0 outer_dims_perm = [2, 0, 1] inner_dims_pos = [2] inner_tiles = [16] into %cast : tensor<128x?x256xf32> -> tensor<16x128x?x16xf32>
    %cast_0 = tensor.cast %pack : tensor<16x128x?x16xf32> to tensor<16x?x?x16xf32>
    return %cast_0 : tensor<16x?x?x16xf32>
  }
}
// -----
func.func @f(%a: tensor<?x8x256xf32>, %b: tensor<16x4x?x16xf32>) -> tensor<16x4x?x16xf32> {
  %0 = linalg.pack %a outer_dims_perm = [2, 0, 1] inner_dims_pos = [2] inner_tiles = [16] into %b : tensor<?x8x256xf32> -> tensor<16x4x?x16xf32>
  return %0 : tensor<16x4x?x16xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<?x8x256xf32>, %arg1: tensor<16x4x?x16xf32>) -> tensor<16x4x?x16xf32> {
    %cast = tensor.cast %arg0 : tensor<?x8x256xf32> to tensor<4x8x256xf32>
    %cast_0 = tensor.cast %arg1 : tensor<16x4x?x16xf32> to tensor<16x4x8x16xf32>
    %pack = linalg.pack %cast outer_dims_perm = [2, 0, 1] inner_dims_pos = [2] inner_tiles = [16] into %cast_0 : tensor<4x8x256xf32> -> tensor<16x4x8x16xf32>
    %cast_1 = tensor.cast %pack : tensor<16x4x8x16xf32> to tensor<16x4x?x16xf32>
    return %cast_1 : tensor<16x4x?x16xf32>
  }
}
// -----
/// Users of a duplicate constant are simplified before what follows it.
module {
  func.func @f1() -> (memref<?x?xi8>, memref<i8>) {
    %true = arith.constant true
    %true_0 = arith.constant true
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %alloc = memref.alloc(%c5, %c3) : memref<?x?xi8>
    %alloc_1 = memref.alloc() : memref<i8>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %alloc : memref<?x?xi8> -> memref<i8>, index, index, index, index, index
    %base_buffer_2, %offset_3 = memref.extract_strided_metadata %alloc_1 : memref<i8> -> memref<i8>, index
    %0:2 = bufferization.dealloc (%base_buffer, %base_buffer_2 : memref<i8>, memref<i8>) if (%true_0, %true) retain (%alloc, %alloc_1 : memref<?x?xi8>, memref<i8>)
    return %alloc, %alloc_1 : memref<?x?xi8>, memref<i8>
  }
}
// =>
module {
  func.func @f1() -> (memref<?x?xi8>, memref<i8>) {
    %true = arith.constant true
    %alloc = memref.alloc() : memref<5x3xi8>
    %cast = memref.cast %alloc : memref<5x3xi8> to memref<?x?xi8>
    %alloc_0 = memref.alloc() : memref<i8>
    %0:2 = bufferization.dealloc (%cast, %alloc_0 : memref<?x?xi8>, memref<i8>) if (%true, %true) retain (%cast, %alloc_0 : memref<?x?xi8>, memref<i8>)
    return %cast, %alloc_0 : memref<?x?xi8>, memref<i8>
  }
}
