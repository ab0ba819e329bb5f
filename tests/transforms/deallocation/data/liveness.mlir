// passes: -optimize-allocation-liveness
// =====
// behind the last use of what a call with the buffer returns, whatever that is
func.func private @read(memref<4xf32>) -> i32
func.func @printed(%c: i32) {
  %a = memref.alloc() : memref<4xf32>
  %x = call @read(%a) : (memref<4xf32>) -> i32
  vector.print %x : i32
  vector.print %c : i32
  memref.dealloc %a : memref<4xf32>
  return
}
// ==>
module {
  func.func private @read(memref<4xf32>) -> i32
  func.func @printed(%arg0: i32) {
    %alloc = memref.alloc() : memref<4xf32>
    %0 = call @read(%alloc) : (memref<4xf32>) -> i32
    vector.print %0 : i32
    memref.dealloc %alloc : memref<4xf32>
    vector.print %arg0 : i32
    return
  }
}
// =====
// behind the last use of a view, also one inside a region
func.func @view(%c: i1, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.alloc() : memref<4xf32>
  %v = memref.subview %n[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  scf.if %c {
    %x = memref.load %v[%c0] : memref<2xf32, strided<[1], offset: 1>>
    memref.store %x, %o[%c0] : memref<4xf32>
  }
  memref.copy %o, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  return
}
// ==>
module {
  func.func @view(%arg0: i1, %arg1: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<4xf32>
    %subview = memref.subview %alloc[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
    scf.if %arg0 {
      %0 = memref.load %subview[%c0] : memref<2xf32, strided<[1], offset: 1>>
      memref.store %0, %arg1[%c0] : memref<4xf32>
    }
    memref.dealloc %alloc : memref<4xf32>
    memref.copy %arg1, %arg1 : memref<4xf32> to memref<4xf32>
    return
  }
}
// =====
// no other use, or freed elsewhere: as it was
func.func @unused(%c: i1) {
  %n = memref.alloc() : memref<4xf32>
  %c1 = arith.constant 1 : index
  memref.dealloc %n : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %m : memref<4xf32>
  }
  return
}
// ==>
module {
  func.func @unused(%arg0: i1) {
    %alloc = memref.alloc() : memref<4xf32>
    %c1 = arith.constant 1 : index
    memref.dealloc %alloc : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    scf.if %arg0 {
      memref.dealloc %alloc_0 : memref<4xf32>
    }
    return
  }
}
// =====
// one by one
func.func @chain(%o: memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  memref.copy %n, %m : memref<4xf32> to memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
// ==>
module {
  func.func @chain(%arg0: memref<4xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    memref.copy %alloc, %alloc_0 : memref<4xf32> to memref<4xf32>
    memref.dealloc %alloc : memref<4xf32>
    memref.copy %alloc_0, %arg0 : memref<4xf32> to memref<4xf32>
    memref.dealloc %alloc_0 : memref<4xf32>
    return
  }
}
// =====
// a reallocation cannot move behind the uses of its result
func.func @realloc(%o: memref<8xf32>) {
  %n = memref.alloc() : memref<4xf32>
  %m = memref.realloc %n : memref<4xf32> to memref<8xf32>
  memref.copy %m, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return
}
// ==>
error: operand #0 does not dominate this use
