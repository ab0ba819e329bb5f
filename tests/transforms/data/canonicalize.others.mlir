func.func @f0(%b: i32, %f: f32) -> (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) {
  %p = ub.poison : i32
  %q = ub.poison : f32
  %0 = arith.divsi %b, %p : i32
  %1 = arith.remui %p, %b : i32
  %2 = arith.maxsi %p, %b : i32
  %3 = arith.andi %p, %b : i32
  %4 = arith.ceildivsi %p, %b : i32
  %5 = arith.shrui %p, %b : i32
  %6 = arith.divf %q, %f : f32
  %7 = arith.negf %q : f32
  %8 = arith.maximumf %f, %q : f32
  %9 = arith.remf %f, %q : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i32, i32, i32, i32, i32, i32, f32, f32, f32, f32
}
func.func @f1(%v: vector<4xi32>) -> (vector<4xi32>, vector<4xi64>) {
  %p = ub.poison : vector<4xi32>
  %0 = arith.addi %v, %p : vector<4xi32>
  %1 = arith.extsi %p : vector<4xi32> to vector<4xi64>
  return %0, %1 : vector<4xi32>, vector<4xi64>
}
func.func @f2(%f: f32, %i: index) -> (f32, f32, index, index) {
  %p = ub.poison : f32
  %q = ub.poison : index
  %0 = math.sqrt %p : f32
  %1 = math.powf %f, %p : f32
  %2 = index.add %i, %q
  %3 = affine.apply affine_map<(d0) -> (d0 + 1)>(%q)
  return %0, %1, %2, %3 : f32, f32, index, index
}
func.func @f3(%i: index) -> (index, index, index) {
  %q = ub.poison : index
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%q, %i)
  %1 = affine.min affine_map<(d0, d1) -> (d0, d1)>(%q, %i)
  %2 = affine.max affine_map<(d0) -> (d0, 4)>(%q)
  return %0, %1, %2 : index, index, index
}
func.func @f4(%a: memref<?xf32>) -> memref<4xf32> {
  %0 = memref.cast %a : memref<?xf32> to memref<*xf32>
  %1 = memref.cast %0 : memref<*xf32> to memref<4xf32>
  return %1 : memref<4xf32>
}
func.func @f5(%a: memref<8x8xf32>, %i: index) -> memref<2x2xf32, strided<[8, 1], offset: ?>> {
  %0 = memref.subview %a[%i, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  %1 = memref.subview %0[1, 1] [2, 2] [1, 1] : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  return %1 : memref<2x2xf32, strided<[8, 1], offset: ?>>
}
func.func @f6(%a: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %0 = memref.reinterpret_cast %a to offset: [%c0], sizes: [%c8], strides: [%c1] : memref<8xf32> to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.cast %0 : memref<?xf32, strided<[?], offset: ?>> to memref<8xf32>
  return %1 : memref<8xf32>
}
func.func @f7(%a: memref<4x6xf32>) -> memref<2x2x6xf32> {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
  return %0 : memref<2x2x6xf32>
}
func.func @f8(%a: memref<4x6xf32>) -> memref<24xf32> {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
  %1 = memref.collapse_shape %0 [[0, 1, 2]] : memref<2x2x6xf32> into memref<24xf32>
  return %1 : memref<24xf32>
}
func.func @f9(%n: index) -> memref<?x4xf32> {
  %c4 = arith.constant 4 : index
  %0 = memref.alloc(%c4) : memref<?x4xf32>
  return %0 : memref<?x4xf32>
}
func.func @f10(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %0[%c0] : memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return
}
func.func @f11(%a: memref<?x4xf32>, %i: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.dim %a, %c1 : memref<?x4xf32>
  %1 = memref.dim %a, %c0 : memref<?x4xf32>
  %2 = memref.dim %a, %i : memref<?x4xf32>
  return %0, %1, %2 : index, index, index
}
func.func @f12(%n: index, %a: memref<8x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc(%n) : memref<4x?xf32>
  %1 = memref.dim %0, %c1 : memref<4x?xf32>
  %s = memref.subview %a[0, 1] [4, %n] [1, 2] : memref<8x?xf32> to memref<4x?xf32, strided<[?, 2], offset: 1>>
  %2 = memref.dim %s, %c1 : memref<4x?xf32, strided<[?, 2], offset: 1>>
  return %1, %2 : index, index
}
func.func @f13(%a: memref<?xf32>, %s: memref<2xindex>) -> index {
  %c1 = arith.constant 1 : index
  %0 = memref.reshape %a(%s) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  %1 = memref.dim %0, %c1 : memref<?x?xf32>
  return %1 : index
}
func.func @f14(%a: memref<4x8xf32>) -> (memref<f32>, index, index, index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x8xf32> -> memref<f32>, index, index, index, index, index
  return %b, %o, %s#0, %s#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}
func.func @f15(%a: memref<?x?xf32>) -> (index) {
  %c = memref.cast %a : memref<?x?xf32> to memref<4x?xf32>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %c : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  return %s#1 : index
}
func.func @f16(%a: memref<?xf32>) -> index {
  %c = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  %d = memref.cast %a : memref<?xf32> to memref<4xf32>
  %e = memref.extract_aligned_pointer_as_index %d : memref<4xf32> -> index
  %f = arith.addi %c, %e : index
  return %f : index
}
func.func @f17(%a: memref<4xf32, 1>) -> memref<4xf32, 1> {
  %0 = memref.memory_space_cast %a : memref<4xf32, 1> to memref<4xf32>
  %1 = memref.memory_space_cast %0 : memref<4xf32> to memref<4xf32, 1>
  return %1 : memref<4xf32, 1>
}
func.func @f18(%a: memref<4xf32, 1>) -> memref<4xf32, 2> {
  %0 = memref.memory_space_cast %a : memref<4xf32, 1> to memref<4xf32>
  %1 = memref.memory_space_cast %0 : memref<4xf32> to memref<4xf32, 2>
  return %1 : memref<4xf32, 2>
}
func.func @f19(%a: memref<4x8xf32>) -> memref<4x8xf32> {
  %0 = memref.transpose %a (i, j) -> (i, j) : memref<4x8xf32> to memref<4x8xf32>
  return %0 : memref<4x8xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 1)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
#map2 = affine_map<()[s0, s1] -> (s1, s0)>
#map3 = affine_map<()[s0] -> (4, s0)>
module {
  func.func @f0(%arg0: i32, %arg1: f32) -> (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) {
    %0 = ub.poison : f32
    %1 = ub.poison : i32
    %2 = arith.shrui %1, %arg0 : i32
    return %1, %1, %1, %1, %1, %2, %0, %0, %0, %0 : i32, i32, i32, i32, i32, i32, f32, f32, f32, f32
  }
  func.func @f1(%arg0: vector<4xi32>) -> (vector<4xi32>, vector<4xi64>) {
    %0 = ub.poison : vector<4xi32>
    %1 = ub.poison : vector<4xi64>
    return %0, %1 : vector<4xi32>, vector<4xi64>
  }
  func.func @f2(%arg0: f32, %arg1: index) -> (f32, f32, index, index) {
    %0 = ub.poison : index
    %1 = ub.poison : f32
    %2 = index.add %arg1, %0
    %3 = affine.apply #map()[%0]
    return %1, %1, %2, %3 : f32, f32, index, index
  }
  func.func @f3(%arg0: index) -> (index, index, index) {
    %0 = ub.poison : index
    %1 = affine.apply #map1()[%0, %arg0]
    %2 = affine.min #map2()[%0, %arg0]
    %3 = affine.max #map3()[%0]
    return %1, %2, %3 : index, index, index
  }
  func.func @f4(%arg0: memref<?xf32>) -> memref<4xf32> {
    %cast = memref.cast %arg0 : memref<?xf32> to memref<4xf32>
    return %cast : memref<4xf32>
  }
  func.func @f5(%arg0: memref<8x8xf32>, %arg1: index) -> memref<2x2xf32, strided<[8, 1], offset: ?>> {
    %subview = memref.subview %arg0[%arg1, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
    %subview_0 = memref.subview %subview[1, 1] [2, 2] [1, 1] : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<2x2xf32, strided<[8, 1], offset: ?>>
    return %subview_0 : memref<2x2xf32, strided<[8, 1], offset: ?>>
  }
  func.func @f6(%arg0: memref<8xf32>) -> memref<8xf32> {
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
    %cast = memref.cast %reinterpret_cast : memref<8xf32, strided<[1]>> to memref<8xf32>
    return %cast : memref<8xf32>
  }
  func.func @f7(%arg0: memref<4x6xf32>) -> memref<2x2x6xf32> {
    %expand_shape = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
    return %expand_shape : memref<2x2x6xf32>
  }
  func.func @f8(%arg0: memref<4x6xf32>) -> memref<24xf32> {
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x6xf32> into memref<24xf32>
    return %collapse_shape : memref<24xf32>
  }
  func.func @f9(%arg0: index) -> memref<?x4xf32> {
    %alloc = memref.alloc() : memref<4x4xf32>
    %cast = memref.cast %alloc : memref<4x4xf32> to memref<?x4xf32>
    return %cast : memref<?x4xf32>
  }
  func.func @f10(%arg0: index, %arg1: f32) {
    return
  }
  func.func @f11(%arg0: memref<?x4xf32>, %arg1: index) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
    %dim_0 = memref.dim %arg0, %arg1 : memref<?x4xf32>
    return %c4, %dim, %dim_0 : index, index, index
  }
  func.func @f12(%arg0: index, %arg1: memref<8x?xf32>) -> (index, index) {
    return %arg0, %arg0 : index, index
  }
  func.func @f13(%arg0: memref<?xf32>, %arg1: memref<2xindex>) -> index {
    %c1 = arith.constant 1 : index
    %0 = memref.load %arg1[%c1] : memref<2xindex>
    return %0 : index
  }
  func.func @f14(%arg0: memref<4x8xf32>) -> (memref<f32>, index, index, index, index, index) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x8xf32> -> memref<f32>, index, index, index, index, index
    return %base_buffer, %c0, %c4, %c8, %c8, %c1 : memref<f32>, index, index, index, index, index
  }
  func.func @f15(%arg0: memref<?x?xf32>) -> index {
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
    return %sizes#1 : index
  }
  func.func @f16(%arg0: memref<?xf32>) -> index {
    %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<?xf32> -> index
    %cast = memref.cast %arg0 : memref<?xf32> to memref<4xf32>
    %intptr_0 = memref.extract_aligned_pointer_as_index %cast : memref<4xf32> -> index
    %0 = arith.addi %intptr, %intptr_0 : index
    return %0 : index
  }
  func.func @f17(%arg0: memref<4xf32, 1>) -> memref<4xf32, 1> {
    return %arg0 : memref<4xf32, 1>
  }
  func.func @f18(%arg0: memref<4xf32, 1>) -> memref<4xf32, 2> {
    %memspacecast = memref.memory_space_cast %arg0 : memref<4xf32, 1> to memref<4xf32, 2>
    return %memspacecast : memref<4xf32, 2>
  }
  func.func @f19(%arg0: memref<4x8xf32>) -> memref<4x8xf32> {
    return %arg0 : memref<4x8xf32>
  }
}
// -----
func.func @f20(%a: memref<2048xi8>, %i: index) -> memref<?x4xf32> {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = memref.view %a[%i][%c4] : memref<2048xi8> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}
func.func @f21(%i: index) -> memref<4x4xf32> {
  %a = memref.alloc(%i) : memref<?xi8>
  %b = memref.cast %a : memref<?xi8> to memref<2048xi8>
  %c0 = arith.constant 0 : index
  %0 = memref.view %b[%c0][] : memref<2048xi8> to memref<4x4xf32>
  return %0 : memref<4x4xf32>
}
func.func @f22(%f: f32) -> f32 {
  %a = memref.alloca() : memref<f32>
  memref.store %f, %a[] : memref<f32>
  %0 = memref.load %a[] : memref<f32>
  return %0 : f32
}
func.func @f23(%a: memref<4xf32>, %b: memref<?xf32>, %e: memref<0xf32>, %g: memref<0xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.copy %c, %b : memref<?xf32> to memref<?xf32>
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  memref.copy %e, %g : memref<0xf32> to memref<0xf32>
  return
}
func.func @f24(%a: memref<4x4xf32>) -> memref<4x4xf32> {
  %0 = memref.assume_alignment %a, 16 : memref<4x4xf32>
  %1 = memref.assume_alignment %0, 8 : memref<4x4xf32>
  return %1 : memref<4x4xf32>
}
func.func @f25(%a: memref<4xf32>) -> memref<4xf32> {
  %0 = memref.realloc %a : memref<4xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}
func.func @f26(%a: memref<?xf32>) -> memref<?xf32> {
  %c8 = arith.constant 8 : index
  %0 = memref.realloc %a(%c8) : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @f27() -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.get_global @g : memref<2xf32>
  %1 = memref.load %0[%c0] : memref<2xf32>
  return %1 : f32
}
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f28(%a: memref<8x8xf32>) -> memref<8xf32, strided<[1], offset: 16>> {
  %c2 = arith.constant 2 : index
  %0 = memref.subview %a[%c2, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %1 = memref.cast %0 : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: 16>>
  return %1 : memref<8xf32, strided<[1], offset: 16>>
}
func.func @f29(%a: memref<4xi32>, %v: i32, %i: index) -> i32 {
  %m = memref.cast %a : memref<4xi32> to memref<?xi32>
  %0 = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<?xi32>) -> i32
  return %0 : i32
}
func.func @f30(%a: memref<4x4xf32>, %b: memref<*xf32>) -> (index, index) {
  %0 = memref.rank %a : memref<4x4xf32>
  %1 = memref.rank %b : memref<*xf32>
  return %0, %1 : index, index
}
func.func @f31(%a: memref<4xi32>, %i: index) {
  %m = memref.cast %a : memref<4xi32> to memref<?xi32>
  memref.prefetch %m[%i], read, locality<3>, data : memref<?xi32>
  return
}
func.func @f32(%a: memref<1x4x1xf32>) -> memref<4x1xf32> {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<1x4x1xf32> into memref<4x1xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<4x1xf32> into memref<4xf32>
  %2 = memref.expand_shape %1 [[0, 1]] output_shape [4, 1] : memref<4xf32> into memref<4x1xf32>
  return %2 : memref<4x1xf32>
}
func.func @f33(%a: memref<4x8xf32>) -> memref<?xf32> {
  %0 = memref.cast %a : memref<4x8xf32> to memref<?x8xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<?x8xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}
func.func @f34(%n: index) {
  memref.alloca_scope {
    %a = memref.alloca(%n) : memref<?xf32>
    "test.use"(%a) : (memref<?xf32>) -> ()
  }
  return
}
func.func @f35(%a: memref<4xf32>, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %0, %1 = memref.distinct_objects %a, %b : memref<4xf32>, memref<4xf32>
  return %0, %1 : memref<4xf32>, memref<4xf32>
}
func.func @f36(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<*xf32>
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @f37(%n: index) -> (index, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x4xf32>
  %2 = tensor.empty(%c4) : tensor<?x4xf32>
  return %1, %2 : index, tensor<?x4xf32>
}
func.func @f38(%n: index, %m: memref<?x4xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%n) : tensor<?x4xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x4xf32>
  %2 = bufferization.to_tensor %m : memref<?x4xf32> to tensor<?x4xf32>
  %3 = tensor.dim %2, %c0 : tensor<?x4xf32>
  %4 = bufferization.alloc_tensor() copy(%2) : tensor<?x4xf32>
  %5 = tensor.dim %4, %c0 : tensor<?x4xf32>
  return %1, %3, %5 : index, index, index
}
func.func @f39(%t: tensor<?x4xf32>) -> (memref<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c = tensor.cast %t : tensor<?x4xf32> to tensor<4x4xf32>
  %b = bufferization.to_buffer %c read_only : tensor<4x4xf32> to memref<4x4xf32>
  %d = memref.cast %b : memref<4x4xf32> to memref<?x4xf32>
  %e = bufferization.to_buffer %t read_only : tensor<?x4xf32> to memref<?x4xf32>
  %5 = memref.dim %e, %c0 : memref<?x4xf32>
  return %d, %5 : memref<?x4xf32>, index
}
// =>
module {
  func.func @f20(%arg0: memref<2048xi8>, %arg1: index) -> memref<?x4xf32> {
    %view = memref.view %arg0[%arg1][] : memref<2048xi8> to memref<4x4xf32>
    %cast = memref.cast %view : memref<4x4xf32> to memref<?x4xf32>
    return %cast : memref<?x4xf32>
  }
  func.func @f21(%arg0: index) -> memref<4x4xf32> {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc(%arg0) : memref<?xi8>
    %view = memref.view %alloc[%c0][] : memref<?xi8> to memref<4x4xf32>
    return %view : memref<4x4xf32>
  }
  func.func @f22(%arg0: f32) -> f32 {
    %alloca = memref.alloca() : memref<f32>
    memref.store %arg0, %alloca[] : memref<f32>
    %0 = memref.load %alloca[] : memref<f32>
    return %0 : f32
  }
  func.func @f23(%arg0: memref<4xf32>, %arg1: memref<?xf32>, %arg2: memref<0xf32>, %arg3: memref<0xf32>) {
    memref.copy %arg0, %arg1 : memref<4xf32> to memref<?xf32>
    return
  }
  func.func @f24(%arg0: memref<4x4xf32>) -> memref<4x4xf32> {
    %assume_align = memref.assume_alignment %arg0, 16 : memref<4x4xf32>
    %assume_align_0 = memref.assume_alignment %assume_align, 8 : memref<4x4xf32>
    return %assume_align_0 : memref<4x4xf32>
  }
  func.func @f25(%arg0: memref<4xf32>) -> memref<4xf32> {
    %0 = memref.realloc %arg0 : memref<4xf32> to memref<4xf32>
    return %0 : memref<4xf32>
  }
  func.func @f26(%arg0: memref<?xf32>) -> memref<?xf32> {
    %c8 = arith.constant 8 : index
    %0 = memref.realloc %arg0(%c8) : memref<?xf32> to memref<?xf32>
    return %0 : memref<?xf32>
  }
  func.func @f27() -> f32 {
    %c0 = arith.constant 0 : index
    %0 = memref.get_global @g : memref<2xf32>
    %1 = memref.load %0[%c0] : memref<2xf32>
    return %1 : f32
  }
  memref.global "private" constant @g : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
  func.func @f28(%arg0: memref<8x8xf32>) -> memref<8xf32, strided<[1], offset: 16>> {
    %subview = memref.subview %arg0[2, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: 16>>
    return %subview : memref<8xf32, strided<[1], offset: 16>>
  }
  func.func @f29(%arg0: memref<4xi32>, %arg1: i32, %arg2: index) -> i32 {
    %0 = memref.atomic_rmw addi %arg1, %arg0[%arg2] : (i32, memref<4xi32>) -> i32
    return %0 : i32
  }
  func.func @f30(%arg0: memref<4x4xf32>, %arg1: memref<*xf32>) -> (index, index) {
    %c2 = arith.constant 2 : index
    %0 = memref.rank %arg1 : memref<*xf32>
    return %c2, %0 : index, index
  }
  func.func @f31(%arg0: memref<4xi32>, %arg1: index) {
    memref.prefetch %arg0[%arg1], read, locality<3>, data : memref<4xi32>
    return
  }
  func.func @f32(%arg0: memref<1x4x1xf32>) -> memref<4x1xf32> {
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1], [2]] : memref<1x4x1xf32> into memref<4x1xf32>
    return %collapse_shape : memref<4x1xf32>
  }
  func.func @f33(%arg0: memref<4x8xf32>) -> memref<?xf32> {
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    %cast = memref.cast %collapse_shape : memref<32xf32> to memref<?xf32>
    return %cast : memref<?xf32>
  }
  func.func @f34(%arg0: index) {
    %alloca = memref.alloca(%arg0) : memref<?xf32>
    "test.use"(%alloca) : (memref<?xf32>) -> ()
    return
  }
  func.func @f35(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %0:2 = memref.distinct_objects %arg0, %arg1 : memref<4xf32>, memref<4xf32>
    return %0#0, %0#1 : memref<4xf32>, memref<4xf32>
  }
  func.func @f36(%arg0: tensor<4xf32>) -> tensor<?xf32> {
    %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<?xf32>
    return %cast : tensor<?xf32>
  }
  func.func @f37(%arg0: index) -> (index, tensor<?x4xf32>) {
    %0 = tensor.empty() : tensor<4x4xf32>
    %cast = tensor.cast %0 : tensor<4x4xf32> to tensor<?x4xf32>
    return %arg0, %cast : index, tensor<?x4xf32>
  }
  func.func @f38(%arg0: index, %arg1: memref<?x4xf32>) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %0 = bufferization.alloc_tensor(%arg0) : tensor<?x4xf32>
    %1 = bufferization.to_tensor %arg1 : memref<?x4xf32> to tensor<?x4xf32>
    %dim = memref.dim %arg1, %c0 : memref<?x4xf32>
    %2 = bufferization.alloc_tensor() copy(%1) : tensor<?x4xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x4xf32>
    return %arg0, %dim, %dim_0 : index, index, index
  }
  func.func @f39(%arg0: tensor<?x4xf32>) -> (memref<?x4xf32>, index) {
    %c0 = arith.constant 0 : index
    %0 = bufferization.to_buffer %arg0 read_only : tensor<?x4xf32> to memref<?x4xf32>
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    return %0, %dim : memref<?x4xf32>, index
  }
}
// -----
func.func @f40(%t: memref<?x4xf32>) -> (memref<?x4xf32, strided<[4, 1]>>) {
  %c = bufferization.to_tensor %t : memref<?x4xf32> to tensor<?x4xf32>
  %b = bufferization.to_buffer %c : tensor<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>
  return %b : memref<?x4xf32, strided<[4, 1]>>
}
func.func @f41(%n: index, %t: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %c4 = arith.constant 4 : index
  %0 = bufferization.alloc_tensor(%c4) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  return %0, %1 : tensor<?xf32>, tensor<4xf32>
}
func.func @f42(%m: memref<4xf32>) -> (memref<4xf32>, memref<?xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %2 = memref.alloc() : memref<4xf32>
  "test.w"(%2) : (memref<4xf32>) -> ()
  %3 = bufferization.clone %2 : memref<4xf32> to memref<?xf32>
  memref.dealloc %2 : memref<4xf32>
  return %0, %3 : memref<4xf32>, memref<?xf32>
}
func.func @f43(%a: tensor<4x8xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %a[%c1, 0] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  %1 = tensor.extract %0[%c1, %i] : tensor<2x4xf32>
  return %1 : f32
}
func.func @f44(%i: index, %j: index, %f: f32, %g: f32) -> (f32, f32, f32) {
  %c1 = arith.constant 1 : index
  %0 = tensor.from_elements %f, %g : tensor<2xf32>
  %1 = tensor.extract %0[%c1] : tensor<2xf32>
  %2 = tensor.splat %f : tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  %4 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %5 = tensor.extract %4[%c1] : tensor<2xf32>
  return %1, %3, %5 : f32, f32, f32
}
func.func @f45(%a: tensor<4xf32>, %f: f32, %i: index) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.insert %f into %a[%c1] : tensor<4xf32>
  %1 = tensor.extract %0[%c1] : tensor<4xf32>
  %2 = tensor.extract %0[%c2] : tensor<4xf32>
  return %1, %2 : f32, f32
}
func.func @f46(%a: tensor<?xf32>, %i: index) -> (f32) {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%i, 4] : tensor<?xf32> into tensor<?x4xf32>
  %c1 = arith.constant 1 : index
  %1 = tensor.extract %0[%i, %c1] : tensor<?x4xf32>
  return %1 : f32
}
func.func @f47(%a: tensor<4x1xf32>, %i: index) -> (f32) {
  %c0 = arith.constant 0 : index
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
func.func @f48(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>) {
  %0 = tensor.insert_slice %a into %b[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
  %1 = tensor.extract_slice %b[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %2 = tensor.insert_slice %1 into %b[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  %3 = tensor.extract_slice %2[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  return %0, %3 : tensor<4x8xf32>, tensor<2x8xf32>
}
func.func @f49(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>, %i: index, %c: tensor<2x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c2 = arith.constant 2 : index
  %0 = tensor.insert_slice %a into %b[%c2, 0] [%c2, 8] [1, 1] : tensor<?x8xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %c into %0[%c2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
func.func @f50(%a: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<2x12xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  return %0, %1, %2 : tensor<24xf32>, tensor<4x6xf32>, tensor<2x12xf32>
}
func.func @f51(%s: tensor<2xindex>) -> (tensor<2x2xi32>, tensor<4xi32>, tensor<2x2xi32>) {
  %a = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %c = arith.constant dense<[2, 2]> : tensor<2xindex>
  %2 = tensor.reshape %a(%c) : (tensor<4xi32>, tensor<2xindex>) -> tensor<2x2xi32>
  return %0, %1, %2 : tensor<2x2xi32>, tensor<4xi32>, tensor<2x2xi32>
}
func.func @f52(%a: tensor<?x?xf32>, %s: tensor<2xindex>) -> (index, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %2 = tensor.reshape %0(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %1, %2 : index, tensor<?x?xf32>
}
func.func @f53(%a: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.dim %a, %c1 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %e : tensor<2xindex>
  %0 = tensor.reshape %a(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %m = arith.muli %d, %e : index
  %s1 = tensor.from_elements %m : tensor<1xindex>
  %1 = tensor.reshape %a(%s1) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?xf32>
}
func.func @f54(%n: index, %f: f32) -> (tensor<?xf32>, tensor<4xf32>, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %0 = tensor.splat %f[%c4] : tensor<?xf32>
  %1 = tensor.splat %c : tensor<4xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %1, %d : tensor<?xf32>, tensor<4xf32>, index
}
func.func @f55(%n: index) -> (tensor<?x4xindex>, index, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.generate %c4 {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x4xindex>
  %d = tensor.dim %0, %c0 : tensor<?x4xindex>
  %e = tensor.extract %0[%n, %c4] : tensor<?x4xindex>
  return %0, %d, %e : tensor<?x4xindex>, index, index
}
func.func @f56(%a: tensor<4x?xf32>, %f: f32) -> (tensor<6x?xf32>, tensor<4x?xf32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %a low[%c1, 0] high[1, %c0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x?xf32> to tensor<6x?xf32>
  %1 = tensor.pad %a low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x?xf32> to tensor<4x?xf32>
  return %0, %1 : tensor<6x?xf32>, tensor<4x?xf32>
}
func.func @f57(%a: tensor<4xf32>, %f: f32) -> (index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %0 = tensor.pad %c low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1, %0 : index, tensor<?xf32>
}
func.func @f58(%a: tensor<4xf32>, %b: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.concat dim(0) %a : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %1, %c0 : tensor<?xf32>
  return %0, %1, %d : tensor<4xf32>, tensor<?xf32>, index
}
func.func @f59(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = tensor.bitcast %a : tensor<4xf32> to tensor<4xi32>
  %1 = tensor.bitcast %0 : tensor<4xi32> to tensor<4xf32>
  %2 = arith.constant dense<1.0> : tensor<4xf32>
  %3 = tensor.bitcast %2 : tensor<4xf32> to tensor<4xi32>
  return %1, %3 : tensor<4xf32>, tensor<4xi32>
}
// =>
module {
  func.func @f40(%arg0: memref<?x4xf32>) -> memref<?x4xf32, strided<[4, 1]>> {
    %cast = memref.cast %arg0 : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>
    return %cast : memref<?x4xf32, strided<[4, 1]>>
  }
  func.func @f41(%arg0: index, %arg1: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
    %0 = bufferization.alloc_tensor() : tensor<4xf32>
    %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
    %1 = bufferization.alloc_tensor() copy(%arg1) : tensor<4xf32>
    return %cast, %1 : tensor<?xf32>, tensor<4xf32>
  }
  func.func @f42(%arg0: memref<4xf32>) -> (memref<4xf32>, memref<?xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    "test.w"(%alloc) : (memref<4xf32>) -> ()
    %cast = memref.cast %alloc : memref<4xf32> to memref<?xf32>
    return %arg0, %cast : memref<4xf32>, memref<?xf32>
  }
  func.func @f43(%arg0: tensor<4x8xf32>, %arg1: index) -> f32 {
    %c1 = arith.constant 1 : index
    %extracted_slice = tensor.extract_slice %arg0[1, 0] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
    %extracted = tensor.extract %extracted_slice[%c1, %arg1] : tensor<2x4xf32>
    return %extracted : f32
  }
  func.func @f44(%arg0: index, %arg1: index, %arg2: f32, %arg3: f32) -> (f32, f32, f32) {
    %cst = arith.constant 2.000000e+00 : f32
    %splat = tensor.splat %arg2 : tensor<4xf32>
    %extracted = tensor.extract %splat[%arg0] : tensor<4xf32>
    return %arg3, %extracted, %cst : f32, f32, f32
  }
  func.func @f45(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> (f32, f32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %inserted = tensor.insert %arg1 into %arg0[%c1] : tensor<4xf32>
    %extracted = tensor.extract %inserted[%c2] : tensor<4xf32>
    return %arg1, %extracted : f32, f32
  }
  func.func @f46(%arg0: tensor<?xf32>, %arg1: index) -> f32 {
    %c1 = arith.constant 1 : index
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [%arg1, 4] : tensor<?xf32> into tensor<?x4xf32>
    %extracted = tensor.extract %expanded[%arg1, %c1] : tensor<?x4xf32>
    return %extracted : f32
  }
  func.func @f47(%arg0: tensor<4x1xf32>, %arg1: index) -> f32 {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
    %extracted = tensor.extract %collapsed[%arg1] : tensor<4xf32>
    return %extracted : f32
  }
  func.func @f48(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>) {
    %extracted_slice = tensor.extract_slice %arg1[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
    return %arg0, %extracted_slice : tensor<4x8xf32>, tensor<2x8xf32>
  }
  func.func @f49(%arg0: tensor<?x8xf32>, %arg1: tensor<4x8xf32>, %arg2: index, %arg3: tensor<2x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %cast = tensor.cast %arg0 : tensor<?x8xf32> to tensor<2x8xf32>
    %inserted_slice = tensor.insert_slice %cast into %arg1[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
    %inserted_slice_0 = tensor.insert_slice %arg3 into %arg1[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
    return %inserted_slice, %inserted_slice_0 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func @f50(%arg0: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<2x12xf32>) {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
    return %collapsed, %arg0, %expanded : tensor<24xf32>, tensor<4x6xf32>, tensor<2x12xf32>
  }
  func.func @f51(%arg0: tensor<2xindex>) -> (tensor<2x2xi32>, tensor<4xi32>, tensor<2x2xi32>) {
    %cst = arith.constant dense<2> : tensor<2xindex>
    %cst_0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %cst_1 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %reshape = tensor.reshape %cst_0(%cst) : (tensor<4xi32>, tensor<2xindex>) -> tensor<2x2xi32>
    return %cst_1, %cst_0, %reshape : tensor<2x2xi32>, tensor<4xi32>, tensor<2x2xi32>
  }
  func.func @f52(%arg0: tensor<?x?xf32>, %arg1: tensor<2xindex>) -> (index, tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg1[%c0] : tensor<2xindex>
    %reshape = tensor.reshape %arg0(%arg1) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    return %extracted, %reshape : index, tensor<?x?xf32>
  }
  func.func @f53(%arg0: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
    %0 = arith.muli %dim, %c4 : index
    %from_elements = tensor.from_elements %0 : tensor<1xindex>
    %reshape = tensor.reshape %arg0(%from_elements) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
    return %arg0, %reshape : tensor<?x4xf32>, tensor<?xf32>
  }
  func.func @f54(%arg0: index, %arg1: f32) -> (tensor<?xf32>, tensor<4xf32>, index) {
    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %splat = tensor.splat %arg1[%c4] : tensor<?xf32>
    %dim = tensor.dim %splat, %c0 : tensor<?xf32>
    return %splat, %cst, %dim : tensor<?xf32>, tensor<4xf32>, index
  }
  func.func @f55(%arg0: index) -> (tensor<?x4xindex>, index, index) {
    %c4 = arith.constant 4 : index
    %generated = tensor.generate  {
    ^bb0(%arg1: index, %arg2: index):
      %1 = arith.addi %arg1, %arg2 : index
      tensor.yield %1 : index
    } : tensor<4x4xindex>
    %cast = tensor.cast %generated : tensor<4x4xindex> to tensor<?x4xindex>
    %0 = arith.addi %arg0, %c4 : index
    return %cast, %c4, %0 : tensor<?x4xindex>, index, index
  }
  func.func @f56(%arg0: tensor<4x?xf32>, %arg1: f32) -> (tensor<6x?xf32>, tensor<4x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %padded = tensor.pad %arg0 low[%c1, 0] high[1, %c0] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %arg1 : f32
    } : tensor<4x?xf32> to tensor<6x?xf32>
    return %padded, %arg0 : tensor<6x?xf32>, tensor<4x?xf32>
  }
  func.func @f57(%arg0: tensor<4xf32>, %arg1: f32) -> (index, tensor<?xf32>) {
    %c6 = arith.constant 6 : index
    %padded = tensor.pad %arg0 low[1] high[1] {
    ^bb0(%arg2: index):
      tensor.yield %arg1 : f32
    } : tensor<4xf32> to tensor<6xf32>
    %cast = tensor.cast %padded : tensor<6xf32> to tensor<?xf32>
    return %c6, %cast : index, tensor<?xf32>
  }
  func.func @f58(%arg0: tensor<4xf32>, %arg1: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>, index) {
    %c0 = arith.constant 0 : index
    %concat = tensor.concat dim(0) %arg0, %arg1 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
    %dim = tensor.dim %concat, %c0 : tensor<?xf32>
    return %arg0, %concat, %dim : tensor<4xf32>, tensor<?xf32>, index
  }
  func.func @f59(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>
    %0 = tensor.bitcast %cst : tensor<4xf32> to tensor<4xi32>
    return %arg0, %0 : tensor<4xf32>, tensor<4xi32>
  }
}
// -----
func.func @f60(%a: tensor<4x4xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x4xf32> {
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}
func.func @f61(%a: tensor<4x4xf32>, %b: tensor<*xf32>) -> (index, index) {
  %0 = tensor.rank %a : tensor<4x4xf32>
  %1 = tensor.rank %b : tensor<*xf32>
  return %0, %1 : index, index
}
func.func @f62(%f: f32) -> (tensor<2xf32>, tensor<f32>) {
  %c = arith.constant 1.0 : f32
  %0 = tensor.from_elements %c, %c : tensor<2xf32>
  %1 = tensor.from_elements %f : tensor<f32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}
func.func @f63(%a: tensor<?x?xf32>, %n: index) -> (index, index, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %a[%n, 0] [%n, %c4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %2 = tensor.dim %0, %c1 : tensor<?x?xf32>
  %3 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x4xf32>
  return %1, %2, %3 : index, index, tensor<?x4xf32>
}
func.func @f64() -> (tensor<2xi32>, tensor<2x2xi32>) {
  %a = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = arith.constant dense<7> : tensor<4x4xi32>
  %0 = tensor.extract_slice %a[1] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %1 = tensor.extract_slice %b[1, 0] [2, 2] [1, 1] : tensor<4x4xi32> to tensor<2x2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2x2xi32>
}
func.func @f65(%a: tensor<8x8xf32>) -> tensor<2x2xf32> {
  %0 = tensor.extract_slice %a[1, 1] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %1 = tensor.extract_slice %0[1, 1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
func.func @f66(%a: tensor<?x4xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
  %3 = tensor.dim %2, %c0 : tensor<?x2xf32>
  return %1, %3 : index, index
}
func.func @f67(%a: tensor<4xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %0 = bufferization.materialize_in_destination %c in %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @f68(%c: i1, %a: i32, %b: i32) -> i32 {
  %0 = scf.if %c -> i32 { scf.yield %a : i32 } else { scf.yield %b : i32 }
  return %0 : i32
}
func.func @f69(%c: i1, %a: memref<4xi32>, %i: index, %v: i32) {
  scf.if %c {
    scf.if %c { memref.store %v, %a[%i] : memref<4xi32> }
  } else { }
  scf.if %c { memref.store %v, %a[%i] : memref<4xi32> }
  return
}
func.func @f70(%c: i1, %d: i1) -> i1 {
  %t = arith.constant true
  %f = arith.constant false
  %0 = scf.if %c -> i1 { scf.yield %t : i1 } else { scf.yield %f : i1 }
  %1 = scf.if %c -> i1 { scf.yield %f : i1 } else { scf.yield %t : i1 }
  %2 = arith.andi %0, %1 : i1
  return %2 : i1
}
func.func @f71(%c: i1) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    %a = "test.a"() : () -> i32
    %b = "test.b"() : () -> i32
    scf.yield %a, %b : i32, i32
  } else {
    %a = "test.c"() : () -> i32
    scf.yield %a, %a : i32, i32
  }
  return %0#0, %0#0 : i32, i32
}
func.func @f72(%n: index, %a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f32 { scf.yield %x : f32 }
  return %0 : f32
}
func.func @f73(%n: index, %a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    %s = arith.addf %x, %y : f32
    scf.yield %s, %x : f32, f32 }
  return %0#0, %0#1 : f32, f32
}
func.func @f74(%n: index, %a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    %s = arith.addf %x, %b : f32
    scf.yield %s, %b : f32, f32 }
  return %0#0, %0#1 : f32, f32
}
func.func @f75(%n: index, %t: tensor<4xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c) -> tensor<?xf32> {
    %s = tensor.insert %f into %x[%i] : tensor<?xf32>
    scf.yield %s : tensor<?xf32> }
  return %0 : tensor<?xf32>
}
func.func @f76(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %c0 step %c1 { "test.x"() : () -> () }
  scf.for %i = %n to %n step %c1 { "test.y"() : () -> () }
  scf.for %i = %c0 to %n step %c1 { }
  return
}
func.func @f77(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %0 = scf.for %i = %c0 to %c2 step %c3 iter_args(%x = %n) -> i32 : i32 {
    %s = arith.addi %x, %i : i32
    scf.yield %s : i32 }
  return %0 : i32
}
func.func @f78(%a: i32) -> i32 {
  %t = arith.constant true
  %0 = scf.while (%x = %a) : (i32) -> i32 {
    %c = "test.c"(%x) : (i32) -> i1
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    "test.u"(%t, %y) : (i1, i32) -> ()
    scf.yield %a : i32
  }
  return %0 : i32
}
func.func @f79(%a: i32, %b: i32) -> (i32, i32) {
  %0:2 = scf.while (%x = %a, %z = %b) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %b : i32
    scf.condition(%c) %x, %z : i32, i32
  } do {
  ^bb0(%y: i32, %w: i32):
    %c = arith.cmpi slt, %y, %b : i32
    %s = arith.extui %c : i1 to i32
    %t = arith.addi %y, %s : i32
    scf.yield %t, %w : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
// =>
module {
  func.func @f60(%arg0: tensor<4x4xf32>, %arg1: tensor<2x1xindex>) -> tensor<2x1x4xf32> {
    %gather = tensor.gather %arg0[%arg1] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
    return %gather : tensor<2x1x4xf32>
  }
  func.func @f61(%arg0: tensor<4x4xf32>, %arg1: tensor<*xf32>) -> (index, index) {
    %c2 = arith.constant 2 : index
    %rank = tensor.rank %arg1 : tensor<*xf32>
    return %c2, %rank : index, index
  }
  func.func @f62(%arg0: f32) -> (tensor<2xf32>, tensor<f32>) {
    %cst = arith.constant dense<1.000000e+00> : tensor<2xf32>
    %from_elements = tensor.from_elements %arg0 : tensor<f32>
    return %cst, %from_elements : tensor<2xf32>, tensor<f32>
  }
  func.func @f63(%arg0: tensor<?x?xf32>, %arg1: index) -> (index, index, tensor<?x4xf32>) {
    %c4 = arith.constant 4 : index
    %extracted_slice = tensor.extract_slice %arg0[%arg1, 0] [%arg1, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
    return %arg1, %c4, %extracted_slice : index, index, tensor<?x4xf32>
  }
  func.func @f64() -> (tensor<2xi32>, tensor<2x2xi32>) {
    %cst = arith.constant dense<7> : tensor<2x2xi32>
    %cst_0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %extracted_slice = tensor.extract_slice %cst_0[1] [2] [1] : tensor<4xi32> to tensor<2xi32>
    return %extracted_slice, %cst : tensor<2xi32>, tensor<2x2xi32>
  }
  func.func @f65(%arg0: tensor<8x8xf32>) -> tensor<2x2xf32> {
    %extracted_slice = tensor.extract_slice %arg0[1, 1] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
    %extracted_slice_0 = tensor.extract_slice %extracted_slice[1, 1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
    return %extracted_slice_0 : tensor<2x2xf32>
  }
  func.func @f66(%arg0: tensor<?x4xf32>, %arg1: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
    %dim = tensor.dim %collapsed, %c0 : tensor<?xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [%arg1, 2] : tensor<?xf32> into tensor<?x2xf32>
    %dim_0 = tensor.dim %expanded, %c0 : tensor<?x2xf32>
    return %dim, %dim_0 : index, index
  }
  func.func @f67(%arg0: tensor<4xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = bufferization.materialize_in_destination %arg0 in %arg1 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @f68(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.select %arg0, %arg1, %arg2 : i32
    return %0 : i32
  }
  func.func @f69(%arg0: i1, %arg1: memref<4xi32>, %arg2: index, %arg3: i32) {
    scf.if %arg0 {
      memref.store %arg3, %arg1[%arg2] : memref<4xi32>
      memref.store %arg3, %arg1[%arg2] : memref<4xi32>
    }
    return
  }
  func.func @f70(%arg0: i1, %arg1: i1) -> i1 {
    %false = arith.constant false
    return %false : i1
  }
  func.func @f71(%arg0: i1) -> (i32, i32) {
    %0 = scf.if %arg0 -> (i32) {
      %1 = "test.a"() : () -> i32
      %2 = "test.b"() : () -> i32
      scf.yield %1 : i32
    } else {
      %1 = "test.c"() : () -> i32
      scf.yield %1 : i32
    }
    return %0, %0 : i32, i32
  }
  func.func @f72(%arg0: index, %arg1: f32) -> f32 {
    return %arg1 : f32
  }
  func.func @f73(%arg0: index, %arg1: f32, %arg2: f32) -> (f32, f32) {
    %0 = arith.addf %arg1, %arg2 : f32
    return %0, %arg1 : f32, f32
  }
  func.func @f74(%arg0: index, %arg1: f32, %arg2: f32) -> (f32, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1) -> (f32) {
      %1 = arith.addf %arg4, %arg2 : f32
      scf.yield %1 : f32
    }
    return %0, %arg2 : f32, f32
  }
  func.func @f75(%arg0: index, %arg1: tensor<4xf32>, %arg2: f32) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1) -> (tensor<4xf32>) {
      %inserted = tensor.insert %arg2 into %arg4[%arg3] : tensor<4xf32>
      scf.yield %inserted : tensor<4xf32>
    }
    %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
    return %cast : tensor<?xf32>
  }
  func.func @f76(%arg0: index) {
    return
  }
  func.func @f77(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
  func.func @f78(%arg0: i32) -> i32 {
    %true = arith.constant true
    scf.while : () -> () {
      %0 = "test.c"(%arg0) : (i32) -> i1
      scf.condition(%0)
    } do {
      "test.u"(%true, %arg0) : (i1, i32) -> ()
      scf.yield
    }
    return %arg0 : i32
  }
  func.func @f79(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
      %1 = arith.cmpi slt, %arg2, %arg1 : i32
      scf.condition(%1) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %1 = arith.addi %arg2, %c1_i32 : i32
      scf.yield %1 : i32
    }
    return %0, %arg1 : i32, i32
  }
}
// -----
func.func @f80(%a: i32) -> i32 {
  %f = arith.constant false
  %0 = scf.while (%x = %a) : (i32) -> i32 {
    scf.condition(%f) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return %0 : i32
}
func.func @f81(%a: i32, %n: i32) -> (i32, i32) {
  %0:2 = scf.while (%x = %a) : (i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %n : i32
    scf.condition(%c) %x, %x : i32, i32
  } do {
  ^bb0(%y: i32, %z: i32):
    %t = arith.addi %y, %z : i32
    scf.yield %t : i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @f82(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> tensor<4xf32> {
    %s = tensor.extract_slice %o[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32> }
  }
  return %0 : tensor<4xf32>
}
func.func @f83(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %0 = scf.forall (%i) = (%c0) to (%c4) step (%c2) shared_outs(%o = %t) -> tensor<4xf32> {
    %s = tensor.extract_slice %o[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32> }
  }
  return %0 : tensor<4xf32>
}
func.func @f84(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.forall (%i) in (%n) shared_outs(%o = %t, %p = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32> }
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func @f85(%n: index, %m: memref<4x4xf32>, %f: f32) {
  scf.forall (%i, %j) in (1, %n) {
    memref.store %f, %m[%i, %j] : memref<4x4xf32>
  }
  scf.forall (%i) in (0) {
    memref.store %f, %m[%i, %i] : memref<4x4xf32>
  }
  return
}
func.func @f86(%n: index, %m: memref<4x4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) {
    memref.store %f, %m[%i, %j] : memref<4x4xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c2) {
      memref.store %f, %m[%i, %j] : memref<4x4xf32>
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c1) to (%c0) step (%c1) {
    memref.store %f, %m[%i, %i] : memref<4x4xf32>
    scf.reduce
  }
  return
}
func.func @f87(%a: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  }
  return %0 : i32
}
func.func @f88(%a: i32, %c: i1) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  }
  return %0 : i32
}
func.func @f89(%a: i32, %c: i1) {
  scf.if %c {
    scf.execute_region {
      "test.x"() : () -> ()
      scf.yield
    }
  }
  return
}
func.func @f90(%i: index) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = scf.index_switch %c1 -> i32
  case 0 { %a = arith.constant 10 : i32 scf.yield %a : i32 }
  case 1 { %a = arith.constant 20 : i32 scf.yield %a : i32 }
  default { %a = arith.constant 30 : i32 scf.yield %a : i32 }
  return %0 : i32
}
func.func @f91(%i: index) -> (i32, i32) {
  %a = arith.constant 10 : i32
  %0:2 = scf.index_switch %i -> i32, i32
  case 0 { %b = "test.a"() : () -> i32 scf.yield %a, %b : i32, i32 }
  default { %b = "test.b"() : () -> i32 scf.yield %a, %b : i32, i32 }
  return %0#0, %0#1 : i32, i32
}
func.func @f92(%c: i1, %x: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = scf.if %c -> index {
    %y = arith.addi %x, %c1 : index
    scf.yield %y : index
  } else {
    %y = arith.addi %x, %c1 : index
    scf.yield %y : index
  }
  return %0 : index
}
func.func @f93(%c: i1, %d: i1, %m: memref<i32>, %v: i32) {
  scf.if %c {
    scf.if %d { memref.store %v, %m[] : memref<i32> }
  }
  scf.if %c { memref.store %v, %m[] : memref<i32> } else { memref.store %v, %m[] : memref<i32> }
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n { memref.store %v, %m[] : memref<i32> } else { }
  return
}
func.func @f94(%c: i1, %d: i1) -> (i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %0 = scf.if %c -> i32 {
    %1 = scf.if %d -> i32 { scf.yield %a : i32 } else { scf.yield %b : i32 }
    scf.yield %1 : i32
  } else { scf.yield %b : i32 }
  return %0 : i32
}
func.func @f95(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c4 {
    scf.for %j = %i to %n step %c4 {
      %x = arith.addi %i, %j : index
      "test.u"(%x) : (index) -> ()
    }
  }
  return
}
func.func @f96(%m: memref<4xf32>) -> (tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @f97(%a: tensor<4x4xf32>, %f: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.copy ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.copy ins(%0 : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func @f98(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @f99(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @f80(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
  func.func @f81(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
      %1 = arith.cmpi slt, %arg2, %arg1 : i32
      scf.condition(%1) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %1 = arith.addi %arg2, %arg2 : i32
      scf.yield %1 : i32
    }
    return %0, %0 : i32, i32
  }
  func.func @f82(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
  func.func @f83(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
    %0 = scf.forall (%arg2) = (0) to (4) step (2) shared_outs(%arg3 = %arg0) -> (tensor<4xf32>) {
      %extracted_slice = tensor.extract_slice %arg3[%arg2] [2] [1] : tensor<4xf32> to tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg3[%arg2] [2] [1] : tensor<2xf32> into tensor<4xf32>
      }
    }
    return %0 : tensor<4xf32>
  }
  func.func @f84(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: index) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = scf.forall (%arg3) in (%arg2) shared_outs(%arg4 = %arg0) -> (tensor<4xf32>) {
      %extracted_slice = tensor.extract_slice %arg4[%arg3] [2] [1] : tensor<4xf32> to tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg4[%arg3] [2] [1] : tensor<2xf32> into tensor<4xf32>
      }
    }
    return %0, %arg1 : tensor<4xf32>, tensor<4xf32>
  }
  func.func @f85(%arg0: index, %arg1: memref<4x4xf32>, %arg2: f32) {
    %c0 = arith.constant 0 : index
    scf.forall (%arg3) in (%arg0) {
      memref.store %arg2, %arg1[%c0, %arg3] : memref<4x4xf32>
    }
    return
  }
  func.func @f86(%arg0: index, %arg1: memref<4x4xf32>, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%arg3) = (%c0) to (%arg0) step (%c1) {
      memref.store %arg2, %arg1[%c0, %arg3] : memref<4x4xf32>
      scf.reduce 
    }
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c2) {
      memref.store %arg2, %arg1[%arg3, %arg4] : memref<4x4xf32>
      scf.reduce 
    }
    return
  }
  func.func @f87(%arg0: i32) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    return %0 : i32
  }
  func.func @f88(%arg0: i32, %arg1: i1) -> i32 {
    cf.cond_br %arg1, ^bb2(%arg0 : i32), ^bb1
  ^bb1:  // pred: ^bb0
    %0 = arith.addi %arg0, %arg0 : i32
    cf.br ^bb2(%0 : i32)
  ^bb2(%1: i32):  // 2 preds: ^bb0, ^bb1
    return %1 : i32
  }
  func.func @f89(%arg0: i32, %arg1: i1) {
    scf.if %arg1 {
      "test.x"() : () -> ()
    }
    return
  }
  func.func @f90(%arg0: index) -> i32 {
    %c20_i32 = arith.constant 20 : i32
    return %c20_i32 : i32
  }
  func.func @f91(%arg0: index) -> (i32, i32) {
    %c10_i32 = arith.constant 10 : i32
    %0 = scf.index_switch %arg0 -> i32 
    case 0 {
      %1 = "test.a"() : () -> i32
      scf.yield %1 : i32
    }
    default {
      %1 = "test.b"() : () -> i32
      scf.yield %1 : i32
    }
    return %c10_i32, %0 : i32, i32
  }
  func.func @f92(%arg0: i1, %arg1: index) -> index {
    %c1 = arith.constant 1 : index
    %0 = scf.if %arg0 -> (index) {
      %1 = arith.addi %arg1, %c1 : index
      scf.yield %1 : index
    } else {
      %1 = arith.addi %arg1, %c1 : index
      scf.yield %1 : index
    }
    return %0 : index
  }
  func.func @f93(%arg0: i1, %arg1: i1, %arg2: memref<i32>, %arg3: i32) {
    %0 = arith.andi %arg0, %arg1 : i1
    scf.if %0 {
      memref.store %arg3, %arg2[] : memref<i32>
    }
    scf.if %arg0 {
      memref.store %arg3, %arg2[] : memref<i32>
    } else {
      memref.store %arg3, %arg2[] : memref<i32>
      memref.store %arg3, %arg2[] : memref<i32>
    }
    return
  }
  func.func @f94(%arg0: i1, %arg1: i1) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.andi %arg0, %arg1 : i1
    %1 = arith.select %0, %c1_i32, %c2_i32 : i32
    return %1 : i32
  }
  func.func @f95(%arg0: index, %arg1: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %arg2 = %c0 to %arg0 step %c4 {
      "test.u"(%arg2) : (index) -> ()
    }
    return
  }
  func.func @f96(%arg0: memref<4xf32>) -> tensor<4xf32> {
    %0 = bufferization.to_tensor %arg0 : memref<4xf32> to tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @f97(%arg0: tensor<4x4xf32>, %arg1: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %0 = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.copy ins(%arg0 : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.fill ins(%arg1 : f32) outs(%arg0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func @f98(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    return %arg0 : tensor<4x4xf32>
  }
  func.func @f99(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg1 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.addf %in, %in_0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
// -----
func.func @f100(%a: tensor<?x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> (tensor<4x4xf32>) {
  %d = tensor.cast %b : tensor<4x4xf32> to tensor<?x?xf32>
  %e = tensor.cast %c : tensor<4x4xf32> to tensor<?x4xf32>
  %0 = linalg.matmul ins(%a, %d : tensor<?x4xf32>, tensor<?x?xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = tensor.cast %0 : tensor<?x4xf32> to tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @f101(%a: memref<4x4xf32>, %e: memref<0x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : memref<0x4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  linalg.copy ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}
func.func @f102(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %f = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%0 : tensor<3x2xf32>) outs(%f : tensor<2x3xf32>) permutation = [1, 0]
  return %1 : tensor<2x3xf32>
}
func.func @f103(%a: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %f = tensor.empty() : tensor<4x2x3xf32>
  %0 = linalg.broadcast ins(%a : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %1 = linalg.broadcast ins(%0 : tensor<2x3xf32>) outs(%f : tensor<4x2x3xf32>) dimensions = [0]
  return %1 : tensor<4x2x3xf32>
}
func.func @f104(%a: tensor<3xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %f = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.broadcast ins(%a : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %1 = linalg.transpose ins(%0 : tensor<2x3xf32>) outs(%f : tensor<3x2xf32>) permutation = [1, 0]
  return %1 : tensor<3x2xf32>
}
func.func @f105(%f: f32) -> (tensor<16xf32>, tensor<2x8xf32>, f32, tensor<18xf32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %3 = tensor.extract %0[%c1, %c1] : tensor<4x4xf32>
  %4 = tensor.pad %1 low[1] high[1] { ^bb0(%i: index): tensor.yield %f : f32 } : tensor<16xf32> to tensor<18xf32>
  return %1, %2, %3, %4 : tensor<16xf32>, tensor<2x8xf32>, f32, tensor<18xf32>
}
func.func @f106(%a: tensor<16x16xf32>, %d: tensor<2x2x8x8xf32>, %u: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<2x2x8x8xf32>) {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %u : tensor<2x2x8x8xf32> -> tensor<16x16xf32>
  %2 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %u : tensor<2x2x8x8xf32> -> tensor<16x16xf32>
  %3 = linalg.pack %2 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
  return %1, %3 : tensor<16x16xf32>, tensor<2x2x8x8xf32>
}
func.func @f107(%a: tensor<4x1xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x1xf32>) outs(%o : tensor<4x1xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 0 : index
    %k = arith.addi %i, %j : index
    %l = arith.index_cast %k : index to i32
    %m = arith.sitofp %l : i32 to f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}
func.func @f108(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.map { math.absf } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>)
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4xf32>) outs(%e : tensor<f32>) dimensions = [0]
  return %0, %1 : tensor<4xf32>, tensor<f32>
}
func.func @f109(%t: tensor<2x?xf32>) -> (index, index, !shape.size, index) {
  %c0 = arith.constant 0 : index
  %0 = shape.shape_of %t : tensor<2x?xf32> -> tensor<2xindex>
  %1 = shape.rank %0 : tensor<2xindex> -> index
  %2 = shape.get_extent %0, %c0 : tensor<2xindex>, index -> index
  %3 = shape.index_to_size %2
  %4 = shape.size_to_index %3 : !shape.size
  return %1, %2, %3, %4 : index, index, !shape.size, index
}
func.func @f110(%a: tensor<3xindex>) -> (!shape.witness, !shape.witness, index) {
  %1 = shape.const_shape [1, 2, 3] : tensor<3xindex>
  %2 = shape.const_shape [4, 1, 3] : tensor<3xindex>
  %w = shape.cstr_broadcastable %1, %2 : tensor<3xindex>, tensor<3xindex>
  %x = shape.cstr_eq %1, %2 : tensor<3xindex>, tensor<3xindex>
  %y = shape.assuming_all %w, %w
  %n = shape.num_elements %1 : tensor<3xindex> -> index
  return %y, %x, %n : !shape.witness, !shape.witness, index
}
func.func @f111(%i: i1) -> (index, tensor<2xindex>, tensor<1xindex>) {
  %w = shape.const_witness true
  %0 = shape.assuming %w -> (index) {
    %c = arith.constant 3 : index
    shape.assuming_yield %c : index
  }
  %1 = shape.const_shape [1, 2, 3] : tensor<3xindex>
  %c1 = arith.constant 1 : index
  %h, %t = "shape.split_at"(%1, %c1) : (tensor<3xindex>, index) -> (tensor<1xindex>, tensor<2xindex>)
  return %0, %t, %h : index, tensor<2xindex>, tensor<1xindex>
}
func.func @f112(%t: tensor<?x?xf32>, %u: tensor<?x?xf32>) -> (tensor<?xindex>, i1, i1) {
  %0 = shape.shape_of %t : tensor<?x?xf32> -> tensor<?xindex>
  %1 = shape.shape_of %u : tensor<?x?xf32> -> tensor<?xindex>
  %2 = shape.shape_eq %0, %0 : tensor<?xindex>, tensor<?xindex>
  %3 = shape.is_broadcastable %0, %0 : tensor<?xindex>, tensor<?xindex>
  %c = tensor.cast %0 : tensor<?xindex> to tensor<2xindex>
  %d = tensor.cast %c : tensor<2xindex> to tensor<?xindex>
  %4 = shape.broadcast %d, %1 : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  return %4, %2, %3 : tensor<?xindex>, i1, i1
}
func.func @f113(%x: index) -> (index, index, index, index, index) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %0 = index.add %x, %c0
  %1 = index.mul %x, %c1
  %2 = index.mul %x, %c0
  %3 = index.sub %x, %x
  %4 = index.divs %x, %c1
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}
func.func @f114(%x: index, %i: i32) -> (i32, index, index, i64, i1) {
  %c5 = index.constant 5
  %0 = index.casts %c5 : index to i32
  %1 = index.castu %i : i32 to index
  %2 = index.casts %0 : i32 to index
  %3 = index.casts %x : index to i64
  %4 = index.cmp slt(%c5, %c5)
  return %0, %1, %2, %3, %4 : i32, index, index, i64, i1
}
func.func @f115(%x: index) -> (index, index, index, index, index, index, index) {
  %a = index.constant 13
  %b = index.constant 5
  %0 = index.ceildivs %a, %b
  %1 = index.floordivs %a, %b
  %2 = index.rems %a, %b
  %3 = index.maxs %a, %b
  %4 = index.shl %a, %b
  %5 = index.xor %a, %b
  %6 = index.sizeof
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, index, index
}
func.func @f116(%x: index) -> (i1, i1, i1, index) {
  %a = index.constant 4
  %0 = index.minu %x, %a
  %1 = index.cmp ugt(%0, %a)
  %2 = index.cmp eq(%x, %x)
  %3 = index.cmp ult(%x, %x)
  %4 = index.and %x, %x
  return %1, %2, %3, %4 : i1, i1, i1, index
}
func.func @f117(%n: index, %m: memref<?xf32>) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%0)[%n]
  return %1 : index
}
func.func @f118(%n: index) -> (index, index) {
  %0 = affine.min affine_map<(d0) -> (d0, 4, d0)>(%n)
  %1 = affine.max affine_map<(d0) -> (d0, 4, d0 + 1)>(%n)
  return %0, %1 : index, index
}
func.func @f119(%n: index, %m: memref<?xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.min affine_map<(d0) -> (4, -d0 + 8)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %2 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    "test.u"(%0, %1, %2) : (index, index, index) -> ()
  }
  return
}
// =>
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<()[s0] -> (s0 * 3 + 2)>
#map2 = affine_map<()[s0] -> (4, s0)>
#map3 = affine_map<()[s0] -> (4, s0, s0 + 1)>
#map4 = affine_map<(d0) -> (-d0 + 8, 4)>
module {
  func.func @f100(%arg0: tensor<?x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %cast = tensor.cast %arg0 : tensor<?x4xf32> to tensor<4x4xf32>
    %0 = linalg.matmul ins(%cast, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func @f101(%arg0: memref<4x4xf32>, %arg1: memref<0x4xf32>) {
    return
  }
  func.func @f102(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %arg0 : tensor<2x3xf32>
  }
  func.func @f103(%arg0: tensor<3xf32>) -> tensor<4x2x3xf32> {
    %0 = tensor.empty() : tensor<4x2x3xf32>
    %broadcasted = linalg.broadcast ins(%arg0 : tensor<3xf32>) outs(%0 : tensor<4x2x3xf32>) dimensions = [0, 1] 
    return %broadcasted : tensor<4x2x3xf32>
  }
  func.func @f104(%arg0: tensor<3xf32>) -> tensor<3x2xf32> {
    %0 = tensor.empty() : tensor<3x2xf32>
    %broadcasted = linalg.broadcast ins(%arg0 : tensor<3xf32>) outs(%0 : tensor<3x2xf32>) dimensions = [1] 
    return %broadcasted : tensor<3x2xf32>
  }
  func.func @f105(%arg0: f32) -> (tensor<16xf32>, tensor<2x8xf32>, f32, tensor<18xf32>) {
    %0 = tensor.empty() : tensor<4x4xf32>
    %collapsed = tensor.collapse_shape %0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
    %1 = linalg.fill ins(%arg0 : f32) outs(%collapsed : tensor<16xf32>) -> tensor<16xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
    %2 = linalg.fill ins(%arg0 : f32) outs(%expanded : tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = tensor.empty() : tensor<18xf32>
    %4 = linalg.fill ins(%arg0 : f32) outs(%3 : tensor<18xf32>) -> tensor<18xf32>
    return %1, %2, %arg0, %4 : tensor<16xf32>, tensor<2x8xf32>, f32, tensor<18xf32>
  }
  func.func @f106(%arg0: tensor<16x16xf32>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<2x2x8x8xf32>) {
    return %arg0, %arg1 : tensor<16x16xf32>, tensor<2x2x8x8xf32>
  }
  func.func @f107(%arg0: tensor<4x1xf32>, %arg1: tensor<4x1xf32>) -> tensor<4x1xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x1xf32>) outs(%arg1 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = linalg.index 0 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f32
      linalg.yield %3 : f32
    } -> tensor<4x1xf32>
    return %0 : tensor<4x1xf32>
  }
  func.func @f108(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %0 = tensor.empty() : tensor<f32>
    %mapped = linalg.map { math.absf } ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>)
    %reduced = linalg.reduce { arith.addf } ins(%mapped : tensor<4xf32>) outs(%0 : tensor<f32>) dimensions = [0] 
    return %mapped, %reduced : tensor<4xf32>, tensor<f32>
  }
  func.func @f109(%arg0: tensor<2x?xf32>) -> (index, index, !shape.size, index) {
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %0 = shape.shape_of %arg0 : tensor<2x?xf32> -> tensor<2xindex>
    %1 = shape.get_extent %0, %c0 : tensor<2xindex>, index -> index
    %2 = shape.index_to_size %1
    return %c2, %1, %2, %1 : index, index, !shape.size, index
  }
  func.func @f110(%arg0: tensor<3xindex>) -> (!shape.witness, !shape.witness, index) {
    %c6 = arith.constant 6 : index
    %0 = shape.const_witness true
    %1 = shape.const_shape [1, 2, 3] : tensor<3xindex>
    %2 = shape.const_shape [4, 1, 3] : tensor<3xindex>
    %3 = shape.cstr_eq %1, %2 : tensor<3xindex>, tensor<3xindex>
    return %0, %3, %c6 : !shape.witness, !shape.witness, index
  }
  func.func @f111(%arg0: i1) -> (index, tensor<2xindex>, tensor<1xindex>) {
    %c3 = arith.constant 3 : index
    %0 = shape.const_shape [1] : tensor<1xindex>
    %1 = shape.const_shape [2, 3] : tensor<2xindex>
    return %c3, %1, %0 : index, tensor<2xindex>, tensor<1xindex>
  }
  func.func @f112(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> (tensor<?xindex>, i1, i1) {
    %true = arith.constant true
    %0 = shape.shape_of %arg0 : tensor<?x?xf32> -> tensor<?xindex>
    %1 = shape.shape_of %arg1 : tensor<?x?xf32> -> tensor<?xindex>
    %2 = shape.shape_eq %0, %0 : tensor<?xindex>, tensor<?xindex>
    %3 = shape.shape_of %arg0 : tensor<?x?xf32> -> tensor<?xindex>
    %4 = shape.broadcast %3, %1 : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    return %4, %2, %true : tensor<?xindex>, i1, i1
  }
  func.func @f113(%arg0: index) -> (index, index, index, index, index) {
    %idx1 = index.constant 1
    %idx0 = index.constant 0
    %0 = index.sub %arg0, %arg0
    %1 = index.divs %arg0, %idx1
    return %arg0, %arg0, %idx0, %0, %1 : index, index, index, index, index
  }
  func.func @f114(%arg0: index, %arg1: i32) -> (i32, index, index, i64, i1) {
    %false = index.bool.constant false
    %idx5 = index.constant 5
    %0 = index.casts %idx5 : index to i32
    %1 = index.castu %arg1 : i32 to index
    %2 = index.casts %0 : i32 to index
    %3 = index.casts %arg0 : index to i64
    return %0, %1, %2, %3, %false : i32, index, index, i64, i1
  }
  func.func @f115(%arg0: index) -> (index, index, index, index, index, index, index) {
    %idx3 = index.constant 3
    %idx2 = index.constant 2
    %idx13 = index.constant 13
    %idx416 = index.constant 416
    %idx8 = index.constant 8
    %0 = index.sizeof
    return %idx3, %idx2, %idx3, %idx13, %idx416, %idx8, %0 : index, index, index, index, index, index, index
  }
  func.func @f116(%arg0: index) -> (i1, i1, i1, index) {
    %false = index.bool.constant false
    %true = index.bool.constant true
    %0 = index.and %arg0, %arg0
    return %false, %true, %false, %0 : i1, i1, i1, index
  }
  func.func @f117(%arg0: index, %arg1: memref<?xf32>) -> index {
    %0 = affine.apply #map1()[%arg0]
    return %0 : index
  }
  func.func @f118(%arg0: index) -> (index, index) {
    %0 = affine.min #map2()[%arg0]
    %1 = affine.max #map3()[%arg0]
    return %0, %1 : index, index
  }
  func.func @f119(%arg0: index, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg2 = 0 to 8 {
      %0 = affine.min #map4(%arg2)
      "test.u"(%0, %c0, %arg2) : (index, index, index) -> ()
    }
    return
  }
}
// -----
func.func @f120(%n: index, %m: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to %c4 step 2 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)[%n] {
      %v = affine.load %m[%j + 1] : memref<?xf32>
      affine.store %v, %m[%j] : memref<?xf32>
    }
  }
  return
}
func.func @f121(%n: index) {
  affine.for %i = 0 to 0 { "test.x"() : () -> () }
  affine.for %i = 0 to 4 { }
  affine.for %i = 5 to 4 { "test.x"() : () -> () }
  affine.for %i = 0 to 1 { "test.y"(%i) : (index) -> () }
  return
}
func.func @f122(%n: index, %f: f32) -> (f32, f32) {
  %0:2 = affine.for %i = 0 to %n iter_args(%x = %f, %y = %f) -> (f32, f32) {
    %s = arith.addf %x, %f : f32
    affine.yield %s, %y : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}
func.func @f123(%n: index, %m: memref<4xf32>) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  affine.for %i = 0 to 4 {
    %v = affine.load %c[%i] : memref<?xf32>
    affine.store %v, %c[%i] : memref<?xf32>
  }
  affine.parallel (%i, %j) = (0, 0) to (4, 4) {
    %v = affine.load %c[%i] : memref<?xf32>
    affine.store %v, %c[%j] : memref<?xf32>
  }
  return
}
func.func @f124(%n: index) -> index {
  %c = arith.constant 7 : index
  %0 = affine.if affine_set<(d0) : (d0 - 10 >= 0)>(%c) -> index {
    affine.yield %n : index
  } else {
    affine.yield %c : index
  }
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%n) { }
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 - s0 >= 0)>(%n)[%n] { "test.x"() : () -> () } else { }
  return %0 : index
}
func.func @f125(%n: index, %x: index) -> (index, index, index) {
  %c2 = arith.constant 2 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%n)[%c2]
  %1 = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%c2]
  %2 = affine.apply affine_map<(d0, d1) -> (d0 + d1 - d0)>(%n, %x)
  return %0, %1, %2 : index, index, index
}
func.func @f126(%n: index, %x: index) -> (index, index) {
  %0 = affine.linearize_index [%n, %x] by (4, 8) : index
  %1:2 = affine.delinearize_index %0 into (4, 8) : index, index
  return %1#0, %1#1 : index, index
}
func.func @f127(%m: memref<8xf32>) -> vector<4xf32> {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  %c4 = arith.constant 4 : index
  %0 = affine.vector_load %c[%c4] : memref<?xf32>, vector<4xf32>
  affine.vector_store %0, %c[%c4] : memref<?xf32>, vector<4xf32>
  affine.prefetch %c[%c4], read, locality<3>, data : memref<?xf32>
  return %0 : vector<4xf32>
}
func.func @f128(%n: index, %m: index) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 * 4)>()[%n] step 4 {
    affine.for %j = 0 to affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%m] {
      "test.x"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
func.func @f129(%n: index) -> (index) {
  %0 = affine.for %i = 0 to 10 iter_args(%x = %n) -> index {
    affine.yield %n : index
  }
  return %0 : index
}
func.func @f130(%a: complex<f32>, %b: complex<f32>, %f: f32, %g: f32) -> (complex<f32>, f32, f32, complex<f32>) {
  %r = complex.re %a : complex<f32>
  %i = complex.im %a : complex<f32>
  %0 = complex.create %r, %i : complex<f32>
  %1 = complex.create %f, %g : complex<f32>
  %2 = complex.re %1 : complex<f32>
  %3 = complex.im %1 : complex<f32>
  %4 = complex.neg %a : complex<f32>
  %5 = complex.neg %4 : complex<f32>
  return %0, %2, %3, %5 : complex<f32>, f32, f32, complex<f32>
}
func.func @f131(%a: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %o = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.add %a, %z : complex<f32>
  %1 = complex.mul %a, %o : complex<f32>
  %2 = complex.div %a, %o : complex<f32>
  %3 = complex.sub %a, %z : complex<f32>
  return %0, %1, %2, %3 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
func.func @f132(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %0 = complex.add %a, %b : complex<f32>
  %1 = complex.sub %0, %b : complex<f32>
  %2 = complex.sub %a, %b : complex<f32>
  %3 = complex.add %2, %b : complex<f32>
  %4 = complex.exp %a : complex<f32>
  %5 = complex.log %4 : complex<f32>
  %6 = complex.conj %a : complex<f32>
  %7 = complex.conj %6 : complex<f32>
  return %1, %3, %5, %7 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
func.func @f133(%a: complex<f32>) -> (f32, f32, i1, i1, complex<f32>) {
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %r = complex.re %c : complex<f32>
  %i = complex.im %c : complex<f32>
  %e = complex.eq %c, %c : complex<f32>
  %n = complex.neq %a, %a : complex<f32>
  %b = complex.bitcast %a : complex<f32> to i64
  %d = complex.bitcast %b : i64 to complex<f32>
  return %r, %i, %e, %n, %d : f32, f32, i1, i1, complex<f32>
}
func.func @f134(%a: complex<f32>) -> (f32, f32, f32) {
  %0 = complex.neg %a : complex<f32>
  %1 = complex.re %0 : complex<f32>
  %2 = complex.im %0 : complex<f32>
  %3 = complex.conj %a : complex<f32>
  %4 = complex.im %3 : complex<f32>
  return %1, %2, %4 : f32, f32, f32
}
func.func @f135(%a: i1, %b: i32) -> i32 {
  cf.cond_br %a, ^bb1(%b : i32), ^bb2
^bb1(%x: i32):
  cf.br ^bb3(%x : i32)
^bb2:
  %c = arith.constant 1 : i32
  cf.br ^bb3(%c : i32)
^bb3(%r: i32):
  return %r : i32
}
func.func @f136(%a: i1, %b: i32) -> i32 {
  %t = arith.constant true
  cf.cond_br %t, ^bb1, ^bb2
^bb1:
  cf.switch %b : i32, [ default: ^bb3(%b : i32), 1: ^bb2, 2: ^bb3(%b : i32) ]
^bb2:
  %c = arith.constant 1 : i32
  cf.br ^bb3(%c : i32)
^bb3(%r: i32):
  return %r : i32
}
func.func @f137(%a: i1, %b: i32, %c: i32) -> i32 {
  cf.cond_br %a, ^bb1(%b : i32), ^bb1(%c : i32)
^bb1(%x: i32):
  cf.assert %a, "no"
  %t = arith.constant true
  cf.assert %t, "yes"
  return %x : i32
}
func.func @f138(%a: i1, %b: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.switch %c1 : i32, [ default: ^bb2, 1: ^bb1 ]
^bb1:
  cf.cond_br %a, ^bb2, ^bb3
^bb2:
  cf.cond_br %a, ^bb4, ^bb3
^bb3:
  %0 = "test.a"() : () -> i32
  return %0 : i32
^bb4:
  %1 = "test.b"(%a) : (i1) -> i32
  return %1 : i32
}
func.func @f139(%b: i32) -> (i32, i32, index) {
  %p = ub.poison : i32
  %0 = arith.addi %b, %p : i32
  %1 = arith.subi %p, %b : i32
  %q = ub.poison : index
  %2 = arith.muli %q, %q : index
  return %0, %1, %2 : i32, i32, index
}
// =>
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 2, s0)>
#map2 = affine_map<()[s0] -> (s0 * 2)>
#map3 = affine_map<()[s0] -> (s0 * 4)>
#map4 = affine_map<(d0)[s0] -> (-d0 + s0)>
#set = affine_set<() : (-3 >= 0)>
#set1 = affine_set<() : (0 >= 0, 0 >= 0)>
module {
  func.func @f120(%arg0: index, %arg1: memref<?xf32>) {
    affine.for %arg2 = 0 to 4 step 2 {
      affine.for %arg3 = #map(%arg2) to min #map1(%arg2)[%arg0] {
        %0 = affine.load %arg1[%arg3 + 1] : memref<?xf32>
        affine.store %0, %arg1[%arg3] : memref<?xf32>
      }
    }
    return
  }
  func.func @f121(%arg0: index) {
    affine.for %arg1 = 0 to 0 {
      "test.x"() : () -> ()
    }
    affine.for %arg1 = 5 to 4 {
      "test.x"() : () -> ()
    }
    affine.for %arg1 = 0 to 1 {
      "test.y"(%arg1) : (index) -> ()
    }
    return
  }
  func.func @f122(%arg0: index, %arg1: f32) -> (f32, f32) {
    %0:2 = affine.for %arg2 = 0 to %arg0 iter_args(%arg3 = %arg1, %arg4 = %arg1) -> (f32, f32) {
      %1 = arith.addf %arg3, %arg1 : f32
      affine.yield %1, %arg4 : f32, f32
    }
    return %0#0, %0#1 : f32, f32
  }
  func.func @f123(%arg0: index, %arg1: memref<4xf32>) {
    affine.for %arg2 = 0 to 4 {
      %0 = affine.load %arg1[%arg2] : memref<4xf32>
      affine.store %0, %arg1[%arg2] : memref<4xf32>
    }
    affine.parallel (%arg2, %arg3) = (0, 0) to (4, 4) {
      %0 = affine.load %arg1[%arg2] : memref<4xf32>
      affine.store %0, %arg1[%arg3] : memref<4xf32>
    }
    return
  }
  func.func @f124(%arg0: index) -> index {
    %c7 = arith.constant 7 : index
    %0 = affine.if #set() -> index {
      affine.yield %arg0 : index
    } else {
      affine.yield %c7 : index
    }
    affine.if #set1() {
      "test.x"() : () -> ()
    }
    return %0 : index
  }
  func.func @f125(%arg0: index, %arg1: index) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    %0 = affine.apply #map2()[%arg0]
    return %0, %c1, %arg1 : index, index, index
  }
  func.func @f126(%arg0: index, %arg1: index) -> (index, index) {
    %0 = affine.linearize_index [%arg0, %arg1] by (4, 8) : index
    %1:2 = affine.delinearize_index %0 into (4, 8) : index, index
    return %1#0, %1#1 : index, index
  }
  func.func @f127(%arg0: memref<8xf32>) -> vector<4xf32> {
    %cast = memref.cast %arg0 : memref<8xf32> to memref<?xf32>
    %0 = affine.vector_load %cast[4] : memref<?xf32>, vector<4xf32>
    affine.vector_store %0, %cast[4] : memref<?xf32>, vector<4xf32>
    affine.prefetch %arg0[4], read, locality<3>, data : memref<8xf32>
    return %0 : vector<4xf32>
  }
  func.func @f128(%arg0: index, %arg1: index) {
    affine.for %arg2 = 0 to #map3()[%arg0] step 4 {
      affine.for %arg3 = 0 to #map4(%arg2)[%arg1] {
        "test.x"(%arg2, %arg3) : (index, index) -> ()
      }
    }
    return
  }
  func.func @f129(%arg0: index) -> index {
    return %arg0 : index
  }
  func.func @f130(%arg0: complex<f32>, %arg1: complex<f32>, %arg2: f32, %arg3: f32) -> (complex<f32>, f32, f32, complex<f32>) {
    return %arg0, %arg2, %arg3, %arg0 : complex<f32>, f32, f32, complex<f32>
  }
  func.func @f131(%arg0: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
    return %arg0, %arg0, %arg0, %arg0 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
  }
  func.func @f132(%arg0: complex<f32>, %arg1: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
    return %arg0, %arg0, %arg0, %arg0 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
  }
  func.func @f133(%arg0: complex<f32>) -> (f32, f32, i1, i1, complex<f32>) {
    %cst = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %0 = complex.eq %cst, %cst : complex<f32>
    %1 = complex.neq %arg0, %arg0 : complex<f32>
    return %cst_0, %cst_1, %0, %1, %arg0 : f32, f32, i1, i1, complex<f32>
  }
  func.func @f134(%arg0: complex<f32>) -> (f32, f32, f32) {
    %0 = complex.neg %arg0 : complex<f32>
    %1 = complex.re %0 : complex<f32>
    %2 = complex.im %0 : complex<f32>
    %3 = complex.conj %arg0 : complex<f32>
    %4 = complex.im %3 : complex<f32>
    return %1, %2, %4 : f32, f32, f32
  }
  func.func @f135(%arg0: i1, %arg1: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.select %arg0, %arg1, %c1_i32 : i32
    return %0 : i32
  }
  func.func @f136(%arg0: i1, %arg1: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    cf.switch %arg1 : i32, [
      default: ^bb1(%arg1 : i32),
      1: ^bb1(%c1_i32 : i32)
    ]
  ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb0
    return %0 : i32
  }
  func.func @f137(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.select %arg0, %arg1, %arg2 : i32
    cf.assert %arg0, "no"
    return %0 : i32
  }
  func.func @f138(%arg0: i1, %arg1: i32) -> i32 {
    %true = arith.constant true
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %0 = "test.b"(%true) : (i1) -> i32
    return %0 : i32
  ^bb2:  // pred: ^bb0
    %1 = "test.a"() : () -> i32
    return %1 : i32
  }
  func.func @f139(%arg0: i32) -> (i32, i32, index) {
    %0 = ub.poison : i32
    %1 = ub.poison : index
    return %0, %0, %1 : i32, i32, index
  }
}
// -----
func.func @f140(%c: i1, %b: i32, %f: f32) -> (i32, i32, i1, f32) {
  %p = ub.poison : i32
  %pc = ub.poison : i1
  %pf = ub.poison : f32
  %0 = arith.select %c, %p, %b : i32
  %1 = arith.select %pc, %b, %p : i32
  %2 = arith.cmpi eq, %b, %p : i32
  %3 = arith.addf %f, %pf : f32
  return %0, %1, %2, %3 : i32, i32, i1, f32
}
func.func @f141(%b: i32) -> (i64, i16, f32, index, i32) {
  %p = ub.poison : i32
  %0 = arith.extsi %p : i32 to i64
  %1 = arith.trunci %p : i32 to i16
  %2 = arith.sitofp %p : i32 to f32
  %3 = arith.index_cast %p : i32 to index
  %4 = arith.shli %b, %p : i32
  return %0, %1, %2, %3, %4 : i64, i16, f32, index, i32
}
// =>
module {
  func.func @f140(%arg0: i1, %arg1: i32, %arg2: f32) -> (i32, i32, i1, f32) {
    %0 = ub.poison : f32
    %1 = ub.poison : i32
    %2 = arith.cmpi eq, %arg1, %1 : i32
    return %arg1, %arg1, %2, %0 : i32, i32, i1, f32
  }
  func.func @f141(%arg0: i32) -> (i64, i16, f32, index, i32) {
    %0 = ub.poison : i32
    %1 = ub.poison : i64
    %2 = ub.poison : i16
    %3 = ub.poison : f32
    %4 = ub.poison : index
    %5 = arith.shli %arg0, %0 : i32
    return %1, %2, %3, %4, %5 : i64, i16, f32, index, i32
  }
}
// -----
func.func private @callee(i32) -> i32
func.func @g1(%b: i32) -> i32 {
  %f = constant @callee : (i32) -> i32
  %0 = call_indirect %f(%b) : (i32) -> i32
  return %0 : i32
}
// =>
module {
  func.func private @callee(i32) -> i32
  func.func @g1(%arg0: i32) -> i32 {
    %0 = call @callee(%arg0) : (i32) -> i32
    return %0 : i32
  }
}
