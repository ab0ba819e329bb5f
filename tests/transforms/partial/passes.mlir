// Partial passes: program, pass, and what mlir-opt 16 makes of it, read and printed again in today's spelling.

// PASS: tensor-bufferize
// WHY: reads work on the tensor's buffer, writes on a copy
func.func @f(%t: tensor<4x?xf32>, %f: f32, %i: index) -> (tensor<4x?xf32>, f32, index) {
  %x = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  %u = tensor.insert %f into %t[%i, %i] : tensor<4x?xf32>
  %d = tensor.dim %u, %i : tensor<4x?xf32>
  return %u, %x, %d : tensor<4x?xf32>, f32, index
}
// AFTER
module {
  func.func @f(%arg0: tensor<4x?xf32>, %arg1: f32, %arg2: index) -> (tensor<4x?xf32>, f32, index) {
    %0 = bufferization.to_buffer %arg0 : tensor<4x?xf32> to memref<4x?xf32>
    %1 = bufferization.to_buffer %arg0 : tensor<4x?xf32> to memref<4x?xf32>
    %2 = memref.load %1[%arg2, %arg2] : memref<4x?xf32>
    %c1 = arith.constant 1 : index
    %dim = memref.dim %0, %c1 : memref<4x?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<4x?xf32>
    memref.copy %0, %alloc : memref<4x?xf32> to memref<4x?xf32>
    %3 = bufferization.to_tensor %alloc : memref<4x?xf32> to tensor<4x?xf32>
    memref.store %arg1, %alloc[%arg2, %arg2] : memref<4x?xf32>
    %4 = bufferization.to_tensor %alloc : memref<4x?xf32> to tensor<4x?xf32>
    %dim_0 = memref.dim %alloc, %arg2 : memref<4x?xf32>
    return %4, %2, %dim_0 : tensor<4x?xf32>, f32, index
  }
}

// PASS: tensor-bufferize
// WHY: slices become views, and copies into views
func.func @f(%t: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %s = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %u = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %u : tensor<8xf32>
}
// AFTER
module {
  func.func @f(%arg0: tensor<8xf32>, %arg1: index) -> tensor<8xf32> {
    %0 = bufferization.to_buffer %arg0 : tensor<8xf32> to memref<8xf32>
    %1 = bufferization.to_buffer %arg0 : tensor<8xf32> to memref<8xf32>
    %subview = memref.subview %1[%arg1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
    %2 = bufferization.to_tensor %subview : memref<4xf32, strided<[1], offset: ?>> to tensor<4xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %0, %alloc : memref<8xf32> to memref<8xf32>
    %3 = bufferization.to_tensor %alloc : memref<8xf32> to tensor<8xf32>
    %subview_0 = memref.subview %alloc[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %subview, %subview_0 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1]>>
    %4 = bufferization.to_tensor %alloc : memref<8xf32> to tensor<8xf32>
    return %4 : tensor<8xf32>
  }
}

// PASS: tensor-bufferize
// WHY: a border is left to operations of other dialects
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %y = "my.op"(%c) : (tensor<?xf32>) -> tensor<?xf32>
  %x = tensor.extract %y[%i] : tensor<?xf32>
  return %x : f32
}
// AFTER
module {
  func.func @f(%arg0: tensor<4xf32>, %arg1: index) -> f32 {
    %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
    %cast = memref.cast %0 : memref<4xf32> to memref<?xf32>
    %1 = bufferization.to_tensor %cast : memref<?xf32> to tensor<?xf32>
    %2 = "my.op"(%1) : (tensor<?xf32>) -> tensor<?xf32>
    %3 = bufferization.to_buffer %2 : tensor<?xf32> to memref<?xf32>
    %4 = memref.load %3[%arg1] : memref<?xf32>
    return %4 : f32
  }
}

// PASS: tensor-bufferize
// WHY: computed elements are a linalg.map that still works on tensors
func.func @f(%n: index) -> tensor<?x2xindex> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %j : index
  } : tensor<?x2xindex>
  return %g : tensor<?x2xindex>
}
// AFTER
module {
  func.func @f(%arg0: index) -> tensor<?x2xindex> {
    %c2 = arith.constant 2 : index
    %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?x2xindex>
    %0 = bufferization.to_tensor %alloc : memref<?x2xindex> to tensor<?x2xindex>
    %mapped = linalg.map outs(%0 : tensor<?x2xindex>)
      (%init: index) {
        %1 = linalg.index 0 : index
        %2 = linalg.index 1 : index
        linalg.yield %2 : index
      }
    return %mapped : tensor<?x2xindex>
  }
}

// PASS: tensor-bufferize
// WHY: padding
func.func @f(%t: tensor<?xf32>, %l: index, %f: f32) -> tensor<?xf32> {
  %p = tensor.pad %t low[%l] high[1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}
// AFTER
#map = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1 + 1)>
module {
  func.func @f(%arg0: tensor<?xf32>, %arg1: index, %arg2: f32) -> tensor<?xf32> {
    %0 = bufferization.to_buffer %arg0 : tensor<?xf32> to memref<?xf32>
    %1 = bufferization.to_buffer %arg0 : tensor<?xf32> to memref<?xf32>
    %2 = bufferization.to_buffer %arg0 : tensor<?xf32> to memref<?xf32>
    %3 = bufferization.to_buffer %arg0 : tensor<?xf32> to memref<?xf32>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %3, %c0 : memref<?xf32>
    %c1 = arith.constant 1 : index
    %4 = affine.apply #map()[%dim, %arg1, %c1]
    %c0_0 = arith.constant 0 : index
    %dim_1 = memref.dim %2, %c0_0 : memref<?xf32>
    %5 = affine.apply #map1()[%arg1, %dim_1]
    %alloc = memref.alloc(%5) {alignment = 64 : i64} : memref<?xf32>
    %6 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
    %mapped = linalg.map outs(%6 : tensor<?xf32>)
      (%init: f32) {
        %9 = linalg.index 0 : index
        linalg.yield %arg2 : f32
      }
    %7 = bufferization.to_buffer %mapped : tensor<?xf32> to memref<?xf32>
    %c0_2 = arith.constant 0 : index
    %dim_3 = memref.dim %1, %c0_2 : memref<?xf32>
    %subview = memref.subview %7[%arg1] [%dim_3] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %0, %subview : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %8 = bufferization.to_tensor %7 : memref<?xf32> to tensor<?xf32>
    return %8 : tensor<?xf32>
  }
}

// PASS: tensor-bufferize
// WHY: casts from and to unknown rank
func.func @f(%t: tensor<*xf32>, %u: tensor<4xf32>) -> (tensor<?xf32>, tensor<*xf32>) {
  %c = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
  %d = tensor.cast %u : tensor<4xf32> to tensor<*xf32>
  return %c, %d : tensor<?xf32>, tensor<*xf32>
}
// AFTER
module {
  func.func @f(%arg0: tensor<*xf32>, %arg1: tensor<4xf32>) -> (tensor<?xf32>, tensor<*xf32>) {
    %0 = bufferization.to_buffer %arg1 : tensor<4xf32> to memref<4xf32>
    %1 = bufferization.to_buffer %arg0 : tensor<*xf32> to memref<*xf32>
    %cast = memref.cast %1 : memref<*xf32> to memref<?xf32>
    %2 = bufferization.to_tensor %cast : memref<?xf32> to tensor<?xf32>
    %cast_0 = memref.cast %0 : memref<4xf32> to memref<*xf32>
    %3 = bufferization.to_tensor %cast_0 : memref<*xf32> to tensor<*xf32>
    return %2, %3 : tensor<?xf32>, tensor<*xf32>
  }
}

// PASS: tensor-bufferize
// WHY: elements and reshapes
func.func @f(%x: f32, %y: f32) -> tensor<2xf32> {
  %e = tensor.from_elements %x, %y : tensor<1x2xf32>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  return %c : tensor<2xf32>
}
// AFTER
module {
  func.func @f(%arg0: f32, %arg1: f32) -> tensor<2xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x2xf32>
    %0 = bufferization.to_tensor %alloc : memref<1x2xf32> to tensor<1x2xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    memref.store %arg0, %alloc[%c0, %c0] : memref<1x2xf32>
    memref.store %arg1, %alloc[%c0, %c1] : memref<1x2xf32>
    %1 = bufferization.to_tensor %alloc : memref<1x2xf32> to tensor<1x2xf32>
    %collapse_shape = memref.collapse_shape %alloc [[0, 1]] : memref<1x2xf32> into memref<2xf32>
    %2 = bufferization.to_tensor %collapse_shape : memref<2xf32> to tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}

// PASS: linalg-bufferize
// WHY: outputs that are not read get a buffer, others a copy
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<?xf32>, %o: tensor<?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = linalg.fill ins(%f : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%r : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r, %g : tensor<?xf32>, tensor<?xf32>
}
// AFTER
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: f32) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = bufferization.to_buffer %arg0 : tensor<?xf32> to memref<?xf32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    %1 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
    linalg.fill ins(%arg2 : f32) outs(%alloc : memref<?xf32>)
    %2 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
    %c0_0 = arith.constant 0 : index
    %dim_1 = memref.dim %alloc, %c0_0 : memref<?xf32>
    %alloc_2 = memref.alloc(%dim_1) {alignment = 64 : i64} : memref<?xf32>
    memref.copy %alloc, %alloc_2 : memref<?xf32> to memref<?xf32>
    %3 = bufferization.to_tensor %alloc_2 : memref<?xf32> to tensor<?xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : memref<?xf32>) outs(%alloc_2 : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.addf %in, %out : f32
      linalg.yield %5 : f32
    }
    %4 = bufferization.to_tensor %alloc_2 : memref<?xf32> to tensor<?xf32>
    return %2, %4 : tensor<?xf32>, tensor<?xf32>
  }
}

// PASS: linalg-bufferize
// WHY: sizes that types know are emitted too
func.func @f(%f: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.fill ins(%f : f32) outs(%r : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
// AFTER
module {
  func.func @f(%arg0: f32) -> tensor<4x8xf32> {
    %0 = tensor.empty() : tensor<4x8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
    %1 = bufferization.to_tensor %alloc : memref<4x8xf32> to tensor<4x8xf32>
    linalg.fill ins(%arg0 : f32) outs(%alloc : memref<4x8xf32>)
    %2 = bufferization.to_tensor %alloc : memref<4x8xf32> to tensor<4x8xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1_1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
    %3 = bufferization.to_tensor %alloc_2 : memref<4x8xf32> to tensor<4x8xf32>
    linalg.fill ins(%arg0 : f32) outs(%alloc_2 : memref<4x8xf32>)
    %4 = bufferization.to_tensor %alloc_2 : memref<4x8xf32> to tensor<4x8xf32>
    return %4 : tensor<4x8xf32>
  }
}

// PASS: arith-bufferize
// WHY: constants are globals, one for each value
func.func @f(%c: i1) -> (tensor<2xf32>, tensor<2xindex>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.select %c, %a, %b : tensor<2xf32>
  %i = arith.constant dense<3> : tensor<2xi32>
  %j = arith.index_cast %i : tensor<2xi32> to tensor<2xindex>
  return %s, %j : tensor<2xf32>, tensor<2xindex>
}
// AFTER
module {
  memref.global "private" constant @__constant_2xi32 : memref<2xi32> = dense<3>
  memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
  func.func @f(%arg0: i1) -> (tensor<2xf32>, tensor<2xindex>) {
    %0 = memref.get_global @__constant_2xf32 : memref<2xf32>
    %1 = bufferization.to_tensor %0 : memref<2xf32> to tensor<2xf32>
    %2 = memref.get_global @__constant_2xf32 : memref<2xf32>
    %3 = bufferization.to_tensor %2 : memref<2xf32> to tensor<2xf32>
    %4 = arith.select %arg0, %0, %2 : memref<2xf32>
    %5 = bufferization.to_tensor %4 : memref<2xf32> to tensor<2xf32>
    %6 = memref.get_global @__constant_2xi32 : memref<2xi32>
    %7 = bufferization.to_tensor %6 : memref<2xi32> to tensor<2xi32>
    %8 = arith.index_cast %6 : memref<2xi32> to memref<2xindex>
    %9 = bufferization.to_tensor %8 : memref<2xindex> to tensor<2xindex>
    return %5, %9 : tensor<2xf32>, tensor<2xindex>
  }
}

// PASS: arith-bufferize=alignment=16
// WHY: alignment of globals
func.func @f() -> tensor<2xf32> {
  %a = arith.constant dense<1.0> : tensor<2xf32>
  return %a : tensor<2xf32>
}
// AFTER
module {
  memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<1.000000e+00> {alignment = 16 : i64}
  func.func @f() -> tensor<2xf32> {
    %0 = memref.get_global @__constant_2xf32 : memref<2xf32>
    %1 = bufferization.to_tensor %0 : memref<2xf32> to tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}

// PASS: bufferization-bufferize
// WHY: allocations
func.func @f(%n: index, %t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %b = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
// AFTER
module {
  func.func @f(%arg0: index, %arg1: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = bufferization.to_buffer %arg1 : tensor<?xf32> to memref<?xf32>
    %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?xf32>
    %1 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %0, %c0 : memref<?xf32>
    %alloc_0 = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    memref.copy %0, %alloc_0 : memref<?xf32> to memref<?xf32>
    %2 = bufferization.to_tensor %alloc_0 : memref<?xf32> to tensor<?xf32>
    return %1, %2 : tensor<?xf32>, tensor<?xf32>
  }
}

// PASS: vector-bufferize
// WHY: transfers
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
  %u = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  return %u : tensor<8xf32>
}
// AFTER
module {
  func.func @f(%arg0: tensor<8xf32>, %arg1: index, %arg2: f32) -> tensor<8xf32> {
    %0 = bufferization.to_buffer %arg0 : tensor<8xf32> to memref<8xf32>
    %1 = bufferization.to_buffer %arg0 : tensor<8xf32> to memref<8xf32>
    %2 = vector.transfer_read %1[%arg1], %arg2 : memref<8xf32>, vector<4xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %0, %alloc : memref<8xf32> to memref<8xf32>
    %3 = bufferization.to_tensor %alloc : memref<8xf32> to tensor<8xf32>
    vector.transfer_write %2, %alloc[%arg1] : vector<4xf32>, memref<8xf32>
    %4 = bufferization.to_tensor %alloc : memref<8xf32> to tensor<8xf32>
    return %4 : tensor<8xf32>
  }
}

// PASS: shape-bufferize
// WHY: shape.assuming
func.func @f(%w: !shape.witness) -> (tensor<2xf32>, index) {
  %r:2 = shape.assuming %w -> (tensor<2xf32>, index) {
    %t, %i = "my.op"() : () -> (tensor<2xf32>, index)
    shape.assuming_yield %t, %i : tensor<2xf32>, index
  }
  return %r#0, %r#1 : tensor<2xf32>, index
}
// AFTER
module {
  func.func @f(%arg0: !shape.witness) -> (tensor<2xf32>, index) {
    %0:2 = shape.assuming %arg0 -> (memref<2xf32>, index) {
      %2:2 = "my.op"() : () -> (tensor<2xf32>, index)
      %3 = bufferization.to_buffer %2#0 : tensor<2xf32> to memref<2xf32>
      shape.assuming_yield %3, %2#1 : memref<2xf32>, index
    }
    %1 = bufferization.to_tensor %0#0 : memref<2xf32> to tensor<2xf32>
    return %1, %0#1 : tensor<2xf32>, index
  }
}

// PASS: scf-bufferize
// WHY: branches and loops
func.func @f(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %u : tensor<4xf32>
  }
  %l:2 = scf.for %i = %n to %n step %n iter_args(%k = %r, %j = %n) -> (tensor<4xf32>, index) {
    %m = "my.op"(%k) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %m, %j : tensor<4xf32>, index
  }
  %w:2 = scf.while (%k = %l#0, %b = %c) : (tensor<4xf32>, i1) -> (i1, tensor<4xf32>) {
    scf.condition(%b) %b, %k : i1, tensor<4xf32>
  } do {
  ^bb0(%b: i1, %k: tensor<4xf32>):
    %m = "my.op"(%k) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %m, %b : tensor<4xf32>, i1
  }
  return %w#1 : tensor<4xf32>
}
// AFTER
module {
  func.func @f(%arg0: i1, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: index) -> tensor<4xf32> {
    %0 = bufferization.to_buffer %arg1 : tensor<4xf32> to memref<4xf32>
    %1 = bufferization.to_buffer %arg2 : tensor<4xf32> to memref<4xf32>
    %2 = scf.if %arg0 -> (memref<4xf32>) {
      scf.yield %0 : memref<4xf32>
    } else {
      scf.yield %1 : memref<4xf32>
    }
    %3:2 = scf.for %arg4 = %arg3 to %arg3 step %arg3 iter_args(%arg5 = %2, %arg6 = %arg3) -> (memref<4xf32>, index) {
      %6 = bufferization.to_tensor %arg5 : memref<4xf32> to tensor<4xf32>
      %7 = "my.op"(%6) : (tensor<4xf32>) -> tensor<4xf32>
      %8 = bufferization.to_buffer %7 : tensor<4xf32> to memref<4xf32>
      scf.yield %8, %arg6 : memref<4xf32>, index
    }
    %4:2 = scf.while (%arg4 = %3#0, %arg5 = %arg0) : (memref<4xf32>, i1) -> (i1, memref<4xf32>) {
      scf.condition(%arg5) %arg5, %arg4 : i1, memref<4xf32>
    } do {
    ^bb0(%arg4: i1, %arg5: memref<4xf32>):
      %6 = bufferization.to_tensor %arg5 : memref<4xf32> to tensor<4xf32>
      %7 = "my.op"(%6) : (tensor<4xf32>) -> tensor<4xf32>
      %8 = bufferization.to_buffer %7 : tensor<4xf32> to memref<4xf32>
      scf.yield %8, %arg4 : memref<4xf32>, i1
    }
    %5 = bufferization.to_tensor %4#1 : memref<4xf32> to tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}

// PASS: func-bufferize
// WHY: signatures, calls, branches
func.func private @e(tensor<*xf32>, index) -> tensor<4xf32>
func.func @f(%c: i1, %t: tensor<4xf32>, %u: tensor<*xf32>, %n: index) -> tensor<4xf32> {
  %r = call @e(%u, %n) : (tensor<*xf32>, index) -> tensor<4xf32>
  %m = "my.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^a(%r : tensor<4xf32>), ^b(%n, %m : index, tensor<4xf32>)
^a(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
^b(%i: index, %y: tensor<4xf32>):
  %z = "my.op"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
// AFTER
module {
  func.func private @e(memref<*xf32>, index) -> memref<4xf32>
  func.func @f(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<*xf32>, %arg3: index) -> memref<4xf32> {
    %0 = bufferization.to_tensor %arg1 : memref<4xf32> to tensor<4xf32>
    %1 = call @e(%arg2, %arg3) : (memref<*xf32>, index) -> memref<4xf32>
    %2 = "my.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
    cf.cond_br %arg0, ^bb1(%1 : memref<4xf32>), ^bb2(%arg3, %3 : index, memref<4xf32>)
  ^bb1(%4: memref<4xf32>):  // pred: ^bb0
    return %4 : memref<4xf32>
  ^bb2(%5: index, %6: memref<4xf32>):  // pred: ^bb0
    %7 = bufferization.to_tensor %6 : memref<4xf32> to tensor<4xf32>
    %8 = "my.op"(%7) : (tensor<4xf32>) -> tensor<4xf32>
    %9 = bufferization.to_buffer %8 : tensor<4xf32> to memref<4xf32>
    return %9 : memref<4xf32>
  }
}

// PASS: finalizing-bufferize
// WHY: borders vanish, layouts are reconciled
func.func @f(%m: memref<4xf32, strided<[1], offset: ?>>, %n: memref<?xf32>, %i: index) -> (memref<4xf32>, f32) {
  %t = bufferization.to_tensor %m : memref<4xf32, strided<[1], offset: ?>>
  %o = bufferization.to_memref %t : memref<4xf32>
  %u = bufferization.to_tensor %n : memref<?xf32>
  %p = bufferization.to_memref %u : memref<?xf32>
  %x = memref.load %p[%i] : memref<?xf32>
  return %o, %x : memref<4xf32>, f32
}
// AFTER
module {
  func.func @f(%arg0: memref<4xf32, strided<[1], offset: ?>>, %arg1: memref<?xf32>, %arg2: index) -> (memref<4xf32>, f32) {
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    %0 = memref.load %arg1[%arg2] : memref<?xf32>
    return %alloc, %0 : memref<4xf32>, f32
  }
}

// PASS: finalizing-bufferize
// WHY: sizes of static tensors are constants
func.func @f(%m: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m : memref<4xf32>
  %d = tensor.dim %t, %c0 : tensor<4xf32>
  return %d : index
}
// AFTER
module {
  func.func @f(%arg0: memref<4xf32>) -> index {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    return %c4 : index
  }
}

// PASS: tensor-bufferize
// WHY: a copy that another layout takes is not aligned
func.func @f(%t: tensor<8x16xf32>) -> memref<4x4xf32> {
  %0 = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %1 = bufferization.to_memref %0 : memref<4x4xf32>
  return %1 : memref<4x4xf32>
}
// AFTER
module {
  func.func @f(%arg0: tensor<8x16xf32>) -> memref<4x4xf32> {
    %0 = bufferization.to_buffer %arg0 : tensor<8x16xf32> to memref<8x16xf32>
    %subview = memref.subview %0[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>
    %1 = bufferization.to_tensor %subview : memref<4x4xf32, strided<[16, 1]>> to tensor<4x4xf32>
    %alloc = memref.alloc() : memref<4x4xf32>
    memref.copy %subview, %alloc : memref<4x4xf32, strided<[16, 1]>> to memref<4x4xf32>
    return %alloc : memref<4x4xf32>
  }
}

// PASS: scf-bufferize
// WHY: what is outside of functions is folded, too
%t, %i, %f = "test.op"() : () -> (tensor<?xf32>, index, f32)
%0 = vector.transfer_read %t[%i], %f : tensor<?xf32>, vector<f32>
%1 = vector.transfer_write %0, %t [%i] : vector<f32>, tensor<?xf32>
// AFTER
module {
  %0:3 = "test.op"() : () -> (tensor<?xf32>, index, f32)
  %1 = vector.transfer_read %0#0[%0#1], %0#2 : tensor<?xf32>, vector<f32>
}
