/// Constants go to the start of the function, each once; operands that are constant go right.
func.func @constants(%i: i32, %m: memref<4xi32>, %k: index) {
  %c = arith.constant 7 : i32
  %0 = arith.addi %c, %i : i32
  memref.store %0, %m[%k] : memref<4xi32>
  %d = arith.constant 7 : i32
  memref.store %d, %m[%k] : memref<4xi32>
  return
}
// =>
module {
  func.func @constants(%arg0: i32, %arg1: memref<4xi32>, %arg2: index) {
    %c7_i32 = arith.constant 7 : i32
    %0 = arith.addi %arg0, %c7_i32 : i32
    memref.store %0, %arg1[%arg2] : memref<4xi32>
    memref.store %c7_i32, %arg1[%arg2] : memref<4xi32>
    return
  }
}
// -----
/// Neutral and absorbing elements, what undoes itself, and computing with constants.
func.func @bits(%c: i1, %d: i1) -> (i1, i1, i1, i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.andi %c, %true : i1
  %1 = arith.ori %c, %false : i1
  %2 = arith.xori %c, %true : i1
  %3 = arith.xori %2, %true : i1
  %4 = arith.andi %d, %2 : i1
  %5 = arith.select %2, %d, %c : i1
  %6 = arith.select %c, %false, %true : i1
  return %0, %1, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1
}
// =>
module {
  func.func @bits(%arg0: i1, %arg1: i1) -> (i1, i1, i1, i1, i1, i1) {
    %true = arith.constant true
    %0 = arith.xori %arg0, %true : i1
    %1 = arith.andi %arg1, %0 : i1
    %2 = arith.select %arg0, %arg0, %arg1 : i1
    %3 = arith.xori %arg0, %true : i1
    return %arg0, %arg0, %arg0, %1, %2, %3 : i1, i1, i1, i1, i1, i1
  }
}
// -----
func.func @sums(%x: index) -> (index, index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.addi %x, %c2 : index
  %1 = arith.addi %0, %c3 : index
  %2 = arith.subi %1, %c2 : index
  %3 = arith.muli %c2, %c3 : index
  return %1, %2, %3 : index, index, index
}
// =>
module {
  func.func @sums(%arg0: index) -> (index, index, index) {
    %c6 = arith.constant 6 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %0 = arith.addi %arg0, %c5 : index
    %1 = arith.addi %arg0, %c3 : index
    return %0, %1, %c6 : index, index, index
  }
}
// -----
/// A condition is known inside, values from outside are selected, a decided branch disappears.
func.func @branches(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %m: memref<4xi1>, %k: index) -> memref<4xf32> {
  %true = arith.constant true
  %0 = scf.if %c -> (memref<4xf32>) {
    memref.store %c, %m[%k] : memref<4xi1>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  scf.if %true {
    memref.store %true, %m[%k] : memref<4xi1>
  }
  return %0 : memref<4xf32>
}
// =>
module {
  func.func @branches(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xi1>, %arg4: index) -> memref<4xf32> {
    %true = arith.constant true
    %0 = arith.select %arg0, %arg1, %arg2 : memref<4xf32>
    scf.if %arg0 {
      memref.store %true, %arg3[%arg4] : memref<4xi1>
    }
    memref.store %true, %arg3[%arg4] : memref<4xi1>
    return %0 : memref<4xf32>
  }
}
// -----
/// Neighbours with opposite conditions become one; so do conditions inside each other.
func.func @neighbours(%c: i1, %d: i1, %m: memref<4xi1>, %k: index) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %c {
    memref.store %d, %m[%k] : memref<4xi1>
  }
  scf.if %n {
    scf.if %d {
      memref.store %n, %m[%k] : memref<4xi1>
    }
  }
  return
}
// =>
module {
  func.func @neighbours(%arg0: i1, %arg1: i1, %arg2: memref<4xi1>, %arg3: index) {
    %true = arith.constant true
    %0 = arith.xori %arg0, %true : i1
    scf.if %arg0 {
      memref.store %arg1, %arg2[%arg3] : memref<4xi1>
    } else {
      scf.if %arg1 {
        memref.store %0, %arg2[%arg3] : memref<4xi1>
      }
    }
    return
  }
}
// -----
/// Loops: carried values that never change, loops that never or once run.
func.func @loops(%n: index, %a: memref<4xf32>, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    memref.copy %y, %t : memref<4xf32> to memref<4xf32>
    scf.yield %x, %t : memref<4xf32>, memref<4xf32>
  }
  scf.for %i = %n to %n step %c1 {
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  }
  return %0#0, %0#1 : memref<4xf32>, memref<4xf32>
}
// =>
module {
  func.func @loops(%arg0: index, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (memref<4xf32>) {
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg4, %alloc : memref<4xf32> to memref<4xf32>
      scf.yield %alloc : memref<4xf32>
    }
    memref.copy %arg2, %arg1 : memref<4xf32> to memref<4xf32>
    return %arg1, %0 : memref<4xf32>, memref<4xf32>
  }
}
// -----
/// Blocks: forwarding blocks are passed through, single predecessors merged, conditions behind a branch known.
func.func @blocks(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> i1 {
  cf.cond_br %c, ^l, ^r
^l:
  cf.br ^j(%a : memref<4xf32>)
^r:
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  cf.br ^j(%b : memref<4xf32>)
^j(%x: memref<4xf32>):
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^s, ^t
^s:
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return %c : i1
^t:
  cf.br ^u
^u:
  return %c : i1
^nobody:
  cf.br ^u
}
// =>
module {
  func.func @blocks(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> i1 {
    %false = arith.constant false
    %true = arith.constant true
    cf.cond_br %arg0, ^bb2(%arg1 : memref<4xf32>), ^bb1
  ^bb1:  // pred: ^bb0
    memref.copy %arg1, %arg2 : memref<4xf32> to memref<4xf32>
    cf.br ^bb2(%arg2 : memref<4xf32>)
  ^bb2(%0: memref<4xf32>):  // 2 preds: ^bb0, ^bb1
    memref.copy %0, %arg1 : memref<4xf32> to memref<4xf32>
    cf.cond_br %arg0, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    memref.copy %arg1, %0 : memref<4xf32> to memref<4xf32>
    return %true : i1
  ^bb4:  // pred: ^bb2
    return %false : i1
  }
}
// -----
/// Buffers that are only written to and freed; sizes that are constants; casts in front of uses; copies of nothing.
func.func @buffers(%f: f32, %k: index, %o: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %dead = memref.alloc(%k) : memref<?xf32>
  memref.store %f, %dead[%c0] : memref<?xf32>
  memref.dealloc %dead : memref<?xf32>
  %n = memref.alloc(%c4) : memref<?xf32>
  memref.copy %n, %o : memref<?xf32> to memref<?xf32>
  memref.copy %o, %o : memref<?xf32> to memref<?xf32>
  %d = memref.dim %n, %c0 : memref<?xf32>
  %s = memref.subview %o[%c0] [%c4] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.store %f, %s[%c0] : memref<?xf32, strided<[1], offset: ?>>
  memref.dealloc %n : memref<?xf32>
  return %d : index
}
// =>
module {
  func.func @buffers(%arg0: f32, %arg1: index, %arg2: memref<?xf32>) -> index {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %alloc, %arg2 : memref<4xf32> to memref<?xf32>
    %subview = memref.subview %arg2[0] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1]>>
    memref.store %arg0, %subview[%c0] : memref<4xf32, strided<[1]>>
    memref.dealloc %alloc : memref<4xf32>
    return %c4 : index
  }
}
// -----
/// Ownership: duplicates, what is never owned, allocations nobody uses.
func.func @dealloc(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1) {
  %false = arith.constant false
  %n = memref.alloc() : memref<4xf32>
  %0:2 = bufferization.dealloc (%a, %a, %b, %n : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%c, %d, %false, %c) retain (%b, %b : memref<4xf32>, memref<4xf32>)
  bufferization.dealloc
  return %0#0, %0#1 : i1, i1
}
// =>
module {
  func.func @dealloc(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: i1, %arg3: i1) -> (i1, i1) {
    %0 = arith.ori %arg2, %arg3 : i1
    %1 = bufferization.dealloc (%arg0 : memref<4xf32>) if (%0) retain (%arg1 : memref<4xf32>)
    return %1, %1 : i1, i1
  }
}
// -----
/// Clones whose source or copy is freed here are not needed.
func.func @clones(%a: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  %0 = bufferization.clone %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  %unused = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}
// =>
module {
  func.func @clones(%arg0: memref<4xf32>) -> memref<4xf32> {
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
    return %alloc : memref<4xf32>
  }
}
// -----
func.func @maps(%i: index, %m: memref<100xf32>, %f: f32) {
  %c3 = arith.constant 3 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%c3]
  %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%0)
  affine.store %f, %m[%1] : memref<100xf32>
  affine.for %j = 0 to 10 {
    %2 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%j, %j)
    affine.store %f, %m[%2] : memref<100xf32>
  }
  return
}
// =>
module {
  func.func @maps(%arg0: index, %arg1: memref<100xf32>, %arg2: f32) {
    affine.store %arg2, %arg1[symbol(%arg0) * 2 + 6] : memref<100xf32>
    affine.for %arg3 = 0 to 10 {
      affine.store %arg2, %arg1[%arg3 * 2] : memref<100xf32>
    }
    return
  }
}
// -----
func.func @grids(%m: memref<8xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.forall (%i, %j) in (%c1, %c8) {
    %0 = arith.addi %i, %j : index
    memref.store %f, %m[%0] : memref<8xf32>
  }
  return
}
// =>
module {
  func.func @grids(%arg0: memref<8xf32>, %arg1: f32) {
    scf.forall (%arg2) in (8) {
      memref.store %arg1, %arg0[%arg2] : memref<8xf32>
    }
    return
  }
}
// -----
func.func @structured(%a: memref<4xf32>, %z: memref<0xf32>, %f: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<?xf32>)
  linalg.fill ins(%f : f32) outs(%z : memref<0xf32>)
  %v = vector.transfer_read %c[%c0], %f : memref<?xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
// =>
module {
  func.func @structured(%arg0: memref<4xf32>, %arg1: memref<0xf32>, %arg2: f32) -> vector<4xf32> {
    %c0 = arith.constant 0 : index
    linalg.fill ins(%arg2 : f32) outs(%arg0 : memref<4xf32>)
    %0 = vector.transfer_read %arg0[%c0], %arg2 {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    return %0 : vector<4xf32>
  }
}
// -----
/// Shapes and sizes are computed; constraints that hold are constants.
func.func @shapes(%t: tensor<?xf32>, %s: tensor<4x5xf32>, %e: tensor<?xindex>) -> (!shape.shape, !shape.size, index, index, !shape.witness, i1, index, tensor<3xindex>, !shape.shape, !shape.shape) {
  %0 = shape.const_shape [1, 2, 3] : !shape.shape
  %1 = shape.const_shape [7, 1, 2, 3] : tensor<4xindex>
  %2 = shape.broadcast %0, %1 : !shape.shape, tensor<4xindex> -> !shape.shape
  %3 = shape.rank %0 : !shape.shape -> !shape.size
  %4 = shape.num_elements %1 : tensor<4xindex> -> index
  %c1 = arith.constant 1 : index
  %c2 = shape.const_size 2
  %5 = shape.shape_of %s : tensor<4x5xf32> -> tensor<2xindex>
  %6 = shape.get_extent %5, %c1 : tensor<2xindex>, index -> index
  %7 = shape.const_shape [] : !shape.shape
  %8 = shape.shape_of %t : tensor<?xf32> -> tensor<?xindex>
  %9 = shape.cstr_broadcastable %8, %7 : tensor<?xindex>, !shape.shape
  %10 = shape.shape_eq %1, %5 : tensor<4xindex>, tensor<2xindex>
  %11 = shape.dim %s, %c1 : tensor<4x5xf32>, index -> index
  %12 = shape.const_shape [2, 3, 4] : tensor<3xindex>
  %13 = shape.any %12, %e : tensor<3xindex>, tensor<?xindex> -> tensor<3xindex>
  %14, %15 = "shape.split_at"(%0, %c2) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
  return %2, %3, %4, %6, %9, %10, %11, %13, %14, %15 : !shape.shape, !shape.size, index, index, !shape.witness, i1, index, tensor<3xindex>, !shape.shape, !shape.shape
}
// =>
module {
  func.func @shapes(%arg0: tensor<?xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<?xindex>) -> (!shape.shape, !shape.size, index, index, !shape.witness, i1, index, tensor<3xindex>, !shape.shape, !shape.shape) {
    %0 = shape.const_shape [7, 1, 2, 3] : !shape.shape
    %c3 = shape.const_size 3
    %c42 = arith.constant 42 : index
    %c5 = arith.constant 5 : index
    %1 = shape.const_witness true
    %false = arith.constant false
    %2 = shape.const_shape [2, 3, 4] : tensor<3xindex>
    %3 = shape.const_shape [1, 2] : !shape.shape
    %4 = shape.const_shape [3] : !shape.shape
    return %0, %c3, %c42, %c5, %1, %false, %c5, %2, %3, %4 : !shape.shape, !shape.size, index, index, !shape.witness, i1, index, tensor<3xindex>, !shape.shape, !shape.shape
  }
}
// -----
/// Floats are computed element by element, rounded to their type; conversions that lose nothing are folded.
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, vector<2xf32>, i32, f32, tensor<2xf16>, f16, i1, f32) {
  %a = arith.constant dense<[1.0, 2.5]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, -3.5]> : tensor<2xf32>
  %i = arith.constant dense<[1, -2]> : vector<2xi32>
  %f = arith.constant -2.75 : f32
  %inf = arith.constant 0x7F800000 : f32
  %0 = arith.divf %a, %b : tensor<2xf32>
  %1 = arith.maximumf %a, %b : tensor<2xf32>
  %2 = arith.sitofp %i : vector<2xi32> to vector<2xf32>
  %3 = arith.fptosi %f : f32 to i32
  %4 = arith.subf %inf, %inf : f32
  %5 = arith.truncf %a : tensor<2xf32> to tensor<2xf16>
  %pi = arith.constant 3.14159274 : f32
  %6 = arith.truncf %pi : f32 to f16
  %7 = arith.cmpf ult, %4, %f : f32
  %8 = arith.remf %pi, %f : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xf32>, tensor<2xf32>, vector<2xf32>, i32, f32, tensor<2xf16>, f16, i1, f32
}
// =>
module {
  func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, vector<2xf32>, i32, f32, tensor<2xf16>, f16, i1, f32) {
    %cst = arith.constant 0.391592741 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 3.14159274 : f32
    %cst_1 = arith.constant dense<[1.000000e+00, -0.714285731]> : tensor<2xf32>
    %cst_2 = arith.constant dense<[1.000000e+00, 2.500000e+00]> : tensor<2xf32>
    %cst_3 = arith.constant dense<[1.000000e+00, -2.000000e+00]> : vector<2xf32>
    %c-2_i32 = arith.constant -2 : i32
    %cst_4 = arith.constant 0x7FC00000 : f32
    %cst_5 = arith.constant dense<[1.000000e+00, 2.500000e+00]> : tensor<2xf16>
    %0 = arith.truncf %cst_0 : f32 to f16
    return %cst_1, %cst_2, %cst_3, %c-2_i32, %cst_4, %cst_5, %0, %true, %cst : tensor<2xf32>, tensor<2xf32>, vector<2xf32>, i32, f32, tensor<2xf16>, f16, i1, f32
  }
}
// -----
/// Elements of constants and of what was inserted; constants of another shape.
func.func @elements(%t: tensor<?xf32>, %f: f32) -> (f16, f16, complex<f32>, f32, tensor<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant sparse<[[0, 0], [1, 1]], [-5.0, -2.0]> : tensor<4x4xf16>
  %0 = tensor.extract %s[%c1, %c1] : tensor<4x4xf16>
  %1 = tensor.extract %s[%c0, %c1] : tensor<4x4xf16>
  %z = arith.constant dense<(1.2, 2.3)> : tensor<complex<f32>>
  %2 = tensor.extract %z[] : tensor<complex<f32>>
  %i = tensor.insert %f into %t[%c1] : tensor<?xf32>
  %3 = tensor.extract %i[%c1] : tensor<?xf32>
  %d = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %4 = tensor.expand_shape %d [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  return %0, %1, %2, %3, %4 : f16, f16, complex<f32>, f32, tensor<2x2xi32>
}
// =>
module {
  func.func @elements(%arg0: tensor<?xf32>, %arg1: f32) -> (f16, f16, complex<f32>, f32, tensor<2x2xi32>) {
    %cst = arith.constant -2.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = complex.constant [1.200000e+00 : f32, 2.300000e+00 : f32] : complex<f32>
    %cst_2 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    return %cst, %cst_0, %cst_1, %arg1, %cst_2 : f16, f16, complex<f32>, f32, tensor<2x2xi32>
  }
}
// -----
/// Shapes given twice count once; elements keep their order in every shape.
func.func @repeated(%t: tensor<?xf32>, %s: !shape.shape, %u: !shape.shape) -> (!shape.witness, !shape.witness, !shape.witness, i1, !shape.shape, !shape.witness) {
  %2 = shape.shape_of %t : tensor<?xf32> -> tensor<?xindex>
  %b = shape.cstr_broadcastable %2, %2 : tensor<?xindex>, tensor<?xindex>
  %c = shape.cstr_eq %s, %s : !shape.shape, !shape.shape
  %d = shape.cstr_broadcastable %s, %u, %s : !shape.shape, !shape.shape, !shape.shape
  %e = shape.shape_eq %s, %s : !shape.shape, !shape.shape
  %f = shape.broadcast %s, %s : !shape.shape, !shape.shape -> !shape.shape
  %g = shape.cstr_eq %s, %u, %s : !shape.shape, !shape.shape, !shape.shape
  return %b, %c, %d, %e, %f, %g : !shape.witness, !shape.witness, !shape.witness, i1, !shape.shape, !shape.witness
}
func.func @reshaped(%x: f32, %y: f32) -> tensor<2x1xf32> {
  %0 = tensor.from_elements %x, %y : tensor<2xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}
// =>
module {
  func.func @repeated(%arg0: tensor<?xf32>, %arg1: !shape.shape, %arg2: !shape.shape) -> (!shape.witness, !shape.witness, !shape.witness, i1, !shape.shape, !shape.witness) {
    %0 = shape.const_witness true
    %1 = shape.cstr_broadcastable %arg1, %arg2 : !shape.shape, !shape.shape
    %2 = shape.shape_eq %arg1, %arg1 : !shape.shape, !shape.shape
    %3 = shape.cstr_eq %arg1, %arg2, %arg1 : !shape.shape, !shape.shape, !shape.shape
    return %0, %0, %1, %2, %arg1, %3 : !shape.witness, !shape.witness, !shape.witness, i1, !shape.shape, !shape.witness
  }
  func.func @reshaped(%arg0: f32, %arg1: f32) -> tensor<2x1xf32> {
    %from_elements = tensor.from_elements %arg0, %arg1 : tensor<2x1xf32>
    return %from_elements : tensor<2x1xf32>
  }
}
