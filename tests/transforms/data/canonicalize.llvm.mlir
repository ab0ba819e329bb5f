llvm.mlir.global internal constant @g("a\00") {addr_space = 0 : i32}
llvm.func @f(%x: i64, %q: !llvm.ptr) -> i64 {
  %a = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %b = llvm.mlir.constant(8 : index) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %s = llvm.add %x, %b : i64
  %c = llvm.mlir.constant(8 : index) : i64
  %y = llvm.mlir.zero : !llvm.ptr
  %g = llvm.mlir.addressof @g : !llvm.ptr
  llvm.store %s, %z : i64, !llvm.ptr
  llvm.store %c, %y : i64, !llvm.ptr
  llvm.store %c, %g : i64, !llvm.ptr
  %p = llvm.insertvalue %s, %a[1] : !llvm.struct<(ptr, i64)>
  llvm.store %p, %q : !llvm.struct<(ptr, i64)>, !llvm.ptr
  llvm.return %s : i64
}
// =>
module {
  llvm.mlir.global internal constant @g("a\00") {addr_space = 0 : i32}
  llvm.func @f(%arg0: i64, %arg1: !llvm.ptr) -> i64 {
    %0 = llvm.mlir.addressof @g : !llvm.ptr
    %1 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
    %2 = llvm.mlir.constant(8 : index) : i64
    %3 = llvm.mlir.zero : !llvm.ptr
    %4 = llvm.add %arg0, %2 : i64
    llvm.store %4, %3 : i64, !llvm.ptr
    llvm.store %2, %3 : i64, !llvm.ptr
    llvm.store %2, %0 : i64, !llvm.ptr
    %5 = llvm.insertvalue %4, %1[1] : !llvm.struct<(ptr, i64)> 
    llvm.store %5, %arg1 : !llvm.struct<(ptr, i64)>, !llvm.ptr
    llvm.return %4 : i64
  }
}
// -----
llvm.func @use(i64)
llvm.func @fs(%s: !llvm.struct<(i64, struct<(i64, i64)>)>, %p: !llvm.ptr, %p3: !llvm.ptr<3>, %a: i64, %b: i1, %f: f64) -> i64 {
  %e0 = llvm.extractvalue %s[1] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %e1 = llvm.extractvalue %e0[0] : !llvm.struct<(i64, i64)>
  %i0 = llvm.insertvalue %a, %s[1, 0] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %i1 = llvm.insertvalue %e1, %i0[0] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %x0 = llvm.extractvalue %i1[1, 0] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %x1 = llvm.extractvalue %i1[1] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %x2 = llvm.extractvalue %i1[0] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %x3 = llvm.extractvalue %i1[1, 1] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %i2 = llvm.insertvalue %e0, %i1[1] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %x4 = llvm.extractvalue %i2[1, 1] : !llvm.struct<(i64, struct<(i64, i64)>)>
  %x5 = llvm.extractvalue %x1[1] : !llvm.struct<(i64, i64)>
  llvm.call @use(%x0) : (i64) -> ()
  llvm.call @use(%x2) : (i64) -> ()
  llvm.call @use(%x3) : (i64) -> ()
  llvm.call @use(%x4) : (i64) -> ()
  llvm.call @use(%x5) : (i64) -> ()
  %y = "test.use"(%x1, %i2) : (!llvm.struct<(i64, i64)>, !llvm.struct<(i64, struct<(i64, i64)>)>) -> i64
  %bc = llvm.bitcast %p : !llvm.ptr to !llvm.ptr
  %bc2 = llvm.bitcast %f : f64 to i64
  %bc3 = llvm.bitcast %bc2 : i64 to f64
  %ac = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr
  %ac1 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %ac2 = llvm.addrspacecast %ac1 : !llvm.ptr<3> to !llvm.ptr
  %g0 = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, f64
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(7 : i32) : i32
  %g1 = llvm.getelementptr %p[%c0] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %g2 = llvm.getelementptr inbounds %p[%c0, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f64>
  %g3 = llvm.getelementptr inbounds %p[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f64>
  %pi = llvm.ptrtoint %p : !llvm.ptr to i64
  %ip = llvm.inttoptr %pi : i64 to !llvm.ptr
  %pi2 = llvm.ptrtoint %ip : !llvm.ptr to i64
  %z1 = llvm.zext %c1 : i32 to i64
  %s1 = llvm.sext %c1 : i32 to i64
  %t1 = llvm.trunc %c0 : i64 to i32
  %sh = llvm.shl %a, %c0 : i64
  %or = llvm.or %a, %c0 : i64
  %or2 = llvm.or %c0, %a : i64
  %or3 = llvm.or %a, %a : i64
  %and = llvm.and %a, %c0 : i64
  %ad = llvm.add %a, %c0 : i64
  %mu = llvm.mul %a, %c0 : i64
  %su = llvm.sub %a, %a : i64
  %ic = llvm.icmp "eq" %a, %a : i64
  %ic2 = llvm.icmp "slt" %a, %a : i64
  %ic4 = llvm.icmp "ne" %p, %p : !llvm.ptr
  %nul = llvm.mlir.zero : !llvm.ptr
  %al = llvm.alloca %c0 x f32 : (i64) -> !llvm.ptr
  %ic5 = llvm.icmp "ne" %al, %nul : !llvm.ptr
  %ic6 = llvm.icmp "eq" %nul, %al : !llvm.ptr
  %ic7 = llvm.icmp "eq" %nul, %p : !llvm.ptr
  %tr = llvm.mlir.constant(true) : i1
  %se = llvm.select %tr, %a, %c0 : i1, i64
  %se2 = llvm.select %b, %a, %a : i1, i64
  %fr = llvm.freeze %a : i64
  %cc = llvm.add %c0, %c0 : i64
  %k1 = llvm.mlir.constant(3 : i64) : i64
  %k2 = llvm.mlir.constant(4 : i64) : i64
  %kk = llvm.or %k1, %k2 : i64
  %ks = llvm.shl %k1, %k2 : i64
  %q = "test.use"(%bc, %bc2, %bc3, %ac, %ac1, %ac2, %g0, %g1, %g2, %g3, %pi, %ip, %pi2, %z1, %s1, %t1, %sh, %or, %or2, %or3, %and, %ad, %mu, %su, %ic, %ic2, %ic4, %ic5, %ic6, %ic7, %se, %se2, %fr, %cc, %kk, %ks) : (!llvm.ptr, i64, f64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr, !llvm.ptr,  !llvm.ptr,  !llvm.ptr,  !llvm.ptr, i64, !llvm.ptr, i64, i64, i64, i32, i64, i64, i64, i64, i64, i64, i64, i64, i1, i1, i1, i1, i1, i1, i64, i64, i64, i64, i64, i64) -> i64
  llvm.return %q : i64
}
llvm.func @br(%c: i1, %a: i64) -> i64 {
  %tr = llvm.mlir.constant(true) : i1
  llvm.cond_br %tr, ^bb1, ^bb2
^bb1:
  llvm.br ^bb3(%a : i64)
^bb2:
  %k2 = llvm.mlir.constant(4 : i64) : i64
  llvm.br ^bb3(%k2 : i64)
^bb3(%x: i64):
  llvm.cond_br %c, ^bb4, ^bb4
^bb4:
  llvm.switch %a : i64, ^bb5 [
    1: ^bb5
  ]
^bb5:
  llvm.return %x : i64
}
// =>
module {
  llvm.func @use(i64)
  llvm.func @fs(%arg0: !llvm.struct<(i64, struct<(i64, i64)>)>, %arg1: !llvm.ptr, %arg2: !llvm.ptr<3>, %arg3: i64, %arg4: i1, %arg5: f64) -> i64 {
    %0 = llvm.mlir.constant(48 : i64) : i64
    %1 = llvm.mlir.constant(false) : i1
    %2 = llvm.mlir.constant(7 : i64) : i64
    %3 = llvm.mlir.constant(true) : i1
    %4 = llvm.mlir.zero : !llvm.ptr
    %5 = llvm.mlir.constant(7 : i32) : i32
    %6 = llvm.mlir.constant(0 : i64) : i64
    %7 = llvm.extractvalue %arg0[1] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %8 = llvm.extractvalue %arg0[1, 0] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %9 = llvm.insertvalue %arg3, %arg0[1, 0] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %10 = llvm.insertvalue %8, %9[0] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %11 = llvm.extractvalue %9[1] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %12 = llvm.extractvalue %arg0[1, 1] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %13 = llvm.insertvalue %7, %10[1] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %14 = llvm.extractvalue %13[1, 1] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    %15 = llvm.extractvalue %arg0[1, 1] : !llvm.struct<(i64, struct<(i64, i64)>)> 
    llvm.call @use(%arg3) : (i64) -> ()
    llvm.call @use(%8) : (i64) -> ()
    llvm.call @use(%12) : (i64) -> ()
    llvm.call @use(%14) : (i64) -> ()
    llvm.call @use(%15) : (i64) -> ()
    %16 = "test.use"(%11, %13) : (!llvm.struct<(i64, i64)>, !llvm.struct<(i64, struct<(i64, i64)>)>) -> i64
    %17 = llvm.bitcast %arg5 : f64 to i64
    %18 = llvm.addrspacecast %arg1 : !llvm.ptr to !llvm.ptr<3>
    %19 = llvm.getelementptr inbounds %arg1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f64>
    %20 = llvm.getelementptr inbounds %arg1[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f64>
    %21 = llvm.ptrtoint %arg1 : !llvm.ptr to i64
    %22 = llvm.inttoptr %21 : i64 to !llvm.ptr
    %23 = llvm.ptrtoint %22 : !llvm.ptr to i64
    %24 = llvm.sext %5 : i32 to i64
    %25 = llvm.trunc %6 : i64 to i32
    %26 = llvm.shl %arg3, %6 : i64
    %27 = llvm.or %arg3, %6 : i64
    %28 = llvm.or %6, %arg3 : i64
    %29 = llvm.or %arg3, %arg3 : i64
    %30 = llvm.and %arg3, %6 : i64
    %31 = llvm.add %arg3, %6 : i64
    %32 = llvm.mul %arg3, %6 : i64
    %33 = llvm.sub %arg3, %arg3 : i64
    %34 = llvm.icmp "slt" %arg3, %arg3 : i64
    %35 = llvm.icmp "eq" %4, %arg1 : !llvm.ptr
    %36 = llvm.select %3, %arg3, %6 : i1, i64
    %37 = llvm.select %arg4, %arg3, %arg3 : i1, i64
    %38 = llvm.freeze %arg3 : i64
    %39 = llvm.add %6, %6 : i64
    %40 = "test.use"(%arg1, %17, %arg5, %arg1, %18, %arg1, %arg1, %arg1, %19, %20, %21, %22, %23, %2, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %3, %34, %1, %3, %1, %35, %36, %37, %38, %39, %2, %0) : (!llvm.ptr, i64, f64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i64, i64, i32, i64, i64, i64, i64, i64, i64, i64, i64, i1, i1, i1, i1, i1, i1, i64, i64, i64, i64, i64, i64) -> i64
    llvm.return %40 : i64
  }
  llvm.func @br(%arg0: i1, %arg1: i64) -> i64 {
    %0 = llvm.mlir.constant(4 : i64) : i64
    %1 = llvm.mlir.constant(true) : i1
    llvm.cond_br %1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.br ^bb3(%arg1 : i64)
  ^bb2:  // pred: ^bb0
    llvm.br ^bb3(%0 : i64)
  ^bb3(%2: i64):  // 2 preds: ^bb1, ^bb2
    llvm.cond_br %arg0, ^bb4, ^bb4
  ^bb4:  // 2 preds: ^bb3, ^bb3
    llvm.switch %arg1 : i64, ^bb5 [
      1: ^bb5
    ]
  ^bb5:  // 2 preds: ^bb4, ^bb4
    llvm.return %2 : i64
  }
}
// -----
llvm.func @f(%p: !llvm.ptr, %a: i64) {
  %big = llvm.mlir.constant(268435456 : i64) : i64
  %fit = llvm.mlir.constant(268435455 : i64) : i64
  %neg = llvm.mlir.constant(-268435456 : i64) : i64
  %i = llvm.mlir.constant(3 : index) : i64
  %j = llvm.mlir.constant(5 : index) : i64
  %g0 = llvm.getelementptr %p[%big] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %g1 = llvm.getelementptr %p[%fit] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %g2 = llvm.getelementptr %p[%a, %neg] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<4 x f64>
  %g3 = llvm.getelementptr nuw %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %o = llvm.or %i, %j : i64
  %s = llvm.shl %i, %j : i64
  %c = llvm.mlir.constant(64 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %s2 = llvm.shl %c3, %c : i64
  %m = llvm.mlir.constant(-3 : i32) : i32
  %c40 = llvm.mlir.constant(31 : i32) : i32
  %s3 = llvm.shl %m, %c40 : i32
  %z = llvm.zext %m : i32 to i64
  %t = llvm.mlir.constant(true) : i1
  %zt = llvm.zext %t : i1 to i32
  %o2 = llvm.or %t, %t : i1
  %o3 = llvm.or %m, %c40 : i32
  %o4 = llvm.or disjoint %m, %c40 : i32
  %s5 = llvm.shl %m, %c40 overflow<nsw> : i32
  %v = llvm.mlir.constant(dense<3> : vector<4xi32>) : vector<4xi32>
  %vo = llvm.or %v, %v : vector<4xi32>
  %vz = llvm.zext %v : vector<4xi32> to vector<4xi64>
  %vi = llvm.icmp "eq" %v, %v : vector<4xi32>
  %st = llvm.mlir.constant(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
  %se = llvm.extractvalue %st[1] : !llvm.array<2 x i32>
  %b1 = llvm.bitcast %a : i64 to f64
  %b2 = llvm.bitcast %b1 : f64 to vector<2xi32>
  "test.use"(%g0, %g1, %g2, %g3, %o, %s, %s2, %s3, %z, %zt, %o2, %o3, %o4, %s5, %vo, %vz, %vi, %se, %b2) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i32, i64, i32, i1, i32, i32, i32, vector<4xi32>, vector<4xi64>, vector<4xi1>, i32, vector<2xi32>) -> ()
  llvm.return
}
// =>
module {
  llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
    %0 = llvm.mlir.constant(2 : i32) : i32
    %1 = llvm.mlir.constant(dense<true> : vector<4xi1>) : vector<4xi1>
    %2 = llvm.mlir.constant(-1 : i32) : i32
    %3 = llvm.mlir.constant(true) : i1
    %4 = llvm.mlir.constant(1 : i32) : i32
    %5 = llvm.mlir.constant(4294967293 : i64) : i64
    %6 = llvm.mlir.constant(-2147483648 : i32) : i32
    %7 = llvm.mlir.constant(96 : i64) : i64
    %8 = llvm.mlir.constant(7 : i64) : i64
    %9 = llvm.mlir.constant(dense<3> : vector<4xi32>) : vector<4xi32>
    %10 = llvm.mlir.constant(3 : i64) : i64
    %11 = llvm.mlir.constant(64 : i64) : i64
    %12 = llvm.mlir.constant(268435456 : i64) : i64
    %13 = llvm.getelementptr %arg0[%12] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %14 = llvm.getelementptr %arg0[268435455] : (!llvm.ptr) -> !llvm.ptr, f64
    %15 = llvm.getelementptr %arg0[%arg1, -268435456] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f64>
    %16 = llvm.getelementptr nuw %arg0[3] : (!llvm.ptr) -> !llvm.ptr, f64
    %17 = llvm.shl %10, %11 : i64
    %18 = llvm.or %9, %9 : vector<4xi32>
    %19 = llvm.zext %9 : vector<4xi32> to vector<4xi64>
    %20 = llvm.bitcast %arg1 : i64 to vector<2xi32>
    "test.use"(%13, %14, %15, %16, %8, %7, %17, %6, %5, %4, %3, %2, %2, %6, %18, %19, %1, %0, %20) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i32, i64, i32, i1, i32, i32, i32, vector<4xi32>, vector<4xi64>, vector<4xi1>, i32, vector<2xi32>) -> ()
    llvm.return
  }
}
