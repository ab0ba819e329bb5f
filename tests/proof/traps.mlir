// Pairs of programs, the second wrong: it differs from the first in something that can be observed, or does what is undefined.
// None may be proved (test_traps.py).
// -----
// global-init-value
memref.global "private" @g : memref<2xi32> = dense<[1,2]>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<2xi32>
%x = memref.load %g[%c0] : memref<2xi32>
return %x : i32 }
// =>
memref.global "private" @g : memref<2xi32> = dense<[1,3]>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<2xi32>
%x = memref.load %g[%c0] : memref<2xi32>
return %x : i32 }
// -----
// global-init-unused
memref.global @g : memref<2xi32> = dense<[1,2]>
func.func @f() { return }
// =>
memref.global @g : memref<2xi32> = dense<[1,3]>
func.func @f() { return }
// -----
// global-uninitialized
memref.global @g : memref<2xi32> = dense<[1,2]>
func.func @f() { return }
// =>
memref.global @g : memref<2xi32> = uninitialized
func.func @f() { return }
// -----
// global-removed-public
memref.global @g : memref<2xi32> = dense<[1,2]>
func.func @f() { return }
// =>
func.func @f() { return }
// -----
// global-type
memref.global @g : memref<2xi32> = dense<1>
func.func @f() { return }
// =>
memref.global @g : memref<3xi32> = dense<1>
func.func @f() { return }
// -----
// global-const-added
memref.global @g : memref<2xi32> = dense<1>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<2xi32>
%x = memref.load %g[%c0] : memref<2xi32>
return %x : i32 }
// =>
memref.global constant @g : memref<2xi32> = dense<1>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<2xi32>
%x = memref.load %g[%c0] : memref<2xi32>
return %x : i32 }
// -----
// global-alignment
memref.global @g : memref<2xi32> = dense<1> {alignment = 64 : i64}
func.func @f() { return }
// =>
memref.global @g : memref<2xi32> = dense<1> {alignment = 4 : i64}
func.func @f() { return }
// -----
// ml-program-global-init
ml_program.global private mutable @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
func.func @f() -> tensor<4xi32> { %0 = ml_program.global_load @g : tensor<4xi32>
return %0 : tensor<4xi32> }
// =>
ml_program.global private mutable @g(dense<5> : tensor<4xi32>) : tensor<4xi32>
func.func @f() -> tensor<4xi32> { %0 = ml_program.global_load @g : tensor<4xi32>
return %0 : tensor<4xi32> }
// -----
// global-written-and-left
memref.global "private" @g : memref<1xi32> = dense<1>
func.func @f() { return }
// =>
memref.global "private" @g : memref<1xi32> = dense<1>
func.func @f() { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%g = memref.get_global @g : memref<1xi32>
memref.store %v, %g[%c0] : memref<1xi32>
return }
// -----
// hidden-counter
func.func @f(%t: tensor<1xi32>) -> i32 { %c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<1xi32>
return %x : i32 }
// =>
memref.global "private" @n : memref<1xi32> = dense<0>
func.func @f(%t: memref<1xi32>) -> i32 { %c0 = arith.constant 0 : index
%one = arith.constant 1 : i32
%g = memref.get_global @n : memref<1xi32>
%o = memref.load %g[%c0] : memref<1xi32>
%p = arith.addi %o, %one : i32
memref.store %p, %g[%c0] : memref<1xi32>
%x = memref.load %t[%c0] : memref<1xi32>
return %x : i32 }
// -----
// returned-mutable-global
memref.global "private" @g : memref<1xi32> = dense<1>
func.func @f() -> tensor<1xi32> { 
%g = memref.get_global @g : memref<1xi32>
%t = bufferization.to_tensor %g restrict : memref<1xi32> to tensor<1xi32>
return %t : tensor<1xi32> }
func.func @set(%v: i32) { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<1xi32>
memref.store %v, %g[%c0] : memref<1xi32>
return }
// =>
memref.global "private" @g : memref<1xi32> = dense<1>
func.func @f() -> memref<1xi32> { 
%g = memref.get_global @g : memref<1xi32>
return %g : memref<1xi32> }
func.func @set(%v: i32) { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<1xi32>
memref.store %v, %g[%c0] : memref<1xi32>
return }
// -----
// returned-mutable-ml-global
ml_program.global private mutable @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
func.func @f() -> memref<1xi32> { 
%a = memref.alloc() : memref<1xi32>
%c0 = arith.constant 0 : index
%v = arith.constant 1 : i32
memref.store %v, %a[%c0] : memref<1xi32>
return %a : memref<1xi32> }
// =>
memref.global "private" @q : memref<1xi32> = uninitialized
ml_program.global private mutable @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
func.func @f() -> memref<1xi32> { 
%a = memref.get_global @q : memref<1xi32>
%c0 = arith.constant 0 : index
%v = arith.constant 1 : i32
memref.store %v, %a[%c0] : memref<1xi32>
return %a : memref<1xi32> }
// -----
// returned-constant-global-freed-program
func.func @f(%v: f32) -> tensor<4xf32> { 
%t = arith.constant dense<1.0> : tensor<4xf32>
return %t : tensor<4xf32> }
func.func @g(%v: f32) -> f32 { return %v : f32 }
// =>
memref.global "private" constant @k : memref<4xf32> = dense<1.0>
func.func @f(%v: f32) -> memref<4xf32> { 
%t = memref.get_global @k : memref<4xf32>
return %t : memref<4xf32> }
func.func @g(%v: f32) -> f32 { %a = memref.alloc() : memref<4xf32>
memref.dealloc %a : memref<4xf32>
return %v : f32 }
// -----
// nested-unnamed
module { module { func.func @f() -> i32 { %v = arith.constant 1 : i32
return %v : i32 } } }
// =>
module { module { func.func @f() -> i32 { %v = arith.constant 2 : i32
return %v : i32 } } }
// -----
// nested-beside-good
module { func.func @g() { return }
module @in { func.func @f() -> i32 { %v = arith.constant 1 : i32
return %v : i32 } } }
// =>
module { func.func @g() { return }
module @in { func.func @f() -> i32 { %v = arith.constant 2 : i32
return %v : i32 } } }
// -----
// nested-missing
module { func.func @g() { return }
module @in { func.func @f() -> i32 { %v = arith.constant 1 : i32
return %v : i32 } } }
// =>
module { func.func @g() { return } }
// -----
// nested-global
module { func.func @g() { return }
module @in { memref.global @f : memref<1xi32> = dense<1> } }
// =>
module { func.func @g() { return }
module @in { memref.global @f : memref<1xi32> = dense<2> } }
// -----
// empty
module { }
// =>
module { }
// -----
// declaration-defined
func.func private @g() -> i32
func.func @f() -> i32 { %v = call @g() : () -> i32
return %v : i32 }
// =>
func.func private @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
func.func @f() -> i32 { %v = call @g() : () -> i32
return %v : i32 }
// -----
// only-declarations-one-defined
func.func private @g() -> i32
// =>
func.func private @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// -----
// public-becomes-private
func.func @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// =>
func.func private @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// -----
// llvm-func-differs
llvm.func @h() -> i32 { %v = llvm.mlir.constant(1 : i32) : i32
llvm.return %v : i32 }
func.func @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// =>
llvm.func @h() -> i32 { %v = llvm.mlir.constant(2 : i32) : i32
llvm.return %v : i32 }
func.func @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// -----
// unknown-top-level
"a.b"() {x = 1 : i32} : () -> ()
func.func @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// =>
"a.b"() {x = 2 : i32} : () -> ()
func.func @g() -> i32 { %v = arith.constant 2 : i32
return %v : i32 }
// -----
// declaration-drops-access
func.func private @h(tensor<4xf32> {bufferization.access = "read"})
func.func @f(%v: f32, %t: tensor<4xf32>) { call @h(%t) : (tensor<4xf32>) -> ()
 return }
// =>
func.func private @h(memref<4xf32>)
func.func @f(%v: f32, %t: memref<4xf32>) { call @h(%t) : (memref<4xf32>) -> ()
 return }
// -----
// arg-element-type
func.func @f(%t: tensor<4xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: memref<4xi8>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// arg-shape
func.func @f(%t: tensor<4xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: memref<8xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// arg-shape-static
func.func @f(%t: tensor<?xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: memref<8xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// arg-scalar-type
func.func @f(%t: i32) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: i64) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// arg-rank
func.func @f(%t: tensor<4xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: memref<4x1xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// arg-memory-space
func.func @f(%t: memref<4xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: memref<4xf32, 3>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// arg-strided-claim
func.func @f(%t: memref<4xf32, strided<[?]>>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %t[%c1] : memref<4xf32, strided<[?]>>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %t[%c1] : memref<4xf32>
return %x : f32
}
// -----
// result-memory-space
func.func @f() -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%a = memref.alloc() : memref<4xf32>
return %a : memref<4xf32>
}
// =>
func.func @f() -> memref<4xf32, 1> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%a = memref.alloc() : memref<4xf32, 1>
return %a : memref<4xf32, 1>
}
// -----
// result-alignment
func.func @f() -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
return %a : memref<4xf32>
}
// =>
func.func @f() -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%a = memref.alloc() : memref<4xf32>
return %a : memref<4xf32>
}
// -----
// tensor-memory-space
func.func @f(%t: tensor<4xf32, 1>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// =>
func.func @f(%t: memref<4xf32, 2>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %c1 : index
}
// -----
// return-alloca
func.func @f(%v: f32) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = tensor.empty() : tensor<4xf32>
%a = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
return %a : tensor<4xf32>
}
// =>
func.func @f(%v: f32) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloca() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
return %e : memref<4xf32>
}
// -----
// return-alloca-select
func.func @f(%v: f32, %c: i1) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = tensor.empty() : tensor<4xf32>
%a = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
return %a : tensor<4xf32>
}
// =>
func.func @f(%v: f32, %c: i1) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloca() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
%g = memref.alloc() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%g : memref<4xf32>)
%s = arith.select %c, %e, %g : memref<4xf32>
return %s : memref<4xf32>
}
// -----
// alloca-scope-escape
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = memref.load %m[%c0] : memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = memref.load %m[%c0] : memref<4xf32>
%e = memref.alloca_scope -> (memref<4xf32>) { %a = memref.alloca() : memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
memref.alloca_scope.return %a : memref<4xf32> }
%w = memref.load %e[%c0] : memref<4xf32>
memref.store %w, %m[%c0] : memref<4xf32>
return
}
// -----
// alloca-loop-yield
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
%e = memref.alloc() : memref<4xf32>
memref.store %v, %e[%c0] : memref<4xf32>
%q = scf.for %k = %c0 to %n step %c1 iter_args(%x = %e) -> (memref<4xf32>) { %a = memref.alloc() : memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
scf.yield %a : memref<4xf32> }
%w = memref.load %q[%c0] : memref<4xf32>
memref.store %w, %m[%c1] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
%e = memref.alloca() : memref<4xf32>
memref.store %v, %e[%c0] : memref<4xf32>
%q = scf.for %k = %c0 to %n step %c1 iter_args(%x = %e) -> (memref<4xf32>) { %a = memref.alloca() : memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
scf.yield %a : memref<4xf32> }
%w = memref.load %q[%c0] : memref<4xf32>
memref.store %w, %m[%c1] : memref<4xf32>
return
}
// -----
// free-subview-0
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
%k = memref.subview %e[0] [2] [1] : memref<4xf32> to memref<2xf32>
memref.dealloc %k : memref<2xf32>
return
}
// -----
// free-reinterpret
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
%k = memref.reinterpret_cast %e to offset: [1], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
memref.dealloc %k : memref<2xf32, strided<[1], offset: 1>>
return
}
// -----
// free-view
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<64xi8>
%k = memref.view %e[%c4][] : memref<64xi8> to memref<4xf32>
memref.dealloc %k : memref<4xf32>
return
}
// -----
// retain-leak
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
%t = arith.constant true
%e = memref.alloc() : memref<4xf32>
%o = bufferization.dealloc (%e : memref<4xf32>) if (%t) retain (%e : memref<4xf32>)
return
}
// -----
// retain-leak2
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
%t = arith.constant true
%e = memref.alloc() : memref<4xf32>
%g = memref.alloc() : memref<4xf32>
%s = arith.select %c, %e, %g : memref<4xf32>
%o = bufferization.dealloc (%e, %g : memref<4xf32>, memref<4xf32>) if (%t, %t) retain (%s : memref<4xf32>)
return
}
// -----
// leak-branch
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
scf.if %c { memref.dealloc %e : memref<4xf32> }
return
}
// -----
// double-free-loop
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
scf.for %k = %c0 to %n step %c1 { memref.dealloc %e : memref<4xf32> }
return
}
// -----
// free-in-loop-callee
func.func private @h(memref<4xf32>)
func.func @f(%n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
scf.for %k = %c0 to %n step %c1 { func.call @h(%e) : (memref<4xf32>) -> () }
memref.dealloc %e : memref<4xf32>
return }
// =>
func.func private @h(memref<4xf32>)
func.func @f(%n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
scf.for %k = %c0 to %n step %c1 { func.call @h(%e) : (memref<4xf32>) -> ()
memref.dealloc %e : memref<4xf32> }
return }
// -----
// free-in-loop-callee2
func.func private @h(memref<4xf32>)
func.func @f(%n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %k = %c0 to %n step %c1 { 
%e = memref.alloc() : memref<4xf32>
func.call @h(%e) : (memref<4xf32>) -> () }
return }
// =>
func.func private @h(memref<4xf32>)
func.func @f(%n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %k = %c0 to %n step %c1 { 
%e = memref.alloc() : memref<4xf32>
func.call @h(%e) : (memref<4xf32>) -> ()
memref.dealloc %e : memref<4xf32> }
return }
// -----
// free-returned-of-callee
func.func private @h(%m: memref<4xf32>) -> memref<4xf32> { return %m : memref<4xf32> }
func.func @f(%n: index) -> f32 { %c0 = arith.constant 0 : index
%e = memref.alloc() : memref<4xf32>
%v = arith.constant 1.0 : f32
memref.store %v, %e[%c0] : memref<4xf32>
%q = func.call @h(%e) : (memref<4xf32>) -> memref<4xf32>
%x = memref.load %q[%c0] : memref<4xf32>
return %x : f32}
// =>
func.func private @h(%m: memref<4xf32>) -> memref<4xf32> { return %m : memref<4xf32> }
func.func @f(%n: index) -> f32 { %c0 = arith.constant 0 : index
%e = memref.alloc() : memref<4xf32>
%v = arith.constant 1.0 : f32
memref.store %v, %e[%c0] : memref<4xf32>
%q = func.call @h(%e) : (memref<4xf32>) -> memref<4xf32>
memref.dealloc %e : memref<4xf32>
%x = memref.load %q[%c0] : memref<4xf32>
return %x : f32}
// -----
// free-twice-alias
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
%k = memref.cast %e : memref<4xf32> to memref<?xf32>
memref.dealloc %e : memref<4xf32>
memref.dealloc %k : memref<?xf32>
return
}
// -----
// use-after-free-copy
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
linalg.fill ins(%v: f32) outs(%e : memref<4xf32>)
memref.dealloc %e : memref<4xf32>
%x = memref.load %e[%c0] : memref<4xf32>
memref.store %x, %m[%c0] : memref<4xf32>
return
}
// -----
// free-global
memref.global "private" @g : memref<4xf32> = dense<1.0>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
memref.global "private" @g : memref<4xf32> = dense<1.0>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.get_global @g : memref<4xf32>
memref.dealloc %e : memref<4xf32>
return
}
// -----
// nsw-added
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addi %a, %b : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addi %a, %b overflow<nsw> : i32
return %r : i32
}
// -----
// nuw-added-mul
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.muli %a, %b : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.muli %a, %b overflow<nuw> : i32
return %r : i32
}
// -----
// nsw-to-both
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.subi %a, %b overflow<nsw> : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.subi %a, %b overflow<nsw,nuw> : i32
return %r : i32
}
// -----
// nsw-shl
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.shli %a, %b : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.shli %a, %b overflow<nsw> : i32
return %r : i32
}
// -----
// nsw-index
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addi %i, %j : index
return %r : index
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addi %i, %j overflow<nsw> : index
return %r : index
}
// -----
// nsw-trunc
func.func @f(%a: i32) -> i8 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.trunci %a : i32 to i8
return %r : i8
}
// =>
func.func @f(%a: i32) -> i8 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.trunci %a overflow<nsw> : i32 to i8
return %r : i8
}
// -----
// nsw-trunc-const
func.func @f() -> i8 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 300 : i32
%r = arith.trunci %k : i32 to i8
return %r : i8
}
// =>
func.func @f() -> i8 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 300 : i32
%r = arith.trunci %k overflow<nsw> : i32 to i8
return %r : i8
}
// -----
// nsw-trunc-ext
func.func @f(%a: i8) -> i8 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i8
}
// =>
func.func @f(%a: i8) -> i8 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = arith.extui %a : i8 to i32
%r = arith.trunci %e overflow<nsw> : i32 to i8
return %r : i8
}
// -----
// exact-added
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.divui %a, %b : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.divui %a, %b exact : i32
return %r : i32
}
// -----
// exact-shr
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.shrui %a, %b : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.shrui %a, %b exact : i32
return %r : i32
}
// -----
// fast-add
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addf %a, %b : f32
return %r : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addf %a, %b fastmath<fast> : f32
return %r : f32
}
// -----
// arcp-const
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.constant 1.0 : f32
%y = arith.constant 3.0 : f32
%r = arith.divf %x, %y : f32
return %r : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.constant 1.0 : f32
%y = arith.constant 3.0 : f32
%r = arith.divf %x, %y fastmath<arcp> : f32
return %r : f32
}
// -----
// fast-cmp
func.func @f(%a: f32, %b: f32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.cmpf oeq, %a, %b : f32
return %r : i1
}
// =>
func.func @f(%a: f32, %b: f32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.cmpf oeq, %a, %b fastmath<nnan> : f32
return %r : i1
}
// -----
// cmp-ordered
func.func @f(%a: f32, %b: f32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.cmpf oeq, %a, %b : f32
return %r : i1
}
// =>
func.func @f(%a: f32, %b: f32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.cmpf ueq, %a, %b : f32
return %r : i1
}
// -----
// vec-div-zero
func.func @f(%a: vector<2xi32>) -> vector<2xi32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : vector<2xi32>
}
// =>
func.func @f(%a: vector<2xi32>) -> vector<2xi32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant dense<[0, 1]> : vector<2xi32>
%q = arith.divsi %a, %z : vector<2xi32>
return %a : vector<2xi32>
}
// -----
// div-dead
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%q = arith.divsi %a, %b : i32
return %a : i32
}
// -----
// rem-dead
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%q = arith.remui %a, %b : i32
return %a : i32
}
// -----
// index-div-dead
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%q = index.divs %i, %j
return %a : i32
}
// -----
// floordiv-affine-zero
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%q = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%j]
return %a : i32
}
// -----
// sdiv-minus-one
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant -1 : i32
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant -1 : i32
%q = arith.divsi %a, %k : i32
return %a : i32
}
// -----
// assert-removed
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.cmpi slt, %a, %b : i32
cf.assert %x, "m"
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// -----
// assert-other
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.cmpi slt, %a, %b : i32
cf.assert %x, "m"
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.cmpi sle, %a, %b : i32
cf.assert %x, "m"
return %a : i32
}
// -----
// unreachable-added
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.cmpi slt, %a, %b : i32
cf.cond_br %x, ^a, ^b
^a:
return %a : i32
^b:
ub.unreachable
}
// -----
// poison
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%p = ub.poison : i32
return %p : i32
}
// -----
// loop-forever
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.while : () -> () { %t = arith.constant true
scf.condition(%t) } do { scf.yield }
return %a : i32
}
// -----
// loop-maybe-forever
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.cmpi slt, %a, %b : i32
scf.while : () -> () { scf.condition(%x) } do { scf.yield }
return %a : i32
}
// -----
// recursion-forever
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = call @f(%a, %b, %i, %j) : (i32, i32, index, index) -> i32
return %a : i32
}
// -----
// step-zero
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.for %k = %i to %j step %i { }
return %a : i32
}
// -----
// addi-wrap-ext
func.func @f(%a: i32, %b: i32) -> i64 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.extsi %a : i32 to i64
%y = arith.extsi %b : i32 to i64
%r = arith.addi %x, %y : i64
return %r : i64
}
// =>
func.func @f(%a: i32, %b: i32) -> i64 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%s = arith.addi %a, %b : i32
%r = arith.extsi %s : i32 to i64
return %r : i64
}
// -----
// shl-mul
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 1 : i32
%r = arith.shli %a, %k : i32
return %r : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 3 : i32
%r = arith.muli %a, %k : i32
return %r : i32
}
// -----
// index-cast-roundtrip
func.func @f(%i: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %i : index
}
// =>
func.func @f(%i: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.index_cast %i : index to i32
%y = arith.index_cast %x : i32 to index
return %y : index
}
// -----
// index-castui
func.func @f(%a: i32) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.index_cast %a : i32 to index
return %x : index
}
// =>
func.func @f(%a: i32) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.index_castui %a : i32 to index
return %x : index
}
// -----
// index-cast-i64-roundtrip
func.func @f(%a: i64) -> i64 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i64
}
// =>
func.func @f(%a: i64) -> i64 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.index_cast %a : i64 to index
%y = arith.index_castui %x : index to i64
return %y : i64
}
// -----
// trunc-ext
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.trunci %a : i32 to i8
%y = arith.extsi %x : i8 to i32
return %y : i32
}
// -----
// f32-trunc
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = arith.truncf %a : f32 to f16
%y = arith.extf %x : f16 to f32
return %y : f32
}
// -----
// add-zero-float
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%y = arith.addf %a, %z : f32
return %y : f32
}
// -----
// mul-one-float
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %a : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%y = arith.mulf %a, %z : f32
return %z : f32
}
// -----
// neg-zero-sub
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.negf %a : f32
return %r : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%y = arith.subf %z, %a : f32
return %y : f32
}
// -----
// maxnum
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.maximumf %a, %b : f32
return %r : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.maxnumf %a, %b : f32
return %r : f32
}
// -----
// assoc
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addf %a, %b : f32
%s = arith.addf %r, %a : f32
return %s : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addf %a, %a : f32
%s = arith.addf %r, %b : f32
return %s : f32
}
// -----
// fma
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.mulf %a, %b : f32
%s = arith.addf %r, %a : f32
return %s : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%s = math.fma %a, %b, %a : f32
return %s : f32
}
// -----
// nan-payload
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.constant 0x7FC00000 : f32
return %r : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.constant 0x7FC00001 : f32
return %r : f32
}
// -----
// i1-add
func.func @f(%a: i1, %b: i1) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.addi %a, %b : i1
return %r : i1
}
// =>
func.func @f(%a: i1, %b: i1) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.ori %a, %b : i1
return %r : i1
}
// -----
// cmp-signed
func.func @f(%a: i32, %b: i32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.cmpi slt, %a, %b : i32
return %r : i1
}
// =>
func.func @f(%a: i32, %b: i32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.cmpi ult, %a, %b : i32
return %r : i1
}
// -----
// cmp-shift
func.func @f(%a: i32, %b: i32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 1 : i32
%x = arith.addi %a, %k : i32
%r = arith.cmpi sgt, %x, %a : i32
return %r : i1
}
// =>
func.func @f(%a: i32, %b: i32) -> i1 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.constant true
return %r : i1
}
// -----
// mod-signed
func.func @f(%i: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 3 : index
%r = arith.remsi %i, %k : index
return %r : index
}
// =>
func.func @f(%i: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
return %r : index
}
// -----
// floordiv-div
func.func @f(%i: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = arith.constant 2 : index
%r = arith.divsi %i, %k : index
return %r : index
}
// =>
func.func @f(%i: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
return %r : index
}
// -----
// min-unsigned
func.func @f(%i: index, %j: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.minsi %i, %j : index
return %r : index
}
// =>
func.func @f(%i: index, %j: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = arith.minui %i, %j : index
return %r : index
}
// -----
// alias-order
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
%x = memref.load %q[%c0] : memref<4xf32>
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %q[%c0] : memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// -----
// alias-stores-swapped
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%w = arith.negf %v : f32
memref.store %v, %m[%c0] : memref<4xf32>
memref.store %w, %q[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%w = arith.negf %v : f32
memref.store %w, %q[%c0] : memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// -----
// alias-global-arg
memref.global @g : memref<4xf32> = dense<1.0>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%g = memref.get_global @g : memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
%x = memref.load %g[%c0] : memref<4xf32>
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// =>
memref.global @g : memref<4xf32> = dense<1.0>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%g = memref.get_global @g : memref<4xf32>
%x = memref.load %g[%c0] : memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// -----
// alias-index-order
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%i] : memref<4xf32>
%x = memref.load %m[%n] : memref<4xf32>
memref.store %x, %q[%c1] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %m[%n] : memref<4xf32>
memref.store %v, %m[%i] : memref<4xf32>
memref.store %x, %q[%c1] : memref<4xf32>
return
}
// -----
// copy-overlap
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%s = memref.subview %d[0] [3] [1] : memref<?xf32> to memref<3xf32>
%e = memref.alloc() : memref<3xf32>
memref.copy %s, %e : memref<3xf32> to memref<3xf32>
%o = memref.subview %d[1] [3] [1] : memref<?xf32> to memref<3xf32, strided<[1], offset: 1>>
memref.copy %e, %o : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%s = memref.subview %d[0] [3] [1] : memref<?xf32> to memref<3xf32>
%o = memref.subview %d[1] [3] [1] : memref<?xf32> to memref<3xf32, strided<[1], offset: 1>>
memref.copy %s, %o : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
return
}
// -----
// copy-args-overlap
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %m, %e : memref<4xf32> to memref<4xf32>
memref.copy %e, %q : memref<4xf32> to memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.copy %m, %q : memref<4xf32> to memref<4xf32>
return
}
// -----
// loop-copy-overlap
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %m, %e : memref<4xf32> to memref<4xf32>
scf.for %k = %c0 to %c4 step %c1 { %x = memref.load %e[%k] : memref<4xf32>
memref.store %x, %q[%k] : memref<4xf32> }
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.for %k = %c0 to %c4 step %c1 { %x = memref.load %m[%k] : memref<4xf32>
memref.store %x, %q[%k] : memref<4xf32> }
return
}
// -----
// zero-trip-extract
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %v) -> (f32) { %y = tensor.extract %d[%c0] : tensor<?xf32>
scf.yield %y : f32 }
return %r : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%y = memref.load %d[%c0] : memref<?xf32>
%r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %v) -> (f32) { scf.yield %y : f32 }
return %r : f32
}
// -----
// zero-trip-result
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %v) -> (f32) { %y = tensor.extract %t[%c0] : tensor<4xf32>
scf.yield %y : f32 }
return %r : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%y = memref.load %t[%c0] : memref<4xf32>
return %y : f32
}
// -----
// zero-trip-write
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) { %y = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
scf.yield %y : tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
linalg.fill ins(%v : f32) outs(%t : memref<4xf32>)
return %t : memref<4xf32>
}
// -----
// empty-reduction
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = tensor.empty() : tensor<f32>
%z = linalg.fill ins(%v : f32) outs(%e : tensor<f32>) -> tensor<f32>
%r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%d : tensor<?xf32>) outs(%z : tensor<f32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 } -> tensor<f32>
%x = tensor.extract %r[] : tensor<f32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<f32>
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%d : memref<?xf32>) outs(%e : memref<f32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }
%x = memref.load %e[] : memref<f32>
return %x : f32
}
// -----
// empty-reduction-static
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%y = tensor.empty() : tensor<0xf32>
%e = tensor.empty() : tensor<f32>
%z = linalg.fill ins(%v : f32) outs(%e : tensor<f32>) -> tensor<f32>
%r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%y : tensor<0xf32>) outs(%z : tensor<f32>) { ^bb0(%a: f32, %b: f32): linalg.yield %v : f32 } -> tensor<f32>
%x = tensor.extract %r[] : tensor<f32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%y = memref.alloc() : memref<0xf32>
%w = arith.negf %v : f32
%e = memref.alloc() : memref<f32>
linalg.fill ins(%w : f32) outs(%e : memref<f32>)
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%y : memref<0xf32>) outs(%e : memref<f32>) { ^bb0(%a: f32, %b: f32): linalg.yield %v : f32 }
%x = memref.load %e[] : memref<f32>
return %x : f32
}
// -----
// while-zero
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = scf.while (%x = %t) : (tensor<4xf32>) -> tensor<4xf32> { scf.condition(%c) %x : tensor<4xf32> } do { ^bb0(%x: tensor<4xf32>): %y = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
scf.yield %y : tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.while : () -> () { linalg.fill ins(%v : f32) outs(%t : memref<4xf32>)
scf.condition(%c) } do { scf.yield }
return %t : memref<4xf32>
}
// -----
// while-effects
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.while : () -> () { memref.store %v, %m[%c0] : memref<4xf32>
scf.condition(%c) } do { memref.store %v, %m[%c1] : memref<4xf32>
scf.yield }
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.while : () -> () { memref.store %v, %m[%c0] : memref<4xf32>
memref.store %v, %m[%c1] : memref<4xf32>
scf.condition(%c) } do { scf.yield }
return
}
// -----
// while-call-order
func.func private @a()
func.func private @b()
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.while : () -> () { func.call @a() : () -> ()
scf.condition(%c) } do { func.call @b() : () -> ()
scf.yield }
return
}
// =>
func.func private @a()
func.func private @b()
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.while : () -> () { func.call @b() : () -> ()
scf.condition(%c) } do { func.call @a() : () -> ()
scf.yield }
return
}
// -----
// cf-loop-once-more
func.func private @a()
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
cf.br ^h(%c0 : index)
^h(%k: index):
%x = arith.cmpi slt, %k, %n : index
cf.cond_br %x, ^b, ^e
^b:
func.call @a() : () -> ()
%k1 = arith.addi %k, %c1 : index
cf.br ^h(%k1 : index)
^e:
return
}
// =>
func.func private @a()
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
cf.br ^h(%c0 : index)
^h(%k: index):
%x = arith.cmpi sle, %k, %n : index
cf.cond_br %x, ^b, ^e
^b:
func.call @a() : () -> ()
%k1 = arith.addi %k, %c1 : index
cf.br ^h(%k1 : index)
^e:
return
}
// -----
// cf-store-moved
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
cf.br ^h(%c0 : index)
^h(%k: index):
%x = arith.cmpi slt, %k, %n : index
cf.cond_br %x, ^b, ^e
^b:
memref.store %v, %m[%c0] : memref<4xf32>
%k1 = arith.addi %k, %c1 : index
cf.br ^h(%k1 : index)
^e:
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
cf.br ^h(%c0 : index)
^h(%k: index):
memref.store %v, %m[%c0] : memref<4xf32>
%x = arith.cmpi slt, %k, %n : index
cf.cond_br %x, ^b, ^e
^b:
%k1 = arith.addi %k, %c1 : index
cf.br ^h(%k1 : index)
^e:
return
}
// -----
// switch-default
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
cf.switch %c : i1, [default: ^a, 1: ^b]
^a:
memref.store %v, %m[%c0] : memref<4xf32>
return
^b:
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
cf.switch %c : i1, [default: ^a, 0: ^b]
^a:
memref.store %v, %m[%c0] : memref<4xf32>
return
^b:
return
}
// -----
// call-dropped-unused
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = call @k(%v) : (f32) -> f32
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// -----
// call-twice
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = call @k(%v) : (f32) -> f32
%y = arith.addf %x, %x : f32
memref.store %y, %m[%c0] : memref<4xf32>
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = call @k(%v) : (f32) -> f32
%x2 = call @k(%v) : (f32) -> f32
%y = arith.addf %x, %x2 : f32
memref.store %y, %m[%c0] : memref<4xf32>
return
}
// -----
// call-merged
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = call @k(%v) : (f32) -> f32
%x2 = call @k(%v) : (f32) -> f32
%y = arith.addf %x, %x2 : f32
memref.store %y, %m[%c0] : memref<4xf32>
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = call @k(%v) : (f32) -> f32
%y = arith.addf %x, %x : f32
memref.store %y, %m[%c0] : memref<4xf32>
return
}
// -----
// call-load-moved
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
%x = memref.load %m[%c0] : memref<4xf32>
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %m[%c0] : memref<4xf32>
call @h(%m) : (memref<4xf32>) -> ()
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// -----
// call-store-moved
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
memref.store %v, %q[%c1] : memref<4xf32>
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %q[%c1] : memref<4xf32>
call @h(%m) : (memref<4xf32>) -> ()
return
}
// -----
// call-global-changes
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32
memref.global @g : memref<4xf32> = dense<1.0>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%g = memref.get_global @g : memref<4xf32>
%x = memref.load %g[%c0] : memref<4xf32>
%w = call @k(%v) : (f32) -> f32
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32
memref.global @g : memref<4xf32> = dense<1.0>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%g = memref.get_global @g : memref<4xf32>
%w = call @k(%v) : (f32) -> f32
%x = memref.load %g[%c0] : memref<4xf32>
memref.store %x, %m[%c1] : memref<4xf32>
return
}
// -----
// call-arg-escaped
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
%x = memref.load %m[%c0] : memref<4xf32>
%w = call @k(%v) : (f32) -> f32
memref.store %x, %q[%c1] : memref<4xf32>
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
%w = call @k(%v) : (f32) -> f32
%x = memref.load %m[%c0] : memref<4xf32>
memref.store %x, %q[%c1] : memref<4xf32>
return
}
// -----
// call-other-arg
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%q) : (memref<4xf32>) -> ()
return
}
// -----
// call-copy-arg
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %m, %e : memref<4xf32> to memref<4xf32>
call @h(%e) : (memref<4xf32>) -> ()
return
}
// -----
// call-copy-arg-back
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
call @h(%m) : (memref<4xf32>) -> ()
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k(f32) -> f32

func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %m, %e : memref<4xf32> to memref<4xf32>
call @h(%e) : (memref<4xf32>) -> ()
memref.copy %e, %m : memref<4xf32> to memref<4xf32>
return
}
// -----
// unknown-op-attr
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
"a.b"(%m) {x = 1 : i32} : (memref<4xf32>) -> ()
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
"a.b"(%m) {x = 2 : i32} : (memref<4xf32>) -> ()
return
}
// -----
// unknown-op-moved
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
"a.b"(%v) : (f32) -> ()
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
"a.c"(%v) : (f32) -> ()
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// -----
// print-order
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.print %v : f32
vector.print %i : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.print %i : index
vector.print %v : f32
return
}
// -----
// print-dropped
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.print %v : f32
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// -----
// load-oob-added
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %d[%c4] : memref<?xf32>
return
}
// -----
// store-oob-index
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %d[%i] : memref<?xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %d[%i] : memref<?xf32>
%x = memref.load %d[%n] : memref<?xf32>
return
}
// -----
// subview-oob
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.subview %d[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
return
}
// -----
// cast-size-claim
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.load %d[%i] : memref<?xf32>
memref.store %x, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%k = memref.cast %d : memref<?xf32> to memref<4xf32>
%x = memref.load %k[%i] : memref<4xf32>
memref.store %x, %m[%c0] : memref<4xf32>
return
}
// -----
// dim-oob
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.dim %d, %c4 : memref<?xf32>
return
}
// -----
// dim-oob2
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) -> i64 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.dim %d, %c0 : memref<?xf32>
%y = arith.index_cast %x : index to i64
return %y : i64
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) -> i64 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.dim %d, %i : memref<?xf32>
%y = arith.index_cast %x : index to i64
return %y : i64
}
// -----
// copy-size
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc(%i) : memref<?xf32>
memref.copy %d, %e : memref<?xf32> to memref<?xf32>
memref.dealloc %e : memref<?xf32>
return
}
// -----
// affine-if-eq
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
affine.if affine_set<(d0) : (d0 >= 0)>(%i) { memref.store %v, %m[%c0] : memref<4xf32> }
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
affine.if affine_set<(d0) : (d0 == 0)>(%i) { memref.store %v, %m[%c0] : memref<4xf32> }
return
}
// -----
// assume-alignment
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%a = memref.assume_alignment %m, 64 : memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
return
}
// -----
// store-alignment
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] {alignment = 64 : i64} : memref<4xf32>
return
}
// -----
// distinct-objects
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.store %v, %m[%c0] : memref<4xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%a, %b = memref.distinct_objects %m, %q : memref<4xf32>, memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
return
}
// -----
// realloc-old
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc(%n) : memref<?xf32>
%k = memref.realloc %e(%i) : memref<?xf32> to memref<?xf32>
memref.dealloc %k : memref<?xf32>
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc(%n) : memref<?xf32>
%k = memref.realloc %e(%i) : memref<?xf32> to memref<?xf32>
memref.dealloc %e : memref<?xf32>
return
}
// -----
// atomic-kind
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.atomic_rmw addf %v, %m[%c0] : (f32, memref<4xf32>) -> f32
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.atomic_rmw mulf %v, %m[%c0] : (f32, memref<4xf32>) -> f32
return
}
// -----
// atomic-to-plain-parallel
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.parallel (%k) = (%c0) to (%c4) step (%c1) { %x = memref.atomic_rmw addf %v, %m[%c0] : (f32, memref<4xf32>) -> f32
scf.reduce }
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.parallel (%k) = (%c0) to (%c4) step (%c1) { %x = memref.load %m[%c0] : memref<4xf32>
%y = arith.addf %x, %v : f32
memref.store %y, %m[%c0] : memref<4xf32>
scf.reduce }
return
}
// -----
// for-to-parallel
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.for %k = %c0 to %c4 step %c1 { memref.store %v, %m[%c0] : memref<4xf32> }
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.parallel (%k) = (%c0) to (%c4) step (%c1) { memref.store %v, %m[%c0] : memref<4xf32>
scf.reduce }
return
}
// -----
// parallel-shift
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.for %k = %c1 to %c4 step %c1 { %k1 = arith.subi %k, %c1 : index
%x = memref.load %m[%k1] : memref<4xf32>
memref.store %x, %m[%k] : memref<4xf32> }
return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %q: memref<4xf32>, %d: memref<?xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.parallel (%k) = (%c1) to (%c4) step (%c1) { %k1 = arith.subi %k, %c1 : index
%x = memref.load %m[%k1] : memref<4xf32>
memref.store %x, %m[%k] : memref<4xf32>
scf.reduce }
return
}
// -----
// forall-alloca-out
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%r = scf.forall (%k) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) { %x = tensor.extract %u[%k] : tensor<4xf32>
%e = tensor.from_elements %x : tensor<1xf32>
scf.forall.in_parallel { tensor.parallel_insert_slice %e into %o[%k] [1] [1] : tensor<1xf32> into tensor<4xf32> } }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.forall (%k) in (4) { %k1 = arith.remui %k, %c2 : index
%x = memref.load %u[%k] : memref<4xf32>
memref.store %x, %t[%k1] : memref<4xf32> }
return %t : memref<4xf32>
}
// -----
// vec-mask-dropped
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.maskedstore %m[%c0], %k, %t : memref<8xf32>, vector<4xi1>, vector<4xf32>
return
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.store %t, %m[%c0] : memref<8xf32>, vector<4xf32>
return
}
// -----
// vec-inbounds-added
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.transfer_write %t, %m[%i] : vector<4xf32>, memref<8xf32>
return
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.transfer_write %t, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
return
}
// -----
// vec-transfer-to-store
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.transfer_write %t, %m[%i] : vector<4xf32>, memref<8xf32>
return
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.store %t, %m[%i] : memref<8xf32>, vector<4xf32>
return
}
// -----
// vec-padding
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%x = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>
return %x : vector<4xf32>
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = vector.transfer_read %m[%i], %v : memref<8xf32>, vector<4xf32>
return %x : vector<4xf32>
}
// -----
// vec-mask-read
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%x = vector.transfer_read %m[%i], %z, %k : memref<8xf32>, vector<4xf32>
return %x : vector<4xf32>
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%x = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>
return %x : vector<4xf32>
}
// -----
// vec-maskop-dropped
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.mask %k { vector.transfer_write %t, %m[%i] : vector<4xf32>, memref<8xf32> } : vector<4xi1>
return
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
vector.transfer_write %t, %m[%i] : vector<4xf32>, memref<8xf32>
return
}
// -----
// vec-scatter-dup
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%j = arith.constant dense<[0,0,1,1]> : vector<4xindex>
vector.scatter %m[%c0] [%j], %k, %t : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
return
}
// =>
func.func @f(%m: memref<8xf32>, %t: vector<4xf32>, %k: vector<4xi1>, %i: index, %v: f32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%j = arith.constant dense<[0,1,1,0]> : vector<4xindex>
vector.scatter %m[%c0] [%j], %k, %t : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
return
}
// -----
// vec-permutation
func.func @f(%q: memref<4x4xf32>) -> vector<4x4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%x = vector.transfer_read %q[%c0, %c0], %z {in_bounds=[true,true]} : memref<4x4xf32>, vector<4x4xf32>
return %x : vector<4x4xf32>
}
// =>
func.func @f(%q: memref<4x4xf32>) -> vector<4x4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%x = vector.transfer_read %q[%c0, %c0], %z {in_bounds=[true,true], permutation_map = affine_map<(d0,d1)->(d1,d0)>} : memref<4x4xf32>, vector<4x4xf32>
return %x : vector<4x4xf32>
}
// -----
// reshape-transposed
func.func @f(%w: tensor<8xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = tensor.expand_shape %w [[0,1]] output_shape [2,4] : tensor<8xf32> into tensor<2x4xf32>
%y = tensor.extract %x[%c1, %c0] : tensor<2x4xf32>
return %y : f32
}
// =>
func.func @f(%w: memref<8xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.expand_shape %w [[0,1]] output_shape [4,2] : memref<8xf32> into memref<4x2xf32>
%y = memref.load %x[%c1, %c0] : memref<4x2xf32>
return %y : f32
}
// -----
// pad-low-high
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = tensor.pad %t low[1] high[2] { ^bb0(%k: index): tensor.yield %v : f32 } : tensor<4xf32> to tensor<7xf32>
%y = tensor.extract %x[%i] : tensor<7xf32>
return %y : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.alloc() : memref<7xf32>
linalg.fill ins(%v : f32) outs(%x : memref<7xf32>)
%s = memref.subview %x[2] [4] [1] : memref<7xf32> to memref<4xf32, strided<[1], offset: 2>>
memref.copy %t, %s : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
%y = memref.load %x[%i] : memref<7xf32>
return %y : f32
}
// -----
// concat-order
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
%y = tensor.extract %x[%i] : tensor<8xf32>
return %y : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.alloc() : memref<8xf32>
%s = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
memref.copy %t, %s : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
%s2 = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
memref.copy %u, %s2 : memref<4xf32> to memref<4xf32, strided<[1]>>
%y = memref.load %x[%i] : memref<8xf32>
return %y : f32
}
// -----
// uninit-tail
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = tensor.empty() : tensor<8xf32>
%x = tensor.insert_slice %t into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
%f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
%z = tensor.insert_slice %t into %f[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
%y = tensor.extract %z[%i] : tensor<8xf32>
return %y : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.alloc() : memref<8xf32>
%s2 = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
memref.copy %t, %s2 : memref<4xf32> to memref<4xf32, strided<[1]>>
%y = memref.load %x[%i] : memref<8xf32>
return %y : f32
}
// -----
// two-results-one-buffer
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = tensor.insert %v into %t[%c0] : tensor<4xf32>
%e = tensor.empty() : tensor<4xf32>
%y = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
%z = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
return %y, %z : tensor<4xf32>, tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> (memref<4xf32>, memref<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.alloc() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
%d2 = memref.alloc() : memref<4xf32>
memref.dealloc %d2 : memref<4xf32>
return %x, %x : memref<4xf32>, memref<4xf32>
}
// -----
// unranked-dim
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: tensor<4xf32>, %d: tensor<?xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = tensor.dim %d, %c0 : tensor<?xf32>
return %x : index
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1, %u: memref<4xf32>, %d: memref<?xf32>) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%x = memref.dim %t, %c0 : memref<4xf32>
return %x : index
}
// -----
// result-alias-dropped
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %m : memref<4xf32>
}
// =>
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %m, %e : memref<4xf32> to memref<4xf32>
return %e : memref<4xf32>
}
// -----
// result-alias-added
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %m, %e : memref<4xf32> to memref<4xf32>
return %e : memref<4xf32>
}
// =>
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
return %m : memref<4xf32>
}
// -----
// results-share
func.func @f(%v: f32) -> (memref<4xf32>, memref<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
%g = memref.alloc() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%g : memref<4xf32>)
return %e, %g : memref<4xf32>, memref<4xf32>
}
// =>
func.func @f(%v: f32) -> (memref<4xf32>, memref<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
return %e, %e : memref<4xf32>, memref<4xf32>
}
// -----
// result-other-arg
func.func @f(%m: memref<4xf32>, %q: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.copy %m, %q : memref<4xf32> to memref<4xf32>
return %q : memref<4xf32>
}
// =>
func.func @f(%m: memref<4xf32>, %q: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
memref.copy %m, %q : memref<4xf32> to memref<4xf32>
return %m : memref<4xf32>
}
// -----
// result-subview-layout
func.func @f(%m: memref<8xf32>) -> memref<2xf32, strided<[?], offset: ?>> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%s = memref.subview %m[2] [2] [2] : memref<8xf32> to memref<2xf32, strided<[2], offset: 2>>
%k = memref.cast %s : memref<2xf32, strided<[2], offset: 2>> to memref<2xf32, strided<[?], offset: ?>>
return %k : memref<2xf32, strided<[?], offset: ?>>
}
// =>
func.func @f(%m: memref<8xf32>) -> memref<2xf32, strided<[?], offset: ?>> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%k = memref.cast %s : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32, strided<[?], offset: ?>>
return %k : memref<2xf32, strided<[?], offset: ?>>
}
// -----
// callee-swapped
func.func private @p(%a: f32) -> f32 { return %a : f32 }
func.func private @r(%a: f32) -> f32 { %b = arith.negf %a : f32
return %b : f32 }
func.func @f(%a: f32) -> f32 { %x = call @p(%a) : (f32) -> f32
return %x : f32 }
// =>
func.func private @p(%a: f32) -> f32 { return %a : f32 }
func.func private @r(%a: f32) -> f32 { %b = arith.negf %a : f32
return %b : f32 }
func.func @f(%a: f32) -> f32 { %x = call @r(%a) : (f32) -> f32
return %x : f32 }
// -----
// callee-body-differs
func.func private @p(%a: f32) -> f32 { return %a : f32 }
func.func @f(%a: f32) -> f32 { %x = call @p(%a) : (f32) -> f32
return %x : f32 }
// =>
func.func private @p(%a: f32) -> f32 { %b = arith.negf %a : f32
return %b : f32 }
func.func @f(%a: f32) -> f32 { %x = call @p(%a) : (f32) -> f32
return %x : f32 }
// -----
// nested-symbol-call
module @a { func.func @p(%a: f32) -> f32 { return %a : f32 } }
module @b { func.func @p(%a: f32) -> f32 { return %a : f32 } }
func.func @f(%a: f32) -> f32 { %x = func.call @p(%a) : (f32) -> f32
return %x : f32 }
func.func private @p(%a: f32) -> f32
// =>
module @a { func.func @p(%a: f32) -> f32 { return %a : f32 } }
module @b { func.func @p(%a: f32) -> f32 { %b = arith.negf %a : f32
return %b : f32 } }
func.func @f(%a: f32) -> f32 { %x = func.call @p(%a) : (f32) -> f32
return %x : f32 }
func.func private @p(%a: f32) -> f32
// -----
// constant-function
func.func private @p(%a: f32) -> f32 { return %a : f32 }
func.func private @r(%a: f32) -> f32 { %b = arith.negf %a : f32
return %b : f32 }
func.func @f(%a: f32) -> f32 { %k = constant @p : (f32) -> f32
%x = call_indirect %k(%a) : (f32) -> f32
return %x : f32 }
// =>
func.func private @p(%a: f32) -> f32 { return %a : f32 }
func.func private @r(%a: f32) -> f32 { %b = arith.negf %a : f32
return %b : f32 }
func.func @f(%a: f32) -> f32 { %k = constant @r : (f32) -> f32
%x = call_indirect %k(%a) : (f32) -> f32
return %x : f32 }
// -----
// indirect-writes
func.func @f(%k: (memref<4xf32>) -> (), %m: memref<4xf32>) -> f32 { %c0 = arith.constant 0 : index
call_indirect %k(%m) : (memref<4xf32>) -> ()
%x = memref.load %m[%c0] : memref<4xf32>
return %x : f32 }
// =>
func.func @f(%k: (memref<4xf32>) -> (), %m: memref<4xf32>) -> f32 { %c0 = arith.constant 0 : index
%x = memref.load %m[%c0] : memref<4xf32>
call_indirect %k(%m) : (memref<4xf32>) -> ()
return %x : f32 }
// -----
// mutual-recursion-forever
func.func private @a(%x: i32) -> i32 { return %x : i32 }
func.func @f(%x: i32) -> i32 { return %x : i32 }
// =>
func.func private @a(%x: i32) -> i32 { %y = func.call @f(%x) : (i32) -> i32
return %x : i32 }
func.func @f(%x: i32) -> i32 { %y = func.call @a(%x) : (i32) -> i32
return %x : i32 }
// -----
// callee-reads-init
func.func private @p(%x: tensor<?xf32>, %o: tensor<f32>) -> tensor<f32> { 
%r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%x : tensor<?xf32>) outs(%o : tensor<f32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 } -> tensor<f32>
return %r : tensor<f32> }
func.func @f(%x: tensor<?xf32>, %v: f32) -> f32 { %e = tensor.empty() : tensor<f32>
%z = linalg.fill ins(%v : f32) outs(%e : tensor<f32>) -> tensor<f32>
%r = call @p(%x, %z) : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
%y = tensor.extract %r[] : tensor<f32>
return %y : f32 }
// =>
func.func private @p(%x: memref<?xf32>, %o: memref<f32>) -> memref<f32> { 
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%x : memref<?xf32>) outs(%o : memref<f32>) { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 }
return %o : memref<f32> }
func.func @f(%x: memref<?xf32>, %v: f32) -> f32 { %e = memref.alloc() : memref<f32>
%r = call @p(%x, %e) : (memref<?xf32>, memref<f32>) -> memref<f32>
%y = memref.load %r[] : memref<f32>
return %y : f32 }
// -----
// load-above-assert
func.func @f(%t: tensor<?xf32>, %i: index, %c: i1) -> f32 {
cf.assert %c, "no"
%x = tensor.extract %t[%i] : tensor<?xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<?xf32>, %i: index, %c: i1) -> f32 {
%x = memref.load %t[%i] : memref<?xf32>
cf.assert %c, "no"
return %x : f32
}
// -----
// div-above-assert
func.func @f(%a: i32, %b: i32) -> i32 {
%z = arith.constant 0 : i32
%c = arith.cmpi ne, %b, %z : i32
cf.assert %c, "zero"
%x = arith.divsi %a, %b : i32
return %x : i32
}
// =>
func.func @f(%a: i32, %b: i32) -> i32 {
%z = arith.constant 0 : i32
%x = arith.divsi %a, %b : i32
%c = arith.cmpi ne, %b, %z : i32
cf.assert %c, "zero"
return %x : i32
}
// -----
// div-above-call
func.func private @p(i32)
func.func @f(%a: i32, %b: i32) -> i32 {
call @p(%b) : (i32) -> ()
%x = arith.divsi %a, %b : i32
return %x : i32
}
// =>
func.func private @p(i32)
func.func @f(%a: i32, %b: i32) -> i32 {
%x = arith.divsi %a, %b : i32
call @p(%b) : (i32) -> ()
return %x : i32
}
// -----
// store-oob-above-call
func.func private @p(i32)
func.func @f(%t: memref<?xi32>, %b: i32, %i: index) -> memref<?xi32> {
call @p(%b) : (i32) -> ()
memref.store %b, %t[%i] : memref<?xi32>
return %t : memref<?xi32>
}
// =>
func.func private @p(i32)
func.func @f(%t: memref<?xi32>, %b: i32, %i: index) -> memref<?xi32> {
%x = memref.load %t[%i] : memref<?xi32>
call @p(%b) : (i32) -> ()
memref.store %b, %t[%i] : memref<?xi32>
return %t : memref<?xi32>
}
// -----
// div-above-while
func.func @f(%a: i32, %b: i32, %m: memref<i1>) -> i32 {
scf.while : () -> () { %c = memref.load %m[] : memref<i1>
 scf.condition(%c) } do { scf.yield }
%x = arith.divsi %a, %b : i32
return %x : i32
}
// =>
func.func @f(%a: i32, %b: i32, %m: memref<i1>) -> i32 {
%x = arith.divsi %a, %b : i32
scf.while : () -> () { %c = memref.load %m[] : memref<i1>
 scf.condition(%c) } do { scf.yield }
return %x : i32
}
// -----
// size-fact-before-call
func.func private @p(index)
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
%c0 = arith.constant 0 : index
%n = tensor.dim %t, %c0 : tensor<?xf32>
%m = tensor.dim %u, %c0 : tensor<?xf32>
call @p(%n) : (index) -> ()
%r = linalg.add ins(%t, %t : tensor<?xf32>, tensor<?xf32>) outs(%u : tensor<?xf32>) -> tensor<?xf32>
return %r : tensor<?xf32>
}
// =>
func.func private @p(index)
func.func @f(%t: memref<?xf32>, %u: memref<?xf32>) -> memref<?xf32> {
%c0 = arith.constant 0 : index
%n = memref.dim %t, %c0 : memref<?xf32>
%m = memref.dim %u, %c0 : memref<?xf32>
call @p(%m) : (index) -> ()
linalg.add ins(%t, %t : memref<?xf32>, memref<?xf32>) outs(%u : memref<?xf32>)
return %u : memref<?xf32>
}
// -----
// load-in-loop-above-call
func.func private @p(f32)
func.func @f(%t: tensor<?xf32>, %n: index, %i: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0.0 : f32
%r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
 func.call @p(%s) : (f32) -> ()
 %x = tensor.extract %t[%i] : tensor<?xf32>
 scf.yield %x : f32 }
return %r : f32
}
// =>
func.func private @p(f32)
func.func @f(%t: memref<?xf32>, %n: index, %i: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0.0 : f32
%r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
 %x = memref.load %t[%i] : memref<?xf32>
 func.call @p(%s) : (f32) -> ()
 scf.yield %x : f32 }
return %r : f32
}
// -----
// load-out-of-generic
func.func @f(%t: tensor<?xf32>, %a: tensor<?xf32>) -> tensor<?xf32> {
%c0 = arith.constant 0 : index
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<?xf32>) { ^bb0(%o: f32):
 %x = tensor.extract %t[%c0] : tensor<?xf32>
 %y = arith.addf %x, %o : f32
 linalg.yield %y : f32 } -> tensor<?xf32>
return %r : tensor<?xf32>
}
// =>
func.func @f(%t: memref<?xf32>, %a: memref<?xf32>) -> memref<?xf32> {
%c0 = arith.constant 0 : index
%x = memref.load %t[%c0] : memref<?xf32>
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<?xf32>) { ^bb0(%o: f32):
 %y = arith.addf %x, %o : f32
 linalg.yield %y : f32 }
return %a : memref<?xf32>
}
// -----
// div-out-of-generic
func.func @f(%p: i32, %q: i32, %a: tensor<?xi32>) -> tensor<?xi32> {
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<?xi32>) { ^bb0(%o: i32):
 %x = arith.divsi %p, %q : i32
 %y = arith.addi %x, %o : i32
 linalg.yield %y : i32 } -> tensor<?xi32>
return %r : tensor<?xi32>
}
// =>
func.func @f(%p: i32, %q: i32, %a: memref<?xi32>) -> memref<?xi32> {
%x = arith.divsi %p, %q : i32
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<?xi32>) { ^bb0(%o: i32):
 %y = arith.addi %x, %o : i32
 linalg.yield %y : i32 }
return %a : memref<?xi32>
}
// -----
// load-out-of-generate
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
%c0 = arith.constant 0 : index
%r = tensor.generate %n { ^bb0(%i: index):
 %x = tensor.extract %t[%c0] : tensor<?xf32>
 tensor.yield %x : f32 } : tensor<?xf32>
return %r : tensor<?xf32>
}
// =>
func.func @f(%t: memref<?xf32>, %n: index) -> memref<?xf32> {
%c0 = arith.constant 0 : index
%x = memref.load %t[%c0] : memref<?xf32>
%a = memref.alloc(%n) : memref<?xf32>
linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
return %a : memref<?xf32>
}
// -----
// div-out-of-forall
func.func @f(%p: i32, %q: i32, %a: tensor<?xi32>, %n: index) -> tensor<?xi32> {
%r = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<?xi32>) {
 %x = arith.divsi %p, %q : i32
 %e = tensor.from_elements %x : tensor<1xi32>
 scf.forall.in_parallel { tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xi32> into tensor<?xi32> } }
return %r : tensor<?xi32>
}
// =>
func.func @f(%p: i32, %q: i32, %a: memref<?xi32>, %n: index) -> memref<?xi32> {
%x = arith.divsi %p, %q : i32
scf.forall (%i) in (%n) { memref.store %x, %a[%i] : memref<?xi32> }
return %a : memref<?xi32>
}
// -----
// div-out-of-parallel-reduce
func.func @f(%q: f32, %p: i32, %d: i32, %n: index, %z: i32) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i32 {
 scf.reduce(%p : i32) { ^bb0(%a: i32, %b: i32):
  %x = arith.divsi %p, %d : i32
  %y = arith.addi %a, %x : i32
  scf.reduce.return %y : i32 } }
return %r : i32
}
// =>
func.func @f(%q: f32, %p: i32, %d: i32, %n: index, %z: i32) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%x = arith.divsi %p, %d : i32
%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i32 {
 scf.reduce(%p : i32) { ^bb0(%a: i32, %b: i32):
  %y = arith.addi %a, %x : i32
  scf.reduce.return %y : i32 } }
return %r : i32
}
// -----
// div-out-of-for
func.func @f(%p: i32, %q: i32, %n: index, %z: i32) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
  %x = arith.divsi %p, %q : i32
  %y = arith.addi %a, %x : i32
  scf.yield %y : i32 }
return %r : i32
}
// =>
func.func @f(%p: i32, %q: i32, %n: index, %z: i32) -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%x = arith.divsi %p, %q : i32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
  %y = arith.addi %a, %x : i32
  scf.yield %y : i32 }
return %r : i32
}
// -----
// div-while-body-to-before
func.func @f(%p: i32, %q: i32, %k: i32) -> i32 {
%r = scf.while (%a = %p) : (i32) -> i32 {
  %c = arith.cmpi slt, %a, %k : i32
  scf.condition(%c) %a : i32 } do { ^bb0(%a: i32):
  %x = arith.divsi %p, %q : i32
  %y = arith.addi %a, %x : i32
  scf.yield %y : i32 }
return %r : i32
}
// =>
func.func @f(%p: i32, %q: i32, %k: i32) -> i32 {
%x = arith.divsi %p, %q : i32
%r = scf.while (%a = %p) : (i32) -> i32 {
  %c = arith.cmpi slt, %a, %k : i32
  scf.condition(%c) %a : i32 } do { ^bb0(%a: i32):
  %y = arith.addi %a, %x : i32
  scf.yield %y : i32 }
return %r : i32
}
// -----
// div-other-loop-same-bounds
func.func private @p(i32)
func.func @f(%p: i32, %q: i32, %n: index, %z: i32) -> (i32, i32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
  func.call @p(%a) : (i32) -> ()
  scf.yield %p : i32 }
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
  %x = arith.divsi %p, %q : i32
  %y = arith.addi %a, %x : i32
  scf.yield %y : i32 }
return %s, %r : i32, i32
}
// =>
func.func private @p(i32)
func.func @f(%p: i32, %q: i32, %n: index, %z: i32) -> (i32, i32) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
  %x = arith.divsi %p, %q : i32
  func.call @p(%a) : (i32) -> ()
  scf.yield %p : i32 }
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
  %x = arith.divsi %p, %q : i32
  %y = arith.addi %a, %x : i32
  scf.yield %y : i32 }
return %s, %r : i32, i32
}
// -----
// mask-reduction-dropped
func.func @f(%v: vector<4xf32>, %m: vector<4xi1>) -> f32 {
%r = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
return %r : f32
}
// =>
func.func @f(%v: vector<4xf32>, %m: vector<4xi1>) -> f32 {
%r = vector.reduction <add>, %v : vector<4xf32> into f32
return %r : f32
}
// -----
// mask-multi-reduction-other
func.func @f(%v: vector<4x4xf32>, %m: vector<4x4xi1>, %k: vector<4x4xi1>, %a: vector<4xf32>) -> vector<4xf32> {
%r = vector.mask %m { vector.multi_reduction <add>, %v, %a [1] : vector<4x4xf32> to vector<4xf32> } : vector<4x4xi1> -> vector<4xf32>
return %r : vector<4xf32>
}
// =>
func.func @f(%v: vector<4x4xf32>, %m: vector<4x4xi1>, %k: vector<4x4xi1>, %a: vector<4xf32>) -> vector<4xf32> {
%r = vector.mask %k { vector.multi_reduction <add>, %v, %a [1] : vector<4x4xf32> to vector<4xf32> } : vector<4x4xi1> -> vector<4xf32>
return %r : vector<4xf32>
}
// -----
// mask-contract-dropped
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>, %a: f32, %m: vector<4xi1>) -> f32 {
%r = vector.mask %m { vector.contract {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %x, %y, %a : vector<4xf32>, vector<4xf32> into f32 } : vector<4xi1> -> f32
return %r : f32
}
// =>
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>, %a: f32, %m: vector<4xi1>) -> f32 {
%r = vector.contract {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %x, %y, %a : vector<4xf32>, vector<4xf32> into f32
return %r : f32
}
// -----
// mask-gather-passthru
func.func @f(%t: tensor<8xf32>, %i: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>, %q: vector<4xf32>) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%r = vector.gather %t[%c0] [%i], %m, %p : tensor<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
return %r : vector<4xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %i: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>, %q: vector<4xf32>) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%r = vector.gather %t[%c0] [%i], %m, %q : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
return %r : vector<4xf32>
}
// -----
// create-mask-other
func.func @f(%t: tensor<8xf32>, %n: index, %v: vector<4xf32>) -> tensor<8xf32> {
%c0 = arith.constant 0 : index
%m = vector.create_mask %n : vector<4xi1>
%r = vector.transfer_write %v, %t[%c0], %m {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
return %r : tensor<8xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %n: index, %v: vector<4xf32>) -> memref<8xf32> {
%c0 = arith.constant 0 : index
%m = vector.constant_mask [4] : vector<4xi1>
vector.transfer_write %v, %t[%c0], %m {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
return %t : memref<8xf32>
}
// -----
// transfer-read-perm-bcast
func.func @f(%t: tensor<4x4xf32>, %p: f32) -> vector<4x4xf32> {
%c0 = arith.constant 0 : index
%r = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : tensor<4x4xf32>, vector<4x4xf32>
return %r : vector<4x4xf32>
}
// =>
func.func @f(%t: memref<4x4xf32>, %p: f32) -> vector<4x4xf32> {
%c0 = arith.constant 0 : index
%r = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<4x4xf32>, vector<4x4xf32>
return %r : vector<4x4xf32>
}
// -----
// expandload-compress
func.func @f(%t: memref<8xf32>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%r = vector.expandload %t[%c0], %m, %p : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
return %r : vector<4xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
%c0 = arith.constant 0 : index
%r = vector.maskedload %t[%c0], %m, %p : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
return %r : vector<4xf32>
}
// -----
// transfer-write-twice-order
func.func @f(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %i: index) -> tensor<8xf32> {
%c2 = arith.constant 2 : index
%a = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
%r = vector.transfer_write %w, %a[%c2] : vector<4xf32>, tensor<8xf32>
return %r : tensor<8xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %i: index) -> memref<8xf32> {
%c2 = arith.constant 2 : index
vector.transfer_write %w, %t[%c2] : vector<4xf32>, memref<8xf32>
vector.transfer_write %v, %t[%i] : vector<4xf32>, memref<8xf32>
return %t : memref<8xf32>
}
// -----
// transfer-inbounds-2d
func.func @f(%t: tensor<?x?xf32>, %v: vector<4x4xf32>, %i: index) -> tensor<?x?xf32> {
%c0 = arith.constant 0 : index
%a = vector.transfer_write %v, %t[%i, %c0] {in_bounds = [true, false]} : vector<4x4xf32>, tensor<?x?xf32>
return %a : tensor<?x?xf32>
}
// =>
func.func @f(%t: memref<?x?xf32>, %v: vector<4x4xf32>, %i: index) -> memref<?x?xf32> {
%c0 = arith.constant 0 : index
vector.transfer_write %v, %t[%i, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<?x?xf32>
return %t : memref<?x?xf32>
}
// -----
// reinterpret-of-subview
func.func @f(%m: memref<8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%r = memref.reinterpret_cast %s to offset: [0], sizes: [1], strides: [1] : memref<2xf32, strided<[1], offset: 2>> to memref<1xf32>
memref.store %v, %m[%c0] : memref<8xf32>
%x = memref.load %r[%c0] : memref<1xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%r = memref.reinterpret_cast %s to offset: [0], sizes: [1], strides: [1] : memref<2xf32, strided<[1], offset: 2>> to memref<1xf32>
%x = memref.load %r[%c0] : memref<1xf32>
memref.store %v, %m[%c0] : memref<8xf32>
return %x : f32
}
// -----
// reinterpret-of-subview-opaque
func.func @f(%m: memref<8x8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = memref.subview %m[2, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: 16>>
%r = memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] : memref<2x2xf32, strided<[8, 1], offset: 16>> to memref<2xf32>
memref.store %v, %m[%c0, %c1] : memref<8x8xf32>
%x = memref.load %r[%c1] : memref<2xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<8x8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = memref.subview %m[2, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: 16>>
%r = memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] : memref<2x2xf32, strided<[8, 1], offset: 16>> to memref<2xf32>
%x = memref.load %r[%c1] : memref<2xf32>
memref.store %v, %m[%c0, %c1] : memref<8x8xf32>
return %x : f32
}
// -----
// reinterpret-write-outside-subview
func.func @f(%m: memref<8x8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = memref.subview %m[2, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: 16>>
%r = memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] : memref<2x2xf32, strided<[8, 1], offset: 16>> to memref<2xf32>
memref.store %v, %r[%c1] : memref<2xf32>
%x = memref.load %m[%c0, %c1] : memref<8x8xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<8x8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%x = memref.load %m[%c0, %c1] : memref<8x8xf32>
%s = memref.subview %m[2, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: 16>>
%r = memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] : memref<2x2xf32, strided<[8, 1], offset: 16>> to memref<2xf32>
memref.store %v, %r[%c1] : memref<2xf32>
return %x : f32
}
// -----
// metadata-base-write
func.func @f(%m: memref<8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%b, %o, %z, %t = memref.extract_strided_metadata %s : memref<2xf32, strided<[1], offset: 2>> -> memref<f32>, index, index, index
%r = memref.reinterpret_cast %b to offset: [1], sizes: [2], strides: [1] : memref<f32> to memref<2xf32, strided<[1], offset: 1>>
memref.store %v, %r[%c0] : memref<2xf32, strided<[1], offset: 1>>
%x = memref.load %m[%c1] : memref<8xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%x = memref.load %m[%c1] : memref<8xf32>
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%b, %o, %z, %t = memref.extract_strided_metadata %s : memref<2xf32, strided<[1], offset: 2>> -> memref<f32>, index, index, index
%r = memref.reinterpret_cast %b to offset: [1], sizes: [2], strides: [1] : memref<f32> to memref<2xf32, strided<[1], offset: 1>>
memref.store %v, %r[%c0] : memref<2xf32, strided<[1], offset: 1>>
return %x : f32
}
// -----
// metadata-negative-fact
func.func @f(%m: memref<8xf32>, %u: memref<2xf32>) -> f32 {
%c0 = arith.constant 0 : index
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%b, %o, %z, %t = memref.extract_strided_metadata %s : memref<2xf32, strided<[1], offset: 2>> -> memref<f32>, index, index, index
%r = memref.reinterpret_cast %b to offset: [1], sizes: [1], strides: [1] : memref<f32> to memref<1xf32, strided<[1], offset: 1>>
%x = memref.load %r[%c0] : memref<1xf32, strided<[1], offset: 1>>
return %x : f32
}
// =>
func.func @f(%m: memref<8xf32>, %u: memref<2xf32>) -> f32 {
%c0 = arith.constant 0 : index
%s = memref.subview %m[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
%b, %o, %z, %t = memref.extract_strided_metadata %s : memref<2xf32, strided<[1], offset: 2>> -> memref<f32>, index, index, index
%r = memref.reinterpret_cast %b to offset: [1], sizes: [1], strides: [1] : memref<f32> to memref<1xf32, strided<[1], offset: 1>>
%x = memref.load %r[%c0] : memref<1xf32, strided<[1], offset: 1>>
%k = arith.constant -1 : index
%y = memref.load %u[%k] : memref<2xf32>
return %x : f32
}
// -----
// stride-zero-argument
func.func @f(%m: memref<4xf32, strided<[0]>>, %a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
memref.store %a, %m[%c0] : memref<4xf32, strided<[0]>>
memref.store %b, %m[%c1] : memref<4xf32, strided<[0]>>
%x = memref.load %m[%c0] : memref<4xf32, strided<[0]>>
return %x : f32
}
// =>
func.func @f(%m: memref<4xf32, strided<[0]>>, %a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
memref.store %a, %m[%c0] : memref<4xf32, strided<[0]>>
memref.store %b, %m[%c1] : memref<4xf32, strided<[0]>>
return %a : f32
}
// -----
// layout-map-aliases
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
%m = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>
memref.store %a, %m[%c0] : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>
memref.store %b, %m[%c2] : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>
%x = memref.load %m[%c0] : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>
return %x : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
return %a : f32
}
// -----
// strides-overlap-argument
func.func @f(%m: memref<4x4xf32, strided<[1, 1]>>, %a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
memref.store %a, %m[%c0, %c1] : memref<4x4xf32, strided<[1, 1]>>
memref.store %b, %m[%c1, %c0] : memref<4x4xf32, strided<[1, 1]>>
%x = memref.load %m[%c0, %c1] : memref<4x4xf32, strided<[1, 1]>>
return %x : f32
}
// =>
func.func @f(%m: memref<4x4xf32, strided<[1, 1]>>, %a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
memref.store %a, %m[%c0, %c1] : memref<4x4xf32, strided<[1, 1]>>
memref.store %b, %m[%c1, %c0] : memref<4x4xf32, strided<[1, 1]>>
return %a : f32
}
// -----
// reinterpret-stride-zero-alloc
func.func @f(%a: f32, %b: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
%m = memref.reinterpret_cast %e to offset: [0], sizes: [4], strides: [0] : memref<4xf32> to memref<4xf32, strided<[0]>>
memref.store %a, %m[%c0] : memref<4xf32, strided<[0]>>
memref.store %b, %m[%c1] : memref<4xf32, strided<[0]>>
%x = memref.load %m[%c0] : memref<4xf32, strided<[0]>>
return %x : f32
}
// =>
func.func @f(%a: f32, %b: f32) -> f32 {
return %a : f32
}
// -----
// expand-wrong-size-dead
func.func @f(%t: tensor<?xf32>, %k: index) -> tensor<?xf32> {
return %t : tensor<?xf32>
}
// =>
func.func @f(%t: memref<?xf32>, %k: index) -> memref<?xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.expand_shape %t [[0, 1]] output_shape [%k, 2] : memref<?xf32> into memref<?x2xf32>
%a = memref.alloc() : memref<1xf32>
scf.for %i = %c0 to %k step %c1 { %x = memref.load %e[%i, %c0] : memref<?x2xf32>
 memref.store %x, %a[%c0] : memref<1xf32> }
return %t : memref<?xf32>
}
// -----
// reshape-wrong-size-dead
func.func @f(%t: tensor<?xf32>, %k: index) -> tensor<?xf32> {
return %t : tensor<?xf32>
}
// =>
func.func @f(%t: memref<?xf32>, %k: index) -> memref<?xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%h = memref.alloc() : memref<1xindex>
memref.store %k, %h[%c0] : memref<1xindex>
%e = memref.reshape %t(%h) : (memref<?xf32>, memref<1xindex>) -> memref<?xf32>
%a = memref.alloc() : memref<1xf32>
scf.for %i = %c0 to %k step %c1 { %x = memref.load %e[%i] : memref<?xf32>
 memref.store %x, %a[%c0] : memref<1xf32> }
return %t : memref<?xf32>
}
// -----
// view-of-argument-outside
func.func @f(%t: tensor<16xi8>) -> tensor<16xi8> {
return %t : tensor<16xi8>
}
// =>
func.func @f(%t: memref<16xi8>) -> memref<16xi8> {
%c3 = arith.constant 3 : index
%c8 = arith.constant 8 : index
%e = memref.view %t[%c8][] : memref<16xi8> to memref<4xf32>
%x = memref.load %e[%c3] : memref<4xf32>
return %t : memref<16xi8>
}
// -----
// view-unaligned
func.func @f(%v: f32) -> f32 {
return %v : f32
}
// =>
func.func @f(%v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<16xi8>
%w = memref.view %e[%c1][] : memref<16xi8> to memref<2xf32>
memref.store %v, %w[%c0] : memref<2xf32>
%x = memref.load %w[%c0] : memref<2xf32>
return %x : f32
}
// -----
// view-shift-loaded
func.func @f(%v: f32, %m: tensor<1xindex>) -> f32 {
return %v : f32
}
// =>
func.func @f(%v: f32, %m: memref<1xindex>) -> f32 {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<16xi8>
%s = memref.load %m[%c0] : memref<1xindex>
%w = memref.view %e[%s][] : memref<16xi8> to memref<2xf32>
memref.store %v, %w[%c0] : memref<2xf32>
return %v : f32
}
// -----
// unranked-cast-claims
func.func @f(%t: tensor<*xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
%x = tensor.extract %a[%c0] : tensor<?xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<*xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c3 = arith.constant 3 : index
%a = memref.cast %t : memref<*xf32> to memref<?xf32>
%x = memref.load %a[%c0] : memref<?xf32>
%b = memref.cast %t : memref<*xf32> to memref<4xf32>
%y = memref.load %b[%c3] : memref<4xf32>
return %x : f32
}
// -----
// unranked-cast-rank
func.func @f(%t: tensor<*xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
%x = tensor.extract %a[%c0] : tensor<?xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<*xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%a = memref.cast %t : memref<*xf32> to memref<?xf32>
%x = memref.load %a[%c0] : memref<?xf32>
%b = memref.cast %t : memref<*xf32> to memref<?x?xf32>
%k = memref.dim %b, %c1 : memref<?x?xf32>
%d = memref.alloc(%k) : memref<?xf32>
return %x : f32
}
// -----
// generic-maps-sizes
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
%r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xf32>) { ^bb0(%x: f32, %y: f32, %z: f32):
 %s = arith.addf %x, %y : f32
 linalg.yield %s : f32 } -> tensor<?x?xf32>
return %r : tensor<?x?xf32>
}
// =>
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %o: memref<?x?xf32>) -> memref<?x?xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = memref.dim %o, %c0 : memref<?x?xf32>
%k = memref.dim %o, %c1 : memref<?x?xf32>
%e = memref.alloc(%n, %k) : memref<?x?xf32>
linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0)>, affine_map<(d0,d1)->(d0)>, affine_map<(d0,d1)->(d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%e : memref<?x?xf32>) { ^bb0(%x: f32, %y: f32, %z: f32):
 %s = arith.addf %x, %y : f32
 linalg.yield %s : f32 }
linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0,d1)>], iterator_types = ["parallel","parallel"]} ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%o : memref<?x?xf32>) { ^bb0(%x: f32, %y: f32, %z: f32):
 %s = arith.addf %x, %y : f32
 linalg.yield %s : f32 }
return %o : memref<?x?xf32>
}
// -----
// matmul-maps-sizes
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
%r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
return %r : tensor<?x?xf32>
}
// =>
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %o: memref<?x?xf32>) -> memref<?x?xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = memref.dim %o, %c0 : memref<?x?xf32>
%k = memref.dim %o, %c1 : memref<?x?xf32>
%e = memref.alloc(%n, %k) : memref<?x?xf32>
linalg.matmul indexing_maps = [affine_map<(d0,d1,d2) -> (d2,d0)>, affine_map<(d0,d1,d2) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>] ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%e : memref<?x?xf32>)
linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%o : memref<?x?xf32>)
return %o : memref<?x?xf32>
}
// -----
// index-floordivs-dead
func.func @f(%a: index, %b: index) -> index {
return %a : index
}
// =>
func.func @f(%a: index, %b: index) -> index {
%x = index.floordivs %a, %b
return %a : index
}
// -----
// index-ceildivu-dead
func.func @f(%a: index, %b: index) -> index {
return %a : index
}
// =>
func.func @f(%a: index, %b: index) -> index {
%x = index.ceildivu %a, %b
return %a : index
}
// -----
// index-ceildivs-dead
func.func @f(%a: index, %b: index) -> index {
return %a : index
}
// =>
func.func @f(%a: index, %b: index) -> index {
%x = index.ceildivs %a, %b
return %a : index
}
// -----
// llvm-sdiv-dead
func.func @f(%a: i32, %b: i32) -> i32 {
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32) -> i32 {
%x = llvm.sdiv %a, %b : i32
return %a : i32
}
// -----
// llvm-urem-dead
func.func @f(%a: i32, %b: i32) -> i32 {
return %a : i32
}
// =>
func.func @f(%a: i32, %b: i32) -> i32 {
%x = llvm.urem %a, %b : i32
return %a : i32
}
// -----
// index-cast-i1-true
func.func @f() -> index {
%t = arith.constant true
%x = arith.index_cast %t : i1 to index
return %x : index
}
// =>
func.func @f() -> index {
%c1 = arith.constant 1 : index
return %c1 : index
}
// -----
// index-castui-i1-true
func.func @f() -> index {
%t = arith.constant true
%x = arith.index_castui %t : i1 to index
return %x : index
}
// =>
func.func @f() -> index {
%m = arith.constant -1 : index
return %m : index
}
// -----
// dim-dynamic-dead
func.func @f(%t: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
return %t : tensor<?x?xf32>
}
// =>
func.func @f(%t: memref<?x?xf32>, %i: index) -> memref<?x?xf32> {
%d = memref.dim %t, %i : memref<?x?xf32>
return %t : memref<?x?xf32>
}
// -----
// cmp-i1-signed
func.func @f() -> i1 {
%t = arith.constant true
%f = arith.constant false
%x = arith.cmpi slt, %t, %f : i1
return %x : i1
}
// =>
func.func @f() -> i1 {
%f = arith.constant false
return %f : i1
}
// -----
// cmp-i1-unsigned-swap
func.func @f(%a: i1) -> i1 {
%f = arith.constant false
%x = arith.cmpi ugt, %a, %f : i1
return %x : i1
}
// =>
func.func @f(%a: i1) -> i1 {
%f = arith.constant false
%x = arith.cmpi sgt, %a, %f : i1
return %x : i1
}
// -----
// extsi-i1
func.func @f(%a: i1) -> i32 {
%x = arith.extsi %a : i1 to i32
return %x : i32
}
// =>
func.func @f(%a: i1) -> i32 {
%z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%x = arith.select %a, %o, %z : i32
return %x : i32
}
// -----
// max-of-plus-one
func.func @f(%i: index) -> index {
%c1 = arith.constant 1 : index
%j = arith.addi %i, %c1 : index
%x = arith.maxsi %i, %j : index
return %x : index
}
// =>
func.func @f(%i: index) -> index {
%c1 = arith.constant 1 : index
%j = arith.addi %i, %c1 : index
return %j : index
}
// -----
// affine-mod-negative
func.func @f(%i: index) -> index {
%x = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
return %x : index
}
// =>
func.func @f(%i: index) -> index {
%c4 = arith.constant 4 : index
%x = arith.remsi %i, %c4 : index
return %x : index
}
// -----
// affine-ceildiv-of-sum
func.func @f(%i: index) -> index {
%x = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%i)
return %x : index
}
// =>
func.func @f(%i: index) -> index {
%c3 = arith.constant 3 : index
%c4 = arith.constant 4 : index
%j = arith.addi %i, %c3 : index
%x = arith.divui %j, %c4 : index
return %x : index
}
// -----
// muli-extended-high
func.func @f(%a: i32, %b: i32) -> i32 {
%l, %h = arith.mulsi_extended %a, %b : i32
return %h : i32
}
// =>
func.func @f(%a: i32, %b: i32) -> i32 {
%l, %h = arith.mului_extended %a, %b : i32
return %h : i32
}
// -----
// shrs-shru
func.func @f(%a: i32) -> i32 {
%k = arith.constant 1 : i32
%x = arith.shrsi %a, %k : i32
return %x : i32
}
// =>
func.func @f(%a: i32) -> i32 {
%k = arith.constant 1 : i32
%x = arith.shrui %a, %k : i32
return %x : i32
}
// -----
// fptosi-fptoui
func.func @f(%a: f32) -> i32 {
%x = arith.fptosi %a : f32 to i32
return %x : i32
}
// =>
func.func @f(%a: f32) -> i32 {
%x = arith.fptoui %a : f32 to i32
return %x : i32
}
// -----
// bitcast-vs-sitofp
func.func @f(%a: i32) -> f32 {
%x = arith.bitcast %a : i32 to f32
return %x : f32
}
// =>
func.func @f(%a: i32) -> f32 {
%x = arith.sitofp %a : i32 to f32
return %x : f32
}
// -----
// float-roundtrip-f64-const
func.func @f(%a: f64) -> f64 {
%x = arith.truncf %a : f64 to f32
%y = arith.extf %x : f32 to f64
return %y : f64
}
// =>
func.func @f(%a: f64) -> f64 {
return %a : f64
}
// -----
// div-by-itself
func.func @f(%a: f32) -> f32 {
%x = arith.divf %a, %a : f32
return %x : f32
}
// =>
func.func @f(%a: f32) -> f32 {
%x = arith.constant 1.0 : f32
return %x : f32
}
// -----
// f16-const-fold
func.func @f() -> f16 {
%a = arith.constant 0.1 : f16
%b = arith.constant 0.2 : f16
%x = arith.addf %a, %b : f16
return %x : f16
}
// =>
func.func @f() -> f16 {
%x = arith.constant 0.3 : f16
return %x : f16
}
// -----
// roundingmode
func.func @f(%a: f64) -> f32 {
%x = arith.truncf %a : f64 to f32
return %x : f32
}
// =>
func.func @f(%a: f64) -> f32 {
%x = arith.truncf %a toward_zero : f64 to f32
return %x : f32
}
// -----
// call-one-buffer-for-two
func.func private @g(%a: memref<2xf32>, %b: memref<2xf32>) {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %one = arith.constant 1.0 : f32
 memref.store %one, %a[%c0] : memref<2xf32>
 %u = memref.load %b[%c0] : memref<2xf32>
 memref.store %u, %b[%c1] : memref<2xf32>
 return }
func.func @f(%v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%a = memref.alloc() : memref<2xf32>
%b = memref.alloc() : memref<2xf32>
linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
linalg.fill ins(%v : f32) outs(%b : memref<2xf32>)
call @g(%a, %b) : (memref<2xf32>, memref<2xf32>) -> ()
%x = memref.load %b[%c1] : memref<2xf32>
return %x : f32
}
// =>
func.func private @g(%a: memref<2xf32>, %b: memref<2xf32>) {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %one = arith.constant 1.0 : f32
 memref.store %one, %a[%c0] : memref<2xf32>
 %u = memref.load %b[%c0] : memref<2xf32>
 memref.store %u, %b[%c1] : memref<2xf32>
 return }
func.func @f(%v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%a = memref.alloc() : memref<2xf32>
linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
call @g(%a, %a) : (memref<2xf32>, memref<2xf32>) -> ()
%x = memref.load %a[%c1] : memref<2xf32>
return %x : f32
}
// -----
// call-overlapping-subviews
func.func private @h(memref<2xf32>, memref<2xf32>)
func.func @f(%v: f32) -> f32 {
%c1 = arith.constant 1 : index
%a = memref.alloc() : memref<2xf32>
%b = memref.alloc() : memref<2xf32>
linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
linalg.fill ins(%v : f32) outs(%b : memref<2xf32>)
call @h(%a, %b) : (memref<2xf32>, memref<2xf32>) -> ()
%x = memref.load %b[%c1] : memref<2xf32>
return %x : f32
}
// =>
func.func private @h(memref<2xf32>, memref<2xf32>)
func.func @f(%v: f32) -> f32 {
%c1 = arith.constant 1 : index
%a = memref.alloc() : memref<2xf32>
linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
call @h(%a, %a) : (memref<2xf32>, memref<2xf32>) -> ()
%x = memref.load %a[%c1] : memref<2xf32>
return %x : f32
}
// -----
// ignored-index
func.func private @g(%i: tensor<1xindex>, %u: tensor<8xf32>) -> f32 {
 %c0 = arith.constant 0 : index
 %k = tensor.extract %i[%c0] : tensor<1xindex>
 %y = tensor.extract %u[%k] : tensor<8xf32>
 %x = tensor.extract %u[%c0] : tensor<8xf32>
 return %x : f32 }
func.func @f(%u: tensor<8xf32>) -> f32 {
%c0 = arith.constant 0 : index
%e = arith.constant dense<0> : tensor<1xindex>
%x = call @g(%e, %u) : (tensor<1xindex>, tensor<8xf32>) -> f32
return %x : f32
}
// =>
func.func private @g(%i: memref<1xindex>, %u: memref<8xf32>) -> f32 {
 %c0 = arith.constant 0 : index
 %k = memref.load %i[%c0] : memref<1xindex>
 %y = memref.load %u[%k] : memref<8xf32>
 %x = memref.load %u[%c0] : memref<8xf32>
 return %x : f32 }
func.func @f(%u: memref<8xf32>) -> f32 {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<1xindex>
%x = call @g(%e, %u) : (memref<1xindex>, memref<8xf32>) -> f32
return %x : f32
}
// -----
// ignored-divisor
func.func private @g(%i: tensor<1xi32>, %u: i32) -> i32 {
 %c0 = arith.constant 0 : index
 %k = tensor.extract %i[%c0] : tensor<1xi32>
 %y = arith.divsi %u, %k : i32
 return %u : i32 }
func.func @f(%u: i32) -> i32 {
%c0 = arith.constant 0 : index
%e = arith.constant dense<1> : tensor<1xi32>
%x = call @g(%e, %u) : (tensor<1xi32>, i32) -> i32
return %x : i32
}
// =>
func.func private @g(%i: memref<1xi32>, %u: i32) -> i32 {
 %c0 = arith.constant 0 : index
 %k = memref.load %i[%c0] : memref<1xi32>
 %y = arith.divsi %u, %k : i32
 return %u : i32 }
func.func @f(%u: i32) -> i32 {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<1xi32>
%x = call @g(%e, %u) : (memref<1xi32>, i32) -> i32
return %x : i32
}
// -----
// indirect-call-global
memref.global @s : memref<1xi32> = dense<1>
func.func @f(%fp: () -> ()) -> i32 {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
%x = memref.load %g[%c0] : memref<1xi32>
call_indirect %fp() : () -> ()
%y = memref.load %g[%c0] : memref<1xi32>
return %y : i32
}
// =>
memref.global @s : memref<1xi32> = dense<1>
func.func @f(%fp: () -> ()) -> i32 {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
%x = memref.load %g[%c0] : memref<1xi32>
call_indirect %fp() : () -> ()
return %x : i32
}
// -----
// call-global-arg
memref.global "private" @s : memref<1xi32> = dense<1>
func.func private @g(%a: memref<1xi32>) -> i32 {
 %c0 = arith.constant 0 : index
 %k = arith.constant 7 : i32
 %g = memref.get_global @s : memref<1xi32>
 memref.store %k, %g[%c0] : memref<1xi32>
 %x = memref.load %a[%c0] : memref<1xi32>
 return %x : i32 }
func.func @f(%v: i32) -> i32 {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
%a = memref.alloc() : memref<1xi32>
memref.store %v, %g[%c0] : memref<1xi32>
memref.store %v, %a[%c0] : memref<1xi32>
%x = call @g(%a) : (memref<1xi32>) -> i32
return %x : i32
}
// =>
memref.global "private" @s : memref<1xi32> = dense<1>
func.func private @g(%a: memref<1xi32>) -> i32 {
 %c0 = arith.constant 0 : index
 %k = arith.constant 7 : i32
 %g = memref.get_global @s : memref<1xi32>
 memref.store %k, %g[%c0] : memref<1xi32>
 %x = memref.load %a[%c0] : memref<1xi32>
 return %x : i32 }
func.func @f(%v: i32) -> i32 {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
memref.store %v, %g[%c0] : memref<1xi32>
%x = call @g(%g) : (memref<1xi32>) -> i32
return %x : i32
}
// -----
// recursion-writes-argument
func.func private @g(%t: tensor<4xf32>, %n: index, %v: f32) -> tensor<4xf32> {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %c = arith.cmpi eq, %n, %c0 : index
 %r = scf.if %c -> (tensor<4xf32>) { scf.yield %t : tensor<4xf32> } else {
  %m = arith.subi %n, %c1 : index
  %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
  %q = func.call @g(%u, %m, %v) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  scf.yield %q : tensor<4xf32> }
 return %r : tensor<4xf32> }
func.func @f(%t: tensor<4xf32>, %n: index, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = call @g(%t, %n, %v) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func private @g(%t: memref<4xf32>, %n: index, %v: f32) -> memref<4xf32> {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %c = arith.cmpi eq, %n, %c0 : index
 %r = scf.if %c -> (memref<4xf32>) { scf.yield %t : memref<4xf32> } else {
  %m = arith.subi %n, %c1 : index
  memref.store %v, %t[%c0] : memref<4xf32>
  %q = func.call @g(%t, %m, %v) : (memref<4xf32>, index, f32) -> memref<4xf32>
  scf.yield %q : memref<4xf32> }
 return %r : memref<4xf32> }
func.func @f(%t: memref<4xf32>, %n: index, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = call @g(%t, %n, %v) : (memref<4xf32>, index, f32) -> memref<4xf32>
%x = memref.load %t[%c0] : memref<4xf32>
return %x : f32
}
// -----
// recursion-fewer-steps
func.func private @g(%n: index) -> index {
 %c0 = arith.constant 0 : index
 %c1 = arith.constant 1 : index
 %c = arith.cmpi eq, %n, %c0 : index
 %r = scf.if %c -> (index) { scf.yield %c0 : index } else {
  %m = arith.subi %n, %c1 : index
  %q = func.call @g(%m) : (index) -> index
  scf.yield %q : index }
 return %r : index }
func.func @f(%n: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = call @g(%n) : (index) -> index
return %r : index
}
// =>
func.func private @g(%n: index) -> index {
 %c0 = arith.constant 0 : index
 return %c0 : index }
func.func @f(%n: index) -> index {
%c0 = arith.constant 0 : index
%r = call @g(%n) : (index) -> index
return %r : index
}
// -----
// result-index-of-private-callee
func.func private @g(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
 %c0 = arith.constant 0 : index
 %v = arith.constant 1.0 : f32
 %r = tensor.insert %v into %t[%c0] : tensor<4xf32>
 return %r, %t : tensor<4xf32>, tensor<4xf32> }
func.func @f(%t: tensor<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a, %b = call @g(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
%x = tensor.extract %a[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func private @g(%t: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
 %c0 = arith.constant 0 : index
 %v = arith.constant 1.0 : f32
 %m = memref.alloc() : memref<4xf32>
 memref.copy %t, %m : memref<4xf32> to memref<4xf32>
 memref.store %v, %m[%c0] : memref<4xf32>
 return %m, %t : memref<4xf32>, memref<4xf32> }
func.func @f(%t: memref<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a, %b = call @g(%t) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-promises-llvm.noalias
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32> {llvm.noalias}, %b: memref<4xf32> {llvm.noalias}, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-promises-llvm.readonly
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32> {llvm.readonly}, %b: memref<4xf32> {llvm.readonly}, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-promises-llvm.nonnull
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32> {llvm.nonnull}, %b: memref<4xf32> {llvm.nonnull}, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-promises-llvm.align
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32> {llvm.align = 64 : i64}, %b: memref<4xf32> {llvm.align = 64 : i64}, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-promises-llvm.dereferenceable
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32> {llvm.dereferenceable = 64 : i64}, %b: memref<4xf32> {llvm.dereferenceable = 64 : i64}, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-promises-llvm.nofree
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32> {llvm.nofree}, %b: memref<4xf32> {llvm.nofree}, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
return %x : f32
}
// -----
// definition-noreturn
func.func @f(%a: i32) -> i32 { return %a : i32 }
// =>
func.func @f(%a: i32) -> i32 attributes {passthrough = ["noreturn"]} { return %a : i32 }
// -----
// definition-readnone
memref.global "private" @s : memref<1xi32> = dense<1>
func.func @f(%a: i32) { %c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
memref.store %a, %g[%c0] : memref<1xi32>
return }
// =>
memref.global "private" @s : memref<1xi32> = dense<1>
func.func @f(%a: i32) attributes {llvm.readnone} { %c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
memref.store %a, %g[%c0] : memref<1xi32>
return }
// -----
// c-interface-dropped
func.func @f(%a: i32) -> i32 attributes {llvm.emit_c_interface} { return %a : i32 }
// =>
func.func @f(%a: i32) -> i32 { return %a : i32 }
// -----
// linkage-internal
func.func @f(%a: i32) -> i32 { return %a : i32 }
// =>
func.func @f(%a: i32) -> i32 attributes {llvm.linkage = #llvm.linkage<internal>} { return %a : i32 }
// -----
// data-layout-changed
module { func.func @f(%a: index) -> index { %c = arith.constant 1 : index 
 %r = arith.addi %a, %c : index 
 return %r : index } }
// =>
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} { func.func @f(%a: index) -> index { %c = arith.constant 1 : index 
 %r = arith.addi %a, %c : index 
 return %r : index } }
// -----
// target-triple-changed
module attributes {llvm.target_triple = "x86_64-unknown-linux"} { func.func @f(%a: index) -> index { return %a : index } }
// =>
module attributes {llvm.target_triple = "i386-unknown-linux"} { func.func @f(%a: index) -> index { return %a : index } }
// -----
// module-renamed
module @a { func.func @f(%a: index) -> index { return %a : index } }
// =>
module @b { func.func @f(%a: index) -> index { return %a : index } }
// -----
// nested-module-inner-renamed
module { module @a { func.func @f(%a: index) -> index { return %a : index } } }
// =>
module { module @b { func.func @f(%a: index) -> index { return %a : index } } }
// -----
// function-nested-visibility
module @m { func.func nested @f(%a: index) -> index { return %a : index } }
// =>
module @m { func.func private @f(%a: index) -> index { return %a : index } }
// -----
// argument-attribute-result
func.func private @h(tensor<4xf32>) -> (tensor<4xf32> {bufferization.owned = false})
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { %r = call @h(%t) : (tensor<4xf32>) -> tensor<4xf32> 
 return %r : tensor<4xf32> }
// =>
func.func private @h(memref<4xf32>) -> memref<4xf32>
func.func @f(%t: memref<4xf32>) -> memref<4xf32> { %r = call @h(%t) : (memref<4xf32>) -> memref<4xf32> 
 return %r : memref<4xf32> }
// -----
// clone-then-write-source
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%x = memref.load %m[%c0] : memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%k = bufferization.clone %m : memref<4xf32> to memref<4xf32>
memref.store %v, %m[%c0] : memref<4xf32>
%x = memref.load %k[%c0] : memref<4xf32>
return %x : f32
}
// -----
// clone-then-write-clone
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%x = memref.load %m[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%k = bufferization.clone %m : memref<4xf32> to memref<4xf32>
memref.store %v, %k[%c0] : memref<4xf32>
%x = memref.load %m[%c0] : memref<4xf32>
return %x : f32
}
// -----
// clone-written-in-loop
func.func @f(%t: tensor<4xf32>, %v: f32, %n: index) -> (f32, tensor<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
 %y = tensor.insert %v into %x[%c0] : tensor<4xf32>
 scf.yield %y : tensor<4xf32> }
%z = tensor.extract %t[%c0] : tensor<4xf32>
return %z, %r : f32, tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %n: index) -> (f32, memref<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%k = bufferization.clone %t : memref<4xf32> to memref<4xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %k) -> (memref<4xf32>) {
 memref.store %v, %x[%c0] : memref<4xf32>
 scf.yield %x : memref<4xf32> }
%z = memref.load %t[%c0] : memref<4xf32>
return %z, %r : f32, memref<4xf32>
}
// -----
// clone-passed-to-writer
func.func private @g(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
 %c0 = arith.constant 0 : index
 %r = tensor.insert %v into %t[%c0] : tensor<4xf32>
 return %r : tensor<4xf32> }
func.func @f(%t: tensor<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%y = call @g(%t, %v) : (tensor<4xf32>, f32) -> tensor<4xf32>
%z = tensor.extract %t[%c0] : tensor<4xf32>
return %z : f32
}
// =>
func.func private @g(%t: memref<4xf32>, %v: f32) -> memref<4xf32> {
 %c0 = arith.constant 0 : index
 memref.store %v, %t[%c0] : memref<4xf32>
 return %t : memref<4xf32> }
func.func @f(%t: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%k = bufferization.clone %t : memref<4xf32> to memref<4xf32>
%y = call @g(%k, %v) : (memref<4xf32>, f32) -> memref<4xf32>
%z = memref.load %t[%c0] : memref<4xf32>
return %z : f32
}
// -----
// free-to-buffer
func.func @f(%t: tensor<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: tensor<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
memref.dealloc %b : memref<4xf32>
return %x : f32
}
// -----
// free-to-buffer-then-use
func.func @f(%t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x, %t : f32, tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
%c0 = arith.constant 0 : index
%b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
%x = memref.load %b[%c0] : memref<4xf32>
memref.dealloc %b : memref<4xf32>
return %x, %t : f32, tensor<4xf32>
}
// -----
// free-conditional-then-read
func.func @f(%t: tensor<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %t, %e : memref<4xf32> to memref<4xf32>
bufferization.dealloc (%e : memref<4xf32>) if (%c)
%x = memref.load %e[%c0] : memref<4xf32>
%n = arith.constant true
%d = arith.xori %c, %n : i1
bufferization.dealloc (%e : memref<4xf32>) if (%d)
return %x : f32
}
// -----
// free-by-pointer-comparison
func.func @f(%v: f32) -> i1 {
%x = arith.constant false
return %x : i1
}
// =>
func.func @f(%v: f32) -> i1 {
%a = memref.alloc() : memref<4xf32>
%p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
memref.dealloc %a : memref<4xf32>
%b = memref.alloc() : memref<4xf32>
%q = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
%x = arith.cmpi eq, %p, %q : index
memref.dealloc %b : memref<4xf32>
return %x : i1
}
// -----
// free-callee-result-shared
func.func private @g(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
 %c0 = arith.constant 0 : index
 %v = arith.constant 1.0 : f32
 %r = tensor.insert %v into %t[%c0] : tensor<4xf32>
 return %r, %r : tensor<4xf32>, tensor<4xf32> }
func.func @f(%t: tensor<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a, %b = call @g(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
%x = tensor.extract %a[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func private @g(%t: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
 %c0 = arith.constant 0 : index
 %v = arith.constant 1.0 : f32
 %m = memref.alloc() : memref<4xf32>
 memref.copy %t, %m : memref<4xf32> to memref<4xf32>
 memref.store %v, %m[%c0] : memref<4xf32>
 return %m, %m : memref<4xf32>, memref<4xf32> }
func.func @f(%t: memref<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a, %b = call @g(%t) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
%x = memref.load %a[%c0] : memref<4xf32>
memref.dealloc %a : memref<4xf32>
memref.dealloc %b : memref<4xf32>
return %x : f32
}
// -----
// free-callee-constant-global
func.func private @g() -> tensor<4xf32> {
 %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
 return %v : tensor<4xf32> }
func.func @f() -> f32 {
%c0 = arith.constant 0 : index
%a = call @g() : () -> tensor<4xf32>
%x = tensor.extract %a[%c0] : tensor<4xf32>
return %x : f32
}
// =>
memref.global "private" constant @k : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @g() -> memref<4xf32> {
 %v = memref.get_global @k : memref<4xf32>
 return %v : memref<4xf32> }
func.func @f() -> f32 {
%c0 = arith.constant 0 : index
%a = call @g() : () -> memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
memref.dealloc %a : memref<4xf32>
return %x : f32
}
// -----
// free-callee-mutable-global
memref.global "private" @k : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @g() -> memref<4xf32> {
 %v = memref.get_global @k : memref<4xf32>
 return %v : memref<4xf32> }
func.func @f() -> f32 {
%c0 = arith.constant 0 : index
%a = call @g() : () -> memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
return %x : f32
}
// =>
memref.global "private" @k : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @g() -> memref<4xf32> {
 %v = memref.get_global @k : memref<4xf32>
 return %v : memref<4xf32> }
func.func @f() -> f32 {
%c0 = arith.constant 0 : index
%a = call @g() : () -> memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
memref.dealloc %a : memref<4xf32>
return %x : f32
}
// -----
// free-loop-result-zero-trip
func.func @f(%t: tensor<4xf32>, %n: index, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
 %e = tensor.empty() : tensor<4xf32>
 %f = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
 scf.yield %f : tensor<4xf32> }
%x = tensor.extract %r[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %n: index, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (memref<4xf32>) {
 linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
 scf.yield %e : memref<4xf32> }
%x = memref.load %r[%c0] : memref<4xf32>
memref.dealloc %r : memref<4xf32>
return %x : f32
}
// -----
// free-in-one-switch-case
func.func @f(%t: tensor<4xf32>, %k: index) -> f32 {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %k: index) -> f32 {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %t, %e : memref<4xf32> to memref<4xf32>
%x = memref.load %e[%c0] : memref<4xf32>
scf.index_switch %k
case 0 { memref.dealloc %e : memref<4xf32>
 scf.yield }
case 1 { memref.dealloc %e : memref<4xf32>
 scf.yield }
default { scf.yield }
return %x : f32
}
// -----
// free-while-condition-region
func.func @f(%t: tensor<4xf32>, %n: i32) -> f32 {
%c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%r = scf.while (%a = %z) : (i32) -> i32 {
 %c = arith.cmpi slt, %a, %n : i32
 scf.condition(%c) %a : i32 } do { ^bb0(%a: i32):
 %b = arith.addi %a, %one : i32
 scf.yield %b : i32 }
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %n: i32) -> f32 {
%c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%e = memref.alloc() : memref<4xf32>
memref.copy %t, %e : memref<4xf32> to memref<4xf32>
%r = scf.while (%a = %z) : (i32) -> i32 {
 %c = arith.cmpi slt, %a, %n : i32
 scf.condition(%c) %a : i32 } do { ^bb0(%a: i32):
 %b = arith.addi %a, %one : i32
 %l = arith.cmpi eq, %b, %n : i32
 scf.if %l { memref.dealloc %e : memref<4xf32> }
 scf.yield %b : i32 }
%x = memref.load %t[%c0] : memref<4xf32>
return %x : f32
}
// -----
// realloc-used-after
func.func @f(%t: tensor<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %t, %e : memref<4xf32> to memref<4xf32>
%s = memref.subview %e[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
%r = memref.realloc %e(%n) : memref<4xf32> to memref<?xf32>
%x = memref.load %s[%c0] : memref<2xf32, strided<[1]>>
memref.dealloc %r : memref<?xf32>
return %x : f32
}
// -----
// realloc-in-parallel
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
return %t : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xf32>
scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
 memref.dealloc %e : memref<4xf32> }
return %t : memref<4xf32>
}
// -----
// alloca-freed-scope-if
func.func @f(%t: tensor<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%r = scf.if %c -> (memref<4xf32>) { 
 %q = memref.alloca_scope -> (memref<4xf32>) {
  %e = memref.alloca() : memref<4xf32>
  memref.copy %t, %e : memref<4xf32> to memref<4xf32>
  memref.alloca_scope.return %e : memref<4xf32> }
 scf.yield %q : memref<4xf32> } else { scf.yield %t : memref<4xf32> }
%x = memref.load %r[%c0] : memref<4xf32>
return %x : f32
}
// -----
// alloca-out-of-forall-body
func.func @f(%t: tensor<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%h = memref.alloc() : memref<1xf32>
%r = scf.for %i = %c0 to %c2 step %c1 iter_args(%q = %t) -> (memref<4xf32>) {
 %e = memref.alloca() : memref<4xf32>
 memref.copy %q, %e : memref<4xf32> to memref<4xf32>
 scf.yield %e : memref<4xf32> }
%x = memref.load %r[%c0] : memref<4xf32>
return %x : f32
}
// -----
// dealloc-order-use
func.func @f(%t: tensor<4xf32>) -> f32 {
%c1 = arith.constant 1 : index
%x = tensor.extract %t[%c1] : tensor<4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>) -> f32 {
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %t, %e : memref<4xf32> to memref<4xf32>
%r = memref.cast %e : memref<4xf32> to memref<*xf32>
memref.dealloc %r : memref<*xf32>
%x = memref.load %e[%c1] : memref<4xf32>
return %x : f32
}
// -----
// freed-then-passed-to-callee
func.func private @p(f32)
func.func @f(%t: tensor<4xf32>) -> f32 {
%c1 = arith.constant 1 : index
%x = tensor.extract %t[%c1] : tensor<4xf32>
call @p(%x) : (f32) -> ()
return %x : f32
}
// =>
func.func private @p(f32)
func.func private @q(%e: memref<4xf32>, %x: f32) { %c0 = arith.constant 0 : index 
 memref.store %x, %e[%c0] : memref<4xf32> 
 return }
func.func @f(%t: memref<4xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
memref.copy %t, %e : memref<4xf32> to memref<4xf32>
%x = memref.load %e[%c1] : memref<4xf32>
memref.dealloc %e : memref<4xf32>
call @q(%e, %x) : (memref<4xf32>, f32) -> ()
call @p(%x) : (f32) -> ()
return %x : f32
}
// -----
// atomic-hides-scratch-race
func.func @f(%t: memref<8xf32>, %v: memref<8xf32>, %s: memref<1xf32>) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
 %q = memref.load %v[%i] : memref<8xf32>
 %o = memref.atomic_rmw addf %q, %s[%c0] : (f32, memref<1xf32>) -> f32
 memref.store %q, %t[%i] : memref<8xf32> }
return
}
// =>
func.func @f(%t: memref<8xf32>, %v: memref<8xf32>, %s: memref<1xf32>) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%e = memref.alloc() : memref<1xf32>
scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
 %q = memref.load %v[%i] : memref<8xf32>
 %o = memref.atomic_rmw addf %q, %s[%c0] : (f32, memref<1xf32>) -> f32
 memref.store %q, %e[%c0] : memref<1xf32>
 %r = memref.load %e[%c0] : memref<1xf32>
 memref.store %r, %t[%i] : memref<8xf32> }
return
}
// -----
// atomic-plain-other
func.func @f(%s: memref<1xf32>, %v: f32) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
 %o = memref.atomic_rmw assign %v, %s[%c0] : (f32, memref<1xf32>) -> f32 }
return
}
// =>
func.func @f(%s: memref<1xf32>, %v: f32) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%e = memref.alloc() : memref<1xf32>
scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
 memref.store %v, %e[%c0] : memref<1xf32>
 %o = memref.atomic_rmw assign %v, %s[%c0] : (f32, memref<1xf32>) -> f32 }
return
}
// -----
// parallel-2d-race
func.func @f(%t: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<4x4xf32> {
%r = scf.forall (%i, %j) in (4, 4) shared_outs(%x = %t) -> (tensor<4x4xf32>) {
 %s = tensor.extract_slice %v[%i, %j] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
 scf.forall.in_parallel { tensor.parallel_insert_slice %s into %x[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32> } }
return %r : tensor<4x4xf32>
}
// =>
func.func @f(%t: memref<4x4xf32>, %v: memref<4x4xf32>) -> memref<4x4xf32> {
%c0 = arith.constant 0 : index
%e = memref.alloc() : memref<4x1xf32>
scf.forall (%i, %j) in (4, 4) {
 %q = memref.load %v[%i, %j] : memref<4x4xf32>
 memref.store %q, %e[%i, %c0] : memref<4x1xf32>
 %w = memref.load %e[%i, %c0] : memref<4x1xf32>
 memref.store %w, %t[%i, %j] : memref<4x4xf32> }
return %t : memref<4x4xf32>
}
// -----
// parallel-call-writes-scratch
func.func private @g(%e: tensor<1xf32>, %q: f32) -> tensor<1xf32> {
 %r = linalg.fill ins(%q : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
 return %r : tensor<1xf32> }
func.func @f(%t: tensor<8xf32>, %v: tensor<8xf32>) -> tensor<8xf32> {
%r = scf.forall (%i) in (8) shared_outs(%x = %t) -> (tensor<8xf32>) {
 %q = tensor.extract %v[%i] : tensor<8xf32>
 %e = tensor.empty() : tensor<1xf32>
 %s = func.call @g(%e, %q) : (tensor<1xf32>, f32) -> tensor<1xf32>
 scf.forall.in_parallel { tensor.parallel_insert_slice %s into %x[%i] [1] [1] : tensor<1xf32> into tensor<8xf32> } }
return %r : tensor<8xf32>
}
// =>
func.func private @g(%e: memref<1xf32>, %q: f32) -> memref<1xf32> {
 linalg.fill ins(%q : f32) outs(%e : memref<1xf32>)
 return %e : memref<1xf32> }
func.func @f(%t: memref<8xf32>, %v: memref<8xf32>) -> memref<8xf32> {
%e = memref.alloc() : memref<1xf32>
scf.forall (%i) in (8) {
 %q = memref.load %v[%i] : memref<8xf32>
 %s = func.call @g(%e, %q) : (memref<1xf32>, f32) -> memref<1xf32>
 %d = memref.subview %t[%i] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
 memref.copy %s, %d : memref<1xf32> to memref<1xf32, strided<[1], offset: ?>> }
return %t : memref<8xf32>
}
// -----
// parallel-reads-neighbour
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
%r = scf.forall (%i) in (7) shared_outs(%x = %t) -> (tensor<8xf32>) {
 %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
 %s = tensor.extract_slice %t[%j] [1] [1] : tensor<8xf32> to tensor<1xf32>
 scf.forall.in_parallel { tensor.parallel_insert_slice %s into %x[%i] [1] [1] : tensor<1xf32> into tensor<8xf32> } }
return %r : tensor<8xf32>
}
// =>
func.func @f(%t: memref<8xf32>) -> memref<8xf32> {
scf.forall (%i) in (7) {
 %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
 %s = memref.load %t[%j] : memref<8xf32>
 memref.store %s, %t[%i] : memref<8xf32> }
return %t : memref<8xf32>
}
// -----
// forall-step-overlap
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
%r = scf.forall (%i) = (0) to (8) step (2) shared_outs(%x = %t) -> (tensor<8xf32>) {
 %e = tensor.empty() : tensor<2xf32>
 %s = linalg.fill ins(%v : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
 scf.forall.in_parallel { tensor.parallel_insert_slice %s into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32> } }
return %r : tensor<8xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %v: f32) -> memref<8xf32> {
scf.forall (%i) = (0) to (8) step (1) {
 %k = affine.min affine_map<(d0) -> (d0, 6)>(%i)
 %s = memref.subview %t[%k] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
 linalg.fill ins(%v : f32) outs(%s : memref<2xf32, strided<[1], offset: ?>>) }
return %t : memref<8xf32>
}
// -----
// parallel-order-of-prints
func.func @f(%n: index) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { vector.print %i : index }
return
}
// =>
func.func @f(%n: index) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.parallel (%i) = (%c0) to (%n) step (%c1) { vector.print %i : index }
return
}
// -----
// reduce-order-float
func.func @f(%n: index, %v: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0.0 : f32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) { %q = memref.load %v[%i] : memref<?xf32>
 %b = arith.addf %a, %q : f32
 scf.yield %b : f32 }
return %r : f32
}
// =>
func.func @f(%n: index, %v: memref<?xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0.0 : f32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) { %t = arith.subi %n, %c1 : index
 %k = arith.subi %t, %i : index
 %q = memref.load %v[%k] : memref<?xf32>
 %b = arith.addf %a, %q : f32
 scf.yield %b : f32 }
return %r : f32
}
// -----
// reduce-empty-dim-init
func.func @f(%a: tensor<4x?xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel","reduction"]} ins(%a : tensor<4x?xf32>) outs(%o : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4x?xf32>, %o: memref<4xf32>) -> memref<4xf32> {
%e = memref.alloc() : memref<4xf32>
linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel","reduction"]} ins(%a : memref<4x?xf32>) outs(%e : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
return %e : memref<4xf32>
}
// -----
// window-empty-init
func.func @f(%a: tensor<?xf32>, %w: tensor<?xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0+d1)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel","reduction"]} ins(%a, %w : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<4xf32>) { ^bb0(%x: f32, %z: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<?xf32>, %w: memref<?xf32>, %o: memref<4xf32>) -> memref<4xf32> {
%e = memref.alloc() : memref<4xf32>
linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0+d1)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel","reduction"]} ins(%a, %w : memref<?xf32>, memref<?xf32>) outs(%e : memref<4xf32>) { ^bb0(%x: f32, %z: f32, %y: f32): linalg.yield %x : f32 }
return %e : memref<4xf32>
}
// -----
// strided-output-map
func.func @f(%a: tensor<2xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0 * 2)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%o : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<2xf32>, %o: memref<4xf32>) -> memref<4xf32> {
%e = memref.alloc() : memref<4xf32>
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0 * 2)>], iterator_types = ["parallel"]} ins(%a : memref<2xf32>) outs(%e : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
return %e : memref<4xf32>
}
// -----
// constant-output-map
func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(0)>], iterator_types = ["reduction"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
%e = memref.alloc() : memref<4xf32>
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(0)>], iterator_types = ["reduction"]} ins(%a : memref<4xf32>) outs(%e : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
return %e : memref<4xf32>
}
// -----
// generic-two-outputs-swapped
func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
%r, %s = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} outs(%a, %o : tensor<4xf32>, tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y, %x : f32, f32 } -> (tensor<4xf32>, tensor<4xf32>)
return %r, %s : tensor<4xf32>, tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
memref.copy %a, %o : memref<4xf32> to memref<4xf32>
return %o, %a : memref<4xf32>, memref<4xf32>
}
// -----
// generic-outer-read-in-place
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
%c3 = arith.constant 3 : index
%r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) { ^bb0(%x: f32):
 %i = linalg.index 0 : index
 %j = arith.subi %c3, %i : index
 %y = tensor.extract %a[%j] : tensor<4xf32>
 linalg.yield %y : f32 } -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
%c3 = arith.constant 3 : index
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} outs(%a : memref<4xf32>) { ^bb0(%x: f32):
 %i = linalg.index 0 : index
 %j = arith.subi %c3, %i : index
 %y = memref.load %a[%j] : memref<4xf32>
 linalg.yield %y : f32 }
return %a : memref<4xf32>
}
// -----
// softmax-in-place
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
%e = tensor.empty() : tensor<4x4xf32>
%r = linalg.softmax dimension(1) ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
return %r : tensor<4x4xf32>
}
// =>
func.func @f(%a: memref<4x4xf32>) -> memref<4x4xf32> {
linalg.softmax dimension(1) ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
return %a : memref<4x4xf32>
}
// -----
// reduce-in-place-wrong-dim
func.func @f(%a: tensor<4x4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.reduce ins(%a : tensor<4x4xf32>) outs(%o : tensor<4xf32>) dimensions = [0] (%x: f32, %y: f32) { %z = arith.addf %x, %y : f32
 linalg.yield %z : f32 }
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4x4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
linalg.reduce ins(%a : memref<4x4xf32>) outs(%o : memref<4xf32>) dimensions = [1] (%x: f32, %y: f32) { %z = arith.addf %x, %y : f32
 linalg.yield %z : f32 }
return %o : memref<4xf32>
}
// -----
// broadcast-dims
func.func @f(%a: tensor<4xf32>) -> tensor<4x4xf32> {
%e = tensor.empty() : tensor<4x4xf32>
%r = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
return %r : tensor<4x4xf32>
}
// =>
func.func @f(%a: memref<4xf32>) -> memref<4x4xf32> {
%e = memref.alloc() : memref<4x4xf32>
linalg.broadcast ins(%a : memref<4xf32>) outs(%e : memref<4x4xf32>) dimensions = [1]
return %e : memref<4x4xf32>
}
// -----
// conv-strides-dropped
func.func @f(%a: tensor<1x8x1xf32>, %k: tensor<2x1x1xf32>, %o: tensor<1x4x1xf32>) -> tensor<1x4x1xf32> {
%r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>} ins(%a, %k : tensor<1x8x1xf32>, tensor<2x1x1xf32>) outs(%o : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
return %r : tensor<1x4x1xf32>
}
// =>
func.func @f(%a: memref<1x8x1xf32>, %k: memref<2x1x1xf32>, %o: memref<1x4x1xf32>) -> memref<1x4x1xf32> {
linalg.conv_1d_nwc_wcf {strides = dense<1> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>} ins(%a, %k : memref<1x8x1xf32>, memref<2x1x1xf32>) outs(%o : memref<1x4x1xf32>)
return %o : memref<1x4x1xf32>
}
// -----
// elementwise-kind
func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
return %o : memref<4xf32>
}
// -----
// matmul-cast-unsigned
func.func @f(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>, %o: tensor<4x4xi32>) -> tensor<4x4xi32> {
%r = linalg.matmul ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%o : tensor<4x4xi32>) -> tensor<4x4xi32>
return %r : tensor<4x4xi32>
}
// =>
func.func @f(%a: memref<4x4xi8>, %b: memref<4x4xi8>, %o: memref<4x4xi32>) -> memref<4x4xi32> {
linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<4x4xi8>, memref<4x4xi8>) outs(%o : memref<4x4xi32>)
return %o : memref<4x4xi32>
}
// -----
// div-unsigned-signed
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %o: tensor<4xi32>) -> tensor<4xi32> {
%r = linalg.div ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%o : tensor<4xi32>) -> tensor<4xi32>
return %r : tensor<4xi32>
}
// =>
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>, %o: memref<4xi32>) -> memref<4xi32> {
linalg.div_unsigned ins(%a, %b : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>)
return %o : memref<4xi32>
}
// -----
// linalg-div-dead
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
return %a : tensor<4xi32>
}
// =>
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) -> memref<4xi32> {
%o = memref.alloc() : memref<4xi32>
linalg.div ins(%a, %b : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>)
return %a : memref<4xi32>
}
// -----
// linalg-div-dead-after
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %c: i1) -> tensor<4xi32> {
%r = scf.if %c -> (tensor<4xi32>) {
 %o = tensor.empty() : tensor<4xi32>
 %q = linalg.div ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%o : tensor<4xi32>) -> tensor<4xi32>
 scf.yield %q : tensor<4xi32> } else { scf.yield %a : tensor<4xi32> }
return %r : tensor<4xi32>
}
// =>
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1) -> memref<4xi32> {
%o = memref.alloc() : memref<4xi32>
linalg.div ins(%a, %b : memref<4xi32>, memref<4xi32>) outs(%o : memref<4xi32>)
%r = arith.select %c, %o, %a : memref<4xi32>
return %r : memref<4xi32>
}
// -----
// generic-div-body-dead
func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {
return %a : tensor<?xi32>
}
// =>
func.func @f(%a: memref<?xi32>) -> memref<?xi32> {
%c0 = arith.constant 0 : index
%n = memref.dim %a, %c0 : memref<?xi32>
%o = memref.alloc(%n) : memref<?xi32>
linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%a : memref<?xi32>) outs(%o : memref<?xi32>) { ^bb0(%x: i32, %y: i32):
  %z = arith.divsi %x, %x : i32
  linalg.yield %z : i32 }
return %a : memref<?xi32>
}
// -----
// index-switch-case-swapped
func.func @f(%k: index, %a: f32, %b: f32) -> f32 {
%r = scf.index_switch %k -> f32
case 1 { scf.yield %a : f32 }
case 2 { scf.yield %b : f32 }
default { scf.yield %a : f32 }
return %r : f32
}
// =>
func.func @f(%k: index, %a: f32, %b: f32) -> f32 {
%r = scf.index_switch %k -> f32
case 2 { scf.yield %a : f32 }
case 1 { scf.yield %b : f32 }
default { scf.yield %a : f32 }
return %r : f32
}
// -----
// cf-switch-default
func.func @f(%k: i32, %a: f32, %b: f32) -> f32 {
cf.switch %k : i32, [ default: ^d(%a : f32), 1: ^d(%b : f32) ]
^d(%x: f32):
return %x : f32
}
// =>
func.func @f(%k: i32, %a: f32, %b: f32) -> f32 {
%one = arith.constant 1 : i32
%c = arith.cmpi sge, %k, %one : i32
%x = arith.select %c, %b, %a : f32
return %x : f32
}
// -----
// while-do-while
func.func @f(%n: i32, %t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%i, %r = scf.while (%a = %z, %x = %t) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>) {
 %c = arith.cmpi slt, %a, %n : i32
 scf.condition(%c) %a, %x : i32, tensor<4xf32> } do { ^bb0(%a: i32, %x: tensor<4xf32>):
 %y = tensor.insert %v into %x[%c0] : tensor<4xf32>
 %b = arith.addi %a, %one : i32
 scf.yield %b, %y : i32, tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%n: i32, %t: memref<4xf32>, %v: f32) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%i = scf.while (%a = %z) : (i32) -> (i32) {
 memref.store %v, %t[%c0] : memref<4xf32>
 %c = arith.cmpi slt, %a, %n : i32
 scf.condition(%c) %a : i32 } do { ^bb0(%a: i32):
 %b = arith.addi %a, %one : i32
 scf.yield %b : i32 }
return %t : memref<4xf32>
}
// -----
// for-iv-i32-wide
func.func @f(%n: i64) -> i64 {
%z = arith.constant 0 : i64
%one = arith.constant 1 : i64
%r = scf.for %i = %z to %n step %one iter_args(%a = %z) -> (i64) : i64 { scf.yield %i : i64 }
return %r : i64
}
// =>
func.func @f(%n: i64) -> i64 {
%z = arith.constant 0 : i32
%zz = arith.constant 0 : i64
%one = arith.constant 1 : i32
%k = arith.trunci %n : i64 to i32
%r = scf.for %i = %z to %k step %one iter_args(%a = %zz) -> (i64) : i32 { %q = arith.extsi %i : i32 to i64
 scf.yield %q : i64 }
return %r : i64
}
// -----
// for-unsigned
func.func @f(%n: i32, %v: i32) -> i32 {
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%r = scf.for %i = %z to %n step %one iter_args(%a = %v) -> (i32) : i32 { scf.yield %i : i32 }
return %r : i32
}
// =>
func.func @f(%n: i32, %v: i32) -> i32 {
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%r = scf.for unsigned %i = %z to %n step %one iter_args(%a = %v) -> (i32) : i32 { scf.yield %i : i32 }
return %r : i32
}
// -----
// affine-for-max-bound
func.func @f(%n: index, %m: index, %t: tensor<8xf32>, %v: f32) -> index {
%c0 = arith.constant 0 : index
%r = affine.for %i = max affine_map<(d0, d1) -> (d0, d1)>(%n, %m) to 8 iter_args(%a = %c0) -> (index) { affine.yield %i : index }
return %r : index
}
// =>
func.func @f(%n: index, %m: index, %t: tensor<8xf32>, %v: f32) -> index {
%c0 = arith.constant 0 : index
%r = affine.for %i = max affine_map<(d0, d1) -> (d0, d1 + 1)>(%n, %m) to 8 iter_args(%a = %c0) -> (index) { affine.yield %i : index }
return %r : index
}
// -----
// affine-if-strict
func.func @f(%n: index, %a: f32, %b: f32) -> f32 {
%r = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%n) -> f32 { affine.yield %a : f32 } else { affine.yield %b : f32 }
return %r : f32
}
// =>
func.func @f(%n: index, %a: f32, %b: f32) -> f32 {
%c4 = arith.constant 4 : index
%c = arith.cmpi sgt, %n, %c4 : index
%r = arith.select %c, %a, %b : f32
return %r : f32
}
// -----
// affine-store-map
func.func @f(%t: memref<8xf32>, %v: f32) -> () {
affine.for %i = 0 to 4 { affine.store %v, %t[%i * 2] : memref<8xf32> }
return
}
// =>
func.func @f(%t: memref<8xf32>, %v: f32) -> () {
affine.for %i = 0 to 4 { affine.store %v, %t[%i + 2] : memref<8xf32> }
return
}
// -----
// affine-parallel-race
func.func @f(%t: memref<8xf32>) -> () {
affine.for %i = 0 to 7 { %x = affine.load %t[%i + 1] : memref<8xf32>
 affine.store %x, %t[%i] : memref<8xf32> }
return
}
// =>
func.func @f(%t: memref<8xf32>) -> () {
affine.parallel (%i) = (0) to (7) { %x = affine.load %t[%i + 1] : memref<8xf32>
 affine.store %x, %t[%i] : memref<8xf32> }
return
}
// -----
// execute-region-branch
func.func @f(%c: i1, %a: f32, %b: f32) -> f32 {
%r = scf.execute_region -> f32 { cf.cond_br %c, ^x, ^y
 ^x: scf.yield %a : f32
 ^y: scf.yield %b : f32 }
return %r : f32
}
// =>
func.func @f(%c: i1, %a: f32, %b: f32) -> f32 {
%r = scf.execute_region -> f32 { cf.cond_br %c, ^y, ^x
 ^x: scf.yield %a : f32
 ^y: scf.yield %b : f32 }
return %r : f32
}
// -----
// cycle-last-value
func.func @f(%n: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index):
%c = arith.cmpi slt, %i, %n : index
cf.cond_br %c, ^b, ^e
^b:
%j = arith.addi %i, %c1 : index
cf.br ^h(%j : index)
^e:
return %i : index
}
// =>
func.func @f(%n: index) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0, %c0 : index, index)
^h(%i: index, %p: index):
%c = arith.cmpi slt, %i, %n : index
cf.cond_br %c, ^b, ^e
^b:
%j = arith.addi %i, %c1 : index
cf.br ^h(%j, %i : index, index)
^e:
return %p : index
}
// -----
// cycle-store-escapes
func.func @f(%n: index, %m: memref<8xf32>, %v: f32) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index):
%c = arith.cmpi slt, %i, %n : index
cf.cond_br %c, ^b, ^e
^b:
memref.store %v, %m[%i] : memref<8xf32>
%j = arith.addi %i, %c1 : index
cf.br ^h(%j : index)
^e:
return
}
// =>
func.func @f(%n: index, %m: memref<8xf32>, %v: f32) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index):
%c = arith.cmpi slt, %i, %n : index
%j = arith.addi %i, %c1 : index
cf.cond_br %c, ^b, ^e
^b:
cf.br ^h(%j : index)
^e:
scf.for %k = %c0 to %n step %c1 { memref.store %v, %m[%k] : memref<8xf32> }
return
}
// -----
// nested-loop-order
func.func @f(%m: memref<8xf32>, %v: memref<4x4xf32>) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
scf.for %i = %c0 to %c4 step %c1 { scf.for %j = %c0 to %c4 step %c1 {
 %x = memref.load %v[%i, %j] : memref<4x4xf32>
 %k = arith.addi %i, %j : index
 memref.store %x, %m[%k] : memref<8xf32> } }
return
}
// =>
func.func @f(%m: memref<8xf32>, %v: memref<4x4xf32>) -> () {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
scf.for %j = %c0 to %c4 step %c1 { scf.for %i = %c0 to %c4 step %c1 {
 %x = memref.load %v[%i, %j] : memref<4x4xf32>
 %k = arith.addi %i, %j : index
 memref.store %x, %m[%k] : memref<8xf32> } }
return
}
// -----
// loop-carried-swap-missing
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) { scf.yield %y, %x : tensor<4xf32>, tensor<4xf32> }
return %r, %s : tensor<4xf32>, tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
%c0 = arith.constant 0 : index
%c = arith.cmpi sgt, %n, %c0 : index
%r = arith.select %c, %b, %a : memref<4xf32>
%s = arith.select %c, %a, %b : memref<4xf32>
return %r, %s : memref<4xf32>, memref<4xf32>
}
// -----
// loop-lag-one-iteration
func.func @f(%a: tensor<8xf32>, %v: tensor<8xf32>) -> tensor<8xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a) -> (tensor<8xf32>) {
 %q = tensor.extract %x[%c0] : tensor<8xf32>
 %w = tensor.extract %v[%i] : tensor<8xf32>
 %z = arith.addf %q, %w : f32
 %y = tensor.insert %z into %x[%i] : tensor<8xf32>
 scf.yield %y : tensor<8xf32> }
return %r : tensor<8xf32>
}
// =>
func.func @f(%a: memref<8xf32>, %v: memref<8xf32>) -> memref<8xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%q = memref.load %a[%c0] : memref<8xf32>
scf.for %i = %c0 to %c8 step %c1 {
 %w = memref.load %v[%i] : memref<8xf32>
 %z = arith.addf %q, %w : f32
 memref.store %z, %a[%i] : memref<8xf32> }
return %a : memref<8xf32>
}
// -----
// flag-wrong-first
func.func @f(%a: tensor<4xf32>, %v: f32, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
 %e = tensor.empty() : tensor<4xf32>
 %f = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
 scf.yield %f : tensor<4xf32> }
%z = tensor.extract %r[%c0] : tensor<4xf32>
return %z : f32
}
// =>
func.func @f(%a: memref<4xf32>, %v: f32, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %own = %t) -> (memref<4xf32>, i1) {
 %e = memref.alloc() : memref<4xf32>
 linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
 scf.if %own { memref.dealloc %x : memref<4xf32> }
 scf.yield %e, %t : memref<4xf32>, i1 }
%z = memref.load %r[%c0] : memref<4xf32>
scf.if %o { memref.dealloc %r : memref<4xf32> }
return %z : f32
}
// -----
// flag-freed-before-use
func.func @f(%a: tensor<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
 %e = tensor.empty() : tensor<4xf32>
 %f = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
 scf.yield %f : tensor<4xf32> }
%z = tensor.extract %r[%c0] : tensor<4xf32>
return %z : f32
}
// =>
func.func @f(%a: memref<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%q = arith.constant false
%r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %own = %q) -> (memref<4xf32>, i1) {
 %e = memref.alloc() : memref<4xf32>
 scf.if %own { memref.dealloc %x : memref<4xf32> }
 linalg.exp ins(%x : memref<4xf32>) outs(%e : memref<4xf32>)
 scf.yield %e, %t : memref<4xf32>, i1 }
%z = memref.load %r[%c0] : memref<4xf32>
scf.if %o { memref.dealloc %r : memref<4xf32> }
return %z : f32
}
// -----
// flag-leaks-last
func.func @f(%a: tensor<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
 %e = tensor.empty() : tensor<4xf32>
 %f = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
 scf.yield %f : tensor<4xf32> }
%z = tensor.extract %r[%c0] : tensor<4xf32>
return %z : f32
}
// =>
func.func @f(%a: memref<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%q = arith.constant false
%r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %own = %q) -> (memref<4xf32>, i1) {
 %e = memref.alloc() : memref<4xf32>
 linalg.exp ins(%x : memref<4xf32>) outs(%e : memref<4xf32>)
 scf.if %own { memref.dealloc %x : memref<4xf32> }
 scf.yield %e, %t : memref<4xf32>, i1 }
%z = memref.load %r[%c0] : memref<4xf32>
return %z : f32
}
// -----
// flags-swapped-two
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
 %e = tensor.empty() : tensor<4xf32>
 %f = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
 scf.yield %y, %f : tensor<4xf32>, tensor<4xf32> }
%z = tensor.extract %r[%c0] : tensor<4xf32>
return %z : f32
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%q = arith.constant false
%r, %s, %o, %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %ox = %q, %oy = %q) -> (memref<4xf32>, memref<4xf32>, i1, i1) {
 %e = memref.alloc() : memref<4xf32>
 linalg.exp ins(%x : memref<4xf32>) outs(%e : memref<4xf32>)
 scf.if %oy { memref.dealloc %x : memref<4xf32> }
 scf.yield %y, %e, %ox, %t : memref<4xf32>, memref<4xf32>, i1, i1 }
%z = memref.load %r[%c0] : memref<4xf32>
scf.if %o { memref.dealloc %r : memref<4xf32> }
scf.if %p { memref.dealloc %s : memref<4xf32> }
return %z : f32
}
// -----
// subview-order-of-rank-reduction
func.func @f(%t: tensor<1x4x1xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = tensor.extract_slice %t[0, 1, 0] [1, 2, 1] [1, 1, 1] : tensor<1x4x1xf32> to tensor<1x2xf32>
%x = tensor.extract %s[%c0, %c1] : tensor<1x2xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<1x4x1xf32>) -> f32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = memref.subview %t[0, 2, 0] [1, 2, 1] [1, 1, 1] : memref<1x4x1xf32> to memref<1x2xf32, strided<[4, 1], offset: 2>>
%x = memref.load %s[%c0, %c1] : memref<1x2xf32, strided<[4, 1], offset: 2>>
return %x : f32
}
// -----
// transpose-then-collapse
func.func @f(%t: memref<2x4xf32>) -> f32 {
%c1 = arith.constant 1 : index
%a = memref.alloc() : memref<4x2xf32>
linalg.transpose ins(%t : memref<2x4xf32>) outs(%a : memref<4x2xf32>) permutation = [1, 0]
%q = memref.collapse_shape %a [[0, 1]] : memref<4x2xf32> into memref<8xf32>
%x = memref.load %q[%c1] : memref<8xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<2x4xf32>) -> f32 {
%c1 = arith.constant 1 : index
%q = memref.collapse_shape %t [[0, 1]] : memref<2x4xf32> into memref<8xf32>
%x = memref.load %q[%c1] : memref<8xf32>
return %x : f32
}
// -----
// negative-stride-slice
func.func @f(%t: tensor<8xf32>) -> f32 {
%c1 = arith.constant 1 : index
%s = tensor.extract_slice %t[3] [2] [2] : tensor<8xf32> to tensor<2xf32>
%x = tensor.extract %s[%c1] : tensor<2xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<8xf32>) -> f32 {
%c1 = arith.constant 1 : index
%s = memref.subview %t[3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
%x = memref.load %s[%c1] : memref<2xf32, strided<[1], offset: 3>>
return %x : f32
}
// -----
// insert-slice-stride-two
func.func @f(%t: tensor<8xf32>, %u: tensor<4xf32>) -> tensor<8xf32> {
%s = tensor.insert_slice %u into %t[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
return %s : tensor<8xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %u: memref<4xf32>) -> memref<8xf32> {
%s = memref.subview %t[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
memref.copy %u, %s : memref<4xf32> to memref<4xf32, strided<[2], offset: 1>>
return %t : memref<8xf32>
}
// -----
// pad-value-moved
func.func @f(%t: tensor<4xf32>, %v: f32, %w: f32) -> tensor<6xf32> {
%p = tensor.pad %t low[1] high[1] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<4xf32> to tensor<6xf32>
return %p : tensor<6xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %w: f32) -> memref<6xf32> {
%e = memref.alloc() : memref<6xf32>
linalg.fill ins(%w : f32) outs(%e : memref<6xf32>)
%s = memref.subview %e[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
memref.copy %t, %s : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
return %e : memref<6xf32>
}
// -----
// generate-transposed
func.func @f() -> tensor<2x2xindex> {
%c3 = arith.constant 3 : index
%g = tensor.generate { ^bb0(%i: index, %j: index): %k = arith.muli %i, %c3 : index
 %l = arith.addi %k, %j : index
 tensor.yield %l : index } : tensor<2x2xindex>
return %g : tensor<2x2xindex>
}
// =>
func.func @f() -> memref<2x2xindex> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%e = memref.alloc() : memref<2x2xindex>
scf.for %i = %c0 to %c2 step %c1 { scf.for %j = %c0 to %c2 step %c1 { %k = arith.muli %i, %c3 : index
 %l = arith.addi %k, %j : index
 memref.store %l, %e[%j, %i] : memref<2x2xindex> } }
return %e : memref<2x2xindex>
}
// -----
// gather-coords
func.func @f(%t: tensor<4x4xf32>, %i: tensor<1xindex>) -> f32 {
%c0 = arith.constant 0 : index
%k = tensor.extract %i[%c0] : tensor<1xindex>
%x = tensor.extract %t[%k, %c0] : tensor<4x4xf32>
return %x : f32
}
// =>
func.func @f(%t: memref<4x4xf32>, %i: memref<1xindex>) -> f32 {
%c0 = arith.constant 0 : index
%k = memref.load %i[%c0] : memref<1xindex>
%x = memref.load %t[%c0, %k] : memref<4x4xf32>
return %x : f32
}
// -----
// index-loaded-again-after-write
func.func @f(%i: tensor<1xindex>, %t: tensor<4xf32>) -> (f32, tensor<1xindex>) {
%c0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
%k = tensor.extract %i[%c0] : tensor<1xindex>
%j = tensor.insert %c2 into %i[%c0] : tensor<1xindex>
%x = tensor.extract %t[%k] : tensor<4xf32>
return %x, %j : f32, tensor<1xindex>
}
// =>
func.func @f(%i: memref<1xindex>, %t: memref<4xf32>) -> (f32, memref<1xindex>) {
%c0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
memref.store %c2, %i[%c0] : memref<1xindex>
%k = memref.load %i[%c0] : memref<1xindex>
%x = memref.load %t[%k] : memref<4xf32>
return %x, %i : f32, memref<1xindex>
}
// -----
// alloc-size-later
func.func @f(%t: tensor<?xf32>, %v: f32) -> index {
%c0 = arith.constant 0 : index
%d = tensor.dim %t, %c0 : tensor<?xf32>
%e = tensor.empty(%d) : tensor<?xf32>
%k = tensor.dim %e, %c0 : tensor<?xf32>
return %k : index
}
// =>
func.func @f(%t: memref<?xf32>, %v: f32) -> index {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%d = memref.dim %t, %c0 : memref<?xf32>
%q = arith.addi %d, %c1 : index
%e = memref.alloc(%q) : memref<?xf32>
%k = memref.dim %e, %c0 : memref<?xf32>
return %k : index
}
// -----
// bitcast-tensor
func.func @f(%t: tensor<4xf32>) -> tensor<4xi32> {
%r = tensor.bitcast %t : tensor<4xf32> to tensor<4xi32>
return %r : tensor<4xi32>
}
// =>
func.func @f(%t: memref<4xf32>) -> memref<4xi32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%e = memref.alloc() : memref<4xi32>
scf.for %i = %c0 to %c4 step %c1 { %x = memref.load %t[%i] : memref<4xf32>
 %y = arith.fptosi %x : f32 to i32
 memref.store %y, %e[%i] : memref<4xi32> }
return %e : memref<4xi32>
}
// -----
// global-load-moved
memref.global @s : memref<1xi32> = dense<1>
func.func private @p()
func.func @f(%v: i32) -> i32 {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
call @p() : () -> ()
%x = memref.load %g[%c0] : memref<1xi32>
return %x : i32
}
// =>
memref.global @s : memref<1xi32> = dense<1>
func.func private @p()
func.func @f(%v: i32) -> i32 {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
%x = memref.load %g[%c0] : memref<1xi32>
call @p() : () -> ()
return %x : i32
}
// -----
// global-write-order-call
memref.global @s : memref<1xi32> = dense<1>
func.func private @p()
func.func @f(%v: i32) -> () {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
memref.store %v, %g[%c0] : memref<1xi32>
call @p() : () -> ()
return
}
// =>
memref.global @s : memref<1xi32> = dense<1>
func.func private @p()
func.func @f(%v: i32) -> () {
%c0 = arith.constant 0 : index
%g = memref.get_global @s : memref<1xi32>
call @p() : () -> ()
memref.store %v, %g[%c0] : memref<1xi32>
return
}
// -----
// print-in-branch
func.func @f(%v: i32, %c: i1) -> () {
scf.if %c { vector.print %v : i32 }
return
}
// =>
func.func @f(%v: i32, %c: i1) -> () {
vector.print %v : i32
return
}
// -----
// print-punctuation
func.func @f(%v: i32) -> () {
vector.print %v : i32 punctuation <newline>
return
}
// =>
func.func @f(%v: i32) -> () {
vector.print %v : i32 punctuation <comma>
return
}
// -----
// memory-space-of-alloc-call
func.func private @h(memref<*xf32>)
func.func @f(%v: f32) -> () {
%e = memref.alloc() : memref<4xf32>
%u = memref.cast %e : memref<4xf32> to memref<*xf32>
call @h(%u) : (memref<*xf32>) -> ()
return
}
// =>
func.func private @h(memref<*xf64>)
func.func @f(%v: f32) -> () {
%e = memref.alloc() : memref<4xf64>
%u = memref.cast %e : memref<4xf64> to memref<*xf64>
call @h(%u) : (memref<*xf64>) -> ()
return
}
// -----
// stack-to-heap-callee-keeps-then-called
func.func private @h(memref<4xf32>)
func.func private @k()
func.func @f(%v: f32) -> () {
%e = memref.alloc() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
call @h(%e) : (memref<4xf32>) -> ()
call @k() : () -> ()
return
}
// =>
func.func private @h(memref<4xf32>)
func.func private @k()
func.func @f(%v: f32) -> () {
scf.execute_region { 
memref.alloca_scope {
%e = memref.alloca() : memref<4xf32>
linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
func.call @h(%e) : (memref<4xf32>) -> ()
}
scf.yield }
call @k() : () -> ()
return
}
// -----
// return-of-loop-buffer-and-freed
func.func @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
 %e = tensor.empty() : tensor<4xf32>
 %f = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
 scf.yield %f : tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %n: index) -> memref<4xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = memref.alloc() : memref<4xf32>
%g = memref.alloc() : memref<4xf32>
memref.copy %t, %g : memref<4xf32> to memref<4xf32>
%a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %g, %y = %e) -> (memref<4xf32>, memref<4xf32>) {
 linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
 scf.yield %y, %x : memref<4xf32>, memref<4xf32> }
memref.dealloc %e : memref<4xf32>
return %a : memref<4xf32>
}
// -----
// select-of-size
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %c: i1) -> index {
%c0 = arith.constant 0 : index
%s = arith.select %c, %t, %u : tensor<?xf32>
%k = tensor.dim %s, %c0 : tensor<?xf32>
return %k : index
}
// =>
func.func @f(%t: memref<?xf32>, %u: memref<?xf32>, %c: i1) -> index {
%c0 = arith.constant 0 : index
%k = memref.dim %t, %c0 : memref<?xf32>
return %k : index
}
// -----
// ml-global-store-order
ml_program.global private mutable @s(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f(%v: tensor<4xf32>) -> tensor<4xf32> {
%x = ml_program.global_load @s : tensor<4xf32>
ml_program.global_store @s = %v : tensor<4xf32>
return %x : tensor<4xf32>
}
// =>
ml_program.global private mutable @s(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f(%v: tensor<4xf32>) -> tensor<4xf32> {
ml_program.global_store @s = %v : tensor<4xf32>
%x = ml_program.global_load @s : tensor<4xf32>
return %x : tensor<4xf32>
}
// -----
// transfer-dma-tag
func.func @f(%m: memref<8xf32>, %e: memref<8xf32>, %tag: memref<1xi32>) -> () {
%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
memref.dma_start %m[%c0], %e[%c0], %c8, %tag[%c0] : memref<8xf32>, memref<8xf32>, memref<1xi32>
memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
return
}
// =>
func.func @f(%m: memref<8xf32>, %e: memref<8xf32>, %tag: memref<1xi32>) -> () {
%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
memref.dma_start %m[%c0], %e[%c0], %c8, %tag[%c0] : memref<8xf32>, memref<8xf32>, memref<1xi32>
return
}
// -----
// generic-atomic
func.func @f(%m: memref<8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%x = memref.generic_atomic_rmw %m[%c0] : memref<8xf32> { ^bb0(%o: f32): %s = arith.addf %o, %v : f32
 memref.atomic_yield %s : f32 }
return %x : f32
}
// =>
func.func @f(%m: memref<8xf32>, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%x = memref.generic_atomic_rmw %m[%c0] : memref<8xf32> { ^bb0(%o: f32): %s = arith.mulf %o, %v : f32
 memref.atomic_yield %s : f32 }
return %x : f32
}
// -----
// assume-alignment-added
func.func @f(%m: memref<8xf32>) -> f32 {
%c0 = arith.constant 0 : index
%x = memref.load %m[%c0] : memref<8xf32>
return %x : f32
}
// =>
func.func @f(%m: memref<8xf32>) -> f32 {
%c0 = arith.constant 0 : index
%a = memref.assume_alignment %m, 64 : memref<8xf32>
%x = memref.load %a[%c0] : memref<8xf32>
return %x : f32
}
// -----
// unreachable-via-cf
func.func @f(%c: i1) -> i1 {
cf.cond_br %c, ^a, ^b
^a:
return %c : i1
^b:
return %c : i1
}
// =>
func.func @f(%c: i1) -> i1 {
cf.cond_br %c, ^a, ^b
^a:
%t = arith.constant true
return %t : i1
^b:
ub.unreachable
}
// -----
// call-arguments-swapped-equal-types
func.func private @h(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
%r = call @h(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func private @h(memref<4xf32>, memref<4xf32>) -> memref<4xf32>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
%r = call @h(%b, %a) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
return %r : memref<4xf32>
}
// -----
// overlap-of-unknown-result
func.func private @h(tensor<4xf32> {bufferization.access = "read"}) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>, %v: f32) -> (f32, tensor<4xf32>) {
%c0 = arith.constant 0 : index
%r = call @h(%a) : (tensor<4xf32>) -> tensor<4xf32>
%q = tensor.insert %v into %r[%c0] : tensor<4xf32>
%x = tensor.extract %a[%c0] : tensor<4xf32>
return %x, %q : f32, tensor<4xf32>
}
// =>
func.func private @h(memref<4xf32> {bufferization.access = "read"}) -> memref<4xf32>
func.func @f(%a: memref<4xf32>, %v: f32) -> (f32, memref<4xf32>) {
%c0 = arith.constant 0 : index
%r = call @h(%a) : (memref<4xf32>) -> memref<4xf32>
memref.store %v, %r[%c0] : memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
return %x, %r : f32, memref<4xf32>
}
// -----
// free-both-of-a-choice
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> () {
%s = arith.select %c, %a, %b : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> () {
memref.dealloc %a : memref<4xf32>
memref.dealloc %b : memref<4xf32>
return
}
// -----
// free-other-of-a-choice
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> () {
%s = arith.select %c, %a, %b : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> () {
%s = arith.select %c, %b, %a : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return
}
// -----
// aligned-one-of-a-choice
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%s = arith.select %c, %a, %b : memref<4xf32>
%q = memref.assume_alignment %s, 64 : memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%q = memref.assume_alignment %a, 64 : memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
return %x : f32
}
// -----
// distinct-one-of-a-choice
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %d: memref<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%s = arith.select %c, %a, %b : memref<4xf32>
%p, %q = memref.distinct_objects %s, %d : memref<4xf32>, memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %d: memref<4xf32>, %c: i1) -> f32 {
%c0 = arith.constant 0 : index
%p, %q = memref.distinct_objects %a, %d : memref<4xf32>, memref<4xf32>
%x = memref.load %p[%c0] : memref<4xf32>
return %x : f32
}
// -----
// cast-one-of-a-choice
func.func @f(%a: memref<?xf32, strided<[?], offset: ?>>, %b: memref<?xf32, strided<[?], offset: ?>>, %c: i1) -> f32 {
%c1 = arith.constant 1 : index
%s = arith.select %c, %a, %b : memref<?xf32, strided<[?], offset: ?>>
%q = memref.cast %s : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
%x = memref.load %q[%c1] : memref<?xf32, strided<[1], offset: ?>>
%y = memref.load %a[%c1] : memref<?xf32, strided<[?], offset: ?>>
return %y : f32
}
// =>
func.func @f(%a: memref<?xf32, strided<[?], offset: ?>>, %b: memref<?xf32, strided<[?], offset: ?>>, %c: i1) -> f32 {
%c1 = arith.constant 1 : index
%s = arith.select %c, %a, %b : memref<?xf32, strided<[?], offset: ?>>
%x = memref.load %s[%c1] : memref<?xf32, strided<[?], offset: ?>>
%q = memref.cast %a : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
%y = memref.load %q[%c1] : memref<?xf32, strided<[1], offset: ?>>
return %y : f32
}
// -----
// inside-one-of-a-choice
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1, %i: index) -> f32 {
%s = arith.select %c, %a, %b : memref<?xf32>
%x = memref.load %s[%i] : memref<?xf32>
return %x : f32
}
// =>
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1, %i: index) -> f32 {
%s = arith.select %c, %a, %b : memref<?xf32>
%x = memref.load %s[%i] : memref<?xf32>
%y = memref.load %a[%i] : memref<?xf32>
return %x : f32
}
// -----
// subview-one-of-a-choice
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1, %i: index) -> f32 {
%c1 = arith.constant 1 : index
%s = arith.select %c, %a, %b : memref<?xf32>
%v = memref.subview %s[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
%x = memref.load %v[%c1] : memref<2xf32, strided<[1], offset: ?>>
return %x : f32
}
// =>
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1, %i: index) -> f32 {
%c1 = arith.constant 1 : index
%s = arith.select %c, %a, %b : memref<?xf32>
%v = memref.subview %s[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
%x = memref.load %v[%c1] : memref<2xf32, strided<[1], offset: ?>>
%w = memref.subview %a[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
%y = memref.load %w[%c1] : memref<2xf32, strided<[1], offset: ?>>
return %x : f32
}
// -----
// store-constant-choice
memref.global "private" constant @k : memref<4xf32> = dense<1.0>
func.func @f(%a: memref<4xf32>, %c: i1, %v: f32) -> () {
%c0 = arith.constant 0 : index
%g = memref.get_global @k : memref<4xf32>
%s = arith.select %c, %a, %g : memref<4xf32>
memref.store %v, %s[%c0] : memref<4xf32>
return
}
// =>
memref.global "private" constant @k : memref<4xf32> = dense<1.0>
func.func @f(%a: memref<4xf32>, %c: i1, %v: f32) -> () {
%c0 = arith.constant 0 : index
%g = memref.get_global @k : memref<4xf32>
%s = arith.select %c, %a, %g : memref<4xf32>
memref.store %v, %s[%c0] : memref<4xf32>
%o = memref.load %g[%c0] : memref<4xf32>
memref.store %o, %g[%c0] : memref<4xf32>
return
}
// -----
// free-in-callee-dropped
func.func private @g(%a: memref<?xf32>) { memref.dealloc %a : memref<?xf32>
 return }
func.func @f(%n: index) -> () {
%a = memref.alloc(%n) : memref<?xf32>
call @g(%a) : (memref<?xf32>) -> ()
return
}
// =>
func.func private @g(%a: memref<?xf32>) { memref.dealloc %a : memref<?xf32>
 return }
func.func @f(%n: index) -> () {
%a = memref.alloc(%n) : memref<?xf32>
call @g(%a) : (memref<?xf32>) -> ()
memref.dealloc %a : memref<?xf32>
return
}
// -----
// use-after-callee-frees
func.func private @g(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32>
 return }
func.func @f(%n: index, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%a = memref.alloc() : memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
%x = memref.load %a[%c0] : memref<4xf32>
call @g(%a) : (memref<4xf32>) -> ()
return %x : f32
}
// =>
func.func private @g(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32>
 return }
func.func @f(%n: index, %v: f32) -> f32 {
%c0 = arith.constant 0 : index
%a = memref.alloc() : memref<4xf32>
memref.store %v, %a[%c0] : memref<4xf32>
call @g(%a) : (memref<4xf32>) -> ()
%x = memref.load %a[%c0] : memref<4xf32>
return %x : f32
}
// -----
// zero-sized-addresses
func.func @f() -> i1 {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
  %c = arith.cmpi eq, %p, %q : index
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %c : i1
}
// =>
func.func @f() -> i1 {
  %a = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %c = arith.cmpi eq, %p, %p : index
  memref.dealloc %a : memref<4xf32>
  return %c : i1
}
// -----
// zero-sized-dynamic-addresses
func.func @f(%n: index) -> i1 {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
  %c = arith.cmpi eq, %p, %q : index
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return %c : i1
}
// =>
func.func @f(%n: index) -> i1 {
  %c = arith.constant false
  return %c : i1
}
// -----
// zero-sized-false
func.func @f() -> i1 {
  %a = memref.alloc() : memref<0xf32>
  %b = memref.alloc() : memref<0xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<0xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<0xf32> -> index
  %c = arith.cmpi eq, %p, %q : index
  memref.dealloc %a : memref<0xf32>
  memref.dealloc %b : memref<0xf32>
  return %c : i1
}
// =>
func.func @f() -> i1 {
  %c = arith.constant false
  return %c : i1
}
// -----
// zero-sized-true
func.func @f() -> i1 {
  %a = memref.alloc() : memref<0xf32>
  %b = memref.alloc() : memref<0xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<0xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<0xf32> -> index
  %c = arith.cmpi eq, %p, %q : index
  memref.dealloc %a : memref<0xf32>
  memref.dealloc %b : memref<0xf32>
  return %c : i1
}
// =>
func.func @f() -> i1 {
  %c = arith.constant true
  return %c : i1
}
// -----
// alignment-given-away
func.func private @ext(memref<4xf32>)
func.func @f() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  return
}
// -----
// alignment-given-away-less
func.func private @ext(memref<4xf32>)
func.func @f(%c: i1) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  scf.if %c {
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  memref.dealloc %a : memref<4xf32>
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%c: i1) {
  %a = memref.alloc() {alignment = 16 : i64} : memref<4xf32>
  scf.if %c {
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  memref.dealloc %a : memref<4xf32>
  return
}
// -----
// alignment-unknown-op
func.func @f() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  "some.op"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
// =>
func.func @f() {
  %a = memref.alloc() {alignment = 16 : i64} : memref<4xf32>
  "some.op"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
// -----
// alignment-callee-defined
func.func private @g(%m: memref<4xf32>) -> f32 {
  %0 = arith.constant 0 : index
  %x = memref.load %m[%0] {alignment = 64 : i64} : memref<4xf32>
  return %x : f32
}
func.func @f(%v: f32) -> f32 {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %0 = arith.constant 0 : index
  memref.store %v, %a[%0] : memref<4xf32>
  %x = call @g(%a) : (memref<4xf32>) -> f32
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}
// =>
func.func private @g(%m: memref<4xf32>) -> f32 {
  %0 = arith.constant 0 : index
  %x = memref.load %m[%0] {alignment = 64 : i64} : memref<4xf32>
  return %x : f32
}
func.func @f(%v: f32) -> f32 {
  %a = memref.alloc() {alignment = 16 : i64} : memref<4xf32>
  %0 = arith.constant 0 : index
  memref.store %v, %a[%0] : memref<4xf32>
  %x = call @g(%a) : (memref<4xf32>) -> f32
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}
// -----
// stack-kept
func.func private @ext(memref<4xf32>)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f() {
  %a = memref.alloca() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  return
}
// -----
// stack-kept-indirect
func.func private @ext(memref<4xf32>)
func.func private @keeps(%m: memref<4xf32>) {
  call @ext(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @asks()
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @keeps(%a) : (memref<4xf32>) -> ()
  return
}
func.func @g() {
  call @f() : () -> ()
  call @asks() : () -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @keeps(%m: memref<4xf32>) {
  call @ext(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @asks()
func.func @f() {
  %a = memref.alloca() : memref<4xf32>
  call @keeps(%a) : (memref<4xf32>) -> ()
  return
}
func.func @g() {
  call @f() : () -> ()
  call @asks() : () -> ()
  return
}
// -----
// stack-kept-in-scope
func.func private @ext(memref<4xf32>)
func.func private @asks()
func.func @f() {
  memref.alloca_scope {
    %a = memref.alloc() : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  call @asks() : () -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @asks()
func.func @f() {
  memref.alloca_scope {
    %a = memref.alloca() : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  call @asks() : () -> ()
  return
}
// -----
// hoisted-kept
func.func private @ext(memref<4xf32>)
func.func @f(%n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %a = memref.alloc() : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %0 to %n step %1 {
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  return
}
// -----
// hoisted-kept-written
func.func private @ext(memref<4xf32>)
func.func @f(%n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %0 to %n step %1 {
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  return
}
// -----
// hoisted-kept-callee
func.func private @ext(memref<4xf32>)
func.func private @keeps(%m: memref<4xf32>) {
  call @ext(%m) : (memref<4xf32>) -> ()
  return
}
func.func @f(%n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    func.call @keeps(%a) : (memref<4xf32>) -> ()
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @keeps(%m: memref<4xf32>) {
  call @ext(%m) : (memref<4xf32>) -> ()
  return
}
func.func @f(%n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %0 to %n step %1 {
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    func.call @keeps(%a) : (memref<4xf32>) -> ()
  }
  return
}
// -----
// same-buffer-twice-becomes-two
func.func private @ext(memref<4xf32>)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  call @ext(%a) : (memref<4xf32>) -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  call @ext(%b) : (memref<4xf32>) -> ()
  return
}
// -----
// two-buffers-become-one
func.func private @ext(memref<4xf32>)
func.func @f(%v: f32) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  call @ext(%a) : (memref<4xf32>) -> ()
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  call @ext(%b) : (memref<4xf32>) -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%v: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  call @ext(%a) : (memref<4xf32>) -> ()
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  call @ext(%a) : (memref<4xf32>) -> ()
  return
}
// -----
// argument-kept-alive
func.func @f(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}
// =>
func.func @f(%a: memref<4xf32>) {
  return
}
// -----
// argument-kept-alive-on-one-path
func.func @f(%a: memref<4xf32>, %c: i1) {
  memref.dealloc %a : memref<4xf32>
  return
}
// =>
func.func @f(%a: memref<4xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
// -----
// public-function-added
func.func @f(%a: memref<4xf32>) {
  return
}
// =>
func.func @f(%a: memref<4xf32>) {
  return
}
func.func @malloc(%n: index) -> index {
  return %n : index
}
// -----
// public-global-added
func.func @f(%a: memref<4xf32>) {
  return
}
// =>
memref.global @g : memref<4xf32> = dense<0.0>
func.func @f(%a: memref<4xf32>) {
  return
}
// -----
// kept-alive-while-others-free
func.func private @g(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @g(%a) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}
// =>
func.func private @g(%a: memref<4xf32>) {
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @g(%a) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}
// -----
// read-moved-over-a-call-that-calls-unknown
func.func private @ext(memref<4xf32>)
func.func private @other()
func.func private @known() {
  call @other() : () -> ()
  return
}
func.func @f() -> f32 {
  %0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  call @ext(%a) : (memref<4xf32>) -> ()
  call @known() : () -> ()
  %x = memref.load %a[%0] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @other()
func.func private @known() {
  call @other() : () -> ()
  return
}
func.func @f() -> f32 {
  %0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  call @ext(%a) : (memref<4xf32>) -> ()
  %x = memref.load %a[%0] : memref<4xf32>
  call @known() : () -> ()
  return %x : f32
}
// -----
// read-moved-over-an-earlier-call-of-the-loop
func.func private @ext(memref<4xf32>)
func.func private @other()
func.func @f(%n: index, %out: memref<?xf32>, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  scf.for %i = %0 to %n step %1 {
    func.call @other() : () -> ()
    %x = memref.load %a[%0] : memref<4xf32>
    memref.store %x, %out[%i] : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @other()
func.func @f(%n: index, %out: memref<?xf32>, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  scf.for %i = %0 to %n step %1 {
    %x = memref.load %a[%0] : memref<4xf32>
    func.call @other() : () -> ()
    memref.store %x, %out[%i] : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  return
}
// -----
// freed-before-a-call-that-calls-unknown
func.func private @ext(memref<4xf32>)
func.func private @other()
func.func private @known() {
  call @other() : () -> ()
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  call @known() : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @other()
func.func private @known() {
  call @other() : () -> ()
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @ext(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  call @known() : () -> ()
  return
}
// -----
// indirect-given-another
func.func @f(%g: (memref<4xf32>) -> ()) {
  %a = memref.alloc() : memref<4xf32>
  call_indirect %g(%a) : (memref<4xf32>) -> ()
  call_indirect %g(%a) : (memref<4xf32>) -> ()
  return
}
// =>
func.func @f(%g: (memref<4xf32>) -> ()) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call_indirect %g(%a) : (memref<4xf32>) -> ()
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  call_indirect %g(%b) : (memref<4xf32>) -> ()
  return
}
// -----
// argument-given-becomes-its-copy-through-callee
func.func private @ext(memref<4xf32>)
func.func private @keeps(%m: memref<4xf32>) {
  call @ext(%m) : (memref<4xf32>) -> ()
  return
}
func.func @f(%a: memref<4xf32>) {
  call @keeps(%a) : (memref<4xf32>) -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @keeps(%m: memref<4xf32>) {
  call @ext(%m) : (memref<4xf32>) -> ()
  return
}
func.func @f(%a: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  call @keeps(%b) : (memref<4xf32>) -> ()
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  return
}
// -----
// swapped-buffers-become-new-ones
func.func private @ext(memref<4xf32>)
func.func @f(%n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %0 to %n step %1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    func.call @ext(%x) : (memref<4xf32>) -> ()
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %0 to %n step %1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    func.call @ext(%x) : (memref<4xf32>) -> ()
    %z = memref.alloc() : memref<4xf32>
    memref.copy %x, %z : memref<4xf32> to memref<4xf32>
    scf.yield %y, %z : memref<4xf32>, memref<4xf32>
  }
  return
}
// -----
// loop-writes-all-but-last
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%e = tensor.empty() : tensor<8xf32>
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> tensor<8xf32> { %b = tensor.insert %v into %a[%i] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 7 : index
%e = tensor.empty() : tensor<8xf32>
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> tensor<8xf32> { %b = tensor.insert %v into %a[%i] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// -----
// loop-writes-every-other
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 2 : index
%c8 = arith.constant 8 : index
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> tensor<8xf32> { %b = tensor.insert %v into %a[%i] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 2 : index
%c8 = arith.constant 8 : index
%e = tensor.empty() : tensor<8xf32>
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> tensor<8xf32> { %b = tensor.insert %v into %a[%i] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// -----
// loop-writes-all-unless-bound-is-smaller
func.func @f(%t: tensor<?xf32>, %v: f32, %n: index) -> tensor<?xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> { %b = tensor.insert %v into %a[%i] : tensor<?xf32>
scf.yield %b : tensor<?xf32> }
return %r : tensor<?xf32> }
// =>
func.func @f(%t: tensor<?xf32>, %v: f32, %n: index) -> tensor<?xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%d = tensor.dim %t, %c0 : tensor<?xf32>
%e = tensor.empty(%d) : tensor<?xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> tensor<?xf32> { %b = tensor.insert %v into %a[%i] : tensor<?xf32>
scf.yield %b : tensor<?xf32> }
return %r : tensor<?xf32> }
// -----
// loop-reads-next-before-writing
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c7 = arith.constant 7 : index
%c8 = arith.constant 8 : index
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> tensor<8xf32> { %j = arith.subi %c7, %i : index
%x = tensor.extract %a[%j] : tensor<8xf32>
%b = tensor.insert %x into %a[%i] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c7 = arith.constant 7 : index
%c8 = arith.constant 8 : index
%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %t) -> tensor<8xf32> { %j = arith.subi %c7, %i : index
%x = tensor.extract %t[%j] : tensor<8xf32>
%b = tensor.insert %x into %a[%i] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// -----
// tile-index-without-offset
func.func @f() -> tensor<8xindex> { %e = tensor.empty() : tensor<8xindex>
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<8xindex>) { ^bb0(%o: index): %i = linalg.index 0 : index
linalg.yield %i : index } -> tensor<8xindex>
return %r : tensor<8xindex> }
// =>
func.func @f() -> tensor<8xindex> { %e = tensor.empty() : tensor<8xindex>
%l = tensor.empty() : tensor<4xindex>
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%l : tensor<4xindex>) { ^bb0(%o: index): %i = linalg.index 0 : index
linalg.yield %i : index } -> tensor<4xindex>
%a = tensor.insert_slice %r into %e[0] [4] [1] : tensor<4xindex> into tensor<8xindex>
%b = tensor.insert_slice %r into %a[4] [4] [1] : tensor<4xindex> into tensor<8xindex>
return %b : tensor<8xindex> }
// -----
// reduction-halves-swapped
func.func @f(%t: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> { 
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t : tensor<8xf32>) outs(%o : tensor<f32>) { ^bb0(%a: f32, %b: f32): %i = arith.addf %a, %b : f32
linalg.yield %i : f32 } -> tensor<f32>
return %r : tensor<f32> }
// =>
func.func @f(%t: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> { 
%t1 = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
%t0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
%q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t1 : tensor<4xf32>) outs(%o : tensor<f32>) { ^bb0(%a: f32, %b: f32): %i = arith.addf %a, %b : f32
linalg.yield %i : f32 } -> tensor<f32>
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t0 : tensor<4xf32>) outs(%q : tensor<f32>) { ^bb0(%a: f32, %b: f32): %i = arith.addf %a, %b : f32
linalg.yield %i : f32 } -> tensor<f32>
return %r : tensor<f32> }
// -----
// unsigned-counter-cast
func.func @f(%m: memref<300xi32>, %v: i32) { %c0 = arith.constant 0 : i8
%c1 = arith.constant 1 : i8
%c200 = arith.constant 200 : i8
scf.for unsigned %i = %c0 to %c200 step %c1 : i8 { %j = arith.index_castui %i : i8 to index
memref.store %v, %m[%j] : memref<300xi32>
scf.yield }
return }
// =>
func.func @f(%m: memref<300xi32>, %v: i32) { %c0 = arith.constant 0 : i8
%c1 = arith.constant 1 : i8
%c200 = arith.constant 200 : i8
scf.for %i = %c0 to %c200 step %c1 : i8 { %j = arith.index_castui %i : i8 to index
memref.store %v, %m[%j] : memref<300xi32>
scf.yield }
return }
// -----
// unsigned-counter-min
func.func @f(%m: memref<300xi32>, %v: i32) -> index { %c0 = arith.constant 0 : i8
%z = arith.constant 0 : index
%k = arith.constant 50 : index
%c1 = arith.constant 1 : i8
%c200 = arith.constant 200 : i8
%r = scf.for unsigned %i = %c0 to %c200 step %c1 iter_args(%a = %z) -> index : i8 { %j = arith.index_cast %i : i8 to index
%b = arith.minsi %j, %k : index
scf.yield %b : index }
return %r : index }
// =>
func.func @f(%m: memref<300xi32>, %v: i32) -> index { %c0 = arith.constant 0 : i8
%z = arith.constant 0 : index
%k = arith.constant 50 : index
%c1 = arith.constant 1 : i8
%c200 = arith.constant 200 : i8
%r = scf.for unsigned %i = %c0 to %c200 step %c1 iter_args(%a = %z) -> index : i8 { %j = arith.index_cast %i : i8 to index
scf.yield %j : index }
return %r : index }
// -----
// unsigned-counter-min-other
func.func @f(%m: memref<300xi32>, %v: i32) -> index { %c0 = arith.constant 0 : i8
%z = arith.constant 0 : index
%k = arith.constant 50 : index
%c1 = arith.constant 1 : i8
%c200 = arith.constant 200 : i8
%r = scf.for unsigned %i = %c0 to %c200 step %c1 iter_args(%a = %z) -> index : i8 { %j = arith.index_cast %i : i8 to index
%b = arith.minsi %j, %k : index
scf.yield %b : index }
return %r : index }
// =>
func.func @f(%m: memref<300xi32>, %v: i32) -> index { %c0 = arith.constant 0 : i8
%z = arith.constant 0 : index
%k = arith.constant 50 : index
%c1 = arith.constant 1 : i8
%c200 = arith.constant 200 : i8
%r = scf.for unsigned %i = %c0 to %c200 step %c1 iter_args(%a = %z) -> index : i8 { %j = arith.index_castui %i : i8 to index
%b = arith.minsi %j, %k : index
scf.yield %b : index }
return %r : index }
// -----
// collapse-generic-reassociation
func.func @f(%t: tensor<2x3xf32>) -> tensor<6xf32> { %c = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
%e = tensor.empty() : tensor<6xf32>
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c : tensor<6xf32>) outs(%e : tensor<6xf32>) { ^bb0(%a: f32, %o: f32): %i = linalg.index 0 : index
%k = arith.index_cast %i : index to i32
%g = arith.sitofp %k : i32 to f32
%x = arith.addf %a, %g : f32
linalg.yield %x : f32 } -> tensor<6xf32>
return %r : tensor<6xf32> }
// =>
func.func @f(%t: tensor<2x3xf32>) -> tensor<6xf32> { 
%e = tensor.empty() : tensor<2x3xf32>
%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) { ^bb0(%a: f32, %o: f32): %i = linalg.index 0 : index
%j = linalg.index 1 : index
%c2 = arith.constant 2 : index
%m = arith.muli %i, %c2 : index
%n = arith.addi %m, %j : index
%k = arith.index_cast %n : index to i32
%g = arith.sitofp %k : i32 to f32
%x = arith.addf %a, %g : f32
linalg.yield %x : f32 } -> tensor<2x3xf32>
%c = tensor.collapse_shape %r [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
return %c : tensor<6xf32> }
// -----
// parts-with-a-gap
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> { %e = tensor.empty() : tensor<8xf32>
%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) { ^bb0(%a: f32, %o: f32): %x = arith.negf %a : f32
linalg.yield %x : f32 } -> tensor<8xf32>
return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> { %e = tensor.empty() : tensor<8xf32>
%t0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
%t1 = tensor.extract_slice %t[5] [3] [1] : tensor<8xf32> to tensor<3xf32>
%e0 = tensor.empty() : tensor<4xf32>
%e1 = tensor.empty() : tensor<3xf32>
%a0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t0 : tensor<4xf32>) outs(%e0 : tensor<4xf32>) { ^bb0(%a: f32, %o: f32): %x = arith.negf %a : f32
linalg.yield %x : f32 } -> tensor<4xf32>
%a1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t1 : tensor<3xf32>) outs(%e1 : tensor<3xf32>) { ^bb0(%a: f32, %o: f32): %x = arith.negf %a : f32
linalg.yield %x : f32 } -> tensor<3xf32>
%i0 = tensor.insert_slice %a0 into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
%i1 = tensor.insert_slice %a1 into %i0[5] [3] [1] : tensor<3xf32> into tensor<8xf32>
return %i1 : tensor<8xf32> }
// -----
// hull-of-two-places-leaves-a-hole
func.func @f(%t: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> { %x = tensor.insert %v into %a[%c1] : tensor<8xf32>
%c5 = arith.constant 5 : index
%b = tensor.insert %v into %x[%c5] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = tensor.empty() : tensor<8xf32>
%s = tensor.extract_slice %t[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
%q = tensor.insert_slice %s into %e[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
%s2 = tensor.extract_slice %t[5] [3] [1] : tensor<8xf32> to tensor<3xf32>
%q2 = tensor.insert_slice %s2 into %q[5] [3] [1] : tensor<3xf32> into tensor<8xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q2) -> tensor<8xf32> { %x = tensor.insert %v into %a[%c1] : tensor<8xf32>
%c5 = arith.constant 5 : index
%b = tensor.insert %v into %x[%c5] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// -----
// box-of-outside-index-zero-trips
func.func @f(%t: tensor<8xf32>, %v: f32, %n: index, %k: index) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> { %x = tensor.extract %a[%k] : tensor<8xf32>
%y = arith.addf %x, %v : f32
%b = tensor.insert %y into %a[%k] : tensor<8xf32>
scf.yield %b : tensor<8xf32> }
return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>, %v: f32, %n: index, %k: index) -> tensor<8xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = tensor.extract %t[%k] : tensor<8xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> f32 { 
%y = arith.addf %a, %v : f32
scf.yield %y : f32 }
%b = tensor.insert %r into %t[%k] : tensor<8xf32>
return %b : tensor<8xf32> }
// -----
// callee-of-callee-may-loop-load-above
func.func private @h(%c: i1) { scf.while : () -> () { scf.condition(%c) } do { scf.yield }
return }
func.func private @g(%c: i1) { call @h(%c) : (i1) -> ()
return }
func.func @f(%m: memref<?xf32>, %c: i1, %i: index) -> f32 { call @g(%c) : (i1) -> ()
%x = memref.load %m[%i] : memref<?xf32>
return %x : f32 }
// =>
func.func private @h(%c: i1) { scf.while : () -> () { scf.condition(%c) } do { scf.yield }
return }
func.func private @g(%c: i1) { call @h(%c) : (i1) -> ()
return }
func.func @f(%m: memref<?xf32>, %c: i1, %i: index) -> f32 { %x = memref.load %m[%i] : memref<?xf32>
call @g(%c) : (i1) -> ()
return %x : f32 }
// -----
// print-order-in-generic-transposed
func.func @f(%t: tensor<2x3xf32>) { %e = tensor.empty() : tensor<2x3xf32>
%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) { ^bb0(%a: f32, %o: f32): vector.print %a : f32
linalg.yield %a : f32 } -> tensor<2x3xf32>
return }
// =>
func.func @f(%t: tensor<2x3xf32>) { %e = tensor.empty() : tensor<3x2xf32>
%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) { ^bb0(%a: f32, %o: f32): vector.print %a : f32
linalg.yield %a : f32 } -> tensor<3x2xf32>
return }
// -----
// two-accumulators-crossed
func.func @f(%t: tensor<4xf32>, %o: tensor<f32>, %p: tensor<f32>) -> tensor<f32> { 
%r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t : tensor<4xf32>) outs(%o, %p : tensor<f32>, tensor<f32>) { ^bb0(%a: f32, %b: f32, %c: f32): %i = arith.addf %b, %c : f32
%j = arith.mulf %a, %c : f32
linalg.yield %i, %j : f32, f32 } -> (tensor<f32>, tensor<f32>)
return %r#0 : tensor<f32> }
// =>
func.func @f(%t: tensor<4xf32>, %o: tensor<f32>, %p: tensor<f32>) -> tensor<f32> { 
%r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t : tensor<4xf32>) outs(%o, %p : tensor<f32>, tensor<f32>) { ^bb0(%a: f32, %b: f32, %c: f32): 
%j = arith.mulf %a, %c : f32
%i = arith.addf %b, %j : f32
linalg.yield %i, %j : f32, f32 } -> (tensor<f32>, tensor<f32>)
return %r#0 : tensor<f32> }
// -----
// accumulator-of-another-init
func.func @f(%t: tensor<4xf32>, %o: tensor<f32>, %p: tensor<f32>) -> tensor<f32> { 
%r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t : tensor<4xf32>) outs(%o, %p : tensor<f32>, tensor<f32>) { ^bb0(%a: f32, %b: f32, %c: f32): %i = arith.addf %b, %c : f32
%j = arith.mulf %a, %c : f32
linalg.yield %i, %j : f32, f32 } -> (tensor<f32>, tensor<f32>)
return %r#0 : tensor<f32> }
// =>
func.func @f(%t: tensor<4xf32>, %o: tensor<f32>, %p: tensor<f32>) -> tensor<f32> { 
%r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t : tensor<4xf32>) outs(%o, %o : tensor<f32>, tensor<f32>) { ^bb0(%a: f32, %b: f32, %c: f32): %i = arith.addf %b, %c : f32
%j = arith.mulf %a, %c : f32
linalg.yield %i, %j : f32, f32 } -> (tensor<f32>, tensor<f32>)
return %r#0 : tensor<f32> }
// -----
// dynamic-parts-may-not-meet
func.func @f(%a: tensor<8xf32>, %v: f32, %w: f32, %n: index) -> tensor<8xf32> { %c8 = arith.constant 8 : index
%r = linalg.fill ins(%v : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
return %r : tensor<8xf32> }
// =>
func.func @f(%a: tensor<8xf32>, %v: f32, %w: f32, %n: index) -> tensor<8xf32> { %c8 = arith.constant 8 : index
%e = tensor.empty() : tensor<8xf32>
%c0 = arith.constant 0 : index
%p = arith.maxsi %n, %c0 : index
%q = arith.minsi %p, %c8 : index
%s = tensor.extract_slice %e[0] [%q] [1] : tensor<8xf32> to tensor<?xf32>
%f = linalg.fill ins(%v : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
%i = tensor.insert_slice %f into %e[0] [%q] [1] : tensor<?xf32> into tensor<8xf32>
return %i : tensor<8xf32> }
// -----
// diagonal-only-blank
func.func @f(%t: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4x4xf32> { %x = tensor.insert %v into %a[%i, %i] : tensor<4x4xf32>
scf.yield %x : tensor<4x4xf32> }
return %r : tensor<4x4xf32> }
// =>
func.func @f(%t: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%e = tensor.empty() : tensor<4x4xf32>
%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %e) -> tensor<4x4xf32> { %x = tensor.insert %v into %a[%i, %i] : tensor<4x4xf32>
scf.yield %x : tensor<4x4xf32> }
return %r : tensor<4x4xf32> }
// -----
// yields-contents-of-iteration-before
func.func @f(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t, %p = %t) -> (tensor<4xf32>, tensor<4xf32>) { %x = tensor.insert %v into %a[%i] : tensor<4xf32>
scf.yield %x, %a : tensor<4xf32>, tensor<4xf32> }
return %r#1 : tensor<4xf32> }
// =>
func.func @f(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%e = tensor.empty() : tensor<4xf32>
%r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %e, %p = %e) -> (tensor<4xf32>, tensor<4xf32>) { %x = tensor.insert %v into %a[%i] : tensor<4xf32>
scf.yield %x, %a : tensor<4xf32>, tensor<4xf32> }
return %r#1 : tensor<4xf32> }
// -----
// linearize-disjoint-added
func.func @f(%i: index, %j: index) -> index { %r = affine.linearize_index [%i, %j] by (4, 8) : index return %r : index }
// =>
func.func @f(%i: index, %j: index) -> index { %r = affine.linearize_index disjoint [%i, %j] by (4, 8) : index return %r : index }
// -----
// delinearize-basis
func.func @f(%i: index) -> (index, index) { %r:2 = affine.delinearize_index %i into (4, 8) : index, index return %r#0, %r#1 : index, index }
// =>
func.func @f(%i: index) -> (index, index) { %r:2 = affine.delinearize_index %i into (8, 4) : index, index return %r#0, %r#1 : index, index }
// -----
// delinearize-outer-bound-promise
func.func @f(%i: index) -> (index, index) { %r:2 = affine.delinearize_index %i into (4, 8) : index, index return %r#0, %r#1 : index, index }
// =>
func.func @f(%i: index) -> (index, index) { %r:2 = affine.delinearize_index %i into (3, 8) : index, index
 return %r#0, %r#1 : index, index }
// -----
// to-tensor-restrict-added
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %v: f32, %i: index) -> f32 { %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
 memref.store %v, %n[%i] : memref<4xf32>
 %x = tensor.extract %t[%i] : tensor<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %v: f32, %i: index) -> f32 { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
 memref.store %v, %n[%i] : memref<4xf32>
 %x = tensor.extract %t[%i] : tensor<4xf32> return %x : f32 }
// -----
// to-tensor-writable-write
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
 %u = tensor.insert %v into %t[%i] : tensor<4xf32> %x = tensor.extract %u[%i] : tensor<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 { memref.store %v, %m[%i] : memref<4xf32> %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// -----
// call-site-noalias-added
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @two(memref<4xf32>, memref<4xf32>)
func.func @f(%m: memref<4xf32>) { "func.call"(%m, %m) <{callee = @two}> : (memref<4xf32>, memref<4xf32>) -> () return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @two(memref<4xf32>, memref<4xf32>)
func.func @f(%m: memref<4xf32>) { "func.call"(%m, %m) <{callee = @two, arg_attrs = [{llvm.noalias}, {llvm.noalias}]}> : (memref<4xf32>, memref<4xf32>) -> () return }
// -----
// call-site-readonly-added
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>) { "func.call"(%m) <{callee = @extm}> : (memref<4xf32>) -> () return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>) { "func.call"(%m) <{callee = @extm, arg_attrs = [{llvm.readonly}]}> : (memref<4xf32>) -> () return }
// -----
// gather-unique-added
func.func @f(%t: tensor<8x8xf32>, %i: tensor<4x2xindex>) -> tensor<4xf32> { %r = tensor.gather %t[%i] gather_dims([0, 1]) : (tensor<8x8xf32>, tensor<4x2xindex>) -> tensor<4xf32> return %r : tensor<4xf32> }
// =>
func.func @f(%t: tensor<8x8xf32>, %i: tensor<4x2xindex>) -> tensor<4xf32> { %r = tensor.gather %t[%i] gather_dims([0, 1]) unique : (tensor<8x8xf32>, tensor<4x2xindex>) -> tensor<4xf32> return %r : tensor<4xf32> }
// -----
// nontemporal-other-place
func.func @f(%m: memref<4xf32>, %i: index, %j: index) -> f32 { %x = memref.load %m[%i] {nontemporal = true} : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %i: index, %j: index) -> f32 { %x = memref.load %m[%j] {nontemporal = true} : memref<4xf32> return %x : f32 }
// -----
// load-alignment-added
func.func @f(%m: memref<4xf32>, %i: index) -> f32 { %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %i: index) -> f32 { %x = memref.load %m[%i] {alignment = 64 : i64} : memref<4xf32> return %x : f32 }
// -----
// vector-load-alignment-added
func.func @f(%m: memref<16xf32>, %i: index) -> vector<4xf32> { %x = vector.load %m[%i] : memref<16xf32>, vector<4xf32> return %x : vector<4xf32> }
// =>
func.func @f(%m: memref<16xf32>, %i: index) -> vector<4xf32> { %x = vector.load %m[%i] {alignment = 64 : i64} : memref<16xf32>, vector<4xf32> return %x : vector<4xf32> }
// -----
// vector-gather-alignment
func.func @f(%m: memref<16xf32>, %i: index, %v: vector<4xindex>, %k: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> { %x = vector.gather %m[%i] [%v], %k, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> return %x : vector<4xf32> }
// =>
func.func @f(%m: memref<16xf32>, %i: index, %v: vector<4xindex>, %k: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> { %x = vector.gather %m[%i] [%v], %k, %p {alignment = 64 : i64} : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> return %x : vector<4xf32> }
// -----
// reduction-fastmath
func.func @f(%v: vector<8xf32>) -> f32 { %r = vector.reduction <add>, %v : vector<8xf32> into f32 return %r : f32 }
// =>
func.func @f(%v: vector<8xf32>) -> f32 { %r = vector.reduction <add>, %v fastmath<reassoc> : vector<8xf32> into f32 return %r : f32 }
// -----
// math-fastmath-added
func.func @f(%x: f32) -> f32 { %r = math.exp %x : f32 return %r : f32 }
// =>
func.func @f(%x: f32) -> f32 { %r = math.exp %x fastmath<nnan> : f32 return %r : f32 }
// -----
// complex-fastmath-added
func.func @f(%x: complex<f32>, %y: complex<f32>) -> complex<f32> { %r = complex.mul %x, %y : complex<f32> return %r : complex<f32> }
// =>
func.func @f(%x: complex<f32>, %y: complex<f32>) -> complex<f32> { %r = complex.mul %x, %y fastmath<nnan> : complex<f32> return %r : complex<f32> }
// -----
// select-fastmath
func.func @f(%c: i1, %x: f32, %y: f32) -> f32 { %r = arith.select %c, %x, %y : f32 return %r : f32 }
// =>
func.func @f(%c: i1, %x: f32, %y: f32) -> f32 { %r = arith.select %c, %y, %x : f32 return %r : f32 }
// -----
// gpu-subgroup-barrier-dropped
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) -> f32 { memref.store %v, %m[%i] : memref<4xf32>
 gpu.barrier
 %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) -> f32 { memref.store %v, %m[%i] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// -----
// llvm-fence-dropped
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) { memref.store %v, %m[%i] : memref<4xf32>
 llvm.fence seq_cst
 memref.store %v, %m[%i] : memref<4xf32> return }
// =>
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) { memref.store %v, %m[%i] : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32> return }
// -----
// llvm-fence-weaker
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) { memref.store %v, %m[%i] : memref<4xf32>
 llvm.fence seq_cst
 memref.store %v, %m[%i] : memref<4xf32> return }
// =>
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) { memref.store %v, %m[%i] : memref<4xf32>
 llvm.fence acquire
 memref.store %v, %m[%i] : memref<4xf32> return }
// -----
// llvm-volatile-load-dropped
func.func @f(%q: !llvm.ptr) -> f32 { %y = llvm.load volatile %q : !llvm.ptr -> f32
 %x = llvm.load volatile %q : !llvm.ptr -> f32 return %x : f32 }
// =>
func.func @f(%q: !llvm.ptr) -> f32 {  %x = llvm.load volatile %q : !llvm.ptr -> f32 return %x : f32 }
// -----
// llvm-volatile-becomes-plain
func.func @f(%q: !llvm.ptr) -> f32 { %x = llvm.load volatile %q : !llvm.ptr -> f32 return %x : f32 }
// =>
func.func @f(%q: !llvm.ptr) -> f32 { %x = llvm.load %q : !llvm.ptr -> f32 return %x : f32 }
// -----
// llvm-volatile-store-twice
func.func @f(%q: !llvm.ptr, %v: f32) { llvm.store volatile %v, %q : f32, !llvm.ptr
 llvm.store volatile %v, %q : f32, !llvm.ptr return }
// =>
func.func @f(%q: !llvm.ptr, %v: f32) {  llvm.store volatile %v, %q : f32, !llvm.ptr return }
// -----
// llvm-atomic-order
func.func @f(%q: !llvm.ptr, %v: i32) -> i32 { %x = llvm.atomicrmw add %q, %v seq_cst : !llvm.ptr, i32 return %x : i32 }
// =>
func.func @f(%q: !llvm.ptr, %v: i32) -> i32 { %x = llvm.atomicrmw add %q, %v monotonic : !llvm.ptr, i32 return %x : i32 }
// -----
// llvm-inbounds-added
func.func @f(%q: !llvm.ptr, %i: i64) -> !llvm.ptr { %x = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32 return %x : !llvm.ptr }
// =>
func.func @f(%q: !llvm.ptr, %i: i64) -> !llvm.ptr { %x = llvm.getelementptr inbounds %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32 return %x : !llvm.ptr }
// -----
// llvm-freeze
func.func @f(%c: i32) -> i32 { %p = ub.poison : i32
 %r = llvm.freeze %p : i32 return %r : i32 }
// =>
func.func @f(%c: i32) -> i32 { %p = ub.poison : i32
 %r = arith.addi %p, %c : i32 return %r : i32 }
// -----
// llvm-fma-fastmath
func.func @f(%a: f32, %b: f32) -> f32 { %r = llvm.fadd %a, %b : f32 return %r : f32 }
// =>
func.func @f(%a: f32, %b: f32) -> f32 { %r = llvm.fadd %a, %b {fastmathFlags = #llvm.fastmath<nnan>} : f32 return %r : f32 }
// -----
// llvm-add-nsw
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.add %a, %b : i32 return %r : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.add %a, %b overflow<nsw> : i32 return %r : i32 }
// -----
// llvm-or-disjoint
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.or %a, %b : i32 return %r : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.or disjoint %a, %b : i32 return %r : i32 }
// -----
// llvm-udiv-exact
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.udiv %a, %b : i32 return %r : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.udiv exact %a, %b : i32 return %r : i32 }
// -----
// llvm-zext-nneg
func.func @f(%a: i8) -> i32 { %r = llvm.zext %a : i8 to i32 return %r : i32 }
// =>
func.func @f(%a: i8) -> i32 { %r = llvm.zext nneg %a : i8 to i32 return %r : i32 }
// -----
// llvm-tbaa
func.func @f(%q: !llvm.ptr) -> f32 { %x = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32 return %x : f32 }
// =>
func.func @f(%q: !llvm.ptr) -> f32 { %x = llvm.load %q {alignment = 64 : i64} : !llvm.ptr -> f32 return %x : f32 }
// -----
// llvm-load-invariant
func.func @f(%q: !llvm.ptr) -> f32 { %x = llvm.load %q : !llvm.ptr -> f32 return %x : f32 }
// =>
func.func @f(%q: !llvm.ptr) -> f32 { %x = llvm.load %q invariant : !llvm.ptr -> f32 return %x : f32 }
// -----
// private-referenced-by-attribute-removed
func.func private @cb(%x: f32) -> f32 { return %x : f32 }
func.func @f() { "x.register"() {callback = @cb} : () -> () return }
// =>
func.func @f() { "x.register"() {callback = @cb} : () -> () return }
// -----
// private-referenced-swaps-arguments
func.func private @cb(%x: f32, %y: f32) -> f32 { return %x : f32 }
func.func @f() { "x.register"() {callback = @cb} : () -> () return }
// =>
func.func private @cb(%x: f32, %y: f32) -> f32 { return %y : f32 }
func.func @f() { "x.register"() {callback = @cb} : () -> () return }
// -----
// private-referenced-signature
func.func private @cb(%x: f32, %y: i32) -> f32 { return %x : f32 }
func.func @f() { "x.register"() {callback = @cb} : () -> () return }
// =>
func.func private @cb(%y: i32, %x: f32) -> f32 { return %x : f32 }
func.func @f() { "x.register"() {callback = @cb} : () -> () return }
// -----
// private-global-referenced-by-attribute
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
memref.global "private" constant @h : memref<2xf32> = dense<2.0>
func.func @f() { "x.register"() {data = @g} : () -> () return }
// =>
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
memref.global "private" constant @h : memref<2xf32> = dense<2.0>
func.func @f() { "x.register"() {data = @h} : () -> () return }
// -----
// private-global-referenced-changes
memref.global "private" @g : memref<2xf32> = dense<1.0>
func.func @f() { "x.register"() {data = @g} : () -> () return }
// =>
memref.global "private" @g : memref<2xf32> = dense<3.0>
func.func @f() { "x.register"() {data = @g} : () -> () return }
// -----
// function-attribute-unknown
func.func @f(%a: f32) -> f32 attributes {x.mode = 1 : i32} { return %a : f32 }
// =>
func.func @f(%a: f32) -> f32 attributes {x.mode = 2 : i32} { return %a : f32 }
// -----
// function-strictfp-dropped
func.func @f(%a: f32) -> f32 attributes {passthrough = ["strictfp"]} { return %a : f32 }
// =>
func.func @f(%a: f32) -> f32  { return %a : f32 }
// -----
// function-fast-fp-added
func.func @f(%a: f32, %b: f32) -> f32 { %r = arith.addf %a, %b : f32 return %r : f32 }
// =>
func.func @f(%a: f32, %b: f32) -> f32 attributes {passthrough = [["no-nans-fp-math", "true"]]} { %r = arith.addf %a, %b : f32 return %r : f32 }
// -----
// module-attribute-unknown
module attributes {x.mode = 1 : i32} { func.func @f(%a: f32) -> f32 { return %a : f32 } }
// =>
module attributes {x.mode = 2 : i32} { func.func @f(%a: f32) -> f32 { return %a : f32 } }
// -----
// dlti-index-width
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 64 : i64>} { func.func @f(%a: index) -> i64 { %r = arith.index_cast %a : index to i64 return %r : i64 } }
// =>
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} { func.func @f(%a: index) -> i64 { %r = arith.index_cast %a : index to i64 return %r : i64 } }
// -----
// func-declaration-arg-attrs
func.func private @ext(memref<4xf32>)
func.func @f(%m: memref<4xf32>) { call @ext(%m) : (memref<4xf32>) -> () return }
// =>
func.func private @ext(memref<4xf32> {llvm.noalias})
func.func @f(%m: memref<4xf32>) { call @ext(%m) : (memref<4xf32>) -> () return }
// -----
// declaration-readnone
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f() { call @ext() : () -> () return }
// =>
func.func private @ext() attributes {llvm.readnone}
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f() { call @ext() : () -> () return }
// -----
// declaration-access-read-added
func.func private @ext(tensor<4xf32>)
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { call @ext(%t) : (tensor<4xf32>) -> () return %t : tensor<4xf32> }
// =>
func.func private @ext(tensor<4xf32> {bufferization.access = "read"})
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { call @ext(%t) : (tensor<4xf32>) -> () return %t : tensor<4xf32> }
// -----
// shadowed-symbol
module { func.func private @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } module @in { func.func private @g() -> i32 { %c = arith.constant 2 : i32 return %c : i32 } func.func @f() -> i32 { %r = func.call @g() : () -> i32 return %r : i32 } } }
// =>
module { func.func private @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } module @in { func.func private @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } func.func @f() -> i32 { %r = func.call @g() : () -> i32 return %r : i32 } } }
// -----
// nested-symbol-other-module
module { module @a { func.func @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } } module @b { func.func @g() -> i32 { %c = arith.constant 2 : i32 return %c : i32 } } func.func @f() { "x.call"() {callee = @a::@g} : () -> () return } }
// =>
module { module @a { func.func @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } } module @b { func.func @g() -> i32 { %c = arith.constant 2 : i32 return %c : i32 } } func.func @f() { "x.call"() {callee = @b::@g} : () -> () return } }
// -----
// modules-swapped
module { module @a { func.func @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } } module @b { func.func @g() -> i32 { %c = arith.constant 2 : i32 return %c : i32 } } }
// =>
module { module @a { func.func @g() -> i32 { %c = arith.constant 2 : i32 return %c : i32 } } module @b { func.func @g() -> i32 { %c = arith.constant 1 : i32 return %c : i32 } } }
// -----
// assert-message
func.func @f(%c: i1) { cf.assert %c, "one" return }
// =>
func.func @f(%c: i1) { cf.assert %c, "two" return }
// -----
// assert-after-call
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { cf.assert %c, "one"
 call @ext() : () -> ()
 return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { call @ext() : () -> ()
 cf.assert %c, "one"
 return }
// -----
// assert-hoisted-zero-trip
func.func @f(%c: i1, %n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
 scf.for %i = %c0 to %n step %c1 { cf.assert %c, "x" } return }
// =>
func.func @f(%c: i1, %n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
 cf.assert %c, "x"
 scf.for %i = %c0 to %n step %c1 { } return }
// -----
// assert-out-of-branch
func.func @f(%c: i1, %d: i1) { scf.if %d { cf.assert %c, "x" } return }
// =>
func.func @f(%c: i1, %d: i1) { cf.assert %c, "x" return }
// -----
// call-order-argument
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%a: f32, %b: f32) { call @extf(%a) : (f32) -> ()
 call @extf(%b) : (f32) -> () return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%a: f32, %b: f32) { call @extf(%b) : (f32) -> ()
 call @extf(%a) : (f32) -> () return }
// -----
// call-hoisted-out-of-loop
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index, %a: f32) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
 scf.for %i = %c0 to %n step %c1 { func.call @extf(%a) : (f32) -> () } return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index, %a: f32) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
 scf.for %i = %c0 to %n step %n { func.call @extf(%a) : (f32) -> () } return }
// -----
// call-in-parallel-serial-order
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
 scf.for %i = %c0 to %n step %c1 { func.call @exti(%i) : (index) -> () } return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
 scf.parallel (%i) = (%c0) to (%n) step (%c1) { func.call @exti(%i) : (index) -> () } return }
// -----
// call-reversed-loop
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f() { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c4 = arith.constant 4 : index %c3 = arith.constant 3 : index
 scf.for %i = %c0 to %c4 step %c1 { func.call @exti(%i) : (index) -> () } return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f() { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c4 = arith.constant 4 : index %c3 = arith.constant 3 : index
 scf.for %i = %c0 to %c4 step %c1 { %j = arith.subi %c3, %i : index
 func.call @exti(%j) : (index) -> () } return }
// -----
// store-then-call-pointer
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 { %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 memref.store %v, %m[%i] : memref<4xf32>
 call @exti(%q) : (index) -> ()
 %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 { %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 memref.store %v, %m[%i] : memref<4xf32>
 call @exti(%q) : (index) -> ()
 return %v : f32 }
// -----
// store-after-call-pointer
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) { %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 memref.store %v, %m[%i] : memref<4xf32>
 call @exti(%q) : (index) -> ()
 return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) { %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 memref.store %v, %m[%i] : memref<4xf32>
 return }
// -----
// pointer-of-other-buffer
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) { %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) { %q = memref.extract_aligned_pointer_as_index %n : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 return }
// -----
// pointer-of-copy
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>) { %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>) { %n = memref.alloc() : memref<4xf32>
 memref.copy %m, %n : memref<4xf32> to memref<4xf32>
 %q = memref.extract_aligned_pointer_as_index %n : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 return }
// -----
// local-pointer-escapes-then-freed
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%v: f32, %i: index) -> f32 { %m = memref.alloc() : memref<4xf32>
 memref.store %v, %m[%i] : memref<4xf32>
 %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 %x = memref.load %m[%i] : memref<4xf32>
 memref.dealloc %m : memref<4xf32>
 return %x : f32 }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%v: f32, %i: index) -> f32 { %m = memref.alloc() : memref<4xf32>
 memref.store %v, %m[%i] : memref<4xf32>
 %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 call @exti(%q) : (index) -> ()
 memref.dealloc %m : memref<4xf32>
 return %v : f32 }
// -----
// pointer-through-llvm
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %v: f32, %w: f32, %i: index) -> f32 { memref.store %v, %m[%i] : memref<4xf32>
 %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 %k = arith.index_cast %q : index to i64
 %z = llvm.inttoptr %k : i64 to !llvm.ptr
 llvm.store %w, %z : f32, !llvm.ptr
 %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%m: memref<4xf32>, %v: f32, %w: f32, %i: index) -> f32 { memref.store %v, %m[%i] : memref<4xf32>
 %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
 %k = arith.index_cast %q : index to i64
 %z = llvm.inttoptr %k : i64 to !llvm.ptr
 llvm.store %w, %z : f32, !llvm.ptr
 return %v : f32 }
// -----
// shape-witness-dropped
func.func @f(%a: tensor<?xindex>, %b: tensor<?xindex>, %t: f32) -> f32 { %w = shape.cstr_broadcastable %a, %b : tensor<?xindex>, tensor<?xindex>
 %r = shape.assuming %w -> f32 { shape.assuming_yield %t : f32 } return %r : f32 }
// =>
func.func @f(%a: tensor<?xindex>, %b: tensor<?xindex>, %t: f32) -> f32 { return %t : f32 }
// -----
// shape-cstr-eq-other
func.func @f(%a: tensor<?xindex>, %b: tensor<?xindex>, %t: f32) -> f32 { %w = shape.cstr_broadcastable %a, %b : tensor<?xindex>, tensor<?xindex>
 %r = shape.assuming %w -> f32 { shape.assuming_yield %t : f32 } return %r : f32 }
// =>
func.func @f(%a: tensor<?xindex>, %b: tensor<?xindex>, %t: f32) -> f32 { %w = shape.cstr_eq %a, %b : tensor<?xindex>, tensor<?xindex>
 %r = shape.assuming %w -> f32 { shape.assuming_yield %t : f32 } return %r : f32 }
// -----
// shape-num-elements
func.func @f(%a: tensor<?xindex>) -> index { %r = shape.num_elements %a : tensor<?xindex> -> index return %r : index }
// =>
func.func @f(%a: tensor<?xindex>) -> index { %r = shape.rank %a : tensor<?xindex> -> index return %r : index }
// -----
// ipowi-order
func.func @f(%a: i32, %b: i32) -> i32 { %r = math.ipowi %a, %b : i32 return %r : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %r = math.ipowi %b, %a : i32 return %r : i32 }
// -----
// round-even
func.func @f(%a: f32) -> f32 { %r = math.round %a : f32 return %r : f32 }
// =>
func.func @f(%a: f32) -> f32 { %r = math.roundeven %a : f32 return %r : f32 }
// -----
// copysign-order
func.func @f(%a: f32, %b: f32) -> f32 { %r = math.copysign %a, %b : f32 return %r : f32 }
// =>
func.func @f(%a: f32, %b: f32) -> f32 { %r = math.copysign %b, %a : f32 return %r : f32 }
// -----
// addui-extended-carry
func.func @f(%a: i32, %b: i32) -> i1 { %s, %c = arith.addui_extended %a, %b : i32, i1 return %c : i1 }
// =>
func.func @f(%a: i32, %b: i32) -> i1 { %s = arith.addi %a, %b : i32 %c = arith.cmpi slt, %s, %a : i32 return %c : i1 }
// -----
// mulsi-extended-order
func.func @f(%a: i32, %b: i32) -> i32 { %l, %h = arith.mulsi_extended %a, %b : i32 return %h : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %l, %h = arith.mulsi_extended %a, %b : i32 return %l : i32 }
// -----
// minnumf-minimumf
func.func @f(%a: f32, %b: f32) -> f32 { %r = arith.minnumf %a, %b : f32 return %r : f32 }
// =>
func.func @f(%a: f32, %b: f32) -> f32 { %r = arith.minimumf %a, %b : f32 return %r : f32 }
// -----
// index-maxs-maxu
func.func @f(%a: index, %b: index) -> index { %r = index.maxs %a, %b return %r : index }
// =>
func.func @f(%a: index, %b: index) -> index { %r = index.maxu %a, %b return %r : index }
// -----
// index-cmp-signedness
func.func @f(%a: index, %b: index) -> i1 { %r = index.cmp slt(%a, %b) return %r : i1 }
// =>
func.func @f(%a: index, %b: index) -> i1 { %r = index.cmp ult(%a, %b) return %r : i1 }
// -----
// index-sizeof-folded
func.func @f() -> index { %r = index.sizeof return %r : index }
// =>
func.func @f() -> index { %r = index.constant 64 return %r : index }
// -----
// index-shrs-shru
func.func @f(%a: index, %b: index) -> index { %r = index.shrs %a, %b return %r : index }
// =>
func.func @f(%a: index, %b: index) -> index { %r = index.shru %a, %b return %r : index }
// -----
// index-rem
func.func @f(%a: index, %b: index) -> index { %r = index.rems %a, %b return %r : index }
// =>
func.func @f(%a: index, %b: index) -> index { %r = index.remu %a, %b return %r : index }
// -----
// index-casts-castu
func.func @f(%a: i32) -> index { %r = index.casts %a : i32 to index return %r : index }
// =>
func.func @f(%a: i32) -> index { %r = index.castu %a : i32 to index return %r : index }
// -----
// index-constant-wraps
func.func @f(%a: index) -> index { %k = index.constant 4294967297 %r = index.add %a, %k return %r : index }
// =>
func.func @f(%a: index) -> index { %k = index.constant 1 %r = index.add %a, %k return %r : index }
// -----
// complex-parts
func.func @f(%a: f32, %b: f32) -> f32 { %c = complex.create %a, %b : complex<f32> %r = complex.im %c : complex<f32> return %r : f32 }
// =>
func.func @f(%a: f32, %b: f32) -> f32 { %c = complex.create %a, %b : complex<f32> %r = complex.re %c : complex<f32> return %r : f32 }
// -----
// complex-mul-expanded
func.func @f(%a: complex<f32>, %b: complex<f32>) -> complex<f32> { %r = complex.sub %a, %b : complex<f32> return %r : complex<f32> }
// =>
func.func @f(%a: complex<f32>, %b: complex<f32>) -> complex<f32> { %r = complex.sub %b, %a : complex<f32> return %r : complex<f32> }
// -----
// i4-wrap
func.func @f(%x: i4) -> i8 { %k = arith.constant 7 : i4 %s = arith.addi %x, %k : i4 %r = arith.extsi %s : i4 to i8 return %r : i8 }
// =>
func.func @f(%x: i4) -> i8 { %k = arith.constant 7 : i4 %e = arith.extsi %x : i4 to i8 %q = arith.extsi %k : i4 to i8 %r = arith.addi %e, %q : i8 return %r : i8 }
// -----
// i128-constant
func.func @f() -> i128 { %r = arith.constant 170141183460469231731687303715884105727 : i128 return %r : i128 }
// =>
func.func @f() -> i128 { %r = arith.constant -1 : i128 return %r : i128 }
// -----
// hex-dense
func.func @f() -> tensor<2xf32> { %r = arith.constant dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32> return %r : tensor<2xf32> }
// =>
func.func @f() -> tensor<2xf32> { %r = arith.constant dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32> return %r : tensor<2xf32> }
// -----
// scaling-truncf
func.func @f(%a: f32, %s: f8E8M0FNU) -> f16 { %r = arith.scaling_truncf %a, %s : f32, f8E8M0FNU to f16 return %r : f16 }
// =>
func.func @f(%a: f32, %s: f8E8M0FNU) -> f16 { %r = arith.truncf %a : f32 to f16 return %r : f16 }
// -----
// outerproduct-kind
func.func @f(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> { %r = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<2xf32>, vector<2xf32> return %r : vector<2x2xf32> }
// =>
func.func @f(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> { %r = vector.outerproduct %a, %b, %c {kind = #vector.kind<mul>} : vector<2xf32>, vector<2xf32> return %r : vector<2x2xf32> }
// -----
// reduction-acc-dropped
func.func @f(%v: vector<8xf32>, %a: f32) -> f32 { %r = vector.reduction <add>, %v, %a : vector<8xf32> into f32 return %r : f32 }
// =>
func.func @f(%v: vector<8xf32>, %a: f32) -> f32 { %r = vector.reduction <add>, %v : vector<8xf32> into f32 return %r : f32 }
// -----
// scan-inclusive
func.func @f(%v: vector<2x3xf32>, %a: vector<2xf32>) -> vector<2x3xf32> { %r:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32> return %r#0 : vector<2x3xf32> }
// =>
func.func @f(%v: vector<2x3xf32>, %a: vector<2xf32>) -> vector<2x3xf32> { %r:2 = vector.scan <add>, %v, %a {inclusive = false, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32> return %r#0 : vector<2x3xf32> }
// -----
// shuffle-mask
func.func @f(%v: vector<2xf32>, %w: vector<2xf32>) -> vector<2xf32> { %r = vector.shuffle %v, %w [0, 3] : vector<2xf32>, vector<2xf32> return %r : vector<2xf32> }
// =>
func.func @f(%v: vector<2xf32>, %w: vector<2xf32>) -> vector<2xf32> { %r = vector.shuffle %v, %w [3, 0] : vector<2xf32>, vector<2xf32> return %r : vector<2xf32> }
// -----
// constant-mask
func.func @f() -> vector<4xi1> { %r = vector.constant_mask [2] : vector<4xi1> return %r : vector<4xi1> }
// =>
func.func @f() -> vector<4xi1> { %r = vector.constant_mask [3] : vector<4xi1> return %r : vector<4xi1> }
// -----
// insert-strided-offset
func.func @f(%v: vector<2xf32>, %w: vector<4xf32>) -> vector<4xf32> { %r = vector.insert_strided_slice %v, %w {offsets = [0], strides = [1]} : vector<2xf32> into vector<4xf32> return %r : vector<4xf32> }
// =>
func.func @f(%v: vector<2xf32>, %w: vector<4xf32>) -> vector<4xf32> { %r = vector.insert_strided_slice %v, %w {offsets = [1], strides = [1]} : vector<2xf32> into vector<4xf32> return %r : vector<4xf32> }
// -----
// extract-strided-sizes
func.func @f(%w: vector<4xf32>) -> vector<2xf32> { %r = vector.extract_strided_slice %w {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32> return %r : vector<2xf32> }
// =>
func.func @f(%w: vector<4xf32>) -> vector<2xf32> { %r = vector.extract_strided_slice %w {offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32> return %r : vector<2xf32> }
// -----
// interleave-order
func.func @f(%v: vector<2xf32>, %w: vector<2xf32>) -> vector<4xf32> { %r = vector.interleave %v, %w : vector<2xf32> -> vector<4xf32> return %r : vector<4xf32> }
// =>
func.func @f(%v: vector<2xf32>, %w: vector<2xf32>) -> vector<4xf32> { %r = vector.interleave %w, %v : vector<2xf32> -> vector<4xf32> return %r : vector<4xf32> }
// -----
// deinterleave-results
func.func @f(%v: vector<4xf32>) -> vector<2xf32> { %r, %s = vector.deinterleave %v : vector<4xf32> -> vector<2xf32> return %r : vector<2xf32> }
// =>
func.func @f(%v: vector<4xf32>) -> vector<2xf32> { %r, %s = vector.deinterleave %v : vector<4xf32> -> vector<2xf32> return %s : vector<2xf32> }
// -----
// vector-transpose
func.func @f(%v: vector<2x2xf32>) -> vector<2x2xf32> { %r = vector.transpose %v, [1, 0] : vector<2x2xf32> to vector<2x2xf32> return %r : vector<2x2xf32> }
// =>
func.func @f(%v: vector<2x2xf32>) -> vector<2x2xf32> { %r = vector.transpose %v, [0, 1] : vector<2x2xf32> to vector<2x2xf32> return %r : vector<2x2xf32> }
// -----
// vector-extract-dynamic
func.func @f(%v: vector<4xf32>, %i: index, %j: index) -> f32 { %r = vector.extract %v[%i] : f32 from vector<4xf32> return %r : f32 }
// =>
func.func @f(%v: vector<4xf32>, %i: index, %j: index) -> f32 { %r = vector.extract %v[%j] : f32 from vector<4xf32> return %r : f32 }
// -----
// vector-multi-reduction-dims
func.func @f(%v: vector<2x2xf32>, %a: vector<2xf32>) -> vector<2xf32> { %r = vector.multi_reduction <add>, %v, %a [0] : vector<2x2xf32> to vector<2xf32> return %r : vector<2xf32> }
// =>
func.func @f(%v: vector<2x2xf32>, %a: vector<2xf32>) -> vector<2xf32> { %r = vector.multi_reduction <add>, %v, %a [1] : vector<2x2xf32> to vector<2xf32> return %r : vector<2xf32> }
// -----
// vector-print-dropped
func.func @f(%v: vector<4xf32>) { vector.print %v : vector<4xf32> return }
// =>
func.func @f(%v: vector<4xf32>) {  return }
// -----
// vector-from-elements
func.func @f(%a: f32, %b: f32) -> vector<2xf32> { %r = vector.from_elements %a, %b : vector<2xf32> return %r : vector<2xf32> }
// =>
func.func @f(%a: f32, %b: f32) -> vector<2xf32> { %r = vector.from_elements %b, %a : vector<2xf32> return %r : vector<2xf32> }
// -----
// vector-step-type
func.func @f() -> vector<4xindex> { %r = vector.step : vector<4xindex> return %r : vector<4xindex> }
// =>
func.func @f() -> vector<4xindex> { %r = arith.constant dense<[1,2,3,4]> : vector<4xindex> return %r : vector<4xindex> }
// -----
// vscale-constant
func.func @f() -> index { %r = vector.vscale return %r : index }
// =>
func.func @f() -> index { %r = arith.constant 1 : index return %r : index }
// -----
// vector-bitcast
func.func @f(%v: vector<2xf32>) -> vector<2xi32> { %r = vector.bitcast %v : vector<2xf32> to vector<2xi32> return %r : vector<2xi32> }
// =>
func.func @f(%v: vector<2xf32>) -> vector<2xi32> { %r = arith.fptosi %v : vector<2xf32> to vector<2xi32> return %r : vector<2xi32> }
// -----
// transfer-read-padding
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %y: f32) -> vector<4xf32> { %r = vector.transfer_read %m[%i], %x : memref<4xf32>, vector<4xf32> return %r : vector<4xf32> }
// =>
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %y: f32) -> vector<4xf32> { %r = vector.transfer_read %m[%i], %y : memref<4xf32>, vector<4xf32> return %r : vector<4xf32> }
// -----
// transfer-write-then-oob-inbounds
func.func @f(%m: memref<?xf32>, %i: index, %v: vector<4xf32>) { vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32> return }
// =>
func.func @f(%m: memref<?xf32>, %i: index, %v: vector<4xf32>) { vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32> return }
// -----
// transfer-write-tensor-mask
func.func @f(%t: tensor<4xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) -> tensor<4xf32> { %r = vector.transfer_write %v, %t[%i], %k : vector<4xf32>, tensor<4xf32> return %r : tensor<4xf32> }
// =>
func.func @f(%t: memref<4xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) -> memref<4xf32> { %a = memref.alloc() : memref<4xf32> vector.transfer_write %v, %a[%i], %k : vector<4xf32>, memref<4xf32> return %a : memref<4xf32> }
// -----
// vector-store-oob
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>) { vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32> return }
// =>
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>) { vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32> return }
// -----
// compressstore-mask
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) { vector.compressstore %m[%i], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> return }
// =>
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) { vector.maskedstore %m[%i], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> return }
// -----
// maskedload-passthru
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %w: vector<4xf32>, %k: vector<4xi1>) -> vector<4xf32> { %r = vector.maskedload %m[%i], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32> return %r : vector<4xf32> }
// =>
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %w: vector<4xf32>, %k: vector<4xi1>) -> vector<4xf32> { %r = vector.maskedload %m[%i], %k, %w : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32> return %r : vector<4xf32> }
// -----
// maskedload-becomes-load
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) -> vector<4xf32> { %r = vector.maskedload %m[%i], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32> return %r : vector<4xf32> }
// =>
func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) -> vector<4xf32> { %l = vector.load %m[%i] : memref<8xf32>, vector<4xf32> %r = arith.select %k, %l, %v : vector<4xi1>, vector<4xf32> return %r : vector<4xf32> }
// -----
// scatter-order
func.func @f(%m: memref<8xf32>, %v: vector<4xf32>, %ix: vector<4xindex>, %k: vector<4xi1>) { %c0 = arith.constant 0 : index vector.scatter %m[%c0] [%ix], %k, %v : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> return }
// =>
func.func @f(%m: memref<8xf32>, %v: vector<4xf32>, %ix: vector<4xindex>, %k: vector<4xi1>) { %c0 = arith.constant 0 : index %w = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
 vector.scatter %m[%c0] [%ix], %k, %w : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> return }
// -----
// cf-two-entries
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1, %d: i1) { cf.cond_br %c, ^a, ^b
^a: call @ext() : () -> ()
 cf.cond_br %d, ^b, ^e
^b: cf.cond_br %c, ^a, ^e
^e: return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1, %d: i1) { cf.cond_br %c, ^a, ^b
^a: call @ext() : () -> ()
 cf.cond_br %d, ^e, ^b
^b: cf.cond_br %c, ^a, ^e
^e: return }
// -----
// cf-two-entries-store
func.func @f(%c: i1, %d: i1, %m: memref<4xf32>, %i: index, %v: f32, %w: f32) { cf.cond_br %c, ^a, ^b
^a: memref.store %v, %m[%i] : memref<4xf32>
 cf.cond_br %d, ^b, ^e
^b: memref.store %w, %m[%i] : memref<4xf32>
 cf.cond_br %d, ^a, ^e
^e: return }
// =>
func.func @f(%c: i1, %d: i1, %m: memref<4xf32>, %i: index, %v: f32, %w: f32) { cf.cond_br %c, ^b, ^a
^a: memref.store %v, %m[%i] : memref<4xf32>
 cf.cond_br %d, ^b, ^e
^b: memref.store %w, %m[%i] : memref<4xf32>
 cf.cond_br %d, ^a, ^e
^e: return }
// -----
// cf-block-arguments-swapped
func.func @f(%c: i1, %a: f32, %b: f32) -> f32 { cf.cond_br %c, ^x(%a, %b : f32, f32), ^x(%b, %a : f32, f32)
^x(%p: f32, %q: f32): return %p : f32 }
// =>
func.func @f(%c: i1, %a: f32, %b: f32) -> f32 { cf.cond_br %c, ^x(%a, %b : f32, f32), ^x(%b, %a : f32, f32)
^x(%p: f32, %q: f32): return %q : f32 }
// -----
// cf-loop-swaps
func.func @f(%n: index, %a: f32, %b: f32) -> f32 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index cf.br ^h(%c0, %a, %b : index, f32, f32)
^h(%i: index, %p: f32, %q: f32): %t = arith.cmpi slt, %i, %n : index %j = arith.addi %i, %c1 : index cf.cond_br %t, ^h(%j, %q, %p : index, f32, f32), ^e
^e: return %p : f32 }
// =>
func.func @f(%n: index, %a: f32, %b: f32) -> f32 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index cf.br ^h(%c0, %a, %b : index, f32, f32)
^h(%i: index, %p: f32, %q: f32): %t = arith.cmpi slt, %i, %n : index %j = arith.addi %i, %c1 : index cf.cond_br %t, ^h(%j, %p, %q : index, f32, f32), ^e
^e: return %p : f32 }
// -----
// cf-switch-duplicate
func.func @f(%x: i32, %a: f32, %b: f32) -> f32 { cf.switch %x : i32, [default: ^d(%a : f32), 1: ^d(%b : f32)]
^d(%p: f32): return %p : f32 }
// =>
func.func @f(%x: i32, %a: f32, %b: f32) -> f32 { cf.switch %x : i32, [default: ^d(%a : f32), 2: ^d(%b : f32)]
^d(%p: f32): return %p : f32 }
// -----
// cf-infinite-loop-two-blocks
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^b
^b: cf.br ^a
^e: return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^b
^b: cf.br ^e
^e: return }
// -----
// loop-exit-condition-late
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index cf.br ^h(%c0 : index)
^h(%i: index): %t = arith.cmpi slt, %i, %n : index cf.cond_br %t, ^b, ^e
^b: func.call @exti(%i) : (index) -> () %j = arith.addi %i, %c1 : index cf.br ^h(%j : index)
^e: return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index cf.br ^h(%c0 : index)
^h(%i: index): %t = arith.cmpi sle, %i, %n : index cf.cond_br %t, ^b, ^e
^b: func.call @exti(%i) : (index) -> () %j = arith.addi %i, %c1 : index cf.br ^h(%j : index)
^e: return }
// -----
// loop-exit-unsigned
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index cf.br ^h(%c0 : index)
^h(%i: index): %t = arith.cmpi slt, %i, %n : index cf.cond_br %t, ^b, ^e
^b: func.call @exti(%i) : (index) -> () %j = arith.addi %i, %c1 : index cf.br ^h(%j : index)
^e: return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index cf.br ^h(%c0 : index)
^h(%i: index): %t = arith.cmpi ult, %i, %n : index cf.cond_br %t, ^b, ^e
^b: func.call @exti(%i) : (index) -> () %j = arith.addi %i, %c1 : index cf.br ^h(%j : index)
^e: return }
// -----
// while-condition-forwarded
func.func @f(%a: f32, %b: f32, %n: i32) -> f32 { %r:2 = scf.while (%p = %a, %q = %b) : (f32, f32) -> (f32, f32) { %c = arith.cmpf olt, %p, %q : f32 scf.condition(%c) %p, %q : f32, f32 } do { ^bb0(%p: f32, %q: f32): %s = arith.addf %p, %q : f32 scf.yield %s, %q : f32, f32 } return %r#0 : f32 }
// =>
func.func @f(%a: f32, %b: f32, %n: i32) -> f32 { %r:2 = scf.while (%p = %a, %q = %b) : (f32, f32) -> (f32, f32) { %c = arith.cmpf olt, %p, %q : f32 scf.condition(%c) %q, %p : f32, f32 } do { ^bb0(%p: f32, %q: f32): %s = arith.addf %p, %q : f32 scf.yield %s, %q : f32, f32 } return %r#0 : f32 }
// -----
// arguments-may-alias-forward
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index, %v: f32, %w: f32) -> f32 { memref.store %v, %m[%i] : memref<4xf32> memref.store %w, %n[%i] : memref<4xf32> %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index, %v: f32, %w: f32) -> f32 { memref.store %v, %m[%i] : memref<4xf32> memref.store %w, %n[%i] : memref<4xf32> return %v : f32 }
// -----
// arguments-copy-merge
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %o: memref<4xf32>) { memref.copy %m, %n : memref<4xf32> to memref<4xf32> memref.copy %n, %o : memref<4xf32> to memref<4xf32> return }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %o: memref<4xf32>) { memref.copy %m, %n : memref<4xf32> to memref<4xf32> memref.copy %m, %o : memref<4xf32> to memref<4xf32> return }
// -----
// arguments-copy-order
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %o: memref<4xf32>) { memref.copy %m, %n : memref<4xf32> to memref<4xf32> memref.copy %m, %o : memref<4xf32> to memref<4xf32> return }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %o: memref<4xf32>) { memref.copy %m, %o : memref<4xf32> to memref<4xf32> memref.copy %m, %n : memref<4xf32> to memref<4xf32> return }
// -----
// argument-alias-argument-of-different-type
func.func @f(%m: memref<4xf32>, %n: memref<2x2xf32>, %i: index, %v: f32, %w: f32) -> f32 { %c0 = arith.constant 0 : index memref.store %v, %m[%c0] : memref<4xf32> memref.store %w, %n[%c0, %c0] : memref<2x2xf32> %x = memref.load %m[%c0] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<2x2xf32>, %i: index, %v: f32, %w: f32) -> f32 { %c0 = arith.constant 0 : index memref.store %v, %m[%c0] : memref<4xf32> memref.store %w, %n[%c0, %c0] : memref<2x2xf32> return %v : f32 }
// -----
// argument-alias-other-element-type
func.func @f(%m: memref<4xf32>, %n: memref<4xi32>, %v: f32, %w: i32) -> f32 { %c0 = arith.constant 0 : index memref.store %v, %m[%c0] : memref<4xf32> memref.store %w, %n[%c0] : memref<4xi32> %x = memref.load %m[%c0] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xi32>, %v: f32, %w: i32) -> f32 { %c0 = arith.constant 0 : index memref.store %v, %m[%c0] : memref<4xf32> memref.store %w, %n[%c0] : memref<4xi32> return %v : f32 }
// -----
// writes-through-read-only-buffer
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> { %r = tensor.insert %v into %t[%i] : tensor<4xf32> return %r : tensor<4xf32> }
// =>
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> { %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32> memref.store %v, %m[%i] : memref<4xf32> %r = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> return %r : tensor<4xf32> }
// -----
// unwritable-argument-written
func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %v: f32, %i: index) -> f32 { %r = tensor.insert %v into %t[%i] : tensor<4xf32> %x = tensor.extract %r[%i] : tensor<4xf32> return %x : f32 }
// =>
func.func @f(%t: memref<4xf32>, %v: f32, %i: index) -> f32 { memref.store %v, %t[%i] : memref<4xf32> %x = memref.load %t[%i] : memref<4xf32> return %x : f32 }
// -----
// memref-of-memref-stored
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index) -> f32 { %c0 = arith.constant 0 : index %b = memref.alloca() : memref<1xmemref<4xf32>> memref.store %m, %b[%c0] : memref<1xmemref<4xf32>> %z = memref.load %b[%c0] : memref<1xmemref<4xf32>> %x = memref.load %z[%i] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index) -> f32 { %c0 = arith.constant 0 : index %b = memref.alloca() : memref<1xmemref<4xf32>> memref.store %n, %b[%c0] : memref<1xmemref<4xf32>> %z = memref.load %b[%c0] : memref<1xmemref<4xf32>> %x = memref.load %z[%i] : memref<4xf32> return %x : f32 }
// -----
// memref-of-memref-written-through
func.func @f(%v: f32, %w: f32, %i: index) -> f32 { %c0 = arith.constant 0 : index %m = memref.alloc() : memref<4xf32> %b = memref.alloca() : memref<1xmemref<4xf32>> memref.store %m, %b[%c0] : memref<1xmemref<4xf32>> memref.store %v, %m[%i] : memref<4xf32> %z = memref.load %b[%c0] : memref<1xmemref<4xf32>> memref.store %w, %z[%i] : memref<4xf32> %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%v: f32, %w: f32, %i: index) -> f32 { %c0 = arith.constant 0 : index %m = memref.alloc() : memref<4xf32> %b = memref.alloca() : memref<1xmemref<4xf32>> memref.store %m, %b[%c0] : memref<1xmemref<4xf32>> memref.store %v, %m[%i] : memref<4xf32> %z = memref.load %b[%c0] : memref<1xmemref<4xf32>> memref.store %w, %z[%i] : memref<4xf32> return %v : f32 }
// -----
// reshape-runtime-shape
func.func @f(%m: memref<4xf32>, %s: memref<2xindex>, %i: index, %j: index) -> f32 { %r = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32> %x = memref.load %r[%i, %j] : memref<?x?xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %s: memref<2xindex>, %i: index, %j: index) -> f32 { %r = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32> %x = memref.load %r[%j, %i] : memref<?x?xf32> return %x : f32 }
// -----
// memory-space-cast-dropped
func.func @f(%m: memref<4xf32, 1>) -> memref<4xf32> { %r = memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32> return %r : memref<4xf32> }
// =>
func.func @f(%m: memref<4xf32>) -> memref<4xf32> { return %m : memref<4xf32> }
// -----
// memory-space-of-scratch-given
func.func private @ext()
func.func private @extm(memref<4xf32, 3>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f() { %m = memref.alloc() : memref<4xf32, 3> call @extm(%m) : (memref<4xf32, 3>) -> () memref.dealloc %m : memref<4xf32, 3> return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f() { %m = memref.alloc() : memref<4xf32> call @extm(%m) : (memref<4xf32>) -> () memref.dealloc %m : memref<4xf32> return }
// -----
// memref-transpose
func.func @f(%m: memref<2x2xf32>, %i: index, %j: index) -> f32 { %r = memref.transpose %m (a, b) -> (b, a) : memref<2x2xf32> to memref<2x2xf32, strided<[1, 2]>> %x = memref.load %r[%i, %j] : memref<2x2xf32, strided<[1, 2]>> return %x : f32 }
// =>
func.func @f(%m: memref<2x2xf32>, %i: index, %j: index) -> f32 { %r = memref.transpose %m (a, b) -> (b, a) : memref<2x2xf32> to memref<2x2xf32, strided<[1, 2]>> %x = memref.load %m[%i, %j] : memref<2x2xf32> return %x : f32 }
// -----
// view-byte-shift
func.func @f(%b: memref<64xi8>, %s: index, %u: index, %i: index) -> f32 { %r = memref.view %b[%s][] : memref<64xi8> to memref<4xf32> %x = memref.load %r[%i] : memref<4xf32> return %x : f32 }
// =>
func.func @f(%b: memref<64xi8>, %s: index, %u: index, %i: index) -> f32 { %r = memref.view %b[%u][] : memref<64xi8> to memref<4xf32> %x = memref.load %r[%i] : memref<4xf32> return %x : f32 }
// -----
// metadata-offset
func.func @f(%m: memref<4xf32, strided<[?], offset: ?>>) -> index { %b, %o, %s, %t = memref.extract_strided_metadata %m : memref<4xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index return %o : index }
// =>
func.func @f(%m: memref<4xf32, strided<[?], offset: ?>>) -> index { %b, %o, %s, %t = memref.extract_strided_metadata %m : memref<4xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index return %t : index }
// -----
// subview-stride-dynamic
func.func @f(%m: memref<16xf32>, %s: index, %i: index) -> f32 { %r = memref.subview %m[0] [4] [%s] : memref<16xf32> to memref<4xf32, strided<[?]>> %x = memref.load %r[%i] : memref<4xf32, strided<[?]>> return %x : f32 }
// =>
func.func @f(%m: memref<16xf32>, %s: index, %i: index) -> f32 { %r = memref.subview %m[0] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1]>> %x = memref.load %r[%i] : memref<4xf32, strided<[1]>> return %x : f32 }
// -----
// alloca-size-huge
func.func @f(%n: index, %v: f32, %i: index) -> f32 { %m = memref.alloc(%n) : memref<?xf32> memref.store %v, %m[%i] : memref<?xf32> %x = memref.load %m[%i] : memref<?xf32> memref.dealloc %m : memref<?xf32> return %x : f32 }
// =>
func.func @f(%n: index, %v: f32, %i: index) -> f32 { %m = memref.alloc(%i) : memref<?xf32> memref.store %v, %m[%i] : memref<?xf32> %x = memref.load %m[%i] : memref<?xf32> memref.dealloc %m : memref<?xf32> return %x : f32 }
// -----
// free-inside-callee-and-outside
func.func private @g(%m: memref<4xf32>) { memref.dealloc %m : memref<4xf32> return }
func.func @f(%v: f32, %i: index) -> f32 { %m = memref.alloc() : memref<4xf32> memref.store %v, %m[%i] : memref<4xf32> %x = memref.load %m[%i] : memref<4xf32> call @g(%m) : (memref<4xf32>) -> () return %x : f32 }
// =>
func.func private @g(%m: memref<4xf32>) { memref.dealloc %m : memref<4xf32> return }
func.func @f(%v: f32, %i: index) -> f32 { %m = memref.alloc() : memref<4xf32> memref.store %v, %m[%i] : memref<4xf32> %x = memref.load %m[%i] : memref<4xf32> call @g(%m) : (memref<4xf32>) -> () memref.dealloc %m : memref<4xf32> return %x : f32 }
// -----
// free-across-call-order
func.func private @g(%m: memref<4xf32>) { memref.dealloc %m : memref<4xf32> return }
func.func @f(%v: f32, %i: index) -> f32 { %m = memref.alloc() : memref<4xf32> memref.store %v, %m[%i] : memref<4xf32> %x = memref.load %m[%i] : memref<4xf32> call @g(%m) : (memref<4xf32>) -> () return %x : f32 }
// =>
func.func private @g(%m: memref<4xf32>) { memref.dealloc %m : memref<4xf32> return }
func.func @f(%v: f32, %i: index) -> f32 { %m = memref.alloc() : memref<4xf32> memref.store %v, %m[%i] : memref<4xf32> call @g(%m) : (memref<4xf32>) -> () %x = memref.load %m[%i] : memref<4xf32> return %x : f32 }
// -----
// free-callee-conditional
func.func private @g(%m: memref<4xf32>, %c: i1) { scf.if %c { memref.dealloc %m : memref<4xf32> } return }
func.func @f(%c: i1, %d: i1) { %m = memref.alloc() : memref<4xf32> call @g(%m, %c) : (memref<4xf32>, i1) -> () %t = arith.constant true %n = arith.xori %c, %t : i1 scf.if %n { memref.dealloc %m : memref<4xf32> } return }
// =>
func.func private @g(%m: memref<4xf32>, %c: i1) { scf.if %c { memref.dealloc %m : memref<4xf32> } return }
func.func @f(%c: i1, %d: i1) { %m = memref.alloc() : memref<4xf32> call @g(%m, %d) : (memref<4xf32>, i1) -> () %t = arith.constant true %n = arith.xori %c, %t : i1 scf.if %n { memref.dealloc %m : memref<4xf32> } return }
// -----
// forall-overlap-dynamic
func.func @f(%t: tensor<8xf32>, %s: tensor<4xf32>, %o: index) -> tensor<8xf32> { %r = scf.forall (%i) in (2) shared_outs(%x = %t) -> (tensor<8xf32>) { %b = affine.apply affine_map<(d0) -> (d0 * 4)>(%i) scf.forall.in_parallel { tensor.parallel_insert_slice %s into %x[%b] [4] [1] : tensor<4xf32> into tensor<8xf32> } } return %r : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>, %s: tensor<4xf32>, %o: index) -> tensor<8xf32> { %r = scf.forall (%i) in (2) shared_outs(%x = %t) -> (tensor<8xf32>) { %b = affine.apply affine_map<(d0) -> (d0 * 3)>(%i) scf.forall.in_parallel { tensor.parallel_insert_slice %s into %x[%b] [4] [1] : tensor<4xf32> into tensor<8xf32> } } return %r : tensor<8xf32> }
// -----
// forall-reads-out-in-place
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> { %c7 = arith.constant 7 : index %r = scf.forall (%i) in (8) shared_outs(%x = %t) -> (tensor<8xf32>) { %j = arith.subi %c7, %i : index %e = tensor.extract_slice %t[%j] [1] [1] : tensor<8xf32> to tensor<1xf32> scf.forall.in_parallel { tensor.parallel_insert_slice %e into %x[%i] [1] [1] : tensor<1xf32> into tensor<8xf32> } } return %r : tensor<8xf32> }
// =>
func.func @f(%t: memref<8xf32>) -> memref<8xf32> { %c7 = arith.constant 7 : index scf.forall (%i) in (8) { %j = arith.subi %c7, %i : index %e = memref.load %t[%j] : memref<8xf32> memref.store %e, %t[%i] : memref<8xf32> } return %t : memref<8xf32> }
// -----
// parallel-reduce-kind
func.func @f(%n: index, %a: f32, %b: f32) -> f32 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> f32 { scf.reduce(%b : f32) { ^bb0(%l: f32, %h: f32): %s = arith.addf %l, %h : f32 scf.reduce.return %s : f32 } } return %r : f32 }
// =>
func.func @f(%n: index, %a: f32, %b: f32) -> f32 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> f32 { scf.reduce(%b : f32) { ^bb0(%l: f32, %h: f32): %s = arith.mulf %l, %h : f32 scf.reduce.return %s : f32 } } return %r : f32 }
// -----
// parallel-reduce-init
func.func @f(%n: index, %a: f32, %b: f32) -> f32 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> f32 { scf.reduce(%b : f32) { ^bb0(%l: f32, %h: f32): %s = arith.addf %l, %h : f32 scf.reduce.return %s : f32 } } return %r : f32 }
// =>
func.func @f(%n: index, %a: f32, %b: f32) -> f32 { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%b) -> f32 { scf.reduce(%b : f32) { ^bb0(%l: f32, %h: f32): %s = arith.addf %l, %h : f32 scf.reduce.return %s : f32 } } return %r : f32 }
// -----
// two-foralls-fused
func.func @f(%m: memref<8xf32>, %n: memref<8xf32>) { %c7 = arith.constant 7 : index %a = memref.alloc() : memref<8xf32> scf.forall (%i) in (8) { %x = memref.load %m[%i] : memref<8xf32> memref.store %x, %a[%i] : memref<8xf32> } scf.forall (%i) in (8) { %j = arith.subi %c7, %i : index %x = memref.load %a[%j] : memref<8xf32> memref.store %x, %n[%i] : memref<8xf32> } memref.dealloc %a : memref<8xf32> return }
// =>
func.func @f(%m: memref<8xf32>, %n: memref<8xf32>) { %c7 = arith.constant 7 : index %a = memref.alloc() : memref<8xf32> scf.forall (%i) in (8) { %x = memref.load %m[%i] : memref<8xf32> memref.store %x, %a[%i] : memref<8xf32> %j = arith.subi %c7, %i : index %y = memref.load %a[%j] : memref<8xf32> memref.store %y, %n[%i] : memref<8xf32> } memref.dealloc %a : memref<8xf32> return }
// -----
// parallel-alloca-hoisted-shared
func.func @f(%m: memref<8xf32>) { %c0 = arith.constant 0 : index scf.forall (%i) in (8) { %a = memref.alloca() : memref<1xf32> %x = memref.load %m[%i] : memref<8xf32> memref.store %x, %a[%c0] : memref<1xf32> %y = memref.load %a[%c0] : memref<1xf32> %z = arith.addf %y, %y : f32 memref.store %z, %m[%i] : memref<8xf32> } return }
// =>
func.func @f(%m: memref<8xf32>) { %c0 = arith.constant 0 : index %a = memref.alloca() : memref<1xf32> scf.forall (%i) in (8) { %x = memref.load %m[%i] : memref<8xf32> memref.store %x, %a[%c0] : memref<1xf32> %y = memref.load %a[%c0] : memref<1xf32> %z = arith.addf %y, %y : f32 memref.store %z, %m[%i] : memref<8xf32> } return }
// -----
// library-call
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"], library_call = "one"} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"], library_call = "two"} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } return }
// -----
// pooling-kind
func.func @f(%a: tensor<1x4x4x1xf32>, %k: tensor<2x2xf32>, %o: tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> { %r = linalg.pooling_nhwc_max ins(%a, %k : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> return %r : tensor<1x3x3x1xf32> }
// =>
func.func @f(%a: tensor<1x4x4x1xf32>, %k: tensor<2x2xf32>, %o: tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> { %r = linalg.pooling_nhwc_min ins(%a, %k : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> return %r : tensor<1x3x3x1xf32> }
// -----
// pooling-unsigned
func.func @f(%a: tensor<1x4x4x1xi32>, %k: tensor<2x2xi32>, %o: tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32> { %r = linalg.pooling_nhwc_max ins(%a, %k : tensor<1x4x4x1xi32>, tensor<2x2xi32>) outs(%o : tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32> return %r : tensor<1x3x3x1xi32> }
// =>
func.func @f(%a: tensor<1x4x4x1xi32>, %k: tensor<2x2xi32>, %o: tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32> { %r = linalg.pooling_nhwc_max_unsigned ins(%a, %k : tensor<1x4x4x1xi32>, tensor<2x2xi32>) outs(%o : tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32> return %r : tensor<1x3x3x1xi32> }
// -----
// conv-dilation
func.func @f(%a: tensor<1x8x1xf32>, %k: tensor<2x1x1xf32>, %o: tensor<1x6x1xf32>) -> tensor<1x6x1xf32> { %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %k : tensor<1x8x1xf32>, tensor<2x1x1xf32>) outs(%o : tensor<1x6x1xf32>) -> tensor<1x6x1xf32> return %r : tensor<1x6x1xf32> }
// =>
func.func @f(%a: tensor<1x8x1xf32>, %k: tensor<2x1x1xf32>, %o: tensor<1x6x1xf32>) -> tensor<1x6x1xf32> { %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %k : tensor<1x8x1xf32>, tensor<2x1x1xf32>) outs(%o : tensor<1x6x1xf32>) -> tensor<1x6x1xf32> return %r : tensor<1x6x1xf32> }
// -----
// pack-padding
func.func @f(%a: tensor<5xf32>, %o: tensor<3x2xf32>, %p: f32, %q: f32) -> tensor<3x2xf32> { %r = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [2] into %o : tensor<5xf32> -> tensor<3x2xf32> return %r : tensor<3x2xf32> }
// =>
func.func @f(%a: tensor<5xf32>, %o: tensor<3x2xf32>, %p: f32, %q: f32) -> tensor<3x2xf32> { %r = linalg.pack %a padding_value(%q : f32) inner_dims_pos = [0] inner_tiles = [2] into %o : tensor<5xf32> -> tensor<3x2xf32> return %r : tensor<3x2xf32> }
// -----
// unpack-outer-perm
func.func @f(%a: tensor<2x2x2x2xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %r = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<2x2x2x2xf32> -> tensor<4x4xf32> return %r : tensor<4x4xf32> }
// =>
func.func @f(%a: tensor<2x2x2x2xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %r = linalg.unpack %a outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<2x2x2x2xf32> -> tensor<4x4xf32> return %r : tensor<4x4xf32> }
// -----
// contract-maps
func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> { %r = linalg.contract indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>] ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32> return %r : tensor<2x2xf32> }
// =>
func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> { %r = linalg.contract indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32> return %r : tensor<2x2xf32> }
// -----
// linalg-index-dimension
func.func @f(%o: tensor<2x2xindex>) -> tensor<2x2xindex> { %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} outs(%o : tensor<2x2xindex>) { ^bb0(%y: index): %k = linalg.index 0 : index linalg.yield %k : index } -> tensor<2x2xindex> return %r : tensor<2x2xindex> }
// =>
func.func @f(%o: tensor<2x2xindex>) -> tensor<2x2xindex> { %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} outs(%o : tensor<2x2xindex>) { ^bb0(%y: index): %k = linalg.index 1 : index linalg.yield %k : index } -> tensor<2x2xindex> return %r : tensor<2x2xindex> }
// -----
// reduction-order-nonassociative
func.func @f(%a: tensor<2x2xf32>, %o: tensor<f32>) -> tensor<f32> { %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<2x2xf32>) outs(%o : tensor<f32>) { ^bb0(%x: f32, %y: f32): %s = arith.subf %x, %y : f32 linalg.yield %s : f32 } -> tensor<f32> return %r : tensor<f32> }
// =>
func.func @f(%a: tensor<2x2xf32>, %o: tensor<f32>) -> tensor<f32> { %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(j,i)>, affine_map<(i,j)->()>], iterator_types = ["reduction","reduction"]} ins(%a : tensor<2x2xf32>) outs(%o : tensor<f32>) { ^bb0(%x: f32, %y: f32): %s = arith.subf %x, %y : f32 linalg.yield %s : f32 } -> tensor<f32> return %r : tensor<f32> }
// -----
// iterator-parallel-instead-of-reduction
func.func @f(%a: memref<4xf32>, %o: memref<f32>) { linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%a : memref<4xf32>) outs(%o : memref<f32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32 linalg.yield %s : f32 } return }
// =>
func.func @f(%a: memref<4xf32>, %o: memref<f32>) { linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%o : memref<f32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32 linalg.yield %s : f32 } return }
// -----
// quantized-zero-points
func.func @f(%a: tensor<2x2xi8>, %b: tensor<2x2xi8>, %o: tensor<2x2xi32>, %x: i32, %y: i32) -> tensor<2x2xi32> { %r = linalg.quantized_matmul ins(%a, %b, %x, %y : tensor<2x2xi8>, tensor<2x2xi8>, i32, i32) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32> return %r : tensor<2x2xi32> }
// =>
func.func @f(%a: tensor<2x2xi8>, %b: tensor<2x2xi8>, %o: tensor<2x2xi32>, %x: i32, %y: i32) -> tensor<2x2xi32> { %r = linalg.quantized_matmul ins(%a, %b, %y, %x : tensor<2x2xi8>, tensor<2x2xi8>, i32, i32) outs(%o : tensor<2x2xi32>) -> tensor<2x2xi32> return %r : tensor<2x2xi32> }
// -----
// fill-rng-seed
func.func @f(%a: f64, %b: f64, %s: i32, %u: i32, %o: tensor<2x2xf32>) -> tensor<2x2xf32> { %r = linalg.fill_rng_2d ins(%a, %b, %s : f64, f64, i32) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32> return %r : tensor<2x2xf32> }
// =>
func.func @f(%a: f64, %b: f64, %s: i32, %u: i32, %o: tensor<2x2xf32>) -> tensor<2x2xf32> { %r = linalg.fill_rng_2d ins(%a, %b, %u : f64, f64, i32) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32> return %r : tensor<2x2xf32> }
// -----
// softmax-dimension
func.func @f(%a: tensor<2x2xf32>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> { %r = linalg.softmax dimension(0) ins(%a : tensor<2x2xf32>) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32> return %r : tensor<2x2xf32> }
// =>
func.func @f(%a: tensor<2x2xf32>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> { %r = linalg.softmax dimension(1) ins(%a : tensor<2x2xf32>) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32> return %r : tensor<2x2xf32> }
// -----
// pad-nofold
func.func @f(%t: tensor<4xf32>, %v: f32) -> tensor<6xf32> { %r = tensor.pad %t low[1] high[1] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<4xf32> to tensor<6xf32> return %r : tensor<6xf32> }
// =>
func.func @f(%t: tensor<4xf32>, %v: f32) -> tensor<6xf32> { %r = tensor.pad %t low[0] high[2] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<4xf32> to tensor<6xf32> return %r : tensor<6xf32> }
// -----
// tensor-reshape-order
func.func @f(%t: tensor<4xf32>, %a: index, %b: index) -> tensor<?x?xf32> { %s = tensor.from_elements %a, %b : tensor<2xindex> %r = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x?xf32> return %r : tensor<?x?xf32> }
// =>
func.func @f(%t: tensor<4xf32>, %a: index, %b: index) -> tensor<?x?xf32> { %s = tensor.from_elements %b, %a : tensor<2xindex> %r = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x?xf32> return %r : tensor<?x?xf32> }
// -----
// scatter-order-of-duplicates
func.func @f(%t: tensor<8xf32>, %s: tensor<1xf32>, %u: tensor<1xf32>, %i: index, %j: index) -> tensor<8xf32> { %a = tensor.insert_slice %s into %t[%i] [1] [1] : tensor<1xf32> into tensor<8xf32> %b = tensor.insert_slice %u into %a[%j] [1] [1] : tensor<1xf32> into tensor<8xf32> return %b : tensor<8xf32> }
// =>
func.func @f(%t: tensor<8xf32>, %s: tensor<1xf32>, %u: tensor<1xf32>, %i: index, %j: index) -> tensor<8xf32> { %a = tensor.insert_slice %s into %t[%j] [1] [1] : tensor<1xf32> into tensor<8xf32> %b = tensor.insert_slice %u into %a[%i] [1] [1] : tensor<1xf32> into tensor<8xf32> return %b : tensor<8xf32> }
// -----
// dim-of-other
func.func @f(%t: tensor<?x?xf32>) -> index { %c0 = arith.constant 0 : index %r = tensor.dim %t, %c0 : tensor<?x?xf32> return %r : index }
// =>
func.func @f(%t: tensor<?x?xf32>) -> index { %c0 = arith.constant 1 : index %r = tensor.dim %t, %c0 : tensor<?x?xf32> return %r : index }
// -----
// tensor-generate-index-captured
func.func @f(%n: index, %k: index) -> tensor<?xindex> { %r = tensor.generate %n { ^bb0(%i: index): %s = arith.addi %i, %k : index tensor.yield %s : index } : tensor<?xindex> return %r : tensor<?xindex> }
// =>
func.func @f(%n: index, %k: index) -> tensor<?xindex> { %r = tensor.generate %n { ^bb0(%i: index): %s = arith.addi %i, %k : index tensor.yield %k : index } : tensor<?xindex> return %r : tensor<?xindex> }
// -----
// empty-sized-result-sizes
func.func @f(%n: index, %m: index) -> tensor<?x?xf32> { %c = arith.constant 0.0 : f32 %e = tensor.empty(%n, %m) : tensor<?x?xf32> %r = linalg.fill ins(%c : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32> return %r : tensor<?x?xf32> }
// =>
func.func @f(%n: index, %m: index) -> tensor<?x?xf32> { %c = arith.constant 0.0 : f32 %e = tensor.empty(%m, %n) : tensor<?x?xf32> %r = linalg.fill ins(%c : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32> return %r : tensor<?x?xf32> }
// -----
// borrowed-result-without-a-donation
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
%m = memref.alloc() : memref<4xf32>
memref.copy %a, %m : memref<4xf32> to memref<4xf32>
return %m : memref<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>) -> (memref<4xf32> {bufferization.owned = false}) {
return %a : memref<4xf32>
}
// -----
// borrowed-result-that-is-allocated
func.func @f(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %v: f32, %i: index) -> tensor<4xf32> {
%r = tensor.insert %v into %a[%i] : tensor<4xf32>
return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32> {tf.aliasing_output = 0 : i32}, %v: f32, %i: index) -> (memref<4xf32> {bufferization.owned = false}) {
%m = memref.alloc() : memref<4xf32>
memref.copy %a, %m : memref<4xf32> to memref<4xf32>
memref.store %v, %m[%i] : memref<4xf32>
%z = memref.alloc() : memref<4xf32>
memref.dealloc %z : memref<4xf32>
return %m : memref<4xf32>
}
// -----
// donated-for-another-result
func.func @f(%a: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
return %a, %b : tensor<4xf32>, tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32> {tf.aliasing_output = 1 : i32}, %b: memref<4xf32>) -> (memref<4xf32> {bufferization.owned = false}, memref<4xf32>) {
%m = memref.alloc() : memref<4xf32>
memref.copy %b, %m : memref<4xf32> to memref<4xf32>
%z = memref.alloc() : memref<4xf32>
memref.dealloc %z : memref<4xf32>
return %a, %m : memref<4xf32>, memref<4xf32>
}
// -----
// donated-and-returned-twice
func.func @f(%a: tensor<4xf32> {jax.buffer_donor = true}) -> (tensor<4xf32>, tensor<4xf32>) {
return %a, %a : tensor<4xf32>, tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32> {jax.buffer_donor = true}) -> (memref<4xf32> {bufferization.owned = false}, memref<4xf32> {bufferization.owned = false}) {
%z = memref.alloc() : memref<4xf32>
memref.dealloc %z : memref<4xf32>
return %a, %a : memref<4xf32>, memref<4xf32>
}
// -----
// yielded-from-outside-but-the-loop-may-not-run
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %a: index, %b: index) -> tensor<4xf32> {
%c1 = arith.constant 1 : index
%r = scf.for %i = %a to %b step %c1 iter_args(%x = %t) -> tensor<4xf32> { scf.yield %u : tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %a: index, %b: index) -> tensor<4xf32> {
return %u : tensor<4xf32>
}
// -----
// yielded-from-outside-compared-without-signs
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %a: index, %b: index) -> tensor<4xf32> {
%c1 = arith.constant 1 : index
%r = scf.for %i = %a to %b step %c1 iter_args(%x = %t) -> tensor<4xf32> { scf.yield %u : tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %a: index, %b: index) -> tensor<4xf32> {
%c = arith.cmpi ult, %a, %b : index
%r = arith.select %c, %u, %t : tensor<4xf32>
return %r : tensor<4xf32>
}
// -----
// reads-the-neighbour-of-what-the-iteration-replaces
func.func @f(%t: tensor<64xf32>) -> tensor<64xf32> {
%r = scf.forall (%i) in (63) shared_outs(%o = %t) -> tensor<64xf32> {
%j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
%s = tensor.extract_slice %t[%j] [1] [1] : tensor<64xf32> to tensor<1xf32>
scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32> } }
return %r : tensor<64xf32>
}
// =>
func.func @f(%t: tensor<64xf32>) -> tensor<64xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 63 : index
%r = scf.for %k = %c0 to %n step %c1 iter_args(%o = %t) -> tensor<64xf32> {
%i = affine.apply affine_map<(d0) -> (62 - d0)>(%k)
%j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
%s = tensor.extract_slice %o[%j] [1] [1] : tensor<64xf32> to tensor<1xf32>
%y = tensor.insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
scf.yield %y : tensor<64xf32> }
return %r : tensor<64xf32>
}
// -----
// endless-while-in-branch
func.func @f(%c: i1) { scf.if %c { scf.while : () -> () { %t = arith.constant true scf.condition(%t) } do { scf.yield } } return }
// =>
func.func @f(%c: i1) { scf.if %c {  } return }
// -----
// endless-while-moved-behind-call
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { scf.if %c { scf.while : () -> () { %t = arith.constant true scf.condition(%t) } do { scf.yield } }
 call @ext() : () -> ()
 return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { call @ext() : () -> ()
 scf.if %c { scf.while : () -> () { %t = arith.constant true scf.condition(%t) } do { scf.yield } }
 return }
// -----
// endless-cycle-with-other-condition
func.func @f(%c: i1, %d: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return }
// =>
func.func @f(%c: i1, %d: i1) { cf.cond_br %d, ^a, ^e
^a: cf.br ^a
^e: return }
// -----
// endless-cycle-negated
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return }
// =>
func.func @f(%c: i1) { cf.cond_br %c, ^e, ^a
^a: cf.br ^a
^e: return }
// -----
// endless-cycle-behind-store
func.func @f(%c: i1, %m: memref<1xf32>, %v: f32) { %c0 = arith.constant 0 : index cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: memref.store %v, %m[%c0] : memref<1xf32>
 return }
// =>
func.func @f(%c: i1, %m: memref<1xf32>, %v: f32) { %c0 = arith.constant 0 : index cf.cond_br %c, ^a, ^e
^a: cf.br ^e
^e: memref.store %v, %m[%c0] : memref<1xf32>
 return }
// -----
// endless-cycle-calls-another
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @ext2()
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: call @ext() : () -> ()
 cf.br ^a
^e: return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @ext2()
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: call @ext2() : () -> ()
 cf.br ^a
^e: return }
// -----
// endless-cycle-order-of-calls
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @ext2()
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: call @ext() : () -> ()
 call @ext2() : () -> ()
 cf.br ^a
^e: return }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @ext2()
func.func @f(%c: i1) { cf.cond_br %c, ^a, ^e
^a: call @ext2() : () -> ()
 call @ext() : () -> ()
 cf.br ^a
^e: return }
// -----
// endless-cycle-in-callee
func.func private @g(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return }
func.func @f(%c: i1) { call @g(%c) : (i1) -> () return }
// =>
func.func private @g(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return }
func.func @f(%c: i1) {  return }
// -----
// endless-cycle-in-callee-moved
func.func private @g(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return }
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { call @g(%c) : (i1) -> ()
 call @ext() : () -> ()
 return }
// =>
func.func private @g(%c: i1) { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return }
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func @f(%c: i1) { call @ext() : () -> ()
 call @g(%c) : (i1) -> ()
 return }
// -----
// division-moved-above-endless-cycle
func.func @f(%c: i1, %x: i32, %y: i32) -> i32 { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: %q = arith.divsi %x, %y : i32
 return %q : i32 }
// =>
func.func @f(%c: i1, %x: i32, %y: i32) -> i32 { %q = arith.divsi %x, %y : i32
 cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return %q : i32 }
// -----
// load-moved-above-endless-cycle
func.func @f(%c: i1, %m: memref<?xf32>, %i: index) -> f32 { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: %q = memref.load %m[%i] : memref<?xf32>
 return %q : f32 }
// =>
func.func @f(%c: i1, %m: memref<?xf32>, %i: index) -> f32 { %q = memref.load %m[%i] : memref<?xf32>
 cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return %q : f32 }
// -----
// leak-before-endless-cycle-is-no-matter
func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> { cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return %m : memref<4xf32> }
// =>
func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> { memref.dealloc %m : memref<4xf32> cf.cond_br %c, ^a, ^e
^a: cf.br ^a
^e: return %m : memref<4xf32> }
// -----
// for-step-from-argument-zero
func.func @f(%n: index, %s: index) { %c0 = arith.constant 0 : index scf.for %i = %c0 to %n step %s { } return }
// =>
func.func @f(%n: index, %s: index) { %c0 = arith.constant 0 : index cf.br ^h(%c0 : index)
^h(%i: index): %t = arith.cmpi slt, %i, %n : index cf.cond_br %t, ^b, ^e
^b: %j = arith.addi %i, %n : index cf.br ^h(%j : index)
^e: return }
// -----
// restrict-promised-of-another
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index) -> f32 { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> %u = bufferization.to_tensor %n : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> %y = tensor.extract %u[%i] : tensor<4xf32> %z = arith.addf %x, %y : f32 return %z : f32 }
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %i: index) -> f32 { %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> %u = bufferization.to_tensor %n restrict : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> %y = tensor.extract %u[%i] : tensor<4xf32> %z = arith.addf %x, %y : f32 return %z : f32 }
// -----
// restrict-promised-elsewhere
func.func @f(%m: memref<4xf32>, %c: i1, %i: index) -> f32 { %r = scf.if %c -> f32 { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> scf.yield %x : f32 } else { %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> scf.yield %x : f32 } return %r : f32 }
// =>
func.func @f(%m: memref<4xf32>, %c: i1, %i: index) -> f32 { %r = scf.if %c -> f32 { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> scf.yield %x : f32 } else { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> scf.yield %x : f32 } return %r : f32 }
// -----
// writable-added
func.func @f(%m: memref<4xf32>, %i: index) -> f32 { %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> return %x : f32 }
// =>
func.func @f(%m: memref<4xf32>, %i: index) -> f32 { %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32> %x = tensor.extract %t[%i] : tensor<4xf32> return %x : f32 }
// -----
// materialize-restrict-added
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) { bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> () return }
// =>
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) { bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> () return }
// -----
// llvm-mul-nuw
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.mul %a, %b overflow<nsw> : i32 return %r : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %r = llvm.mul %a, %b overflow<nuw> : i32 return %r : i32 }
// -----
// llvm-trunc-nsw
func.func @f(%a: i32) -> i8 { %r = llvm.trunc %a : i32 to i8 return %r : i8 }
// =>
func.func @f(%a: i32) -> i8 { %r = llvm.trunc %a overflow<nsw> : i32 to i8 return %r : i8 }
// -----
// llvm-store-alignment
func.func @f(%q: !llvm.ptr, %v: f32) { llvm.store %v, %q : f32, !llvm.ptr return }
// =>
func.func @f(%q: !llvm.ptr, %v: f32) { llvm.store %v, %q {alignment = 32 : i64} : f32, !llvm.ptr return }
// -----
// llvm-load-more-aligned-of-another
func.func @f(%q: !llvm.ptr, %p: !llvm.ptr) -> f32 { %x = llvm.load %q {alignment = 64 : i64} : !llvm.ptr -> f32 %y = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32 %z = arith.addf %x, %y : f32 return %z : f32 }
// =>
func.func @f(%q: !llvm.ptr, %p: !llvm.ptr) -> f32 { %x = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32 %y = llvm.load %p {alignment = 64 : i64} : !llvm.ptr -> f32 %z = arith.addf %x, %y : f32 return %z : f32 }
// -----
// call-site-result-noalias
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @r() -> memref<4xf32>
func.func @f() -> memref<4xf32> { %m = "func.call"() <{callee = @r}> : () -> memref<4xf32> return %m : memref<4xf32> }
// =>
func.func private @ext()
func.func private @extm(memref<4xf32>)
func.func private @extf(f32)
func.func private @exti(index)
func.func private @r() -> memref<4xf32>
func.func @f() -> memref<4xf32> { %m = "func.call"() <{callee = @r, res_attrs = [{llvm.noalias}]}> : () -> memref<4xf32> return %m : memref<4xf32> }
// -----
// call-site-readonly-of-other-argument
func.func private @two(memref<4xf32>, memref<4xf32>)
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) { "func.call"(%m, %n) <{callee = @two, arg_attrs = [{llvm.readonly}, {}]}> : (memref<4xf32>, memref<4xf32>) -> () return }
// =>
func.func private @two(memref<4xf32>, memref<4xf32>)
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) { "func.call"(%m, %n) <{callee = @two, arg_attrs = [{}, {llvm.readonly}]}> : (memref<4xf32>, memref<4xf32>) -> () return }
// -----
// new-buffer-aligned-at-another-place
func.func @f(%i: index, %j: index, %z: f32) -> vector<4xf32> { %m = memref.alloc() {alignment = 64 : i64} : memref<64xf32> linalg.fill ins(%z : f32) outs(%m : memref<64xf32>) %v = vector.load %m[%i] {alignment = 64 : i64} : memref<64xf32>, vector<4xf32> memref.dealloc %m : memref<64xf32> return %v : vector<4xf32> }
// =>
func.func @f(%i: index, %j: index, %z: f32) -> vector<4xf32> { %m = memref.alloc() {alignment = 64 : i64} : memref<64xf32> linalg.fill ins(%z : f32) outs(%m : memref<64xf32>) %v = vector.load %m[%j] {alignment = 64 : i64} : memref<64xf32>, vector<4xf32> memref.dealloc %m : memref<64xf32> return %v : vector<4xf32> }
// -----
// new-buffer-aligned-in-another-layout
func.func @f(%i: index, %z: f32) -> vector<4xf32> { %m = memref.alloc() {alignment = 64 : i64} : memref<64x16xf32> linalg.fill ins(%z : f32) outs(%m : memref<64x16xf32>) %v = vector.load %m[%i, %i] {alignment = 64 : i64} : memref<64x16xf32>, vector<4xf32> memref.dealloc %m : memref<64x16xf32> return %v : vector<4xf32> }
// =>
func.func @f(%i: index, %z: f32) -> vector<4xf32> { %m = memref.alloc() {alignment = 64 : i64} : memref<64x20xf32> linalg.fill ins(%z : f32) outs(%m : memref<64x20xf32>) %v = vector.load %m[%i, %i] {alignment = 64 : i64} : memref<64x20xf32>, vector<4xf32> memref.dealloc %m : memref<64x20xf32> return %v : vector<4xf32> }
// -----
// new-buffer-less-aligned
func.func @f(%i: index, %z: f32) -> vector<4xf32> { %m = memref.alloc() {alignment = 64 : i64} : memref<64xf32> linalg.fill ins(%z : f32) outs(%m : memref<64xf32>) %v = vector.load %m[%i] {alignment = 64 : i64} : memref<64xf32>, vector<4xf32> memref.dealloc %m : memref<64xf32> return %v : vector<4xf32> }
// =>
func.func @f(%i: index, %z: f32) -> vector<4xf32> { %m = memref.alloc() {alignment = 32 : i64} : memref<64xf32> linalg.fill ins(%z : f32) outs(%m : memref<64xf32>) %v = vector.load %m[%i] {alignment = 64 : i64} : memref<64xf32>, vector<4xf32> memref.dealloc %m : memref<64xf32> return %v : vector<4xf32> }
// -----
// argument-attribute-of-others
func.func @f(%m: memref<4xf32> {x.donated = 1 : i32}) { return }
// =>
func.func @f(%m: memref<4xf32> {x.donated = 2 : i32}) { return }
// -----
// result-attribute-of-others
func.func @f(%m: f32) -> (f32 {x.kept = 1 : i32}) { return %m : f32 }
// =>
func.func @f(%m: f32) -> (f32 {x.kept = 2 : i32}) { return %m : f32 }
// -----
// nested-module-attribute
module { module @in attributes {x.mode = 1 : i32} { func.func @f() { return } } }
// =>
module { module @in attributes {x.mode = 2 : i32} { func.func @f() { return } } }
// -----
// declaration-attribute
func.func private @ext() attributes {x.mode = 1 : i32}
func.func @f() { call @ext() : () -> () return }
// =>
func.func private @ext() attributes {x.mode = 2 : i32}
func.func @f() { call @ext() : () -> () return }
// -----
// yielded-from-outside-of-a-loop-without-signs
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %a: i8, %b: i8) -> tensor<4xf32> {
%c1 = arith.constant 1 : i8
%r = scf.for unsigned %i = %a to %b step %c1 iter_args(%x = %t) -> tensor<4xf32> : i8 { scf.yield %u : tensor<4xf32> }
return %r : tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %a: i8, %b: i8) -> tensor<4xf32> {
%c = arith.cmpi slt, %a, %b : i8
%r = arith.select %c, %u, %t : tensor<4xf32>
return %r : tensor<4xf32>
}
// -----
// fission-above-assert-of-earlier-iteration
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32>
%c = arith.cmpi eq, %x, %z : i32
cf.assert %c, "zero" }
return }
// =>
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32> }
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32>
%c = arith.cmpi eq, %x, %z : i32
cf.assert %c, "zero" }
return }
// -----
// fission-above-call-of-earlier-iteration
func.func private @p(index)
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32>
func.call @p(%i) : (index) -> () }
return }
// =>
func.func private @p(index)
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32> }
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32>
func.call @p(%i) : (index) -> () }
return }
// -----
// fission-of-division-above-call
func.func private @p(index)
func.func @f(%m: tensor<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { %x = arith.divui %n, %i : index
func.call @p(%x) : (index) -> () }
return }
// =>
func.func private @p(index)
func.func @f(%m: tensor<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { %x = arith.divui %n, %i : index }
scf.for %i = %c0 to %n step %c1 { %x = arith.divui %n, %i : index
func.call @p(%x) : (index) -> () }
return }
// -----
// while-fission-above-call
func.func private @p(index)
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.while (%i = %c0) : (index) -> index { %c = arith.cmpi slt, %i, %n : index
scf.condition(%c) %i : index } do { ^bb0(%i: index): %x = memref.load %m[%i] : memref<?xi32>
func.call @p(%i) : (index) -> ()
%j = arith.addi %i, %c1 : index
scf.yield %j : index }
return }
// =>
func.func private @p(index)
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32> }
%r = scf.while (%i = %c0) : (index) -> index { %c = arith.cmpi slt, %i, %n : index
scf.condition(%c) %i : index } do { ^bb0(%i: index): %x = memref.load %m[%i] : memref<?xi32>
func.call @p(%i) : (index) -> ()
%j = arith.addi %i, %c1 : index
scf.yield %j : index }
return }
// -----
// load-of-next-iteration-above-assert
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%c1] : memref<?xi32>
%c = arith.cmpi eq, %x, %z : i32
cf.assert %c, "zero"
%d = arith.divui %n, %i : index }
return }
// =>
func.func @f(%m: memref<?xi32>, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%c1] : memref<?xi32>
%d = arith.divui %n, %i : index
%c = arith.cmpi eq, %x, %z : i32
cf.assert %c, "zero" }
return }
// -----
// affine-for-bound-divided-by-symbol
func.func @f(%s: index) { return }
// =>
func.func @f(%s: index) { affine.for %i = 0 to affine_map<()[s0] -> (10 floordiv s0)>()[%s] { }
return }
// -----
// affine-if-divided-by-symbol
func.func @f(%s: index) { return }
// =>
func.func @f(%s: index) { affine.if affine_set<()[s0] : (10 floordiv s0 >= 0)>()[%s] { }
return }
// -----
// affine-parallel-bound-divided-by-symbol
func.func @f(%s: index) { return }
// =>
func.func @f(%s: index) { affine.parallel (%i) = (0) to (10 floordiv symbol(%s)) { }
return }
// -----
// tensor-cast-claims-size-and-back
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> { return %t : tensor<?xf32> }
// =>
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> { %c = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
%d = tensor.cast %c : tensor<4xf32> to tensor<?xf32>
return %d : tensor<?xf32> }
// -----
// tensor-cast-claims-size-dead
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> { return %t : tensor<?xf32> }
// =>
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> { %c = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
return %t : tensor<?xf32> }
// -----
// linalg-copy-sign-of-cast
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi32>) -> tensor<4xi32> {
%0 = linalg.copy {cast = #linalg.type_fn<cast_signed>} ins(%a : tensor<4xi8>) outs(%b : tensor<4xi32>) -> tensor<4xi32>
return %0 : tensor<4xi32> }
// =>
func.func @f(%a: tensor<4xi8>, %b: tensor<4xi32>) -> tensor<4xi32> {
%0 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : tensor<4xi8>) outs(%b : tensor<4xi32>) -> tensor<4xi32>
return %0 : tensor<4xi32> }
// -----
// linalg-copy-cast-in-memory
func.func @f(%a: memref<4xi8>, %b: memref<4xi32>) {
linalg.copy {cast = #linalg.type_fn<cast_signed>} ins(%a : memref<4xi8>) outs(%b : memref<4xi32>)
return }
// =>
func.func @f(%a: memref<4xi8>, %b: memref<4xi32>) {
linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : memref<4xi8>) outs(%b : memref<4xi32>)
return }
// -----
// uninitialized-minus-itself
func.func @f() -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f() -> i32 { %m = memref.alloc() : memref<i32>
%x = memref.load %m[] : memref<i32>
%y = memref.load %m[] : memref<i32>
%z = arith.subi %x, %y : i32
memref.dealloc %m : memref<i32>
return %z : i32 }
// -----
// uninitialized-times-zero
func.func @f() -> i1 { %z = arith.constant true
return %z : i1 }
// =>
func.func @f() -> i1 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<2xi32>
%x = memref.load %m[%c0] : memref<2xi32>
%y = memref.load %m[%c1] : memref<2xi32>
%z = arith.cmpi eq, %x, %y : i32
memref.dealloc %m : memref<2xi32>
return %z : i1 }
// -----
// uninitialized-elements-xor
func.func @f() -> i1 { %z = arith.constant false
return %z : i1 }
// =>
func.func @f() -> i1 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<2xi1>
%x = memref.load %m[%c0] : memref<2xi1>
%y = memref.load %m[%c1] : memref<2xi1>
%z = arith.xori %x, %y : i1
memref.dealloc %m : memref<2xi1>
return %z : i1 }
// -----
// uninitialized-elements-le
func.func @f() -> i1 { %z = arith.constant true
return %z : i1 }
// =>
func.func @f() -> i1 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<2xi32>
%x = memref.load %m[%c0] : memref<2xi32>
%y = memref.load %m[%c1] : memref<2xi32>
%z = arith.cmpi sle, %x, %y : i32
memref.dealloc %m : memref<2xi32>
return %z : i1 }
// -----
// uninitialized-elements-as-offset
func.func @f(%t: tensor<8xi32>) -> i32 { %c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<8xi32>
return %x : i32 }
// =>
func.func @f(%t: memref<8xi32>) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<2xindex>
%x = memref.load %m[%c0] : memref<2xindex>
%y = memref.load %m[%c1] : memref<2xindex>
%d = arith.subi %x, %y : index
%v = memref.load %t[%d] : memref<8xi32>
memref.dealloc %m : memref<2xindex>
return %v : i32 }
// -----
// branch-on-uninitialized
func.func private @p()
func.func @f() { call @p() : () -> ()
return }
// =>
func.func private @p()
func.func @f() { %m = memref.alloc() : memref<i1>
%x = memref.load %m[] : memref<i1>
scf.if %x { func.call @p() : () -> () } else { func.call @p() : () -> () }
memref.dealloc %m : memref<i1>
return }
// -----
// free-if-uninitialized-flags-differ
func.func @f() { return }
// =>
func.func @f() { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<2xi1>
%x = memref.load %m[%c0] : memref<2xi1>
%y = memref.load %m[%c1] : memref<2xi1>
%b = memref.alloc() : memref<4xi32>
scf.if %x { memref.dealloc %b : memref<4xi32> }
scf.if %y { } else { memref.dealloc %b : memref<4xi32> }
memref.dealloc %m : memref<2xi1>
return }
// -----
// free-if-clobbered-flag
func.func @f() { return }
// =>
func.func @f() { %m = memref.alloc() : memref<i1>
%b = memref.alloc() : memref<4xi32>
%x = memref.load %m[] : memref<i1>
scf.if %x { memref.dealloc %b : memref<4xi32> }
%y = memref.load %m[] : memref<i1>
scf.if %y { } else { memref.dealloc %b : memref<4xi32> }
memref.dealloc %m : memref<i1>
return }
// -----
// donor-false
func.func private @show(tensor<4xf32>)
func.func @f(%a: tensor<4xf32> {jax.buffer_donor = false}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%0 = tensor.insert %x into %a[%c0] : tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func private @show(memref<4xf32>)
func.func @f(%a: memref<4xf32> {jax.buffer_donor = false}, %x: f32) -> (memref<4xf32> {bufferization.owned = false}) { %c0 = arith.constant 0 : index
memref.store %x, %a[%c0] : memref<4xf32>
%s = memref.alloc() : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return %a : memref<4xf32> }
// -----
// donated-to-two-results
func.func @f(%a: tensor<4xf32> {jax.buffer_donor = true}, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) { %c0 = arith.constant 0 : index
%0 = tensor.insert %x into %a[%c0] : tensor<4xf32>
return %0, %0 : tensor<4xf32>, tensor<4xf32> }
// =>
func.func @f(%a: memref<4xf32> {jax.buffer_donor = true}, %x: f32) -> (memref<4xf32> {bufferization.owned = false}, memref<4xf32> {bufferization.owned = false}) { %c0 = arith.constant 0 : index
memref.store %x, %a[%c0] : memref<4xf32>
%s = memref.alloc() : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return %a, %a : memref<4xf32>, memref<4xf32> }
// -----
// donated-but-caller-reads-on
func.func private @g(%a: tensor<4xf32> {jax.buffer_donor = true}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%0 = tensor.insert %x into %a[%c0] : tensor<4xf32>
return %0 : tensor<4xf32> }
func.func @f(%a: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) { %c0 = arith.constant 0 : index
%0 = call @g(%a, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
%y = tensor.extract %a[%c0] : tensor<4xf32>
return %0, %y : tensor<4xf32>, f32 }
// =>
func.func private @g(%a: memref<4xf32> {jax.buffer_donor = true}, %x: f32) -> memref<4xf32> { %c0 = arith.constant 0 : index
memref.store %x, %a[%c0] : memref<4xf32>
return %a : memref<4xf32> }
func.func @f(%a: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) { %c0 = arith.constant 0 : index
%0 = call @g(%a, %x) : (memref<4xf32>, f32) -> memref<4xf32>
%y = memref.load %a[%c0] : memref<4xf32>
return %0, %y : memref<4xf32>, f32 }
// -----
// donated-read-only
func.func @f(%a: tensor<4xf32> {jax.buffer_donor = true, bufferization.writable = false}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%0 = tensor.insert %x into %a[%c0] : tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<4xf32> {jax.buffer_donor = true, bufferization.writable = false}, %x: f32) -> memref<4xf32> { %c0 = arith.constant 0 : index
memref.store %x, %a[%c0] : memref<4xf32>
return %a : memref<4xf32> }
// -----
// donated-view-of-argument
func.func @f(%a: tensor<4xf32> {jax.buffer_donor = true}, %x: f32) -> tensor<2xf32> { 
%0 = tensor.extract_slice %a[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
return %0 : tensor<2xf32> }
// =>
func.func @f(%a: memref<4xf32> {jax.buffer_donor = true}, %x: f32) -> (memref<2xf32, strided<[1], offset: 2>> {bufferization.owned = false}) { 
%0 = memref.subview %a[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
%s = memref.alloc() : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return %0 : memref<2xf32, strided<[1], offset: 2>> }
// -----
// uninitialized-element-cancels-in-generic
func.func @f() -> tensor<4xi32> { %z = arith.constant 0 : i32
%e = tensor.empty() : tensor<4xi32>
%0 = linalg.fill ins(%z : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
return %0 : tensor<4xi32> }
// =>
func.func @f() -> memref<4xi32> { %a = memref.alloc() : memref<4xi32>
%b = memref.alloc() : memref<4xi32>
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xi32>) outs(%b : memref<4xi32>) { ^bb0(%x: i32, %y: i32): %s = arith.subi %x, %x : i32
linalg.yield %s : i32 }
memref.dealloc %a : memref<4xi32>
return %b : memref<4xi32> }
// -----
// uninitialized-compared-in-generic
func.func @f() -> tensor<4xi1> { %z = arith.constant true
%e = tensor.empty() : tensor<4xi1>
%0 = linalg.fill ins(%z : i1) outs(%e : tensor<4xi1>) -> tensor<4xi1>
return %0 : tensor<4xi1> }
// =>
func.func @f() -> memref<4xi1> { %a = memref.alloc() : memref<4xi32>
%b = memref.alloc() : memref<4xi1>
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xi32>) outs(%b : memref<4xi1>) { ^bb0(%x: i32, %y: i1): %s = arith.cmpi sle, %x, %x : i32
linalg.yield %s : i1 }
memref.dealloc %a : memref<4xi32>
return %b : memref<4xi1> }
// -----
// uninitialized-flag-of-dealloc
func.func @f() { return }
// =>
func.func @f() { %m = memref.alloc() : memref<i1>
%b = memref.alloc() : memref<4xi32>
%t = arith.constant true
%x = memref.load %m[] : memref<i1>
%y = arith.xori %x, %t : i1
bufferization.dealloc (%b : memref<4xi32>) if (%x)
bufferization.dealloc (%b : memref<4xi32>) if (%y)
memref.dealloc %m : memref<i1>
return }
// -----
// uninitialized-switch
func.func private @p()
func.func @f() { call @p() : () -> ()
return }
// =>
func.func private @p()
func.func @f() { %m = memref.alloc() : memref<index>
%x = memref.load %m[] : memref<index>
scf.index_switch %x case 1 { func.call @p() : () -> ()
scf.yield } default { func.call @p() : () -> ()
scf.yield }
memref.dealloc %m : memref<index>
return }
// -----
// uninitialized-cond-br
func.func private @p()
func.func @f() { call @p() : () -> ()
return }
// =>
func.func private @p()
func.func @f() { %m = memref.alloc() : memref<i1>
%x = memref.load %m[] : memref<i1>
memref.dealloc %m : memref<i1>
cf.cond_br %x, ^a, ^b
^a: cf.br ^c
^b: cf.br ^c
^c: call @p() : () -> ()
return }
// -----
// uninitialized-while-condition
func.func @f() { return }
// =>
func.func @f() { %m = memref.alloc() : memref<i1>
%f = arith.constant false
%x = memref.load %m[] : memref<i1>
%y = arith.andi %x, %f : i1
%z = arith.xori %y, %x : i1
scf.while : () -> () { scf.condition(%z) } do { scf.yield }
memref.dealloc %m : memref<i1>
return }
// -----
// uninitialized-used-twice-as-index
func.func @f(%t: tensor<8xi32>) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%t: memref<8xi32>) -> i32 { %m = memref.alloc() : memref<i8>
%x = memref.load %m[] : memref<i8>
%e = arith.extui %x : i8 to i32
%g = arith.extui %x : i8 to i32
%d = arith.subi %e, %g : i32
memref.dealloc %m : memref<i8>
return %d : i32 }
// -----
// delinearize-by-zero-dead
func.func @f(%i: index, %b: index) { return }
// =>
func.func @f(%i: index, %b: index) { %0:2 = affine.delinearize_index %i into (%b, %b) : index, index
return }
// -----
// tosa-divide-dead
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) { return }
// =>
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) { %0 = "tosa.intdiv"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
return }
// -----
// affine-apply-mod-symbol-dead
func.func @f(%s: index) { return }
// =>
func.func @f(%s: index) { %0 = affine.apply affine_map<()[s0] -> (7 mod s0)>()[%s]
return }
// -----
// step-i32-wraps
func.func @f(%n: i32, %m: memref<?xi32>) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%z = arith.constant 0 : index
scf.for %i = %c0 to %n step %c1 : i32 { memref.store %i, %m[%z] : memref<?xi32> }
return }
// =>
func.func @f(%n: i32, %m: memref<?xi32>) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%big = arith.constant 2147483647 : i32
%z = arith.constant 0 : index
scf.for %i = %c0 to %n step %c1 : i32 { %s = arith.addi %i, %big : i32
scf.for %k = %c0 to %n step %s : i32 { }
memref.store %i, %m[%z] : memref<?xi32> }
return }
// -----
// counter-i8-cast-wraps
func.func @f(%m: memref<512xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 300 : index
scf.for %i = %c0 to %n step %c1 { %v = arith.index_cast %i : index to i32
memref.store %v, %m[%i] : memref<512xi32> }
return }
// =>
func.func @f(%m: memref<512xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 300 : index
scf.for %i = %c0 to %n step %c1 { %w = arith.index_cast %i : index to i8
%v = arith.extsi %w : i8 to i32
memref.store %v, %m[%i] : memref<512xi32> }
return }
// -----
// counter-i8-extui
func.func @f(%m: memref<512xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 200 : index
scf.for %i = %c0 to %n step %c1 { %w = arith.index_cast %i : index to i8
%v = arith.extui %w : i8 to i32
memref.store %v, %m[%i] : memref<512xi32> }
return }
// =>
func.func @f(%m: memref<512xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 200 : index
scf.for %i = %c0 to %n step %c1 { %w = arith.index_cast %i : index to i8
%v = arith.extsi %w : i8 to i32
memref.store %v, %m[%i] : memref<512xi32> }
return }
// -----
// counter-minus-cast-unsigned
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%n = arith.constant 10 : i32
scf.for %i = %c0 to %n step %c1 : i32 { %w = arith.subi %i, %c1 : i32
%v = arith.extsi %w : i32 to i64
%k = arith.index_cast %i : i32 to index
memref.store %v, %m[%k] : memref<512xi64> }
return }
// =>
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%n = arith.constant 10 : i32
scf.for %i = %c0 to %n step %c1 : i32 { %w = arith.subi %i, %c1 : i32
%v = arith.extui %w : i32 to i64
%k = arith.index_cast %i : i32 to index
memref.store %v, %m[%k] : memref<512xi64> }
return }
// -----
// counter-times-constant-wraps
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 0 : i8
%c1 = arith.constant 1 : i8
%c9 = arith.constant 20 : i8
%n = arith.constant 10 : i8
%w9 = arith.constant 20 : i64
scf.for %i = %c0 to %n step %c1 : i8 { %w = arith.extsi %i : i8 to i64
%v = arith.muli %w, %w9 : i64
%k = arith.index_cast %i : i8 to index
memref.store %v, %m[%k] : memref<512xi64> }
return }
// =>
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 0 : i8
%c1 = arith.constant 1 : i8
%c9 = arith.constant 20 : i8
%n = arith.constant 10 : i8
scf.for %i = %c0 to %n step %c1 : i8 { %w = arith.muli %i, %c9 : i8
%v = arith.extsi %w : i8 to i64
%k = arith.index_cast %i : i8 to index
memref.store %v, %m[%k] : memref<512xi64> }
return }
// -----
// counter-compared-at-last
func.func @f(%m: memref<512xi32>, %x: i32, %y: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 10 : index
%l = arith.constant 9 : index
scf.for %i = %c0 to %n step %c1 { %c = arith.cmpi slt, %i, %l : index
%v = arith.select %c, %x, %y : i32
memref.store %v, %m[%i] : memref<512xi32> }
return }
// =>
func.func @f(%m: memref<512xi32>, %x: i32, %y: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 10 : index
scf.for %i = %c0 to %n step %c1 { memref.store %x, %m[%i] : memref<512xi32> }
return }
// -----
// counter-step-three-last
func.func @f(%m: memref<512xi32>, %x: i32, %y: i32) { %c0 = arith.constant 0 : index
%c3 = arith.constant 3 : index
%n = arith.constant 10 : index
%l = arith.constant 9 : index
scf.for %i = %c0 to %n step %c3 { %c = arith.cmpi sge, %i, %l : index
%v = arith.select %c, %x, %y : i32
memref.store %v, %m[%i] : memref<512xi32> }
return }
// =>
func.func @f(%m: memref<512xi32>, %x: i32, %y: i32) { %c0 = arith.constant 0 : index
%c3 = arith.constant 3 : index
%n = arith.constant 10 : index
scf.for %i = %c0 to %n step %c3 { memref.store %y, %m[%i] : memref<512xi32> }
return }
// -----
// counter-compared-unsigned-negative
func.func @f(%m: memref<512xi32>, %x: i32, %y: i32) { %c0 = arith.constant -5 : index
%c1 = arith.constant 1 : index
%n = arith.constant 5 : index
%l = arith.constant 6 : index
%z = arith.constant 0 : index
scf.for %i = %c0 to %n step %c1 { %c = arith.cmpi ult, %i, %l : index
%v = arith.select %c, %x, %y : i32
memref.store %v, %m[%z] : memref<512xi32> 
vector.print %v : i32 }
return }
// =>
func.func @f(%m: memref<512xi32>, %x: i32, %y: i32) { %c0 = arith.constant -5 : index
%c1 = arith.constant 1 : index
%n = arith.constant 5 : index
%z = arith.constant 0 : index
scf.for %i = %c0 to %n step %c1 { memref.store %x, %m[%z] : memref<512xi32>
vector.print %x : i32 }
return }
// -----
// counter-of-forall-and-for-differ
func.func @f(%m: memref<512xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 200 : index
scf.for %i = %c0 to %n step %c1 { %v = arith.index_cast %i : index to i32
vector.print %v : i32 }
return }
// =>
func.func @f(%m: memref<512xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 200 : index
scf.parallel (%i) = (%c0) to (%n) step (%c1) { %v = arith.index_cast %i : index to i32
vector.print %v : i32 }
return }
// -----
// counters-i16-sum-wraps
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 32000 : i16
%c1 = arith.constant 1 : i16
%n = arith.constant 32700 : i16
%a = arith.constant 100 : i16
%b = arith.constant 100 : i64
scf.for %i = %c0 to %n step %c1 : i16 { %w = arith.extsi %i : i16 to i64
%v = arith.addi %w, %b : i64
vector.print %v : i64 }
return }
// =>
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 32000 : i16
%c1 = arith.constant 1 : i16
%n = arith.constant 32700 : i16
%a = arith.constant 100 : i16
scf.for %i = %c0 to %n step %c1 : i16 { %w = arith.addi %i, %a : i16
%v = arith.extsi %w : i16 to i64
vector.print %v : i64 }
return }
// -----
// counters-bounds-swapped-width
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 5000000000 : index
scf.for %i = %c0 to %n step %c1 { %w = arith.index_cast %i : index to i64
vector.print %w : i64 }
return }
// =>
func.func @f(%m: memref<512xi64>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 5000000000 : index
scf.for %i = %c0 to %n step %c1 { %w = arith.index_cast %i : index to i32
%v = arith.extsi %w : i32 to i64
vector.print %v : i64 }
return }
// -----
// unsigned-loop-counter-cast
func.func @f() { %c0 = arith.constant 0 : i8
%c1 = arith.constant 1 : i8
%n = arith.constant 200 : i8
scf.for unsigned %i = %c0 to %n step %c1 : i8 { %w = arith.extui %i : i8 to i32
vector.print %w : i32 }
return }
// =>
func.func @f() { %c0 = arith.constant 0 : i8
%c1 = arith.constant 1 : i8
%n = arith.constant 200 : i8
scf.for unsigned %i = %c0 to %n step %c1 : i8 { %w = arith.extsi %i : i8 to i32
vector.print %w : i32 }
return }
// -----
// unsigned-loop-becomes-signed
func.func @f() { %c0 = arith.constant 10 : i8
%c1 = arith.constant 1 : i8
%n = arith.constant 200 : i8
scf.for unsigned %i = %c0 to %n step %c1 : i8 { vector.print %i : i8 }
return }
// =>
func.func @f() { %c0 = arith.constant 10 : i8
%c1 = arith.constant 1 : i8
%n = arith.constant 200 : i8
scf.for %i = %c0 to %n step %c1 : i8 { vector.print %i : i8 }
return }
// -----
// recurrence-offset-one
func.func @f(%n: index, %x: tensor<?xi32>) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) { %v = tensor.extract %x[%i] : tensor<?xi32>
%b = arith.addi %a, %v : i32
scf.yield %b : i32 }
return %r : i32 }
// =>
func.func @f(%n: index, %x: memref<?xi32>) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %o) -> (i32) { %v = memref.load %x[%i] : memref<?xi32>
%b = arith.addi %a, %v : i32
scf.yield %b : i32 }
return %r : i32 }
// -----
// recurrence-two-slots-lag
func.func @f(%n: index, %x: i32, %y: i32) -> (i32, i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) { %s = arith.addi %a, %b : i32
scf.yield %b, %s : i32, i32 }
return %r#0, %r#1 : i32, i32 }
// =>
func.func @f(%n: index, %x: i32, %y: i32) -> (i32, i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) { %s = arith.addi %a, %b : i32
scf.yield %s, %b : i32, i32 }
return %r#0, %r#1 : i32, i32 }
// -----
// recurrence-rank-0-memory-before-not-after
func.func @f(%n: index, %x: tensor<?xi32>) -> tensor<i32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant dense<0> : tensor<i32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<i32>) { %o = tensor.extract %a[] : tensor<i32>
%v = tensor.extract %x[%i] : tensor<?xi32>
%b = arith.addi %o, %v : i32
%t = tensor.insert %b into %a[] : tensor<i32>
scf.yield %t : tensor<i32> }
return %r : tensor<i32> }
// =>
func.func @f(%n: index, %x: memref<?xi32>) -> memref<i32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
%m = memref.alloc() : memref<i32>
memref.store %z, %m[] : memref<i32>
scf.for %i = %c0 to %n step %c1 { %v = memref.load %x[%i] : memref<?xi32>
memref.store %v, %m[] : memref<i32> 
%o = memref.load %m[] : memref<i32>
%b = arith.addi %o, %v : i32
memref.store %b, %m[] : memref<i32> }
return %m : memref<i32> }
// -----
// recurrence-max-instead-of-last
func.func @f(%n: index, %x: tensor<?xi32>) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) { %v = tensor.extract %x[%i] : tensor<?xi32>
scf.yield %v : i32 }
return %r : i32 }
// =>
func.func @f(%n: index, %x: memref<?xi32>) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
%l = arith.subi %n, %c1 : index
%c = arith.cmpi slt, %c0, %l : index
%r = scf.if %c -> (i32) { %v = memref.load %x[%l] : memref<?xi32>
scf.yield %v : i32 } else { scf.yield %z : i32 }
return %r : i32 }
// -----
// alternating-flag
func.func @f(%n: index) -> i1 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%f = arith.constant false
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (i1) { %b = arith.xori %a, %t : i1
scf.yield %b : i1 }
return %r : i1 }
// =>
func.func @f(%n: index) -> i1 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%f = arith.constant false
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (i1) { scf.yield %t : i1 }
return %r : i1 }
// -----
// ran-flag-of-another-loop
func.func @f(%n: index, %k: index, %x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xi32>) { scf.yield %y : tensor<4xi32> }
return %r : tensor<4xi32> }
// =>
func.func @f(%n: index, %k: index, %x: memref<4xi32>, %y: memref<4xi32>) -> memref<4xi32> { %c0 = arith.constant 0 : index
%c = arith.cmpi slt, %c0, %k : index
%r = arith.select %c, %y, %x : memref<4xi32>
return %r : memref<4xi32> }
// -----
// ran-flag-le
func.func @f(%n: index, %x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xi32>) { scf.yield %y : tensor<4xi32> }
return %r : tensor<4xi32> }
// =>
func.func @f(%n: index, %x: memref<4xi32>, %y: memref<4xi32>) -> memref<4xi32> { %c0 = arith.constant 0 : index
%c = arith.cmpi sle, %c0, %n : index
%r = arith.select %c, %y, %x : memref<4xi32>
return %r : memref<4xi32> }
// -----
// index-switch-cases-swapped
func.func @f(%i: index, %a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
%r = scf.index_switch %i -> tensor<2xf32> case 0 { scf.yield %a : tensor<2xf32> } case 1 { scf.yield %b : tensor<2xf32> } default { scf.yield %c : tensor<2xf32> }
return %r : tensor<2xf32> }
// =>
func.func @f(%i: index, %a: memref<2xf32>, %b: memref<2xf32>, %c: memref<2xf32>) -> memref<2xf32> {
%r = scf.index_switch %i -> memref<2xf32> case 0 { scf.yield %b : memref<2xf32> } case 1 { scf.yield %a : memref<2xf32> } default { scf.yield %c : memref<2xf32> }
return %r : memref<2xf32> }
// -----
// index-switch-default-taken-for-negative
func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
%r = scf.index_switch %i -> i32 case 0 { scf.yield %a : i32 } default { scf.yield %b : i32 }
return %r : i32 }
// =>
func.func @f(%i: index, %a: i32, %b: i32) -> i32 { %z = arith.constant 0 : index
%c = arith.cmpi sle, %i, %z : index
%r = arith.select %c, %a, %b : i32
return %r : i32 }
// -----
// index-switch-writes-in-one-case-shared
func.func @f(%i: index, %a: tensor<2xf32>, %x: f32) -> (tensor<2xf32>, f32) { %c0 = arith.constant 0 : index
%r = scf.index_switch %i -> tensor<2xf32> case 3 { %w = tensor.insert %x into %a[%c0] : tensor<2xf32>
scf.yield %w : tensor<2xf32> } default { scf.yield %a : tensor<2xf32> }
%y = tensor.extract %a[%c0] : tensor<2xf32>
return %r, %y : tensor<2xf32>, f32 }
// =>
func.func @f(%i: index, %a: memref<2xf32>, %x: f32) -> (memref<2xf32>, f32) { %c0 = arith.constant 0 : index
scf.index_switch %i case 3 { memref.store %x, %a[%c0] : memref<2xf32>
scf.yield } default { scf.yield }
%y = memref.load %a[%c0] : memref<2xf32>
return %a, %y : memref<2xf32>, f32 }
// -----
// while-two-results-swapped
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: i32) -> (tensor<4xf32>, tensor<4xf32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%r:3 = scf.while (%x = %a, %y = %b, %i = %z) : (tensor<4xf32>, tensor<4xf32>, i32) -> (tensor<4xf32>, tensor<4xf32>, i32) { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %x, %y, %i : tensor<4xf32>, tensor<4xf32>, i32 } do { ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: i32): %j = arith.addi %i, %o : i32
scf.yield %y, %x, %j : tensor<4xf32>, tensor<4xf32>, i32 }
return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32> }
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: i32) -> (memref<4xf32>, memref<4xf32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%r:3 = scf.while (%x = %a, %y = %b, %i = %z) : (memref<4xf32>, memref<4xf32>, i32) -> (memref<4xf32>, memref<4xf32>, i32) { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %x, %y, %i : memref<4xf32>, memref<4xf32>, i32 } do { ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %i: i32): %j = arith.addi %i, %o : i32
scf.yield %y, %x, %j : memref<4xf32>, memref<4xf32>, i32 }
return %r#1, %r#0 : memref<4xf32>, memref<4xf32> }
// -----
// while-condition-forwards-other
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: i32) -> (tensor<4xf32>, tensor<4xf32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%r:3 = scf.while (%x = %a, %y = %b, %i = %z) : (tensor<4xf32>, tensor<4xf32>, i32) -> (tensor<4xf32>, tensor<4xf32>, i32) { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %y, %x, %i : tensor<4xf32>, tensor<4xf32>, i32 } do { ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: i32): %j = arith.addi %i, %o : i32
scf.yield %x, %y, %j : tensor<4xf32>, tensor<4xf32>, i32 }
return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32> }
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: i32) -> (memref<4xf32>, memref<4xf32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%r:3 = scf.while (%x = %a, %y = %b, %i = %z) : (memref<4xf32>, memref<4xf32>, i32) -> (memref<4xf32>, memref<4xf32>, i32) { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %x, %y, %i : memref<4xf32>, memref<4xf32>, i32 } do { ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %i: i32): %j = arith.addi %i, %o : i32
scf.yield %y, %x, %j : memref<4xf32>, memref<4xf32>, i32 }
return %r#0, %r#1 : memref<4xf32>, memref<4xf32> }
// -----
// while-writes-both-into-one
func.func @f(%a: tensor<4xf32>, %n: i32, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c0 = arith.constant 0 : index
%r:3 = scf.while (%x = %a, %y = %a, %i = %z) : (tensor<4xf32>, tensor<4xf32>, i32) -> (tensor<4xf32>, tensor<4xf32>, i32) { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %x, %y, %i : tensor<4xf32>, tensor<4xf32>, i32 } do { ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: i32): %j = arith.addi %i, %o : i32
%w = tensor.insert %v into %x[%c0] : tensor<4xf32>
scf.yield %w, %y, %j : tensor<4xf32>, tensor<4xf32>, i32 }
return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32> }
// =>
func.func @f(%a: memref<4xf32>, %n: i32, %v: f32) -> (memref<4xf32>, memref<4xf32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c0 = arith.constant 0 : index
%r:3 = scf.while (%x = %a, %y = %a, %i = %z) : (memref<4xf32>, memref<4xf32>, i32) -> (memref<4xf32>, memref<4xf32>, i32) { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %x, %y, %i : memref<4xf32>, memref<4xf32>, i32 } do { ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %i: i32): %j = arith.addi %i, %o : i32
memref.store %v, %x[%c0] : memref<4xf32>
scf.yield %x, %y, %j : memref<4xf32>, memref<4xf32>, i32 }
return %r#0, %r#1 : memref<4xf32>, memref<4xf32> }
// -----
// negative-stride-subview
func.func @f(%t: memref<8xf32>) -> f32 { %c0 = arith.constant 0 : index
%x = memref.load %t[%c0] : memref<8xf32>
return %x : f32 }
// =>
func.func @f(%t: memref<8xf32>) -> f32 { %c1 = arith.constant 1 : index
%s = memref.subview %t[0] [2] [-1] : memref<8xf32> to memref<2xf32, strided<[-1]>>
%c0 = arith.constant 0 : index
%x = memref.load %s[%c0] : memref<2xf32, strided<[-1]>>
return %x : f32 }
// -----
// negative-stride-dynamic
func.func @f(%t: tensor<8xf32>, %s: index) -> tensor<4xf32> {
%0 = tensor.extract_slice %t[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%t: memref<8xf32>, %s: index) -> memref<4xf32> {
%m = memref.alloc() : memref<4xf32>
%v = memref.subview %t[3] [4] [%s] : memref<8xf32> to memref<4xf32, strided<[?], offset: 3>>
memref.copy %v, %m : memref<4xf32, strided<[?], offset: 3>> to memref<4xf32>
return %m : memref<4xf32> }
// -----
// dynamic-size-zero-first-element
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> { return %t : tensor<?xf32> }
// =>
func.func @f(%t: memref<?xf32>) -> memref<?xf32> { %c0 = arith.constant 0 : index
%x = memref.load %t[%c0] : memref<?xf32>
memref.store %x, %t[%c0] : memref<?xf32>
return %t : memref<?xf32> }
// -----
// dynamic-size-one-broadcast
func.func @f(%t: tensor<?xf32>, %o: tensor<4xf32>) -> f32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%x = tensor.extract %t[%c0] : tensor<?xf32>
return %x : f32 }
// =>
func.func @f(%t: memref<?xf32>, %o: memref<4xf32>) -> f32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%d = memref.dim %t, %c0 : memref<?xf32>
%l = arith.subi %d, %c1 : index
%x = memref.load %t[%l] : memref<?xf32>
return %x : f32 }
// -----
// parallel-insert-order-in-one-iteration
func.func @f(%t: tensor<8xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<8xf32> {
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) { %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
scf.forall.in_parallel { tensor.parallel_insert_slice %a into %o[%k] [2] [1] : tensor<2xf32> into tensor<8xf32>
tensor.parallel_insert_slice %b into %o[%k] [2] [1] : tensor<2xf32> into tensor<8xf32> } }
return %r : tensor<8xf32> }
// =>
func.func @f(%t: memref<8xf32>, %a: memref<2xf32>, %b: memref<2xf32>) -> memref<8xf32> {
scf.forall (%i) in (4) { %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
%v = memref.subview %t[%k] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
memref.copy %b, %v : memref<2xf32> to memref<2xf32, strided<[1], offset: ?>>
memref.copy %a, %v : memref<2xf32> to memref<2xf32, strided<[1], offset: ?>> }
return %t : memref<8xf32> }
// -----
// parallel-insert-two-outputs-crossed
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
%r:2 = scf.forall (%i) in (4) shared_outs(%o = %t, %p = %u) -> (tensor<8xf32>, tensor<8xf32>) { %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
scf.forall.in_parallel { tensor.parallel_insert_slice %a into %o[%k] [2] [1] : tensor<2xf32> into tensor<8xf32>
tensor.parallel_insert_slice %b into %p[%k] [2] [1] : tensor<2xf32> into tensor<8xf32> } }
return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32> }
// =>
func.func @f(%t: memref<8xf32>, %u: memref<8xf32>, %a: memref<2xf32>, %b: memref<2xf32>) -> (memref<8xf32>, memref<8xf32>) {
scf.forall (%i) in (4) { %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
%v = memref.subview %t[%k] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
%w = memref.subview %u[%k] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
memref.copy %b, %v : memref<2xf32> to memref<2xf32, strided<[1], offset: ?>>
memref.copy %a, %w : memref<2xf32> to memref<2xf32, strided<[1], offset: ?>> }
return %t, %u : memref<8xf32>, memref<8xf32> }
// -----
// float-minus-zero-added
func.func @f(%x: f32) -> f32 { return %x : f32 }
// =>
func.func @f(%x: f32) -> f32 { %z = arith.constant 0.0 : f32
%y = arith.addf %x, %z : f32
return %y : f32 }
// -----
// float-select-of-compare
func.func @f(%x: f32, %y: f32) -> f32 { %c = arith.cmpf olt, %x, %y : f32
%r = arith.select %c, %x, %y : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32) -> f32 { %r = arith.minimumf %x, %y : f32
return %r : f32 }
// -----
// float-negated-compare
func.func @f(%x: f32, %y: f32) -> i1 { %c = arith.cmpf olt, %x, %y : f32
return %c : i1 }
// =>
func.func @f(%x: f32, %y: f32) -> i1 { %c = arith.cmpf oge, %x, %y : f32
%t = arith.constant true
%r = arith.xori %c, %t : i1
return %r : i1 }
// -----
// float-ext-trunc
func.func @f(%x: f64) -> f64 { return %x : f64 }
// =>
func.func @f(%x: f64) -> f64 { %a = arith.truncf %x : f64 to f32
%b = arith.extf %a : f32 to f64
return %b : f64 }
// -----
// float-constant-zero-sign
func.func @f() -> f32 { %a = arith.constant 0.0 : f32
%b = arith.constant -1.0 : f32
%r = arith.mulf %a, %b : f32
return %r : f32 }
// =>
func.func @f() -> f32 { %a = arith.constant 0.0 : f32
return %a : f32 }
// -----
// float-constants-f32-rounding
func.func @f() -> f32 { %a = arith.constant 0.1 : f32
%b = arith.constant 0.2 : f32
%r = arith.addf %a, %b : f32
return %r : f32 }
// =>
func.func @f() -> f32 { %a = arith.constant 0.3 : f32
%b = arith.constant 0.0000001 : f32
%r = arith.addf %a, %b : f32
return %r : f32 }
// -----
// alignment-of-load-after-subview
func.func @f(%t: memref<64xf32>) -> f32 { %c1 = arith.constant 1 : index
memref.assume_alignment %t, 64 : memref<64xf32>
%x = memref.load %t[%c1] : memref<64xf32>
return %x : f32 }
// =>
func.func @f(%t: memref<64xf32>) -> f32 { %c1 = arith.constant 1 : index
memref.assume_alignment %t, 64 : memref<64xf32>
%x = memref.load %t[%c1] {alignment = 64 : i64} : memref<64xf32>
return %x : f32 }
// -----
// global-init-of-other-dtype-bits
memref.global "private" constant @g : memref<2xf32> = dense<[0.0, 1.0]>
func.func @f() -> f32 { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<2xf32>
%x = memref.load %g[%c0] : memref<2xf32>
return %x : f32 }
// =>
memref.global "private" constant @g : memref<2xf32> = dense<[-0.0, 1.0]>
func.func @f() -> f32 { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<2xf32>
%x = memref.load %g[%c0] : memref<2xf32>
return %x : f32 }
// -----
// mutable-global-scratch-kept-over-call
memref.global "private" @s : memref<4xf32> = uninitialized
func.func private @p()
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { call @p() : () -> ()
return %t : tensor<4xf32> }
// =>
memref.global "private" @s : memref<4xf32> = uninitialized
func.func private @p()
func.func @f(%t: memref<4xf32>) -> memref<4xf32> { %g = memref.get_global @s : memref<4xf32>
memref.copy %t, %g : memref<4xf32> to memref<4xf32>
call @p() : () -> ()
memref.copy %g, %t : memref<4xf32> to memref<4xf32>
return %t : memref<4xf32> }
// -----
// scratch-global-reentrant
func.func private @p()
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { call @p() : () -> ()
return %t : tensor<4xf32> }
// =>
memref.global "private" @s : memref<4xf32> = uninitialized
func.func private @p()
func.func @f(%t: memref<4xf32>) -> memref<4xf32> { %g = memref.get_global @s : memref<4xf32>
memref.copy %t, %g : memref<4xf32> to memref<4xf32>
call @p() : () -> ()
memref.copy %g, %t : memref<4xf32> to memref<4xf32>
return %t : memref<4xf32> }
// -----
// scratch-global-recursive
func.func @f(%t: tensor<4xf32>, %n: i1) -> tensor<4xf32> { %f = arith.constant false
%r = scf.if %n -> tensor<4xf32> { %u = tensor.empty() : tensor<4xf32>
%q = func.call @f(%u, %f) : (tensor<4xf32>, i1) -> tensor<4xf32>
scf.yield %t : tensor<4xf32> } else { scf.yield %t : tensor<4xf32> }
return %r : tensor<4xf32> }
// =>
memref.global "private" @s : memref<4xf32> = uninitialized
func.func @f(%t: memref<4xf32>, %n: i1) -> memref<4xf32> { %f = arith.constant false
%g = memref.get_global @s : memref<4xf32>
memref.copy %t, %g : memref<4xf32> to memref<4xf32>
scf.if %n { %u = memref.alloc() : memref<4xf32>
%q = func.call @f(%u, %f) : (memref<4xf32>, i1) -> memref<4xf32>
scf.yield } 
memref.copy %g, %t : memref<4xf32> to memref<4xf32>
return %t : memref<4xf32> }
// -----
// nested-module-other-constant
module @a { func.func @f() -> i32 { %0 = arith.constant 1 : i32
return %0 : i32 } }
module @b { func.func @f() -> i32 { %0 = arith.constant 2 : i32
return %0 : i32 } }
// =>
module @a { func.func @f() -> i32 { %0 = arith.constant 1 : i32
return %0 : i32 } }
module @b { func.func @f() -> i32 { %0 = arith.constant 1 : i32
return %0 : i32 } }
// -----
// nested-module-global-of-outer
memref.global "private" constant @g : memref<i32> = dense<1>
module @a { memref.global "private" constant @g : memref<i32> = dense<2>
func.func @f() -> i32 { %g = memref.get_global @g : memref<i32>
%x = memref.load %g[] : memref<i32>
return %x : i32 } }
// =>
memref.global "private" constant @g : memref<i32> = dense<1>
module @a { memref.global "private" constant @g : memref<i32> = dense<2>
func.func @f() -> i32 { %x = arith.constant 1 : i32
return %x : i32 } }
// -----
// aliased-arguments-swap
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { %c0 = arith.constant 0 : index
%x = memref.load %a[%c0] : memref<4xf32>
%y = memref.load %b[%c0] : memref<4xf32>
memref.store %y, %a[%c0] : memref<4xf32>
memref.store %x, %b[%c0] : memref<4xf32>
return }
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { %c0 = arith.constant 0 : index
%x = memref.load %a[%c0] : memref<4xf32>
%y = memref.load %b[%c0] : memref<4xf32>
memref.store %x, %b[%c0] : memref<4xf32>
memref.store %y, %a[%c0] : memref<4xf32>
return }
// -----
// aliased-arguments-index-i-j
func.func @f(%a: memref<4xf32>, %i: index, %j: index, %v: f32, %w: f32) { memref.store %v, %a[%i] : memref<4xf32>
memref.store %w, %a[%j] : memref<4xf32>
return }
// =>
func.func @f(%a: memref<4xf32>, %i: index, %j: index, %v: f32, %w: f32) { memref.store %w, %a[%j] : memref<4xf32>
memref.store %v, %a[%i] : memref<4xf32>
return }
// -----
// zero-trip-forall-uninitialized
func.func @f(%n: index, %x: f32) -> tensor<?xf32> { %e = tensor.empty(%n) : tensor<?xf32>
%0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
return %0 : tensor<?xf32> }
// =>
func.func @f(%n: index, %x: f32) -> memref<?xf32> { %e = memref.alloc(%n) : memref<?xf32>
%c1 = arith.constant 1 : index
%m = arith.subi %n, %c1 : index
scf.forall (%i) in (%m) { memref.store %x, %e[%i] : memref<?xf32> }
return %e : memref<?xf32> }
// -----
// zero-trip-result-of-inner
func.func @f(%n: index, %k: index, %x: f32, %y: f32) -> f32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) { %s = scf.for %j = %c0 to %k step %c1 iter_args(%b = %a) -> (f32) { scf.yield %y : f32 }
scf.yield %s : f32 }
return %r : f32 }
// =>
func.func @f(%n: index, %k: index, %x: f32, %y: f32) -> f32 { %c0 = arith.constant 0 : index
%c = arith.cmpi slt, %c0, %n : index
%r = arith.select %c, %y, %x : f32
return %r : f32 }
// -----
// dealloc-ownership-two-retained
func.func @f(%c: i1) -> tensor<4xf32> { %e = tensor.empty() : tensor<4xf32>
%x = arith.constant 1.0 : f32
%0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%c: i1) -> memref<4xf32> { %m = memref.alloc() : memref<4xf32>
%x = arith.constant 1.0 : f32
linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
%t = arith.constant true
%s = memref.alloc() : memref<4xf32>
%0 = bufferization.dealloc (%m, %s : memref<4xf32>, memref<4xf32>) if (%t, %c) retain (%m : memref<4xf32>)
return %m : memref<4xf32> }
// -----
// generic-map-a-transposed
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-map-both-transposed
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-output-transposed
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-diagonal
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-row-constant
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-operands-crossed
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.subf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.subf %y, %x : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-old-output-used
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %z : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-twice
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %t = arith.addf %x, %y : f32 %s = arith.addf %t, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-fma-contracted
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %t = arith.mulf %x, %y : f32 %s = arith.addf %t, %z : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = math.fma %x, %y, %z : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// generic-max-nan
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> { %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.maximumf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4x4xf32>
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %o: memref<4x4xf32>) -> memref<4x4xf32> { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>) { ^bb0(%x: f32, %y: f32, %z: f32): %s = arith.maxnumf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4x4xf32> }
// -----
// slice-offset-one
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> { %0 = tensor.extract_slice %a[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<8xf32>) -> memref<4xf32> { %m = memref.alloc() : memref<4xf32>
%0 = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
memref.copy %0, %m : memref<4xf32, strided<[1], offset: 2>> to memref<4xf32>
return %m : memref<4xf32> }
// -----
// slice-stride-two-offset
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> { %0 = tensor.extract_slice %a[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<8xf32>) -> memref<4xf32> { %m = memref.alloc() : memref<4xf32>
%0 = memref.subview %a[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
memref.copy %0, %m : memref<4xf32, strided<[2], offset: 1>> to memref<4xf32>
return %m : memref<4xf32> }
// -----
// slice-stride
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> { %0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<8xf32>) -> memref<4xf32> { %m = memref.alloc() : memref<4xf32>
%0 = memref.subview %a[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 0>>
memref.copy %0, %m : memref<4xf32, strided<[2], offset: 0>> to memref<4xf32>
return %m : memref<4xf32> }
// -----
// slice-of-one-other
func.func @f(%a: tensor<8xf32>) -> tensor<1xf32> { %0 = tensor.extract_slice %a[3] [1] [1] : tensor<8xf32> to tensor<1xf32>
return %0 : tensor<1xf32> }
// =>
func.func @f(%a: memref<8xf32>) -> memref<1xf32> { %m = memref.alloc() : memref<1xf32>
%0 = memref.subview %a[4] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 4>>
memref.copy %0, %m : memref<1xf32, strided<[1], offset: 4>> to memref<1xf32>
return %m : memref<1xf32> }
// -----
// slice-shorter
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> { %0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<8xf32>) -> memref<3xf32> { %m = memref.alloc() : memref<3xf32>
%0 = memref.subview %a[0] [3] [1] : memref<8xf32> to memref<3xf32, strided<[1], offset: 0>>
memref.copy %0, %m : memref<3xf32, strided<[1], offset: 0>> to memref<3xf32>
return %m : memref<3xf32> }
// -----
// dynamic-insert-other-offset
func.func @f(%a: tensor<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> tensor<?xf32> { %s = tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
%f = linalg.fill ins(%x : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
%0 = tensor.insert_slice %f into %a[%i] [%k] [1] : tensor<?xf32> into tensor<?xf32>
return %0 : tensor<?xf32> }
// =>
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> memref<?xf32> { %s = memref.subview %a[%j] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
linalg.fill ins(%x : f32) outs(%s : memref<?xf32, strided<[1], offset: ?>>)
return %a : memref<?xf32> }
// -----
// dynamic-insert-other-size
func.func @f(%a: tensor<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> tensor<?xf32> { %s = tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
%f = linalg.fill ins(%x : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
%0 = tensor.insert_slice %f into %a[%i] [%k] [1] : tensor<?xf32> into tensor<?xf32>
return %0 : tensor<?xf32> }
// =>
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> memref<?xf32> { %s = memref.subview %a[%i] [%j] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
linalg.fill ins(%x : f32) outs(%s : memref<?xf32, strided<[1], offset: ?>>)
return %a : memref<?xf32> }
// -----
// dynamic-two-inserts-may-meet
func.func @f(%a: tensor<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> tensor<?xf32> { %0 = tensor.insert %x into %a[%i] : tensor<?xf32>
%y = tensor.extract %a[%j] : tensor<?xf32>
vector.print %y : f32
return %0 : tensor<?xf32> }
// =>
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> memref<?xf32> { memref.store %x, %a[%i] : memref<?xf32>
%y = memref.load %a[%j] : memref<?xf32>
vector.print %y : f32
return %a : memref<?xf32> }
// -----
// dynamic-slice-moved-onto-itself
func.func @f(%a: tensor<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> tensor<?xf32> { %s = tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
%0 = tensor.insert_slice %s into %a[%j] [%k] [1] : tensor<?xf32> into tensor<?xf32>
return %0 : tensor<?xf32> }
// =>
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> memref<?xf32> { %s = memref.subview %a[%i] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
%d = memref.subview %a[%j] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
memref.copy %s, %d : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
return %a : memref<?xf32> }
// -----
// dynamic-shift-by-one-forwards
func.func @f(%a: tensor<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> tensor<?xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = tensor.dim %a, %c0 : tensor<?xf32>
%0 = scf.for %p = %c1 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) { %q = arith.subi %p, %c1 : index
%v = tensor.extract %a[%q] : tensor<?xf32>
%w = tensor.insert %v into %t[%p] : tensor<?xf32>
scf.yield %w : tensor<?xf32> }
return %0 : tensor<?xf32> }
// =>
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> memref<?xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = memref.dim %a, %c0 : memref<?xf32>
scf.for %p = %c1 to %n step %c1 { %q = arith.subi %p, %c1 : index
%v = memref.load %a[%q] : memref<?xf32>
memref.store %v, %a[%p] : memref<?xf32> }
return %a : memref<?xf32> }
// -----
// dynamic-reverse-in-place
func.func @f(%a: tensor<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> tensor<?xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = tensor.dim %a, %c0 : tensor<?xf32>
%0 = scf.for %p = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) { %e = arith.subi %n, %c1 : index
%q = arith.subi %e, %p : index
%v = tensor.extract %a[%q] : tensor<?xf32>
%w = tensor.insert %v into %t[%p] : tensor<?xf32>
scf.yield %w : tensor<?xf32> }
return %0 : tensor<?xf32> }
// =>
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %k: index, %x: f32) -> memref<?xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = memref.dim %a, %c0 : memref<?xf32>
scf.for %p = %c0 to %n step %c1 { %e = arith.subi %n, %c1 : index
%q = arith.subi %e, %p : index
%v = memref.load %a[%q] : memref<?xf32>
memref.store %v, %a[%p] : memref<?xf32> }
return %a : memref<?xf32> }
// -----
// ext-of-sum
func.func @f(%x: i8, %y: i8, %c: i1) -> i32 { %s = arith.addi %x, %y : i8 %r = arith.extsi %s : i8 to i32
return %r : i32 }
// =>
func.func @f(%x: i8, %y: i8, %c: i1) -> i32 { %a = arith.extsi %x : i8 to i32 %b = arith.extsi %y : i8 to i32 %r = arith.addi %a, %b : i32
return %r : i32 }
// -----
// ext-of-negative
func.func @f(%x: i8, %y: i8, %c: i1) -> i32 { %z = arith.constant 0 : i8 %s = arith.subi %z, %x : i8 %r = arith.extsi %s : i8 to i32
return %r : i32 }
// =>
func.func @f(%x: i8, %y: i8, %c: i1) -> i32 { %z = arith.constant 0 : i32 %a = arith.extsi %x : i8 to i32 %r = arith.subi %z, %a : i32
return %r : i32 }
// -----
// trunc-of-other-width
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %a = arith.trunci %x : i32 to i16 %r = arith.extsi %a : i16 to i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %a = arith.trunci %x : i32 to i8 %r = arith.extsi %a : i8 to i32
return %r : i32 }
// -----
// min-of-sum
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %a = arith.addi %x, %y : i32 %r = arith.minsi %a, %x : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %z = arith.constant 0 : i32 %m = arith.minsi %y, %z : i32 %r = arith.addi %x, %m : i32
return %r : i32 }
// -----
// shift-left-as-multiplication
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 33 : i32 %r = arith.shli %x, %t : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 2 : i32 %r = arith.muli %x, %t : i32
return %r : i32 }
// -----
// divide-then-multiply
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 4 : i32 %a = arith.divsi %x, %t : i32 %r = arith.muli %a, %t : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %k = arith.constant 0 : i32 %r = arith.addi %x, %k : i32
return %r : i32 }
// -----
// floordiv-against-div
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 4 : i32 %r = arith.floordivsi %x, %t : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 4 : i32 %r = arith.divsi %x, %t : i32
return %r : i32 }
// -----
// rem-against-and
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 4 : i32 %r = arith.remsi %x, %t : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %t = arith.constant 3 : i32 %r = arith.andi %x, %t : i32
return %r : i32 }
// -----
// compare-difference
func.func @f(%x: i32, %y: i32, %c: i1) -> i1 { %r = arith.cmpi slt, %x, %y : i32
return %r : i1 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i1 { %z = arith.constant 0 : i32 %d = arith.subi %x, %y : i32 %r = arith.cmpi slt, %d, %z : i32
return %r : i1 }
// -----
// compare-plus-one
func.func @f(%x: i32, %y: i32, %c: i1) -> i1 { %r = arith.cmpi sle, %x, %y : i32
return %r : i1 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i1 { %o = arith.constant 1 : i32 %d = arith.addi %y, %o : i32 %r = arith.cmpi slt, %x, %d : i32
return %r : i1 }
// -----
// not-of-less
func.func @f(%x: i32, %y: i32, %c: i1) -> i1 { %r = arith.cmpi slt, %x, %y : i32
return %r : i1 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i1 { %r = arith.cmpi sgt, %x, %y : i32
return %r : i1 }
// -----
// i1-extsi-extui
func.func @f(%x: i1, %y: i1, %c: i1) -> i32 { %r = arith.extsi %x : i1 to i32
return %r : i32 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i32 { %r = arith.extui %x : i1 to i32
return %r : i32 }
// -----
// i1-add-is-not-or
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.addi %x, %y : i1
return %r : i1 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.ori %x, %y : i1
return %r : i1 }
// -----
// i1-mul-sub
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.subi %x, %y : i1
return %r : i1 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.andi %x, %y : i1
return %r : i1 }
// -----
// i1-max-signed
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.maxsi %x, %y : i1
return %r : i1 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.ori %x, %y : i1
return %r : i1 }
// -----
// i1-select-not
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %t = arith.constant true %n = arith.xori %c, %t : i1 %r = arith.select %n, %x, %y : i1
return %r : i1 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.select %c, %x, %y : i1
return %r : i1 }
// -----
// i1-compare-ult
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.cmpi ult, %x, %y : i1
return %r : i1 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.cmpi slt, %x, %y : i1
return %r : i1 }
// -----
// i1-cmp-eq-and
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.cmpi eq, %x, %y : i1
return %r : i1 }
// =>
func.func @f(%x: i1, %y: i1, %c: i1) -> i1 { %r = arith.andi %x, %y : i1
return %r : i1 }
// -----
// index-cast-high-bits
func.func @f(%x: i64, %y: i64, %c: i1) -> i64 { %r = arith.addi %x, %y : i64
return %r : i64 }
// =>
func.func @f(%x: i64, %y: i64, %c: i1) -> i64 { %a = arith.index_cast %x : i64 to index %b = arith.index_cast %a : index to i32 %d = arith.extsi %b : i32 to i64 %r = arith.addi %d, %y : i64
return %r : i64 }
// -----
// index-castui-i32
func.func @f(%x: index, %y: index, %c: i1) -> index { %a = arith.index_cast %x : index to i32 %r = arith.index_cast %a : i32 to index
return %r : index }
// =>
func.func @f(%x: index, %y: index, %c: i1) -> index { %a = arith.index_cast %x : index to i32 %r = arith.index_castui %a : i32 to index
return %r : index }
// -----
// index-roundtrip-i64
func.func @f(%x: index, %y: index, %c: i1) -> index { %a = arith.index_castui %x : index to i32 %r = arith.index_castui %a : i32 to index
return %r : index }
// =>
func.func @f(%x: index, %y: index, %c: i1) -> index { %z = arith.constant 0 : index %r = arith.addi %x, %z : index
return %r : index }
// -----
// float-neg-neg-nan
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %r = arith.negf %x : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %m = arith.constant -1.0 : f32 %r = arith.mulf %x, %m : f32
return %r : f32 }
// -----
// float-abs
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %r = math.absf %x : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %z = arith.constant 0.0 : f32 %g = arith.cmpf olt, %x, %z : f32 %n = arith.negf %x : f32 %r = arith.select %g, %n, %x : f32
return %r : f32 }
// -----
// float-div-as-reciprocal
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %t = arith.constant 3.0 : f32 %r = arith.divf %x, %t : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %t = arith.constant 0.333333343 : f32 %r = arith.mulf %x, %t : f32
return %r : f32 }
// -----
// float-double-as-sum-half
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %t = arith.constant 2.0 : f32 %a = arith.mulf %x, %t : f32 %r = arith.divf %a, %t : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %z = arith.constant -0.0 : f32 %r = arith.addf %x, %z : f32
return %r : f32 }
// -----
// float-cmp-self
func.func @f(%x: f32, %y: f32, %c: i1) -> i1 { %r = arith.cmpf oeq, %x, %x : f32
return %r : i1 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> i1 { %r = arith.constant true
return %r : i1 }
// -----
// float-cmp-ueq
func.func @f(%x: f32, %y: f32, %c: i1) -> i1 { %r = arith.cmpf ueq, %x, %y : f32
return %r : i1 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> i1 { %r = arith.cmpf oeq, %x, %y : f32
return %r : i1 }
// -----
// float-cmp-une-not-oeq
func.func @f(%x: f32, %y: f32, %c: i1) -> i1 { %r = arith.cmpf one, %x, %y : f32
return %r : i1 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> i1 { %t = arith.constant true %e = arith.cmpf oeq, %x, %y : f32 %r = arith.xori %e, %t : i1
return %r : i1 }
// -----
// float-to-int-rounding
func.func @f(%x: f32, %y: f32, %c: i1) -> i32 { %r = arith.fptosi %x : f32 to i32
return %r : i32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> i32 { %a = math.roundeven %x : f32 %r = arith.fptosi %a : f32 to i32
return %r : i32 }
// -----
// float-flag-reassoc-uses
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %a = arith.addf %x, %y fastmath<nnan> : f32 %r = arith.subf %a, %y : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %a = arith.addf %x, %y fastmath<nnan,ninf> : f32 %r = arith.subf %a, %y : f32
return %r : f32 }
// -----
// float-flag-contract-moved
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %a = arith.mulf %x, %y fastmath<contract> : f32 %r = arith.addf %a, %y : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32, %c: i1) -> f32 { %a = arith.mulf %x, %y : f32 %r = arith.addf %a, %y fastmath<contract> : f32
return %r : f32 }
// -----
// flag-nsw-on-other-order
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %a = arith.addi %x, %y overflow<nsw> : i32 %r = arith.subi %a, %y : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %a = arith.addi %x, %y : i32 %r = arith.subi %a, %y overflow<nsw> : i32
return %r : i32 }
// -----
// flag-nuw-from-nsw
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %r = arith.muli %x, %y overflow<nsw> : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %r = arith.muli %x, %y overflow<nuw> : i32
return %r : i32 }
// -----
// flag-nsw-reassociated
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %a = arith.addi %x, %y overflow<nsw> : i32 %o = arith.constant 5 : i32 %r = arith.addi %a, %o overflow<nsw> : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %o = arith.constant 5 : i32 %a = arith.addi %y, %o overflow<nsw> : i32 %r = arith.addi %x, %a overflow<nsw> : i32
return %r : i32 }
// -----
// flag-nsw-sub-as-add
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %o = arith.constant 5 : i32 %r = arith.subi %x, %o overflow<nuw> : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %o = arith.constant -5 : i32 %r = arith.addi %x, %o overflow<nuw> : i32
return %r : i32 }
// -----
// flag-exact-of-shift
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %o = arith.constant 2 : i32 %r = arith.shrsi %x, %o : i32
return %r : i32 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 { %o = arith.constant 2 : i32 %r = arith.shrsi %x, %o exact : i32
return %r : i32 }
// -----
// trunc-nuw
func.func @f(%x: i32, %y: i32, %c: i1) -> i8 { %r = arith.trunci %x : i32 to i8
return %r : i8 }
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i8 { %r = arith.trunci %x overflow<nuw> : i32 to i8
return %r : i8 }
// -----
// free-in-zero-trip-loop
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 { memref.dealloc %m : memref<4xf32> }
return }
// -----
// free-in-if-only
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
scf.if %c { memref.dealloc %m : memref<4xf32> }
return }
// -----
// free-under-two-conditions
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
%t = arith.constant true
%d = arith.xori %e, %t : i1
scf.if %c { memref.dealloc %m : memref<4xf32> }
scf.if %d { memref.dealloc %m : memref<4xf32> }
return }
// -----
// free-after-transposed-view
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
%s = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
memref.dealloc %s : memref<2xf32, strided<[1], offset: 1>>
return }
// -----
// free-alloca-through-select
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
%a = memref.alloca() : memref<4xf32>
%s = arith.select %c, %m, %a : memref<4xf32>
memref.dealloc %s : memref<4xf32>
return }
// -----
// free-twice-through-cast
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
%s = memref.cast %m : memref<4xf32> to memref<?xf32>
memref.dealloc %s : memref<?xf32>
memref.dealloc %m : memref<4xf32>
return }
// -----
// leak-in-while
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %t = arith.constant true
scf.while (%k = %c) : (i1) -> (i1) { scf.condition(%k) %k : i1 } do { ^b(%k: i1): %m = memref.alloc() : memref<4xf32>
%f = arith.constant false
scf.yield %f : i1 }
%q = memref.alloc() : memref<i32>
memref.dealloc %q : memref<i32>
return }
// -----
// leak-of-second-iteration
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<4xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> (memref<4xf32>) { %q = memref.alloc() : memref<4xf32>
scf.yield %q : memref<4xf32> }
memref.dealloc %r : memref<4xf32>
return }
// -----
// free-of-previous-and-last
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<4xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> (memref<4xf32>) { %q = memref.alloc() : memref<4xf32>
memref.dealloc %p : memref<4xf32>
scf.yield %q : memref<4xf32> }
memref.dealloc %r : memref<4xf32>
memref.dealloc %m : memref<4xf32>
return }
// -----
// free-flag-constant-true
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%t = arith.constant true
%m = memref.alloc() : memref<4xf32>
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m, %o = %t) -> (memref<4xf32>, i1) { scf.yield %m, %t : memref<4xf32>, i1 }
bufferization.dealloc (%r#0, %m : memref<4xf32>, memref<4xf32>) if (%r#1, %t)
%z = memref.alloc() : memref<4xf32>
return }
// -----
// dealloc-retains-what-is-not-returned
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %t = arith.constant true
%m = memref.alloc() : memref<4xf32>
%k = memref.alloc() : memref<4xf32>
%u:2 = bufferization.dealloc (%m, %k : memref<4xf32>, memref<4xf32>) if (%t, %t) retain (%m, %k : memref<4xf32>, memref<4xf32>)
return }
// -----
// dealloc-condition-of-the-other
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %t = arith.constant true
%m = memref.alloc() : memref<4xf32>
%k = memref.alloc() : memref<4xf32>
%d = arith.xori %c, %t : i1
bufferization.dealloc (%m, %k : memref<4xf32>, memref<4xf32>) if (%c, %d)
return }
// -----
// free-in-forall
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
scf.forall (%i) in (2) { memref.dealloc %m : memref<4xf32> }
return }
// -----
// free-before-unreached-use
func.func @f(%n: index, %c: i1, %e: i1) { return }
// =>
func.func @f(%n: index, %c: i1, %e: i1) { %m = memref.alloc() : memref<4xf32>
%c0 = arith.constant 0 : index
scf.if %c { memref.dealloc %m : memref<4xf32> }
scf.if %e { %v = memref.load %m[%c0] : memref<4xf32>
memref.dealloc %m : memref<4xf32> }
return }
// -----
// result-in-scratch
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { return %t : tensor<4xf32> }
// =>
func.func @f(%t: memref<4xf32>, %s: memref<16xi8>) -> memref<4xf32> { %c0 = arith.constant 0 : index
%v = memref.view %s[%c0][] : memref<16xi8> to memref<4xf32>
memref.copy %t, %v : memref<4xf32> to memref<4xf32>
return %v : memref<4xf32> }
// -----
// view-aligned-by-another-buffer
func.func @f(%a: memref<64xi8>) -> f32 { %c0 = arith.constant 0 : index
%v = memref.view %a[%c0][] : memref<64xi8> to memref<4xf32>
%x = memref.load %v[%c0] : memref<4xf32>
return %x : f32 }
// =>
func.func @f(%a: memref<64xi8>) -> f32 { %c0 = arith.constant 0 : index
%v = memref.view %a[%c0][] : memref<64xi8> to memref<4xf32>
%x = memref.load %v[%c0] : memref<4xf32>
%s = memref.alloca() : memref<64xi8>
%w = memref.view %s[%c0][] : memref<64xi8> to memref<4xf32>
memref.store %x, %w[%c0] : memref<4xf32>
%y = memref.load %w[%c0] : memref<4xf32>
return %y : f32 }
// -----
// arena-views-overlap
func.func @f(%x: f32, %y: f32) -> f32 { %r = arith.addf %x, %y : f32
return %r : f32 }
// =>
func.func @f(%x: f32, %y: f32) -> f32 { %c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%s = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
%v = memref.view %s[%c0][] : memref<16xi8> to memref<2xf32>
%w = memref.view %s[%c4][] : memref<16xi8> to memref<2xf32>
%c1 = arith.constant 1 : index
memref.store %x, %v[%c1] : memref<2xf32>
memref.store %y, %w[%c0] : memref<2xf32>
%p = memref.load %v[%c1] : memref<2xf32>
%q = memref.load %w[%c0] : memref<2xf32>
%r = arith.addf %p, %q : f32
memref.dealloc %s : memref<16xi8>
return %r : f32 }
// -----
// arena-view-other-type
func.func @f(%x: f32) -> i32 { %r = arith.fptosi %x : f32 to i32
return %r : i32 }
// =>
func.func @f(%x: f32) -> i32 { %c0 = arith.constant 0 : index
%s = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
%v = memref.view %s[%c0][] : memref<16xi8> to memref<2xf32>
%w = memref.view %s[%c0][] : memref<16xi8> to memref<2xi32>
memref.store %x, %v[%c0] : memref<2xf32>
%r = memref.load %w[%c0] : memref<2xi32>
memref.dealloc %s : memref<16xi8>
return %r : i32 }
// -----
// unrolled-by-two-drops-rest
func.func @f(%t: tensor<5xf32>, %x: f32) -> tensor<5xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t) -> (tensor<5xf32>) { %w = tensor.insert %x into %a[%i] : tensor<5xf32>
scf.yield %w : tensor<5xf32> }
return %r : tensor<5xf32> }
// =>
func.func @f(%t: memref<5xf32>, %x: f32) -> memref<5xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.for %i = %c0 to %c4 step %c2 { memref.store %x, %t[%i] : memref<5xf32>
%j = arith.addi %i, %c1 : index
memref.store %x, %t[%j] : memref<5xf32> }
return %t : memref<5xf32> }
// -----
// unrolled-by-two-same-index
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 4 : index
%r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %t) -> (tensor<4xf32>) { %w = tensor.insert %x into %a[%i] : tensor<4xf32>
scf.yield %w : tensor<4xf32> }
return %r : tensor<4xf32> }
// =>
func.func @f(%t: memref<4xf32>, %x: f32) -> memref<4xf32> { %c0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
scf.for %i = %c0 to %c4 step %c2 { memref.store %x, %t[%i] : memref<4xf32>
memref.store %x, %t[%i] : memref<4xf32> }
return %t : memref<4xf32> }
// -----
// helper-of-target-writes-argument
func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) { %c0 = arith.constant 0 : index
%w = tensor.insert %x into %t[%c0] : tensor<4xf32>
%y = tensor.extract %t[%c0] : tensor<4xf32>
return %w, %y : tensor<4xf32>, f32 }
// =>
func.func private @h(%t: memref<4xf32>, %x: f32) { %c0 = arith.constant 0 : index
memref.store %x, %t[%c0] : memref<4xf32>
return }
func.func @f(%t: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) { %c0 = arith.constant 0 : index
call @h(%t, %x) : (memref<4xf32>, f32) -> ()
%y = memref.load %t[%c0] : memref<4xf32>
return %t, %y : memref<4xf32>, f32 }
// -----
// helper-returns-its-stack-buffer
func.func @f(%x: f32) -> f32 { return %x : f32 }
// =>
func.func private @h(%x: f32) -> memref<4xf32> { %c0 = arith.constant 0 : index
%s = memref.alloca() : memref<4xf32>
memref.store %x, %s[%c0] : memref<4xf32>
return %s : memref<4xf32> }
func.func @f(%x: f32) -> f32 { %c0 = arith.constant 0 : index
%m = call @h(%x) : (f32) -> memref<4xf32>
%y = memref.load %m[%c0] : memref<4xf32>
return %y : f32 }
// -----
// callee-leaks-into-caller
func.func private @g(%t: tensor<4xf32>) -> f32 { %c0 = arith.constant 0 : index
%y = tensor.extract %t[%c0] : tensor<4xf32>
return %y : f32 }
func.func @f(%t: tensor<4xf32>) -> f32 { %y = call @g(%t) : (tensor<4xf32>) -> f32
return %y : f32 }
// =>
func.func private @g(%t: memref<4xf32>) -> f32 { %c0 = arith.constant 0 : index
%y = memref.load %t[%c0] : memref<4xf32>
memref.dealloc %t : memref<4xf32>
return %y : f32 }
func.func @f(%t: memref<4xf32>) -> f32 { %m = memref.alloc() : memref<4xf32>
memref.copy %t, %m : memref<4xf32> to memref<4xf32>
%y = call @g(%m) : (memref<4xf32>) -> f32
memref.dealloc %m : memref<4xf32>
return %y : f32 }
// -----
// callee-result-is-either-argument
func.func private @g(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1) -> tensor<4xf32> { %r = arith.select %c, %a, %b : tensor<4xf32>
return %r : tensor<4xf32> }
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1, %x: f32) -> (tensor<4xf32>, f32) { %c0 = arith.constant 0 : index
%r = call @g(%a, %b, %c) : (tensor<4xf32>, tensor<4xf32>, i1) -> tensor<4xf32>
%w = tensor.insert %x into %r[%c0] : tensor<4xf32>
%y = tensor.extract %b[%c0] : tensor<4xf32>
return %w, %y : tensor<4xf32>, f32 }
// =>
func.func private @g(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> { %r = arith.select %c, %a, %b : memref<4xf32>
return %r : memref<4xf32> }
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %x: f32) -> (memref<4xf32>, f32) { %c0 = arith.constant 0 : index
%r = call @g(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
memref.store %x, %r[%c0] : memref<4xf32>
%y = memref.load %b[%c0] : memref<4xf32>
return %r, %y : memref<4xf32>, f32 }
// -----
// two-results-of-callee-alias
func.func private @g(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) { %e = tensor.empty() : tensor<4xf32>
%0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
return %0, %0 : tensor<4xf32>, tensor<4xf32> }
func.func @f(%x: f32, %y: f32) -> (tensor<4xf32>, f32) { %c0 = arith.constant 0 : index
%r:2 = call @g(%x) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
%w = tensor.insert %y into %r#0[%c0] : tensor<4xf32>
%z = tensor.extract %r#1[%c0] : tensor<4xf32>
return %w, %z : tensor<4xf32>, f32 }
// =>
func.func private @g(%x: f32) -> (memref<4xf32>, memref<4xf32>) { %e = memref.alloc() : memref<4xf32>
linalg.fill ins(%x : f32) outs(%e : memref<4xf32>)
return %e, %e : memref<4xf32>, memref<4xf32> }
func.func @f(%x: f32, %y: f32) -> (memref<4xf32>, f32) { %c0 = arith.constant 0 : index
%r:2 = call @g(%x) : (f32) -> (memref<4xf32>, memref<4xf32>)
memref.store %y, %r#0[%c0] : memref<4xf32>
%z = memref.load %r#1[%c0] : memref<4xf32>
return %r#0, %z : memref<4xf32>, f32 }
// -----
// mutual-recursion-callee-writes-argument
func.func private @g(%t: tensor<4xf32>, %n: i32) -> f32 { %c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c = arith.cmpi sgt, %n, %z : i32
%r = scf.if %c -> f32 { %m = arith.subi %n, %o : i32
%v = func.call @h(%t, %m) : (tensor<4xf32>, i32) -> f32
scf.yield %v : f32 } else { %v = tensor.extract %t[%c0] : tensor<4xf32>
scf.yield %v : f32 }
return %r : f32 }
func.func private @h(%t: tensor<4xf32>, %n: i32) -> f32 { %x = arith.constant 1.0 : f32
%c0 = arith.constant 0 : index
%w = tensor.insert %x into %t[%c0] : tensor<4xf32>
%v = call @g(%w, %n) : (tensor<4xf32>, i32) -> f32
return %v : f32 }
func.func @f(%t: tensor<4xf32>, %n: i32) -> (f32, f32) { %c0 = arith.constant 0 : index
%a = call @g(%t, %n) : (tensor<4xf32>, i32) -> f32
%b = tensor.extract %t[%c0] : tensor<4xf32>
return %a, %b : f32, f32 }
// =>
func.func private @g(%t: memref<4xf32>, %n: i32) -> f32 { %c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c = arith.cmpi sgt, %n, %z : i32
%r = scf.if %c -> f32 { %m = arith.subi %n, %o : i32
%v = func.call @h(%t, %m) : (memref<4xf32>, i32) -> f32
scf.yield %v : f32 } else { %v = memref.load %t[%c0] : memref<4xf32>
scf.yield %v : f32 }
return %r : f32 }
func.func private @h(%t: memref<4xf32>, %n: i32) -> f32 { %x = arith.constant 1.0 : f32
%c0 = arith.constant 0 : index
memref.store %x, %t[%c0] : memref<4xf32>
%v = call @g(%t, %n) : (memref<4xf32>, i32) -> f32
return %v : f32 }
func.func @f(%t: memref<4xf32>, %n: i32) -> (f32, f32) { %c0 = arith.constant 0 : index
%a = call @g(%t, %n) : (memref<4xf32>, i32) -> f32
%b = memref.load %t[%c0] : memref<4xf32>
return %a, %b : f32, f32 }
// -----
// recursion-needs-old-value-after-call
func.func private @g(%t: tensor<4xi32>, %n: i32) -> i32 { %c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c = arith.cmpi sgt, %n, %z : i32
%r = scf.if %c -> i32 { %m = arith.subi %n, %o : i32
%w = tensor.insert %n into %t[%c0] : tensor<4xi32>
%v = func.call @g(%w, %m) : (tensor<4xi32>, i32) -> i32
%x = tensor.extract %w[%c0] : tensor<4xi32>
%y = arith.addi %v, %x : i32
scf.yield %y : i32 } else { %v = tensor.extract %t[%c0] : tensor<4xi32>
scf.yield %v : i32 }
return %r : i32 }
// =>
func.func private @g(%t: memref<4xi32>, %n: i32) -> i32 { %c0 = arith.constant 0 : index
%z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c = arith.cmpi sgt, %n, %z : i32
%r = scf.if %c -> i32 { %m = arith.subi %n, %o : i32
memref.store %n, %t[%c0] : memref<4xi32>
%v = func.call @g(%t, %m) : (memref<4xi32>, i32) -> i32
%x = memref.load %t[%c0] : memref<4xi32>
%y = arith.addi %v, %x : i32
scf.yield %y : i32 } else { %v = memref.load %t[%c0] : memref<4xi32>
scf.yield %v : i32 }
return %r : i32 }
// -----
// reduction-init-read-when-overwritten
func.func @f(%a: tensor<4x?xf32>, %o: tensor<4xf32>) -> tensor<4xf32> { %z = arith.constant 0.0 : f32
%i = linalg.fill ins(%z : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
%0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%i : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<4x?xf32>, %o: memref<4xf32>) -> memref<4xf32> { 
linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : memref<4x?xf32>) outs(%o : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
return %o : memref<4xf32> }
// -----
// reduction-init-dropped-dynamic
func.func @f(%a: tensor<4x?xf32>, %o: tensor<4xf32>) -> tensor<4xf32> { %z = arith.constant 0.0 : f32
%i = linalg.fill ins(%z : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
%0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%i : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<4x?xf32>, %o: memref<4xf32>) -> memref<4xf32> { 
linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : memref<4x?xf32>) outs(%o : memref<4xf32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4xf32> }
// -----
// reduction-over-columns-instead-of-rows
func.func @f(%a: tensor<4x4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> { 
%0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%o : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<4xf32>
return %0 : tensor<4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>, %o: memref<4xf32>) -> memref<4xf32> { 
linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%a : memref<4x4xf32>) outs(%o : memref<4xf32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<4xf32> }
// -----
// reduction-of-collapsed-other-order
func.func @f(%a: tensor<4x4xf32>, %o: tensor<f32>) -> tensor<f32> { 
%0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%o : tensor<f32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 } -> tensor<f32>
return %0 : tensor<f32> }
// =>
func.func @f(%a: memref<4x4xf32>, %o: memref<f32>) -> memref<f32> { 
linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a : memref<4x4xf32>) outs(%o : memref<f32>) { ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32
linalg.yield %s : f32 }
return %o : memref<f32> }
// -----
// transposed-square-in-place
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> { %e = tensor.empty() : tensor<4x4xf32>
%0 = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
return %0 : tensor<4x4xf32> }
// =>
func.func @f(%a: memref<4x4xf32>) -> memref<4x4xf32> { linalg.transpose ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0]
return %a : memref<4x4xf32> }
// -----
// expand-other-factors
func.func @f(%a: tensor<12xf32>) -> tensor<3x4xf32> { %0 = tensor.expand_shape %a [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
return %0 : tensor<3x4xf32> }
// =>
func.func @f(%a: memref<12xf32>) -> memref<3x4xf32> { %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 3] : memref<12xf32> into memref<4x3xf32>
%m = memref.alloc() : memref<3x4xf32>
linalg.transpose ins(%0 : memref<4x3xf32>) outs(%m : memref<3x4xf32>) permutation = [1, 0]
return %m : memref<3x4xf32> }
// -----
// cf-cycle-two-exits-swapped
func.func @f(%n: i32, %a: i32, %b: i32) -> i32 { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
cf.br ^h(%z : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
cf.cond_br %c, ^b, ^x
^b: %d = arith.cmpi eq, %i, %a : i32
%j = arith.addi %i, %o : i32
cf.cond_br %d, ^y, ^h(%j : i32)
^x: return %a : i32
^y: return %b : i32 }
// =>
func.func @f(%n: i32, %a: i32, %b: i32) -> i32 { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
cf.br ^h(%z : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
cf.cond_br %c, ^b, ^x
^b: %d = arith.cmpi eq, %i, %a : i32
%j = arith.addi %i, %o : i32
cf.cond_br %d, ^y, ^h(%j : i32)
^x: return %b : i32
^y: return %a : i32 }
// -----
// cf-exit-value-of-next-iteration
func.func @f(%n: i32) -> i32 { %z = arith.constant 0 : i32
%o = arith.constant 3 : i32
cf.br ^h(%z : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
%j = arith.addi %i, %o : i32
cf.cond_br %c, ^h(%j : i32), ^x(%i : i32)
^x(%r: i32): return %r : i32 }
// =>
func.func @f(%n: i32) -> i32 { %z = arith.constant 0 : i32
%o = arith.constant 3 : i32
cf.br ^h(%z : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
%j = arith.addi %i, %o : i32
cf.cond_br %c, ^h(%j : i32), ^x(%j : i32)
^x(%r: i32): return %r : i32 }
// -----
// cf-nested-cycles-inner-bound
func.func @f(%n: i32, %k: i32, %m: memref<?xi32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c0 = arith.constant 0 : index
cf.br ^h(%z : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
cf.cond_br %c, ^g(%z : i32), ^x
^g(%j: i32): %d = arith.cmpi slt, %j, %k : i32
cf.cond_br %d, ^b, ^e
^b: memref.store %j, %m[%c0] : memref<?xi32>
%j2 = arith.addi %j, %o : i32
cf.br ^g(%j2 : i32)
^e: %i2 = arith.addi %i, %o : i32
cf.br ^h(%i2 : i32)
^x: return }
// =>
func.func @f(%n: i32, %k: i32, %m: memref<?xi32>) { %z = arith.constant 0 : i32
%o = arith.constant 1 : i32
%c0 = arith.constant 0 : index
cf.br ^h(%z : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
cf.cond_br %c, ^g(%z : i32), ^x
^g(%j: i32): %d = arith.cmpi slt, %j, %i : i32
cf.cond_br %d, ^b, ^e
^b: memref.store %j, %m[%c0] : memref<?xi32>
%j2 = arith.addi %j, %o : i32
cf.br ^g(%j2 : i32)
^e: %i2 = arith.addi %i, %o : i32
cf.br ^h(%i2 : i32)
^x: return }
// -----
// cf-load-hoisted-into-header
func.func @f(%n: index, %m: memref<?xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index): %c = arith.cmpi slt, %i, %n : index
cf.cond_br %c, ^b, ^x
^b: %v = memref.load %m[%i] : memref<?xi32>
vector.print %v : i32
%j = arith.addi %i, %c1 : index
cf.br ^h(%j : index)
^x: return }
// =>
func.func @f(%n: index, %m: memref<?xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index): %c = arith.cmpi slt, %i, %n : index
%v = memref.load %m[%i] : memref<?xi32>
cf.cond_br %c, ^b, ^x
^b: vector.print %v : i32
%j = arith.addi %i, %c1 : index
cf.br ^h(%j : index)
^x: return }
// -----
// cf-load-rotated-over-call-of-iteration
func.func private @p()
func.func @f(%n: index, %m: memref<?xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index): %c = arith.cmpi slt, %i, %n : index
cf.cond_br %c, ^b, ^x
^b: call @p() : () -> ()
%v = memref.load %m[%i] : memref<?xi32>
%j = arith.addi %i, %c1 : index
cf.br ^h(%j : index)
^x: return }
// =>
func.func private @p()
func.func @f(%n: index, %m: memref<?xi32>) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
cf.br ^h(%c0 : index)
^h(%i: index): %c = arith.cmpi slt, %i, %n : index
cf.cond_br %c, ^b, ^x
^b: %v = memref.load %m[%i] : memref<?xi32>
call @p() : () -> ()
%j = arith.addi %i, %c1 : index
cf.br ^h(%j : index)
^x: return }
// -----
// while-load-of-earlier-iteration-hoisted
func.func private @p() -> i1
func.func @f(%m: memref<?xi32>, %i: index) { scf.while : () -> () { %c = func.call @p() : () -> i1
scf.condition(%c) } do { %v = memref.load %m[%i] : memref<?xi32>
scf.yield }
return }
// =>
func.func private @p() -> i1
func.func @f(%m: memref<?xi32>, %i: index) { scf.while : () -> () { %v = memref.load %m[%i] : memref<?xi32>
%c = func.call @p() : () -> i1
scf.condition(%c) } do { scf.yield }
return }
// -----
// while-load-moved-before-call
func.func private @p() -> i1
func.func @f(%m: memref<?xi32>, %i: index) { scf.while : () -> () { %c = func.call @p() : () -> i1
%v = memref.load %m[%i] : memref<?xi32>
scf.condition(%c) } do { scf.yield }
return }
// =>
func.func private @p() -> i1
func.func @f(%m: memref<?xi32>, %i: index) { %v = memref.load %m[%i] : memref<?xi32>
scf.while : () -> () { %c = func.call @p() : () -> i1
scf.condition(%c) } do { scf.yield }
return }
// -----
// parallel-fission-above-assert
func.func @f(%m: memref<?xi32>, %n: index, %k: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
scf.for %j = %c0 to %k step %c1 { scf.parallel (%i) = (%c0) to (%n) step (%c1) { %x = memref.load %m[%i] : memref<?xi32> }
%c = arith.cmpi eq, %k, %j : index
cf.assert %c, "zero" }
return }
// =>
func.func @f(%m: memref<?xi32>, %n: index, %k: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%z = arith.constant 0 : i32
scf.parallel (%i) = (%c0) to (%n) step (%c1) { %x = memref.load %m[%i] : memref<?xi32> }
scf.for %j = %c0 to %k step %c1 { 
%c = arith.cmpi eq, %k, %j : index
cf.assert %c, "zero" }
return }
// -----
// nested-fission-above-call
func.func private @p()
func.func @f(%m: memref<?xi32>, %n: index, %k: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %j = %c0 to %k step %c1 { scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32>
%q = arith.addi %i, %j : index
%y = memref.load %m[%q] : memref<?xi32> }
func.call @p() : () -> () }
return }
// =>
func.func private @p()
func.func @f(%m: memref<?xi32>, %n: index, %k: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %j = %c0 to %k step %c1 { scf.for %i = %c0 to %n step %c1 { %x = memref.load %m[%i] : memref<?xi32>
%q = arith.addi %i, %j : index
%y = memref.load %m[%q] : memref<?xi32> } }
scf.for %j = %c0 to %k step %c1 { func.call @p() : () -> () }
return }
// -----
// forall-iteration-frees-own-and-others
func.func @f(%n: index) { return }
// =>
func.func @f(%n: index) { %m = memref.alloc() : memref<4xf32>
scf.forall (%i) in (1) { memref.dealloc %m : memref<4xf32> }
scf.forall (%i) in (%n) { memref.dealloc %m : memref<4xf32> }
return }
// -----
// global-constant-written-through-alias
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @f(%t: tensor<4xf32>, %c: i1, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%g = arith.constant dense<1.0> : tensor<4xf32>
%s = arith.select %c, %t, %g : tensor<4xf32>
%w = tensor.insert %x into %s[%c0] : tensor<4xf32>
return %w : tensor<4xf32> }
// =>
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @f(%t: memref<4xf32>, %c: i1, %x: f32) -> memref<4xf32> { %c0 = arith.constant 0 : index
%g = memref.get_global @g : memref<4xf32>
%s = arith.select %c, %t, %g : memref<4xf32>
memref.store %x, %s[%c0] : memref<4xf32>
return %s : memref<4xf32> }
// -----
// alloca-in-loop-reused-by-next
func.func @f(%n: index, %x: f32) -> f32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%e = tensor.empty() : tensor<1xf32>
%t = tensor.insert %x into %e[%c0] : tensor<1xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<1xf32>) { scf.yield %a : tensor<1xf32> }
%y = tensor.extract %r[%c0] : tensor<1xf32>
return %y : f32 }
// =>
func.func @f(%n: index, %x: f32) -> f32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%s = memref.alloca() : memref<1xf32>
memref.store %x, %s[%c0] : memref<1xf32>
%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (memref<1xf32>) { %q = memref.alloca() : memref<1xf32>
memref.copy %a, %q : memref<1xf32> to memref<1xf32>
scf.yield %q : memref<1xf32> }
%y = memref.load %r[%c0] : memref<1xf32>
return %y : f32 }
// -----
// pure-call-moved-in-front-of-its-condition
func.func private @g(%n: index) -> index { %c7 = arith.constant 7 : index
%r = arith.divui %c7, %n : index
return %r : index }
func.func @f(%n: index, %c: i1) -> index { %r = scf.if %c -> index { %q = func.call @g(%n) : (index) -> index
scf.yield %q : index } else { scf.yield %n : index }
return %r : index }
// =>
func.func private @g(%n: index) -> index { %c7 = arith.constant 7 : index
%r = arith.divui %c7, %n : index
return %r : index }
func.func @f(%n: index, %c: i1) -> index { %q = func.call @g(%n) : (index) -> index
%r = arith.select %c, %q, %n : index
return %r : index }
// -----
// pure-call-hoisted-out-of-a-loop-that-may-not-run
func.func private @g(%m: tensor<4xf32>, %i: index) -> f32 { %r = tensor.extract %m[%i] : tensor<4xf32>
return %r : f32 }
func.func @f(%m: tensor<4xf32>, %i: index, %n: index) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %j = %c0 to %n step %c1 { %q = func.call @g(%m, %i) : (tensor<4xf32>, index) -> f32 }
return }
// =>
func.func private @g(%m: memref<4xf32>, %i: index) -> f32 { %r = memref.load %m[%i] : memref<4xf32>
return %r : f32 }
func.func @f(%m: memref<4xf32>, %i: index, %n: index) { %q = func.call @g(%m, %i) : (memref<4xf32>, index) -> f32
return }
// -----
// pure-call-added-with-other-argument
func.func private @g(%m: tensor<4xf32>, %i: index) -> f32 { %r = tensor.extract %m[%i] : tensor<4xf32>
return %r : f32 }
func.func @f(%m: tensor<4xf32>, %i: index, %k: index) { %q = func.call @g(%m, %i) : (tensor<4xf32>, index) -> f32
return }
// =>
func.func private @g(%m: memref<4xf32>, %i: index) -> f32 { %r = memref.load %m[%i] : memref<4xf32>
return %r : f32 }
func.func @f(%m: memref<4xf32>, %i: index, %k: index) { %q = func.call @g(%m, %k) : (memref<4xf32>, index) -> f32
return }
// -----
// call-that-prints-dropped
func.func private @g(%i: index) -> index { vector.print %i : index
return %i : index }
func.func @f(%i: index) { %q = func.call @g(%i) : (index) -> index
return }
// =>
func.func private @g(%i: index) -> index { vector.print %i : index
return %i : index }
func.func @f(%i: index) { return }
// -----
// call-that-may-not-return-dropped
func.func private @g(%i: index, %s: index) -> index { %c0 = arith.constant 0 : index
%r = scf.while (%k = %c0) : (index) -> index { %c = arith.cmpi slt, %k, %i : index
scf.condition(%c) %k : index } do { ^b(%k: index): %n = arith.addi %k, %s : index
scf.yield %n : index }
return %r : index }
func.func @f(%i: index, %s: index) { %q = func.call @g(%i, %s) : (index, index) -> index
return }
// =>
func.func private @g(%i: index, %s: index) -> index { %c0 = arith.constant 0 : index
%r = scf.while (%k = %c0) : (index) -> index { %c = arith.cmpi slt, %k, %i : index
scf.condition(%c) %k : index } do { ^b(%k: index): %n = arith.addi %k, %s : index
scf.yield %n : index }
return %r : index }
func.func @f(%i: index, %s: index) { return }
// -----
// call-that-writes-a-global-dropped
memref.global "private" @s : memref<i32> = dense<1>
func.func private @g(%v: i32) { %m = memref.get_global @s : memref<i32>
memref.store %v, %m[] : memref<i32>
return }
func.func @f(%v: i32) -> i32 { %m = memref.get_global @s : memref<i32>
call @g(%v) : (i32) -> ()
%r = memref.load %m[] : memref<i32>
return %r : i32 }
// =>
memref.global "private" @s : memref<i32> = dense<1>
func.func private @g(%v: i32) { %m = memref.get_global @s : memref<i32>
memref.store %v, %m[] : memref<i32>
return }
func.func @f(%v: i32) -> i32 { %m = memref.get_global @s : memref<i32>
%r = memref.load %m[] : memref<i32>
return %r : i32 }
// -----
// call-that-reads-a-global-moved-over-its-write
memref.global "private" @s : memref<i32> = dense<1>
func.func private @g() -> i32 { %m = memref.get_global @s : memref<i32>
%r = memref.load %m[] : memref<i32>
return %r : i32 }
func.func @f(%v: i32) -> i32 { %m = memref.get_global @s : memref<i32>
memref.store %v, %m[] : memref<i32>
%r = call @g() : () -> i32
return %r : i32 }
// =>
memref.global "private" @s : memref<i32> = dense<1>
func.func private @g() -> i32 { %m = memref.get_global @s : memref<i32>
%r = memref.load %m[] : memref<i32>
return %r : i32 }
func.func @f(%v: i32) -> i32 { %m = memref.get_global @s : memref<i32>
%r = call @g() : () -> i32
memref.store %v, %m[] : memref<i32>
return %r : i32 }
// -----
// call-that-writes-an-argument-moved-over-a-read
func.func private @g(%m: memref<4xf32>, %v: f32) { %c0 = arith.constant 0 : index
memref.store %v, %m[%c0] : memref<4xf32>
return }
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 { %c0 = arith.constant 0 : index
%r = memref.load %m[%c0] : memref<4xf32>
call @g(%m, %v) : (memref<4xf32>, f32) -> ()
return %r : f32 }
// =>
func.func private @g(%m: memref<4xf32>, %v: f32) { %c0 = arith.constant 0 : index
memref.store %v, %m[%c0] : memref<4xf32>
return }
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 { %c0 = arith.constant 0 : index
call @g(%m, %v) : (memref<4xf32>, f32) -> ()
%r = memref.load %m[%c0] : memref<4xf32>
return %r : f32 }
// -----
// call-of-uninitialized-twice-compared
func.func private @g() -> i32 { %c0 = arith.constant 0 : index
%t = tensor.empty() : tensor<4xi32>
%r = tensor.extract %t[%c0] : tensor<4xi32>
return %r : i32 }
func.func @f() -> i1 { %x = call @g() : () -> i32
%r = arith.cmpi eq, %x, %x : i32
return %r : i1 }
// =>
func.func private @g() -> i32 { %c0 = arith.constant 0 : index
%t = memref.alloc() : memref<4xi32>
%r = memref.load %t[%c0] : memref<4xi32>
return %r : i32 }
func.func @f() -> i1 { %x = call @g() : () -> i32
%y = call @g() : () -> i32
%r = arith.cmpi eq, %x, %y : i32
return %r : i1 }
// -----
// while-that-counts-by-two-to-an-unknown-bound-dropped
func.func @f(%n: i8) { %c0 = arith.constant 0 : i8
%c2 = arith.constant 2 : i8
%r = scf.while (%i = %c0) : (i8) -> i8 { %c = arith.cmpi slt, %i, %n : i8
scf.condition(%c) %i : i8 } do { ^b(%i: i8): %j = arith.addi %i, %c2 : i8
scf.yield %j : i8 }
return }
// =>
func.func @f(%n: i8) { return }
// -----
// while-that-counts-down-dropped
func.func @f(%n: i32) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r = scf.while (%i = %c0) : (i32) -> i32 { %c = arith.cmpi sle, %i, %n : i32
scf.condition(%c) %i : i32 } do { ^b(%i: i32): %j = arith.addi %i, %c1 : i32
scf.yield %j : i32 }
return }
// =>
func.func @f(%n: i32) { return }
// -----
// while-whose-bound-moves-dropped
func.func @f(%n: i32) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:2 = scf.while (%i = %c0, %b = %n) : (i32, i32) -> (i32, i32) { %c = arith.cmpi slt, %i, %b : i32
scf.condition(%c) %i, %b : i32, i32 } do { ^b(%i: i32, %b: i32): %j = arith.addi %i, %c1 : i32
%d = arith.addi %b, %c1 : i32
scf.yield %j, %d : i32, i32 }
return }
// =>
func.func @f(%n: i32) { return }
// -----
// while-under-either-condition-dropped
func.func @f(%n: i32, %p: i1) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r = scf.while (%i = %c0) : (i32) -> i32 { %c = arith.cmpi slt, %i, %n : i32
%d = arith.ori %c, %p : i1
scf.condition(%d) %i : i32 } do { ^b(%i: i32): %j = arith.addi %i, %c1 : i32
scf.yield %j : i32 }
return }
// =>
func.func @f(%n: i32, %p: i1) { return }
// -----
// cycle-that-counts-only-sometimes-dropped
func.func @f(%n: i32, %p: i1) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
cf.br ^h(%c0 : i32)
^h(%i: i32): %c = arith.cmpi slt, %i, %n : i32
cf.cond_br %c, ^b, ^x
^b: %j = arith.addi %i, %c1 : i32
cf.cond_br %p, ^h(%j : i32), ^h(%i : i32)
^x: return }
// =>
func.func @f(%n: i32, %p: i1) { return }
// -----
// while-ends-but-its-call-may-not
func.func private @p()
func.func @f(%n: i32) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r = scf.while (%i = %c0) : (i32) -> i32 { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %i : i32 } do { ^b(%i: i32): %j = arith.addi %i, %c1 : i32
func.call @p() : () -> ()
scf.yield %j : i32 }
%d = arith.divui %n, %n : i32
return }
// =>
func.func private @p()
func.func @f(%n: i32) { %c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%d = arith.divui %n, %n : i32
%r = scf.while (%i = %c0) : (i32) -> i32 { %c = arith.cmpi slt, %i, %n : i32
scf.condition(%c) %i : i32 } do { ^b(%i: i32): %j = arith.addi %i, %c1 : i32
func.call @p() : () -> ()
scf.yield %j : i32 }
return }
// -----
// free-result-that-the-declaration-keeps
func.func private @g() -> (memref<4xf32> {bufferization.owned = false})
func.func @f(%i: index) -> f32 {
  %m = call @g() : () -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @g() -> (memref<4xf32> {bufferization.owned = false})
func.func @f(%i: index) -> f32 {
  %m = call @g() : () -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}
// -----
// counted-from-another-start
func.func @f(%t: tensor<64xi32>, %n: index, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 1 : i32
%b = arith.constant 1 : i32
%r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %a, %u = %t) -> (i32, tensor<64xi32>) { %s = arith.addi %k, %b : i32
%q = arith.index_cast %k : i32 to index
%w = tensor.insert %k into %u[%q] : tensor<64xi32>
scf.yield %s, %w : i32, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %n: index, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 0 : i32
%b = arith.constant 1 : i32
scf.for %i = %c0 to %c5 step %c1 { %q = arith.addi %i, %c0 : index
%k = arith.index_cast %q : index to i32
memref.store %k, %t[%q] : memref<64xi32> }
return %t : memref<64xi32> }
// -----
// counted-by-two
func.func @f(%t: tensor<64xi32>, %n: index, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 0 : i32
%b = arith.constant 2 : i32
%r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %a, %u = %t) -> (i32, tensor<64xi32>) { %s = arith.addi %k, %b : i32
%q = arith.index_cast %k : i32 to index
%w = tensor.insert %k into %u[%q] : tensor<64xi32>
scf.yield %s, %w : i32, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %n: index, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 0 : i32
%b = arith.constant 1 : i32
scf.for %i = %c0 to %c5 step %c1 { %q = arith.addi %i, %c0 : index
%k = arith.index_cast %q : index to i32
memref.store %k, %t[%q] : memref<64xi32> }
return %t : memref<64xi32> }
// -----
// counted-down
func.func @f(%t: tensor<64xi32>, %n: index, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 20 : i32
%b = arith.constant -1 : i32
%r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %a, %u = %t) -> (i32, tensor<64xi32>) { %s = arith.addi %k, %b : i32
%q = arith.index_cast %k : i32 to index
%w = tensor.insert %k into %u[%q] : tensor<64xi32>
scf.yield %s, %w : i32, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %n: index, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 0 : i32
%b = arith.constant 1 : i32
scf.for %i = %c0 to %c5 step %c1 { %z = arith.constant 20 : index %q = arith.addi %z, %i : index
%k = arith.index_cast %q : index to i32
memref.store %k, %t[%q] : memref<64xi32> }
return %t : memref<64xi32> }
// -----
// counted-one-late
func.func @f(%t: tensor<64xi32>, %n: index, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 0 : i32
%b = arith.constant 1 : i32
%r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %a, %u = %t) -> (i32, tensor<64xi32>) { %s = arith.addi %k, %b : i32
%q = arith.index_cast %k : i32 to index
%w = tensor.insert %k into %u[%q] : tensor<64xi32>
scf.yield %s, %w : i32, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %n: index, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%a = arith.constant 0 : i32
%b = arith.constant 1 : i32
scf.for %i = %c0 to %c5 step %c1 { %q = arith.addi %i, %c1 : index
%k = arith.index_cast %q : index to i32
memref.store %k, %t[%q] : memref<64xi32> }
return %t : memref<64xi32> }
// -----
// counted-row-read-before-it-is-written
func.func @f(%t: tensor<64xi32>, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %o, %u = %t) -> (i32, tensor<64xi32>) { %s = arith.addi %k, %o : i32
%q = arith.index_cast %k : i32 to index
%v = tensor.extract %t[%i] : tensor<64xi32>
%w = tensor.insert %v into %u[%q] : tensor<64xi32>
scf.yield %s, %w : i32, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %o) -> (i32) { %s = arith.addi %k, %o : i32
%q = arith.index_cast %k : i32 to index
%v = memref.load %t[%i] : memref<64xi32>
memref.store %v, %t[%q] : memref<64xi32>
scf.yield %s : i32 }
return %t : memref<64xi32> }
// -----
// counted-result-is-last-not-next
func.func @f(%t: tensor<64xi32>, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %o) -> (i32) { %s = arith.addi %k, %o : i32
scf.yield %s : i32 }
%w = tensor.insert %r into %t[%c0] : tensor<64xi32>
return %w : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %o, %l = %o) -> (i32, i32) { %s = arith.addi %k, %o : i32
scf.yield %s, %k : i32, i32 }
memref.store %r#1, %t[%c0] : memref<64xi32>
return %t : memref<64xi32> }
// -----
// counted-in-eight-bits-wraps
func.func @f(%t: tensor<64xi32>, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%a = arith.constant 100 : i8
%b = arith.constant 1 : i8
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %a, %u = %t) -> (i8, tensor<64xi32>) { %s = arith.addi %k, %b : i8
%e = arith.extsi %k : i8 to i32
%w = tensor.insert %e into %u[%i] : tensor<64xi32>
scf.yield %s, %w : i8, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%a = arith.constant 100 : i32
scf.for %i = %c0 to %n step %c1 { %k = arith.index_cast %i : index to i32
%e = arith.addi %k, %a : i32
memref.store %e, %t[%i] : memref<64xi32> }
return %t : memref<64xi32> }
// -----
// counted-only-under-a-condition
func.func @f(%t: tensor<64xi32>, %x: i32) -> tensor<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
%z = arith.constant 0 : i32
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %z, %u = %t) -> (i32, tensor<64xi32>) { %s = arith.addi %k, %o : i32
%c = arith.cmpi slt, %x, %k : i32
%g = arith.select %c, %k, %s : i32
%w = tensor.insert %k into %u[%i] : tensor<64xi32>
scf.yield %g, %w : i32, tensor<64xi32> }
return %r#1 : tensor<64xi32> }
// =>
func.func @f(%t: memref<64xi32>, %x: i32) -> memref<64xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 60 : index
%o = arith.constant 1 : i32
scf.for %i = %c0 to %n step %c1 { %k = arith.index_cast %i : index to i32
memref.store %k, %t[%i] : memref<64xi32> }
return %t : memref<64xi32> }
// -----
// gpu-memcpy-async-read-before-wait
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) -> f32 {
  %c = arith.constant 0 : index
  %w = gpu.wait async
  %t = gpu.memcpy async [%w] %m, %n : memref<4xf32>, memref<4xf32>
  gpu.wait [%t]
  %q = memref.load %m[%c] : memref<4xf32>
  return %q : f32
}
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) -> f32 {
  %c = arith.constant 0 : index
  %w = gpu.wait async
  %t = gpu.memcpy async [%w] %m, %n : memref<4xf32>, memref<4xf32>
  %q = memref.load %m[%c] : memref<4xf32>
  gpu.wait [%t]
  return %q : f32
}
// -----
// gpu-alloc-host-shared
func.func @f() -> memref<4xf32> {
  %m = gpu.alloc host_shared () : memref<4xf32>
  return %m : memref<4xf32>
}
// =>
func.func @f() -> memref<4xf32> {
  %m = gpu.alloc () : memref<4xf32>
  return %m : memref<4xf32>
}
// -----
// gpu-alloc-freed-as-host
func.func @f(%v: f32) -> f32 {
  %c = arith.constant 0 : index
  %m = gpu.alloc () : memref<4xf32>
  gpu.memset %m, %v : memref<4xf32>, f32
  %q = memref.load %m[%c] : memref<4xf32>
  gpu.dealloc %m : memref<4xf32>
  return %q : f32
}
// =>
func.func @f(%v: f32) -> f32 {
  %c = arith.constant 0 : index
  %m = gpu.alloc () : memref<4xf32>
  gpu.memset %m, %v : memref<4xf32>, f32
  %q = memref.load %m[%c] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %q : f32
}
// -----
// global-discardable-attribute
memref.global @g : memref<4xf32> = dense<1.0> {llvm.section = "fast"}
func.func @f() -> f32 {
  %c = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  %x = memref.load %m[%c] : memref<4xf32>
  return %x : f32
}
// =>
memref.global @g : memref<4xf32> = dense<1.0>
func.func @f() -> f32 {
  %c = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  %x = memref.load %m[%c] : memref<4xf32>
  return %x : f32
}
// -----
// global-nested-visibility
memref.global "nested" @g : memref<4xf32> = dense<1.0>
func.func @f() -> f32 {
  %c = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  %x = memref.load %m[%c] : memref<4xf32>
  return %x : f32
}
// =>
memref.global "public" @g : memref<4xf32> = dense<1.0>
func.func @f() -> f32 {
  %c = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  %x = memref.load %m[%c] : memref<4xf32>
  return %x : f32
}
// -----
// function-nested-to-public
func.func nested @h(%a: i32) -> i32 {
  return %a : i32
}
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
// =>
func.func @h(%a: i32) -> i32 {
  return %a : i32
}
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
// -----
// global-layout
memref.global @g : memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>> = dense<[[1.0,2.0,3.0],[4.0,5.0,6.0]]>
func.func @f() {
  return
}
// =>
memref.global @g : memref<2x3xf32> = dense<[[1.0,2.0,3.0],[4.0,5.0,6.0]]>
func.func @f() {
  return
}
// -----
// global-layout-strided
memref.global @g : memref<2x3xf32> = uninitialized
func.func @f() {
  return
}
// =>
memref.global @g : memref<2x3xf32, strided<[1, 2]>> = uninitialized
func.func @f() {
  return
}
// -----
// result-layout-column-major
func.func @f(%v: f32) -> memref<2x3xf32> {
  %c = arith.constant 0 : index
  %m = memref.alloc() : memref<2x3xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<2x3xf32>)
  return %m : memref<2x3xf32>
}
// =>
func.func @f(%v: f32) -> memref<2x3xf32, strided<[1, 2]>> {
  %c = arith.constant 0 : index
  %m = memref.alloc() : memref<2x3xf32, strided<[1, 2]>>
  linalg.fill ins(%v : f32) outs(%m : memref<2x3xf32, strided<[1, 2]>>)
  return %m : memref<2x3xf32, strided<[1, 2]>>
}
// -----
// result-layout-affine
func.func @f(%v: f32) -> memref<2x3xf32> {
  %m = memref.alloc() : memref<2x3xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<2x3xf32>)
  return %m : memref<2x3xf32>
}
// =>
func.func @f(%v: f32) -> memref<2x3xf32, affine_map<(d0,d1)->(d1,d0)>> {
  %m = memref.alloc() : memref<2x3xf32, affine_map<(d0,d1)->(d1,d0)>>
  linalg.fill ins(%v : f32) outs(%m : memref<2x3xf32, affine_map<(d0,d1)->(d1,d0)>>)
  return %m : memref<2x3xf32, affine_map<(d0,d1)->(d1,d0)>>
}
// -----
// result-layout-offset
func.func @f(%v: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
// =>
func.func @f(%v: f32) -> memref<4xf32, strided<[1], offset: 4>> {
  %m = memref.alloc() : memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32, strided<[1], offset: 4>>)
  return %m : memref<4xf32, strided<[1], offset: 4>>
}
// -----
// result-unranked
func.func @f(%v: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
// =>
func.func @f(%v: f32) -> memref<*xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  return %u : memref<*xf32>
}
// -----
// other-dead-1
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = tensor.extract %t[%i] : tensor<?xf32>
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-dead-4
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = memref.subview %m[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-dead-6
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-dead-7
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = affine.apply affine_map<()[s0] -> (8 floordiv s0)>()[%i]
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-dead-9
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = tensor.extract_slice %t[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
      gpu.barrier
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-division-above-barrier
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      gpu.barrier
      %q = arith.divsi %a, %b : i32
      %c = arith.index_cast %q : i32 to index
      memref.store %z, %m[%c] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = arith.divsi %a, %b : i32
      gpu.barrier
      %c = arith.index_cast %q : i32 to index
      memref.store %z, %m[%c] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-division-out-of-branch
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %c4 = arith.constant 4 : index
      %p = arith.cmpi slt, %i, %c4 : index
      scf.if %p {
        %q = arith.divsi %a, %b : i32
        "x.y"(%q) : (i32) -> ()
      }
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %c4 = arith.constant 4 : index
      %p = arith.cmpi slt, %i, %c4 : index
      %q = arith.divsi %a, %b : i32
      scf.if %p {
        "x.y"(%q) : (i32) -> ()
      }
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// other-nsw-added
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = arith.addi %a, %b : i32
      "x.y"(%q) : (i32) -> ()
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// =>
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() <{function_type = (i32, i32, memref<8xf32>, index, tensor<?xf32>) -> ()}> ({
    ^bb0(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %t: tensor<?xf32>):
      %z = arith.constant 0.0 : f32
      %q = arith.addi %a, %b overflow<nsw> : i32
      "x.y"(%q) : (i32) -> ()
      memref.store %z, %m[%i] : memref<8xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.kernel} : () -> ()
  }
  func.func @f(%a: i32) -> i32 {
    return %a : i32
  }
}
// -----
// uninitialized-loop-bound
func.func @f(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  return
}
// =>
func.func @f(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<index>
  %n = memref.load %a[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}
// -----
// uninitialized-size-of-allocation
func.func @f() {
  return
}
// =>
func.func @f() {
  %a = memref.alloca() : memref<index>
  %n = memref.load %a[] : memref<index>
  %q = memref.alloca(%n) : memref<?xf32>
  return
}
// -----
// uninitialized-and-not-itself
func.func @f() -> i1 {
  %c = arith.constant false
  %t = arith.constant true
  return %c : i1
}
// =>
func.func @f() -> i1 {
  %c = arith.constant false
  %t = arith.constant true
  %m = memref.alloca() : memref<i1>
  %a = memref.load %m[] : memref<i1>
  %b = memref.load %m[] : memref<i1>
  %n = arith.xori %b, %t : i1
  %r = arith.andi %a, %n : i1
  return %r : i1
}
// -----
// uninitialized-or-not-itself
func.func @f() -> i1 {
  %c = arith.constant false
  %t = arith.constant true
  return %t : i1
}
// =>
func.func @f() -> i1 {
  %c = arith.constant false
  %t = arith.constant true
  %m = memref.alloca() : memref<i1>
  %a = memref.load %m[] : memref<i1>
  %b = memref.load %m[] : memref<i1>
  %n = arith.xori %b, %t : i1
  %r = arith.ori %a, %n : i1
  return %r : i1
}
// -----
// uninitialized-passed-to-call
func.func private @h(i32)
func.func @f(%x: i32) {
  call @h(%x) : (i32) -> ()
  return
}
// =>
func.func private @h(i32)
func.func @f(%x: i32) {
  %a = memref.alloca() : memref<i32>
  %n = memref.load %a[] : memref<i32>
  call @h(%n) : (i32) -> ()
  return
}
// -----
// uninitialized-assert
func.func @f(%b: i1) {
  return
}
// =>
func.func @f(%b: i1) {
  %a = memref.alloca() : memref<i1>
  %n = memref.load %a[] : memref<i1>
  cf.assert %n, "x"
  return
}
// -----
// unknown-region-inner-attribute
func.func @f(%a: i32) {
  "x.region"() ({
    "x.inner"() {value = 1 : i32} : () -> ()
    %c = arith.constant 1 : i32
    "x.use"(%c) : (i32) -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}
// =>
func.func @f(%a: i32) {
  "x.region"() ({
    "x.inner"() {value = 2 : i32} : () -> ()
    %c = arith.constant 1 : i32
    "x.use"(%c) : (i32) -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}
// -----
// unknown-region-inner-discardable
func.func @f(%a: i32) {
  "x.region"() ({
    "x.inner"() {value = 1 : i32} : () -> ()
    %c = arith.constant 1 : i32
    %d = arith.addi %c, %c {x.note} : i32
 "x.use"(%d) : (i32) -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}
// =>
func.func @f(%a: i32) {
  "x.region"() ({
    "x.inner"() {value = 1 : i32} : () -> ()
    %c = arith.constant 1 : i32
    %d = arith.addi %c, %c : i32
 "x.use"(%d) : (i32) -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}
// -----
// unknown-region-successor-order
func.func @f(%a: i32) {
  "x.region"() ({
    "x.inner"() ({
       "x.q"() {v = dense<1> : tensor<2xi32>} : () -> ()
    }) : () -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}
// =>
func.func @f(%a: i32) {
  "x.region"() ({
    "x.inner"() ({
       "x.q"() {v = dense<2> : tensor<2xi32>} : () -> ()
    }) : () -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return
}
// -----
// unknown-region-operand-type
func.func @f(%a: i32) {
  %r = "x.region"(%a) ({
  ^bb0(%b: i32):
    "x.end"(%b) : (i32) -> ()
  }) : (i32) -> tensor<*xf32>
  return
}
// =>
func.func @f(%a: i32) {
  %r = "x.region"(%a) ({
  ^bb0(%b: i32):
    "x.end"(%b) : (i32) -> ()
  }) : (i32) -> tensor<4xf32>
  return
}
// -----
// unknown-region-reads-global
memref.global @g : memref<f32> = dense<1.0>
func.func @f(%v: f32) {
  %m = memref.get_global @g : memref<f32>
  memref.store %v, %m[] : memref<f32>
  "x.region"() ({
    %n = memref.get_global @g : memref<f32>
    %y = memref.load %n[] : memref<f32>
    "x.end"(%y) : (f32) -> ()
  }) : () -> ()
  return
}
// =>
memref.global @g : memref<f32> = dense<1.0>
func.func @f(%v: f32) {
  %m = memref.get_global @g : memref<f32>
  "x.region"() ({
    %n = memref.get_global @g : memref<f32>
    %y = memref.load %n[] : memref<f32>
    "x.end"(%y) : (f32) -> ()
  }) : () -> ()
  memref.store %v, %m[] : memref<f32>
  return
}
// -----
// unknown-region-writes-global
memref.global @g : memref<f32> = dense<1.0>
func.func @f(%v: f32) -> f32 {
  %m = memref.get_global @g : memref<f32>
  "x.region"() ({
    %n = memref.get_global @g : memref<f32>
    memref.store %v, %n[] : memref<f32>
    "x.end"() : () -> ()
  }) : () -> ()
  %y = memref.load %m[] : memref<f32>
  return %y : f32
}
// =>
memref.global @g : memref<f32> = dense<1.0>
func.func @f(%v: f32) -> f32 {
  %m = memref.get_global @g : memref<f32>
  %y = memref.load %m[] : memref<f32>
  "x.region"() ({
    %n = memref.get_global @g : memref<f32>
    memref.store %v, %n[] : memref<f32>
    "x.end"() : () -> ()
  }) : () -> ()
  return %y : f32
}
// -----
// unknown-region-writes-ml-global
ml_program.global public mutable @g(dense<1> : tensor<4xi32>) : tensor<4xi32>
func.func @f(%v: tensor<4xi32>) -> tensor<4xi32> {
  "x.region"() ({
    ml_program.global_store @g = %v : tensor<4xi32>
    "x.end"() : () -> ()
  }) : () -> ()
  %y = ml_program.global_load @g : tensor<4xi32>
  return %y : tensor<4xi32>
}
// =>
ml_program.global public mutable @g(dense<1> : tensor<4xi32>) : tensor<4xi32>
func.func @f(%v: tensor<4xi32>) -> tensor<4xi32> {
  %y = ml_program.global_load @g : tensor<4xi32>
  "x.region"() ({
    ml_program.global_store @g = %v : tensor<4xi32>
    "x.end"() : () -> ()
  }) : () -> ()
  return %y : tensor<4xi32>
}
// -----
// unknown-region-calls-writer-of-global
memref.global @g : memref<f32> = dense<1.0>
func.func @w() {
  %c = arith.constant 2.0 : f32
  %m = memref.get_global @g : memref<f32>
  memref.store %c, %m[] : memref<f32>
  return
}
func.func @f() -> f32 {
  %m = memref.get_global @g : memref<f32>
  "x.region"() ({
    func.call @w() : () -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  %y = memref.load %m[] : memref<f32>
  return %y : f32
}
// =>
memref.global @g : memref<f32> = dense<1.0>
func.func @w() {
  %c = arith.constant 2.0 : f32
  %m = memref.get_global @g : memref<f32>
  memref.store %c, %m[] : memref<f32>
  return
}
func.func @f() -> f32 {
  %m = memref.get_global @g : memref<f32>
  %y = memref.load %m[] : memref<f32>
  "x.region"() ({
    func.call @w() : () -> ()
    "x.end"() : () -> ()
  }) : () -> ()
  return %y : f32
}
// -----
// unknown-symbol-user-of-global
memref.global @g : memref<f32> = dense<1.0>
func.func @f() -> f32 {
  %m = memref.get_global @g : memref<f32>
  "x.bump"() {global = @g} : () -> ()
  %y = memref.load %m[] : memref<f32>
  return %y : f32
}
// =>
memref.global @g : memref<f32> = dense<1.0>
func.func @f() -> f32 {
  %m = memref.get_global @g : memref<f32>
  %y = memref.load %m[] : memref<f32>
  "x.bump"() {global = @g} : () -> ()
  return %y : f32
}
// -----
// mpi-barrier-above-store
func.func @f(%m: memref<f32>, %v: f32, %c: !mpi.comm) {
  memref.store %v, %m[] : memref<f32>
  "mpi.barrier"(%c) : (!mpi.comm) -> ()
  return
}
// =>
func.func @f(%m: memref<f32>, %v: f32, %c: !mpi.comm) {
    "mpi.barrier"(%c) : (!mpi.comm) -> ()
  memref.store %v, %m[] : memref<f32>
  return
}
// -----
// gpu-barrier-above-store
func.func @f(%m: memref<f32>, %v: f32) {
  memref.store %v, %m[] : memref<f32>
  gpu.barrier
  return
}
// =>
func.func @f(%m: memref<f32>, %v: f32) {
    gpu.barrier
  memref.store %v, %m[] : memref<f32>
  return
}
// -----
// gpu-barrier-below-load
func.func @f(%m: memref<f32>, %v: f32) -> f32 {
  gpu.barrier
  %x = memref.load %m[] : memref<f32>
  return %x : f32
}
// =>
func.func @f(%m: memref<f32>, %v: f32) -> f32 {
    %x = memref.load %m[] : memref<f32>
  gpu.barrier
  return %x : f32
}
// -----
// llvm-fence-above-store
func.func @f(%m: memref<f32>, %v: f32) {
  memref.store %v, %m[] : memref<f32>
  llvm.fence seq_cst
  return
}
// =>
func.func @f(%m: memref<f32>, %v: f32) {
    llvm.fence seq_cst
  memref.store %v, %m[] : memref<f32>
  return
}
// -----
// i1-loop-bound
func.func @f(%m: memref<i32>, %v: i32) {
  %a = arith.constant false
  %b = arith.constant true
  scf.for %i = %a to %b step %b : i1 {
    memref.store %v, %m[] : memref<i32>
  }
  return
}
// =>
func.func @f(%m: memref<i32>, %v: i32) {
  %a = arith.constant false
  %b = arith.constant true
  memref.store %v, %m[] : memref<i32>
  return
}
// -----
// i8-loop-bound-negative
func.func @f(%m: memref<i32>, %v: i32) {
  %a = arith.constant 0 : i8
  %b = arith.constant 200 : i8
  %c = arith.constant 100 : i8
  scf.for %i = %a to %b step %c : i8 {
    memref.store %v, %m[] : memref<i32>
  }
  return
}
// =>
func.func @f(%m: memref<i32>, %v: i32) {
  %a = arith.constant 0 : i8
  %b = arith.constant 200 : i8
  %c = arith.constant 100 : i8
  memref.store %v, %m[] : memref<i32>
  return
}
// -----
// transfer-read-before-wait
func.func @f(%s: memref<16xf32>, %d: memref<16xf32, 2>, %tag: memref<1xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 16 : index
  memref.dma_start %s[%c0], %d[%c0], %n, %tag[%c0] : memref<16xf32>, memref<16xf32, 2>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %x = memref.load %d[%c0] : memref<16xf32, 2>
  return %x : f32
}
// =>
func.func @f(%s: memref<16xf32>, %d: memref<16xf32, 2>, %tag: memref<1xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 16 : index
  memref.dma_start %s[%c0], %d[%c0], %n, %tag[%c0] : memref<16xf32>, memref<16xf32, 2>, memref<1xi32>
  %x = memref.load %d[%c0] : memref<16xf32, 2>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  return %x : f32
}
// -----
// transfer-source-written-before-wait
func.func @f(%s: memref<16xf32>, %d: memref<16xf32, 2>, %tag: memref<1xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 16 : index
  memref.dma_start %s[%c0], %d[%c0], %n, %tag[%c0] : memref<16xf32>, memref<16xf32, 2>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %s[%c0] : memref<16xf32>
  %x = memref.load %d[%c0] : memref<16xf32, 2>
  return %x : f32
}
// =>
func.func @f(%s: memref<16xf32>, %d: memref<16xf32, 2>, %tag: memref<1xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 16 : index
  memref.dma_start %s[%c0], %d[%c0], %n, %tag[%c0] : memref<16xf32>, memref<16xf32, 2>, memref<1xi32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %s[%c0] : memref<16xf32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %x = memref.load %d[%c0] : memref<16xf32, 2>
  return %x : f32
}
// -----
// division-above-effect-0
func.func @f(%a: i32, %b: i32) -> i32 {
  "llvm.intr.trap"() : () -> ()
  %q = arith.divsi %a, %b : i32
  return %q : i32
}
// =>
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  "llvm.intr.trap"() : () -> ()
  return %q : i32
}
// -----
// division-above-effect-2
func.func @f(%a: i32, %b: i32) -> i32 {
  gpu.barrier
  %q = arith.divsi %a, %b : i32
  return %q : i32
}
// =>
func.func @f(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  gpu.barrier
  return %q : i32
}
// -----
// emitc-load-above-assign
func.func @f(%p: !emitc.lvalue<f32>, %v: f32) -> f32 {
  "emitc.assign"(%p, %v) : (!emitc.lvalue<f32>, f32) -> ()
  %x = "emitc.load"(%p) : (!emitc.lvalue<f32>) -> f32
  return %x : f32
}
// =>
func.func @f(%p: !emitc.lvalue<f32>, %v: f32) -> f32 {
    %x = "emitc.load"(%p) : (!emitc.lvalue<f32>) -> f32
  "emitc.assign"(%p, %v) : (!emitc.lvalue<f32>, f32) -> ()
  return %x : f32
}
// -----
// tile-load-above-store
func.func @f(%m: memref<16x16xi32>, %i: index, %v: i32) -> !amx.tile<16x16xi32> {
  memref.store %v, %m[%i, %i] : memref<16x16xi32>
  %x = "amx.tile_load"(%m, %i, %i) : (memref<16x16xi32>, index, index) -> !amx.tile<16x16xi32>
  return %x : !amx.tile<16x16xi32>
}
// =>
func.func @f(%m: memref<16x16xi32>, %i: index, %v: i32) -> !amx.tile<16x16xi32> {
    %x = "amx.tile_load"(%m, %i, %i) : (memref<16x16xi32>, index, index) -> !amx.tile<16x16xi32>
  memref.store %v, %m[%i, %i] : memref<16x16xi32>
  return %x : !amx.tile<16x16xi32>
}
// -----
// pointer-of-memref-written-through
func.func @f(%m: memref<f32>, %v: f32) -> f32 {
  %i = memref.extract_aligned_pointer_as_index %m : memref<f32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  llvm.store %v, %p : f32, !llvm.ptr
  %x = memref.load %m[] : memref<f32>
  return %x : f32
}
// =>
func.func @f(%m: memref<f32>, %v: f32) -> f32 {
    %x = memref.load %m[] : memref<f32>
  %i = memref.extract_aligned_pointer_as_index %m : memref<f32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  llvm.store %v, %p : f32, !llvm.ptr
  return %x : f32
}
// -----
// size-known-only-in-branch
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.if %p {
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
  }
  %r = arith.maxsi %n, %c0 : index
  return %r : index
}
// =>
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.if %p {
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
  }
  return %n : index
}
// -----
// size-known-only-in-loop
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %k step %c1 {
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
  }
  %r = arith.maxsi %n, %c0 : index
  return %r : index
}
// =>
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %k step %c1 {
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
  }
  return %n : index
}
// -----
// size-known-only-in-while
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %w = scf.while (%i = %c0) : (index) -> index {
    %q = arith.cmpi slt, %i, %k : index
    scf.condition(%q) %i : index
  } do {
  ^bb0(%j: index):
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
    %i2 = arith.addi %j, %c1 : index
    scf.yield %i2 : index
  }
  %r = arith.maxsi %n, %c0 : index
  return %r : index
}
// =>
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %w = scf.while (%i = %c0) : (index) -> index {
    %q = arith.cmpi slt, %i, %k : index
    scf.condition(%q) %i : index
  } do {
  ^bb0(%j: index):
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
    %i2 = arith.addi %j, %c1 : index
    scf.yield %i2 : index
  }
  return %n : index
}
// -----
// size-known-only-in-switch
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.index_switch %s
  case 1 {
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
    scf.yield
  }
  default {
  }
  %r = arith.maxsi %n, %c0 : index
  return %r : index
}
// =>
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.index_switch %s
  case 1 {
    %e = tensor.empty(%n) : tensor<?xf32>
    "x.u"(%e) : (tensor<?xf32>) -> ()
    scf.yield
  }
  default {
  }
  return %n : index
}
// -----
// size-known-only-in-generate
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %w = tensor.generate %k {
  ^bb0(%i: index):
    %e = tensor.empty(%n) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    tensor.yield %z : f32
  } : tensor<?xf32>
  %r = arith.maxsi %n, %c0 : index
  return %r : index
}
// =>
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %w = tensor.generate %k {
  ^bb0(%i: index):
    %e = tensor.empty(%n) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    tensor.yield %z : f32
  } : tensor<?xf32>
  return %n : index
}
// -----
// size-known-only-in-unknown-after
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.if %p {
    "x.stop"() : () -> ()
    %e = tensor.empty(%n) : tensor<?xf32>
  }
  %r = arith.maxsi %n, %c0 : index
  return %r : index
}
// =>
func.func @f(%n: index, %k: index, %p: i1, %s: index, %t: tensor<?xf32>, %u: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.if %p {
    "x.stop"() : () -> ()
    %e = tensor.empty(%n) : tensor<?xf32>
  }
  return %n : index
}
// -----
// cast-known-only-in-loop
func.func @f(%t: tensor<?xf32>, %k: index, %p: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %e = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
    "x.u"(%e) : (tensor<4xf32>) -> ()
  }
  %r = tensor.dim %t, %c0 : tensor<?xf32>
  return %r : index
}
// =>
func.func @f(%t: tensor<?xf32>, %k: index, %p: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %e = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
    "x.u"(%e) : (tensor<4xf32>) -> ()
  }
  %r = arith.constant 4 : index
  return %r : index
}
// -----
// bounds-known-only-in-negated
func.func @f(%m: memref<?xf32>, %k: index, %p: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.if %p {
  } else {
    memref.store %z, %m[%i] : memref<?xf32>
  }
  return %z : f32
}
// =>
func.func @f(%m: memref<?xf32>, %k: index, %p: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.if %p {
  } else {
    memref.store %z, %m[%i] : memref<?xf32>
  }
  %d = memref.load %m[%i] : memref<?xf32>
  return %z : f32
}
// -----
// bounds-known-only-in-parallel
func.func @f(%m: memref<?xf32>, %k: index, %p: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%j) = (%c0) to (%k) step (%c1) {
    %y = memref.load %m[%i] : memref<?xf32>
    scf.reduce
  }
  return %z : f32
}
// =>
func.func @f(%m: memref<?xf32>, %k: index, %p: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%j) = (%c0) to (%k) step (%c1) {
    %y = memref.load %m[%i] : memref<?xf32>
    scf.reduce
  }
  %d = memref.load %m[%i] : memref<?xf32>
  return %z : f32
}
// -----
// constant-nan-payload
func.func @f() -> f32 {
  %c = arith.constant 0x7FC00001 : f32
  return %c : f32
}
// =>
func.func @f() -> f32 {
  %c = arith.constant 0x7FC00000 : f32
  return %c : f32
}
// -----
// constant-nan-splat
func.func @f() -> tensor<4xf32> {
  %c = arith.constant dense<0x7FC00001> : tensor<4xf32>
  return %c : tensor<4xf32>
}
// =>
func.func @f() -> tensor<4xf32> {
  %c = arith.constant dense<0x7FC00000> : tensor<4xf32>
  return %c : tensor<4xf32>
}
// -----
// constant-complex-parts
func.func @f() -> tensor<2xcomplex<f32>> {
  %c = arith.constant dense<(1.0,2.0)> : tensor<2xcomplex<f32>>
  return %c : tensor<2xcomplex<f32>>
}
// =>
func.func @f() -> tensor<2xcomplex<f32>> {
  %c = arith.constant dense<(2.0,1.0)> : tensor<2xcomplex<f32>>
  return %c : tensor<2xcomplex<f32>>
}
// -----
// constant-sparse
func.func @f() -> tensor<4xf32> {
  %c = arith.constant sparse<[[1]], [1.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}
// =>
func.func @f() -> tensor<4xf32> {
  %c = arith.constant sparse<[[2]], [1.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}
// -----
// constant-i65-sign
func.func @f() -> i65 {
  %c = arith.constant 18446744073709551616 : i65
  return %c : i65
}
// =>
func.func @f() -> i65 {
  %c = arith.constant 18446744073709551615 : i65
  return %c : i65
}
// -----
// atomic-becomes-load-store
func.func @f(%m: memref<4xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %o = memref.atomic_rmw addi %v, %m[%c0] : (i32, memref<4xi32>) -> i32
    scf.reduce
  }
  return
}
// =>
func.func @f(%m: memref<4xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %p = memref.load %m[%c0] : memref<4xi32>
    %o = arith.addi %p, %v : i32
    memref.store %o, %m[%c0] : memref<4xi32>
    scf.reduce
  }
  return
}
// -----
// atomic-maxs-maxu
func.func @f(%m: memref<4xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %o = memref.atomic_rmw maxs %v, %m[%c0] : (i32, memref<4xi32>) -> i32
    scf.reduce
  }
  return
}
// =>
func.func @f(%m: memref<4xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %o = memref.atomic_rmw maxu %v, %m[%c0] : (i32, memref<4xi32>) -> i32
    scf.reduce
  }
  return
}
// -----
// forall-step-two
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i) in (8) shared_outs(%o = %a, %p = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %y into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
// =>
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %a, %p = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %y into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
// -----
// forall-same-place-twice
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i) in (8) shared_outs(%o = %a, %p = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
// =>
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i) in (8) shared_outs(%o = %a, %p = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
// -----
// while-call-into-after
func.func private @h(i32)
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    memref.store %i, %m[] : memref<i32>
    func.call @h(%i) : (i32) -> ()
    %p = arith.cmpi slt, %i, %n : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.addi %j, %c1 : i32
    scf.yield %k : i32
  }
  return %r : i32
}
// =>
func.func private @h(i32)
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    memref.store %i, %m[] : memref<i32>
    %p = arith.cmpi slt, %i, %n : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%j: i32):
    func.call @h(%j) : (i32) -> ()
    %k = arith.addi %j, %c1 : i32
    scf.yield %k : i32
  }
  return %r : i32
}
// -----
// while-returns-next
func.func private @h(i32)
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    memref.store %i, %m[] : memref<i32>
    func.call @h(%i) : (i32) -> ()
    %p = arith.cmpi slt, %i, %n : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.addi %j, %c1 : i32
    scf.yield %k : i32
  }
  return %r : i32
}
// =>
func.func private @h(i32)
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    memref.store %i, %m[] : memref<i32>
    func.call @h(%i) : (i32) -> ()
    %p = arith.cmpi slt, %i, %n : i32
    %k0 = arith.addi %i, %c1 : i32
    scf.condition(%p) %k0 : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.addi %j, %c0 : i32
    scf.yield %k : i32
  }
  return %r : i32
}
// -----
// index-switch-case-minus-one
func.func @f(%s: index, %m: memref<4xf32>, %x: f32, %y: f32) -> f32 {
  %r = scf.index_switch %s -> f32
  case 0 { 
    scf.yield %x : f32
  }
  case 1 {
    scf.yield %y : f32
  }
  default {
    %c = arith.constant 0 : index
    %q = memref.load %m[%c] : memref<4xf32>
    scf.yield %q : f32
  }
  return %r : f32
}
// =>
func.func @f(%s: index, %m: memref<4xf32>, %x: f32, %y: f32) -> f32 {
  %r = scf.index_switch %s -> f32
  case 0 { 
    scf.yield %x : f32
  }
  case -1 {
    scf.yield %y : f32
  }
  default {
    %c = arith.constant 0 : index
    %q = memref.load %m[%c] : memref<4xf32>
    scf.yield %q : f32
  }
  return %r : f32
}
// -----
// index-switch-as-ifs-other-order
func.func @f(%s: index, %m: memref<4xf32>, %x: f32, %y: f32) -> f32 {
  %r = scf.index_switch %s -> f32
  case 0 { 
    scf.yield %x : f32
  }
  case 1 {
    scf.yield %y : f32
  }
  default {
    %c = arith.constant 0 : index
    %q = memref.load %m[%c] : memref<4xf32>
    scf.yield %q : f32
  }
  return %r : f32
}
// =>
func.func @f(%s: index, %m: memref<4xf32>, %x: f32, %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %s2 = arith.maxsi %s, %c1 : index
  %r = scf.index_switch %s2 -> f32
  case 0 { 
    scf.yield %x : f32
  }
  case 1 {
    scf.yield %y : f32
  }
  default {
    %c = arith.constant 0 : index
    %q = memref.load %m[%c] : memref<4xf32>
    scf.yield %q : f32
  }
  return %r : f32
}
// -----
// reduce-backwards-loop
func.func @f(%a: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce ins(%a : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0]
    (%x: f32, %acc: f32) {
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    }
  return %r : tensor<f32>
}
// =>
func.func @f(%a: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %z) -> tensor<f32> {
    %k = arith.subi %c7, %i : index
    %x = tensor.extract %a[%k] : tensor<8xf32>
    %acc = tensor.extract %t[] : tensor<f32>
    %s = arith.addf %acc, %x : f32
    %u = tensor.insert %s into %t[] : tensor<f32>
    scf.yield %u : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func private @unused(%a: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce ins(%a : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0]
    (%x: f32, %acc: f32) {
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    }
  return %r : tensor<f32>
}
// -----
// reduction-interchanged
func.func @f(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// =>
func.func @f(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d1,d0)>, affine_map<(d0,d1)->()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// reduction-rows-then-columns
func.func @f(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// =>
func.func @f(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f0 = linalg.fill ins(%k : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %rows = linalg.reduce { arith.addf } ins(%a : tensor<4x4xf32>) outs(%f0 : tensor<4xf32>) dimensions = [1]
  %q = linalg.reduce { arith.addf } ins(%rows : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %q : tensor<f32>
}
func.func private @unused(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// reduction-index-of-other-loop
func.func @f(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %w = arith.sitofp %j : i32 to f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// =>
func.func @f(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %w = arith.sitofp %j : i32 to f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// scf-parallel-reduce-swapped
func.func @f(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.subf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// =>
func.func @f(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.subf %b, %a : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// -----
// window-reversed
func.func @f(%a: tensor<8xf32>, %w: tensor<3xf32>, %z: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0+d1)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<8xf32>, tensor<3xf32>) outs(%z : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// =>
func.func @f(%a: tensor<8xf32>, %w: tensor<3xf32>, %z: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0-d1+2)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<8xf32>, tensor<3xf32>) outs(%z : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
// window-dilated
func.func @f(%a: tensor<16xf32>, %w: tensor<3xf32>, %z: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0+d1)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<16xf32>, tensor<3xf32>) outs(%z : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// =>
func.func @f(%a: tensor<16xf32>, %w: tensor<3xf32>, %z: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0+d1*2)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<16xf32>, tensor<3xf32>) outs(%z : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
// tiles-leave-the-rest
func.func @f(%t: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%o = %t) -> tensor<?xf32> {
    %s = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
    %p = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %f into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// =>
func.func @f(%t: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %c3 = arith.constant 3 : index
  %m = arith.subi %n, %c3 : index
  %r = scf.for %i = %c0 to %m step %c4 iter_args(%o = %t) -> tensor<?xf32> {
    %s = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
    %p = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %f into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// tiles-of-four-step-eight
func.func @f(%t: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%o = %t) -> tensor<?xf32> {
    %s = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
    %p = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %f into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// =>
func.func @f(%t: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%o = %t) -> tensor<?xf32> {
    %s = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
    %p = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %f into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// tiles-all-in-bounds-claimed
func.func @f(%t: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%o = %t) -> tensor<?xf32> {
    %s = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
    %p = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %f into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// =>
func.func @f(%t: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%o = %t) -> tensor<?xf32> {
    %s = arith.addi %c0, %c4 : index
    %p = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %q = tensor.insert_slice %f into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// load-above-call-through-two
func.func private @inner(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @middle(%m: memref<4xf32>, %v: f32) {
  call @inner(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @middle(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @inner(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @middle(%m: memref<4xf32>, %v: f32) {
  call @inner(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  call @middle(%m, %v) : (memref<4xf32>, f32) -> ()
  return %x : f32
}
// -----
// inner-asserts
func.func private @inner(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @middle(%m: memref<4xf32>, %v: f32) {
  call @inner(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @middle(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @inner(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %p = arith.cmpf oeq, %v, %z : f32
  cf.assert %p, "x"
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @middle(%m: memref<4xf32>, %v: f32) {
  call @inner(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @middle(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// inner-loops-forever
func.func private @inner(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @middle(%m: memref<4xf32>, %v: f32) {
  call @inner(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @middle(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @inner(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  scf.while : () -> () {
    %p = arith.constant true
    scf.condition(%p)
  } do {
    scf.yield
  }
  return
}
func.func private @middle(%m: memref<4xf32>, %v: f32) {
  call @inner(%m, %v) : (memref<4xf32>, f32) -> ()
  return
}
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @middle(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// callee-loads-after-its-store
func.func private @g(%t: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
func.func @f(%t: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, f32) {
  %r:2 = call @g(%t, %v) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  return %r#0, %r#1 : tensor<4xf32>, f32
}
// =>
func.func private @g(%t: memref<4xf32>, %v: f32) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<4xf32>
  %x = memref.load %t[%c0] : memref<4xf32>
  return %t, %x : memref<4xf32>, f32
}
func.func @f(%t: memref<4xf32>, %v: f32) -> (memref<4xf32>, f32) {
  %r:2 = call @g(%t, %v) : (memref<4xf32>, f32) -> (memref<4xf32>, f32)
  return %r#0, %r#1 : memref<4xf32>, f32
}
// -----
// caller-returns-argument-of-copying-callee
func.func private @g(%t: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
func.func @f(%t: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, f32) {
  %r:2 = call @g(%t, %v) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  return %r#0, %r#1 : tensor<4xf32>, f32
}
// =>
func.func private @g(%t: memref<4xf32>, %v: f32) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %x = memref.load %t[%c0] : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.copy %t, %n : memref<4xf32> to memref<4xf32>
  memref.store %v, %n[%c0] : memref<4xf32>
  return %n, %x : memref<4xf32>, f32
}
func.func @f(%t: memref<4xf32>, %v: f32) -> (memref<4xf32>, f32) {
  %r:2 = call @g(%t, %v) : (memref<4xf32>, f32) -> (memref<4xf32>, f32)
  return %t, %r#1 : memref<4xf32>, f32
}
// -----
// argument-used-again-after-callee-wrote
func.func private @g(%t: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
func.func @f(%t: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, f32) {
  %r:2 = call @g(%t, %v) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  %s:2 = call @g(%t, %r#1) : (tensor<4xf32>, f32) -> (tensor<4xf32>, f32)
  %k = arith.addf %s#1, %r#1 : f32
  return %r#0, %k : tensor<4xf32>, f32
}
// =>
func.func private @g(%t: memref<4xf32>, %v: f32) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %x = memref.load %t[%c0] : memref<4xf32>
  memref.store %v, %t[%c0] : memref<4xf32>
  return %t, %x : memref<4xf32>, f32
}
func.func @f(%t: memref<4xf32>, %v: f32) -> (memref<4xf32>, f32) {
  %r:2 = call @g(%t, %v) : (memref<4xf32>, f32) -> (memref<4xf32>, f32)
  %s:2 = call @g(%t, %r#1) : (memref<4xf32>, f32) -> (memref<4xf32>, f32)
  %k = arith.addf %s#1, %r#1 : f32
  return %r#0, %k : memref<4xf32>, f32
}
// -----
// one-buffer-given-for-both
func.func private @g(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.add ins(%t, %u : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @g(%t, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = call @g(%a, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
// =>
func.func private @g(%t: memref<4xf32>, %u: memref<4xf32>) -> memref<4xf32> {
  linalg.add ins(%t, %u : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
  %a = call @g(%t, %t) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %b = call @g(%a, %t) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return %b : memref<4xf32>
}
// -----
// recursion-stores-after
func.func private @g(%n: index, %m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
    %k = arith.subi %n, %c1 : index
    memref.store %v, %m[%k] : memref<?xf32>
    func.call @g(%k, %m, %v) : (index, memref<?xf32>, f32) -> ()
  }
  return
}
func.func @f(%n: index, %m: memref<?xf32>, %v: f32) {
  call @g(%n, %m, %v) : (index, memref<?xf32>, f32) -> ()
  return
}
// =>
func.func private @g(%n: index, %m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
    %k = arith.subi %n, %c1 : index
    func.call @g(%k, %m, %v) : (index, memref<?xf32>, f32) -> ()
    memref.store %v, %m[%n] : memref<?xf32>
  }
  return
}
func.func @f(%n: index, %m: memref<?xf32>, %v: f32) {
  call @g(%n, %m, %v) : (index, memref<?xf32>, f32) -> ()
  return
}
// -----
// recursion-skips
func.func private @g(%n: index, %m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
    %k = arith.subi %n, %c1 : index
    memref.store %v, %m[%k] : memref<?xf32>
    func.call @g(%k, %m, %v) : (index, memref<?xf32>, f32) -> ()
  }
  return
}
func.func @f(%n: index, %m: memref<?xf32>, %v: f32) {
  call @g(%n, %m, %v) : (index, memref<?xf32>, f32) -> ()
  return
}
// =>
func.func private @g(%n: index, %m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
    %k = arith.subi %n, %c1 : index
    memref.store %v, %m[%k] : memref<?xf32>
    %k2 = arith.subi %k, %c1 : index
    func.call @g(%k2, %m, %v) : (index, memref<?xf32>, f32) -> ()
  }
  return
}
func.func @f(%n: index, %m: memref<?xf32>, %v: f32) {
  call @g(%n, %m, %v) : (index, memref<?xf32>, f32) -> ()
  return
}
// -----
// mutual-recursion-stores-after-call
func.func private @a(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    memref.store %n, %m[] : memref<i32>
    %k = arith.subi %n, %c1 : i32
    func.call @b(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func private @b(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    %k = arith.subi %n, %c1 : i32
    func.call @a(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func @f(%n: i32, %m: memref<i32>) {
  call @a(%n, %m) : (i32, memref<i32>) -> ()
  return
}
// =>
func.func private @a(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    %k = arith.subi %n, %c1 : i32
    func.call @b(%k, %m) : (i32, memref<i32>) -> ()
    memref.store %n, %m[] : memref<i32>
  }
  return
}
func.func private @b(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    %k = arith.subi %n, %c1 : i32
    func.call @a(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func @f(%n: i32, %m: memref<i32>) {
  call @a(%n, %m) : (i32, memref<i32>) -> ()
  return
}
// -----
// mutual-recursion-calls-itself
func.func private @a(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    memref.store %n, %m[] : memref<i32>
    %k = arith.subi %n, %c1 : i32
    func.call @b(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func private @b(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    %k = arith.subi %n, %c1 : i32
    func.call @a(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func @f(%n: i32, %m: memref<i32>) {
  call @a(%n, %m) : (i32, memref<i32>) -> ()
  return
}
// =>
func.func private @a(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    memref.store %n, %m[] : memref<i32>
    %k = arith.subi %n, %c1 : i32
    func.call @a(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func private @b(%n: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  scf.if %p {
    %k = arith.subi %n, %c1 : i32
    func.call @a(%k, %m) : (i32, memref<i32>) -> ()
  }
  return
}
func.func @f(%n: i32, %m: memref<i32>) {
  call @a(%n, %m) : (i32, memref<i32>) -> ()
  return
}
// -----
// declared-result-may-be-argument
func.func private @ext(memref<4xf32>) -> memref<4xf32>
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @ext(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = memref.load %r[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @ext(memref<4xf32>) -> memref<4xf32>
func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @ext(%m) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// declaration-no-access-said
func.func private @ext(tensor<4xf32>)
func.func @f(%v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  call @ext(%t) : (tensor<4xf32>) -> ()
  return %t : tensor<4xf32>
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%v: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  call @ext(%m) : (memref<4xf32>) -> ()
  return %m : memref<4xf32>
}
// -----
// fill-columns-for-rows
func.func @f(%m: memref<4x4xf32>, %v: f32) {
  %s = memref.subview %m[1, 0] [2, 4] [2, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[8, 1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%s : memref<2x4xf32, strided<[8, 1], offset: 4>>)
  return
}
// =>
func.func @f(%m: memref<4x4xf32>, %v: f32) {
  %s = memref.subview %m[0, 1] [4, 2] [1, 2] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 2], offset: 1>>
  linalg.fill ins(%v : f32) outs(%s : memref<4x2xf32, strided<[4, 2], offset: 1>>)
  return
}
// -----
// fill-reinterpreted-overlapping
func.func @f(%m: memref<4x4xf32>, %v: f32) {
  %s = memref.subview %m[1, 0] [2, 4] [2, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[8, 1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%s : memref<2x4xf32, strided<[8, 1], offset: 4>>)
  return
}
// =>
func.func @f(%m: memref<4x4xf32>, %v: f32) {
  %s = memref.reinterpret_cast %m to offset: [4], sizes: [2, 4], strides: [2, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[2, 1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%s : memref<2x4xf32, strided<[2, 1], offset: 4>>)
  return
}
// -----
// masked-store-mask-all
func.func @f(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  vector.maskedstore %m[%i], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return
}
// =>
func.func @f(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  %kk = arith.constant dense<true> : vector<4xi1>
  vector.maskedstore %m[%i], %kk, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return
}
// -----
// masked-store-select
func.func @f(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  vector.maskedstore %m[%i], %k, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return
}
// =>
func.func @f(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  %o = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
  %w = arith.select %k, %v, %o : vector<4xi1>, vector<4xf32>
  vector.store %w, %m[%i] : memref<8xf32>, vector<4xf32>
  return
}
// -----
// scatter-mask-dropped
func.func @f(%m: memref<8xf32>, %x: vector<4xindex>, %k: vector<4xi1>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  vector.scatter %m[%c0] [%x], %k, %v : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  return
}
// =>
func.func @f(%m: memref<8xf32>, %x: vector<4xindex>, %k: vector<4xi1>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %kk = arith.constant dense<true> : vector<4xi1>
  vector.scatter %m[%c0] [%x], %kk, %v : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  return
}
// -----
// transfer-write-in-bounds-dynamic
func.func @f(%m: memref<?xf32>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32>
  return
}
// =>
func.func @f(%m: memref<?xf32>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  return
}
// -----
// unranked-claims-static
func.func @f(%u: memref<*xf32>, %v: f32, %i: index) -> f32 {
  %m = memref.cast %u : memref<*xf32> to memref<?xf32>
  memref.store %v, %m[%i] : memref<?xf32>
  %x = memref.load %m[%i] : memref<?xf32>
  return %x : f32
}
// =>
func.func @f(%u: memref<*xf32>, %v: f32, %i: index) -> f32 {
  %m = memref.cast %u : memref<*xf32> to memref<8xf32>
  memref.store %v, %m[%i] : memref<8xf32>
  %x = memref.load %m[%i] : memref<8xf32>
  return %x : f32
}
// -----
// unranked-load-first
func.func @f(%u: memref<*xf32>, %v: f32, %i: index) -> f32 {
  %m = memref.cast %u : memref<*xf32> to memref<?xf32>
  memref.store %v, %m[%i] : memref<?xf32>
  %x = memref.load %m[%i] : memref<?xf32>
  return %x : f32
}
// =>
func.func @f(%u: memref<*xf32>, %v: f32, %i: index) -> f32 {
  %m = memref.cast %u : memref<*xf32> to memref<?xf32>
  %x = memref.load %m[%i] : memref<?xf32>
  memref.store %v, %m[%i] : memref<?xf32>
  return %x : f32
}
// -----
// loop-frees-what-it-yields
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %k : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// -----
// loop-frees-init
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// -----
// loop-frees-view-of-carried
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    %w = memref.subview %b[0] [4] [1] : memref<4xf32> to memref<4xf32, strided<[1]>>
    %w2 = memref.cast %w : memref<4xf32, strided<[1]>> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    memref.dealloc %w2 : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// -----
// loop-result-freed-only-if-ran
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %x : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<4xf32> {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %b, %k : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
  %p = arith.cmpi sgt, %n, %c0 : index
  scf.if %p {
    memref.dealloc %r : memref<4xf32>
  }
  return %x : f32
}
// -----
// shift-loop-as-copy
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %m[%j] : memref<8xf32>
  }
  return
}
// =>
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.subview %m[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %b = memref.subview %m[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  memref.copy %a, %b : memref<7xf32, strided<[1]>> to memref<7xf32, strided<[1], offset: 1>>
  return
}
// -----
// shift-loop-as-vector
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %m[%j] : memref<8xf32>
  }
  return
}
// =>
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<8xf32>, vector<7xf32>
  vector.transfer_write %v, %m[%c1] {in_bounds = [true]} : vector<7xf32>, memref<8xf32>
  return
}
// -----
// shift-loop-affine-parallel
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %m[%j] : memref<8xf32>
  }
  return
}
// =>
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  affine.parallel (%i) = (0) to (7) {
    %x = affine.load %m[%i] : memref<8xf32>
    affine.store %x, %m[%i + 1] : memref<8xf32>
  }
  return
}
// -----
// shift-loop-generic
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %m[%j] : memref<8xf32>
  }
  return
}
// =>
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.subview %m[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %b = memref.subview %m[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%a : memref<7xf32, strided<[1]>>) outs(%b : memref<7xf32, strided<[1], offset: 1>>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  return
}
// -----
// dim-of-collapsed-one
func.func @f(%t: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %d = tensor.dim %s, %c0 : tensor<?xf32>
  return %d : index
}
// =>
func.func @f(%t: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %d = tensor.dim %t, %c0 : tensor<?x?xf32>
  return %d : index
}
// -----
// expand-as-memory-other-count
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %s = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
// =>
func.func @f(%t: memref<?xf32>, %n: index) -> memref<?x4xf32> {
  %c1 = arith.constant 1 : index
  %k = arith.subi %n, %c1 : index
  %s = memref.expand_shape %t [[0, 1]] output_shape [%k, 4] : memref<?xf32> into memref<?x4xf32>
  return %s : memref<?x4xf32>
}
// -----
// size-as-unsigned-maximum
func.func @f(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = arith.minui %d, %c0 : index
  return %r : index
}
// =>
func.func @f(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = arith.minui %d, %c0 : index
  return %d : index
}
// -----
// size-minus-one-unsigned
func.func @f(%t: tensor<?xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %e = arith.subi %d, %c1 : index
  %r = arith.cmpi ult, %e, %d : index
  return %r : i1
}
// =>
func.func @f(%t: tensor<?xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %e = arith.subi %d, %c1 : index
  %r = arith.cmpi slt, %e, %d : index
  return %r : i1
}
// -----
// halved-size
func.func @f(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %h = arith.divui %d, %c2 : index
  %r = arith.muli %h, %c2 : index
  return %r : index
}
// =>
func.func @f(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %h = arith.divui %d, %c2 : index
  %r = arith.muli %h, %c2 : index
  return %d : index
}
// -----
// ceil-and-floor-of-size
func.func @f(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%d)
  return %r : index
}
// =>
func.func @f(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%d)
  return %r : index
}
// -----
// min-of-tile-and-rest
func.func @f(%n: index, %i: index) -> index {
  %r = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%n, %i)
  return %r : index
}
// =>
func.func @f(%n: index, %i: index) -> index {
  %r = affine.min affine_map<(d0, d1) -> (4, d1 - d0)>(%n, %i)
  return %r : index
}
// -----
// pad-low-dynamic-high
func.func @f(%t: tensor<4xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %r = tensor.pad %t low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %r = tensor.pad %t low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// complex-create-swapped
func.func @f(%x: complex<f32>) -> complex<f32> {
  %a = complex.re %x : complex<f32>
  %b = complex.im %x : complex<f32>
  %r = complex.create %a, %b : complex<f32>
  return %r : complex<f32>
}
// =>
func.func @f(%x: complex<f32>) -> complex<f32> {
  %a = complex.re %x : complex<f32>
  %b = complex.im %x : complex<f32>
  %r = complex.create %b, %a : complex<f32>
  return %r : complex<f32>
}
// -----
// float-truncate-mode
func.func @f(%x: f64) -> f32 {
  %r = arith.truncf %x : f64 to f32
  return %r : f32
}
// =>
func.func @f(%x: f64) -> f32 {
  %r = arith.truncf %x toward_zero : f64 to f32
  return %r : f32
}
// -----
// select-on-nan
func.func @f(%x: f32, %y: f32) -> f32 {
  %p = arith.cmpf ogt, %x, %y : f32
  %r = arith.select %p, %x, %y : f32
  return %r : f32
}
// =>
func.func @f(%x: f32, %y: f32) -> f32 {
  %r = arith.maximumf %x, %y : f32
  return %r : f32
}
// -----
// carried-bound-fixed
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %b = %n) : (i32, i32) -> (i32, i32) {
    %p = arith.cmpi slt, %i, %b : i32
    scf.condition(%p) %i, %b : i32, i32
  } do {
  ^bb0(%j: i32, %c: i32):
    memref.store %j, %m[] : memref<i32>
    %k = arith.addi %j, %c1 : i32
    %d = arith.subi %c, %c1 : i32
    scf.yield %k, %d : i32, i32
  }
  return %r#0 : i32
}
// =>
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %b = %n) : (i32, i32) -> (i32, i32) {
    %p = arith.cmpi slt, %i, %b : i32
    scf.condition(%p) %i, %b : i32, i32
  } do {
  ^bb0(%j: i32, %c: i32):
    memref.store %j, %m[] : memref<i32>
    %k = arith.addi %j, %c1 : i32
    %d = arith.subi %c, %c1 : i32
    scf.yield %k, %c : i32, i32
  }
  return %r#0 : i32
}
// -----
// carried-bound-loop-dropped
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %b = %n) : (i32, i32) -> (i32, i32) {
    %p = arith.cmpi slt, %i, %b : i32
    scf.condition(%p) %i, %b : i32, i32
  } do {
  ^bb0(%j: i32, %c: i32):
    %k = arith.addi %j, %c1 : i32
    %d = arith.addi %c, %c1 : i32
    scf.yield %k, %d : i32, i32
  }
  return %n : i32
}
// =>
func.func @f(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  return %n : i32
}
func.func private @u(%n: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %b = %n) : (i32, i32) -> (i32, i32) {
    %p = arith.cmpi slt, %i, %b : i32
    scf.condition(%p) %i, %b : i32, i32
  } do {
  ^bb0(%j: i32, %c: i32):
    %k = arith.addi %j, %c1 : i32
    %d = arith.addi %c, %c1 : i32
    scf.yield %k, %d : i32, i32
  }
  return %n : i32
}
// -----
// inner-bound-fixed
func.func @f(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %n) -> index {
    scf.for %j = %c0 to %b step %c1 {
      memref.store %j, %m[%i] : memref<?xindex>
    }
    %d = arith.subi %b, %c1 : index
    scf.yield %d : index
  }
  return
}
// =>
func.func @f(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %n) -> index {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %j, %m[%i] : memref<?xindex>
    }
    %d = arith.subi %b, %c1 : index
    scf.yield %d : index
  }
  return
}
// -----
// inner-bound-next
func.func @f(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %n) -> index {
    scf.for %j = %c0 to %b step %c1 {
      memref.store %j, %m[%i] : memref<?xindex>
    }
    %d = arith.subi %b, %c1 : index
    scf.yield %d : index
  }
  return
}
// =>
func.func @f(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %n) -> index {
    %d0 = arith.subi %b, %c1 : index
    scf.for %j = %c0 to %d0 step %c1 {
      memref.store %j, %m[%i] : memref<?xindex>
    }
    %d = arith.subi %b, %c1 : index
    scf.yield %d : index
  }
  return
}
// -----
// stored-memrefs-swapped
func.func @f(%m: memref<2xmemref<4xf32>>, %a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %a, %m[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %m[%c1] : memref<2xmemref<4xf32>>
  return
}
// =>
func.func @f(%m: memref<2xmemref<4xf32>>, %a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %b, %m[%c0] : memref<2xmemref<4xf32>>
  memref.store %a, %m[%c1] : memref<2xmemref<4xf32>>
  return
}
// -----
// global-no-longer-written
memref.global @g : memref<f32> = uninitialized
func.func @f(%v: f32) {
  %m = memref.get_global @g : memref<f32>
  memref.store %v, %m[] : memref<f32>
  return
}
// =>
memref.global @g : memref<f32> = uninitialized
func.func @f(%v: f32) {
  return
}
// -----
// race-fact-under-condition
func.func @f(%c: tensor<8xi1>, %idx: tensor<8xindex>, %v: tensor<8xf32>, %A: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = tensor.extract %c[%i] : tensor<8xi1>
    %k = tensor.extract %idx[%i] : tensor<8xindex>
    %x = tensor.extract %v[%i] : tensor<8xf32>
    scf.if %b { memref.store %x, %A[%k] : memref<8xf32> }
    scf.reduce
  }
  return
}
// =>
func.func @f(%c: memref<8xi1>, %idx: memref<8xindex>, %v: memref<8xf32>, %A: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %T = memref.alloca() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = memref.load %c[%i] : memref<8xi1>
    %k = memref.load %idx[%i] : memref<8xindex>
    %x = memref.load %v[%i] : memref<8xf32>
    %in = arith.constant 1 : index
    scf.if %b {
      memref.store %x, %T[%k] : memref<8xf32>
    } else { 
      %km = arith.minui %k, %k : index
      %ok = arith.cmpi ult, %k, %c8 : index
      memref.store %x, %T[%k] : memref<8xf32>
    }
    scf.if %b {
      %y = memref.load %T[%k] : memref<8xf32>
      memref.store %y, %A[%k] : memref<8xf32> }
    scf.reduce
  }
  return
}
// -----
// race-fact-under-condition-2
func.func @f(%c: tensor<8xi1>, %idx: tensor<8xindex>, %v: tensor<8xf32>, %A: memref<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = tensor.extract %c[%i] : tensor<8xi1>
    %k = tensor.extract %idx[%i] : tensor<8xindex>
    %x = tensor.extract %v[%i] : tensor<8xf32>
    %o = tensor.extract %z[%k] : tensor<8xf32>
    scf.if %b { memref.store %x, %A[%k] : memref<8xf32> }
    scf.reduce
  }
  return %z : tensor<8xf32>
}
// =>
func.func @f(%c: memref<8xi1>, %idx: memref<8xindex>, %v: memref<8xf32>, %A: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zf = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zf : f32) outs(%z : memref<8xf32>)
  %T = memref.alloca() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = memref.load %c[%i] : memref<8xi1>
    %k = memref.load %idx[%i] : memref<8xindex>
    %x = memref.load %v[%i] : memref<8xf32>
    memref.store %x, %T[%k] : memref<8xf32>
    scf.if %b {
      %y = memref.load %T[%k] : memref<8xf32>
      memref.store %y, %A[%k] : memref<8xf32> }
    scf.reduce
  }
  return %z : memref<8xf32>
}
// -----
// snapshot-and-written-argument-share
func.func private @f(%t: tensor<4xf32>, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = call @f(%t, %m, %v) : (tensor<4xf32>, memref<4xf32>, f32) -> f32
  return %r : f32
}
// =>
func.func private @f(%t: memref<4xf32>, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %r = call @f(%m, %m, %v) : (memref<4xf32>, memref<4xf32>, f32) -> f32
  return %r : f32
}
// -----
// leak-in-generic-body
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %e = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<4xf32>) outs(%e : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = memref.alloc() : memref<f32>
    memref.store %x, %b[] : memref<f32>
    %x2 = memref.load %b[] : memref<f32>
    %y = arith.addf %x2, %x2 : f32
    linalg.yield %y : f32
  }
  %d = memref.alloc() : memref<1xf32>
  memref.dealloc %d : memref<1xf32>
  return %e : memref<4xf32>
}
// -----
// free-in-generic-body
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %e = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<1xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<4xf32>) outs(%e : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    memref.dealloc %d : memref<1xf32>
    linalg.yield %y : f32
  }
  memref.dealloc %d : memref<1xf32>
  return %e : memref<4xf32>
}
// -----
// resource-dropped
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<w> : tensor<2xf32>
  return %c : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
// =>
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<w> : tensor<2xf32>
  return %c : tensor<2xf32>
}
// -----
// nested-public-module-added
func.func @f() { return }
// =>
func.func @f() { return }
module @extra { func.func @main() { return } }
// -----
// nested-unnamed-module-added
func.func @f() { return }
// =>
func.func @f() { return }
module { func.func @main() { return } }
// -----
// shift-past-the-width-is-not-zero
func.func @f() -> i32 {
  %c = arith.constant 0 : i32
  return %c : i32
}
// =>
func.func @f() -> i32 {
  %o = arith.constant 1 : i32
  %n = arith.constant 40 : i32
  %c = arith.shli %o, %n : i32
  return %c : i32
}
// -----
// shrsi-past-the-width
func.func @f() -> i32 {
  %c = arith.constant -1 : i32
  return %c : i32
}
// =>
func.func @f() -> i32 {
  %o = arith.constant -5 : i32
  %n = arith.constant 32 : i32
  %c = arith.shrsi %o, %n : i32
  return %c : i32
}
// -----
// division-of-least-by-minus-one
func.func @f() -> i32 {
  %c = arith.constant -2147483648 : i32
  return %c : i32
}
// =>
func.func @f() -> i32 {
  %o = arith.constant -2147483648 : i32
  %n = arith.constant -1 : i32
  %c = arith.divsi %o, %n : i32
  return %c : i32
}
// -----
// remainder-of-least-by-minus-one
func.func @f() -> i32 {
  %c = arith.constant 0 : i32
  return %c : i32
}
// =>
func.func @f() -> i32 {
  %o = arith.constant -2147483648 : i32
  %n = arith.constant -1 : i32
  %c = arith.remsi %o, %n : i32
  return %c : i32
}
// -----
// remainder-sign
func.func @f() -> i32 {
  %c = arith.constant 2 : i32
  return %c : i32
}
// =>
func.func @f() -> i32 {
  %o = arith.constant -7 : i32
  %n = arith.constant 3 : i32
  %c = arith.remsi %o, %n : i32
  return %c : i32
}
// -----
// floor-division-sign
func.func @f() -> i32 {
  %c = arith.constant -2 : i32
  return %c : i32
}
// =>
func.func @f() -> i32 {
  %o = arith.constant -7 : i32
  %n = arith.constant 3 : i32
  %c = arith.floordivsi %o, %n : i32
  return %c : i32
}
// -----
// ceil-division-unsigned
func.func @f() -> i8 {
  %c = arith.constant -1 : i8
  return %c : i8
}
// =>
func.func @f() -> i8 {
  %o = arith.constant -3 : i8
  %n = arith.constant 2 : i8
  %c = arith.ceildivui %o, %n : i8
  return %c : i8
}
// -----
// i1-division
func.func @f() -> i1 {
  %c = arith.constant true
  return %c : i1
}
// =>
func.func @f() -> i1 {
  %o = arith.constant true
  %c = arith.divsi %o, %o : i1
  return %c : i1
}
// -----
// float-overflow-folds
func.func @f() -> f32 {
  %c = arith.constant 3.40282347E+38 : f32
  return %c : f32
}
// =>
func.func @f() -> f32 {
  %o = arith.constant 3.40282347E+38 : f32
  %c = arith.addf %o, %o : f32
  return %c : f32
}
// -----
// float-denormal-flush
func.func @f() -> f32 {
  %c = arith.constant 0.0 : f32
  return %c : f32
}
// =>
func.func @f() -> f32 {
  %o = arith.constant 1.401298464324817e-45 : f32
  %h = arith.constant 1.0 : f32
  %c = arith.mulf %o, %h : f32
  return %c : f32
}
// -----
// bf16-sum
func.func @f() -> bf16 {
  %c = arith.constant 257.0 : bf16
  return %c : bf16
}
// =>
func.func @f() -> bf16 {
  %o = arith.constant 256.0 : bf16
  %h = arith.constant 1.0 : bf16
  %c = arith.addf %o, %h : bf16
  return %c : bf16
}
// -----
// f32-double-rounding-divide
func.func @f() -> f32 {
  %c = arith.constant 0.3333333 : f32
  return %c : f32
}
// =>
func.func @f() -> f32 {
  %o = arith.constant 1.0 : f32
  %h = arith.constant 3.0 : f32
  %c = arith.divf %o, %h : f32
  return %c : f32
}
// -----
// leak-in-reduce-region
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %x = arith.mulf %v, %v : f32
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : memref<1xf32>
  memref.dealloc %d : memref<1xf32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %x = arith.mulf %v, %v : f32
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %t = memref.alloc() : memref<1xf32>
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// -----
// stack-buffer-of-iteration-escapes-through-select
func.func @f(%c: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> tensor<1xf32> {
    %a = tensor.from_elements %v : tensor<1xf32>
    scf.yield %a : tensor<1xf32>
  } else {
    %w = arith.addf %v, %v : f32
    %a = tensor.from_elements %w : tensor<1xf32>
    scf.yield %a : tensor<1xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<1xf32>
  return %x : f32
}
// =>
func.func @f(%c: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (memref<1xf32>) {
    %r1 = scf.if %c -> memref<1xf32> {
      %a = memref.alloca() : memref<1xf32>
      memref.store %v, %a[%c0] : memref<1xf32>
      scf.yield %a : memref<1xf32>
    } else {
      %w = arith.addf %v, %v : f32
      %a = memref.alloca() : memref<1xf32>
      memref.store %w, %a[%c0] : memref<1xf32>
      scf.yield %a : memref<1xf32>
    }
    memref.alloca_scope.return %r1 : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}
// -----
// may-write-of-a-call-is-no-race-fact
func.func private @look(memref<8xf32>)
func.func @f(%v: tensor<8xf32>, %A: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = tensor.extract %v[%i] : tensor<8xf32>
    "test.look"(%A) : (memref<8xf32>) -> ()
    memref.store %x, %B[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// =>
func.func private @look(memref<8xf32>)
func.func @f(%v: memref<8xf32>, %A: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %T = memref.alloca() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %v[%i] : memref<8xf32>
    memref.store %x, %T[%c0] : memref<8xf32>
    %y = memref.load %T[%c0] : memref<8xf32>
    "test.look"(%A) : (memref<8xf32>) -> ()
    memref.store %y, %B[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// -----
// vector-transfers-are-no-race-fact
func.func @f(%A: memref<8xf32>, %v: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %k = arith.muli %i, %c2 : index
    %x = tensor.extract %v[%i] : tensor<4xf32>
    %w = vector.transfer_read %A[%k], %z {in_bounds = [true]} : memref<8xf32>, vector<2xf32>
    %u = vector.broadcast %x : f32 to vector<2xf32>
    %s = arith.addf %w, %u : vector<2xf32>
    vector.transfer_write %s, %A[%k] {in_bounds = [true]} : vector<2xf32>, memref<8xf32>
    scf.reduce
  }
  return %z : f32
}
// =>
func.func @f(%A: memref<8xf32>, %v: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %T = memref.alloca() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %k = arith.muli %i, %c2 : index
    %x = memref.load %v[%i] : memref<4xf32>
    memref.store %x, %T[%c0] : memref<8xf32>
    %y = memref.load %T[%c0] : memref<8xf32>
    %w = vector.transfer_read %A[%k], %z {in_bounds = [true]} : memref<8xf32>, vector<2xf32>
    %u = vector.broadcast %y : f32 to vector<2xf32>
    %s = arith.addf %w, %u : vector<2xf32>
    vector.transfer_write %s, %A[%k] {in_bounds = [true]} : vector<2xf32>, memref<8xf32>
    scf.reduce
  }
  return %z : f32
}
// -----
// generic-reads-nothing-is-no-race-fact
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>, %v: tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = tensor.extract %v[%i] : tensor<8xf32>
    %s = memref.subview %A[%i] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["parallel"]}
      ins(%A : memref<8xf32>) outs(%s : memref<1xf32, strided<[1], offset: ?>>) {
      ^bb0(%p: f32, %q: f32):
        linalg.yield %x : f32
    }
    scf.reduce
  }
  return
}
// =>
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>, %v: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %T = memref.alloca() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x0 = memref.load %v[%i] : memref<8xf32>
    memref.store %x0, %T[%i] : memref<8xf32>
    %y = memref.load %T[%c0] : memref<8xf32>
    memref.store %x0, %T[%i] : memref<8xf32>
    %x = memref.load %T[%i] : memref<8xf32>
    %s = memref.subview %A[%i] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["parallel"]}
      ins(%A : memref<8xf32>) outs(%s : memref<1xf32, strided<[1], offset: ?>>) {
      ^bb0(%p: f32, %q: f32):
        linalg.yield %x : f32
    }
    scf.reduce
  }
  return
}
// -----
// constant-written-where-it-is-only-passed
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @look(memref<2xf32>)
func.func @f() {
  %g = memref.get_global @g : memref<2xf32>
  call @look(%g) : (memref<2xf32>) -> ()
  return
}
// =>
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @look(memref<2xf32>)
func.func @f() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %g = memref.get_global @g : memref<2xf32>
  call @look(%g) : (memref<2xf32>) -> ()
  %x = memref.load %g[%c0] : memref<2xf32>
  memref.store %x, %g[%c0] : memref<2xf32>
  return
}
// -----
// constant-written-where-an-unknown-operation-looks
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f() {
  %g = memref.get_global @g : memref<2xf32>
  "test.look"(%g) : (memref<2xf32>) -> ()
  return
}
// =>
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f() {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  "test.look"(%g) : (memref<2xf32>) -> ()
  %x = memref.load %g[%c0] : memref<2xf32>
  memref.store %x, %g[%c0] : memref<2xf32>
  return
}
// -----
// alignment-in-one-branch
func.func private @ext(memref<4xf32>)
func.func @f(%c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
  }
  return
}
// -----
// stack-kept-in-the-other-branch
func.func private @ext(memref<4xf32>)
func.func @f(%c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    func.call @ext(%a) : (memref<4xf32>) -> ()
  } else {
    memref.alloca_scope {
      %a = memref.alloca() : memref<4xf32>
      memref.store %v, %a[%c0] : memref<4xf32>
      func.call @ext(%a) : (memref<4xf32>) -> ()
    }
  }
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func @f(%c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    memref.alloca_scope {
      %a = memref.alloca() : memref<4xf32>
      memref.store %v, %a[%c0] : memref<4xf32>
      func.call @ext(%a) : (memref<4xf32>) -> ()
    }
  } else {
    memref.alloca_scope {
      %a = memref.alloca() : memref<4xf32>
      memref.store %v, %a[%c0] : memref<4xf32>
      func.call @ext(%a) : (memref<4xf32>) -> ()
    }
  }
  return
}
// -----
// global-passed-as-tensor-and-written-by-callee
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @w(%t: tensor<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  memref.store %v, %g[%c0] : memref<2xf32>
  %x = tensor.extract %t[%c0] : tensor<2xf32>
  return %x : f32
}
func.func @f(%v: f32) -> f32 {
  %g = memref.get_global @g : memref<2xf32>
  %t = bufferization.to_tensor %g : memref<2xf32> to tensor<2xf32>
  %r = call @w(%t, %v) : (tensor<2xf32>, f32) -> f32
  return %r : f32
}
// =>
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @w(%t: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  memref.store %v, %g[%c0] : memref<2xf32>
  %x = memref.load %t[%c0] : memref<2xf32>
  return %x : f32
}
func.func @f(%v: f32) -> f32 {
  %g = memref.get_global @g : memref<2xf32>
  %r = call @w(%g, %v) : (memref<2xf32>, f32) -> f32
  return %r : f32
}
// -----
// global-written-in-place-by-callee-that-reads-it
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @w(%t: tensor<2xf32>, %v: f32) -> (f32, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %v into %t[%c0] : tensor<2xf32>
  %g = memref.get_global @g : memref<2xf32>
  %x = memref.load %g[%c0] : memref<2xf32>
  return %x, %u : f32, tensor<2xf32>
}
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  %t = bufferization.to_tensor %g : memref<2xf32> to tensor<2xf32>
  %r, %u = call @w(%t, %v) : (tensor<2xf32>, f32) -> (f32, tensor<2xf32>)
  bufferization.materialize_in_destination %u in writable %g : (tensor<2xf32>, memref<2xf32>) -> ()
  return %r : f32
}
// =>
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @w(%t: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<2xf32>
  %g = memref.get_global @g : memref<2xf32>
  %x = memref.load %g[%c0] : memref<2xf32>
  return %x : f32
}
func.func @f(%v: f32) -> f32 {
  %g = memref.get_global @g : memref<2xf32>
  %r = call @w(%g, %v) : (memref<2xf32>, f32) -> f32
  return %r : f32
}
// -----
// global-written-in-place-by-callee-that-reads-it-2
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @w(%t: tensor<2xf32>, %v: f32) -> (f32, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %v into %t[%c0] : tensor<2xf32>
  %g = memref.get_global @g : memref<2xf32>
  %x = memref.load %g[%c0] : memref<2xf32>
  return %x, %u : f32, tensor<2xf32>
}
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  %t = bufferization.to_tensor %g : memref<2xf32> to tensor<2xf32>
  %r, %u = call @w(%t, %v) : (tensor<2xf32>, f32) -> (f32, tensor<2xf32>)
  bufferization.materialize_in_destination %u in writable %g : (tensor<2xf32>, memref<2xf32>) -> ()
  return %r : f32
}
// =>
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @w(%t: memref<2xf32>, %v: f32) -> (f32, memref<2xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<2xf32>
  %g = memref.get_global @g : memref<2xf32>
  %x = memref.load %g[%c0] : memref<2xf32>
  return %x, %t : f32, memref<2xf32>
}
func.func @f(%v: f32) -> f32 {
  %g = memref.get_global @g : memref<2xf32>
  %r, %u = call @w(%g, %v) : (memref<2xf32>, f32) -> (f32, memref<2xf32>)
  memref.copy %u, %g : memref<2xf32> to memref<2xf32>
  return %r : f32
}
// -----
// restored-scratch-global-called-in-parallel
memref.global "private" @s : memref<1xf32> = dense<0.0>
func.func private @w(%v: f32) -> f32 {
  %y = arith.mulf %v, %v : f32
  return %y : f32
}
func.func @f(%t: tensor<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    %y = func.call @w(%x) : (f32) -> f32
    memref.store %y, %B[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// =>
memref.global "private" @s : memref<1xf32> = dense<0.0>
func.func private @w(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.get_global @s : memref<1xf32>
  %old = memref.load %s[%c0] : memref<1xf32>
  memref.store %v, %s[%c0] : memref<1xf32>
  %x = memref.load %s[%c0] : memref<1xf32>
  %y = arith.mulf %x, %x : f32
  memref.store %old, %s[%c0] : memref<1xf32>
  return %y : f32
}
func.func @f(%t: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %t[%i] : memref<8xf32>
    %y = func.call @w(%x) : (f32) -> f32
    memref.store %y, %B[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// -----
// restored-argument-called-in-parallel
func.func private @w(%m: memref<1xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.load %m[%c0] : memref<1xf32>
  %y = arith.mulf %v, %s : f32
  return %y : f32
}
func.func @f(%t: tensor<8xf32>, %B: memref<8xf32>, %m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    %y = func.call @w(%m, %x) : (memref<1xf32>, f32) -> f32
    memref.store %y, %B[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// =>
func.func private @w(%m: memref<1xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.load %m[%c0] : memref<1xf32>
  memref.store %v, %m[%c0] : memref<1xf32>
  %v2 = memref.load %m[%c0] : memref<1xf32>
  memref.store %s, %m[%c0] : memref<1xf32>
  %y = arith.mulf %v2, %s : f32
  return %y : f32
}
func.func @f(%t: memref<8xf32>, %B: memref<8xf32>, %m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %t[%i] : memref<8xf32>
    %y = func.call @w(%m, %x) : (memref<1xf32>, f32) -> f32
    memref.store %y, %B[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// -----
// other-element-restored-by-a-callee-in-parallel
func.func private @w(%m: memref<9xf32>, %i: index, %v: f32) {
  memref.store %v, %m[%i] : memref<9xf32>
  return
}
func.func @f(%t: tensor<8xf32>, %m: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    func.call @w(%m, %i, %x) : (memref<9xf32>, index, f32) -> ()
    scf.reduce
  }
  return
}
// =>
func.func private @w(%m: memref<9xf32>, %i: index, %v: f32) {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %s = memref.load %m[%j] : memref<9xf32>
  memref.store %v, %m[%j] : memref<9xf32>
  memref.store %s, %m[%j] : memref<9xf32>
  memref.store %v, %m[%i] : memref<9xf32>
  return
}
func.func @f(%t: memref<8xf32>, %m: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %t[%i] : memref<8xf32>
    func.call @w(%m, %i, %x) : (memref<9xf32>, index, f32) -> ()
    scf.reduce
  }
  return
}
// -----
// leak-of-the-last-buffer-of-a-while
func.func @f(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}
// =>
func.func @f(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0) : (index) -> (index, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %a : index, memref<4xf32>
  } do {
  ^bb0(%i: index, %a: memref<4xf32>):
    memref.dealloc %a : memref<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r#0 : index
}
// -----
// leak-of-the-last-buffer-of-a-while-2
func.func @f(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}
// =>
func.func @f(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : memref<4xf32>
  memref.dealloc %d : memref<4xf32>
  %r = scf.while (%i = %c0) : (index) -> (index) {
    %a = memref.alloc() : memref<4xf32>
    %c = arith.cmpi slt, %i, %n : index
    scf.if %c { memref.dealloc %a : memref<4xf32> }
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}
// -----
// leak-on-the-exit-of-a-cycle
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^b, ^e
^b:
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^e:
  return %i : index
}
// =>
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^b, ^e
^b:
  memref.dealloc %a : memref<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^e:
  return %i : index
}
// -----
// leak-of-an-unused-loop-result
func.func @f(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  return %n : index
}
// =>
func.func @f(%n: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    memref.dealloc %x : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %n : index
}
// -----
// global-constructor-added-in-module
func.func @f() { return }
// =>
func.func @f() { return }
llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]
// -----
// resource-added
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<w> : tensor<2xf32>
  return %c : tensor<2xf32>
}
// =>
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<w> : tensor<2xf32>
  return %c : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
// -----
// resource-of-global-dropped
memref.global "private" constant @g : memref<2xf32> = dense_resource<w>
func.func @f() -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  %x = memref.load %g[%c0] : memref<2xf32>
  return %x : f32
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
// =>
memref.global "private" constant @g : memref<2xf32> = dense_resource<w>
func.func @f() -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<2xf32>
  %x = memref.load %g[%c0] : memref<2xf32>
  return %x : f32
}
// -----
// resource-becomes-the-other
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<w> : tensor<2xf32>
  return %c : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040", u: "0x040000000000803F00000041" } } #-}
// =>
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<u> : tensor<2xf32>
  return %c : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040", u: "0x040000000000803F00000041" } } #-}
// -----
// free-in-generate-body
func.func @f(%a: tensor<4xf32>) -> tensor<4xindex> {
  %r = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<4xindex>
  return %r : tensor<4xindex>
}
// =>
func.func @f(%a: memref<4xf32>) -> tensor<4xindex> {
  %d = memref.alloc() : memref<1xf32>
  %r = tensor.generate {
  ^bb0(%i: index):
    memref.dealloc %d : memref<1xf32>
    tensor.yield %i : index
  } : tensor<4xindex>
  return %r : tensor<4xindex>
}
// -----
// argument-restored-under-a-condition
func.func @f(%m: memref<4xf32>, %c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  scf.if %c { memref.store %v, %m[%c0] : memref<4xf32> }
  return
}
// =>
func.func @f(%m: memref<4xf32>, %c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %o = memref.load %m[%c0] : memref<4xf32>
  %s = arith.select %c, %v, %o : f32
  memref.store %s, %m[%c0] : memref<4xf32>
  return
}
// -----
// argument-copied-onto-itself
func.func @f(%m: memref<4xf32>) { return }
// =>
func.func @f(%m: memref<4xf32>) {
  %t = memref.alloca() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}
// -----
// callee-restores-what-it-is-given
func.func private @w(%m: memref<4xf32>, %v: f32) -> f32 {
  %y = arith.mulf %v, %v : f32
  return %y : f32
}
func.func @f(%v: f32, %m: memref<4xf32>) -> f32 {
  %y = call @w(%m, %v) : (memref<4xf32>, f32) -> f32
  return %y : f32
}
// =>
func.func private @w(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  %x = memref.load %m[%c0] : memref<4xf32>
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @f(%v: f32, %m: memref<4xf32>) -> f32 {
  %y = call @w(%m, %v) : (memref<4xf32>, f32) -> f32
  return %y : f32
}
// -----
// tensor-argument-and-memref-share-a-view
func.func private @f(%t: tensor<2xf32>, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c1] : memref<4xf32>
  %x = tensor.extract %t[%c0] : tensor<2xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %s = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %t = bufferization.to_tensor %s restrict : memref<2xf32, strided<[1], offset: 1>> to tensor<2xf32>
  %r = call @f(%t, %m, %v) : (tensor<2xf32>, memref<4xf32>, f32) -> f32
  return %r : f32
}
// =>
func.func private @f(%t: memref<2xf32, strided<[1], offset: 1>>, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c1] : memref<4xf32>
  %x = memref.load %t[%c0] : memref<2xf32, strided<[1], offset: 1>>
  return %x : f32
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %s = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %r = call @f(%s, %m, %v) : (memref<2xf32, strided<[1], offset: 1>>, memref<4xf32>, f32) -> f32
  return %r : f32
}
// -----
// tensor-argument-written-in-place-while-callee-reads-its-memref
func.func private @f(%t: tensor<4xf32>, %m: memref<4xf32>, %v: f32) -> (f32, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x, %u : f32, tensor<4xf32>
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r, %u = call @f(%t, %m, %v) : (tensor<4xf32>, memref<4xf32>, f32) -> (f32, tensor<4xf32>)
  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %r : f32
}
// =>
func.func private @f(%t: memref<4xf32>, %m: memref<4xf32>, %v: f32) -> (f32, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x, %t : f32, memref<4xf32>
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %r, %u = call @f(%m, %m, %v) : (memref<4xf32>, memref<4xf32>, f32) -> (f32, memref<4xf32>)
  memref.copy %u, %m : memref<4xf32> to memref<4xf32>
  return %r : f32
}
// -----
// callee-of-callee-writes-the-shared-memref
func.func private @h(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @f(%t: tensor<4xf32>, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @h(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = call @f(%t, %m, %v) : (tensor<4xf32>, memref<4xf32>, f32) -> f32
  return %r : f32
}
// =>
func.func private @h(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @f(%t: memref<4xf32>, %m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @h(%m, %v) : (memref<4xf32>, f32) -> ()
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>, %v: f32) -> f32 {
  %r = call @f(%m, %m, %v) : (memref<4xf32>, memref<4xf32>, f32) -> f32
  return %r : f32
}
// -----
// callee-of-callee-writes-the-shared-global
memref.global "private" @s : memref<4xf32> = dense<0.0>
func.func private @h(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @s : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @f(%t: tensor<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @h(%v) : (f32) -> ()
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @g(%v: f32) -> f32 {
  %m = memref.get_global @s : memref<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = call @f(%t, %v) : (tensor<4xf32>, f32) -> f32
  return %r : f32
}
// =>
memref.global "private" @s : memref<4xf32> = dense<0.0>
func.func private @h(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @s : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
func.func private @f(%t: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  call @h(%v) : (f32) -> ()
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
func.func @g(%v: f32) -> f32 {
  %m = memref.get_global @s : memref<4xf32>
  %r = call @f(%m, %v) : (memref<4xf32>, f32) -> f32
  return %r : f32
}
// -----
// external-writes-the-global-passed-as-tensor
memref.global @s : memref<4xf32> = dense<0.0>
func.func private @ext()
func.func private @f(%t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  call @ext() : () -> ()
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @g() -> f32 {
  %m = memref.get_global @s : memref<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = call @f(%t) : (tensor<4xf32>) -> f32
  return %r : f32
}
// =>
memref.global @s : memref<4xf32> = dense<0.0>
func.func private @ext()
func.func private @f(%t: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  call @ext() : () -> ()
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
func.func @g() -> f32 {
  %m = memref.get_global @s : memref<4xf32>
  %r = call @f(%m) : (memref<4xf32>) -> f32
  return %r : f32
}
// -----
// external-knows-the-memref-passed-as-tensor
func.func private @keep(memref<4xf32>)
func.func private @ext()
func.func private @f(%t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  call @ext() : () -> ()
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>) -> f32 {
  call @keep(%m) : (memref<4xf32>) -> ()
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = call @f(%t) : (tensor<4xf32>) -> f32
  return %r : f32
}
// =>
func.func private @keep(memref<4xf32>)
func.func private @ext()
func.func private @f(%t: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  call @ext() : () -> ()
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
func.func @g(%m: memref<4xf32>) -> f32 {
  call @keep(%m) : (memref<4xf32>) -> ()
  %r = call @f(%m) : (memref<4xf32>) -> f32
  return %r : f32
}
// -----
// forall-insert-under-condition-of-index-data
func.func @f(%idx: tensor<8xindex>, %v: tensor<8xf32>, %o: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = scf.forall (%i) in (8) shared_outs(%a = %o) -> tensor<8xf32> {
    %k = tensor.extract %idx[%i] : tensor<8xindex>
    %s = tensor.extract_slice %v[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %a[%k] [1] [1] : tensor<1xf32> into tensor<8xf32> }
  }
  return %r, %w : tensor<8xf32>, tensor<8xf32>
}
// =>
func.func @f(%idx: memref<8xindex>, %v: memref<8xf32>, %o: memref<8xf32>, %w: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %T = memref.alloca() : memref<8xf32>
  scf.forall (%i) in (8) {
    %k = memref.load %idx[%i] : memref<8xindex>
    %x = memref.load %v[%i] : memref<8xf32>
    memref.store %x, %T[%c0] : memref<8xf32>
    %y = memref.load %T[%c0] : memref<8xf32>
    memref.store %y, %o[%k] : memref<8xf32>
  }
  return %o, %w : memref<8xf32>, memref<8xf32>
}
// -----
// rank-reduced-subview-is-no-race-fact
func.func @f(%A: memref<8x8xf32>, %v: tensor<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = tensor.extract %v[%i] : tensor<8xf32>
    %s = memref.subview %A[0, %i] [8, 1] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[8], offset: ?>>
    memref.store %x, %s[%c0] : memref<8xf32, strided<[8], offset: ?>>
    scf.reduce
  }
  return
}
// =>
func.func @f(%A: memref<8x8xf32>, %v: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %T = memref.alloca() : memref<8x8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %v[%i] : memref<8xf32>
    memref.store %x, %T[%c7, %c0] : memref<8x8xf32>
    %y = memref.load %T[%c7, %c0] : memref<8x8xf32>
    %s = memref.subview %A[0, %i] [8, 1] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[8], offset: ?>>
    memref.store %y, %s[%c0] : memref<8xf32, strided<[8], offset: ?>>
    scf.reduce
  }
  return
}
// -----
// nested-parallel-under-condition-is-no-race-fact
func.func @f(%c: tensor<8xi1>, %idx: tensor<8xindex>, %A: memref<8xf32>, %v: tensor<8xf32>, %z: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %q = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = tensor.extract %c[%i] : tensor<8xi1>
    %k = tensor.extract %idx[%i] : tensor<8xindex>
    %x = tensor.extract %v[%i] : tensor<8xf32>
    %u = tensor.extract %z[%k] : tensor<8xf32>
    %n = arith.select %b, %c1, %c0 : index
    scf.for %j = %c0 to %n step %c1 { memref.store %x, %A[%k] : memref<8xf32> }
    scf.reduce
  }
  return %q : f32
}
// =>
func.func @f(%c: memref<8xi1>, %idx: memref<8xindex>, %A: memref<8xf32>, %v: memref<8xf32>, %z: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %q = arith.constant 0.0 : f32
  %T = memref.alloca() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %b = memref.load %c[%i] : memref<8xi1>
    %k = memref.load %idx[%i] : memref<8xindex>
    %x = memref.load %v[%i] : memref<8xf32>
    %u = memref.load %z[%k] : memref<8xf32>
    memref.store %x, %T[%k] : memref<8xf32>
    %n = arith.select %b, %c1, %c0 : index
    %y = memref.load %T[%k] : memref<8xf32>
    scf.for %j = %c0 to %n step %c1 { memref.store %y, %A[%k] : memref<8xf32> }
    scf.reduce
  }
  return %q : f32
}
// -----
// overflow-flags-on-the-other-width
func.func @f(%a: i32) -> i64 {
  %c = arith.constant 1 : i32
  %b = arith.addi %a, %c : i32
  %e = arith.extsi %b : i32 to i64
  return %e : i64
}
// =>
func.func @f(%a: i32) -> i64 {
  %c = arith.constant 1 : i32
  %b = arith.addi %a, %c overflow<nsw> : i32
  %e = arith.extsi %b : i32 to i64
  return %e : i64
}
// -----
// extension-moved-over-the-sum
func.func @f(%a: i32) -> i64 {
  %c = arith.constant 1 : i32
  %b = arith.addi %a, %c : i32
  %e = arith.extsi %b : i32 to i64
  return %e : i64
}
// =>
func.func @f(%a: i32) -> i64 {
  %c = arith.constant 1 : i64
  %e = arith.extsi %a : i32 to i64
  %b = arith.addi %e, %c : i64
  return %b : i64
}
// -----
// loaded-again-after-atomic
func.func @f(%m: memref<4xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %o = memref.atomic_rmw addi %v, %m[%c0] : (i32, memref<4xi32>) -> i32
  return %o : i32
}
// =>
func.func @f(%m: memref<4xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %o = memref.load %m[%c0] : memref<4xi32>
  %s = arith.addi %o, %v : i32
  memref.store %s, %m[%c0] : memref<4xi32>
  return %o : i32
}
// -----
// while-before-region-frees-outer
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}
// =>
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    memref.dealloc %a : memref<4xf32>
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}
// -----
// parallel-iterations-free
func.func @f(%n: index) { return }
// =>
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.dealloc %a : memref<4xf32>
    scf.reduce
  }
  return
}
// -----
// callee-frees-in-parallel
func.func private @w(%v: f32) -> f32 { return %v : f32 }
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  return %v : f32
}
// =>
func.func private @w(%v: f32) -> f32 { return %v : f32 }
func.func private @d(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32> 
 return }
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @d(%a) : (memref<4xf32>) -> ()
    scf.reduce
  }
  return %v : f32
}
// -----
// helper-called-by-generic-frees
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
func.func private @d(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32> 
 return }
func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  %e = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<4xf32>) outs(%e : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    func.call @d(%d) : (memref<4xf32>) -> ()
    linalg.yield %y : f32
  }
  return %e : memref<4xf32>
}
// -----
// return-becomes-llvm-unreachable
func.func @f() { return }
// =>
func.func @f() { llvm.unreachable }
// -----
// return-becomes-unknown-terminator
func.func @f(%x: f32) -> f32 { return %x : f32 }
// =>
func.func @f(%x: f32) -> f32 { "test.abort"(%x) : (f32) -> () }
// -----
// return-becomes-unknown-terminator-in-branch
func.func @f(%c: i1) { 
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  return
}
// =>
func.func @f(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  "test.abort"() : () -> ()
}
// -----
// return-becomes-llvm-unreachable-in-branch
func.func @f(%c: i1) { 
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  return
}
// =>
func.func @f(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  llvm.unreachable
}
// -----
// unreachable-in-execute-region
func.func @f(%c: i1, %v: f32) -> f32 { 
  return %v : f32
}
// =>
func.func @f(%c: i1, %v: f32) -> f32 {
  %r = scf.execute_region -> f32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %v : f32
  ^b:
    llvm.unreachable
  }
  return %r : f32
}
// -----
// return-becomes-llvm-return
func.func @f(%x: f32) -> f32 { return %x : f32 }
// =>
func.func @f(%x: f32) -> f32 { llvm.return %x : f32 }
// -----
// terminators-exchanged
func.func @f(%c: i1) { 
  cf.cond_br %c, ^a, ^b
^a:
  "test.abort"() : () -> ()
^b:
  return
}
// =>
func.func @f(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  "test.abort"() : () -> ()
}
// -----
// terminator-attribute
func.func @f() {  "test.abort"() {code = 1 : i32} : () -> () }
// =>
func.func @f() {  "test.abort"() {code = 2 : i32} : () -> () }
// -----
// terminator-operand
func.func @f(%a: i32, %b: i32) {  "test.abort"(%a) : (i32) -> () }
// =>
func.func @f(%a: i32, %b: i32) {  "test.abort"(%b) : (i32) -> () }
// -----
// shift-may-be-too-far
func.func @f(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}
// =>
func.func @f(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %s = arith.shli %n, %n : i32
  %r = arith.muli %s, %c0 : i32
  return %r : i32
}
// -----
// shift-may-be-too-far-difference
func.func @f(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}
// =>
func.func @f(%n: i32) -> i32 {
  %s = arith.shrui %n, %n : i32
  %r = arith.subi %s, %s : i32
  return %r : i32
}
// -----
// float-to-int-out-of-range-cancels
func.func @f(%n: f32) -> i32 {
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}
// =>
func.func @f(%n: f32) -> i32 {
  %s = arith.fptosi %n : f32 to i32
  %r = arith.subi %s, %s : i32
  return %r : i32
}
// -----
// select-of-poison-condition
func.func @f(%n: i32, %v: f32) -> f32 {
  return %v : f32
}
// =>
func.func @f(%n: i32, %v: f32) -> f32 {
  %s = arith.shrui %n, %n : i32
  %c = arith.cmpi eq, %s, %n : i32
  %r = arith.select %c, %v, %v : f32
  return %r : f32
}
// -----
// branch-on-poison
func.func @f(%n: i32, %v: f32) -> f32 {
  return %v : f32
}
// =>
func.func @f(%n: i32, %v: f32) -> f32 {
  %s = arith.shrui %n, %n : i32
  %c = arith.cmpi eq, %s, %n : i32
  %r = scf.if %c -> f32 { scf.yield %v : f32 } else { scf.yield %v : f32 }
  return %r : f32
}
// -----
// ub-poison
func.func @f(%v: f32) -> f32 {
  return %v : f32
}
// =>
func.func @f(%v: f32) -> f32 {
  %c = ub.poison : i1
  %r = scf.if %c -> f32 { scf.yield %v : f32 } else { scf.yield %v : f32 }
  return %r : f32
}
// -----
// ub-poison-cancels
func.func @f() -> i32 {
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}
// =>
func.func @f() -> i32 {
  %p = ub.poison : i32
  %r = arith.subi %p, %p : i32
  return %r : i32
}
// -----
// vector-extract-out-of-bounds-dead
func.func @f(%v: vector<4xf32>, %i: index) -> index {
  return %i : index
}
// =>
func.func @f(%v: vector<4xf32>, %i: index) -> index {
  %x = vector.extract %v[%i] : f32 from vector<4xf32>
  %b = arith.fptosi %x : f32 to i32
  %c = arith.subi %b, %b : i32
  %d = arith.index_cast %c : i32 to index
  %r = arith.addi %d, %i : index
  return %r : index
}
// -----
// unknown-operation-names-a-function-that-writes
memref.global "private" @g : memref<1xi32> = dense<0>
func.func private @w() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %g = memref.get_global @g : memref<1xi32>
  memref.store %v, %g[%c0] : memref<1xi32>
  return
}
func.func @f() -> i32 {
  %c0 = arith.constant 0 : index
  "test.launch"() {kernel = @w} : () -> ()
  %g = memref.get_global @g : memref<1xi32>
  %x = memref.load %g[%c0] : memref<1xi32>
  return %x : i32
}
// =>
memref.global "private" @g : memref<1xi32> = dense<0>
func.func private @w() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %g = memref.get_global @g : memref<1xi32>
  memref.store %v, %g[%c0] : memref<1xi32>
  return
}
func.func @f() -> i32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<1xi32>
  %x = memref.load %g[%c0] : memref<1xi32>
  "test.launch"() {kernel = @w} : () -> ()
  return %x : i32
}
// -----
// nested-generic-index
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %e2 = tensor.empty() : tensor<4xindex>
    %r2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e2 : tensor<4xindex>) {
    ^bb0(%o2: index):
      %k = linalg.index 0 : index
      linalg.yield %k : index
    } -> tensor<4xindex>
    %x = tensor.extract %r2[%c1] : tensor<4xindex>
    linalg.yield %x : index
  } -> tensor<4xindex>
  %x = tensor.extract %r[%c3] : tensor<4xindex>
  return %x : index
}
// =>
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4xindex>
  %x = tensor.extract %r[%c3] : tensor<4xindex>
  return %x : index
}
// -----
// generate-index-in-a-loop
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = tensor.generate {
  ^bb0(%i: index):
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
      %b = arith.addi %a, %i : index
      scf.yield %b : index
    }
    tensor.yield %s : index
  } : tensor<4xindex>
  %x = tensor.extract %r[%c3] : tensor<4xindex>
  return %x : index
}
// =>
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = tensor.generate {
  ^bb0(%i: index):
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
      %b = arith.addi %a, %i : index
      scf.yield %b : index
    }
    tensor.yield %s : index
  } : tensor<4xindex>
  %x = tensor.extract %r[%c1] : tensor<4xindex>
  return %x : index
}
// -----
// callee-frees-what-the-unchanged-caller-uses
func.func private @d(%a: memref<4xf32>) { return }
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  call @d(%a) : (memref<4xf32>) -> ()
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func private @d(%a: memref<4xf32>) { 
  memref.dealloc %a : memref<4xf32>
  return }
func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  call @d(%a) : (memref<4xf32>) -> ()
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// while-condition-of-poison
func.func @f(%n: i32) -> i32 {
  return %n : i32
}
// =>
func.func @f(%n: i32) -> i32 {
  %p = ub.poison : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c = arith.cmpi ne, %p, %p : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return %r : i32
}
// -----
// insert-at-a-poison-index-and-back
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
  %p = ub.poison : index
  %x = memref.load %t[%p] : memref<4xf32>
  memref.store %x, %t[%p] : memref<4xf32>
  return %t : memref<4xf32>
}
// -----
// second-retention-of-a-stack-buffer
func.func private @ext(memref<4xf32>)
func.func private @last()
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.alloca_scope {
    %b = memref.alloca() : memref<4xf32>
    memref.store %v, %b[%c0] : memref<4xf32>
    func.call @ext(%b) : (memref<4xf32>) -> ()
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  call @last() : () -> ()
  return
}
// =>
func.func private @ext(memref<4xf32>)
func.func private @last()
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  memref.alloca_scope {
    %a = memref.alloca() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    %b = memref.alloca() : memref<4xf32>
    memref.store %v, %b[%c0] : memref<4xf32>
    func.call @ext(%b) : (memref<4xf32>) -> ()
    func.call @ext(%a) : (memref<4xf32>) -> ()
  }
  call @last() : () -> ()
  return
}
// -----
// counter-is-below-its-own-bound-only
func.func @f(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %c = arith.cmpi eq, %i, %m : index
    %b = arith.select %c, %i, %a : index
    scf.yield %b : index
  }
  return %r : index
}
// =>
func.func @f(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
// -----
// counter-after-its-last-step
func.func @f(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %j = arith.addi %i, %c1 : index
    %c = arith.cmpi eq, %j, %n : index
    %b = arith.select %c, %i, %a : index
    scf.yield %b : index
  }
  return %r : index
}
// =>
func.func @f(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
// -----
// counter-without-a-sign-is-not-below
func.func @f(%n: i8) -> i1 {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %t = arith.constant true
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%a = %t) -> i1 : i8 {
    %c = arith.cmpi slt, %i, %n : i8
    scf.yield %c : i1
  }
  return %r : i1
}
// =>
func.func @f(%n: i8) -> i1 {
  %t = arith.constant true
  return %t : i1
}
// -----
// counter-compared-without-a-sign
func.func @f(%l: i8, %n: i8) -> i1 {
  %c1 = arith.constant 1 : i8
  %t = arith.constant true
  %r = scf.for %i = %l to %n step %c1 iter_args(%a = %t) -> i1 : i8 {
    %c = arith.cmpi ult, %i, %n : i8
    scf.yield %c : i1
  }
  return %r : i1
}
// =>
func.func @f(%l: i8, %n: i8) -> i1 {
  %t = arith.constant true
  return %t : i1
}
// -----
// counter-above-its-lower-bound
func.func @f(%l: index, %n: index) -> i1 {
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %r = scf.for %i = %l to %n step %c1 iter_args(%a = %t) -> i1 {
    %c = arith.cmpi slt, %l, %i : index
    scf.yield %c : i1
  }
  return %r : i1
}
// =>
func.func @f(%l: index, %n: index) -> i1 {
  %t = arith.constant true
  return %t : i1
}
// -----
// last-iteration-of-an-inner-loop
func.func @f(%n: index, %v: f32, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %c = arith.cmpi eq, %j, %n : index
      %d = arith.cmpi eq, %j, %c1 : index
      %e = arith.ori %c, %d : i1
      scf.if %e { memref.store %v, %m[%c0] : memref<8xf32> }
    }
  }
  return
}
// =>
func.func @f(%n: index, %v: f32, %m: memref<8xf32>) {
  return
}
// -----
// flag-that-is-false-only-at-first
func.func @f(%n: index, %c: i1, %m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}
// =>
func.func @f(%n: index, %c: i1, %m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %false) -> i1 {
    scf.if %b { memref.dealloc %a : memref<4xf32> }
    scf.yield %c : i1
  }
  memref.dealloc %a : memref<4xf32>
  return
}
// -----
// two-flags-of-which-one-changes
func.func @f(%n: index, %v: i32) -> i32 {
  return %v : i32
}
// =>
func.func @f(%n: index, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %false, %q = %false, %x = %v) -> (i1, i1, i32) {
    %c = arith.cmpi eq, %i, %c1 : index
    %o = arith.ori %q, %c : i1
    %y = arith.select %p, %zero, %x : i32
    scf.yield %q, %o, %y : i1, i1, i32
  }
  return %r#2 : i32
}
// -----
// nsw-of-a-dead-operation
func.func @f(%a: i32, %b: i32) -> i32 { %u = arith.addi %a, %b overflow<nsw> : i32
%v = arith.addi %a, %b : i32
return %v : i32 }
// =>
func.func @f(%a: i32, %b: i32) -> i32 { %u = arith.addi %a, %b overflow<nsw> : i32
return %u : i32 }
// -----
// nsw-reassociated-with-a-dead-one
func.func @f(%a: i32, %b: i32, %c: i32) -> i32 { %u = arith.addi %a, %b overflow<nsw> : i32
%v = arith.addi %b, %c overflow<nsw> : i32
%w = arith.addi %a, %v overflow<nsw> : i32
return %w : i32 }
// =>
func.func @f(%a: i32, %b: i32, %c: i32) -> i32 { %u = arith.addi %a, %b overflow<nsw> : i32
%w = arith.addi %u, %c overflow<nsw> : i32
return %w : i32 }
// -----
// select-becomes-and
func.func @f(%a: i32, %b: i32, %c: i1) -> i1 { %u = arith.shli %a, %b : i32
%z = arith.constant 0 : i32
%p = arith.cmpi eq, %u, %z : i32
%f = arith.constant false
%v = arith.select %c, %p, %f : i1
return %v : i1 }
// =>
func.func @f(%a: i32, %b: i32, %c: i1) -> i1 { %u = arith.shli %a, %b : i32
%z = arith.constant 0 : i32
%p = arith.cmpi eq, %u, %z : i32
%v = arith.andi %p, %c : i1
return %v : i1 }
// -----
// forall-mapped-to-blocks-instead-of-threads
func.func @f(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
%s = tensor.extract_slice %o[%i][1][1] : tensor<8xf32> to tensor<1xf32>
%w = linalg.fill ins(%v : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
scf.forall.in_parallel { tensor.parallel_insert_slice %w into %o[%i][1][1] : tensor<1xf32> into tensor<8xf32> } } {mapping = [#gpu.thread<x>]}
return %r : tensor<8xf32> }
// =>
func.func @f(%m: memref<8xf32>, %v: f32) -> memref<8xf32> {
scf.forall (%i) in (4) {
%s = memref.subview %m[%i][1][1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
linalg.fill ins(%v : f32) outs(%s : memref<1xf32, strided<[1], offset: ?>>)
} {mapping = [#gpu.block<x>]}
return %m : memref<8xf32> }
// -----
// forall-mapping-order
func.func @f(%m: memref<4x8xf32>, %v: f32) { 
scf.forall (%i, %j) in (4, 8) { memref.store %v, %m[%i, %j] : memref<4x8xf32> } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
return }
// =>
func.func @f(%m: memref<4x8xf32>, %v: f32) { 
scf.forall (%i, %j) in (4, 8) { memref.store %v, %m[%i, %j] : memref<4x8xf32> } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
return }
// -----
// forall-mapping-dropped
func.func @f(%m: memref<4x8xf32>, %v: f32) { 
scf.forall (%i, %j) in (4, 8) { memref.store %v, %m[%i, %j] : memref<4x8xf32> } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
return }
// =>
func.func @f(%m: memref<4x8xf32>, %v: f32) { 
scf.forall (%i, %j) in (4, 8) { memref.store %v, %m[%i, %j] : memref<4x8xf32> }
return }
// -----
// store-before-unknown-without-operand
func.func @f(%m: memref<4xf32>, %v: f32) { %c0 = arith.constant 0 : index
memref.store %v, %m[%c0] : memref<4xf32>
"my.op"() : () -> ()
return }
// =>
func.func @f(%m: memref<4xf32>, %v: f32) { %c0 = arith.constant 0 : index
"my.op"() : () -> ()
memref.store %v, %m[%c0] : memref<4xf32>
return }
// -----
// store-moved-below-an-unknown-operation
func.func @f(%m: memref<4xf32>, %v: f32) { %c0 = arith.constant 0 : index
"my.flush"() : () -> ()
memref.store %v, %m[%c0] : memref<4xf32>
"my.flush"() : () -> ()
return }
// =>
func.func @f(%m: memref<4xf32>, %v: f32) { %c0 = arith.constant 0 : index
"my.flush"() : () -> ()
"my.flush"() : () -> ()
memref.store %v, %m[%c0] : memref<4xf32>
return }
// -----
// alloc-in-other-memory-space-inside
func.func private @use(%m: memref<4xf32, 3>)
func.func @f(%v: f32) { %a = memref.alloc() : memref<4xf32, 3>
linalg.fill ins(%v : f32) outs(%a : memref<4xf32, 3>)
call @use(%a) : (memref<4xf32, 3>) -> ()
memref.dealloc %a : memref<4xf32, 3>
return }
// =>
func.func private @use(%m: memref<4xf32, 3>)
func.func @f(%v: f32) { %b = memref.alloc() : memref<4xf32>
%a = memref.memory_space_cast %b : memref<4xf32> to memref<4xf32, 3>
linalg.fill ins(%v : f32) outs(%a : memref<4xf32, 3>)
call @use(%a) : (memref<4xf32, 3>) -> ()
memref.dealloc %b : memref<4xf32>
return }
// -----
// workgroup-memory-becomes-private
func.func @f(%v: f32, %i: index) -> f32 { %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
memref.store %v, %a[%i] : memref<4xf32, #gpu.address_space<workgroup>>
gpu.barrier
%c0 = arith.constant 0 : index
%x = memref.load %a[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
return %x : f32 }
// =>
func.func @f(%v: f32, %i: index) -> f32 { %a = memref.alloc() : memref<4xf32, #gpu.address_space<private>>
memref.store %v, %a[%i] : memref<4xf32, #gpu.address_space<private>>
gpu.barrier
%c0 = arith.constant 0 : index
%x = memref.load %a[%c0] : memref<4xf32, #gpu.address_space<private>>
return %x : f32 }
// -----
// allocated-tensor-in-another-memory-space
func.func @f(%v: f32) -> f32 { %c0 = arith.constant 0 : index
%a = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
%b = tensor.insert %v into %a[%c0] : tensor<4xf32>
%x = tensor.extract %b[%c0] : tensor<4xf32>
return %x : f32 }
// =>
func.func @f(%v: f32) -> f32 { %c0 = arith.constant 0 : index
%a = memref.alloc() : memref<4xf32, 5>
memref.store %v, %a[%c0] : memref<4xf32, 5>
%x = memref.load %a[%c0] : memref<4xf32, 5>
return %x : f32 }
// -----
// flag-kept-where-its-sum-is-discarded
func.func @f(%a: i32, %b: i32, %c: i1) -> i32 { %u = arith.muli %a, %b overflow<nuw> : i32
%v = arith.muli %a, %b : i32
%s = arith.select %c, %u, %a : i32
%w = arith.addi %v, %s : i32
return %w : i32 }
// =>
func.func @f(%a: i32, %b: i32, %c: i1) -> i32 { %u = arith.muli %a, %b overflow<nuw> : i32
%s = arith.select %c, %u, %a : i32
%w = arith.addi %u, %s : i32
return %w : i32 }
// -----
// condition-that-may-be-poison-becomes-or
func.func @f(%a: i32, %b: i32, %c: i1) -> i1 { %u = arith.addi %a, %b overflow<nsw> : i32
%z = arith.constant 0 : i32
%p = arith.cmpi slt, %u, %z : i32
%t = arith.constant true
%v = arith.select %c, %t, %p : i1
return %v : i1 }
// =>
func.func @f(%a: i32, %b: i32, %c: i1) -> i1 { %u = arith.addi %a, %b overflow<nsw> : i32
%z = arith.constant 0 : i32
%p = arith.cmpi slt, %u, %z : i32
%v = arith.ori %p, %c : i1
return %v : i1 }
// -----
// vector-extract-dynamic-poison-selected
func.func @f(%v: vector<4xi1>, %i: index, %c: i1) -> i1 { %p = vector.extract %v[%i] : i1 from vector<4xi1>
%f = arith.constant false
%r = arith.select %c, %p, %f : i1
return %r : i1 }
// =>
func.func @f(%v: vector<4xi1>, %i: index, %c: i1) -> i1 { %p = vector.extract %v[%i] : i1 from vector<4xi1>
%r = arith.andi %c, %p : i1
return %r : i1 }
// -----
// loop-bound-reloaded
func.func @f(%m: memref<1xindex>, %o: memref<?xf32>, %v: f32) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
%n = memref.load %m[%c0] : memref<1xindex>
scf.for %i = %c0 to %n step %c1 { memref.store %c1, %m[%c0] : memref<1xindex>
memref.store %v, %o[%i] : memref<?xf32> }
return }
// =>
func.func @f(%m: memref<1xindex>, %o: memref<?xf32>, %v: f32) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
%r = scf.while (%i = %c0) : (index) -> index { %n = memref.load %m[%c0] : memref<1xindex>
%c = arith.cmpi slt, %i, %n : index
scf.condition(%c) %i : index } do { ^bb0(%i: index): memref.store %c1, %m[%c0] : memref<1xindex>
memref.store %v, %o[%i] : memref<?xf32>
%j = arith.addi %i, %c1 : index
scf.yield %j : index }
return }
// -----
// clone-freed-and-source-freed-in-branch
func.func @f(%c: i1) -> f32 { %c0 = arith.constant 0 : index %z = arith.constant 0.0 : f32
%a = memref.alloc() : memref<4xf32>
linalg.fill ins(%z : f32) outs(%a : memref<4xf32>)
%v = memref.load %a[%c0] : memref<4xf32>
return %v : f32 }
// =>
func.func @f(%c: i1) -> f32 { %c0 = arith.constant 0 : index %z = arith.constant 0.0 : f32
%a = memref.alloc() : memref<4xf32>
linalg.fill ins(%z : f32) outs(%a : memref<4xf32>)
%b = scf.if %c -> memref<4xf32> { scf.yield %a : memref<4xf32> } else { %k = bufferization.clone %a : memref<4xf32> to memref<4xf32>
scf.yield %k : memref<4xf32> }
%v = memref.load %b[%c0] : memref<4xf32>
memref.dealloc %b : memref<4xf32>
memref.dealloc %a : memref<4xf32>
return %v : f32 }
// -----
// recursion-base-returns-other
func.func private @g(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index) -> tensor<4xf32> { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
%c = arith.cmpi eq, %n, %c0 : index
%r = scf.if %c -> tensor<4xf32> { scf.yield %t : tensor<4xf32> } else { %k = arith.subi %n, %c1 : index
%x = func.call @g(%u, %t, %k) : (tensor<4xf32>, tensor<4xf32>, index) -> tensor<4xf32>
scf.yield %x : tensor<4xf32> }
return %r : tensor<4xf32> }
// =>
func.func private @g(%t: memref<4xf32>, %u: memref<4xf32>, %n: index) -> memref<4xf32> { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
%c = arith.cmpi eq, %n, %c0 : index
%r = scf.if %c -> memref<4xf32> { scf.yield %t : memref<4xf32> } else { %k = arith.subi %n, %c1 : index
%x = func.call @g(%t, %u, %k) : (memref<4xf32>, memref<4xf32>, index) -> memref<4xf32>
scf.yield %x : memref<4xf32> }
return %r : memref<4xf32> }
// -----
// atomic-in-parallel-results-used
func.func @f(%m: memref<1xi32>, %o: memref<8xi32>, %v: i32) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c8 = arith.constant 8 : index
scf.for %i = %c0 to %c8 step %c1 { %x = memref.atomic_rmw addi %v, %m[%c0] : (i32, memref<1xi32>) -> i32
memref.store %x, %o[%i] : memref<8xi32> }
return }
// =>
func.func @f(%m: memref<1xi32>, %o: memref<8xi32>, %v: i32) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c8 = arith.constant 8 : index
scf.parallel (%i) = (%c0) to (%c8) step (%c1) { %x = memref.atomic_rmw addi %v, %m[%c0] : (i32, memref<1xi32>) -> i32
memref.store %x, %o[%i] : memref<8xi32> }
return }
// -----
// tensor-nsw-beside-a-plain-one
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) { %u = arith.addi %a, %b overflow<nsw> : tensor<4xi32>
%v = arith.addi %a, %b : tensor<4xi32>
return %u, %v : tensor<4xi32>, tensor<4xi32> }
// =>
func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) { %u = arith.addi %a, %b overflow<nsw> : tensor<4xi32>
return %u, %u : tensor<4xi32>, tensor<4xi32> }
// -----
// shift-nuw-beside-a-plain-one
func.func @f(%a: i32) -> (i32, i32) { %c = arith.constant 3 : i32
%u = arith.shli %a, %c overflow<nuw> : i32
%v = arith.shli %a, %c : i32
return %u, %v : i32, i32 }
// =>
func.func @f(%a: i32) -> (i32, i32) { %c = arith.constant 3 : i32
%u = arith.shli %a, %c overflow<nuw> : i32
return %u, %u : i32, i32 }
// -----
// trunc-nsw-beside-a-plain-one
func.func @f(%a: i32) -> (i8, i8) { 
%u = arith.trunci %a overflow<nsw> : i32 to i8
%v = arith.trunci %a : i32 to i8
return %u, %v : i8, i8 }
// =>
func.func @f(%a: i32) -> (i8, i8) { 
%u = arith.trunci %a overflow<nsw> : i32 to i8
return %u, %u : i8, i8 }
// -----
// sum-exchanged-operands-nsw-beside-plain
func.func @f(%a: i32, %b: i32) -> (i32, i32) { 
%u = arith.addi %a, %b overflow<nsw> : i32
%v = arith.addi %b, %a : i32
return %u, %v : i32, i32 }
// =>
func.func @f(%a: i32, %b: i32) -> (i32, i32) { 
%u = arith.addi %a, %b overflow<nsw> : i32
return %u, %u : i32, i32 }
// -----
// promise-of-a-call-whose-result-is-not-used
func.func private @g(memref<4xf32>, memref<4xf32>) -> i32
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { %r = call @g(%a, %b) : (memref<4xf32>, memref<4xf32>) -> i32
return }
// =>
func.func private @g(memref<4xf32>, memref<4xf32>) -> i32
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) { %r = "func.call"(%a, %b) <{callee = @g, arg_attrs = [{llvm.noalias}, {}]}> : (memref<4xf32>, memref<4xf32>) -> i32
return }
// -----
// async-local-read-before-await
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xf32>
    "memref.store"(%arg0, %1, %0) : (f32, memref<1xf32>, index) -> ()
    %2 = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      %4 = "arith.addf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%4, %1, %0) : (f32, memref<1xf32>, index) -> ()
      "async.yield"() : () -> ()
    }) : () -> !async.token
    "async.await"(%2) : (!async.token) -> ()
    %3 = "memref.load"(%1, %0) : (memref<1xf32>, index) -> f32
    "func.return"(%3) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// =>
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xf32>
    "memref.store"(%arg0, %1, %0) : (f32, memref<1xf32>, index) -> ()
    %2 = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      %4 = "arith.addf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%4, %1, %0) : (f32, memref<1xf32>, index) -> ()
      "async.yield"() : () -> ()
    }) : () -> !async.token
    %3 = "memref.load"(%1, %0) : (memref<1xf32>, index) -> f32
    "async.await"(%2) : (!async.token) -> ()
    "func.return"(%3) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// async-local-written-before-await
"builtin.module"() ({
  "func.func"() <{function_type = (f32, memref<1xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32, %arg1: memref<1xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xf32>
    "memref.store"(%arg0, %1, %0) : (f32, memref<1xf32>, index) -> ()
    %2 = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      %3 = "memref.load"(%1, %0) : (memref<1xf32>, index) -> f32
      "memref.store"(%3, %arg1, %0) : (f32, memref<1xf32>, index) -> ()
      "async.yield"() : () -> ()
    }) : () -> !async.token
    "async.await"(%2) : (!async.token) -> ()
    "memref.store"(%arg0, %1, %0) : (f32, memref<1xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// =>
"builtin.module"() ({
  "func.func"() <{function_type = (f32, memref<1xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32, %arg1: memref<1xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xf32>
    "memref.store"(%arg0, %1, %0) : (f32, memref<1xf32>, index) -> ()
    %2 = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      %3 = "memref.load"(%1, %0) : (memref<1xf32>, index) -> f32
      "memref.store"(%3, %arg1, %0) : (f32, memref<1xf32>, index) -> ()
      "async.yield"() : () -> ()
    }) : () -> !async.token
    "memref.store"(%arg0, %1, %0) : (f32, memref<1xf32>, index) -> ()
    "async.await"(%2) : (!async.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// omp-private-store
"builtin.module"() ({
  "func.func"() <{function_type = (memref<1xi32>, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<1xi32>, %arg1: i32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    "omp.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> ({
      "omp.critical"() ({
        %1 = "memref.load"(%arg0, %0) : (memref<1xi32>, index) -> i32
        %2 = "arith.addi"(%1, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "memref.store"(%2, %arg0, %0) : (i32, memref<1xi32>, index) -> ()
        "omp.terminator"() : () -> ()
      }) : () -> ()
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// =>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<1xi32>, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<1xi32>, %arg1: i32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    "omp.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> ({
      %1 = "memref.load"(%arg0, %0) : (memref<1xi32>, index) -> i32
      "omp.critical"() ({
        %2 = "arith.addi"(%1, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "memref.store"(%2, %arg0, %0) : (i32, memref<1xi32>, index) -> ()
        "omp.terminator"() : () -> ()
      }) : () -> ()
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// gpu-tokens-dropped
func.func @f(%s: memref<4xf32>, %o: memref<4xf32>, %q: memref<4xf32>) {
  %t0 = gpu.wait async
  %t2 = gpu.memcpy async [%t0] %o, %s : memref<4xf32>, memref<4xf32>
  %t3 = gpu.memcpy async [%t2] %q, %o : memref<4xf32>, memref<4xf32>
  gpu.wait [%t3]
  return
}
// =>
func.func @f(%s: memref<4xf32>, %o: memref<4xf32>, %q: memref<4xf32>) {
  %t0 = gpu.wait async
  %t2 = gpu.memcpy async [%t0] %o, %s : memref<4xf32>, memref<4xf32>
  %t3 = gpu.memcpy async [%t0] %q, %o : memref<4xf32>, memref<4xf32>
  gpu.wait [%t2, %t3]
  return
}
// -----
// unrealized-cast-alias-write-2
func.func @f(%t: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %i = builtin.unrealized_conversion_cast %t : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %i : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xf32>
  %x = memref.load %t[%c0] : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %i = builtin.unrealized_conversion_cast %t : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %i : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// pointer-local-llvm-store-moved
func.func @f(%w: f32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<4xf32>
  memref.store %w, %t[%c0] : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %t : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = memref.load %t[%c0] : memref<4xf32>
  llvm.store %v, %p : f32, !llvm.ptr
  return %x : f32
}
// =>
func.func @f(%w: f32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<4xf32>
  memref.store %w, %t[%c0] : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %t : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  llvm.store %v, %p : f32, !llvm.ptr
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// pointer-local-llvm-load-before-store
func.func @f(%w: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %t : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  memref.store %w, %t[%c0] : memref<4xf32>
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
// =>
func.func @f(%w: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %t : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  memref.store %w, %t[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// buffer-layout-attribute-broken
func.func @f(%t: tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0 * 2)>}) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  return %x : f32
}
// =>
func.func @f(%t: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %t[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// discardable-loop-attribute
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}
// =>
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  } {llvm.loop_annotation = #llvm.loop_annotation<parallelAccesses = #llvm.access_group<id = distinct[0]<>>>}
  return
}
// -----
// noalias-scope-added
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.load %b[%c0] : memref<8xf32>
  memref.store %y, %a[%c0] : memref<8xf32>
  %x = memref.load %a[%c0] : memref<8xf32>
  return %x : f32
}
// =>
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.load %b[%c0] : memref<8xf32>
  memref.store %y, %a[%c0] : memref<8xf32>
  %x = memref.load %a[%c0] {llvm.invariant} : memref<8xf32>
  return %x : f32
}
// -----
// scf-parallel-mapping-added
func.func @f(%a: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %a[%i] : memref<8xf32>
  }
  return
}
// =>
func.func @f(%a: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
// -----
// linalg-lowering-attribute-added
func.func @f(%a: memref<8xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  return
}
// =>
func.func @f(%a: memref<8xf32>, %v: f32) {
  linalg.fill {some.promise = 4 : i64} ins(%v : f32) outs(%a : memref<8xf32>)
  return
}
// -----
// func-call-attribute-added
func.func private @g(f32)
func.func @f(%v: f32) {
  func.call @g(%v) : (f32) -> ()
  return
}
// =>
func.func private @g(f32)
func.func @f(%v: f32) {
  func.call @g(%v) {llvm.nounwind} : (f32) -> ()
  return
}
// -----
// read-only-buffer-written
func.func @f(%t: tensor<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// =>
func.func @f(%t: tensor<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// ub-unreachable-in-branch
func.func @f(%p: i1, %v: f32) -> f32 {
  cf.cond_br %p, ^a, ^b
^a:
  return %v : f32
^b:
  %z = arith.constant 0.0 : f32
  return %z : f32
}
// =>
func.func @f(%p: i1, %v: f32) -> f32 {
  cf.cond_br %p, ^a, ^b
^a:
  return %v : f32
^b:
  ub.unreachable
}
// -----
// llvm-assume-added
func.func @f(%p: i1, %v: f32) -> f32 {
  return %v : f32
}
// =>
"builtin.module"() ({
  "func.func"() <{function_type = (i1, f32) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: f32):
    "llvm.intr.assume"(%arg0) <{op_bundle_sizes = array<i32>}> : (i1) -> ()
    "func.return"(%arg1) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// llvm-assume-other
"builtin.module"() ({
  "func.func"() <{function_type = (i1, i1, f32) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: i1, %arg2: f32):
    "llvm.intr.assume"(%arg0) <{op_bundle_sizes = array<i32>}> : (i1) -> ()
    "func.return"(%arg2) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// =>
"builtin.module"() ({
  "func.func"() <{function_type = (i1, i1, f32) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: i1, %arg2: f32):
    "llvm.intr.assume"(%arg1) <{op_bundle_sizes = array<i32>}> : (i1) -> ()
    "func.return"(%arg2) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// nsw-hoisted-and-branched-on
func.func @f(%p: i1, %x: i32, %v: i32) -> i32 {
  %r = scf.if %p -> i32 {
    %y = arith.addi %x, %v overflow<nsw> : i32
    scf.yield %y : i32
  } else { scf.yield %x : i32 }
  return %r : i32
}
// =>
func.func @f(%p: i1, %x: i32, %v: i32) -> i32 {
  %y = arith.addi %x, %v overflow<nsw> : i32
  %c = arith.cmpi eq, %y, %x : i32
  %r = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    %s = arith.select %p, %y, %x : i32
    scf.yield %s : i32 }
  return %r : i32
}
// -----
// fastmath-in-one-branch-only
func.func @f(%p: i1, %x: f32, %v: f32) -> f32 {
  %r = scf.if %p -> f32 {
    %y = arith.mulf %x, %v fastmath<nnan> : f32
    scf.yield %y : f32
  } else {
    %y = arith.mulf %x, %v : f32
    scf.yield %y : f32 }
  return %r : f32
}
// =>
func.func @f(%p: i1, %x: f32, %v: f32) -> f32 {
  %y = arith.mulf %x, %v fastmath<nnan> : f32
  return %y : f32
}
// -----
// ignored-argument-branched-on
func.func private @g(%t: tensor<4xi1>, %v: f32) -> f32 {
  return %v : f32 }
func.func @f(%v: f32) -> f32 {
  %e = tensor.empty() : tensor<4xi1>
  %x = func.call @g(%e, %v) : (tensor<4xi1>, f32) -> f32
  return %x : f32
}
// =>
func.func private @g(%t: memref<4xi1>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %p = memref.load %t[%c0] : memref<4xi1>
  %r = scf.if %p -> f32 { scf.yield %v : f32 } else { scf.yield %v : f32 }
  return %r : f32 }
func.func @f(%v: f32) -> f32 {
  %e = memref.alloca() : memref<4xi1>
  %x = func.call @g(%e, %v) : (memref<4xi1>, f32) -> f32
  return %x : f32
}
// -----
// ignored-argument-written-by-callee-constant
func.func private @g(%t: tensor<4xi32>, %v: i32) -> i32 {
  return %v : i32 }
func.func @f(%v: i32) -> i32 {
  %e = arith.constant dense<7> : tensor<4xi32>
  %x = func.call @g(%e, %v) : (tensor<4xi32>, i32) -> i32
  return %x : i32
}
// =>
memref.global "private" constant @e : memref<4xi32> = dense<7>
func.func private @g(%t: memref<4xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<4xi32>
  return %v : i32 }
func.func @f(%v: i32) -> i32 {
  %e = memref.get_global @e : memref<4xi32>
  %x = func.call @g(%e, %v) : (memref<4xi32>, i32) -> i32
  return %x : i32
}
// -----
// callee-restores-argument-but-reads-other-alias-between
func.func private @g(%a: tensor<4xf32>, %b: tensor<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %b[%c0] : tensor<4xf32>
  return %x : f32 }
func.func @f(%t: tensor<4xf32>, %v: f32) -> f32 {
  %x = func.call @g(%t, %t, %v) : (tensor<4xf32>, tensor<4xf32>, f32) -> f32
  return %x : f32
}
// =>
func.func private @g(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %o = memref.load %a[%c0] : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %x = memref.load %b[%c0] : memref<4xf32>
  memref.store %o, %a[%c0] : memref<4xf32>
  return %x : f32 }
func.func @f(%t: memref<4xf32>, %v: f32) -> f32 {
  %x = func.call @g(%t, %t, %v) : (memref<4xf32>, memref<4xf32>, f32) -> f32
  return %x : f32
}
// -----
// arena-view-offset-overlap-by-one
func.func @f(%a: memref<4xf32>, %o: memref<4xf32>, %q: memref<4xf32>) {
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  memref.copy %a, %q : memref<4xf32> to memref<4xf32>
  return
}
// =>
func.func @f(%a: memref<4xf32>, %o: memref<4xf32>, %q: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
  %x = memref.view %m[%c0][] : memref<64xi8> to memref<4xf32>
  %y = memref.view %m[%c12][] : memref<64xi8> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%z : f32) outs(%y : memref<4xf32>)
  memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  memref.copy %x, %q : memref<4xf32> to memref<4xf32>
  return
}
// -----
// arena-i1-packed
func.func @f(%a: memref<16xi1>, %o: memref<16xi1>) {
  memref.copy %a, %o : memref<16xi1> to memref<16xi1>
  return
}
// =>
func.func @f(%a: memref<16xi1>, %o: memref<16xi1>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<2xi8>
  %x = memref.view %m[%c0][] : memref<2xi8> to memref<16xi1>
  memref.copy %a, %x : memref<16xi1> to memref<16xi1>
  memref.copy %x, %o : memref<16xi1> to memref<16xi1>
  return
}
// -----
// arena-index-as-four-bytes
func.func @f(%a: memref<4xindex>, %o: memref<4xindex>) {
  memref.copy %a, %o : memref<4xindex> to memref<4xindex>
  return
}
// =>
func.func @f(%a: memref<4xindex>, %o: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<16xi8>
  %x = memref.view %m[%c0][] : memref<16xi8> to memref<4xindex>
  memref.copy %a, %x : memref<4xindex> to memref<4xindex>
  memref.copy %x, %o : memref<4xindex> to memref<4xindex>
  return
}
// -----
// recursion-with-buffer-shared-between-levels
func.func private @g(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> f32 { scf.yield %v : f32 } else {
    %m = arith.subi %n, %c1 : index
    %w = arith.mulf %v, %v : f32
    %x = func.call @g(%m, %w) : (index, f32) -> f32
    %y = arith.addf %x, %w : f32
    scf.yield %y : f32 }
  return %r : f32 }
func.func @f(%n: index, %v: f32) -> f32 {
  %x = func.call @g(%n, %v) : (index, f32) -> f32
  return %x : f32
}
// =>
memref.global "private" @s : memref<f32> = uninitialized
func.func private @g(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.get_global @s : memref<f32>
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> f32 { scf.yield %v : f32 } else {
    %m = arith.subi %n, %c1 : index
    %w = arith.mulf %v, %v : f32
    memref.store %w, %s[] : memref<f32>
    %x = func.call @g(%m, %w) : (index, f32) -> f32
    %l = memref.load %s[] : memref<f32>
    %y = arith.addf %x, %l : f32
    scf.yield %y : f32 }
  return %r : f32 }
func.func @f(%n: index, %v: f32) -> f32 {
  %x = func.call @g(%n, %v) : (index, f32) -> f32
  return %x : f32
}
// -----
// loop-frees-guarded-by-first-iteration-wrong-start
func.func @f(%n: index, %v: f32, %a: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.load %a[] : memref<f32>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%x = %b) -> (f32) {
    %y = arith.mulf %x, %v : f32
    scf.yield %y : f32
  }
  return %r : f32
}
// =>
func.func @f(%n: index, %v: f32, %a: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %r, %o = scf.for %i = %c1 to %n step %c1 iter_args(%x = %a, %own = %false) -> (memref<f32>, i1) {
    %d = memref.alloc() : memref<f32>
    %l = memref.load %x[] : memref<f32>
    %y = arith.mulf %l, %v : f32
    memref.store %y, %d[] : memref<f32>
    %p = arith.cmpi ne, %i, %c0 : index
    scf.if %p { memref.dealloc %x : memref<f32> }
    scf.yield %d, %true : memref<f32>, i1
  }
  %q = memref.load %r[] : memref<f32>
  scf.if %o { memref.dealloc %r : memref<f32> }
  return %q : f32
}
// -----
// parallel-tiles-overlap-at-the-rest
func.func @f(%a: memref<10xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c4 {
    %k = affine.min affine_map<(d)->(d, 6)>(%i)
    %s = memref.subview %a[%k][4][1] : memref<10xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%s : memref<4xf32, strided<[1], offset: ?>>) { ^bb0(%x: f32): 
      %y = arith.mulf %x, %v : f32
      linalg.yield %y : f32 }
  }
  return
}
// =>
func.func @f(%a: memref<10xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c4) {
    %k = affine.min affine_map<(d)->(d, 6)>(%i)
    %s = memref.subview %a[%k][4][1] : memref<10xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps=[affine_map<(i)->(i)>], iterator_types=["parallel"]} outs(%s : memref<4xf32, strided<[1], offset: ?>>) { ^bb0(%x: f32): 
      %y = arith.mulf %x, %v : f32
      linalg.yield %y : f32 }
  }
  return
}
// -----
// callee-frees-argument-under-condition
func.func private @g(%a: f32, %p: i1) -> f32 {
  return %a : f32 }
func.func @f(%a: f32, %p: i1) -> f32 {
  %x = func.call @g(%a, %p) : (f32, i1) -> f32
  return %x : f32
}
// =>
func.func private @h(%m: memref<f32>, %p: i1) -> f32 {
  %x = memref.load %m[] : memref<f32>
  scf.if %p { memref.dealloc %m : memref<f32> }
  return %x : f32 }
func.func private @g(%a: f32, %p: i1) -> f32 {
  return %a : f32 }
func.func @f(%a: f32, %p: i1) -> f32 {
  %m = memref.alloc() : memref<f32>
  memref.store %a, %m[] : memref<f32>
  %x = func.call @h(%m, %p) : (memref<f32>, i1) -> f32
  return %x : f32
}
// -----
// strided-copy-through-larger-stride-argument
func.func @f(%a: memref<4xf32, strided<[?], offset: ?>>, %v: f32) {
  %c1 = arith.constant 1 : index
  memref.store %v, %a[%c1] : memref<4xf32, strided<[?], offset: ?>>
  return
}
// =>
func.func @f(%a: memref<4xf32, strided<[?], offset: ?>>, %v: f32) {
  %c1 = arith.constant 1 : index
  %b = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  memref.store %v, %b[%c1] : memref<4xf32>
  return
}
// -----
// address-arithmetic-compare
func.func @f(%a: memref<4xf32>, %x: f32, %y: f32) -> f32 {
  %c = arith.constant 63 : index
  %z = arith.constant 0 : index
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %j = arith.andi %i, %c : index
  %p = arith.cmpi eq, %j, %z : index
  %r = arith.select %p, %x, %y : f32
  return %r : f32
}
// =>
func.func @f(%a: memref<4xf32>, %x: f32, %y: f32) -> f32 {
  %c = arith.constant 63 : index
  %z = arith.constant 0 : index
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %j = arith.andi %i, %c : index
  %p = arith.cmpi eq, %j, %z : index
  %r = arith.select %p, %x, %y : f32
  return %x : f32
}
// -----
// global-external-becomes-defined
memref.global @g : memref<4xf32>
func.func @f() -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<4xf32>
  %x = memref.load %g[%c0] : memref<4xf32>
  return %x : f32
}
// =>
memref.global @g : memref<4xf32> = uninitialized
func.func @f() -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<4xf32>
  %x = memref.load %g[%c0] : memref<4xf32>
  return %x : f32
}
// -----
// shape-func-body
func.func @g(%a: i32) -> i32 { return %a : i32 }
shape.function_library @lib {
  shape.func @s(%a: !shape.value_shape) -> !shape.shape {
    %0 = shape.shape_of %a : !shape.value_shape -> !shape.shape
    shape.return %0 : !shape.shape
  }
} mapping { g = @s }
// =>
func.func @g(%a: i32) -> i32 { return %a : i32 }
shape.function_library @lib {
  shape.func @s(%a: !shape.value_shape) -> !shape.shape {
    %0 = shape.shape_of %a : !shape.value_shape -> !shape.shape
    shape.return %0 : !shape.shape
  }
} mapping { h = @s }
// -----
// part-of-an-arena-less-aligned-than-it
func.func @f(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %b = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %v = vector.load %b[%c0] {alignment = 64 : i64} : memref<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
// =>
func.func @f(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<128xi8>
  %b = memref.view %m[%c16][] : memref<128xi8> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %v = vector.load %b[%c0] {alignment = 64 : i64} : memref<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
// -----
// result-is-part-of-an-arena-less-aligned
func.func @f(%a: memref<8xf32>) -> memref<8xf32> {
  %b = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}
// =>
func.func @f(%a: memref<8xf32>) -> memref<8xf32> {
  %c16 = arith.constant 16 : index
  %m = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %b = memref.view %m[%c16][] : memref<128xi8> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}
// -----
// assume-alignment-of-part-of-an-arena
func.func @f(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %b = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.assume_alignment %b, 64 : memref<8xf32>
  %v = vector.load %d[%c0] : memref<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
// =>
func.func @f(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<128xi8>
  %b = memref.view %m[%c4][] : memref<128xi8> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.assume_alignment %b, 64 : memref<8xf32>
  %v = vector.load %d[%c0] : memref<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
// -----
// subview-at-offset-promises-alignment
func.func @f(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %b = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %v = vector.load %b[%c0] {alignment = 64 : i64} : memref<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
// =>
func.func @f(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<2x12xf32>
  %b = memref.subview %m[1, 0] [1, 8] [1, 1] : memref<2x12xf32> to memref<8xf32, strided<[1], offset: 12>>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32, strided<[1], offset: 12>>
  %v = vector.load %b[%c0] {alignment = 64 : i64} : memref<8xf32, strided<[1], offset: 12>>, vector<8xf32>
  return %v : vector<8xf32>
}
// -----
// borrowed-from-a-or-one-of-two-and-written-before-a-is-read
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a) -> (memref<f32>) {
    %s = scf.if %k -> (memref<f32>) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d : memref<f32>
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t : memref<f32>
    }
    scf.yield %s : memref<f32>
  }
  %e = memref.load %r[] : memref<f32>
  %q = memref.load %a[] : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// =>
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a, %own = %false) -> (memref<f32>, i1) {
    %s, %f = scf.if %k -> (memref<f32>, i1) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d, %true : memref<f32>, i1
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t, %false : memref<f32>, i1
    }
    scf.if %own { memref.dealloc %y : memref<f32> }
    scf.yield %s, %f : memref<f32>, i1
  }
  %e = memref.load %r[] : memref<f32>
  memref.store %v, %r[] : memref<f32>
  %q = memref.load %a[] : memref<f32>
  scf.if %o { memref.dealloc %r : memref<f32> }
  memref.dealloc %a : memref<f32>
  memref.dealloc %b : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// -----
// borrowed-from-a-or-one-of-two-and-written-before-b-is-read
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a) -> (memref<f32>) {
    %s = scf.if %k -> (memref<f32>) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d : memref<f32>
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t : memref<f32>
    }
    scf.yield %s : memref<f32>
  }
  %e = memref.load %r[] : memref<f32>
  %q = memref.load %b[] : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// =>
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a, %own = %false) -> (memref<f32>, i1) {
    %s, %f = scf.if %k -> (memref<f32>, i1) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d, %true : memref<f32>, i1
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t, %false : memref<f32>, i1
    }
    scf.if %own { memref.dealloc %y : memref<f32> }
    scf.yield %s, %f : memref<f32>, i1
  }
  %e = memref.load %r[] : memref<f32>
  memref.store %v, %r[] : memref<f32>
  %q = memref.load %b[] : memref<f32>
  scf.if %o { memref.dealloc %r : memref<f32> }
  memref.dealloc %a : memref<f32>
  memref.dealloc %b : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// -----
// borrowed-from-a-or-one-of-two-and-b-freed-before
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a) -> (memref<f32>) {
    %s = scf.if %k -> (memref<f32>) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d : memref<f32>
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t : memref<f32>
    }
    scf.yield %s : memref<f32>
  }
  %e = memref.load %r[] : memref<f32>
  %q = memref.load %a[] : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// =>
func.func @f(%a0: memref<f32>, %b0: memref<f32>, %p: i1, %k: i1, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<f32>
  memref.copy %a0, %a : memref<f32> to memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %b0, %b : memref<f32> to memref<f32>
  %r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a, %own = %false) -> (memref<f32>, i1) {
    %s, %f = scf.if %k -> (memref<f32>, i1) {
      %l = memref.load %y[] : memref<f32>
      %w = arith.mulf %l, %v : f32
      %d = memref.alloc() : memref<f32>
      memref.store %w, %d[] : memref<f32>
      scf.yield %d, %true : memref<f32>, i1
    } else {
      %t = arith.select %p, %a, %b : memref<f32>
      scf.yield %t, %false : memref<f32>, i1
    }
    scf.if %own { memref.dealloc %y : memref<f32> }
    scf.yield %s, %f : memref<f32>, i1
  }
  memref.dealloc %b : memref<f32>
  %e = memref.load %r[] : memref<f32>
  %q = memref.load %a[] : memref<f32>
  scf.if %o { memref.dealloc %r : memref<f32> }
  memref.dealloc %a : memref<f32>
  %z = arith.subf %e, %q : f32
  return %z : f32
}
// -----
// loop-owns-a-freed-buffer-that-it-does-not-read
func.func @f(%n: index, %v: f32) -> f32 {
  return %v : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %g = memref.alloc() : memref<f32>
  memref.dealloc %g : memref<f32>
  %r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %g, %own = %true) -> (memref<f32>, i1) {
    scf.if %own { memref.dealloc %y : memref<f32> }
    %d = memref.alloc() : memref<f32>
    memref.store %v, %d[] : memref<f32>
    scf.yield %d, %true : memref<f32>, i1
  }
  scf.if %o { memref.dealloc %r : memref<f32> }
  return %v : f32
}
// -----
// loop-owns-an-argument-that-it-does-not-read
func.func @f(%n: index, %v: f32, %g: memref<f32>) -> f32 {
  return %v : f32
}
// =>
func.func @f(%n: index, %v: f32, %g: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r, %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %g, %own = %true) -> (memref<f32>, i1) {
    scf.if %own { memref.dealloc %y : memref<f32> }
    %d = memref.alloc() : memref<f32>
    memref.store %v, %d[] : memref<f32>
    scf.yield %d, %true : memref<f32>, i1
  }
  scf.if %o { memref.dealloc %r : memref<f32> }
  return %v : f32
}
// -----
// places-in-merged-dimensions-of-other-rows
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<1x2x3xf32>) -> memref<1x2x3xf32> {
  %o = memref.alloc() : memref<1x2x3xf32>
  %x = memref.collapse_shape %a [[0, 1], [2]] : memref<1x2x3xf32> into memref<2x3xf32>
  %y = memref.collapse_shape %o [[0, 1], [2]] : memref<1x2x3xf32> into memref<2x3xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : memref<2x3xf32>) outs(%y : memref<2x3xf32>) {
  ^bb0(%p: f32, %q: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %k = arith.muli %i, %c3 : index
    %l = arith.addi %k, %j : index
    %n = arith.index_cast %l : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  }
  return %o : memref<1x2x3xf32>
}
// =>
#m = affine_map<(i) -> (i)>
func.func @f(%a: memref<1x2x3xf32>) -> memref<1x2x3xf32> {
  %o = memref.alloc() : memref<1x2x3xf32>
  %x = memref.collapse_shape %a [[0, 1, 2]] : memref<1x2x3xf32> into memref<6xf32>
  %y = memref.collapse_shape %o [[0, 1, 2]] : memref<1x2x3xf32> into memref<6xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%x : memref<6xf32>) outs(%y : memref<6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %l = linalg.index 0 : index
    %c1 = arith.constant 1 : index
    %w = arith.addi %l, %c1 : index
    %n = arith.index_cast %w : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  }
  return %o : memref<1x2x3xf32>
}
// -----
// arena-of-constant-and-dynamic-regions-that-meet
func.func @f(%a: memref<8xf32>, %b: memref<?xf32>) -> (memref<8xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %b, %c0 : memref<?xf32>
  %o = memref.alloc() : memref<8xf32>
  %q = memref.alloc(%d) : memref<?xf32>
  memref.copy %a, %o : memref<8xf32> to memref<8xf32>
  memref.copy %b, %q : memref<?xf32> to memref<?xf32>
  return %o, %q : memref<8xf32>, memref<?xf32>
}
// =>
func.func @f(%a: memref<8xf32>, %b: memref<?xf32>) -> (memref<8xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %d = memref.dim %b, %c0 : memref<?xf32>
  %o = memref.alloc() : memref<8xf32>
  %q = memref.alloc(%d) : memref<?xf32>
  %e = arith.muli %d, %c4 : index
  %t = arith.addi %e, %c32 : index
  %m = memref.alloc(%t) {alignment = 64 : i64} : memref<?xi8>
  %y = memref.view %m[%c4][%d] : memref<?xi8> to memref<?xf32>
  %x = memref.view %m[%c0][] : memref<?xi8> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  memref.copy %x, %o : memref<8xf32> to memref<8xf32>
  memref.copy %y, %q : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xi8>
  return %o, %q : memref<8xf32>, memref<?xf32>
}
// -----
// arena-dynamic-regions-meet-when-other-size-is-larger
func.func @f(%a: memref<?xf32>, %n: index, %o: memref<?xf32>, %q: memref<?xf32>) {
  memref.copy %a, %o : memref<?xf32> to memref<?xf32>
  memref.copy %a, %q : memref<?xf32> to memref<?xf32>
  return
}
// =>
func.func @f(%a: memref<?xf32>, %n: index, %o: memref<?xf32>, %q: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %d = memref.dim %a, %c0 : memref<?xf32>
  %b = arith.muli %n, %c4 : index
  %e = arith.muli %d, %c4 : index
  %t = arith.addi %b, %e : index
  %m = memref.alloc(%t) {alignment = 64 : i64} : memref<?xi8>
  %x = memref.view %m[%c0][%d] : memref<?xi8> to memref<?xf32>
  %y = memref.view %m[%b][%d] : memref<?xi8> to memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  linalg.fill ins(%z : f32) outs(%y : memref<?xf32>)
  memref.copy %x, %o : memref<?xf32> to memref<?xf32>
  memref.copy %x, %q : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xi8>
  return
}
// -----
// arena-region-under-another-type-read
func.func @f(%a: memref<8xf32>, %o: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
// =>
func.func @f(%a: memref<8xf32>, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = memref.alloc() {alignment = 64 : i64} : memref<48xi8>
  %b = memref.view %m[%c16][] : memref<48xi8> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %j = memref.view %m[%c16][] : memref<48xi8> to memref<4xi64>
  %c7 = arith.constant 7 : i64
  memref.store %c7, %j[%c0] : memref<4xi64>
  memref.copy %b, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<48xi8>
  return
}
// -----
// callee-of-callee-branches-on-uninitialized
func.func private @h(%p: i1, %v: f32) -> f32 { return %v : f32 }
func.func private @g(%p: i1, %v: f32) -> f32 { %x = func.call @h(%p, %v) : (i1, f32) -> f32
 return %x : f32 }
func.func @f(%v: f32) -> f32 {
  %e = tensor.empty() : tensor<i1>
  %n = tensor.extract %e[] : tensor<i1>
  %x = func.call @g(%n, %v) : (i1, f32) -> f32
  return %x : f32
}
// =>
func.func private @h(%p: i1, %v: f32) -> f32 { scf.if %p { }
 return %v : f32 }
func.func private @g(%p: i1, %v: f32) -> f32 { %x = func.call @h(%p, %v) : (i1, f32) -> f32
 return %x : f32 }
func.func @f(%v: f32) -> f32 {
  %e = memref.alloca() : memref<i1>
  %n = memref.load %e[] : memref<i1>
  %x = func.call @g(%n, %v) : (i1, f32) -> f32
  return %x : f32
}
// -----
// cotangents-not-copied
func.func private @g(tensor<3xf64>, tensor<3xf64>) -> tensor<4xf64>
func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>, %c: tensor<4xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %d:2 = gradient.backprop @g(%x, %y) cotangents(%c : tensor<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = false, resultSegmentSizes = array<i32: 0, 2>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %d#0, %d#1 : tensor<3xf64>, tensor<3xf64>
}
// =>
func.func private @g(memref<3xf64>, memref<3xf64>) -> memref<4xf64>
func.func @f(%x: memref<3xf64>, %y: memref<3xf64>, %c: memref<4xf64>) -> (memref<3xf64>, memref<3xf64>) {
  %b = memref.alloc() : memref<4xf64>
  %p = memref.alloc() : memref<3xf64>
  %q = memref.alloc() : memref<3xf64>
  %r = memref.alloc() : memref<4xf64>
  gradient.backprop @g(%x, %y) grad_out(%p, %q : memref<3xf64>, memref<3xf64>) callee_out(%r : memref<4xf64>) cotangents(%b : memref<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = false, resultSegmentSizes = array<i32: 0, 0>} : (memref<3xf64>, memref<3xf64>) -> ()
  return %p, %q : memref<3xf64>, memref<3xf64>
}
// -----
// gradient-in-one-buffer-for-both
func.func private @g(tensor<3xf64>, tensor<3xf64>) -> tensor<4xf64>
func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>, %c: tensor<4xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %d:2 = gradient.backprop @g(%x, %y) cotangents(%c : tensor<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = false, resultSegmentSizes = array<i32: 0, 2>} : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %d#0, %d#1 : tensor<3xf64>, tensor<3xf64>
}
// =>
func.func private @g(memref<3xf64>, memref<3xf64>) -> memref<4xf64>
func.func @f(%x: memref<3xf64>, %y: memref<3xf64>, %c: memref<4xf64>) -> (memref<3xf64>, memref<3xf64>) {
  %b = memref.alloc() : memref<4xf64>
  memref.copy %c, %b : memref<4xf64> to memref<4xf64>
  %p = memref.alloc() : memref<3xf64>
  %q = memref.alloc() : memref<3xf64>
  %r = memref.alloc() : memref<4xf64>
  gradient.backprop @g(%x, %y) grad_out(%p, %p : memref<3xf64>, memref<3xf64>) callee_out(%r : memref<4xf64>) cotangents(%b : memref<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = false, resultSegmentSizes = array<i32: 0, 0>} : (memref<3xf64>, memref<3xf64>) -> ()
  return %p, %p : memref<3xf64>, memref<3xf64>
}
// -----
// adjoint-asks-for-another-size
func.func private @k(tensor<3xf64>) -> !quantum.reg
func.func @f(%x: tensor<3xf64>, %n: index) -> tensor<?xf64> {
  %a = gradient.adjoint @k(%x) size(%n) : (tensor<3xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
// =>
func.func private @k(memref<3xf64>) -> !quantum.reg
func.func @f(%x: memref<3xf64>, %n: index) -> memref<?xf64> {
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%n) : memref<?xf64>
  gradient.adjoint @k(%x) size(%c2) in(%m : memref<?xf64>) : (memref<3xf64>) -> ()
  return %m : memref<?xf64>
}
// -----
// conv-of-one-index-shifted
#a = affine_map<(n,f,h,w,c,k,l) -> (n,c,h+k,w+l)>
#b = affine_map<(n,f,h,w,c,k,l) -> (f,c,k,l)>
#c = affine_map<(n,f,h,w,c,k,l) -> (n,f,h,w)>
func.func @f(%x: memref<1x2x5x4xf32>, %w: memref<3x2x1x1xf32>, %o: memref<1x3x4x4xf32>) {
  linalg.generic {indexing_maps = [#a,#b,#c], iterator_types = ["parallel","parallel","parallel","parallel","reduction","reduction","reduction"]} ins(%x, %w : memref<1x2x5x4xf32>, memref<3x2x1x1xf32>) outs(%o : memref<1x3x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  }
  return
}
// =>
#a = affine_map<(n,f,h,w,c,k,l) -> (n,c,h+k+1,w+l)>
#b = affine_map<(n,f,h,w,c,k,l) -> (f,c,k,l)>
#c = affine_map<(n,f,h,w,c,k,l) -> (n,f,h,w)>
func.func @f(%x: memref<1x2x5x4xf32>, %w: memref<3x2x1x1xf32>, %o: memref<1x3x4x4xf32>) {
  linalg.generic {indexing_maps = [#a,#b,#c], iterator_types = ["parallel","parallel","parallel","parallel","reduction","reduction","reduction"]} ins(%x, %w : memref<1x2x5x4xf32>, memref<3x2x1x1xf32>) outs(%o : memref<1x3x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  }
  return
}
// -----
// attribute-only-in-other-branch
func.func @f(%p: i1, %a: memref<4xf32>, %i: index) -> f32 {
  %r = scf.if %p -> f32 {
    %x = memref.load %a[%i] {llvm.invariant} : memref<4xf32>
    scf.yield %x : f32
  } else {
    %x = memref.load %a[%i] : memref<4xf32>
    scf.yield %x : f32 }
  return %r : f32
}
// =>
func.func @f(%p: i1, %a: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] {llvm.invariant} : memref<4xf32>
  return %x : f32
}
// -----
// attribute-on-another-place
func.func @f(%a: memref<4xf32>, %i: index, %j: index) -> f32 {
  %x = memref.load %a[%i] {my.scope = 1 : i64} : memref<4xf32>
  %y = memref.load %a[%j] : memref<4xf32>
  %z = arith.subf %x, %y : f32
  return %z : f32
}
// =>
func.func @f(%a: memref<4xf32>, %i: index, %j: index) -> f32 {
  %x = memref.load %a[%i] : memref<4xf32>
  %y = memref.load %a[%j] {my.scope = 1 : i64} : memref<4xf32>
  %z = arith.subf %x, %y : f32
  return %z : f32
}
// -----
// division-of-shared-buffer
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<8xi32>) outs(%a : memref<8xi32>) { ^bb0(%x: i32, %o: i32):
    %y = arith.divsi %o, %x : i32
    linalg.yield %y : i32 }
  return
}
// =>
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  linalg.generic {indexing_maps=[affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%b : memref<8xi32>) outs(%a : memref<8xi32>) { ^bb0(%x: i32, %o: i32):
    %y = arith.divsi %x, %o : i32
    linalg.yield %y : i32 }
  return
}
// -----
// pad-claims-another-size-high
func.func @f(%a: tensor<2xf32>, %v: f32, %n: index, %m: index) -> tensor<2xf32> {
  %t = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = tensor.pad %t low[%n] high[%m] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// =>
func.func @f(%a: tensor<2xf32>, %v: f32, %n: index, %m: index) -> tensor<2xf32> {
  %t = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = tensor.pad %t low[%n] high[3] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// pad-claims-another-size-low
func.func @f(%a: tensor<2xf32>, %v: f32, %n: index, %m: index) -> tensor<2xf32> {
  %t = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = tensor.pad %t low[%n] high[%m] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// =>
func.func @f(%a: tensor<2xf32>, %v: f32, %n: index, %m: index) -> tensor<2xf32> {
  %t = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = tensor.pad %t low[1] high[%m] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// pad-claims-size-sum
func.func @f(%a: tensor<?xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  %r = tensor.pad %a low[%n] high[%n] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
// =>
func.func @f(%a: tensor<?xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  %r = tensor.pad %a low[%n] high[0] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
// -----
// pad-in-loop-claims
func.func @f(%a: tensor<2xf32>, %v: f32, %n: index, %m: index) -> tensor<2xf32> {
  %t = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = tensor.pad %t low[%m] high[%m] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// =>
func.func @f(%a: tensor<2xf32>, %v: f32, %n: index, %m: index) -> tensor<2xf32> {
  %t = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = tensor.pad %t low[%m] high[1] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// library-call-of-tensors
func.func @f(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"], library_call = "one"} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
func.func @f(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"], library_call = "two"} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// unpack-claims-size
func.func @f(%a: tensor<?x4xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<?x4xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// =>
func.func @f(%a: tensor<?x4xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %c3 = arith.constant 3 : index
  %g = tensor.empty(%c3) : tensor<?xf32>
  %r = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %g : tensor<?x4xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// reshape-lists-another-size-than-its-type
func.func @f(%t: tensor<5x?xi32>) -> tensor<5x?xi32> {
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%d = tensor.dim %t, %c1 : tensor<5x?xi32>
%s = tensor.from_elements %c5, %d : tensor<2xindex>
%r = tensor.reshape %t(%s) : (tensor<5x?xi32>, tensor<2xindex>) -> tensor<5x?xi32>
return %r : tensor<5x?xi32> }
// =>
func.func @f(%t: memref<5x?xi32>) -> memref<5x?xi32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c6 = arith.constant 6 : index
%d = memref.dim %t, %c1 : memref<5x?xi32>
%s = memref.alloc() : memref<2xindex>
memref.store %c6, %s[%c0] : memref<2xindex>
memref.store %d, %s[%c1] : memref<2xindex>
%a = memref.alloc(%d) : memref<5x?xi32>
memref.copy %t, %a : memref<5x?xi32> to memref<5x?xi32>
%r = memref.reshape %a(%s) : (memref<5x?xi32>, memref<2xindex>) -> memref<5x?xi32>
return %r : memref<5x?xi32> }
// -----
// power-dead
func.func @f(%n: i32, %q: i32) -> i32 {
return %q : i32 }
// =>
func.func @f(%n: i32, %q: i32) -> i32 {
%z = arith.constant 0 : i32
%x = math.ipowi %z, %n : i32
return %q : i32 }
// -----
// dimension-of-unknown-rank-dead
func.func @f(%m: memref<*xf32>, %q: i32) -> i32 {
return %q : i32 }
// =>
func.func @f(%m: memref<*xf32>, %q: i32) -> i32 {
%c = arith.constant 1 : index
%x = memref.dim %m, %c : memref<*xf32>
return %q : i32 }
// -----
// reshape-of-unknown-rank-dead
func.func @f(%m: memref<*xf32>, %s: memref<2xindex>, %q: i32) -> i32 {
return %q : i32 }
// =>
func.func @f(%m: memref<*xf32>, %s: memref<2xindex>, %q: i32) -> i32 {
%x = memref.reshape %m(%s) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
return %q : i32 }
// -----
// reshape-to-unknown-rank-dead
func.func @f(%m: memref<4xf32>, %s: memref<?xindex>, %q: i32) -> i32 {
return %q : i32 }
// =>
func.func @f(%m: memref<4xf32>, %s: memref<?xindex>, %q: i32) -> i32 {
%x = memref.reshape %m(%s) : (memref<4xf32>, memref<?xindex>) -> memref<*xf32>
return %q : i32 }
// -----
// gather-out-of-bounds-dead
func.func @f(%m: tensor<4xf32>, %s: tensor<2x1xindex>, %q: i32) -> i32 {
return %q : i32 }
// =>
func.func @f(%m: tensor<4xf32>, %s: tensor<2x1xindex>, %q: i32) -> i32 {
%x = tensor.gather %m[%s] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2xf32>
return %q : i32 }
// -----
// two-results-of-a-call-are-one-buffer
func.func private @g() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @f(%x: f32, %y: f32, %i: index) -> f32 {
  %r:2 = call @g() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %y, %r#1[%i] : memref<4xf32>
  memref.store %x, %r#0[%i] : memref<4xf32>
  %z = memref.load %r#1[%i] : memref<4xf32>
  return %z : f32
}
// =>
func.func private @g() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @f(%x: f32, %y: f32, %i: index) -> f32 {
  %r:2 = call @g() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %y, %r#1[%i] : memref<4xf32>
  %z = memref.load %r#1[%i] : memref<4xf32>
  memref.store %x, %r#0[%i] : memref<4xf32>
  return %z : f32
}
// -----
// callee-takes-another-number
func.func private @g(%x: i32) -> i32 { return %x : i32 }
func.func @f(%x: i32) -> i32 {
  %r = call @g(%x) : (i32) -> i32
  return %r : i32
}
// =>
func.func private @g(%x: i32, %y: i32) -> i32 { return %y : i32 }
func.func @f(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %r = call @g(%x, %c) : (i32, i32) -> i32
  return %r : i32
}
// -----
// unsigned-loop-from-a-negative-number-becomes-signed
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m1 = arith.constant -1 : index
  %r = scf.for unsigned %i = %m1 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %j = arith.andi %i, %c1 : index
    %b = tensor.insert %x into %a[%j] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m1 = arith.constant -1 : index
  %r = scf.for %i = %m1 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %j = arith.andi %i, %c1 : index
    %b = tensor.insert %x into %a[%j] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// -----
// unsigned-loop-to-a-negative-number-becomes-signed
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %r = scf.for unsigned %i = %c0 to %m1 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %j = arith.andi %i, %c1 : index
    %b = tensor.insert %x into %a[%j] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// =>
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %r = scf.for %i = %c0 to %m1 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %j = arith.andi %i, %c1 : index
    %b = tensor.insert %x into %a[%j] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
// -----
// attribute-behind-an-unimportant-one
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %z = memref.load %m[%i] : memref<4xf32>
  return %z : f32
}
// =>
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %z = memref.load %m[%i] {__inplace_operands_attr__ = ["none"], z.promise} : memref<4xf32>
  return %z : f32
}
// -----
// callee-frees-under-a-condition-and-the-caller-never
func.func private @g(%m: memref<4xf32>, %c: i1) { scf.if %c { memref.dealloc %m : memref<4xf32> } return }
func.func @f(%c: i1) { %m = memref.alloc() : memref<4xf32> call @g(%m, %c) : (memref<4xf32>, i1) -> () %t = arith.constant true %n = arith.xori %c, %t : i1 scf.if %n { memref.dealloc %m : memref<4xf32> } return }
// =>
func.func private @g(%m: memref<4xf32>, %c: i1) { scf.if %c { memref.dealloc %m : memref<4xf32> } return }
func.func @f(%c: i1) { %m = memref.alloc() : memref<4xf32> call @g(%m, %c) : (memref<4xf32>, i1) -> () return }
// -----
// store-dropped-before-a-callee-that-leaves-it
func.func private @d(%a: memref<4xf32>) { return }
func.func @f(%v: f32) -> f32 { %c0 = arith.constant 0 : index %a = memref.alloca() : memref<4xf32> memref.store %v, %a[%c0] : memref<4xf32> call @d(%a) : (memref<4xf32>) -> () %x = memref.load %a[%c0] : memref<4xf32> return %x : f32 }
// =>
func.func private @d(%a: memref<4xf32>) { return }
func.func @f(%v: f32) -> f32 { %c0 = arith.constant 0 : index %a = memref.alloca() : memref<4xf32> call @d(%a) : (memref<4xf32>) -> () %x = memref.load %a[%c0] : memref<4xf32> return %x : f32 }
// -----
// the-only-free-is-dropped
func.func @f(%v: f32) -> f32 { %c0 = arith.constant 0 : index %m = memref.alloc() : memref<4xf32> memref.store %v, %m[%c0] : memref<4xf32> %x = memref.load %m[%c0] : memref<4xf32> memref.dealloc %m : memref<4xf32> return %x : f32 }
// =>
func.func @f(%v: f32) -> f32 { %c0 = arith.constant 0 : index %m = memref.alloc() : memref<4xf32> memref.store %v, %m[%c0] : memref<4xf32> %x = memref.load %m[%c0] : memref<4xf32> return %x : f32 }
// -----
// transfer-read-out-of-a-loop-that-may-not-run
func.func @f(%t: tensor<4x?xf32>, %i: index, %n: index, %p: f32, %z: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%x = %z) -> (vector<4xf32>) {
    %0 = vector.transfer_read %t[%i, %i], %p : tensor<4x?xf32>, vector<4xf32>
    scf.yield %0 : vector<4xf32>
  }
  return %r : vector<4xf32>
}
// =>
func.func @f(%t: memref<4x?xf32>, %i: index, %n: index, %p: f32, %z: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_read %t[%i, %i], %p : memref<4x?xf32>, vector<4xf32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%x = %z) -> (vector<4xf32>) {
    scf.yield %0 : vector<4xf32>
  }
  return %r : vector<4xf32>
}
// -----
// transfer-in-bounds-where-its-mask-selects-becomes-a-load
func.func @f(%t: memref<8xf32>, %i: index, %v: f32, %k: vector<4xi1>) -> vector<4xf32> {
  %r = vector.transfer_read %t[%i], %v, %k {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %r : vector<4xf32>
}
// =>
func.func @f(%t: memref<8xf32>, %i: index, %v: f32, %k: vector<4xi1>) -> vector<4xf32> {
  %x = vector.transfer_read %t[%i], %v {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  %r = vector.transfer_read %t[%i], %v, %k {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// sum-of-tensors-of-other-sizes-out-of-a-branch
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %s = arith.addf %t, %u : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// =>
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %s = arith.addf %t, %u : tensor<?xf32>
  %r = arith.select %c, %s, %t : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// stack-buffer-of-a-size-that-is-negative-where-the-loop-does-not-run
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (f32) {
    %m = memref.alloca(%n) : memref<?xf32>
    memref.store %x, %m[%i] : memref<?xf32>
    %y = memref.load %m[%i] : memref<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
// =>
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (f32) {
    memref.store %x, %m[%i] : memref<?xf32>
    %y = memref.load %m[%i] : memref<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
// -----
// dimension-of-unknown-rank-of-a-buffer-of-known-rank-dead
func.func @f(%m: memref<8xf32>, %i: index) -> index {
  return %i : index
}
// =>
func.func @f(%m: memref<8xf32>, %i: index) -> index {
  %u = memref.cast %m : memref<8xf32> to memref<*xf32>
  %d = memref.dim %u, %i : memref<*xf32>
  return %i : index
}
// -----
// each-iteration-reads-what-all-write
func.func @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<4xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %y = arith.addf %x, %x : f32
    %z = tensor.from_elements %y : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %x = memref.load %t[%c0] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %t[%c0] : memref<4xf32>
  }
  return %t : memref<4xf32>
}
// -----
// each-iteration-of-one-dimension-reads-what-all-of-it-write
func.func @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = scf.forall (%i, %j) in (4, %n) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    %y = arith.addf %x, %x : f32
    %z = tensor.from_elements %y : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
// =>
func.func @f(%t: memref<4xf32>, %n: index) -> memref<4xf32> {
  scf.forall (%i, %j) in (4, %n) {
    %x = memref.load %t[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %t[%i] : memref<4xf32>
  }
  return %t : memref<4xf32>
}
// -----
// all-iterations-write-what-they-read-beside-it
func.func @f(%t: memref<4xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %t[%c1] : memref<4xf32>
    scf.reduce
  }
  return
}
// =>
func.func @f(%t: memref<4xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %y = memref.load %t[%c1] : memref<4xf32>
    memref.store %y, %t[%c1] : memref<4xf32>
    memref.store %x, %t[%c1] : memref<4xf32>
    scf.reduce
  }
  return
}
// -----
// callee-writes-a-tensor-in-place-whose-memref-may-alias-another
func.func private @g(%t: tensor<4xi32>, %s: tensor<4xi32>) -> tensor<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
%a = tensor.insert %v into %t[%c0] : tensor<4xi32>
%x = tensor.extract %s[%c0] : tensor<4xi32>
%b = tensor.insert %x into %a[%c1] : tensor<4xi32>
return %b : tensor<4xi32> }
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) { 
%ta = bufferization.to_tensor %a restrict : memref<4xi32> to tensor<4xi32>
%tb = bufferization.to_tensor %b restrict : memref<4xi32> to tensor<4xi32>
%r = func.call @g(%ta, %tb) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
bufferization.materialize_in_destination %r in restrict writable %a : (tensor<4xi32>, memref<4xi32>) -> ()
return }
// =>
func.func private @g(%t: memref<4xi32>, %s: memref<4xi32>) -> memref<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
memref.store %v, %t[%c0] : memref<4xi32>
%x = memref.load %s[%c0] : memref<4xi32>
memref.store %x, %t[%c1] : memref<4xi32>
return %t : memref<4xi32> }
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) { 
%r = func.call @g(%a, %b) : (memref<4xi32>, memref<4xi32>) -> memref<4xi32>
return }
// -----
// callee-writes-a-tensor-in-place-and-the-result-is-copied-to-it
func.func private @g(%t: tensor<4xi32>, %s: tensor<4xi32>) -> tensor<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
%a = tensor.insert %v into %t[%c0] : tensor<4xi32>
%x = tensor.extract %s[%c0] : tensor<4xi32>
%b = tensor.insert %x into %a[%c1] : tensor<4xi32>
return %b : tensor<4xi32> }
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) { 
%ta = bufferization.to_tensor %a : memref<4xi32> to tensor<4xi32>
%tb = bufferization.to_tensor %b : memref<4xi32> to tensor<4xi32>
%r = func.call @g(%ta, %tb) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
%m = bufferization.to_buffer %r : tensor<4xi32> to memref<4xi32>
memref.copy %m, %a : memref<4xi32> to memref<4xi32>
return }
// =>
func.func private @g(%t: memref<4xi32>, %s: memref<4xi32>) -> memref<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
memref.store %v, %t[%c0] : memref<4xi32>
%x = memref.load %s[%c0] : memref<4xi32>
memref.store %x, %t[%c1] : memref<4xi32>
return %t : memref<4xi32> }
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) { 
%r = func.call @g(%a, %b) : (memref<4xi32>, memref<4xi32>) -> memref<4xi32>
return }
// -----
// callee-writes-a-tensor-in-place-of-unknown-memory
func.func private @g(%t: tensor<4xi32>, %s: tensor<4xi32>) -> tensor<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
%a = tensor.insert %v into %t[%c0] : tensor<4xi32>
%x = tensor.extract %s[%c0] : tensor<4xi32>
%b = tensor.insert %x into %a[%c1] : tensor<4xi32>
return %b : tensor<4xi32> }
func.func private @mk() -> memref<4xi32>
func.func @f() { 
%a = call @mk() : () -> memref<4xi32>
%b = call @mk() : () -> memref<4xi32>
%ta = bufferization.to_tensor %a : memref<4xi32> to tensor<4xi32>
%tb = bufferization.to_tensor %b : memref<4xi32> to tensor<4xi32>
%r = func.call @g(%ta, %tb) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
bufferization.materialize_in_destination %r in writable %a : (tensor<4xi32>, memref<4xi32>) -> ()
return }
// =>
func.func private @g(%t: memref<4xi32>, %s: memref<4xi32>) -> memref<4xi32> { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
memref.store %v, %t[%c0] : memref<4xi32>
%x = memref.load %s[%c0] : memref<4xi32>
memref.store %x, %t[%c1] : memref<4xi32>
return %t : memref<4xi32> }
func.func private @mk() -> memref<4xi32>
func.func @f() { 
%a = call @mk() : () -> memref<4xi32>
%b = call @mk() : () -> memref<4xi32>
%r = func.call @g(%a, %b) : (memref<4xi32>, memref<4xi32>) -> memref<4xi32>
return }
// -----
// results-of-two-unknown-operations-are-one-buffer
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = "test.get"() : () -> (memref<4xi32>)
%n = "test.get"() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
memref.store %v, %n[%c0] : memref<4xi32>
return %x : i32 }
// =>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = "test.get"() : () -> (memref<4xi32>)
%n = "test.get"() : () -> (memref<4xi32>)
memref.store %v, %n[%c0] : memref<4xi32>
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// -----
// results-of-two-calls-of-a-declaration-are-one-buffer
func.func private @get() -> memref<4xi32>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = call @get() : () -> (memref<4xi32>)
%n = call @get() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
memref.store %v, %n[%c0] : memref<4xi32>
return %x : i32 }
// =>
func.func private @get() -> memref<4xi32>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = call @get() : () -> (memref<4xi32>)
%n = call @get() : () -> (memref<4xi32>)
memref.store %v, %n[%c0] : memref<4xi32>
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// -----
// result-of-a-declaration-is-memory-of-an-argument
func.func private @get() -> memref<4xi32>
func.func @f(%a: memref<4xi32>) -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = call @get() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
return %x : i32 }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%a: memref<4xi32>) -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = call @get() : () -> (memref<4xi32>)
memref.store %v, %a[%c0] : memref<4xi32>
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// -----
// result-of-a-declaration-is-a-global
memref.global "private" @gl : memref<4xi32> = dense<0>
func.func private @get() -> memref<4xi32>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.get_global @gl : memref<4xi32>
%m = call @get() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
return %x : i32 }
// =>
memref.global "private" @gl : memref<4xi32> = dense<0>
func.func private @get() -> memref<4xi32>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.get_global @gl : memref<4xi32>
%m = call @get() : () -> (memref<4xi32>)
memref.store %v, %a[%c0] : memref<4xi32>
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// -----
// result-of-a-declaration-is-memory-that-another-one-kept
func.func private @put(memref<4xi32>)
func.func private @get() -> memref<4xi32>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.alloc() : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
call @put(%a) : (memref<4xi32>) -> ()
%m = call @get() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
%w = arith.constant 8 : i32
memref.store %w, %a[%c0] : memref<4xi32>
return %x : i32 }
// =>
func.func private @put(memref<4xi32>)
func.func private @get() -> memref<4xi32>
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.alloc() : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
call @put(%a) : (memref<4xi32>) -> ()
%m = call @get() : () -> (memref<4xi32>)
%w = arith.constant 8 : i32
memref.store %w, %a[%c0] : memref<4xi32>
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// -----
// kept-memory-is-written-before-the-next-call-not-after
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f() { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.alloc() : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
call @put(%a) : (memref<4xi32>) -> ()
call @look() : () -> ()
memref.store %v, %a[%c0] : memref<4xi32>
return }
// =>
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f() { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.alloc() : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
call @put(%a) : (memref<4xi32>) -> ()
memref.store %v, %a[%c0] : memref<4xi32>
call @look() : () -> ()
return }
// -----
// kept-memory-is-written-before-the-next-call
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f() { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%a = memref.alloc() : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
call @put(%a) : (memref<4xi32>) -> ()
call @look() : () -> ()
return }
// =>
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f() { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%w = arith.constant 8 : i32
%a = memref.alloc() : memref<4xi32>
memref.store %v, %a[%c0] : memref<4xi32>
call @put(%a) : (memref<4xi32>) -> ()
memref.store %w, %a[%c0] : memref<4xi32>
call @look() : () -> ()
return }
// -----
// argument-has-other-contents-during-an-external-call
func.func private @look()
func.func @f(%a: memref<i32>) {
%w = arith.constant 8 : i32
%v = arith.constant 9 : i32
memref.store %w, %a[] : memref<i32>
call @look() : () -> ()
memref.store %v, %a[] : memref<i32>
return }
// =>
func.func private @look()
func.func @f(%a: memref<i32>) {
%w = arith.constant 8 : i32
%v = arith.constant 9 : i32
memref.store %v, %a[] : memref<i32>
call @look() : () -> ()
memref.store %v, %a[] : memref<i32>
return }
// -----
// argument-has-other-contents-during-an-indirect-call
func.func @f(%a: memref<i32>, %g: () -> ()) {
%w = arith.constant 8 : i32
%v = arith.constant 9 : i32
memref.store %w, %a[] : memref<i32>
call_indirect %g() : () -> ()
memref.store %v, %a[] : memref<i32>
return }
// =>
func.func @f(%a: memref<i32>, %g: () -> ()) {
%w = arith.constant 8 : i32
%v = arith.constant 9 : i32
memref.store %v, %a[] : memref<i32>
call_indirect %g() : () -> ()
memref.store %v, %a[] : memref<i32>
return }
// -----
// argument-has-other-contents-during-a-call-that-calls-unknown
func.func private @look()
func.func private @h() { call @look() : () -> ()
return }
func.func @f(%a: memref<i32>) {
%w = arith.constant 8 : i32
%v = arith.constant 9 : i32
memref.store %w, %a[] : memref<i32>
call @h() : () -> ()
memref.store %v, %a[] : memref<i32>
return }
// =>
func.func private @look()
func.func private @h() { call @look() : () -> ()
return }
func.func @f(%a: memref<i32>) {
%w = arith.constant 8 : i32
%v = arith.constant 9 : i32
memref.store %v, %a[] : memref<i32>
call @h() : () -> ()
memref.store %v, %a[] : memref<i32>
return }
// -----
// result-of-a-declaration-is-read-before-the-next-call
func.func private @get() -> memref<4xi32>
func.func private @look()
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%m = call @get() : () -> (memref<4xi32>)
call @look() : () -> ()
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// =>
func.func private @get() -> memref<4xi32>
func.func private @look()
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%m = call @get() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
call @look() : () -> ()
return %x : i32 }
// -----
// result-of-a-declaration-through-a-callee-is-one-buffer-twice
func.func private @get() -> memref<4xi32>
func.func private @h() -> memref<4xi32> { %m = call @get() : () -> (memref<4xi32>)
return %m : memref<4xi32> }
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = call @h() : () -> (memref<4xi32>)
%n = call @h() : () -> (memref<4xi32>)
%x = memref.load %m[%c0] : memref<4xi32>
memref.store %v, %n[%c0] : memref<4xi32>
return %x : i32 }
// =>
func.func private @get() -> memref<4xi32>
func.func private @h() -> memref<4xi32> { %m = call @get() : () -> (memref<4xi32>)
return %m : memref<4xi32> }
func.func @f() -> i32 { %c0 = arith.constant 0 : index
%v = arith.constant 7 : i32
%m = call @h() : () -> (memref<4xi32>)
%n = call @h() : () -> (memref<4xi32>)
memref.store %v, %n[%c0] : memref<4xi32>
%x = memref.load %m[%c0] : memref<4xi32>
return %x : i32 }
// -----
// loop-carries-the-result-of-a-declaration
func.func private @get() -> memref<4xi32>
func.func @f(%n: index) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
%m = call @get() : () -> (memref<4xi32>)
%z = arith.constant 0 : i32
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %m, %s = %z) -> (memref<4xi32>, i32) {
%n1 = func.call @get() : () -> (memref<4xi32>)
%x = memref.load %k[%c0] : memref<4xi32>
memref.store %v, %n1[%c0] : memref<4xi32>
%y = arith.addi %s, %x : i32
scf.yield %n1, %y : memref<4xi32>, i32 }
return %r#1 : i32 }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%n: index) -> i32 { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%v = arith.constant 7 : i32
%m = call @get() : () -> (memref<4xi32>)
%z = arith.constant 0 : i32
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %m, %s = %z) -> (memref<4xi32>, i32) {
%n1 = func.call @get() : () -> (memref<4xi32>)
memref.store %v, %n1[%c0] : memref<4xi32>
%x = memref.load %k[%c0] : memref<4xi32>
%y = arith.addi %s, %x : i32
scf.yield %n1, %y : memref<4xi32>, i32 }
return %r#1 : i32 }
// -----
// memory-kept-by-a-call-is-written-later-in-the-iteration
func.func private @put(memref<4xi32>)
func.func @f(%n: index, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 {
%a = memref.alloc() : memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
func.call @put(%a) : (memref<4xi32>) -> () }
return }
// =>
func.func private @put(memref<4xi32>)
func.func @f(%n: index, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 {
%a = memref.alloc() : memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
func.call @put(%a) : (memref<4xi32>) -> ()
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>) }
return }
// -----
// result-of-a-declaration-written-otherwise
func.func private @get() -> memref<4xi32>
func.func @f(%v: i32, %w: i32) {
%a = call @get() : () -> memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
return }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%v: i32, %w: i32) {
%a = call @get() : () -> memref<4xi32>
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>)
return }
// -----
// result-of-an-unknown-operation-written-otherwise
func.func @f(%v: i32, %w: i32) {
%a = "test.get"() : () -> memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
return }
// =>
func.func @f(%v: i32, %w: i32) {
%a = "test.get"() : () -> memref<4xi32>
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>)
return }
// -----
// result-of-a-declaration-written-otherwise-in-a-loop
func.func private @get() -> memref<4xi32>
func.func @f(%n: index, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 {
%a = func.call @get() : () -> memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>) }
return }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%n: index, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %n step %c1 {
%a = func.call @get() : () -> memref<4xi32>
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>) }
return }
// -----
// result-of-a-declaration-through-a-callee-written-otherwise
func.func private @get() -> memref<4xi32>
func.func @h() -> memref<4xi32> { %a = call @get() : () -> memref<4xi32>
return %a : memref<4xi32> }
func.func @f(%v: i32, %w: i32) {
%a = call @h() : () -> memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
return }
// =>
func.func private @get() -> memref<4xi32>
func.func @h() -> memref<4xi32> { %a = call @get() : () -> memref<4xi32>
return %a : memref<4xi32> }
func.func @f(%v: i32, %w: i32) {
%a = call @h() : () -> memref<4xi32>
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>)
return }
// -----
// result-of-an-indirect-call-written-otherwise
func.func @f(%g: () -> memref<4xi32>, %v: i32, %w: i32) {
%a = call_indirect %g() : () -> memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
return }
// =>
func.func @f(%g: () -> memref<4xi32>, %v: i32, %w: i32) {
%a = call_indirect %g() : () -> memref<4xi32>
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>)
return }
// -----
// result-of-a-declaration-carried-and-written-otherwise
func.func private @get() -> memref<4xi32>
func.func @f(%n: index, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = func.call @get() : () -> memref<4xi32>
scf.for %i = %c0 to %n step %c1 iter_args(%k = %m) -> memref<4xi32> {
linalg.fill ins(%v : i32) outs(%k : memref<4xi32>)
%a = func.call @get() : () -> memref<4xi32>
scf.yield %a : memref<4xi32> }
return }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%n: index, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = func.call @get() : () -> memref<4xi32>
scf.for %i = %c0 to %n step %c1 iter_args(%k = %m) -> memref<4xi32> {
linalg.fill ins(%w : i32) outs(%k : memref<4xi32>)
%a = func.call @get() : () -> memref<4xi32>
scf.yield %a : memref<4xi32> }
return }
// -----
// result-of-a-declaration-chosen-and-written
func.func private @get() -> memref<4xi32>
func.func @f(%c: i1, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%a = func.call @get() : () -> memref<4xi32>
%b = func.call @get() : () -> memref<4xi32>
%s = arith.select %c, %a, %b : memref<4xi32>
linalg.fill ins(%v : i32) outs(%s : memref<4xi32>)
return }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%c: i1, %v: i32, %w: i32) { %c0 = arith.constant 0 : index
%a = func.call @get() : () -> memref<4xi32>
%b = func.call @get() : () -> memref<4xi32>
%s = arith.select %c, %b, %a : memref<4xi32>
linalg.fill ins(%v : i32) outs(%s : memref<4xi32>)
return }
// -----
// result-of-a-declaration-joined-and-written
func.func private @get() -> memref<4xi32>
func.func @f(%c: i1, %v: i32, %w: i32) {
%a = func.call @get() : () -> memref<4xi32>
cf.cond_br %c, ^x, ^y(%a : memref<4xi32>)
^x: %b = func.call @get() : () -> memref<4xi32>
cf.br ^y(%b : memref<4xi32>)
^y(%s: memref<4xi32>):
linalg.fill ins(%v : i32) outs(%s : memref<4xi32>)
return }
// =>
func.func private @get() -> memref<4xi32>
func.func @f(%c: i1, %v: i32, %w: i32) {
%a = func.call @get() : () -> memref<4xi32>
cf.cond_br %c, ^x, ^y(%a : memref<4xi32>)
^x: %b = func.call @get() : () -> memref<4xi32>
cf.br ^y(%b : memref<4xi32>)
^y(%s: memref<4xi32>):
linalg.fill ins(%w : i32) outs(%s : memref<4xi32>)
return }
// -----
// result-of-an-unknown-operation-written-after-the-next-one
func.func @f(%v: i32, %w: i32) {
%a = "test.get"() : () -> memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
"test.flush"() : () -> ()
return }
// =>
func.func @f(%v: i32, %w: i32) {
%a = "test.get"() : () -> memref<4xi32>
"test.flush"() : () -> ()
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
return }
// -----
// fill-yields-what-it-overwrites
func.func @f(%x: f32, %m: memref<4xf32>) {
linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
return }
// =>
func.func @f(%x: f32, %m: memref<4xf32>) {
"linalg.fill"(%x, %m) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%a: f32, %b: f32): "linalg.yield"(%b) : (f32) -> () }) : (f32, memref<4xf32>) -> ()
return }
// -----
// copy-yields-another-value
func.func @f(%x: tensor<4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.copy ins(%x : tensor<4xf32>) outs(%m : tensor<4xf32>) -> tensor<4xf32>
return %r : tensor<4xf32> }
// =>
func.func @f(%x: tensor<4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
%r = "linalg.copy"(%x, %m) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%a: f32, %b: f32): %n = arith.negf %a : f32
"linalg.yield"(%n) : (f32) -> () }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
return %r : tensor<4xf32> }
// -----
// fill-of-the-original-yields-a-sum
func.func @f(%x: f32, %y: tensor<4xf32>) -> tensor<4xf32> {
%r = "linalg.fill"(%x, %y) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
"linalg.yield"(%n) : (f32) -> () }) : (f32, tensor<4xf32>) -> tensor<4xf32>
return %r : tensor<4xf32> }
// =>
func.func @f(%x: f32, %y: tensor<4xf32>) -> tensor<4xf32> {
%r = linalg.fill ins(%x : f32) outs(%y : tensor<4xf32>) -> tensor<4xf32>
return %r : tensor<4xf32> }
// -----
// layout-of-a-new-buffer-with-a-symbol
func.func @f(%s: index, %x: f32) -> f32 { %c1 = arith.constant 1 : index
return %x : f32 }
// =>
func.func @f(%s: index, %x: f32) -> f32 { %c1 = arith.constant 1 : index
%c0 = arith.constant 0 : index
%z = arith.constant 0.0 : f32
%m = memref.alloc()[%s] : memref<4x4xf32, affine_map<(i, j)[s] -> (i * s + j)>>
memref.store %x, %m[%c1, %c0] : memref<4x4xf32, affine_map<(i, j)[s] -> (i * s + j)>>
memref.store %z, %m[%c0, %c1] : memref<4x4xf32, affine_map<(i, j)[s] -> (i * s + j)>>
%y = memref.load %m[%c1, %c0] : memref<4x4xf32, affine_map<(i, j)[s] -> (i * s + j)>>
memref.dealloc %m : memref<4x4xf32, affine_map<(i, j)[s] -> (i * s + j)>>
return %y : f32 }
// -----
// argument-becomes-writable-for-later-passes
func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%r = tensor.insert %x into %t[%c0] : tensor<4xf32>
return %r : tensor<4xf32> }
// =>
func.func @f(%t: tensor<4xf32> {bufferization.writable = true}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%r = tensor.insert %x into %t[%c0] : tensor<4xf32>
return %r : tensor<4xf32> }
// -----
// argument-gets-another-layout-for-later-passes
func.func @f(%t: tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0 * 2)>}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%r = tensor.insert %x into %t[%c0] : tensor<4xf32>
return %r : tensor<4xf32> }
// =>
func.func @f(%t: tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}, %x: f32) -> tensor<4xf32> { %c0 = arith.constant 0 : index
%r = tensor.insert %x into %t[%c0] : tensor<4xf32>
return %r : tensor<4xf32> }
// -----
// tensor-is-freed-and-used
func.func @f(%t: tensor<4xf32>) -> f32 { %c0 = arith.constant 0 : index
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32 }
// =>
func.func @f(%t: tensor<4xf32>) -> f32 { %c0 = arith.constant 0 : index
bufferization.dealloc_tensor %t : tensor<4xf32>
%x = tensor.extract %t[%c0] : tensor<4xf32>
return %x : f32 }
// -----
// insertion-with-a-stride-of-zero-under-an-elementwise-operation
func.func @f(%t: tensor<4xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
%c = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
%r = tensor.insert_slice %c into %d[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
%q = linalg.add ins(%r, %r : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<8xf32>) -> tensor<8xf32>
return %q : tensor<8xf32> }
// =>
func.func @f(%t: tensor<4xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
%c = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
%r = tensor.insert_slice %c into %d[4] [4] [0] : tensor<4xf32> into tensor<8xf32>
%q = linalg.add ins(%r, %r : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<8xf32>) -> tensor<8xf32>
return %q : tensor<8xf32> }
// -----
// kept-part-of-an-arena-is-written-before-the-next-call
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f(%v: i32, %w: i32) {
%c0 = arith.constant 0 : index
%a = memref.alloc() : memref<64xi8>
%t = memref.view %a[%c0][] : memref<64xi8> to memref<4xi32>
linalg.fill ins(%v : i32) outs(%t : memref<4xi32>)
call @put(%t) : (memref<4xi32>) -> ()
call @look() : () -> ()
return }
// =>
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f(%v: i32, %w: i32) {
%c0 = arith.constant 0 : index
%a = memref.alloc() : memref<64xi8>
%t = memref.view %a[%c0][] : memref<64xi8> to memref<4xi32>
linalg.fill ins(%v : i32) outs(%t : memref<4xi32>)
call @put(%t) : (memref<4xi32>) -> ()
linalg.fill ins(%w : i32) outs(%t : memref<4xi32>)
call @look() : () -> ()
return }
// -----
// arena-of-which-a-part-is-kept-is-freed
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f(%v: i32, %w: i32) {
%c0 = arith.constant 0 : index
%a = memref.alloc() : memref<64xi8>
%t = memref.view %a[%c0][] : memref<64xi8> to memref<4xi32>
linalg.fill ins(%v : i32) outs(%t : memref<4xi32>)
call @put(%t) : (memref<4xi32>) -> ()
call @look() : () -> ()
memref.dealloc %a : memref<64xi8>
return }
// =>
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f(%v: i32, %w: i32) {
%c0 = arith.constant 0 : index
%a = memref.alloc() : memref<64xi8>
%t = memref.view %a[%c0][] : memref<64xi8> to memref<4xi32>
linalg.fill ins(%v : i32) outs(%t : memref<4xi32>)
call @put(%t) : (memref<4xi32>) -> ()
memref.dealloc %a : memref<64xi8>
call @look() : () -> ()
return }
// -----
// kept-memory-is-written-in-a-branch
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f(%c: i1, %v: i32, %w: i32) {
%a = memref.alloc() : memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
scf.if %c { func.call @put(%a) : (memref<4xi32>) -> () }
call @look() : () -> ()
return }
// =>
func.func private @put(memref<4xi32>)
func.func private @look()
func.func @f(%c: i1, %v: i32, %w: i32) {
%a = memref.alloc() : memref<4xi32>
linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
scf.if %c { func.call @put(%a) : (memref<4xi32>) -> ()
linalg.fill ins(%w : i32) outs(%a : memref<4xi32>) }
call @look() : () -> ()
return }
// -----
// empty-mask-chooses-passthru
func.func @f(%k: vector<4xi1>, %x: vector<4xf32>, %p: vector<4xf32>) -> vector<4xf32> { return %x : vector<4xf32> }
// =>
func.func @f(%k: vector<4xi1>, %x: vector<4xf32>, %p: vector<4xf32>) -> vector<4xf32> {
%v = vector.mask %k, %p { vector.yield %x : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
return %v : vector<4xf32> }
// -----
// masked-broadcast-leaves-elements-out
func.func @f(%k: vector<4xi1>, %x: f32) -> vector<4xf32> { %v = vector.broadcast %x : f32 to vector<4xf32>
return %v : vector<4xf32> }
// =>
func.func @f(%k: vector<4xi1>, %x: f32) -> vector<4xf32> {
%v = vector.mask %k { vector.broadcast %x : f32 to vector<4xf32> } : vector<4xi1> -> vector<4xf32>
return %v : vector<4xf32> }
// -----
// llvm-undef-cancels
func.func @f(%x: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%x: i32) -> i32 { %u = llvm.mlir.undef : i32
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// llvm-poison-cancels
func.func @f(%x: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%x: i32) -> i32 { %u = llvm.mlir.poison : i32
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// leading-zeros-of-zero-cancel
func.func @f(%x: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%x: i32) -> i32 { %u = "llvm.intr.ctlz"(%x) <{is_zero_poison = true}> : (i32) -> i32
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// absolute-value-of-the-least-cancels
func.func @f(%x: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%x: i32) -> i32 { %u = "llvm.intr.abs"(%x) <{is_int_min_poison = true}> : (i32) -> i32
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// saturating-shift-past-the-width-cancels
func.func @f(%x: i32, %y: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%x: i32, %y: i32) -> i32 { %u = llvm.intr.sshl.sat(%x, %y) : (i32, i32) -> i32
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// llvm-element-out-of-bounds-cancels
func.func @f(%v: vector<4xi32>, %i: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%v: vector<4xi32>, %i: i32) -> i32 { %u = llvm.extractelement %v[%i : i32] : vector<4xi32>
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// poison-element-cancels
func.func @f(%v: vector<4xi32>) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%v: vector<4xi32>) -> i32 { %u = vector.extract %v[-1] : i32 from vector<4xi32>
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// insertion-at-a-poison-position-cancels
func.func @f(%v: vector<4xi32>, %x: i32) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%v: vector<4xi32>, %x: i32) -> i32 { %w = vector.insert %x, %v[-1] : i32 into vector<4xi32>
%u = vector.extract %w[0] : i32 from vector<4xi32>
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// shuffled-poison-cancels
func.func @f(%v: vector<4xi32>) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
// =>
func.func @f(%v: vector<4xi32>) -> i32 { %w = vector.shuffle %v, %v [-1, 0, 1, 2] : vector<4xi32>, vector<4xi32>
%u = vector.extract %w[0] : i32 from vector<4xi32>
%z = arith.subi %u, %u : i32
return %z : i32 }
// -----
// uninitialized-choice-within-a-choice
func.func @f(%x: i32, %y: i32) -> i32 { return %x : i32 }
// =>
func.func @f(%x: i32, %y: i32) -> i32 { %m = memref.alloc() : memref<i1>
%u = memref.load %m[] : memref<i1>
memref.dealloc %m : memref<i1>
%a = arith.select %u, %x, %y : i32
%b = arith.select %u, %a, %x : i32
return %b : i32 }
// -----
// uninitialized-choice-of-itself
func.func @f() -> i1 { %z = arith.constant false
return %z : i1 }
// =>
func.func @f() -> i1 { %m = memref.alloc() : memref<i1>
%u = memref.load %m[] : memref<i1>
memref.dealloc %m : memref<i1>
%z = arith.constant false
%b = arith.select %u, %z, %u : i1
return %b : i1 }
// -----
// uninitialized-and-its-negation-within
func.func @f(%b: i1) -> i1 { %z = arith.constant false
return %z : i1 }
// =>
func.func @f(%b: i1) -> i1 { %m = memref.alloc() : memref<i1>
%u = memref.load %m[] : memref<i1>
memref.dealloc %m : memref<i1>
%t = arith.constant true
%o = arith.ori %u, %b : i1
%n = arith.xori %t, %o : i1
%r = arith.andi %u, %n : i1
return %r : i1 }
// -----
// uninitialized-choice-of-buffers-twice
func.func @f(%x: i32, %y: i32, %p: memref<i32>, %q: memref<i32>) {
memref.store %x, %p[] : memref<i32>
memref.store %y, %q[] : memref<i32>
return }
// =>
func.func @f(%x: i32, %y: i32, %p: memref<i32>, %q: memref<i32>) { %m = memref.alloc() : memref<i1>
%u = memref.load %m[] : memref<i1>
memref.dealloc %m : memref<i1>
%r = arith.select %u, %p, %q : memref<i32>
%s = arith.select %u, %q, %p : memref<i32>
%t = arith.select %u, %x, %y : i32
%v = arith.select %u, %y, %x : i32
memref.store %t, %r[] : memref<i32>
memref.store %v, %s[] : memref<i32>
return }
// -----
// callee-chooses-twice-by-uninitialized
func.func private @g(%u: i1, %x: i32, %y: i32) -> i32 { return %x : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %e = tensor.empty() : tensor<i1>
%u = tensor.extract %e[] : tensor<i1>
%r = func.call @g(%u, %x, %y) : (i1, i32, i32) -> i32
return %r : i32 }
// =>
func.func private @g(%u: i1, %x: i32, %y: i32) -> i32 { %a = arith.select %u, %x, %y : i32
%b = arith.select %u, %a, %x : i32
return %b : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %e = tensor.empty() : tensor<i1>
%u = tensor.extract %e[] : tensor<i1>
%r = func.call @g(%u, %x, %y) : (i1, i32, i32) -> i32
return %r : i32 }
// -----
// callee-branches-on-uninitialized-of-an-unchanged-caller
func.func private @g(%u: i1, %x: i32, %y: i32) -> i32 { return %x : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %e = tensor.empty() : tensor<i1>
%u = tensor.extract %e[] : tensor<i1>
%r = func.call @g(%u, %x, %y) : (i1, i32, i32) -> i32
return %r : i32 }
// =>
func.func private @g(%u: i1, %x: i32, %y: i32) -> i32 { %b = scf.if %u -> i32 { scf.yield %x : i32 } else { scf.yield %x : i32 }
return %b : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %e = tensor.empty() : tensor<i1>
%u = tensor.extract %e[] : tensor<i1>
%r = func.call @g(%u, %x, %y) : (i1, i32, i32) -> i32
return %r : i32 }
// -----
// callee-compares-uninitialized-with-itself
func.func private @g(%u: i1, %x: i32, %y: i32) -> i32 { return %x : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %e = tensor.empty() : tensor<i1>
%u = tensor.extract %e[] : tensor<i1>
%r = func.call @g(%u, %x, %y) : (i1, i32, i32) -> i32
return %r : i32 }
// =>
func.func private @g(%u: i1, %x: i32, %y: i32) -> i32 { %b = arith.cmpi ne, %u, %u : i1
%c = arith.select %b, %y, %x : i32
return %c : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %e = tensor.empty() : tensor<i1>
%u = tensor.extract %e[] : tensor<i1>
%r = func.call @g(%u, %x, %y) : (i1, i32, i32) -> i32
return %r : i32 }
// -----
// callee-cancels-a-poison-element
func.func private @g(%u: vector<2xi32>) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %u = ub.poison : vector<2xi32>
%r = func.call @g(%u) : (vector<2xi32>) -> i32
return %r : i32 }
// =>
func.func private @g(%u: vector<2xi32>) -> i32 { %e:2 = vector.to_elements %u : vector<2xi32>
%d = arith.subi %e#0, %e#0 : i32
return %d : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %u = ub.poison : vector<2xi32>
%r = func.call @g(%u) : (vector<2xi32>) -> i32
return %r : i32 }
// -----
// callee-cancels-an-uninitialized-element
func.func private @g(%u: tensor<2xi32>) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %u = tensor.empty() : tensor<2xi32>
%r = func.call @g(%u) : (tensor<2xi32>) -> i32
return %r : i32 }
// =>
func.func private @g(%u: tensor<2xi32>) -> i32 { %c = arith.constant 0 : index
%e = tensor.extract %u[%c] : tensor<2xi32>
%d = arith.subi %e, %e : i32
return %d : i32 }
func.func @f(%x: i32, %y: i32) -> i32 { %u = tensor.empty() : tensor<2xi32>
%r = func.call @g(%u) : (tensor<2xi32>) -> i32
return %r : i32 }
// -----
// callee-cancels-an-uninitialized-element-of-a-buffer
func.func private @g(%u: tensor<2xi32>, %i: index) -> i32 { %z = arith.constant 0 : i32
return %z : i32 }
func.func @f(%i: index) -> i32 { %u = tensor.empty() : tensor<2xi32>
%r = func.call @g(%u, %i) : (tensor<2xi32>, index) -> i32
return %r : i32 }
// =>
func.func private @g(%u: memref<2xi32>, %i: index) -> i32 { %e = memref.load %u[%i] : memref<2xi32>
%d = arith.subi %e, %e : i32
return %d : i32 }
func.func @f(%i: index) -> i32 { %u = memref.alloca() : memref<2xi32>
%r = func.call @g(%u, %i) : (memref<2xi32>, index) -> i32
return %r : i32 }
// -----
// promise-of-a-choice-and-the-same-sum-without-it
func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
  %z = arith.constant 0 : i32
  %n = arith.subi %z, %y : i32
  %e = arith.subi %x, %n : i32
  %d = arith.addi %x, %y overflow<nsw> : i32
  %r = arith.select %c, %x, %d : i32
  return %r, %e : i32, i32
}
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
  %d = arith.addi %x, %y overflow<nsw> : i32
  %r = arith.select %c, %x, %d : i32
  return %r, %d : i32, i32
}
// -----
// promised-sum-of-a-choice-cancels
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {
  %d = arith.addi %x, %y overflow<nsw> : i32
  %r = arith.select %c, %x, %d : i32
  return %r : i32
}
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {
  %z = arith.constant 0 : i32
  %d = arith.addi %x, %y overflow<nsw> : i32
  %s = arith.select %c, %x, %d : i32
  %q = arith.muli %d, %z : i32
  %r = arith.addi %s, %q : i32
  return %r : i32
}
// -----
// shift-of-a-choice-cancels
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {
  %d = arith.shli %x, %y : i32
  %r = arith.select %c, %x, %d : i32
  return %r : i32
}
// =>
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {
  %d = arith.shli %x, %y : i32
  %z = arith.subi %d, %d : i32
  %s = arith.select %c, %x, %d : i32
  %r = arith.addi %z, %s : i32
  return %r : i32
}
// -----
// poison-condition-of-equal-choices
func.func @f(%x: f32, %y: i32, %c: i1) -> i32 {
  %i = arith.fptosi %x : f32 to i32
  %p = arith.cmpi slt, %i, %y : i32
  %s = arith.select %c, %p, %c : i1
  %r = arith.extui %s : i1 to i32
  return %r : i32
}
// =>
func.func @f(%x: f32, %y: i32, %c: i1) -> i32 {
  %i = arith.fptosi %x : f32 to i32
  %p = arith.cmpi slt, %i, %y : i32
  %s = arith.select %c, %p, %c : i1
  %t = arith.select %p, %s, %s : i1
  %r = arith.extui %t : i1 to i32
  return %r : i32
}
