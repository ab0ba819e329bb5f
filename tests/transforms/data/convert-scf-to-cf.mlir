func.func @f(%n: index, %b: i1, %x: i32, %m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %s = scf.if %b -> i32 { scf.yield %x : i32 } else { scf.yield %a : i32 }
    scf.if %b { memref.store %s, %m[%i] : memref<?xi32> }
    scf.yield %s : i32
  }
  %w = scf.while (%a = %r) : (i32) -> i32 { scf.condition(%b) %a : i32 } do {
    ^bb0(%a: i32): %k = arith.addi %a, %x : i32
    scf.yield %k : i32
  }
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init(%w) -> i32 {
    scf.reduce(%x : i32) { ^bb0(%l: i32, %q: i32): %o = arith.addi %l, %q : i32  scf.reduce.return %o : i32 }
  }
  %e = scf.execute_region -> i32 { cf.cond_br %b, ^a, ^b ^a: scf.yield %x : i32 ^b: scf.yield %sum : i32 }
  %t = scf.index_switch %n -> i32 case 2 { scf.yield %x : i32 } default { scf.yield %e : i32 }
  scf.forall (%i) in (%n) { memref.store %t, %m[%i] : memref<?xi32> }
  return %t : i32
}
// =>
module {
  func.func @f(%arg0: index, %arg1: i1, %arg2: i32, %arg3: memref<?xi32>) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^bb1(%c0, %arg2 : index, i32)
  ^bb1(%0: index, %1: i32):  // 2 preds: ^bb0, ^bb8
    %2 = arith.cmpi slt, %0, %arg0 : index
    cf.cond_br %2, ^bb2, ^bb9
  ^bb2:  // pred: ^bb1
    cf.cond_br %arg1, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    cf.br ^bb5(%arg2 : i32)
  ^bb4:  // pred: ^bb2
    cf.br ^bb5(%1 : i32)
  ^bb5(%3: i32):  // 2 preds: ^bb3, ^bb4
    cf.br ^bb6
  ^bb6:  // pred: ^bb5
    cf.cond_br %arg1, ^bb7, ^bb8
  ^bb7:  // pred: ^bb6
    memref.store %3, %arg3[%0] : memref<?xi32>
    cf.br ^bb8
  ^bb8:  // 2 preds: ^bb6, ^bb7
    %4 = arith.addi %0, %c1 : index
    cf.br ^bb1(%4, %3 : index, i32)
  ^bb9:  // pred: ^bb1
    cf.br ^bb10(%1 : i32)
  ^bb10(%5: i32):  // 2 preds: ^bb9, ^bb11
    cf.cond_br %arg1, ^bb11(%5 : i32), ^bb12
  ^bb11(%6: i32):  // pred: ^bb10
    %7 = arith.addi %6, %arg2 : i32
    cf.br ^bb10(%7 : i32)
  ^bb12:  // pred: ^bb10
    cf.br ^bb13(%c0, %5 : index, i32)
  ^bb13(%8: index, %9: i32):  // 2 preds: ^bb12, ^bb17
    %10 = arith.cmpi slt, %8, %arg0 : index
    cf.cond_br %10, ^bb14, ^bb18
  ^bb14:  // pred: ^bb13
    cf.br ^bb15(%c0, %9 : index, i32)
  ^bb15(%11: index, %12: i32):  // 2 preds: ^bb14, ^bb16
    %13 = arith.cmpi slt, %11, %arg0 : index
    cf.cond_br %13, ^bb16, ^bb17
  ^bb16:  // pred: ^bb15
    %14 = arith.addi %12, %arg2 : i32
    %15 = arith.addi %11, %c1 : index
    cf.br ^bb15(%15, %14 : index, i32)
  ^bb17:  // pred: ^bb15
    %16 = arith.addi %8, %c1 : index
    cf.br ^bb13(%16, %12 : index, i32)
  ^bb18:  // pred: ^bb13
    cf.br ^bb19
  ^bb19:  // pred: ^bb18
    cf.cond_br %arg1, ^bb20, ^bb21
  ^bb20:  // pred: ^bb19
    cf.br ^bb22(%arg2 : i32)
  ^bb21:  // pred: ^bb19
    cf.br ^bb22(%9 : i32)
  ^bb22(%17: i32):  // 2 preds: ^bb20, ^bb21
    %18 = arith.index_cast %arg0 : index to i32
    cf.switch %18 : i32, [
      default: ^bb24,
      2: ^bb23
    ]
  ^bb23:  // pred: ^bb22
    cf.br ^bb25(%arg2 : i32)
  ^bb24:  // pred: ^bb22
    cf.br ^bb25(%17 : i32)
  ^bb25(%19: i32):  // 2 preds: ^bb23, ^bb24
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    cf.br ^bb26(%c0_0 : index)
  ^bb26(%20: index):  // 2 preds: ^bb25, ^bb27
    %21 = arith.cmpi slt, %20, %arg0 : index
    cf.cond_br %21, ^bb27, ^bb28
  ^bb27:  // pred: ^bb26
    memref.store %19, %arg3[%20] : memref<?xi32>
    %22 = arith.addi %20, %c1_1 : index
    cf.br ^bb26(%22 : index)
  ^bb28:  // pred: ^bb26
    return %19 : i32
  }
}
// -----
func.func @f() {
  %0 = "arith.constant"() {"value" = 0 : index} : () -> index
  %1 = "arith.constant"() {"value" = 1000 : index} : () -> index
  %2 = "arith.constant"() {"value" = 3 : index} : () -> index
  %3 = "arith.constant"() {"value" = 0 : index} : () -> index
  %4 = "arith.constant"() {"value" = 1000 : index} : () -> index
  "scf.parallel"(%0, %3, %1, %4, %2) ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) {operandSegmentSizes = array<i32: 2, 2, 1, 0>} : (index, index, index, index, index) -> ()
return }
// =>
module {
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1000 = arith.constant 1000 : index
    %c3 = arith.constant 3 : index
    %c0_0 = arith.constant 0 : index
    %c1000_1 = arith.constant 1000 : index
    cf.br ^bb1(%c0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
    %1 = arith.cmpi slt, %0, %c1000 : index
    cf.cond_br %1, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %2 = arith.addi %0, %c3 : index
    cf.br ^bb1(%2 : index)
  ^bb3:  // pred: ^bb1
    return
  }
}
// -----
func.func @b() {
  scf.forall () in () { "test.x"() : () -> () }
  return
}
// =>
module {
  func.func @b() {
    "test.x"() : () -> ()
    return
  }
}
