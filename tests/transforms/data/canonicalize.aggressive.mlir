/// Equal returns.
func.func @returns(%c: i1) -> i32 {
  %0:2 = "test.two"() : () -> (i32, i32)
  "test.switch"()[^a, ^b] : () -> ()
^a:
  return %0#0 : i32
^b:
  return %0#0 : i32
}
// =>
module {
  func.func @returns(%arg0: i1) -> i32 {
    %0:2 = "test.two"() : () -> (i32, i32)
    "test.switch"()[^bb1, ^bb1] : () -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb0
    return %0#0 : i32
  }
}
// -----
/// Different values become arguments.
func.func @stores(%c: i1, %d: i1, %x: i32, %y: i32, %m: memref<i32>) {
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %m[] : memref<i32>
  cf.cond_br %d, ^a, ^e
^b:
  memref.store %y, %m[] : memref<i32>
  cf.cond_br %d, ^a, ^e
^e:
  return
}
// =>
module {
  func.func @stores(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32, %arg4: memref<i32>) {
    cf.cond_br %arg0, ^bb1(%arg2 : i32), ^bb1(%arg3 : i32)
  ^bb1(%0: i32):  // 3 preds: ^bb0, ^bb0, ^bb1
    memref.store %0, %arg4[] : memref<i32>
    cf.cond_br %arg1, ^bb1(%arg2 : i32), ^bb2
  ^bb2:  // pred: ^bb1
    return
  }
}
// -----
/// No branch passes what it makes.
func.func @producing() -> i32 {
  %0 = "test.producing_br"()[^a, ^b] {operandSegmentSizes = array<i32: 0, 0>} : () -> i32
^a:
  "test.br"(%0)[^e] : (i32) -> ()
^b:
  %1 = "test.make"() : () -> i32
  "test.br"()[^d] : () -> ()
^d:
  "test.br"(%1)[^e] : (i32) -> ()
^e(%2: i32):
  return %2 : i32
}
// =>
module {
  func.func @producing() -> i32 {
    %0 = "test.producing_br"()[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 0, 0>}> : () -> i32
  ^bb1:  // pred: ^bb0
    "test.br"(%0)[^bb4] : (i32) -> ()
  ^bb2:  // pred: ^bb0
    %1 = "test.make"() : () -> i32
    "test.br"()[^bb3] : () -> ()
  ^bb3:  // pred: ^bb2
    "test.br"(%1)[^bb4] : (i32) -> ()
  ^bb4(%2: i32):  // 2 preds: ^bb1, ^bb3
    return %2 : i32
  }
}
// -----
/// Values used elsewhere.
func.func @elsewhere(%c: i1, %x: i32) -> i32 {
  %k = arith.constant 1 : i32
  cf.br ^h(%x : i32)
^h(%j: i32):
  %p = "test.cond"() : () -> i1
  cf.cond_br %p, ^a, ^b
^a:
  %v = "test.op"(%j) : (i32) -> i32
  cf.br ^h(%v : i32)
^b:
  %w = "test.op"(%x) : (i32) -> i32
  cf.br ^h(%w : i32)
}
// =>
module {
  func.func @elsewhere(%arg0: i1, %arg1: i32) -> i32 {
    cf.br ^bb1(%arg1 : i32)
  ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb1
    %1 = "test.cond"() : () -> i1
    %2 = arith.select %1, %0, %arg1 : i32
    %3 = "test.op"(%2) : (i32) -> i32
    cf.br ^bb1(%3 : i32)
  }
}
// -----
/// Cases of a switch.
func.func @cases(%f: i32, %x: i32, %y: i32, %m: memref<i32>) {
  cf.switch %f : i32, [
    default: ^a,
    1: ^b,
    2: ^d(%y : i32)
  ]
^a:
  memref.store %x, %m[] : memref<i32>
  "test.stop"() : () -> ()
^b:
  memref.store %y, %m[] : memref<i32>
  "test.stop"() : () -> ()
^d(%z: i32):
  memref.store %z, %m[] : memref<i32>
  return
}
// =>
module {
  func.func @cases(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<i32>) {
    cf.switch %arg0 : i32, [
      default: ^bb1(%arg1 : i32),
      1: ^bb1(%arg2 : i32),
      2: ^bb2
    ]
  ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb0
    memref.store %0, %arg3[] : memref<i32>
    "test.stop"() : () -> ()
  ^bb2:  // pred: ^bb0
    memref.store %arg2, %arg3[] : memref<i32>
    return
  }
}
