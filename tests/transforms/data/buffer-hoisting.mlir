func.func @diamond(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  cf.cond_br %c, ^l, ^r
^l:
  cf.br ^j(%a : memref<4xf32>)
^r:
  %n = memref.alloc() : memref<4xf32>
  cf.br ^j(%n : memref<4xf32>)
^j(%x: memref<4xf32>):
  memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  return
}
// =>
module {
  func.func @diamond(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    cf.br ^bb3(%arg1 : memref<4xf32>)
  ^bb2:  // pred: ^bb0
    cf.br ^bb3(%alloc : memref<4xf32>)
  ^bb3(%0: memref<4xf32>):  // 2 preds: ^bb1, ^bb2
    memref.copy %0, %arg2 : memref<4xf32> to memref<4xf32>
    return
  }
}
// -----
/// Not above the definition of its size, not out of a loop, not if the branch is the only user.
func.func @bounded(%c: i1, %n: index, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %c -> (memref<?xf32>) {
      %k = arith.addi %i, %n : index
      %a = memref.alloc(%k) : memref<?xf32>
      scf.yield %a : memref<?xf32>
    } else {
      %b = memref.alloc(%i) : memref<?xf32>
      %u = memref.alloc() : memref<4xf32>
      memref.copy %u, %u : memref<4xf32> to memref<4xf32>
      scf.yield %b : memref<?xf32>
    }
    memref.copy %r, %o : memref<?xf32> to memref<?xf32>
  }
  return
}
// =>
module {
  func.func @bounded(%arg0: i1, %arg1: index, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      %alloc = memref.alloc(%arg3) : memref<?xf32>
      %0 = scf.if %arg0 -> (memref<?xf32>) {
        %1 = arith.addi %arg3, %arg1 : index
        %alloc_0 = memref.alloc(%1) : memref<?xf32>
        scf.yield %alloc_0 : memref<?xf32>
      } else {
        %alloc_0 = memref.alloc() : memref<4xf32>
        memref.copy %alloc_0, %alloc_0 : memref<4xf32> to memref<4xf32>
        scf.yield %alloc : memref<?xf32>
      }
      memref.copy %0, %arg2 : memref<?xf32> to memref<?xf32>
    }
    return
  }
}
// -----
func.func private @read(memref<4xf32>) -> i32
func.func @returned(%n: index) -> i32 {
  %a = memref.alloc() : memref<4xf32>
  %x = call @read(%a) : (memref<4xf32>) -> i32
  return %x : i32
}
func.func @computed(%n: index) -> i32 {
  %a = memref.alloc() : memref<4xf32>
  %x = call @read(%a) : (memref<4xf32>) -> i32
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @yielded(%c: i1, %z: i32) -> i32 {
  %x = scf.if %c -> i32 {
    %b = memref.alloc() : memref<4xf32>
    %y = func.call @read(%b) : (memref<4xf32>) -> i32
    scf.yield %y : i32
  } else {
    scf.yield %z : i32
  }
  return %x : i32
}
// =>
module {
  func.func private @read(memref<4xf32>) -> i32
  func.func @returned(%arg0: index) -> i32 {
    %alloc = memref.alloc() : memref<4xf32>
    %0 = call @read(%alloc) : (memref<4xf32>) -> i32
    return %0 : i32
  }
  func.func @computed(%arg0: index) -> i32 {
    %alloc = memref.alloc() : memref<4xf32>
    %0 = call @read(%alloc) : (memref<4xf32>) -> i32
    %1 = arith.addi %0, %0 : i32
    return %1 : i32
  }
  func.func @yielded(%arg0: i1, %arg1: i32) -> i32 {
    %alloc = memref.alloc() : memref<4xf32>
    %0 = scf.if %arg0 -> (i32) {
      %1 = func.call @read(%alloc) : (memref<4xf32>) -> i32
      scf.yield %1 : i32
    } else {
      scf.yield %arg1 : i32
    }
    return %0 : i32
  }
}
