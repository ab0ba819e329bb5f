// functions and branches: bufferize-function-boundaries
func.func @f(%t: tensor<?x4xf32>, %f: f32, %i: index, %c: i1) -> (tensor<?x4xf32>, f32) {
  %cst = arith.constant dense<1.0> : tensor<4xf32>
  %e = tensor.empty(%i) : tensor<?x4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = scf.if %c -> tensor<?x4xf32> { scf.yield %0 : tensor<?x4xf32> } else { %w = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32> scf.yield %w : tensor<?x4xf32> }
  %x = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %y = tensor.extract %cst[%i] : tensor<4xf32>
  %z = arith.addf %x, %y : f32
  return %1, %z : tensor<?x4xf32>, f32
}
func.func private @ext(tensor<4xf32>) -> tensor<4xf32>
func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> { %0 = func.call @ext(%t) : (tensor<4xf32>) -> tensor<4xf32> return %0 : tensor<4xf32> }
func.func @h(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<*xf32>) { %0 = func.call @g(%t) : (tensor<4xf32>) -> tensor<4xf32> %1 = tensor.cast %0 : tensor<4xf32> to tensor<*xf32> return %t, %1 : tensor<4xf32>, tensor<*xf32> }
// =>
module {
  memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<1.000000e+00> {alignment = 64 : i64}
  func.func @f(%arg0: memref<?x4xf32, strided<[?, ?], offset: ?>>, %arg1: f32, %arg2: index, %arg3: i1) -> (memref<?x4xf32>, f32) {
    %0 = memref.get_global @__constant_4xf32 : memref<4xf32>
    %alloc = memref.alloc(%arg2) {alignment = 64 : i64} : memref<?x4xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?x4xf32>)
    %1 = scf.if %arg3 -> (memref<?x4xf32>) {
      scf.yield %alloc : memref<?x4xf32>
    } else {
      %c0 = arith.constant 0 : index
      %dim = memref.dim %arg0, %c0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
      %alloc_0 = memref.alloc(%dim) {alignment = 64 : i64} : memref<?x4xf32>
      memref.copy %arg0, %alloc_0 : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32>
      memref.store %arg1, %alloc_0[%arg2, %arg2] : memref<?x4xf32>
      scf.yield %alloc_0 : memref<?x4xf32>
    }
    %2 = memref.load %arg0[%arg2, %arg2] : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %3 = memref.load %0[%arg2] : memref<4xf32>
    %4 = arith.addf %2, %3 : f32
    %cast = memref.cast %1 : memref<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
    return %1, %4 : memref<?x4xf32>, f32
  }
  func.func private @ext(memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
  func.func private @g(%arg0: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
    %0 = call @ext(%arg0) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
    return %0 : memref<4xf32, strided<[?], offset: ?>>
  }
  func.func @h(%arg0: memref<4xf32, strided<[?], offset: ?>>) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %arg0, %alloc : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
    %cast = memref.cast %alloc : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %0 = call @g(%cast) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
    %cast_0 = memref.cast %0 : memref<4xf32, strided<[?], offset: ?>> to memref<*xf32>
    return %arg0, %0 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>
  }
}
// -----
// blocks that branch: bufferize-function-boundaries
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> tensor<4xf32> {
  %s = tensor.extract_slice %u[%i][4][1] : tensor<4xf32> to tensor<4xf32>
  cf.cond_br %c, ^a(%t : tensor<4xf32>), ^b(%s, %f : tensor<4xf32>, f32)
^a(%x: tensor<4xf32>):
  %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
  cf.br ^b(%0, %f : tensor<4xf32>, f32)
^b(%y: tensor<4xf32>, %g: f32):
  %e = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%g : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^d(%1 : tensor<4xf32>), ^d2(%y : tensor<4xf32>)
^d(%z: tensor<4xf32>):
  return %z : tensor<4xf32>
^d2(%z2: tensor<4xf32>):
  return %z2 : tensor<4xf32>
}
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1) -> memref<4xf32, strided<[?], offset: ?>> {
    %subview = memref.subview %arg1[%arg3] [4] [1] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    cf.cond_br %arg4, ^bb1(%arg0 : memref<4xf32, strided<[?], offset: ?>>), ^bb2(%subview, %arg2 : memref<4xf32, strided<[?], offset: ?>>, f32)
  ^bb1(%0: memref<4xf32, strided<[?], offset: ?>>):  // pred: ^bb0
    memref.store %arg2, %0[%arg3] : memref<4xf32, strided<[?], offset: ?>>
    cf.br ^bb2(%0, %arg2 : memref<4xf32, strided<[?], offset: ?>>, f32)
  ^bb2(%1: memref<4xf32, strided<[?], offset: ?>>, %2: f32):  // 2 preds: ^bb0, ^bb1
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.fill ins(%2 : f32) outs(%alloc : memref<4xf32>)
    cf.cond_br %arg4, ^bb3(%alloc : memref<4xf32>), ^bb4(%1 : memref<4xf32, strided<[?], offset: ?>>)
  ^bb3(%3: memref<4xf32>):  // pred: ^bb2
    %cast = memref.cast %3 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    return %cast : memref<4xf32, strided<[?], offset: ?>>
  ^bb4(%4: memref<4xf32, strided<[?], offset: ?>>):  // pred: ^bb2
    return %4 : memref<4xf32, strided<[?], offset: ?>>
  }
}
// -----
// loops: bufferize-function-boundaries allow-return-allocs-from-loops
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index, %c: i1) -> (tensor<8xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = bufferization.alloc_tensor(%i) : tensor<?xf32>
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%a = %t, %b = %e) -> (tensor<8xf32>, tensor<?xf32>) {
    %w = tensor.insert %f into %a[%k] : tensor<8xf32>
    %s = tensor.extract_slice %w[%k][%i][1] : tensor<8xf32> to tensor<?xf32>
    scf.yield %w, %s : tensor<8xf32>, tensor<?xf32>
  } {foo}
  %q:2 = scf.while (%x = %r#0, %n = %i) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %cc = arith.cmpi slt, %n, %c1 : index
    scf.condition(%cc) %x, %n : tensor<8xf32>, index
  } do {
  ^bb0(%x: tensor<8xf32>, %n: index):
    %w = tensor.insert %f into %x[%n] : tensor<8xf32>
    %n1 = arith.addi %n, %c1 : index
    scf.yield %w, %n1 : tensor<8xf32>, index
  }
  %o = scf.forall (%k) in (%i) shared_outs(%sh = %q#0) -> tensor<8xf32> {
    %sl = tensor.extract_slice %sh[%k][1][1] : tensor<8xf32> to tensor<1xf32>
    %fl = linalg.fill ins(%f : f32) outs(%sl : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %fl into %sh[%k][1][1] : tensor<1xf32> into tensor<8xf32> }
  }
  return %o, %r#1 : tensor<8xf32>, tensor<?xf32>
}
// =>
module {
  func.func @f(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1) -> (memref<8xf32, strided<[?], offset: ?>>, memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg3) {alignment = 64 : i64} : memref<?xf32>
    %0:2 = scf.for %arg5 = %c0 to %arg3 step %c1 iter_args(%arg6 = %arg0, %arg7 = %alloc) -> (memref<8xf32, strided<[?], offset: ?>>, memref<?xf32>) {
      memref.store %arg2, %arg6[%arg5] : memref<8xf32, strided<[?], offset: ?>>
      %subview = memref.subview %arg6[%arg5] [%arg3] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
      %c0_0 = arith.constant 0 : index
      %dim = memref.dim %subview, %c0_0 : memref<?xf32, strided<[?], offset: ?>>
      %alloc_1 = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
      memref.copy %subview, %alloc_1 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
      scf.yield %arg6, %alloc_1 : memref<8xf32, strided<[?], offset: ?>>, memref<?xf32>
    } {foo}
    %1:2 = scf.while (%arg5 = %0#0, %arg6 = %arg3) : (memref<8xf32, strided<[?], offset: ?>>, index) -> (memref<8xf32, strided<[?], offset: ?>>, index) {
      %2 = arith.cmpi slt, %arg6, %c1 : index
      scf.condition(%2) %arg5, %arg6 : memref<8xf32, strided<[?], offset: ?>>, index
    } do {
    ^bb0(%arg5: memref<8xf32, strided<[?], offset: ?>>, %arg6: index):
      memref.store %arg2, %arg5[%arg6] : memref<8xf32, strided<[?], offset: ?>>
      %2 = arith.addi %arg6, %c1 : index
      scf.yield %arg5, %2 : memref<8xf32, strided<[?], offset: ?>>, index
    }
    scf.forall (%arg5) in (%arg3) {
      %subview = memref.subview %1#0[%arg5] [1] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
      linalg.fill ins(%arg2 : f32) outs(%subview : memref<1xf32, strided<[?], offset: ?>>)
      %subview_0 = memref.subview %1#0[%arg5] [1] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
      memref.copy %subview, %subview_0 : memref<1xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
    }
    %cast = memref.cast %0#1 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    return %1#0, %0#1 : memref<8xf32, strided<[?], offset: ?>>, memref<?xf32>
  }
}
// -----
// loops, copying before writes: bufferize-function-boundaries copy-before-write
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index, %c: i1) -> (tensor<8xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = bufferization.alloc_tensor(%i) : tensor<?xf32>
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%a = %t, %b = %e) -> (tensor<8xf32>, tensor<?xf32>) {
    %w = tensor.insert %f into %a[%k] : tensor<8xf32>
    %s = tensor.extract_slice %w[%k][%i][1] : tensor<8xf32> to tensor<?xf32>
    scf.yield %w, %s : tensor<8xf32>, tensor<?xf32>
  } {foo}
  %q:2 = scf.while (%x = %r#0, %n = %i) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %cc = arith.cmpi slt, %n, %c1 : index
    scf.condition(%cc) %x, %n : tensor<8xf32>, index
  } do {
  ^bb0(%x: tensor<8xf32>, %n: index):
    %w = tensor.insert %f into %x[%n] : tensor<8xf32>
    %n1 = arith.addi %n, %c1 : index
    scf.yield %w, %n1 : tensor<8xf32>, index
  }
  %o = scf.forall (%k) in (%i) shared_outs(%sh = %q#0) -> tensor<8xf32> {
    %sl = tensor.extract_slice %sh[%k][1][1] : tensor<8xf32> to tensor<1xf32>
    %fl = linalg.fill ins(%f : f32) outs(%sl : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %fl into %sh[%k][1][1] : tensor<1xf32> into tensor<8xf32> }
  }
  return %o, %r#1 : tensor<8xf32>, tensor<?xf32>
}
// =>
module {
  func.func @f(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1) -> (memref<8xf32>, memref<?xf32, strided<[?], offset: ?>>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg3) {alignment = 64 : i64} : memref<?xf32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %arg0, %alloc_0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    %c0_1 = arith.constant 0 : index
    %dim = memref.dim %alloc, %c0_1 : memref<?xf32>
    %alloc_2 = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    memref.copy %alloc, %alloc_2 : memref<?xf32> to memref<?xf32>
    %cast = memref.cast %alloc_2 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    %0:2 = scf.for %arg5 = %c0 to %arg3 step %c1 iter_args(%arg6 = %alloc_0, %arg7 = %cast) -> (memref<8xf32>, memref<?xf32, strided<[?], offset: ?>>) {
      %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %arg6, %alloc_6 : memref<8xf32> to memref<8xf32>
      memref.store %arg2, %alloc_6[%arg5] : memref<8xf32>
      %subview = memref.subview %alloc_6[%arg5] [%arg3] [1] : memref<8xf32> to memref<?xf32, strided<[1], offset: ?>>
      %cast_7 = memref.cast %subview : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
      scf.yield %alloc_6, %cast_7 : memref<8xf32>, memref<?xf32, strided<[?], offset: ?>>
    } {foo}
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %0#0, %alloc_3 : memref<8xf32> to memref<8xf32>
    %1:2 = scf.while (%arg5 = %alloc_3, %arg6 = %arg3) : (memref<8xf32>, index) -> (memref<8xf32>, index) {
      %2 = arith.cmpi slt, %arg6, %c1 : index
      scf.condition(%2) %arg5, %arg6 : memref<8xf32>, index
    } do {
    ^bb0(%arg5: memref<8xf32>, %arg6: index):
      %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %arg5, %alloc_6 : memref<8xf32> to memref<8xf32>
      memref.store %arg2, %alloc_6[%arg6] : memref<8xf32>
      %2 = arith.addi %arg6, %c1 : index
      scf.yield %alloc_6, %2 : memref<8xf32>, index
    }
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %1#0, %alloc_4 : memref<8xf32> to memref<8xf32>
    scf.forall (%arg5) in (%arg3) {
      %subview = memref.subview %alloc_4[%arg5] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
      %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
      linalg.fill ins(%arg2 : f32) outs(%alloc_6 : memref<1xf32>)
      %subview_7 = memref.subview %alloc_4[%arg5] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
      memref.copy %alloc_6, %subview_7 : memref<1xf32> to memref<1xf32, strided<[1], offset: ?>>
    }
    %cast_5 = memref.cast %alloc_4 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    return %alloc_4, %0#1 : memref<8xf32>, memref<?xf32, strided<[?], offset: ?>>
  }
}
// -----
// recursion: bufferize-function-boundaries
func.func @rec(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> { %0 = tensor.insert %f into %t[%i] : tensor<4xf32> %1 = func.call @rec2(%0, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32> return %1 : tensor<4xf32> }
func.func @rec2(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> { %s = tensor.extract_slice %t[%i][4][1] : tensor<4xf32> to tensor<4xf32> %1 = func.call @rec(%s, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32> return %1 : tensor<4xf32> }
// =>
module {
  func.func @rec(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<4xf32, strided<[?], offset: ?>> {
    memref.store %arg1, %arg0[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %0 = call @rec2(%arg0, %arg1, %arg2) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32, strided<[?], offset: ?>>
    return %0 : memref<4xf32, strided<[?], offset: ?>>
  }
  func.func @rec2(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<4xf32, strided<[?], offset: ?>> {
    %subview = memref.subview %arg0[%arg2] [4] [1] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    %0 = call @rec(%subview, %arg1, %arg2) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32, strided<[?], offset: ?>>
    return %0 : memref<4xf32, strided<[?], offset: ?>>
  }
}
// -----
// encodings: bufferize-function-boundaries use-encoding-for-memory-space
func.func @f(%t: tensor<4xf32, 1>, %f: f32, %i: index, %c: i1) -> (tensor<4xf32, 1>, tensor<4xf32, 2>, tensor<4xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32, 1>
  %cst = arith.constant dense<1.0> : tensor<4xf32, 2>
  %1 = tensor.insert %f into %cst[%i] : tensor<4xf32, 2>
  %e = tensor.empty() : tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.insert %f into %2[%i] : tensor<4xf32>
  %x = tensor.extract %2[%i] : tensor<4xf32>
  %4 = tensor.insert %x into %3[%i] : tensor<4xf32>
  return %0, %1, %4 : tensor<4xf32, 1>, tensor<4xf32, 2>, tensor<4xf32>
}
// =>
module {
  memref.global "private" constant @__constant_4xf32 : memref<4xf32, 2> = dense<1.000000e+00> {alignment = 64 : i64}
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>, 1>, %arg1: f32, %arg2: index, %arg3: i1) -> (memref<4xf32, strided<[?], offset: ?>, 1>, memref<4xf32, 2>, memref<4xf32>) {
    memref.store %arg1, %arg0[%arg2] : memref<4xf32, strided<[?], offset: ?>, 1>
    %0 = memref.get_global @__constant_4xf32 : memref<4xf32, 2>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 2>
    memref.copy %0, %alloc : memref<4xf32, 2> to memref<4xf32, 2>
    memref.store %arg1, %alloc[%arg2] : memref<4xf32, 2>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc_0 : memref<4xf32>)
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %alloc_0, %alloc_1 : memref<4xf32> to memref<4xf32>
    memref.store %arg1, %alloc_1[%arg2] : memref<4xf32>
    %1 = memref.load %alloc_0[%arg2] : memref<4xf32>
    memref.store %1, %alloc_1[%arg2] : memref<4xf32>
    %cast = memref.cast %alloc : memref<4xf32, 2> to memref<4xf32, strided<[?], offset: ?>, 2>
    %cast_2 = memref.cast %alloc_1 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    return %arg0, %alloc, %alloc_1 : memref<4xf32, strided<[?], offset: ?>, 1>, memref<4xf32, 2>, memref<4xf32>
  }
}
// -----
// globals and the rest: bufferize-function-boundaries
ml_program.global private mutable @gl(dense<4> : tensor<4xi32>) : tensor<4xi32>
func.func @f(%i: index, %x: tensor<4xindex>, %c: i1, %m: memref<4xf32>, %v: vector<4xf32>, %f: f32, %t: tensor<8xf32>, %sh: tensor<2xindex>) -> (tensor<4xi32>, tensor<4xi64>, vector<4xf32>, tensor<?x?xf32>) {
  %0 = ml_program.global_load @gl : tensor<4xi32>
  %v0 = arith.constant 3 : i32
  %1 = tensor.insert %v0 into %0[%i] : tensor<4xi32>
  
  %2 = arith.index_cast %x : tensor<4xindex> to tensor<4xi64>
  %tt = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %3 = tensor.insert %f into %tt[%i] : tensor<4xf32>
  %4 = vector.transfer_write %v, %t[%i] {in_bounds=[true]} : vector<4xf32>, tensor<8xf32>
  %5 = vector.transfer_read %4[%i], %f {in_bounds=[true]} : tensor<8xf32>, vector<4xf32>
  %6 = tensor.reshape %4(%sh) : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  bufferization.materialize_in_destination %3 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %7 = bufferization.to_buffer %3 : tensor<4xf32> to memref<4xf32>
  %8 = scf.index_switch %i -> tensor<4xi32> case 1 { scf.yield %1 : tensor<4xi32> } default { scf.yield %0 : tensor<4xi32> }
  %9 = scf.execute_region -> tensor<4xi32> { cf.cond_br %c, ^a(%8 : tensor<4xi32>), ^b(%8 : tensor<4xi32>)
    ^a(%k: tensor<4xi32>): cf.br ^b(%k : tensor<4xi32>)
    ^b(%l: tensor<4xi32>): scf.yield %l : tensor<4xi32> }
  memref.store %f, %7[%i] : memref<4xf32>
  return %9, %2, %5, %6 : tensor<4xi32>, tensor<4xi64>, vector<4xf32>, tensor<?x?xf32>
}
// =>
module {
  memref.global "private" @gl : memref<4xi32> = dense<4>
  func.func @f(%arg0: index, %arg1: memref<4xindex, strided<[?], offset: ?>>, %arg2: i1, %arg3: memref<4xf32>, %arg4: vector<4xf32>, %arg5: f32, %arg6: memref<8xf32, strided<[?], offset: ?>>, %arg7: memref<2xindex, strided<[?], offset: ?>>) -> (memref<4xi32>, memref<4xi64, strided<[?], offset: ?>>, vector<4xf32>, memref<?x?xf32>) {
    %0 = memref.get_global @gl : memref<4xi32>
    %c3_i32 = arith.constant 3 : i32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xi32>
    memref.copy %0, %alloc : memref<4xi32> to memref<4xi32>
    memref.store %c3_i32, %alloc[%arg0] : memref<4xi32>
    %1 = arith.index_cast %arg1 : memref<4xindex, strided<[?], offset: ?>> to memref<4xi64, strided<[?], offset: ?>>
    memref.store %arg5, %arg3[%arg0] : memref<4xf32>
    vector.transfer_write %arg4, %arg6[%arg0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32, strided<[?], offset: ?>>
    %2 = vector.transfer_read %arg6[%arg0], %arg5 {in_bounds = [true]} : memref<8xf32, strided<[?], offset: ?>>, vector<4xf32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %arg6, %alloc_0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    %reshape = memref.reshape %alloc_0(%arg7) : (memref<8xf32>, memref<2xindex, strided<[?], offset: ?>>) -> memref<?x?xf32>
    memref.copy %arg3, %arg3 : memref<4xf32> to memref<4xf32>
    %3 = scf.index_switch %arg0 -> memref<4xi32> 
    case 1 {
      scf.yield %alloc : memref<4xi32>
    }
    default {
      scf.yield %0 : memref<4xi32>
    }
    %4 = scf.execute_region -> memref<4xi32> {
      cf.cond_br %arg2, ^bb1(%3 : memref<4xi32>), ^bb2(%3 : memref<4xi32>)
    ^bb1(%5: memref<4xi32>):  // pred: ^bb0
      cf.br ^bb2(%5 : memref<4xi32>)
    ^bb2(%6: memref<4xi32>):  // 2 preds: ^bb0, ^bb1
      scf.yield %6 : memref<4xi32>
    }
    memref.store %arg5, %arg3[%arg0] : memref<4xf32>
    %cast = memref.cast %4 : memref<4xi32> to memref<4xi32, strided<[?], offset: ?>>
    %cast_1 = memref.cast %reshape : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %4, %1, %2, %reshape : memref<4xi32>, memref<4xi64, strided<[?], offset: ?>>, vector<4xf32>, memref<?x?xf32>
  }
}
// -----
// new tensors: bufferize-function-boundaries
func.func @f(%f: f32, %i: index, %t: tensor<?x4xf32>) -> (tensor<?x3xf32>, tensor<2x?xf32>, tensor<2x2xf32>, tensor<0xf32>, tensor<f32>, tensor<?x?xf32>, tensor<4xf32>) {
  %0 = tensor.generate %i { ^bb0(%a: index, %b: index): %x = tensor.extract %t[%a, %b] : tensor<?x4xf32> tensor.yield %x : f32 } : tensor<?x3xf32>
  %1 = tensor.splat %f[%i] : tensor<2x?xf32>
  %2 = tensor.from_elements %f, %f, %f, %f : tensor<2x2xf32>
  %3 = tensor.from_elements : tensor<0xf32>
  %4 = tensor.from_elements %f : tensor<f32>
  %5 = tensor.pad %t low[1, %i] high[%i, 0] { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
  %d = tensor.dim %5, %i : tensor<?x?xf32>
  %r = tensor.rank %5 : tensor<?x?xf32>
  %6 = tensor.splat %f : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<?x3xf32>, tensor<2x?xf32>, tensor<2x2xf32>, tensor<0xf32>, tensor<f32>, tensor<?x?xf32>, tensor<4xf32>
}
// =>
#map = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1 + 1)>
#map2 = affine_map<()[s0] -> (s0 + 4)>
module {
  func.func @f(%arg0: f32, %arg1: index, %arg2: memref<?x4xf32, strided<[?, ?], offset: ?>>) -> (memref<?x3xf32>, memref<2x?xf32>, memref<2x2xf32>, memref<0xf32>, memref<f32>, memref<?x?xf32>, memref<4xf32>) {
    %alloc = memref.alloc(%arg1) {alignment = 64 : i64} : memref<?x3xf32>
    linalg.map outs(%alloc : memref<?x3xf32>)
      (%init: f32) {
        %5 = linalg.index 0 : index
        %6 = linalg.index 1 : index
        %7 = memref.load %arg2[%5, %6] : memref<?x4xf32, strided<[?, ?], offset: ?>>
        linalg.yield %7 : f32
      }
    %alloc_0 = memref.alloc(%arg1) {alignment = 64 : i64} : memref<2x?xf32>
    linalg.map outs(%alloc_0 : memref<2x?xf32>)
      (%init: f32) {
        linalg.yield %arg0 : f32
      }
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    memref.store %arg0, %alloc_1[%c0, %c0] : memref<2x2xf32>
    memref.store %arg0, %alloc_1[%c0, %c1] : memref<2x2xf32>
    memref.store %arg0, %alloc_1[%c1, %c0] : memref<2x2xf32>
    memref.store %arg0, %alloc_1[%c1, %c1] : memref<2x2xf32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<0xf32>
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<f32>
    memref.store %arg0, %alloc_3[] : memref<f32>
    %c0_4 = arith.constant 0 : index
    %dim = memref.dim %arg2, %c0_4 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %c1_5 = arith.constant 1 : index
    %0 = affine.apply #map()[%dim, %c1_5, %arg1]
    %c1_6 = arith.constant 1 : index
    %dim_7 = memref.dim %arg2, %c1_6 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %c0_8 = arith.constant 0 : index
    %1 = affine.apply #map()[%dim_7, %arg1, %c0_8]
    %c0_9 = arith.constant 0 : index
    %dim_10 = memref.dim %arg2, %c0_9 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %2 = affine.apply #map1()[%dim_10, %arg1]
    %c1_11 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %3 = affine.apply #map2()[%arg1]
    %alloc_12 = memref.alloc(%2, %3) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.map outs(%alloc_12 : memref<?x?xf32>)
      (%init: f32) {
        %5 = linalg.index 0 : index
        %6 = linalg.index 1 : index
        linalg.yield %arg0 : f32
      }
    %c0_13 = arith.constant 0 : index
    %dim_14 = memref.dim %arg2, %c0_13 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %subview = memref.subview %alloc_12[1, %arg1] [%dim_14, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
    memref.copy %arg2, %subview : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
    %dim_15 = memref.dim %alloc_12, %arg1 : memref<?x?xf32>
    %4 = memref.rank %alloc_12 : memref<?x?xf32>
    %alloc_16 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.map outs(%alloc_16 : memref<4xf32>)
      (%init: f32) {
        linalg.yield %arg0 : f32
      }
    %cast = memref.cast %alloc : memref<?x3xf32> to memref<?x3xf32, strided<[?, ?], offset: ?>>
    %cast_17 = memref.cast %alloc_0 : memref<2x?xf32> to memref<2x?xf32, strided<[?, ?], offset: ?>>
    %cast_18 = memref.cast %alloc_1 : memref<2x2xf32> to memref<2x2xf32, strided<[?, ?], offset: ?>>
    %cast_19 = memref.cast %alloc_2 : memref<0xf32> to memref<0xf32, strided<[?], offset: ?>>
    %cast_20 = memref.cast %alloc_3 : memref<f32> to memref<f32, strided<[], offset: ?>>
    %cast_21 = memref.cast %alloc_12 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_22 = memref.cast %alloc_16 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    return %alloc, %alloc_0, %alloc_1, %alloc_2, %alloc_3, %alloc_12, %alloc_16 : memref<?x3xf32>, memref<2x?xf32>, memref<2x2xf32>, memref<0xf32>, memref<f32>, memref<?x?xf32>, memref<4xf32>
  }
}
// -----
// new tensors in a loop: bufferize-function-boundaries allow-return-allocs-from-loops
func.func @f(%f: f32, %i: index, %t: tensor<?x4xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %e) -> tensor<?x?xf32> {
    %ap = affine.apply affine_map<(d0)->(d0+1)>(%k)
    %p = tensor.pad %t low[%ap, 1] high[%k, %n] { ^bb0(%x: index, %y: index): tensor.yield %f : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
    %s = tensor.insert_slice %p into %a[%k, 0][%n, %n][1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    %fl = linalg.fill ins(%f: f32) outs(%p : tensor<?x?xf32>) -> tensor<?x?xf32>
    %xx = tensor.extract %p[%k, %k] : tensor<?x?xf32>
    %in = tensor.insert %xx into %fl[%k, %k] : tensor<?x?xf32>
    %s2 = tensor.insert_slice %in into %s[0, 0][%n, %k][1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    scf.yield %s2 : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
// =>
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map2 = affine_map<(d0)[s0] -> (d0 * 2 + s0 + 1)>
#map3 = affine_map<()[s0] -> (s0 + 5)>
module {
  func.func @f(%arg0: f32, %arg1: index, %arg2: memref<?x4xf32, strided<[?, ?], offset: ?>>, %arg3: index) -> memref<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg3, %arg3) {alignment = 64 : i64} : memref<?x?xf32>
    %0 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %alloc) -> (memref<?x?xf32>) {
      %1 = affine.apply #map(%arg4)
      %c0_0 = arith.constant 0 : index
      %dim = memref.dim %arg2, %c0_0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
      %2 = affine.apply #map1()[%dim, %1, %arg4]
      %c1_1 = arith.constant 1 : index
      %dim_2 = memref.dim %arg2, %c1_1 : memref<?x4xf32, strided<[?, ?], offset: ?>>
      %c1_3 = arith.constant 1 : index
      %3 = affine.apply #map1()[%dim_2, %c1_3, %arg3]
      %c0_4 = arith.constant 0 : index
      %dim_5 = memref.dim %arg2, %c0_4 : memref<?x4xf32, strided<[?, ?], offset: ?>>
      %4 = affine.apply #map2(%arg4)[%dim_5]
      %c1_6 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %5 = affine.apply #map3()[%arg3]
      %alloc_7 = memref.alloc(%4, %5) {alignment = 64 : i64} : memref<?x?xf32>
      linalg.map outs(%alloc_7 : memref<?x?xf32>)
        (%init: f32) {
          %9 = linalg.index 0 : index
          %10 = linalg.index 1 : index
          linalg.yield %arg0 : f32
        }
      %c0_8 = arith.constant 0 : index
      %dim_9 = memref.dim %arg2, %c0_8 : memref<?x4xf32, strided<[?, ?], offset: ?>>
      %subview = memref.subview %alloc_7[%1, 1] [%dim_9, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
      memref.copy %arg2, %subview : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
      %subview_10 = memref.subview %arg5[%arg4, 0] [%arg3, %arg3] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      memref.copy %alloc_7, %subview_10 : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      %c0_11 = arith.constant 0 : index
      %dim_12 = memref.dim %arg2, %c0_11 : memref<?x4xf32, strided<[?, ?], offset: ?>>
      %6 = affine.apply #map2(%arg4)[%dim_12]
      %c1_13 = arith.constant 1 : index
      %c4_14 = arith.constant 4 : index
      %7 = affine.apply #map3()[%arg3]
      %alloc_15 = memref.alloc(%6, %7) {alignment = 64 : i64} : memref<?x?xf32>
      linalg.fill ins(%arg0 : f32) outs(%alloc_15 : memref<?x?xf32>)
      %8 = memref.load %alloc_7[%arg4, %arg4] : memref<?x?xf32>
      memref.store %8, %alloc_15[%arg4, %arg4] : memref<?x?xf32>
      %subview_16 = memref.subview %arg5[0, 0] [%arg3, %arg4] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
      memref.copy %alloc_15, %subview_16 : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
      scf.yield %arg5 : memref<?x?xf32>
    }
    %cast = memref.cast %0 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %0 : memref<?x?xf32>
  }
}
// -----
// views: bufferize-function-boundaries
func.func @f(%t: tensor<?x4x2xf32>, %i: index, %f: f32) -> (tensor<?x2xf32>, tensor<?x2x2x2xf32>, tensor<4xf32>, tensor<f32>, tensor<*xf32>, tensor<3x4x2xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x2xf32> into tensor<?x2xf32>
  %1 = tensor.expand_shape %t [[0], [1, 2], [3]] output_shape [%i, 2, 2, 2] : tensor<?x4x2xf32> into tensor<?x2x2x2xf32>
  %2 = tensor.extract_slice %t[%i, 0, 1][1, 4, 1][1, 1, 1] : tensor<?x4x2xf32> to tensor<4xf32>
  %3 = tensor.extract_slice %t[%i, %i, 0][1, 1, 1][1, 2, 1] : tensor<?x4x2xf32> to tensor<1x1xf32>
  %4 = tensor.collapse_shape %3 [] : tensor<1x1xf32> into tensor<f32>
  %5 = tensor.cast %t : tensor<?x4x2xf32> to tensor<*xf32>
  %6 = tensor.cast %t : tensor<?x4x2xf32> to tensor<3x4x2xf32>
  %7 = tensor.insert %f into %2[%i] : tensor<4xf32>
  %8 = tensor.insert %f into %6[%i, %i, %i] : tensor<3x4x2xf32>
  return %0, %1, %7, %4, %5, %8 : tensor<?x2xf32>, tensor<?x2x2x2xf32>, tensor<4xf32>, tensor<f32>, tensor<*xf32>, tensor<3x4x2xf32>
}
// =>
module {
  func.func @f(%arg0: memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>>, %arg1: index, %arg2: f32) -> (memref<?x2xf32>, memref<?x2x2x2xf32>, memref<4xf32>, memref<f32>, memref<?x4x2xf32>, memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?x4x2xf32>
    memref.copy %arg0, %alloc : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>> to memref<?x4x2xf32>
    %collapse_shape = memref.collapse_shape %alloc [[0, 1], [2]] : memref<?x4x2xf32> into memref<?x2xf32>
    %c0_0 = arith.constant 0 : index
    %dim_1 = memref.dim %collapse_shape, %c0_0 : memref<?x2xf32>
    %alloc_2 = memref.alloc(%dim_1) {alignment = 64 : i64} : memref<?x2xf32>
    memref.copy %collapse_shape, %alloc_2 : memref<?x2xf32> to memref<?x2xf32>
    %expand_shape = memref.expand_shape %arg0 [[0], [1, 2], [3]] output_shape [%arg1, 2, 2, 2] : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>> into memref<?x2x2x2xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c0_3 = arith.constant 0 : index
    %dim_4 = memref.dim %expand_shape, %c0_3 : memref<?x2x2x2xf32, strided<[?, ?, ?, ?], offset: ?>>
    %alloc_5 = memref.alloc(%dim_4) {alignment = 64 : i64} : memref<?x2x2x2xf32>
    memref.copy %expand_shape, %alloc_5 : memref<?x2x2x2xf32, strided<[?, ?, ?, ?], offset: ?>> to memref<?x2x2x2xf32>
    %subview = memref.subview %arg0[%arg1, 0, 1] [1, 4, 1] [1, 1, 1] : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %subview, %alloc_6 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
    %subview_7 = memref.subview %arg0[%arg1, %arg1, 0] [1, 1, 1] [1, 2, 1] : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>> to memref<1x1xf32, strided<[?, ?], offset: ?>>
    %alloc_8 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    memref.copy %subview_7, %alloc_8 : memref<1x1xf32, strided<[?, ?], offset: ?>> to memref<1x1xf32>
    %collapse_shape_9 = memref.collapse_shape %alloc_8 [] : memref<1x1xf32> into memref<f32>
    %c0_10 = arith.constant 0 : index
    %dim_11 = memref.dim %arg0, %c0_10 : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>>
    %alloc_12 = memref.alloc(%dim_11) {alignment = 64 : i64} : memref<?x4x2xf32>
    memref.copy %arg0, %alloc_12 : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>> to memref<?x4x2xf32>
    %cast = memref.cast %alloc_12 : memref<?x4x2xf32> to memref<*xf32>
    %cast_13 = memref.cast %arg0 : memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>> to memref<3x4x2xf32, strided<[?, ?, ?], offset: ?>>
    memref.store %arg2, %alloc_6[%arg1] : memref<4xf32>
    memref.store %arg2, %cast_13[%arg1, %arg1, %arg1] : memref<3x4x2xf32, strided<[?, ?, ?], offset: ?>>
    %cast_14 = memref.cast %alloc_2 : memref<?x2xf32> to memref<?x2xf32, strided<[?, ?], offset: ?>>
    %cast_15 = memref.cast %alloc_5 : memref<?x2x2x2xf32> to memref<?x2x2x2xf32, strided<[?, ?, ?, ?], offset: ?>>
    %cast_16 = memref.cast %alloc_6 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %cast_17 = memref.cast %collapse_shape_9 : memref<f32> to memref<f32, strided<[], offset: ?>>
    return %alloc_2, %alloc_5, %alloc_6, %collapse_shape_9, %alloc_12, %arg0 : memref<?x2xf32>, memref<?x2x2x2xf32>, memref<4xf32>, memref<f32>, memref<?x4x2xf32>, memref<?x4x2xf32, strided<[?, ?, ?], offset: ?>>
  }
}
// -----
// swapped buffers: bufferize-function-boundaries allow-return-allocs-from-loops
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %al = bufferization.alloc_tensor() : tensor<8xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t, %b = %u, %d = %al) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %w = tensor.insert %f into %a[%k] : tensor<8xf32>
    %i2 = scf.for %k2 = %c0 to %n step %c1 iter_args(%x = %d) -> tensor<8xf32> {
      %if = scf.if %c -> tensor<8xf32> { scf.yield %x : tensor<8xf32> } else { %z = tensor.empty() : tensor<8xf32> %zz = linalg.fill ins(%f : f32) outs(%z : tensor<8xf32>) -> tensor<8xf32> scf.yield %zz : tensor<8xf32> }
      scf.yield %if : tensor<8xf32>
    }
    scf.yield %b, %w, %i2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// =>
module {
  func.func @f(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1) -> (memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    %cast = memref.cast %alloc : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    %0:3 = scf.for %arg5 = %c0 to %arg3 step %c1 iter_args(%arg6 = %arg0, %arg7 = %arg1, %arg8 = %cast) -> (memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>) {
      memref.store %arg2, %arg6[%arg5] : memref<8xf32, strided<[?], offset: ?>>
      %1 = scf.for %arg9 = %c0 to %arg3 step %c1 iter_args(%arg10 = %arg8) -> (memref<8xf32, strided<[?], offset: ?>>) {
        %2 = scf.if %arg4 -> (memref<8xf32, strided<[?], offset: ?>>) {
          scf.yield %arg10 : memref<8xf32, strided<[?], offset: ?>>
        } else {
          %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
          linalg.fill ins(%arg2 : f32) outs(%alloc_4 : memref<8xf32>)
          %cast_5 = memref.cast %alloc_4 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
          scf.yield %cast_5 : memref<8xf32, strided<[?], offset: ?>>
        }
        scf.yield %2 : memref<8xf32, strided<[?], offset: ?>>
      }
      %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %arg7, %alloc_0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
      %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %arg6, %alloc_1 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
      %cast_2 = memref.cast %alloc_0 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
      %cast_3 = memref.cast %alloc_1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
      scf.yield %cast_2, %cast_3, %1 : memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>
    }
    return %0#0, %0#1, %0#2 : memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>
  }
}
// -----
// while with other results: bufferize-function-boundaries allow-return-allocs-from-loops
func.func @f(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<?xf32>, tensor<8xf32>) {
  %c1 = arith.constant 1 : index
  %q:2 = scf.while (%x = %t, %m = %n) : (tensor<8xf32>, index) -> (tensor<?xf32>, tensor<8xf32>) {
    %cc = arith.cmpi slt, %m, %c1 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %ff = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.condition(%cc) %ff, %x : tensor<?xf32>, tensor<8xf32>
  } do {
  ^bb0(%g: tensor<?xf32>, %x: tensor<8xf32>):
    %s = tensor.extract %g[%n] : tensor<?xf32>
    %w = tensor.insert %s into %x[%n] : tensor<8xf32>
    scf.yield %w, %n : tensor<8xf32>, index
  } attributes {foo}
  return %q#0, %q#1 : tensor<?xf32>, tensor<8xf32>
}
// =>
module {
  func.func @f(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?xf32>, memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %0:2 = scf.while (%arg3 = %arg0, %arg4 = %arg2) : (memref<8xf32, strided<[?], offset: ?>>, index) -> (memref<?xf32>, memref<8xf32>) {
      %1 = arith.cmpi slt, %arg4, %c1 : index
      %alloc = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xf32>
      linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?xf32>)
      %c0 = arith.constant 0 : index
      %dim = memref.dim %alloc, %c0 : memref<?xf32>
      %alloc_1 = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
      memref.copy %alloc, %alloc_1 : memref<?xf32> to memref<?xf32>
      %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %arg3, %alloc_2 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
      scf.condition(%1) %alloc_1, %alloc_2 : memref<?xf32>, memref<8xf32>
    } do {
    ^bb0(%arg3: memref<?xf32>, %arg4: memref<8xf32>):
      %1 = memref.load %arg3[%arg2] : memref<?xf32>
      memref.store %1, %arg4[%arg2] : memref<8xf32>
      %cast_1 = memref.cast %arg4 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
      scf.yield %cast_1, %arg2 : memref<8xf32, strided<[?], offset: ?>>, index
    }
    %cast = memref.cast %0#0 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    %cast_0 = memref.cast %0#1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    return %0#0, %0#1 : memref<?xf32>, memref<8xf32>
  }
}
// -----
// while without boundaries: allow-unknown-ops allow-return-allocs-from-loops
func.func @f(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<?xf32>, tensor<8xf32>) {
  %c1 = arith.constant 1 : index
  %q:2 = scf.while (%x = %t, %m = %n) : (tensor<8xf32>, index) -> (tensor<?xf32>, tensor<8xf32>) {
    %cc = arith.cmpi slt, %m, %c1 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %ff = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.condition(%cc) %ff, %x : tensor<?xf32>, tensor<8xf32>
  } do {
  ^bb0(%g: tensor<?xf32>, %x: tensor<8xf32>):
    %s = tensor.extract %g[%n] : tensor<?xf32>
    %w = tensor.insert %s into %x[%n] : tensor<8xf32>
    scf.yield %w, %n : tensor<8xf32>, index
  } attributes {foo}
  return %q#0, %q#1 : tensor<?xf32>, tensor<8xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<8xf32>, %arg1: f32, %arg2: index) -> (tensor<?xf32>, tensor<8xf32>) {
    %0 = bufferization.to_buffer %arg0 : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %0, %alloc : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    %1:2 = scf.while (%arg3 = %alloc, %arg4 = %arg2) : (memref<8xf32>, index) -> (memref<?xf32>, memref<8xf32>) {
      %4 = arith.cmpi slt, %arg4, %c1 : index
      %alloc_0 = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xf32>
      linalg.fill ins(%arg1 : f32) outs(%alloc_0 : memref<?xf32>)
      %c0 = arith.constant 0 : index
      %dim = memref.dim %alloc_0, %c0 : memref<?xf32>
      %alloc_1 = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
      memref.copy %alloc_0, %alloc_1 : memref<?xf32> to memref<?xf32>
      %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %arg3, %alloc_2 : memref<8xf32> to memref<8xf32>
      scf.condition(%4) %alloc_1, %alloc_2 : memref<?xf32>, memref<8xf32>
    } do {
    ^bb0(%arg3: memref<?xf32>, %arg4: memref<8xf32>):
      %4 = memref.load %arg3[%arg2] : memref<?xf32>
      memref.store %4, %arg4[%arg2] : memref<8xf32>
      scf.yield %arg4, %arg2 : memref<8xf32>, index
    }
    %2 = bufferization.to_tensor %1#1 : memref<8xf32> to tensor<8xf32>
    %3 = bufferization.to_tensor %1#0 : memref<?xf32> to tensor<?xf32>
    return %3, %2 : tensor<?xf32>, tensor<8xf32>
  }
}
// -----
// masks: bufferize-function-boundaries
func.func @f(%t: tensor<?xf32>, %v: vector<16xf32>, %n: index, %m: vector<16xi1>, %p: vector<16xf32>) -> (tensor<?xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %0 = vector.mask %m { vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  %1 = vector.mask %m, %p { vector.transfer_read %0[%c0], %f0 {in_bounds = [true]} : tensor<?xf32>, vector<16xf32> } : vector<16xi1> -> vector<16xf32>
  return %0, %1 : tensor<?xf32>, vector<16xf32>
}
// =>
module {
  func.func @f(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: vector<16xf32>, %arg2: index, %arg3: vector<16xi1>, %arg4: vector<16xf32>) -> (memref<?xf32, strided<[?], offset: ?>>, vector<16xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    vector.mask %arg3 { vector.transfer_write %arg1, %arg0[%c0] {in_bounds = [true]} : vector<16xf32>, memref<?xf32, strided<[?], offset: ?>> } : vector<16xi1>
    %0 = vector.mask %arg3, %arg4 { vector.transfer_read %arg0[%c0], %cst {in_bounds = [true]} : memref<?xf32, strided<[?], offset: ?>>, vector<16xf32> } : vector<16xi1> -> vector<16xf32>
    return %arg0, %0 : memref<?xf32, strided<[?], offset: ?>>, vector<16xf32>
  }
}
// -----
// gather: bufferize-function-boundaries
func.func @f(%t: tensor<16xf32>, %iv: vector<4xi32>, %m: vector<4xi1>, %p: vector<4xf32>, %i: index) -> vector<4xf32> {
  %0 = vector.gather %t[%i][%iv], %m, %p {foo} : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
// =>
module {
  func.func @f(%arg0: memref<16xf32, strided<[?], offset: ?>>, %arg1: vector<4xi32>, %arg2: vector<4xi1>, %arg3: vector<4xf32>, %arg4: index) -> vector<4xf32> {
    %0 = vector.gather %arg0[%arg4] [%arg1], %arg2, %arg3 : memref<16xf32, strided<[?], offset: ?>>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0 : vector<4xf32>
  }
}
// -----
// structured operations: bufferize-function-boundaries
#id = affine_map<(d0)->(d0)>
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %f: f32, %k: tensor<?x?xf32>, %l: tensor<?x?xf32>, %mm: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, f32) {
  %0 = linalg.generic {indexing_maps=[#id,#id], iterator_types=["parallel"], lib = "x"} ins(%t : tensor<?xf32>) outs(%u : tensor<?xf32>) attrs = {foo} { ^bb0(%a: f32, %b: f32): %s = arith.addf %a, %f : f32 linalg.yield %s : f32 } -> tensor<?xf32>
  %1 = linalg.matmul {bar} ins(%k, %l : tensor<?x?xf32>, tensor<?x?xf32>) outs(%mm : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = linalg.softmax dimension(1) ins(%1 : tensor<?x?xf32>) outs(%2 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = linalg.transpose ins(%1 : tensor<?x?xf32>) outs(%k : tensor<?x?xf32>) permutation = [1, 0]
  %c = arith.constant 1 : index
  %x = tensor.extract %3[%c, %c] : tensor<?x?xf32>
  return %0, %1, %4, %x : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, f32
}
// =>
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg4: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg5: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> (memref<?xf32, strided<[?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, f32) {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<?xf32, strided<[?], offset: ?>>) outs(%arg1 : memref<?xf32, strided<[?], offset: ?>>) attrs =  {foo, lib = "x"} {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %arg2 : f32
      linalg.yield %1 : f32
    }
    linalg.matmul {bar} ins(%arg3, %arg4 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%arg5 : memref<?x?xf32, strided<[?, ?], offset: ?>>)
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg3, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg3, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0_1 = arith.constant 0 : index
    %dim_2 = memref.dim %arg4, %c0_1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1_3 = arith.constant 1 : index
    %dim_4 = memref.dim %arg4, %c1_3 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0_5 = arith.constant 0 : index
    %dim_6 = memref.dim %arg5, %c0_5 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1_7 = arith.constant 1 : index
    %dim_8 = memref.dim %arg5, %c1_7 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_4) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg2 : f32) outs(%alloc : memref<?x?xf32>)
    linalg.softmax dimension(1) ins(%arg5 : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<?x?xf32>)
    linalg.transpose ins(%arg5 : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%arg3 : memref<?x?xf32, strided<[?, ?], offset: ?>>) permutation = [1, 0] 
    %c1_9 = arith.constant 1 : index
    %0 = memref.load %alloc[%c1_9, %c1_9] : memref<?x?xf32>
    return %arg1, %arg5, %arg3, %0 : memref<?xf32, strided<[?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, f32
  }
}
// -----
// select: bufferize-function-boundaries
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %n: index, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, tensor<*xf32>) {
  %s = tensor.extract_slice %t[0][8][1] : tensor<8xf32> to tensor<8xf32>
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %0 = arith.select %c, %s, %e : tensor<8xf32>
  %1 = arith.select %c, %t, %u : tensor<8xf32>
  %2 = tensor.insert %f into %1[%n] : tensor<8xf32>
  %3 = tensor.insert %f into %u[%n] : tensor<8xf32>
  bufferization.dealloc_tensor %e : tensor<8xf32>
  %4 = tensor.cast %3 : tensor<8xf32> to tensor<*xf32>
  return %0, %2, %4 : tensor<8xf32>, tensor<8xf32>, tensor<*xf32>
}
// =>
module {
  func.func @f(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1) -> (memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>) {
    %subview = memref.subview %arg0[0] [8] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32, strided<[?], offset: ?>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %subview, %alloc : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    %0 = arith.select %arg4, %alloc, %alloc_0 : memref<8xf32>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %arg1, %alloc_1 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    %cast = memref.cast %alloc_1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    %1 = arith.select %arg4, %arg0, %cast : memref<8xf32, strided<[?], offset: ?>>
    memref.store %arg2, %1[%arg3] : memref<8xf32, strided<[?], offset: ?>>
    memref.store %arg2, %arg1[%arg3] : memref<8xf32, strided<[?], offset: ?>>
    memref.dealloc %alloc_0 : memref<8xf32>
    %cast_2 = memref.cast %arg1 : memref<8xf32, strided<[?], offset: ?>> to memref<*xf32>
    %cast_3 = memref.cast %0 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    return %0, %1, %arg1 : memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>
  }
}
// -----
// unknown operations: bufferize-function-boundaries allow-unknown-ops
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = "foo.bar"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %f into %1[%i] : tensor<4xf32>
  %3 = tensor.extract_slice %2[%i][2][1] : tensor<4xf32> to tensor<2xf32>
  %4 = "foo.baz"(%3) : (tensor<2xf32>) -> tensor<2xf32>
  %5 = tensor.insert_slice %4 into %2[%i][2][1] : tensor<2xf32> into tensor<4xf32>
  return %5 : tensor<4xf32>
}
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<4xf32> {
    memref.store %arg1, %arg0[%arg2] : memref<4xf32, strided<[?], offset: ?>>
    %0 = bufferization.to_tensor %arg0 : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
    %1 = "foo.bar"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %2, %alloc : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
    memref.store %arg1, %alloc[%arg2] : memref<4xf32>
    %subview = memref.subview %alloc[%arg2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
    %3 = bufferization.to_tensor %subview : memref<2xf32, strided<[1], offset: ?>> to tensor<2xf32>
    %4 = "foo.baz"(%3) : (tensor<2xf32>) -> tensor<2xf32>
    %5 = bufferization.to_buffer %4 : tensor<2xf32> to memref<2xf32, strided<[?], offset: ?>>
    %subview_0 = memref.subview %alloc[%arg2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %5, %subview_0 : memref<2xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
    %cast = memref.cast %alloc : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    return %alloc : memref<4xf32>
  }
}
// -----
// constants and names that are taken: bufferize-function-boundaries
memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<2.0> {alignment = 64 : i64}
memref.global "private" constant @z : memref<2xf32> = dense<3.0> {alignment = 64 : i64}
func.func private @__constant_2xi32()
func.func @f() -> (tensor<4xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<4xf32>, tensor<complex<f32>>) { %0 = arith.constant dense<1.0> : tensor<4xf32> %1 = arith.constant dense<3.0> : tensor<2xf32> %2 = arith.constant dense<1> : tensor<2xi32> %3 = arith.constant dense<2> : tensor<2xi32> %4 = arith.constant dense<2.0> : tensor<4xf32> %5 = arith.constant dense<(1.0,2.0)> : tensor<complex<f32>> return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<4xf32>, tensor<complex<f32>> }
// =>
module {
  memref.global "private" constant @"__constant_xcomplex<f32>" : memref<complex<f32>> = dense<(1.000000e+00,2.000000e+00)> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xi32_2 : memref<2xi32> = dense<2> {alignment = 64 : i64}
  memref.global "private" constant @__constant_2xi32_1 : memref<2xi32> = dense<1> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xf32_0 : memref<4xf32> = dense<1.000000e+00> {alignment = 64 : i64}
  memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<2.000000e+00> {alignment = 64 : i64}
  memref.global "private" constant @z : memref<2xf32> = dense<3.000000e+00> {alignment = 64 : i64}
  func.func private @__constant_2xi32()
  func.func @f() -> (memref<4xf32>, memref<2xf32>, memref<2xi32>, memref<2xi32>, memref<4xf32>, memref<complex<f32>>) {
    %0 = memref.get_global @__constant_4xf32_0 : memref<4xf32>
    %1 = memref.get_global @z : memref<2xf32>
    %2 = memref.get_global @__constant_2xi32_1 : memref<2xi32>
    %3 = memref.get_global @__constant_2xi32_2 : memref<2xi32>
    %4 = memref.get_global @__constant_4xf32 : memref<4xf32>
    %5 = memref.get_global @"__constant_xcomplex<f32>" : memref<complex<f32>>
    %cast = memref.cast %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %cast_0 = memref.cast %1 : memref<2xf32> to memref<2xf32, strided<[?], offset: ?>>
    %cast_1 = memref.cast %2 : memref<2xi32> to memref<2xi32, strided<[?], offset: ?>>
    %cast_2 = memref.cast %3 : memref<2xi32> to memref<2xi32, strided<[?], offset: ?>>
    %cast_3 = memref.cast %4 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %cast_4 = memref.cast %5 : memref<complex<f32>> to memref<complex<f32>, strided<[], offset: ?>>
    return %0, %1, %2, %3, %4, %5 : memref<4xf32>, memref<2xf32>, memref<2xi32>, memref<2xi32>, memref<4xf32>, memref<complex<f32>>
  }
}
// -----
// assuming: bufferize-function-boundaries
func.func @f(%w: !shape.witness, %t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, index) { %0:2 = shape.assuming %w -> (tensor<4xf32>, index) { %1 = tensor.insert %f into %t[%i] : tensor<4xf32> shape.assuming_yield %1, %i : tensor<4xf32>, index } return %0#0, %0#1 : tensor<4xf32>, index }
// =>
module {
  func.func @f(%arg0: !shape.witness, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index) -> (memref<4xf32, strided<[?], offset: ?>>, index) {
    %0:2 = shape.assuming %arg0 -> (memref<4xf32, strided<[?], offset: ?>>, index) {
      memref.store %arg2, %arg1[%arg3] : memref<4xf32, strided<[?], offset: ?>>
      shape.assuming_yield %arg1, %arg3 : memref<4xf32, strided<[?], offset: ?>>, index
    }
    return %0#0, %0#1 : memref<4xf32, strided<[?], offset: ?>>, index
  }
}
// -----
// a module in a module: bufferize-function-boundaries
module { func.func @f(%t: tensor<4xf32>, %i: index) -> f32 { %0 = tensor.extract %t[%i] : tensor<4xf32> return %0 : f32 } module @n { func.func @f(%t: tensor<4xf32>, %i: index) -> f32 { %0 = tensor.extract %t[%i] : tensor<4xf32> return %0 : f32 } } }
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: index) -> f32 {
    %0 = memref.load %arg0[%arg1] : memref<4xf32, strided<[?], offset: ?>>
    return %0 : f32
  }
  module @n {
    func.func @f(%arg0: tensor<4xf32>, %arg1: index) -> f32 {
      %extracted = tensor.extract %arg0[%arg1] : tensor<4xf32>
      return %extracted : f32
    }
  }
}
// -----
// a dead operation: bufferize-function-boundaries
func.func @f(%t: tensor<4xf32>) { %0 = arith.addf %t, %t : tensor<4xf32> return }
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>) {
    %0 = bufferization.to_tensor %arg0 : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
    %1 = arith.addf %0, %0 : tensor<4xf32>
    return
  }
}
// -----
// unranked: bufferize-function-boundaries copy-before-write
func.func @f(%t: tensor<*xf32>, %f: f32) -> tensor<*xf32> { %0 = tensor.cast %t : tensor<*xf32> to tensor<4xf32> %c = arith.constant 0 : index %1 = tensor.insert %f into %0[%c] : tensor<4xf32> %2 = tensor.cast %1 : tensor<4xf32> to tensor<*xf32> return %2 : tensor<*xf32> }
// =>
module {
  func.func @f(%arg0: memref<*xf32>, %arg1: f32) -> memref<4xf32> {
    %cast = memref.cast %arg0 : memref<*xf32> to memref<4xf32, strided<[?], offset: ?>>
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %cast, %alloc : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
    memref.store %arg1, %alloc[%c0] : memref<4xf32>
    %cast_0 = memref.cast %alloc : memref<4xf32> to memref<*xf32>
    return %alloc : memref<4xf32>
  }
}
// -----
// sizes of cast: bufferize-function-boundaries
func.func @cast(%t: tensor<?x4xf32>, %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = tensor.cast %t : tensor<?x4xf32> to tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %c[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @cast(%arg0: memref<?x4xf32, strided<[?, ?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?x?xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>) {
    %cast = memref.cast %arg0 : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %cast, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %cast, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?x?xf32>)
    memref.store %arg1, %cast[%arg2, %arg2] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_1 = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc, %arg0 : memref<?x?xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// sizes of expand: bufferize-function-boundaries
func.func @expand(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c = tensor.expand_shape %t [[0, 1]] output_shape [%i, 4] : tensor<?xf32> into tensor<?x4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.insert %f into %c[%i, %i] : tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}
// =>
module {
  func.func @expand(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?x4xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>) {
    %expand_shape = memref.expand_shape %arg0 [[0, 1]] output_shape [%arg2, 4] : memref<?xf32, strided<[?], offset: ?>> into memref<?x4xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%arg2) {alignment = 64 : i64} : memref<?x4xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?x4xf32>)
    memref.store %arg1, %expand_shape[%arg2, %arg2] : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %cast = memref.cast %alloc : memref<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
    return %alloc, %expand_shape : memref<?x4xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// sizes of collapse: bufferize-function-boundaries
func.func @collapse(%t: tensor<?x4x?x?xf32>, %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<?x4x?x?xf32> into tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %c[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 * 4)>
#map1 = affine_map<()[s0, s1] -> (s0 * s1)>
module {
  func.func @collapse(%arg0: memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c2 = arith.constant 2 : index
    %dim_0 = memref.dim %arg0, %c2 : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c3 = arith.constant 3 : index
    %dim_1 = memref.dim %arg0, %c3 : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0, %dim_1) {alignment = 64 : i64} : memref<?x4x?x?xf32>
    memref.copy %arg0, %alloc : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>> to memref<?x4x?x?xf32>
    %collapse_shape = memref.collapse_shape %alloc [[0, 1], [2, 3]] : memref<?x4x?x?xf32> into memref<?x?xf32>
    %c0_2 = arith.constant 0 : index
    %dim_3 = memref.dim %arg0, %c0_2 : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0 = affine.apply #map()[%dim_3]
    %c2_4 = arith.constant 2 : index
    %dim_5 = memref.dim %arg0, %c2_4 : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c3_6 = arith.constant 3 : index
    %dim_7 = memref.dim %arg0, %c3_6 : memref<?x4x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %1 = affine.apply #map1()[%dim_5, %dim_7]
    %alloc_8 = memref.alloc(%0, %1) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg1 : f32) outs(%alloc_8 : memref<?x?xf32>)
    memref.store %arg1, %collapse_shape[%arg2, %arg2] : memref<?x?xf32>
    %cast = memref.cast %alloc_8 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_9 = memref.cast %collapse_shape : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc_8, %collapse_shape : memref<?x?xf32>, memref<?x?xf32>
  }
}
// -----
// sizes of mm: bufferize-function-boundaries
func.func @mm(%a: tensor<?x?xf32>, %b: tensor<?x8xf32>, %t: tensor<?x?xf32>, %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = linalg.generic {indexing_maps = [affine_map<(i,j,k)->(i,k)>,affine_map<(i,j,k)->(k,j)>,affine_map<(i,j,k)->(i,j)>], iterator_types=["parallel","parallel","reduction"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x8xf32>) outs(%t : tensor<?x?xf32>) {
   ^bb0(%x: f32, %y: f32, %z: f32):
    linalg.yield %z : f32
  } -> tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %c[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @mm(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x8xf32, strided<[?, ?], offset: ?>>, %arg2: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg3: f32, %arg4: index) -> (memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x8xf32, strided<[?, ?], offset: ?>>) outs(%arg2 : memref<?x?xf32, strided<[?, ?], offset: ?>>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      linalg.yield %out : f32
    }
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0_1 = arith.constant 0 : index
    %dim_2 = memref.dim %arg1, %c0_1 : memref<?x8xf32, strided<[?, ?], offset: ?>>
    %c0_3 = arith.constant 0 : index
    %dim_4 = memref.dim %arg2, %c0_3 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1_5 = arith.constant 1 : index
    %dim_6 = memref.dim %arg2, %c1_5 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c8 = arith.constant 8 : index
    %alloc = memref.alloc(%dim, %c8) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg3 : f32) outs(%alloc : memref<?x?xf32>)
    memref.store %arg3, %arg2[%arg4, %arg4] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc, %arg2 : memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// sizes of pad: bufferize-function-boundaries
func.func @pad(%a: tensor<?x?xf32>, %l: index, %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = tensor.pad %a low[%l, 1] high[2, %i] {
  ^bb0(%x: index, %y: index):
    tensor.yield %f : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %c[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
#map = affine_map<()[s0, s1, s2] -> (s0 + s1 + s2)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1 + 2)>
#map2 = affine_map<()[s0, s1] -> (s0 + s1 + 1)>
module {
  func.func @pad(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: index, %arg2: f32, %arg3: index) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c2 = arith.constant 2 : index
    %0 = affine.apply #map()[%dim, %arg1, %c2]
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1_1 = arith.constant 1 : index
    %1 = affine.apply #map()[%dim_0, %c1_1, %arg3]
    %c0_2 = arith.constant 0 : index
    %dim_3 = memref.dim %arg0, %c0_2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %2 = affine.apply #map1()[%dim_3, %arg1]
    %c1_4 = arith.constant 1 : index
    %dim_5 = memref.dim %arg0, %c1_4 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %3 = affine.apply #map2()[%dim_5, %arg3]
    %alloc = memref.alloc(%2, %3) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.map outs(%alloc : memref<?x?xf32>)
      (%init: f32) {
        %6 = linalg.index 0 : index
        %7 = linalg.index 1 : index
        linalg.yield %arg2 : f32
      }
    %c0_6 = arith.constant 0 : index
    %dim_7 = memref.dim %arg0, %c0_6 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1_8 = arith.constant 1 : index
    %dim_9 = memref.dim %arg0, %c1_8 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %subview = memref.subview %alloc[%arg1, 1] [%dim_7, %dim_9] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    memref.copy %arg0, %subview : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c0_10 = arith.constant 0 : index
    %dim_11 = memref.dim %arg0, %c0_10 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %4 = affine.apply #map1()[%dim_11, %arg1]
    %c1_12 = arith.constant 1 : index
    %dim_13 = memref.dim %arg0, %c1_12 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %5 = affine.apply #map2()[%dim_13, %arg3]
    %alloc_14 = memref.alloc(%4, %5) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg2 : f32) outs(%alloc_14 : memref<?x?xf32>)
    memref.store %arg2, %alloc[%arg3, %arg3] : memref<?x?xf32>
    %cast = memref.cast %alloc_14 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_15 = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc_14, %alloc : memref<?x?xf32>, memref<?x?xf32>
  }
}
// -----
// sizes of concat: bufferize-function-boundaries
func.func @concat(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>, %c: tensor<2x?xf32>,  %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %r = tensor.concat dim(0) %a, %b, %c : (tensor<?x?xf32>, tensor<?x4xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%r : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %r[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
#map = affine_map<()[s0, s1] -> (s0 + s1 + 2)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
module {
  func.func @concat(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x4xf32, strided<[?, ?], offset: ?>>, %arg2: memref<2x?xf32, strided<[?, ?], offset: ?>>, %arg3: f32, %arg4: index) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0_0 = arith.constant 0 : index
    %dim_1 = memref.dim %arg1, %c0_0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %c0_2 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %0 = affine.apply #map()[%dim, %dim_1]
    %alloc = memref.alloc(%0, %c4) {alignment = 64 : i64} : memref<?x?xf32>
    %c0_3 = arith.constant 0 : index
    %dim_4 = memref.dim %alloc, %c0_3 : memref<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_5 = memref.dim %alloc, %c1 : memref<?x?xf32>
    %c0_6 = arith.constant 0 : index
    %dim_7 = memref.dim %arg0, %c0_6 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %subview = memref.subview %alloc[0, 0] [%dim_7, %dim_5] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    memref.copy %arg0, %subview : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, 1]>>
    %c0_8 = arith.constant 0 : index
    %dim_9 = memref.dim %arg1, %c0_8 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %subview_10 = memref.subview %alloc[%dim_7, 0] [%dim_9, %dim_5] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    memref.copy %arg1, %subview_10 : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %1 = affine.apply #map1()[%dim_7, %dim_9]
    %subview_11 = memref.subview %alloc[%1, 0] [2, %dim_5] [1, 1] : memref<?x?xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
    memref.copy %arg2, %subview_11 : memref<2x?xf32, strided<[?, ?], offset: ?>> to memref<2x?xf32, strided<[?, 1], offset: ?>>
    %2 = affine.apply #map()[%dim_7, %dim_9]
    %c4_12 = arith.constant 4 : index
    %c0_13 = arith.constant 0 : index
    %dim_14 = memref.dim %arg0, %c0_13 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c0_15 = arith.constant 0 : index
    %dim_16 = memref.dim %arg1, %c0_15 : memref<?x4xf32, strided<[?, ?], offset: ?>>
    %c0_17 = arith.constant 0 : index
    %c2_18 = arith.constant 2 : index
    %3 = affine.apply #map()[%dim_14, %dim_16]
    %alloc_19 = memref.alloc(%3, %c4_12) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg3 : f32) outs(%alloc_19 : memref<?x?xf32>)
    memref.store %arg3, %alloc[%arg4, %arg4] : memref<?x?xf32>
    %cast = memref.cast %alloc_19 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_20 = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc_19, %alloc : memref<?x?xf32>, memref<?x?xf32>
  }
}
// -----
// sizes of concat2: bufferize-function-boundaries
func.func @concat2(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// =>
#map = affine_map<()[s0] -> (s0 + 4)>
module {
  func.func @concat2(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x4xf32, strided<[?, ?], offset: ?>>) -> memref<?x?xf32> {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1_1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0 = affine.apply #map()[%dim_0]
    %alloc = memref.alloc(%dim, %0) {alignment = 64 : i64} : memref<?x?xf32>
    %c0_2 = arith.constant 0 : index
    %dim_3 = memref.dim %alloc, %c0_2 : memref<?x?xf32>
    %c1_4 = arith.constant 1 : index
    %dim_5 = memref.dim %alloc, %c1_4 : memref<?x?xf32>
    %c1_6 = arith.constant 1 : index
    %dim_7 = memref.dim %arg0, %c1_6 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %subview = memref.subview %alloc[0, 0] [%dim_3, %dim_7] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    memref.copy %arg0, %subview : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, 1]>>
    %subview_8 = memref.subview %alloc[0, %dim_7] [%dim_3, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
    memref.copy %arg1, %subview_8 : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
    %1 = affine.apply #map()[%dim_7]
    %cast = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc : memref<?x?xf32>
  }
}
// -----
// sizes of concat3: bufferize-function-boundaries
func.func @concat3(%a: tensor<3x4xf32>, %b: tensor<3x5xf32>) -> tensor<3x9xf32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<3x9xf32>
  return %r : tensor<3x9xf32>
}
// =>
module {
  func.func @concat3(%arg0: memref<3x4xf32, strided<[?, ?], offset: ?>>, %arg1: memref<3x5xf32, strided<[?, ?], offset: ?>>) -> memref<3x9xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<3x9xf32>
    %subview = memref.subview %alloc[0, 0] [3, 4] [1, 1] : memref<3x9xf32> to memref<3x4xf32, strided<[9, 1]>>
    memref.copy %arg0, %subview : memref<3x4xf32, strided<[?, ?], offset: ?>> to memref<3x4xf32, strided<[9, 1]>>
    %subview_0 = memref.subview %alloc[0, 4] [3, 5] [1, 1] : memref<3x9xf32> to memref<3x5xf32, strided<[9, 1], offset: 4>>
    memref.copy %arg1, %subview_0 : memref<3x5xf32, strided<[?, ?], offset: ?>> to memref<3x5xf32, strided<[9, 1], offset: 4>>
    %cast = memref.cast %alloc : memref<3x9xf32> to memref<3x9xf32, strided<[?, ?], offset: ?>>
    return %alloc : memref<3x9xf32>
  }
}
// -----
// sizes of ins: bufferize-function-boundaries
func.func @ins(%a: tensor<?x?xf32>, %b: tensor<4xf32>, %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %s = tensor.empty(%i, %i) : tensor<?x?xf32>
  %r = tensor.insert_slice %b into %s[%i, 0][1, 4][1, 1] : tensor<4xf32> into tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%r : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %r[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @ins(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %alloc = memref.alloc(%arg3, %arg3) {alignment = 64 : i64} : memref<?x?xf32>
    %subview = memref.subview %alloc[%arg3, 0] [1, 4] [1, 1] : memref<?x?xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %arg1, %subview : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %alloc, %c0 : memref<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %alloc, %c1 : memref<?x?xf32>
    %alloc_1 = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg2 : f32) outs(%alloc_1 : memref<?x?xf32>)
    memref.store %arg2, %alloc[%arg3, %arg3] : memref<?x?xf32>
    %cast = memref.cast %alloc_1 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_2 = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc_1, %alloc : memref<?x?xf32>, memref<?x?xf32>
  }
}
// -----
// sizes of gen: bufferize-function-boundaries
func.func @gen(%f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %r = tensor.generate %i, %i {
  ^bb0(%x: index, %y: index):
    tensor.yield %f : f32
  } : tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%r : tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = tensor.insert %f into %0[%i, %i] : tensor<?x?xf32>
  %1 = tensor.insert %f into %r[%i, %i] : tensor<?x?xf32>
  return %0, %1, %q : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @gen(%arg0: f32, %arg1: index) -> (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) {
    %alloc = memref.alloc(%arg1, %arg1) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.map outs(%alloc : memref<?x?xf32>)
      (%init: f32) {
        %0 = linalg.index 0 : index
        %1 = linalg.index 1 : index
        linalg.yield %arg0 : f32
      }
    %alloc_0 = memref.alloc(%arg1, %arg1) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg0 : f32) outs(%alloc_0 : memref<?x?xf32>)
    %c0 = arith.constant 0 : index
    %dim = memref.dim %alloc_0, %c0 : memref<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_1 = memref.dim %alloc_0, %c1 : memref<?x?xf32>
    %alloc_2 = memref.alloc(%dim, %dim_1) {alignment = 64 : i64} : memref<?x?xf32>
    memref.copy %alloc_0, %alloc_2 : memref<?x?xf32> to memref<?x?xf32>
    memref.store %arg0, %alloc_2[%arg1, %arg1] : memref<?x?xf32>
    memref.store %arg0, %alloc[%arg1, %arg1] : memref<?x?xf32>
    %cast = memref.cast %alloc_0 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_3 = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_4 = memref.cast %alloc_2 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc_0, %alloc, %alloc_2 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
  }
}
// -----
// sizes of gen2: bufferize-function-boundaries
func.func @gen2(%f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %r = tensor.generate %i, %i {
  ^bb0(%x: index, %y: index):
    tensor.yield %f : f32
  } : tensor<?x?xf32>
  %r1 = linalg.fill ins(%f : f32) outs(%r : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%r1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %r1[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @gen2(%arg0: f32, %arg1: index) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %alloc = memref.alloc(%arg1, %arg1) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.map outs(%alloc : memref<?x?xf32>)
      (%init: f32) {
        %0 = linalg.index 0 : index
        %1 = linalg.index 1 : index
        linalg.yield %arg0 : f32
      }
    linalg.fill ins(%arg0 : f32) outs(%alloc : memref<?x?xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %alloc_2 = memref.alloc(%arg1, %arg1) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg0 : f32) outs(%alloc_2 : memref<?x?xf32>)
    memref.store %arg0, %alloc[%arg1, %arg1] : memref<?x?xf32>
    %cast = memref.cast %alloc_2 : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_3 = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc_2, %alloc : memref<?x?xf32>, memref<?x?xf32>
  }
}
// -----
// sizes of conv: bufferize-function-boundaries
func.func @conv(%a: tensor<1x?x?x3xf32>, %b: tensor<3x3x3x?xf32>, %t: tensor<1x?x?x?xf32>, %f: f32, %i: index) -> (tensor<1x?x?x?xf32>, tensor<1x?x?x?xf32>) {
  %c = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x?x?x3xf32>, tensor<3x3x3x?xf32>) outs(%t : tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32>
  %1 = tensor.insert %f into %c[%i, %i, %i, %i] : tensor<1x?x?x?xf32>
  return %0, %1 : tensor<1x?x?x?xf32>, tensor<1x?x?x?xf32>
}
// =>
module {
  func.func @conv(%arg0: memref<1x?x?x3xf32, strided<[?, ?, ?, ?], offset: ?>>, %arg1: memref<3x3x3x?xf32, strided<[?, ?, ?, ?], offset: ?>>, %arg2: memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>, %arg3: f32, %arg4: index) -> (memref<1x?x?x?xf32>, memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>) {
    linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : memref<1x?x?x3xf32, strided<[?, ?, ?, ?], offset: ?>>, memref<3x3x3x?xf32, strided<[?, ?, ?, ?], offset: ?>>) outs(%arg2 : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>)
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<1x?x?x3xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c2 = arith.constant 2 : index
    %dim_0 = memref.dim %arg0, %c2 : memref<1x?x?x3xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c3 = arith.constant 3 : index
    %dim_1 = memref.dim %arg1, %c3 : memref<3x3x3x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c1_2 = arith.constant 1 : index
    %dim_3 = memref.dim %arg2, %c1_2 : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c2_4 = arith.constant 2 : index
    %dim_5 = memref.dim %arg2, %c2_4 : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c3_6 = arith.constant 3 : index
    %dim_7 = memref.dim %arg2, %c3_6 : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c1_8 = arith.constant 1 : index
    %dim_9 = memref.dim %arg2, %c1_8 : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %c2_10 = arith.constant 2 : index
    %dim_11 = memref.dim %arg2, %c2_10 : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %alloc = memref.alloc(%dim_9, %dim_11, %dim_1) {alignment = 64 : i64} : memref<1x?x?x?xf32>
    linalg.fill ins(%arg3 : f32) outs(%alloc : memref<1x?x?x?xf32>)
    memref.store %arg3, %arg2[%arg4, %arg4, %arg4, %arg4] : memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    %cast = memref.cast %alloc : memref<1x?x?x?xf32> to memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
    return %alloc, %arg2 : memref<1x?x?x?xf32>, memref<1x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  }
}
// -----
// sizes of softmax: bufferize-function-boundaries
func.func @softmax(%a: tensor<?x?xf32>, %t: tensor<?x?xf32>, %f: f32, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = linalg.softmax dimension(1) ins(%a: tensor<?x?xf32>) outs(%t: tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.insert %f into %c[%i, %i] : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func @softmax(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg2: f32, %arg3: index) -> (memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) {
    linalg.softmax dimension(1) ins(%arg0 : memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>)
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %alloc = memref.alloc(%dim, %dim_0) {alignment = 64 : i64} : memref<?x?xf32>
    linalg.fill ins(%arg2 : f32) outs(%alloc : memref<?x?xf32>)
    memref.store %arg2, %arg1[%arg3, %arg3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast = memref.cast %alloc : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %alloc, %arg1 : memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}
// -----
// outside of functions, tensors stand behind what made them: bufferize-function-boundaries allow-unknown-ops
%a = "test.op"() : () -> tensor<2xf64>
%b = "test.op"() : () -> tensor<2xf64>
%c = bufferization.materialize_in_destination %a in %b : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// =>
module {
  %0 = "test.op"() : () -> tensor<2xf64>
  %1 = bufferization.to_buffer %0 : tensor<2xf64> to memref<2xf64, strided<[?], offset: ?>>
  %2 = "test.op"() : () -> tensor<2xf64>
  %3 = bufferization.to_buffer %2 : tensor<2xf64> to memref<2xf64, strided<[?], offset: ?>>
  memref.copy %1, %3 : memref<2xf64, strided<[?], offset: ?>> to memref<2xf64, strided<[?], offset: ?>>
  %4 = bufferization.to_tensor %3 : memref<2xf64, strided<[?], offset: ?>> to tensor<2xf64>
}
// -----
// a choice reads neither tensor: bufferize-function-boundaries
func.func @f(%t: tensor<4xf32>, %u: tensor<?xf32>, %x: f32, %i: index, %c: i1) -> (tensor<4xf32>, index) {
  %w = tensor.insert %x into %t[%i] : tensor<4xf32>
  %k = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %s = arith.select %c, %k, %u : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %s, %c0 : tensor<?xf32>
  return %w, %d : tensor<4xf32>, index
}
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index, %arg4: i1) -> (memref<4xf32, strided<[?], offset: ?>>, index) {
    memref.store %arg2, %arg0[%arg3] : memref<4xf32, strided<[?], offset: ?>>
    %cast = memref.cast %arg0 : memref<4xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
    %0 = arith.select %arg4, %cast, %arg1 : memref<?xf32, strided<[?], offset: ?>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %0, %c0 : memref<?xf32, strided<[?], offset: ?>>
    return %arg0, %dim : memref<4xf32, strided<[?], offset: ?>>, index
  }
}
// -----
// one parallel iteration shares its buffer: bufferize-function-boundaries
func.func @f(%t: tensor<4xf32>, %x: f32, %y: f32, %c: i1) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
    }
  }
  %1 = tensor.extract %0[%c0] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: f32, %arg3: i1) -> (memref<4xf32, strided<[?], offset: ?>>, f32) {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    scf.forall (%arg4) in (1) {
      linalg.fill ins(%arg1 : f32) outs(%alloc : memref<2xf32>)
      %subview = memref.subview %arg0[%arg4] [2] [1] : memref<4xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
      memref.copy %alloc, %subview : memref<2xf32> to memref<2xf32, strided<[?], offset: ?>>
    }
    %0 = memref.load %arg0[%c0] : memref<4xf32, strided<[?], offset: ?>>
    return %arg0, %0 : memref<4xf32, strided<[?], offset: ?>>, f32
  }
}
// -----
// two parallel iterations need a buffer each: bufferize-function-boundaries
func.func @f(%t: tensor<4xf32>, %x: f32, %y: f32, %c: i1) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
    }
  }
  %1 = tensor.extract %0[%c0] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
// =>
module {
  func.func @f(%arg0: memref<4xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: f32, %arg3: i1) -> (memref<4xf32, strided<[?], offset: ?>>, f32) {
    %c0 = arith.constant 0 : index
    scf.forall (%arg4) in (2) {
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
      linalg.fill ins(%arg1 : f32) outs(%alloc : memref<2xf32>)
      %subview = memref.subview %arg0[%arg4] [2] [1] : memref<4xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
      memref.copy %alloc, %subview : memref<2xf32> to memref<2xf32, strided<[?], offset: ?>>
    }
    %0 = memref.load %arg0[%c0] : memref<4xf32, strided<[?], offset: ?>>
    return %arg0, %0 : memref<4xf32, strided<[?], offset: ?>>, f32
  }
}
// -----
// two results of a region: 
func.func @f(%t: tensor<4xf32>, %u: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0:2 = scf.execute_region -> (tensor<4xf32>, tensor<8xf32>) {
    scf.yield %t, %u : tensor<4xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<8xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %0 = bufferization.to_buffer %arg1 : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    %1 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
    %2:2 = scf.execute_region -> (memref<4xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>) {
      scf.yield %1, %0 : memref<4xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>
    }
    %3 = bufferization.to_tensor %2#0 : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
    %4 = bufferization.to_tensor %2#1 : memref<8xf32, strided<[?], offset: ?>> to tensor<8xf32>
    return %3, %4 : tensor<4xf32>, tensor<8xf32>
  }
}
