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
// -----
llvm.func private @once(%a: i32) -> i32 {
  %0 = llvm.add %a, %a : i32
  llvm.return %0 : i32
}
llvm.func @user(%x: i32) -> i32 {
  %0 = llvm.call @once(%x) : (i32) -> i32
  llvm.return %0 : i32
}
// =>
module {
  llvm.func private @once(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
  llvm.func @user(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
}
// -----
llvm.func internal @once(%a: i32) -> i32 {
  %0 = llvm.add %a, %a : i32
  llvm.return %0 : i32
}
llvm.func @user(%x: i32) -> i32 {
  %0 = llvm.call @once(%x) : (i32) -> i32
  llvm.return %0 : i32
}
// =>
module {
  llvm.func internal @once(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
  llvm.func @user(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
}
// -----
llvm.func @once(%a: i32) -> i32 attributes {sym_visibility = "private"} {
  %0 = llvm.add %a, %a : i32
  llvm.return %0 : i32
}
llvm.func @user(%x: i32) -> i32 {
  %0 = llvm.call @once(%x) : (i32) -> i32
  llvm.return %0 : i32
}
// =>
module {
  llvm.func @user(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
}
// -----
llvm.func @never() {
  llvm.unreachable
}
llvm.func @user(%x: i32) -> i32 {
  llvm.call @never() : () -> ()
  llvm.return %x : i32
}
// =>
module {
  llvm.func @never() {
    llvm.unreachable
  }
  llvm.func @user(%arg0: i32) -> i32 {
    llvm.unreachable
  }
}
// -----
llvm.func @bl(%c: i1, %a: i32) -> i32 {
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.return %a : i32
^bb2:
  %k = llvm.mlir.constant(1 : i32) : i32
  llvm.return %k : i32
}
llvm.func @user(%x: i32, %c: i1) -> i32 {
  %0 = llvm.call @bl(%c, %x) : (i1, i32) -> i32
  %1 = llvm.add %0, %0 : i32
  llvm.return %1 : i32
}
func.func @f(%x: i32, %c: i1) -> i32 {
  %0 = llvm.call @bl(%c, %x) : (i1, i32) -> i32
  return %0 : i32
}
func.func @g(%x: i32, %c: i1) -> i32 {
  %0 = scf.if %c -> i32 {
  %0 = llvm.call @bl(%c, %x) : (i1, i32) -> i32
  scf.yield %0 : i32
  } else { scf.yield %x : i32 }
  return %0 : i32
}
// =>
module {
  llvm.func @bl(%arg0: i1, %arg1: i32) -> i32 {
    %0 = llvm.mlir.constant(1 : i32) : i32
    llvm.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.return %arg1 : i32
  ^bb2:  // pred: ^bb0
    llvm.return %0 : i32
  }
  llvm.func @user(%arg0: i32, %arg1: i1) -> i32 {
    %0 = llvm.mlir.constant(1 : i32) : i32
    llvm.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.br ^bb3(%arg0 : i32)
  ^bb2:  // pred: ^bb0
    llvm.br ^bb3(%0 : i32)
  ^bb3(%1: i32):  // 2 preds: ^bb1, ^bb2
    %2 = llvm.add %1, %1 : i32
    llvm.return %2 : i32
  }
  func.func @f(%arg0: i32, %arg1: i1) -> i32 {
    %0 = llvm.mlir.constant(1 : i32) : i32
    llvm.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.br ^bb3(%arg0 : i32)
  ^bb2:  // pred: ^bb0
    llvm.br ^bb3(%0 : i32)
  ^bb3(%1: i32):  // 2 preds: ^bb1, ^bb2
    return %1 : i32
  }
  func.func @g(%arg0: i32, %arg1: i1) -> i32 {
    %true = arith.constant true
    %0 = scf.if %arg1 -> (i32) {
      %1 = llvm.call @bl(%true, %arg0) : (i1, i32) -> i32
      scf.yield %1 : i32
    } else {
      scf.yield %arg0 : i32
    }
    return %0 : i32
  }
}
// -----
llvm.func @ni(%a: i32) -> i32 attributes {no_inline} {
  llvm.return %a : i32
}
llvm.func @ai(%a: i32) -> i32 attributes {always_inline} {
  llvm.return %a : i32
}
llvm.func @pt(%a: i32) -> i32 attributes {passthrough = ["noduplicate"]} {
  llvm.return %a : i32
}
llvm.func @pt2(%a: i32) -> i32 attributes {passthrough = [["strictfp", "x"], "abc"]} {
  llvm.return %a : i32
}
llvm.func @pt3(%a: i32) -> i32 attributes {passthrough = ["returns_twice"]} {
  llvm.return %a : i32
}
llvm.func @pers(%a: i32) -> i32 attributes {personality = @ni} {
  llvm.return %a : i32
}
llvm.func @va(%a: i32, ...) -> i32 {
  llvm.return %a : i32
}
llvm.func @inalloca(%a : !llvm.ptr {llvm.inalloca = i64}) -> i32 {
  %0 = llvm.load %a : !llvm.ptr -> i32
  llvm.return %0 : i32
}
llvm.func @rt(%a: i32) -> i32 attributes {returns_twice} {
  llvm.return %a : i32
}
llvm.func @nd(%a: i32) -> i32 attributes {noduplicate} {
  llvm.return %a : i32
}
llvm.func @linkonce_ext(%a: i32) -> i32 
llvm.func weak @weak(%a: i32) -> i32 {
  llvm.return %a : i32
}
llvm.func linkonce @lo(%a: i32) -> i32 {
  llvm.return %a : i32
}
llvm.func available_externally @ae(%a: i32) -> i32 {
  llvm.return %a : i32
}
llvm.func @user(%x: i32, %p: !llvm.ptr) {
  llvm.call @ni(%x) : (i32) -> i32
  llvm.call @ai(%x) : (i32) -> i32
  llvm.call @pt(%x) : (i32) -> i32
  llvm.call @pt2(%x) : (i32) -> i32
  llvm.call @pt3(%x) : (i32) -> i32
  llvm.call @pers(%x) : (i32) -> i32
  llvm.call @va(%x) vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> i32
  llvm.call @inalloca(%p) : (!llvm.ptr) -> i32
  llvm.call @rt(%x) : (i32) -> i32
  llvm.call @nd(%x) : (i32) -> i32
  llvm.call @linkonce_ext(%x) : (i32) -> i32
  llvm.call @weak(%x) : (i32) -> i32
  llvm.call @lo(%x) : (i32) -> i32
  llvm.call @ae(%x) : (i32) -> i32
  llvm.call @ai(%x) {no_inline} : (i32) -> i32
  llvm.call tail @lo(%x) : (i32) -> i32
  llvm.call musttail @lo(%x) : (i32) -> i32
  llvm.call fastcc @ae(%x) : (i32) -> i32
  llvm.return
}
// =>
module {
  llvm.func @ni(%arg0: i32) -> i32 attributes {no_inline} {
    llvm.return %arg0 : i32
  }
  llvm.func @ai(%arg0: i32) -> i32 attributes {always_inline} {
    llvm.return %arg0 : i32
  }
  llvm.func @pt(%arg0: i32) -> i32 attributes {passthrough = ["noduplicate"]} {
    llvm.return %arg0 : i32
  }
  llvm.func @pt2(%arg0: i32) -> i32 attributes {passthrough = [["strictfp", "x"], "abc"]} {
    llvm.return %arg0 : i32
  }
  llvm.func @pt3(%arg0: i32) -> i32 attributes {passthrough = ["returns_twice"]} {
    llvm.return %arg0 : i32
  }
  llvm.func @pers(%arg0: i32) -> i32 attributes {personality = @ni} {
    llvm.return %arg0 : i32
  }
  llvm.func @va(%arg0: i32, ...) -> i32 {
    llvm.return %arg0 : i32
  }
  llvm.func @inalloca(%arg0: !llvm.ptr {llvm.inalloca = i64}) -> i32 {
    %0 = llvm.load %arg0 : !llvm.ptr -> i32
    llvm.return %0 : i32
  }
  llvm.func @rt(%arg0: i32) -> i32 attributes {returns_twice} {
    llvm.return %arg0 : i32
  }
  llvm.func @nd(%arg0: i32) -> i32 attributes {noduplicate} {
    llvm.return %arg0 : i32
  }
  llvm.func @linkonce_ext(i32) -> i32
  llvm.func weak @weak(%arg0: i32) -> i32 {
    llvm.return %arg0 : i32
  }
  llvm.func linkonce @lo(%arg0: i32) -> i32 {
    llvm.return %arg0 : i32
  }
  llvm.func available_externally @ae(%arg0: i32) -> i32 {
    llvm.return %arg0 : i32
  }
  llvm.func @user(%arg0: i32, %arg1: !llvm.ptr) {
    %0 = llvm.call @ni(%arg0) : (i32) -> i32
    %1 = llvm.call @pt(%arg0) : (i32) -> i32
    %2 = llvm.call @pt3(%arg0) : (i32) -> i32
    %3 = llvm.call @pers(%arg0) : (i32) -> i32
    %4 = llvm.call @va(%arg0) vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> i32
    %5 = llvm.call @inalloca(%arg1) : (!llvm.ptr) -> i32
    %6 = llvm.call @linkonce_ext(%arg0) : (i32) -> i32
    %7 = llvm.call @ai(%arg0) {no_inline} : (i32) -> i32
    llvm.return
  }
}
// -----
func.func private @fu(%x: i32) -> i32 {
  %0 = llvm.add %x, %x : i32
  return %0 : i32
}
llvm.func @user(%x: i32) -> i32 {
  %0 = func.call @fu(%x) : (i32) -> i32
  llvm.return %0 : i32
}
// =>
module {
  llvm.func @user(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
}
// -----
llvm.func @ar(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  llvm.return %0 : i32
}
llvm.func @user(%x: i32) -> i32 {
  %0 = llvm.call @ar(%x) : (i32) -> i32
  llvm.return %0 : i32
}
func.func @f(%m: memref<?xi32>, %x: i32) {
  affine.for %i = 0 to 10 {
    %0 = llvm.call @ar(%x) : (i32) -> i32
    affine.store %0, %m[%i] : memref<?xi32>
  }
  return
}
// =>
module {
  llvm.func @ar(%arg0: i32) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
  llvm.func @user(%arg0: i32) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    llvm.return %0 : i32
  }
  func.func @f(%arg0: memref<?xi32>, %arg1: i32) {
    affine.for %arg2 = 0 to 10 {
      %0 = arith.addi %arg1, %arg1 : i32
      affine.store %0, %arg0[%arg2] : memref<?xi32>
    }
    return
  }
}
// -----
llvm.func @cf(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.return %x : i32
^bb2:
  llvm.unreachable
}
llvm.func @user(%x: i32, %c: i1) -> i32 {
  %0 = llvm.call @cf(%x, %c) : (i32, i1) -> i32
  llvm.return %0 : i32
}
// =>
module {
  llvm.func @cf(%arg0: i32, %arg1: i1) -> i32 {
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.return %arg0 : i32
  ^bb2:  // pred: ^bb0
    llvm.unreachable
  }
  llvm.func @user(%arg0: i32, %arg1: i1) -> i32 {
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.br ^bb3(%arg0 : i32)
  ^bb2:  // pred: ^bb0
    llvm.unreachable
  ^bb3(%0: i32):  // pred: ^bb1
    llvm.return %0 : i32
  }
}
// -----
llvm.func @pair(%x: i32) {
  %0 = llvm.add %x, %x : i32
  llvm.call @ext(%0) : (i32) -> ()
  llvm.return
}
llvm.func @ext(i32)
llvm.func @user(%x: i32, %p: !llvm.ptr) -> i32 {
  llvm.call %p(%x) : !llvm.ptr, (i32) -> ()
  llvm.call @pair(%x) : (i32) -> ()
  llvm.return %x : i32
}
// =>
module {
  llvm.func @pair(%arg0: i32) {
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.call @ext(%0) : (i32) -> ()
    llvm.return
  }
  llvm.func @ext(i32)
  llvm.func @user(%arg0: i32, %arg1: !llvm.ptr) -> i32 {
    llvm.call %arg1(%arg0) : !llvm.ptr, (i32) -> ()
    %0 = llvm.add %arg0, %arg0 : i32
    llvm.call @ext(%0) : (i32) -> ()
    llvm.return %arg0 : i32
  }
}
// -----
llvm.func @use(!llvm.ptr)
llvm.func @st(%a: i32) -> i32 {
  %c = llvm.mlir.constant(4 : i32) : i32
  %z = llvm.mlir.constant(0 : i32) : i32
  %0 = llvm.alloca %c x f32 : (i32) -> !llvm.ptr
  %1 = llvm.alloca %z x f32 : (i32) -> !llvm.ptr
  llvm.call @use(%0) : (!llvm.ptr) -> ()
  llvm.call @use(%1) : (!llvm.ptr) -> ()
  llvm.return %a : i32
}
llvm.func @dyn(%a: i32) -> i32 {
  %c = llvm.mlir.constant(4 : i32) : i32
  %0 = llvm.alloca %c x f32 : (i32) -> !llvm.ptr
  llvm.call @use(%0) : (!llvm.ptr) -> ()
  %1 = llvm.alloca %a x f32 : (i32) -> !llvm.ptr
  llvm.call @use(%1) : (!llvm.ptr) -> ()
  llvm.return %a : i32
}
llvm.func @later(%a: i32, %b: i1) {
  %c = llvm.mlir.constant(4 : i32) : i32
  llvm.cond_br %b, ^bb1, ^bb2
^bb1:
  %1 = llvm.alloca %a x f32 : (i32) -> !llvm.ptr
  llvm.call @use(%1) : (!llvm.ptr) -> ()
  llvm.return
^bb2:
  %2 = llvm.alloca %c x f32 : (i32) -> !llvm.ptr
  llvm.call @use(%2) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @marked() {
  %c = llvm.mlir.constant(4 : i32) : i32
  %2 = llvm.alloca %c x f32 : (i32) -> !llvm.ptr
  %3 = llvm.bitcast %2 : !llvm.ptr to !llvm.ptr
  llvm.intr.lifetime.start %2 : !llvm.ptr
  llvm.call @use(%3) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @user(%x: i32, %b: i1) -> i32 {
  llvm.cond_br %b, ^bb1, ^bb2
^bb1:
  %0 = llvm.call @st(%x) : (i32) -> i32
  %1 = llvm.call @dyn(%0) : (i32) -> i32
  llvm.return %1 : i32
^bb2:
  llvm.call @later(%x, %b) : (i32, i1) -> ()
  llvm.call @marked() : () -> ()
  llvm.return %x : i32
}
llvm.func @straight(%x: i32, %b: i1) -> i32 {
  %0 = llvm.call @st(%x) : (i32) -> i32
  %1 = llvm.call @dyn(%0) : (i32) -> i32
  llvm.call @later(%x, %b) : (i32, i1) -> ()
  llvm.call @marked() : () -> ()
  llvm.return %1 : i32
}
func.func @mixed(%x: i32, %b: i1) -> i32 {
  %0 = scf.if %b -> i32 {
    %0 = llvm.call @st(%x) : (i32) -> i32
    %1 = llvm.call @dyn(%0) : (i32) -> i32
    scf.yield %1 : i32
  } else { scf.yield %x : i32 }
  return %0 : i32
}
// =>
module {
  llvm.func @use(!llvm.ptr)
  llvm.func @st(%arg0: i32) -> i32 {
    %0 = llvm.mlir.constant(4 : i32) : i32
    %1 = llvm.mlir.constant(0 : i32) : i32
    %2 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    %3 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%2) : (!llvm.ptr) -> ()
    llvm.call @use(%3) : (!llvm.ptr) -> ()
    llvm.return %arg0 : i32
  }
  llvm.func @dyn(%arg0: i32) -> i32 {
    %0 = llvm.mlir.constant(4 : i32) : i32
    %1 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%1) : (!llvm.ptr) -> ()
    %2 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%2) : (!llvm.ptr) -> ()
    llvm.return %arg0 : i32
  }
  llvm.func @later(%arg0: i32, %arg1: i1) {
    %0 = llvm.mlir.constant(4 : i32) : i32
    llvm.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %1 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%1) : (!llvm.ptr) -> ()
    llvm.return
  ^bb2:  // pred: ^bb0
    %2 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%2) : (!llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @marked() {
    %0 = llvm.mlir.constant(4 : i32) : i32
    %1 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    llvm.intr.lifetime.start %1 : !llvm.ptr
    llvm.call @use(%1) : (!llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @user(%arg0: i32, %arg1: i1) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.mlir.constant(4 : i32) : i32
    %2 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %3 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %4 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    %5 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    llvm.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.intr.lifetime.start %3 : !llvm.ptr
    llvm.call @use(%3) : (!llvm.ptr) -> ()
    llvm.call @use(%4) : (!llvm.ptr) -> ()
    llvm.intr.lifetime.end %3 : !llvm.ptr
    %6 = llvm.intr.stacksave : !llvm.ptr
    llvm.intr.lifetime.start %2 : !llvm.ptr
    llvm.call @use(%2) : (!llvm.ptr) -> ()
    %7 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%7) : (!llvm.ptr) -> ()
    llvm.intr.stackrestore %6 : !llvm.ptr
    llvm.intr.lifetime.end %2 : !llvm.ptr
    llvm.return %arg0 : i32
  ^bb2:  // pred: ^bb0
    %8 = llvm.intr.stacksave : !llvm.ptr
    llvm.cond_br %arg1, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    %9 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%9) : (!llvm.ptr) -> ()
    llvm.intr.stackrestore %8 : !llvm.ptr
    llvm.br ^bb5
  ^bb4:  // pred: ^bb2
    %10 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%10) : (!llvm.ptr) -> ()
    llvm.intr.stackrestore %8 : !llvm.ptr
    llvm.br ^bb5
  ^bb5:  // 2 preds: ^bb3, ^bb4
    llvm.intr.lifetime.start %5 : !llvm.ptr
    llvm.call @use(%5) : (!llvm.ptr) -> ()
    llvm.return %arg0 : i32
  }
  llvm.func @straight(%arg0: i32, %arg1: i1) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.mlir.constant(4 : i32) : i32
    %2 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %3 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %4 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %5 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    llvm.intr.lifetime.start %4 : !llvm.ptr
    llvm.call @use(%4) : (!llvm.ptr) -> ()
    llvm.call @use(%5) : (!llvm.ptr) -> ()
    llvm.intr.lifetime.end %4 : !llvm.ptr
    %6 = llvm.intr.stacksave : !llvm.ptr
    llvm.intr.lifetime.start %3 : !llvm.ptr
    llvm.call @use(%3) : (!llvm.ptr) -> ()
    %7 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%7) : (!llvm.ptr) -> ()
    llvm.intr.stackrestore %6 : !llvm.ptr
    llvm.intr.lifetime.end %3 : !llvm.ptr
    %8 = llvm.intr.stacksave : !llvm.ptr
    llvm.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %9 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%9) : (!llvm.ptr) -> ()
    llvm.intr.stackrestore %8 : !llvm.ptr
    llvm.br ^bb3
  ^bb2:  // pred: ^bb0
    %10 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    llvm.call @use(%10) : (!llvm.ptr) -> ()
    llvm.intr.stackrestore %8 : !llvm.ptr
    llvm.br ^bb3
  ^bb3:  // 2 preds: ^bb1, ^bb2
    llvm.intr.lifetime.start %2 : !llvm.ptr
    llvm.call @use(%2) : (!llvm.ptr) -> ()
    llvm.return %arg0 : i32
  }
  func.func @mixed(%arg0: i32, %arg1: i1) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.mlir.constant(4 : i32) : i32
    %2 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %3 = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr
    %4 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr
    scf.if %arg1 {
      llvm.intr.lifetime.start %3 : !llvm.ptr
      llvm.call @use(%3) : (!llvm.ptr) -> ()
      llvm.call @use(%4) : (!llvm.ptr) -> ()
      llvm.intr.lifetime.end %3 : !llvm.ptr
      %5 = llvm.intr.stacksave : !llvm.ptr
      llvm.intr.lifetime.start %2 : !llvm.ptr
      llvm.call @use(%2) : (!llvm.ptr) -> ()
      %6 = llvm.alloca %arg0 x f32 : (i32) -> !llvm.ptr
      llvm.call @use(%6) : (!llvm.ptr) -> ()
      llvm.intr.stackrestore %5 : !llvm.ptr
      llvm.intr.lifetime.end %2 : !llvm.ptr
    }
    return %arg0 : i32
  }
}
// -----
llvm.func @never() -> i32 {
  llvm.unreachable
}
llvm.func @user(%x: i32) -> i32 {
  %0 = llvm.call @never() : () -> i32
  llvm.return %0 : i32
}
// =>
module {
  llvm.func @never() -> i32 {
    llvm.unreachable
  }
  llvm.func @user(%arg0: i32) -> i32 {
    llvm.unreachable
  }
}
// -----
llvm.func @rec(%x: i32) -> i32 {
  %0 = llvm.call @rec(%x) : (i32) -> i32
  llvm.return %0 : i32
}
llvm.func @addr() -> !llvm.ptr attributes {sym_visibility = "private"} {
  %0 = llvm.mlir.addressof @taken : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @taken(%x: i32) -> i32 attributes {sym_visibility = "private"} {
  llvm.return %x : i32
}
llvm.func @user(%x: i32) -> !llvm.ptr {
  %0 = llvm.call @rec(%x) : (i32) -> i32
  %1 = llvm.call @taken(%0) : (i32) -> i32
  %2 = llvm.call @addr() : () -> !llvm.ptr
  llvm.store %1, %2 : i32, !llvm.ptr
  llvm.return %2 : !llvm.ptr
}
// =>
module {
  llvm.func @rec(%arg0: i32) -> i32 {
    %0 = llvm.call @rec(%arg0) : (i32) -> i32
    llvm.return %0 : i32
  }
  llvm.func @taken(%arg0: i32) -> i32 attributes {sym_visibility = "private"} {
    llvm.return %arg0 : i32
  }
  llvm.func @user(%arg0: i32) -> !llvm.ptr {
    %0 = llvm.mlir.addressof @taken : !llvm.ptr
    %1 = llvm.call @rec(%arg0) : (i32) -> i32
    llvm.store %1, %0 : i32, !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
}
// -----
func.func private @cast(%i: index) -> i32 {
  %0 = builtin.unrealized_conversion_cast %i : index to i32
  "test.foo"(%0) : (i32) -> ()
  return %0 : i32
}
func.func private @unknown() {
  "foo.bar"() : () -> ()
  return
}
func.func @f(%i: index) -> i32 {
  %0 = call @cast(%i) : (index) -> i32
  call @unknown() : () -> ()
  return %0 : i32
}
// =>
module {
  func.func private @unknown() {
    "foo.bar"() : () -> ()
    return
  }
  func.func @f(%arg0: index) -> i32 {
    %0 = builtin.unrealized_conversion_cast %arg0 : index to i32
    "test.foo"(%0) : (i32) -> ()
    call @unknown() : () -> ()
    return %0 : i32
  }
}
// -----
func.func private @ext(i8) -> i8
func.func private @structured(%t: tensor<4xi8>) -> tensor<4xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<4xi8>) {
  ^bb0(%o: i8):
    %1 = func.call @ext(%o) : (i8) -> i8
    linalg.yield %1 : i8
  } -> tensor<4xi8>
  return %r : tensor<4xi8>
}
func.func private @loop(%t: tensor<4xi8>, %n: index) -> tensor<4xi8> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%b = %t) -> tensor<4xi8> {
    %e = tensor.extract %b[%i] : tensor<4xi8>
    %q = tensor.insert %e into %b[%c1] : tensor<4xi8>
    scf.yield %q : tensor<4xi8>
  }
  return %r : tensor<4xi8>
}
func.func @f(%t: tensor<4xi8>, %n: index) -> tensor<4xi8> {
  %mix = affine.for %i = 0 to 4 iter_args(%a = %t) -> (tensor<4xi8>) {
    %x = func.call @structured(%a) : (tensor<4xi8>) -> tensor<4xi8>
    %y = func.call @loop(%x, %n) : (tensor<4xi8>, index) -> tensor<4xi8>
    affine.yield %y : tensor<4xi8>
  }
  return %mix : tensor<4xi8>
}
// =>
#map = affine_map<(d0) -> (d0)>
module {
  func.func private @ext(i8) -> i8
  func.func private @loop(%arg0: tensor<4xi8>, %arg1: index) -> tensor<4xi8> {
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg2 = %c1 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (tensor<4xi8>) {
      %extracted = tensor.extract %arg3[%arg2] : tensor<4xi8>
      %inserted = tensor.insert %extracted into %arg3[%c1] : tensor<4xi8>
      scf.yield %inserted : tensor<4xi8>
    }
    return %0 : tensor<4xi8>
  }
  func.func @f(%arg0: tensor<4xi8>, %arg1: index) -> tensor<4xi8> {
    %0 = affine.for %arg2 = 0 to 4 iter_args(%arg3 = %arg0) -> (tensor<4xi8>) {
      %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%arg3 : tensor<4xi8>) {
      ^bb0(%out: i8):
        %3 = func.call @ext(%out) : (i8) -> i8
        linalg.yield %3 : i8
      } -> tensor<4xi8>
      %2 = func.call @loop(%1, %arg1) : (tensor<4xi8>, index) -> tensor<4xi8>
      affine.yield %2 : tensor<4xi8>
    }
    return %0 : tensor<4xi8>
  }
}
