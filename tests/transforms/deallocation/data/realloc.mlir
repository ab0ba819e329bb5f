// passes: -expand-realloc
// =====
// sizes known or not, before and after; alignment is kept
func.func @sizes(%n: memref<?xf32>, %s: index, %m: memref<4xf32, 1>) {
  %0 = memref.realloc %n(%s) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
  %1 = memref.realloc %0 : memref<?xf32> to memref<7xf32>
  %2 = memref.realloc %m(%s) : memref<4xf32, 1> to memref<?xf32, 1>
  return
}
// ==>
module {
  func.func @sizes(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<4xf32, 1>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = arith.cmpi ult, %dim, %arg1 : index
    %1 = scf.if %0 -> (memref<?xf32>) {
      %alloc = memref.alloc(%arg1) {alignment = 8 : i64} : memref<?xf32>
      %subview = memref.subview %alloc[0] [%dim] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.copy %arg0, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.dealloc %arg0 : memref<?xf32>
      scf.yield %alloc : memref<?xf32>
    } else {
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1], strides: [1] : memref<?xf32> to memref<?xf32>
      scf.yield %reinterpret_cast : memref<?xf32>
    }
    %c0_0 = arith.constant 0 : index
    %dim_1 = memref.dim %1, %c0_0 : memref<?xf32>
    %c7 = arith.constant 7 : index
    %2 = arith.cmpi ult, %dim_1, %c7 : index
    %3 = scf.if %2 -> (memref<7xf32>) {
      %alloc = memref.alloc() : memref<7xf32>
      %subview = memref.subview %alloc[0] [%dim_1] [1] : memref<7xf32> to memref<?xf32, strided<[1]>>
      memref.copy %1, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.dealloc %1 : memref<?xf32>
      scf.yield %alloc : memref<7xf32>
    } else {
      %reinterpret_cast = memref.reinterpret_cast %1 to offset: [0], sizes: [7], strides: [1] : memref<?xf32> to memref<7xf32>
      scf.yield %reinterpret_cast : memref<7xf32>
    }
    %c4 = arith.constant 4 : index
    %4 = arith.cmpi ult, %c4, %arg1 : index
    %5 = scf.if %4 -> (memref<?xf32, 1>) {
      %alloc = memref.alloc(%arg1) : memref<?xf32, 1>
      %subview = memref.subview %alloc[0] [4] [1] : memref<?xf32, 1> to memref<4xf32, strided<[1]>, 1>
      memref.copy %arg2, %subview : memref<4xf32, 1> to memref<4xf32, strided<[1]>, 1>
      memref.dealloc %arg2 : memref<4xf32, 1>
      scf.yield %alloc : memref<?xf32, 1>
    } else {
      %reinterpret_cast = memref.reinterpret_cast %arg2 to offset: [0], sizes: [%arg1], strides: [1] : memref<4xf32, 1> to memref<?xf32, 1>
      scf.yield %reinterpret_cast : memref<?xf32, 1>
    }
    return
  }
}
// =====
func.func @static(%m: memref<4xf32>) -> memref<8xf32> {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  return %0 : memref<8xf32>
}
// ==>
module {
  func.func @static(%arg0: memref<4xf32>) -> memref<8xf32> {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.cmpi ult, %c4, %c8 : index
    %1 = scf.if %0 -> (memref<8xf32>) {
      %alloc = memref.alloc() : memref<8xf32>
      %subview = memref.subview %alloc[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
      memref.copy %arg0, %subview : memref<4xf32> to memref<4xf32, strided<[1]>>
      memref.dealloc %arg0 : memref<4xf32>
      scf.yield %alloc : memref<8xf32>
    } else {
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [8], strides: [1] : memref<4xf32> to memref<8xf32>
      scf.yield %reinterpret_cast : memref<8xf32>
    }
    return %1 : memref<8xf32>
  }
}
// =====
// loops that hand on what they were given are folded, out of order only where they run once
func.func @affine_loops_that_hand_on(%b: index, %c: index, %n: index) -> (index, index, index, index, index, index, index) {
  %r = affine.for %i = 0 to %n iter_args(%x = %b) -> index {
    affine.yield %x : index
  }
  %s:2 = affine.for %i = 0 to 10 iter_args(%x = %b, %y = %c) -> (index, index) {
    affine.yield %x, %c : index, index
  }
  %t = affine.for %i = 0 to %n iter_args(%x = %b) -> index {
    affine.yield %c : index
  }
  %u:2 = affine.for %i = 0 to 10 iter_args(%x = %b, %y = %c) -> (index, index) {
    affine.yield %y, %x : index, index
  }
  %v = affine.for %i = 0 to 1 iter_args(%x = %b) -> index {
    affine.yield %i : index
  }
  return %r, %s#0, %s#1, %t, %u#0, %u#1, %v : index, index, index, index, index, index, index
}
// ==>
module {
  func.func @affine_loops_that_hand_on(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index, index, index, index) {
    %0 = affine.for %arg3 = 0 to %arg2 iter_args(%arg4 = %arg0) -> (index) {
      affine.yield %arg1 : index
    }
    %1:2 = affine.for %arg3 = 0 to 10 iter_args(%arg4 = %arg0, %arg5 = %arg1) -> (index, index) {
      affine.yield %arg5, %arg4 : index, index
    }
    %2 = affine.for %arg3 = 0 to 1 iter_args(%arg4 = %arg0) -> (index) {
      affine.yield %arg3 : index
    }
    return %arg0, %arg0, %arg1, %0, %1#0, %1#1, %2 : index, index, index, index, index, index, index
  }
}
// =====
// a fold that would make a constant that is not legal in this conversion does not happen
func.func @constants_of_shape_are_not_legal(%e: tensor<?xindex>) -> (!shape.size, index, !shape.witness, !shape.shape) {
  %0 = shape.const_shape [2, 3] : !shape.shape
  %1 = shape.const_shape [2, 3] : tensor<2xindex>
  %2 = shape.rank %0 : !shape.shape -> !shape.size
  %3 = shape.num_elements %1 : tensor<2xindex> -> index
  %4 = shape.cstr_eq %0, %0 : !shape.shape, !shape.shape
  %5 = shape.concat %0, %0 : !shape.shape, !shape.shape -> !shape.shape
  return %2, %3, %4, %5 : !shape.size, index, !shape.witness, !shape.shape
}
// ==>
module {
  func.func @constants_of_shape_are_not_legal(%arg0: tensor<?xindex>) -> (!shape.size, index, !shape.witness, !shape.shape) {
    %0 = shape.const_shape [2, 3] : !shape.shape
    %1 = shape.const_shape [2, 3] : tensor<2xindex>
    %2 = shape.rank %0 : !shape.shape -> !shape.size
    %c6 = arith.constant 6 : index
    %3 = shape.cstr_eq %0, %0 : !shape.shape, !shape.shape
    %4 = shape.concat %0, %0 : !shape.shape, !shape.shape -> !shape.shape
    return %2, %c6, %3, %4 : !shape.size, index, !shape.witness, !shape.shape
  }
}
