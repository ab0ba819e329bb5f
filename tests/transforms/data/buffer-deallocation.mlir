func.func @diamond(%c: i1, %a: memref<4xf32>, %o: memref<4xf32>) {
  cf.cond_br %c, ^l, ^r
^l:
  cf.br ^j(%a : memref<4xf32>)
^r:
  %n = memref.alloc() : memref<4xf32>
  memref.copy %o, %n : memref<4xf32> to memref<4xf32>
  cf.br ^j(%n : memref<4xf32>)
^j(%x: memref<4xf32>):
  memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  return
}
// =>
module {
  func.func @diamond(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %0 = bufferization.clone %arg1 : memref<4xf32> to memref<4xf32>
    cf.br ^bb3(%0 : memref<4xf32>)
  ^bb2:  // pred: ^bb0
    %alloc = memref.alloc() : memref<4xf32>
    memref.copy %arg2, %alloc : memref<4xf32> to memref<4xf32>
    %1 = bufferization.clone %alloc : memref<4xf32> to memref<4xf32>
    memref.dealloc %alloc : memref<4xf32>
    cf.br ^bb3(%1 : memref<4xf32>)
  ^bb3(%2: memref<4xf32>):  // 2 preds: ^bb1, ^bb2
    memref.copy %2, %arg2 : memref<4xf32> to memref<4xf32>
    memref.dealloc %2 : memref<4xf32>
    return
  }
}
// -----
func.func @loop(%n: index, %a: memref<4xf32>, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    memref.copy %x, %t : memref<4xf32> to memref<4xf32>
    scf.yield %t : memref<4xf32>
  }
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}
// =>
module {
  func.func @loop(%arg0: index, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = bufferization.clone %arg1 : memref<4xf32> to memref<4xf32>
    %1 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %0) -> (memref<4xf32>) {
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg4, %alloc : memref<4xf32> to memref<4xf32>
      memref.dealloc %arg4 : memref<4xf32>
      %2 = bufferization.clone %alloc : memref<4xf32> to memref<4xf32>
      memref.dealloc %alloc : memref<4xf32>
      scf.yield %2 : memref<4xf32>
    }
    memref.copy %1, %arg2 : memref<4xf32> to memref<4xf32>
    memref.dealloc %1 : memref<4xf32>
    return
  }
}
// -----
func.func @views(%c: i1, %o: memref<2xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = memref.subview %b[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %u = memref.alloc() : memref<4xf32>
  memref.copy %s, %o : memref<2xf32, strided<[1]>> to memref<2xf32>
  %d = arith.constant 1 : index
  return %a : memref<4xf32>
}
// =>
module {
  func.func @views(%arg0: i1, %arg1: memref<2xf32>) -> memref<4xf32> {
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc() : memref<4xf32>
    %subview = memref.subview %alloc_0[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    %alloc_1 = memref.alloc() : memref<4xf32>
    memref.dealloc %alloc_1 : memref<4xf32>
    memref.copy %subview, %arg1 : memref<2xf32, strided<[1]>> to memref<2xf32>
    memref.dealloc %alloc_0 : memref<4xf32>
    %c1 = arith.constant 1 : index
    return %alloc : memref<4xf32>
  }
}
