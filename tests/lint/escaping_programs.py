"""Programs for lint: buffers seen through tensors, callees, choices, views, cycles of blocks, and memory that holds addresses."""

ESCAPING = {
    "used through its tensor after it was freed": """\
func.func @f(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc(%n) : memref<?xf32>
  %t = bufferization.to_tensor %b restrict writable : memref<?xf32> to tensor<?xf32> // warning[tensor-boundary-left]
  memref.dealloc %b : memref<?xf32>
  %v = tensor.extract %t[%c0] : tensor<?xf32> // error[used-after-free]
  return %v : f32
}
""",
    "freed as the buffer of its tensor, too": """\
func.func @f(%n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  %t = bufferization.to_tensor %b restrict writable : memref<?xf32> to tensor<?xf32> // warning[tensor-boundary-left]
  %m = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %m : memref<?xf32> // error[freed-twice]
  return
}
""",
    "freed by a callee under a condition, and by its caller": """\
func.func private @g(%m: memref<?xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<?xf32>
  }
  return
}
func.func @f(%n: index, %c: i1) {
  %b = memref.alloc(%n) : memref<?xf32>
  call @g(%b, %c) : (memref<?xf32>, i1) -> ()
  memref.dealloc %b : memref<?xf32> // error[freed-twice]
  return
}
""",
    "freed by a callee under a condition, and by its caller under another": """\
func.func private @g(%m: memref<?xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<?xf32>
  }
  return
}
func.func @f(%n: index, %c: i1) {
  %t = arith.constant true
  %b = memref.alloc(%n) : memref<?xf32>
  call @g(%b, %c) : (memref<?xf32>, i1) -> ()
  %d = arith.xori %c, %t : i1
  scf.if %d {
    memref.dealloc %b : memref<?xf32>
  }
  return
}
""",
    "given twice to a callee that frees both": """\
func.func private @g(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
func.func @f(%n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  call @g(%b, %b) : (memref<?xf32>, memref<?xf32>) -> () // error[freed-twice]
  return
}
""",
    "allocated by a callee, and never freed": """\
func.func private @make(%n: index) -> memref<?xf32> {
  %b = memref.alloc(%n) : memref<?xf32>
  return %b : memref<?xf32>
}
func.func @f(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %b = call @make(%n) : (index) -> memref<?xf32> // warning[never-freed]
  %v = memref.load %b[%c0] : memref<?xf32>
  return %v : f32
}
""",
    "allocated by a callee": """\
func.func private @make(%n: index) -> memref<?xf32> {
  %b = memref.alloc(%n) : memref<?xf32>
  return %b : memref<?xf32>
}
func.func @f(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %b = call @make(%n) : (index) -> memref<?xf32>
  %v = memref.load %b[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return %v : f32
}
""",
    "one of two chosen, and freed twice": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32> // warning[freed-on-some-paths]
  memref.dealloc %s : memref<?xf32>
  memref.dealloc %a : memref<?xf32> // error[freed-twice]
  return
}
""",
    "both of two chosen": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  %o = arith.select %c, %b, %a : memref<?xf32>
  memref.dealloc %s : memref<?xf32>
  memref.dealloc %o : memref<?xf32>
  return
}
""",
    "allocated in a cycle and freed behind it": """\
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %b = memref.alloc(%n) : memref<?xf32> // warning[dropped-in-loop]
  %v = memref.load %b[%c0] : memref<?xf32>
  memref.store %v, %b[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  %k = arith.cmpi slt, %j, %n : index
  cf.cond_br %k, ^h(%j : index), ^e
^e:
  memref.dealloc %b : memref<?xf32>
  return
}
""",
    "freed in a cycle": """\
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %b = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %b[%c0] : memref<?xf32>
  memref.store %v, %b[%i] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  %k = arith.cmpi slt, %j, %n : index
  cf.cond_br %k, ^h(%j : index), ^e
^e:
  return
}
""",
    "a constant written": """\
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32> // warning[broken-promise]
  return
}
""",
    "freed, and its address stored": """\
func.func @f(%box: memref<memref<?xf64>>, %v: f64) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf64>
  memref.store %v, %a[%c0] : memref<32xf64>
  %k = memref.cast %a : memref<32xf64> to memref<?xf64>
  memref.store %k, %box[] : memref<memref<?xf64>>
  memref.dealloc %a : memref<32xf64> // warning[used-after-free]
  return
}
""",
    "stack memory stored for the caller": """\
func.func @f(%box: memref<memref<?xf64>>) {
  %a = memref.alloca() : memref<32xf64>
  %k = memref.cast %a : memref<32xf64> to memref<?xf64>
  memref.store %k, %box[] : memref<memref<?xf64>> // warning[stack-escapes]
  return
}
""",
    "stored, and freed by the caller": """\
func.func private @fill(%box: memref<memref<?xf64>>, %v: f64) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf64>
  memref.store %v, %a[%c0] : memref<32xf64>
  %k = memref.cast %a : memref<32xf64> to memref<?xf64>
  memref.store %k, %box[] : memref<memref<?xf64>>
  return
}
func.func @f(%v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %box = memref.alloca() : memref<memref<?xf64>>
  call @fill(%box, %v) : (memref<memref<?xf64>>, f64) -> ()
  %a = memref.load %box[] : memref<memref<?xf64>>
  %x = memref.load %a[%c0] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  return %x : f64
}
""",
    "stored for a caller that nobody knows": """\
func.func @f(%box: memref<memref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %box[] : memref<memref<4xf32>> // remark[left-in-memory]
  return
}
""",
    "freed in a cycle of blocks": """\
func.func @f(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%c0] : memref<4xf32>
  cf.br ^h(%c0 : index)
^h(%i: index):
  %b = arith.cmpi slt, %i, %n : index
  cf.cond_br %b, ^l, ^e
^l:
  memref.dealloc %a : memref<4xf32> // warning[freed-in-loop]
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^e:
  return
}
""",
    "what a cycle of blocks carries is freed in it": """\
func.func @f(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  cf.br ^h(%c0, %a : index, memref<4xf32>)
^h(%i: index, %m: memref<4xf32>):
  %b = arith.cmpi slt, %i, %n : index
  cf.cond_br %b, ^l, ^e
^l:
  %new = memref.alloc() : memref<4xf32>
  memref.store %f, %new[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j, %new : index, memref<4xf32>)
^e:
  memref.dealloc %m : memref<4xf32>
  return
}
""",
    "used through a transposed view after it was freed": """\
func.func @f(%f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<2x4xf32>
  memref.store %f, %a[%i, %i] : memref<2x4xf32>
  %t = memref.transpose %a (d0, d1) -> (d1, d0) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  memref.dealloc %a : memref<2x4xf32>
  %v = memref.load %t[%i, %i] : memref<4x2xf32, strided<[1, 4]>> // error[used-after-free]
  return %v : f32
}
""",
}
