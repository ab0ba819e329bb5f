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
// -----
func.func @complex_parts(%a: complex<f32>, %b: complex<f32>, %f: f32, %g: f32) -> (complex<f32>, complex<f32>, f32, f32, f32, complex<f32>) {
  %k = complex.constant [2.0 : f32, 3.0 : f32] : complex<f32>
  %re = complex.re %a : complex<f32>
  %im = complex.im %a : complex<f32>
  %0 = complex.create %re, %im : complex<f32>
  %other = complex.im %b : complex<f32>
  %1 = complex.create %re, %other : complex<f32>
  %made = complex.create %f, %g : complex<f32>
  %2 = complex.re %made : complex<f32>
  %3 = complex.im %made : complex<f32>
  %4 = complex.im %k : complex<f32>
  %neg = complex.neg %a : complex<f32>
  %back = complex.neg %neg : complex<f32>
  %conj = complex.conj %back : complex<f32>
  %again = complex.conj %conj : complex<f32>
  %log = complex.log %again : complex<f32>
  %5 = complex.exp %log : complex<f32>
  return %0, %1, %2, %3, %4, %5 : complex<f32>, complex<f32>, f32, f32, f32, complex<f32>
}
// =>
module {
  func.func @complex_parts(%arg0: complex<f32>, %arg1: complex<f32>, %arg2: f32, %arg3: f32) -> (complex<f32>, complex<f32>, f32, f32, f32, complex<f32>) {
    %cst = arith.constant 3.000000e+00 : f32
    %0 = complex.re %arg0 : complex<f32>
    %1 = complex.im %arg1 : complex<f32>
    %2 = complex.create %0, %1 : complex<f32>
    return %arg0, %2, %arg2, %arg3, %cst, %arg0 : complex<f32>, complex<f32>, f32, f32, f32, complex<f32>
  }
}
// -----
func.func @complex_neutral(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %zero = complex.constant [0.0 : f32, -0.0 : f32] : complex<f32>
  %sum = complex.add %a, %b : complex<f32>
  %difference = complex.sub %a, %b : complex<f32>
  %0 = complex.add %difference, %b : complex<f32>
  %1 = complex.add %b, %difference : complex<f32>
  %2 = complex.sub %sum, %b : complex<f32>
  %3 = complex.sub %sum, %a : complex<f32>
  %4 = complex.add %a, %zero : complex<f32>
  %5 = complex.mul %a, %one : complex<f32>
  %6 = complex.mul %one, %a : complex<f32>
  %7 = complex.div %a, %one : complex<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
// =>
module {
  func.func @complex_neutral(%arg0: complex<f32>, %arg1: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
    %cst = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
    %0 = complex.add %arg0, %arg1 : complex<f32>
    %1 = complex.sub %0, %arg0 : complex<f32>
    %2 = complex.mul %cst, %arg0 : complex<f32>
    return %arg0, %arg0, %arg0, %1, %arg0, %arg0, %2, %arg0 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
  }
}
// -----
func.func @complex_bits(%a: complex<f32>, %i: i64) -> (complex<f32>, complex<f32>, f64, f64) {
  %0 = complex.bitcast %a : complex<f32> to i64
  %1 = complex.bitcast %0 : i64 to complex<f32>
  %2 = complex.bitcast %a : complex<f32> to complex<f32>
  %3 = complex.bitcast %i : i64 to complex<f32>
  %4 = complex.bitcast %3 : complex<f32> to f64
  %5 = complex.bitcast %a : complex<f32> to f64
  return %1, %2, %4, %5 : complex<f32>, complex<f32>, f64, f64
}
// =>
module {
  func.func @complex_bits(%arg0: complex<f32>, %arg1: i64) -> (complex<f32>, complex<f32>, f64, f64) {
    %0 = arith.bitcast %arg1 : i64 to f64
    %1 = complex.bitcast %arg0 : complex<f32> to f64
    return %arg0, %arg0, %0, %1 : complex<f32>, complex<f32>, f64, f64
  }
}
// -----
func.func @casts_there_and_back(%a: i64, %b: i32) -> (i64, i32, i64, i32, i64) {
  %0 = builtin.unrealized_conversion_cast %a : i64 to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to i64
  %2:2 = builtin.unrealized_conversion_cast %a, %b : i64, i32 to f32, f64
  %3:2 = builtin.unrealized_conversion_cast %2#0, %2#1 : f32, f64 to i64, i32
  %4:2 = builtin.unrealized_conversion_cast %2#1, %2#0 : f64, f32 to i64, i32
  %5:2 = builtin.unrealized_conversion_cast %a, %b : i64, i32 to i64, i32
  %6 = builtin.unrealized_conversion_cast to i64
  return %1, %3#1, %4#0, %5#1, %6 : i64, i32, i64, i32, i64
}
// =>
module {
  func.func @casts_there_and_back(%arg0: i64, %arg1: i32) -> (i64, i32, i64, i32, i64) {
    %0:2 = builtin.unrealized_conversion_cast %arg0, %arg1 : i64, i32 to f32, f64
    %1:2 = builtin.unrealized_conversion_cast %0#1, %0#0 : f64, f32 to i64, i32
    %2 = builtin.unrealized_conversion_cast to i64
    return %arg0, %arg1, %1#0, %arg1, %2 : i64, i32, i64, i32, i64
  }
}
// -----
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
// =>
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
// -----
func.func @affine_loop_of_one_iteration(%b: index, %c: index) -> (index, index) {
  %u:2 = affine.for %i = 0 to 1 iter_args(%x = %b, %y = %c) -> (index, index) {
    affine.yield %y, %x : index, index
  }
  return %u#0, %u#1 : index, index
}
// =>
module {
  func.func @affine_loop_of_one_iteration(%arg0: index, %arg1: index) -> (index, index) {
    return %arg1, %arg0 : index, index
  }
}
// -----
func.func @switch_after_switch(%flag: i32, %a: f32, %b: f32) -> f32 {
  cf.switch %flag : i32, [
    default: ^other,
    42: ^known
  ]
^known:
  %0 = math.exp %a : f32
  cf.switch %flag : i32, [
    default: ^end(%a : f32),
    42: ^end(%0 : f32)
  ]
^other:
  %1 = math.exp %b : f32
  cf.switch %flag : i32, [
    default: ^end(%a : f32),
    42: ^end(%b : f32),
    -7: ^end(%1 : f32)
  ]
^end(%x: f32):
  return %x : f32
}
// =>
module {
  func.func @switch_after_switch(%arg0: i32, %arg1: f32, %arg2: f32) -> f32 {
    cf.switch %arg0 : i32, [
      default: ^bb2,
      42: ^bb1
    ]
  ^bb1:  // pred: ^bb0
    %0 = math.exp %arg1 : f32
    cf.br ^bb3(%0 : f32)
  ^bb2:  // pred: ^bb0
    %1 = math.exp %arg2 : f32
    cf.switch %arg0 : i32, [
      default: ^bb3(%arg1 : f32),
      4294967289: ^bb3(%1 : f32)
    ]
  ^bb3(%2: f32):  // 3 preds: ^bb1, ^bb2, ^bb2
    return %2 : f32
  }
}
// -----
func.func @switch_after_switch_without_that_case(%flag: i8, %a: f32, %b: f32) -> f32 {
  cf.switch %flag : i8, [
    default: ^end(%a : f32),
    -1: ^known
  ]
^known:
  %0 = math.exp %a : f32
  cf.switch %flag : i8, [
    default: ^end(%0 : f32),
    1: ^end(%b : f32)
  ]
^end(%x: f32):
  return %x : f32
}
// =>
module {
  func.func @switch_after_switch_without_that_case(%arg0: i8, %arg1: f32, %arg2: f32) -> f32 {
    cf.switch %arg0 : i8, [
      default: ^bb2(%arg1 : f32),
      255: ^bb1
    ]
  ^bb1:  // pred: ^bb0
    %0 = math.exp %arg1 : f32
    cf.br ^bb2(%0 : f32)
  ^bb2(%1: f32):  // 2 preds: ^bb0, ^bb1
    return %1 : f32
  }
}
// -----
func.func @index_switch_results(%i: index, %a: i32, %b: i32) -> (i32, i32) {
  %0:4 = scf.index_switch %i -> i32, i32, i32, i32
  case 1 {
    scf.yield %a, %a, %b, %a : i32, i32, i32, i32
  }
  default {
    scf.yield %b, %b, %b, %a : i32, i32, i32, i32
  }
  %1 = arith.addi %0#0, %0#1 : i32
  return %1, %0#2 : i32, i32
}
// =>
module {
  func.func @index_switch_results(%arg0: index, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %0 = scf.index_switch %arg0 -> i32 
    case 1 {
      scf.yield %arg1 : i32
    }
    default {
      scf.yield %arg2 : i32
    }
    %1 = arith.addi %0, %0 : i32
    return %1, %arg2 : i32, i32
  }
}
// -----
func.func @shape_of_static(%a: tensor<2x3xf32>, %c: tensor<f32>, %d: tensor<2x?xf32>) -> (tensor<?xindex>, tensor<0xindex>, tensor<2xindex>) {
  %0 = shape.shape_of %a : tensor<2x3xf32> -> tensor<?xindex>
  %1 = shape.shape_of %c : tensor<f32> -> tensor<0xindex>
  %2 = shape.shape_of %d : tensor<2x?xf32> -> tensor<2xindex>
  return %0, %1, %2 : tensor<?xindex>, tensor<0xindex>, tensor<2xindex>
}
// =>
module {
  func.func @shape_of_static(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>, %arg2: tensor<2x?xf32>) -> (tensor<?xindex>, tensor<0xindex>, tensor<2xindex>) {
    %0 = shape.const_shape [] : tensor<0xindex>
    %1 = shape.const_shape [2, 3] : tensor<2xindex>
    %cast = tensor.cast %1 : tensor<2xindex> to tensor<?xindex>
    %2 = shape.shape_of %arg2 : tensor<2x?xf32> -> tensor<2xindex>
    return %cast, %0, %2 : tensor<?xindex>, tensor<0xindex>, tensor<2xindex>
  }
}
// -----
func.func private @callee(tensor<4xf32>, i32) -> (tensor<4xf32>, i32)
func.func @call_of_a_constant(%t: tensor<4xf32>, %i: i32) -> (tensor<4xf32>, i32, tensor<0x2xi32>) {
  %fn = func.constant @callee : (tensor<4xf32>, i32) -> (tensor<4xf32>, i32)
  %0:2 = call_indirect %fn(%t, %i) {x = 1} : (tensor<4xf32>, i32) -> (tensor<4xf32>, i32)
  %1 = tensor.from_elements : tensor<0x2xi32>
  return %0#0, %0#1, %1 : tensor<4xf32>, i32, tensor<0x2xi32>
}
// =>
module {
  func.func private @callee(tensor<4xf32>, i32) -> (tensor<4xf32>, i32)
  func.func @call_of_a_constant(%arg0: tensor<4xf32>, %arg1: i32) -> (tensor<4xf32>, i32, tensor<0x2xi32>) {
    %cst = arith.constant dense<> : tensor<0x2xi32>
    %0:2 = call @callee(%arg0, %arg1) : (tensor<4xf32>, i32) -> (tensor<4xf32>, i32)
    return %0#0, %0#1, %cst : tensor<4xf32>, i32, tensor<0x2xi32>
  }
}
// -----
func.func @steps_that_lead_nowhere(%m: memref<4xf32>, %c: f32, %k: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %cm1 = arith.constant -1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %cm1 {
    memref.store %c, %m[%i] : memref<4xf32>
  }
  %r = scf.for %i = %k to %n step %c0 iter_args(%a = %c) -> f32 {
    %b = arith.addf %a, %a : f32
    scf.yield %b : f32
  }
  return %r : f32
}
// =>
module {
  func.func @steps_that_lead_nowhere(%arg0: memref<4xf32>, %arg1: f32, %arg2: index, %arg3: index) -> f32 {
    return %arg1 : f32
  }
}
