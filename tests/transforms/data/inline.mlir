func.func @f(%a: i32, %n: index, %m: memref<?xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = call @g(%a) : (i32) -> i32
  %1 = call @g(%0) : (i32) -> i32
  %2 = call @multi(%1) : (i32) -> i32
  scf.for %i = %c0 to %n step %c1 {
    func.call @store(%m, %i) : (memref<?xf32>, index) -> ()
    %x = func.call @multi(%a) : (i32) -> i32
    func.call @sink(%x) : (i32) -> ()
  }
  affine.for %i = 0 to 10 {
    func.call @aff(%m, %i) : (memref<?xf32>, index) -> ()
  }
  %3 = call @even(%2) : (i32) -> i32
  %4 = call @self(%3) : (i32) -> i32
  %5 = call @noin(%4) : (i32) -> i32
  %fn = func.constant @g : (i32) -> i32
  %6 = call_indirect %fn(%5) : (i32) -> i32
  return %6 : i32
}
func.func private @sink(i32)
func.func private @g(%a: i32) -> i32 { %c = arith.constant 1 : i32
 %0 = arith.addi %a, %c : i32
 %1 = call @h(%0) : (i32) -> i32
 return %1 : i32 }
func.func private @h(%a: i32) -> i32 {
 %c = arith.muli %a, %a : i32
 return %c : i32 }
func.func private @multi(%a: i32) -> i32 {
 %c7 = arith.constant 7 : i32
 %c = arith.cmpi slt, %a, %c7 : i32
 cf.cond_br %c, ^bb1, ^bb2(%a : i32)
^bb1:
 call @sink(%a) : (i32) -> ()
 return %a : i32
^bb2(%u: i32):
 return %c7 : i32 }
func.func private @store(%m: memref<?xf32>, %i: index) { %c = arith.constant 1.0 : f32
 memref.store %c, %m[%i] : memref<?xf32>
 return }
func.func private @aff(%m: memref<?xf32>, %i: index) { %c = arith.constant 1.0 : f32
 affine.for %j = 0 to 3 { 
   affine.store %c, %m[%j] : memref<?xf32>
 }
 return }
func.func private @even(%a: i32) -> i32 { %0 = call @odd(%a) : (i32) -> i32
 return %0 : i32 }
func.func private @odd(%a: i32) -> i32 { %0 = call @even(%a) : (i32) -> i32
 return %0 : i32 }
func.func private @self(%a: i32) -> i32 { %0 = call @self(%a) : (i32) -> i32
 return %0 : i32 }
func.func private @noin(%a: i32) -> i32 attributes {no_inline} { %0 = call @h(%a) : (i32) -> i32
 return %0 : i32 }
func.func private @unused(%a: i32) -> i32 { %0 = call @h(%a) : (i32) -> i32
 return %0 : i32 }
// =>
module {
  func.func @f(%arg0: i32, %arg1: index, %arg2: memref<?xf32>) -> i32 {
    %cst = arith.constant 1.000000e+00 : f32
    %c7_i32 = arith.constant 7 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.addi %arg0, %c1_i32 : i32
    %1 = arith.muli %0, %0 : i32
    %2 = arith.addi %1, %c1_i32 : i32
    %3 = arith.muli %2, %2 : i32
    %4 = arith.cmpi slt, %3, %c7_i32 : i32
    cf.cond_br %4, ^bb1, ^bb2(%c7_i32 : i32)
  ^bb1:  // pred: ^bb0
    call @sink(%3) : (i32) -> ()
    cf.br ^bb2(%3 : i32)
  ^bb2(%5: i32):  // 2 preds: ^bb0, ^bb1
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      memref.store %cst, %arg2[%arg3] : memref<?xf32>
      %11 = func.call @multi(%arg0) : (i32) -> i32
      func.call @sink(%11) : (i32) -> ()
    }
    affine.for %arg3 = 0 to 10 {
      func.call @aff(%arg2, %arg3) : (memref<?xf32>, index) -> ()
    }
    %6 = call @even(%5) : (i32) -> i32
    %7 = call @self(%6) : (i32) -> i32
    %8 = call @noin(%7) : (i32) -> i32
    %9 = arith.addi %8, %c1_i32 : i32
    %10 = arith.muli %9, %9 : i32
    return %10 : i32
  }
  func.func private @sink(i32)
  func.func private @h(%arg0: i32) -> i32 {
    %0 = arith.muli %arg0, %arg0 : i32
    return %0 : i32
  }
  func.func private @multi(%arg0: i32) -> i32 {
    %c7_i32 = arith.constant 7 : i32
    %0 = arith.cmpi slt, %arg0, %c7_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    call @sink(%arg0) : (i32) -> ()
    return %arg0 : i32
  ^bb2:  // pred: ^bb0
    return %c7_i32 : i32
  }
  func.func private @aff(%arg0: memref<?xf32>, %arg1: index) {
    %cst = arith.constant 1.000000e+00 : f32
    affine.for %arg2 = 0 to 3 {
      affine.store %cst, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
  func.func private @even(%arg0: i32) -> i32 {
    %0 = call @odd(%arg0) : (i32) -> i32
    return %0 : i32
  }
  func.func private @odd(%arg0: i32) -> i32 {
    %0 = call @even(%arg0) : (i32) -> i32
    return %0 : i32
  }
  func.func private @self(%arg0: i32) -> i32 {
    %0 = call @self(%arg0) : (i32) -> i32
    return %0 : i32
  }
  func.func private @noin(%arg0: i32) -> i32 attributes {no_inline} {
    %0 = arith.muli %arg0, %arg0 : i32
    return %0 : i32
  }
}
// -----
/// Operations of the LLVM and GPU dialects may be inlined anywhere.
func.func private @g(%x: i32) -> i32 {
  %0 = llvm.add %x, %x : i32
  gpu.barrier
  return %0 : i32
}
func.func @main(%x: i32) -> i32 {
  %0 = func.call @g(%x) : (i32) -> i32
  return %0 : i32
}
// =>
module {
  func.func @main(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    gpu.barrier
    return %0 : i32
  }
}

