// Programs with their correct and wrong variations (test_twins.py).
// -----
// a view of bytes: its end, its place and its alignment
func.func @f(%b: memref<?xi8>, %o: index, %p: index) -> f32 {
  %c1 = arith.constant 1 : index
  %v = memref.view %b[%o][] : memref<?xi8> to memref<4xf32>
  %x = memref.load %v[%c1] : memref<4xf32>
  return %x : f32
}
// wrong (bounds content): memref<4xf32> => memref<8xf32>
// wrong (alignment bounds content): %b[%o] => %b[%p]
// wrong (bounds content): %v[%c1] => %v[%o]
// -----
// a view of bytes of a given size
func.func @f(%n: index, %i: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %y = memref.load %m[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %y : f32
}
// =>
func.func @f(%n: index, %i: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %size = arith.muli %n, %c4 : index
  %b = memref.alloc(%size) {alignment = 64 : i64} : memref<?xi8>
  %m = memref.view %b[%c0][%n] : memref<?xi8> to memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %y = memref.load %m[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xi8>
  return %y : f32
}
// right: constant 4 => constant 8
// right: alignment = 64 => alignment = 4
// wrong (alignment): alignment = 64 => alignment = 2
// wrong (bounds): constant 4 => constant 3
// wrong (bounds): %b[%c0] => %b[%c4]
// wrong (bad-free): dealloc %b => dealloc %m ;; memref<?xi8>\n  return => memref<?xf32>\n  return
// -----
// layouts of a region of an arena
func.func @f(%x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<2x4xf32>
  memref.store %x, %m[%c0, %c3] : memref<2x4xf32>
  memref.store %y, %m[%c1, %c0] : memref<2x4xf32>
  %p = memref.load %m[%c0, %c3] : memref<2x4xf32>
  %q = memref.load %m[%c1, %c0] : memref<2x4xf32>
  memref.dealloc %m : memref<2x4xf32>
  return %p, %q : f32, f32
}
// =>
func.func @f(%x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %v = memref.view %b[%c0][] : memref<64xi8> to memref<16xf32>
  %m = memref.reinterpret_cast %v to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<16xf32> to memref<2x4xf32, strided<[4, 1], offset: 0>>
  memref.store %x, %m[%c0, %c3] : memref<2x4xf32, strided<[4, 1], offset: 0>>
  memref.store %y, %m[%c1, %c0] : memref<2x4xf32, strided<[4, 1], offset: 0>>
  %p = memref.load %m[%c0, %c3] : memref<2x4xf32, strided<[4, 1], offset: 0>>
  %q = memref.load %m[%c1, %c0] : memref<2x4xf32, strided<[4, 1], offset: 0>>
  memref.dealloc %b : memref<64xi8>
  return %p, %q : f32, f32
}
// right: [4, 1] => [8, 1]
// right: [4, 1] => [1, 2]
// right: [4, 1] => [12, 1]
// right: offset: 0 => offset: 8 ;; offset: [0] => offset: [8]
// wrong (content): [4, 1] => [3, 1]
// wrong (content layout): [4, 1] => [13, 1]
// wrong (content): [4, 1] => [0, 1]
// wrong (content): [4, 1] => [1, 1]
// wrong (content layout): offset: 0 => offset: 9 ;; offset: [0] => offset: [9]
// -----
// a row of an arena whose stride does not matter
func.func @f(%x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<1x4xf32>
  memref.store %x, %m[%c0, %c3] : memref<1x4xf32>
  %p = memref.load %m[%c0, %c3] : memref<1x4xf32>
  memref.dealloc %m : memref<1x4xf32>
  return %p : f32
}
// =>
func.func @f(%x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<16xi8>
  %v = memref.view %b[%c0][] : memref<16xi8> to memref<4xf32>
  %m = memref.reinterpret_cast %v to offset: [0], sizes: [1, 4], strides: [100, 1] : memref<4xf32> to memref<1x4xf32, strided<[100, 1], offset: 0>>
  memref.store %x, %m[%c0, %c3] : memref<1x4xf32, strided<[100, 1], offset: 0>>
  %p = memref.load %m[%c0, %c3] : memref<1x4xf32, strided<[100, 1], offset: 0>>
  memref.dealloc %b : memref<16xi8>
  return %p : f32
}
// wrong (content layout): [100, 1] => [100, 2]
// wrong (content layout): offset: 0 => offset: 1 ;; offset: [0] => offset: [1]
// -----
// unknown code may retain what a function passes on
func.func private @unknown(memref<4xf32>)
func.func private @later()
func.func private @passes(%m: memref<4xf32>, %n: memref<4xf32>) {
  func.call @unknown(%m) : (memref<4xf32>) -> ()
  return
}
func.func @f(%i: index, %x: f32, %y: f32) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  memref.store %y, %n[%i] : memref<4xf32>
  func.call @passes(%m, %n) : (memref<4xf32>, memref<4xf32>) -> ()
  func.call @later() : () -> ()
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  return
}
// right: func.call @later() : () -> ()\n  memref.dealloc %m : memref<4xf32>\n  memref.dealloc %n : memref<4xf32> => memref.dealloc %n : memref<4xf32>\n  func.call @later() : () -> ()\n  memref.dealloc %m : memref<4xf32>
// right: %n = memref.alloc() => %n = memref.alloca() ;; memref.dealloc %n : memref<4xf32> =>
// wrong (content use-after-free): func.call @later() : () -> ()\n  memref.dealloc %m : memref<4xf32> => memref.dealloc %m : memref<4xf32>\n  func.call @later() : () -> ()
// wrong (content): @passes(%m, %n) => @passes(%n, %m)
// wrong (constant content): call @unknown(%m) => call @unknown(%n)
// wrong (content): func.call @later() : () -> () =>
// -----
// a choice of buffers with views, carried by a loop
func.func @f(%a: tensor<8xf32>, %x: f32, %c: i1, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %s = tensor.insert %x into %t[%i] : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
// =>
func.func @f(%a: memref<8xf32>, %x: f32, %c: i1, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %m) -> (memref<8xf32>) {
    %o = memref.alloc() : memref<8xf32>
    memref.copy %t, %o : memref<8xf32> to memref<8xf32>
    memref.store %x, %o[%i] : memref<8xf32>
    memref.dealloc %t : memref<8xf32>
    scf.yield %o : memref<8xf32>
  }
  return %r : memref<8xf32>
}
// wrong (leak): memref.dealloc %t : memref<8xf32> =>
// wrong (leak use-after-free): dealloc %t => dealloc %o
// wrong (content double-free leak use-after-free): yield %o => yield %t
// wrong (content use-after-free): copy %t, %o => copy %m, %o
// wrong (content): %o[%i] => %o[%c0]
// wrong (content leak use-after-free): return %r => return %m
// wrong (content): copy %a, %m => copy %m, %a
// -----
// cycles of blocks with two exits
func.func @f(%a: memref<8xf32>, %x: f32, %y: f32, %n: index, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, f32)
^head(%i: index, %s: f32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end(%s : f32)
^body:
  %v = memref.load %a[%i] : memref<8xf32>
  %t = arith.subf %s, %v : f32
  memref.store %t, %a[%i] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %go = arith.cmpi ne, %j, %k : index
  cf.cond_br %go, ^head(%j, %t : index, f32), ^end(%y : f32)
^end(%r: f32):
  return %r : f32
}
// right: constant 1 : index => constant 1 : index\n  %dead = arith.constant 9 : index
// right: %t = arith.subf %s, %v : f32\n  memref.store %t, %a[%i] : memref<8xf32>\n  %j = arith.addi %i, %c1 : index => %j = arith.addi %i, %c1 : index\n  %t = arith.subf %s, %v : f32\n  memref.store %t, %a[%i] : memref<8xf32>
// wrong (content): ^end(%y : f32) => ^end(%t : f32)
// wrong (content): ^end(%s : f32) => ^end(%y : f32)
// wrong (content): ^head(%j, %t => ^head(%j, %s
// wrong (bounds constant content): ^head(%j, %t => ^head(%i, %t
// wrong (bounds constant content): cmpi slt => cmpi sle
// wrong (bounds constant content): cmpi ne => cmpi eq
// wrong (bounds constant content): %j, %k => %i, %k
// wrong (bounds constant content): br ^head(%c0 => br ^head(%c1
// wrong (content): store %t => store %s
// wrong (content): memref.store %t, %a[%i] : memref<8xf32> =>
// -----
// buffers of a branch of blocks
func.func @f(%a: memref<4xf32>, %c: i1, %d: i1, %i: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  cf.cond_br %c, ^one, ^two
^one:
  %o = memref.alloc() : memref<4xf32>
  memref.store %x, %o[%c0] : memref<4xf32>
  %p = memref.load %o[%c0] : memref<4xf32>
  memref.store %p, %a[%i] : memref<4xf32>
  memref.dealloc %o : memref<4xf32>
  cf.cond_br %d, ^three(%p : f32), ^four
^two:
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  cf.br ^four
^three(%q: f32):
  memref.dealloc %m : memref<4xf32>
  return %q : f32
^four:
  %r = memref.load %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %r : f32
}
// right: memref.dealloc %m : memref<4xf32>\n  return %q => memref.dealloc %m : memref<4xf32>\n  return %x
// right: memref.dealloc %o : memref<4xf32> => memref.store %x, %o[%c0] : memref<4xf32>\n  memref.dealloc %o : memref<4xf32>
// right: %o = memref.alloc() => %o = memref.alloca() ;; memref.dealloc %o : memref<4xf32> =>
// wrong (leak): memref.dealloc %o : memref<4xf32> =>
// wrong (double-free leak use-after-free): memref.dealloc %o => memref.dealloc %m
// wrong (leak): memref.dealloc %m : memref<4xf32>\n  return %q => return %q
// wrong (leak): memref.dealloc %m : memref<4xf32>\n  return %r => return %r
// wrong (bounds constant content): cond_br %c, ^one, ^two => cond_br %c, ^two, ^one
// right: cond_br %d, ^three(%p : f32), ^four => cond_br %c, ^three(%p : f32), ^four
// wrong (content): memref.copy %a, %m : memref<4xf32> to memref<4xf32> =>
// wrong (constant content): memref.copy %a, %m => memref.copy %m, %a
// wrong (content): load %m[%c0] => load %a[%c0]
// wrong (double-free use-after-free): memref.dealloc %o : memref<4xf32>\n  cf.cond_br => memref.dealloc %o : memref<4xf32>\n  memref.dealloc %m : memref<4xf32>\n  cf.cond_br
// -----
// a loop that owns a buffer by a flag, and one that borrows it
func.func @f(%c: i1, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4xf32>) {
    %u = scf.if %c -> (tensor<4xf32>) {
      %s = tensor.insert %x into %t[%c1] : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %t : tensor<4xf32>
    }
    scf.yield %u : tensor<4xf32>
  }
  %y = tensor.extract %r[%c0] : tensor<4xf32>
  return %y : f32
}
// =>
func.func @f(%c: i1, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %own = %false) -> (memref<4xf32>, i1) {
    %u:2 = scf.if %c -> (memref<4xf32>, i1) {
      %o = memref.alloc() : memref<4xf32>
      memref.copy %t, %o : memref<4xf32> to memref<4xf32>
      memref.store %x, %o[%c1] : memref<4xf32>
      scf.if %own { memref.dealloc %t : memref<4xf32> }
      scf.yield %o, %true : memref<4xf32>, i1
    } else {
      scf.yield %t, %own : memref<4xf32>, i1
    }
    scf.yield %u#0, %u#1 : memref<4xf32>, i1
  }
  %y = memref.load %r#0[%c0] : memref<4xf32>
  scf.if %r#1 { memref.dealloc %r#0 : memref<4xf32> }
  memref.dealloc %a : memref<4xf32>
  return %y : f32
}
// wrong (leak): scf.if %own { memref.dealloc %t : memref<4xf32> } =>
// wrong (bad-free use-after-free): scf.if %own { memref.dealloc %t : memref<4xf32> } => memref.dealloc %t : memref<4xf32>
// wrong (double-free): %own = %false => %own = %true
// wrong (double-free leak): yield %o, %true => yield %o, %false
// wrong (double-free leak): yield %t, %own => yield %t, %true
// wrong (double-free leak): yield %t, %own => yield %t, %false
// wrong (leak): scf.if %r#1 { memref.dealloc %r#0 : memref<4xf32> } =>
// wrong (bad-free use-after-free): scf.if %r#1 { memref.dealloc %r#0 : memref<4xf32> } => memref.dealloc %r#0 : memref<4xf32>
// wrong (leak): memref.dealloc %a : memref<4xf32> =>
// wrong (bad-free double-free leak use-after-free): dealloc %a => dealloc %r#0
// wrong (content double-free leak use-after-free): yield %u#0, %u#1 => yield %a, %u#1
// wrong (content double-free leak use-after-free): yield %o, %true => yield %t, %true
// -----
// arguments that a function frees, after others that it does not
func.func @f(%x: f32, %a: tensor<4xf32>, %c: i1, %b: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.load %b[%c0] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %y : f32
}
// =>
func.func @f(%x: f32, %a: memref<4xf32>, %c: i1, %b: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.load %b[%c0] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %y : f32
}
// wrong (lifetime): memref.dealloc %b : memref<4xf32> =>
// wrong (bad-free lifetime): dealloc %b => dealloc %a
// wrong (lifetime): memref.dealloc %b : memref<4xf32> => scf.if %c { memref.dealloc %b : memref<4xf32> }
// wrong (double-free): memref.dealloc %b : memref<4xf32> => memref.dealloc %b : memref<4xf32>\n  memref.dealloc %b : memref<4xf32>
// wrong (use-after-free): %y = memref.load %b[%c0] : memref<4xf32>\n  memref.dealloc %b : memref<4xf32> => memref.dealloc %b : memref<4xf32>\n  %y = memref.load %b[%c0] : memref<4xf32>
// wrong (content): load %b => load %a
// -----
// an argument that a function frees in one of two cases
func.func @f(%x: f32, %c: i1, %d: i1, %b: memref<4xf32>) -> f32 {
  scf.if %c { memref.dealloc %b : memref<4xf32> }
  return %x : f32
}
// =>
func.func @f(%x: f32, %c: i1, %d: i1, %b: memref<4xf32>) -> f32 {
  %z = arith.constant 0 : index
  scf.if %c { memref.dealloc %b : memref<4xf32> }
  return %x : f32
}
// right: scf.if %c { memref.dealloc %b : memref<4xf32> } => %e = arith.select %d, %c, %c : i1\n  scf.if %e { memref.dealloc %b : memref<4xf32> }
// right: scf.if %c { memref.dealloc %b : memref<4xf32> } => cf.cond_br %c, ^one, ^two\n^one:\n  memref.dealloc %b : memref<4xf32>\n  cf.br ^two\n^two:
// wrong (bad-free): scf.if %c { memref.dealloc %b : memref<4xf32> } => memref.dealloc %b : memref<4xf32>
// wrong (lifetime): scf.if %c { memref.dealloc %b : memref<4xf32> } =>
// wrong (bad-free lifetime): scf.if %c { => scf.if %d {
// wrong (bad-free lifetime): scf.if %c { => scf.if %c { } else {
// wrong (bad-free double-free): scf.if %c { memref.dealloc %b : memref<4xf32> } => scf.if %c { memref.dealloc %b : memref<4xf32> }\n  scf.if %d { memref.dealloc %b : memref<4xf32> }
// -----
// loops whose results may be one buffer
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %t, %t : tensor<4xf32>, tensor<4xf32>
  }
  %w = tensor.insert %x into %r#0[%c0] : tensor<4xf32>
  %y = tensor.extract %r#1[%c0] : tensor<4xf32>
  %z = tensor.extract %w[%c1] : tensor<4xf32>
  return %y, %z : f32, f32
}
// =>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloca() : memref<4xf32>
  %q = memref.alloca() : memref<4xf32>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32>
  memref.copy %b, %q : memref<4xf32> to memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p, %t = %q) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %t, %t : memref<4xf32>, memref<4xf32>
  }
  %y = memref.load %r#1[%c0] : memref<4xf32>
  memref.store %x, %r#0[%c0] : memref<4xf32>
  %z = memref.load %r#0[%c1] : memref<4xf32>
  return %y, %z : f32, f32
}
// wrong (content): %y = memref.load %r#1[%c0] : memref<4xf32>\n  memref.store %x, %r#0[%c0] : memref<4xf32> => memref.store %x, %r#0[%c0] : memref<4xf32>\n  %y = memref.load %r#1[%c0] : memref<4xf32>
// wrong (content): yield %t, %t => yield %t, %s
// wrong (content): yield %t, %t => yield %s, %t
// wrong (content): load %r#1 => load %r#0
// wrong (content): %s = %p, %t = %q => %s = %q, %t = %p
// -----
// loops that exchange two buffers
func.func @f(%a: tensor<4xf32>, %n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %a) -> (tensor<4xf32>, tensor<4xf32>) {
    %u = tensor.insert %x into %s[%c1] : tensor<4xf32>
    scf.yield %u, %s : tensor<4xf32>, tensor<4xf32>
  }
  %w = tensor.insert %x into %r#0[%c0] : tensor<4xf32>
  %y = tensor.extract %r#1[%c1] : tensor<4xf32>
  %z = tensor.extract %w[%c1] : tensor<4xf32>
  return %y, %z : f32, f32
}
// =>
func.func @f(%a: memref<4xf32>, %n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloca() : memref<4xf32>
  %q = memref.alloca() : memref<4xf32>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32>
  memref.copy %a, %q : memref<4xf32> to memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p, %t = %q) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %s, %t : memref<4xf32> to memref<4xf32>
    memref.store %x, %t[%c1] : memref<4xf32>
    scf.yield %t, %s : memref<4xf32>, memref<4xf32>
  }
  memref.store %x, %r#0[%c0] : memref<4xf32>
  %y = memref.load %r#1[%c1] : memref<4xf32>
  %z = memref.load %r#0[%c1] : memref<4xf32>
  return %y, %z : f32, f32
}
// wrong (content): yield %t, %s => yield %s, %t
// wrong (content overlap): yield %t, %s => yield %t, %t
// wrong (content overlap): yield %t, %s => yield %s, %s
// wrong (content): %s = %p, %t = %q => %s = %p, %t = %p
// wrong (content): copy %s, %t => copy %t, %s
// wrong (content overlap): copy %s, %t => copy %p, %t
// wrong (content): memref.copy %a, %q : memref<4xf32> to memref<4xf32> =>
// wrong (content): memref.copy %s, %t : memref<4xf32> to memref<4xf32> =>
// wrong (content): store %x, %t[%c1] => store %x, %s[%c1]
// wrong (content): store %x, %r#0[%c0] => store %x, %p[%c0]
// wrong (content): load %r#0[%c1] => load %p[%c1]
// -----
// structured operations that write what they also read
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i, 0)>
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: i1) {
  %m = memref.alloca() : memref<4x4xf32>
  memref.copy %a, %m : memref<4x4xf32> to memref<4x4xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%m : memref<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  }
  memref.copy %m, %a : memref<4x4xf32> to memref<4x4xf32>
  return
}
// wrong (content): outs(%m => outs(%a ;; memref.copy %a, %m : memref<4x4xf32> to memref<4x4xf32> => ;; memref.copy %m, %a : memref<4x4xf32> to memref<4x4xf32> =>
// right: memref.copy %a, %m : memref<4x4xf32> to memref<4x4xf32> =>
// right: ins(%b, %a => ins(%b, %m
// wrong (content): [#id, #id, #id] => [#id, #tr, #id]
// wrong (content): [#id, #id, #id] => [#id, #tr, #id] ;; ins(%b, %a => ins(%b, %m
// wrong (content): [#id, #id, #id] => [#tr, #id, #id]
// wrong (content): [#id, #id, #id] => [#id, #row, #id]
// wrong (content): [#id, #id, #id] => [#id, #row, #id] ;; ins(%b, %a => ins(%b, %m
// wrong (content): ins(%b, %a => ins(%a, %b
// wrong (constant content): outs(%m => outs(%b
// wrong (content): memref.copy %m, %a : memref<4x4xf32> to memref<4x4xf32> =>
// wrong (content): memref.copy %a, %m : memref<4x4xf32> to memref<4x4xf32> => ;; ins(%b, %a => ins(%b, %m
// -----
// a transpose that must not be in place
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
func.func @f(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}
// =>
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
func.func @f(%a: memref<4x4xf32>, %c: i1) -> memref<4x4xf32> {
  %e = memref.alloc() : memref<4x4xf32>
  %o = memref.alloc() : memref<4x4xf32>
  memref.copy %a, %o : memref<4x4xf32> to memref<4x4xf32>
  linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]} ins(%o : memref<4x4xf32>) outs(%e : memref<4x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  }
  memref.dealloc %o : memref<4x4xf32>
  return %e : memref<4x4xf32>
}
// right: ins(%o => ins(%a
// right: [#tr, #id] => [#id, #tr]
// wrong (content): outs(%e => outs(%o
// wrong (content): outs(%e => outs(%o ;; return %e => return %o ;; dealloc %o => dealloc %e
// wrong (content): outs(%e => outs(%o ;; return %e => return %o ;; dealloc %o => dealloc %e ;; [#tr, #id] => [#id, #id]
// wrong (content): [#tr, #id] => [#tr, #tr]
// wrong (content): ins(%o => ins(%e
// wrong (content): %o = memref.alloc() : memref<4x4xf32> => %z = memref.alloc() : memref<4x4xf32>\n  %o = arith.select %c, %z, %e : memref<4x4xf32> ;; dealloc %o => dealloc %z
// right: %o = memref.alloc() : memref<4x4xf32> => %z = memref.alloc() : memref<4x4xf32>\n  %y = memref.alloc() : memref<4x4xf32>\n  %o = arith.select %c, %z, %y : memref<4x4xf32> ;; memref.dealloc %o => memref.dealloc %y : memref<4x4xf32>\n  memref.dealloc %z
// -----
// parallel iterations: windows of rows, and what they read
func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %e) -> (tensor<8x4xf32>) {
    %p = tensor.extract_slice %a[%i, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
    %q = tensor.extract_slice %o[%i, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
    %s = linalg.exp ins(%p : tensor<2x4xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}
// =>
func.func @f(%a: memref<8x4xf32>, %b: memref<8x4xf32>) -> memref<8x4xf32> {
  %r = memref.alloc() : memref<8x4xf32>
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.forall (%i) = (0) to (8) step (2) {
    %p = memref.subview %a[%i, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %q = memref.subview %r[%i, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp ins(%p : memref<2x4xf32, strided<[4, 1], offset: ?>>) outs(%q : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  }
  return %r : memref<8x4xf32>
}
// wrong (bounds content race): step (2) => step (1)
// wrong (content): step (2) => step (4)
// wrong (content): to (8) => to (6)
// wrong (content): (0) to (8) => (2) to (8)
// wrong (content race): subview %r[%i, 0] => subview %r[%c1, 0]
// wrong (content): subview %a[%i, 0] => subview %a[%c1, 0]
// wrong (content): subview %a[%i, 0] => subview %r[%i, 0]
// wrong (content): subview %a[%i, 0] => subview %b[%i, 0]
// wrong (content race): subview %a[%i, 0] => subview %r[%c0, 0]
// wrong (content race): scf.forall (%i) = (0) to (8) step (2) { => scf.forall (%i, %k) = (0, 0) to (8, 2) step (2, 1) {
// -----
// parallel iterations in two dimensions
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c1, %c1) {
    %k = arith.muli %j, %c2 : index
    %v = memref.load %b[%i] : memref<8xf32>
    memref.store %v, %a[%i, %k] : memref<8x8xf32>
    scf.reduce
  }
  return
}
// right: store %v, %a[%i, %k] : memref<8x8xf32> => store %v, %a[%i, %k] : memref<8x8xf32>\n    %w = memref.load %a[%i, %k] : memref<8x8xf32>
// wrong (content race): muli %j, %c2 => muli %j, %c1
// wrong (content race): muli %j, %c2 => addi %j, %c2
// wrong (content race): muli %j, %c2 => muli %i, %c1
// wrong (bounds content race): muli %j, %c2 => muli %i, %c2
// wrong (content race): %a[%i, %k] => %a[%k, %i]
// wrong (content race): %a[%i, %k] => %a[%c0, %k]
// wrong (content race): %a[%i, %k] => %a[%i, %c0]
// wrong (content race): load %b[%i] => load %b[%k]
// wrong (content race): load %b[%i] : memref<8xf32> => load %a[%i, %c0] : memref<8x8xf32>
// wrong (constant content race): (%c8, %c4) step => (%c4, %c4) step
// wrong (constant content race): (%c8, %c4) step => (%c8, %c2) step
// wrong (constant content race): = (%c0, %c0) => = (%c1, %c0)
// wrong (constant content race): step (%c1, %c1) => step (%c1, %c2)
// wrong (race): store %v, %a[%i, %k] : memref<8x8xf32> => store %v, %a[%i, %k] : memref<8x8xf32>\n    %w = memref.load %a[%c0, %k] : memref<8x8xf32>
// -----
// a part of an argument with an element replaced
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32, %i: index) -> tensor<6xf32> {
  %c2 = arith.constant 2 : index
  %s = tensor.extract_slice %a[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %r = tensor.insert %x into %s[%c2] : tensor<6xf32>
  return %r : tensor<6xf32>
}
// =>
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32, %i: index) -> memref<6xf32> {
  %c2 = arith.constant 2 : index
  %r = memref.alloc() : memref<6xf32>
  %s = memref.subview %a[0] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1], offset: 0>>
  memref.copy %s, %r : memref<6xf32, strided<[1], offset: 0>> to memref<6xf32>
  memref.store %x, %r[%c2] : memref<6xf32>
  return %r : memref<6xf32>
}
// right: memref.copy %s, %r => memref.store %x, %s[%c2] : memref<6xf32, strided<[1], offset: 0>>\n  memref.copy %s, %r ;; memref.store %x, %r[%c2] : memref<6xf32>\n  return => return
// wrong (content): subview %a => subview %b
// wrong (content): %a[0] [6] [1] => %a[1] [6] [1] ;; offset: 0 => offset: 1
// wrong (bounds content): store %x, %r[%c2] => store %x, %r[%i]
// wrong (content): constant 2 => constant 3
// wrong (content): memref.store %x, %r[%c2] : memref<6xf32> =>
// wrong (content): memref.store %x, %r[%c2] : memref<6xf32> => memref.store %x, %s[%c2] : memref<6xf32, strided<[1], offset: 0>>
// -----
// contents computed by unknown operations, with parts replaced
func.func @f(%m0: tensor<8x8xf32>, %a: tensor<8xf32>, %x: f32, %y: f32, %i: index) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %k = linalg.matvec ins(%m0, %a : tensor<8x8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.insert %x into %k[%c2] : tensor<8xf32>
  %r = tensor.insert %y into %s[%c5] : tensor<8xf32>
  return %r : tensor<8xf32>
}
// =>
func.func @f(%m0: memref<8x8xf32>, %a: memref<8xf32>, %x: f32, %y: f32, %i: index) -> memref<8xf32> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  linalg.matvec ins(%m0, %a : memref<8x8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  memref.store %y, %r[%c5] : memref<8xf32>
  memref.store %x, %r[%c2] : memref<8xf32>
  return %r : memref<8xf32>
}
// wrong (content): store %y, %r[%c5] => store %y, %r[%c2]
// wrong (content): store %y, %r[%c5] => store %x, %r[%c5]
// wrong (bounds content): store %x, %r[%c2] => store %x, %r[%i]
// wrong (content): memref.copy %a, %r : memref<8xf32> to memref<8xf32> =>
// wrong (content): memref.store %y, %r[%c5] : memref<8xf32> =>
// wrong (content): ins(%m0, %a => ins(%m0, %r
// -----
// a loop over rows with a loop over columns, written in place
func.func @f(%a: tensor<4x8xf32>, %n: index, %k: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %e) -> (tensor<4x8xf32>) {
    %q = scf.for %j = %c0 to %c8 step %c2 iter_args(%t = %s) -> (tensor<4x8xf32>) {
      %p = tensor.extract_slice %a[%i, %j] [1, 2] [1, 1] : tensor<4x8xf32> to tensor<1x2xf32>
      %o = tensor.empty() : tensor<1x2xf32>
      %x = linalg.exp ins(%p : tensor<1x2xf32>) outs(%o : tensor<1x2xf32>) -> tensor<1x2xf32>
      %u = tensor.insert_slice %x into %t[%i, %j] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<4x8xf32>
      scf.yield %u : tensor<4x8xf32>
    }
    scf.yield %q : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
// =>
func.func @f(%a: memref<4x8xf32>, %n: index, %k: index) -> memref<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = memref.alloc() : memref<4x8xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c2 {
      %p = memref.subview %a[%i, %j] [1, 2] [1, 1] : memref<4x8xf32> to memref<1x2xf32, strided<[8, 1], offset: ?>>
      %u = memref.subview %r[%i, %j] [1, 2] [1, 1] : memref<4x8xf32> to memref<1x2xf32, strided<[8, 1], offset: ?>>
      linalg.exp ins(%p : memref<1x2xf32, strided<[8, 1], offset: ?>>) outs(%u : memref<1x2xf32, strided<[8, 1], offset: ?>>)
    }
  }
  return %r : memref<4x8xf32>
}
// right: memref.alloc() => memref.alloc() {alignment = 64 : i64}
// right: %u = memref.subview %r => memref.store %z, %r[%i, %j] : memref<4x8xf32>\n      %u = memref.subview %r ;; %c0 = arith => %z = arith.constant 0.0 : f32\n  %c0 = arith
// wrong (bounds content): %c0 to %c8 => %c1 to %c8
// wrong (content): %c8 step %c2 => %c4 step %c2
// wrong (content): %c0 to %c4 => %c1 to %c4
// wrong (content): %c4 step %c1 => %c4 step %c2
// wrong (content): %c8 step %c2 => %c8 step %c4
// wrong (content): subview %a[%i, %j] => subview %a[%i, %c0]
// wrong (content): subview %a[%i, %j] => subview %a[%c0, %j]
// wrong (content): subview %a[%i, %j] => subview %r[%i, %j]
// wrong (content): subview %r[%i, %j] => subview %a[%i, %j]
// wrong (content): subview %r[%i, %j] => subview %r[%c0, %j]
// wrong (content): linalg.exp => linalg.tanh
// -----
// buffers that iterations exchange, owned by flags
func.func @f(%n: index, %c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %v = tensor.extract %t[%c1] : tensor<4xf32>
    %u = tensor.insert %v into %s[%c0] : tensor<4xf32>
    scf.yield %t, %u : tensor<4xf32>, tensor<4xf32>
  }
  %p = tensor.extract %r#0[%c0] : tensor<4xf32>
  %q = tensor.extract %r#1[%c0] : tensor<4xf32>
  return %p, %q : f32, f32
}
// =>
func.func @f(%n: index, %c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<4xf32>)
  %true = arith.constant true
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b, %f = %true, %g = %true) -> (memref<4xf32>, memref<4xf32>, i1, i1) {
    %v = memref.load %t[%c1] : memref<4xf32>
    %u = memref.alloc() : memref<4xf32>
    memref.copy %s, %u : memref<4xf32> to memref<4xf32>
    memref.store %v, %u[%c0] : memref<4xf32>
    scf.if %f { memref.dealloc %s : memref<4xf32> }
    scf.yield %t, %u, %g, %true : memref<4xf32>, memref<4xf32>, i1, i1
  }
  %p = memref.load %r#0[%c0] : memref<4xf32>
  %q = memref.load %r#1[%c0] : memref<4xf32>
  scf.if %r#2 { memref.dealloc %r#0 : memref<4xf32> }
  scf.if %r#3 { memref.dealloc %r#1 : memref<4xf32> }
  return %p, %q : f32, f32
}
// right: yield %t, %u, %g, %true => yield %t, %u, %true, %g
// right: yield %t, %u, %g, %true => yield %t, %u, %f, %true
// wrong (content): yield %t, %u, %g, %true => yield %u, %t, %g, %true
// wrong (bad-free content leak use-after-free): yield %t, %u, %g, %true => yield %t, %t, %g, %true
// wrong (bad-free content leak use-after-free): yield %t, %u, %g, %true => yield %u, %u, %g, %true
// wrong (content double-free leak use-after-free): yield %t, %u, %g, %true => yield %s, %u, %g, %true
// wrong (leak): scf.if %f { memref.dealloc %s : memref<4xf32> } =>
// right: scf.if %f => scf.if %g
// wrong (bad-free leak use-after-free): scf.if %f { memref.dealloc %s => scf.if %f { memref.dealloc %t
// right: scf.if %r#2 => scf.if %r#3 ;; scf.if %r#3 { memref.dealloc %r#1 => scf.if %r#2 { memref.dealloc %r#1
// wrong (leak): scf.if %r#3 { memref.dealloc %r#1 : memref<4xf32> } =>
// wrong (content): load %t[%c1] => load %s[%c1]
// wrong (content): copy %s, %u => copy %t, %u
// wrong (content): %s = %a, %t = %b => %s = %b, %t = %a
// wrong (bad-free content leak use-after-free): %s = %a, %t = %b => %s = %a, %t = %a
// wrong (content): store %v, %u => store %v, %s
// wrong (content use-after-free): load %r#0 => load %a
// -----
// loops that count without a sign
func.func @f(%a: memref<16xf32>, %x: f32, %n: i32, %s: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
    %k = arith.index_cast %i : i32 to index
    memref.store %x, %a[%k] : memref<16xf32>
  }
  return
}
// right: %k = arith => %d = arith.addi %i, %c1 : i32\n    %k = arith
// wrong (constant content): for unsigned %i = %c0 => for unsigned %i = %c1
// wrong (bounds constant content): %c0 to %c8 => %c0 to %n
// open (loop): step %c1 : i32 { => step %s : i32 {
// -----
// a callee that writes an argument and restores it
func.func private @peeks(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %y = tensor.extract %b[%c0] : tensor<4xf32>
  return %y : f32
}
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: f32) -> f32 {
  %y = func.call @peeks(%a, %b, %x) : (tensor<4xf32>, tensor<4xf32>, f32) -> f32
  return %y : f32
}
// =>
func.func private @peeks(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %old = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %y = memref.load %b[%c0] : memref<4xf32>
  memref.store %old, %a[%c0] : memref<4xf32>
  return %y : f32
}
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) -> f32 {
  %m = memref.alloca() : memref<4xf32>
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  %y = func.call @peeks(%a, %m, %x) : (memref<4xf32>, memref<4xf32>, f32) -> f32
  return %y : f32
}
// right: @peeks(%a, %m, %x) => @peeks(%a, %b, %x)
// wrong (call): @peeks(%a, %m, %x) => @peeks(%m, %m, %x)
// wrong (call): @peeks(%a, %m, %x) => @peeks(%b, %b, %x)
// wrong (call content): @peeks(%a, %m, %x) => @peeks(%b, %a, %x)
// wrong (call): memref.store %old, %a[%c0] : memref<4xf32>\n  return => return ;; @peeks(%a, %m, %x) => @peeks(%m, %m, %x)
// -----
// scalars among the operands of structured operations
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#no = affine_map<(i, j) -> ()>
func.func @f(%a: tensor<4x4xf32>, %x: f32) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#no, #tr, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %a : f32, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// =>
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#no = affine_map<(i, j) -> ()>
func.func @f(%a: memref<4x4xf32>, %x: f32) -> memref<4x4xf32> {
  %e = memref.alloc() : memref<4x4xf32>
  %c = memref.alloc() : memref<4x4xf32>
  memref.copy %a, %c : memref<4x4xf32> to memref<4x4xf32>
  linalg.generic {indexing_maps = [#no, #tr, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %c : f32, memref<4x4xf32>) outs(%e : memref<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<4x4xf32>
  return %e : memref<4x4xf32>
}
// wrong (content): outs(%e => outs(%c ;; dealloc %c => dealloc %e ;; return %e => return %c
// wrong (content): subf %p, %q => subf %q, %p
// wrong (content): [#no, #tr, #id] => [#no, #id, #id]
// wrong (content): [#no, #tr, #id] => [#no, #id, #id] ;; outs(%e => outs(%c ;; dealloc %c => dealloc %e ;; return %e => return %c
// right: [#no, #tr, #id] => [#no, #id, #tr]
// -----
// conditions under which parallel iterations write what may alias what others read
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %b[%i] : memref<8xf32>
    scf.if %c { memref.store %v, %a[%i] : memref<8xf32> }
    scf.reduce
  }
  return
}
// open (race): scf.if %c { => scf.if %c { %w = memref.load %b[%i] : memref<8xf32>
// wrong (constant content race): scf.if %c { memref.store %v, %a[%i] : memref<8xf32> } => memref.store %v, %a[%i] : memref<8xf32>
// wrong (constant content race): scf.if %c { => scf.if %d {
// wrong (constant content race): scf.if %c { => scf.if %c { } else {
// wrong (constant content): store %v, %a[%i] => store %v, %b[%i]
// wrong (content): load %b[%i] => load %a[%i]
// wrong (content race): load %b[%i] => load %b[%c0]
// -----
// rows of one buffer that are copied to rows
func.func @f(%a: tensor<4x4xf32>, %i: index, %j: index) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %a[%i, 0] [1, 2] [1, 1] : tensor<4x4xf32> to tensor<1x2xf32>
  %r = tensor.insert_slice %s into %a[%j, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// =>
func.func @f(%a: memref<4x4xf32>, %i: index, %j: index) -> memref<4x4xf32> {
  %m = memref.alloc() : memref<4x4xf32>
  memref.copy %a, %m : memref<4x4xf32> to memref<4x4xf32>
  %s = memref.subview %m[%i, 0] [1, 2] [1, 1] : memref<4x4xf32> to memref<1x2xf32, strided<[4, 1], offset: ?>>
  %d = memref.subview %m[%j, 0] [1, 2] [1, 1] : memref<4x4xf32> to memref<1x2xf32, strided<[4, 1], offset: ?>>
  memref.copy %s, %d : memref<1x2xf32, strided<[4, 1], offset: ?>> to memref<1x2xf32, strided<[4, 1], offset: ?>>
  return %m : memref<4x4xf32>
}
// right: subview %m[%i, 0] [1, 2] => subview %a[%i, 0] [1, 2]
// wrong (content overlap): %m[%i, 0] => %m[%i, 1]
// wrong (content overlap): %m[%j, 0] => %m[%j, 1]
// wrong (content overlap): %m[%j, 0] [1, 2] [1, 1] : memref<4x4xf32> to memref<1x2xf32, strided<[4, 1], offset: ?>> => %m[%j, 0] [1, 2] [1, 2] : memref<4x4xf32> to memref<1x2xf32, strided<[4, 2], offset: ?>> ;; offset: ?>> to memref<1x2xf32, strided<[4, 1], offset: ?>> => offset: ?>> to memref<1x2xf32, strided<[4, 2], offset: ?>>
// wrong (content): copy %s, %d => copy %d, %s
// wrong (content): %m[%j, 0] => %m[%i, 0]
// wrong (content): %m[%i, 0] => %m[%j, 0]
// -----
// loops that overwrite all of a buffer, and read what was there
func.func @f(%a: tensor<8x2xf32>, %x: f32) -> tensor<8x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %a) -> (tensor<8x2xf32>) {
    %v = tensor.extract %t[%i, %c1] : tensor<8x2xf32>
    %u = tensor.insert %v into %t[%i, %c0] : tensor<8x2xf32>
    %w = tensor.insert %x into %u[%i, %c1] : tensor<8x2xf32>
    scf.yield %w : tensor<8x2xf32>
  }
  return %r : tensor<8x2xf32>
}
// =>
func.func @f(%a: memref<8x2xf32>, %x: f32) -> memref<8x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = memref.alloc() : memref<8x2xf32>
  memref.copy %a, %r : memref<8x2xf32> to memref<8x2xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %r[%i, %c1] : memref<8x2xf32>
    memref.store %v, %r[%i, %c0] : memref<8x2xf32>
    memref.store %x, %r[%i, %c1] : memref<8x2xf32>
  }
  return %r : memref<8x2xf32>
}
// wrong (content): memref.copy %a, %r : memref<8x2xf32> to memref<8x2xf32> =>
// wrong (content): memref.copy %a, %r : memref<8x2xf32> to memref<8x2xf32> => linalg.fill ins(%x : f32) outs(%r : memref<8x2xf32>)
// wrong (content): load %r[%i, %c1] => load %r[%i, %c0]
// wrong (content): load %r[%i, %c1] => load %r[%c0, %c1]
// wrong (content): store %x, %r[%i, %c1] => store %x, %r[%i, %c0]
// wrong (content): memref.store %x, %r[%i, %c1] : memref<8x2xf32> =>
// wrong (content): %v = memref.load %r[%i, %c1] : memref<8x2xf32>\n    memref.store %v, %r[%i, %c0] : memref<8x2xf32>\n    memref.store %x, %r[%i, %c1] : memref<8x2xf32> => memref.store %x, %r[%i, %c1] : memref<8x2xf32>\n    %v = memref.load %r[%i, %c1] : memref<8x2xf32>\n    memref.store %v, %r[%i, %c0] : memref<8x2xf32>
// -----
// loops that overwrite all of a buffer without reading it
func.func @f(%a: tensor<8x2xf32>, %b: tensor<8xf32>, %x: f32, %n: index) -> tensor<8x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %a) -> (tensor<8x2xf32>) {
    %v = tensor.extract %b[%i] : tensor<8xf32>
    %u = tensor.insert %v into %t[%i, %c0] : tensor<8x2xf32>
    %w = tensor.insert %x into %u[%i, %c1] : tensor<8x2xf32>
    scf.yield %w : tensor<8x2xf32>
  }
  return %r : tensor<8x2xf32>
}
// =>
func.func @f(%a: memref<8x2xf32>, %b: memref<8xf32>, %x: f32, %n: index) -> memref<8x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %r = memref.alloc() : memref<8x2xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %b[%i] : memref<8xf32>
    memref.store %v, %r[%i, %c0] : memref<8x2xf32>
    memref.store %x, %r[%i, %c1] : memref<8x2xf32>
  }
  return %r : memref<8x2xf32>
}
// right: memref.store %v, %r[%i, %c0] : memref<8x2xf32>\n    memref.store %x, %r[%i, %c1] : memref<8x2xf32> => memref.store %x, %r[%i, %c1] : memref<8x2xf32>\n    memref.store %v, %r[%i, %c0] : memref<8x2xf32>
// wrong (content): %c0 to %c8 => %c0 to %c7
// wrong (content): %c0 to %c8 => %c1 to %c8
// wrong (content): %c8 step %c1 => %c8 step %c2
// wrong (bounds content): %c0 to %c8 => %c0 to %n
// wrong (content): store %x, %r[%i, %c1] => store %x, %r[%i, %c0]
// wrong (content): memref.store %v, %r[%i, %c0] : memref<8x2xf32> =>
// wrong (content): load %b[%i] => load %b[%c0]
// wrong (content): store %v, %r[%i, %c0] => store %v, %r[%c0, %c0]
// -----
// arguments that a function newly takes
func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
  %x = tensor.extract %a[%i] : tensor<4xf32>
  return %x : f32
}
// =>
func.func @f(%a: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}
// right: %i: index) => %i: index, %more: memref<16xi8>)
// right: %i: index) => %i: index, %more: memref<16xi8>, %rest: memref<8xi8>)
// wrong (signature): %i: index) => %i: index, %more: memref<16xf32>)
// wrong (signature): %i: index) => %i: index, %more: i8)
// wrong (signature): %i: index) => %i: index, %more: memref<4x4xi8>)
// wrong (signature): %i: index) => %i: index, %more: memref<16xi8, strided<[2]>>)
// wrong (signature): %i: index) => %i: index, %more: memref<?xi8>)
// wrong (signature): %i: index) => %i: index, %more: memref<16xi8>, %rest: index)
// wrong (signature): %i: index) => %more: memref<16xi8>, %i: index)
// wrong (signature): , %i: index) => ) ;; %x = memref => %i = arith.constant 0 : index\n  %x = memref
// -----
// a private function that is no longer needed
func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func private @unused(%x: f32) -> f32 {
  return %x : f32
}
func.func @f(%x: f32) -> f32 {
  %y = func.call @twice(%x) : (f32) -> f32
  return %y : f32
}
// =>
func.func @f(%x: f32) -> f32 {
  %y = func.call @twice(%x) : (f32) -> f32
  return %y : f32
}
func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
// right: %y = arith.addf %x, %x => %z = arith.subf %x, %x : f32\n  %y = arith.addf %x, %x
// wrong (content): addf %x, %x => mulf %x, %x
// wrong (signature): func.func private @twice => func.func @twice
// wrong (signature): func.func @f => func.func private @f
// wrong (signature): func.func @f => func.func private @more() { return }\nfunc.func @other
// -----
// sizes of results and of what is returned
func.func @f(%a: tensor<?xf32>, %n: index, %k: index, %x: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// =>
func.func @f(%a: memref<?xf32>, %n: index, %k: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
// right: alloc(%n) => alloc(%m) ;; %r = memref => %m = arith.addi %n, %c0 : index\n  %r = memref
// right: return %r : memref<?xf32> => %d = memref.dim %r, %c0 : memref<?xf32>\n  return %r : memref<?xf32>
// wrong (content sizes): alloc(%n) => alloc(%k)
// wrong (content sizes): alloc(%n) => alloc(%m) ;; %r = memref => %m = arith.addi %n, %c1 : index\n  %r = memref
// wrong (content sizes): alloc(%n) => alloc(%m) ;; %r = memref => %m = memref.dim %a, %c0 : memref<?xf32>\n  %r = memref
// wrong (content leak sizes): return %r => return %a
// wrong (content): outs(%r => outs(%a
// -----
// stack buffers end with their scope
func.func @f(%x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %h = memref.alloca() : memref<4xf32>
  memref.store %x, %h[%c0] : memref<4xf32>
  %r = memref.alloca_scope -> (memref<4xf32>) {
    %m = memref.alloca() : memref<4xf32>
    memref.store %x, %m[%c0] : memref<4xf32>
    %y = memref.load %m[%c0] : memref<4xf32>
    memref.store %y, %h[%c0] : memref<4xf32>
    memref.alloca_scope.return %h : memref<4xf32>
  }
  %z = memref.load %r[%c0] : memref<4xf32>
  return %z : f32
}
// =>
func.func @f(%x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %h = memref.alloca() : memref<4xf32>
  memref.store %x, %h[%c0] : memref<4xf32>
  %k = arith.constant 1 : index
  %r = memref.alloca_scope -> (memref<4xf32>) {
    %m = memref.alloca() : memref<4xf32>
    memref.store %x, %m[%c0] : memref<4xf32>
    %y = memref.load %m[%c0] : memref<4xf32>
    memref.store %y, %h[%c0] : memref<4xf32>
    memref.alloca_scope.return %h : memref<4xf32>
  }
  %z = memref.load %r[%c0] : memref<4xf32>
  return %z : f32
}
// right: %z = memref.load %r => %z = memref.load %h
// wrong (lifetime use-after-free): alloca_scope.return %h => alloca_scope.return %m
// wrong (lifetime use-after-free): alloca_scope.return %h => %o = arith.select %c, %h, %m : memref<4xf32>\n    memref.alloca_scope.return %o ;; memref.%o => %o
// right: store %y, %h[%c0] => store %y, %h[%k]
// wrong (content): memref.store %x, %m[%c0] : memref<4xf32> =>
// -----
// what a callee gives back is new memory
func.func private @copied(%a: memref<4xf32>) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
func.func @f(%a: memref<4xf32>, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %m = func.call @copied(%a) : (memref<4xf32>) -> memref<4xf32>
  %n = func.call @copied(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %y = memref.load %a[%c0] : memref<4xf32>
  %z = memref.load %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  return %y, %z : f32, f32
}
// right: memref.store %x, %m[%c0] : memref<4xf32>\n  %y = memref.load %a[%c0] : memref<4xf32> => %y = memref.load %a[%c0] : memref<4xf32>\n  memref.store %x, %m[%c0] : memref<4xf32>
// open (content): %y = memref.load %a => %y = memref.load %n
// right: memref.dealloc %m : memref<4xf32>\n  memref.dealloc %n : memref<4xf32> => memref.dealloc %n : memref<4xf32>\n  memref.dealloc %m : memref<4xf32>
// wrong (content): return %y, %z => return %z, %y
// wrong (content): %y = memref.load %a => %y = memref.load %m
// wrong (content): %z = memref.load %m => %z = memref.load %n
// wrong (constant content): store %x, %m[%c0] => store %x, %a[%c0]
// wrong (bad-free leak): dealloc %m => dealloc %a
// wrong (double-free leak): dealloc %m => dealloc %n
// wrong (leak): memref.dealloc %m : memref<4xf32> =>
// wrong (content): memref.copy %a, %m : memref<4xf32> to memref<4xf32> =>
// wrong (bad-free constant content double-free leak lifetime): return %m : memref<4xf32> => return %a : memref<4xf32>
// wrong (constant content): return %m : memref<4xf32> => memref.store %x, %a[%c0] : memref<4xf32>\n  return %m : memref<4xf32> ;; @copied(%a: memref<4xf32>) -> memref<4xf32> { => @copied(%a: memref<4xf32>) -> memref<4xf32> {\n  %c0 = arith.constant 0 : index\n  %x = arith.constant 1.0 : f32
// -----
// dimensions that are collapsed, of which some are a slice
func.func @f(%a: memref<4x3x2xf32>, %b: memref<4x3x2xf32, strided<[?, ?, ?], offset: ?>>, %i: index) -> f32 {
  %c = memref.collapse_shape %b [[0, 1, 2]] : memref<4x3x2xf32, strided<[?, ?, ?], offset: ?>> into memref<24xf32, strided<[?], offset: ?>>
  %x = memref.load %c[%i] : memref<24xf32, strided<[?], offset: ?>>
  return %x : f32
}
// =>
func.func @f(%a: memref<4x3x2xf32>, %b: memref<4x3x2xf32, strided<[?, ?, ?], offset: ?>>, %i: index) -> f32 {
  %k = arith.constant 1 : index
  %c = memref.collapse_shape %b [[0, 1, 2]] : memref<4x3x2xf32, strided<[?, ?, ?], offset: ?>> into memref<24xf32, strided<[?], offset: ?>>
  %x = memref.load %c[%i] : memref<24xf32, strided<[?], offset: ?>>
  return %x : f32
}
// wrong (content): load %c[%i] => load %c[%k]
// wrong (content): %b [[0, 1, 2]] : memref<4x3x2xf32, strided<[?, ?, ?], offset: ?>> into => %a [[0, 1, 2]] : memref<4x3x2xf32> into ;; memref<24xf32, strided<[?], offset: ?>> => memref<24xf32>
// -----
// operations on scalars, applied to each element
func.func @f(%a: tensor<?x1xi32>, %b: tensor<?x1xi32>) -> tensor<?x1xi32> {
  %q = arith.divsi %a, %b : tensor<?x1xi32>
  %s = arith.subi %q, %b overflow<nsw> : tensor<?x1xi32>
  return %s : tensor<?x1xi32>
}
// =>
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<?x1xi32>, %b: tensor<?x1xi32>) -> tensor<?x1xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?x1xi32>
  %e = tensor.empty(%n) : tensor<?x1xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x1xi32>, tensor<?x1xi32>) outs(%e : tensor<?x1xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %q = arith.divsi %x, %y : i32
    %s = arith.subi %q, %y overflow<nsw> : i32
    linalg.yield %s : i32
  } -> tensor<?x1xi32>
  return %r : tensor<?x1xi32>
}
// right:  overflow<nsw> =>
// wrong (content division promise): divsi %x, %y => divsi %y, %x
// wrong (content division promise): divsi => divui
// wrong (content promise): subi %q, %y => subi %q, %x
// wrong (content promise): <nsw> => <nsw, nuw>
// wrong (content): linalg.yield %s => linalg.yield %q
// open (division promise): ins(%a, %b => ins(%b, %a ;; divsi %x, %y => divsi %y, %x ;; subi %q, %y => subi %q, %x
// wrong (content division promise): ins(%a, %b => ins(%b, %a ;; divsi %x, %y => divsi %y, %x
// -----
// elements that are divided by one
func.func @f(%a: tensor<4xi8>, %b: i8) -> (tensor<4xi8>, i8, i8) {
  %ones = arith.constant dense<1> : tensor<4xi8>
  %c1 = arith.constant 1 : i8
  %c0 = arith.constant 0 : i8
  %q = arith.ceildivsi %a, %ones : tensor<4xi8>
  %r = arith.divui %b, %c1 : i8
  %s = arith.shrsi %b, %c0 : i8
  return %q, %r, %s : tensor<4xi8>, i8, i8
}
// =>
func.func @f(%a: tensor<4xi8>, %b: i8) -> (tensor<4xi8>, i8, i8) {
  %c1 = arith.constant 1 : i8
  %c0 = arith.constant 0 : i8
  return %a, %b, %b : tensor<4xi8>, i8, i8
}
// wrong (content): %b, %b : => %b, %c0 :
// wrong (content): return %a, %b, => return %a, %c1,
// -----
// what lies behind a part
func.func @f(%a: tensor<4xf32>, %t: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = arith.subi %d, %c4 : index
  %i = tensor.insert_slice %a into %t[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %e = tensor.empty(%r) : tensor<?xf32>
  return %i, %e : tensor<?xf32>, tensor<?xf32>
}
// =>
func.func @f(%a: tensor<4xf32>, %t: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = arith.subi %d, %c4 : index
  %i = tensor.insert_slice %a into %t[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %e = tensor.extract_slice %t[4] [%r] [1] : tensor<?xf32> to tensor<?xf32>
  return %i, %e : tensor<?xf32>, tensor<?xf32>
}
// wrong (bounds): %t[4] => %t[5]
// wrong (bounds content): %t[4] [%r] => %t[0] [%n]
// -----
// nothing lies behind a part without elements for certain
func.func @f(%t: tensor<?xf32>, %r: index) -> (tensor<0xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %s = arith.subi %d, %c4 : index
  %a = tensor.extract_slice %t[4] [0] [1] : tensor<?xf32> to tensor<0xf32>
  %e = tensor.empty(%r) : tensor<?xf32>
  return %a, %e : tensor<0xf32>, tensor<?xf32>
}
// wrong (bounds): %e = tensor.empty(%r) : => %b = tensor.extract_slice %t[4] [%s] [1] : tensor<?xf32> to tensor<?xf32>\n %e = tensor.empty(%r) :
// -----
// an unknown choice of two regions, and a region that joins them
func.func @f(%a: memref<4xf32>, %x: f32, %y: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %r = test.region_if %m : memref<4xf32> -> (memref<4xf32>) then {
  ^bb0(%t: memref<4xf32>):
    %n = memref.alloc() : memref<4xf32>
    linalg.fill ins(%y : f32) outs(%n : memref<4xf32>)
    test.region_if_yield %n : memref<4xf32>
  } else {
  ^bb0(%t: memref<4xf32>):
    test.region_if_yield %t : memref<4xf32>
  } join {
  ^bb0(%t: memref<4xf32>):
    memref.store %y, %t[%c0] : memref<4xf32>
    test.region_if_yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// =>
func.func @f(%a: memref<4xf32>, %x: f32, %y: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %r = test.region_if %m : memref<4xf32> -> (memref<4xf32>) then {
  ^bb0(%t: memref<4xf32>):
    memref.dealloc %t : memref<4xf32>
    %n = memref.alloc() : memref<4xf32>
    linalg.fill ins(%y : f32) outs(%n : memref<4xf32>)
    test.region_if_yield %n : memref<4xf32>
  } else {
  ^bb0(%t: memref<4xf32>):
    test.region_if_yield %t : memref<4xf32>
  } join {
  ^bb0(%t: memref<4xf32>):
    memref.store %y, %t[%c0] : memref<4xf32>
    test.region_if_yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// right: dealloc %t => dealloc %m
// right: memref.store %y, %t[%c0] : memref<4xf32>\n    test.region_if_yield %t : memref<4xf32>\n  } => test.region_if_yield %t : memref<4xf32>\n  }\n  memref.store %y, %r[%c0] : memref<4xf32>
// wrong (leak): memref.dealloc %t : memref<4xf32> =>
// wrong (double-free): memref.dealloc %t : memref<4xf32> => memref.dealloc %t : memref<4xf32>\n    memref.dealloc %m : memref<4xf32>
// wrong (use-after-free): ^bb0(%t: memref<4xf32>):\n    test.region_if_yield %t => ^bb0(%t: memref<4xf32>):\n    memref.dealloc %t : memref<4xf32>\n    test.region_if_yield %t
// wrong (leak use-after-free): memref.dealloc %t : memref<4xf32> => ;; memref.store %y, %t[%c0] : memref<4xf32> => memref.store %y, %t[%c0] : memref<4xf32>\n    memref.dealloc %t : memref<4xf32>
// wrong (use-after-free): memref.dealloc %t : memref<4xf32> => ;; return %r => memref.dealloc %m : memref<4xf32>\n  return %r
// wrong (content): } join {\n  ^bb0(%t: memref<4xf32>):\n    memref.store %y, %t[%c0] : memref<4xf32> => } join {\n  ^bb0(%t: memref<4xf32>):
// wrong (content): } join {\n  ^bb0(%t: memref<4xf32>):\n    memref.store %y => } join {\n  ^bb0(%t: memref<4xf32>):\n    memref.store %x
// wrong (content leak use-after-free): region_if_yield %n => region_if_yield %t
// wrong (constant content leak): region_if %m => region_if %a ;; %t : memref<4xf32>\n    %n => %m : memref<4xf32>\n    %n
// wrong (content): linalg.fill ins(%y : f32) outs(%n => linalg.fill ins(%x : f32) outs(%n
// wrong (content): %r = test.region_if => "other"() : () -> ()\n  %r = test.region_if
// wrong (content): ^bb0(%t: memref<4xf32>):\n    memref.dealloc %t : memref<4xf32>\n    %n = memref.alloc() : memref<4xf32>\n    linalg.fill ins(%y : f32) outs(%n : memref<4xf32>)\n    test.region_if_yield %n : memref<4xf32>\n  } else {\n  ^bb0(%t: memref<4xf32>):\n    test.region_if_yield %t : memref<4xf32> => ^bb0(%t: memref<4xf32>):\n    test.region_if_yield %t : memref<4xf32>\n  } else {\n  ^bb0(%t: memref<4xf32>):\n    memref.dealloc %t : memref<4xf32>\n    %n = memref.alloc() : memref<4xf32>\n    linalg.fill ins(%y : f32) outs(%n : memref<4xf32>)\n    test.region_if_yield %n : memref<4xf32>
// wrong (content promise): memref<4xf32>\n  }\n  return %r => memref<4xf32>\n  } {other}\n  return %r
// -----
// two unknown choices, of which one says nothing about the other
func.func @f(%x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %p = test.region_if %x : f32 -> (f32) then {
  ^bb0(%t: f32):
    memref.dealloc %m : memref<4xf32>
    test.region_if_yield %t : f32
  } else {
  ^bb0(%t: f32):
    %v = memref.load %m[%c0] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
    test.region_if_yield %v : f32
  } join {
  ^bb0(%t: f32):
    %s = arith.addf %t, %y : f32
    test.region_if_yield %s : f32
  }
  %q = test.region_if %x : f32 -> (f32) then {
  ^bb0(%t: f32):
    test.region_if_yield %t : f32
  } else {
  ^bb0(%t: f32):
    test.region_if_yield %y : f32
  } join {
  ^bb0(%t: f32):
    test.region_if_yield %t : f32
  }
  %r = arith.addf %p, %q : f32
  return %r : f32
}
// right: memref.dealloc %m : memref<4xf32> => ;; } join {\n  ^bb0(%t: f32):\n    %s => } join {\n  ^bb0(%t: f32):\n    memref.dealloc %m : memref<4xf32>\n    %s
// wrong (double-free leak): ^bb0(%t: f32):\n    memref.dealloc %m : memref<4xf32>\n => ^bb0(%t: f32):\n ;; ^bb0(%t: f32):\n    test.region_if_yield %t : f32\n  } else {\n  ^bb0(%t: f32):\n    test.region_if_yield %y => ^bb0(%t: f32):\n    memref.dealloc %m : memref<4xf32>\n    test.region_if_yield %t : f32\n  } else {\n  ^bb0(%t: f32):\n    test.region_if_yield %y
// wrong (content): %p, %q => %p, %p
// wrong (content): %q = test.region_if %x => %q = test.region_if %y
// wrong (content): test.region_if_yield %t : f32\n  } else {\n  ^bb0(%t: f32):\n    test.region_if_yield %y => test.region_if_yield %y : f32\n  } else {\n  ^bb0(%t: f32):\n    test.region_if_yield %t
// -----
// buffers that are stored in the caller's memory
func.func private @unknown(memref<2xmemref<4xf32>>)
func.func @f(%t: memref<2xmemref<4xf32>>, %u: memref<memref<4xf32>>, %a: memref<4xf32>, %c: i1, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  func.call @unknown(%t) : (memref<2xmemref<4xf32>>) -> ()
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %n = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%y : f32) outs(%n : memref<4xf32>)
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
  memref.store %m, %t[%c0] : memref<2xmemref<4xf32>>
  memref.store %n, %t[%c1] : memref<2xmemref<4xf32>>
  memref.store %x, %m[%c1] : memref<4xf32>
  memref.store %y, %s[%c1] : memref<4xf32>
  memref.copy %s, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  return
}
// right: %s, %n => %s, %n ;; memref.store %x, %m[%c1] : memref<4xf32>\n =>
// right: memref.alloc() {alignment = 64 : i64} => memref.alloc() {alignment = 128 : i64}
// wrong (alignment): memref.alloc() {alignment = 64 : i64} => memref.alloc()
// wrong (content leak lifetime): memref.store %n, %t[%c1] : memref<2xmemref<4xf32>>\n =>
// wrong (content leak lifetime): memref.store %n, %t[%c1] => memref.store %n, %t[%c0]
// wrong (content lifetime): %t[%c0] => %t[%p] ;; %t[%c1] => %t[%c0] ;; %t[%p] => %t[%c1]
// wrong (alignment content): memref.store %m, %t => memref.store %o, %t ;; memref.store %n, %t => memref.store %m, %t ;; memref.store %o, %t => memref.store %n, %t
// wrong (content): memref.store %x, %m[%c1] => memref.store %y, %m[%c1]
// wrong (content): memref.copy %s, %n => memref.copy %n, %s
// wrong (lifetime): memref.dealloc %s : memref<4xf32> => memref.dealloc %s : memref<4xf32>\n  memref.dealloc %m : memref<4xf32>
// wrong (content leak lifetime): memref.store %n, %t[%c1] : memref<2xmemref<4xf32>> => memref.store %n, %t[%c1] : memref<2xmemref<4xf32>>\n  memref.store %s, %t[%c1] : memref<2xmemref<4xf32>> ;; memref.dealloc %s : memref<4xf32> =>
// wrong (leak): memref.dealloc %s : memref<4xf32> =>
// wrong (bad-free leak use-after-free): memref.dealloc %s : memref<4xf32> => memref.dealloc %s : memref<4xf32>\n  memref.dealloc %t : memref<2xmemref<4xf32>>
// wrong (content leak lifetime): memref.dealloc %s : memref<4xf32> => memref.dealloc %s : memref<4xf32>\n  func.call @unknown(%t) : (memref<2xmemref<4xf32>>) -> ()
// wrong (unsupported): memref.store %n, %t => memref.store %a, %t
// wrong (unsupported): memref.store %m, %t[%c0] : memref<2xmemref<4xf32>> => memref.store %m, %t[%c0] : memref<2xmemref<4xf32>>\n  memref.store %m, %t[%c0] : memref<2xmemref<4xf32>>
// wrong (unsupported): memref.store %n, %t => %v = memref.alloca() : memref<4xf32>\n  memref.store %v, %t
// wrong (content leak): memref.store %n, %t[%c1] : memref<2xmemref<4xf32>> => scf.if %c {\n memref.store %n, %t[%c1] : memref<2xmemref<4xf32>>\n }
// wrong (unsupported): memref.store %n, %t[%c1] : memref<2xmemref<4xf32>> => scf.for %i = %c0 to %c1 step %c1 {\n }\n scf.for %i = %c1 to %j step %c1 {\n memref.store %n, %t[%i] : memref<2xmemref<4xf32>>\n } ;; %c0 = arith => %j = arith.constant 9 : index\n %c0 = arith
// -----
// a buffer that is stored and one that is returned
func.func @f(%t: memref<memref<4xf32>>, %x: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %n = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%n : memref<4xf32>)
  memref.store %m, %t[] : memref<memref<4xf32>>
  return %n : memref<4xf32>
}
// right: store %m => store %n ;; return %n => return %m
// wrong (leak lifetime): return %n => return %m
// wrong (lifetime): memref.store %m, %t[] : memref<memref<4xf32>> => memref.store %m, %t[] : memref<memref<4xf32>>\n  %d = bufferization.clone %m : memref<4xf32> to memref<4xf32> ;; return %n => memref.dealloc %n : memref<4xf32>\n  return %d
// -----
// a loop may not take over a buffer that is stored
func.func @f(%t: memref<memref<4xf32>>, %k: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %n = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%n : memref<4xf32>)
  memref.store %n, %t[] : memref<memref<4xf32>>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%s = %m) -> (memref<4xf32>) {
    %v = memref.load %s[%c0] : memref<4xf32>
    memref.dealloc %s : memref<4xf32>
    %o = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%o : memref<4xf32>)
    scf.yield %o : memref<4xf32>
  }
  %w = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %w : f32
}
// wrong (bad-free leak lifetime use-after-free): iter_args(%s = %m) => iter_args(%s = %n)
// -----
// who calls a function has what it stores
func.func @g(%t: memref<memref<4xf32>>, %x: f32) {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  memref.store %m, %t[] : memref<memref<4xf32>>
  return
}
func.func @f(%t: memref<memref<4xf32>>, %x: f32) {
  return
}
// wrong (content leak): %x: f32) {\n  return => %x: f32) {\n  %u = memref.alloc() : memref<memref<4xf32>>\n  func.call @g(%u, %x) : (memref<memref<4xf32>>, f32) -> ()\n  memref.dealloc %u : memref<memref<4xf32>>\n  return
// -----
// a loop that carries one buffer under three names until it has its own
func.func @f(%k: index, %x: f32) {
  %a = memref.alloc(%k) : memref<?xf32>
  %r:3 = scf.while (%p = %a, %q = %a, %s = %a) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, memref<?xf32>) {
    %c = "condition"() : () -> i1
    scf.condition(%c) %p, %q, %s : memref<?xf32>, memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%p: memref<?xf32>, %q: memref<?xf32>, %s: memref<?xf32>):
    %b = memref.alloc(%k) : memref<?xf32>
    %d = memref.alloc(%k) : memref<?xf32>
    scf.yield %d, %b, %q : memref<?xf32>, memref<?xf32>, memref<?xf32>
  }
  return
}
// =>
func.func @f(%k: index, %x: f32) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc(%k) : memref<?xf32>
  %r:4 = scf.while (%p = %a, %q = %a, %s = %a, %ran = %false) : (memref<?xf32>, memref<?xf32>, memref<?xf32>, i1) -> (memref<?xf32>, memref<?xf32>, memref<?xf32>, i1) {
    %c = "condition"() : () -> i1
    scf.condition(%c) %p, %q, %s, %ran : memref<?xf32>, memref<?xf32>, memref<?xf32>, i1
  } do {
  ^bb0(%p: memref<?xf32>, %q: memref<?xf32>, %s: memref<?xf32>, %ran: i1):
    scf.if %ran {
      memref.dealloc %p : memref<?xf32>
      memref.dealloc %s : memref<?xf32>
    }
    %b = memref.alloc(%k) : memref<?xf32>
    %d = memref.alloc(%k) : memref<?xf32>
    scf.yield %d, %b, %q, %true : memref<?xf32>, memref<?xf32>, memref<?xf32>, i1
  }
  memref.dealloc %r#0 : memref<?xf32>
  scf.if %r#3 {
    memref.dealloc %r#1 : memref<?xf32>
    memref.dealloc %r#2 : memref<?xf32>
  }
  return
}
// right: dealloc %r#0 => dealloc %a ;; scf.if %r#3 {\n => scf.if %r#3 {\n    memref.dealloc %r#0 : memref<?xf32>\n ;; memref.dealloc %a : memref<?xf32>\n => %e = arith.xori %r#3, %true : i1\n  scf.if %e {\n    memref.dealloc %a : memref<?xf32>\n  }\n
// wrong (leak): memref.dealloc %r#0 : memref<?xf32>\n =>
// wrong (double-free leak): dealloc %r#0 => dealloc %a
// wrong (leak): memref.dealloc %r#2 : memref<?xf32>\n =>
// wrong (double-free leak): dealloc %r#2 => dealloc %r#1
// wrong (double-free): scf.if %r#3 { => scf.if %true {
// wrong (leak): memref.dealloc %p : memref<?xf32>\n =>
// wrong (leak): memref.dealloc %s : memref<?xf32>\n =>
// wrong (bad-free leak use-after-free): dealloc %s => dealloc %q
// wrong (bad-free leak use-after-free): scf.if %ran { => scf.if %true {
// wrong (bad-free double-free leak use-after-free): memref.dealloc %s : memref<?xf32>\n    } => memref.dealloc %s : memref<?xf32>\n    } else {\n      memref.dealloc %a : memref<?xf32>\n    }
// wrong (bounds use-after-free): memref.dealloc %s : memref<?xf32>\n    } => memref.dealloc %s : memref<?xf32>\n    }\n    memref.store %x, %a[%k] : memref<?xf32>
// wrong (leak): yield %d, %b, %q, %true => yield %d, %b, %q, %false
// wrong (leak): yield %d, %b, %q, %true => yield %d, %b, %q, %ran
// wrong (bad-free leak use-after-free): yield %d, %b, %q => yield %d, %d, %q
// wrong (bad-free double-free leak use-after-free): yield %d, %b, %q => yield %d, %q, %q
// wrong (bad-free double-free leak use-after-free): yield %d, %b, %q => yield %d, %b, %a
// wrong (bad-free leak use-after-free): yield %d, %b, %q => yield %d, %b, %p
// wrong (bad-free double-free leak use-after-free): yield %d, %b, %q => yield %d, %b, %s
// wrong (bad-free double-free leak use-after-free): %ran = %false => %ran = %true
// wrong (bad-free leak use-after-free): %s = %a, %ran => %s = %z, %ran ;; %a = memref.alloc(%k) : memref<?xf32>\n  %r => %a = memref.alloc(%k) : memref<?xf32>\n  %z = memref.alloc(%k) : memref<?xf32>\n  %r
// wrong (bounds use-after-free): return => memref.store %x, %a[%k] : memref<?xf32>\n  return
// wrong (bounds content use-after-free): return => %y = memref.load %r#1[%k] : memref<?xf32>\n  "use"(%y) : (f32) -> ()\n  return
// -----
// a vector that is written under a mask keeps the other elements
func.func @f(%x: vector<4x2xf32>, %y: vector<2x4xf32>, %m: vector<4x2xi1>, %w: vector<4x2xi1>, %t: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %x, %t[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
// =>
func.func @f(%x: vector<4x2xf32>, %y: vector<2x4xf32>, %m: vector<4x2xi1>, %w: vector<4x2xi1>, %t: memref<4x2xf32>) -> memref<4x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<4x2xf32>
  memref.copy %t, %r : memref<4x2xf32> to memref<4x2xf32>
  vector.transfer_write %x, %r[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32>
  return %r : memref<4x2xf32>
}
// wrong (content): memref.copy %t, %r : memref<4x2xf32> to memref<4x2xf32> =>
// wrong (bounds content): %r[%c0, %c0], %m => %r[%c1, %c0], %m
// wrong (content): %r[%c0, %c0], %m => %r[%c0, %c0], %w
// wrong (content): %r[%c0, %c0], %m => %r[%c0, %c0]
// wrong (content): %r[%c0, %c0], %m {in_bounds = [true, true]} => %r[%c0, %c0] {in_bounds = [false, false]}
// open (content): %r[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32> => %r[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32>\n  vector.transfer_write %x, %r[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32>
// -----
// a masked region that writes a vector
func.func @f(%x: vector<4xf32>, %m: vector<4xi1>, %w: vector<4xi1>, %t: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.mask %m { vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32> } : vector<4xi1> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// =>
func.func @f(%x: vector<4xf32>, %m: vector<4xi1>, %w: vector<4xi1>, %t: memref<4xf32>, %i: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<4xf32>
  memref.copy %t, %r : memref<4xf32> to memref<4xf32>
  vector.mask %m { vector.transfer_write %x, %r[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  return %r : memref<4xf32>
}
// wrong (content): memref.copy %t, %r : memref<4xf32> to memref<4xf32> =>
// wrong (content): mask %m { => mask %w {
// wrong (bounds content): %r[%c0] {in_bounds => %r[%i] {in_bounds
// wrong (content): vector.mask %m { vector.transfer_write %x, %r[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> } : vector<4xi1> => vector.transfer_write %x, %r[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
// -----
// a vector that is written over all elements, or over some
func.func @f(%x: vector<4x2xf32>, %y: vector<4x1xf32>, %t: tensor<4x2xf32>, %i: index) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %x, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
// =>
func.func @f(%x: vector<4x2xf32>, %y: vector<4x1xf32>, %t: memref<4x2xf32>, %i: index) -> memref<4x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<4x2xf32>
  vector.transfer_write %x, %r[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32>
  return %r : memref<4x2xf32>
}
// right: %c1 = arith.constant 1 : index\n  %r = memref.alloc() : memref<4x2xf32> => %r = memref.alloc() : memref<4x2xf32>\n  memref.copy %t, %r : memref<4x2xf32> to memref<4x2xf32>
// right: vector.transfer_write %x, %r[%c0, %c0] => vector.transfer_write %y, %r[%c0, %i] {in_bounds = [true, false]} : vector<4x1xf32>, memref<4x2xf32>\n  vector.transfer_write %x, %r[%c0, %c0]
// wrong (content): %r[%c0, %c0] {in_bounds = [true, true]} => %r[%c0, %c1] {in_bounds = [true, false]}
// wrong (bounds content): %r[%c0, %c0] => %r[%c1, %c0]
// wrong (bounds content): write %x, %r[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32> => write %y, %r[%c0, %i] {in_bounds = [true, true]} : vector<4x1xf32>
// wrong (content): write %x, %r[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32> => write %y, %r[%c0, %c0] {in_bounds = [true, true]} : vector<4x1xf32>
// -----
// variables of a loop of which some are equal in each iteration
func.func @f(%n: index, %x: i32, %v: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x, %d = %x) -> (i32, i32, i32, i32) {
    %p = arith.muli %b, %b : i32
    %q = arith.muli %a, %a : i32
    %s = arith.muli %d, %v : i32
    %t = arith.muli %s, %c : i32
    scf.yield %p, %q, %t, %v : i32, i32, i32, i32
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}
// right: return %r#0, %r#1, => return %r#1, %r#0,
// right: return %r#0, %r#1, => return %r#0, %r#0,
// right: %p = arith.muli %b, %b => %p = arith.muli %a, %b
// right: %p = arith.muli %b, %b => %p = arith.muli %a, %a
// wrong (content): return %r#0, %r#1, %r#2 => return %r#0, %r#1, %r#1
// wrong (content): return %r#0, %r#1, %r#2 => return %r#2, %r#1, %r#2
// wrong (content): %r#2, %r#3 : => %r#3, %r#3 :
// wrong (content): %p = arith.muli %b, %b => %p = arith.muli %b, %c
// wrong (content): %p = arith.muli %b, %b => %p = arith.muli %b, %d
// wrong (content): %a = %x, %b = %x => %a = %x, %b = %v
// wrong (content): yield %p, %q, => yield %p, %v,
// -----
// variables of a loop that follow one another
func.func @f(%n: index, %x: i32, %v: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (i32, i32, i32) {
    %p = arith.addi %c, %v : i32
    scf.yield %b, %c, %p : i32, i32, i32
  }
  return %r#0, %r#1, %r#2 : i32, i32, i32
}
// wrong (content): return %r#0, => return %r#1,
// wrong (content): return %r#0, => return %r#2,
// wrong (content): %r#1, %r#2 => %r#2, %r#2
// wrong (content): yield %b, => yield %a,
// wrong (content): yield %b, => yield %c,
// -----
// tensors of a loop that begin without contents, or with equal ones
func.func @f(%n: index, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %o = tensor.extract %b[%c1] : tensor<4xf32>
    %s = arith.mulf %o, %x : f32
    %p = tensor.insert %s into %a[%i] : tensor<4xf32>
    %q = tensor.insert %s into %b[%i] : tensor<4xf32>
    scf.yield %p, %q : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
// right: %o = tensor.extract %b => %o = tensor.extract %a
// right: return %r#0, %r#1 => return %r#1, %r#1
// wrong (content): extract %b[%c1] => extract %b[%c0]
// wrong (content): into %a[%i] => into %a[%c0]
// wrong (content): yield %p, %q => yield %p, %b
// wrong (content): %a = %z, => %a = %e,
// -----
// sizes of buffers on the stack
func.func @f(%n: index, %k: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca(%n) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %y = memref.load %m[%c0] : memref<?xf32>
  return %y : f32
}
// right: alloca(%n) => alloc(%n) ;; return => memref.dealloc %m : memref<?xf32>\n  return
// right: return %y => %o = memref.alloca(%n) : memref<?xf32>\n  return %y
// right: return %y => %o = memref.alloc(%k) : memref<?xf32>\n  memref.dealloc %o : memref<?xf32>\n  return %y
// wrong (bounds): alloca(%n) => alloca(%k)
// wrong (bounds): return %y => %o = memref.alloca(%k) : memref<?xf32>\n  return %y
// wrong (bounds): return %y => %z = arith.constant -1 : index\n  %o = memref.alloc(%z) : memref<?xf32>\n  memref.dealloc %o : memref<?xf32>\n  return %y
// wrong (bounds): return %y => %d = arith.subi %n, %k : index\n  %o = memref.alloca(%d) : memref<?xf32>\n  return %y
// -----
// iterations in parallel that all write one element
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    memref.store %x, %a[%i, %c0] : memref<8x8xf32>
    %v = memref.load %b[%i] : memref<8xf32>
    memref.store %v, %a[%i, %c1] : memref<8x8xf32>
  }
  return
}
// wrong (content race): store %x, %a[%i, %c0] => store %x, %a[%c0, %c0]
// wrong (race): %v = memref.load %b[%i] : memref<8xf32> => %v = memref.load %b[%i] : memref<8xf32>\n    %w = memref.load %a[%c0, %j] : memref<8x8xf32>
// wrong (content race): %v = memref.load %b[%i] : memref<8xf32> => %v = memref.load %a[%j, %c0] : memref<8x8xf32>
// wrong (content race): load %b[%i] => load %b[%j]
// -----
// facts that hold on one path do not hold on another
func.func @f(%a: memref<?xf32>, %i: index, %j: index, %c: i1) -> f32 {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> f32 {
    %x = memref.load %a[%i] : memref<?xf32>
    scf.yield %x : f32
  } else {
    scf.yield %z : f32
  }
  return %r : f32
}
// right: %x = memref.load %a[%i] : memref<?xf32> => %x = memref.load %a[%i] : memref<?xf32>\n    %y = memref.load %a[%i] : memref<?xf32>
// wrong (bounds): scf.yield %z => %y = memref.load %a[%i] : memref<?xf32>\n    scf.yield %z
// wrong (bounds): %r = scf.if => %y = memref.load %a[%i] : memref<?xf32>\n  %r = scf.if
// wrong (bounds content): load %a[%i] => load %a[%j]
// wrong (bounds): %x = memref.load %a[%i] : memref<?xf32> => %x = memref.load %a[%i] : memref<?xf32>\n    %k = arith.addi %i, %c1 : index\n    %y = memref.load %a[%k] : memref<?xf32>
// -----
// what a callee is given is not known to the unknown functions that it calls
func.func private @ext()
func.func private @keep(memref<4xf32>)
func.func private @g(%p: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  func.call @ext() : () -> ()
  %y = tensor.extract %p[%c0] : tensor<4xf32>
  return %y : f32
}
func.func @f(%b: memref<4xf32>, %x: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  func.call @keep(%m) : (memref<4xf32>) -> ()
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @g(%z) : (tensor<4xf32>) -> f32
  memref.dealloc %m : memref<4xf32>
  return %r : f32
}
// =>
func.func private @ext()
func.func private @keep(memref<4xf32>)
func.func private @g(%p: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  func.call @ext() : () -> ()
  %y = memref.load %p[%c0] : memref<4xf32>
  return %y : f32
}
func.func @f(%b: memref<4xf32>, %x: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  func.call @keep(%m) : (memref<4xf32>) -> ()
  %o = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%o : memref<4xf32>)
  %r = func.call @g(%o) : (memref<4xf32>) -> f32
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %o : memref<4xf32>
  return %r : f32
}
// wrong (call content): @g(%o) => @g(%m)
// wrong (call content): @g(%o) => @g(%b)
// wrong (leak): memref.dealloc %o : memref<4xf32> =>
// -----
// buffers of iterations in parallel
func.func @f(%a: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %m = memref.alloc() : memref<4xf32>
    memref.store %x, %m[%c0] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
  }
  scf.forall (%i) in (1) {
    %o = memref.alloc() : memref<4xf32>
    memref.store %x, %o[%c0] : memref<4xf32>
    memref.dealloc %o : memref<4xf32>
  }
  return
}
// wrong (leak): memref.dealloc %m : memref<4xf32> =>
// wrong (leak): memref.dealloc %o : memref<4xf32> =>
// wrong (leak): in (1) => in (2) ;; memref.dealloc %o : memref<4xf32> =>
// -----
// a layout that puts several elements in one place: a write through a part is not followed
func.func @f(%a: memref<4x4xf32, strided<[1, 1]>>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %a[1, 0] [1, 4] [1, 1] : memref<4x4xf32, strided<[1, 1]>> to memref<1x4xf32, strided<[1, 1], offset: 1>>
  %y = memref.load %a[%c0, %c1] : memref<4x4xf32, strided<[1, 1]>>
  linalg.fill ins(%x : f32) outs(%s : memref<1x4xf32, strided<[1, 1], offset: 1>>)
  return %y : f32
}
// wrong (unsupported): load %a[%c0, %c1] => load %a[%c1, %c0]
// wrong (unsupported): %y = memref.load %a[%c0, %c1] : memref<4x4xf32, strided<[1, 1]>>\n  linalg.fill ins(%x : f32) outs(%s : memref<1x4xf32, strided<[1, 1], offset: 1>>) => linalg.fill ins(%x : f32) outs(%s : memref<1x4xf32, strided<[1, 1], offset: 1>>)\n  %y = memref.load %a[%c0, %c1] : memref<4x4xf32, strided<[1, 1]>>
// -----
// a diagonal that is overwritten leaves the other elements
#diagonal = affine_map<(d0) -> (d0, d0)>
#id = affine_map<(d0) -> (d0)>
func.func @f(%v: tensor<4xf32>, %m: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%v : tensor<4xf32>) outs(%m : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// =>
#diagonal = affine_map<(d0) -> (d0, d0)>
#id = affine_map<(d0) -> (d0)>
func.func @f(%v: memref<4xf32>, %m: memref<4x4xf32>) -> memref<4x4xf32> {
  %r = memref.alloc() : memref<4x4xf32>
  memref.copy %m, %r : memref<4x4xf32> to memref<4x4xf32>
  linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%v : memref<4xf32>) outs(%r : memref<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return %r : memref<4x4xf32>
}
// wrong (content): memref.copy %m, %r : memref<4x4xf32> to memref<4x4xf32> =>
// wrong (content): (d0, d0) => (d0, 0)
// wrong (content sizes): (d0, d0) => (d0, d0 + 1) ;; outs(%r : memref<4x4xf32>) => outs(%d : memref<?x?xf32>) ;; linalg.generic => %d = memref.cast %r : memref<4x4xf32> to memref<?x?xf32>\n  linalg.generic
// wrong (content sizes): (d0, d0) => (d0 + 1, d0) ;; outs(%r : memref<4x4xf32>) => outs(%d : memref<?x?xf32>) ;; linalg.generic => %d = memref.cast %r : memref<4x4xf32> to memref<?x?xf32>\n  linalg.generic
// -----
// a sum that depends on an input through another destination
#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %z: f32) -> f32 {
  %p = memref.alloc() : memref<f32>
  %q = memref.alloc() : memref<f32>
  memref.store %z, %p[] : memref<f32>
  memref.store %z, %q[] : memref<f32>
  linalg.generic {indexing_maps = [#id, #one, #one], iterator_types = ["reduction"]} ins(%a : memref<4xf32>) outs(%p, %q : memref<f32>, memref<f32>) {
  ^bb0(%x: f32, %s: f32, %t: f32):
    %u = arith.addf %x, %s : f32
    %v = arith.mulf %s, %t : f32
    linalg.yield %u, %v : f32, f32
  }
  %r = memref.load %q[] : memref<f32>
  memref.dealloc %p : memref<f32>
  memref.dealloc %q : memref<f32>
  return %r : f32
}
// wrong (content): ins(%a => ins(%b
// wrong (content): addf %x, %s => mulf %x, %s
// wrong (content): mulf %s, %t => mulf %x, %t
// wrong (content): load %q => load %p
// -----
// a buffer is freed under another rank
func.func @f(%x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %y : f32
}
// right: dealloc %m : memref<4xf32> => dealloc %u : memref<*xf32> ;; %y = => %u = memref.cast %m : memref<4xf32> to memref<*xf32>\n  %y =
// right: dealloc %m => dealloc %v ;; %y = => %u = memref.cast %m : memref<4xf32> to memref<*xf32>\n  %v = memref.cast %u : memref<*xf32> to memref<4xf32>\n  %y =
// wrong (bad-free): dealloc %m : memref<4xf32> => dealloc %v : memref<*xf32> ;; %y = => %u = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>\n  %v = memref.cast %u : memref<2xf32, strided<[1]>> to memref<*xf32>\n  %y =
// -----
// a buffer of no rank is freed under one
func.func @f(%a: memref<*xf32>, %x: f32, %i: index) -> f32 {
  %m = memref.cast %a : memref<*xf32> to memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %y : f32
}
// right: dealloc %m : memref<4xf32> => dealloc %a : memref<*xf32>
// right: return %y => %o = memref.alloc() : memref<4xf32>\n  memref.dealloc %o : memref<4xf32>\n  return %y
// wrong (lifetime): memref.dealloc %m : memref<4xf32> =>
// -----
// slices of slices that become one slice
func.func @f(%a: memref<?xf32>, %p: index, %q: index, %s: index, %u: index, %v: f32) {
  %0 = memref.subview %a[%p] [%s] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %1 = memref.subview %0[%q] [%u] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%1 : memref<?xf32, strided<[1], offset: ?>>)
  return
}
// =>
func.func @f(%a: memref<?xf32>, %p: index, %q: index, %s: index, %u: index, %v: f32) {
  %o = arith.addi %p, %q : index
  %1 = memref.subview %a[%o] [%u] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%1 : memref<?xf32, strided<[1], offset: ?>>)
  return
}
// wrong (bounds content): [%o] [%u] => [%o] [%s]
// wrong (bounds content): addi %p, %q => muli %p, %q
// -----
// a slice of the beginning of the beginning
func.func @f(%a: memref<?xf32>, %s: index, %u: index, %v: f32) {
  %0 = memref.subview %a[0] [%s] [1] : memref<?xf32> to memref<?xf32>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%u], strides: [1] : memref<?xf32> to memref<?xf32>
  linalg.fill ins(%v : f32) outs(%1 : memref<?xf32>)
  return
}
// =>
func.func @f(%a: memref<?xf32>, %s: index, %u: index, %v: f32) {
  %1 = memref.subview %a[0] [%u] [1] : memref<?xf32> to memref<?xf32>
  linalg.fill ins(%v : f32) outs(%1 : memref<?xf32>)
  return
}
// wrong (bounds content): [0] [%u] [1] : memref<?xf32> to memref<?xf32> => [%s] [%u] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>> ;; outs(%1 : memref<?xf32> => outs(%1 : memref<?xf32, strided<[1], offset: ?>>
// wrong (content): [0] [%u] => [0] [%s]
// -----
// a layout of a slice counts from the beginning of the allocation
func.func @f(%a: memref<?xf32>, %p: index, %s: index, %u: index) -> memref<?xf32> {
  %0 = memref.subview %a[%p] [%s] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%u], strides: [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32>
  return %1 : memref<?xf32>
}
// =>
func.func @f(%a: memref<?xf32>, %p: index, %s: index, %u: index) -> memref<?xf32> {
  %1 = memref.reinterpret_cast %a to offset: [0], sizes: [%u], strides: [1] : memref<?xf32> to memref<?xf32>
  %2 = bufferization.clone %1 : memref<?xf32> to memref<?xf32>
  return %2 : memref<?xf32>
}
// wrong (bounds content): offset: [0] => offset: [%p] ;; memref<?xf32> to memref<?xf32>\n  %2 => memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>\n  %2 ;; clone %1 : memref<?xf32> to => clone %1 : memref<?xf32, strided<[1], offset: ?>> to
// wrong (bounds content sizes): sizes: [%u] => sizes: [%s]
// -----
// a product of uninitialized memory that overwrites its own factors
func.func @f(%b: memref<4x4xf32>) -> memref<?x?xf32> {
  %a = memref.alloc() : memref<4x4xf32>
  %1 = memref.cast %a : memref<4x4xf32> to memref<?x?xf32>
  linalg.matmul ins(%1, %1 : memref<?x?xf32>, memref<?x?xf32>) outs(%1 : memref<?x?xf32>)
  return %1 : memref<?x?xf32>
}
// =>
func.func @f(%b: memref<4x4xf32>) -> memref<?x?xf32> {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %1 = memref.cast %a : memref<4x4xf32> to memref<?x?xf32>
  return %1 : memref<?x?xf32>
}
// wrong (content): linalg.matmul ins(%a, %a => linalg.mul ins(%a, %a
// wrong (content): outs(%a : memref<4x4xf32>) => outs(%a : memref<4x4xf32>) linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
// -----
// a product of memory that is partly uninitialized, which overwrites its own factors
func.func @f(%b: memref<4x4xf32>, %x: f32, %y: f32) -> memref<4x4xf32> {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%0, %0] : memref<4x4xf32>
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return %a : memref<4x4xf32>
}
// =>
func.func @f(%b: memref<4x4xf32>, %x: f32, %y: f32) -> memref<4x4xf32> {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%0, %0] : memref<4x4xf32>
  %z = memref.cast %a : memref<4x4xf32> to memref<?x?xf32>
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%z : memref<?x?xf32>)
  return %a : memref<4x4xf32>
}
// wrong (content): memref.store %x => memref.store %y
// wrong (content): memref.store %x, %a[%0, %0] : memref<4x4xf32> =>
// wrong (constant content): outs(%z : memref<?x?xf32> => outs(%b : memref<4x4xf32> ;; return %a => memref.copy %b, %a : memref<4x4xf32> to memref<4x4xf32> return %a
// -----
// a choice of regions does not depend on ownership flags, one for each memref
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %x: f32, %b: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %1 = test.region_if %m: memref<4xf32> -> (memref<4xf32>) then {
  ^bb0(%t: memref<4xf32>):
    test.region_if_yield %t : memref<4xf32>
  } else {
  ^bb0(%t: memref<4xf32>):
    memref.store %x, %t[%c0] : memref<4xf32>
    test.region_if_yield %t : memref<4xf32>
  } join {
  ^bb0(%t: memref<4xf32>):
    test.region_if_yield %t : memref<4xf32>
  }
  %r = memref.load %1[%c0] : memref<4xf32>
  return %r : f32
}
// =>
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %x: f32, %b: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %1, %o = test.region_if %m, %false: memref<4xf32>, i1 -> (memref<4xf32>, i1) then {
  ^bb0(%t: memref<4xf32>, %p: i1):
    test.region_if_yield %t, %p : memref<4xf32>, i1
  } else {
  ^bb0(%t: memref<4xf32>, %p: i1):
    memref.store %x, %t[%c0] : memref<4xf32>
    test.region_if_yield %t, %p : memref<4xf32>, i1
  } join {
  ^bb0(%t: memref<4xf32>, %p: i1):
    test.region_if_yield %t, %p : memref<4xf32>, i1
  }
  %r = memref.load %1[%c0] : memref<4xf32>
  return %r : f32
}
// right: region_if %m, %false => region_if %m, %b
// wrong (constant content): region_if %m, %false => region_if %n, %false
// wrong (content): region_if %m, %false => region_if %m, %b ;; memref.store => scf.if %p { "test.o"() : () -> () } memref.store
// wrong (content): region_if_yield %t, %p : memref<4xf32>, i1\n  } else => region_if_yield %n, %p : memref<4xf32>, i1\n  } else
// -----
// vectors that are assembled from the elements of others
func.func @f(%v: vector<3x1xf32>, %w: vector<3x1xf32>, %x: f32) -> vector<2x3x2xf32> {
  %0 = vector.broadcast %x : f32 to vector<2x3x2xf32>
  %1 = vector.broadcast %v : vector<3x1xf32> to vector<3x2xf32>
  %2 = vector.insert %1, %0[0] : vector<3x2xf32> into vector<2x3x2xf32>
  %3 = vector.insert %1, %2[1] : vector<3x2xf32> into vector<2x3x2xf32>
  return %3 : vector<2x3x2xf32>
}
// =>
func.func @f(%v: vector<3x1xf32>, %w: vector<3x1xf32>, %x: f32) -> vector<2x3x2xf32> {
  %e:3 = vector.to_elements %v : vector<3x1xf32>
  %r = vector.from_elements %e#0, %e#0, %e#1, %e#1, %e#2, %e#2, %e#0, %e#0, %e#1, %e#1, %e#2, %e#2 : vector<2x3x2xf32>
  return %r : vector<2x3x2xf32>
}
// right: vector.from_elements %e#0, %e#0, %e#1, %e#1, %e#2, %e#2, %e#0, %e#0, %e#1, %e#1, %e#2, %e#2 : => vector.broadcast %v : vector<3x1xf32> to
// wrong (content): from_elements %e#0, %e#0, %e#1 => from_elements %e#0, %e#1, %e#0
// wrong (content): to_elements %v => to_elements %w
// wrong (content): from_elements %e#0 => from_elements %x
// -----
// the elements of vectors, taken out and put in again
func.func @f(%v: vector<2x3xf32>, %x: f32, %i: index) -> (vector<2x3xf32>, vector<3xf32>, f32) {
  %0 = vector.insert %x, %v[0, 1] : f32 into vector<2x3xf32>
  %1 = vector.extract %0[1] : vector<3xf32> from vector<2x3xf32>
  %2 = vector.extract %0[1, 2] : f32 from vector<2x3xf32>
  %3 = vector.insert %1, %0[1] : vector<3xf32> into vector<2x3xf32>
  return %3, %1, %2 : vector<2x3xf32>, vector<3xf32>, f32
}
// =>
func.func @f(%v: vector<2x3xf32>, %x: f32, %i: index) -> (vector<2x3xf32>, vector<3xf32>, f32) {
  %e:6 = vector.to_elements %v : vector<2x3xf32>
  %3 = vector.from_elements %e#0, %x, %e#2, %e#3, %e#4, %e#5 : vector<2x3xf32>
  %1 = vector.from_elements %e#3, %e#4, %e#5 : vector<3xf32>
  %2 = vector.extract %1[2] : f32 from vector<3xf32>
  return %3, %1, %2 : vector<2x3xf32>, vector<3xf32>, f32
}
// right: vector.from_elements %e#3, %e#4, %e#5 : vector<3xf32> => vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>
// wrong (content): %1[2] => %1[0]
// wrong (content promise): %1[2] => %1[%i]
// wrong (content): %e#0, %x, %e#2 => %x, %e#1, %e#2
// wrong (content): from_elements %e#3, %e#4 => from_elements %e#4, %e#3
// -----
// large and scalable vectors are opaque
func.func @f(%v: vector<[2]x3xf32>, %w: vector<17x17xf32>, %x: f32) -> (vector<[2]x3xf32>, vector<17xf32>, vector<[4]xf32>) {
  %0 = vector.insert %x, %v[0, 1] : f32 into vector<[2]x3xf32>
  %1 = vector.extract %w[1] : vector<17xf32> from vector<17x17xf32>
  %2 = vector.broadcast %x : f32 to vector<[4]xf32>
  return %0, %1, %2 : vector<[2]x3xf32>, vector<17xf32>, vector<[4]xf32>
}
// wrong (content): %v[0, 1] => %v[1, 1]
// wrong (content): %w[1] => %w[2]
// -----
// vectors that are shuffled, and a mask without an operation
func.func @f(%v: vector<2xf32>, %w: vector<2xf32>, %k: vector<2xi1>) -> (vector<2xf32>, vector<3xf32>, vector<2xf32>) {
  %0 = vector.shuffle %v, %w [2, 3] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %v, %w [1, -1, 2] : vector<2xf32>, vector<2xf32>
  %2 = vector.mask %k, %v { vector.yield %v : vector<2xf32> } : vector<2xi1> -> vector<2xf32>
  return %0, %1, %2 : vector<2xf32>, vector<3xf32>, vector<2xf32>
}
// =>
func.func @f(%v: vector<2xf32>, %w: vector<2xf32>, %k: vector<2xi1>) -> (vector<2xf32>, vector<3xf32>, vector<2xf32>) {
  %a:2 = vector.to_elements %v : vector<2xf32>
  %b:2 = vector.to_elements %w : vector<2xf32>
  %1 = vector.from_elements %a#1, %a#0, %b#0 : vector<3xf32>
  return %w, %1, %v : vector<2xf32>, vector<3xf32>, vector<2xf32>
}
// right: %a#1, %a#0, %b#0 => %a#1, %b#1, %b#0
// wrong (content): %a#1, %a#0, %b#0 => %a#0, %a#0, %b#0
// wrong (content): return %w, %1, %v => return %v, %1, %v
// wrong (content): return %w, %1, %v => return %w, %1, %w
// -----
// a choice by uninitialized memory is any of both
func.func @f(%x: i32, %y: i32) -> i32 {
  %u = ub.poison : i1
  %p = ub.poison : i32
  %r = arith.select %u, %x, %p : i32
  return %r : i32
}
// =>
func.func @f(%x: i32, %y: i32) -> i32 {
  return %x : i32
}
// wrong (content): return %x => return %y
