func.func @b(%c: i1, %lb: index, %ub: index, %st: index, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %lb to %ub step %st iter_args(%x = %p) -> (tensor<8xf32>) {
    %q = scf.execute_region -> tensor<8xf32> {
      cf.cond_br %c, ^a, ^b
    ^a:
      cf.br ^d(%x : tensor<8xf32>)
    ^b:
      cf.br ^d(%x : tensor<8xf32>)
    ^d(%y: tensor<8xf32>):
      %z = tensor.insert %f into %p[%i] : tensor<8xf32>
      scf.yield %z : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @d(%c: i1, %lb: index, %ub: index, %st: index, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %lb to %ub step %st iter_args(%x = %p) -> (tensor<8xf32>) {
    %q = scf.execute_region -> tensor<8xf32> {
      cf.cond_br %c, ^a, ^b
    ^a:
      cf.br ^d(%p : tensor<8xf32>)
    ^b:
      cf.br ^d(%x : tensor<8xf32>)
    ^d(%y: tensor<8xf32>):
      %z = tensor.insert %f into %x[%i] : tensor<8xf32>
      scf.yield %z : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
// =>
module {
  func.func @b(%arg0: i1, %arg1: index, %arg2: index, %arg3: index, %arg4: f32) -> memref<8xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%arg4 : f32) outs(%alloc : memref<8xf32>)
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %alloc, %alloc_0 : memref<8xf32> to memref<8xf32>
    %0 = scf.for %arg5 = %arg1 to %arg2 step %arg3 iter_args(%arg6 = %alloc_0) -> (memref<8xf32>) {
      %cast_1 = memref.cast %arg6 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
      %cast_2 = memref.cast %arg6 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
      %1 = scf.execute_region -> memref<8xf32> {
        cf.cond_br %arg0, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        cf.br ^bb3(%cast_1 : memref<8xf32, strided<[?], offset: ?>>)
      ^bb2:  // pred: ^bb0
        cf.br ^bb3(%cast_2 : memref<8xf32, strided<[?], offset: ?>>)
      ^bb3(%2: memref<8xf32, strided<[?], offset: ?>>):  // 2 preds: ^bb1, ^bb2
        %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
        memref.copy %alloc, %alloc_3 : memref<8xf32> to memref<8xf32>
        memref.store %arg4, %alloc_3[%arg5] : memref<8xf32>
        scf.yield %alloc_3 : memref<8xf32>
      }
      scf.yield %1 : memref<8xf32>
    }
    %cast = memref.cast %0 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    return %0 : memref<8xf32>
  }
  func.func @d(%arg0: i1, %arg1: index, %arg2: index, %arg3: index, %arg4: f32) -> memref<8xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%arg4 : f32) outs(%alloc : memref<8xf32>)
    %0 = scf.for %arg5 = %arg1 to %arg2 step %arg3 iter_args(%arg6 = %alloc) -> (memref<8xf32>) {
      %cast_0 = memref.cast %arg6 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
      %1 = scf.execute_region -> memref<8xf32> {
        cf.cond_br %arg0, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
        %cast_2 = memref.cast %alloc_1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
        cf.br ^bb3(%cast_2 : memref<8xf32, strided<[?], offset: ?>>)
      ^bb2:  // pred: ^bb0
        cf.br ^bb3(%cast_0 : memref<8xf32, strided<[?], offset: ?>>)
      ^bb3(%2: memref<8xf32, strided<[?], offset: ?>>):  // 2 preds: ^bb1, ^bb2
        memref.store %arg4, %arg6[%arg5] : memref<8xf32>
        scf.yield %arg6 : memref<8xf32>
      }
      scf.yield %1 : memref<8xf32>
    }
    %cast = memref.cast %0 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    return %0 : memref<8xf32>
  }
}
