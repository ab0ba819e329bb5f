"""A program for each finding of lint, marked where it is found, and its like without."""

from .escaping_programs import ESCAPING
from .forwarded_programs import FORWARDED
from .quiet_programs import QUIET

PROGRAMS = {
    **ESCAPING,
    **FORWARDED,
    **QUIET,
    "stack memory freed": """\
func.func @f(%f: f32, %i: index) {
  %a = memref.alloca() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32> // error[invalid-free]
  return
}
""",
    "a global freed": """\
memref.global "private" @g : memref<4xf32> = dense<0.0>
func.func @f(%f: f32, %i: index) {
  %a = memref.get_global @g : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32> // error[invalid-free]
  return
}
""",
    "a part freed": """\
func.func @f(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %s = memref.subview %a[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  memref.store %f, %s[%i] : memref<8xf32, strided<[1], offset: 4>>
  memref.dealloc %s : memref<8xf32, strided<[1], offset: 4>> // warning[invalid-free]
  return
}
""",
    "freed under another type": """\
func.func @f(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %s = memref.cast %a : memref<?xf32> to memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  return
}
""",
    "stack memory returned": """\
func.func @f(%f: f32, %i: index) -> memref<?xf32> {
  %a = memref.alloca() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  return %b : memref<?xf32> // error[stack-escapes]
}
""",
    "stack memory yielded from a branch, which is no scope": """\
func.func @f(%f: f32, %i: index, %c: i1, %m: memref<4xf32>) -> f32 {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloca() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}
""",
    "freed in a branch and behind it": """\
func.func @f(%c: i1, %n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  }
  memref.dealloc %b : memref<?xf32> // error[freed-twice]
  return
}
""",
    "freed in either branch, once": """\
func.func @f(%c: i1, %d: i1, %n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  } else {
    memref.dealloc %b : memref<?xf32>
  }
  return
}
""",
    "freed where one of two conditions holds": """\
func.func @f(%c: i1, %d: i1, %n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  }
  scf.if %d {
    memref.dealloc %b : memref<?xf32>
  }
  return
}
""",
    "used behind a branch that frees it": """\
func.func @f(%c: i1, %n: index, %i: index) -> f32 {
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %c { // warning[freed-on-some-paths]
    memref.dealloc %b : memref<?xf32>
  }
  %v = memref.load %b[%i] : memref<?xf32> // error[used-after-free]
  return %v : f32
}
""",
    "freed by the callee and by the caller": """\
func.func private @inner(%m: memref<?xf32>) {
  memref.dealloc %m : memref<?xf32>
  return
}
func.func private @outer(%m: memref<?xf32>) {
  call @inner(%m) : (memref<?xf32>) -> ()
  return
}
func.func @f(%n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  call @outer(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32> // error[freed-twice]
  return
}
""",
    "a loop drops the buffer of the iteration before": """\
func.func @f(%n: index, %i: index) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %k = %i to %n step %n iter_args(%m = %a) -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32> // warning[dropped-in-loop]
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  %v = memref.load %r[%i] : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return %v : f32
}
""",
    "a loop frees the buffer of the iteration before": """\
func.func @f(%n: index, %i: index) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %k = %i to %n step %n iter_args(%m = %a) -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    memref.dealloc %m : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  %v = memref.load %r[%i] : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return %v : f32
}
""",
    "two tensors of one buffer, the first of which is updated": """\
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %u = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32> // warning[broken-promise]
  %w = tensor.insert %v into %t[%i] : tensor<4xf32>
  %x = tensor.extract %u[%i] : tensor<4xf32>
  %y = tensor.extract %w[%i] : tensor<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
""",
    "two tensors of one buffer, the second of which is updated": """\
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %u = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32> // warning[broken-promise]
  %w = tensor.insert %v into %u[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %y = tensor.extract %w[%i] : tensor<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
""",
    "two tensors of one buffer that are only read": """\
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %u = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %u[%i] : tensor<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
""",
    "a store to the buffer of a tensor that is still used": """\
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  memref.store %v, %m[%i] : memref<4xf32> // warning[broken-promise]
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x : f32
}
""",
    "a store to a buffer that was only to be read": """\
func.func @f(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32> // warning[tensor-boundary-left]
  memref.store %v, %m[%i] : memref<4xf32> // warning[broken-promise]
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
""",
    "nothing is missing": """\
func.func @f(%f: f32, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %r : memref<?xf32>
}
""",
    "the stack grows with each turn of a cycle of blocks": """\
func.func @f(%f: f32, %i: index, %c: i1) {
  cf.br ^again
^again:
  %a = memref.alloca() : memref<4xf32> // warning[stack-grows]
  memref.store %f, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^again, ^done
^done:
  return
}
""",
    "a reallocation is left where deallocation has run": """\
func.func @f(%f: f32, %i: index, %m: memref<?xf32>) {
  %r = memref.realloc %m(%i) : memref<?xf32> to memref<?xf32>
  memref.store %f, %r[%i] : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}
""",
    "the stack grows in a loop that is no scope": """\
func.func @f(%f: f32, %i: index, %c: i1) {
  scf.while : () -> () {
    %a = memref.alloca() : memref<4xf32> // warning[stack-grows]
    memref.store %f, %a[%i] : memref<4xf32>
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
""",
    "a loop that is a scope gives its stack back": """\
func.func @f(%f: f32, %i: index, %n: index) {
  scf.for %k = %i to %n step %n {
    %a = memref.alloca() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
  }
  return
}
""",
    "a small buffer that is made on a cycle does not belong on the stack": """\
func.func @f(%f: f32, %i: index, %c: i1, %o: memref<4xf32>) {
  cf.br ^again
^again:
  %a = memref.alloc() : memref<4xf32> // warning[never-freed]
  memref.store %f, %a[%i] : memref<4xf32>
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^again, ^done
^done:
  return
}
""",
    "a small buffer whose address is kept does not belong on the stack": """\
func.func @f(%f: f32, %i: index, %table: memref<2xmemref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.store %a, %table[%i] : memref<2xmemref<4xf32>> // remark[left-in-memory]
  return
}
""",
    "an empty tensor is computed apart from where it goes": """\
func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32> // warning[empty-tensor-not-eliminated]
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
""",
    "an empty tensor that is needed": """\
func.func @f(%f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}
""",
    "boundaries are left": """\
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> // warning[tensor-boundary-left]
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
""",
    "an unknown operation keeps its tensors": """\
func.func @f(%m: memref<4xf32>) {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32> // warning[tensor-boundary-left]
  "mystery.op"(%t) : (tensor<4xf32>) -> ()
  return
}
""",
    "a program that takes its input from a buffer is not finished, and need not be": """\
func.func @f(%m: memref<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
""",
    "abstract frees and clones": """\
func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %k = bufferization.clone %m : memref<4xf32> to memref<4xf32> // warning[clone-left]
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%c) // warning[dealloc-not-lowered]
  return %k : memref<4xf32>
}
""",
    "a reallocation before buffers are freed": """\
func.func @f(%n: index) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32> // warning[realloc-not-expanded]
  return %r : memref<?xf32>
}
""",
    "leaks, and what is no leak": """\
func.func private @keep(memref<?xf32>)
func.func @f(%n: index, %table: memref<1xmemref<?xf32>>, %i: index) {
  %lost = memref.alloc(%n) : memref<?xf32> // warning[never-freed]
  %view = memref.cast %lost : memref<?xf32> to memref<4xf32>
  %lent = memref.alloc(%n) : memref<?xf32> // warning[never-freed]
  call @keep(%lent) : (memref<?xf32>) -> ()
  %kept = memref.alloc(%n) : memref<?xf32>
  memref.store %kept, %table[%i] : memref<1xmemref<?xf32>> // remark[left-in-memory]
  %unknown = memref.alloc(%n) : memref<?xf32>
  "mystery.consume"(%unknown) : (memref<?xf32>) -> ()
  %stack = memref.alloca(%n) : memref<?xf32>
  %manual = memref.alloc(%n) {bufferization.manual_deallocation} : memref<?xf32>
  return
}
""",
    "freed through another name": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^end(%a, %b : memref<?xf32>, memref<?xf32>), ^end(%b, %a : memref<?xf32>, memref<?xf32>)
^end(%x: memref<?xf32>, %y: memref<?xf32>):
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return
}
""",
    "some are freed by hand": """\
func.func @f(%n: index, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32> // warning[never-freed]
  linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32> // warning[freed-before-deallocation]
  return
}
""",
    "freed in a loop that it was moved out of": """\
func.func @f(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.dealloc %a : memref<?xf32> // error[freed-in-loop]
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.dealloc %b : memref<?xf32> // warning[freed-in-loop]
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.dealloc %c : memref<?xf32>
  }
  return
}
""",
    "used and freed after it was freed": """\
func.func @f(%n: index, %i: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %s = memref.cast %a : memref<?xf32> to memref<4xf32>
  memref.dealloc %a : memref<?xf32>
  scf.if %c {
    %x = memref.load %s[%i] : memref<4xf32> // error[used-after-free]
  }
  memref.dealloc %a : memref<?xf32> // error[freed-twice]
  return
}
""",
    "freed in a block and in the block behind it": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^freed, ^end
^freed:
  memref.dealloc %a : memref<?xf32>
  cf.br ^end
^end:
  memref.dealloc %a : memref<?xf32> // error[freed-twice]
  return
}
""",
    "freed in blocks that do not follow each other, and in each iteration": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^one, ^other
^one:
  memref.dealloc %a : memref<?xf32>
  cf.br ^loop
^other:
  memref.dealloc %a : memref<?xf32>
  cf.br ^loop
^loop:
  %b = memref.alloc(%n) : memref<?xf32>
  cf.br ^back
^back:
  memref.dealloc %b : memref<?xf32>
  cf.br ^loop
}
""",
    "freed in one branch and in the other": """\
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %a : memref<?xf32>
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  return
}
""",
    "freed on one path, and what frees on all": """\
func.func private @keep(memref<?xf32>)
func.func @f(%n: index, %i: index, %c: i1, %d: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c { // warning[freed-on-some-paths]
    memref.dealloc %a : memref<?xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  scf.index_switch %i // warning[freed-on-some-paths]
  case 3 {
    memref.dealloc %b : memref<?xf32>
    scf.yield
  }
  default {
    func.call @keep(%b) : (memref<?xf32>) -> ()
  }
  %returned = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %d, ^early, ^late(%returned : memref<?xf32>) // warning[freed-on-some-paths]
^early:
  %other = memref.alloc(%n) : memref<?xf32>
  return %other : memref<?xf32>
^late(%x: memref<?xf32>):
  return %x : memref<?xf32>
}
func.func @one_condition_twice(%n: index, %c: i1, %own: memref<?xf32>) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %not {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %c {
    %again = memref.cast %a : memref<?xf32> to memref<4xf32>
    memref.dealloc %again : memref<4xf32>
  }
  %either, %owned = scf.if %c -> (memref<?xf32>, i1) {
    %made = memref.alloc(%n) : memref<?xf32>
    scf.yield %made, %true : memref<?xf32>, i1
  } else {
    %false = arith.constant false
    scf.yield %own, %false : memref<?xf32>, i1
  }
  scf.if %owned {
    memref.dealloc %either : memref<?xf32>
  }
  return
}
""",
    "loops allocate": """\
func.func @f(%n: index, %m: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%m) : memref<?xf32> // warning[never-freed] remark[could-be-hoisted]
    linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
    %b = memref.alloc(%m) : memref<?xf32> // remark[hoisting-after-deallocation]
    linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
    memref.dealloc %b : memref<?xf32> // warning[freed-before-deallocation]
    %own = memref.alloc(%i) : memref<?xf32>
    memref.dealloc %own : memref<?xf32>
  }
  return
}
""",
    "small enough for the stack": """\
func.func @f(%f: f32) {
  %a = memref.alloc() : memref<4xf32> // warning[never-freed] remark[could-be-on-stack]
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %big = memref.alloc() : memref<4096xf32> // warning[never-freed]
  return
}
""",
    "parallel iterations that read": """\
func.func @f(%b: memref<64xf32>, %o: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %b[%next] : memref<64xf32> // warning[parallel-read-race]
    %y = memref.load %o[%next] : memref<64xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %b[%i] : memref<64xf32>
  }
  return
}
""",
    "parallel iterations": """\
func.func @f(%b: memref<64xf32>, %m: memref<8x8xf32>, %f: f32, %n: index, %c: i1, %from: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %b[%c0] : memref<64xf32> // warning[parallel-write-collision]
    memref.store %f, %b[%i] : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>) // warning[parallel-write-collision]
    %row = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%row : memref<8xf32, strided<[1], offset: ?>>)
    scf.if %c {
      memref.store %f, %b[%c0] : memref<64xf32> // remark[parallel-write-may-collide]
    }
    %where = memref.load %from[%i] : memref<64xindex>
    memref.store %f, %b[%where] : memref<64xf32> // remark[parallel-write-may-collide]
    %sum = memref.atomic_rmw addf %f, %b[%c0] : (f32, memref<64xf32>) -> f32
    %own = memref.alloca() : memref<8xf32>
    memref.store %f, %own[%c0] : memref<8xf32>
    scf.for %k = %c0 to %c8 step %c1 {
      memref.store %f, %b[%k] : memref<64xf32> // warning[parallel-write-collision]
      memref.store %f, %m[%i, %k] : memref<8x8xf32>
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %k)
      memref.store %f, %b[%at] : memref<64xf32>
    }
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    memref.store %f, %b[%i] : memref<64xf32> // warning[parallel-write-collision]
    memref.store %f, %m[%j, %i] : memref<8x8xf32>
    %flat = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %j)
    memref.store %f, %b[%flat] : memref<64xf32>
    %tight = affine.apply affine_map<(d0, d1) -> (d0 * 7 + d1)>(%i, %j)
    memref.store %f, %b[%tight] : memref<64xf32> // remark[parallel-write-may-collide]
  }
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %f, %b[%c0] : memref<64xf32>
  }
  scf.forall (%i) = (0) to (64) step (4) {
    %size = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %tile = memref.subview %b[%i] [%size] [1] : memref<64xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%tile : memref<?xf32, strided<[1], offset: ?>>)
    %wide = memref.subview %b[%i] [5] [1] : memref<64xf32> to memref<5xf32, strided<[1], offset: ?>>
    linalg.fill ins(%f : f32) outs(%wide : memref<5xf32, strided<[1], offset: ?>>) // remark[parallel-write-may-collide]
  }
  affine.parallel (%i) = (0) to (8) {
    affine.store %f, %b[%i * 2 + 1] : memref<64xf32>
    affine.store %f, %b[%i floordiv 2] : memref<64xf32> // remark[parallel-write-may-collide]
    affine.store %f, %b[3] : memref<64xf32> // warning[parallel-write-collision]
  }
  return
}
""",
    "threads insert at one place": """\
func.func @f(%t: tensor<8xf32>, %u: tensor<1xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[0] [1] [1] : tensor<1xf32> into tensor<8xf32> // warning[parallel-write-collision]
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
""",
}
