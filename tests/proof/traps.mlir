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
