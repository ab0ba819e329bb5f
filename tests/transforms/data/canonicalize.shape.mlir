func.func @broadcast_constants(%s: !shape.shape, %t: tensor<?xindex>, %e: tensor<0xindex>) -> (!shape.shape, !shape.shape, tensor<?xindex>, !shape.shape, !shape.shape) {
  %a = shape.const_shape [2, 1] : !shape.shape
  %b = shape.const_shape [1, 2, 3] : tensor<3xindex>
  %n = shape.const_shape [] : !shape.shape
  %0 = shape.broadcast %s, %a, %b : !shape.shape, !shape.shape, tensor<3xindex> -> !shape.shape
  %1 = shape.broadcast %s, %n : !shape.shape, !shape.shape -> !shape.shape
  %2 = shape.broadcast %t, %e : tensor<?xindex>, tensor<0xindex> -> tensor<?xindex>
  %3 = shape.broadcast %a, %s, %a : !shape.shape, !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.broadcast %t : tensor<?xindex> -> !shape.shape
  return %0, %1, %2, %3, %4 : !shape.shape, !shape.shape, tensor<?xindex>, !shape.shape, !shape.shape
}
// =>
module {
  func.func @broadcast_constants(%arg0: !shape.shape, %arg1: tensor<?xindex>, %arg2: tensor<0xindex>) -> (!shape.shape, !shape.shape, tensor<?xindex>, !shape.shape, !shape.shape) {
    %0 = shape.const_shape [2, 1] : tensor<2xindex>
    %1 = shape.const_shape [1, 2, 3] : tensor<3xindex>
    %2 = shape.broadcast %arg0, %1 : !shape.shape, tensor<3xindex> -> !shape.shape
    %3 = shape.broadcast %arg0, %0 : !shape.shape, tensor<2xindex> -> !shape.shape
    %4 = shape.from_extent_tensor %arg1 : tensor<?xindex>
    return %2, %arg0, %arg1, %3, %4 : !shape.shape, !shape.shape, tensor<?xindex>, !shape.shape, !shape.shape
  }
}
// -----
func.func @broadcast_types(%a: tensor<2xindex>, %b: tensor<3xindex>, %c: tensor<?xindex>, %s: !shape.shape) -> (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>) {
  %0 = shape.broadcast %a, %b : tensor<2xindex>, tensor<3xindex> -> tensor<?xindex>
  %1 = shape.broadcast %a, %c : tensor<2xindex>, tensor<?xindex> -> tensor<?xindex>
  %k = tensor.cast %b : tensor<3xindex> to tensor<?xindex>
  %2 = shape.broadcast %a, %k : tensor<2xindex>, tensor<?xindex> -> tensor<?xindex>
  %3 = shape.broadcast %k, %c : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  return %0, %1, %2, %3 : tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>
}
// =>
module {
  func.func @broadcast_types(%arg0: tensor<2xindex>, %arg1: tensor<3xindex>, %arg2: tensor<?xindex>, %arg3: !shape.shape) -> (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>) {
    %0 = shape.broadcast %arg0, %arg1 : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
    %cast = tensor.cast %0 : tensor<3xindex> to tensor<?xindex>
    %1 = shape.broadcast %arg0, %arg2 : tensor<2xindex>, tensor<?xindex> -> tensor<?xindex>
    %2 = shape.broadcast %arg0, %arg1 : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
    %cast_0 = tensor.cast %2 : tensor<3xindex> to tensor<?xindex>
    %3 = shape.broadcast %arg1, %arg2 : tensor<3xindex>, tensor<?xindex> -> tensor<?xindex>
    return %cast, %1, %cast_0, %3 : tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>
  }
}
// -----
func.func private @wit(!shape.witness)
func.func @broadcastable(%a: tensor<?xindex>, %b: tensor<?xindex>, %e: tensor<0xindex>, %f: tensor<3xindex>, %s: !shape.shape) {
  %n = shape.const_shape [] : !shape.shape
  %0 = shape.cstr_broadcastable %a, %b, %e, %n : tensor<?xindex>, tensor<?xindex>, tensor<0xindex>, !shape.shape
  func.call @wit(%0) : (!shape.witness) -> ()
  %k = tensor.cast %f : tensor<3xindex> to tensor<?xindex>
  %1 = shape.cstr_broadcastable %a, %k : tensor<?xindex>, tensor<?xindex>
  func.call @wit(%1) : (!shape.witness) -> ()
  %2 = shape.cstr_broadcastable %a, %n : tensor<?xindex>, !shape.shape
  func.call @wit(%2) : (!shape.witness) -> ()
  %3 = shape.cstr_broadcastable %a, %b, %a : tensor<?xindex>, tensor<?xindex>, tensor<?xindex>
  func.call @wit(%3) : (!shape.witness) -> ()
  return
}
// =>
module {
  func.func private @wit(!shape.witness)
  func.func @broadcastable(%arg0: tensor<?xindex>, %arg1: tensor<?xindex>, %arg2: tensor<0xindex>, %arg3: tensor<3xindex>, %arg4: !shape.shape) {
    %0 = shape.const_witness true
    %1 = shape.cstr_broadcastable %arg0, %arg1 : tensor<?xindex>, tensor<?xindex>
    call @wit(%1) : (!shape.witness) -> ()
    %2 = shape.cstr_broadcastable %arg0, %arg3 : tensor<?xindex>, tensor<3xindex>
    call @wit(%2) : (!shape.witness) -> ()
    call @wit(%0) : (!shape.witness) -> ()
    %3 = shape.cstr_broadcastable %arg0, %arg1 : tensor<?xindex>, tensor<?xindex>
    call @wit(%3) : (!shape.witness) -> ()
    return
  }
}
// -----
func.func @all_constraints(%a: !shape.shape, %b: tensor<?xindex>, %c: tensor<3xindex>, %d: !shape.shape, %w: !shape.witness) -> (!shape.witness, !shape.witness, !shape.witness, !shape.witness, !shape.witness) {
  %0 = shape.cstr_eq %a, %b : !shape.shape, tensor<?xindex>
  %1 = shape.cstr_eq %b, %c : tensor<?xindex>, tensor<3xindex>
  %2 = shape.assuming_all %0, %1
  %3 = shape.cstr_eq %a, %d : !shape.shape, !shape.shape
  %4 = shape.cstr_eq %b, %c : tensor<?xindex>, tensor<3xindex>
  %5 = shape.assuming_all %3, %4
  %6 = shape.cstr_broadcastable %a, %b : !shape.shape, tensor<?xindex>
  %7 = shape.assuming_all %6, %0
  %8 = shape.assuming_all %7, %w
  %9 = shape.assuming_all %w
  %t = shape.const_witness true
  %10 = shape.assuming_all %t, %w
  return %2, %5, %8, %9, %10 : !shape.witness, !shape.witness, !shape.witness, !shape.witness, !shape.witness
}
// =>
module {
  func.func @all_constraints(%arg0: !shape.shape, %arg1: tensor<?xindex>, %arg2: tensor<3xindex>, %arg3: !shape.shape, %arg4: !shape.witness) -> (!shape.witness, !shape.witness, !shape.witness, !shape.witness, !shape.witness) {
    %0 = shape.cstr_eq %arg0, %arg1 : !shape.shape, tensor<?xindex>
    %1 = shape.cstr_eq %arg1, %arg2 : tensor<?xindex>, tensor<3xindex>
    %2 = shape.cstr_eq %arg0, %arg1, %arg1, %arg2 : !shape.shape, tensor<?xindex>, tensor<?xindex>, tensor<3xindex>
    %3 = shape.cstr_eq %arg0, %arg3 : !shape.shape, !shape.shape
    %4 = shape.cstr_eq %arg1, %arg2 : tensor<?xindex>, tensor<3xindex>
    %5 = shape.assuming_all %3, %4
    %6 = shape.cstr_broadcastable %arg0, %arg1 : !shape.shape, tensor<?xindex>
    %7 = shape.assuming_all %6, %0, %arg4
    return %2, %5, %7, %arg4, %arg4 : !shape.witness, !shape.witness, !shape.witness, !shape.witness, !shape.witness
  }
}
// -----
func.func @all_broadcastable(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> !shape.witness {
  %a = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %b = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %c = shape.shape_of %z : tensor<?xf32> -> tensor<1xindex>
  %0 = shape.cstr_broadcastable %a, %b : tensor<1xindex>, tensor<1xindex>
  %1 = shape.cstr_broadcastable %a, %b, %c : tensor<1xindex>, tensor<1xindex>, tensor<1xindex>
  %2 = shape.assuming_all %0, %1
  return %2 : !shape.witness
}
// =>
module {
  func.func @all_broadcastable(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) -> !shape.witness {
    %0 = shape.shape_of %arg0 : tensor<?xf32> -> tensor<1xindex>
    %1 = shape.shape_of %arg1 : tensor<?xf32> -> tensor<1xindex>
    %2 = shape.shape_of %arg2 : tensor<?xf32> -> tensor<1xindex>
    %3 = shape.cstr_broadcastable %0, %1, %2 : tensor<1xindex>, tensor<1xindex>, tensor<1xindex>
    return %3 : !shape.witness
  }
}
// -----
func.func @shape_of(%x: tensor<?x?x?xf32>, %u: tensor<*xf32>, %s: tensor<3xindex>) -> (tensor<?xindex>, tensor<3xindex>, index, !shape.size, !shape.shape, tensor<3xindex>, index, tensor<?xindex>) {
  %0 = shape.shape_of %x : tensor<?x?x?xf32> -> tensor<3xindex>
  %1 = tensor.cast %0 : tensor<3xindex> to tensor<?xindex>
  %2 = shape.shape_of %x : tensor<?x?x?xf32> -> tensor<?xindex>
  %3 = tensor.cast %2 : tensor<?xindex> to tensor<3xindex>
  %4 = shape.rank %2 : tensor<?xindex> -> index
  %5 = shape.shape_of %x : tensor<?x?x?xf32> -> !shape.shape
  %6 = shape.rank %5 : !shape.shape -> !shape.size
  %r = tensor.reshape %u(%s) : (tensor<*xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %7 = shape.shape_of %r : tensor<?x?x?xf32> -> tensor<3xindex>
  %8 = shape.shape_of %u : tensor<*xf32> -> tensor<?xindex>
  %9 = shape.rank %8 : tensor<?xindex> -> index
  %10 = shape.shape_of %r : tensor<?x?x?xf32> -> tensor<?xindex>
  return %1, %3, %4, %6, %5, %7, %9, %10 : tensor<?xindex>, tensor<3xindex>, index, !shape.size, !shape.shape, tensor<3xindex>, index, tensor<?xindex>
}
// =>
module {
  func.func @shape_of(%arg0: tensor<?x?x?xf32>, %arg1: tensor<*xf32>, %arg2: tensor<3xindex>) -> (tensor<?xindex>, tensor<3xindex>, index, !shape.size, !shape.shape, tensor<3xindex>, index, tensor<?xindex>) {
    %c3 = shape.const_size 3
    %c3_0 = arith.constant 3 : index
    %0 = shape.shape_of %arg0 : tensor<?x?x?xf32> -> tensor<?xindex>
    %1 = shape.shape_of %arg0 : tensor<?x?x?xf32> -> tensor<3xindex>
    %2 = shape.shape_of %arg0 : tensor<?x?x?xf32> -> !shape.shape
    %3 = shape.shape_of %arg1 : tensor<*xf32> -> tensor<?xindex>
    %4 = shape.rank %3 : tensor<?xindex> -> index
    %cast = tensor.cast %arg2 : tensor<3xindex> to tensor<?xindex>
    return %0, %1, %c3_0, %c3, %2, %arg2, %4, %cast : tensor<?xindex>, tensor<3xindex>, index, !shape.size, !shape.shape, tensor<3xindex>, index, tensor<?xindex>
  }
}
// -----
func.func @sizes(%i: index, %s: !shape.size) -> (index, !shape.size, index) {
  %0 = shape.index_to_size %i
  %1 = shape.size_to_index %0 : !shape.size
  %2 = shape.size_to_index %s : !shape.size
  %3 = shape.index_to_size %2
  %4 = shape.size_to_index %i : index
  return %1, %3, %4 : index, !shape.size, index
}
// =>
module {
  func.func @sizes(%arg0: index, %arg1: !shape.size) -> (index, !shape.size, index) {
    return %arg0, %arg1, %arg0 : index, !shape.size, index
  }
}
// -----
func.func private @usei(index)
func.func @assuming(%w: !shape.witness, %x: index) -> (index, index, index) {
  %t = shape.const_witness true
  %0 = shape.assuming %t -> index {
    %c = arith.constant 4 : index
    shape.assuming_yield %c : index
  }
  %1:2 = shape.assuming %w -> (index, index) {
    %c = arith.constant 5 : index
    func.call @usei(%c) : (index) -> ()
    shape.assuming_yield %c, %x : index, index
  }
  %2 = shape.assuming %w -> index {
    shape.assuming_yield %x : index
  }
  return %0, %1#1, %2 : index, index, index
}
// =>
module {
  func.func private @usei(index)
  func.func @assuming(%arg0: !shape.witness, %arg1: index) -> (index, index, index) {
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %0 = shape.assuming %arg0 -> (index) {
      func.call @usei(%c5) : (index) -> ()
      shape.assuming_yield %arg1 : index
    }
    %1 = shape.assuming %arg0 -> (index) {
      shape.assuming_yield %arg1 : index
    }
    return %c4, %0, %1 : index, index, index
  }
}
// -----
func.func @extents(%x: tensor<?x?xf64>, %u: tensor<*xf32>, %i: index, %t: tensor<?xindex>, %s: !shape.shape) -> (index, index, !shape.size, index, tensor<?xindex>) {
  %c1 = arith.constant 1 : index
  %0 = shape.shape_of %x : tensor<?x?xf64> -> tensor<2xindex>
  %1 = tensor.extract %0[%c1] : tensor<2xindex>
  %2 = shape.shape_of %u : tensor<*xf32> -> tensor<?xindex>
  %3 = tensor.extract %2[%i] : tensor<?xindex>
  %4 = shape.shape_of %x : tensor<?x?xf64> -> !shape.shape
  %5 = shape.get_extent %4, %c1 : !shape.shape, index -> !shape.size
  %6 = shape.get_extent %0, %c1 : tensor<2xindex>, index -> index
  %7 = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
  return %1, %3, %5, %6, %7 : index, index, !shape.size, index, tensor<?xindex>
}
// =>
module {
  func.func @extents(%arg0: tensor<?x?xf64>, %arg1: tensor<*xf32>, %arg2: index, %arg3: tensor<?xindex>, %arg4: !shape.shape) -> (index, index, !shape.size, index, tensor<?xindex>) {
    %c1 = arith.constant 1 : index
    %0 = shape.shape_of %arg0 : tensor<?x?xf64> -> tensor<2xindex>
    %dim = tensor.dim %arg0, %c1 : tensor<?x?xf64>
    %dim_0 = tensor.dim %arg1, %arg2 : tensor<*xf32>
    %1 = shape.shape_of %arg0 : tensor<?x?xf64> -> !shape.shape
    %2 = shape.get_extent %1, %c1 : !shape.shape, index -> !shape.size
    %3 = shape.get_extent %0, %c1 : tensor<2xindex>, index -> index
    %4 = shape.to_extent_tensor %arg4 : !shape.shape -> tensor<?xindex>
    return %dim, %dim_0, %2, %3, %4 : index, index, !shape.size, index, tensor<?xindex>
  }
}
// -----
func.func private @wit(!shape.witness)
func.func @equal(%a: tensor<?xindex>, %b: !shape.shape) {
  %0 = shape.cstr_eq %a, %a, %a : tensor<?xindex>, tensor<?xindex>, tensor<?xindex>
  func.call @wit(%0) : (!shape.witness) -> ()
  %1 = shape.cstr_eq %a, %b, %a : tensor<?xindex>, !shape.shape, tensor<?xindex>
  func.call @wit(%1) : (!shape.witness) -> ()
  return
}
// =>
module {
  func.func private @wit(!shape.witness)
  func.func @equal(%arg0: tensor<?xindex>, %arg1: !shape.shape) {
    %0 = shape.const_witness true
    call @wit(%0) : (!shape.witness) -> ()
    %1 = shape.cstr_eq %arg0, %arg1, %arg0 : tensor<?xindex>, !shape.shape, tensor<?xindex>
    call @wit(%1) : (!shape.witness) -> ()
    return
  }
}
// -----
func.func @more_broadcast(%a: tensor<?xindex>, %s: !shape.shape) -> (!shape.shape, tensor<?xindex>, !shape.shape) {
  %0 = shape.broadcast %a, %s, %a : tensor<?xindex>, !shape.shape, tensor<?xindex> -> !shape.shape
  %1 = shape.broadcast %a, %a : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %c = shape.const_shape [1, 1] : !shape.shape
  %2 = shape.broadcast %c, %s : !shape.shape, !shape.shape -> !shape.shape
  return %0, %1, %2 : !shape.shape, tensor<?xindex>, !shape.shape
}
// =>
module {
  func.func @more_broadcast(%arg0: tensor<?xindex>, %arg1: !shape.shape) -> (!shape.shape, tensor<?xindex>, !shape.shape) {
    %0 = shape.const_shape [1, 1] : !shape.shape
    %1 = shape.broadcast %arg0, %arg1 : tensor<?xindex>, !shape.shape -> !shape.shape
    %2 = shape.broadcast %arg1, %0 : !shape.shape, !shape.shape -> !shape.shape
    return %1, %arg0, %2 : !shape.shape, tensor<?xindex>, !shape.shape
  }
}
