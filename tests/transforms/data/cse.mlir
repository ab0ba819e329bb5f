/// Equal and free of effects: one of them is enough, also behind a branch, not from one branch to another.
func.func @pure(%m: memref<?xf32>, %c: i1, %o: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %a = memref.dim %m, %c0 : memref<?xf32>
  %b = memref.dim %m, %c0 : memref<?xf32>
  memref.store %b, %o[%c0] : memref<4xindex>
  scf.if %c {
    %d = memref.dim %m, %c0 : memref<?xf32>
    %e = arith.addi %a, %d : index
    memref.store %e, %o[%c0] : memref<4xindex>
  } else {
    %e = arith.addi %a, %b : index
    memref.store %e, %o[%c0] : memref<4xindex>
  }
  return
}
// =>
module {
  func.func @pure(%arg0: memref<?xf32>, %arg1: i1, %arg2: memref<4xindex>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    memref.store %dim, %arg2[%c0] : memref<4xindex>
    scf.if %arg1 {
      %0 = arith.addi %dim, %dim : index
      memref.store %0, %arg2[%c0] : memref<4xindex>
    } else {
      %0 = arith.addi %dim, %dim : index
      memref.store %0, %arg2[%c0] : memref<4xindex>
    }
    return
  }
}
// -----
/// Reads are merged as long as nothing writes in between.
func.func @reads(%m: memref<4xf32>, %i: index) -> (f32, f32, f32) {
  %0 = memref.load %m[%i] : memref<4xf32>
  %1 = memref.load %m[%i] : memref<4xf32>
  memref.store %1, %m[%i] : memref<4xf32>
  %2 = memref.load %m[%i] : memref<4xf32>
  return %0, %1, %2 : f32, f32, f32
}
// =>
module {
  func.func @reads(%arg0: memref<4xf32>, %arg1: index) -> (f32, f32, f32) {
    %0 = memref.load %arg0[%arg1] : memref<4xf32>
    memref.store %0, %arg0[%arg1] : memref<4xf32>
    %1 = memref.load %arg0[%arg1] : memref<4xf32>
    return %0, %0, %1 : f32, f32, f32
  }
}
// -----
/// Operands of commutative operations in another order, blocks that dominate, equal regions.
func.func @blocks(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
  %0 = arith.addi %x, %y : i32
  %s = scf.if %c -> (i32) { scf.yield %x : i32 } else { scf.yield %0 : i32 }
  %t = scf.if %c -> (i32) { scf.yield %x : i32 } else { scf.yield %0 : i32 }
  cf.cond_br %c, ^l, ^r
^l:
  %1 = arith.addi %y, %x : i32
  return %1, %s : i32, i32
^r:
  %2 = arith.subi %x, %y : i32
  %3 = arith.subi %y, %x : i32
  %4 = arith.muli %2, %3 : i32
  return %4, %t : i32, i32
}
// =>
module {
  func.func @blocks(%arg0: i32, %arg1: i32, %arg2: i1) -> (i32, i32) {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = scf.if %arg2 -> (i32) {
      scf.yield %arg0 : i32
    } else {
      scf.yield %0 : i32
    }
    cf.cond_br %arg2, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    return %0, %1 : i32, i32
  ^bb2:  // pred: ^bb0
    %2 = arith.subi %arg0, %arg1 : i32
    %3 = arith.subi %arg1, %arg0 : i32
    %4 = arith.muli %2, %3 : i32
    return %4, %1 : i32, i32
  }
}
