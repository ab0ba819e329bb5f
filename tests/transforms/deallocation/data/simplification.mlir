// passes: -buffer-deallocation-simplification
// =====
// retained itself: whoever retains it owns it if the condition holds
func.func @itself(%m: memref<4xf32>, %c: i1) -> i1 {
  %0 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)
  return %0 : i1
}
// ==>
module {
  func.func @itself(%arg0: memref<4xf32>, %arg1: i1) -> i1 {
    return %arg1 : i1
  }
}
// =====
// retained by way of a view
func.func @view(%x: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1, memref<2xf32, strided<[1], offset: 1>>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %0:2 = bufferization.dealloc (%a, %x : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%v, %a : memref<2xf32, strided<[1], offset: 1>>, memref<4xf32>)
  return %0#0, %0#1, %v : i1, i1, memref<2xf32, strided<[1], offset: 1>>
}
// ==>
module {
  func.func @view(%arg0: memref<4xf32>, %arg1: i1, %arg2: i1) -> (i1, i1, memref<2xf32, strided<[1], offset: 1>>) {
    %alloc = memref.alloc() : memref<4xf32>
    %subview = memref.subview %alloc[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
    bufferization.dealloc (%arg0 : memref<4xf32>) if (%arg2)
    return %arg1, %arg1, %subview : i1, i1, memref<2xf32, strided<[1], offset: 1>>
  }
}
// =====
// two allocations are not the same
func.func @distinct(%c: i1) -> (i1, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %0 = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%b : memref<4xf32>)
  return %0, %a, %b : i1, memref<4xf32>, memref<4xf32>
}
// ==>
module {
  func.func @distinct(%arg0: i1) -> (i1, memref<4xf32>, memref<4xf32>) {
    %false = arith.constant false
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    bufferization.dealloc (%alloc : memref<4xf32>) if (%arg0)
    return %false, %alloc, %alloc_0 : i1, memref<4xf32>, memref<4xf32>
  }
}
// =====
// an allocation is none of the arguments, which may be the same
func.func @split(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %0:2 = bufferization.dealloc (%a, %x, %y : memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%c, %d, %c) retain (%x, %y : memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1, %a : i1, i1, memref<4xf32>
}
// ==>
module {
  func.func @split(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: i1, %arg3: i1) -> (i1, i1, memref<4xf32>) {
    %alloc = memref.alloc() : memref<4xf32>
    bufferization.dealloc (%alloc : memref<4xf32>) if (%arg2)
    %0:2 = bufferization.dealloc (%arg0, %arg1 : memref<4xf32>, memref<4xf32>) if (%arg3, %arg2) retain (%arg0, %arg1 : memref<4xf32>, memref<4xf32>)
    return %0#0, %0#1, %alloc : i1, i1, memref<4xf32>
  }
}
// =====
// freed in any case, and retained
func.func @always(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) -> (i1, i1) {
  %true = arith.constant true
  %0:2 = bufferization.dealloc (%x, %y, %z : memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%true, %true, %true) retain (%x, %y : memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1 : i1, i1
}
// ==>
module {
  func.func @always(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> (i1, i1) {
    %true = arith.constant true
    %0:2 = bufferization.dealloc (%arg2 : memref<4xf32>) if (%true) retain (%arg0, %arg1 : memref<4xf32>, memref<4xf32>)
    return %true, %true : i1, i1
  }
}
// =====
// an allocation in a loop is not what the loop was given
func.func @loop(%lb: index, %ub: index, %st: index, %a: memref<4xf32>, %own: i1) -> (memref<4xf32>, i1) {
  %r:2 = scf.for %i = %lb to %ub step %st iter_args(%x = %a, %o = %own) -> (memref<4xf32>, i1) {
    %true = arith.constant true
    %n = memref.alloc() : memref<4xf32>
    %0 = bufferization.dealloc (%x, %n : memref<4xf32>, memref<4xf32>) if (%o, %true) retain (%n : memref<4xf32>)
    scf.yield %n, %0 : memref<4xf32>, i1
  }
  return %r#0, %r#1 : memref<4xf32>, i1
}
// ==>
module {
  func.func @loop(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4xf32>, %arg4: i1) -> (memref<4xf32>, i1) {
    %true = arith.constant true
    %0:2 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %arg3, %arg7 = %arg4) -> (memref<4xf32>, i1) {
      %alloc = memref.alloc() : memref<4xf32>
      bufferization.dealloc (%arg6 : memref<4xf32>) if (%arg7)
      scf.yield %alloc, %true : memref<4xf32>, i1
    }
    return %0#0, %0#1 : memref<4xf32>, i1
  }
}
// =====
// results of calls may be anything
func.func private @f() -> memref<4xf32>
func.func @calls(%c: i1) -> (i1, memref<4xf32>) {
  %a = call @f() : () -> memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %0 = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%b : memref<4xf32>)
  return %0, %b : i1, memref<4xf32>
}
// ==>
module {
  func.func private @f() -> memref<4xf32>
  func.func @calls(%arg0: i1) -> (i1, memref<4xf32>) {
    %0 = call @f() : () -> memref<4xf32>
    %alloc = memref.alloc() : memref<4xf32>
    %1 = bufferization.dealloc (%0 : memref<4xf32>) if (%arg0) retain (%alloc : memref<4xf32>)
    return %1, %alloc : i1, memref<4xf32>
  }
}
// =====
// the canonical form: nothing twice, nothing never freed, allocations themselves, no allocation only to be freed
func.func @canonical(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1) {
  %false = arith.constant false
  %n = memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<4xf32> -> memref<f32>, index, index, index
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%n, %base, %x : memref<4xf32>, memref<f32>, memref<4xf32>) if (%c, %d, %false)
  bufferization.dealloc
  %0:2 = bufferization.dealloc (%x, %x, %y : memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%c, %d, %c) retain (%y, %y : memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1 : i1, i1
}
// ==>
module {
  func.func @canonical(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: i1, %arg3: i1) -> (i1, i1) {
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
    bufferization.dealloc (%alloc : memref<4xf32>) if (%arg3)
    %0 = arith.ori %arg2, %arg3 : i1
    %1 = bufferization.dealloc (%arg0 : memref<4xf32>) if (%0) retain (%arg1 : memref<4xf32>)
    %2 = arith.ori %1, %arg2 : i1
    return %2, %2 : i1, i1
  }
}
