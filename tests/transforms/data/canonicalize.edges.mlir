func.func @f(%a: index, %b: index, %c: index) -> (index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (3, 2, 32) : index
  %1:4 = affine.delinearize_index %0 into (2, 3, 8, 4) : index, index, index, index
  return %1#0, %1#1, %1#2, %1#3 : index, index, index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1] by (3, 2) : index
    %1:2 = affine.delinearize_index %0 into (2, 3) : index, index
    %2:2 = affine.delinearize_index %arg2 into (8, 4) : index, index
    return %1#0, %1#1, %2#0, %2#1 : index, index, index, index
  }
}
// -----
func.func @f(%a: index, %b: index, %c: index) -> (index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (2, 32) : index
  %1:4 = affine.delinearize_index %0 into (3, 8, 4) : index, index, index, index
  return %1#0, %1#1, %1#2, %1#3 : index, index, index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1] by (2) : index
    %1:2 = affine.delinearize_index %0 into (3) : index, index
    %2:2 = affine.delinearize_index %arg2 into (8, 4) : index, index
    return %1#0, %1#1, %2#0, %2#1 : index, index, index, index
  }
}
// -----
func.func @f(%a: index, %b: index, %c: index) -> (index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (2, 32) : index
  %1:3 = affine.delinearize_index %0 into (8, 8) : index, index, index
  return %1#0, %1#1, %1#2, %1#2 : index, index, index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1, %arg2] by (2, 32) : index
    %1:3 = affine.delinearize_index %0 into (8, 8) : index, index, index
    return %1#0, %1#1, %1#2, %1#2 : index, index, index, index
  }
}
// -----
func.func @f(%a: index, %x: index, %n: index, %m: index) -> index {
  %1:3 = affine.delinearize_index %a into (2, %n, %m) : index, index, index
  %0 = affine.linearize_index disjoint [%x, %1#1, %1#2] by (7, %n, %m) : index
  return %0 : index
}
// =>
#map = affine_map<()[s0, s1] -> (s0 * s1)>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> index {
    %0 = affine.apply #map()[%arg2, %arg3]
    %1:2 = affine.delinearize_index %arg0 into (2, %0) : index, index
    %2 = affine.linearize_index disjoint [%arg1, %1#1] by (7, %0) : index
    return %2 : index
  }
}
// -----
func.func @f(%a: index, %x: index) -> (index, index) {
  %1:3 = affine.delinearize_index %a into (2, 4, 8) : index, index, index
  %0 = affine.linearize_index disjoint [%x, %1#1, %1#2] by (7, 4, 8) : index
  return %0, %1#1 : index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> (index, index) {
    %0:2 = affine.delinearize_index %arg0 into (2, 32) : index, index
    %1:2 = affine.delinearize_index %0#1 into (4, 8) : index, index
    %2 = affine.linearize_index disjoint [%arg1, %0#1] by (7, 32) : index
    return %2, %1#0 : index, index
  }
}
// -----
func.func @f(%a: index, %x: index) -> (index, index) {
  %1:3 = affine.delinearize_index %a into (4, 8) : index, index, index
  %0 = affine.linearize_index disjoint [%1#0, %1#1, %x] by (9, 4, 8) : index
  return %0, %1#1 : index, index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> (index, index) {
    %0:2 = affine.delinearize_index %arg0 into (36, 8) : index, index
    %1:2 = affine.delinearize_index %0#0 into (9, 4) : index, index
    %2 = affine.linearize_index disjoint [%0#0, %arg1] by (36, 8) : index
    return %2, %1#1 : index, index
  }
}
// -----
func.func @f(%a: index, %x: index) -> (index) {
  %1:3 = affine.delinearize_index %a into (4, 8) : index, index, index
  %0 = affine.linearize_index disjoint [%x, %1#0, %1#1] by (9, 5, 4) : index
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> index {
    %0:2 = affine.delinearize_index %arg0 into (20, 8) : index, index
    %1 = affine.linearize_index disjoint [%arg1, %0#0] by (9, 20) : index
    return %1 : index
  }
}
// -----
func.func @f(%a: index, %x: index) -> (index) {
  %1:3 = affine.delinearize_index %a into (3, 4, 8) : index, index, index
  %0 = affine.linearize_index [%x, %1#0, %1#1, %x] by (9, 5, 4, 3) : index
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> index {
    %0:3 = affine.delinearize_index %arg0 into (3, 4, 8) : index, index, index
    %1 = affine.linearize_index [%arg1, %0#0, %0#1, %arg1] by (9, 5, 4, 3) : index
    return %1 : index
  }
}
// -----
func.func @f(%a: index, %b: index, %x: index) -> (index) {
  %1:3 = affine.delinearize_index %a into (3, 4, 8) : index, index, index
  %2:3 = affine.delinearize_index %b into (3, 4, 8) : index, index, index
  %0 = affine.linearize_index [%1#0, %1#1, %2#1, %2#2, %1#1, %1#2] by (3, 4, 4, 8, 4, 8) : index
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index) -> index {
    %0:2 = affine.delinearize_index %arg0 into (12, 8) : index, index
    %1:2 = affine.delinearize_index %0#0 into (3, 4) : index, index
    %2:2 = affine.delinearize_index %arg1 into (3, 32) : index, index
    %3 = affine.linearize_index [%0#0, %2#1, %1#1, %0#1] by (12, 32, 4, 8) : index
    return %3 : index
  }
}
// -----
func.func @f(%a: index) -> (index) {
  %1:3 = affine.delinearize_index %a into (3, 4, 8) : index, index, index
  %0 = affine.linearize_index [%1#0, %1#1] by (4) : index
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: index) -> index {
    %0:2 = affine.delinearize_index %arg0 into (8) : index, index
    return %0#0 : index
  }
}
// -----
func.func @f(%a: index, %x: index) -> (index) {
  %1:3 = affine.delinearize_index %a into (4, 8) : index, index, index
  %0 = affine.linearize_index disjoint [%x, %1#0, %1#1, %1#2] by (9, 5, 4, 8) : index
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> index {
    %0 = affine.linearize_index disjoint [%arg1, %arg0] by (9, 160) : index
    return %0 : index
  }
}
// -----
func.func @f(%a: index, %x: index) -> index {
  %1:3 = affine.delinearize_index %a into (2, 3, 5) : index, index, index
  %0 = affine.linearize_index disjoint [%1#0, %1#1, %x] by (2, 3, 7) : index
  return %0 : index
}
// =>
module {
  func.func @f(%arg0: index, %arg1: index) -> index {
    %0:2 = affine.delinearize_index %arg0 into (6, 5) : index, index
    %1 = affine.linearize_index disjoint [%0#0, %arg1] by (6, 7) : index
    return %1 : index
  }
}
// -----
memref.global constant @g : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func @f() -> i32 {
  %g = memref.get_global @g : memref<4xi32>
  %v = affine.load %g[2] : memref<4xi32>
  return %v : i32
}
// =>
module {
  memref.global constant @g : memref<4xi32> = dense<[1, 2, 3, 4]>
  func.func @f() -> i32 {
    %c3_i32 = arith.constant 3 : i32
    return %c3_i32 : i32
  }
}
// -----
func.func @f(%m: memref<16xf32>) -> memref<4xf32, strided<[0], offset: ?>> {
  %c2 = arith.constant 2 : index
  %0 = memref.subview %m[%c2][4][0] : memref<16xf32> to memref<4xf32, strided<[0], offset: ?>>
  return %0 : memref<4xf32, strided<[0], offset: ?>>
}
// =>
module {
  func.func @f(%arg0: memref<16xf32>) -> memref<4xf32, strided<[0], offset: ?>> {
    %c2 = arith.constant 2 : index
    %subview = memref.subview %arg0[%c2] [4] [0] : memref<16xf32> to memref<4xf32, strided<[0], offset: ?>>
    return %subview : memref<4xf32, strided<[0], offset: ?>>
  }
}
// -----
func.func @f(%m: memref<16xf32>) -> memref<?xf32, strided<[0], offset: 3>> {
  %c2 = arith.constant 2 : index
  %0 = memref.subview %m[3][%c2][0] : memref<16xf32> to memref<?xf32, strided<[0], offset: 3>>
  return %0 : memref<?xf32, strided<[0], offset: 3>>
}
// =>
module {
  func.func @f(%arg0: memref<16xf32>) -> memref<?xf32, strided<[0], offset: 3>> {
    %c2 = arith.constant 2 : index
    %subview = memref.subview %arg0[3] [%c2] [0] : memref<16xf32> to memref<?xf32, strided<[0], offset: 3>>
    return %subview : memref<?xf32, strided<[0], offset: 3>>
  }
}
// -----
func.func @f(%m: memref<16x4xf32>) -> memref<2x2xf32, strided<[0, ?], offset: 12>> {
  %c1 = arith.constant 1 : index
  %0 = memref.subview %m[3, 0][2, 2][0, %c1] : memref<16x4xf32> to memref<2x2xf32, strided<[0, ?], offset: 12>>
  return %0 : memref<2x2xf32, strided<[0, ?], offset: 12>>
}
// =>
module {
  func.func @f(%arg0: memref<16x4xf32>) -> memref<2x2xf32, strided<[0, ?], offset: 12>> {
    %c1 = arith.constant 1 : index
    %subview = memref.subview %arg0[3, 0] [2, 2] [0, %c1] : memref<16x4xf32> to memref<2x2xf32, strided<[0, ?], offset: 12>>
    return %subview : memref<2x2xf32, strided<[0, ?], offset: 12>>
  }
}
// -----
func.func @f(%m: memref<16x4xf32>) -> memref<2x2xf32, strided<[4, ?], offset: 12>> {
  %c1 = arith.constant 0 : index
  %0 = memref.subview %m[3, 0][2, 2][1, %c1] : memref<16x4xf32> to memref<2x2xf32, strided<[4, ?], offset: 12>>
  return %0 : memref<2x2xf32, strided<[4, ?], offset: 12>>
}
// =>
module {
  func.func @f(%arg0: memref<16x4xf32>) -> memref<2x2xf32, strided<[4, ?], offset: 12>> {
    %c0 = arith.constant 0 : index
    %subview = memref.subview %arg0[3, 0] [2, 2] [1, %c0] : memref<16x4xf32> to memref<2x2xf32, strided<[4, ?], offset: 12>>
    return %subview : memref<2x2xf32, strided<[4, ?], offset: 12>>
  }
}
// -----
func.func @f(%m: tensor<16xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 0 : index
  %0 = tensor.extract_slice %m[2][4][%c2] : tensor<16xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<16xf32>) -> tensor<4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[2] [4] [0] : tensor<16xf32> to tensor<4xf32>
    return %extracted_slice : tensor<4xf32>
  }
}
// -----
func.func @f(%m: tensor<16xf32>, %x: tensor<4xf32>) -> tensor<16xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.insert_slice %x into %m[%c2][4][0] : tensor<4xf32> into tensor<16xf32>
  return %0 : tensor<16xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>) -> tensor<16xf32> {
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[2] [4] [0] : tensor<4xf32> into tensor<16xf32>
    return %inserted_slice : tensor<16xf32>
  }
}
// -----
func.func @f(%m: tensor<16x16xf32>, %x: tensor<4x4xf32>) -> tensor<16x16xf32> {
  %c2 = arith.constant 0 : index
  %0 = tensor.insert_slice %x into %m[2, 2][4, 4][%c2, 0] : tensor<4x4xf32> into tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<16x16xf32>, %arg1: tensor<4x4xf32>) -> tensor<16x16xf32> {
    %c0 = arith.constant 0 : index
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[2, 2] [4, 4] [%c0, 0] : tensor<4x4xf32> into tensor<16x16xf32>
    return %inserted_slice : tensor<16x16xf32>
  }
}
// -----
func.func @f(%m: tensor<16x16xf32>, %x: tensor<4x4xf32>) -> tensor<16x16xf32> {
  %c2 = arith.constant 1 : index
  %0 = tensor.insert_slice %x into %m[2, 2][4, 4][%c2, 0] : tensor<4x4xf32> into tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<16x16xf32>, %arg1: tensor<4x4xf32>) -> tensor<16x16xf32> {
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[2, 2] [4, 4] [1, 0] : tensor<4x4xf32> into tensor<16x16xf32>
    return %inserted_slice : tensor<16x16xf32>
  }
}
// -----
func.func @f(%m: tensor<4x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %cm = arith.constant -1 : index
  %0 = tensor.pad %m low[%cm, %cm] high[%cm, %cm] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<4x?xf32>, %arg1: f32) -> tensor<?x?xf32> {
    %padded = tensor.pad %arg0 low[-1, -1] high[-1, -1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg1 : f32
    } : tensor<4x?xf32> to tensor<2x?xf32>
    %cast = tensor.cast %padded : tensor<2x?xf32> to tensor<?x?xf32>
    return %cast : tensor<?x?xf32>
  }
}
// -----
func.func @f(%m: tensor<4x?xf32>, %x: f32) -> tensor<4x?xf32> {
  %cm = arith.constant -1 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.pad %m low[%cm, %cm] high[%c1, %cm] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32> to tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<4x?xf32>, %arg1: f32) -> tensor<4x?xf32> {
    %c-1 = arith.constant -1 : index
    %c1 = arith.constant 1 : index
    %padded = tensor.pad %arg0 low[%c-1, %c-1] high[%c1, %c-1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg1 : f32
    } : tensor<4x?xf32> to tensor<4x?xf32>
    return %padded : tensor<4x?xf32>
  }
}
// -----
func.func @f(%m: tensor<16xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 2 : index
  %0 = tensor.extract_slice %m[%c3][4][%c2] : tensor<16xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<16xf32>) -> tensor<4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[2] [4] [0] : tensor<16xf32> to tensor<4xf32>
    return %extracted_slice : tensor<4xf32>
  }
}
// -----
func.func @f(%m: memref<16xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %c2 = arith.constant 0 : index
  %c3 = arith.constant 2 : index
  %0 = memref.subview %m[%c3][4][%c2] : memref<16xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %0 : memref<4xf32, strided<[?], offset: ?>>
}
// =>
module {
  func.func @f(%arg0: memref<16xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
    %c0 = arith.constant 0 : index
    %subview = memref.subview %arg0[2] [4] [%c0] : memref<16xf32> to memref<4xf32, strided<[?], offset: 2>>
    %cast = memref.cast %subview : memref<4xf32, strided<[?], offset: 2>> to memref<4xf32, strided<[?], offset: ?>>
    return %cast : memref<4xf32, strided<[?], offset: ?>>
  }
}
// -----
func.func @f(%m: memref<?x4xf32>) -> index {
  %c1 = arith.constant 1 : index
  %u = memref.cast %m : memref<?x4xf32> to memref<*xf32>
  %d = memref.dim %u, %c1 : memref<*xf32>
  return %d : index
}
// =>
module {
  func.func @f(%arg0: memref<?x4xf32>) -> index {
    %c1 = arith.constant 1 : index
    %cast = memref.cast %arg0 : memref<?x4xf32> to memref<*xf32>
    %dim = memref.dim %cast, %c1 : memref<*xf32>
    return %dim : index
  }
}
// -----
func.func @f(%m: memref<2048xi8>, %n: index) -> memref<?x?xf32> {
  %c = memref.cast %m : memref<2048xi8> to memref<?xi8>
  %c0 = arith.constant 16 : index
  %r = memref.view %c[%c0][%n, %n] : memref<?xi8> to memref<?x?xf32>
  return %r : memref<?x?xf32>
}
// =>
module {
  func.func @f(%arg0: memref<2048xi8>, %arg1: index) -> memref<?x?xf32> {
    %c16 = arith.constant 16 : index
    %view = memref.view %arg0[%c16][%arg1, %arg1] : memref<2048xi8> to memref<?x?xf32>
    return %view : memref<?x?xf32>
  }
}
// -----
func.func @f(%m: memref<4x5xf32>) -> memref<4x5xf32, strided<[5, 1]>> {
  %e = memref.transpose %m (i, j) -> (j, i) : memref<4x5xf32> to memref<5x4xf32, strided<[1, 5]>>
  %f = memref.transpose %e (i, j) -> (j, i) : memref<5x4xf32, strided<[1, 5]>> to memref<4x5xf32, strided<[5, 1]>>
  return %f : memref<4x5xf32, strided<[5, 1]>>
}
// =>
module {
  func.func @f(%arg0: memref<4x5xf32>) -> memref<4x5xf32, strided<[5, 1]>> {
    %transpose = memref.transpose %arg0 (d0, d1) -> (d0, d1) : memref<4x5xf32> to memref<4x5xf32, strided<[5, 1]>>
    return %transpose : memref<4x5xf32, strided<[5, 1]>>
  }
}
// -----
func.func @f(%m: memref<4x5x6xf32>) -> memref<5x4x6xf32, strided<[6, 30, 1]>> {
  %e = memref.transpose %m (i, j, k) -> (k, i, j) : memref<4x5x6xf32> to memref<6x4x5xf32, strided<[1, 30, 6]>>
  %f = memref.transpose %e (i, j, k) -> (k, j, i) : memref<6x4x5xf32, strided<[1, 30, 6]>> to memref<5x4x6xf32, strided<[6, 30, 1]>>
  return %f : memref<5x4x6xf32, strided<[6, 30, 1]>>
}
// =>
module {
  func.func @f(%arg0: memref<4x5x6xf32>) -> memref<5x4x6xf32, strided<[6, 30, 1]>> {
    %transpose = memref.transpose %arg0 (d0, d1, d2) -> (d1, d0, d2) : memref<4x5x6xf32> to memref<5x4x6xf32, strided<[6, 30, 1]>>
    return %transpose : memref<5x4x6xf32, strided<[6, 30, 1]>>
  }
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 overflow<nsw> : index
  %r = scf.for %i = %n to %m step %c1 iter_args(%y = %x) -> f32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}
// =>
module {
  func.func @f(%arg0: f32, %arg1: index) -> f32 {
    %0 = arith.addf %arg0, %arg0 : f32
    return %0 : f32
  }
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 overflow<nuw> : index
  %r = scf.for %i = %n to %m step %c1 iter_args(%y = %x) -> f32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}
// =>
module {
  func.func @f(%arg0: f32, %arg1: index) -> f32 {
    %c1 = arith.constant 1 : index
    %0 = arith.addi %arg1, %c1 overflow<nuw> : index
    %1 = scf.for %arg2 = %arg1 to %0 step %c1 iter_args(%arg3 = %arg0) -> (f32) {
      %2 = arith.addf %arg3, %arg3 : f32
      scf.yield %2 : f32
    }
    return %1 : f32
  }
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 overflow<nuw> : index
  %r = scf.for unsigned %i = %n to %m step %c1 iter_args(%y = %x) -> f32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}
// =>
module {
  func.func @f(%arg0: f32, %arg1: index) -> f32 {
    %0 = arith.addf %arg0, %arg0 : f32
    return %0 : f32
  }
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = arith.addi %c4, %n overflow<nsw> : index
  %r = scf.for %i = %n to %m step %c4 iter_args(%y = %x) -> f32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}
// =>
module {
  func.func @f(%arg0: f32, %arg1: index) -> f32 {
    %0 = arith.addf %arg0, %arg0 : f32
    return %0 : f32
  }
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %c1 = arith.constant -1 : index
  %c4 = arith.constant 4 : index
  %m = arith.addi %n, %c1 overflow<nsw> : index
  %r = scf.for %i = %n to %m step %c4 iter_args(%y = %x) -> f32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}
// =>
module {
  func.func @f(%arg0: f32, %arg1: index) -> f32 {
    return %arg0 : f32
  }
}
// -----
func.func @f(%c: i1, %m: memref<1xi1>) {
  scf.if %c {
    "t.a"(%c) : (i1) -> ()
  } else {
    "t.b"(%c) : (i1) -> ()
  }
  return
}
// =>
module {
  func.func @f(%arg0: i1, %arg1: memref<1xi1>) {
    %false = arith.constant false
    %true = arith.constant true
    scf.if %arg0 {
      "t.a"(%true) : (i1) -> ()
    } else {
      "t.b"(%false) : (i1) -> ()
    }
    return
  }
}
// -----
func.func @f(%x: i32) -> i8 {
  %c16 = arith.constant 16 : i32
  %c8 = arith.constant 8 : i16
  %0 = arith.shrsi %x, %c16 : i32
  %1 = arith.trunci %0 : i32 to i16
  %2 = arith.shrsi %1, %c8 : i16
  %3 = arith.trunci %2 : i16 to i8
  return %3 : i8
}
// =>
module {
  func.func @f(%arg0: i32) -> i8 {
    %c8_i16 = arith.constant 8 : i16
    %c16_i32 = arith.constant 16 : i32
    %0 = arith.shrui %arg0, %c16_i32 : i32
    %1 = arith.trunci %0 : i32 to i16
    %2 = arith.shrui %1, %c8_i16 : i16
    %3 = arith.trunci %2 : i16 to i8
    return %3 : i8
  }
}
// -----
func.func @f(%x: i32) -> i16 {
  %c16 = arith.constant 16 : i32
  %c8 = arith.constant 8 : i16
  %0 = arith.shrsi %x, %c16 : i32
  %1 = arith.trunci %0 : i32 to i16
  %2 = arith.shrsi %1, %c8 : i16
  return %2 : i16
}
// =>
module {
  func.func @f(%arg0: i32) -> i16 {
    %c8_i16 = arith.constant 8 : i16
    %c16_i32 = arith.constant 16 : i32
    %0 = arith.shrui %arg0, %c16_i32 : i32
    %1 = arith.trunci %0 : i32 to i16
    %2 = arith.shrsi %1, %c8_i16 : i16
    return %2 : i16
  }
}
// -----
func.func @f(%m: memref<4xf32>, %x: f32, %n: index) {
  %c1 = arith.constant 1 : index
  %e = arith.addi %n, %c1 overflow<nsw> : index
  scf.forall (%i) = (%n) to (%e) step (%c1) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}
// =>
module {
  func.func @f(%arg0: memref<4xf32>, %arg1: f32, %arg2: index) {
    memref.store %arg1, %arg0[%arg2] : memref<4xf32>
    return
  }
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %r = scf.for %i = %n to %m step %c1 iter_args(%y = %x) -> f32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}
// =>
module {
  func.func @f(%arg0: f32, %arg1: index) -> f32 {
    %c1 = arith.constant 1 : index
    %0 = arith.addi %arg1, %c1 : index
    %1 = scf.for %arg2 = %arg1 to %0 step %c1 iter_args(%arg3 = %arg0) -> (f32) {
      %2 = arith.addf %arg3, %arg3 : f32
      scf.yield %2 : f32
    }
    return %1 : f32
  }
}
// -----
func.func @f(%a: tensor<4x?x2x?xf32>, %o: index, %x: f32) -> tensor<4x?x?x?xf32> {
  %c = arith.constant -1 : index
  %0 = tensor.pad %a low[%c, %c, %o, %c] high[%c, %c, %c, %o] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %x : f32
  } : tensor<4x?x2x?xf32> to tensor<4x?x?x?xf32>
  return %0 : tensor<4x?x?x?xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<4x?x2x?xf32>, %arg1: index, %arg2: f32) -> tensor<4x?x?x?xf32> {
    %c-1 = arith.constant -1 : index
    %padded = tensor.pad %arg0 low[%c-1, %c-1, %arg1, %c-1] high[%c-1, %c-1, %c-1, %arg1] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %arg2 : f32
    } : tensor<4x?x2x?xf32> to tensor<4x?x?x?xf32>
    return %padded : tensor<4x?x?x?xf32>
  }
}
