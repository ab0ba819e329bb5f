func.func private @do(tensor<?x?xf32>) -> tensor<?x?xf32>
func.func @forcast(%t: tensor<32x1024xf32>, %u: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %0 = tensor.cast %t : tensor<32x1024xf32> to tensor<?x?xf32>
  %1:2 = scf.for %i = %c0 to %c1024 step %c32 iter_args(%a = %0, %b = %u) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %2 = func.call @do(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %3 = func.call @do(%b) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %1#0, %1#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
// =>
module {
  func.func private @do(tensor<?x?xf32>) -> tensor<?x?xf32>
  func.func @forcast(%arg0: tensor<32x1024xf32>, %arg1: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %0:2 = scf.for %arg2 = %c0 to %c1024 step %c32 iter_args(%arg3 = %arg0, %arg4 = %arg1) -> (tensor<32x1024xf32>, tensor<?x?xf32>) {
      %cast_0 = tensor.cast %arg3 : tensor<32x1024xf32> to tensor<?x?xf32>
      %1 = func.call @do(%cast_0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = func.call @do(%arg4) : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %cast_1 = tensor.cast %1 : tensor<?x?xf32> to tensor<32x1024xf32>
      scf.yield %cast_1, %2 : tensor<32x1024xf32>, tensor<?x?xf32>
    }
    %cast = tensor.cast %0#0 : tensor<32x1024xf32> to tensor<?x?xf32>
    return %cast, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
  }
}
// -----
func.func private @cond() -> i1
func.func private @val() -> i32
func.func private @use(i32)
func.func @while_align(%a: i32, %b: i32, %c: i32) -> (i32, i32) {
  %0:2 = scf.while (%x = %a, %y = %b, %z = %c) : (i32, i32, i32) -> (i32, i32) {
    %p = func.call @cond() : () -> i1
    func.call @use(%z) : (i32) -> ()
    scf.condition(%p) %y, %x : i32, i32
  } do {
  ^bb0(%s: i32, %t: i32):
    %n = func.call @val() : () -> i32
    scf.yield %t, %s, %n : i32, i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
// =>
module {
  func.func private @cond() -> i1
  func.func private @val() -> i32
  func.func private @use(i32)
  func.func @while_align(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    scf.while (%arg3 = %arg2) : (i32) -> () {
      %0 = func.call @cond() : () -> i1
      func.call @use(%arg3) : (i32) -> ()
      scf.condition(%0)
    } do {
      %0 = func.call @val() : () -> i32
      scf.yield %0 : i32
    }
    return %arg1, %arg0 : i32, i32
  }
}
// -----
func.func private @cond() -> i1
func.func private @val() -> i32
func.func private @use(i32)
func.func @while_align2(%a: i32, %b: i32) -> (i32, i32, i32) {
  %0:3 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32, i32) {
    %p = func.call @cond() : () -> i1
    %v = func.call @val() : () -> i32
    scf.condition(%p) %y, %v, %x : i32, i32, i32
  } do {
  ^bb0(%s: i32, %t: i32, %u: i32):
    %n = func.call @val() : () -> i32
    func.call @use(%t) : (i32) -> ()
    func.call @use(%s) : (i32) -> ()
    func.call @use(%u) : (i32) -> ()
    scf.yield %s, %n : i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}
// =>
module {
  func.func private @cond() -> i1
  func.func private @val() -> i32
  func.func private @use(i32)
  func.func @while_align2(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %0:3 = scf.while (%arg2 = %arg0, %arg3 = %arg1) : (i32, i32) -> (i32, i32, i32) {
      %1 = func.call @cond() : () -> i1
      %2 = func.call @val() : () -> i32
      scf.condition(%1) %arg3, %2, %arg2 : i32, i32, i32
    } do {
    ^bb0(%arg2: i32, %arg3: i32, %arg4: i32):
      %1 = func.call @val() : () -> i32
      func.call @use(%arg3) : (i32) -> ()
      func.call @use(%arg2) : (i32) -> ()
      func.call @use(%arg4) : (i32) -> ()
      scf.yield %arg2, %1 : i32, i32
    }
    return %0#0, %0#1, %0#2 : i32, i32, i32
  }
}
// -----
func.func private @use(i32)
func.func @while_cmp(%a: i32, %b: i32) -> i32 {
  %c10 = arith.constant 10 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.while (%x = %a) : (i32) -> (i32) {
    %p = arith.cmpi slt, %x, %c10 : i32
    scf.condition(%p) %x : i32
  } do {
  ^bb0(%s: i32):
    %q = arith.cmpi slt, %s, %c10 : i32
    %r = arith.cmpi sge, %s, %c10 : i32
    %e = arith.extui %q : i1 to i32
    %e2 = arith.extui %r : i1 to i32
    func.call @use(%e) : (i32) -> ()
    func.call @use(%e2) : (i32) -> ()
    %n = arith.addi %s, %c1 : i32
    scf.yield %n : i32
  }
  return %0 : i32
}
// =>
module {
  func.func private @use(i32)
  func.func @while_cmp(%arg0: i32, %arg1: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c10_i32 = arith.constant 10 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
      %1 = arith.cmpi slt, %arg2, %c10_i32 : i32
      scf.condition(%1) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      func.call @use(%c1_i32) : (i32) -> ()
      func.call @use(%c0_i32) : (i32) -> ()
      %1 = arith.addi %arg2, %c1_i32 : i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
}
// -----
func.func private @cond() -> i1
func.func private @val() -> i32
func.func private @use(i32)
func.func @while_if(%a: i32) -> i32 {
  %0 = scf.while (%x = %a) : (i32) -> (i32) {
    %p = func.call @cond() : () -> i1
    scf.if %p {
      func.call @use(%x) : (i32) -> ()
    }
    scf.condition(%p) %x : i32
  } do {
  ^bb0(%s: i32):
    %n = func.call @val() : () -> i32
    scf.yield %n : i32
  }
  return %0 : i32
}
// =>
module {
  func.func private @cond() -> i1
  func.func private @val() -> i32
  func.func private @use(i32)
  func.func @while_if(%arg0: i32) -> i32 {
    %0 = scf.while (%arg1 = %arg0) : (i32) -> i32 {
      %1 = func.call @cond() : () -> i1
      scf.condition(%1) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      func.call @use(%arg1) : (i32) -> ()
      %1 = func.call @val() : () -> i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
}
// -----
func.func private @cond() -> i1
func.func private @val() -> i32
func.func private @use(i32)
func.func @while_if2(%a: i32) -> i32 {
  %0:2 = scf.while (%x = %a) : (i32) -> (i32, i32) {
    %p = func.call @cond() : () -> i1
    %v = func.call @val() : () -> i32
    %r = scf.if %p -> i32 {
      %w = func.call @val() : () -> i32
      func.call @use(%x) : (i32) -> ()
      scf.yield %w : i32
    } else {
      scf.yield %v : i32
    }
    scf.condition(%p) %r, %x : i32, i32
  } do {
  ^bb0(%s: i32, %t: i32):
    func.call @use(%t) : (i32) -> ()
    scf.yield %s : i32
  }
  return %0#0 : i32
}
// =>
module {
  func.func private @cond() -> i1
  func.func private @val() -> i32
  func.func private @use(i32)
  func.func @while_if2(%arg0: i32) -> i32 {
    %0:2 = scf.while (%arg1 = %arg0) : (i32) -> (i32, i32) {
      %1 = func.call @cond() : () -> i1
      %2 = func.call @val() : () -> i32
      scf.condition(%1) %2, %arg1 : i32, i32
    } do {
    ^bb0(%arg1: i32, %arg2: i32):
      %1 = func.call @val() : () -> i32
      func.call @use(%arg2) : (i32) -> ()
      func.call @use(%arg2) : (i32) -> ()
      scf.yield %1 : i32
    }
    return %0#0 : i32
  }
}
// -----
func.func private @cond() -> i1
func.func private @val() -> i32
func.func private @use(i32)
func.func @while_invariant(%a: i32, %b: i32) -> (i32, i32) {
  %0:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %p = func.call @cond() : () -> i1
    func.call @use(%x) : (i32) -> ()
    func.call @use(%y) : (i32) -> ()
    scf.condition(%p) %x, %y : i32, i32
  } do {
  ^bb0(%s: i32, %t: i32):
    %n = func.call @val() : () -> i32
    func.call @use(%s) : (i32) -> ()
    scf.yield %a, %n : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
// =>
module {
  func.func private @cond() -> i1
  func.func private @val() -> i32
  func.func private @use(i32)
  func.func @while_invariant(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = scf.while (%arg2 = %arg1) : (i32) -> i32 {
      %1 = func.call @cond() : () -> i1
      func.call @use(%arg0) : (i32) -> ()
      func.call @use(%arg2) : (i32) -> ()
      scf.condition(%1) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %1 = func.call @val() : () -> i32
      func.call @use(%arg0) : (i32) -> ()
      scf.yield %1 : i32
    }
    return %arg0, %0 : i32, i32
  }
}
// -----
func.func private @val() -> i32
func.func private @use(i32)
func.func @while_never(%a: i32) -> (i32) {
  %f = arith.constant false
  %0 = scf.while (%x = %a) : (i32) -> (i32) {
    func.call @use(%x) : (i32) -> ()
    scf.condition(%f) %x : i32
  } do {
  ^bb0(%s: i32):
    %n = func.call @val() : () -> i32
    scf.yield %n : i32
  }
  return %0 : i32
}
// =>
module {
  func.func private @val() -> i32
  func.func private @use(i32)
  func.func @while_never(%arg0: i32) -> i32 {
    %false = arith.constant false
    %0 = scf.while (%arg1 = %arg0) : (i32) -> i32 {
      func.call @use(%arg1) : (i32) -> ()
      scf.condition(%false) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      %1 = func.call @val() : () -> i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
}
// -----
func.func private @use(i32)
func.func private @usei(index)
func.func @forallcast(%a: tensor<8xf32>, %u: tensor<?xf32>, %s: tensor<4xf32>) -> (tensor<?xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %k = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
  %0:2 = scf.forall (%i) in (2) shared_outs(%o = %k, %o2 = %u) -> (tensor<?xf32>, tensor<?xf32>) {
    %d = tensor.dim %o, %c0 : tensor<?xf32>
    func.call @usei(%d) : (index) -> ()
    %j = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j] [4] [1] : tensor<4xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %s into %o2[%j] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  }
  %d2 = tensor.dim %0#1, %c0 : tensor<?xf32>
  return %0#0, %0#1, %d2 : tensor<?xf32>, tensor<?xf32>, index
}
// =>
#map = affine_map<(d0) -> (d0 * 4)>
module {
  func.func private @use(i32)
  func.func private @usei(index)
  func.func @forallcast(%arg0: tensor<8xf32>, %arg1: tensor<?xf32>, %arg2: tensor<4xf32>) -> (tensor<?xf32>, tensor<?xf32>, index) {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %0:2 = scf.forall (%arg3) in (2) shared_outs(%arg4 = %arg0, %arg5 = %arg1) -> (tensor<8xf32>, tensor<?xf32>) {
      func.call @usei(%c8) : (index) -> ()
      %1 = affine.apply #map(%arg3)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %arg2 into %arg4[%1] [4] [1] : tensor<4xf32> into tensor<8xf32>
        tensor.parallel_insert_slice %arg2 into %arg5[%1] [4] [1] : tensor<4xf32> into tensor<?xf32>
      }
    }
    %cast = tensor.cast %0#0 : tensor<8xf32> to tensor<?xf32>
    %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
    return %cast, %0#1, %dim : tensor<?xf32>, tensor<?xf32>, index
  }
}
// -----
func.func @forallunused(%a: tensor<8xf32>, %u: tensor<8xf32>, %s: tensor<4xf32>, %n: index) -> (tensor<8xf32>) {
  %0:2 = scf.forall (%i) in (%n) shared_outs(%o = %a, %o2 = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.extract %o2[%i] : tensor<8xf32>
    %t = tensor.splat %e : tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0#0 : tensor<8xf32>
}
// =>
module {
  func.func @forallunused(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<4xf32>, %arg3: index) -> tensor<8xf32> {
    %0 = scf.forall (%arg4) in (%arg3) shared_outs(%arg5 = %arg0) -> (tensor<8xf32>) {
      %extracted = tensor.extract %arg1[%arg4] : tensor<8xf32>
      %splat = tensor.splat %extracted : tensor<4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %splat into %arg5[%arg4] [4] [1] : tensor<4xf32> into tensor<8xf32>
      }
    }
    return %0 : tensor<8xf32>
  }
}
// -----
func.func @forallunused2(%a: tensor<8xf32>, %u: tensor<8xf32>, %s: tensor<4xf32>, %n: index) -> (tensor<8xf32>) {
  %0:2 = scf.forall (%i) in (%n) shared_outs(%o = %a, %o2 = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %s into %o2[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0#1 : tensor<8xf32>
}
// =>
module {
  func.func @forallunused2(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<4xf32>, %arg3: index) -> tensor<8xf32> {
    %0 = scf.forall (%arg4) in (%arg3) shared_outs(%arg5 = %arg1) -> (tensor<8xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %arg2 into %arg5[%arg4] [4] [1] : tensor<4xf32> into tensor<8xf32>
      }
    }
    return %0 : tensor<8xf32>
  }
}
// -----
func.func private @use(i32)
func.func private @usei(index)
func.func @parallel(%m: memref<8xi32>, %a: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c2) {
    memref.store %a, %m[%j] : memref<8xi32>
    func.call @usei(%i) : (index) -> ()
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %c1) step (%c1, %c2) {
    memref.store %a, %m[%j] : memref<8xi32>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c0, %n) step (%c1, %c2) {
    memref.store %a, %m[%j] : memref<8xi32>
    scf.reduce
  }
  return
}
// =>
module {
  func.func private @use(i32)
  func.func private @usei(index)
  func.func @parallel(%arg0: memref<8xi32>, %arg1: i32, %arg2: index) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%arg3) = (%c0) to (%arg2) step (%c2) {
      memref.store %arg1, %arg0[%arg3] : memref<8xi32>
      func.call @usei(%c0) : (index) -> ()
      scf.reduce 
    }
    memref.store %arg1, %arg0[%c0] : memref<8xi32>
    return
  }
}
// -----
func.func @parallel_reduce(%m: memref<8xi32>, %a: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c2) init (%a) -> i32 {
    %v = memref.load %m[%j] : memref<8xi32>
    scf.reduce(%v : i32) { ^bb0(%x: i32, %y: i32): %s = arith.addi %x, %y : i32
      scf.reduce.return %s : i32 }
  }
  %1 = scf.parallel (%i, %j) = (%c0, %c1) to (%c1, %c2) step (%c1, %c2) init (%a) -> i32 {
    %v = memref.load %m[%j] : memref<8xi32>
    scf.reduce(%v : i32) { ^bb0(%x: i32, %y: i32): %s = arith.addi %x, %y : i32
      scf.reduce.return %s : i32 }
  }
  %2 = scf.parallel (%i, %j) = (%c0, %c2) to (%c1, %c2) step (%c1, %c2) init (%a) -> i32 {
    %v = memref.load %m[%j] : memref<8xi32>
    scf.reduce(%v : i32) { ^bb0(%x: i32, %y: i32): %s = arith.addi %x, %y : i32
      scf.reduce.return %s : i32 }
  }
  return %0, %1, %2 : i32, i32, i32
}
// =>
module {
  func.func @parallel_reduce(%arg0: memref<8xi32>, %arg1: i32, %arg2: index) -> (i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = scf.parallel (%arg3) = (%c0) to (%arg2) step (%c2) init (%arg1) -> i32 {
      %3 = memref.load %arg0[%arg3] : memref<8xi32>
      scf.reduce(%3 : i32) {
      ^bb0(%arg4: i32, %arg5: i32):
        %4 = arith.addi %arg4, %arg5 : i32
        scf.reduce.return %4 : i32
      }
    }
    %1 = memref.load %arg0[%c1] : memref<8xi32>
    %2 = arith.addi %arg1, %1 : i32
    return %0, %2, %arg1 : i32, i32, i32
  }
}
// -----
func.func @parallel_merge(%m: memref<8x8x8xi32>, %a: i32, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j, %l) = (%c1, %c0) to (%k, %n) step (%c1, %c1) {
      memref.store %a, %m[%i, %j, %l] : memref<8x8x8xi32>
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      memref.store %a, %m[%i, %j, %j] : memref<8x8x8xi32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// =>
module {
  func.func @parallel_merge(%arg0: memref<8x8x8xi32>, %arg1: i32, %arg2: index, %arg3: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg4, %arg5, %arg6) = (%c0, %c1, %c0) to (%arg2, %arg3, %arg2) step (%c1, %c1, %c1) {
      memref.store %arg1, %arg0[%arg4, %arg5, %arg6] : memref<8x8x8xi32>
      scf.reduce 
    }
    scf.parallel (%arg4) = (%c0) to (%arg2) step (%c1) {
      scf.parallel (%arg5) = (%c0) to (%arg4) step (%c1) {
        memref.store %arg1, %arg0[%arg4, %arg5, %arg5] : memref<8x8x8xi32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// -----
func.func private @val() -> i32
func.func @switch(%i: index, %a: i32, %b: i32) -> (i32, i32) {
  %0:2 = scf.index_switch %i -> i32, i32
  case 1 {
    scf.yield %a, %b : i32, i32
  }
  default {
    %v = func.call @val() : () -> i32
    scf.yield %v, %b : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
// =>
module {
  func.func private @val() -> i32
  func.func @switch(%arg0: index, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %0 = scf.index_switch %arg0 -> i32 
    case 1 {
      scf.yield %arg1 : i32
    }
    default {
      %1 = func.call @val() : () -> i32
      scf.yield %1 : i32
    }
    return %0, %arg2 : i32, i32
  }
}
// -----
func.func private @val() -> i32
func.func @exec(%c: i1, %a: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %v = func.call @val() : () -> i32
    scf.yield %v : i32
  ^bb2:
    scf.yield %a : i32
  }
  return %0 : i32
}
// =>
module {
  func.func private @val() -> i32
  func.func @exec(%arg0: i1, %arg1: i32) -> i32 {
    cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : i32)
  ^bb1:  // pred: ^bb0
    %0 = call @val() : () -> i32
    cf.br ^bb2(%0 : i32)
  ^bb2(%1: i32):  // 2 preds: ^bb0, ^bb1
    return %1 : i32
  }
}
// -----
func.func private @val() -> i32
func.func @exec2(%c: i1, %a: i32) -> i32 {
  %r = scf.if %c -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %v = func.call @val() : () -> i32
    scf.yield %a : i32
  ^bb2:
    scf.yield %a : i32
  }
   scf.yield %0 : i32
  } else { scf.yield %a : i32 }
  return %r : i32
}
// =>
module {
  func.func private @val() -> i32
  func.func @exec2(%arg0: i1, %arg1: i32) -> i32 {
    scf.if %arg0 {
      %0 = func.call @val() : () -> i32
    }
    return %arg1 : i32
  }
}
