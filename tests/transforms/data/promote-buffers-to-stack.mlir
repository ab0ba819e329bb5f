func.func @sizes(%m: memref<*xf32>, %o: memref<256xf32>) {
  %r = memref.rank %m : memref<*xf32>
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
  %b = memref.alloc() : memref<257xf32>
  %c = memref.alloc() : memref<8192xi1>
  %d = memref.alloc(%r) : memref<?xf32>
  %e = memref.alloc(%c8) : memref<?xf32>
  %f = memref.alloc() : memref<64xvector<4xf32>>
  %g = memref.alloc() : memref<129xindex>
  memref.copy %a, %o : memref<256xf32> to memref<256xf32>
  return
}
// =>
module {
  func.func @sizes(%arg0: memref<*xf32>, %arg1: memref<256xf32>) {
    %0 = memref.rank %arg0 : memref<*xf32>
    %c8 = arith.constant 8 : index
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
    %alloc = memref.alloc() : memref<257xf32>
    %alloca_0 = memref.alloca() : memref<8192xi1>
    %alloca_1 = memref.alloca(%0) : memref<?xf32>
    %alloc_2 = memref.alloc(%c8) : memref<?xf32>
    %alloca_3 = memref.alloca() : memref<64xvector<4xf32>>
    %alloc_4 = memref.alloc() : memref<129xindex>
    memref.copy %alloca, %arg1 : memref<256xf32> to memref<256xf32>
    return
  }
}
// -----
/// What leaves its scope, or is freed, stays on the heap.
func.func @scopes(%c: i1, %n: index, %o: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %returned = memref.alloc() : memref<4xf32>
  %freed = memref.alloc() : memref<4xf32>
  memref.dealloc %freed : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = scf.if %c -> (memref<4xf32>) {
      %t = memref.alloc() : memref<4xf32>
      scf.yield %t : memref<4xf32>
    } else {
      scf.yield %o : memref<4xf32>
    }
    memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  }
  return %returned : memref<4xf32>
}
// =>
module {
  func.func @scopes(%arg0: i1, %arg1: index, %arg2: memref<4xf32>) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    memref.dealloc %alloc_0 : memref<4xf32>
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      %0 = scf.if %arg0 -> (memref<4xf32>) {
        %alloca = memref.alloca() : memref<4xf32>
        scf.yield %alloca : memref<4xf32>
      } else {
        scf.yield %arg2 : memref<4xf32>
      }
      memref.copy %0, %arg2 : memref<4xf32> to memref<4xf32>
    }
    return %alloc : memref<4xf32>
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
    %alloca = memref.alloca() : memref<4xf32>
    %0 = call @read(%alloca) : (memref<4xf32>) -> i32
    %1 = arith.addi %0, %0 : i32
    return %1 : i32
  }
  func.func @yielded(%arg0: i1, %arg1: i32) -> i32 {
    %0 = scf.if %arg0 -> (i32) {
      %alloc = memref.alloc() : memref<4xf32>
      %1 = func.call @read(%alloc) : (memref<4xf32>) -> i32
      scf.yield %1 : i32
    } else {
      scf.yield %arg1 : i32
    }
    return %0 : i32
  }
}
