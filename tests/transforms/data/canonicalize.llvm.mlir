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
